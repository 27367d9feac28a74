//! Lemke's method on published linear complementarity problems.
//!
//! The files lie in the folder `lcp` of the one named by the environment
//! variable `DELASSUS_PROBLEMS`; without it the test says that it was skipped.

use std::fs;
use std::path::Path;

use delassus::solve::lemke::{LcpStatus, LemkeWork, solve};

struct Lcp {
    matrix: Vec<f64>,
    vector: Vec<f64>,
}

/// `n`, a dense matrix (storage 0, sizes twice, column by column), `q`; text after that is ignored.
fn read(path: &Path) -> Result<Lcp, String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut numbers = text.split_whitespace().map(|w| w.parse::<f64>());
    let mut next = || numbers.next().ok_or("file ends early")?.map_err(|e| e.to_string());
    let n = next()? as usize;
    if next()? != 0.0 {
        return Err("not stored dense".into());
    }
    for _ in 0..4 {
        next()?;
    }
    let mut matrix = vec![0.0; n * n];
    for k in 0..n * n {
        matrix[(k % n) * n + k / n] = next()?;
    }
    let vector = (0..n).map(|_| next()).collect::<Result<_, _>>()?;
    Ok(Lcp { matrix, vector })
}

/// ‖z − max(0, z − w)‖ / ‖q‖, the error by which these files are compared.
fn error(lcp: &Lcp, z: &[f64]) -> f64 {
    let n = z.len();
    let mut sum = 0.0;
    for i in 0..n {
        let w = lcp.vector[i] + (0..n).map(|j| lcp.matrix[i * n + j] * z[j]).sum::<f64>();
        sum += (z[i] - (z[i] - w).max(0.0)).powi(2);
    }
    (sum / lcp.vector.iter().map(|q| q * q).sum::<f64>()).sqrt()
}

#[test]
fn published_problems() {
    let Ok(folder) = std::env::var("DELASSUS_PROBLEMS") else {
        println!("skipped: DELASSUS_PROBLEMS is not set");
        return;
    };
    let mut paths: Vec<_> =
        fs::read_dir(Path::new(&folder).join("lcp")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut failed = Vec::new();
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let lcp = read(path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut z = vec![0.0; lcp.vector.len()];
        let report = solve(&lcp.matrix, &lcp.vector, &mut LemkeWork::default(), &mut z);
        let error = error(&lcp, &z);
        println!("{name}: n = {}, {:?}, {} pivots, error {error:.1e}", z.len(), report.status, report.pivots);
        if report.status != LcpStatus::Solved || error > 1e-10 {
            failed.push(format!("{name}: {report:?}, error {error:e}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
