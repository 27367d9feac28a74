//! Simulation under impact laws: event-driven, or by time-stepping.
//!
//! # Events
//!
//! Between events the contact mode is fixed and the motion smooth; steps of
//! the method of Dormand and Prince end exactly at events (a gap closes, a
//! contact force vanishes, sliding stops, the static limit is reached, a
//! clutch engages). At an impact every contact whose gap is within the contact
//! tolerance takes part, and the law resolves the [`ImpactProblem`](crate::ImpactProblem)
//! that the system has there.
//!
//! # Time-stepping
//!
//! Steps of equal size after Moreau and Jean: each is one contact problem with the forces of the step as
//! external impulse, under Newton's law. First order in the step, for any number of bodies, in the plane and in
//! space.
//!
//! # Both
//!
//! [`Scheme::Auto`]: by events, and from where they come to no end by time-stepping.
//!
//! Everything unusual is in the log of the [`Trajectory`].
//!
//! # Parts of a run by events
//!
//! Each owns its numbers and is tested by itself: the moving system (state, units, equations of the contact mode at hand),
//! the steps (the integrator and a step that waits to be accepted), the events (which conditions a step violates, and
//! when), the modes (which contacts stick, slide or part), the collisions (problem, law, what stays closed) and the
//! record. The main loop passes the moving system from one to the next. Thresholds of all of them stand in one file with
//! their reasons.

mod auto;
#[cfg(test)]
mod ball;
mod collisions;
mod cones;
mod creep;
mod dynamics;
mod events;
mod keep;
mod mode;
mod modes;
mod motion;
mod peaks;
mod problem;
mod project;
mod quantity;
mod record;
mod rows;
mod run;
mod select;
mod settings;
mod stepping;
mod steps;
mod thresholds;
mod trajectory;
mod units;

pub use keep::{Keeper, Snapshot, simulate_kept};
pub use mode::ContactMode;
pub use peaks::{ContactPeaks, Peak, Peaks};
pub use quantity::Quantity;
pub use settings::{Records, Scheme, Settings, Until};
pub use trajectory::{
    End, Energies, Event, EventKind, Remark, RunStats, Sample, SimulatedImpact, StepReport, Trajectory,
};

use crate::error::ImpactError;
use crate::law::LawSpec;
use crate::model::System;

/// More samples than this are a mistake.
const MOST_SAMPLES: f64 = 1e7;

/// How far a simulation is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Time reached \[s\].
    pub time: f64,
    /// Time asked for \[s\].
    pub end: f64,
    /// Impacts so far.
    pub impacts: usize,
}

/// What the observer of a simulation wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop here and keep what was computed.
    Stop,
}

/// Simulates `system` from (q, u) at time 0. The observer is called after every step.
///
/// # Errors
/// Settings out of range, states of wrong size or not finite, forces that are not finite there, bodies that
/// overlap or joints that are open at the start, a law that is not defined for
/// the system's coefficients.
pub fn simulate(
    system: &dyn System,
    q: &[f64],
    u: &[f64],
    law: &LawSpec,
    settings: &Settings,
    until: &Until,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    simulate_kept(system, q, u, law, settings, until, None, &mut keep::Nothing, observer)
}

/// Checks settings and end; the time of a run without a time of its own is bounded by its samples.
fn prepared(settings: &Settings, until: &Until) -> Result<Until, ImpactError> {
    settings.check()?;
    until.check()?;
    let mut until = until.clone();
    if let Some(interval) = settings.sample_interval.filter(|interval| until.time / interval > MOST_SAMPLES) {
        if !until.bound {
            let problem = format!("gives more than {MOST_SAMPLES:e} samples");
            return Err(ImpactError::new("output.interval", interval, problem));
        }
        until.time = MOST_SAMPLES * interval;
    }
    Ok(until)
}

#[allow(clippy::too_many_arguments)]
fn by_events(
    system: &dyn System,
    q: &[f64],
    u: &[f64],
    law: &LawSpec,
    settings: &Settings,
    until: &Until,
    from: keep::From,
    keeper: &mut dyn Keeper,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    let listed = system.with_contacts(settings.contact_tolerance).transpose()?;
    let system = listed.as_deref().unwrap_or(system);
    let mut runner = run::Runner::new(system, q, u, law, settings, until)?;
    check_range(system, q, u)?;
    if let Some((snapshot, so_far)) = from {
        runner.restore(&snapshot, so_far)?;
    }
    runner.run(keeper, observer)
}

/// Forces that are not finite at the start, as those of an expression `1/t` are: no step can begin there, and one that
/// looks elsewhere would pass over an impulse without bound. Positions of a wrong size are told elsewhere.
fn check_forces(system: &dyn System, q: &[f64], u: &[f64]) -> Result<(), ImpactError> {
    let sound =
        q.len() == system.positions() && u.len() == system.velocities() && q.iter().chain(u).all(|v| v.is_finite());
    let mut force = vec![0.0; system.velocities()];
    if sound && {
        let power = system.forces(0.0, q, u, &mut force);
        force.iter().chain([&power.applied, &power.damping, &power.supports]).any(|f| !f.is_finite())
    } {
        let problem = "is not finite at t = 0; an expression may divide by zero there";
        return Err(ImpactError::not_finite("force", "", problem));
    }
    Ok(())
}

/// Finite positions and velocities whose energies are not.
fn check_range(system: &dyn System, q: &[f64], u: &[f64]) -> Result<(), ImpactError> {
    let sizes = system.mass_blocks();
    let mut blocks = vec![0.0; sizes.iter().map(|size| size * size).sum()];
    system.mass(q, &mut blocks);
    let (mut kinetic, mut block, mut u) = (0.0, &blocks[..], u);
    for n in sizes {
        kinetic += (0..n * n).map(|k| 0.5 * u[k / n] * block[k] * u[k % n]).sum::<f64>();
        (block, u) = (&block[n * n..], &u[n..]);
    }
    for (field, energy) in [("q", system.potential(0.0, q)), ("u", kinetic)] {
        if !energy.is_finite() {
            return Err(ImpactError::new(field, "", "is so large at the start that the energy is not finite"));
        }
    }
    Ok(())
}
