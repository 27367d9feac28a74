//! Small dense linear systems in place, without allocation.

use nalgebra::DMatrix;

use crate::small;

/// Solves A x = b by Gaussian elimination with partial pivoting; A (row by
/// row) is destroyed and b becomes x. `false` where A is singular to working
/// precision.
pub(crate) fn solve_in_place(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[p * n + k].abs() {
                p = i;
            }
        }
        let pivot = a[p * n + k];
        let size = a[p * n..(p + 1) * n].iter().fold(0.0f64, |m, v| m.max(v.abs()));
        if pivot == 0.0 || pivot.abs() <= f64::EPSILON * size {
            return false;
        }
        if p != k {
            for j in 0..n {
                a.swap(p * n + j, k * n + j);
            }
            b.swap(p, k);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / pivot;
            if factor == 0.0 {
                continue;
            }
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let mut sum = b[k];
        for j in k + 1..n {
            sum -= a[k * n + j] * b[j];
        }
        b[k] = sum / a[k * n + k];
    }
    true
}

/// Replaces a symmetric positive semidefinite n × n matrix of unit size by its
/// pseudo-inverse; `true` where it was singular. The regular case works in
/// place with a factor in `scratch`; only the singular one allocates.
pub(crate) fn pseudo_inverse(a: &mut [f64], n: usize, scratch: &mut Vec<f64>) -> bool {
    scratch.clear();
    scratch.resize(n * n, 0.0);
    // The factor's diagonal holds reciprocals of the pivots: a pivot of 1e-12 is singular.
    let regular = |factor: &[f64]| factor.iter().step_by(n + 1).all(|&reciprocal| reciprocal < 1e12);
    if small::factorize(n, a, scratch).is_ok() && regular(scratch) {
        a.fill(0.0);
        a.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal = 1.0);
        a.chunks_exact_mut(n).for_each(|column| small::solve(n, scratch, column));
        return false;
    }
    let eigen = DMatrix::from_row_slice(n, n, a).symmetric_eigen();
    let largest = eigen.eigenvalues.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let inverse = eigen.eigenvalues.map(|v| if v > 1e-12 * largest { 1.0 / v } else { 0.0 });
    let result = &eigen.eigenvectors * DMatrix::from_diagonal(&inverse) * eigen.eigenvectors.transpose();
    a.copy_from_slice(result.as_slice());
    true
}
