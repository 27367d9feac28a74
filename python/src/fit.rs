//! Measurements: numbers of a model found from them, and laws held against them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use delassus::{ImpactError, LawSpec};
use delassus_figure::to_svg;
use delassus_io::{Format, InputError, Table, is_scenario, read_measured};
use delassus_report::{fit as drawn_fit, score as drawn_scores};
use delassus_study::fit::{Fit, FitModel, ImpactModel, MotionModel, effort_of_impacts, effort_of_motions, fit};
use delassus_study::optimise::Effort;
use delassus_study::score::{Free, MeasuredImpact, Score, ScoreSettings, score_until};
use delassus_study::{Parameter, ScenarioNumbers};
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use serde_json::{Map, Value, json};

use crate::error;
use crate::law::Law;
use crate::motion::{choose, read_scenario};
use crate::signals::interruptible;
use crate::study::{read_case, with_known};

/// Columns by their names.
type Columns = Vec<(String, Vec<f64>)>;
/// A number to find: its path, and its range where that is not the usual one.
type FreeArgument = (String, Option<(f64, f64)>);

/// What is fitted to what.
struct Asked<'a> {
    columns: Columns,
    text: &'a str,
    file: &'a str,
    folder: &'a str,
    law: Option<&'a Law>,
    by_name: bool,
    free: Vec<Free>,
    looks: Option<usize>,
    seed: u64,
}

/// A model that gives up once someone wants to stop.
struct Stoppable<'a, M> {
    model: M,
    stop: &'a AtomicBool,
}

impl<M: FitModel> FitModel for Stoppable<'_, M> {
    fn columns(&self) -> Vec<String> {
        self.model.columns()
    }

    fn predictions(&mut self, values: &[f64]) -> Option<Vec<Vec<f64>>> {
        if self.stop.load(Ordering::Relaxed) { None } else { self.model.predictions(values) }
    }

    fn measured(&self) -> &[Vec<f64>] {
        self.model.measured()
    }
}

/// The columns of a table of comma-separated values; NaN where a field is empty.
#[pyfunction]
pub fn read_table(py: Python<'_>, text: &str, file: &str) -> PyResult<Columns> {
    error::guarded(|| {
        let wrong = |problem: String| error::input(py, &InputError::new(file, ImpactError::new("data", "", problem)));
        let read = || -> Result<Columns, String> {
            let table = Table::read(text)?;
            let column = |(k, name): (usize, &String)| Ok((name.clone(), table.numbers(k)?));
            table.names.iter().enumerate().map(column).collect()
        };
        py.detach(read).map_err(wrong)
    })
}

/// Fits numbers of the problem or scenario of a text; gives JSON with the keys of `delassus fit --json`, and the figure.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_model(
    py: Python<'_>,
    columns: Columns,
    text: &str,
    file: &str,
    folder: &str,
    law: Option<&Law>,
    by_name: bool,
    free: Vec<FreeArgument>,
    looks: Option<usize>,
    seed: u64,
) -> PyResult<(String, String)> {
    error::guarded(|| {
        let free = free_numbers(free).map_err(|wrong| error::problem(py, &wrong))?;
        let asked = Asked { columns, text, file, folder, law, by_name, free, looks, seed };
        let stop = AtomicBool::new(false);
        let found = interruptible(py, &stop, || Ok(asked.find(&stop)))?;
        found.map_err(|wrong| error::input(py, &wrong))
    })
}

fn free_numbers(given: Vec<FreeArgument>) -> Result<Vec<Free>, ImpactError> {
    let mut all: Vec<Free> = Vec::new();
    for (key, range) in given {
        let free = match range {
            Some((low, high)) => Free::new(key, low, high),
            None => Free::usual(&key)
                .ok_or_else(|| ImpactError::missing(key.clone(), "", "needs a range, {path: (low, high)}"))?,
        };
        if all.iter().any(|known| known.key == free.key) {
            return Err(ImpactError::duplicate(free.key, "", "is to be found twice"));
        }
        all.push(free);
    }
    Ok(all)
}

