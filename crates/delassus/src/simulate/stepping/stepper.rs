//! The steps: contacts, impulses, positions, ends.

mod doze;
mod impulses;
mod loops;
mod pace;
mod resume;
mod start;
mod watch;

use super::apart::{Apart, push_out};
use super::blocks::{Block, Kind};
use super::record::{Recorder, Struck};
use super::sweep::Sweeper;
use crate::error::{ImpactError, finite};
use crate::model::{Bodies, Free, Hold, Near, SUPPORT, Scratch, Touch, Watch};
use crate::simulate::keep::Keeper;
use crate::simulate::peaks::{Peak, Peaks};
use crate::simulate::settings::{Settings, Until};
use crate::simulate::trajectory::{End, Energies, Event, EventKind, Remark, RunStats, StepReport, Trajectory};
use crate::simulate::{Control, Progress};
use doze::Sleep;
use pace::Pace;

/// Steps of a run that are a mistake.
const MOST_STEPS: f64 = 1e10;
/// Everything rests when it is still for that many steps, so that the top of a flight does not count, …
const RESTING_STEPS: usize = 5;
/// … and for as long as a body takes to fall by its size: what begins to slide or tip slowly is faster by then.
const RESTING_TIME: f64 = 1.0;
/// Energy and works that differ by more than this part of the largest energy are worth a remark.
const CLOSED: f64 = 1e-3;

pub(super) struct Stepper<'a, const D: usize, const R: usize> {
    pub system: &'a dyn Bodies<D, R>,
    pub settings: &'a Settings,
    until: &'a Until,
    /// One restitution for all contacts, where the law has it.
    restitution: Option<f64>,
    /// Time of the first step.
    start: f64,
    pub t: f64,
    pub q: Vec<f64>,
    pub u: Vec<f64>,
    h: f64,
    /// Size of the step just made: the last one of a run can be shorter.
    taken: f64,
    /// Bodies' size, smallest size, gap that counts as closed.
    pub size: f64,
    pub smallest: f64,
    pub gap: f64,
    /// Approach slower than this is no impact.
    pub rest_speed: f64,
    pub near: Near,
    /// What the check of overlaps remembers, by itself.
    watch: Watch,
    centres: Vec<[f64; 3]>,
    scratch: Scratch,
    radii: Vec<f64>,
    q_mid: Vec<f64>,
    free: Free,
    pub inverse_masses: Vec<[[f64; D]; D]>,
    pub touches: Vec<Touch<D, R>>,
    pub holds: Vec<Hold<D, R>>,
    /// The joints' rows at the start of the step.
    start_holds: Vec<Hold<D, R>>,
    pub blocks: Vec<Block<D, R>>,
    v: Vec<[f64; D]>,
    pub sweeper: Sweeper<D, R>,
    /// Buffers of moving bodies apart.
    pub apart: Apart<D, R>,
    /// The smallest weight of a body.
    pub lightest: f64,
    /// The largest velocity that calls for impulses in the step.
    pub called: f64,
    /// Velocities of the step before.
    old: Vec<f64>,
    /// Positions and velocities before the step.
    sound: (Vec<f64>, Vec<f64>),
    /// Keys and impulses of the last step, in the order of its contacts.
    last: Vec<(u64, [f64; R])>,
    /// The same keys in order, with their places, where they were needed.
    places: Vec<(u64, usize)>,
    joint_impulses: Vec<[f64; R]>,
    /// Whether joints connect bodies in loops.
    pub loops: bool,
    sleep: Sleep<R>,
    /// γ of the contacts at the start of the step.
    before: Vec<[f64; R]>,
    /// What restitution adds to the constants of the contacts.
    bounces: Vec<[f64; R]>,
    /// Which contacts touched in the last step, and which are struck in this one.
    lasting: Vec<bool>,
    struck: Vec<bool>,
    /// Steps in which restitution was left out because the contacts jam.
    jammed: usize,
    pub energy: Energies,
    start_energy: f64,
    start_potential: f64,
    largest_energy: f64,
    quiet: usize,
    /// The largest residual, and its step.
    unsolved: usize,
    /// The steps since the last sample.
    untold: StepReport,
    next_sample: f64,
    /// Time between samples.
    interval: Option<f64>,
    recorder: Recorder,
    pub impacts: usize,
    missed: bool,
    /// The largest speed so far.
    fastest: f64,
    pub trajectory: Trajectory,
}

