//! Result directories: they appear whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use delassus::LawSpec;
use delassus::model::System;
use delassus::scenario::Built;
use delassus::simulate::Trajectory;
use delassus_io::{RunRecord, ScenarioEntry, write_columns, write_csv, write_expanded, write_impacts, write_npz};

use crate::failure::Failure;
use crate::output;

/// The files of one run, and the name of its directory in a batch.
pub struct RunFiles {
    name: String,
    files: Vec<(&'static str, Vec<u8>)>,
}

/// How the samples of a run are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Samples {
    /// A table with a column for each number
    Csv,
    /// Arrays for numpy
    Npz,
}

/// Positions beyond which a table has too many columns: those of 50 bodies in space.
const MANY: usize = 350;

impl Samples {
    /// What is asked for; else a table for few bodies and arrays for many.
    fn of(asked: Option<Samples>, built: &Built) -> Samples {
        asked.unwrap_or(if built.system.positions() > MANY { Samples::Npz } else { Samples::Csv })
    }
}

/// The files of one run.
pub fn files(
    entry: &ScenarioEntry,
    built: &Built,
    law: &LawSpec,
    run: &Trajectory,
    samples: Option<Samples>,
) -> Result<RunFiles, Failure> {
    let mut files = Vec::new();
    match Samples::of(samples, built) {
        Samples::Npz => files.push((FILES[6], write_npz(&built.system, run).map_err(Failure::Input)?)),
        Samples::Csv => {
            let (mut csv, mut columns) = (Vec::new(), Vec::new());
            write_csv(&mut csv, &built.system, run)?;
            write_columns(&mut columns, &built.system, run)?;
            files.extend([(FILES[0], csv), (FILES[4], columns)]);
        }
    }
    let mut impacts = Vec::new();
    write_impacts(&mut impacts, &built.system, run)?;
    let name = entry.scenario.name.as_deref();
    let record = RunRecord::new(name, law.name(), &built.system, run);
    let mut json = record.to_pretty_json().map_err(|e| Failure::Output(e.into()))?;
    json.push(b'\n');
    let expanded = write_expanded(entry).map_err(|e| Failure::Input(e.to_string()))?;
    let version = format!("delassus {}\n", env!("CARGO_PKG_VERSION"));
    let plain = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let base: String = name.unwrap_or("run").chars().map(plain).collect();
    files.extend([
        (FILES[1], json),
        (FILES[2], expanded.into_bytes()),
        (FILES[3], version.into_bytes()),
        (FILES[5], impacts),
    ]);
    Ok(RunFiles { name: format!("{base}-{}", law.name()), files })
}

/// The names of a run's files.
const FILES: [&str; 7] =
    ["trajectory.csv", "run.json", "scenario.toml", "version.txt", "columns.csv", "impacts.csv", "trajectory.npz"];

/// An error where the directory cannot be written, or exists and may not be
/// replaced: without `force` never, with it if it holds nothing but results.
pub fn refuse_existing(directory: &Path, force: bool) -> Result<(), Failure> {
    let name = directory.display();
    if directory.file_name().is_none() || directory.exists() && !directory.is_dir() {
        return Err(Failure::Input(format!("--out {name}: must name a directory for the results alone")));
    }
    output::refuse_existing(directory, force)?;
    if !directory.exists() {
        return Ok(());
    }
    match foreign(directory, true) {
        Ok(None) => Ok(()),
        Ok(Some(foreign)) => Err(Failure::Input(format!(
            "{} is no result of a run; --force replaces a directory only if it holds nothing else",
            foreign.display()
        ))),
        Err(e) => Err(Failure::Input(format!("{name}: cannot read: {e}"))),
    }
}

/// Something in the directory that [`write`] does not make; at its `top` it makes numbered directories.
fn foreign(directory: &Path, top: bool) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let name = name.to_string_lossy();
        let numbered = name.split_once('-').is_some_and(|(number, _)| number.parse::<usize>().is_ok());
        if top && kind.is_dir() && numbered {
            if let Some(inside) = foreign(&entry.path(), false)? {
                return Ok(Some(inside));
            }
        } else if !(kind.is_file() && FILES.contains(&&*name)) {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

/// Writes the runs to a directory beside its place and moves it there when it
/// is complete: one run directly, several in numbered directories.
pub fn write(directory: &Path, runs: Vec<RunFiles>, force: bool) -> Result<(), Failure> {
    let failed = |e: io::Error| Failure::Input(format!("{}: cannot write: {e}", directory.display()));
    // Once more: the runs may have taken long.
    refuse_existing(directory, force)?;
    let mut name = directory.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = directory.with_file_name(name);
    let written = write_parts(&part, &runs).and_then(|()| {
        if force && directory.exists() {
            let mut old = part.clone();
            old.set_extension("old");
            fs::rename(directory, &old)?;
            fs::rename(&part, directory)?;
            fs::remove_dir_all(&old)
        } else {
            fs::rename(&part, directory)
        }
    });
    written.map_err(|e| {
        let _ = fs::remove_dir_all(&part);
        failed(e)
    })
}

fn write_parts(part: &Path, runs: &[RunFiles]) -> io::Result<()> {
    fs::create_dir_all(part)?;
    for (i, run) in runs.iter().enumerate() {
        let place = if runs.len() == 1 { part.to_owned() } else { part.join(format!("{:04}-{}", i + 1, run.name)) };
        fs::create_dir_all(&place)?;
        for (file, content) in &run.files {
            let mut file = fs::File::create_new(place.join(file))?;
            file.write_all(content)?;
            file.sync_all()?;
        }
    }
    Ok(())
}
