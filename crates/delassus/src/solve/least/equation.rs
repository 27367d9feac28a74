//! The least impulses within limits: (1 − P) proj_K(w) + P w = y₀, by Newton's method and alternating projections.

use crate::elementary::Elementary;
use crate::small::lu::solve_in_place;

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
pub(super) enum Limit {
    /// y ≥ 0.
    Push { normal: usize },
    /// A contact that may stick: n ≥ 0 and |t| ≤ friction (n + shift) for the unknowns from `start` on.
    Stick { normal: usize, start: usize, tangents: usize, friction: f64, shift: f64 },
    /// The same of an open contact: |t| ≤ radius.
    Ball { start: usize, tangents: usize, radius: f64 },
}

/// The part of `v` in the space of an orthonormal basis.
pub(super) fn project(basis: &[f64], v: &[f64], part: &mut [f64]) {
    part.fill(0.0);
    for direction in basis.chunks_exact(v.len()) {
        let along: f64 = direction.iter().zip(v).map(|(d, v)| d * v).sum();
        part.iter_mut().zip(direction).for_each(|(p, d)| *p += along * d);
    }
}

/// (1 − P) proj_K(w) + P w = y₀.
#[derive(Debug, Clone, Default)]
pub(super) struct Equation {
    /// y₀.
    pub least: Vec<f64>,
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
    pub fn solve(&mut self, basis: &[f64], limits: &[Limit], size: f64, y: &mut [f64]) -> bool {
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
                    self.w.clone_from(&self.start);
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
        self.residual.iter().fold(0.0, |m, r| larger(m, r.abs()))
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
            violation = larger(violation, (moved - *nearest).abs());
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

/// The larger one; what is not a number stays.
fn larger(known: f64, value: f64) -> f64 {
    if value > known || value.is_nan() { value } else { known }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_number_is_not_taken() {
        let limits = [Limit::Push { normal: 0 }, Limit::Push { normal: 1 }];
        for least in [[f64::NAN, 1.0], [1.0, f64::NAN], [f64::INFINITY, 1.0]] {
            let mut equation = Equation { least: least.to_vec(), ..Equation::default() };
            let mut y = [0.5, 0.5];
            assert!(!equation.solve(&[0.6, 0.8], &limits, 1.0, &mut y), "{least:?}");
            assert_eq!(y, [0.5, 0.5]);
        }
    }
}
