//! Events: where a contact changes its phase or grip.
//!
//! An event is a function g along the step that is positive before it. It is
//! *passed* when g < −tolerance, and *reached* when |g| ≤ tolerance after
//! having been positive.

use super::impact::Buffers;
use super::scaled::Role;
use super::state::{Grip, Phase};
use super::step::Step;
use super::thresholds::{friction, rate, speed};
use crate::elementary::Elementary;
use crate::small::sort_few;

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// v of the contact crosses zero upwards: compression ends.
    Turn(usize),
    /// v crosses zero downwards while δ > 0: a new compression.
    Recompress(usize),
    /// δ reaches zero in expansion.
    Open(usize),
    /// v < 0 at a contact without force.
    Approach(usize),
    /// A remembered gap closes.
    Close(usize),
    /// v_t of a slipping contact reaches zero.
    Rest(usize),
    /// Sticking contacts reach the static limit, or a locked clutch would pull.
    BreakAway,
    /// A free clutch (this row) reaches γ = 0.
    Engage(usize),
}

/// An event function at both ends of the attempted step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub kind: Kind,
    pub begin: f64,
    pub end: f64,
    /// dg/dτ at both ends; NaN where unknown.
    pub slope_begin: f64,
    pub slope_end: f64,
    pub tolerance: f64,
}

impl Event {
    /// Whether g was positive at the beginning.
    pub fn armed(&self) -> bool {
        self.begin > 2.0 * self.tolerance
    }

    /// Whether g is negative at the end. Where it began within round-off of
    /// zero, it must have fallen, and below round-off.
    pub fn passed(&self) -> bool {
        let limit = if self.armed() { self.tolerance } else { 2.0 * speed::SLOW.max(self.tolerance) };
        self.end < -limit && (self.armed() || self.end < self.begin) && !self.late()
    }

    /// Whether g began within round-off of zero and has left it so little that
    /// the event may as well happen at the end of the step.
    pub fn late(&self) -> bool {
        let limit = match self.kind {
            Kind::Turn(_) | Kind::Recompress(_) => 2.0 * speed::SLOW,
            Kind::Approach(_) => 10.0 * speed::SLOW,
            _ => return false,
        };
        self.begin <= speed::SLOW.max(2.0 * self.tolerance) && self.end < -speed::SLOW && self.end >= -limit
    }

    /// Whether g has come down to zero.
    pub fn reached(&self) -> bool {
        let falling = match self.kind {
            Kind::Open(_) => true,
            Kind::Close(_) => self.armed() || self.slope_end < -speed::SLOW,
            _ => self.armed(),
        };
        falling && self.end.abs() <= self.tolerance
    }

    /// Where g, positive at both ends of a step of length `h`, is negative
    /// between them, as τ/h; by the cubic Hermite interpolant. `clock` is dτ by what `h` is a length of, at both ends.
    fn dip(&self, h: f64, clock: [f64; 2]) -> Option<f64> {
        let falls_and_rises = self.slope_begin < 0.0 && self.slope_end > 0.0;
        // A contact that has just lost its force may approach again at once.
        let before = self.armed() || matches!(self.kind, Kind::Approach(_)) && self.begin >= -speed::SLOW;
        if !(falls_and_rises && before && self.end > 0.0) {
            return None;
        }
        let (s0, s1) = (h * clock[0] * self.slope_begin, h * clock[1] * self.slope_end);
        let (b, a) = (3.0 * (self.end - self.begin) - 2.0 * s0 - s1, s0 + s1 - 2.0 * (self.end - self.begin));
        let x = -s0 / (b + (b * b - 3.0 * a * s0).sqrt());
        let bottom = self.begin + x * (s0 + x * (b + x * a));
        (x > 0.0 && x < 1.0 && bottom < -10.0 * speed::SLOW).then_some(x)
    }

