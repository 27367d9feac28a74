//! All solutions of a planar inclusion.
//!
//! Every combination of open, stick and slip leaves a linear system. Where its
//! matrix is regular it has one candidate. Where it is singular the candidates
//! form a polyhedron. Usually ξ is the same in all of it, and then the set of
//! all x with this ξ is one convex polyhedron, whatever the combination: it is
//! found once. Solutions that share ξ are one solution with a set of x, because
//! u⁺ is the same.

mod pattern;
mod scaled;

use super::polyhedron::Polyhedron;
use super::rank::FullPivot;
use super::{HUGE, Inclusion};
use crate::budget::Budget;
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

    /// Whether ξ is this one, in units of √G_ii and relative to the largest of ξ and b.
    /// Where nothing moves (b = 0, impulses that press bodies against each other), the
    /// round-off of Gx does not count.
    pub fn has_velocity(&self, inclusion: &Inclusion, xi: &[f64]) -> bool {
        let m = xi.len();
        let (mut difference, mut size, mut round) = (0.0f64, 0.0f64, 0.0f64);
        for (i, (a, b)) in self.xi.iter().zip(xi).enumerate() {
            let unit = inclusion.matrix[i * m + i].sqrt();
            if unit > 0.0 {
                difference = difference.max((a - b).abs() / unit);
                size = size.max(b.abs().max(inclusion.vector[i].abs()) / unit);
                let row = inclusion.matrix[i * m..(i + 1) * m].iter().zip(&self.x);
                round = round.max(row.map(|(g, x)| (g * x).abs()).sum::<f64>() / unit);
            }
        }
        difference <= DISTINCT * size + 64.0 * f64::EPSILON * round
    }
}

/// How far an enumeration went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enumeration {
    /// These are all solutions.
    Complete,
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
/// Velocities that differ less, relative to the largest, belong to one solution.
const SAME: f64 = 1e-7;
/// The same for solutions of different methods.
const DISTINCT: f64 = 1e-6;

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
    if work.scaled.load(inclusion) { work.scaled.combinations() } else { f64::INFINITY }
}

/// Finds all solutions of a planar inclusion, sorted by least xᵀGx.
pub fn enumerate(inclusion: &Inclusion, work: &mut EnumerateWork, solutions: &mut Vec<Solution>) -> Enumeration {
    enumerate_within(inclusion, PATIENT, &mut Budget::unlimited(), work, solutions)
}

