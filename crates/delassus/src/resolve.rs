//! From problem and law to outcome.

use crate::answer::{Options, Status};
use crate::certify::judge;
use crate::error::ImpactError;
use crate::law::{ImpactLaw, Refusal};
use crate::outcome::ImpactOutcome;
use crate::problem::ImpactProblem;
use crate::workspace::Workspace;

/// Resolves one impact: the easy door, which allocates.
///
/// `law` is a [`LawSpec`](crate::LawSpec), one of the laws in [`law`](crate::law), or any other
/// that implements [`ImpactLaw`], also as `&dyn ImpactLaw`.
///
/// # Errors
/// A coefficient outside the range in which the law is defined.
pub fn resolve(problem: &ImpactProblem, law: &(impl ImpactLaw + ?Sized)) -> Result<ImpactOutcome, ImpactError> {
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
    law: &(impl ImpactLaw + ?Sized),
    options: &Options,
    work: &mut Workspace,
    outcome: &mut ImpactOutcome,
) -> Result<(), ImpactError> {
    begin(problem, work, outcome);
    let checked = law.check(problem);
    if checked.is_ok() {
        law.claim(problem, &mut work.claim);
        law.impulses(problem, options, &mut work.laws, &mut outcome.answer);
    }
    finish(checked, problem, options, work, outcome)
}

// What does not depend on the law is compiled here, for speed, and not in the crate that calls `resolve_into`.

fn begin(problem: &ImpactProblem, work: &mut Workspace, outcome: &mut ImpactOutcome) {
    outcome.answer.reset(problem.rows());
    outcome.reason = None;
    work.claim.clear();
}

fn finish(
    checked: Result<(), Refusal>,
    problem: &ImpactProblem,
    options: &Options,
    work: &mut Workspace,
    outcome: &mut ImpactOutcome,
) -> Result<(), ImpactError> {
    match checked {
        Ok(()) => outcome.reason = outcome.answer.reason.take(),
        Err(Refusal::BadInput(error)) => return Err(error),
        Err(Refusal::NotApplicable(reason)) => {
            outcome.answer.status = Status::NotApplicable;
            outcome.reason = Some(reason);
        }
    }
    work.claim.pad(problem);
    judge(problem, &work.claim, options, &mut work.checks, outcome);
    Ok(())
}
