//! The main loop: steps, samples, ends.

use super::cones::ConeSelector;
use super::dynamics::{APPLIED, DAMPING, Dynamics, FRICTION, NO_PIECE, SUPPORTS, WORKS};
use super::peaks::{Peaks, Watch};
use super::problem::Problems;
use super::select::Selector;
use super::settings::{Scheme, Settings, Until};
use super::trajectory::{End, Energies, Event, EventKind, Remark, RunStats, Trajectory};
use super::{Control, Progress};
use crate::error::{ImpactError, finite};
use crate::law::LawSpec;
use crate::model::System;
use crate::ode::DormandPrince;
use crate::outcome::ImpactOutcome;
use crate::workspace::Workspace;

/// Units of the problem at hand.
#[derive(Debug, Clone)]
pub(super) struct Units {
    /// ℓ.
    pub size: f64,
    /// √(gℓ), or the largest speed so far.
    pub speed: f64,
    /// Typical rate ω₀ \[1/s\].
    pub rate: f64,
    /// Per position.
    pub positions: Vec<f64>,
    /// Per velocity, what it is the rate of.
    pub velocities: Vec<f64>,
    /// Gaps up to this are closed.
    pub gap: f64,
}

pub(super) struct Runner<'a> {
    pub dynamics: Dynamics<'a>,
    pub selector: Selector,
    pub cones: ConeSelector,
    pub method: DormandPrince,
    pub law: &'a LawSpec,
    pub settings: &'a Settings,
    pub until: &'a Until,
    pub units: Units,
    pub t: f64,
    /// (q, u, works).
    pub y: Vec<f64>,
    /// Next step size.
    pub h: f64,
    /// Size of the step that waits to be accepted.
    pub pending: f64,
    /// Work of the contacts in impacts.
    pub impact_work: f64,
    /// Kinetic energy plus the range of the potential, the largest so far.
    largest_energy: f64,
    start_energy: [f64; 2],
    pub trajectory: Trajectory,
    pub samples_taken: usize,
    /// Per contact, how far below 0 the gap may fall before it counts as closing.
    pub slack: Vec<f64>,
    /// Per contact that slides, how far its velocity may lie beyond a stop.
    pub stop_slack: Vec<f64>,
    /// Per contact of outlines, their pair.
    pub pair_of: Vec<Option<usize>>,
    /// Per pair of outlines, how far its separation may fall below 0.
    pub pair_slack: Vec<f64>,
    /// The fraction of the waiting step at which a force was first seen outside its set.
    pub early: Option<f64>,
    /// Factor on the tolerance with which forces are held against their sets (contacts push, friction stays within its
    /// limit). One as a rule; it grows where such an event is found, but the selection of a mode changes nothing.
    pub doubt: f64,
    pub trial: Vec<f64>,
    pub work: Workspace,
    pub outcome: ImpactOutcome,
    pub problems: Problems,
    /// What the search for peaks knows at the start of a step.
    pub watch: Watch,
    /// Time of the last event and how many there were at it.
    pub last_event: (f64, usize),
}

/// Energy that closes worse than this is told.
const CLOSED: f64 = 1e-6;
/// Consecutive events without progress in time before the run is given up.
const EVENTS_AT_ONCE: usize = 200;

/// So many events within this time, in units of the typical one, make a run by events go on by time-stepping where
/// that is wanted: more than a ball has that bounces with e = 0.99.
const RUSH: usize = 1000;
const RUSH_TIME: f64 = 1e-3;

/// Bodies overlap where they do by this many contact tolerances.
pub(super) const OVERLAP: f64 = 10.0;

/// See [`Runner::still_speed`].
const PASSING: f64 = 10.0;

/// The most that [`Runner::doubt`] grows to.
const MOST_DOUBT: f64 = 1e5;

