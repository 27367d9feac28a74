//! The main loop of a run by events: steps, events, impacts, new modes, ends.

mod resume;
mod start;

pub(super) use start::{VIOLATED, overlapping};

use super::collisions::{Collisions, Manner};
use super::events::{Events, Trigger};
use super::keep::Keeper;
use super::mode::{ContactMode, SystemMode, sliding};
use super::modes::Modes;
use super::motion::MovingSystem;
use super::record::EventRecorder;
use super::select::Selected;
use super::settings::{Records, Scheme, Settings, Until};
use super::steps::Steps;
use super::thresholds::{count, force, speed, time};
use super::trajectory::{End, EventKind, Trajectory};
use super::{Control, Progress};
use crate::answer::{Status, Uniqueness};
use crate::elementary::Elementary;
use crate::error::ImpactError;
use crate::law::{ImpactLaw as _, LawSpec};
use crate::model::System;

/// A run: its parts, and the flow between them.
pub(super) struct Runner<'a> {
    motion: MovingSystem<'a>,
    steps: Steps,
    events: Events,
    modes: Modes,
    collisions: Collisions<'a>,
    record: EventRecorder<'a>,
    law: &'a LawSpec,
    settings: &'a Settings,
    until: &'a Until,
    /// The mode before the event at hand.
    mode: SystemMode,
    /// Time of the last event and how many there were at it.
    last_event: (f64, usize),
}

impl<'a> Runner<'a> {
    pub fn new(
        system: &'a dyn System,
        q: &[f64],
        u: &[f64],
        law: &'a LawSpec,
        settings: &'a Settings,
        until: &'a Until,
    ) -> Result<Self, ImpactError> {
        let mut motion = MovingSystem::new(system, q, u, settings)?;
        motion.set_units(until.time);
        let mut runner = Self {
            steps: Steps::new(motion.state.y.len(), motion.units.rate, settings, until),
            events: Events::new(&motion, until.overturned),
            modes: Modes::default(),
            collisions: Collisions::new(law, settings),
            record: EventRecorder::new(system, settings, until, motion.units.rate),
            law,
            settings,
            until,
            mode: SystemMode::default(),
            last_event: (f64::NEG_INFINITY, 0),
            motion,
        };
        runner.check_start()?;
        runner.record.begin(&mut runner.motion);
        Ok(runner)
    }

    fn now(&self) -> f64 {
        self.motion.state.t
    }

    fn remark(&mut self, text: impl Into<String>) {
        self.record.remark(self.motion.state.t, text);
    }

