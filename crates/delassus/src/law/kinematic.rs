//! The law `kinematic`.

use super::{ImpactLaw, Refusal};
use crate::outcome::{LawAnswer, Options};
use crate::problem::ImpactProblem;
use crate::workspace::Workspace;

/// The law `kinematic`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kinematic {}

impl ImpactLaw for Kinematic {
    fn name(&self) -> &'static str {
        "kinematic"
    }

    fn check(&self, _problem: &ImpactProblem) -> Result<(), Refusal> {
        Err(Refusal::NotApplicable("this law is not there yet".into()))
    }

    fn impulses(&self, _problem: &ImpactProblem, _options: &Options, _work: &mut Workspace, _answer: &mut LawAnswer) {}
}
