//! What Newton's, Moreau's and both phases of Poisson's law share: the
//! inclusion ξ = Gx + b over the elements' cones.

use super::Refusal;
use crate::outcome::{LawAnswer, Status};
use crate::problem::{ElementKind, ImpactProblem};
use crate::solve::planar::{self, PlanarWork};
use crate::solve::{Cone, Inclusion, SolveReport, SolveStatus};

/// Buffers of an inclusion and its solvers.
#[derive(Debug, Clone, Default)]
pub(crate) struct InclusionWork {
    /// b (m).
    pub(crate) vector: Vec<f64>,
    /// x (m).
    pub(crate) x: Vec<f64>,
    cones: Vec<Cone>,
    dense: Vec<f64>,
    planar: PlanarWork,
}

impl InclusionWork {
    /// Solves ξ = Gx + b for the vector b set before; `shift` gives for each
    /// friction element (normal row, ε_i) the constant part of its radius.
    pub(crate) fn solve(&mut self, problem: &ImpactProblem, shift: impl Fn(usize, f64, f64) -> f64) -> SolveReport {
        fill_cones(problem, shift, &mut self.cones);
        self.x.clear();
        self.x.resize(problem.rows(), 0.0);
        let matrix = match problem.operator().as_dense() {
            Some(g) => g,
            None => {
                problem.operator().write_dense(&mut self.dense);
                &self.dense
            }
        };
        let inclusion = Inclusion { matrix, vector: &self.vector, cones: &self.cones };
        planar::solve(&inclusion, &mut self.planar, &mut self.x)
    }
}

/// The cones of the problem's elements; `shift(normal row, ε_N, ε_T)`.
pub(crate) fn fill_cones(problem: &ImpactProblem, shift: impl Fn(usize, f64, f64) -> f64, cones: &mut Vec<Cone>) {
    cones.clear();
    for element in problem.elements() {
        let row = element.rows.start;
        match element.kind {
            ElementKind::Normal | ElementKind::Clutch => cones.push(Cone::Unilateral { row }),
            ElementKind::Joint => cones.extend(element.rows.clone().map(|row| Cone::Free { row })),
            ElementKind::Friction => {
                let Some(contact) = element.contact.map(|c| &problem.contacts()[c]) else { continue };
                let mu = contact.friction.map_or([0.0, 0.0], |f| f.coefficients());
                let normal = contact.normal;
                let shift = shift(normal, contact.restitution, contact.restitution_tangential);
                cones.push(if element.rows.len() == 1 {
                    Cone::Line { row, normal, friction: mu[0], shift }
                } else {
                    Cone::Ellipse { row, normal, friction: mu, shift }
                });
            }
        }
    }
}

/// Problems that inclusion laws cover.
pub(crate) fn check_friction_given(problem: &ImpactProblem) -> Result<(), Refusal> {
    for contact in problem.contacts() {
        if !contact.tangents.is_empty() && contact.friction.is_none() {
            let name = &contact.name;
            return Err(Refusal::NotApplicable(format!(
                "contact {name} has a tangent but no friction coefficient; give `friction` (0 for a smooth contact)"
            )));
        }
    }
    if problem.is_spatial() {
        return Err(Refusal::NotApplicable("spatial friction is not covered".into()));
    }
    Ok(())
}

/// Takes a solver's report over into an answer.
pub(crate) fn record(report: SolveReport, answer: &mut LawAnswer) {
    answer.stats.iterations += report.iterations;
    answer.stats.restarts += report.restarts;
    answer.status = match report.status {
        SolveStatus::Solved => answer.status,
        SolveStatus::NoSolution => Status::NoSolution,
        SolveStatus::MaxIterations => Status::MaxIterations,
        SolveStatus::Stalled => Status::Stalled,
    };
}
