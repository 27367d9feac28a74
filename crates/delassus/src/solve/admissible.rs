//! Redundant forces within their limits: of all solutions of A x = b the one
//! with E x ≥ 0 that minimises Σ x_i²/weight_i.
//!
//! With x₀ the least solution and N a basis of the null space of A, orthonormal
//! in the metric of the reciprocal weights, x = x₀ + N y and the least y solves
//!
//! ```text
//! 0 ≤ ν ⟂ E x₀ + (EN)(EN)ᵀ ν ≥ 0,    y = (EN)ᵀ ν
//! ```

use super::lemke::{self, LcpStatus, LemkeWork};
use crate::small::redundant::RedundantWork;

/// One inequality, Σ factor · x_index ≥ 0 over up to three entries; those not needed have the factor 0.
pub(crate) type Limit = [(usize, f64); 3];

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct AdmissibleWork {
    /// EN, one row per inequality that the null space moves, of unit length.
    moved: Vec<f64>,
    slack: Vec<f64>,
    shifted: Vec<f64>,
    matrix: Vec<f64>,
    multipliers: Vec<f64>,
    lemke: LemkeWork,
}

/// Inequalities that the null space moves less than this stay as they are.
const FIXED: f64 = 1e-9;
/// Compliance of the inequalities, which are of unit length.
const COMPLIANCE: f64 = 1e-7;
/// Most steps in which what compliance leaves fades; few are needed but where the limits nearly contradict.
const STEPS: usize = 40;
/// Steps after which compliance has left round-off alone in most cases.
const FEW: usize = 3;
/// Violations below this part of the largest slack are round-off.
const ROUND_OFF: f64 = 1e-13;

/// Σ factor · x_index.
pub(crate) fn value(limit: &Limit, x: &[f64]) -> f64 {
    limit.iter().map(|&(i, factor)| factor * x[i]).sum()
}

impl AdmissibleWork {
    /// Moves `x`, the least solution that `factored` found last, to the least
    /// one within the limits. Where there is none, the violations are made as
    /// small as they can be, which joins the solutions continuously.
    pub fn admit(&mut self, factored: &RedundantWork, weights: &[f64], limits: &[Limit], x: &mut [f64]) {
        let k = x.len();
        let basis = factored.null_space();
        let dimension = (basis.len() / k.max(1)).max(1);
        self.moved.clear();
        self.slack.clear();
        for limit in limits {
            let place = self.moved.len();
            self.moved.extend(basis.chunks_exact(k).map(|direction| value(limit, direction)));
            let row = &mut self.moved[place..];
            let size = row.iter().map(|v| v * v).sum::<f64>().sqrt();
            let whole = limit.iter().map(|&(i, factor)| factor * factor * weights[i]).sum::<f64>().sqrt();
            if size > FIXED * whole {
                row.iter_mut().for_each(|v| *v /= size);
                self.slack.push(value(limit, x) / size);
            } else {
                self.moved.truncate(place);
            }
        }
        let rows = self.slack.len();
        self.matrix.clear();
        for a in self.moved.chunks_exact(dimension) {
            let others = self.moved.chunks_exact(dimension);
            self.matrix.extend(others.map(|b| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>()));
        }
        // Proximal steps: compliant limits always have a solution, the only one, and
        // the compliance, taken about the multipliers so far, fades.
        self.matrix.iter_mut().step_by(rows + 1).for_each(|diagonal| *diagonal += COMPLIANCE);
        self.multipliers.clear();
        self.multipliers.resize(rows, 0.0);
        let allowed = ROUND_OFF * self.slack.iter().fold(0.0f64, |m, s| m.max(s.abs()));
        let mut violation = f64::INFINITY;
        for step in 1..=STEPS {
            self.shifted.clear();
            self.shifted.extend(self.slack.iter().zip(&self.multipliers).map(|(slack, nu)| slack - COMPLIANCE * nu));
            let report = lemke::solve(&self.matrix, &self.shifted, &mut self.lemke, &mut self.multipliers);
            if report.status != LcpStatus::Solved {
                return;
            }
            // Where nothing is left, or no step helps because the limits contradict, it ends.
            let before = std::mem::replace(&mut violation, self.violation());
            if step >= FEW && (violation <= allowed || violation > 0.5 * before) {
                break;
            }
        }
        // The sum over the multipliers first: contradicting ones are large and cancel.
        for (j, direction) in basis.chunks_exact(k).enumerate() {
            let parts = self.moved.iter().skip(j).step_by(dimension).zip(&self.multipliers);
            let y: f64 = parts.map(|(part, multiplier)| part * multiplier).sum();
            x.iter_mut().zip(direction).for_each(|(x, d)| *x += y * d);
        }
    }
}

impl AdmissibleWork {
    /// How far the worst limit is violated with the multipliers at hand.
    fn violation(&self) -> f64 {
        let rows = self.slack.len();
        let value = |i: usize| {
            let row = self.matrix[i * rows..(i + 1) * rows].iter().zip(&self.multipliers);
            // The matrix holds the compliance as well.
            self.slack[i] + row.map(|(m, nu)| m * nu).sum::<f64>() - COMPLIANCE * self.multipliers[i]
        };
        (0..rows).map(|i| -value(i)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body on three points in a row: sum and moment of the forces are given.
    fn three_points(sum: f64, moment: f64) -> [f64; 3] {
        let a = [1.0, 1.0, 1.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let mut x = [0.0; 3];
        let mut work = RedundantWork::default();
        assert_eq!(work.solve(&a, &[sum, moment, 0.0], &[1.0; 3], &mut x), 2);
        let limits: Vec<Limit> = (0..3).map(|i| [(i, 1.0), (i, 0.0), (i, 0.0)]).collect();
        AdmissibleWork::default().admit(&work, &[1.0; 3], &limits, &mut x);
        x
    }

    #[test]
    fn the_least_forces_push() {
        for (moment, expected) in [
            (0.0, [1.0, 1.0, 1.0]),
            (1.5, [0.25, 1.0, 1.75]),
            (2.4, [0.0, 0.6, 2.4]),
            (-2.9, [2.9, 0.1, 0.0]),
            (3.0, [0.0, 0.0, 3.0]),
        ] {
            let x = three_points(3.0, moment);
            assert!(x.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-12), "{moment}: {x:?}");
        }
    }

    #[test]
    fn where_none_pushes_the_least_pull_joins_continuously() {
        let (inside, outside) = (three_points(3.0, 3.0 - 1e-7), three_points(3.0, 3.0 + 1e-7));
        assert!(inside.iter().all(|&x| x >= -1e-15));
        assert!(outside.iter().any(|&x| x < -1e-8), "{outside:?}");
        assert!(inside.iter().zip(outside).all(|(a, b)| (a - b).abs() < 1e-6), "{inside:?} {outside:?}");
    }
}
