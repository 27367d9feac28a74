//! The contact mode at a state: a mode that is known to fit, or the one that the problem of modes selects.

use super::cones::ConeSelector;
use super::mode::{ContactMode, SystemMode, along, heading, sliding};
use super::motion::{MovingSystem, State};
use super::select::{Candidates, Selected, Selector};
use super::thresholds::force;
use crate::model::{PLANE, SPACE};

/// Chooses contact modes. Buffers are reused.
#[derive(Default)]
pub(super) struct Modes {
    planar: Selector,
    spatial: ConeSelector,
    /// What touches and may stay closed.
    pub candidates: Candidates,
    /// Contacts at which more than one motion is possible, or none (Painlevé).
    pub ambiguous: Vec<usize>,
    /// The mode that events are told against.
    pub before: SystemMode,
    /// Problems solved.
    pub selections: usize,
    /// The mode that is tried, and what holds where it does not fit.
    tried: SystemMode,
    kept: SystemMode,
    saved: State,
    /// Which slides began from rest before it was tried.
    creeping: Vec<bool>,
}

impl Modes {
    /// Keeps the mode at hand as the one that events are told against.
    pub fn remember(&mut self, mode: &SystemMode) {
        self.before.copy(mode);
    }

    /// Keeps a mode to be tried with a change.
    pub fn propose(&mut self, mode: &SystemMode) {
        self.tried.copy(mode);
    }

