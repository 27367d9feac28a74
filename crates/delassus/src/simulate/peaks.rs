//! Largest values of a run. They are found within the steps, so they do not depend on samples.

use super::events::Bounds;
use super::keep::Exchange;
use super::mode::{ContactMode, sliding};
use super::motion::MovingSystem;
use super::steps::Steps;
use super::thresholds::{count, force};

/// A largest value and its time \[s\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Peak {
    /// The value, at least 0.
    pub value: f64,
    /// When it was first reached.
    pub time: f64,
}

impl Peak {
    fn exchange(&mut self, with: &mut Exchange<'_>) -> Option<()> {
        with.number(&mut self.value)?;
        with.number(&mut self.time)
    }

    pub(super) fn raise(&mut self, value: f64, time: f64) {
        if value.is_finite() && value > self.value {
            *self = Self { value, time };
        }
    }
}

/// Largest values at one contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactPeaks {
    /// Normal force between impacts \[N\].
    pub normal: Peak,
    /// Magnitude of the tangential force between impacts \[N\].
    pub tangential: Peak,
    /// Gap \[m\].
    pub uplift: Peak,
    /// Distance by which it has slid on its partner from where it first touched, either way \[m\].
    pub slip: Peak,
    /// How many impacts it took part in.
    pub impacts: usize,
}

/// Largest values of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Peaks {
    /// |θ| of the only body \[rad\]; absent where no body tilts.
    pub angle: Option<Peak>,
    /// Per contact of the system.
    pub contacts: Vec<ContactPeaks>,
}

/// Looks for the largest values within the steps of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct PeakSearch {
    /// What was found so far.
    pub peaks: Peaks,
    /// Distance slid so far along the tangents, per contact.
    slid: Vec<[f64; 2]>,
    /// An interpolated state.
    inside: Vec<f64>,
    /// Contact forces in the middle of a step.
    middle: Vec<[f64; 2]>,
}

impl PeakSearch {
    /// Begins with the state at the start.
    pub fn new(motion: &MovingSystem<'_>) -> Self {
        let (contacts, t) = (motion.contacts(), motion.state.t);
        let mut peaks = Peaks { angle: None, contacts: vec![ContactPeaks::default(); contacts] };
        if let Some(i) = motion.system().tilt() {
            peaks.angle = Some(Peak { value: motion.state.y[i].abs(), time: t });
        }
        for c in 0..contacts {
            peaks.contacts[c].uplift.raise(motion.approach(c).0, t);
        }
        Self { peaks, slid: vec![[0.0; 2]; contacts], inside: vec![0.0; motion.state.y.len()], middle: Vec::new() }
    }

    /// Passes what was found so far to a snapshot or back.
    pub fn exchange(&mut self, with: &mut Exchange<'_>) -> Option<()> {
        let Peaks { angle, contacts } = &mut self.peaks;
        if let Some(peak) = angle {
            peak.exchange(with)?;
        }
        for ContactPeaks { normal, tangential, uplift, slip, impacts } in contacts {
            for peak in [normal, tangential, uplift, slip] {
                peak.exchange(with)?;
            }
            with.count(impacts)?;
        }
        with.numbers(self.slid.as_flattened_mut())
    }

    /// Looks for peaks within the step that waits to be accepted.
    pub fn look(&mut self, motion: &mut MovingSystem<'_>, steps: &Steps) {
        self.note_angle(motion, steps);
        let bounds = Bounds::of(motion, steps);
        for c in 0..motion.contacts() {
            match motion.mode(c) {
                ContactMode::Open => self.note_uplift(motion, steps, c, bounds),
                ContactMode::Slip(_) | ContactMode::Smooth => self.note_slip(motion, steps, c),
                ContactMode::Stick => {}
            }
        }
        self.note_forces(motion, steps);
    }

    fn note_angle(&mut self, motion: &MovingSystem<'_>, steps: &Steps) {
        let (Some(i), Some(mut peak)) = (motion.system().tilt(), self.peaks.angle) else { return };
        let (rate, t) = (motion.dynamics.nq + i, motion.state.t);
        let first = motion.state.y[rate];
        if first * steps.end[rate] < 0.0 {
            let x = self.turn(motion, steps, first, |_, y| y[rate]);
            peak.raise(self.inside[i].abs(), t + x * steps.pending);
        }
        peak.raise(steps.end[i].abs(), t + steps.pending);
        self.peaks.angle = Some(peak);
    }

