//! Trajectories as JSON.

use delassus::model::{RecordSummary, System};
use delassus::simulate::{ContactPeaks, Energies, Peak, Peaks, RunStats, SimulatedImpact, Trajectory};
use serde::Serialize;

use crate::write::{CertificateRecord, certificate};

/// A trajectory with the names of its contacts, as `run --json` prints it.
#[derive(Debug, Serialize)]
pub struct RunRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    law: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    time: f64,
    /// The time from which the run is by time-stepping because events came to no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_stepping_from: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    records: Vec<GroundRecord>,
    impacts: Vec<ImpactRecord<'a>>,
    peaks: PeaksRecord<'a>,
    energy: EnergyRecord,
    events: Vec<EventRecord<'a>>,
    q: &'a [f64],
    velocity: &'a [f64],
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivity: Option<SensitivityRecord>,
    stats: StatsRecord,
}

/// How far a run agrees with one at a tenth of the tolerance.
#[derive(Debug, Serialize)]
struct SensitivityRecord {
    agree_until: f64,
    to_the_end: bool,
}

/// A recorded motion of a support: SI units, whatever the unit of the file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroundRecord {
    file: String,
    units: &'static str,
    points: usize,
    interval: f64,
    duration: f64,
    pga: f64,
    pgv: f64,
    pgd: f64,
    end_velocity: f64,
    end_displacement: f64,
}

impl From<&RecordSummary> for GroundRecord {
    fn from(summary: &RecordSummary) -> Self {
        let RecordSummary { name, units, points, interval, duration, pga, pgv, pgd, end_velocity, end_displacement } =
            summary.clone();
        let units = units.name();
        Self { file: name, units, points, interval, duration, pga, pgv, pgd, end_velocity, end_displacement }
    }
}

/// Largest values and their times, found within the steps.
#[derive(Debug, Serialize)]
struct PeaksRecord<'a> {
    /// Largest |θ| of the only body \[rad\].
    #[serde(skip_serializing_if = "Option::is_none")]
    angle: Option<PeakRecord>,
    /// The same over the angle of balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    tilt: Option<PeakRecord>,
    contacts: Vec<ContactPeaksRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct PeakRecord {
    value: f64,
    time: f64,
}

impl From<Peak> for PeakRecord {
    fn from(peak: Peak) -> Self {
        Self { value: peak.value, time: peak.time }
    }
}

/// Forces between impacts \[N\], gap and distance slid \[m\].
#[derive(Debug, Serialize)]
struct ContactPeaksRecord<'a> {
    name: &'a str,
    force: PeakRecord,
    tangential: PeakRecord,
    uplift: PeakRecord,
    slip: PeakRecord,
}

fn peaks_record<'a>(system: &dyn System, names: &'a [String], peaks: &Peaks) -> PeaksRecord<'a> {
    let tilt = peaks.angle.zip(system.balance()).map(|(peak, balance)| Peak { value: peak.value / balance, ..peak });
    let contact = |(name, peaks): (&'a String, &ContactPeaks)| ContactPeaksRecord {
        name,
        force: peaks.normal.into(),
        tangential: peaks.tangential.into(),
        uplift: peaks.uplift.into(),
        slip: peaks.slip.into(),
    };
    PeaksRecord {
        angle: peaks.angle.map(PeakRecord::from),
        tilt: tilt.map(PeakRecord::from),
        contacts: names.iter().zip(&peaks.contacts).map(contact).collect(),
    }
}

#[derive(Debug, Serialize)]
struct ImpactRecord<'a> {
    time: f64,
    contacts: Vec<&'a str>,
    q: &'a [f64],
    velocity_minus: &'a [f64],
    velocity_plus: &'a [f64],
    kinetic_energy: KineticEnergy,
    /// Per contact: normal and tangential impulse.
    impulses: Vec<&'a [f64]>,
    inelastic: bool,
    status: &'static str,
    certificate: CertificateRecord,
}

#[derive(Debug, Serialize)]
struct KineticEnergy {
    before: f64,
    after: f64,
}

#[derive(Debug, Serialize)]
struct EnergyRecord {
    initial: f64,
    r#final: f64,
    kinetic: f64,
    potential: f64,
    friction: f64,
    supports: f64,
    damping: f64,
    applied: f64,
    impacts: f64,
    closure: f64,
}

