//! Contact modes: what each contact and clutch does between two events.

/// What a contact does during a smooth phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContactMode {
    /// No force.
    Open,
    /// Closed without friction.
    Smooth,
    /// Closed and sticking: γ_N = γ_T = 0.
    Stick,
    /// Closed and sliding: γ_N = 0, λ_T = −μ σ λ_N with the sign σ of γ_T.
    Slip(f64),
}

impl ContactMode {
    /// Whether a normal force acts.
    pub fn is_closed(self) -> bool {
        self != Self::Open
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

/// The mode of the whole system.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mode {
    /// Per contact.
    pub contacts: Vec<ContactMode>,
    /// Per clutch, whether it is engaged (γ = 0).
    pub clutches: Vec<bool>,
}

impl Mode {
    /// Everything open.
    pub fn open(contacts: usize, clutches: usize) -> Self {
        Self { contacts: vec![ContactMode::Open; contacts], clutches: vec![false; clutches] }
    }
}
