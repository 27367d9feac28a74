//! Semismooth Newton with line search and a sparse factorisation.
//!
//! ```text
//! closed (y_N > ρη_N)     η_N = 0           open    y_N = 0
//! stick  (‖z‖ ≤ r)        η_T = 0           z = y_T − ρη_T,  r = y_N + s
//! slip                    y_T = r z/‖z‖
//! ```
//!
//! Each row of the linear system is P A + Q with small blocks P and Q of a contact's own, so that its pattern is that of
//! the contacts that are not open. The rows η = 0 get a small multiple of the identity: redundant contacts make
//! them singular. Because the residual is the true one, this costs accuracy nowhere.

mod aside;
mod systems;

use super::LARGE;
use super::bodies::ByBodies;
use super::factor::{Factors, Symbolic};
use super::krylov::Krylov;
use super::linearise::{Linear, OPEN, fill_row, given_up};
use super::order::minimum_degree;
use super::residual::{Point, Sizes};
use super::scaled::{System, Triple};
use crate::budget::Budget;

/// Buffers of Newton's method for blocks of D rows.
#[derive(Debug)]
pub(super) struct Newton<const D: usize> {
    /// The contacts in the order of elimination.
    order: Vec<u32>,
    /// Place of each contact among those that are not open, or `OPEN`.
    place: Vec<u32>,
    active: Vec<u32>,
    /// What their rows are, where steps have factors; by iteration that is computed where it is needed, to take less memory.
    rows: Vec<Linear>,
    /// Whether open contacts beside them give up impulses.
    pushed: Vec<bool>,
    factors: Factors<D>,
    /// The system by bodies, where contacts of this group share few.
    by_bodies: Option<ByBodies>,
    step: Vec<[f64; D]>,
    /// Open contacts that give up impulses.
    moved: Vec<u32>,
    move_r: Vec<f64>,
    move_u: Vec<f64>,
    /// Weight of the identity in rows η = 0, relative to the diagonal: in the linear systems only.
    pub(super) regular: f64,
    /// Weight ε of the proximal term ε G_kk (r_k − c_k) that belongs to the velocities.
    pub(super) epsilon: f64,
    /// c.
    pub(super) centre: Vec<f64>,
    /// Sizes of the whole group where contacts are a patch of it: their own count from these on.
    pub(super) whole: Sizes,
    /// How far the laws are smoothed, or zero.
    pub(super) delta: f64,
    /// Whether few steps are expected, so that each may take longer.
    patient: bool,
    /// Entries of G among the contacts of this group, and multiplications that factors of all of them take.
    entries: f64,
    work: f64,
    /// Relative residual of linear systems that are solved by iteration.
    pub(super) forcing: f64,
    krylov: Krylov,
    /// Active contacts in their own order.
    sorted: Vec<u32>,
    steps: Vec<Triple>,
    /// Factorisations so far.
    pub(super) factorisations: usize,
    /// Iterations for linear systems so far.
    pub(super) linear_iterations: usize,
    /// Whether linear systems of this group are solved by iteration.
    iterates: bool,
    /// Multiplications that were not asked for yet.
    effort: f64,
}

/// Multiplications of a factorisation up to which factors are made: so many, and so many for each entry of G.
const FACTORISATION: f64 = 3e8;
const PER_ENTRY: f64 = 250.0;
/// How many times more they may be where few steps are expected.
const PATIENT: f64 = 10.0;
/// The same up to which they are made without trying iteration first.
const AT_ONCE: f64 = 50.0;
/// The same that the factors of all but chains take at least: where that is too much no order of elimination is looked for.
const LEAST_PER_ENTRY: f64 = 40.0;
/// Iterations for one linear system.
const ITERATIONS: usize = 120;
/// Two steps as short as this end an attempt with a proximal term, by iteration a single one: a larger term is better.
const SHORT: f64 = 1.0 / 16.0;
/// Halvings of a step.
const HALVINGS: usize = 8;

/// How Newton's method ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NewtonEnd {
    pub(super) residual: f64,
    pub(super) iterations: usize,
}

