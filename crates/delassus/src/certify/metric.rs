//! Claims in the kinetic metric: restitution as a matrix, an imposed tangential velocity,
//! and when the energy cannot grow under them, known before the impact.
//!
//! ```text
//! T⁺ − T⁻ = ½ q̇_normᵀ (E_nᵀA⁻¹E_n − A⁻¹) q̇_norm + ½ q̇_tanᵀ (E_tanᵀE_tan − I) q̇_tan
//! ```
//!
//! The first part is not positive for any velocity iff σ_max(A^{−1/2}E_nA^{1/2}) ≤ 1,
//! and for q̇_norm ≤ 0 iff A⁻¹ − E_nᵀA⁻¹E_n is copositive. ([BZL 2012, Proposition 1] asks
//! for the eigenvalues of a symmetric E_n instead, which is not enough.)

use nalgebra::{DMatrix, DVector};

use super::Theorem;
use crate::claim::{Claim, ElementClaim, NumberOrMatrix, TangentialClaim};
use crate::metric::{KineticMetric, independent};
use crate::outcome::ImpactOutcome;
use crate::problem::{ElementKind, ImpactProblem};

/// A bound counts as kept up to this much: round-off.
const ROUNDING: f64 = 1e-12;

/// Most contacts for the test of copositivity, which visits 2^m subsets.
const MOST: usize = 10;

/// The largest violation, relative to `speed` = √(2T*), of the relations that are claimed in
/// the kinetic metric; `None` where there is no such metric.
pub(super) fn residual(problem: &ImpactProblem, claim: &Claim, outcome: &ImpactOutcome, speed: f64) -> Option<f64> {
    let metric = KineticMetric::new(problem).ok()?;
    let mut worst = 0.0f64;
    let contacts = problem.contacts();
    let normalised = |gamma: &[f64], i: usize| gamma[contacts[i].normal] / metric.scale(i);
    for i in 0..contacts.len() {
        if claim.elements().get(contacts[i].element) == Some(&ElementClaim::Matrix) {
            let before = |j: usize| entry(&claim.matrix, i, j) * normalised(&outcome.gamma_minus, j);
            let claimed = -(0..contacts.len()).map(before).sum::<f64>();
            worst = super::residuals::worse(worst, (normalised(&outcome.gamma_plus, i) - claimed).abs() / speed);
        }
    }
    if let Some(tangential) = &claim.tangential {
        let basis = basis(&metric, tangential, problem.coordinates());
        let before = components(problem, &basis, problem.u_minus());
        let after = components(problem, &basis, &outcome.u_plus);
        let wanted = matrix(tangential, basis.ncols()) * before;
        for (after, wanted) in after.iter().zip(wanted.iter()) {
            worst = super::residuals::worse(worst, (after + wanted).abs() / speed);
        }
    }
    Some(worst)
}

/// The theorem on E_n (and E_tan) that applies, if any; none is known with friction.
pub(super) fn theorem(problem: &ImpactProblem, claim: &Claim) -> Theorem {
    find(problem, claim).unwrap_or(Theorem::None)
}

fn find(problem: &ImpactProblem, claim: &Claim) -> Option<Theorem> {
    let m = problem.contacts().len();
    let mut matrix = DMatrix::zeros(m, m);
    for (element, inclusion) in problem.elements().iter().zip(claim.elements()) {
        match (element.kind, *inclusion, element.contact) {
            (ElementKind::Normal, ElementClaim::Velocity { restitution }, Some(i)) => matrix[(i, i)] = restitution,
            (ElementKind::Normal, ElementClaim::Matrix, Some(i)) => {
                (0..m).for_each(|j| matrix[(i, j)] = entry(&claim.matrix, i, j));
            }
            (ElementKind::Friction, ElementClaim::NoImpulse, _) => {}
            (ElementKind::Friction, ElementClaim::Nothing, _) if claim.tangential.is_some() => {}
            (ElementKind::Joint, ElementClaim::Velocity { restitution: 0.0 }, _) => {}
            _ => return None,
        }
    }
    let metric = KineticMetric::new(problem).ok()?;
    if let Some(tangential) = &claim.tangential {
        let size = basis(&metric, tangential, problem.coordinates()).ncols();
        if size > 0 && self::matrix(tangential, size).singular_values().max() > 1.0 + ROUNDING {
            return None;
        }
    }
    if m == 0 {
        return Some(Theorem::Contraction);
    }
    let gram = independent(DMatrix::from_fn(m, m, |i, j| metric.gram(i, j)))?;
    if contraction(&gram.l(), &matrix)? <= 1.0 + ROUNDING {
        return Some(Theorem::Contraction);
    }
    let gamma = problem.gamma_minus();
    let before = DVector::from_fn(m, |i, _| gamma[problem.contacts()[i].normal] / metric.scale(i));
    if m > MOST || before.max() > ROUNDING * before.amax() {
        return None;
    }
    let inverse = gram.inverse();
    let difference = &inverse - matrix.tr_mul(&(&inverse * &matrix));
    // Measured against A⁻¹, of which it is a difference.
    copositive(&difference, ROUNDING * inverse.amax()).then_some(Theorem::Copositive)
}

