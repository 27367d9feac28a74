//! Bad input as `delassus.ProblemError`, panics as `RuntimeError`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use delassus::ImpactError;
use delassus_io::InputError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static PROBLEM_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// `ProblemError(message, field, value)`.
fn raise(py: Python<'_>, message: String, error: &ImpactError) -> PyErr {
    let class = match PROBLEM_ERROR.import(py, "delassus._errors", "ProblemError") {
        Ok(class) => class,
        Err(error) => return error,
    };
    match class.call1((message, &error.field, &error.value)) {
        Ok(instance) => PyErr::from_value(instance),
        Err(error) => error,
    }
}

/// Bad input of a call.
pub fn problem(py: Python<'_>, error: &ImpactError) -> PyErr {
    raise(py, error.to_string(), error)
}

/// Bad input of a file, with its name and the place.
pub fn input(py: Python<'_>, error: &InputError) -> PyErr {
    raise(py, error.to_string(), &error.error)
}

/// Runs `work`; a panic, which is a fault of ours, becomes an ordinary exception.
pub fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(panicked(&*payload)))
}

/// The exception for a panic.
pub fn panicked(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    PyRuntimeError::new_err(format!("internal error of delassus, please report it: {text}"))
}
