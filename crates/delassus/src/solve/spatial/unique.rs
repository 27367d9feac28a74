//! A proof that an inclusion has one solution only.
//!
//! Let y and y + d solve the normal form, with e = A d the change of η. Each
//! group of rows alone bounds its part of dᵀA d:
//!
//! ```text
//! normal, clutch   d_N e_N ≤ 0                                          (complementarity)
//! friction         −y_T maximizes η_T·z over ‖z‖ ≤ y_N + s, for both solutions:
//!                  d_T·e_T ≤ −d_N (‖η_T + e_T‖ − ‖η_T‖) ≤ |d_N| ‖e_T‖   (s drops out)
//! ```
//!
//! So with any weights t > 0 of the normals and κ > 0 of the contacts, as
//! 2|d_N|‖e_T‖ ≤ κ d_N² + ‖e_T‖²/κ,
//!
//! ```text
//! dᵀS d ≤ 0,   S = P A + A P − Σ_i (κ_i e_Ni e_Niᵀ + A_·Ti A_Ti·/κ_i),   P = diag(t at normals, 1 at tangents)
//! ```
//!
//! and d = 0 where S is positive definite. With one contact and t = 1 the best κ
//! turns this into ¼ (A⁻¹)_NN λ_max(A_TT) < 1; other t do better: friction of
//! any size is allowed where A_NT = 0. With one planar contact, scaled such that
//! G_NN = G_TT = 1, the best t gives μ|G_NT| < 1, which is exact, if 2G_NT² ≤ 1.
//!
//! Any weights make a valid proof. Here t is the same for all contacts and runs
//! through a short list and one value that suits the strongest friction, and κ_i is
//! the geometric mean of the bounds that contact i alone would set.

use super::form::Form;
use crate::elementary::Elementary;
use crate::small;
use crate::solve::tolerance::{BLOCKED, CRITICAL};

/// Why a solution is unique, in words.
pub const WEAK_COUPLING: &str = "the coupling by friction is too weak for a second solution";

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub(super) struct UniqueWork {
    factor: Vec<f64>,
    column: Vec<f64>,
    /// κ of each row for t = 1: zero unless it is the normal of a frictional contact.
    kappa: Vec<f64>,
    normal: Vec<bool>,
    /// Largest (A⁻¹)_NN λ_max(A_TT): the weight that suits friction without coupling.
    strongest: f64,
    /// Σ A_·T A_T·/κ for t = 1, lower triangle.
    cross: Vec<f64>,
    /// Positive part of the diagonal of S.
    positive: Vec<f64>,
    s: Vec<f64>,
}

/// Rows up to which a proof is tried; it takes O(rows³).
const ROWS: usize = 150;
/// Weights t of the normals, relative to those of the tangents.
const WEIGHTS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 0.5, 0.25];
/// Pivots below this, relative to the positive part of the diagonal, prove nothing: what is
/// certified may spread too far around a solution.
const MARGIN: f64 = CRITICAL;

impl UniqueWork {
    /// Whether the inclusion has one solution y only, whatever q is.
    pub(super) fn proves(&mut self, form: &Form) -> bool {
        let fits = form.size <= ROWS && form.is_determined();
        fits && self.measure(form) && WEIGHTS.into_iter().chain([self.strongest]).any(|t| self.holds(form, t))
    }

    /// Sets what does not depend on t; `false` where A is not positive definite.
    fn measure(&mut self, form: &Form) -> bool {
        let k = form.size;
        self.factor.clear();
        self.factor.resize(k * k, 0.0);
        self.s.clear();
        self.s.extend_from_slice(&form.a);
        mirror(k, &mut self.s);
        if small::factorize(k, &self.s, &mut self.factor).is_err() || self.is_blocked(form) {
            return false;
        }
        self.strongest = 1.0;
        self.normal.clear();
        self.normal.resize(k, false);
        self.kappa.clear();
        self.kappa.resize(k, 0.0);
        self.cross.clear();
        self.cross.resize(k * k, 0.0);
        for block in &form.blocks {
            let n = block.row;
            self.normal[n] = true;
            let entry = |i: usize, j: usize| form.a[(n + i) * k + n + j];
            let widest = match block.tangents {
                0 => continue,
                1 => entry(1, 1),
                _ => 0.5 * (entry(1, 1) + entry(2, 2)) + (0.5 * (entry(1, 1) - entry(2, 2))).hypotenuse(entry(1, 2)),
            };
            self.column.clear();
            self.column.resize(k, 0.0);
            self.column[n] = 1.0;
            small::solve(k, &self.factor, &mut self.column);
            self.strongest = self.strongest.max(widest * self.column[n]);
            let kappa = (widest / self.column[n]).sqrt();
            self.kappa[n] = kappa;
            for row in form.a[(n + 1) * k..].chunks_exact(k).take(block.tangents) {
                for (i, cross) in self.cross.chunks_exact_mut(k).enumerate() {
                    let factor = row[i] / kappa;
                    cross[..=i].iter_mut().zip(row).for_each(|(c, a)| *c += factor * a);
                }
            }
        }
        true
    }

    /// Whether joints or other contacts leave so little of a direction that errors within the
    /// certified tolerance move it noticeably; velocities move with the root of the pivot.
    fn is_blocked(&self, form: &Form) -> bool {
        let k = form.size;
        let beside = |row: usize, unit: f64| self.factor[row * (k + 1)] * BLOCKED * unit > 1.0;
        form.blocks.iter().any(|block| {
            beside(block.row, 1.0) || (0..block.tangents).any(|t| beside(block.row + 1 + t, block.weight(t).powi(2)))
        })
    }

    /// Whether S is positive definite for the weight t, with κ(t) = √t κ(1).
    fn holds(&mut self, form: &Form, t: f64) -> bool {
        let k = form.size;
        let root = t.sqrt();
        let weight = |i: usize| if self.normal[i] { t } else { 1.0 };
        self.positive.clear();
        self.positive.extend((0..k).map(|i| 2.0 * weight(i) * form.a[i * k + i]));
        let negative = |i: usize| root * self.kappa[i] + self.cross[i * k + i] / root;
        if !(0..k).all(|i| negative(i) < self.positive[i]) {
            return false;
        }
        self.s.clear();
        self.s.resize(k * k, 0.0);
        for i in 0..k {
            for j in 0..=i {
                let mut entry = (weight(i) + weight(j)) * form.a[i * k + j] - self.cross[i * k + j] / root;
                if i == j {
                    entry -= root * self.kappa[i];
                }
                // Relative to the positive part, so that round-off of the difference proves nothing.
                self.s[i * k + j] = entry / (self.positive[i] * self.positive[j]).sqrt();
            }
        }
        mirror(k, &mut self.s);
        // The weight magnifies the round-off of A_NT.
        let margin = MARGIN.max(64.0 * f64::EPSILON * root);
        small::factorize(k, &self.s, &mut self.factor).is_ok()
            && self.factor.iter().step_by(k + 1).all(|reciprocal| reciprocal * margin < 1.0)
    }
}

/// Copies the lower triangle to the upper one.
fn mirror(k: usize, matrix: &mut [f64]) {
    for i in 0..k {
        for j in 0..i {
            matrix[j * k + i] = matrix[i * k + j];
        }
    }
}
