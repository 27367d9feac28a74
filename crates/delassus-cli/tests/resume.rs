//! `delassus run`, by time-stepping and by events, killed at random moments: `--resume` ends with the bytes of a run that was never
//! interrupted.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{scratch, stderr};

/// A cube and a ball that bounce, slide and rest, in steps so small that there is time to kill.
const SCENE: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n\
    [[body]]\nname = 'cube'\nshape.cuboid.size = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [0.0, 0.0, 0.3]\n\
    orientation = { axis = [1, 2, 0.5], angle = 0.7 }\nspin = [3.0, -2.0, 5.0]\n\
    [[body]]\nname = 'ball'\nshape.sphere.radius = 0.05\nmass = 0.5\nposition = [0.02, 0.0, 0.6]\n\
    [material]\nfriction = 0.4\nrestitution = 0.4\n\
    [integrator]\nstep = 1e-4\n[until]\nrest = false\n[output]\ninterval = 0.05\n";

/// Two balls that a floor keeps throwing up, by events.
const EVENTS: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n\
    motion.harmonic = { direction = [0.2, 0, 1], amplitude = 0.02, frequency = 4 }\n\
    [[body]]\nname = 'ball'\nshape.sphere.radius = 0.05\nmass = 0.5\nposition = [0.02, 0.0, 0.3]\n\
    [[body]]\nname = 'other'\nshape.sphere.radius = 0.07\nmass = 0.7\nposition = [0.0, 0.01, 0.6]\n\
    [material]\nfriction = 0.4\nrestitution = 0.6\n\
    [integrator]\nscheme = 'events'\n[until]\nrest = false\n[output]\ninterval = 0.05\n";

fn command(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    command.arg("run").arg(folder.join("scene.toml")).arg("--out").arg(folder.join("results")).args(more);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn folder(name: &str, scene: &str, time: f64) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("scene.toml"), scene.replace("[until]", &format!("[until]\ntime = {time:?}"))).unwrap();
    folder
}

