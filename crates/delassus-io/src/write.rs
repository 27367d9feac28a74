//! Outcomes as JSON. Numbers are written so that they read back to the same
//! bits; a number that is not finite is written as null.

use delassus::{Certificate, ElementKind, ImpactOutcome, ImpactProblem, Status, Uniqueness};
use serde::Serialize;

use crate::path::{ContactEnergyRecord, PathRecord, contact_energy};

/// Appends the outcomes of one problem under several laws as a JSON array.
pub fn write_outcomes<'a>(
    out: &mut Vec<u8>,
    problem: &'a ImpactProblem,
    outcomes: impl IntoIterator<Item = (&'static str, &'a ImpactOutcome)>,
) {
    out.push(b'[');
    for (k, (law, outcome)) in outcomes.into_iter().enumerate() {
        if k > 0 {
            out.push(b',');
        }
        write_outcome(out, problem, law, outcome);
    }
    out.push(b']');
}

/// Compiled here, for speed, and not where the list is known.
fn write_outcome(out: &mut Vec<u8>, problem: &ImpactProblem, law: &'static str, outcome: &ImpactOutcome) {
    let record = OutcomeRecord::new(problem, law, outcome);
    // Writing to memory cannot fail, and every key of the record is a string.
    if serde_json::to_writer(&mut *out, &record).is_err() {
        out.extend_from_slice(b"null");
    }
}

/// An outcome with the names of its elements, as files hold it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum OutcomeRecord<'a> {
    /// The law does not cover the problem.
    NotApplicable {
        /// The law.
        law: &'a str,
        /// `not-applicable`.
        status: &'static str,
        /// Why not.
        reason: &'a str,
    },
    /// The law was asked and this came out.
    Answer(Box<Answer<'a>>),
}

/// The keys of an outcome.
#[derive(Debug, Serialize)]
pub struct Answer<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    problem: &'a str,
    law: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    velocity: Option<&'a [f64]>,
    kinetic_energy: KineticEnergy,
    elements: Vec<ElementRecord<'a>>,
    certificate: CertificateRecord,
    uniqueness: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    uniqueness_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_found: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_complete: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    solutions: Vec<Solution<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contact_energy: Option<Vec<ContactEnergyRecord<'a>>>,
    warnings: &'a [String],
    stats: StatsRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct KineticEnergy {
    before: f64,
    after: Option<f64>,
    change: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ElementRecord<'a> {
    name: &'a str,
    kind: &'static str,
    gamma_minus: &'a [f64],
    gamma_plus: Option<&'a [f64]>,
    impulse: Option<&'a [f64]>,
    state: Option<&'static str>,
    work: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impulse_compression: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impulse_decompression: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma_compression: Option<&'a [f64]>,
}

#[derive(Debug, Serialize)]
struct CheckRecord {
    holds: Option<bool>,
    residual: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct CertificateRecord {
    kinematic: CheckRecord,
    kinetic: CheckRecord,
    energetic: CheckRecord,
    inclusion_residual: Option<f64>,
    momentum_residual: Option<f64>,
    theorem: &'static str,
}

#[derive(Debug, Serialize)]
struct Solution<'a> {
    velocity: Vec<f64>,
    impulses: &'a [f64],
    dimension: usize,
    distance: f64,
}

#[derive(Debug, Serialize)]
struct StatsRecord {
    iterations: usize,
    restarts: usize,
    events: usize,
}

impl<'a> OutcomeRecord<'a> {
    /// The record of an outcome.
    pub fn new(problem: &'a ImpactProblem, law: &'a str, outcome: &'a ImpactOutcome) -> Self {
        let status = outcome.status().as_str();
        let reason = outcome.reason.as_deref();
        if outcome.status() == Status::NotApplicable {
            return Self::NotApplicable { law, status, reason: reason.unwrap_or_default() };
        }
        let answered = outcome.status().has_answer();
        let energy = &outcome.energy;
        let (uniqueness, uniqueness_by, found, complete) = match outcome.answer.uniqueness {
            Uniqueness::Proved(by) => ("proved", Some(by), None, None),
            Uniqueness::Several { found, complete } => ("several", None, Some(found), Some(complete)),
            Uniqueness::Unknown => ("unknown", None, None, None),
        };
        let solutions = outcome.answer.alternatives.iter().map(|alternative| {
            let mut velocity = Vec::new();
            problem.apply_impulses(&alternative.impulses, &mut velocity);
            let distance = alternative.distance(problem, outcome);
            Solution { velocity, impulses: &alternative.impulses, dimension: alternative.dimension, distance }
        });
        let stats = outcome.answer.stats;
        Self::Answer(Box::new(Answer {
            problem: problem.name(),
            law,
            status,
            reason,
            velocity: answered.then_some(&outcome.u_plus[..]),
            kinetic_energy: KineticEnergy {
                before: energy.before,
                after: answered.then_some(energy.after),
                change: answered.then(|| energy.change()),
            },
            elements: elements(problem, outcome, answered),
            certificate: certificate(&outcome.certificate, answered),
            uniqueness,
            uniqueness_by,
            solutions_found: found,
            solutions_complete: complete,
            solutions: solutions.collect(),
            contact_energy: contact_energy(problem, &outcome.answer.contact_energy),
            warnings: &outcome.answer.warnings,
            stats: StatsRecord { iterations: stats.iterations, restarts: stats.restarts, events: stats.events },
            path: outcome.answer.path.as_ref().map(PathRecord::new),
        }))
    }
}

fn elements<'a>(problem: &'a ImpactProblem, outcome: &'a ImpactOutcome, answered: bool) -> Vec<ElementRecord<'a>> {
    let elements = problem.elements().iter().enumerate();
    let record = |(i, element): (usize, &'a delassus::Element)| {
        let rows = element.rows.clone();
        // Empty vectors stand for what the law does not have (phases) or did not find.
        let part = |all: &'a [f64]| if answered { all.get(rows.clone()) } else { None };
        let compression = part(&outcome.answer.compression);
        ElementRecord {
            name: &element.name,
            kind: match element.kind {
                ElementKind::Normal => "contact",
                ElementKind::Friction => "friction",
                ElementKind::Clutch => "clutch",
                ElementKind::Joint => "joint",
            },
            gamma_minus: &problem.gamma_minus()[rows.clone()],
            gamma_plus: part(&outcome.gamma_plus),
            impulse: part(outcome.impulses()),
            state: outcome.states.get(i).filter(|_| answered).map(|s| s.as_str()),
            work: outcome.energy.work.get(i).copied().filter(|_| answered),
            impulse_compression: compression,
            impulse_decompression: compression
                .map(|first| outcome.impulses()[rows.clone()].iter().zip(first).map(|(all, c)| all - c).collect()),
            gamma_compression: part(&outcome.gamma_compression),
        }
    };
    elements.map(record).collect()
}

pub(crate) fn certificate(certificate: &Certificate, answered: bool) -> CertificateRecord {
    let check = |residual: f64| CheckRecord {
        holds: answered.then_some(residual <= Certificate::TOLERANCE),
        residual: answered.then_some(residual),
    };
    CertificateRecord {
        kinematic: check(certificate.kinematic),
        kinetic: check(certificate.kinetic),
        energetic: check(certificate.energetic),
        inclusion_residual: certificate.inclusion.filter(|_| answered),
        momentum_residual: answered.then_some(certificate.momentum),
        theorem: certificate.theorem.as_str(),
    }
}
