//! One contact with unit friction, solved exactly.
//!
//! ```text
//! η = A y + q,   0 ≤ y_N ⟂ η_N ≥ 0,   −y_T ∈ (y_N + s) disk,  η_T in its normal cone
//! ```
//!
//! Open and stick are linear. In slip y_T = −(y_N + s) d and η_T = λ d with a
//! unit vector d(θ) and λ ≥ 0; with η_N = 0 this leaves one equation in θ, a
//! trigonometric polynomial of degree two:
//!
//! ```text
//! y_N = (s a·d − q_N)/(A_NN − a·d),    a = A_TN
//! f(θ) = d⊥·(A_NN q_T − q_N a) + (d⊥·(s a − q_T))(a·d) + (q_N − s A_NN) d⊥ᵀA_TT d = 0
//! ```

use crate::elementary::Elementary;

/// A 3 × 3 contact: rows normal, first and second tangent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DiskContact {
    pub(crate) a: [[f64; 3]; 3],
    pub(crate) q: [f64; 3],
    pub(crate) shift: f64,
}

/// Relative size below which a violated inequality is round-off.
const ROUND: f64 = 1e-13;
/// Pivots below this, relative to the diagonal, are zero.
const SINGULAR: f64 = 1e-13;
const NEWTON: usize = 8;
const SAMPLES: usize = 32;

impl DiskContact {
    /// A solution: open if possible, else stick, else the slip of least effort;
    /// `None` where no case holds. `guess` is a tangential impulse to start from.
    pub(crate) fn solve(&self, guess: [f64; 2]) -> Option<[f64; 3]> {
        if let Some(open) = self.open_if_possible() {
            return Some(open);
        }
        if let Some(stick) = self.stick() {
            return Some(stick);
        }
        self.slip(guess)
    }

    /// No normal impulse, if the contact does not approach then.
    pub(super) fn open_if_possible(&self) -> Option<[f64; 3]> {
        self.open_within(ROUND * self.q[0].abs())
    }

    /// The same, if it approaches by no more than `slack`.
    pub(super) fn open_within(&self, slack: f64) -> Option<[f64; 3]> {
        let open = self.open();
        (self.velocity(0, open) >= -slack).then_some(open)
    }

    pub(super) fn velocity(&self, i: usize, y: [f64; 3]) -> f64 {
        self.q[i] + self.a[i][0] * y[0] + self.a[i][1] * y[1] + self.a[i][2] * y[2]
    }

    /// y_N = 0 and friction within the radius s.
    fn open(&self) -> [f64; 3] {
        if self.shift == 0.0 {
            return [0.0; 3];
        }
        let (a, b, c) = (self.a[1][1], self.a[1][2], self.a[2][2]);
        let [t1, t2] = disk_minimum([a, b, c], [self.q[1], self.q[2]], self.shift);
        [0.0, t1, t2]
    }

    /// The factor LDLᵀ of A: l₁₀, l₂₀, l₂₁, d₁, d₂; `None` where A is singular.
    fn factor(&self) -> Option<[f64; 5]> {
        let [r0, r1, r2] = self.a;
        if r0[0] <= 0.0 {
            return None;
        }
        let (l1, l2) = (r1[0] / r0[0], r2[0] / r0[0]);
        let d1 = r1[1] - l1 * r1[0];
        if d1 <= SINGULAR * r1[1] {
            return None;
        }
        let m = r2[1] - l2 * r1[0];
        let l3 = m / d1;
        let d2 = r2[2] - l2 * r2[0] - l3 * m;
        (d2 > SINGULAR * r2[2]).then_some([l1, l2, l3, d1, d2])
    }

    /// Smallest pivot of A relative to what its diagonal was without joints, for tangential
    /// impulses of these weights; zero where A is singular.
    pub(super) fn weakest(&self, weight: [f64; 2]) -> f64 {
        let [w1, w2] = weight.map(|w| w * w);
        self.factor().map_or(0.0, |[_, _, _, d1, d2]| self.a[0][0].min(d1 / w1).min(d2 / w2))
    }

    /// η = 0, if y lies in the cone.
    pub(super) fn stick(&self) -> Option<[f64; 3]> {
        self.stick_within(|_| 0.0)
    }

    /// The same, if y is outside the cone by no more than `slack` of its size.
    pub(super) fn stick_within(&self, slack: impl Fn(f64) -> f64) -> Option<[f64; 3]> {
        let [l1, l2, l3, d1, d2] = self.factor()?;
        let z0 = -self.q[0];
        let z1 = -self.q[1] - l1 * z0;
        let z2 = -self.q[2] - l2 * z0 - l3 * z1;
        let y2 = z2 / d2;
        let y1 = z1 / d1 - l3 * y2;
        let y0 = z0 / self.a[0][0] - l1 * y1 - l2 * y2;
        let slack = slack(y0.abs().max(y1.abs()).max(y2.abs()));
        let radius = (y0 + self.shift).max(0.0) * (1.0 + ROUND) + slack;
        (y0 >= -slack && y1 * y1 + y2 * y2 <= radius * radius).then_some([y0, y1, y2])
    }

