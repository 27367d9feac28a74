//! Events: which conditions a step violates at its end, and when each began to.

mod closing;
mod locate;

use std::f64::consts::FRAC_PI_2;

pub(super) use closing::Bounds;

use super::dynamics::{Dynamics, NO_PIECE};
use super::keep::Exchange;
use super::mode::{ContactMode, along};
use super::motion::{Approach, MovingSystem};
use super::rows::Row;
use super::steps::Steps;
use super::thresholds::{force, length, speed, time};

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

impl Trigger {
    /// Whether forces stop the step.
    pub fn is_of_forces(self) -> bool {
        matches!(self, Self::Release(_) | Self::Limit(_) | Self::Disengage(_) | Self::Sharing)
    }

    /// The trigger that watches the force of a row.
    fn of_force(kind: Row) -> Option<Self> {
        match kind {
            Row::Normal(c) => Some(Self::Release(c)),
            Row::Tangent(c, _) => Some(Self::Limit(c)),
            Row::Clutch(c) => Some(Self::Disengage(c)),
            Row::Joint => None,
        }
    }
}

/// A condition that a step violates, with the fractions of the step between which it surely began to.
type Violation = (Trigger, [f64; 2]);

/// A whole step.
const WHOLE: [f64; 2] = [0.0, 1.0];

/// Watches the conditions of a mode during steps.
pub(super) struct Events {
    /// Per contact, how far below 0 the gap may fall before it counts as closing.
    slack: Vec<f64>,
    /// Per contact that slides, how far its velocity may lie beyond a stop.
    stop_slack: Vec<f64>,
    /// Per contact of outlines, their pair.
    pair_of: Vec<Option<usize>>,
    /// Per pair of outlines, how far its separation may fall below 0.
    pair_slack: Vec<f64>,
    /// Factor on the tolerance with which forces are held against their sets (contacts push, friction stays within its
    /// limit). One as a rule; it grows where such an event is found, but the selection of a mode changes nothing.
    pub doubt: f64,
    /// Whether a quarter turn of the tilting body is an event.
    tilt: bool,
    /// What the last scan found.
    found: Vec<Violation>,
    /// A state within a step.
    inside: Vec<f64>,
    /// The end of the step that is looked at.
    end: Vec<f64>,
}

impl Events {
    pub fn new(motion: &MovingSystem<'_>, tilt: bool) -> Self {
        let (system, contacts) = (motion.system(), motion.contacts());
        Self {
            slack: vec![0.0; contacts],
            stop_slack: vec![0.0; contacts],
            pair_of: (0..contacts).map(|c| system.pair_of(c)).collect(),
            pair_slack: vec![0.0; system.pairs()],
            doubt: 1.0,
            tilt: tilt && system.tilt().is_some(),
            found: Vec::new(),
            inside: vec![0.0; motion.state.y.len()],
            end: vec![0.0; motion.state.y.len()],
        }
    }

    /// Sets what contacts and pairs may still do at the start of a smooth phase, after its first evaluation. The
    /// longest step that does not miss a hop.
    pub fn begin(&mut self, motion: &mut MovingSystem<'_>) -> f64 {
        let (zero, round_off) = (motion.units.zero_speed(), motion.units.slack());
        let mut longest = f64::INFINITY;
        for c in 0..self.slack.len() {
            let (gap, gamma) = motion.approach(c);
            let touching = gap <= motion.units.gap;
            // A contact that starts at zero gap must not close before it has opened.
            // The slack is round-off: small hops stay far below the contact tolerance.
            self.slack[c] = match (touching, self.pair_of[c]) {
                (true, _) => round_off + (-gap).max(0.0),
                // A corner that just grazes a side must not be caught by its end.
                (false, Some(_)) => round_off,
                (false, None) => 0.0,
            };
            if let ContactMode::Slip(direction) = motion.mode(c) {
                // Where a slide starts, its velocity may still be round-off of the other sign.
                self.stop_slack[c] = speed::STOP_SLACK * zero + (-along(direction, gamma)).max(0.0);
            }
            if touching && !motion.mode(c).is_closed() && gamma[0] > zero {
                // A hop lasts 2v/g: the first step must not miss it.
                let acceleration = motion.contact_acceleration(c)[0];
                if acceleration < 0.0 {
                    longest = longest.min(time::HOP * gamma[0] / -acceleration);
                }
            }
        }
        longest
    }

