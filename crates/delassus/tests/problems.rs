//! Published frictional contact problems, from the folder named by `DELASSUS_PROBLEMS`.

mod common;

use std::path::Path;
use std::time::Instant;

use common::{Case, planar_cones};
use delassus::solve::{SolveWork, solve};

/// Numbers and words of a file.
struct Reader<'a>(std::str::SplitWhitespace<'a>);

impl Reader<'_> {
    fn number(&mut self) -> f64 {
        self.0.next().unwrap().parse().unwrap()
    }

    fn count(&mut self) -> usize {
        self.0.next().unwrap().parse().unwrap()
    }
}

/// Reads `dim nc matrix q mu`; `None` for storages other than dense and sparse blocks.
fn read(text: &str) -> Option<(usize, Case, Vec<f64>)> {
    let mut r = Reader(text.split_whitespace());
    let (dim, contacts, storage, rows, _) = (r.count(), r.count(), r.count(), r.count(), r.count());
    let mut matrix = vec![0.0; rows * rows];
    match storage {
        0 => {
            let (m, n) = (r.count(), r.count());
            for column in 0..n {
                (0..m).for_each(|row| matrix[row * rows + column] = r.number());
            }
        }
        1 => {
            let (blocks, block_rows, block_columns) = (r.count(), r.count(), r.count());
            let ends = |n: usize, r: &mut Reader| (0..n).map(|_| r.count()).collect::<Vec<_>>();
            let (row_ends, column_ends) = (ends(block_rows, &mut r), ends(block_columns, &mut r));
            let (filled1, filled2) = (r.count(), r.count());
            let (pointers, columns) = (ends(filled1, &mut r), ends(filled2, &mut r));
            let start = |ends: &[usize], k: usize| if k == 0 { 0 } else { ends[k - 1] };
            for _ in 0..blocks {
                let index = r.count();
                let i = (0..pointers.len() - 1).find(|&i| (pointers[i]..pointers[i + 1]).contains(&index)).unwrap();
                let j = columns[index];
                for column in start(&column_ends, j)..column_ends[j] {
                    for row in start(&row_ends, i)..row_ends[i] {
                        matrix[row * rows + column] = r.number();
                    }
                }
            }
        }
        _ => return None,
    }
    let vector = (0..dim * contacts).map(|_| r.number()).collect();
    let friction: Vec<f64> = (0..contacts).map(|_| r.number()).collect();
    let cones = if dim == 2 {
        planar_cones(&friction, 0.0)
    } else {
        let pairs: Vec<[f64; 2]> = friction.iter().map(|&mu| [mu, mu]).collect();
        common::spatial_cones(&pairs, 0.0)
    };
    Some((contacts, Case { matrix, vector, cones }, friction))
}

/// √Σ‖r − p‖² / max(‖q‖, ‖r‖, ‖u‖) with p the projection of r − (u + μ‖u_T‖n) onto Coulomb's cone.
fn published_error(case: &Case, dim: usize, friction: &[f64], r: &[f64]) -> f64 {
    let u = case.xi(r);
    let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut sum = 0.0;
    for (k, mu) in friction.iter().enumerate() {
        let rows = k * dim..(k + 1) * dim;
        let slip = norm(&u[rows.start + 1..rows.end]);
        let mut x: Vec<f64> = rows.clone().map(|i| r[i] - u[i]).collect();
        x[0] -= mu * slip;
        let t = norm(&x[1..]);
        let p: Vec<f64> = if mu * t <= -x[0] {
            vec![0.0; dim]
        } else if t <= mu * x[0] {
            x.clone()
        } else {
            let n = (x[0] + mu * t) / (1.0 + mu * mu);
            std::iter::once(n).chain(x[1..].iter().map(|v| mu * n * v / t)).collect()
        };
        sum += rows.zip(p).map(|(i, p)| (r[i] - p) * (r[i] - p)).sum::<f64>();
    }
    sum.sqrt() / norm(&case.vector).max(norm(r)).max(norm(&u))
}

#[test]
fn published_problems_are_solved() {
    let Some(folder) = std::env::var_os("DELASSUS_PROBLEMS") else {
        println!("skipped: DELASSUS_PROBLEMS does not name a folder");
        return;
    };
    let (mut tried, mut reached) = (0, 0);
    for (kind, dim, limit) in [("frictional-contact-2d", 2, 400), ("frictional-contact-3d", 3, 300)] {
        let Ok(entries) = std::fs::read_dir(Path::new(&folder).join(kind)) else { continue };
        let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "dat")) {
            let text = std::fs::read_to_string(path).unwrap();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some((contacts, case, friction)) = read(&text) else { continue };
            if contacts > limit {
                println!("{name}: {contacts} contacts, larger than this test tries");
                continue;
            }
            let start = Instant::now();
            let mut x = vec![0.0; case.vector.len()];
            let report = solve(&case.inclusion(), &mut SolveWork::default(), &mut x);
            let error = published_error(&case, dim, &friction, &x);
            let (seconds, residual) = (start.elapsed().as_secs_f64(), case.residual(&x));
            println!(
                "{name}: {contacts} contacts, {:?}, error {error:.1e}, residual {residual:.1e}, {seconds:.3} s",
                report.status
            );
            tried += 1;
            reached += usize::from(error <= 1e-8);
        }
    }
    println!("{reached} of {tried} reach an error of 1e-8");
    assert!(tried > 0, "no problem found in DELASSUS_PROBLEMS");
    assert_eq!(reached, tried);
}
