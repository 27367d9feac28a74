//! The block-sparse contact solver, checked by residuals written again here, by the dense solvers, and by other
//! orders, axes and units of the same problems.

mod common;
#[path = "common/packing.rs"]
mod packing;
#[path = "common/published_error.rs"]
mod published_error;

use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Case, spatial_cones};
use delassus::solve::contact::{
    Alone, BlockMatrix, ContactLaw, ContactProblem, ContactSettings, ContactSide, Method, Pool, Report,
    solve as solve_contacts, solve_on,
};
use delassus::solve::{Cone, SolveStatus, SolveWork, solve};
use delassus::{Budget, Limits, Stop};
use packing::{Packing, random};
use published_error::norm;

/// The published error, with u entry by entry from `get`.
fn published_error(problem: &ContactProblem, r: &[f64]) -> f64 {
    let entry = |i: usize| problem.vector[i] + (0..r.len()).map(|j| problem.matrix.get(i, j) * r[j]).sum::<f64>();
    published_error::published_error(problem, r, &(0..r.len()).map(entry).collect::<Vec<_>>())
}

fn answer(problem: &ContactProblem, method: Method) -> (Report, Vec<f64>) {
    let mut r = Vec::new();
    let settings = ContactSettings { method, ..ContactSettings::default() };
    let report = solve_contacts(problem, &settings, &mut Budget::unlimited(), &mut r).unwrap();
    (report, r)
}

#[test]
fn packings_are_solved_by_every_method_that_says_so() {
    for (seed, friction) in [(1, 0.0), (2, 0.1), (3, 0.3)] {
        let problem = Packing::spheres(150, seed).problem(friction);
        for method in Method::ALL {
            let (report, r) = answer(&problem, method);
            let error = published_error(&problem, &r);
            assert!((error - report.residual.natural).abs() <= 1e-3 * error + 1e-14, "{error} {report:?}");
            assert_eq!(report.status == SolveStatus::Solved, report.residual.worst() <= 1e-8, "{report:?}");
            if method == Method::Auto {
                assert_eq!(report.status, SolveStatus::Solved, "friction {friction}: {report:?}");
            }
        }
    }
}

/// G from bodies is D M⁻¹ Dᵀ, entry by entry.
#[test]
fn blocks_from_bodies_are_the_dense_product() {
    let packing = Packing::spheres(60, 5);
    let problem = packing.problem(0.3);
    let rows = problem.vector.len();
    let mut dense = vec![vec![0.0; 6 * packing.bodies()]; rows];
    for contact in 0..problem.contacts() {
        for side in packing.sides(contact).into_iter().flatten() {
            for (k, direction) in side.directions.chunks_exact(6).enumerate() {
                dense[3 * contact + k][6 * side.body..6 * side.body + 6].copy_from_slice(direction);
            }
        }
    }
    for i in 0..rows {
        for j in 0..rows {
            let product: f64 = (0..dense[0].len()).map(|c| dense[i][c] * packing.inverse_mass(c) * dense[j][c]).sum();
            assert!((product - problem.matrix.get(i, j)).abs() <= 1e-12, "{i} {j}");
        }
    }
}

/// Small problems: the velocities are those of the dense solver, where the solution is unique (weak friction).
#[test]
fn small_problems_agree_with_the_dense_solver() {
    let mut state = 7;
    for case in 0..200 {
        let contacts = 1 + case % 5;
        let rows = 3 * contacts;
        let directions: Vec<Vec<f64>> =
            (0..rows).map(|_| (0..rows + 2).map(|_| random(&mut state) - 0.5).collect()).collect();
        let q: Vec<f64> = (0..rows).map(|_| random(&mut state) - 0.6).collect();
        let mu = 0.05;
        let case = Case::from_directions(&directions, q.clone(), spatial_cones(&vec![[mu, mu]; contacts], 0.0));
        let mut x = vec![0.0; rows];
        assert_eq!(solve(&case.inclusion(), &mut SolveWork::default(), &mut x).status, SolveStatus::Solved);
        let entries = (0..rows * rows).map(|k| (k / rows, k % rows, case.matrix[k]));
        let problem = ContactProblem::coulomb(BlockMatrix::from_entries(3, contacts, entries), q, &vec![mu; contacts]);
        let (report, r) = answer(&problem, Method::Auto);
        assert_eq!(report.status, SolveStatus::Solved);
        let size = x.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (a, b) in x.iter().zip(&r) {
            assert!((a - b).abs() <= 1e-4 * size, "{x:?} {r:?}");
        }
    }
}

