//! Solves the contact problem of a step in space from the inside of its cones.
//!
//! Where impulses can be shared in many ways, sweeps and paths go along the edges of what is possible, from one change of state to the
//! next. Here every contact stays between its states by a small energy e,
//!
//! ```text
//! x_N z = e,   z = ξ_N,       λ g = e,   μ x_N ξ_T + λ x_T = 0,   g = (μ²x_N² − |x_T|²)/(2 μ x_N)
//! ```
//!
//! with x_N, z, λ, g > 0, and e goes to nothing: for e = 0 this is the law. Newton's method on these equations and
//! M(v − v_free) = W x takes one factorisation over bodies for each step, first to see how far e can be lessened and then, with
//! the same factors, to go there (Mehrotra's predictor and corrector). Among the impulses that nothing else
//! determines it keeps to the middle, and directions of slip turn as they do. Near the end, where e would have to become very small until
//! contacts that hardly slip are told from those that stick, whole steps of Newton's method for the law itself are tried (see
//! [`super::settle`]). Steps of impulses are held back by a weight so large
//! that only round-off notices it: without it, velocities would have to be known better than numbers can be.

mod point;

use super::blocks::{Block, dot};
use super::pattern::Pattern;
use super::settle::Settle;
use super::sweep::refresh;
use super::task::Task;
use crate::model::SUPPORT;
use crate::solve::contact::factor::Factors;
use point::Point;

/// Steps after which this is no way, and those that come to next to nothing.
const STEPS: usize = 50;
const JAMMED: usize = 10;
const SHORT: f64 = 0.1;
/// Part of the way to the edge of a cone that is gone.
const PART: f64 = 0.95;
/// The most that e is lessened by in a step.
const LEAST: f64 = 1e-2;
/// e ends where its root is this part of the residual wanted, and is not lessened below this part of the one at hand.
const ENOUGH: f64 = 0.2;
const BEHIND: f64 = 0.1;
/// The most that e is raised by for that.
const RAISED: f64 = 1e2;
/// Steps before a residual counts: those from impulses moved inside are none.
const EARLY: usize = 3;
/// Residual, in units of the largest velocity that calls for impulses, from which Newton's method may finish, the part of the one
/// where it failed before it is tried again, and its steps.
const FINISH: f64 = 1e-4;
const AGAIN: f64 = 0.3;
const FINISHING: usize = 10;

/// Goes through the inside, in buffers that are kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Interior<const D: usize, const R: usize> {
    factors: Factors<D>,
    points: Vec<Point<R>>,
    /// What the dynamics lack, by bodies.
    force: Vec<[f64; D]>,
    /// The step of the velocities, in the order of elimination.
    step: Vec<[f64; D]>,
    /// Velocities of the impulses at hand.
    seen: Vec<[f64; D]>,
    best: Vec<[f64; R]>,
    /// Finishes what came near, from here or from elsewhere.
    pub settle: Settle<D, R>,
}

impl<const D: usize, const R: usize> Clone for Interior<D, R> {
    /// Buffers hold nothing that is worth a copy.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<const D: usize, const R: usize> Interior<D, R> {
    /// See [`Task`]. It starts as far inside as the residual is large, in units of the largest velocity that calls for impulses.
    pub fn solve(&mut self, task: &mut Task<'_, D, R>) -> f64 {
        let Task { blocks, v, free, pattern, aim, unit } = task;
        let (free, pattern, aim, unit) = (*free, *pattern, *aim, *unit);
        let mut least = refresh(blocks, free, v);
        self.best.clear();
        self.best.extend(blocks.iter().map(|block| block.x));
        let energy = least.min(unit) * unit;
        self.points.clear();
        self.points.extend(blocks.iter().map(|block| Point::new(block, v, energy)));
        self.seen.clear();
        self.seen.extend_from_slice(v);
        let (mut jammed, mut now, mut near) = (0, 0.0, FINISH * unit);
        for count in 0..STEPS {
            let floor = (ENOUGH * aim).powi(2);
            let Some((target, length)) = self.direction(pattern, blocks, v, free, floor, (BEHIND * now).powi(2)) else {
                break;
            };
            jammed += usize::from(length < SHORT);
            let length = (PART * length).min(1.0);
            if jammed > JAMMED || length <= 0.0 {
                break;
            }
            for (v, &at) in v.iter_mut().zip(&pattern.place) {
                let step = &self.step[at as usize];
                (0..D).for_each(|i| v[i] += length * step[i]);
            }
            for (block, point) in blocks.iter_mut().zip(&mut self.points) {
                point.advance(length, target);
                block.x = point.x;
            }
            // At the very edge of a cone round-off may leave no number, which no residual shows.
            if blocks.iter().any(|block| block.x.iter().any(|x| !x.is_finite())) {
                break;
            }
            let residual = refresh(blocks, free, &mut self.seen);
            if residual < least {
                least = residual;
                self.best.clear();
                self.best.extend(blocks.iter().map(|block| block.x));
            }
            if least > aim && residual <= near {
                near = AGAIN * residual;
                let near_it = &mut Task { blocks, v: &mut self.seen, free, pattern, aim, unit };
                let settled = self.settle.solve(near_it, FINISHING);
                if settled < least {
                    least = settled;
                    self.best.clear();
                    self.best.extend(blocks.iter().map(|block| block.x));
                }
                blocks.iter_mut().zip(&self.points).for_each(|(block, point)| block.x = point.x);
            }
            if least <= aim {
                break;
            }
            now = if count < EARLY { 0.0 } else { residual };
        }
        blocks.iter_mut().zip(&self.best).for_each(|(block, x)| block.x = *x);
        refresh(blocks, free, v)
    }

