//! Outcomes.

use std::sync::Arc;

use delassus::{ImpactOutcome, ImpactProblem, LawSpec};
use delassus_io::OutcomeRecord;
use delassus_study::verdict::{Verdict, verdict};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::error;

/// The answer of a law to a problem.
#[pyclass(frozen, module = "delassus._native")]
pub struct Outcome {
    /// The problem.
    pub problem: Arc<ImpactProblem>,
    /// The law.
    pub law: LawSpec,
    /// The answer.
    pub outcome: ImpactOutcome,
}

impl Outcome {
    /// An array with these entries, or with so many that are not a number where there is no answer.
    fn array<'py>(&self, py: Python<'py>, values: &[f64], length: usize) -> Bound<'py, PyArray1<f64>> {
        match self.outcome.status().has_answer() {
            true => PyArray1::from_slice(py, values),
            false => PyArray1::from_vec(py, vec![f64::NAN; length]),
        }
    }
}

#[pymethods]
impl Outcome {
    #[getter]
    fn law(&self) -> &'static str {
        self.law.name()
    }

    /// What the outcome means: in two words and in sentences.
    #[getter]
    fn verdict(&self, py: Python<'_>) -> (&'static str, String) {
        let Verdict { short, long, .. } = py.detach(|| verdict(&self.problem, &self.law, &self.outcome));
        (short, long)
    }

    #[getter]
    fn status(&self) -> &'static str {
        self.outcome.status().as_str()
    }

    /// u⁺ (n,).
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, &self.outcome.u_plus, self.problem.coordinates())
    }

    /// Λ (m,).
    #[getter]
    fn impulses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, self.outcome.impulses(), self.problem.rows())
    }

    /// γ⁻ (m,).
    #[getter]
    fn gamma_minus<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.problem.gamma_minus())
    }

    /// γ⁺ (m,).
    #[getter]
    fn gamma_plus<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, &self.outcome.gamma_plus, self.problem.rows())
    }

    /// As `delassus impact --json` prints it.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        error::guarded(|| {
            let text =
                py.detach(|| serde_json::to_string(&OutcomeRecord::new(&self.problem, self.law.name(), &self.outcome)));
            text.map_err(|e| pyo3::exceptions::PyRuntimeError::new_err(e.to_string()))
        })
    }
}
