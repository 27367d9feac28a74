//! One Runge–Kutta step of the compression form over reused buffers.
//!
//! ```text
//! dδ_j = −c_j v_j dτ      dQ = q dτ,  q_j = k̂_j δ_j^η      v = v₀ + H Q
//! ```
//!
//! The solution is not smooth in τ where δ leaves or reaches zero with a
//! velocity, since δ^η is not. It is smooth in s = √|τ − τ*| for η = 3/2, so
//! steps that begin or end at such a point use s as their variable.

use super::local::Local;
use super::pair::Contacts;
use super::parted::{Drift, Parted};
use super::scaled::{Power, Scaled, slip_force};
use super::state::{ContactState, Grip};
use super::stiff::{Implicit, ORDER};
use super::tableau::{A, B, C, E3, E5, STAGES, combine, lanes};
use crate::elementary::Elementary;

/// Which point of the step is singular.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Course {
    /// None: τ = hx.
    #[default]
    Plain,
    /// The beginning: τ = hx².
    Begin,
    /// The end: τ = h(1 − (1 − x)²).
    End,
    /// None; τ = hx by a clock that slows down with the slides (`pace`).
    Clock,
    /// None, but sliding is stiff: by the implicit method.
    Implicit,
    /// One contact pushes alone: in closed form.
    Alone,
}

impl Course {
    /// By how much a step with this error, relative to the tolerance, could be longer.
    pub fn growth(self, error: f64) -> f64 {
        match self {
            // Eighth and fourth roots by square roots, which take a tenth of the time of a power.
            Self::Plain | Self::Clock => 1.0 / error.sqrt().sqrt().sqrt(),
            Self::Begin | Self::End => 1.0 / error.sqrt().sqrt(),
            Self::Implicit => error.power(-1.0 / ORDER as f64),
            Self::Alone => f64::INFINITY,
        }
    }

    /// dτ/dx at the node x, per h.
    #[inline(always)]
    pub fn weight(self, x: f64) -> f64 {
        match self {
            Self::Plain | Self::Clock | Self::Implicit | Self::Alone => 1.0,
            Self::Begin => 2.0 * x,
            Self::End => 2.0 * (1.0 - x),
        }
    }
}

/// A driver's data, as the stages need them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spring {
    pub stiffness: f64,
    pub rate: f64,
    /// Error scale of δ.
    pub reach: f64,
    /// Whether the contact slides in two directions.
    pub slides: bool,
}

/// A contact that slides in two directions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sliding {
    pub driver: usize,
    pub rate: usize,
    pub friction: [f64; 2],
    /// The largest of μ²H of its rates.
    pub response: f64,
}

/// Buffers of a step. A state has the δ of the drivers, then Q.
#[derive(Debug, Clone, Default)]
pub(super) struct Step {
    pub(super) springs: Vec<Spring>,
    pub(super) slidings: Vec<Sliding>,
    /// Contacts that slip along one tangent beside slides: driver, local row, σμ̂.
    pub(super) slips: Vec<(usize, usize, f64)>,
    /// Number of drivers, rounded up to full lanes.
    pub(super) offset: usize,
    /// Length of a state.
    pub(super) width: usize,
    /// γ̂ of all local rows at the beginning.
    pub gamma: Vec<f64>,
    /// γ̂ of all local rows at the end.
    pub gamma_end: Vec<f64>,
    pub(super) begin: Vec<f64>,
    pub(super) end: Vec<f64>,
    /// States and rates (times weight and h) of the stages.
    states: Vec<f64>,
    pub(super) slopes: Vec<f64>,
    /// Rates at the beginning and at the end.
    pub(super) rate_begin: Vec<f64>,
    rate_end: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) implicit: Implicit,
    /// Course of the attempted step.
    pub(super) course: Course,
    /// Length of the attempted step times dτ/dσ at its stages, if that is not one, and dτ/dσ at both ends.
    pub(super) paces: [f64; STAGES],
    pub clock: [f64; 2],
    /// Velocities of the slides at the stages of an explicit step.
    pub(super) noted: Vec<[f64; 2]>,
    /// Where the attempted step was parted: contacts known by series, and those that are followed.
    pub(super) parted: Option<Box<Parted>>,
    /// Whether steps may be parted: impulses of dependent held directions are followed along all stages.
    pub may_part: bool,
    /// What forces that are known make of the velocities in the course of a step, if there are any.
    pub(super) drift: Drift,
    /// Length of the attempted step if its work of friction is known by driver.
    pub(super) length: Option<f64>,
}

