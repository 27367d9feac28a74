//! `delassus impact`.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use delassus::{LawSpec, Options, Solutions};
use delassus_io::{Format, ReadOptions, law_by_name, read_problems, write_outcomes};

use crate::batch::{Quality, check_laws, laws_for, resolve_all};
use crate::commands::examples;
use crate::failure::Failure;
use crate::input::{Problems, read_files};
use crate::{output, table};

/// Resolve impacts under one law or several and compare the answers
///
/// For each problem a table with one column per law: velocities, impulses,
/// states, energy, and a verdict in words. Without FILE an embedded example,
/// Kane's double pendulum, under every law that applies.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Problem files, TOML or JSON, one problem or many; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Law to use; may be repeated [default: the file's law, else every law that applies]
    #[arg(long = "law", value_name = "NAME", value_delimiter = ',')]
    laws: Vec<String>,
    /// Look for all solutions of each law (planar) or for several (spatial)
    #[arg(long)]
    all: bool,
    /// Exit with status 1 if an answer gains energy, penetrates or pulls
    #[arg(long)]
    strict: bool,
    /// Print JSON: one array of outcomes per problem
    #[arg(long)]
    json: bool,
    /// Record the path of laws that follow the impact in time (JSON only)
    #[arg(long, requires = "json")]
    path: bool,
}

const AFTER_HELP: &str = "\
Laws: newton, moreau, poisson, kinematic, lzb, sequential, walton, stronge.
Units are SI: velocities m/s or rad/s, impulses N s or N m s, energies J.

Examples:
  delassus impact                                     the embedded example
  delassus examples --write .                         more examples, as files
  delassus impact kane.toml --law newton --law poisson
  delassus impact batch.json --law poisson --json > outcomes.json
  some-program | delassus impact - --strict";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let named = named_laws(&args.laws)?;
    let options = ReadOptions { kinematic: named.iter().any(|law| matches!(law, LawSpec::Kinematic(_))) };
    let problems = if args.files.is_empty() { embedded(&options)? } else { read_files(&args.files, &options)? };
    for (file, entry) in &problems.entries {
        check_laws(&laws_for(entry, &named), entry, &problems.files[*file])?;
    }

    let wanted = Options {
        solutions: if args.all { Solutions::All } else { Solutions::Preferred },
        path: args.path,
        eigenvalues: true,
    };
    let laws = |entry: &_| laws_for(entry, &named);
    let width = output::width();
    let rendered = resolve_all(&problems.entries, &laws, &wanted, |entry, laws, outcomes| {
        if args.json {
            let mut out = Vec::new();
            let named_outcomes = laws.iter().map(LawSpec::name).zip(outcomes);
            write_outcomes(&mut out, &entry.problem, named_outcomes).map(|()| out)
        } else {
            Ok(table::render(entry, laws, outcomes, width).into_bytes())
        }
    });
    let worst = rendered.iter().map(|(_, quality)| *quality).max().unwrap_or(Quality::Sound);
    let pieces = rendered.into_iter().map(|(piece, _)| piece).collect::<Result<Vec<_>, _>>();
    let pieces = pieces.map_err(|e| Failure::Output(e.into()))?;
    if args.json {
        print_json(&pieces, problems.batch)?;
    } else {
        let mut out = BufWriter::new(anstream::AutoStream::auto(std::io::stdout()));
        for (i, piece) in pieces.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            out.write_all(piece)?;
        }
        if args.files.is_empty() {
            out.write_all(examples::KANE_EPILOGUE.as_bytes())?;
        }
        out.flush()?;
    }
    Ok(match worst {
        Quality::Sound => ExitCode::SUCCESS,
        Quality::Unsound if !args.strict => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

fn named_laws(names: &[String]) -> Result<Vec<LawSpec>, Failure> {
    let mut laws: Vec<LawSpec> = Vec::new();
    for name in names {
        let law = law_by_name(name).map_err(|e| Failure::Input(format!("--law {}: {}", e.value, e.problem)))?;
        if !laws.contains(&law) {
            laws.push(law);
        }
    }
    Ok(laws)
}

fn embedded(options: &ReadOptions) -> Result<Problems, Failure> {
    let document = read_problems(examples::KANE, "kane.toml (embedded)", Format::Toml, options)?;
    let entries = document.entries.into_iter().map(|entry| (0, entry)).collect();
    Ok(Problems { entries, files: vec!["kane.toml (embedded)".into()], batch: document.batch })
}

fn print_json(pieces: &[Vec<u8>], batch: bool) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    if batch {
        out.write_all(b"[\n")?;
    }
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            out.write_all(b",\n")?;
        }
        out.write_all(piece)?;
    }
    out.write_all(if batch { b"\n]\n" } else { b"\n" })?;
    out.flush()?;
    Ok(())
}
