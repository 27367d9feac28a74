//! Groups at the same time, where the caller has threads.

use std::sync::Mutex;

use super::driver::{Done, Task};
use crate::budget::Budget;

/// Threads that the caller lends.
pub trait Pool: Sync {
    /// Calls `task(k)` once for each k below `tasks`, in any order and on any threads, and returns when all are done.
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync));
}

/// No threads: one task after the other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Pool for Alone {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(task);
    }
}

/// Most parts into which groups are put together: enough for the threads of a machine; each takes memory of its own.
const PARTS: usize = 16;
/// Contacts from which on a second part is worth its memory.
const WORTH: usize = 200;
/// Fewer contacts are in one part in any case.
pub(super) const LEAST: usize = 2 * WORTH;

/// Which groups are solved together, parts of about equal size: the largest group first, each to the smallest part.
pub(super) fn parts(sizes: &[usize]) -> Vec<Vec<usize>> {
    let contacts: usize = sizes.iter().sum();
    // Beside one group that is nearly all there is nothing to do at the same time.
    let largest = sizes.iter().max().map_or(0, |most| *most);
    let count = sizes.len().min(PARTS).min(contacts / WORTH).min(1 + (contacts - largest) / WORTH).max(1);
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    crate::small::sort_by(&mut order, |&a, &b| sizes[b].cmp(&sizes[a]));
    let mut parts = vec![(0, Vec::new()); count];
    for k in order {
        let smallest = parts.iter_mut().min_by_key(|part| part.0).expect("there is a part");
        smallest.0 += sizes[k];
        smallest.1.push(k);
    }
    parts.into_iter().map(|part| part.1).collect()
}

/// What came of a part: what was done, the impulses of its contacts one after the other, and what is left of its budget.
type Found<'a> = (Done, Vec<f64>, Budget<'a>);

/// Solves the parts on the pool's threads. Each has impulses of its own; what a part finds does not depend on the others.
pub(super) fn run<const D: usize>(
    pool: &dyn Pool,
    task: &Task<'_>,
    parts: &[Vec<usize>],
    budget: &mut Budget<'_>,
    r: &mut [f64],
) -> Vec<Done> {
    let start = &*r;
    let shared = budget.within_iteration();
    let found: Vec<Mutex<Option<Found<'_>>>> = parts.iter().map(|_| Mutex::new(None)).collect();
    pool.run(parts.len(), &|k| {
        let (mut r, mut budget) = (start.to_vec(), shared.clone());
        let done = task.run::<D>(&mut parts[k].iter().copied(), &mut budget, &mut r);
        let mut own = Vec::new();
        for contact in parts[k].iter().flat_map(|&group| &task.groups[group]) {
            own.extend_from_slice(&r[*contact as usize * D..][..D]);
        }
        if let Ok(mut found) = found[k].lock() {
            *found = Some((done, own, budget));
        }
    });
    let mut all = Vec::new();
    for (found, part) in found.into_iter().zip(parts) {
        // A task that panicked has ended the program, or the pool's caller knows.
        let Ok(Some((done, own, inner))) = found.into_inner() else { continue };
        let contacts = part.iter().flat_map(|&group| &task.groups[group]);
        for (&contact, own) in contacts.zip(own.chunks_exact(D)) {
            r[contact as usize * D..][..D].copy_from_slice(own);
        }
        if inner.left() == Some(0) {
            budget.join(&inner);
        }
        all.push(done);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_balanced_and_hold_every_group_once() {
        let sizes = [500, 3, 400, 100, 1, 700];
        let parts = parts(&sizes);
        let mut all: Vec<usize> = parts.iter().flatten().copied().collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
        assert!(parts.iter().all(|part| part.iter().map(|&k| sizes[k]).sum::<usize>() <= 700));
        // Small problems stay together.
        assert_eq!(super::parts(&[10; 15]).len(), 1);
        assert_eq!(super::parts(&[]).len(), 1);
        let small = std::iter::repeat_n(2, 50);
        assert_eq!(super::parts(&std::iter::once(5000).chain(small).collect::<Vec<_>>()).len(), 1);
    }
}
