//! The impact equations of the contacts alone, joints eliminated, every row normalised.
//!
//! ```text
//! γ⁺ = H x + h        H = G − G_·J G_JJ⁺ G_J·        h = γ⁻ + f − G_·J G_JJ⁺ (γ_J⁻ + f_J)        f = WᵀM⁻¹F
//! γ̂ = γ/s,   x̂ = s x,   Ĥ_ij = H_ij/(s_i s_j),   s_i = √H_ii
//! ```
//!
//! For the normals γ̂ is q̇_norm and Ĥ is A of the kinetic metric. Free of units.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use crate::metric::{DEPENDENT, independent};
use crate::problem::{ElementKind, ImpactProblem};
use crate::solve::normal_form::{NormalForm, Units};
use crate::solve::tolerance::BLOCKED;

/// Velocities count as zero below this part of the largest.
pub(super) const AT_REST: f64 = 1e-9;

/// The normalised equations γ̂⁺ = Ĥx̂ + ĥ; rows are the normals in order, then
/// the tangents contact by contact.
pub(super) struct Reduced {
    /// Number of normals m.
    pub normals: usize,
    /// Row of the problem, per row here.
    pub rows: Vec<usize>,
    /// Contact, per row here.
    pub contact: Vec<usize>,
    /// s.
    pub scale: DVector<f64>,
    /// Ĥ.
    pub matrix: DMatrix<f64>,
    /// ĥ: γ̂⁺ without contact impulses.
    pub free: DVector<f64>,
    /// γ̂⁻.
    pub before: DVector<f64>,
    /// Cholesky factor of A = Ĥ_NN.
    pub gram: Cholesky<f64, Dyn>,
    /// The same before its rows were normalised again; empty for a part.
    form: NormalForm,
}

impl Reduced {
    /// Reduces a problem, or says why the law does not cover it.
    pub fn new(problem: &ImpactProblem) -> Result<Self, String> {
        let contacts = problem.contacts();
        let mut rows: Vec<usize> = contacts.iter().map(|c| c.normal).collect();
        let mut contact: Vec<usize> = (0..contacts.len()).collect();
        for (i, c) in contacts.iter().enumerate() {
            rows.extend(c.tangents.clone());
            contact.extend(c.tangents.clone().map(|_| i));
        }
        let g = problem.operator();
        let gamma = problem.gamma_minus();
        let change = |row: usize| problem.external_relative_change().map_or(0.0, |f| f[row]);
        let mut form = NormalForm::default();
        form.units.read((0..problem.rows()).map(|row| g.get(row, row)));
        form.units.measure((0..problem.rows()).map(|row| gamma[row] + change(row)), 1.0);
        form.joints = joints_at_rest(problem, &form.units)?;
        form.kept.clone_from(&rows);
        // Joints are at rest before the impact, so that redundant ones cannot contradict each other.
        form.reduce(|i, j| g.get(i, j), |i| gamma[i] + change(i));
        if !form.matrix.iter().chain(&form.vector).all(|v| v.is_finite()) {
            return Err("numbers overflow in the joints".into());
        }

        let k = rows.len();
        // What the joints leave of each row, relative to all of it.
        let mut left = DVector::zeros(k);
        for i in 0..k {
            let square = form.matrix[i * (k + 1)];
            let blocked = square <= DEPENDENT;
            if blocked && i < contacts.len() {
                return Err(format!("the joints leave the normal of contact {} no freedom", contacts[i].name));
            }
            // A blocked tangent never moves; any scale serves.
            left[i] = if blocked { 1.0 } else { square.sqrt() };
        }
        let matrix = DMatrix::from_fn(k, k, |i, j| form.matrix[i * k + j] / (left[i] * left[j]));
        let free = DVector::from_fn(k, |i, _| form.units.speed * form.vector[i] / left[i]);
        let scale = DVector::from_fn(k, |i, _| form.units.size[rows[i]] * left[i]);
        let before = DVector::from_fn(k, |i, _| gamma[rows[i]] / scale[i]);
        let m = contacts.len();
        let gram = independent(matrix.view((0, 0), (m, m)).into_owned())
            .ok_or("the normals of the contacts depend on each other, so the law does not determine the impulses")?;
        Ok(Self { normals: m, rows, contact, scale, matrix, free, before, gram, form })
    }

    /// The equations of some contacts alone, which nothing couples to the others; `rows` are their rows here, normals
    /// first. The joints stay with the whole.
    pub fn part(&self, rows: &[usize]) -> Option<Self> {
        let pick = |v: &DVector<f64>| DVector::from_iterator(rows.len(), rows.iter().map(|&i| v[i]));
        let normals = rows.iter().filter(|&&i| i < self.normals).count();
        let matrix = DMatrix::from_fn(rows.len(), rows.len(), |i, j| self.matrix[(rows[i], rows[j])]);
        Some(Self {
            normals,
            rows: rows.iter().map(|&i| self.rows[i]).collect(),
            contact: rows.iter().map(|&i| self.contact[i]).collect(),
            scale: pick(&self.scale),
            free: pick(&self.free),
            before: pick(&self.before),
            gram: independent(matrix.view((0, 0), (normals, normals)).into_owned())?,
            matrix,
            form: NormalForm::default(),
        })
    }

    /// Whether the normals are so far from depending on each other that errors within the certified tolerance do not
    /// move the velocities between them noticeably.
    pub fn sees_all_motion(&self) -> bool {
        self.gram.l_dirty().diagonal().iter().all(|pivot| pivot * pivot >= BLOCKED)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// x̂_N for given normal velocities γ̂_N⁺ and tangential impulses x̂_T.
    pub fn normal_impulses(&self, after: &DVector<f64>, tangential: &DVector<f64>) -> DVector<f64> {
        let (m, k) = (self.normals, self.len() - self.normals);
        let coupling = self.matrix.view((0, m), (m, k));
        self.gram.solve(&(after - self.free.rows(0, m) - coupling * tangential))
    }

    /// The largest normalised velocity in the problem, the measure of what is small.
    pub fn speed(&self, after: &DVector<f64>) -> f64 {
        self.before.amax().max(self.free.amax()).max(after.amax())
    }

    /// Writes Λ of all rows from x̂.
    pub fn write(&self, x: &DVector<f64>, impulses: &mut [f64]) {
        let units = &self.form.units;
        let physical = x.component_div(&self.scale);
        let scaled: Vec<f64> =
            self.rows.iter().zip(physical.iter()).map(|(&row, x)| x * units.size[row] / units.speed).collect();
        self.form.write_back(&scaled, impulses);
    }
}

/// The rows of the joints, or which of them moves before the impact.
fn joints_at_rest(problem: &ImpactProblem, units: &Units) -> Result<Vec<usize>, String> {
    let gamma = problem.gamma_minus();
    let speed = units.largest(gamma.iter().copied()).max((2.0 * problem.mass().energy(problem.u_minus())).sqrt());
    let mut rows = Vec::new();
    for element in problem.elements().iter().filter(|e| e.kind == ElementKind::Joint) {
        if element.rows.clone().any(|row| gamma[row].abs() * units.inverse[row] > AT_REST * speed) {
            return Err(format!("joint {} moves before the impact, and joints are rigid here", element.name));
        }
        rows.extend(element.rows.clone());
    }
    Ok(rows)
}
