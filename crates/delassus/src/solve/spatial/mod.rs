//! Inclusions with friction in two dimensions.
//!
//! Block Gauss–Seidel over an exact solver for one contact brings the states
//! (open, stick, slip) close, a semismooth Newton method with line search
//! finishes. Where that does not converge, solutions with friction polygons
//! and then random points are the starts. Redundant
//! contacts are ordinary: ξ is what counts, x need not be unique.

pub(super) mod contact;
mod every;
mod faceted;
mod form;
mod gauss_seidel;
mod newton;
mod unique;

use super::enumerate::{Solution, sort_by_effort};
use super::tolerance::{RESIDUAL, Tolerance};
use super::{Inclusion, SolveReport, SolveStatus};
use crate::budget::Budget;
use crate::elementary::Elementary;
use faceted::FacetedWork;
use form::{Form, Loaded};
use newton::NewtonWork;
use unique::UniqueWork;

pub(crate) use contact::DiskContact;
pub use unique::WEAK_COUPLING;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub struct SpatialWork {
    form: Form,
    newton: NewtonWork,
    unique: UniqueWork,
    faceted: FacetedWork,
    y: Vec<f64>,
    eta: Vec<f64>,
    /// y after the last sweep.
    swept: Vec<f64>,
    /// y of the last solution with facets.
    corners: Vec<f64>,
    best: Vec<f64>,
    x: Vec<f64>,
    iterations: usize,
    /// Multiplications so far.
    effort: f64,
}

/// Residual that ends the iteration at once.
const TARGET: f64 = 1e-13;
/// Residual that is good enough after the second round.
const GOOD: f64 = 1e-11;
/// Residual at which no other start is tried: checks weigh residuals a little differently, and must find it small, too.
const SURE: f64 = 0.1 * RESIDUAL;
/// Residual above which an answer is none.
const ACCEPT: f64 = RESIDUAL;
/// Rounds: sweeps of Gauss–Seidel, then Newton's method with this weight of
/// the identity. Redundant contacts like a large one, badly conditioned ones a small one.
const ROUNDS: [(usize, f64); 7] = [(2, 1e-6), (4, 1e-6), (12, 1e-8), (32, 1e-5), (64, 1e-10), (128, 1e-7), (256, 1e-6)];
/// Iterations of the first attempt of Newton's method; later ones get more.
const NEWTON: usize = 15;
/// Refinements of the polygons in the starts after the first.
const FACETS: [usize; 10] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
/// Full steps of Newton's method without descent that are allowed after such a start.
const BOLD: usize = 10;
/// Zero and random starts before giving up.
const STARTS: u64 = 16;
/// Friction coefficients between this and its reciprocal, in units of √(G_NN/G_TT), leave
/// impulses and velocities of about the same size in all directions.
const PLAIN: f64 = 100.0;
/// Proof of uniqueness for one contact.
const ONE_CONTACT: &str = "one spatial contact, every case examined";
/// Multiplications before giving up: about a minute. Only problems with
/// hundreds of contacts come near.
const BUDGET: f64 = 1e11;

/// Solves an inclusion with any cones; `x` (m) holds the answer.
///
/// One solution is found; nothing is said about others.
pub fn solve(inclusion: &Inclusion<'_>, work: &mut SpatialWork, x: &mut [f64]) -> SolveReport {
    solve_within(inclusion, &mut Budget::unlimited(), work, x)
}

/// As [`solve`], with bounds on the work.
pub fn solve_within(
    inclusion: &Inclusion<'_>,
    budget: &mut Budget<'_>,
    work: &mut SpatialWork,
    x: &mut [f64],
) -> SolveReport {
    x.fill(0.0);
    let failed = |status| SolveReport { status, ..SolveReport::solved(None) };
    match work.form.load(inclusion) {
        Loaded::Ready => {}
        Loaded::Contradiction => return failed(SolveStatus::NoSolution),
        Loaded::BadInput => return failed(SolveStatus::Stalled),
    }
    work.iterations = 0;
    work.effort = 0.0;
    let mut best = f64::INFINITY;
    let mut tries = 0usize;
    for attempt in 0..FACETS.len() + STARTS as usize {
        let Some(residual) = work.attempt(attempt, budget) else { continue };
        tries += 1;
        if residual < best || attempt == 0 {
            best = residual;
            work.best.clone_from(&work.y);
        }
        if best <= SURE || work.has_spent(budget) {
            break;
        }
    }
    work.form.write_back(&work.best, x);
    let status = if best <= ACCEPT {
        SolveStatus::Solved
    } else if work.has_spent(budget) {
        SolveStatus::MaxIterations
    } else {
        SolveStatus::Stalled
    };
    SolveReport { status, iterations: work.iterations, restarts: tries.saturating_sub(1), ..SolveReport::solved(None) }
}

