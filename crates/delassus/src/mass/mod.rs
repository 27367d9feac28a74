//! The mass matrix M, factored once.

mod half;

use crate::budget::Budget;
use crate::error::{ImpactError, finite};
use crate::small::{
    self,
    wide::{self, Lanes, WIDE},
};

/// A symmetric positive definite mass matrix, validated and factored.
#[derive(Debug, Clone, PartialEq)]
pub struct Mass {
    blocks: Vec<Block>,
    size: usize,
}

/// A diagonal block; `offset` is its first row.
#[derive(Debug, Clone, PartialEq)]
struct Block {
    offset: usize,
    kind: BlockKind,
}

#[derive(Debug, Clone, PartialEq)]
enum BlockKind {
    /// The diagonal and its reciprocal.
    Diagonal { mass: Vec<f64>, inverse: Vec<f64> },
    /// Row-major matrix and its factor LDLᵀ (row-major: L below the diagonal,
    /// 1/D on it, so that solving never divides).
    Dense { size: usize, matrix: Vec<f64>, factor: Vec<f64> },
    /// The same from [`WIDE`] rows on, with Lᵀ above the diagonal.
    Large { size: usize, matrix: Vec<f64>, factor: Vec<f64>, memory: Memory },
}

/// What factoring a large matrix needs; no part of what a mass matrix is.
#[derive(Debug, Clone, Default)]
struct Memory(Vec<Lanes>);

impl PartialEq for Memory {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Entries of M may differ from their mirror images by this much, relative to √(M_ii M_jj).
const SYMMETRY: f64 = 1e-9;

impl Mass {
    /// A diagonal mass matrix.
    ///
    /// # Errors
    /// An entry that is not positive and finite; an empty list.
    pub fn diagonal(mass: Vec<f64>) -> Result<Self, ImpactError> {
        for (i, &m) in mass.iter().enumerate() {
            // The reciprocal must be finite as well.
            if !(m.is_finite() && m > 0.0 && (1.0 / m).is_finite()) {
                return Err(ImpactError::out_of_range(
                    format!("mass[{i}]"),
                    m,
                    "a mass must be positive and finite, and so must its reciprocal",
                ));
            }
        }
        let size = mass.len();
        if size == 0 {
            return Err(ImpactError::wrong_size("mass", "[]", "needs at least one degree of freedom"));
        }
        let inverse = mass.iter().map(|m| 1.0 / m).collect();
        Ok(Self { blocks: vec![Block { offset: 0, kind: BlockKind::Diagonal { mass, inverse } }], size })
    }

    /// A full mass matrix, `size` × `size`, row by row.
    ///
    /// # Errors
    /// Wrong length, non-finite entries, not symmetric, not positive definite.
    pub fn dense(size: usize, matrix: Vec<f64>) -> Result<Self, ImpactError> {
        Self::dense_within(size, matrix, &mut Budget::unlimited())
    }

    /// As [`dense`](Self::dense), but asks now and then whether to stop; factoring 3000 × 3000 entries takes seconds.
    ///
    /// # Errors
    /// As there; the end of the budget, of the kind [`Stopped`](crate::ErrorKind::Stopped).
    pub fn dense_within(size: usize, matrix: Vec<f64>, budget: &mut Budget<'_>) -> Result<Self, ImpactError> {
        if size == 0 || matrix.len() != size * size {
            return Err(ImpactError::wrong_size(
                "mass",
                format!("{} entries", matrix.len()),
                format!("needs {size} × {size} entries, at least one"),
            ));
        }
        let factor = vec![0.0; size * size];
        let mut block = if size < WIDE {
            BlockKind::Dense { size, matrix, factor }
        } else {
            BlockKind::Large { size, matrix, factor, memory: Memory::default() }
        };
        if !block.factorize(&mut |work| budget.work(work))? {
            return Err(budget.stopped("mass"));
        }
        Ok(Self { blocks: vec![Block { offset: 0, kind: block }], size })
    }

