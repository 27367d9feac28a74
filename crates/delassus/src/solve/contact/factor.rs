//! Sparse LU factors of matrices of small blocks, without exchange of block rows.
//!
//! The pattern is symmetric. Rows are eliminated one after the other in an order that keeps the
//! fill small; a row needs the rows that stand on the paths from its entries up the elimination tree.

use crate::elementary::Elementary;

/// Which blocks the factors have, for a matrix of blocks in the order of elimination.
#[derive(Debug, Default)]
pub(crate) struct Symbolic {
    /// Blocks to the left of the diagonal of each row, such that each comes before those it changes.
    pub(super) left_start: Vec<usize>,
    pub(super) left: Vec<u32>,
    /// Blocks to the right of the diagonal, increasing.
    pub(super) right_start: Vec<usize>,
    pub(super) right: Vec<u32>,
}

impl Symbolic {
    /// The factors of a matrix whose row `i` has the neighbours that `row(i)` visits (any order; those above `i` and
    /// `i` itself are skipped). `None` where they would have more than `most` blocks.
    pub(crate) fn new(n: usize, mut row: impl FnMut(usize, &mut Vec<u32>), most: usize) -> Option<Self> {
        const NONE: u32 = u32::MAX;
        let (mut parent, mut mark) = (vec![NONE; n], vec![NONE; n]);
        let (mut left_start, mut left) = (vec![0], Vec::new());
        let (mut entries, mut path, mut reach) = (Vec::new(), Vec::new(), Vec::new());
        let mut below = vec![0usize; n];
        for i in 0..n {
            entries.clear();
            row(i, &mut entries);
            mark[i] = i as u32;
            reach.clear();
            for &start in entries.iter().filter(|&&k| (k as usize) < i) {
                path.clear();
                let mut k = start;
                while mark[k as usize] != i as u32 {
                    mark[k as usize] = i as u32;
                    path.push(k);
                    below[k as usize] += 1;
                    if parent[k as usize] == NONE {
                        parent[k as usize] = i as u32;
                        break;
                    }
                    k = parent[k as usize];
                }
                // A path that was met later comes earlier: it may end on one that is listed.
                reach.extend(path.iter().rev());
            }
            left.extend(reach.iter().rev());
            if left.len() > most {
                return None;
            }
            left_start.push(left.len());
        }
        let mut right_start = vec![0; n + 1];
        for k in 0..n {
            right_start[k + 1] = right_start[k] + below[k];
        }
        let mut right = vec![0; left.len()];
        let mut fill = right_start.clone();
        for i in 0..n {
            for &k in &left[left_start[i]..left_start[i + 1]] {
                right[fill[k as usize]] = i as u32;
                fill[k as usize] += 1;
            }
        }
        Some(Self { left_start, left, right_start, right })
    }

    /// The row above one in the elimination tree, or one beyond the last.
    fn above(&self, i: usize) -> usize {
        let range = self.right_start[i]..self.right_start[i + 1];
        self.right[range].first().map_or(usize::MAX, |&j| j as usize)
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.left_start.len().saturating_sub(1)
    }

    /// Products of two blocks that the elimination takes.
    pub(crate) fn products(&self) -> f64 {
        self.right_start.windows(2).map(|w| ((w[1] - w[0] + 1) as f64) * (w[1] - w[0]) as f64).sum()
    }

    /// Blocks of both factors.
    #[cfg(test)]
    pub(crate) fn blocks(&self) -> usize {
        2 * self.left.len() + self.len()
    }
}

/// The factors' numbers.
#[derive(Debug, Default)]
pub(crate) struct Factors<const D: usize> {
    /// Those to the left of the diagonal by columns, in the places that their mirror images have in `right`.
    lower: Vec<[[f64; D]; D]>,
    right: Vec<[[f64; D]; D]>,
    /// Where the next block of a column goes.
    filled: Vec<usize>,
    /// Inverse of the diagonal blocks.
    inverse: Vec<[[f64; D]; D]>,
    /// One row, scattered.
    row: Vec<[[f64; D]; D]>,
}

