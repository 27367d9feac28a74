//! What follows from a law's answer: velocities, energies, states, and the checks.

mod certificate;

pub use certificate::{Certificate, Theorem};

use crate::answer::{Alternative, LawAnswer, Status};
use crate::problem::ImpactProblem;

impl Alternative {
    /// How far its velocities are from those of the answer: |u − u⁺| in the kinetic metric,
    /// relative to the larger speed before or after.
    pub fn distance(&self, problem: &ImpactProblem, outcome: &ImpactOutcome) -> f64 {
        let mut u = Vec::new();
        problem.apply_impulses(&self.impulses, &mut u);
        let mass = problem.mass();
        let size = outcome.energy.before.max(outcome.energy.after).max(mass.energy(&u));
        u.iter_mut().zip(&outcome.u_plus).for_each(|(u, plus)| *u -= plus);
        if size > 0.0 { (mass.energy(&u) / size).sqrt() } else { 0.0 }
    }
}

/// The state of an element after the impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementState {
    /// No impulse: Λ_N = 0.
    Open,
    /// An impulse acted.
    Closed,
    /// Friction holds: no tangential velocity (under Newton ξ_T = 0).
    Stick,
    /// Friction slides.
    Slip,
}

impl ElementState {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Stick => "stick",
            Self::Slip => "slip",
        }
    }
}

/// Kinetic energy before and after, and the work that changed it:
/// T⁺ − T⁻ = Σ work − Λᵀχ + ½Fᵀ(u⁺ + u⁻).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EnergyLedger {
    /// T⁻ = ½u⁻ᵀMu⁻ \[J\].
    pub before: f64,
    /// T⁺ \[J\].
    pub after: f64,
    /// Work ½Λᵢᵀ(γᵢ⁺ + γᵢ⁻) of each element \[J\].
    pub work: Vec<f64>,
    /// Work D of all elements \[J\]; D ≤ 0 is the energetic check.
    pub contacts: f64,
    /// Work −Λᵀχ done by moving supports \[J\].
    pub supports: f64,
    /// Work ½Fᵀ(u⁺ + u⁻) of the external impulse \[J\].
    pub external: f64,
}

impl EnergyLedger {
    /// T⁺ − T⁻ \[J\].
    pub fn change(&self) -> f64 {
        self.after - self.before
    }
}

/// The answer of one law to one problem, with all that follows from it.
/// Vectors are indexed as the problem's rows and elements.
#[derive(Debug, Clone, Default)]
pub struct ImpactOutcome {
    /// What the law answered; `answer.status` takes the checks into account.
    pub answer: LawAnswer,
    /// Why the law does not apply, where it does not; why the search ended, where it found nothing.
    pub reason: Option<String>,
    /// u⁺ (n).
    pub u_plus: Vec<f64>,
    /// γ⁻ (m).
    pub gamma_minus: Vec<f64>,
    /// γ° after compression (m), for two-phase laws; else empty.
    pub gamma_compression: Vec<f64>,
    /// γ⁺ (m).
    pub gamma_plus: Vec<f64>,
    /// State of each element.
    pub states: Vec<ElementState>,
    /// Energies.
    pub energy: EnergyLedger,
    /// The checks.
    pub certificate: Certificate,
}

impl ImpactOutcome {
    /// How the search ended, the checks taken into account.
    pub fn status(&self) -> Status {
        self.answer.status
    }

    /// The impulses Λ (m).
    pub fn impulses(&self) -> &[f64] {
        &self.answer.impulses
    }
}
