//! Impact problems.

use std::path::Path;
use std::sync::Arc;

use delassus::{
    ClutchData, ContactData, ImpactError, ImpactOutcome, ImpactProblem, JointData, KineticMetric, LawSpec, Options,
    ProblemData, Solutions, SolverData, Status, Stop, Workspace, resolve_into,
};
use delassus_io::{Format, ReadOptions, problem_value, read_problems};
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArrayDyn, ndarray};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arrays::{ClutchArgument, ContactArgument, JointArgument, mass};
use crate::error;
use crate::law::Law;
use crate::outcome::Outcome;
use crate::signals::{self, Signals};

/// A checked problem, with the law and the limits of its file.
#[pyclass(frozen, module = "delassus._native")]
pub struct Problem {
    problem: Arc<ImpactProblem>,
    /// The `[law]` table as JSON.
    law: Option<Value>,
    solver: SolverData,
}

impl Problem {
    /// A problem without a law of its own.
    pub fn plain(problem: ImpactProblem) -> Self {
        Self { problem: Arc::new(problem), law: None, solver: SolverData::default() }
    }
}

#[pymethods]
impl Problem {
    /// From arrays and the elements of `delassus`.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        name: String,
        mass_entries: PyReadonlyArrayDyn<'_, f64>,
        velocity: PyReadonlyArray1<'_, f64>,
        contacts: Vec<ContactArgument<'_>>,
        clutches: Vec<ClutchArgument<'_>>,
        joints: Vec<JointArgument<'_>>,
        impulse: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<Self> {
        error::guarded(|| {
            let mass = mass(&mass_entries).map_err(|error| error::problem(py, &error))?;
            let velocity = velocity.as_array().to_vec();
            let contacts: Vec<ContactData> = contacts.into_iter().map(Into::into).collect();
            let clutches: Vec<ClutchData> = clutches.into_iter().map(Into::into).collect();
            let joints: Vec<JointData> = joints.into_iter().map(Into::into).collect();
            let impulse = impulse.map(|impulse| impulse.as_array().to_vec()).unwrap_or_default();
            signals::building(py, |budget| {
                let mass = mass.factored(budget)?;
                let data =
                    ProblemData { name, contacts, clutches, joints, impulse, ..ProblemData::new(mass, velocity) };
                ImpactProblem::new_within(data, budget)
            })
            .map(Self::plain)
        })
    }

    /// All problems of a file's text. Its name tells the format, or else its first characters.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str, file: &str) -> PyResult<Vec<Self>> {
        error::guarded(|| {
            let signals = Signals::new();
            let parsed = py.detach(|| parse(text, file, signals.limits(&SolverData::default()).stop));
            signals.result()?;
            parsed.map_err(|error| error::input(py, &error))
        })
    }

    /// The problem as JSON, with the keys of problem files.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let mut value = problem_value(&self.problem);
            if let Some(law) = &self.law {
                value["law"] = law.clone();
            }
            if !self.solver.is_empty() {
                value["solver"] = json!(self.solver);
            }
            value.to_string()
        })
    }

    /// The law of its file as JSON, if there is one.
    #[getter]
    fn law(&self) -> Option<String> {
        self.law.as_ref().map(Value::to_string)
    }

    #[getter]
    fn name(&self) -> &str {
        self.problem.name()
    }

    /// Number of generalized velocities.
    #[getter]
    fn coordinates(&self) -> usize {
        self.problem.coordinates()
    }

    /// Number of scalar directions.
    #[getter]
    fn rows(&self) -> usize {
        self.problem.rows()
    }

    /// M: the diagonal (n,) where it is stored so, else (n, n).
    #[getter]
    fn mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let n = self.problem.coordinates();
        let entries = py.detach(|| self.problem.mass().to_dense());
        if self.problem.mass().is_diagonal() {
            let diagonal: Vec<f64> = (0..n).map(|i| entries[i * n + i]).collect();
            return Ok(PyArray1::from_vec(py, diagonal).to_dyn().clone());
        }
        Ok(matrix(py, n, n, entries)?.to_dyn().clone())
    }

    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.problem.u_minus())
    }

    #[getter]
    fn gamma_minus<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.problem.gamma_minus())
    }

    /// W (n, m).
    #[getter]
    fn directions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (n, m) = (self.problem.coordinates(), self.problem.rows());
        let full = py.detach(|| {
            let mut full = vec![0.0; n * m];
            for j in 0..m {
                self.problem.directions().column(j).for_each(|(i, value)| full[i * m + j] = value);
            }
            full
        });
        matrix(py, n, m, full)
    }

    /// G (m, m).
    #[getter]
    fn operator<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let full = py.detach(|| {
            let mut full = Vec::new();
            self.problem.operator().write_dense(&mut full);
            full
        });
        matrix(py, self.problem.rows(), self.problem.rows(), full)
    }

    /// The outcome under a law. Where `tolerant`, a coefficient that the law cannot take makes it not applicable;
    /// else that is an error.
    #[allow(clippy::too_many_arguments)]
    fn resolve(
        &self,
        py: Python<'_>,
        law: &Law,
        solutions: &str,
        path: bool,
        iterations: Option<usize>,
        time_limit: Option<f64>,
        tolerant: bool,
    ) -> PyResult<Outcome> {
        error::guarded(|| {
            let given = SolverData { iterations, time_limit, ..SolverData::default() };
            given.check().map_err(|error| error::problem(py, &error))?;
            let signals = Signals::new();
            let options = Options {
                solutions: solutions_by_name(solutions).map_err(|error| error::problem(py, &error))?,
                eigenvalues: true,
                path,
                limits: signals.limits(&given.or(self.solver)),
            };
            let mut outcome = ImpactOutcome::default();
            let spec = &law.spec;
            let resolved =
                py.detach(|| resolve_into(&self.problem, spec, &options, &mut Workspace::default(), &mut outcome));
            signals.result()?;
            match resolved {
                Ok(()) => {}
                Err(error) if tolerant => {
                    outcome.answer.status = Status::NotApplicable;
                    outcome.reason = Some(error.to_string());
                }
                Err(error) => return Err(error::problem(py, &error)),
            }
            Ok(Outcome { problem: Arc::clone(&self.problem), law: spec.clone(), outcome })
        })
    }
}

