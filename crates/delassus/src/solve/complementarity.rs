//! Small linear complementarity problems, decided by trying every case.
//!
//! ```text
//! w = A z + q,   w ≥ 0,  z ≥ 0,  wᵀz = 0
//! ```
//!
//! A solution writes q as a sum Σ x_j c_j with x ≥ 0, where the columns c_j are taken from w (unit vectors) or z (columns
//! of −A), never both of one row. If there is such a sum, there is one whose columns are linearly independent
//! (Carathéodory's theorem for cones). Each row therefore gives the column of w, that of z, or none: 3ⁿ cases, each with at most
//! one candidate. If every one of them fails by more than round-off can explain, there is no solution, whatever the
//! matrix.

use super::contact::norm;

/// Rows up to which every case is tried: 3⁸ = 6561 of them, some milliseconds.
pub const MOST_ROWS: usize = 8;

/// What trying every case found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A solution, within the tolerance.
    Solved,
    /// There is none: every case fails clearly.
    NoSolution,
    /// No case is a solution, but one or the other fails by so little that round-off may be the reason.
    Undecided,
}

/// Columns whose independent part is below this are dependent on the others, exactly up to round-off.
const DEPENDENT: f64 = 1e-14;
/// Columns whose independent part is below this leave coefficients of no accuracy.
const DOUBTFUL: f64 = 1e-8;
/// Coefficients and remainders beyond this, relative to the largest coefficient and to q, are no round-off.
const CLEAR: f64 = 1e-7;

/// ‖min(z, w)‖/‖q‖, the error by which such problems are compared; infinite where numbers have left their range. The
/// matrix is given row by row (n × n); `w` is written.
pub fn error(matrix: &[f64], vector: &[f64], z: &[f64], w: &mut Vec<f64>) -> f64 {
    let n = vector.len();
    w.clear();
    w.extend((0..n).map(|i| vector[i] + (0..n).map(|j| matrix[i * n + j] * z[j]).sum::<f64>()));
    error_of(vector, z, w)
}

/// The same where w is known already.
pub fn error_of(vector: &[f64], z: &[f64], w: &[f64]) -> f64 {
    let missing: Vec<f64> = z.iter().zip(w.iter()).map(|(z, w)| z.min(*w)).collect();
    let (missing, size) = (norm(&missing), norm(vector));
    if ![norm(z), norm(w), size].iter().all(|norm| norm.is_finite()) {
        return f64::INFINITY;
    }
    if size > 0.0 { missing / size } else { missing }
}

/// Tries every case of a problem of at most [`MOST_ROWS`] rows; `z` holds the solution where there is one. Returns how
/// many cases were looked at, too.
///
/// # Panics
/// If sizes do not fit, or there are more rows.
pub fn decide(matrix: &[f64], vector: &[f64], tolerance: f64, z: &mut [f64]) -> (Decision, usize) {
    let n = vector.len();
    assert!(n <= MOST_ROWS && matrix.len() == n * n && z.len() == n, "a small problem");
    // Rows in units of their largest entry, columns and q of unit length.
    let unit = |values: &mut dyn Iterator<Item = f64>| {
        let largest = values.fold(0.0f64, |most, v| most.max(v.abs()));
        if largest > 0.0 { 1.0 / largest } else { 1.0 }
    };
    let rows: Vec<f64> = matrix.chunks_exact(n.max(1)).map(|row| unit(&mut row.iter().copied())).collect();
    let mut q: Vec<f64> = vector.iter().zip(&rows).map(|(q, scale)| q * scale).collect();
    let size = norm(&q);
    if size > 0.0 {
        q.iter_mut().for_each(|q| *q /= size);
    }
    // Columns −A_j/‖A_j‖, and the factors that lead back from x to z.
    let (mut columns, mut factor) = (vec![0.0; n * n], vec![0.0; n]);
    for j in 0..n {
        let column: Vec<f64> = (0..n).map(|i| -matrix[i * n + j] * rows[i]).collect();
        let length = norm(&column);
        if length > 0.0 {
            (0..n).for_each(|i| columns[j * n + i] = column[i] / length);
            factor[j] = size / length;
        }
    }
    let (mut doubt, mut tried, mut w) = (!size.is_finite(), 0, Vec::new());
    let mut basis = Basis::default();
    'cases: for case in 0..3usize.pow(n as u32) {
        tried += 1;
        basis.clear();
        let mut digits = case;
        for j in 0..n {
            let kind = digits % 3;
            digits /= 3;
            if kind == 0 {
                continue;
            }
            let mut column = vec![0.0; n];
            if kind == 1 {
                column[j] = 1.0;
            } else {
                column.copy_from_slice(&columns[j * n..(j + 1) * n]);
            }
            let independent = basis.push(column, kind == 2, j);
            // Where a column depends on the others, cases without one of them cover this one.
            if independent <= DEPENDENT {
                continue 'cases;
            }
        }
        let (x, remainder) = basis.coefficients(&q);
        let largest = x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let negative = x.iter().fold(0.0f64, |most, x| most.max(-x));
        if basis.least >= DOUBTFUL && (remainder > CLEAR || negative > CLEAR * largest) {
            continue;
        }
        z.fill(0.0);
        for (x, &(of_z, j)) in x.iter().zip(&basis.members) {
            if of_z {
                z[j] = x.max(0.0) * factor[j];
            }
        }
        if error(matrix, vector, z, &mut w) <= tolerance {
            return (Decision::Solved, tried);
        }
        doubt = true;
    }
    z.fill(0.0);
    (if doubt { Decision::Undecided } else { Decision::NoSolution }, tried)
}

