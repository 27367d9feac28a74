//! Contact modes: what each contact and clutch does between two events.

use super::keep::Exchange;
use crate::elementary::Elementary;

/// What a contact does during a smooth phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContactMode {
    /// No force.
    Open,
    /// Closed without friction.
    Smooth,
    /// Closed and sticking: γ_N = γ_T = 0.
    Stick,
    /// Closed and sliding: γ_N = 0, λ_T = −μ d λ_N with the direction d of γ_T in the contact's tangents: (±1, 0) in the
    /// plane, in space a unit vector, that at the start of the step.
    Slip([f64; 2]),
}

impl ContactMode {
    /// Whether a normal force acts.
    pub fn is_closed(self) -> bool {
        self != Self::Open
    }

    /// Whether it is the same; in space slides are alike whatever their direction.
    pub(super) fn is_like(self, other: Self, tangents: usize) -> bool {
        self == other || tangents > 1 && matches!((self, other), (Self::Slip(_), Self::Slip(_)))
    }

    /// The word used in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Smooth => "closed",
            Self::Stick => "stick",
            Self::Slip(_) => "slip",
        }
    }
}

/// The magnitude of the tangential part of γ.
pub(super) fn sliding(gamma: [f64; 3]) -> f64 {
    if gamma[2] == 0.0 { gamma[1].abs() } else { gamma[1].hypotenuse(gamma[2]) }
}

/// The part of γ along a direction of sliding.
pub(super) fn along(direction: [f64; 2], gamma: [f64; 3]) -> f64 {
    direction[0] * gamma[1] + direction[1] * gamma[2]
}

/// The direction of sliding; zero where nothing slides faster than `zero`.
pub(super) fn heading(gamma: [f64; 3], zero: f64) -> [f64; 2] {
    let speed = sliding(gamma);
    if speed > zero { [gamma[1] / speed, gamma[2] / speed] } else { [0.0; 2] }
}

/// The mode of the whole system.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SystemMode {
    /// Per contact.
    pub contacts: Vec<ContactMode>,
    /// Per clutch, whether it is engaged (γ = 0).
    pub clutches: Vec<bool>,
}

impl SystemMode {
    /// Everything open.
    pub fn open(contacts: usize, clutches: usize) -> Self {
        Self { contacts: vec![ContactMode::Open; contacts], clutches: vec![false; clutches] }
    }

    /// Passes it to a snapshot or back.
    pub(super) fn exchange(&mut self, with: &mut Exchange<'_>) -> Option<()> {
        for contact in &mut self.contacts {
            let (mut kind, mut direction) = match *contact {
                ContactMode::Open => (0, [0.0; 2]),
                ContactMode::Smooth => (1, [0.0; 2]),
                ContactMode::Stick => (2, [0.0; 2]),
                ContactMode::Slip(direction) => (3, direction),
            };
            with.count(&mut kind)?;
            with.numbers(&mut direction)?;
            *contact = match kind {
                0 => ContactMode::Open,
                1 => ContactMode::Smooth,
                2 => ContactMode::Stick,
                3 => ContactMode::Slip(direction),
                _ => return None,
            };
        }
        self.clutches.iter_mut().try_for_each(|clutch| with.flag(clutch))
    }

    /// Opens everything.
    pub(super) fn open_all(&mut self) {
        self.contacts.fill(ContactMode::Open);
        self.clutches.fill(false);
    }

    /// Takes over another mode, without a new allocation.
    pub(super) fn copy(&mut self, other: &Self) {
        self.contacts.clone_from(&other.contacts);
        self.clutches.clone_from(&other.clutches);
    }

    /// Whether it is the same, contact by contact.
    pub(super) fn is_like(&self, other: &Self, tangents: usize) -> bool {
        let mut pairs = self.contacts.iter().zip(&other.contacts);
        pairs.all(|(a, b)| a.is_like(*b, tangents)) && self.clutches == other.clutches
    }
}
