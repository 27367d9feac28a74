//! Events: which conditions a step violates at its end, and when each began to.

use std::f64::consts::FRAC_PI_2;

use super::dynamics::NO_PIECE;
use super::mode::{ContactMode, along};
use super::rows::Row;
use super::run::Runner;

/// A condition of the current mode that stops a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Trigger {
    /// An open contact's gap closes.
    Gap(usize),
    /// The last side that separates two outlines ceases to.
    Pair {
        /// Which outlines.
        pair: usize,
        /// Which side.
        side: usize,
    },
    /// A closed contact leaves the piece of its partner that it is on.
    Leave(usize),
    /// A closed contact's normal force vanishes.
    Release(usize),
    /// A sticking contact reaches its static limit.
    Limit(usize),
    /// A sliding contact stops.
    Stop(usize),
    /// A free clutch comes to γ = 0.
    Engage(usize),
    /// An engaged clutch's force vanishes.
    Disengage(usize),
    /// Redundant forces: no sharing of them fits the mode any more.
    Sharing,
    /// The tilting body reaches a quarter turn.
    Tilt,
}

/// Bounds on the motion within a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Speed of any point \[m/s\].
    speed: f64,
    /// Its acceleration \[m/s²\].
    acceleration: f64,
}

impl Trigger {
    /// Whether forces stop the step.
    pub fn is_of_forces(self) -> bool {
        matches!(self, Self::Release(_) | Self::Limit(_) | Self::Disengage(_) | Self::Sharing)
    }
}

/// Forces are allowed to violate their condition by this part of the
/// accelerations, so that at an event the violation is definite.
const MARGIN: f64 = 1e-11;
/// The same for redundant forces.
const SHARING: f64 = 1e-10;
/// So often an event is looked for again because forces left their sets before it.
const LEFT_SETS: usize = 4;
/// The interpolant locates events to this part of a step at least.
const CORRECTION: f64 = 1e-4;
/// So often a step is halved where the interpolant does not locate an event.
const STEPS_BACK: usize = 40;
/// A whole step.
const WHOLE: [f64; 2] = [0.0, 1.0];
/// A step is looked at so many times to see whether a gap closes within it,
const LOOKS: usize = 120;
/// the last ones of them evenly;
const EVEN_LOOKS: usize = 16;
/// a gap is nearly straight where its slope changes by less than this part of it until it closes.
const STRAIGHT: f64 = 0.1;
/// So many sides may take turns in separating two outlines within a step.
const SIDES: usize = 16;

