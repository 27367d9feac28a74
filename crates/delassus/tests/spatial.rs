//! Inclusions with friction in two dimensions.

mod common;

use common::{Case, Random, planar_cones, spatial_cones};
use delassus::solve::enumerate::{EnumerateWork, enumerate};
use delassus::solve::spatial::{SpatialWork, find_several, solve};
use delassus::solve::{Cone, SolveStatus};
use proptest::prelude::*;

/// Directions (normal, two tangents) of contacts and a velocity with which all approach;
/// coordinates differ in mass by up to `spread`⁴.
fn random_directions(contacts: usize, coordinates: usize, spread: f64, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut random = Random(seed);
    let masses: Vec<f64> = (0..coordinates).map(|_| spread.powf(random.next())).collect();
    let mut directions: Vec<Vec<f64>> = (0..3 * contacts).map(|_| random.vector(coordinates)).collect();
    directions.iter_mut().for_each(|w| w.iter_mut().zip(&masses).for_each(|(w, m)| *w *= m));
    let u = random.vector(coordinates);
    for normal in directions.iter_mut().step_by(3) {
        let gamma: f64 = normal.iter().zip(&u).map(|(w, u)| w * u).sum();
        normal.iter_mut().for_each(|w| *w *= -gamma.signum());
    }
    let vector = directions.iter().map(|w| w.iter().zip(&u).map(|(a, b)| a * b).sum()).collect();
    (directions, vector)
}

fn random_case(contacts: usize, coordinates: usize, friction: f64, shift: f64, seed: u64) -> Case {
    let (directions, vector) = random_directions(contacts, coordinates, 1.0, seed);
    Case::from_directions(&directions, vector, spatial_cones(&vec![[friction; 2]; contacts], shift))
}

fn solved(case: &Case, tolerance: f64) -> Vec<f64> {
    let mut x = vec![0.0; case.vector.len()];
    let report = solve(&case.inclusion(), &mut SpatialWork::default(), &mut x);
    let residual = case.residual(&x);
    assert_eq!(report.status, SolveStatus::Solved, "residual {residual:e}");
    assert!(residual <= tolerance, "residual {residual:e}");
    x
}

/// A table on four legs: unit mass, inertia 0.1, feet at the corners 0.7 below its centre.
fn table(friction: [f64; 2], u: [f64; 6]) -> Case {
    let k = 0.1f64.sqrt().recip();
    let mut directions = Vec::new();
    for (x, y) in [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)] {
        let z = -0.7;
        directions.push(vec![0.0, 0.0, 1.0, y * k, -x * k, 0.0]);
        directions.push(vec![1.0, 0.0, 0.0, 0.0, z * k, -y * k]);
        directions.push(vec![0.0, 1.0, 0.0, -z * k, 0.0, x * k]);
    }
    let vector = directions.iter().map(|w| w.iter().zip(&u).map(|(w, u)| w * u).sum()).collect();
    Case::from_directions(&directions, vector, spatial_cones(&[friction; 4], 0.0))
}

#[test]
fn table_lands_flat_and_sticks_or_slides() {
    let case = table([0.5; 2], [0.3, 0.1, -1.0, 0.0, 0.0, 0.0]);
    let x = solved(&case, 1e-12);
    assert!(case.xi(&x).iter().all(|v| v.abs() < 1e-12), "sticks");
    let case = table([0.1; 2], [3.0, 4.0, -1.0, 0.0, 0.0, 0.0]);
    let x = solved(&case, 1e-12);
    let normal: f64 = x.iter().step_by(3).sum();
    let tangential: [f64; 2] = [x.iter().skip(1).step_by(3).sum(), x.iter().skip(2).step_by(3).sum()];
    assert!((normal - 1.0).abs() < 1e-12);
    assert!((tangential[0] + 0.06).abs() < 1e-12 && (tangential[1] + 0.08).abs() < 1e-12, "{tangential:?}");
}

#[test]
fn four_points_can_have_several_solutions() {
    let mut random = Random(3);
    let mut several = 0;
    for _ in 0..40 {
        let mut u = [0.0; 6];
        u.iter_mut().for_each(|v| *v = random.next());
        u[2] -= 2.0;
        let case = table([0.8; 2], u);
        let mut solutions = Vec::new();
        find_several(&case.inclusion(), 16, &mut SpatialWork::default(), &mut solutions);
        assert!(!solutions.is_empty());
        several += usize::from(solutions.len() > 1);
        for pair in solutions.windows(2) {
            assert!(pair[0].effort <= pair[1].effort);
        }
        for s in &solutions {
            assert!(case.residual(&s.x) < 1e-9);
        }
    }
    assert!(several > 0);
}

