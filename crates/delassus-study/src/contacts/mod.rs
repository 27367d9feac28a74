//! Many contacts: problems of growing size, and profiles that compare solvers.

mod generate;
mod profile;
mod scene;

pub use generate::{Kind, generate};
pub use profile::{Profile, Run};