    /// Steps of velocities and points towards an energy that is found on the way, between `floor` and what lies not too
    /// far behind; gives it and how far the steps may go.
    fn direction(
        &mut self,
        pattern: &Pattern<D>,
        blocks: &[Block<D, R>],
        v: &[[f64; D]],
        free: &[[f64; D]],
        floor: f64,
        behind: f64,
    ) -> Option<(f64, f64)> {
        self.force.clear();
        for ((v, free), mass) in v.iter().zip(free).zip(&pattern.masses) {
            let change: [f64; D] = std::array::from_fn(|i| free[i] - v[i]);
            self.force.push(std::array::from_fn(|i| dot(&mass[i], &change)));
        }
        for (block, point) in blocks.iter().zip(&mut self.points) {
            spread(block, &point.x, |body| body, &mut self.force);
            point.look(block.xi(v));
        }
        let Self { factors, points, .. } = self;
        if !pattern.factor(factors, blocks, |k| Some(points[k].rows)) {
            return None;
        }
        let count = self.points.len() as f64;
        let energy = |points: &[Point<R>], length: f64| {
            points.iter().map(|point| point.energy_after(length)).sum::<f64>() / count
        };
        let at_hand = energy(&self.points, 0.0);
        let length = self.steps(pattern, blocks, 0.0, 0.0);
        let reached = energy(&self.points, length.min(1.0));
        let lessened = (reached / at_hand).clamp(LEAST, 1.0) * at_hand;
        let target = lessened.max(floor).max(behind.min(RAISED * at_hand));
        let second = if length < SHORT { 0.0 } else { length.min(1.0).powi(2) };
        let length = self.steps(pattern, blocks, target, second);
        (length.is_finite() && target.is_finite()).then_some((target, length))
    }

    /// Steps towards the energy `target`, with so much of the products of the last steps; how far they may go.
    fn steps(&mut self, pattern: &Pattern<D>, blocks: &[Block<D, R>], target: f64, second: f64) -> f64 {
        let Self { factors, points, force, step, .. } = self;
        step.clear();
        step.extend(pattern.order.iter().map(|&body| force[body as usize]));
        for (block, point) in blocks.iter().zip(points.iter_mut()) {
            point.aim(target, second);
            spread(block, &point.constants, |body| pattern.place[body] as usize, step);
        }
        factors.solve(&pattern.symbolic, step);
        let mut length = f64::INFINITY;
        for (block, point) in blocks.iter().zip(points.iter_mut()) {
            let mut change = [0.0; R];
            for side in (0..2).filter(|&side| block.bodies[side] != SUPPORT) {
                let body = &step[pattern.place[block.bodies[side]] as usize];
                (0..R).for_each(|r| change[r] += dot(&block.w[side][r], body));
            }
            point.follow(&change, target, second);
            length = length.min(point.longest());
        }
        length
    }
}