/// How hard to look for other solutions, by its word.
pub fn solutions_by_name(word: &str) -> Result<Solutions, ImpactError> {
    match word {
        "first" => Ok(Solutions::First),
        "preferred" => Ok(Solutions::Preferred),
        "all" => Ok(Solutions::All),
        _ => Err(ImpactError::unknown("solutions", format!("{word:?}"), "must be one of first, preferred, all")),
    }
}

/// An array of that shape from its entries, row by row.
pub fn matrix(py: Python<'_>, rows: usize, columns: usize, entries: Vec<f64>) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let shaped = ndarray::Array2::from_shape_vec((rows, columns), entries);
    shaped.map(|array| PyArray2::from_owned_array(py, array)).map_err(|error| {
        pyo3::exceptions::PyRuntimeError::new_err(format!("internal error of delassus, please report it: {error}"))
    })
}

fn parse(text: &str, file: &str, stop: Option<Stop>) -> Result<Vec<Problem>, delassus_io::InputError> {
    let format = Format::detect(Path::new(file), text);
    // Which law will be asked is not known yet; those that need friction refuse a tangent without it.
    let options = ReadOptions { stop, ..ReadOptions::for_laws(&LawSpec::all()) };
    let document = read_problems(text, file, format, &options)?;
    let tree: Value = match format {
        Format::Json => serde_json::from_str(text).unwrap_or_default(),
        Format::Toml => toml::from_str(text).unwrap_or_default(),
    };
    let law = |index: Option<usize>| {
        let own = match index {
            None => &tree,
            Some(i) => tree.get("problem").unwrap_or(&tree).get(i).unwrap_or(&Value::Null),
        };
        let given = [own.get("law"), tree.get("law")].into_iter().flatten().find(|law| !law.is_null());
        given.cloned()
    };
    let problems = document.entries.into_iter().map(|entry| Problem {
        law: entry.law.is_some().then(|| law(entry.index)).flatten(),
        problem: Arc::new(entry.problem),
        solver: entry.solver,
    });
    Ok(problems.collect())
}

/// The kinetic metric of a problem as JSON, with the keys of `delassus angles --json`.
#[pyfunction]
pub fn angles(py: Python<'_>, problem: &Problem) -> PyResult<String> {
    error::guarded(|| {
        signals::building(py, |budget| {
            let metric = KineticMetric::new_within(&problem.problem, budget)?;
            let split = metric.split(problem.problem.u_minus())?;
            let (count, n) = (metric.contacts(), problem.problem.coordinates());
            // What was stopped is not looked at any more.
            let mut symmetric = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
                let mut full = vec![vec![0.0; count]; count];
                for i in (0..count).take_while(|i| budget.work((4 * i * n) as f64)) {
                    let row: Vec<f64> = (0..=i).map(|j| entry(i, j)).collect();
                    full.iter_mut().zip(&row).for_each(|(other, &value)| other[i] = value);
                    full[i][..=i].copy_from_slice(&row);
                }
                full
            };
            let (angles, gram) = (symmetric(&|i, j| metric.angle(i, j)), symmetric(&|i, j| metric.gram(i, j)));
            let normals = (0..count).take_while(|_| budget.work((n * n) as f64));
            Ok(json!({
                "name": problem.problem.name(),
                "contacts": metric.names(),
                "angles": angles,
                "gram": gram,
                "normals": normals.map(|i| metric.normal(i)).collect::<Vec<_>>(),
                "tangential_basis": metric.tangential_basis(),
                "velocity_normal": split.normal,
                "velocity_tangential": split.tangential,
            })
            .to_string())
        })
    })
}
