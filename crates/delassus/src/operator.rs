//! The Delassus operator G = WᵀM⁻¹W.

use crate::columns::Columns;
use crate::small;

/// G = WᵀM⁻¹W, m × m, symmetric positive semidefinite: dense for small
/// problems, compressed rows for large sparse ones (chains, stacks).
#[derive(Debug, Clone, PartialEq)]
pub struct DelassusOperator {
    size: usize,
    storage: Storage,
}

#[derive(Debug, Clone, PartialEq)]
enum Storage {
    /// Row-major.
    Dense(Vec<f64>),
    /// Row `i` has the entries `start[i]..start[i + 1]`, columns increasing.
    Sparse { start: Vec<usize>, column: Vec<usize>, value: Vec<f64> },
}

/// Up to this many rows G is stored dense: the whole fits a second-level cache.
const DENSE_LIMIT: usize = 64;

impl DelassusOperator {
    pub(crate) fn empty() -> Self {
        Self { size: 0, storage: Storage::Dense(Vec::new()) }
    }

    /// Computes G from the columns of W and Y = M⁻¹W, reusing the buffers; `false` where `ask`, which learns the
    /// multiplications done, ended that.
    #[inline(always)]
    pub(crate) fn assemble(
        &mut self,
        w: &Columns,
        y: &Columns,
        coordinates: usize,
        ask: &mut impl FnMut(f64) -> bool,
    ) -> bool {
        self.size = w.len();
        if self.size > DENSE_LIMIT {
            return self.assemble_large(w, y, coordinates, ask);
        }
        if !matches!(self.storage, Storage::Dense(_)) {
            self.storage = Storage::Dense(Vec::new());
        }
        let Storage::Dense(g) = &mut self.storage else { return true };
        g.resize(self.size * self.size, 0.0);
        match (w.as_full(), y.as_full()) {
            (Some(a), Some(b)) => small::gram(coordinates, self.size, a, b, g),
            _ => {
                for i in 0..self.size {
                    for j in 0..=i {
                        let entry = sparse_dot(w, i, y, j);
                        g[i * self.size + j] = entry;
                        g[j * self.size + i] = entry;
                    }
                }
            }
        }
        true
    }

    #[cold]
    fn assemble_large(&mut self, w: &Columns, y: &Columns, n: usize, ask: &mut dyn FnMut(f64) -> bool) -> bool {
        let product = match (w.as_full(), y.as_full()) {
            (Some(a), Some(b)) => full_product(n, self.size, a, b, ask),
            _ => sparse_product(w, y, n, ask),
        };
        let Some(product) = product else { return false };
        self.storage = product;
        true
    }

    /// Number of scalar directions m.
    pub fn size(&self) -> usize {
        self.size
    }

    /// G, row by row, where it is stored dense.
    pub fn as_dense(&self) -> Option<&[f64]> {
        match &self.storage {
            Storage::Dense(g) => Some(g),
            Storage::Sparse { .. } => None,
        }
    }

    /// Writes G row by row into `out`.
    pub fn write_dense(&self, out: &mut Vec<f64>) {
        out.clear();
        match &self.storage {
            Storage::Dense(g) => out.extend_from_slice(g),
            Storage::Sparse { .. } => {
                out.resize(self.size * self.size, 0.0);
                for i in 0..self.size {
                    self.for_row(i, |j, v| out[i * self.size + j] = v);
                }
            }
        }
    }

    /// Calls `visit` with column and value of each stored entry of row `i`.
    #[inline]
    pub fn for_row(&self, i: usize, mut visit: impl FnMut(usize, f64)) {
        match &self.storage {
            Storage::Dense(g) => {
                g[i * self.size..(i + 1) * self.size].iter().enumerate().for_each(|(j, &v)| visit(j, v));
            }
            Storage::Sparse { start, column, value } => {
                for k in start[i]..start[i + 1] {
                    visit(column[k], value[k]);
                }
            }
        }
    }

