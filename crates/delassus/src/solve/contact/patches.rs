//! Patches: the contacts around the largest residuals, solved with all others held.
//!
//! In a large packing most contacts are right long before the last ones are, and each step over all of them is as long as the
//! worst place allows. A place by itself is a small problem with a weight and step lengths of its own. What its solution
//! changes beside it is small, and the next step over all contacts mends that.

use super::driver::{Group, Work, keep, put_back};
use super::matrix::BlockMatrix;
use super::residual::Point;
use crate::budget::Budget;

/// Residuals that count as large, relative to the largest.
const LARGE: f64 = 0.1;
/// How many contacts beside each of these belong to its patch, one after the other.
const RINGS: usize = 2;
/// Most contacts with large residuals, and most contacts of all patches, relative to those of the group: fewer where steps
/// over all contacts bring them on.
const MOST_LARGE: f64 = 0.05;
const MOST: [f64; 2] = [0.1, 0.3];
/// What patches are solved to, relative to the largest residual, and in how many steps of Newton's method.
const ENOUGH: f64 = 0.03;
const STEPS: usize = 40;

impl<const D: usize> Work<'_, D> {
    /// Solves the patches of a group whose velocities are at hand, if they are a small part of it; `slow` says whether steps
    /// over all of it gain little. Returns the steps of Newton's method.
    pub(super) fn patches(
        &mut self,
        group: &mut Group<'_>,
        slow: bool,
        budget: &mut Budget<'_>,
        r: &mut [f64],
    ) -> usize {
        let (system, all) = (self.system, group.contacts.len() as f64);
        let point = Point::at(r, &self.u);
        let sizes = self.newton.sizes(system, group.contacts, point);
        let residual = |i: u32| system.residuals_in::<D>(std::iter::once(i), point, sizes, f64::INFINITY).0;
        let large = group.contacts.iter().copied().filter(|&i| residual(i) > LARGE * group.residual);
        let most = (MOST_LARGE * all) as usize;
        let large: Vec<u32> = large.take(most + 1).collect();
        if large.len() > most {
            return 0;
        }
        let Some(patches) = around(&system.problem.matrix, large, (MOST[usize::from(slow)] * all) as usize) else {
            return 0;
        };
        // Beyond what is wanted of the whole group a patch need not be solved.
        let target = (ENOUGH * group.residual).max(0.5 * group.target);
        let (mut steps, mut start) = (0, Vec::new());
        let aside = self.newton.put_aside();
        self.newton.whole = sizes;
        for contacts in &patches {
            let mut patch = Group::patch(contacts, target);
            self.measure(&mut patch, r);
            keep::<D>(contacts, r, &mut start);
            let before = patch.residual;
            steps += self.proximal(&mut patch, STEPS, budget, r);
            if patch.residual > target.max(0.5 * before) {
                put_back::<D>(contacts, &start, r);
            }
        }
        self.newton.whole = Default::default();
        self.newton.take_back(aside);
        self.measure(group, r);
        steps
    }
}

/// Some contacts with those around them, by parts that share no body; `None` where that is more than `most` contacts.
fn around(matrix: &BlockMatrix, mut contacts: Vec<u32>, most: usize) -> Option<Vec<Vec<u32>>> {
    let mut waits = vec![false; matrix.contacts()];
    contacts.iter().for_each(|&i| waits[i as usize] = true);
    let mut from = 0;
    for _ in 0..RINGS {
        let to = contacts.len();
        for k in from..to {
            push_waiting(matrix, contacts[k], &mut waits, false, &mut contacts);
        }
        from = to;
    }
    if contacts.len() > most {
        return None;
    }
    let mut patches = Vec::new();
    for first in contacts {
        if !std::mem::take(&mut waits[first as usize]) {
            continue;
        }
        let (mut patch, mut k) = (vec![first], 0);
        while k < patch.len() {
            push_waiting(matrix, patch[k], &mut waits, true, &mut patch);
            k += 1;
        }
        crate::small::sort(&mut patch);
        patches.push(patch);
    }
    Some(patches)
}

/// The contacts beside one of which `waits` is this, which it is no more then.
fn push_waiting(matrix: &BlockMatrix, contact: u32, waits: &mut [bool], which: bool, list: &mut Vec<u32>) {
    for &j in matrix.row(contact as usize).0 {
        if waits[j as usize] == which {
            waits[j as usize] = !which;
            list.push(j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of contacts, each of which shares a body with the next.
    fn chain(contacts: usize) -> BlockMatrix {
        BlockMatrix::with_pattern(1, contacts, (1..contacts).map(|i| (i - 1, i)))
    }

    #[test]
    fn patches_that_touch_are_one() {
        let found = around(&chain(40), vec![30, 3, 8], 40).unwrap();
        assert_eq!(found, [(28..=32).collect::<Vec<u32>>(), (1..=10).collect()]);
    }

    #[test]
    fn patches_apart_share_no_body() {
        let found = around(&chain(40), vec![3, 9], 40).unwrap();
        assert_eq!(found, [(1..=5).collect::<Vec<u32>>(), (7..=11).collect()]);
        assert!(around(&chain(40), vec![3, 9], 9).is_none());
    }
}
