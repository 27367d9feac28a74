//! An impact shown: velocities before and after, impulses in their cones, one colour a law.

mod figure;
mod page;

use delassus::{ImpactOutcome, ImpactProblem, LawSpec, Status};
use delassus_study::colors::law_number;

pub use figure::figure;
pub(crate) use page::LEDE;
pub use page::part;

/// One problem and what the laws answer.
#[derive(Debug, Clone, Copy)]
pub struct Impact<'a> {
    /// Heading.
    pub title: &'a str,
    /// The problem.
    pub problem: &'a ImpactProblem,
    /// The laws.
    pub laws: &'a [LawSpec],
    /// Their answers, in the same order.
    pub outcomes: &'a [ImpactOutcome],
}

impl<'a> Impact<'a> {
    /// The laws that apply, with the number of their colour.
    fn applying(&self) -> impl Iterator<Item = (usize, &'a LawSpec, &'a ImpactOutcome)> {
        let all = self.laws.iter().zip(self.outcomes).filter(|(_, o)| o.status() != Status::NotApplicable);
        all.map(|(law, outcome)| (law_number(law.name()), law, outcome))
    }

    /// The laws that gave an answer.
    fn answered(&self) -> impl Iterator<Item = (usize, &'a LawSpec, &'a ImpactOutcome)> {
        self.applying().filter(|(_, _, outcome)| outcome.status().has_answer())
    }
}
