//! Lemke's method with the lexicographic rule for linear complementarity problems.
//!
//! ```text
//! w = A z + q,   w ≥ 0,  z ≥ 0,  wᵀz = 0
//! ```
//!
//! The dictionary `basic = rhs + T · nonbasic` is pivoted in place, with the
//! artificial variable z₀ along a covering vector d. Ties are broken as if q
//! were perturbed by (ε, ε², …), which rules out cycling
//! [CPS 2009, §4.9]. Round-off gathers from pivot to pivot, and a dictionary
//! that has drifted can miss that z₀ may leave: before a run is believed to end
//! on a ray, and every so often before that, the dictionary is computed anew
//! from the data.
//!
//! A ray proves nothing unless A belongs to a class for which it does, such as
//! the symmetric positive semidefinite or all copositive-plus matrices
//! [CPS 2009, §4.4]; so other covering vectors are tried before giving up.

mod dictionary;

use self::dictionary::Dictionary;
use crate::budget::Budget;
use crate::elementary::Elementary;
use crate::small::lu::solve_in_place;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LcpStatus {
    /// A solution was found.
    Solved,
    /// Every covering vector led to a ray.
    Ray,
    /// The pivot limit was reached.
    PivotLimit,
    /// The input has entries that are not finite, or wrong sizes.
    BadInput,
}

/// What a run found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LcpReport {
    /// How it ended.
    pub status: LcpStatus,
    /// Pivots of all runs.
    pub pivots: usize,
    /// Covering vectors tried after the first.
    pub restarts: usize,
    /// max |min(z_i, w_i)|, rows and columns equilibrated, z relative to its largest entry, w to q's.
    pub residual: f64,
}

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub struct LemkeWork {
    dictionary: Dictionary,
    covering: Vec<f64>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    candidate: Vec<f64>,
    other: Vec<f64>,
    dense: Vec<f64>,
    rhs: Vec<f64>,
    active: Vec<usize>,
    ray: Vec<f64>,
    perturbed: Vec<f64>,
}

/// Residuals below this count as solved at once; above it the final basis is solved anew.
const GOOD: f64 = 1e-13;
/// A candidate with a larger residual is not a solution.
const ACCEPTABLE: f64 = 1e-8;
/// Pivots a row of a run before another one is tried; the first has fewer, since most need one or two.
const PIVOTS: usize = 50;
const FIRST_PIVOTS: usize = 10;
/// Size of the perturbation of q (which is of size one) in every other run after the first.
const PERTURBATION: f64 = 1e-8;
/// Rows beyond which q is perturbed at once: ties of lattices and stacks come in hundreds.
const LARGE: usize = 60;
/// Pivots after which the dictionary is computed anew, for n rows.
const RENEWAL: fn(usize) -> usize = |n| 2 * n + 50;
/// Multiplications after which no further run is tried: some ten seconds.
const EFFORT: f64 = 1e10;
/// Seeded random covering vectors tried after the two regular ones.
const RANDOM_COVERS: usize = 8;

/// Solves w = Az + q, 0 ≤ w ⟂ z ≥ 0 for A given row by row (n × n).
///
/// Rows and columns are equilibrated first, so that units do not matter.
pub fn solve(matrix: &[f64], vector: &[f64], work: &mut LemkeWork, z: &mut [f64]) -> LcpReport {
    solve_within(matrix, vector, &mut Budget::unlimited(), work, z)
}