    /// Sets the proposed mode with a change if it is consistent at the current state; else nothing changes.
    pub fn try_change(
        &mut self,
        motion: &mut MovingSystem<'_>,
        change: impl FnOnce(&MovingSystem<'_>, &mut SystemMode),
    ) -> bool {
        change(motion, &mut self.tried);
        self.try_mode(motion)
    }

    /// Sets the mode in `tried` if it is consistent at the current state; else restores the old one.
    fn try_mode(&mut self, motion: &mut MovingSystem<'_>) -> bool {
        self.kept.copy(&motion.dynamics.mode);
        self.saved.copy(&motion.state);
        self.creeping.clone_from(&motion.dynamics.creeping);
        motion.dynamics.mode.copy(&self.tried);
        motion.forget_slides();
        motion.project_onto_mode();
        if is_consistent(motion) {
            return true;
        }
        motion.state.copy(&self.saved);
        motion.dynamics.mode.copy(&self.kept);
        motion.dynamics.creeping.copy_from_slice(&self.creeping);
        false
    }

    /// Selects the mode by the forces that what touches can bear, and projects the state onto it.
    pub fn select(&mut self, motion: &mut MovingSystem<'_>) -> Selected {
        self.ambiguous.clear();
        self.find_candidates(motion);
        if self.grip(motion) {
            return Selected::Mode;
        }
        let zero = motion.units.zero_speed() / motion.units.size;
        self.candidates.clutches.clear();
        for i in 0..motion.dynamics.mode.clutches.len() {
            if motion.clutch_rate(i)[0] <= zero {
                self.candidates.clutches.push(i);
            }
        }
        self.selections += 1;
        motion.forget_slides();
        let MovingSystem { dynamics, state, .. } = &mut *motion;
        let selected = if PLANE && (!SPACE || dynamics.system.tangents() == 1) {
            self.planar.select(dynamics, &self.candidates, state, &mut self.ambiguous)
        } else {
            self.spatial.select(dynamics, &self.candidates, state, &mut self.ambiguous)
        };
        if selected == Selected::Mode {
            motion.project_onto_mode();
        }
        selected
    }

    fn find_candidates(&mut self, motion: &mut MovingSystem<'_>) {
        let (hop, still) = (motion.units.hop_speed(), motion.units.still_speed());
        motion.find_contacts();
        self.candidates.contacts.clear();
        self.candidates.slides.clear();
        for (c, (gap, gamma)) in motion.found.iter().enumerate() {
            if *gap <= motion.units.gap && gamma[0] <= hop {
                self.candidates.contacts.push(c);
                self.candidates.slides.push(heading(*gamma, still));
            }
        }
    }

    /// Where friction is so strong that the complementarity problem, which sees λ_T
    /// as a difference of numbers of size μλ_N, loses digits: tries that what does
    /// not slide sticks, without contacts that would pull. In space this is tried first in any case.
    fn grip(&mut self, motion: &mut MovingSystem<'_>) -> bool {
        let (contacts, space) = (motion.system().contacts(), motion.system().tangents() > 1);
        let Candidates { contacts: candidates, slides, .. } = &self.candidates;
        let strong = |(&c, &slide): (&usize, &[f64; 2])| {
            space || slide == [0.0; 2] && contacts[c].surface.friction_static > force::STRONG
        };
        if !motion.dynamics.mode.clutches.is_empty() || !candidates.iter().zip(slides).any(strong) {
            return false;
        }
        self.tried.copy(&motion.dynamics.mode);
        self.tried.open_all();
        for (&c, &slide) in candidates.iter().zip(slides) {
            self.tried.contacts[c] = match (contacts[c].surface.is_smooth(), slide != [0.0; 2]) {
                (true, _) => ContactMode::Smooth,
                (false, true) => ContactMode::Slip(slide),
                (false, false) => ContactMode::Stick,
            };
        }
        for _ in 0..self.candidates.contacts.len() {
            if self.try_mode(motion) {
                return true;
            }
            // The forces of the mode that was tried.
            let pull = |c: usize| motion.dynamics.contact_force[c][0];
            let all = self.candidates.contacts.iter().copied();
            let Some(worst) = all.min_by(|a, b| pull(*a).total_cmp(&pull(*b))) else { return false };
            if pull(worst) >= 0.0 {
                return false;
            }
            self.tried.contacts[worst] = ContactMode::Open;
        }
        false
    }
}

/// Whether forces and accelerations of the current mode fit it.
fn is_consistent(motion: &mut MovingSystem<'_>) -> bool {
    let (zero, still, hop) = (motion.units.zero_speed(), motion.units.still_speed(), motion.units.hop_speed());
    motion.evaluate();
    motion.follow_slides();
    let (unit, size) = (motion.dynamics.unit, motion.units.size);
    let allowed = force::FITS * unit;
    let dynamics = &motion.dynamics;
    let mut fits = dynamics.acceleration.iter().all(|a| a.is_finite())
        && !dynamics.contradicts()
        && (0..dynamics.rows.len()).all(|row| dynamics.margin(row) >= -allowed);
    for c in 0..motion.contacts() {
        let (gap, gamma) = motion.approach(c);
        match motion.mode(c) {
            ContactMode::Open if gap <= motion.units.gap && gamma[0] <= hop => {
                fits &= motion.contact_acceleration(c)[0] >= -allowed;
            }
            ContactMode::Slip(direction) if sliding(gamma) <= still => {
                let acceleration = motion.contact_acceleration(c);
                let forward = along(direction, acceleration);
                let aside = (acceleration[1] * direction[1] - acceleration[2] * direction[0]).abs();
                fits &= forward >= -allowed && aside <= force::ASIDE * unit;
            }
            ContactMode::Slip(direction) => fits &= along(direction, gamma) > 0.0,
            _ => {}
        }
    }
    for i in 0..motion.dynamics.mode.clutches.len() {
        if !motion.dynamics.mode.clutches[i] {
            let [rate, acceleration] = motion.clutch_rate(i);
            fits &= rate > zero / size || acceleration >= -allowed / size;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::ball::Ball;
    use crate::simulate::settings::Settings;

    fn at(q: f64, u: f64, ball: &Ball) -> MovingSystem<'_> {
        let mut motion = MovingSystem::new(ball, &[q], &[u], &Settings::default()).unwrap();
        motion.set_units(1.0);
        motion
    }

    /// A ball on the ground stays there, one that rises or flies does not.
    #[test]
    fn what_rests_is_closed_and_what_rises_is_not() {
        let ball = Ball::new(0.5);
        for (q, u, mode) in
            [(0.0, 0.0, ContactMode::Smooth), (0.0, 0.1, ContactMode::Open), (1.0, 0.0, ContactMode::Open)]
        {
            let (mut motion, mut modes) = (at(q, u, &ball), Modes::default());
            assert_eq!(modes.select(&mut motion), Selected::Mode);
            assert_eq!(motion.mode(0), mode, "{q} {u}");
            assert!(modes.ambiguous.is_empty());
        }
    }

    /// A mode that does not fit leaves state and mode as they were.
    #[test]
    fn a_mode_that_does_not_fit_is_not_taken() {
        let ball = Ball::new(0.5);
        let (mut motion, mut modes) = (at(0.0, 0.0, &ball), Modes::default());
        modes.propose(&motion.dynamics.mode);
        assert!(modes.try_change(&mut motion, |_, mode| mode.contacts[0] = ContactMode::Smooth));
        assert!(!modes.try_change(&mut motion, |_, mode| mode.contacts[0] = ContactMode::Open));
        assert_eq!((motion.mode(0), motion.state.impact_work), (ContactMode::Smooth, 0.0));
    }
}
