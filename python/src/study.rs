//! Maps over two parameters, and the studies of papers.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use delassus::{ErrorKind, ImpactError, ImpactProblem, LawSpec, SolverData};
use delassus_figure::{Axis as DrawnAxis, CellGrid, Figure, Layer, Panel, Scale, to_svg};
use delassus_io::{Format, InputError, ReadOptions, is_scenario, nearest, parse_problems};
use delassus_study::map::{self, Rows, Source, compute};
use delassus_study::motion::{MotionMeasure, MotionProbe};
use delassus_study::reproduce::{self, Datum, Findings, Study};
use delassus_study::{Case, Grid, Measure, Parameter, Probe, ScenarioNumbers, laws};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::error;
use crate::law::Law;
use crate::motion::read_scenario;
use crate::problem::matrix;
use crate::signals::interruptible;

/// More threads are of no use.
pub const MOST_THREADS: usize = 256;

/// A map as Python gets it.
#[pyclass(frozen, get_all, module = "delassus._native")]
pub struct Map {
    title: String,
    /// Names of the laws.
    laws: Vec<String>,
    x: Py<PyArray1<f64>>,
    y: Py<PyArray1<f64>>,
    /// Numbers at the points (y, x), where the measure has them.
    values: Option<Py<PyArray2<f64>>>,
    /// Regimes at the points (y × x in a line), as places in `names`.
    regimes: Py<PyArray1<u32>>,
    names: Vec<String>,
    /// The regimes on both sides of each curve.
    between: Vec<(usize, usize)>,
    /// The points of each curve (k, 2).
    curves: Vec<Py<PyArray2<f64>>>,
    /// Squares of the grid whose boundary is too rough to be followed.
    rough: usize,
    /// Points at which the impact is defined.
    defined: usize,
    /// Points whose answer was not found.
    unsolved: usize,
    /// The coordinate or rate of a motion that is mapped, by its name, and its unit.
    coordinate: Option<(String, &'static str)>,
}

/// Stops a map on Ctrl-C.
struct Interruption<'a>(&'a AtomicBool);

impl Rows for Interruption<'_> {
    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is mapped.
enum Probed {
    Impact(Box<Probe>),
    Motion(Box<MotionProbe>),
}

/// One axis: path of the parameter, first and last value, number of points.
type Axis = (String, f64, f64, usize);

/// Maps a measure of the problem or scenario of a text over two of its numbers.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn map_study(
    py: Python<'_>,
    text: &str,
    file: &str,
    folder: &str,
    named: Vec<PyRef<'_, Law>>,
    by_name: bool,
    x: Axis,
    y: Axis,
    measure: &str,
    iterations: Option<usize>,
    threads: Option<usize>,
    boundaries: Option<bool>,
) -> PyResult<Map> {
    error::guarded(|| {
        let named: Vec<LawSpec> = named.iter().map(|law| law.spec.clone()).collect();
        let grid = Grid::uniform([(x.1, x.2), (y.1, y.2)], [x.3, y.3]).map_err(|error| error::problem(py, &error))?;
        let keys = [&x.0[..], &y.0];
        let asked = Asked { text, file, folder, named: &named, by_name, keys, measure, iterations, boundaries };
        let (probed, name, laws) = py.detach(|| asked.probe()).map_err(|error| error::input(py, &error))?;
        let stop = AtomicBool::new(false);
        let (computed, map) = interruptible(py, &stop, || {
            // A pool of its own: one that outlives the call would hang in a forked process.
            let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).min(MOST_THREADS)).build();
            let pool = pool.map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
            let found = pool.install(|| match &probed {
                Probed::Impact(probe) => draw(&**probe, &grid, &stop, &name, measure),
                Probed::Motion(probe) => draw(&**probe, &grid, &stop, &name, measure),
            });
            found.ok_or_else(|| pyo3::exceptions::PyKeyboardInterrupt::new_err(()))
        })?;
        if let (0, Some(undefined)) = (computed.defined, &computed.undefined) {
            let problem = format!("undefined at every point: {}", undefined.problem);
            return Err(error::problem(py, &ImpactError { problem, ..undefined.clone() }));
        }
        let (rows, columns) = (map.y.values.len(), map.x.values.len());
        let values = match map.values.is_empty() {
            true => None,
            false => Some(matrix(py, rows, columns, map.values)?.unbind()),
        };
        let curve = |points: &[[f64; 2]]| -> PyResult<Py<PyArray2<f64>>> {
            Ok(matrix(py, points.len(), 2, points.iter().flatten().copied().collect())?.unbind())
        };
        Ok(Map {
            title: map.title,
            laws,
            x: PyArray1::from_vec(py, map.x.values).unbind(),
            y: PyArray1::from_vec(py, map.y.values).unbind(),
            values,
            regimes: PyArray1::from_iter(py, map.regimes.iter().map(|&regime| regime as u32)).unbind(),
            names: map.names,
            between: map.boundaries.iter().map(|b| (b.between[0], b.between[1])).collect(),
            curves: map.boundaries.iter().map(|b| curve(&b.points)).collect::<PyResult<_>>()?,
            rough: computed.rough,
            defined: computed.defined,
            unsolved: computed.unsolved,
            coordinate: map.coordinate,
        })
    })
}