/// As [`solve`], with bounds on the work.
pub fn solve_within(
    matrix: &[f64],
    vector: &[f64],
    budget: &mut Budget<'_>,
    work: &mut LemkeWork,
    z: &mut [f64],
) -> LcpReport {
    let n = vector.len();
    let failed = |status| LcpReport { status, pivots: 0, restarts: 0, residual: f64::INFINITY };
    if matrix.len() != n * n || z.len() != n || !matrix.iter().chain(vector).all(|v| v.is_finite()) {
        return failed(LcpStatus::BadInput);
    }
    // Row scale R, column scale C: (RAC)(C⁻¹z) + Rq, powers of two to keep the bits.
    work.row_scale.clear();
    work.column_scale.clear();
    let biggest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0f64, |a, v| a.max(v.abs()));
    for row in matrix.chunks_exact(n.max(1)) {
        work.row_scale.push(power_of_two_inverse(biggest(&mut row.iter().copied())));
    }
    for j in 0..n {
        let column = biggest(&mut (0..n).map(|i| matrix[i * n + j] * work.row_scale[i]));
        work.column_scale.push(power_of_two_inverse(column));
    }
    let size = power_of_two_inverse((0..n).fold(0.0f64, |a, i| a.max((vector[i] * work.row_scale[i]).abs())));
    let mut scaled = std::mem::take(&mut work.matrix);
    let mut q = std::mem::take(&mut work.vector);
    scaled.clear();
    q.clear();
    for i in 0..n {
        scaled.extend((0..n).map(|j| matrix[i * n + j] * work.row_scale[i] * work.column_scale[j]));
        q.push(vector[i] * work.row_scale[i] * size);
    }
    let report = solve_scaled(&scaled, &q, budget, work, z);
    for (zi, c) in z.iter_mut().zip(&work.column_scale) {
        *zi *= c / size;
    }
    work.matrix = scaled;
    work.vector = q;
    report
}

/// The largest power of two that is at most 1/`value`; 1 for zero.
fn power_of_two_inverse(value: f64) -> f64 {
    if value > 0.0 { (-value.logarithm2().floor()).clamp(-1000.0, 1000.0).exponential2() } else { 1.0 }
}

/// As [`solve`] for a problem whose entries are of order one already.
pub(crate) fn solve_scaled(
    a: &[f64],
    q: &[f64],
    budget: &mut Budget<'_>,
    work: &mut LemkeWork,
    z: &mut [f64],
) -> LcpReport {
    let n = q.len();
    let mut report = LcpReport { status: LcpStatus::Ray, pivots: 0, restarts: 0, residual: f64::INFINITY };
    if q.iter().all(|&v| v >= 0.0) {
        z.fill(0.0);
        return LcpReport { status: LcpStatus::Solved, residual: 0.0, ..report };
    }
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for attempt in 0..4 + RANDOM_COVERS {
        work.covering.clear();
        for i in 0..n {
            work.covering.push(match attempt {
                0 | 1 => 1.0,
                2 | 3 => {
                    let diagonal = a[i * n + i].abs();
                    if diagonal > 0.0 { diagonal } else { 1.0 }
                }
                _ => 0.1 + next_unit(&mut random),
            });
        }
        report.restarts = attempt;
        let per_row = if attempt == 0 { FIRST_PIVOTS } else { PIVOTS };
        let status = if (attempt % 2 == 0) == (n <= LARGE) {
            run(a, q, per_row, budget, work, &mut report.pivots)
        } else {
            // Many ties at once are decided by round-off, and runs may cycle. A perturbation decides
            // them; the basis that it leads to is solved for q itself.
            let mut perturbed = std::mem::take(&mut work.perturbed);
            perturbed.clear();
            perturbed.extend(q.iter().map(|q| q + PERTURBATION * (0.5 + next_unit(&mut random))));
            let status = run(a, &perturbed, per_row, budget, work, &mut report.pivots);
            work.perturbed = perturbed;
            status
        };
        if report.status == LcpStatus::Ray {
            report.status = status;
        }
        // Where the run found none, its last point may still be one, or the best there is.
        let residual = read_solution(a, q, status == LcpStatus::Solved, work);
        if residual < report.residual {
            report.residual = residual;
            z.copy_from_slice(&work.candidate);
        }
        let effort = report.pivots as f64 * (n * n) as f64;
        let enough = if status == LcpStatus::Solved { 1e3 * GOOD } else { GOOD };
        if residual <= enough || budget.left() == Some(0) || effort > EFFORT {
            break;
        }
    }
    if report.residual <= ACCEPTABLE {
        report.status = LcpStatus::Solved;
    } else if report.status == LcpStatus::Solved {
        report.status = LcpStatus::PivotLimit;
    }
    report
}

