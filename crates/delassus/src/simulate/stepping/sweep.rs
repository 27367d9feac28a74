//! Solves the contact problem of a step by sweeps over its blocks.
//!
//! Each block is solved exactly with the others held, from the impulses of the last step. Where a few sweeps do not
//! suffice, every other one starts from the combination of those before whose changes cancel best (Anderson's
//! acceleration): velocities are linear in the impulses, so they are combined along with them. Many contacts of balls have
//! sweeps of their own (see [`super::balls`]). From what sweeps
//! do not bring down to the tolerance a path is followed (see [`super::path`]), in space after other ways (see
//! [`super::space`]), and what that does not solve goes to the solver for many contacts.

use super::balls::Balls;
use super::band::Band;
use super::blocks::{Block, Kind, sweep};
use super::exact;
use super::memory::Memory;
use super::path::Path;
use super::pattern::Pattern;
use super::space::Space;
use super::task::Task;
use crate::budget::{Budget, Limits};
use crate::model::SUPPORT;
use crate::solve::contact::{self, ContactLaw, ContactProblem, ContactSettings, ContactSide, LARGE, Method};

/// How a step's problem was solved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Solved {
    /// Sweeps.
    pub sweeps: usize,
    /// Residual in units of the largest velocity that calls for impulses.
    pub residual: f64,
}

/// Sweeps after which a path is followed: at most, at least in plane and space, and contacts for each. Most problems of
/// bodies that move need fewer than 80 of them. What a path takes grows with the square of the contacts, and in space with
/// larger matrices.
const SWEEPS: usize = 300;
const SWEEPS_PLANE: (usize, usize) = (12, 12);
const SWEEPS_SPACE: (usize, usize) = (60, 4);
/// Sweeps before the first combination, and from one to the next: each costs as much as a sweep, and takes out what the sweep
/// after it would have smoothed.
const PLAIN: usize = 5;
const BETWEEN: usize = 2;
/// Changes, in units of the velocities that call for impulses, below which combinations bring nothing but round-off.
pub(super) const POLISH: f64 = 1e-12;
/// Blocks up to which sweeps go on to the accuracy below: they cost next to nothing.
pub(super) const FEW: usize = 16;
const FEW_SWEEPS: usize = 200;
const ROUND: f64 = 1e-13;
/// Iterations of the solver for many contacts, those of a first attempt, and those where paths in the plane have not arrived: few
/// such problems are solved by any number.
const WHOLE: usize = 2000;
const BRIEF: usize = 60;
const LAST: usize = 200;
/// Tolerances of that solver one after the other, in units of the one wanted: its measures are others.
const FINER: [f64; 3] = [1.0, 1e-2, 1e-4];
/// The same where factors are too large in space: a further digit takes dozens of iterations there, and mostly little is missing.
const FINER_SPACE: [f64; 4] = [0.5, 0.15, 0.03, 1e-3];
/// Contacts of balls from which on they are swept over by themselves (see [`super::balls`]).
const MANY: usize = 300;
/// Fewest sweeps before such an attempt.
const SHORTEST: usize = 20;

/// Sweeps after which all blocks without friction are solved at once: fewer where that helped before, more where it did not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Patience {
    pub sweeps: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self { sweeps: 100 }
    }
}

/// What sweeps have learned, in buffers that are kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Sweeper<const D: usize, const R: usize> {
    /// Impulses before the last sweep.
    start: Vec<[f64; R]>,
    /// Roots of the mobilities.
    weight: Vec<[f64; R]>,
    memory: Memory<D, R>,
    /// Velocities without impulses.
    free: Vec<[f64; D]>,
    band: Band,
    balls: Balls,
    pattern: Pattern<D>,
    path: Path<D, R>,
    space: Space<D, R>,
    /// What earlier steps have taught; part of snapshots.
    pub patience: Patience,
}

