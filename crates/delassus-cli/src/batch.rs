//! Resolving problems under laws, in parallel, in order.

use delassus::law::Refusal;
use delassus::{Certificate, ImpactOutcome, LawSpec, Options, Status, Workspace, resolve_into};
use delassus_io::{Entry, InputError};
use rayon::prelude::*;

/// The laws for one problem.
#[derive(Debug, Clone)]
pub struct Laws {
    /// In the order asked for.
    pub laws: Vec<LawSpec>,
    /// Whether they were named; else all are tried, and data that a law
    /// cannot take only makes that law not applicable.
    pub named: bool,
}

/// Named laws with the file's data where it is of that name, else the file's
/// law, else every law.
pub fn laws_for(entry: &Entry, named: &[LawSpec]) -> Laws {
    let own = |law: &LawSpec| entry.law.iter().find(|own| own.name() == law.name()).unwrap_or(law).clone();
    match (&entry.law, named) {
        (_, [_, ..]) => Laws { laws: named.iter().map(own).collect(), named: true },
        (Some(law), []) => Laws { laws: vec![law.clone()], named: true },
        (None, []) => Laws { laws: LawSpec::all(), named: false },
    }
}

/// Whether the named laws accept the problem's data.
pub fn check_laws(laws: &Laws, entry: &Entry, file: &str) -> Result<(), InputError> {
    for law in laws.laws.iter().filter(|_| laws.named) {
        if let Err(Refusal::BadInput(error)) = law.law().check(&entry.problem) {
            return Err(InputError::new(file, error.within(&entry.path)));
        }
    }
    Ok(())
}

/// How good the worst answer is, for the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// Everything was found and is sound.
    Sound,
    /// Everything was found; some answer violates a check that its law does not guarantee.
    Unsound,
    /// Some answer was not found.
    NotFound,
}

/// The quality of one outcome.
pub fn quality(outcome: &ImpactOutcome) -> Quality {
    let c = &outcome.certificate;
    match outcome.status() {
        Status::NotApplicable => Quality::Sound,
        Status::Solved if [c.kinematic, c.kinetic, c.energetic].iter().all(|r| *r <= Certificate::TOLERANCE) => {
            Quality::Sound
        }
        Status::Solved => Quality::Unsound,
        _ => Quality::NotFound,
    }
}

/// Resolves every problem under its laws and renders the outcomes. The
/// results are in the order of the problems, and the same for any number of
/// threads: a worker's buffers carry nothing from one problem to the next.
pub fn resolve_all<R: Send>(
    problems: &[(usize, Entry)],
    laws: &(dyn Fn(&Entry) -> Laws + Sync),
    options: &Options,
    render: impl Fn(&Entry, &[LawSpec], &[ImpactOutcome]) -> R + Sync,
) -> Vec<(R, Quality)> {
    problems
        .par_iter()
        .map_init(
            || (Workspace::default(), Vec::new()),
            |(work, outcomes), (_, entry)| {
                let Laws { laws, .. } = laws(entry);
                outcomes.resize_with(laws.len().max(outcomes.len()), ImpactOutcome::default);
                for (law, outcome) in laws.iter().zip(outcomes.iter_mut()) {
                    if let Err(error) = resolve_into(&entry.problem, law, options, work, outcome) {
                        outcome.answer.status = Status::NotApplicable;
                        outcome.reason = Some(error.to_string());
                    }
                }
                let outcomes = &outcomes[..laws.len()];
                let worst = outcomes.iter().map(quality).max().unwrap_or(Quality::Sound);
                (render(entry, &laws, outcomes), worst)
            },
        )
        .collect()
}
