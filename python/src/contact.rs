//! Contact problems u = G r + q of any size.

use std::path::Path;

use delassus::solve::contact::{BlockMatrix, ContactProblem, Method};
use delassus::{ImpactError, SolverData};
use delassus_cli::contact::{Answer, Problem, solve};
use delassus_io::{ContactFile, nearest, read_contact};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::error;
use crate::signals::Signals;

/// An answer as Python gets it.
#[pyclass(frozen, get_all, module = "delassus._native")]
pub struct ContactAnswer {
    status: &'static str,
    contacts: usize,
    method: &'static str,
    /// The error that the field reports.
    residual: f64,
    iterations: usize,
    seconds: f64,
    /// r and u, contact by contact.
    impulse: Py<PyArray1<f64>>,
    velocity: Py<PyArray1<f64>>,
}

/// How to solve.
type Settings<'a> = (&'a str, f64, Option<usize>, Option<f64>);

/// Solves the problem of a file of Siconos or FCLIB. `settings`: method, tolerance, iterations, time limit.
#[pyfunction]
pub fn solve_contact_file(py: Python<'_>, file: &str, settings: Settings<'_>) -> PyResult<ContactAnswer> {
    error::guarded(|| {
        let read = py.detach(|| read_contact(Path::new(file)));
        answer(py, Problem { name: file.to_owned(), file: read.map_err(|wrong| error::input(py, &wrong))? }, settings)
    })
}

/// Solves the problem of arrays: the entries of G by their rows and columns, q, and one coefficient a contact.
#[pyfunction]
pub fn solve_contact_arrays(
    py: Python<'_>,
    rows: PyReadonlyArray1<'_, i64>,
    columns: PyReadonlyArray1<'_, i64>,
    values: PyReadonlyArray1<'_, f64>,
    vector: PyReadonlyArray1<'_, f64>,
    friction: PyReadonlyArray1<'_, f64>,
    settings: Settings<'_>,
) -> PyResult<ContactAnswer> {
    error::guarded(|| {
        let (rows, columns, values) = (rows.as_slice()?, columns.as_slice()?, values.as_slice()?);
        let (vector, friction) = (vector.as_slice()?.to_vec(), friction.as_slice()?);
        let dimension = vector.len().checked_div(friction.len()).unwrap_or(0);
        let inside = |index: &i64| usize::try_from(*index).is_ok_and(|index| index < vector.len());
        let fits = (1..=3).contains(&dimension) && dimension * friction.len() == vector.len();
        if !fits
            || rows.len() != values.len()
            || columns.len() != values.len()
            || !rows.iter().chain(columns).all(inside)
        {
            let wrong = ImpactError::wrong_size("problem", "", "the arrays do not fit each other");
            return Err(error::problem(py, &wrong));
        }
        let place = |index: i64| usize::try_from(index).unwrap_or(0);
        let entries = rows.iter().zip(columns).zip(values).map(|((&i, &j), &value)| (place(i), place(j), value));
        let matrix = py.detach(|| BlockMatrix::from_entries(dimension, friction.len(), entries));
        let file = ContactFile::Friction(ContactProblem::coulomb(matrix, vector, friction));
        answer(py, Problem { name: String::new(), file }, settings)
    })
}

fn answer(py: Python<'_>, problem: Problem, settings: Settings<'_>) -> PyResult<ContactAnswer> {
    let (method, tolerance, iterations, time_limit) = settings;
    let wrong = |wrong: ImpactError| error::problem(py, &wrong);
    let method = Method::by_name(method).ok_or_else(|| wrong(unknown_method(method)))?;
    let given = SolverData { iterations, time_limit, ..SolverData::default() };
    given.check().map_err(wrong)?;
    let signals = Signals::new();
    let limits = signals.limits(&given);
    let found = py.detach(|| solve(&problem, method, tolerance, &limits));
    signals.result()?;
    let found = found.map_err(wrong)?;
    let status = found.word();
    let Answer { contacts, method, error, iterations, seconds, impulse, velocity, .. } = found;
    Ok(ContactAnswer {
        status,
        contacts,
        method,
        residual: error,
        iterations,
        seconds,
        impulse: PyArray1::from_vec(py, impulse).unbind(),
        velocity: PyArray1::from_vec(py, velocity).unbind(),
    })
}

fn unknown_method(word: &str) -> ImpactError {
    let known = Method::ALL.map(Method::as_str);
    let hint = nearest(word, &known).map(|near| format!("did you mean {near:?}? ")).unwrap_or_default();
    ImpactError::unknown("method", format!("{word:?}"), format!("{hint}there are: {}", known.join(", ")))
}