impl<'a> Runner<'a> {
    pub fn new(
        system: &'a dyn System,
        q: &[f64],
        u: &[f64],
        law: &'a LawSpec,
        settings: &'a Settings,
        until: &'a Until,
    ) -> Result<Self, ImpactError> {
        for (name, values, length) in [("q", q, system.positions()), ("u", u, system.velocities())] {
            if values.len() != length {
                let given = format!("{} entries", values.len());
                return Err(ImpactError::wrong_size(name, given, format!("needs {length}")));
            }
            for (i, &v) in values.iter().enumerate() {
                finite(|| format!("{name}[{i}]"), v)?;
            }
        }
        let dynamics = Dynamics::new(system, q)?;
        let mut y = q.to_vec();
        y.extend_from_slice(u);
        y.extend_from_slice(&[0.0; WORKS]);
        let contacts = system.contacts().len();
        let size = system.size();
        let mut runner = Self {
            selector: Selector::default(),
            cones: ConeSelector::default(),
            method: DormandPrince::new(y.len()),
            law,
            settings,
            until,
            units: Units {
                size,
                speed: 0.0,
                rate: 0.0,
                positions: system.position_scales(),
                velocities: system.velocity_scales(),
                gap: settings.contact_tolerance * size,
            },
            t: 0.0,
            trial: y.clone(),
            y,
            h: 0.0,
            pending: 0.0,
            impact_work: 0.0,
            largest_energy: 0.0,
            start_energy: [0.0; 2],
            trajectory: Trajectory {
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
                log: Vec::new(),
                stats: RunStats::default(),
            },
            samples_taken: 0,
            slack: vec![0.0; contacts],
            stop_slack: vec![0.0; contacts],
            pair_of: (0..contacts).map(|c| system.pair_of(c)).collect(),
            pair_slack: vec![0.0; system.pairs()],
            early: None,
            doubt: 1.0,
            work: Workspace::default(),
            outcome: ImpactOutcome::default(),
            problems: Problems::default(),
            watch: Watch::default(),
            last_event: (f64::NEG_INFINITY, 0),
            dynamics,
        };
        system.remarks().iter().for_each(|text| runner.remark(text.clone()));
        runner.set_units();
        runner.check_start()?;
        Ok(runner)
    }

    fn set_units(&mut self) {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        self.dynamics.evaluate(0.0, &self.y[..nq], &self.y[nq..nq + n]);
        let gravity = self.dynamics.system.gravity();
        let mut rate = if self.until.time > 0.0 { 1.0 / self.until.time } else { 0.0 };
        rate = rate.max((gravity / self.units.size).sqrt());
        for (i, (u, a)) in self.y[nq..nq + n].iter().zip(&self.dynamics.acceleration).enumerate() {
            let scale = self.units.velocities[i];
            rate = rate.max(u.abs() / scale).max((a.abs() / scale).sqrt());
        }
        self.units.rate = if rate.is_finite() && rate > 0.0 { rate } else { 1.0 };
        self.units.speed = (gravity * self.units.size).sqrt();
        self.note_speed();
        self.h = 1e-3 / self.units.rate;
    }

    /// Keeps the largest speed and energy that occurred.
    pub fn note_speed(&mut self) {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        for (i, u) in self.y[nq..nq + n].iter().enumerate() {
            self.units.speed = self.units.speed.max(u.abs() / self.units.velocities[i] * self.units.size);
        }
    }

    /// The speed below which impacts accumulate.
    pub fn accumulation_speed(&self) -> f64 {
        let gravity = self.dynamics.system.gravity();
        if gravity > 0.0 {
            self.settings.accumulation * (gravity * self.units.size).sqrt()
        } else {
            1e-4 * self.settings.accumulation * self.units.speed
        }
    }

    /// Accumulated impacts are inelastic, which for laws other than the inequalities is a law of its own.
    fn tell_of_accumulation(&mut self) {
        let same = matches!(self.law, LawSpec::Newton(_) | LawSpec::Moreau(_) | LawSpec::Poisson(_));
        let count = self.trajectory.impacts.iter().filter(|impact| impact.inelastic).count();
        if count > 0 && !same {
            let (name, speed) = (self.law.name(), self.accumulation_speed());
            self.remark(format!(
                "{count} impacts slower than {speed:.1e} m/s, or repeated at once, were closed by newton without \
                 restitution: {name} would go on with ever smaller ones (integrator.accumulation)"
            ));
        }
    }

    /// The speed below which a velocity is round-off.
    pub fn zero_speed(&self) -> f64 {
        (1e-9 * self.units.speed).min(1e-2 * self.accumulation_speed())
    }

    /// The speed up to which nothing slides: in space slides pass zero by a little more than round-off where they stop.
    pub fn still_speed(&self) -> f64 {
        if self.dynamics.system.tangents() == 1 { self.zero_speed() } else { PASSING * self.zero_speed() }
    }

    /// Contacts that part more slowly and are pulled back rise by less than round-off: they do not part.
    pub fn hop_speed(&self) -> f64 {
        let hop = (2.0 * super::step::SLACK).sqrt() * self.units.size * self.units.rate;
        hop.min(0.1 * self.accumulation_speed()).max(self.zero_speed())
    }

