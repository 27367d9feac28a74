//! A square matrix of small blocks, one block row a contact, stored by compressed block rows.

use super::bodies::Sides;

/// Blocks of d × d numbers (d = 1, 2 or 3) where contacts share a body, and nothing elsewhere.
///
/// Block columns of a row increase; the diagonal block is always there, and with (i, j) also (j, i).
/// Memory and products are linear in the number of blocks.
#[derive(Debug, Clone, Default)]
pub struct BlockMatrix {
    dimension: usize,
    /// The blocks of block row i are `start[i]..start[i + 1]`.
    start: Vec<usize>,
    column: Vec<u32>,
    /// d² numbers a block, row by row.
    value: Vec<f64>,
    /// Place of each diagonal block.
    diagonal: Vec<usize>,
    /// How it came about, where contacts share few bodies.
    pub(super) sides: Option<Box<Sides>>,
}

/// Two are equal by their numbers.
impl PartialEq for BlockMatrix {
    fn eq(&self, other: &Self) -> bool {
        (self.dimension, &self.start, &self.column, &self.value)
            == (other.dimension, &other.start, &other.column, &other.value)
    }
}

impl BlockMatrix {
    /// A matrix from the blocks (row, column, d² values row by row) in any order; blocks at the same place are added.
    ///
    /// # Panics
    /// If the dimension is not 1, 2 or 3, an index is not below `contacts`, or a block does not have d² values.
    pub fn from_blocks<'a>(
        dimension: usize,
        contacts: usize,
        blocks: impl Iterator<Item = (usize, usize, &'a [f64])> + Clone,
    ) -> Self {
        let mut pattern = Pattern::new(dimension, contacts);
        blocks.clone().for_each(|(i, j, _)| pattern.push(i, j));
        let mut matrix = pattern.finish();
        for (i, j, values) in blocks {
            let block = matrix.block_mut(i, j);
            assert_eq!(block.len(), values.len(), "a block has d × d values");
            block.iter_mut().zip(values).for_each(|(sum, v)| *sum += v);
        }
        matrix
    }

    /// A matrix from single entries (row, column, value) in any order; entries at the same place are added.
    ///
    /// # Panics
    /// If the dimension is not 1, 2 or 3, or an index is not below `dimension * contacts`.
    pub fn from_entries(
        dimension: usize,
        contacts: usize,
        entries: impl Iterator<Item = (usize, usize, f64)> + Clone,
    ) -> Self {
        Self::from_visits(dimension, contacts, |visit| entries.clone().for_each(|(i, j, v)| visit(i, j, v)))
    }

    /// The same, for entries that `each` hands to a function, twice; the second time may be the last that they are there.
    ///
    /// # Panics
    /// As [`from_entries`](Self::from_entries).
    pub fn from_visits(
        dimension: usize,
        contacts: usize,
        mut each: impl FnMut(&mut dyn FnMut(usize, usize, f64)),
    ) -> Self {
        let mut pattern = Pattern::new(dimension, contacts);
        // Entries of a row or column follow each other, so most repeat the block before.
        let mut last = (usize::MAX, 0);
        each(&mut |i, j, value| {
            let place = (i / dimension, j / dimension);
            if place != last && value != 0.0 {
                pattern.push(place.0, place.1);
                last = place;
            }
        });
        let mut matrix = pattern.finish();
        each(&mut |i, j, value| {
            if value != 0.0 {
                matrix.block_mut(i / dimension, j / dimension)[i % dimension * dimension + j % dimension] += value;
            }
        });
        matrix
    }

    /// A matrix of zeros with blocks at these places (row, column), their mirror images and the diagonal.
    ///
    /// # Panics
    /// If the dimension is not 1, 2 or 3, or an index is not below `contacts`.
    pub fn with_pattern(dimension: usize, contacts: usize, places: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut pattern = Pattern::new(dimension, contacts);
        places.for_each(|(i, j)| pattern.push(i, j));
        pattern.finish()
    }

    /// Adds d² values, row by row, to a block.
    ///
    /// # Panics
    /// If the pattern has no such block.
    pub fn add(&mut self, i: usize, j: usize, values: impl Iterator<Item = f64>) {
        self.sides = None;
        self.block_mut(i, j).iter_mut().zip(values).for_each(|(sum, v)| *sum += v);
    }

    /// Rows of a block, d.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of contacts (block rows).
    pub fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of rows, d times the number of contacts.
    pub fn rows(&self) -> usize {
        self.dimension * self.contacts()
    }

    /// Number of blocks stored.
    pub fn blocks(&self) -> usize {
        self.column.len()
    }

