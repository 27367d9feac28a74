//! One contact after the other.

mod limit;

use super::inclusion::{speed, warn_of_active};
use super::{About, Buffers, Choice, Field, ImpactLaw, Refusal};
use crate::answer::{Alternative, LawAnswer, Options, Status, Uniqueness};
use crate::budget::Budget;
use crate::problem::{Contact, ElementKind, ImpactProblem};
use crate::solve::tolerance::{BLOCKED, RESIDUAL};
use crate::solve::{self, Cone, Inclusion, SolveStatus, SolveWork};
use limit::Rounds;

/// A sequence of single collisions.
///
/// ```text
/// while a contact approaches (γ_N < 0):
///     take the fastest (or the first in the file)
///     resolve it alone by Newton's law (ε_N, ε_T, μ), with all joints and clutches
/// ```
///
/// Assumes that the contacts do not act at the same time.
///
/// Known failures: the result depends on the order; where contacts tie, the sequence also runs with ties broken
/// the other way, and the answer says whether u⁺ differs. It may need endlessly
/// many collisions (ε < 1 between heavy neighbours). Where these repeat in rounds
/// that shrink by one ratio, the answer is their limit, and a warning says
/// so; otherwise the sequence stops after 10⁵ collisions with a status. Every collision can gain energy as Newton's law does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sequential {
    /// Which of several approaching contacts collides first.
    pub order: Order,
}

/// Which of several approaching contacts collides first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The one that approaches fastest; of equal ones the first in the file.
    #[default]
    Fastest,
    /// The first in the file.
    Listed,
}

impl Choice for Order {
    const ALL: &'static [Self] = &[Self::Fastest, Self::Listed];

    fn as_str(self) -> &'static str {
        match self {
            Self::Fastest => "fastest",
            Self::Listed => "listed",
        }
    }
}

/// Approach speeds below this, relative to the largest at first, are zero;
/// closer ones tie.
const ZERO: f64 = 1e-12;
/// Times the certified tolerance within which the order of two collisions is in doubt. One
/// collision does not make an error of the velocity larger, in the kinetic metric, where no
/// energy is gained.
const NEAR: f64 = 2.0;
/// Velocities that have grown by this factor grow without end.
const GROWTH: f64 = 1e30;
/// Approach speeds up to this, relative to the largest velocity, may be too small for a collision to change.
const UNRESOLVED: f64 = 1e-9;
/// Collisions before the sequence is given up.
const COLLISIONS: usize = 100_000;

/// Buffers of the sequence.
#[derive(Debug, Clone, Default)]
pub(crate) struct SequenceWork {
    gamma: Vec<f64>,
    reversed: Vec<f64>,
    rows: Vec<usize>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    cones: Vec<Cone>,
    x: Vec<f64>,
    velocity: Vec<f64>,
    /// The largest speed of the system.
    speed: f64,
    solver: SolveWork,
    rounds: Rounds,
    rest: Vec<f64>,
}

/// How a sequence ended.
#[derive(Debug, Clone, Copy)]
struct Run {
    status: Status,
    collisions: usize,
    /// Contacts tied.
    tied: bool,
    /// Whether it was given up because velocities grow without end.
    grows: bool,
    /// Where rounds without end were summed up: collisions in a round, and the ratio by which rounds shrink.
    rounds: Option<(usize, f64)>,
    /// Contacts tied but for less than the certified tolerance.
    close: bool,
}

