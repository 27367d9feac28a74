//! The law of Darboux and Keller for several contacts (Liu, Zhao, Brogliato).
//!
//! TODO header

mod advance;
mod basis;
mod events;
mod grip;
mod impact;
mod local;
mod path;
mod project;
mod scaled;
mod start;
mod state;
mod step;
mod tableau;

pub(crate) use impact::Buffers;
pub use path::{ContactEnergy, ImpactPath, NormalState, PathState, TangentialState};

use super::{ImpactLaw, Refusal};
use crate::error::ImpactError;
use crate::outcome::{LawAnswer, Options};
use crate::problem::{ElementKind, ImpactProblem};
use crate::workspace::Workspace;

/// The law `lzb`; see the module's documentation.
#[derive(Debug, Clone, PartialEq)]
pub struct Lzb {
    /// Exponent η > 0 of the force law; 1 is linear, 3/2 (the default) is Hertz's.
    pub exponent: f64,
    /// Remember the gap of a contact that opens during the impact; default no.
    pub keep_gaps: bool,
    /// Local error per step relative to the largest velocity, in (0, 0.01].
    /// The default gives velocities to better than 1e-9 of the largest one.
    pub tolerance: f64,
    /// Most steps; absent: a number that grows with the contacts.
    pub max_steps: Option<usize>,
}

impl Default for Lzb {
    fn default() -> Self {
        Self { exponent: 1.5, keep_gaps: false, tolerance: 3e-11, max_steps: None }
    }
}

/// γ of joints and clutches may be this share of the largest velocity.
const CONSISTENT: f64 = 1e-9;

impl Lzb {
    /// Checks the law's own data.
    fn check_data(&self) -> Result<(), ImpactError> {
        if !(self.exponent.is_finite() && self.exponent > 0.0) {
            return Err(ImpactError::new("law.exponent", self.exponent, "must be positive and finite"));
        }
        if !(self.tolerance > 0.0 && self.tolerance <= 0.01) {
            return Err(ImpactError::new("law.tolerance", self.tolerance, "must lie in (0, 0.01]"));
        }
        Ok(())
    }
}

impl ImpactLaw for Lzb {
    fn name(&self) -> &'static str {
        "lzb"
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        self.check_data().map_err(Refusal::BadInput)?;
        for (i, contact) in problem.contacts().iter().enumerate() {
            if contact.restitution > 1.0 {
                let field = format!("contact[{i}].restitution");
                let problem = "the energetic coefficient of lzb must lie in [0, 1]";
                return Err(Refusal::BadInput(ImpactError::new(field, contact.restitution, problem)));
            }
            if !contact.tangents.is_empty() && contact.friction.is_none() {
                return Err(Refusal::NotApplicable(format!(
                    "contact {} has a tangent but no friction coefficient",
                    contact.name
                )));
            }
        }
        check_constraints(problem)
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Workspace, answer: &mut LawAnswer) {
        let mut impact = impact::Impact::new(self, problem, &mut work.lzb, options.path);
        let ended = impact.run();
        impact.write(ended, answer);
    }
}

/// Joints must hold and clutches must not be closing before the impact.
fn check_constraints(problem: &ImpactProblem) -> Result<(), Refusal> {
    let constrained = |kind| matches!(kind, ElementKind::Clutch | ElementKind::Joint);
    if !problem.elements().iter().any(|e| constrained(e.kind)) {
        return Ok(());
    }
    let scaled = |row: usize| problem.gamma_minus()[row] / problem.operator().get(row, row).sqrt();
    let largest = (0..problem.rows()).map(|row| scaled(row).abs()).fold(0.0, f64::max);
    for element in problem.elements().iter().filter(|e| constrained(e.kind)) {
        for row in element.rows.clone() {
            let offends = match element.kind {
                ElementKind::Joint => scaled(row).abs() > CONSISTENT * largest,
                _ => scaled(row) < -CONSISTENT * largest,
            };
            if offends {
                let what = match element.kind {
                    ElementKind::Joint => "a joint must hold before the impact (γ = 0)",
                    _ => "a clutch must not be closing before the impact (γ ≥ 0)",
                };
                let field = format!("{}.gamma_minus", element.name);
                let error = ImpactError::new(field, problem.gamma_minus()[row], format!("{what} under lzb"));
                return Err(Refusal::BadInput(error));
            }
        }
    }
    Ok(())
}
