//! Impact laws: each turns an [`ImpactProblem`] into impulses Λ.
//!
//! A law is plain data that implements [`ImpactLaw`], in a file or folder of its
//! own: what it is called, its data with their keys and ranges, its impulses, and
//! what it claims about them. It does not judge its answer: velocities, energies and
//! checks are computed from Λ in one place for all laws ([`crate::certify`]).
//! [`LawSpec`] is one of the laws of this library, or one from elsewhere.

mod chatterjee_ruina;
pub mod data;
pub mod graphs;
mod inclusion;
pub mod kinematic;
pub mod lzb;
mod many;
mod newton;
mod poisson;
mod reflections;
mod scratch;
mod sequential;
mod single;
mod spec;
mod split;
mod stronge;
mod uses;
mod walton;

pub use data::{Choice, Field, NumberOrMatrix, Range, Slot, Value, Word};
pub use kinematic::Form;
pub use lzb::{ContactEnergy, ImpactPath, NormalState, PathState, TangentialState};
pub use many::contact_problem;
pub use sequential::Order;
pub use spec::*;
pub use uses::{Coefficient, InMotion};

use std::fmt::Debug;

use crate::answer::{LawAnswer, Options};
use crate::claim::Claim;
use crate::error::ImpactError;
use crate::problem::ImpactProblem;

/// Why a law does not answer a problem.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// The problem is sound, but of a kind that the law does not cover; the reason in words.
    NotApplicable(String),
    /// A coefficient lies outside the range in which the law is defined.
    BadInput(ImpactError),
}

/// What a law is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Its name, as in files: `newton`, `poisson`, …
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it comes from: a key of the bibliography and a place in it.
    pub citation: &'static str,
}

/// An impact law. Other crates can bring their own: [`crate::resolve`] takes any.
pub trait ImpactLaw: Debug + Send + Sync + Boxed {
    /// What the law is.
    fn about(&self) -> About;

    /// Lists the law's data by calling `each` with one [`Field`] after the other: keys in files,
    /// kinds, ranges and documentation. A law without data lists nothing.
    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        let _ = each;
    }

    /// Whether the law is defined for this problem.
    ///
    /// # Errors
    /// The reason why not.
    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal>;

    /// Writes what the law claims about its answer to a problem that passed
    /// [`check`](Self::check) into `claim`, which claims nothing before.
    fn claim(&self, problem: &ImpactProblem, claim: &mut Claim) {
        let _ = (problem, claim);
    }

    /// Computes the impulses of a problem that passed [`check`](Self::check)
    /// into `answer`, whose buffers are reused.
    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer);

    /// Whether a contact with tangents needs a friction coefficient.
    fn needs_friction(&self) -> bool {
        true
    }

    /// How runs use it.
    fn in_motion(&self) -> InMotion {
        InMotion::default()
    }

    /// The numbers that are looked for where a law is held against measured impacts.
    fn coefficients(&self) -> Vec<Coefficient> {
        vec![Coefficient::RESTITUTION, Coefficient::FRICTION]
    }

    /// Why energy may grow though no coefficient is above 1, where more can be said than that the law does not exclude
    /// it; `restitutions` is the list of those in the problem.
    fn why_energy_may_grow(&self, restitutions: &str) -> Option<String> {
        let _ = restitutions;
        None
    }
}

/// Copies of laws behind a pointer; every law that can be cloned has it.
pub trait Boxed {
    /// A copy.
    fn boxed(&self) -> Box<dyn ImpactLaw>;
}

impl<L: ImpactLaw + Clone + 'static> Boxed for L {
    fn boxed(&self) -> Box<dyn ImpactLaw> {
        Box::new(self.clone())
    }
}

/// Scratch memory that laws reuse from impact to impact.
#[derive(Debug, Clone, Default)]
pub struct Buffers {
    /// One contact with the joints eliminated.
    single: single::SingleContact,
    /// A sequence of collisions.
    sequence: sequential::SequenceWork,
    inclusion: inclusion::InclusionWork,
    lzb: lzb::LzbBuffers,
    own: scratch::Scratch,
}

impl Buffers {
    /// Scratch memory of a law's own type, kept from impact to impact.
    pub fn scratch<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        self.own.of()
    }
}
