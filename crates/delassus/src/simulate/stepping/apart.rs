//! Moves bodies apart that a step has left in each other.
//!
//! The displacement is the smallest in the kinetic metric that opens the gaps and closes the joints, all
//! near contacts taken into account; no velocity changes. Contacts that part by themselves are
//! left alone. It goes only as far as the energy allows that the contacts
//! took out of the motion in the same step: raising bodies never makes energy. Joints alone are closed in full.

use super::blocks::{Block, Kind, sweep};
use super::stepper::Stepper;
use super::sweep::FEW;
use crate::model::{SUPPORT, Touch};
use crate::solve::contact::ContactSettings;

/// Rounds of contacts alone, and of joints: gaps of bodies that turn are no linear functions of the displacement, and joints
/// are closed in full. What one round leaves between bodies is left to the next step: every displacement disturbs all bodies
/// around, which takes work from the contact problems of the steps to come.
const ROUNDS: (usize, usize) = (1, 3);
/// Part of lifting everything by the length of a displacement that is no lifting.
const LEVEL: f64 = 1e-6;
/// Accuracy of a round, in units of the deepest gap, and where there are many contacts without joints.
const ACCURACY: f64 = 1e-3;
const ROUGH: f64 = 0.03;
/// Depth, in units of what a body falls freely in a step, that is left to the contacts themselves (see [`push_out`]):
/// moving bodies apart costs as much as a step.
const LEFT: f64 = 1e-3;
/// The same for what contacts solved to their tolerance sink in a step, in units of that.
const RESIDUE: f64 = 2.0;
/// Energy, in units of that of lifting the lightest body by the depth, with which an attempt would lead next to nowhere.
const POOR: f64 = 0.1;
/// Sweeps in which most displacements are found, and those between two looks at how they go on.
const SWEEPS: usize = 80;
const TRIAL: usize = 10;
/// Part of its depth that a contact may be pushed out in a step.
const PUSH: f64 = 0.5;

