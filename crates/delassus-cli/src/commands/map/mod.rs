//! `delassus map`.

mod keep;
mod motion;
mod pulse;
mod show;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use delassus::{ErrorKind, ImpactError, ImpactProblem, LawSpec, SolverData};
use delassus_io::{Format, InputError, ReadOptions, is_scenario, law_by_name, parse_problems};
use delassus_report::sweep::Labels;
use delassus_study::map::{Rows, Source, compute, steps};
use delassus_study::{Case, Grid, Measure, Parameter, Probe, laws, number};

use self::keep::Keep;
use crate::bar::ProgressBar;
use crate::failure::{Failure, known_words};
use crate::input::{file_name, is_stdin, read_text};
use crate::output::{part, refuse_directory, refuse_existing};
use crate::progress::interruption;

/// Map regimes or a quantity of an impact or a motion over two parameters
///
/// Resolves the impact (of a scenario: simulates the motion) at every point of a grid, follows the
/// curves that divide the regimes to 1e-6 of the range (of motions only with --boundaries, to 1e-3), and
/// draws both. Without --out a small map on the terminal.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Problem or scenario file, TOML or JSON, with one of them; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Parameter along x, first and last value, number of points
    #[arg(long, value_name = "KEY=FROM:TO:N", allow_hyphen_values = true, required_unless_present = "pulse")]
    x: Option<String>,
    /// Parameter along y
    #[arg(long, value_name = "KEY=FROM:TO:N", allow_hyphen_values = true, required_unless_present = "pulse")]
    y: Option<String>,
    /// What to measure
    #[arg(long, value_name = "NAME", required_unless_present = "pulse")]
    measure: Option<String>,
    /// Map how a rocking block overturns by the pulse of its ground: over the pulse's period (from a tenth of
    /// 2π/p to it, p = √(3g/4R)) and acceleration (from g tan α to 12 times that), N points each; --x, --y and
    /// --measure replace those [default N: 60]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "60")]
    pulse: Option<usize>,
    /// Law to use; two for the measure `difference` [default: the file's law]
    #[arg(long = "law", value_name = "NAME", value_delimiter = ',')]
    laws: Vec<String>,
    /// Most iterations of one answer, at each point [default: the file's, else the law's own]
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    iterations: Option<usize>,
    /// Follow the boundaries between regimes of motions too, where they are smooth: some hundred runs a square
    #[arg(long, conflicts_with = "no_boundaries")]
    boundaries: bool,
    /// Do not follow the boundaries between regimes of impacts
    #[arg(long)]
    no_boundaries: bool,
    /// Write the figure (.svg or .png) and beside it NAME.csv and, where they are followed, NAME-boundaries.csv
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "out")]
    force: bool,
    /// Heading of the figure [default: the file's name, and the law]
    #[arg(long, value_name = "TEXT", requires = "out")]
    title: Option<String>,
    /// Label along x in place of the parameter's own
    #[arg(long, value_name = "TEXT", requires = "out")]
    xlabel: Option<String>,
    /// Label along y in place of the parameter's own
    #[arg(long, value_name = "TEXT", requires = "out")]
    ylabel: Option<String>,
    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Parameters are numbers of the file by their path: velocity[0], mass[2], contact[0].friction,
contact.C.friction (by name), contact[*].restitution (all contacts), law.exponent; of the short forms
rod.angle, rod.velocity_ratio, rod.friction, …, block.aspect, block.friction, …; of a scenario
rocking_block.height, material.friction, until.time, ground.NAME.motion.harmonic.amplitude, …
FROM and TO are numbers, also as pi, 0.5pi, 30deg.

Measures: state, sign-reversal, energy (relative change), solutions (their number), kinematic, kinetic,
energetic, inclusion, momentum (residuals of the checks), theorem, verdict, difference (of two laws),
velocity[INDEX], impulse:ELEMENT, gamma:ELEMENT (as gamma:C.friction; gamma:C.friction[0] of two tangents).
Of a scenario: end, overturned, overturning (before or after impacts), verdict, impacts (their number), tilt (largest angle of a block over that
of balance), angle (largest), time, closure, q[INDEX], u[INDEX] or a coordinate or rate by its name (ball.x,
ball.x_rate, in space ball.vx), force, tangential, uplift and slip (largest at any contact; force:A at one).

Examples:
  delassus examples --write .
  delassus map rod_impact.toml --x rod.velocity_ratio=-6:6:400 --y rod.angle=0:pi:400 \\
      --measure state --out rod.svg
  delassus map kane.toml --x contact.C.friction=0:1:200 --y contact.C.restitution=0:1:200 \\
      --measure energy --law newton
  delassus map block_impact.toml --x block.aspect=0.2:5:60 --y block.friction=0:1:60 \\
      --measure difference --law lzb,poisson
  delassus map scenarios/pulse.toml --pulse --out pulse.svg

