//! Many contacts: problems of any size, stored by blocks, solved to a tolerance.
//!
//! ```text
//! u = G r + q,    0 ≤ r_N ⟂ u_N ≥ 0,    ‖r_T‖ ≤ μ r_N,   u_T against r_T where that is an equality
//! ```
//!
//! Contacts couple only through bodies that they share, so G has a few small blocks in each row: assembly, products and
//! memory are linear in the number of contacts. Groups of contacts that share no body are solved apart. The methods:
//!
//! | method | step | good at |
//! |---|---|---|
//! | [`Method::GaussSeidel`] | a sweep, each contact exactly, accelerated | a first guess; weak coupling |
//! | [`Method::Newton`] | a sparse linear system for the states at hand, with line search | the last digits |
//! | [`Method::Proximal`] | Newton's method on problems with a term ε(r − c), ε adapted | redundant contacts, far starts |
//! | [`Method::Smoothing`] | Newton's method on laws without corners, which become Coulomb's step by step | bodies that touch flat |
//! | [`Method::Auto`] | all of these in turn by their progress | |
//!
//! Proximal steps of large groups solve the places with the largest residuals by themselves in between, and lie around a centre
//! that is further on in the direction of the step before.
//!
//! ```
//! use delassus::solve::contact::{BlockMatrix, ContactProblem, ContactSettings, solve};
//! use delassus::solve::SolveStatus;
//! use delassus::Budget;
//!
//! // One body of unit mass and inertia-free contact that slides: r = (1, −0.5, 0).
//! let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
//! let matrix = BlockMatrix::from_blocks(3, 1, [(0, 0, &identity[..])].into_iter());
//! let problem = ContactProblem::coulomb(matrix, vec![-1.0, 3.0, 0.0], &[0.5]);
//! let mut r = vec![0.0; 3];
//! let report = solve(&problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut r)?;
//! assert_eq!(report.status, SolveStatus::Solved);
//! assert!((r[0] - 1.0).abs() < 1e-8 && (r[1] + 0.5).abs() < 1e-8);
//! # Ok::<(), delassus::ImpactError>(())
//! ```

mod abreast;
mod anderson;
mod at_once;
mod bodies;
mod driver;
pub(crate) mod factor;
mod few;
mod gauss_seidel;
mod groups;
mod joints;
mod krylov;
mod linearise;
mod matrix;
mod newton;
pub(crate) mod order;
mod patches;
mod pool;
mod problem;
mod proximal;
mod range;
mod rank;
mod residual;
mod scaled;
mod shifted;
mod smooth;
mod smoothing;
mod weight;

use super::SolveStatus;
use crate::budget::Budget;
use crate::error::ImpactError;

pub use crate::budget::Method;
pub use matrix::BlockMatrix;
pub use pool::{Alone, Pool};
pub use problem::{ContactLaw, ContactProblem, ContactSide};
pub use residual::Residual;
pub(crate) use residual::norm;

/// Whether the methods are there that only groups of hundreds of contacts take: smoothing, patches, systems by bodies. Modules for
/// browsers have to be small and leave them out; such groups are solved by proximal steps there. Groups that need no search take
/// the way of all others there, to the same impulses.
pub(crate) const LARGE: bool = cfg!(not(target_arch = "wasm32"));

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSettings {
    /// How to iterate.
    pub method: Method,
    /// Both measures of [`Residual`] must come below this.
    pub tolerance: f64,
    /// Whether the impulses handed over are a start (a warm start); else zero is.
    pub warm: bool,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { method: Method::Auto, tolerance: 1e-8, warm: false }
    }
}

/// What was done.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// How it ended; [`SolveStatus::Solved`] only if both residuals are below the tolerance.
    pub status: SolveStatus,
    /// Residual of the impulses returned, the best that were seen.
    pub residual: Residual,
    /// Sweeps and Newton steps, over all groups.
    pub iterations: usize,
    /// Sweeps of Gauss–Seidel.
    pub sweeps: usize,
    /// Sparse factorisations.
    pub factorisations: usize,
    /// Groups of contacts that share no body.
    pub groups: usize,
    /// Contacts of the largest group.
    pub largest: usize,
    /// What was done on the largest group, in order.
    pub stages: Vec<Stage>,
}

/// A part of the work on a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// The method.
    pub method: Method,
    /// Its iterations.
    pub iterations: usize,
    /// The scale-free residual after it.
    pub residual: f64,
}

impl Report {
    /// The method that made the last progress on the largest group; `Auto` where nothing had to be done.
    pub fn method(&self) -> Method {
        self.stages.iter().rev().find(|stage| stage.iterations > 0).map_or(Method::Auto, |stage| stage.method)
    }
}

/// Solves a problem; `r` holds the start where the settings say so, and then the answer. The same input gives the same
/// bits on every machine of one kind.
///
/// # Errors
/// Sizes that do not fit; numbers that are not finite; friction that is negative; a tolerance that is not positive.
pub fn solve(
    problem: &ContactProblem,
    settings: &ContactSettings,
    budget: &mut Budget<'_>,
    r: &mut Vec<f64>,
) -> Result<Report, ImpactError> {
    solve_on(problem, settings, None, budget, r)
}

/// As [`solve`], groups of contacts at the same time on the threads of a pool; the answer is the same to the last bit. Each
/// part of the work takes memory of its own.
///
/// # Errors
/// As [`solve`].
pub fn solve_on(
    problem: &ContactProblem,
    settings: &ContactSettings,
    pool: Option<&dyn Pool>,
    budget: &mut Budget<'_>,
    r: &mut Vec<f64>,
) -> Result<Report, ImpactError> {
    let units = problem.checked()?;
    if !(settings.tolerance > 0.0 && settings.tolerance.is_finite()) {
        return Err(ImpactError::out_of_range("solver.tolerance", settings.tolerance, "must be positive and finite"));
    }
    if settings.warm && (r.len() != problem.vector.len() || !r.iter().all(|r| r.is_finite())) {
        let expected = format!("a start needs {} finite numbers", problem.vector.len());
        return Err(ImpactError::new("start", format!("{} numbers", r.len()), expected));
    }
    if !settings.warm {
        r.clear();
        r.resize(problem.vector.len(), 0.0);
    }
    Ok(match problem.dimension() {
        // A browser's module for motions in space alone need not hold the code for single rows: they are the first of three.
        1 if !cfg!(feature = "plane") => {
            let mut wide: Vec<f64> = r.iter().flat_map(|&r| [r, 0.0, 0.0]).collect();
            let report = driver::solve::<3>(&problem.widened(), units, settings, pool, budget, &mut wide);
            r.iter_mut().zip(wide.chunks_exact(3)).for_each(|(r, wide)| *r = wide[0]);
            report
        }
        1 => driver::solve::<1>(problem, units, settings, pool, budget, r),
        // It has no planar contacts either.
        2 if !cfg!(feature = "plane") => {
            return Err(ImpactError::new("dimension", 2, "delassus was built without contacts in the plane"));
        }
        2 => driver::solve::<2>(problem, units, settings, pool, budget, r),
        _ => driver::solve::<3>(problem, units, settings, pool, budget, r),
    })
}
