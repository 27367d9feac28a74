//! Properties over random problems.

use delassus::Theorem;
use delassus::law::{Kinematic, NumberOrMatrix};
use delassus::{ContactData, ImpactOutcome, ImpactProblem, KineticMetric, LawSpec, Mass, ProblemData, Status, resolve};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use crate::support::{energies, solved, theorem};

/// Numbers of a problem with n coordinates; contacts with or without friction.
#[derive(Debug, Clone)]
struct Case {
    mass: DMatrix<f64>,
    velocity: DVector<f64>,
    normals: Vec<DVector<f64>>,
    tangents: Vec<DVector<f64>>,
    friction: Vec<f64>,
    restitution: DMatrix<f64>,
}

const N: usize = 5;

fn vector() -> impl Strategy<Value = DVector<f64>> {
    prop::collection::vec(-1.0..1.0, N).prop_map(DVector::from_vec)
}

fn square(size: usize) -> impl Strategy<Value = DMatrix<f64>> {
    prop::collection::vec(-1.0..1.0, size * size).prop_map(move |v| DMatrix::from_vec(size, size, v))
}

fn case(contacts: usize, friction: f64) -> impl Strategy<Value = Case> {
    let vectors = || prop::collection::vec(vector(), contacts);
    let frictions = prop::collection::vec(0.0..=friction, contacts);
    (square(N), vector(), vectors(), vectors(), frictions, square(contacts)).prop_filter_map(
        "directions and mass far from singular",
        |(factor, velocity, normals, tangents, friction, restitution)| {
            let mass = &factor * factor.transpose() + DMatrix::identity(N, N) * 0.2;
            let apart = DMatrix::from_columns(&normals).singular_values().min() > 0.1;
            let long = tangents.iter().all(|t| t.norm() > 0.1);
            (apart && long).then_some(Case { mass, velocity, normals, tangents, friction, restitution })
        },
    )
}

impl Case {
    fn problem(&self) -> ImpactProblem {
        let mass = Mass::dense(N, self.mass.as_slice().to_vec()).unwrap();
        let mut data = ProblemData::new(mass, self.velocity.as_slice());
        for (i, (normal, tangent)) in self.normals.iter().zip(&self.tangents).enumerate() {
            let contact = ContactData::new(format!("{i}"), normal.as_slice().to_vec());
            data = data.with_contact(contact.tangent(tangent.as_slice().to_vec()).friction(self.friction[i]));
        }
        ImpactProblem::new(data).unwrap()
    }

    fn law(&self) -> Kinematic {
        let rows = self.restitution.row_iter().map(|r| r.iter().copied().collect()).collect();
        Kinematic { restitution_matrix: Some(rows), ..Kinematic::default() }
    }

    fn resolve(&self) -> ImpactOutcome {
        resolve(&self.problem(), &LawSpec::Kinematic(self.law())).unwrap()
    }
}

