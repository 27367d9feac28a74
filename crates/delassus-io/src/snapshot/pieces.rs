//! Samples, events, impacts and remarks of runs as bytes.

use delassus::law::ContactEnergy;
use delassus::model::ContactFrame;
use delassus::simulate::{ContactMode, Energies, Event, EventKind, Remark, Sample, SimulatedImpact, StepReport};
use delassus::{Certificate, ElementState, EnergyLedger, ImpactOutcome, LawAnswer, Stats, Status, Theorem};

use crate::bytes::{Bytes, Reading};

/// What happens at contacts, by number.
const OF_CONTACTS: [fn(usize) -> EventKind; 5] =
    [EventKind::TakeOff, EventKind::Touch, EventKind::Stick, EventKind::Slip, EventKind::PainleveChoice];
const STATES: [ElementState; 4] = [ElementState::Open, ElementState::Closed, ElementState::Stick, ElementState::Slip];
const MODES: [ContactMode; 4] =
    [ContactMode::Open, ContactMode::Smooth, ContactMode::Stick, ContactMode::Slip([0.0; 2])];
const STATUSES: [Status; 6] = [
    Status::Solved,
    Status::Inaccurate,
    Status::NoSolution,
    Status::MaxIterations,
    Status::Stalled,
    Status::NotApplicable,
];

/// The number of something in a list that has all of its kind.
fn number<T: PartialEq>(list: &[T], one: &T) -> usize {
    list.iter().position(|other| other == one).unwrap_or(0)
}

pub(super) fn write_sample(out: &mut Bytes, sample: &Sample) {
    let Energies { kinetic, potential, friction, supports, damping, applied, impacts } = sample.energy;
    out.number(sample.time);
    out.numbers(&sample.q);
    out.numbers(&sample.u);
    out.numbers(sample.forces.as_flattened());
    out.numbers(&[kinetic, potential, friction, supports, damping, applied, impacts]);
    let StepReport { count, contacts, iterations, residual } = sample.steps.unwrap_or_default();
    for number in [usize::from(sample.steps.is_some()), count, contacts, iterations] {
        out.count(number);
    }
    out.number(residual);
}

pub(super) fn read_sample(from: &mut Reading<'_>) -> Option<Sample> {
    let (time, q, u) = (from.number()?, from.numbers()?, from.numbers()?);
    let forces = from.numbers()?.as_chunks().0.to_vec();
    let [kinetic, potential, friction, supports, damping, applied, impacts] = from.numbers()?.try_into().ok()?;
    let energy = Energies { kinetic, potential, friction, supports, damping, applied, impacts };
    let stepped = from.count()? != 0;
    let (count, contacts, iterations, residual) = (from.count()?, from.count()?, from.count()?, from.number()?);
    let steps = stepped.then_some(StepReport { count, contacts, iterations, residual });
    Some(Sample { time, q, u, forces, energy, steps })
}

pub(super) fn write_event(out: &mut Bytes, event: &Event) {
    out.number(event.time);
    let (kind, which) = match event.kind {
        EventKind::Impact(which) => (0, which),
        EventKind::Engage(which) => (1, which),
        EventKind::Disengage(which) => (2, which),
        EventKind::Accumulation => (3, 0),
        EventKind::PainleveImpact => (4, 0),
        kind => {
            let contact = kind.contact().unwrap_or(0);
            let of = OF_CONTACTS.iter().position(|of| of(contact) == kind).unwrap_or(0);
            (5 + of, contact)
        }
    };
    out.count(kind);
    out.count(which);
}

pub(super) fn read_event(from: &mut Reading<'_>) -> Option<Event> {
    let (time, kind, which) = (from.number()?, from.count()?, from.count()?);
    let kind = match kind {
        0 => EventKind::Impact(which),
        1 => EventKind::Engage(which),
        2 => EventKind::Disengage(which),
        3 => EventKind::Accumulation,
        4 => EventKind::PainleveImpact,
        more => OF_CONTACTS.get(more - 5)?(which),
    };
    Some(Event { time, kind })
}

pub(super) fn write_remark(out: &mut Bytes, remark: &Remark) {
    out.number(remark.time);
    out.text(&remark.text);
    out.count(usize::from(remark.of_one_impact));
}

pub(super) fn read_remark(from: &mut Reading<'_>) -> Option<Remark> {
    Some(Remark { time: from.number()?, text: from.text()?, of_one_impact: from.count()? != 0 })
}

