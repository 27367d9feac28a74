//! Regimes: what a point of a map belongs to.

/// A regime of a [`Measure`](crate::Measure), comparable within one map; its
/// name is [`Probe::name`](crate::Probe::name).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Regime(pub(crate) u64);

impl Regime {
    /// A parameter is outside the range in which problem or law is defined.
    pub const UNDEFINED: Regime = Regime(u64::MAX);
    /// The law does not cover the problem.
    pub const NOT_APPLICABLE: Regime = Regime(u64::MAX - 1);
    /// The law has no solution.
    pub const NO_SOLUTION: Regime = Regime(u64::MAX - 2);
    /// The map was given up before this point.
    pub const NOT_COMPUTED: Regime = Regime(u64::MAX - 3);

    /// A regime by number, for maps of something else than one impact.
    pub fn new(number: u64) -> Regime {
        Regime(number)
    }

    /// Its number, from which [`new`](Self::new) makes it again.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Name of the regimes that every measure has.
    pub fn common_name(self) -> Option<&'static str> {
        match self {
            Self::UNDEFINED => Some("undefined"),
            Self::NOT_APPLICABLE => Some("law not applicable"),
            Self::NO_SOLUTION => Some("no solution"),
            Self::NOT_COMPUTED => Some("not computed"),
            _ => None,
        }
    }
}