impl ImpactLaw for Sequential {
    fn about(&self) -> About {
        About { name: "sequential", summary: "One contact after the other, each by Newton's law", citation: "PG 2005" }
    }

    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        each(Field::word("order", &mut self.order).doc("Which of several approaching contacts collides first."));
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        super::Newton::default().check(problem)
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        let inclusion = &mut work.inclusion;
        let work = &mut work.sequence;
        let mut budget = Budget::new(&options.limits);
        let run = self.run(problem, false, &mut budget, work, &mut answer.impulses);
        answer.status = run.status;
        answer.stats.events = run.collisions;
        warn_of_active(problem, None, answer);
        if run.grows {
            answer.warnings.push("each round of collisions adds energy: the sequence does not end".into());
        } else if run.status == Status::MaxIterations {
            answer.give_up(&budget, run.collisions);
        }
        if let Some((period, ratio)) = run.rounds {
            answer.warnings.push(format!(
                "the collisions go on without end, in rounds of {period} whose impulses shrink by the factor {ratio}: \
                 this is their limit"
            ));
        }
        if run.status != Status::Solved {
            return;
        }
        // Rounds that hardly shrink are summed up with a loss of as many digits.
        let endless = run.rounds.is_some_and(|(_, ratio)| 1.0 - ratio < BLOCKED);
        if !run.tied && !run.close {
            let frictionless = problem.contacts().iter().all(|c| c.friction.is_none_or(|f| f.is_zero()));
            let gains = problem.elements().iter().any(|e| e.kind != ElementKind::Friction && e.restitution.abs() > 1.0);
            if frictionless && !gains && !endless && !problem.elements().iter().any(|e| e.kind == ElementKind::Clutch) {
                answer.uniqueness = Uniqueness::Proved("no two contacts tie");
            }
            return;
        }
        let mut reversed = std::mem::take(&mut work.reversed);
        reversed.clear();
        reversed.resize(problem.rows(), 0.0);
        let second = self.run(problem, true, &mut Budget::new(&options.limits), work, &mut reversed);
        let words = if run.tied { "contacts tie" } else { "contacts tie but for less than is certified" };
        if second.status != Status::Solved {
            answer.warnings.push(format!("{words}, and the other order of collisions was not followed to its end"));
        } else if !inclusion.same_velocity(problem, &answer.impulses, &reversed) {
            answer.uniqueness = Uniqueness::Several { found: 2, complete: false };
            answer.alternatives.push(Alternative { impulses: reversed.clone(), ..Alternative::default() });
            answer.warnings.push(format!("{words}, and the other order of collisions gives another velocity"));
        }
        work.reversed = reversed;
    }
}

