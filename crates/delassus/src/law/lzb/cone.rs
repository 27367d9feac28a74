//! Contacts with two tangents at rest: which of them can hold, and how the
//! others start to slide.
//!
//! Given the normal rates, the rates y of friction minimise a convex function
//! of the accelerations a = a₀ + Ay of the tangents,
//!
//! ```text
//! ½yᵀAy + Σ dP_n ‖Da‖,      hence  y = −dP_n D²a/‖Da‖, or ‖D⁻¹y‖ ≤ dP_n where a = 0
//! ```
//!
//! With √(‖Da‖² + ε²) for ‖Da‖ it is smooth, and Newton's method with a line
//! search always ends; ε falls to round-off. No rank is asked of A, so that
//! dependent directions need no special care.

use super::basis::gauss;

/// Accelerations below this share of the largest rate are none. Let go too
/// late, a contact misses the square of this velocity.
pub(super) const NO_ACCELERATION: f64 = 1e-8;

/// Last ε. Friction lacks ½(ε/a)² of its limit at the acceleration a, which
/// must not matter at [`NO_ACCELERATION`].
const SHARPEST: f64 = 1e-13;

/// Most Newton steps for each ε, and halvings of each.
const STEPS: usize = 50;
const HALVINGS: usize = 40;

/// One contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cone {
    pub contact: usize,
    /// dP_n.
    pub force: f64,
    /// D: static as long as the contact is held, kinetic once it is let go.
    pub friction: [f64; 2],
}

/// The convex problem and its solution.
#[derive(Debug, Clone, Default)]
pub(super) struct Cones {
    pub cones: Vec<Cone>,
    /// A, row by row, two rows per cone; and a₀.
    pub matrix: Vec<f64>,
    pub drive: Vec<f64>,
    /// y and a.
    pub rates: Vec<f64>,
    pub acceleration: Vec<f64>,
    system: Vec<f64>,
    trial: Vec<f64>,
    trial_acceleration: Vec<f64>,
}

impl Cones {
    /// Finds y and a.
    pub fn solve(&mut self) {
        let size = self.drive.len();
        self.rates.clear();
        self.rates.resize(size, 0.0);
        self.acceleration.clear();
        self.acceleration.extend_from_slice(&self.drive);
        let largest = self.drive.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
        let mut epsilon = largest;
        let last = SHARPEST * largest.max(1.0);
        while epsilon > last {
            epsilon = (0.1 * epsilon).max(last);
            for _ in 0..STEPS {
                if !self.improve(epsilon) {
                    break;
                }
            }
        }
    }

    /// ‖a‖ of cone `k`.
    pub fn speed_up(&self, k: usize) -> f64 {
        self.acceleration[2 * k].hypot(self.acceleration[2 * k + 1])
    }

    /// Largest ‖a‖.
    pub fn fastest(&self) -> f64 {
        (0..self.cones.len()).fold(0.0, |m, k| self.speed_up(k).max(m))
    }

    /// One Newton step, (1 + CA)Δy = −(y + f(a)), C = ∂f/∂a. Returns whether it was worth it.
    fn improve(&mut self, epsilon: f64) -> bool {
        let size = self.drive.len();
        let width = size + 1;
        let mut system = std::mem::take(&mut self.system);
        system.clear();
        system.resize(size * width, 0.0);
        let mut worst = 0.0_f64;
        for (k, cone) in self.cones.iter().enumerate() {
            let (z, s, most) = cone.normalised(&self.acceleration[2 * k..], epsilon);
            for i in 0..2 {
                let row = (2 * k + i) * width;
                let friction = cone.force * cone.friction[i];
                for j in 0..2 {
                    let turn = if i == j { 1.0 } else { 0.0 } - z[i] * z[j];
                    let slope = friction * turn * cone.friction[j] / (s * most);
                    if slope != 0.0 {
                        for column in 0..size {
                            system[row + column] += slope * self.matrix[(2 * k + j) * size + column];
                        }
                    }
                }
                system[row + 2 * k + i] += 1.0;
                let rest = self.rates[2 * k + i] + friction * z[i];
                system[row + size] = -rest;
                worst = worst.max(rest.abs() / (cone.force * most));
            }
        }
        if worst.is_nan() || worst <= 1e-14 {
            self.system = system;
            return false;
        }
        gauss(&mut system, size);
        // Along Δy the function falls at the rate Δyᵀ(A + ACA)Δy ≥ ΔyᵀAΔy.
        let value = self.value(&self.rates, &self.acceleration, epsilon);
        let mut length = 1.0;
        let mut better = false;
        for _ in 0..HALVINGS {
            self.trial.clear();
            self.trial.extend((0..size).map(|i| self.rates[i] + length * system[i * width + size]));
            self.trial_acceleration.clear();
            for i in 0..size {
                let line = &self.matrix[i * size..(i + 1) * size];
                let sum: f64 = line.iter().zip(&self.trial).map(|(a, y)| a * y).sum();
                self.trial_acceleration.push(self.drive[i] + sum);
            }
            let new = self.value(&self.trial, &self.trial_acceleration, epsilon);
            if new < value || length == 1.0 && new <= value * (1.0 + 1e-14) {
                better = true;
                break;
            }
            length *= 0.5;
        }
        self.system = system;
        if better {
            std::mem::swap(&mut self.rates, &mut self.trial);
            std::mem::swap(&mut self.acceleration, &mut self.trial_acceleration);
        }
        better && worst > 1e-12
    }

    /// ½yᵀAy + Σ dP_n √(‖Da‖² + ε²).
    fn value(&self, y: &[f64], a: &[f64], epsilon: f64) -> f64 {
        let energy: f64 = (0..y.len()).map(|i| 0.5 * y[i] * (a[i] - self.drive[i])).sum();
        let loss = |(k, cone): (usize, &Cone)| {
            let (_, s, most) = cone.normalised(&a[2 * k..], epsilon);
            cone.force * most * s
        };
        energy + self.cones.iter().enumerate().map(loss).sum::<f64>()
    }
}

impl Cone {
    /// With D/d for D, d = max D: z = Da/s, s = √(‖Da‖² + ε²), and d.
    fn normalised(&self, a: &[f64], epsilon: f64) -> ([f64; 2], f64, f64) {
        let most = self.friction[0].max(self.friction[1]).max(f64::MIN_POSITIVE);
        let [x, y] = [0, 1].map(|i| self.friction[i] / most * a[i]);
        let s = x.hypot(y).hypot(epsilon);
        ([x / s, y / s], s, most)
    }
}