    /// Passes what is watched to a snapshot or back.
    pub fn exchange(&mut self, with: &mut Exchange<'_>) -> Option<()> {
        with.numbers(&mut self.slack)?;
        with.numbers(&mut self.stop_slack)?;
        with.numbers(&mut self.pair_slack)?;
        with.number(&mut self.doubt)
    }

    /// Pairs that touch may overlap by round-off, or by what closed contacts drift.
    pub fn begin_pairs(&mut self, motion: &MovingSystem<'_>) {
        for pair in 0..self.pair_slack.len() {
            let overlap = (-motion.system().separation(pair, motion.state.q()).1).max(0.0);
            let closed = self.is_closed(motion, pair);
            let more = if closed { length::CLOSED_PAIR * motion.units.gap } else { motion.units.slack() };
            self.pair_slack[pair] = overlap + more;
        }
    }

    /// Takes back slack that the accepted step has used up. The depth of the deepest open contact, in units of the
    /// bodies' size.
    pub fn accepted(&mut self, motion: &MovingSystem<'_>) -> f64 {
        let (size, round_off, mut deepest) = (motion.units.size, motion.units.slack(), 0.0f64);
        for c in 0..self.slack.len() {
            if motion.mode(c).is_closed() {
                continue;
            }
            let gap = motion.approach(c).0;
            if gap > 2.0 * round_off {
                self.slack[c] = if self.pair_of[c].is_some() { round_off } else { 0.0 };
            }
            deepest = deepest.max(-gap / size);
        }
        for pair in 0..self.pair_slack.len() {
            let (_, separation) = motion.system().separation(pair, motion.state.q());
            if separation > 2.0 * round_off && !self.is_closed(motion, pair) {
                self.pair_slack[pair] = round_off;
            }
        }
        deepest
    }

    /// Whether a contact of a pair of outlines is closed.
    fn is_closed(&self, motion: &MovingSystem<'_>, pair: usize) -> bool {
        let mut contacts = self.pair_of.iter().zip(&motion.dynamics.mode.contacts);
        contacts.any(|(of, mode)| *of == Some(pair) && mode.is_closed())
    }

    /// Looks for conditions that the waiting step violates; whether there are any.
    pub fn scan(&mut self, motion: &mut MovingSystem<'_>, steps: &mut Steps) -> bool {
        self.found.clear();
        // The last evaluation of the step was at its end.
        self.push_forces(&motion.dynamics, 1.0);
        if self.found.is_empty() {
            // A force that left its set within the step may be back at its end.
            self.push_forces_that_left(motion, steps);
        }
        let time = motion.state.t + steps.pending;
        let mut end = std::mem::take(&mut self.end);
        end.copy_from_slice(&steps.end);
        let bounds = Bounds::of(motion, steps);
        for c in 0..self.slack.len() {
            let mode = motion.mode(c);
            match mode {
                ContactMode::Open => {
                    if let Some(until) = self.closing(motion, steps, c, bounds) {
                        self.found.push((Trigger::Gap(c), [0.0, until]));
                    }
                }
                ContactMode::Slip(_) if self.value(motion, Trigger::Stop(c), time, &end) < 0.0 => {
                    self.found.push((Trigger::Stop(c), WHOLE));
                }
                _ => {}
            }
            if mode.is_closed() && self.value(motion, Trigger::Leave(c), time, &end) < 0.0 {
                self.found.push((Trigger::Leave(c), WHOLE));
            }
        }
        for pair in 0..self.pair_slack.len() {
            if let Some((side, range)) = self.overlapping(motion, steps, pair, bounds) {
                self.found.push((Trigger::Pair { pair, side }, range));
            }
        }
        for i in 0..motion.dynamics.mode.clutches.len() {
            let free = !motion.dynamics.mode.clutches[i];
            if free && self.value(motion, Trigger::Engage(i), time, &end) < 0.0 {
                self.found.push((Trigger::Engage(i), WHOLE));
            }
        }
        if self.tilt && self.value(motion, Trigger::Tilt, time, &end) < 0.0 {
            self.found.push((Trigger::Tilt, WHOLE));
        }
        self.end = end;
        !self.found.is_empty()
    }

