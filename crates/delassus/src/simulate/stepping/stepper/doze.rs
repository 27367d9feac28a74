//! Groups of bodies that rest sleep: they stay where they are and are left out of the contact problem, until something
//! that does not sleep comes to touch them, a support that they touch moves, or a force on one of them changes.

use super::Stepper;
use super::watch::RESTING;
use crate::error::ImpactError;
use crate::model::SUPPORT;

/// A force has changed that differs by this part of itself.
const CHANGED: f64 = 1e-9;

/// A contact of bodies that sleep, with its impulse in a step.
#[derive(Debug, Clone)]
pub(super) struct Held<const R: usize> {
    key: u64,
    body: usize,
    /// Its number, where contacts are listed.
    pub listed: Option<usize>,
    pub impulse: [f64; R],
}

/// Which bodies sleep. All is empty where nothing may.
#[derive(Debug, Clone, Default)]
pub(super) struct Sleep<const R: usize> {
    /// Per body, for how many steps it has been still.
    still: Vec<usize>,
    /// Per body, the one that stands for its group where it sleeps.
    group: Vec<Option<usize>>,
    /// The same as a question.
    pub asleep: Vec<bool>,
    /// Forces on the bodies that sleep.
    force: Vec<f64>,
    now: Vec<f64>,
    pub held: Vec<Held<R>>,
    /// Steps in which bodies slept, how many at most, and how often a group was woken.
    steps: usize,
    most: usize,
    woken: usize,
}

impl<const R: usize> Sleep<R> {
    pub fn new(wanted: bool, bodies: usize, velocities: usize) -> Self {
        if !wanted {
            return Self::default();
        }
        Self {
            still: vec![0; bodies],
            group: vec![None; bodies],
            asleep: vec![false; bodies],
            force: vec![0.0; velocities],
            ..Self::default()
        }
    }

    fn any(&self) -> bool {
        self.asleep.contains(&true)
    }

    /// Numbers and whole numbers of a snapshot.
    pub fn write(&self, numbers: &mut Vec<f64>, words: &mut Vec<u64>) {
        numbers.extend_from_slice(&self.force);
        numbers.extend(self.held.iter().flat_map(|held| held.impulse));
        let or_none = |number: Option<usize>| number.map_or(0, |n| n as u64 + 1);
        words.extend(self.still.iter().map(|&count| count as u64));
        words.extend(self.group.iter().map(|group| or_none(*group)));
        if !self.still.is_empty() {
            words.extend([self.steps, self.most, self.woken].map(|count| count as u64));
        }
        words.extend(self.held.iter().flat_map(|held| [held.key, held.body as u64, or_none(held.listed)]));
    }

