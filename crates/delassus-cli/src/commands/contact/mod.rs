//! `delassus contact`.

pub mod answer;
mod places;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use delassus::SolverData;
use delassus::solve::contact::Method;
use delassus_figure::{to_png, to_svg};
use delassus_io::{ContactFile, write_dat, write_fclib};
use delassus_report::contacts::{profile_csv, profile_figure, profile_text};
use delassus_study::contacts::{Kind, Profile, Run};

use crate::bar::ProgressBar;
use crate::failure::{Failure, known_words};
use crate::input::refuse_two_inputs;
use crate::limits::{self, LimitArgs, method};
use crate::output;
use answer::{Answer, Problem};
use places::{Place, places};
use show::Row;

/// Solve contact problems with friction, from one contact to hundreds of thousands
///
/// Reads Siconos .dat files (friction in the plane and in space, linear complementarity problems),
/// FCLIB .hdf5 files (local and global) and problem files of impacts (.toml, .json), or makes a problem of
/// any size. The error is the one that the field reports; see docs/contact.md.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Problem files, folders of them, which are read with their subfolders, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "generate")]
    files: Vec<PathBuf>,
    /// auto, gauss-seidel, newton, proximal or smoothing [default: the file's, else auto]
    #[arg(long, value_name = "NAME", value_parser = method)]
    method: Option<Method>,
    /// Largest error of an answer that counts as solved [default: the file's, else 1e-8]
    #[arg(long, value_name = "ERROR", allow_negative_numbers = true)]
    tolerance: Option<f64>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Start from the first guess of FCLIB files that have one, instead of from zero
    #[arg(long, conflicts_with = "generate")]
    warm: bool,
    /// Run every method; several files are summed up by a performance profile
    #[arg(long, conflicts_with = "method")]
    compare: bool,
    /// Print JSON: one object, or an array of them for several answers
    #[arg(long)]
    json: bool,
    /// Impulses and velocities in the JSON, contact by contact, the normal first
    #[arg(long, requires = "json")]
    impulses: bool,
    /// Make a problem: spheres, disks, wall, arch or kapla
    #[arg(long, value_name = "KIND", value_parser = kind, conflicts_with = "files")]
    generate: Option<Kind>,
    /// Contacts of the problem made [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    contacts: Option<usize>,
    /// Seed of the problem made [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Friction of the problem made [default: 0.3 of spheres and disks, 0.5 of wall and kapla, 0.7 of arch]
    #[arg(long, value_name = "MU", allow_negative_numbers = true)]
    friction: Option<f64>,
    /// Write instead of solving: the problem as .dat or .hdf5. With --compare: the performance profile as .svg or .png, with
    /// its numbers as .csv beside
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "out")]
    force: bool,
}

const AFTER_HELP: &str = "\
rank: of the matrix; below its rows impulses are not unique. A dash where it is not clear or would
take long to find.
error: per contact x = r - (u + mu |u_T| n), p its projection onto Coulomb's cone;
sqrt(sum |r - p|^2) relative to the largest of |q|, |r|, |u|. Of complementarity problems:
|min(z, w)| relative to |q|. It depends on units; the scale-free error beside it does not.
An answer counts as solved if both are at most the tolerance.
time: of the solution alone, without reading; with --compare the least of five where below 10 ms.

Examples:
  delassus contact problem.dat
  delassus contact fclib-library/ --compare --time-limit 10 --out profile.svg
  delassus contact problem.hdf5 --json --impulses > answer.json
  delassus contact --generate spheres --contacts 10000
  delassus contact --generate kapla --contacts 500 --seed 3 --out kapla.dat
  delassus contact problem.hdf5 --out problem.dat
  delassus contact impact.toml --out impact.hdf5   (the impact under newton or moreau, for Siconos)";

fn kind(name: &str) -> Result<Kind, String> {
    let known = Kind::ALL.map(Kind::as_str);
    let found = Kind::ALL.into_iter().find(|kind| kind.as_str() == name);
    found.ok_or_else(|| format!("unknown kind{}", known_words(name, &known)))
}