#[derive(Debug, Serialize)]
struct EventRecord<'a> {
    time: f64,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct StatsRecord {
    steps: usize,
    rejected: usize,
    evaluations: usize,
    selections: usize,
    penetration: f64,
    joint_drift: f64,
    /// Of the contact problems of time-stepping.
    residual: f64,
    /// Told where bodies slept.
    #[serde(skip_serializing_if = "is_none")]
    slept: usize,
    /// Impacts that are counted but not listed.
    #[serde(skip_serializing_if = "is_none")]
    unlisted: usize,
}

/// Whether a count is that of nothing.
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// Runs as JSON: one by itself, several as a list.
///
/// # Errors
/// None that is known of: writing to memory cannot fail, and every key is a word.
pub fn write_runs(runs: &[RunRecord<'_>]) -> serde_json::Result<Vec<u8>> {
    match runs {
        [one] => serde_json::to_vec(one),
        many => serde_json::to_vec(many),
    }
}

impl<'a> RunRecord<'a> {
    /// As JSON over several lines.
    ///
    /// # Errors
    /// As [`write_runs`].
    pub fn to_pretty_json(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec_pretty(self)
    }

    /// The record of a trajectory of `system` under the law of that name.
    pub fn new(name: Option<&'a str>, law: &'a str, system: &'a dyn System, run: &'a Trajectory) -> Self {
        let contact = |c: usize| run.contact_names[c].as_str();
        let last = run.last();
        let Energies { kinetic, potential, friction, supports, damping, applied, impacts } = last.energy;
        let RunStats { steps, rejected, evaluations, selections, penetration, joint_drift, residual, slept, unlisted } =
            run.stats;
        Self {
            name,
            law,
            status: run.end.as_str(),
            reason: match &run.end {
                delassus::simulate::End::NoAnswer(reason) => Some(reason),
                _ => None,
            },
            time: run.time,
            time_stepping_from: run.stepped_from,
            records: system.records().iter().map(GroundRecord::from).collect(),
            impacts: run.impacts.iter().map(|impact| impact_record(impact, &contact)).collect(),
            peaks: peaks_record(system, &run.contact_names, &run.peaks),
            energy: EnergyRecord {
                initial: run.start().energy.total(),
                r#final: last.energy.total(),
                kinetic,
                potential,
                friction,
                supports,
                damping,
                applied,
                impacts,
                closure: run.closure,
            },
            events: run
                .events
                .iter()
                .map(|e| EventRecord { time: e.time, kind: e.kind.as_str(), contact: e.kind.contact().map(contact) })
                .collect(),
            q: &last.q,
            velocity: &last.u,
            warnings: run.log.iter().map(|remark| format!("t = {}: {}", remark.time, remark.text)).collect(),
            sensitivity: None,
            stats: StatsRecord {
                steps,
                rejected,
                evaluations,
                selections,
                penetration,
                joint_drift,
                residual,
                slept,
                unlisted,
            },
        }
    }

    /// With the time up to which the run agrees with one at a tenth of the tolerance, and whether that is its end.
    pub fn with_sensitivity(mut self, agree_until: f64, to_the_end: bool) -> Self {
        self.sensitivity = Some(SensitivityRecord { agree_until, to_the_end });
        self
    }
}

fn impact_record<'a>(impact: &'a SimulatedImpact, contact: &impl Fn(usize) -> &'a str) -> ImpactRecord<'a> {
    let outcome = &impact.outcome;
    let mut impulses = Vec::new();
    let mut row = 0;
    // The problem's rows begin with its contacts: a normal, and a tangent where there is friction.
    for rows in &impact.rows {
        impulses.push(&outcome.impulses()[row..row + rows]);
        row += rows;
    }
    ImpactRecord {
        time: impact.time,
        contacts: impact.contacts.iter().map(|&c| contact(c)).collect(),
        q: &impact.q,
        velocity_minus: &impact.u_minus,
        velocity_plus: &impact.u_plus,
        kinetic_energy: KineticEnergy { before: outcome.energy.before, after: impact.kinetic_after },
        impulses,
        inelastic: impact.inelastic,
        status: outcome.status().as_str(),
        certificate: certificate(&outcome.certificate, true),
    }
}
