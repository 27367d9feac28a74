//! Impacts: who takes part, the problem, the law's answer, what stays closed.

use super::mode::{ContactMode, SystemMode, sliding};
use super::motion::{MovingSystem, State};
use super::problem::{Participants, Problems};
use super::settings::{Records, Settings};
use super::thresholds::{energy, speed};
use super::trajectory::SimulatedImpact;
use crate::answer::{LawAnswer, Options, Status};
use crate::error::ImpactError;
use crate::law::{ImpactLaw as _, LawSpec, Newton};
use crate::outcome::{EnergyLedger, ImpactOutcome};
use crate::problem::ImpactProblem;
use crate::resolve::resolve_into;
use crate::workspace::Workspace;

/// What closes accumulated impacts. With all restitution zero the inequality laws are one; others are told of at the end
/// of the run.
static CLOSING: LawSpec = LawSpec::Newton(Newton {});

/// How an impact is to be resolved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner<'a> {
    /// Contacts of an impact without collision: they count as approaching.
    pub pressed: &'a [usize],
    /// How often they have been pressed at this time before.
    pub attempts: usize,
    /// Whether all restitution is taken as zero because impacts accumulate.
    pub inelastic: bool,
    /// Whether the law's path is recorded.
    pub path: bool,
}

/// Resolves impacts. Buffers are reused.
pub(super) struct Collisions<'a> {
    law: &'a LawSpec,
    options: Options,
    problems: Problems,
    work: Workspace,
    pub outcome: ImpactOutcome,
    /// The contacts that take part in the impact at hand.
    pub contacts: Vec<usize>,
    who: Participants,
    /// Velocities before the impact.
    u_minus: Vec<f64>,
    slow: Vec<usize>,
    kept: Vec<usize>,
    before: SystemMode,
    saved: State,
}

impl<'a> Collisions<'a> {
    pub fn new(law: &'a LawSpec, settings: &Settings) -> Self {
        Self {
            law,
            options: Options { limits: settings.limits.clone(), ..Options::default() },
            problems: Problems::default(),
            work: Workspace::default(),
            outcome: ImpactOutcome::default(),
            contacts: Vec::new(),
            who: Participants::default(),
            u_minus: Vec::new(),
            slow: Vec::new(),
            kept: Vec::new(),
            before: SystemMode::default(),
            saved: State::default(),
        }
    }

    /// The problem of the last impact.
    pub fn problem(&self) -> Option<&ImpactProblem> {
        self.problems.current()
    }