    /// Block columns of a block row, increasing, and its blocks one after the other.
    #[inline]
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let (from, to, size) = (self.start[i], self.start[i + 1], self.dimension * self.dimension);
        (&self.column[from..to], &self.value[from * size..to * size])
    }

    /// Diagonal block, row by row.
    #[inline]
    pub fn diagonal(&self, i: usize) -> &[f64] {
        let size = self.dimension * self.dimension;
        &self.value[self.diagonal[i] * size..][..size]
    }

    /// An entry by its scalar row and column.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let d = self.dimension;
        let (columns, values) = self.row(row / d);
        columns.binary_search(&((column / d) as u32)).map_or(0.0, |k| values[(k * d + row % d) * d + column % d])
    }

    /// The block at a place that is stored, row by row.
    pub(super) fn block(&self, i: usize, j: usize) -> &[f64] {
        let size = self.dimension * self.dimension;
        &self.value[self.place(i, j) * size..][..size]
    }

    fn place(&self, i: usize, j: usize) -> usize {
        let row = &self.column[self.start[i]..self.start[i + 1]];
        self.start[i] + row.binary_search(&(j as u32)).expect("the pattern has this block")
    }

    /// The block at a place that is stored.
    fn block_mut(&mut self, i: usize, j: usize) -> &mut [f64] {
        let size = self.dimension * self.dimension;
        let place = self.place(i, j);
        &mut self.value[place * size..][..size]
    }

    /// y = A x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        match self.dimension {
            1 => self.multiply_by::<1>(x, y),
            2 => self.multiply_by::<2>(x, y),
            _ => self.multiply_by::<3>(x, y),
        }
    }

    fn multiply_by<const D: usize>(&self, x: &[f64], y: &mut [f64]) {
        for (i, y) in y.chunks_exact_mut(D).enumerate() {
            y.copy_from_slice(&self.row_product::<D>(i, x));
        }
    }

    /// The rows of A x that belong to contact `i`.
    #[inline(always)]
    pub(super) fn row_product<const D: usize>(&self, i: usize, x: &[f64]) -> [f64; D] {
        let (from, to) = (self.start[i], self.start[i + 1]);
        let mut sum = [0.0; D];
        let values = &self.value[from * D * D..to * D * D];
        for (&j, block) in self.column[from..to].iter().zip(values.chunks_exact(D * D)) {
            let x = &x[j as usize * D..][..D];
            for (sum, row) in sum.iter_mut().zip(block.chunks_exact(D)) {
                *sum += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            }
        }
        sum
    }

    /// How far the matrix is from symmetric: the largest |A_ij − A_ji|, relative to √(A_ii A_jj) or to the larger of both
    /// where that is larger.
    pub fn asymmetry(&self) -> f64 {
        let d = self.dimension;
        let root = |row: usize| self.diagonal(row / d)[row % d * (d + 1)].max(0.0).sqrt();
        let mut most = 0.0f64;
        for i in 0..self.contacts() {
            let (columns, values) = self.row(i);
            for (&j, block) in columns.iter().zip(values.chunks_exact(d * d)) {
                for (k, &value) in block.iter().enumerate() {
                    let (row, column) = (i * d + k / d, j as usize * d + k % d);
                    if row < column {
                        let other = self.get(column, row);
                        let scale = value.abs().max(other.abs()).max(root(row) * root(column));
                        most = if scale > 0.0 { most.max((value - other).abs() / scale) } else { most };
                    }
                }
            }
        }
        most
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        // Eight at a time, without a question after each.
        self.value.chunks(8).all(|some| some.iter().fold(true, |all, v| all & v.is_finite()))
    }
}

/// Places of blocks, collected before their values.
#[derive(Debug)]
pub(super) struct Pattern {
    dimension: usize,
    rows: Vec<Vec<u32>>,
}

impl Pattern {
    pub(super) fn new(dimension: usize, contacts: usize) -> Self {
        assert!((1..=3).contains(&dimension), "blocks have 1, 2 or 3 rows");
        Self { dimension, rows: (0..contacts).map(|i| vec![i as u32]).collect() }
    }

    /// Notes a block and its mirror image.
    pub(super) fn push(&mut self, i: usize, j: usize) {
        if i != j {
            self.push_one(i, j);
            self.push_one(j, i);
        }
    }

    fn push_one(&mut self, i: usize, j: usize) {
        let row = &mut self.rows[i];
        // Entries name a block up to 2d times: lists do not grow for that.
        if row.len() == row.capacity() && row.len() >= 16 {
            crate::small::sort(row);
            row.dedup();
            // Not again after every entry of a row that is as long as that.
            if row.len() > row.capacity() / 2 {
                row.reserve(row.len());
            }
        }
        row.push(j as u32);
    }

    /// The matrix with zeros at these places.
    pub(super) fn finish(self) -> BlockMatrix {
        let (mut start, mut column, mut diagonal) = (vec![0], Vec::new(), Vec::new());
        for (i, mut row) in self.rows.into_iter().enumerate() {
            crate::small::sort(&mut row);
            row.dedup();
            diagonal.push(column.len() + row.partition_point(|&j| (j as usize) < i));
            column.extend_from_slice(&row);
            start.push(column.len());
        }
        column.shrink_to_fit();
        let value = vec![0.0; column.len() * self.dimension * self.dimension];
        BlockMatrix { dimension: self.dimension, start, column, value, diagonal, sides: None }
    }
}
