//! From problem and law to outcome.

use crate::certify::judge;
use crate::error::ImpactError;
use crate::law::{LawSpec, Refusal};
use crate::outcome::{ImpactOutcome, Options, Status};
use crate::problem::ImpactProblem;
use crate::workspace::Workspace;

/// Resolves one impact: the easy door, which allocates.
///
/// # Errors
/// A coefficient outside the range in which the law is defined.
pub fn resolve(problem: &ImpactProblem, law: &LawSpec) -> Result<ImpactOutcome, ImpactError> {
    let mut outcome = ImpactOutcome::default();
    resolve_into(problem, law, &Options::default(), &mut Workspace::default(), &mut outcome)?;
    Ok(outcome)
}

/// Resolves one impact into reused buffers: the batch door.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_into(
    problem: &ImpactProblem,
    law: &LawSpec,
    options: &Options,
    work: &mut Workspace,
    outcome: &mut ImpactOutcome,
) -> Result<(), ImpactError> {
    outcome.answer.reset(problem.rows());
    outcome.reason = None;
    match law.law().check(problem) {
        Ok(()) => {
            law.law().impulses(problem, options, work, &mut outcome.answer);
            outcome.reason = outcome.answer.reason.take();
        }
        Err(Refusal::BadInput(error)) => return Err(error),
        Err(Refusal::NotApplicable(reason)) => {
            outcome.answer.status = Status::NotApplicable;
            outcome.reason = Some(reason);
        }
    }
    judge(problem, law, options, work, outcome);
    Ok(())
}
