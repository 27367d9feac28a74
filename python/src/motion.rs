//! Motions: scenarios simulated, sampled, as columns.

use std::fs;
use std::path::Path;

use delassus::ImpactError;
use delassus::model::System;
use delassus::scenario::Built;
use delassus::simulate::{Control, Energies, Progress, Trajectory};
use delassus::{LawSpec, SolverData};
use delassus_figure::to_svg;
use delassus_io::{Format, InputError, RunRecord, ScenarioEntry, read_scenarios};
use delassus_report::motion as drawn;
use delassus_report::{Part, Repeat, page};
use delassus_study::motion::{largest_tilt, simulate_drawn, simulate_sampled};
use delassus_study::{laws, of_material};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::error;
use crate::law::Law;
use crate::problem::matrix;
use crate::signals::Signals;

/// A motion as Python gets it.
#[pyclass(frozen, module = "delassus._native")]
pub struct Motion {
    /// As `delassus run --json` prints it.
    #[pyo3(get)]
    json: String,
    /// Names of the positions.
    #[pyo3(get)]
    names: Vec<String>,
    /// Names of the velocities.
    #[pyo3(get)]
    velocity_names: Vec<String>,
    /// Names of the contacts.
    #[pyo3(get)]
    contacts: Vec<String>,
    /// Times of the samples (S,).
    #[pyo3(get)]
    time: Py<PyArray1<f64>>,
    /// Positions (S, n).
    #[pyo3(get)]
    q: Py<PyArray2<f64>>,
    /// Velocities (S, n).
    #[pyo3(get)]
    u: Py<PyArray2<f64>>,
    /// Normal and tangential forces, contact by contact (S, 2c).
    #[pyo3(get)]
    forces: Py<PyArray2<f64>>,
    /// Energies and works (S, 7): kinetic, potential, friction, supports, damping, applied, impacts.
    #[pyo3(get)]
    energies: Py<PyArray2<f64>>,
    /// The largest angle of a block over that of balance.
    #[pyo3(get)]
    tilt: Option<f64>,
    /// What pictures need.
    entry: ScenarioEntry,
    built: Built,
    law: LawSpec,
    run: Trajectory,
}

#[pymethods]
impl Motion {
    /// Positions, velocities and energies over time, as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        error::guarded(|| Ok(py.detach(|| to_svg(&drawn::figure(&self.shown(&[self.drawn()]))))))
    }
}

impl Motion {
    fn drawn(&self) -> drawn::Run<'_> {
        drawn::Run { law: self.law.name(), trajectory: &self.run }
    }

    fn shown<'a>(&'a self, runs: &'a [drawn::Run<'a>]) -> drawn::Motion<'a> {
        let title = self.entry.scenario.name.as_deref().unwrap_or("Motion");
        drawn::Motion { title, scenario: &self.entry.scenario, built: &self.built, runs }
    }
}

/// A page that plays motions of one scenario, one a law. `command` and `input` (name and text) tell how to repeat it.
#[pyfunction]
pub fn motion_page(
    py: Python<'_>,
    motions: Vec<PyRef<'_, Motion>>,
    command: String,
    input: Vec<(String, String)>,
) -> PyResult<String> {
    error::guarded(|| {
        let Some(first) = motions.first() else { return Ok(String::new()) };
        let runs: Vec<drawn::Run<'_>> = motions.iter().map(|motion| motion.drawn()).collect();
        let shown = first.shown(&runs);
        let repeat = Repeat { version: format!("delassus {}", env!("CARGO_PKG_VERSION")), command, input };
        Ok(py.detach(|| page(shown.title, &[Part::Motion(shown)], &[], &repeat)))
    })
}

