//! The changes of a path's matrix since it was factored.
//!
//! ```text
//! J₀ = LR,   J = L (1 + F Gᵀ) R,   J⁻¹ = R⁻¹ (1 − F (1 + GᵀF)⁻¹ Gᵀ) L⁻¹,   columns of F: L⁻¹Wα, of G: R⁻ᵀWβ
//! ```
//!
//! Wα and Wβ vanish but at the bodies of a contact. Halfway through the factors they vanish but in the rows above these in the
//! elimination tree, so that what changes have to do with each other takes little; only the last half goes over all bodies.

use super::sums::Link;
use crate::simulate::stepping::blocks::dot;
use crate::solve::contact::factor::{Factors, Symbolic};

/// Determinants of a change, relative to what they come from, below which it is taken back.
const CANCELLED: f64 = 1e-6;

#[derive(Debug, Default)]
pub struct Updates<const D: usize> {
    /// Where the rows of each change begin, and the rows with what F and G have there.
    starts: Vec<usize>,
    rows: Vec<u32>,
    f: Vec<[f64; D]>,
    g: Vec<[f64; D]>,
    /// 1 + GᵀF as a product of triangles: the left one by rows, without its ones, the right one by columns, one after the other.
    left: Vec<f64>,
    right: Vec<f64>,
    /// Columns that vanish everywhere between two changes.
    ahead: Vec<[f64; D]>,
    across: Vec<[f64; D]>,
    /// What the last change needs of those before it, and its column.
    parts: Vec<f64>,
    column: Vec<[f64; D]>,
}

impl<const D: usize> Updates<D> {
    /// There are none, of a matrix of so many rows.
    pub fn clear(&mut self, rows: usize) {
        self.starts.clear();
        self.starts.push(0);
        self.rows.clear();
        self.f.clear();
        self.g.clear();
        self.left.clear();
        self.right.clear();
        self.ahead.resize(rows, [0.0; D]);
        self.across.resize(rows, [0.0; D]);
    }

    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// x := J⁻¹x.
    pub fn solve(&mut self, factors: &Factors<D>, symbolic: &Symbolic, x: &mut [[f64; D]]) {
        factors.begin(symbolic, x);
        let Self { starts, rows, f, g, left, right, parts, .. } = self;
        parts.clear();
        for k in 0..starts.len().saturating_sub(1) {
            let range = starts[k]..starts[k + 1];
            let places = rows[range.clone()].iter().zip(&g[range]);
            let along = places.map(|(&row, g)| dot(g, &x[row as usize])).sum::<f64>();
            parts.push(along - sum(&left[triangle(k) - k..][..k], parts));
        }
        take(starts, rows, f, right, parts, x);
        factors.finish(symbolic, x);
    }

    /// J grows by Wα βᵀWᵀ. Gives J⁻¹Wα with J as it was before, and 1 + βᵀWᵀJ⁻¹Wα; none where that cancels.
    pub fn push<const R: usize>(
        &mut self,
        factors: &Factors<D>,
        symbolic: &Symbolic,
        link: &Link<D, R>,
        [alpha, beta]: [&[f64; R]; 2],
    ) -> Option<(&[[f64; D]], f64)> {
        let (count, from) = (self.len(), self.rows.len());
        let Self { starts, rows, f, g, left, right, ahead, across, parts, column } = self;
        link.spread(alpha, ahead);
        factors.ascend(symbolic, link.bodies.map(|body| body as usize), ahead, rows);
        link.spread(beta, across);
        factors.ascend_transposed(symbolic, &rows[from..], across);
        f.extend(rows[from..].iter().map(|&row| ahead[row as usize]));
        g.extend(rows[from..].iter().map(|&row| across[row as usize]));
        starts.push(rows.len());
        let range = |k: usize| starts[k]..starts[k + 1];
        // Of a change before: its product with a column.
        let times = |own: &[[f64; D]], k: usize, x: &[[f64; D]]| {
            let places = rows[range(k)].iter().zip(&own[range(k)]);
            places.map(|(&row, own)| dot(own, &x[row as usize])).sum::<f64>()
        };
        // The triangles grow by a row and a column.
        let (row, end) = (left.len(), right.len());
        for k in 0..count {
            let (above, before) = (&right[triangle(k)..][..k], &left[triangle(k) - k..][..k]);
            let up = times(g, k, ahead) - sum(before, &right[end..]);
            let aside = (times(f, k, across) - sum(above, &left[row..])) / right[triangle(k) + k];
            right.push(up);
            left.push(aside);
        }
        let own: f64 = f[range(count)].iter().zip(&g[range(count)]).map(|(f, g)| dot(f, g)).sum();
        let along = own - sum(&left[row..], &right[end..]);
        let whole = 1.0 + along;
        let sound = whole.abs() > CANCELLED * (1.0 + along.abs()) && whole.is_finite();
        column.clear();
        column.extend_from_slice(ahead);
        for &row in &rows[from..] {
            (ahead[row as usize], across[row as usize]) = ([0.0; D], [0.0; D]);
        }
        if !sound {
            return None;
        }
        // What the changes before take from the column.
        parts.clear();
        parts.extend_from_slice(&right[end..]);
        right.push(whole);
        take(&starts[..=count], rows, f, right, parts, column);
        factors.finish(symbolic, column);
        Some((column, whole))
    }
}

