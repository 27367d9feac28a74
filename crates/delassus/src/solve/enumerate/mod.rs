//! All solutions of a planar inclusion.
//!
//! Every combination of open, stick and slip leaves a linear system. Where its
//! matrix is regular it has one candidate. Where it is singular the candidates
//! form a polyhedron. Usually ξ is the same in all of it, and then the set of
//! all x with this ξ is one convex polyhedron, whatever the combination: it is
//! found once. Solutions that share ξ are one solution with a set of x, because
//! u⁺ is the same.

mod doubt;
mod pattern;
mod scaled;

use super::polyhedron::Polyhedron;
use super::tolerance::{BLOCKED, CRITICAL, Tolerance};
use super::{HUGE, Inclusion};
use crate::budget::Budget;
use crate::small::rank::FullPivot;
use doubt::{Doubt, Standing, reach};
use pattern::{Pattern, largest, velocity_tolerance};
use scaled::Scaled;

/// A solution of an inclusion; where x is not unique, one inner point of its set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Solution {
    /// x (m).
    pub x: Vec<f64>,
    /// ξ = Gx + b (m).
    pub xi: Vec<f64>,
    /// Dimension of the set of x it stands for.
    pub dimension: usize,
    /// Whether ξ differs within that set: a continuum of solutions.
    pub varies: bool,
    /// Whether errors within the certified tolerance move x noticeably, ξ apart.
    pub loose: bool,
    /// xᵀGx.
    pub effort: f64,
}

impl Solution {
    /// The solution with this x, as an isolated one.
    pub fn new(inclusion: &Inclusion, x: &[f64]) -> Self {
        let mut xi = Vec::new();
        inclusion.velocity(x, &mut xi);
        let effort = xi.iter().zip(inclusion.vector).zip(x).map(|((xi, b), x)| (xi - b) * x).sum();
        Self { x: x.to_vec(), xi, effort, ..Self::default() }
    }

    /// Whether another solution has the same velocities, in the kinetic metric and relative to
    /// the speed of the system.
    pub fn has_velocity_of(&self, other: &Self, inclusion: &Inclusion, speed: f64) -> bool {
        let m = self.x.len();
        // Rows that nothing moves have no unit, and no say.
        let units = (0..m).map(|i| (i, inclusion.matrix[i * m + i].sqrt())).filter(|(_, unit)| *unit > 0.0);
        let drive = units.clone().fold(speed, |v, (i, unit)| v.max(inclusion.vector[i].abs() / unit));
        let row = |s: &Self, i: usize, unit: f64| (s.x[i] * unit, s.xi[i] / unit);
        Tolerance::new(drive).same(units.map(|(i, unit)| [row(self, i, unit), row(other, i, unit)]))
    }
}

/// How far an enumeration went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Enumeration {
    /// These are all solutions.
    Complete,
    /// These are solutions; whether there are others hangs on less than the certified tolerance.
    Undecided,
    /// There are more combinations than the work allowed: those tried left these solutions.
    TooMany,
    /// The inclusion has friction in two dimensions: nothing was tried.
    NotPlanar,
}

/// Multiplications that [`enumerate`] is ready to spend: some ten seconds.
pub const PATIENT: f64 = 3e9;
/// The same where nobody asked for all solutions: a fraction of a second.
pub const CHEAP: f64 = 2e8;
/// Pivots below this, relative to the largest entry, are zero.
const RANK: f64 = 1e-12;
/// Velocities this close to one that leads to no solution, relative to the largest, lead to none.
const REJECTED: f64 = 1e-7;
/// The same for directions, which have the round-off of dot products only.
const DEPENDENT: f64 = 1e-14;
/// Combinations whose pivots are above this are looked at once for each ξ.
const FIRM: f64 = 10.0 * CRITICAL;
/// By how much, in units of the tolerance, the inequalities of a set of candidates are relaxed
/// to see whether it is empty beyond doubt.
const RELAXED: f64 = 100.0;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub struct EnumerateWork {
    scaled: Scaled,
    digits: Vec<usize>,
    leaf: Leaf,
    spare: Vec<Solution>,
}