    fn slip(&self, guess: [f64; 2]) -> Option<[f64; 3]> {
        let wave = self.slip_equation();
        // The direction of the impulse at hand, or of the velocity that friction finds.
        let y_n = if self.a[0][0] > 0.0 { -self.q[0] / self.a[0][0] } else { 0.0 };
        let start = if guess == [0.0; 2] {
            [self.q[1] + self.a[1][0] * y_n, self.q[2] + self.a[2][0] * y_n]
        } else {
            [-guess[0], -guess[1]]
        };
        if start != [0.0; 2]
            && let Some(y) = wave.newton(start).and_then(|d| self.slip_along(d))
        {
            return Some(y);
        }
        let mut best: Option<([f64; 3], f64)> = None;
        wave.roots(|d| {
            if let Some(y) = self.slip_along(d) {
                let effort: f64 = (0..3).map(|i| y[i] * (self.velocity(i, y) - self.q[i])).sum();
                if best.is_none_or(|(_, least)| effort < least) {
                    best = Some((y, effort));
                }
            }
        });
        best.map(|(y, _)| y)
    }

    pub(super) fn slip_equation(&self) -> Wave {
        let ([_, a1, a2], [q0, q1, q2], s) = (self.a[0], self.q, self.shift);
        let a00 = self.a[0][0];
        let (v1, v2) = (a00 * q1 - q0 * a1, a00 * q2 - q0 * a2);
        let (w1, w2) = (s * a1 - q1, s * a2 - q2);
        let k = q0 - s * a00;
        Wave {
            constant: 0.5 * (w2 * a1 - w1 * a2),
            cosine: v2,
            sine: -v1,
            cosine2: 0.5 * (w2 * a1 + w1 * a2) + k * self.a[1][2],
            sine2: 0.5 * (w2 * a2 - w1 * a1 + k * (self.a[2][2] - self.a[1][1])),
        }
    }

    /// A_NN − a·d: how the normal velocity answers a normal impulse in slip against d, relative to A_NN.
    pub(super) fn steepness(&self, [c, s]: [f64; 2]) -> f64 {
        1.0 - (self.a[0][1] * c + self.a[0][2] * s) / self.a[0][0]
    }

    /// y for slip against d, if d is a direction of slip.
    pub(super) fn slip_along(&self, d: [f64; 2]) -> Option<[f64; 3]> {
        self.slip_within(d, |_| 0.0)
    }

    /// The same, if its inequalities fail by no more than `slack` of the size of y and η.
    pub(super) fn slip_within(&self, [c, s]: [f64; 2], slack: impl Fn(f64) -> f64) -> Option<[f64; 3]> {
        let ad = self.a[0][1] * c + self.a[0][2] * s;
        let slope = self.a[0][0] - ad;
        if slope.abs() <= SINGULAR * self.a[0][0] {
            return None;
        }
        let y_n = (self.shift * ad - self.q[0]) / slope;
        let radius = y_n + self.shift;
        let y = [y_n, -radius * c, -radius * s];
        let eta = [self.velocity(1, y), self.velocity(2, y)];
        let along = eta[0] * c + eta[1] * s;
        let size = self.q[1].abs().max(self.q[2].abs()).max(eta[0].abs()).max(eta[1].abs());
        (y_n >= -slack(y_n.abs()) && along >= -ROUND * size - slack(size)).then_some(y)
    }
}

/// c₀ + c₁ cos θ + s₁ sin θ + c₂ cos 2θ + s₂ sin 2θ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wave {
    constant: f64,
    cosine: f64,
    sine: f64,
    cosine2: f64,
    sine2: f64,
}

impl Wave {
    /// Value and slope at the direction (cos θ, sin θ).
    pub(super) fn at(&self, [c, s]: [f64; 2]) -> (f64, f64) {
        let (c2, s2) = (c * c - s * s, 2.0 * s * c);
        (
            self.constant + self.cosine * c + self.sine * s + self.cosine2 * c2 + self.sine2 * s2,
            self.sine * c - self.cosine * s + 2.0 * (self.sine2 * c2 - self.cosine2 * s2),
        )
    }

    pub(super) fn size(&self) -> f64 {
        self.constant.abs() + self.cosine.abs() + self.sine.abs() + self.cosine2.abs() + self.sine2.abs()
    }

