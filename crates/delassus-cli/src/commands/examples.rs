//! `delassus examples`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::failure::{Failure, known_words};
use crate::output::{refuse_file, write_whole};

/// List, print or write the embedded example files
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  delassus examples                    list them
  delassus examples block              print one
  delassus examples --write .          write all of them here
  delassus examples kane --write DIR   write one")]
pub struct Args {
    /// Name of an example, with or without .toml
    name: Option<String>,
    /// Write to this directory instead of printing
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "write")]
    force: bool,
}

macro_rules! examples {
    ($($file:literal: $about:literal,)*) => {
        /// File name, what it is, content.
        const EXAMPLES: &[(&str, &str, &str)] =
            &[$(($file, $about, include_str!(concat!("../../examples/", $file))),)*];
    };
}

examples! {
    "kane.toml": "Kane's double pendulum strikes the ground: Newton's law gains energy",
    "block.toml": "a rocking block lands on one corner while the other one rests",
    "chain3.toml": "three balls in a row, the first one strikes",
    "stack.toml": "two stacked bodies fall on the ground",
    "rod.toml": "a slender rod falls on its tip, with friction",
    "clutch.toml": "slide-push mechanism with a one-way clutch",
    "sphere.toml": "a sphere strikes obliquely, in space: three angles with measured values",
    "table.toml": "a four-legged table lands, in space, with redundant contacts",
    "rod_impact.toml": "the rod in named quantities, for delassus map",
    "block_impact.toml": "the rocking block in named quantities, for delassus map",
}

/// Kane's double pendulum.
pub const KANE: &str = EXAMPLES[0].2;

/// What to make of the answers to [`KANE`], and where to go from there.
pub const KANE_EPILOGUE: &str = "
Why does Newton's answer gain energy? Newton's law fixes the normal velocity after the impact at 0.5
times the approach and takes whatever impulses that needs. The pendulum couples normal and tangential
directions so strongly that friction has to push the tip along the direction in which it slid: its
impulse and the velocity before have the same sign, and it does +0.392 J of work, more than the
0.229 J that the normal impulse takes out. Newton's law is safe only with equal coefficients; here
they are 0.5 (normal) and 0 (tangential). Poisson's law returns half of the normal impulse, not of
the velocity, and loses energy. (For one contact, kinematic and sequential are Newton's law again.)

What to try next:
  delassus examples --write .                      the examples as files, this one is kane.toml
  delassus impact kane.toml --law poisson --json   everything that is known about one answer
  delassus impact --help
";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let chosen = match &args.name {
        Some(name) => std::slice::from_ref(find(name)?),
        None => EXAMPLES,
    };
    let mut out = std::io::stdout().lock();
    if let Some(directory) = &args.write {
        let there = |path: &Path, content: &str| std::fs::read(path).is_ok_and(|bytes| bytes == content.as_bytes());
        for (file, _, content) in chosen {
            let path = directory.join(file);
            refuse_file(&path, args.force || there(&path, content))?;
        }
        std::fs::create_dir_all(directory)
            .map_err(|e| Failure::Input(format!("{}: cannot create: {e}", directory.display())))?;
        for (file, _, content) in chosen {
            let path = directory.join(file);
            if there(&path, content) {
                writeln!(out, "{} is there already", path.display())?;
            } else {
                write_whole(&path, content.as_bytes(), args.force)?;
                writeln!(out, "wrote {}", path.display())?;
            }
        }
    } else if args.name.is_some() {
        out.write_all(chosen[0].2.as_bytes())?;
    } else {
        for (file, about, _) in EXAMPLES {
            writeln!(out, "{file:18} {about}")?;
        }
        writeln!(out, "\ndelassus examples --write DIR writes them, delassus impact FILE resolves one.")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn find(name: &str) -> Result<&'static (&'static str, &'static str, &'static str), Failure> {
    let stem = name.strip_suffix(".toml").unwrap_or(name);
    let stems: Vec<&str> = EXAMPLES.iter().map(|(file, ..)| file.trim_end_matches(".toml")).collect();
    if let Some(i) = stems.iter().position(|s| *s == stem) {
        return Ok(&EXAMPLES[i]);
    }
    Err(Failure::Input(format!("no example '{name}'{}", known_words(stem, &stems))))
}
