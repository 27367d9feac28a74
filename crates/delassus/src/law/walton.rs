//! Walton's collision operator for one contact with uncoupled directions.

use super::inclusion::check_friction_given;
use super::{About, Buffers, Coefficient, ImpactLaw, Refusal, single};
use crate::answer::{LawAnswer, Options, Uniqueness};
use crate::elementary::Elementary;
use crate::problem::{Friction, ImpactProblem};

/// Walton's collision operator [PG 2005, eqs. (51)–(57)].
///
/// Assumes one contact whose normal and tangential directions do not couple
/// (G_NT = 0: spheres, disks), so that both are solved one after the other:
///
/// ```text
/// γ_N⁺ = −ε_N γ_N⁻,      1 + 1/K = G_TT / G_NN
/// stick  γ_T⁺ = −ε_T γ_T⁻   if |γ_T⁻/γ_N⁻| < μ (1 + 1/K)(1 + ε_N)/(1 + ε_T)
/// slip   Λ_T = ∓μ Λ_N       beyond, against γ_T⁻
/// ```
///
/// The published condition (53) for forward slip lacks a minus sign. Two
/// tangents are taken where friction is isotropic and G_TT a multiple of the
/// identity: the impulse is then along −γ_T⁻. Joints enter by projection,
/// clutches not at all. The law is Newton's for this special case.
///
/// Known failures: it gains energy as little or as much as Newton's law does (ε_T ≠ ε_N); most bodies couple
/// their directions, and are refused.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Walton {}

/// Couplings below this, relative to the diagonal, are zero.
const UNCOUPLED: f64 = 1e-9;

impl ImpactLaw for Walton {
    fn about(&self) -> About {
        About {
            name: "walton",
            summary: "Walton's operator for one contact with uncoupled directions (spheres)",
            citation: "PG 2005, eqs. (51)–(57)",
        }
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        check_friction_given(problem)?;
        single::check(problem, "walton")?;
        let mut contact = single::SingleContact::default();
        contact.load(problem);
        let h = &contact.h;
        let coupled = |i: usize, j: usize| h[i][j].abs() > UNCOUPLED * (h[i][i] * h[j][j]).sqrt();
        if (1..contact.rows).any(|t| coupled(0, t)) {
            let reason = "walton needs uncoupled directions (G_NT = 0, as for a sphere), and here they couple";
            return Err(Refusal::NotApplicable(reason.into()));
        }
        if contact.rows == 3 {
            if matches!(problem.contacts()[0].friction, Some(Friction::Orthotropic(mu)) if mu[0] != mu[1]) {
                return Err(Refusal::NotApplicable("walton needs isotropic friction".into()));
            }
            if coupled(1, 2) || (h[1][1] - h[2][2]).abs() > UNCOUPLED * h[1][1].max(h[2][2]) {
                let reason = "walton needs the same response along both tangents (as for a sphere)";
                return Err(Refusal::NotApplicable(reason.into()));
            }
        }
        Ok(())
    }

    fn impulses(&self, problem: &ImpactProblem, _options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        let single = &mut work.single;
        single.load(problem);
        let contact = &problem.contacts()[0];
        let mut impulses = [0.0; 3];
        if single.gamma[0] < 0.0 && single.moves(0) {
            impulses[0] = -(1.0 + contact.restitution) * single.gamma[0] / single.h[0][0];
            let limit = contact.friction.map_or(0.0, |f| f.coefficients()[0]) * impulses[0];
            // The impulse that would reverse the tangential velocity, cut back to the friction limit.
            for i in (1..single.rows).filter(|&i| single.moves(i)) {
                impulses[i] = -(1.0 + contact.restitution_tangential) * single.gamma[i] / single.h[i][i];
            }
            let size = impulses[1].hypotenuse(impulses[2]);
            if size > limit {
                impulses[1] *= limit / size;
                impulses[2] *= limit / size;
            }
        }
        single.write(&impulses, answer);
        answer.uniqueness = Uniqueness::Proved("the law is an explicit formula");
    }

    fn coefficients(&self) -> Vec<Coefficient> {
        vec![Coefficient::RESTITUTION, Coefficient::FRICTION, Coefficient::TANGENTIAL]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactData, LawSpec, Mass, ProblemData, resolve};

    /// A sphere of unit mass and radius (K = 2/5) in the plane: u = (x, y, ω).
    fn sphere(restitution: [f64; 2], friction: f64, velocity: [f64; 2]) -> ImpactProblem {
        let contact = ContactData::new("C", [0.0, 1.0, 0.0])
            .tangent([1.0, 0.0, -1.0])
            .friction(friction)
            .restitution(restitution[0])
            .restitution_tangential(restitution[1]);
        let mass = Mass::diagonal(vec![1.0, 1.0, 0.4]).unwrap();
        let data = ProblemData::new(mass, vec![velocity[1], velocity[0], 0.0]).with_contact(contact);
        ImpactProblem::new(data).unwrap()
    }

    #[test]
    fn stick_and_both_slips_follow_the_operator() {
        let (e, t, mu) = (0.5, 0.605, 0.5);
        let threshold = mu * 3.5 * (1.0 + e) / (1.0 + t);
        for ratio in [-3.0f64, -1.7, -1.6, -0.5, 0.0, 0.5, 1.6, 1.7, 3.0] {
            // γ_T⁻/γ_N⁻ = ratio with γ_N⁻ = −1
            let outcome = resolve(&sphere([e, t], mu, [-1.0, -ratio]), &LawSpec::Walton(Walton {})).unwrap();
            let expected = if ratio.abs() < threshold {
                t / e * ratio // (55)
            } else {
                ratio.signum() * mu * 3.5 * (1.0 + 1.0 / e) - ratio / e // (54), (56)
            };
            let [n, t] = outcome.gamma_plus[..] else { panic!("two rows") };
            assert!((n - e).abs() < 1e-15);
            assert!((t / n - expected).abs() < 1e-12, "ratio {ratio}: {} instead of {expected}", t / n);
        }
    }

    #[test]
    fn coupled_directions_are_refused() {
        let contact = ContactData::new("C", [0.0, 1.0, -0.5]).tangent([1.0, 0.0, -1.0]).friction(0.5);
        let mass = Mass::diagonal(vec![1.0, 1.0, 0.4]).unwrap();
        let problem = ImpactProblem::new(ProblemData::new(mass, vec![0.0, -1.0, 0.0]).with_contact(contact)).unwrap();
        assert!(matches!(Walton {}.check(&problem), Err(Refusal::NotApplicable(reason)) if reason.contains("G_NT")));
    }
}
