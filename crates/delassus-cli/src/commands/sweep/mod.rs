//! `delassus sweep`.

mod form;
mod fragile;
mod incremental;
mod keep;
mod part;
mod read;
mod show;

pub use form::{as_parquet, is_parquet_name};
pub use part::Part;
pub use read::{law as named_law, record as swept_record};

use std::borrow::Cow;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use delassus_report::sweep::{csv_head, csv_line, drawn_along, parameter_unit};
use delassus_study::incremental::Incremental;
use delassus_study::sweep::{Sampling, Shared, Sweep};
use rayon::prelude::*;

use self::form::kinds;
use self::keep::Keep;
use crate::bar::ProgressBar;
use crate::failure::Failure;
use crate::output::{check_figure, refuse_file, write_again};
use crate::progress::interruption;

/// Compute an impact or a motion over any number of parameters, a row for each case
///
/// Rows are written as they come. Killed at any moment, the same command goes on, and the file has the
/// same bytes however the sweep was interrupted, shared among machines or threads.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Problem or scenario file, TOML or JSON, with one of them
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A parameter and its values; may be repeated, the last one runs fastest
    #[arg(long, value_name = "KEY=VALUES", required_unless_present = "spectrum", allow_hyphen_values = true)]
    vary: Vec<String>,
    /// What to measure; may be repeated [default with --ida or --spectrum: tilt]
    #[arg(long = "measure", value_name = "NAME", required_unless_present_any = ["ida", "spectrum"], value_delimiter = ',')]
    measures: Vec<String>,
    /// File for the rows, .csv or .parquet [default: standard output, as CSV]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Law to use; two for the measure `difference` [default: the file's law; of a scenario newton]
    #[arg(long = "law", value_name = "NAME", value_delimiter = ',')]
    laws: Vec<String>,
    /// Number of samples of parameters that have a distribution
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// Spread the samples evenly by the sequence of Sobol
    #[arg(long, requires = "samples")]
    sobol: bool,
    /// Draws other samples
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "samples")]
    seed: u64,
    /// Compute the K-th of N parts; `delassus merge` puts them together
    #[arg(long, value_name = "K/N", requires = "out")]
    shard: Option<String>,
    /// Tell the number of cases and the time they will take, from a few of them
    #[arg(long)]
    dry_run: bool,
    /// Most iterations of one answer [default: the file's, else the law's own]
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    iterations: Option<usize>,
    /// Draw the measures over the parameter, if one is varied beside laws and files (.svg or .png)
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Fit the probability of failure over this parameter, a lognormal curve
    #[arg(long, value_name = "KEY")]
    fragility: Option<String>,
    /// Incremental dynamic analysis over this parameter: a curve of the first measure for each record or sample,
    /// with the demand and the capacity that 16, 50 and 84 % of them have
    #[arg(long, value_name = "KEY", conflicts_with = "fragility")]
    ida: Option<String>,
    /// Rocking spectrum: vary the size of a rocking block of the same slenderness so that 2π/p takes these
    /// VALUES [s], p = √(3g/4R) [default: 0.5:6:56]
    #[arg(long, value_name = "VALUES", num_args = 0..=1, require_equals = true, default_missing_value = "0.5:6:56",
        conflicts_with_all = ["fragility", "ida"])]
    spectrum: Option<String>,
    /// For --fragility and --ida: a case fails where this measure is at least VALUE [default: where it overturns]
    #[arg(long, value_name = "MEASURE=VALUE")]
    limit: Option<String>,
    /// Heading of the figure
    #[arg(long, value_name = "TEXT", requires = "figure")]
    title: Option<String>,
    /// Label along x in place of the parameter's own
    #[arg(long, value_name = "TEXT", requires = "figure")]
    xlabel: Option<String>,
    /// Label along y in place of the measure's own
    #[arg(long, value_name = "TEXT", requires = "figure")]
    ylabel: Option<String>,
    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
