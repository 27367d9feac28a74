//! Contacts that share no body, directly or through others, are independent problems.

use super::matrix::BlockMatrix;

/// The contacts of each group, in order, groups by their first contact.
pub(super) fn groups(matrix: &BlockMatrix) -> Vec<Vec<u32>> {
    let n = matrix.contacts();
    let mut seen = vec![false; n];
    let mut groups = Vec::new();
    for first in 0..n {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut group = vec![first as u32];
        let mut next = 0;
        while let Some(&i) = group.get(next) {
            next += 1;
            for &j in matrix.row(i as usize).0 {
                if !std::mem::replace(&mut seen[j as usize], true) {
                    group.push(j);
                }
            }
        }
        crate::small::sort(&mut group);
        groups.push(group);
    }
    groups
}