    pub fn state(&self) -> (&[f64], &[f64]) {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        (&self.y[..nq], &self.y[nq..nq + n])
    }

    pub fn approach(&self, contact: usize) -> (f64, [f64; 3]) {
        let (q, u) = self.state();
        self.dynamics.approach(contact, self.t, q, u)
    }

    /// Finds the pieces that contacts are on, and gap and velocities there; an
    /// infinite gap where a contact faces nothing.
    pub fn find_contacts(&mut self) -> Vec<(f64, [f64; 3])> {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let (q, u) = (&self.y[..nq], &self.y[nq..nq + n]);
        self.dynamics.find_pieces(q, u);
        (0..self.slack.len()).map(|c| self.on_piece(c)).collect()
    }

    /// Gap and γ of a contact on the piece that was found last.
    pub fn on_piece(&self, contact: usize) -> (f64, [f64; 3]) {
        let (q, u) = self.state();
        match self.dynamics.pieces[contact] {
            NO_PIECE => (f64::INFINITY, [0.0; 3]),
            piece => self.dynamics.system.approach_on(contact, piece, self.t, q, u),
        }
    }

    /// The end of the run where bodies overlap: measured on their shapes, by
    /// other means than those that find contacts.
    fn overlap(&mut self) -> Option<End> {
        let (distance, [a, b]) = self.dynamics.system.nearest_pair(self.t, &self.y[..self.dynamics.nq])?;
        if distance >= -OVERLAP * self.units.gap {
            return None;
        }
        let text = format!("{a} and {b} overlap by {:.3e} m", -distance);
        self.remark(format!("{text}: the run is wrong from here on"));
        Some(End::Penetration(text))
    }

    fn check_start(&mut self) -> Result<(), ImpactError> {
        for (c, point) in self.dynamics.system.contacts().iter().enumerate() {
            let gap = self.approach(c).0;
            if gap.is_nan() || gap < -self.units.gap {
                let problem = format!("the bodies overlap at the start, contact {} has the gap {gap:e}", point.name);
                return Err(ImpactError::new("body", "", problem));
            }
        }
        if let Some(End::Penetration(text)) = self.overlap() {
            return Err(ImpactError::new("body", "", format!("{text} at the start")));
        }
        let nq = self.dynamics.nq;
        let n = self.dynamics.n;
        let (q, rest) = self.y.split_at_mut(nq);
        let before = rest[..n].to_vec();
        let drift = self.dynamics.project(0.0, q, &mut rest[..n], &self.units);
        if drift.joints > 1e-6 {
            let value = format!("{:e} of the bodies' size", drift.joints);
            return Err(ImpactError::new("joint", value, "the joints do not close at the start"));
        }
        let moved = before
            .iter()
            .zip(&rest[..n])
            .enumerate()
            .fold(0.0f64, |m, (i, (a, b))| m.max((a - b).abs() / self.units.velocities[i]));
        if moved * self.units.size > 1e-6 * self.units.speed {
            self.remark("the initial velocities violated the joints and were projected onto them".to_owned());
        }
        let (t, v) = self.energies();
        self.start_energy = [t, v];
        self.largest_energy = t;
        Ok(())
    }

    pub fn remark(&mut self, text: String) {
        self.trajectory.log.push(Remark { time: self.t, text });
    }

    pub fn event(&mut self, kind: EventKind) {
        self.trajectory.events.push(Event { time: self.t, kind });
    }

    /// T and V at the current state.
    pub fn energies(&mut self) -> (f64, f64) {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let (q, u) = (&self.y[..nq], &self.y[nq..nq + n]);
        self.dynamics.set_mass(q);
        (self.dynamics.mass.energy(u), self.dynamics.system.potential(self.t, q))
    }

    pub fn note_energy(&mut self) -> Energies {
        let (kinetic, potential) = self.energies();
        self.largest_energy = self.largest_energy.max(kinetic + (potential - self.start_energy[1]).abs());
        let works = &self.y[self.dynamics.nq + self.dynamics.n..];
        Energies {
            kinetic,
            potential,
            friction: works[FRICTION],
            supports: works[SUPPORTS],
            damping: works[DAMPING],
            applied: works[APPLIED],
            impacts: self.impact_work,
        }
    }

