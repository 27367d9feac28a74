//! Linear equations that may be singular: point of least norm, null space, residual.
//!
//! By one-sided Jacobi rotations: A V = U with orthogonal columns of U, whose
//! lengths are the singular values. Accurate to rounding, which decisions
//! between stick and slip need, and as fast as any for a few unknowns.

use crate::elementary::Elementary;
use nalgebra::{DMatrix, DVector};

/// Singular values below this part of the largest, or of the size of the
/// numbers that the matrix was computed from, count as zero.
const RANK: f64 = 1e-10;

/// All solutions of a linear system in the sense of least squares.
pub(crate) struct SolutionSet {
    /// The one of least norm.
    pub point: DVector<f64>,
    /// Orthonormal basis of the directions that change nothing (columns).
    pub null: DMatrix<f64>,
    /// Largest entry of `matrix · point − right`.
    pub residual: f64,
    /// Smallest singular value that counts, relative to the largest and to `size`; one where there is none.
    pub weakest: f64,
}

/// Solves `matrix · x = right`, where `size` is that of the numbers whose sums
/// the entries are (0: as large as the entries); `None` only where numbers overflow.
pub(crate) fn solve(matrix: DMatrix<f64>, right: &DVector<f64>, size: f64) -> Option<SolutionSet> {
    let decomposed = Jacobi::new(&matrix, size)?;
    let point = &decomposed.v * DVector::from_fn(matrix.ncols(), |k, _| decomposed.along(k, right));
    let null: Vec<usize> = (0..matrix.ncols()).filter(|&k| decomposed.inverse(k) == 0.0).collect();
    let residual = (matrix * &point - right).amax();
    let largest = decomposed.sigma.amax().max(size);
    let counted = decomposed.sigma.iter().filter(|s| **s > decomposed.cut);
    let weakest = counted.fold(1.0, |w: f64, s| w.min(s / largest));
    residual.is_finite().then(|| SolutionSet { point, null: decomposed.v.select_columns(&null), residual, weakest })
}

/// The pseudo-inverse; `None` only where numbers overflow.
pub(crate) fn pseudo_inverse(matrix: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let mut decomposed = Jacobi::new(matrix, 0.0)?;
    for k in 0..matrix.ncols() {
        let factor = decomposed.inverse(k).powi(2);
        decomposed.u.column_mut(k).scale_mut(factor);
    }
    Some(decomposed.v * decomposed.u.transpose())
}

/// U = A V with orthogonal columns of U of lengths σ; V orthogonal.
struct Jacobi {
    u: DMatrix<f64>,
    sigma: DVector<f64>,
    v: DMatrix<f64>,
    /// What counts as zero among σ.
    cut: f64,
}

impl Jacobi {
    fn new(matrix: &DMatrix<f64>, size: f64) -> Option<Self> {
        if !matrix.iter().all(|v| v.is_finite()) {
            return None;
        }
        let columns = matrix.ncols();
        let (mut u, mut v) = (matrix.clone(), DMatrix::identity(columns, columns));
        // Columns this short are zero to rounding and would be rotated for ever.
        let negligible = (f64::EPSILON * matrix.norm()).powi(2);
        // Convergence is quadratic; ten sweeps are plenty.
        for _ in 0..30 {
            let mut turned = false;
            for p in 0..columns {
                for q in p + 1..columns {
                    let (a, b) = (u.column(p).norm_squared(), u.column(q).norm_squared());
                    let c = u.column(p).dot(&u.column(q));
                    if c.abs() <= f64::EPSILON * (a * b).sqrt() || a.min(b) <= negligible {
                        continue;
                    }
                    turned = true;
                    let zeta = (b - a) / (2.0 * c);
                    let tan = zeta.signum() / (zeta.abs() + zeta.hypotenuse(1.0));
                    let cos = 1.0 / tan.hypotenuse(1.0);
                    rotate(&mut u, p, q, cos, cos * tan);
                    rotate(&mut v, p, q, cos, cos * tan);
                }
            }
            if !turned {
                break;
            }
        }
        let sigma = DVector::from_fn(columns, |k, _| u.column(k).norm());
        let cut = RANK * sigma.amax().max(size);
        Some(Self { u, sigma, v, cut })
    }

    /// 1/σ_k, or 0 where it counts as zero.
    fn inverse(&self, k: usize) -> f64 {
        if self.sigma[k] > self.cut { 1.0 / self.sigma[k] } else { 0.0 }
    }

    /// Coordinate of the least-norm solution along column k of V.
    fn along(&self, k: usize, right: &DVector<f64>) -> f64 {
        let inverse = self.inverse(k);
        (self.u.column(k).dot(right) * inverse) * inverse
    }
}

/// Turns columns p and q into each other.
fn rotate(matrix: &mut DMatrix<f64>, p: usize, q: usize, cos: f64, sin: f64) {
    for i in 0..matrix.nrows() {
        let (x, y) = (matrix[(i, p)], matrix[(i, q)]);
        matrix[(i, p)] = cos * x - sin * y;
        matrix[(i, q)] = sin * x + cos * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = U diag(10, 1e-3, 0) Vᵀ of rank two, its least-norm solution and null space.
    #[test]
    fn rank_deficient_system() {
        let matrix = DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 2.0, 2.0, 4.0, 4.000001]);
        let exact = DVector::from_vec(vec![3.0, -1.0, 0.5]);
        let solved = solve(matrix.clone(), &(&matrix * &exact), 0.0).unwrap();
        assert!(solved.residual < 1e-15);
        assert_eq!(solved.null.ncols(), 1);
        assert!((&matrix * &solved.null).amax() < 1e-15);
        assert!(solved.null.tr_mul(&solved.point).amax() < 1e-9);
        assert!(solved.point.norm() < exact.norm());
        let inverse = pseudo_inverse(&matrix).unwrap();
        assert!((&matrix * &inverse * &matrix - &matrix).amax() < 1e-9);
    }

    #[test]
    fn empty_and_overflowing_systems() {
        let empty = solve(DMatrix::zeros(0, 2), &DVector::zeros(0), 0.0).unwrap();
        assert_eq!((empty.null.ncols(), empty.residual), (2, 0.0));
        assert_eq!(solve(DMatrix::zeros(1, 0), &DVector::from_element(1, 3.0), 0.0).unwrap().residual, 3.0);
        assert!(solve(DMatrix::from_element(1, 1, f64::NAN), &DVector::zeros(1), 0.0).is_none());
    }
}