#[test]
fn three_points_have_one_solution() {
    for seed in 0..40 {
        let case = random_case(3, 9, 0.5, 0.0, seed);
        let mut solutions = Vec::new();
        let report = find_several(&case.inclusion(), 16, &mut SpatialWork::default(), &mut solutions);
        assert_eq!(solutions.len(), 1);
        assert_eq!(report.found, 1);
    }
}

#[test]
fn badly_conditioned_problems_are_solved() {
    let (mut solved, mut sharp) = (0, 0);
    for seed in 0..300 {
        // Condition numbers of 1e6 and more.
        let (directions, vector) = random_directions(3, 9, 31.6, seed);
        let case = Case::from_directions(&directions, vector, spatial_cones(&[[0.5, 0.3]; 3], 0.0));
        let mut x = vec![0.0; 9];
        let report = solve(&case.inclusion(), &mut SpatialWork::default(), &mut x);
        let residual = case.residual(&x);
        // What is not solved says so.
        assert_eq!(report.status == SolveStatus::Solved, residual <= 1e-9, "{report:?}, {residual:e}");
        solved += usize::from(residual <= 1e-9);
        sharp += usize::from(residual <= 1e-12);
    }
    assert!(solved >= 298, "{solved} of 300 solved");
    assert!(sharp >= 290, "{sharp} of 300 to 1e-12");
}

#[test]
fn redundant_contacts_are_ordinary() {
    for seed in 0..200 {
        for contacts in 4..9 {
            solved(&random_case(contacts, 6, 0.1 * contacts as f64, 0.0, seed), 1e-10);
        }
    }
}

#[test]
fn joints_clutches_and_planar_friction_take_part() {
    for seed in 0..50 {
        let mut random = Random(seed);
        let directions: Vec<Vec<f64>> = (0..9).map(|_| random.vector(12)).collect();
        let vector = random.vector(9);
        let cones = vec![
            Cone::Unilateral { row: 0 },
            Cone::Ellipse { row: 1, normal: 0, friction: [0.4, 0.7], shift: 0.1 },
            Cone::Unilateral { row: 3 },
            Cone::Line { row: 4, normal: 3, friction: 0.5, shift: 0.0 },
            Cone::Unilateral { row: 5 },
            Cone::Free { row: 6 },
            Cone::Free { row: 7 },
            Cone::Free { row: 8 },
        ];
        let mut directions = directions;
        // One joint is given twice.
        directions[8] = directions[7].clone();
        let mut vector = vector;
        vector[8] = vector[7];
        solved(&Case::from_directions(&directions, vector.clone(), cones.clone()), 1e-11);
        // The same with contradicting velocities has no solution.
        vector[8] += 0.1;
        let case = Case::from_directions(&directions, vector, cones);
        let report = solve(&case.inclusion(), &mut SpatialWork::default(), &mut [0.0; 9]);
        assert_eq!(report.status, SolveStatus::NoSolution);
    }
}

