//! Time-stepping after Moreau and Jean: steps of equal size, contacts by impulses.
//!
//! ```text
//! q_mid = q + ½h T u        contacts whose gap at q_mid is closed act in the step
//! M (u⁺ − u) = h f + W Λ    0 ≤ Λ_N ⟂ γ_N⁺ + e γ_N ≥ 0    Coulomb on γ_T⁺ (+ e_T γ_T)
//! q⁺ = q + h T (θu⁺ + (1 − θ)u)
//! ```
//!
//! Contacts that free fall within a step can close act too, with γ_N⁺ ≥ −g/h for θ = ½: they close at the next q_mid, and
//! those q_mid are never deeper. W and M are taken at q_mid. Restitution acts where a contact approaches faster than free fall within one
//! step. A body in free flight turns by the midpoint rule, which keeps its energy and its angular
//! momentum. Impulses of lasting contacts start from those of the step before.
//!
//! A body that lands stops where it is at the middle of the step, up to ½h|γ_N| deep. Contacts that do not part again
//! are moved apart at the level of positions (see [`apart`]), as far as the energy allows that contacts took out in the
//! same step; no velocity changes by that, and what raising bodies takes is part of the impact's work.

mod apart;
mod balls;
mod band;
mod blocks;
mod exact;
mod interior;
mod memory;
mod path;
mod pattern;
mod record;
mod settle;
mod space;
mod stepper;
mod sweep;
mod task;

use super::keep::{Keeper, Snapshot};
use super::settings::{Settings, Until};
use super::trajectory::Trajectory;
use super::{Control, Progress};
use crate::error::ImpactError;
use crate::law::{ImpactLaw as _, LawSpec};
use crate::model::{Bodies, Dimension, PLANE, SPACE, System};

/// Whether time-stepping takes a law.
pub(super) fn takes(law: &LawSpec) -> bool {
    law.in_motion().steps
}

/// Where a run begins.
#[derive(Default)]
pub(super) struct Start {
    /// Its time.
    pub time: f64,
    /// What was computed before it was cut off.
    pub from: Option<(Snapshot, Trajectory)>,
}

/// Simulates by time-stepping.
///
/// # Errors
/// A system or a law that time-stepping does not cover, bodies that overlap at the start, a bad step size.
#[allow(clippy::too_many_arguments)]
pub(super) fn run(
    system: &dyn System,
    q: &[f64],
    u: &[f64],
    law: &LawSpec,
    settings: &Settings,
    until: &Until,
    start: Start,
    keeper: &mut dyn Keeper,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    // Studies of papers have no use for it, and their page need not load it.
    if !cfg!(feature = "stepping") {
        let problem = "delassus was built without it; use events";
        return Err(ImpactError::new("integrator.scheme", "\"time-stepping\"", problem));
    }
    if !takes(law) {
        let all = LawSpec::all();
        let taken: Vec<&str> = all.iter().filter(|law| takes(law)).map(LawSpec::name).collect();
        let problem =
            format!("time-stepping takes the laws {}; others need integrator.scheme = \"events\"", taken.join(" and "));
        return Err(ImpactError::new("law", format!("{:?}", law.name()), problem));
    }
    let restitution = law.in_motion().restitution;
    match system.stepped().map(|stepped| stepped.0) {
        Some(Dimension::Space(space)) if SPACE => {
            go(space, q, u, restitution, settings, until, start, keeper, observer)
        }
        Some(Dimension::Plane(plane)) if PLANE => {
            go(plane, q, u, restitution, settings, until, start, keeper, observer)
        }
        _ => {
            let problem = "this system has no bodies that time-stepping could move; use events";
            Err(ImpactError::new("integrator.scheme", "\"time-stepping\"", problem))
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn go<const D: usize, const R: usize>(
    system: &dyn Bodies<D, R>,
    q: &[f64],
    u: &[f64],
    restitution: Option<f64>,
    settings: &Settings,
    until: &Until,
    start: Start,
    keeper: &mut dyn Keeper,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    let mut stepper = stepper::Stepper::new(system, q, u, restitution, settings, until, start.time)?;
    if let Some((snapshot, so_far)) = start.from {
        stepper.restore(&snapshot, so_far)?;
    }
    stepper.run(keeper, observer)
}
