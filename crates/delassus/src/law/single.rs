//! One contact seen through the joints, for laws of a single contact.

use super::Refusal;
use crate::answer::LawAnswer;
use crate::problem::{ElementKind, ImpactProblem};
use crate::solve::normal_form::NormalForm;

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
    form: NormalForm,
}

/// What joints leave of a direction's G below this part of it is round-off.
const BLOCKED: f64 = 1e-12;
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
        self.form.clear();
        self.form.units.read((0..problem.rows()).map(|i| g.get(i, i)));
        self.form.units.measure((0..problem.rows()).map(velocity), 1.0);
        self.form.kept.extend(start..start + self.rows);
        for element in problem.elements().iter().filter(|e| e.kind == ElementKind::Joint) {
            self.form.joints.extend(element.rows.clone());
        }
        // Joints are at rest before the impact, so that redundant ones cannot contradict each other.
        self.form.reduce(|i, j| g.get(i, j), velocity);
        let (size, speed) = (&self.form.units.size[start..], self.form.units.speed);
        for i in 0..self.rows {
            self.gamma[i] = speed * size[i] * self.form.vector[i];
            for j in 0..self.rows {
                self.h[i][j] = size[i] * size[j] * self.form.matrix[i * self.rows + j];
            }
        }
    }

    /// Whether the joints leave direction `i` free to move.
    pub(super) fn moves(&self, i: usize) -> bool {
        i < self.rows && self.form.matrix[i * (self.rows + 1)] > BLOCKED
    }

    /// Writes the contact's impulses and those of the joints.
    pub(super) fn write(&self, impulses: &[f64], answer: &mut LawAnswer) {
        let start = self.form.kept[0];
        let (size, speed) = (&self.form.units.size[start..], self.form.units.speed);
        let mut scaled = [0.0; 3];
        scaled.iter_mut().zip(impulses).zip(size).take(self.rows).for_each(|((y, x), s)| *y = x * s / speed);
        self.form.write_back(&scaled[..self.rows], &mut answer.impulses);
        answer.impulses[start..start + self.rows].copy_from_slice(&impulses[..self.rows]);
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
