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

/// The bodies of a block in the order of elimination, one beyond all for a support, and W by body.
#[derive(Debug, Clone, Copy)]
pub struct Link<const D: usize, const R: usize> {
    pub bodies: [u32; 2],
    w: [[[f64; D]; R]; 2],
}

impl<const D: usize, const R: usize> Link<D, R> {
    pub fn new(block: &Block<D, R>, place: &[u32]) -> Self {
        let bodies = block.bodies.map(|body| if body == SUPPORT { u32::MAX } else { place[body] });
        Self { bodies, w: block.w }
    }

    /// out += W x.
    pub fn spread(&self, x: &[f64; R], out: &mut [[f64; D]]) {
        for (body, w) in self.bodies.iter().zip(&self.w) {
            if let Some(body) = out.get_mut(*body as usize) {
                for (row, x) in w.iter().zip(x) {
                    (0..D).for_each(|i| body[i] += row[i] * x);
                }
            }
        }
    }

    /// Wᵀv.
    #[inline]
    pub fn gather(&self, v: &[[f64; D]]) -> [f64; R] {
        let mut gamma = [0.0; R];
        for (body, w) in self.bodies.iter().zip(&self.w) {
            if let Some(body) = v.get(*body as usize) {
                (0..R).for_each(|r| gamma[r] += dot(&w[r], body));
            }
        }
        gamma
    }
}
