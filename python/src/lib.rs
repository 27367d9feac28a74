//! The compiled part of the Python package `delassus`: arrays and texts in, arrays and texts out. What users see is
//! written in Python, in `lib/delassus`; this module is `delassus._native`.
#![forbid(unsafe_code)]

mod arrays;
mod batch;
mod contact;
mod error;
mod figure;
mod fit;
mod law;
mod motion;
mod outcome;
mod problem;
mod program;
mod signals;
mod study;
mod sweep;

use pyo3::prelude::*;

/// The compiled part of delassus.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::batch::{problem_from_arrays, resolve_batch};
    #[pymodule_export]
    use super::contact::{ContactAnswer, solve_contact_arrays, solve_contact_file};
    #[pymodule_export]
    use super::figure::{fragility, impact_svg, incremental, map_svg, regime_colors};
    #[pymodule_export]
    use super::fit::{fit_model, read_table, score_laws};
    #[pymodule_export]
    use super::law::{Law, laws};
    #[pymodule_export]
    use super::motion::{Motion, motion_page, simulate};
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::problem::{Problem, angles};
    #[pymodule_export]
    use super::program::program;
    #[pymodule_export]
    use super::study::{Map, map_study, reproduce_studies, studies};
    #[pymodule_export]
    use super::sweep::Sweep;

    /// The version of the package and of the library in it.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Words that begin the status of a case with an answer.
    #[pymodule_export]
    const FOUND: [&str; 5] = delassus_study::sweep::FOUND;

    /// The words of the codes in a batch's status.
    #[pymodule_export]
    const BATCH_STATUSES: [&str; 7] = super::batch::BATCH_STATUSES;
}
