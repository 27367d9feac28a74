//! Accelerations and contact forces of a fixed contact mode.
//!
//! ```text
//! M u̇ = f + C x,    Rᵀu̇ + bias = 0
//! ```

use super::creep::Creep;
use super::mode::{ContactMode, SystemMode};
use super::rows::{Row, Rows, Slide};
use super::thresholds::force;
use crate::elementary::Elementary;
use crate::error::ImpactError;
use crate::mass::Mass;
use crate::model::{Directions, System};

/// Integrated works of the forces that no potential describes.
pub(super) const WORKS: usize = 4;
pub(super) const FRICTION: usize = 0;
pub(super) const SUPPORTS: usize = 1;
pub(super) const DAMPING: usize = 2;
pub(super) const APPLIED: usize = 3;

/// The contact faces nothing that it could touch.
pub(super) const NO_PIECE: usize = usize::MAX;

pub(super) struct Dynamics<'a> {
    pub system: &'a dyn System,
    pub n: usize,
    pub nq: usize,
    pub mode: SystemMode,
    /// Per contact, the piece of its partner that it is on, or [`NO_PIECE`].
    pub pieces: Vec<usize>,
    pub mass: Mass,
    mass_blocks: Vec<f64>,
    pub rows: Rows,
    free: Vec<f64>,
    /// u̇ at the last evaluation.
    pub acceleration: Vec<f64>,
    /// Normal and tangential force per contact; in space the magnitude of the latter.
    pub contact_force: Vec<[f64; 2]>,
    /// Tangential force per contact.
    pub friction: Vec<[f64; 2]>,
    pub clutch_force: Vec<f64>,
    /// What closed contacts do along their tangents at the last evaluation.
    slide: Vec<Slide>,
    /// Directions of friction of a contact.
    tangents: usize,
    /// Per contact, a speed below which a slide keeps the direction it had.
    pub slow: Vec<f64>,
    /// Per contact, whether it slides from rest and is still slow.
    pub creeping: Vec<bool>,
    pub power: [f64; WORKS],
    /// Size of accelerations at the last evaluation, the unit of all tolerances on forces.
    pub unit: f64,
    /// By how much conditions contradict each other at the last evaluation, an acceleration:
    /// a body cannot stick to two supports that move differently.
    pub misfit: f64,
    directions: Directions,
    /// Contacts that pull by round-off, as [`evaluate_idle`](Self::evaluate_idle) found them last.
    pub idle: Vec<usize>,
    /// The mode with them.
    with_idle: SystemMode,
    pub(super) creep: Creep,
    /// A step of positions, of their projection.
    pub(super) moved: Vec<f64>,
    /// Velocities of rows, of their projection.
    pub(super) gamma: Vec<f64>,
    pub evaluations: usize,
}

impl<'a> Dynamics<'a> {
    pub fn new(system: &'a dyn System, q: &[f64]) -> Result<Self, ImpactError> {
        let n = system.velocities();
        let blocks = system.mass_blocks();
        let mut mass_blocks = vec![0.0; blocks.iter().map(|size| size * size).sum()];
        let mass = match system.diagonal_mass() {
            Some(diagonal) => Mass::diagonal(diagonal.to_vec())?,
            None => {
                system.mass(q, &mut mass_blocks);
                Mass::of_blocks(&blocks, &mass_blocks)?
            }
        };
        let contacts = system.contacts().len();
        let clutches = system.clutches().len();
        Ok(Self {
            system,
            n,
            nq: system.positions(),
            mode: SystemMode::open(contacts, clutches),
            pieces: vec![NO_PIECE; contacts],
            mass,
            mass_blocks,
            rows: Rows::new(n, system.tangents()),
            free: Vec::new(),
            acceleration: vec![0.0; n],
            contact_force: vec![[0.0; 2]; contacts],
            clutch_force: vec![0.0; clutches],
            friction: vec![[0.0; 2]; contacts],
            slide: vec![Slide::default(); contacts],
            tangents: system.tangents(),
            slow: vec![0.0; contacts],
            creeping: vec![false; contacts],
            power: [0.0; WORKS],
            unit: 0.0,
            misfit: 0.0,
            directions: Directions::default(),
            idle: Vec::new(),
            with_idle: SystemMode::default(),
            creep: Creep::default(),
            moved: vec![0.0; q.len()],
            gamma: Vec::new(),
            evaluations: 0,
        })
    }