    pub fn run(mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> Result<Trajectory, ImpactError> {
        self.sample_here();
        self.begin_peaks();
        let started = if self.until.impacts == Some(0) { Some(End::Completed) } else { self.start()? };
        let end = match started {
            Some(end) => end,
            None => {
                // The first sample was taken before the contacts had a mode. An impact
                // at the start leaves it as it is: before, there were no forces.
                if self.trajectory.impacts.is_empty() {
                    self.trajectory.samples[0].forces.clone_from(&self.dynamics.contact_force);
                }
                self.advance(observer)?
            }
        };
        let energy = self.note_energy();
        let change = energy.total() - self.start_energy[0] - self.start_energy[1] - energy.work();
        // Where hardly anything moves, the round-off of the potential itself must not count.
        let potentials = self.start_energy[1].abs() + energy.potential.abs();
        let round = if change.abs() <= 16.0 * f64::EPSILON * potentials { potentials } else { 0.0 };
        let scale = self.largest_energy.max(round);
        self.trajectory.closure = if scale > 0.0 { change.abs() / scale } else { 0.0 };
        if self.trajectory.closure > CLOSED {
            let gap = format!("{:.1e} of the largest that occurred", self.trajectory.closure);
            self.remark(format!("energy and works differ by {gap}: a smaller integrator.tolerance may help"));
        }
        self.tell_of_accumulation();
        if self.trajectory.samples.last().is_none_or(|s| s.time < self.t) || self.trajectory.samples.len() == 1 {
            self.sample_here();
        }
        self.trajectory.end = end;
        self.trajectory.time = self.t;
        self.trajectory.stats.evaluations = self.dynamics.evaluations;
        Ok(self.trajectory)
    }

    /// Whether events come ever faster.
    fn rushes(&self) -> bool {
        let events = &self.trajectory.events;
        let first = events.len().checked_sub(RUSH).map(|k| events[k].time);
        first.is_some_and(|time| self.t - time < RUSH_TIME / self.units.rate)
    }

    fn advance(&mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> Result<End, ImpactError> {
        loop {
            if let Some(end) = self.overlap() {
                return Ok(end);
            }
            if self.until.overturned && self.tilted() {
                return Ok(End::Overturned);
            }
            if self.until.rest && self.at_rest() {
                return Ok(End::AtRest);
            }
            if self.t >= self.until.time {
                if self.tilted() {
                    return Ok(End::Overturned);
                }
                if self.until.bound {
                    self.remark("the longest time was reached before the end that was asked for".to_owned());
                    return Ok(End::TimeLimit);
                }
                return Ok(End::Completed);
            }
            let progress = Progress { time: self.t, end: self.until.time, impacts: self.trajectory.impacts.len() };
            if observer(&progress) == Control::Stop {
                return Ok(End::Interrupted);
            }
            if !self.step() {
                return Ok(End::Stalled);
            }
            let triggers = self.scan();
            if triggers.is_empty() {
                self.accept();
                continue;
            }
            let trigger = self.locate(&triggers);
            if self.trial.iter().any(|v| !v.is_finite()) {
                return Ok(End::Stalled);
            }
            let before = self.t;
            self.accept();
            // What overlaps must be seen before a new mode closes its gaps.
            if let Some(end) = self.overlap() {
                return Ok(end);
            }
            if self.t > before + 1e-12 / self.units.rate {
                self.last_event = (self.t, 0);
            }
            self.last_event.1 += 1;
            if self.last_event.1 > EVENTS_AT_ONCE {
                self.remark(format!("{EVENTS_AT_ONCE} events at one time: the contact modes do not settle"));
                return Ok(End::Stalled);
            }
            if self.trajectory.events.len() > self.settings.max_events {
                return Ok(End::MaxEvents);
            }
            if self.settings.scheme == Scheme::Auto && self.rushes() {
                self.remark(format!("the last {RUSH} events came within {:.1e} s", RUSH_TIME / self.units.rate));
                return Ok(End::MaxEvents);
            }
            let (mode, impacts) = (self.dynamics.mode.clone(), self.trajectory.impacts.len());
            if let Some(end) = self.handle(trigger)? {
                return Ok(end);
            }
            let same = self.dynamics.mode.is_like(&mode, self.dynamics.system.tangents())
                && self.trajectory.impacts.len() == impacts;
            self.doubt = if same && trigger.is_of_forces() { (10.0 * self.doubt).min(MOST_DOUBT) } else { 1.0 };
        }
    }
}
