//! Solves the contact problem of a step by following a path of solutions.
//!
//! Where impulses can be shared in many ways, sweeps let them drift by the same small amount each time, until a contact
//! changes its state; a step may need dozens of such changes. Here each costs one solution with factors at hand.
//!
//! The impulses of the sweeps solve a problem with other constants, c + s. From it to the one wanted,
//!
//! ```text
//! ξ(τ) = Wᵀv + c + (1 − τ)s,   M(v − v_free) = W x,   x = law(x₀ − ρξ),   τ from 0 to 1
//! ```
//!
//! velocities and impulses are, contact by contact in the same state, linear in τ; where a contact reaches the end of
//! its state, the state changes and the path goes on (Katzenelson's method). The weight ρ keeps impulses near
//! those at the start, x₀, that nothing else determines: they move by ρξ, so a small weight leaves a residual, and another
//! path starts from where the last one ended. With a large weight paths may turn, because friction is not symmetric: τ then falls along
//! them for a while. Most turn once more and arrive; with those that come back to τ = 0 a smaller weight is taken. In space
//! directions of slip turn: they are taken as they are, and anew where they have turned by too much. What that leaves is for
//! further paths around the same x₀, and where a few of them do not suffice the weight was too large.

mod point;
mod sums;
mod updates;

use super::blocks::{Block, Kind, dot};
use super::pattern::Pattern;
use super::sweep::refresh;
use super::task::Task;
use crate::solve::contact::factor::Factors;
use point::{Point, State, direction, law, products};
use sums::{Link, keep, times};
use updates::Updates;

/// Weights ρ in units of the inverse mobility: the first in plane and space, the largest and the smallest.
const FIRST: (f64, f64) = (1e3, 1e2);
const LARGEST: f64 = 1e7;
const SMALLEST: f64 = 3.0;
/// Growth of the weight after a path, in plane and space, and its division after one that came back.
const GROWTH: (f64, f64) = (5.0, 3.0);
const RETREAT: (f64, f64) = (5.0, 10.0);
/// Growth in the plane after a path with at most so many changes of state: most that the next one takes are factors then.
const CALM: usize = 2;
const CALM_GROWTH: f64 = 25.0;
/// Paths after which this is no way, in plane and space.
const PATHS: (usize, usize) = (500, 100);
/// Paths with the same weight after it was lessened, in plane and space.
const PATIENCE: (usize, usize) = (3, 4);
/// Paths in space around the same impulses, and the part of the residual that turning may leave.
const ROUNDS: usize = 7;
const TURNED: f64 = 0.3;
/// Changes of state, and further ones for each contact in plane and space, after which this is no way.
const CHANGES: usize = 200;
const CHANGES_EACH: (usize, usize) = (5, 1);
/// Changes of state on one path in the plane: longer ones wind, and a smaller weight is cheaper.
const LONGEST: usize = 300;
/// Changes of rows after which the matrix is factored anew.
const UPDATES: usize = 80;
/// Velocities, in units of those that call for impulses, by which contacts at the edge of their state are inside of it.
const INSIDE: f64 = 1e-6;

/// How a path ended.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Arrived,
    CameBack,
    TooLong,
    Lost,
}

/// Follows paths, in buffers that are kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Path<const D: usize, const R: usize> {
    points: Vec<Point<R>>,
    /// States that the factors with their changes stand for, and their weight.
    states: Vec<State<R>>,
    factored: f64,
    factors: Factors<D>,
    /// Bodies and directions of the blocks.
    links: Vec<Link<D, R>>,
    /// Changes of the matrix since the factors were made.
    updates: Updates<D>,
    /// The direction before the last changes, in the order of elimination.
    direction: Vec<[f64; D]>,
    /// Wᵀ of the direction at hand, by contacts.
    gammas: Vec<[f64; R]>,
    best: Vec<[f64; R]>,
    /// x₀.
    centre: Vec<[f64; R]>,
}