VALUES are
  FROM:TO:N              N numbers at equal distances, also as pi, 0.5pi, 30deg
  log:FROM:TO:N          N numbers at equal ratios
  v1,v2,…                these
  uniform:LOW:HIGH       samples (--samples N) of a distribution; several such parameters are sampled
  loguniform:LOW:HIGH    together
  normal:MEAN:DEVIATION
  lognormal:MEDIAN:DEVIATION   with the standard deviation of the logarithm
  names of laws          for the parameter `law`
  files, also as *.AT2   for ground.NAME.motion.record.file
Parameters are numbers of the file by their path, as for `delassus map`: contact.C.friction,
rocking_block.height, material.friction, until.time, law.exponent, ground.NAME.motion.record.scale, …;
also record.pga (its peak acceleration in m/s², by the scale), and of a rocking block frequency
(p = √(3g/4R) in 1/s), period (2π/p in s) and slenderness (α = atan(width/height) in rad).

Measures of impacts: state, sign-reversal, energy, solutions, kinematic, kinetic, energetic, inclusion,
momentum, theorem, verdict, difference, velocity[INDEX], impulse:ELEMENT, gamma:ELEMENT.
Measures of motions: end, overturned, overturning (before or after impacts), verdict, impacts (their
number), tilt (largest angle of a block over that of balance), angle (largest), time, closure (of the
energy balance), q[INDEX] and u[INDEX] or a coordinate or rate by its name (ball.x, ball.x_rate, in
space ball.vx) at the end, and the largest force, tangential force, uplift (gap) and slip of a contact
(force:A) or of any (force; uplift of those that ever touch), found within the steps of events.

Columns: case, the parameters, the measures, status (with the reason where a case failed), certificate:
`holds`, or the checks that fail with their worst residuals; of a motion over all its impacts.

Examples:
  delassus sweep kane.toml --vary contact.C.friction=0:1:101 --vary law=newton,poisson \\
      --measure energy,verdict --out kane.csv --figure kane.svg
  delassus sweep block.toml --vary rocking_block.angle=log:0.001:0.3:50 --measure tilt,impacts
  delassus sweep statue.toml --vary 'ground.floor.motion.record.file=records/*.AT2' \\
      --vary material.friction=normal:0.5:0.05 --samples 200 --measure overturned,slip \\
      --out statue.csv
  delassus sweep statue.toml --vary ground.floor.motion.record.pga=log:1:12:12 --samples 100 \\
      --vary material.friction=uniform:0.4:0.8 --measure overturned \\
      --fragility ground.floor.motion.record.pga --out statue.csv --figure fragility.svg
  delassus sweep statue.toml --vary 'ground.floor.motion.record.file=records/*.AT2' \\
      --vary ground.floor.motion.record.pga=0.5:8:16 --ida ground.floor.motion.record.pga \\
      --out ida.csv --figure ida.svg
  delassus sweep statue.toml --spectrum --vary rocking_block.slenderness=0.15,0.2,0.25 \\
      --figure spectrum.svg

Exit status: 0 every answer was found, 1 some answer was not, 2 bad input, 130 interrupted.";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let args = &args.completed()?;
    let sampling = if args.sobol { Sampling::Sobol } else { Sampling::Random };
    let sweep = read::sweep(args, sampling)?;
    let fragility = fragile::Asked::new(args, &sweep)?;
    let incremental = incremental::Asked::new(args, &sweep)?;
    let total = sweep.plan().cases();
    let study = identity(&sweep);
    let (index, of) = args.shard.as_deref().map(Part::parse).transpose().map_err(Failure::Input)?.unwrap_or((1, 1));
    let part = Part { index, of, total, study };
    if args.dry_run {
        return show::dry_run(args, &sweep, part);
    }
    let (keep, finished) = match &args.out {
        Some(out) => {
            check_name(out)?;
            let keep = Keep::beside(out, with_program(study), part, args.force)?;
            // Killed at its very end, an attempt may have left its files beside all rows.
            let finished = keep.len() > 0 && keep.missing().is_empty();
            refuse_file(out, args.force || finished)?;
            (keep, finished)
        }
        None if args.json => (Keep::nothing(part), false),
        None => (Keep::printing(part, &csv_head(&sweep))?, false),
    };
    if let Some(figure) = &args.figure {
        check_figure(figure, args.force || finished)?;
        if fragility.is_none() && incremental.is_none() {
            let along = args.spectrum.as_ref().map(|_| SPECTRUM);
            drawn_along(&sweep, along).map_err(|e| Failure::Input(format!("--figure: {e}")))?;
        }
    }
    let start = Instant::now();
    compute(&sweep, &keep, &interruption())?;
    let content = keep.content(&csv_head(&sweep));
    if let Some(out) = &args.out {
        let bytes = match is_parquet_name(out) {
            true => Cow::Owned(as_parquet(&content, &kinds(&sweep))?),
            false => Cow::Borrowed(content.as_bytes()),
        };
        write_again(out, &bytes, args.force)?;
    }
    let found = match (fragility, incremental) {
        (Some(asked), _) => Some(Found::Fragility(asked.find(&content))),
        (None, Some(asked)) => Some(Found::Incremental(asked.find(&content), asked.measure(&sweep))),
        (None, None) => None,
    };
    let seconds = start.elapsed().as_secs_f64();
    let code = show::results(args, &sweep, &content, found.as_ref(), seconds, args.force || finished)?;
    keep.done();
    Ok(code)
}

