//! Stronge's law for one planar contact with tangential compliance.

mod phase;

use super::inclusion::{self, check_friction_given};
use super::{About, Buffers, Coefficient, Field, ImpactLaw, Refusal, data, single};
use crate::answer::{Alternative, LawAnswer, Options, Uniqueness};
use crate::budget::Budget;
use crate::problem::ImpactProblem;
use crate::solve::tolerance::RESIDUAL;
use phase::Motion;

/// Stronge's lumped model with the energetic coefficient e [PG 2005, §7].
///
/// Assumes one planar contact, massless springs in both directions (stiffness
/// k_N = 1, k_T = 1/η²; only the ratio matters) and Coulomb friction between
/// them and the ground:
///
/// ```text
/// γ̇ = G (λ_N, λ_T),  λ_N = z,  λ_T = −k_T x,  ż = −c γ_N,  c = 1 in compression, 1/e² in expansion
/// stick  ẋ = γ_T               until k_T |x| = μ z
/// slip   λ_T = −σ μ z          while σ γ_T + c μ η² γ_N ≥ 0
/// ```
///
/// It starts with stick if |γ_T⁻| ≤ μη²|γ_N⁻|. Every phase is linear and
/// solved exactly; the ends of phases are located to round-off. The
/// coefficient e is energetic: the normal spring returns e² of what it stored.
/// Joints enter by projection, clutches not at all.
///
/// Known failures: the answer depends on the ratio of stiffness, which is seldom measured; with friction and coupled
/// directions γ_N⁺ is not −e γ_N⁻; one contact in the plane only.
#[derive(Debug, Clone, PartialEq)]
pub struct Stronge {
    /// η² = k_N/k_T > 0.
    pub stiffness_ratio: f64,
}

impl Default for Stronge {
    fn default() -> Self {
        Self { stiffness_ratio: 1.21 }
    }
}

/// Coefficients below return nothing that is above round-off, and their
/// expansion is too fast to be followed in time.
const NOTHING: f64 = 1e-12;

impl ImpactLaw for Stronge {
    fn about(&self) -> About {
        About {
            name: "stronge",
            summary: "Stronge's law for one planar contact with tangential compliance",
            citation: "PG 2005, §7",
        }
    }

    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        let ratio = Field::number("stiffness_ratio", &mut self.stiffness_ratio).above(0.0);
        each(ratio.doc("Ratio of normal to tangential stiffness."));
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        data::check_ranges(self)?;
        check_friction_given(problem)?;
        single::check(problem, "stronge")?;
        if problem.is_spatial() {
            return Err(Refusal::NotApplicable("stronge is a planar law, and the contact has two tangents".into()));
        }
        Ok(())
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        let single = &mut work.single;
        single.load(problem);
        let contact = &problem.contacts()[0];
        let friction = contact.friction.map_or(0.0, |f| f.coefficients()[0]);
        let restitution = if contact.restitution < NOTHING { 0.0 } else { contact.restitution };
        let mut budget = Budget::new(&options.limits);
        let approach = -single.gamma[0];
        let impact = self.follow(single, friction, restitution, approach, &mut budget);
        if !impact.ended {
            answer.give_up(&budget, impact.steps);
        }
        answer.stats.events = impact.events;
        answer.stats.iterations = impact.steps;
        single.write(&impact.impulses, answer);
        answer.uniqueness = Uniqueness::Proved("the law follows the impact in time");
        // Where strong friction draws a contact in (Painlevé) it matters whether it approaches at
        // all; that must not hang on less than the certified tolerance.
        let inclusion = &mut work.inclusion;
        let least = RESIDUAL * problem.scales()[contact.element] * inclusion::speed(problem, &mut inclusion.vector);
        if approach.abs() <= least {
            let other = match approach > 0.0 {
                true => Impact::default(),
                false => self.follow(single, friction, restitution, least, &mut budget),
            };
            let mut second = LawAnswer::default();
            second.reset(problem.rows());
            single.write(&other.impulses, &mut second);
            if !inclusion.same_velocity(problem, &answer.impulses, &second.impulses) {
                answer.uniqueness = Uniqueness::Several { found: 2, complete: false };
                answer.alternatives.push(Alternative { impulses: second.impulses, ..Alternative::default() });
            }
        }
    }

    fn coefficients(&self) -> Vec<Coefficient> {
        let stiffness = Coefficient { path: "law.stiffness_ratio", range: (0.2, 5.0) };
        vec![Coefficient::RESTITUTION, Coefficient::FRICTION, stiffness]
    }
}

/// A followed impact.
#[derive(Debug, Clone, Copy)]
struct Impact {
    impulses: [f64; 3],
    /// Whether it came to its end.
    ended: bool,
    events: usize,
    steps: usize,
}

impl Default for Impact {
    fn default() -> Self {
        Self { impulses: [0.0; 3], ended: true, events: 0, steps: 0 }
    }
}

