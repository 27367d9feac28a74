//! Sums over bodies and rows that a path takes.

use crate::model::SUPPORT;
use crate::simulate::stepping::blocks::{Block, dot};

/// The impulses at hand.
pub fn keep<const D: usize, const R: usize>(blocks: &[Block<D, R>], into: &mut Vec<[f64; R]>) {
    into.clear();
    into.extend(blocks.iter().map(|block| block.x));
}

/// h x.
pub fn times<const R: usize>(h: &[[f64; R]; R], x: &[f64; R]) -> [f64; R] {
    std::array::from_fn(|r| dot(&h[r], x))
}

/// sum += a.
pub fn add<const D: usize>(sum: &mut [[f64; D]; D], a: &[[f64; D]; D]) {
    for i in 0..D {
        (0..D).for_each(|j| sum[i][j] += a[i][j]);
    }
}

/// sum += factor a.
pub fn add_times<const D: usize>(sum: &mut [[f64; D]], factor: f64, a: &[[f64; D]]) {
    for (sum, a) in sum.iter_mut().zip(a) {
        (0..D).for_each(|i| sum[i] += factor * a[i]);
    }
}

/// out += W x, in the order of elimination.
pub fn spread<const D: usize, const R: usize>(block: &Block<D, R>, x: &[f64; R], place: &[u32], out: &mut [[f64; D]]) {
    for side in (0..2).filter(|&side| block.bodies[side] != SUPPORT) {
        let body = &mut out[place[block.bodies[side]] as usize];
        for (row, x) in block.w[side].iter().zip(x) {
            (0..D).for_each(|i| body[i] += row[i] * x);
        }
    }
}

/// Wᵀv, with v in the order of elimination.
pub fn gather<const D: usize, const R: usize>(block: &Block<D, R>, v: &[[f64; D]], place: &[u32]) -> [f64; R] {
    let mut gamma = [0.0; R];
    for side in (0..2).filter(|&side| block.bodies[side] != SUPPORT) {
        let body = &v[place[block.bodies[side]] as usize];
        (0..R).for_each(|r| gamma[r] += dot(&block.w[side][r], body));
    }
    gamma
}
