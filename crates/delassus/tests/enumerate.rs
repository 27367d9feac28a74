//! Enumeration of all solutions of planar inclusions.

mod common;

use common::{Case, Random, planar_cones};
use delassus::solve::enumerate::{EnumerateWork, Enumeration, Solution, enumerate};
use delassus::solve::{Cone, SolveStatus, SolveWork, solve};
use proptest::prelude::*;

fn all(case: &Case) -> Vec<Solution> {
    let mut solutions = Vec::new();
    assert_eq!(enumerate(&case.inclusion(), &mut EnumerateWork::default(), &mut solutions), Enumeration::Complete);
    for s in &solutions {
        let residual = case.residual(&s.x);
        assert!(residual < 1e-9, "residual {residual:e}");
    }
    solutions
}

/// Rod of mass 1 and half length 1 at angle φ (Θ = 1/3): G = [[α, δ], [δ, β]].
fn rod(angle: f64, friction: f64, b: [f64; 2], shift: f64) -> Case {
    let (s, c) = angle.sin_cos();
    let matrix = vec![1.0 + 3.0 * c * c, 3.0 * s * c, 3.0 * s * c, 1.0 + 3.0 * s * s];
    Case { matrix, vector: b.to_vec(), cones: planar_cones(&[friction], shift) }
}

/// A block that lands flat on points at the given places of its base, with
/// directions in the kinetic metric.
fn block(places: &[f64], friction: f64, velocity: [f64; 3]) -> Case {
    let (mass, inertia, height) = (2.0f64, 0.3f64, 0.4);
    let scale = [1.0 / mass.sqrt(), 1.0 / mass.sqrt(), 1.0 / inertia.sqrt()];
    let mut directions = Vec::new();
    let mut vector = Vec::new();
    for &p in places {
        for w in [[0.0, 1.0, p], [1.0, 0.0, height]] {
            vector.push(w.iter().zip(velocity).map(|(w, u)| w * u).sum());
            directions.push(w.iter().zip(scale).map(|(w, s)| w * s).collect());
        }
    }
    Case::from_directions(&directions, vector, planar_cones(&vec![friction; places.len()], 0.0))
}

#[test]
fn painleve_rod_has_two_solutions_in_any_units() {
    for scale in [1e-9, 1.0, 1e9] {
        let solutions = all(&rod(1.0, 5.0 / 3.0, [0.0, scale], 0.0));
        assert_eq!(solutions.len(), 2);
        assert!(solutions[0].x.iter().all(|&x| x == 0.0));
        assert!(solutions[1].x[0] > 0.0 && solutions[1].x[1] < 0.0);
        assert!(solutions[0].effort < solutions[1].effort);
        // Below the critical coefficient there is only one.
        assert_eq!(all(&rod(1.0, 0.5, [0.0, scale], 0.0)).len(), 1);
    }
}

#[test]
fn a_shift_gives_friction_to_an_open_contact() {
    // Leaving contact, sliding: the impulse is −μ·shift.
    let solutions = all(&rod(1.2, 0.5, [2.0, 3.0], 0.2));
    assert_eq!(solutions.len(), 1);
    assert!(solutions[0].x[0].abs() < 1e-15);
    assert!((solutions[0].x[1] + 0.1).abs() < 1e-15);
}

#[test]
fn block_on_many_points_has_a_set_of_impulses() {
    for places in [vec![-1.0, 1.0], vec![-1.0, 0.0, 1.0], vec![-1.0, -0.4, 0.4, 1.0]] {
        let n = places.len();
        // Falls flat and sticks: 3 equations for 2n impulses.
        let solutions = all(&block(&places, 0.9, [0.1, -1.0, 0.0]));
        assert_eq!(solutions.len(), 1, "{n} points");
        assert_eq!(solutions[0].dimension, 2 * n - 3);
        assert!(solutions[0].x.iter().step_by(2).all(|&x| x > 0.0));
        // Falls flat and slides: 2 equations for n normal impulses.
        let solutions = all(&block(&places, 0.1, [5.0, -1.0, 0.0]));
        assert_eq!(solutions.len(), 1, "{n} points");
        assert_eq!(solutions[0].dimension, n - 2);
    }
}

