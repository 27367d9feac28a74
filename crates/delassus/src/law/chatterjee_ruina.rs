//! Chatterjee's and Ruina's law for one contact.

use nalgebra::{Matrix3, SymmetricEigen, Vector3};

use super::inclusion::{self, check_friction_given};
use super::single::{self, SingleContact};
use super::{About, Buffers, Coefficient, Field, ImpactLaw, Refusal, data};
use crate::answer::{Alternative, LawAnswer, Options, Uniqueness};
use crate::claim::{Claim, ElementClaim, EnergyClaim};
use crate::elementary::Elementary;
use crate::error::ImpactError;
use crate::problem::{Contact, ElementKind, ImpactProblem};
use crate::solve::tolerance::RESIDUAL;

/// Chatterjee's and Ruina's algebraic law for one contact, in the plane or in space [CR 1998].
///
/// Between two plastic impulses, the smooth one Λ_I and the sticking one Λ_II, it takes
///
/// ```text
/// Λ_I = −(γ_N⁻/G_NN) e_N        Λ_II = −G⁻¹γ⁻        Λ̂ = (1 + e)Λ_I + (1 + e_t)(Λ_II − Λ_I)
/// Λ = Λ̂                                   if ‖Λ̂_T‖ ≤ μΛ̂_N, else
/// Λ = (1 + e)Λ_I + κ(Λ_II − Λ_I)          with κ such that ‖Λ_T‖ = μΛ_N
/// ```
///
/// so that γ_N⁺ = −eγ_N⁻ always: `restitution` is the kinematic coefficient e in [0, 1],
/// `restitution_tangential` is e_t in [−1, 1] (1 reverses the tangential velocity where friction
/// can, 0 sticks, −1 is smooth). Λ_I and Λ_II − Λ_I are orthogonal in the metric of G, hence
///
/// ```text
/// T⁺ − T⁻ = −½a(2 − a)‖Λ_I‖² − ½b(2 − b)‖Λ_II − Λ_I‖²,   a = 1 + e,  b = 1 + e_t or κ ∈ [0, 1 + e_t]
/// ```
///
/// and the energy never grows. Where directions depend on each other, Λ_II is the one of least norm
/// in scaled impulses. Friction with different coefficients along the tangents bounds Λ_T by its
/// ellipse. Joints enter by projection, clutches not at all; an external impulse acts first.
///
/// Known failures: the impulse lies on a line, so friction need not oppose the slip that is left;
/// with strong friction and γ_N⁻ → 0 the answer has a limit other than 0 (Painlevé), while a contact
/// that does not approach gets no impulse: the answer then says that there is another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChatterjeeRuina {
    /// e; absent: that of the contact.
    pub restitution: Option<f64>,
    /// e_t; absent: that of the contact.
    pub restitution_tangential: Option<f64>,
}

/// Eigenvalues of the scaled G below this belong to directions that depend on each other.
const DEPENDENT: f64 = 1e-12;

impl ImpactLaw for ChatterjeeRuina {
    fn about(&self) -> About {
        About {
            name: "chatterjee-ruina",
            summary: "Algebraic law for one contact, between a smooth and a sticking plastic impulse",
            citation: "CR 1998",
        }
    }

    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        let normal = Field::maybe_number("restitution", &mut self.restitution).at_least(0.0).at_most(1.0);
        each(normal.doc("Coefficient of the normal velocity.").absent("that of the contact"));
        let tangential = Field::maybe_number("restitution_tangential", &mut self.restitution_tangential);
        let tangential = tangential.at_least(-1.0).at_most(1.0).absent("that of the contact");
        each(tangential.doc("Coefficient of the tangential velocity: 1 reverses it, 0 sticks, -1 is smooth."));
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        data::check_ranges(self)?;
        check_friction_given(problem)?;
        single::check(problem, self.about().name)?;
        let [e, _] = self.coefficients(&problem.contacts()[0]);
        if e > 1.0 {
            let allowed = "chatterjee-ruina needs 0 <= restitution <= 1";
            return Err(Refusal::BadInput(ImpactError::new("contact[0].restitution", e, allowed)));
        }
        let mut contact = SingleContact::default();
        contact.load(problem);
        if sticking(&contact, contact.gamma).is_none() {
            let reason = "the directions of the contact depend on each other, and its support moves against that";
            return Err(Refusal::NotApplicable(reason.into()));
        }
        Ok(())
    }

    fn claim(&self, problem: &ImpactProblem, claim: &mut Claim) {
        let [restitution, _] = self.coefficients(&problem.contacts()[0]);
        // An external impulse acts first; it is not the velocity γ⁻ that is reversed then.
        let reverses = problem.external_impulse().is_none();
        claim.each(problem, |element| match element.kind {
            ElementKind::Normal if reverses => ElementClaim::Newton { restitution },
            _ => ElementClaim::Nothing,
        });
        claim.energy = EnergyClaim::Always;
    }

    fn impulses(&self, problem: &ImpactProblem, _options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        let single = &mut work.single;
        single.load(problem);
        let contact = &problem.contacts()[0];
        let approach = -single.gamma[0];
        single.write(&self.respond(single, contact, approach), answer);
        answer.uniqueness = Uniqueness::Proved("the law is an explicit formula");
        // Where strong friction draws a contact in it matters whether it approaches at
        // all; that must not hang on less than the certified tolerance.
        let inclusion = &mut work.inclusion;
        let least = RESIDUAL * problem.scales()[contact.element] * inclusion::speed(problem, &mut inclusion.vector);
        if approach.abs() <= least {
            let other = if approach > 0.0 { [0.0; 3] } else { self.respond(single, contact, least) };
            let mut second = LawAnswer::default();
            second.reset(problem.rows());
            single.write(&other, &mut second);
            if !inclusion.same_velocity(problem, &answer.impulses, &second.impulses) {
                answer.uniqueness = Uniqueness::Several { found: 2, complete: false };
                answer.alternatives.push(Alternative { impulses: second.impulses, ..Alternative::default() });
            }
        }
    }

    fn coefficients(&self) -> Vec<Coefficient> {
        let tangential = Coefficient { range: (-1.0, 1.0), ..Coefficient::TANGENTIAL };
        vec![Coefficient::RESTITUTION, Coefficient::FRICTION, tangential]
    }
}

