//! Which method when: by measured progress, keeping the best impulses seen.

use super::gauss_seidel::{self, Sweeps};
use super::groups::Groups;
use super::newton::Newton;
use super::pool::{self, Pool};
use super::problem::ContactProblem;
use super::residual::Point;
use super::scaled::{System, Units};
use super::{ContactSettings, LARGE, Method, Report, Residual, Stage};
use crate::budget::Budget;
use crate::solve::SolveStatus;

/// Rounds with ever smaller targets, where groups that are good by themselves are not good together.
const ROUNDS: usize = 4;
/// What groups are solved to, relative to the tolerance: lower where that costs little, so that they are good together. Where
/// there are many contacts in one, a step that is not needed is dear.
const TARGET: [f64; 2] = [0.3, 0.9];
const MANY: usize = 300;
/// Multiplications that all of a solution may take where the user sets no limit: about a minute or two.
const EFFORT: f64 = 2e11;
/// The same of one group, at least.
const LEAST_EFFORT: f64 = 1e10;
/// Weights of the identity in Newton's systems, one attempt after the other.
const REGULAR: [f64; 3] = [1e-6, 1e-8, 1e-4];

/// Solves all groups.
pub(super) fn solve<const D: usize>(
    problem: &ContactProblem,
    units: Units,
    settings: &ContactSettings,
    pool: Option<&dyn Pool>,
    budget: &mut Budget<'_>,
    r: &mut [f64],
) -> Report {
    let groups = Groups::new(&problem.matrix);
    let largest = (0..groups.len()).max_by_key(|&k| (groups[k].len(), groups.len() - k));
    let mut task = Task { system: System::with(problem, units), method: settings.method, groups, largest, target: 0.0 };
    let many = largest.is_some_and(|k| task.groups[k].len() >= MANY);
    task.target = TARGET[usize::from(many)] * settings.tolerance;
    // A number of iterations that the user sets is spent in order.
    let pool = pool.filter(|_| !budget.is_set() && problem.contacts() >= pool::LEAST);
    let parts = pool.map(|pool| (pool, pool::parts(&task.groups.sizes())));
    let mut total = Done::default();
    let (mut residual, mut u) = (Residual { natural: f64::INFINITY, scale_free: f64::INFINITY }, Vec::new());
    for _ in 0..ROUNDS {
        let found = match &parts {
            Some((pool, parts)) if parts.len() > 1 => pool::run::<D>(*pool, &task, parts, budget, r),
            _ => vec![task.run::<D>(&mut (0..task.groups.len()), budget, r)],
        };
        total = found.into_iter().fold(Done { reached: true, ..total }, Done::with);
        problem.velocity(r, &mut u);
        residual = Residual { natural: problem.natural(r, &u), scale_free: task.system.scale_free(r, &u) };
        // The same contacts relative to each other, and not only to the largest velocity, are next.
        if residual.worst() <= settings.tolerance || total.spent || !total.reached {
            break;
        }
        task.target *= (0.1 * settings.tolerance / residual.worst()).clamp(1e-4, 0.1);
    }
    let status = if residual.worst() <= settings.tolerance {
        SolveStatus::Solved
    } else if LARGE && total.impossible {
        SolveStatus::NoSolution
    } else if total.spent {
        SolveStatus::MaxIterations
    } else {
        SolveStatus::Stalled
    };
    Report {
        status,
        residual,
        iterations: total.sweeps + total.newton_steps,
        sweeps: total.sweeps,
        factorisations: total.factorisations,
        groups: task.groups.len(),
        largest: largest.map_or(0, |k| task.groups[k].len()),
        stages: total.stages,
    }
}

/// What is to be solved, to what target.
pub(super) struct Task<'a> {
    pub(super) system: System<'a>,
    pub(super) method: Method,
    pub(super) groups: Groups,
    /// The largest group: what was done to it is what the report tells of all.
    largest: Option<usize>,
    pub(super) target: f64,
}

/// What was done.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Whether every group came to its target, and whether a limit ended the search.
    reached: bool,
    spent: bool,
    /// Whether it was proved of some group that it has no solution.
    impossible: bool,
    sweeps: usize,
    newton_steps: usize,
    factorisations: usize,
    stages: Vec<Stage>,
}