/// Everything about the combination at hand.
#[derive(Debug, Clone, Default)]
struct Leaf {
    pattern: Pattern,
    face: Pattern,
    system: FullPivot,
    polyhedron: Polyhedron,
    /// G itself is singular: x may not be unique.
    singular: bool,
    /// Velocities that lead to no solution.
    rejected: Vec<Vec<f64>>,
    doubt: Doubt,
    /// Largest friction coefficient, scaled.
    strongest: f64,
    y: Vec<f64>,
    x: Vec<f64>,
    xi: Vec<f64>,
    direction: Vec<f64>,
    dx: Vec<f64>,
    dxi: Vec<f64>,
    c: Vec<f64>,
    d: Vec<f64>,
    z: Vec<f64>,
}

/// Number of combinations of states that [`enumerate`] would try.
pub fn combinations(inclusion: &Inclusion, work: &mut EnumerateWork) -> f64 {
    if work.scaled.load(inclusion, 0.0) { work.scaled.combinations() } else { f64::INFINITY }
}

/// Finds all solutions of a planar inclusion, sorted by least xᵀGx.
pub fn enumerate(inclusion: &Inclusion, work: &mut EnumerateWork, solutions: &mut Vec<Solution>) -> Enumeration {
    enumerate_within(inclusion, 0.0, PATIENT, &mut Budget::unlimited(), work, solutions)
}

/// As [`enumerate`], for a system that moves with `speed` (√2T, in the unit of ξ/√G), whatever the
/// size of b: what is small beside that counts as zero; and with bounds on the work: the user's,
/// else `multiplications`.
///
/// Nothing is tried where the bound would be passed for certain; where it is
/// passed on the way, because singular combinations take longer, the
/// solutions so far stay.
pub fn enumerate_within(
    inclusion: &Inclusion,
    speed: f64,
    multiplications: f64,
    budget: &mut Budget<'_>,
    work: &mut EnumerateWork,
    solutions: &mut Vec<Solution>,
) -> Enumeration {
    work.spare.append(solutions);
    let EnumerateWork { scaled, digits, leaf, spare } = work;
    if !scaled.load(inclusion, speed) {
        return Enumeration::NotPlanar;
    }
    let mut allowed = if budget.is_set() { f64::INFINITY } else { multiplications };
    let combinations = scaled.combinations();
    let too_many = budget.left().is_some_and(|left| combinations > left as f64);
    if too_many || combinations * scaled.least_effort() > allowed {
        return Enumeration::TooMany;
    }
    leaf.rejected.clear();
    leaf.strongest = scaled.groups.iter().filter_map(|g| g.friction).fold(0.0, |m, t| t.friction.max(m));
    leaf.singular = leaf.operator_is_singular(scaled);
    digits.clear();
    digits.resize(scaled.groups.len(), 0);
    loop {
        leaf.visit(scaled, digits, solutions, spare);
        // Looking through what is known costs too.
        let effort = leaf.effort() + 8.0 * (solutions.len() + leaf.rejected.len()) as f64;
        allowed -= effort;
        if allowed < 0.0 || !budget.take(effort) {
            finish(scaled, solutions);
            return Enumeration::TooMany;
        }
        let mut place = 0;
        loop {
            if place == digits.len() {
                let settled = leaf.doubt.is_settled(scaled, solutions);
                finish(scaled, solutions);
                return if settled { Enumeration::Complete } else { Enumeration::Undecided };
            }
            digits[place] += 1;
            if digits[place] < scaled.groups[place].states() {
                break;
            }
            digits[place] = 0;
            place += 1;
        }
    }
}

/// Puts the solution of least effort first; one sort for all who list solutions, which keeps the code small.
#[inline(never)]
pub fn sort_by_effort(solutions: &mut [Solution]) {
    crate::small::sort_by_number(solutions, |solution| solution.effort);
}