/// The same status, number of solutions and velocity (as a function of ours).
fn same(ours: &ImpactOutcome, theirs: &ImpactOutcome, back: impl Fn(&[f64]) -> DVector<f64>) {
    assert_eq!(ours.status(), theirs.status());
    assert_eq!(ours.answer.alternatives.len(), theirs.answer.alternatives.len());
    let (u, v) = (DVector::from_column_slice(&ours.u_plus), back(&theirs.u_plus));
    assert!((&u - &v).amax() <= 1e-8 * u.amax().max(1.0), "{u} {v}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// T⁺ − T⁻ = ½ q̇_normᵀ(E_nᵀA⁻¹E_n − A⁻¹)q̇_norm, and q̇_tan is continuous.
    #[test]
    fn energy_formula(case in case(3, 0.0)) {
        let problem = case.problem();
        let outcome = solved(&problem, &case.law());
        let metric = KineticMetric::new(&problem).unwrap();
        let a = DMatrix::from_fn(3, 3, |i, j| metric.gram(i, j)).try_inverse().unwrap();
        let before = metric.split(problem.u_minus()).unwrap();
        let after = metric.split(&outcome.u_plus).unwrap();
        let v = DVector::from_vec(before.normal);
        let e = &case.restitution;
        let change = 0.5 * v.dot(&((e.transpose() * &a * e - &a) * &v));
        let (low, high) = energies(&problem, &outcome);
        prop_assert!((high - low - change).abs() <= 1e-10 * low.max(high));
        for (x, y) in before.tangential.iter().zip(&after.tangential) {
            prop_assert!((x - y).abs() <= 1e-10 * high.max(low).sqrt());
        }
        prop_assert!((DVector::from_vec(after.normal) + e * v).amax() <= 1e-10 * high.max(low).sqrt());
    }

    /// The imposed jump in a random basis given as such equals ours with the rotated matrix.
    #[test]
    fn imposed_jump(case in case(2, 0.0), turn in square(3), e in square(3)) {
        let rotation = turn.qr().q();
        // Two contacts leave three tangential directions; add tangents to carry any jump.
        let mass = Mass::dense(N, case.mass.as_slice().to_vec()).unwrap();
        let mut given = ProblemData::new(mass, case.velocity.as_slice());
        for (i, normal) in case.normals.iter().enumerate() {
            let unit = |k: usize| DVector::from_fn(N, |j, _| if j == k { 1.0 } else { 0.0 }).as_slice().to_vec();
            let contact = ContactData::new(format!("{i}"), normal.as_slice().to_vec());
            given = given.with_contact(contact.tangent(unit(2 * i)).tangent(unit(2 * i + 1)));
        }
        let problem = ImpactProblem::new(given).unwrap();
        let metric = KineticMetric::new(&problem).unwrap();
        let ours = DMatrix::from_columns(&metric.tangential_basis().into_iter().map(DVector::from_vec).collect::<Vec<_>>());
        let rows = |m: &DMatrix<f64>| m.row_iter().map(|r| r.iter().copied().collect()).collect::<Vec<Vec<f64>>>();
        let columns = |m: &DMatrix<f64>| m.column_iter().map(|c| c.iter().copied().collect()).collect::<Vec<Vec<f64>>>();
        let first = Kinematic { tangential_matrix: Some(NumberOrMatrix::Full(rows(&e))), ..case.law() };
        let second = Kinematic {
            tangential_matrix: Some(NumberOrMatrix::Full(rows(&(rotation.transpose() * &e * &rotation)))),
            tangential_basis: Some(columns(&(ours * &rotation))),
            ..case.law()
        };
        let outcome = solved(&problem, &first);
        same(&outcome, &solved(&problem, &second), DVector::from_column_slice);
        let before = DVector::from_vec(metric.split(problem.u_minus()).unwrap().tangential);
        let after = DVector::from_vec(metric.split(&outcome.u_plus).unwrap().tangential);
        let size = energies(&problem, &outcome).0.max(energies(&problem, &outcome).1).sqrt();
        prop_assert!((after + e * before).amax() <= 1e-9 * size);
    }

    /// The theorems keep their word.
    #[test]
    fn theorems(case in case(3, 0.0)) {
        let problem = case.problem();
        let guaranteed = theorem(&problem, &case.law());
        let (before, after) = energies(&problem, &solved(&problem, &case.law()));
        if guaranteed != Theorem::None {
            prop_assert!(after <= before * (1.0 + 1e-10));
        }
        let identity = Kinematic { restitution_matrix: None, ..case.law() };
        prop_assert_eq!(theorem(&problem, &identity), Theorem::Contraction);
    }

    /// One contact that approaches, 0 ≤ e: exactly one solution pushes.
    #[test]
    fn one_contact(case in case(1, 4.0), e in 0.0..1.0_f64) {
        let mut case = case;
        case.restitution[(0, 0)] = e;
        if case.normals[0].dot(&case.velocity) > 0.0 {
            case.velocity *= -1.0;
        }
        prop_assume!(case.normals[0].dot(&case.velocity).abs() > 1e-3);
        let outcome = solved(&case.problem(), &case.law());
        prop_assert!(outcome.impulses()[0] > 0.0);
        prop_assert!(outcome.answer.alternatives.iter().all(|a| a.impulses[0] < 0.0));
    }

    /// Every solution satisfies the law and Coulomb's inequality; momentum by the
    /// impulses that are reported.
    #[test]
    fn friction_law(case in case(3, 1.5)) {
        let outcome = case.resolve();
        if outcome.status() == Status::Solved {
            let problem = case.problem();
            solved(&problem, &case.law());
            let p = outcome.impulses();
            let mut momentum = &case.mass * (DVector::from_column_slice(&outcome.u_plus) - &case.velocity);
            let most = p.iter().fold(1.0_f64, |w, v| w.max(v.abs()));
            for i in 0..3 {
                let (normal, tangential) = (p[2 * i], p[2 * i + 1]);
                prop_assert!(tangential.abs() <= case.friction[i] * normal.abs() + 1e-9 * most);
                momentum -= normal * &case.normals[i] + tangential * &case.tangents[i];
            }
            prop_assert!(momentum.amax() <= 1e-9 * most);
        }
    }

    /// Generalized coordinates do not matter.
    #[test]
    fn invariance_under_coordinates(case in case(2, 1.0), change in square(N)) {
        let change = change + DMatrix::identity(N, N) * 3.0;
        let inverse = change.clone().try_inverse().unwrap();
        let other = Case {
            mass: change.transpose() * &case.mass * &change,
            velocity: &inverse * &case.velocity,
            normals: case.normals.iter().map(|w| change.transpose() * w).collect(),
            tangents: case.tangents.iter().map(|w| change.transpose() * w).collect(),
            ..case.clone()
        };
        let mass = (&other.mass + other.mass.transpose()) * 0.5;
        let other = Case { mass, ..other };
        same(&case.resolve(), &other.resolve(), |u| &change * DVector::from_column_slice(u));
    }

    /// Units of mass and velocity do not matter, from 1e-9 to 1e9.
    #[test]
    fn invariance_under_units(case in case(2, 1.0), mass in -9.0..9.0_f64, velocity in -9.0..9.0_f64) {
        let (mass, velocity) = (10_f64.powf(mass), 10_f64.powf(velocity));
        let other = Case { mass: &case.mass * mass, velocity: &case.velocity * velocity, ..case.clone() };
        same(&case.resolve(), &other.resolve(), |u| DVector::from_column_slice(u) / velocity);
    }

    /// The order of contacts does not matter.
    #[test]
    fn invariance_under_order(case in case(3, 1.0)) {
        let order = [2, 0, 1];
        let pick = |v: &[DVector<f64>]| order.map(|i| v[i].clone()).to_vec();
        let other = Case {
            normals: pick(&case.normals),
            tangents: pick(&case.tangents),
            friction: order.map(|i| case.friction[i]).to_vec(),
            restitution: DMatrix::from_fn(3, 3, |i, j| case.restitution[(order[i], order[j])]),
            ..case.clone()
        };
        same(&case.resolve(), &other.resolve(), DVector::from_column_slice);
    }

    /// The frictionless answer is the limit of small friction.
    #[test]
    fn frictionless_limit(case in case(3, 0.0)) {
        let rough = Case { friction: vec![1e-9; 3], ..case.clone() };
        let (smooth, rough) = (case.resolve(), rough.resolve());
        prop_assume!(rough.status() == Status::Solved);
        for (a, b) in smooth.u_plus.iter().zip(&rough.u_plus) {
            prop_assert!((a - b).abs() <= 1e-6);
        }
    }

    /// Degenerate problems: small integers, so that directions repeat, depend on
    /// each other and boundaries between stick and slip are met exactly.
    #[test]
    fn degenerate_problems(
        entries in prop::collection::vec(-1..=1_i32, 18),
        velocity in prop::collection::vec(-2..=2_i32, 3),
        friction in prop::collection::vec(0..=2_i32, 3),
        restitution in prop::collection::vec(0..=1_i32, 3),
    ) {
        let mut data = ProblemData::new(
            Mass::diagonal(vec![1.0, 1.0, 0.5]).unwrap(),
            velocity.iter().map(|v| f64::from(*v)).collect::<Vec<_>>(),
        );
        let columns: Vec<Vec<f64>> = entries
            .chunks(3)
            .map(|c| if c == [0, 0, 0] { vec![0.0, 1.0, 0.0] } else { c.iter().map(|v| f64::from(*v)).collect() })
            .collect();
        for (i, pair) in columns.chunks(2).enumerate() {
            let contact = ContactData::new(format!("{i}"), pair[0].clone()).tangent(pair[1].clone());
            let contact = contact.friction(0.5 * f64::from(friction[i])).restitution(f64::from(restitution[i]));
            data = data.with_contact(contact);
            let problem = ImpactProblem::new(data.clone()).unwrap();
            let outcome = resolve(&problem, &LawSpec::Kinematic(Kinematic::default())).unwrap();
            if outcome.status() == Status::Solved {
                solved(&problem, &Kinematic::default());
                prop_assert!(outcome.impulses().iter().all(|p| p.abs() < 1e3));
            }
        }
    }
}
