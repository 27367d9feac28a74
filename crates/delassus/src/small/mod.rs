//! Dense linear algebra for small sizes, in place and without allocation: kernels and LDLᵀ factors here,
//! [`lu`] for regular systems, [`rank`] and [`redundant`] (complete pivoting) for those of unknown rank,
//! [`singular`] values, [`pseudo_inverse`] of symmetric matrices, [`wide`] kernels for large ones; lists sorted.
//!
//! One loop per operation; [`by_size`] inlines it for the common numbers of
//! coordinates, so that the compiler unrolls it (measured: 2.2 times fewer
//! instructions per impact at n = 3). Other sizes are called out of line,
//! which leaves the common ones without registers to save. Matrices are row by
//! row.

pub(crate) mod lu;
mod pivoting;
pub(crate) mod pseudo_inverse;
pub(crate) mod rank;
pub(crate) mod redundant;
pub(crate) mod singular;
mod sort;
pub(crate) mod wide;

pub use sort::{sort, sort_by, sort_by_number, sort_different, sort_few};

/// Calls an `#[inline(always)]` kernel with a constant first argument for the common sizes.
macro_rules! by_size {
    ($n:expr, $kernel:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?) => {{
        #[inline(never)]
        fn any_size(n: usize, $($argument: $kind),*) $(-> $result)? {
            $kernel(n, $($argument),*)
        }
        match $n {
            1 => $kernel(1, $($argument),*),
            2 => $kernel(2, $($argument),*),
            3 => $kernel(3, $($argument),*),
            6 => $kernel(6, $($argument),*),
            n => any_size(n, $($argument),*),
        }
    }};
}

/// Factors M = LDLᵀ: L with unit diagonal below, and 1/D on the diagonal of
/// `factor`. Without roots, which would double the latency of a small factor.
///
/// `Err((row, pivot))` where the matrix is not exactly symmetric, not positive
/// definite, or where it or its inverse is beyond the range of numbers.
pub(crate) fn factorize(n: usize, matrix: &[f64], factor: &mut [f64]) -> Result<(), (usize, f64)> {
    by_size!(n, factorize_kernel(matrix: &[f64], factor: &mut [f64]) -> Result<(), (usize, f64)>)
}

#[inline(always)]
fn factorize_kernel(n: usize, matrix: &[f64], factor: &mut [f64]) -> Result<(), (usize, f64)> {
    let (matrix, factor) = (&matrix[..n * n], &mut factor[..n * n]);
    for i in 0..n {
        finish_row(n, i, 0, matrix, factor)?;
    }
    Ok(())
}

/// Row i of the factor, whose entries before `first` are the c_ij = l_ij d_j already.
#[inline(always)]
fn finish_row(n: usize, i: usize, first: usize, matrix: &[f64], factor: &mut [f64]) -> Result<(), (usize, f64)> {
    let (matrix, factor) = (&matrix[..n * n], &mut factor[..n * n]);
    // A row in registers where that is possible: what was just stored entry by entry is slow to load as a vector.
    let mut registers = [0.0; 3];
    let few = n <= registers.len() && first == 0;
    let diagonal = matrix[i * n + i];
    let mut pivot = diagonal;
    for j in first..i {
        let mut c = matrix[i * n + j];
        if c != matrix[j * n + i] {
            return Err((i, f64::NAN));
        }
        for k in 0..j {
            c -= if few { registers[k] } else { factor[i * n + k] } * factor[j * n + k];
        }
        if few {
            registers[j] = c;
        } else {
            factor[i * n + j] = c;
        }
    }
    for j in 0..i {
        let c = if few { registers[j] } else { factor[i * n + j] };
        let l = c * factor[j * n + j];
        factor[i * n + j] = l;
        pivot -= c * l;
    }
    // More than the round-off of cancelled entries, and with a finite reciprocal.
    let round_off = 8.0 * n as f64 * f64::EPSILON * diagonal;
    if !(pivot > round_off && (f64::MIN_POSITIVE..=f64::MAX).contains(&pivot)) {
        return Err((i, pivot));
    }
    factor[i * n + i] = 1.0 / pivot;
    Ok(())
}