    /// The state that [`write`](Self::write) wrote; none where it is that of another system.
    pub fn read(&self, numbers: &[f64], words: &[u64]) -> Option<Self> {
        let bodies = self.still.len();
        if bodies == 0 {
            return (numbers.is_empty() && words.is_empty()).then(Self::default);
        }
        let (force, impulses) = numbers.split_at_checked(self.force.len())?;
        let (still, rest) = words.split_at_checked(bodies)?;
        let (group, rest) = rest.split_at_checked(bodies)?;
        let (counts, held) = rest.split_at_checked(3)?;
        let ((held, left), (impulses, over)) = (held.as_chunks::<3>(), impulses.as_chunks::<R>());
        let known = |number: u64| (number as usize) < bodies;
        let fits = left.is_empty() && over.is_empty() && held.len() == impulses.len();
        if !fits || !held.iter().all(|held| known(held[1])) || !group.iter().all(|&g| g == 0 || known(g - 1)) {
            return None;
        }
        let group: Vec<Option<usize>> = group.iter().map(|&g| (g as usize).checked_sub(1)).collect();
        let held = held.iter().zip(impulses).map(|(&[key, body, listed], &impulse)| {
            let listed = (listed as usize).checked_sub(1);
            Held { key, body: body as usize, listed, impulse }
        });
        Some(Self {
            still: still.iter().map(|&count| count as usize).collect(),
            asleep: group.iter().map(Option::is_some).collect(),
            group,
            force: force.to_vec(),
            now: Vec::new(),
            held: held.collect(),
            steps: counts[0] as usize,
            most: counts[1] as usize,
            woken: counts[2] as usize,
        })
    }
}

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// Wakes what is disturbed in the step over `span`, and leaves out the contacts of what goes on sleeping.
    pub(super) fn disturb(&mut self, span: [f64; 2], q_mid: &[f64]) {
        if !self.sleep.any() {
            return;
        }
        let mut now = std::mem::take(&mut self.sleep.now);
        now.resize(self.u.len(), 0.0);
        self.system.forces(0.5 * (span[0] + span[1]), q_mid, &self.u, &mut now);
        for body in 0..self.system.count() {
            let at = D * body..D * (body + 1);
            let (then, here) = (&self.sleep.force[at.clone()], &now[at]);
            let size = then.iter().fold(0.0f64, |most, f| most.max(f.abs()));
            if self.sleep.asleep[body] && then.iter().zip(here).any(|(a, b)| (a - b).abs() > CHANGED * size) {
                self.wake(body);
            }
        }
        self.sleep.now = now;
        // A group that wakes may touch others.
        loop {
            let asleep = |body: usize| body != SUPPORT && self.sleep.asleep[body];
            let disturbed = self.touches.iter().find_map(|touch| {
                let [a, b] = touch.bodies;
                let moves = b == SUPPORT && touch.offset.as_flattened().iter().any(|v| *v != 0.0);
                match (asleep(a), asleep(b)) {
                    (true, false) if b != SUPPORT || moves => Some(a),
                    (false, true) => Some(b),
                    _ => None,
                }
            });
            let Some(body) = disturbed else { break };
            self.wake(body);
        }
        let asleep = &self.sleep.asleep;
        // The first side is a body; where it sleeps, so does the other, or it is a support that rests.
        self.touches.retain(|touch| !asleep[touch.bodies[0]]);
        let count = asleep.iter().filter(|asleep| **asleep).count();
        self.sleep.steps += usize::from(count > 0);
        self.sleep.most = self.sleep.most.max(count);
        self.trajectory.stats.slept += count;
    }

    /// Wakes the group of a body; its contacts begin with the impulses that they had.
    fn wake(&mut self, body: usize) {
        let Some(group) = self.sleep.group[body] else { return };
        self.sleep.woken += 1;
        let Sleep { held, group: groups, asleep, still, .. } = &mut self.sleep;
        let last = &mut self.last;
        held.retain(|held| {
            let wakes = groups[held.body] == Some(group);
            if wakes {
                last.push((held.key, held.impulse));
            }
            !wakes
        });
        for body in 0..groups.len() {
            if groups[body] == Some(group) {
                (groups[body], asleep[body], still[body]) = (None, false, 0);
            }
        }
    }

    /// Puts groups to sleep that have been still for long, with `old` the velocities before the step. What is left of
    /// their velocities is taken out, as work of impacts.
    pub(super) fn doze(&mut self, old: &[f64]) {
        if self.sleep.still.is_empty() {
            return;
        }
        let unit = (self.system.gravity() * self.smallest).sqrt();
        let speeds = self.u.as_chunks::<D>().0.iter().zip(old.as_chunks::<D>().0);
        for (b, (u, old)) in speeds.enumerate() {
            let change = self.system.speed(b, &std::array::from_fn(|i| u[i] - old[i]));
            let still = self.system.speed(b, u) <= RESTING * unit && change <= 0.01 * self.rest_speed;
            self.sleep.still[b] = if still { self.sleep.still[b] + 1 } else { 0 };
        }
        // What only joints hold, and what nothing holds, stays awake.
        let leaders = self.leaders();
        let mut sleepy = vec![false; leaders.len()];
        self.touches.iter().for_each(|touch| sleepy[leaders[touch.bodies[0]]] = true);
        for block in &self.blocks[self.touches.len()..] {
            block.bodies.iter().filter(|b| **b != SUPPORT).for_each(|&b| sleepy[leaders[b]] = false);
        }
        for (b, &leader) in leaders.iter().enumerate() {
            sleepy[leader] &= self.rests_for(self.sleep.still[b]);
        }
        let sleeps = |b: usize| sleepy[leaders[b]] && !self.sleep.asleep[b];
        let falling: Vec<usize> = (0..leaders.len()).filter(|&b| sleeps(b)).collect();
        if falling.is_empty() {
            return;
        }
        for &b in &falling {
            (self.sleep.group[b], self.sleep.asleep[b]) = (Some(leaders[b]), true);
            self.u[D * b..D * (b + 1)].fill(0.0);
        }
        let mut force = vec![0.0; self.u.len()];
        self.system.forces(self.t, &self.q, &self.u, &mut force);
        for &b in &falling {
            self.sleep.force[D * b..D * (b + 1)].copy_from_slice(&force[D * b..D * (b + 1)]);
        }
        for (touch, block) in self.touches.iter().zip(&self.blocks) {
            let body = touch.bodies[0];
            if sleepy[leaders[body]] {
                let listed = self.system.listed(touch);
                // As in a whole step, where this was a shorter last one.
                let impulse = block.x.map(|x| x * self.h / self.taken);
                self.sleep.held.push(Held { key: touch.key, body, listed, impulse });
            }
        }
        let kinetic = self.system.kinetic(&self.q, &self.u);
        self.energy.impacts += kinetic - self.energy.kinetic;
        self.energy.kinetic = kinetic;
    }

    /// Tells of sleep at the end of the run.
    pub(super) fn tell_of_sleep(&mut self) {
        let Sleep { steps, most, woken, .. } = self.sleep;
        if steps > 0 {
            let (all, bodies) = (self.trajectory.stats.steps, self.system.count());
            self.remark(format!(
                "bodies slept in {steps} of {all} steps, at most {most} of {bodies} at once; groups were woken {woken} times"
            ));
        }
    }

    /// Goes back to the sleep of a snapshot.
    pub(super) fn restore_sleep(&mut self, numbers: &[f64], words: &[u64]) -> Result<(), ImpactError> {
        let foreign = || ImpactError::new("snapshot", "", "belongs to another system");
        self.sleep = self.sleep.read(numbers, words).ok_or_else(foreign)?;
        Ok(())
    }
}
