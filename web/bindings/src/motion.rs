//! A motion under several laws.

use delassus::model::{PLANE, SPACE};
use delassus::simulate::{Control, Progress, Trajectory};
use delassus_io::{Format, RunRecord, in_space, read_scenarios, write_csv};
use delassus_report::motion::{Motion, Run, part};
use delassus_study::laws::for_motion;
use delassus_study::motion::simulate_drawn;
use serde_json::{Value, json};

use crate::{Input, laws, text};

/// Samples of a run whose text gives no interval, as the program has it.
const SAMPLES: f64 = 1000.0;

/// The module that this text needs, where it is not this one.
fn elsewhere(text: &str, format: Format) -> Option<&'static str> {
    if PLANE && SPACE {
        return None;
    }
    match in_space(text, format)? {
        true if !SPACE => Some("space"),
        false if !PLANE => Some("motion"),
        _ => None,
    }
}

/// What `run --json` prints for each law, the part of a page, and its samples as CSV.
pub(crate) fn answer(input: &Input) -> Result<Value, String> {
    let source = text::source(input)?;
    if let Some(module) = elsewhere(&source.text, source.format) {
        return Ok(json!({ "module": module }));
    }
    let record = |name: &str| {
        let given = input.records.get(name).or_else(|| input.records.get("*"));
        given.cloned().ok_or_else(|| "cannot be read here: drop the file on the page".to_owned())
    };
    let document = read_scenarios(&source.text, "text", source.format, &record).map_err(|e| e.to_string())?;
    let Some(entry) = document.entries.first() else { return Err("the text holds no scenario".to_owned()) };
    let mut built = entry.scenario.build().map_err(|e| e.within(&entry.path).to_string())?;
    built.system.add_remarks(&entry.remarks);
    let laws = for_motion(entry.law.as_ref(), &laws(&input.laws)?);
    let mut go_on = |_: &Progress| Control::Continue;
    let simulate = |law| {
        let done = simulate_drawn(&built, law, SAMPLES, &mut go_on);
        done.map_err(|e| e.to_string())
    };
    let trajectories = laws.iter().map(simulate).collect::<Result<Vec<Trajectory>, String>>()?;
    let runs: Vec<Run<'_>> =
        laws.iter().zip(&trajectories).map(|(law, trajectory)| Run { law: law.name(), trajectory }).collect();
    let name = entry.scenario.name.as_deref();
    let title = name.unwrap_or("Motion");
    let motion = Motion { title, scenario: &entry.scenario, built: &built, runs: &runs };
    let records: Vec<RunRecord<'_>> =
        runs.iter().map(|run| RunRecord::new(name, run.law, &built.system, run.trajectory)).collect();
    let samples = |trajectory: &Trajectory| {
        let mut csv = Vec::new();
        write_csv(&mut csv, &built.system, trajectory).map_err(|e| e.to_string())?;
        Ok(String::from_utf8_lossy(&csv).into_owned())
    };
    let csvs = trajectories.iter().map(samples).collect::<Result<Vec<_>, String>>()?;
    Ok(json!({
        "title": title,
        "runs": records,
        "html": part(&motion, false),
        "csvs": csvs,
        "toml": text::as_toml(input)?,
    }))
}
