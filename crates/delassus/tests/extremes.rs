//! Data at the ends of their ranges: every law ends with finite numbers and an honest status.

mod common;

use common::Random;
use delassus::law::Moreau;
use delassus::{
    ContactData, Friction, ImpactError, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Solutions,
    Status, Workspace, resolve_into,
};

/// Every law, Moreau's with an index that suits all.
fn laws() -> Vec<LawSpec> {
    let mut laws = LawSpec::all();
    laws.retain(|law| law.name() != "moreau");
    laws.push(LawSpec::Moreau(Moreau { restitution: Some(0.5) }));
    laws
}

/// Inertia, contacts (normal, tangents) and velocity.
struct Body {
    name: &'static str,
    mass: Vec<f64>,
    contacts: Vec<Vec<Vec<f64>>>,
    velocity: Vec<f64>,
}

fn bodies() -> Vec<Body> {
    let (s, c) = 1.0f64.sin_cos();
    let rod = vec![vec![0.0, 1.0, -c], vec![1.0, 0.0, -s]];
    let corner = |x: f64| vec![vec![0.0, 1.0, x], vec![1.0, 0.0, 0.7]];
    let foot = |(x, y): (f64, f64)| {
        let z = -0.7;
        vec![vec![0.0, 0.0, 1.0, y, -x, 0.0], vec![1.0, 0.0, 0.0, 0.0, z, -y], vec![0.0, 1.0, 0.0, -z, 0.0, x]]
    };
    let planar = |name, contacts, velocity: [f64; 3]| Body {
        name,
        mass: vec![1.0, 1.0, 1.0 / 3.0],
        contacts,
        velocity: velocity.to_vec(),
    };
    let spatial = |name, feet: &[(f64, f64)]| Body {
        name,
        mass: vec![1.0, 1.0, 1.0, 0.1, 0.2, 0.3],
        contacts: feet.iter().copied().map(foot).collect(),
        velocity: vec![0.6, 0.3, -1.0, 0.1, 0.2, 0.3],
    };
    vec![
        planar("rod forward", vec![rod.clone()], [1.0, -0.5, 0.3]),
        planar("rod backward", vec![rod], [-1.0, -0.5, 0.3]),
        planar("block", vec![corner(-0.5), corner(0.5)], [0.4, -0.5, -0.9]),
        planar("corner twice", vec![corner(-0.5), corner(-0.5)], [0.4, -0.5, -0.9]),
        spatial("ball", &[(0.0, 0.0)]),
        spatial("corner in space", &[(0.5, 0.4)]),
        spatial("table", &[(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)]),
        spatial("foot twice", &[(-0.5, -0.4), (0.5, -0.4), (-0.5, -0.4)]),
    ]
}

impl Body {
    fn problem(&self, friction: f64, restitution: f64, mass: f64, speed: f64) -> ImpactProblem {
        self.try_problem(friction, restitution, mass, speed).unwrap()
    }

    fn try_problem(
        &self,
        friction: f64,
        restitution: f64,
        mass: f64,
        speed: f64,
    ) -> Result<ImpactProblem, ImpactError> {
        let m = Mass::diagonal(self.mass.iter().map(|m| m * mass).collect::<Vec<_>>()).unwrap();
        let mut data = ProblemData::new(m, self.velocity.iter().map(|u| u * speed).collect::<Vec<_>>());
        for (k, directions) in self.contacts.iter().enumerate() {
            let contact = ContactData::new(format!("C{k}"), directions[0].clone());
            let contact = directions[1..].iter().fold(contact, |c, t| c.tangent(t.clone()));
            data = data.with_contact(contact.friction(friction).restitution(restitution));
        }
        ImpactProblem::new(data)
    }
}

fn answer(problem: &ImpactProblem, law: &LawSpec, solutions: Solutions) -> Option<ImpactOutcome> {
    let mut outcome = ImpactOutcome::default();
    let options = Options { solutions, ..Options::default() };
    resolve_into(problem, law, &options, &mut Workspace::default(), &mut outcome).unwrap();
    (outcome.status() != Status::NotApplicable).then_some(outcome)
}

/// The answer, which must be found and finite.
fn solved(problem: &ImpactProblem, law: &LawSpec, solutions: Solutions, label: &str) -> Option<ImpactOutcome> {
    let outcome = answer(problem, law, solutions)?;
    let c = &outcome.certificate;
    assert_eq!(outcome.status(), Status::Solved, "{label} {} {solutions:?} {c:?}", law.name());
    assert!(outcome.u_plus.iter().chain(outcome.impulses()).all(|v| v.is_finite()), "{label} {}", law.name());
    Some(outcome)
}