/// An error where the name does not say a form that can be written.
fn check_name(out: &Path) -> Result<(), Failure> {
    let is_csv = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    if is_csv || is_parquet_name(out) {
        return Ok(());
    }
    Err(Failure::Input(format!("--out {}: must end in .csv or .parquet", out.display())))
}

/// What is found from all rows of a sweep.
enum Found {
    /// The probability of failure.
    Fragility(fragile::Found),
    /// Curves of demand over the intensity, and the measure of the demand.
    Incremental(Incremental, String),
}

impl Found {
    /// For people.
    fn text(&self, args: &Args) -> String {
        let unit = args.fragility.as_ref().or(args.ida.as_ref()).map_or(String::new(), |key| parameter_unit(key));
        match self {
            Self::Fragility(found) => found.text(&unit),
            Self::Incremental(found, _) => incremental::text(found, &unit),
        }
    }
}

/// The parameter of a rocking spectrum.
const SPECTRUM: &str = "rocking_block.period";

impl Args {
    /// With what the built-in studies vary and measure.
    fn completed(&self) -> Result<Self, Failure> {
        let mut args = self.clone();
        if args.limit.is_some() && args.fragility.is_none() && args.ida.is_none() {
            return Err(Failure::Input("--limit is for --fragility and --ida; give one of them".into()));
        }
        args.vary.extend(self.spectrum.iter().map(|values| format!("{SPECTRUM}={values}")));
        if args.measures.is_empty() {
            args.measures.push("tilt".to_owned());
        }
        Ok(args)
    }
}

/// Computes the rows that are missing.
fn compute(sweep: &Sweep, keep: &Keep, stop: &AtomicBool) -> Result<(), Failure> {
    let missing = keep.missing();
    // Rows that scroll over the same terminal show how far it is.
    let bar = (!(keep.prints() && std::io::stdout().is_terminal())).then(|| ProgressBar::new(missing.len(), "cases"));
    let stopped = || stop.load(Ordering::Relaxed) || keep.has_failed();
    // Few at a time: cases may take very different times.
    let sweep = Shared::new(sweep);
    missing.par_iter().with_max_len(1).for_each(|&case| {
        if let Some(row) = sweep.row(case, &stopped) {
            keep.add(case, &csv_line(&row));
            bar.iter().for_each(|bar| bar.inc(1));
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    keep.flush();
    if let Some(error) = keep.take_failure() {
        return Err(error.into());
    }
    if keep.missing().is_empty() { Ok(()) } else { Err(keep.interrupted()) }
}

/// Stands for everything that rows depend on: problem or scenario, laws, records, values, measures.
pub fn identity(sweep: &Sweep) -> u64 {
    fnv(format!("{} {sweep:?}", env!("CARGO_PKG_VERSION")).as_bytes())
}

/// Rows are kept for the very program only.
fn with_program(study: u64) -> u64 {
    let program = std::env::current_exe().and_then(std::fs::metadata).map(|m| (m.len(), m.modified().ok())).ok();
    fnv(format!("{study:016x} {program:?}").as_bytes())
}

/// The hash FNV-1a, the same on every machine.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
