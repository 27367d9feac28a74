//! Published contact problems, from the folder named by `DELASSUS_PROBLEMS`: every one is solved to 1e-8, also in other
//! orders, and comes back from our own files to the bit.

#[path = "../../delassus/tests/common/published_error.rs"]
mod published_error;

use std::path::{Path, PathBuf};

use delassus::Budget;
use delassus::solve::SolveStatus;
use delassus::solve::contact::{BlockMatrix, ContactProblem, ContactSettings, solve};
use delassus_io::{ContactFile, read_contact, read_dat, read_fclib, write_dat, write_fclib};

/// The published error, with u by rows of the stored matrix.
fn published_error(problem: &ContactProblem, r: &[f64]) -> f64 {
    let d = problem.dimension();
    let mut u = problem.vector.clone();
    for i in 0..problem.contacts() {
        let (columns, values) = problem.matrix.row(i);
        for (&j, block) in columns.iter().zip(values.chunks_exact(d * d)) {
            for (k, value) in block.iter().enumerate() {
                u[i * d + k / d] += value * r[j as usize * d + k % d];
            }
        }
    }
    published_error::published_error(problem, r, &u)
}

fn problems() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("DELASSUS_PROBLEMS") else {
        println!("skipped: DELASSUS_PROBLEMS does not name a folder");
        return None;
    };
    let mut paths = Vec::new();
    for kind in ["frictional-contact-2d", "frictional-contact-3d", "lcp"] {
        let entries = std::fs::read_dir(Path::new(&folder).join(kind)).unwrap();
        paths.extend(entries.map(|entry| entry.unwrap().path()));
    }
    paths.retain(|path| cfg!(feature = "hdf5") || path.extension().is_some_and(|e| e == "dat"));
    paths.sort();
    assert!(!paths.is_empty());
    Some(paths)
}

/// The same contacts in reverse order, velocities and masses in other units.
fn variant(problem: &ContactProblem, mass: f64, speed: f64) -> ContactProblem {
    let (d, n) = (problem.dimension(), problem.contacts());
    let mut blocks = Vec::new();
    for i in 0..n {
        let (columns, values) = problem.matrix.row(i);
        for (&j, block) in columns.iter().zip(values.chunks_exact(d * d)) {
            blocks.push((n - 1 - i, n - 1 - j as usize, block.iter().map(|v| v / mass).collect::<Vec<f64>>()));
        }
    }
    let q = (0..n).rev().flat_map(|i| problem.vector[i * d..(i + 1) * d].iter().map(|v| v * speed)).collect();
    let matrix = BlockMatrix::from_blocks(d, n, blocks.iter().map(|(i, j, v)| (*i, *j, &v[..])));
    ContactProblem { matrix, vector: q, laws: problem.laws.iter().rev().copied().collect() }
}

#[test]
fn published_problems_are_solved() {
    let Some(paths) = problems() else { return };
    let mut failed = Vec::new();
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let ContactFile::Friction(problem) = read_contact(path).unwrap() else { continue };
        // Units in which the published error means something: impulses and velocities of about the same size.
        let variants = [problem.clone(), variant(&problem, 1.0, 1.0), variant(&problem, 8.0, 0.25)];
        for (k, problem) in variants.iter().enumerate() {
            let mut r = Vec::new();
            let report = solve(problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut r).unwrap();
            let error = published_error(problem, &r);
            if report.status != SolveStatus::Solved || error.is_nan() || error > 1e-8 {
                failed.push(format!("{name}, variant {k}: error {error:e}, {report:?}"));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn published_problems_come_back_from_our_files() {
    let Some(paths) = problems() else { return };
    for path in &paths {
        let file = read_contact(path).unwrap();
        let mut text = Vec::new();
        write_dat(&file, &mut text).unwrap();
        assert_eq!(read_dat("again", &text[..]).unwrap(), file, "{}", path.display());
        if let ContactFile::Friction(problem) = &file
            && cfg!(feature = "hdf5")
        {
            let again = read_fclib("again", write_fclib(problem, "again").unwrap()).unwrap();
            // Blocks that are zero are not written.
            for i in 0..problem.vector.len().min(60) {
                for j in 0..problem.vector.len() {
                    assert_eq!(again.matrix.get(i, j), problem.matrix.get(i, j));
                }
            }
            assert_eq!((&again.vector, &again.laws), (&problem.vector, &problem.laws));
        }
    }
}
