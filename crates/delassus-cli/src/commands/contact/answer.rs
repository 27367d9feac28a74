//! One problem solved by one method.

use std::time::Instant;

use delassus::solve::SolveStatus;
use delassus::solve::complementarity::{self, Decision, MOST_ROWS, decide};
use delassus::solve::contact::{BlockMatrix, ContactProblem, ContactSettings, Method, Pool, Report, solve_on};
use delassus::solve::lemke::{LcpStatus, LemkeWork, solve_within};
use delassus::{Budget, ImpactError, Limits};
use delassus_io::ContactFile;
use rayon::prelude::*;

/// A problem with its name.
pub struct Problem {
    /// The name.
    pub name: String,
    /// The problem.
    pub file: ContactFile,
}

/// A part of the work.
pub struct Stage {
    /// What was done.
    pub method: &'static str,
    /// How often: sweeps, steps, pivots or cases.
    pub iterations: usize,
    /// The error after it, scale-free where contacts were iterated on.
    pub residual: f64,
}

/// What was found.
pub struct Answer {
    /// The problem's name.
    pub name: String,
    /// How the search ended.
    pub status: SolveStatus,
    /// Number of contacts.
    pub contacts: usize,
    /// Rows of each.
    pub dimension: usize,
    /// Rank of the matrix, where it is well defined and was cheap to find.
    pub rank: Option<usize>,
    /// The method.
    pub method: &'static str,
    /// The impulses from which it began, in a word: zero or guess.
    pub start: &'static str,
    /// The field's error: of contacts relative to ‖q‖, ‖r‖, ‖u‖, of complementarity problems to ‖q‖.
    pub error: f64,
    /// The scale-free one.
    pub scale_free: Option<f64>,
    /// Iterations of all stages.
    pub iterations: usize,
    /// Parts that do not touch each other.
    pub groups: usize,
    /// What was done one after the other.
    pub stages: Vec<Stage>,
    /// Why there is no solution, where that is known.
    pub certificate: Option<String>,
    /// The limit that ended the search.
    pub ended_by: Option<String>,
    /// Why the search may have stalled, where nothing is proved.
    pub doubt: Option<String>,
    /// What should be known of the problem.
    pub warnings: Vec<String>,
    /// Time of the solution.
    pub seconds: f64,
    /// r.
    pub impulse: Vec<f64>,
    /// u.
    pub velocity: Vec<f64>,
}

impl Answer {
    /// Whether the error is below the tolerance.
    pub fn is_solved(&self) -> bool {
        self.status == SolveStatus::Solved
    }

    /// How the search ended, in a word.
    pub fn word(&self) -> &'static str {
        match self.status {
            SolveStatus::Solved => "solved",
            SolveStatus::NoSolution => "no-solution",
            SolveStatus::MaxIterations => "max-iterations",
            SolveStatus::Stalled => "stalled",
        }
    }

    /// The same with the reason, where there is one.
    pub fn explained(&self) -> String {
        match self.certificate.as_ref().or(self.ended_by.as_ref()).or(self.doubt.as_ref()) {
            Some(reason) => format!("{}: {reason}", self.word()),
            None => self.word().to_owned(),
        }
    }

    /// Drops what is not shown.
    pub fn forget_impulses(&mut self) {
        (self.impulse, self.velocity) = (Vec::new(), Vec::new());
    }
}

/// The threads of the program.
struct Threads;

impl Pool for Threads {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).into_par_iter().for_each(task);
    }
}

/// Rows up to which a complementarity problem is solved by pivots.
const PIVOTS: usize = 300;

/// Solves a problem.
///
/// # Errors
/// As of the solver: sizes, numbers that are not finite, friction below 0.
pub fn solve(problem: &Problem, method: Method, tolerance: f64, limits: &Limits) -> Result<Answer, ImpactError> {
    solve_from(problem, None, method, tolerance, limits)
}

