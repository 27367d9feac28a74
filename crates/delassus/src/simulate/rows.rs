//! The conditions that hold in a contact mode, assembled at one state.
//!
//! ```text
//! R: normals of closed contacts, tangents of sticking ones, joints, engaged clutches
//! C: the same, but w_N − μσ w_T for a sliding contact
//! ```

use super::mode::{ContactMode, SystemMode, along};
use super::thresholds::{count, force};
use crate::elementary::Elementary;
use crate::mass::Mass;
use crate::model::{Directions, RowState, System};
use crate::small::redundant::RedundantWork;
use crate::solve::admissible::{self, AdmissibleWork, Limit};

/// Which condition a row stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Row {
    Normal(usize),
    /// A contact and which of its tangents.
    Tangent(usize, usize),
    Joint,
    Clutch(usize),
}

/// What a closed contact does along its tangents.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Slide {
    /// γ_T.
    pub gamma: [f64; 2],
    /// χ_T.
    pub offset: [f64; 2],
    /// The direction that friction opposes, where it slides.
    pub direction: [f64; 2],
}

impl Slide {
    /// Finds the direction: in space that of the velocity. Past a stop it is the opposite one, so that forces are smooth
    /// up to the end of a step in which the contact stops; a step's end that is used is never past it.
    fn turn(&mut self, start: [f64; 2], tangents: usize, slow: f64) {
        let speed = self.gamma[0].hypotenuse(self.gamma[1]);
        self.direction = if tangents == 1 || speed <= slow {
            start
        } else {
            let forward = along(start, [0.0, self.gamma[0], self.gamma[1]]) >= 0.0;
            self.gamma.map(|g| if forward { g / speed } else { -g / speed })
        };
    }
}

/// The rows at one state: entries of the bodies that each of them moves.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// Directions of friction of a contact.
    tangents: usize,
    pub kinds: Vec<Row>,
    /// R.
    directions: SparseRows,
    /// M⁻¹C.
    response: SparseRows,
    /// M⁻¹ times a row of R whose row of C is another.
    alone: SparseRows,
    /// C of one row, and zeros for every velocity.
    pushed: Vec<f64>,
    zeros: Vec<f64>,
    /// Gap or position residual.
    pub residual: Vec<f64>,
    /// χ.
    pub offset: Vec<f64>,
    /// Ẇᵀu + χ̇.
    pub bias: Vec<f64>,
    /// Whether a row is about angles, not lengths.
    pub angular: Vec<bool>,
    /// √(rᵀM⁻¹r) of each row.
    pub scale: Vec<f64>,
    /// Solution of the last [`solve`](Self::solve).
    pub x: Vec<f64>,
    pub rank: usize,
    pub weights: Vec<f64>,
    /// RᵀM⁻¹C with rows and columns divided by the scales.
    matrix: Vec<f64>,
    rhs: Vec<f64>,
    element: Directions,
    work: RedundantWork,
    limits: Vec<Limit>,
    /// The least forces, before they are moved into their sets.
    least: Vec<f64>,
    admissible: AdmissibleWork,
}

