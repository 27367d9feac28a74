//! The impact equations of the contacts alone, joints eliminated, every row normalised.
//!
//! ```text
//! γ⁺ = H x + h        H = G − G_·J G_JJ⁺ G_J·        h = γ⁻ + f − G_·J G_JJ⁺ (γ_J⁻ + f_J)        f = WᵀM⁻¹F
//! γ̂ = γ/s,   x̂ = s x,   Ĥ_ij = H_ij/(s_i s_j),   s_i = √H_ii
//! ```
//!
//! For the normals γ̂ is q̇_norm and Ĥ is A of the kinetic metric. Free of units.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::linear;
use crate::metric::{DEPENDENT, independent};
use crate::problem::{ElementKind, ImpactProblem};

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
    joints: Joints,
}

/// Λ_J = −(coupling x + free).
struct Joints {
    rows: Vec<usize>,
    coupling: DMatrix<f64>,
    free: DVector<f64>,
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
        let joints = Joints::new(problem, &rows)?;

        let k = rows.len();
        let mut matrix = DMatrix::from_fn(k, k, |i, j| g.get(rows[i], rows[j]));
        let mut free = DVector::from_fn(k, |i, _| gamma[rows[i]] + change(rows[i]));
        let cross = DMatrix::from_fn(k, joints.rows.len(), |i, j| g.get(rows[i], joints.rows[j]));
        matrix -= &cross * &joints.coupling;
        free -= &cross * &joints.free;

        let mut scale = DVector::zeros(k);
        for i in 0..k {
            let whole = g.get(rows[i], rows[i]);
            let blocked = matrix[(i, i)] <= DEPENDENT * whole;
            if blocked && i < contacts.len() {
                return Err(format!("the joints leave the normal of contact {} no freedom", contacts[i].name));
            }
            // A blocked tangent never moves; any scale serves.
            scale[i] = if blocked { whole } else { matrix[(i, i)] }.sqrt();
        }
        for i in 0..k {
            for j in 0..k {
                matrix[(i, j)] /= scale[i] * scale[j];
            }
            free[i] /= scale[i];
        }
        let before = DVector::from_fn(k, |i, _| gamma[rows[i]] / scale[i]);
        let m = contacts.len();
        let gram = independent(matrix.view((0, 0), (m, m)).into_owned())
            .ok_or("the normals of the contacts depend on each other, so the law does not determine the impulses")?;
        Ok(Self { normals: m, rows, contact, scale, matrix, free, before, gram, joints })
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
            joints: Joints { rows: Vec::new(), coupling: DMatrix::zeros(0, rows.len()), free: DVector::zeros(0) },
        })
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
        let physical = x.component_div(&self.scale);
        for (&row, &value) in self.rows.iter().zip(physical.iter()) {
            impulses[row] = value;
        }
        let joint = &self.joints.coupling * physical + &self.joints.free;
        for (&row, &value) in self.joints.rows.iter().zip(joint.iter()) {
            impulses[row] = -value;
        }
    }
}

impl Joints {
    fn new(problem: &ImpactProblem, rows: &[usize]) -> Result<Self, String> {
        let elements = problem.elements().iter().filter(|e| e.kind == ElementKind::Joint);
        let joints: Vec<usize> = elements.flat_map(|e| e.rows.clone()).collect();
        let g = problem.operator();
        let gamma = problem.gamma_minus();
        let count = joints.len();
        if count == 0 {
            return Ok(Self { rows: joints, coupling: DMatrix::zeros(0, rows.len()), free: DVector::zeros(0) });
        }
        let size = |row: usize| g.get(row, row).sqrt();
        let speed = (0..problem.rows()).map(|row| gamma[row].abs() / size(row)).fold(0.0, f64::max);
        let speed = speed.max((2.0 * problem.mass().energy(problem.u_minus())).sqrt());
        for element in problem.elements().iter().filter(|e| e.kind == ElementKind::Joint) {
            if element.rows.clone().any(|row| gamma[row].abs() / size(row) > AT_REST * speed) {
                return Err(format!("joint {} moves before the impact, and joints are rigid here", element.name));
            }
        }
        // G_JJ⁺ of the normalised matrix: joints may be redundant.
        let normalised =
            DMatrix::from_fn(count, count, |i, j| g.get(joints[i], joints[j]) / (size(joints[i]) * size(joints[j])));
        let inverse = linear::pseudo_inverse(&normalised).ok_or("numbers overflow in the joints")?;
        let inverse = DMatrix::from_fn(count, count, |i, j| inverse[(i, j)] / (size(joints[i]) * size(joints[j])));
        let coupling = DMatrix::from_fn(count, rows.len(), |i, j| g.get(joints[i], rows[j]));
        let change = problem.external_relative_change();
        let free = DVector::from_fn(count, |i, _| gamma[joints[i]] + change.map_or(0.0, |f| f[joints[i]]));
        Ok(Self { coupling: &inverse * coupling, free: inverse * free, rows: joints })
    }
}
