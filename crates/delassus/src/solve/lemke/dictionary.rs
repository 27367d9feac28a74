//! The dictionary of Lemke's method, pivoted in place.

/// `basic = rhs + T · nonbasic` for n rows.
///
/// Variables: w_i is i, z_i is n + i, z₀ is 2n.
#[derive(Debug, Clone, Default)]
pub(super) struct Dictionary {
    n: usize,
    /// Length of a row: n + 1 nonbasic columns, rhs, and zeros up to a multiple of [`LANES`].
    stride: usize,
    table: Vec<f64>,
    /// Variable in each row.
    basic: Vec<usize>,
    /// Variable in each column.
    nonbasic: Vec<usize>,
    /// Where each variable is.
    place: Vec<Place>,
    ties: Vec<usize>,
    /// Column of the next entering variable and rhs, as the last pivot left them.
    entering: Vec<f64>,
    rhs: Vec<f64>,
    ratios: Vec<f64>,
    pivot_row: Vec<f64>,
    /// Variables that [`renew`](Self::renew) brings into the basis, and which belong there.
    missing: Vec<usize>,
    belongs: Vec<bool>,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Row(usize),
    Column(usize),
}

/// Rows are padded, so that their update needs no remainder.
const LANES: usize = 4;
/// Pivots smaller than this, relative to their column, are round-off.
const PIVOT: f64 = 1e-11;
/// Ratios closer than this (q scaled to 1) are ties.
const TIE: f64 = 1e-13;
/// A basis that leaves only pivots below this is singular.
const SINGULAR: f64 = 1e-14;

impl Dictionary {
    /// w = q + A z + d z₀.
    pub(super) fn load(&mut self, a: &[f64], q: &[f64], covering: &[f64]) {
        let n = q.len();
        self.n = n;
        self.stride = (n + 2).next_multiple_of(LANES);
        self.table.clear();
        self.table.resize(n * self.stride, 0.0);
        for (i, line) in self.table.chunks_exact_mut(self.stride).enumerate() {
            line[..n].copy_from_slice(&a[i * n..(i + 1) * n]);
            line[n] = covering[i];
            line[n + 1] = q[i];
        }
        self.basic.clear();
        self.basic.extend(0..n);
        self.nonbasic.clear();
        self.nonbasic.extend(n..=2 * n);
        self.place.clear();
        self.place.extend((0..n).map(Place::Row).chain((0..=n).map(Place::Column)));
        self.entering.resize(n, 0.0);
        self.rhs.resize(n, 0.0);
        self.ratios.resize(n, 0.0);
        self.pivot_row.resize(self.stride, 0.0);
    }

    /// Computes the dictionary of the present basis anew from the data, so that
    /// the round-off of the pivots so far is forgotten: one pivot for each z in the
    /// basis, the largest first. Returns the column of the variable in column
    /// `entering` before; `None` where the basis is singular to round-off.
    pub(super) fn renew(&mut self, a: &[f64], q: &[f64], covering: &[f64], entering: usize) -> Option<usize> {
        let n = self.n;
        let variable = self.nonbasic[entering];
        self.missing.clear();
        self.missing.extend(self.basic.iter().copied().filter(|&v| v >= n));
        self.belongs.clear();
        self.belongs.resize(2 * n + 1, false);
        self.basic.iter().for_each(|&v| self.belongs[v] = true);
        self.load(a, q, covering);
        while !self.missing.is_empty() {
            let (mut best, mut size) = ((0, 0, 0), SINGULAR);
            for (k, &v) in self.missing.iter().enumerate() {
                let column = self.column_of(v)?;
                for row in (0..n).filter(|&row| !self.belongs[self.basic[row]]) {
                    let entry = self.table[row * self.stride + column].abs();
                    if entry > size {
                        (best, size) = ((k, row, column), entry);
                    }
                }
            }
            if size <= SINGULAR {
                return None;
            }
            self.missing.swap_remove(best.0);
            self.exchange(best.1, best.2, 0);
        }
        let column = self.column_of(variable)?;
        for (row, line) in self.table.chunks_exact(self.stride).enumerate() {
            (self.entering[row], self.rhs[row]) = (line[column], line[n + 1]);
        }
        Some(column)
    }

    /// How z changes along the ray of the entering variable in column `e`.
    pub(super) fn ray(&self, e: usize, z: &mut Vec<f64>) {
        let n = self.n;
        z.clear();
        z.resize(n, 0.0);
        let moving = self.basic.iter().zip(self.table.chunks_exact(self.stride)).map(|(&v, line)| (v, line[e]));
        for (variable, rate) in moving.chain([(self.nonbasic[e], 1.0)]) {
            if (n..2 * n).contains(&variable) {
                z[variable - n] = rate;
            }
        }
    }

    /// Basic variables and their values.
    pub(super) fn values(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let n = self.n;
        self.basic.iter().zip(self.table.chunks_exact(self.stride.max(1))).map(move |(&v, line)| (v, line[n + 1]))
    }

    /// The variable of a row.
    pub(super) fn basic(&self, row: usize) -> usize {
        self.basic[row]
    }

    /// The column of a nonbasic variable.
    pub(super) fn column_of(&self, variable: usize) -> Option<usize> {
        match self.place[variable] {
            Place::Column(column) => Some(column),
            Place::Row(_) => None,
        }
    }