/// Looks for several solutions from `starts` seeded starts; solutions that
/// share ξ are one. They are sorted by least xᵀGx, and there may be others. The
/// solutions of a single contact are found one and all, unless that hangs on less
/// than the certified tolerance.
pub fn find_several(
    inclusion: &Inclusion<'_>,
    starts: u64,
    work: &mut SpatialWork,
    solutions: &mut Vec<Solution>,
) -> SolveReport {
    find_several_within(inclusion, 0.0, starts, &mut Budget::unlimited(), work, solutions)
}

/// As [`find_several`], for a system that moves with `speed` (√2T, in the unit of ξ/√G), whatever
/// the size of b: what is small beside that counts as zero; and with bounds on the work.
pub fn find_several_within(
    inclusion: &Inclusion<'_>,
    speed: f64,
    starts: u64,
    budget: &mut Budget<'_>,
    work: &mut SpatialWork,
    solutions: &mut Vec<Solution>,
) -> SolveReport {
    solutions.clear();
    let m = inclusion.vector.len();
    let mut x = std::mem::take(&mut work.x);
    x.clear();
    x.resize(m, 0.0);
    let mut report = solve_within(inclusion, budget, work, &mut x);
    if report.status == SolveStatus::Solved {
        solutions.push(Solution::new(inclusion, &x));
    }
    if work.add_every(inclusion, speed, &mut x, solutions) {
        work.x = x;
        sort_by_effort(solutions);
        let unique = (solutions.len() == 1).then_some(ONE_CONTACT);
        return SolveReport { found: solutions.len(), complete: true, unique, ..report };
    }
    let size = work.best.iter().fold(1.0f64, |m, v| m.max(v.abs()));
    for seed in 1..starts {
        if report.status == SolveStatus::NoSolution || work.has_spent(budget) {
            break;
        }
        work.start(seed, size);
        if work.iterate(seed % 2 == 0, budget) > GOOD {
            continue;
        }
        work.form.write_back(&work.y, &mut x);
        add(inclusion, speed, &x, solutions);
    }
    work.x = x;
    sort_by_effort(solutions);
    report.found = solutions.len();
    if report.found > 0 {
        report.status = SolveStatus::Solved;
    }
    report
}

/// Adds a solution unless it is known.
fn add(inclusion: &Inclusion<'_>, speed: f64, x: &[f64], solutions: &mut Vec<Solution>) {
    let candidate = Solution::new(inclusion, x);
    if !is_known(inclusion, speed, &candidate, solutions) {
        solutions.push(candidate);
    }
}

/// Whether there is a solution with the velocities of a candidate.
fn is_known(inclusion: &Inclusion<'_>, speed: f64, candidate: &Solution, solutions: &[Solution]) -> bool {
    solutions.iter().any(|s| s.has_velocity_of(candidate, inclusion, speed))
}

/// Whether an inclusion with any cones is proved to have one solution x only,
/// whatever b is; `false` says nothing.
///
/// The proof: in the normal form (joints eliminated, unit friction) two
/// solutions that differ by d satisfy dᵀSd ≤ 0 with
///
/// ```text
/// S = P A + A P − Σ_i (κ_i e_Ni e_Niᵀ + A_·Ti A_Ti·/κ_i),    P = diag(t at normals, 1 at tangents)
/// ```
///
/// for any weights t, κ_i > 0. Where S is positive definite for some of them, d = 0.
/// Weak friction and independent directions are what makes it so.
pub fn is_unique(inclusion: &Inclusion<'_>, work: &mut SpatialWork) -> bool {
    work.form.load(inclusion) == Loaded::Ready && work.unique.proves(&work.form)
}

