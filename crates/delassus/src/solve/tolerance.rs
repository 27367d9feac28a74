//! What a decision between solutions may hang on: one place for all of them.
//!
//! An answer is certified when its relative residual is at most [`RESIDUAL`].
//! So whatever satisfies an inclusion to that is a solution, and a proof that
//! there is one only must not hang on less. With s_i = √G_ii, x̂ = s x,
//! ξ̂ = ξ/s and the speed v of the system in the kinetic metric:
//!
//! ```text
//! a velocity is zero     |ξ̂| ≤ RESIDUAL max(v, |ξ̂|_∞)
//! an impulse is zero     |x̂| ≤ RESIDUAL max(v, |x̂|_∞)
//! two solutions are one  |u − u'|_M = √((x − x')ᵀ(ξ − ξ')) ≤ APART max(v, |ξ̂|_∞)
//! ```
//!
//! Candidates for a solution (one per combination of states) therefore fall
//! into three classes: those that hold are solutions; those that an error of
//! the data within the tolerance could make hold are doubtful; the others are
//! none. One solution, and no doubtful candidate apart from it, is a proof, if
//! what is certified does not spread further than [`SPREAD`] around it.

/// Relative residual up to which an answer is certified.
pub const RESIDUAL: f64 = 1e-9;

/// Velocities closer than this, relative to the speed, belong to one solution.
pub const APART: f64 = 1e-6;

/// What is certified may spread by this around one solution, relative to the speed. Where it
/// spreads further (friction close to its critical value, directions that nearly coincide)
/// nothing is proved.
pub const SPREAD: f64 = 1e-4;

/// Distance from a critical case (a coefficient that vanishes, relative to its
/// parts) from which on what is certified spreads by less than [`SPREAD`].
pub const CRITICAL: f64 = RESIDUAL / SPREAD;

/// Round-off of Gx, relative to x.
const ROUND: f64 = 64.0 * f64::EPSILON;

/// What joints or other directions must leave of a direction, relative to its G_ii. A motion of
/// which less is seen follows from the checked velocities with errors that are larger than theirs
/// by the root of this, and more where large impulses hold each other.
pub const BLOCKED: f64 = 1e-6;

/// The tolerances in the units at hand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tolerance {
    /// v.
    speed: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { speed: 1.0 }
    }
}

impl Tolerance {
    /// For a system with this speed.
    pub(crate) fn new(speed: f64) -> Self {
        Self { speed }
    }

    /// v.
    pub(crate) fn speed(self) -> f64 {
        self.speed
    }

    /// What counts as zero among velocities whose largest is given.
    pub(crate) fn velocity(self, largest: f64) -> f64 {
        RESIDUAL * self.speed.max(largest)
    }

    /// What counts as zero among impulses whose largest is given.
    pub(crate) fn impulse(self, largest: f64) -> f64 {
        RESIDUAL * self.speed.max(largest)
    }

    /// By how much velocities whose largest is given may differ within one solution.
    pub(crate) fn apart(self, largest: f64) -> f64 {
        APART * self.speed.max(largest)
    }

    /// By how much what is certified may spread around velocities whose largest is given.
    pub(crate) fn spread(self, largest: f64) -> f64 {
        SPREAD * self.speed.max(largest)
    }

    /// Whether two solutions, given by rows (x̂, ξ̂) of each, have the same velocities in the
    /// kinetic metric. Where bodies are pressed against each other (x ≫ ξ) the round-off of Gx
    /// does not count.
    pub(crate) fn same(self, rows: impl Iterator<Item = [(f64, f64); 2]>) -> bool {
        let (mut impulse, mut velocity, mut farthest) = (0.0f64, 0.0f64, 0.0f64);
        let (mut square, mut moved) = (0.0, 0.0);
        for [(x, xi), (y, eta)] in rows {
            impulse = impulse.max(x.abs()).max(y.abs());
            velocity = velocity.max(xi.abs()).max(eta.abs());
            farthest = farthest.max((xi - eta).abs());
            square += (x - y) * (xi - eta);
            moved += (x - y).abs();
        }
        let (apart, round) = (self.apart(velocity), ROUND * impulse);
        farthest <= apart + round && square <= apart * apart + moved * round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows (x̂, ξ̂) of two solutions, and whether they are one.
    #[test]
    fn solutions_are_told_apart_by_velocities_alone() {
        let same = |rows: &[[(f64, f64); 2]]| Tolerance::new(1.0).same(rows.iter().copied());
        // Redundant contacts may share an impulse in any way, in either order of the two.
        assert!(same(&[[(3.0, 1.0), (1.0, 1.0)], [(1.0, 1.0), (3.0, 1.0)]]));
        assert!(same(&[[(3.0, 1.0), (1.0, 1.0)]]) && same(&[[(1.0, 1.0), (3.0, 1.0)]]));
        // Velocities apart in one row, in the kinetic metric, and within what counts as one.
        assert!(!same(&[[(1.0, 0.0), (1.0, 1e-5)]]));
        assert!(!same(&[[(2.0, 5e-7), (1.0, 0.0)]]));
        assert!(same(&[[(1.0, 0.0), (1.0, 5e-7)]]));
        // Where impulses are large, velocities are known to their round-off.
        assert!(same(&[[(1e9, 0.0), (1e9, 5e-6)]]));
    }
}