impl Done {
    fn with(mut self, other: Self) -> Self {
        self.reached &= other.reached;
        self.spent |= other.spent;
        self.impossible |= other.impossible;
        self.sweeps += other.sweeps;
        self.newton_steps += other.newton_steps;
        self.factorisations += other.factorisations;
        self.stages.extend(other.stages);
        self
    }
}

impl Task<'_> {
    /// Solves some groups, one after the other. What is found for one does not depend on the others.
    pub(super) fn run<const D: usize>(
        &self,
        which: &mut dyn Iterator<Item = usize>,
        budget: &mut Budget<'_>,
        r: &mut [f64],
    ) -> Done {
        let mut done = Done { reached: true, ..Done::default() };
        // Where every group is solved at once there is nothing to keep.
        let mut work: Option<Work<'_, D>> = None;
        for k in which {
            let asked = Some(k) == self.largest;
            if LARGE && let Some(residual) = self.at_once::<D>(&self.groups[k], budget, r) {
                done.sweeps += usize::from(residual.is_some());
                let stage = |residual| Stage { method: Method::GaussSeidel, iterations: 1, residual };
                done.stages.extend(residual.filter(|_| asked).map(stage));
                continue;
            }
            let work = work.get_or_insert_with(|| Work::new(self, r.len()));
            let stages = work.solve_group(&self.groups[k], self.target, asked.then(Vec::new), budget, r);
            work.stages.extend(stages);
        }
        done.spent = budget.left() == Some(0);
        let Some(work) = work else { return done };
        done.with(Done {
            reached: work.reached,
            spent: work.spent || work.has_spent(budget),
            impossible: work.impossible,
            sweeps: work.sweeps_made,
            newton_steps: work.newton_steps,
            factorisations: work.newton.factorisations,
            stages: work.stages,
        })
    }
}

/// The state of a solution.
pub(super) struct Work<'a, const D: usize> {
    pub(super) system: &'a System<'a>,
    method: Method,
    sweeps: Sweeps,
    pub(super) newton: Newton<D>,
    /// Velocities of the impulses.
    pub(super) u: Vec<f64>,
    best: Vec<f64>,
    sweeps_made: usize,
    newton_steps: usize,
    stages: Vec<Stage>,
    /// Whether every group came to its target.
    reached: bool,
    /// Multiplications on the group at hand, how many it may take, and whether one took them all.
    effort: f64,
    most: f64,
    spent: bool,
    /// Whether it was proved of some group that it has no solution.
    pub(super) impossible: bool,
}

/// One group on its way.
pub(super) struct Group<'a> {
    pub(super) contacts: &'a [u32],
    pub(super) target: f64,
    /// Residual of the impulses at hand, and of the best ones.
    pub(super) residual: f64,
    least: f64,
    stages: Option<Vec<Stage>>,
    /// Whether this is a part of a group, with all else held.
    pub(super) patch: bool,
    /// Whether an order of elimination is there.
    ordered: bool,
    /// Whether bodies touch flat, once that was looked at.
    pub(super) flat: bool,
}

impl<'a> Group<'a> {
    fn new(contacts: &'a [u32], target: f64, stages: Option<Vec<Stage>>) -> Self {
        let (residual, least) = (f64::INFINITY, f64::INFINITY);
        Self { contacts, target, residual, least, stages, patch: false, ordered: false, flat: false }
    }

    /// A part of a group, of which no best impulses are kept.
    pub(super) fn patch(contacts: &'a [u32], target: f64) -> Self {
        Self { least: 0.0, patch: true, ..Self::new(contacts, target, None) }
    }
}

impl<'a, const D: usize> Work<'a, D> {
    fn new(task: &'a Task<'a>, rows: usize) -> Self {
        let system = &task.system;
        Self {
            system,
            method: task.method,
            sweeps: Sweeps::new(system.blocks.len()),
            newton: Newton::default(),
            u: vec![0.0; rows],
            best: vec![0.0; rows],
            sweeps_made: 0,
            newton_steps: 0,
            stages: Vec::new(),
            reached: true,
            effort: 0.0,
            most: EFFORT,
            spent: false,
            impossible: false,
        }
    }

