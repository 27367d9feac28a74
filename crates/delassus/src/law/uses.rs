//! What runs and studies need to know of a law beside its answers.

/// How runs use a law.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InMotion {
    /// The one restitution that the law has for all contacts, in place of their own.
    pub restitution: Option<f64>,
    /// Whether it prescribes the velocity of every contact that takes part, by pulling if need be. Contacts that
    /// separate do not take part then.
    pub prescribes: bool,
    /// Whether contacts that separate already would be pulled back by their restitution. They get none then, unless
    /// energy would be gained by that.
    pub pulls_back: bool,
    /// Whether it is Newton's law where nothing bounces: by that law runs close impacts that accumulate.
    pub is_newton_without_restitution: bool,
    /// Whether time-stepping takes it.
    pub steps: bool,
}

/// A number that measured impacts can tell: a coefficient of contacts or a datum of the law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficient {
    /// Its path, as in files; `contact[*]` is every contact.
    pub path: &'static str,
    /// The usual range.
    pub range: (f64, f64),
}

impl Coefficient {
    /// The restitution along normals.
    pub const RESTITUTION: Self = Self { path: "contact[*].restitution", range: (0.0, 1.0) };
    /// The friction coefficient.
    pub const FRICTION: Self = Self { path: "contact[*].friction", range: (0.0, 1.5) };
    /// The restitution along tangents.
    pub const TANGENTIAL: Self = Self { path: "contact[*].restitution_tangential", range: (0.0, 1.0) };
}
