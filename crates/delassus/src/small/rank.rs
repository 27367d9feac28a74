//! Linear systems of unknown rank: elimination with full pivoting.

use super::pivoting::eliminate;

/// A rows × columns system A y = r, its elimination, and its solution set.
/// Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct FullPivot {
    rows: usize,
    columns: usize,
    /// A, row by row; after [`eliminate`](Self::eliminate) its upper factor.
    a: Vec<f64>,
    /// Right-hand side, eliminated along.
    rhs: Vec<f64>,
    /// Original column in each place.
    order: Vec<usize>,
    rank: usize,
    /// Multiplications so far.
    pub(crate) effort: f64,
}

impl FullPivot {
    /// Starts a system of zeros.
    pub(crate) fn reset(&mut self, rows: usize, columns: usize) {
        self.rows = rows;
        self.columns = columns;
        self.a.clear();
        self.a.resize(rows * columns, 0.0);
        self.rhs.clear();
        self.rhs.resize(rows, 0.0);
        self.rank = 0;
    }

    /// Row `i` of A and its right-hand side, to be filled.
    pub(crate) fn row_mut(&mut self, i: usize) -> (&mut [f64], &mut f64) {
        (&mut self.a[i * self.columns..(i + 1) * self.columns], &mut self.rhs[i])
    }

    /// Eliminates; pivots below `tolerance` times the largest one count as zero.
    pub(crate) fn eliminate(&mut self, tolerance: f64) -> usize {
        let (m, n) = (self.rows, self.columns);
        self.order.clear();
        self.order.extend(0..n);
        self.effort += (m * n * m.min(n)) as f64;
        self.rank = eliminate(&mut self.a, &mut self.rhs, &mut self.order, tolerance);
        self.rank
    }

    /// Smallest pivot; one where none is smaller.
    pub(crate) fn weakest(&self) -> f64 {
        (0..self.rank).map(|k| self.a[k * self.columns + k].abs()).fold(1.0, f64::min)
    }

    /// Largest right-hand side left in the rows beyond the rank: zero if the system is consistent.
    pub(crate) fn inconsistency(&self) -> f64 {
        self.rhs[self.rank..].iter().fold(0.0, |m: f64, v| m.max(v.abs()))
    }

    /// A solution with zeros in the free unknowns.
    pub(crate) fn solution(&self, y: &mut Vec<f64>) {
        y.clear();
        y.resize(self.columns, 0.0);
        self.back_substitute(y, |k| self.rhs[k]);
    }

    /// Dimension of the null space.
    pub(crate) fn nullity(&self) -> usize {
        self.columns - self.rank
    }

    /// The `k`-th basis vector of the null space, written to `y`.
    pub(crate) fn null_vector(&self, k: usize, y: &mut Vec<f64>) {
        let free = self.rank + k;
        y.clear();
        y.resize(self.columns, 0.0);
        self.back_substitute(y, |i| -self.a[i * self.columns + free]);
        y[self.order[free]] = 1.0;
    }

    fn back_substitute(&self, y: &mut [f64], rhs: impl Fn(usize) -> f64) {
        let n = self.columns;
        for i in (0..self.rank).rev() {
            let mut sum = rhs(i);
            for j in i + 1..self.rank {
                sum -= self.a[i * n + j] * y[self.order[j]];
            }
            y[self.order[i]] = sum / self.a[i * n + i];
        }
    }
}