impl<const D: usize, const R: usize> Sweeper<D, R> {
    /// Solves a step's problem; `v` holds the free velocities with the impulses at hand and becomes the answer.
    /// `unit` is the largest velocity that calls for impulses. A method that is named takes the place of the sweeps.
    pub fn solve(
        &mut self,
        blocks: &mut [Block<D, R>],
        v: &mut [[f64; D]],
        inverse_masses: &[[[f64; D]; D]],
        wanted: &ContactSettings,
        unit: f64,
    ) -> Solved {
        let mut solved = Solved::default();
        if blocks.is_empty() || unit == 0.0 {
            return solved;
        }
        self.free.clear();
        self.free.extend_from_slice(v);
        for block in blocks.iter() {
            block.push(&block.x.map(|x| -x), &mut self.free);
        }
        let tolerance = wanted.tolerance;
        if wanted.method != Method::Auto {
            for finer in FINER {
                let within = ContactSettings { tolerance: finer * tolerance, ..*wanted };
                let better = whole(blocks, v, &self.free, inverse_masses, &within, WHOLE);
                solved.residual = self.true_residual(blocks, v) / unit;
                if !better || solved.residual <= tolerance {
                    break;
                }
            }
            return solved;
        }
        let few = blocks.len() <= FEW;
        let (least, contacts) = if R == 2 { SWEEPS_PLANE } else { SWEEPS_SPACE };
        let many = (blocks.len() / contacts).clamp(least, SWEEPS);
        let (most, aim) = if few { (FEW_SWEEPS, ROUND) } else { (many, tolerance) };
        self.memory.forget();
        let mut worst = f64::INFINITY;
        // Without friction (columns of beads) that takes few steps; with it, it rarely pays.
        let smooth = blocks.iter().all(|block| block.kind == Kind::Contact(0.0));
        if smooth && !few && self.band.solve(blocks, &self.free, unit) {
            solved.residual = self.true_residual(blocks, v) / unit;
            if solved.residual <= tolerance {
                return solved;
            }
        }
        let mut next_try = if smooth && !few { self.patience.sweeps.min(most) } else { most };
        let swept = LARGE && R == 3 && blocks.len() >= MANY && self.balls.begin(blocks, &self.free, inverse_masses);
        if swept {
            solved.sweeps = self.balls.sweep(most, aim * unit, unit);
            self.balls.end(blocks);
            solved.residual = self.true_residual(blocks, v) / unit;
        }
        loop {
            if swept {
                break;
            }
            let combining = combines(solved.sweeps) && worst > POLISH * unit;
            if combining {
                self.start.clear();
                self.start.extend(blocks.iter().map(|block| block.x));
            }
            // Backwards: bodies are mostly listed from the ground up, and loads go down.
            worst = sweep(blocks, v, true);
            solved.sweeps += 1;
            if worst <= aim * unit || solved.sweeps >= next_try {
                solved.residual = self.true_residual(blocks, v) / unit;
                if solved.residual <= aim || worst == 0.0 || solved.sweeps >= most {
                    break;
                }
            }
            if solved.sweeps >= next_try {
                // Sweeps over one contact after the other are slow here: a few iterations on all contacts together.
                whole(blocks, v, &self.free, inverse_masses, wanted, BRIEF);
                solved.residual = residual(blocks, v) / unit;
                if solved.residual <= aim {
                    self.patience.sweeps = (self.patience.sweeps / 2).max(SHORTEST);
                    break;
                }
                self.patience.sweeps = (2 * self.patience.sweeps).min(most);
                next_try = most;
                self.memory.forget();
                continue;
            }
            if combining {
                self.combine(blocks, v);
            }
        }
        // Impacts of few contacts are certified, to 1e-9 in units of their own; the other solvers have theirs, too.
        let enough = tolerance.min(aim);
        let fits = !few && solved.residual > enough && self.pattern.prepare(blocks, inverse_masses);
        if fits {
            let task = &mut Task { blocks, v, free: &self.free, pattern: &self.pattern, aim: enough * unit, unit };
            let residual = if R == 3 { self.space.solve(&mut self.path, task) } else { self.path.solve(task) };
            solved.residual = residual / unit;
        }
        if few && solved.residual > enough && exact::solve(blocks, v, &self.free) {
            solved.residual = residual(blocks, v) / unit;
        }
        let unfit = LARGE && R == 3 && !few && !fits;
        let (finer, iterations) = match R {
            2 if fits => (&FINER[..1], LAST),
            _ if unfit => (&FINER_SPACE[..], WHOLE),
            _ => (&FINER[..], WHOLE),
        };
        for finer in finer {
            let within = ContactSettings { tolerance: finer * enough, ..*wanted };
            if solved.residual <= enough {
                break;
            }
            let better = whole(blocks, v, &self.free, inverse_masses, &within, iterations);
            solved.residual = residual(blocks, v) / unit;
            // So small a step of tolerances may gain nothing where the next one does.
            if !better && !unfit {
                break;
            }
        }
        solved
    }

    /// The residual at the velocities that the impulses have: those carried along from sweep to sweep gather round-off
    /// where combinations reach far.
    fn true_residual(&self, blocks: &[Block<D, R>], v: &mut [[f64; D]]) -> f64 {
        refresh(blocks, &self.free, v)
    }

