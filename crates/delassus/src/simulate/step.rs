//! Steps between events: size, acceptance, samples, and the ends that need no event.

use std::f64::consts::FRAC_PI_2;

use super::dynamics::NO_PIECE;
use super::mode::{ContactMode, along, heading, sliding};
use super::run::Runner;
use super::trajectory::Sample;
use crate::elementary::Elementary;
use crate::error::MODERATE;

/// Gaps that start at zero may fall this part of the bodies' size below it.
pub(super) const SLACK: f64 = 1e-13;

/// Steps below this part of the typical time are not shortened for what closed contacts drift.
const SHORT: f64 = 1e-5;
/// The error, in units of the tolerance, that a step is given whose closed contacts drift: it is tried again at about
/// half its size.
const DRIFTED: f64 = 20.0;

/// Contacts that slide more slowly than this part of what is round-off have no direction of their own,
const SLOW: f64 = 1e-3;
/// nor those that come to slide by this part of their speed at the start of a step: round-off would turn them.
const SLOWER: f64 = 1e-2;
/// Least number of steps of a run whose forces depend on time.
const LEAST_STEPS: f64 = 200.0;

impl Runner<'_> {
    /// Evaluates the accelerations at the start of a new smooth phase and
    /// limits its first step.
    pub fn begin_phase(&mut self) {
        self.find_open_pieces();
        self.set_pair_slack();
        self.turn_slides();
        let dynamics = &mut self.dynamics;
        self.method.begin(self.t, &self.y, &mut |t, y, rate| dynamics.rate(t, y, rate));
        self.watch.start.clone_from(&dynamics.contact_force);
        let zero = self.zero_speed();
        for c in 0..self.slack.len() {
            let (gap, gamma) = self.approach(c);
            let touching = gap <= self.units.gap;
            // A contact that starts at zero gap must not close before it has opened.
            // The slack is round-off: small hops stay far below the contact tolerance.
            let round_off = SLACK * self.units.size;
            self.slack[c] = match (touching, self.pair_of[c]) {
                (true, _) => round_off + (-gap).max(0.0),
                // A corner that just grazes a side must not be caught by its end.
                (false, Some(_)) => round_off,
                (false, None) => 0.0,
            };
            if let ContactMode::Slip(direction) = self.dynamics.mode.contacts[c] {
                // Where a slide starts, its velocity may still be round-off of the other sign.
                self.stop_slack[c] = 1e-2 * zero + (-along(direction, gamma)).max(0.0);
            }
            if touching && !self.dynamics.mode.contacts[c].is_closed() && gamma[0] > zero {
                // A hop lasts 2v/g: the first step must not miss it.
                let (n, nq) = (self.dynamics.n, self.dynamics.nq);
                let (q, u) = (&self.y[..nq], &self.y[nq..nq + n]);
                let acceleration = self.dynamics.contact_acceleration(c, self.t, q, u)[0];
                if acceleration < 0.0 {
                    self.h = self.h.min(0.1 * gamma[0] / -acceleration);
                }
            }
        }
    }

    /// The pieces that open contacts face: corners are watched on those during a step.
    fn find_open_pieces(&mut self) {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let (q, u) = (&self.y[..nq], &self.y[nq..nq + n]);
        for c in 0..self.slack.len() {
            if !self.dynamics.mode.contacts[c].is_closed() {
                self.dynamics.pieces[c] = self.dynamics.system.piece(c, q, u).unwrap_or(NO_PIECE);
            }
        }
    }

    /// Pairs that touch may overlap by round-off, or by what closed contacts drift.
    fn set_pair_slack(&mut self) {
        let q = &self.y[..self.dynamics.nq];
        for pair in 0..self.pair_slack.len() {
            let overlap = (-self.dynamics.system.separation(pair, q).1).max(0.0);
            let closed = self.is_closed(pair);
            self.pair_slack[pair] = overlap + if closed { 0.5 * self.units.gap } else { SLACK * self.units.size };
        }
    }

    /// Whether a contact of a pair of outlines is closed.
    fn is_closed(&self, pair: usize) -> bool {
        let mut contacts = self.pair_of.iter().zip(&self.dynamics.mode.contacts);
        contacts.any(|(of, mode)| *of == Some(pair) && mode.is_closed())
    }

    /// One step within the error tolerance, not yet accepted; `false` where none is small enough.
    pub fn step(&mut self) -> bool {
        let (q, u) = self.state();
        let mut limit = self.dynamics.system.longest_step(q, u).min(self.settings.max_step.unwrap_or(f64::INFINITY));
        if !self.dynamics.system.is_autonomous() {
            // Where everything rests only this lets steps see forces come and go.
            limit = limit.min(if self.until.bound { 1.0 / self.units.rate } else { self.until.time / LEAST_STEPS });
        }
        limit = limit.min(self.dynamics.system.next_break(self.t) - self.t);
        loop {
            let left = self.until.time - self.t;
            let mut h = self.h.min(limit);
            // No last step that is much smaller than the others.
            if h >= left || left - h < 1e-3 * h {
                h = left.min(limit);
            }
            self.step_by(h);
            let mut error = self.error();
            let drift = self.units.gap.max(self.settings.tolerance * self.units.size);
            if error <= 1.0 && h * self.units.rate > SHORT && self.closed_drift() > drift {
                // Conditions that contradict each other a little: what closed contacts leave open grows as h².
                error = DRIFTED;
            }
            if error <= 1.0 {
                let factor = if error > 0.0 { (0.9 * error.power(-0.2)).clamp(0.2, 8.0) } else { 8.0 };
                self.h = h * factor;
                return true;
            }
            self.trajectory.stats.rejected += 1;
            // A step that is not a number is cut until it is one.
            let factor = if error.is_finite() { (0.9 * error.power(-0.2)).max(0.1) } else { 0.1 };
            self.h = h * factor;
            if self.h <= 1e-15 * (self.t + 1.0 / self.units.rate) {
                return false;
            }
        }
    }

    /// How much farther the waiting step leaves closed contacts from their gap 0 than they were.
    fn closed_drift(&self) -> f64 {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let (time, q, u) = (self.t + self.pending, &self.trial[..nq], &self.trial[nq..nq + n]);
        let closed = (0..self.slack.len()).filter(|&c| self.dynamics.mode.contacts[c].is_closed());
        closed.fold(0.0, |most, c| {
            let (before, after) = (self.approach(c).0, self.dynamics.approach(c, time, q, u).0);
            most.max(after.abs() - before.abs())
        })
    }

    /// Steps by exactly `h`; the end waits in `trial`.
    pub fn step_by(&mut self, h: f64) {
        let (dynamics, start) = (&mut self.dynamics, self.t);
        let mut early = None;
        self.method.step(self.t, h, &mut |t, y, rate| {
            dynamics.rate(t, y, rate);
            if early.is_none() && dynamics.leaves_sets() {
                early = Some((t - start) / h);
            }
        });
        self.watch.end.clone_from(&self.dynamics.contact_force);
        self.early = early.filter(|x| (0.0..1.0).contains(x));
        self.trial.copy_from_slice(self.method.end());
        self.pending = h;
    }

    /// The estimated error in units of the tolerance.
    fn error(&self) -> f64 {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let mut worst = 0.0f64;
        // Works have no tolerance of their own, but must stay numbers.
        if self.trial[nq + n..].iter().any(|work| !work.is_finite()) {
            return f64::INFINITY;
        }
        for i in 0..nq + n {
            let size = self.trial[i].abs();
            let unit = if i < nq {
                // Far from the origin round-off must not stop the steps.
                self.units.positions[i].max(1e-4 * size)
            } else {
                (self.units.velocities[i - nq] * self.units.rate).max(size)
            };
            let error = self.method.error(i).abs() / unit;
            // `max` would swallow a NaN. Farther or faster, energies leave the range of numbers.
            if !error.is_finite() || size > MODERATE {
                return f64::INFINITY;
            }
            worst = worst.max(error);
        }
        worst / self.settings.tolerance
    }

    /// Takes the samples inside the waiting step and makes its end the state.
    pub fn accept(&mut self) {
        let end = self.t + self.pending;
        let end = if (self.until.time - end).abs() <= 4.0 * f64::EPSILON * end { self.until.time } else { end };
        self.note_peaks();
        if self.next_sample().is_some() {
            while let Some(time) = self.next_sample().filter(|time| *time < end) {
                let mut y = std::mem::take(&mut self.trial);
                self.method.interpolate((time - self.t) / self.pending, &mut y);
                std::mem::swap(&mut self.y, &mut y);
                let before = std::mem::replace(&mut self.t, time);
                // Redundant forces need directions that are dependent to round-off.
                self.project();
                self.sample_here();
                self.t = before;
                std::mem::swap(&mut self.y, &mut y);
                self.trial = y;
            }
            self.trial.copy_from_slice(self.method.end());
        }
        self.t = end;
        self.y.copy_from_slice(&self.trial);
        self.trajectory.stats.steps += 1;
        self.dynamics.system.normalise(&mut self.y[..self.dynamics.nq]);
        self.project();
        self.method.advance(&self.y);
        self.note_speed();
        self.turn_slides();
        self.note_energy();
        self.find_open_pieces();
        for c in 0..self.slack.len() {
            if self.dynamics.mode.contacts[c].is_closed() {
                continue;
            }
            let gap = self.approach(c).0;
            let round_off = SLACK * self.units.size;
            if gap > 2.0 * round_off {
                self.slack[c] = if self.pair_of[c].is_some() { round_off } else { 0.0 };
            }
            let depth = -gap / self.units.size;
            self.trajectory.stats.penetration = self.trajectory.stats.penetration.max(depth);
        }
        for pair in 0..self.pair_slack.len() {
            let (_, separation) = self.dynamics.system.separation(pair, &self.y[..self.dynamics.nq]);
            if separation > 2.0 * SLACK * self.units.size && !self.is_closed(pair) {
                self.pair_slack[pair] = SLACK * self.units.size;
            }
        }
    }

    /// In space directions of sliding turn with the velocity, and contacts run around rims.
    fn turn_slides(&mut self) {
        if self.dynamics.system.tangents() == 1 {
            return;
        }
        self.mark_creeping();
        for c in 0..self.slack.len() {
            if self.dynamics.mode.contacts[c].is_closed() {
                let (n, nq) = (self.dynamics.n, self.dynamics.nq);
                let (q, u) = (&self.y[..nq], &self.y[nq..nq + n]);
                if let Some(piece) = self.dynamics.system.piece(c, q, u) {
                    self.dynamics.pieces[c] = piece;
                }
            }
            if let ContactMode::Slip(direction) = self.dynamics.mode.contacts[c] {
                if self.dynamics.creeping[c] {
                    self.dynamics.slow[c] = f64::INFINITY;
                    continue;
                }
                let gamma = self.approach(c).1;
                let least = SLOW * self.zero_speed();
                let turned = heading(gamma, least);
                self.dynamics.mode.contacts[c] = ContactMode::Slip(if turned == [0.0; 2] { direction } else { turned });
                self.dynamics.slow[c] = least.max(SLOWER * sliding(gamma));
            }
        }
    }

    /// The time of the next sample.
    fn next_sample(&self) -> Option<f64> {
        match (&self.settings.sample_times, self.settings.sample_interval) {
            // The first sample is that of the start.
            (Some(times), _) => times.get(self.samples_taken.saturating_sub(1)).copied(),
            (None, Some(interval)) => Some(self.samples_taken as f64 * interval),
            (None, None) => None,
        }
    }

    /// Projects the state onto the conditions of the current mode.
    pub fn project(&mut self) {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let (q, rest) = self.y.split_at_mut(nq);
        let drift = self.dynamics.project(self.t, q, &mut rest[..n], &self.units);
        let stats = &mut self.trajectory.stats;
        stats.joint_drift = stats.joint_drift.max(drift.joints);
        stats.penetration = stats.penetration.max(drift.penetration);
    }

    /// Samples the current state.
    pub fn sample_here(&mut self) {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        self.dynamics.evaluate_idle(self.t, &self.y[..nq], &self.y[nq..nq + n]);
        let energy = self.note_energy();
        let (q, u) = self.state();
        let sample =
            Sample { time: self.t, q: q.to_vec(), u: u.to_vec(), forces: self.dynamics.contact_force.clone(), energy };
        self.trajectory.samples.push(sample);
        self.samples_taken += 1;
    }

    /// Whether the tilting body has reached a quarter turn.
    pub fn tilted(&self) -> bool {
        self.dynamics.system.tilt().is_some_and(|i| self.y[i].abs() >= FRAC_PI_2 * (1.0 - 1e-12))
    }

    /// Whether nothing moves and nothing will.
    pub fn at_rest(&self) -> bool {
        let nq = self.dynamics.nq;
        let rates = self.method.start_rate();
        let rate = self.units.rate;
        (0..self.dynamics.n).all(|i| {
            let scale = self.units.velocities[i];
            self.dynamics.system.rest_velocity(self.t, i).is_some_and(|v| {
                (self.y[nq + i] - v).abs() <= 1e-9 * scale * rate && rates[nq + i].abs() <= 1e-11 * scale * rate * rate
            })
        })
    }
}
