//! Snapshots: a run that was cut off goes on from the last one as if nothing had happened.

use std::sync::Arc;

use super::trajectory::Trajectory;
use super::{Control, Progress, Settings, Until, auto, by_events, check_forces, prepared, stepping};
use crate::error::ImpactError;
use crate::law::LawSpec;
use crate::model::System;
use crate::simulate::Scheme;

/// The state of a run between two steps, beside what its [`Trajectory`] holds; what its entries mean is its own matter.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Numbers.
    pub numbers: Vec<f64>,
    /// Whole numbers.
    pub words: Vec<u64>,
    /// The run by events that came to no end, where time-stepping has gone on from there ([`Scheme::Auto`]).
    pub before: Option<Arc<Trajectory>>,
}

/// Takes snapshots as a run goes on.
pub trait Keeper {
    /// Whether it is time for one; asked after every step.
    fn is_due(&mut self, progress: &Progress) -> bool;
    /// Takes a snapshot with the run so far.
    fn keep(&mut self, snapshot: &Snapshot, so_far: &Trajectory);
}

/// Keeps nothing.
pub(super) struct Nothing;

impl Keeper for Nothing {
    fn is_due(&mut self, _progress: &Progress) -> bool {
        false
    }
    fn keep(&mut self, _snapshot: &Snapshot, _so_far: &Trajectory) {}
}

/// What a run goes on from: a snapshot, and the run up to it.
pub(super) type From = Option<(Snapshot, Trajectory)>;

/// Said of snapshots that do not fit.
pub(super) fn foreign() -> ImpactError {
    ImpactError::new("snapshot", "", "belongs to another system")
}

/// As [`simulate`](super::simulate), with snapshots; goes on from one of them where it is given. However often a run is cut
/// off and goes on, it gives the same bits. A run that the observer stops is kept before it ends.
///
/// # Errors
/// As `simulate`; a snapshot of another system.
#[allow(clippy::too_many_arguments)]
pub fn simulate_kept(
    system: &dyn System,
    q: &[f64],
    u: &[f64],
    law: &LawSpec,
    settings: &Settings,
    until: &Until,
    from: Option<(Snapshot, Trajectory)>,
    keeper: &mut dyn Keeper,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    let until = prepared(settings, until)?;
    check_forces(system, q, u)?;
    match settings.scheme {
        Scheme::Events => by_events(system, q, u, law, settings, &until, from, keeper, observer),
        Scheme::TimeStepping => {
            let start = stepping::Start { time: 0.0, from };
            stepping::run(system, q, u, law, settings, &until, start, keeper, observer)
        }
        Scheme::Auto => auto::run(system, q, u, law, settings, &until, from, keeper, observer),
    }
}

/// Passes the numbers of a state to a snapshot or back, in one and the same order, so that nothing is written that is not
/// read. All of it answers `None` where a snapshot holds less than is asked for, or something else.
pub(super) enum Exchange<'s> {
    /// Into a snapshot.
    Keep(&'s mut Snapshot),
    /// Out of one.
    Restore {
        /// What is left of its numbers.
        numbers: &'s [f64],
        /// What is left of its whole numbers.
        words: &'s [u64],
    },
}

impl<'s> Exchange<'s> {
    /// Out of a snapshot.
    pub fn restore(snapshot: &'s Snapshot) -> Self {
        Self::Restore { numbers: &snapshot.numbers, words: &snapshot.words }
    }

    /// Whether a snapshot was read to its end.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Restore { numbers: [], words: [] } | Self::Keep(_))
    }

    /// Numbers, as many as there are.
    pub fn numbers(&mut self, values: &mut [f64]) -> Option<()> {
        match self {
            Self::Keep(snapshot) => snapshot.numbers.extend_from_slice(values),
            Self::Restore { numbers, .. } => {
                let (taken, rest) = numbers.split_at_checked(values.len())?;
                values.copy_from_slice(taken);
                *numbers = rest;
            }
        }
        Some(())
    }

    /// One number.
    pub fn number(&mut self, value: &mut f64) -> Option<()> {
        self.numbers(std::slice::from_mut(value))
    }

    /// A whole number.
    pub fn count(&mut self, value: &mut usize) -> Option<()> {
        match self {
            Self::Keep(snapshot) => snapshot.words.push(*value as u64),
            Self::Restore { words, .. } => {
                let (word, rest) = words.split_first()?;
                *value = usize::try_from(*word).ok()?;
                *words = rest;
            }
        }
        Some(())
    }

    /// Whether something is so.
    pub fn flag(&mut self, value: &mut bool) -> Option<()> {
        let mut count = usize::from(*value);
        self.count(&mut count)?;
        *value = count != 0;
        Some(())
    }

    /// Pairs of numbers, any number of them.
    pub fn pairs(&mut self, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let mut count = pairs.len();
        self.count(&mut count)?;
        if let Self::Restore { numbers, .. } = self {
            let twice = count.checked_mul(2).filter(|twice| *twice <= numbers.len())?;
            pairs.resize(twice / 2, [0.0; 2]);
        }
        self.numbers(pairs.as_flattened_mut())
    }
}
