//! Polyhedra {z : c + D z ≥ 0}: a point of the relative interior, and the dimension.
//!
//! The dictionary `basic = rhs + T · nonbasic` of the simplex method, with
//! Bland's rule. The unknowns z are free: they enter the basis first and
//! never leave it.

use crate::small::rank::FullPivot;

/// Entries of T below this are round-off; rows and unknowns are of size one.
const PIVOT: f64 = 1e-11;
/// Slacks below this, relative to the largest entry of c, count as zero.
const SLACK: f64 = 1e-10;
/// Rates below this do not change an inequality.
const STILL: f64 = 1e-9;
/// Pivots per unknown and inequality before giving up.
const EFFORT: usize = 50;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Polyhedron {
    /// T, row by row.
    table: Vec<f64>,
    rhs: Vec<f64>,
    /// Variable in each row and column: slack i is i, unknown z_j is rows + j.
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    /// Columns of unknowns that no inequality sees.
    dead: Vec<bool>,
    /// Slacks that are positive somewhere in the polyhedron.
    positive: Vec<bool>,
    mean: Vec<f64>,
    system: FullPivot,
    tolerance: f64,
    pivots: usize,
    /// Multiplications so far.
    pub(crate) effort: f64,
}

impl Polyhedron {
    /// Finds a relatively interior point `z` and the dimension of
    /// {z : c + D z ≥ 0}, D row by row; `None` where it is empty.
    pub(crate) fn interior(&mut self, c: &[f64], d: &[f64], z: &mut Vec<f64>) -> Option<usize> {
        let rows = c.len();
        let columns = d.len().checked_div(rows).unwrap_or(0);
        z.clear();
        z.resize(columns, 0.0);
        self.tolerance = SLACK * c.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        if columns == 0 || rows == 0 {
            return c.iter().all(|&v| v >= -self.tolerance).then_some(columns);
        }
        self.load(c, d);
        if !self.feasible() {
            return None;
        }
        self.mean.clear();
        self.mean.resize(columns, 0.0);
        self.positive.clear();
        self.positive.resize(rows, false);
        let mut points = 1.0;
        self.collect(rows, None);
        for slack in 0..rows {
            if !self.positive[slack] && self.raise(slack, rows) {
                points += 1.0;
            }
        }
        z.iter_mut().zip(&self.mean).for_each(|(z, sum)| *z = sum / points);
        // Inequalities that hold with equality everywhere cut the dimension.
        let tight = self.positive.iter().filter(|&&p| !p).count();
        self.system.reset(tight, columns);
        let tight_rows = (0..rows).filter(|&i| !self.positive[i]);
        for (k, i) in tight_rows.enumerate() {
            // Rows and unknowns are of size one; what is far below that moves nothing.
            let row = d[i * columns..(i + 1) * columns].iter();
            let entries = row.map(|v| if v.abs() <= STILL { 0.0 } else { *v });
            self.system.row_mut(k).0.iter_mut().zip(entries).for_each(|(to, v)| *to = v);
        }
        Some(columns - self.system.eliminate(STILL))
    }

    /// The dictionary with all unknowns in the basis that can be.
    fn load(&mut self, c: &[f64], d: &[f64]) {
        let (rows, columns) = (c.len(), d.len() / c.len());
        self.table.clear();
        self.table.extend_from_slice(d);
        self.rhs.clear();
        self.rhs.extend_from_slice(c);
        self.basic.clear();
        self.basic.extend(0..rows);
        self.nonbasic.clear();
        self.nonbasic.extend(rows..rows + columns);
        self.dead.clear();
        self.dead.resize(columns, false);
        self.pivots = EFFORT * (rows + columns);
        for j in 0..columns {
            let best = (0..rows)
                .filter(|&i| self.basic[i] < rows)
                .max_by(|&a, &b| self.entry(a, j).abs().total_cmp(&self.entry(b, j).abs()));
            match best {
                Some(i) if self.entry(i, j).abs() > 1e-9 => self.pivot(i, j),
                _ => self.dead[j] = true,
            }
        }
    }

    fn entry(&self, i: usize, j: usize) -> f64 {
        self.table[i * self.nonbasic.len() + j]
    }

    /// Exchanges basic row `i` and nonbasic column `j`.
    fn pivot(&mut self, i: usize, j: usize) {
        let n = self.nonbasic.len();
        // The search for the pivot looks at a row, a column and the right-hand side.
        self.effort += (self.table.len() + 2 * self.basic.len() + n) as f64;
        let pivot = self.table[i * n + j];
        let inverse = 1.0 / pivot;
        for k in 0..n {
            self.table[i * n + k] = if k == j { inverse } else { -self.table[i * n + k] * inverse };
        }
        self.rhs[i] = -self.rhs[i] * inverse;
        for r in 0..self.basic.len() {
            let factor = self.table[r * n + j];
            if r == i || factor == 0.0 {
                continue;
            }
            for k in 0..n {
                let change = factor * self.table[i * n + k];
                self.table[r * n + k] = if k == j { change } else { self.table[r * n + k] + change };
            }
            self.rhs[r] += factor * self.rhs[i];
        }
        std::mem::swap(&mut self.basic[i], &mut self.nonbasic[j]);
    }

