//! When the energy cannot grow, known before the impact.
//!
//! ```text
//! T⁺ − T⁻ = ½ q̇_normᵀ (E_nᵀA⁻¹E_n − A⁻¹) q̇_norm + ½ q̇_tanᵀ (E_tanᵀE_tan − I) q̇_tan
//! ```
//!
//! The first part is not positive for any velocity iff σ_max(A^{−1/2}E_nA^{1/2}) ≤ 1,
//! and for q̇_norm ≤ 0 iff A⁻¹ − E_nᵀA⁻¹E_n is copositive. ([BZL 2012, Proposition 1] asks
//! for the eigenvalues of a symmetric E_n instead, which is not enough.)

use nalgebra::{DMatrix, DVector};

use super::linear::norm;
use super::{Kinematic, Task};
use crate::problem::ImpactProblem;

/// A bound counts as kept up to this much: round-off.
const ROUNDING: f64 = 1e-12;

/// Most contacts for the test of copositivity, which visits 2^m subsets.
const MOST: usize = 10;

/// A theorem that bounds the energy under the kinematic law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KinematicTheorem {
    /// σ_max(A^{−1/2}E_nA^{1/2}) ≤ 1: for every velocity before the impact.
    Contraction,
    /// A⁻¹ − E_nᵀA⁻¹E_n is copositive and no contact separates before the impact.
    Copositive,
}

/// The theorem that applies to a problem, if any. None is known with Coulomb
/// friction, with an external impulse, or for the forms.
pub fn energy_theorem(problem: &ImpactProblem, law: &Kinematic) -> Option<KinematicTheorem> {
    if problem.external_impulse().is_some() {
        return None;
    }
    let (reduced, task) = law.prepare(problem).ok()?;
    let matrix = match &task {
        Task::Smooth(matrix) => matrix,
        Task::Imposed(matrix, imposed) if norm(&imposed.matrix)? <= 1.0 + ROUNDING => matrix,
        Task::Imposed(..) | Task::Rough(..) | Task::Form(..) => return None,
    };
    let lower = reduced.gram.l();
    if norm(&lower.solve_lower_triangular(&(matrix * &lower))?)? <= 1.0 + ROUNDING {
        return Some(KinematicTheorem::Contraction);
    }
    let m = reduced.normals;
    let speed = reduced.before.rows(0, m).amax();
    if m > MOST || reduced.before.rows(0, m).max() > ROUNDING * speed {
        return None;
    }
    let inverse = reduced.gram.inverse();
    let difference = &inverse - matrix.tr_mul(&(&inverse * matrix));
    // Measured against A⁻¹, of which it is a difference.
    (copositive(&difference, ROUNDING * inverse.amax())).then_some(KinematicTheorem::Copositive)
}

/// σ_max(A^{−1/2}E_nA^{1/2}) of a problem under the law's E_n: at most 1 iff no
/// velocity before a frictionless impact gains energy. `None` where the law
/// does not apply or has a form instead of E_n.
pub fn largest_singular_value(problem: &ImpactProblem, law: &Kinematic) -> Option<f64> {
    let (reduced, task) = law.prepare(problem).ok()?;
    let (Task::Smooth(matrix) | Task::Imposed(matrix, _) | Task::Rough(matrix, _)) = &task else { return None };
    // With A = LLᵀ, A^{1/2} = LQ for a rotation Q, so L⁻¹EL has the same singular values.
    let lower = reduced.gram.l();
    norm(&lower.solve_lower_triangular(&(matrix * &lower))?)
}

/// Whether xᵀSx ≥ 0 for all x ≥ 0, for a symmetric S given row by row, to
/// rounding relative to its largest entry. Visits all 2ⁿ principal submatrices:
/// `None` for more than ten rows or a wrong number of entries.
pub fn is_copositive(size: usize, entries: &[f64]) -> Option<bool> {
    if size > MOST || entries.len() != size * size {
        return None;
    }
    let matrix = DMatrix::from_row_slice(size, size, entries);
    let tolerance = ROUNDING * matrix.amax();
    Some(copositive(&matrix, tolerance))
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