impl<const D: usize> Default for Newton<D> {
    fn default() -> Self {
        Self {
            order: Vec::new(),
            place: Vec::new(),
            active: Vec::new(),
            rows: Vec::new(),
            pushed: Vec::new(),
            factors: Factors::default(),
            by_bodies: None,
            step: Vec::new(),
            moved: Vec::new(),
            move_r: Vec::new(),
            move_u: Vec::new(),
            regular: 1e-6,
            epsilon: 0.0,
            centre: Vec::new(),
            whole: Sizes::default(),
            delta: 0.0,
            patient: false,
            entries: 0.0,
            work: f64::INFINITY,
            forcing: 0.05,
            krylov: Krylov::default(),
            sorted: Vec::new(),
            steps: Vec::new(),
            factorisations: 0,
            linear_iterations: 0,
            iterates: false,
            effort: 0.0,
        }
    }
}

impl<const D: usize> Newton<D> {
    /// Buffers for a system.
    fn allocate(&mut self, system: &System<'_>) {
        let n = system.blocks.len();
        self.place.resize(n, OPEN);
        for list in [&mut self.move_r, &mut self.move_u, &mut self.centre] {
            list.resize(D * n, 0.0);
        }
    }

    /// Finds an order of elimination for some contacts; `patient` says whether large factors will be of use.
    pub(super) fn start(&mut self, system: &System<'_>, contacts: &[u32], patient: bool) {
        self.patient = patient;
        self.allocate(system);
        self.leave();
        self.work = f64::INFINITY;
        let blocks: usize = contacts.iter().map(|&i| system.problem.matrix.row(i as usize).0.len()).sum();
        self.entries = (D * D * blocks) as f64;
        let sides = system.problem.matrix.sides.as_ref().filter(|_| patient);
        self.by_bodies = sides.and_then(|sides| ByBodies::new(sides, contacts, self.most()));
        if let Some(by_bodies) = &self.by_bodies {
            (self.order, self.work) = (contacts.to_vec(), by_bodies.work);
            (self.patient, self.iterates) = (false, false);
            return;
        }
        self.iterates = LEAST_PER_ENTRY * self.entries > FACTORISATION;
        if self.iterates {
            self.order = contacts.to_vec();
            self.patient = false;
            return;
        }
        contacts.iter().enumerate().for_each(|(k, &i)| self.place[i as usize] = k as u32);
        let matrix = &system.problem.matrix;
        let lists: Vec<Vec<u32>> = contacts
            .iter()
            .map(|&i| {
                // Contacts beside a patch have no place.
                let places = matrix.row(i as usize).0.iter().map(|&j| self.place[j as usize]);
                places.filter(|&place| place != OPEN).collect()
            })
            .collect();
        // Factors of the contacts that are not open are smaller than those of all.
        let cube = (D * D * D) as f64;
        (self.order, self.work) = match minimum_degree(contacts.len(), |k| &lists[k], self.most() / cube) {
            Some((order, products)) => (order.iter().map(|&k| contacts[k as usize]).collect(), products * cube),
            None => (contacts.to_vec(), f64::INFINITY),
        };
        self.iterates = self.work > AT_ONCE * self.entries;
        self.patient = false;
        contacts.iter().for_each(|&i| self.place[i as usize] = OPEN);
    }

    /// Iterates from `r` with velocities `u`, which stay those of the returned residual. Where no shorter step descends
    /// `bold` full ones are taken: the states change, and often for the better.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn run(
        &mut self,
        system: &System<'_>,
        contacts: &[u32],
        target: f64,
        limit: usize,
        mut bold: usize,
        budget: &mut Budget<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> NewtonEnd {
        self.velocities(system, contacts, r, u);
        // Beside iterations for linear systems a pass over the contacts is dear: trials are compared in the units of the
        // impulses at hand, not in their own, so that one pass is enough for each.
        let mut sizes = self.sizes(system, contacts, Point::at(r, u));
        let (mut worst, mut merit, _) = self.missing(system, contacts, Point::at(r, u), sizes, f64::INFINITY);
        let mut short = 0;
        let mut end = NewtonEnd { residual: worst, iterations: 0 };
        while end.iterations < limit && worst > target {
            match self.find_step(system, budget, r, u) {
                Step::Found => {}
                Step::Singular => break,
            }
            end.iterations += 1;
            let mut length = 1.0;
            let mut accepted = false;
            let mut full = (f64::INFINITY, f64::INFINITY, sizes);
            let mut new = sizes;
            self.find_change(system, contacts);
            for halving in 0..HALVINGS {
                let trial = Point::along(r, u, length, [&self.move_r, &self.move_u]);
                if !self.iterates {
                    sizes = self.sizes(system, contacts, trial);
                }
                let enough = (1.0 - 1e-3 * length) * merit;
                // A full step may be taken in any case where bold ones are left.
                let most = if halving == 0 && bold > 0 { f64::INFINITY } else { enough };
                let found = self.missing(system, contacts, trial, sizes, most);
                if halving == 0 {
                    full = found;
                }
                if found.1 <= enough {
                    (worst, merit, new, accepted) = (found.0, found.1, found.2, true);
                    break;
                }
                length *= 0.5;
            }
            if self.epsilon > 0.0 && length <= SHORT {
                short += 1;
                accepted &= short < if self.delta == 0.0 && self.iterates { 1 } else { 2 };
            }
            if !accepted {
                if bold == 0 || !full.1.is_finite() {
                    break;
                }
                bold -= 1;
                length = 1.0;
                (worst, merit, new) = full;
            }
            for &i in contacts {
                for k in i as usize * D..(i as usize + 1) * D {
                    r[k] += length * self.move_r[k];
                    u[k] += length * self.move_u[k];
                }
            }
            // A residual that ends the search is in its own units.
            if worst <= target || new.differ(sizes) {
                sizes = new;
                (worst, merit, _) = self.missing(system, contacts, Point::at(r, u), sizes, f64::INFINITY);
            }
            end.residual = worst;
        }
        end.residual = worst;
        end
    }