impl<const D: usize, const R: usize> Clone for Path<D, R> {
    /// Buffers hold nothing that is worth a copy.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<const D: usize, const R: usize> Path<D, R> {
    /// See [`Task`]; the impulses at hand lie in their cones.
    pub fn solve(&mut self, task: &mut Task<'_, D, R>) -> f64 {
        let Task { blocks, v, free, pattern, aim, unit } = task;
        let (free, pattern, aim, unit) = (*free, *pattern, *aim, *unit);
        let mut least = refresh(blocks, free, v);
        self.links.clear();
        self.links.extend(blocks.iter().map(|block| Link::new(block, &pattern.place)));
        keep(blocks, &mut self.best);
        keep(blocks, &mut self.centre);
        self.factored = 0.0;
        let plane = |both: (usize, usize)| if R == 2 { both.0 } else { both.1 };
        let (mut growth, retreat) = if R == 2 { (GROWTH.0, RETREAT.0) } else { (GROWTH.1, RETREAT.1) };
        let most_patience = plane(PATIENCE);
        let first = if R == 2 { FIRST.0 } else { FIRST.1 };
        let (mut kappa, mut left) = (first, CHANGES + plane(CHANGES_EACH) * blocks.len());
        let (mut patience, mut rounds, mut now) = (0usize, 0, least);
        for _ in 0..plane(PATHS) {
            if rounds > 0 {
                // In the plane a path arrives at the answer for its weight.
                if R == 2 || self.shift(blocks, v, kappa, unit) <= TURNED * now + 2.0 * INSIDE * unit {
                    keep(blocks, &mut self.centre);
                    if patience == 0 {
                        kappa = (growth * kappa).min(LARGEST);
                    }
                    (patience, rounds) = (patience.saturating_sub(1), 0);
                } else if rounds == ROUNDS {
                    blocks.iter_mut().zip(&self.centre).for_each(|(block, x)| block.x = *x);
                    refresh(blocks, free, v);
                    (kappa, patience, rounds) = ((kappa / growth).max(SMALLEST), most_patience, 0);
                }
            }
            self.begin(blocks, v, kappa, unit);
            rounds += 1;
            let most = if R == 2 { left.min(LONGEST) } else { left };
            let mut rest = most;
            let end = self.follow(pattern, blocks, kappa, &mut rest);
            left -= most - rest;
            if R == 2 {
                growth = if most - rest <= CALM { CALM_GROWTH } else { GROWTH.0 };
            }
            match end {
                End::Arrived => {
                    for (block, point) in blocks.iter_mut().zip(&self.points) {
                        block.x = law(block.kind, &point.y);
                    }
                    now = refresh(blocks, free, v);
                    if now < least {
                        least = now;
                        keep(blocks, &mut self.best);
                    }
                    if least <= aim {
                        break;
                    }
                }
                End::CameBack | End::TooLong if kappa > SMALLEST && left > 0 => {
                    (kappa, patience, rounds) = ((kappa / retreat).max(SMALLEST), most_patience, 0);
                }
                _ => break,
            }
        }
        blocks.iter_mut().zip(&self.best).for_each(|(block, x)| block.x = *x);
        refresh(blocks, free, v)
    }

    /// States and shifts at the impulses and velocities at hand.
    fn begin(&mut self, blocks: &[Block<D, R>], v: &[[f64; D]], kappa: f64, unit: f64) {
        self.states.clear();
        self.states.extend(self.points.iter().map(|point| point.state));
        self.points.clear();
        let places = blocks.iter().zip(&self.centre);
        self.points.extend(places.map(|(block, centre)| Point::new(block, v, centre, kappa, INSIDE * unit)));
    }

    /// The largest shift there: how far what is at hand is from the answer for its centre and weight.
    fn shift(&mut self, blocks: &[Block<D, R>], v: &[[f64; D]], kappa: f64, unit: f64) -> f64 {
        self.begin(blocks, v, kappa, unit);
        self.points.iter().flat_map(|point| point.shift).fold(0.0, |most, shift| most.max(shift.abs()))
    }

