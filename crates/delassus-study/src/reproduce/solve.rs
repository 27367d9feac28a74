//! One impact of a study.

use delassus::law::{Newton, Poisson, Sequential};
use delassus::{ImpactOutcome, ImpactProblem, LawSpec, ProblemData, Status, resolve};

use super::StudyError;

/// The outcome of a law that must have an answer.
pub(crate) fn solve(data: ProblemData, law: &LawSpec) -> Result<ImpactOutcome, StudyError> {
    let outcome = resolve(&ImpactProblem::new(data)?, law)?;
    if outcome.status() == Status::Solved {
        Ok(outcome)
    } else {
        let reason = outcome.reason.unwrap_or_else(|| outcome.answer.status.as_str().into());
        Err(StudyError::new(format!("{}: {reason}", law.name())))
    }
}

pub(crate) fn newton() -> LawSpec {
    LawSpec::Newton(Newton::default())
}

pub(crate) fn poisson() -> LawSpec {
    LawSpec::Poisson(Poisson::default())
}

pub(crate) fn sequential() -> LawSpec {
    LawSpec::Sequential(Sequential::default())
}

/// The impulses of compression and of decompression under Poisson's law.
pub(crate) fn phases(outcome: &ImpactOutcome) -> (Vec<f64>, Vec<f64>) {
    let compression = outcome.answer.compression.clone();
    let total = outcome.impulses().iter();
    let decompression = total.zip(&compression).map(|(total, first)| total - first).collect();
    (compression, decompression)
}