    /// What the steps make smaller: the residual, or what is missing in the smoothed laws. A sum that is more than `most` may
    /// be that of some contacts alone.
    fn missing(
        &self,
        system: &System<'_>,
        contacts: &[u32],
        point: Point<'_>,
        sizes: Sizes,
        most: f64,
    ) -> (f64, f64, Sizes) {
        if LARGE && self.delta > 0.0 {
            let (worst, sum) = system.missing::<D>(contacts, point, self.delta);
            return (worst, sum, sizes);
        }
        let (worst, sum, new) = system.residuals_in::<D>(contacts.iter().copied(), point, sizes, most);
        (worst, sum, new.at_least(self.whole))
    }

    /// Sizes of impulses and velocities of some contacts.
    pub(super) fn sizes(&self, system: &System<'_>, contacts: &[u32], point: Point<'_>) -> Sizes {
        system.sizes_of::<D>(contacts.iter().copied(), point).at_least(self.whole)
    }

    /// Whether linear systems of this group are written by bodies.
    pub(super) fn is_by_bodies(&self) -> bool {
        self.by_bodies.is_some()
    }

    /// Whether linear systems of this group are solved by iteration.
    pub(super) fn iterates(&self) -> bool {
        self.iterates
    }

    /// Multiplications that one factorisation may take; beyond, linear systems are solved by iteration.
    fn most(&self) -> f64 {
        let most = FACTORISATION.min(PER_ENTRY * self.entries);
        if self.patient { PATIENT * most } else { most }
    }

    /// Whether few steps are expected, so that factors may take longer.
    pub(super) fn set_patient(&mut self, patient: bool) {
        self.patient = patient;
        // Factors that are too large for many steps are not gone on with.
        self.iterates |= self.work > self.most() && self.by_bodies.is_none();
    }

    /// Iterations after which factors are the better way, where they are possible.
    fn patience(&self) -> Option<usize> {
        // An iteration takes two multiplications an entry, in single precision.
        (self.work <= self.most()).then(|| ((0.3 * self.work / self.entries) as usize).min(ITERATIONS))
    }

    /// Gives back the memory of iterations for linear systems.
    pub(super) fn release(&mut self) {
        (self.krylov, self.steps) = Default::default();
    }

    /// Multiplications since this was asked last.
    pub(super) fn take_effort(&mut self) -> f64 {
        std::mem::take(&mut self.effort)
    }

    /// u = G r + q + ε diag(G) (r − c).
    fn velocities(&self, system: &System<'_>, contacts: &[u32], r: &[f64], u: &mut [f64]) {
        system.velocities::<D>(contacts, r, u);
        if self.epsilon > 0.0 {
            for &i in contacts {
                let g = system.problem.matrix.diagonal(i as usize);
                for k in 0..D {
                    let row = i as usize * D + k;
                    u[row] += self.epsilon * g[k * (D + 1)] * (r[row] - self.centre[row]);
                }
            }
        }
    }

