//! What a run by events leaves behind: samples, events, impacts, energies, remarks.

use super::keep::Exchange;
use super::mode::SystemMode;
use super::motion::MovingSystem;
use super::peaks::{PeakSearch, Peaks};
use super::settings::{Settings, Until};
use super::thresholds::{count, energy, time};
use super::trajectory::{
    End, Energies, Event, EventKind, Remark, RunStats, Sample, SimulatedImpact, StepReport, Trajectory,
};
use crate::model::System;

/// Writes the trajectory.
pub(super) struct EventRecorder<'a> {
    pub trajectory: Trajectory,
    pub peaks: PeakSearch,
    settings: &'a Settings,
    samples_taken: usize,
    /// Time between samples.
    interval: Option<f64>,
    /// Kinetic energy plus the range of the potential, the largest so far.
    largest_energy: f64,
    /// T and V at the start.
    start_energy: [f64; 2],
}

impl<'a> EventRecorder<'a> {
    pub fn new(system: &dyn System, settings: &'a Settings, until: &Until, rate: f64) -> Self {
        let trajectory = Trajectory {
            end: End::Completed,
            time: 0.0,
            samples: Vec::new(),
            events: Vec::new(),
            impacts: Vec::new(),
            kept: None,
            peaks: Peaks::default(),
            contact_names: system.contacts().iter().map(|c| c.name.clone()).collect(),
            stepped_from: None,
            closure: 0.0,
            log: system.remarks().iter().map(|text| Remark::new(0.0, text)).collect(),
            stats: RunStats::default(),
        };
        Self {
            trajectory,
            peaks: PeakSearch::default(),
            settings,
            samples_taken: 0,
            interval: settings.sample_interval.or(first_interval(settings, until, rate)),
            largest_energy: 0.0,
            start_energy: [0.0; 2],
        }
    }

    /// Begins the account of energies.
    pub fn begin(&mut self, motion: &mut MovingSystem<'_>) {
        self.start_energy = motion.kinetic_and_potential();
        self.largest_energy = self.start_energy[0];
    }

    /// Passes what is not in the trajectory yet to a snapshot or back.
    pub fn exchange(&mut self, with: &mut Exchange<'_>) -> Option<()> {
        with.count(&mut self.samples_taken)?;
        if let Some(interval) = &mut self.interval {
            with.number(interval)?;
        }
        with.number(&mut self.largest_energy)?;
        self.peaks.exchange(with)
    }

    pub fn remark(&mut self, time: f64, text: impl Into<String>) {
        self.trajectory.log.push(Remark::new(time, text));
    }

    /// A remark that concerns one impact, of which there may be many.
    pub fn remark_on_impact(&mut self, time: f64, text: String) {
        self.trajectory.log.push(Remark { of_one_impact: true, ..Remark::new(time, text) });
    }

    pub fn event(&mut self, time: f64, kind: EventKind) {
        self.trajectory.events.push(Event { time, kind });
    }

    /// The number of impacts so far.
    pub fn impacts(&self) -> usize {
        self.trajectory.impacts.len()
    }

    /// Events of that kind at that time, which is the last.
    pub fn events_at(&self, time: f64, kind: EventKind) -> usize {
        let now = self.trajectory.events.iter().rev().take_while(|event| event.time == time);
        now.filter(|event| event.kind == kind).count()
    }

    /// Impacts at that time, which is the last.
    pub fn impacts_at(&self, time: f64) -> usize {
        self.trajectory.impacts.iter().rev().take_while(|impact| impact.time == time).count()
    }

    /// Whether events come ever faster, at a time of a motion with that typical rate.
    pub fn rushes(&self, now: f64, rate: f64) -> bool {
        let events = &self.trajectory.events;
        let first = events.len().checked_sub(count::RUSH).map(|k| events[k].time);
        first.is_some_and(|first| now - first < time::RUSH / rate)
    }

    /// Keeps the largest energy.
    pub fn note_energy(&mut self, motion: &mut MovingSystem<'_>) -> Energies {
        let energy = motion.energies();
        let range = (energy.potential - self.start_energy[1]).abs();
        self.largest_energy = self.largest_energy.max(energy.kinetic + range);
        energy
    }