/// As [`enumerate`], with bounds on the work: the user's, else `multiplications`.
///
/// Nothing is tried where the bound would be passed for certain; where it is
/// passed on the way, because singular combinations take longer, the
/// solutions so far stay.
pub fn enumerate_within(
    inclusion: &Inclusion,
    multiplications: f64,
    budget: &mut Budget<'_>,
    work: &mut EnumerateWork,
    solutions: &mut Vec<Solution>,
) -> Enumeration {
    work.spare.append(solutions);
    let EnumerateWork { scaled, digits, leaf, spare } = work;
    if !scaled.load(inclusion) {
        return Enumeration::NotPlanar;
    }
    let mut allowed = if budget.is_set() { f64::INFINITY } else { multiplications };
    let combinations = scaled.combinations();
    let too_many = budget.left().is_some_and(|left| combinations > left as f64);
    if too_many || combinations * scaled.least_effort() > allowed {
        return Enumeration::TooMany;
    }
    leaf.rejected.clear();
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
                return finish(scaled, solutions);
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

fn finish(scaled: &Scaled, solutions: &mut [Solution]) -> Enumeration {
    for solution in solutions.iter_mut() {
        solution.effort = scaled.effort(&solution.x, &solution.xi);
        scaled.unscale_x(&mut solution.x);
        scaled.unscale_xi(&mut solution.xi);
    }
    solutions.sort_by(|a, b| a.effort.total_cmp(&b.effort));
    Enumeration::Complete
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
        self.system.eliminate(RANK) < scaled.rows
    }

    fn visit(&mut self, scaled: &Scaled, digits: &[usize], solutions: &mut Vec<Solution>, spare: &mut Vec<Solution>) {
        self.pattern.set(scaled, digits);
        self.pattern.square_system(scaled, &mut self.system);
        self.system.eliminate(RANK);
        let nullity = self.system.nullity();
        self.system.solution(&mut self.y);
        self.pattern.expand(scaled, &self.y, false, &mut self.x);
        if nullity == 0 {
            if largest(&self.x) > HUGE * scaled.size() || !self.pattern.impulses_hold(scaled, &self.x) {
                return;
            }
        } else if self.system.inconsistency() > velocity_tolerance(&self.x, &[]) {
            return;
        }
        scaled.velocity(&self.x, &mut self.xi);
        if nullity > 0 && !self.velocity_is_fixed(scaled, nullity) {
            self.branch(scaled, solutions, spare);
            return;
        }
        if !self.pattern.velocities_hold(scaled, &self.x, &self.xi) || is_known(solutions, &self.rejected, &self.xi) {
            return;
        }
        if self.singular {
            self.face(scaled, solutions, spare);
        } else {
            self.refine(scaled);
            self.accept(0, false, solutions, spare);
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
    fn branch(&mut self, scaled: &Scaled, solutions: &mut Vec<Solution>, spare: &mut Vec<Solution>) {
        let (x, xi) = ((&self.x[..], &self.dx[..]), (&self.xi[..], &self.dxi[..]));
        self.pattern.inequalities(scaled, x, Some(xi), &mut self.c, &mut self.d);
        if let Some(dimension) = self.polyhedron.interior(&self.c, &self.d, &mut self.z) {
            self.move_along(scaled);
            if !is_known(solutions, &[], &self.xi) {
                self.accept(dimension, dimension > 0, solutions, spare);
            }
        }
    }

    /// All x that give the ξ at hand.
    fn face(&mut self, scaled: &Scaled, solutions: &mut Vec<Solution>, spare: &mut Vec<Solution>) {
        let tolerance = velocity_tolerance(&self.x, &self.xi);
        self.face.set_from_velocity(scaled, &self.xi, tolerance);
        self.face.full_system(scaled, &self.xi, &mut self.system);
        self.system.eliminate(RANK);
        let nullity = self.system.nullity();
        self.system.solution(&mut self.y);
        self.face.expand(scaled, &self.y, false, &mut self.x);
        let consistent = self.system.inconsistency() <= tolerance;
        self.directions(scaled, nullity, true);
        self.face.inequalities(scaled, (&self.x, &self.dx), None, &mut self.c, &mut self.d);
        let inside = if consistent { self.polyhedron.interior(&self.c, &self.d, &mut self.z) } else { None };
        match inside {
            Some(dimension) => {
                self.move_along(scaled);
                self.accept(dimension, false, solutions, spare);
            }
            None => self.rejected.push(self.xi.clone()),
        }
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

    fn accept(&self, dimension: usize, varies: bool, solutions: &mut Vec<Solution>, spare: &mut Vec<Solution>) {
        let mut solution = spare.pop().unwrap_or_default();
        solution.x.clear();
        solution.x.extend_from_slice(&self.x);
        solution.xi.clear();
        solution.xi.extend_from_slice(&self.xi);
        solution.dimension = dimension;
        solution.varies = varies;
        solutions.push(solution);
    }
}

fn is_known(solutions: &[Solution], rejected: &[Vec<f64>], xi: &[f64]) -> bool {
    let tolerance = SAME * largest(xi).max(1.0);
    let same = |other: &[f64]| other.iter().zip(xi).all(|(a, b)| (a - b).abs() <= tolerance);
    solutions.iter().any(|s| same(&s.xi)) || rejected.iter().any(|r| same(r))
}
