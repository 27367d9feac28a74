//! Newton's linear systems without factors: BiCGStab between the halves of a symmetric Gauss–Seidel sweep.
//!
//! A row of the system is P_i A_i· + Q_i (see [`newton`](super::newton)), so sweeps need products with the blocks of A left or
//! right of the diagonal only. With J = L + D + U the system that is iterated on is
//!
//! ```text
//! (D + L)⁻¹ J (D + U)⁻¹D y = (D + L)⁻¹ b,     x = (D + U)⁻¹D y
//! (D + L)⁻¹ J (D + U)⁻¹D y = t + (D + L)⁻¹D (y − t),     t = (D + U)⁻¹D y        [E 1981]
//! ```
//!
//! so that an application costs two halves of a product, no more than a product with J alone.

use super::factor::inverse;
use super::newton::Linear;
use super::scaled::{System, Triple};
use crate::budget::Budget;

/// Buffers, three numbers for each active contact.
#[derive(Debug, Default)]
pub(super) struct Krylov {
    /// D⁻¹P of each row.
    response: Vec<[Triple; 3]>,
    /// r, r̂, p, v, s, t and y.
    vectors: [Vec<Triple>; 7],
    /// The impulses of a vector, in their own units; zero at contacts that are not active.
    physical: Vec<f64>,
}

/// Contacts that are not open, with what their rows are.
pub(super) struct Rows<'a, 'b> {
    pub(super) system: &'a System<'b>,
    /// Increasing.
    pub(super) active: &'a [u32],
    pub(super) rows: &'a [Linear],
    pub(super) epsilon: f64,
}

fn dot(a: &[Triple], b: &[Triple]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).sum()
}

fn times(m: &[Triple; 3], v: Triple) -> Triple {
    std::array::from_fn(|k| m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2])
}

/// a + factor · b.
fn sum(a: Triple, factor: f64, b: Triple) -> Triple {
    std::array::from_fn(|k| a[k] + factor * b[k])
}

impl Krylov {
    /// Solves for `x` (in the order of the active contacts) until the residual, swept, is below `tolerance` of the right-hand
    /// side or `limit` iterations are made; returns these, or `None` where the budget ended or it broke down.
    pub(super) fn solve<const D: usize>(
        &mut self,
        rows: &Rows<'_, '_>,
        rhs: &[Triple],
        tolerance: f64,
        limit: usize,
        budget: &mut Budget<'_>,
        x: &mut [Triple],
    ) -> Option<usize> {
        let n = rows.active.len();
        let mut vectors = std::mem::take(&mut self.vectors);
        vectors.iter_mut().for_each(|v| {
            v.clear();
            v.resize(n, [0.0; 3]);
        });
        let [r, shadow, p, v, s, t, y] = &mut vectors;
        self.prepare::<D>(rows, rhs, t)?;
        self.lower::<D>(rows, t, r);
        shadow.copy_from_slice(r);
        let size = dot(r, r).sqrt();
        let cost = cost::<D>(rows.system);
        let (mut rho, mut alpha, mut omega) = (1.0, 1.0, 1.0);
        let mut made = None;
        for iteration in 1..=limit {
            if !budget.work(cost) {
                break;
            }
            let next = dot(shadow, r);
            let beta = next / rho * (alpha / omega);
            if !beta.is_finite() || next == 0.0 {
                break;
            }
            rho = next;
            for k in 0..n {
                p[k] = sum(r[k], beta, sum(p[k], -omega, v[k]));
            }
            self.apply::<D>(rows, p, x, v);
            alpha = rho / dot(shadow, v);
            for k in 0..n {
                s[k] = sum(r[k], -alpha, v[k]);
            }
            self.apply::<D>(rows, s, x, t);
            let square = dot(t, t);
            omega = if square > 0.0 { dot(t, s) / square } else { 0.0 };
            for k in 0..n {
                y[k] = sum(sum(y[k], alpha, p[k]), omega, s[k]);
                r[k] = sum(s[k], -omega, t[k]);
            }
            let left = dot(r, r).sqrt();
            if !left.is_finite() {
                made = None;
                break;
            }
            made = Some(iteration);
            if left <= tolerance * size || omega == 0.0 {
                break;
            }
        }
        self.upper::<D>(rows, y, x);
        self.vectors = vectors;
        made
    }

