//! Sparse columns: the directions W and the products M⁻¹W.

/// A matrix stored by sparse columns. Row indices of a column increase.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
    /// Number of rows where every column is full, else 0: the fast path of small problems.
    full: usize,
    start: Vec<usize>,
    index: Vec<usize>,
    value: Vec<f64>,
}

impl Columns {
    /// Removes all columns and keeps the buffers.
    pub(crate) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.index.clear();
        self.value.clear();
    }

    /// Appends a column of a matrix with `rows` rows, indices increasing.
    pub(crate) fn push(&mut self, rows: usize, entries: impl Iterator<Item = (usize, f64)>) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        for (i, v) in entries {
            self.index.push(i);
            self.value.push(v);
        }
        self.start.push(self.index.len());
        self.full = if self.index.len() == self.len() * rows { rows } else { 0 };
    }

    /// Whether every column has every entry.
    pub(crate) fn is_full(&self) -> bool {
        self.full > 0
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether there is no column.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Row indices of column `j`.
    pub fn indices(&self, j: usize) -> &[usize] {
        &self.index[self.start[j]..self.start[j + 1]]
    }

    /// Values of column `j`, in the order of [`indices`](Self::indices).
    pub fn values(&self, j: usize) -> &[f64] {
        &self.value[self.start[j]..self.start[j + 1]]
    }

    /// Values of column `j`, to be overwritten without changing the pattern.
    pub(crate) fn values_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.value[self.start[j]..self.start[j + 1]]
    }

    /// The entries `(row, value)` of column `j`.
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.indices(j).iter().copied().zip(self.values(j).iter().copied())
    }

    /// The scalar product of column `j` with a dense vector.
    #[inline]
    pub fn dot(&self, j: usize, x: &[f64]) -> f64 {
        if self.full > 0 {
            return dot(&self.value[j * self.full..(j + 1) * self.full], x);
        }
        self.indices(j).iter().zip(self.values(j)).map(|(&i, &v)| v * x[i]).sum()
    }

    /// Adds `factor` times column `j` to a dense vector.
    #[inline]
    pub fn add_to(&self, j: usize, factor: f64, x: &mut [f64]) {
        if self.full > 0 {
            let column = &self.value[j * self.full..(j + 1) * self.full];
            column.iter().zip(x).for_each(|(v, x)| *x += factor * v);
            return;
        }
        for (&i, &v) in self.indices(j).iter().zip(self.values(j)) {
            x[i] += factor * v;
        }
    }
}

/// The scalar product of two dense vectors, summed from the first entry on.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (x, y) in a.iter().zip(b) {
        sum += x * y;
    }
    sum
}
