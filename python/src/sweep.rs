//! Sweeps over any number of parameters, in pieces that any engine can ship.

use std::cell::RefCell;
use std::mem;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use delassus::{ImpactError, LawSpec};
use delassus_cli::{named_law, sweep_identity, swept_record};
use delassus_figure::to_svg;
use delassus_io::{Format, InputError, csv_fields, is_scenario};
use delassus_report::sweep::{Labels, csv_head, csv_line, figure};
use delassus_study::motion::MotionMeasure;
use delassus_study::sweep::{Cell, Plan, Sampling, Shared, Sweep as Computed, Values, Vary};
use delassus_study::{Measure, Parameter, ScenarioNumbers, laws};
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::error;
use crate::law::Law;
use crate::motion::read_scenario;
use crate::signals::watched;
use crate::study::{MOST_THREADS, read_case, with_known};

/// A sweep that computes its rows on request.
#[pyclass(frozen, module = "delassus._native")]
pub struct Sweep {
    sweep: Computed,
}

/// An entry of a row as Python gets it.
#[derive(IntoPyObject)]
enum Entry {
    Number(f64),
    Word(String),
}

/// What a sweep is asked for.
struct Asked<'a> {
    text: &'a str,
    file: &'a str,
    folder: &'a str,
    /// Where the names of swept records start, wherever a worker stands.
    here: &'a str,
    named: Vec<LawSpec>,
    by_name: bool,
    measures: &'a [String],
    iterations: Option<usize>,
}

#[pymethods]
impl Sweep {
    /// A sweep of the problem or scenario of a text; `vary` as the command line has it, `KEY=VALUES`.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        text: &str,
        file: &str,
        folder: &str,
        here: &str,
        named: Vec<PyRef<'_, Law>>,
        by_name: bool,
        vary: Vec<String>,
        measures: Vec<String>,
        samples: Option<usize>,
        sobol: bool,
        seed: u64,
        iterations: Option<usize>,
    ) -> PyResult<Self> {
        error::guarded(|| {
            let wrong = |error: ImpactError| error::problem(py, &error);
            let sampling = if sobol { Sampling::Sobol } else { Sampling::Random };
            let vary = vary.iter().map(|text| Vary::parse(text)).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
            let plan = Plan::new(vary, samples, sampling, seed).map_err(wrong)?;
            let named = named.iter().map(|law| law.spec.clone()).collect();
            let asked = Asked { text, file, folder, here, named, by_name, measures: &measures, iterations };
            let sweep = py.detach(|| asked.sweep(plan)).map_err(|error| error::input(py, &error))?;
            Ok(Self { sweep })
        })
    }

    /// The number of cases.
    #[getter]
    fn cases(&self) -> usize {
        self.sweep.plan().cases()
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.sweep.columns()
    }

    /// The first line of the file.
    #[getter]
    fn head(&self) -> String {
        csv_head(&self.sweep)
    }

    /// Curves over the only parameter that is a number, as SVG; none for other sweeps. `rows` as texts, in order.
    fn svg(&self, py: Python<'_>, rows: Vec<Vec<String>>) -> PyResult<Option<String>> {
        let wide = self.sweep.columns().len();
        if rows.iter().any(|row| row.len() != wide) {
            return Ok(None);
        }
        let drawn = || figure(&self.sweep, &rows, None, &Labels::default()).ok().map(|figure| to_svg(&figure));
        error::guarded(|| Ok(py.detach(drawn)))
    }

    /// Stands for everything that rows depend on: problem or scenario, laws, records, values, measures.
    #[getter]
    fn identity(&self, py: Python<'_>) -> String {
        py.detach(|| format!("{:016x}", sweep_identity(&self.sweep)))
    }

    /// The entries of lines of the file; none for a line that is not whole.
    fn entries(&self, py: Python<'_>, lines: Vec<String>) -> Vec<Option<Vec<Entry>>> {
        let numbers = self.sweep.are_numbers();
        let entry = |(field, is_number): (String, &bool)| match (field.is_empty(), is_number) {
            (true, _) => Some(Entry::Number(f64::NAN)),
            (false, true) => field.parse().ok().map(Entry::Number),
            (false, false) => Some(Entry::Word(field)),
        };
        let entries = |line: &String| {
            let fields = csv_fields(line.strip_suffix('\n')?).filter(|fields| fields.len() == numbers.len())?;
            fields.into_iter().zip(&numbers).map(entry).collect()
        };
        py.detach(|| lines.iter().map(entries).collect())
    }

    /// The rows of the cases from `first` up to but not `last` and without those that are `known`, each as a line of the
    /// file and as its entries. Meanwhile `kept` is called with lines as they come, in any order.
    #[pyo3(signature = (first, last, threads, known = Vec::new(), kept = None))]
    fn rows(
        &self,
        py: Python<'_>,
        first: usize,
        last: usize,
        threads: Option<usize>,
        known: Vec<usize>,
        kept: Option<Py<PyAny>>,
    ) -> PyResult<Vec<(String, Vec<Entry>)>> {
        error::guarded(|| {
            let stop = AtomicBool::new(false);
            let stopped = || stop.load(Ordering::Relaxed);
            let last = last.min(self.sweep.plan().cases());
            let mut missing = vec![true; last];
            known.into_iter().filter(|case| *case < last).for_each(|case| missing[case] = false);
            let missing: Vec<usize> = (first.min(last)..last).filter(|case| missing[*case]).collect();
            let waiting = Mutex::new(Vec::new());
            let look = |py: Python<'_>| {
                let lines: Vec<String> = waiting.lock().map(|mut lines| mem::take(&mut *lines)).unwrap_or_default();
                match &kept {
                    Some(kept) if !lines.is_empty() => kept.call1(py, (lines,)).map(drop),
                    _ => Ok(()),
                }
            };
            let rows: Vec<Option<(String, Vec<Cell>)>> = watched(py, &stop, look, || {
                // A pool of its own: one that outlives the call would hang in a forked process.
                let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).min(MOST_THREADS)).build();
                let pool = pool.map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
                let cases = missing.into_par_iter().with_max_len(1);
                let sweep = Shared::new(&self.sweep);
                let row = |case| {
                    let found = sweep.row(case, &stopped).map(|row| (csv_line(&row), row));
                    if let (Some((line, _)), true, Ok(mut lines)) = (&found, kept.is_some(), waiting.lock()) {
                        lines.push(line.clone());
                    }
                    found
                };
                Ok(pool.install(|| cases.map(row).collect()))
            })?;
            let rows: Option<Vec<_>> = rows.into_iter().collect();
            let rows = rows.ok_or_else(|| pyo3::exceptions::PyKeyboardInterrupt::new_err(()))?;
            let entry = |cell| match cell {
                Cell::Number(value) => Entry::Number(value),
                Cell::Word(word) => Entry::Word(word),
            };
            Ok(rows.into_iter().map(|(line, row)| (line, row.into_iter().map(entry).collect())).collect())
        })
    }
}

