//! A problem's operator and the checks of an answer, written down a second time.

use crate::problems::{Element, Kind, Trial};

/// The laws that are inclusions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    Newton,
    Moreau(f64),
    Poisson,
}

/// Relative residual that the program certifies.
pub const CERTIFIED: f64 = 1e-9;

/// G, γ⁻ and what follows from Λ.
pub struct System {
    pub rows: usize,
    /// G, row by row.
    pub g: Vec<f64>,
    pub gamma: Vec<f64>,
    /// γ⁻ + WᵀM⁻¹F.
    pub free: Vec<f64>,
    pub elements: Vec<Element>,
    /// √(tr G_ii/dim) of each element.
    scale: Vec<f64>,
    trial: Trial,
    u_free: Vec<f64>,
    energy_minus: f64,
    /// Of what drives the system: T⁻, the free motion, moving supports.
    driving: f64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl System {
    pub fn new(trial: &Trial) -> Self {
        let rows = trial.directions.len();
        let weighted = |w: &[f64]| -> Vec<f64> { w.iter().zip(&trial.mass).map(|(w, m)| w / m).collect() };
        let g: Vec<f64> =
            trial.directions.iter().flat_map(|a| trial.directions.iter().map(move |b| dot(&weighted(a), b))).collect();
        let mut u_free = trial.velocity.clone();
        for ((u, f), m) in u_free.iter_mut().zip(&trial.impulse).zip(&trial.mass) {
            *u += f / m;
        }
        let relative = |u: &[f64]| -> Vec<f64> {
            trial.directions.iter().zip(&trial.offset).map(|(w, chi)| dot(w, u) + chi).collect()
        };
        let scale = trial.elements.iter().map(|e| {
            let trace: f64 = (e.row..e.row + e.rows).map(|i| g[i * rows + i]).sum();
            (trace / e.rows as f64).sqrt()
        });
        let energy = |u: &[f64]| 0.5 * u.iter().zip(&trial.mass).map(|(u, m)| m * u * u).sum::<f64>();
        let supports = (0..rows).fold(0.0f64, |m, i| m.max(0.5 * trial.offset[i].powi(2) / g[i * rows + i]));
        let energy_minus = energy(&trial.velocity);
        Self {
            rows,
            gamma: relative(&trial.velocity),
            free: relative(&u_free),
            elements: trial.elements.clone(),
            scale: scale.collect(),
            driving: energy_minus.max(energy(&u_free)).max(supports),
            energy_minus,
            trial: trial.clone(),
            u_free,
            g,
        }
    }

    pub fn velocity(&self, impulses: &[f64]) -> Vec<f64> {
        let mut u = self.u_free.clone();
        for (w, x) in self.trial.directions.iter().zip(impulses) {
            u.iter_mut().zip(w).zip(&self.trial.mass).for_each(|((u, w), m)| *u += w * x / m);
        }
        u
    }

    fn energy(&self, u: &[f64]) -> f64 {
        0.5 * u.iter().zip(&self.trial.mass).map(|(u, m)| m * u * u).sum::<f64>()
    }

    /// How far two velocities are apart in the kinetic metric, relative to the larger one and to what drives them.
    pub fn apart(&self, u: &[f64], v: &[f64]) -> f64 {
        let difference: Vec<f64> = u.iter().zip(v).map(|(u, v)| u - v).collect();
        let size = self.driving.max(self.energy(u)).max(self.energy(v));
        if size == 0.0 { 0.0 } else { (self.energy(&difference) / size).sqrt() }
    }

    /// The largest impulse relative to the speed, at least one.
    pub fn impulse_scale(&self, impulses: &[f64], u: &[f64]) -> f64 {
        let speed = (2.0 * self.driving.max(self.energy(u))).sqrt();
        let sizes = (0..self.rows).map(|i| impulses[i].abs() * self.g[i * self.rows + i].sqrt() / speed);
        sizes.fold(1.0, f64::max)
    }

    /// γ after the impulses.
    pub fn relative(&self, impulses: &[f64]) -> Vec<f64> {
        let row = |i: usize| self.free[i] + dot(&self.g[i * self.rows..(i + 1) * self.rows], impulses);
        (0..self.rows).map(row).collect()
    }

    /// Restitution of an element.
    pub fn restitution(&self, law: Law, element: &Element) -> f64 {
        if let Law::Moreau(e) = law { e } else { element.restitution }
    }

    /// The relative residual of the law's inclusion as it is defined for certificates. For
    /// Poisson's law `compression` are the impulses of the first phase, else it is not used.
    pub fn residual(&self, law: Law, compression: &[f64], total: &[f64]) -> f64 {
        let mut energy = self.energy_minus.max(self.energy(&self.velocity(total)));
        if energy <= 1e-24 * self.driving {
            // Nothing moves, but a support or an external impulse would make it: their size counts.
            energy = self.driving;
        }
        if energy == 0.0 {
            return 0.0;
        }
        let v = (2.0 * energy).sqrt();
        let mut largest = 1.0f64;
        for (e, s) in self.elements.iter().zip(&self.scale) {
            (e.row..e.row + e.rows).for_each(|i| largest = largest.max((total[i] * s / v).abs()));
        }
        let after = self.relative(total);
        let mut worst = 0.0f64;
        for (e, &s) in self.elements.iter().zip(&self.scale) {
            let eps = self.restitution(law, e);
            let rows: Vec<usize> = (e.row..e.row + e.rows).collect();
            let mut phase = |x: &dyn Fn(usize) -> f64, xi: &dyn Fn(usize) -> f64| {
                let (x, xi) = (|i: usize| x(i) * s / v, |i: usize| xi(i) / (s * v));
                let r = match e.kind {
                    Kind::Joint => xi(e.row).abs(),
                    Kind::Normal | Kind::Clutch => (x(e.row) / largest).min(xi(e.row)).abs(),
                    Kind::Friction(normal, mu) => {
                        let radius = x(normal).max(0.0);
                        let x: Vec<f64> = rows.iter().map(|&i| x(i)).collect();
                        let moved: Vec<f64> = rows.iter().zip(&x).map(|(&i, x)| xi(i) - x).collect();
                        let p = project(&moved, [mu[0] * radius, mu[1] * radius]);
                        x.iter().zip(&p).fold(0.0f64, |r, (x, p)| r.hypot(x + p)) / largest
                    }
                };
                worst = if r.is_nan() { f64::NAN } else { worst.max(r) };
            };
            if law == Law::Poisson {
                let between = self.relative(compression);
                phase(&|i| compression[i], &|i| between[i]);
                phase(&|i| total[i] - (1.0 + eps) * compression[i], &|i| after[i]);
            } else {
                phase(&|i| total[i], &|i| after[i] + eps * self.gamma[i]);
            }
        }
        worst
    }
}

/// The point of the interval or ellipse with these half axes that is nearest to `p`.
fn project(p: &[f64], axes: [f64; 2]) -> Vec<f64> {
    if p.len() == 1 {
        return vec![p[0].clamp(-axes[0], axes[0])];
    }
    if axes[0] == 0.0 || axes[1] == 0.0 {
        return vec![p[0].clamp(-axes[0], axes[0]), p[1].clamp(-axes[1], axes[1])];
    }
    if (p[0] / axes[0]).hypot(p[1] / axes[1]) <= 1.0 {
        return p.to_vec();
    }
    // p = q + t (q₁/a₁², q₂/a₂²) with q on the ellipse: the gauge of q falls with t.
    let point = |t: f64| [0, 1].map(|k| p[k] * axes[k] * axes[k] / (axes[k] * axes[k] + t));
    let gauge = |q: [f64; 2]| (q[0] / axes[0]).hypot(q[1] / axes[1]);
    let (mut low, mut high) = (0.0, p[0].hypot(p[1]) * axes[0].max(axes[1]));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if gauge(point(middle)) > 1.0 { low = middle } else { high = middle }
    }
    point(high).to_vec()
}