impl Step {
    /// Takes the present state as the beginning of the next step.
    pub fn load(&mut self, local: &Local, scaled: &Scaled, contacts: &[ContactState], gamma: &[f64]) {
        self.springs.clear();
        for &c in &local.drivers {
            let data = &scaled.contacts[c];
            self.springs.push(Spring {
                stiffness: if contacts[c].phase.pushes() { data.stiffness } else { 0.0 },
                rate: contacts[c].rate(data.restitution),
                reach: data.reach,
                slides: false,
            });
        }
        self.slidings.clear();
        for slide in &local.slides {
            let c = local.drivers[slide.driver];
            let friction = scaled.contacts[c].kinetic;
            let own = [0, 1].map(|k| friction[k] * friction[k] * local.response.get(slide.rate + k, slide.rate + k));
            let (driver, rate, response) = (slide.driver, slide.rate, own[0].max(own[1]));
            self.slidings.push(Sliding { driver, rate, friction, response });
            self.springs[driver].slides = true;
        }
        self.forget_parted();
        self.slips.clear();
        if !self.slidings.is_empty() {
            for (driver, &c) in local.drivers.iter().enumerate() {
                let contact = &scaled.contacts[c];
                // A frictionless contact has no row for a tangent.
                if contact.tangents > 0
                    && contacts[c].phase.pushes()
                    && let Grip::Slip(sign) = contacts[c].grip
                    && let Some(p) = local.find(contact.tangent)
                {
                    self.slips.push((driver, p, sign * contact.kinetic[0]));
                }
            }
        }
        self.fit(local.drivers.len(), local.rates);
        self.gamma.clear();
        self.gamma.extend(local.rows.iter().map(|&row| gamma[row]));
        self.gamma_end.clear();
        self.gamma_end.resize(local.rows.len(), 0.0);
        for (delta, &c) in self.begin.iter_mut().zip(&local.drivers) {
            *delta = contacts[c].delta;
        }
        let mut rate = std::mem::take(&mut self.rate_begin);
        self.rates_moving(scaled.power, &self.begin, &self.gamma, &mut rate);
        self.rate_begin = rate;
    }

    /// Makes room for so many drivers and driving rates.
    pub(super) fn fit(&mut self, drivers: usize, rates: usize) {
        let lanes = lanes(drivers, rates);
        self.offset = drivers.next_multiple_of(lanes);
        self.width = self.offset + rates.next_multiple_of(lanes);
        for buffer in [&mut self.begin, &mut self.end, &mut self.rate_begin, &mut self.rate_end] {
            buffer.clear();
            buffer.resize(self.width, 0.0);
        }
        self.states.resize(STAGES * self.width, 0.0);
        self.slopes.resize(STAGES * self.width, 0.0);
        self.velocity.clear();
        self.velocity.resize(rates, 0.0);
    }

    /// Moves on: the end becomes the beginning.
    pub fn advance(&mut self) {
        std::mem::swap(&mut self.begin, &mut self.end);
        self.begin[self.offset..].fill(0.0);
        std::mem::swap(&mut self.rate_begin, &mut self.rate_end);
        std::mem::swap(&mut self.gamma, &mut self.gamma_end);
        self.advance_parted();
    }

