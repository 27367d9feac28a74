//! Sparse columns: the directions W and the products M⁻¹W.

/// A matrix stored by sparse columns. Row indices of a column increase.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
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

    /// Appends a column given by its entries, indices increasing.
    pub(crate) fn push(&mut self, entries: impl Iterator<Item = (usize, f64)>) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        for (i, v) in entries {
            self.index.push(i);
            self.value.push(v);
        }
        self.start.push(self.index.len());
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
        self.indices(j).iter().zip(self.values(j)).map(|(&i, &v)| v * x[i]).sum()
    }

    /// Adds `factor` times column `j` to a dense vector.
    #[inline]
    pub fn add_to(&self, j: usize, factor: f64, x: &mut [f64]) {
        for (&i, &v) in self.indices(j).iter().zip(self.values(j)) {
            x[i] += factor * v;
        }
    }
}
