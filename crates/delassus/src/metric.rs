//! The kinetic metric: normals, angles and the normal/tangential split of velocities.
//!
//! ```text
//! ⟨x, y⟩ = xᵀMy          n_i = P w_i / √(w_iᵀP w_i)          A = nᵀMn
//! θ_ij = π − arccos(n_iᵀMn_j)
//! q̇_norm = nᵀMu         q̇_tan = tᵀMu         u = n A⁻¹ q̇_norm + t q̇_tan
//! ```
//!
//! w_i is the normal direction of contact i [BZL 2012, §2.2]. Without joints P = M⁻¹.
//! Joints restrict u to the subspace W_Jᵀu = 0, and everything lives in it:
//! P = M⁻¹ − M⁻¹W_J(W_JᵀM⁻¹W_J)⁺W_JᵀM⁻¹. The columns of t are M-orthonormal and
//! M-orthogonal to the normals and to what the joints forbid.

use nalgebra::{DMatrix, DVector};

use crate::budget::Budget;
use crate::elementary::Elementary;
use crate::error::ImpactError;
use crate::mass::Mass;
use crate::problem::{ElementKind, ImpactProblem};

/// A vector is dependent on others when this much of it, or less, is left
/// after projection (squared M-norm, relative): round-off of 1e-16 times a
/// condition number of 1e4.
pub(crate) const DEPENDENT: f64 = 1e-12;

/// The kinetic metric of a problem's contacts; see the equations above.
#[derive(Debug, Clone)]
pub struct KineticMetric {
    /// M = HᵀH: y = Hu has the Euclidean metric.
    mass: Mass,
    /// Hn: unit columns (n × m).
    normals: DMatrix<f64>,
    /// Ht: orthonormal columns.
    tangents: DMatrix<f64>,
    names: Vec<String>,
    scale: Vec<f64>,
}

/// A velocity split in the kinetic metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// q̇_norm, one entry per contact; negative approaches \[√J\].
    pub normal: Vec<f64>,
    /// q̇_tan, one entry per column of the tangential basis \[√J\].
    pub tangential: Vec<f64>,
}

impl KineticMetric {
    /// The metric of all contacts of a problem, with the joints projected out.
    ///
    /// # Errors
    /// A contact whose normal direction the joints block altogether.
    pub fn new(problem: &ImpactProblem) -> Result<Self, ImpactError> {
        Self::new_within(problem, &mut Budget::unlimited())
    }

    /// As [`new`](Self::new), but asks now and then whether to stop: thousands of coordinates take seconds.
    ///
    /// # Errors
    /// As there; the end of the budget, of the kind [`Stopped`](crate::ErrorKind::Stopped).
    pub fn new_within(problem: &ImpactProblem, budget: &mut Budget<'_>) -> Result<Self, ImpactError> {
        let n = problem.coordinates();
        let column = |row: usize| {
            let mut w = DVector::zeros(n);
            problem.directions().add_to(row, 1.0, w.as_mut_slice());
            problem.mass().half_direction(w.as_mut_slice());
            w
        };
        let mut span = Span { basis: Vec::new(), budget };
        for element in problem.elements().iter().filter(|e| e.kind == ElementKind::Joint) {
            for row in element.rows.clone() {
                span.add(column(row))?;
            }
        }
        let mut normals = DMatrix::zeros(n, problem.contacts().len());
        let (mut names, mut scale) = (Vec::new(), Vec::new());
        for (i, contact) in problem.contacts().iter().enumerate() {
            let w = column(contact.normal);
            let rest = span.reject(&w)?;
            if rest.norm_squared() <= DEPENDENT * w.norm_squared() {
                return Err(ImpactError::new(
                    format!("contact[{i}].normal"),
                    &contact.name,
                    "the joints leave this direction no freedom",
                ));
            }
            scale.push(rest.norm());
            normals.set_column(i, &rest.normalize());
            names.push(contact.name.clone());
        }
        for i in 0..normals.ncols() {
            span.add(normals.column(i).into_owned())?;
        }
        Ok(Self { mass: problem.mass().clone(), normals, tangents: span.complement(n)?, names, scale })
    }

    /// Number of contacts m.
    pub fn contacts(&self) -> usize {
        self.normals.ncols()
    }

    /// Names of the contacts, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// √(w_iᵀP w_i): γ_i = this times q̇_norm,i (for supports at rest).
    pub fn scale(&self, contact: usize) -> f64 {
        self.scale[contact]
    }

    /// The unit normal n_i in generalized velocities (n).
    pub fn normal(&self, contact: usize) -> Vec<f64> {
        self.velocity(self.normals.column(contact).into_owned())
    }

    /// A_ij = n_iᵀMn_j; the diagonal is 1.
    pub fn gram(&self, i: usize, j: usize) -> f64 {
        self.normals.column(i).dot(&self.normals.column(j))
    }

