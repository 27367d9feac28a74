//! Lemke's method on monotone problems whose solution is known: large, degenerate, nearly singular.

mod common;

use common::Random;
use delassus::solve::lemke::{LcpReport, LcpStatus, LemkeWork, solve};

/// A = BBᵀ + K with K skew, and q such that a drawn z solves it; columns of B fall off to `least`.
/// With `ties` numbers are −1, 0 and 1, and z and w vanish together in places.
fn draw(random: &mut Random, n: usize, least: f64, ties: bool) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let number = |random: &mut Random| {
        let x = random.next();
        if ties { (1.5 * x).round() } else { x }
    };
    let length = |j: usize| least.powf(j as f64 / (n - 1) as f64);
    let b: Vec<f64> = (0..n * n).map(|k| length(k % n) * number(random)).collect();
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum();
        }
    }
    for i in 0..n {
        for j in 0..i {
            let skew = 0.3 * least * number(random);
            a[i * n + j] += skew;
            a[j * n + i] -= skew;
        }
    }
    let z: Vec<f64> = (0..n).map(|_| number(random).max(0.0)).collect();
    let w: Vec<f64> = z.iter().map(|z| if *z > 0.0 { 0.0 } else { number(random).abs() }).collect();
    let q = (0..n).map(|i| w[i] - (0..n).map(|j| a[i * n + j] * z[j]).sum::<f64>()).collect();
    (a, q, z)
}

fn answer(a: &[f64], q: &[f64]) -> (LcpReport, Vec<f64>) {
    let mut z = vec![0.0; q.len()];
    (solve(a, q, &mut LemkeWork::default(), &mut z), z)
}

/// One run is enough, whatever the size, and leaves round-off only.
#[test]
fn regular_problems_need_one_run() {
    let mut random = Random(50);
    for case in 0..60 {
        let (n, ties) = ([5, 20, 70][case % 3], case % 2 == 1);
        let (a, q, expected) = draw(&mut random, n, 1.0, ties);
        let (report, z) = answer(&a, &q);
        assert_eq!((report.status, report.restarts), (LcpStatus::Solved, 0), "case {case}: {report:?}");
        assert!(report.residual < 1e-12, "case {case}: {report:?}");
        let apart = z.iter().zip(&expected).fold(0.0f64, |m, (z, e)| m.max((z - e).abs()));
        assert!(ties || apart < 1e-7, "case {case}: {apart}");
    }
}

/// Directions that the matrix hardly sees cost no accuracy.
#[test]
fn nearly_singular_problems_are_solved_to_round_off() {
    let mut random = Random(51);
    for case in 0..120 {
        let n = [8, 20, 40][case % 3];
        let (a, q, _) = draw(&mut random, n, [1e-3, 1e-5, 1e-7, 1e-9][case % 4], false);
        let (report, _) = answer(&a, &q);
        assert!(report.status == LcpStatus::Solved && report.residual < 1e-13, "case {case}: {report:?}");
    }
}
