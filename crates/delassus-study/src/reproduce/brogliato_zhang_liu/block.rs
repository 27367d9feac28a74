//! The planar block at a double impact: it stands on corner A and strikes with corner B.

use delassus::law::{Form, Kinematic, NumberOrMatrix};
use delassus::{ContactData, ImpactOutcome, LawSpec, Mass, ProblemData};

use crate::reproduce::StudyError;
use crate::reproduce::solve::solve;

/// Rounding of the three conditions.
const ROUNDING: f64 = 1e-12;

/// A block with L = m = 1 and l = a, θ̇⁻ = −1, ẏ⁻ = −½.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// a = l/L.
    pub aspect: f64,
    /// ẋ⁻.
    pub slide: f64,
    /// Coulomb friction; `None` for a law without it.
    pub friction: Option<f64>,
    /// Moment of inertia over that of the homogeneous block.
    pub fullness: f64,
}

impl Block {
    /// A block whose corner A sticks before the impact: ẋ⁻ = −(l/2)θ̇⁻.
    pub(super) fn new(aspect: f64) -> Block {
        Block { aspect, slide: 0.5 * aspect, friction: None, fullness: 1.0 }
    }

    /// I_G, m(l² + L²)/12 of the homogeneous block.
    pub(super) fn inertia(self) -> f64 {
        self.fullness * ((self.aspect * self.aspect + 1.0) / 12.0)
    }

    /// Contacts B and A, in the paper's order 1, 2.
    pub(super) fn data(self) -> Result<ProblemData, StudyError> {
        let corner = |name: &str, arm: f64| {
            let contact = ContactData::new(name, [0.0, 1.0, arm]).tangent([1.0, 0.0, 0.5 * self.aspect]);
            match self.friction {
                Some(mu) => contact.friction(mu),
                None => contact,
            }
        };
        let mass = Mass::diagonal(vec![1.0, 1.0, self.inertia()])?;
        let data = ProblemData::new(mass, [self.slide, -0.5, -1.0]);
        Ok(data.with_contact(corner("B", 0.5)).with_contact(corner("A", -0.5)))
    }

    /// q̇_norm⁺ = −E_n q̇_norm⁻ with first column (e₁, e₂₁); only that column matters. `tangential`
    /// is E_tan; `None` leaves the tangential side to friction, or continuous without it.
    pub(super) fn strike(self, first: [f64; 2], tangential: Option<f64>) -> Result<Impact, StudyError> {
        let law = Kinematic {
            restitution_matrix: Some(vec![vec![first[0], 0.0], vec![first[1], 0.0]]),
            tangential_matrix: tangential.map(NumberOrMatrix::Uniform),
            ..Kinematic::default()
        };
        Ok(Impact(solve(self.data()?, &LawSpec::Kinematic(law))?))
    }

    /// One of the forms with its coefficient.
    pub(super) fn form(self, form: Form, restitution: Option<f64>) -> Result<Impact, StudyError> {
        let law = Kinematic { form: Some(form), restitution, ..Kinematic::default() };
        Ok(Impact(solve(self.data()?, &LawSpec::Kinematic(law))?))
    }
}

/// The outcome; rows are normal and tangent of B, then of A.
pub(super) struct Impact(ImpactOutcome);

impl Impact {
    /// p_n1 at B and p_n2 at A.
    pub(super) fn normal(&self) -> [f64; 2] {
        [self.0.impulses()[0], self.0.impulses()[2]]
    }

    /// p_t1 + p_t2.
    pub(super) fn tangential(&self) -> f64 {
        self.0.impulses()[1] + self.0.impulses()[3]
    }

    /// θ̇⁺/θ̇⁻.
    pub(super) fn ratio(&self) -> f64 {
        -self.0.u_plus[2]
    }

    /// u⁺ = (ẋ, ẏ, θ̇).
    pub(super) fn velocity(&self) -> &[f64] {
        &self.0.u_plus
    }

    /// T⁺ − T⁻.
    pub(super) fn energy_change(&self) -> f64 {
        self.0.energy.change()
    }

    /// No corner pulls or penetrates, and the energy does not grow.
    pub(super) fn admissible(&self) -> bool {
        let gamma = &self.0.gamma_plus;
        let least = self.normal().into_iter().chain([gamma[0], gamma[2]]).fold(f64::MAX, f64::min);
        least >= -ROUNDING && self.energy_change() <= ROUNDING
    }
}
