//! The checks of an answer, from (problem, law data, impulses) alone.

/// Relative residuals of an answer; see the module documentation for the formulas.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Certificate {
    /// γ⁺ admissible: no penetration after the impact, joints at rest.
    pub kinematic: f64,
    /// Λ in its reservoir: no pulling contact, friction within its limit.
    pub kinetic: f64,
    /// The contacts did no work on the system: max(0, D)/T*.
    pub energetic: f64,
    /// M(u⁺ − u⁻) = WΛ + F.
    pub momentum: f64,
    /// The law's own inclusion; `None` for laws that are no inclusion.
    pub inclusion: Option<f64>,
    /// The theorem that guarantees the energy a priori.
    pub theorem: Theorem,
}

impl Certificate {
    /// A check holds when its relative residual is at most this.
    pub const TOLERANCE: f64 = 1e-9;
}

/// A theorem that guarantees, before computing, that the energy does not grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theorem {
    /// None applies.
    #[default]
    None,
}
