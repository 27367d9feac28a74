//! Newton's law in inequality form, and Moreau's.

use super::inclusion::{
    alternative, check_friction_given, record, uniqueness, warn_of_active, warn_of_dimension, warn_of_size,
};
use super::{About, Buffers, Coefficient, Field, ImpactLaw, InMotion, Refusal, data};
use crate::answer::{LawAnswer, Options};
use crate::budget::Budget;
use crate::claim::{Claim, ElementClaim, EnergyClaim};
use crate::error::ImpactError;
use crate::problem::{Element, ElementKind, ImpactProblem, MOST_RESTITUTION};

/// Newton's law in inequality form, with tangential restitution.
///
/// Per element, ξ = γ⁺ + εγ⁻ takes the place of the velocity after the impact:
///
/// ```text
/// γ⁺ − γ⁻ = GΛ + WᵀM⁻¹F,    ξ_i = γ_i⁺ + ε_i γ_i⁻,    ξ_i ∈ N_{C_i}(−Λ_i)
/// normal    0 ≤ Λ ⟂ ξ ≥ 0            friction  −Λ_T ∈ μΛ_N Sgn ξ_T (disk or ellipse in space)
/// clutch    as a normal, −1 < ε ≤ 0   joint     ξ = 0
/// ```
///
/// `restitution` is read as the kinematic coefficient ε_N, and
/// `restitution_tangential` as ε_T [PG 2005, eqs. (9)–(14); G 2014, §3.1].
///
/// Known failures: the energy can grow when coefficients differ (also for one
/// contact with ε_T ≠ ε_N; Kane's pendulum is the classic example); with
/// γ_N⁻ = 0 and strong friction there are two solutions (Painlevé); a contact
/// that separates before the impact (γ_N⁻ > 0) can end with γ_N⁺ < 0 unless its
/// ε is 0; a chain does not disperse energy; strong friction can jam contacts
/// with different coefficients such that no solution exists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Newton {}

/// Moreau's law: Newton's with one dissipation index e for every element.
///
/// ```text
/// γ⁺ − γ⁻ = GΛ + WᵀM⁻¹F,   ξ_i = γ_i⁺ + e γ_i⁻,   ξ_i ∈ N_{C_i}(−Λ_i)
/// ```
///
/// The energy does not grow for 0 ≤ e ≤ 1. Clutches need e = 0, because a
/// kinematic constraint cannot reverse its velocity [G 2014, §3.1].
///
/// Known failures: e also reverses the tangential velocity of contacts that stick, which few materials do; with
/// γ_N⁻ = 0 and strong friction there are two solutions (Painlevé); a contact that separates before the impact
/// can end with γ_N⁺ < 0 unless e is 0; a chain does not disperse energy, its contacts act as one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Moreau {
    /// The index e; absent: the common `restitution` of all contacts.
    pub restitution: Option<f64>,
}

impl ImpactLaw for Newton {
    fn about(&self) -> About {
        About {
            name: "newton",
            summary: "Newton's law in inequality form, with tangential restitution",
            citation: "PG 2005, eqs. (9)–(14); G 2014, §3.1",
        }
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        check_friction_given(problem)?;
        let clutches = problem.elements().iter().filter(|e| e.kind == ElementKind::Clutch);
        for (i, clutch) in clutches.enumerate() {
            if clutch.restitution > 0.0 {
                return Err(Refusal::BadInput(ImpactError::new(
                    format!("clutch[{i}].restitution"),
                    clutch.restitution,
                    "under Newton's law a clutch needs -1 < restitution <= 0: it cannot reverse its velocity",
                )));
            }
        }
        Ok(())
    }

    #[inline]
    fn claim(&self, problem: &ImpactProblem, claim: &mut Claim) {
        claim.each(problem, |element| ElementClaim::Newton { restitution: element.restitution });
        claim.energy = EnergyClaim::Newton;
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        solve_newton(problem, options, work, answer, |element| element.restitution);
        warn_of_active(problem, None, answer);
    }

