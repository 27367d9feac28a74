//! `delassus schema`.

use std::io::Write;
use std::process::ExitCode;

use crate::failure::Failure;

/// Print the JSON schema of problem files (TOML files have the same keys)
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args) -> Result<ExitCode, Failure> {
    std::io::stdout().lock().write_all(delassus_io::problem_schema().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
