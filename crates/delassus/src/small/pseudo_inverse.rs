//! Pseudo-inverses of symmetric matrices.

use nalgebra::DMatrix;

/// Pivots and, relative to the largest, eigenvalues up to this are round-off.
const SINGULAR: f64 = 1e-12;

/// Replaces a symmetric positive semidefinite n × n matrix of unit size by its
/// pseudo-inverse; `true` where it was singular. The regular case works in
/// place with a factor in `scratch`; only the singular one allocates.
pub(crate) fn pseudo_inverse(a: &mut [f64], n: usize, scratch: &mut Vec<f64>) -> bool {
    scratch.clear();
    scratch.resize(n * n, 0.0);
    // The factor's diagonal holds reciprocals of the pivots.
    let regular = |factor: &[f64]| factor.iter().step_by(n + 1).all(|&reciprocal| reciprocal * SINGULAR < 1.0);
    if super::factorize(n, a, scratch).is_ok() && regular(scratch) {
        a.fill(0.0);
        a.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal = 1.0);
        a.chunks_exact_mut(n).for_each(|column| super::solve(n, scratch, column));
        return false;
    }
    let eigen = DMatrix::from_row_slice(n, n, a).symmetric_eigen();
    let largest = eigen.eigenvalues.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let inverse = eigen.eigenvalues.map(|v| if v > SINGULAR * largest { 1.0 / v } else { 0.0 });
    let result = &eigen.eigenvectors * DMatrix::from_diagonal(&inverse) * eigen.eigenvectors.transpose();
    a.copy_from_slice(result.as_slice());
    true
}
