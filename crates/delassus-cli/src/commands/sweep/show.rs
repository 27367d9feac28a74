//! What a sweep found, on the terminal, as JSON and as a figure.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use delassus_io::csv_fields;
use delassus_report::sweep::{Labels, figure, fragility_figure, incremental_figure};
use delassus_study::number;
use delassus_study::sweep::Sweep;
use serde_json::json;

use super::keep::failures;
use super::{Args, Found, Part, SPECTRUM, incremental};
use crate::failure::Failure;
use crate::output::{figure_bytes, write_again};

/// Draws and tells; `replace`: whether the figure may replace one.
pub fn results(
    args: &Args,
    sweep: &Sweep,
    content: &str,
    found: Option<&Found>,
    seconds: f64,
    replace: bool,
) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.figure {
        let rows: Vec<Vec<String>> = content
            .lines()
            .filter(|line| !line.starts_with('#'))
            .skip(1)
            .map(|line| csv_fields(line).unwrap_or_default())
            .collect();
        let labels = Labels { title: args.title.clone(), x: args.xlabel.clone(), y: args.ylabel.clone() };
        let key = args.fragility.as_ref().or(args.ida.as_ref()).map_or("", |key| key);
        let drawn = match found {
            Some(Found::Fragility(found)) => fragility_figure(key, &found.counts, found.curve.as_ref().ok(), &labels),
            Some(Found::Incremental(found, measure)) => incremental_figure(key, measure, found, &labels),
            None => figure(sweep, &rows, args.spectrum.as_ref().map(|_| SPECTRUM), &labels)
                .map_err(|e| Failure::Input(format!("--figure: {e}")))?,
        };
        write_again(path, &figure_bytes(path, &drawn)?, replace)?;
    }
    let (failed, first) = failures(content, sweep.measured().end);
    let cases = content.lines().filter(|line| !line.starts_with('#')).count() - 1;
    let files: Vec<String> = [&args.out, &args.figure].into_iter().flatten().map(|p| p.display().to_string()).collect();
    let mut out = std::io::stdout().lock();
    if args.out.is_none() && !args.json {
        // The rows are there already.
        if let Some(found) = found {
            anstream::eprint!("{}", found.text(args));
        }
    } else if args.json {
        let mut value = json!({
            "cases": cases, "found": cases - failed, "failed": failed, "reason": first, "columns": sweep.columns(),
            "files": files, "seconds": seconds,
        });
        match found {
            Some(Found::Fragility(found)) => value["fragility"] = found.json(),
            Some(Found::Incremental(found, _)) => value["ida"] = incremental::json(found),
            None => {}
        }
        writeln!(out, "{value:#}")?;
    } else {
        writeln!(out, "{cases} cases in {seconds:.2} s")?;
        if let Some(found) = found {
            write!(out, "{}", found.text(args))?;
        }
        for file in files {
            writeln!(out, "wrote {file}")?;
        }
    }
    out.flush()?;
    if failed > 0 && !args.json {
        anstream::eprintln!("{failed} of {cases} cases have no answer; the first: {}", first.unwrap_or_default());
    }
    Ok(if failed > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// How long a look at a few cases may take.
const LOOK: Duration = Duration::from_secs(2);
/// Cases that are looked at.
const LOOKED_AT: usize = 40;

/// Tells the number of cases and the time they will take.
pub fn dry_run(args: &Args, sweep: &Sweep, part: Part) -> Result<ExitCode, Failure> {
    let all: Vec<usize> = (0..part.total).filter(|case| part.holds(*case)).collect();
    let (mut sweep, start, mut looked) = (sweep.clone(), Instant::now(), 0usize);
    let count = all.len().min(LOOKED_AT);
    for k in 0..count {
        // Spread over all cases, in an order that is spread too.
        let place = (k * 17 % count) * all.len() / count;
        sweep.row(all[place], &|| false);
        looked += 1;
        if start.elapsed() > LOOK {
            break;
        }
    }
    let each = start.elapsed().as_secs_f64() / looked.max(1) as f64;
    let threads = rayon::current_num_threads();
    let seconds = each * all.len() as f64 / threads as f64;
    let mut out = std::io::stdout().lock();
    if args.json {
        let value = json!({
            "cases": all.len(), "columns": sweep.columns(), "looked_at": looked, "seconds_per_case": each,
            "threads": threads, "seconds": seconds,
        });
        writeln!(out, "{value:#}")?;
    } else {
        let plural = if all.len() == 1 { "" } else { "s" };
        writeln!(out, "{} case{plural}: {}", all.len(), sweep.columns().join(", "))?;
        let each = number::format(1e3 * each, 0.0);
        writeln!(out, "about {} on {threads} threads, from {looked} cases of {each} ms each", duration(seconds))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Seconds as people say them.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}
