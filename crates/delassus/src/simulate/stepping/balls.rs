//! Sweeps over the contacts of many balls, in few numbers.
//!
//! The rows of such a contact follow from its normal n and the distances ρ of the balls' centres:
//!
//! ```text
//! ξ = v₁ − v₂ + (ρ₁ω₁ + ρ₂ω₂) × n + c,      m v̇ = ±p,   J ω̇ = ρ n × p
//! ```
//!
//! with impulses p as vectors in space, so that tangents are not needed. A contact takes a sixth of the memory of its
//! [`Block`], and the same sweeps, combined in the same way, take little more than half of the time.

use super::blocks::{Block, Kind, dot};
use super::memory::Memory;
use super::sweep::{POLISH, combines};
use crate::model::SUPPORT;

type Vector = [f64; 3];

/// Rows that differ by more from those of balls, relative to their size, are not theirs.
const SAME: f64 = 1e-12;

/// A contact of two balls, or of a ball with a support, which comes second then.
#[derive(Debug, Clone, Copy)]
struct Contact {
    normal: Vector,
    constant: Vector,
    /// p: impulses upon the first ball.
    x: Vector,
    bodies: [u32; 2],
    /// ρ.
    levers: [f64; 2],
    /// Inverse mobilities along the normal and beside it.
    inverse: [f64; 2],
    friction: f64,
}

/// The velocities of a ball.
#[derive(Debug, Clone, Copy, Default)]
struct Motion {
    v: Vector,
    spin: Vector,
    /// 1/m and 1/J; both are zero for the support.
    inverse: [f64; 2],
}

/// Buffers that are kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Balls {
    contacts: Vec<Contact>,
    motions: Vec<Motion>,
    /// The motions without impulses.
    free: Vec<Motion>,
    /// Impulses before the last sweep.
    start: Vec<Vector>,
    memory: Memory<0, 3>,
}

impl Balls {
    /// Takes over the blocks of a step, with their impulses; `false` where some are no contacts of balls with friction.
    pub fn begin<const D: usize, const R: usize>(
        &mut self,
        blocks: &[Block<D, R>],
        free: &[[f64; D]],
        inverse_masses: &[[[f64; D]; D]],
    ) -> bool {
        self.contacts.clear();
        self.free.clear();
        for (v, inverse) in free.iter().zip(inverse_masses) {
            let Some(motion) = Motion::of(v, inverse) else { return false };
            self.free.push(motion);
        }
        for block in blocks {
            let Some(contact) = Contact::of(block, free.len()) else { return false };
            self.contacts.push(contact);
        }
        self.free.push(Motion::default());
        self.memory.forget();
        self.refresh();
        true
    }

    /// Sweeps until the residual is at most `aim`, at most so many times; gives how many there were. `unit` is the largest
    /// velocity that calls for impulses.
    pub fn sweep(&mut self, most: usize, aim: f64, unit: f64) -> usize {
        let (mut sweeps, mut worst) = (0, f64::INFINITY);
        loop {
            let combining = combines(sweeps) && worst > POLISH * unit;
            if combining {
                self.start.clear();
                self.start.extend(self.contacts.iter().map(|contact| contact.x));
            }
            let Self { contacts, motions, .. } = self;
            worst = contacts.iter_mut().rev().fold(0.0, |worst, contact| contact.relax(motions).max(worst));
            sweeps += 1;
            if sweeps >= most || worst == 0.0 || worst <= aim && self.refresh() <= aim {
                return sweeps;
            }
            if combining {
                self.combine();
            }
        }
    }

    /// Gives the impulses back.
    pub fn end<const D: usize, const R: usize>(&self, blocks: &mut [Block<D, R>]) {
        for (block, contact) in blocks.iter_mut().zip(&self.contacts) {
            let rows = &block.w[0];
            block.x = std::array::from_fn(|r| (0..3).map(|i| rows[r][i] * contact.x[i]).sum());
            if block.x[0] <= 0.0 {
                block.x = [0.0; R];
            }
        }
    }

    /// The motions that the impulses give; gives the residual.
    fn refresh(&mut self) -> f64 {
        self.motions.clone_from(&self.free);
        self.contacts.iter().for_each(|contact| contact.push(&contact.x, &mut self.motions));
        self.contacts.iter().fold(0.0, |worst, contact| contact.defect(&self.motions).max(worst))
    }