impl<'a, const D: usize, const R: usize> Stepper<'a, D, R> {
    pub fn new(
        system: &'a dyn Bodies<D, R>,
        q: &[f64],
        u: &[f64],
        restitution: Option<f64>,
        settings: &'a Settings,
        until: &'a Until,
        start: f64,
    ) -> Result<Self, ImpactError> {
        for (name, values, count) in [("q", q, system.positions()), ("u", u, system.velocities())] {
            if values.len() != count {
                let given = format!("{} entries", values.len());
                return Err(ImpactError::new(name, given, format!("needs {count}")));
            }
            for (i, v) in values.iter().enumerate() {
                finite(|| format!("{name}[{i}]"), *v)?;
            }
        }
        let radii: Vec<f64> = (0..system.count()).map(|b| system.ball(b, q).1).collect();
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let fastest = u.as_chunks().0.iter().enumerate().map(|(b, u)| system.speed(b, u)).fold(0.0, f64::max);
        // A longer step than the run would only make what is measured by steps (speeds of impacts, times of samples) coarse.
        let left = (until.time - start).max(f64::MIN_POSITIVE);
        let pace = Pace::of(system, q, u, [start, left], [smallest, fastest]);
        let h = settings.step.unwrap_or(pace.step);
        let h = h.min(left);
        if left / h > MOST_STEPS {
            return Err(ImpactError::new("integrator.step", h, format!("gives more than {MOST_STEPS:e} steps")));
        }
        // Samples of a run whose end is not known begin with every step, and are thinned out.
        let interval = settings.sample_interval.or(settings.most_samples.map(|_| h));
        let size = system.size();
        let trajectory = Trajectory {
            end: End::Completed,
            time: 0.0,
            samples: Vec::new(),
            events: Vec::new(),
            impacts: Vec::new(),
            contact_names: system.contacts().iter().map(|c| c.name.clone()).collect(),
            kept: None,
            peaks: Peaks { angle: system.tilt().map(|i| Peak { value: q[i].abs(), time: 0.0 }), contacts: Vec::new() },
            stepped_from: None,
            closure: 0.0,
            log: system.remarks().iter().map(|text| Remark::new(0.0, text)).collect(),
            stats: RunStats::default(),
        };
        let mut stepper = Self {
            system,
            settings,
            until,
            restitution,
            start,
            t: start,
            q: q.to_vec(),
            u: u.to_vec(),
            h,
            taken: h,
            size,
            smallest,
            gap: settings.contact_tolerance * size,
            rest_speed: pace.gravity * h,
            near: Near::default(),
            watch: Watch::default(),
            centres: Vec::new(),
            scratch: Scratch::default(),
            radii,
            q_mid: Vec::new(),
            free: Free::default(),
            inverse_masses: Vec::new(),
            touches: Vec::new(),
            holds: Vec::new(),
            start_holds: Vec::new(),
            blocks: Vec::new(),
            v: Vec::new(),
            sweeper: Sweeper::default(),
            apart: Apart::default(),
            lightest: 0.0,
            called: 0.0,
            old: Vec::new(),
            sound: Default::default(),
            last: Vec::new(),
            places: Vec::new(),
            joint_impulses: Vec::new(),
            loops: false,
            sleep: Sleep::new(settings.sleep, system.count(), u.len()),
            before: Vec::new(),
            bounces: Vec::new(),
            lasting: Vec::new(),
            struck: Vec::new(),
            jammed: 0,
            energy: Energies::default(),
            start_energy: 0.0,
            start_potential: 0.0,
            largest_energy: 0.0,
            quiet: 0,
            unsolved: 0,
            untold: StepReport::default(),
            next_sample: interval.map_or(0.0, |interval| (start / interval).floor() * interval),
            interval,
            recorder: Recorder::new(system.count()),
            impacts: 0,
            missed: false,
            fastest,
            trajectory,
        };
        stepper.check_start()?;
        Ok(stepper)
    }

