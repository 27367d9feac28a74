//! Where the impulses of sticking contacts are not unique: the split that
//! minimises Σ Λ_T²/(μ|Λ_N|) within |Λ_T| ≤ μ|Λ_N|.
//!
//! A convex problem in the few coordinates y of the null space, z = z₀ + Ny,
//! once the signs of Λ_N are fixed: all positive if possible, else those of the
//! point of least norm.

use nalgebra::{DMatrix, DVector};

use super::linear;

/// A sticking contact in the coordinates of z.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stick {
    /// Index of the normal impulse in z.
    pub normal: usize,
    /// Index of the tangential impulse in z.
    pub tangent: usize,
    /// Friction coefficient in the units of z.
    pub friction: f64,
    /// Weight of this contact's term.
    pub weight: f64,
}

/// A violation of a bound up to this part of the largest impulse is rounding.
const ROUNDING: f64 = 1e-11;

/// The least split among `point + null·y`; the first `normals` entries are
/// normal impulses. `None` where no split keeps the bounds.
pub(super) fn least(
    point: &DVector<f64>,
    null: &DMatrix<f64>,
    normals: usize,
    sticks: &[Stick],
) -> Option<DVector<f64>> {
    let size = point.amax();
    if size == 0.0 || sticks.is_empty() {
        return Some(point.clone());
    }
    let fixed = null.rows(0, normals).amax() <= 1e-9;
    if fixed && let Some(z) = fixed_normals(point, null, sticks) {
        return Some(z);
    }
    let positive = vec![1.0; normals];
    let own: Vec<f64> = (0..normals).map(|i| if point[i] < -ROUNDING * size { -1.0 } else { 1.0 }).collect();
    let signs = if own == positive { vec![positive] } else { vec![positive, own] };
    signs.iter().find_map(|signs| Problem::new(point, null, signs, sticks).solve())
}

/// With Λ_N given the sum is quadratic: Λ_T = C Bᵀ(B C Bᵀ)⁺ B Λ_T⁰ with
/// C = diag(μ|Λ_N|/weight) and B the equations that the tangential impulses
/// satisfy. A contact beyond its bound is put on it and the rest solved again.
fn fixed_normals(point: &DVector<f64>, null: &DMatrix<f64>, sticks: &[Stick]) -> Option<DVector<f64>> {
    let count = sticks.len();
    let rows: Vec<usize> = sticks.iter().map(|s| s.tangent).collect();
    // Projector on the complement of the null space: its rows are the equations.
    let directions = null.select_rows(&rows);
    let b = DMatrix::identity(count, count) - &directions * linear::pseudo_inverse(&directions)?;
    let bound: Vec<f64> = sticks.iter().map(|s| s.friction * point[s.normal].abs()).collect();
    let size = point.amax();
    let wanted = &b * point.select_rows(&rows);
    let mut held: Vec<Option<f64>> = vec![None; count];
    for _ in 0..=count {
        let on_bound = DVector::from_fn(count, |i, _| held[i].unwrap_or(0.0));
        let c = DMatrix::from_fn(count, count, |i, j| {
            if i == j && held[i].is_none() { bound[i] / (sticks[i].weight * size) } else { 0.0 }
        });
        let right = &wanted - &b * &on_bound;
        let solved = linear::solve(&b * &c * b.transpose(), &right)?;
        let tangential = c * b.transpose() * solved.point + &on_bound;
        if (&b * &tangential - &wanted).amax() > ROUNDING * size {
            return None;
        }
        let excess = |i: usize| tangential[i].abs() - bound[i];
        let free = (0..count).filter(|&i| held[i].is_none());
        match free.max_by(|&i, &j| excess(i).total_cmp(&excess(j))) {
            Some(i) if excess(i) > ROUNDING * size => held[i] = Some(bound[i].copysign(tangential[i])),
            _ => {
                let mut z = point.clone();
                rows.iter().zip(tangential.iter()).for_each(|(&row, &value)| z[row] = value);
                return Some(z);
            }
        }
    }
    None
}

/// min Σ w p²/c over y with p, c affine in y, c ± p ≥ 0 and Λ_N of the given
/// signs: an interior-point method. Everything divided by the largest impulse.
struct Problem<'a> {
    point: &'a DVector<f64>,
    null: &'a DMatrix<f64>,
    size: f64,
    /// Per stick: (weight, p: gradient and value, c: gradient and value).
    terms: Vec<(f64, DVector<f64>, f64, DVector<f64>, f64)>,
    /// Gradient and value of each quantity that must not be negative.
    bounds: Vec<(DVector<f64>, f64)>,
}

impl<'a> Problem<'a> {
    fn new(point: &'a DVector<f64>, null: &'a DMatrix<f64>, signs: &[f64], sticks: &[Stick]) -> Self {
        let size = point.amax();
        let affine = |row: usize, factor: f64| (null.row(row).transpose() * factor, factor * point[row] / size);
        let heaviest = sticks.iter().fold(0.0, |w: f64, s| w.max(s.weight));
        let (mut terms, mut bounds) = (Vec::new(), Vec::new());
        for s in sticks {
            let (dp, p) = affine(s.tangent, 1.0);
            let (dc, c) = affine(s.normal, s.friction * signs[s.normal]);
            bounds.push((&dc + &dp, c + p));
            bounds.push((&dc - &dp, c - p));
            terms.push((s.weight / heaviest, dp, p, dc, c));
        }
        for (i, sign) in signs.iter().enumerate() {
            bounds.push(affine(i, *sign));
        }
        // Quantities that y does not change are only checked.
        Self { point, null, size, terms, bounds }
    }