impl Rows {
    pub fn new(n: usize, tangents: usize) -> Self {
        Self { tangents, zeros: vec![0.0; n], ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether the last [`solve`](Self::solve) left forces undetermined.
    pub fn is_redundant(&self) -> bool {
        self.rank < self.len()
    }

    /// The scalar product of a row of R with a vector of all velocities.
    pub fn dot(&self, i: usize, u: &[f64]) -> f64 {
        dot(self.directions.row(i), u)
    }

    /// What this product would be if nothing cancelled: it tells how large round-off is.
    pub fn terms(&self, i: usize, u: &[f64]) -> f64 {
        let (places, entries) = self.directions.row(i);
        places.iter().zip(entries).map(|(&place, entry)| (entry * u[place]).abs()).sum()
    }

    /// Entry of RᵀM⁻¹C in units of the scales.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.matrix[i * self.kinds.len() + j]
    }

    /// γ of each row at the velocity u.
    pub fn velocity(&self, i: usize, u: &[f64]) -> f64 {
        self.dot(i, u) + self.offset[i]
    }

    /// Takes up row `row` of the element at hand.
    fn push(&mut self, kind: Row, row: usize, state: RowState, pull: [f64; 2], mass: &Mass) {
        self.kinds.push(kind);
        let Self { element, pushed, response, .. } = self;
        let places = element.places();
        pushed.clear();
        pushed.extend_from_slice(element.row(row));
        // pull = −μd of a sliding contact, else 0.
        for (k, pull) in pull.into_iter().enumerate().filter(|(_, pull)| *pull != 0.0) {
            pushed.iter_mut().zip(element.row(1 + k)).for_each(|(a, b)| *a += pull * b);
        }
        let skew = pull != [0.0; 2];
        let direction = element.row(row);
        let mut square = response.solve(mass, places, pushed, &mut self.zeros);
        if skew {
            self.alone.clear();
            square = self.alone.solve(mass, places, direction, &mut self.zeros);
        }
        self.directions.places.extend_from_slice(places);
        self.directions.entries.extend_from_slice(direction);
        self.directions.end();
        // A row that acts on nothing (both ends fixed) must not divide by zero.
        self.scale.push(if square > 0.0 { square.sqrt() } else { 1.0 });
        self.residual.push(state.residual);
        self.offset.push(state.offset);
        self.bias.push(state.bias);
        self.angular.push(state.angular);
    }

    /// Assembles the rows of a mode at (t, q, u). With `sliding` the force
    /// directions of sliding contacts carry their friction. `slide` receives
    /// what closed contacts do along their tangents; below the speeds `slow` they have no direction of their own.
    #[allow(clippy::too_many_arguments)]
    pub fn assemble(
        &mut self,
        system: &dyn System,
        mode: &SystemMode,
        pieces: &[usize],
        mass: &Mass,
        sliding: bool,
        t: f64,
        q: &[f64],
        u: &[f64],
        slow: &[f64],
        slide: &mut [Slide],
    ) {
        for buffer in [&mut self.residual, &mut self.offset, &mut self.bias, &mut self.scale] {
            buffer.clear();
        }
        self.directions.clear();
        self.response.clear();
        self.kinds.clear();
        self.angular.clear();
        for (c, point) in system.contacts().iter().enumerate() {
            let state = mode.contacts[c];
            if !state.is_closed() {
                continue;
            }
            let local = system.contact(c, pieces[c], t, q, u, &mut self.element);
            slide[c] = Slide { offset: [local.offset[1], local.offset[2]], ..Slide::default() };
            for k in 0..self.tangents {
                slide[c].gamma[k] = self.element.dot(k + 1, u) + local.offset[k + 1];
            }
            let mut pull = [0.0; 2];
            if let ContactMode::Slip(direction) = state {
                slide[c].turn(direction, self.tangents, slow[c]);
                if sliding {
                    pull = slide[c].direction.map(|d| -point.surface.friction * d);
                }
            }
            let part = |k: usize, residual| RowState {
                residual,
                offset: local.offset[k],
                bias: local.bias[k],
                angular: false,
            };
            self.push(Row::Normal(c), 0, part(0, local.gap), pull, mass);
            if state == ContactMode::Stick {
                for k in 0..self.tangents {
                    self.push(Row::Tangent(c, k), 1 + k, part(1 + k, 0.0), [0.0; 2], mass);
                }
            }
        }
        for (j, joint) in system.joints().iter().enumerate() {
            for row in 0..joint.rows {
                let state = system.joint(j, row, t, q, u, &mut self.element);
                self.push(Row::Joint, 0, state, [0.0; 2], mass);
            }
        }
        for (i, _) in mode.clutches.iter().enumerate().filter(|(_, engaged)| **engaged) {
            let state = system.clutch(i, t, q, u, &mut self.element);
            self.push(Row::Clutch(i), 0, state, [0.0; 2], mass);
        }
        self.fill_matrix();
    }

    fn fill_matrix(&mut self) {
        let k = self.kinds.len();
        self.matrix.resize(k * k, 0.0);
        for j in 0..k {
            let (places, entries) = self.response.row(j);
            places.iter().zip(entries).for_each(|(&place, &entry)| self.zeros[place] = entry);
            for i in 0..k {
                let product = dot(self.directions.row(i), &self.zeros);
                self.matrix[i * k + j] = product / (self.scale[i] * self.scale[j]);
            }
            places.iter().for_each(|&place| self.zeros[place] = 0.0);
        }
        self.weights.clear();
        self.weights.resize(k, 1.0);
        self.x.resize(k, 0.0);
    }

    /// Solves (RᵀM⁻¹C) x = b; the answer is in `x`.
    pub fn solve(&mut self, b: impl Iterator<Item = f64>) {
        self.rhs.clear();
        self.rhs.extend(b.zip(&self.scale).map(|(b, s)| b / s));
        self.rank = self.work.solve(&self.matrix, &self.rhs, &self.weights, &mut self.x);
        self.x.iter_mut().zip(&self.scale).for_each(|(x, s)| *x /= s);
    }

    /// The largest acceleration that the forces found leave in a condition, for
    /// the accelerations `free` without them.
    pub fn misfit(&self, free: &[f64]) -> f64 {
        let left = |i: usize| {
            let sum: f64 = (0..self.len()).map(|j| self.entry(i, j) * self.x[j] * self.scale[j]).sum();
            (free[i] + self.scale[i] * sum).abs()
        };
        (0..self.len()).map(left).fold(0.0, f64::max)
    }

    /// Adds M⁻¹C x to a velocity or acceleration.
    pub fn apply(&self, u: &mut [f64]) {
        for (i, &x) in self.x.iter().enumerate() {
            let (places, entries) = self.response.row(i);
            places.iter().zip(entries).for_each(|(&place, y)| u[place] += x * y);
        }
    }

    /// Weights for redundant tangential forces: minimise Σ λ_T²/(μ_s λ_N).
    pub fn share_friction(&mut self, system: &dyn System) {
        let mut pressure = 0.0f64;
        for i in 0..self.kinds.len() {
            match self.kinds[i] {
                Row::Normal(_) => pressure = self.x[i].max(0.0),
                Row::Tangent(c, _) => {
                    let limit = system.contacts()[c].surface.friction_static * pressure;
                    self.weights[i] = self.scale[i].powi(2) * limit;
                }
                Row::Joint | Row::Clutch(_) => {}
            }
        }
        let tangent = |kind: &Row| matches!(kind, Row::Tangent(..));
        let pairs = self.kinds.iter().zip(&self.weights).filter(|(kind, _)| tangent(kind));
        let largest = pairs.fold(0.0f64, |m, (_, w)| m.max(*w));
        for (kind, weight) in self.kinds.iter().zip(&mut self.weights) {
            if tangent(kind) {
                // A contact without pressure carries little, and then nothing by its limit.
                *weight = if largest > 0.0 { (*weight / largest).max(force::LEAST_WEIGHT) } else { 1.0 };
            }
        }
    }

    /// Moves redundant forces of the last [`solve`](Self::solve) into their
    /// sets, if there are such: λ_N ≥ 0, |λ_T| ≤ μ_s λ_N where it sticks.
    pub fn admit(&mut self, system: &dyn System) {
        if self.tangents > 1 {
            self.admit_disks(system);
            return;
        }
        self.limits.clear();
        for (i, kind) in self.kinds.iter().enumerate() {
            match *kind {
                Row::Normal(_) | Row::Clutch(_) => self.limits.push([(i, 1.0), (i, 0.0), (i, 0.0)]),
                // The row before a tangent is its normal.
                Row::Tangent(c, _) => {
                    let normal = i - 1;
                    let limit = system.contacts()[c].surface.friction_static * self.scale[i] / self.scale[normal];
                    self.limits.extend([1.0, -1.0].map(|sign| [(normal, limit), (i, sign), (i, 0.0)]));
                }
                Row::Joint => {}
            }
        }
        self.x.iter_mut().zip(&self.scale).for_each(|(x, s)| *x *= s);
        if self.limits.iter().any(|limit| admissible::value(limit, &self.x) < 0.0) {
            self.admissible.admit(&self.work, &self.weights, &self.limits, &mut self.x);
            self.round_off();
        }
        self.x.iter_mut().zip(&self.scale).for_each(|(x, s)| *x /= s);
    }

    /// Forces of contacts and clutches that are round-off become zero.
    fn round_off(&mut self) {
        let round = force::ROUND_OFF * self.x.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        let pushes = self.limits.iter().filter(|limit| limit[0].0 == limit[1].0);
        for [(i, _), ..] in pushes {
            if self.x[*i].abs() <= round {
                self.x[*i] = 0.0;
            }
        }
    }

    /// The same for disks: a disk is cut off by its tangent where a force leaves it, until none does.
    fn admit_disks(&mut self, system: &dyn System) {
        self.limits.clear();
        let pushes = self.kinds.iter().enumerate().filter(|(_, kind)| matches!(kind, Row::Normal(_) | Row::Clutch(_)));
        self.limits.extend(pushes.map(|(i, _)| [(i, 1.0), (i, 0.0), (i, 0.0)]));
        self.x.iter_mut().zip(&self.scale).for_each(|(x, s)| *x *= s);
        self.least.clone_from(&self.x);
        for _ in 0..count::CUTS {
            // The disks that are left, each cut where the force points.
            let before = self.limits.len();
            for i in 0..self.kinds.len() {
                let Row::Tangent(c, 0) = self.kinds[i] else { continue };
                let radius = system.contacts()[c].surface.friction_static * self.x[i - 1].max(0.0) / self.scale[i - 1];
                let force = [self.x[i] / self.scale[i], self.x[i + 1] / self.scale[i + 1]];
                let size = force[0].hypotenuse(force[1]);
                if size <= radius * (1.0 + force::CUT) {
                    continue;
                }
                let [a, b] = [0, 1].map(|k| -force[k] / size / self.scale[i + k]);
                let friction = system.contacts()[c].surface.friction_static / self.scale[i - 1];
                self.limits.push([(i - 1, friction), (i, a), (i + 1, b)]);
            }
            if self.limits.len() == before && !self.limits.iter().any(|limit| admissible::value(limit, &self.x) < 0.0) {
                break;
            }
            self.x.copy_from_slice(&self.least);
            self.admissible.admit(&self.work, &self.weights, &self.limits, &mut self.x);
            self.round_off();
        }
        self.x.iter_mut().zip(&self.scale).for_each(|(x, s)| *x /= s);
    }
}

/// Rows of entries where they are not zero, one row after the other.
#[derive(Debug, Clone, Default)]
struct SparseRows {
    /// The velocities of the entries of a row increase.
    places: Vec<usize>,
    entries: Vec<f64>,
    ends: Vec<usize>,
}

/// Places and entries of a row.
type SparseRow<'a> = (&'a [usize], &'a [f64]);

impl SparseRows {
    fn clear(&mut self) {
        self.places.clear();
        self.entries.clear();
        self.ends.clear();
    }

    /// Ends a row.
    fn end(&mut self) {
        self.ends.push(self.places.len());
    }

    /// Appends M⁻¹w as a row and returns wᵀM⁻¹w; `zeros` are left so.
    fn solve(&mut self, mass: &Mass, places: &[usize], w: &[f64], zeros: &mut [f64]) -> f64 {
        let Self { places: to, entries, .. } = self;
        let (mut square, mut k) = (0.0, 0);
        // M⁻¹w has the places of w among its own, in the same order.
        mass.solve_sparse(places, w, zeros, &mut |place, entry| {
            to.push(place);
            entries.push(entry);
            if places.get(k) == Some(&place) {
                square += w[k] * entry;
                k += 1;
            }
        });
        self.end();
        square
    }

    #[inline]
    fn row(&self, i: usize) -> SparseRow<'_> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        (&self.places[start..self.ends[i]], &self.entries[start..self.ends[i]])
    }
}

/// The scalar product of a row with a vector of all velocities.
#[inline]
fn dot((places, entries): SparseRow<'_>, u: &[f64]) -> f64 {
    places.iter().zip(entries).map(|(&place, entry)| entry * u[place]).sum()
}
