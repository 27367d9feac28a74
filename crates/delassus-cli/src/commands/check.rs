//! `delassus check`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use delassus_io::ReadOptions;

use crate::batch::{check_laws, laws_for};
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
    for (file, entry) in &problems.entries {
        check_laws(&laws_for(entry, &[]), entry, &problems.files[*file])?;
    }
    let mut out = std::io::stdout().lock();
    for (i, file) in problems.files.iter().enumerate() {
        let count = problems.entries.iter().filter(|(f, _)| *f == i).count();
        writeln!(out, "{file}: {count} {}, valid", if count == 1 { "problem" } else { "problems" })?;
    }
    Ok(ExitCode::SUCCESS)
}