    /// Amplitudes of the first and of the second harmonic.
    pub(super) fn amplitudes(&self) -> (f64, f64) {
        (self.cosine.hypotenuse(self.sine), self.cosine2.hypotenuse(self.sine2))
    }

    /// Newton's method from a direction of any length.
    pub(super) fn newton(&self, start: [f64; 2]) -> Option<[f64; 2]> {
        let length = start[0].hypotenuse(start[1]);
        let mut d = [start[0] / length, start[1] / length];
        let tolerance = 4.0 * f64::EPSILON * self.size();
        for _ in 0..NEWTON {
            let (value, slope) = self.at(d);
            if value.abs() <= tolerance {
                return Some(d);
            }
            let step = (-value / slope).clamp(-0.5, 0.5);
            if !step.is_finite() {
                return None;
            }
            d = turn(d, step);
        }
        (self.at(d).0.abs() <= 1e3 * tolerance).then_some(d)
    }

    /// Calls `visit` with the directions of all sign changes.
    fn roots(&self, mut visit: impl FnMut([f64; 2])) {
        let (sine, cosine) = (std::f64::consts::TAU / SAMPLES as f64).sine_cosine();
        let mut low = [1.0, 0.0];
        let mut positive = self.at(low).0 >= 0.0;
        for _ in 0..SAMPLES {
            let [c, s] = low;
            let high = [c * cosine - s * sine, s * cosine + c * sine];
            let changed = positive != (self.at(high).0 >= 0.0);
            if changed && let Some(d) = self.newton(self.bracket(low, high, positive)) {
                visit(d);
            }
            positive ^= changed;
            low = high;
        }
    }

    /// A direction near the change of sign between two directions, `positive` at the first.
    fn bracket(&self, mut low: [f64; 2], mut high: [f64; 2], positive: bool) -> [f64; 2] {
        for _ in 0..10 {
            let sum = [low[0] + high[0], low[1] + high[1]];
            let length = (sum[0] * sum[0] + sum[1] * sum[1]).sqrt();
            let middle = [sum[0] / length, sum[1] / length];
            if (self.at(middle).0 >= 0.0) == positive { low = middle } else { high = middle }
        }
        low
    }
}

/// The unit vector d turned by 2 atan(angle/2), which is `angle` up to its cube: as good for
/// Newton's method, and without sine and cosine.
fn turn([c, s]: [f64; 2], angle: f64) -> [f64; 2] {
    let half = 0.5 * angle;
    let scale = 1.0 / (1.0 + half * half);
    let (sine, cosine) = (angle * scale, (1.0 - half * half) * scale);
    [c * cosine - s * sine, s * cosine + c * sine]
}