impl Asked<'_> {
    fn sweep(mut self, plan: Plan) -> Result<Computed, InputError> {
        let format = Format::detect(Path::new(self.file), self.text);
        if is_scenario(self.text, format) {
            return self.motions(plan);
        }
        // Where laws are varied and none is given, the first of them says how the problem is read.
        let first = plan.vary().iter().find_map(|vary| match (&vary.key[..], &vary.values) {
            ("law", Values::Words(words)) => words.first(),
            _ => None,
        });
        if let (true, Some(law)) = (self.named.is_empty(), first.and_then(|word| named_law(word, &[]))) {
            (self.named, self.by_name) = (vec![law], true);
        }
        let case = read_case(self.text, self.file, format, &self.named, self.by_name, self.iterations)?;
        let own = case.laws.clone();
        Computed::of_impacts(&case, plan, self.measures, &|word| named_law(word, &own)).map_err(|error| {
            let known = match &error.field[..] {
                "measure" => Measure::NAMES.map(str::to_owned).to_vec(),
                _ => Parameter::known(&case),
            };
            self.wrong(with_known(error, &known))
        })
    }

    fn motions(&self, plan: Plan) -> Result<Computed, InputError> {
        let entry = read_scenario(self.text, self.file, self.folder)?;
        entry.scenario.build().map_err(|error| self.wrong(error))?;
        let own = entry.law.as_ref().filter(|_| self.by_name || self.named.is_empty());
        let Ok([law]) = <[LawSpec; 1]>::try_from(laws::for_motion(own, &self.named)) else {
            let problem = "a scenario runs under one law; vary `law` for several";
            return Err(self.wrong(ImpactError::new("law", format!("{} laws", self.named.len()), problem)));
        };
        let mut scenario = entry.scenario.clone();
        scenario.solver.iterations = self.iterations.or(scenario.solver.iterations);
        let own = [law.clone()];
        // What should be known of a record is told where it is looked at by itself.
        let remarks = RefCell::new(Vec::new());
        let record = |key: &str, path: &str| {
            let place = Path::new(self.here).join(path);
            swept_record(&entry, key, &place.to_string_lossy(), &mut remarks.borrow_mut())
        };
        let sweep = Computed::of_motions(&scenario, law, plan, self.measures, &|word| named_law(word, &own), &record);
        sweep.map_err(|error| {
            let known = match &error.field[..] {
                "measure" => MotionMeasure::NAMES.map(str::to_owned).to_vec(),
                _ => ScenarioNumbers::new(&scenario).map(|numbers| numbers.known()).unwrap_or_default(),
            };
            self.wrong(with_known(error, &known))
        })
    }

    fn wrong(&self, error: ImpactError) -> InputError {
        InputError::new(self.file, error)
    }
}