/// A direction v ≥ 0 along which a single run from a problem of order one
/// ended on a ray, if it did.
pub(crate) fn ray<'w>(a: &[f64], q: &[f64], budget: &mut Budget<'_>, work: &'w mut LemkeWork) -> Option<&'w [f64]> {
    work.covering.clear();
    work.covering.resize(q.len(), 1.0);
    (run(a, q, PIVOTS, budget, work, &mut 0) == LcpStatus::Ray).then_some(&work.ray[..])
}

/// One run of the method from the current covering vector.
fn run(
    a: &[f64],
    q: &[f64],
    per_row: usize,
    budget: &mut Budget<'_>,
    work: &mut LemkeWork,
    pivots: &mut usize,
) -> LcpStatus {
    let n = q.len();
    let multiplications = (n * n) as f64;
    let LemkeWork { dictionary, covering, ray, .. } = work;
    dictionary.load(a, q, covering);
    // z₀ enters; the row that is most negative along d leaves.
    let mut entering = n;
    let mut row = dictionary.first_leaving_row(covering);
    // Pivots since the dictionary was computed from the data.
    let mut age = 0;
    for _ in 0..per_row * (n + 1) {
        if !budget.take(multiplications) {
            return LcpStatus::PivotLimit;
        }
        *pivots += 1;
        let leaving = dictionary.basic(row);
        if leaving == 2 * n {
            dictionary.exchange(row, entering, entering);
            return LcpStatus::Solved;
        }
        // The complement of what leaves enters next; it is nonbasic, as only z₀ has none.
        let complement = if leaving < n { leaving + n } else { leaving - n };
        let Some(next) = dictionary.column_of(complement) else { return LcpStatus::PivotLimit };
        dictionary.exchange(row, entering, next);
        entering = next;
        age += 1;
        let mut blocking = dictionary.leaving_row();
        if blocking.is_none() && age > 1 || age >= RENEWAL(n) {
            let Some(column) = dictionary.renew(a, q, covering, entering) else { return LcpStatus::PivotLimit };
            entering = column;
            age = 0;
            blocking = dictionary.leaving_row();
        }
        match blocking {
            Some(next) => row = next,
            None => {
                dictionary.ray(entering, ray);
                return LcpStatus::Ray;
            }
        }
    }
    LcpStatus::PivotLimit
}

/// Reads z from the dictionary into `candidate`; where round-off has
/// gathered and the run was a success, solves the final basis anew. Returns the residual.
fn read_solution(a: &[f64], q: &[f64], solved: bool, work: &mut LemkeWork) -> f64 {
    let n = q.len();
    work.candidate.clear();
    work.candidate.resize(n, 0.0);
    for (variable, value) in work.dictionary.values() {
        if (n..2 * n).contains(&variable) {
            work.candidate[variable - n] = value.max(0.0);
        }
    }
    let first = residual(a, q, &work.candidate);
    if first <= GOOD || !solved {
        return first;
    }
    work.active.clear();
    work.active.extend(work.dictionary.values().map(|(v, _)| v).filter(|v| (n..2 * n).contains(v)).map(|v| v - n));
    work.dense.clear();
    work.rhs.clear();
    for &i in &work.active {
        work.dense.extend(work.active.iter().map(|&j| a[i * n + j]));
        work.rhs.push(-q[i]);
    }
    if !solve_in_place(&mut work.dense, &mut work.rhs) || work.rhs.iter().any(|v| !v.is_finite()) {
        return first;
    }
    work.rhs.iter_mut().for_each(|v| *v = v.max(0.0));
    // Take it only if it is better.
    std::mem::swap(&mut work.other, &mut work.candidate);
    work.candidate.clear();
    work.candidate.resize(n, 0.0);
    for (&i, &v) in work.active.iter().zip(&work.rhs) {
        work.candidate[i] = v;
    }
    let second = residual(a, q, &work.candidate);
    if second < first {
        second
    } else {
        std::mem::swap(&mut work.other, &mut work.candidate);
        first
    }
}

