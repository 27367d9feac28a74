//! What a user writes down: plain data, checked when it becomes an
//! [`ImpactProblem`](crate::ImpactProblem).

use crate::mass::Mass;

/// An impact problem as plain data, with the names of problem files.
#[derive(Debug, Clone, PartialEq)]
pub struct ProblemData {
    /// Name of the problem; may be empty.
    pub name: String,
    /// Mass matrix M (n × n).
    pub mass: Mass,
    /// Generalized velocity before the impact u⁻ (n).
    pub velocity: Vec<f64>,
    /// External impulse F (n); empty for none.
    pub impulse: Vec<f64>,
    /// Contacts, each a normal and perhaps friction.
    pub contacts: Vec<ContactData>,
    /// Clutches (kinematic unilateral constraints).
    pub clutches: Vec<ClutchData>,
    /// Joints (bilateral constraints).
    pub joints: Vec<JointData>,
}

impl ProblemData {
    /// A problem without elements, to be filled.
    pub fn new(mass: Mass, velocity: impl Into<Vec<f64>>) -> Self {
        Self {
            name: String::new(),
            mass,
            velocity: velocity.into(),
            impulse: Vec::new(),
            contacts: Vec::new(),
            clutches: Vec::new(),
            joints: Vec::new(),
        }
    }

    /// Adds a contact.
    #[must_use]
    pub fn with_contact(mut self, contact: ContactData) -> Self {
        self.contacts.push(contact);
        self
    }

    /// Adds a clutch.
    #[must_use]
    pub fn with_clutch(mut self, clutch: ClutchData) -> Self {
        self.clutches.push(clutch);
        self
    }

    /// Adds a joint.
    #[must_use]
    pub fn with_joint(mut self, joint: JointData) -> Self {
        self.joints.push(joint);
        self
    }

    /// Sets the external impulse F (n).
    #[must_use]
    pub fn with_impulse(mut self, impulse: impl Into<Vec<f64>>) -> Self {
        self.impulse = impulse.into();
        self
    }
}

/// A direction w: the relative velocity of a scalar element is γ = wᵀu + χ.
#[derive(Debug, Clone, PartialEq)]
pub enum Direction {
    /// One entry per generalized velocity.
    Dense(Vec<f64>),
    /// `(index, value)` of the entries that are not zero.
    Sparse(Vec<(usize, f64)>),
}

impl From<Vec<f64>> for Direction {
    fn from(values: Vec<f64>) -> Self {
        Self::Dense(values)
    }
}

impl<const N: usize> From<[f64; N]> for Direction {
    fn from(values: [f64; N]) -> Self {
        Self::Dense(values.to_vec())
    }
}

/// Coulomb friction of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Friction {
    /// The same coefficient μ in every tangential direction.
    Isotropic(f64),
    /// Coefficients (μ₁, μ₂) along the two tangents: an ellipse.
    Orthotropic([f64; 2]),
}

impl Friction {
    /// Larger coefficients are taken as this one: a contact that sticks whenever
    /// it can. The normal impulse of a contact that slips nevertheless
    /// is then below what the checks can tell from zero.
    pub const UNLIMITED: f64 = 1e10;

    /// The same with coefficients of at most [`Friction::UNLIMITED`].
    pub(crate) fn limited(self) -> Self {
        let limit = |mu: f64| if mu > Self::UNLIMITED { Self::UNLIMITED } else { mu };
        match self {
            Self::Isotropic(mu) => Self::Isotropic(limit(mu)),
            Self::Orthotropic(mu) => Self::Orthotropic(mu.map(limit)),
        }
    }

    /// The coefficients along the first and the second tangent.
    pub fn coefficients(self) -> [f64; 2] {
        match self {
            Self::Isotropic(mu) => [mu, mu],
            Self::Orthotropic(mu) => mu,
        }
    }

    /// Whether no tangential impulse is possible.
    pub fn is_zero(self) -> bool {
        self.coefficients() == [0.0, 0.0]
    }
}

impl From<f64> for Friction {
    fn from(mu: f64) -> Self {
        Self::Isotropic(mu)
    }
}

