//! Steps where sliding in two directions is stiff.
//!
//! A slide of speed r turns towards its momentary direction at a rate of
//! about μ dP_n/r: fast where it sets in slowly or passes close to rest, and
//! explicit stages cannot go beyond r/(μ dP_n). There the linearly implicit
//! Euler method, extrapolated in the step number [HW 1996, IV.9], takes over:
//!
//! ```text
//! (1 − h J)(x_{i+1} − x_i) = h f(x_i),   x = (δ, Q),   J = ∂f/∂x at x_i
//! ```

use super::local::Local;
use super::scaled::{Power, Scaled};
use super::step::Step;
use super::thresholds::{speed, step};
use crate::elementary::Elementary;
use crate::small::lu;

/// Number of columns of the extrapolation, which is its order.
pub(super) const ORDER: usize = 7;

/// Substeps of row j of the extrapolation.
const fn substeps(j: usize) -> usize {
    j + 2
}

/// Buffers of the implicit steps.
#[derive(Debug, Clone, Default)]
pub(super) struct Implicit {
    /// Factors of 1 − hJ, row by row.
    factor: Vec<f64>,
    pivots: Vec<usize>,
    /// Rows of the extrapolation: states, then work of friction by driver.
    table: Vec<f64>,
    rate: Vec<f64>,
    change: Vec<f64>,
    /// Work of friction over the attempted step, by driver.
    pub work: Vec<f64>,
}

impl Step {
    /// The fastest rate at which a slide turns towards its direction.
    pub fn relaxation(&self, local: &Local) -> f64 {
        let mut fastest = 0.0_f64;
        for slide in &self.slidings {
            let v = [0, 1].map(|k| self.gamma[slide.rate + k]);
            let force = self.driving()[slide.driver];
            let [m1, m2] = slide.friction;
            let norm = (m1 * v[0]).hypotenuse(m2 * v[1]);
            let response = [0, 1].map(|k| local.response.get(slide.rate + k, slide.rate + k));
            fastest = fastest.max(force * (m1 * m1 * response[0]).max(m2 * m2 * response[1]) / norm);
        }
        fastest
    }

    /// Tries an implicit step of length `h`. Returns its error relative to `tolerance`.
    pub fn attempt_implicit(&mut self, local: &Local, scaled: &Scaled, h: f64, tolerance: f64) -> f64 {
        let mut data = std::mem::take(&mut self.implicit);
        let (size, drivers) = (self.springs.len() + local.rates, self.springs.len());
        let row = self.width + drivers;
        data.table.clear();
        data.table.resize(ORDER * row, 0.0);
        data.rate.resize(self.width, 0.0);
        let mut error = 0.0_f64;
        for j in 0..ORDER {
            let (done, rest) = data.table.split_at_mut(j * row);
            let (state, work) = rest[..row].split_at_mut(self.width);
            state.copy_from_slice(&self.begin);
            let part = h / substeps(j) as f64;
            for _ in 0..substeps(j) {
                self.rates(local, scaled.power, state, &mut data.rate, part);
                self.differentiate(local, scaled, state, &data.rate, -part, &mut data.factor);
                (0..size).for_each(|i| data.factor[i * size + i] += 1.0);
                lu::decompose(&mut data.factor, &mut data.pivots, size);
                self.add_work(local, state, &data.rate, work);
                data.change.clear();
                data.change.extend((0..size).map(|i| data.rate[self.place(i)]));
                lu::substitute(&data.factor, &data.pivots, &mut data.change);
                let backwards = self.turns_back(local, state, &data.change);
                (0..size).for_each(|i| state[self.place(i)] += data.change[i]);
                if backwards {
                    self.implicit = data;
                    return step::TURNS_BACK;
                }
            }
            // Aitken and Neville: place k keeps the newest T_{j,k}.
            for k in 0..j {
                let above = &mut done[k * row..(k + 1) * row];
                let factor = 1.0 / (substeps(j) as f64 / substeps(j - 1 - k) as f64 - 1.0);
                if j == ORDER - 1 && k == j - 1 {
                    let (new, old) = (&rest[..self.width], &above[..self.width]);
                    error = self.difference(new, old) * factor / tolerance.max(step::ROUND_OFF);
                    error = error.max(self.straying(local, new, old) * factor / speed::STRAYING);
                }
                for (new, old) in rest[..row].iter_mut().zip(above) {
                    let extrapolated = *new + (*new - *old) * factor;
                    *old = *new;
                    *new = extrapolated;
                }
            }
        }
        let last = &data.table[(ORDER - 1) * row..];
        self.end.copy_from_slice(&last[..self.width]);
        data.work.clear();
        data.work.extend_from_slice(&last[self.width..]);
        let finite = last.iter().all(|x| x.is_finite());
        self.implicit = data;
        self.length = Some(h);
        if finite { error } else { f64::INFINITY }
    }

