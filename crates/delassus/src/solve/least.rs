//! Redundant contacts: of all impulses that give the same velocities, the least ones.
//!
//! Where G is singular a solution of an inclusion fixes the velocities but not how impulses are shared. The
//! choice made here does not depend on the order of the contacts or on the method that found the solution, and
//! treats contacts of equal standing alike: the impulses x with least
//!
//! ```text
//! Σ s_i² x_i²,   s_i² = G_ii (the mean over both rows of a friction disk)
//! ```
//!
//! among those that give ξ = Gx + b and keep the states that ξ allows: open contacts carry nothing, contacts
//! that slip have friction at its limit against the slip, the others within it. With two different friction
//! coefficients of one contact, its tangential impulses are measured by their limits.
//!
//! With y the impulses of contacts that may carry (a normal impulse stands for the friction of its slip), N an
//! orthonormal basis of what changes no velocity, P = NNᵀ and K the set of allowed y, the least y is
//!
//! ```text
//! y = y₀ + Pν ∈ K,   ν in the dual cone of K at y        y₀: the least y without limits
//! ```
//!
//! which is the equation (1 − P) proj_K(w) + P w = y₀ for w = y − ν, solved by Newton's method.

mod equation;

use self::equation::{Equation, Limit, project};
use super::{Cone, Inclusion};
use crate::elementary::Elementary;
use crate::small;
use crate::small::redundant::RedundantWork;

/// Unknowns up to which impulses are shared: the work grows with their cube.
pub(crate) const MOST: usize = 96;
/// Where eigenvalues (of ones on the diagonal) are above this, impulses are not redundant: well above the pivots that
/// count as zero.
const REGULAR: f64 = 1e-8;
/// Velocities below this part of the largest count as zero: well below the certified tolerance.
const ZERO: f64 = 1e-10;

/// A row of x: `fixed` and `part` times the unknown that moves it, both times the row's scale.
#[derive(Debug, Clone, Copy)]
struct Row {
    scale: f64,
    fixed: f64,
    unknown: Option<usize>,
    part: f64,
    /// `part` over `scale`.
    share: f64,
}

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeastWork {
    velocity: Vec<f64>,
    rows: Vec<Row>,
    limits: Vec<Limit>,
    /// Lengths of the unknowns in x, then ones.
    lengths: Vec<f64>,
    matrix: Vec<f64>,
    triangular: Vec<f64>,
    zeros: Vec<f64>,
    factor: RedundantWork,
    y: Vec<f64>,
    equation: Equation,
}

impl LeastWork {
    /// Replaces a solution `x` of the inclusion by the least one with its velocities. The rank of G is at most that
    /// of the mass matrix, the number of `coordinates`.
    pub fn choose(&mut self, inclusion: &Inclusion<'_>, coordinates: usize, x: &mut [f64]) {
        let m = x.len();
        let carriers = inclusion.cones.iter().filter(|c| matches!(c, Cone::Free { .. } | Cone::Unilateral { .. }));
        if carriers.take(2).count() < 2
            || m <= coordinates.min(MOST) && is_regular(m, inclusion.matrix, &mut self.triangular)
        {
            return;
        }
        if !self.find_unknowns(inclusion, x) {
            return;
        }
        let k = self.lengths.len();
        // The unknowns have unit length in the scaled x: entries are of order one.
        self.matrix.clear();
        self.matrix.resize(k * k, 0.0);
        for (a, g) in self.rows.iter().zip(inclusion.matrix.chunks_exact(m)) {
            let Some(i) = a.unknown else { continue };
            for (b, g) in self.rows.iter().zip(g) {
                if let Some(j) = b.unknown.filter(|j| *j <= i) {
                    self.matrix[i * k + j] += (a.share * g) * b.share;
                }
            }
        }
        for i in 0..k {
            (0..i).for_each(|j| self.matrix[j * k + i] = self.matrix[i * k + j]);
        }
        if k <= coordinates && is_regular(k, &self.matrix, &mut self.triangular) {
            return;
        }
        self.lengths.fill(1.0);
        self.zeros.clear();
        self.zeros.resize(k, 0.0);
        self.y.clear();
        self.y.resize(k, 0.0);
        let rank = self.factor.solve(&self.matrix, &self.zeros, &self.lengths, &mut self.y);
        if rank == k {
            return;
        }
        // y = Cᵀ(x̂ − fixed), and the least y without limits has no part of y + Cᵀ fixed in the null space.
        self.y.fill(0.0);
        let least = &mut self.equation.least;
        least.clear();
        least.resize(k, 0.0);
        for (row, x) in self.rows.iter().zip(x.iter()) {
            if let Some(i) = row.unknown {
                self.y[i] += row.part * (x * row.scale - row.fixed);
                least[i] += row.part * x * row.scale;
            }
        }
        let basis = self.factor.null_space();
        let size = self.y.iter().fold(0.0f64, |size, y| size.max(y.abs()));
        project(basis, least, &mut self.zeros);
        least.iter_mut().zip(&self.zeros).zip(&self.y).for_each(|((l, p), y)| *l = y - p);
        if !self.equation.solve(basis, &self.limits, size, &mut self.y) {
            return;
        }
        for (row, x) in self.rows.iter().zip(x) {
            if let Some(i) = row.unknown {
                *x = (row.fixed + row.part * self.y[i]) / row.scale;
            }
        }
    }

