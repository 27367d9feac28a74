//! Contacts that share no body, directly or through others, are independent problems.

use std::ops::Index;

use super::matrix::BlockMatrix;

/// The contacts of each group, in order, groups by their first contact; all in one list, because there may be as many groups
/// as contacts.
#[derive(Debug)]
pub(super) struct Groups {
    /// Group k is `start[k]..start[k + 1]`.
    start: Vec<usize>,
    contacts: Vec<u32>,
}

impl Groups {
    /// The groups of a matrix.
    pub(super) fn new(matrix: &BlockMatrix) -> Self {
        let n = matrix.contacts();
        let mut seen = vec![false; n];
        let (mut start, mut contacts) = (Vec::with_capacity(n + 1), Vec::with_capacity(n));
        start.push(0);
        for first in 0..n {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let (from, mut next) = (contacts.len(), contacts.len());
            contacts.push(first as u32);
            while let Some(&i) = contacts.get(next) {
                next += 1;
                for &j in matrix.row(i as usize).0 {
                    if !std::mem::replace(&mut seen[j as usize], true) {
                        contacts.push(j);
                    }
                }
            }
            crate::small::sort(&mut contacts[from..]);
            start.push(contacts.len());
        }
        Self { start, contacts }
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Contacts of each.
    pub(super) fn sizes(&self) -> Vec<usize> {
        self.start.windows(2).map(|range| range[1] - range[0]).collect()
    }
}

impl Index<usize> for Groups {
    type Output = [u32];

    fn index(&self, group: usize) -> &[u32] {
        &self.contacts[self.start[group]..self.start[group + 1]]
    }
}
