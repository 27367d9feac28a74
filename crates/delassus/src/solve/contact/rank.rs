//! The rank of G, from determinants of G + δ.
//!
//! Every eigenvalue λ of G adds to
//!
//! ```text
//! log(det(G + 8δ) / det(G + δ)) / log 8 = Σ log((λ + 8δ) / (λ + δ)) / log 8
//! ```
//!
//! one where it is far below δ, nothing where it is far above 8δ, and something between otherwise. So the sum counts zero
//! eigenvalues where it is a whole number that stays when δ grows. G + δ is positive definite: it is factored without
//! choice of pivots in any order, and small pivots do no harm, as they do in elimination of G itself.

use super::factor::{Factors, Symbolic};
use super::order::minimum_degree;
use super::problem::ContactProblem;
use super::shifted::{SHIFTS, log_determinants};

/// Multiplications of one elimination up to which the rank is found.
const MOST: f64 = 2e8;
/// The least δ of each trial, for rows of G scaled to a diagonal of one: powers of two, so that adding them to one is exact.
/// The first is what round-off leaves of zero, the second what sums of many contacts leave of it; the third (3e-8) is for
/// matrices that were written with few digits.
const LEAST: [f64; 3] = [1.0 / (1u64 << 43) as f64, 1.0 / (1u64 << 34) as f64, 1.0 / (1u64 << 25) as f64];
/// Doublings from one shift to the next.
const DOUBLINGS: usize = 3;
/// How far sums may be from a whole number.
const NEAR: f64 = 0.1;
/// Scaled entries that differ by more from their mirror images do so by more than round-off.
const SYMMETRIC: f64 = 1e-12;

impl ContactProblem {
    /// The rank of G, rows scaled by √G_ii: how many eigenvalues are far above all others, which count as zero. `None`
    /// where no such gap is wider than a factor of 64, or reaches above 1e-8 but for what makes eigenvalues negative, and
    /// where finding it would take long.
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
        let scales = self.scales::<D>();
        // A block of scaled G: contact, its neighbour and the values.
        let scaled = |i: usize, j: usize, block: &[f64]| -> [[f64; D]; D] {
            std::array::from_fn(|k| std::array::from_fn(|l| scales[i][k] * block[k * D + l] * scales[j][l]))
        };
        let mut asymmetry = 0.0f64;
        let nullity = count(|shifts| {
            // The symmetric half of G.
            log_determinants::<D>(&symbolic, shifts, |k, row| {
                let i = order[k] as usize;
                let (columns, values) = self.matrix.row(i);
                for (&j, block) in columns.iter().zip(values.chunks_exact(D * D)) {
                    let (j, at) = (j as usize, place[j as usize] as usize);
                    if at <= k {
                        let (one, other) = (scaled(i, j, block), scaled(j, i, self.matrix.block(j, i)));
                        for (p, q) in (0..D * D).map(|at| (at / D, at % D)) {
                            asymmetry = asymmetry.max((one[p][q] - other[q][p]).abs());
                            row[at][p][q] = [0.5 * (one[p][q] + other[q][p]); SHIFTS];
                        }
                    }
                }
            })
        })?;
        // What G is beside its symmetric half must not act where that half does nothing: eigenvalues of G itself tell.
        if asymmetry > SYMMETRIC {
            let mut factors = Factors::<D>::default();
            let of_all = count(|shifts| {
                shifts.map(|shift| {
                    let computed = factors.compute(&symbolic, |k, row| {
                        let i = order[k] as usize;
                        let (columns, values) = self.matrix.row(i);
                        for (&j, block) in columns.iter().zip(values.chunks_exact(D * D)) {
                            row[place[j as usize] as usize] = scaled(i, j as usize, block);
                        }
                        (0..D).for_each(|l| row[k][l][l] += shift);
                    });
                    if computed { factors.log_determinant() } else { f64::NAN }
                })
            });
            if of_all != Some(nullity) {
                return None;
            }
        }
        (n * D).checked_sub(nullity)
    }

    /// 1/√G_ii of each row; of rows that nothing moves the least of them.
    fn scales<const D: usize>(&self) -> Vec<[f64; D]> {
        let entry = |i: usize, k: usize| self.matrix.diagonal(i)[k * (D + 1)];
        let rows = (0..self.contacts()).flat_map(|i| (0..D).map(move |k| (i, k)));
        let most = rows.fold(0.0f64, |most, (i, k)| most.max(entry(i, k)));
        let spare = if most > 0.0 { most } else { 1.0 };
        let scale = |entry: f64| 1.0 / if entry > 0.0 { entry } else { spare }.sqrt();
        (0..self.contacts()).map(|i| std::array::from_fn(|k| scale(entry(i, k)))).collect()
    }
}

/// How many eigenvalues are zero, from logarithms (to base 2) of det(A + δ) for growing δ.
fn count(mut log_determinants: impl FnMut([f64; SHIFTS]) -> [f64; SHIFTS]) -> Option<usize> {
    for (trial, least) in LEAST.into_iter().enumerate() {
        let logs = log_determinants(std::array::from_fn(|k| least * (1u64 << (DOUBLINGS * k)) as f64));
        let zeros: [f64; SHIFTS - 1] = std::array::from_fn(|k| (logs[k + 1] - logs[k]) / DOUBLINGS as f64);
        for pair in zeros.windows(2) {
            let whole = pair[0].round();
            // An eigenvalue anywhere between these shifts would add a quarter more to the second sum than to the first.
            if whole >= 0.0 && pair.iter().all(|sum| (sum - whole).abs() < NEAR) {
                return Some(whole as usize);
            }
        }
        // Eigenvalues above 1e-8 are not called zero unless some are that far below it.
        if trial > 0 && !logs[0].is_nan() {
            break;
        }
    }
    None
}