impl Sequential {
    fn run(
        &self,
        problem: &ImpactProblem,
        reverse: bool,
        budget: &mut Budget<'_>,
        work: &mut SequenceWork,
        impulses: &mut [f64],
    ) -> Run {
        let mut run =
            Run { status: Status::Solved, collisions: 0, tied: false, close: false, grows: false, rounds: None };
        // A small solve, and the velocities of all rows.
        let multiplications = 100.0 + 3.0 * problem.rows() as f64;
        work.gamma.clear();
        work.gamma.extend_from_slice(problem.gamma_minus());
        if let Some(change) = problem.external_relative_change() {
            work.gamma.iter_mut().zip(change).for_each(|(g, c)| *g += c);
        }
        let normals = problem.contacts().iter().map(|c| work.gamma[c.normal].abs());
        let mut zero = ZERO * normals.fold(0.0f64, f64::max);
        let g = problem.operator();
        let scale = |row: usize| g.get(row, row).sqrt();
        let fastest = (0..problem.rows()).fold(0.0f64, |m, i| m.max(work.gamma[i].abs() / scale(i)));
        let endless = GROWTH * work.gamma.iter().fold(0.0f64, |m, g| m.max(g.abs()));
        work.rounds.reset();
        work.speed = speed(problem, &mut work.velocity);
        // Joints and clutches answer the external impulse before the first collision.
        if problem.external_impulse().is_some()
            && let Err(status) = work.collide(problem, None, budget, impulses)
        {
            run.status = status;
            return run;
        }
        let near = NEAR * RESIDUAL * work.speed;
        while let Some(contact) = self.next(problem, &work.gamma, (zero, near), reverse, &mut run) {
            run.grows = work.gamma.iter().any(|g| g.abs() > endless);
            let most = run.collisions == COLLISIONS && !budget.is_set() || budget.is_worn();
            if run.grows || most || !budget.take(multiplications) {
                run.status = Status::MaxIterations;
                return run;
            }
            run.collisions += 1;
            if let Err(status) = work.collide(problem, Some(contact), budget, impulses) {
                run.status = status;
                return run;
            }
            if work.x.iter().all(|x| *x == 0.0) {
                // So slow an approach that it is none for the solver.
                let row = problem.contacts()[contact].normal;
                let speed = -work.gamma[row];
                if speed > UNRESOLVED * scale(row) * fastest {
                    run.status = Status::Stalled;
                    return run;
                }
                zero = zero.max(speed);
            }
            let SequenceWork { rounds, rows, x, rest, gamma, .. } = work;
            if let Some((period, ratio)) = rounds.watch(contact, (rows, x), scale, impulses) {
                rounds.rest(ratio, rest);
                for (row, &x) in rest.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                    impulses[row] += x;
                    g.for_row(row, |j, g| gamma[j] += g * x);
                }
                run.rounds = run.rounds.or(Some((period, ratio)));
            }
        }
        run
    }

    /// The contact that collides next, if any approaches.
    /// `near` is the error of a velocity, in the kinetic metric, within which the order is in doubt.
    fn next(
        &self,
        problem: &ImpactProblem,
        gamma: &[f64],
        (zero, near): (f64, f64),
        reverse: bool,
        run: &mut Run,
    ) -> Option<usize> {
        let contacts = problem.contacts();
        // An error of the velocity changes an approach speed by its part along the direction.
        let size = |i: usize| problem.scales()[contacts[i].element];
        // A joint that moves answers the next collision, however weak that is: whether there is
        // one must not be in doubt.
        let joints = problem.elements().iter().zip(problem.scales()).filter(|(e, _)| e.kind == ElementKind::Joint);
        let mut rows = joints.flat_map(|(e, scale)| e.rows.clone().map(move |row| (row, scale)));
        if rows.any(|(row, scale)| gamma[row].abs() > near * scale) {
            let clear = |(i, c): (usize, &Contact)| -gamma[c.normal] > near * size(i);
            let possible = |(i, c): (usize, &Contact)| -gamma[c.normal] > -near * size(i);
            run.close |= contacts.iter().enumerate().any(possible) && !contacts.iter().enumerate().any(clear);
        }
        let mut approaching =
            contacts.iter().enumerate().map(|(i, c)| (i, -gamma[c.normal])).filter(|&(_, speed)| speed > zero);
        if self.order == Order::Listed {
            return approaching.next().map(|(i, _)| i);
        }
        let fastest = approaching.clone().map(|(_, speed)| speed).fold(0.0, f64::max);
        let mut ties = approaching.clone().filter(|&(_, speed)| speed >= fastest - zero).map(|(i, _)| i);
        let first = ties.next()?;
        let last = ties.next_back();
        run.tied |= last.is_some();
        let doubt = |i: usize| near * (size(i) + size(first));
        let other =
            approaching.filter(|&(i, speed)| i != first && speed >= fastest - doubt(i)).map(|(i, _)| i).next_back();
        run.close |= other.is_some();
        Some(if reverse { last.or(other).unwrap_or(first) } else { first })
    }
}