    /// How velocities change with the step.
    fn find_change(&mut self, system: &System<'_>, contacts: &[u32]) {
        let matrix = &system.problem.matrix;
        for &i in contacts {
            let i = i as usize;
            let mut change = matrix.row_product::<D>(i, &self.move_r);
            let g = matrix.diagonal(i);
            for (k, change) in change.iter_mut().enumerate() {
                *change += self.epsilon * g[k * (D + 1)] * self.move_r[i * D + k];
            }
            self.move_u[i * D..(i + 1) * D].copy_from_slice(&change);
        }
    }

    /// The Newton step of the states that r and u suggest, into `move_r`.
    fn find_step(&mut self, system: &System<'_>, budget: &mut Budget<'_>, r: &[f64], u: &[f64]) -> Step {
        self.leave();
        self.moved.clear();
        // A browser's module has no code of its own for contacts that are open.
        let (law, keeps_rows) = (self.law(), !LARGE || !self.iterates || self.delta > 0.0);
        for &contact in &self.order {
            let given_up = if keeps_rows {
                let linear = law.at::<D>(system, contact, r, u);
                if !linear.open {
                    self.rows.push(linear);
                }
                linear.open.then_some(linear.rhs)
            } else {
                given_up::<D>(system, contact, r, u)
            };
            system.set_impulse::<D>(contact as usize, given_up.unwrap_or_default(), &mut self.move_r);
            match given_up {
                Some(step) if step != [0.0; 3] => self.moved.push(contact),
                Some(_) => {}
                None => {
                    self.place[contact as usize] = self.active.len() as u32;
                    self.active.push(contact);
                }
            }
        }
        // What open contacts give up acts on their neighbours alone.
        self.pushed.resize(self.active.len(), false);
        for &i in &self.moved {
            for &j in system.problem.matrix.row(i as usize).0 {
                if let Some(pushed) = self.pushed.get_mut(self.place[j as usize] as usize) {
                    *pushed = true;
                }
            }
        }
        if self.iterates {
            let step = self.iterate(system, budget, r, u);
            if self.iterates {
                return step;
            }
        }
        if let Some(step) = self.step_by_bodies(system, budget, r, u) {
            return step;
        }
        let (matrix, place, active) = (&system.problem.matrix, &self.place, &self.active);
        let neighbours = |k: usize, out: &mut Vec<u32>| {
            let columns = matrix.row(active[k] as usize).0;
            out.extend(columns.iter().map(|&j| place[j as usize]).filter(|&p| p != OPEN));
        };
        let most = self.most();
        let symbolic = Symbolic::new(active.len(), neighbours, most_blocks::<D>(most));
        let symbolic = symbolic.filter(|symbolic| symbolic.products() * (D * D * D) as f64 <= most);
        let Some(symbolic) = symbolic else {
            // Once too large it will not be small soon.
            self.iterates = true;
            return self.iterate(system, budget, r, u);
        };
        let work = symbolic.products() * (D * D * D) as f64;
        if !budget.take(work) {
            return Step::Singular;
        }
        self.factorisations += 1;
        self.effort += work;
        let mut factors = std::mem::take(&mut self.factors);
        let rows = self.rows(system, &self.active, r, u);
        let computed = factors.compute(&symbolic, |k, row| {
            let i = rows.active[k];
            fill_row::<D>(system, i as usize, &rows.of::<D>(i), rows.epsilon, |j| rows.place[j], row);
        });
        self.factors = factors;
        if !computed {
            return Step::Singular;
        }
        let mut step = std::mem::take(&mut self.step);
        step.clear();
        let rows = self.rows(system, &self.active, r, u);
        for &i in rows.active {
            let rhs = self.right_hand_side(system, i, &rows.of::<D>(i));
            step.push(std::array::from_fn(|k| rhs[k]));
        }
        self.step = step;
        self.factors.solve(&symbolic, &mut self.step);
        if !self.step.iter().flatten().all(|v| v.is_finite()) {
            return Step::Singular;
        }
        for (&i, step) in self.active.iter().zip(&self.step) {
            system.set_impulse::<D>(
                i as usize,
                std::array::from_fn(|k| if k < D { step[k] } else { 0.0 }),
                &mut self.move_r,
            );
        }
        Step::Found
    }
}

/// Blocks of one factor, beyond which it would take more work than this in any case.
fn most_blocks<const D: usize>(most: f64) -> usize {
    (most / (10 * D * D) as f64) as usize
}

enum Step {
    Found,
    Singular,
}
