//! The rank of G, by elimination without exchange of rows.

use super::factor::{Factors, Symbolic};
use super::order::minimum_degree;
use super::problem::ContactProblem;

/// Multiplications up to which the rank is found.
const MOST: f64 = 2e8;
/// Pivots below this, relative to the diagonal of G, are none.
const RANK: f64 = 1e-10;

impl ContactProblem {
    /// The rank of G, rows scaled by √G_ii; `None` where that would take long.
    ///
    /// G is positive semidefinite, so that a pivot of zero has zeros beside it and elimination can go on without it.
    pub fn rank(&self) -> Option<usize> {
        let (d, n) = (self.dimension(), self.contacts());
        let order = minimum_degree(n, |i| self.matrix.row(i).0);
        let mut place = vec![0u32; n];
        order.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k as u32);
        let whole = |k: usize, out: &mut Vec<u32>| {
            out.extend(self.matrix.row(order[k] as usize).0.iter().map(|&j| place[j as usize]));
        };
        // Whole blocks tell what it takes with a ninth of the memory that single rows need.
        let blocks = Symbolic::new(n, whole, MOST as usize / (10 * d * d))?;
        if blocks.products() * (d * d * d) as f64 > MOST {
            return None;
        }
        // Single rows in the order of their contacts.
        let neighbours = |k: usize, out: &mut Vec<u32>| {
            let columns = self.matrix.row(order[k / d] as usize).0.iter().map(|&j| place[j as usize] as usize * d);
            out.extend(columns.flat_map(|first| (first..first + d).map(|j| j as u32)));
        };
        let symbolic = Symbolic::new(n * d, neighbours, MOST as usize / 10)?;
        let root = |row: usize| self.matrix.get(row, row).max(0.0).sqrt();
        let fill = |k: usize, row: &mut [[[f64; 1]; 1]]| {
            let i = order[k / d] as usize;
            let at = i * d + k % d;
            for &j in self.matrix.row(i).0 {
                for l in 0..d {
                    let other = j as usize * d + l;
                    let scale = root(at) * root(other);
                    let entry = if scale > 0.0 { self.matrix.get(at, other) / scale } else { 0.0 };
                    row[place[j as usize] as usize * d + l] = [[entry]];
                }
            }
        };
        let mut factors = Factors::<1>::default();
        factors.least = Some(RANK);
        factors.compute(&symbolic, fill).then(|| n * d - factors.dropped)
    }
}
