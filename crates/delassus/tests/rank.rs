//! The rank of contact problems against singular values of the dense matrix, in any order and units.

#[path = "common/packing.rs"]
mod packing;

use delassus::solve::contact::{BlockMatrix, ContactProblem, ContactSide};
use nalgebra::DMatrix;
use packing::{Packing, random};

/// Singular values of G, rows and columns scaled by √G_ii, the largest first.
fn singular_values(problem: &ContactProblem) -> Vec<f64> {
    let rows = problem.matrix.rows();
    let scale = |i: usize| match problem.matrix.get(i, i) {
        entry if entry > 0.0 => 1.0 / entry.sqrt(),
        _ => 1.0,
    };
    let dense = DMatrix::from_fn(rows, rows, |i, j| scale(i) * problem.matrix.get(i, j) * scale(j));
    let mut values: Vec<f64> = dense.singular_values().iter().copied().collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// The rank of a problem whose singular values leave no doubt.
fn certain_rank(problem: &ContactProblem, name: &str) -> usize {
    let values = singular_values(problem);
    assert!(!values.iter().any(|v| (1e-12..1e-8).contains(v)), "{name}: {values:?}");
    values.iter().filter(|v| **v > 1e-10).count()
}

/// A problem with the same rows, contacts in another order, each row in units of its own between 1/`range` and `range`; the matrix
/// comes from entries, without its bodies.
fn changed(problem: &ContactProblem, range: f64, state: &mut u64) -> ContactProblem {
    let (n, d) = (problem.contacts(), problem.dimension());
    let mut order: Vec<usize> = (0..n).collect();
    (1..n).rev().for_each(|k| order.swap(k, (random(state) * (k + 1) as f64) as usize));
    let units: Vec<f64> = (0..n * d).map(|_| range.powf(2.0 * random(state) - 1.0)).collect();
    let row = |i: usize| order[i / d] * d + i % d;
    let entries = (0..n * d * n * d).map(|k| (k / (n * d), k % (n * d)));
    let entries = entries.map(|(i, j)| (i, j, units[i] * problem.matrix.get(row(i), row(j)) * units[j]));
    let matrix =
        BlockMatrix::from_entries(d, n, entries.filter(|entry| entry.2 != 0.0).collect::<Vec<_>>().into_iter());
    ContactProblem::coulomb(matrix, vec![0.0; n * d], &vec![0.3; n])
}

/// Checks a problem and others that differ by order and units.
fn check(problem: &ContactProblem, name: &str, state: &mut u64) {
    let expected = certain_rank(problem, name);
    assert_eq!(problem.rank(), Some(expected), "{name}");
    for range in [1.0, 1e3, 1e9] {
        assert_eq!(changed(problem, range, state).rank(), Some(expected), "{name}, units to {range:e}");
    }
}

/// One body or two at a point, and the direction of the first's normal.
struct Touch {
    bodies: [Option<usize>; 2],
    point: [f64; 2],
    normal: [f64; 2],
}

/// Contacts in the plane, with friction (two rows) or without (one row).
fn planar(dimension: usize, centres: &[[f64; 2]], touches: &[Touch]) -> ContactProblem {
    let inverse_mass: Vec<f64> = centres.iter().flat_map(|_| [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 8.0]).collect();
    let rows = |touch: &Touch, side: usize| -> Vec<f64> {
        let Some(body) = touch.bodies[side] else { return Vec::new() };
        let sign = 1.0 - 2.0 * side as f64;
        let arm = [touch.point[0] - centres[body][0], touch.point[1] - centres[body][1]];
        let [x, y] = touch.normal;
        [[x, y], [-y, x]][..dimension]
            .iter()
            .flat_map(|t| [sign * t[0], sign * t[1], sign * (arm[0] * t[1] - arm[1] * t[0])])
            .collect()
    };
    let directions: Vec<[Vec<f64>; 2]> = touches.iter().map(|touch| [rows(touch, 0), rows(touch, 1)]).collect();
    let sides = |i: usize| {
        std::array::from_fn(|side| {
            touches[i].bodies[side].map(|body| ContactSide { body, directions: &directions[i][side] })
        })
    };
    let matrix = ContactProblem::delassus(dimension, touches.len(), 3, &inverse_mass, sides);
    ContactProblem::coulomb(matrix, vec![0.0; dimension * touches.len()], &vec![0.3; touches.len()])
}

/// Disks in rows, each over the gaps of the row below, a little out of place.
fn disks(dimension: usize, side: usize, state: &mut u64) -> ContactProblem {
    let mut jitter = || 0.1 * (random(state) - 0.5);
    let place = |b: usize| [(b % side) as f64 + 0.5 * (b / side % 2) as f64, 0.5 + (b / side) as f64 * 0.75f64.sqrt()];
    let centres: Vec<[f64; 2]> = (0..side * side).map(|b| place(b).map(|v| v + jitter())).collect();
    let mut touches = Vec::new();
    for (a, one) in centres.iter().enumerate() {
        if a < side {
            touches.push(Touch { bodies: [Some(a), None], point: [one[0], one[1] - 0.5], normal: [0.0, 1.0] });
        }
        for (b, other) in centres.iter().enumerate().take(a) {
            let apart = [one[0] - other[0], one[1] - other[1]];
            let distance = apart[0].hypot(apart[1]);
            if distance < 1.03 {
                let normal = apart.map(|v| v / distance);
                let point = [one[0] - 0.5 * normal[0], one[1] - 0.5 * normal[1]];
                touches.push(Touch { bodies: [Some(a), Some(b)], point, normal });
            }
        }
    }
    planar(dimension, &centres, &touches)
}

/// A wall of planar bricks in running bond, two points where two of them touch: more rows than bodies can tell apart.
fn bricks(courses: usize) -> ContactProblem {
    let place = |b: usize| [2.0 * (b % courses) as f64 + (b / courses % 2) as f64, 0.5 + (b / courses) as f64];
    let centres: Vec<[f64; 2]> = (0..courses * courses).map(place).collect();
    let mut touches = Vec::new();
    for (a, one) in centres.iter().enumerate() {
        let below = centres.iter().enumerate().filter(|(_, other)| other[1] == one[1] - 1.0);
        let below: Vec<(Option<usize>, f64)> = below.map(|(b, other)| (Some(b), other[0])).collect();
        for (b, x) in if a < courses { vec![(None, one[0])] } else { below } {
            let (from, to) = (x.max(one[0]) - 1.0, x.min(one[0]) + 1.0);
            for x in [from, to].into_iter().filter(|_| from < to) {
                touches.push(Touch { bodies: [Some(a), b], point: [x, one[1] - 0.5], normal: [0.0, 1.0] });
            }
        }
    }
    planar(2, &centres, &touches)
}

#[test]
fn packings_of_spheres_have_the_rank_of_their_singular_values() {
    let mut state = 5;
    for seed in 1..=8 {
        check(&Packing::spheres(40, seed).problem(0.3), &format!("40 contacts, seed {seed}"), &mut state);
    }
    for seed in 1..=2 {
        check(&Packing::spheres(120, seed).problem(0.3), &format!("120 contacts, seed {seed}"), &mut state);
    }
}

#[test]
fn planar_packings_and_walls_have_the_rank_of_their_singular_values() {
    let mut state = 9;
    for (round, side) in [3, 4, 5, 6, 8].into_iter().enumerate() {
        for dimension in [1, 2] {
            check(&disks(dimension, side, &mut state), &format!("disks {round}, {dimension} rows"), &mut state);
        }
    }
    for courses in [2, 3, 5, 7] {
        check(&bricks(courses), &format!("{courses} courses of bricks"), &mut state);
    }
}

/// Rows that nothing moves, and contacts that are there twice, add nothing.
#[test]
fn rows_of_zeros_and_repeated_contacts_add_no_rank() {
    let problem = Packing::spheres(40, 1).problem(0.3);
    let (n, rank) = (problem.contacts(), problem.rank());
    let of = |i: usize| if i < 3 * n { Some(i) } else { (i < 6 * n).then(|| i - 3 * n).filter(|i| i % 3 != 1) };
    let places = (0..36 * n * n + 18 * n).map(|k| (k / (6 * n), k % (6 * n)));
    let entries: Vec<(usize, usize, f64)> = places
        .filter_map(|(i, j)| Some((i, j, problem.matrix.get(of(i)?, of(j)?))))
        .filter(|entry| entry.2 != 0.0)
        .collect();
    let matrix = BlockMatrix::from_entries(3, 2 * n + 1, entries.into_iter());
    let twice = ContactProblem::coulomb(matrix, vec![0.0; 6 * n + 3], &vec![0.3; 2 * n + 1]);
    assert_eq!((rank, twice.rank()), (Some(certain_rank(&problem, "once")), rank));
    let nothing = ContactProblem::coulomb(BlockMatrix::with_pattern(2, 3, [].into_iter()), vec![0.0; 6], &[0.3; 3]);
    assert_eq!(nothing.rank(), Some(0));
}

/// Matrices that were written with nine digits have eigenvalues of 1e-9 in the place of zeros.
#[test]
fn digits_that_were_not_written_are_no_rank() {
    for seed in 1..=4 {
        let problem = Packing::spheres(40, seed).problem(0.3);
        let rows = problem.matrix.rows();
        let written = |k: usize| format!("{:.8e}", problem.matrix.get(k / rows, k % rows)).parse::<f64>().unwrap();
        let entries = (0..rows * rows).map(|k| (k / rows, k % rows, written(k)));
        let matrix = BlockMatrix::from_entries(3, 40, entries.collect::<Vec<_>>().into_iter());
        let read = ContactProblem::coulomb(matrix, vec![0.0; rows], &[0.3; 40]);
        assert!(singular_values(&read).iter().any(|v| (1e-11..1e-8).contains(v)));
        assert_eq!(read.rank(), Some(certain_rank(&problem, "as computed")), "seed {seed}");
    }
}

/// Where eigenvalues become smaller and smaller without a gap, or a part that is not symmetric acts where the rest does
/// nothing, no number is told.
#[test]
fn a_rank_that_is_not_well_defined_is_not_told() {
    let of = |entries: &[(usize, usize, f64)], rows: usize| {
        let matrix = BlockMatrix::from_entries(1, rows, entries.iter().copied());
        ContactProblem::coulomb(matrix, vec![0.0; rows], &vec![0.0; rows]).rank()
    };
    // Pairs of rows at smaller and smaller angles: eigenvalues 2 and 10^−k.
    let pairs = |exponents: std::ops::Range<i32>| -> Vec<(usize, usize, f64)> {
        let pair = |(k, exponent): (usize, i32)| {
            let beside = 1.0 - 10f64.powi(-exponent);
            [(2 * k, 2 * k, 1.0), (2 * k, 2 * k + 1, beside), (2 * k + 1, 2 * k, beside), (2 * k + 1, 2 * k + 1, 1.0)]
        };
        exponents.enumerate().flat_map(pair).collect()
    };
    assert_eq!(of(&pairs(1..9), 16), Some(16));
    assert_eq!(of(&pairs(1..14), 26), None);
    for (skew, rank) in [(0.0, Some(1)), (1e-3, None)] {
        assert_eq!(of(&[(0, 0, 1.0), (0, 1, 1.0 + skew), (1, 0, 1.0 - skew), (1, 1, 1.0)], 2), rank);
    }
    // No matrix of contacts: a row without a diagonal, and an eigenvalue of −1.
    assert_eq!(of(&[(0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0)], 2), None);
    assert_eq!(of(&[(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 1.0)], 2), None);
}

/// Published problems: what is told is told by singular values too, and where these leave no doubt it is told.
#[test]
fn published_problems_have_the_rank_of_their_singular_values() {
    let Ok(folder) = std::env::var("DELASSUS_PROBLEMS") else {
        println!("skipped: DELASSUS_PROBLEMS is not set");
        return;
    };
    let (mut told, mut certain) = (0, 0);
    for kind in ["frictional-contact-2d", "frictional-contact-3d"] {
        for entry in std::fs::read_dir(format!("{folder}/{kind}")).unwrap() {
            let path = entry.unwrap().path();
            // Files of HDF5 are read by the program only.
            if path.extension().is_none_or(|ending| ending != "dat") {
                continue;
            }
            let delassus_io::ContactFile::Friction(problem) = delassus_io::read_contact(&path).unwrap() else {
                continue;
            };
            if problem.matrix.rows() > 900 {
                continue;
            }
            let (values, rank, name) = (singular_values(&problem), problem.rank(), path.display());
            let (largest, below) = (values[0], |limit: f64| values.iter().filter(|v| **v < limit).count());
            if let Some(rank) = rank {
                told += 1;
                let gap = values.get(rank).map_or(f64::INFINITY, |zero| values[rank - 1] / zero);
                assert!(gap > 64.0, "{name}: {rank}, then a gap of {gap:e}");
                assert!(values.get(rank).is_none_or(|zero| *zero < 1e-6 * largest), "{name}: {rank} {values:?}");
            }
            if below(1e-13) == below(1e-6) && problem.matrix.asymmetry() < 1e-12 {
                certain += 1;
                assert_eq!(rank, Some(values.len() - below(1e-13)), "{name}");
            }
        }
    }
    assert!(told >= 15 && certain >= 6, "{told} told, {certain} certain");
}
