//! Snapshots of a run beside its results, so that a run that was cut off can go on.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use delassus::LawSpec;
use delassus::simulate::{Keeper, Progress, Scheme, Settings, Snapshot, Trajectory, Until};
use delassus_io::{Kept, ScenarioEntry, SnapshotWriter, read_snapshots, write_expanded};

use crate::failure::Failure;
use crate::output;

/// What the command line says about snapshots.
#[derive(Debug, clap::Args)]
pub struct SnapshotArgs {
    /// Seconds between snapshots of a run by time-stepping, which stand in NAME.snapshot until the results are written;
    /// 0: every step [default: 60]
    #[arg(long, value_name = "SECONDS", requires = "out")]
    snapshot: Option<f64>,
    /// Go on from the last snapshot of a run that was cut off
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub resume: bool,
}

/// A run with its snapshots.
pub struct Resumable {
    path: PathBuf,
    file: File,
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

    /// Opens the snapshots of a run whose results go to `out`; none for runs that have none.
    pub fn open(
        &self,
        out: &Path,
        force: bool,
        runs: &[(&ScenarioEntry, &LawSpec, &Settings, &Until)],
    ) -> Result<Option<Resumable>, Failure> {
        let interval = self.interval()?;
        let unfit = match runs {
            [(_, _, settings, _)] if settings.scheme != Scheme::TimeStepping => "a run by time-stepping",
            [(_, _, settings, until)] if until.bound && settings.sample_interval.is_none() => {
                "[until] time or [output] interval"
            }
            [_] => "",
            _ => "one scenario under one law",
        };
        match runs {
            [(entry, law, settings, _)] if unfit.is_empty() => {
                self.open_one(out, force, interval, &description(entry, law, settings)?).map(Some)
            }
            _ if self.resume => Err(Failure::Input(format!("--resume: snapshots need {unfit}"))),
            _ => Ok(None),
        }
    }

    fn open_one(&self, out: &Path, force: bool, interval: Duration, run: &str) -> Result<Resumable, Failure> {
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
        if kept.is_none() {
            // Whole or not at all.
            let part = output::part(&path, std::process::id());
            std::fs::write(&part, SnapshotWriter::heading(run)).map_err(failed)?;
            std::fs::rename(&part, &path).map_err(failed)?;
        }
        let mut file = OpenOptions::new().write(true).open(&path).map_err(failed)?;
        if let Some(kept) = &kept {
            // A piece that was cut off goes.
            file.set_len(kept.length as u64).map_err(failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let from = kept.and_then(|kept| kept.last);
        let writer = from.as_ref().map_or_else(SnapshotWriter::default, |(_, so_far)| SnapshotWriter::after(so_far));
        Ok(Resumable { path, file, writer, interval, last: Instant::now(), failed: false, from })
    }
}

/// All that a run depends on, as text.
fn description(entry: &ScenarioEntry, law: &LawSpec, settings: &Settings) -> Result<String, Failure> {
    let scenario = write_expanded(entry).map_err(|e| Failure::Input(e.to_string()))?;
    let interval = settings.sample_interval;
    Ok(format!("delassus {}\n{law:?}\nsamples every {interval:?} s\n{scenario}", env!("CARGO_PKG_VERSION")))
}

impl Keeper for Resumable {
    fn is_due(&mut self, _progress: &Progress) -> bool {
        !self.failed && self.last.elapsed() >= self.interval
    }

    fn keep(&mut self, snapshot: &Snapshot, so_far: &Trajectory) {
        let piece = self.writer.piece(snapshot, so_far);
        let written = self.file.write_all(&piece).and_then(|()| self.file.sync_data());
        if let Err(e) = written {
            self.failed = true;
            // The run itself is not harmed.
            let _ = writeln!(std::io::stderr(), "{}: no more snapshots: {e}", self.path.display());
        }
        self.last = Instant::now();
    }
}

impl Resumable {
    /// Removes the file: the results are whole.
    pub fn done(self) -> Result<(), Failure> {
        std::fs::remove_file(&self.path).map_err(|e| Failure::Input(format!("{}: {e}", self.path.display())))
    }

    /// Where the snapshots are.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