impl Asked<'_> {
    /// The JSON and the figure.
    fn find(&self, stop: &AtomicBool) -> Result<(String, String), InputError> {
        if is_scenario(self.text, Format::detect(Path::new(self.file), self.text)) {
            self.motion(stop)
        } else {
            self.impacts(stop)
        }
    }

    fn motion(&self, stop: &AtomicBool) -> Result<(String, String), InputError> {
        let entry = read_scenario(self.text, self.file, self.folder)?;
        let law = choose(entry.law.as_ref(), self.law, self.by_name);
        let (time, measured): (Columns, Columns) = self.columns.iter().cloned().partition(|(name, _)| name == "time");
        let Some((_, times)) = time.into_iter().next() else {
            return Err(self.wrong(ImpactError::missing("data.time", "", "needs a column time [s]")));
        };
        if measured.is_empty() {
            return Err(self.wrong(ImpactError::missing("data", "", "needs a column beside time")));
        }
        let known = || ScenarioNumbers::new(&entry.scenario).map(|numbers| numbers.known()).unwrap_or_default();
        let model = MotionModel::new(&entry.scenario, law, &self.free, &times, &measured);
        let model = model.map_err(|error| self.wrong(with_known(error, &known())))?;
        let mut model = Stoppable { model, stop };
        let found = self.search(&mut model, effort_of_motions(self.free.len()))?;
        let predicted = model.model.predictions(&values(&found)).unwrap_or_default();
        Ok(described(&found, (drawn_fit::Over::Time, &times), &measured, &predicted))
    }

    fn impacts(&self, stop: &AtomicBool) -> Result<(String, String), InputError> {
        let named: Vec<LawSpec> = self.law.iter().map(|law| law.spec.clone()).collect();
        let format = Format::detect(Path::new(self.file), self.text);
        let case = read_case(self.text, self.file, format, &named, self.by_name, None)?;
        let (mut inputs, mut measured): (Columns, Columns) = (Vec::new(), Vec::new());
        for (column, values) in self.columns.iter().cloned() {
            match column.strip_prefix("measured.") {
                Some(measure) => measured.push((measure.to_owned(), values)),
                None if values.iter().any(|value| value.is_nan()) => {
                    let field = format!("data.{column}");
                    return Err(self.wrong(ImpactError::missing(field, "", "a given number is missing")));
                }
                None => inputs.push((column, values)),
            }
        }
        if measured.is_empty() {
            let problem = "needs a column that was measured, such as measured.velocity[0]";
            return Err(self.wrong(ImpactError::missing("data", "", problem)));
        }
        let model = ImpactModel::new(&case, &self.free, &inputs, &measured);
        let model = model.map_err(|error| self.wrong(with_known(error, &Parameter::known(&case))))?;
        let mut model = Stoppable { model, stop };
        let found = self.search(&mut model, effort_of_impacts(self.free.len()))?;
        let predicted = model.model.predictions(&values(&found)).unwrap_or_default();
        // Over the given number that varies, if there is one.
        let varies = |values: &[f64]| values.iter().any(|value| *value != values[0]);
        let rows: Vec<f64> = (1..=measured[0].1.len()).map(|k| k as f64).collect();
        let along = inputs.iter().find(|(_, values)| varies(values));
        let (label, x) = along.map_or(("impact", &rows), |(key, values)| (key.as_str(), values));
        Ok(described(&found, (drawn_fit::Over::Given(label), x), &measured, &predicted))
    }

    fn search(&self, model: &mut dyn FitModel, usual: Effort) -> Result<Fit, InputError> {
        let effort = Effort { looks: self.looks.unwrap_or(usual.looks), ..usual };
        fit(model, &self.free, effort, self.seed).map_err(|error| {
            let field = if error.field.is_empty() { "free".to_owned() } else { error.field.clone() };
            self.wrong(ImpactError { field, ..error })
        })
    }

    fn wrong(&self, error: ImpactError) -> InputError {
        InputError::new(self.file, error)
    }
}

fn values(found: &Fit) -> Vec<f64> {
    found.estimates.iter().map(|estimate| estimate.value).collect()
}

fn described(
    found: &Fit,
    (over, x): (drawn_fit::Over<'_>, &[f64]),
    measured: &Columns,
    predicted: &[Vec<f64>],
) -> (String, String) {
    let estimates = found.estimates.iter();
    let estimates =
        estimates.map(|e| json!({ "key": e.key, "value": e.value, "interval": e.interval, "at_bound": e.at_bound }));
    let rms: Map<String, Value> = found.rms.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let correlation: Vec<&[f64]> = found.correlation.chunks(found.estimates.len().max(1)).collect();
    let value = json!({
        "estimates": estimates.collect::<Vec<_>>(), "rms": rms, "measurements": found.count,
        "correlation": correlation, "warnings": found.warnings,
    });
    let columns = measured.iter().zip(predicted);
    let columns: Vec<drawn_fit::Column<'_>> =
        columns.map(|((name, measured), predicted)| drawn_fit::Column { name, measured, predicted }).collect();
    let svg = if columns.is_empty() { String::new() } else { to_svg(&drawn_fit::figure(over, x, &columns, "")) };
    (value.to_string(), svg)
}

/// Scores laws on measured impacts, all where none is given; a list of JSON objects with the keys of
/// `delassus score --json`, and the figure.
#[pyfunction]
pub fn score_laws(
    py: Python<'_>,
    text: &str,
    file: &str,
    laws: Vec<PyRef<'_, Law>>,
    folds: usize,
    free: Vec<FreeArgument>,
    seed: u64,
) -> PyResult<(String, String)> {
    error::guarded(|| {
        let wrong = |wrong: ImpactError| error::problem(py, &wrong);
        let named: Vec<LawSpec> = laws.iter().map(|law| law.spec.clone()).collect();
        let laws = if named.is_empty() { LawSpec::all() } else { named };
        let settings = ScoreSettings { folds, seed, free: free_numbers(free).map_err(wrong)? };
        let stop = AtomicBool::new(false);
        let found = interruptible(py, &stop, || {
            // A pool of its own: one that outlives the call would hang in a forked process.
            let pool = ThreadPoolBuilder::new().build();
            let pool = pool.map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
            let stopped = || stop.load(Ordering::Relaxed);
            let work = || -> Result<Option<Vec<Score>>, InputError> {
                let measured = read_measured(text, file)?.into_iter();
                let impacts: Vec<MeasuredImpact> =
                    measured.map(|(problem, after)| MeasuredImpact { problem, after }).collect();
                score_until(&impacts, &laws, &settings, &stopped).map_err(|error| InputError::new(file, error))
            };
            Ok(pool.install(work))
        })?;
        let scores = found.map_err(|wrong| error::input(py, &wrong))?.unwrap_or_default();
        let title = format!("{} impacts, {folds} folds", scores.first().map_or(0, |score| score.errors.len()));
        Ok(py.detach(|| {
            let svg = to_svg(&drawn_scores::figure(&scores, &title));
            (Value::Array(scores.iter().map(score_value).collect()).to_string(), svg)
        }))
    })
}

fn score_value(score: &Score) -> Value {
    let values: Map<String, Value> = score.values.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    let [q1, median, q3] = score.quartiles;
    json!({
        "name": score.name, "reason": score.reason, "median": median, "quartiles": [q1, q3],
        "median_interval": score.intervals[1], "values": values, "errors": score.errors,
    })
}
