//! The ways that a contact problem in space goes where sweeps do not suffice.
//!
//! Through the inside of the cones, then by Newton's method on the law itself, then along paths. What none of them solves is
//! begun again from elsewhere: sweeps in the other order end at other impulses among those that nothing determines, and from
//! there the same ways often arrive.

use super::blocks::sweep;
use super::interior::Interior;
use super::path::Path;
use super::task::Task;

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
    /// See [`Task`].
    pub fn solve(&mut self, path: &mut Path<D, R>, task: &mut Task<'_, D, R>) -> f64 {
        let mut least = task.refresh();
        for beginning in 0..=BEGINNINGS {
            task.keep(&mut self.best);
            if beginning > 0 {
                for _ in 0..SWEEPS {
                    sweep(task.blocks, task.v, false);
                }
            }
            let residual = self.ways(path, task);
            least = if residual < least { residual } else { task.put(&self.best) };
            if least <= task.aim {
                break;
            }
        }
        least
    }

    fn ways(&mut self, path: &mut Path<D, R>, task: &mut Task<'_, D, R>) -> f64 {
        let mut residual = self.interior.solve(task);
        for way in 0..3 {
            if residual <= task.aim {
                break;
            }
            residual = if way == 1 { path.solve(task) } else { self.interior.settle.solve(task, STEPS) };
        }
        residual
    }
}
