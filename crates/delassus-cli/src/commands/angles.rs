//! `delassus angles`.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use delassus::{ImpactError, KineticMetric};
use delassus_io::{Entry, InputError, ReadOptions};
use serde::Serialize;

use crate::failure::Failure;
use crate::input::read_files;
use delassus_study::number;

/// Show how contacts couple: kinetic angles and the kinetic metric
///
/// The kinetic angle of two contacts is π − arccos(n_iᵀ M n_j) with the unit
/// normals n_i in the metric of the mass matrix M: at 90° an impulse at one
/// contact leaves the velocity of the other alone, below 90° it makes the
/// other approach, above 90° separate.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  delassus examples block > block.toml; delassus angles block.toml")]
pub struct Args {
    /// Problem files, TOML or JSON; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON: one object per problem, angles in rad
    #[arg(long)]
    json: bool,
}

/// The kinetic metric of one problem.
#[derive(Serialize)]
struct Metric<'a> {
    name: &'a str,
    contacts: Vec<String>,
    /// θ_ij [rad].
    angles: Vec<Vec<f64>>,
    /// A_ij = n_iᵀ M n_j.
    gram: Vec<Vec<f64>>,
    /// n_i.
    normals: Vec<Vec<f64>>,
    /// Columns of t.
    tangential_basis: Vec<Vec<f64>>,
    /// nᵀ M u⁻.
    velocity_normal: Vec<f64>,
    /// tᵀ M u⁻.
    velocity_tangential: Vec<f64>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    // Friction plays no part here, so a tangent may lack it.
    let problems = read_files(&args.files, &ReadOptions { without_friction: true, ..ReadOptions::default() })?;
    let metric = |(file, entry): (&str, _)| metric(entry).map_err(|e| InputError::new(file, e.within(&entry.path())));
    let entries = problems.entries();
    let metrics = entries.iter().map(|&pair| metric(pair)).collect::<Result<Vec<_>, _>>()?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let text = if problems.batch { serde_json::to_string(&metrics) } else { serde_json::to_string(&metrics[0]) };
        writeln!(out, "{}", text.map_err(std::io::Error::from)?)?;
    } else {
        let texts: Vec<String> = metrics.iter().map(describe).collect();
        write!(out, "{}", texts.join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn metric(entry: &Entry) -> Result<Metric<'_>, ImpactError> {
    let metric = KineticMetric::new(&entry.problem)?;
    let split = metric.split(entry.problem.u_minus())?;
    let indices = || 0..metric.contacts();
    let matrix = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        indices().map(|i| indices().map(|j| entry(i, j)).collect()).collect()
    };
    Ok(Metric {
        name: entry.problem.name(),
        contacts: metric.names().to_vec(),
        angles: matrix(&|i, j| metric.angle(i, j)),
        gram: matrix(&|i, j| metric.gram(i, j)),
        normals: indices().map(|i| metric.normal(i)).collect(),
        tangential_basis: metric.tangential_basis(),
        velocity_normal: split.normal,
        velocity_tangential: split.tangential,
    })
}

fn describe(metric: &Metric<'_>) -> String {
    let mut text = format!("{}\n", if metric.name.is_empty() { "Kinetic metric" } else { metric.name });
    let names = &metric.contacts;
    let mut line = |label: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {label:44} {value}");
    };
    for i in 0..names.len() {
        for j in i + 1..names.len() {
            let angle = metric.angles[i][j];
            let value = format!("{} rad = {}°", number::format(angle, 1.0), number::format(angle.to_degrees(), 1.0));
            line(&format!("kinetic angle θ of {} and {}", names[i], names[j]), value);
        }
    }
    for (name, normal) in names.iter().zip(&metric.normals) {
        line(&format!("unit normal n of {name}"), number::vector(normal));
    }
    for (k, column) in metric.tangential_basis.iter().enumerate() {
        line(&format!("tangential direction t[{k}]"), number::vector(column));
    }
    line("normal velocity before nᵀMu⁻", number::vector(&metric.velocity_normal));
    line("tangential velocity before tᵀMu⁻", number::vector(&metric.velocity_tangential));
    text
}
