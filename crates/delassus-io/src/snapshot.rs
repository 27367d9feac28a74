//! Files of snapshots: a heading that says what run it is, then pieces, each with what is new since the one before and
//! the state at its end. A piece that is not whole, because the program was killed while it wrote, is not read.

mod pieces;

use std::sync::Arc;

use delassus::simulate::{ContactPeaks, End, Peak, Peaks, RunStats, Snapshot, Trajectory};

use crate::bytes::{Bytes, Reading};
use pieces::{
    read_event, read_impact, read_remark, read_sample, write_event, write_impact, write_remark, write_sample,
};

/// How a file begins; the number is that of the format.
const MAGIC: &[u8] = b"delassus snapshot 3\n";

/// Adds snapshots to a file.
#[derive(Debug, Default)]
pub struct SnapshotWriter {
    /// What earlier pieces hold: samples, events, impacts, names, remarks.
    held: [usize; 5],
    /// The time of the last of these samples. Samples of a run whose end is not known are thinned out now and then, and
    /// are written anew after that.
    last: Option<f64>,
    /// Whether they hold the run by events before one by time-stepping.
    holds_before: bool,
}

/// What a file of snapshots holds.
#[derive(Debug)]
pub struct Kept {
    /// What run it is, as [`SnapshotWriter::heading`] was told.
    pub run: String,
    /// The last snapshot with the run up to it; none where no piece is whole.
    pub last: Option<(Snapshot, Trajectory)>,
    /// Bytes of whole pieces: what comes after them is to be cut off before more are added.
    pub length: usize,
}

impl SnapshotWriter {
    /// The beginning of a file; `run` tells runs apart.
    pub fn heading(run: &str) -> Vec<u8> {
        let mut out = Bytes(MAGIC.to_vec());
        let mut content = Bytes::default();
        content.text(run);
        piece(&content.0, &mut out);
        out.0
    }

    /// A writer that adds to a run that was read.
    pub fn after(snapshot: &Snapshot, so_far: &Trajectory) -> Self {
        let last = so_far.samples.last().map(|sample| sample.time);
        Self { held: lengths(so_far), last, holds_before: snapshot.before.is_some() }
    }

    /// The next piece: what is new in the run so far, and its state.
    pub fn piece(&mut self, snapshot: &Snapshot, so_far: &Trajectory) -> Vec<u8> {
        let mut out = Bytes::default();
        let before = snapshot.before.as_deref().filter(|_| !self.holds_before);
        out.count(usize::from(before.is_some()));
        if let Some(before) = before {
            write_new(&mut out, [0; 5], before);
            write_end(&mut out, before);
            // What was written before it was the same run up to there.
            *self = Self { holds_before: true, ..Self::default() };
        }
        let last = self.held[0].checked_sub(1).and_then(|k| so_far.samples.get(k)).map(|sample| sample.time);
        if last != self.last {
            self.held[0] = 0;
        }
        write_new(&mut out, self.held, so_far);
        out.numbers(&snapshot.numbers);
        out.count(snapshot.words.len());
        snapshot.words.iter().for_each(|word| out.word(*word));
        *self = Self::after(snapshot, so_far);
        let mut whole = Bytes::default();
        piece(&out.0, &mut whole);
        whole.0
    }
}

/// What is new in a run of which so many samples, events, impacts, names and remarks are held, and its counters.
fn write_new(out: &mut Bytes, held: [usize; 5], run: &Trajectory) {
    let [samples, events, impacts, names, remarks] = held;
    out.count(samples);
    write_list(out, &run.samples[samples..], write_sample);
    write_list(out, &run.events[events..], write_event);
    write_list(out, &run.impacts[impacts..], write_impact);
    write_list(out, &run.contact_names[names..], |out, name| out.text(name));
    write_list(out, &run.log[remarks..], write_remark);
    let RunStats { steps, rejected, evaluations, selections, penetration, joint_drift, residual, slept, unlisted } =
        run.stats;
    out.counts(&[steps, rejected, evaluations, selections, slept, unlisted]);
    out.numbers(&[penetration, joint_drift, residual]);
    let angle = run.peaks.angle.map(|peak| vec![peak.value, peak.time]);
    out.numbers(&angle.unwrap_or_default());
}

/// What a run by events has at its end only: it ended because events came to none.
fn write_end(out: &mut Bytes, run: &Trajectory) {
    out.numbers(&[run.time, run.closure]);
    out.count(usize::from(run.end == End::MaxEvents));
    for contact in &run.peaks.contacts {
        let ContactPeaks { normal, tangential, uplift, slip, impacts } = *contact;
        out.count(impacts);
        out.numbers(&[normal, tangential, uplift, slip].map(|peak| [peak.value, peak.time]).concat());
    }
}