/// What `--out` asks for.
#[derive(Clone, Copy, PartialEq)]
enum Out {
    Dat,
    Fclib,
    Svg,
    Png,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(tolerance) = args.tolerance.filter(|tolerance| !(*tolerance > 0.0 && tolerance.is_finite())) {
        return Err(Failure::Input(format!("--tolerance {tolerance}: must be positive and finite")));
    }
    let given = [
        ("--contacts", args.contacts.is_some()),
        ("--seed", args.seed.is_some()),
        ("--friction", args.friction.is_some()),
    ];
    if let Some((name, _)) = given.into_iter().find(|(_, given)| *given && args.generate.is_none()) {
        return Err(Failure::Input(format!("{name}: is of the problem that --generate makes; files have their own")));
    }
    refuse_two_inputs(&args.files)?;
    let limits = args.limits.solver()?;
    let out = args.out.as_deref().map(|path| out(path, args)).transpose()?;
    let places = places(args)?;
    if let (Some(path), Some(Out::Dat | Out::Fclib)) = (&args.out, out) {
        let [place] = &places[..] else {
            return Err(Failure::Input(format!("--out {}: needs one problem, not {}", path.display(), places.len())));
        };
        let tasks = place.read()?;
        let [task] = &tasks[..] else {
            let problem = format!("{} has {} problems, and one is needed", place.name, tasks.len());
            return Err(Failure::Input(format!("--out {}: {problem}", path.display())));
        };
        task.warn();
        return write_problem(&task.problem, path, out == Some(Out::Fclib), args);
    }
    let methods = if args.compare { Method::ALL.map(Some).to_vec() } else { vec![args.method] };
    let bar = ProgressBar::new(places.len() * methods.len(), "answers");
    // One file that cannot be read or solved ends the command; of several files the others are solved all the same.
    let alone = places.len() == 1 && (!is_folder(args) || places[0].has_nothing());
    let mut rows: Vec<Row> = Vec::new();
    for place in &places {
        bar.set_message(place.name.clone());
        match solve_place(place, args, &methods, &limits, &bar) {
            Ok(answers) => rows.extend(answers.into_iter().map(|answer| Row::Answer(Box::new(answer)))),
            Err(Failure::Input(message)) if !alone => rows.push(Row::failed(&place.name, &message)),
            Err(failure) => return Err(failure),
        }
    }
    bar.finish_and_clear();
    let answers: Vec<&Answer> = rows.iter().filter_map(Row::answer).collect();
    let failed = rows.iter().any(|row| row.answer().is_none());
    let wanted = (args.compare && places.len() > 1 || out.is_some()) && !answers.is_empty();
    let profile = wanted.then(|| profile(&answers));
    if let (Some(path), Some(profile)) = (&args.out, &profile) {
        let figure = profile_figure(profile);
        let bytes = match out {
            Some(Out::Png) => to_png(&figure, 200.0).map_err(|e| Failure::Input(e.to_string()))?,
            _ => to_svg(&figure).into_bytes(),
        };
        output::write_whole(path, &bytes, args.force)?;
        output::write_whole(&path.with_extension("csv"), profile_csv(profile).as_bytes(), args.force)?;
    }
    if args.json {
        let text = show::json(&rows, alone && rows.len() == 1, args.impulses)?;
        writeln!(std::io::stdout().lock(), "{text}")?;
    } else {
        let mut stdout = anstream::AutoStream::auto(std::io::stdout());
        write!(stdout, "{}", show::table(&rows))?;
        if let Some(profile) = &profile {
            write!(stdout, "\n{}", profile_text(profile))?;
            if let Some(path) = &args.out {
                writeln!(stdout, "\nwrote {} and {}", path.display(), path.with_extension("csv").display())?;
            }
        }
    }
    // Comparing is meant to find methods that fail; else an answer was asked for.
    let unsolved = !args.compare && answers.iter().any(|answer| !answer.is_solved());
    Ok(match (failed, unsolved) {
        (true, _) => ExitCode::from(2),
        (false, true) => ExitCode::from(1),
        (false, false) => ExitCode::SUCCESS,
    })
}

