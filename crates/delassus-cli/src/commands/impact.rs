//! `delassus impact`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use delassus::{ImpactOutcome, LawSpec, Options, Solutions};
use delassus_io::{Format, ReadOptions, law_by_name, read_problems, write_outcomes};
use delassus_report::Repeat;
use delassus_study::batch::{Batch, Task, resolve_all};
use delassus_study::verdict::Quality;

use crate::commands::examples;
use crate::failure::Failure;
use crate::input::{Problems, check_laws, read_files, read_text, task};
use crate::limits::{self, SolverArgs};
use crate::pictures;
use crate::summary::Summary;
use crate::{impacts, laws, output, table};

/// Resolve impacts under one law or several and compare the answers
///
/// For each problem a table with one column per law: velocities, impulses,
/// states, energy, and a verdict in words. Without FILE an embedded example,
/// Kane's double pendulum, under every law that applies.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("Laws: {}.\n{AFTER_HELP}", laws::names()))]
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
    #[command(flatten)]
    solver: SolverArgs,
    /// Exit with status 1 if an answer gains energy, penetrates or pulls
    #[arg(long)]
    strict: bool,
    /// Print JSON: one array of outcomes per problem
    #[arg(long)]
    json: bool,
    /// Record the path of laws that follow the impact in time (JSON only)
    #[arg(long, requires = "json")]
    path: bool,
    /// Draw velocities and impulses: NAME.svg, .png, or .html with all numbers
    #[arg(long, value_name = "NAME")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

/// What stands below the arguments in full: with the data of laws, and the short forms of problems.
pub fn long_help() -> String {
    format!("{}\n{}\n{AFTER_HELP}", laws::help(), laws::short_forms_help(delassus_io::problem_schema()))
}

const AFTER_HELP: &str = "\
Units are SI: velocities m/s or rad/s, impulses N s or N m s, energies J.

Examples:
  delassus impact                                     the embedded example
  delassus examples --write .                         more examples, as files
  delassus impact kane.toml --law newton --law poisson
  delassus impact batch.json --law poisson --json > outcomes.json
  delassus impact kane.toml --out kane.svg            velocities, and impulses in their cones
  some-program | delassus impact - --strict";

/// On a terminal more problems than this are told by their summary alone.
const MOST_TABLES: usize = 20;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let named = named_laws(&args.laws)?;
    let limits = args.solver.solver()?;
    let options = ReadOptions::for_laws(&named);
    let problems = if args.files.is_empty() { embedded(&options)? } else { read_files(&args.files, &options)? };
    let entries = problems.entries();
    check_laws(&entries, &named)?;
    if let Some(out) = &args.out {
        output::refuse_file(out, args.force)?;
        let picture = impacts::draw(&entries, &named, limits, out, &inputs(&args.files)?)?;
        output::write_whole(out, &picture, args.force)?;
    }

    let wanted = Options {
        solutions: if args.all { Solutions::All } else { Solutions::Preferred },
        path: args.path,
        eigenvalues: true,
        ..Options::default()
    };
    let tasks: Vec<Task<'_>> = entries.iter().map(|(_, entry)| task(entry)).collect();
    let batch = Batch { named: &named, options: &wanted, solver: limits, limits: &limits::from_now };
    let worst = if args.json {
        let mut out = std::io::stdout().lock();
        let (begin, end): (&[u8], &[u8]) = if problems.batch { (b"[\n", b"\n]\n") } else { (b"", b"\n") };
        let render = |out: &mut Vec<u8>, index: usize, laws: &[LawSpec], outcomes: &[ImpactOutcome]| {
            write_outcomes(out, tasks[index].problem, laws.iter().map(LawSpec::name).zip(outcomes));
        };
        out.write_all(begin)?;
        let worst = resolve_all(&tasks, &batch, b",\n", render, |piece| out.write_all(piece))?;
        out.write_all(end)?;
        out.flush()?;
        worst
    } else {
        let width = output::width();
        let mut out = anstream::AutoStream::auto(std::io::stdout()).lock();
        let summary = Mutex::new(Summary::default());
        let tables = tasks.len() <= MOST_TABLES || !std::io::stdout().is_terminal();
        let render = |out: &mut Vec<u8>, index: usize, laws: &[LawSpec], outcomes: &[ImpactOutcome]| {
            if tables {
                out.extend_from_slice(table::render(entries[index].1, laws, outcomes, width).as_bytes());
            }
            if tasks.len() > 1 {
                // A thread that panicked leaves counts that are still counts.
                let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
                summary.add(tasks[index].problem, laws, outcomes);
            }
        };
        let separator: &[u8] = if tables { b"\n" } else { b"" };
        let worst = resolve_all(&tasks, &batch, separator, render, |piece| out.write_all(piece))?;
        if tasks.len() > 1 {
            let summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
            out.write_all(summary.text(tasks.len(), tables).as_bytes())?;
        }
        if args.files.is_empty() {
            out.write_all(examples::KANE_EPILOGUE.as_bytes())?;
        }
        out.flush()?;
        worst
    };
    // Giving back the memory of a large batch takes longer than ending does.
    std::mem::forget(problems);
    Ok(match worst {
        Quality::Sound => ExitCode::SUCCESS,
        Quality::Unsound if !args.strict => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// What a page says about how it was made.
fn inputs(files: &[PathBuf]) -> Result<Repeat, Failure> {
    let read = files.iter().filter(|file| file.as_os_str() != "-").map(|file| read_text(file));
    let mut input = read.collect::<Result<Vec<_>, _>>()?;
    if files.is_empty() {
        input.push(("kane.toml (embedded)".to_owned(), examples::KANE.to_owned()));
    }
    Ok(pictures::repeat(input))
}

pub(super) fn named_laws(names: &[String]) -> Result<Vec<LawSpec>, Failure> {
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
    Ok(Problems { files: vec![("kane.toml (embedded)".into(), document.entries)], batch: document.batch })
}
