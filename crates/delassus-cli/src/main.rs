//! The `delassus` program: impacts of rigid bodies that touch at several points at once.
#![forbid(unsafe_code)]

mod commands;
mod failure;
mod input;
mod laws;
mod limits;
mod motion;
mod motion_workload;
mod output;
mod progress;
mod records;
mod results;
mod scenarios;
mod table;
mod workload;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Check(commands::check::Args),
    Reproduce(commands::reproduce::Args),
    Schema(commands::schema::Args),
    Examples(commands::examples::Args),
    Run(commands::run::Args),
    Record(commands::record::Args),
    Expand(commands::expand::Args),
    Angles(commands::angles::Args),
    Bench(commands::bench::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Impact(args) => commands::impact::run(&args),
        Command::Map(args) => commands::map::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Examples(args) => commands::examples::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Record(args) => commands::record::run(&args),
        Command::Expand(args) => commands::expand::run(&args),
        Command::Angles(args) => commands::angles::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
