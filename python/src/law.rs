//! Laws with their data, read by the reader of problem files.

use delassus::{ImpactError, LawSpec};
use delassus_io::{Format, ReadOptions, parse_problems};
use pyo3::prelude::*;

use crate::error;

/// A law with its data, checked.
#[pyclass(frozen, module = "delassus._native")]
pub struct Law {
    /// The law.
    pub spec: LawSpec,
}

#[pymethods]
impl Law {
    /// From the JSON of a `[law]` table: `{"name": "lzb", "exponent": 1.5}`.
    #[new]
    fn new(py: Python<'_>, table: &str) -> PyResult<Self> {
        error::guarded(|| {
            py.detach(|| read(table)).map(|spec| Self { spec }).map_err(|error| error::problem(py, &error))
        })
    }

    /// The law's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.spec.name()
    }
}

/// Names of all laws, in the order of comparisons.
#[pyfunction]
pub fn laws() -> Vec<&'static str> {
    LawSpec::all().iter().map(LawSpec::name).collect()
}

/// Laws are read as part of a problem, so that Python knows every law and every key that files know.
fn read(table: &str) -> Result<LawSpec, ImpactError> {
    let text = format!(r#"{{"mass": [1.0], "velocity": [0.0], "law": {table}}}"#);
    let mut drafts = parse_problems(&text, "", Format::Json).map_err(|wrong| wrong.error)?;
    let checker = drafts.checker(&ReadOptions::default());
    let missing = || ImpactError::new("law", table, "needs the name of a law, or a table with its name and data");
    let draft = drafts.problems.pop().ok_or_else(missing)?;
    checker.source(draft)?.1.ok_or_else(missing)
}
