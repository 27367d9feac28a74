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

use super::{Cone, Inclusion};
use crate::elementary::Elementary;
use crate::small::redundant::RedundantWork;
use crate::small::{self, lu::solve_in_place};

/// Unknowns up to which impulses are shared: the work grows with their cube.
pub(crate) const MOST: usize = 96;
/// Where eigenvalues (of ones on the diagonal) are above this, impulses are not redundant: well above the pivots that
/// count as zero.
const REGULAR: f64 = 1e-8;
/// Velocities below this part of the largest count as zero: well below the certified tolerance.
const ZERO: f64 = 1e-10;
/// Newton's method ends below this part of the largest impulse.
const EXACT: f64 = 1e-13;
/// Limits may be violated by this part of the largest impulse.
const ALLOWED: f64 = 1e-11;
/// Steps of Newton's method; it takes a handful where it converges at all.
const STEPS: usize = 40;
/// The largest multiple that holds what no limit holds; it falls with the residual.
const HELD: f64 = 1e-2;
/// A step is taken where it gains this part of what it promises.
const ENOUGH: f64 = 1e-4;
/// The shortest part of a step.
const SHORTEST: f64 = 1e-4;
/// Alternating projections after that; each costs little.
const PROJECTIONS: usize = 2000;

/// What unknowns may be.
#[derive(Debug, Clone, Copy)]
enum Limit {
    /// y ≥ 0.
    Push { normal: usize },
    /// A contact that may stick: n ≥ 0 and |t| ≤ friction (n + shift) for the unknowns from `start` on.
    Stick { normal: usize, start: usize, tangents: usize, friction: f64, shift: f64 },
    /// The same of an open contact: |t| ≤ radius.
    Ball { start: usize, tangents: usize, radius: f64 },
}

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

/// The part of `v` in the space of an orthonormal basis.
fn project(basis: &[f64], v: &[f64], part: &mut [f64]) {
    part.fill(0.0);
    for direction in basis.chunks_exact(v.len()) {
        let along: f64 = direction.iter().zip(v).map(|(d, v)| d * v).sum();
        part.iter_mut().zip(direction).for_each(|(p, d)| *p += along * d);
    }
}

/// (1 − P) proj_K(w) + P w = y₀.
#[derive(Debug, Clone, Default)]
struct Equation {
    /// y₀.
    least: Vec<f64>,
    w: Vec<f64>,
    nearest: Vec<f64>,
    residual: Vec<f64>,
    part: Vec<f64>,
    /// The derivative of the projection on K, row by row.
    slope: Vec<f64>,
    matrix: Vec<f64>,
    along: Vec<f64>,
    step: Vec<f64>,
    start: Vec<f64>,
}

impl Equation {
    /// Writes the least y within the limits; `false` where it was not found.
    fn solve(&mut self, basis: &[f64], limits: &[Limit], size: f64, y: &mut [f64]) -> bool {
        self.part.resize(y.len(), 0.0);
        self.along.resize(y.len(), 0.0);
        self.w.clone_from(&self.least);
        self.descend(basis, limits, size);
        if self.accept(basis, limits, size, y) {
            return true;
        }
        self.project_in_turn(basis, limits, size);
        self.accept(basis, limits, size, y)
    }

