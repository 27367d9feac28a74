//! Groups of a few contacts that no method here has solved, by the solver of single impacts: it tries states and starts that
//! would take too long with more contacts, and proves of some planar problems that they have no solution. In the plane every
//! combination of states is tried after that.

use super::driver::{Group, Work};
use super::problem::ContactLaw;
use super::{LARGE, Method};
use crate::budget::Budget;
use crate::solve::enumerate::{CHEAP, EnumerateWork, enumerate_within};
use crate::solve::{Cone, Inclusion, SolveStatus, SolveWork, solve_within};

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
        self.try_impulses(group, &rows, &x, r);
        Self::note(group, Method::Newton, report.iterations);
        if group.residual <= group.target {
            return;
        }
        if report.status == SolveStatus::NoSolution {
            self.impossible |= is_symmetric(&matrix, rows.len()) && self.all_take_part(group.contacts);
            return;
        }
        let mut found = Vec::new();
        enumerate_within(&inclusion, 0.0, CHEAP, budget, &mut EnumerateWork::default(), &mut found);
        if let Some(solution) = found.first() {
            self.try_impulses(group, &rows, &solution.x, r);
        }
    }

    /// Takes impulses of some rows, moved into their sets, and measures them; the others keep theirs.
    fn try_impulses(&mut self, group: &mut Group<'_>, rows: &[(usize, usize)], x: &[f64], r: &mut [f64]) {
        if x.iter().all(|x| x.is_finite()) {
            rows.iter().zip(x).for_each(|(&(i, a), x)| r[i * D + a] = *x);
            let mut y = Vec::new();
            self.system.gather::<D>(group.contacts, r, &mut y);
            self.system.scatter::<D>(group.contacts, &y, r);
            self.measure(group, r);
        }
    }

    /// Whether no contact is left out that could rub: one that nothing moves along its normal may push as it likes.
    fn all_take_part(&self, contacts: &[u32]) -> bool {
        contacts.iter().map(|&i| &self.system.blocks[i as usize]).all(|b| b.joint || b.rows == 1 || b.a[0][0] > 0.0)
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

/// Entries that differ by no more than this from their mirror image, relative to the diagonal, do so by round-off.
const SYMMETRIC: f64 = 1e-12;

fn is_symmetric(a: &[f64], n: usize) -> bool {
    let alike = |i: usize, j: usize| {
        let size = (a[i * (n + 1)] * a[j * (n + 1)]).sqrt();
        (a[i * n + j] - a[j * n + i]).abs() <= SYMMETRIC * size
    };
    (0..n).all(|i| (0..i).all(|j| alike(i, j)))
}

#[cfg(test)]
mod tests {
    use super::super::{BlockMatrix, ContactProblem, ContactSettings, solve};
    use crate::budget::Budget;
    use crate::solve::SolveStatus;

    /// Two contacts of one body that moves in one direction only, pressed together from both sides: (1 −1; −1 1) r + q ≥ 0
    /// would need q₁ + q₂ ≥ 0. Friction across does not help.
    #[test]
    fn that_there_is_no_solution_is_proved() {
        let press = |q: [f64; 4], entry: f64| {
            let entries = [(0, 0, 1.0), (0, 2, -1.0), (2, 0, entry), (2, 2, 1.0), (1, 1, 1.0), (3, 3, 2.0)];
            let matrix = BlockMatrix::from_entries(2, 2, entries.into_iter());
            let (problem, mut r) = (ContactProblem::coulomb(matrix, q.to_vec(), &[0.3; 2]), Vec::new());
            let report = solve(&problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut r).unwrap();
            report.status
        };
        assert_eq!(press([-1.0, 0.2, -0.5, 0.1], -1.0), SolveStatus::NoSolution);
        assert_eq!(press([-1.0, 0.2, 1.5, 0.1], -1.0), SolveStatus::Solved);
        // Of a matrix that is not symmetric nothing is claimed.
        assert_ne!(press([-1.0, 0.2, -0.5, 0.1], -1.1), SolveStatus::NoSolution);
    }

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
