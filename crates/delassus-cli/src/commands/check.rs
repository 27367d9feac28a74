//! `delassus check`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use delassus_io::{Format, ReadOptions, is_scenario};

use crate::failure::Failure;
use crate::input::{check_laws, check_text, read_text, refuse_two_inputs};
use crate::scenarios::{build, read_scenario_text};

/// Check files, problems and scenarios, without computing anything
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  delassus check papers/*/*.toml scenarios/*.toml")]
pub struct Args {
    /// Problem and scenario files, TOML or JSON; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    refuse_two_inputs(&args.files)?;
    let mut valid = Vec::new();
    for file in &args.files {
        let (name, text) = read_text(file)?;
        let format = Format::detect(file, &text);
        if is_scenario(&text, format) {
            let scenarios = read_scenario_text(file, &name, &text)?;
            for entry in &scenarios.entries {
                build(&name, entry)?;
            }
            valid.push((name, scenarios.entries.len(), "scenario"));
        } else {
            let (entries, _) = check_text(&text, &name, format, &ReadOptions::default())?;
            check_laws(&entries.iter().map(|entry| (name.as_str(), entry)).collect::<Vec<_>>(), &[])?;
            valid.push((name, entries.len(), "problem"));
        }
    }
    let mut out = std::io::stdout().lock();
    for (name, count, kind) in valid {
        writeln!(out, "{name}: {count} {kind}{}, valid", if count == 1 { "" } else { "s" })?;
    }
    Ok(ExitCode::SUCCESS)
}
