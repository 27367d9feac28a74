//! The normal form of the equations of contacts: rows in units in which they compare, joints eliminated.
//!
//! ```text
//! ξ = G x + b,    ξ_J = 0                       J: joints, rows whose velocity is zero whatever it takes
//! s_i = √G_ii,    x = (β/s) x̂,   ξ = β s ξ̂,     Ĝ_ij = G_ij/(s_i s_j),   b̂_i = b_i/(β s_i)
//! H = Ĝ − Ĝ_·J Ĝ_JJ⁺ Ĝ_J·,   h = b̂ − Ĝ_·J Ĝ_JJ⁺ b̂_J,   x̂_J = −Ĝ_JJ⁺(b̂_J + Ĝ_J· x̂)
//! ```
//!
//! Hence ξ̂ = H x̂ + h for the rows that are kept, with numbers of order one whatever the units of lengths, masses
//! and angles, and every threshold below compares with one. The pseudo-inverse shares what redundant joints carry
//! in the least way.

use super::tolerance::RESIDUAL;
use crate::small::pseudo_inverse::pseudo_inverse;

/// Entries below this after joints were eliminated are round-off; those of Ĝ are at most one.
const ROUND: f64 = 32.0 * f64::EPSILON;
/// Velocities of redundant joints may contradict each other by this much, relative to the largest velocity or to the
/// speed of the system: then each is kept as well as the checks ask for.
const CONTRADICTION: f64 = RESIDUAL;

/// Units in which rows of ξ = Gx + b compare. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct Units {
    /// s_i = √G_ii; a row that nothing moves has the largest of the others.
    pub(crate) size: Vec<f64>,
    /// 1/s_i.
    pub(crate) inverse: Vec<f64>,
    /// β, the unit of ξ/s and of s x.
    pub(crate) speed: f64,
    /// The speed of the system, in the same unit: zero where it is not known.
    pub(crate) system: f64,
}

impl Units {
    /// Reads the diagonal of G; β becomes one, and the speed of the system is forgotten.
    pub(crate) fn read(&mut self, diagonal: impl Iterator<Item = f64>) {
        self.size.clear();
        self.size.extend(diagonal.map(|g| g.max(0.0).sqrt()));
        if self.size.contains(&0.0) {
            let largest = self.size.iter().fold(0.0f64, |a, &s| a.max(s));
            let spare = if largest > 0.0 { largest } else { 1.0 };
            self.size.iter_mut().filter(|s| **s == 0.0).for_each(|s| *s = spare);
        }
        self.inverse.clear();
        self.inverse.extend(self.size.iter().map(|s| 1.0 / s));
        (self.speed, self.system) = (1.0, 0.0);
    }

    /// Gives rows the root of the mean of their squares as size: the directions of one friction disk.
    pub(crate) fn share(&mut self, rows: std::ops::Range<usize>) {
        let squares: f64 = self.size[rows.clone()].iter().map(|s| s * s).sum();
        let mean = (squares / rows.len() as f64).sqrt();
        self.size[rows.clone()].fill(mean);
        self.inverse[rows].fill(1.0 / mean);
    }

    /// How many times faster than β the system moves, one at least: what impulses may reach without being absurd.
    pub(crate) fn reach(&self) -> f64 {
        (self.system / self.speed).max(1.0)
    }

    /// The largest |b_i|/s_i.
    pub(crate) fn largest(&self, b: impl Iterator<Item = f64>) -> f64 {
        b.zip(&self.inverse).fold(0.0, |largest, (b, inverse)| largest.max(b.abs() * inverse))
    }

    /// Takes the largest |b_i|/s_i as β, `least` where all are zero.
    pub(crate) fn measure(&mut self, b: impl Iterator<Item = f64>, least: f64) {
        let largest = self.largest(b);
        self.speed = if largest > 0.0 { largest } else { least };
    }

    /// Ĝ_ij of G_ij.
    #[inline]
    pub(crate) fn entry(&self, i: usize, j: usize, g: f64) -> f64 {
        // Divided, not multiplied by the reciprocals: two roundings instead of four, and the same for (j, i).
        g / (self.size[i] * self.size[j])
    }

    /// b̂_i of b_i, and ξ̂_i of ξ_i.
    #[inline]
    pub(crate) fn velocity(&self, i: usize, b: f64) -> f64 {
        b * (self.inverse[i] / self.speed)
    }

    /// x_i of x̂_i.
    #[inline]
    pub(crate) fn impulse(&self, i: usize, x: f64) -> f64 {
        x * self.speed * self.inverse[i]
    }

