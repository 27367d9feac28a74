//! An impact under several laws.

use delassus::{ImpactOutcome, LawSpec, Options, Status, Workspace, resolve_into};
use delassus_io::{Document, ReadOptions, read_problems, write_outcomes};
use delassus_report::impact::{Impact, part};
use delassus_study::laws::for_impact;
use serde_json::{Value, json};

use crate::{Input, laws, text};

fn read(input: &Input, named: &[LawSpec]) -> Result<Document, String> {
    let source = text::source(input)?;
    read_problems(&source.text, "text", source.format, &ReadOptions::for_laws(named)).map_err(|e| e.to_string())
}

/// What `impact --json` prints, and the part of a page. Where no law is named every law answers, also beside the one
/// of the text.
pub(crate) fn answer(input: &Input) -> Result<Value, String> {
    let named = laws(&input.laws)?;
    let document = read(input, &named)?;
    let Some(entry) = document.entries.first() else { return Err("the text holds no problem".to_owned()) };
    let all = LawSpec::all();
    let choice = for_impact(entry.law.as_ref(), if named.is_empty() { &all } else { &named });
    let options = Options { path: true, eigenvalues: true, ..Options::default() };
    let mut work = Workspace::default();
    let mut outcomes: Vec<ImpactOutcome> = choice
        .laws
        .iter()
        .map(|law| {
            let mut outcome = ImpactOutcome::default();
            if let Err(error) = resolve_into(&entry.problem, law, &options, &mut work, &mut outcome) {
                outcome.answer.status = Status::NotApplicable;
                outcome.reason = Some(error.to_string());
            }
            outcome
        })
        .collect();
    let title = if entry.problem.name().is_empty() { "Impact" } else { entry.problem.name() };
    let shown = Impact { title, problem: &entry.problem, laws: &choice.laws, outcomes: &outcomes };
    let html = part(&shown, false);
    // Paths are drawn; as numbers they are long and the program gives them.
    outcomes.iter_mut().for_each(|outcome| outcome.answer.path = None);
    let mut json = Vec::new();
    write_outcomes(&mut json, &entry.problem, choice.laws.iter().map(LawSpec::name).zip(&outcomes));
    let records: Value = serde_json::from_slice(&json).map_err(|e| e.to_string())?;
    let one = named.is_empty() && entry.law.is_some();
    Ok(json!({ "title": title, "one": one, "outcomes": records, "html": html, "toml": text::as_toml(input)? }))
}

/// Resolves the problem of a text under its law, or Newton's, many times; the velocity, so that
/// nothing can be left out. The page looks at its clock before and after.
pub(crate) fn repeat(text: &str, count: usize) -> Result<Value, String> {
    let document = read(&Input { text: text.to_owned(), ..Input::default() }, &[])?;
    let Some(entry) = document.entries.first() else { return Err("the text holds no problem".to_owned()) };
    let newton = LawSpec::by_name("newton").ok_or("no law newton")?;
    let law = entry.law.as_ref().unwrap_or(&newton);
    let options = Options { solutions: delassus::Solutions::First, ..Options::default() };
    let (mut work, mut outcome, mut problem) = (Workspace::default(), ImpactOutcome::default(), entry.problem.clone());
    let mut velocity = problem.u_minus().to_vec();
    for k in 0..count {
        velocity[0] *= 1.0 + 1e-9 * (k % 2) as f64;
        problem.set_velocity(&velocity).map_err(|e| e.to_string())?;
        resolve_into(&problem, law, &options, &mut work, &mut outcome).map_err(|e| e.to_string())?;
    }
    Ok(json!({ "velocity": outcome.u_plus }))
}
