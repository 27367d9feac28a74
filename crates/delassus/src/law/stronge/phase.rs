//! The motion during the impact: linear phases with exact solutions and located ends.
//!
//! Units: approach speed one, G_NN = 1, k_N = 1, so that the first
//! compression without coupling lasts a quarter of the period 2π.

use crate::budget::Budget;
use crate::elementary::Elementary;

/// State along the impact.
#[derive(Debug, Clone, Copy)]
struct State {
    /// γ_N, γ_T.
    gamma: [f64; 2],
    /// λ_N.
    z: f64,
    /// Deflection of the tangential spring, λ_T = −k_T x.
    x: f64,
}

/// What the contact does tangentially.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Stick,
    /// Slip along σ.
    Slip(f64),
}

/// Why a phase ends.
#[derive(Debug, Clone, Copy)]
enum End {
    /// γ_N = 0: compression and expansion change places.
    Turn,
    /// z = 0: the contact opens.
    Open,
    /// The friction limit is reached on side σ.
    Break(f64),
    /// Slip has come to an end.
    Hold,
}

/// The impact in progress.
#[derive(Debug, Clone)]
pub(super) struct Motion {
    /// G_NT, G_TT.
    coupling: f64,
    tangential: f64,
    friction: f64,
    /// k_T = 1/η².
    stiffness: f64,
    restitution: f64,
    /// c of the phase at hand.
    rate: f64,
    expanding: bool,
    mode: Mode,
    state: State,
    /// Impulse so far.
    pub(super) impulse: [f64; 2],
    pub(super) events: usize,
    pub(super) steps: usize,
}

/// Samples per radian of the fastest oscillation; between samples only a
/// function's extremum can hide a pair of zeros, and that is looked for.
const STEP: f64 = 0.125;
const MAX_STEPS: usize = 50_000;
/// A step's sines, roots and products, about.
const MULTIPLICATIONS: f64 = 200.0;
/// A condition counts as violated below this.
const VIOLATED: f64 = -1e-14;

impl Motion {
    pub(super) fn new(g: [f64; 2], slip: f64, friction: f64, stiffness_ratio: f64, restitution: f64) -> Self {
        let sticks = slip.abs() <= friction * stiffness_ratio;
        Self {
            coupling: g[0],
            tangential: g[1],
            friction,
            stiffness: 1.0 / stiffness_ratio,
            restitution,
            rate: 1.0,
            expanding: false,
            mode: if sticks { Mode::Stick } else { Mode::Slip(slip.signum()) },
            state: State { gamma: [-1.0, slip], z: 0.0, x: 0.0 },
            impulse: [0.0; 2],
            events: 0,
            steps: 0,
        }
    }

