//! The state of a run and the equations that move it, in the contact mode at hand.

use std::f64::consts::FRAC_PI_2;

use super::dynamics::{APPLIED, DAMPING, Dynamics, FRICTION, NO_PIECE, SUPPORTS, WORKS};
use super::keep::Exchange;
use super::mode::{ContactMode, along, heading, sliding};
use super::project::Drift;
use super::settings::Settings;
use super::thresholds::{force, length, speed};
use super::trajectory::Energies;
use super::units::Units;
use crate::error::{ImpactError, finite};
use crate::model::System;

/// Gap and velocities (normal, tangents) of a contact.
pub(super) type Approach = (f64, [f64; 3]);

/// Time, positions, velocities and works.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub t: f64,
    /// (q, u, works).
    pub y: Vec<f64>,
    nq: usize,
    n: usize,
    /// Work of the contacts in impacts.
    pub impact_work: f64,
}

impl State {
    pub fn new(q: &[f64], u: &[f64]) -> Self {
        Self { t: 0.0, y: [q, u, &[0.0; WORKS]].concat(), nq: q.len(), n: u.len(), impact_work: 0.0 }
    }

    pub fn q(&self) -> &[f64] {
        &self.y[..self.nq]
    }

    pub fn u(&self) -> &[f64] {
        &self.y[self.nq..self.nq + self.n]
    }

    /// Positions and velocities of a vector (q, u, …) such as a step's end.
    pub fn parts<'b>(&self, y: &'b [f64]) -> (&'b [f64], &'b [f64]) {
        (&y[..self.nq], &y[self.nq..self.nq + self.n])
    }

    pub fn q_u_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        let (q, rest) = self.y.split_at_mut(self.nq);
        (q, &mut rest[..self.n])
    }

    pub fn works(&self) -> &[f64] {
        &self.y[self.nq + self.n..]
    }

    pub fn works_mut(&mut self) -> &mut [f64] {
        &mut self.y[self.nq + self.n..]
    }

    /// Takes over another state, without a new allocation.
    pub fn copy(&mut self, other: &Self) {
        (self.t, self.nq, self.n, self.impact_work) = (other.t, other.nq, other.n, other.impact_work);
        self.y.clone_from(&other.y);
    }
}

/// A state, its contact mode and equations of motion.
pub(super) struct MovingSystem<'a> {
    pub dynamics: Dynamics<'a>,
    pub state: State,
    pub units: Units,
    /// The worst that was projected away so far.
    pub drift: Drift,
    /// Per contact, gap and velocities as [`find_contacts`](Self::find_contacts) saw them last.
    pub found: Vec<Approach>,
}

impl<'a> MovingSystem<'a> {
    /// Checks sizes and numbers of the state at the start.
    pub fn new(system: &'a dyn System, q: &[f64], u: &[f64], settings: &Settings) -> Result<Self, ImpactError> {
        for (name, values, length) in [("q", q, system.positions()), ("u", u, system.velocities())] {
            if values.len() != length {
                let given = format!("{} entries", values.len());
                return Err(ImpactError::wrong_size(name, given, format!("needs {length}")));
            }
            for (i, &v) in values.iter().enumerate() {
                finite(|| format!("{name}[{i}]"), v)?;
            }
        }
        Ok(Self {
            dynamics: Dynamics::new(system, q)?,
            state: State::new(q, u),
            units: Units::new(system, settings),
            drift: Drift::default(),
            found: Vec::new(),
        })
    }

