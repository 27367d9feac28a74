//! Whether gaps close within a step, which is looked at in lengths for which they surely stay open.

use super::Events;
use crate::simulate::dynamics::NO_PIECE;
use crate::simulate::motion::MovingSystem;
use crate::simulate::steps::Steps;
use crate::simulate::thresholds::{count, time};

/// Bounds on the motion within a step.
#[derive(Debug, Clone, Copy)]
pub(in crate::simulate) struct Bounds {
    /// Speed of any point \[m/s\].
    speed: f64,
    /// Its acceleration \[m/s²\].
    acceleration: f64,
}

impl Bounds {
    /// Bounds on what moves in the waiting step.
    pub fn of(motion: &MovingSystem<'_>, steps: &Steps) -> Self {
        let nq = motion.dynamics.nq;
        let [first, last] = steps.rates();
        let (mut speed, mut acceleration) = (0.0f64, 0.0f64);
        for i in 0..motion.dynamics.n {
            let length = motion.units.length(i);
            speed = speed.max(length * motion.state.y[nq + i].abs().max(steps.end[nq + i].abs()));
            acceleration = acceleration.max(length * first[nq + i].abs().max(last[nq + i].abs()));
        }
        Self { speed, acceleration }
    }

    /// A bound on the second derivative, with respect to the fraction of a step of length `step`, of distances between
    /// points and sides of two bodies of that size; `sharpness` is the largest curvature of what they touch with.
    pub fn bend(self, step: f64, size: f64, sharpness: f64) -> f64 {
        // n·a, 2ṅ·v and n̈·r, each of two bodies that translate and turn.
        let turning = sharpness.max(1.0 / size);
        8.0 * step * step * (self.acceleration + self.speed * self.speed * turning)
    }
}

impl Events {
    /// Whether an open contact closes within the waiting step, and before which fraction of it.
    pub(super) fn closing(
        &mut self,
        motion: &MovingSystem<'_>,
        steps: &Steps,
        c: usize,
        bounds: Bounds,
    ) -> Option<f64> {
        let dynamics = &motion.dynamics;
        if self.pair_of[c].is_some() {
            let piece = dynamics.pieces[c];
            let (q, u) = motion.state.parts(&steps.end);
            // Where a corner changes its side or faces none, its pair of outlines is what is watched.
            if piece == NO_PIECE || dynamics.system.piece(c, q, u) != Some(piece) {
                return None;
            }
        }
        let bend = bounds.bend(steps.pending, motion.units.size, dynamics.system.sharpness(c));
        let mut inside = std::mem::take(&mut self.inside);
        let mut value = |x: f64| {
            let (q, u) = motion.state.parts(within_step(motion, steps, x, &mut inside));
            let (gap, gamma) = self.watched(dynamics, c, motion.state.t + x * steps.pending, q, u);
            let height = gap + self.slack[c];
            (height, safe_length(height, gamma[0] * steps.pending, bend))
        };
        let first = first_negative(&mut value, 0.0);
        self.inside = inside;
        first
    }

    /// Whether two outlines overlap within the waiting step: the side that separates
    /// them last, and the fractions of the step between which it ceases to. A
    /// side that separated them and no longer does has changed sign, however
    /// far the outlines went through each other meanwhile.
    pub(super) fn overlapping(
        &mut self,
        motion: &MovingSystem<'_>,
        steps: &Steps,
        pair: usize,
        bounds: Bounds,
    ) -> Option<(usize, [f64; 2])> {
        let mut inside = std::mem::take(&mut self.inside);
        let found = last_side(motion, steps, pair, self.pair_slack[pair], bounds, &mut inside);
        self.inside = inside;
        found
    }
}