/// Solves a problem from these impulses. Complementarity problems have no start: pivots begin anew in any case.
///
/// # Errors
/// As [`solve`]; a start of another length.
pub fn solve_from(
    problem: &Problem,
    start: Option<&[f64]>,
    method: Method,
    tolerance: f64,
    limits: &Limits,
) -> Result<Answer, ImpactError> {
    let mut budget = Budget::new(limits);
    let settings = ContactSettings { method, tolerance, warm: start.is_some() };
    match &problem.file {
        ContactFile::Friction(contacts) => friction(problem, contacts, &settings, start, &mut budget),
        ContactFile::Lcp { matrix, vector } if vector.len() <= PIVOTS && method == Method::Auto => {
            Ok(pivots(problem, matrix, vector, tolerance, &mut budget))
        }
        ContactFile::Lcp { matrix, vector } => {
            let contacts = ContactProblem::coulomb(matrix.clone(), vector.clone(), &vec![0.0; vector.len()]);
            frictionless(problem, &contacts, &ContactSettings { warm: false, ..settings }, &mut budget)
        }
    }
}

/// A complementarity problem as contacts without friction. Its error is relative to ‖q‖, that of contacts to the largest of ‖q‖,
/// ‖r‖ and ‖u‖: where impulses are large, what is small for contacts is not for it, so that a smaller tolerance is tried once.
fn frictionless(
    problem: &Problem,
    contacts: &ContactProblem,
    settings: &ContactSettings,
    budget: &mut Budget<'_>,
) -> Result<Answer, ImpactError> {
    let solve = |settings: &ContactSettings, budget: &mut Budget<'_>| {
        let mut answer = friction(problem, contacts, settings, None, budget)?;
        answer.error = complementarity::error_of(&contacts.vector, &answer.impulse, &answer.velocity);
        Ok(answer)
    };
    let mut answer = solve(settings, budget)?;
    if answer.is_solved() && answer.error > settings.tolerance {
        let seconds = answer.seconds;
        let smaller = 0.1 * settings.tolerance * (settings.tolerance / answer.error);
        answer = solve(&ContactSettings { tolerance: smaller, ..*settings }, budget)?;
        answer.seconds += seconds;
        answer.status = match answer.status {
            _ if answer.error.max(answer.scale_free.unwrap_or(0.0)) <= settings.tolerance => SolveStatus::Solved,
            SolveStatus::Solved => SolveStatus::Stalled,
            other => other,
        };
    }
    Ok(answer)
}

fn friction(
    problem: &Problem,
    contacts: &ContactProblem,
    settings: &ContactSettings,
    start: Option<&[f64]>,
    budget: &mut Budget<'_>,
) -> Result<Answer, ImpactError> {
    let (mut r, mut u) = (start.map(<[f64]>::to_vec).unwrap_or_default(), Vec::new());
    let begin = Instant::now();
    let report = solve_on(contacts, settings, Some(&Threads), budget, &mut r)?;
    let seconds = begin.elapsed().as_secs_f64();
    contacts.velocity(&r, &mut u);
    let solved = report.status == SolveStatus::Solved;
    let hopeless = if solved { None } else { approaches_anyway(contacts, settings.tolerance) };
    let status = if hopeless.is_some() { SolveStatus::NoSolution } else { report.status };
    let proved =
        "for some v ≥ 0 of the normals G v = 0 and qᵀv < 0, so that some u_N is negative whatever impulses act";
    Ok(Answer {
        name: problem.name.clone(),
        status,
        contacts: contacts.contacts(),
        dimension: contacts.dimension(),
        rank: contacts.rank(),
        method: settings.method.as_str(),
        start: if settings.warm { "guess" } else { "zero" },
        error: report.residual.natural,
        scale_free: Some(report.residual.scale_free),
        iterations: report.iterations,
        groups: report.groups,
        stages: report
            .stages
            .iter()
            .map(|s| Stage { method: s.method.as_str(), iterations: s.iterations, residual: s.residual })
            .collect(),
        certificate: hopeless.or((status == SolveStatus::NoSolution).then(|| proved.to_owned())),
        ended_by: (status == SolveStatus::MaxIterations).then(|| ended_by(budget)),
        doubt: if status == SolveStatus::Stalled { doubt(contacts, &report, settings.tolerance) } else { None },
        warnings: Vec::new(),
        seconds,
        impulse: r,
        velocity: u,
    })
}

/// The limit that ended a search.
fn ended_by(budget: &Budget<'_>) -> String {
    let own = "the work that a search does where no limit of iterations is given";
    budget.ended_by().unwrap_or_else(|| own.to_owned())
}

