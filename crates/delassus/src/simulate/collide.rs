//! Impacts: who takes part, the problem, the law's answer, what stays closed.

use super::mode::{ContactMode, Mode, sliding};
use super::problem::Participants;
use super::run::Runner;
use super::trajectory::{End, EventKind, Impact};
use crate::answer::{Options, Status};
use crate::error::ImpactError;
use crate::law::{LawSpec, Newton};
use crate::resolve::resolve_into;

/// Impacts in a row at one time before restitution is dropped.
const REPEATED: usize = 50;
/// Impacts in a row at one time after which small speeds are no longer closed.
const CLOSINGS: usize = 3;
/// Closing small speeds may change others by this factor of theirs.
const DISTURBANCE: f64 = 4.0;
/// Relative energy above which an impact gains some.
const GAIN: f64 = 1e-9;
/// Gaps within this factor of the tolerance make participation a close call.
const CLOSE_CALL: f64 = 10.0;

impl Runner<'_> {
    /// Resolves the impact of all contacts that touch. `pressed` are contacts
    /// of an impact without collision: they count as approaching.
    pub fn collide(&mut self, pressed: &[usize]) -> Result<Option<End>, ImpactError> {
        let zero = self.zero_speed();
        let speed = self.accumulation_speed();
        let states = self.find_contacts();
        // The kinematic law prescribes the velocity of every contact that takes part, by pulling if need be.
        let prescribed = matches!(self.law, LawSpec::Kinematic(_));
        let takes_part = |c: &usize| states[*c].0 <= self.units.gap && !(prescribed && states[*c].1[0] > zero);
        let contacts: Vec<usize> = (0..states.len()).filter(takes_part).collect();
        self.note_close_calls(&states);
        let system = self.dynamics.system;
        if contacts.is_empty() && system.joints().is_empty() && system.clutches().is_empty() {
            // What still approaches was moved out of touch: its gap closes next.
            let before = self.dynamics.mode.clone();
            return self.select_mode(&before);
        }

        let fastest = contacts.iter().fold(0.0f64, |m, &c| m.max(-states[c].1[0]));
        let repeated = self.impacts_now();
        let inelastic = pressed.is_empty() && (fastest < speed || repeated >= REPEATED);
        let law = self.effective_law(inelastic);
        let path = self.trajectory.impacts.len() < self.settings.keep_paths;
        let options = Options { limits: self.settings.limits.clone(), path, ..Options::default() };
        self.set_problem(&contacts, &states, pressed, inelastic, false, &law)?;
        self.resolve(&law, &options)?;
        if matches!(law, LawSpec::Newton(_)) && self.outcome.certificate.energetic > GAIN {
            // With their own ε the separating participants may approach, which calls for another impact.
            self.set_problem(&contacts, &states, pressed, inelastic, true, &law)?;
            self.resolve(&law, &options)?;
        }
        let status = self.outcome.status();
        if !status.has_answer() {
            let reason = self.outcome.reason.clone().unwrap_or_else(|| status.as_str().to_owned());
            let names = self.names(&contacts);
            return Ok(Some(End::NoAnswer(format!("{}, impact of {names}: {reason}", law.name()))));
        }
        if status != Status::Solved {
            self.remark(format!("the impact law answered {}", status.as_str()));
        }

        if self.settings.keep_impact == Some(self.trajectory.impacts.len()) {
            self.trajectory.kept = self.problems.current().map(|problem| Box::new((problem.clone(), law.clone())));
        }
        let u_minus = self.state().1.to_vec();
        let (n, nq) = (self.dynamics.n, self.dynamics.nq);
        self.y[nq..nq + n].copy_from_slice(&self.outcome.u_plus);
        let potential = self.energies().1;
        // Where closing small speeds makes others approach, and so on, they are left to the motion.
        self.close(&contacts, if inelastic && repeated < CLOSINGS { speed } else { zero });
        let (kinetic, closed) = self.energies();
        // What closing small separations and gaps took is part of the impact's work.
        self.impact_work += self.outcome.energy.contacts + kinetic - self.outcome.energy.after + closed - potential;
        let supports = nq + n + super::dynamics::SUPPORTS;
        self.y[supports] += self.outcome.energy.supports;
        self.note_speed();

        let (q, u_plus) = self.state();
        let (q, u_plus) = (q.to_vec(), u_plus.to_vec());
        let frames = contacts.iter().map(|&c| system.frame(c, self.dynamics.pieces[c], self.t, &q));
        let frames = frames.collect::<Option<Vec<_>>>().unwrap_or_default();
        self.trajectory.impacts.push(Impact {
            time: self.t,
            contacts: contacts.clone(),
            q,
            u_minus,
            u_plus,
            kinetic_after: kinetic,
            frames,
            rows: self
                .problems
                .current()
                .map_or_else(Vec::new, |problem| problem.contacts().iter().map(|c| 1 + c.tangents.len()).collect()),
            outcome: self.outcome.clone(),
            inelastic,
            modes: vec![ContactMode::Open; self.slack.len()],
        });
        self.event(EventKind::Impact(self.trajectory.impacts.len() - 1));
        if inelastic {
            self.event(EventKind::Accumulation);
        }
        self.after_impact(&contacts, repeated, zero)
    }

    /// The mode after an impact, or another impact where contacts still approach.
    fn after_impact(&mut self, contacts: &[usize], repeated: usize, zero: f64) -> Result<Option<End>, ImpactError> {
        let index = self.trajectory.impacts.len() - 1;
        let nearing = |&c: &usize| {
            let (gap, gamma) = self.on_piece(c);
            (gap <= self.units.gap || contacts.contains(&c)) && gamma[0] < -zero
        };
        let approaching: Vec<usize> = (0..self.slack.len()).filter(nearing).collect();
        if !approaching.is_empty() {
            if repeated == REPEATED + 10 {
                let names = self.names(&approaching);
                return Ok(Some(End::NoAnswer(format!("after the impact {names} still approach"))));
            }
            if repeated == 0 {
                let names = self.names(&approaching);
                self.remark(format!("after the impact {names} still approach: another impact follows at once"));
            }
            return self.collide(&[]);
        }
        if self.until.impacts.is_some_and(|limit| index + 1 >= limit) {
            return Ok(Some(End::Completed));
        }
        // No mode survives an impact: what was closed is decided anew.
        let open = Mode::open(self.slack.len(), self.dynamics.mode.clutches.len());
        let before = std::mem::replace(&mut self.dynamics.mode, open);
        let end = self.select_mode(&before)?;
        self.trajectory.impacts[index].modes.clone_from(&self.dynamics.mode.contacts);
        Ok(end)
    }

    /// Removes separation speeds up to `speed` of contacts that took part.
    fn close(&mut self, contacts: &[usize], speed: f64) {
        let slow: Vec<usize> = contacts.iter().copied().filter(|&c| self.on_piece(c).1[0].abs() <= speed).collect();
        if slow.is_empty() && self.dynamics.system.joints().is_empty() || self.close_together(&slow, speed) {
            return;
        }
        // Contacts next to each other could only be closed by stopping the body's rotation: one of them is enough.
        let mut kept = Vec::new();
        for c in slow {
            kept.push(c);
            if !self.close_together(&kept, speed) {
                kept.pop();
            }
        }
    }

    /// Closes these contacts; nothing changes where that takes more than their speeds.
    fn close_together(&mut self, slow: &[usize], speed: f64) -> bool {
        let mut mode = Mode::open(self.slack.len(), self.dynamics.mode.clutches.len());
        for &c in slow {
            let stuck = sliding(self.on_piece(c).1) <= self.zero_speed()
                && !self.dynamics.system.contacts()[c].surface.is_smooth();
            mode.contacts[c] = if stuck { ContactMode::Stick } else { ContactMode::Smooth };
        }
        let saved = self.y.clone();
        let before = std::mem::replace(&mut self.dynamics.mode, mode);
        self.project();
        self.dynamics.mode = before;
        let nq = self.dynamics.nq;
        let length = |i: usize| self.units.size / self.units.velocities[i];
        let change = (0..self.dynamics.n).map(|i| (self.y[nq + i] - saved[nq + i]).abs() * length(i));
        let moderate = slow.is_empty() || change.fold(0.0, f64::max) <= DISTURBANCE * speed;
        if !moderate {
            self.y = saved;
        }
        moderate
    }

    /// Events of that kind at the current time.
    pub fn events_now(&self, kind: EventKind) -> usize {
        let now = self.trajectory.events.iter().rev().take_while(|event| event.time == self.t);
        now.filter(|event| event.kind == kind).count()
    }

    fn impacts_now(&self) -> usize {
        self.trajectory.impacts.iter().rev().take_while(|impact| impact.time == self.t).count()
    }

    /// The law that resolves this impact.
    fn effective_law(&self, inelastic: bool) -> LawSpec {
        // With all restitution zero the inequality laws are one; others are told of at the end of the run.
        if inelastic { LawSpec::Newton(Newton::default()) } else { self.law.clone() }
    }

    /// Resolves the problem set last.
    fn resolve(&mut self, law: &LawSpec, options: &Options) -> Result<(), ImpactError> {
        match self.problems.current() {
            Some(problem) => resolve_into(problem, law, options, &mut self.work, &mut self.outcome),
            None => Ok(()),
        }
    }

    /// Sets the problem of the impact of these contacts. With `bounce` also separating ones keep their restitution
    /// under Newton.
    fn set_problem(
        &mut self,
        contacts: &[usize],
        states: &[(f64, [f64; 3])],
        pressed: &[usize],
        inelastic: bool,
        bounce: bool,
        law: &LawSpec,
    ) -> Result<(), ImpactError> {
        let common = match self.law {
            LawSpec::Moreau(moreau) => moreau.restitution,
            _ => None,
        };
        let restitution = |&c: &usize| {
            let surface = self.dynamics.system.contacts()[c].surface;
            // Under Newton a separating participant must not be pulled back: ε = 0, unless energy would be gained by it.
            let separating = !bounce && matches!(law, LawSpec::Newton(_)) && states[c].1[0] > self.zero_speed();
            if inelastic || separating {
                return [0.0; 2];
            }
            [common.unwrap_or(surface.restitution), surface.restitution_tangential]
        };
        // A small approach speed, above the tolerance of certificates, selects the branch with an
        // impulse; where the law takes it for none, the next attempt at the same time is larger.
        let press = |c: &usize| {
            if !pressed.contains(c) {
                return 0.0;
            }
            let attempts = self.events_now(EventKind::PainleveImpact).saturating_sub(1).min(4) as i32;
            1e-8 * 30f64.powi(attempts) * self.units.speed.max(sliding(states[*c].1))
        };
        let restitution: Vec<[f64; 2]> = contacts.iter().map(restitution).collect();
        let press: Vec<f64> = contacts.iter().map(press).collect();
        let who = Participants { contacts, restitution: &restitution, pressed: &press, inelastic };
        let mut problems = std::mem::take(&mut self.problems);
        let set = problems.set(self, &who);
        self.problems = problems;
        set
    }

    /// Says when another contact tolerance would have changed who takes part.
    fn note_close_calls(&mut self, states: &[(f64, [f64; 3])]) {
        for (c, &(gap, gamma)) in states.iter().enumerate() {
            let near = gap > self.units.gap && gap <= CLOSE_CALL * self.units.gap;
            let barely = gap > self.units.gap / CLOSE_CALL && gap <= self.units.gap;
            if near || barely {
                let took = if near { "did not take" } else { "took" };
                let name = self.names(&[c]);
                self.remark(format!(
                    "{name} {took} part in the impact at the gap {gap:.3e} (normal velocity {:.3e}); another contact tolerance would change that",
                    gamma[0]
                ));
            }
        }
    }
}
