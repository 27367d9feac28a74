//! Candidates that are no solutions, but that errors within the certified
//! tolerance could make ones.
//!
//! A combination of states asks for ξ = 0 in its active rows and fixes x in the
//! others. Answers that meet that to δ only, within the tolerance, lie in
//! x + Σ_k δ_k dx_k, where dx_k answers an error of one in row k; so x_i moves
//! by Σ_k τ_k |dx_k,i|, ξ_i by Σ_k τ_k |dξ_k,i| and u by Σ_k τ_k √(dx_kᵀdξ_k)
//! in the kinetic metric at most. An open contact may carry a normal impulse
//! within the tolerance, and the friction that this allows.

use super::pattern::{Pattern, largest, round, velocity_tolerance};
use super::scaled::Scaled;
use super::{RANK, Solution, is_known};
use crate::small::rank::FullPivot;

/// What was not decided so far. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Doubt {
    /// x and ξ of doubtful candidates.
    candidates: Vec<(Vec<f64>, Vec<f64>)>,
    /// Whether a combination leaves velocities open by more than is allowed to spread.
    vague: bool,
    /// Whether some motion is hardly seen by any direction.
    blurred: bool,
    /// Whether the combination judged last leaves velocities open by more than that.
    wide: bool,
    /// Whether it leaves impulses open.
    pub(super) loose: bool,
    /// Σ_k τ_k |dx_k| and Σ_k τ_k |dξ_k| by row, for the combination at hand.
    impulses: Vec<f64>,
    velocities: Vec<f64>,
    /// Σ_k τ_k √(dx_kᵀdξ_k).
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
    /// Forgets everything; `blurred` tells whether nothing can be decided at all.
    pub(super) fn start(&mut self, blurred: bool) {
        self.candidates.clear();
        self.vague = false;
        self.blurred = blurred;
    }

    /// Whether the solutions found are all, whatever the doubtful candidates are.
    pub(super) fn is_settled(&self, scaled: &Scaled, solutions: &[Solution]) -> bool {
        // What spreads around one of several solutions does not make it another one.
        let vague = self.vague && solutions.len() < 2;
        !vague && !self.blurred && self.candidates.iter().all(|(x, xi)| is_known(scaled, solutions, x, xi))
    }

    /// Notes that the candidate judged last is one, or close to one, that counts.
    pub(super) fn admit(&mut self) {
        self.vague |= self.wide;
    }

    /// Notes a doubtful candidate.
    pub(super) fn note(&mut self, x: &[f64], xi: &[f64]) {
        self.admit();
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
        let misses = |impulse: f64, moved_x: &dyn Fn(usize) -> f64, moved_xi: &dyn Fn(usize) -> f64| {
            !free && pattern.impulse_violation(scaled, x, moved_x) > impulse
                || pattern.velocity_violation(scaled, xi, moved_xi) > 0.0
        };
        let least = velocity_tolerance(scaled, x, xi);
        let holds = inconsistency <= least && !misses(scaled.tolerance.impulse(largest(x)), &|_| 0.0, &|_| least);
        // |u⁺| is at most the speed without impulses and what these add.
        let effort: f64 = x.iter().zip(xi).zip(&scaled.b).map(|((x, xi), b)| x * (xi - b)).sum();
        let most = scaled.tolerance.speed() + effort.max(0.0).sqrt();
        let tolerances = [scaled.tolerance.impulse(most.max(largest(x))), scaled.tolerance.velocity(most) + round(x)];
        self.measure(scaled, pattern, tolerances);
        let moved_xi = |i: usize| self.velocities[i] + tolerances[usize::from(!scaled.is_friction(i))];
        let possible = holds || !misses(tolerances[0], &|i| self.impulses[i], &moved_xi);
        if !possible {
            return Standing::Fails;
        }
        let spread = scaled.tolerance.spread(largest(xi));
        self.loose = largest(&self.impulses) > scaled.tolerance.spread(largest(x));
        self.wide = self.motion > spread || round(x) > spread;
        if holds { Standing::Holds } else { Standing::Doubtful }
    }

    /// The same for a set of candidates that a singular combination leaves: whether its equations
    /// hold to the tolerance.
    pub(super) fn judge_set(&mut self, scaled: &Scaled, x: &[f64], inconsistency: f64) -> bool {
        self.wide = round(x) > scaled.tolerance.spread(0.0);
        self.loose = true;
        inconsistency <= velocity_tolerance(scaled, x, &[])
    }

    /// Sums what errors of the size of the tolerances in each row do.
    fn measure(&mut self, scaled: &Scaled, pattern: &Pattern, [impulse, velocity]: [f64; 2]) {
        for sums in [&mut self.impulses, &mut self.velocities] {
            sums.clear();
            sums.resize(scaled.rows, 0.0);
        }
        self.motion = 0.0;
        for row in 0..scaled.rows {
            let active = pattern.active.iter().position(|&r| r == row);
            pattern.square_system(scaled, &mut self.system);
            for (i, &r) in pattern.active.iter().enumerate() {
                *self.system.row_mut(i).1 = match active {
                    Some(k) => f64::from(u8::from(i == k)),
                    None => -scaled.g[r * scaled.rows + row],
                };
            }
            self.system.eliminate(RANK);
            self.system.solution(&mut self.y);
            pattern.expand(scaled, &self.y, true, &mut self.x);
            let size = match active {
                // Certificates weigh tangential velocities as impulses.
                Some(_) if scaled.is_friction(row) => impulse,
                Some(_) => velocity,
                None => {
                    self.x[row] += 1.0;
                    impulse * pattern.grip(scaled, row)
                }
            };
            scaled.multiply(&self.x, &mut self.y);
            self.impulses.iter_mut().zip(&self.x).for_each(|(sum, x)| *sum += size * x.abs());
            self.velocities.iter_mut().zip(&self.y).for_each(|(sum, xi)| *sum += size * xi.abs());
            self.motion += size * self.x.iter().zip(&self.y).map(|(x, xi)| x * xi).sum::<f64>().max(0.0).sqrt();
        }
    }
}

/// A crude bound of what [`Doubt::judge`] measures: errors within the tolerance move
/// a candidate by no more than this times the tolerance.
pub(super) fn reach(pattern: &Pattern, system: &FullPivot, strongest: f64) -> f64 {
    let size = (1 + pattern.active.len()) as f64 * (1.0 + strongest);
    1.0 + 8.0 * size * size / system.weakest()
}
