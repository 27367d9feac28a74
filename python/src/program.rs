//! The command `delassus`.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

use crate::error;

/// Runs the program with these arguments, its own name first, and gives its exit status. It writes to the standard
/// output of the process, not to `sys.stdout`, and takes over Ctrl-C: for processes that do nothing else.
#[pyfunction]
pub fn program(py: Python<'_>, args: Vec<OsString>) -> PyResult<u8> {
    error::guarded(|| {
        let code = py.detach(|| delassus_cli::run(args));
        // An exit status cannot be read, only compared.
        Ok((0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(u8::MAX))
    })
}
