//! Impact laws: each turns an [`ImpactProblem`] into impulses Λ.
//!
//! A law is plain data ([`LawSpec`]) that implements [`ImpactLaw`]. It does
//! not judge its answer: velocities, energies and checks are computed from Λ
//! in one place for all laws ([`crate::resolve`]).

pub mod graphs;
mod inclusion;
pub mod kinematic;
mod lzb;
mod newton;
mod poisson;
pub(crate) mod sequential;
pub(crate) mod single;
mod stronge;
mod walton;

pub use kinematic::{Form, Kinematic, TangentialMatrix};
pub(crate) use lzb::Buffers as LzbBuffers;
pub use lzb::{ContactEnergy, ImpactPath, Lzb, NormalState, PathState, TangentialState};
pub use newton::{Moreau, Newton};
pub use poisson::Poisson;
pub use sequential::{Order, Sequential};
pub use stronge::Stronge;
pub use walton::Walton;

pub(crate) use inclusion::InclusionWork;

use crate::error::ImpactError;
use crate::outcome::{LawAnswer, Options};
use crate::problem::ImpactProblem;
use crate::workspace::Workspace;

/// Why a law does not answer a problem.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// The problem is sound, but of a kind that the law does not cover; the reason in words.
    NotApplicable(String),
    /// A coefficient lies outside the range in which the law is defined.
    BadInput(ImpactError),
}

/// An impact law at work.
pub trait ImpactLaw {
    /// The law's name, as in files: `newton`, `poisson`, …
    fn name(&self) -> &'static str;

    /// Whether the law is defined for this problem.
    ///
    /// # Errors
    /// The reason why not.
    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal>;

    /// Computes the impulses of a problem that passed [`check`](Self::check)
    /// into `answer`, whose buffers are reused.
    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Workspace, answer: &mut LawAnswer);
}

/// A law with its data: what files hold.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LawSpec {
    /// Newton's law in inequality form.
    Newton(Newton),
    /// Moreau's law: Newton's with one dissipation index.
    Moreau(Moreau),
    /// Poisson's law in inequality form, two phases.
    Poisson(Poisson),
    /// Generalized kinematic law in the kinetic metric.
    Kinematic(Kinematic),
    /// Darboux–Keller law for several contacts (Liu–Zhao–Brogliato).
    Lzb(Lzb),
    /// One contact after the other.
    Sequential(Sequential),
    /// Walton's law for one contact.
    Walton(Walton),
    /// Stronge's law for one contact with tangential compliance.
    Stronge(Stronge),
}

impl LawSpec {
    /// The law at work.
    pub fn law(&self) -> &dyn ImpactLaw {
        match self {
            Self::Newton(law) => law,
            Self::Moreau(law) => law,
            Self::Poisson(law) => law,
            Self::Kinematic(law) => law,
            Self::Lzb(law) => law,
            Self::Sequential(law) => law,
            Self::Walton(law) => law,
            Self::Stronge(law) => law,
        }
    }

    /// The law's name, as in files.
    pub fn name(&self) -> &'static str {
        self.law().name()
    }

    /// Whether the tangential impulses are unbounded because their velocity jump is imposed.
    pub fn imposes_tangential_jump(&self) -> bool {
        matches!(self, Self::Kinematic(law) if law.tangential_matrix.is_some() || law.form.is_some_and(Form::sticks))
    }

    /// Every law with its default data, in the order of comparisons.
    pub fn all() -> Vec<LawSpec> {
        vec![
            Self::Newton(Newton::default()),
            Self::Moreau(Moreau::default()),
            Self::Poisson(Poisson::default()),
            Self::Kinematic(Kinematic::default()),
            Self::Lzb(Lzb::default()),
            Self::Sequential(Sequential::default()),
            Self::Walton(Walton::default()),
            Self::Stronge(Stronge::default()),
        ]
    }

    /// The law of that name with its default data.
    pub fn by_name(name: &str) -> Option<LawSpec> {
        Self::all().into_iter().find(|law| law.name() == name)
    }
}