    /// Whether a slide would turn back on its way from `state`: beyond rest the
    /// equations are others, which extrapolation need not notice.
    fn turns_back(&self, local: &Local, state: &[f64], change: &[f64]) -> bool {
        let (driven, change) = (&state[self.offset..], &change[self.springs.len()..]);
        self.slidings.iter().any(|slide| {
            let product: f64 = [slide.rate, slide.rate + 1].iter().fold(0.0, |sum, &p| {
                let v = self.gamma[p] + local.response.dot(p, driven);
                sum + v * (v + local.response.dot(p, change))
            });
            product < 0.0
        })
    }

    /// Where unknown `i` stands in a state.
    fn place(&self, i: usize) -> usize {
        if i < self.springs.len() { i } else { self.offset + i - self.springs.len() }
    }

    /// Largest difference of two states, in the scales of the error.
    fn difference(&self, a: &[f64], b: &[f64]) -> f64 {
        let size = self.springs.len() + self.velocity.len();
        (0..size).fold(0.0_f64, |most, i| {
            let p = self.place(i);
            let scale = if p < self.offset { 1.0 / self.springs[p].reach } else { 1.0 };
            most.max((a[p] - b[p]).abs() * scale)
        })
    }

    /// Largest difference of a sliding velocity in two states, relative to it.
    fn straying(&self, local: &Local, a: &[f64], b: &[f64]) -> f64 {
        let mut most = 0.0_f64;
        for slide in &self.slidings {
            let [p, q] = [slide.rate, slide.rate + 1];
            let v = |p: usize, state: &[f64]| self.gamma[p] + local.response.dot(p, &state[self.offset..]);
            let (x, y) = ([v(p, a), v(q, a)], [v(p, b), v(q, b)]);
            let speed = x[0].hypotenuse(x[1]).max(self.gamma[p].hypotenuse(self.gamma[q]));
            most = most.max((x[0] - y[0]).hypotenuse(x[1] - y[1]) / speed);
        }
        most
    }

    /// Adds v_t · dP_t of every contact that slides or slips.
    fn add_work(&self, local: &Local, state: &[f64], rate: &[f64], work: &mut [f64]) {
        let (driven, rates) = (&state[self.offset..], &rate[self.offset..]);
        let v = |p: usize| self.gamma[p] + local.response.dot(p, driven);
        for slide in &self.slidings {
            work[slide.driver] += rates[slide.rate] * v(slide.rate) + rates[slide.rate + 1] * v(slide.rate + 1);
        }
        for &(driver, p, friction) in &self.slips {
            work[driver] -= friction * rates[driver] * v(p);
        }
    }

    /// `factor` ∂f/∂x at `state`, where `rate` is |`factor`| f.
    fn differentiate(
        &self,
        local: &Local,
        scaled: &Scaled,
        state: &[f64],
        rate: &[f64],
        factor: f64,
        jacobian: &mut Vec<f64>,
    ) {
        let drivers = self.springs.len();
        let size = drivers + local.rates;
        jacobian.clear();
        jacobian.resize(size * size, 0.0);
        for (a, spring) in self.springs.iter().enumerate() {
            for &(b, value) in local.response.line(a) {
                jacobian[a * size + drivers + b] = -factor * spring.rate * value;
            }
            jacobian[(drivers + a) * size + a] = factor * spring.stiffness * slope(scaled, state[a]);
        }
        for slide in &self.slidings {
            let v =
                [0, 1].map(|k| self.gamma[slide.rate + k] + local.response.dot(slide.rate + k, &state[self.offset..]));
            // f = −dP_n D²v/‖Dv‖ = −dP_n D z, z = Dv/‖Dv‖.
            let m = slide.friction;
            let norm = (m[0] * v[0]).hypotenuse(m[1] * v[1]);
            if norm == 0.0 {
                continue;
            }
            let z = [m[0] * v[0] / norm, m[1] * v[1] / norm];
            let a = slide.driver;
            let gradient = jacobian[(drivers + a) * size + a];
            let force = rate[self.offset + a] * factor.signum();
            for k in 0..2 {
                let row = (drivers + slide.rate + k) * size;
                jacobian[row + a] = -gradient * m[k] * z[k];
                for l in 0..2 {
                    let turn = if k == l { 1.0 } else { 0.0 } - z[k] * z[l];
                    let slope = -force * m[k] * turn * m[l] / norm;
                    for &(b, value) in local.response.line(slide.rate + l) {
                        jacobian[row + drivers + b] += slope * value;
                    }
                }
            }
        }
    }
}

/// d(δ^η)/dδ.
fn slope(scaled: &Scaled, delta: f64) -> f64 {
    match scaled.power {
        Power::Linear => 1.0,
        Power::Hertz => 1.5 * delta.max(0.0).sqrt(),
        Power::Other(exponent) if delta > 0.0 => exponent * delta.power(exponent - 1.0),
        Power::Other(_) => 0.0,
    }
}