    /// A block-diagonal mass matrix from its blocks, in order.
    ///
    /// # Errors
    /// No block.
    pub fn block_diagonal(parts: Vec<Mass>) -> Result<Self, ImpactError> {
        let mut blocks = Vec::new();
        let mut size = 0;
        for part in parts {
            blocks.extend(part.blocks.into_iter().map(|b| Block { offset: size + b.offset, kind: b.kind }));
            size += part.size;
        }
        if size == 0 {
            return Err(ImpactError::wrong_size("mass", "[]", "needs at least one block"));
        }
        Ok(Self { blocks, size })
    }

    /// A block-diagonal mass matrix from the sizes of its blocks and their entries, one block after the other, row by row.
    ///
    /// # Errors
    /// As [`Mass::dense`]; too few entries.
    pub(crate) fn of_blocks(sizes: &[usize], entries: &[f64]) -> Result<Self, ImpactError> {
        let mut rest = entries;
        let part = |&size: &usize| {
            let (block, after) = rest.split_at_checked(size * size).unwrap_or((rest, &[]));
            rest = after;
            Self::dense(size, block.to_vec())
        };
        Self::block_diagonal(sizes.iter().map(part).collect::<Result<_, _>>()?)
    }

    /// Replaces the entries of a mass matrix of full blocks, one block after the other, keeping the buffers.
    ///
    /// # Errors
    /// As [`Mass::dense`]; the matrix is unusable after an error, so the caller must set it again.
    pub(crate) fn set_blocks(&mut self, entries: &[f64]) -> Result<(), ImpactError> {
        let needed: usize = self.blocks.iter().map(|block| block.kind.size().pow(2)).sum();
        let full = self.blocks.iter().all(|block| !matches!(block.kind, BlockKind::Diagonal { .. }));
        if !full || needed != entries.len() {
            let problem = format!("needs the {needed} entries of full blocks, one after the other");
            return Err(ImpactError::wrong_size("mass", format!("{} entries", entries.len()), problem));
        }
        let mut rest = entries;
        for block in &mut self.blocks {
            if let BlockKind::Dense { matrix, .. } | BlockKind::Large { matrix, .. } = &mut block.kind {
                let (own, after) = rest.split_at(matrix.len());
                matrix.copy_from_slice(own);
                rest = after;
            }
            block.kind.factorize(&mut |_| true)?;
        }
        Ok(())
    }

    /// Number of degrees of freedom n.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Matrix and factor where M is one full block and not large.
    #[inline]
    fn as_full(&self) -> Option<(&[f64], &[f64])> {
        match &self.blocks[..] {
            [Block { kind: BlockKind::Dense { matrix, factor, .. }, .. }] => Some((matrix, factor)),
            _ => None,
        }
    }

    /// The factor where M is one large block: what solves eight right sides at a time.
    pub(crate) fn as_large(&self) -> Option<&[f64]> {
        match &self.blocks[..] {
            [Block { kind: BlockKind::Large { factor, .. }, .. }] => Some(factor),
            _ => None,
        }
    }

    /// Columns (n entries each) := M⁻¹ times those of `source`, where M is one small full block; else `false`.
    pub(crate) fn solve_full_columns(&self, source: &[f64], columns: &mut [f64]) -> bool {
        let Some((_, factor)) = self.as_full() else { return false };
        small::solve_columns(self.size, factor, source, columns);
        true
    }

    /// Replaces the entries of a full mass matrix, keeping the buffers.
    ///
    /// # Errors
    /// As [`Mass::dense`]; the matrix is unusable after an error, so the
    /// caller must set it again.
    pub(crate) fn set_dense(&mut self, entries: &[f64]) -> Result<(), ImpactError> {
        if let [Block { kind: BlockKind::Dense { size, matrix, factor }, .. }] = &mut self.blocks[..]
            && entries.len() == *size * *size
        {
            matrix.copy_from_slice(entries);
            if small::factorize(*size, matrix, factor).is_ok() {
                return Ok(());
            }
        }
        self.set_other(entries)
    }