/// Other orders of contacts, other tangents and other units leave the same velocities and are solved as well.
#[test]
fn order_axes_and_units_do_not_matter() {
    let packing = Packing::spheres(120, 11);
    let problem = packing.problem(0.2);
    let (report, r) = answer(&problem, Method::Auto);
    assert_eq!(report.status, SolveStatus::Solved);
    let mut u = Vec::new();
    problem.velocity(&r, &mut u);
    let (n, rows) = (problem.contacts(), problem.vector.len());
    let speed = norm(&problem.vector);
    let turned: Vec<(f64, f64)> = (0..n).map(|i| (0.37 * i as f64).sin_cos()).collect();
    for (mass, time) in [(1.0, 1.0), (1e-9, 1.0), (1e9, 1e-6), (1.0, 1e6)] {
        // Contact i of the variant is contact (7 i + 3) mod n, its tangents turned.
        let origin = |i: usize| (7 * i + 3) % n;
        let rotation = |i: usize, k: usize, l: usize| {
            let (s, c) = turned[i];
            [[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]][k][l]
        };
        let entry = |i: usize, j: usize| -> f64 {
            let (a, b) = (i / 3, j / 3);
            let mut sum = 0.0;
            for k in 0..3 {
                for l in 0..3 {
                    let g = problem.matrix.get(3 * origin(a) + k, 3 * origin(b) + l);
                    sum += rotation(a, i % 3, k) * g * rotation(b, j % 3, l);
                }
            }
            sum / mass
        };
        let entries = (0..rows * rows).map(|k| (k / rows, k % rows, entry(k / rows, k % rows)));
        let q = (0..rows).map(|i| {
            (0..3).map(|k| rotation(i / 3, i % 3, k) * problem.vector[3 * origin(i / 3) + k]).sum::<f64>() / time
        });
        let variant = ContactProblem::coulomb(BlockMatrix::from_entries(3, n, entries), q.collect(), &vec![0.2; n]);
        let (report, r) = answer(&variant, Method::Auto);
        assert_eq!(report.status, SolveStatus::Solved, "mass {mass} time {time}: {report:?}");
        let mut v = Vec::new();
        variant.velocity(&r, &mut v);
        for i in 0..n {
            // Normal and sliding speed do not depend on the tangents.
            let (a, b) = (&u[3 * origin(i)..][..3], &v[3 * i..][..3]);
            assert!((a[0] - b[0] * time).abs() <= 1e-6 * speed, "normal velocity of {i}");
            assert!((a[1].hypot(a[2]) - b[1].hypot(b[2]) * time).abs() <= 1e-6 * speed, "sliding of {i}");
        }
    }
}

/// Joints, contacts without friction, ellipses and a constant part of the radius, against the dense solver.
#[test]
fn joints_ellipses_and_shifts() {
    let mut state = 3;
    for round in 0..60 {
        let contacts = 4;
        let rows = 3 * contacts;
        let directions: Vec<Vec<f64>> =
            (0..rows).map(|_| (0..rows + 3).map(|_| random(&mut state) - 0.5).collect()).collect();
        let q: Vec<f64> = (0..rows).map(|_| random(&mut state) - 0.6).collect();
        let ellipse = |friction: [f64; 2], shift: f64| ContactLaw::Contact { friction, shift };
        let laws = vec![
            ContactLaw::Joint,
            ellipse([0.0; 2], 0.0),
            ellipse([0.02, 0.08], 0.3 * random(&mut state)),
            ellipse([0.05; 2], if round % 2 == 0 { 0.0 } else { 0.2 }),
        ];
        let mut cones = vec![Cone::Free { row: 0 }, Cone::Free { row: 1 }, Cone::Free { row: 2 }];
        for (i, law) in laws.iter().enumerate().skip(1) {
            let ContactLaw::Contact { friction, shift } = *law else { continue };
            cones.push(Cone::Unilateral { row: 3 * i });
            cones.push(Cone::Ellipse { row: 3 * i + 1, normal: 3 * i, friction, shift });
        }
        let case = Case::from_directions(&directions, q.clone(), cones);
        let entries = (0..rows * rows).map(|k| (k / rows, k % rows, case.matrix[k]));
        let problem = ContactProblem { matrix: BlockMatrix::from_entries(3, contacts, entries), vector: q, laws };
        let (report, r) = answer(&problem, Method::Auto);
        assert_eq!(report.status, SolveStatus::Solved);
        assert!(case.residual(&r) <= 1e-7, "{} {report:?}", case.residual(&r));
        // Rows without friction carry nothing.
        assert_eq!(r[4..6], [0.0, 0.0]);
    }
}

