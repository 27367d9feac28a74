//! `delassus schema`.

use std::io::Write;
use std::process::ExitCode;

use crate::failure::Failure;

/// Print the JSON schema of problem or scenario files (TOML files have the same keys)
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which files
    #[arg(value_enum, default_value_t = Kind::Problem)]
    kind: Kind,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Kind {
    /// What `delassus impact` reads
    Problem,
    /// What `delassus run` reads
    Scenario,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    match args.kind {
        Kind::Problem => out.write_all(delassus_io::problem_schema().as_bytes())?,
        Kind::Scenario => out.write_all(delassus_io::scenario_schema().as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}