    /// Finds the contacts closer than `margin` at the positions q.
    pub fn look(&mut self, q: &[f64], span: [f64; 2], margin: f64) {
        self.centres.clear();
        self.centres.extend((0..self.system.count()).map(|b| self.system.ball(b, q).0));
        let pairs = self.near.pairs(&self.centres, &self.radii, self.gap.max(margin));
        self.touches.clear();
        self.system.touches(span, q, pairs, margin, &mut self.scratch, &mut self.touches);
    }

    pub fn remark(&mut self, text: String) {
        self.trajectory.log.push(Remark::new(self.t, text));
    }

    pub fn run(
        mut self,
        keeper: &mut dyn Keeper,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<Trajectory, ImpactError> {
        if self.trajectory.samples.is_empty() {
            self.sample(true);
        }
        let end = loop {
            if let Some(end) = self.ended(observer) {
                if end == End::Interrupted {
                    keeper.keep(&self.snapshot(), &self.trajectory);
                }
                break end;
            }
            // Whole steps, so that round-off does not add up; the last one ends exactly at the end.
            let next = self.start + (self.trajectory.stats.steps + 1) as f64 * self.h;
            let next = if next >= self.until.time - 1e-9 * self.h { self.until.time } else { next };
            let h = next - self.t;
            if let Some(end) = self.step(h) {
                break end;
            }
            self.t = next;
            self.sample(false);
            if let Some(end) = self.deep(h) {
                break end;
            }
            if keeper.is_due(&self.progress()) {
                keeper.keep(&self.snapshot(), &self.trajectory);
            }
        };
        if self.trajectory.samples.last().is_none_or(|s| s.time < self.t) {
            self.sample(true);
        }
        let scale = self.largest_energy.max(self.unmoved());
        let off = (self.energy.total() - self.start_energy - self.energy.work()).abs();
        self.trajectory.closure = if scale > 0.0 { off / scale } else { 0.0 };
        if self.trajectory.closure > CLOSED {
            let gap = format!("{:.1e} of the largest that occurred", self.trajectory.closure);
            self.remark(format!("energy and works differ by {gap}: a smaller integrator.step may help"));
        }
        if self.unsolved > 0 {
            let (count, worst) = (self.unsolved, self.trajectory.stats.residual);
            self.remark(format!(
                "in {count} steps the contact problem was left above the residual wanted, at most with {worst:.1e}"
            ));
        }
        if self.jammed > 0 {
            let count = self.jammed;
            self.remark(format!(
                "in {count} steps contacts did not bounce: with restitution their impulses would have added energy, or bodies \
                 were held from several sides"
            ));
        }
        self.tell_of_sleep();
        self.trajectory.stats.unlisted = self.recorder.unlisted;
        if self.recorder.unlisted > 0 {
            let count = self.recorder.unlisted;
            self.remark(format!("{count} impacts of many bodies or contacts are counted but not listed one by one"));
        }
        self.trajectory.end = end;
        self.trajectory.time = self.t;
        self.trajectory.doubt_end();
        Ok(self.trajectory)
    }

    /// The size of the energy of lifting everything by the smallest size.
    pub fn weight(&self) -> f64 {
        let mut force = vec![0.0; self.u.len()];
        self.system.forces(self.t, &self.q, &vec![0.0; self.u.len()], &mut force);
        self.smallest * force.iter().map(|f| f * f).sum::<f64>().sqrt()
    }

    fn ended(&mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> Option<End> {
        if self.until.impacts.is_some_and(|most| self.impacts >= most) {
            return Some(End::Completed);
        }
        if self.until.overturned && self.system.tilt().is_some_and(|i| self.q[i].abs() >= std::f64::consts::FRAC_PI_2) {
            return Some(End::Overturned);
        }
        if self.until.rest && self.rests_for(self.quiet) {
            return Some(End::AtRest);
        }
        if self.t >= self.until.time {
            if self.until.bound {
                self.remark("the longest time was reached before the end that was asked for".to_owned());
                return Some(End::TimeLimit);
            }
            return Some(End::Completed);
        }
        (observer(&self.progress()) == Control::Stop).then_some(End::Interrupted)
    }

    /// Whether what has been still for so many steps rests.
    fn rests_for(&self, steps: usize) -> bool {
        let fall = (self.smallest / self.system.gravity()).sqrt();
        steps >= RESTING_STEPS && (!fall.is_finite() || steps as f64 * self.h >= RESTING_TIME * fall)
    }

    fn progress(&self) -> Progress {
        Progress { time: self.t, end: self.until.time, impacts: self.impacts }
    }

    /// One step of size `h`. Where numbers grow beyond all bounds, the run ends with the state before it.
    fn step(&mut self, h: f64) -> Option<End> {
        self.sound.0.clone_from(&self.q);
        self.sound.1.clone_from(&self.u);
        let (energy, impacts, events) = (self.energy, self.trajectory.impacts.len(), self.trajectory.events.len());
        self.advance(h);
        let energies = self.energy.total() + self.energy.work();
        if energies.is_finite() && self.q.iter().chain(&self.u).all(|v| v.is_finite()) {
            return None;
        }
        self.q.clone_from(&self.sound.0);
        self.u.clone_from(&self.sound.1);
        self.energy = energy;
        self.trajectory.impacts.truncate(impacts);
        self.trajectory.events.truncate(events);
        self.touches.clear();
        self.blocks.clear();
        self.remark("forces or velocities grow beyond all bounds: a smaller integrator.step may help".to_owned());
        Some(End::Stalled)
    }

    fn advance(&mut self, h: f64) {
        let theta = self.settings.theta;
        self.taken = h;
        self.q_mid.clone_from(&self.q);
        self.system.carry(0.5 * h, &self.u, &mut self.q_mid);
        let q_mid = std::mem::take(&mut self.q_mid);
        let span = [self.t, self.t + h];
        // As near as free fall within the step reaches.
        self.look(&q_mid, span, self.gap + h * self.rest_speed);
        self.disturb(span, &q_mid);
        self.system.free(self.t, h, theta, &self.q, &self.u, &self.sleep.asleep, &mut self.free);
        self.system.inverse_masses(&q_mid, &mut self.inverse_masses);
        self.holds.clear();
        self.system.holds(span, &q_mid, &self.u, &mut self.holds);
        self.start_holds.clear();
        self.system.holds(span, &self.q, &self.u, &mut self.start_holds);
        self.set_blocks(h);
        self.impulses(h);
        self.q_mid = q_mid;

        let mut free = std::mem::take(&mut self.free);
        let mut next = std::mem::take(&mut self.old);
        next.clear();
        next.extend_from_slice(self.v.as_flattened());
        for (mean, (next, free)) in free.mean.iter_mut().zip(next.iter().zip(&free.u)) {
            *mean += theta * (next - free);
        }
        self.system.works(self.t, h, &mut free);
        let worked = self.energy.impacts + self.energy.friction;
        self.account(&free);
        let lost = worked - self.energy.impacts - self.energy.friction;
        if self.struck.contains(&true) {
            self.impacts += 1;
            let state = Struck { t: self.t, q: &self.q_mid, u: &self.u, free: &free.u, next: &next };
            let names = &mut self.trajectory.contact_names;
            if let Some(impact) = self.recorder.impact(self.system, &state, &self.touches, &self.blocks, names) {
                let kind = EventKind::Impact(self.trajectory.impacts.len());
                self.trajectory.events.push(Event { time: impact.time, kind });
                self.trajectory.impacts.push(impact);
            }
        }
        let old = std::mem::replace(&mut self.u, next);
        self.system.carry(h, &free.mean, &mut self.q);
        if self.q.iter().chain(&self.u).all(|v| v.is_finite()) {
            self.separate(h, &free.mean, &old, span, lost);
            self.notice(&old);
        }
        self.settle_energy(span[1]);
        self.doze(&old);
        (self.free, self.old) = (free, old);
    }

    /// The rows of the step's contacts and joints with the impulses of the last one, and which contacts are struck.
    fn set_blocks(&mut self, h: f64) {
        self.blocks.clear();
        self.before.clear();
        self.bounces.clear();
        self.struck.clear();
        let start = self.u.as_chunks().0;
        self.v.clear();
        self.v.extend_from_slice(self.free.u.as_chunks().0);
        let (rest_speed, gap, theta) = (self.rest_speed, self.gap, self.settings.theta);
        let tolerance = self.tolerance_of(self.touches.len() + self.holds.len());
        let (masses, before, blocks) = (&self.inverse_masses, &mut self.before, &mut self.blocks);
        self.touches.retain(|touch| {
            let mut block = Block::new(touch.bodies, touch.directions, Kind::Contact(touch.surface.friction), masses);
            let mut gamma = block.velocity(start);
            (0..R).for_each(|r| gamma[r] += touch.offset[0][r]);
            // What approaches fast acts when it has arrived.
            if touch.gap > gap && gamma[0] < -rest_speed {
                return false;
            }
            block.constant = touch.offset[1];
            // Where bodies roll over each other a contact opens because its direction turns. What holds them together does no
            // work if it closes as fast as it opened.
            let mut closing = if gamma[0] <= rest_speed { gamma[0].max(0.0) } else { 0.0 };
            if touch.gap > gap {
                // What is open by less than free fall reaches may close and go no further, at the middle of the next
                // step, where contacts are looked for again. Closing by the end of this one would take twice the velocity, and
                // the middle of the next step would be as deep as the gap was.
                closing = closing.max((touch.gap / h + (0.5 - theta) * gamma[0]) / (theta + 0.5));
            }
            let lasts = gamma[0].abs() <= rest_speed;
            block.constant[0] += closing - if lasts { push_out(touch.gap, gap, h, tolerance, rest_speed) } else { 0.0 };
            before.push(gamma);
            blocks.push(block);
            true
        });
        self.recall(h);
        let start = self.u.as_chunks().0;
        let contacts = self.touches.iter().zip(&mut self.blocks).zip(self.before.iter().zip(&self.lasting));
        for ((touch, block), (gamma, lasts)) in contacts {
            let surface = &touch.surface;
            let restitution = self.restitution.unwrap_or(surface.restitution);
            // What touched in the last step has been struck already. That it approaches again is because bodies turn.
            let turns = || self.rest_speed + h * turning(self.system, touch.bodies, start);
            let struck = gamma[0] < -self.rest_speed && !(*lasts && -gamma[0] <= turns());
            let along = self.restitution.unwrap_or(surface.restitution_tangential);
            let bounce: [f64; R] = if struck {
                std::array::from_fn(|r| gamma[r] * if r == 0 { restitution } else { along })
            } else {
                [0.0; R]
            };
            (0..R).for_each(|r| block.constant[r] += bounce[r]);
            self.bounces.push(bounce);
            self.struck.push(struck);
        }
        for (k, (hold, at_start)) in self.holds.iter().zip(&self.start_holds).enumerate() {
            let mut block = Block::new(hold.bodies, hold.directions, Kind::Joint, &self.inverse_masses);
            let mut gamma = block.velocity(start);
            // What is no velocity of the joint at the start becomes one by the middle, as its directions turn. The same
            // again to the end: velocities fit the joint at both ends, and it does no work.
            let turned = at_start.velocity(start);
            block.constant = hold.offset[1];
            (0..R).for_each(|r| block.constant[r] += gamma[r] - turned[r]);
            (0..R).for_each(|r| gamma[r] += hold.offset[0][r]);
            block.x = self.joint_impulses.get(k).copied().unwrap_or([0.0; R]);
            self.before.push(gamma);
            self.blocks.push(block);
        }
        self.loops = loops::are_there(&self.holds, self.system.count());
        if self.loops {
            self.agree();
        }
    }
}

/// How fast velocities of a contact change because its bodies turn, at most.
fn turning<const D: usize, const R: usize>(system: &dyn Bodies<D, R>, bodies: [usize; 2], u: &[[f64; D]]) -> f64 {
    let moving = bodies.into_iter().filter(|&b| b != SUPPORT);
    moving.map(|b| u[b][R..].iter().map(|w| w * w).sum::<f64>().sqrt() * system.speed(b, &u[b])).sum()
}