#[test]
fn groups_are_found_and_idle_contacts_stay_idle() {
    // Two chains of two bodies and a contact that separates, in the plane.
    let mut blocks: Vec<(usize, usize, Vec<f64>)> = Vec::new();
    for i in 0..5 {
        blocks.push((i, i, vec![2.0, 0.0, 0.0, 2.0]));
    }
    for (i, j) in [(0, 1), (2, 3)] {
        blocks.push((i, j, vec![-1.0, 0.0, 0.0, -1.0]));
        blocks.push((j, i, vec![-1.0, 0.0, 0.0, -1.0]));
    }
    let matrix = BlockMatrix::from_blocks(2, 5, blocks.iter().map(|(i, j, v)| (*i, *j, &v[..])));
    let q = vec![-1.0, 0.1, -1.0, 0.0, -1.0, 5.0, 1.0, 0.0, 1.0, 3.0];
    let (report, r) = answer(&ContactProblem::coulomb(matrix, q, &[0.5; 5]), Method::Auto);
    assert_eq!((report.status, report.groups, report.largest), (SolveStatus::Solved, 3, 2));
    // By hand: contacts 0 and 1 push each other with 1 each; contact 4 has nothing to do.
    assert!((r[0] - 1.0).abs() < 1e-8 && (r[2] - 1.0).abs() < 1e-8);
    assert_eq!(r[8..], [0.0, 0.0]);
    // Contact 2 slides: r_T = −μ r_N; contact 3 opens: r_N = 0.5.
    assert!((r[4] - 0.5).abs() < 1e-8 && (r[5] + 0.25).abs() < 1e-8 && r[6].abs() < 1e-8);
}

#[test]
fn a_warm_start_takes_less_and_the_same_input_gives_the_same_bits() {
    let packing = Packing::spheres(300, 2);
    let problem = packing.problem(0.3);
    let (cold, mut r) = answer(&problem, Method::Auto);
    let (again, same) = answer(&problem, Method::Auto);
    assert_eq!((cold.status, &r), (SolveStatus::Solved, &same));
    assert_eq!(cold, again);
    let moved = packing.moved(1e-3, 9).problem(0.3);
    let settings = ContactSettings { warm: true, ..ContactSettings::default() };
    let warm = solve_contacts(&moved, &settings, &mut Budget::unlimited(), &mut r).unwrap();
    assert_eq!(warm.status, SolveStatus::Solved);
    assert!(2 * warm.iterations < cold.iterations, "{warm:?} {cold:?}");
}

/// Three packings that share no body, of which two go to other threads: the same bits in whatever order they are solved.
#[test]
fn groups_on_several_threads_give_the_same_bits() {
    struct Threads(AtomicUsize);
    impl Pool for Threads {
        fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
            assert!(tasks > 1);
            self.0.fetch_add(1, Ordering::Relaxed);
            std::thread::scope(|scope| (0..tasks).rev().for_each(|k| drop(scope.spawn(move || task(k)))));
        }
    }
    let parts: Vec<_> = [(250, 3), (200, 5), (150, 7)].map(|(n, seed)| Packing::spheres(n, seed).problem(0.3)).into();
    let (mut blocks, mut q, mut first) = (Vec::new(), Vec::new(), 0);
    for part in &parts {
        for i in 0..part.contacts() {
            let (columns, values) = part.matrix.row(i);
            let places = columns.iter().zip(values.chunks_exact(9));
            blocks.extend(places.map(|(&j, block)| (first + i, first + j as usize, block)));
        }
        first += part.contacts();
        q.extend_from_slice(&part.vector);
    }
    let problem = ContactProblem::coulomb(BlockMatrix::from_blocks(3, first, blocks.into_iter()), q, &vec![0.3; first]);
    let (alone, r) = answer(&problem, Method::Auto);
    assert!(alone.status == SolveStatus::Solved && alone.groups >= 3, "{alone:?}");
    let threads = Threads(AtomicUsize::new(0));
    for pool in [&threads as &dyn Pool, &Alone] {
        let mut other = Vec::new();
        let report =
            solve_on(&problem, &ContactSettings::default(), Some(pool), &mut Budget::unlimited(), &mut other).unwrap();
        assert_eq!((&report, &other), (&alone, &r));
    }
    assert!(threads.0.load(Ordering::Relaxed) > 0, "nothing was given to the threads");
    // A search that is stopped says so, from whatever thread.
    let limits = Limits { stop: Some(Stop::new("the time limit of 0 s", || true)), ..Limits::default() };
    let mut budget = Budget::new(&limits);
    let report = solve_on(&problem, &ContactSettings::default(), Some(&threads), &mut budget, &mut Vec::new()).unwrap();
    assert_eq!((report.status, budget.left()), (SolveStatus::MaxIterations, Some(0)));
}