    /// As [`set_dense`](Self::set_dense), where it is not one small block or something is not right.
    #[cold]
    fn set_other(&mut self, entries: &[f64]) -> Result<(), ImpactError> {
        let size = self.size;
        if let [Block { kind: kind @ BlockKind::Large { .. }, .. }] = &mut self.blocks[..]
            && entries.len() == size * size
        {
            if let BlockKind::Large { matrix, .. } = kind {
                matrix.copy_from_slice(entries);
            }
            return kind.factorize(&mut |_| true).map(|_| ());
        }
        *self = Self::dense(size, entries.to_vec())?;
        Ok(())
    }

    /// Replaces the entries of a diagonal mass matrix, keeping the buffers.
    ///
    /// # Errors
    /// As [`Mass::diagonal`]; the matrix is unusable after an error, so the
    /// caller must set it again.
    pub(crate) fn set_diagonal(&mut self, entries: &[f64]) -> Result<(), ImpactError> {
        let fits = entries.len() == self.size;
        if let [Block { kind: BlockKind::Diagonal { mass, inverse }, .. }] = &mut self.blocks[..]
            && fits
        {
            mass.copy_from_slice(entries);
            inverse.iter_mut().zip(entries).for_each(|(inverse, m)| *inverse = 1.0 / m);
            if entries.iter().zip(inverse).all(|(m, r)| *m > 0.0 && *m <= f64::MAX && *r <= f64::MAX) {
                return Ok(());
            }
        }
        if !fits {
            let value = format!("{} entries", entries.len());
            return Err(ImpactError::wrong_size("mass", value, format!("needs {} entries, the diagonal", self.size)));
        }
        *self = Self::diagonal(entries.to_vec())?;
        Ok(())
    }

    /// Whether the matrix is stored as its diagonal alone.
    pub fn is_diagonal(&self) -> bool {
        self.blocks.iter().all(|block| matches!(block.kind, BlockKind::Diagonal { .. }))
    }

