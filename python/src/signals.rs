//! Ctrl-C while the library computes.
//!
//! Python notes a signal and handles it when its interpreter runs again. Long work therefore asks now
//! and then, on the thread that called us, whether there is one; if so it stops and the exception that
//! the handler raised (usually `KeyboardInterrupt`) goes to the caller.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use delassus::{Budget, ImpactError, Limits, SolverData, Stop};
use pyo3::prelude::*;

use crate::error;

/// Time between two questions: unnoticeable for a person, and for the work.
const BETWEEN: Duration = Duration::from_millis(50);

/// Asks Python for signals, at most every 50 ms.
#[derive(Clone)]
pub struct Signals(Arc<Mutex<Asked>>);

struct Asked {
    last: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    /// Nothing asked yet.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(Asked { last: Instant::now(), raised: None })))
    }

    /// Whether a signal handler raised an exception. To be called without the interpreter.
    pub fn raised(&self) -> bool {
        let Ok(mut asked) = self.0.lock() else { return true };
        if asked.raised.is_none() && asked.last.elapsed() >= BETWEEN {
            asked.raised = Python::attach(|py| py.check_signals()).err();
            asked.last = Instant::now();
        }
        asked.raised.is_some()
    }

    /// The exception, if there was one.
    pub fn result(&self) -> PyResult<()> {
        match self.0.lock().ok().and_then(|mut asked| asked.raised.take()) {
            Some(raised) => Err(raised),
            None => Ok(()),
        }
    }

    /// Limits of an answer that begins now and that signals end.
    pub fn limits(&self, solver: &SolverData) -> Limits {
        let signals = self.clone();
        stopped_by(solver, move || signals.raised())
    }
}

/// Builds something without the interpreter; a signal ends it.
pub fn building<T: Send>(
    py: Python<'_>,
    build: impl FnOnce(&mut Budget<'_>) -> Result<T, ImpactError> + Send,
) -> PyResult<T> {
    let signals = Signals::new();
    let limits = signals.limits(&SolverData::default());
    let built = py.detach(|| build(&mut Budget::new(&limits)));
    signals.result()?;
    built.map_err(|error| error::problem(py, &error))
}

/// Limits of an answer that begins now, and that `interrupted` ends as well.
pub fn stopped_by(solver: &SolverData, interrupted: impl Fn() -> bool + Send + Sync + 'static) -> Limits {
    let start = Instant::now();
    let limit = solver.time_limit.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let reason: Arc<str> = match solver.time_limit {
        Some(seconds) => format!("the time limit of {seconds} s").into(),
        None => "an interruption".into(),
    };
    let ask = move || limit.is_some_and(|limit| start.elapsed() >= limit) || interrupted();
    Limits { stop: Some(Stop::new(reason, ask)), ..Limits::from(solver) }
}

/// Runs `work` on another thread, without the interpreter, while this one listens for signals. One of them sets
/// `stop`, and the result of the work is then dropped.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    watched(py, stop, |_| Ok(()), work)
}

/// As [`interruptible`]; meanwhile and once more at the end, also one by a signal, `look` sees what there is. Its error ends
/// the work like a signal.
pub fn watched<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    mut look: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            let worker = scope.spawn(move || {
                let _done = done;
                error::guarded(work)
            });
            let mut raised = None;
            while ended.recv_timeout(BETWEEN) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals().and_then(|()| look(py)))
                {
                    stop.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|payload| Err(error::panicked(&*payload)));
            let looked = Python::attach(look);
            raised.map_or_else(|| looked.and(result), Err)
        })
    })
}