    /// Brings M to the configuration q; `false` where it is not positive definite.
    pub fn set_mass(&mut self, q: &[f64]) -> bool {
        if self.system.diagonal_mass().is_some() {
            return true;
        }
        self.system.mass(q, &mut self.mass_blocks);
        self.mass.set_blocks(&self.mass_blocks).is_ok()
    }

    /// Assembles the rows of the current mode; see [`Rows::assemble`].
    pub fn assemble(&mut self, sliding: bool, t: f64, q: &[f64], u: &[f64]) {
        let slide = &mut self.slide;
        self.rows.assemble(self.system, &self.mode, &self.pieces, &self.mass, sliding, t, q, u, &self.slow, slide);
    }

    /// Accelerations without contact forces, and the rows of the current mode; `false` where there is no mass matrix.
    pub fn assemble_free(&mut self, sliding: bool, t: f64, q: &[f64], u: &[f64]) -> bool {
        self.system.forces(t, q, u, &mut self.acceleration);
        let regular = self.set_mass(q);
        if regular {
            self.mass.solve(&mut self.acceleration);
            self.assemble(sliding, t, q, u);
        }
        regular
    }

    /// Accelerations, forces and powers of the current mode; not a number where there are none.
    pub fn evaluate(&mut self, t: f64, q: &[f64], u: &[f64]) {
        self.evaluate_mode(t, q, u);
        if self.tangents > 1 {
            self.lead(t, q, u);
        }
    }

    /// The same with the directions of sliding at hand.
    pub fn evaluate_mode(&mut self, t: f64, q: &[f64], u: &[f64]) {
        self.evaluations += 1;
        let power = self.system.forces(t, q, u, &mut self.acceleration);
        self.power[FRICTION] = 0.0;
        self.power[SUPPORTS] = power.supports;
        self.power[DAMPING] = power.damping;
        self.power[APPLIED] = power.applied;
        if !self.set_mass(q) {
            self.acceleration.fill(f64::NAN);
            return;
        }
        self.mass.solve(&mut self.acceleration);
        self.contact_force.fill([0.0; 2]);
        self.friction.fill([0.0; 2]);
        self.clutch_force.fill(0.0);
        self.unit = self.system.gravity();
        self.misfit = 0.0;
        self.assemble(true, t, q, u);
        if self.rows.len() == 0 {
            return;
        }
        self.free.clear();
        for i in 0..self.rows.len() {
            let free = self.rows.dot(i, &self.acceleration) + self.rows.bias[i];
            self.unit = self.unit.max(free.abs());
            self.free.push(free);
        }
        self.rows.solve(self.free.iter().map(|b| -b));
        if self.rows.is_redundant() {
            self.rows.share_friction(self.system);
            self.rows.solve(self.free.iter().map(|b| -b));
            self.rows.admit(self.system);
            self.misfit = self.rows.misfit(&self.free);
        }
        self.rows.apply(&mut self.acceleration);
        for (i, kind) in self.rows.kinds.iter().enumerate() {
            let x = self.rows.x[i];
            self.power[SUPPORTS] -= x * self.rows.offset[i];
            match *kind {
                Row::Normal(c) => {
                    self.contact_force[c][0] = x;
                    if let ContactMode::Slip(_) = self.mode.contacts[c] {
                        let Slide { gamma, offset, direction } = self.slide[c];
                        for k in 0..self.tangents {
                            let friction = -self.system.contacts()[c].surface.friction * direction[k] * x;
                            self.friction[c][k] = friction;
                            self.power[FRICTION] += friction * gamma[k];
                            self.power[SUPPORTS] -= friction * offset[k];
                        }
                    }
                }
                Row::Tangent(c, k) => self.friction[c][k] = x,
                Row::Clutch(c) => self.clutch_force[c] = x,
                Row::Joint => {}
            }
        }
        for (force, friction) in self.contact_force.iter_mut().zip(&self.friction) {
            force[1] = if self.tangents == 1 { friction[0] } else { friction[0].hypotenuse(friction[1]) };
        }
    }