    /// Gap and velocities by which an open contact is watched during a step: a
    /// corner on the side that it faced at the start, others on what they face.
    fn watched(&self, dynamics: &Dynamics<'_>, c: usize, t: f64, q: &[f64], u: &[f64]) -> Approach {
        match (self.pair_of[c], dynamics.pieces[c]) {
            (None, _) => dynamics.system.approach(c, t, q, u),
            (Some(_), NO_PIECE) => (f64::INFINITY, [0.0; 3]),
            (Some(_), piece) => dynamics.system.approach_on(c, piece, t, q, u),
        }
    }

    /// Adds the conditions on forces that the last evaluation violates; it was at that fraction of the step.
    fn push_forces(&mut self, dynamics: &Dynamics<'_>, until: f64) {
        let rows = &dynamics.rows;
        let violated = |row: &usize| force_margin(dynamics, *row, self.doubt) < 0.0;
        if rows.is_redundant() {
            if dynamics.contradicts() || (0..rows.len()).any(|row| violated(&row)) {
                self.found.push((Trigger::Sharing, [0.0, until]));
            }
        } else {
            let of = |row: usize| Some((Trigger::of_force(rows.kinds[row])?, [0.0, until]));
            self.found.extend((0..rows.len()).filter(violated).filter_map(of));
        }
    }

    /// Adds the conditions on forces that are violated where a force was first seen
    /// outside its set within the waiting step, which may become shorter; whether there are any.
    fn push_forces_that_left(&mut self, motion: &mut MovingSystem<'_>, steps: &mut Steps) -> bool {
        let Some(early) = steps.early else { return false };
        let before = self.found.len();
        steps.interpolate(early, &mut self.inside);
        let (q, u) = motion.state.parts(&self.inside);
        motion.dynamics.evaluate(motion.state.t + early * steps.pending, q, u);
        self.push_forces(&motion.dynamics, early);
        if self.found.len() == before {
            // The interpolant may be spoilt by a singular end of the step: only a step to that place tells.
            let whole = steps.pending;
            steps.step_by(motion, early * whole);
            self.push_forces(&motion.dynamics, 1.0);
            if self.found.len() == before {
                steps.step_by(motion, whole);
            }
        }
        self.found.len() > before
    }

    /// A function of the state that is negative once the trigger has happened.
    fn value(&self, motion: &mut MovingSystem<'_>, trigger: Trigger, t: f64, y: &[f64]) -> f64 {
        let (q, u) = motion.state.parts(y);
        let (dynamics, units) = (&mut motion.dynamics, &motion.units);
        match trigger {
            Trigger::Gap(c) => self.watched(dynamics, c, t, q, u).0 + self.slack[c],
            Trigger::Pair { pair, side } => dynamics.system.separation_by(pair, side, q) + self.pair_slack[pair],
            Trigger::Leave(c) => dynamics.system.within(c, dynamics.pieces[c], q, u),
            Trigger::Stop(c) => {
                let direction = match dynamics.mode.contacts[c] {
                    ContactMode::Slip(direction) => direction,
                    _ => [0.0; 2],
                };
                along(direction, dynamics.approach(c, t, q, u).1) + self.stop_slack[c]
            }
            Trigger::Release(_) | Trigger::Limit(_) | Trigger::Disengage(_) => {
                dynamics.evaluate(t, q, u);
                let row = dynamics.rows.kinds.iter().position(|kind| Trigger::of_force(*kind) == Some(trigger));
                row.map_or(0.0, |row| force_margin(dynamics, row, self.doubt))
            }
            Trigger::Engage(i) => {
                dynamics.clutch_rate(i, t, q, u)[0] + speed::STOP_SLACK * units.zero_speed() / units.size
            }
            Trigger::Sharing => {
                dynamics.evaluate(t, q, u);
                // Forces that just fit stay at their limits: only the sign tells anything.
                let fits = |row| force_margin(dynamics, row, self.doubt) >= 0.0;
                if !dynamics.contradicts() && (0..dynamics.rows.len()).all(fits) { 1.0 } else { -1.0 }
            }
            Trigger::Tilt => dynamics.system.tilt().map_or(1.0, |i| FRAC_PI_2 - q[i].abs()),
        }
    }
}

/// How far a force of the last evaluation is from an event.
fn force_margin(dynamics: &Dynamics<'_>, row: usize, doubt: f64) -> f64 {
    let allowed = if dynamics.rows.is_redundant() { force::MARGIN_REDUNDANT } else { force::MARGIN };
    dynamics.margin(row) + allowed * doubt * dynamics.unit
}
