//! Inclusions with friction in two dimensions.

mod common;

use common::{Case, Random, planar_cones, spatial_cones};
use delassus::solve::spatial::{SpatialWork, find_several, solve};
use delassus::solve::{Cone, SolveStatus};
use proptest::prelude::*;

/// Contacts with random directions on `coordinates` generalized velocities; all approach.
fn random_case(contacts: usize, coordinates: usize, friction: &[[f64; 2]], shift: f64, seed: u64) -> Case {
    let mut random = Random(seed);
    let mut directions: Vec<Vec<f64>> = (0..3 * contacts).map(|_| random.vector(coordinates)).collect();
    let u = random.vector(coordinates);
    let mut vector: Vec<f64> = directions.iter().map(|w| w.iter().zip(&u).map(|(a, b)| a * b).sum()).collect();
    for k in 0..contacts {
        if vector[3 * k] > 0.0 {
            vector[3 * k] = -vector[3 * k];
            directions[3 * k].iter_mut().for_each(|w| *w = -*w);
        }
    }
    Case::from_directions(&directions, vector, spatial_cones(friction, shift))
}

fn solved(case: &Case) -> Vec<f64> {
    let mut x = vec![0.0; case.vector.len()];
    let report = solve(&case.inclusion(), &mut SpatialWork::default(), &mut x);
    assert_eq!(report.status, SolveStatus::Solved, "residual {:e}", case.residual(&x));
    let residual = case.residual(&x);
    assert!(residual < 1e-9, "residual {residual:e}");
    x
}

#[test]
fn statistics() {
    for (contacts, coordinates, mu) in [
        (1, 6, 0.5),
        (1, 6, 3.0),
        (3, 6, 0.5),
        (3, 12, 0.5),
        (4, 6, 0.5),
        (8, 6, 0.5),
        (8, 24, 0.5),
        (3, 12, 2.0),
        (8, 24, 2.0),
    ] {
        let (mut failed, mut worst, mut iterations, mut restarts) = (0, 0.0f64, 0, 0);
        let mut loose = 0;
        for seed in 0..500 {
            let case = random_case(contacts, coordinates, &vec![[mu, mu]; contacts], 0.0, seed);
            let mut x = vec![0.0; case.vector.len()];
            let report = solve(&case.inclusion(), &mut SpatialWork::default(), &mut x);
            let residual = case.residual(&x);
            if report.status != SolveStatus::Solved || residual > 1e-9 {
                failed += 1;
            } else {
                worst = worst.max(residual);
                loose += usize::from(residual > 1e-12);
            }
            iterations += report.iterations;
            restarts += report.restarts;
        }
        println!(
            "{contacts} contacts, {coordinates} coordinates, mu {mu}: failed {failed}, worst {worst:e}, above 1e-12 {loose}, iterations {}, restarts {restarts}",
            iterations as f64 / 500.0
        );
    }
}