impl SpatialWork {
    /// Whether the work allowed is done: the user's limit, else our own.
    fn has_spent(&self, budget: &Budget<'_>) -> bool {
        budget.left() == Some(0) || !budget.is_set() && self.effort > BUDGET
    }

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
            let (s, c) = angle.sine_cosine();
            for (k, part) in [c, s].into_iter().take(block.tangents).enumerate() {
                // Strong friction may still be far from its limit.
                self.y[block.row + 1 + k] = radius * part / block.weight(k).max(1.0);
            }
        }
    }

    /// Iterates from the start of that number: zero, then solutions with
    /// facets, then random points. `None` where there is no such start.
    fn attempt(&mut self, number: usize, budget: &mut Budget<'_>) -> Option<f64> {
        let Some(&pairs) = FACETS.get(number.wrapping_sub(1)) else {
            let seed = number.saturating_sub(FACETS.len()) as u64;
            self.start(seed, 1.0);
            return Some(self.iterate(seed.is_multiple_of(2), budget));
        };
        if number == 1 {
            self.corners.clear();
            self.corners.resize(self.form.size, 0.0);
        }
        let found = self.faceted.solve(&self.form, pairs, budget, &mut self.corners);
        let Some((pivots, multiplications)) = found else {
            // Contacts that jam do so with any polygon.
            if number == 1 {
                self.corners.clear();
            }
            return None;
        };
        self.iterations += pivots;
        self.effort += multiplications;
        Some(self.finish(budget))
    }

    /// Newton's method alone from the solution with facets, for each weight of the identity.
    fn finish(&mut self, budget: &mut Budget<'_>) -> f64 {
        let mut reached = f64::INFINITY;
        for (_, regular) in ROUNDS {
            let Self { form, newton, y, eta, corners, .. } = self;
            newton.regular = regular;
            y.clone_from(corners);
            let (residual, steps) = newton.run(form, y, eta, 4 * NEWTON, budget, BOLD);
            self.iterations += steps;
            self.effort += steps as f64 * per_step(&self.form);
            reached = residual;
            if residual <= GOOD || self.has_spent(budget) {
                break;
            }
        }
        reached
    }

    /// Adds every solution of a single contact; `false` where there is not one
    /// contact, or where there may be other solutions.
    fn add_every(
        &mut self,
        inclusion: &Inclusion<'_>,
        speed: f64,
        x: &mut [f64],
        solutions: &mut Vec<Solution>,
    ) -> bool {
        let Self { form, y, eta, .. } = self;
        let (&[block], true) = (&form.blocks[..], form.is_determined()) else { return false };
        if solutions.is_empty() || block.tangents != 2 {
            return false;
        }
        let tolerance = Tolerance::new((speed / form.unit()).max(1.0));
        let mut doubtful = Vec::new();
        let contact = gauss_seidel::contact(form, &block);
        let weight = [block.weight(0), block.weight(1)];
        let plain = weight.iter().all(|w| (1.0 / PLAIN..=PLAIN).contains(w));
        let complete = every::every(&contact, weight, tolerance, &mut |candidate| {
            y.clear();
            y.extend_from_slice(&candidate);
            form.velocity(y, eta);
            let residual = form.residual_at(tolerance.speed(), y, eta).0;
            form.write_back(y, x);
            if residual <= RESIDUAL {
                add(inclusion, speed, x, solutions);
            } else {
                doubtful.push(Solution::new(inclusion, x));
            }
        });
        complete && plain && doubtful.iter().all(|d| is_known(inclusion, speed, d, solutions))
    }

    /// Rounds of sweeps and Newton steps from `y`, which ends at the point
    /// whose residual is returned. A failed attempt of Newton's method is
    /// forgotten or, if not `back`, taken as the next start of the sweeps.
    fn iterate(&mut self, back: bool, budget: &mut Budget<'_>) -> f64 {
        let (per_sweep, per_step) = ((self.form.size * self.form.size) as f64, per_step(&self.form));
        let mut reached = f64::INFINITY;
        for (round, (sweeps, regular)) in ROUNDS.into_iter().enumerate() {
            let affordable =
                if budget.is_set() { usize::MAX } else { ((BUDGET - self.effort) / per_step).max(1.0) as usize };
            let Self { form, newton, y, eta, swept, .. } = self;
            newton.regular = regular;
            if back && round > 0 {
                y.clone_from(swept);
            }
            // One contact alone is solved by one sweep.
            let sweeps = if form.blocks.len() == 1 { 1 } else { sweeps };
            let mut swept_so_far = 0;
            while swept_so_far < sweeps && budget.take(per_sweep) {
                gauss_seidel::sweep(form, y);
                swept_so_far += 1;
            }
            swept.clone_from(y);
            let patience = round.min(3);
            let limit = affordable.min(NEWTON * (1 + patience));
            let (residual, steps) = newton.run(form, y, eta, limit, budget, 2 + 8 * patience);
            self.iterations += swept_so_far + steps;
            self.effort += swept_so_far as f64 * per_sweep + steps as f64 * per_step;
            reached = residual;
            if residual <= TARGET || round > 0 && residual <= GOOD || self.has_spent(budget) {
                break;
            }
        }
        reached
    }
}

/// Multiplications of a step of Newton's method.
fn per_step(form: &Form) -> f64 {
    let rows = form.size as f64;
    rows * rows * (rows / 3.0 + 8.0)
}

/// A number in [0, 1) from a 64-bit state (splitmix64).
fn unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