    /// Follows the path; `left` is lessened by the changes of state.
    fn follow(&mut self, pattern: &Pattern<D>, blocks: &[Block<D, R>], kappa: f64, left: &mut usize) -> End {
        // On the path τ changes by ±1.
        let (mut tau, mut forward) = (0.0, 1.0);
        if !(self.resume(pattern, blocks, kappa) || self.factor(pattern, blocks)) {
            return End::Lost;
        }
        self.factored = kappa;
        loop {
            // The first contact that reaches the end of its state.
            let (mut step, mut first) = (if forward > 0.0 { 1.0 - tau } else { tau }, None);
            for (k, ((point, block), gamma)) in self.points.iter_mut().zip(blocks).zip(&self.gammas).enumerate() {
                point.slope = point.slope_at(gamma, forward);
                let Kind::Contact(friction) = block.kind else { continue };
                if !(R == 2 && point.stays(friction, step))
                    && let Some((at, state)) = point.next(friction)
                    && at < step
                {
                    (step, first) = (at, Some((k, state)));
                }
            }
            tau += forward * step;
            for point in &mut self.points {
                (0..R).for_each(|r| point.y[r] += step * point.slope[r]);
            }
            let Some((k, next)) = first else {
                return if forward > 0.0 { End::Arrived } else { End::CameBack };
            };
            if *left == 0 {
                return End::TooLong;
            }
            *left -= 1;
            let from = self.points[k].state;
            let next = match (from, blocks[k].kind) {
                // What closes slips, in the direction that it has.
                (State::Open, Kind::Contact(friction)) if friction > 0.0 && R > 1 => {
                    State::Slip(direction(&self.points[k].y, &self.points[k].slope), 0.0)
                }
                _ => next,
            };
            if !self.change(pattern, blocks, k, next) {
                return End::Lost;
            }
            let point = &mut self.points[k];
            point.slope = point.slope_at(&self.gammas[k], forward);
            if point.turns_back(blocks[k].kind, from) {
                // The way on from here is the one on which τ changes the other way.
                forward = -forward;
            }
        }
    }

    /// Factors J = M + W H Wᵀ with the states at hand, and finds its direction.
    fn factor(&mut self, pattern: &Pattern<D>, blocks: &[Block<D, R>]) -> bool {
        self.updates.clear(pattern.order.len());
        let Self { points, factors, .. } = self;
        let acts = |k: usize| (points[k].state != State::Open).then(|| points[k].rows(blocks[k].kind));
        if !pattern.factor(factors, blocks, acts) {
            return false;
        }
        self.head(pattern, blocks);
        true
    }

    /// Goes on in the plane with the factors of the last path where that had the same weight; `false` where new ones are better.
    fn resume(&mut self, pattern: &Pattern<D>, blocks: &[Block<D, R>], kappa: f64) -> bool {
        if R != 2 || self.factored != kappa || self.states.len() != blocks.len() || 2 * self.updates.len() > UPDATES {
            return false;
        }
        let rows = |state: State<R>, point: &Point<R>, kind: Kind| Point { state, ..*point }.rows(kind);
        for (k, block) in blocks.iter().enumerate() {
            let before = rows(self.states[k], &self.points[k], block.kind);
            if before != self.points[k].rows(block.kind) && !self.exchange(pattern, block.kind, k, &before) {
                return false;
            }
        }
        self.head(pattern, blocks);
        true
    }

    /// Finds the direction of the matrix at hand.
    fn head(&mut self, pattern: &Pattern<D>, blocks: &[Block<D, R>]) {
        let Self { points, factors, updates, links, direction, gammas, .. } = self;
        direction.clear();
        direction.resize(pattern.order.len(), [0.0; D]);
        for ((block, link), point) in blocks.iter().zip(links.iter()).zip(points.iter()) {
            if point.state != State::Open {
                let pushed = times(&point.rows(block.kind), &point.shift);
                link.spread(&pushed, direction);
            }
        }
        if R == 2 {
            updates.solve(factors, &pattern.symbolic, direction);
        } else {
            // In space factors are made anew for each path.
            factors.solve(&pattern.symbolic, direction);
        }
        gammas.clear();
        gammas.extend(links.iter().map(|link| link.gather(direction)));
    }

    /// The state of a contact changes, and J with it.
    fn change(&mut self, pattern: &Pattern<D>, blocks: &[Block<D, R>], k: usize, next: State<R>) -> bool {
        let kind = blocks[k].kind;
        let before = self.points[k].rows(kind);
        self.points[k].state = next;
        self.exchange(pattern, kind, k, &before) || self.factor(pattern, blocks)
    }

    /// J changes by products of two columns to the rows that a contact has now; `false` where that would be inexact or takes too many.
    fn exchange(&mut self, pattern: &Pattern<D>, kind: Kind, k: usize, before: &[[f64; R]; R]) -> bool {
        let after = self.points[k].rows(kind);
        let grown = std::array::from_fn(|r| std::array::from_fn(|c| after[r][c] - before[r][c]));
        let mut products = products(&grown).into_iter().flatten();
        self.updates.len() + R <= UPDATES && products.all(|(alpha, beta)| self.update(pattern, k, [&alpha, &beta]))
    }

