//! The checks of an answer, as numbers, and the theorem that stands behind it.

/// Relative residuals of an answer; see the formulas of [`certify`](crate::certify).
///
/// A check holds when its residual is at most [`Certificate::TOLERANCE`].
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
    pub const TOLERANCE: f64 = crate::solve::tolerance::RESIDUAL;

    /// Whether γ⁺, Λ and the energy are all consistent.
    pub fn is_consistent(&self) -> bool {
        [self.kinematic, self.kinetic, self.energetic].iter().all(|&r| r <= Self::TOLERANCE)
    }

    /// Whether the law itself and the momentum balance hold.
    pub fn satisfies_law(&self) -> bool {
        self.momentum <= Self::TOLERANCE && self.inclusion.is_none_or(|r| r <= Self::TOLERANCE)
    }
}

/// A theorem that guarantees, before computing, that the energy does not grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Theorem {
    /// None applies.
    #[default]
    None,
    /// Poisson without friction, 0 ≤ ε ≤ 1 [G 2014, §6].
    FrictionlessPoisson,
    /// Poisson with one frictional contact, 0 ≤ ε_T ≤ ε_N ≤ 1 [G 2014, §7].
    OneFrictionalContact,
    /// Poisson with equal coefficients [G 2014, eq. (124)].
    EqualCoefficients,
    /// Poisson with small coefficients [G 2014, eq. (121)].
    SmallCoefficients,
    /// Poisson with similar coefficients [G 2014, eq. (117)].
    SimilarCoefficients,
    /// Newton or Moreau with equal coefficients in [0, 1] [PG 2005, eq. (14)].
    EqualNewtonCoefficients,
    /// Kinematic law with σ_max(A^{−1/2}E_nA^{1/2}) ≤ 1, the condition that corrects [BZL 2012, Proposition 1].
    Contraction,
    /// Kinematic law with A⁻¹ − E_nᵀA⁻¹E_n copositive and no contact separating before the impact.
    Copositive,
    /// The law never creates energy, by its construction.
    Unconditional,
}

impl Theorem {
    /// All of them, in the order of their definition.
    pub const ALL: [Theorem; 10] = [
        Self::None,
        Self::FrictionlessPoisson,
        Self::OneFrictionalContact,
        Self::EqualCoefficients,
        Self::SmallCoefficients,
        Self::SimilarCoefficients,
        Self::EqualNewtonCoefficients,
        Self::Contraction,
        Self::Copositive,
        Self::Unconditional,
    ];

    /// In words, as printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::FrictionlessPoisson => "frictionless Poisson",
            Self::OneFrictionalContact => "one frictional contact",
            Self::EqualCoefficients => "equal coefficients",
            Self::SmallCoefficients => "small coefficients",
            Self::SimilarCoefficients => "similar coefficients",
            Self::EqualNewtonCoefficients => "equal Newton coefficients",
            Self::Contraction => "restitution matrix contracts in the kinetic metric",
            Self::Copositive => "restitution matrix copositive for approaching contacts",
            Self::Unconditional => "the law never creates energy",
        }
    }
}
