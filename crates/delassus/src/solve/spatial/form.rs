//! The normal form of an inclusion: no free rows, unit friction, round disks.
//!
//! ```text
//! free rows J eliminated one pivot after the other, G := G − g_p g_pᵀ/g_pp, b := b − g_p b_p/g_pp
//! x = β S y,   ξ = β S⁻¹ η,   η = A y + q,   A = S G S,  q = S b/β
//! S_N = 1/√G_NN,  S_T = μ_T S_N   ⇒   ‖y_T‖ ≤ y_N + s
//! ```
//!
//! Rows whose friction is zero carry no impulse and drop out.

use crate::elementary::Elementary;
use crate::solve::ellipse::project_ellipse;
use crate::solve::{Cone, Inclusion};

/// A group of rows with one law.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// First row, the normal; its tangents follow.
    pub(super) row: usize,
    /// Number of tangents: 0, 1 or 2.
    pub(super) tangents: usize,
    /// Constant part s of the radius.
    pub(super) shift: f64,
    /// Size of the tangential impulse in units of the checks: μ s_T/s_N per axis.
    weight: [f64; 2],
}

impl Block {
    /// Size of a tangential impulse of one, in units of the checks.
    pub(super) fn weight(&self, axis: usize) -> f64 {
        self.weight[axis]
    }
}

/// η = A y + q over the blocks. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Form {
    /// Number of rows of y.
    pub(super) size: usize,
    pub(super) a: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) blocks: Vec<Block>,
    /// Row of x for each row of y, with its factor S (without β).
    origin: Vec<(usize, f64)>,
    /// Eliminated copy of G, unit diagonal.
    g: Vec<f64>,
    b: Vec<f64>,
    /// √G_ii.
    scale: Vec<f64>,
    /// Free rows in the order of elimination.
    pivots: Vec<usize>,
    free: Vec<usize>,
    unit: f64,
}

/// Pivots of free rows below this are round-off of redundant joints.
const REDUNDANT: f64 = 1e-12;
/// Velocities of redundant joints may contradict each other by this much, relative to the largest.
const CONTRADICTION: f64 = 1e-9;

/// Entries below this after elimination are zero; the diagonal of G is one.
const ROUND: f64 = 32.0 * f64::EPSILON;

/// Whether the normal form could be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loaded {
    Ready,
    /// Redundant free rows contradict each other.
    Contradiction,
    /// Sizes or rows do not fit together, or entries are not finite.
    BadInput,
}

impl Form {
    /// Reads an inclusion.
    pub(super) fn load(&mut self, inclusion: &Inclusion) -> Loaded {
        let m = inclusion.vector.len();
        let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
        if inclusion.matrix.len() != m * m || !finite(inclusion.matrix) || !finite(inclusion.vector) {
            return Loaded::BadInput;
        }
        self.scale_rows(inclusion, m);
        if !self.eliminate_free(inclusion.cones, m) {
            return Loaded::Contradiction;
        }
        if !self.collect_blocks(inclusion.cones) {
            return Loaded::BadInput;
        }
        let k = self.origin.len();
        self.size = k;
        self.a.clear();
        self.q.clear();
        for &(i, si) in &self.origin {
            // `g` has unit diagonal, so the factors here are relative to 1/√G_ii.
            let si = si * self.scale[i];
            self.a.extend(self.origin.iter().map(|&(j, sj)| si * self.g[i * m + j] * (sj * self.scale[j])));
            self.q.push(si * self.b[i]);
        }
        Loaded::Ready
    }

    fn scale_rows(&mut self, inclusion: &Inclusion, m: usize) {
        self.scale.clear();
        self.scale.extend((0..m).map(|i| inclusion.matrix[i * m + i].max(0.0).sqrt()));
        let largest = self.scale.iter().fold(0.0f64, |a, &v| a.max(v));
        let spare = if largest > 0.0 { largest } else { 1.0 };
        self.scale.iter_mut().filter(|s| **s == 0.0).for_each(|s| *s = spare);
        let unit = inclusion.vector.iter().zip(&self.scale).fold(0.0f64, |a, (b, s)| a.max((b / s).abs()));
        self.unit = if unit > 0.0 { unit } else { 1.0 };
        self.b.clear();
        self.b.extend(inclusion.vector.iter().zip(&self.scale).map(|(b, s)| b / s / self.unit));
        self.g.clear();
        for (row, si) in inclusion.matrix.chunks_exact(m.max(1)).zip(&self.scale) {
            self.g.extend(row.iter().zip(&self.scale).map(|(g, sj)| g / si / sj));
        }
    }

    /// Symmetric elimination of the free rows, largest pivot first.
    fn eliminate_free(&mut self, cones: &[Cone], m: usize) -> bool {
        self.free.clear();
        self.free.extend(cones.iter().filter_map(|c| if let Cone::Free { row } = c { Some(*row) } else { None }));
        self.pivots.clear();
        while let Some(place) = (0..self.free.len()).max_by(|&a, &b| {
            let pivot = |k: usize| self.g[self.free[k] * m + self.free[k]];
            pivot(a).total_cmp(&pivot(b))
        }) {
            let p = self.free[place];
            let pivot = self.g[p * m + p];
            if pivot <= REDUNDANT {
                return self.free.iter().all(|&row| self.b[row].abs() <= CONTRADICTION);
            }
            self.free.swap_remove(place);
            self.pivots.push(p);
            for i in 0..m {
                let factor = self.g[i * m + p] / pivot;
                if factor == 0.0 || self.pivots.contains(&i) {
                    continue;
                }
                for j in 0..m {
                    self.g[i * m + j] -= factor * self.g[p * m + j];
                }
                self.b[i] -= factor * self.b[p];
                // Row p stays as it is for the way back; column p is spent.
                self.g[i * m + p] = 0.0;
            }
        }
        if !self.pivots.is_empty() {
            // A row that the joints block leaves only round-off.
            let clean = |v: &mut f64| *v = if v.abs() <= ROUND { 0.0 } else { *v };
            self.g.iter_mut().for_each(clean);
            self.b.iter_mut().for_each(clean);
        }
        true
    }

