//! `delassus fit`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use delassus::{ErrorKind, ImpactError};
use delassus_io::{Format, Table, is_scenario};
use delassus_report::fit::{Column, Over, figure};
use delassus_study::fit::{Fit, FitModel, ImpactModel, MotionModel, effort_of_impacts, effort_of_motions, fit};
use delassus_study::number;
use delassus_study::optimise::Effort;
use delassus_study::score::Free;
use delassus_study::{Parameter, ScenarioNumbers, laws};
use serde_json::{Value, json};

use super::map::{read_case, read_laws};
use crate::bar::ProgressBar;
use crate::failure::{Failure, known_words};
use crate::input::{read_data, read_text};
use crate::output::{check_figure, write_figure};
use crate::scenarios::read_scenario_text;

/// Find numbers of a problem or scenario from measurements
///
/// A time series is compared with the motion of a scenario, a table of impacts with a problem.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Measurements, CSV with the names of the columns in its first line, or Parquet
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// Scenario or problem file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A number to find, by its path; may be repeated
    #[arg(long, value_name = "KEY[=LOW:HIGH]", required = true, allow_hyphen_values = true)]
    free: Vec<String>,
    /// Law to use [default: the file's; of a scenario newton]
    #[arg(long, value_name = "NAME")]
    law: Option<String>,
    /// Points of the global search [default: 64 for each number, 16 with a scenario]
    #[arg(long, value_name = "N")]
    looks: Option<usize>,
    /// Searches from other points
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Draw measurements and model (.svg or .png)
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Replace the figure if it exists
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
With a scenario, DATA has a column `time` [s] and columns of positions or velocities, named as in
trajectory.csv: block.theta, block.theta_rate, … The run starts at time 0.
With a problem, DATA has one row an impact: columns with paths of numbers of the problem are given
(velocity[0], contact.C.normal[1], …), and columns `measured.NAME` were measured, NAME a measure
of `delassus map`: measured.velocity[0], measured.gamma:C.friction, measured.energy. Empty fields
are left out.

KEY is a path as for `delassus sweep`. Friction, restitution and stiffness ratios have usual ranges,
other numbers need LOW:HIGH. Intervals are those of 95 %, from profiles of the sum of squares.

Examples:
  delassus fit swing.csv block.toml --free material.restitution \\
      --free rocking_block.angle=0.05:0.2
  delassus fit impacts.csv sphere.toml --law walton --free contact.C.friction \\
      --free contact.C.restitution_tangential=0:1 --figure fit.svg

Exit status: 0 found, 2 bad input.";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.figure {
        check_figure(path, args.force)?;
    }
    let (data, text) = read_data(&args.data).map(|(name, data)| (name, data.text))?;
    let table = Table::read(&text).map_err(|e| Failure::Input(format!("{data}: {e}")))?;
    let (name, text) = read_text(&args.file)?;
    let free = free_numbers(&args.free)?;
    if is_scenario(&text, Format::detect(&args.file, &text)) {
        motion(args, &data, &table, &name, &text, &free)
    } else {
        impacts(args, &data, &table, &name, &text, &free)
    }
}

/// The numbers of the option `--free`.
pub fn free_numbers(texts: &[String]) -> Result<Vec<Free>, Failure> {
    let mut all: Vec<Free> = Vec::new();
    for text in texts {
        let wrong = |problem: &str| Failure::Input(format!("--free {text}: {problem}"));
        let free = match text.split_once('=') {
            None => {
                Free::usual(text).ok_or_else(|| wrong("has no usual range, if it is a parameter; give KEY=LOW:HIGH"))?
            }
            Some((key, range)) => {
                let (low, high) = range.split_once(':').ok_or_else(|| wrong("needs KEY=LOW:HIGH"))?;
                let end = |word: &str| number::parse(word.trim()).filter(|v| v.is_finite());
                let (Some(low), Some(high)) = (end(low), end(high)) else {
                    return Err(wrong("needs two finite numbers, KEY=LOW:HIGH"));
                };
                if low >= high {
                    return Err(wrong("LOW must be below HIGH"));
                }
                Free::new(key.trim(), low, high)
            }
        };
        if all.iter().any(|known| known.key == free.key) {
            return Err(wrong("is given twice"));
        }
        all.push(free);
    }
    Ok(all)
}

type Columns = Vec<(String, Vec<f64>)>;

fn numbers(data: &str, table: &Table, column: usize) -> Result<Vec<f64>, Failure> {
    table.numbers(column).map_err(|e| Failure::Input(format!("{data}: {e}")))
}

fn motion(args: &Args, data: &str, table: &Table, name: &str, text: &str, free: &[Free]) -> Result<ExitCode, Failure> {
    let document = read_scenario_text(&args.file, name, text)?;
    let [entry] = &document.entries[..] else {
        return Err(Failure::Input(format!("{name}: {} scenarios; a fit needs one", document.entries.len())));
    };
    let named = read_laws(&args.law.iter().cloned().collect::<Vec<_>>())?;
    let law = laws::for_motion(entry.law.as_ref(), &named).remove(0);
    let Some(time) = table.names.iter().position(|column| column == "time") else {
        return Err(Failure::Input(format!("{data}: needs a column time [s]; there are {}", table.names.join(", "))));
    };
    let times = numbers(data, table, time)?;
    let mut measured: Columns = Vec::new();
    for (k, column) in table.names.iter().enumerate().filter(|(k, _)| *k != time) {
        measured.push((column.clone(), numbers(data, table, k)?));
    }
    if measured.is_empty() {
        return Err(Failure::Input(format!("{data}: needs a column beside time")));
    }
    let known = ScenarioNumbers::new(&entry.scenario).map(|numbers| numbers.known()).unwrap_or_default();
    let model = MotionModel::new(&entry.scenario, law, free, &times, &measured);
    let mut model = model.map_err(|e| told(&e, data, name, &known))?;
    let found = search(args, &mut model, free, effort_of_motions(free.len()))?;
    let values: Vec<f64> = found.estimates.iter().map(|e| e.value).collect();
    let predicted = model.predictions(&values).unwrap_or_default();
    show(args, &found, (Over::Time, &times), &measured, &predicted)
}