    fn solve(mut self) -> Option<DVector<f64>> {
        if self.bounds.iter().any(|(d, v)| d.amax() <= 1e-9 && *v < -ROUNDING) {
            return None;
        }
        self.bounds.retain(|(d, _)| d.amax() > 1e-9);
        let dimension = self.null.ncols();
        let (start, depth) = self.inside();
        if depth < -ROUNDING {
            return None;
        }
        let mut y = start;
        // Without an interior the bounds alone determine the split.
        if depth > ROUNDING {
            let mut sharpness = 1.0;
            while sharpness < 1e13 {
                sharpness *= 10.0;
                newton(&mut y, |y| {
                    let (mut g, mut h) = (DVector::zeros(dimension), DMatrix::zeros(dimension, dimension));
                    let mut value = 0.0;
                    for (w, dp, p0, dc, c0) in &self.terms {
                        let (p, c) = (dp.dot(y) + p0, dc.dot(y) + c0);
                        if c <= 0.0 {
                            return None;
                        }
                        let slope = dp - dc * (p / c);
                        value += sharpness * w * p * p / c;
                        g += (dp * 2.0 - dc * (p / c)) * (sharpness * w * p / c);
                        h += &slope * slope.transpose() * (2.0 * sharpness * w / c);
                    }
                    self.barrier(y, 0.0, &mut value, &mut g, &mut h).then_some((value, g, h))
                });
            }
        }
        Some(self.point + self.null * y * self.size)
    }

    /// Adds −Σ log(bound − depth); false outside.
    fn barrier(
        &self,
        y: &DVector<f64>,
        depth: f64,
        value: &mut f64,
        g: &mut DVector<f64>,
        h: &mut DMatrix<f64>,
    ) -> bool {
        for (d, v) in &self.bounds {
            let slack = d.dot(y) + v - depth;
            if slack <= 0.0 {
                return false;
            }
            *value -= slack.ln();
            *g -= d / slack;
            *h += d * d.transpose() / (slack * slack);
        }
        true
    }

    /// A point whose smallest bound, the depth, is as large as possible, at
    /// least as far as 1e-3; barrier method in (y, depth).
    fn inside(&self) -> (DVector<f64>, f64) {
        let dimension = self.null.ncols();
        let smallest = |y: &DVector<f64>| self.bounds.iter().map(|(d, v)| d.dot(y) + v).fold(f64::INFINITY, f64::min);
        let mut best = (DVector::zeros(dimension), smallest(&DVector::zeros(dimension)));
        let mut state = DVector::zeros(dimension + 1);
        state[dimension] = best.1 - 1.0;
        let mut sharpness = 0.1;
        while sharpness < 1e13 && best.1 < 1e-3 {
            sharpness *= 10.0;
            newton(&mut state, |s| {
                let (y, depth) = (s.rows(0, dimension).into_owned(), s[dimension]);
                let size = dimension + 1;
                let (mut g, mut h) = (DVector::zeros(size), DMatrix::zeros(size, size));
                // Depth below 1, and y not far from the start: keeps the problem bounded.
                let room = 1.0 - depth;
                if room <= 0.0 {
                    return None;
                }
                let mut value = -sharpness * depth - room.ln() + 0.5e-6 * y.norm_squared();
                g[dimension] += 1.0 / room - sharpness;
                h[(dimension, dimension)] += 1.0 / (room * room);
                for i in 0..dimension {
                    g[i] += 1e-6 * y[i];
                    h[(i, i)] += 1e-6;
                }
                for (d, v) in &self.bounds {
                    let slack = d.dot(&y) + v - depth;
                    if slack <= 0.0 {
                        return None;
                    }
                    let full = d.clone().insert_row(dimension, -1.0);
                    value -= slack.ln();
                    g -= &full / slack;
                    h += &full * full.transpose() / (slack * slack);
                }
                Some((value, g, h))
            });
            let y = state.rows(0, dimension).into_owned();
            let depth = smallest(&y);
            if depth > best.1 {
                best = (y, depth);
            }
        }
        best
    }
}

/// Damped Newton steps until the decrease is below rounding. `function` gives
/// value, gradient and Hessian, or `None` outside its domain.
fn newton(y: &mut DVector<f64>, function: impl Fn(&DVector<f64>) -> Option<(f64, DVector<f64>, DMatrix<f64>)>) {
    for _ in 0..50 {
        let Some((value, g, h)) = function(y) else { return };
        // Cholesky, not a truncated inverse: near a bound the Hessian is badly scaled but sound.
        let Some(step) = h.cholesky().map(|c| -c.solve(&g)) else { return };
        let decrease = -g.dot(&step);
        if decrease <= 1e-14 * value.abs().max(1.0) {
            return;
        }
        let mut length = 1.0;
        loop {
            let trial = &*y + &step * length;
            if function(&trial).is_some_and(|(v, ..)| v <= value - 0.1 * length * decrease) {
                *y = trial;
                break;
            }
            length *= 0.5;
            if length < 1e-10 {
                return;
            }
        }
    }
}
