//! The normal form of an inclusion (see [`NormalForm`]) with unit friction and round disks.
//!
//! ```text
//! x̂ = D y,   ξ̂ = D⁻¹ η,   η = A y + q,   A = D H D,  q = D h
//! D_N = 1,  D_T = μ_T s_T/s_N   ⇒   ‖y_T‖ ≤ y_N + s
//! ```
//!
//! Rows whose friction is zero, or as good as that, carry no impulse and drop out.

use crate::elementary::Elementary;
use crate::solve::ellipse::project_ellipse;
use crate::solve::normal_form::NormalForm;
use crate::solve::{Cone, Inclusion};

/// Scaled coefficients μ s_T/s_N up to this are none: the impulse that they allow is below all that checks can see, and disks
/// drawn out that far to ellipses cost Newton's method its digits.
const FRICTIONLESS: f64 = 1e-12;

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
    /// D.
    factor: Vec<f64>,
    normal_form: NormalForm,
    /// x̂ of the rows of y.
    reduced: Vec<f64>,
}

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
        let (g, b) = (inclusion.matrix, inclusion.vector);
        let units = &mut self.normal_form.units;
        units.read((0..m).map(|i| g[i * (m + 1)]));
        units.measure(b.iter().copied(), 1.0);
        units.system = inclusion.speed;
        if !self.collect_blocks(inclusion.cones) {
            return Loaded::BadInput;
        }
        if !self.normal_form.reduce(|i, j| g[i * m + j], |i| b[i]) {
            return Loaded::Contradiction;
        }
        self.size = self.factor.len();
        self.a.clear();
        self.q.clear();
        let rows = self.normal_form.matrix.chunks_exact(self.size.max(1)).zip(&self.normal_form.vector);
        for (di, (row, h)) in self.factor.iter().zip(rows) {
            self.a.extend(row.iter().zip(&self.factor).map(|(h, dj)| di * h * dj));
            self.q.push(di * h);
        }
        Loaded::Ready
    }

    /// Finds the blocks, the rows they keep and the free ones; `false` where friction belongs to no unilateral row.
    fn collect_blocks(&mut self, cones: &[Cone]) -> bool {
        self.blocks.clear();
        self.factor.clear();
        self.normal_form.clear();
        let NormalForm { units, kept, joints, .. } = &mut self.normal_form;
        for cone in cones {
            let normal = match *cone {
                Cone::Unilateral { row } => row,
                Cone::Free { row } => {
                    joints.push(row);
                    continue;
                }
                _ => continue,
            };
            let mut block = Block { row: kept.len(), tangents: 0, shift: 0.0, weight: [0.0; 2] };
            kept.push(normal);
            self.factor.push(1.0);
            let owned = cones.iter().find_map(|c| match *c {
                Cone::Line { row, normal: n, friction, shift } if n == normal => Some((row, [friction, 0.0], 1, shift)),
                Cone::Ellipse { row, normal: n, friction, shift } if n == normal => Some((row, friction, 2, shift)),
                _ => None,
            });
            if let Some((first, friction, axes, shift)) = owned {
                let squares: f64 = units.size[first..first + axes].iter().map(|s| s * s).sum();
                let s_t = (squares / axes as f64).sqrt();
                let s_n = units.inverse[normal];
                block.shift = shift.max(0.0) * units.size[normal] / units.speed;
                for axis in (0..axes).filter(|&axis| friction[axis] * s_t * s_n > FRICTIONLESS) {
                    kept.push(first + axis);
                    self.factor.push(friction[axis] * s_n * units.size[first + axis]);
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
        self.normal_form.units.speed
    }

    /// Whether y determines x: no free row is redundant.
    pub(super) fn is_determined(&self) -> bool {
        !self.normal_form.is_redundant()
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
    pub(super) fn write_back(&mut self, y: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        self.reduced.clear();
        self.reduced.extend(self.factor.iter().zip(y).map(|(d, y)| d * y));
        self.normal_form.write_back(&self.reduced, x);
    }
}
