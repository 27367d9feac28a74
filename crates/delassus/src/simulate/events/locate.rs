//! When an event happens: the state there is the end of a step, never an interpolant.

use super::{Events, Trigger, Violation};
use crate::simulate::motion::MovingSystem;
use crate::simulate::steps::Steps;
use crate::simulate::thresholds::{count, length, time};

impl Events {
    /// Finds the earliest of the conditions that the last scan found, and steps there.
    pub fn locate(&mut self, motion: &mut MovingSystem<'_>, steps: &mut Steps) -> Option<Trigger> {
        let mut trigger = self.step_to_first(motion, steps, 0)?;
        for _ in 0..count::LEFT_SETS {
            // Forces may leave their sets within what is now the whole step.
            let known = self.found.len();
            if !self.push_forces_that_left(motion, steps) {
                break;
            }
            trigger = self.step_to_first(motion, steps, known)?;
        }
        Some(trigger)
    }

    /// Steps to the earliest of the conditions found, from the number `known` on.
    fn step_to_first(&mut self, motion: &mut MovingSystem<'_>, steps: &mut Steps, known: usize) -> Option<Trigger> {
        let full = steps.pending;
        let mut first = (f64::INFINITY, self.found.get(known)?.0);
        for k in known..self.found.len() {
            let x = self.root(motion, steps, self.found[k]);
            if x < first.0 {
                first = (x, self.found[k].0);
            }
        }
        let (x, trigger) = first;
        let mut h = x * full;
        steps.step_by(motion, h);
        // The interpolant is of order 4; correct the size of the step itself.
        let continuous = trigger != Trigger::Sharing;
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..if continuous { count::CORRECTIONS } else { 0 } {
            let end = motion.state.t + h;
            let value = self.value(motion, trigger, end, &steps.end);
            let slope = match last {
                Some((h0, v0)) if h != h0 => (value - v0) / (h - h0),
                _ => self.slope(motion, steps, trigger, h, value),
            };
            let change = -value / slope;
            if !change.is_finite() || change.abs() <= 2.0 * f64::EPSILON * (motion.state.t + h) {
                break;
            }
            last = Some((h, value));
            let next = (h + change).clamp(0.0, full);
            // More than the interpolant can be off: the value has a kink there.
            if next == h || (next - x * full).abs() > time::CORRECTION * full {
                break;
            }
            h = next;
            steps.step_by(motion, h);
        }
        if matches!(trigger, Trigger::Gap(_) | Trigger::Pair { .. }) {
            self.step_back(motion, steps, trigger);
        }
        Some(trigger)
    }

    /// Where the waiting step ends well beyond the trigger, because the interpolant by which it was found is off by
    /// more than the motion, the trigger is found by whole steps.
    fn step_back(&self, motion: &mut MovingSystem<'_>, steps: &mut Steps, trigger: Trigger) {
        let value = |motion: &mut MovingSystem<'_>, steps: &Steps| {
            let end = motion.state.t + steps.pending;
            self.value(motion, trigger, end, &steps.end)
        };
        if value(motion, steps) >= -length::BEYOND * motion.units.gap {
            return;
        }
        let (mut low, mut high) = (0.0, steps.pending);
        steps.step_by(motion, low);
        if value(motion, steps) < 0.0 {
            steps.step_by(motion, high);
            return;
        }
        for _ in 0..count::HALVINGS {
            let middle = 0.5 * (low + high);
            steps.step_by(motion, middle);
            if value(motion, steps) < 0.0 { high = middle } else { low = middle }
        }
        steps.step_by(motion, high);
    }

    /// d value/dt near the end of the waiting step.
    fn slope(&mut self, motion: &mut MovingSystem<'_>, steps: &Steps, trigger: Trigger, h: f64, value: f64) -> f64 {
        if let Trigger::Gap(c) = trigger {
            let (q, u) = motion.state.parts(&steps.end);
            return self.watched(&motion.dynamics, c, motion.state.t + h, q, u).1[0];
        }
        let x = 1.0 - time::DIFFERENCE;
        let before = self.value_within(motion, steps, trigger, x, h);
        (value - before) / ((1.0 - x) * h)
    }

    /// The value of a trigger at a fraction of the waiting step of that size.
    fn value_within(
        &mut self,
        motion: &mut MovingSystem<'_>,
        steps: &Steps,
        trigger: Trigger,
        x: f64,
        size: f64,
    ) -> f64 {
        let mut inside = std::mem::take(&mut self.inside);
        steps.interpolate(x, &mut inside);
        let t = motion.state.t + x * size;
        let value = self.value(motion, trigger, t, &inside);
        self.inside = inside;
        value
    }

    /// The fraction of the step at which a trigger's value first vanishes, by
    /// the Illinois rule on the interpolant; the value there is negative, also where it jumps.
    fn root(&mut self, motion: &mut MovingSystem<'_>, steps: &Steps, (trigger, range): Violation) -> f64 {
        let step = steps.pending;
        let mut at = |motion: &mut MovingSystem<'_>, x: f64| self.value_within(motion, steps, trigger, x, step);
        let [mut low, mut high] = range;
        let (mut low_value, mut high_value) = (at(motion, low), at(motion, high));
        if low_value < 0.0 {
            return low;
        }
        let tolerance = time::ROOT.max(4.0 * f64::EPSILON * motion.state.t / step);
        let mut side = 0;
        for _ in 0..count::ROOT {
            if high - low <= tolerance {
                break;
            }
            let mut x = high - high_value * (high - low) / (high_value - low_value);
            if !(x > low && x < high) {
                x = 0.5 * (low + high);
            }
            let value = at(motion, x);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::ball::{Ball, GRAVITY};
    use crate::simulate::settings::{Settings, Until};

    /// A ball falls from 1 m: the step that would carry it through the ground ends there.
    #[test]
    fn a_step_ends_where_a_gap_closes() {
        let (ball, settings, until) = (Ball::new(0.5), Settings::default(), Until::time(3.0));
        let mut motion = MovingSystem::new(&ball, &[1.0], &[0.0], &settings).unwrap();
        motion.set_units(until.time);
        let mut steps = Steps::new(motion.state.y.len(), motion.units.rate, &settings, &until);
        let mut events = Events::new(&motion, false);
        steps.begin(&mut motion);
        events.begin(&mut motion);
        steps.step_by(&mut motion, 0.9);
        assert!(!events.scan(&mut motion, &mut steps));
        assert_eq!(events.locate(&mut motion, &mut steps), None);
        steps.step_by(&mut motion, 2.5);
        assert!(events.scan(&mut motion, &mut steps));
        assert_eq!(events.locate(&mut motion, &mut steps), Some(Trigger::Gap(0)));
        assert!((steps.pending - (2.0 / GRAVITY).sqrt()).abs() < 1e-14, "{}", steps.pending);
        assert!(steps.end[0].abs() < 1e-14);
    }
}