/// A lower bound of the eigenvalues of a symmetric matrix scaled to ones on its diagonal; 0 where it is not known to
/// be positive definite. `factor` becomes its factor.
///
/// The product of the eigenvalues is that of the pivots over the diagonal, and all but the least one of n that sum up
/// to n have a product below e.
pub(crate) fn least_eigenvalue(n: usize, matrix: &[f64], factor: &mut [f64]) -> f64 {
    if factorize(n, matrix, factor).is_err() {
        return 0.0;
    }
    let diagonals = matrix.iter().step_by(n + 1).zip(factor.iter().step_by(n + 1));
    diagonals.map(|(entry, inverse)| 1.0 / (entry * inverse)).product::<f64>() / std::f64::consts::E
}

/// Columns y_j := M⁻¹w_j (n entries each), with the factor of M.
pub(crate) fn solve_columns(n: usize, factor: &[f64], w: &[f64], y: &mut [f64]) {
    by_size!(n, solve_columns_kernel(factor: &[f64], w: &[f64], y: &mut [f64]));
}

#[inline(always)]
fn solve_columns_kernel(n: usize, factor: &[f64], w: &[f64], y: &mut [f64]) {
    let (factor, y) = (&factor[..n * n], &mut y[..w.len()]);
    let mut start = 0;
    while start + n <= w.len() {
        let column = &mut y[start..start + n];
        column.copy_from_slice(&w[start..start + n]);
        solve_kernel(n, factor, column);
        start += n;
    }
}

/// x := M⁻¹x with the factor of M.
pub(crate) fn solve(n: usize, factor: &[f64], x: &mut [f64]) {
    by_size!(n, solve_kernel(factor: &[f64], x: &mut [f64]));
}

#[inline(always)]
fn solve_kernel(n: usize, factor: &[f64], x: &mut [f64]) {
    let (factor, x) = (&factor[..n * n], &mut x[..n]);
    forward_kernel(n, factor, x);
    for i in (0..n).rev() {
        let mut sum = x[i] * factor[i * n + i];
        for j in i + 1..n {
            sum -= factor[j * n + i] * x[j];
        }
        x[i] = sum;
    }
}

/// x := L⁻¹x.
#[inline(always)]
fn forward_kernel(n: usize, factor: &[f64], x: &mut [f64]) {
    let (factor, x) = (&factor[..n * n], &mut x[..n]);
    for i in 1..n {
        let mut sum = x[i];
        for j in 0..i {
            sum -= factor[i * n + j] * x[j];
        }
        x[i] = sum;
    }
}

/// xᵀM⁻¹x with the factor of M; `x` is overwritten.
pub(crate) fn inverse_quadratic(n: usize, factor: &[f64], x: &mut [f64]) -> f64 {
    by_size!(n, inverse_quadratic_kernel(factor: &[f64], x: &mut [f64]) -> f64)
}

#[inline(always)]
fn inverse_quadratic_kernel(n: usize, factor: &[f64], x: &mut [f64]) -> f64 {
    let (factor, x) = (&factor[..n * n], &mut x[..n]);
    forward_kernel(n, factor, x);
    let mut sum = 0.0;
    for i in 0..n {
        // In this order the square of a huge x cannot overflow before its weight is applied.
        sum += x[i] * (x[i] * factor[i * n + i]);
    }
    sum
}

/// y = A x for a matrix with rows of n entries.
pub(crate) fn multiply(n: usize, rows: &[f64], x: &[f64], y: &mut [f64]) {
    by_size!(n, multiply_kernel(rows: &[f64], x: &[f64], y: &mut [f64]));
}

#[inline(always)]
fn multiply_kernel(n: usize, rows: &[f64], x: &[f64], y: &mut [f64]) {
    let (rows, x) = (&rows[..n * y.len()], &x[..n]);
    for (i, y) in y.iter_mut().enumerate() {
        *y = dot_kernel(n, &rows[i * n..(i + 1) * n], x);
    }
}

/// y = A x for an n × n matrix; returns x · y.
pub(crate) fn multiply_and_dot(n: usize, matrix: &[f64], x: &[f64], y: &mut [f64]) -> f64 {
    by_size!(n, multiply_and_dot_kernel(matrix: &[f64], x: &[f64], y: &mut [f64]) -> f64)
}

#[inline(always)]
fn multiply_and_dot_kernel(n: usize, matrix: &[f64], x: &[f64], y: &mut [f64]) -> f64 {
    let (matrix, x, y) = (&matrix[..n * n], &x[..n], &mut y[..n]);
    let mut sum = 0.0;
    for i in 0..n {
        y[i] = dot_kernel(n, &matrix[i * n..(i + 1) * n], x);
        sum += x[i] * y[i];
    }
    sum
}

