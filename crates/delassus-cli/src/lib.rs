//! The `delassus` program: impacts of rigid bodies that touch at several points at once.
//!
//! A library, so that the Python package brings the same program along.
#![forbid(unsafe_code)]

mod bar;
mod commands;
mod failure;
mod impacts;
mod input;
mod laws;
mod limits;
mod motion;
mod motion_workload;
mod output;
mod pictures;
mod progress;
mod records;
mod results;
mod scenarios;
mod snapshots;
mod summary;
mod table;
mod workload;

pub use commands::contact::answer as contact;
pub use commands::sweep::{identity as sweep_identity, named_law, swept_record};

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Impact laws for rigid bodies that touch at several points at once.
#[derive(Debug, Parser)]
#[command(name = "delassus", version, arg_required_else_help = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit status: 0 every answer was found, 1 some answer was not (or, with --strict, is not sound), 2 bad input.
SI units throughout. Start with: delassus impact";

#[derive(Debug, Subcommand)]
enum Command {
    Impact(commands::impact::Args),
    Map(commands::map::Args),
    Sweep(commands::sweep::Args),
    Merge(commands::merge::Args),
    Score(commands::score::Args),
    Fit(commands::fit::Args),
    Check(commands::check::Args),
    Contact(commands::contact::Args),
    Reproduce(commands::reproduce::Args),
    Schema(commands::schema::Args),
    Examples(commands::examples::Args),
    Run(commands::run::Args),
    Report(commands::report::Args),
    Lab(commands::lab::Args),
    Record(commands::record::Args),
    Expand(commands::expand::Args),
    Angles(commands::angles::Args),
    Bench(commands::bench::Args),
}

/// Runs the program with these arguments, the first of which is its own name. All output is written
/// when it returns. It may set a handler for Ctrl-C, so it should be called once in a process.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let matches = command_line(&args).try_get_matches_from(args);
    let code = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => execute(cli.command).unwrap_or_else(failure::Failure::report),
        // Also the answer to --help and --version, with status 0.
        Err(answer) => {
            let _ = answer.print();
            u8::try_from(answer.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
        }
    };
    let _ = std::io::stdout().flush();
    code
}

/// The arguments that there are. Texts that list all laws and short forms are put together for those who ask for them: that
/// takes as long as a small run.
fn command_line(args: &[OsString]) -> clap::Command {
    let command = Cli::command();
    if !args.iter().any(|arg| arg == "--help" || arg == "help") {
        return command;
    }
    command
        .mut_subcommand("impact", |impact| impact.after_long_help(commands::impact::long_help()))
        .mut_subcommand("run", |run| run.after_long_help(commands::run::long_help()))
}

fn execute(command: Command) -> Result<ExitCode, failure::Failure> {
    match command {
        Command::Impact(args) => commands::impact::run(&args),
        Command::Map(args) => commands::map::run(&args),
        Command::Sweep(args) => commands::sweep::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Score(args) => commands::score::run(&args),
        Command::Fit(args) => commands::fit::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Contact(args) => commands::contact::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Examples(args) => commands::examples::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Lab(args) => commands::lab::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Record(args) => commands::record::run(&args),
        Command::Expand(args) => commands::expand::run(&args),
        Command::Angles(args) => commands::angles::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
    }
}