    #[inline(always)]
    fn evaluate(
        &self,
        local: &Local,
        power: Power,
        state: &[f64],
        rate: &mut [f64],
        factor: f64,
        noted: &mut Vec<[f64; 2]>,
    ) {
        let (delta, driven) = state.split_at(self.offset);
        let (delta_rate, driven_rate) = rate.split_at_mut(self.offset);
        for (a, spring) in self.springs.iter().enumerate() {
            if !spring.slides {
                let v = self.gamma[a] + local.response.dot(a, driven);
                delta_rate[a] = -factor * spring.rate * v;
            }
            driven_rate[a] = factor * spring.stiffness * power.extended(delta[a]);
        }
        let before = noted.len();
        for (s, slide) in self.slidings.iter().enumerate() {
            let [normal, v @ ..] = self.sliding_velocity(local, s, driven);
            delta_rate[slide.driver] = -factor * self.springs[slide.driver].rate * normal;
            noted.push(v);
        }
        // Apart from the velocities: roots and quotients of one slide do not wait for those of another.
        for (slide, &v) in self.slidings.iter().zip(&noted[before..]) {
            let f = slip_force(slide.friction, v, driven_rate[slide.driver]);
            driven_rate[slide.rate..slide.rate + 2].copy_from_slice(&f);
        }
    }

    /// Normal and tangential velocities of slide `s` after these impulses.
    #[inline(always)]
    pub(super) fn sliding_velocity(&self, local: &Local, s: usize, driven: &[f64]) -> [f64; 3] {
        let (slide, moved) = (&self.slidings[s], local.sliding.dot(s, driven));
        [self.gamma[slide.driver] + moved[0], self.gamma[slide.rate] + moved[1], self.gamma[slide.rate + 1] + moved[2]]
    }

    /// The rates at `state`, where the velocities are known.
    fn rates_moving(&self, power: Power, state: &[f64], velocity: &[f64], rate: &mut [f64]) {
        let (delta, _) = state.split_at(self.offset);
        let (delta_rate, driven_rate) = rate.split_at_mut(self.offset);
        for (a, spring) in self.springs.iter().enumerate() {
            delta_rate[a] = -spring.rate * velocity[a];
            driven_rate[a] = spring.stiffness * power.extended(delta[a]);
        }
        for slide in &self.slidings {
            let v = [velocity[slide.rate], velocity[slide.rate + 1]];
            let f = slip_force(slide.friction, v, driven_rate[slide.driver]);
            driven_rate[slide.rate..slide.rate + 2].copy_from_slice(&f);
        }
    }

    /// `rate` := `factor` times the rates at `state`. The velocities of the slides are added to `noted`.
    pub(super) fn rates_noting(
        &self,
        local: &Local,
        power: Power,
        state: &[f64],
        rate: &mut [f64],
        factor: f64,
        noted: &mut Vec<[f64; 2]>,
    ) {
        // One loop per force law, so that the common ones have no branch inside.
        match power {
            Power::Linear => self.evaluate(local, Power::Linear, state, rate, factor, noted),
            Power::Hertz => self.evaluate(local, Power::Hertz, state, rate, factor, noted),
            other => self.evaluate(local, other, state, rate, factor, noted),
        }
    }

    /// Tries a step of length `h`. Returns its error relative to `tolerance`.
    pub fn attempt(&mut self, local: &Local, scaled: &Scaled, h: f64, course: Course, tolerance: f64) -> f64 {
        self.course = course;
        if let Some(error) = self.attempt_parted(local, scaled, h, course, tolerance) {
            return error;
        }
        if course == Course::Implicit {
            self.clock = [1.0; 2];
            return self.attempt_implicit(local, scaled, h, tolerance);
        }
        self.length = None;
        self.clock = [1.0; 2];
        let width = self.width;
        let mut states = std::mem::take(&mut self.states);
        let mut slopes = std::mem::take(&mut self.slopes);
        states[..width].copy_from_slice(&self.begin);
        if course == Course::Clock {
            self.clock[0] = self.pace_begin();
            self.paces[0] = h * self.clock[0];
        }
        let first = h * self.clock[0] * course.weight(0.0);
        slopes[..width].iter_mut().zip(&self.rate_begin).for_each(|(k, r)| *k = first * r);
        let pairs = (states.as_chunks_mut().0.first_chunk_mut(), slopes.as_chunks_mut().0.first_chunk_mut());
        let contacts = Contacts::new(self, |a| local.response.first_two(a)).filter(|_| !self.drift.acts());
        if let (Some(contacts), (Some(at), Some(rates))) = (contacts, pairs) {
            let [end, fifth, third] = contacts.stages(scaled.power, h, course, at, rates);
            self.end.copy_from_slice(&end);
            (self.states, self.slopes) = (states, slopes);
            return self.size(|i| (fifth[i], third[i]), tolerance);
        }
        let mut noted = std::mem::take(&mut self.noted);
        noted.clear();
        noted.extend(self.slidings.iter().map(|slide| [self.gamma[slide.rate], self.gamma[slide.rate + 1]]));
        if course == Course::Clock {
            self.stages_by_clock(local, scaled, h, &mut states, &mut slopes, &mut noted);
        } else {
            for i in 1..STAGES {
                let (known, rest) = slopes.split_at_mut(i * width);
                let state = &mut states[i * width..(i + 1) * width];
                combine(&self.begin, known, A[i], state);
                let factor = h * course.weight(C[i]);
                self.rates_noting(local, scaled.power, state, &mut rest[..width], factor, &mut noted);
            }
        }
        self.noted = noted;
        combine(&self.begin, &slopes, &B, &mut self.end);
        let error = self.size(|i| self.errors(&slopes, i), tolerance);
        self.states = states;
        self.slopes = slopes;
        error
    }

