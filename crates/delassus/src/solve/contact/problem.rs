//! The problem: a block-sparse matrix, a vector and a law for each contact.

use super::bodies::Sides;
use super::matrix::{BlockMatrix, Pattern};
use super::scaled::Units;
use crate::error::ImpactError;

/// What holds in the rows of one block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContactLaw {
    /// A contact: row 0 is the normal, 0 ≤ r_N ⟂ u_N ≥ 0; the rows after it have friction.
    Contact {
        /// Half axes of the friction set per unit of normal impulse; the second is not used in the plane.
        friction: [f64; 2],
        /// Constant part s of the normal impulse in the radius: ‖r_T‖ ≤ μ (r_N + s).
        shift: f64,
    },
    /// Joints: u = 0 in all rows.
    Joint,
}

impl ContactLaw {
    /// Coulomb's law with one coefficient.
    pub fn coulomb(friction: f64) -> Self {
        Self::Contact { friction: [friction; 2], shift: 0.0 }
    }
}

/// Find r with u = G r + q such that in each block its law holds.
///
/// ```text
/// contact   0 ≤ r_N ⟂ u_N ≥ 0,   −r_T in (r_N + s) times the segment, disk or ellipse,   u_T in its normal cone there
/// joint     u = 0
/// ```
///
/// Rows come contact by contact, `dimension` for each, the normal first. Blocks with fewer
/// rows are filled up with rows of zeros, which carry nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactProblem {
    /// G, symmetric positive semidefinite.
    pub matrix: BlockMatrix,
    /// q, the velocities without impulses.
    pub vector: Vec<f64>,
    /// One for each block.
    pub laws: Vec<ContactLaw>,
}

/// One side of a contact: a body and the directions in which the contact moves with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSide<'a> {
    /// Number of the body.
    pub body: usize,
    /// The rows of the contact in the velocities of this body, row by row (d × the body's coordinates).
    pub directions: &'a [f64],
}

impl ContactProblem {
    /// The problem of contacts with Coulomb friction.
    ///
    /// # Panics
    /// If sizes do not fit.
    pub fn coulomb(matrix: BlockMatrix, vector: Vec<f64>, friction: &[f64]) -> Self {
        assert_eq!(matrix.contacts(), friction.len(), "one coefficient a contact");
        assert_eq!(matrix.rows(), vector.len(), "one number a row");
        Self { matrix, vector, laws: friction.iter().map(|&mu| ContactLaw::coulomb(mu)).collect() }
    }