    /// Writes all of Ĝ and b̂, row by row.
    pub(crate) fn scale(&self, matrix: &[f64], vector: &[f64], g: &mut Vec<f64>, b: &mut Vec<f64>) {
        let m = vector.len();
        g.clear();
        for (i, row) in matrix.chunks_exact(m.max(1)).enumerate() {
            g.extend(row.iter().enumerate().map(|(j, &entry)| self.entry(i, j, entry)));
        }
        b.clear();
        b.extend(vector.iter().enumerate().map(|(i, &b)| self.velocity(i, b)));
    }
}

/// ξ̂ = H x̂ + h over the rows that are kept. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct NormalForm {
    pub(crate) units: Units,
    /// Rows that are kept, in the order of H.
    pub(crate) kept: Vec<usize>,
    /// Rows that are eliminated.
    pub(crate) joints: Vec<usize>,
    /// H, row by row.
    pub(crate) matrix: Vec<f64>,
    /// h.
    pub(crate) vector: Vec<f64>,
    /// Ĝ_JJ⁺.
    inverse: Vec<f64>,
    /// Ĝ_JJ⁺Ĝ_Jr for the rows r that are kept, and as last column Ĝ_JJ⁺b̂_J.
    coupling: Vec<f64>,
    scratch: Vec<f64>,
    redundant: bool,
}

