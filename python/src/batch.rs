//! Many impacts of one structure: the same elements, other numbers in every row.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::{mem, thread};

use delassus::{
    Budget, ContactData, Direction, ElementState, Friction, ImpactError, ImpactOutcome, ImpactProblem, Mass,
    MassEntries, Options, ProblemData, SolverData, Status, Workspace, resolve_into,
};
use numpy::PyReadwriteArray1;
use pyo3::prelude::*;

use crate::arrays::{Field, Rows};
use crate::error;
use crate::law::Law;
use crate::problem::{Problem, solutions_by_name};
use crate::signals::{self, Signals, interruptible, stopped_by};

/// The words of the codes in a batch's status: those of outcomes, and that of a row whose numbers are wrong.
pub const BATCH_STATUSES: [&str; 7] =
    ["solved", "inaccurate", "no-solution", "max-iterations", "stalled", "not-applicable", "bad-input"];
const BAD_INPUT: u8 = 6;
/// The code of a state that is not known.
const NO_STATE: u8 = 4;
/// Residuals of a row: kinematic, kinetic, energetic, momentum, inclusion.
const RESIDUALS: usize = 5;
/// Reasons that are kept, of the first rows that have one.
const MOST_REASONS: usize = 100;
/// So few rows are resolved on the thread of the caller.
const FEW: usize = 32;
/// More threads are of no use.
const MOST_THREADS: usize = 256;
/// Rows that a thread takes at once, at most.
const CHUNK: usize = 1024;

/// What the rows share, and the numbers of each.
struct Input<'a> {
    /// Degrees of freedom, contacts, tangents of each.
    n: usize,
    contacts: usize,
    tangents: usize,
    diagonal: bool,
    mass: Rows<'a>,
    velocity: Rows<'a>,
    normal: Rows<'a>,
    tangent: Rows<'a>,
    friction: Rows<'a>,
    restitution: Rows<'a>,
    restitution_tangential: Rows<'a>,
}

/// Columns of the result, each in a line: u⁺, normal impulses, tangential impulses, T⁺ − T⁻, residuals, codes of the
/// states, codes of the status. Python allocates them, in large pages where there are many rows.
type Columns<'py> = (
    PyReadwriteArray1<'py, f64>,
    PyReadwriteArray1<'py, f64>,
    PyReadwriteArray1<'py, f64>,
    PyReadwriteArray1<'py, f64>,
    PyReadwriteArray1<'py, f64>,
    PyReadwriteArray1<'py, u8>,
    PyReadwriteArray1<'py, u8>,
);

/// Resolves all rows into `columns`; gives the reasons of rows without an answer.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn resolve_batch(
    py: Python<'_>,
    law: &Law,
    shape: (usize, usize, usize, usize),
    diagonal: bool,
    mass: Field<'_>,
    velocity: Field<'_>,
    normal: Field<'_>,
    tangent: Field<'_>,
    friction: Field<'_>,
    restitution: Field<'_>,
    restitution_tangential: Field<'_>,
    solutions: &str,
    threads: Option<usize>,
    mut columns: Columns<'_>,
) -> PyResult<Vec<(usize, String)>> {
    error::guarded(|| {
        let fields = [&mass, &velocity, &normal, &tangent, &friction, &restitution, &restitution_tangential];
        let (rows, n, contacts, tangents) = shape;
        let input = Input::new(shape, diagonal, fields)?;
        let solutions = solutions_by_name(solutions).map_err(|error| error::problem(py, &error))?;
        let options = Options { solutions, ..Options::default() };
        let template = signals::building(py, |budget| input.template(rows, budget))?;
        let threads = threads.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
        let threads = threads.clamp(1, MOST_THREADS);

        let elements = template.elements().len();
        let output = Job::all(&mut columns)?;
        if !output.fits(rows, [n, contacts, contacts * tangents, elements]) {
            return Err(error::problem(py, &ImpactError::new("columns", "", "do not fit the rows")));
        }
        let chunk = (rows / (8 * threads)).clamp(1, CHUNK);
        let jobs = Mutex::new(output.split(chunk, [n, contacts, contacts * tangents, elements]).into_iter());
        let reasons = Mutex::new(Vec::new());
        let work = |options: &Options| {
            let mut worker = Worker::new(&input, &law.spec, options, &template);
            // Locked only to take the next job.
            while let Some(job) = jobs.lock().ok().and_then(|mut jobs| jobs.next()) {
                if options.limits.stop.as_ref().is_some_and(|stop| stop.is_due()) {
                    return;
                }
                worker.run(job);
            }
            if let Ok(mut all) = reasons.lock() {
                all.append(&mut worker.reasons);
            }
        };
        if rows <= FEW {
            let signals = Signals::new();
            let options = Options { limits: signals.limits(&SolverData::default()), ..options };
            py.detach(|| work(&options));
            signals.result()?;
        } else {
            let stop = Arc::new(AtomicBool::new(false));
            let stopped = Arc::clone(&stop);
            let limits = stopped_by(&SolverData::default(), move || stopped.load(Ordering::Relaxed));
            let options = Options { limits, ..options };
            interruptible(py, &stop, || {
                thread::scope(|scope| {
                    (1..threads.min(rows)).for_each(|_| drop(scope.spawn(|| work(&options))));
                    work(&options);
                });
                Ok(())
            })?;
        }
        let mut reasons = reasons.into_inner().unwrap_or_default();
        reasons.sort_unstable();
        reasons.truncate(MOST_REASONS);
        Ok(reasons)
    })
}