/// Simulates the scenario of a text. Its records lie in `folder`. Where `by_name`, the law has the data of the file if
/// that has a law of the same name. Where `drawn`, samples are for a picture: as many over what there is.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn simulate(
    py: Python<'_>,
    text: &str,
    file: &str,
    folder: &str,
    law: Option<&Law>,
    by_name: bool,
    samples: usize,
    drawn: bool,
    iterations: Option<usize>,
    time_limit: Option<f64>,
) -> PyResult<Motion> {
    error::guarded(|| {
        let entry = read_scenario(text, file, folder).map_err(|error| error::input(py, &error))?;
        let named = |error: ImpactError| error::input(py, &InputError::new(file, error.within(&entry.path)));
        let given = SolverData { iterations, time_limit, tolerance: None };
        given.check().map_err(|error| error::problem(py, &error))?;
        let mut built = entry.scenario.build().map_err(named)?;
        built.system.add_remarks(&entry.remarks);
        let law = choose(entry.law.as_ref(), law, by_name);
        let signals = Signals::new();
        built.settings.limits = signals.limits(&given.or(entry.scenario.solver));
        let stop = built.settings.limits.stop.clone();
        let mut steps = 0_u32;
        let mut observer = |_: &Progress| {
            steps = steps.wrapping_add(1);
            // A look at the clock takes as long as a short step.
            let due = steps.is_multiple_of(16) && stop.as_ref().is_some_and(|stop| stop.is_due());
            if due { Control::Stop } else { Control::Continue }
        };
        let simulated = if drawn { simulate_drawn } else { simulate_sampled };
        let run = py.detach(|| simulated(&built, &law, samples as f64, &mut observer));
        signals.result()?;
        let run = run.map_err(|error| named(of_material(&entry.scenario, error)))?;
        let record = RunRecord::new(entry.scenario.name.as_deref(), law.name(), &built.system, &run);
        let json = serde_json::to_string(&record);
        let columns = |width: usize, entries: Vec<f64>| -> PyResult<Py<PyArray2<f64>>> {
            Ok(matrix(py, run.samples.len(), width, entries)?.unbind())
        };
        let energies = |energy: &Energies| {
            let Energies { kinetic, potential, friction, supports, damping, applied, impacts } = *energy;
            [kinetic, potential, friction, supports, damping, applied, impacts]
        };
        let Built { system, q, u, .. } = &built;
        let contacts: Vec<String> = system.contacts().iter().map(|contact| contact.name.clone()).collect();
        Ok(Motion {
            json: json.map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?,
            names: system.position_names().to_vec(),
            velocity_names: system.velocity_names(),
            time: PyArray1::from_iter(py, run.samples.iter().map(|sample| sample.time)).unbind(),
            q: columns(q.len(), run.samples.iter().flat_map(|sample| sample.q.iter().copied()).collect())?,
            u: columns(u.len(), run.samples.iter().flat_map(|sample| sample.u.iter().copied()).collect())?,
            forces: columns(
                2 * contacts.len(),
                run.samples.iter().flat_map(|sample| sample.forces.iter().flatten().copied()).collect(),
            )?,
            energies: columns(7, run.samples.iter().flat_map(|sample| energies(&sample.energy)).collect())?,
            tilt: largest_tilt(&built.system, &run),
            contacts,
            entry,
            law,
            run,
            built,
        })
    })
}

/// The law of a motion.
pub fn choose(own: Option<&LawSpec>, law: Option<&Law>, by_name: bool) -> LawSpec {
    match law {
        Some(law) if !by_name => law.spec.clone(),
        Some(law) => laws::for_motion(own, std::slice::from_ref(&law.spec)).remove(0),
        None => laws::for_motion(own, &[]).remove(0),
    }
}

/// The only scenario of a text.
pub fn read_scenario(text: &str, file: &str, folder: &str) -> Result<ScenarioEntry, InputError> {
    let beside = |record: &str| {
        let place = Path::new(folder).join(record);
        let bytes = fs::read(&place).map_err(|e| format!("cannot read {}: {e}", place.display()))?;
        // Names in the headers of records need not be UTF-8.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let document = read_scenarios(text, file, Format::detect(Path::new(file), text), &beside)?;
    let count = document.entries.len();
    let mut entries = document.entries.into_iter();
    match (entries.next(), count) {
        (Some(entry), 1) => Ok(entry),
        _ => Err(InputError::new(file, ImpactError::new("scenario", count.to_string(), "needs one scenario"))),
    }
}