    /// Newton's method. The residual is the gradient of the convex function
    ///
    /// ```text
    /// φ(w) = max over y in K of wᵀy − ½|y|²  −  wᵀy₀      with Pw = Py₀, which steps keep,
    /// ```
    ///
    /// so steps are shortened until φ or the residual falls, and as many limits as there are directions without
    /// velocity may be reached on the way: what no limit holds then is held by a small multiple of 1 − P.
    fn descend(&mut self, basis: &[f64], limits: &[Limit], size: f64) {
        let k = self.w.len();
        let mut error = self.evaluate(basis, limits);
        for _ in 0..STEPS {
            if error <= EXACT * size || error.is_nan() {
                return;
            }
            // J = (1 − P)(S + τ) + P, with S the slope of the projection.
            self.matrix.clone_from(&self.slope);
            self.matrix.iter_mut().step_by(k + 1).for_each(|d| *d += (error / size).min(HELD));
            for direction in basis.chunks_exact(k) {
                for j in 0..k {
                    let along: f64 = (0..k).map(|i| direction[i] * self.matrix[i * k + j]).sum();
                    self.along[j] = direction[j] - along;
                }
                for (row, d) in self.matrix.chunks_exact_mut(k).zip(direction) {
                    row.iter_mut().zip(&self.along).for_each(|(m, a)| *m += d * a);
                }
            }
            self.step.clone_from(&self.residual);
            if !solve_in_place(&mut self.matrix, &mut self.step) {
                return;
            }
            let value = self.value();
            let fall: f64 = self.step.iter().zip(&self.residual).map(|(s, r)| s * r).sum();
            self.start.clone_from(&self.w);
            let mut length = 1.0;
            loop {
                for ((w, start), step) in self.w.iter_mut().zip(&self.start).zip(&self.step) {
                    *w = start - length * step;
                }
                let next = self.evaluate(basis, limits);
                if next <= 0.5 * error || self.value() <= value - ENOUGH * length * fall {
                    error = next;
                    break;
                }
                length *= 0.5;
                if length < SHORTEST {
                    return;
                }
            }
        }
    }

    /// φ where the residual was evaluated last.
    fn value(&self) -> f64 {
        let terms = self.w.iter().zip(&self.nearest).zip(&self.least);
        terms.map(|((w, n), l)| w * (n - l) - 0.5 * n * n).sum()
    }

    /// The residual at w; returns its size.
    fn evaluate(&mut self, basis: &[f64], limits: &[Limit]) -> f64 {
        self.nearest.clone_from(&self.w);
        let k = self.w.len();
        self.slope.clear();
        self.slope.resize(k * k, 0.0);
        self.slope.iter_mut().step_by(k + 1).for_each(|d| *d = 1.0);
        limits.iter().for_each(|limit| limit.project(&mut self.nearest, Some(&mut self.slope[..])));
        self.residual.clear();
        self.residual.extend(self.nearest.iter().zip(&self.w).map(|(n, w)| n - w));
        project(basis, &self.residual, &mut self.part);
        for i in 0..k {
            self.residual[i] = self.nearest[i] - self.part[i] - self.least[i];
        }
        self.residual.iter().fold(0.0f64, |m, r| if r.is_nan() { *r } else { m.max(r.abs()) })
    }

    /// Takes proj_K(w), moved to the velocities that are given, if it keeps the limits there.
    fn accept(&mut self, basis: &[f64], limits: &[Limit], size: f64, y: &mut [f64]) -> bool {
        self.nearest.clone_from(&self.w);
        limits.iter().for_each(|limit| limit.project(&mut self.nearest, None));
        // y = y₀ + P(nearest − y₀): the difference to the nearest point is what the limits are violated by.
        self.residual.clear();
        self.residual.extend(self.nearest.iter().zip(&self.least).map(|(n, l)| n - l));
        project(basis, &self.residual, &mut self.part);
        let mut violation = 0.0f64;
        for ((nearest, least), part) in self.nearest.iter_mut().zip(&self.least).zip(&self.part) {
            let moved = least + part;
            violation = violation.max((moved - *nearest).abs());
            *nearest = moved;
        }
        let fits = violation <= ALLOWED * size;
        if fits {
            if violation <= EXACT * size {
                // Round-off of a normal impulse must not leave huge friction without its limit.
                limits.iter().for_each(|limit| limit.project(&mut self.nearest, None));
            }
            y.copy_from_slice(&self.nearest);
        }
        fits
    }