    /// Exchanges the variables of `row` and of column `e`; column `next` will enter then.
    pub(super) fn exchange(&mut self, row: usize, e: usize, next: usize) {
        self.pivot(row, e, next);
        let (leaving, entering) = (self.basic[row], self.nonbasic[e]);
        self.basic[row] = entering;
        self.nonbasic[e] = leaving;
        self.place[entering] = Place::Row(row);
        self.place[leaving] = Place::Column(e);
    }

    fn pivot(&mut self, row: usize, e: usize, next: usize) {
        let (n, stride) = (self.n, self.stride);
        let pivot_row = &mut self.pivot_row[..stride];
        pivot_row.copy_from_slice(&self.table[row * stride..(row + 1) * stride]);
        let inverse = 1.0 / pivot_row[e];
        pivot_row.iter_mut().for_each(|v| *v *= -inverse);
        pivot_row[e] = inverse;
        let lines = self.table.chunks_exact_mut(stride).zip(&mut self.entering).zip(&mut self.rhs);
        for ((line, entering), rhs) in lines {
            let factor = line[e];
            line[e] = 0.0;
            add_multiple(line, factor, pivot_row);
            *entering = line[next];
            *rhs = line[n + 1];
        }
        self.table[row * stride..(row + 1) * stride].copy_from_slice(pivot_row);
        self.entering[row] = pivot_row[next];
        self.rhs[row] = pivot_row[n + 1];
    }

    /// The row that is most negative along the covering vector.
    pub(super) fn first_leaving_row(&mut self, covering: &[f64]) -> usize {
        let n = self.n;
        let mut least = f64::INFINITY;
        for ((line, d), ratio) in self.table.chunks_exact(self.stride).zip(covering).zip(&mut self.ratios) {
            *ratio = line[n + 1] / d;
            least = if *ratio < least { *ratio } else { least };
        }
        let mut ties = std::mem::take(&mut self.ties);
        ties.clear();
        ties.extend((0..n).filter(|&i| self.ratios[i] <= least + TIE));
        let row = self.lexicographic_least(&mut ties, |i| covering[i]);
        self.ties = ties;
        row.unwrap_or(0)
    }

    /// The row that blocks the next entering variable; `None` along a ray.
    ///
    /// Which rows can block is random to a branch predictor, so the common
    /// case of one blocking row is found by selections alone.
    pub(super) fn leaving_row(&mut self) -> Option<usize> {
        let mut largest = 0.0;
        for slope in &self.entering {
            let size = slope.abs();
            largest = if size > largest { size } else { largest };
        }
        let threshold = -PIVOT * largest;
        for ((&slope, &rhs), ratio) in self.entering.iter().zip(&self.rhs).zip(&mut self.ratios) {
            let quotient = if rhs > 0.0 { rhs } else { 0.0 } / -slope;
            *ratio = if slope < threshold { quotient } else { f64::INFINITY };
        }
        let mut least = f64::INFINITY;
        for &ratio in &self.ratios {
            least = if ratio < least { ratio } else { least };
        }
        if !least.is_finite() {
            return None;
        }
        let limit = least * (1.0 + TIE) + TIE;
        let (mut count, mut last) = (0, 0);
        for (i, &ratio) in self.ratios.iter().enumerate() {
            let blocks = ratio <= limit;
            count += usize::from(blocks);
            last = if blocks { i } else { last };
        }
        if count == 1 { Some(last) } else { self.leaving_row_of_ties(limit) }
    }

    #[cold]
    fn leaving_row_of_ties(&mut self, limit: f64) -> Option<usize> {
        // z₀ may always leave when it can: that ends the run.
        if let Place::Row(row) = self.place[2 * self.n]
            && self.ratios[row] <= limit
        {
            return Some(row);
        }
        let mut ties = std::mem::take(&mut self.ties);
        ties.clear();
        ties.extend((0..self.n).filter(|&i| self.ratios[i] <= limit));
        let row = self.lexicographic_least(&mut ties, |i| -self.entering[i]);
        self.ties = ties;
        row
    }

    /// Among `ties` the row whose perturbed right-hand side, divided by `weight`, is least.
    fn lexicographic_least(&self, ties: &mut Vec<usize>, weight: impl Fn(usize) -> f64) -> Option<usize> {
        for &spot in &self.place[..self.n] {
            if ties.len() <= 1 {
                break;
            }
            let value = |i: usize| self.perturbation(i, spot) / weight(i);
            let least = ties.iter().map(|&i| value(i)).fold(f64::INFINITY, f64::min);
            let largest = ties.iter().map(|&i| value(i).abs()).fold(0.0, f64::max);
            ties.retain(|&i| value(i) <= least + TIE * largest);
        }
        ties.first().copied()
    }

    /// The entry of row `i` at w_k in the perturbed right-hand side.
    fn perturbation(&self, i: usize, spot: Place) -> f64 {
        match spot {
            Place::Row(r) => f64::from(u8::from(r == i)),
            Place::Column(j) => -self.table[i * self.stride + j],
        }
    }
}

/// y += factor · x. Out of line, where the compiler knows that y and x are apart.
#[inline(never)]
fn add_multiple(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}