/// max |min(z_i, w_i)| with z in units of its largest entry (or 1) and w in
/// units of q, which is of order one. A huge z, whose w is only round-off, fails.
fn residual(a: &[f64], q: &[f64], z: &[f64]) -> f64 {
    let n = q.len();
    let z_size = z.iter().fold(1.0f64, |m, v| m.max(v.abs()));
    if !z_size.is_finite() {
        return f64::INFINITY;
    }
    let mut worst = 0.0f64;
    for ((row, &q), &z_i) in a.chunks_exact(n.max(1)).zip(q).zip(z) {
        let mut w = q;
        for (a, z) in row.iter().zip(z) {
            w += a * z;
        }
        worst = worst.max((z_i / z_size).min(w).abs());
    }
    worst
}

/// A number in [0, 1) from a 64-bit state (splitmix64).
fn next_unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
        let mut z = vec![0.0; vector.len()];
        let report = solve(matrix, vector, &mut LemkeWork::default(), &mut z);
        assert_eq!(report.status, LcpStatus::Solved, "{report:?}");
        assert!(report.residual < 1e-12, "{report:?}");
        z
    }

    #[test]
    fn one_by_one() {
        assert_eq!(solved(&[2.0], &[-3.0]), [1.5]);
        assert_eq!(solved(&[2.0], &[3.0]), [0.0]);
        assert_eq!(solved(&[1e-12], &[-1e12]), [1e24]);
    }

    #[test]
    fn no_solution_is_a_ray() {
        for (a, q) in [(vec![-1.0], vec![-1.0]), (vec![0.0], vec![-1.0])] {
            let mut z = [0.0];
            let report = solve(&a, &q, &mut LemkeWork::default(), &mut z);
            assert_eq!(report.status, LcpStatus::Ray);
            assert_eq!(report.restarts, 3 + RANDOM_COVERS);
        }
    }

    #[test]
    fn bad_input_is_told() {
        let mut z = [0.0];
        for (a, q) in [(vec![f64::NAN], vec![1.0]), (vec![1.0], vec![f64::INFINITY]), (vec![1.0, 2.0], vec![1.0])] {
            assert_eq!(solve(&a, &q, &mut LemkeWork::default(), &mut z).status, LcpStatus::BadInput);
        }
    }

    #[test]
    fn ties_of_a_degenerate_problem() {
        // Every ratio ties at the start and zero pivots of q follow.
        let a = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let z = solved(&a, &[-1.0, -1.0, -1.0]);
        assert!((z.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        let z = solved(&[2.0, -1.0, -1.0, 2.0], &[0.0, -1.0]);
        assert!((z[0] - 1.0 / 3.0).abs() < 1e-15 && (z[1] - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn murty_exponential_family() {
        // Upper triangular with 2 above the diagonal, q = −1: 2ⁿ − 1 pivots for
        // the ordinary rule of least index; the covering vector makes it short.
        let n = 12;
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            a[i * n + i] = 1.0;
            a[i * n + i + 1..(i + 1) * n].fill(2.0);
        }
        let z = solved(&a, &vec![-1.0; n]);
        let mut expected = vec![0.0; n];
        expected[n - 1] = 1.0;
        assert_eq!(z, expected);
    }

    #[test]
    fn badly_scaled_rows_and_columns() {
        let a = [2.0, -1.0, -1.0, 2.0];
        let q = [-1.0, -1.0];
        let (r, c) = ([1e9, 1e-9], [1e-6, 1e7]);
        let scaled: Vec<f64> = (0..4).map(|k| a[k] * r[k / 2] * c[k % 2]).collect();
        let z = solved(&scaled, &[q[0] * r[0], q[1] * r[1]]);
        assert!((z[0] * c[0] - 1.0).abs() < 1e-12 && (z[1] * c[1] - 1.0).abs() < 1e-12);
    }
}
