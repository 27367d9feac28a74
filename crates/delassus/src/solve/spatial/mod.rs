//! Inclusions with friction in two dimensions.
//!
//! Block Gauss–Seidel over an exact solver for one contact brings the states
//! (open, stick, slip) close, a semismooth Newton method with line search
//! finishes. Where that does not converge, other starts are tried. Redundant
//! contacts are ordinary: ξ is what counts, x need not be unique.

mod contact;
mod form;
mod gauss_seidel;
mod newton;

use super::enumerate::Solution;
use super::{Inclusion, SolveReport, SolveStatus};
use form::{Form, Loaded};
use newton::NewtonWork;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub struct SpatialWork {
    form: Form,
    newton: NewtonWork,
    y: Vec<f64>,
    eta: Vec<f64>,
    best: Vec<f64>,
    x: Vec<f64>,
    iterations: usize,
}

/// Residual that ends the iteration at once.
const TARGET: f64 = 1e-13;
/// Residual that is good enough after the second round.
const GOOD: f64 = 1e-11;
/// Residual above which an answer is none.
const ACCEPT: f64 = 1e-9;
/// Sweeps of Gauss–Seidel before each attempt of Newton's method.
const SWEEPS: [usize; 7] = [2, 4, 12, 32, 64, 128, 256];
/// Iterations of each attempt.
const NEWTON: usize = 15;
/// Starts before giving up.
const STARTS: u64 = 8;
/// Velocities that differ less, relative to the largest, belong to one solution.
const SAME: f64 = 1e-6;

/// Solves an inclusion with any cones; `x` (m) holds the answer.
///
/// One solution is found; nothing is said about others.
pub fn solve(inclusion: &Inclusion<'_>, work: &mut SpatialWork, x: &mut [f64]) -> SolveReport {
    x.fill(0.0);
    let failed = |status| SolveReport { status, ..SolveReport::solved(None) };
    match work.form.load(inclusion) {
        Loaded::Ready => {}
        Loaded::Contradiction => return failed(SolveStatus::NoSolution),
        Loaded::BadInput => return failed(SolveStatus::Stalled),
    }
    work.iterations = 0;
    let mut best = f64::INFINITY;
    let mut restarts = 0;
    for seed in 0..STARTS {
        work.start(seed, 1.0);
        let residual = work.iterate();
        restarts = seed as usize;
        if residual < best || seed == 0 {
            best = residual;
            work.best.clone_from(&work.y);
        }
        if best <= ACCEPT {
            break;
        }
    }
    work.form.write_back(&work.best, x);
    let status = if best <= ACCEPT { SolveStatus::Solved } else { SolveStatus::Stalled };
    SolveReport { status, iterations: work.iterations, restarts, unique: None, found: 1 }
}

/// Looks for several solutions from `starts` seeded starts; solutions that
/// share ξ are one. They are sorted by least xᵀGx, and there may be others.
pub fn find_several(
    inclusion: &Inclusion<'_>,
    starts: u64,
    work: &mut SpatialWork,
    solutions: &mut Vec<Solution>,
) -> SolveReport {
    solutions.clear();
    let m = inclusion.vector.len();
    let mut x = std::mem::take(&mut work.x);
    x.clear();
    x.resize(m, 0.0);
    let mut report = solve(inclusion, work, &mut x);
    if report.status == SolveStatus::Solved {
        solutions.push(solution(inclusion, &x));
    }
    let size = work.best.iter().fold(1.0f64, |m, v| m.max(v.abs()));
    for seed in 1..starts {
        if report.status == SolveStatus::NoSolution {
            break;
        }
        work.start(seed, size);
        if work.iterate() > ACCEPT {
            continue;
        }
        work.form.write_back(&work.y, &mut x);
        let candidate = solution(inclusion, &x);
        if !solutions.iter().any(|s| same(inclusion, &s.xi, &candidate.xi)) {
            solutions.push(candidate);
        }
    }
    work.x = x;
    solutions.sort_by(|a, b| a.effort.total_cmp(&b.effort));
    report.found = solutions.len();
    report
}

fn solution(inclusion: &Inclusion, x: &[f64]) -> Solution {
    let m = x.len();
    let product: Vec<f64> =
        inclusion.matrix.chunks_exact(m.max(1)).map(|row| row.iter().zip(x).map(|(g, x)| g * x).sum()).collect();
    let effort = product.iter().zip(x).map(|(p, x)| p * x).sum();
    let xi = product.iter().zip(inclusion.vector).map(|(p, b)| p + b).collect();
    Solution { x: x.to_vec(), xi, dimension: 0, effort }
}

/// Whether two ξ are the same in units of √G_ii.
fn same(inclusion: &Inclusion, a: &[f64], b: &[f64]) -> bool {
    let m = a.len();
    let (mut difference, mut size) = (0.0f64, 0.0f64);
    for i in 0..m {
        let unit = inclusion.matrix[i * m + i].sqrt();
        if unit > 0.0 {
            difference = difference.max((a[i] - b[i]).abs() / unit);
            size = size.max(a[i].abs().max(inclusion.vector[i].abs()) / unit);
        }
    }
    difference <= SAME * size
}

impl SpatialWork {
    /// The start of that number: zero first, then random points of the cones.
    fn start(&mut self, seed: u64, size: f64) {
        self.y.clear();
        self.y.resize(self.form.size, 0.0);
        if seed == 0 {
            return;
        }
        let mut state = seed;
        for block in &self.form.blocks {
            let normal = size * unit(&mut state);
            self.y[block.row] = normal;
            let angle = std::f64::consts::TAU * unit(&mut state);
            let radius = (normal + block.shift) * unit(&mut state).sqrt();
            let (s, c) = angle.sin_cos();
            for (k, part) in [c, s].into_iter().take(block.tangents).enumerate() {
                self.y[block.row + 1 + k] = radius * part;
            }
        }
    }

    /// Rounds of sweeps and Newton steps from `y`; `y` ends at the best point, whose residual is returned.
    fn iterate(&mut self) -> f64 {
        let Self { form, newton, y, eta, iterations, .. } = self;
        let mut reached = f64::INFINITY;
        for (round, sweeps) in SWEEPS.into_iter().enumerate() {
            for _ in 0..sweeps {
                gauss_seidel::sweep(form, y);
            }
            let (residual, steps) = newton.run(form, y, eta, NEWTON, TARGET);
            *iterations += sweeps + steps;
            reached = residual;
            if residual <= TARGET || round > 0 && residual <= GOOD {
                break;
            }
        }
        reached
    }
}

/// A number in [0, 1) from a 64-bit state (splitmix64).
fn unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