    /// Takes the last sweep in and moves impulses and velocities on to the combination of sweeps whose changes cancel
    /// best.
    fn combine(&mut self, blocks: &mut [Block<D, R>], v: &mut [[f64; D]]) {
        let Self { memory, weight, start, .. } = self;
        if memory.is_empty() {
            weight.clear();
            weight.extend(blocks.iter().map(|block| block.mobility().map(f64::sqrt)));
        }
        let combined = memory.learn(|sweep| {
            sweep.x.extend(blocks.iter().map(|block| block.x));
            sweep.v.extend_from_slice(v);
            let changed = sweep.x.iter().zip(start.iter()).zip(weight.iter());
            let change = |x: &[f64; R], start: &[f64; R], weight: &[f64; R]| {
                std::array::from_fn(|r| weight[r] * (x[r] - start[r]))
            };
            sweep.change.extend(changed.map(|((x, start), weight)| change(x, start, weight)));
        });
        for (step, factor) in combined {
            for (block, d) in blocks.iter_mut().zip(&step.x) {
                (0..R).for_each(|r| block.x[r] -= factor * d[r]);
            }
            for (v, d) in v.iter_mut().zip(&step.v) {
                (0..D).for_each(|i| v[i] -= factor * d[i]);
            }
        }
    }
}

/// Whether sweeps are combined after the next one.
pub(super) fn combines(sweeps: usize) -> bool {
    sweeps >= PLAIN && (sweeps - PLAIN).is_multiple_of(BETWEEN)
}

/// The velocities that the impulses give to those without, and the residual.
pub(super) fn refresh<const D: usize, const R: usize>(
    blocks: &[Block<D, R>],
    free: &[[f64; D]],
    v: &mut [[f64; D]],
) -> f64 {
    v.copy_from_slice(free);
    blocks.iter().for_each(|block| block.push(&block.x, v));
    residual(blocks, v)
}

/// The largest defect of all blocks, as a velocity.
fn residual<const D: usize, const R: usize>(blocks: &[Block<D, R>], v: &[[f64; D]]) -> f64 {
    blocks.iter().map(|block| block.defect(&block.xi(v))).fold(0.0, f64::max)
}

/// All blocks at once, from the impulses at hand; leaves everything as it is where that gives no better answer.
fn whole<const D: usize, const R: usize>(
    blocks: &mut [Block<D, R>],
    v: &mut [[f64; D]],
    free: &[[f64; D]],
    inverse_masses: &[[[f64; D]; D]],
    wanted: &ContactSettings,
    iterations: usize,
) -> bool {
    let side = |k: usize| {
        let block = &blocks[k];
        [0, 1].map(|s| {
            let body = block.bodies[s];
            (body != SUPPORT).then(|| ContactSide { body, directions: block.w[s].as_flattened() })
        })
    };
    let inverse = inverse_masses.as_flattened().as_flattened();
    let matrix = ContactProblem::delassus(R, blocks.len(), D, inverse, side);
    let vector = blocks.iter().flat_map(|block| block.xi(free)).collect();
    let laws = blocks.iter().map(|block| match block.kind {
        Kind::Joint => ContactLaw::Joint,
        Kind::Contact(friction) => ContactLaw::coulomb(friction),
    });
    let problem = ContactProblem { matrix, vector, laws: laws.collect() };
    let mut x: Vec<f64> = blocks.iter().flat_map(|block| block.x).collect();
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    if contact::solve(&problem, wanted, &mut Budget::new(&limits), &mut x).is_err() {
        return false;
    }
    take_if_better(blocks, v, free, x.as_chunks().0)
}

/// Takes these impulses, and the velocities that follow from them, where their residual is smaller than that at hand;
/// whether it is.
pub(super) fn take_if_better<const D: usize, const R: usize>(
    blocks: &mut [Block<D, R>],
    v: &mut [[f64; D]],
    free: &[[f64; D]],
    impulses: &[[f64; R]],
) -> bool {
    let before = residual(blocks, v);
    let old: Vec<[f64; R]> = blocks.iter().map(|block| block.x).collect();
    blocks.iter_mut().zip(impulses).for_each(|(block, x)| block.x = *x);
    let mut answer = free.to_vec();
    blocks.iter().for_each(|block| block.push(&block.x, &mut answer));
    if residual(blocks, &answer) >= before {
        blocks.iter_mut().zip(old).for_each(|(block, x)| block.x = x);
        return false;
    }
    v.copy_from_slice(&answer);
    true
}
