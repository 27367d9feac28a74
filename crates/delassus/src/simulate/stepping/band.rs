//! Contacts without friction that couple only with their neighbours in the list, as those of columns and rows of bodies
//! do: the contacts that act are found by pivoting on blocks (Júdice, Pires), the impulses by a band factor.

use super::blocks::{Block, Kind};
use crate::model::SUPPORT;

/// Contacts ahead in the list that a contact may couple with.
const WIDTH: usize = 4;
/// Exchanges of contacts, all at once and one by one, after which this is no way.
const EXCHANGES: usize = 40;
/// Exchanges all at once that may leave more wrong than before.
const BOLD: usize = 3;
/// Pivots below this part of the diagonal are none: impulses can be shared in several ways.
const SINGULAR: f64 = 1e-10;
/// Velocities and impulses, in units of those that call for impulses, that are round-off.
const ROUND: f64 = 1e-12;

/// G by rows: the diagonal, and the entries to the contacts ahead.
#[derive(Debug, Clone, Default)]
pub(super) struct Band {
    rows: Vec<[f64; WIDTH + 1]>,
    /// L and the pivots of the contacts that act, in the same form.
    factor: Vec<[f64; WIDTH + 1]>,
    vector: Vec<f64>,
    x: Vec<f64>,
    active: Vec<bool>,
    /// The contacts of each body so far.
    seen: Vec<Vec<usize>>,
}

impl Band {
    /// The impulses of all blocks, where these have no friction and couple in a band: whether they were found. `free` are
    /// the velocities without impulses, `unit` the largest that calls for impulses.
    pub fn solve<const D: usize, const R: usize>(
        &mut self,
        blocks: &mut [Block<D, R>],
        free: &[[f64; D]],
        unit: f64,
    ) -> bool {
        if !self.assemble(blocks, free) {
            return false;
        }
        self.active.clear();
        self.active.extend(blocks.iter().map(|block| block.x[0] > 0.0));
        let (mut least, mut bold) = (usize::MAX, BOLD);
        for _ in 0..EXCHANGES {
            if !self.act() {
                return false;
            }
            let wrong: Vec<usize> = (0..self.x.len()).filter(|&k| self.is_wrong(k, unit)).collect();
            if wrong.is_empty() {
                blocks.iter_mut().zip(&self.x).for_each(|(block, x)| {
                    block.x = [0.0; R];
                    block.x[0] = x.max(0.0);
                });
                return true;
            }
            // All at once while that leaves fewer; else the last one alone, which comes to an end.
            if wrong.len() < least {
                (least, bold) = (wrong.len(), BOLD);
            } else {
                bold = bold.saturating_sub(1);
            }
            let from = if bold > 0 { 0 } else { wrong.len() - 1 };
            wrong[from..].iter().for_each(|&k| self.active[k] = !self.active[k]);
        }
        false
    }

    /// Fills G and the vector; `false` where contacts couple farther.
    fn assemble<const D: usize, const R: usize>(&mut self, blocks: &[Block<D, R>], free: &[[f64; D]]) -> bool {
        self.seen.resize_with(free.len(), Vec::new);
        self.seen.iter_mut().for_each(Vec::clear);
        self.rows.clear();
        self.rows.resize(blocks.len(), [0.0; WIDTH + 1]);
        self.vector.clear();
        for (k, block) in blocks.iter().enumerate() {
            if block.kind != Kind::Contact(0.0) || block.mobility()[0] <= 0.0 {
                return false;
            }
            self.rows[k][0] = block.mobility()[0];
            self.vector.push(block.xi(free)[0]);
            for side in (0..2).filter(|&side| block.bodies[side] != SUPPORT) {
                let body = block.bodies[side];
                for &before in &self.seen[body] {
                    if k - before > WIDTH {
                        return false;
                    }
                    self.rows[before][k - before] += blocks[before].coupling(block, body);
                }
                self.seen[body].push(k);
            }
        }
        true
    }

    /// Impulses of the contacts that act, the others open.
    fn act(&mut self) -> bool {
        let count = self.rows.len();
        self.factor.clone_from(&self.rows);
        self.x.clear();
        self.x.extend(self.vector.iter().map(|v| -v));
        for k in 0..count {
            if !self.active[k] {
                self.x[k] = 0.0;
                continue;
            }
            let (pivot, row) = (self.factor[k][0], self.factor[k]);
            if pivot <= SINGULAR * self.rows[k][0] {
                return false;
            }
            let ahead = WIDTH.min(count - 1 - k);
            for i in (1..=ahead).filter(|&i| self.active[k + i]) {
                let part = row[i] / pivot;
                (i..=ahead).for_each(|j| self.factor[k + i][j - i] -= part * row[j]);
                self.x[k + i] -= part * self.x[k];
            }
        }
        for k in (0..count).rev().filter(|&k| self.active[k]) {
            let ahead = (1..=WIDTH.min(count - 1 - k)).map(|i| self.factor[k][i] * self.x[k + i]);
            self.x[k] = (self.x[k] - ahead.sum::<f64>()) / self.factor[k][0];
        }
        true
    }

    /// Whether a contact pulls, or is open and closes.
    fn is_wrong(&self, k: usize, unit: f64) -> bool {
        if self.active[k] {
            return self.rows[k][0] * self.x[k] < -ROUND * unit;
        }
        let near = WIDTH.min(self.rows.len() - 1 - k);
        let ahead = (1..=near).map(|i| self.rows[k][i] * self.x[k + i]).sum::<f64>();
        let behind = (1..=WIDTH.min(k)).map(|i| self.rows[k - i][i] * self.x[k - i]).sum::<f64>();
        self.vector[k] + ahead + behind < -ROUND * unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies of one velocity along a line, the first contact with a support.
    fn row(masses: &[f64], contacts: &[(usize, Option<usize>)]) -> Vec<Block<1, 1>> {
        let inverse: Vec<[[f64; 1]; 1]> = masses.iter().map(|m| [[1.0 / m]]).collect();
        let block = |&(a, b): &(usize, Option<usize>)| {
            Block::new([a, b.unwrap_or(SUPPORT)], [[[1.0]], [[-1.0]]], Kind::Contact(0.0), &inverse)
        };
        contacts.iter().map(block).collect()
    }

    #[test]
    fn what_acts_is_found_from_any_start() {
        let masses = [1.0, 2.0, 0.5, 3.0, 1.0];
        let contacts = [(0, None), (1, Some(0)), (2, Some(1)), (3, Some(2)), (4, Some(3))];
        let mut state = 3u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        for _ in 0..200 {
            let mut blocks = row(&masses, &contacts);
            let free: Vec<[f64; 1]> = (0..5).map(|_| [random()]).collect();
            blocks.iter_mut().for_each(|block| block.x[0] = random().max(0.0));
            assert!(Band::default().solve(&mut blocks, &free, 1.0));
            let mut v = free.clone();
            blocks.iter().for_each(|block| block.push(&block.x, &mut v));
            for block in &blocks {
                assert!(block.defect(&block.xi(&v)) < 1e-12, "{block:?} {v:?}");
            }
        }
    }

    #[test]
    fn contacts_that_share_a_load_or_couple_farther_are_left_to_others() {
        let mut twice = row(&[1.0], &[(0, None), (0, None)]);
        assert!(!Band::default().solve(&mut twice, &[[-1.0]], 1.0));
        let far: Vec<(usize, Option<usize>)> = (0..7).map(|k| (if k == 6 { 0 } else { k }, None)).collect();
        assert!(!Band::default().solve(&mut row(&[1.0; 7], &far), &[[-1.0]; 7], 1.0));
    }
}