/// Columns of a case, made orthonormal one after the other: column k = Σ_{i ≤ k} `upper[k][i]` · `directions[i]`.
#[derive(Debug, Default)]
struct Basis {
    /// Whether a column is one of z, and its row.
    members: Vec<(bool, usize)>,
    directions: Vec<Vec<f64>>,
    upper: Vec<Vec<f64>>,
    /// The least independent part of any column, which have length one.
    least: f64,
}

impl Basis {
    fn clear(&mut self) {
        self.members.clear();
        self.directions.clear();
        self.upper.clear();
        self.least = 1.0;
    }

    /// Adds a column of length one (or zero); returns the length of what is independent of the others.
    fn push(&mut self, mut column: Vec<f64>, of_z: bool, row: usize) -> f64 {
        let mut entries = vec![0.0; self.directions.len()];
        // Twice, so that round-off of the first time is taken out.
        for _ in 0..2 {
            for (entry, direction) in entries.iter_mut().zip(&self.directions) {
                let part: f64 = column.iter().zip(direction).map(|(a, b)| a * b).sum();
                column.iter_mut().zip(direction).for_each(|(a, b)| *a -= part * b);
                *entry += part;
            }
        }
        let length = norm(&column);
        if length > 0.0 {
            column.iter_mut().for_each(|a| *a /= length);
        }
        entries.push(length);
        self.members.push((of_z, row));
        self.directions.push(column);
        self.upper.push(entries);
        self.least = self.least.min(length);
        length
    }

