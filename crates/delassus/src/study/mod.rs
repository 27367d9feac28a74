//! Impacts over two parameters: what is varied, what is measured, and where it changes.
//!
//! A [`Probe`] resolves the impact at one point of the plane of two
//! [`Parameter`]s and reads a [`Measure`] from it: a number and a regime.
//! Regimes on a [`Grid`] are divided by curves, which [`trace_square`] follows
//! through one square of the grid at a time and [`join`] puts together.
//! Nothing here starts threads: squares and points are independent of each
//! other, so that a caller may share them out as it likes.
//!
//! ```
//! use delassus::study::{Case, Grid, Measure, Parameter, Probe, boundaries};
//! use delassus::{LawSpec, ProblemSource, RodImpact};
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

mod grid;
mod join;
mod measure;
mod parameter;
mod place;
mod probe;
mod regime;
mod trace;

pub use grid::Grid;
pub use join::{Boundary, join};
pub use measure::{Check, Measure};
pub use parameter::{Case, Parameter};
pub use probe::{Probe, Reading};
pub use regime::Regime;
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