    /// Finds the unknowns and their limits; `false` where nothing can be shared.
    fn find_unknowns(&mut self, inclusion: &Inclusion<'_>, x: &[f64]) -> bool {
        let m = x.len();
        inclusion.velocity(x, &mut self.velocity);
        self.rows.clear();
        self.rows.extend((0..m).map(|i| {
            let scale = inclusion.matrix[i * (m + 1)].sqrt();
            Row { scale, fixed: x[i] * scale, unknown: None, part: 0.0, share: 0.0 }
        }));
        if !self.rows.iter().all(|row| row.scale > 0.0 && row.fixed.is_finite()) {
            return false;
        }
        let unit = self.rows.iter().zip(inclusion.vector).fold(0.0f64, |u, (row, b)| u.max((b / row.scale).abs()));
        self.limits.clear();
        self.lengths.clear();
        for cone in inclusion.cones {
            match *cone {
                Cone::Free { row } => {
                    self.set_free(row);
                }
                Cone::Unilateral { row } if self.velocity[row] <= ZERO * unit * self.rows[row].scale => {
                    let normal = self.set_free(row);
                    self.limits.push(Limit::Push { normal });
                }
                _ => {}
            }
        }
        for cone in inclusion.cones {
            match *cone {
                Cone::Line { row, normal, friction, shift } if friction > 0.0 => {
                    self.add_friction(row, 1, normal, friction, shift, unit);
                }
                Cone::Ellipse { row, normal, friction: [a, b], shift } if a > 0.0 && b > 0.0 => {
                    let scale = (0.5 * (self.rows[row].scale.powi(2) + self.rows[row + 1].scale.powi(2))).sqrt();
                    for (row, ratio) in [(row, b / a), (row + 1, a / b)] {
                        let row = &mut self.rows[row];
                        row.fixed *= scale * ratio.sqrt() / row.scale;
                        row.scale = scale * ratio.sqrt();
                    }
                    self.add_friction(row, 2, normal, (a * b).sqrt(), shift, unit);
                }
                // Friction in one direction of two stays as it was found.
                _ => {}
            }
        }
        // A normal impulse together with the friction of its slip is longer than one.
        for row in &mut self.rows {
            if let Some(i) = row.unknown {
                row.part /= self.lengths[i].sqrt();
                row.share = row.part / row.scale;
            }
        }
        (2..=MOST).contains(&self.lengths.len())
    }

    /// Makes the row an unknown of its own.
    fn set_free(&mut self, row: usize) -> usize {
        let unknown = self.lengths.len();
        self.lengths.push(1.0);
        self.rows[row] = Row { fixed: 0.0, unknown: Some(unknown), part: 1.0, ..self.rows[row] };
        unknown
    }

    /// Friction, in units in which its limit is round.
    fn add_friction(&mut self, row: usize, tangents: usize, normal: usize, friction: f64, shift: f64, unit: f64) {
        let rows = row..row + tangents;
        let mean = (self.rows[row].scale * self.rows[row + tangents - 1].scale).sqrt();
        let friction = friction * mean / self.rows[normal].scale;
        let shift = shift * self.rows[normal].scale;
        let slip = rows.clone().fold(0.0f64, |s, i| s.hypotenuse(self.velocity[i] / self.rows[i].scale));
        match (slip > ZERO * unit, self.rows[normal].unknown) {
            (true, Some(normal)) => {
                for i in rows {
                    let part = -friction * self.velocity[i] / (self.rows[i].scale * slip);
                    self.rows[i] = Row { fixed: part * shift, unknown: Some(normal), part, ..self.rows[i] };
                    self.lengths[normal] += part * part;
                }
            }
            (false, Some(normal)) => {
                let start = self.lengths.len();
                rows.for_each(|i| {
                    self.set_free(i);
                });
                self.limits.retain(|limit| !matches!(limit, Limit::Push { normal: n } if *n == normal));
                self.limits.push(Limit::Stick { normal, start, tangents, friction, shift });
            }
            (false, None) if shift > 0.0 => {
                let start = self.lengths.len();
                rows.for_each(|i| {
                    self.set_free(i);
                });
                self.limits.push(Limit::Ball { start, tangents, radius: friction * shift });
            }
            _ => {}
        }
    }
}

/// Whether a symmetric matrix (n × n) is clearly regular, which a factor without pivoting tells at once.
fn is_regular(n: usize, matrix: &[f64], factor: &mut Vec<f64>) -> bool {
    factor.resize(n * n, 0.0);
    small::least_eigenvalue(n, matrix, factor) > REGULAR
}