fn finish(scaled: &Scaled, solutions: &mut [Solution]) {
    for solution in solutions.iter_mut() {
        solution.effort = scaled.effort(&solution.x, &solution.xi);
        scaled.unscale_x(&mut solution.x);
        scaled.unscale_xi(&mut solution.xi);
    }
    sort_by_effort(solutions);
}

impl Scaled {
    fn combinations(&self) -> f64 {
        self.groups.iter().map(|g| g.states() as f64).product()
    }

    /// Multiplications of a combination of average size.
    fn least_effort(&self) -> f64 {
        // Half of the smooth contacts are closed. Half of the rough ones stick or are open, half slide.
        let active = self.free.len() as f64
            + self.groups.iter().map(|g| if g.friction.is_none() { 0.5 } else { 1.0 }).sum::<f64>();
        1.0 + active * active * active
    }
}

impl Leaf {
    /// Multiplications since the last call.
    fn effort(&mut self) -> f64 {
        let velocity = (self.x.len() * self.x.len()) as f64;
        velocity + std::mem::take(&mut self.system.effort) + std::mem::take(&mut self.polyhedron.effort)
    }

    /// Whether x may not be unique; starts the notes on what is in doubt.
    fn operator_is_singular(&mut self, scaled: &Scaled) -> bool {
        let idle = |row: usize| {
            !scaled.free.contains(&row)
                && !scaled.groups.iter().any(|g| g.normal == row || g.friction.is_some_and(|t| t.row == row))
        };
        self.system.reset(scaled.rows, scaled.rows);
        for i in 0..scaled.rows {
            let row = &scaled.g[i * scaled.rows..(i + 1) * scaled.rows];
            let out = self.system.row_mut(i).0;
            // Rows without friction have x = 0 in any case.
            if idle(i) {
                out[i] = 1.0;
            } else {
                out.iter_mut().zip(row).for_each(|(o, g)| *o = *g);
            }
        }
        let independent = self.system.eliminate(DEPENDENT);
        self.doubt.start(self.system.weakest() < BLOCKED);
        independent < scaled.rows || self.system.weakest() < RANK
    }

    fn visit(&mut self, scaled: &Scaled, digits: &[usize], solutions: &mut Vec<Solution>, spare: &mut Vec<Solution>) {
        self.pattern.set(scaled, digits);
        self.pattern.square_system(scaled, &mut self.system);
        self.system.eliminate(RANK);
        let nullity = self.system.nullity();
        self.system.solution(&mut self.y);
        self.pattern.expand(scaled, &self.y, false, &mut self.x);
        // Most candidates are far from being solutions.
        let reach = reach(&self.pattern, &self.system, self.strongest);
        let (inconsistency, firm) = (self.system.inconsistency(), self.system.weakest() >= FIRM);
        if nullity == 0 {
            let violation = self.pattern.impulse_violation(scaled, &self.x, |_| 0.0);
            let size = largest(&self.x);
            if size > HUGE * scaled.size() || violation > reach * scaled.tolerance.impulse(size) {
                return;
            }
        } else if inconsistency > reach * velocity_tolerance(scaled, &self.x, &[]) {
            return;
        }
        scaled.velocity(&self.x, &mut self.xi);
        if nullity > 0 && !self.velocity_is_fixed(scaled, nullity) {
            self.branch(scaled, inconsistency, solutions, spare);
            return;
        }
        let violation = self.pattern.velocity_violation(scaled, &self.xi, |_| 0.0);
        if violation > reach * velocity_tolerance(scaled, &self.x, &self.xi) {
            return;
        }
        let place = solutions.iter().position(|s| is_same(scaled, s, &self.x, &self.xi));
        let known = place.is_some();
        if let Some(place) = place {
            let moved = |(a, b): (&f64, &f64)| (a - b).abs() > scaled.tolerance.apart(largest(&self.x));
            solutions[place].loose |= self.x.iter().zip(&solutions[place].x).any(moved);
        }
        if known && firm || self.is_rejected() {
            return;
        }
        let standing = self.doubt.judge(scaled, &self.pattern, (&self.x, &self.xi), inconsistency, nullity > 0);
        match standing {
            Standing::Fails => {}
            _ if known => self.doubt.admit(),
            Standing::Doubtful if nullity == 0 => self.doubt.note(&self.x, &self.xi),
            _ if self.singular => self.face(scaled, standing, solutions, spare),
            Standing::Doubtful => {}
            Standing::Holds => {
                self.refine(scaled);
                self.accept(0, false, solutions, spare);
            }
        }
    }

