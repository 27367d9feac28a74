//! A run that goes on from a snapshot is the run that was never cut off, bit for bit.

use super::scenario;
use delassus::LawSpec;
use delassus::simulate::{Control, Keeper, Progress, Scheme, Snapshot, Trajectory, simulate, simulate_kept};
use delassus_io::{SnapshotWriter, read_snapshots};

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

#[test]
fn resumed_runs_have_the_same_bits() {
    for text in SCENES {
        let built = scenario(text).build().unwrap();
        let law = LawSpec::by_name("newton").unwrap();
        let go_on = |from, keeper: &mut dyn Keeper, stop: f64| {
            simulate_kept(
                &built.system,
                &built.q,
                &built.u,
                &law,
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
        let whole = simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| {
            Control::Continue
        })
        .unwrap();
        let mut file = File::new(37);
        let kept = go_on(None, &mut file, f64::INFINITY);
        assert_eq!(format!("{whole:?}"), format!("{kept:?}"));
        // From every snapshot, and from files that end within a piece.
        let mut from = 0;
        let mut ends = Vec::new();
        for end in (0..file.bytes.len()).step_by(file.bytes.len() / 9) {
            let Ok(read) = read_snapshots(&file.bytes[..end]) else { continue };
            assert!(read.length <= end && read.length >= from);
            from = read.length;
            ends.push(read.length);
            let rest = go_on(read.last, &mut File::new(usize::MAX), f64::INFINITY);
            assert_eq!(format!("{whole:?}"), format!("{rest:?}"), "from {end}");
        }
        ends.dedup();
        assert!(ends.len() > 4, "{ends:?}");
        // Stopped by the observer: kept where it stopped.
        let mut file = File::new(usize::MAX);
        let first = go_on(None, &mut file, 0.5 * built.until.time);
        assert_eq!(first.end.as_str(), "interrupted");
        let rest = go_on(read_snapshots(&file.bytes).unwrap().last, &mut File::new(usize::MAX), f64::INFINITY);
        assert_eq!(format!("{whole:?}"), format!("{rest:?}"));
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
    let mut events = other.clone();
    events.settings.scheme = Scheme::Events;
    assert!(run(&events, None, &mut File::new(5)).unwrap_err().to_string().contains("time-stepping"));
}