    pub(super) fn has_spent(&self, budget: &Budget<'_>) -> bool {
        budget.left() == Some(0) || !budget.is_set() && self.effort > self.most
    }

    /// Velocities and residual of the impulses at hand; the best ones are kept.
    pub(super) fn measure(&mut self, group: &mut Group<'_>, r: &[f64]) {
        self.system.velocities::<D>(group.contacts, r, &mut self.u);
        let point = Point::at(r, &self.u);
        let sizes = self.newton.sizes(self.system, group.contacts, point);
        group.residual = self.system.residuals_in::<D>(group.contacts.iter().copied(), point, sizes, f64::INFINITY).0;
        if group.residual < group.least || !group.least.is_finite() {
            group.least = group.residual;
            copy::<D>(group.contacts, r, &mut self.best);
        }
    }

    pub(super) fn note(group: &mut Group<'_>, method: Method, iterations: usize) {
        if let Some(stages) = group.stages.as_mut().filter(|_| iterations > 0) {
            match stages.last_mut() {
                Some(last) if last.method == method => {
                    last.iterations += iterations;
                    last.residual = group.residual;
                }
                _ => stages.push(Stage { method, iterations, residual: group.residual }),
            }
        }
    }

    /// Solves one group from the impulses at hand; returns what was done, where that is asked for.
    fn solve_group(
        &mut self,
        contacts: &[u32],
        target: f64,
        stages: Option<Vec<Stage>>,
        budget: &mut Budget<'_>,
        r: &mut [f64],
    ) -> Vec<Stage> {
        let mut group = Group::new(contacts, target, stages);
        let share = contacts.len() as f64 / self.system.blocks.len() as f64;
        (self.effort, self.most) = (0.0, (EFFORT * share).max(LEAST_EFFORT));
        self.sweeps.start();
        self.measure(&mut group, r);
        if group.residual > target {
            match self.method {
                Method::Auto => self.automatic(&mut group, budget, r),
                Method::GaussSeidel => {
                    self.sweep(&mut group, 5, budget, r);
                    self.accelerate(&mut group, usize::MAX, budget, r);
                }
                Method::Newton => {
                    self.sweep(&mut group, 10, budget, r);
                    for regular in REGULAR {
                        self.newton(&mut group, regular, 50, 5, budget, r);
                    }
                }
                Method::Smoothing if LARGE => self.smoothing(&mut group, budget, r),
                Method::Proximal | Method::Smoothing => {
                    self.sweep(&mut group, 10, budget, r);
                    self.proximal(&mut group, usize::MAX, budget, r);
                }
            }
            if group.least < group.residual {
                copy::<D>(contacts, &self.best, r);
                self.measure(&mut group, r);
            }
            self.reached &= group.residual <= target;
            self.spent |= group.residual > target && self.has_spent(budget);
        }
        group.stages.unwrap_or_default()
    }

    /// All methods in turn.
    fn automatic(&mut self, group: &mut Group<'_>, budget: &mut Budget<'_>, r: &mut [f64]) {
        if group.residual < NEAR {
            self.newton(group, REGULAR[0], 8, 0, budget, r);
        }
        self.sweep(group, if group.contacts.len() == 1 { 1 } else { 8 }, budget, r);
        // From near it ends quickly; if the first steps gain nothing, more of them will not either. Without factors
        // the singular systems of a far start take longest.
        let before = group.residual;
        self.order(group);
        if LARGE && group.flat {
            self.smoothing(group, budget, r);
        } else if before < NEAR || !self.newton.iterates() {
            self.newton(group, REGULAR[0], 5, 2, budget, r);
        }
        if !group.flat && group.residual < 0.3 * before {
            self.newton(group, REGULAR[0], 15, 0, budget, r);
        }
        for round in 0..6 {
            if group.residual <= group.target || self.has_spent(budget) {
                return;
            }
            let steps = if self.newton.iterates() { 600 } else { 150 };
            self.proximal(group, steps << round, budget, r);
            self.accelerate(group, 50 << round, budget, r);
            // Without factors nearly singular systems take longest.
            if !self.newton.iterates() {
                self.newton(group, REGULAR[round % REGULAR.len()], 30, 5, budget, r);
            }
        }
        self.few(group, budget, r);
    }

