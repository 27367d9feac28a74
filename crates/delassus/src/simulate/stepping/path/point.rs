//! One contact on a path: its state, where that ends, and its impulses.

use crate::simulate::stepping::blocks::{Block, Kind, NO_PIVOT};

/// Tangent of the angle by which a direction of slip may turn before it is taken anew.
const BEND: f64 = 0.3;
/// Part of the limit of friction within which a contact slips.
const LIMIT: f64 = 1e-9;

/// The state of a contact on the path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum State<const R: usize> {
    Open,
    Stick,
    /// The direction of friction, and what part of a change across it is left by the turning of slip.
    Slip([f64; R], f64),
    /// A joint.
    Held,
}

/// One contact.
#[derive(Debug, Clone, Copy)]
pub struct Point<const R: usize> {
    pub state: State<R>,
    /// ρ by rows.
    pub weight: [f64; R],
    /// s.
    pub shift: [f64; R],
    /// x₀ − ρξ, and its change along the path.
    pub y: [f64; R],
    pub slope: [f64; R],
}

impl<const R: usize> Point<R> {
    /// State and shift at the impulses at hand and velocities v, for the centre x₀ and the weight κ in units of the inverse
    /// mobility; at the edge of a state a contact is `inside` by this velocity.
    pub fn new<const D: usize>(
        block: &Block<D, R>,
        v: &[[f64; D]],
        centre: &[f64; R],
        kappa: f64,
        inside: f64,
    ) -> Self {
        let (xi, mobility, x) = (block.xi(v), block.mobility(), block.x);
        // One weight for both tangents, so that friction stays a disk.
        let sideways = mobility[1..].iter().copied().fold(0.0, f64::max);
        let weigh = |r: usize| {
            let along = if r == 0 || block.kind == Kind::Joint { mobility[r] } else { sideways };
            if along > 0.0 { kappa / along } else { 0.0 }
        };
        let weight: [f64; R] = std::array::from_fn(weigh);
        // Where the contact is at the impulses at hand, and where it would be without a shift.
        let wanted: [f64; R] = std::array::from_fn(|r| centre[r] - weight[r] * xi[r]);
        let mut y = x;
        let state = match block.kind {
            Kind::Joint => State::Held,
            Kind::Contact(_) if x[0] <= 0.0 => {
                y = wanted;
                y[0] = y[0].min(-weight[0] * inside);
                State::Open
            }
            Kind::Contact(friction) if friction == 0.0 || R == 1 => State::Stick,
            Kind::Contact(friction) => {
                let (size, limit) = (length(&x), friction * x[0]);
                if size >= limit * (1.0 - LIMIT) {
                    let along = direction(&x, &xi.map(|xi| -xi));
                    let beyond = (across(&wanted, &along) - size).max(weight[R - 1] * inside);
                    (1..R).for_each(|r| y[r] += beyond * along[r]);
                    let reach = limit + beyond;
                    State::Slip(along, if reach > 0.0 { limit / reach } else { 0.0 })
                } else {
                    State::Stick
                }
            }
        };
        let shift = std::array::from_fn(|r| if weight[r] > 0.0 { (wanted[r] - y[r]) / weight[r] } else { 0.0 });
        Self { state, weight, shift, y, slope: [0.0; R] }
    }

    /// The change of y along the path, for velocities of the contact that change by γ while τ grows by one.
    #[inline]
    pub fn slope_at(&self, gamma: &[f64; R], forward: f64) -> [f64; R] {
        std::array::from_fn(|r| -forward * self.weight[r] * (gamma[r] - self.shift[r]))
    }

    /// H: how much impulses fall when velocities grow.
    pub fn rows(&self, kind: Kind) -> [[f64; R]; R] {
        let mut h = [[0.0; R]; R];
        match (self.state, kind) {
            (State::Open, _) => {}
            (State::Slip(along, left), Kind::Contact(friction)) => {
                h[0][0] = self.weight[0];
                for r in 1..R {
                    h[r][0] = friction * self.weight[0] * along[r];
                    for c in 1..R {
                        let part = f64::from(u8::from(r == c)) - along[r] * along[c];
                        h[r][c] = left * self.weight[c] * part;
                    }
                }
            }
            (_, Kind::Contact(0.0)) => h[0][0] = self.weight[0],
            _ => (0..R).for_each(|r| h[r][r] = self.weight[r]),
        }
        h
    }

