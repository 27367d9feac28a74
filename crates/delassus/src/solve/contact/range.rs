//! How much of q no motion of bodies gives.

use super::problem::ContactProblem;
use crate::small::rank::FullPivot;
use crate::solve::normal_form::Units;

/// Rows up to which that is found: elimination with full pivoting takes some ten milliseconds then.
const MOST: usize = 300;
/// Pivots up to this, relative to the largest, are round-off of a singular G.
const RANK: f64 = 1e-12;

impl ContactProblem {
    /// What elimination leaves of q outside the range of G, relative to the largest entry of q, rows in units of √G_ii.
    /// Round-off apart it is zero where q = Dv with velocities v of bodies, and then a planar problem has a solution;
    /// else, as where supports move against each other, there may be none. `None` of problems of more than 300 rows.
    pub fn outside_range(&self) -> Option<f64> {
        let rows = self.vector.len();
        if rows > MOST {
            return None;
        }
        let (mut units, mut system) = (Units::default(), FullPivot::default());
        units.read((0..rows).map(|i| self.matrix.get(i, i)));
        units.measure(self.vector.iter().copied(), 1.0);
        system.reset(rows, rows);
        for i in 0..rows {
            let (entries, rhs) = system.row_mut(i);
            entries.iter_mut().enumerate().for_each(|(j, a)| *a = units.entry(i, j, self.matrix.get(i, j)));
            *rhs = units.velocity(i, self.vector[i]);
        }
        system.eliminate(RANK);
        Some(system.inconsistency())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlockMatrix, ContactProblem};

    /// Two feet of a body that moves up and down only: q₀ = q₁ is a motion, a difference is none, in any units.
    #[test]
    fn what_bodies_cannot_do_is_outside() {
        for (g, speed) in [(1.0, 1.0), (1e-9, 1e6), (1e12, 1e-7)] {
            let outside = |q: [f64; 2]| {
                let matrix = BlockMatrix::from_entries(1, 2, (0..4).map(|k| (k / 2, k % 2, g)));
                ContactProblem::coulomb(matrix, q.map(|q| q * speed).to_vec(), &[0.0; 2]).outside_range().unwrap()
            };
            assert!(outside([-2.0, -2.0]) < 1e-12);
            assert!((outside([-2.0, -1.0]) - 0.5).abs() < 1e-12);
        }
        let many =
            ContactProblem::coulomb(BlockMatrix::from_entries(1, 301, [].into_iter()), vec![0.0; 301], &[0.0; 301]);
        assert_eq!(many.outside_range(), None);
    }
}