/// An impact. The path of a law that follows it, other solutions, and what is known about their number are left out: results
/// in a directory hold none of them.
pub(super) fn write_impact(out: &mut Bytes, impact: &SimulatedImpact) {
    out.numbers(&[impact.time, impact.kinetic_after]);
    out.counts(&impact.contacts);
    out.counts(&impact.rows);
    let ImpactOutcome {
        answer,
        reason,
        u_plus,
        gamma_minus,
        gamma_compression,
        gamma_plus,
        states,
        energy,
        certificate,
    } = &impact.outcome;
    for list in [&impact.q, &impact.u_minus, &impact.u_plus, u_plus, gamma_minus, gamma_compression, gamma_plus] {
        out.numbers(list);
    }
    write_answer(out, answer);
    let states: Vec<usize> = states.iter().map(|state| number(&STATES, state)).collect();
    out.counts(&states);
    out.count(usize::from(impact.inelastic));
    out.text(reason.as_deref().unwrap_or(""));
    out.numbers(&energy.work);
    out.numbers(&[energy.before, energy.after, energy.contacts, energy.supports, energy.external]);
    let Certificate { kinematic, kinetic, energetic, momentum, inclusion, theorem } = certificate;
    out.numbers(&[*kinematic, *kinetic, *energetic, *momentum]);
    out.numbers(inclusion.as_slice());
    out.count(number(&Theorem::ALL, theorem));
    let frames = impact.frames.iter().flat_map(|frame| [frame.point].into_iter().chain(frame.directions));
    out.numbers(&frames.flatten().collect::<Vec<_>>());
    out.count(impact.modes.len());
    for mode in &impact.modes {
        let direction = if let ContactMode::Slip(direction) = mode { *direction } else { [0.0; 2] };
        out.count(MODES.iter().position(|known| known.as_str() == mode.as_str()).unwrap_or(0));
        direction.iter().for_each(|part| out.number(*part));
    }
}

fn write_answer(out: &mut Bytes, answer: &LawAnswer) {
    out.count(number(&STATUSES, &answer.status));
    out.numbers(&answer.impulses);
    out.numbers(&answer.compression);
    out.text(answer.reason.as_deref().unwrap_or(""));
    out.count(answer.warnings.len());
    answer.warnings.iter().for_each(|warning| out.text(warning));
    let Stats { iterations, restarts, events } = answer.stats;
    out.counts(&[iterations, restarts, events]);
    out.count(answer.contact_energy.len());
    for contact in &answer.contact_energy {
        let ContactEnergy { stored, returned, lost, held, friction, compressions } = *contact;
        [stored, returned, lost, held, friction].iter().for_each(|energy| out.number(*energy));
        out.count(compressions);
    }
}

fn read_answer(from: &mut Reading<'_>) -> Option<LawAnswer> {
    let status = *STATUSES.get(from.count()?)?;
    let (impulses, compression) = (from.numbers()?, from.numbers()?);
    let reason = Some(from.text()?).filter(|text| !text.is_empty());
    let warnings = from.list(8, Reading::text)?;
    let [iterations, restarts, events] = from.counts()?.try_into().ok()?;
    let stats = Stats { iterations, restarts, events };
    let contact_energy = from.list(48, |from| {
        let (stored, returned, lost) = (from.number()?, from.number()?, from.number()?);
        let (held, friction, compressions) = (from.number()?, from.number()?, from.count()?);
        Some(ContactEnergy { stored, returned, lost, held, friction, compressions })
    })?;
    Some(LawAnswer { status, impulses, compression, reason, warnings, stats, contact_energy, ..LawAnswer::default() })
}

fn read_mode(from: &mut Reading<'_>) -> Option<ContactMode> {
    let mode = *MODES.get(from.count()?)?;
    let direction = [from.number()?, from.number()?];
    Some(if let ContactMode::Slip(_) = mode { ContactMode::Slip(direction) } else { mode })
}

pub(super) fn read_impact(from: &mut Reading<'_>) -> Option<SimulatedImpact> {
    let [time, kinetic_after] = from.numbers()?.try_into().ok()?;
    let (contacts, rows) = (from.counts()?, from.counts()?);
    let (q, u_minus, after) = (from.numbers()?, from.numbers()?, from.numbers()?);
    let (u_plus, gamma_minus, gamma_compression, gamma_plus) =
        (from.numbers()?, from.numbers()?, from.numbers()?, from.numbers()?);
    let answer = read_answer(from)?;
    let states = from.counts()?.iter().map(|&state| STATES.get(state).copied()).collect::<Option<Vec<_>>>()?;
    let inelastic = from.count()? != 0;
    let reason = Some(from.text()?).filter(|text| !text.is_empty());
    let work = from.numbers()?;
    let [before, end, on_contacts, supports, external] = from.numbers()?.try_into().ok()?;
    let [kinematic, kinetic, energetic, momentum] = from.numbers()?.try_into().ok()?;
    let inclusion = from.numbers()?.first().copied();
    let theorem = *Theorem::ALL.get(from.count()?)?;
    let frames = from.numbers()?;
    let (vectors, []) = frames.as_chunks::<3>() else { return None };
    let (frames, []) = vectors.as_chunks::<4>() else { return None };
    let frames = frames.iter().map(|&[point, n, t, s]| ContactFrame { point, directions: [n, t, s] }).collect();
    let modes = from.list(24, read_mode)?;
    if rows.iter().sum::<usize>() > answer.impulses.len() {
        return None;
    }
    let outcome = ImpactOutcome {
        answer,
        reason,
        u_plus,
        gamma_minus,
        gamma_compression,
        gamma_plus,
        states,
        energy: EnergyLedger { before, after: end, work, contacts: on_contacts, supports, external },
        certificate: Certificate { kinematic, kinetic, energetic, momentum, inclusion, theorem },
    };
    Some(SimulatedImpact {
        time,
        contacts,
        q,
        u_minus,
        u_plus: after,
        kinetic_after,
        outcome,
        frames,
        rows,
        inelastic,
        modes,
    })
}