#[test]
fn limits_end_the_search_with_the_best_so_far() {
    let problem = Packing::spheres(300, 4).problem(0.6);
    let limits = Limits { iterations: Some(12), ..Limits::default() };
    let mut r = Vec::new();
    let report = solve_contacts(&problem, &ContactSettings::default(), &mut Budget::new(&limits), &mut r).unwrap();
    assert_eq!(report.status, SolveStatus::MaxIterations);
    assert!(report.residual.scale_free < 1.0 && report.iterations <= 12);
    assert!((published_error(&problem, &r) - report.residual.natural).abs() < 1e-12);
}

#[test]
fn bad_input_is_named() {
    let problem = Packing::spheres(20, 1).problem(0.3);
    let message = |problem: &ContactProblem, settings: &ContactSettings| {
        solve_contacts(problem, settings, &mut Budget::unlimited(), &mut Vec::new()).unwrap_err().to_string()
    };
    let plain = ContactSettings::default();
    let mut bad = problem.clone();
    bad.vector[4] = f64::NAN;
    assert!(message(&bad, &plain).contains("q[4]"));
    let mut bad = problem.clone();
    bad.laws[2] = ContactLaw::coulomb(-0.1);
    assert!(message(&bad, &plain).contains("friction[2] = -0.1"));
    let mut bad = problem.clone();
    bad.laws.pop();
    assert!(message(&bad, &plain).contains("contacts"));
    // Every row of a block is looked at.
    for (row, entry) in [(3, -1.0), (4, -0.5), (5, -1e-9)] {
        let entries = (0..6).map(|k| (k, k, if k == row { entry } else { 1.0 }));
        let bad = ContactProblem::coulomb(BlockMatrix::from_entries(3, 2, entries), vec![0.0; 6], &[0.3; 2]);
        assert!(message(&bad, &plain).contains(&format!("matrix[{row}][{row}]")), "{}", message(&bad, &plain));
    }
    assert!(message(&problem, &ContactSettings { tolerance: 0.0, ..plain }).contains("solver.tolerance"));
    assert!(message(&problem, &ContactSettings { warm: true, ..plain }).contains("start"));
    let nothing = ContactProblem::coulomb(BlockMatrix::from_entries(3, 0, std::iter::empty()), vec![], &[]);
    assert_eq!(answer(&nothing, Method::Auto).0.status, SolveStatus::Solved);
    // A body that cannot move: nothing can be said but that there is no progress.
    let stuck = BlockMatrix::from_entries(1, 1, std::iter::empty());
    assert_eq!(
        answer(&ContactProblem::coulomb(stuck, vec![-1.0], &[0.0]), Method::Auto).0.status,
        SolveStatus::Stalled
    );
    let _ = ContactSide { body: 0, directions: &[] };
}

/// One contact with W = g·I, q = (−speed, speed/2, 0) and friction μ.
fn one_contact(g: f64, speed: f64, mu: f64) -> ContactProblem {
    let matrix = BlockMatrix::from_entries(3, 1, (0..3).map(|k| (k, k, g)));
    ContactProblem::coulomb(matrix, vec![-speed, 0.5 * speed, 0.0], &[mu])
}

