//! `delassus run`.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use delassus::model::System;
use delassus::scenario::Built;
use delassus::simulate::{Control, End, Progress, Trajectory, simulate, simulate_kept};
use delassus::{LawSpec, SolverData};
use delassus_io::{Format, InputError, RunRecord, ScenarioEntry, read_scenarios, write_problem, write_runs};
use delassus_report::Repeat;
use delassus_study::laws;
use delassus_study::motion::{Agreement, sample_usually, simulate_drawn, simulate_sampled};
use rayon::prelude::*;

use crate::commands::impact::named_laws;
use crate::failure::Failure;
use crate::input::read_text;
use crate::limits::{self, SolverArgs};
use crate::motion::{Comparison, Summary};
use crate::pictures::{self, Picture, Shown};
use crate::progress::Bar;
use crate::scenarios::{Scenarios, build, read_scenario_files};
use crate::snapshots::{Resumable, SnapshotArgs};
use crate::{output, results};

/// Simulate scenarios with exact impact and stick-slip times
///
/// Without FILE an embedded rocking block. With several laws the same scenario
/// runs under each, and the runs are compared.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Scenario files, TOML or JSON; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Impact law; may be repeated [default: the file's law, else newton]
    #[arg(long = "law", value_name = "NAME", value_delimiter = ',')]
    laws: Vec<String>,
    #[command(flatten)]
    solver: SolverArgs,
    /// A picture (NAME.svg, .png, .gif or .html), or a directory for the results:
    /// trajectory.csv (columns.csv says what its columns are) or trajectory.npz, impacts.csv, run.json, scenario.toml,
    /// version.txt
    #[arg(long, value_name = "NAME")]
    out: Option<PathBuf>,
    /// How the samples in a directory are written [default: csv, for more than 50 bodies npz]
    #[arg(long, value_enum, value_name = "KIND", requires = "out")]
    samples: Option<results::Samples>,
    #[command(flatten)]
    snapshots: SnapshotArgs,
    /// Replace the file if it exists, or the directory if it holds results alone
    #[arg(long, requires = "out")]
    force: bool,
    /// Write the N-th impact of the run as a problem (--out NAME.toml), which `delassus impact` reads
    #[arg(long, value_name = "N", requires = "out", conflicts_with = "sensitivity")]
    impact: Option<usize>,
    /// Run again at a tenth of the tolerance and from a start that differs in the last digits, and tell up to which time
    /// both runs agree
    #[arg(long)]
    sensitivity: bool,
    /// Print JSON: one object, or an array of them for several runs
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
A run ends at [until] time, impacts, rest or overturned, whatever comes first; without
[until] after 10 s, with a record or pulse 10 s after that has ended, or at rest. Without time it goes on until the
end that is given happens, and gives up after 10000 s with the status time-limit.

Ctrl-C, or --time-limit, stops the runs and keeps what was computed, marked as interrupted. A run whose results go to
a directory keeps snapshots beside it: --resume goes on from the last, also after a kill.

Examples:
  delassus run                                  the embedded rocking block
  delassus run block.toml --law newton,poisson,lzb
  delassus run block.toml --out results
  delassus run block.toml --law lzb,newton --out block.html    a page with a player, offline
  delassus run block.toml --out block.gif                      the animation; .svg, .png: the curves
  delassus run block.toml --impact 2 --out second.toml         then: delassus impact second.toml
  delassus run block.toml --sensitivity
  delassus run pile.toml --out pile --resume                   goes on where it was cut off
  delassus run a.toml b.toml --json > runs.json

Short forms such as [rocking_block], with their keys: delassus run --help, docs/files.md.";

/// What stands below the arguments in full: with the short forms of scenarios.
pub fn long_help() -> String {
    format!("{}\n{AFTER_HELP}", crate::laws::short_forms_help(&delassus_io::scenario_schema()))
}

/// The scenario that runs without a file.
const EMBEDDED: &str = include_str!("../../../../scenarios/rocking-block.toml");

/// Samples of a run whose file gives no interval.
const SAMPLES: f64 = 1000.0;

