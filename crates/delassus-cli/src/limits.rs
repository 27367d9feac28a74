//! Limits of the work, from the command line and from files.

use std::time::{Duration, Instant};

use delassus::{Limits, SolverData, Stop};

use crate::failure::Failure;

/// Options of commands that compute.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct LimitArgs {
    /// Most iterations of one answer (pivots, combinations of states, steps, collisions) [default: the file's, else the
    /// law's own]
    #[arg(long, value_name = "N")]
    iterations: Option<usize>,
    /// Seconds that one answer (of `run`: one run) may take; then it ends with what was found [default: the file's, else none]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    time_limit: Option<f64>,
}

impl LimitArgs {
    /// The limits given, checked.
    pub fn solver(&self) -> Result<SolverData, Failure> {
        let solver = SolverData { iterations: self.iterations, time_limit: self.time_limit, tolerance: None };
        solver.check().map_err(|e| {
            let option = e.field.trim_start_matches("solver.").replace('_', "-");
            Failure::Input(format!("--{option} {}: {}", e.value, e.problem))
        })?;
        Ok(solver)
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
    Limits { iterations: solver.iterations, stop }
}
