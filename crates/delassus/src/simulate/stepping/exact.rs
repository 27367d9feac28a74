//! The few contacts of a step as one dense problem, for the solver of impacts, which is exact to round-off.
//!
//! Sweeps come to a crawl where impulses can be shared in many ways (four corners that slide) and where combinations
//! of sweeps have nothing but round-off left to combine.

use super::blocks::{Block, Kind};
use super::sweep::take_if_better;
use crate::budget::{Budget, Limits};
use crate::solve::{Cone, Inclusion, SolveWork, solve_within};

/// Iterations of the solver: four corners that slide may need more than one start.
const ITERATIONS: usize = 2000;

/// Solves all blocks as one inclusion; leaves everything as it is where that gives no better answer. `free` are the
/// velocities without impulses.
pub(super) fn solve<const D: usize, const R: usize>(
    blocks: &mut [Block<D, R>],
    v: &mut [[f64; D]],
    free: &[[f64; D]],
) -> bool {
    let (rows, cones) = rows(blocks);
    let mut matrix = vec![0.0; rows.len() * rows.len()];
    let mut pushed = vec![[0.0; D]; free.len()];
    for (j, &(k, r)) in rows.iter().enumerate() {
        pushed.fill([0.0; D]);
        blocks[k].push(&std::array::from_fn(|i| if i == r { 1.0 } else { 0.0 }), &mut pushed);
        for (i, &(k, r)) in rows.iter().enumerate() {
            matrix[i * rows.len() + j] = blocks[k].velocity(&pushed)[r];
        }
    }
    let vector: Vec<f64> = rows.iter().map(|&(k, r)| blocks[k].xi(free)[r]).collect();
    let inclusion = Inclusion { matrix: &matrix, vector: &vector, cones: &cones, speed: 0.0 };
    let limits = Limits { iterations: Some(ITERATIONS), ..Limits::default() };
    let mut x = vec![0.0; rows.len()];
    solve_within(&inclusion, &mut Budget::new(&limits), &mut SolveWork::default(), &mut x);
    if x.iter().any(|x| !x.is_finite()) {
        return false;
    }
    let mut impulses = vec![[0.0; R]; blocks.len()];
    rows.iter().zip(x).for_each(|(&(k, r), x)| impulses[k][r] = x);
    take_if_better(blocks, v, free, &impulses)
}

/// Block and row of each unknown, and what it obeys. Rows that nothing moves, and friction of smooth contacts, are none.
fn rows<const D: usize, const R: usize>(blocks: &[Block<D, R>]) -> (Vec<(usize, usize)>, Vec<Cone>) {
    let (mut rows, mut cones) = (Vec::new(), Vec::new());
    for (k, block) in blocks.iter().enumerate() {
        let mobility = block.mobility();
        let row = rows.len();
        match block.kind {
            Kind::Joint => {
                for r in (0..R).filter(|&r| mobility[r] > 0.0) {
                    cones.push(Cone::Free { row: rows.len() });
                    rows.push((k, r));
                }
            }
            Kind::Contact(_) if mobility[0] <= 0.0 => {}
            Kind::Contact(friction) => {
                cones.push(Cone::Unilateral { row });
                rows.push((k, 0));
                if friction > 0.0 && R > 1 {
                    let (normal, shift) = (row, 0.0);
                    cones.push(match R {
                        2 => Cone::Line { row: row + 1, normal, friction, shift },
                        _ => Cone::Ellipse { row: row + 1, normal, friction: [friction; 2], shift },
                    });
                    rows.extend((1..R).map(|r| (k, r)));
                }
            }
        }
    }
    (rows, cones)
}