    /// The kinetic angle θ_ij = π − arccos(n_iᵀMn_j) \[rad\] [BZL 2012, (9)], to full
    /// accuracy also near 0 and π. Dependent normals are no obstacle.
    pub fn angle(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.normals.column(i), self.normals.column(j));
        // Kahan: the angle between unit vectors is 2 atan2(|a − b|, |a + b|).
        // Four sums each, which need not wait for each other.
        let (mut sums, mut differences) = ([0.0; 4], [0.0; 4]);
        for (k, (a, b)) in a.iter().zip(b.iter()).enumerate() {
            sums[k % 4] += (a + b) * (a + b);
            differences[k % 4] += (a - b) * (a - b);
        }
        let length = |parts: [f64; 4]| parts.iter().sum::<f64>().sqrt();
        2.0 * length(sums).arctangent2(length(differences))
    }

    /// The tangential basis t: M-orthonormal columns (n entries each).
    ///
    /// Deterministic: with M = LDLᵀ, the unit vectors of y = √D Lᵀu that stick out
    /// furthest from the span of normals, joints and the vectors found so far,
    /// first come first. A planar block with free x has t = (1/√m, 0, 0).
    pub fn tangential_basis(&self) -> Vec<Vec<f64>> {
        (0..self.tangents.ncols()).map(|k| self.velocity(self.tangents.column(k).into_owned())).collect()
    }

    /// Splits a velocity u (n entries): q̇_norm = nᵀMu and q̇_tan = tᵀMu.
    ///
    /// # Errors
    /// Wrong length.
    pub fn split(&self, u: &[f64]) -> Result<Split, ImpactError> {
        let n = self.mass.size();
        if u.len() != n {
            return Err(ImpactError::wrong_size(
                "velocity",
                format!("{} entries", u.len()),
                format!("needs {n} entries"),
            ));
        }
        let mut y = DVector::from_column_slice(u);
        self.mass.half(y.as_mut_slice());
        let normal = self.normals.tr_mul(&y).as_slice().to_vec();
        Ok(Split { normal, tangential: self.tangents.tr_mul(&y).as_slice().to_vec() })
    }

    /// u = n A⁻¹ q̇_norm + t q̇_tan: the velocity that respects the joints and
    /// has this split.
    ///
    /// # Errors
    /// Wrong lengths; dependent normals, for which A has no inverse.
    pub fn reconstruct(&self, split: &Split) -> Result<Vec<f64>, ImpactError> {
        let (m, k) = (self.normals.ncols(), self.tangents.ncols());
        if split.normal.len() != m || split.tangential.len() != k {
            let given = format!("{} and {} entries", split.normal.len(), split.tangential.len());
            return Err(ImpactError::wrong_size(
                "split",
                given,
                format!("needs {m} normal and {k} tangential entries"),
            ));
        }
        let gram = self.normals.tr_mul(&self.normals);
        let Some(factor) = independent(gram) else {
            let names = self.names.join(", ");
            return Err(ImpactError::new("contact", names, "the normals depend on each other, A has no inverse"));
        };
        let normal = factor.solve(&DVector::from_column_slice(&split.normal));
        let y = &self.normals * normal + &self.tangents * DVector::from_column_slice(&split.tangential);
        Ok(self.velocity(y))
    }

    /// u = H⁻¹y.
    fn velocity(&self, mut y: DVector<f64>) -> Vec<f64> {
        self.mass.undo_half(y.as_mut_slice());
        y.as_slice().to_vec()
    }
}

/// The Cholesky factor of a matrix with unit diagonal, or `None` where its
/// rows are dependent to rounding.
pub(crate) fn independent(gram: DMatrix<f64>) -> Option<nalgebra::Cholesky<f64, nalgebra::Dyn>> {
    let factor = gram.cholesky()?;
    let pivots = factor.l_dirty().diagonal();
    pivots.iter().all(|p| p * p > DEPENDENT).then_some(factor)
}

/// An orthonormal basis that grows.
struct Span<'a, 'b> {
    basis: Vec<DVector<f64>>,
    budget: &'a mut Budget<'b>,
}

impl Span<'_, '_> {
    /// What is left of `v` outside the span; twice, against cancellation.
    fn reject(&mut self, v: &DVector<f64>) -> Result<DVector<f64>, ImpactError> {
        if !self.budget.work((4 * self.basis.len() * v.len()) as f64) {
            return Err(self.budget.stopped("contact"));
        }
        let mut rest = v.clone();
        for _ in 0..2 {
            for b in &self.basis {
                let along = b.dot(&rest);
                rest.axpy(-along, b, 1.0);
            }
        }
        Ok(rest)
    }

    fn add(&mut self, v: DVector<f64>) -> Result<(), ImpactError> {
        let rest = self.reject(&v)?;
        if rest.norm_squared() > DEPENDENT * v.norm_squared() {
            self.basis.push(rest.normalize());
        }
        Ok(())
    }

    /// An orthonormal basis of the complement in ℝⁿ, as columns.
    fn complement(mut self, n: usize) -> Result<DMatrix<f64>, ImpactError> {
        let inside = self.basis.len();
        // Squared length of each unit vector's part outside the span.
        let mut left: Vec<f64> = (0..n).map(|i| 1.0 - self.basis.iter().map(|b| b[i] * b[i]).sum::<f64>()).collect();
        while self.basis.len() < n {
            let most = left.iter().copied().fold(0.0, f64::max);
            // The first among equals to rounding, so that ties do not depend on the last bit.
            let Some(i) = left.iter().position(|&l| l >= most * (1.0 - 1e-9)) else { break };
            let mut unit = DVector::zeros(n);
            unit[i] = 1.0;
            let t = self.reject(&unit)?.normalize();
            left.iter_mut().zip(t.iter()).for_each(|(l, v)| *l -= v * v);
            self.basis.push(t);
        }
        let mut columns = DMatrix::zeros(n, self.basis.len() - inside);
        for (k, t) in self.basis[inside..].iter().enumerate() {
            columns.set_column(k, t);
        }
        Ok(columns)
    }
}