fn finish(folder: &Path, more: &[&str]) -> Output {
    let output = command(folder, more).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

/// The files of a run's results.
fn results(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder.join("results")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

/// The run, never interrupted: its results, how long it took, and its time.
fn whole(name: &str, scene: &str) -> (Vec<(PathBuf, Vec<u8>)>, Duration, f64) {
    let mut time = 1.0;
    loop {
        let folder = folder(&format!("{name}-whole"), scene, time);
        let begin = Instant::now();
        finish(&folder, &[]);
        if begin.elapsed() > Duration::from_millis(800) {
            assert!(!folder.join("results.snapshot").exists());
            return (results(&folder), begin.elapsed(), time);
        }
        time *= 2.0;
    }
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    kill("resume", SCENE);
}

#[test]
fn a_killed_run_by_events_goes_on_to_the_same_bytes() {
    kill("resume-events", EVENTS);
}

fn kill(name: &str, scene: &str) {
    let (expected, lasts, time) = whole(name, scene);
    assert_eq!(expected.len(), 6);
    let folder = folder(&format!("{name}-killed"), scene, time);
    let snapshot = folder.join("results.snapshot");
    let (mut killed, mut kept) = (0, 0);
    for k in 1..=4u32 {
        let mut child = command(&folder, &["--snapshot", "0.01", "--resume"]).spawn().unwrap();
        std::thread::sleep(lasts.mul_f64(f64::from(k % 3 + 1) * 0.17));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        killed += 1;
        let length = fs::metadata(&snapshot).map_or(0, |data| data.len());
        kept += usize::from(length > 10_000);
        // As if it had been killed while it wrote: the last piece is not whole.
        if k == 2 && length > 10_000 {
            fs::OpenOptions::new().write(true).open(&snapshot).unwrap().set_len(length - 5).unwrap();
        }
    }
    if !folder.join("results").exists() {
        // Without the word it is neither begun anew nor gone on with.
        let refused = command(&folder, &[]).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains("--resume"), "{}", stderr(&refused));
        finish(&folder, &["--resume"]);
    }
    assert!(results(&folder) == expected, "{killed} kills, snapshots at {kept}");
    assert!(!snapshot.exists());
    assert!(killed > 0 && kept > 0, "{killed} kills, snapshots at {kept}");
}

#[test]
fn snapshots_of_other_runs_are_refused() {
    let here = folder("resume-other", SCENE, 0.2);
    // Interrupted at once: results say so, and the state is kept.
    let stopped = command(&here, &["--time-limit", "1e-6"]).output().unwrap();
    assert!(here.join("results.snapshot").exists(), "{}", stderr(&stopped));
    let scene = fs::read_to_string(here.join("scene.toml")).unwrap();
    fs::write(here.join("scene.toml"), scene.replace("friction = 0.4", "friction = 0.5")).unwrap();
    let refused = command(&here, &["--resume"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("another scenario"), "{}", stderr(&refused));
    fs::write(here.join("scene.toml"), &scene).unwrap();
    finish(&here, &["--resume"]);
    let record = fs::read_to_string(here.join("results/run.json")).unwrap();
    assert!(record.contains("\"status\": \"completed\""));

    // Of several runs there are none.
    let refused = command(&here, &["--resume", "--law", "newton,moreau"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("one scenario"), "{}", stderr(&refused));
}

/// A run whose end is not known: its samples are thinned out as it goes on, also those of earlier snapshots.
#[test]
fn a_run_until_an_end_that_is_not_known_is_kept() {
    let scene = "[[ground]]\nname = 'g'\n[[body]]\nname = 'd'\nshape.disk.radius = 0.1\nmass = 1.0\nposition = [0.0, 3.0]\nvelocity = [1, 0]\n\
        [material]\nfriction = 0.1\nrestitution = 0.9\n[until]\nimpacts = 40\n";
    let here = scratch("resume-unknown-whole");
    fs::write(here.join("scene.toml"), scene).unwrap();
    finish(&here, &[]);
    let expected = results(&here);
    let here = scratch("resume-unknown");
    fs::write(here.join("scene.toml"), scene).unwrap();
    for _ in 0..4 {
        let stopped = command(&here, &["--snapshot", "0", "--time-limit", "0.002", "--resume"]).output().unwrap();
        assert!([Some(0), Some(1)].contains(&stopped.status.code()), "{}", stderr(&stopped));
    }
    finish(&here, &["--resume"]);
    assert!(results(&here) == expected);
}

#[test]
fn many_bodies_give_arrays() {
    let here = scratch("many-bodies");
    let scene = "[world]\ndimension = 3\n[packing]\nballs = 60\nradius = 0.02\nspread = 0.2\n[until]\ntime = 0.02\n";
    fs::write(here.join("scene.toml"), scene).unwrap();
    finish(&here, &[]);
    let arrays = fs::read(here.join("results/trajectory.npz")).unwrap();
    assert!(arrays.starts_with(b"PK") && !here.join("results/trajectory.csv").exists());
    let heading = String::from_utf8_lossy(&arrays).into_owned();
    assert!(heading.contains("velocity.npy") && heading.contains(", 60, 7,)"));
    // What Python's own reader of archives says of it, where there is one.
    let check =
        "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist())";
    if let Ok(read) = Command::new("python3").arg("-c").arg(check).arg(here.join("results/trajectory.npz")).output() {
        let names = String::from_utf8_lossy(&read.stdout).into_owned();
        assert!(
            read.status.success() && names.starts_with("time.npy q.npy velocity.npy bodies.npy"),
            "{}",
            stderr(&read)
        );
    }
    let asked = command(&here, &["--force", "--samples", "csv"]).output().unwrap();
    assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
    assert!(here.join("results/trajectory.csv").exists() && !here.join("results/trajectory.npz").exists());
}