    /// The row that first stops column `j` from growing because its slack
    /// vanishes; an infeasible slack `target` stops it where it becomes feasible.
    fn blocking(&self, j: usize, target: Option<usize>) -> Option<usize> {
        let rows = self.basic.len();
        let mut best: Option<(usize, f64)> = None;
        for i in 0..rows {
            if self.basic[i] >= rows {
                continue;
            }
            let (rate, value) = (self.entry(i, j), self.rhs[i]);
            let ratio = if Some(i) == target && value < 0.0 {
                if rate <= PIVOT {
                    continue;
                }
                -value / rate
            } else if rate < -PIVOT && value >= -self.tolerance {
                value.max(0.0) / -rate
            } else {
                continue;
            };
            let better = match best {
                None => true,
                Some((b, r)) => ratio < r || (ratio <= r && self.basic[i] < self.basic[b]),
            };
            if better {
                best = Some((i, ratio));
            }
        }
        best.map(|(i, _)| i)
    }

    /// Bland's entering column that increases row `i`.
    fn entering(&self, i: usize) -> Option<usize> {
        (0..self.nonbasic.len())
            .filter(|&j| !self.dead[j] && self.entry(i, j) > PIVOT)
            .min_by_key(|&j| self.nonbasic[j])
    }

    /// Makes all slacks feasible, one after the other.
    fn feasible(&mut self) -> bool {
        let rows = self.basic.len();
        loop {
            let worst = (0..rows)
                .filter(|&i| self.basic[i] < rows && self.rhs[i] < -self.tolerance)
                .min_by(|&a, &b| self.rhs[a].total_cmp(&self.rhs[b]));
            let Some(row) = worst else { return true };
            let target = self.basic[row];
            while let Some(i) = (0..rows).find(|&i| self.basic[i] == target) {
                if self.rhs[i] >= -self.tolerance {
                    break;
                }
                let Some(j) = self.entering(i) else { return false };
                let Some(leaving) = self.blocking(j, Some(i)) else { return false };
                self.pivot(leaving, j);
                self.pivots = self.pivots.saturating_sub(1);
                if self.pivots == 0 {
                    return false;
                }
            }
        }
    }

    /// Looks for a point where `slack` is positive and adds it to the mean.
    fn raise(&mut self, slack: usize, rows: usize) -> bool {
        loop {
            self.pivots = self.pivots.saturating_sub(1);
            if self.pivots == 0 {
                return false;
            }
            let column = match (0..rows).find(|&i| self.basic[i] == slack) {
                Some(i) if self.rhs[i] > self.tolerance => {
                    self.collect(rows, None);
                    return true;
                }
                Some(i) => self.entering(i),
                None => (0..self.nonbasic.len()).find(|&j| self.nonbasic[j] == slack),
            };
            let Some(j) = column else { return false };
            match self.blocking(j, None) {
                Some(i) => self.pivot(i, j),
                None => {
                    self.collect(rows, Some(j));
                    return true;
                }
            }
        }
    }

    /// Adds the current point, moved along a ray if given, to the mean and notes its positive slacks.
    fn collect(&mut self, rows: usize, ray: Option<usize>) {
        let length = self.rhs.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let length = if length > 0.0 { length } else { 1.0 };
        for i in 0..rows {
            let moved = self.rhs[i] + ray.map_or(0.0, |j| length * self.entry(i, j));
            let variable = self.basic[i];
            if variable >= rows {
                self.mean[variable - rows] += moved;
            } else if moved > self.tolerance {
                self.positive[variable] = true;
            }
        }
        if let Some(j) = ray {
            let variable = self.nonbasic[j];
            if variable < rows {
                self.positive[variable] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interior(c: &[f64], d: &[f64]) -> Option<(usize, Vec<f64>)> {
        let mut z = Vec::new();
        Polyhedron::default().interior(c, d, &mut z).map(|dimension| (dimension, z))
    }

    #[test]
    fn square_segment_point_and_nothing() {
        // 0 ≤ z₁, z₂ ≤ 1
        let square = [1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0];
        let (dimension, z) = interior(&[0.0, 0.0, 1.0, 1.0], &square).unwrap();
        assert_eq!(dimension, 2);
        assert!(z.iter().all(|v| *v > 0.0 && *v < 1.0));
        // and z₁ + z₂ ≥ 2: the corner; ≥ 3: empty
        let mut cut = square.to_vec();
        cut.extend([1.0, 1.0]);
        let (dimension, z) = interior(&[0.0, 0.0, 1.0, 1.0, -2.0], &cut).unwrap();
        assert_eq!(dimension, 0);
        assert!(z.iter().all(|v| (v - 1.0).abs() < 1e-12));
        assert!(interior(&[0.0, 0.0, 1.0, 1.0, -3.0], &cut).is_none());
        // z₁ ≤ 0 leaves a segment
        let mut cut = square.to_vec();
        cut.extend([-1.0, 0.0]);
        let (dimension, z) = interior(&[0.0, 0.0, 1.0, 1.0, 0.0], &cut).unwrap();
        assert_eq!(dimension, 1);
        assert!(z[0].abs() < 1e-12 && z[1] > 0.0 && z[1] < 1.0);
    }

    #[test]
    fn cones_and_lines() {
        let (dimension, z) = interior(&[0.0, 0.0], &[1.0, 0.0, 0.0, 1.0]).unwrap();
        assert_eq!(dimension, 2);
        assert!(z.iter().all(|v| *v > 0.0));
        // A strip: the second unknown is free.
        assert_eq!(interior(&[1.0, 1.0], &[1.0, 0.0, -1.0, 0.0]).unwrap().0, 2);
    }
}
