//! Determinants of A + δ for several shifts δ at once, A symmetric positive semidefinite in small blocks.

use super::factor::Symbolic;
use crate::elementary::Elementary;

/// Shifts at once: the processor computes with two or four numbers as fast as with one.
pub(super) const SHIFTS: usize = 4;

/// A block, for each shift.
type Block<const D: usize> = [[[f64; SHIFTS]; D]; D];

/// Logarithms to base 2 of det(A + δ), by Cholesky's method row by row; not a number where A + δ is not positive definite.
///
/// `fill(i, row)` writes the blocks of row i of A up to the diagonal into `row`, which is zero where the pattern is.
pub(super) fn log_determinants<const D: usize>(
    symbolic: &Symbolic,
    shifts: [f64; SHIFTS],
    mut fill: impl FnMut(usize, &mut [Block<D>]),
) -> [f64; SHIFTS] {
    let zero = [[[0.0; SHIFTS]; D]; D];
    let n = symbolic.len();
    let mut row = vec![zero; n];
    // Blocks of the factor below the diagonal, column by column, and how far each column is filled.
    let mut lower = vec![zero; symbolic.right.len()];
    let mut filled = symbolic.right_start.clone();
    let mut diagonal: Vec<Block<D>> = Vec::with_capacity(n);
    let mut sum = [0.0; SHIFTS];
    for i in 0..n {
        fill(i, &mut row);
        let mut own = std::mem::replace(&mut row[i], zero);
        for (k, line) in own.iter_mut().enumerate() {
            line[k].iter_mut().zip(shifts).for_each(|(entry, shift)| *entry += shift);
        }
        for &k in &symbolic.left[symbolic.left_start[i]..symbolic.left_start[i + 1]] {
            let k = k as usize;
            let mut block = std::mem::replace(&mut row[k], zero);
            divide(&mut block, &diagonal[k]);
            let range = symbolic.right_start[k]..filled[k];
            for (&j, other) in symbolic.right[range.clone()].iter().zip(&lower[range]) {
                subtract_product(&mut row[j as usize], &block, other);
            }
            subtract_product(&mut own, &block, &block);
            lower[filled[k]] = block;
            filled[k] += 1;
        }
        let pivots = cholesky(&mut own);
        sum.iter_mut().zip(pivots).for_each(|(sum, pivots)| *sum += pivots.logarithm2());
        diagonal.push(own);
    }
    sum
}

/// C := C − A Bᵀ.
#[inline(always)]
fn subtract_product<const D: usize>(c: &mut Block<D>, a: &Block<D>, b: &Block<D>) {
    for i in 0..D {
        for j in 0..D {
            for k in 0..D {
                for s in 0..SHIFTS {
                    c[i][j][s] -= a[i][k][s] * b[j][k][s];
                }
            }
        }
    }
}

/// A := A L⁻ᵀ for a factor as [`cholesky`] leaves it.
#[inline(always)]
fn divide<const D: usize>(a: &mut Block<D>, l: &Block<D>) {
    for row in a {
        for j in 0..D {
            for s in 0..SHIFTS {
                let taken: f64 = (0..j).map(|k| row[k][s] * l[j][k][s]).sum();
                row[j][s] = (row[j][s] - taken) * l[j][j][s];
            }
        }
    }
}

/// The factor L of a block = L Lᵀ in its lower half, reciprocals on the diagonal; returns the determinants of the block.
fn cholesky<const D: usize>(a: &mut Block<D>) -> [f64; SHIFTS] {
    let mut product = [1.0; SHIFTS];
    for s in 0..SHIFTS {
        for j in 0..D {
            let pivot = a[j][j][s] - (0..j).map(|k| a[j][k][s] * a[j][k][s]).sum::<f64>();
            // Of a negative pivot that is not a number, and all that follows is none.
            let per = 1.0 / pivot.sqrt();
            product[s] *= pivot;
            a[j][j][s] = per;
            for i in j + 1..D {
                let taken: f64 = (0..j).map(|k| a[i][k][s] * a[j][k][s]).sum();
                a[i][j][s] = (a[i][j][s] - taken) * per;
            }
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::super::factor::Factors;
    use super::*;

    /// Logarithms are those of elimination of one shifted matrix after the other; what is not positive definite has none.
    #[test]
    fn logarithms_are_those_of_elimination() {
        let n = 12;
        // A ring with chords, so that elimination fills places in.
        let near = |i: usize, j: usize| matches!((i + n - j) % n, 1 | 5 | 7 | 11);
        let block = |i: usize, j: usize| -> [[f64; 2]; 2] {
            let entry = |i: usize, j: usize| if i == j { 3.0 } else { ((i * j) as f64 + 0.3 * (i + j) as f64).sin() };
            let kept = |k: usize, l: usize| i == j || near(i, j) && k == l;
            std::array::from_fn(|k| std::array::from_fn(|l| f64::from(kept(k, l)) * entry(2 * i + k, 2 * j + l)))
        };
        let neighbours = |i: usize, out: &mut Vec<u32>| out.extend((0..n as u32).filter(|&j| near(i, j as usize)));
        let symbolic = Symbolic::new(n, neighbours, usize::MAX).unwrap();
        let shifts = [-8.0, 1.0, 0.25, 4.0];
        let logs = log_determinants::<2>(&symbolic, shifts, |i, row| {
            for j in (0..=i).filter(|&j| i == j || near(i, j)) {
                row[j] = block(i, j).map(|line| line.map(|entry| [entry; SHIFTS]));
            }
        });
        assert!(logs[0].is_nan());
        let mut factors = Factors::<2>::default();
        for (shift, log) in shifts.into_iter().zip(logs).skip(1) {
            let computed = factors.compute(&symbolic, |i, row| {
                (0..n).filter(|&j| i == j || near(i, j)).for_each(|j| row[j] = block(i, j));
                (0..2).for_each(|k| row[i][k][k] += shift);
            });
            assert!(computed && (factors.log_determinant() - log).abs() < 1e-12 * log, "{shift}: {log}");
        }
    }
}