    /// Estimates where g = 0 in (0, h), for an event passed at h; `clock` as in [`dip`](Self::dip).
    pub fn root(&self, h: f64, clock: [f64; 2]) -> f64 {
        let near = self.end.abs() < 0.05 * self.begin.abs();
        if near && self.slope_end < 0.0 {
            return h - self.end / (clock[1] * self.slope_end);
        }
        if !(self.slope_begin.is_finite() && self.slope_end.is_finite()) {
            return h * self.begin.max(0.0) / (self.begin.max(0.0) - self.end);
        }
        // Cubic Hermite interpolant in x = τ/h, bracketed Newton.
        let (g0, g1) = (self.begin, self.end);
        let (s0, s1) = (h * clock[0] * self.slope_begin, h * clock[1] * self.slope_end);
        let (b, a) = (3.0 * (g1 - g0) - 2.0 * s0 - s1, s0 + s1 - 2.0 * (g1 - g0));
        let (mut low, mut high, mut x) = (0.0, 1.0, 0.5);
        if g0 > 0.0 {
            x = g0 / (g0 - g1);
        }
        for _ in 0..12 {
            let value = g0 + x * (s0 + x * (b + x * a));
            if value > 0.0 {
                low = x
            } else {
                high = x
            }
            let next = x - value / (s0 + x * (2.0 * b + 3.0 * x * a));
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            if (next - x).abs() < 1e-10 {
                break;
            }
            x = next;
        }
        x * h
    }
}

/// Stages at which they are: 0.28, 0.6 and 0.86 of the step.
const COARSE: [usize; 3] = [4, 9, 10];

const FINE: [usize; 4] = [1, 3, 5, 8];

/// Contact `c` is at rest at the end of the step, from whatever direction.
fn at_rest(c: usize) -> Event {
    let slope = f64::NAN;
    Event {
        kind: Kind::Rest(c),
        begin: 3.0 * speed::STANDSTILL,
        end: 0.0,
        slope_begin: slope,
        slope_end: slope,
        tolerance: speed::STANDSTILL,
    }
}

impl Buffers {
    /// Lists the events that the attempted step reached or passed, and the
    /// `target` in any case. `touch` is the tolerance of δ.
    pub(super) fn scan(&mut self, h: f64, touch: f64, target: Option<Kind>) {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        let mut dip: Option<(f64, Kind)> = None;
        let clock = self.step.clock;
        let mut add = |event: Event| {
            if event.passed() || event.reached() || event.late() || target == Some(event.kind) {
                events.push(event);
            } else if let Some(place) = event.dip(h, clock)
                && dip.is_none_or(|d| place < d.0)
            {
                dip = Some((place, event.kind));
            }
        };
        // A velocity whose ends add up to more can hardly reach zero between
        // them and return: accelerations are about as large as driving rates.
        let largest = |q: &[f64]| q.iter().fold(0.0_f64, |m, q| m.max(q.abs()));
        let near = h * clock[0].max(clock[1]) * largest(self.step.driving()).max(largest(self.step.driving_end()));
        self.scan_normals(near, touch, target, &mut add);
        self.scan_others(near, target, &mut add);
        self.scan_slides(near, target, &mut add);
        self.hold.dip = None;
        self.scan_held(&mut add);
        self.hold.dip = match (self.hold.dip, dip) {
            (Some(a), Some(b)) => Some(if a.0 < b.0 { a } else { b }),
            (a, b) => a.or(b),
        };
        self.events = events;
    }

    /// Whether sign · γ of local row `p` falls and rises, close to zero.
    #[inline]
    fn may_dip(&self, p: usize, sign: f64, near: f64) -> bool {
        let response = &self.local.response;
        sign * (self.step.gamma[p] + self.step.gamma_end[p]) < near
            && sign * response.dot(p, self.step.driving_end()) > 0.0
            && sign * response.dot(p, self.step.driving()) < 0.0
    }

    /// g = sign · γ of local row `p`.
    fn velocity_event(&self, kind: Kind, p: usize, sign: f64, tolerance: f64) -> Event {
        let response = &self.local.response;
        Event {
            kind,
            begin: sign * self.step.gamma[p],
            end: sign * self.step.gamma_end[p],
            slope_begin: sign * response.dot(p, self.step.driving()),
            slope_end: sign * response.dot(p, self.step.driving_end()),
            tolerance,
        }
    }

    /// Whether contact `c` with friction waits until it approaches, since no
    /// force that reaches it says yet whether it will stick.
    pub(super) fn waits(&self, c: usize, approach: &Event) -> bool {
        if self.contacts[c].grip == Grip::Smooth || approach.begin < -speed::SLOW {
            return false;
        }
        let largest = self.step.driving().iter().fold(0.0_f64, |m, q| m.max(q.abs()));
        approach.slope_begin.abs() <= rate::NO_RATE * largest
    }

