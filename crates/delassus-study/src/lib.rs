//! Studies of impacts and motions: what is varied, what is measured, what it means.
//!
//! The library [`delassus`] resolves one impact or simulates one motion; this crate repeats that
//! and reads the results. It prints nothing, touches no files, asks no clock and needs no threads
//! (the feature `parallel` uses them), so the program, Python and a browser page stand on it alike.
//!
//! - [`laws`]: which laws a problem is resolved under.
//! - [`batch`]: many problems, in order.
//! - [`verdict`]: what an outcome means, in words; [`number`] writes its numbers.
//! - [`Parameter`] and [`Measure`]: numbers of a problem by their path, quantities of an outcome;
//!   [`Probe`] reads a measure at one point of the plane of two parameters.
//! - [`motion`]: the same for scenarios.
//! - [`contacts`]: problems with many contacts, and profiles of solvers.
//! - [`colors`]: one for each state and law, in every figure.
//! - [`map`]: regimes over two parameters and the curves that divide them.
//! - [`sweep`]: a row for each case of any number of parameters.
//! - [`score`]: laws held against measured impacts; [`fit`]: numbers found from measurements;
//!   [`fragility`]: the probability of failure over an intensity. [`optimise`] and [`statistics`] serve them.
//! - [`reproduce`]: the figures and tables of papers, computed and compared.
//!
//! Regimes on a [`Grid`] are divided by curves, which [`trace_square`] follows through one square of
//! the grid at a time and [`join`] puts together.
//!
//! ```
//! use delassus::{LawSpec, ProblemSource, RodImpact};
//! use delassus_study::{Case, Grid, Measure, Parameter, Probe, boundaries};
//!
//! let rod = RodImpact { friction: 0.5, restitution: 1.0, ..RodImpact::default() };
//! let case = Case::new(ProblemSource::Rod(rod), [LawSpec::by_name("newton").unwrap()]);
//! let axes = [Parameter::parse("rod.velocity_ratio", &case)?, Parameter::parse("rod.angle", &case)?];
//! let measure = Measure::parse("state", &case)?;
//! let mut probe = Probe::new(case, axes, measure)?;
//! let grid = Grid::uniform([(-6.0, 6.0), (0.1, 3.0)], [40, 40])?;
//! let curves = boundaries(&grid, |x, y| probe.read(x, y).regime);
//! assert_eq!(curves.len(), 2); // forward slip | stick | backward slip
//! # Ok::<(), delassus::ImpactError>(())
//! ```
#![forbid(unsafe_code)]

pub mod batch;
pub mod colors;
pub mod contacts;
pub mod fit;
pub mod fragility;
mod grid;
pub mod incremental;
mod join;
pub mod laws;
pub mod map;
mod measure;
pub mod motion;
pub mod number;
pub mod optimise;
mod parallel;
mod parameter;
mod place;
mod probe;
mod regime;
pub mod reproduce;
mod scenario;
pub mod score;
pub mod statistics;
pub mod sweep;
mod trace;
pub mod verdict;

pub use grid::Grid;
pub use join::{Boundary, join};
pub use measure::{Check, Measure};
pub use parameter::{Case, Parameter};
pub use probe::{Probe, Reading};
pub use regime::Regime;
pub use scenario::{NumberPlace, RecordPlace, Recorded, ScenarioNumbers};
pub use trace::{Accuracy, Piece, trace_square};

/// The curves that divide the regimes on a grid, one square after the other.
pub fn boundaries(grid: &Grid, mut regime: impl FnMut(f64, f64) -> Regime) -> Vec<Boundary> {
    let mut regimes = Vec::with_capacity(grid.x.len() * grid.y.len());
    for &y in &grid.y {
        regimes.extend(grid.x.iter().map(|&x| regime(x, y)));
    }
    let mut pieces = Vec::new();
    for row in 1..grid.y.len() {
        for column in 1..grid.x.len() {
            let square = [column - 1, row - 1];
            trace_square(grid, &regimes, square, Accuracy::FINE, &mut regime, &mut pieces);
        }
    }
    join(pieces)
}
