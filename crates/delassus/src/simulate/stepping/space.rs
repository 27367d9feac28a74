//! The ways that a contact problem in space goes where sweeps do not suffice.
//!
//! Through the inside of the cones, then by Newton's method on the law itself, then along paths. What none of them solves is
//! begun again from elsewhere: sweeps in the other order end at other impulses among those that nothing determines, and from
//! there the same ways often arrive.

use super::blocks::Block;
use super::interior::Interior;
use super::path::Path;
use super::pattern::Pattern;
use super::sweep::refresh;

/// Steps of Newton's method on the law itself.
const STEPS: usize = 20;
/// New beginnings, and the sweeps of each.
const BEGINNINGS: usize = 2;
const SWEEPS: usize = 60;

/// The ways but for paths, in buffers that are kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Space<const D: usize, const R: usize> {
    interior: Interior<D, R>,
    best: Vec<[f64; R]>,
}

impl<const D: usize, const R: usize> Space<D, R> {
    /// Goes on from the impulses at hand until the residual is at most `aim`; leaves the best impulses that it met,
    /// with their velocities, and gives their residual. `free` are the velocities without impulses, `unit` is the
    /// largest that calls for them.
    #[allow(clippy::too_many_arguments)]
    pub fn solve(
        &mut self,
        path: &mut Path<D, R>,
        blocks: &mut [Block<D, R>],
        v: &mut [[f64; D]],
        free: &[[f64; D]],
        pattern: &Pattern<D>,
        aim: f64,
        unit: f64,
    ) -> f64 {
        let mut least = refresh(blocks, free, v);
        for beginning in 0..=BEGINNINGS {
            self.best.clear();
            self.best.extend(blocks.iter().map(|block| block.x));
            if beginning > 0 {
                for _ in 0..SWEEPS {
                    blocks.iter_mut().for_each(|block| {
                        block.relax(v);
                    });
                }
            }
            let residual = self.ways(path, blocks, v, free, pattern, aim, unit);
            if residual < least {
                least = residual;
            } else {
                blocks.iter_mut().zip(&self.best).for_each(|(block, x)| block.x = *x);
                least = refresh(blocks, free, v);
            }
            if least <= aim {
                break;
            }
        }
        least
    }

    #[allow(clippy::too_many_arguments)]
    fn ways(
        &mut self,
        path: &mut Path<D, R>,
        blocks: &mut [Block<D, R>],
        v: &mut [[f64; D]],
        free: &[[f64; D]],
        pattern: &Pattern<D>,
        aim: f64,
        unit: f64,
    ) -> f64 {
        let mut residual = self.interior.solve(blocks, v, free, pattern, aim, unit);
        for way in 0..3 {
            if residual <= aim {
                break;
            }
            residual = if way == 1 {
                path.solve(blocks, v, free, pattern, aim, unit)
            } else {
                self.interior.settle.solve(blocks, v, free, pattern, aim, unit, STEPS)
            };
        }
        residual
    }
}
