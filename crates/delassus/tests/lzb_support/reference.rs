//! A second method for the law `lzb`, independent of the library's.
//!
//! Generalized velocities u with dense products instead of relative ones,
//! classical Runge–Kutta steps with doubling and extrapolation instead of
//! order 8, bisection instead of Newton's method, no change of variable at
//! singular points, and stick found by a pseudoinverse instead of a basis.
#![allow(clippy::needless_range_loop)] // matrix loops read better with indices

/// One contact of the reference problem.
#[derive(Clone)]
pub struct RefContact {
    pub normal: Vec<f64>,
    /// Empty without friction.
    pub tangent: Vec<f64>,
    pub friction: f64,
    pub friction_static: f64,
    pub restitution: f64,
    pub stiffness: f64,
}

/// The reference problem, with diagonal mass.
#[derive(Clone)]
pub struct Reference {
    pub mass: Vec<f64>,
    pub velocity: Vec<f64>,
    pub contacts: Vec<RefContact>,
    pub exponent: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    Off,
    Stick,
    Slip(f64),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    Open,
    Compression,
    Expansion,
}

#[derive(Clone)]
struct State {
    u: Vec<f64>,
    delta: Vec<f64>,
}

const SMALL: f64 = 1e-11;

impl Reference {
    fn dot(&self, w: &[f64], u: &[f64]) -> f64 {
        w.iter().zip(u).map(|(a, b)| a * b).sum()
    }

    fn rates(&self, state: &State) -> Vec<f64> {
        let power = |x: f64| x.max(0.0).powf(self.exponent);
        self.contacts.iter().zip(&state.delta).map(|(c, &x)| c.stiffness * power(x)).collect()
    }

    /// Accelerations by normal rates `p` and tangential rates `t`.
    fn acceleration(&self, p: &[f64], t: &[f64]) -> Vec<f64> {
        let mut a = vec![0.0; self.mass.len()];
        for (j, c) in self.contacts.iter().enumerate() {
            for i in 0..a.len() {
                a[i] += c.normal[i] * p[j] / self.mass[i];
                if !c.tangent.is_empty() {
                    a[i] += c.tangent[i] * t[j] / self.mass[i];
                }
            }
        }
        a
    }

    /// Tangential rates for given modes: those of sticking contacts hold them,
    /// with the least Σ t²/(μ_s p).
    fn tangential(&self, modes: &[Mode], p: &[f64]) -> Vec<f64> {
        let mut t = vec![0.0; p.len()];
        for (j, mode) in modes.iter().enumerate() {
            if let Mode::Slip(sign) = mode {
                t[j] = -sign * self.contacts[j].friction * p[j];
            }
        }
        let stuck: Vec<usize> = (0..p.len()).filter(|&j| modes[j] == Mode::Stick).collect();
        let a = self.acceleration(p, &t);
        // t = √w y with √w G √w y = −√w a_t and least |y|, w = μ_s p.
        let limits: Vec<f64> = stuck.iter().map(|&j| self.contacts[j].friction_static * p[j]).collect();
        let top = limits.iter().fold(1e-300_f64, |a, &b| a.max(b));
        let w: Vec<f64> = limits.iter().map(|w| (w / top).max(1e-14).sqrt()).collect();
        let matrix: Vec<Vec<f64>> = (stuck.iter().zip(&w))
            .map(|(&i, wi)| {
                let (line, mass) = (&self.contacts[i].tangent, &self.mass);
                let entry = |j: usize| -> f64 {
                    let other = &self.contacts[j].tangent;
                    (0..line.len()).map(|k| line[k] * other[k] / mass[k]).sum()
                };
                stuck.iter().zip(&w).map(|(&j, wj)| wi * wj * entry(j)).collect()
            })
            .collect();
        let right: Vec<f64> =
            stuck.iter().zip(&w).map(|(&i, wi)| -wi * self.dot(&self.contacts[i].tangent, &a)).collect();
        for ((&j, y), w) in stuck.iter().zip(least(matrix, &right)).zip(&w) {
            t[j] = w * y;
        }
        t
    }