    /// Evaluates a state without contacts that pull by round-off alone; whether there are such. Two contact points a small
    /// distance d apart, on sides that are tilted by round-off ε, need forces of the size ε/d³ to stay closed. Where contacts
    /// pull, and without them nothing is accelerated that they should hold, the forces without them are as true.
    pub fn evaluate_idle(&mut self, t: f64, q: &[f64], u: &[f64]) -> bool {
        self.evaluate(t, q, u);
        self.idle.clear();
        self.with_idle.copy(&self.mode);
        while let Some(c) = self.puller() {
            self.idle.push(c);
            self.mode.contacts[c] = ContactMode::Open;
            self.evaluate(t, q, u);
        }
        let all_held = (0..self.idle.len()).all(|k| {
            let c = self.idle[k];
            let state = self.system.contact(c, self.pieces[c], t, q, u, &mut self.directions);
            (self.directions.dot(0, &self.acceleration) + state.bias[0]).abs() <= force::IDLE * self.unit
        });
        self.mode.copy(&self.with_idle);
        if !all_held {
            self.evaluate(t, q, u);
            self.idle.clear();
        }
        !self.idle.is_empty()
    }

    /// The contact that pulls most, beyond doubt, at the last evaluation.
    fn puller(&self) -> Option<usize> {
        let mut worst = (-force::OUTSIDE * self.unit, None);
        for (row, kind) in self.rows.kinds.iter().enumerate() {
            if let Row::Normal(c) = *kind
                && self.margin(row) < worst.0
            {
                worst = (self.margin(row), Some(c));
            }
        }
        worst.1
    }

    /// How far the force of a row at the last evaluation lies inside its set, in
    /// units of acceleration: negative outside.
    pub fn margin(&self, row: usize) -> f64 {
        let inside = match self.rows.kinds[row] {
            Row::Normal(c) => self.contact_force[c][0],
            Row::Tangent(c, _) => {
                let [normal, tangential] = self.contact_force[c];
                self.system.contacts()[c].surface.friction_static * normal - tangential.abs()
            }
            Row::Clutch(i) => self.clutch_force[i],
            Row::Joint => return f64::INFINITY,
        };
        inside * self.rows.scale[row].powi(2)
    }

    /// Whether the conditions of the mode contradict each other.
    pub fn contradicts(&self) -> bool {
        self.misfit > force::CONTRADICTION * self.unit
    }

    /// Whether a force of the last evaluation lies outside its set, beyond doubt.
    pub fn leaves_sets(&self) -> bool {
        self.contradicts() || (0..self.rows.len()).any(|row| self.margin(row) < -force::OUTSIDE * self.unit)
    }

    /// The derivative of y = (q, u, works).
    pub fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) {
        let (q, rest) = y.split_at(self.nq);
        let u = &rest[..self.n];
        self.evaluate(t, q, u);
        let (q_rate, rest) = rate.split_at_mut(self.nq);
        self.system.position_rates(q, u, q_rate);
        rest[..self.n].copy_from_slice(&self.acceleration);
        rest[self.n..].copy_from_slice(&self.power);
    }

    /// Looks for the pieces that contacts are on; what faces nothing is open.
    pub fn find_pieces(&mut self, q: &[f64], u: &[f64]) {
        for c in 0..self.pieces.len() {
            self.pieces[c] = self.system.piece(c, q, u).unwrap_or(NO_PIECE);
            if self.pieces[c] == NO_PIECE {
                self.mode.contacts[c] = ContactMode::Open;
            }
        }
    }

    /// Gap and γ of a contact: a closed one stays on its piece, an open
    /// one is on what it faces.
    pub fn approach(&self, c: usize, t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]) {
        if self.mode.contacts[c].is_closed() {
            self.system.approach_on(c, self.pieces[c], t, q, u)
        } else {
            self.system.approach(c, t, q, u)
        }
    }

    /// γ̇ of a contact at the last evaluated acceleration, normal and tangential; one that
    /// faces nothing does not come nearer.
    pub fn contact_acceleration(&mut self, c: usize, t: f64, q: &[f64], u: &[f64]) -> [f64; 3] {
        let piece = if self.mode.contacts[c].is_closed() { Some(self.pieces[c]) } else { self.system.piece(c, q, u) };
        let Some(piece) = piece else { return [f64::INFINITY, 0.0, 0.0] };
        let state = self.system.contact(c, piece, t, q, u, &mut self.directions);
        let mut acceleration = [0.0; 3];
        for (k, acceleration) in acceleration.iter_mut().enumerate().take(1 + self.tangents) {
            *acceleration = self.directions.dot(k, &self.acceleration) + state.bias[k];
        }
        acceleration
    }

    /// γ and γ̇ of a clutch at the last evaluated acceleration.
    pub fn clutch_rate(&mut self, i: usize, t: f64, q: &[f64], u: &[f64]) -> [f64; 2] {
        let state = self.system.clutch(i, t, q, u, &mut self.directions);
        [self.directions.dot(0, u) + state.offset, self.directions.dot(0, &self.acceleration) + state.bias]
    }
}