fn draw<S: Source>(
    probe: &S,
    grid: &Grid,
    stop: &AtomicBool,
    name: &str,
    measure: &str,
) -> Option<(map::Computed, map::Map)> {
    let computed = compute(probe, grid, &Interruption(stop), &|| ())?;
    let map = computed.map(probe, grid, name, measure);
    Some((computed, map))
}

/// What a map is asked for.
struct Asked<'a> {
    text: &'a str,
    file: &'a str,
    folder: &'a str,
    named: &'a [LawSpec],
    by_name: bool,
    keys: [&'a str; 2],
    measure: &'a str,
    iterations: Option<usize>,
    /// Whether curves between regimes are followed; of impacts by default, of motions not.
    boundaries: Option<bool>,
}

impl Asked<'_> {
    /// What reads the measure at a point, the name of the problem or scenario, and the names of the laws.
    fn probe(&self) -> Result<(Probed, String, Vec<String>), InputError> {
        if self.keys[0] == self.keys[1] {
            return Err(self.wrong(ImpactError::new("y", self.keys[1], "the same parameter as x")));
        }
        let format = Format::detect(Path::new(self.file), self.text);
        if is_scenario(self.text, format) { self.motion() } else { self.impact(format) }
    }

    fn motion(&self) -> Result<(Probed, String, Vec<String>), InputError> {
        let entry = read_scenario(self.text, self.file, self.folder)?;
        let built = entry.scenario.build().map_err(|error| self.wrong(error))?;
        let measure = MotionMeasure::parse(self.measure, &built);
        let measure = measure.map_err(|error| self.wrong(with_known(error, &MotionMeasure::NAMES)))?;
        let own = entry.law.as_ref().filter(|_| self.by_name);
        let mut laws = match self.named {
            [] => laws::for_motion(entry.law.as_ref(), &[]),
            named => laws::for_motion(own, named),
        };
        if laws.len() != 1 {
            let problem = "a scenario is mapped under one law";
            return Err(self.wrong(ImpactError::new("law", format!("{} laws", laws.len()), problem)));
        }
        let law = laws.remove(0);
        let mut scenario = entry.scenario.clone();
        scenario.solver.iterations = self.iterations.or(scenario.solver.iterations);
        scenario.settle_end();
        let numbers = ScenarioNumbers::new(&scenario).map_err(|error| self.wrong(error))?;
        let place = |key: &str| numbers.place(key).map_err(|error| self.wrong(with_known(error, &numbers.known())));
        let axes = [place(self.keys[0])?, place(self.keys[1])?];
        let name = law.name().to_owned();
        let probe = MotionProbe::new(numbers, axes, law, measure).with_boundaries(self.boundaries.unwrap_or(false));
        Ok((Probed::Motion(Box::new(probe)), entry.scenario.name.unwrap_or_default(), vec![name]))
    }

    fn impact(&self, format: Format) -> Result<(Probed, String, Vec<String>), InputError> {
        let wrong = |error| self.wrong(error);
        let case = read_case(self.text, self.file, format, self.named, self.by_name, self.iterations)?;
        let names = case.laws.iter().map(|law| law.name().to_owned()).collect();
        let parameter =
            |key: &str| Parameter::parse(key, &case).map_err(|e| wrong(with_known(e, &Parameter::known(&case))));
        let axes = [parameter(self.keys[0])?, parameter(self.keys[1])?];
        let measure = Measure::parse(self.measure, &case).map_err(|e| wrong(with_known(e, &Measure::NAMES)))?;
        let name = case.source.data().map(|data| data.name).unwrap_or_default();
        let probe = Probe::new(case, axes, measure).map_err(wrong)?.with_boundaries(self.boundaries.unwrap_or(true));
        Ok((Probed::Impact(Box::new(probe)), name, names))
    }

    fn wrong(&self, error: ImpactError) -> InputError {
        InputError::new(self.file, error)
    }
}

