//! Newton's method on laws without corners that become Coulomb's step by step (see [`smooth`](super::smooth)).
//!
//! From much smoothing to none is a path. Where bodies touch flat, by several points at once, it is short: some ten steps
//! of Newton's method for a wall, whatever its size, and hardly any is not a full one. Where contacts can hold each other in
//! several ways the path turns back (packings of spheres with strong friction); it is left there.

use super::Method;
use super::driver::{Group, Work, copy, keep, put_back};
use crate::budget::Budget;

/// Largest smoothing, in the unit of velocities, and least.
const MOST: f64 = 1.0;
const LEAST: f64 = 1e-10;
/// The first smoothing, relative to the residual of the start.
const FIRST: f64 = 10.0;
/// Weight of the proximal term, relative to the smoothing.
const WEIGHT: f64 = 0.1;
/// Newton steps at one smoothing.
const INNER: usize = 12;
/// How a path is followed.
#[derive(Clone, Copy)]
struct Pace {
    /// How near the path is to be, relative to the smoothing, before there is less of it.
    near: f64,
    /// Smoothing from which on the laws themselves are tried.
    close: f64,
}

/// In few steps, as long as that succeeds.
const LOOSELY: Pace = Pace { near: 1.0, close: 2e-4 };
/// Where it does not, where steps are cheap, and from `LARGE` contacts on: from farther away the next point is out of reach of
/// Newton's method in large walls, however little is missing in the laws themselves.
const CLOSELY: Pace = Pace { near: 0.1, close: 3e-5 };
const LARGE: usize = 3000;
/// Steps of the first try of the laws themselves.
const TRY: usize = 3;
/// Smoothings that Newton's method does not solve until the path is left, and what follows each: more smoothing and weight.
const FAILURES: usize = 4;
const BACK: (f64, f64) = (1.5, 4.0);
/// A residual that shrinks by this counts as progress.
const PROGRESS: f64 = 0.7;
/// Contacts of a group from which on it is looked at whether bodies touch flat.
const MANY: usize = 200;

