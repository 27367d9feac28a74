//! `delassus map` and `delassus sweep`, killed at random moments and started again: they end with
//! the bytes of a run that was never interrupted, and leave nothing else behind.
//!
//! `DELASSUS_KILLS` sets the number of moments, `DELASSUS_SEED` draws others.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{example, scratch};

/// Maps keep their rows after the first second: this is long enough for that.
const LONG: Duration = Duration::from_millis(2500);

struct Random(u64);

impl Random {
    /// In [0, 1).
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

fn start(rows: usize, folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    command.args(["map", &example("rod_impact.toml"), "--x", "rod.velocity_ratio=-6:6:40"]);
    command.args(["--y", &format!("rod.angle=0:pi:{rows}"), "--measure", "state", "--law", "lzb", "--out"]);
    command.arg(folder.join("rod.svg")).env("RAYON_NUM_THREADS", "2");
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn finish(rows: usize, folder: &Path) -> Duration {
    let begin = Instant::now();
    let output = start(rows, folder).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    begin.elapsed()
}

/// All files of a folder, by name.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths.map(|p| (p.file_name().unwrap().into(), fs::read(&p).unwrap())).collect();
    files.sort();
    files
}

/// Whether the files of the map are being written.
fn writes(folder: &Path) -> bool {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.into_iter().any(|name| !name.to_string_lossy().ends_with(".partial"))
}

/// When a map is killed.
#[derive(Clone, Copy, PartialEq)]
enum Moment {
    /// At any time of a run.
    Any,
    /// When rows are kept.
    Kept,
    /// When its files are being written, which takes a few milliseconds.
    Writing,
}

/// Starts the map, kills it and returns whether it had not come to its end before.
fn kill(rows: usize, folder: &Path, moment: Moment, whole: Duration, random: &mut Random) -> bool {
    let mut child = start(rows, folder);
    let waited = |child: &mut Child, reached: &dyn Fn() -> bool| {
        while !reached() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(100));
        }
    };
    let longest = match moment {
        Moment::Any => whole.as_secs_f64(),
        Moment::Kept => {
            waited(&mut child, &|| folder.join("rod.svg.partial").exists());
            0.2 * whole.as_secs_f64()
        }
        Moment::Writing => {
            waited(&mut child, &|| writes(folder));
            0.02
        }
    };
    std::thread::sleep(Duration::from_secs_f64(longest * random.next()));
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

#[test]
fn a_killed_map_goes_on_to_the_same_bytes() {
    let (kills, seed) = (number("DELASSUS_KILLS", 6) as usize, number("DELASSUS_SEED", 1));
    let mut random = Random(seed);
    let (mut rows, mut folder) = (60, scratch("kill-whole"));
    let mut whole = finish(rows, &folder);
    while whole < LONG {
        rows = rows * 3 / 2;
        folder = scratch("kill-whole");
        whole = finish(rows, &folder);
    }
    let expected = files(&folder);
    assert_eq!(expected.len(), 3);

    // How many kills came before the end, when rows were kept, and when files were there.
    let (mut killed, mut kept, mut written) = (0, 0, 0);
    let moments = [Moment::Kept, Moment::Any, Moment::Writing];
    for round in 0..kills.div_ceil(2) {
        let folder = scratch("kill");
        for _ in 0..2 {
            if !kill(rows, &folder, moments[round % 3], whole, &mut random) {
                break;
            }
            killed += 1;
            kept += usize::from(folder.join("rod.svg.partial").exists());
            written += usize::from(writes(&folder));
        }
        if folder.join("rod.svg.partial").exists() || !folder.join("rod.svg").exists() {
            finish(rows, &folder);
        }
        let found = files(&folder);
        let names: Vec<_> = found.iter().map(|f| &f.0).collect();
        assert!(found == expected, "round {round} of seed {seed} leaves {names:?}");
    }
    println!("{killed} kills of a map of {whole:.2?}: rows were kept at {kept}, files there at {written}");
    assert!(killed > 0, "every map ended before it was killed");
}

fn start_sweep(cases: usize, folder: &Path, name: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/rocking-block.toml");
    command.arg("sweep").arg(scenario).args(["--vary", &format!("rocking_block.angle=0.01:0.4:{cases}")]);
    command.args(["--measure", "tilt,impacts,verdict", "--out"]).arg(folder.join(name));
    command.arg("--figure").arg(folder.join("sweep.svg"));
    command.env("RAYON_NUM_THREADS", "2").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn finish_sweep(cases: usize, folder: &Path, name: &str) -> Duration {
    let begin = Instant::now();
    let output = start_sweep(cases, folder, name).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    begin.elapsed()
}

/// Kills sweeps of this file at random moments, several times each on the way to their end, and compares the files.
fn kill_sweeps(kills: usize, seed: u64, name: &str) {
    let mut random = Random(seed ^ 0xabc);
    let whole_folder = format!("kill-whole-{name}");
    let (mut cases, mut folder) = (20, scratch(&whole_folder));
    let mut whole = finish_sweep(cases, &folder, name);
    while whole < Duration::from_millis(600) {
        cases *= 2;
        folder = scratch(&whole_folder);
        whole = finish_sweep(cases, &folder, name);
    }
    let expected = files(&folder);
    assert_eq!(expected.len(), 2);

    let (mut killed, mut kept) = (0, 0);
    let mut left = kills;
    while left > 0 {
        let folder = scratch(&format!("kill-{name}"));
        let (file, partial) = (folder.join(name), folder.join(format!("{name}.partial")));
        while left > 0 && !file.exists() {
            left -= 1;
            let mut child = start_sweep(cases, &folder, name);
            std::thread::sleep(Duration::from_secs_f64(0.5 * whole.as_secs_f64() * random.next()));
            child.kill().unwrap();
            if !child.wait().unwrap().success() {
                killed += 1;
                kept += usize::from(partial.exists());
            }
        }
        if !file.exists() || partial.exists() {
            finish_sweep(cases, &folder, name);
        }
        let found = files(&folder);
        let names: Vec<_> = found.iter().map(|f| &f.0).collect();
        assert!(found == expected, "seed {seed} leaves {names:?}");
    }
    println!("{killed} kills of a sweep of {whole:.2?}: rows were kept at {kept}");
    assert!(killed > 0, "every sweep ended before it was killed");
}

#[test]
fn a_killed_sweep_goes_on_to_the_same_bytes() {
    kill_sweeps(number("DELASSUS_KILLS", 6) as usize, number("DELASSUS_SEED", 1), "sweep.csv");
}

#[test]
fn a_killed_sweep_of_parquet_goes_on_to_the_same_bytes() {
    kill_sweeps(number("DELASSUS_KILLS", 6).div_ceil(2) as usize, number("DELASSUS_SEED", 1), "sweep.parquet");
}
