//! The law `lzb`.

use super::{ImpactLaw, Refusal};
use crate::outcome::{LawAnswer, Options};
use crate::problem::ImpactProblem;
use crate::workspace::Workspace;

/// The law `lzb`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lzb {}

impl ImpactLaw for Lzb {
    fn name(&self) -> &'static str {
        "lzb"
    }

    fn check(&self, _problem: &ImpactProblem) -> Result<(), Refusal> {
        Err(Refusal::NotApplicable("this law is not there yet".into()))
    }

    fn impulses(&self, _problem: &ImpactProblem, _options: &Options, _work: &mut Workspace, _answer: &mut LawAnswer) {}
}
