//! Energies and the balance of momentum from the impulses.

use super::Certificate;
use crate::outcome::{EnergyLedger, ImpactOutcome};
use crate::problem::ImpactProblem;
use crate::small;

/// Fills the ledger of energies and leaves Mu⁺ in `momentum_plus`. Returns the largest impulse in units of velocity in
/// the kinetic metric, which the same pass over the elements finds; what is not a number is passed over.
pub(super) fn fill(problem: &ImpactProblem, outcome: &mut ImpactOutcome, momentum_plus: &mut Vec<f64>) -> f64 {
    let (impulses, ledger) = (&outcome.answer.impulses[..], &mut outcome.energy);
    momentum_plus.resize(problem.coordinates(), 0.0);
    ledger.before = problem.energy_minus();
    ledger.after = problem.mass().momentum_and_energy(&outcome.u_plus, momentum_plus);
    ledger.work.resize(problem.elements().len(), 0.0);
    let (plus, minus) = (&outcome.gamma_plus[..], &outcome.gamma_minus[..]);
    let (mut contacts, mut largest) = (0.0, 0.0);
    for ((element, scale), work) in problem.elements().iter().zip(problem.scales()).zip(&mut ledger.work) {
        let mut sum = 0.0;
        element.each_row(|row| {
            sum += 0.5 * impulses[row] * (plus[row] + minus[row]);
            let size = impulses[row].abs() * scale;
            largest = if size > largest { size } else { largest };
        });
        *work = sum;
        contacts += sum;
    }
    ledger.contacts = contacts;
    ledger.supports = 0.0;
    if problem.has_moving_support() {
        ledger.supports = -impulses.iter().zip(problem.offset()).map(|(l, chi)| l * chi).sum::<f64>();
    }
    ledger.external = problem.external_impulse().map_or(0.0, |f| {
        let velocities = outcome.u_plus.iter().zip(problem.u_minus());
        0.5 * f.iter().zip(velocities).map(|(f, (a, b))| f * (a + b)).sum::<f64>()
    });
    largest
}

/// Whether T⁺ − T⁻ is the work of contacts, supports and the external impulse, up to the certified tolerance.
pub(super) fn closes(ledger: &EnergyLedger) -> bool {
    let terms = [ledger.after, -ledger.before, -ledger.contacts, -ledger.supports, -ledger.external];
    let size: f64 = terms.iter().map(|t| t.abs()).sum();
    terms.iter().sum::<f64>().abs() <= Certificate::TOLERANCE * size
}

/// √(rᵀM⁻¹r)/v with r = Mu⁺ − Mu⁻ − WΛ − F; `r` holds Mu⁺.
pub(super) fn momentum_residual(problem: &ImpactProblem, outcome: &ImpactOutcome, speed: f64, r: &mut [f64]) -> f64 {
    small::subtract(problem.momentum_minus(), r);
    problem.directions().add_product(&outcome.answer.impulses, -1.0, r);
    if let Some(f) = problem.external_impulse() {
        r.iter_mut().zip(f).for_each(|(r, f)| *r -= f);
    }
    problem.mass().inverse_quadratic(r).sqrt() / speed
}
