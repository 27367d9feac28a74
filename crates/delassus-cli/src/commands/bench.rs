//! `delassus bench`.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use delassus::{ImpactError, ImpactOutcome, LawSpec, Options, Solutions, SolverData, Status, Workspace, resolve_into};
use delassus_io::{Format, ReadOptions, law_by_name, write_outcomes};
use delassus_study::batch::{Batch as Together, Task, resolve_all};
use rayon::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::input::{check_text, task};
use crate::limits;
use crate::motion_workload::Motion;
use crate::workload::{Batch, block, chain, json};

/// Measure how fast impacts and motions are resolved on this machine
///
/// Each figure is the best of many rounds and counts solved impacts. Batches change M and W from impact
/// to impact and reuse all buffers.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Seconds to spend on each figure
    #[arg(long, default_value_t = 0.5, value_name = "S")]
    seconds: f64,
}

/// One figure.
#[derive(Serialize)]
struct Figure {
    name: String,
    /// Items (solved impacts, or files) per second of wall time.
    per_second: f64,
    /// Seconds per item.
    seconds: f64,
}

/// Random batches: name, law, contacts, tangents, coordinates.
const BATCHES: [(&str, &str, usize, usize, usize); 8] = [
    ("newton, 1 planar frictional contact, n = 3", "newton", 1, 1, 3),
    ("poisson, 1 planar frictional contact, n = 3", "poisson", 1, 1, 3),
    ("newton, 4 planar frictional contacts, n = 6", "newton", 4, 1, 6),
    ("poisson, 4 planar frictional contacts, n = 6", "poisson", 4, 1, 6),
    ("newton, 1 spatial frictional contact, n = 6", "newton", 1, 2, 6),
    ("poisson, 1 spatial frictional contact, n = 6", "poisson", 1, 2, 6),
    ("newton, 3 spatial frictional contacts, n = 6", "newton", 3, 2, 6),
    ("poisson, 3 spatial frictional contacts, n = 6", "poisson", 3, 2, 6),
];

