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
        match self.dimension() {
            1 => self.rank_by::<1>(),
            2 => self.rank_by::<2>(),
            _ => self.rank_by::<3>(),
        }
    }

    fn rank_by<const D: usize>(&self) -> Option<usize> {
        let n = self.contacts();
        let (order, _) = minimum_degree(n, |i| self.matrix.row(i).0, MOST / (D * D * D) as f64)?;
        let mut place = vec![0u32; n];
        order.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k as u32);
        let neighbours = |k: usize, out: &mut Vec<u32>| {
            out.extend(self.matrix.row(order[k] as usize).0.iter().map(|&j| place[j as usize]));
        };
        let symbolic = Symbolic::new(n, neighbours, usize::MAX)?;
        let scale = |i: usize| -> [f64; D] {
            std::array::from_fn(|k| {
                let entry = self.matrix.diagonal(i)[k * (D + 1)];
                if entry > 0.0 { 1.0 / entry.sqrt() } else { 0.0 }
            })
        };
        let scales: Vec<[f64; D]> = (0..n).map(scale).collect();
        let fill = |k: usize, row: &mut [[[f64; D]; D]]| {
            let i = order[k] as usize;
            let (columns, values) = self.matrix.row(i);
            for (&j, block) in columns.iter().zip(values.chunks_exact(D * D)) {
                let other = &scales[j as usize];
                row[place[j as usize] as usize] =
                    std::array::from_fn(|k| std::array::from_fn(|l| scales[i][k] * block[k * D + l] * other[l]));
            }
        };
        let mut factors = Factors::<D>::default();
        factors.least = Some(RANK);
        factors.compute(&symbolic, fill).then(|| n * D - factors.dropped)
    }
}
