//! `delassus reproduce`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use delassus_io::nearest;
use delassus_report::reproduce::{StudyFile, files, is_page, page};
use delassus_study::number;
use delassus_study::reproduce::{
    Datum, FITTED, Findings, FittedBlock, PaperVerdict, Study, StudyError, StudyParameter, fitted, studies,
};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::bar::ProgressBar;
use crate::failure::Failure;
use crate::output::write_whole;

/// Compute the figures and tables of the papers and compare them with what the papers state
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  delassus reproduce                            all of them, verdicts only
  delassus reproduce --list                     what there is
  delassus reproduce payr-glocker-2005/fig-4    one figure, every value compared
  delassus reproduce glocker-2014 --out DIR     a paper, with CSV, SVG, PNG and one HTML page
  delassus reproduce glocker-2014/table-2 --set friction=0.2   with another friction than the paper's

Exit status: 1 if something differs from its paper without an explanation.")]
pub struct Args {
    /// Studies (PAPER/fig-N, PAPER/table-N, PAPER/section-N) or whole papers; none: all
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// List the studies
    #[arg(long, conflicts_with_all = ["out", "json"])]
    list: bool,
    /// Write CSV, SVG and PNG of each study, and index.html with all of them and those that it had
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Measured blocks for zhang-brogliato-liu-2012/fig-12: CSV with the columns aspect, friction,
    /// friction_static, restitution, and optionally dispersion and uncertainty
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Another value for a parameter of the study; may be repeated (for one study; a wrong name is answered with those that it has)
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "data", allow_hyphen_values = true)]
    set: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A computed study.
