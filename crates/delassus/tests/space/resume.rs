//! A run that goes on from a snapshot is the run that was never cut off, bit for bit.

use super::scenario;
use delassus::scenario::Built;
use delassus::simulate::{Control, Keeper, Progress, Scheme, Snapshot, Trajectory, simulate, simulate_kept};
use delassus::{LawSpec, Uniqueness};
use delassus_io::{Format, SnapshotWriter, read_scenarios, read_snapshots};

/// Keeps a snapshot every few steps, as a file does.
struct File {
    bytes: Vec<u8>,
    writer: SnapshotWriter,
    every: usize,
    steps: usize,
}

impl File {
    fn new(every: usize) -> Self {
        Self { bytes: SnapshotWriter::heading("test"), writer: SnapshotWriter::default(), every, steps: 0 }
    }
}

impl Keeper for File {
    fn is_due(&mut self, _progress: &Progress) -> bool {
        self.steps += 1;
        self.steps.is_multiple_of(self.every)
    }

    fn keep(&mut self, snapshot: &Snapshot, so_far: &Trajectory) {
        let piece = self.writer.piece(snapshot, so_far);
        self.bytes.extend_from_slice(&piece);
    }
}

/// Contacts, joints, impacts that are listed, a support that moves; bodies in the plane, and one that sleeps until it is struck.
const SCENES: [&str; 4] = [
    "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\nmotion.harmonic = { direction = [1, 0, 0], amplitude = 0.01, frequency = 3 }\n\
     [[body]]\nname = 'cube'\nshape.cuboid.size = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [0.0, 0.0, 0.2]\n\
     orientation = { axis = [1, 2, 0.5], angle = 0.7 }\nspin = [3.0, -2.0, 5.0]\n[[body]]\nname = 'ball'\nshape.sphere.radius = 0.05\n\
     mass = 0.5\nposition = [0.02, 0.0, 0.4]\n[[body]]\nname = 'bob'\nshape.sphere.radius = 0.02\nmass = 0.2\nposition = [0.3, 0.0, 0.3]\n\
     [[joint]]\nname = 'pivot'\ntype = 'ball'\nbetween = ['bob', 'world']\npoint = [0.0, 0.0, 0.5]\n[material]\nfriction = 0.4\nrestitution = 0.4\n\
     [integrator]\nstep = 1e-3\n[until]\ntime = 0.5\n[output]\ninterval = 0.0111\n",
    "[world]\ndimension = 3\n[packing]\nballs = 30\nradius = 0.02\nspread = 0.3\nseed = 4\n[material]\nfriction = 0.4\nrestitution = 0.2\n\
     [integrator]\nstep = 1e-3\n[until]\ntime = 0.3\n[output]\ninterval = 0.01\n",
    "[[ground]]\nname = 'g'\n[[body]]\nname = 'b'\nshape.box = { width = 0.2, height = 0.4 }\nmass = 1.0\nposition = [0.0, 0.3]\nangle = 0.2\n\
     [[body]]\nname = 'd'\nshape.disk.radius = 0.1\nmass = 1.0\nposition = [0.05, 0.7]\n[material]\nfriction = 0.3\nrestitution = 0.3\n\
     [integrator]\nscheme = 'time-stepping'\nstep = 1e-3\n[until]\ntime = 0.6\n[output]\ninterval = 0.02\n",
    "[[ground]]\nname = 'g'\n[[body]]\nname = 'b'\nshape.box = { width = 0.2, height = 0.1 }\nmass = 1.0\nposition = [0.0, 0.05]\n\
     [[body]]\nname = 'd'\nshape.disk.radius = 0.05\nmass = 1.0\nposition = [0.05, 1.0]\n[material]\nfriction = 0.3\n\
     [integrator]\nscheme = 'time-stepping'\nstep = 1e-3\nsleep = true\n[until]\ntime = 0.6\n[output]\ninterval = 0.02\n",
];

/// A run without what snapshots do not hold of impacts: arguments of uniqueness and other solutions.
fn told(mut run: Trajectory) -> String {
    for impact in &mut run.impacts {
        impact.outcome.answer.uniqueness = Uniqueness::Unknown;
        impact.outcome.answer.alternatives.clear();
    }
    format!("{run:?}")
}

/// Tells where two runs differ first.
fn same(whole: &str, rest: &str, what: &str) {
    if let Some(place) = whole.bytes().zip(rest.bytes()).position(|(a, b)| a != b) {
        let around = |text: &str| text[place.saturating_sub(300)..(place + 60).min(text.len())].to_owned();
        panic!("{what}: {} | {}", around(whole), around(rest));
    }
    assert_eq!(whole.len(), rest.len(), "{what}");
}

#[test]
fn resumed_runs_have_the_same_bits() {
    for text in SCENES {
        let built = scenario(text).build().unwrap();
        assert!(compare(&built, &LawSpec::by_name("newton").unwrap(), 37, 9, text) > 4);
    }
}

