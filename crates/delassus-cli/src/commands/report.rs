//! `delassus report`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use delassus::simulate::Trajectory;
use delassus_io::{Entry, Format, ReadOptions, is_scenario, law_by_name};
use delassus_report::{Part, SweepTable, page};
use serde_json::Value;

use crate::commands::impact::named_laws;
use crate::commands::run::{Job, Sampling, compute, jobs};
use crate::failure::Failure;
use crate::impacts::Answers;
use crate::input::{check_laws, check_text, read_data, read_text};
use crate::limits::SolverArgs;
use crate::output;
use crate::pictures::{Group, Picture, Shown, repeat};
use crate::scenarios::{Scenarios, read_scenario_files};

/// One self-contained page: motions to play, impacts under each law, sweeps, what certificates say
///
/// A scenario is simulated, a problem resolved; of a directory that `run --out` made the scenario
/// is simulated again and compared with the results there.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Scenario files, problem files, tables of sweeps (.csv, .parquet), and directories with results of runs
    #[arg(value_name = "FILE|DIR", required = true)]
    inputs: Vec<PathBuf>,
    /// Law for all inputs; may be repeated [default: as impact and run choose, of a directory the law of its run]
    #[arg(long = "law", value_name = "NAME", value_delimiter = ',')]
    laws: Vec<String>,
    /// The problem or scenario that sweeps varied, which their tables do not name: the page tells it
    #[arg(long, value_name = "FILE")]
    of: Option<PathBuf>,
    #[command(flatten)]
    solver: SolverArgs,
    /// The page
    #[arg(long, value_name = "NAME.html")]
    out: PathBuf,
    /// Replace the page if it exists
    #[arg(long)]
    force: bool,
}

const AFTER_HELP: &str = "\
The page needs no network, plays in any browser, prints, and says how it was made.

Examples:
  delassus report scenarios/cradle.toml --law lzb,newton --out cradle.html
  delassus report block.toml impact.toml sweep.csv --out all.html
  delassus report sweep.csv --of block.toml --out sweep.html
  delassus run block.toml --out results && delassus report results --out block.html";

/// An input, read.
enum Source {
    Scenarios { scenarios: Scenarios, laws: Vec<String>, results: Option<Value> },
    Problems { name: String, entries: Vec<Entry> },
    Table(SweepTable),
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if Picture::of(&args.out)? != Some(Picture::Html) {
        return Err(Failure::Input(format!("--out {}: a report is a page, NAME.html", args.out.display())));
    }
    output::refuse_file(&args.out, args.force)?;
    let (given, named) = (args.solver.solver()?, named_laws(&args.laws)?);
    let mut sources = Vec::new();
    let mut texts = Vec::new();
    for input in &args.inputs {
        read(input, args, &mut sources, &mut texts)?;
    }
    if let Some(file) = &args.of {
        if !sources.iter().any(|source| matches!(source, Source::Table(_))) {
            return Err(Failure::Input("--of names what a sweep varied, and no table of a sweep is given".to_owned()));
        }
        let varied = read_text(file)?;
        if !texts.contains(&varied) {
            texts.push(varied);
        }
    }

    let mut remarks = Vec::new();
    let mut computed: Vec<Computed<'_>> = Vec::new();
    for source in &sources {
        match source {
            Source::Scenarios { scenarios, laws, results } => {
                let law = |name: &String| law_by_name(name).map_err(|e| Failure::Input(format!("--law: {e}")));
                let laws = laws.iter().map(law).collect::<Result<Vec<_>, _>>()?;
                let jobs = jobs(scenarios, &laws)?;
                let runs = compute(&jobs, given, Sampling::Drawn, true)?;
                if let Some(results) = results {
                    remarks.extend(differences(&scenarios.files[0], results, &runs));
                }
                computed.push(Computed::Motions(jobs, runs));
            }
            Source::Table(table) => computed.push(Computed::Table(table)),
            Source::Problems { name, entries } => {
                let listed: Vec<(&str, &Entry)> = entries.iter().map(|entry| (name.as_str(), entry)).collect();
                check_laws(&listed, &named)?;
                computed
                    .extend(entries.iter().map(|e| Computed::Impact(Box::new(Answers::new(name, e, &named, given)))));
            }
        }
    }
    let shown: Vec<Vec<Shown<'_>>> = computed.iter().map(Computed::shown).collect();
    let groups: Vec<Vec<Group<'_>>> = shown.iter().map(|shown| Group::all(shown)).collect();
    let parts: Vec<Part<'_>> = computed
        .iter()
        .zip(&groups)
        .flat_map(|(computed, groups)| match computed {
            Computed::Impact(answers) => vec![Part::Impact(answers.impact())],
            Computed::Table(table) => vec![Part::Table(table)],
            Computed::Motions(..) => groups.iter().map(|group| Part::Motion(group.motion())).collect(),
        })
        .collect();
    let title = match &parts[..] {
        [Part::Motion(motion)] => motion.title,
        [Part::Impact(impact)] => impact.title,
        [Part::Table(table)] => &table.title,
        _ => "Report",
    };
    output::write_whole(&args.out, page(title, &parts, &remarks, &repeat(texts)).as_bytes(), args.force)?;
    for remark in &remarks {
        anstream::eprintln!("warning: {remark}");
    }
    writeln!(std::io::stdout(), "{}", args.out.display())?;
    Ok(ExitCode::SUCCESS)
}

