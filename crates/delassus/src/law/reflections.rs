//! Reflections of all approaching contacts at once.

use super::inclusion::{self, check_friction_given};
use super::many::project_many;
use super::{About, Buffers, Coefficient, Field, ImpactLaw, Refusal, data};
use crate::answer::{LawAnswer, Options, Status, Uniqueness};
use crate::budget::Budget;
use crate::claim::{Claim, EnergyClaim};
use crate::error::ImpactError;
use crate::problem::{ElementKind, ImpactProblem};
use crate::solve::tolerance::RESIDUAL;
use crate::solve::{self, Cone, Inclusion, SolveStatus, SolveWork};

/// Generalized reflections of frictionless contacts [SKVTG 2012], with one coefficient e.
///
/// ```text
/// from u = u⁻ repeat:   V = {i: γ_i < 0},   λ ≥ 0 minimises ‖u + M⁻¹W_Vλ‖_M,   u ← u + 2M⁻¹W_Vλ
/// until V is empty:     u_r
/// u⁺ = p + e(u_r − p),  p the M-projection of u⁻ on {γ ≥ 0} (`moreau` with e = 0)
/// ```
///
/// Each reflection keeps the energy; together they keep symmetries and let impulses travel
/// through chains. The answer for e < 1 is our choice; it is admissible, and without gain of
/// energy, because both sets are convex. Joints are part of every projection, clutches are
/// refused; an external impulse acts first.
///
/// Known failures: no bound on the number of reflections is known, and a body that contacts hold
/// from all sides is reflected without end (e > 0); the answer jumps where a contact begins to approach, since those that do are reflected together and others not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reflections {
    /// e; absent: the common `restitution` of all contacts.
    pub restitution: Option<f64>,
}

/// Approach speeds below this, in units of the speed √(2T) along the contact, are zero.
const ZERO: f64 = 1e-12;
/// Rows up to which a projection is solved with a full matrix.
const FULL: usize = 200;
/// Reflections before the search is given up.
const MOST: usize = 10_000;

impl ImpactLaw for Reflections {
    fn about(&self) -> About {
        About {
            name: "reflections",
            summary: "All approaching contacts reflect together, again and again; frictionless",
            citation: "SKVTG 2012",
        }
    }

    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        let restitution = Field::maybe_number("restitution", &mut self.restitution).at_least(0.0).at_most(1.0);
        let restitution = restitution.doc("The coefficient: 1 keeps the energy, 0 is completely inelastic.");
        each(restitution.absent("the common one of all contacts"));
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        data::check_ranges(self)?;
        check_friction_given(problem)?;
        let refuse = |reason: String| Err(Refusal::NotApplicable(reason));
        if let Some(rough) = problem.contacts().iter().find(|c| c.friction.is_some_and(|f| !f.is_zero())) {
            return refuse(format!("reflections are without friction, and contact {} has it", rough.name));
        }
        if let Some(clutch) = problem.elements().iter().find(|e| e.kind == ElementKind::Clutch) {
            return refuse(format!("reflections do not know clutches, and {} is one", clutch.name));
        }
        match self.coefficient(problem) {
            None => refuse("the contacts have different restitutions; give `restitution` in the law's own data".into()),
            Some(e) if e > 1.0 => {
                let allowed = "reflections need 0 <= restitution <= 1";
                Err(Refusal::BadInput(ImpactError::new("contact[0].restitution", e, allowed)))
            }
            Some(_) => Ok(()),
        }
    }

    fn claim(&self, _problem: &ImpactProblem, claim: &mut Claim) {
        claim.energy = EnergyClaim::Always;
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        let e = self.coefficient(problem).unwrap_or(0.0);
        let budget = Budget::new(&options.limits);
        let speed = inclusion::speed(problem, &mut work.inclusion.vector);
        let mut search = Search { problem, budget, work: work.scratch(), speed, count: 0, close: false };
        if e > 0.0 {
            answer.status = search.reflect(&mut answer.impulses);
        }
        if e < 1.0 && answer.status == Status::Solved {
            search.update(&[]);
            answer.status = search.project(|_| true);
            search.add((1.0 - e, e), &mut answer.impulses);
        }
        answer.stats.iterations = search.count;
        match answer.status {
            Status::MaxIterations => answer.give_up(&search.budget, search.count),
            Status::Solved if !search.close => {
                answer.uniqueness = Uniqueness::Proved("every reflection is at a projection on a convex cone");
            }
            _ => {}
        }
    }

    fn coefficients(&self) -> Vec<Coefficient> {
        vec![Coefficient::RESTITUTION]
    }
}

impl Reflections {
    /// e, where contacts that differ leave it open.
    fn coefficient(&self, problem: &ImpactProblem) -> Option<f64> {
        let mut contacts = problem.contacts().iter().map(|c| c.restitution);
        let first = contacts.next().unwrap_or(0.0);
        self.restitution.or_else(|| contacts.all(|e| e == first).then_some(first))
    }
}

