//! `delassus check`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use delassus_io::{Format, ReadOptions, is_scenario};

use crate::failure::Failure;
use crate::input::warn;
use crate::input::{check_laws, check_text, read_text, refuse_two_inputs};
use crate::scenarios::{build, read_scenario_text};

/// Check files, problems and scenarios, without computing anything
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  delassus examples --write examples\n  delassus check examples/*.toml")]
pub struct Args {
    /// Problem and scenario files, TOML or JSON; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command: every file is looked at, and what is wrong is told of each.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    refuse_two_inputs(&args.files)?;
    let (mut valid, mut wrong) = (String::new(), Vec::new());
    for file in &args.files {
        match check(file) {
            Ok((name, count, kind)) => {
                valid.push_str(&format!("{name}: {count} {kind}{}, valid\n", if count == 1 { "" } else { "s" }));
            }
            Err(Failure::Input(message)) => wrong.push(message),
            Err(other) => return Err(other),
        }
    }
    std::io::stdout().lock().write_all(valid.as_bytes())?;
    match wrong.len() {
        0 => Ok(ExitCode::SUCCESS),
        1 if args.files.len() == 1 => Err(Failure::Input(wrong.remove(0))),
        count => {
            let (all, is) = (args.files.len(), if count == 1 { "is" } else { "are" });
            Err(Failure::Input(format!("{count} of {all} files {is} not valid\n{}", wrong.join("\n"))))
        }
    }
}

/// Name, number of entries and kind of a file that is right.
fn check(file: &Path) -> Result<(String, usize, &'static str), Failure> {
    let (name, text) = read_text(file)?;
    let format = Format::detect(file, &text);
    if is_scenario(&text, format) {
        let scenarios = read_scenario_text(file, &name, &text)?;
        for entry in &scenarios.entries {
            build(&name, entry)?;
            warn(&name, &entry.path, &entry.remarks);
        }
        return Ok((name, scenarios.entries.len(), "scenario"));
    }
    let (entries, _) = check_text(&text, &name, format, &ReadOptions::default())?;
    entries.iter().for_each(|entry| warn(&name, &entry.path(), &entry.remarks));
    check_laws(&entries.iter().map(|entry| (name.as_str(), entry)).collect::<Vec<_>>(), &[])?;
    Ok((name, entries.len(), "problem"))
}