/// What approaches by more than the tolerance whatever the impulses are, in words: the row of a normal is zero.
fn approaches_anyway(contacts: &ContactProblem, tolerance: f64) -> Option<String> {
    let (n, d) = (contacts.contacts(), contacts.dimension());
    let slow = tolerance * contacts.vector.iter().fold(0.0f64, |most, q| most.max(q.abs()));
    let is_zero = |i: usize| contacts.matrix.row(i).1.chunks_exact(d * d).all(|b| b[..d].iter().all(|g| *g == 0.0));
    let i = (0..n).find(|&i| contacts.vector[i * d] < -slow && is_zero(i))?;
    let (row, q) = (i * d, contacts.vector[i * d]);
    Some(format!(
        "contact {i} (of 0 to {}) approaches whatever impulses act: row {row} of the matrix is zero, q = {q:e}",
        n - 1
    ))
}

/// Parts of q outside the range of G up to this are round-off of files with few digits.
const OUTSIDE: f64 = 1e-6;

/// Why a search may have stalled, in words.
fn doubt(contacts: &ContactProblem, report: &Report, tolerance: f64) -> Option<String> {
    if report.residual.scale_free <= tolerance {
        let reason = "every contact is solved in units of its own; the field's error adds impulses to velocities and counts sliding \
                      μ times, so that round-off alone may be above the tolerance";
        return Some(reason.to_owned());
    }
    let outside = contacts.outside_range().is_some_and(|outside| outside > OUTSIDE);
    let doubt = "there may be no solution: no velocities of bodies give this q, which is outside the range of the matrix \
                 (those of moving supports may)";
    outside.then(|| doubt.to_owned())
}

/// Lemke's method, for matrices of any kind; small problems that it leaves open are decided by trying every case.
fn pivots(problem: &Problem, matrix: &BlockMatrix, q: &[f64], tolerance: f64, budget: &mut Budget<'_>) -> Answer {
    let n = q.len();
    let dense: Vec<f64> = (0..n * n).map(|k| matrix.get(k / n, k % n)).collect();
    let start = Instant::now();
    let (mut z, mut w) = (vec![0.0; n], Vec::new());
    let report = solve_within(&dense, q, budget, &mut LemkeWork::default(), &mut z);
    let mut error = complementarity::error(&dense, q, &z, &mut w);
    let mut stages = vec![Stage { method: "lemke", iterations: report.pivots, residual: error }];
    let mut certificate = None;
    let mut status = match report.status {
        _ if error <= tolerance => SolveStatus::Solved,
        LcpStatus::PivotLimit => SolveStatus::MaxIterations,
        // A ray proves nothing for a matrix of unknown kind.
        _ => SolveStatus::Stalled,
    };
    // Not where the user's limit ended the search.
    if status != SolveStatus::Solved && n <= MOST_ROWS && budget.left() != Some(0) {
        let mut other = vec![0.0; n];
        let (decision, cases) = decide(&dense, q, tolerance, &mut other);
        match decision {
            Decision::Solved => {
                z = other;
                error = complementarity::error(&dense, q, &z, &mut w);
                status = SolveStatus::Solved;
            }
            Decision::NoSolution => {
                certificate = Some(format!("enumeration complete: all {cases} cases fail"));
                status = SolveStatus::NoSolution;
            }
            Decision::Undecided => status = SolveStatus::Stalled,
        }
        stages.push(Stage { method: "enumeration", iterations: cases, residual: error });
    }
    let seconds = start.elapsed().as_secs_f64();
    let contacts = ContactProblem::coulomb(matrix.clone(), q.to_vec(), &vec![0.0; n]);
    if status == SolveStatus::Stalled {
        certificate = approaches_anyway(&contacts, tolerance);
        status = if certificate.is_some() { SolveStatus::NoSolution } else { status };
    }
    Answer {
        name: problem.name.clone(),
        status,
        contacts: n,
        dimension: 1,
        rank: contacts.rank(),
        method: stages.last().map_or("lemke", |stage| stage.method),
        start: "zero",
        error,
        scale_free: None,
        iterations: stages.iter().map(|stage| stage.iterations).sum(),
        groups: 1,
        stages,
        certificate,
        ended_by: (status == SolveStatus::MaxIterations).then(|| ended_by(budget)),
        // Of matrices of any kind the range tells nothing.
        doubt: None,
        warnings: Vec::new(),
        seconds,
        impulse: z,
        velocity: w,
    }
}