    fn collect_blocks(&mut self, cones: &[Cone]) -> bool {
        self.blocks.clear();
        self.origin.clear();
        for cone in cones {
            let Cone::Unilateral { row: normal } = *cone else { continue };
            let row = self.origin.len();
            let s_n = 1.0 / self.scale[normal];
            self.origin.push((normal, s_n));
            let mut block = Block { row, tangents: 0, shift: 0.0, weight: [0.0; 2] };
            let owned = cones.iter().find_map(|c| match *c {
                Cone::Line { row, normal: n, friction, shift } if n == normal => Some((row, [friction, 0.0], 1, shift)),
                Cone::Ellipse { row, normal: n, friction, shift } if n == normal => Some((row, friction, 2, shift)),
                _ => None,
            });
            if let Some((first, friction, axes, shift)) = owned {
                let squares: f64 = (first..first + axes).map(|t| self.scale[t] * self.scale[t]).sum();
                let s_t = (squares / axes as f64).sqrt();
                block.shift = shift.max(0.0) / s_n / self.unit;
                for axis in (0..axes).filter(|&axis| friction[axis] > 0.0) {
                    self.origin.push((first + axis, friction[axis] * s_n));
                    block.weight[block.tangents] = friction[axis] * s_t * s_n;
                    block.tangents += 1;
                }
            }
            self.blocks.push(block);
        }
        // Friction rows must belong to a unilateral row.
        cones.iter().all(|c| match *c {
            Cone::Line { normal, .. } | Cone::Ellipse { normal, .. } => {
                cones.iter().any(|o| matches!(*o, Cone::Unilateral { row } if row == normal))
            }
            _ => true,
        })
    }

    /// The unit β of velocities ξ/√G.
    pub(super) fn unit(&self) -> f64 {
        self.unit
    }

    /// Whether y determines x: no free row is redundant.
    pub(super) fn is_determined(&self) -> bool {
        self.free.is_empty()
    }

    /// η = A y + q.
    pub(super) fn velocity(&self, y: &[f64], eta: &mut Vec<f64>) {
        eta.clear();
        let rows = self.a.chunks_exact(self.size.max(1)).zip(&self.q);
        eta.extend(rows.map(|(row, q)| q + row.iter().zip(y).map(|(a, y)| a * y).sum::<f64>()));
    }

    /// The scale-free residual of the inclusion: its largest entry and the sum of squares.
    pub(super) fn residual(&self, y: &[f64], eta: &[f64]) -> (f64, f64) {
        self.residual_at(1.0, y, eta)
    }

    /// The same for a system that moves at least with this speed, in units of [`Form::unit`].
    pub(super) fn residual_at(&self, least: f64, y: &[f64], eta: &[f64]) -> (f64, f64) {
        let (mut impulse, mut speed) = (0.0f64, least);
        for block in &self.blocks {
            let n = block.row;
            impulse = impulse.max(y[n].abs());
            speed = speed.max(eta[n].abs());
            for k in 0..block.tangents {
                impulse = impulse.max((block.weight[k] * y[n + 1 + k]).abs());
                speed = speed.max((eta[n + 1 + k] / block.weight[k]).abs());
            }
        }
        // In the units of the checks: velocities relative to `speed`, impulses to the largest.
        let largest = (impulse / speed).max(1.0);
        let (mut worst, mut sum) = (0.0f64, 0.0);
        let mut add = |r: f64| {
            worst = if r > worst || r.is_nan() { r } else { worst };
            sum += r * r;
        };
        for block in &self.blocks {
            let n = block.row;
            add((y[n] / largest).min(eta[n]).abs() / speed);
            let radius = y[n].max(0.0) + block.shift;
            let [u, v] = block.weight;
            match block.tangents {
                1 => {
                    let (x, xi) = (u * y[n + 1], eta[n + 1] / u);
                    add((x + (xi - x).clamp(-u * radius, u * radius)).abs() / largest / speed);
                }
                2 => {
                    let x = [u * y[n + 1], v * y[n + 2]];
                    let xi = [eta[n + 1] / u, eta[n + 2] / v];
                    let p = project_ellipse([xi[0] - x[0], xi[1] - x[1]], [u * radius, v * radius]);
                    add((x[0] + p[0]).hypotenuse(x[1] + p[1]) / largest / speed);
                }
                _ => {}
            }
        }
        (worst, sum)
    }

    /// Writes x and the impulses of the eliminated rows.
    pub(super) fn write_back(&self, y: &[f64], x: &mut [f64]) {
        let m = x.len();
        x.fill(0.0);
        // First in units of 1/√G_ii, as `g` is.
        for (&(row, s), y) in self.origin.iter().zip(y) {
            x[row] = s * self.scale[row] * y;
        }
        for &p in self.pivots.iter().rev() {
            let row = &self.g[p * m..(p + 1) * m];
            let sum: f64 = row.iter().zip(&*x).map(|(g, x)| g * x).sum();
            x[p] = -(self.b[p] + sum) / row[p];
        }
        x.iter_mut().zip(&self.scale).for_each(|(x, s)| *x *= self.unit / s);
    }
}
