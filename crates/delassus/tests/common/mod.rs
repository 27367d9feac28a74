//! What the solver tests share: inclusions that own their data, and a check of
//! a solution that is independent of the solvers.
#![allow(dead_code)]

use delassus::solve::{Cone, Inclusion};

/// An inclusion with its own data.
#[derive(Debug, Clone)]
pub struct Case {
    pub matrix: Vec<f64>,
    pub vector: Vec<f64>,
    pub cones: Vec<Cone>,
}

impl Case {
    pub fn inclusion(&self) -> Inclusion<'_> {
        Inclusion { matrix: &self.matrix, vector: &self.vector, cones: &self.cones, speed: 0.0 }
    }

    /// G = WᵀW from rows of directions in the kinetic metric.
    pub fn from_directions(directions: &[Vec<f64>], vector: Vec<f64>, cones: Vec<Cone>) -> Self {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let matrix = directions.iter().flat_map(|a| directions.iter().map(move |b| dot(a, b))).collect();
        Self { matrix, vector, cones }
    }

    pub fn xi(&self, x: &[f64]) -> Vec<f64> {
        let m = self.vector.len();
        (0..m).map(|i| self.vector[i] + (0..m).map(|j| self.matrix[i * m + j] * x[j]).sum::<f64>()).collect()
    }

    /// Scale-free residual of the inclusion: natural maps in units of √G_ii,
    /// velocities relative to the largest of b and ξ, impulses to the largest of x.
    pub fn residual(&self, x: &[f64]) -> f64 {
        // What is not finite is no solution; the comparisons below would drop it.
        if x.iter().any(|v| !v.is_finite()) {
            return f64::INFINITY;
        }
        let m = self.vector.len();
        let xi = self.xi(x);
        let s: Vec<f64> = (0..m).map(|i| self.matrix[i * m + i].sqrt()).collect();
        let v = (0..m).fold(0.0f64, |a, i| a.max((self.vector[i] / s[i]).abs()).max((xi[i] / s[i]).abs()));
        if v == 0.0 {
            return x.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        }
        let big = (0..m).fold(1.0f64, |a, i| a.max((x[i] * s[i] / v).abs()));
        let mut worst = 0.0f64;
        for cone in &self.cones {
            let r = match *cone {
                Cone::Free { row } => xi[row].abs() / s[row] / v,
                Cone::Unilateral { row } => (x[row] * s[row] / v / big).min(xi[row] / s[row] / v).abs(),
                Cone::Line { row, normal, friction, shift } => {
                    let radius = (friction * (x[normal] + shift) * s[row] / v).max(0.0);
                    let (x, xi) = (x[row] * s[row] / v, xi[row] / s[row] / v);
                    (x + (xi - x).clamp(-radius, radius)).abs() / big
                }
                Cone::Ellipse { row, normal, friction, shift } => {
                    // The natural map in coordinates where the ellipse is a disk.
                    let unit = s[row].max(s[row + 1]);
                    let r = (x[normal] + shift).max(0.0);
                    let mu = friction[0].max(friction[1]);
                    if mu == 0.0 {
                        (x[row].abs() + x[row + 1].abs()) * unit / v / big
                    } else {
                        let d = [friction[0] / mu, friction[1] / mu];
                        let y: Vec<f64> =
                            (0..2).map(|k| if d[k] > 0.0 { x[row + k] / d[k] } else { x[row + k] }).collect();
                        let w: Vec<f64> = (0..2).map(|k| -y[k] + xi[row + k] * d[k] / unit / unit).collect();
                        let size = w[0].hypot(w[1]);
                        let k = if size > mu * r { mu * r / size } else { 1.0 };
                        (y[0] + k * w[0]).hypot(y[1] + k * w[1]) * unit / v / big
                    }
                }
            };
            worst = worst.max(r);
        }
        worst
    }
}

/// Frictional planar contacts: rows (normal, tangent) for each coefficient.
pub fn planar_cones(friction: &[f64], shift: f64) -> Vec<Cone> {
    let cones = friction.iter().enumerate().flat_map(|(k, &friction)| {
        [Cone::Unilateral { row: 2 * k }, Cone::Line { row: 2 * k + 1, normal: 2 * k, friction, shift }]
    });
    cones.collect()
}

/// Frictional spatial contacts: rows (normal, two tangents) for each pair of coefficients.
pub fn spatial_cones(friction: &[[f64; 2]], shift: f64) -> Vec<Cone> {
    let cones = friction.iter().enumerate().flat_map(|(k, &friction)| {
        [Cone::Unilateral { row: 3 * k }, Cone::Ellipse { row: 3 * k + 1, normal: 3 * k, friction, shift }]
    });
    cones.collect()
}

/// A small deterministic generator of numbers in [−1, 1).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}
