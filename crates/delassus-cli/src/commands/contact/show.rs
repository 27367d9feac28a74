//! Answers as a table or as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::answer::Answer;
use crate::failure::Failure;

/// One line for each answer.
pub fn table(answers: &[Answer]) -> String {
    // Of names the end tells most.
    let longest = answers.iter().map(|a| a.name.chars().count()).max().unwrap_or(0).clamp(7, 44);
    let mut out = format!(
        "{:longest$}  {:>8}  {:>7}  {:12}  {:>10}  {:>8}  {:>10}  {:>10}  {}\n",
        "problem", "contacts", "rank", "method", "iterations", "error", "scale-free", "time", "status"
    );
    for answer in answers {
        let name: Vec<char> = answer.name.chars().collect();
        let name: String = match name.len() {
            n if n > longest => std::iter::once('…').chain(name[n - longest + 1..].iter().copied()).collect(),
            _ => name.into_iter().collect(),
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
            answer.word()
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
    residual: Option<f64>,
    residual_scale_free: Option<f64>,
    iterations: usize,
    seconds: f64,
    groups: usize,
    stages: Vec<StageRecord>,
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    impulse: &'a [f64],
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    velocity: &'a [f64],
}

#[derive(Serialize)]
struct StageRecord {
    method: &'static str,
    iterations: usize,
    residual: Option<f64>,
}

/// One object, or an array of them.
pub fn json(answers: &[Answer], one: bool) -> Result<String, Failure> {
    let finite = |value: f64| value.is_finite().then_some(value);
    let records: Vec<Record<'_>> = answers
        .iter()
        .map(|answer| Record {
            name: &answer.name,
            status: answer.word(),
            contacts: answer.contacts,
            dimension: answer.dimension,
            rank: answer.rank,
            method: answer.method,
            residual: finite(answer.error),
            residual_scale_free: answer.scale_free.and_then(finite),
            iterations: answer.iterations,
            seconds: answer.seconds,
            groups: answer.groups,
            stages: answer
                .stages
                .iter()
                .map(|stage| StageRecord {
                    method: stage.method.as_str(),
                    iterations: stage.iterations,
                    residual: finite(stage.residual),
                })
                .collect(),
            impulse: &answer.impulse,
            velocity: &answer.velocity,
        })
        .collect();
    let text = match &records[..] {
        [record] if one => serde_json::to_string(record),
        all => serde_json::to_string(all),
    };
    text.map_err(|e| Failure::Output(e.into()))
}
