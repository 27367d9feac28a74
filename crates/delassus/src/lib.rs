//! Impact mechanics of rigid bodies that touch at several points at once.
//!
//! A system with velocity u and mass matrix M is frozen in position while
//! impulses Λ act along its contact directions W:
//!
//! ```text
//! M (u⁺ − u⁻) = W Λ + F      γ± = Wᵀu± + χ      γ⁺ − γ⁻ = G Λ + WᵀM⁻¹F      G = WᵀM⁻¹W
//! ```
//!
//! Mechanics alone does not fix Λ: an **impact law** must. This library holds
//! the laws of the literature on one problem type and tells for every answer
//! whether it is consistent (no penetration, no pulling contact, no energy
//! created), which theorem guarantees that, and whether it is the only one.
//!
//! ```
//! use delassus::{ContactData, ImpactProblem, LawSpec, Mass, ProblemData, resolve};
//!
//! // Kane's double pendulum strikes the ground with friction.
//! let problem = ImpactProblem::new(
//!     ProblemData::new(Mass::dense(2, vec![16.0, 5.9088, 5.9088, 4.0])?, [-0.1, -0.2]).with_contact(
//!         ContactData::new("C", [0.684, 1.0]).tangent([-1.8794, -1.7321]).friction(0.5).restitution(0.5),
//!     ),
//! )?;
//! for law in LawSpec::all() {
//!     let outcome = resolve(&problem, &law)?;
//!     // Newton: +0.16 J, energy out of nothing; Poisson: −0.13 J.
//!     println!("{}: {:?}, {:+.2} J", law.name(), outcome.status(), outcome.energy.change());
//! }
//! # Ok::<(), delassus::ImpactError>(())
//! ```
//!
//! [`resolve`] is the easy door; [`resolve_into`] with a [`Workspace`] is the
//! batch door, which allocates nothing once its buffers exist. Symbols and
//! signs are in [`notation`]. The library prints nothing, touches no files and
//! starts no threads.
#![forbid(unsafe_code)]

mod answer;
mod budget;
pub mod certify;
pub mod claim;
mod columns;
mod elementary;
mod error;
pub mod law;
mod mass;
mod metric;
pub mod model;
pub mod notation;
mod ode;
mod operator;
mod outcome;
mod problem;
mod resolve;
pub mod scenario;
pub mod simulate;
mod small;
pub mod solve;
mod workspace;

pub use answer::{Alternative, LawAnswer, Options, Solutions, Stats, Status, Uniqueness};
pub use budget::{Budget, Limits, Method, SolverData, Stop};
pub use columns::Columns;
pub use error::{ErrorKind, ImpactError};
pub use law::{ImpactLaw, LawSpec};
pub use mass::Mass;
pub use metric::{KineticMetric, Split};
pub use operator::DelassusOperator;
pub use outcome::{Certificate, ElementState, EnergyLedger, ImpactOutcome, Theorem};
pub use problem::{
    BlockHeight, BlockImpact, ClutchData, Contact, ContactData, Direction, Element, ElementKind, Friction,
    ImpactProblem, JointData, MassEntries, ProblemData, ProblemSource, RodImpact, TangentialVelocity,
};
pub use resolve::{resolve, resolve_into};
pub use workspace::Workspace;

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
