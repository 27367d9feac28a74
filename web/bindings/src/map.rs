//! Regimes over two numbers of a problem.

use std::collections::BTreeMap;

use delassus_figure::{places, to_svg};
use delassus_io::{ReadOptions, parse_problems};
use delassus_report::map::{csv, figure};
use delassus_study::laws::for_study;
use delassus_study::map::compute;
use delassus_study::{Case, Grid, Measure, Parameter, Probe};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Input, laws, text};

/// What is mapped.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MapRequest {
    /// The problem.
    text: String,
    /// Numbers by their path that replace those of the text.
    #[serde(default)]
    set: BTreeMap<String, f64>,
    /// One law, or two where they are compared.
    laws: Vec<String>,
    /// The horizontal axis.
    x: Range,
    /// The vertical axis.
    y: Range,
    /// What is measured.
    measure: String,
    /// Points along each axis.
    points: usize,
}

/// A parameter and its range.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Range {
    key: String,
    from: f64,
    to: f64,
}

/// Points along an axis at most: a page shows no more.
const MOST_POINTS: usize = 800;

/// The first problem of a text under the laws named, and its name.
fn case(input: &Input) -> Result<(Case, String), String> {
    let named = laws(&input.laws)?;
    let source = text::source(input)?;
    let drafts = parse_problems(&source.text, "text", source.format).map_err(|e| e.to_string())?;
    let checker = drafts.checker(&ReadOptions::for_laws(&named));
    let Some(draft) = drafts.problems.into_iter().next() else { return Err("the text holds no problem".to_owned()) };
    let (problem, own, _) = checker.source(draft).map_err(|e| e.to_string())?;
    let laws = for_study(own.as_ref(), &named).ok_or("a map needs a law")?;
    let title = problem.data().map(|data| data.name).unwrap_or_default();
    Ok((Case::new(problem, laws), title))
}

/// What the axes of a map can be: numbers of the text with their values, quantities of short forms and laws without.
pub(crate) fn parameters(input: &Input) -> Result<Value, String> {
    let (case, _) = case(input)?;
    let mut found = text::values(input)?;
    // Of a text with several problems the first is mapped.
    found = found.into_iter().map(|(path, value)| (path.trim_start_matches("problem[0].").to_owned(), value)).collect();
    found.retain(|path, _| Parameter::parse(path, &case).is_ok());
    for key in Parameter::known(&case) {
        let written = key.replace("rod.", "rod_impact.").replace("block.", "block_impact.");
        let short = key.starts_with("law.") || written != key;
        if short && !found.contains_key(&written) {
            found.insert(key, Value::Null);
        }
    }
    Ok(json!({ "parameters": found }))
}

/// The figure and the values.
pub(crate) fn answer(request: &MapRequest) -> Result<Value, String> {
    let (text, set, laws) = (request.text.clone(), request.set.clone(), request.laws.clone());
    let (case, title) = case(&Input { text, set, laws, ..Input::default() })?;
    let failed = |e: delassus::ImpactError| e.to_string();
    let axis = |range: &Range| {
        Parameter::parse(&range.key, &case)
            .map_err(|e| format!("{e}; there are {}", Parameter::known(&case).join(", ")))
    };
    let axes = [axis(&request.x)?, axis(&request.y)?];
    let measure = Measure::parse(&request.measure, &case).map_err(failed)?;
    let points = request.points.clamp(2, MOST_POINTS);
    let ranges = [(request.x.from, request.x.to), (request.y.from, request.y.to)];
    let grid = Grid::uniform(ranges, [points, points]).map_err(failed)?;
    let probe = Probe::new(case, axes, measure).map_err(failed)?;
    let computed = compute(&probe, &grid, &(), &|| ()).ok_or("given up")?;
    if computed.defined == 0 {
        return Err(computed.undefined.map(|e| e.to_string()).unwrap_or_default());
    }
    let map = computed.map(&probe, &grid, title, &request.measure);
    let figure = figure(&map);
    let (size, panels) = places(&figure);
    let frame = panels.first().map(|panel| panel.frame);
    Ok(json!({ "figure": to_svg(&figure), "size": size, "frame": frame, "csv": csv(&map), "points": points }))
}
