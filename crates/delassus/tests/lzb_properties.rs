//! What the law `lzb` must satisfy for any problem.

mod lzb_support;

use delassus::law::Lzb;
use delassus::{
    ClutchData, ContactData, Direction, ImpactOutcome, ImpactProblem, JointData, LawSpec, Mass, Options, ProblemData,
    Status, Workspace, resolve, resolve_into,
};
use lzb_support::{block, chain, check, distance, equal_chain, lzb, solve, with_path};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A body in the plane with two or three contacts in general position.
fn body() -> impl Strategy<Value = ProblemData> {
    let contact = (-1.0..1.0f64, -1.0..-0.2f64, 0.0..0.9f64, 1.0..1.6f64, 0.0..1.0f64, 0.2..5.0f64);
    (prop::collection::vec(contact, 2..4), 0.2..2.0f64, prop::array::uniform3(-1.0..1.0f64)).prop_map(
        |(contacts, inertia, mut velocity)| {
            velocity[1] = -1.0 - velocity[1].abs();
            let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 1.5, inertia]).unwrap(), velocity);
            for (i, (x, y, friction, ratio, e, stiffness)) in contacts.into_iter().enumerate() {
                data.contacts.push(
                    ContactData::new(format!("c{i}"), [0.0, 1.0, x])
                        .tangent([1.0, 0.0, -y])
                        .friction(friction)
                        .friction_static(friction * ratio)
                        .restitution(e)
                        .stiffness(stiffness),
                );
            }
            data
        },
    )
}

