//! Poisson's law in inequality form, with friction.

use super::inclusion::{check_friction_given, record};
use super::{ImpactLaw, Refusal};
use crate::error::ImpactError;
use crate::outcome::{LawAnswer, Options, Status, Uniqueness};
use crate::problem::{ElementKind, ImpactProblem};
use crate::workspace::Workspace;

/// Poisson's law in inequality form: compression, then decompression.
///
/// Compression is a completely inelastic impact that leaves γ° and Λ⁻.
/// Decompression gives back at least εΛ⁻ and more where a contact would
/// otherwise be penetrated:
///
/// ```text
/// compression     γ° = GΛ⁻ + γ⁻ + WᵀM⁻¹F,      γ_i° ∈ N_{C_i}(−Λ_i⁻)
/// decompression   γ⁺ = GΔ + (GεΛ⁻ + γ°),       γ_i⁺ ∈ N_{D_i}(−Δ_i),      Λ⁺ = Δ + εΛ⁻
/// total           Λ = Λ⁻ + Λ⁺
/// friction of contact k:  D_i = (Δ_k + (ε_k − ε_i)Λ_k⁻) A_i,  A_i = μ_i [−1, 1], disk or ellipse
/// ```
///
/// The unknown Δ_k stands inside the friction set, so decompression is one
/// coupled problem. `restitution` is the kinetic coefficient ε_k of the
/// impulses, `restitution_tangential` is ε_i with 0 ≤ ε_i ≤ ε_k
/// [G 2014, eqs. (31)–(45), (70)–(76)]. An external impulse acts in compression.
///
/// Known failures: with friction at several contacts and unequal coefficients
/// the energy can grow [G 2014, §10]; a duplicated contact with unequal
/// coefficients makes u⁺ depend on how Λ⁻ is split; several solutions are
/// possible with strong friction; ε > 1 makes a contact active.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Poisson {}

impl ImpactLaw for Poisson {
    fn name(&self) -> &'static str {
        "poisson"
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        check_friction_given(problem)?;
        for (i, contact) in problem.contacts().iter().enumerate() {
            if contact.restitution_tangential > contact.restitution {
                return Err(Refusal::BadInput(ImpactError::new(
                    format!("contact[{i}].restitution_tangential"),
                    contact.restitution_tangential,
                    format!(
                        "Poisson's law needs 0 <= restitution_tangential <= restitution ({}): \
                         otherwise friction would give back more than the normal impulse allows",
                        contact.restitution
                    ),
                )));
            }
        }
        let clutches = problem.elements().iter().filter(|e| e.kind == ElementKind::Clutch);
        for (i, clutch) in clutches.enumerate() {
            if clutch.restitution < 0.0 {
                let problem = "under Poisson's law a clutch needs restitution >= 0";
                let field = format!("clutch[{i}].restitution");
                return Err(Refusal::BadInput(ImpactError::new(field, clutch.restitution, problem)));
            }
        }
        Ok(())
    }

    fn impulses(&self, problem: &ImpactProblem, _options: &Options, work: &mut Workspace, answer: &mut LawAnswer) {
        let inclusion = &mut work.inclusion;
        inclusion.vector.clear();
        inclusion.vector.extend_from_slice(problem.gamma_minus());
        if let Some(change) = problem.external_relative_change() {
            inclusion.vector.iter_mut().zip(change).for_each(|(b, d)| *b += d);
        }
        let compression = inclusion.solve(problem, |_, _, _| 0.0);
        record(compression, answer);
        answer.compression.extend_from_slice(&inclusion.x);
        if answer.status != Status::Solved {
            answer.impulses.copy_from_slice(&inclusion.x);
            return;
        }

        // Λ⁻ + εΛ⁻ stands in for the total until Δ is known.
        for element in problem.elements() {
            for row in element.rows.clone() {
                answer.impulses[row] = (1.0 + element.restitution) * answer.compression[row];
            }
        }
        for (i, b) in inclusion.vector.iter_mut().enumerate() {
            let mut size = b.abs();
            problem.operator().for_row(i, |j, g| {
                let term = g * answer.impulses[j];
                *b += term;
                size += term.abs();
            });
            // A contact that compression has closed exactly leaves only round-off.
            if b.abs() <= 16.0 * f64::EPSILON * size {
                *b = 0.0;
            }
        }
        let lambda_c = &answer.compression;
        let shift = |normal: usize, e_n: f64, e_t: f64| ((e_n - e_t) * lambda_c[normal]).max(0.0);
        let decompression = inclusion.solve(problem, shift);
        answer.impulses.iter_mut().zip(&inclusion.x).for_each(|(total, delta)| *total += delta);
        record(decompression, answer);
        answer.uniqueness = match (compression.unique, decompression.unique) {
            (Some(first), Some(_)) => Uniqueness::Proved(first),
            _ if compression.found * decompression.found > 1 => {
                Uniqueness::Several { found: compression.found * decompression.found, complete: false }
            }
            _ => Uniqueness::Unknown,
        };
    }
}