    /// The coefficients of the sum that is nearest to q, and its distance.
    fn coefficients(&self, q: &[f64]) -> (Vec<f64>, f64) {
        let mut rest = q.to_vec();
        let mut x = vec![0.0; self.directions.len()];
        for _ in 0..2 {
            for (x, direction) in x.iter_mut().zip(&self.directions) {
                let part: f64 = rest.iter().zip(direction).map(|(a, b)| a * b).sum();
                rest.iter_mut().zip(direction).for_each(|(a, b)| *a -= part * b);
                *x += part;
            }
        }
        for k in (0..x.len()).rev() {
            x[k] /= self.upper[k][k];
            let found = x[k];
            (0..k).for_each(|i| x[i] -= self.upper[k][i] * found);
        }
        (x, norm(&rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(matrix: &[f64], vector: &[f64]) -> (Decision, Vec<f64>) {
        let mut z = vec![0.0; vector.len()];
        let (decision, tried) = decide(matrix, vector, 1e-8, &mut z);
        assert!(tried <= 3usize.pow(vector.len() as u32));
        (decision, z)
    }

    #[test]
    fn by_hand() {
        assert_eq!(decided(&[2.0], &[-3.0]), (Decision::Solved, vec![1.5]));
        assert_eq!(decided(&[2.0], &[3.0]), (Decision::Solved, vec![0.0]));
        assert_eq!(decided(&[0.0], &[-1.0]).0, Decision::NoSolution);
        assert_eq!(decided(&[-1.0], &[-1.0]).0, Decision::NoSolution);
        assert_eq!(decided(&[], &[]).0, Decision::Solved);
        // w₁ = z₂ − 1, w₂ = −z₁ + 1 (skew): z = (1, 1).
        assert_eq!(decided(&[0.0, 1.0, -1.0, 0.0], &[-1.0, 1.0]), (Decision::Solved, vec![1.0, 1.0]));
        // w₁ = z₁ − z₂ − 1, w₂ = −z₁ + z₂ − 1: their sum is −2.
        assert_eq!(decided(&[1.0, -1.0, -1.0, 1.0], &[-1.0, -1.0]).0, Decision::NoSolution);
        // The same with a sum of zero: one solution of many, with a singular matrix of both columns.
        let (decision, z) = decided(&[1.0, -1.0, -1.0, 1.0], &[-1.0, 1.0]);
        assert_eq!(decision, Decision::Solved);
        assert!((z[0] - z[1] - 1.0).abs() < 1e-12, "{z:?}");
        // Units do not matter, also at the ends of the range of numbers.
        for (g, q) in [(1e-200, 1e50), (1e200, 1e-50), (1e100, 1e200)] {
            let (decision, z) = decided(&[2.0 * g, g, g, 2.0 * g], &[-5.0 * q, -6.0 * q]);
            assert_eq!(decision, Decision::Solved, "{g:e} {q:e}");
            assert!((z[0] * g / q - 4.0 / 3.0).abs() < 1e-12, "{g:e} {q:e}: {z:?}");
            assert_eq!(decided(&[g, -g, -g, g], &[-q, -q]).0, Decision::NoSolution, "{g:e} {q:e}");
        }
    }

    /// A miss by less than round-off can explain is no proof.
    #[test]
    fn near_misses_are_not_decided() {
        // w = (z₁ − z₂ − 1, −z₁ + z₂ + 1 − 1e-9): no solution by one part in 10⁹.
        assert_eq!(decided(&[1.0, -1.0, -1.0, 1.0], &[-1.0, 1.0 - 1e-9]).0, Decision::Solved, "within the tolerance");
        let mut z = vec![0.0; 2];
        let strict = decide(&[1.0, -1.0, -1.0, 1.0], &[-1.0, 1.0 - 1e-9], 1e-12, &mut z).0;
        assert_eq!(strict, Decision::Undecided);
    }

    /// Random problems: those with a solution by construction are solved, singular matrices and ties among them; of the
    /// others a grid of two rows tells whether there is one.
    #[test]
    fn problems_made_from_their_solutions() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        };
        for round in 0..200 {
            let n = 1 + round % 6;
            let mut matrix: Vec<f64> = (0..n * n).map(|_| (3.0 * random()).round()).collect();
            if round % 3 == 0 && n > 1 {
                // Two equal columns.
                (0..n).for_each(|i| matrix[i * n + 1] = matrix[i * n]);
            }
            let mut z = vec![0.0; n];
            let vector: Vec<f64> = {
                let mut w = vec![0.0; n];
                for i in 0..n {
                    if random() > 0.0 { z[i] = random().abs() } else { w[i] = random().max(0.0) }
                }
                (0..n).map(|i| w[i] - (0..n).map(|j| matrix[i * n + j] * z[j]).sum::<f64>()).collect()
            };
            assert_eq!(decided(&matrix, &vector).0, Decision::Solved, "round {round}: {matrix:?} {vector:?}");
        }
        // Two rows: no solution exactly if q is in none of the four cones, told by the signs of determinants.
        let (mut none, mut some) = (0, 0);
        for _ in 0..500 {
            let [a, b, c, d] = std::array::from_fn(|_| (2.0 * random()).round());
            let q = [random(), random()];
            let columns =
                [[[1.0, 0.0], [0.0, 1.0]], [[-a, -c], [0.0, 1.0]], [[1.0, 0.0], [-b, -d]], [[-a, -c], [-b, -d]]];
            let inside = |[u, v]: &[[f64; 2]; 2]| {
                let cross = |p: &[f64; 2], r: &[f64; 2]| p[0] * r[1] - p[1] * r[0];
                let turn = cross(u, v);
                if turn == 0.0 {
                    // A ray or a line, which a random q misses; or the whole line of both.
                    return false;
                }
                cross(&q, v) / turn >= 0.0 && cross(u, &q) / turn >= 0.0
            };
            let expected = if columns.iter().any(inside) { Decision::Solved } else { Decision::NoSolution };
            assert_eq!(decided(&[a, b, c, d], &q).0, expected, "{a} {b} {c} {d} {q:?}");
            if expected == Decision::Solved { some += 1 } else { none += 1 }
        }
        assert!(none > 30 && some > 30, "{none} without and {some} with a solution");
    }
}
