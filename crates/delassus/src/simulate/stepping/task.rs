//! What is left of a step's contact problem when sweeps do not suffice.

use super::blocks::Block;
use super::pattern::Pattern;
use super::sweep::refresh;

/// The problem at the impulses at hand. Each way of solving it goes on from them until the residual is at most `aim`, leaves the
/// best impulses that it met, with their velocities, and gives their residual.
pub(super) struct Task<'a, const D: usize, const R: usize> {
    /// The rows, with the impulses.
    pub blocks: &'a mut [Block<D, R>],
    /// Velocities of the impulses.
    pub v: &'a mut [[f64; D]],
    /// Velocities without impulses.
    pub free: &'a [[f64; D]],
    pub pattern: &'a Pattern<D>,
    /// The residual wanted.
    pub aim: f64,
    /// The largest velocity that calls for impulses.
    pub unit: f64,
}

impl<const D: usize, const R: usize> Task<'_, D, R> {
    /// Velocities of the impulses at hand, and the residual.
    pub fn refresh(&mut self) -> f64 {
        refresh(self.blocks, self.free, self.v)
    }

    /// The impulses at hand.
    pub fn keep(&self, into: &mut Vec<[f64; R]>) {
        into.clear();
        into.extend(self.blocks.iter().map(|block| block.x));
    }

    /// Puts impulses in the place of those at hand; gives their residual.
    pub fn put(&mut self, impulses: &[[f64; R]]) -> f64 {
        self.blocks.iter_mut().zip(impulses).for_each(|(block, x)| block.x = *x);
        self.refresh()
    }
}
