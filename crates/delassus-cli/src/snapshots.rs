//! Snapshots of a run beside its results, so that a run that was cut off can go on.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use delassus::LawSpec;
use delassus::simulate::{Keeper, Progress, Settings, Snapshot, Trajectory};
use delassus_io::{Kept, ScenarioEntry, SnapshotWriter, read_snapshots, write_expanded};

use crate::failure::Failure;
use crate::output;

/// What the command line says about snapshots.
#[derive(Debug, clap::Args)]
pub struct SnapshotArgs {
    /// Seconds between snapshots, which stand in NAME.snapshot until the results are written; 0: every step
    /// [default: 60]
    #[arg(long, value_name = "SECONDS", requires = "out")]
    snapshot: Option<f64>,
    /// Go on from the last snapshot of a run that was cut off
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub resume: bool,
}

/// A run with its snapshots.
pub struct Resumable {
    path: PathBuf,
    /// What run it is.
    run: String,
    /// Open from the first snapshot on.
    file: Option<File>,
    writer: SnapshotWriter,
    interval: Duration,
    last: Instant,
    /// Whether snapshots can no longer be written.
    failed: bool,
    /// What was computed before.
    pub from: Option<(Snapshot, Trajectory)>,
}

impl SnapshotArgs {
    fn interval(&self) -> Result<Duration, Failure> {
        let seconds = self.snapshot.unwrap_or(60.0);
        let wrong = |_| Failure::Input(format!("--snapshot {seconds}: must be a number of seconds, at least 0"));
        Duration::try_from_secs_f64(seconds).map_err(wrong)
    }

    /// Opens the snapshots of a run whose results go to `out`; several runs at once have none.
    pub fn open(
        &self,
        out: &Path,
        force: bool,
        runs: &[(&ScenarioEntry, &LawSpec, &Settings)],
    ) -> Result<Option<Resumable>, Failure> {
        let interval = self.interval()?;
        match runs {
            [(entry, law, settings)] => {
                self.open_one(out, force, interval, description(entry, law, settings)?).map(Some)
            }
            _ if self.resume => Err(Failure::Input("--resume: snapshots need one scenario under one law".into())),
            _ => Ok(None),
        }
    }

    fn open_one(&self, out: &Path, force: bool, interval: Duration, run: String) -> Result<Resumable, Failure> {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".snapshot");
        let path = out.with_file_name(name);
        let shown = path.display();
        let failed = |e: std::io::Error| Failure::Input(format!("{shown}: {e}"));
        let mut kept: Option<Kept> = None;
        if path.exists() && !force {
            if !self.resume {
                let problem = "is left of a run that was cut off: --resume goes on from it, --force begins anew";
                return Err(Failure::Input(format!("{shown} {problem}")));
            }
            let bytes = std::fs::read(&path).map_err(failed)?;
            let read = read_snapshots(&bytes).map_err(|e| Failure::Input(format!("{shown}: {e}")))?;
            if read.run != run {
                let problem = "belongs to another scenario, law, number of samples or version; --force begins anew";
                return Err(Failure::Input(format!("{shown} {problem}")));
            }
            kept = Some(read);
        }
        if path.exists() && kept.is_none() {
            std::fs::remove_file(&path).map_err(failed)?;
        }
        let file = match &kept {
            Some(kept) => {
                let mut file = OpenOptions::new().write(true).open(&path).map_err(failed)?;
                // A piece that was cut off goes.
                file.set_len(kept.length as u64).map_err(failed)?;
                file.seek(SeekFrom::End(0)).map_err(failed)?;
                Some(file)
            }
            None => None,
        };
        let from = kept.and_then(|kept| kept.last);
        let writer =
            from.as_ref().map_or_else(SnapshotWriter::default, |(state, run)| SnapshotWriter::after(state, run));
        Ok(Resumable { path, run, file, writer, interval, last: Instant::now(), failed: false, from })
    }
}

/// All that a run depends on, as text.
fn description(entry: &ScenarioEntry, law: &LawSpec, settings: &Settings) -> Result<String, Failure> {
    let scenario = write_expanded(entry).map_err(|e| Failure::Input(e.to_string()))?;
    let Settings { sample_interval: interval, most_samples: most, .. } = settings;
    let samples = format!("samples every {interval:?} s, at most {most:?}");
    Ok(format!("delassus {}\n{law:?}\n{samples}\n{scenario}", env!("CARGO_PKG_VERSION")))
}

impl Keeper for Resumable {
    fn is_due(&mut self, _progress: &Progress) -> bool {
        !self.failed && self.last.elapsed() >= self.interval
    }

    fn keep(&mut self, snapshot: &Snapshot, so_far: &Trajectory) {
        let piece = self.writer.piece(snapshot, so_far);
        if let Err(e) = self.write(&piece) {
            self.failed = true;
            // The run itself is not harmed.
            let _ = writeln!(std::io::stderr(), "{}: no more snapshots: {e}", self.path.display());
        }
        self.last = Instant::now();
    }
}

impl Resumable {
    /// Adds a piece; the first one comes with the file, which is there with its heading or not at all.
    fn write(&mut self, piece: &[u8]) -> std::io::Result<()> {
        if self.file.is_none() {
            if let Some(folder) = self.path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let part = output::part(&self.path, std::process::id());
            std::fs::write(&part, SnapshotWriter::heading(&self.run))?;
            std::fs::rename(&part, &self.path)?;
            self.file = Some(OpenOptions::new().append(true).open(&self.path)?);
        }
        match &mut self.file {
            Some(file) => file.write_all(piece).and_then(|()| file.sync_data()),
            None => Ok(()),
        }
    }

    /// Removes the file, where there is one: the results are whole.
    pub fn done(self) -> Result<(), Failure> {
        if self.file.is_none() {
            return Ok(());
        }
        std::fs::remove_file(&self.path).map_err(|e| Failure::Input(format!("{}: {e}", self.path.display())))
    }

    /// Where the snapshots are.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
