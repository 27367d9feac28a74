//! Linear equations that may be singular: point of least norm, null space, residual.

use nalgebra::{DMatrix, DVector, SVD};

/// Singular values below this part of the largest count as zero.
const RANK: f64 = 1e-10;

/// All solutions of a linear system in the sense of least squares.
pub(super) struct Solutions {
    /// The one of least norm.
    pub point: DVector<f64>,
    /// Basis of the directions that change nothing (columns); complete for
    /// systems with at least as many equations as unknowns.
    pub null: DMatrix<f64>,
    /// Largest entry of `matrix · point − right`.
    pub residual: f64,
}

/// Solves `matrix · x = right`; `None` only where numbers overflow.
pub(super) fn solve(matrix: DMatrix<f64>, right: &DVector<f64>) -> Option<Solutions> {
    let unknowns = matrix.ncols();
    if matrix.is_empty() {
        let (point, null) = (DVector::zeros(unknowns), DMatrix::identity(unknowns, unknowns));
        return Some(Solutions { point, null, residual: right.amax() });
    }
    if !matrix.iter().chain(right.iter()).all(|v| v.is_finite()) {
        return None;
    }
    let svd = SVD::try_new(matrix.clone(), true, true, f64::EPSILON, 10_000)?;
    let (u, v_t) = (svd.u?, svd.v_t?);
    let cut = RANK * svd.singular_values.amax();
    let mut point = DVector::zeros(unknowns);
    let mut null = Vec::new();
    for (k, &sigma) in svd.singular_values.iter().enumerate() {
        if sigma > cut {
            point.axpy(u.column(k).dot(right) / sigma, &v_t.row(k).transpose(), 1.0);
        } else {
            null.push(v_t.row(k).transpose());
        }
    }
    let null = if null.is_empty() { DMatrix::zeros(unknowns, 0) } else { DMatrix::from_columns(&null) };
    let residual = (matrix * &point - right).amax();
    Some(Solutions { point, null, residual })
}

/// The pseudo-inverse; `None` only where numbers overflow.
pub(super) fn pseudo_inverse(matrix: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let (rows, columns) = matrix.shape();
    let mut inverse = DMatrix::zeros(columns, rows);
    for i in 0..rows {
        let unit = DVector::from_fn(rows, |j, _| if i == j { 1.0 } else { 0.0 });
        inverse.set_column(i, &solve(matrix.clone(), &unit)?.point);
    }
    Some(inverse)
}