impl Stronge {
    /// The impact of a contact that approaches with this speed, if it does.
    fn follow(
        &self,
        single: &single::SingleContact,
        friction: f64,
        restitution: f64,
        speed: f64,
        budget: &mut Budget<'_>,
    ) -> Impact {
        let g = single.h[0][0];
        if speed <= 0.0 || !single.moves(0) {
            return Impact::default();
        }
        if single.rows == 1 || friction == 0.0 {
            return Impact { impulses: [(1.0 + restitution) * speed / g, 0.0, 0.0], ..Impact::default() };
        }
        // In units of the approach speed and of the normal direction's mass 1/G_NN.
        let mut motion = Motion::new(
            [single.h[0][1] / g, single.h[1][1] / g],
            single.gamma[1] / speed,
            friction,
            self.stiffness_ratio,
            restitution,
        );
        let ended = motion.run(budget);
        let impulses = [motion.impulse[0] * speed / g, motion.impulse[1] * speed / g, 0.0];
        Impact { impulses, ended, events: motion.events, steps: motion.steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use crate::{ContactData, LawSpec, Mass, ProblemData, resolve};

    /// γ⁺ for G = [[α, δ], [δ, β]], through a factor G = LLᵀ of the directions.
    fn gamma_plus(g: [f64; 3], gamma: [f64; 2], friction: f64, restitution: f64) -> [f64; 2] {
        let [alpha, beta, delta] = g;
        let a = alpha.sqrt();
        let b = delta / a;
        let c = (beta - b * b).sqrt();
        let u = [gamma[0] / a, (gamma[1] - b * gamma[0] / a) / c];
        let contact = ContactData::new("C", [a, 0.0]).tangent([b, c]).friction(friction).restitution(restitution);
        let mass = Mass::diagonal(vec![1.0, 1.0]).unwrap();
        let problem = ImpactProblem::new(ProblemData::new(mass, u).with_contact(contact)).unwrap();
        let outcome = resolve(&problem, &LawSpec::Stronge(Stronge::default())).unwrap();
        assert_eq!(outcome.status(), Status::Solved);
        [outcome.gamma_plus[0], outcome.gamma_plus[1]]
    }

    #[test]
    fn sphere_of_the_published_figure() {
        let ratios = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0];
        let table = [
            (0.0, [-0.222886, -0.445772, -0.590559, -0.244239, 0.25, 1.25, 2.25]),
            (0.5, [-0.175178, -0.370668, -0.807584, -1.012761, -0.625, 0.375, 1.375]),
            (1.0, [0.105326, 0.105244, -0.288971, -0.677565, -0.8748, -0.5, 0.5]),
        ];
        for (e, row) in table {
            for (ratio, expected) in ratios.into_iter().zip(row) {
                for speed in [1.0, 1e-8, 1e8] {
                    let [n, t] = gamma_plus([1.0, 3.5, 0.0], [-speed, -ratio * speed], 0.5, e);
                    let found = t / -speed;
                    assert!((found - expected).abs() < 1e-6, "e = {e}, {ratio}: {found} instead of {expected}");
                    assert!((n / speed - e).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn coupled_directions() {
        let g = [2.5, 2.5, 1.5];
        let cases =
            [([-1.0, 0.3], 0.5, 1.0, [0.93511956, 0.71599713]), ([-1.0, 2.0], 2.0, 0.5, [0.57443005, -1.58848448])];
        for (gamma, friction, e, expected) in cases {
            let found = gamma_plus(g, gamma, friction, e);
            for k in 0..2 {
                assert!((found[k] - expected[k]).abs() < 1e-8, "{found:?} instead of {expected:?}");
            }
        }
    }

    #[test]
    fn coefficients_below_round_off_return_nothing() {
        for gamma in [[-1.0, 0.3], [-1.0, 2.0]] {
            let inelastic = gamma_plus([2.5, 2.5, 1.5], gamma, 0.5, 0.0);
            for e in [1e-300, 1e-160, 1e-100, 1e-20, 1e-13] {
                assert_eq!(gamma_plus([2.5, 2.5, 1.5], gamma, 0.5, e), inelastic, "e = {e}");
            }
            // Above, there is no jump.
            let [n, t] = gamma_plus([2.5, 2.5, 1.5], gamma, 0.5, 1e-11);
            assert!((n - inelastic[0]).abs() < 1e-10 && (t - inelastic[1]).abs() < 1e-10, "{n} {t} {inelastic:?}");
        }
    }

    #[test]
    fn the_normal_spring_returns_its_share_without_friction() {
        let [n, t] = gamma_plus([2.0, 3.0, 0.7], [-1.0, 0.4], 0.0, 0.6);
        assert!((n - 0.6).abs() < 1e-14);
        assert!((t - (0.4 + 0.7 * 1.6 / 2.0)).abs() < 1e-14);
    }
}
