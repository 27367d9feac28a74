//! The law `walton`.

use super::{ImpactLaw, Refusal};
use crate::outcome::{LawAnswer, Options};
use crate::problem::ImpactProblem;
use crate::workspace::Workspace;

/// The law `walton`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Walton {}

impl ImpactLaw for Walton {
    fn name(&self) -> &'static str {
        "walton"
    }

    fn check(&self, _problem: &ImpactProblem) -> Result<(), Refusal> {
        Err(Refusal::NotApplicable("this law is not there yet".into()))
    }

    fn impulses(&self, _problem: &ImpactProblem, _options: &Options, _work: &mut Workspace, _answer: &mut LawAnswer) {}
}
