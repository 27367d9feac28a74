//! Steps of the smooth motion between events: their size, their error, and the states within them.

use super::keep::Exchange;
use super::motion::MovingSystem;
use super::settings::{Settings, Until};
use super::thresholds::time;
use crate::elementary::Elementary;
use crate::error::MODERATE;
use crate::ode::DormandPrince;

/// The method of Dormand and Prince with a step that waits to be accepted.
pub(super) struct Steps {
    method: DormandPrince,
    /// Next step size.
    pub h: f64,
    /// Size of the step that waits.
    pub pending: f64,
    /// Its end (q, u, works).
    pub end: Vec<f64>,
    /// The fraction of it at which a force was first seen outside its set.
    pub early: Option<f64>,
    /// Contact forces at its start and at its end.
    pub forces: [Vec<[f64; 2]>; 2],
    /// Error allowed, in units of typical positions and velocities.
    tolerance: f64,
    max_step: f64,
    /// The time at which the run ends.
    last: f64,
    /// Whether that time only bounds the run.
    bound: bool,
    pub rejected: usize,
}

impl Steps {
    pub fn new(unknowns: usize, rate: f64, settings: &Settings, until: &Until) -> Self {
        Self {
            method: DormandPrince::new(unknowns),
            h: time::FIRST_STEP / rate,
            pending: 0.0,
            end: vec![0.0; unknowns],
            early: None,
            forces: [Vec::new(), Vec::new()],
            tolerance: settings.tolerance,
            max_step: settings.max_step.unwrap_or(f64::INFINITY),
            last: until.time,
            bound: until.bound,
            rejected: 0,
        }
    }

    /// Begins a smooth phase at the state.
    pub fn begin(&mut self, motion: &mut MovingSystem<'_>) {
        let MovingSystem { dynamics, state, .. } = motion;
        self.method.begin(state.t, &state.y, &mut |t, y, rate| dynamics.rate(t, y, rate));
        self.forces[0].clone_from(&dynamics.contact_force);
    }

    /// One step within the error tolerance, not yet accepted; `false` where none is small enough.
    pub fn step(&mut self, motion: &mut MovingSystem<'_>) -> bool {
        let (system, t, rate) = (motion.system(), motion.state.t, motion.units.rate);
        let mut limit = system.longest_step(motion.state.q(), motion.state.u()).min(self.max_step);
        if !system.is_autonomous() {
            // Where everything rests only this lets steps see forces come and go.
            limit = limit.min(if self.bound { 1.0 / rate } else { self.last / time::LEAST_STEPS });
        }
        limit = limit.min(system.next_break(t) - t);
        loop {
            let left = self.last - t;
            let mut h = self.h.min(limit);
            // No last step that is much smaller than the others.
            if h >= left || left - h < time::LAST_STEP * h {
                h = left.min(limit);
            }
            self.step_by(motion, h);
            let mut error = self.error(motion);
            let drift = motion.units.gap.max(self.tolerance * motion.units.size);
            if error <= 1.0 && h * rate > time::SHORT && self.closed_drift(motion) > drift {
                // Conditions that contradict each other a little: what closed contacts leave open grows as h².
                error = time::DRIFTED;
            }
            if error <= 1.0 {
                let factor = if error > 0.0 { (0.9 * error.power(-0.2)).clamp(0.2, 8.0) } else { 8.0 };
                self.h = h * factor;
                return true;
            }
            self.rejected += 1;
            // A step that is not a number is cut until it is one.
            let factor = if error.is_finite() { (0.9 * error.power(-0.2)).max(0.1) } else { 0.1 };
            self.h = h * factor;
            if self.h <= time::LEAST_STEP * (t + 1.0 / rate) {
                return false;
            }
        }
    }

    /// Steps by exactly `h`; the end waits.
    pub fn step_by(&mut self, motion: &mut MovingSystem<'_>, h: f64) {
        let MovingSystem { dynamics, state, .. } = motion;
        let start = state.t;
        let mut early = None;
        self.method.step(start, h, &mut |t, y, rate| {
            dynamics.rate(t, y, rate);
            if early.is_none() && dynamics.leaves_sets() {
                early = Some((t - start) / h);
            }
        });
        self.forces[1].clone_from(&dynamics.contact_force);
        self.early = early.filter(|x| (0.0..1.0).contains(x));
        self.end.copy_from_slice(self.method.end());
        self.pending = h;
    }

