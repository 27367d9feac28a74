//! Finishes the contact problem of a step where nearly all contacts are in the state that they will have.
//!
//! ```text
//! M(v − v_free) = W x,   x = law(x₀ − ρξ),   ξ = Wᵀv + c
//! ```
//!
//! is what a path (see [`super::path`]) leads to. From impulses x₀ near the answer Newton's method solves it in a few
//! steps, whole ones, with all contacts changing their states at once: each takes one factorisation over bodies, where the
//! inside of the cones (see [`super::interior`]) would take many steps to tell apart what sticks and what slips slowly. What
//! the weight ρ leaves is for the next round, which begins at the impulses that this one found. With a large weight Newton's
//! method diverges far from the answer; so weights begin small and grow from round to round.

use super::blocks::{Block, Kind, dot};
use super::pattern::Pattern;
use super::sweep::refresh;
use super::task::Task;
use crate::model::SUPPORT;
use crate::solve::contact::factor::Factors;

/// Weights ρ in units of the inverse mobility: the first, the largest and the smallest.
const FIRST: f64 = 1e2;
const LARGEST: f64 = 1e7;
const SMALLEST: f64 = 30.0;
/// Growth of the weight after a round that was worth it, and its division after one that was not.
const GROWTH: f64 = 4.0;
const RETREAT: f64 = 3.0;
/// Steps of a round.
const STEPS: usize = 3;
/// Part of the residual that a round may leave to be worth it, and what is worth another one with the same weight.
const WORTH: f64 = 0.7;
const LITTLE: f64 = 0.9;
/// Residual, in units of the largest velocity that calls for impulses, beyond which Newton's method is lost.
const LOST: f64 = 0.1;

/// Newton's method, in buffers that are kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Settle<const D: usize, const R: usize> {
    factors: Factors<D>,
    /// x₀: the best impulses so far.
    centre: Vec<[f64; R]>,
    /// ρ, and how impulses fall when velocities grow, by contacts.
    weights: Vec<[f64; R]>,
    rows: Vec<[[f64; R]; R]>,
    /// Velocities of Newton's method, what the dynamics lack at them, and its step in the order of elimination.
    at: Vec<[f64; D]>,
    force: Vec<[f64; D]>,
    step: Vec<[f64; D]>,
}

impl<const D: usize, const R: usize> Settle<D, R> {
    /// See [`Task`]; at most so many `steps`.
    pub fn solve(&mut self, task: &mut Task<'_, D, R>, mut steps: usize) -> f64 {
        let Task { blocks, v, free, pattern, aim, unit } = task;
        let (free, pattern, aim, unit) = (*free, *pattern, *aim, *unit);
        let mut least = refresh(blocks, free, v);
        self.centre.clear();
        self.centre.extend(blocks.iter().map(|block| block.x));
        let mut kappa = FIRST;
        while steps > 0 && least > aim {
            blocks.iter_mut().zip(&self.centre).for_each(|(block, x)| block.x = *x);
            let (from, mut best) = (least, None);
            self.weights.clear();
            self.weights.extend(blocks.iter().map(|block| weights(block, kappa)));
            refresh(blocks, free, v);
            self.at.clear();
            self.at.extend_from_slice(v);
            let mut left = STEPS.min(steps);
            while left > 0 {
                (left, steps) = (left - 1, steps - 1);
                if !self.newton(blocks, free, pattern) {
                    break;
                }
                for (block, (centre, weight)) in blocks.iter_mut().zip(self.centre.iter().zip(&self.weights)) {
                    block.x = law(block.kind, &wanted(block, centre, weight, &self.at), weight).0;
                }
                let residual = refresh(blocks, free, v);
                if residual < least {
                    least = residual;
                    best = Some(blocks.iter().map(|block| block.x).collect::<Vec<_>>());
                }
                if residual <= WORTH * from || residual.is_nan() || residual > LOST * unit.max(from) {
                    break;
                }
            }
            if let Some(best) = best {
                self.centre = best;
            }
            if least <= WORTH * from {
                kappa = (GROWTH * kappa).min(LARGEST);
            } else if least >= LITTLE * from || left > 0 {
                kappa /= RETREAT;
                if kappa < SMALLEST {
                    break;
                }
            }
        }
        blocks.iter_mut().zip(&self.centre).for_each(|(block, x)| block.x = *x);
        refresh(blocks, free, v)
    }

