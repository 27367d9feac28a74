//! Events first, time-stepping where they become endless.

use super::keep::Nothing;
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
pub(super) fn run(
    system: &dyn System,
    q: &[f64],
    u: &[f64],
    law: &LawSpec,
    settings: &Settings,
    until: &Until,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    let can_step = stepping::takes(law) && system.stepped().is_some();
    if let (true, Some(Err(error))) = (can_step, system.with_contacts(settings.contact_tolerance)) {
        let mut run = stepping::run(system, q, u, law, settings, until, Start::default(), &mut Nothing, observer)?;
        run.stepped_from = Some(0.0);
        let text = format!("the run is by time-stepping from the start: {error}");
        run.log.insert(0, Remark::new(0.0, text));
        return Ok(run);
    }
    let mut first = by_events(system, q, u, law, settings, until, observer)?;
    if !matches!(first.end, End::Stalled | End::MaxEvents) {
        return Ok(first);
    }
    let (time, why) = (first.time, first.end.as_str());
    let mut remark = |text: String| first.log.push(Remark::new(time, text));
    if !can_step {
        let name = law.name();
        remark(format!(
            "events came to no end ({why}), and time-stepping takes the laws newton and moreau, not {name}"
        ));
        return Ok(first);
    }
    remark(format!("events came to no end ({why}): from here on the run is by time-stepping, first order in its step"));
    let mut rest = until.clone();
    rest.impacts = until.impacts.map(|most| most.saturating_sub(first.impacts.len()));
    let (q, u) = (first.last().q.clone(), first.last().u.clone());
    let start = Start { time, from: None };
    match stepping::run(system, &q, &u, law, settings, &rest, start, &mut Nothing, observer) {
        Ok(second) => join(&mut first, second),
        Err(error) => first.log.push(Remark::new(time, format!("time-stepping cannot go on: {error}"))),
    }
    Ok(first)
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