/// The problem of a text and the laws of a study of it.
pub fn read_case(
    text: &str,
    file: &str,
    format: Format,
    named: &[LawSpec],
    by_name: bool,
    iterations: Option<usize>,
) -> Result<Case, InputError> {
    let wrong = |error| InputError::new(file, error);
    let drafts = parse_problems(text, file, format)?;
    // Laws that need friction refuse a tangent without it.
    let checker = drafts.checker(&ReadOptions::for_laws(&LawSpec::all()));
    let count = drafts.problems.len();
    let (Some(draft), 1) = (drafts.problems.into_iter().next(), count) else {
        return Err(wrong(ImpactError::new("problem", count, "a study needs one problem")));
    };
    let (source, own, solver) = checker.source(draft).map_err(wrong)?;
    ImpactProblem::new(source.data().map_err(wrong)?).map_err(wrong)?;
    let chosen = match (named, by_name) {
        ([_, ..], false) => Some(named.to_vec()),
        (named, _) => laws::for_study(own.as_ref(), named),
    };
    let missing = || wrong(ImpactError::missing("law", "", "is missing; the problem has none of its own"));
    Ok(Case {
        solver: SolverData { iterations: iterations.or(solver.iterations), ..solver },
        ..Case::new(source, chosen.ok_or_else(missing)?)
    })
}

/// The error with the words that are known.
pub fn with_known(mut error: ImpactError, known: &[impl AsRef<str>]) -> ImpactError {
    if error.kind == ErrorKind::Unknown {
        let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
        let word = if error.value.is_empty() { &error.field } else { &error.value };
        let hint = nearest(word.trim_matches('"'), &known).map(|near| format!("did you mean {near:?}? "));
        error.problem += &format!("; {}there are: {}", hint.unwrap_or_default(), known.join(", "));
    }
    error
}

/// Ids and titles of the studies of papers.
#[pyfunction]
pub fn studies() -> Vec<(&'static str, &'static str)> {
    reproduce::studies().iter().map(|study| (study.id, study.title)).collect()
}

/// Computes the studies of these ids or papers, all where there is none; as JSON, with the keys of
/// `delassus reproduce --json`, the figures, and the tables behind them.
#[pyfunction]
pub fn reproduce_studies(py: Python<'_>, ids: Vec<String>, threads: Option<usize>) -> PyResult<String> {
    error::guarded(|| {
        let all = reproduce::studies();
        let names = |study: &Study, id: &str| study.id == id || study.paper() == id;
        if let Some(id) = ids.iter().find(|id| !all.iter().any(|study| names(study, id))) {
            let known: Vec<&str> = all.iter().map(|s| s.id).chain(all.iter().map(Study::paper)).collect();
            let hint = nearest(id, &known).map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
            return Err(error::problem(
                py,
                &ImpactError::new("study", format!("{id:?}"), format!("no such study{hint}")),
            ));
        }
        let chosen = |study: &&Study| ids.is_empty() || ids.iter().any(|id| names(study, id));
        let chosen: Vec<&Study> = all.iter().filter(chosen).collect();
        let stop = AtomicBool::new(false);
        let found = interruptible(py, &stop, || {
            let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).min(MOST_THREADS)).build();
            let pool = pool.map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
            let compute = |study: &&Study| (!stop.load(Ordering::Relaxed)).then(|| described(study, &study.run()));
            let found: Vec<Option<Value>> = pool.install(|| chosen.par_iter().map(compute).collect());
            Ok(Value::Array(found.into_iter().flatten().collect()).to_string())
        })?;
        Ok(found)
    })
}