    /// The law that resolves an impact.
    pub fn law(&self, inelastic: bool) -> &'a LawSpec {
        if inelastic { &CLOSING } else { self.law }
    }

    /// Finds who takes part, among the contacts that were found last. The fastest of their approaches.
    pub fn gather(&mut self, motion: &MovingSystem<'_>) -> f64 {
        let prescribed = self.law.in_motion().prescribes;
        let zero = motion.units.zero_speed();
        self.contacts.clear();
        let mut fastest = 0.0f64;
        for (c, (gap, gamma)) in motion.found.iter().enumerate() {
            if *gap <= motion.units.gap && !(prescribed && gamma[0] > zero) {
                self.contacts.push(c);
                fastest = fastest.max(-gamma[0]);
            }
        }
        fastest
    }

    /// Resolves the impact of the contacts that take part; the answer is in `outcome`.
    ///
    /// # Errors
    /// Bad data of an impact, said of the material that a contact has them from, else of the contact by its name.
    pub fn resolve(&mut self, motion: &MovingSystem<'_>, manner: Manner<'_>) -> Result<Status, ImpactError> {
        self.resolve_problem(motion, manner).map_err(|error| {
            let Some((number, key)) = error.contact() else { return error };
            let Some(point) = self.contacts.get(number).map(|&c| &motion.system().contacts()[c]) else { return error };
            let named = || format!("contact {}.{key}", point.name);
            ImpactError { field: point.surface.sources.path(key).unwrap_or_else(named), ..error }
        })
    }

    fn resolve_problem(&mut self, motion: &MovingSystem<'_>, manner: Manner<'_>) -> Result<Status, ImpactError> {
        self.options.path = manner.path;
        self.resolve_once(motion, manner, false)?;
        if self.law(manner.inelastic).in_motion().pulls_back && self.outcome.certificate.energetic > energy::GAIN {
            // With their own ε the separating participants may approach, which calls for another impact.
            self.resolve_once(motion, manner, true)?;
        }
        Ok(self.outcome.status())
    }

    /// The same; with `bounce` also separating contacts keep their restitution under Newton.
    fn resolve_once(&mut self, motion: &MovingSystem<'_>, manner: Manner<'_>, bounce: bool) -> Result<(), ImpactError> {
        let law = self.law(manner.inelastic);
        self.set_who(motion, manner, bounce || !law.in_motion().pulls_back);
        self.problems.set(motion, &self.contacts, &self.who)?;
        match self.problems.current() {
            Some(problem) => resolve_into(problem, law, &self.options, &mut self.work, &mut self.outcome),
            None => Ok(()),
        }
    }

    /// Says how each contact takes part. Where they do not `bounce`, separating ones get no restitution: under Newton
    /// they would be pulled back, unless energy would be gained by it.
    fn set_who(&mut self, motion: &MovingSystem<'_>, manner: Manner<'_>, bounce: bool) {
        let common = self.law.in_motion().restitution;
        let zero = motion.units.zero_speed();
        let Participants { restitution, pressed, inelastic } = &mut self.who;
        *inelastic = manner.inelastic;
        restitution.clear();
        pressed.clear();
        for &c in &self.contacts {
            let (surface, gamma) = (motion.system().contacts()[c].surface, motion.found[c].1);
            restitution.push(if manner.inelastic || !bounce && gamma[0] > zero {
                [0.0; 2]
            } else {
                [common.unwrap_or(surface.restitution), surface.restitution_tangential]
            });
            pressed.push(if manner.pressed.contains(&c) {
                let attempts = manner.attempts.min(speed::PRESSED_MOST) as i32;
                speed::PRESSED * speed::PRESSED_MORE.powi(attempts) * motion.units.speed.max(sliding(gamma))
            } else {
                0.0
            });
        }
    }

    /// Gives the state the velocities after the impact, without separation speeds of participants up to `small`; what the
    /// impact took is added to the works.
    pub fn apply(&mut self, motion: &mut MovingSystem<'_>, small: f64) -> f64 {
        self.u_minus.clear();
        self.u_minus.extend_from_slice(motion.state.u());
        motion.state.q_u_mut().1.copy_from_slice(&self.outcome.u_plus);
        let [_, potential] = motion.kinetic_and_potential();
        self.close(motion, small);
        let [kinetic, closed] = motion.kinetic_and_potential();
        let energy = &self.outcome.energy;
        // What closing small separations and gaps took is part of the impact's work.
        motion.state.impact_work += energy.contacts + kinetic - energy.after + closed - potential;
        motion.state.works_mut()[super::dynamics::SUPPORTS] += energy.supports;
        motion.note_speed();
        kinetic
    }

    /// Removes separation speeds up to `speed` of contacts that took part.
    fn close(&mut self, motion: &mut MovingSystem<'_>, speed: f64) {
        let (mut slow, mut kept) = (std::mem::take(&mut self.slow), std::mem::take(&mut self.kept));
        slow.clear();
        slow.extend(self.contacts.iter().copied().filter(|&c| motion.on_piece(c).1[0].abs() <= speed));
        let nothing = slow.is_empty() && motion.system().joints().is_empty();
        if !nothing && !self.close_together(motion, &slow, speed) {
            // Contacts next to each other could only be closed by stopping the body's rotation: one of them is enough.
            kept.clear();
            for &c in &slow {
                kept.push(c);
                if !self.close_together(motion, &kept, speed) {
                    kept.pop();
                }
            }
        }
        (self.slow, self.kept) = (slow, kept);
    }

    /// Closes these contacts; nothing changes where that takes more than their speeds.
    fn close_together(&mut self, motion: &mut MovingSystem<'_>, slow: &[usize], small: f64) -> bool {
        self.saved.copy(&motion.state);
        self.before.copy(&motion.dynamics.mode);
        motion.dynamics.mode.open_all();
        for &c in slow {
            let stuck = sliding(motion.on_piece(c).1) <= motion.units.zero_speed()
                && !motion.system().contacts()[c].surface.is_smooth();
            motion.dynamics.mode.contacts[c] = if stuck { ContactMode::Stick } else { ContactMode::Smooth };
        }
        motion.project();
        motion.dynamics.mode.copy(&self.before);
        let speeds = motion.state.u().iter().zip(self.saved.u()).enumerate();
        let change = speeds.map(|(i, (after, before))| (after - before).abs() * motion.units.length(i));
        let moderate = slow.is_empty() || change.fold(0.0, f64::max) <= speed::DISTURBANCE * small;
        if !moderate {
            motion.state.copy(&self.saved);
        }
        moderate
    }

    /// The record of the impact that was applied last.
    pub fn record(
        &self,
        motion: &MovingSystem<'_>,
        kinetic_after: f64,
        inelastic: bool,
        records: Records,
    ) -> SimulatedImpact {
        let (system, time, q) = (motion.system(), motion.state.t, motion.state.q());
        if records == Records::Brief {
            let LawAnswer { status, uniqueness, stats, .. } = self.outcome.answer;
            let answer = LawAnswer { status, uniqueness, stats, ..LawAnswer::default() };
            let EnergyLedger { before, after, contacts, supports, external, .. } = self.outcome.energy;
            let energy = EnergyLedger { before, after, work: Vec::new(), contacts, supports, external };
            let certificate = self.outcome.certificate;
            let outcome = ImpactOutcome { answer, energy, certificate, ..ImpactOutcome::default() };
            return SimulatedImpact { time, kinetic_after, outcome, inelastic, ..SimulatedImpact::default() };
        }
        let frames = self.contacts.iter().map(|&c| system.frame(c, motion.dynamics.pieces[c], time, q));
        let problem = self.problems.current();
        SimulatedImpact {
            time,
            contacts: self.contacts.clone(),
            q: q.to_vec(),
            u_minus: self.u_minus.clone(),
            u_plus: motion.state.u().to_vec(),
            kinetic_after,
            frames: frames.collect::<Option<Vec<_>>>().unwrap_or_default(),
            rows: problem
                .map_or_else(Vec::new, |problem| problem.contacts().iter().map(|c| 1 + c.tangents.len()).collect()),
            outcome: self.outcome.clone(),
            inelastic,
            modes: vec![ContactMode::Open; motion.contacts()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::ball::Ball;

    /// A ball strikes the ground: it bounces, or is closed where its bounce counts as small.
    #[test]
    fn a_ball_bounces_or_is_closed() {
        let (ball, law) = (Ball::new(0.5), LawSpec::by_name("newton").unwrap());
        for (small, after, work) in [(1e-6, 0.5, -0.375), (1.0, 0.0, -0.5)] {
            let mut motion = MovingSystem::new(&ball, &[0.0], &[-1.0], &Settings::default()).unwrap();
            motion.set_units(1.0);
            motion.find_contacts();
            let mut collisions = Collisions::new(&law, &Settings::default());
            assert_eq!(collisions.gather(&motion), 1.0);
            let manner = Manner { pressed: &[], attempts: 0, inelastic: false, path: false };
            assert_eq!(collisions.resolve(&motion, manner).unwrap(), Status::Solved);
            collisions.apply(&mut motion, small);
            assert_eq!((motion.state.u()[0], motion.state.impact_work), (after, work));
            let impact = collisions.record(&motion, 0.0, false, Records::Full);
            let brief = collisions.record(&motion, 0.0, false, Records::Brief);
            assert_eq!(brief.outcome.certificate, impact.outcome.certificate);
            assert_eq!((brief.time, brief.contacts.len(), brief.outcome.u_plus.len()), (impact.time, 0, 0));
            assert_eq!((impact.u_minus, impact.u_plus, impact.rows), (vec![-1.0], vec![after], vec![1]));
        }
    }
}
