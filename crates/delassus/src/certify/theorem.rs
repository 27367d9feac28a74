//! Theorems that guarantee the energy before anything is computed.

use nalgebra::DMatrix;

use super::{Theorem, metric};
use crate::answer::Options;
use crate::claim::{Claim, ElementClaim, EnergyClaim};
use crate::problem::{Element, ElementKind, ImpactProblem};

/// Rows up to which eigenvalues are looked at: they take the cube of it.
const MOST_ROWS: usize = 600;

/// The first theorem that applies. None does with an external impulse: the
/// proofs need γ⁺ − γ⁻ = GΛ.
pub(super) fn find(problem: &ImpactProblem, claim: &Claim, options: &Options) -> Theorem {
    if problem.external_impulse().is_some() {
        return Theorem::None;
    }
    match claim.energy {
        EnergyClaim::Nothing => Theorem::None,
        EnergyClaim::Newton => newton(problem, claim),
        EnergyClaim::Poisson => poisson(problem, options),
        EnergyClaim::Metric => metric::theorem(problem, claim),
        EnergyClaim::Always => Theorem::Unconditional,
    }
}

/// Joints at rest before the impact do no work whatever their coefficient.
fn rests(problem: &ImpactProblem, element: &Element) -> bool {
    element.rows.clone().all(|row| problem.gamma_minus()[row] == 0.0)
}

/// Equal coefficients in [0, 1]; elements with γ⁻ = 0 do not count.
fn newton(problem: &ImpactProblem, claim: &Claim) -> Theorem {
    let mut common = None;
    for (element, claim) in problem.elements().iter().zip(claim.elements()) {
        if !element.can_act() || rests(problem, element) {
            continue;
        }
        let ElementClaim::Newton { restitution } = *claim else { return Theorem::None };
        if !(0.0..=1.0).contains(&restitution) || common.is_some_and(|common| common != restitution) {
            return Theorem::None;
        }
        common = Some(restitution);
    }
    Theorem::EqualNewtonCoefficients
}

fn poisson(problem: &ImpactProblem, options: &Options) -> Theorem {
    let acting = || problem.elements().iter().filter(|e| e.can_act());
    if !acting().all(|e| (0.0..=1.0).contains(&e.restitution)) {
        return Theorem::None;
    }
    let frictions = acting().filter(|e| e.kind == ElementKind::Friction).count();
    if frictions == 0 {
        return Theorem::FrictionlessPoisson;
    }
    let others = acting().filter(|e| match e.kind {
        ElementKind::Normal | ElementKind::Clutch => true,
        ElementKind::Joint => !rests(problem, e),
        ElementKind::Friction => false,
    });
    if frictions == 1 && others.count() == 1 {
        return Theorem::OneFrictionalContact;
    }
    let coefficients = || acting().map(|e| e.restitution);
    let largest = coefficients().fold(f64::NEG_INFINITY, f64::max);
    let smallest = coefficients().fold(f64::INFINITY, f64::min);
    if largest == smallest {
        return Theorem::EqualCoefficients;
    }
    if !options.eigenvalues || problem.rows() > MOST_ROWS {
        return Theorem::None;
    }
    let ratio = eigenvalue_ratio(problem);
    if largest * largest <= ratio {
        Theorem::SmallCoefficients
    } else if largest * largest - smallest * smallest <= ratio * (1.0 - smallest * smallest) {
        Theorem::SimilarCoefficients
    } else {
        Theorem::None
    }
}

/// λ_min/λ_max of G with every element scaled to unit trace per row. The
/// conditions (117) and (121) make G − εGε positive semidefinite; scaling rows
/// of an element alike commutes with ε, so they may be tested in any units.
fn eigenvalue_ratio(problem: &ImpactProblem) -> f64 {
    let rows: Vec<(usize, f64)> = problem
        .elements()
        .iter()
        .filter(|e| e.can_act())
        .flat_map(|e| {
            let trace: f64 = e.rows.clone().map(|i| problem.operator().get(i, i)).sum();
            let scale = (trace / e.rows.len() as f64).sqrt();
            e.rows.clone().map(move |i| (i, scale))
        })
        .collect();
    let n = rows.len();
    let g = DMatrix::from_fn(n, n, |p, q| problem.operator().get(rows[p].0, rows[q].0) / (rows[p].1 * rows[q].1));
    let eigenvalues = g.symmetric_eigenvalues();
    let (low, high) = (eigenvalues.min(), eigenvalues.max());
    // Round-off of a singular G must not count as positive.
    if low > 1e-13 * high { low / high } else { 0.0 }
}
