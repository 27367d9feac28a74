//! Regimes over two numbers of a problem.

use std::collections::BTreeMap;

use delassus_figure::to_svg;
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

/// The figure and the values.
pub(crate) fn answer(request: &MapRequest) -> Result<Value, String> {
    let input = Input { text: request.text.clone(), set: request.set.clone(), ..Input::default() };
    let named = laws(&request.laws)?;
    let source = text::source(&input)?;
    let failed = |e: delassus::ImpactError| e.to_string();
    let drafts = parse_problems(&source.text, "text", source.format).map_err(|e| e.to_string())?;
    let checker = drafts.checker(&ReadOptions::for_laws(&named));
    let Some(draft) = drafts.problems.into_iter().next() else { return Err("the text holds no problem".to_owned()) };
    let (problem, own, _) = checker.source(draft).map_err(failed)?;
    let laws = for_study(own.as_ref(), &named).ok_or("a map needs a law")?;
    let title = problem.data().map(|data| data.name).unwrap_or_default();
    let case = Case::new(problem, laws);
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
    Ok(json!({ "figure": to_svg(&figure(&map)), "csv": csv(&map), "points": points }))
}