/// Every scene of the gallery that is by events, under its own law and others, from snapshots at steps of any kind.
#[test]
fn resumed_runs_by_events_have_the_same_bits() {
    let mut count = 0;
    for folder in ["", "/space"] {
        let files = std::fs::read_dir(format!("{}/../../scenarios{folder}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "toml")) {
            let text = std::fs::read_to_string(file).unwrap();
            let read =
                |name: &str| std::fs::read_to_string(file.with_file_name(name)).map_err(|e| format!("{name}: {e}"));
            let entry = read_scenarios(&text, "test", Format::Toml, &read).unwrap().entries.remove(0);
            let mut built = entry.scenario.build().unwrap();
            if built.settings.scheme == Scheme::TimeStepping {
                continue;
            }
            built.until.time = built.until.time.min(1.5);
            if built.settings.sample_interval.is_none() {
                // Samples that are thinned out on the way, so that what was written of them does not stay.
                built.settings.most_samples = Some(50);
            }
            let law = entry.law.unwrap_or_else(|| LawSpec::by_name("newton").unwrap());
            for law in [law, LawSpec::by_name("poisson").unwrap()] {
                // A block that slides down a slope takes hardly any step.
                count += usize::from(compare(&built, &law, 3, 7, &file.display().to_string()) > 4);
            }
        }
    }
    assert!(count > 20, "{count}");
}

/// Events that come to no end, and time-stepping from there: snapshots of either part.
#[test]
fn resumed_runs_that_went_over_to_time_stepping_have_the_same_bits() {
    let text = SCENES[2].replace("'time-stepping'", "'auto'").replace("step = 1e-3", "step = 1e-3\nmax_events = 12");
    let built = scenario(&text).build().unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    let run =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue);
    let from = run.unwrap().stepped_from.unwrap();
    assert!(from > 0.05 && from < 0.5, "{from}");
    assert!(compare(&built, &law, 5, 40, "auto") > 20);
    let text = text.replace("[world]", "[world]\n").replace("[output]\ninterval = 0.02\n", "");
    let mut built = scenario(&text).build().unwrap();
    built.settings.most_samples = Some(40);
    assert!(compare(&built, &law, 5, 40, "auto, thinned") > 20);
}

/// A run with snapshots every few steps, and runs from several of them, against the run that was never cut off.
fn compare(built: &Built, law: &LawSpec, every: usize, cuts: usize, what: &str) -> usize {
    {
        let go_on = |from, keeper: &mut dyn Keeper, stop: f64| {
            simulate_kept(
                &built.system,
                &built.q,
                &built.u,
                law,
                &built.settings,
                &built.until,
                from,
                keeper,
                &mut |p| {
                    if p.time >= stop { Control::Stop } else { Control::Continue }
                },
            )
            .unwrap()
        };
        let whole =
            simulate(&built.system, &built.q, &built.u, law, &built.settings, &built.until, &mut |_| Control::Continue)
                .unwrap();
        let time = whole.time;
        let whole = told(whole);
        let mut file = File::new(every);
        let kept = go_on(None, &mut file, f64::INFINITY);
        assert!(whole == told(kept), "{what}");
        // From every snapshot, and from files that end within a piece.
        let mut from = 0;
        let mut ends = Vec::new();
        for end in (0..file.bytes.len()).step_by(file.bytes.len() / cuts) {
            let Ok(read) = read_snapshots(&file.bytes[..end]) else { continue };
            assert!(read.length <= end && read.length >= from);
            from = read.length;
            ends.push(read.length);
            let rest = go_on(read.last, &mut File::new(usize::MAX), f64::INFINITY);
            same(&whole, &told(rest), &format!("{what} under {} from {end}", law.name()));
        }
        ends.dedup();
        if ends.len() < 3 {
            return ends.len();
        }
        // Stopped by the observer: kept where it stopped.
        let mut file = File::new(usize::MAX);
        let first = go_on(None, &mut file, 0.5 * time);
        assert_eq!(first.end.as_str(), "interrupted");
        let rest = go_on(read_snapshots(&file.bytes).unwrap().last, &mut File::new(usize::MAX), f64::INFINITY);
        assert!(whole == told(rest), "{what}");
        ends.len()
    }
}

#[test]
fn damaged_and_foreign_snapshots_are_refused() {
    let built = scenario(SCENES[1]).build().unwrap();
    let other = scenario(SCENES[0]).build().unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    let mut file = File::new(50);
    let run = |built: &delassus::scenario::Built, from, keeper: &mut dyn Keeper| {
        let go_on = &mut |_: &Progress| Control::Continue;
        simulate_kept(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, from, keeper, go_on)
    };
    run(&built, None, &mut file).unwrap();
    let mut damaged = file.bytes.clone();
    let whole = read_snapshots(&damaged).unwrap();
    assert_eq!(whole.run, "test");
    // A flipped bit in the middle: what stands before is kept.
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let read = read_snapshots(&damaged).unwrap();
    assert!(read.length < middle && read.last.is_some());
    assert!(read_snapshots(b"something else").is_err() && read_snapshots(&damaged[..25]).is_err());
    let error = run(&other, whole.last, &mut File::new(usize::MAX)).unwrap_err().to_string();
    assert!(error.contains("another system"), "{error}");
    let mut file = File::new(5);
    let ball = SCENES[2].replace("'time-stepping'", "'events'");
    run(&scenario(&ball).build().unwrap(), None, &mut file).unwrap();
    let rod = ball.replace("width = 0.2", "width = 0.3").replace(
        "[material]",
        "[[body]]\nname = 'e'\nshape.disk.radius = 0.1\nmass = 1.0\nposition = [3, 1]\n[material]",
    );
    let last = read_snapshots(&file.bytes).unwrap().last;
    let error = run(&scenario(&rod).build().unwrap(), last, &mut File::new(usize::MAX)).unwrap_err().to_string();
    assert!(error.contains("another system"), "{error}");
}
