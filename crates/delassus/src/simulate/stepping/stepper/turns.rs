//! Bodies that turn while contacts act on them.
//!
//! M⁻¹ is that of the middle of the step as it would be without contacts. Of a body without symmetry it turns with the body, and
//! how far it turns depends on the impulses. What its rotation really becomes (the midpoint rule with the impulses among the moments,
//! by which contacts do exactly the work of their mean velocities and change the angular momentum by their moment) differs from
//! M⁻¹WΛ by some hω of that. The difference is added to the velocities without contacts, and the impulses are solved for again.

use super::Stepper;
use crate::model::{Bodies, SUPPORT};
use crate::simulate::stepping::sweep::{FEW, Solved};
use crate::solve::contact::ContactSettings;

/// What may be left of that difference, in units of the largest velocity that calls for impulses, where contacts are few, which are
/// solved to round-off.
const TURNED: f64 = 1e-12;
/// Solutions at most, and how much less each leaves at least. Mostly it is hω.
const TURNS: usize = 24;
const LESS: f64 = 0.5;

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// Solves the problem of a step of size `h` from the impulses at hand. Where bodies are jammed so that impulses and turning do not
    /// come to an agreement, bodies turn as without contacts, which costs energy or gives it, to first order in h.
    pub(super) fn solve(&mut self, h: f64, tolerance: f64) -> Solved {
        self.begin();
        self.called = self.blocks.iter().fold(0.0f64, |unit, block| {
            let gamma = block.velocity(&self.v);
            (0..R).fold(unit, |unit, r| unit.max((gamma[r] + block.constant[r]).abs()))
        });
        let aim = if self.blocks.len() <= FEW { TURNED.min(tolerance) } else { tolerance };
        self.push();
        self.turn(h);
        let mut before = f64::INFINITY;
        for _ in 0..TURNS {
            let solved = self.sweep(tolerance);
            let turned = self.turn(h) / self.called;
            let enough = turned <= aim || self.called == 0.0;
            let last = turned > LESS * before || solved.residual > tolerance;
            if enough || last && turned <= tolerance.max(solved.residual) {
                return solved;
            }
            if last {
                break;
            }
            before = turned;
        }
        self.begin();
        self.push();
        self.sweep(tolerance)
    }

    /// Velocities without impulses and with nothing added.
    fn begin(&mut self) {
        self.v.clear();
        self.v.extend_from_slice(self.free.u.as_chunks().0);
        self.shift.clear();
        self.shift.resize(self.v.len(), [0.0; D]);
    }

    fn push(&mut self) {
        for block in &self.blocks {
            block.push(&block.x, &mut self.v);
        }
    }

    fn sweep(&mut self, tolerance: f64) -> Solved {
        let wanted = ContactSettings { method: self.settings.limits.method, tolerance, warm: true };
        let solved = self.sweeper.solve(&mut self.blocks, &mut self.v, &self.inverse_masses, &wanted, self.called);
        self.trajectory.stats.selections += solved.sweeps;
        solved
    }

    /// Lets bodies turn in a step of size `h` as the impulses at hand make them; the largest velocity that this changed.
    fn turn(&mut self, h: f64) -> f64 {
        self.kicks.clear();
        self.kicks.resize(self.v.len(), [0.0; D]);
        for block in self.blocks.iter().filter(|block| block.x != [0.0; R]) {
            for side in (0..2).filter(|&side| block.bodies[side] != SUPPORT) {
                let kick = &mut self.kicks[block.bodies[side]];
                for (row, x) in block.w[side].iter().zip(&block.x) {
                    kick.iter_mut().zip(row).for_each(|(kick, w)| *kick += w * x);
                }
            }
        }
        let mut largest = 0.0f64;
        for (b, kick) in self.kicks.iter().enumerate() {
            if kick[R..].iter().chain(&self.shift[b]).all(|v| *v == 0.0) {
                continue;
            }
            let Some(rotation) = self.system.kicked(b, h, &self.q, &self.u, &self.free, kick) else { continue };
            let mut change = [0.0; D];
            for (i, rotation) in (R..D).zip(rotation) {
                change[i] = rotation - self.v[b][i];
                self.v[b][i] = rotation;
                self.shift[b][i] += change[i];
            }
            largest = largest.max(self.system.speed(b, &change));
        }
        largest
    }
}

/// How fast velocities of a contact change because its bodies turn, at most.
pub(super) fn turning<const D: usize, const R: usize>(
    system: &dyn Bodies<D, R>,
    bodies: [usize; 2],
    u: &[[f64; D]],
) -> f64 {
    let moving = bodies.into_iter().filter(|&b| b != SUPPORT);
    moving.map(|b| u[b][R..].iter().map(|w| w * w).sum::<f64>().sqrt() * system.speed(b, &u[b])).sum()
}
