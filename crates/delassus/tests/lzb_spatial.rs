//! Spatial friction under the law `lzb`.

mod lzb_support;

use delassus::{Friction, ImpactOutcome, ImpactProblem, Mass, ProblemData, Status, resolve};
use lzb_support::{distance, lzb, spatial_contact as contact};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A body with contacts at the given points below its centre.
fn body(points: &[[f64; 3]], velocity: [f64; 6], data: &[(f64, f64, f64)], angle: f64) -> ProblemData {
    let mass = Mass::diagonal(vec![1.0, 1.0, 1.0, 0.4, 0.5, 0.7]).unwrap();
    let mut problem = ProblemData::new(mass, velocity);
    for (i, (&p, &(friction, e, stiffness))) in points.iter().zip(data).enumerate() {
        let c = contact(&format!("c{i}"), p, angle).friction(friction).restitution(e).stiffness(stiffness);
        problem.contacts.push(c);
    }
    problem
}

fn solve(data: &ProblemData) -> (ImpactProblem, ImpactOutcome) {
    let problem = ImpactProblem::new(data.clone()).unwrap();
    let outcome = resolve(&problem, &lzb(1.5)).unwrap();
    (problem, outcome)
}

fn any_body() -> impl Strategy<Value = ProblemData> {
    let one = ((-1.0..1.0f64, -1.0..1.0f64, -1.0..-0.3f64), (0.0..0.8f64, 0.1..1.0f64, 0.3..3.0f64));
    (prop::collection::vec(one, 1..5), prop::array::uniform6(-1.0..1.0f64)).prop_map(|(contacts, mut velocity)| {
        velocity[2] = -1.0 - velocity[2].abs();
        let points: Vec<_> = contacts.iter().map(|c| [c.0.0, c.0.1, c.0.2]).collect();
        let data: Vec<_> = contacts.iter().map(|c| c.1).collect();
        body(&points, velocity, &data, 0.0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, rng_seed: RngSeed::Fixed(4), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bodies_close_their_account(data in any_body()) {
        let (problem, outcome) = solve(&data);
        prop_assert_eq!(outcome.status(), Status::Solved, "{:?}", outcome.answer.warnings);
        let before = problem.mass().energy(problem.u_minus());
        let change = problem.mass().energy(&outcome.u_plus) - before;
        let sum: f64 = outcome.answer.contact_energy.iter().map(|a| a.returned - a.stored + a.friction).sum();
        prop_assert!((sum - change).abs() < 1e-9 * before, "{sum} {change}");
        for contact in problem.contacts() {
            prop_assert!(outcome.gamma_plus[contact.normal] > -1e-9);
            let t = contact.tangents.clone().fold(0.0_f64, |n, row| n.hypot(outcome.impulses()[row]));
            let mu = contact.friction.unwrap().coefficients()[0];
            prop_assert!(t <= mu * outcome.impulses()[contact.normal] * (1.0 + 1e-7) + 1e-9);
        }
    }

    #[test]
    fn turned_tangents_do_not_matter(
        points in prop::collection::vec(prop::array::uniform3(0.3..1.0f64), 1..3),
        velocity in prop::array::uniform6(-1.0..1.0f64),
        angle in 0.1..3.0f64,
    ) {
        let mut velocity = velocity;
        velocity[2] = -1.5;
        let points: Vec<[f64; 3]> = points.iter().enumerate()
            .map(|(i, p)| if i == 0 { [p[0], p[1], -p[2]] } else { [-p[0], p[1], -p[2]] }).collect();
        let data = [(0.3, 0.6, 1.0), (0.4, 0.8, 2.0)];
        let (_, straight) = solve(&body(&points, velocity, &data, 0.0));
        let (_, turned) = solve(&body(&points, velocity, &data, angle));
        prop_assert!(distance(&straight.u_plus, &turned.u_plus) < 1e-8, "{:?} {:?}", straight.u_plus, turned.u_plus);
    }
}

#[test]
fn planar_problems_in_space_agree() {
    for slide in [-1.2, -0.3, 0.0, 0.2, 0.9] {
        for (a, b) in [(0.3, 0.8), (-0.5, 0.7), (0.0, 1.0)] {
            let points = [[a, 0.0, -0.8], [b, 0.0, -0.7]];
            let velocity = [slide, 0.0, -1.0, 0.0, 0.3, 0.0];
            let spatial = body(&points, velocity, &[(0.4, 0.7, 1.0), (0.3, 0.5, 2.0)], 0.0);
            let mut planar = spatial.clone();
            planar.contacts.iter_mut().for_each(|c| c.tangents.truncate(1));
            let (spatial, planar) = (solve(&spatial).1, solve(&planar).1);
            assert_eq!(spatial.status(), Status::Solved);
            let error = distance(&spatial.u_plus, &planar.u_plus);
            assert!(error < 5e-9, "{slide} {a} {b}: {:?} {:?}", spatial.u_plus, planar.u_plus);
        }
    }
}

#[test]
fn equal_orthotropic_coefficients_are_isotropic() {
    let points = [[0.4, 0.2, -0.8], [-0.5, 0.3, -0.7]];
    let velocity = [0.4, -0.2, -1.0, 0.1, 0.3, 0.2];
    let isotropic = body(&points, velocity, &[(0.4, 0.7, 1.0), (0.3, 0.5, 2.0)], 0.0);
    let mut orthotropic = isotropic.clone();
    orthotropic.contacts[0].friction = Some(Friction::Orthotropic([0.4, 0.4]));
    orthotropic.contacts[1].friction = Some(Friction::Orthotropic([0.3, 0.3]));
    assert_eq!(solve(&isotropic).1.u_plus, solve(&orthotropic).1.u_plus);
}

/// A table (1.0 m by 0.8 m) that slides, turns and lands on its four legs: all
/// stick, are redundant, and break away together.
#[test]
fn redundant_legs_stick_and_break_away() {
    let mass = Mass::diagonal(vec![12.0, 12.0, 12.0, 0.9, 1.2, 1.6]).unwrap();
    let mut data = ProblemData::new(mass, [0.5, 0.2, -1.0, 0.0, 0.0, 0.8]);
    for (i, [x, y]) in [[-0.5, -0.4], [0.5, -0.4], [0.5, 0.4], [-0.5, 0.4]].into_iter().enumerate() {
        data.contacts.push(contact(&format!("leg {i}"), [x, y, -0.7], 0.0).friction(0.3).restitution(0.4));
    }
    let (problem, outcome) = solve(&data);
    assert_eq!(outcome.status(), Status::Solved, "{:?}", outcome.answer.warnings);
    let before = problem.mass().energy(problem.u_minus());
    let change = problem.mass().energy(&outcome.u_plus) - before;
    let sum: f64 = outcome.answer.contact_energy.iter().map(|a| a.returned - a.stored + a.friction).sum();
    assert!((sum - change).abs() < 1e-9 * before, "{sum} {change}");
    for contact in problem.contacts() {
        assert!(outcome.gamma_plus[contact.normal] > -1e-9);
        let t = contact.tangents.clone().fold(0.0_f64, |n, row| n.hypot(outcome.impulses()[row]));
        assert!(t <= 0.3 * outcome.impulses()[contact.normal] * (1.0 + 1e-9), "{}", contact.name);
    }
    // The answer does not depend on the frame of the tangents.
    for (i, contact_data) in data.contacts.iter_mut().enumerate() {
        let points = [[-0.5, -0.4], [0.5, -0.4], [0.5, 0.4], [-0.5, 0.4]];
        let [x, y] = points[i];
        *contact_data = contact(&format!("leg {i}"), [x, y, -0.7], 0.7).friction(0.3).restitution(0.4);
    }
    let (_, turned) = solve(&data);
    assert!(distance(&outcome.u_plus, &turned.u_plus) < 1e-8, "{:?} {:?}", outcome.u_plus, turned.u_plus);
}