/// The problem of `delassus.resolve`: contacts as arrays, nothing varies.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn problem_from_arrays(
    py: Python<'_>,
    shape: (usize, usize, usize, usize),
    diagonal: bool,
    mass: Field<'_>,
    velocity: Field<'_>,
    normal: Field<'_>,
    tangent: Field<'_>,
    friction: Field<'_>,
    restitution: Field<'_>,
    restitution_tangential: Field<'_>,
) -> PyResult<Problem> {
    error::guarded(|| {
        let fields = [&mass, &velocity, &normal, &tangent, &friction, &restitution, &restitution_tangential];
        let input = Input::new(shape, diagonal, fields)?;
        signals::building(py, |budget| input.template(1, budget)).map(Problem::plain)
    })
}

impl<'a> Input<'a> {
    fn new(shape: (usize, usize, usize, usize), diagonal: bool, fields: [&'a Field<'_>; 7]) -> PyResult<Self> {
        let (_, n, contacts, tangents) = shape;
        let [mass, velocity, normal, tangent, friction, restitution, restitution_tangential] = fields;
        Ok(Self {
            n,
            contacts,
            tangents,
            diagonal,
            mass: mass.rows(if diagonal { n } else { n * n })?,
            velocity: velocity.rows(n)?,
            normal: normal.rows(contacts * n)?,
            tangent: tangent.rows(contacts * tangents * n)?,
            friction: friction.rows(contacts)?,
            restitution: restitution.rows(contacts)?,
            restitution_tangential: restitution_tangential.rows(contacts)?,
        })
    }

    /// The problem of all rows: what they share, and stand-ins for what they do not.
    fn template(&self, rows: usize, budget: &mut Budget<'_>) -> Result<ImpactProblem, ImpactError> {
        let Self { n, contacts, tangents, .. } = *self;
        let fields = [
            &self.mass,
            &self.velocity,
            &self.normal,
            &self.tangent,
            &self.friction,
            &self.restitution,
            &self.restitution_tangential,
        ];
        if n == 0 || contacts == 0 || rows == 0 || !fields.iter().all(|field| field.covers(rows)) {
            return Err(ImpactError::new("arrays", "", "do not fit each other"));
        }
        let shared = |field: &Rows<'_>, stand_in: f64, size: usize| {
            if field.varies { vec![stand_in; size] } else { field.of(0).to_vec() }
        };
        let mass = match (self.diagonal, self.mass.varies) {
            (true, _) => Mass::diagonal(shared(&self.mass, 1.0, n))?,
            (false, false) => Mass::dense_within(n, self.mass.of(0).to_vec(), budget)?,
            (false, true) => Mass::dense(n, (0..n * n).map(|k| f64::from(u8::from(k % (n + 1) == 0))).collect())?,
        };
        let mut data = ProblemData::new(mass, shared(&self.velocity, 0.0, n));
        let normals = shared(&self.normal, 1.0, contacts * n);
        let tangent_rows = shared(&self.tangent, 1.0, contacts * tangents * n);
        let friction = shared(&self.friction, 0.0, contacts);
        let restitution = shared(&self.restitution, 0.0, contacts);
        let restitution_tangential = shared(&self.restitution_tangential, 0.0, contacts);
        for c in 0..contacts {
            let direction = |values: &[f64], k: usize| Direction::Dense(values[k * n..(k + 1) * n].to_vec());
            let mut contact = ContactData::new(contact_name(c, contacts), direction(&normals, c));
            contact.tangents = (0..tangents).map(|t| direction(&tangent_rows, c * tangents + t)).collect();
            contact.friction = (tangents > 0 || friction[c] != 0.0).then_some(Friction::Isotropic(friction[c]));
            contact.restitution = restitution[c];
            contact.restitution_tangential = restitution_tangential[c];
            data = data.with_contact(contact);
        }
        ImpactProblem::new_within(data, budget)
    }
}

