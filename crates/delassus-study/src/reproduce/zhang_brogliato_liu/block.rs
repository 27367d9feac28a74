//! The double impact of the planar block under the law of Darboux and Keller.

use delassus::law::Lzb;
use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Status, Workspace, resolve_into,
};

use crate::reproduce::{Findings, StudyError};

/// A block with L = m = 1 and l = a at θ = 0 that turns about A with θ̇⁻ = −1.
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
    /// η, the exponent of the contacts' force law.
    pub exponent: f64,
    /// k_A/k_B.
    pub stiffness_ratio: f64,
}

impl Block {
    /// A block whose corner A rests before the impact, e = 1, η = 3/2, k_A = k_B.
    pub(super) fn new(aspect: f64, friction: [f64; 2]) -> Block {
        Block { aspect, friction, restitution: 1.0, slip: 0.0, exponent: 1.5, stiffness_ratio: 1.0 }
    }

    /// Contacts A, then B.
    pub(super) fn data(self) -> Result<ProblemData, StudyError> {
        let a = self.aspect;
        let mass = Mass::diagonal(vec![1.0, 1.0, (1.0 + a * a) / 12.0])?;
        let mut data = ProblemData::new(mass, [0.5 * a + self.slip, -0.5, -1.0]);
        for (name, x, stiffness) in [("A", -0.5, self.stiffness_ratio), ("B", 0.5, 1.0)] {
            let contact = ContactData::new(name, [0.0, 1.0, x]).tangent([1.0, 0.0, 0.5 * a]);
            let contact = contact.friction(self.friction[0]).friction_static(self.friction[1]);
            data = data.with_contact(contact.restitution(self.restitution).stiffness(stiffness));
        }
        Ok(data)
    }

    /// The outcome; rows are normal and tangent of A, then of B.
    pub(super) fn impact(self, path: bool) -> Result<ImpactOutcome, StudyError> {
        let problem = ImpactProblem::new(self.data()?)?;
        let options = Options { path, ..Options::default() };
        let mut outcome = ImpactOutcome::default();
        let law = LawSpec::Lzb(Lzb { exponent: self.exponent, ..Lzb::default() });
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

/// Kinetic and static friction, as the paper has them or as the reader changes them; the static one is at least the
/// kinetic one.
pub(super) fn asked_friction(found: &mut Findings, paper: [f64; 2]) -> Result<[f64; 2], StudyError> {
    let kinetic = found.parameter("friction", "friction μ", paper[0], [0.0, 1.5])?;
    let held = paper[1].max(kinetic);
    Ok([kinetic, found.parameter("friction_static", "static friction μ_s", held, [kinetic, 2.0])?])
}

/// cos θ₁₂ of a block, (9): cos(π − arccos((a² − 2)/(a² + 4))).
pub(super) fn cos_kinetic_angle(aspect: f64) -> f64 {
    -(aspect * aspect - 2.0) / (aspect * aspect + 4.0)
}