/// One scenario under one law.
pub(super) struct Job<'a> {
    pub entry: &'a ScenarioEntry,
    pub file: &'a str,
    pub built: Built,
    pub law: LawSpec,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let named = named_laws(&args.laws)?;
    let given = args.solver.solver()?;
    let scenarios = if args.files.is_empty() { embedded()? } else { read_scenario_files(&args.files)? };
    let mut jobs = jobs(&scenarios, &named)?;
    if let (Some(number), Some(out)) = (args.impact, &args.out) {
        return write_impact(&jobs, number, out, args.force);
    }
    let sampled = !args.json || args.out.is_some() || args.sensitivity;
    let picture = args.out.as_deref().map(Picture::of).transpose()?.flatten();
    // What an interrupted run has left may be replaced by the rest of it.
    let replace = args.force || args.snapshots.resume;
    match &args.out {
        Some(out) if picture.is_some() => output::refuse_file(out, args.force)?,
        Some(out) => results::refuse_existing(out, replace)?,
        None => {}
    }

    let sampling = match (picture, sampled) {
        (Some(_), _) => Sampling::Drawn,
        (None, true) => Sampling::Usual,
        (None, false) => Sampling::None,
    };
    let mut kept = match &args.out {
        Some(out) if picture.is_none() => snapshots(&mut jobs, args, out)?,
        _ if args.snapshots.resume => {
            return Err(Failure::Input("--resume: is for results in a directory, not for pictures".into()));
        }
        _ => None,
    };
    let runs = match &mut kept {
        Some(kept) => vec![compute_kept(&jobs[0], given, kept, !args.json)?],
        None => compute(&jobs, given, sampling, !args.json)?,
    };
    let agreements = match args.sensitivity {
        true => Some(agreements(&jobs, &runs, given, !args.json)?),
        false => None,
    };

    if let (Some(file), Some(picture)) = (&args.out, picture) {
        let parts: Vec<_> = jobs
            .iter()
            .zip(&runs)
            .map(|(job, run)| Shown::new(job.file, job.entry, &job.built, &job.law, run))
            .collect();
        output::write_whole(file, &picture.draw(&parts, &inputs(args)?)?, args.force)?;
    } else if let Some(directory) = &args.out {
        let parts = jobs.iter().zip(&runs).map(|(job, run)| {
            let Job { entry, built, law, .. } = job;
            results::files(entry, built, law, run, args.samples)
        });
        let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
        results::write(directory, parts, replace)?;
    }
    let unfinished = runs.iter().any(|run| run.end == End::Interrupted);
    if let Some(kept) = kept {
        if unfinished {
            writeln!(std::io::stderr(), "{} holds the state; --resume goes on from it", kept.path().display())?;
        } else {
            kept.done()?;
        }
    }
    if args.json {
        print_json(&jobs, &runs, agreements.as_deref())?;
    } else {
        print_summaries(&scenarios, &jobs, &runs)?;
        for (job, agreement) in jobs.iter().zip(agreements.iter().flatten()) {
            writeln!(std::io::stdout(), "{} under {}: {}", title(job), job.law.name(), agreement.words())?;
        }
        if let Some(directory) = &args.out {
            writeln!(std::io::stdout(), "\nResults in {}", directory.display())?;
        }
    }
    let solved = runs.iter().all(Trajectory::is_solved);
    Ok(if solved { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Writes one impact of a run as a problem.
fn write_impact(jobs: &[Job<'_>], number: usize, out: &Path, force: bool) -> Result<ExitCode, Failure> {
    let [job] = jobs else {
        return Err(Failure::Input("--impact: needs one scenario under one law".into()));
    };
    if number == 0 || out.extension().is_none_or(|ending| ending != "toml") {
        return Err(Failure::Input("--impact: impacts are numbered from 1, and --out must end in .toml".into()));
    }
    output::refuse_file(out, force)?;
    let Built { system, q, u, mut settings, mut until } = job.built.clone();
    settings.keep_impact = Some(number - 1);
    until.impacts = Some(number);
    let run = simulate(&system, &q, &u, &job.law, &settings, &until, &mut |_| Control::Continue);
    let run = run.map_err(|e| InputError::new(job.file, e.within(&job.entry.path)))?;
    let (Some(kept), Some(impact)) = (&run.kept, run.impacts.get(number - 1)) else {
        let count = run.impacts.len();
        let steps = if count >= number { ", which time-stepping does not keep" } else { "" };
        return Err(Failure::Input(format!("--impact {number}: the run has {count} impacts{steps}")));
    };
    let (problem, law) = &**kept;
    let name = format!("impact {number} of {}, t = {} s", title(job), impact.time);
    let text = write_problem(&name, problem, law, job.entry).map_err(|e| Failure::Input(e.to_string()))?;
    output::write_whole(out, text.as_bytes(), force)?;
    writeln!(std::io::stdout(), "impact {number} at t = {} s in {}", impact.time, out.display())?;
    Ok(ExitCode::SUCCESS)
}

/// How far the runs agree with runs at a tenth of the tolerance.
fn agreements(
    jobs: &[Job<'_>],
    runs: &[Trajectory],
    given: SolverData,
    visible: bool,
) -> Result<Vec<Agreement>, Failure> {
    let finer: Vec<Job<'_>> = jobs
        .iter()
        .zip(runs)
        .map(|(job, run)| Job { built: Agreement::finer(&job.built, run), law: job.law.clone(), ..*job })
        .collect();
    let again = compute(&finer, given, Sampling::Usual, visible)?;
    let pairs = jobs.iter().zip(runs.iter().zip(&again));
    Ok(pairs.map(|(job, (run, other))| Agreement::of(&job.built.system, run, other)).collect())
}

/// Opens the snapshots of a run whose results go to a directory; several runs have none.
fn snapshots(jobs: &mut [Job<'_>], args: &Args, out: &Path) -> Result<Option<Resumable>, Failure> {
    if let [Job { built, .. }] = jobs {
        let count = usual_samples(built);
        let Built { settings, until, .. } = built;
        sample_usually(settings, until, count);
    }
    let runs: Vec<_> = jobs.iter().map(|job| (job.entry, &job.law, &job.built.settings)).collect();
    args.snapshots.open(out, args.force, &runs)
}

/// Simulates one job with snapshots, from the last one on.
fn compute_kept(job: &Job<'_>, given: SolverData, kept: &mut Resumable, visible: bool) -> Result<Trajectory, Failure> {
    let stop = crate::progress::interruption();
    let bar = Bar::new(1, visible);
    let Built { system, q, u, mut settings, until } = job.built.clone();
    settings.limits = limits::from_now(&given.or(job.entry.scenario.solver));
    let late = settings.limits.stop.clone();
    let mut observer = |progress: &Progress| match &late {
        Some(late) if late.is_due() => Control::Stop,
        _ => bar.step(progress, &stop),
    };
    let from = kept.from.take();
    let done = simulate_kept(&system, &q, &u, &job.law, &settings, &until, from, kept, &mut observer);
    bar.clear();
    done.map_err(|e| Failure::from(InputError::new(job.file, e.within(&job.entry.path))))
}

/// Numbers that the samples of a run hold where its file gives no interval.
const MOST_NUMBERS: f64 = 3e7;

/// Samples of a run whose file gives no interval: fewer where bodies are many.
fn usual_samples(built: &Built) -> f64 {
    let entries = (built.system.positions() + built.system.velocities()) as f64;
    SAMPLES.min((MOST_NUMBERS / entries.max(1.0)).floor()).max(2.0)
}

/// How many samples a run gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sampling {
    /// Those that the file asks for.
    None,
    /// A thousand where the file asks for none.
    Usual,
    /// As many over what there is to see.
    Drawn,
}

/// Simulates the jobs, in parallel; the bar is shown where `visible`.
pub(super) fn compute(
    jobs: &[Job<'_>],
    given: SolverData,
    sampling: Sampling,
    visible: bool,
) -> Result<Vec<Trajectory>, Failure> {
    let stop = crate::progress::interruption();
    let bar = Bar::new(jobs.len(), visible);
    let runs: Vec<_> = jobs
        .par_iter()
        .map(|job| {
            let limits = limits::from_now(&given.or(job.entry.scenario.solver));
            let late = limits.stop.clone();
            let mut observer = |progress: &Progress| match &late {
                Some(late) if late.is_due() => Control::Stop,
                _ => bar.step(progress, &stop),
            };
            let mut built = job.built.clone();
            built.settings.limits = limits;
            let Built { system, q, u, settings, until } = &built;
            let done = match sampling {
                Sampling::Drawn => simulate_drawn(&built, &job.law, usual_samples(&built), &mut observer),
                Sampling::Usual => simulate_sampled(&built, &job.law, usual_samples(&built), &mut observer),
                Sampling::None => simulate(system, q, u, &job.law, settings, until, &mut observer),
            };
            bar.finished();
            done.map_err(|e| Failure::from(InputError::new(job.file, e.within(&job.entry.path))))
        })
        .collect();
    bar.clear();
    runs.into_iter().collect()
}

/// What a page says about how it was made.
fn inputs(args: &Args) -> Result<Repeat, Failure> {
    let mut input = Vec::new();
    for file in args.files.iter().filter(|file| file.as_os_str() != "-") {
        let (name, text) = read_text(file)?;
        input.push((name, text));
    }
    if args.files.is_empty() {
        input.push(("the embedded rocking block".to_owned(), EMBEDDED.to_owned()));
    }
    Ok(pictures::repeat(input))
}

fn embedded() -> Result<Scenarios, Failure> {
    let name = "embedded rocking block";
    let document = read_scenarios(EMBEDDED, name, Format::Toml, &|_| Err("is not embedded".to_owned()))?;
    let entries = document.entries.into_iter().map(|entry| (0, entry)).collect();
    Ok(Scenarios { entries, files: vec![name.to_owned()], batch: false })
}

/// Everything is built, and so checked, before anything runs.
pub(super) fn jobs<'a>(scenarios: &'a Scenarios, named: &[LawSpec]) -> Result<Vec<Job<'a>>, Failure> {
    let mut jobs = Vec::new();
    for (i, entry) in &scenarios.entries {
        let file = scenarios.files[*i].as_str();
        let built = build(file, entry)?;
        let laws = laws::for_motion(entry.law.as_ref(), named);
        jobs.extend(laws.into_iter().map(|law| Job { entry, file, built: built.clone(), law }));
    }
    Ok(jobs)
}

fn print_json(jobs: &[Job<'_>], runs: &[Trajectory], agreements: Option<&[Agreement]>) -> Result<(), Failure> {
    let records: Vec<RunRecord<'_>> = jobs
        .iter()
        .zip(runs)
        .enumerate()
        .map(|(k, (job, run))| {
            let name = job.entry.scenario.name.as_deref();
            let record = RunRecord::new(name, job.law.name(), &job.built.system, run);
            match agreements.and_then(|all| all.get(k)) {
                Some(agreement) => record.with_sensitivity(agreement.time, agreement.to_the_end),
                None => record,
            }
        })
        .collect();
    let mut out = BufWriter::new(std::io::stdout().lock());
    out.write_all(&write_runs(&records).map_err(|e| Failure::Output(e.into()))?)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

fn print_summaries(scenarios: &Scenarios, jobs: &[Job<'_>], runs: &[Trajectory]) -> Result<(), Failure> {
    let mut out = BufWriter::new(anstream::AutoStream::auto(std::io::stdout()));
    let width = output::width();
    // Of a large batch only the table is of use.
    let few = jobs.len() <= 8;
    for (job, run) in jobs.iter().zip(runs).filter(|_| few) {
        let title = job.entry.scenario.name.clone().unwrap_or_else(|| title(job));
        let summary = Summary::new(title, &job.entry.scenario, &job.built, &job.law, run);
        writeln!(out, "{}", summary.text(width))?;
    }
    if jobs.len() > 1 {
        let mut table = Comparison::default();
        for (job, run) in jobs.iter().zip(runs) {
            let name = if scenarios.entries.len() > 1 { title(job) } else { String::new() };
            table.add(name, &job.law, run);
        }
        write!(out, "{}", table.text())?;
    }
    let interrupted = runs.iter().filter(|run| run.end == End::Interrupted).count();
    if interrupted > 0 {
        writeln!(out, "Interrupted: {interrupted} of {} runs hold what was computed so far.", runs.len())?;
    }
    out.flush()?;
    Ok(())
}

fn title(job: &Job<'_>) -> String {
    if job.entry.path.is_empty() { job.file.to_owned() } else { format!("{} {}", job.file, job.entry.path) }
}
