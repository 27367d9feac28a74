//! The law `newton`.

use super::{ImpactLaw, Refusal};
use crate::outcome::{LawAnswer, Options};
use crate::problem::ImpactProblem;
use crate::workspace::Workspace;

/// The law `newton`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Newton {}

impl ImpactLaw for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn check(&self, _problem: &ImpactProblem) -> Result<(), Refusal> {
        Err(Refusal::NotApplicable("this law is not there yet".into()))
    }

    fn impulses(&self, _problem: &ImpactProblem, _options: &Options, _work: &mut Workspace, _answer: &mut LawAnswer) {}
}

/// The law `moreau`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Moreau {
    /// The one coefficient; absent: the common restitution of all elements.
    pub restitution: Option<f64>,
}

impl ImpactLaw for Moreau {
    fn name(&self) -> &'static str {
        "moreau"
    }

    fn check(&self, _problem: &ImpactProblem) -> Result<(), Refusal> {
        Err(Refusal::NotApplicable("this law is not there yet".into()))
    }

    fn impulses(&self, _problem: &ImpactProblem, _options: &Options, _work: &mut Workspace, _answer: &mut LawAnswer) {}
}