impl<const D: usize> Factors<D> {
    /// Factors the matrix whose row `i` is given by `fill(i, row)`, which adds its blocks to `row` (all zero where
    /// the pattern is). `false` where a diagonal block is singular.
    pub(crate) fn compute(&mut self, symbolic: &Symbolic, mut fill: impl FnMut(usize, &mut [[[f64; D]; D]])) -> bool {
        let n = symbolic.len();
        let zero = [[0.0; D]; D];
        self.right.clear();
        self.inverse.clear();
        self.row.clear();
        self.row.resize(n, zero);
        self.lower.resize(symbolic.right.len(), zero);
        self.filled.clone_from(&symbolic.right_start);
        self.right.reserve(symbolic.left.len());
        for i in 0..n {
            let left = &symbolic.left[symbolic.left_start[i]..symbolic.left_start[i + 1]];
            let right = &symbolic.right[symbolic.right_start[i]..symbolic.right_start[i + 1]];
            fill(i, &mut self.row);
            for &k in left {
                let k = k as usize;
                let factor = product(&self.row[k], &self.inverse[k]);
                self.row[k] = zero;
                self.lower[self.filled[k]] = factor;
                self.filled[k] += 1;
                let range = symbolic.right_start[k]..symbolic.right_start[k + 1];
                subtract_products(&mut self.row, &factor, &symbolic.right[range.clone()], &self.right[range]);
            }
            let Some(inverse) = inverse(&self.row[i]) else { return false };
            self.row[i] = zero;
            self.inverse.push(inverse);
            for &j in right {
                self.right.push(self.row[j as usize]);
                self.row[j as usize] = zero;
            }
        }
        true
    }

    /// The logarithm of the determinant to base 2; not a number where a block's determinant is negative.
    pub(super) fn log_determinant(&self) -> f64 {
        -self.inverse.iter().map(|inverse| determinant(inverse).logarithm2()).sum::<f64>()
    }

    /// x := A⁻¹ x.
    pub(crate) fn solve(&self, symbolic: &Symbolic, x: &mut [[f64; D]]) {
        self.begin(symbolic, x);
        self.finish(symbolic, x);
    }

    /// The first half.
    pub(crate) fn begin(&self, symbolic: &Symbolic, x: &mut [[f64; D]]) {
        (0..symbolic.len()).for_each(|i| self.forward(symbolic, i, x));
    }

    /// The same where x vanishes but in one or two rows (the others beyond the last): the rows above these in the
    /// elimination tree are changed, and listed.
    pub(crate) fn ascend(&self, symbolic: &Symbolic, rows: [usize; 2], x: &mut [[f64; D]], path: &mut Vec<u32>) {
        let [mut a, mut b] = rows;
        loop {
            let i = a.min(b);
            if i >= symbolic.len() {
                break;
            }
            path.push(i as u32);
            self.forward(symbolic, i, x);
            let above = symbolic.above(i);
            (a, b) = (if a == i { above } else { a }, if b == i { above } else { b });
        }
    }

    /// The transposed second half, for x that vanishes but in these rows.
    pub(crate) fn ascend_transposed(&self, symbolic: &Symbolic, path: &[u32], x: &mut [[f64; D]]) {
        for &i in path {
            let i = i as usize;
            let (inverse, from) = (&self.inverse[i], x[i]);
            let here: [f64; D] = std::array::from_fn(|c| (0..D).map(|r| inverse[r][c] * from[r]).sum());
            x[i] = here;
            let range = symbolic.right_start[i]..symbolic.right_start[i + 1];
            for (&j, block) in symbolic.right[range.clone()].iter().zip(&self.right[range]) {
                let x = &mut x[j as usize];
                for c in 0..D {
                    x[c] -= (0..D).map(|r| block[r][c] * here[r]).sum::<f64>();
                }
            }
        }
    }

    #[inline(always)]
    fn forward(&self, symbolic: &Symbolic, i: usize, x: &mut [[f64; D]]) {
        let here = x[i];
        let range = symbolic.right_start[i]..symbolic.right_start[i + 1];
        for (&j, block) in symbolic.right[range.clone()].iter().zip(&self.lower[range]) {
            subtract_times(&mut x[j as usize], block, &here);
        }
    }

    /// The second half.
    #[inline]
    pub(crate) fn finish(&self, symbolic: &Symbolic, x: &mut [[f64; D]]) {
        for i in (0..symbolic.len()).rev() {
            let mut sum = x[i];
            let range = symbolic.right_start[i]..symbolic.right_start[i + 1];
            for (&j, block) in symbolic.right[range.clone()].iter().zip(&self.right[range]) {
                subtract_times(&mut sum, block, &x[j as usize]);
            }
            let inverse = &self.inverse[i];
            x[i] = std::array::from_fn(|r| (0..D).map(|c| inverse[r][c] * sum[c]).sum());
        }
    }
}