/// Reads the problems of one place and solves them by every method that is asked for; none: the file's.
fn solve_place(
    place: &Place,
    args: &Args,
    methods: &[Option<Method>],
    limits: &SolverData,
    bar: &ProgressBar,
) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::new();
    for mut task in place.read()? {
        if args.warm && task.start.is_none() {
            task.warnings.push(
                "--warm: the file has no guess that can be used (guesses/1/r of FCLIB); the start is zero".into(),
            );
        }
        if !args.json {
            task.warn();
        }
        let solver = limits.or(task.solver);
        let tolerance = args.tolerance.or(task.solver.tolerance).unwrap_or(TOLERANCE);
        for method in methods {
            let method = method.or(task.solver.method).unwrap_or_default();
            let start = task.start.as_deref().filter(|_| args.warm);
            let solve = || {
                answer::solve_from(&task.problem, start, method, tolerance, &limits::from_now(&solver))
                    .map_err(|e| Failure::Input(format!("{}: {e}", task.problem.name)))
            };
            let mut answer = solve()?;
            for _ in 1..REPETITIONS {
                if !args.compare || answer.seconds >= QUICK {
                    break;
                }
                answer.seconds = answer.seconds.min(solve()?.seconds);
            }
            answer.warnings = task.warnings.iter().chain(&answer.doubt).cloned().collect();
            if !args.impulses {
                answer.forget_impulses();
            }
            answers.push(answer);
            bar.inc(1);
        }
    }
    Ok(answers)
}

/// What takes less time [s] is solved so often where methods are compared, and the least time counts: the first solution of a
/// process takes several times as long as the next, whichever method comes first.
const QUICK: f64 = 0.01;
const REPETITIONS: usize = 5;

/// The largest error of an answer that counts as solved, where nothing else is asked for.
const TOLERANCE: f64 = 1e-8;

fn is_folder(args: &Args) -> bool {
    args.files.iter().any(|path| path.is_dir())
}

/// Checks `--out`.
fn out(path: &Path, args: &Args) -> Result<Out, Failure> {
    let wrong = |problem: &str| Err(Failure::Input(format!("--out {}: {problem}", path.display())));
    output::refuse_file(path, args.force)?;
    match path.extension().and_then(|e| e.to_str()) {
        Some("svg" | "png") if !args.compare => wrong("a performance profile needs --compare"),
        Some("dat" | "hdf5" | "h5") if args.compare => wrong("with --compare a figure is written: .svg or .png"),
        Some(extension @ ("svg" | "png")) => {
            output::refuse_file(&path.with_extension("csv"), args.force)?;
            Ok(if extension == "svg" { Out::Svg } else { Out::Png })
        }
        Some("dat") => Ok(Out::Dat),
        Some("hdf5" | "h5") => Ok(Out::Fclib),
        _ => wrong("must end in .dat or .hdf5 (a problem), .svg or .png (a profile)"),
    }
}

fn write_problem(problem: &Problem, path: &Path, fclib: bool, args: &Args) -> Result<ExitCode, Failure> {
    let wrong = |e: std::io::Error| Failure::Input(format!("--out {}: {e}", path.display()));
    let bytes = match &problem.file {
        ContactFile::Friction(contacts) if fclib => write_fclib(contacts, &problem.name).map_err(wrong)?,
        ContactFile::Lcp { .. } if fclib => {
            return Err(Failure::Input(format!(
                "--out {}: FCLIB has no complementarity problems (contacts of one row); use .dat",
                path.display()
            )));
        }
        file => {
            let mut bytes = Vec::new();
            write_dat(file, &mut bytes).map_err(wrong)?;
            bytes
        }
    };
    output::write_whole(path, &bytes, args.force)?;
    if !args.json {
        let size = match &problem.file {
            ContactFile::Friction(contacts) => format!("{} contacts", contacts.contacts()),
            ContactFile::Lcp { .. } => "a complementarity problem".to_owned(),
        };
        writeln!(std::io::stdout(), "wrote {}: {size}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Answers of each problem under every method, as a profile.
fn profile(answers: &[&Answer]) -> Profile {
    let methods = Method::ALL;
    let run = |answer: &&Answer| Run { seconds: answer.seconds, solved: answer.is_solved() };
    let runs: Vec<Vec<Run>> =
        (0..methods.len()).map(|k| answers.iter().skip(k).step_by(methods.len()).map(run).collect()).collect();
    Profile::new(methods.iter().map(|method| method.as_str().to_owned()).collect(), &runs)
}