    /// One step of Newton's method; `false` where its matrix has no factors.
    fn newton(&mut self, blocks: &[Block<D, R>], free: &[[f64; D]], pattern: &Pattern<D>) -> bool {
        let Self { factors, centre, weights, rows, at, force, step } = self;
        force.clear();
        for ((at, free), mass) in at.iter().zip(free).zip(&pattern.masses) {
            let change: [f64; D] = std::array::from_fn(|i| free[i] - at[i]);
            force.push(std::array::from_fn(|i| dot(&mass[i], &change)));
        }
        rows.clear();
        for (block, (centre, weight)) in blocks.iter().zip(centre.iter().zip(weights.iter())) {
            let (x, h) = law(block.kind, &wanted(block, centre, weight, at), weight);
            rows.push(h);
            for side in (0..2).filter(|&side| block.bodies[side] != SUPPORT) {
                let body = &mut force[block.bodies[side]];
                for (row, x) in block.w[side].iter().zip(x) {
                    (0..D).for_each(|i| body[i] += row[i] * x);
                }
            }
        }
        if !pattern.factor(factors, blocks, |k| Some(rows[k])) {
            return false;
        }
        step.clear();
        step.extend(pattern.order.iter().map(|&body| force[body as usize]));
        factors.solve(&pattern.symbolic, step);
        for (at, &place) in at.iter_mut().zip(&pattern.place) {
            let step = &step[place as usize];
            (0..D).for_each(|i| at[i] += step[i]);
        }
        true
    }
}

/// One weight for both tangents, so that friction stays a disk.
fn weights<const D: usize, const R: usize>(block: &Block<D, R>, kappa: f64) -> [f64; R] {
    let mobility = block.mobility();
    let sideways = mobility[1..].iter().copied().fold(0.0, f64::max);
    std::array::from_fn(|r| {
        let along = if r == 0 || block.kind == Kind::Joint { mobility[r] } else { sideways };
        if along > 0.0 { kappa / along } else { 0.0 }
    })
}

/// x₀ − ρξ.
fn wanted<const D: usize, const R: usize>(
    block: &Block<D, R>,
    centre: &[f64; R],
    weight: &[f64; R],
    v: &[[f64; D]],
) -> [f64; R] {
    let xi = block.xi(v);
    std::array::from_fn(|r| centre[r] - weight[r] * xi[r])
}

/// The impulses of a contact or joint at y, and how much they fall when ξ grows.
fn law<const R: usize>(kind: Kind, y: &[f64; R], weight: &[f64; R]) -> ([f64; R], [[f64; R]; R]) {
    let mut h = [[0.0; R]; R];
    let Kind::Contact(friction) = kind else {
        (0..R).for_each(|r| h[r][r] = weight[r]);
        return (*y, h);
    };
    let mut x = [0.0; R];
    if y[0] <= 0.0 {
        return (x, h);
    }
    (x[0], h[0][0]) = (y[0], weight[0]);
    let (size, limit) = (y[1..].iter().map(|y| y * y).sum::<f64>().sqrt(), friction * y[0]);
    let slips = size > limit;
    for r in 1..R {
        if !slips {
            (x[r], h[r][r]) = (y[r], weight[r]);
            continue;
        }
        let along = y[r] / size;
        (x[r], h[r][0]) = (limit * along, friction * weight[0] * along);
        for c in 1..R {
            let part = f64::from(u8::from(r == c)) - along * y[c] / size;
            h[r][c] = limit / size * weight[c] * part;
        }
    }
    (x, h)
}