With --out, what is computed after the first second is kept in FILE.partial until the map is written:
interrupted (Ctrl-C) or killed, it goes on from there when the same command is given again.

Exit status: 0 every answer was found, 1 some answer was not, 2 bad input, 130 interrupted.";

/// Points along an axis at most.
const MOST_POINTS: usize = 20_000;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let args = &pulse::completed(args)?;
    let files = args.out.as_deref().map(Files::new).transpose()?;
    let text = |given: &'_ Option<String>| given.clone().unwrap_or_default();
    let (x_text, y_text) = (text(&args.x), text(&args.y));
    let (x, y) = (AxisSpec::parse("--x", &x_text)?, AxisSpec::parse("--y", &y_text)?);
    if x.key == y.key {
        return Err(Failure::Input(format!("--y {y_text}: the same parameter as --x")));
    }
    let grid = Grid::uniform([x.range, y.range], [x.count, y.count])
        .map_err(|e| Failure::Input(format!("--{} {}: {}", e.field, e.value, e.problem)))?;
    let laws = read_laws(&args.laws)?;
    let (name, text) = read_text(&args.file)?;
    if is_scenario(&text, Format::detect(&args.file, &text)) {
        if is_stdin(&args.file) {
            return Err(Failure::Input("a scenario is mapped from a file, not from standard input".into()));
        }
        let (probe, title) = motion::probe(args, &laws, [&x, &y])?;
        let law = [probe.law().name()];
        return draw(args, files, &probe, &grid, (&name, &title), &law);
    }
    let case = read_case("a map", &args.file, &name, &text, laws, args.iterations)?;
    let parameters = [x.parameter(&case)?, y.parameter(&case)?];
    let measure = measure(args.measure(), &case)?;
    let title = case.source.data().map(|data| data.name).unwrap_or_default();
    let laws: Vec<&'static str> = case.laws.iter().map(LawSpec::name).collect();
    let probe = Probe::new(case, parameters, measure).map_err(|e| Failure::Input(e.to_string()))?;
    let probe = probe.with_boundaries(!args.no_boundaries);
    draw(args, files, &probe, &grid, (&name, &title), &laws)
}

impl Args {
    /// What to measure.
    fn measure(&self) -> &str {
        self.measure.as_deref().unwrap_or_default()
    }
}