    /// G = D M⁻¹ Dᵀ from bodies that contacts share: never dense, linear in contacts.
    ///
    /// `inverse_mass` holds M⁻¹ of each body, `coordinates` × `coordinates` numbers row by row, and
    /// `sides(contact)` up to two bodies with the directions. Bodies that do not move have no side.
    ///
    /// # Panics
    /// If sizes do not fit.
    pub fn delassus<'a, S>(
        dimension: usize,
        contacts: usize,
        coordinates: usize,
        inverse_mass: &[f64],
        sides: S,
    ) -> BlockMatrix
    where
        S: Fn(usize) -> [Option<ContactSide<'a>>; 2],
    {
        let square = coordinates * coordinates;
        let mut of_body: Vec<Vec<u32>> = vec![Vec::new(); inverse_mass.len().checked_div(square).unwrap_or(0)];
        for contact in 0..contacts {
            for side in sides(contact).into_iter().flatten() {
                assert_eq!(side.directions.len(), dimension * coordinates, "d rows of the body's coordinates");
                let list = &mut of_body[side.body];
                if list.last() != Some(&(contact as u32)) {
                    list.push(contact as u32);
                }
            }
        }
        let mut pattern = Pattern::new(dimension, contacts);
        for list in &of_body {
            for (k, &i) in list.iter().enumerate() {
                list[..k].iter().for_each(|&j| pattern.push(i as usize, j as usize));
            }
        }
        let mut matrix = pattern.finish();
        let mut response = vec![0.0; dimension * coordinates];
        for i in 0..contacts {
            for side in sides(i).into_iter().flatten() {
                // Rows of D M⁻¹.
                let inverse = &inverse_mass[side.body * square..][..square];
                for (out, row) in response.chunks_exact_mut(coordinates).zip(side.directions.chunks_exact(coordinates))
                {
                    for (out, column) in out.iter_mut().zip(inverse.chunks_exact(coordinates)) {
                        *out = row.iter().zip(column).map(|(d, m)| d * m).sum();
                    }
                }
                for &j in &of_body[side.body] {
                    for other in sides(j as usize).into_iter().flatten().filter(|o| o.body == side.body) {
                        let products = response.chunks_exact(coordinates).flat_map(|a| {
                            let dot = move |b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                            other.directions.chunks_exact(coordinates).map(dot)
                        });
                        matrix.add(i, j as usize, products);
                    }
                }
            }
        }
        let touched = of_body.iter().filter(|list| !list.is_empty()).count();
        if Sides::fit(dimension, contacts, coordinates, touched) {
            matrix.sides = Sides::new(contacts, inverse_mass, sides).map(Box::new);
        }
        matrix
    }

    /// A problem of single rows as one of three rows a block, of which two carry nothing.
    pub(super) fn widened(&self) -> Self {
        let entries = (0..self.contacts()).flat_map(|i| {
            let (columns, values) = self.matrix.row(i);
            columns.iter().zip(values).map(move |(&j, &value)| (3 * i, 3 * j as usize, value))
        });
        Self {
            matrix: BlockMatrix::from_entries(3, self.contacts(), entries),
            vector: self.vector.iter().flat_map(|&q| [q, 0.0, 0.0]).collect(),
            laws: self.laws.clone(),
        }
    }

    /// Rows of a block.
    pub fn dimension(&self) -> usize {
        self.matrix.dimension()
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.laws.len()
    }

    /// u = G r + q.
    pub fn velocity(&self, r: &[f64], u: &mut Vec<f64>) {
        u.resize(self.vector.len(), 0.0);
        self.matrix.multiply(r, u);
        u.iter_mut().zip(&self.vector).for_each(|(u, q)| *u += q);
    }
}

impl ContactProblem {
    /// Checks sizes and numbers.
    ///
    /// # Errors
    /// What does not fit, by field.
    pub fn check(&self) -> Result<(), ImpactError> {
        self.checked().map(|_| ())
    }

    /// The same, with the units that the checks find.
    pub(super) fn checked(&self) -> Result<Units, ImpactError> {
        let (contacts, rows) = (self.matrix.contacts(), self.matrix.rows());
        if self.laws.len() != contacts || self.vector.len() != rows {
            let value = format!("{} laws and {} numbers in q", self.laws.len(), self.vector.len());
            return Err(ImpactError::new(
                "contacts",
                value,
                format!("the matrix has {contacts} contacts, {rows} rows"),
            ));
        }
        if let Some(i) = self.vector.iter().position(|q| !q.is_finite()) {
            return Err(ImpactError::not_finite(format!("q[{i}]"), self.vector[i], "must be finite"));
        }
        if !self.matrix.is_finite() {
            return Err(ImpactError::not_finite("matrix", "an entry", "must be finite"));
        }
        let units = Units::of(self);
        let fit = |law: &ContactLaw| match law {
            ContactLaw::Contact { friction, shift } => {
                let [mu, nu] = friction.map(|mu| (0.0..=MOST_FRICTION).contains(&mu));
                mu & nu & (0.0..f64::INFINITY).contains(shift)
            }
            ContactLaw::Joint => true,
        };
        // What is wrong is looked for only where something is.
        if !(self.laws.iter().all(fit) && units.diagonals_within(LARGEST)) {
            self.check_each()?;
        }
        self.check_range(units)
    }

