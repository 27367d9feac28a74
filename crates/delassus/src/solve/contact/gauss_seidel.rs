//! Block Gauss–Seidel: contact after contact, each solved exactly, with Anderson's acceleration.

use super::anderson::Anderson;
use super::scaled::System;
use crate::budget::Budget;

/// Sweeps in which a contact must stay open before it is looked at only now and then.
const ASLEEP: u8 = 3;
/// Every so many sweeps sleeping contacts are looked at.
const WAKE: usize = 6;

/// Buffers and memory of the sweeps.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    /// How often in a row a contact stayed open.
    open: Vec<u8>,
    count: usize,
    anderson: Anderson,
    /// y before and after a sweep.
    now: [Vec<f64>; 2],
}

impl Sweeps {
    /// Empty lists for this number of contacts.
    pub(super) fn new(contacts: usize) -> Self {
        Self { open: vec![0; contacts], ..Self::default() }
    }

    /// Starts anew on a group.
    pub(super) fn start(&mut self) {
        self.count = 0;
        self.forget();
    }

    /// Forgets what was learned about changes.
    pub(super) fn forget(&mut self) {
        self.anderson.forget();
    }

    /// Forgets, and gives back the memory.
    pub(super) fn release(&mut self) {
        (self.anderson, self.now) = Default::default();
    }

    /// One sweep over some contacts; returns the root of the sum of squared changes.
    pub(super) fn sweep<const D: usize>(
        &mut self,
        system: &System<'_>,
        contacts: &[u32],
        relaxation: f64,
        r: &mut [f64],
    ) -> f64 {
        self.count += 1;
        let all = self.count.is_multiple_of(WAKE);
        let mut change = 0.0;
        for &i in contacts {
            let i = i as usize;
            if self.open[i] > ASLEEP && !all {
                continue;
            }
            let block = &system.blocks[i];
            let y = system.impulse::<D>(i, r);
            let q = block.without_own(system.velocity::<D>(i, r), y);
            let mut new = block.solve(q, y);
            if relaxation != 1.0 {
                new = block.project(std::array::from_fn(|k| y[k] + relaxation * (new[k] - y[k])));
            }
            let carries = new != [0.0; 3];
            self.open[i] = if carries { 0 } else { self.open[i].saturating_add(1) };
            if carries || y != new {
                change += (0..block.rows).map(|k| (new[k] - y[k]) * (new[k] - y[k])).sum::<f64>();
                system.set_impulse::<D>(i, new, r);
            }
        }
        change.sqrt()
    }

    /// Up to `limit` accelerated sweeps, until the change relative to the impulses is below `target` or the budget
    /// ends. Returns how many were made.
    pub(super) fn accelerated<const D: usize>(
        &mut self,
        system: &System<'_>,
        contacts: &[u32],
        limit: usize,
        target: f64,
        budget: &mut Budget<'_>,
        r: &mut [f64],
    ) -> usize {
        let cost = cost(system, contacts);
        for sweep in 0..limit {
            if !budget.take(cost) {
                return sweep;
            }
            let mut old = std::mem::take(&mut self.now[0]);
            system.gather::<D>(contacts, r, &mut old);
            let change = self.sweep::<D>(system, contacts, 1.0, r);
            let mut new = std::mem::take(&mut self.now[1]);
            system.gather::<D>(contacts, r, &mut new);
            let size = new.iter().map(|v| v * v).sum::<f64>().sqrt();
            if change <= target * size {
                (self.now[0], self.now[1]) = (old, new);
                return sweep + 1;
            }
            self.anderson.combine(&mut old, &mut new);
            system.scatter::<D>(contacts, &new, r);
            (self.now[0], self.now[1]) = (old, new);
        }
        limit
    }
}

/// Multiplications of a sweep.
pub(super) fn cost(system: &System<'_>, contacts: &[u32]) -> f64 {
    let d = system.problem.dimension();
    let share = contacts.len() as f64 / system.blocks.len().max(1) as f64;
    share * system.problem.matrix.blocks() as f64 * (d * d) as f64 + 100.0 * contacts.len() as f64
}