/// A chain of 3 to 6 balls.
fn balls() -> impl Strategy<Value = ProblemData> {
    (prop::collection::vec((0.3..3.0f64, 0.0..1.0f64, 0.2..5.0f64), 3..7), 0.5..2.0f64).prop_map(|(balls, speed)| {
        let mass: Vec<f64> = balls.iter().map(|b| b.0).collect();
        let mut velocity = vec![0.0; mass.len()];
        velocity[0] = speed;
        let mut data = chain(&mass, &velocity, 1.0);
        for (contact, ball) in data.contacts.iter_mut().zip(&balls) {
            contact.restitution = ball.1;
            contact.stiffness = ball.2;
        }
        data
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, rng_seed: RngSeed::Fixed(4), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bodies_keep_momentum_and_close_their_account(data in body()) {
        let (problem, outcome) = solve(&data, &lzb(1.5));
        check(&problem, &outcome, "body");
    }

    #[test]
    fn chains_keep_momentum_and_close_their_account(data in balls(), exponent in prop::sample::select(vec![1.0, 1.5, 2.0, 2.7])) {
        let (problem, outcome) = solve(&data, &lzb(exponent));
        check(&problem, &outcome, "chain");
    }

    #[test]
    fn elastic_frictionless_impacts_keep_energy(mut data in balls()) {
        data.contacts.iter_mut().for_each(|c| c.restitution = 1.0);
        let (problem, outcome) = solve(&data, &lzb(1.5));
        let (before, after) = (problem.mass().energy(problem.u_minus()), problem.mass().energy(&outcome.u_plus));
        prop_assert!((after - before).abs() < 1e-10 * before, "{before} {after}");
    }

    #[test]
    fn only_ratios_of_stiffness_matter(data in body(), factor in prop::sample::select(vec![1e-9, 1e-3, 7.0, 1e12])) {
        let (_, outcome) = solve(&data, &lzb(1.5));
        let mut other = data;
        other.contacts.iter_mut().for_each(|c| c.stiffness *= factor);
        let (_, scaled) = solve(&other, &lzb(1.5));
        prop_assert!(distance(&outcome.u_plus, &scaled.u_plus) < 1e-9, "{:?} {:?}", outcome.u_plus, scaled.u_plus);
    }

    #[test]
    fn units_do_not_matter(data in body(), mass in prop::sample::select(vec![1e-9, 1e9]), speed in prop::sample::select(vec![1e-9, 1e9])) {
        let (_, outcome) = solve(&data, &lzb(1.5));
        let mut other = data.clone();
        let heavy = data.mass.to_dense().iter().map(|m| m * mass).collect();
        other.mass = Mass::dense(3, heavy).unwrap();
        other.velocity.iter_mut().for_each(|v| *v *= speed);
        let (_, scaled) = solve(&other, &lzb(1.5));
        let u: Vec<f64> = scaled.u_plus.iter().map(|v| v / speed).collect();
        prop_assert!(distance(&outcome.u_plus, &u) < 1e-9, "{:?} {:?}", outcome.u_plus, u);
    }

    #[test]
    fn coordinates_do_not_matter(data in body(), shear in prop::array::uniform3(-0.8..0.8f64)) {
        // u = Bq with B unit upper triangular: M → BᵀMB, w → Bᵀw.
        let (_, outcome) = solve(&data, &lzb(1.5));
        let b = [[1.0, shear[0], shear[1]], [0.0, 1.0, shear[2]], [0.0, 0.0, 1.0]];
        let m = data.mass.to_dense();
        let mut mass = vec![0.0; 9];
        for i in 0..3 { for j in 0..3 { for k in 0..3 { mass[i * 3 + j] += b[k][i] * m[k * 3 + k] * b[k][j]; } } }
        let turn = |d: &Direction| match d {
            Direction::Dense(w) => Direction::Dense((0..3).map(|i| (0..3).map(|k| b[k][i] * w[k]).sum()).collect()),
            Direction::Sparse(_) => unreachable!(),
        };
        let mut other = data.clone();
        other.mass = Mass::dense(3, mass).unwrap();
        for contact in &mut other.contacts {
            contact.normal = turn(&contact.normal);
            contact.tangents = contact.tangents.iter().map(turn).collect();
        }
        let u = &data.velocity;
        let q2 = u[2];
        let q1 = u[1] - shear[2] * q2;
        let q0 = u[0] - shear[0] * q1 - shear[1] * q2;
        other.velocity = vec![q0, q1, q2];
        let (_, turned) = solve(&other, &lzb(1.5));
        let q = &turned.u_plus;
        let back = [q[0] + shear[0] * q[1] + shear[1] * q[2], q[1] + shear[2] * q[2], q[2]];
        prop_assert!(distance(&outcome.u_plus, &back) < 1e-9);
    }

    #[test]
    fn order_of_contacts_does_not_matter(data in body()) {
        let (_, outcome) = solve(&data, &lzb(1.5));
        let mut other = data;
        other.contacts.reverse();
        let (_, reversed) = solve(&other, &lzb(1.5));
        prop_assert!(distance(&outcome.u_plus, &reversed.u_plus) < 1e-9);
    }

    #[test]
    fn weak_friction_tends_to_none(mut data in body()) {
        let set = |data: &mut ProblemData, friction: f64| data.contacts.iter_mut().for_each(|c| {
            c.friction = Some(friction.into());
            c.friction_static = None;
        });
        set(&mut data, 1e-10);
        let (_, weak) = solve(&data, &lzb(1.5));
        set(&mut data, 0.0);
        let (_, none) = solve(&data, &lzb(1.5));
        prop_assert!(distance(&weak.u_plus, &none.u_plus) < 2e-8, "{:?} {:?}", weak.u_plus, none.u_plus);
    }

    #[test]
    fn symmetric_blocks_give_symmetric_answers(a in 0.3..3.0f64, friction in 0.0..1.0f64, e in 0.0..1.0f64) {
        let mut data = block(a, friction, friction, e);
        data.velocity = vec![0.0, -1.0, 0.0];
        let (_, outcome) = solve(&data, &lzb(1.5));
        prop_assert!(distance(&outcome.u_plus, &[0.0, e, 0.0]) < 1e-9, "{:?}", outcome.u_plus);
    }

    #[test]
    fn remembered_gaps_also_close_the_account(data in balls()) {
        let law = LawSpec::Lzb(Lzb { keep_gaps: true, ..Lzb::default() });
        let (problem, outcome) = solve(&data, &law);
        check(&problem, &outcome, "chain");
    }
}

#[test]
fn inelastic_chain_moves_together() {
    let outcome = resolve(&equal_chain(3, 0.0), &lzb(1.5)).unwrap();
    assert_eq!(outcome.status(), Status::Solved);
    assert!(distance(&outcome.u_plus, &[1.0 / 3.0; 3]) < 1e-10, "{:?}", outcome.u_plus);
}

#[test]
fn long_chains_end_as_verified() {
    for balls in [50, 1000] {
        let outcome = resolve(&equal_chain(balls, 1.0), &lzb(1.5)).unwrap();
        assert_eq!(outcome.status(), Status::Solved);
        let last = &outcome.u_plus[balls - 3..];
        assert!(distance(last, &[0.0040125, 0.14860046, 0.98567886]) < 5e-8, "{balls}: {last:?}");
    }
}

#[test]
fn tighter_tolerance_converges() {
    for balls in [3, 10] {
        let solve = |tolerance: f64| {
            let law = LawSpec::Lzb(Lzb { tolerance, ..Lzb::default() });
            resolve(&equal_chain(balls, 1.0), &law).unwrap().u_plus
        };
        let exact = solve(1e-14);
        let error = distance(&solve(Lzb::default().tolerance), &exact);
        assert!(error < 1e-9, "{balls} balls: default error {error:e}");
        let coarse = distance(&solve(1e-6), &exact);
        assert!(coarse < 1e-5 && coarse > error, "{balls} balls: {coarse:e}");
    }
}

#[test]
fn one_ball_between_joint_and_contact() {
    // Two unit masses joined rigidly act as one of mass 2.
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0, 2.0]).unwrap(), [1.0, 1.0, 0.0]);
    data.contacts.push(ContactData::new("c", [0.0, -1.0, 1.0]).restitution(0.5));
    data.joints.push(JointData {
        name: "rod".into(),
        directions: vec![[1.0, -1.0, 0.0].into()],
        restitution: 0.0,
        offset: vec![],
    });
    let (_, outcome) = solve(&data, &lzb(1.5));
    assert!(distance(&outcome.u_plus, &[0.25, 0.25, 0.75]) < 1e-10, "{:?}", outcome.u_plus);
    assert!((outcome.impulses()[1].abs() - 0.75).abs() < 1e-10);
    data.velocity[0] = 0.0;
    let error = resolve(&ImpactProblem::new(data).unwrap(), &lzb(1.5)).unwrap_err();
    assert!(error.to_string().contains("a joint must hold"), "{error}");
}

