//! From an event to the next contact mode.

use super::events::Trigger;
use super::mode::{ContactMode, Mode, along, heading, sliding};
use super::run::Runner;
use super::select::Selected;
use super::trajectory::{End, EventKind};
use crate::elementary::Elementary;
use crate::error::ImpactError;

/// Violations up to this part of the accelerations are round-off of an event.
const ROUND_OFF: f64 = 1e-10;
/// A slide may start aside of its acceleration by this part of the accelerations.
const ASIDE: f64 = 1e-6;
/// Friction above this is strong.
const STRONG: f64 = 10.0;
/// Impacts without collision in a row before the run is given up.
const PAINLEVE_LIMIT: usize = 20;

impl Runner<'_> {
    /// The first mode, after an impact if bodies approach at the start.
    pub fn start(&mut self) -> Result<Option<End>, ImpactError> {
        self.collide_or_select()
    }

    /// Handles the event at the current state; an end where there is one.
    pub fn handle(&mut self, trigger: Trigger) -> Result<Option<End>, ImpactError> {
        let mut mode = self.dynamics.mode.clone();
        match trigger {
            Trigger::Tilt => {
                self.begin_phase();
                return Ok(None);
            }
            // The selection keeps a mode whose redundant forces are no good: is it round-off that pulls?
            Trigger::Sharing if self.doubt > 1.0 => {
                let (n, nq) = (self.dynamics.n, self.dynamics.nq);
                let idle = self.dynamics.evaluate_idle(self.t, &self.y[..nq], &self.y[nq..nq + n]);
                if idle.is_empty() {
                    return self.collide_or_select();
                }
                idle.into_iter().for_each(|c| mode.contacts[c] = ContactMode::Open);
            }
            Trigger::Gap(_) | Trigger::Pair { .. } | Trigger::Leave(_) | Trigger::Sharing => {
                return self.collide_or_select();
            }
            Trigger::Release(c) => mode.contacts[c] = ContactMode::Open,
            Trigger::Limit(c) => {
                // Samples may have been evaluated since the event was found.
                let (n, nq) = (self.dynamics.n, self.dynamics.nq);
                self.dynamics.evaluate(self.t, &self.y[..nq], &self.y[nq..nq + n]);
                let [a, b] = self.dynamics.friction[c];
                mode.contacts[c] = ContactMode::Slip(if b == 0.0 {
                    [-a.signum(), 0.0]
                } else {
                    [-a / a.hypotenuse(b), -b / a.hypotenuse(b)]
                });
            }
            Trigger::Stop(_) => {
                // Contacts that share a tangential velocity stop together.
                let zero = self.still_speed();
                for c in 0..mode.contacts.len() {
                    if matches!(mode.contacts[c], ContactMode::Slip(_)) && sliding(self.approach(c).1) <= zero {
                        mode.contacts[c] = ContactMode::Stick;
                    }
                }
            }
            Trigger::Engage(i) => mode.clutches[i] = true,
            Trigger::Disengage(i) => mode.clutches[i] = false,
        }
        let before = self.dynamics.mode.clone();
        if self.try_mode(mode) {
            self.record_changes(&before);
            self.begin_phase();
            return Ok(None);
        }
        // Something else may have come to touch just before.
        let speed = self.accumulation_speed();
        let states = self.find_contacts();
        if states.iter().any(|(gap, gamma)| *gap <= self.units.gap && gamma[0] < -speed) {
            return self.collide(&[]);
        }
        self.select_mode(&before)
    }

    /// In a mode that is looked for, contacts slide as it says where they do not slide yet.
    fn forget_slides(&mut self) {
        let zero = self.still_speed();
        for (slow, creeping) in self.dynamics.slow.iter_mut().zip(&self.dynamics.creeping) {
            *slow = if *creeping { f64::INFINITY } else { zero };
        }
    }

    /// Sets a mode if it is consistent at the current state; else restores the old one.
    fn try_mode(&mut self, mode: Mode) -> bool {
        let before = std::mem::replace(&mut self.dynamics.mode, mode);
        let (saved, work) = (self.y.clone(), self.impact_work);
        self.forget_slides();
        self.project_onto_mode();
        if self.is_consistent() {
            return true;
        }
        self.y = saved;
        self.impact_work = work;
        self.dynamics.mode = before;
        false
    }

    /// Whether forces and accelerations of the current mode fit it.
    fn is_consistent(&mut self) -> bool {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let (zero, still, hop, t) = (self.zero_speed(), self.still_speed(), self.hop_speed(), self.t);
        let y = std::mem::take(&mut self.y);
        let (q, u) = (&y[..nq], &y[nq..nq + n]);
        self.dynamics.evaluate(t, q, u);
        let allowed = ROUND_OFF * self.dynamics.unit;
        let mut fits = self.dynamics.acceleration.iter().all(|a| a.is_finite())
            && !self.dynamics.contradicts()
            && (0..self.dynamics.rows.len()).all(|row| self.dynamics.margin(row) >= -allowed);
        for c in 0..self.slack.len() {
            let mode = self.dynamics.mode.contacts[c];
            let (gap, gamma) = self.dynamics.approach(c, t, q, u);
            match mode {
                ContactMode::Open if gap <= self.units.gap && gamma[0] <= hop => {
                    fits &= self.dynamics.contact_acceleration(c, t, q, u)[0] >= -allowed;
                }
                ContactMode::Slip(direction) if sliding(gamma) <= still => {
                    let acceleration = self.dynamics.contact_acceleration(c, t, q, u);
                    let forward = along(direction, acceleration);
                    let aside = (acceleration[1] * direction[1] - acceleration[2] * direction[0]).abs();
                    fits &= forward >= -allowed && aside <= ASIDE * self.dynamics.unit;
                }
                ContactMode::Slip(direction) => fits &= along(direction, gamma) > 0.0,
                _ => {}
            }
        }
        for i in 0..self.dynamics.mode.clutches.len() {
            if !self.dynamics.mode.clutches[i] {
                let [rate, acceleration] = self.dynamics.clutch_rate(i, t, q, u);
                fits &= rate > zero / self.units.size || acceleration >= -allowed / self.units.size;
            }
        }
        self.y = y;
        fits
    }

    /// Runs into what touches: an impact where something approaches, else a new mode.
    fn collide_or_select(&mut self) -> Result<Option<End>, ImpactError> {
        let zero = self.zero_speed();
        let before = self.dynamics.mode.clone();
        let states = self.find_contacts();
        let approaching = states.iter().any(|(gap, gamma)| *gap <= self.units.gap && gamma[0] < -zero);
        let blocked = (0..self.dynamics.mode.clutches.len()).any(|i| {
            let (n, nq) = (self.dynamics.n, self.dynamics.nq);
            let (q, u) = (&self.y[..nq], &self.y[nq..nq + n]);
            self.dynamics.clutch_rate(i, self.t, q, u)[0] < -zero / self.units.size
        });
        if approaching || blocked {
            return self.collide(&[]);
        }
        self.select_mode(&before)
    }

    /// Selects the mode by the complementarity problem and starts the phase;
    /// `before` is the mode that the events are told against.
    pub fn select_mode(&mut self, before: &Mode) -> Result<Option<End>, ImpactError> {
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        let (zero, hop, t) = (self.zero_speed(), self.hop_speed(), self.t);
        let mut candidates = Vec::new();
        let mut slides = Vec::new();
        for (c, (gap, gamma)) in self.find_contacts().into_iter().enumerate() {
            if gap <= self.units.gap && gamma[0] <= hop {
                candidates.push(c);
                slides.push(heading(gamma, self.still_speed()));
            }
        }
        if self.grip(&candidates, &slides) {
            self.record_changes(before);
            self.begin_phase();
            return Ok(None);
        }
        let y = std::mem::take(&mut self.y);
        let (q, u) = (&y[..nq], &y[nq..nq + n]);
        let engaging: Vec<usize> = (0..self.dynamics.mode.clutches.len())
            .filter(|&i| self.dynamics.clutch_rate(i, t, q, u)[0] <= zero / self.units.size)
            .collect();
        let mut ambiguous = Vec::new();
        self.trajectory.stats.selections += 1;
        self.forget_slides();
        let dynamics = &mut self.dynamics;
        let selected = if dynamics.system.tangents() == 1 {
            self.selector.select(dynamics, &candidates, &slides, &engaging, t, q, u, &mut ambiguous)
        } else {
            self.cones.select(dynamics, &candidates, &slides, &engaging, t, q, u, &mut ambiguous)
        };
        self.y = y;
        if selected == Selected::Nothing {
            if candidates.is_empty() || self.events_now(EventKind::PainleveImpact) > PAINLEVE_LIMIT {
                self.remark("the contact forces have no solution and impacts without collision do not help".to_owned());
                return Ok(Some(End::Stalled));
            }
            let names = self.names(&candidates);
            self.remark(format!("Painlevé: no contact forces at {names}; impact without collision"));
            self.event(EventKind::PainleveImpact);
            return self.collide(if ambiguous.is_empty() { &candidates } else { &ambiguous });
        }
        for c in ambiguous {
            let taken = self.dynamics.mode.contacts[c].as_str();
            let name = self.names(&[c]);
            self.remark(format!("Painlevé: more than one motion is possible at {name}; it goes on {taken}"));
            self.event(EventKind::PainleveChoice(c));
        }
        self.project_onto_mode();
        self.record_changes(before);
        self.begin_phase();
        Ok(None)
    }

    /// Where friction is so strong that the complementarity problem, which sees λ_T
    /// as a difference of numbers of size μλ_N, loses digits: tries that what does
    /// not slide sticks, without contacts that would pull. In space this is tried first in any case.
    fn grip(&mut self, candidates: &[usize], slides: &[[f64; 2]]) -> bool {
        let (contacts, space) = (self.dynamics.system.contacts(), self.dynamics.system.tangents() > 1);
        let strong = |(&c, &slide): (&usize, &[f64; 2])| {
            space || slide == [0.0; 2] && contacts[c].surface.friction_static > STRONG
        };
        if !self.dynamics.mode.clutches.is_empty() || !candidates.iter().zip(slides).any(strong) {
            return false;
        }
        let mut mode = Mode::open(self.slack.len(), 0);
        for (&c, &slide) in candidates.iter().zip(slides) {
            mode.contacts[c] = match (contacts[c].surface.is_smooth(), slide != [0.0; 2]) {
                (true, _) => ContactMode::Smooth,
                (false, true) => ContactMode::Slip(slide),
                (false, false) => ContactMode::Stick,
            };
        }
        for _ in 0..candidates.len() {
            if self.try_mode(mode.clone()) {
                return true;
            }
            // The forces of the mode that was tried.
            let pull = |&&c: &&usize| self.dynamics.contact_force[c][0];
            let Some(&worst) = candidates.iter().min_by(|a, b| pull(a).total_cmp(&pull(b))) else { return false };
            if pull(&&worst) >= 0.0 {
                return false;
            }
            mode.contacts[worst] = ContactMode::Open;
        }
        false
    }

    /// Projects onto a new mode; what closing its gaps takes counts as work of impacts.
    fn project_onto_mode(&mut self) {
        let before = self.energies();
        self.project();
        let after = self.energies();
        self.impact_work += after.0 - before.0 + after.1 - before.1;
    }

    /// Names of contacts, for remarks.
    pub fn names(&self, contacts: &[usize]) -> String {
        let all = self.dynamics.system.contacts();
        contacts.iter().map(|&c| all[c].name.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn record_changes(&mut self, before: &Mode) {
        for c in 0..before.contacts.len() {
            let (old, new) = (before.contacts[c], self.dynamics.mode.contacts[c]);
            let kind = match (old, new) {
                _ if old.is_like(new, self.dynamics.system.tangents()) => continue,
                (ContactMode::Open, _) => EventKind::Touch(c),
                (_, ContactMode::Open) => EventKind::TakeOff(c),
                (_, ContactMode::Slip(_)) => EventKind::Slip(c),
                (_, _) => EventKind::Stick(c),
            };
            self.event(kind);
        }
        for i in 0..before.clutches.len() {
            match (before.clutches[i], self.dynamics.mode.clutches[i]) {
                (false, true) => self.event(EventKind::Engage(i)),
                (true, false) => self.event(EventKind::Disengage(i)),
                _ => {}
            }
        }
    }
}
