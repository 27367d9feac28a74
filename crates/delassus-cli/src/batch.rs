//! Resolving problems under laws, in parallel, in order.

use std::io;

use delassus::law::Refusal;
use delassus::{ImpactOutcome, LawSpec, Options, SolverData, Status, Workspace, resolve_into};
use delassus_io::{Entry, InputError};
use rayon::prelude::*;

use crate::limits;

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

/// Whether the named laws accept the data of every problem.
pub fn check_laws(problems: &[(&str, &Entry)], named: &[LawSpec]) -> Result<(), InputError> {
    let refused = problems.par_iter().with_min_len(CHUNK).find_map_first(|(file, entry)| {
        let Laws { laws, named } = laws_for(entry, named);
        laws.iter().filter(|_| named).find_map(|law| match law.law().check(&entry.problem) {
            Err(Refusal::BadInput(error)) => Some(InputError::new(file, error.within(&entry.path()))),
            _ => None,
        })
    });
    refused.map_or(Ok(()), Err)
}

/// Problems that a thread takes at once.
const CHUNK: usize = 64;
/// Chunks that are written at once: enough to keep all threads busy.
const BLOCK: usize = 64;

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
    match outcome.status() {
        Status::NotApplicable => Quality::Sound,
        Status::Solved if outcome.certificate.is_consistent() => Quality::Sound,
        Status::Solved => Quality::Unsound,
        _ => Quality::NotFound,
    }
}

/// Resolves every problem under its laws and passes the rendered outcomes to
/// `write`, with `separator` between problems, in order and the same for any
/// number of threads: buffers carry nothing from one problem to the next.
/// `limits` go before those of the files.
pub fn resolve_all(
    problems: &[(&str, &Entry)],
    named: &[LawSpec],
    (options, limits): (&Options, SolverData),
    separator: &[u8],
    render: impl Fn(&mut Vec<u8>, &Entry, &[LawSpec], &[ImpactOutcome]) + Sync,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<Quality> {
    let chunk = |entries: &[(&str, &Entry)]| {
        let (mut work, mut outcomes) = (Workspace::default(), Vec::new());
        let (mut out, mut worst) = (Vec::new(), Quality::Sound);
        for (_, entry) in entries {
            let Laws { laws, .. } = laws_for(entry, named);
            outcomes.resize_with(laws.len().max(outcomes.len()), ImpactOutcome::default);
            let solver = limits.or(entry.solver);
            let mut limited = (!solver.is_empty()).then(|| options.clone());
            for (law, outcome) in laws.iter().zip(&mut outcomes) {
                if let Some(limited) = &mut limited {
                    limited.limits = limits::from_now(&solver);
                }
                let options = limited.as_ref().unwrap_or(options);
                if let Err(error) = resolve_into(&entry.problem, law, options, &mut work, outcome) {
                    outcome.answer.status = Status::NotApplicable;
                    outcome.reason = Some(error.to_string());
                }
                worst = worst.max(quality(outcome));
            }
            out.extend_from_slice(separator);
            render(&mut out, entry, &laws, &outcomes[..laws.len()]);
        }
        (out, worst)
    };
    let mut worst = Quality::Sound;
    let mut skip = separator.len();
    for block in problems.chunks(CHUNK * BLOCK) {
        let pieces: Vec<_> = block.par_chunks(CHUNK).map(chunk).collect();
        for (piece, quality) in pieces {
            // None before the very first.
            write(&piece[std::mem::take(&mut skip)..])?;
            worst = worst.max(quality);
        }
    }
    Ok(worst)
}