#[test]
fn clutch_blocks_one_direction() {
    // A ball hits the first of two masses; the clutch lets mass 2 run ahead of mass 1, not fall behind.
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0, 1.0]).unwrap(), [1.0, 0.0, 0.0]);
    data.contacts.push(ContactData::new("c", [-1.0, 1.0, 0.0]).restitution(1.0));
    data.clutches.push(ClutchData {
        name: "k".into(),
        direction: [0.0, -1.0, 1.0].into(),
        restitution: 0.0,
        offset: 0.0,
    });
    let (_, outcome) = solve(&data, &lzb(1.5));
    assert!(distance(&outcome.u_plus, &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) < 1e-10, "{:?}", outcome.u_plus);
    data.clutches[0].direction = [0.0, 1.0, -1.0].into();
    let (_, outcome) = solve(&data, &lzb(1.5));
    assert!(distance(&outcome.u_plus, &[0.0, 1.0, 0.0]) < 1e-10, "{:?}", outcome.u_plus);
    data.velocity[2] = 0.5;
    let error = resolve(&ImpactProblem::new(data).unwrap(), &lzb(1.5)).unwrap_err();
    assert!(error.to_string().contains("clutch"), "{error}");
}

#[test]
fn external_impulse_acts_first_and_supports_move() {
    let mut data = ProblemData::new(Mass::diagonal(vec![2.0]).unwrap(), [0.0]);
    data.impulse = vec![-4.0];
    let mut floor = ContactData::new("floor", [1.0]).restitution(0.5);
    floor.offset = vec![-1.0];
    data.contacts.push(floor);
    // u = −2 after F; γ = −3 against a table that rises at 1; γ⁺ = 1.5.
    let (_, outcome) = solve(&data, &lzb(1.5));
    assert!((outcome.u_plus[0] - 2.5).abs() < 1e-10, "{:?}", outcome.u_plus);
}

#[test]
fn bad_data_are_refused() {
    let problem = equal_chain(3, 1.0);
    for law in [
        Lzb { exponent: 0.0, ..Lzb::default() },
        Lzb { exponent: f64::NAN, ..Lzb::default() },
        Lzb { tolerance: 0.0, ..Lzb::default() },
    ] {
        assert!(resolve(&problem, &LawSpec::Lzb(law)).is_err());
    }
    assert!(resolve(&equal_chain(3, 1.5), &lzb(1.5)).is_err());
    let mut data = block(1.0, 0.1, 0.1, 0.5);
    data.contacts[0].friction = None;
    data.contacts[0].friction_static = None;
    assert_eq!(solve(&data, &lzb(1.5)).1.status(), Status::NotApplicable);
}

#[test]
fn path_runs_from_start_to_answer() {
    let data = block(0.9, 0.3, 0.5, 0.8);
    let problem = ImpactProblem::new(data).unwrap();
    let outcome = with_path(&problem, &lzb(1.5));
    let path = outcome.answer.path.as_ref().unwrap();
    assert!(path.len() > 40);
    assert!(path.tau.windows(2).all(|w| w[1] >= w[0]));
    assert!(distance(path.velocities_at(0), problem.u_minus()) < 1e-15);
    assert!(distance(path.velocities_at(path.len() - 1), &outcome.u_plus) < 1e-12);
    assert!(distance(path.impulses_at(path.len() - 1), outcome.impulses()) < 1e-15);
    assert!(distance(path.gamma_at(path.len() - 1), &outcome.gamma_plus) < 1e-12);
    assert!(path.compressions.iter().any(|&d| d > 0.0));
    let plain = resolve(&problem, &lzb(1.5)).unwrap();
    assert!(plain.answer.path.is_none());
    assert!(distance(&plain.u_plus, &outcome.u_plus) < 1e-9);
}

#[test]
fn a_low_step_limit_is_a_status() {
    let law = LawSpec::Lzb(Lzb { max_steps: Some(5), ..Lzb::default() });
    let outcome = resolve(&equal_chain(3, 1.0), &law).unwrap();
    assert_eq!(outcome.status(), Status::MaxIterations);
    assert!(!outcome.answer.warnings.is_empty());
}

#[test]
fn buffers_can_serve_different_problems() {
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    for balls in [10, 3, 5, 3] {
        let problem = equal_chain(balls, 0.9);
        resolve_into(&problem, &lzb(1.5), &Options::default(), &mut work, &mut outcome).unwrap();
        assert_eq!(outcome.u_plus, resolve(&problem, &lzb(1.5)).unwrap().u_plus);
    }
}
