//! Candidates that are no solutions, but that errors within the certified
//! tolerance could make ones.
//!
//! A combination of states asks for ξ = 0 in its active rows. Answers that
//! meet that to δ only, |δ_k| ≤ τ, lie in x + Σ δ_k dx_k, where dx_k answers a
//! unit velocity in row k; so x_i moves by τ Σ_k |dx_k,i|, ξ_i by
//! τ Σ_k |dξ_k,i| and u by τ Σ_k √(dx_kᵀdξ_k) in the kinetic metric at most.

use super::pattern::{Pattern, largest, velocity_tolerance};
use super::scaled::Scaled;
use super::{RANK, Solution, is_known};
use crate::solve::rank::FullPivot;

/// What was not decided so far. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Doubt {
    /// x and ξ of doubtful candidates.
    candidates: Vec<(Vec<f64>, Vec<f64>)>,
    /// Whether a combination leaves velocities open by more than two solutions may be apart.
    vague: bool,
    /// Whether that combination leaves the impulses of the candidate judged last open.
    pub(super) loose: bool,
    /// Σ_k |dx_k| and Σ_k |dξ_k| by row, for the combination at hand.
    impulses: Vec<f64>,
    velocities: Vec<f64>,
    /// Σ_k √(dx_kᵀdξ_k).
    motion: f64,
    system: FullPivot,
    y: Vec<f64>,
    x: Vec<f64>,
}

/// How a candidate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It satisfies the inclusion to the tolerance.
    Holds,
    /// Something close to it may.
    Doubtful,
    /// Nothing close to it does.
    Fails,
}

impl Doubt {
    pub(super) fn clear(&mut self) {
        self.candidates.clear();
        self.vague = false;
    }

    /// Whether the solutions found are all, whatever the doubtful candidates are.
    pub(super) fn is_settled(&self, scaled: &Scaled, solutions: &[Solution]) -> bool {
        !self.vague && self.candidates.iter().all(|(x, xi)| is_known(scaled, solutions, x, xi))
    }

    /// Notes a doubtful candidate.
    pub(super) fn note(&mut self, x: &[f64], xi: &[f64]) {
        self.candidates.push((x.to_vec(), xi.to_vec()));
    }

    /// Judges a candidate of a pattern; `inconsistency` is what its equations miss and
    /// `free` whether impulses are still to be chosen.
    pub(super) fn judge(
        &mut self,
        scaled: &Scaled,
        pattern: &Pattern,
        (x, xi): (&[f64], &[f64]),
        inconsistency: f64,
        free: bool,
    ) -> Standing {
        let (impulse, velocity) = (scaled.tolerance.impulse(largest(x)), velocity_tolerance(scaled, x, xi));
        let misses = |moved_x: &dyn Fn(usize) -> f64, moved_xi: &dyn Fn(usize) -> f64| {
            !free && pattern.impulse_violation(scaled, x, moved_x) > impulse
                || pattern.velocity_violation(scaled, xi, moved_xi) > velocity
        };
        let holds = inconsistency <= velocity && !misses(&|_| 0.0, &|_| 0.0);
        self.measure(scaled, pattern);
        let (impulses, velocities) = (&self.impulses, &self.velocities);
        let possible = holds || !misses(&|i| velocity * impulses[i], &|i| velocity * velocities[i]);
        if !possible {
            return Standing::Fails;
        }
        self.loose = velocity * largest(impulses) > scaled.tolerance.apart(largest(x));
        self.vague |= velocity * self.motion > scaled.tolerance.apart(largest(xi));
        if holds { Standing::Holds } else { Standing::Doubtful }
    }

    /// Sums what unit velocities in the active rows do.
    fn measure(&mut self, scaled: &Scaled, pattern: &Pattern) {
        for sums in [&mut self.impulses, &mut self.velocities] {
            sums.clear();
            sums.resize(scaled.rows, 0.0);
        }
        self.motion = 0.0;
        for k in 0..pattern.active.len() {
            pattern.square_system(scaled, &mut self.system);
            for i in 0..pattern.active.len() {
                *self.system.row_mut(i).1 = if i == k { 1.0 } else { 0.0 };
            }
            self.system.eliminate(RANK);
            self.system.solution(&mut self.y);
            pattern.expand(scaled, &self.y, true, &mut self.x);
            self.impulses.iter_mut().zip(&self.x).for_each(|(sum, x)| *sum += x.abs());
            scaled.multiply(&self.x, &mut self.y);
            self.velocities.iter_mut().zip(&self.y).for_each(|(sum, xi)| *sum += xi.abs());
            self.motion += self.x.iter().zip(&self.y).map(|(x, xi)| x * xi).sum::<f64>().max(0.0).sqrt();
        }
    }
}

/// A crude bound of what [`Doubt::judge`] measures: errors within the tolerance move
/// a candidate by no more than this times the tolerance.
pub(super) fn reach(pattern: &Pattern, system: &FullPivot, strongest: f64) -> f64 {
    let size = (1 + pattern.active.len()) as f64 * (1.0 + strongest);
    1.0 + 8.0 * size * size / system.weakest()
}