    /// Collects the directions in which the candidates of a singular pattern
    /// extend, and tells whether ξ stays the same along them.
    fn velocity_is_fixed(&mut self, scaled: &Scaled, nullity: usize) -> bool {
        self.directions(scaled, nullity, false);
        largest(&self.dxi) <= 1e-9 * largest(&self.dx)
    }

    /// Null vectors of the system at hand as directions of x, of size one, with their change of ξ.
    fn directions(&mut self, scaled: &Scaled, nullity: usize, of_face: bool) {
        self.dx.clear();
        self.dxi.clear();
        for k in 0..nullity {
            self.system.null_vector(k, &mut self.y);
            let pattern = if of_face { &self.face } else { &self.pattern };
            pattern.expand(scaled, &self.y, true, &mut self.direction);
            let size = largest(&self.direction);
            self.direction.iter_mut().for_each(|v| *v /= size);
            self.dx.extend_from_slice(&self.direction);
            scaled.multiply(&self.direction, &mut self.y);
            self.dxi.extend_from_slice(&self.y);
        }
    }

    /// A singular pattern along which ξ changes: its polyhedron of candidates.
    fn branch(
        &mut self,
        scaled: &Scaled,
        inconsistency: f64,
        solutions: &mut Vec<Solution>,
        spare: &mut Vec<Solution>,
    ) {
        let holds = self.doubt.judge_set(scaled, &self.x, inconsistency);
        let (x, xi) = ((&self.x[..], &self.dx[..]), (&self.xi[..], &self.dxi[..]));
        self.pattern.inequalities(scaled, x, Some(xi), &mut self.c, &mut self.d);
        if let Some(dimension) = self.polyhedron.interior(&self.c, &self.d, &mut self.z) {
            self.move_along(scaled);
            if !holds {
                self.doubt.note(&self.x, &self.xi);
            } else if !is_known(scaled, solutions, &self.x, &self.xi) {
                self.accept(dimension, dimension > 0, solutions, spare);
            }
        } else if self.is_nearly_possible(scaled) {
            self.move_along(scaled);
            self.doubt.note(&self.x, &self.xi);
        }
    }

    /// Whether the inequalities at hand have a solution when they are relaxed a little; leaves it in `z`.
    fn is_nearly_possible(&mut self, scaled: &Scaled) -> bool {
        let slack = RELAXED * scaled.tolerance.impulse(largest(&self.x).max(largest(&self.xi)));
        self.c.iter_mut().for_each(|c| *c += slack);
        self.polyhedron.interior(&self.c, &self.d, &mut self.z).is_some()
    }

