//! Joints eliminated, for solvers and files that know contacts only.
//!
//! ```text
//! u_J = 0   ⇒   r_J = −G_JJ⁺(q_J + G_JC r_C),   G' = G_CC − G_CJ G_JJ⁺ G_JC,   q' = q_C − G_CJ G_JJ⁺ q_J
//! ```

use super::matrix::BlockMatrix;
use super::problem::{ContactLaw, ContactProblem};
use crate::error::ImpactError;
use crate::small::pseudo_inverse::pseudo_inverse;

/// Entries below this after the elimination, relative to those before, are round-off.
const ROUND: f64 = 32.0 * f64::EPSILON;
/// Velocities of redundant joints may contradict each other by this much, relative to the largest.
const CONTRADICTION: f64 = 1e-9;
/// Multiplications that the elimination may take: some ten seconds.
const MOST: f64 = 1e10;

impl ContactProblem {
    /// The same contacts with the joints eliminated: impulses of contacts are the same. Contacts that a joint couples fill
    /// the matrix, so this is for few joints.
    ///
    /// # Errors
    /// Joints whose velocities contradict each other; more joints than can be eliminated.
    pub fn without_joints(&self) -> Result<Self, ImpactError> {
        let d = self.dimension();
        let is_joint = |i: usize| self.laws[i] == ContactLaw::Joint;
        let of_kind = |joint: bool| (0..self.contacts()).filter(move |&i| is_joint(i) == joint);
        if of_kind(true).next().is_none() {
            return Ok(self.clone());
        }
        let diagonal = |row: usize| self.matrix.get(row, row);
        let rows_of = |i: usize| i * d..(i + 1) * d;
        // Rows of joints that move something; the others fill up blocks.
        let joints: Vec<usize> = of_kind(true).flat_map(rows_of).filter(|&row| diagonal(row) > 0.0).collect();
        let kept: Vec<usize> = of_kind(false).collect();
        let coupled = |i: usize| self.matrix.row(i).0.iter().any(|&j| is_joint(j as usize));
        let touched: Vec<usize> = kept.iter().copied().filter(|&i| coupled(i)).flat_map(rows_of).collect();
        let (n, m) = (joints.len(), touched.len());
        let work = n as f64 * (n as f64 + m as f64).powi(2);
        if work > MOST {
            let value = format!("{n} rows");
            let reason = format!("are too many to eliminate beside {m} rows of contacts that they couple");
            return Err(ImpactError::new("joint", value, reason));
        }
        // Everything in units in which the diagonal is one.
        let root: Vec<f64> = joints.iter().map(|&row| diagonal(row).sqrt()).collect();
        let mut inverse: Vec<f64> =
            (0..n * n).map(|k| self.matrix.get(joints[k / n], joints[k % n]) / (root[k / n] * root[k % n])).collect();
        let g = inverse.clone();
        pseudo_inverse(&mut inverse, n, &mut Vec::new());
        let b: Vec<f64> = joints.iter().zip(&root).map(|(&row, root)| self.vector[row] / root).collect();
        let product = |a: &[f64], x: &[f64]| -> Vec<f64> {
            a.chunks_exact(n.max(1)).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
        };
        let x = product(&inverse, &b);
        let largest = b.iter().fold(0.0f64, |most, b| most.max(b.abs()));
        let back = product(&g, &x);
        if back.iter().zip(&b).any(|(back, b)| (back - b).abs() > CONTRADICTION * largest) {
            return Err(ImpactError::new(
                "joint",
                "",
                "redundant joints ask for velocities that contradict each other",
            ));
        }
        let coupling: Vec<Vec<f64>> = touched
            .iter()
            .map(|&row| joints.iter().zip(&root).map(|(&joint, root)| self.matrix.get(row, joint) / root).collect())
            .collect();
        let responses: Vec<Vec<f64>> = coupling.iter().map(|row| product(&inverse, row)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // Where each contact is now.
        let mut place = vec![usize::MAX; self.contacts()];
        kept.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let new_row = |row: usize| place[row / d] * d + row % d;
        let mut index = vec![usize::MAX; self.vector.len()];
        touched.iter().enumerate().for_each(|(k, &row)| index[row] = k);
        let eliminated = |row: usize, column: usize| {
            let before = self.matrix.get(row, column);
            let after = before - dot(&coupling[index[row]], &responses[index[column]]);
            let size = (diagonal(row) * diagonal(column)).sqrt();
            if after.abs() > ROUND * size { after } else { 0.0 }
        };
        let matrix = BlockMatrix::from_visits(d, kept.len(), |visit| {
            for &i in &kept {
                for row in rows_of(i) {
                    for &j in self.matrix.row(i).0.iter().filter(|&&j| !is_joint(j as usize)) {
                        for column in rows_of(j as usize) {
                            if index[row] == usize::MAX || index[column] == usize::MAX {
                                visit(new_row(row), new_row(column), self.matrix.get(row, column));
                            }
                        }
                    }
                }
            }
            for (k, &row) in touched.iter().enumerate() {
                for &column in &touched[..=k] {
                    let value = eliminated(row, column);
                    visit(new_row(row), new_row(column), value);
                    if row != column {
                        visit(new_row(column), new_row(row), value);
                    }
                }
            }
        });
        let mut vector: Vec<f64> = kept.iter().flat_map(|&i| rows_of(i)).map(|row| self.vector[row]).collect();
        for (&row, coupling) in touched.iter().zip(&coupling) {
            vector[new_row(row)] -= dot(coupling, &x);
        }
        Ok(Self { matrix, vector, laws: kept.iter().map(|&i| self.laws[i]).collect() })
    }
}