    pub fn system(&self) -> &'a dyn System {
        self.dynamics.system
    }

    /// The number of contacts.
    pub fn contacts(&self) -> usize {
        self.dynamics.pieces.len()
    }

    /// The mode of a contact.
    pub fn mode(&self, contact: usize) -> ContactMode {
        self.dynamics.mode.contacts[contact]
    }

    /// Finds the units of a run until that time.
    pub fn set_units(&mut self, time: f64) {
        self.evaluate();
        self.units.set_rate(time, self.state.u(), &self.dynamics.acceleration);
        self.units.note_speed(self.state.u());
    }

    /// Evaluates accelerations and forces at the state.
    pub fn evaluate(&mut self) {
        self.dynamics.evaluate(self.state.t, self.state.q(), self.state.u());
    }

    /// The same without contacts that pull by round-off; whether there are such
    /// (they are in [`Dynamics::idle`]).
    pub fn evaluate_idle(&mut self) -> bool {
        self.dynamics.evaluate_idle(self.state.t, self.state.q(), self.state.u())
    }

    /// Gap and γ of a contact where it is, or faces.
    pub fn approach(&self, contact: usize) -> Approach {
        self.dynamics.approach(contact, self.state.t, self.state.q(), self.state.u())
    }

    /// The same at a step's end or within it.
    pub fn approach_at(&self, contact: usize, t: f64, y: &[f64]) -> Approach {
        let (q, u) = self.state.parts(y);
        self.dynamics.approach(contact, t, q, u)
    }

    /// Gap and γ of a contact on the piece that was found last; an infinite gap where it faces nothing.
    pub fn on_piece(&self, contact: usize) -> Approach {
        match self.dynamics.pieces[contact] {
            NO_PIECE => (f64::INFINITY, [0.0; 3]),
            piece => self.system().approach_on(contact, piece, self.state.t, self.state.q(), self.state.u()),
        }
    }

    /// Finds the pieces that contacts are on, and gap and velocities there, which are left in `found`.
    pub fn find_contacts(&mut self) {
        self.dynamics.find_pieces(self.state.q(), self.state.u());
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        found.extend((0..self.contacts()).map(|c| self.on_piece(c)));
        self.found = found;
    }

    /// The pieces that open contacts face: corners are watched on those during a step.
    pub fn find_open_pieces(&mut self) {
        for c in 0..self.contacts() {
            if !self.mode(c).is_closed() {
                let piece = self.system().piece(c, self.state.q(), self.state.u());
                self.dynamics.pieces[c] = piece.unwrap_or(NO_PIECE);
            }
        }
    }

    /// Whether touching contacts approach faster than that.
    pub fn touches_at(&self, speed: f64) -> bool {
        self.found.iter().any(|(gap, gamma)| *gap <= self.units.gap && gamma[0] < -speed)
    }

    /// γ̇ of a contact at the last evaluated acceleration.
    pub fn contact_acceleration(&mut self, contact: usize) -> [f64; 3] {
        self.dynamics.contact_acceleration(contact, self.state.t, self.state.q(), self.state.u())
    }

    /// γ and γ̇ of a clutch at the last evaluated acceleration.
    pub fn clutch_rate(&mut self, clutch: usize) -> [f64; 2] {
        self.dynamics.clutch_rate(clutch, self.state.t, self.state.q(), self.state.u())
    }

    /// Keeps the largest speed that occurred.
    pub fn note_speed(&mut self) {
        self.units.note_speed(self.state.u());
    }

    /// T and V.
    pub fn kinetic_and_potential(&mut self) -> [f64; 2] {
        let (q, u) = (self.state.q(), self.state.u());
        self.dynamics.set_mass(q);
        [self.dynamics.mass.energy(u), self.system().potential(self.state.t, q)]
    }

    /// The energy of moving all bodies by their size against the forces on them, weights and others.
    pub fn typical_energy(&self) -> f64 {
        let units = &self.units.velocities;
        let (mut force, still) = (vec![0.0; units.len()], vec![0.0; units.len()]);
        self.system().forces(self.state.t, self.state.q(), &still, &mut force);
        force.iter().zip(units).map(|(force, unit)| force.abs() * unit).sum()
    }

    /// All energies and works.
    pub fn energies(&mut self) -> Energies {
        let [kinetic, potential] = self.kinetic_and_potential();
        let works = self.state.works();
        Energies {
            kinetic,
            potential,
            friction: works[FRICTION],
            supports: works[SUPPORTS],
            damping: works[DAMPING],
            applied: works[APPLIED],
            impacts: self.state.impact_work,
        }
    }

    /// The slides whose normal force is far above all that could press on them: friction presses them on itself the more, the
    /// larger it is (Painlevé), and such a slide jams at the time at which its force is infinite.
    pub fn jammed(&mut self) -> Vec<usize> {
        self.evaluate();
        let pressing = self.typical_energy() + self.kinetic_and_potential()[0];
        let most = force::JAMMED * pressing / self.units.size;
        let forces = &self.dynamics.contact_force;
        (0..self.contacts()).filter(|&c| matches!(self.mode(c), ContactMode::Slip(_)) && forces[c][0] > most).collect()
    }

    /// Projects the state onto the conditions of the mode; what it was off by.
    pub fn project(&mut self) -> Drift {
        let t = self.state.t;
        let (q, u) = self.state.q_u_mut();
        let drift = self.dynamics.project(t, q, u, &self.units);
        self.drift.raise(drift);
        drift
    }

    /// Projects onto a new mode; what closing its gaps takes counts as work of impacts.
    pub fn project_onto_mode(&mut self) {
        let before = self.kinetic_and_potential();
        self.project();
        let after = self.kinetic_and_potential();
        self.state.impact_work += after[0] - before[0] + after[1] - before[1];
    }

    /// In a mode that is looked for, contacts slide as it says where they do not slide yet.
    pub fn forget_slides(&mut self) {
        let zero = self.units.still_speed();
        for (slow, creeping) in self.dynamics.slow.iter_mut().zip(&self.dynamics.creeping) {
            *slow = if *creeping { f64::INFINITY } else { zero };
        }
    }

    /// After the evaluation of a mode that is looked for: slides that it slows down follow their own velocity.
    pub fn follow_slides(&mut self) {
        if self.system().tangents() == 1 || !self.dynamics.creeping.contains(&true) {
            return;
        }
        let still = self.units.still_speed();
        let moves: Vec<bool> = (0..self.contacts()).map(|c| sliding(self.approach(c).1) > still).collect();
        let Self { dynamics, state, .. } = self;
        dynamics.follow(|c| moves[c], state.t, state.q(), state.u());
    }

    /// In space directions of sliding turn with the velocity, and contacts run around rims.
    pub fn turn_slides(&mut self) {
        if self.system().tangents() == 1 {
            return;
        }
        self.mark_creeping();
        for c in 0..self.contacts() {
            if self.mode(c).is_closed()
                && let Some(piece) = self.system().piece(c, self.state.q(), self.state.u())
            {
                self.dynamics.pieces[c] = piece;
            }
            if let ContactMode::Slip(direction) = self.mode(c) {
                if self.dynamics.creeping[c] {
                    self.dynamics.slow[c] = f64::INFINITY;
                    continue;
                }
                let gamma = self.approach(c).1;
                let least = speed::SLOW * self.units.zero_speed();
                let turned = heading(gamma, least);
                self.dynamics.mode.contacts[c] = ContactMode::Slip(if turned == [0.0; 2] { direction } else { turned });
                self.dynamics.slow[c] = least.max(speed::SLOWER * sliding(gamma));
            }
        }
    }

    /// Marks slides that begin from rest, and those that are no longer slow. One whose velocity points elsewhere than where
    /// slides from rest go did not begin from rest: it was turned, and its own direction is followed however fast it turns.
    fn mark_creeping(&mut self) {
        let (zero, fast) = (self.units.still_speed(), speed::CREEP * self.dynamics.unit / self.units.rate);
        for c in 0..self.contacts() {
            let (speed, ahead) = match self.mode(c) {
                ContactMode::Slip(direction) => {
                    let gamma = self.approach(c).1;
                    (sliding(gamma), along(direction, gamma))
                }
                _ => (f64::INFINITY, 0.0),
            };
            let creeps = self.dynamics.creeping[c] && speed <= fast && ahead >= speed::CREEPS_ALONG * speed;
            self.dynamics.creeping[c] = speed <= zero || creeps;
        }
    }

    /// Bodies that overlap and how far: measured on their shapes, by other means than those that find contacts.
    pub fn overlap(&self) -> Option<String> {
        let (distance, [a, b]) = self.system().nearest_pair(self.state.t, self.state.q())?;
        let overlaps = distance < -length::OVERLAP * self.units.gap;
        overlaps.then(|| format!("{a} and {b} overlap by {:.3e} m", -distance))
    }

    /// Whether the tilting body has reached a quarter turn.
    pub fn is_tilted(&self) -> bool {
        let turned = |i: usize| self.state.y[i].abs() >= FRAC_PI_2 * (1.0 - length::QUARTER_TURN);
        self.system().tilt().is_some_and(turned)
    }

    /// All that the next steps depend on.
    pub fn exchange(&mut self, with: &mut Exchange<'_>) -> Option<()> {
        let Self { dynamics, state, units, drift, .. } = self;
        for value in [&mut state.t, &mut state.impact_work, &mut units.speed, &mut dynamics.unit] {
            with.number(value)?;
        }
        for value in [&mut drift.joints, &mut drift.penetration] {
            with.number(value)?;
        }
        with.numbers(&mut state.y)?;
        dynamics.mode.exchange(with)?;
        dynamics.pieces.iter_mut().try_for_each(|piece| with.count(piece))?;
        with.numbers(&mut dynamics.slow)?;
        dynamics.creeping.iter_mut().try_for_each(|creeping| with.flag(creeping))?;
        with.count(&mut dynamics.evaluations)
    }

    /// Names of contacts, for remarks.
    pub fn names(&self, contacts: &[usize]) -> String {
        let all = self.system().contacts();
        contacts.iter().map(|&c| all[c].name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::ball::{Ball, GRAVITY};

    #[test]
    fn a_state_knows_its_parts() {
        let mut state = State::new(&[1.0, 2.0], &[3.0]);
        state.works_mut()[SUPPORTS] = 5.0;
        assert_eq!((state.q(), state.u()), (&[1.0, 2.0][..], &[3.0][..]));
        let mut other = State::default();
        other.copy(&state);
        assert_eq!((&other.y, other.works()[SUPPORTS]), (&state.y, 5.0));
    }

    /// A ball that lies a little above the ground and rises: closed, its gap and velocity are projected away, and what
    /// that takes is work of impacts.
    #[test]
    fn projection_closes_what_the_mode_closes() {
        let ball = Ball::new(0.0);
        let mut motion = MovingSystem::new(&ball, &[1e-10], &[1e-7], &Settings::default()).unwrap();
        motion.set_units(1.0);
        motion.find_contacts();
        assert_eq!(motion.found, [(1e-10, [1e-7, 0.0, 0.0])]);
        motion.dynamics.mode.contacts[0] = ContactMode::Smooth;
        motion.project_onto_mode();
        assert!(motion.state.q()[0].abs() < 1e-25 && motion.state.u()[0].abs() < 1e-22);
        let lost = 0.5 * 1e-14 + GRAVITY * 1e-10;
        assert!((motion.state.impact_work / -lost - 1.0).abs() < 1e-12, "{}", motion.state.impact_work);
        motion.evaluate();
        assert!((motion.dynamics.contact_force[0][0] - GRAVITY).abs() < 1e-15);
    }

    #[test]
    fn sizes_and_numbers_are_checked() {
        let ball = Ball::new(0.0);
        let refused =
            |q: &[f64], u: &[f64]| MovingSystem::new(&ball, q, u, &Settings::default()).err().unwrap().to_string();
        assert!(refused(&[0.0, 1.0], &[0.0]).contains("needs 1"));
        assert!(refused(&[0.0], &[f64::NAN]).contains("u[0]"));
    }
}