/// σ_max(A^{−1/2}E_nA^{1/2}): with A = LLᵀ, A^{1/2} = LQ for a rotation Q, so L⁻¹EL has the same
/// singular values.
fn contraction(lower: &DMatrix<f64>, matrix: &DMatrix<f64>) -> Option<f64> {
    let similar = lower.solve_lower_triangular(&(matrix * lower))?;
    similar.iter().all(|v| v.is_finite()).then(|| similar.singular_values().max())
}

/// Entry (i, j) of a matrix by rows; 0 where there is none.
fn entry(rows: &[Vec<f64>], i: usize, j: usize) -> f64 {
    rows.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0.0)
}

/// The basis t by columns.
fn basis(metric: &KineticMetric, claim: &TangentialClaim, n: usize) -> DMatrix<f64> {
    let columns = claim.basis.clone().unwrap_or_else(|| metric.tangential_basis());
    DMatrix::from_fn(n, columns.len(), |i, k| columns[k].get(i).copied().unwrap_or(0.0))
}

/// E_tan.
fn matrix(claim: &TangentialClaim, size: usize) -> DMatrix<f64> {
    match &claim.matrix {
        NumberOrMatrix::Uniform(e) => DMatrix::identity(size, size) * *e,
        NumberOrMatrix::Full(rows) => DMatrix::from_fn(size, size, |i, j| entry(rows, i, j)),
    }
}

/// q̇_tan = tᵀMu.
fn components(problem: &ImpactProblem, basis: &DMatrix<f64>, u: &[f64]) -> DVector<f64> {
    let mut momentum = vec![0.0; u.len()];
    problem.mass().multiply(u, &mut momentum);
    basis.tr_mul(&DVector::from_vec(momentum))
}

/// S is not copositive iff for some principal submatrix S_I x = −1 has a
/// solution x ≥ 0: for a smallest submatrix that is not copositive S_I⁻¹ ≤ 0
/// (Hadeler 1983), and conversely xᵀS_I x = −Σx < 0.
fn copositive(matrix: &DMatrix<f64>, tolerance: f64) -> bool {
    let size = matrix.nrows();
    (1_usize..1 << size).all(|subset| {
        let rows: Vec<usize> = (0..size).filter(|i| subset >> i & 1 == 1).collect();
        let part = DMatrix::from_fn(rows.len(), rows.len(), |i, j| matrix[(rows[i], rows[j])]);
        let Some(x) = part.clone().lu().solve(&DVector::from_element(rows.len(), -1.0)) else { return true };
        let most = x.amax();
        // Entries that are negative by rounding only count as zero; the sign of the form decides.
        let witness = x.map(|v| if v.abs() <= 1e-9 * most { 0.0 } else { v });
        witness.min() < 0.0 || witness.dot(&(&part * &witness)) >= -tolerance * witness.norm_squared()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_copositive(size: usize, entries: &[f64]) -> bool {
        let matrix = DMatrix::from_row_slice(size, size, entries);
        copositive(&matrix, ROUNDING * matrix.amax())
    }

    #[test]
    fn copositive_matrices() {
        assert!(is_copositive(1, &[0.0]));
        assert!(!is_copositive(1, &[-1e-3]));
        assert!(is_copositive(2, &[1.0, -1.0, -1.0, 1.0]));
        assert!(!is_copositive(2, &[1.0, -1.001, -1.001, 1.0]));
        assert!(is_copositive(2, &[0.0, 5.0, 5.0, 0.0]));
        assert!(!is_copositive(2, &[0.0, -1e-3, -1e-3, 1.0]));
        // Off by rounding only, which makes it regular: zero still.
        assert!(is_copositive(2, &[1.0, -1.0 - 1e-14, -1.0 - 1e-14, 1.0]));
        assert!(is_copositive(3, &[1.0, -0.5, -0.5, -0.5, 1.0, -0.5, -0.5, -0.5, 1.0 - 1e-14]));
        // Horn's matrix: copositive, neither semidefinite nor a sum with a non-negative matrix.
        let sign = |k: usize| if matches!((k / 5 + 5 - k % 5) % 5, 1 | 4) { -1.0 } else { 1.0 };
        let horn: Vec<f64> = (0..25).map(sign).collect();
        assert!(is_copositive(5, &horn));
        let spoiled: Vec<f64> = horn.iter().enumerate().map(|(k, v)| if k % 6 == 0 { v - 1e-3 } else { *v }).collect();
        assert!(!is_copositive(5, &spoiled));
    }

    /// A = (1, ½; ½, 1) and E = (0, 1; 0, 0): A^{−1/2}EA^{1/2} has one singular value, √((A⁻¹)₁₁ A₂₂) = √(4/3).
    #[test]
    fn largest_singular_value() {
        let gram = DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5, 1.0]).cholesky().unwrap();
        let found = contraction(&gram.l(), &DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0])).unwrap();
        assert!((found - (4.0f64 / 3.0).sqrt()).abs() < 1e-15);
        let uniform = contraction(&gram.l(), &(DMatrix::identity(2, 2) * -0.7)).unwrap();
        assert!((uniform - 0.7).abs() < 1e-15);
    }
}