    /// The end of a step with this impulse of the only contact that pushes. Returns about how long it takes.
    pub fn leap(&mut self, local: &Local, scaled: &Scaled, impulse: f64) -> Option<f64> {
        (self.course, self.length, self.clock) = (Course::Alone, None, [1.0; 2]);
        let (spring, v) = (self.springs[0], self.gamma[0]);
        let response = local.response.get(0, 0);
        let change = spring.rate * impulse * (v + 0.5 * response * impulse);
        let energy = scaled.energy(local.drivers[0], self.begin[0]);
        // What is left of an energy that is given back is round-off.
        let left = if energy - change > 4.0 * f64::EPSILON * energy { energy - change } else { 0.0 };
        self.end.fill(0.0);
        self.end[0] = scaled.compression(local.drivers[0], left);
        self.end[self.offset] = impulse;
        self.finish(local, scaled);
        let speed = v.abs().max(self.gamma_end[0].abs());
        let h = (self.end[0] - self.begin[0]).abs() / (spring.rate * speed);
        (h > 0.0 && h.is_finite()).then_some(h)
    }

    /// Errors of order 5 and 3 of number `i` of the state.
    fn errors(&self, slopes: &[f64], i: usize) -> (f64, f64) {
        let (mut fifth, mut third) = (0.0, 0.0);
        for (k, &(j, _)) in B.iter().enumerate() {
            let slope = slopes[j * self.width + i];
            fifth += E5[k] * slope;
            third += E3[k] * slope;
        }
        (fifth, third)
    }

    /// Error estimate of Hairer: the one of order 5, damped by that of order 3.
    #[inline(always)]
    fn size(&self, errors: impl Fn(usize) -> (f64, f64), tolerance: f64) -> f64 {
        let (mut fifth, mut third) = self.errors_of_time();
        for i in (0..self.springs.len()).chain(self.offset..self.offset + self.velocity.len()) {
            let (e5, e3) = errors(i);
            let scale = if i < self.offset { 1.0 / self.springs[i].reach } else { 1.0 };
            fifth = fifth.max(e5.abs() * scale);
            third = third.max(e3.abs() * scale);
        }
        if !(fifth.is_finite() && third.is_finite()) {
            return f64::INFINITY;
        }
        if fifth == 0.0 {
            return 0.0;
        }
        fifth * fifth / ((fifth * fifth + 0.01 * third * third).sqrt() * tolerance)
    }

