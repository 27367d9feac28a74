//! Largest values of a run. They are found within the steps, so they do not depend on samples.

use super::mode::{ContactMode, sliding};
use super::run::Runner;

/// A largest value and its time \[s\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Peak {
    /// The value, at least 0.
    pub value: f64,
    /// When it was first reached.
    pub time: f64,
}

impl Peak {
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
}

/// Largest values of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Peaks {
    /// |θ| of the only body \[rad\]; absent where no body tilts.
    pub angle: Option<Peak>,
    /// Per contact of the system.
    pub contacts: Vec<ContactPeaks>,
}

/// What is known at the start of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch {
    /// Forces per contact at the start of the step, and at its end.
    pub start: Vec<[f64; 2]>,
    pub end: Vec<[f64; 2]>,
    /// Distance slid so far along the tangents.
    slid: Vec<[f64; 2]>,
    /// An interpolated state.
    inside: Vec<f64>,
}

/// Forces that are this part below the largest so far are not looked at within a step.
const FAR_BELOW: f64 = 0.8;
/// Parts of a step, in halvings, to which the time of a peak is found.
const HALVINGS: usize = 40;

impl Runner<'_> {
    /// Begins with the state at the start.
    pub fn begin_peaks(&mut self) {
        let contacts = self.slack.len();
        self.watch.slid = vec![[0.0; 2]; contacts];
        self.trajectory.peaks.contacts = vec![ContactPeaks::default(); contacts];
        if let Some(i) = self.dynamics.system.tilt() {
            self.trajectory.peaks.angle = Some(Peak { value: self.y[i].abs(), time: self.t });
        }
        for c in 0..contacts {
            let gap = self.approach(c).0;
            self.trajectory.peaks.contacts[c].uplift.raise(gap, self.t);
        }
    }

    /// Looks for peaks within the step that waits to be accepted.
    pub fn note_peaks(&mut self) {
        self.note_angle();
        let mut inside = std::mem::take(&mut self.watch.inside);
        inside.resize(self.y.len(), 0.0);
        for c in 0..self.slack.len() {
            match self.dynamics.mode.contacts[c] {
                ContactMode::Open => self.note_uplift(c, &mut inside),
                ContactMode::Slip(_) | ContactMode::Smooth => self.note_slip(c, &mut inside),
                ContactMode::Stick => {}
            }
        }
        self.note_forces(&mut inside);
        self.watch.inside = inside;
        self.watch.start.clone_from(&self.watch.end);
    }

    fn note_angle(&mut self) {
        let (Some(i), Some(mut peak)) = (self.dynamics.system.tilt(), self.trajectory.peaks.angle) else { return };
        let rate = self.dynamics.nq + i;
        if self.y[rate] * self.trial[rate] < 0.0 {
            let mut inside = vec![0.0; self.y.len()];
            let x = self.turn(&mut inside, self.y[rate], |_, y| y[rate]);
            peak.raise(inside[i].abs(), self.t + x * self.pending);
        }
        peak.raise(self.trial[i].abs(), self.t + self.pending);
        self.trajectory.peaks.angle = Some(peak);
    }

    /// The fraction of the step at which a quantity that is `first` at its start changes its sign;
    /// leaves the state there in `inside`.
    fn turn(&self, inside: &mut [f64], first: f64, quantity: impl Fn(f64, &[f64]) -> f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let x = 0.5 * (low + high);
            self.method.interpolate(x, inside);
            let same = quantity(self.t + x * self.pending, inside) * first > 0.0;
            *(if same { &mut low } else { &mut high }) = x;
        }
        self.method.interpolate(high, inside);
        high
    }

    fn approach_in(&self, c: usize, t: f64, y: &[f64]) -> (f64, [f64; 3]) {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        self.dynamics.approach(c, t, &y[..nq], &y[nq..nq + n])
    }

    fn note_uplift(&mut self, c: usize, inside: &mut [f64]) {
        let end = self.t + self.pending;
        let (gap, gamma) = self.approach_in(c, end, &self.trial);
        let mut peak = self.trajectory.peaks.contacts[c].uplift;
        let rising = self.approach(c).1[0];
        if rising > 0.0 && gamma[0] < 0.0 {
            let x = self.turn(inside, rising, |t, y| self.approach_in(c, t, y).1[0]);
            let time = self.t + x * self.pending;
            peak.raise(self.approach_in(c, time, inside).0, time);
        }
        peak.raise(gap, end);
        self.trajectory.peaks.contacts[c].uplift = peak;
    }

    fn note_slip(&mut self, c: usize, inside: &mut [f64]) {
        let first = self.approach(c).1[1];
        let last = self.approach_in(c, self.t + self.pending, &self.trial).1[1];
        // Only without friction it can turn within a step.
        let turn =
            if first * last < 0.0 { self.turn(inside, first, |t, y| self.approach_in(c, t, y).1[1]) } else { 1.0 };
        for (from, to) in [(0.0, turn), (turn, 1.0)].into_iter().filter(|(from, to)| from < to) {
            // The distance by Simpson's rule.
            let [a, b, d] = [from, 0.5 * (from + to), to].map(|x| {
                self.method.interpolate(x, inside);
                self.approach_in(c, self.t + x * self.pending, inside).1
            });
            let slid = &mut self.watch.slid[c];
            for k in 0..2 {
                slid[k] += (to - from) * self.pending / 6.0 * (a[k + 1] + 4.0 * b[k + 1] + d[k + 1]);
            }
            let distance = sliding([0.0, slid[0], slid[1]]);
            self.trajectory.peaks.contacts[c].slip.raise(distance, self.t + to * self.pending);
        }
    }

    fn note_forces(&mut self, inside: &mut [f64]) {
        if self.watch.start.len() != self.slack.len() || self.watch.end.len() != self.slack.len() {
            return;
        }
        let size = |force: &[[f64; 2]], c: usize, k: usize| force[c][k].abs();
        let mut middle: Option<Vec<[f64; 2]>> = None;
        for c in 0..self.slack.len() {
            if !self.dynamics.mode.contacts[c].is_closed() {
                continue;
            }
            for k in 0..2 {
                let [first, last] = [&self.watch.start, &self.watch.end].map(|force| size(force, c, k));
                let mut peak = self.peak_of(c, k);
                if first.max(last) >= FAR_BELOW * peak.value && first != last {
                    if middle.is_none() {
                        self.forces_at(0.5, inside);
                        middle = Some(self.dynamics.contact_force.clone());
                    }
                    // The parabola through three values has its top inside.
                    let half = middle.as_deref().map_or(0.0, |force| size(force, c, k));
                    let (slope, bend) = (4.0 * half - 3.0 * first - last, 2.0 * (first + last - 2.0 * half));
                    let top = -0.5 * slope / bend;
                    if bend < 0.0 && top > 0.0 && top < 1.0 && first + 0.5 * slope * top > peak.value {
                        let (x, value) = self.highest(c, k, inside);
                        peak.raise(value, self.t + x * self.pending);
                    }
                }
                peak.raise(first, self.t);
                peak.raise(last, self.t + self.pending);
                *self.peak_mut(c, k) = peak;
            }
        }
    }

    fn peak_of(&self, c: usize, k: usize) -> Peak {
        let contact = &self.trajectory.peaks.contacts[c];
        if k == 0 { contact.normal } else { contact.tangential }
    }

    fn peak_mut(&mut self, c: usize, k: usize) -> &mut Peak {
        let contact = &mut self.trajectory.peaks.contacts[c];
        if k == 0 { &mut contact.normal } else { &mut contact.tangential }
    }

    /// Evaluates the contact forces at a fraction of the step.
    fn forces_at(&mut self, x: f64, inside: &mut [f64]) {
        self.method.interpolate(x, inside);
        let (n, nq, evaluations) = (self.dynamics.n, self.dynamics.nq, self.dynamics.evaluations);
        self.dynamics.evaluate(self.t + x * self.pending, &inside[..nq], &inside[nq..nq + n]);
        // Looking is no part of the integration.
        self.dynamics.evaluations = evaluations;
    }

    /// Where in the step a force is largest, and how large: by the golden section.
    fn highest(&mut self, c: usize, k: usize, inside: &mut [f64]) -> (f64, f64) {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let mut at = |runner: &mut Self, x: f64| {
            runner.forces_at(x, inside);
            (x, runner.dynamics.contact_force[c][k].abs())
        };
        let (mut low, mut high) = (0.0, 1.0);
        let mut left = at(self, 1.0 - GOLDEN);
        let mut right = at(self, GOLDEN);
        for _ in 0..HALVINGS {
            if left.1 >= right.1 {
                (high, right) = (right.0, left);
                left = at(self, high - GOLDEN * (high - low));
            } else {
                (low, left) = (left.0, right);
                right = at(self, low + GOLDEN * (high - low));
            }
        }
        if left.1 >= right.1 { left } else { right }
    }
}