    /// All x that give the ξ at hand.
    fn face(&mut self, scaled: &Scaled, standing: Standing, solutions: &mut Vec<Solution>, spare: &mut Vec<Solution>) {
        let tolerance = velocity_tolerance(scaled, &self.x, &self.xi);
        let slack = RELAXED * scaled.tolerance.impulse(largest(&self.x));
        if let Some(dimension) = self.impulses_of_velocity(scaled, tolerance, 0.0) {
            self.move_along(scaled);
            if standing != Standing::Holds {
                self.doubt.note(&self.x, &self.xi);
                return;
            }
            self.accept(dimension, false, solutions, spare);
            // Rows that are closed or stick but for less than the tolerance may share the impulses.
            let shared = self.impulses_of_velocity(scaled, RELAXED * tolerance, 0.0);
            if let Some(solution) = solutions.last_mut() {
                solution.loose |= shared.is_some_and(|wider| wider > dimension);
            }
            return;
        }
        self.rejected.push(self.xi.clone());
        if self.impulses_of_velocity(scaled, RELAXED * tolerance, slack).is_some() {
            self.move_along(scaled);
            self.doubt.note(&self.x, &self.xi);
        }
    }

    /// Finds the x of the ξ at hand within limits that `slack` widens, where velocities up to
    /// `tolerance` are zero; the dimension of their set, if there are any.
    fn impulses_of_velocity(&mut self, scaled: &Scaled, tolerance: f64, slack: f64) -> Option<usize> {
        self.face.set_from_velocity(scaled, &self.xi, tolerance);
        self.face.full_system(scaled, &self.xi, &mut self.system);
        self.system.eliminate(RANK);
        let nullity = self.system.nullity();
        self.system.solution(&mut self.y);
        self.face.expand(scaled, &self.y, false, &mut self.x);
        let consistent = self.system.inconsistency() <= tolerance;
        self.directions(scaled, nullity, true);
        self.face.inequalities(scaled, (&self.x, &self.dx), None, &mut self.c, &mut self.d);
        self.c.iter_mut().for_each(|c| *c += slack);
        if consistent { self.polyhedron.interior(&self.c, &self.d, &mut self.z) } else { None }
    }

    /// x := x + Σ z_k direction_k.
    fn move_along(&mut self, scaled: &Scaled) {
        for (direction, z) in self.dx.chunks_exact(scaled.rows.max(1)).zip(&self.z) {
            self.x.iter_mut().zip(direction).for_each(|(x, d)| *x += z * d);
        }
        scaled.velocity(&self.x, &mut self.xi);
    }

    /// One step of iterative refinement of a regular candidate.
    fn refine(&mut self, scaled: &Scaled) {
        self.pattern.square_system(scaled, &mut self.system);
        self.pattern.residual(&self.xi, &mut self.system);
        self.system.eliminate(RANK);
        self.system.solution(&mut self.y);
        self.pattern.expand(scaled, &self.y, true, &mut self.direction);
        self.x.iter_mut().zip(&self.direction).for_each(|(x, d)| *x += d);
        scaled.velocity(&self.x, &mut self.xi);
    }

    /// Whether ξ is known to lead to no solution.
    fn is_rejected(&self) -> bool {
        let tolerance = REJECTED * largest(&self.xi).max(1.0);
        let same = |other: &Vec<f64>| other.iter().zip(&self.xi).all(|(a, b)| (a - b).abs() <= tolerance);
        self.rejected.iter().any(same)
    }

    fn accept(&mut self, dimension: usize, varies: bool, solutions: &mut Vec<Solution>, spare: &mut Vec<Solution>) {
        self.doubt.admit();
        let mut solution = spare.pop().unwrap_or_default();
        solution.x.clear();
        solution.x.extend_from_slice(&self.x);
        solution.xi.clear();
        solution.xi.extend_from_slice(&self.xi);
        solution.dimension = dimension;
        solution.varies = varies;
        solution.loose = self.doubt.loose;
        solutions.push(solution);
    }
}

/// Whether x and ξ have the velocities of a solution.
fn is_same(scaled: &Scaled, s: &Solution, x: &[f64], xi: &[f64]) -> bool {
    scaled.tolerance.same((0..x.len()).map(|i| [(s.x[i], s.xi[i]), (x[i], xi[i])]))
}

fn is_known(scaled: &Scaled, solutions: &[Solution], x: &[f64], xi: &[f64]) -> bool {
    solutions.iter().any(|s| is_same(scaled, s, x, xi))
}