    /// Rates and velocities at the end of the attempted step.
    pub fn finish(&mut self, local: &Local, scaled: &Scaled) {
        let mut gamma_end = std::mem::take(&mut self.gamma_end);
        let driven = &self.end[self.offset..];
        for (p, v) in gamma_end.iter_mut().enumerate() {
            // Rows of slides follow together.
            if p >= self.velocity.len() || self.springs.get(p).is_some_and(|spring| !spring.slides) {
                *v = self.gamma[p] + local.response.dot(p, driven);
            }
        }
        for (s, slide) in self.slidings.iter().enumerate() {
            let [normal, v @ ..] = self.sliding_velocity(local, s, driven);
            gamma_end[slide.driver] = normal;
            gamma_end[slide.rate..slide.rate + 2].copy_from_slice(&v);
        }
        self.gamma_end = gamma_end;
        let mut rate = std::mem::take(&mut self.rate_end);
        self.rates_moving(scaled.power, &self.end, &self.gamma_end, &mut rate);
        self.rate_end = rate;
        if self.course == Course::Clock {
            self.clock[1] = self.pace_end();
        }
        self.compare_parted();
    }

    /// δ of driver `a` at the beginning.
    pub fn delta(&self, a: usize) -> f64 {
        self.begin[a]
    }

    /// δ of driver `a` at the end.
    pub fn delta_end(&self, a: usize) -> f64 {
        self.end[a]
    }

    /// c of driver `a`.
    pub fn factor(&self, a: usize) -> f64 {
        self.springs[a].rate
    }

    /// Error scale of δ of driver `a`.
    pub fn reach(&self, a: usize) -> f64 {
        self.springs[a].reach
    }

    /// Whether the attempted step is that of one contact alone, in closed form.
    pub fn is_alone(&self) -> bool {
        self.course == Course::Alone
    }

    /// Impulses Q gained over the step.
    pub fn gained(&self) -> &[f64] {
        &self.end[self.offset..self.offset + self.velocity.len()]
    }

    /// Driving rates q at the beginning.
    pub fn driving(&self) -> &[f64] {
        &self.rate_begin[self.offset..self.offset + self.velocity.len()]
    }

    /// Whether no force acts at the beginning.
    pub fn forceless(&self) -> bool {
        self.driving().iter().all(|&q| q == 0.0)
    }

    /// Driving rates q at the end.
    pub fn driving_end(&self) -> &[f64] {
        &self.rate_end[self.offset..self.offset + self.velocity.len()]
    }

    /// Driving rates, up to a factor, at stage `i` of an explicit step, and its
    /// place τ/h; none where the stage stands still.
    pub fn stage(&self, i: usize) -> Option<(f64, &[f64])> {
        let at = i * self.width + self.offset;
        let x = C[i];
        let place = match self.course {
            Course::Plain | Course::Clock => x,
            Course::Begin => x * x,
            Course::End => 1.0 - (1.0 - x) * (1.0 - x),
            Course::Implicit | Course::Alone => return None,
        };
        Some((place, &self.slopes[at..at + self.velocity.len()]))
    }

    /// Work of slide `s` over an explicit step, ∫ v_t dP_t.
    pub fn slide_work(&self, s: usize) -> f64 {
        let (rate, count) = (self.slidings[s].rate, self.slidings.len());
        let mut work = 0.0;
        for &(i, b) in &B {
            let (v, at) = (self.noted[i * count + s], i * self.width + self.offset + rate);
            for (slope, v) in self.slopes[at..at + 2].iter().zip(v) {
                work += b * slope * v;
            }
        }
        work
    }

    /// Calls `visit` with the weight b_i, the impulses Q so far and their
    /// increments (which sum to [`gained`](Self::gained) with these weights)
    /// at each stage of the step: a quadrature along it. Only coarse for an
    /// implicit step.
    pub fn along(&self, mut visit: impl FnMut(f64, &[f64], &[f64])) {
        let count = self.velocity.len();
        if let Some(h) = self.length {
            visit(0.5 * h, &self.begin[self.offset..], self.driving());
            visit(0.5 * h, self.gained(), self.driving_end());
            return;
        }
        if self.course == Course::Alone {
            // Velocities are linear in the impulse, so the middle says all.
            return visit(1.0, &[0.5 * self.gained()[0]], self.gained());
        }
        for &(i, b) in &B {
            let at = i * self.width + self.offset;
            visit(b, &self.states[at..at + count], &self.slopes[at..at + count]);
        }
    }
}
