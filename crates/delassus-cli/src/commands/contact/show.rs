//! Answers as a table or as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::answer::Answer;
use crate::failure::Failure;

/// A line of the table: what was found, or why a file was not solved.
pub enum Row {
    Answer(Box<Answer>),
    Failed { name: String, message: String },
}

impl Row {
    /// A file that was not solved; the message need not name it again.
    pub fn failed(name: &str, message: &str) -> Self {
        let message = message.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(message);
        Self::Failed { name: name.to_owned(), message: message.to_owned() }
    }

    /// What was found.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answer(answer) => Some(answer),
            Self::Failed { .. } => None,
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Answer(answer) => &answer.name,
            Self::Failed { name, .. } => name,
        }
    }
}

/// One line for each answer.
pub fn table(rows: &[Row]) -> String {
    // Of names the end tells most.
    let longest = rows.iter().map(|row| row.name().chars().count()).max().unwrap_or(0).clamp(7, 44);
    let mut out = format!(
        "{:longest$}  {:>8}  {:>7}  {:12}  {:>10}  {:>8}  {:>10}  {:>10}  {}\n",
        "problem", "contacts", "rank", "method", "iterations", "error", "scale-free", "time", "status"
    );
    for row in rows {
        let name: Vec<char> = row.name().chars().collect();
        let name: String = match name.len() {
            n if n > longest => std::iter::once('…').chain(name[n - longest + 1..].iter().copied()).collect(),
            _ => name.into_iter().collect(),
        };
        let answer = match row {
            Row::Answer(answer) => answer,
            Row::Failed { message, .. } => {
                let none = "–";
                let _ = writeln!(
                    out,
                    "{name:longest$}  {none:>8}  {none:>7}  {none:12}  {none:>10}  {none:>8}  {none:>10}  {none:>10}  \
                     error: {message}"
                );
                continue;
            }
        };
        let rank = answer.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        let free = answer.scale_free.map_or_else(|| "–".to_owned(), |error| format!("{error:.1e}"));
        let _ = writeln!(
            out,
            "{name:longest$}  {:>8}  {rank:>7}  {:12}  {:>10}  {:>8}  {free:>10}  {:>10}  {}",
            answer.contacts,
            answer.method,
            answer.iterations,
            format!("{:.1e}", answer.error),
            time(answer.seconds),
            answer.explained()
        );
    }
    out
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", 1e6 * s),
        s if s < 1.0 => format!("{:.1} ms", 1e3 * s),
        s => format!("{s:.2} s"),
    }
}

#[derive(Serialize)]
struct Record<'a> {
    name: &'a str,
    status: &'static str,
    contacts: usize,
    dimension: usize,
    rank: Option<usize>,
    method: &'static str,
    start: &'static str,
    residual: Option<f64>,
    residual_scale_free: Option<f64>,
    iterations: usize,
    seconds: f64,
    groups: usize,
    stages: Vec<StageRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<&'a str>,
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    impulse: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    velocity: Option<&'a [f64]>,
}

#[derive(Serialize)]
struct StageRecord {
    method: &'static str,
    iterations: usize,
    residual: Option<f64>,
}

/// A file that was not solved.
#[derive(Serialize)]
struct Failed<'a> {
    name: &'a str,
    status: &'static str,
    message: &'a str,
}

/// Either of both.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Answer(Box<Record<'a>>),
    Failed(Failed<'a>),
}

/// One object, or an array of them; with impulses and velocities where these are asked for.
pub fn json(rows: &[Row], one: bool, impulses: bool) -> Result<String, Failure> {
    let entries: Vec<Entry<'_>> = rows
        .iter()
        .map(|row| match row {
            Row::Answer(answer) => Entry::Answer(Box::new(record(answer, impulses))),
            Row::Failed { name, message } => Entry::Failed(Failed { name, status: "error", message }),
        })
        .collect();
    let text = match &entries[..] {
        [entry] if one => serde_json::to_string(entry),
        all => serde_json::to_string(all),
    };
    text.map_err(|e| Failure::Output(e.into()))
}

fn record(answer: &Answer, impulses: bool) -> Record<'_> {
    let finite = |value: f64| value.is_finite().then_some(value);
    Record {
        name: &answer.name,
        status: answer.word(),
        contacts: answer.contacts,
        dimension: answer.dimension,
        rank: answer.rank,
        method: answer.method,
        start: answer.start,
        residual: finite(answer.error),
        residual_scale_free: answer.scale_free.and_then(finite),
        iterations: answer.iterations,
        seconds: answer.seconds,
        groups: answer.groups,
        stages: answer
            .stages
            .iter()
            .map(|stage| StageRecord {
                method: stage.method,
                iterations: stage.iterations,
                residual: finite(stage.residual),
            })
            .collect(),
        certificate: answer.certificate.as_deref(),
        ended_by: answer.ended_by.as_deref(),
        warnings: &answer.warnings,
        impulse: impulses.then_some(&answer.impulse),
        velocity: impulses.then_some(&answer.velocity),
    }
}
