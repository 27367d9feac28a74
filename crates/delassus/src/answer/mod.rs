//! What a law answers: impulses, and how they were found.

mod path;

pub use path::{ContactEnergy, ImpactPath, NormalState, PathState, TangentialState};

use crate::budget::{Budget, Limits};

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

/// What is known about the number of solutions: everything that satisfies the law to the
/// certified tolerance ([`Certificate::TOLERANCE`](crate::Certificate::TOLERANCE)) is one, and solutions whose velocities
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
