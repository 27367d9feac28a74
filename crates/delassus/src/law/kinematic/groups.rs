//! Contacts that nothing couples are enumerated apart: nine contacts of three bodies on the ground have three times
//! 3³ combinations of stick and slip, not 3⁹.

use nalgebra::DVector;

use super::friction::{self, Candidate, Found, Measure, Rough};
use super::reduce::Reduced;
use crate::budget::Budget;
use crate::small::sort_few;

/// Normalised couplings up to this are round-off of eliminated joints.
const UNCOUPLED: f64 = 1e-15;
/// Impulses of a group below this part of the largest velocity are as good as none.
const REST: f64 = 1e-6;
/// Solutions of a group whose velocities differ by less, relative to the largest one, are the same.
const SAME: f64 = 1e-9;
/// Most solutions put together from those of the groups.
const MOST_SOLUTIONS: usize = 64;

/// Which group each contact belongs to, by the first contact of the group.
fn groups(reduced: &Reduced) -> Vec<usize> {
    let mut group: Vec<usize> = (0..reduced.normals).collect();
    for i in 0..reduced.len() {
        for j in 0..i {
            let (a, b) = (group[reduced.contact[i]], group[reduced.contact[j]]);
            if a != b && reduced.matrix[(i, j)].abs() > UNCOUPLED {
                let (keep, lose) = (a.min(b), a.max(b));
                group.iter_mut().filter(|g| **g == lose).for_each(|g| *g = keep);
            }
        }
    }
    group
}

/// The most frictional contacts in a group.
pub(super) fn largest(reduced: &Reduced, rough: &[Rough]) -> usize {
    let group = groups(reduced);
    (0..group.len()).map(|g| rough.iter().filter(|r| group[r.normal] == g).count()).max().unwrap_or(0)
}

/// All admissible combinations, put together from those of the groups.
pub(super) fn enumerate(reduced: &Reduced, rough: &[Rough], after: &DVector<f64>, budget: &mut Budget<'_>) -> Found {
    let group = groups(reduced);
    let speed = reduced.speed(after);
    let apart = group.iter().any(|&g| g != group[0]);
    if !apart {
        return friction::enumerate(reduced, rough, after, Measure { speed, impulse: 0.0 }, budget);
    }
    let whole = Candidate { impulses: DVector::zeros(reduced.len()), dimension: 0, sticking: 0, doubtful: false };
    let mut found = Found { candidates: vec![whole], tried: 0, all_tried: true, complete: true };
    for g in (0..group.len()).filter(|&g| group[g] == g) {
        let rows: Vec<usize> = (0..reduced.len()).filter(|&i| group[reduced.contact[i]] == g).collect();
        let place = |row: usize| rows.iter().position(|&i| i == row).unwrap_or(0);
        let Some(part) = reduced.part(&rows) else {
            return Found { candidates: Vec::new(), tried: found.tried, all_tried: true, complete: false };
        };
        let own: Vec<Rough> = rough
            .iter()
            .filter(|r| group[r.normal] == g)
            .map(|r| Rough { normal: place(r.normal), tangent: place(r.tangent), ..*r })
            .collect();
        let after = DVector::from_iterator(part.normals, rows[..part.normals].iter().map(|&i| after[i]));
        let measure = Measure { speed, impulse: REST * speed };
        let mut solutions = friction::enumerate(&part, &own, &after, measure, budget);
        found.tried += solutions.tried;
        found.all_tried &= solutions.all_tried;
        found.complete &= solutions.complete;
        keep_one_of_each(&part, speed, &mut solutions.candidates);
        if found.candidates.len() * solutions.candidates.len() > MOST_SOLUTIONS {
            solutions.candidates.truncate(1);
            found.complete = false;
        }
        found.candidates = together(&found.candidates, &solutions.candidates, &rows);
    }
    found
}

/// Of candidates with the same velocities keeps one: none in doubt, none that pulls, most sticking contacts.
fn keep_one_of_each(part: &Reduced, speed: f64, candidates: &mut Vec<Candidate>) {
    let pulls = |c: &Candidate| c.impulses.rows(0, part.normals).min() < -REST * speed;
    let rank = |c: &Candidate| (c.doubtful, pulls(c), std::cmp::Reverse(c.sticking));
    sort_few(candidates, |a, b| rank(a).cmp(&rank(b)));
    let mut kept: Vec<(DVector<f64>, Candidate)> = Vec::new();
    for candidate in candidates.drain(..) {
        let velocity = &part.matrix * &candidate.impulses;
        if kept.iter().all(|(other, _)| (other - &velocity).amax() > SAME * speed) {
            kept.push((velocity, candidate));
        }
    }
    candidates.extend(kept.into_iter().map(|(_, candidate)| candidate));
}

/// Every solution so far with every one of another group, whose rows are `rows`.
fn together(so_far: &[Candidate], group: &[Candidate], rows: &[usize]) -> Vec<Candidate> {
    let mut all = Vec::with_capacity(so_far.len() * group.len());
    for one in so_far {
        for other in group {
            let mut both = one.clone();
            rows.iter().zip(other.impulses.iter()).for_each(|(&row, &value)| both.impulses[row] = value);
            both.dimension += other.dimension;
            both.sticking += other.sticking;
            both.doubtful |= other.doubtful;
            all.push(both);
        }
    }
    all
}