impl SequenceWork {
    /// Newton's law for one contact (or none) with all joints and clutches.
    ///
    /// # Errors
    /// Why that has no solution, or none was found.
    fn collide(
        &mut self,
        problem: &ImpactProblem,
        contact: Option<usize>,
        budget: &mut Budget<'_>,
        impulses: &mut [f64],
    ) -> Result<(), Status> {
        self.rows.clear();
        self.vector.clear();
        self.cones.clear();
        for element in problem.elements() {
            let takes_part = element.contact.is_none() || element.contact == contact;
            if !takes_part {
                continue;
            }
            let start = self.rows.len();
            for row in element.rows.clone() {
                self.rows.push(row);
                self.vector.push((1.0 + element.restitution) * self.gamma[row]);
            }
            let friction =
                element.contact.and_then(|c| problem.contacts()[c].friction).map_or([0.0; 2], |f| f.coefficients());
            match element.kind {
                ElementKind::Normal | ElementKind::Clutch => self.cones.push(Cone::Unilateral { row: start }),
                ElementKind::Joint => self.cones.extend((start..self.rows.len()).map(|row| Cone::Free { row })),
                ElementKind::Friction if element.rows.len() == 1 => {
                    self.cones.push(Cone::Line { row: start, normal: start - 1, friction: friction[0], shift: 0.0 });
                }
                ElementKind::Friction => {
                    self.cones.push(Cone::Ellipse { row: start, normal: start - 1, friction, shift: 0.0 });
                }
            }
        }
        self.matrix.clear();
        for &i in &self.rows {
            self.matrix.extend(self.rows.iter().map(|&j| problem.operator().get(i, j)));
        }
        let (vector, cones) = (&self.vector, &self.cones);
        let inclusion = Inclusion { matrix: &self.matrix, vector, cones, speed: self.speed };
        self.x.clear();
        self.x.resize(self.rows.len(), 0.0);
        let report = solve::solve_within(&inclusion, budget, &mut self.solver, &mut self.x);
        match report.status {
            SolveStatus::Solved => {}
            SolveStatus::NoSolution => return Err(Status::NoSolution),
            SolveStatus::MaxIterations => return Err(Status::MaxIterations),
            SolveStatus::Stalled => return Err(Status::Stalled),
        }
        for (&row, &x) in self.rows.iter().zip(&self.x) {
            if x != 0.0 {
                impulses[row] += x;
                problem.operator().for_row(row, |j, g| self.gamma[j] += g * x);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactData, ImpactOutcome, LawSpec, Mass, ProblemData, resolve};

    /// A chain of balls, each touching the next.
    fn chain(masses: &[f64], velocity: &[f64], restitution: f64) -> ImpactProblem {
        let n = masses.len();
        let mut data = ProblemData::new(Mass::diagonal(masses.to_vec()).unwrap(), velocity);
        for k in 0..n - 1 {
            let mut normal = vec![0.0; n];
            (normal[k], normal[k + 1]) = (-1.0, 1.0);
            data = data.with_contact(ContactData::new(format!("C{k}"), normal).restitution(restitution));
        }
        ImpactProblem::new(data).unwrap()
    }

    /// Two masses above each other falling on the ground.
    fn stack(masses: [f64; 2]) -> ImpactProblem {
        let mass = Mass::diagonal(masses.to_vec()).unwrap();
        let ground = ContactData::new("ground", [1.0, 0.0]).restitution(1.0);
        let between = ContactData::new("between", [-1.0, 1.0]).restitution(1.0);
        let data = ProblemData::new(mass, [-1.0, -1.0]).with_contact(ground).with_contact(between);
        ImpactProblem::new(data).unwrap()
    }

    fn sequential(problem: &ImpactProblem) -> ImpactOutcome {
        resolve(problem, &LawSpec::Sequential(Sequential::default())).unwrap()
    }

    fn assert_result(problem: &ImpactProblem, u_plus: &[f64], collisions: usize) {
        let outcome = sequential(problem);
        assert_eq!(outcome.answer.stats.events, collisions);
        for (u, expected) in outcome.u_plus.iter().zip(u_plus) {
            assert!((u - expected).abs() < 1e-14, "{:?} instead of {u_plus:?}", outcome.u_plus);
        }
    }

    #[test]
    fn chains_and_stacks() {
        let first = |n: usize| [&[1.0][..], &vec![0.0; n - 1]].concat();
        assert_result(&chain(&[1.0; 3], &first(3), 1.0), &[0.0, 0.0, 1.0], 2);
        assert_result(&chain(&[1.0; 5], &first(5), 1.0), &[0.0, 0.0, 0.0, 0.0, 1.0], 4);
        assert_result(&chain(&[1.0; 3], &first(3), 0.5), &[0.203125, 0.234375, 0.5625], 3);
        let five = [0.15386962890625, 0.16717529296875, 0.177978515625, 0.1845703125, 0.31640625];
        assert_result(&chain(&[1.0; 5], &first(5), 0.5), &five, 10);
        assert_result(&stack([3.0, 1.0]), &[0.0, 2.0], 2);
        assert_result(&stack([1.0, 3.0]), &[1.0, 1.0], 5);
    }

    #[test]
    fn ties_are_run_both_ways() {
        let problem = chain(&[1.0, 3.0, 1.0], &[1.0, 0.0, -1.0], 1.0);
        assert_result(&problem, &[-0.5, -0.25, 1.25], 2);
        let outcome = sequential(&problem);
        assert_eq!(outcome.answer.uniqueness, Uniqueness::Several { found: 2, complete: false });
        let mut u = Vec::new();
        problem.apply_impulses(&outcome.answer.alternatives[0].impulses, &mut u);
        for (u, expected) in u.iter().zip([-1.25, 0.25, 0.5]) {
            assert!((u - expected).abs() < 1e-14);
        }
        // The same tie between equal masses makes no difference.
        let equal = sequential(&chain(&[1.0; 3], &[1.0, 0.0, -1.0], 1.0));
        assert!(equal.answer.alternatives.is_empty());
    }

    #[test]
    fn listed_order_takes_the_first_in_the_file() {
        let problem = chain(&[1.0, 3.0, 1.0], &[1.0, 0.0, -2.0], 1.0);
        let listed = LawSpec::Sequential(Sequential { order: Order::Listed });
        let listed = resolve(&problem, &listed).unwrap();
        let fastest = sequential(&problem);
        assert!((listed.u_plus[0] - fastest.u_plus[0]).abs() > 0.01);
    }

    #[test]
    fn rounds_without_end_are_summed_up() {
        // A light ball between two heavy ones: as many collisions as the mass ratio, until all move alike.
        for (masses, e) in [([1e6, 1.0, 1e6], 0.5), ([1e6, 1.0, 3e6], 0.5), ([1e7, 1.0, 1e5], 0.9)] {
            let problem = chain(&masses, &[1.0, 0.0, -1.0], e);
            let outcome = sequential(&problem);
            assert_eq!(outcome.answer.status, Status::Solved, "{masses:?}: {:?}", outcome.u_plus);
            assert!(outcome.answer.stats.events < 10_000, "{:?}", outcome.answer.stats);
            assert!(outcome.answer.warnings.iter().any(|w| w.contains("without end")), "{:?}", outcome.answer.warnings);
            let common = (masses[0] - masses[2]) / masses.iter().sum::<f64>();
            for u in &outcome.u_plus {
                assert!((u - common).abs() < 1e-9, "{:?} instead of {common}", outcome.u_plus);
            }
        }
    }

    #[test]
    fn an_approach_too_slow_for_the_solver_is_none() {
        // The normals approach ever more slowly while the surfaces slide fast.
        let mass = Mass::diagonal(vec![0.005, 0.01, 0.01, 0.01]).unwrap();
        let first = ContactData::new("A", [1.0, -1.0, 0.0, 0.0]);
        let second = ContactData::new("B", [0.0, 1.0, 0.0, -1.0]).tangent([0.0, 0.0, 1.0, 1.0]).friction(0.1);
        let data = ProblemData::new(mass, [0.5, 1.0, 0.5, 1.0]).with_contact(first).with_contact(second);
        let outcome = sequential(&ImpactProblem::new(data).unwrap());
        assert_eq!(outcome.answer.status, Status::Solved);
        assert!(outcome.answer.stats.events < 50, "{:?}", outcome.answer.stats);
        // The limit: three equal velocities, and the slide loses a tenth of the impulse in B.
        let [u, v] = [47.5 / 53.0, 26.0 / 53.0];
        for (found, expected) in outcome.u_plus.iter().zip([u, u, v, u]) {
            assert!((found - expected).abs() < 1e-11, "{:?}", outcome.u_plus);
        }
    }

    #[test]
    fn endless_sequences_end_with_a_status() {
        // A light ball between two heavy ones that close in on it.
        let problem = chain(&[1e12, 1.0, 1e12], &[1.0, 0.0, -1.0], 1.0);
        let outcome = sequential(&problem);
        assert_eq!(outcome.answer.status, Status::MaxIterations);
        assert_eq!(outcome.answer.stats.events, COLLISIONS);
    }
}