impl ChatterjeeRuina {
    /// e and e_t.
    fn coefficients(&self, contact: &Contact) -> [f64; 2] {
        let tangential = self.restitution_tangential.unwrap_or(contact.restitution_tangential);
        [self.restitution.unwrap_or(contact.restitution), tangential]
    }

    /// The impulse (normal, tangents) of a contact that approaches with this speed, if it does.
    fn respond(&self, single: &SingleContact, contact: &Contact, approach: f64) -> [f64; 3] {
        if approach <= 0.0 || !single.moves(0) {
            return [0.0; 3];
        }
        let [e, e_t] = self.coefficients(contact);
        let [_, t1, t2] = single.gamma;
        let Some(sticking) = sticking(single, [-approach, t1, t2]) else { return [0.0; 3] };
        let smooth = approach / single.h[0][0];
        let friction = contact.friction.map_or([0.0; 2], |f| f.coefficients());
        let gauge = |factor: f64| {
            let part = |k: usize| match factor * sticking[1 + k] {
                0.0 => 0.0,
                impulse => impulse / friction[k],
            };
            part(0).hypotenuse(part(1))
        };
        let difference = sticking[0] - smooth;
        let (a, b) = (1.0 + e, 1.0 + e_t);
        let factor = match gauge(b) <= a * smooth + b * difference {
            true => b,
            false => a * smooth / (gauge(1.0) - difference),
        };
        let tangents = [factor * sticking[1], factor * sticking[2]];
        // The normal impulse from its own equation, γ_N⁺ = −eγ_N⁻, loses no digits.
        let coupled: f64 = (1..single.rows).map(|i| single.h[0][i] * tangents[i - 1]).sum();
        [(a * approach - coupled) / single.h[0][0], tangents[0], tangents[1]]
    }
}

/// Λ_II = −G⁺γ in scaled impulses; `None` where it does not stop the normal velocity, because
/// directions depend on each other and the velocities along them do not.
fn sticking(single: &SingleContact, gamma: [f64; 3]) -> Option<[f64; 3]> {
    // Directions that joints block, and missing ones, are left out.
    let moves: [bool; 3] = std::array::from_fn(|i| single.moves(i));
    let units = Vector3::from_fn(|i, _| if moves[i] { single.h[i][i].sqrt().recip() } else { 0.0 });
    let scaled = |i: usize, j: usize| if moves[i] && moves[j] { single.h[i][j] * units[i] * units[j] } else { 0.0 };
    let matrix = Matrix3::from_fn(scaled);
    let velocity = Vector3::from_fn(|i, _| if moves[i] { gamma[i] * units[i] } else { 0.0 });
    let SymmetricEigen { eigenvalues, eigenvectors } = matrix.symmetric_eigen();
    let mut impulse = Vector3::zeros();
    for (value, vector) in eigenvalues.iter().zip(eigenvectors.column_iter()) {
        if *value > DEPENDENT {
            impulse -= vector * (vector.dot(&velocity) / value);
        }
    }
    let left = matrix.row(0).transpose().dot(&impulse) + velocity[0];
    (left.abs() <= RESIDUAL * velocity.amax()).then(|| std::array::from_fn(|i| impulse[i] * units[i]))
}