/// Where nothing moves a tangent that slides, as on a belt that runs across, friction still points against the whole velocity:
/// with μ = 0.3 and q = (−1, 1, 2) r_N = 1 and r_T = −0.3 u_T/‖u_T‖, with u_T = (1 + r_1, 2).
#[test]
fn friction_across_what_nothing_moves() {
    let diagonal = |g: [f64; 3]| BlockMatrix::from_entries(3, 1, (0..3).map(move |k| (k, k, g[k])));
    let belt = ContactProblem::coulomb(diagonal([1.0, 1.0, 0.0]), vec![-1.0, 1.0, 2.0], &[0.3]);
    // In the plane, and in space with no tangent that moves: r_T = −μ r_N sgn q_T.
    let planar = BlockMatrix::from_entries(2, 1, [(0, 0, 2.0)].into_iter());
    let planar = ContactProblem::coulomb(planar, vec![-1.0, -0.1], &[0.5]);
    let fixed = ContactProblem::coulomb(diagonal([2.0, 0.0, 0.0]), vec![-1.0, 0.3, -0.4], &[0.5]);
    // A packing in which one tangent of every contact is moved by nothing but its belt; others stand still.
    let packing = Packing::spheres(150, 4).problem(0.3);
    let free = |row: &usize| row % 3 != 2;
    let rows = packing.vector.len();
    let entries = (0..rows).filter(free).flat_map(|i| (0..rows).filter(free).map(move |j| (i, j)));
    let matrix = BlockMatrix::from_entries(3, rows / 3, entries.map(|(i, j)| (i, j, packing.matrix.get(i, j))));
    let across = |(row, q): (usize, &f64)| if row % 3 == 2 { 0.1 * (row % 4) as f64 } else { *q };
    let vector = packing.vector.iter().enumerate().map(across).collect();
    let packing = ContactProblem::coulomb(matrix, vector, &vec![0.3; rows / 3]);
    for method in Method::ALL {
        let (report, r) = answer(&belt, method);
        assert_eq!(report.status, SolveStatus::Solved, "{method:?}: {report:?}");
        let by_hand = [1.0, -0.1207368129929529, -0.2746317934768383];
        assert!(r.iter().zip(by_hand).all(|(r, by_hand)| (r - by_hand).abs() < 1e-7), "{method:?}: {r:?}");
        for (problem, expected) in [(&planar, &[0.5, 0.25][..]), (&fixed, &[0.5, -0.15, 0.2])] {
            let (report, r) = answer(problem, method);
            assert_eq!(report.status, SolveStatus::Solved, "{method:?}: {report:?}");
            assert!(r.iter().zip(expected).all(|(r, expected)| (r - expected).abs() < 1e-7), "{method:?}: {r:?}");
        }
        let (report, r) = answer(&packing, method);
        assert_eq!(report.status, SolveStatus::Solved, "{method:?}: {report:?}");
        assert!(published_error(&packing, &r) <= 1e-8, "{method:?}: {report:?}");
    }
    // What is not so is told by the scale-free residual, too.
    let (r, u) = ([0.5, 0.0], [0.0, -0.1]);
    assert!(planar.residual(&r, &u).scale_free > 0.01);
}