/// y = x, for vectors of the same length.
pub(crate) fn copy(x: &[f64], y: &mut [f64]) {
    by_size!(x.len(), copy_kernel(x: &[f64], y: &mut [f64]));
}

#[inline(always)]
fn copy_kernel(n: usize, x: &[f64], y: &mut [f64]) {
    y[..n].copy_from_slice(&x[..n]);
}

/// y −= x, for vectors of the same length.
pub(crate) fn subtract(x: &[f64], y: &mut [f64]) {
    by_size!(x.len(), subtract_kernel(x: &[f64], y: &mut [f64]));
}

#[inline(always)]
fn subtract_kernel(n: usize, x: &[f64], y: &mut [f64]) {
    let (x, y) = (&x[..n], &mut y[..n]);
    for i in 0..n {
        y[i] -= x[i];
    }
}

/// x += Σ factor_j row_j for rows of n entries.
pub(crate) fn add_rows(n: usize, rows: &[f64], factors: &[f64], sign: f64, x: &mut [f64]) {
    by_size!(n, add_rows_kernel(rows: &[f64], factors: &[f64], sign: f64, x: &mut [f64]));
}

#[inline(always)]
fn add_rows_kernel(n: usize, rows: &[f64], factors: &[f64], sign: f64, x: &mut [f64]) {
    let (rows, x) = (&rows[..n * factors.len()], &mut x[..n]);
    for (j, factor) in factors.iter().enumerate() {
        let (row, factor) = (&rows[j * n..(j + 1) * n], sign * factor);
        for i in 0..n {
            x[i] += factor * row[i];
        }
    }
}

/// The symmetric product G_ij = a_i · b_j of m rows of n entries.
pub(crate) fn gram(n: usize, m: usize, a: &[f64], b: &[f64], g: &mut [f64]) {
    by_size!(n, gram_kernel(m: usize, a: &[f64], b: &[f64], g: &mut [f64]));
}

#[inline(always)]
fn gram_kernel(n: usize, m: usize, a: &[f64], b: &[f64], g: &mut [f64]) {
    let (a, b, g) = (&a[..m * n], &b[..m * n], &mut g[..m * m]);
    for i in 0..m {
        for j in 0..=i {
            let entry = dot_kernel(n, &a[i * n..(i + 1) * n], &b[j * n..(j + 1) * n]);
            g[i * m + j] = entry;
            g[j * m + i] = entry;
        }
    }
}

/// xᵀAx.
pub(crate) fn quadratic(n: usize, matrix: &[f64], x: &[f64]) -> f64 {
    by_size!(n, quadratic_kernel(matrix: &[f64], x: &[f64]) -> f64)
}

#[inline(always)]
fn quadratic_kernel(n: usize, matrix: &[f64], x: &[f64]) -> f64 {
    let x = &x[..n];
    let mut sum = 0.0;
    for (row, value) in matrix.chunks_exact(n).zip(x) {
        sum += value * dot_kernel(n, row, x);
    }
    sum
}

/// a · b, summed from the first entry on.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    by_size!(a.len(), dot_kernel(a: &[f64], b: &[f64]) -> f64)
}

#[inline(always)]
fn dot_kernel(n: usize, a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (&a[..n], &b[..n]);
    let mut sum = if n == 0 { 0.0 } else { a[0] * b[0] };
    for i in 1..n {
        sum += a[i] * b[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_bounded_from_below() {
        // Correlations c between all of n unit directions: eigenvalues 1 − c and 1 + (n − 1)c; units do not matter.
        for n in [2, 5, 8] {
            for c in [0.0, 0.3, 0.9, 0.999_999] {
                let unit = |i: usize| 10f64.powi(i as i32 - 2);
                let entry = |k: usize| unit(k / n) * unit(k % n) * if k.is_multiple_of(n + 1) { 1.0 } else { c };
                let matrix: Vec<f64> = (0..n * n).map(entry).collect();
                let bound = least_eigenvalue(n, &matrix, &mut vec![0.0; n * n]);
                assert!(bound > 0.0 && bound <= (1.0 - c) * (1.0 + 1e-9), "{n} {c}: {bound}");
            }
            assert!(least_eigenvalue(n, &vec![1.0; n * n], &mut vec![0.0; n * n]) == 0.0);
        }
    }
}