impl Runner<'_> {
    /// The conditions that the waiting step violates, each with the fractions
    /// of the step between which it surely began (0 and 1 for most).
    pub fn scan(&mut self) -> Vec<(Trigger, [f64; 2])> {
        let mut found = Vec::new();
        // The last evaluation of the step was at its end.
        self.push_forces(1.0, &mut found);
        if found.is_empty() {
            // A force that left its set within the step may be back at its end.
            found = self.forces_that_left();
        }
        let time = self.t + self.pending;
        let trial = std::mem::take(&mut self.trial);
        let bounds = self.bounds(&trial);
        for c in 0..self.slack.len() {
            let mode = self.dynamics.mode.contacts[c];
            match mode {
                ContactMode::Open => {
                    if let Some(until) = self.closing(c, &trial, bounds) {
                        found.push((Trigger::Gap(c), [0.0, until]));
                    }
                }
                ContactMode::Slip(_) if self.value(Trigger::Stop(c), time, &trial) < 0.0 => {
                    found.push((Trigger::Stop(c), WHOLE));
                }
                _ => {}
            }
            if mode.is_closed() && self.value(Trigger::Leave(c), time, &trial) < 0.0 {
                found.push((Trigger::Leave(c), WHOLE));
            }
        }
        for pair in 0..self.pair_slack.len() {
            if let Some((side, range)) = self.overlapping(pair, &trial, bounds) {
                found.push((Trigger::Pair { pair, side }, range));
            }
        }
        for i in 0..self.dynamics.mode.clutches.len() {
            if !self.dynamics.mode.clutches[i] && self.value(Trigger::Engage(i), time, &trial) < 0.0 {
                found.push((Trigger::Engage(i), WHOLE));
            }
        }
        if self.until.overturned
            && self.dynamics.system.tilt().is_some()
            && self.value(Trigger::Tilt, time, &trial) < 0.0
        {
            found.push((Trigger::Tilt, WHOLE));
        }
        self.trial = trial;
        found
    }

    /// Whether an open contact closes within the step, and before which fraction of it.
    fn closing(&mut self, c: usize, end: &[f64], bounds: Bounds) -> Option<f64> {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        if self.pair_of[c].is_some() {
            let piece = self.dynamics.pieces[c];
            // Where a corner changes its side or faces none, its pair of outlines is what is watched.
            if piece == NO_PIECE || self.dynamics.system.piece(c, &end[..nq], &end[nq..nq + n]) != Some(piece) {
                return None;
            }
        }
        let bend = self.bend(bounds, self.dynamics.system.sharpness(c));
        let mut inside = Vec::new();
        let mut value = |x: f64| {
            let y = self.within_step(x, end, &mut inside);
            let (gap, gamma) = self.watched(c, self.t + x * self.pending, &y[..nq], &y[nq..nq + n]);
            let height = gap + self.slack[c];
            (height, safe_length(height, gamma[0] * self.pending, bend))
        };
        first_negative(&mut value, 0.0)
    }

    /// Whether two outlines overlap within the step: the side that separates
    /// them last, and the fractions of the step between which it ceases to. A
    /// side that separated them and no longer does has changed sign, however
    /// far the outlines went through each other meanwhile.
    fn overlapping(&self, pair: usize, end: &[f64], bounds: Bounds) -> Option<(usize, [f64; 2])> {
        let (system, slack) = (self.dynamics.system, self.pair_slack[pair]);
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let mut inside = Vec::new();
        let bend = self.bend(bounds, 0.0);
        let (mut from, mut side) = (0.0, system.separation(pair, &self.y[..nq]).0);
        for _ in 0..SIDES {
            let mut value = |x: f64| {
                let y = self.within_step(x, end, &mut inside);
                let (mut height, mut safe) = (f64::INFINITY, f64::INFINITY);
                system.corners_by(pair, side, &y[..nq], &y[nq..nq + n], &mut |distance, rate| {
                    height = height.min(distance + slack);
                    safe = safe.min(safe_length(distance + slack, rate * self.pending, bend));
                });
                (height, safe)
            };
            let mut until = first_negative(&mut value, from)?;
            let range = [from, until];
            for _ in 0..40 {
                let x = 0.5 * (from + until);
                if value(x).0 < 0.0 { until = x } else { from = x }
            }
            let (next, apart) = system.separation(pair, &self.within_step(until, end, &mut inside)[..nq]);
            if next == side || apart + slack < 0.0 {
                return Some((side, range));
            }
            (from, side) = (until, next);
        }
        // Sides that take turns without end: the last place at which one of them ceased to separate.
        Some((side, [from, 1.0]))
    }

    /// The state at a fraction of the waiting step that ends at `end`.
    fn within_step<'b>(&'b self, x: f64, end: &'b [f64], inside: &'b mut Vec<f64>) -> &'b [f64] {
        if x <= 0.0 {
            return &self.y;
        }
        if x >= 1.0 {
            return end;
        }
        inside.resize(end.len(), 0.0);
        self.method.interpolate(x, inside);
        inside
    }

    /// Bounds on what moves in the waiting step that ends at `end`.
    pub fn bounds(&self, end: &[f64]) -> Bounds {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let length = |i: usize| self.units.size / self.units.velocities[i];
        let (mut speed, mut acceleration) = (0.0f64, 0.0f64);
        for i in 0..n {
            speed = speed.max(length(i) * self.y[nq + i].abs().max(end[nq + i].abs()));
            let rates = [self.method.start_rate()[nq + i], self.method.end_rate()[nq + i]];
            acceleration = acceleration.max(length(i) * rates[0].abs().max(rates[1].abs()));
        }
        Bounds { speed, acceleration }
    }

    /// A bound on the second derivative, with respect to the fraction of the
    /// waiting step, of distances between points and sides of two bodies;
    /// `sharpness` is the largest curvature of what they touch with.
    pub fn bend(&self, bounds: Bounds, sharpness: f64) -> f64 {
        // n·a, 2ṅ·v and n̈·r, each of two bodies that translate and turn.
        let turning = sharpness.max(1.0 / self.units.size);
        8.0 * self.pending * self.pending * (bounds.acceleration + bounds.speed * bounds.speed * turning)
    }

    /// Gap and velocities by which an open contact is watched during a step: a
    /// corner on the side that it faced at the start, others on what they face.
    fn watched(&self, c: usize, t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]) {
        match (self.pair_of[c], self.dynamics.pieces[c]) {
            (None, _) => self.dynamics.system.approach(c, t, q, u),
            (Some(_), NO_PIECE) => (f64::INFINITY, [0.0; 3]),
            (Some(_), piece) => self.dynamics.system.approach_on(c, piece, t, q, u),
        }
    }

    /// The conditions on forces that the last evaluation violates; it was at that fraction of the step.
    fn push_forces(&self, until: f64, found: &mut Vec<(Trigger, [f64; 2])>) {
        let rows = &self.dynamics.rows;
        let violated = (0..rows.len()).filter(|&row| self.force_margin(row) < 0.0);
        if rows.is_redundant() {
            if self.dynamics.contradicts() || violated.count() > 0 {
                found.push((Trigger::Sharing, [0.0, until]));
            }
        } else {
            found.extend(violated.filter_map(|row| Some((force_trigger(rows.kinds[row])?, [0.0, until]))));
        }
    }

    /// How far a force of the last evaluation is from an event.
    fn force_margin(&self, row: usize) -> f64 {
        let allowed = if self.dynamics.rows.is_redundant() { SHARING } else { MARGIN };
        self.dynamics.margin(row) + allowed * self.doubt * self.dynamics.unit
    }

    /// A function of the state that is negative once the trigger has happened.
    fn value(&mut self, trigger: Trigger, t: f64, y: &[f64]) -> f64 {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let (q, u) = (&y[..nq], &y[nq..nq + n]);
        match trigger {
            Trigger::Gap(c) => self.watched(c, t, q, u).0 + self.slack[c],
            Trigger::Pair { pair, side } => self.dynamics.system.separation_by(pair, side, q) + self.pair_slack[pair],
            Trigger::Leave(c) => self.dynamics.system.within(c, self.dynamics.pieces[c], q, u),
            Trigger::Stop(c) => {
                let direction = match self.dynamics.mode.contacts[c] {
                    ContactMode::Slip(direction) => direction,
                    _ => [0.0; 2],
                };
                along(direction, self.dynamics.approach(c, t, q, u).1) + self.stop_slack[c]
            }
            Trigger::Release(_) | Trigger::Limit(_) | Trigger::Disengage(_) => {
                self.dynamics.evaluate(t, q, u);
                let row = self.dynamics.rows.kinds.iter().position(|kind| force_trigger(*kind) == Some(trigger));
                row.map_or(0.0, |row| self.force_margin(row))
            }
            Trigger::Engage(i) => self.dynamics.clutch_rate(i, t, q, u)[0] + 1e-2 * self.zero_speed() / self.units.size,
            Trigger::Sharing => {
                self.dynamics.evaluate(t, q, u);
                // Forces that just fit stay at their limits: only the sign tells anything.
                let fits = |row| self.force_margin(row) >= 0.0;
                if !self.dynamics.contradicts() && (0..self.dynamics.rows.len()).all(fits) { 1.0 } else { -1.0 }
            }
            Trigger::Tilt => self.dynamics.system.tilt().map_or(1.0, |i| FRAC_PI_2 - q[i].abs()),
        }
    }

    /// Finds the earliest of the triggers and steps there: the state at an
    /// event is the end of a step, never an interpolant.
    pub fn locate(&mut self, found: &[(Trigger, [f64; 2])]) -> Trigger {
        let mut trigger = self.step_to_first(found);
        for _ in 0..LEFT_SETS {
            // Forces may leave their sets within what is now the whole step.
            let earlier = self.forces_that_left();
            if earlier.is_empty() {
                break;
            }
            trigger = self.step_to_first(&earlier);
        }
        trigger
    }

    fn step_to_first(&mut self, found: &[(Trigger, [f64; 2])]) -> Trigger {
        let full = self.pending;
        let mut y = std::mem::take(&mut self.trial);
        let mut first = (f64::INFINITY, found[0].0);
        for &(trigger, range) in found {
            let x = self.root(trigger, range, &mut y);
            if x < first.0 {
                first = (x, trigger);
            }
        }
        self.trial = y;
        let (x, trigger) = first;
        let mut h = x * full;
        self.step_by(h);
        // The interpolant is of order 4; correct the size of the step itself.
        let continuous = trigger != Trigger::Sharing;
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..if continuous { 6 } else { 0 } {
            let trial = std::mem::take(&mut self.trial);
            let value = self.value(trigger, self.t + h, &trial);
            self.trial = trial;
            let slope = match last {
                Some((h0, v0)) if h != h0 => (value - v0) / (h - h0),
                _ => self.slope(trigger, h, value),
            };
            let change = -value / slope;
            if !change.is_finite() || change.abs() <= 2.0 * f64::EPSILON * (self.t + h) {
                break;
            }
            last = Some((h, value));
            let next = (h + change).clamp(0.0, full);
            // More than the interpolant can be off: the value has a kink there.
            if next == h || (next - x * full).abs() > CORRECTION * full {
                break;
            }
            h = next;
            self.step_by(h);
        }
        if matches!(trigger, Trigger::Gap(_) | Trigger::Pair { .. }) {
            self.step_back(trigger);
        }
        trigger
    }

    /// Where the waiting step ends well beyond the trigger, because the interpolant by which it was found is off by
    /// more than the motion, the trigger is found by whole steps.
    fn step_back(&mut self, trigger: Trigger) {
        let value = |runner: &mut Self| {
            let trial = std::mem::take(&mut runner.trial);
            let value = runner.value(trigger, runner.t + runner.pending, &trial);
            runner.trial = trial;
            value
        };
        if value(self) >= -0.1 * self.units.gap {
            return;
        }
        let (mut low, mut high) = (0.0, self.pending);
        self.step_by(low);
        if value(self) < 0.0 {
            self.step_by(high);
            return;
        }
        for _ in 0..STEPS_BACK {
            let middle = 0.5 * (low + high);
            self.step_by(middle);
            if value(self) < 0.0 { high = middle } else { low = middle }
        }
        self.step_by(high);
    }

    /// The conditions on forces that are violated where a force was first seen
    /// outside its set within the waiting step, which may become shorter.
    fn forces_that_left(&mut self) -> Vec<(Trigger, [f64; 2])> {
        let mut found = Vec::new();
        if let Some(early) = self.early {
            let mut y = vec![0.0; self.trial.len()];
            self.method.interpolate(early, &mut y);
            let (n, nq) = (self.dynamics.n, self.dynamics.nq);
            self.dynamics.evaluate(self.t + early * self.pending, &y[..nq], &y[nq..nq + n]);
            self.push_forces(early, &mut found);
            if found.is_empty() {
                // The interpolant may be spoilt by a singular end of the step: only a step to that place tells.
                let whole = self.pending;
                self.step_by(early * whole);
                self.push_forces(1.0, &mut found);
                if found.is_empty() {
                    self.step_by(whole);
                }
            }
        }
        found
    }

    /// d value/dt near the end of the waiting step.
    fn slope(&mut self, trigger: Trigger, h: f64, value: f64) -> f64 {
        if let Trigger::Gap(c) = trigger {
            let (n, nq) = (self.dynamics.n, self.dynamics.nq);
            let (q, u) = (&self.trial[..nq], &self.trial[nq..nq + n]);
            return self.watched(c, self.t + h, q, u).1[0];
        }
        let mut y = vec![0.0; self.trial.len()];
        let x = 1.0 - 1e-4;
        self.method.interpolate(x, &mut y);
        let before = self.value(trigger, self.t + x * h, &y);
        (value - before) / ((1.0 - x) * h)
    }

    /// The fraction of the step at which a trigger's value first vanishes, by
    /// the Illinois rule on the interpolant; the value there is negative, also where it jumps.
    fn root(&mut self, trigger: Trigger, range: [f64; 2], y: &mut [f64]) -> f64 {
        let step = self.pending;
        let mut at = |runner: &mut Self, x: f64| {
            runner.method.interpolate(x, y);
            runner.value(trigger, runner.t + x * step, y)
        };
        let [mut low, mut high] = range;
        let (mut low_value, mut high_value) = (at(self, low), at(self, high));
        if low_value < 0.0 {
            return low;
        }
        let tolerance = 1e-13_f64.max(4.0 * f64::EPSILON * self.t / step);
        let mut side = 0;
        for _ in 0..80 {
            if high - low <= tolerance {
                break;
            }
            let mut x = high - high_value * (high - low) / (high_value - low_value);
            if !(x > low && x < high) {
                x = 0.5 * (low + high);
            }
            let value = at(self, x);
            if value < 0.0 {
                (high, high_value) = (x, value);
                if side == 1 {
                    low_value *= 0.5;
                }
                side = 1;
            } else {
                (low, low_value) = (x, value);
                if side == -1 {
                    high_value *= 0.5;
                }
                side = -1;
            }
            if value == 0.0 {
                return x;
            }
        }
        high
    }
}

