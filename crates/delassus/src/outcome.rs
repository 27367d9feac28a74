//! What a law answers and what follows from it.

use crate::budget::{Budget, Limits};
use crate::certify::Certificate;
use crate::law::{ContactEnergy, ImpactPath};
use crate::problem::ImpactProblem;

/// How the search for an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// Found; the law and the momentum balance hold to 1e-9.
    #[default]
    Solved,
    /// Found, but a residual is above 1e-9.
    Inaccurate,
    /// The law has no solution for this problem.
    NoSolution,
    /// A limit of the work was reached: iterations or time.
    MaxIterations,
    /// The iteration made no progress any more.
    Stalled,
    /// The law does not cover this kind of problem.
    NotApplicable,
}

impl Status {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Inaccurate => "inaccurate",
            Self::NoSolution => "no-solution",
            Self::MaxIterations => "max-iterations",
            Self::Stalled => "stalled",
            Self::NotApplicable => "not-applicable",
        }
    }

    /// Whether there are impulses to look at.
    pub fn has_answer(self) -> bool {
        !matches!(self, Self::NoSolution | Self::NotApplicable)
    }
}

/// What is wanted beside the answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// How hard to look for other solutions.
    pub solutions: Solutions,
    /// Test the energy theorems that need eigenvalues of G as well.
    pub eigenvalues: bool,
    /// Record the path of laws that follow the impact in time.
    pub path: bool,
    /// Bounds on the work.
    pub limits: Limits,
}

/// How hard to look for other solutions of the same law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solutions {
    /// The first one found: fastest.
    First,
    /// The one of least kinetic effort ΛᵀGΛ where enumeration is cheap (planar
    /// problems with up to three frictional contacts, one spatial contact), the
    /// first found elsewhere. A cheap proof of uniqueness is tried.
    #[default]
    Preferred,
    /// All of a planar problem; several found by many starts of a spatial one.
    All,
}

/// A law's answer: impulses, and how they were found. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub struct LawAnswer {
    /// How the search ended.
    pub status: Status,
    /// Total impulses Λ (m).
    pub impulses: Vec<f64>,
    /// For two-phase laws the impulses of compression Λ⁻ (m); else empty.
    pub compression: Vec<f64>,
    /// Further solutions, where they were asked for and found.
    pub alternatives: Vec<Alternative>,
    /// What is known about uniqueness.
    pub uniqueness: Uniqueness,
    /// Why the search ended without a solution, in words; set where a limit was reached.
    pub reason: Option<String>,
    /// What a user should know, in words.
    pub warnings: Vec<String>,
    /// Counters of the search.
    pub stats: Stats,
    /// Energy account per contact, from laws that follow the impact; else empty.
    pub contact_energy: Vec<ContactEnergy>,
    /// The course of the impact, where it was asked for and the law follows it.
    pub path: Option<ImpactPath>,
}

impl LawAnswer {
    /// Empties the answer for a problem with `rows` directions, keeping buffers.
    pub fn reset(&mut self, rows: usize) {
        self.status = Status::Solved;
        self.impulses.clear();
        self.impulses.resize(rows, 0.0);
        self.compression.clear();
        self.alternatives.clear();
        self.uniqueness = Uniqueness::Unknown;
        self.reason = None;
        self.warnings.clear();
        self.stats = Stats::default();
        self.contact_energy.clear();
        self.path = None;
    }

    /// Says that a limit ended the search after that many iterations: the user's, else the law's own.
    pub fn give_up(&mut self, budget: &Budget<'_>, iterations: usize) {
        self.status = Status::MaxIterations;
        let own = || format!("no answer was found in {iterations} iterations");
        self.reason = Some(budget.ended_by().unwrap_or_else(own));
    }
}

/// Another solution of the same law.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Alternative {
    /// Impulses Λ (m).
    pub impulses: Vec<f64>,
    /// Impulses of compression, for two-phase laws.
    pub compression: Vec<f64>,
    /// Dimension of the set of solutions it stands for (0: a point).
    pub dimension: usize,
}

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

/// What is known about the number of solutions: everything that satisfies the law to the
/// certified tolerance ([`Certificate::TOLERANCE`]) is one, and solutions whose velocities
/// differ by less than 1e-6 of the speed are one and the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Uniqueness {
    /// u⁺ is the only solution, by this argument, also for data that differ by less than the
    /// certified tolerance.
    Proved(&'static str),
    /// There are other solutions.
    Several {
        /// How many were found, this one included.
        found: usize,
        /// Whether these are all.
        complete: bool,
    },
    /// Nothing is known, or it hangs on less than the certified tolerance.
    #[default]
    Unknown,
}

/// Counters of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Pivots, iterations or integration steps.
    pub iterations: usize,
    /// Starts or covering vectors tried after the first.
    pub restarts: usize,
    /// Single collisions of a sequence, or events along the impact.
    pub events: usize,
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