/// The minimum of ½tᵀAt + qᵀt over the disk ‖t‖ ≤ radius, A = [[a, b], [b, c]] ≥ 0.
pub(super) fn disk_minimum([a, b, c]: [f64; 3], q: [f64; 2], radius: f64) -> [f64; 2] {
    // Principal axes.
    let angle = 0.5 * (2.0 * b).arctangent2(a - c);
    let (s, co) = angle.sine_cosine();
    let half = 0.5 * (a + c);
    let spread = (0.5 * (a - c)).hypotenuse(b);
    let (first, second) = (half + spread, (half - spread).max(0.0));
    let (p, r) = (co * q[0] + s * q[1], co * q[1] - s * q[0]);
    let point = |shift: f64| {
        let part = |q: f64, l: f64| if q == 0.0 { 0.0 } else { -q / (l + shift) };
        [part(p, first), part(r, second)]
    };
    let inside = point(0.0);
    let mut t = inside;
    if inside[0].hypotenuse(inside[1]) > radius {
        // 1/‖t(λ)‖ is nearly linear in λ: Newton's method on it climbs to 1/radius.
        let mut shift =
            (p.hypotenuse(r) / radius - first).max(p.abs() / radius - first).max(r.abs() / radius - second).max(0.0);
        for _ in 0..50 {
            t = point(shift);
            let length = t[0].hypotenuse(t[1]);
            let slope = (t[0] * t[0] / (first + shift) + t[1] * t[1] / (second + shift)) / length;
            let step = (length - radius) / slope * (length / radius);
            shift = (shift + step).max(0.0);
            if step.abs() <= 4.0 * f64::EPSILON * shift {
                break;
            }
        }
        t = point(shift);
        let length = t[0].hypotenuse(t[1]);
        t = [t[0] * radius / length, t[1] * radius / length];
    }
    [co * t[0] - s * t[1], s * t[0] + co * t[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [−1, 1).
    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A polynomial Π sin((θ − θ_k)/2) with four zeros that lie apart; its coefficients are sums over eight samples.
    #[test]
    fn all_zeros_are_found() {
        let mut seed = 3;
        for round in 0..200 {
            let zeros = [0.3, 1.9, 3.6, 5.0].map(|angle| angle + 0.4 * random(&mut seed));
            let value = |angle: f64| zeros.iter().map(|zero| (0.5 * (angle - zero)).sin()).product::<f64>();
            let mean = |of: &dyn Fn(f64) -> f64| {
                (0..8).map(|k| k as f64 * std::f64::consts::FRAC_PI_4).map(|a| of(a) * value(a)).sum::<f64>() / 8.0
            };
            let wave = Wave {
                constant: mean(&|_| 1.0),
                cosine: 2.0 * mean(&f64::cos),
                sine: 2.0 * mean(&f64::sin),
                cosine2: 2.0 * mean(&|a| (2.0 * a).cos()),
                sine2: 2.0 * mean(&|a| (2.0 * a).sin()),
            };
            let mut found = Vec::new();
            wave.roots(|[c, s]| found.push(s.atan2(c).rem_euclid(std::f64::consts::TAU)));
            let mut expected = zeros.map(|zero| zero.rem_euclid(std::f64::consts::TAU)).to_vec();
            expected.sort_by(f64::total_cmp);
            found.sort_by(f64::total_cmp);
            assert_eq!(found.len(), 4, "{round}: {found:?} instead of {expected:?}");
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-10, "{round}: {found} instead of {expected}");
            }
        }
    }

    /// From any guess the impulse is a solution: friction is weak, so there is one.
    #[test]
    fn any_guess_leads_to_the_solution() {
        let mut seed = 5;
        let mut slides = 0;
        for round in 0..400 {
            let w: [[f64; 4]; 3] =
                std::array::from_fn(|k| std::array::from_fn(|_| if k > 0 { 0.5 } else { 1.0 } * random(&mut seed)));
            let a: [[f64; 3]; 3] =
                std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| w[i][k] * w[j][k]).sum()));
            if a[0][1].hypot(a[0][2]) > 0.7 * a[0][0] {
                continue;
            }
            let q = [-0.5 + 0.5 * random(&mut seed), 2.0 * random(&mut seed), 2.0 * random(&mut seed)];
            let contact = DiskContact { a, q, shift: if round % 3 == 0 { 0.3 } else { 0.0 } };
            for guess in [[0.0; 2], [random(&mut seed), random(&mut seed)], [-q[1], -q[2]], [q[1], q[2]]] {
                let y = contact.solve(guess).unwrap();
                let eta: [f64; 3] = std::array::from_fn(|i| contact.velocity(i, y));
                let radius = y[0] + contact.shift;
                assert!(y[0].min(eta[0]).abs() < 1e-10, "{round}: {y:?} {eta:?}");
                let (length, speed) = (y[1].hypot(y[2]), eta[1].hypot(eta[2]));
                assert!(length <= radius * (1.0 + 1e-10), "{round}: {y:?}");
                // Where it moves, friction is at its limit and against the motion.
                assert!((eta[1] * y[1] + eta[2] * y[2] + radius * speed).abs() < 1e-9, "{round}: {y:?} {eta:?}");
                slides += usize::from(speed > 1e-3);
            }
        }
        assert!(slides > 200, "{slides}");
    }

    /// No point of the disk near the minimum has a lower value.
    #[test]
    fn the_minimum_over_a_disk_is_one() {
        let mut seed = 9;
        let mut inside = 0;
        for round in 0..300 {
            let w: [[f64; 2]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| random(&mut seed)));
            let product = |i: usize, j: usize| w[i][0] * w[j][0] + w[i][1] * w[j][1];
            let [a, b, c] = [product(0, 0), product(0, 1), product(1, 1)];
            let q = [random(&mut seed), random(&mut seed)];
            let radius = 0.1 + 3.0 * random(&mut seed).abs();
            let t = disk_minimum([a, b, c], q, radius);
            assert!(t[0].hypot(t[1]) <= radius * (1.0 + 1e-12), "{round}");
            // The slope vanishes, or points inwards at the edge.
            let slope = [a * t[0] + b * t[1] + q[0], b * t[0] + c * t[1] + q[1]];
            let steep = slope[0].hypot(slope[1]);
            if t[0].hypot(t[1]) < radius * (1.0 - 1e-9) {
                inside += 1;
                assert!(steep < 1e-9 * (1.0 + radius), "{round}: {slope:?}");
            } else {
                assert!((slope[0] * t[0] + slope[1] * t[1] + radius * steep).abs() < 1e-9, "{round}: {slope:?} {t:?}");
            }
        }
        assert!(inside > 30, "{inside}");
    }
}
