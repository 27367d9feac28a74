//! Matrices M + W H Wᵀ over the bodies of a step: order of elimination, kept while the same bodies touch.

use super::blocks::Block;
use crate::model::SUPPORT;
use crate::solve::contact::factor::{Factors, Symbolic, inverse};
use crate::solve::contact::order::minimum_degree;

/// Products of blocks in a factorisation, in plane and space, beyond which matrices are too large: dozens of them for one step would take
/// seconds. In space the solver for many contacts, which needs no factors there, takes less time from some hundred bodies on (1000
/// spheres: 20 to 200 ms, where the inside and paths take 100 ms to 2 s).
const PRODUCTS: (f64, f64) = (2e5, 2e4);

#[derive(Debug, Default)]
pub struct Pattern<const D: usize> {
    /// The bodies of the blocks that the order was made for.
    pairs: Vec<[usize; 2]>,
    /// Bodies in the order of elimination, and their places in it.
    pub order: Vec<u32>,
    pub place: Vec<u32>,
    pub symbolic: Symbolic,
    /// Blocks of each body, with their sides, and the bodies that it touches.
    of_body: Vec<Vec<(u32, u8)>>,
    neighbours: Vec<Vec<u32>>,
    pub masses: Vec<[[f64; D]; D]>,
}

impl<const D: usize> Clone for Pattern<D> {
    /// It is made anew where it is needed.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<const D: usize> Pattern<D> {
    /// Order of elimination and masses; `false` where a mass has no inverse or the factors are too large.
    pub fn prepare<const R: usize>(&mut self, blocks: &[Block<D, R>], inverse_masses: &[[[f64; D]; D]]) -> bool {
        let count = inverse_masses.len();
        self.masses.clear();
        self.masses.extend(inverse_masses.iter().map_while(inverse));
        if self.masses.len() < count {
            return false;
        }
        let same = self.order.len() == count
            && self.pairs.len() == blocks.len()
            && self.pairs.iter().zip(blocks).all(|(pair, block)| *pair == block.bodies);
        if same {
            return self.fits();
        }
        self.pairs.clear();
        self.pairs.extend(blocks.iter().map(|block| block.bodies));
        self.of_body.iter_mut().for_each(Vec::clear);
        self.of_body.resize_with(count, Vec::new);
        let Self { neighbours, .. } = self;
        neighbours.iter_mut().for_each(Vec::clear);
        neighbours.resize_with(count, Vec::new);
        for (k, [a, b]) in self.pairs.iter().copied().enumerate() {
            for (side, body) in [a, b].into_iter().enumerate().filter(|(_, body)| *body != SUPPORT) {
                self.of_body[body].push((k as u32, side as u8));
            }
            if a != SUPPORT && b != SUPPORT {
                neighbours[a].push(b as u32);
                neighbours[b].push(a as u32);
            }
        }
        for list in neighbours.iter_mut() {
            crate::small::sort(list);
            list.dedup();
        }
        self.order.clear();
        let Some((order, _)) = minimum_degree(count, |body| &neighbours[body], f64::INFINITY) else { return false };
        self.place.clear();
        self.place.resize(count, 0);
        order.iter().enumerate().for_each(|(at, &body)| self.place[body as usize] = at as u32);
        let row = |at: usize, out: &mut Vec<u32>| {
            out.extend(neighbours[order[at] as usize].iter().map(|&body| self.place[body as usize]));
        };
        let Some(symbolic) = Symbolic::new(count, row, usize::MAX) else { return false };
        (self.symbolic, self.order) = (symbolic, order);
        self.fits()
    }

    fn fits(&self) -> bool {
        self.symbolic.products() <= if D == 3 { PRODUCTS.0 } else { PRODUCTS.1 }
    }

    /// Factors M + W H Wᵀ, with H by blocks; none where a block does not act.
    pub fn factor<const R: usize>(
        &self,
        factors: &mut Factors<D>,
        blocks: &[Block<D, R>],
        rows: impl Fn(usize) -> Option<[[f64; R]; R]>,
    ) -> bool {
        factors.compute(&self.symbolic, |at, row| {
            let body = self.order[at] as usize;
            add(&mut row[at], &self.masses[body]);
            for &(k, side) in &self.of_body[body] {
                let Some(h) = rows(k as usize) else { continue };
                let block = &blocks[k as usize];
                let w = &block.w[usize::from(side)];
                // W H by this side, then times the rows of either side.
                let mut wh = [[0.0; R]; D];
                for (i, row) in wh.iter_mut().enumerate() {
                    for c in 0..R {
                        row[c] = (0..R).map(|r| w[r][i] * h[r][c]).sum();
                    }
                }
                for s in (0..2).filter(|&s| block.bodies[s] != SUPPORT) {
                    let entry = &mut row[self.place[block.bodies[s]] as usize];
                    add_product(entry, &wh, &block.w[s]);
                }
            }
        })
    }
}

/// sum += a.
fn add<const D: usize>(sum: &mut [[f64; D]; D], a: &[[f64; D]; D]) {
    for (sum, a) in sum.iter_mut().zip(a) {
        (0..D).for_each(|j| sum[j] += a[j]);
    }
}

/// sum += a b, row by row: what a row needs stays in registers.
#[inline(always)]
fn add_product<const D: usize, const R: usize>(sum: &mut [[f64; D]; D], a: &[[f64; R]; D], b: &[[f64; D]; R]) {
    for (sum, a) in sum.iter_mut().zip(a) {
        let mut row = [0.0; D];
        for (a, b) in a.iter().zip(b) {
            (0..D).for_each(|j| row[j] += a * b[j]);
        }
        (0..D).for_each(|j| sum[j] += row[j]);
    }
}
