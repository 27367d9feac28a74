//! Proofs that friction is too weak for a second solution.

mod common;

use common::{Case, Random, planar_cones, spatial_cones};
use delassus::solve::enumerate::{EnumerateWork, enumerate};
use delassus::solve::spatial::{SpatialWork, find_several, is_unique};
use delassus::solve::{Cone, SolveStatus, SolveWork, solve};

fn random_case(contacts: usize, tangents: usize, seed: u64, cones: Vec<Cone>) -> Case {
    let mut random = Random(seed);
    let rows = (1 + tangents) * contacts;
    let directions: Vec<Vec<f64>> = (0..rows).map(|_| random.vector(rows + 3)).collect();
    let vector = random.vector(rows);
    Case::from_directions(&directions, vector, cones)
}

fn proved(case: &Case) -> bool {
    is_unique(&case.inclusion(), &mut SpatialWork::default())
}

#[test]
fn what_is_proved_has_one_solution() {
    let mut proofs = 0;
    for seed in 0..400 {
        let mut random = Random(seed + 1000);
        let contacts = 1 + (seed % 4) as usize;
        let friction: Vec<[f64; 2]> =
            (0..contacts).map(|_| [1.0 + random.next(), 1.0 + random.next()].map(|m| 0.5 * m)).collect();
        let shift = if seed % 3 == 0 { 0.3 } else { 0.0 };
        let case = random_case(contacts, 2, seed, spatial_cones(&friction, shift));
        if proved(&case) {
            proofs += 1;
            let mut solutions = Vec::new();
            find_several(&case.inclusion(), 24, &mut SpatialWork::default(), &mut solutions);
            assert_eq!(solutions.len(), 1, "seed {seed}");
        }
    }
    assert!(proofs > 150, "{proofs} of 400 proved");
}

#[test]
fn planar_proofs_agree_with_enumeration() {
    let (mut proofs, mut several) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random(seed);
        let friction: Vec<f64> = (0..2).map(|_| 2.0 * (1.0 + random.next())).collect();
        let case = random_case(2, 1, seed, planar_cones(&friction, 0.0));
        let mut solutions = Vec::new();
        enumerate(&case.inclusion(), &mut EnumerateWork::default(), &mut solutions);
        several += usize::from(solutions.len() > 1);
        if proved(&case) {
            proofs += 1;
            assert_eq!(solutions.len(), 1, "seed {seed}");
        }
    }
    assert!(proofs > 300 && several > 10, "{proofs} proved, {several} with several solutions");
}

/// One contact with G_NN = G_TT = 1 and the coupling G_NT = d.
fn coupled(d: f64, friction: f64, spatial: bool) -> Case {
    let mut directions = vec![vec![1.0, 0.0, 0.0], vec![d, (1.0 - d * d).sqrt(), 0.0]];
    if spatial {
        directions.push(vec![0.0, 0.0, 1.0]);
    }
    let cones = if spatial { spatial_cones(&[[friction; 2]], 0.0) } else { planar_cones(&[friction], 0.0) };
    Case::from_directions(&directions, vec![-1.0; directions.len()], cones)
}

#[test]
fn one_contact_is_unique_up_to_critical_friction() {
    for d in [0.1, 0.3, 0.5, 0.7] {
        // Above μ = 1/d two solutions exist for some velocities.
        let critical = 1.0 / d;
        for spatial in [false, true] {
            assert!(!proved(&coupled(d, 1.001 * critical, spatial)), "{d}");
            assert!(!proved(&coupled(d, 10.0 * critical, spatial)), "{d}");
        }
        assert!(proved(&coupled(d, 0.9 * critical, false)), "{d}");
        assert!(proved(&coupled(d, 0.7 * critical, true)), "{d}");
    }
}

#[test]
fn without_coupling_any_friction_is_unique() {
    for friction in [0.0, 0.5, 5.0, 1e3, 1e10] {
        assert!(proved(&coupled(0.0, friction, true)), "{friction}");
    }
}

#[test]
fn joints_and_clutches_take_part() {
    let mut proofs = 0;
    for seed in 0..100 {
        let mut random = Random(seed);
        let mut directions: Vec<Vec<f64>> = (0..9).map(|_| random.vector(12)).collect();
        let mut vector = random.vector(9);
        let cones = vec![
            Cone::Unilateral { row: 0 },
            Cone::Ellipse { row: 1, normal: 0, friction: [0.2, 0.3], shift: 0.1 },
            Cone::Unilateral { row: 3 },
            Cone::Line { row: 4, normal: 3, friction: 0.2, shift: 0.0 },
            Cone::Unilateral { row: 5 },
            Cone::Free { row: 6 },
            Cone::Free { row: 7 },
            Cone::Free { row: 8 },
        ];
        let case = Case::from_directions(&directions, vector.clone(), cones.clone());
        if proved(&case) {
            proofs += 1;
            let mut solutions = Vec::new();
            find_several(&case.inclusion(), 12, &mut SpatialWork::default(), &mut solutions);
            assert_eq!(solutions.len(), 1, "seed {seed}");
        }
        // A joint given twice leaves its impulse open.
        directions[8] = directions[7].clone();
        vector[8] = vector[7];
        assert!(!proved(&Case::from_directions(&directions, vector, cones)));
    }
    assert!(proofs > 50, "{proofs}");
}

