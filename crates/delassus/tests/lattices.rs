//! Lattices of disks: many planar contacts at once, all with friction.
//!
//! Under Moreau's law, and in both phases of Poisson's, a solution always exists:
//! b lies in the range of G. So an answer must be found.

mod common;

use common::Random;
use delassus::{
    Certificate, ContactData, Direction, ImpactOutcome, ImpactProblem, LawSpec, Limits, Mass, Options, ProblemData,
    Solutions, Status, Stop, Uniqueness, Workspace, resolve_into,
};

fn between(random: &mut Random, least: f64, most: f64) -> f64 {
    least + 0.5 * (random.next() + 1.0) * (most - least)
}

/// A triangular lattice of equal disks on a ground, with contacts between all
/// neighbours. Masses, friction and velocities are drawn at random; with `ties`
/// only velocities are, from −1, 0 and 1, so that many things happen at once.
fn lattice(random: &mut Random, rows: usize, columns: usize, ties: bool) -> ImpactProblem {
    let disk = |i: usize, j: usize| 3 * (i * columns + j);
    let coordinates = 3 * rows * columns;
    let mut mass = Vec::with_capacity(coordinates);
    for _ in 0..rows * columns {
        let m = if ties { 1.0 } else { between(random, 0.5, 2.0) };
        mass.extend([m, m, 0.5 * m]);
    }
    let velocity: Vec<f64> = (0..coordinates).map(|_| between(random, -1.5, 1.5)).collect();
    let velocity: Vec<f64> = velocity.into_iter().map(|v| if ties { v.round() } else { v }).collect();
    let mut data = ProblemData::new(Mass::diagonal(mass).unwrap(), velocity);
    let mut touch = |random: &mut Random, from: Option<usize>, to: usize, [x, y]: [f64; 2]| {
        // Unit radii: n points from the one to the other, t is n turned; both spins move the surfaces along t.
        let ends = from.map(|at| (at, -1.0)).into_iter().chain([(to, 1.0)]);
        let along = |d: [f64; 2], spin: f64| -> Direction {
            let entries =
                ends.clone().flat_map(|(at, side)| [(at, side * d[0]), (at + 1, side * d[1]), (at + 2, spin)]);
            Direction::Sparse(entries.filter(|(_, v)| *v != 0.0).collect())
        };
        let name = format!("C{}", data.contacts.len());
        let contact = ContactData::new(name, along([x, y], 0.0)).tangent(along([-y, x], -1.0));
        data.contacts.push(contact.friction(if ties { 0.5 } else { between(random, 0.0, 1.0) }).restitution(0.5));
    };
    let slant = 0.75f64.sqrt();
    for i in 0..rows {
        for j in 0..columns {
            if i == 0 {
                touch(random, None, disk(0, j), [0.0, 1.0]);
            }
            if j + 1 < columns {
                touch(random, Some(disk(i, j)), disk(i, j + 1), [1.0, 0.0]);
            }
            if i + 1 < rows {
                // Odd rows are shifted by half a disk to the right.
                let left = if i % 2 == 0 { j.checked_sub(1) } else { Some(j) };
                let right = Some(left.map_or(0, |left| left + 1)).filter(|&right| right < columns);
                for (above, x) in [(left, -0.5), (right, 0.5)] {
                    if let Some(above) = above {
                        touch(random, Some(disk(i, j)), disk(i + 1, above), [x, slant]);
                    }
                }
            }
        }
    }
    ImpactProblem::new(data).unwrap()
}

/// Solves `count` lattices under both laws.
fn all_are_solved(count: u64, rows: usize, columns: usize, ties: bool) {
    let options = Options { solutions: Solutions::First, ..Options::default() };
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    for seed in 0..count {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed.wrapping_mul(0x0100_0000_01b3));
        let problem = lattice(&mut random, rows, columns, ties);
        for law in ["moreau", "poisson"] {
            let law = LawSpec::by_name(law).unwrap();
            resolve_into(&problem, &law, &options, &mut work, &mut outcome).unwrap();
            let case = format!("seed {seed}, {} contacts, {}", problem.contacts().len(), law.name());
            assert_eq!(outcome.status(), Status::Solved, "{case}: {:?}", outcome.certificate);
            assert!(outcome.certificate.inclusion.unwrap() <= Certificate::TOLERANCE, "{case}");
        }
    }
}

/// Any limit ends the search with the best so far.
#[test]
fn limits_end_the_search() {
    // Large enough for the question whether to stop to come before the answer.
    let problem = lattice(&mut Random(7), 12, 12, false);
    let stop = || Stop::new("the time limit of 0 s", || true);
    for (limits, words) in [
        (Limits { iterations: Some(6), ..Limits::default() }, "the limit of 6 iterations was reached"),
        (Limits { stop: Some(stop()), ..Limits::default() }, "the time limit of 0 s was reached"),
    ] {
        for law in ["newton", "moreau", "poisson"] {
            let options = Options { limits: limits.clone(), ..Options::default() };
            let (law, mut outcome) = (LawSpec::by_name(law).unwrap(), ImpactOutcome::default());
            resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut outcome).unwrap();
            assert_eq!(outcome.status(), Status::MaxIterations);
            assert_eq!(outcome.reason.as_deref(), Some(words));
            assert!(outcome.answer.stats.iterations <= 30, "{:?}", outcome.answer.stats);
            assert_eq!(outcome.answer.uniqueness, Uniqueness::Unknown);
            assert!(outcome.impulses().iter().chain(&outcome.u_plus).all(|v| v.is_finite()));
            assert!(outcome.certificate.inclusion.is_some_and(|r| r.is_finite() && r > Certificate::TOLERANCE));
        }
    }
}

#[test]
fn lattices_of_60_contacts() {
    all_are_solved(6, 4, 6, false);
    all_are_solved(6, 4, 6, true);
}

/// Where round-off is left to gather in Lemke's dictionary, or ties to be decided
/// by it, some of these cycle or end on a ray that is none. Run last on
/// 16 November 2026: all solved, at most 7851 pivots, half a minute.
#[test]
#[ignore = "a minute with optimisation"]
fn lattices_of_300_contacts() {
    all_are_solved(15, 9, 12, false);
    all_are_solved(8, 9, 12, true);
}
