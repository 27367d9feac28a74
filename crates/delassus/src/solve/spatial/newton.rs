//! Semismooth Newton with line search on the natural map of the normal form.
//!
//! ```text
//! closed (y_N > ρη_N)     η_N = 0           open    y_N = 0
//! stick  (‖z‖ ≤ r)        η_T = 0           z = y_T − ρη_T,  r = y_N + s
//! slip                    y_T = r z/‖z‖
//! ```
//!
//! The rows η = 0 get a small multiple of the identity: redundant contacts
//! make them singular, and then the step without component in the null space
//! is wanted. Because the residual is the true one, this costs accuracy nowhere.

use super::form::Form;
use super::{TARGET, per_step};
use crate::budget::Budget;
use crate::elementary::Elementary;
use crate::small::lu::solve_in_place;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub(super) struct NewtonWork {
    jacobian: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    trial_eta: Vec<f64>,
    /// Weight of the identity in rows η = 0, relative to the diagonal.
    pub(super) regular: f64,
}

/// Halvings of a step.
const HALVINGS: usize = 6;

impl NewtonWork {
    /// Iterates from `y` with velocity `eta`; returns the residual reached and
    /// the iterations. Ends early where the budget does. `bold` full steps are taken where no shorter one descends:
    /// the states change, and often for the better.
    pub(super) fn run(
        &mut self,
        form: &Form,
        y: &mut Vec<f64>,
        eta: &mut Vec<f64>,
        limit: usize,
        budget: &mut Budget<'_>,
        mut bold: usize,
    ) -> (f64, usize) {
        form.velocity(y, eta);
        let (mut worst, mut merit) = form.residual(y, eta);
        for iteration in 0..limit {
            if worst <= TARGET || !budget.take(per_step(form)) {
                return (worst, iteration);
            }
            self.assemble(form, y, eta);
            if !solve_in_place(&mut self.jacobian, &mut self.step) {
                return (worst, iteration);
            }
            let mut length = 1.0;
            let mut accepted = false;
            for _ in 0..HALVINGS {
                self.trial.clear();
                self.trial.extend(y.iter().zip(&self.step).map(|(y, d)| y + length * d));
                form.velocity(&self.trial, &mut self.trial_eta);
                let (trial_worst, trial_merit) = form.residual(&self.trial, &self.trial_eta);
                if trial_merit <= (1.0 - 1e-3 * length) * merit {
                    (worst, merit, accepted) = (trial_worst, trial_merit, true);
                    std::mem::swap(y, &mut self.trial);
                    std::mem::swap(eta, &mut self.trial_eta);
                    break;
                }
                length *= 0.5;
            }
            if !accepted {
                if bold == 0 {
                    return (worst, iteration + 1);
                }
                bold -= 1;
                y.iter_mut().zip(&self.step).for_each(|(y, d)| *y += d);
                form.velocity(y, eta);
                (worst, merit) = form.residual(y, eta);
            }
        }
        (worst, limit)
    }

    /// The Newton system of the states that y and η suggest.
    fn assemble(&mut self, form: &Form, y: &[f64], eta: &[f64]) {
        let k = form.size;
        self.jacobian.clear();
        self.jacobian.resize(k * k, 0.0);
        self.step.clear();
        self.step.resize(k, 0.0);
        for block in &form.blocks {
            let n = block.row;
            let a_n = form.a[n * k + n];
            let closed = a_n > 0.0 && y[n] * a_n > eta[n];
            if closed {
                self.zero_velocity(form, n, 1.0 / a_n, eta);
            } else {
                self.jacobian[n * k + n] = 1.0;
                self.step[n] = -y[n];
            }
            if block.tangents == 0 {
                continue;
            }
            let tangents = n + 1..n + 1 + block.tangents;
            let largest = tangents.clone().map(|t| form.a[t * k + t]).fold(0.0, f64::max);
            let radius = y[n].max(0.0) + block.shift;
            let rho = if largest > 0.0 { 1.0 / largest } else { 0.0 };
            let mut z = [0.0; 2];
            for (z, t) in z.iter_mut().zip(tangents.clone()) {
                *z = y[t] - rho * eta[t];
            }
            let length = z[0].hypotenuse(z[1]);
            if !closed && block.shift == 0.0 || largest == 0.0 {
                for t in tangents {
                    self.jacobian[t * k + t] = 1.0;
                    self.step[t] = -y[t];
                }
            } else if length <= radius {
                tangents.for_each(|t| self.zero_velocity(form, t, rho, eta));
            } else {
                self.slip(form, n, block.tangents, closed, radius / length, [z[0] / length, z[1] / length], rho);
                for (direction, t) in z.iter().zip(tangents) {
                    self.step[t] = radius * direction / length - y[t];
                }
            }
        }
    }

    /// Row of η_i = 0.
    fn zero_velocity(&mut self, form: &Form, i: usize, rho: f64, eta: &[f64]) {
        let k = form.size;
        let row = &mut self.jacobian[i * k..(i + 1) * k];
        row.iter_mut().zip(&form.a[i * k..(i + 1) * k]).for_each(|(j, a)| *j = rho * a);
        row[i] *= 1.0 + self.regular;
        self.step[i] = -rho * eta[i];
    }

    /// Rows of y_T − r n = 0 with n = z/‖z‖: its differential is
    /// Δ_T − n Δ_N − (r/‖z‖)(I − nnᵀ)(Δ_T − ρ A_T· Δ).
    #[allow(clippy::too_many_arguments)]
    fn slip(
        &mut self,
        form: &Form,
        normal: usize,
        tangents: usize,
        closed: bool,
        ratio: f64,
        direction: [f64; 2],
        rho: f64,
    ) {
        let k = form.size;
        for p in 0..tangents {
            let row = &mut self.jacobian[(normal + 1 + p) * k..(normal + 2 + p) * k];
            row[normal + 1 + p] = 1.0;
            if closed {
                row[normal] -= direction[p];
            }
            if tangents == 1 {
                continue;
            }
            for l in 0..2 {
                let t = normal + 1 + l;
                let projector = ratio * (if p == l { 1.0 } else { 0.0 } - direction[p] * direction[l]);
                row[t] -= projector;
                let weight = projector * rho;
                row.iter_mut().zip(&form.a[t * k..(t + 1) * k]).for_each(|(j, a)| *j += weight * a);
            }
        }
    }
}
