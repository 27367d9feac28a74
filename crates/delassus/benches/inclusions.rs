//! Inclusions per second: spatial friction and enumeration, G prepared.

use std::hint::black_box;

use delassus::solve::enumerate::{EnumerateWork, enumerate};
use delassus::solve::spatial::{SpatialWork, solve};
use delassus::solve::{Cone, Inclusion};

fn main() {
    divan::main();
}

const COUNT: usize = 1000;

struct Case {
    matrix: Vec<f64>,
    vector: Vec<f64>,
    cones: Vec<Cone>,
}

/// A number in [−1, 1) from a 64-bit state.
fn symmetric(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ((*state >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
}

fn case(directions: &[Vec<f64>], u: &[f64], per_contact: usize, friction: f64) -> Case {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let matrix = directions.iter().flat_map(|a| directions.iter().map(move |b| dot(a, b))).collect();
    let vector = directions.iter().map(|w| dot(w, u)).collect();
    let cones = (0..directions.len()).step_by(per_contact).flat_map(|normal| {
        let row = normal + 1;
        let tangents = if per_contact == 2 {
            Cone::Line { row, normal, friction, shift: 0.0 }
        } else {
            Cone::Ellipse { row, normal, friction: [friction; 2], shift: 0.0 }
        };
        [Cone::Unilateral { row: normal }, tangents]
    });
    Case { matrix, vector, cones: cones.collect() }
}

/// Random contacts that all approach.
fn random(contacts: usize, per_contact: usize, coordinates: usize) -> Vec<Case> {
    let mut state = 11;
    let one = |_| {
        let mut w: Vec<Vec<f64>> =
            (0..contacts * per_contact).map(|_| (0..coordinates).map(|_| symmetric(&mut state)).collect()).collect();
        let u: Vec<f64> = (0..coordinates).map(|_| symmetric(&mut state)).collect();
        for normal in w.iter_mut().step_by(per_contact) {
            let gamma: f64 = normal.iter().zip(&u).map(|(w, u)| w * u).sum();
            normal.iter_mut().for_each(|w| *w *= -gamma.signum());
        }
        case(&w, &u, per_contact, 0.25 * (2.0 + symmetric(&mut state)))
    };
    (0..COUNT).map(one).collect()
}

/// A table of unit mass that lands on four legs with random velocity.
fn tables() -> Vec<Case> {
    let mut state = 5;
    let one = |_| {
        let mut w = Vec::new();
        for (x, y) in [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)] {
            let z = -0.7;
            // Velocity of a point: v + ω × r, inertia 0.1 along each axis.
            let k = 0.1f64.sqrt().recip();
            w.push(vec![0.0, 0.0, 1.0, y * k, -x * k, 0.0]);
            w.push(vec![1.0, 0.0, 0.0, 0.0, z * k, -y * k]);
            w.push(vec![0.0, 1.0, 0.0, -z * k, 0.0, x * k]);
        }
        let mut u: Vec<f64> = (0..6).map(|_| 0.3 * symmetric(&mut state)).collect();
        u[2] -= 1.0;
        case(&w, &u, 3, 0.25 * (2.0 + symmetric(&mut state)))
    };
    (0..COUNT).map(one).collect()
}

fn run_spatial(bencher: divan::Bencher, cases: Vec<Case>) {
    let mut work = SpatialWork::default();
    let mut x = vec![0.0; cases[0].vector.len()];
    bencher.counter(COUNT).bench_local(|| {
        for c in &cases {
            let inclusion = Inclusion { matrix: &c.matrix, vector: &c.vector, cones: &c.cones, speed: 0.0 };
            black_box(solve(&inclusion, &mut work, &mut x));
        }
    });
}

#[divan::bench]
fn one_spatial_contact(bencher: divan::Bencher) {
    run_spatial(bencher, random(1, 3, 6));
}

#[divan::bench]
fn three_spatial_contacts(bencher: divan::Bencher) {
    run_spatial(bencher, random(3, 3, 12));
}

#[divan::bench]
fn four_legged_table(bencher: divan::Bencher) {
    run_spatial(bencher, tables());
}

#[divan::bench(args = [1, 2, 3, 4])]
fn enumerate_planar(bencher: divan::Bencher, contacts: usize) {
    let cases = random(contacts, 2, 3 * contacts);
    let (mut work, mut solutions) = (EnumerateWork::default(), Vec::new());
    bencher.counter(COUNT).bench_local(|| {
        for c in &cases {
            let inclusion = Inclusion { matrix: &c.matrix, vector: &c.vector, cones: &c.cones, speed: 0.0 };
            black_box(enumerate(&inclusion, &mut work, &mut solutions));
        }
    });
}