    /// Plain sweeps.
    fn sweep(&mut self, group: &mut Group<'_>, count: usize, budget: &mut Budget<'_>, r: &mut [f64]) {
        if group.residual <= group.target {
            return;
        }
        let cost = gauss_seidel::cost(self.system, group.contacts);
        let mut made = 0;
        while made < count && budget.take(cost) {
            self.sweeps.sweep::<D>(self.system, group.contacts, 1.0, r);
            made += 1;
        }
        self.effort += cost * made as f64;
        self.sweeps_made += made;
        self.measure(group, r);
        Self::note(group, Method::GaussSeidel, made);
    }

    /// Accelerated sweeps, as long as they make progress.
    fn accelerate(&mut self, group: &mut Group<'_>, limit: usize, budget: &mut Budget<'_>, r: &mut [f64]) {
        let cost = gauss_seidel::cost(self.system, group.contacts);
        self.sweeps.forget();
        self.newton.release();
        let (mut total, mut before, mut poor) = (0, group.residual, 0);
        while total < limit && group.residual > group.target && !self.has_spent(budget) && poor < 12 {
            let count = 20.min(limit - total);
            let made = self.sweeps.accelerated::<D>(self.system, group.contacts, count, 1e-16, budget, r);
            total += made;
            self.sweeps_made += made;
            self.effort += 2.0 * cost * made as f64;
            self.measure(group, r);
            // Sixty sweeps that gain nothing are enough.
            poor = if group.residual < 0.9 * before { 0 } else { poor + 1 };
            before = before.min(group.residual);
            if made < count {
                break;
            }
        }
        self.sweeps.release();
        Self::note(group, Method::GaussSeidel, total);
    }

    /// Newton's method; impulses that are worse than before are put back.
    pub(super) fn newton(
        &mut self,
        group: &mut Group<'_>,
        regular: f64,
        limit: usize,
        bold: usize,
        budget: &mut Budget<'_>,
        r: &mut [f64],
    ) {
        if group.residual <= group.target || self.has_spent(budget) {
            return;
        }
        self.order(group);
        (self.newton.regular, self.newton.epsilon) = (regular, 0.0);
        // A few more steps of lower accuracy take less than fewer of high accuracy.
        self.newton.forcing = 3e-2;
        let mut start = Vec::new();
        keep::<D>(group.contacts, r, &mut start);
        let before = group.residual;
        let Self { system, newton, u, .. } = self;
        let end = newton.run(system, group.contacts, group.target, limit, bold, budget, r, u);
        self.account(end.iterations);
        self.measure(group, r);
        if group.residual >= before {
            put_back::<D>(group.contacts, &start, r);
            self.measure(group, r);
        }
        Self::note(group, Method::Newton, end.iterations);
    }

    pub(super) fn order(&mut self, group: &mut Group<'_>) {
        if group.residual > group.target && !std::mem::replace(&mut group.ordered, true) {
            group.flat = LARGE && self.touch_flat(group.contacts);
            self.newton.start(self.system, group.contacts, group.flat);
        }
    }

    pub(super) fn account(&mut self, iterations: usize) {
        self.newton_steps += iterations;
        self.effort += self.newton.take_effort();
    }
}

/// Residual from which on Newton's method is likely to end at once.
pub(super) const NEAR: f64 = 1e-2;

pub(super) fn copy<const D: usize>(contacts: &[u32], from: &[f64], to: &mut [f64]) {
    for &i in contacts {
        let rows = i as usize * D..(i as usize + 1) * D;
        to[rows.clone()].copy_from_slice(&from[rows]);
    }
}

pub(super) fn keep<const D: usize>(contacts: &[u32], from: &[f64], kept: &mut Vec<f64>) {
    kept.clear();
    kept.reserve_exact(contacts.len() * D);
    contacts.iter().for_each(|&i| kept.extend_from_slice(&from[i as usize * D..(i as usize + 1) * D]));
}

pub(super) fn put_back<const D: usize>(contacts: &[u32], kept: &[f64], to: &mut [f64]) {
    for (&i, kept) in contacts.iter().zip(kept.chunks_exact(D)) {
        to[i as usize * D..(i as usize + 1) * D].copy_from_slice(kept);
    }
}