/// out += W x.
fn spread<const D: usize, const R: usize>(
    block: &Block<D, R>,
    x: &[f64; R],
    place: impl Fn(usize) -> usize,
    out: &mut [[f64; D]],
) {
    for side in (0..2).filter(|&side| block.bodies[side] != SUPPORT) {
        let body = &mut out[place(block.bodies[side])];
        for (row, x) in block.w[side].iter().zip(x) {
            (0..D).for_each(|i| body[i] += row[i] * x);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::blocks::Kind;
    use super::*;

    const SIDE: usize = 5;

    /// Spheres of radius 1 stacked to a pyramid on a floor, the first two of them joined or not.
    pub fn pyramid(friction: f64, joined: bool) -> (Vec<Block<6, 3>>, Vec<[[f64; 6]; 6]>) {
        let mut places = Vec::new();
        for layer in 0..SIDE {
            let [up, side] = [2f64.sqrt() * layer as f64, layer as f64];
            for k in 0..(SIDE - layer) * (SIDE - layer) {
                let (i, j) = (k % (SIDE - layer), k / (SIDE - layer));
                places.push([side + 2.0 * i as f64, side + 2.0 * j as f64, up]);
            }
        }
        let mass = std::array::from_fn(|i| std::array::from_fn(|j| [0.0, [1.0, 2.5][i / 3]][usize::from(i == j)]));
        let masses = vec![mass; places.len()];
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let mut blocks = Vec::new();
        let mut touch = |a: usize, b: usize, n: [f64; 3], kind: Kind| {
            let size = (n[1] * n[1] + n[2] * n[2]).sqrt();
            let t = if size > 0.1 { [0.0, n[2] / size, -n[1] / size] } else { [0.0, 1.0, 0.0] };
            let rows = |sign: f64| {
                [n, t, cross(n, t)].map(|d| {
                    let turn = cross(n, d);
                    std::array::from_fn(|i| if i < 3 { sign * d[i] } else { -turn[i - 3] })
                })
            };
            blocks.push(Block::new([a, b], [rows(1.0), rows(-1.0)], kind, &masses));
        };
        for (a, p) in places.iter().enumerate() {
            for (b, q) in places.iter().enumerate().take(a) {
                let n: [f64; 3] = std::array::from_fn(|i| 0.5 * (p[i] - q[i]));
                if n.iter().map(|n| n * n).sum::<f64>() < 1.0 + 1e-9 {
                    touch(a, b, n, if joined && a == 1 { Kind::Joint } else { Kind::Contact(friction) });
                }
            }
            if p[2] == 0.0 {
                touch(a, SUPPORT, [0.0, 0.0, 1.0], Kind::Contact(friction));
            }
        }
        (blocks, masses)
    }

    #[test]
    fn most_pyramids_that_sweeps_leave_are_solved() {
        let mut state = 5u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let (mut interior, mut pattern) = (Interior::default(), Pattern::default());
        let (mut slow, mut solved) = (0, 0);
        for case in 0..12 {
            let (mut blocks, masses) = pyramid([0.0, 0.1, 0.3][case % 3], true);
            let free: Vec<[f64; 6]> = (0..masses.len())
                .map(|_| std::array::from_fn(|i| 0.1 * random() - f64::from(u8::from(i == 2))))
                .collect();
            let mut v = free.clone();
            for _ in 0..60 {
                blocks.iter_mut().rev().for_each(|block| {
                    block.relax(&mut v);
                });
            }
            let before = refresh(&blocks, &free, &mut v);
            slow += usize::from(before > 1e-6);
            assert!(pattern.prepare(&blocks, &masses));
            let residual = interior.solve(&mut Task {
                blocks: &mut blocks,
                v: &mut v,
                free: &free,
                pattern: &pattern,
                aim: 1e-6,
                unit: 1.0,
            });
            assert!(residual <= before, "case {case}: {before:e} became {residual:e}");
            solved += usize::from(residual <= 1e-6);
            // Measured once more, from the impulses alone.
            let mut again = free.clone();
            blocks.iter().for_each(|block| block.push(&block.x, &mut again));
            let worst = blocks.iter().map(|block| block.defect(&block.xi(&again))).fold(0.0, f64::max);
            assert!((worst - residual).abs() <= 1e-12, "case {case}: {worst:e}, not {residual:e}");
        }
        assert!(slow > 6, "sweeps solve nearly all of these: {slow}");
        assert!(solved > 7, "only {solved}");
    }
}