#[test]
fn friction_of_any_size() {
    let mut compared = 0;
    for body in bodies() {
        for restitution in [0.0, 0.5, 1.0] {
            for law in laws() {
                for solutions in [Solutions::First, Solutions::Preferred, Solutions::All] {
                    let at = |friction: f64| {
                        let problem = body.problem(friction, restitution, 1.0, 1.0);
                        solved(&problem, &law, solutions, &format!("{} {friction:e} {restitution}", body.name))
                    };
                    let (Some(none), Some(tiny)) = (at(0.0), at(1e-300)) else { continue };
                    let difference =
                        none.u_plus.iter().zip(&tiny.u_plus).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                    assert!(difference < 1e-9, "{} {}", body.name, law.name());
                    compared += 1;
                    [1e6, 1e20, 1e100, 1e308].into_iter().for_each(|friction| drop(at(friction)));
                }
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// Under Newton's law with ε_T = 0 a contact that can stick does: γ_T⁺ = 0, γ_N⁺ = −εγ_N⁻.
#[test]
fn unlimited_friction_sticks_where_it_can() {
    let (mut sticking, mut slipping) = (0, 0);
    let mut random = Random(11);
    for trial in 0..200 {
        let tangents = 1 + trial % 2;
        let n = 3 * tangents;
        let directions: Vec<Vec<f64>> = (0..1 + tangents).map(|_| random.vector(n)).collect();
        let velocity = random.vector(n);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let sign = -dot(&directions[0], &velocity).signum();
        let normal: Vec<f64> = directions[0].iter().map(|v| sign * v).collect();
        let contact = ContactData::new("C", normal).friction(1e20).restitution(0.5);
        let contact = directions[1..].iter().fold(contact, |c, t| c.tangent(t.clone()));
        let mass = Mass::diagonal(vec![1.0; n]).unwrap();
        let problem = ImpactProblem::new(ProblemData::new(mass, velocity).with_contact(contact)).unwrap();
        assert_eq!(problem.contacts()[0].friction, Some(Friction::Isotropic(Friction::UNLIMITED)));
        for solutions in [Solutions::First, Solutions::Preferred, Solutions::All] {
            let newton = LawSpec::by_name("newton").unwrap();
            let outcome = solved(&problem, &newton, solutions, "one contact").unwrap();
            // Stick needs Λ_N > 0 of GΛ = −(γ_T⁻, (1 + ε)γ_N⁻).
            let g = problem.operator();
            let rows = problem.rows();
            let matrix = nalgebra::DMatrix::from_fn(rows, rows, |i, j| g.get(i, j));
            let gamma = problem.gamma_minus();
            let right = nalgebra::DVector::from_fn(rows, |i, _| -gamma[i] * if i == 0 { 1.5 } else { 1.0 });
            let stick = matrix.lu().solve(&right).unwrap();
            if stick[0] > 1e-6 * stick.amax() {
                sticking += 1;
                let error = stick.iter().zip(outcome.impulses()).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                assert!(error < 1e-7 * stick.amax(), "{trial} {stick} {:?}", outcome.impulses());
            } else {
                slipping += 1;
                assert!(outcome.impulses()[0] < 1e-6, "the tangential impulse does it all");
            }
        }
    }
    assert!(sticking > 300 && slipping > 30, "{sticking} {slipping}");
}

#[test]
fn units_of_any_size() {
    let mut compared = 0;
    for body in bodies() {
        for law in laws() {
            let reference = solved(&body.problem(0.5, 0.5, 1.0, 1.0), &law, Solutions::Preferred, body.name);
            let Some(reference) = reference else { continue };
            for mass in [1e-9, 1e9] {
                for speed in [1e-100, 1e-9, 1e9, 1e100] {
                    let label = format!("{} {mass:e} {speed:e}", body.name);
                    let problem = body.problem(0.5, 0.5, mass, speed);
                    let outcome = solved(&problem, &law, Solutions::Preferred, &label).unwrap();
                    for (a, b) in reference.u_plus.iter().zip(&outcome.u_plus) {
                        assert!((a - b / speed).abs() < 1e-7, "{label} {}: {a} {}", law.name(), b / speed);
                    }
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn rest_stays_rest() {
    let mut compared = 0;
    for body in bodies() {
        for friction in [0.0, 0.5, 1e20] {
            for law in laws() {
                let problem = body.problem(friction, 0.5, 1.0, 0.0);
                let Some(outcome) = solved(&problem, &law, Solutions::All, body.name) else { continue };
                assert!(outcome.u_plus.iter().chain(outcome.impulses()).all(|&v| v == 0.0), "{}", law.name());
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// Energies that underflow or overflow: nothing to compute with, but an end and no false answer.
#[test]
fn beyond_the_range_of_numbers() {
    let (mut refused, mut ended) = (0, 0);
    for body in bodies() {
        for law in laws() {
            for (mass, speed) in [(1e-300, 1e-200), (1e-300, 1e-9), (1.0, 1e-200), (1e300, 1.0), (1e-300, 1e200)] {
                // Refused, or with an end.
                let Ok(problem) = body.try_problem(0.5, 0.5, mass, speed) else {
                    refused += 1;
                    continue;
                };
                let Some(outcome) = answer(&problem, &law, Solutions::All) else { continue };
                ended += 1;
                let finite = outcome.u_plus.iter().chain(outcome.impulses()).all(|v| v.is_finite());
                assert!(
                    finite || outcome.status() != Status::Solved,
                    "{} {} {mass:e} {speed:e}",
                    body.name,
                    law.name()
                );
            }
        }
    }
    assert!(refused > 0 && ended > 40, "{refused} {ended}");
}

#[test]
fn a_sequence_that_gains_energy_ends() {
    let mut endless = 0;
    for seed in 0..300 {
        let mut random = Random(seed);
        let mut data = ProblemData::new(Mass::diagonal(vec![1.0; 3]).unwrap(), random.vector(3));
        for k in 0..2 {
            let contact = ContactData::new(format!("C{k}"), random.vector(3)).tangent(random.vector(3));
            data = data.with_contact(contact.friction(1e4).restitution(0.5));
        }
        let problem = ImpactProblem::new(data).unwrap();
        let outcome = answer(&problem, &LawSpec::by_name("sequential").unwrap(), Solutions::First).unwrap();
        assert!(outcome.u_plus.iter().all(|v| v.is_finite()), "{seed}");
        if outcome.status() == Status::MaxIterations {
            endless += 1;
            assert!(!outcome.answer.warnings.is_empty());
        }
    }
    assert!(endless > 0);
}
