//! The imposed tangential jump q̇_tan⁺ = −E_tan q̇_tan⁻ [BZL 2012, (14)].

use nalgebra::{DMatrix, DVector};

use super::reduce::{AT_REST, Reduced};
use super::{Kinematic, NumberOrMatrix};
use crate::error::{ImpactError, finite};
use crate::metric::KineticMetric;
use crate::problem::ImpactProblem;
use crate::small::singular;

/// A given basis may miss M-orthonormality by this much: numbers copied from
/// a table have six digits.
const ORTHONORMAL: f64 = 1e-6;

/// The tangential basis t (columns) and the matrix E_tan in it.
pub(super) struct Imposed {
    basis: DMatrix<f64>,
    pub matrix: DMatrix<f64>,
}

impl Imposed {
    /// Reads basis and matrix, checked against the problem.
    pub fn new(law: &Kinematic, given: &NumberOrMatrix, problem: &ImpactProblem) -> Result<Self, ImpactError> {
        let n = problem.coordinates();
        let metric = KineticMetric::new(problem)?;
        let ours = metric.tangential_basis();
        let count = ours.len();
        let columns = match &law.tangential_basis {
            None => ours,
            Some(columns) => {
                check_basis(columns, count, problem, &metric)?;
                columns.clone()
            }
        };
        let basis = DMatrix::from_fn(n, count, |i, k| columns[k][i]);
        let matrix = match given {
            NumberOrMatrix::Uniform(e) => {
                DMatrix::identity(count, count) * finite(|| "law.tangential_matrix".into(), *e)?
            }
            NumberOrMatrix::Full(rows) => super::square("law.tangential_matrix", rows, count, "tangential direction")?,
        };
        Ok(Self { basis, matrix })
    }

    /// tᵀx for a generalized impulse or momentum x.
    fn component(&self, x: &[f64]) -> DVector<f64> {
        self.basis.tr_mul(&DVector::from_column_slice(x))
    }

    /// q̇_tan = tᵀMu.
    pub fn tangential(&self, problem: &ImpactProblem, u: &[f64]) -> DVector<f64> {
        let mut momentum = vec![0.0; u.len()];
        problem.mass().multiply(u, &mut momentum);
        self.component(&momentum)
    }

    /// x̂_T of least norm in Λ_T that gives the jump, or `None` where the
    /// tangents cannot: tᵀW_TΛ_T = −(E_tan + I)q̇_tan⁻ − tᵀF.
    pub fn impulses(&self, problem: &ImpactProblem, reduced: &Reduced) -> Option<DVector<f64>> {
        let before = self.tangential(problem, problem.u_minus());
        let mut jump = -(&self.matrix * &before) - &before;
        if let Some(external) = problem.external_impulse() {
            jump -= self.component(external);
        }
        let (m, k) = (reduced.normals, reduced.len() - reduced.normals);
        let mut directions = DMatrix::zeros(self.basis.ncols(), k);
        for j in 0..k {
            let mut w = vec![0.0; problem.coordinates()];
            problem.directions().add_to(reduced.rows[m + j], 1.0, &mut w);
            directions.set_column(j, &self.component(&w));
        }
        let solved = singular::solve(directions, &jump, reduced.scale.amax())?;
        let size = jump.amax().max(AT_REST * before.amax());
        (solved.residual <= AT_REST * size).then(|| solved.point.component_mul(&reduced.scale.rows(m, k)))
    }
}

fn check_basis(
    columns: &[Vec<f64>],
    count: usize,
    problem: &ImpactProblem,
    metric: &KineticMetric,
) -> Result<(), ImpactError> {
    let n = problem.coordinates();
    let field = "law.tangential_basis";
    if columns.len() != count {
        let given = format!("{} columns", columns.len());
        return Err(ImpactError::wrong_size(
            field,
            given,
            format!(
                "needs {count}, one for each direction that normals and joints leave; each list is one column of {n} entries"
            ),
        ));
    }
    for (k, column) in columns.iter().enumerate() {
        if column.len() != n || !column.iter().all(|v| v.is_finite()) {
            return Err(ImpactError::wrong_size(
                format!("{field}[{k}]"),
                format!("{column:?}"),
                format!("needs {n} finite entries"),
            ));
        }
    }
    for (k, column) in columns.iter().enumerate() {
        let split = metric.split(column)?;
        // In our orthonormal basis an admissible column is a unit vector with no normal part.
        let tangential = DVector::from_vec(split.tangential);
        let mut worst = split.normal.iter().fold(0.0_f64, |w, v| w.max(v.abs()));
        for (j, other) in columns.iter().enumerate().take(k + 1) {
            let product = tangential.dot(&DVector::from_vec(metric.split(other)?.tangential));
            worst = worst.max((product - if j == k { 1.0 } else { 0.0 }).abs());
        }
        worst = worst.max((2.0 * problem.mass().energy(column) - 1.0).abs());
        if worst > ORTHONORMAL {
            let problem = "must be M-orthonormal, and M-orthogonal to the normals and joints";
            return Err(ImpactError::new(format!("{field}[{k}]"), format!("{column:?}"), problem));
        }
    }
    Ok(())
}
