//! `delassus check`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use delassus_io::ReadOptions;

use crate::batch::check_laws;
use crate::failure::Failure;
use crate::input::read_files;

/// Check problem files without computing anything
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  delassus check papers/*/*.toml")]
pub struct Args {
    /// Problem files, TOML or JSON; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let problems = read_files(&args.files, &ReadOptions::default())?;
    check_laws(&problems.entries(), &[])?;
    let mut out = std::io::stdout().lock();
    for (file, entries) in &problems.files {
        let count = entries.len();
        writeln!(out, "{file}: {count} {}, valid", if count == 1 { "problem" } else { "problems" })?;
    }
    Ok(ExitCode::SUCCESS)
}