    /// Runs to the end, from the start or from where a snapshot left off.
    pub fn run(
        mut self,
        keeper: &mut dyn Keeper,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<Trajectory, ImpactError> {
        let started = if self.record.trajectory.samples.is_empty() { self.start()? } else { None };
        let end = match started {
            Some(end) => end,
            None => self.advance(keeper, observer)?,
        };
        self.record.close_energies(&mut self.motion);
        self.tell_of_accumulation();
        let samples = &self.record.trajectory.samples;
        if samples.last().is_none_or(|s| s.time < self.now()) || samples.len() == 1 {
            self.record.sample(&mut self.motion);
        }
        let EventRecorder { mut trajectory, peaks, .. } = self.record;
        (trajectory.end, trajectory.time, trajectory.peaks) = (end, self.motion.state.t, peaks.peaks);
        trajectory.doubt_end();
        let stats = &mut trajectory.stats;
        (stats.rejected, stats.selections) = (self.steps.rejected, self.modes.selections);
        (stats.joint_drift, stats.penetration) = (self.motion.drift.joints, self.motion.drift.penetration);
        stats.evaluations = self.motion.dynamics.evaluations;
        Ok(trajectory)
    }

    /// Accumulated impacts are inelastic, which for laws other than the inequalities is a law of its own.
    fn tell_of_accumulation(&mut self) {
        let same = self.law.in_motion().is_newton_without_restitution;
        let count = self.record.trajectory.impacts.iter().filter(|impact| impact.inelastic).count();
        if count > 0 && !same {
            let (name, speed) = (self.law.name(), self.motion.units.accumulation_speed());
            self.remark(format!(
                "{count} impacts slower than {speed:.1e} m/s, or repeated at once, were closed by newton without \
                 restitution: {name} would go on with ever smaller ones (integrator.accumulation)"
            ));
        }
    }

    /// The end of the run where bodies overlap.
    fn overlap(&mut self) -> Option<End> {
        let text = self.motion.overlap()?;
        self.remark(format!("{text}: the run is wrong from here on"));
        Some(End::Penetration(text))
    }

    /// An end that needs no event.
    fn ended(&mut self) -> Option<End> {
        if let Some(end) = self.overlap() {
            return Some(end);
        }
        if self.until.overturned && self.motion.is_tilted() {
            return Some(End::Overturned);
        }
        if self.until.rest && self.is_at_rest() {
            return Some(End::AtRest);
        }
        if self.now() < self.until.time {
            return None;
        }
        if self.motion.is_tilted() {
            return Some(End::Overturned);
        }
        if self.until.bound {
            self.remark("the longest time was reached before the end that was asked for");
            return Some(End::TimeLimit);
        }
        Some(End::Completed)
    }

    /// Whether nothing moves and nothing will.
    fn is_at_rest(&self) -> bool {
        let MovingSystem { dynamics, state, units, .. } = &self.motion;
        let ([rates, _], rate) = (self.steps.rates(), units.rate);
        (0..dynamics.n).all(|i| {
            let scale = units.velocities[i];
            dynamics.system.rest_velocity(state.t, i).is_some_and(|v| {
                (state.u()[i] - v).abs() <= speed::REST * scale * rate
                    && rates[dynamics.nq + i].abs() <= speed::REST_ACCELERATION * scale * rate * rate
            })
        })
    }

    fn advance(
        &mut self,
        keeper: &mut dyn Keeper,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<End, ImpactError> {
        loop {
            if let Some(end) = self.ended() {
                return Ok(end);
            }
            let progress = Progress { time: self.now(), end: self.until.time, impacts: self.record.impacts() };
            let stops = observer(&progress) == Control::Stop;
            if stops || keeper.is_due(&progress) {
                keeper.keep(&self.snapshot(), &self.record.trajectory);
            }
            if stops {
                return Ok(End::Interrupted);
            }
            if !self.steps.step(&mut self.motion) {
                match self.jam()? {
                    Some(end) => return Ok(end),
                    None => continue,
                }
            }
            let trigger = if self.events.scan(&mut self.motion, &mut self.steps) {
                self.events.locate(&mut self.motion, &mut self.steps)
            } else {
                None
            };
            let Some(trigger) = trigger else {
                self.accept();
                continue;
            };
            if self.steps.end.iter().any(|v| !v.is_finite()) {
                return Ok(End::Stalled);
            }
            let before = self.now();
            self.accept();
            // What overlaps must be seen before a new mode closes its gaps.
            if let Some(end) = self.overlap() {
                return Ok(end);
            }
            if let Some(end) = self.too_many(before) {
                return Ok(end);
            }
            self.mode.copy(&self.motion.dynamics.mode);
            let impacts = self.record.impacts();
            if let Some(end) = self.handle(trigger)? {
                return Ok(end);
            }
            let same = self.motion.dynamics.mode.is_like(&self.mode, self.motion.system().tangents())
                && self.record.impacts() == impacts;
            let doubt = &mut self.events.doubt;
            *doubt =
                if same && trigger.is_of_forces() { (force::MORE_DOUBT * *doubt).min(force::MOST_DOUBT) } else { 1.0 };
        }
    }

    /// Goes on where steps have shrunk to nothing because a slide jams: by an impact without collision. Else that is the end.
    fn jam(&mut self) -> Result<Option<End>, ImpactError> {
        let (now, jammed) = (self.now(), self.motion.jammed());
        if jammed.is_empty() || self.record.events_at(now, EventKind::PainleveImpact) > count::PAINLEVE {
            self.remark("steps shrink to nothing: the motion changes faster than they can follow");
            return Ok(Some(End::Stalled));
        }
        let names = self.motion.names(&jammed);
        self.remark(format!("Painlevé: contact forces grow beyond all bounds at {names}; impact without collision"));
        self.record.event(now, EventKind::PainleveImpact);
        self.collide(&jammed)
    }

    /// Counts the event at hand; an end where there are too many, the last smooth phase having begun at `before`.
    fn too_many(&mut self, before: f64) -> Option<End> {
        let (now, rate) = (self.now(), self.motion.units.rate);
        if now > before + time::SAME / rate {
            self.last_event = (now, 0);
        }
        self.last_event.1 += 1;
        if self.last_event.1 > count::EVENTS_AT_ONCE {
            self.remark(format!("{} events at one time: the contact modes do not settle", count::EVENTS_AT_ONCE));
            return Some(End::Stalled);
        }
        if self.record.trajectory.events.len() > self.settings.max_events {
            return Some(End::MaxEvents);
        }
        if self.settings.scheme == Scheme::Auto && self.record.rushes(now, rate) {
            self.remark(format!("the last {} events came within {:.1e} s", count::RUSH, time::RUSH / rate));
            return Some(End::MaxEvents);
        }
        None
    }

    /// Takes the samples inside the waiting step and makes its end the state.
    fn accept(&mut self) {
        let Self { motion, steps, events, record, .. } = self;
        let (start, end) = (motion.state.t, steps.end_time(motion.state.t));
        record.peaks.look(motion, steps);
        while let Some(sampled) = record.next_sample().filter(|sampled| *sampled < end) {
            // The state at the start of the step is not needed any more.
            steps.interpolate((sampled - start) / steps.pending, &mut motion.state.y);
            motion.state.t = sampled;
            // Redundant forces need directions that are dependent to round-off.
            motion.project();
            record.sample(motion);
            record.thin_samples();
        }
        motion.state.t = end;
        motion.state.y.copy_from_slice(&steps.end);
        record.trajectory.stats.steps += 1;
        motion.system().normalise(motion.state.q_u_mut().0);
        motion.project();
        steps.advance(&motion.state.y);
        motion.note_speed();
        motion.turn_slides();
        record.note_energy(motion);
        motion.find_open_pieces();
        let depth = events.accepted(motion);
        motion.drift.penetration = motion.drift.penetration.max(depth);
    }

    /// Starts a smooth phase in the mode at hand, and tells what changed.
    fn begin_phase(&mut self) {
        let Self { motion, steps, events, .. } = self;
        motion.find_open_pieces();
        events.begin_pairs(motion);
        motion.turn_slides();
        steps.begin(motion);
        steps.h = steps.h.min(events.begin(motion));
    }

    /// Starts a smooth phase in a new mode.
    fn begin_mode(&mut self) {
        let Self { motion, modes, record, .. } = self;
        record.changes(motion.state.t, &modes.before, &motion.dynamics.mode, motion.system().tangents());
        self.begin_phase();
    }

    /// Handles the event at the current state; an end where there is one.
    fn handle(&mut self, trigger: Trigger) -> Result<Option<End>, ImpactError> {
        self.modes.propose(&self.motion.dynamics.mode);
        match trigger {
            Trigger::Tilt => {
                self.begin_phase();
                return Ok(None);
            }
            Trigger::Sharing => {
                // The selection keeps a mode whose redundant forces are no good: is it round-off that pulls?
                let idle = self.events.doubt > 1.0 && self.motion.evaluate_idle();
                if !idle {
                    return self.collide_or_select();
                }
            }
            Trigger::Gap(_) | Trigger::Pair { .. } | Trigger::Leave(_) => return self.collide_or_select(),
            // Samples may have been evaluated since the event was found.
            Trigger::Limit(_) => self.motion.evaluate(),
            _ => {}
        }
        let Self { motion, modes, .. } = self;
        modes.remember(&motion.dynamics.mode);
        if modes.try_change(motion, |motion, mode| change(motion, mode, trigger)) {
            self.begin_mode();
            return Ok(None);
        }
        // Something else may have come to touch just before.
        motion.find_contacts();
        if motion.touches_at(motion.units.accumulation_speed()) {
            return self.collide(&[]);
        }
        self.select_mode()
    }

    /// Runs into what touches: an impact where something approaches, else a new mode.
    fn collide_or_select(&mut self) -> Result<Option<End>, ImpactError> {
        let Self { motion, modes, .. } = self;
        let zero = motion.units.zero_speed();
        modes.remember(&motion.dynamics.mode);
        motion.find_contacts();
        let blocked = -zero / motion.units.size;
        let clutches = motion.dynamics.mode.clutches.len();
        if motion.touches_at(zero) || (0..clutches).any(|i| motion.clutch_rate(i)[0] < blocked) {
            return self.collide(&[]);
        }
        self.select_mode()
    }

    /// Selects the mode and starts the phase.
    fn select_mode(&mut self) -> Result<Option<End>, ImpactError> {
        let Self { motion, modes, record, .. } = self;
        let now = motion.state.t;
        if modes.select(motion) == Selected::Nothing {
            let candidates = &modes.candidates.contacts;
            if candidates.is_empty() || record.events_at(now, EventKind::PainleveImpact) > count::PAINLEVE {
                self.remark("the contact forces have no solution and impacts without collision do not help");
                return Ok(Some(End::Stalled));
            }
            let names = motion.names(candidates);
            let pressed = if modes.ambiguous.is_empty() { candidates.clone() } else { modes.ambiguous.clone() };
            self.remark(format!("Painlevé: no contact forces at {names}; impact without collision"));
            self.record.event(now, EventKind::PainleveImpact);
            return self.collide(&pressed);
        }
        for &c in &modes.ambiguous {
            let (taken, name) = (motion.mode(c).as_str(), motion.names(&[c]));
            let text = format!("Painlevé: more than one motion is possible at {name}; it goes on {taken}");
            record.remark(now, text);
            record.event(now, EventKind::PainleveChoice(c));
        }
        self.begin_mode();
        Ok(None)
    }

    /// Resolves the impact of all contacts that touch. `pressed` are contacts
    /// of an impact without collision: they count as approaching.
    fn collide(&mut self, pressed: &[usize]) -> Result<Option<End>, ImpactError> {
        let Self { motion, modes, collisions, record, .. } = self;
        let (now, small) = (motion.state.t, motion.units.accumulation_speed());
        motion.find_contacts();
        let fastest = collisions.gather(motion);
        record.note_close_calls(motion);
        let system = motion.system();
        if collisions.contacts.is_empty() && system.joints().is_empty() && system.clutches().is_empty() {
            // What still approaches was moved out of touch: its gap closes next.
            modes.remember(&motion.dynamics.mode);
            return self.select_mode();
        }
        let repeated = record.impacts_at(now);
        let inelastic = pressed.is_empty() && (fastest < small || repeated >= count::REPEATED);
        let attempts = record.events_at(now, EventKind::PainleveImpact).saturating_sub(1);
        let path = record.impacts() < self.settings.keep_paths;
        let status = collisions.resolve(motion, Manner { pressed, attempts, inelastic, path })?;
        if !status.has_answer() {
            let reason = collisions.outcome.reason.clone().unwrap_or_else(|| status.as_str().to_owned());
            let (law, names) = (collisions.law(inelastic).name(), motion.names(&collisions.contacts));
            return Ok(Some(End::NoAnswer(format!("{law}, impact of {names}: {reason}"))));
        }
        if status != Status::Solved {
            record.remark(now, format!("the impact law answered {}", status.as_str()));
        }
        if let Uniqueness::Several { .. } = collisions.outcome.answer.uniqueness {
            let (law, names) = (collisions.law(inelastic).name(), motion.names(&collisions.contacts));
            let reasons = collisions.outcome.answer.warnings.iter().map(|warning| format!("; {warning}"));
            let reasons = reasons.collect::<String>();
            record.remark_on_impact(now, format!("{law} has several answers to the impact of {names}{reasons}"));
        }
        if self.settings.keep_impact == Some(record.impacts()) {
            let law = collisions.law(inelastic);
            record.trajectory.kept = collisions.problem().map(|problem| Box::new((problem.clone(), law.clone())));
        }
        // Where closing small speeds makes others approach, and so on, they are left to the motion.
        let closes = inelastic && repeated < count::CLOSINGS;
        let kinetic = collisions.apply(motion, if closes { small } else { motion.units.zero_speed() });
        record.impact(collisions.record(motion, kinetic, inelastic, self.settings.records), &collisions.contacts);
        if inelastic {
            record.event(now, EventKind::Accumulation);
        }
        self.after_impact(repeated)
    }

    /// The mode after an impact, or another impact where contacts still approach.
    fn after_impact(&mut self, repeated: usize) -> Result<Option<End>, ImpactError> {
        let Self { motion, modes, collisions, record, .. } = self;
        let index = record.impacts() - 1;
        let zero = motion.units.zero_speed();
        let nearing = |c: &usize| {
            let (gap, gamma) = motion.on_piece(*c);
            (gap <= motion.units.gap || collisions.contacts.contains(c)) && gamma[0] < -zero
        };
        if (0..motion.contacts()).any(|c| nearing(&c)) {
            let names = || motion.names(&(0..motion.contacts()).filter(nearing).collect::<Vec<_>>());
            if repeated == count::REPEATED + count::REPEATED_INELASTIC {
                return Ok(Some(End::NoAnswer(format!("after the impact {} still approach", names()))));
            }
            if repeated == 0 {
                let text = format!("after the impact {} still approach: another impact follows at once", names());
                record.remark(motion.state.t, text);
            }
            return self.collide(&[]);
        }
        if self.until.impacts.is_some_and(|limit| index + 1 >= limit) {
            return Ok(Some(End::Completed));
        }
        // No mode survives an impact: what was closed is decided anew.
        modes.remember(&motion.dynamics.mode);
        motion.dynamics.mode.open_all();
        let end = self.select_mode()?;
        if self.settings.records == Records::Full {
            self.record.trajectory.impacts[index].modes.clone_from(&self.motion.dynamics.mode.contacts);
        }
        Ok(end)
    }
}

/// What a trigger that changes single contacts or clutches changes.
fn change(motion: &MovingSystem<'_>, mode: &mut SystemMode, trigger: Trigger) {
    match trigger {
        Trigger::Sharing => motion.dynamics.idle.iter().for_each(|c| mode.contacts[*c] = ContactMode::Open),
        Trigger::Release(c) => mode.contacts[c] = ContactMode::Open,
        Trigger::Limit(c) => {
            let [a, b] = motion.dynamics.friction[c];
            mode.contacts[c] = ContactMode::Slip(if b == 0.0 {
                [-a.signum(), 0.0]
            } else {
                [-a / a.hypotenuse(b), -b / a.hypotenuse(b)]
            });
        }
        Trigger::Stop(_) => {
            // Contacts that share a tangential velocity stop together.
            let zero = motion.units.still_speed();
            for (c, contact) in mode.contacts.iter_mut().enumerate() {
                if matches!(contact, ContactMode::Slip(_)) && sliding(motion.approach(c).1) <= zero {
                    *contact = ContactMode::Stick;
                }
            }
        }
        Trigger::Engage(i) => mode.clutches[i] = true,
        Trigger::Disengage(i) => mode.clutches[i] = false,
        Trigger::Gap(_) | Trigger::Pair { .. } | Trigger::Leave(_) | Trigger::Tilt => {}
    }
}