    fn in_motion(&self) -> InMotion {
        InMotion { pulls_back: true, is_newton_without_restitution: true, steps: true, ..InMotion::default() }
    }

    fn coefficients(&self) -> Vec<Coefficient> {
        vec![Coefficient::RESTITUTION, Coefficient::FRICTION, Coefficient::TANGENTIAL]
    }

    fn why_energy_may_grow(&self, restitutions: &str) -> Option<String> {
        Some(format!(
            "Newton's law excludes that only if all coefficients of restitution are equal, those of friction included; \
             here they are {restitutions}."
        ))
    }
}

impl Moreau {
    /// The index e for a problem.
    ///
    /// # Errors
    /// Contacts with different coefficients where none was given.
    pub fn index(&self, problem: &ImpactProblem) -> Result<f64, Refusal> {
        if let Some(e) = self.restitution {
            return Ok(e);
        }
        let mut contacts = problem.contacts().iter().map(|c| c.restitution);
        let first = contacts.next().unwrap_or(0.0);
        if contacts.all(|e| e == first) {
            Ok(first)
        } else {
            let reason = "the contacts have different restitutions; give `restitution` in the law's own data";
            Err(Refusal::NotApplicable(reason.into()))
        }
    }
}

impl ImpactLaw for Moreau {
    fn about(&self) -> About {
        About {
            name: "moreau",
            summary: "Newton's law with one coefficient of restitution for every element",
            citation: "G 2014, §3.1",
        }
    }

    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        let restitution = Field::maybe_number("restitution", &mut self.restitution);
        let restitution = restitution.at_least(0.0).at_most(MOST_RESTITUTION);
        each(restitution.doc("The one coefficient of restitution.").absent("the common one of all contacts"));
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        data::check_ranges(self)?;
        check_friction_given(problem)?;
        let e = self.index(problem)?;
        if e > 0.0 && problem.elements().iter().any(|el| el.kind == ElementKind::Clutch) {
            let reason = format!("a clutch cannot reverse its velocity, so the index must be 0, not {e}");
            return Err(Refusal::NotApplicable(reason));
        }
        Ok(())
    }

    fn claim(&self, problem: &ImpactProblem, claim: &mut Claim) {
        let restitution = self.index(problem).unwrap_or(0.0);
        claim.each(problem, |_| ElementClaim::Newton { restitution });
        claim.energy = EnergyClaim::Newton;
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        let e = self.index(problem).unwrap_or(0.0);
        solve_newton(problem, options, work, answer, |_| e);
        warn_of_active(problem, Some(e), answer);
    }

    fn in_motion(&self) -> InMotion {
        let restitution = self.restitution;
        InMotion { restitution, is_newton_without_restitution: true, steps: true, ..InMotion::default() }
    }
}

/// Λ from the inclusion with b = (1 + ε)γ⁻ + WᵀM⁻¹F.
fn solve_newton(
    problem: &ImpactProblem,
    options: &Options,
    work: &mut Buffers,
    answer: &mut LawAnswer,
    restitution: impl Fn(&Element) -> f64,
) {
    let inclusion = &mut work.inclusion;
    inclusion.start(problem, restitution);
    let mut budget = Budget::new(&options.limits);
    let report = inclusion.solve(problem, options.solutions, &mut budget, |_| 0.0);
    std::mem::swap(&mut answer.impulses, &mut inclusion.x);
    record(report, &budget, answer);
    let others = inclusion.solutions.iter().skip(1);
    answer.alternatives.extend(others.map(|s| alternative(&s.x, &[], s.dimension)));
    warn_of_dimension(inclusion.solutions.first(), answer);
    warn_of_size(inclusion, answer);
    answer.uniqueness = uniqueness(answer, report.unique, report.found, report.complete);
}
