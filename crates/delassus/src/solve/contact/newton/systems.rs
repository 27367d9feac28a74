//! Linear systems of Newton's method without factors over contacts: by the velocities of bodies, and by iteration.

use super::{ITERATIONS, Linear, Newton, Step, Triple};
use crate::budget::Budget;
use crate::solve::contact::LARGE;
use crate::solve::contact::krylov::Rows;
use crate::solve::contact::linearise::Law;
use crate::solve::contact::scaled::System;

impl<const D: usize> Newton<D> {
    /// The step by the velocities of bodies, where contacts of this group share few.
    pub(super) fn step_by_bodies(
        &mut self,
        system: &System<'_>,
        budget: &mut Budget<'_>,
        r: &[f64],
        u: &[f64],
    ) -> Option<Step> {
        let sides = system.problem.matrix.sides.as_ref().filter(|_| LARGE)?;
        let mut by_bodies = self.by_bodies.take()?;
        let mut found = budget.take(by_bodies.work);
        if found {
            self.factorisations += 1;
            self.effort += by_bodies.work;
            let mut steps = std::mem::take(&mut self.steps);
            let rows = self.rows(system, &self.active, r, u);
            found = by_bodies.solve(&rows, sides, |i, row| self.right_hand_side(system, i, row), &mut steps);
            for (&i, &step) in self.active.iter().zip(&steps) {
                system.set_impulse::<D>(i as usize, step, &mut self.move_r);
            }
            self.steps = steps;
        }
        self.by_bodies = Some(by_bodies);
        Some(if found { Step::Found } else { Step::Singular })
    }

    /// The step by iteration. Where that takes longer than factors would, `iterates` ends.
    pub(super) fn iterate(&mut self, system: &System<'_>, budget: &mut Budget<'_>, r: &[f64], u: &[f64]) -> Step {
        self.sorted.clone_from(&self.active);
        crate::small::sort(&mut self.sorted);
        let (mut krylov, mut x) = (std::mem::take(&mut self.krylov), std::mem::take(&mut self.steps));
        x.clear();
        x.resize(self.sorted.len(), [0.0; 3]);
        let rows = self.rows(system, &self.sorted, r, u);
        let patience = self.patience();
        let limit = patience.unwrap_or(ITERATIONS);
        let made = if budget.take(0.0) {
            let rhs = |i: u32, row: &Linear| self.right_hand_side(system, i, row);
            krylov.solve::<D>(&rows, rhs, self.forcing, limit, budget, &mut x)
        } else {
            None
        };
        self.krylov = krylov;
        self.effort += self.krylov.cost() * made.unwrap_or(limit) as f64;
        self.iterates = patience.is_none() || made.is_some_and(|made| made < limit);
        self.linear_iterations += made.unwrap_or(0);
        let found = made.is_some() && x.iter().flatten().all(|v| v.is_finite());
        if found {
            for (&i, &x) in self.sorted.iter().zip(&x) {
                system.set_impulse::<D>(i as usize, x, &mut self.move_r);
            }
        }
        self.steps = x;
        if found { Step::Found } else { Step::Singular }
    }

    /// The rows of some contacts that are not open.
    pub(super) fn rows<'a, 'b>(
        &'a self,
        system: &'a System<'b>,
        active: &'a [u32],
        r: &'a [f64],
        u: &'a [f64],
    ) -> Rows<'a, 'b> {
        let (rows, place, law, epsilon) = (&self.rows, &self.place, self.law(), self.epsilon);
        Rows { system, active, epsilon, rows, place, law, r, u }
    }

    /// How laws are linearised now.
    pub(super) fn law(&self) -> Law {
        Law { delta: self.delta, regular: self.regular }
    }

    /// Right-hand side of a contact, with what open contacts give up.
    pub(super) fn right_hand_side(&self, system: &System<'_>, contact: u32, row: &Linear) -> Triple {
        let (i, mut rhs) = (contact as usize, row.rhs);
        if self.pushed[self.place[i] as usize] {
            let change = system.problem.matrix.row_product::<D>(i, &self.move_r);
            let change = system.scaled_velocity(i, &change);
            for (rhs, p) in rhs.iter_mut().zip(&row.p) {
                *rhs -= p.iter().zip(&change).map(|(p, change)| p * change).sum::<f64>();
            }
        }
        rhs
    }
}
