//! Poisson's law in inequality form, with friction.

use super::inclusion::{
    InclusionWork, alternative, check_friction_given, record, uniqueness, warn_of_active, warn_of_dimension,
    warn_of_size,
};
use super::{About, Buffers, Coefficient, ImpactLaw, InMotion, Refusal};
use crate::answer::{Alternative, LawAnswer, Options, Solutions, Status};
use crate::budget::Budget;
use crate::claim::{Claim, ElementClaim, EnergyClaim};
use crate::error::ImpactError;
use crate::problem::{Element, ElementKind, ImpactProblem};
use crate::solve::{SolveReport, SolveStatus};

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
    fn about(&self) -> About {
        About {
            name: "poisson",
            summary: "Poisson's law in inequality form: compression, then decompression",
            citation: "G 2014, eqs. (31)–(45), (70)–(76)",
        }
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

    #[inline]
    fn claim(&self, problem: &ImpactProblem, claim: &mut Claim) {
        claim.each(problem, |element| ElementClaim::Poisson { restitution: element.restitution });
        claim.energy = EnergyClaim::Poisson;
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        let inclusion = &mut work.inclusion;
        inclusion.start(problem, |_| 0.0);
        let mut budget = Budget::new(&options.limits);
        let compression = inclusion.solve(problem, options.solutions, &mut budget, |_| 0.0);
        record(compression, &budget, answer);
        answer.compression.extend_from_slice(&inclusion.x);
        if answer.status != Status::Solved {
            answer.impulses.copy_from_slice(&inclusion.x);
            return;
        }
        let compressions = std::mem::take(&mut inclusion.solutions);
        let mut phase = Decompression { problem, wanted: options.solutions, budget };
        let report = phase.solve(inclusion, &answer.compression, &mut answer.impulses);
        record(report, &phase.budget, answer);

        let mut complete = compression.complete && report.complete;
        push_others(problem, inclusion, &answer.compression, &mut answer.alternatives);
        // Every other compression has decompressions of its own.
        let mut total = vec![0.0; if compressions.len() > 1 { problem.rows() } else { 0 }];
        for other in compressions.iter().skip(1) {
            let report = phase.solve(inclusion, &other.x, &mut total);
            complete &= report.complete;
            if report.status != SolveStatus::Solved {
                continue;
            }
            answer.alternatives.push(alternative(&total, &other.x, other.dimension));
            push_others(problem, inclusion, &other.x, &mut answer.alternatives);
        }
        let mut found = answer.alternatives.len() + 1;
        if compressions.is_empty() {
            // Other compressions are known of, but nobody looked into them.
            found = report.found * compression.found;
            complete &= compression.found == 1;
        }
        inclusion.solutions = compressions;
        let proofs = compression.unique.zip(report.unique);
        let looked = options.solutions != Solutions::First;
        let split_matters = (proofs.is_some() || looked) && !split_does_not_matter(problem, inclusion);
        if split_matters && looked {
            answer.warnings.push(
                "the impulses of compression may be split in several ways (G is singular), and with unequal \
                 coefficients of restitution other splits give other velocities"
                    .into(),
            );
        } else {
            warn_of_dimension(inclusion.solutions.first(), answer);
        }
        warn_of_active(problem, None, answer);
        warn_of_size(inclusion, answer);
        let proof = proofs.filter(|_| !split_matters).map(|(first, _)| first);
        answer.uniqueness = uniqueness(answer, proof, found, complete && !split_matters);
    }

    fn in_motion(&self) -> InMotion {
        InMotion { is_newton_without_restitution: true, ..InMotion::default() }
    }

    fn coefficients(&self) -> Vec<Coefficient> {
        vec![Coefficient::RESTITUTION, Coefficient::FRICTION, Coefficient::TANGENTIAL]
    }

    fn why_energy_may_grow(&self, restitutions: &str) -> Option<String> {
        Some(format!(
            "with friction beside other elements and unequal coefficients of restitution (here {restitutions}) \
             Poisson's law does not exclude that."
        ))
    }
}

/// Friction coefficient, in units of √(G_NN/G_TT), beyond which impulses differ much in size.
const STRONG: f64 = 1e3;

/// The second phase.
struct Decompression<'a> {
    problem: &'a ImpactProblem,
    wanted: Solutions,
    budget: Budget<'a>,
}

impl Decompression<'_> {
    /// Decompression after the compression Λ⁻: the total Λ = (1 + ε)Λ⁻ + Δ.
    fn solve(&mut self, inclusion: &mut InclusionWork, lambda_c: &[f64], total: &mut [f64]) -> SolveReport {
        let problem = self.problem;
        returned(problem, lambda_c, total);
        inclusion.start(problem, |_| 0.0);
        for (i, b) in inclusion.vector.iter_mut().enumerate() {
            let mut size = b.abs();
            problem.operator().for_row(i, |j, g| {
                let term = g * total[j];
                *b += term;
                size += term.abs();
            });
            // A contact that compression has closed exactly leaves only round-off.
            if b.abs() <= 16.0 * f64::EPSILON * size {
                *b = 0.0;
            }
        }
        let shift = |friction: &Element| {
            let e_n = friction.contact.map_or(0.0, |c| problem.contacts()[c].restitution);
            ((e_n - friction.restitution) * lambda_c[friction.normal]).max(0.0)
        };
        let report = inclusion.solve(problem, self.wanted, &mut self.budget, shift);
        total.iter_mut().zip(&inclusion.x).for_each(|(total, delta)| *total += delta);
        report
    }
}

/// (1 + ε)Λ⁻.
fn returned(problem: &ImpactProblem, lambda_c: &[f64], total: &mut [f64]) {
    for element in problem.elements() {
        for row in element.rows.clone() {
            total[row] = (1.0 + element.restitution) * lambda_c[row];
        }
    }
}

/// The decompressions beside the preferred one.
fn push_others(
    problem: &ImpactProblem,
    inclusion: &InclusionWork,
    lambda_c: &[f64],
    alternatives: &mut Vec<Alternative>,
) {
    for solution in inclusion.solutions.iter().skip(1) {
        let mut total = vec![0.0; problem.rows()];
        returned(problem, lambda_c, &mut total);
        total.iter_mut().zip(&solution.x).for_each(|(total, delta)| *total += delta);
        alternatives.push(alternative(&total, lambda_c, solution.dimension));
    }
}

/// Where Λ⁻ is not unique, unequal coefficients make u⁺ depend on its split. With equal ones it
/// does not, unless friction is so strong that contacts may hold each other by impulses beside
/// which those that move the bodies do not count.
fn split_does_not_matter(problem: &ImpactProblem, inclusion: &mut InclusionWork) -> bool {
    let equal = problem.elements().windows(2).all(|pair| pair[0].restitution == pair[1].restitution);
    let strong = problem.contacts().iter().filter(|c| !c.tangents.is_empty()).any(|c| {
        let [normal, tangent] = [c.element, c.element + 1].map(|element| problem.scales()[element]);
        let [first, second] = problem.elements()[c.element + 1].friction;
        first.max(second) * tangent > STRONG * normal
    });
    equal && !strong
        || match inclusion.solutions.first() {
            Some(compression) => compression.dimension == 0 && !compression.loose,
            None => inclusion.is_regular(problem),
        }
}
