//! Sparse columns: the directions W and the products M⁻¹W.

use crate::small;

/// Entries of a column up to which zeros are stored.
const SHORT: usize = 8;

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

    /// Becomes equal to `other`, keeping the buffers.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.full = other.full;
        self.start.clone_from(&other.start);
        self.index.clone_from(&other.index);
        self.value.clone_from(&other.value);
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

    /// Appends a column given by all its entries; a long one with few that are not zero is stored without zeros.
    pub(crate) fn push_full(&mut self, values: &[f64]) {
        let filled = values.iter().filter(|&&v| v != 0.0).count();
        let sparse = values.len() > SHORT && 2 * filled < values.len();
        self.push(values.len(), values.iter().copied().enumerate().filter(|&(_, v)| !sparse || v != 0.0));
    }

    /// Appends a column with entries at some places, increasing. A short one, and one with most of its entries, is stored
    /// with its zeros: then all columns are quick to multiply.
    pub(crate) fn push_places(&mut self, rows: usize, places: &[usize], values: &[f64]) {
        if rows > SHORT && 2 * places.len() < rows {
            return self.push(rows, places.iter().copied().zip(values.iter().copied()));
        }
        let mut next = places.iter().zip(values).peekable();
        let entry = |i: usize| (i, next.next_if(|(place, _)| **place == i).map_or(0.0, |(_, value)| *value));
        self.push(rows, (0..rows).map(entry));
    }

    /// Becomes `count` full columns of `rows` rows, to be written; what they hold is left open.
    pub(crate) fn make_full(&mut self, rows: usize, count: usize) -> &mut [f64] {
        if self.full != rows || self.len() != count {
            self.clear();
            self.full = rows;
            self.start.extend((1..=count).map(|j| j * rows));
            self.index.extend((0..count).flat_map(|_| 0..rows));
            self.value.resize(count * rows, 0.0);
        }
        &mut self.value
    }

    /// All values, one column after the other, where every column has every entry.
    pub(crate) fn as_full(&self) -> Option<&[f64]> {
        (self.full > 0).then_some(&self.value)
    }

    /// As [`as_full`](Self::as_full), to be overwritten.
    pub(crate) fn as_full_mut(&mut self) -> Option<&mut [f64]> {
        (self.full > 0).then_some(&mut self.value)
    }

    /// y = Aᵀx.
    pub(crate) fn transpose_multiply(&self, x: &[f64], y: &mut [f64]) {
        match self.as_full() {
            Some(values) => small::multiply(self.full, values, x, y),
            None => y.iter_mut().enumerate().for_each(|(j, y)| *y = self.dot(j, x)),
        }
    }

    /// x += sign · A factors.
    pub(crate) fn add_product(&self, factors: &[f64], sign: f64, x: &mut [f64]) {
        match self.as_full() {
            Some(values) => small::add_rows(self.full, values, factors, sign, x),
            None => {
                for (j, &factor) in factors.iter().enumerate().filter(|(_, f)| **f != 0.0) {
                    self.add_to(j, sign * factor, x);
                }
            }
        }
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

    /// The entries `(row, value)` of column `j`.
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.indices(j).iter().copied().zip(self.values(j).iter().copied())
    }

    /// The scalar product of column `j` with a dense vector.
    #[inline]
    pub fn dot(&self, j: usize, x: &[f64]) -> f64 {
        if self.full > 0 {
            return small::dot(&self.value[j * self.full..(j + 1) * self.full], x);
        }
        self.indices(j).iter().zip(self.values(j)).map(|(&i, &v)| v * x[i]).sum()
    }

    /// Adds `factor` times column `j` to a dense vector.
    #[inline]
    pub fn add_to(&self, j: usize, factor: f64, x: &mut [f64]) {
        if self.full > 0 {
            let column = &self.value[j * self.full..(j + 1) * self.full];
            return small::add_rows(self.full, column, &[factor], 1.0, x);
        }
        for (&i, &v) in self.indices(j).iter().zip(self.values(j)) {
            x[i] += factor * v;
        }
    }
}