fn described(study: &Study, findings: &Findings) -> Value {
    let datum = |datum: &Datum| match datum {
        Datum::Number(value) => json!(value),
        Datum::Text(text) => json!(text),
    };
    let values = findings.values.iter().map(|v| {
        json!({
            "quantity": v.quantity, "paper": v.paper.as_ref().map(datum),
            "independent": v.independent.as_ref().map(datum), "ours": datum(&v.ours), "tolerance": v.tolerance,
            "verdict": v.verdict.as_str(), "why": v.why,
        })
    });
    let tables = findings.tables.iter().map(|table| {
        let rows: Vec<Vec<Value>> = table.rows.iter().map(|row| row.iter().map(datum).collect()).collect();
        json!({ "part": table.part, "columns": table.columns, "rows": rows })
    });
    let figures = findings.figures.iter().map(|drawn| {
        json!({
            "part": drawn.part, "caption": drawn.caption, "svg": to_svg(&drawn.figure),
            "columns": drawn.figure.columns, "panels": layers(&drawn.figure),
        })
    });
    json!({
        "id": study.id,
        "title": study.title,
        "verdict": findings.verdict().as_str(),
        "values": values.collect::<Vec<_>>(),
        "tables": tables.collect::<Vec<_>>(),
        "figures": figures.collect::<Vec<_>>(),
        "notes": findings.notes,
    })
}

/// What a figure shows, for drawing it with other tools: curves, cells, and lines across.
fn layers(figure: &Figure) -> Vec<Value> {
    let axis = |axis: &DrawnAxis| json!({ "label": axis.label, "log": axis.scale == Scale::Log, "range": axis.range });
    let cells = |grid: &CellGrid| json!({ "x": grid.x, "y": grid.y });
    let layer = |layer: &Layer| match layer {
        Layer::Series(series) => json!({
            "kind": "series", "points": series.points, "label": series.label, "line": series.width > 0.0,
            "color": series.color.map(|color| color.to_string()),
        }),
        Layer::Area(area) => json!({
            "kind": "area", "points": area.outline, "label": area.label, "color": area.color.to_string(),
            "opacity": area.opacity,
        }),
        Layer::Regions(regions) => {
            let count = regions.categories.len();
            let names: Vec<&str> = regions.categories.iter().map(|category| &category.name[..]).collect();
            let ramp = |k: usize| delassus_figure::category_color(k, count);
            let colors = regions.categories.iter().enumerate();
            let colors = colors.map(|(k, category)| category.color.unwrap_or_else(|| ramp(k)).to_string());
            json!({
                "kind": "regions", "cells": cells(&regions.grid), "values": regions.cells, "names": names,
                "colors": colors.collect::<Vec<_>>(),
            })
        }
        Layer::Field(field) => json!({
            "kind": "field", "cells": cells(&field.grid), "values": field.values, "label": field.label,
            "range": field.range,
        }),
        Layer::Reference(line) => json!({
            "kind": "reference", "value": line.value, "horizontal": line.horizontal, "label": line.label,
            "color": line.color.to_string(),
        }),
        Layer::Text(text) => json!({ "kind": "text", "at": text.at, "text": text.text }),
        Layer::Arrow(arrow) => {
            json!({ "kind": "arrow", "from": arrow.from, "to": arrow.to, "color": arrow.color.to_string() })
        }
    };
    let panel = |panel: &Panel| {
        json!({
            "title": panel.title, "x": axis(&panel.x), "y": axis(&panel.y),
            "layers": panel.layers.iter().map(layer).collect::<Vec<_>>(),
        })
    };
    figure.panels.iter().map(panel).collect()
}
