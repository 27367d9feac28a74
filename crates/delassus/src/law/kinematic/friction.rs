//! Coulomb friction at the impulse level: every combination of stick and slip [BZL 2012, (27)–(28)].
//!
//! ```text
//! γ_N⁺ prescribed, and at each contact
//!     slip σ = ±1:  Λ_T = −μσΛ_N,  σγ_T⁺ ≥ 0        stick:  γ_T⁺ = 0,  |Λ_T| ≤ μ|Λ_N|
//! ```
//!
//! Λ_N may have either sign: the law prescribes velocities and cannot help it.
//! All in the normalised variables of [`Reduced`], where μ becomes μ s_T/s_N.

use nalgebra::{DMatrix, DVector};

use super::groups;
use super::program::{Affine, Term};
use super::reduce::Reduced;
use super::split;
use crate::answer::{Alternative, LawAnswer, Status, Uniqueness};
use crate::budget::{Budget, Limits};
use crate::problem::ImpactProblem;
use crate::small::{singular, sort_few};
use crate::solve::tolerance::{APART, CRITICAL, RESIDUAL};

/// Inequalities may be missed by this part of the largest velocity or impulse;
/// round-off for condition numbers up to 1e5.
const SLACK: f64 = 2e-11;

/// Most frictional contacts of a group: 3⁸ = 6561 combinations.
pub(super) const MOST: usize = 8;

/// A contact with friction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rough {
    /// Row of the normal.
    pub normal: usize,
    /// Row of the tangent.
    pub tangent: usize,
    /// μ s_T/s_N.
    pub friction: f64,
}

/// What a contact does in a combination.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Stick,
    /// With the direction σ.
    Slip(f64),
}

/// An admissible combination.
#[derive(Clone)]
pub(super) struct Candidate {
    /// x̂ of all rows.
    pub impulses: DVector<f64>,
    /// Dimension of the set of impulses that do the same.
    pub dimension: usize,
    /// Number of sticking contacts.
    pub sticking: usize,
    /// Whether it is admissible but for less than the certified tolerance only.
    pub doubtful: bool,
}

/// The tangents with μ > 0.
pub(super) fn rough(problem: &ImpactProblem, reduced: &Reduced) -> Vec<Rough> {
    let mut rough = Vec::new();
    for tangent in reduced.normals..reduced.len() {
        let normal = reduced.contact[tangent];
        let friction =
            problem.contacts()[normal].friction.map_or(0.0, |f| f.coefficients()[0].max(f.coefficients()[1]));
        if friction > 0.0 {
            rough.push(Rough { normal, tangent, friction: friction * reduced.scale[tangent] / reduced.scale[normal] });
        }
    }
    rough
}

/// Tries every combination and writes the preferred solution and the others.
pub(super) fn solve(
    problem: &ImpactProblem,
    reduced: &Reduced,
    rough: &[Rough],
    after: &DVector<f64>,
    limits: &Limits,
    answer: &mut LawAnswer,
) {
    let mut budget = Budget::new(limits);
    let Found { candidates, tried, all_tried, mut complete } = groups::enumerate(reduced, rough, after, &mut budget);
    answer.stats.iterations = tried;
    let (mut doubtful, mut candidates): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|c| c.doubtful);
    if candidates.is_empty() {
        // Nothing better: the checks tell how good it is.
        std::mem::swap(&mut doubtful, &mut candidates);
        complete &= candidates.is_empty();
    }
    let mut ranked = rank(problem, reduced, candidates);
    complete &= doubtful.iter().all(|d| has_velocity_of_one(problem, reduced, d, &ranked));
    if ranked.is_empty() {
        if !all_tried {
            answer.give_up(&budget, tried);
            return;
        }
        // Where normal impulses are not unique, only some of their signs were tried.
        answer.status = if complete { Status::NoSolution } else { Status::Stalled };
        answer.warnings.push("no combination of stick and slip satisfies the law".into());
        return;
    }
    complete &= all_tried && reduced.sees_all_motion();
    let best = ranked.remove(0);
    answer.impulses.copy_from_slice(&best.impulses);
    answer.uniqueness = match (ranked.len(), complete) {
        (0, true) => Uniqueness::Proved("every combination of stick and slip was tried"),
        (0, false) => Uniqueness::Unknown,
        (others, complete) => Uniqueness::Several { found: others + 1, complete },
    };
    answer.alternatives = ranked;
}

/// What a search over the combinations found.
pub(super) struct Found {
    pub candidates: Vec<Candidate>,
    /// Combinations that were tried.
    pub tried: usize,
    /// Whether these are all there are.
    pub all_tried: bool,
    /// Whether the candidates are all solutions: where the normal impulses of a
    /// combination are not unique, one solution stands for it.
    pub complete: bool,
}