#[test]
fn eight_points_are_enumerated_within_seconds() {
    let places: Vec<f64> = (0..8).map(|k| -1.0 + 2.0 * k as f64 / 7.0).collect();
    let solutions = all(&block(&places, 0.9, [0.1, -1.0, 0.0]));
    assert_eq!(solutions.len(), 1);
    assert_eq!(solutions[0].dimension, 13);
}

#[test]
fn joints_and_clutches_take_part() {
    // Two unit masses joined: one contact moves both.
    let matrix = vec![1.0, 1.0, 1.0, 2.0];
    let cones = vec![Cone::Unilateral { row: 0 }, Cone::Free { row: 1 }];
    let solutions = all(&Case { matrix, vector: vec![-1.0, 0.0], cones });
    assert_eq!(solutions.len(), 1);
    assert!((solutions[0].x[0] - 2.0).abs() < 1e-14 && (solutions[0].x[1] + 1.0).abs() < 1e-14);
}

#[test]
fn inconsistent_joints_have_no_solution() {
    let cones = vec![Cone::Free { row: 0 }, Cone::Free { row: 1 }];
    assert!(all(&Case { matrix: vec![1.0; 4], vector: vec![1.0, 1.1], cones }).is_empty());
}

/// Where nothing drives a system, and friction does not jam, nothing happens.
#[test]
fn what_rests_stays_at_rest() {
    for seed in 0..50 {
        let case = random_case(2, 6, 0.5, seed);
        let still = Case { vector: vec![0.0; 4], ..case };
        let solutions = all(&still);
        assert!(solutions.len() == 1 && solutions[0].x.iter().all(|x| *x == 0.0), "seed {seed}: {solutions:?}");
    }
}

fn random_case(contacts: usize, coordinates: usize, friction: f64, seed: u64) -> Case {
    let mut random = Random(seed);
    let directions: Vec<Vec<f64>> = (0..2 * contacts).map(|_| random.vector(coordinates)).collect();
    let u = random.vector(coordinates);
    let mut vector: Vec<f64> = directions.iter().map(|w| w.iter().zip(&u).map(|(a, b)| a * b).sum()).collect();
    // Directions of approach: γ_N < 0.
    let mut directions = directions;
    for k in 0..contacts {
        if vector[2 * k] > 0.0 {
            vector[2 * k] = -vector[2 * k];
            directions[2 * k].iter_mut().for_each(|w| *w = -*w);
        }
    }
    let friction: Vec<f64> = (0..contacts).map(|_| friction * 0.5 * (1.0 + random.next())).collect();
    Case::from_directions(&directions, vector, planar_cones(&friction, 0.0))
}

#[test]
fn strong_friction_gives_several_solutions_sometimes() {
    let (mut several, mut none) = (0, 0);
    for seed in 0..800 {
        let solutions = all(&random_case(2, 6, 4.0, seed));
        several += usize::from(solutions.len() > 1);
        none += usize::from(solutions.is_empty());
    }
    assert_eq!(none, 0);
    assert!((5..120).contains(&several), "{several} of 800 have several solutions");
}

/// One contact is solved case by case, and of several solutions the one of least effort is taken.
#[test]
fn one_contact_is_answered_with_least_effort() {
    let mut several = 0;
    for seed in 0..1000 {
        let mut case = random_case(1, 3, 40.0, seed);
        // Contacts that separate may jam nevertheless.
        case.vector[0] = case.vector[0].abs();
        case.cones = match case.cones[1] {
            Cone::Line { friction, .. } => planar_cones(&[friction], if seed % 2 == 0 { 0.0 } else { 0.1 }),
            _ => unreachable!("a planar contact"),
        };
        let mut x = [0.0; 2];
        assert_eq!(solve(&case.inclusion(), &mut SolveWork::default(), &mut x).status, SolveStatus::Solved);
        let solutions = all(&case);
        several += usize::from(solutions.len() > 1);
        let apart = x.iter().zip(&solutions[0].x).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(apart < 1e-9, "seed {seed}: {x:?} {solutions:?}");
    }
    assert!(several > 20, "{several}");
}