impl<const D: usize> Work<'_, D> {
    /// Follows the path until it ends or turns back.
    pub(super) fn smoothing(&mut self, group: &mut Group<'_>, budget: &mut Budget<'_>, r: &mut [f64]) {
        self.order(group);
        self.newton.set_patient(true);
        let (mut delta, mut weight) = ((FIRST * group.residual).clamp(LEAST, MOST), WEIGHT);
        let (mut total, mut failures, mut start) = (0, 0, Vec::new());
        let closely = self.newton.is_by_bodies() || group.contacts.len() >= LARGE;
        let mut pace = if closely { CLOSELY } else { LOOSELY };
        while group.residual > group.target && delta >= LEAST && failures < FAILURES && !self.has_spent(budget) {
            keep::<D>(group.contacts, r, &mut start);
            copy::<D>(group.contacts, r, &mut self.newton.centre);
            let before = group.residual;
            (self.newton.delta, self.newton.epsilon) = (delta, weight * delta);
            (self.newton.regular, self.newton.forcing) = (1e-9, 1e-2);
            let Self { system, newton, u, .. } = self;
            let end = newton.run(system, group.contacts, pace.near * delta, INNER, 0, budget, r, u);
            (self.newton.delta, self.newton.epsilon) = (0.0, 0.0);
            total += end.iterations;
            self.account(end.iterations);
            self.measure(group, r);
            if end.residual > pace.near * delta {
                if group.residual > PROGRESS * before {
                    put_back::<D>(group.contacts, &start, r);
                    self.measure(group, r);
                    failures += 1;
                    pace = CLOSELY;
                    (delta, weight) = (BACK.0 * delta, BACK.1 * weight);
                }
                continue;
            }
            if delta < pace.close {
                Self::note(group, Method::Smoothing, std::mem::take(&mut total));
                let before = group.residual;
                self.newton(group, 1e-6, TRY, 0, budget, r);
                if group.residual < 0.3 * before {
                    self.newton(group, 1e-6, INNER, 0, budget, r);
                }
            }
            delta *= match end.iterations {
                0..=2 => 0.2,
                3..=5 => 0.3,
                _ => 0.5,
            };
        }
        self.newton.set_patient(false);
        Self::note(group, Method::Smoothing, total);
    }

    /// Whether most contacts of a large group in space have another one between the same bodies, that is one which couples with
    /// the same contacts.
    pub(super) fn touch_flat(&self, contacts: &[u32]) -> bool {
        let row = |i: u32| self.system.problem.matrix.row(i as usize).0;
        let twin = |i: u32| row(i).iter().any(|&j| j != i && row(j).len() == row(i).len() && row(j) == row(i));
        D == 3 && contacts.len() >= MANY && 2 * contacts.iter().filter(|&&i| twin(i)).count() > contacts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ContactProblem, ContactSettings, ContactSide, Report, solve};
    use super::*;
    use crate::solve::SolveStatus;

    /// Unit cubes above one another on the ground, each touched at its four lower corners, with these velocities of fall.
    fn column(fall: &[f64], friction: f64) -> ContactProblem {
        let mut inverse = vec![0.0; 36 * fall.len()];
        for body in inverse.chunks_exact_mut(36) {
            (0..6).for_each(|k| body[7 * k] = if k < 3 { 1.0 } else { 6.0 });
        }
        // Rows: up, and both level directions, with their moments about the centre.
        let corner = |k: usize, up: f64, sign: f64| -> Vec<f64> {
            let [x, y] = [if k.is_multiple_of(2) { -0.5 } else { 0.5 }, if k < 2 { -0.5 } else { 0.5 }];
            let rows = [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, up, -y], [0.0, 1.0, 0.0, -up, 0.0, x]];
            rows.iter().flatten().map(|v| sign * v).collect()
        };
        let directions: Vec<[Vec<f64>; 2]> = (0..4).map(|k| [corner(k, -0.5, 1.0), corner(k, 0.5, -1.0)]).collect();
        let sides = |i: usize| {
            let [above, below] = &directions[i % 4];
            let body = i / 4;
            let lower = body.checked_sub(1).map(|body| ContactSide { body, directions: below });
            [Some(ContactSide { body, directions: above }), lower]
        };
        let matrix = ContactProblem::delassus(3, 4 * fall.len(), 6, &inverse, sides);
        let approach = |i: usize| if i < 4 { -fall[0] } else { fall[i / 4 - 1] - fall[i / 4] };
        let vector = (0..4 * fall.len()).flat_map(|i| [approach(i), 0.0, 0.0]).collect();
        ContactProblem::coulomb(matrix, vector, &vec![friction; 4 * fall.len()])
    }

    fn solved(problem: &ContactProblem, method: Method) -> (Report, Vec<f64>) {
        let (settings, mut r) = (ContactSettings { method, ..ContactSettings::default() }, Vec::new());
        let report = solve(problem, &settings, &mut Budget::unlimited(), &mut r).unwrap();
        (report, r)
    }

    /// All cubes stop: each bed carries the momentum of the cubes above it.
    #[test]
    fn a_column_of_cubes_stops() {
        let fall: Vec<f64> = (0..60).map(|k| 1.0 + 0.1 * (k % 7) as f64).collect();
        let problem = column(&fall, 0.5);
        for method in [Method::Auto, Method::Smoothing] {
            let (report, r) = solved(&problem, method);
            assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
            assert!(report.stages.iter().any(|stage| stage.method == Method::Smoothing), "{report:?}");
            for bed in 0..60 {
                let momentum: f64 = fall[bed..].iter().sum();
                let carried: f64 = (0..4).map(|k| r[12 * bed + 3 * k]).sum();
                assert!((carried - momentum).abs() < 1e-5 * momentum, "bed {bed}: {carried} instead of {momentum}");
            }
        }
    }

    /// Linear systems by bodies and by contacts lead to the same velocities; a matrix that is changed forgets its bodies.
    #[test]
    fn systems_by_bodies_are_those_of_the_contacts() {
        let fall: Vec<f64> = (0..60).map(|k| 1.0 + 0.1 * (k % 7) as f64).collect();
        let problem = column(&fall, 0.5);
        assert!(problem.matrix.sides.is_some());
        let mut other = problem.clone();
        other.matrix.add(0, 0, [0.0; 9].into_iter());
        assert!(other.matrix.sides.is_none() && other == problem);
        let velocities = [&problem, &other].map(|problem| {
            let (report, r) = solved(problem, Method::Smoothing);
            assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
            let mut u = Vec::new();
            problem.velocity(&r, &mut u);
            u
        });
        assert!(velocities[0].iter().zip(&velocities[1]).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    /// Few contacts, or contacts that have their bodies for themselves, go other ways.
    #[test]
    fn flat_contacts_are_told_from_others() {
        let ways = |cubes: usize| solved(&column(&vec![1.0; cubes], 0.5), Method::Auto).0.stages;
        assert!(ways(5).iter().all(|stage| stage.method != Method::Smoothing));
    }
}