    fn combine(&mut self) {
        let Self { contacts, start, memory, .. } = self;
        let combined = memory.learn(|sweep| {
            for (contact, start) in contacts.iter().zip(start.iter()) {
                let change: Vector = std::array::from_fn(|i| contact.x[i] - start[i]);
                let [normal, beside] = contact.inverse.map(|inverse| 1.0 / inverse.sqrt());
                let along = (normal - beside) * dot(&contact.normal, &change);
                sweep.x.push(contact.x);
                sweep.change.push(std::array::from_fn(|i| beside * change[i] + along * contact.normal[i]));
            }
        });
        let mut moved = false;
        for (step, factor) in combined {
            moved = true;
            for (contact, d) in contacts.iter_mut().zip(&step.x) {
                (0..3).for_each(|i| contact.x[i] -= factor * d[i]);
            }
        }
        if moved {
            self.motions.clone_from(&self.free);
            self.contacts.iter().for_each(|contact| contact.push(&contact.x, &mut self.motions));
        }
    }
}

impl Motion {
    /// The motion of a body; none where its inertia is not that of a ball.
    fn of<const D: usize>(v: &[f64; D], inverse: &[[f64; D]; D]) -> Option<Self> {
        if D != 6 {
            return None;
        }
        let per = [inverse[0][0], inverse[3][3]];
        let ball = |i: usize, j: usize| if i == j { per[i / 3] } else { 0.0 };
        let same = |i: usize, j: usize| (inverse[i][j] - ball(i, j)).abs() <= SAME * (per[i / 3] * per[j / 3]).sqrt();
        (0..6).all(|i| (0..6).all(|j| same(i, j))).then(|| Self {
            v: std::array::from_fn(|i| v[i]),
            spin: std::array::from_fn(|i| v[3 + i]),
            inverse: per,
        })
    }
}

impl Contact {
    /// The contact of a block; none where its rows are not those of balls. `support` is the place of what does not move.
    fn of<const D: usize, const R: usize>(block: &Block<D, R>, support: usize) -> Option<Self> {
        let Kind::Contact(friction) = block.kind else { return None };
        let mobility = block.mobility();
        if D != 6 || R != 3 || block.bodies[0] == SUPPORT || friction == 0.0 || mobility[0] * mobility[1] <= 0.0 {
            return None;
        }
        let part =
            |side: usize, r: usize, from: usize| -> Vector { std::array::from_fn(|i| block.w[side][r][from + i]) };
        let rows: [Vector; 3] = std::array::from_fn(|r| part(0, r, 0));
        let turned: [Vector; 3] = std::array::from_fn(|r| cross(&rows[0], &rows[r]));
        let (mut levers, mut bodies) = ([0.0; 2], [support as u32; 2]);
        for side in (0..2).filter(|&side| block.bodies[side] != SUPPORT) {
            bodies[side] = block.bodies[side] as u32;
            let (sign, lever) = (if side == 0 { 1.0 } else { -1.0 }, dot(&part(side, 1, 3), &turned[1]));
            let same = |r: usize, i: usize| {
                let w = &block.w[side][r];
                (w[i] - sign * rows[r][i]).abs() <= SAME
                    && (w[3 + i] - lever * turned[r][i]).abs() <= SAME * lever.abs()
            };
            if !(0..3).all(|r| (0..3).all(|i| same(r, i))) {
                return None;
            }
            levers[side] = lever;
        }
        let whole = |x: &[f64; R]| std::array::from_fn(|i| (0..3).map(|r| x[r] * rows[r][i]).sum());
        let (constant, x) = (whole(&block.constant), whole(&block.x));
        Some(Self {
            normal: rows[0],
            constant,
            x,
            bodies,
            levers,
            inverse: [1.0 / mobility[0], 1.0 / mobility[1]],
            friction,
        })
    }

    /// Along the normal the impulse and ξ, and the tangential impulses that would hold the contact, all others held.
    #[inline(always)]
    fn look(&self, motions: &[Motion]) -> (f64, f64, Vector) {
        let [a, b] = self.bodies.map(|body| &motions[body as usize]);
        let n = &self.normal;
        let spin = std::array::from_fn(|i| self.levers[0] * a.spin[i] + self.levers[1] * b.spin[i]);
        let turning = cross(&spin, n);
        let xi: Vector = std::array::from_fn(|i| a.v[i] - b.v[i] + turning[i] + self.constant[i]);
        let (x, along) = (dot(n, &self.x), dot(n, &xi));
        let holds = |i: usize| self.x[i] - n[i] * x - self.inverse[1] * (xi[i] - n[i] * along);
        (x, along, std::array::from_fn(holds))
    }