    /// Whether the state surely lasts for this part of the path: all states are convex, but for directions that turn.
    #[inline]
    pub fn stays(&self, friction: f64, step: f64) -> bool {
        let there: [f64; R] = std::array::from_fn(|r| self.y[r] + step * self.slope[r]);
        match self.state {
            State::Held => true,
            State::Open => there[0] < 0.0,
            State::Stick if friction > 0.0 && R > 1 => there[1].abs() < friction * there[0],
            State::Stick => there[0] > 0.0,
            State::Slip(along, _) => there[0] > 0.0 && across(&there, &along) > friction * there[0],
        }
    }

    /// Where along the path the state ends, and what follows (after an open contact only that it closes).
    pub fn next(&self, friction: f64) -> Option<(f64, State<R>)> {
        let mut first: Option<(f64, State<R>)> = None;
        let mut offer = |at: f64, state: State<R>| {
            if first.is_none_or(|(known, _)| at < known) {
                first = Some((at, state));
            }
        };
        // Where a value that is positive inside vanishes.
        let ends = |value: f64, slope: f64| (slope < 0.0).then(|| (value / -slope).max(0.0));
        let (y, slope) = (&self.y, &self.slope);
        match self.state {
            State::Held => {}
            State::Open => {
                if let Some(at) = ends(-y[0], -slope[0]) {
                    offer(at, State::Stick);
                }
            }
            State::Stick => {
                if let Some(at) = ends(y[0], slope[0]) {
                    offer(at, State::Open);
                }
                if friction > 0.0
                    && let Some(at) = leaves(friction, y, slope)
                {
                    let there: [f64; R] = std::array::from_fn(|r| y[r] + at * slope[r]);
                    // At the edge slip turns as freely as a contact that sticks.
                    offer(at, State::Slip(direction(&there, slope), 1.0));
                }
            }
            State::Slip(along, _) => {
                if let Some(at) = ends(y[0], slope[0]) {
                    offer(at, State::Open);
                }
                let [edge, rate] = [y, slope].map(|y| across(y, &along) - friction * y[0]);
                if let Some(at) = ends(edge, rate) {
                    offer(at, State::Stick);
                }
                if R > 2
                    && let Some(at) = bends(y, slope, &along)
                {
                    let there: [f64; R] = std::array::from_fn(|r| y[r] + at * slope[r]);
                    let left = (friction * there[0].max(0.0) / length(&there)).min(1.0);
                    offer(at, State::Slip(direction(&there, &along), left));
                }
            }
        }
        first
    }

    /// Whether the path leads back into the state that was left.
    pub fn turns_back(&self, kind: Kind, from: State<R>) -> bool {
        let Kind::Contact(friction) = kind else { return false };
        let slope = &self.slope;
        match (from, self.state) {
            (State::Open, _) => slope[0] < 0.0,
            (_, State::Open) => slope[0] > 0.0,
            (State::Slip(..), State::Slip(..)) => false,
            (State::Stick, State::Slip(along, _)) => across(slope, &along) - friction * slope[0] < 0.0,
            (State::Slip(along, _), _) => across(slope, &along) - friction * slope[0] > 0.0,
            _ => false,
        }
    }
}

/// The impulses of a contact or joint at y.
pub fn law<const R: usize>(kind: Kind, y: &[f64; R]) -> [f64; R] {
    let Kind::Contact(friction) = kind else { return *y };
    let mut x = [0.0; R];
    if y[0] > 0.0 {
        let (size, limit) = (length(y), friction * y[0]);
        let cut = if size > limit { limit / size } else { 1.0 };
        x = std::array::from_fn(|r| if r == 0 { y[0] } else { cut * y[r] });
    }
    x
}

/// Where y + at·slope leaves the cone of friction sideways.
fn leaves<const R: usize>(friction: f64, y: &[f64; R], slope: &[f64; R]) -> Option<f64> {
    let form = |a: &[f64; R], b: &[f64; R]| across(a, b) - friction * friction * a[0] * b[0];
    let (a, b, c) = (form(slope, slope), form(y, slope), form(y, y));
    if c >= 0.0 {
        // At the edge: out of it at once, or across the cone.
        return if b > 0.0 { Some(0.0) } else { (a > 0.0).then(|| -2.0 * b / a) };
    }
    let square = b * b - a * c;
    let root = if square >= 0.0 { b + square.sqrt() } else { 0.0 };
    (root > 0.0).then(|| -c / root)
}