    /// y = M x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        if let Some((matrix, _)) = self.as_full() {
            return small::multiply(self.size, matrix, x, y);
        }
        for block in &self.blocks {
            match &block.kind {
                BlockKind::Diagonal { mass, .. } => {
                    for (i, m) in mass.iter().enumerate() {
                        y[block.offset + i] = m * x[block.offset + i];
                    }
                }
                BlockKind::Dense { size, matrix, .. } | BlockKind::Large { size, matrix, .. } => {
                    small::multiply(*size, matrix, &x[block.offset..], &mut y[block.offset..block.offset + size]);
                }
            }
        }
    }

    /// y = M x; returns ½ xᵀMx.
    #[inline]
    pub(crate) fn momentum_and_energy(&self, x: &[f64], y: &mut [f64]) -> f64 {
        if let Some((matrix, _)) = self.as_full() {
            return 0.5 * small::multiply_and_dot(self.size, matrix, x, y);
        }
        self.multiply(x, y);
        0.5 * small::dot(x, y)
    }

    /// x := M⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        for block in &self.blocks {
            block.solve(&mut x[block.offset..]);
        }
    }

    /// xᵀM⁻¹x; `x` is overwritten.
    pub(crate) fn inverse_quadratic(&self, x: &mut [f64]) -> f64 {
        if let Some((_, factor)) = self.as_full() {
            return small::inverse_quadratic(self.size, factor, x);
        }
        let mut sum = 0.0;
        for block in &self.blocks {
            let x = &mut x[block.offset..];
            sum += match &block.kind {
                BlockKind::Diagonal { inverse, .. } => x.iter().zip(inverse).map(|(x, r)| x * (x * r)).sum(),
                BlockKind::Dense { size, factor, .. } | BlockKind::Large { size, factor, .. } => {
                    small::inverse_quadratic(*size, factor, x)
                }
            };
        }
        sum
    }

    /// ½ xᵀ M x.
    pub fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for block in &self.blocks {
            match &block.kind {
                BlockKind::Diagonal { mass, .. } => {
                    let x = &x[block.offset..];
                    sum += mass.iter().zip(x).map(|(m, v)| m * v * v).sum::<f64>();
                }
                BlockKind::Dense { size, matrix, .. } | BlockKind::Large { size, matrix, .. } => {
                    sum += small::quadratic(*size, matrix, &x[block.offset..]);
                }
            }
        }
        0.5 * sum
    }

    /// The entries of M⁻¹w for a sparse w, pushed to `out` with indices
    /// increasing; `scratch` holds a dense vector of zeros and is left so.
    pub(crate) fn solve_sparse(
        &self,
        indices: &[usize],
        values: &[f64],
        scratch: &mut [f64],
        out: &mut impl FnMut(usize, f64),
    ) {
        let mut k = 0;
        // Only the blocks that w touches, which are few of many bodies.
        while k < indices.len() {
            let block = &self.blocks[self.blocks.partition_point(|block| block.offset <= indices[k]) - 1];
            let end = block.offset + block.kind.size();
            let first = k;
            while k < indices.len() && indices[k] < end {
                k += 1;
            }
            match &block.kind {
                BlockKind::Diagonal { inverse, .. } => {
                    for (&i, &v) in indices[first..k].iter().zip(&values[first..k]) {
                        out(i, v * inverse[i - block.offset]);
                    }
                }
                BlockKind::Dense { .. } | BlockKind::Large { .. } => {
                    for (&i, &v) in indices[first..k].iter().zip(&values[first..k]) {
                        scratch[i] = v;
                    }
                    block.solve(&mut scratch[block.offset..end]);
                    for (i, entry) in scratch.iter_mut().enumerate().take(end).skip(block.offset) {
                        out(i, *entry);
                        *entry = 0.0;
                    }
                }
            }
        }
    }

    /// The matrix in full, row by row.
    pub fn to_dense(&self) -> Vec<f64> {
        let n = self.size;
        let mut full = vec![0.0; n * n];
        for block in &self.blocks {
            let o = block.offset;
            match &block.kind {
                BlockKind::Diagonal { mass, .. } => {
                    for (i, m) in mass.iter().enumerate() {
                        full[(o + i) * n + o + i] = *m;
                    }
                }
                BlockKind::Dense { size, matrix, .. } | BlockKind::Large { size, matrix, .. } => {
                    for (i, row) in matrix.chunks_exact(*size).enumerate() {
                        full[(o + i) * n + o..(o + i) * n + o + size].copy_from_slice(row);
                    }
                }
            }
        }
        full
    }
}

impl Block {
    fn solve(&self, x: &mut [f64]) {
        match &self.kind {
            BlockKind::Diagonal { inverse, .. } => {
                for (xi, r) in x.iter_mut().zip(inverse) {
                    *xi *= r;
                }
            }
            BlockKind::Dense { size, factor, .. } => {
                small::solve(*size, factor, &mut x[..*size]);
            }
            BlockKind::Large { size, factor, .. } => wide::solve(*size, factor, x),
        }
    }
}

impl BlockKind {
    fn size(&self) -> usize {
        match self {
            BlockKind::Diagonal { mass, .. } => mass.len(),
            BlockKind::Dense { size, .. } | BlockKind::Large { size, .. } => *size,
        }
    }

