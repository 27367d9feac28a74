//! Bad input as `delassus.ProblemError`, panics as `RuntimeError`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use delassus::{ErrorKind, ImpactError};
use delassus_io::InputError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static PROBLEM_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// `ProblemError(message, field, value, kind)`.
fn raise(py: Python<'_>, message: String, error: &ImpactError) -> PyErr {
    let class = match PROBLEM_ERROR.import(py, "delassus._errors", "ProblemError") {
        Ok(class) => class,
        Err(error) => return error,
    };
    match class.call1((message, &error.field, &error.value, kind_word(error.kind))) {
        Ok(instance) => PyErr::from_value(instance),
        Err(error) => error,
    }
}

/// What is wrong with the input, as a word for programs.
fn kind_word(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Missing => "missing",
        ErrorKind::Unknown => "unknown",
        ErrorKind::WrongSize => "wrong-size",
        ErrorKind::OutOfRange => "out-of-range",
        ErrorKind::NotFinite => "not-finite",
        ErrorKind::Duplicate => "duplicate",
        _ => "invalid",
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
