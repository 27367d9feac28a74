//! One contact seen through the joints, for laws of a single contact.

use super::Refusal;
use crate::answer::LawAnswer;
use crate::problem::{ElementKind, ImpactProblem};
use crate::solve::rank::FullPivot;

/// The contact's rows with the joints eliminated:
/// γ⁺ = γ + H Λ, H = G − G_·J G_JJ⁺ G_J·. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct SingleContact {
    /// Number of rows: the normal, then the tangents.
    pub(super) rows: usize,
    /// H, normal first.
    pub(super) h: [[f64; 3]; 3],
    /// Velocity before the impact, after the external impulse and the answer of the joints to it.
    pub(super) gamma: [f64; 3],
    /// Diagonal of G, to tell what the joints leave of H from round-off.
    diagonal: [f64; 3],
    joints: Vec<usize>,
    /// G_JJ⁺ times the velocity of the joints, then times each column G_Jc.
    answers: [Vec<f64>; 4],
    system: FullPivot,
}

/// Velocities of joints below this, relative to the largest velocity, are zero.
const AT_REST: f64 = 1e-9;

impl SingleContact {
    /// Reads a problem with one contact; its directions are the first rows.
    pub(super) fn load(&mut self, problem: &ImpactProblem) {
        let contact = &problem.contacts()[0];
        self.rows = 1 + contact.tangents.len();
        let start = contact.normal;
        let external = problem.external_relative_change();
        let velocity = |row: usize| problem.gamma_minus()[row] + external.map_or(0.0, |change| change[row]);
        let g = problem.operator();
        for i in 0..self.rows {
            self.gamma[i] = velocity(start + i);
            self.diagonal[i] = g.get(start + i, start + i);
            for j in 0..self.rows {
                self.h[i][j] = g.get(start + i, start + j);
            }
        }
        self.joints.clear();
        for element in problem.elements().iter().filter(|e| e.kind == ElementKind::Joint) {
            self.joints.extend(element.rows.clone());
        }
        if self.joints.is_empty() {
            return;
        }
        for k in 0..=self.rows {
            self.system.reset(self.joints.len(), self.joints.len());
            for (i, &row) in self.joints.iter().enumerate() {
                let (a, rhs) = self.system.row_mut(i);
                a.iter_mut().zip(&self.joints).for_each(|(a, &column)| *a = g.get(row, column));
                *rhs = if k == 0 { velocity(row) } else { g.get(row, start + k - 1) };
            }
            self.system.eliminate(1e-12);
            self.system.solution(&mut self.answers[k]);
        }
        let through = |row: usize, answer: &[f64]| -> f64 {
            self.joints.iter().zip(answer).map(|(&joint, a)| g.get(start + row, joint) * a).sum()
        };
        for i in 0..self.rows {
            self.gamma[i] -= through(i, &self.answers[0]);
            for j in 0..self.rows {
                self.h[i][j] -= through(i, &self.answers[j + 1]);
            }
        }
    }

    /// Whether the joints leave direction `i` free to move.
    pub(super) fn moves(&self, i: usize) -> bool {
        i < self.rows && self.h[i][i] > 1e-12 * self.diagonal[i]
    }

    /// Writes the contact's impulses and those of the joints.
    pub(super) fn write(&self, problem: &ImpactProblem, impulses: &[f64], answer: &mut LawAnswer) {
        let start = problem.contacts()[0].normal;
        answer.impulses[start..start + self.rows].copy_from_slice(&impulses[..self.rows]);
        for (k, &row) in self.joints.iter().enumerate() {
            let sum: f64 = impulses[..self.rows].iter().zip(&self.answers[1..]).map(|(x, a)| x * a[k]).sum();
            answer.impulses[row] = -(self.answers[0][k] + sum);
        }
    }
}

/// Refuses what no law of a single contact covers.
pub(super) fn check(problem: &ImpactProblem, law: &str) -> Result<(), Refusal> {
    let refuse = |reason: String| Err(Refusal::NotApplicable(reason));
    let count = problem.contacts().len();
    if count != 1 {
        return refuse(format!("{law} is a law for one contact, and there are {count}"));
    }
    let elements = problem.elements();
    if let Some(clutch) = elements.iter().find(|e| e.kind == ElementKind::Clutch) {
        return refuse(format!("{law} does not know clutches, and {} is one", clutch.name));
    }
    let speed = (2.0 * problem.mass().energy(problem.u_minus())).sqrt();
    for joint in elements.iter().filter(|e| e.kind == ElementKind::Joint) {
        let moves = joint.rows.clone().any(|row| {
            let size = problem.operator().get(row, row).sqrt();
            problem.gamma_minus()[row].abs() > AT_REST * size * speed
        });
        if moves {
            return refuse(format!("{law} needs joints at rest before the impact, and {} moves", joint.name));
        }
    }
    Ok(())
}
