//! `delassus score`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use delassus::LawSpec;
use delassus_io::read_measured;
use delassus_report::score::figure;
use delassus_study::number;
use delassus_study::score::{MeasuredImpact, Score, ScoreSettings, score_until};
use serde_json::{Value, json};

use super::fit::free_numbers;
use super::map::read_laws;
use crate::bar::ProgressBar;
use crate::failure::Failure;
use crate::input::read_data;
use crate::output::{check_figure, write_figure};

/// Hold laws against measured impacts
///
/// The coefficients of each law are found from a part of the impacts, and its velocities compared with
/// the measured ones on the rest: ‖u⁺ − measured‖_M / ‖u⁻‖_M. The first row is what no law can beat,
/// the best impulse at the given contacts.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Measured impacts, CSV, Parquet or JSON; - is standard input
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// Laws to score [default: all]
    #[arg(long = "law", value_name = "NAME", value_delimiter = ',')]
    laws: Vec<String>,
    /// Parts of the data; each is judged by what the others taught
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// Coefficients to find in place of the usual ones, such as 'contact[*].friction=0:1'; may be repeated
    #[arg(long, value_name = "KEY[=LOW:HIGH]", allow_hyphen_values = true)]
    free: Vec<String>,
    /// Divides the data otherwise
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Draw the laws side by side (.svg or .png)
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Replace the figure if it exists
    #[arg(long)]
    force: bool,
    /// Print JSON, with the error of every impact
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
DATA has one row an impact, with the columns
  mass[0], mass[1], …                  a diagonal mass matrix, or mass[0][0], mass[0][1], … in full
  velocity[0], …                       before the impact
  after[0], …                          after it
  contact.NAME.normal[0], …            direction of a contact: γ_N = normal · velocity, negative approaches
  contact.NAME.tangent[0], …           may be absent: no friction
as CSV with these names in its first line or as Parquet (plain columns, snappy or uncompressed),
or is a JSON list of problems with the keys of problem files, each with its velocity \"after\".

Example:
  delassus score impacts.csv --figure laws.svg
  delassus score impacts.csv --law newton,poisson,lzb --folds 10 --json

Exit status: 0 some law was scored, 1 none was, 2 bad input.";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.figure {
        check_figure(path, args.force)?;
    }
    let laws = if args.laws.is_empty() { LawSpec::all() } else { read_laws(&args.laws)? };
    let free = free_numbers(&args.free)?;
    let (name, text) = read_data(&args.data).map(|(name, data)| (name, data.text))?;
    let impacts: Vec<MeasuredImpact> =
        read_measured(&text, &name)?.into_iter().map(|(problem, after)| MeasuredImpact { problem, after }).collect();
    let settings = ScoreSettings { folds: args.folds, seed: args.seed, free };
    let bar = ProgressBar::new(0, "coefficients tried");
    let scores = score_until(&impacts, &laws, &settings, &|| {
        bar.inc(1);
        false
    });
    bar.finish_and_clear();
    let scores = scores.map_err(|e| match &e.field[..] {
        "folds" => Failure::Input(format!("--folds {}: {}", e.value, e.problem)),
        _ => Failure::Input(format!("{name}: {e}")),
    })?;
    let scores = scores.unwrap_or_default();
    if let Some(path) = &args.figure {
        write_figure(path, &figure(&scores, &format!("{} impacts, {} folds", impacts.len(), args.folds)), args.force)?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let list: Vec<Value> = scores.iter().map(record).collect();
        writeln!(out, "{:#}", json!({ "impacts": impacts.len(), "folds": args.folds, "scores": list }))?;
    } else {
        write!(out, "{}", table(&scores))?;
        if let Some(path) = &args.figure {
            writeln!(out, "wrote {}", path.display())?;
        }
    }
    let scored = scores.iter().skip(1).any(|score| score.reason.is_none());
    Ok(if scored { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn record(score: &Score) -> Value {
    if let Some(reason) = &score.reason {
        return json!({ "name": score.name, "reason": reason });
    }
    let [q1, median, q3] = score.quartiles;
    let values: serde_json::Map<String, Value> = score.values.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
    json!({
        "name": score.name, "median": median, "quartiles": [q1, q3], "median_interval": score.intervals[1],
        "quartile_intervals": [score.intervals[0], score.intervals[2]], "values": values,
        "unanswered": score.errors.iter().filter(|e| e.is_nan()).count(), "errors": score.errors,
    })
}

fn table(scores: &[Score]) -> String {
    let wide = scores.iter().map(|score| score.name.chars().count()).max().unwrap_or(0);
    let mut text =
        format!("{:wide$}  {:>9}  {:>19}  {:>19}  coefficients\n", "law", "median", "95 % interval", "quartiles");
    for score in scores {
        if let Some(reason) = &score.reason {
            text += &format!("{:wide$}  not scored: {reason}\n", score.name);
            continue;
        }
        let show = |value: f64| number::format((value * 1e6).round() / 1e6, 0.0);
        let pair = |[a, b]: [f64; 2]| format!("{} to {}", show(a), show(b));
        let [q1, median, q3] = score.quartiles;
        let values = score.values.iter().map(|(key, value)| {
            format!("{} {}", key.rsplit('.').next().unwrap_or(key), number::format((value * 1e4).round() / 1e4, 0.0))
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let missing = score.errors.iter().filter(|e| e.is_nan()).count();
        let missing = if missing > 0 { format!(" ({missing} impacts without an answer)") } else { String::new() };
        text += &format!(
            "{:wide$}  {:>9}  {:>19}  {:>19}  {values}{missing}\n",
            score.name,
            show(median),
            pair(score.intervals[1]),
            pair([q1, q3])
        );
    }
    text
}
