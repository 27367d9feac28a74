//! What a step leaves behind: works, energies, depth, rest, samples.

use super::Stepper;
use crate::model::Free;
use crate::simulate::record::thin;
use crate::simulate::stepping::blocks::Kind;
use crate::simulate::thresholds::energy;
use crate::simulate::trajectory::{End, Sample};

/// Depth that a step may bring, in units of what the fastest body so far moved in one.
const DEEP: f64 = 2.0;
/// Depth, in units of the smallest size, that contact problems solved to their tolerance may leave.
const SUNK: f64 = 1e-3;
/// Energies below this part of that of lifting everything by its size are none.
const UNMOVED: f64 = 1e-6;
/// Listed contacts up to which samples hold their forces: of many bodies every pair is listed, and hardly any touches.
pub(super) const MOST_FORCES: usize = 10_000;
/// Joints that come apart by this part of the bodies' size hold nothing any more.
const APART: f64 = 0.1;
/// Everything rests when speeds stay below this part of √(gℓ) …
pub(super) const RESTING: f64 = 1e-6;

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// Works of the step.
    pub(super) fn account(&mut self, free: &Free) {
        for (k, block) in self.blocks.iter().enumerate() {
            let end = block.velocity(&self.v);
            let before = self.before[k];
            let offset =
                if k < self.touches.len() { self.touches[k].offset } else { self.holds[k - self.touches.len()].offset };
            let half = |r: usize| 0.5 * block.x[r] * (before[r] + end[r] + offset[1][r]);
            // Friction of a contact that is struck is part of the impact, as in motions by events.
            let struck = self.struck.get(k) == Some(&true);
            if block.kind == Kind::Joint || struck {
                self.energy.impacts += (0..R).map(half).sum::<f64>();
            } else {
                self.energy.impacts += half(0);
                self.energy.friction += (1..R).map(half).sum::<f64>();
            }
            self.energy.supports -= (0..R).map(|r| 0.5 * block.x[r] * (offset[0][r] + offset[1][r])).sum::<f64>();
        }
        self.energy.damping += free.damping;
        self.energy.applied += free.applied;
        self.energy.supports += free.supports;
        self.trajectory.stats.steps += 1;
        self.trajectory.stats.evaluations += 1;
    }

    /// Energies at the end of the step.
    pub(super) fn settle_energy(&mut self, t: f64) {
        self.energy.kinetic = self.system.kinetic(&self.q, &self.u);
        self.energy.potential = self.system.potential(t, &self.q);
        let size = self.energy.kinetic + (self.energy.potential - self.start_potential).abs();
        self.largest_energy = self.largest_energy.max(size);
    }

    /// Energies that are none: where next to nothing moves, round-off of what is balanced is no fault of the account. Forces
    /// may balance the weights, so that nothing is left of both together.
    pub(super) fn unmoved(&self) -> f64 {
        let potentials = self.start_potential.abs() + self.energy.potential.abs();
        let lifted = self.weight().max(self.lightest * self.smallest);
        (UNMOVED * lifted).max(energy::UNMOVED * potentials)
    }

    /// The end of the run where bodies are deeper in each other at the end of a step of size `h` than steps can
    /// bring them: measured on their shapes, by other means than those that find contacts.
    pub(super) fn deep(&mut self, h: f64) -> Option<End> {
        let drift = self.trajectory.stats.joint_drift;
        if drift.is_nan() || drift > APART {
            let text = format!("joints came apart by {drift:.1e} of the size of the bodies");
            self.remark(format!("{text}: the run is wrong from here on; a smaller integrator.step may help"));
            return Some(End::Penetration(text));
        }
        // A support may come to a body from where no contact was near.
        self.fastest = self.fastest.max(self.system.support_speed(self.t));
        let (distance, [a, b]) = self.system.nearest_watched(self.t, &self.q, &mut self.watch)?;
        let stats = &mut self.trajectory.stats;
        stats.penetration = stats.penetration.max(-distance / self.size);
        let allowed = DEEP * h * (self.fastest + self.rest_speed) + SUNK * self.smallest;
        if distance >= -allowed {
            return None;
        }
        let text = format!("{a} and {b} overlap by {:.3e} m", -distance);
        self.remark(format!("{text}: the run is wrong from here on; a smaller integrator.step may help"));
        Some(End::Penetration(text))
    }

    /// Rest, and steps that are too long.
    pub(super) fn notice(&mut self, old: &[f64]) {
        let (mut fastest, mut change) = (0.0f64, 0.0f64);
        for (b, (u, old)) in self.u.as_chunks().0.iter().zip(old.as_chunks::<D>().0).enumerate() {
            fastest = fastest.max(self.system.speed(b, u));
            change = change.max(self.system.speed(b, &std::array::from_fn(|i| u[i] - old[i])));
        }
        self.fastest = self.fastest.max(fastest);
        if let (Some(i), Some(peak)) = (self.system.tilt(), &mut self.trajectory.peaks.angle) {
            peak.raise(self.q[i].abs(), self.t);
        }
        let unit = (self.system.gravity() * self.smallest).sqrt();
        let still = fastest <= RESTING * unit && change <= 0.01 * self.rest_speed && self.system.is_autonomous();
        self.quiet = if still { self.quiet + 1 } else { 0 };
        if !self.missed && self.h * fastest > 0.5 * self.smallest {
            self.missed = true;
            self.remark(
                "a body moves by more than half the smallest size in one step: contacts may be missed; \
                         take a smaller integrator.step"
                    .to_owned(),
            );
        }
    }

    pub(super) fn sample(&mut self, forced: bool) {
        let interval = self.interval;
        let due = interval.is_some() && self.t >= self.next_sample - 0.5 * self.h;
        if !(forced || due) {
            return;
        }
        if let Some(interval) = interval {
            if interval < self.h {
                // More samples than steps: one after each, however many intervals that is.
                self.next_sample = self.t + self.h;
            }
            while self.next_sample - 0.5 * self.h <= self.t {
                self.next_sample += interval;
            }
        }
        let listed = self.system.contacts().len();
        let mut forces = if listed <= MOST_FORCES { vec![[0.0; 2]; listed] } else { Vec::new() };
        if !forces.is_empty() && self.t > 0.0 {
            for (touch, block) in self.touches.iter().zip(&self.blocks) {
                if let Some(c) = self.system.listed(touch) {
                    forces[c][0] += block.x[0] / self.taken;
                    forces[c][1] += block.x[1..].iter().sum::<f64>() / self.taken;
                }
            }
            for held in &self.sleep.held {
                if let Some(c) = held.listed {
                    forces[c][0] += held.impulse[0] / self.h;
                    forces[c][1] += held.impulse[1..].iter().sum::<f64>() / self.h;
                }
            }
        }
        self.trajectory.samples.push(Sample {
            time: self.t,
            q: self.q.clone(),
            u: self.u.clone(),
            forces,
            energy: self.energy,
            steps: Some(std::mem::take(&mut self.untold)),
        });
        let thins = !forced && self.settings.sample_interval.is_none();
        if let (true, Some(interval)) = (thins, interval)
            && thin(&mut self.trajectory.samples, self.settings.most_samples)
        {
            self.interval = Some(2.0 * interval);
            self.next_sample = self.trajectory.last().time + 2.0 * interval;
        }
    }
}