    /// Checks laws and diagonal entries one by one.
    #[cold]
    fn check_each(&self) -> Result<(), ImpactError> {
        for (i, law) in self.laws.iter().enumerate() {
            let ContactLaw::Contact { friction, shift } = *law else { continue };
            for value in friction {
                if !(0.0..=MOST_FRICTION).contains(&value) {
                    return Err(ImpactError::out_of_range(
                        format!("friction[{i}]"),
                        value,
                        format!("must be at least 0 and at most {MOST_FRICTION:e}"),
                    ));
                }
            }
            if !(shift >= 0.0 && shift.is_finite()) {
                return Err(ImpactError::out_of_range(format!("shift[{i}]"), shift, "must be at least 0 and finite"));
            }
        }
        let d = self.dimension();
        for i in 0..self.contacts() {
            for k in 0..d {
                let entry = self.matrix.diagonal(i)[k * (d + 1)];
                let wrong = |problem: String| {
                    let field = format!("matrix[{row}][{row}]", row = i * d + k);
                    Err(ImpactError::out_of_range(field, entry, problem))
                };
                if entry < 0.0 {
                    return wrong("a diagonal entry must not be negative".into());
                }
                if entry != 0.0 && !(1.0 / LARGEST..=LARGEST).contains(&entry) {
                    return wrong(format!("a diagonal entry must be 0 or within 1/{LARGEST:e} and {LARGEST:e}"));
                }
            }
        }
        Ok(())
    }

    /// Finite numbers whose quotients are not: sizes at the end of the range of f64.
    fn check_range(&self, units: Units) -> Result<Units, ImpactError> {
        let d = self.dimension();
        let most = |most: f64, law: &ContactLaw| match law {
            ContactLaw::Contact { friction, .. } => most.max(friction[0]).max(friction[1]),
            ContactLaw::Joint => most,
        };
        if units.fit_all(self.laws.iter().fold(1.0, most)) {
            return Ok(units);
        }
        for (i, law) in self.laws.iter().enumerate() {
            for k in 0..d {
                let friction = match law {
                    ContactLaw::Contact { friction, .. } if k > 0 => friction[k - 1],
                    _ => 0.0,
                };
                let entry = self.matrix.diagonal(i)[k * (d + 1)];
                if !units.fit(entry, friction) {
                    let (value, row) = (self.vector.iter().fold(0.0f64, |most, q| most.max(q.abs())), i * d + k);
                    let reason = format!(
                        "the largest entry is so large that with matrix[{row}][{row}] = {entry:e} impulses or velocities \
                         leave the range of numbers; choose other units"
                    );
                    return Err(ImpactError::out_of_range("q", format!("{value:e}"), reason));
                }
            }
        }
        Ok(units)
    }
}

/// Diagonal entries beyond this, or below its reciprocal, are refused, as in impact problems.
const LARGEST: f64 = 1e250;
/// Larger coefficients only lead out of the range of numbers: a contact with far less sticks whenever it can.
const MOST_FRICTION: f64 = 1e50;

#[cfg(test)]
mod tests {
    use super::super::{ContactSettings, driver};
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn widened_problems_have_the_same_answers() {
        let entries = [(0, 0, 2.0), (1, 1, 1.0), (2, 2, 3.0), (0, 1, -0.5), (1, 0, -0.5), (1, 2, 0.4), (2, 1, 0.4)];
        let matrix = BlockMatrix::from_entries(1, 3, entries.into_iter());
        let mut problem = ContactProblem::coulomb(matrix, vec![-1.0, 0.2, -0.3], &[0.0; 3]);
        problem.laws[2] = ContactLaw::Joint;
        let (wide, units) = (problem.widened(), Units::of(&problem));
        assert!(wide.check().is_ok());
        let (settings, mut r, mut wider) = (ContactSettings::default(), vec![0.0; 3], vec![0.0; 9]);
        let single = driver::solve::<1>(&problem, units, &settings, None, &mut Budget::unlimited(), &mut r);
        let triple = driver::solve::<3>(&wide, units, &settings, None, &mut Budget::unlimited(), &mut wider);
        assert_eq!(single.status, triple.status);
        assert!(r.iter().any(|r| *r > 0.1));
        for (r, wide) in r.iter().zip(wider.chunks_exact(3)) {
            assert!((r - wide[0]).abs() < 1e-7 && wide[1..].iter().all(|r| r.abs() < 1e-12), "{r} and {wide:?}");
        }
    }
}
