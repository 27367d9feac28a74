//! Linear systems of Newton's method without factors over contacts: by the velocities of bodies, and by iteration.

use super::{ITERATIONS, Newton, Step};
use crate::budget::Budget;
use crate::solve::contact::LARGE;
use crate::solve::contact::krylov;
use crate::solve::contact::scaled::System;

impl<const D: usize> Newton<D> {
    /// The step by the velocities of bodies, where contacts of this group share few.
    pub(super) fn step_by_bodies(&mut self, system: &System<'_>, budget: &mut Budget<'_>) -> Option<Step> {
        let sides = system.problem.matrix.sides.as_ref().filter(|_| LARGE)?;
        let mut by_bodies = self.by_bodies.take()?;
        let mut found = budget.take(by_bodies.work);
        if found {
            self.factorisations += 1;
            self.effort += by_bodies.work;
            let mut steps = std::mem::take(&mut self.triples[0]);
            let rows = krylov::Rows { system, active: &self.active, rows: &self.rows, epsilon: self.epsilon };
            found = by_bodies.solve(&rows, sides, |i| self.right_hand_side(system, i), &mut steps);
            for (&i, &step) in self.active.iter().zip(&steps) {
                system.set_impulse::<D>(i as usize, step, &mut self.move_r);
            }
            self.triples[0] = steps;
        }
        self.by_bodies = Some(by_bodies);
        Some(if found { Step::Found } else { Step::Singular })
    }

    /// The step by iteration. Where that takes longer than factors would, `iterates` ends.
    pub(super) fn iterate(&mut self, system: &System<'_>, budget: &mut Budget<'_>) -> Step {
        self.sorted.clone_from(&self.active);
        crate::small::sort(&mut self.sorted);
        let [mut rhs, mut x] = std::mem::take(&mut self.triples);
        rhs.clear();
        rhs.extend(self.sorted.iter().map(|&i| self.right_hand_side(system, i as usize)));
        x.clear();
        x.resize(rhs.len(), [0.0; 3]);
        let rows = krylov::Rows { system, active: &self.sorted, rows: &self.rows, epsilon: self.epsilon };
        let patience = self.patience();
        let limit = patience.unwrap_or(ITERATIONS);
        let made = if budget.take(0.0) {
            self.krylov.solve::<D>(&rows, &rhs, self.forcing, limit, budget, &mut x)
        } else {
            None
        };
        self.effort += self.krylov.cost() * made.unwrap_or(limit) as f64;
        self.iterates = patience.is_none() || made.is_some_and(|made| made < limit);
        self.linear_iterations += made.unwrap_or(0);
        let found = made.is_some() && x.iter().flatten().all(|v| v.is_finite());
        if found {
            for (&i, &x) in self.sorted.iter().zip(&x) {
                system.set_impulse::<D>(i as usize, x, &mut self.move_r);
            }
        }
        self.triples = [rhs, x];
        if found { Step::Found } else { Step::Singular }
    }
}
