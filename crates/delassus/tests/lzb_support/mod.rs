//! Problems of the tests of the law `lzb`.
#![allow(dead_code)]

use delassus::law::Lzb;
use delassus::{
    ContactData, Direction, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Status, Workspace,
    resolve, resolve_into,
};

/// The law with exponent η.
pub fn lzb(exponent: f64) -> LawSpec {
    LawSpec::Lzb(Lzb { exponent, ..Lzb::default() })
}

/// A chain of balls of these masses with these velocities, all contacts with
/// restitution `e` and stiffness 1.
pub fn chain(mass: &[f64], velocity: &[f64], e: f64) -> ProblemData {
    let mut data = ProblemData::new(Mass::diagonal(mass.to_vec()).unwrap(), velocity);
    for i in 0..mass.len() - 1 {
        let normal = Direction::Sparse(vec![(i, -1.0), (i + 1, 1.0)]);
        data.contacts.push(ContactData::new(format!("c{i}"), normal).restitution(e));
    }
    data
}

/// Equal balls, the first at velocity 1.
pub fn equal_chain(balls: usize, e: f64) -> ImpactProblem {
    let mut velocity = vec![0.0; balls];
    velocity[0] = 1.0;
    ImpactProblem::new(chain(&vec![1.0; balls], &velocity, e)).unwrap()
}

/// Data of a block of width L = 1 and height `a` that rocks about corner A
/// and strikes with B: u = (x, y, θ), θ̇ = −1. Contacts A, then B.
pub fn block(a: f64, friction: f64, friction_static: f64, e: f64) -> ProblemData {
    let inertia = (1.0 + a * a) / 12.0;
    let rate = -1.0;
    // Corner A at (−L/2, −l/2) is at rest; B at (L/2, −l/2).
    let velocity = vec![-0.5 * a * rate, 0.5 * rate, rate];
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0, inertia]).unwrap(), velocity);
    for (name, x) in [("A", -0.5), ("B", 0.5)] {
        data.contacts.push(
            ContactData::new(name, [0.0, 1.0, x])
                .tangent([1.0, 0.0, 0.5 * a])
                .friction(friction)
                .friction_static(friction_static)
                .restitution(e),
        );
    }
    data
}

/// |d| of the block: velocity of A after over that of B before.
pub fn dispersion(a: f64, friction: f64, friction_static: f64, e: f64) -> f64 {
    dispersion_of(block(a, friction, friction_static, e))
}

/// |d| of a block given as data.
pub fn dispersion_of(data: ProblemData) -> f64 {
    let problem = ImpactProblem::new(data).unwrap();
    let outcome = resolve(&problem, &lzb(1.5)).unwrap();
    assert_eq!(outcome.status(), delassus::Status::Solved, "{:?}", outcome.answer.warnings);
    outcome.gamma_plus[0] / problem.gamma_minus()[2].abs()
}

/// Resolves with the path recorded.
pub fn with_path(problem: &ImpactProblem, law: &LawSpec) -> ImpactOutcome {
    let mut outcome = ImpactOutcome::default();
    let options = Options { path: true, ..Options::default() };
    resolve_into(problem, law, &options, &mut Workspace::default(), &mut outcome).unwrap();
    outcome
}

/// Builds the problem and resolves it.
pub fn solve(data: &ProblemData, law: &LawSpec) -> (ImpactProblem, ImpactOutcome) {
    let problem = ImpactProblem::new(data.clone()).unwrap();
    let outcome = resolve(&problem, law).unwrap();
    (problem, outcome)
}

/// Checks an outcome by itself: it is solved, momentum and the account of
/// energy close, nothing pulls or penetrates, and friction keeps its limits.
pub fn check(problem: &ImpactProblem, outcome: &ImpactOutcome, what: &str) {
    assert_eq!(outcome.status(), Status::Solved, "{what}: {:?}", outcome.answer.warnings);
    let n = problem.coordinates();
    let (mut momentum, mut after) = (vec![0.0; n], vec![0.0; n]);
    problem.mass().multiply(problem.u_minus(), &mut momentum);
    problem.mass().multiply(&outcome.u_plus, &mut after);
    for (j, &impulse) in outcome.impulses().iter().enumerate() {
        problem.directions().add_to(j, impulse, &mut momentum);
    }
    let largest = outcome.impulses().iter().fold(1.0_f64, |m, impulse| m.max(impulse.abs()));
    assert!(distance(&momentum, &after) < 1e-12 * largest, "{what}: momentum");

    let before = problem.mass().energy(problem.u_minus());
    let change = problem.mass().energy(&outcome.u_plus) - before;
    let accounts = &outcome.answer.contact_energy;
    let sum: f64 = accounts.iter().map(|a| a.returned - a.stored + a.friction).sum();
    assert!((sum - change).abs() < 1e-9 * before, "{what}: account {sum}, change {change}");
    for (contact, account) in problem.contacts().iter().zip(accounts) {
        let normal = outcome.impulses()[contact.normal];
        assert!(outcome.gamma_plus[contact.normal] > -1e-9, "{what}: {} approaches", contact.name);
        // Impulses of velocities that count as rest are not resolved.
        assert!(normal > -1e-12 * largest, "{what}: {} pulls", contact.name);
        assert!(
            (account.stored - account.returned - account.lost - account.held).abs() < 1e-12 * before,
            "{what}: {account:?}"
        );
        assert!(account.friction <= 1e-12 * before, "{what}: friction gains energy");
        let Some(limit) = contact.friction_static.or(contact.friction) else { continue };
        let mut share = 0.0_f64;
        for (row, mu) in contact.tangents.clone().zip(limit.coefficients()) {
            let friction = outcome.impulses()[row];
            if mu == 0.0 {
                assert_eq!(friction, 0.0, "{what}: friction without coefficient");
            } else {
                share = share.hypot(friction / mu);
            }
        }
        assert!(share <= normal * (1.0 + 1e-7) + 1e-9, "{what}: friction beyond its limit");
    }
}

/// Largest difference of two vectors.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// A small deterministic generator of numbers in [0, 1).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A contact of a rigid body, u = (V, ω), at point p with normal z and
/// tangents turned by `angle` about it.
pub fn spatial_contact(name: &str, p: [f64; 3], angle: f64) -> ContactData {
    let x = [1.0, 0.0, 0.0, 0.0, p[2], -p[1]];
    let y = [0.0, 1.0, 0.0, -p[2], 0.0, p[0]];
    let z = [0.0, 0.0, 1.0, p[1], -p[0], 0.0];
    let (c, s) = (angle.cos(), angle.sin());
    let mix = |a: f64, b: f64| -> Vec<f64> { (0..6).map(|i| a * x[i] + b * y[i]).collect() };
    ContactData::new(name, z).tangent(mix(c, s)).tangent(mix(-s, c))
}
