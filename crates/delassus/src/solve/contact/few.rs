//! Groups of a few contacts that no method here has solved, by the solver of single impacts: it tries states and starts that
//! would take too long with more contacts.

use super::driver::{Group, Work};
use super::problem::ContactLaw;
use super::{LARGE, Method};
use crate::budget::Budget;
use crate::solve::{Cone, Inclusion, SolveWork, solve_within};

/// Contacts up to which these are few.
const FEW: usize = 8;

impl<const D: usize> Work<'_, D> {
    /// Solves the group as one dense problem.
    pub(super) fn few(&mut self, group: &mut Group<'_>, budget: &mut Budget<'_>, r: &mut [f64]) {
        if !LARGE || group.contacts.len() > FEW || group.residual <= group.target || self.has_spent(budget) {
            return;
        }
        let (rows, cones) = self.rows(group.contacts);
        if rows.is_empty() {
            return;
        }
        let mut matrix = vec![0.0; rows.len() * rows.len()];
        for (row, &(i, a)) in matrix.chunks_exact_mut(rows.len()).zip(&rows) {
            let (columns, blocks) = self.system.problem.matrix.row(i);
            for (entry, &(j, b)) in row.iter_mut().zip(&rows) {
                if let Ok(at) = columns.binary_search(&(j as u32)) {
                    *entry = blocks[at * D * D + a * D + b];
                }
            }
        }
        let vector: Vec<f64> = rows.iter().map(|&(i, a)| self.system.problem.vector[i * D + a]).collect();
        let inclusion = Inclusion { matrix: &matrix, vector: &vector, cones: &cones, speed: 0.0 };
        let mut x = vec![0.0; rows.len()];
        let report = solve_within(&inclusion, budget, &mut SolveWork::default(), &mut x);
        if x.iter().all(|x| x.is_finite()) {
            rows.iter().zip(x).for_each(|(&(i, a), x)| r[i * D + a] = x);
            let mut y = Vec::new();
            self.system.gather::<D>(group.contacts, r, &mut y);
            self.system.scatter::<D>(group.contacts, &y, r);
            self.measure(group, r);
            Self::note(group, Method::Newton, report.iterations);
        }
    }

    /// Contact and row of each unknown, and what it obeys.
    fn rows(&self, contacts: &[u32]) -> (Vec<(usize, usize)>, Vec<Cone>) {
        let (mut rows, mut cones) = (Vec::new(), Vec::new());
        for i in contacts.iter().map(|&i| i as usize) {
            let (block, normal) = (&self.system.blocks[i], rows.len());
            let acting = &block.index[..block.rows];
            let row = normal + 1;
            match self.system.problem.laws[i] {
                ContactLaw::Joint => cones.extend((0..acting.len()).map(|k| Cone::Free { row: normal + k })),
                // What nothing moves along its normal carries nothing.
                ContactLaw::Contact { .. } if block.a[0][0] <= 0.0 => continue,
                ContactLaw::Contact { friction, shift } => match *acting {
                    [] => {}
                    [0] => cones.push(Cone::Unilateral { row: normal }),
                    [0, t] => {
                        let friction = friction[usize::from(t) - 1];
                        cones.extend([Cone::Unilateral { row: normal }, Cone::Line { row, normal, friction, shift }]);
                    }
                    _ => {
                        cones.extend([Cone::Unilateral { row: normal }, Cone::Ellipse { row, normal, friction, shift }])
                    }
                },
            }
            rows.extend(acting.iter().map(|&a| (i, usize::from(a))));
        }
        (rows, cones)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlockMatrix, ContactProblem, ContactSettings, solve};
    use crate::budget::Budget;
    use crate::solve::SolveStatus;

    /// The first contact sticks with next to the largest friction that it can have, the second opens; G has a condition of 7e5.
    #[test]
    fn two_contacts_that_hardly_differ_are_solved() {
        let rows: [[f64; 6]; 6] = [
            [
                50.12522057776992,
                -81.24980577718324,
                -70.90153130015943,
                44.352985475330414,
                -61.20653935633097,
                -36.87110424214189,
            ],
            [
                -81.24980577718324,
                146.86340287045857,
                103.78439648103651,
                -74.94485064853897,
                93.87229374758672,
                49.07733060382072,
            ],
            [
                -70.90153130015943,
                103.78439648103651,
                146.81612629188524,
                -54.54521244803057,
                96.0333557101464,
                64.5366397247895,
            ],
            [
                44.352985475330414,
                -74.94485064853897,
                -54.54521244803057,
                40.80542193627835,
                -52.219324089551066,
                -29.78452823194356,
            ],
            [
                -61.20653935633097,
                93.87229374758672,
                96.0333557101464,
                -52.219324089551066,
                77.44213576544553,
                49.473103494111704,
            ],
            [
                -36.87110424214189,
                49.07733060382072,
                64.5366397247895,
                -29.78452823194356,
                49.473103494111704,
                35.25814372182602,
            ],
        ];
        let vector = [
            89.55667682590324,
            -27.732400288838903,
            -579.1735318081526,
            -0.178605016589283,
            -215.7277064725331,
            -210.07294987996175,
        ];
        let entries = (0..36).map(|k| (k / 6, k % 6, rows[k / 6][k % 6]));
        let problem = ContactProblem::coulomb(BlockMatrix::from_entries(3, 2, entries), vector.to_vec(), &[1.0, 10.0]);
        let mut r = Vec::new();
        let report = solve(&problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut r).unwrap();
        assert_eq!(report.status, SolveStatus::Solved);
        assert!(report.residual.worst() < 1e-12, "{:?}", report.residual);
        assert!(r[0] > 0.0 && r[3..] == [0.0; 3], "{r:?}");
    }
}