    /// Solves this contact with the others held; gives how much that changes, as a velocity.
    #[inline(always)]
    fn relax(&mut self, motions: &mut [Motion]) -> f64 {
        let (old, along, tangential) = self.look(motions);
        let normal = (old - self.inverse[0] * along).max(0.0);
        let tangential = within(tangential, self.friction * normal);
        let next: Vector = std::array::from_fn(|i| self.normal[i] * normal + tangential[i]);
        let change: Vector = std::array::from_fn(|i| next[i] - self.x[i]);
        self.x = next;
        self.push(&change, motions);
        let raised = normal - old;
        let beside = (dot(&change, &change) - raised * raised).max(0.0).sqrt();
        (raised.abs() / self.inverse[0]).max(beside / self.inverse[1])
    }

    /// How far the contact is from its law, as a velocity (see [`Block::defect`]).
    #[inline(always)]
    fn defect(&self, motions: &[Motion]) -> f64 {
        let (x, along, tangential) = self.look(motions);
        let tangential = within(tangential, self.friction * x.max(0.0));
        let off: Vector = std::array::from_fn(|i| self.x[i] - self.normal[i] * x - tangential[i]);
        (x / self.inverse[0]).min(along).abs().max(dot(&off, &off).sqrt() / self.inverse[1])
    }

    /// Motions after further impulses.
    #[inline(always)]
    fn push(&self, x: &Vector, motions: &mut [Motion]) {
        let moment = cross(&self.normal, x);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let motion = &mut motions[self.bodies[side] as usize];
            let ([move_by, turn_by], lever) = (motion.inverse, self.levers[side]);
            for i in 0..3 {
                motion.v[i] += sign * move_by * x[i];
                motion.spin[i] += lever * turn_by * moment[i];
            }
        }
    }
}

/// Cut to a disk.
#[inline(always)]
fn within(mut x: Vector, radius: f64) -> Vector {
    let square = dot(&x, &x);
    if square > radius * radius {
        let cut = radius / square.sqrt();
        x.iter_mut().for_each(|x| *x *= cut);
    }
    x
}

#[inline(always)]
fn cross(a: &Vector, b: &Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::super::blocks::sweep;
    use super::super::interior::tests::pyramid;
    use super::super::sweep::refresh;
    use super::*;

    fn falling(count: usize) -> Vec<[f64; 6]> {
        let part = |k: usize, i: usize| 0.1 * (1.0 + 2.3 * k as f64 + 0.7 * (i * i) as f64).sin();
        (0..count).map(|k| std::array::from_fn(|i| part(k, i) - f64::from(u8::from(i == 2)))).collect()
    }

    #[test]
    fn sweeps_are_those_over_blocks() {
        let (mut blocks, masses) = pyramid(0.3, false);
        let free = falling(masses.len());
        let (mut same, mut v, mut balls) = (blocks.clone(), free.clone(), Balls::default());
        assert!(balls.begin(&blocks, &free, &masses));
        // None of the first ones is combined with others.
        assert_eq!(balls.sweep(4, 0.0, 1.0), 4);
        balls.end(&mut same);
        (0..4).for_each(|_| {
            sweep(&mut blocks, &mut v, true);
        });
        for (a, b) in blocks.iter().zip(&same) {
            (0..3).for_each(|r| assert!((a.x[r] - b.x[r]).abs() < 1e-13, "{:?} and {:?}", a.x, b.x));
        }
        // From impulses at hand they go on to the answer, and know how far it is.
        assert!(balls.begin(&same, &free, &masses));
        let sweeps = balls.sweep(2000, 1e-9, 1.0);
        balls.end(&mut same);
        assert!(sweeps < 2000 && refresh(&same, &free, &mut v) <= 1.001e-9, "{sweeps}");
        assert!(same.iter().any(|block| block.x[0] == 0.0) && same.iter().any(|block| block.x[0] > 0.1));
    }

    #[test]
    fn other_bodies_are_left_alone() {
        let mut balls = Balls::default();
        let (blocks, mut masses) = pyramid(0.3, false);
        let free = falling(masses.len());
        masses[3][4][4] *= 1.1;
        assert!(!balls.begin(&blocks, &free, &masses), "an inertia that is not round");
        for (friction, joined) in [(0.0, false), (0.3, true)] {
            let (blocks, masses) = pyramid(friction, joined);
            assert!(!balls.begin(&blocks, &free, &masses), "friction {friction}, joined: {joined}");
        }
        // A contact beside the line of the centres.
        let (blocks, masses) = pyramid(0.3, false);
        let mut w = blocks[5].w;
        w[0][0][4] += 1e-3;
        let mut aside = blocks.clone();
        aside[5] = Block::new(blocks[5].bodies, w, Kind::Contact(0.3), &masses);
        assert!(!balls.begin(&aside, &free, &masses));
    }
}
