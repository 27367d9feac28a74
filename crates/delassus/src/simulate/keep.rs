//! Snapshots of runs by time-stepping: a run that was cut off goes on from the last one as if nothing had happened.

use super::trajectory::Trajectory;
use super::{Control, Progress, Settings, Until, prepared, stepping};
use crate::error::ImpactError;
use crate::law::LawSpec;
use crate::model::System;
use crate::simulate::Scheme;

/// The state of a run between two steps, beside what its [`Trajectory`] holds; what its entries mean is its own matter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// Numbers.
    pub numbers: Vec<f64>,
    /// Whole numbers.
    pub words: Vec<u64>,
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

/// As [`simulate`](super::simulate), with snapshots; goes on from one of them where it is given. However often a run is cut
/// off and goes on, it gives the same bits. A run that the observer stops is kept before it ends.
///
/// # Errors
/// As `simulate`; a scheme other than time-stepping, or a snapshot of another system.
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
    if settings.scheme != Scheme::TimeStepping {
        let problem = "snapshots are of runs by \"time-stepping\"; others are computed again from the start";
        return Err(ImpactError::new("integrator.scheme", settings.scheme, problem));
    }
    stepping::run(system, q, u, law, settings, &until, stepping::Start { time: 0.0, from }, keeper, observer)
}
