//! Linear systems by elimination with partial pivoting, in place and without allocation.

/// Solves A x = b by Gaussian elimination with partial pivoting; A (row by
/// row) is destroyed and b becomes x. `false` where A is singular to working
/// precision.
pub(crate) fn solve_in_place(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[p * n + k].abs() {
                p = i;
            }
        }
        let pivot = a[p * n + k];
        let size = a[p * n..(p + 1) * n].iter().fold(0.0f64, |m, v| m.max(v.abs()));
        if pivot == 0.0 || pivot.abs() <= f64::EPSILON * size {
            return false;
        }
        if p != k {
            for j in 0..n {
                a.swap(p * n + j, k * n + j);
            }
            b.swap(p, k);
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let row = &above[k * n + k..];
        for (i, other) in (k + 1..n).zip(below.chunks_exact_mut(n)) {
            let other = &mut other[k..];
            let factor = other[0] / pivot;
            if factor != 0.0 {
                other.iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let mut sum = b[k];
        for j in k + 1..n {
            sum -= a[k * n + j] * b[j];
        }
        b[k] = sum / a[k * n + k];
    }
    true
}

/// Replaces A (row by row, n × n) by its LU factors, with the exchanges of rows in `pivots`.
pub(crate) fn decompose(a: &mut [f64], pivots: &mut Vec<usize>, n: usize) {
    pivots.clear();
    for i in 0..n {
        let (mut pivot, mut largest) = (i, 0.0);
        for (p, line) in a.chunks_exact(n).enumerate().skip(i) {
            if line[i].abs() >= largest {
                (pivot, largest) = (p, line[i].abs());
            }
        }
        pivots.push(pivot);
        // By slices, so that no entry is asked for its place.
        let (above, below) = a.split_at_mut((i + 1) * n);
        if pivot != i {
            above[i * n..].swap_with_slice(&mut below[(pivot - i - 1) * n..(pivot - i) * n]);
        }
        let row = &above[i * n + i..];
        let inverse = 1.0 / row[0];
        for line in below.chunks_exact_mut(n) {
            let factor = line[i] * inverse;
            line[i] = factor;
            if factor != 0.0 {
                line[i + 1..].iter_mut().zip(&row[1..]).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
}

/// x := A⁻¹x with the factors of A.
pub(crate) fn substitute(a: &[f64], pivots: &[usize], x: &mut [f64]) {
    let n = x.len();
    for (i, &pivot) in pivots.iter().enumerate() {
        x.swap(i, pivot);
    }
    for i in 0..n {
        let sum: f64 = a[i * n..i * n + i].iter().zip(&*x).map(|(l, x)| l * x).sum();
        x[i] -= sum;
    }
    for i in (0..n).rev() {
        let sum: f64 = a[i * n + i + 1..(i + 1) * n].iter().zip(&x[i + 1..]).map(|(u, x)| u * x).sum();
        x[i] = (x[i] - sum) / a[i * n + i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Systems with a known answer, some of which need another row as pivot.
    #[test]
    fn systems_are_solved() {
        for n in 1..6 {
            let number = |k: usize| (1.7 * (k * k + 3 * n) as f64).sin();
            let entry = |i: usize, j: usize| if i == 0 && j == 0 && n > 1 { 0.0 } else { number(i * n + j) };
            let answer: Vec<f64> = (0..n).map(|j| number(j + 50)).collect();
            let matrix: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
            let right = matrix.chunks(n).map(|row| row.iter().zip(&answer).map(|(a, x)| a * x).sum());
            let right: Vec<f64> = right.collect();
            let (mut a, mut x) = (matrix.clone(), right.clone());
            assert!(solve_in_place(&mut a, &mut x));
            let (mut factors, mut pivots, mut y) = (matrix, Vec::new(), right);
            decompose(&mut factors, &mut pivots, n);
            substitute(&factors, &pivots, &mut y);
            for ((x, y), exact) in x.iter().zip(&y).zip(&answer) {
                assert!((x - exact).abs() < 1e-11 && (y - exact).abs() < 1e-11, "{n}: {x}, {y}, not {exact}");
            }
        }
        assert!(!solve_in_place(&mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 1.0]));
    }
}
