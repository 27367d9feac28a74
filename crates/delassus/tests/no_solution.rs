//! `no-solution` is said only where there is none: every case is confirmed by an
//! enumeration that shares nothing with the solvers.

mod common;

use common::Random;
use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Solutions, Status, Workspace,
    resolve_into,
};
use nalgebra::{DMatrix, DVector};

/// min ‖C y − q‖ over y ≥ 0, by the method of active sets (Lawson and Hanson).
fn distance_to_cone(c: &DMatrix<f64>, q: &DVector<f64>) -> f64 {
    let n = c.ncols();
    let mut free = vec![false; n];
    let mut y = DVector::zeros(n);
    for _ in 0..10 * n {
        let slope = c.transpose() * (q - c * &y);
        let Some(enter) =
            (0..n).filter(|&j| !free[j] && slope[j] > 1e-12).max_by(|&a, &b| slope[a].total_cmp(&slope[b]))
        else {
            break;
        };
        free[enter] = true;
        loop {
            let columns: Vec<usize> = (0..n).filter(|&j| free[j]).collect();
            let part = c.select_columns(&columns);
            let least = part.svd(true, true).solve(q, 1e-12).unwrap();
            if least.iter().all(|v| *v > 1e-14) {
                y.fill(0.0);
                columns.iter().zip(least.iter()).for_each(|(&j, v)| y[j] = *v);
                break;
            }
            let mut step = 1.0f64;
            for (&j, v) in columns.iter().zip(least.iter()).filter(|(_, v)| **v <= 1e-14) {
                step = step.min(y[j] / (y[j] - v).max(1e-300));
            }
            for (&j, v) in columns.iter().zip(least.iter()) {
                y[j] += step * (v - y[j]);
                if y[j] <= 1e-14 {
                    (y[j], free[j]) = (0.0, false);
                }
            }
        }
    }
    (q - c * &y).norm()
}

/// The distance of q from the nearest complementary cone of Newton's law: zero
/// iff the law has a solution. Contacts in the plane, no joints.
fn distance_from_solutions(problem: &ImpactProblem) -> f64 {
    let contacts = problem.contacts();
    let k = contacts.len();
    let order: Vec<usize> = contacts.iter().map(|c| c.normal).chain(contacts.iter().map(|c| c.normal + 1)).collect();
    let scale: Vec<f64> = order.iter().map(|&r| problem.operator().get(r, r).sqrt()).collect();
    let g = |i: usize, j: usize| problem.operator().get(order[i], order[j]) / (scale[i] * scale[j]);
    let b = DVector::from_fn(2 * k, |i, _| {
        let c = &contacts[i % k];
        let e = if i < k { c.restitution } else { c.restitution_tangential };
        (1.0 + e) * problem.gamma_minus()[order[i]] / scale[i]
    });
    let mu: Vec<f64> =
        (0..k).map(|i| contacts[i].friction.unwrap().coefficients()[0] * scale[k + i] / scale[i]).collect();
    // Unknowns z = (x_N, x_R, x_L, λ), x_T = x_R − x_L:
    // w = (ξ_N, ξ_T + λ, −ξ_T + λ, μ x_N − x_R − x_L).
    let a = DMatrix::from_fn(4 * k, 4 * k, |row, column| {
        let (i, j) = (row % k, column % k);
        let same = f64::from(u8::from(i == j));
        let side = [0.0, 1.0, -1.0];
        match (row / k, column / k) {
            (0, 0) => g(i, j),
            (0, s @ (1 | 2)) => side[s] * g(i, k + j),
            (s @ (1 | 2), 0) => side[s] * g(k + i, j),
            (r @ (1 | 2), s @ (1 | 2)) => side[r] * side[s] * g(k + i, k + j),
            (1 | 2, _) => same,
            (3, 0) => mu[i] * same,
            (3, 1 | 2) => -same,
            _ => 0.0,
        }
    });
    let size = b.amax();
    let q = DVector::from_fn(4 * k, |row, _| match row / k {
        0 => b[row] / size,
        1 => b[k + row % k] / size,
        2 => -b[k + row % k] / size,
        _ => 0.0,
    });
    let cones = (0..1u32 << (4 * k)).map(|choice| {
        let c = DMatrix::from_fn(4 * k, 4 * k, |i, j| match choice >> j & 1 {
            0 => f64::from(u8::from(i == j)),
            _ => -a[(i, j)],
        });
        distance_to_cone(&c, &q)
    });
    cones.fold(f64::INFINITY, f64::min)
}