    /// D⁻¹P and D⁻¹b.
    fn prepare<const D: usize>(&mut self, rows: &Rows<'_, '_>, b: &[Triple], out: &mut [Triple]) -> Option<()> {
        self.physical.clear();
        self.physical.resize(rows.system.blocks.len() * D, 0.0);
        self.response.clear();
        for ((&i, b), out) in rows.active.iter().zip(b).zip(out) {
            let (block, linear) = (&rows.system.blocks[i as usize], &rows.rows[i as usize]);
            let mut a = block.a;
            (0..3).for_each(|k| a[k][k] *= 1.0 + rows.epsilon);
            let unit = |k: usize, l: usize| if k == l { 1.0 } else { 0.0 };
            let entry = |k: usize, l: usize| {
                let product: f64 = linear.p[k].iter().zip(&a).map(|(p, a)| p * a[l]).sum();
                if k < block.rows { linear.q[k][l] + product } else { unit(k, l) }
            };
            let j: [Triple; 3] = std::array::from_fn(|k| std::array::from_fn(|l| entry(k, l)));
            let inverse = inverse(&j)?;
            self.response.push(std::array::from_fn(|k| {
                std::array::from_fn(|l| (0..3).map(|m| inverse[k][m] * linear.p[m][l]).sum())
            }));
            *out = times(&inverse, *b);
        }
        Some(())
    }

    /// out := t + (D + L)⁻¹D (y − t) with t = (D + U)⁻¹D y, which is left in `middle`.
    fn apply<const D: usize>(&mut self, rows: &Rows<'_, '_>, y: &[Triple], middle: &mut [Triple], out: &mut [Triple]) {
        self.upper::<D>(rows, y, middle);
        for (k, &i) in rows.active.iter().enumerate() {
            let i = i as usize;
            let u = rows.system.problem.matrix.lower_product::<D>(i, &self.physical);
            let change = times(&self.response[k], rows.system.scaled_velocity(i, &u));
            let t = middle[k];
            let w = sum(sum(y[k], -1.0, t), -1.0, change);
            rows.system.set_impulse::<D>(i, w, &mut self.physical);
            out[k] = sum(t, 1.0, w);
        }
    }

    /// z := (D + U)⁻¹D b. Blocks right of the diagonal see only what was set before.
    fn upper<const D: usize>(&mut self, rows: &Rows<'_, '_>, b: &[Triple], z: &mut [Triple]) {
        for (k, &i) in rows.active.iter().enumerate().rev() {
            let i = i as usize;
            let u = rows.system.problem.matrix.upper_product::<D>(i, &self.physical);
            z[k] = sum(b[k], -1.0, times(&self.response[k], rows.system.scaled_velocity(i, &u)));
            rows.system.set_impulse::<D>(i, z[k], &mut self.physical);
        }
    }

    /// z := (D + L)⁻¹D b.
    fn lower<const D: usize>(&mut self, rows: &Rows<'_, '_>, b: &[Triple], z: &mut [Triple]) {
        for (k, &i) in rows.active.iter().enumerate() {
            let i = i as usize;
            let u = rows.system.problem.matrix.lower_product::<D>(i, &self.physical);
            z[k] = sum(b[k], -1.0, times(&self.response[k], rows.system.scaled_velocity(i, &u)));
            rows.system.set_impulse::<D>(i, z[k], &mut self.physical);
        }
    }
}

/// Multiplications of one iteration.
pub(super) fn cost<const D: usize>(system: &System<'_>) -> f64 {
    2.0 * (D * D * system.problem.matrix.blocks()) as f64
}