    /// Modes for the state, trying stick first and releasing the worst.
    fn modes(&self, state: &State, old: &[Mode]) -> Vec<Mode> {
        let p = self.rates(state);
        let mut modes: Vec<Mode> = (0..p.len())
            .map(|j| {
                let c = &self.contacts[j];
                if c.tangent.is_empty() || p[j] == 0.0 {
                    return Mode::Off;
                }
                let v = self.dot(&c.tangent, &state.u);
                match old[j] {
                    Mode::Slip(s) if s * v > -SMALL => Mode::Slip(s),
                    _ if v.abs() > 4.0 * SMALL => Mode::Slip(v.signum()),
                    _ => Mode::Stick,
                }
            })
            .collect();
        let most = p.iter().fold(0.0_f64, |a, &b| a.max(b));
        for _ in 0..=p.len() {
            let t = self.tangential(&modes, &p);
            let ratio = |j: usize| t[j].abs() / (self.contacts[j].friction_static * p[j]);
            let worst = (0..p.len())
                .filter(|&j| modes[j] == Mode::Stick && t[j].abs() > 1e-12 * most)
                .max_by(|&a, &b| ratio(a).total_cmp(&ratio(b)));
            match worst {
                Some(j) if ratio(j) > 1.0 + 1e-9 => modes[j] = Mode::Slip(-t[j].signum()),
                _ => break,
            }
        }
        modes
    }

    fn derivative(&self, state: &State, modes: &[Mode], phases: &[Phase]) -> State {
        let p = self.rates(state);
        let t = self.tangential(modes, &p);
        let delta = (0..p.len())
            .map(|j| {
                let v = self.dot(&self.contacts[j].normal, &state.u);
                match phases[j] {
                    Phase::Open => 0.0,
                    Phase::Compression => -v,
                    Phase::Expansion => -v / self.contacts[j].restitution.powi(2),
                }
            })
            .collect();
        State { u: self.acceleration(&p, &t), delta }
    }

    fn rk4(&self, y: &State, h: f64, modes: &[Mode], phases: &[Phase]) -> State {
        let add = |k: &State, f: f64| State {
            u: y.u.iter().zip(&k.u).map(|(a, b)| a + f * b).collect(),
            delta: y.delta.iter().zip(&k.delta).map(|(a, b)| a + f * b).collect(),
        };
        let k1 = self.derivative(y, modes, phases);
        let k2 = self.derivative(&add(&k1, 0.5 * h), modes, phases);
        let k3 = self.derivative(&add(&k2, 0.5 * h), modes, phases);
        let k4 = self.derivative(&add(&k3, h), modes, phases);
        let mix = |a: &[f64], b: &[f64], c: &[f64], d: &[f64], y: &[f64]| -> Vec<f64> {
            (0..y.len()).map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i])).collect()
        };
        State {
            u: mix(&k1.u, &k2.u, &k3.u, &k4.u, &y.u),
            delta: mix(&k1.delta, &k2.delta, &k3.delta, &k4.delta, &y.delta),
        }
    }

    /// Whether a phase or mode is over at `s`.
    fn crossed(&self, s: &State, modes: &[Mode], phases: &[Phase]) -> bool {
        let p = self.rates(s);
        let t = self.tangential(modes, &p);
        let most = p.iter().fold(0.0_f64, |a, &b| a.max(b));
        self.contacts.iter().enumerate().any(|(j, c)| {
            let v = self.dot(&c.normal, &s.u);
            let normal = match phases[j] {
                Phase::Open => v < -2.0 * SMALL,
                Phase::Compression => v > SMALL,
                Phase::Expansion => v < -2.0 * SMALL || s.delta[j] < 0.0,
            };
            let tangential = match modes[j] {
                Mode::Slip(sign) => sign * self.dot(&c.tangent, &s.u) < -2.0 * SMALL,
                Mode::Stick => p[j] > 1e-9 * most && t[j].abs() > c.friction_static * p[j] * (1.0 + 1e-8),
                Mode::Off => false,
            };
            normal || tangential
        })
    }

    /// Whether all contacts are at rest and their forces balance each other.
    fn rests(&self, y: &State, modes: &[Mode]) -> bool {
        let p = self.rates(y);
        let a = self.acceleration(&p, &self.tangential(modes, &p));
        let size = |w: &[f64], f: f64| w.iter().zip(&self.mass).map(|(w, m)| (w * f / m).abs()).fold(0.0, f64::max);
        let most = self.contacts.iter().zip(&p).map(|(c, &p)| size(&c.normal, p)).fold(0.0, f64::max);
        let slow = |c: &RefContact| self.dot(&c.normal, &y.u).abs() < 10.0 * SMALL;
        most > 0.0 && a.iter().all(|a| a.abs() < 1e-9 * most) && self.contacts.iter().all(slow)
    }

    /// u⁺. `None` if the step limit is reached.
    pub fn solve(&self, tolerance: f64) -> Option<Vec<f64>> {
        self.solve_within(tolerance, 500_000)
    }

    /// u⁺ in at most so many steps.
    pub fn solve_within(&self, tolerance: f64, steps: usize) -> Option<Vec<f64>> {
        let count = self.contacts.len();
        let mut y = State { u: self.velocity.clone(), delta: vec![0.0; count] };
        let mut modes = vec![Mode::Off; count];
        let mut phases = vec![Phase::Open; count];
        let mut h = 1e-6;
        for _ in 0..steps {
            let turns = |j: usize| phases[j] == Phase::Compression && self.dot(&self.contacts[j].normal, &y.u) > 0.0;
            let turning = (0..count).any(turns);
            for j in 0..count {
                let v = self.dot(&self.contacts[j].normal, &y.u);
                // Compressions that end at the same instant end together.
                let ends = v > 0.0 || turning && v > -20.0 * SMALL && y.delta[j] > 1e-9;
                if v < -SMALL && !(ends && phases[j] == Phase::Compression) {
                    phases[j] = Phase::Compression;
                } else if phases[j] == Phase::Compression && ends {
                    let lossy = self.contacts[j].restitution == 0.0 || y.delta[j] <= 0.0;
                    phases[j] = if lossy { Phase::Open } else { Phase::Expansion };
                } else if phases[j] == Phase::Expansion && y.delta[j] <= 1e-10 {
                    phases[j] = Phase::Open;
                }
                if phases[j] == Phase::Open {
                    y.delta[j] = 0.0;
                }
            }
            if phases.iter().all(|&p| p == Phase::Open) {
                return Some(y.u);
            }
            // In the first instant only the ratios of the forces count.
            let mut onset = y.clone();
            if y.delta.iter().all(|&d| d <= 0.0) {
                for j in 0..count {
                    onset.delta[j] = (-self.dot(&self.contacts[j].normal, &y.u)).max(0.0);
                }
            }
            modes = self.modes(&onset, &modes);
            if self.rests(&y, &modes) {
                // Without restitution energy is lost where a compression ends.
                let plastic = |j: &usize| phases[*j] != Phase::Open && self.contacts[*j].restitution == 0.0;
                let Some(j) = (0..count).find(plastic) else { return Some(y.u) };
                phases[j] = Phase::Open;
                y.delta[j] = 0.0;
                continue;
            }
            let mut cut = false;
            loop {
                let whole = self.rk4(&y, h, &modes, &phases);
                let mut half = self.rk4(&self.rk4(&y, 0.5 * h, &modes, &phases), 0.5 * h, &modes, &phases);
                let mut error = 0.0_f64;
                for (fine, coarse) in [(&mut half.u, &whole.u), (&mut half.delta, &whole.delta)] {
                    for (a, b) in fine.iter_mut().zip(coarse) {
                        error = error.max((*a - b).abs());
                        *a += (*a - b) / 15.0;
                    }
                }
                if error.is_nan() || error > tolerance {
                    h *= 0.5;
                    continue;
                }
                if h > 1e-12 && self.crossed(&half, &modes, &phases) {
                    h *= 0.5;
                    cut = true;
                    continue;
                }
                y = half;
                if !cut {
                    h *= (0.9 * (tolerance / error.max(1e-300)).powf(0.2)).clamp(0.5, 2.0);
                } else if self.crossed(&y, &modes, &phases) {
                    h = 1e-6;
                }
                break;
            }
        }
        None
    }
}

