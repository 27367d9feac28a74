//! Limits of the work, from the command line and from files.

use std::time::{Duration, Instant};

use delassus::{Limits, Method, SolverData, Stop};

use crate::failure::{Failure, known_words};

/// Options of commands that compute.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct LimitArgs {
    /// Most iterations of one answer (pivots, sweeps, steps, combinations of states, collisions) [default: the file's, else
    /// what each law and method does by itself]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    iterations: Option<usize>,
    /// Seconds that one answer (of `run`: one run) may take; then it ends with what was found [default: the file's, else none]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    time_limit: Option<f64>,
}

/// Options of commands that resolve impacts.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct SolverArgs {
    #[command(flatten)]
    limits: LimitArgs,
    /// How contacts are iterated on: auto, gauss-seidel, newton, proximal or smoothing [default: the file's, else auto]
    #[arg(long, value_name = "NAME", value_parser = method)]
    method: Option<Method>,
    /// Residual at which these iterations end [default: the file's, else the law's own]
    #[arg(long, value_name = "ERROR", allow_negative_numbers = true)]
    tolerance: Option<f64>,
}

/// The method of a name on the command line.
pub fn method(name: &str) -> Result<Method, String> {
    let known = Method::ALL.map(Method::as_str);
    Method::by_name(name).ok_or_else(|| format!("unknown method{}", known_words(name, &known)))
}

fn checked(solver: SolverData) -> Result<SolverData, Failure> {
    solver.check().map_err(|e| {
        let option = e.field.trim_start_matches("solver.").replace('_', "-");
        Failure::Input(format!("--{option} {}: {}", e.value, e.problem))
    })?;
    Ok(solver)
}

impl LimitArgs {
    fn given(self) -> SolverData {
        SolverData { iterations: self.iterations, time_limit: self.time_limit, ..SolverData::default() }
    }

    /// The limits given, checked.
    pub fn solver(self) -> Result<SolverData, Failure> {
        checked(self.given())
    }
}

impl SolverArgs {
    /// What is given, checked.
    pub fn solver(self) -> Result<SolverData, Failure> {
        checked(SolverData { method: self.method, tolerance: self.tolerance, ..self.limits.given() })
    }
}

/// The limits of an answer that begins now.
pub fn from_now(solver: &SolverData) -> Limits {
    let stop = solver.time_limit.map(|seconds| {
        // What is too long for a clock is no limit.
        let allowed = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let start = Instant::now();
        Stop::new(format!("the time limit of {seconds} s"), move || start.elapsed() >= allowed)
    });
    Limits { stop, ..Limits::from(solver) }
}
