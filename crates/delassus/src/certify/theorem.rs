//! Theorems that guarantee the energy before anything is computed.

use nalgebra::DMatrix;

use super::metric;
use crate::claim::{Claim, EnergyClaim, Inclusion};
use crate::outcome::Options;
use crate::problem::{Element, ElementKind, ImpactProblem};

/// A theorem that guarantees, before computing, that the energy does not grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theorem {
    /// None applies.
    #[default]
    None,
    /// Poisson without friction, 0 ≤ ε ≤ 1 [G 2014, §6].
    FrictionlessPoisson,
    /// Poisson with one frictional contact, 0 ≤ ε_T ≤ ε_N ≤ 1 [G 2014, §7].
    OneFrictionalContact,
    /// Poisson with equal coefficients [G 2014, eq. (124)].
    EqualCoefficients,
    /// Poisson with small coefficients [G 2014, eq. (121)].
    SmallCoefficients,
    /// Poisson with similar coefficients [G 2014, eq. (117)].
    SimilarCoefficients,
    /// Newton or Moreau with equal coefficients in [0, 1] [PG 2005, eq. (14)].
    EqualNewtonCoefficients,
    /// Kinematic law with σ_max(A^{−1/2}E_nA^{1/2}) ≤ 1, the condition that corrects [BZL 2012, Proposition 1].
    Contraction,
    /// Kinematic law with A⁻¹ − E_nᵀA⁻¹E_n copositive and no contact separating before the impact.
    Copositive,
    /// The law never creates energy, by its construction.
    Unconditional,
}

impl Theorem {
    /// All of them, in the order of their definition.
    pub const ALL: [Theorem; 10] = [
        Self::None,
        Self::FrictionlessPoisson,
        Self::OneFrictionalContact,
        Self::EqualCoefficients,
        Self::SmallCoefficients,
        Self::SimilarCoefficients,
        Self::EqualNewtonCoefficients,
        Self::Contraction,
        Self::Copositive,
        Self::Unconditional,
    ];

    /// In words, as printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::FrictionlessPoisson => "frictionless Poisson",
            Self::OneFrictionalContact => "one frictional contact",
            Self::EqualCoefficients => "equal coefficients",
            Self::SmallCoefficients => "small coefficients",
            Self::SimilarCoefficients => "similar coefficients",
            Self::EqualNewtonCoefficients => "equal Newton coefficients",
            Self::Contraction => "restitution matrix contracts in the kinetic metric",
            Self::Copositive => "restitution matrix copositive for approaching contacts",
            Self::Unconditional => "the law never creates energy",
        }
    }
}

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
    let elements = problem.elements().iter().zip(claim.elements());
    let mut coefficients = elements.filter(|(e, _)| e.can_act() && !rests(problem, e)).map(|(_, claim)| match claim {
        Inclusion::Newton { restitution } => *restitution,
        _ => f64::NAN,
    });
    let Some(first) = coefficients.next() else { return Theorem::EqualNewtonCoefficients };
    if (0.0..=1.0).contains(&first) && coefficients.all(|e| e == first) {
        Theorem::EqualNewtonCoefficients
    } else {
        Theorem::None
    }
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
    if !options.eigenvalues {
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