struct Done {
    study: Study,
    findings: Findings,
    files: Vec<StudyFile>,
    seconds: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let chosen = choose(&args.ids)?;
    if args.list {
        let mut out = std::io::stdout().lock();
        for study in &chosen {
            writeln!(out, "{:38} {}", study.id, study.title)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let blocks = args.data.as_deref().map(|path| measured(path, &chosen)).transpose()?;
    let earlier = args.out.as_deref().map(earlier_page).transpose()?.unwrap_or_default();
    let values = values(&args.set, &chosen)?;
    let done = compute(&chosen, blocks.as_deref(), &values, args.out.is_some())?;
    if let Some(directory) = &args.out {
        write(directory, &done, &earlier)?;
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &done.iter().map(to_json).collect::<Vec<_>>())
            .map_err(|e| Failure::Output(e.into()))?;
        writeln!(out)?;
    } else {
        out.write_all(table(&done, !args.ids.is_empty()).as_bytes())?;
        if let Some(directory) = &args.out {
            writeln!(out, "\nwrote {}", directory.join(PAGE).display())?;
        }
    }
    let failed = done.iter().any(|d| d.findings.unexplained());
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The studies of these ids, in the order of the papers.
fn choose(ids: &[String]) -> Result<Vec<Study>, Failure> {
    let all = studies();
    let names = |s: &Study, id: &str| s.id == id || s.paper() == id;
    for id in ids {
        if !all.iter().any(|s| names(s, id)) {
            let known: Vec<&str> = all.iter().map(|s| s.id).chain(all.iter().map(Study::paper)).collect();
            let hint = nearest(id, &known).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
            return Err(Failure::Input(format!("no study '{id}'{hint} (delassus reproduce --list shows them)")));
        }
    }
    Ok(all.into_iter().filter(|s| ids.is_empty() || ids.iter().any(|id| names(s, id))).collect())
}

/// Reads the reader's table of measured blocks.
fn measured(path: &Path, chosen: &[Study]) -> Result<Vec<FittedBlock>, Failure> {
    if !chosen.iter().any(|s| s.id == FITTED) {
        return Err(Failure::Input(format!("--data is for {FITTED}, which is not among the studies asked for")));
    }
    let failed = |e: &dyn std::fmt::Display| Failure::Input(format!("{}: {e}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| failed(&e))?;
    FittedBlock::read(&text).map_err(|e| failed(&e))
}

/// The values asked for, by the names of parameters.
fn values(set: &[String], chosen: &[Study]) -> Result<BTreeMap<String, f64>, Failure> {
    if !set.is_empty() && chosen.len() != 1 {
        return Err(Failure::Input(format!("--set is for one study, and {} are asked for", chosen.len())));
    }
    let pair = |text: &String| {
        let (name, value) = text.split_once('=')?;
        Some((name.trim().to_owned(), number::parse(value.trim())?))
    };
    let read = |text: &String| pair(text).ok_or_else(|| Failure::Input(format!("--set {text}: needs NAME=VALUE")));
    set.iter().map(read).collect()
}

/// Computes the studies on all cores; results keep their order.
fn compute(
    chosen: &[Study],
    blocks: Option<&[FittedBlock]>,
    values: &BTreeMap<String, f64>,
    with_files: bool,
) -> Result<Vec<Done>, Failure> {
    let bar = ProgressBar::new(chosen.len(), "studies");
    let done: Result<Vec<Done>, _> = chosen
        .par_iter()
        .map(|study| {
            let start = Instant::now();
            let findings = match blocks {
                Some(blocks) if study.id == FITTED => fitted(blocks),
                _ => study.run_with(values)?,
            };
            let files = if with_files { files(study, &findings)? } else { Vec::new() };
            bar.inc(1);
            Ok(Done { study: *study, findings, files, seconds: start.elapsed().as_secs_f64() })
        })
        .collect();
    bar.finish_and_clear();
    done.map_err(|e: StudyError| Failure::Input(e.to_string()))
}

/// The page that is in the directory already; empty if there is none.
fn earlier_page(directory: &Path) -> Result<String, Failure> {
    let path = directory.join(PAGE);
    let failed = |what: String| Failure::Input(format!("{}: {what}", path.display()));
    match std::fs::read_to_string(&path) {
        Ok(text) if is_page(&text) => Ok(text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Ok(_) => Err(failed("is another page; give another directory".into())),
        Err(e) => Err(failed(format!("cannot read: {e}"))),
    }
}

/// The page with all studies of the directory.
const PAGE: &str = "index.html";

/// Writes the files of all studies and the page, which keeps what an earlier one has beside them.
fn write(directory: &Path, done: &[Done], earlier: &str) -> Result<(), Failure> {
    for file in done.iter().flat_map(|d| &d.files) {
        let path = directory.join(&file.path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|e| Failure::Input(format!("{}: cannot create: {e}", folder.display())))?;
        }
        write_whole(&path, &file.bytes, true)?;
    }
    std::fs::create_dir_all(directory)
        .map_err(|e| Failure::Input(format!("{}: cannot create: {e}", directory.display())))?;
    let results: Vec<_> = done.iter().map(|d| (d.study, d.findings.clone())).collect();
    write_whole(&directory.join(PAGE), page(&results, earlier).as_bytes(), true)
}

fn to_json(done: &Done) -> Value {
    let datum = |d: &Datum| match d {
        Datum::Number(v) if v.is_finite() => json!(v),
        Datum::Number(_) => Value::Null,
        Datum::Text(text) => json!(text),
    };
    let value = |v: &delassus_study::reproduce::Value| {
        let mut value = json!({
            "quantity": v.quantity, "paper": v.paper.as_ref().map(datum), "ours": datum(&v.ours),
            "tolerance": v.tolerance,
        });
        if let Some(independent) = &v.independent {
            value["independent"] = datum(independent);
        }
        value
    };
    let mut study = json!({
        "id": done.study.id,
        "title": done.study.title,
        "verdict": done.findings.verdict().as_str(),
        "values": done.findings.values.iter().map(value).collect::<Vec<_>>(),
        "files": done.files.iter().map(|f| &f.path).collect::<Vec<_>>(),
        "seconds": done.seconds,
    });
    if done.findings.is_changed() {
        let parameter =
            |p: &StudyParameter| json!({ "name": p.name, "paper": p.paper, "value": p.value, "range": p.range });
        study["parameters"] = done.findings.parameters.iter().map(parameter).collect();
    }
    study
}

/// The verdicts; with `details` every value, without only what differs.
fn table(done: &[Done], details: bool) -> String {
    let mut out = String::new();
    let id_width = done.iter().map(|d| d.study.id.len()).max().unwrap_or(0);
    for d in done {
        let verdict = d.findings.verdict();
        let s = style(verdict);
        let word = verdict.as_str();
        out += &format!("{s}{word:9}{s:#}  {:id_width$}  {:6.2} s  {}\n", d.study.id, d.seconds, d.study.title);
        if d.findings.is_changed() {
            out += &format!("    with {}\n", d.findings.changes());
        }
        let mut reason = None;
        for value in d.findings.values.iter().filter(|v| details || v.verdict == PaperVerdict::Differs) {
            let s = style(value.verdict);
            let beside = match (&value.paper, &value.independent) {
                (Some(paper), _) => format!("paper {}", show(paper)),
                (None, Some(other)) => format!("independent {}", show(other)),
                (None, None) => String::new(),
            };
            let ours = show(&value.ours);
            let (word, quantity) = (value.verdict.as_str(), &value.quantity);
            out += &format!("    {s}{word:9}{s:#}  {quantity}: {beside}, ours {ours}\n");
            // Neighbours often share a reason.
            if let Some(why) = value.why.as_ref().filter(|why| reason != Some(*why)) {
                out += &format!("               {why}\n");
            }
            reason = value.why.as_ref().or(reason);
        }
    }
    let count = |verdict| done.iter().filter(|d| d.findings.verdict() == verdict).count();
    let changed = count(PaperVerdict::Changed);
    out += &format!(
        "{} {}: {} agree, {} with corrections, {} differ{}\n",
        done.len(),
        if done.len() == 1 { "study" } else { "studies" },
        count(PaperVerdict::Agrees),
        count(PaperVerdict::Corrected),
        count(PaperVerdict::Differs),
        if changed > 0 { format!(", {changed} with other parameters") } else { String::new() }
    );
    out
}

fn show(datum: &Datum) -> String {
    match datum {
        Datum::Number(v) => number::format(*v, 1.0),
        Datum::Text(text) => text.clone(),
    }
}

fn style(verdict: PaperVerdict) -> Style {
    match verdict {
        PaperVerdict::Agrees => AnsiColor::Green.on_default(),
        PaperVerdict::Corrected => AnsiColor::Cyan.on_default(),
        PaperVerdict::Differs => AnsiColor::Red.on_default().bold(),
        PaperVerdict::Changed => AnsiColor::Yellow.on_default(),
    }
}
