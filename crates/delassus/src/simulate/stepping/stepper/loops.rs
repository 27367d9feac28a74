//! Joints that connect bodies in loops: some of their rows follow from others.

use super::Stepper;
use super::impulses::lead;
use crate::model::Hold;
use crate::simulate::stepping::blocks::{Block, Kind, sweep};

/// Sweeps to velocities that have what the joints lacked at the start, nearly: what is left is taken out in the next step.
const SWEEPS: usize = 30;

/// Whether these joints connect bodies in loops; `bodies` is their number, and the world closes loops as well.
pub(super) fn are_there<const D: usize, const R: usize>(holds: &[Hold<D, R>], bodies: usize) -> bool {
    // Behind the bodies stands the world.
    let mut leader: Vec<usize> = (0..=bodies).collect();
    let firsts = holds.iter().enumerate().filter(|&(k, hold)| k == 0 || holds[k - 1].joint != hold.joint);
    let mut closes = firsts.map(|(_, hold)| {
        let [a, b] = hold.bodies.map(|body| lead(&mut leader, body.min(bodies)));
        leader[a] = b;
        a == b
    });
    closes.any(|closed| closed)
}

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// Replaces what the joints' velocities lack at the start of the step, which the step takes out, by what velocities of the
    /// bodies can make up for in its middle: rows that follow from others would contradict these otherwise, by as little as
    /// their directions have turned, and no impulses would fulfil them.
    pub(super) fn agree(&mut self) {
        let start = self.u.as_chunks().0;
        let first = self.touches.len();
        let mut rows: Vec<Block<D, R>> = Vec::new();
        for hold in &self.start_holds {
            let lacking = hold.velocity(start);
            let middle = &self.holds[rows.len()];
            let mut row = Block::new(middle.bodies, middle.directions, Kind::Joint, &self.inverse_masses);
            row.constant = std::array::from_fn(|r| -(lacking[r] + hold.offset[0][r]));
            rows.push(row);
        }
        let mut v = vec![[0.0; D]; self.system.count()];
        for k in 0..SWEEPS {
            sweep(&mut rows, &mut v, k % 2 == 0);
        }
        for (block, row) in self.blocks[first..].iter_mut().zip(&rows) {
            // The constants hold it already as it was.
            let xi = row.xi(&v);
            (0..R).for_each(|r| block.constant[r] -= xi[r]);
        }
    }
}