fn last_side(
    motion: &MovingSystem<'_>,
    steps: &Steps,
    pair: usize,
    slack: f64,
    bounds: Bounds,
    inside: &mut [f64],
) -> Option<(usize, [f64; 2])> {
    let system = motion.system();
    let bend = bounds.bend(steps.pending, motion.units.size, 0.0);
    let (mut from, mut side) = (0.0, system.separation(pair, motion.state.q()).0);
    for _ in 0..count::SIDES {
        let mut value = |x: f64| {
            let (q, u) = motion.state.parts(within_step(motion, steps, x, inside));
            let (mut height, mut safe) = (f64::INFINITY, f64::INFINITY);
            system.corners_by(pair, side, q, u, &mut |distance, rate| {
                height = height.min(distance + slack);
                safe = safe.min(safe_length(distance + slack, rate * steps.pending, bend));
            });
            (height, safe)
        };
        let mut until = first_negative(&mut value, from)?;
        let range = [from, until];
        for _ in 0..count::HALVINGS {
            let x = 0.5 * (from + until);
            if value(x).0 < 0.0 { until = x } else { from = x }
        }
        let (q, _) = motion.state.parts(within_step(motion, steps, until, inside));
        let (next, apart) = system.separation(pair, q);
        if next == side || apart + slack < 0.0 {
            return Some((side, range));
        }
        (from, side) = (until, next);
    }
    // Sides that take turns without end: the last place at which one of them ceased to separate.
    Some((side, [from, 1.0]))
}

/// The state at a fraction of the waiting step.
fn within_step<'b>(motion: &'b MovingSystem<'_>, steps: &'b Steps, x: f64, inside: &'b mut [f64]) -> &'b [f64] {
    if x <= 0.0 {
        return &motion.state.y;
    }
    if x >= 1.0 {
        return &steps.end;
    }
    steps.interpolate(x, inside);
    inside
}

/// How far a function of this height and slope, whose second derivative is at most `bend`, surely stays positive; a
/// little beyond its zero where it is nearly straight until there.
fn safe_length(height: f64, slope: f64, bend: f64) -> f64 {
    let height = height.max(0.0);
    // To where the parabola that bends down as fast as can be meets zero.
    let safe = (slope + (slope * slope + 2.0 * bend * height).sqrt()) / bend;
    let straight = -height / slope;
    if slope < 0.0 && bend * straight < -time::STRAIGHT * slope { safe.max(1.01 * straight) } else { safe }
}

/// The first place found between `a` and 1 at which a function is negative. It is given with the length for which it
/// surely stays positive, and followed in steps of that length.
fn first_negative(value: &mut impl FnMut(f64) -> (f64, f64), mut a: f64) -> Option<f64> {
    let mut length = value(a).1;
    for left in (0..count::LOOKS).rev() {
        if left < count::EVEN_LOOKS {
            // Where it stays near zero all along, the rest of the step is looked at evenly.
            length = length.max((1.0 - a) / (left + 1) as f64);
        }
        // Where nothing bends and nothing falls there is no length.
        let b = if length < 1.0 - a { a + length } else { 1.0 };
        let (height, next) = value(b);
        if height < 0.0 {
            return Some(b);
        }
        if b >= 1.0 {
            return None;
        }
        (a, length) = (b, next);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parabola that dips below zero between two looks at its ends is seen, one that just does not is not.
    #[test]
    fn a_dip_within_a_step_is_seen() {
        for (depth, dips) in [(1e-3, true), (1e-9, true), (-1e-9, false), (-1e-3, false)] {
            // 4(x − 0.6)² − depth: its second derivative is 8.
            let mut value = |x: f64| {
                let height = 4.0 * (x - 0.6) * (x - 0.6) - depth;
                (height, safe_length(height, 8.0 * (x - 0.6), 8.0))
            };
            let found = first_negative(&mut value, 0.0);
            assert_eq!(found.is_some(), dips, "{depth}");
            if let Some(x) = found {
                assert!(value(x).0 < 0.0);
            }
        }
    }

    #[test]
    fn what_is_nearly_straight_is_met_at_once() {
        let mut looks = 0;
        let mut value = |x: f64| {
            looks += 1;
            (0.5 - x, safe_length(0.5 - x, -1.0, 0.01))
        };
        assert!(first_negative(&mut value, 0.0).is_some_and(|x| x > 0.5 && x < 0.51));
        assert!(looks <= 3);
    }
}
