//! Elimination with complete pivoting, the kernel of [`super::rank`] and [`super::redundant`].

/// Eliminates the matrix `a`, one row per right-hand side and one entry per column, with exchanges of rows and
/// columns: its upper factor stays in place, `rhs` and `columns` follow. Returns the rank: pivots up to `tolerance`
/// times the largest one are none.
pub(super) fn eliminate(a: &mut [f64], rhs: &mut [f64], columns: &mut [usize], tolerance: f64) -> usize {
    let (m, n) = (rhs.len(), columns.len());
    let mut greatest = 0.0f64;
    for k in 0..m.min(n) {
        let (mut p, mut q, mut largest) = (k, k, -1.0);
        for i in k..m {
            for (j, v) in a[i * n + k..(i + 1) * n].iter().enumerate() {
                // What is not a number never wins; a matrix of it has rank 0.
                if v.abs() > largest {
                    (p, q, largest) = (i, k + j, v.abs());
                }
            }
        }
        greatest = greatest.max(largest);
        if largest <= tolerance * greatest {
            return k;
        }
        if p != k {
            (0..n).for_each(|j| a.swap(p * n + j, k * n + j));
            rhs.swap(p, k);
        }
        if q != k {
            (0..m).for_each(|i| a.swap(i * n + q, i * n + k));
            columns.swap(q, k);
        }
        let (upper, lower) = a.split_at_mut((k + 1) * n);
        let pivot_row = &upper[k * n + k..];
        let (inverse, pivot_rhs) = (1.0 / pivot_row[0], rhs[k]);
        for (row, rhs) in lower.chunks_exact_mut(n).zip(&mut rhs[k + 1..]) {
            let factor = row[k] * inverse;
            if factor != 0.0 {
                row[k..].iter_mut().zip(pivot_row).for_each(|(a, b)| *a -= factor * b);
                *rhs -= factor * pivot_rhs;
            }
        }
    }
    m.min(n)
}
