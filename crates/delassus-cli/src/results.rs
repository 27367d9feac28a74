//! Result directories: they appear whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use delassus::LawSpec;
use delassus::scenario::Built;
use delassus::simulate::Trajectory;
use delassus_io::{RunRecord, ScenarioEntry, write_csv, write_expanded};

use crate::failure::Failure;

/// The files of one run, and the name of its directory in a batch.
pub struct RunFiles {
    name: String,
    files: Vec<(&'static str, Vec<u8>)>,
}

/// The files of one run.
pub fn files(entry: &ScenarioEntry, built: &Built, law: &LawSpec, run: &Trajectory) -> Result<RunFiles, Failure> {
    let mut csv = Vec::new();
    write_csv(&mut csv, &built.system, run)?;
    let name = entry.scenario.name.as_deref();
    let record = RunRecord::new(name, law.name(), &built.system, run);
    let mut json = serde_json::to_vec_pretty(&record).map_err(|e| Failure::Output(e.into()))?;
    json.push(b'\n');
    let expanded = write_expanded(entry).map_err(|e| Failure::Input(e.to_string()))?;
    let version = format!("delassus {}\n", env!("CARGO_PKG_VERSION"));
    let plain = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let base: String = name.unwrap_or("run").chars().map(plain).collect();
    Ok(RunFiles {
        name: format!("{base}-{}", law.name()),
        files: vec![
            ("trajectory.csv", csv),
            ("run.json", json),
            ("scenario.toml", expanded.into_bytes()),
            ("version.txt", version.into_bytes()),
        ],
    })
}

/// Writes the runs to a directory beside its place and moves it there when it
/// is complete: one run directly, several in numbered directories.
pub fn write(directory: &Path, runs: Vec<RunFiles>, force: bool) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::Input(format!("{}: cannot write: {e}", directory.display()));
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

fn write_parts(part: &Path, runs: &[RunFiles]) -> std::io::Result<()> {
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
