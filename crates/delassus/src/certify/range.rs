//! Answers beyond the range of numbers.

use crate::answer::{Status, Uniqueness};
use crate::outcome::ImpactOutcome;

/// What is told about such an answer.
const WARNING: &str = "the numbers of the answer leave the range of double precision; no impulse is told";

/// Whether everything that is told of an outcome is finite.
pub(super) fn holds(outcome: &ImpactOutcome) -> bool {
    // A sum is not finite where one of its terms is not; where only the sum overflows, each term is looked at.
    let finite = |values: &[f64]| values.iter().sum::<f64>().is_finite() || values.iter().all(|v| v.is_finite());
    let (answer, energy, c) = (&outcome.answer, &outcome.energy, &outcome.certificate);
    // Sums of products are finite only if every factor is: T⁺ stands for u⁺, the work of the
    // contacts for that of each, for Λ and for γ⁺.
    finite(&answer.compression)
        && finite(&outcome.gamma_compression)
        && finite(&[energy.before, energy.after, energy.contacts, energy.supports, energy.external])
        && finite(&[c.kinematic, c.kinetic, c.energetic, c.momentum, c.inclusion.unwrap_or(0.0)])
}

/// Takes the impulses back: an answer in words only.
pub(super) fn give_up(outcome: &mut ImpactOutcome) {
    let rows = outcome.answer.impulses.len();
    outcome.answer.reset(rows);
    outcome.answer.status = Status::Stalled;
    outcome.answer.warnings.push(WARNING.to_owned());
}

/// Leaves out other solutions that are beyond the range; what is known of their number goes with them.
pub(super) fn drop_others(outcome: &mut ImpactOutcome) {
    let answer = &mut outcome.answer;
    if answer.alternatives.is_empty() {
        return;
    }
    let known = answer.alternatives.len();
    answer.alternatives.retain(|other| other.impulses.iter().chain(&other.compression).all(|v| v.is_finite()));
    if answer.alternatives.len() < known {
        answer.uniqueness = Uniqueness::Unknown;
    }
}

/// Residuals of an answer that was given up, as numbers that can be written.
pub(super) fn saturate(outcome: &mut ImpactOutcome) {
    let c = &mut outcome.certificate;
    let residuals = [&mut c.kinematic, &mut c.kinetic, &mut c.energetic, &mut c.momentum];
    for residual in residuals.into_iter().chain(&mut c.inclusion) {
        if !residual.is_finite() {
            *residual = f64::MAX;
        }
    }
}