#[test]
fn redundant_contacts_prove_nothing() {
    let mut random = Random(5);
    let mut directions: Vec<Vec<f64>> = (0..3).map(|_| random.vector(6)).collect();
    directions.extend_from_within(..);
    let case = Case::from_directions(&directions, vec![-1.0; 6], spatial_cones(&[[0.1; 2]; 2], 0.0));
    assert!(!proved(&case));
}

#[test]
fn units_do_not_matter() {
    for seed in 0..60 {
        let case = random_case(2, 2, seed, spatial_cones(&[[0.5; 2]; 2], 0.0));
        let scaled = Case { matrix: case.matrix.iter().map(|g| g * 1e9).collect(), ..case.clone() };
        assert_eq!(proved(&case), proved(&scaled));
    }
}

/// Solutions of one contact, counted by scanning the directions of slip.
fn scan(case: &Case, friction: f64) -> usize {
    const SAMPLES: usize = 20_000;
    let g = |i: usize, j: usize| case.matrix[3 * i + j];
    let b = &case.vector;
    let mut count = usize::from(b[0] >= 0.0);
    let matrix = nalgebra::Matrix3::from_fn(g);
    let stick = matrix.lu().solve(&nalgebra::Vector3::new(-b[0], -b[1], -b[2])).unwrap();
    count += usize::from(stick[0] >= 0.0 && stick[1].hypot(stick[2]) <= friction * stick[0]);
    // Slip along d: x_T = −μ x_N d with ξ_N = 0; ξ_T must point along d.
    let across = |k: usize| {
        let (s, c) = (std::f64::consts::TAU * k as f64 / SAMPLES as f64).sin_cos();
        let x_n = -b[0] / (g(0, 0) - friction * (g(0, 1) * c + g(0, 2) * s));
        let x = [x_n, -friction * x_n * c, -friction * x_n * s];
        let xi = case.xi(&x);
        (c * xi[2] - s * xi[1], c * xi[1] + s * xi[2] > 0.0 && x_n > 0.0)
    };
    for k in 0..SAMPLES {
        let ((before, _), (after, holds)) = (across(k), across(k + 1));
        // A sign change through infinity is no zero.
        count += usize::from((before > 0.0) != (after > 0.0) && holds && (before - after).abs() < 1.0);
    }
    count
}

#[test]
fn one_contact_has_as_many_solutions_as_a_scan_finds() {
    let mut several = 0;
    for seed in 0..150 {
        let mut random = Random(seed);
        let directions: Vec<Vec<f64>> = (0..3).map(|_| random.vector(4)).collect();
        let mut vector = random.vector(3);
        vector[0] *= 0.2;
        let friction = 4.0;
        let case = Case::from_directions(&directions, vector, spatial_cones(&[[friction; 2]], 0.0));
        let mut solutions = Vec::new();
        let report = find_several(&case.inclusion(), 2, &mut SpatialWork::default(), &mut solutions);
        assert!(report.complete, "{seed}");
        assert_eq!(solutions.len(), scan(&case, friction), "{seed}");
        assert!(solutions.iter().all(|s| case.residual(&s.x) < 1e-9), "{seed}");
        several += usize::from(solutions.len() > 1);
    }
    assert!(several > 5, "{several}");
}

/// A planar contact that separates by itself stays as it is, though strong friction could jam it as well: of several
/// solutions none has less xᵀGx than x = 0.
#[test]
fn a_contact_that_separates_is_not_jammed() {
    let (mut random, mut several) = (Random(77), 0);
    for round in 0..400 {
        let directions = [random.vector(3), random.vector(3)];
        let vector = vec![0.5 + 0.5 * random.next(), random.next()];
        let friction = 5.0 * (1.0 + random.next());
        let case = Case::from_directions(&directions, vector, planar_cones(&[friction], 0.0));
        let mut x = vec![f64::NAN; 2];
        let report = solve(&case.inclusion(), &mut SolveWork::default(), &mut x);
        assert_eq!((report.status, &x[..]), (SolveStatus::Solved, &[0.0, 0.0][..]), "{round}");
        let mut solutions = Vec::new();
        enumerate(&case.inclusion(), &mut EnumerateWork::default(), &mut solutions);
        assert_eq!(report.found, solutions.len(), "{round}");
        several += usize::from(solutions.len() > 1);
    }
    assert!(several > 20, "{several}");
}

/// Two of three contacts along nearly the same direction: impulses could be shared otherwise with hardly another velocity,
/// and nothing is proved, whichever two they are. Where they differ clearly it is.
#[test]
fn nearly_dependent_directions_prove_nothing() {
    for (first, second) in [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)] {
        for (angle, expected) in [(0.3, true), (1e-2, true), (1e-3, false), (1e-4, false), (1e-8, false)] {
            // Every row along an axis of its own, but for one normal.
            let mut directions: Vec<Vec<f64>> =
                (0..9).map(|row| (0..9).map(|k| if k == row { 1.0 } else { 0.0 }).collect()).collect();
            let (a, b) = (3 * first, 3 * second);
            directions[b][a] = 1.0;
            directions[b][b] = angle;
            let vector = vec![-1.0; 9];
            let case = Case::from_directions(&directions, vector, spatial_cones(&[[1e-9; 2]; 3], 0.0));
            assert_eq!(proved(&case), expected, "{first}, {second}: {angle}");
        }
    }
}