/// Problems of the JSON figure.
const JSON_COUNT: usize = 100_000;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let budget = Duration::try_from_secs_f64(args.seconds)
        .map_err(|e| Failure::Input(format!("--seconds {}: {e}", args.seconds)))?;
    let mut out = std::io::stdout().lock();
    let mut figures = Vec::new();
    let mut report = |name: String, per_second: f64| -> Result<(), Failure> {
        let figure = Figure { name, per_second, seconds: per_second.recip() };
        if !args.json {
            let rate = if per_second > 0.0 { thousands(per_second) + " /s" } else { "not solved".into() };
            let each = if per_second > 0.0 { duration(figure.seconds) } else { String::new() };
            writeln!(out, "{:54} {rate:>16} {each:>12}", figure.name)?;
            out.flush()?;
        }
        figures.push(figure);
        Ok(())
    };

    for (name, law, contacts, tangents, n) in BATCHES {
        let law = law_by_name(law).map_err(internal)?;
        let mut batch = Batch::new(contacts, tangents, n).map_err(internal)?;
        report(name.into(), best(budget, || batch.run(&law)).map_err(internal)?)?;
    }
    let newton = law_by_name("newton").map_err(internal)?;
    for (name, tangents, n) in [("planar", 1, 3), ("spatial", 2, 6)] {
        let mut batch = Batch::new(1, tangents, n).map_err(internal)?;
        batch.prepared = true;
        let name = format!("newton, 1 {name} frictional contact, M and G prepared");
        report(name, best(budget, || batch.run(&newton)).map_err(internal)?)?;
    }
    let mut table = Batch::table().map_err(internal)?;
    report("newton, four-legged table".into(), best(budget, || table.run(&newton)).map_err(internal)?)?;
    let mut pairs = Batch::new(2, 1, 6).map_err(internal)?;
    pairs.solutions = Solutions::All;
    let name = "newton, all solutions of 2 planar frictional contacts";
    report(name.into(), best(budget, || pairs.run(&newton)).map_err(internal)?)?;
    let threads = rayon::current_num_threads();
    if threads > 1 {
        let law = law_by_name("newton").map_err(internal)?;
        let batch = Batch::new(1, 1, 3).map_err(internal)?;
        // Long enough that starting the threads does not count.
        let rounds = 50;
        let many = |batches: &mut Vec<Batch>| {
            let one = |batch: &mut Batch| (0..rounds).map(|_| batch.run(&law)).sum::<Result<usize, _>>();
            batches.par_iter_mut().map(one).sum::<Result<usize, ImpactError>>()
        };
        let mut one = vec![batch.clone()];
        let mut all = vec![batch; threads];
        let single = best(budget, || many(&mut one)).map_err(internal)?;
        let all = best(budget, || many(&mut all)).map_err(internal)?;
        report(format!("the first on {threads} threads ({:.2} times one)", all / single), all)?;
    }
    let chains = [3, 10, 1000].map(|balls| (format!("lzb, chain of {balls} Hertz balls"), chain(balls)));
    let block = ("lzb, block with friction".to_owned(), block());
    for (name, problem) in chains.into_iter().chain([block]) {
        let problem = problem.map_err(internal)?;
        let law = law_by_name("lzb").map_err(internal)?;
        let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
        let once = || {
            resolve_into(&problem, &law, &Options::default(), &mut work, &mut outcome)?;
            Ok(usize::from(outcome.status() == Status::Solved))
        };
        report(name, best(budget, once).map_err(internal)?)?;
    }
    for motion in Motion::all().map_err(internal)? {
        report(motion.name.clone(), best(budget, || motion.run()).map_err(internal)?)?;
    }
    let text = json(JSON_COUNT);
    report(
        format!("{JSON_COUNT} problems, JSON in and out, newton"),
        best(budget, || through_json(&text)).map_err(internal)?,
    )?;

    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&figures).map_err(std::io::Error::from)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a batch, resolves it and writes the outcomes, all in memory.
fn through_json(text: &str) -> Result<usize, ImpactError> {
    let (entries, _) = check_text(text, "", Format::Json, &ReadOptions::default()).map_err(|e| e.error)?;
    let tasks: Vec<Task<'_>> = entries.iter().map(task).collect();
    let (named, options) = ([law_by_name("newton")?], Options::default());
    let batch = Together { named: &named, options: &options, solver: SolverData::default(), limits: &limits::from_now };
    let render = |out: &mut Vec<u8>, index: usize, laws: &[LawSpec], outcomes: &[ImpactOutcome]| {
        write_outcomes(out, tasks[index].problem, laws.iter().map(LawSpec::name).zip(outcomes));
    };
    resolve_all(&tasks, &batch, b",", render, |piece| {
        std::hint::black_box(piece);
        Ok(())
    })
    .map(|_| 1)
}

/// The best rate of items per second over rounds that fill the budget.
fn best(budget: Duration, mut round: impl FnMut() -> Result<usize, ImpactError>) -> Result<f64, ImpactError> {
    let begin = Instant::now();
    let mut best = 0.0f64;
    // The first round also grows the buffers; without a budget it is the only one.
    for count in 0.. {
        let start = Instant::now();
        let items = round()?;
        best = best.max(items as f64 / start.elapsed().as_secs_f64());
        if begin.elapsed() >= budget && (count > 0 || budget.is_zero()) {
            break;
        }
    }
    Ok(best)
}

/// The workloads are ours, so an error in them is no input of the user's.
fn internal(error: ImpactError) -> Failure {
    Failure::Input(format!("a built-in workload failed: {error}"))
}

fn thousands(value: f64) -> String {
    if value < 100.0 {
        return format!("{value:.2}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", 1e9 * s),
        s if s < 1e-3 => format!("{:.2} µs", 1e6 * s),
        s if s < 1.0 => format!("{:.2} ms", 1e3 * s),
        s => format!("{s:.2} s"),
    }
}
