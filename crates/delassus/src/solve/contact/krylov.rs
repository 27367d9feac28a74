//! Newton's linear systems without factors: BiCGStab with symmetric block Gauss–Seidel sweeps as preconditioner.
//!
//! A row of the system is P_i A_i· + Q_i (see [`newton`](super::newton)), so products need those of A only, and the
//! preconditioner M = (D + L) D⁻¹ (D + U) needs the inverse of the diagonal blocks and nothing else.

use super::factor::inverse;
use super::newton::Linear;
use super::scaled::{System, Triple};
use crate::budget::Budget;

/// Buffers, three numbers for each contact of the system.
#[derive(Debug, Default)]
pub(super) struct Krylov {
    /// Inverse of the diagonal blocks.
    diagonal: Vec<[Triple; 3]>,
    /// r, r̂, p, v, s, t, and the preconditioned p and s.
    vectors: [Vec<Triple>; 8],
    /// The impulses of a vector, in their own units; zero elsewhere.
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
    /// Solves for `x` (zero at first, in the order of the active contacts) until the residual is below `tolerance` of the
    /// right-hand side or `limit` iterations are made; returns these, or `None` where the budget ended or it broke down.
    pub(super) fn solve<const D: usize>(
        &mut self,
        rows: &Rows<'_, '_>,
        rhs: &[Triple],
        tolerance: f64,
        limit: usize,
        budget: &mut Budget<'_>,
        x: &mut [Triple],
    ) -> Option<usize> {
        self.prepare::<D>(rows)?;
        let n = rows.active.len();
        let mut vectors = std::mem::take(&mut self.vectors);
        vectors.iter_mut().for_each(|v| {
            v.clear();
            v.resize(n, [0.0; 3]);
        });
        let [r, shadow, p, v, s, t, p_hat, s_hat] = &mut vectors;
        r.copy_from_slice(rhs);
        shadow.copy_from_slice(rhs);
        let size = dot(rhs, rhs).sqrt();
        let cost = 4.0 * (D * D) as f64 * rows.system.problem.matrix.blocks() as f64;
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
            self.precondition::<D>(rows, p, p_hat);
            self.product::<D>(rows, p_hat, v);
            alpha = rho / dot(shadow, v);
            for k in 0..n {
                s[k] = sum(r[k], -alpha, v[k]);
            }
            self.precondition::<D>(rows, s, s_hat);
            self.product::<D>(rows, s_hat, t);
            let square = dot(t, t);
            omega = if square > 0.0 { dot(t, s) / square } else { 0.0 };
            for k in 0..n {
                x[k] = sum(sum(x[k], alpha, p_hat[k]), omega, s_hat[k]);
                r[k] = sum(s[k], -omega, t[k]);
            }
            let left = dot(r, r).sqrt();
            if !left.is_finite() {
                break;
            }
            made = Some(iteration);
            if left <= tolerance * size || omega == 0.0 {
                break;
            }
        }
        self.vectors = vectors;
        made
    }

    /// The inverse of each diagonal block.
    fn prepare<const D: usize>(&mut self, rows: &Rows<'_, '_>) -> Option<()> {
        self.physical.clear();
        self.physical.resize(rows.system.blocks.len() * D, 0.0);
        self.diagonal.clear();
        for &i in rows.active {
            let (block, linear) = (&rows.system.blocks[i as usize], &rows.rows[i as usize]);
            let mut a = block.a;
            (0..3).for_each(|k| a[k][k] *= 1.0 + rows.epsilon);
            let mut j = [[0.0; 3]; 3];
            for k in 0..3 {
                for l in 0..3 {
                    j[k][l] = linear.q[k][l] + (0..3).map(|m| linear.p[k][m] * a[m][l]).sum::<f64>();
                }
                if k >= block.rows {
                    j[k] = std::array::from_fn(|l| if l == k { 1.0 } else { 0.0 });
                }
            }
            self.diagonal.push(inverse(&j)?);
        }
        Some(())
    }

    fn set<const D: usize>(&mut self, system: &System<'_>, i: usize, y: Triple) {
        system.set_impulse::<D>(i, y, &mut self.physical);
    }

    /// out := (P A + Q) x.
    fn product<const D: usize>(&mut self, rows: &Rows<'_, '_>, x: &[Triple], out: &mut [Triple]) {
        for (&i, &x) in rows.active.iter().zip(x) {
            self.set::<D>(rows.system, i as usize, x);
        }
        for ((&i, &x), out) in rows.active.iter().zip(x).zip(out) {
            let i = i as usize;
            let u = rows.system.problem.matrix.row_product::<D>(i, &self.physical);
            let mut eta = rows.system.scaled_velocity(i, &u);
            let a = &rows.system.blocks[i].a;
            (0..3).for_each(|k| eta[k] += rows.epsilon * a[k][k] * x[k]);
            *out = sum(times(&rows.rows[i].p, eta), 1.0, times(&rows.rows[i].q, x));
        }
    }

    /// z := M⁻¹ b.
    fn precondition<const D: usize>(&mut self, rows: &Rows<'_, '_>, b: &[Triple], z: &mut [Triple]) {
        for &i in rows.active {
            self.set::<D>(rows.system, i as usize, [0.0; 3]);
        }
        let matrix = &rows.system.problem.matrix;
        // (D + L) t = b.
        for (k, &i) in rows.active.iter().enumerate() {
            let i = i as usize;
            let eta = rows.system.scaled_velocity(i, &matrix.lower_product::<D>(i, &self.physical));
            z[k] = times(&self.diagonal[k], sum(b[k], -1.0, times(&rows.rows[i].p, eta)));
            self.set::<D>(rows.system, i, z[k]);
        }
        // (D + U) z = D t.
        for (k, &i) in rows.active.iter().enumerate().rev() {
            let i = i as usize;
            let eta = rows.system.scaled_velocity(i, &matrix.upper_product::<D>(i, &self.physical));
            z[k] = sum(z[k], -1.0, times(&self.diagonal[k], times(&rows.rows[i].p, eta)));
            self.set::<D>(rows.system, i, z[k]);
        }
    }
}