impl NormalForm {
    /// Forgets which rows are kept and which are joints.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
        self.joints.clear();
    }

    /// Whether some joint depends on others, so that x̂ of the kept rows does not determine theirs.
    pub(crate) fn is_redundant(&self) -> bool {
        self.redundant
    }

    /// Computes H and h from the entries of G and b; `false` where redundant joints contradict each other, which are
    /// then held as well as they can be.
    ///
    /// Only entries between joints must be symmetric: directions of friction at its limit make the others skew.
    pub(crate) fn reduce(&mut self, g: impl Fn(usize, usize) -> f64, b: impl Fn(usize) -> f64) -> bool {
        let Self { units, kept, joints, matrix, vector, .. } = self;
        let entry = |i: usize, j: usize| units.entry(i, j, g(i, j));
        let velocity = |i: usize| units.velocity(i, b(i));
        matrix.clear();
        vector.clear();
        for &i in &*kept {
            matrix.extend(kept.iter().map(|&j| entry(i, j)));
            vector.push(velocity(i));
        }
        self.redundant = false;
        self.coupling.clear();
        if joints.is_empty() {
            return true;
        }
        let (count, width) = (joints.len(), kept.len() + 1);
        self.inverse.clear();
        self.inverse.resize(count * count, 0.0);
        for p in 0..count {
            for q in 0..=p {
                let entry = entry(joints[p], joints[q]);
                self.inverse[p * count + q] = entry;
                self.inverse[q * count + p] = entry;
            }
        }
        self.redundant = pseudo_inverse(&mut self.inverse, count, &mut self.scratch);
        for k in self.inverse.chunks_exact(count) {
            let with = || k.iter().zip(&*joints);
            self.coupling.extend(kept.iter().map(|&j| with().map(|(k, &f)| k * entry(f, j)).sum::<f64>()));
            self.coupling.push(with().map(|(k, &f)| k * velocity(f)).sum());
        }
        // Consistent iff Ĝ_JJ Ĝ_JJ⁺ b̂_J = b̂_J; rows of Ĝ_Jr lie in the range of Ĝ_JJ by themselves.
        let mut consistent = true;
        if self.redundant {
            let driven = self.coupling.iter().skip(width - 1).step_by(width);
            let left = |&i: &usize| {
                let through: f64 = joints.iter().zip(driven.clone()).map(|(&f, c)| entry(i, f) * c).sum();
                (through - velocity(i)).abs()
            };
            let allowed = CONTRADICTION * units.reach();
            consistent = joints.iter().all(|i| left(i) <= allowed);
        }
        for (p, &i) in kept.iter().enumerate() {
            for (row, &f) in self.coupling.chunks_exact(width).zip(&*joints) {
                let g_if = entry(i, f);
                let h = &mut matrix[p * (width - 1)..(p + 1) * (width - 1)];
                h.iter_mut().zip(row).for_each(|(h, c)| *h -= g_if * c);
                vector[p] -= g_if * row[width - 1];
            }
        }
        // A row that the joints block leaves only round-off.
        for value in matrix.iter_mut().chain(vector.iter_mut()).filter(|v| v.abs() <= ROUND) {
            *value = 0.0;
        }
        consistent
    }

    /// Writes x of kept rows and joints from x̂ of the kept rows; others stay as they are.
    pub(crate) fn write_back(&self, reduced: &[f64], x: &mut [f64]) {
        for (&row, &value) in self.kept.iter().zip(reduced) {
            x[row] = self.units.impulse(row, value);
        }
        let width = self.kept.len() + 1;
        for (row, &f) in self.coupling.chunks_exact(width).zip(&self.joints) {
            let sum: f64 = row[width - 1] + row.iter().zip(reduced).map(|(c, v)| c * v).sum::<f64>();
            x[f] = -self.units.impulse(f, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G = WᵀW of `rows` directions in n dimensions; those beyond `independent` are sums of the ones before.
    fn gram(rows: usize, n: usize, independent: usize) -> Vec<f64> {
        let number = |k: usize| (1.3 * (k * k) as f64 + 0.7).sin();
        let mut w: Vec<Vec<f64>> = (0..rows).map(|i| (0..n).map(|k| number(n * i + k)).collect()).collect();
        for i in independent..rows {
            w[i] = (0..n).map(|k| w[i - 1][k] - 2.0 * w[i - 2][k]).collect();
        }
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        w.iter().flat_map(|a| w.iter().map(|b| product(a, b)).collect::<Vec<_>>()).collect()
    }

    /// ξ = Gx + b of the kept rows is β s (H x̂ + h), and that of the joints zero, in any units.
    #[test]
    fn kept_rows_move_as_before_and_joints_do_not() {
        for (joints, independent) in [(vec![], 5), (vec![4], 5), (vec![1, 4], 5), (vec![2, 3, 4], 4)] {
            let m = 5;
            let mut g = gram(m, 7, independent);
            // Rows in other units.
            let unit = |i: usize| [1.0, 1e3, 1e-4, 1e6, 1e-2][i];
            g.iter_mut().enumerate().for_each(|(k, g)| *g *= unit(k / m) * unit(k % m));
            // A velocity in the range of G, so that redundant joints agree.
            let c = [0.4, -1.0, 0.3, 0.2, 0.9];
            let b: Vec<f64> = (0..m).map(|i| (0..m).map(|j| g[i * m + j] * c[j] / unit(j)).sum()).collect();
            let mut form = NormalForm::default();
            form.units.read((0..m).map(|i| g[i * (m + 1)]));
            form.units.measure(b.iter().copied(), 1.0);
            form.kept.extend((0..m).filter(|i| !joints.contains(i)));
            form.joints.clone_from(&joints);
            assert!(form.reduce(|i, j| g[i * m + j], |i| b[i]));
            assert_eq!(form.is_redundant(), independent < m);
            let reduced: Vec<f64> = (0..form.kept.len()).map(|k| 0.3 + k as f64).collect();
            let mut x = vec![0.0; m];
            form.write_back(&reduced, &mut x);
            for i in 0..m {
                let xi: f64 = b[i] + (0..m).map(|j| g[i * m + j] * x[j]).sum::<f64>();
                let expected = form.kept.iter().position(|&k| k == i).map_or(0.0, |p| {
                    let row = &form.matrix[p * reduced.len()..(p + 1) * reduced.len()];
                    form.vector[p] + row.iter().zip(&reduced).map(|(h, x)| h * x).sum::<f64>()
                });
                let found = form.units.velocity(i, xi);
                assert!((found - expected).abs() < 1e-11, "{joints:?}, row {i}: {found} is not {expected}");
            }
        }
    }

    #[test]
    fn joints_that_contradict_each_other_are_told() {
        let g = [1.0, 0.5, 0.5, 0.5, 1.0, 1.0, 0.5, 1.0, 1.0];
        let mut form = NormalForm::default();
        form.units.read((0..3).map(|i| g[i * 4]));
        form.kept.push(0);
        form.joints.extend([1, 2]);
        assert!(form.reduce(|i, j| g[i * 3 + j], |i| [1.0, 0.2, 0.2][i]));
        assert!(!form.reduce(|i, j| g[i * 3 + j], |i| [1.0, 0.2, 0.2 + 2e-9][i]));
        // Beside a system that moves faster than any of these rows it is none.
        form.units.system = 10.0;
        assert!(form.reduce(|i, j| g[i * 3 + j], |i| [1.0, 0.2, 0.2 + 2e-9][i]));
    }

    #[test]
    fn a_row_that_nothing_moves_and_a_disk_have_units() {
        let mut units = Units::default();
        units.read([4.0, 0.0, 9.0, 16.0].into_iter());
        assert_eq!(units.size, [2.0, 4.0, 3.0, 4.0]);
        units.share(2..4);
        assert_eq!(units.size[2..], [12.5f64.sqrt(); 2]);
        units.read([0.0].into_iter());
        assert_eq!(units.size, [1.0]);
    }
}