/// x −= F · right⁻¹ · parts, for the changes that begin at these `starts`; uses up the parts.
fn take<const D: usize>(
    starts: &[usize],
    rows: &[u32],
    f: &[[f64; D]],
    right: &[f64],
    parts: &mut [f64],
    x: &mut [[f64; D]],
) {
    for (k, ends) in starts.windows(2).enumerate().rev() {
        let part = parts[k] / right[triangle(k) + k];
        for (other, above) in parts[..k].iter_mut().zip(&right[triangle(k)..]) {
            *other -= part * above;
        }
        for (&row, f) in rows[ends[0]..ends[1]].iter().zip(&f[ends[0]..ends[1]]) {
            (0..D).for_each(|i| x[row as usize][i] -= part * f[i]);
        }
    }
}

/// Entries of a triangle before its line k.
fn triangle(k: usize) -> usize {
    k * (k + 1) / 2
}

fn sum(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SUPPORT;
    use crate::simulate::stepping::blocks::{Block, Kind};
    use crate::simulate::stepping::pattern::Pattern;

    #[test]
    fn changes_give_what_new_factors_give() {
        const COUNT: usize = 12;
        let wave = |k: usize| (0.7 + 1.3 * k as f64 + 0.9 * (k * k % 101) as f64).sin();
        let masses = vec![[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]; COUNT];
        let pairs =
            (0..COUNT).flat_map(|a| [1, 3].map(|ahead| [a, if a + ahead < COUNT { a + ahead } else { SUPPORT }]));
        let blocks: Vec<Block<3, 2>> = pairs
            .enumerate()
            .map(|(k, bodies)| {
                let row = |at: usize| std::array::from_fn(|i| wave(12 * k + at + i));
                Block::new(bodies, [[row(0), row(3)], [row(6), row(9)]], Kind::Contact(0.3), &masses)
            })
            .collect();
        let mut pattern = Pattern::default();
        assert!(pattern.prepare(&blocks, &masses));
        let mut h = vec![[[2.0, 0.0], [0.3, 3.0]]; blocks.len()];
        let new = |h: &[[[f64; 2]; 2]]| {
            let mut factors = Factors::default();
            assert!(pattern.factor(&mut factors, &blocks, |k| Some(h[k])));
            factors
        };
        let alike = |a: &[[f64; 3]], b: &[[f64; 3]]| {
            let off = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-12, "{off:e}");
        };
        let (factors, mut updates) = (new(&h), Updates::default());
        updates.clear(COUNT);
        // Some contacts change more than once.
        for (count, k) in [3, 17, 8, 3, 0, 22, 17, 3].into_iter().enumerate() {
            let (alpha, beta) = ([wave(count), 1.0], [wave(count + 40), wave(count + 80)]);
            let link = Link::new(&blocks[k], &pattern.place);
            let mut expected = vec![[0.0; 3]; COUNT];
            link.spread(&alpha, &mut expected);
            new(&h).solve(&pattern.symbolic, &mut expected);
            let (column, whole) = updates.push(&factors, &pattern.symbolic, &link, [&alpha, &beta]).unwrap();
            alike(column, &expected);
            assert!((whole - 1.0 - dot(&beta, &link.gather(column))).abs() < 1e-12);
            for r in 0..2 {
                (0..2).for_each(|c| h[k][r][c] += alpha[r] * beta[c]);
            }
            let mut x: Vec<[f64; 3]> = (0..COUNT).map(|k| [wave(k), wave(k + 30), wave(k + 60)]).collect();
            let mut again = x.clone();
            updates.solve(&factors, &pattern.symbolic, &mut x);
            new(&h).solve(&pattern.symbolic, &mut again);
            alike(&x, &again);
        }
        assert_eq!(updates.len(), 8);
    }
}
