//! Proximal steps: Newton's method on problems with a term ε(r − c).
//!
//! The centre c of a step is the impulses that it begins with. In packings it lies further on, in the direction of the step
//! before, because steps with a small ε go the same way for long; where impulses turn in a circle that drives them outwards, so
//! that after many steps it is left out for a while.

use super::driver::{Group, Work, copy, keep, put_back};
use super::weight::Weight;
use super::{LARGE, Method};
use crate::budget::Budget;

/// Newton steps of one proximal step.
const INNER: usize = 20;
/// What a proximal problem is solved to, relative to the residual before it, with factors and by iteration. In packings, where
/// that is, more digits do not bring the next one nearer.
const ENOUGH: [f64; 2] = [0.1, 0.3];

/// A proximal step that brings the residual to no less than this of what it was is slow.
const SLOW: f64 = 0.3;
/// How much further on the centre lies, relative to the step before.
const LEAD: f64 = 0.45;
/// Steps of Newton's method after which impulses are taken to wander, and the centre lies no further on for as many.
const WANDERS: usize = 100;

impl<const D: usize> Work<'_, D> {
    /// Proximal steps: where Newton's method ends quickly ε becomes smaller, where it does not, larger. Returns all steps of
    /// Newton's method.
    pub(super) fn proximal(
        &mut self,
        group: &mut Group<'_>,
        limit: usize,
        budget: &mut Budget<'_>,
        r: &mut [f64],
    ) -> usize {
        self.order(group);
        let (mut weight, mut total, mut within, mut start) = (Weight::new(), 0, 0, Vec::new());
        // Where the last proximal step that was solved began.
        let mut last = Vec::new();
        // The residual before patches were solved, which makes it larger beside them for a while.
        let mut reached = f64::INFINITY;
        while total < limit && group.residual > group.target && !self.has_spent(budget) {
            keep::<D>(group.contacts, r, &mut start);
            let before = group.residual;
            (self.newton.regular, self.newton.epsilon) = (1e-9, weight.value());
            self.newton.forcing = 0.1;
            copy::<D>(group.contacts, r, &mut self.newton.centre);
            if LARGE && self.newton.iterates() && (total / WANDERS).is_multiple_of(2) {
                lead::<D>(group.contacts, &start, &last, &mut self.newton.centre);
            }
            let enough = ENOUGH[usize::from(self.newton.iterates())];
            let inner = (enough * before).max(0.3 * group.target);
            let Self { system, newton, u, .. } = self;
            let end = newton.run(system, group.contacts, inner, INNER.min(limit - total), 0, budget, r, u);
            total += end.iterations.max(1);
            self.account(end.iterations);
            self.measure(group, r);
            let solved = end.residual <= inner || group.residual <= 0.5 * before;
            if solved {
                weight.shrink(end.iterations);
                std::mem::swap(&mut last, &mut start);
            } else {
                // What was gained on the way is kept in packings, where less is lost elsewhere by that.
                if !(LARGE && self.newton.iterates() && group.residual < before) {
                    put_back::<D>(group.contacts, &start, r);
                    group.residual = before;
                }
                if !weight.grow() {
                    break;
                }
            }
            if LARGE && !group.patch && self.newton.iterates() && group.residual > group.target {
                if !solved {
                    self.system.velocities::<D>(group.contacts, r, &mut self.u);
                }
                let (slow, residual) = (group.residual > SLOW * before.min(reached), group.residual);
                let steps = self.patches(group, slow, budget, r);
                within += steps;
                reached = if steps > 0 { residual } else { f64::INFINITY };
            }
        }
        self.newton.epsilon = 0.0;
        self.measure(group, r);
        Self::note(group, Method::Proximal, total + within);
        total + within
    }
}

/// Moves the centre on, by a part of the way from the last start to this one; there may be none yet.
fn lead<const D: usize>(contacts: &[u32], start: &[f64], last: &[f64], centre: &mut [f64]) {
    for (&i, (start, last)) in contacts.iter().zip(start.chunks_exact(D).zip(last.chunks_exact(D))) {
        let centre = &mut centre[i as usize * D..][..D];
        centre.iter_mut().zip(start.iter().zip(last)).for_each(|(c, (s, l))| *c += LEAD * (s - l));
    }
}