    /// The time of the next sample.
    pub fn next_sample(&self) -> Option<f64> {
        match (&self.settings.sample_times, self.interval) {
            // The first sample is that of the start.
            (Some(times), _) => times.get(self.samples_taken.saturating_sub(1)).copied(),
            (None, Some(interval)) => Some(self.samples_taken as f64 * interval),
            (None, None) => None,
        }
    }

    /// Samples the current state.
    pub fn sample(&mut self, motion: &mut MovingSystem<'_>) {
        motion.evaluate_idle();
        let energy = self.note_energy(motion);
        let forces = motion.dynamics.contact_force.clone();
        let state = &motion.state;
        let sample =
            Sample { time: state.t, q: state.q().to_vec(), u: state.u().to_vec(), forces, energy, steps: None };
        self.trajectory.samples.push(sample);
        self.samples_taken += 1;
    }

    /// Drops every second sample where there are more than asked for.
    pub fn thin_samples(&mut self) {
        if self.settings.sample_interval.is_none()
            && self.settings.sample_times.is_none()
            && thin(&mut self.trajectory.samples, self.settings.most_samples)
        {
            self.interval = self.interval.map(|interval| 2.0 * interval);
            self.samples_taken = self.trajectory.samples.len();
        }
    }

    /// Adds an impact of these contacts.
    pub fn impact(&mut self, impact: SimulatedImpact, contacts: &[usize]) {
        self.event(impact.time, EventKind::Impact(self.impacts()));
        contacts.iter().for_each(|&c| self.peaks.peaks.contacts[c].impacts += 1);
        self.trajectory.impacts.push(impact);
    }

    /// Tells what changed from one mode to another.
    pub fn changes(&mut self, time: f64, before: &SystemMode, after: &SystemMode, tangents: usize) {
        for (c, (old, new)) in before.contacts.iter().zip(&after.contacts).enumerate() {
            use super::mode::ContactMode::{Open, Slip};
            let kind = match (*old, *new) {
                (old, new) if old.is_like(new, tangents) => continue,
                (Open, _) => EventKind::Touch(c),
                (_, Open) => EventKind::TakeOff(c),
                (_, Slip(_)) => EventKind::Slip(c),
                (_, _) => EventKind::Stick(c),
            };
            self.event(time, kind);
        }
        for (i, engaged) in before.clutches.iter().zip(&after.clutches).enumerate() {
            match engaged {
                (false, true) => self.event(time, EventKind::Engage(i)),
                (true, false) => self.event(time, EventKind::Disengage(i)),
                _ => {}
            }
        }
    }

    /// Closes the account of energies.
    pub fn close_energies(&mut self, motion: &mut MovingSystem<'_>) {
        let end = self.note_energy(motion);
        let change = end.total() - self.start_energy[0] - self.start_energy[1] - end.work();
        // Where hardly anything moves, the round-off of the potential itself must not count.
        let potentials = self.start_energy[1].abs() + end.potential.abs();
        let round = if change.abs() <= energy::ROUND_OFF * f64::EPSILON * potentials { potentials } else { 0.0 };
        // Nor does what lasting contacts creep by, wherever the origin is from which potentials are counted.
        let still = energy::UNMOVED * potentials.max(motion.typical_energy());
        let scale = self.largest_energy.max(round).max(still);
        self.trajectory.closure = if scale > 0.0 { change.abs() / scale } else { 0.0 };
        if self.trajectory.closure > energy::CLOSED {
            let closure = self.trajectory.closure;
            let text = format!(
                "energy and works differ by {closure:.1e} of the largest that occurred: a smaller \
                 integrator.tolerance may help"
            );
            self.remark(motion.state.t, text);
        }
    }

    /// Says when another contact tolerance would have changed who takes part in an impact.
    pub fn note_close_calls(&mut self, motion: &MovingSystem<'_>) {
        use super::thresholds::length::CLOSE_CALL;
        for (c, &(gap, gamma)) in motion.found.iter().enumerate() {
            let near = gap > motion.units.gap && gap <= CLOSE_CALL * motion.units.gap;
            let barely = gap > motion.units.gap / CLOSE_CALL && gap <= motion.units.gap;
            if near || barely {
                let took = if near { "did not take" } else { "took" };
                let (name, speed) = (motion.names(&[c]), gamma[0]);
                let text = format!(
                    "{name} {took} part in the impact at the gap {gap:.3e} (normal velocity {speed:.3e}); another \
                     contact tolerance would change that"
                );
                self.remark_on_impact(motion.state.t, text);
            }
        }
    }
}