/// At the ends of the range of numbers a problem is refused by name or solved, and never called solved without being so.
#[test]
fn numbers_that_overflow_or_vanish() {
    let refused = |problem: &ContactProblem| {
        solve_contacts(problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut Vec::new())
            .unwrap_err()
            .to_string()
    };
    assert!(refused(&one_contact(1e-300, 1e200, 0.3)).contains("matrix[0][0]"));
    assert!(refused(&one_contact(1e-320, 1.0, 0.3)).contains("matrix[0][0]"));
    assert!(refused(&one_contact(1e-200, 1e200, 0.3)).starts_with("q = 1e200"));
    // The row that does not fit is named, whatever contact it belongs to.
    for row in 0..9 {
        let entries = (0..9).map(|k| (k, k, if k == row { 1e-240 } else { 1.0 }));
        let three = ContactProblem::coulomb(BlockMatrix::from_entries(3, 3, entries), vec![1e60; 9], &[0.3; 3]);
        assert!(refused(&three).contains(&format!("with matrix[{row}][{row}] = 1e-240")), "{row}: {}", refused(&three));
    }
    let friction = refused(&one_contact(1.0, 1.0, 1e154));
    assert!(friction.contains("friction[0]") && friction.contains("at most 1e50"), "{friction}");
    // Every size of mass and velocity whose quotient is a number: r = (v/g, −v/2g, 0) where the contact sticks.
    for exponent in [-240, -200, -120, -60, 0, 60, 120, 200, 240] {
        for speed in [-250, -160, -100, 0, 100, 160, 250] {
            let (g, v) = (10f64.powi(exponent), 10f64.powi(speed));
            if (speed - exponent).abs() > 280 {
                continue;
            }
            let problem = one_contact(g, v, 0.8);
            let (report, r) = answer(&problem, Method::Auto);
            assert!(report.residual.natural.is_finite() && r.iter().all(|r| r.is_finite()), "{g:e} {v:e}: {report:?}");
            // Velocities u/√G that are smaller than this are taken for zero, and what is left over of q is not called solved.
            let told = f64::from(speed) - 0.5 * f64::from(exponent) >= 0.5 * f64::from(exponent.abs()) - 239.0;
            if told || report.status == SolveStatus::Solved {
                assert!((r[0] - v / g).abs() <= 1e-6 * v / g, "{g:e} {v:e}: {r:?} {report:?}");
            }
        }
    }
    for mu in [1e-310, 1e-60, 1e-20, 1e5, 1e20, 1e50] {
        let (report, r) = answer(&one_contact(1.0, 1.0, mu), Method::Auto);
        assert_eq!(report.status, SolveStatus::Solved, "friction {mu:e}: {report:?}");
        let tangent = if mu > 0.5 { -0.5 } else { -mu };
        assert!((r[0] - 1.0).abs() < 1e-8 && (r[1] - tangent).abs() < 1e-8, "friction {mu:e}: {r:?}");
    }
    // Impulses or velocities that are no numbers are no answer.
    let problem = one_contact(1.0, 1e200, 0.3);
    for r in [[0.0; 3], [1e200, 0.0, f64::NAN], [f64::INFINITY, 0.0, 0.0]] {
        let mut u = Vec::new();
        problem.velocity(&r, &mut u);
        let residual = problem.residual(&r, &u);
        assert!(residual.natural.is_nan() || residual.natural > 0.1, "{r:?}: {residual:?}");
    }
}

/// How far a matrix is from symmetric, relative to its diagonal, within and between blocks.
#[test]
fn asymmetry_is_measured() {
    let entries = |off: f64| [(0, 0, 4.0), (1, 1, 1.0), (2, 2, 9.0), (3, 3, 1.0), (0, 2, 1.0), (2, 0, 1.0 + off)];
    for off in [0.0, 0.6, -0.3] {
        let between = BlockMatrix::from_entries(2, 2, entries(off).into_iter()).asymmetry();
        assert!((between - off.abs() / 6.0).abs() < 1e-15, "{off}: {between}");
    }
    let within = BlockMatrix::from_entries(2, 1, [(0, 0, 1.0), (1, 1, 1.0), (0, 1, 0.5)].into_iter());
    assert_eq!(within.asymmetry(), 0.5);
    assert_eq!(BlockMatrix::from_entries(2, 1, std::iter::empty()).asymmetry(), 0.0);
}

/// Joints eliminated leave the impulses of the contacts as they are, also where one joint is there twice; joints that
/// contradict each other are refused.
#[test]
fn joints_are_eliminated() {
    let mut state = 5;
    for round in 0..20 {
        let (d, blocks) = (1 + round % 3, 5);
        let rows = d * blocks;
        let mut number = || 2.0 * random(&mut state) - 1.0;
        let mut directions: Vec<Vec<f64>> = (0..rows).map(|_| (0..rows).map(|_| number()).collect()).collect();
        let mut vector: Vec<f64> = (0..rows).map(|_| number()).collect();
        let twice = round % 2 == 1;
        if twice {
            // The last block repeats the second one; both are joints.
            for k in 0..d {
                directions[4 * d + k] = directions[d + k].clone();
                vector[4 * d + k] = vector[d + k];
            }
        }
        let g = Case::from_directions(&directions, vec![0.0; rows], Vec::new()).matrix;
        let entries = (0..rows * rows).map(|k| (k / rows, k % rows, g[k]));
        let mut laws = vec![ContactLaw::coulomb(0.2); blocks];
        (laws[1], laws[4]) = (ContactLaw::Joint, ContactLaw::Joint);
        let mut problem = ContactProblem { matrix: BlockMatrix::from_entries(d, blocks, entries), vector, laws };
        let without = problem.without_joints().unwrap();
        assert_eq!((without.contacts(), without.dimension()), (3, d));
        assert!(without.matrix.asymmetry() < 1e-12);
        let ((full, r), (reduced, x)) = (answer(&problem, Method::Auto), answer(&without, Method::Auto));
        assert_eq!((full.status, reduced.status), (SolveStatus::Solved, SolveStatus::Solved), "{round}");
        let kept = [0, 2, 3].into_iter().flat_map(|i| r[i * d..(i + 1) * d].iter());
        let size = norm(&r);
        for (r, x) in kept.zip(&x) {
            assert!((r - x).abs() < 1e-5 * size, "{round}: {r} {x}");
        }
        assert_eq!(without.without_joints().unwrap(), without);
        if twice {
            problem.vector[4 * d] += 1.0;
            assert!(problem.without_joints().unwrap_err().to_string().contains("contradict"), "{round}");
        }
    }
}

