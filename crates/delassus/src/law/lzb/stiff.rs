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
//!
//! Errors have the same powers of h whatever J is, so extrapolation is right with any J; stability needs it for what is
//! stiff. So only the rows of slides that may be stiff in this step are taken into J, and the system to be solved is as large as
//! they are many, however many contacts push. Slides whose rows of H have no column in common are solved by themselves.

use super::grip::root;
use super::local::Local;
use super::scaled::{Power, Scaled};
use super::step::{Sliding, Step};
use super::thresholds::{speed, step};
use crate::elementary::Elementary;
use crate::small::{lu, sort_different};

/// Number of columns of the extrapolation, which is its order.
pub(super) const ORDER: usize = 7;

/// Substeps of row j of the extrapolation.
const fn substeps(j: usize) -> usize {
    j + 1
}

/// Buffers of the implicit steps.
#[derive(Debug, Clone, Default)]
pub(super) struct Implicit {
    /// Stiff slides (places in the list of slides), those of one group after the other.
    slow: Vec<usize>,
    /// Where groups end in `slow`, and the blocks of H of their rates, group by group.
    ends: Vec<usize>,
    blocks: Vec<f64>,
    /// Group of each slide while groups are found, and the slide that a driving rate belongs to.
    group: Vec<usize>,
    owner: Vec<usize>,
    /// Factors of one group's system, row by row, and the change it gives.
    factor: Vec<f64>,
    pivots: Vec<usize>,
    change: Vec<f64>,
    /// Rows of the extrapolation: states, then work of friction by driver.
    table: Vec<f64>,
    rate: Vec<f64>,
    /// Velocities of all slides, and those one substep before.
    sliding: Vec<[f64; 2]>,
    before: Vec<[f64; 2]>,
    /// Work of friction over the attempted step, by driver.
    pub work: Vec<f64>,
}

const NONE: usize = usize::MAX;

impl Implicit {
    /// Groups the slides in `slow`: those that a driving rate of another one moves belong together.
    fn find_groups(&mut self, slidings: &[Sliding], local: &Local) {
        self.owner.clear();
        self.owner.resize(local.rates, NONE);
        self.group.clear();
        self.group.resize(slidings.len(), NONE);
        for &s in &self.slow {
            self.owner[slidings[s].rate..slidings[s].rate + 2].fill(s);
            self.group[s] = s;
        }
        for &s in &self.slow {
            for row in [slidings[s].rate, slidings[s].rate + 1] {
                for &(b, _) in local.response.line(row) {
                    if self.owner[b] != NONE {
                        let (p, q) = (root(&mut self.group, s), root(&mut self.group, self.owner[b]));
                        self.group[p.max(q)] = p.min(q);
                    }
                }
            }
        }
        let mut slow = std::mem::take(&mut self.slow);
        for &s in &slow {
            self.group[s] = root(&mut self.group, s);
        }
        sort_different(&mut slow, |&a, &b| (self.group[a], a).cmp(&(self.group[b], b)));
        self.ends.clear();
        for k in 0..slow.len() {
            if k + 1 == slow.len() || root(&mut self.group, slow[k]) != root(&mut self.group, slow[k + 1]) {
                self.ends.push(k + 1);
            }
        }
        self.slow = slow;
        self.copy_blocks(slidings, local);
    }

    /// The parts of H that groups move themselves by.
    fn copy_blocks(&mut self, slidings: &[Sliding], local: &Local) {
        self.blocks.clear();
        let mut begin = 0;
        for &end in &self.ends {
            // Where the rates of the group's slides stand in its system.
            self.slow[begin..end].iter().enumerate().for_each(|(k, &s)| self.group[s] = 2 * k);
            let size = 2 * (end - begin);
            for &s in &self.slow[begin..end] {
                for row in [slidings[s].rate, slidings[s].rate + 1] {
                    let start = self.blocks.len();
                    self.blocks.resize(start + size, 0.0);
                    for &(b, value) in local.response.line(row) {
                        if self.owner[b] != NONE {
                            let own = self.owner[b];
                            self.blocks[start + self.group[own] + b - slidings[own].rate] = value;
                        }
                    }
                }
            }
            begin = end;
        }
    }
}

