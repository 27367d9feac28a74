//! The law `stronge`.

use super::{ImpactLaw, Refusal};
use crate::outcome::{LawAnswer, Options};
use crate::problem::ImpactProblem;
use crate::workspace::Workspace;

/// The law `stronge`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stronge {}

impl ImpactLaw for Stronge {
    fn name(&self) -> &'static str {
        "stronge"
    }

    fn check(&self, _problem: &ImpactProblem) -> Result<(), Refusal> {
        Err(Refusal::NotApplicable("this law is not there yet".into()))
    }

    fn impulses(&self, _problem: &ImpactProblem, _options: &Options, _work: &mut Workspace, _answer: &mut LawAnswer) {}
}
