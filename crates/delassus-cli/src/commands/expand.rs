//! `delassus expand`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use delassus_io::{InputError, write_expanded};

use crate::failure::Failure;
use crate::scenarios::read_scenario_files;

/// Show a scenario with its short forms written out
///
/// The result is a scenario file itself: bodies, supports, joints, materials
/// and all settings with their values.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Scenario file, TOML or JSON; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let scenarios = read_scenario_files(std::slice::from_ref(&args.file))?;
    let mut out = std::io::stdout().lock();
    for (_, entry) in &scenarios.entries {
        let wrong = |e: delassus::ImpactError| InputError::new(&scenarios.files[0], e.within(&entry.path));
        entry.scenario.build().map_err(wrong)?;
        let text = write_expanded(entry).map_err(wrong)?;
        if scenarios.entries.len() > 1 {
            writeln!(out, "# {}", entry.path)?;
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