#[test]
fn nonsense_is_not_solved() {
    let mut case = random_case(1, 6, 0.5, 0.0, 1);
    case.vector[0] = f64::NAN;
    let report = solve(&case.inclusion(), &mut SpatialWork::default(), &mut [0.0; 3]);
    assert_eq!(report.status, SolveStatus::Stalled);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_problems_are_solved(seed in any::<u64>(), contacts in 1usize..9, mu in 0.0..1.0f64, shift in 0.0..0.5f64) {
        solved(&random_case(contacts, 3 * contacts, mu, shift, seed), 1e-11);
        solved(&random_case(contacts, 3 * contacts + 3, mu, 0.0, seed), 1e-11);
    }

    #[test]
    fn planar_problems_in_space_agree_with_enumeration(seed in any::<u64>(), contacts in 1usize..4, mu in 0.0..0.4f64) {
        // The second tangents live in coordinates of their own, at rest.
        let (directions, vector) = random_directions(contacts, 9, 1.0, seed);
        let (mut space, mut plane) = (Vec::new(), Vec::new());
        for (i, w) in directions.iter().enumerate() {
            if i % 3 == 2 {
                let mut own = vec![0.0; 9 + contacts];
                own[9 + i / 3] = 1.0;
                space.push(own);
            } else {
                plane.push(w.clone());
                space.push([&w[..], &vec![0.0; contacts]].concat());
            }
        }
        let in_space: Vec<f64> = vector.iter().enumerate().map(|(i, v)| if i % 3 == 2 { 0.0 } else { *v }).collect();
        let in_plane: Vec<f64> = vector.iter().enumerate().filter(|(i, _)| i % 3 != 2).map(|(_, v)| *v).collect();
        let spatial = Case::from_directions(&space, in_space, spatial_cones(&vec![[mu; 2]; contacts], 0.0));
        let planar = Case::from_directions(&plane, in_plane, planar_cones(&vec![mu; contacts], 0.0));
        let x = solved(&spatial, 1e-12);
        let xi: Vec<f64> = spatial.xi(&x).into_iter().enumerate().filter(|(i, _)| i % 3 != 2).map(|(_, v)| v).collect();
        let mut solutions = Vec::new();
        enumerate(&planar.inclusion(), &mut EnumerateWork::default(), &mut solutions);
        let close = |s: &[f64]| s.iter().zip(&xi).all(|(a, b)| (a - b).abs() < 1e-9);
        prop_assert!(solutions.iter().any(|s| close(&s.xi)), "{xi:?} is not among {solutions:?}");
    }

    #[test]
    fn tangents_may_be_rotated(seed in any::<u64>(), contacts in 1usize..4, angle in 0.0..6.3f64, mu in 0.0..0.5f64) {
        let (mut directions, mut vector) = random_directions(contacts, 12, 1.0, seed);
        let cones = spatial_cones(&vec![[mu; 2]; contacts], 0.0);
        let first = Case::from_directions(&directions, vector.clone(), cones.clone());
        let (s, c) = angle.sin_cos();
        for k in 0..contacts {
            let (t1, t2) = (3 * k + 1, 3 * k + 2);
            let (a, b) = (directions[t1].clone(), directions[t2].clone());
            directions[t1] = a.iter().zip(&b).map(|(a, b)| c * a + s * b).collect();
            directions[t2] = a.iter().zip(&b).map(|(a, b)| c * b - s * a).collect();
            let (a, b) = (vector[t1], vector[t2]);
            (vector[t1], vector[t2]) = (c * a + s * b, c * b - s * a);
        }
        let second = Case::from_directions(&directions, vector, cones);
        let (x, y) = (solved(&first, 1e-12), solved(&second, 1e-12));
        for k in 0..contacts {
            let back = [y[3 * k], c * y[3 * k + 1] - s * y[3 * k + 2], s * y[3 * k + 1] + c * y[3 * k + 2]];
            for i in 0..3 {
                prop_assert!((x[3 * k + i] - back[i]).abs() < 1e-9, "{x:?} {y:?}");
            }
        }
    }

    #[test]
    fn friction_along_one_axis_is_planar(seed in any::<u64>(), mu in 0.0..0.4f64) {
        let (directions, vector) = random_directions(1, 6, 1.0, seed);
        let ellipse = Case::from_directions(&directions, vector.clone(), spatial_cones(&[[mu, 0.0]], 0.0));
        let x = solved(&ellipse, 1e-12);
        prop_assert_eq!(x[2], 0.0);
        let line = Case::from_directions(&directions[..2], vector[..2].to_vec(), planar_cones(&[mu], 0.0));
        let y = solved(&line, 1e-12);
        prop_assert!((x[0] - y[0]).abs() < 1e-12 && (x[1] - y[1]).abs() < 1e-12);
    }

    #[test]
    fn units_do_not_matter(seed in any::<u64>(), mass in -12i32..12, speed in -12i32..12) {
        let case = random_case(3, 12, 0.5, 0.0, seed);
        let x = solved(&case, 1e-12);
        let (k, v) = (10f64.powi(mass), 10f64.powi(speed));
        let scaled = Case {
            matrix: case.matrix.iter().map(|g| g * k).collect(),
            vector: case.vector.iter().map(|b| b * v).collect(),
            cones: case.cones.clone(),
        };
        let y = solved(&scaled, 1e-12);
        for (x, y) in x.iter().zip(y) {
            prop_assert!((x - y * k / v).abs() < 1e-9);
        }
    }
}