    /// Makes the end of the waiting step the start of the next; `y` may differ from it by round-off.
    pub fn advance(&mut self, y: &[f64]) {
        self.method.advance(y);
        let [start, end] = &mut self.forces;
        start.clone_from(end);
    }

    /// Passes what the next step depends on to a snapshot or back; it starts from `y`.
    pub fn exchange(&mut self, y: &[f64], with: &mut Exchange<'_>) -> Option<()> {
        with.number(&mut self.h)?;
        with.count(&mut self.rejected)?;
        with.pairs(&mut self.forces[0])?;
        with.numbers(self.method.begin_known(y))
    }

    /// The time at which the waiting step ends.
    pub fn end_time(&self, start: f64) -> f64 {
        let end = start + self.pending;
        if (self.last - end).abs() <= 4.0 * f64::EPSILON * end { self.last } else { end }
    }

    /// The state at a fraction of the waiting step.
    pub fn interpolate(&self, x: f64, y: &mut [f64]) {
        self.method.interpolate(x, y);
    }

    /// Derivatives of the state at the start and at the end of the waiting step.
    pub fn rates(&self) -> [&[f64]; 2] {
        [self.method.start_rate(), self.method.end_rate()]
    }

    /// The estimated error in units of the tolerance.
    fn error(&self, motion: &MovingSystem<'_>) -> f64 {
        let (n, nq) = (motion.dynamics.n, motion.dynamics.nq);
        let mut worst = 0.0f64;
        // Works have no tolerance of their own, but must stay numbers.
        if self.end[nq + n..].iter().any(|work| !work.is_finite()) {
            return f64::INFINITY;
        }
        for i in 0..nq + n {
            let size = self.end[i].abs();
            let unit = if i < nq {
                // Far from the origin round-off must not stop the steps.
                motion.units.positions[i].max(1e-4 * size)
            } else {
                (motion.units.velocities[i - nq] * motion.units.rate).max(size)
            };
            let error = self.method.error(i).abs() / unit;
            // `max` would swallow a NaN. Farther or faster, energies leave the range of numbers.
            if !error.is_finite() || size > MODERATE {
                return f64::INFINITY;
            }
            worst = worst.max(error);
        }
        worst / self.tolerance
    }

    /// How much farther the waiting step leaves closed contacts from their gap 0 than they were.
    fn closed_drift(&self, motion: &MovingSystem<'_>) -> f64 {
        let end = motion.state.t + self.pending;
        let closed = (0..motion.contacts()).filter(|&c| motion.mode(c).is_closed());
        closed.fold(0.0, |most, c| {
            let (before, after) = (motion.approach(c).0, motion.approach_at(c, end, &self.end).0);
            most.max(after.abs() - before.abs())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::ball::{Ball, GRAVITY};

    /// A fall is a parabola, which the method follows exactly, and the last step ends at the end of the run.
    #[test]
    fn a_fall_is_exact_and_ends_in_time() {
        let (ball, settings, until) = (Ball::new(0.5), Settings::default(), Until::time(0.7));
        let mut motion = MovingSystem::new(&ball, &[1.0], &[0.1], &settings).unwrap();
        motion.set_units(until.time);
        let mut steps = Steps::new(motion.state.y.len(), motion.units.rate, &settings, &until);
        steps.begin(&mut motion);
        while motion.state.t < until.time {
            assert!(steps.step(&mut motion));
            motion.state.t = steps.end_time(motion.state.t);
            motion.state.y.copy_from_slice(&steps.end);
            steps.advance(&motion.state.y);
            let t = motion.state.t;
            assert!((motion.state.q()[0] - (1.0 + 0.1 * t - 0.5 * GRAVITY * t * t)).abs() < 1e-15);
        }
        assert_eq!((motion.state.t, steps.rejected), (0.7, 0));
    }
}