/// What is small: the largest velocity of the problem, and the least impulse that counts as the largest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    pub speed: f64,
    pub impulse: f64,
}

fn combinations(rough: &[Rough]) -> usize {
    3_usize.pow(rough.len() as u32)
}

/// All admissible combinations, as far as the budget goes.
pub(super) fn enumerate(
    reduced: &Reduced,
    rough: &[Rough],
    after: &DVector<f64>,
    measure: Measure,
    budget: &mut Budget<'_>,
) -> Found {
    let mut found = Found { candidates: Vec::new(), tried: 0, all_tried: false, complete: true };
    let mut modes = vec![Mode::Stick; rough.len()];
    // A singular value decomposition.
    let multiplications = 20.0 * (reduced.len() as f64).powi(3);
    for code in 0..combinations(rough) {
        if !budget.take(multiplications) {
            return found;
        }
        found.tried += 1;
        let mut rest = code;
        for mode in &mut modes {
            *mode = [Mode::Stick, Mode::Slip(1.0), Mode::Slip(-1.0)][rest % 3];
            rest /= 3;
        }
        let one = candidate(reduced, rough, &modes, after, measure, &mut found.complete);
        found.candidates.extend(one);
    }
    found.all_tried = true;
    found
}

/// The solution of one combination, if it has one; clears `complete` where its
/// normal impulses are not unique.
fn candidate(
    reduced: &Reduced,
    rough: &[Rough],
    modes: &[Mode],
    after: &DVector<f64>,
    measure: Measure,
    complete: &mut bool,
) -> Option<Candidate> {
    let m = reduced.normals;
    let h = &reduced.matrix;
    let sticking: Vec<Rough> = rough.iter().zip(modes).filter(|(_, m)| **m == Mode::Stick).map(|(r, _)| *r).collect();
    // Equations: the normals, then the sticking tangents; unknowns likewise.
    let rows: Vec<usize> = (0..m).chain(sticking.iter().map(|s| s.tangent)).collect();
    let size = rows.len();
    let mut matrix = DMatrix::from_fn(size, size, |i, j| h[(rows[i], rows[j])]);
    for (r, mode) in rough.iter().zip(modes) {
        if let Mode::Slip(sigma) = mode {
            for i in 0..size {
                matrix[(i, r.normal)] -= r.friction * sigma * h[(rows[i], r.tangent)];
            }
        }
    }
    let target = |i: usize| if i < m { after[i] } else { 0.0 };
    let right = DVector::from_fn(size, |i, _| target(i) - reduced.free[rows[i]]);
    let speed = measure.speed;
    let solved = singular::solve(matrix, &right, 1.0)?;
    if solved.residual > 100.0 * RESIDUAL * speed {
        return None;
    }
    let mut doubtful = solved.residual > 100.0 * SLACK * speed;
    let point = if solved.null.ncols() == 0 {
        solved.point
    } else {
        *complete &= split::keeps_normals(&solved.null, m);
        split::least(
            &solved.point,
            &solved.null,
            m,
            &terms(reduced, rough, modes),
            &slides(reduced, rough, modes, &rows),
        )?
    };

    let mut x = DVector::zeros(reduced.len());
    rows.iter().zip(point.iter()).for_each(|(&row, &value)| x[row] = value);
    for (r, mode) in rough.iter().zip(modes) {
        if let Mode::Slip(sigma) = mode {
            x[r.tangent] = -r.friction * sigma * x[r.normal];
        }
    }
    let most = x.amax().max(measure.impulse);
    // By how much, relative to the largest velocity or impulse, the worst inequality is missed.
    let missed = rough.iter().zip(modes).fold(0.0f64, |worst, (r, mode)| {
        worst.max(match mode {
            Mode::Slip(sigma) if speed > 0.0 => {
                let velocity = h.row(r.tangent).dot(&x.transpose()) + reduced.free[r.tangent];
                -sigma * velocity / speed
            }
            Mode::Stick if most > 0.0 => {
                (x[r.tangent].abs() - r.friction * x[r.normal].abs()) / (most * (1.0 + r.friction))
            }
            _ => 0.0,
        })
    });
    doubtful |= missed > SLACK;
    // Errors within the certified tolerance move a candidate the more the closer its equations
    // are to singular.
    let weakest = solved.weakest.min(1.0);
    if missed > 10.0 * RESIDUAL / weakest {
        return None;
    }
    *complete &= weakest >= CRITICAL;
    let dimension = solved.null.ncols();
    Some(Candidate { impulses: x, dimension, sticking: sticking.len(), doubtful })
}