/// Computes the map, writes its files and tells about it.
fn draw(
    args: &Args,
    files: Option<Files>,
    probe: &impl Source,
    grid: &Grid,
    (file, name): (&str, &str),
    laws: &[&'static str],
) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let keep = match &files {
        Some(files) => {
            let keep = Keep::beside(&files.figure, probe, grid)?.until(interruption());
            files.prepare(keep.writers(), args.force)?;
            keep
        }
        None => Keep::nothing(probe, grid).until(interruption()),
    };
    let bar = ProgressBar::new(steps(probe, grid), "");
    let computed = compute(probe, grid, &keep, &|| bar.inc(1));
    bar.finish_and_clear();
    let computed = computed.ok_or_else(|| keep.interrupted())?;
    let seconds = start.elapsed().as_secs_f64();
    if computed.defined == 0 && keep.stopped() {
        return Err(keep.interrupted());
    }
    if computed.defined == 0 {
        keep.finish();
        let reason = computed.undefined.map(|e| e.to_string()).unwrap_or_default();
        return Err(Failure::Input(format!("undefined at every point: {reason}")));
    }
    let name = if name.is_empty() { file_name(file) } else { name };
    let title = format!("{name} ({})", laws.join(" and "));
    let map = computed.map(probe, grid, title, args.measure());
    let written = match files {
        Some(files) => {
            let known = !keep.writers().is_empty();
            keep.writing();
            let labels = Labels { title: args.title.clone(), x: args.xlabel.clone(), y: args.ylabel.clone() };
            files.write(&map, &labels, probe.accuracy().is_some(), known, args.force)?
        }
        None => Vec::new(),
    };
    keep.finish();
    let summary = show::Summary { map: &map, computed: &computed, laws, files: &written, seconds };
    if args.json {
        summary.json()?
    } else {
        summary.print()?
    }
    if keep.stopped() && args.out.is_none() {
        return Err(Failure::Interrupted("this is what there is; --out keeps it and goes on from there".into()));
    }
    Ok(if computed.unsolved > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The laws of the option `--law`.
pub fn read_laws(names: &[String]) -> Result<Vec<LawSpec>, Failure> {
    let law = |name: &String| law_by_name(name);
    let laws: Result<_, ImpactError> = names.iter().map(law).collect();
    laws.map_err(|e| Failure::Input(format!("--law {}: {}", e.value, e.problem)))
}

/// The problem of the file with the laws to use.
pub fn read_case(
    study: &str,
    file: &Path,
    name: &str,
    text: &str,
    named: Vec<LawSpec>,
    iterations: Option<usize>,
) -> Result<Case, Failure> {
    let options = ReadOptions::for_laws(&named);
    let drafts = parse_problems(text, name, Format::detect(file, text))?;
    let checker = drafts.checker(&options);
    let count = drafts.problems.len();
    let (Some(draft), 1) = (drafts.problems.into_iter().next(), count) else {
        return Err(Failure::Input(format!("{name}: {count} problems; {study} needs one")));
    };
    let error = |e: ImpactError| Failure::from(InputError::new(name, e));
    let (source, own, solver) = checker.source(draft).map_err(error)?;
    ImpactProblem::new(source.data().map_err(error)?).map_err(error)?;
    let laws = laws::for_study(own.as_ref(), &named).ok_or_else(|| {
        let all: Vec<&str> = LawSpec::all().iter().map(LawSpec::name).collect();
        Failure::Input(format!("the file names no law; give one with --law: {}", all.join(", ")))
    })?;
    Ok(Case {
        solver: SolverData { iterations: iterations.or(solver.iterations), ..solver },
        ..Case::new(source, laws)
    })
}

fn measure(name: &str, case: &Case) -> Result<Measure, Failure> {
    Measure::parse(name, case).map_err(|e| match e.kind {
        ErrorKind::Unknown => unknown_measure(name, &Measure::NAMES),
        _ => Failure::Input(format!("--measure {}: {}", e.value, e.problem)),
    })
}

fn unknown_measure(name: &str, known: &[&str]) -> Failure {
    Failure::Input(format!("--measure {name:?}: unknown measure{}", known_words(name, known)))
}

/// `KEY=FROM:TO:N`.
struct AxisSpec<'a> {
    option: &'static str,
    key: &'a str,
    range: (f64, f64),
    count: usize,
}

impl<'a> AxisSpec<'a> {
    fn parse(option: &'static str, text: &'a str) -> Result<Self, Failure> {
        let error = |what: &str| Failure::Input(format!("{option} {text}: {what}"));
        let (key, range) = text.split_once('=').ok_or_else(|| error("needs KEY=FROM:TO:N"))?;
        let [from, to, count] = range.split(':').collect::<Vec<_>>()[..] else {
            return Err(error("needs KEY=FROM:TO:N"));
        };
        let number = |word: &str| {
            let value = number::parse(word.trim()).filter(|v| v.is_finite());
            value.ok_or_else(|| error(&format!("{word:?} is no finite number")))
        };
        let range = (number(from)?, number(to)?);
        if range.0 >= range.1 {
            return Err(error("FROM must be below TO"));
        }
        let count = count.trim().parse().ok().filter(|n| (2..=MOST_POINTS).contains(n));
        let count = count.ok_or_else(|| error(&format!("N must be a whole number from 2 to {MOST_POINTS}")))?;
        Ok(Self { option, key: key.trim(), range, count })
    }

    fn parameter(&self, case: &Case) -> Result<Parameter, Failure> {
        Parameter::parse(self.key, case).map_err(|_| self.unknown("problem", &Parameter::known(case)))
    }

    fn unknown(&self, of: &str, known: &[String]) -> Failure {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let (option, key) = (self.option, self.key);
        Failure::Input(format!("{option} {key}: is no parameter of this {of}{}", known_words(key, &known)))
    }
}

/// The files of a map.
struct Files {
    figure: PathBuf,
    png: bool,
    values: PathBuf,
    boundaries: PathBuf,
}

impl Files {
    fn new(out: &Path) -> Result<Self, Failure> {
        let png = match out.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => false,
            Some("png") => true,
            _ => return Err(Failure::Input(format!("--out {}: must end in .svg or .png", out.display()))),
        };
        let mut stem = out.file_stem().unwrap_or_default().to_owned();
        stem.push("-boundaries.csv");
        let files = Self {
            figure: out.to_owned(),
            png,
            values: out.with_extension("csv"),
            boundaries: out.with_file_name(stem),
        };
        for path in files.all() {
            refuse_directory(path)?;
        }
        if let Some(folder) = out.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
            return Err(Failure::Input(format!("--out {}: no directory {}", out.display(), folder.display())));
        }
        Ok(files)
    }

    fn all(&self) -> [&PathBuf; 3] {
        [&self.figure, &self.values, &self.boundaries]
    }

    /// An error where files exist that may not be replaced. Those of earlier attempts at the same
    /// map may be there, and what these left half-written is removed.
    fn prepare(&self, writers: &[u32], force: bool) -> Result<(), Failure> {
        for path in self.all() {
            for process in writers {
                let _ = fs::remove_file(part(path, *process));
            }
            if writers.is_empty() {
                refuse_existing(path, force)?;
            }
        }
        Ok(())
    }
}
