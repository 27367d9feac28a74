//! Events first, time-stepping where they become endless.

use std::sync::Arc;

use super::keep::{From, Keeper, Snapshot};
use super::settings::{Settings, Until};
use super::stepping::Start;
use super::trajectory::{End, Energies, EventKind, Remark, Trajectory};
use super::{Control, Progress, by_events, stepping};
use crate::error::ImpactError;
use crate::law::LawSpec;
use crate::model::System;

/// Simulates by events; from where they do not settle, or come without end, by time-stepping.
///
/// # Errors
/// As the two schemes.
#[allow(clippy::too_many_arguments)]
pub(super) fn run(
    system: &dyn System,
    q: &[f64],
    u: &[f64],
    law: &LawSpec,
    settings: &Settings,
    until: &Until,
    from: From,
    keeper: &mut dyn Keeper,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    let can_step = stepping::takes(law) && system.stepped().is_some();
    if let (true, Some(Err(error))) = (can_step, system.with_contacts(settings.contact_tolerance)) {
        let start = Start { time: 0.0, from };
        let mut run = stepping::run(system, q, u, law, settings, until, start, keeper, observer)?;
        run.stepped_from = Some(0.0);
        let text = format!("the run is by time-stepping from the start: {error}");
        run.log.insert(0, Remark::new(0.0, text));
        return Ok(run);
    }
    let (mut first, from) = match from {
        Some((Snapshot { before: Some(ref first), .. }, _)) => (Trajectory::clone(first), from),
        _ => {
            let mut first = by_events(system, q, u, law, settings, until, from, keeper, observer)?;
            if !ends_without_end(&mut first, law, can_step) {
                return Ok(first);
            }
            (first, None)
        }
    };
    let time = first.time;
    let mut rest = until.clone();
    rest.impacts = until.impacts.map(|most| most.saturating_sub(first.impacts.len()));
    let (q, u) = (first.last().q.clone(), first.last().u.clone());
    let mut keeper = After { before: Arc::new(first.clone()), keeper };
    match stepping::run(system, &q, &u, law, settings, &rest, Start { time, from }, &mut keeper, observer) {
        Ok(second) => join(&mut first, second),
        Err(error) => first.log.push(Remark::new(time, format!("time-stepping cannot go on: {error}"))),
    }
    Ok(first)
}

/// Whether events came to no end and time-stepping can go on; the log says so.
fn ends_without_end(first: &mut Trajectory, law: &LawSpec, can_step: bool) -> bool {
    if !matches!(first.end, End::Stalled | End::MaxEvents) {
        return false;
    }
    let why = first.end.as_str();
    let text = if can_step {
        format!("events came to no end ({why}): from here on the run is by time-stepping, first order in its step")
    } else {
        let name = law.name();
        format!("events came to no end ({why}), and time-stepping takes the laws newton and moreau, not {name}")
    };
    first.log.push(Remark::new(first.time, text));
    can_step
}

/// Keeps snapshots of time-stepping together with the run by events before it.
struct After<'k> {
    before: Arc<Trajectory>,
    keeper: &'k mut dyn Keeper,
}

impl Keeper for After<'_> {
    fn is_due(&mut self, progress: &Progress) -> bool {
        self.keeper.is_due(progress)
    }

    fn keep(&mut self, snapshot: &Snapshot, so_far: &Trajectory) {
        let snapshot = Snapshot { before: Some(self.before.clone()), ..snapshot.clone() };
        self.keeper.keep(&snapshot, so_far);
    }
}

/// Adds what follows to a run.
fn join(first: &mut Trajectory, second: Trajectory) {
    first.stepped_from = Some(first.time);
    let known = first.last().energy;
    // The state at which they meet is a sample already.
    for mut sample in second.samples.into_iter().skip(1) {
        let Energies { friction, supports, damping, applied, impacts, .. } = &mut sample.energy;
        *friction += known.friction;
        *supports += known.supports;
        *damping += known.damping;
        *applied += known.applied;
        *impacts += known.impacts;
        first.samples.push(sample);
    }
    let names: Vec<usize> = second.contact_names.iter().map(|name| index(&mut first.contact_names, name)).collect();
    let before = first.impacts.len();
    for mut impact in second.impacts {
        for c in &mut impact.contacts {
            *c = names[*c];
            if let Some(contact) = first.peaks.contacts.get_mut(*c) {
                contact.impacts += 1;
            }
        }
        first.impacts.push(impact);
    }
    for mut event in second.events {
        if let EventKind::Impact(index) = &mut event.kind {
            *index += before;
        }
        first.events.push(event);
    }
    if let (Some(peak), Some(other)) = (&mut first.peaks.angle, second.peaks.angle) {
        peak.raise(other.value, other.time);
    }
    first.log.extend(second.log.into_iter().filter(|remark| remark.time > 0.0));
    first.closure += second.closure;
    let (stats, other) = (&mut first.stats, second.stats);
    stats.steps += other.steps;
    stats.evaluations += other.evaluations;
    stats.selections += other.selections;
    stats.penetration = stats.penetration.max(other.penetration);
    stats.joint_drift = stats.joint_drift.max(other.joint_drift);
    stats.residual = other.residual;
    stats.unlisted += other.unlisted;
    (first.end, first.time) = (second.end, second.time);
    first.doubt_end();
}

/// The number of a name, which is added where it is new.
fn index(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
