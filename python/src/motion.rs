//! Motions: scenarios simulated, sampled, as columns.

use std::fs;
use std::path::Path;

use delassus::ImpactError;
use delassus::model::System;
use delassus::scenario::Built;
use delassus::simulate::{Control, Energies, Progress, Sample, StepReport, Trajectory, simulate as simulate_motion};
use delassus::{LawSpec, SolverData, Stop};
use delassus_figure::to_svg;
use delassus_io::{Format, InputError, RunRecord, ScenarioEntry, displacements, read_scenarios, write_problem};
use delassus_report::motion as drawn;
use delassus_report::{Part, Repeat, page};
use delassus_study::laws;
use delassus_study::motion::{Agreement, simulate_drawn, simulate_sampled};
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
    /// Of time-stepping steps, contacts, iterations and largest residual since the sample before; else no columns.
    #[pyo3(get)]
    solver: Py<PyArray2<f64>>,
    /// Names of the supports that move.
    #[pyo3(get)]
    supports: Vec<String>,
    /// Their displacements since the start (S, 2 each, in space 3).
    #[pyo3(get)]
    displacements: Py<PyArray2<f64>>,
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

    /// The impact of that number, the first is 0, as the text of a problem file; none where it is not known.
    fn impact_text(&self, py: Python<'_>, index: usize) -> PyResult<Option<String>> {
        error::guarded(|| {
            let Built { system, q, u, mut settings, mut until } = self.built.clone();
            settings.keep_impact = Some(index);
            until.impacts = index.checked_add(1);
            let signals = Signals::new();
            settings.limits = signals.limits(&self.entry.scenario.solver);
            let mut observer = stopping(settings.limits.stop.clone());
            let run = py.detach(|| simulate_motion(&system, &q, &u, &self.law, &settings, &until, &mut observer));
            signals.result()?;
            let wrong = |error: ImpactError| error::problem(py, &error);
            let run = run.map_err(wrong)?;
            let (Some(kept), Some(impact)) = (&run.kept, run.impacts.get(index)) else { return Ok(None) };
            let (problem, law) = &**kept;
            let title = self.entry.scenario.name.as_deref().unwrap_or("a motion");
            let name = format!("impact {} of {title}, t = {} s", index + 1, impact.time);
            py.detach(|| write_problem(&name, problem, law, &self.entry)).map(Some).map_err(wrong)
        })
    }
}

/// Stops a run when it is due.
fn stopping(stop: Option<Stop>) -> impl FnMut(&Progress) -> Control {
    let mut steps = 0_u32;
    move |_| {
        steps = steps.wrapping_add(1);
        // A look at the clock takes as long as a short step.
        let due = steps.is_multiple_of(16) && stop.as_ref().is_some_and(|stop| stop.is_due());
        if due { Control::Stop } else { Control::Continue }
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
/// that has a law of the same name. Where `drawn`, samples are for a picture: as many over what there is. Where
/// `sensitivity`, the run is compared with one at a tenth of the tolerance.
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
    sensitivity: bool,
) -> PyResult<Motion> {
    error::guarded(|| {
        let entry = py.detach(|| read_scenario(text, file, folder)).map_err(|error| error::input(py, &error))?;
        let named = |error: ImpactError| error::input(py, &InputError::new(file, error.within(&entry.path)));
        let given = SolverData { iterations, time_limit, ..SolverData::default() };
        given.check().map_err(|error| error::problem(py, &error))?;
        let mut built = py.detach(|| entry.scenario.build()).map_err(named)?;
        built.system.add_remarks(&entry.remarks);
        let law = choose(entry.law.as_ref(), law, by_name);
        let signals = Signals::new();
        built.settings.limits = signals.limits(&given.or(entry.scenario.solver));
        let mut observer = stopping(built.settings.limits.stop.clone());
        let simulated = if drawn { simulate_drawn } else { simulate_sampled };
        let run = py.detach(|| simulated(&built, &law, samples as f64, &mut observer));
        signals.result()?;
        let run = run.map_err(named)?;
        let mut agreement = None;
        if sensitivity {
            let other = py.detach(|| {
                let finer = Agreement::finer(&built, &run);
                simulate_sampled(&finer, &law, samples as f64, &mut observer)
            });
            signals.result()?;
            let other = other.map_err(named)?;
            agreement = Some(py.detach(|| Agreement::of(&built.system, &run, &other)));
        }
        let json = py.detach(|| {
            let mut record = RunRecord::new(entry.scenario.name.as_deref(), law.name(), &built.system, &run);
            if let Some(Agreement { time, to_the_end }) = agreement {
                record = record.with_sensitivity(time, to_the_end);
            }
            serde_json::to_string(&record)
        });
        let columns = |width: usize, entries: Vec<f64>| -> PyResult<Py<PyArray2<f64>>> {
            Ok(matrix(py, run.samples.len(), width, entries)?.unbind())
        };
        let energies = |energy: &Energies| {
            let Energies { kinetic, potential, friction, supports, damping, applied, impacts } = *energy;
            [kinetic, potential, friction, supports, damping, applied, impacts]
        };
        let stepped = run.samples.iter().any(|sample| sample.steps.is_some());
        let solver = |sample: &Sample| {
            let StepReport { count, contacts, iterations, residual } = sample.steps.unwrap_or_default();
            [count as f64, contacts as f64, iterations as f64, residual].into_iter().take(if stepped { 4 } else { 0 })
        };
        let Built { system, q, u, .. } = &built;
        let start = displacements(system, 0.0);
        let places = start.iter().map(|(_, place)| place.len()).sum();
        let supports: Vec<String> = start.iter().map(|(name, _)| (*name).to_owned()).collect();
        let contacts = run.force_names().to_vec();
        Ok(Motion {
            json: json.map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?,
            names: system.position_names(),
            velocity_names: system.velocity_names(),
            time: PyArray1::from_iter(py, run.samples.iter().map(|sample| sample.time)).unbind(),
            q: columns(q.len(), run.samples.iter().flat_map(|sample| sample.q.iter().copied()).collect())?,
            u: columns(u.len(), run.samples.iter().flat_map(|sample| sample.u.iter().copied()).collect())?,
            forces: columns(2 * contacts.len(), run.samples.iter().flat_map(|sample| run.forces(sample)).collect())?,
            energies: columns(7, run.samples.iter().flat_map(|sample| energies(&sample.energy)).collect())?,
            solver: columns(if stepped { 4 } else { 0 }, run.samples.iter().flat_map(solver).collect())?,
            displacements: columns(
                places,
                run.samples
                    .iter()
                    .flat_map(|sample| displacements(&built.system, sample.time))
                    .flat_map(|(_, at)| at)
                    .collect(),
            )?,
            supports,
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