/// The name of a contact that came without one: `C`, or `C0`, `C1`, … where there are several.
pub fn contact_name(index: usize, count: usize) -> String {
    if count == 1 { "C".to_owned() } else { format!("C{index}") }
}

/// Rows that follow each other, and where their results go.
struct Job<'a> {
    first: usize,
    velocity: &'a mut [f64],
    normal: &'a mut [f64],
    tangent: &'a mut [f64],
    energy: &'a mut [f64],
    residuals: &'a mut [f64],
    states: &'a mut [u8],
    status: &'a mut [u8],
}

impl<'a> Job<'a> {
    /// All rows.
    fn all(columns: &'a mut Columns<'_>) -> PyResult<Self> {
        let (velocity, normal, tangent, energy, residuals, states, status) = columns;
        Ok(Self {
            first: 0,
            velocity: velocity.as_slice_mut()?,
            normal: normal.as_slice_mut()?,
            tangent: tangent.as_slice_mut()?,
            energy: energy.as_slice_mut()?,
            residuals: residuals.as_slice_mut()?,
            states: states.as_slice_mut()?,
            status: status.as_slice_mut()?,
        })
    }

    /// Whether there is room for so many rows with these numbers of velocities, normals, tangents and elements.
    fn fits(&self, rows: usize, [n, normals, tangents, elements]: [usize; 4]) -> bool {
        let sizes = [n, normals, tangents, 1, RESIDUALS];
        let columns = [&self.velocity, &self.normal, &self.tangent, &self.energy, &self.residuals];
        columns.iter().zip(sizes).all(|(column, size)| column.len() == rows * size)
            && self.states.len() == rows * elements
            && self.status.len() == rows
    }

    /// The rows in pieces of at most `chunk`.
    fn split(mut self, chunk: usize, [n, normals, tangents, elements]: [usize; 4]) -> Vec<Self> {
        let rows = self.status.len();
        let piece = |first: usize| {
            let count = chunk.min(rows - first);
            Self {
                first,
                velocity: front(&mut self.velocity, count * n),
                normal: front(&mut self.normal, count * normals),
                tangent: front(&mut self.tangent, count * tangents),
                energy: front(&mut self.energy, count),
                residuals: front(&mut self.residuals, count * RESIDUALS),
                states: front(&mut self.states, count * elements),
                status: front(&mut self.status, count),
            }
        };
        (0..rows).step_by(chunk).map(piece).collect()
    }
}

/// Takes the first entries away.
fn front<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, after) = mem::take(rest).split_at_mut(count);
    *rest = after;
    first
}

/// Resolves one row after the other in its own buffers.
struct Worker<'a> {
    input: &'a Input<'a>,
    law: &'a delassus::LawSpec,
    options: &'a Options,
    problem: ImpactProblem,
    directions: Vec<f64>,
    work: Workspace,
    outcome: ImpactOutcome,
    reasons: Vec<(usize, String)>,
}

impl<'a> Worker<'a> {
    fn new(input: &'a Input<'a>, law: &'a delassus::LawSpec, options: &'a Options, template: &ImpactProblem) -> Self {
        Self {
            input,
            law,
            options,
            problem: template.clone(),
            directions: Vec::new(),
            work: Workspace::default(),
            outcome: ImpactOutcome::default(),
            reasons: Vec::new(),
        }
    }

    fn run(&mut self, mut job: Job<'_>) {
        let mut kept = 0;
        for k in 0..job.status.len() {
            let row = job.first + k;
            let resolved = self
                .set(row)
                .and_then(|()| resolve_into(&self.problem, self.law, self.options, &mut self.work, &mut self.outcome));
            let reason = match resolved {
                Ok(()) => {
                    let status = self.outcome.status();
                    job.status[k] = code(status);
                    match status.has_answer() {
                        true => self.write(&mut job, k),
                        false => self.write_none(&mut job, k),
                    }
                    self.outcome.reason.take()
                }
                Err(error) => {
                    job.status[k] = BAD_INPUT;
                    self.write_none(&mut job, k);
                    Some(error.to_string())
                }
            };
            if let Some(reason) = reason
                && kept < MOST_REASONS
            {
                kept += 1;
                self.reasons.push((row, reason));
            }
        }
    }