    /// J grows by Wα βᵀWᵀ at a contact, and the direction changes along one column; `false` where that would be inexact.
    fn update(&mut self, pattern: &Pattern<D>, k: usize, product: [&[f64; R]; 2]) -> bool {
        let Self { points, links, factors, updates, gammas, .. } = self;
        let Some((column, whole)) = updates.push(factors, &pattern.symbolic, &links[k], product) else { return false };
        let beta = product[1];
        let factor = (dot(beta, &points[k].shift) - dot(beta, &gammas[k])) / whole;
        for (gamma, link) in gammas.iter_mut().zip(links.iter()) {
            let change = link.gather(column);
            (0..R).for_each(|r| gamma[r] += factor * change[r]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SUPPORT;

    const SIDE: usize = 6;

    /// Disks of radius 1 in close packing on a floor between two walls, the first two of them joined.
    fn packing(friction: f64) -> (Vec<Block<3, 2>>, Vec<[[f64; 3]; 3]>) {
        let masses = vec![[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]; SIDE * SIDE];
        let height = 3f64.sqrt();
        let place = |k: usize| {
            let (column, row) = (k % SIDE, k / SIDE);
            [2.0 * column as f64 + (row % 2) as f64, height * row as f64]
        };
        let mut blocks = Vec::new();
        let mut touch = |a: usize, b: usize, n: [f64; 2], kind: Kind| {
            let rows = |sign: f64| [[sign * n[0], sign * n[1], 0.0], [-sign * n[1], sign * n[0], -1.0]];
            blocks.push(Block::new([a, b], [rows(1.0), rows(-1.0)], kind, &masses));
        };
        for a in 0..SIDE * SIDE {
            for b in 0..a {
                let (p, q) = (place(a), place(b));
                let n = [0.5 * (p[0] - q[0]), 0.5 * (p[1] - q[1])];
                if n[0] * n[0] + n[1] * n[1] < 1.0 + 1e-9 {
                    touch(a, b, n, if a == 1 { Kind::Joint } else { Kind::Contact(friction) });
                }
            }
            let (column, row) = (a % SIDE, a / SIDE);
            if row == 0 {
                touch(a, SUPPORT, [0.0, 1.0], Kind::Contact(friction));
            }
            if column == 0 && row % 2 == 0 {
                touch(a, SUPPORT, [1.0, 0.0], Kind::Contact(friction));
            }
            if column == SIDE - 1 && row % 2 == 1 {
                touch(a, SUPPORT, [-1.0, 0.0], Kind::Contact(friction));
            }
        }
        (blocks, masses)
    }

    #[test]
    fn packings_are_solved_where_sweeps_are_not_enough() {
        let mut state = 5u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let (mut path, mut pattern) = (Path::default(), Pattern::default());
        let mut slow = 0;
        for case in 0..24 {
            let (mut blocks, masses) = packing([0.0, 0.2, 0.5][case % 3]);
            let free: Vec<[f64; 3]> =
                (0..masses.len()).map(|_| [0.1 * random(), -1.0 + 0.1 * random(), 0.1 * random()]).collect();
            let mut v = free.clone();
            for _ in 0..10 {
                blocks.iter_mut().rev().for_each(|block| {
                    block.relax(&mut v);
                });
            }
            let mut more = (blocks.clone(), v.clone());
            for _ in 0..200 {
                more.0.iter_mut().rev().for_each(|block| {
                    block.relax(&mut more.1);
                });
            }
            slow += usize::from(refresh(&more.0, &free, &mut more.1) > 1e-9);
            assert!(pattern.prepare(&blocks, &masses));
            let residual = path.solve(&mut Task {
                blocks: &mut blocks,
                v: &mut v,
                free: &free,
                pattern: &pattern,
                aim: 1e-9,
                unit: 1.0,
            });
            assert!(residual <= 1e-9, "case {case}: {residual:e}");
            // Measured once more, from the impulses alone.
            let mut again = free.clone();
            blocks.iter().for_each(|block| block.push(&block.x, &mut again));
            let worst = blocks.iter().map(|block| block.defect(&block.xi(&again))).fold(0.0, f64::max);
            assert!(worst <= 1e-9, "case {case}: {worst:e}");
        }
        assert!(slow > 12, "sweeps solve nearly all of these: {slow}");
    }
}
