//! The double impact of the planar block under the law of Darboux and Keller.

use delassus::law::Lzb;
use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Status, Workspace, resolve_into,
};

use crate::reproduce::StudyError;

/// A block with L = m = 1 and l = a at θ = 0 that turns about A with θ̇⁻ = −1; η = 3/2, k_A = k_B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    /// a = l/L.
    pub aspect: f64,
    /// Kinetic and static friction.
    pub friction: [f64; 2],
    /// Energetic restitution.
    pub restitution: f64,
    /// Velocity of A along the ground before the impact.
    pub slip: f64,
}

impl Block {
    /// A block whose corner A rests before the impact, e = 1.
    pub(super) fn new(aspect: f64, friction: [f64; 2]) -> Block {
        Block { aspect, friction, restitution: 1.0, slip: 0.0 }
    }

    /// Contacts A, then B.
    pub(super) fn data(self) -> Result<ProblemData, StudyError> {
        let a = self.aspect;
        let mass = Mass::diagonal(vec![1.0, 1.0, (1.0 + a * a) / 12.0])?;
        let mut data = ProblemData::new(mass, [0.5 * a + self.slip, -0.5, -1.0]);
        for (name, x) in [("A", -0.5), ("B", 0.5)] {
            let contact = ContactData::new(name, [0.0, 1.0, x]).tangent([1.0, 0.0, 0.5 * a]);
            let contact = contact.friction(self.friction[0]).friction_static(self.friction[1]);
            data = data.with_contact(contact.restitution(self.restitution));
        }
        Ok(data)
    }

    /// The outcome; rows are normal and tangent of A, then of B.
    pub(super) fn impact(self, path: bool) -> Result<ImpactOutcome, StudyError> {
        let problem = ImpactProblem::new(self.data()?)?;
        let options = Options { path, ..Options::default() };
        let mut outcome = ImpactOutcome::default();
        let law = LawSpec::Lzb(Lzb::default());
        resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut outcome)?;
        match outcome.status() {
            Status::Solved => Ok(outcome),
            _ => Err(StudyError::new(format!("lzb: {} at l/L = {}", outcome.status().as_str(), self.aspect))),
        }
    }

    /// |d| = |ẏ_A⁺/ẏ_B⁻|.
    pub(super) fn dispersion(self) -> Result<f64, StudyError> {
        let outcome = self.impact(false)?;
        Ok((outcome.gamma_plus[0] / outcome.gamma_minus[2]).abs())
    }
}

/// cos θ₁₂ of a block, (9): cos(π − arccos((a² − 2)/(a² + 4))).
pub(super) fn cos_kinetic_angle(aspect: f64) -> f64 {
    -(aspect * aspect - 2.0) / (aspect * aspect + 4.0)
}