    /// The fraction of the step at which a quantity that is `first` at its start changes its sign;
    /// leaves the state there in `inside`.
    fn turn(
        &mut self,
        motion: &MovingSystem<'_>,
        steps: &Steps,
        first: f64,
        quantity: impl Fn(f64, &[f64]) -> f64,
    ) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..count::HALVINGS {
            let x = 0.5 * (low + high);
            steps.interpolate(x, &mut self.inside);
            let same = quantity(motion.state.t + x * steps.pending, &self.inside) * first > 0.0;
            *(if same { &mut low } else { &mut high }) = x;
        }
        steps.interpolate(high, &mut self.inside);
        high
    }

    fn note_uplift(&mut self, motion: &MovingSystem<'_>, steps: &Steps, c: usize, bounds: Bounds) {
        let end = motion.state.t + steps.pending;
        let (gap, gamma) = motion.approach_at(c, end, &steps.end);
        let mut peak = self.peaks.contacts[c].uplift;
        let (before, [rising, ..]) = motion.approach(c);
        let bend = bounds.bend(steps.pending, motion.units.size, motion.system().sharpness(c));
        let most = before + rising * steps.pending + 0.5 * bend;
        if rising > 0.0 && gamma[0] < 0.0 && most > peak.value {
            let x = self.turn(motion, steps, rising, |t, y| motion.approach_at(c, t, y).1[0]);
            let time = motion.state.t + x * steps.pending;
            peak.raise(motion.approach_at(c, time, &self.inside).0, time);
        }
        peak.raise(gap, end);
        self.peaks.contacts[c].uplift = peak;
    }

    fn note_slip(&mut self, motion: &MovingSystem<'_>, steps: &Steps, c: usize) {
        let (t, step) = (motion.state.t, steps.pending);
        let first = motion.approach(c).1[1];
        let last = motion.approach_at(c, t + step, &steps.end).1[1];
        // Only without friction it can turn within a step.
        let turns = first * last < 0.0;
        let turn = if turns { self.turn(motion, steps, first, |t, y| motion.approach_at(c, t, y).1[1]) } else { 1.0 };
        for (from, to) in [(0.0, turn), (turn, 1.0)].into_iter().filter(|(from, to)| from < to) {
            // The distance by Simpson's rule.
            let [a, b, d] = [from, 0.5 * (from + to), to].map(|x| {
                steps.interpolate(x, &mut self.inside);
                motion.approach_at(c, t + x * step, &self.inside).1
            });
            let slid = &mut self.slid[c];
            for k in 0..2 {
                slid[k] += (to - from) * step / 6.0 * (a[k + 1] + 4.0 * b[k + 1] + d[k + 1]);
            }
            let distance = sliding([0.0, slid[0], slid[1]]);
            self.peaks.contacts[c].slip.raise(distance, t + to * step);
        }
    }

    fn note_forces(&mut self, motion: &mut MovingSystem<'_>, steps: &Steps) {
        let (t, step) = (motion.state.t, steps.pending);
        let size = |force: &[[f64; 2]], c: usize, k: usize| force[c][k].abs();
        // In space faces that lie on each other share forces among many points, which are known no better than this.
        let known = if motion.system().tangents() > 1 { force::SHARED } else { 0.0 };
        self.middle.clear();
        for c in 0..motion.contacts() {
            if !motion.mode(c).is_closed() {
                continue;
            }
            for k in 0..2 {
                let [first, last] = [0, 1].map(|side| size(&steps.forces[side], c, k));
                let mut peak = *self.peak(c, k);
                if first.max(last) >= force::FAR_BELOW * peak.value && first != last {
                    if self.middle.is_empty() {
                        self.forces_at(motion, steps, 0.5);
                        self.middle.extend_from_slice(&motion.dynamics.contact_force);
                    }
                    // The parabola through three values has its top inside.
                    let half = size(&self.middle, c, k);
                    let (slope, bend) = (4.0 * half - 3.0 * first - last, 2.0 * (first + last - 2.0 * half));
                    let top = -0.5 * slope / bend;
                    let least = peak.value + known * size(&self.middle, c, 0);
                    if bend < 0.0 && top > 0.0 && top < 1.0 && first + 0.5 * slope * top > least {
                        let (x, value) = self.highest(motion, steps, c, k);
                        peak.raise(value, t + x * step);
                    }
                }
                peak.raise(first, t);
                peak.raise(last, t + step);
                *self.peak(c, k) = peak;
            }
        }
    }

    /// The peak of the normal (0) or tangential (1) force of a contact.
    fn peak(&mut self, c: usize, k: usize) -> &mut Peak {
        let contact = &mut self.peaks.contacts[c];
        if k == 0 { &mut contact.normal } else { &mut contact.tangential }
    }

    /// Evaluates the contact forces at a fraction of the step.
    fn forces_at(&mut self, motion: &mut MovingSystem<'_>, steps: &Steps, x: f64) {
        steps.interpolate(x, &mut self.inside);
        let evaluations = motion.dynamics.evaluations;
        let (q, u) = motion.state.parts(&self.inside);
        motion.dynamics.evaluate(motion.state.t + x * steps.pending, q, u);
        // Looking is no part of the integration.
        motion.dynamics.evaluations = evaluations;
    }

    /// Where in the step a force is largest, and how large: by the golden section.
    fn highest(&mut self, motion: &mut MovingSystem<'_>, steps: &Steps, c: usize, k: usize) -> (f64, f64) {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let mut at = |x: f64| {
            self.forces_at(motion, steps, x);
            (x, motion.dynamics.contact_force[c][k].abs())
        };
        let (mut low, mut high) = (0.0, 1.0);
        let mut left = at(1.0 - GOLDEN);
        let mut right = at(GOLDEN);
        for _ in 0..count::HALVINGS {
            if left.1 >= right.1 {
                (high, right) = (right.0, left);
                left = at(high - GOLDEN * (high - low));
            } else {
                (low, left) = (left.0, right);
                right = at(low + GOLDEN * (high - low));
            }
        }
        if left.1 >= right.1 { left } else { right }
    }
}