#[inline(always)]
fn product<const D: usize>(a: &[[f64; D]; D], b: &[[f64; D]; D]) -> [[f64; D]; D] {
    let mut c = [[0.0; D]; D];
    for i in 0..D {
        for k in 0..D {
            for j in 0..D {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

/// Takes off the products of a block with those of a row. Large blocks go row by row, so that what a row needs stays in
/// registers.
#[inline(always)]
fn subtract_products<const D: usize>(
    rows: &mut [[[f64; D]; D]],
    a: &[[f64; D]; D],
    at: &[u32],
    blocks: &[[[f64; D]; D]],
) {
    if D <= 3 {
        for (&j, b) in at.iter().zip(blocks) {
            let c = &mut rows[j as usize];
            (0..D).for_each(|i| subtract_row(&mut c[i], &a[i], b));
        }
        return;
    }
    for i in 0..D {
        let factors = a[i];
        for (&j, b) in at.iter().zip(blocks) {
            subtract_row(&mut rows[j as usize][i], &factors, b);
        }
    }
}

/// sum -= a b.
#[inline(always)]
fn subtract_row<const D: usize>(sum: &mut [f64; D], a: &[f64; D], b: &[[f64; D]; D]) {
    let mut row = *sum;
    for k in 0..D {
        for j in 0..D {
            row[j] -= a[k] * b[k][j];
        }
    }
    *sum = row;
}

#[inline(always)]
fn subtract_times<const D: usize>(y: &mut [f64; D], a: &[[f64; D]; D], x: &[f64; D]) {
    for i in 0..D {
        y[i] -= (0..D).map(|j| a[i][j] * x[j]).sum::<f64>();
    }
}

/// Inverse by elimination with exchange of rows, in place: the column of a pivot becomes that of the inverse. Minors would
/// be faster for three rows, but lose twice as many digits where a contact holds a body firmly.
pub(crate) fn inverse<const D: usize>(a: &[[f64; D]; D]) -> Option<[[f64; D]; D]> {
    let mut a = *a;
    let mut exchanged = [0; D];
    for k in 0..D {
        let mut pivot = k;
        for i in k + 1..D {
            if a[i][k].abs() >= a[pivot][k].abs() {
                pivot = i;
            }
        }
        exchanged[k] = pivot;
        if pivot != k {
            a.swap(k, pivot);
        }
        let per = 1.0 / a[k][k];
        if !per.is_finite() {
            return None;
        }
        let row: [f64; D] = std::array::from_fn(|j| if j == k { per } else { a[k][j] * per });
        a[k] = row;
        for i in (0..D).filter(|&i| i != k) {
            let factor = a[i][k];
            a[i] = std::array::from_fn(|j| if j == k { 0.0 } else { a[i][j] } - factor * row[j]);
        }
    }
    for (k, &pivot) in exchanged.iter().enumerate().rev().filter(|(k, pivot)| k != *pivot) {
        a.iter_mut().for_each(|row| row.swap(k, pivot));
    }
    Some(a)
}

/// The determinant, by elimination without exchange of rows.
fn determinant<const D: usize>(a: &[[f64; D]; D]) -> f64 {
    let mut a = *a;
    for k in 0..D {
        for i in k + 1..D {
            let factor = a[i][k] / a[k][k];
            a[i] = std::array::from_fn(|j| a[i][j] - factor * a[k][j]);
        }
    }
    (0..D).map(|k| a[k][k]).product()
}

#[cfg(test)]
mod tests {
    use super::super::order::minimum_degree;
    use super::*;

    /// Inverses are as exact as their matrices allow, also where one direction is held ten million times as firmly as the others
    /// and where rows have to be exchanged.
    #[test]
    fn inverses_of_bodies_that_contacts_hold_are_exact() {
        let turned = |k: usize, i: usize| (1.0 + 0.7 * k as f64 + 1.9 * (i * i) as f64).sin();
        let one = |i: usize, j: usize| f64::from(u8::from(i == j));
        let largest = |a: &[[f64; 3]; 3]| a.iter().flatten().fold(0.0f64, |most, entry| most.max(entry.abs()));
        for (k, held) in (0..50).flat_map(|k| [0.0, 1.0, 1e3, 1e7].map(|held| (k, held))) {
            // Friction that follows the normal impulse is not symmetric; every other time the rows are given in another order.
            let entry = |i: usize, j: usize| one(i, j) + held * turned(k, i) * (turned(k, j) + 0.3 * turned(k + 3, j));
            let a = std::array::from_fn(|i| std::array::from_fn(|j| entry((i + k % 2) % 3, j)));
            let inverse = inverse(&a).unwrap();
            let (left, right) = (product(&inverse, &a), product(&a, &inverse));
            let allowed = 4.0 * f64::EPSILON * (1.0 + largest(&a) * largest(&inverse));
            for (i, j) in (0..9).map(|at| (at / 3, at % 3)) {
                // Of a product one side is exact to round-off of the sums in it; of the other that times the condition.
                assert!((left[i][j] - one(i, j)).abs() <= 3.0 * allowed, "{held:e}: {left:?}");
                assert!((right[i][j] - one(i, j)).abs() <= 3.0 * allowed, "{held:e}: {right:?}");
            }
        }
        assert_eq!(inverse(&[[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 1.0]]), None);
        assert_eq!(inverse(&[[f64::NAN, 2.0], [2.0, 1.0]]), None);
    }

    /// Minimum degree leaves a path without fill, and the factors solve.
    #[test]
    fn factors_solve_on_a_grid() {
        let side = 9usize;
        let n = side * side;
        let neighbours: Vec<Vec<u32>> = (0..n)
            .map(|i| {
                let (x, y) = (i % side, i / side);
                let mut list = Vec::new();
                for (dx, dy) in [(-1i32, 0i32), (1, 0), (0, -1), (0, 1)] {
                    let (a, b) = (x as i32 + dx, y as i32 + dy);
                    if (0..side as i32).contains(&a) && (0..side as i32).contains(&b) {
                        list.push((a + b * side as i32) as u32);
                    }
                }
                list
            })
            .collect();
        let (order, products) = minimum_degree(n, |i| &neighbours[i], f64::INFINITY).unwrap();
        let mut place = vec![0u32; n];
        order.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k as u32);
        let row = |k: usize, out: &mut Vec<u32>| {
            out.extend(neighbours[order[k] as usize].iter().map(|&j| place[j as usize]));
        };
        let symbolic = Symbolic::new(n, row, usize::MAX).unwrap();
        // What the order says of the work is what the factors take, and not a product less is allowed.
        assert_eq!(products, symbolic.products());
        assert!(minimum_degree(n, |i| &neighbours[i], products - 1.0).is_none());
        // A band of width 9 would fill 9 · 81 blocks a side.
        assert!(symbolic.blocks() < 2 * 500 + n, "{}", symbolic.blocks());
        let block = |i: usize, j: usize| {
            let t = (i * 31 + j * 17) as f64;
            if i == j { [[5.0, t.sin()], [-t.cos(), 6.0]] } else { [[t.sin(), 0.3], [0.1, t.cos()]] }
        };
        let mut factors = Factors::<2>::default();
        let fill = |k: usize, row: &mut [[[f64; 2]; 2]]| {
            let i = order[k] as usize;
            row[k] = block(i, i);
            neighbours[i].iter().for_each(|&j| row[place[j as usize] as usize] = block(i, j as usize));
        };
        assert!(factors.compute(&symbolic, fill));
        let x: Vec<[f64; 2]> = (0..n).map(|i| [(i as f64).sin(), (i as f64).cos()]).collect();
        let mut b: Vec<[f64; 2]> = (0..n)
            .map(|k| {
                let i = order[k] as usize;
                let mut sum = [0.0; 2];
                subtract_times(&mut sum, &block(i, i), &x[k]);
                neighbours[i]
                    .iter()
                    .for_each(|&j| subtract_times(&mut sum, &block(i, j as usize), &x[place[j as usize] as usize]));
                sum.map(|v| -v)
            })
            .collect();
        factors.solve(&symbolic, &mut b);
        // From two rows alone the answer is the same.
        let mut few = [vec![[0.0; 2]; n], vec![[0.0; 2]; n]];
        few.iter_mut().for_each(|x| (x[3], x[40]) = ([1.0, -2.0], [0.5, 3.0]));
        let mut path = Vec::new();
        factors.ascend(&symbolic, [40, 3], &mut few[1], &mut path);
        // Halfway the transposed factors give the same product with another column.
        let mut other = vec![[0.0; 2]; n];
        (other[3], other[40]) = ([0.3, 0.7], [-1.1, 0.2]);
        factors.ascend_transposed(&symbolic, &path, &mut other);
        let half: f64 = few[1].iter().zip(&other).map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum();
        factors.solve(&symbolic, &mut few[0]);
        factors.finish(&symbolic, &mut few[1]);
        assert_eq!(few[0], few[1]);
        let product = |at: usize, w: [f64; 2]| w[0] * few[0][at][0] + w[1] * few[0][at][1];
        assert!((half - product(3, [0.3, 0.7]) - product(40, [-1.1, 0.2])).abs() < 1e-12);
        for (a, b) in x.iter().flatten().zip(b.iter().flatten()) {
            assert!((a - b).abs() < 1e-10);
        }
    }
}