    /// Whether the velocity of an event rises in the first instant, though no
    /// force acts at the beginning: then its slope there is zero, and the rates
    /// at the onset say where it goes.
    pub(super) fn rises_at_onset(&self, event: &Event) -> bool {
        if !self.step.forceless() {
            return false;
        }
        let (row, sign) = match event.kind {
            Kind::Approach(c) => (self.scaled.contacts[c].normal, 1.0),
            Kind::Turn(c) => (self.scaled.contacts[c].normal, -1.0),
            Kind::Rest(c) => match self.contacts[c].grip {
                Grip::Slip(sign) => (self.scaled.contacts[c].tangent, sign),
                _ => return false,
            },
            Kind::Engage(row) => (row, 1.0),
            _ => return false,
        };
        self.local.find(row).is_some_and(|p| sign * self.local.response.dot(p, &self.hold.onset) > rate::NO_RATE)
    }

    /// g = sign · δ of driver `a`, relative to its scale.
    fn compression_event(&self, kind: Kind, a: usize, sign: f64, tolerance: f64) -> Event {
        let step = &self.step;
        let scale = sign / step.reach(a);
        Event {
            kind,
            begin: scale * step.delta(a),
            end: scale * step.delta_end(a),
            slope_begin: -scale * step.factor(a) * step.gamma[a],
            slope_end: -scale * step.factor(a) * step.gamma_end[a],
            tolerance,
        }
    }

    fn scan_normals(&self, near: f64, touch: f64, target: Option<Kind>, add: &mut impl FnMut(Event)) {
        for (a, &c) in self.local.drivers.iter().enumerate() {
            let v = self.step.gamma_end[a];
            match self.contacts[c].phase {
                Phase::Compression => {
                    if v >= -speed::EXACT || self.may_dip(a, -1.0, near) || target == Some(Kind::Turn(c)) {
                        add(self.velocity_event(Kind::Turn(c), a, -1.0, speed::EXACT));
                    }
                }
                Phase::Expansion => {
                    add(self.compression_event(Kind::Open(c), a, 1.0, touch));
                    if v <= speed::EXACT || self.may_dip(a, 1.0, near) || target == Some(Kind::Recompress(c)) {
                        add(self.velocity_event(Kind::Recompress(c), a, 1.0, speed::EXACT));
                    }
                }
                Phase::Gap => add(self.compression_event(Kind::Close(c), a, -1.0, touch)),
                Phase::Idle => {}
            }
        }
    }

    /// Rows that no driving rate belongs to.
    fn scan_others(&self, near: f64, target: Option<Kind>, add: &mut impl FnMut(Event)) {
        for p in self.local.rates..self.local.rows.len() {
            let row = self.local.rows[p];
            let v = self.step.gamma_end[p];
            match self.scaled.role[row] {
                Role::Normal(c)
                    if v < speed::SLOW || self.may_dip(p, 1.0, near) || target == Some(Kind::Approach(c)) =>
                {
                    add(self.velocity_event(Kind::Approach(c), p, 1.0, speed::EXACT))
                }
                Role::Tangent(c) if self.contacts[c].phase.pushes() && row == self.scaled.contacts[c].tangent => {
                    if let Grip::Slip(sign) = self.contacts[c].grip
                        && (sign * v < speed::SLOW || self.may_dip(p, sign, near) || target == Some(Kind::Rest(c)))
                    {
                        add(self.velocity_event(Kind::Rest(c), p, sign, speed::EXACT));
                    }
                }
                Role::Clutch
                    if !self.locked[row]
                        && (v < speed::SLOW || self.may_dip(p, 1.0, near) || target == Some(Kind::Engage(row))) =>
                {
                    add(self.velocity_event(Kind::Engage(row), p, 1.0, speed::EXACT));
                }
                _ => {}
            }
        }
    }