/// Where the tangential part of y + at·slope has turned away from a direction.
fn bends<const R: usize>(y: &[f64; R], slope: &[f64; R], along: &[f64; R]) -> Option<f64> {
    // |part across| = BEND · part along.
    let form = |a: &[f64; R], b: &[f64; R]| across(a, b) - (1.0 + BEND * BEND) * across(a, along) * across(b, along);
    let (a, b, c) = (form(slope, slope), form(y, slope), form(y, y).min(0.0));
    let square = b * b - a * c;
    let root = if square >= 0.0 { b + square.sqrt() } else { 0.0 };
    (root > 0.0).then(|| -c / root)
}

/// The direction of the tangential part of y; of another where that has none.
pub fn direction<const R: usize>(y: &[f64; R], other: &[f64; R]) -> [f64; R] {
    let mut along = if length(y) > 0.0 { *y } else { *other };
    along[0] = 0.0;
    let size = length(&along);
    if size > 0.0 {
        along.iter_mut().for_each(|a| *a /= size);
    } else if R > 1 {
        along[1] = 1.0;
    }
    along
}

fn length<const R: usize>(y: &[f64; R]) -> f64 {
    across(y, y).sqrt()
}

/// Product of the tangential parts.
fn across<const R: usize>(a: &[f64; R], b: &[f64; R]) -> f64 {
    (1..R).map(|r| a[r] * b[r]).sum()
}

/// A small matrix as a sum of products of a column and a row, by elimination.
pub fn products<const R: usize>(matrix: &[[f64; R]; R]) -> [Option<([f64; R], [f64; R])>; R] {
    let mut rest = *matrix;
    let largest = |m: &[[f64; R]; R]| {
        let places = (0..R * R).map(|k| (k / R, k % R));
        places.fold((0, 0), |best, at| if m[at.0][at.1].abs() > m[best.0][best.1].abs() { at } else { best })
    };
    let whole = largest(&rest);
    let least = NO_PIVOT * rest[whole.0][whole.1].abs();
    std::array::from_fn(|_| {
        let (i, j) = largest(&rest);
        let pivot = rest[i][j];
        if pivot.abs() <= least {
            return None;
        }
        let (alpha, beta) = (std::array::from_fn(|r| rest[r][j] / pivot), rest[i]);
        for r in 0..R {
            (0..R).for_each(|c| rest[r][c] -= alpha[r] * beta[c]);
        }
        Some((alpha, beta))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_state_is_a_sum_of_few_products() {
        let along = [0.0, 0.6, 0.8];
        let point = |state| Point { state, weight: [3.0, 5.0, 5.0], shift: [0.0; 3], y: [0.0; 3], slope: [0.0; 3] };
        let kind = Kind::Contact(0.4);
        for (from, to, count) in [
            (State::Stick, State::Slip(along, 1.0), 1),
            (State::Slip(along, 0.3), State::Stick, 2),
            (State::Slip(along, 0.3), State::Open, 2),
            (State::Open, State::Slip(along, 0.0), 1),
        ] {
            let (before, after) = (point(from).rows(kind), point(to).rows(kind));
            let change: [[f64; 3]; 3] = std::array::from_fn(|r| std::array::from_fn(|c| after[r][c] - before[r][c]));
            let parts: Vec<_> = products(&change).into_iter().flatten().collect();
            assert_eq!(parts.len(), count, "{from:?} {to:?}");
            for r in 0..3 {
                for c in 0..3 {
                    let sum: f64 = parts.iter().map(|(alpha, beta)| alpha[r] * beta[c]).sum();
                    assert!((sum - change[r][c]).abs() < 1e-12, "{from:?} {to:?}");
                }
            }
        }
    }

    #[test]
    fn the_edge_of_the_cone_and_of_a_direction_are_met() {
        let (y, slope) = ([2.0, 0.3, -0.2], [-0.1, 0.5, 0.9]);
        let there = |at: f64| -> [f64; 3] { std::array::from_fn(|r| y[r] + at * slope[r]) };
        let at = leaves(0.4, &y, &slope).unwrap();
        assert!((length(&there(at)) - 0.4 * there(at)[0]).abs() < 1e-14);
        assert!(length(&there(0.99 * at)) < 0.4 * there(0.99 * at)[0]);
        assert_eq!(leaves(0.4, &y, &[1.0, 0.0, 0.0]), None);
        let along = direction(&y, &slope);
        let at = bends(&y, &slope, &along).unwrap();
        let (whole, part) = (length(&there(at)), across(&there(at), &along));
        assert!(((whole * whole - part * part).sqrt() - BEND * part.abs()).abs() < 1e-14);
        assert_eq!(bends(&y, &y, &along), None);
    }
}
