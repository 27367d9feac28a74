//! Stronge's law beside the springs that it stands for, followed in time by short steps.

use delassus::law::Stronge;
use delassus::{ContactData, ImpactProblem, LawSpec, Mass, ProblemData, Status, resolve};

mod common;
use common::Random;

/// One contact: G = [[α, δ], [δ, β]] as (α, β, δ), γ⁻, μ, e and η².
#[derive(Debug, Clone, Copy)]
struct Blow {
    g: [f64; 3],
    gamma: [f64; 2],
    friction: f64,
    restitution: f64,
    ratio: f64,
}

impl Blow {
    /// γ⁺ of the library, through a factor G = LLᵀ of the directions.
    fn library(&self) -> [f64; 2] {
        let [alpha, beta, delta] = self.g;
        let a = alpha.sqrt();
        let b = delta / a;
        let c = (beta - b * b).sqrt();
        let u = [self.gamma[0] / a, (self.gamma[1] - b * self.gamma[0] / a) / c];
        let contact = ContactData::new("c", [a, 0.0]).tangent([b, c]);
        let contact = contact.friction(self.friction).restitution(self.restitution);
        let data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0]).unwrap(), u).with_contact(contact);
        let law = LawSpec::Stronge(Stronge { stiffness_ratio: self.ratio });
        let outcome = resolve(&ImpactProblem::new(data).unwrap(), &law).unwrap();
        assert_eq!(outcome.status(), Status::Solved);
        [outcome.gamma_plus[0], outcome.gamma_plus[1]]
    }

    /// γ⁺ by steps of the midpoint rule with springs of stiffness 1 and 1/η² in units of the normal direction. A
    /// tangential spring that would pull more than friction holds slips until it does not.
    fn springs(&self) -> [f64; 2] {
        let [alpha, beta, delta] = self.g.map(|g| g / self.g[0]);
        let k = 1.0 / self.ratio;
        let h = 2e-4 / (beta * k).sqrt().max(1.0) * self.restitution.max(0.1);
        let step = |[n, t, z, x]: [f64; 4], [m, s, y, w]: [f64; 4], h: f64| {
            // From the first state with the rates of the second.
            let (normal, tangential) = (y, -k * w);
            let c = if m > 0.0 { self.restitution.powi(-2) } else { 1.0 };
            let z = z - h * c * m;
            let limit = (self.friction * z / k).max(0.0);
            let stretched = (x + h * s).clamp(-limit, limit);
            [n + h * (alpha * normal + delta * tangential), t + h * (delta * normal + beta * tangential), z, stretched]
        };
        let mut state = [self.gamma[0], self.gamma[1], 0.0, 0.0];
        loop {
            let middle = step(state, state, 0.5 * h);
            state = step(state, middle, h);
            let [n, t, z, _] = state;
            if n > 0.0 && (z <= 0.0 || self.restitution == 0.0) {
                return [n, t];
            }
        }
    }
}

/// Sticking, sliding, turning round and sliding back, with and without coupling.
#[test]
fn springs_followed_in_time_come_to_the_same() {
    let mut random = Random(31);
    let mut reversed = 0;
    for round in 0..120 {
        let [alpha, beta] = [0; 2].map(|_| 10f64.powf(0.5 * random.next()));
        let delta = if round % 4 == 0 { 0.0 } else { 0.8 * random.next() * (alpha * beta).sqrt() };
        let blow = Blow {
            g: [alpha, beta, delta],
            gamma: [-1.0, 3.0 * random.next()],
            friction: 0.8 + 0.7 * random.next(),
            restitution: if round % 5 == 0 { 0.0 } else { 0.65 + 0.35 * random.next() },
            // Both springs as fast as each other, where nothing couples them, or any ratio.
            ratio: if round % 8 == 0 { beta / alpha } else { 10f64.powf(0.5 * random.next()) },
        };
        let (found, expected) = (blow.library(), blow.springs());
        for k in 0..2 {
            assert!((found[k] - expected[k]).abs() < 2e-3, "{round} {blow:?}: {found:?} instead of {expected:?}");
        }
        reversed += usize::from(found[1] * blow.gamma[1] < -0.05);
    }
    assert!(reversed > 20, "{reversed}");
}

/// Where both springs are equally fast the formulas for different frequencies have a limit, and it is taken.
#[test]
fn equal_frequencies_are_the_limit_of_different_ones() {
    for (beta, friction, slip, e) in
        [(3.5, 2.0, 0.4, 1.0), (2.0, 0.9, -0.8, 1.0), (1.0, 1.5, 1.1, 0.6), (0.7, 3.0, 0.5, 0.0)]
    {
        let blow =
            |ratio: f64| Blow { g: [1.0, beta, 0.0], gamma: [-1.0, slip], friction, restitution: e, ratio }.library();
        let (equal, near) = (blow(beta), [1e-4, -1e-4].map(|d| blow(beta * (1.0 + d))));
        for k in 0..2 {
            // Of second order in the difference.
            let limit = 0.5 * (near[0][k] + near[1][k]);
            assert!((equal[k] - limit).abs() < 1e-6, "{beta} {friction}: {} instead of {limit}", equal[k]);
        }
    }
}
