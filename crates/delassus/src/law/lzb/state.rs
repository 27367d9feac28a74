//! Where each contact stands along the impact.

use super::scaled::Scaled;
use super::thresholds::energy;
use crate::answer::{ContactEnergy, NormalState, PathState, TangentialState};

/// The normal direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Closed or open without force; acts again once γ_N < 0.
    Idle,
    /// Open with its gap remembered: δ < 0 goes on by dδ = −v dτ.
    Gap,
    /// δ grows: c = 1.
    Compression,
    /// δ shrinks: c = 1/e².
    Expansion,
}

impl Phase {
    /// Whether a normal force may act.
    pub fn pushes(self) -> bool {
        matches!(self, Self::Compression | Self::Expansion)
    }
}

/// The tangential direction of a pushing contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Grip {
    /// No friction.
    Smooth,
    /// To be decided from the tangential velocity.
    Undecided,
    /// v_t = 0 holds.
    Stick,
    /// One tangent, v_t has the sign of this.
    Slip(f64),
    /// Two tangents, started in this direction; `slow` as long as it is hardly faster than rest.
    Slide { direction: [f64; 2], slow: bool },
}

/// One contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ContactState {
    pub phase: Phase,
    pub grip: Grip,
    /// δ̂.
    pub delta: f64,
    /// Ê when the present phase began.
    mark: f64,
    /// Account in scaled energy.
    pub account: ContactEnergy,
}

impl ContactState {
    pub fn new(phase: Phase, friction: bool) -> Self {
        let grip = if friction { Grip::Undecided } else { Grip::Smooth };
        Self { phase, grip, delta: 0.0, mark: 0.0, account: ContactEnergy::default() }
    }

    /// A compression begins, from the energy stored at present.
    pub fn compress(&mut self, scaled: &Scaled, contact: usize) {
        self.book(scaled, contact);
        if !self.phase.pushes() && self.grip != Grip::Smooth {
            self.grip = Grip::Undecided;
        }
        self.phase = Phase::Compression;
        self.account.compressions += 1;
    }

    /// The compression is over; without restitution all energy is lost.
    /// Returns whether a force still acts.
    pub fn turn(&mut self, scaled: &Scaled, contact: usize, rest: Phase) -> bool {
        self.book(scaled, contact);
        if scaled.contacts[contact].restitution == 0.0 || self.mark <= energy::NONE {
            self.account.lost += self.mark;
            self.release(rest);
            return false;
        }
        self.phase = Phase::Expansion;
        true
    }

    /// The expansion has returned what it could.
    pub fn open(&mut self, scaled: &Scaled, contact: usize, rest: Phase) {
        self.delta = 0.0;
        self.book(scaled, contact);
        self.release(rest);
    }

    /// The impact ends while this contact is at rest and still pushes.
    pub fn keep(&mut self, scaled: &Scaled, contact: usize) {
        self.book(scaled, contact);
        self.account.held = self.mark;
    }

    /// Ends without force what a limit has ended.
    pub fn forget(&mut self, rest: Phase) {
        self.release(rest);
    }

    fn release(&mut self, rest: Phase) {
        self.phase = rest;
        self.delta = 0.0;
        self.mark = 0.0;
        if self.grip != Grip::Smooth {
            self.grip = Grip::Undecided;
        }
    }

    /// Writes the energy exchanged since the last time into the account.
    pub fn book(&mut self, scaled: &Scaled, contact: usize) {
        let energy = scaled.energy(contact, self.delta);
        match self.phase {
            Phase::Compression => self.account.stored += energy - self.mark,
            Phase::Expansion => {
                let e = scaled.contacts[contact].restitution;
                self.account.returned += e * e * (self.mark - energy);
                self.account.lost += (1.0 - e * e) * (self.mark - energy);
            }
            Phase::Idle | Phase::Gap => {}
        }
        self.mark = energy;
    }

    /// c of dδ = −c v dτ.
    pub fn rate(&self, restitution: f64) -> f64 {
        match self.phase {
            Phase::Expansion => 1.0 / (restitution * restitution),
            _ => 1.0,
        }
    }

    /// For the recorded path.
    pub fn path_state(&self) -> PathState {
        let normal = match self.phase {
            Phase::Idle | Phase::Gap => NormalState::Open,
            Phase::Compression => NormalState::Compression,
            Phase::Expansion => NormalState::Expansion,
        };
        let tangential = match self.grip {
            _ if !self.phase.pushes() => None,
            Grip::Smooth | Grip::Undecided => None,
            Grip::Stick => Some(TangentialState::Stick),
            Grip::Slip(_) | Grip::Slide { .. } => Some(TangentialState::Slip),
        };
        PathState { normal, tangential }
    }
}
