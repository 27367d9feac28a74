//! The `delassus` program.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    delassus_cli::run(std::env::args_os())
}
