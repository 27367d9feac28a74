//! Many problems under their laws: in parallel, in order.

use delassus::law::Refusal;
use delassus::{
    ImpactError, ImpactOutcome, ImpactProblem, LawSpec, Limits, Options, SolverData, Status, Workspace, resolve_into,
};

use crate::laws::{Choice, for_impact};
use crate::parallel;
use crate::verdict::{Quality, quality};

/// A problem with what its file says beside it.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The problem.
    pub problem: &'a ImpactProblem,
    /// The law of its file.
    pub law: Option<&'a LawSpec>,
    /// The limits of its file.
    pub solver: SolverData,
}

/// How a batch is resolved.
pub struct Batch<'a> {
    /// Laws named beside the files; they go before those of the files.
    pub named: &'a [LawSpec],
    /// Options of every answer, its limits excepted.
    pub options: &'a Options,
    /// Limits given beside the files; they go before those of the files.
    pub solver: SolverData,
    /// The limits of an answer that begins now: who computes may have a clock.
    pub limits: &'a (dyn Fn(&SolverData) -> Limits + Sync),
}

/// Problems that a thread takes at once.
const CHUNK: usize = 64;
/// Chunks that are passed on at once: enough to keep all threads busy.
const BLOCK: usize = 64;

/// The first problem whose named laws do not accept its data, and why.
pub fn first_refused(tasks: &[Task<'_>], named: &[LawSpec]) -> Option<(usize, ImpactError)> {
    parallel::find_first(tasks.len(), CHUNK, |i| {
        let Choice { laws, named } = for_impact(tasks[i].law, named);
        laws.iter().filter(|_| named).find_map(|law| match law.law().check(tasks[i].problem) {
            Err(Refusal::BadInput(error)) => Some((i, error)),
            _ => None,
        })
    })
}

/// Resolves every problem under its laws. `render` appends what it makes of the outcomes of the
/// problem of an index; `write` takes these pieces, with `separator` between problems, in order and
/// the same for any number of threads: buffers carry nothing from one problem to the next.
///
/// # Errors
/// Those of `write`.
pub fn resolve_all<E>(
    tasks: &[Task<'_>],
    batch: &Batch<'_>,
    separator: &[u8],
    render: impl Fn(&mut Vec<u8>, usize, &[LawSpec], &[ImpactOutcome]) + Sync,
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<Quality, E> {
    let chunk = |first: usize, last: usize| {
        let (mut work, mut outcomes) = (Workspace::default(), Vec::new());
        let (mut out, mut worst) = (Vec::new(), Quality::Sound);
        for (task, index) in tasks[first..last].iter().zip(first..) {
            let laws = for_impact(task.law, batch.named).laws;
            outcomes.resize_with(laws.len().max(outcomes.len()), ImpactOutcome::default);
            let solver = batch.solver.or(task.solver);
            let mut limited = (!solver.is_empty()).then(|| batch.options.clone());
            for (law, outcome) in laws.iter().zip(&mut outcomes) {
                if let Some(limited) = &mut limited {
                    limited.limits = (batch.limits)(&solver);
                }
                let options = limited.as_ref().unwrap_or(batch.options);
                if let Err(error) = resolve_into(task.problem, law, options, &mut work, outcome) {
                    outcome.answer.status = Status::NotApplicable;
                    outcome.reason = Some(error.to_string());
                }
                worst = worst.max(quality(outcome));
            }
            out.extend_from_slice(separator);
            render(&mut out, index, &laws, &outcomes[..laws.len()]);
        }
        (out, worst)
    };
    let mut worst = Quality::Sound;
    let mut skip = separator.len();
    for block in (0..tasks.len()).step_by(CHUNK * BLOCK) {
        let end = tasks.len().min(block + CHUNK * BLOCK);
        let pieces = parallel::in_order((end - block).div_ceil(CHUNK), |k| {
            let first = block + k * CHUNK;
            chunk(first, end.min(first + CHUNK))
        });
        for (piece, quality) in pieces {
            // None before the very first.
            write(&piece[std::mem::take(&mut skip)..])?;
            worst = worst.max(quality);
        }
    }
    Ok(worst)
}