/// The first time between samples of a run that may end at any time: those asked for fill a part of the typical time, or half of
/// them all of the time there is.
fn first_interval(settings: &Settings, until: &Until, rate: f64) -> Option<f64> {
    let most = settings.most_samples?.max(2) as f64;
    let typical = time::SAMPLED / (rate * most);
    Some(if until.bound || until.time <= 0.0 { typical } else { typical.min(2.0 * until.time / most) })
}

/// Drops every second of samples at equal intervals where there are more than asked for; whether it did.
pub(super) fn thin(samples: &mut Vec<Sample>, most: Option<usize>) -> bool {
    let thins = most.is_some_and(|most| samples.len() > most.max(2));
    if thins {
        let mut odd = true;
        // What is told of steps is told of the next sample that stays.
        let mut untold: Option<StepReport> = None;
        samples.retain_mut(|sample| {
            odd = !odd;
            let told = sample.steps.map(|steps| untold.take().unwrap_or_default().and(steps));
            if odd {
                untold = told
            } else {
                sample.steps = told
            }
            !odd
        });
        if let (Some(untold), Some(last)) = (untold, samples.last_mut()) {
            last.steps = last.steps.map(|steps| steps.and(untold));
        }
    }
    thins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::ball::Ball;
    use crate::simulate::mode::ContactMode;

    /// Energy that appears from nowhere is told; energy that a work accounts for is not.
    #[test]
    fn energies_close_or_it_is_told() {
        let (ball, settings) = (Ball::new(0.5), Settings::default());
        for (work, told) in [(0.5, false), (0.0, true)] {
            let mut motion = MovingSystem::new(&ball, &[1.0], &[0.0], &settings).unwrap();
            let mut record = EventRecorder::new(&ball, &settings, &Until::time(10.0), 1.0);
            record.begin(&mut motion);
            motion.state.q_u_mut().1[0] = 1.0;
            motion.state.impact_work = work;
            record.close_energies(&mut motion);
            assert_eq!((record.trajectory.closure > 0.5, !record.trajectory.log.is_empty()), (told, told));
        }
    }

    #[test]
    fn changes_of_modes_are_events() {
        let (ball, settings) = (Ball::new(0.5), Settings::default());
        let mut record = EventRecorder::new(&ball, &settings, &Until::time(10.0), 1.0);
        let [open, stick, slip] = [ContactMode::Open, ContactMode::Stick, ContactMode::Slip([1.0, 0.0])]
            .map(|mode| SystemMode { contacts: vec![mode], clutches: vec![mode == ContactMode::Stick] });
        for (before, after) in [(&open, &slip), (&slip, &stick), (&stick, &stick), (&stick, &open)] {
            record.changes(0.5, before, after, 1);
        }
        let kinds: Vec<EventKind> = record.trajectory.events.iter().map(|event| event.kind).collect();
        use EventKind::{Disengage, Engage, Stick, TakeOff, Touch};
        assert_eq!(kinds, [Touch(0), Stick(0), Engage(0), TakeOff(0), Disengage(0)]);
        assert_eq!((record.events_at(0.5, Touch(0)), record.events_at(0.4, Touch(0))), (1, 0));
    }

    /// Samples that become too many are thinned out, and go on at twice the interval.
    #[test]
    fn samples_of_unknown_number_stay_at_equal_intervals() {
        let (ball, settings) = (Ball::new(0.5), Settings { most_samples: Some(5), ..Settings::default() });
        let mut motion = MovingSystem::new(&ball, &[1.0], &[0.0], &settings).unwrap();
        let mut record = EventRecorder::new(&ball, &settings, &Until::time(10.0), 1.0);
        for _ in 0..40 {
            motion.state.t = record.next_sample().unwrap();
            record.sample(&mut motion);
            record.thin_samples();
        }
        let times: Vec<f64> = record.trajectory.samples.iter().map(|sample| sample.time).collect();
        assert!((3..=5).contains(&times.len()), "{times:?}");
        assert!(times.iter().enumerate().all(|(k, t)| (t - times[1] * k as f64).abs() < 1e-12), "{times:?}");
    }
}
