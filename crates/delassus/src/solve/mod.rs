//! Solvers: mathematics only. They see matrices and cones, no mechanics.
//!
//! The problem behind Newton's and Poisson's laws is one inclusion,
//!
//! ```text
//! ξ = G x + b,    ξ_i ∈ N_{C_i}(−x_i)   for each block i
//! ```
//!
//! with the cones of [`Cone`]. Planar problems have one-dimensional friction
//! only and are solved exactly as a linear complementarity problem.

pub(crate) mod admissible;
pub mod complementarity;
pub mod contact;
pub mod ellipse;
pub mod enumerate;
pub(crate) mod friction_lcp;
pub(crate) mod least;
pub mod lemke;
pub(crate) mod normal_form;
mod one_contact;
pub mod planar;
mod polyhedron;
pub mod spatial;
pub mod tolerance;

pub(crate) use one_contact::OneContact;
pub(crate) use spatial::DiskContact;

use crate::budget::Budget;

/// Impulses above this, in units of the velocities that call for them, leave
/// velocities that are only round-off.
const HUGE: f64 = 1e9;

/// How a solver ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolveStatus {
    /// Found.
    Solved,
    /// There is none, and that is proved.
    NoSolution,
    /// A limit of the work was reached.
    MaxIterations,
    /// No progress any more.
    Stalled,
}

/// What a solver found beside x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveReport {
    /// How it ended.
    pub status: SolveStatus,
    /// Pivots or iterations.
    pub iterations: usize,
    /// Further starts.
    pub restarts: usize,
    /// Why ξ is unique, where that is known.
    pub unique: Option<&'static str>,
    /// Different solutions seen.
    pub found: usize,
    /// Whether these are all.
    pub complete: bool,
}

impl SolveReport {
    pub(crate) fn solved(unique: Option<&'static str>) -> Self {
        Self { status: SolveStatus::Solved, iterations: 0, restarts: 0, unique, found: 1, complete: unique.is_some() }
    }
}

/// Buffers of [`solve`].
#[derive(Debug, Clone, Default)]
pub struct SolveWork {
    planar: planar::PlanarWork,
    spatial: spatial::SpatialWork,
}

/// Solves any inclusion: planar ones exactly, spatial ones by iteration; `x` (m) holds the answer.
pub fn solve(inclusion: &Inclusion<'_>, work: &mut SolveWork, x: &mut [f64]) -> SolveReport {
    solve_within(inclusion, &mut Budget::unlimited(), work, x)
}

/// As [`solve`], with bounds on the work.
pub fn solve_within(
    inclusion: &Inclusion<'_>,
    budget: &mut Budget<'_>,
    work: &mut SolveWork,
    x: &mut [f64],
) -> SolveReport {
    if inclusion.is_planar() {
        // Lemke's method sees x_T as the difference of two numbers of size μx_N.
        if inclusion.cones.len() > 2 && inclusion.grips(1e3) {
            let report = spatial::solve_within(inclusion, budget, &mut work.spatial, x);
            if report.status == SolveStatus::Solved {
                return report;
            }
        }
        planar::solve_within(inclusion, budget, &mut work.planar, x)
    } else {
        spatial::solve_within(inclusion, budget, &mut work.spatial, x)
    }
}

/// Another formulation for a planar inclusion that [`solve`] has left unsolved: it
/// has no ray where contacts do not jam, and at least it ends closer.
pub(crate) fn solve_otherwise(
    inclusion: &Inclusion<'_>,
    budget: &mut Budget<'_>,
    work: &mut SolveWork,
    x: &mut [f64],
) -> SolveReport {
    let report = spatial::solve_within(inclusion, budget, &mut work.spatial, x);
    let status = if inclusion.is_huge(x) { SolveStatus::Stalled } else { report.status };
    SolveReport { status, ..report }
}

/// The set C_i that −x_i lies in, with ξ_i in its normal cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cone {
    /// ξ = 0, x free.
    Free {
        /// Row of x and ξ.
        row: usize,
    },
    /// 0 ≤ x ⟂ ξ ≥ 0.
    Unilateral {
        /// Row of x and ξ.
        row: usize,
    },
    /// −x ∈ r·Sgn(ξ) with the radius r = friction · (x_normal + shift).
    Line {
        /// Row of x and ξ.
        row: usize,
        /// Row of the normal impulse.
        normal: usize,
        /// Friction coefficient μ ≥ 0.
        friction: f64,
        /// Constant part s ≥ 0 of the normal impulse in the radius.
        shift: f64,
    },
    /// −x in (x_normal + shift) times the ellipse with half axes `friction`,
    /// ξ in its normal cone there; rows `row` and `row + 1`.
    Ellipse {
        /// First of the two rows.
        row: usize,
        /// Row of the normal impulse.
        normal: usize,
        /// Half axes (μ₁, μ₂), at least 0.
        friction: [f64; 2],
        /// Constant part s ≥ 0 of the normal impulse in the radius.
        shift: f64,
    },
}

/// An inclusion ξ = Gx + b, ξ_i ∈ N_{C_i}(−x_i).
#[derive(Debug, Clone, Copy)]
pub struct Inclusion<'a> {
    /// G, row by row, symmetric positive semidefinite (m × m).
    pub matrix: &'a [f64],
    /// b (m).
    pub vector: &'a [f64],
    /// The cones; each row belongs to exactly one.
    pub cones: &'a [Cone],
    /// The speed of the system (√2T, in the unit of ξ/√G), beside which small velocities count as zero whatever the
    /// size of b; zero where b alone tells.
    pub speed: f64,
}

impl Inclusion<'_> {
    /// ξ = Gx + b, written to `xi`.
    pub fn velocity(&self, x: &[f64], xi: &mut Vec<f64>) {
        xi.clear();
        let rows = self.matrix.chunks_exact(x.len().max(1)).zip(self.vector);
        xi.extend(rows.map(|(row, b)| b + row.iter().zip(x).map(|(g, x)| g * x).sum::<f64>()));
    }

    /// Whether a planar friction coefficient, in units of √(G_NN/G_TT), is above `strong`.
    pub(crate) fn grips(&self, strong: f64) -> bool {
        let diagonal = |row: usize| self.matrix[row * (self.vector.len() + 1)];
        let above = |mu: f64, row: usize, normal: usize| mu * mu * diagonal(row) > strong * strong * diagonal(normal);
        self.cones.iter().any(|cone| match *cone {
            Cone::Line { row, normal, friction, .. } => above(friction, row, normal),
            _ => false,
        })
    }

    /// Whether impulses are so large that the velocities they leave are only round-off.
    fn is_huge(&self, x: &[f64]) -> bool {
        let scale = |row: usize| self.matrix[row * (self.vector.len() + 1)].sqrt();
        let unit = self.vector.iter().enumerate().fold(0.0f64, |m, (i, b)| m.max(b.abs() / scale(i)));
        let shift = self.cones.iter().map(|cone| match *cone {
            Cone::Line { normal, shift, .. } | Cone::Ellipse { normal, shift, .. } => shift * scale(normal),
            _ => 0.0,
        });
        let unit = shift.fold(unit.max(self.speed), f64::max);
        x.iter().enumerate().any(|(i, x)| x.abs() * scale(i) > HUGE * unit)
    }

    /// Whether all friction is one-dimensional.
    pub fn is_planar(&self) -> bool {
        !self.cones.iter().any(|c| matches!(c, Cone::Ellipse { .. }))
    }
}