    /// The entry G_ij.
    #[inline(always)]
    pub fn get(&self, i: usize, j: usize) -> f64 {
        match &self.storage {
            Storage::Dense(g) => g[i * self.size + j],
            Storage::Sparse { start, column, value } => {
                let row = &column[start[i]..start[i + 1]];
                row.binary_search(&j).map_or(0.0, |k| value[start[i] + k])
            }
        }
    }

    /// y = G x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        for (i, yi) in y.iter_mut().enumerate().take(self.size) {
            let mut sum = 0.0;
            self.for_row(i, |j, v| sum += v * x[j]);
            *yi = sum;
        }
    }
}

/// The scalar product of two sparse columns, indices increasing.
fn sparse_dot(a: &Columns, i: usize, b: &Columns, j: usize) -> f64 {
    let (ai, av) = (a.indices(i), a.values(i));
    let (bi, bv) = (b.indices(j), b.values(j));
    let (mut p, mut q, mut sum) = (0, 0, 0.0);
    while p < ai.len() && q < bi.len() {
        match ai[p].cmp(&bi[q]) {
            std::cmp::Ordering::Less => p += 1,
            std::cmp::Ordering::Greater => q += 1,
            std::cmp::Ordering::Equal => {
                sum += av[p] * bv[q];
                p += 1;
                q += 1;
            }
        }
    }
    sum
}

/// G of directions that all have all entries. Stored like a sparse one, because that is what solvers of many contacts take.
fn full_product(n: usize, m: usize, w: &[f64], y: &[f64], ask: &mut dyn FnMut(f64) -> bool) -> Option<Storage> {
    let mut value = vec![0.0; m * m];
    let start = (0..=m).map(|i| i * m).collect();
    let finished = small::wide::gram(n, m, w, y, &mut value, ask);
    finished.then(|| Storage::Sparse { start, column: (0..m).flat_map(|_| 0..m).collect(), value })
}

/// G by rows: row i is Σ over the coordinates c of w_i, of w_ci times row c of Y.
fn sparse_product(w: &Columns, y: &Columns, coordinates: usize, ask: &mut dyn FnMut(f64) -> bool) -> Option<Storage> {
    let m = w.len();
    // Transpose Y: for each coordinate the directions that move it.
    let mut by_coordinate: Vec<Vec<(usize, f64)>> = vec![Vec::new(); coordinates];
    for j in 0..m {
        for (c, v) in y.column(j) {
            by_coordinate[c].push((j, v));
        }
    }
    let mut start = vec![0];
    let (mut column, mut value) = (Vec::new(), Vec::new());
    let mut dense_row = vec![0.0; m];
    let mut seen = vec![usize::MAX; m];
    let mut pattern = Vec::new();
    for i in 0..m {
        pattern.clear();
        let mut work = 0;
        for (c, v) in w.column(i) {
            work += by_coordinate[c].len();
            for &(j, yv) in &by_coordinate[c] {
                if seen[j] != i {
                    seen[j] = i;
                    pattern.push(j);
                    dense_row[j] = 0.0;
                }
                dense_row[j] += v * yv;
            }
        }
        small::sort(&mut pattern);
        for &j in &pattern {
            column.push(j);
            value.push(dense_row[j]);
        }
        start.push(column.len());
        if !ask(work as f64) {
            return None;
        }
    }
    Some(Storage::Sparse { start, column, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_and_dense_storage_agree() {
        // A chain of 80 unit masses: 79 directions, tridiagonal G.
        let mut w = Columns::default();
        for j in 0..79 {
            w.push(80, [(j, -1.0), (j + 1, 1.0)].into_iter());
        }
        let mut g = DelassusOperator::empty();
        assert!(g.assemble(&w, &w, 80, &mut |_| true));
        assert!(g.as_dense().is_none());
        let mut dense = Vec::new();
        g.write_dense(&mut dense);
        for i in 0..79usize {
            for j in 0..79 {
                let expected = if i == j {
                    2.0
                } else if i.abs_diff(j) == 1 {
                    -1.0
                } else {
                    0.0
                };
                assert_eq!(dense[i * 79 + j], expected);
                assert_eq!(g.get(i, j), expected);
                assert_eq!(sparse_dot(&w, i, &w, j), expected);
            }
        }
    }
}