    /// Checks a full block and factors it in place; `false` where `ask` ended that.
    fn factorize(&mut self, ask: &mut dyn FnMut(f64) -> bool) -> Result<bool, ImpactError> {
        let (size, matrix, fault) = match self {
            BlockKind::Diagonal { .. } => return Ok(true),
            BlockKind::Dense { size, matrix, factor } => {
                let mut fault = small::factorize(*size, matrix, factor).err();
                if fault.is_some() {
                    symmetrize(*size, matrix)?;
                    fault = small::factorize(*size, matrix, factor).err();
                }
                (*size, matrix, fault)
            }
            BlockKind::Large { size, matrix, factor, memory } => {
                let mut factored = wide::factorize(*size, matrix, factor, &mut memory.0, ask);
                if matches!(factored, Err(Some(_))) {
                    symmetrize(*size, matrix)?;
                    factored = wide::factorize(*size, matrix, factor, &mut memory.0, ask);
                }
                match factored {
                    Err(None) => return Ok(false),
                    other => (*size, matrix, other.err().flatten()),
                }
            }
        };
        let Some((row, pivot)) = fault else { return Ok(true) };
        let diagonal = matrix[row * size + row];
        if diagonal <= 0.0 {
            let field = format!("mass[{row}][{row}]");
            return Err(ImpactError::out_of_range(field, diagonal, "the mass matrix must be positive definite"));
        }
        let value = format!("matrix with pivot {pivot:e} in row {row}");
        let reason = "the mass matrix must be positive definite, and its inverse finite";
        Err(ImpactError::new("mass", value, reason))
    }
}

/// Replaces entries that differ from their mirror images by round-off by the mean of both.
#[cold]
fn symmetrize(n: usize, matrix: &mut [f64]) -> Result<(), ImpactError> {
    let at = |i: usize, j: usize| format!("mass[{i}][{j}]");
    for (k, &entry) in matrix.iter().enumerate() {
        finite(|| at(k / n, k % n), entry)?;
    }
    for i in 0..n {
        for j in 0..i {
            let (a, b) = (matrix[i * n + j], matrix[j * n + i]);
            if (a - b).abs() > SYMMETRY * (matrix[i * n + i].abs().sqrt() * matrix[j * n + j].abs().sqrt()) {
                let problem = format!("the mass matrix must be symmetric, but mass[{j}][{i}] = {b}");
                return Err(ImpactError::new(at(i, j), a, problem));
            }
            let mean = a + 0.5 * (b - a);
            matrix[i * n + j] = mean;
            matrix[j * n + i] = mean;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_diagonal_acts_like_the_full_matrix() {
        let a = Mass::dense(2, vec![4.0, 1.0, 1.0, 3.0]).unwrap();
        let mixed = Mass::block_diagonal(vec![Mass::diagonal(vec![2.0]).unwrap(), a]).unwrap();
        let full = Mass::dense(3, mixed.to_dense()).unwrap();
        let x = [1.0, -2.0, 0.5];
        let (mut y, mut z) = ([0.0; 3], [0.0; 3]);
        mixed.multiply(&x, &mut y);
        full.multiply(&x, &mut z);
        assert_eq!(y, z);
        assert!((mixed.energy(&x) - full.energy(&x)).abs() < 1e-14);
        mixed.solve(&mut y);
        for (a, b) in y.iter().zip(x) {
            assert!((a - b).abs() < 1e-14);
        }
    }

    #[test]
    fn spoilt_matrices_are_refused() {
        let message = |m: Result<Mass, ImpactError>| m.unwrap_err().to_string();
        assert!(message(Mass::dense(2, vec![1.0, 0.5, 0.4, 1.0])).contains("symmetric"));
        assert!(message(Mass::dense(2, vec![1.0, 1.0, 1.0, 1.0])).contains("positive definite"));
        assert!(message(Mass::dense(2, vec![1.0, 2.0, 2.0, 1.0])).contains("positive definite"));
        assert!(message(Mass::dense(1, vec![f64::NAN])).contains("mass[0][0] = NaN"));
        assert!(message(Mass::dense(2, vec![1.0])).contains("2 × 2"));
        assert!(message(Mass::diagonal(vec![])).contains("at least one"));
        assert!(message(Mass::diagonal(vec![0.0])).contains("mass[0] = 0"));
    }
}