/// A contact: unilateral in its normal direction, with friction along its tangents.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactData {
    /// Name, unique in the problem.
    pub name: String,
    /// Normal direction; γ_N < 0 approaches.
    pub normal: Direction,
    /// No tangent (frictionless), one (planar) or two (spatial, orthonormal in space).
    pub tangents: Vec<Direction>,
    /// Kinetic friction; needed by every law but `kinematic` where there is a tangent.
    /// Coefficients above [`Friction::UNLIMITED`] are taken as that.
    pub friction: Option<Friction>,
    /// Static friction, at least the kinetic one; absent: the same.
    pub friction_static: Option<Friction>,
    /// Restitution ε_N ≥ 0; above 1 the contact creates energy and is reported as active.
    pub restitution: f64,
    /// Tangential restitution ε_T in [0, 1].
    pub restitution_tangential: f64,
    /// Stiffness k > 0, for laws that know it; only ratios matter.
    pub stiffness: f64,
    /// Velocity χ of a moving support in (normal, tangents); empty for none.
    pub offset: Vec<f64>,
}

impl ContactData {
    /// A frictionless contact with ε = 0.
    pub fn new(name: impl Into<String>, normal: impl Into<Direction>) -> Self {
        Self {
            name: name.into(),
            normal: normal.into(),
            tangents: Vec::new(),
            friction: None,
            friction_static: None,
            restitution: 0.0,
            restitution_tangential: 0.0,
            stiffness: 1.0,
            offset: Vec::new(),
        }
    }

    /// Adds a tangent.
    #[must_use]
    pub fn tangent(mut self, tangent: impl Into<Direction>) -> Self {
        self.tangents.push(tangent.into());
        self
    }

    /// Sets the friction coefficient.
    #[must_use]
    pub fn friction(mut self, friction: impl Into<Friction>) -> Self {
        self.friction = Some(friction.into());
        self
    }

    /// Sets the static friction coefficient.
    #[must_use]
    pub fn friction_static(mut self, friction: impl Into<Friction>) -> Self {
        self.friction_static = Some(friction.into());
        self
    }

    /// Sets the restitution coefficient.
    #[must_use]
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.restitution = restitution;
        self
    }

    /// Sets the tangential restitution coefficient.
    #[must_use]
    pub fn restitution_tangential(mut self, restitution: f64) -> Self {
        self.restitution_tangential = restitution;
        self
    }

    /// Sets the stiffness.
    #[must_use]
    pub fn stiffness(mut self, stiffness: f64) -> Self {
        self.stiffness = stiffness;
        self
    }
}

/// A clutch: γ ≥ 0 is free, γ < 0 is blocked (sprag clutch).
#[derive(Debug, Clone, PartialEq)]
pub struct ClutchData {
    /// Name, unique in the problem.
    pub name: String,
    /// Direction; γ < 0 is blocked.
    pub direction: Direction,
    /// Restitution: in (−1, 0] for Newton's law, at least 0 for Poisson's.
    pub restitution: f64,
    /// Velocity offset χ.
    pub offset: f64,
}

/// A joint: γ = 0 in each of its directions.
#[derive(Debug, Clone, PartialEq)]
pub struct JointData {
    /// Name, unique in the problem.
    pub name: String,
    /// One direction or several.
    pub directions: Vec<Direction>,
    /// Restitution of the joint; matters only if γ⁻ ≠ 0.
    pub restitution: f64,
    /// Velocity offset χ per direction; empty for none.
    pub offset: Vec<f64>,
}

impl ClutchData {
    /// A clutch with restitution 0 on a support at rest.
    pub fn new(name: impl Into<String>, direction: impl Into<Direction>) -> Self {
        Self { name: name.into(), direction: direction.into(), restitution: 0.0, offset: 0.0 }
    }
}

impl JointData {
    /// A joint with restitution 0 on a support at rest.
    pub fn new<D: Into<Direction>>(name: impl Into<String>, directions: impl IntoIterator<Item = D>) -> Self {
        let directions = directions.into_iter().map(Into::into).collect();
        Self { name: name.into(), directions, restitution: 0.0, offset: Vec::new() }
    }
}