fn impacts(args: &Args, data: &str, table: &Table, name: &str, text: &str, free: &[Free]) -> Result<ExitCode, Failure> {
    let named = read_laws(&args.law.iter().cloned().collect::<Vec<_>>())?;
    let case = read_case("a fit", &args.file, name, text, named, None)?;
    let (mut inputs, mut measured): (Columns, Columns) = (Vec::new(), Vec::new());
    for (k, column) in table.names.iter().enumerate() {
        let values = numbers(data, table, k)?;
        match column.strip_prefix("measured.") {
            Some(measure) => measured.push((measure.to_owned(), values)),
            None if values.iter().any(|v| v.is_nan()) => {
                return Err(Failure::Input(format!("{data}: column {column}: a given number is missing")));
            }
            None => inputs.push((column.clone(), values)),
        }
    }
    if measured.is_empty() {
        let problem = "needs a column that was measured, such as measured.velocity[0]";
        return Err(Failure::Input(format!("{data}: {problem}")));
    }
    let model = ImpactModel::new(&case, free, &inputs, &measured);
    let mut model = model.map_err(|e| told(&e, data, name, &Parameter::known(&case)))?;
    let found = search(args, &mut model, free, effort_of_impacts(free.len()))?;
    let values: Vec<f64> = found.estimates.iter().map(|e| e.value).collect();
    let predicted = model.predictions(&values).unwrap_or_default();
    let rows: Vec<f64> = (1..=table.rows.len()).map(|k| k as f64).collect();
    // Over the first given number that varies, if there is one.
    let varies = |values: &[f64]| values.iter().any(|v| *v != values[0]);
    match inputs.iter().find(|(_, values)| varies(values)) {
        Some((key, values)) => show(args, &found, (Over::Given(key), values), &measured, &predicted),
        None => show(args, &found, (Over::Given("impact"), &rows), &measured, &predicted),
    }
}

fn search(args: &Args, model: &mut dyn FitModel, free: &[Free], usual: Effort) -> Result<Fit, Failure> {
    let effort = Effort { looks: args.looks.unwrap_or(usual.looks), ..usual };
    let bar = ProgressBar::new(0, "values tried");
    let found = fit(&mut Counted { model, bar: &bar }, free, effort, args.seed);
    bar.finish_and_clear();
    found.map_err(|e| Failure::Input(format!("--free: {}", e.problem)))
}

/// A model whose tries are counted on a terminal.
struct Counted<'a> {
    model: &'a mut dyn FitModel,
    bar: &'a ProgressBar,
}

impl FitModel for Counted<'_> {
    fn columns(&self) -> Vec<String> {
        self.model.columns()
    }

    fn predictions(&mut self, values: &[f64]) -> Option<Vec<Vec<f64>>> {
        self.bar.inc(1);
        self.model.predictions(values)
    }

    fn measured(&self) -> &[Vec<f64>] {
        self.model.measured()
    }
}

fn told(error: &ImpactError, data: &str, file: &str, known: &[String]) -> Failure {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    match error.kind {
        ErrorKind::Unknown if error.field != "measure" => {
            let key = &error.field;
            Failure::Input(format!(
                "{key}: {} {file}{}",
                error.problem.replace("this", "the"),
                known_words(key, &known)
            ))
        }
        _ => Failure::Input(format!("{data}: {error}")),
    }
}

fn show(
    args: &Args,
    found: &Fit,
    (over, x): (Over<'_>, &[f64]),
    measured: &Columns,
    predicted: &[Vec<f64>],
) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.figure {
        let columns: Vec<Column<'_>> = measured
            .iter()
            .zip(predicted)
            .map(|((name, measured), predicted)| Column { name, measured, predicted })
            .collect();
        write_figure(path, &figure(over, x, &columns, ""), args.force)?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let estimates = found
            .estimates
            .iter()
            .map(|e| json!({ "key": e.key, "value": e.value, "interval": e.interval, "at_bound": e.at_bound }));
        let rms: serde_json::Map<String, Value> = found.rms.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
        let n = found.estimates.len();
        let correlation: Vec<&[f64]> = found.correlation.chunks(n.max(1)).collect();
        let value = json!({
            "estimates": estimates.collect::<Vec<_>>(), "rms": rms, "measurements": found.count,
            "correlation": correlation, "warnings": found.warnings,
        });
        writeln!(out, "{value:#}")?;
    } else {
        let wide = found.estimates.iter().map(|e| e.key.chars().count()).max().unwrap_or(0);
        for e in &found.estimates {
            let [low, high] = e.interval.map(|v| number::format(v, 0.0));
            writeln!(out, "{:wide$}  {}   95 %: {low} to {high}", e.key, number::format(e.value, 0.0))?;
        }
        for (name, rms) in &found.rms {
            writeln!(out, "{name}: residuals of {} (root mean square)", number::format(*rms, 0.0))?;
        }
        for warning in &found.warnings {
            writeln!(out, "warning: {warning}")?;
        }
        if let Some(path) = &args.figure {
            writeln!(out, "wrote {}", path.display())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
