//! The contact problem of a step: solved, and solved again without restitution where bodies are held from several sides.

use super::Stepper;
use crate::simulate::stepping::sweep::Solved;
use crate::solve::contact::Settings;

/// Residual of the contact problem, in units of the largest velocity that calls for impulses: of up to that many
/// contacts, and of more.
const TOLERANCE: (usize, f64, f64) = (100, 1e-8, 1e-6);
/// Work of contacts in a step, in units of what its parts add up to without their signs, that no residual makes.
const GAIN: f64 = 1e-5;

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// The residual wanted for the contacts at hand.
    pub(super) fn tolerance(&self) -> f64 {
        let (few, fine, coarse) = TOLERANCE;
        self.settings.limits.tolerance.unwrap_or(if self.blocks.len() <= few { fine } else { coarse })
    }

    /// The impulses of a step of size `h`.
    pub(super) fn impulses(&mut self, h: f64) {
        let tolerance = self.tolerance();
        let mut solved = self.solve(tolerance);
        let bouncing = self.bounces.iter().any(|bounce| *bounce != [0.0; R]);
        if bouncing && (solved.residual > tolerance || self.gains()) {
            // A body held from two sides cannot bounce off one of them: without restitution there is always an answer, and
            // it never adds energy.
            self.jammed += 1;
            for (block, bounce) in self.blocks.iter_mut().zip(&mut self.bounces) {
                (0..R).for_each(|r| block.constant[r] -= bounce[r]);
                (block.x, *bounce) = ([0.0; R], [0.0; R]);
            }
            self.v.clear();
            self.v.extend_from_slice(self.free.u.as_chunks().0);
            solved = self.solve(tolerance);
        }
        let stats = &mut self.trajectory.stats;
        stats.residual = stats.residual.max(solved.residual);
        self.unsolved += usize::from(solved.residual > tolerance);
        // In a shorter last step nothing is to be remembered wrongly.
        let scale = self.h / h;
        self.last.clear();
        let contacts = self.touches.len();
        self.last.extend(self.touches.iter().zip(&self.blocks).map(|(t, b)| (t.key, b.x.map(|x| x * scale))));
        self.joint_impulses.clear();
        self.joint_impulses.extend(self.blocks[contacts..].iter().map(|b| b.x));
    }

    /// Solves the problem of the step from the impulses at hand.
    fn solve(&mut self, tolerance: f64) -> Solved {
        let unit = self.blocks.iter().fold(0.0f64, |unit, block| {
            let gamma = block.velocity(&self.v);
            (0..R).fold(unit, |unit, r| unit.max((gamma[r] + block.constant[r]).abs()))
        });
        for block in &self.blocks {
            block.push(&block.x, &mut self.v);
        }
        let wanted = Settings { method: self.settings.limits.method, tolerance, warm: true };
        let solved = self.sweeper.solve(&mut self.blocks, &mut self.v, &self.inverse_masses, &wanted, unit);
        self.trajectory.stats.selections += solved.sweeps;
        solved
    }

    /// Whether the contacts do work on the bodies that is more than a residual.
    fn gains(&self) -> bool {
        let contacts = self.blocks[..self.touches.len()].iter().zip(&self.touches).zip(&self.before);
        let (mut sum, mut size) = (0.0, 0.0);
        for ((block, touch), before) in contacts {
            let end = block.velocity(&self.v);
            for r in 0..R {
                let end = end[r] + touch.offset[1][r];
                sum += 0.5 * block.x[r] * (before[r] + end);
                size += 0.5 * block.x[r].abs() * (before[r].abs() + end.abs());
            }
        }
        sum > GAIN * size
    }
}
