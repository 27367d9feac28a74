//! Moves bodies apart that a step has left in each other.
//!
//! The displacement is the smallest in the kinetic metric that opens the gaps and closes the joints, all
//! near contacts taken into account; no velocity changes. Contacts that part by themselves are
//! left alone. It goes only as far as the energy allows that the contacts
//! took out of the motion in the same step: raising bodies never makes energy. Joints alone are closed in full.

use super::blocks::{Block, Kind};
use super::stepper::Stepper;
use crate::solve::contact::ContactSettings;

/// Rounds: gaps of bodies that turn are no linear functions of the displacement.
const ROUNDS: usize = 3;
/// Part of lifting everything by the length of a displacement that is no lifting.
const LEVEL: f64 = 1e-6;
/// Accuracy of a round, in units of the deepest gap.
const ACCURACY: f64 = 1e-3;
/// Depth, in units of what a body falls freely in a step, that is left: contacts solved to their tolerance creep by
/// less than that in many steps, and moving bodies apart costs as much as a step.
const LEFT: f64 = 3e-5;

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// Separates contacts after a step of size `h` that carried bodies with the velocities `mean` and in which
    /// contacts took the energy `lost`.
    pub fn separate(&mut self, h: f64, mean: &[f64], old: &[f64], span: [f64; 2], lost: f64) {
        // Where the linear prediction shows no depth there is none worth a search.
        let left = self.gap.max(LEFT * h * self.rest_speed);
        let part = |u: &[f64], b: usize| -> [f64; D] { std::array::from_fn(|i| u[D * b + i]) };
        let sunk = self.touches.iter().zip(&self.blocks).any(|(touch, block)| {
            let moved = |u: &[f64]| -> f64 {
                let sides = (0..2).filter(|&s| block.bodies[s] != crate::model::SUPPORT);
                sides.map(|s| dot(&block.w[s][0], &part(u, block.bodies[s]))).sum()
            };
            let support = 0.5 * h * touch.offset[1][0];
            let leaving = moved(&self.u) + touch.offset[1][0] > self.rest_speed;
            !leaving && touch.gap + h * moved(mean) - 0.5 * h * moved(old) + support < -left
        });
        let jointed = !self.holds.is_empty();
        if !sunk && !jointed {
            return;
        }
        let (touches, blocks) = (std::mem::take(&mut self.touches), std::mem::take(&mut self.blocks));
        let before = self.system.potential(span[1], &self.q);
        let mut allowed = lost.max(0.0);
        for _ in 0..ROUNDS {
            if !self.round(span[1], &mut allowed) {
                break;
            }
        }
        // What raising bodies takes belongs to the impact that let them sink.
        self.energy.impacts += self.system.potential(span[1], &self.q) - before;
        (self.touches, self.blocks) = (touches, blocks);
    }

    /// One round, which may raise the potential energy by what is `allowed`; whether anything was moved.
    fn round(&mut self, t: f64, allowed: &mut f64) -> bool {
        let q = std::mem::take(&mut self.q);
        self.look(&q, [t, t], self.gap);
        let deepest = self.touches.iter().map(|touch| touch.gap).fold(0.0, f64::min);
        self.holds.clear();
        self.system.holds([t, t], &q, &self.u, &mut self.holds);
        let drift = self.holds.iter().flat_map(|hold| hold.residual).fold(0.0f64, |m, r| m.max(r.abs()));
        let stats = &mut self.trajectory.stats;
        stats.joint_drift = stats.joint_drift.max(drift / self.system.size());
        if deepest >= -self.gap && drift <= self.gap {
            self.q = q;
            return false;
        }
        // Contacts that the displacement could close: those as near as it is long.
        let longest = drift.max(-deepest);
        self.look(&q, [t, t], longest);
        self.system.inverse_masses(&q, &mut self.inverse_masses);
        self.q = q;
        let mut blocks: Vec<Block<D, R>> = Vec::with_capacity(self.touches.len());
        let velocities = self.u.as_chunks().0;
        for touch in &self.touches {
            let mut block = Block::new(touch.bodies, touch.directions, Kind::Contact(0.0), &self.inverse_masses);
            let leaving = block.velocity(velocities)[0] + touch.offset[1][0] > self.rest_speed;
            // What opens by itself is not helped, only kept.
            block.constant[0] = if leaving { touch.gap.max(0.0) } else { touch.gap };
            blocks.push(block);
        }
        for hold in &self.holds {
            let mut block = Block::new(hold.bodies, hold.directions, Kind::Joint, &self.inverse_masses);
            block.constant = hold.residual;
            blocks.push(block);
        }
        let mut moves = vec![[0.0; D]; self.system.count()];
        let wanted = ContactSettings { tolerance: ACCURACY, warm: true, ..ContactSettings::default() };
        self.sweeper.solve(&mut blocks, &mut moves, &self.inverse_masses, &wanted, longest);
        let flat = moves.as_flattened();
        let before = self.system.potential(t, &self.q);
        let mut q = self.q.clone();
        self.system.carry(1.0, flat, &mut q);
        let gain = self.system.potential(t, &q) - before;
        // Sideways nothing is raised but by round-off.
        let level = LEVEL * self.weight() * longest / self.smallest;
        // Joints are closed all the way: they open by less than the cube of a step, either way.
        if gain > *allowed + level && deepest < -self.gap {
            // Part of the way.
            self.system.carry((*allowed + level) / gain, flat, &mut self.q);
            *allowed = 0.0;
            return false;
        }
        *allowed -= gain.max(0.0);
        self.q = q;
        true
    }
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