/// The shortest solution of A y = b, A symmetric and positive semidefinite:
/// y = L(LᵀL)⁻²Lᵀb with the pivoted Cholesky factor L of full column rank.
fn least(mut a: Vec<Vec<f64>>, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let scale = (0..n).map(|i| a[i][i]).fold(0.0, f64::max);
    let mut factor: Vec<Vec<f64>> = Vec::new();
    while let Some(k) = (0..n).max_by(|&i, &j| a[i][i].total_cmp(&a[j][j])).filter(|&k| a[k][k] > 1e-13 * scale) {
        let root = a[k][k].sqrt();
        let column: Vec<f64> = (0..n).map(|i| a[i][k] / root).collect();
        for i in 0..n {
            for j in 0..n {
                a[i][j] -= column[i] * column[j];
            }
        }
        for i in 0..n {
            (a[i][k], a[k][i]) = (0.0, 0.0);
        }
        factor.push(column);
    }
    let product = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(a, b)| a * b).sum() };
    let gram: Vec<Vec<f64>> = factor.iter().map(|x| factor.iter().map(|y| product(x, y)).collect()).collect();
    let inner = solve(gram.clone(), solve(gram, factor.iter().map(|x| product(x, b)).collect()));
    (0..n).map(|i| factor.iter().zip(&inner).map(|(column, z)| column[i] * z).sum()).collect()
}

/// A⁻¹b, A symmetric and positive definite.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        for r in i + 1..n {
            let f = a[r][i] / a[i][i];
            for k in i..n {
                a[r][k] -= f * a[i][k];
            }
            b[r] -= f * b[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}