/// Each row in units of its own: x_i/d_i, d_iξ_i.
#[test]
fn units_of_single_rows_do_not_matter() {
    let mut several = 0;
    for seed in 0..200 {
        let mut random = Random(seed + 77);
        let case = random_case(2, 6, 8.0, seed);
        let d: Vec<f64> = (0..4).map(|_| 10f64.powf(5.0 * random.next())).collect();
        let friction = |k: usize| match case.cones[2 * k + 1] {
            Cone::Line { friction, .. } => friction * d[2 * k] / d[2 * k + 1],
            _ => unreachable!("planar contacts"),
        };
        let scaled = Case {
            matrix: case.matrix.iter().enumerate().map(|(k, g)| g * d[k / 4] * d[k % 4]).collect(),
            vector: case.vector.iter().zip(&d).map(|(b, d)| b * d).collect(),
            cones: planar_cones(&[friction(0), friction(1)], 0.0),
        };
        let (usual, other) = (all(&case), all(&scaled));
        assert_eq!(usual.len(), other.len(), "seed {seed}");
        several += usize::from(usual.len() > 1);
        for (a, b) in usual.iter().zip(&other) {
            let size = a.x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            assert!(a.x.iter().zip(&b.x).zip(&d).all(|((a, b), d)| (a - b * d).abs() <= 1e-8 * size), "seed {seed}");
        }
    }
    assert!(several > 3, "{several}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn weak_friction_has_exactly_one_solution(seed in any::<u64>(), contacts in 1usize..4) {
        prop_assert_eq!(all(&random_case(contacts, 9, 0.2, seed)).len(), 1);
    }

    #[test]
    fn units_do_not_matter(seed in any::<u64>(), exponent in -9i32..9, speed in -9i32..9) {
        let case = random_case(2, 6, 3.0, seed);
        let count = all(&case).len();
        let (k, v) = (10f64.powi(exponent), 10f64.powi(speed));
        let scaled = Case {
            matrix: case.matrix.iter().map(|g| g * k).collect(),
            vector: case.vector.iter().map(|b| b * v).collect(),
            cones: case.cones.clone(),
        };
        prop_assert_eq!(all(&scaled).len(), count);
    }

    #[test]
    fn a_contact_given_twice_changes_no_velocity(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut directions: Vec<Vec<f64>> = (0..4).map(|_| random.vector(3)).collect();
        let vector = vec![-1.0, random.next(), -0.5, random.next()];
        let cones = planar_cones(&[0.4, 0.3], 0.0);
        let single = all(&Case::from_directions(&directions, vector.clone(), cones));
        directions.extend([directions[2].clone(), directions[3].clone()]);
        let doubled = Case::from_directions(
            &directions,
            [&vector[..], &vector[2..]].concat(),
            planar_cones(&[0.4, 0.3, 0.3], 0.0),
        );
        let double = all(&doubled);
        prop_assert_eq!(single.len(), double.len());
        for (a, b) in single.iter().zip(&double) {
            for (x, y) in a.xi.iter().zip(&b.xi) {
                prop_assert!((x - y).abs() < 1e-9);
            }
            let closed = a.x[2] > 1e-9;
            prop_assert!(b.dimension >= a.dimension + usize::from(closed));
        }
    }
}

/// Two contacts that nothing couples, of which one rests without impulse, open and closed at once: that is one solution,
/// whose impulses are certain. A contact given twice leaves them open.
#[test]
fn impulses_are_certain_unless_directions_depend() {
    let cones = vec![Cone::Unilateral { row: 0 }, Cone::Unilateral { row: 1 }];
    let apart = Case { matrix: vec![2.0, 0.0, 0.0, 1.0], vector: vec![-1.0, 0.0], cones: cones.clone() };
    let solutions = all(&apart);
    assert_eq!((solutions.len(), solutions[0].loose, solutions[0].dimension), (1, false, 0));
    let twice = Case { matrix: vec![1.0; 4], vector: vec![-1.0; 2], cones };
    let solutions = all(&twice);
    assert_eq!((solutions.len(), solutions[0].dimension), (1, 1));
}