    /// Follows the impact to its end; `false` where it did not come.
    pub(super) fn run(&mut self, budget: &mut Budget<'_>) -> bool {
        while (self.steps < MAX_STEPS || budget.is_set()) && budget.take(MULTIPLICATIONS) {
            let ends = self.ends();
            let step = STEP / self.fastest();
            self.steps += 1;
            let first = ends.into_iter().flatten().filter_map(|end| Some((self.locate(end, step)?, end)));
            let Some((time, end)) = first.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                self.advance(step);
                continue;
            };
            self.advance(time);
            self.events += 1;
            match end {
                End::Open => return true,
                End::Turn if !self.expanding && self.restitution == 0.0 => return true,
                End::Turn => {
                    self.expanding = !self.expanding;
                    self.rate = if self.expanding { self.restitution.powi(-2) } else { 1.0 };
                }
                End::Break(side) => self.mode = Mode::Slip(side),
                End::Hold => self.mode = Mode::Stick,
            }
        }
        false
    }

    /// The ends that the phase at hand can have.
    fn ends(&self) -> [Option<End>; 4] {
        let open = self.expanding.then_some(End::Open);
        match self.mode {
            Mode::Stick => [Some(End::Turn), open, Some(End::Break(1.0)), Some(End::Break(-1.0))],
            Mode::Slip(_) => [Some(End::Turn), open, Some(End::Hold), None],
        }
    }

    /// The function that is at least zero until the phase ends that way, and its rate.
    fn condition(&self, end: End, state: &State) -> (f64, f64) {
        let [n, t] = state.gamma;
        let tangential_force = match self.mode {
            Mode::Stick => -self.stiffness * state.x,
            Mode::Slip(side) => -side * self.friction * state.z,
        };
        let acceleration =
            [state.z + self.coupling * tangential_force, self.coupling * state.z + self.tangential * tangential_force];
        match end {
            End::Turn if self.expanding => (n, acceleration[0]),
            End::Turn => (-n, -acceleration[0]),
            End::Open => (state.z, -self.rate * n),
            End::Break(side) => (
                self.friction * state.z - side * self.stiffness * state.x,
                -self.friction * self.rate * n - side * self.stiffness * t,
            ),
            End::Hold => {
                let Mode::Slip(side) = self.mode else { return (1.0, 0.0) };
                let weight = self.rate * self.friction / self.stiffness;
                (side * t + weight * n, side * acceleration[1] + weight * acceleration[0])
            }
        }
    }

    /// When the condition is first violated within the step.
    fn locate(&self, end: End, step: f64) -> Option<f64> {
        let at = |time: f64| self.condition(end, &self.after(time).0);
        let (_, rate) = self.condition(end, &self.state);
        let (mut late_value, late_rate) = at(step);
        let mut late = step;
        if late_value >= VIOLATED {
            if !(rate < 0.0 && late_rate > 0.0) {
                return None;
            }
            // The condition has a minimum inside: find it by the sign of the rate.
            let mut early = 0.0;
            for _ in 0..60 {
                let middle = 0.5 * (early + late);
                if at(middle).1 < 0.0 {
                    early = middle;
                } else {
                    late = middle;
                }
            }
            late_value = at(late).0;
            if late_value >= VIOLATED {
                return None;
            }
        }
        let mut early = 0.0;
        for _ in 0..64 {
            let middle = 0.5 * (early + late);
            if middle <= early || middle >= late {
                break;
            }
            if at(middle).0 >= VIOLATED {
                early = middle;
            } else {
                late = middle;
            }
        }
        Some(late)
    }

    fn advance(&mut self, time: f64) {
        let (state, impulse) = self.after(time);
        self.state = state;
        self.impulse[0] += impulse[0];
        self.impulse[1] += impulse[1];
    }

    /// State and impulse after `time` in the phase at hand.
    fn after(&self, time: f64) -> (State, [f64; 2]) {
        let State { gamma, z, x } = self.state;
        let velocity = [-self.rate * gamma[0], gamma[1]];
        let (z, x, impulse) = match self.mode {
            Mode::Slip(side) => {
                let wave = Wave::new(self.slip_eigenvalue(side), time);
                let impulse = z * wave.sine + velocity[0] * wave.integral;
                let z = z * wave.cosine + velocity[0] * wave.sine;
                (z, side * self.friction * z / self.stiffness, [impulse, -side * self.friction * impulse])
            }
            Mode::Stick => {
                let b = self.stick_matrix();
                let [first, second] = self.stick_eigenvalues();
                let apply = |pick: fn(&Wave) -> f64, slope: fn(&Wave, f64, f64) -> f64, v: [f64; 2]| {
                    let (one, two) = (pick(&Wave::new(first, time)), pick(&Wave::new(second, time)));
                    // f(B) = f(λ₂) I + f[λ₁, λ₂] (B − λ₂ I)
                    let difference = if first - second > 1e-6 * first {
                        (one - two) / (first - second)
                    } else {
                        let middle = 0.5 * (first + second);
                        slope(&Wave::new(middle, time), middle, time)
                    };
                    let bv = [
                        b[0][0] * v[0] + b[0][1] * v[1] - second * v[0],
                        b[1][0] * v[0] + b[1][1] * v[1] - second * v[1],
                    ];
                    [two * v[0] + difference * bv[0], two * v[1] + difference * bv[1]]
                };
                let cosine = |v| apply(|w| w.cosine, |w, _, t| -0.5 * t * w.sine, v);
                let sine = |v| apply(|w| w.sine, |w, l, t| 0.5 * (t * w.cosine - w.sine) / l, v);
                let integral = |v| apply(|w| w.integral, |w, l, t| (0.5 * t * w.sine - w.integral) / l, v);
                let (a, s) = (cosine([z, x]), sine(velocity));
                let (p, q) = (sine([z, x]), integral(velocity));
                (a[0] + s[0], a[1] + s[1], [p[0] + q[0], -self.stiffness * (p[1] + q[1])])
            }
        };
        let gamma = [
            gamma[0] + impulse[0] + self.coupling * impulse[1],
            gamma[1] + self.coupling * impulse[0] + self.tangential * impulse[1],
        ];
        (State { gamma, z, x }, impulse)
    }

    /// z̈ = −λz in slip.
    fn slip_eigenvalue(&self, side: f64) -> f64 {
        self.rate * (1.0 - side * self.friction * self.coupling)
    }

    /// (z, x)'' = −B (z, x) in stick.
    fn stick_matrix(&self) -> [[f64; 2]; 2] {
        let k = self.stiffness;
        [[self.rate, -self.rate * self.coupling * k], [-self.coupling, self.tangential * k]]
    }

    /// Eigenvalues of B, the larger first; both are real and at least zero.
    fn stick_eigenvalues(&self) -> [f64; 2] {
        let k = self.stiffness;
        let (sum, gap) = (self.rate + self.tangential * k, self.rate - self.tangential * k);
        let root = (gap * gap + 4.0 * self.rate * k * self.coupling * self.coupling).sqrt();
        let first = 0.5 * (sum + root);
        let product = self.rate * k * (self.tangential - self.coupling * self.coupling).max(0.0);
        [first, product / first]
    }

    fn fastest(&self) -> f64 {
        match self.mode {
            Mode::Stick => self.stick_eigenvalues()[0].sqrt(),
            Mode::Slip(side) => self.slip_eigenvalue(side).abs().max(self.rate).sqrt(),
        }
    }
}

/// cos(ωt), sin(ωt)/ω and (1 − cos ωt)/ω² for ω² = λ of either sign.
struct Wave {
    cosine: f64,
    sine: f64,
    integral: f64,
}

impl Wave {
    fn new(eigenvalue: f64, time: f64) -> Self {
        let square = eigenvalue * time * time;
        if square.abs() < 1e-3 {
            // Series, exact to round-off here and free of 0/0.
            let sine =
                time * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))));
            let integral = time
                * time
                * 0.5
                * (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0 * (1.0 - square / 90.0))));
            return Self { cosine: 1.0 - eigenvalue * integral, sine, integral };
        }
        let omega = eigenvalue.abs().sqrt();
        let half = 0.5 * omega * time;
        if eigenvalue > 0.0 {
            let (sine, cosine) = (omega * time).sine_cosine();
            Self { cosine, sine: sine / omega, integral: 2.0 * half.sine().powi(2) / eigenvalue }
        } else {
            let (sine, cosine) = ((omega * time).hyperbolic_sine(), (omega * time).hyperbolic_cosine());
            Self { cosine, sine: sine / omega, integral: 2.0 * half.hyperbolic_sine().powi(2) / -eigenvalue }
        }
    }
}
