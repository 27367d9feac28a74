//! Small linear systems that may be redundant: contact forces of a fixed mode.

use super::pivoting::eliminate;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct RedundantWork {
    /// The upper factor of A.
    upper: Vec<f64>,
    columns: Vec<usize>,
    rhs: Vec<f64>,
    rank: usize,
    /// Units of the columns: one unless they are large, as strong friction makes them.
    units: Vec<f64>,
    basis: Vec<f64>,
}

/// Pivots below this part of the largest entry count as zero: those of
/// directions that differ by a millionth, or of contact points that lie so near.
const RANK: f64 = 1e-12;

impl RedundantWork {
    /// Solves A x = b for A (k × k, row by row, entries of order one in the units of the columns).
    ///
    /// Where A is singular the equations that depend on others are dropped and
    /// Σ x_i²/weight_i is minimised. Returns the rank.
    pub fn solve(&mut self, a: &[f64], b: &[f64], weights: &[f64], x: &mut [f64]) -> usize {
        let k = b.len();
        let rank = self.factor(a, b);
        self.rank = rank;
        self.substitute(x);
        if rank == k {
            return rank;
        }
        self.orthonormalise(weights);
        for direction in self.basis.chunks_exact(k) {
            let part = product(x, direction, weights);
            x.iter_mut().zip(direction).for_each(|(x, d)| *x -= part * d);
        }
        rank
    }

    /// The null space of a singular matrix solved last: a basis, one vector
    /// after the other, orthonormal in the metric of the reciprocal weights.
    pub fn null_space(&self) -> &[f64] {
        &self.basis
    }

    /// Fills the basis of the null space, by the method of Gram and Schmidt.
    fn orthonormalise(&mut self, weights: &[f64]) {
        let k = self.columns.len();
        self.basis.clear();
        for free in self.rank..k {
            let start = self.basis.len();
            self.basis.resize(start + k, 0.0);
            let (known, vector) = self.basis.split_at_mut(start);
            vector[self.columns[free]] = 1.0;
            for i in (0..self.rank).rev() {
                let later = (i + 1..self.rank).chain([free]);
                let sum: f64 = later.map(|j| self.upper[i * k + j] * vector[self.columns[j]]).sum();
                vector[self.columns[i]] = -sum / self.upper[i * k + i];
            }
            vector.iter_mut().zip(&self.units).for_each(|(v, unit)| *v /= unit);
            for direction in known.chunks_exact(k) {
                let part = product(vector, direction, weights);
                vector.iter_mut().zip(direction).for_each(|(v, d)| *v -= part * d);
            }
            let size = product(vector, vector, weights).sqrt();
            vector.iter_mut().for_each(|v| *v /= size);
        }
    }

    /// Eliminates A, and b along with it; returns the rank.
    fn factor(&mut self, a: &[f64], b: &[f64]) -> usize {
        let k = b.len();
        self.units.clear();
        self.units.extend((0..k).map(|j| {
            let largest = (0..k).fold(0.0f64, |m, i| m.max(a[i * k + j].abs()));
            if largest > 2.0 { largest } else { 1.0 }
        }));
        self.upper.clear();
        self.upper.extend(a.iter().zip(self.units.iter().cycle()).map(|(a, unit)| a / unit));
        self.rhs.clear();
        self.rhs.extend_from_slice(b);
        self.columns.clear();
        self.columns.extend(0..k);
        eliminate(&mut self.upper, &mut self.rhs, &mut self.columns, RANK)
    }

    /// The solution of the independent equations with zeros in the free unknowns.
    fn substitute(&mut self, x: &mut [f64]) {
        let (k, rank) = (x.len(), self.rank);
        for i in (0..rank).rev() {
            let sum: f64 = (i + 1..rank).map(|j| self.upper[i * k + j] * self.rhs[j]).sum();
            self.rhs[i] = (self.rhs[i] - sum) / self.upper[i * k + i];
        }
        x.fill(0.0);
        for (&column, &value) in self.columns.iter().zip(&self.rhs[..rank]) {
            x[column] = value / self.units[column];
        }
    }
}

/// Σ a_i b_i/weight_i.
fn product(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    a.iter().zip(b).zip(weights).map(|((a, b), w)| a * b / w).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_system() {
        let a = [0.0, 2.0, 1.0, 1.0, -1.0, 0.5, 3.0, 0.0, 1.0];
        let x = [0.3, -1.2, 2.0];
        let b: Vec<f64> = a.chunks(3).map(|r| r.iter().zip(x).map(|(a, x)| a * x).sum()).collect();
        let mut y = [0.0; 3];
        assert_eq!(RedundantWork::default().solve(&a, &b, &[1.0; 3], &mut y), 3);
        assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-14));
    }

    #[test]
    fn redundant_forces_are_shared_by_weight() {
        // Two equal rows and columns: x₀ + x₁ = 3, shared 1 : 2.
        let a = [1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let mut x = [0.0; 3];
        let rank = RedundantWork::default().solve(&a, &[3.0, 3.0, 5.0], &[1.0, 2.0, 1.0], &mut x);
        assert_eq!(rank, 2);
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14 && (x[2] - 5.0).abs() < 1e-14);
    }
}
