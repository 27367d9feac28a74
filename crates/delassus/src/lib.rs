//! Impact mechanics of rigid bodies that touch at several points at once.
#![forbid(unsafe_code)]

mod certify;
mod columns;
mod error;
pub mod law;
mod mass;
mod metric;
pub mod model;
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

pub use certify::{Certificate, Theorem};
pub use columns::Columns;
pub use error::ImpactError;
pub use law::{ImpactLaw, LawSpec};
pub use mass::Mass;
pub use metric::{KineticMetric, Split};
pub use operator::DelassusOperator;
pub use outcome::{
    Alternative, ElementState, EnergyLedger, ImpactOutcome, LawAnswer, Options, Solutions, Stats, Status, Uniqueness,
};
pub use problem::{
    ClutchData, Contact, ContactData, Direction, Element, ElementKind, Friction, ImpactProblem, JointData, ProblemData,
};
pub use resolve::{resolve, resolve_into};
pub use workspace::Workspace;
