//! Groups that need no search: nothing approaches, or a single contact does. Problems of motions are mostly these, and what a search
//! sets up takes longer than they do. The impulses are those that the search would begin and end with.

use super::Method;
use super::driver::{NEAR, Task};
use super::gauss_seidel;
use crate::budget::Budget;

impl Task<'_> {
    /// Solves a group from rest, if that takes no search; returns the residual after the one sweep that was made, where one
    /// was.
    pub(super) fn at_once<const D: usize>(
        &self,
        contacts: &[u32],
        budget: &mut Budget<'_>,
        r: &mut [f64],
    ) -> Option<Option<f64>> {
        let system = &self.system;
        // From rest the velocities are those of the problem.
        let is_open = |&i: &u32| system.is_open::<D>(i as usize, r, &system.problem.vector);
        if contacts.iter().all(is_open) {
            return Some(None);
        }
        let &[i] = contacts else { return None };
        let i = i as usize;
        let (block, rows) = (&system.blocks[i], i * D..(i + 1) * D);
        let rests = r[rows.clone()].iter().all(|r| *r == 0.0);
        if !rests || self.method != Method::Auto || block.joint || block.shift != 0.0 {
            return None;
        }
        let start = system.scaled_velocity(i, &system.problem.vector[rows.clone()]);
        let before = system.approach_alone(i, start);
        if before <= self.target {
            return Some(None);
        }
        // What is near is left to Newton's method, as in groups of any size.
        if before < NEAR || budget.left() == Some(0) || !budget.take(gauss_seidel::cost(system, contacts)) {
            return None;
        }
        let y = block.solve(start, [0.0; 3]);
        system.set_impulse::<D>(i, y, r);
        let residual = system.residual_alone(i, system.impulse::<D>(i, r), system.velocity::<D>(i, r));
        if residual <= self.target {
            return Some(Some(residual));
        }
        r[rows].fill(0.0);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlockMatrix, ContactProblem, ContactSettings, Method, Stage, solve};
    use crate::budget::{Budget, Limits};
    use crate::solve::SolveStatus;

    /// Three contacts that share no body: one opens, one slides and one sticks.
    fn apart() -> ContactProblem {
        let block = [2.0, 0.5, 0.5, 1.0];
        let matrix = BlockMatrix::from_blocks(2, 3, (0..3).map(|i| (i, i, &block[..])));
        ContactProblem::coulomb(matrix, vec![0.2, 3.0, -2.0, 3.0, -2.0, -0.4], &[0.5; 3])
    }

    #[test]
    fn contacts_by_themselves_take_one_sweep_each_or_none() {
        let (problem, mut r) = (apart(), Vec::new());
        let report = solve(&problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut r).unwrap();
        assert_eq!((report.status, report.iterations, report.groups), (SolveStatus::Solved, 2, 3));
        // By hand: 1.75 r_N = 2 and r_T = −r_N/2 slide; G r = −q holds the third.
        let by_hand = [0.0, 0.0, 2.0 / 1.75, -1.0 / 1.75, 1.8 / 1.75, -0.2 / 1.75];
        assert!(r.iter().zip(by_hand).all(|(r, by_hand)| (r - by_hand).abs() < 1e-12), "{r:?}");
        // The largest group is the first of equals, which is open.
        assert_eq!(report.stages, []);
        // From the answer there is nothing to do.
        let warm = ContactSettings { warm: true, ..ContactSettings::default() };
        let again = solve(&problem, &warm, &mut Budget::unlimited(), &mut r).unwrap();
        assert_eq!((again.status, again.iterations), (SolveStatus::Solved, 0));
    }

    #[test]
    fn the_stage_of_a_contact_alone_is_told_and_a_budget_is_kept() {
        let matrix = BlockMatrix::from_blocks(2, 1, [(0, 0, &[2.0, 0.5, 0.5, 1.0][..])].into_iter());
        let (problem, mut r) = (ContactProblem::coulomb(matrix, vec![-2.0, 3.0], &[0.5]), Vec::new());
        let report = solve(&problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut r).unwrap();
        let [Stage { method: Method::GaussSeidel, iterations: 1, residual }] = report.stages[..] else {
            panic!("{report:?}")
        };
        assert!(residual < 1e-14 && r[0] > 1.0);
        let limits = Limits { iterations: Some(0), ..Limits::default() };
        let report = solve(&problem, &ContactSettings::default(), &mut Budget::new(&limits), &mut r).unwrap();
        assert_eq!((report.status, report.iterations, &r[..]), (SolveStatus::MaxIterations, 0, &[0.0, 0.0][..]));
    }
}