/// The impulses of each contact in terms of the unknowns, for the least split.
fn terms(reduced: &Reduced, rough: &[Rough], modes: &[Mode]) -> Vec<Term> {
    let mut next = reduced.normals;
    let mut term = |r: &Rough, mode: &Mode| {
        let weight = 1.0 / reduced.scale[r.tangent];
        let (tangent, factor) = match mode {
            Mode::Stick => (next, 1.0),
            Mode::Slip(sigma) => (r.normal, -r.friction * sigma),
        };
        let sticks = *mode == Mode::Stick;
        next += usize::from(sticks);
        Term { normal: r.normal, friction: r.friction, tangent, factor, weight, sticks }
    };
    rough.iter().zip(modes).map(|(r, mode)| term(r, mode)).collect()
}

/// σγ̂_T⁺ of the sliding contacts in terms of the unknowns, which must not be negative.
fn slides(reduced: &Reduced, rough: &[Rough], modes: &[Mode], rows: &[usize]) -> Vec<Affine> {
    let mut slides = Vec::new();
    for (r, mode) in rough.iter().zip(modes) {
        let Mode::Slip(sigma) = mode else { continue };
        let h = reduced.matrix.row(r.tangent);
        let mut gradient = DVector::from_fn(rows.len(), |j, _| sigma * h[rows[j]]);
        for (other, mode) in rough.iter().zip(modes) {
            if let Mode::Slip(direction) = mode {
                gradient[other.normal] -= sigma * other.friction * direction * h[other.tangent];
            }
        }
        slides.push(Affine { gradient, value: sigma * reduced.free[r.tangent] });
    }
    slides
}

/// Whether a candidate has the velocities of a solution.
fn has_velocity_of_one(
    problem: &ImpactProblem,
    reduced: &Reduced,
    candidate: &Candidate,
    solutions: &[Alternative],
) -> bool {
    let velocity = |impulses: &[f64]| {
        let mut u = Vec::new();
        problem.apply_impulses(impulses, &mut u);
        u
    };
    let mut impulses = vec![0.0; problem.rows()];
    reduced.write(&candidate.impulses, &mut impulses);
    let u = velocity(&impulses);
    solutions.iter().any(|solution| {
        let difference: Vec<f64> = velocity(&solution.impulses).iter().zip(&u).map(|(a, b)| a - b).collect();
        let size = problem.energy_minus().max(problem.mass().energy(&u));
        problem.mass().energy(&difference) <= APART * APART * size
    })
}

/// Orders solutions (all Λ_N ≥ 0 first, then least ΔuᵀMΔu, then more sticking)
/// and keeps one of those with the same u⁺.
fn rank(problem: &ImpactProblem, reduced: &Reduced, candidates: Vec<Candidate>) -> Vec<Alternative> {
    const SAME: f64 = 1e-8;
    struct Ranked {
        pulls: bool,
        effort: f64,
        sticking: usize,
        u_plus: Vec<f64>,
        solution: Alternative,
    }
    let mut ranked: Vec<Ranked> = Vec::new();
    for candidate in candidates {
        let x = candidate.impulses;
        let pulls = x.rows(0, reduced.normals).min() < -1e-12 * x.amax();
        let mut impulses = vec![0.0; problem.rows()];
        reduced.write(&x, &mut impulses);
        let mut u_plus = Vec::new();
        problem.apply_impulses(&impulses, &mut u_plus);
        let change: Vec<f64> = u_plus.iter().zip(problem.u_minus()).map(|(a, b)| a - b).collect();
        let effort = 2.0 * problem.mass().energy(&change);
        let solution = Alternative { impulses, compression: Vec::new(), dimension: candidate.dimension };
        ranked.push(Ranked { pulls, effort, sticking: candidate.sticking, u_plus, solution });
    }
    let most = ranked.iter().fold(0.0_f64, |w, r| w.max(r.effort));
    let same = |a: &Ranked, b: &Ranked| {
        let difference: Vec<f64> = a.u_plus.iter().zip(&b.u_plus).map(|(a, b)| a - b).collect();
        2.0 * problem.mass().energy(&difference) <= SAME * SAME * most
    };
    sort_few(&mut ranked, |a, b| a.pulls.cmp(&b.pulls).then(a.effort.total_cmp(&b.effort)));
    let mut kept: Vec<Ranked> = Vec::new();
    for r in ranked {
        match kept.iter_mut().find(|k| same(k, &r)) {
            Some(k) if k.pulls == r.pulls && r.sticking > k.sticking => *k = r,
            Some(_) => {}
            None => kept.push(r),
        }
    }
    kept.into_iter().map(|r| r.solution).collect()
}