    /// Dykstra's alternating projections from y₀; leaves w such that its nearest point in K is the result.
    fn project_in_turn(&mut self, basis: &[f64], limits: &[Limit], size: f64) {
        let k = self.least.len();
        // `residual` is the correction of K; that of the linear space is never needed.
        self.w.clone_from(&self.least);
        self.residual.clear();
        self.residual.resize(k, 0.0);
        for _ in 0..PROJECTIONS {
            self.w.iter_mut().zip(&self.residual).for_each(|(w, c)| *w += c);
            self.nearest.clone_from(&self.w);
            limits.iter().for_each(|limit| limit.project(&mut self.nearest, None));
            for i in 0..k {
                self.residual[i] = self.w[i] - self.nearest[i];
                self.nearest[i] -= self.least[i];
            }
            project(basis, &self.nearest, &mut self.part);
            let mut change = 0.0f64;
            for i in 0..k {
                change = change.max((self.part[i] - self.nearest[i]).abs());
                self.w[i] = self.least[i] + self.part[i];
            }
            if change <= EXACT * size {
                break;
            }
        }
    }
}

impl Limit {
    /// Replaces y by the nearest that keeps the limit; `slope` holds the identity in its rows and becomes the
    /// derivative.
    fn project(&self, y: &mut [f64], slope: Option<&mut [f64]>) {
        let k = y.len();
        match *self {
            Self::Push { normal } => {
                if y[normal] < 0.0 {
                    y[normal] = 0.0;
                    slope.into_iter().for_each(|s| s[normal * k + normal] = 0.0);
                }
            }
            Self::Ball { start, tangents, radius } => {
                shrink(y, start..start + tangents, radius, slope);
            }
            Self::Stick { normal, start, tangents, friction, shift } => {
                let rows = start..start + tangents;
                let size = length(&y[rows.clone()]);
                if y[normal] >= 0.0 && size <= friction * (y[normal] + shift) {
                    return;
                }
                // Onto the cone, and onto its end y_N = 0 where that lies below.
                let foot = (y[normal] + shift + friction * size) / (1.0 + friction * friction);
                if size <= friction * (y[normal] + shift) || foot <= shift {
                    y[normal] = 0.0;
                    let mut slope = slope;
                    if let Some(slope) = slope.as_deref_mut() {
                        slope[normal * k + normal] = 0.0;
                    }
                    return shrink(y, rows, friction * shift, slope);
                }
                if let Some(slope) = slope {
                    // With e = t/|t|: n' = (n + s + μ|t|)/(1 + μ²) − s, t' = μ(n' + s) e.
                    let inverse = 1.0 / (1.0 + friction * friction);
                    slope[normal * k + normal] = inverse;
                    for i in rows.clone() {
                        let e = y[i] / size;
                        slope[normal * k + i] = friction * inverse * e;
                        slope[i * k + normal] = friction * inverse * e;
                        for j in rows.clone() {
                            let f = y[j] / size;
                            let across = if i == j { 1.0 - e * f } else { -e * f };
                            slope[i * k + j] = friction * friction * inverse * e * f + friction * foot / size * across;
                        }
                    }
                }
                y[normal] = foot - shift;
                rows.for_each(|i| y[i] *= friction * foot / size);
            }
        }
    }
}

/// The length of one or two entries.
fn length(tangential: &[f64]) -> f64 {
    match tangential {
        [t] => t.abs(),
        _ => tangential.iter().fold(0.0f64, |s, t| s.hypotenuse(*t)),
    }
}

/// Brings the entries into a ball.
fn shrink(y: &mut [f64], rows: std::ops::Range<usize>, radius: f64, slope: Option<&mut [f64]>) {
    let (k, size) = (y.len(), length(&y[rows.clone()]));
    if size <= radius {
        return;
    }
    if let Some(slope) = slope {
        for i in rows.clone() {
            for j in rows.clone() {
                let unit = if i == j { 1.0 } else { 0.0 };
                slope[i * k + j] = radius / size * (unit - y[i] * y[j] / (size * size));
            }
        }
    }
    rows.for_each(|i| y[i] *= radius / size);
}