impl Step {
    /// Whether a slide may be stiff in the course of a step of length `h`: now, or once it has become slower.
    fn may_be_stiff(&self, local: &Local, s: usize, h: f64) -> bool {
        let slide = &self.slidings[s];
        let v = [0, 1].map(|k| self.gamma[slide.rate + k]);
        let [_, mut change @ ..] = local.sliding.dot(s, self.driving()).map(|rate| h * rate);
        self.add_drift(slide.rate, [0.0, h], &mut change);
        let left = 1.0 - 2.0 * change[0].hypotenuse(change[1]) / v[0].hypotenuse(v[1]);
        // Also where v is zero, and nothing can be said.
        !(left > 0.0 && h * slide.turning(v, self.driving()[slide.driver]) <= step::NOT_STIFF * left)
    }

    /// Tries an implicit step of length `h`. Returns its error relative to `tolerance`.
    pub fn attempt_implicit(&mut self, local: &Local, scaled: &Scaled, h: f64, tolerance: f64) -> f64 {
        let mut data = std::mem::take(&mut self.implicit);
        let row = self.width + self.springs.len();
        data.slow.clear();
        data.slow.extend((0..self.slidings.len()).filter(|&s| self.may_be_stiff(local, s, h)));
        data.find_groups(&self.slidings, local);
        let mut table = std::mem::take(&mut data.table);
        table.clear();
        table.resize(ORDER * row, 0.0);
        data.rate.clear();
        data.rate.resize(self.width, 0.0);
        let mut error = 0.0_f64;
        for j in 0..ORDER {
            let (done, rest) = table.split_at_mut(j * row);
            let (state, work) = rest[..row].split_at_mut(self.width);
            state.copy_from_slice(&self.begin);
            let part = h / substeps(j) as f64;
            self.drift_to(0.0);
            data.sliding.clear();
            data.sliding.extend(self.slidings.iter().map(|slide| [self.gamma[slide.rate], self.gamma[slide.rate + 1]]));
            data.rate.iter_mut().zip(&self.rate_begin).for_each(|(x, rate)| *x = part * rate);
            for i in 1..=substeps(j) {
                self.add_work(local, state, &data.rate, &data.sliding, work);
                self.turn_implicitly(local, scaled, state, part * (i - 1) as f64, part, &mut data);
                state.iter_mut().zip(&data.rate).for_each(|(x, change)| *x += change);
                std::mem::swap(&mut data.sliding, &mut data.before);
                data.sliding.clear();
                self.drift_to(part * i as f64);
                if i < substeps(j) {
                    self.rates_noting(local, scaled.power, state, &mut data.rate, part, &mut data.sliding);
                } else {
                    let driven = &state[self.offset..];
                    let velocity = |s: usize| {
                        let [_, v @ ..] = self.sliding_velocity(local, s, driven);
                        v
                    };
                    data.sliding.extend((0..self.slidings.len()).map(velocity));
                }
                if turns_back(&data.before, &data.sliding) {
                    data.table = table;
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
        let last = &table[(ORDER - 1) * row..];
        self.end.copy_from_slice(&last[..self.width]);
        data.work.clear();
        data.work.extend_from_slice(&last[self.width..]);
        let finite = last.iter().all(|x| x.is_finite());
        data.table = table;
        self.implicit = data;
        self.length = Some(h);
        if finite { error } else { f64::INFINITY }
    }

    /// Largest difference of two states, in the scales of the error.
    fn difference(&self, a: &[f64], b: &[f64]) -> f64 {
        let apart = |p: usize| (a[p] - b[p]).abs();
        let deltas = self.springs.iter().enumerate().map(|(p, spring)| apart(p) / spring.reach);
        let driven = (self.offset..self.offset + self.velocity.len()).map(apart);
        deltas.chain(driven).fold(0.0_f64, f64::max)
    }

    /// Largest difference of a sliding velocity in two states, relative to it.
    fn straying(&self, local: &Local, a: &[f64], b: &[f64]) -> f64 {
        let mut most = 0.0_f64;
        for (s, slide) in self.slidings.iter().enumerate() {
            let [p, q] = [slide.rate, slide.rate + 1];
            let [[_, x @ ..], [_, y @ ..]] = [a, b].map(|state| self.sliding_velocity(local, s, &state[self.offset..]));
            let speed = x[0].hypotenuse(x[1]).max(self.gamma[p].hypotenuse(self.gamma[q]));
            most = most.max((x[0] - y[0]).hypotenuse(x[1] - y[1]) / speed);
        }
        most
    }

    /// Adds v_t · dP_t of every contact that slides, with these velocities, or slips.
    fn add_work(&self, local: &Local, state: &[f64], rate: &[f64], sliding: &[[f64; 2]], work: &mut [f64]) {
        let (driven, rates) = (&state[self.offset..], &rate[self.offset..]);
        for (slide, v) in self.slidings.iter().zip(sliding) {
            work[slide.driver] += rates[slide.rate] * v[0] + rates[slide.rate + 1] * v[1];
        }
        for &(driver, p, friction) in &self.slips {
            work[driver] -= friction * rates[driver] * (self.gamma[p] + local.response.dot(p, driven));
        }
    }

    /// Adds to the changes `rate`, which are those of the explicit method, what the rows of J in use make of them: with
    /// the changes Δ + y of the slides y = hJ(Δ + y).
    fn turn_implicitly(&self, local: &Local, scaled: &Scaled, state: &[f64], at: f64, h: f64, data: &mut Implicit) {
        let (mut begin, mut block) = (0, 0);
        let Implicit { slow, ends, blocks, factor, pivots, change, rate, sliding, .. } = data;
        for &end in &*ends {
            let size = 2 * (end - begin);
            factor.clear();
            factor.resize(size * size, 0.0);
            change.clear();
            for (k, &s) in slow[begin..end].iter().enumerate() {
                let slide = &self.slidings[s];
                let slope = Slope::new(slide.friction, sliding[s], rate[self.offset + slide.driver]);
                let (delta, spring) = (slide.driver, &self.springs[slide.driver]);
                let push = h * spring.stiffness * gradient(scaled, state[delta]) * rate[delta];
                let [_, mut moved @ ..] = local.sliding.dot(s, &rate[self.offset..]);
                self.add_drift(slide.rate, [at, at + h], &mut moved);
                for i in 0..2 {
                    change.push(slope.own[i][0] * moved[0] + slope.own[i][1] * moved[1] + slope.force[i] * push);
                    let line = &mut factor[(2 * k + i) * size..(2 * k + i + 1) * size];
                    for j in 0..2 {
                        let row = &blocks[block + (2 * k + j) * size..block + (2 * k + j + 1) * size];
                        line.iter_mut().zip(row).for_each(|(x, h)| *x -= slope.own[i][j] * h);
                    }
                    line[2 * k + i] += 1.0;
                }
            }
            lu::decompose(factor, pivots, size);
            lu::substitute(factor, pivots, change);
            for (&s, change) in slow[begin..end].iter().zip(change.chunks_exact(2)) {
                let own = self.offset + self.slidings[s].rate;
                rate[own..own + 2].iter_mut().zip(change).for_each(|(x, y)| *x += y);
            }
            block += size * size;
            begin = end;
        }
    }
}

/// Whether a slide turns back between two states: beyond rest the equations are others, which extrapolation need not
/// notice.
fn turns_back(before: &[[f64; 2]], after: &[[f64; 2]]) -> bool {
    before.iter().zip(after).any(|(v, w)| v[0] * w[0] + v[1] * w[1] < 0.0)
}

/// Derivatives of the force −dP_n D²v/‖Dv‖ = −dP_n D z of a slide, over a step.
struct Slope {
    /// By its velocity.
    own: [[f64; 2]; 2],
    /// By dP_n.
    force: [f64; 2],
}

impl Slope {
    /// With D = diag(`m`), at the velocity `v` and the normal impulse `force` of a step.
    fn new(m: [f64; 2], v: [f64; 2], force: f64) -> Self {
        let norm = (m[0] * v[0]).hypotenuse(m[1] * v[1]);
        if norm == 0.0 {
            return Self { own: [[0.0; 2]; 2], force: [0.0; 2] };
        }
        let z = [m[0] * v[0] / norm, m[1] * v[1] / norm];
        let turn = |k: usize, l: usize| if k == l { 1.0 } else { 0.0 } - z[k] * z[l];
        let own = [0, 1].map(|k| [0, 1].map(|l| -force * m[k] * turn(k, l) * m[l] / norm));
        Self { own, force: [-m[0] * z[0], -m[1] * z[1]] }
    }
}

/// d(δ^η)/dδ.
fn gradient(scaled: &Scaled, delta: f64) -> f64 {
    match scaled.power {
        Power::Linear => 1.0,
        Power::Hertz => 1.5 * delta.max(0.0).sqrt(),
        Power::Other(exponent) if delta > 0.0 => exponent * delta.power(exponent - 1.0),
        Power::Other(_) => 0.0,
    }
}
