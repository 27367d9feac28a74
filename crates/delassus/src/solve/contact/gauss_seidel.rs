//! Block Gauss–Seidel: contact after contact, each solved exactly, with Anderson's acceleration.
//!
//! A sweep is a map y ↦ g(y) whose fixed point is wanted. Of the last iterates the combination is taken for
//! which the changes f = g − y cancel best [A 1965], moved back into the cones; where the next change
//! is larger than before, the combination is forgotten.

use super::scaled::System;
use crate::budget::Budget;

/// Changes of which a combination is made.
const MEMORY: usize = 6;
/// A change that is larger than the least so far by this factor ends a combination.
const WORSE: f64 = 2.0;
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
    /// y and f of the sweep before.
    before: [Vec<f64>; 2],
    now: [Vec<f64>; 2],
    /// Differences of g and of f between sweeps, at most [`MEMORY`] of each.
    steps: Vec<[Vec<f64>; 2]>,
    /// Where the next difference goes.
    slot: usize,
    least: f64,
}

impl Sweeps {
    /// Starts anew on a problem.
    pub(super) fn start(&mut self, contacts: usize) {
        self.open.clear();
        self.open.resize(contacts, 0);
        self.count = 0;
        self.forget();
    }

    /// Forgets what was learned about changes.
    pub(super) fn forget(&mut self) {
        self.steps.clear();
        self.before[0].clear();
        self.slot = 0;
        self.least = f64::INFINITY;
    }

    /// Forgets, and gives back the memory.
    pub(super) fn release(&mut self) {
        self.forget();
        (self.before, self.now, self.steps) = Default::default();
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
            gather::<D>(system, contacts, r, &mut old);
            let change = self.sweep::<D>(system, contacts, 1.0, r);
            let mut new = std::mem::take(&mut self.now[1]);
            gather::<D>(system, contacts, r, &mut new);
            let size = new.iter().map(|v| v * v).sum::<f64>().sqrt();
            if change <= target * size {
                (self.now[0], self.now[1]) = (old, new);
                return sweep + 1;
            }
            self.combine::<D>(system, contacts, change, &mut old, &mut new, r);
            (self.now[0], self.now[1]) = (old, new);
        }
        limit
    }

    /// Takes the sweep `old` → `new` in and sets r to the combination.
    fn combine<const D: usize>(
        &mut self,
        system: &System<'_>,
        contacts: &[u32],
        change: f64,
        old: &mut [f64],
        new: &mut Vec<f64>,
        r: &mut [f64],
    ) {
        // f takes the place of the old point.
        old.iter_mut().zip(&*new).for_each(|(y, g)| *y = g - *y);
        let worse = change > WORSE * self.least;
        if worse {
            self.forget();
        }
        self.least = self.least.min(change);
        if !self.before[0].is_empty() {
            let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
            let step = [difference(new, &self.before[0]), difference(old, &self.before[1])];
            if self.steps.len() < MEMORY {
                self.steps.push(step);
            } else {
                self.steps[self.slot % MEMORY] = step;
            }
            self.slot += 1;
        }
        self.before[0].clone_from(new);
        self.before[1].clear();
        self.before[1].extend_from_slice(old);
        if self.steps.is_empty() {
            return;
        }
        let factors = least_squares(&self.steps, old);
        for (step, factor) in self.steps.iter().zip(factors) {
            new.iter_mut().zip(&step[0]).for_each(|(g, d)| *g -= factor * d);
        }
        for (y, &i) in new.chunks_exact(3).zip(contacts) {
            let y = system.blocks[i as usize].project([y[0], y[1], y[2]]);
            system.set_impulse::<D>(i as usize, y, r);
        }
    }
}

/// Multiplications of a sweep.
pub(super) fn cost(system: &System<'_>, contacts: &[u32]) -> f64 {
    let d = system.problem.dimension();
    let share = contacts.len() as f64 / system.blocks.len().max(1) as f64;
    share * system.problem.matrix.blocks() as f64 * (d * d) as f64 + 100.0 * contacts.len() as f64
}

/// y of the contacts, three numbers each.
fn gather<const D: usize>(system: &System<'_>, contacts: &[u32], r: &[f64], y: &mut Vec<f64>) {
    y.clear();
    contacts.iter().for_each(|&i| y.extend(system.impulse::<D>(i as usize, r)));
}

/// The combination of the steps' differences of f that comes nearest to f.
fn least_squares(steps: &[[Vec<f64>; 2]], f: &[f64]) -> Vec<f64> {
    let n = steps.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let entry = dot(&steps[i][1], &steps[j][1]);
            (a[i * n + j], a[j * n + i]) = (entry, entry);
        }
    }
    let trace = (0..n).map(|i| a[i * (n + 1)]).sum::<f64>();
    (0..n).for_each(|i| a[i * (n + 1)] += 1e-12 * trace + f64::MIN_POSITIVE);
    let mut x: Vec<f64> = steps.iter().map(|step| dot(&step[1], f)).collect();
    if !crate::small::lu::solve_in_place(&mut a, &mut x) {
        x.fill(0.0);
    }
    x
}
