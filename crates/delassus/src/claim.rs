//! What a law claims about its answer, as data that can be checked without the law.
//!
//! A law states per element which relation holds between which impulses and
//! velocities, up to where friction may hold, and which theorem keeps the energy
//! from growing. [`certify`](crate::certify) evaluates that from problem, claim
//! and impulses alone: it calls no law, and no law grades itself.

use crate::problem::{Element, ImpactProblem};

/// What a law claims about one element. Symbols as in [`notation`](crate::notation);
/// C is the set that −Λ of the element must lie in, N_C its normal cone.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum ElementClaim {
    /// Nothing beyond what the checks of every answer cover.
    #[default]
    Nothing,
    /// ξ ∈ N_C(−Λ) with ξ = γ⁺ + εγ⁻, as in Newton's law.
    Newton {
        /// ε.
        restitution: f64,
    },
    /// γ° ∈ N_C(−Λ⁻), then γ⁺ ∈ N_D(−Δ) with Δ = Λ − (1 + ε)Λ⁻, as in Poisson's law. The
    /// answer must hold the impulses of compression Λ⁻.
    Poisson {
        /// ε.
        restitution: f64,
    },
    /// γ⁺ = −εγ⁻.
    Velocity {
        /// ε.
        restitution: f64,
    },
    /// γ⁺ = −εγ_j⁻ with the velocity before the impact of another row j.
    VelocityOf {
        /// ε.
        restitution: f64,
        /// j; few bytes, so that claims are quick to copy.
        row: u32,
    },
    /// For the normal of contact i: q̇⁺ = −Σ_j E_ij q̇_j⁻ in the normalised velocities of the
    /// [kinetic metric](crate::KineticMetric), with E in [`Claim::matrix`].
    Matrix,
    /// Λ = 0.
    NoImpulse,
    /// For friction: Coulomb's law between Λ and γ⁺; where the contact pulls (Λ_N < 0), with
    /// the size of Λ_N and the direction of slip reversed.
    CoulombEitherSign,
}

/// Up to where friction may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FrictionLimit {
    /// The kinetic coefficient.
    #[default]
    Kinetic,
    /// The static coefficient, where a contact has one.
    Static,
    /// Friction is whatever the imposed tangential velocity takes.
    Unbounded,
}

/// Which theorem may keep the energy from growing; its conditions are tested on problem and claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum EnergyClaim {
    /// None.
    #[default]
    Nothing,
    /// Equal coefficients of [`ElementClaim::Newton`] [PG 2005, eq. (14)].
    Newton,
    /// The theorems on [`ElementClaim::Poisson`] [G 2014, §§6–8].
    Poisson,
    /// Contraction or copositivity of the matrix of [`ElementClaim::Matrix`], or of the coefficients of
    /// [`ElementClaim::Velocity`] as its diagonal, in the kinetic metric.
    Metric,
    /// The law never creates energy, by its construction, for data that its own check admits.
    Always,
}

/// A matrix, or one number that stands for it.
#[derive(Debug, Clone, PartialEq)]
pub enum NumberOrMatrix {
    /// That number times the identity.
    Uniform(f64),
    /// Row by row.
    Full(Vec<Vec<f64>>),
}

/// An imposed tangential velocity q̇_tan⁺ = −E_tan q̇_tan⁻ in the kinetic metric.
#[derive(Debug, Clone, PartialEq)]
pub struct TangentialClaim {
    /// Columns of the basis t, M-orthonormal; absent: that of [`KineticMetric`](crate::KineticMetric).
    pub basis: Option<Vec<Vec<f64>>>,
    /// E_tan in that basis.
    pub matrix: NumberOrMatrix,
}

/// All that a law claims about its answer to one problem. Buffers are reused.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Claim {
    /// One per element of the problem; missing ones claim nothing.
    elements: Vec<ElementClaim>,
    /// Which of them occur.
    occur: Occur,
    /// E of [`ElementClaim::Matrix`], row by row, contacts × contacts; missing entries are 0.
    pub matrix: Vec<Vec<f64>>,
    /// An imposed tangential velocity.
    pub tangential: Option<TangentialClaim>,
    /// Up to where friction may hold.
    pub friction: FrictionLimit,
    /// Which theorem may keep the energy from growing.
    pub energy: EnergyClaim,
}

/// What occurs among the elements, so that nobody has to look through them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Occur {
    relation: bool,
    two_phases: bool,
    metric: bool,
}

impl Claim {
    /// Claims nothing.
    #[inline]
    pub fn clear(&mut self) {
        self.elements.clear();
        self.occur = Occur::default();
        if !self.matrix.is_empty() {
            self.matrix.clear();
        }
        if self.tangential.is_some() {
            self.tangential = None;
        }
        self.friction = FrictionLimit::Kinetic;
        self.energy = EnergyClaim::Nothing;
    }

    /// Claims `inclusion` of every element.
    #[inline]
    pub fn each(&mut self, problem: &ImpactProblem, inclusion: impl Fn(&Element) -> ElementClaim) {
        let mut occur = Occur::default();
        self.elements.clear();
        self.elements.extend(problem.elements().iter().map(|element| {
            let claim = inclusion(element);
            occur.relation |= !matches!(claim, ElementClaim::Nothing);
            occur.two_phases |= matches!(claim, ElementClaim::Poisson { .. });
            occur.metric |= matches!(claim, ElementClaim::Matrix);
            claim
        }));
        self.occur = occur;
    }

    /// Claims nothing of elements that have no claim yet.
    #[inline]
    pub(crate) fn pad(&mut self, problem: &ImpactProblem) {
        self.elements.resize(problem.elements().len(), ElementClaim::Nothing);
    }

    /// The claims of the elements, in order; missing ones claim nothing.
    pub fn elements(&self) -> &[ElementClaim] {
        &self.elements
    }

    /// Whether there is any relation to be checked beyond those that every answer must satisfy.
    #[inline]
    pub fn is_inclusion(&self) -> bool {
        self.occur.relation || self.tangential.is_some()
    }

    /// Whether some element claims both phases of Poisson's law.
    #[inline]
    pub fn has_two_phases(&self) -> bool {
        self.occur.two_phases
    }

    /// Whether some relation is one in the kinetic metric.
    #[inline]
    pub fn uses_metric(&self) -> bool {
        self.occur.metric || self.tangential.is_some()
    }
}