/// What came out for one input.
enum Computed<'a> {
    Motions(Vec<Job<'a>>, Vec<Trajectory>),
    Impact(Box<Answers<'a>>),
    Table(&'a SweepTable),
}

impl Computed<'_> {
    fn shown(&self) -> Vec<Shown<'_>> {
        match self {
            Self::Motions(jobs, runs) => jobs
                .iter()
                .zip(runs)
                .map(|(job, run)| Shown::new(job.file, job.entry, &job.built, &job.law, run))
                .collect(),
            Self::Impact(_) | Self::Table(_) => Vec::new(),
        }
    }
}

fn read(
    input: &Path,
    args: &Args,
    sources: &mut Vec<Source>,
    texts: &mut Vec<(String, String)>,
) -> Result<(), Failure> {
    if input.is_dir() {
        return read_results(input, args, sources, texts);
    }
    let suffix = input.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
    if matches!(suffix.as_deref(), Some("csv" | "parquet")) {
        let (name, data) = read_data(input)?;
        let mut table = SweepTable::read(&name, &data.text).map_err(|e| Failure::Input(format!("{name}: {e}")))?;
        table.of = args.of.as_ref().map(|file| file.display().to_string());
        sources.push(Source::Table(table));
        return Ok(());
    }
    let (name, text) = read_text(input)?;
    let format = Format::detect(input, &text);
    if is_scenario(&text, format) {
        let scenarios = read_scenario_files(&[input.to_owned()])?;
        sources.push(Source::Scenarios { scenarios, laws: args.laws.clone(), results: None });
    } else {
        let named = named_laws(&args.laws)?;
        let (entries, _) = check_text(&text, &name, format, &ReadOptions::for_laws(&named))?;
        sources.push(Source::Problems { name: name.clone(), entries });
    }
    texts.push((name, text));
    Ok(())
}

/// The results of one run, or of several in numbered directories.
fn read_results(
    directory: &Path,
    args: &Args,
    sources: &mut Vec<Source>,
    texts: &mut Vec<(String, String)>,
) -> Result<(), Failure> {
    let (scenario, run) = (directory.join("scenario.toml"), directory.join("run.json"));
    if scenario.is_file() && run.is_file() {
        let (name, text) = read_text(&run)?;
        let results: Value =
            serde_json::from_str(&text).map_err(|e| Failure::Input(format!("{name}: is no result of a run: {e}")))?;
        let law = results["law"].as_str().unwrap_or_default().to_owned();
        let laws = if args.laws.is_empty() { vec![law] } else { args.laws.clone() };
        let results = args.laws.is_empty().then_some(results);
        texts.push(read_text(&scenario)?);
        sources.push(Source::Scenarios { scenarios: read_scenario_files(&[scenario])?, laws, results });
        return Ok(());
    }
    let failed = |e: std::io::Error| Failure::Input(format!("{}: cannot read: {e}", directory.display()));
    let mut inside = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        inside.push(entry.map_err(failed)?.path());
    }
    inside.retain(|path| path.join("run.json").is_file());
    inside.sort();
    if inside.is_empty() {
        let name = directory.display();
        return Err(Failure::Input(format!("{name}: holds no results of a run (scenario.toml and run.json)")));
    }
    inside.iter().try_for_each(|path| read_results(path, args, sources, texts))
}

/// How the motion computed now differs from the results of the directory.
fn differences(file: &str, results: &Value, runs: &[Trajectory]) -> Option<String> {
    let run = runs.first()?;
    let was = (results["status"].as_str()?, results["impacts"].as_array()?.len(), results["time"].as_f64()?);
    let now = (run.end.as_str(), run.impacts.len(), run.time);
    let close = (was.2 - now.2).abs() <= 1e-9 * was.2.abs().max(now.2.abs());
    (was.0 != now.0 || was.1 != now.1 || !close).then(|| {
        format!(
            "{file}: the motion shown was computed now and differs from the results: {} after {} s with {} impacts, \
             there {} after {} s with {}",
            now.0, now.2, now.1, was.0, was.2, was.1
        )
    })
}