fn lengths(run: &Trajectory) -> [usize; 5] {
    [run.samples.len(), run.events.len(), run.impacts.len(), run.contact_names.len(), run.log.len()]
}

fn write_list<T>(out: &mut Bytes, list: &[T], one: impl Fn(&mut Bytes, &T)) {
    out.count(list.len());
    list.iter().for_each(|entry| one(out, entry));
}

/// A piece with its length and a sum that tells whether it is whole.
fn piece(content: &[u8], out: &mut Bytes) {
    out.count(content.len());
    out.0.extend_from_slice(content);
    out.word(sum(content));
}

/// Fowler, Noll and Vo's sum of bytes.
fn sum(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn read_piece<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let mut reading = Reading(rest);
    let count = reading.length(1)?;
    let (content, after) = reading.0.split_at_checked(count)?;
    let mut reading = Reading(after);
    if reading.word()? != sum(content) {
        return None;
    }
    *rest = reading.0;
    Some(content)
}

/// Reads a file of snapshots.
///
/// # Errors
/// A file that is none, or whose heading or pieces are damaged.
pub fn read_snapshots(file: &[u8]) -> Result<Kept, String> {
    let mut rest = file.strip_prefix(MAGIC).ok_or("is no file of snapshots that this version knows")?;
    let heading = read_piece(&mut rest).and_then(|content| Reading(content).text());
    let run = heading.ok_or("the heading of the snapshots is damaged")?;
    let mut last: Option<(Snapshot, Trajectory)> = None;
    while let Some(content) = read_piece(&mut rest) {
        last = Some(read_state(&mut Reading(content), last.take()).ok_or("a piece of the snapshots is damaged")?);
    }
    Ok(Kept { run, last, length: file.len() - rest.len() })
}

fn read_state(content: &mut Reading<'_>, known: Option<(Snapshot, Trajectory)>) -> Option<(Snapshot, Trajectory)> {
    let (mut before, mut run) = known.map_or_else(|| (None, empty()), |(snapshot, run)| (snapshot.before, run));
    if content.count()? != 0 {
        let mut first = empty();
        read_new(content, &mut first)?;
        read_end(content, &mut first)?;
        (before, run) = (Some(Arc::new(first)), empty());
    }
    read_new(content, &mut run)?;
    let snapshot = Snapshot { numbers: content.numbers()?, words: content.list(8, Reading::word)?, before };
    content.0.is_empty().then_some((snapshot, run))
}

fn read_new(content: &mut Reading<'_>, run: &mut Trajectory) -> Option<()> {
    let held = content.count()?;
    if held > run.samples.len() {
        return None;
    }
    run.samples.truncate(held);
    run.samples.extend(content.list(8, read_sample)?);
    run.events.extend(content.list(8, read_event)?);
    run.impacts.extend(content.list(8, read_impact)?);
    run.contact_names.extend(content.list(8, Reading::text)?);
    run.log.extend(content.list(8, read_remark)?);
    let [steps, rejected, evaluations, selections, slept, unlisted] = content.counts()?.try_into().ok()?;
    let [penetration, joint_drift, residual] = content.numbers()?.try_into().ok()?;
    run.stats =
        RunStats { steps, rejected, evaluations, selections, penetration, joint_drift, residual, slept, unlisted };
    run.peaks.angle = match content.numbers()?[..] {
        [] => None,
        [value, time] => Some(Peak { value, time }),
        _ => return None,
    };
    let named = run.impacts.iter().flat_map(|impact| &impact.contacts).all(|&c| c < run.contact_names.len());
    named.then_some(())
}

fn read_end(content: &mut Reading<'_>, run: &mut Trajectory) -> Option<()> {
    [run.time, run.closure] = content.numbers()?.try_into().ok()?;
    run.end = if content.count()? != 0 { End::MaxEvents } else { End::Stalled };
    for _ in &run.contact_names {
        let impacts = content.count()?;
        let numbers = content.numbers()?;
        let (peaks, []) = numbers.as_chunks::<2>() else { return None };
        let peaks: Vec<Peak> = peaks.iter().map(|&[value, time]| Peak { value, time }).collect();
        let [normal, tangential, uplift, slip] = peaks.try_into().ok()?;
        run.peaks.contacts.push(ContactPeaks { normal, tangential, uplift, slip, impacts });
    }
    (!run.samples.is_empty()).then_some(())
}

/// A run before its first step.
fn empty() -> Trajectory {
    Trajectory {
        end: End::Interrupted,
        time: 0.0,
        samples: Vec::new(),
        events: Vec::new(),
        impacts: Vec::new(),
        kept: None,
        peaks: Peaks::default(),
        contact_names: Vec::new(),
        stepped_from: None,
        closure: 0.0,
        log: Vec::new(),
        stats: RunStats::default(),
    }
}