/// The velocity with which a contact of this gap at the middle of a step is asked to open, so that bodies do not sink by
/// and by where steps are solved to their `tolerance` only. It is no faster than what that tolerance is for a body that
/// rests (`rest` is the velocity that such a body would gain), so that it is no motion to the accuracy asked for.
pub(super) fn push_out(gap: f64, closed: f64, h: f64, tolerance: f64, rest: f64) -> f64 {
    if gap >= -closed { 0.0 } else { (PUSH * (-gap - closed) / h).min(tolerance * rest) }
}

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct Apart<const D: usize, const R: usize> {
    touches: Vec<Touch<D, R>>,
    blocks: Vec<Block<D, R>>,
    moves: Vec<[f64; D]>,
    q: Vec<f64>,
}

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// Separates contacts after a step of size `h` that carried bodies with the velocities `mean` and in which
    /// contacts took the energy `lost`.
    pub fn separate(&mut self, h: f64, mean: &[f64], old: &[f64], span: [f64; 2], lost: f64) {
        // Where the linear prediction shows no depth there is none worth a search.
        let sinks = RESIDUE * self.tolerance() * self.called;
        let left = self.gap.max(h * (LEFT * self.rest_speed).max(sinks));
        let predicted = self.touches.iter().zip(&self.blocks).filter(|(touch, _)| !self.leaves(touch));
        let deepest = predicted.fold(0.0f64, |deepest, (touch, block)| {
            let moved = |u: &[f64]| normal_velocity(&block.bodies, &block.w, u);
            let support = 0.5 * h * touch.offset[1][0];
            deepest.min(touch.gap + h * moved(mean) - 0.5 * h * moved(old) + support)
        });
        let sunk = deepest < -left && lost >= POOR * self.lightest * -deepest;
        if !sunk && self.holds.is_empty() {
            return;
        }
        let mut buffers = std::mem::take(&mut self.apart);
        std::mem::swap(&mut self.touches, &mut buffers.touches);
        let before = self.system.potential(span[1], &self.q);
        let (mut allowed, mut reach) = (lost.max(0.0), self.gap.max(-deepest));
        let rounds = if self.holds.is_empty() { ROUNDS.0 } else { ROUNDS.1 };
        for _ in 0..rounds {
            if !self.round(span[1], left, &mut reach, &mut allowed, &mut buffers) {
                break;
            }
        }
        // What raising bodies takes belongs to the impact that let them sink.
        self.energy.impacts += self.system.potential(span[1], &self.q) - before;
        std::mem::swap(&mut self.touches, &mut buffers.touches);
        self.apart = buffers;
    }

    /// Whether a contact opens by itself.
    fn leaves(&self, touch: &Touch<D, R>) -> bool {
        normal_velocity(&touch.bodies, &touch.directions, &self.u) + touch.offset[1][0] > self.rest_speed
    }

    /// How deep contacts are that do not open by themselves, as a gap.
    fn deepest(&self) -> f64 {
        let staying = self.touches.iter().filter(|touch| touch.gap < 0.0 && !self.leaves(touch));
        staying.fold(0.0, |deepest, touch| deepest.min(touch.gap))
    }

    /// One round, which may raise the potential energy by what is `allowed`; whether anything was moved and may have to be
    /// moved again. Contacts are looked for within `reach`, which becomes that of the next round.
    fn round(&mut self, t: f64, left: f64, reach: &mut f64, allowed: &mut f64, buffers: &mut Apart<D, R>) -> bool {
        let q = std::mem::take(&mut self.q);
        self.look(&q, [t, t], *reach);
        let deepest = self.deepest();
        self.holds.clear();
        self.system.holds([t, t], &q, &self.u, &mut self.holds);
        let size = self.size;
        self.holds.iter_mut().for_each(|hold| *hold = hold.at_distance(size));
        let drift = self.holds.iter().flat_map(|hold| hold.residual).fold(0.0f64, |m, r| m.max(r.abs()));
        let stats = &mut self.trajectory.stats;
        stats.joint_drift = stats.joint_drift.max(drift / self.size);
        if deepest >= -left && drift <= self.gap {
            self.q = q;
            return false;
        }
        // Contacts that the displacement could close: those as near as it is long.
        let longest = drift.max(-deepest);
        if longest > *reach {
            self.look(&q, [t, t], longest);
        }
        *reach = self.gap.max(ROUGH * longest);
        self.touches.retain(|touch| touch.gap <= longest);
        self.system.inverse_masses(&q, &mut self.inverse_masses);
        self.q = q;
        let Apart { blocks, moves, q, .. } = buffers;
        moves.clear();
        moves.resize(self.system.count(), [0.0; D]);
        self.gaps(blocks);
        let many = self.holds.is_empty() && blocks.len() > FEW;
        // Of many contacts each round opens gaps roughly, which leaves less to the next. Joints in loops contradict each other by
        // the square of what they are apart: no displacement closes all of them exactly.
        let spreads = many || self.loops;
        if !(spreads && spread(blocks, moves, if many { ROUGH } else { ACCURACY } * longest)) {
            let wanted = ContactSettings { tolerance: ACCURACY, warm: true, ..ContactSettings::default() };
            self.sweeper.solve(blocks, moves, &self.inverse_masses, &wanted, longest);
        }
        let flat = moves.as_flattened();
        let before = self.system.potential(t, &self.q);
        q.clone_from(&self.q);
        self.system.carry(1.0, flat, q);
        let gain = self.system.potential(t, q) - before;
        // Joints are closed all the way: they open by less than the cube of a step, either way.
        if gain > *allowed && deepest < -self.gap {
            // Sideways nothing is raised but by round-off.
            let enough = *allowed + LEVEL * self.weight() * longest / self.smallest;
            if gain > enough {
                // Part of the way.
                self.system.carry(enough / gain, flat, &mut self.q);
                *allowed = 0.0;
                return false;
            }
        }
        *allowed -= gain.max(0.0);
        std::mem::swap(&mut self.q, q);
        true
    }
}

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// The gaps of the contacts at hand, and the joints, as functions of displacements.
    fn gaps(&self, blocks: &mut Vec<Block<D, R>>) {
        blocks.clear();
        for touch in &self.touches {
            let mut block = Block::new(touch.bodies, touch.directions, Kind::Contact(0.0), &self.inverse_masses);
            // What opens by itself is not helped, only kept.
            block.constant[0] = if self.leaves(touch) { touch.gap.max(0.0) } else { touch.gap };
            blocks.push(block);
        }
        for hold in &self.holds {
            let mut block = Block::new(hold.bodies, hold.directions, Kind::Joint, &self.inverse_masses);
            block.constant = hold.residual;
            blocks.push(block);
        }
    }
}

/// Sweeps over contacts without friction, to and fro, until none changes by more than `aim`; gives up as soon as that is
/// seen to take too long.
fn spread<const D: usize, const R: usize>(blocks: &mut [Block<D, R>], moves: &mut [[f64; D]], aim: f64) -> bool {
    let mut before = f64::INFINITY;
    for count in 1..=SWEEPS {
        let worst = sweep(blocks, moves, count % 2 == 1);
        if worst <= aim {
            return true;
        }
        if count % TRIAL == 0 {
            // Changes shrink by the same factor from trial to trial, or more slowly.
            let factor = worst / before;
            let trials = ((SWEEPS - count) / TRIAL) as i32;
            if count > TRIAL && worst * factor.powi(trials) > aim {
                return false;
            }
            before = worst;
        }
    }
    false
}

/// The velocity of the first row of a contact, without that of a support.
fn normal_velocity<const D: usize, const R: usize>(
    bodies: &[usize; 2],
    directions: &[[[f64; D]; R]; 2],
    u: &[f64],
) -> f64 {
    let sides = (0..2).filter(|&side| bodies[side] != SUPPORT);
    sides.map(|side| directions[side][0].iter().zip(&u[D * bodies[side]..]).map(|(d, u)| d * u).sum::<f64>()).sum()
}