/// Rows in general position have the rank of the smaller side, in whatever units.
#[test]
fn the_rank_is_that_of_the_directions() {
    let mut state = 17;
    for (dimension, contacts, coordinates) in [(1, 6, 4), (2, 5, 12), (3, 4, 7), (3, 9, 20), (1, 1, 1)] {
        let rows = dimension * contacts;
        let mut direction = |i: usize| -> Vec<f64> {
            (0..coordinates).map(|_| 10f64.powi(i as i32 % 5 - 2) * (random(&mut state) - 0.5)).collect()
        };
        let directions: Vec<Vec<f64>> = (0..rows).map(&mut direction).collect();
        let g = Case::from_directions(&directions, vec![0.0; rows], Vec::new()).matrix;
        let entries = (0..rows * rows).map(|k| (k / rows, k % rows, g[k]));
        let matrix = BlockMatrix::from_entries(dimension, contacts, entries);
        let problem = ContactProblem::coulomb(matrix, vec![0.0; rows], &vec![0.3; contacts]);
        assert_eq!(problem.rank(), Some(rows.min(coordinates)), "{dimension} {contacts} {coordinates}");
    }
}

#[test]
fn where_nothing_moves_there_are_no_impulses() {
    let mut problem = Packing::spheres(40, 3).problem(0.3);
    problem.vector.fill(0.0);
    for method in Method::ALL {
        let (report, r) = answer(&problem, method);
        assert_eq!(report.status, SolveStatus::Solved, "{method:?}: {report:?}");
        assert!(r.iter().all(|r| *r == 0.0), "{method:?}: {r:?}");
    }
}

/// Joints that nothing couples: r = −q/g by sweeps alone, also for the row that moves fastest.
#[test]
fn joints_that_nothing_couples_are_solved_by_sweeps() {
    let g = [2.0, 0.5, 8.0, 1.0, 3.0, 0.25];
    let q = [-1.0, 0.3, 4.0, 0.0, -0.2, 7.0];
    let entries = (0..6).map(|i| (i, i, g[i]));
    let matrix = BlockMatrix::from_entries(3, 2, entries);
    let problem = ContactProblem { matrix, vector: q.to_vec(), laws: vec![ContactLaw::Joint; 2] };
    let (report, r) = answer(&problem, Method::GaussSeidel);
    assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
    for i in 0..6 {
        assert!((r[i] + q[i] / g[i]).abs() < 1e-12, "row {i}: {} instead of {}", r[i], -q[i] / g[i]);
    }
}

/// Matrices of files are symmetric only as far as whoever wrote them computed: sweeps solve them as they stand.
#[test]
fn sweeps_solve_blocks_that_are_not_quite_symmetric() {
    let block = [1.0, 0.3, -0.2, 0.3001, 1.5, 0.1, -0.2002, 0.0999, 0.8];
    for (vector, friction) in [([-1.0, 2.0, 0.5], 0.7), ([-1.0, 0.1, 0.2], 0.7), ([-1.0, -3.0, 1.0], 0.1)] {
        let matrix = BlockMatrix::from_blocks(3, 1, [(0, 0, &block[..])].into_iter());
        let problem = ContactProblem::coulomb(matrix, vector.to_vec(), &[friction]);
        let (report, _) = answer(&problem, Method::GaussSeidel);
        assert_eq!(report.status, SolveStatus::Solved, "{vector:?}: {report:?}");
    }
}