/// How far a function of this height and slope, whose second derivative is at most `bend`, surely stays positive; a
/// little beyond its zero where it is nearly straight until there.
fn safe_length(height: f64, slope: f64, bend: f64) -> f64 {
    let height = height.max(0.0);
    // To where the parabola that bends down as fast as can be meets zero.
    let safe = (slope + (slope * slope + 2.0 * bend * height).sqrt()) / bend;
    let straight = -height / slope;
    if slope < 0.0 && bend * straight < -STRAIGHT * slope { safe.max(1.01 * straight) } else { safe }
}

/// The first place found between `a` and 1 at which a function is negative. It is given with the length for which it
/// surely stays positive, and followed in steps of that length.
fn first_negative(value: &mut impl FnMut(f64) -> (f64, f64), mut a: f64) -> Option<f64> {
    let mut length = value(a).1;
    for left in (0..LOOKS).rev() {
        if left < EVEN_LOOKS {
            // Where it stays near zero all along, the rest of the step is looked at evenly.
            length = length.max((1.0 - a) / (left + 1) as f64);
        }
        // Where nothing bends and nothing falls there is no length.
        let b = if length < 1.0 - a { a + length } else { 1.0 };
        let (height, next) = value(b);
        if height < 0.0 {
            return Some(b);
        }
        if b >= 1.0 {
            return None;
        }
        (a, length) = (b, next);
    }
    None
}

/// The trigger that watches the force of a row.
fn force_trigger(kind: Row) -> Option<Trigger> {
    match kind {
        Row::Normal(c) => Some(Trigger::Release(c)),
        Row::Tangent(c, _) => Some(Trigger::Limit(c)),
        Row::Clutch(c) => Some(Trigger::Disengage(c)),
        Row::Joint => None,
    }
}