    /// Gives the problem the numbers of a row.
    fn set(&mut self, row: usize) -> Result<(), ImpactError> {
        let input = self.input;
        let velocity = input.velocity.of(row);
        if input.friction.varies && input.tangents > 0 {
            for (c, &mu) in input.friction.of(row).iter().enumerate() {
                self.problem.set_friction(c, Friction::Isotropic(mu))?;
            }
        }
        if input.restitution.varies || input.restitution_tangential.varies {
            let coefficients = input.restitution.of(row).iter().zip(input.restitution_tangential.of(row));
            for (c, (&normal, &tangential)) in coefficients.enumerate() {
                self.problem.set_restitution(c, normal, tangential)?;
            }
        }
        let turned = input.normal.varies || input.tangent.varies;
        if turned {
            let Input { n, contacts, tangents, .. } = *input;
            let (normal, tangent) = (input.normal.of(row), input.tangent.of(row));
            self.directions.clear();
            for c in 0..contacts {
                self.directions.extend_from_slice(&normal[c * n..(c + 1) * n]);
                self.directions.extend_from_slice(&tangent[c * tangents * n..(c + 1) * tangents * n]);
            }
        }
        if !turned && !input.mass.varies {
            return self.problem.set_velocity(velocity);
        }
        let entries = input.mass.of(row);
        let mass = if input.diagonal { MassEntries::Diagonal(entries) } else { MassEntries::Dense(entries) };
        let directions = turned.then_some(&self.directions[..]);
        self.problem.configure(input.mass.varies.then_some(mass), directions, velocity)
    }

    /// Puts the outcome into the place of the job's row `k`.
    fn write(&self, job: &mut Job<'_>, k: usize) {
        let Input { n, contacts, tangents, .. } = *self.input;
        let outcome = &self.outcome;
        job.velocity[k * n..(k + 1) * n].copy_from_slice(&outcome.u_plus);
        for (c, rows) in outcome.impulses().chunks_exact(1 + tangents).enumerate() {
            let place = k * contacts + c;
            job.normal[place] = rows[0];
            job.tangent[place * tangents..(place + 1) * tangents].copy_from_slice(&rows[1..]);
        }
        job.energy[k] = outcome.energy.change();
        let checks = &outcome.certificate;
        let inclusion = checks.inclusion.unwrap_or(f64::NAN);
        job.residuals[k * RESIDUALS..(k + 1) * RESIDUALS].copy_from_slice(&[
            checks.kinematic,
            checks.kinetic,
            checks.energetic,
            checks.momentum,
            inclusion,
        ]);
        let elements = outcome.states.len();
        for (place, state) in job.states[k * elements..(k + 1) * elements].iter_mut().zip(&outcome.states) {
            *place = match state {
                ElementState::Open => 0,
                ElementState::Closed => 1,
                ElementState::Stick => 2,
                ElementState::Slip => 3,
            };
        }
    }

    /// Puts nothing into the place of the job's row `k`.
    #[cold]
    fn write_none(&self, job: &mut Job<'_>, k: usize) {
        let Input { n, contacts, tangents, .. } = *self.input;
        let (tangents, elements) = (contacts * tangents, self.problem.elements().len());
        job.velocity[k * n..(k + 1) * n].fill(f64::NAN);
        job.normal[k * contacts..(k + 1) * contacts].fill(f64::NAN);
        job.tangent[k * tangents..(k + 1) * tangents].fill(f64::NAN);
        job.energy[k] = f64::NAN;
        job.residuals[k * RESIDUALS..(k + 1) * RESIDUALS].fill(f64::NAN);
        job.states[k * elements..(k + 1) * elements].fill(NO_STATE);
    }
}

/// The place of a status in [`BATCH_STATUSES`].
fn code(status: Status) -> u8 {
    match status {
        Status::Solved => 0,
        Status::Inaccurate => 1,
        Status::NoSolution => 2,
        Status::MaxIterations => 3,
        Status::Stalled => 4,
        Status::NotApplicable => 5,
    }
}
