//! Problems that several tests share.

use delassus::law::kinematic::block::HomogeneousBlock;
use delassus::law::{Form, Kinematic};
use delassus::{ContactData, ImpactOutcome, ImpactProblem, LawSpec, Mass, ProblemData, Status, Theorem, resolve};

/// A chain of balls with the contacts between neighbours.
pub fn chain(masses: &[f64], velocity: &[f64]) -> ImpactProblem {
    let mut data = ProblemData::new(Mass::diagonal(masses.to_vec()).unwrap(), velocity);
    for i in 1..masses.len() {
        let mut normal = vec![0.0; masses.len()];
        normal[i - 1] = -1.0;
        normal[i] = 1.0;
        data = data.with_contact(ContactData::new(format!("{i}"), normal));
    }
    ImpactProblem::new(data).unwrap()
}

/// Mass, and (x, y, θ) before the impact, of a block that strikes with B.
#[derive(Debug, Clone, Copy)]
pub struct Strike {
    pub block: HomogeneousBlock,
    pub mass: f64,
    pub sliding: f64,
    pub rate: f64,
    pub friction: f64,
}

impl Strike {
    pub fn new(height: f64, width: f64) -> Self {
        Self { block: HomogeneousBlock { height, width }, mass: 1.0, sliding: 0.0, rate: -1.0, friction: 0.0 }
    }

    pub fn inertia(self) -> f64 {
        self.mass / 12.0 * (self.block.height.powi(2) + self.block.width.powi(2))
    }

    /// Corner B first, corner A second, as in the paper.
    pub fn problem(self) -> ImpactProblem {
        let HomogeneousBlock { height, width } = self.block;
        let mass = Mass::diagonal(vec![self.mass, self.mass, self.inertia()]).unwrap();
        let velocity = [self.sliding, 0.5 * width * self.rate, self.rate];
        let corner = |name: &str, arm: f64| {
            let contact = ContactData::new(name, [0.0, 1.0, arm]).tangent([1.0, 0.0, 0.5 * height]);
            contact.friction(self.friction)
        };
        let data = ProblemData::new(mass, velocity);
        let data = data.with_contact(corner("B", 0.5 * width)).with_contact(corner("A", -0.5 * width));
        ImpactProblem::new(data).unwrap()
    }
}

/// E_n given by rows.
pub fn matrix<const N: usize>(rows: [[f64; N]; N]) -> Kinematic {
    Kinematic { restitution_matrix: Some(rows.map(Vec::from).into()), ..Kinematic::default() }
}

/// A form with its coefficient.
pub fn form(form: Form, restitution: f64) -> Kinematic {
    Kinematic { form: Some(form), restitution: Some(restitution), ..Kinematic::default() }
}

/// Rocking: γ_B⁺ = 0, γ_A⁺ = −e γ_B⁻.
pub fn rocking(e: f64) -> Kinematic {
    matrix([[0.0, 0.0], [e, 0.0]])
}

/// Resolves under the law and expects a solution that satisfies the law.
pub fn solved(problem: &ImpactProblem, law: &Kinematic) -> ImpactOutcome {
    let outcome = resolve(problem, &LawSpec::Kinematic(law.clone())).unwrap();
    assert_eq!(outcome.status(), Status::Solved, "{:?} {:?}", outcome.reason, outcome.answer.warnings);
    let residual = outcome.certificate.inclusion;
    assert!(residual.unwrap() <= 1e-10, "law residual {residual:?}");
    outcome
}

/// The theorem that keeps the energy from growing.
pub fn theorem(problem: &ImpactProblem, law: &Kinematic) -> Theorem {
    resolve(problem, law).unwrap().certificate.theorem
}

/// T⁻ and T⁺.
pub fn energies(problem: &ImpactProblem, outcome: &ImpactOutcome) -> (f64, f64) {
    (problem.mass().energy(problem.u_minus()), problem.mass().energy(&outcome.u_plus))
}

#[track_caller]
pub fn close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (a, e) in actual.iter().zip(expected) {
        assert!((a - e).abs() <= tolerance, "{actual:?} is not {expected:?}");
    }
}