    /// Sliding in two directions ends when v_t, seen along its old direction,
    /// is about to vanish.
    fn scan_slides(&self, near: f64, target: Option<Kind>, add: &mut impl FnMut(Event)) {
        for (s, slide) in self.local.slides.iter().enumerate() {
            let c = self.local.drivers[slide.driver];
            let Grip::Slide { direction, slow } = self.contacts[c].grip else { continue };
            let v = [0, 1].map(|k| self.step.gamma[slide.rate + k]);
            let w = [0, 1].map(|k| self.step.gamma_end[slide.rate + k]);
            let speed = v[0].hypotenuse(v[1]);
            let speed_end = w[0].hypotenuse(w[1]);
            if slow {
                // It may also turn out to be pushed back.
                let along = |x: [f64; 2]| direction[0] * x[0] + direction[1] * x[1] + 0.6 * speed::HOVERING;
                add(Event {
                    kind: Kind::Rest(c),
                    begin: along(v),
                    end: along(w),
                    slope_begin: f64::NAN,
                    slope_end: f64::NAN,
                    tolerance: 0.2 * speed::HOVERING,
                });
                // Sliding that has just begun becomes faster; only what slows down can come to rest.
                if speed_end < 0.7 * speed && (speed > speed::STANDSTILL || speed_end < speed::NOT_STARTED) {
                    add(at_rest(c));
                }
                continue;
            }
            if speed_end <= speed::STANDSTILL || speed.max(speed_end) <= speed::HOVERING {
                add(at_rest(c));
                continue;
            }
            let along = |x: [f64; 2]| (x[0] * v[0] + x[1] * v[1]) / speed;
            // Where few contacts make steps short the accelerations of all others cannot bring them to rest and back.
            let far = along(w) > speed::STANDSTILL && speed + along(w) > 4.0 * near;
            if self.step.is_parted() && far && target != Some(Kind::Rest(c)) {
                continue;
            }
            let acceleration = |q: &[f64]| {
                let [_, tangential @ ..] = self.local.sliding.dot(s, q);
                tangential
            };
            add(Event {
                kind: Kind::Rest(c),
                begin: speed - 0.5 * speed::STANDSTILL,
                end: along(w) - 0.5 * speed::STANDSTILL,
                slope_begin: along(acceleration(self.step.driving())),
                slope_end: along(acceleration(self.step.driving_end())),
                tolerance: 0.5 * speed::STANDSTILL,
            });
        }
    }

    /// Static limits and locked clutches, all in one function: the least margin.
    fn scan_held(&mut self, add: &mut impl FnMut(Event)) {
        // One contact alone bears the same share at all times.
        if self.hold.stuck.is_empty() && self.scaled.clutches.is_empty() || self.step.is_alone() {
            return;
        }
        let mut step = std::mem::take(&mut self.step);
        let begin = self.hold.margin.unwrap_or_else(|| self.margin(step.driving()));
        let end = self.margin(step.driving_end());
        (self.hold.margin, self.hold.margin_end) = (Some(begin), Some(end));
        // In a step that few contacts make short the margin changes little.
        let near = if step.is_parted() { friction::CLOSE } else { friction::NEAR };
        if begin.min(end) < near && end > 0.0 {
            self.hold.dip = self.find_dip(&mut step, begin, end).map(|place| (place, Kind::BreakAway));
        }
        self.step = step;
        let tolerance = 0.4 * (friction::LIMIT - 1.0);
        add(Event { kind: Kind::BreakAway, begin, end, slope_begin: f64::NAN, slope_end: f64::NAN, tolerance });
    }

    /// Where within a step, as τ/h, the margin of static friction is used up
    /// though it is not at the end, by stages and a parabola about the lowest.
    fn find_dip(&mut self, step: &mut Step, begin: f64, end: f64) -> Option<f64> {
        let mut points = [(0.0, begin); COARSE.len() + FINE.len() + 2];
        let mut count = 1;
        let mut lowest = begin.min(end);
        for stages in [&COARSE[..], &FINE] {
            for &i in stages {
                step.fill_stage(i);
                let (place, q) = step.stage(i)?;
                points[count] = (place, self.margin(q));
                lowest = lowest.min(points[count].1);
                count += 1;
            }
            if lowest > friction::CLOSE {
                return None;
            }
        }
        points[count] = (1.0, end);
        let points = &mut points[..=count];
        sort_few(points, |a, b| a.0.total_cmp(&b.0));
        let k = (1..count).min_by(|&i, &j| points[i].1.total_cmp(&points[j].1))?;
        let [a, b, c] = [points[k - 1], points[k], points[k + 1]];
        if b.1 < 0.0 {
            return Some(b.0);
        }
        // m = m_b + (x − b)(s + κ(x − b)).
        let slope = |p: (f64, f64)| (p.1 - b.1) / (p.0 - b.0);
        let curvature = (slope(c) - slope(a)) / (c.0 - a.0);
        let s = slope(c) - curvature * (c.0 - b.0);
        let bottom = -0.5 * s / curvature;
        let place = b.0 + bottom;
        (curvature > 0.0 && place > a.0 && place < c.0 && b.1 + 0.5 * bottom * s < 0.0).then_some(place)
    }
}