/// Two contacts of a point or a body with integer data: dependent directions,
/// strong friction and unequal coefficients, so that contacts jam.
fn jamming(random: &mut Random) -> ImpactProblem {
    let mut integer = |most: f64| (random.next() * (most + 0.49)).round();
    let n = if integer(1.0) > 0.0 { 3 } else { 2 };
    loop {
        let velocity: Vec<f64> = (0..n).map(|_| integer(2.0)).collect();
        let mut data =
            ProblemData::new(Mass::diagonal((0..n).map(|_| integer(1.0) + 2.0).collect()).unwrap(), velocity);
        for name in ["A", "B"] {
            let mut direction = || (0..n).map(|_| integer(2.0)).collect::<Vec<f64>>();
            let contact = ContactData::new(name, direction()).tangent(direction());
            let contact = contact.friction(integer(2.0).abs() + 0.5).restitution(integer(2.0).abs() / 2.0);
            data.contacts.push(contact);
        }
        if let Ok(problem) = ImpactProblem::new(data)
            && problem.gamma_minus().iter().any(|g| *g != 0.0)
        {
            return problem;
        }
    }
}

/// Resolves `count` problems; compares every answer that is none with the enumeration.
fn confirm(count: usize) {
    let law = LawSpec::by_name("newton").unwrap();
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    let mut random = Random(20);
    let mut none = 0;
    for case in 0..count {
        let problem = jamming(&mut random);
        let statuses = [Solutions::First, Solutions::Preferred].map(|solutions| {
            let options = Options { solutions, ..Options::default() };
            resolve_into(&problem, &law, &options, &mut work, &mut outcome).unwrap();
            assert!(outcome.impulses().iter().all(|x| x.is_finite()), "case {case}");
            outcome.status()
        });
        if statuses == [Status::Solved; 2] {
            continue;
        }
        // Both agree, and there is none.
        let distance = distance_from_solutions(&problem);
        assert_eq!(statuses, [Status::NoSolution; 2], "case {case}: distance {distance:e}");
        assert!(distance > 1e-6, "case {case}: there is a solution, {distance:e}");
        none += 1;
    }
    println!("{none} of {count} have no solution");
    assert!(none * 100 >= count, "only {none} of {count}");
}

#[test]
fn every_case_is_confirmed_by_enumeration() {
    confirm(200);
}

#[test]
#[ignore = "half a minute with optimisation"]
fn every_case_of_many_is_confirmed_by_enumeration() {
    confirm(5000);
}

/// A chain of disks between two walls that close in: nobody can help it, with or without friction.
#[test]
fn a_squeezed_chain_has_none() {
    for (friction, count) in [(None, 40), (Some(0.5), 40), (Some(2.0), 3)] {
        let mut data = ProblemData::new(Mass::diagonal(vec![1.0; 3 * count]).unwrap(), vec![0.0; 3 * count]);
        for i in 0..=count {
            let (mut normal, mut tangent) = (vec![0.0; 3 * count], vec![0.0; 3 * count]);
            for (disk, side) in [(i.checked_sub(1), -1.0), (Some(i).filter(|&i| i < count), 1.0)] {
                let Some(disk) = disk else { continue };
                (normal[3 * disk], tangent[3 * disk + 1], tangent[3 * disk + 2]) = (side, side, -1.0);
            }
            let mut contact = ContactData::new(format!("C{i}"), normal);
            if let Some(friction) = friction {
                contact = contact.tangent(tangent).friction(friction);
            }
            // The left wall pushes to the right.
            contact.offset = if i == 0 { vec![-1.0; contact.tangents.len() + 1] } else { Vec::new() };
            data.contacts.push(contact);
        }
        let problem = ImpactProblem::new(data).unwrap();
        for law in ["newton", "moreau", "poisson"] {
            let mut outcome = ImpactOutcome::default();
            let law = LawSpec::by_name(law).unwrap();
            let options = Options { solutions: Solutions::First, ..Options::default() };
            resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut outcome).unwrap();
            assert_eq!(outcome.status(), Status::NoSolution, "{friction:?}, {}", law.name());
        }
    }
}