/// Buffers of the search.
#[derive(Default)]
struct Work {
    /// Velocities so far: u (n) and γ (m).
    velocity: Vec<f64>,
    gamma: Vec<f64>,
    /// Which contacts approach.
    approach: Vec<bool>,
    /// The projection: rows of the problem, G and γ on them, impulses.
    rows: Vec<usize>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    cones: Vec<Cone>,
    x: Vec<f64>,
    solver: SolveWork,
}

struct Search<'a> {
    problem: &'a ImpactProblem,
    budget: Budget<'a>,
    work: &'a mut Work,
    /// The largest speed of the system.
    speed: f64,
    /// Reflections so far.
    count: usize,
    /// Whether some contact approached, or did not, by less than is certified.
    close: bool,
}

impl Search<'_> {
    /// Reflects until no contact approaches; `impulses` are zero before.
    fn reflect(&mut self, impulses: &mut [f64]) -> Status {
        let problem = self.problem;
        self.update(impulses);
        if problem.external_impulse().is_some() {
            // What it does to joints is no impact.
            let status = self.project(|_| false);
            self.add((1.0, 1.0), impulses);
            if status != Status::Solved {
                return status;
            }
            self.update(impulses);
        }
        loop {
            self.work.approach.clear();
            for contact in problem.contacts() {
                let along = self.work.gamma[contact.normal] / (problem.scales()[contact.element] * self.speed);
                self.close |= along.abs() <= RESIDUAL;
                self.work.approach.push(along < -ZERO);
            }
            let count = self.work.approach.iter().filter(|a| **a).count();
            if count == 0 {
                return Status::Solved;
            }
            let own = !self.budget.is_set() && self.count >= MOST || self.budget.is_worn();
            // Projections of many rows count their own work as they go.
            let work = if count > FULL { count } else { count * count * count };
            if own || !self.budget.take(work as f64) {
                return Status::MaxIterations;
            }
            let approach = std::mem::take(&mut self.work.approach);
            let status = self.project(|contact| approach[contact]);
            self.work.approach = approach;
            if status != Status::Solved {
                return status;
            }
            self.add((2.0, 1.0), impulses);
            self.update(impulses);
            self.count += 1;
        }
    }

    /// Velocities after these impulses (none: before the impact, after the external impulse).
    fn update(&mut self, impulses: &[f64]) {
        let Work { velocity, gamma, .. } = &mut *self.work;
        self.problem.apply_impulses(impulses, velocity);
        self.problem.relative_velocity(velocity, gamma);
    }

    /// The impulses that make γ ≥ 0 of these contacts, and 0 of all joints, at the least energy.
    fn project(&mut self, takes_part: impl Fn(usize) -> bool) -> Status {
        let (problem, work) = (self.problem, &mut *self.work);
        work.rows.clear();
        work.cones.clear();
        for (_, contact) in problem.contacts().iter().enumerate().filter(|(i, _)| takes_part(*i)) {
            work.cones.push(Cone::Unilateral { row: work.rows.len() });
            work.rows.push(contact.normal);
        }
        for joint in problem.elements().iter().filter(|e| e.kind == ElementKind::Joint) {
            for row in joint.rows.clone() {
                work.cones.push(Cone::Free { row: work.rows.len() });
                work.rows.push(row);
            }
        }
        work.vector.clear();
        work.vector.extend(work.rows.iter().map(|&row| work.gamma[row]));
        work.x.clear();
        work.x.resize(work.rows.len(), 0.0);
        if work.rows.len() > FULL {
            let contacts = work.cones.iter().filter(|cone| matches!(cone, Cone::Unilateral { .. })).count();
            let status = project_many(problem, &work.rows, contacts, &work.vector, &mut self.budget, &mut work.x);
            return Self::status(status);
        }
        work.matrix.clear();
        for &row in &work.rows {
            work.matrix.extend(work.rows.iter().map(|&column| problem.operator().get(row, column)));
        }
        let (vector, cones) = (&work.vector, &work.cones);
        let inclusion = Inclusion { matrix: &work.matrix, vector, cones, speed: self.speed };
        let mut report = solve::solve_within(&inclusion, &mut self.budget, &mut work.solver, &mut work.x);
        if report.status != SolveStatus::Solved {
            report = solve::solve_otherwise(&inclusion, &mut self.budget, &mut work.solver, &mut work.x);
        }
        // A projection that is not proved to be the only one hangs on less than is certified.
        self.close |= report.unique.is_none();
        Self::status(report.status)
    }

    fn status(status: SolveStatus) -> Status {
        match status {
            SolveStatus::Solved => Status::Solved,
            SolveStatus::NoSolution => Status::NoSolution,
            SolveStatus::MaxIterations => Status::MaxIterations,
            SolveStatus::Stalled => Status::Stalled,
        }
    }

    /// Impulses become `kept` times themselves and `share` times those of the last projection.
    fn add(&self, (share, kept): (f64, f64), impulses: &mut [f64]) {
        impulses.iter_mut().for_each(|impulse| *impulse *= kept);
        self.work.rows.iter().zip(&self.work.x).for_each(|(&row, x)| impulses[row] += share * x);
    }
}
