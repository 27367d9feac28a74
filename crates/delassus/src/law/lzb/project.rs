//! The friction problem at one instant by projection, for the rare case that
//! releasing contacts one by one ends in a slip against its own acceleration.
//!
//! With kinetic limits the problem is convex: minimise ½xᵀĜx + xᵀa₀ over the
//! reactions x of joints (free), clutches at rest (x ≥ 0) and contacts at rest
//! (|x| ≤ μ̂ dP_n, or an ellipse). Contacts inside their limit stick.

use crate::elementary::Elementary;
use crate::problem::ImpactProblem;

use super::impact::Buffers;
use super::scaled::Role;
use super::state::Grip;
use super::thresholds::{count, rate, speed};

impl Buffers {
    /// Whether a contact released from rest would slip against its acceleration,
    /// by more than contacts that stick accelerate: directions that count as
    /// dependent are so to some accuracy only.
    pub(super) fn contradicts(&self) -> bool {
        // Where locking and releasing found no end, the rates are those of other contacts and say nothing.
        if self.hold.onset.len() != self.local.rates {
            return false;
        }
        let candidates = || {
            let tangent = |c: usize| self.local.find(self.scaled.contacts[c].tangent);
            let found = self.hold.candidates.iter().filter_map(move |&c| Some((self.contacts[c].grip, tangent(c)?)));
            found.map(|(grip, p)| (grip, self.local.response.dot(p, &self.hold.onset)))
        };
        let stuck = candidates().filter(|(grip, _)| *grip == Grip::Stick);
        let unsure = 1e-10 + stuck.fold(0.0, |m: f64, (_, rate)| m.max(rate.abs()));
        candidates().any(|(grip, rate)| matches!(grip, Grip::Slip(sign) if sign * rate < -unsure))
    }

    /// Decides all contacts and clutches at rest by projection.
    pub(super) fn project(&mut self, problem: &ImpactProblem) {
        let scaled = &self.scaled;
        let hold = &mut self.hold;
        hold.rows.clear();
        hold.rows.extend_from_slice(&scaled.joints);
        hold.rows.extend(scaled.clutches.iter().filter(|&&row| self.gamma[row] <= speed::SLOW));
        for &c in &hold.candidates {
            let contact = &scaled.contacts[c];
            hold.rows.extend(contact.tangent..contact.tangent + contact.tangents);
        }
        // a₀: what the forces that are known do to each row.
        hold.weights.clear();
        for &row in &hold.rows {
            let mut sum = 0.0;
            for (a, &q) in hold.onset.iter().enumerate() {
                let own = self.local.rows[a];
                if matches!(scaled.role[own], Role::Tangent(c) if hold.candidates.contains(&c)) {
                    continue;
                }
                sum += scaled.operator(problem, row, own) * q;
                if let Some(&c) = self.local.drivers.get(a)
                    && let (Grip::Slip(sign), false) = (self.contacts[c].grip, hold.candidates.contains(&c))
                {
                    let contact = &scaled.contacts[c];
                    sum -= scaled.operator(problem, row, contact.tangent) * sign * contact.kinetic[0] * q;
                }
            }
            hold.weights.push(sum);
        }
        hold.rates.clear();
        hold.rates.resize(hold.rows.len(), 0.0);
        for _ in 0..count::SWEEPS {
            let mut change = 0.0_f64;
            let mut i = 0;
            while i < hold.rows.len() {
                let row = hold.rows[i];
                let slope = |i: usize, rates: &[f64]| -> f64 {
                    let terms = hold.rows.iter().zip(rates);
                    hold.weights[i] + terms.map(|(&r, x)| scaled.operator(problem, hold.rows[i], r) * x).sum::<f64>()
                };
                let old = hold.rates[i];
                let newton = old - slope(i, &hold.rates) / scaled.operator(problem, row, row);
                let contact = match scaled.role[row] {
                    Role::Tangent(c) => Some(c),
                    _ => None,
                };
                let Some(c) = contact else {
                    hold.rates[i] = if scaled.role[row] == Role::Clutch { newton.max(0.0) } else { newton };
                    change = change.max((hold.rates[i] - old).abs());
                    i += 1;
                    continue;
                };
                let data = &scaled.contacts[c];
                let force = self.local.find(data.normal).map_or(0.0, |a| hold.onset[a]);
                if data.tangents == 1 {
                    let limit = data.kinetic[0] * force;
                    hold.rates[i] = newton.clamp(-limit, limit);
                    change = change.max((hold.rates[i] - old).abs());
                    i += 1;
                } else {
                    let g = [0, 1].map(|p| [0, 1].map(|q| scaled.operator(problem, row + p, row + q)));
                    let x = [hold.rates[i], hold.rates[i + 1]];
                    let a = [0, 1].map(|p| slope(i + p, &hold.rates) - g[p][0] * x[0] - g[p][1] * x[1]);
                    let f = least_in_ellipse(g, a, force, data.kinetic);
                    change = change.max((f[0] - x[0]).abs()).max((f[1] - x[1]).abs());
                    (hold.rates[i], hold.rates[i + 1]) = (f[0], f[1]);
                    i += 2;
                }
            }
            if change <= rate::SETTLED {
                break;
            }
        }
        self.read_projection(problem);
    }

    /// Grips and locks by the reactions found.
    fn read_projection(&mut self, problem: &ImpactProblem) {
        let mut kick = std::mem::take(&mut self.hold.kick);
        kick.clear();
        kick.resize(self.gamma.len(), 0.0);
        let mut fastest = 0.0_f64;
        let hold = &self.hold;
        let inside = 1.0 - 1e-9;
        let mut i = 0;
        while i < hold.rows.len() {
            let row = hold.rows[i];
            match self.scaled.role[row] {
                Role::Clutch => self.locked[row] = hold.rates[i] > 0.0,
                Role::Tangent(c) => {
                    let data = &self.scaled.contacts[c];
                    let force = self.local.find(data.normal).map_or(0.0, |a| hold.onset[a]);
                    let rest = |i: usize| -> f64 {
                        let terms = hold.rows.iter().zip(&hold.rates);
                        let reactions = terms.map(|(&r, x)| self.scaled.operator(problem, hold.rows[i], r) * x);
                        hold.weights[i] + reactions.sum::<f64>()
                    };
                    self.contacts[c].grip = if data.tangents == 1 {
                        let x = hold.rates[i];
                        if force == 0.0 {
                            // Without force nothing holds it, whichever way it moves.
                            Grip::Slip(rest(i).signum())
                        } else if x.abs() <= inside * data.kinetic[0] * force {
                            Grip::Stick
                        } else {
                            Grip::Slip(-x.signum())
                        }
                    } else {
                        let x = [hold.rates[i], hold.rates[i + 1]];
                        let share = (x[0] / data.kinetic[0]).hypotenuse(x[1] / data.kinetic[1]);
                        let a = [rest(i), rest(i + 1)];
                        let norm = a[0].hypotenuse(a[1]);
                        i += 1;
                        if force > 0.0 && share <= inside * force || norm <= 1e-13 {
                            Grip::Stick
                        } else {
                            kick[row..row + 2].copy_from_slice(&a);
                            fastest = fastest.max(norm);
                            Grip::Slide { direction: a.map(|a| a / norm), slow: true }
                        }
                    };
                }
                _ => {}
            }
            i += 1;
        }
        // First velocities along the accelerations, as for all that starts to slide.
        if fastest > 0.0 {
            self.basis.build(problem, &self.scaled, &self.hold.rows);
            self.bring(problem, |row| kick[row] * (speed::FIRST / fastest));
        }
        self.hold.kick = kick;
    }
}

/// The f that minimises ½fᵀGf + fᵀa over ‖D⁻¹f‖ ≤ force, D = diag(d).
pub(super) fn least_in_ellipse(g: [[f64; 2]; 2], a: [f64; 2], force: f64, d: [f64; 2]) -> [f64; 2] {
    // f = force · D z, ‖z‖ ≤ 1: (A + λ)z = −b, with λ > 0 on the boundary.
    let m = [0, 1].map(|i| [0, 1].map(|j| force * d[i] * g[i][j] * d[j]));
    let b = [d[0] * a[0], d[1] * a[1]];
    let solve = |shift: f64| {
        let (p, q, r) = (m[0][0] + shift, m[1][1] + shift, m[0][1]);
        let determinant = p * q - r * r;
        [(-b[0] * q + b[1] * r) / determinant, (-b[1] * p + b[0] * r) / determinant]
    };
    let (mut low, mut high) = (0.0, b[0].hypotenuse(b[1]));
    if high == 0.0 {
        return [0.0; 2];
    }
    let free = solve(0.0);
    let mut z = free;
    if !free[0].is_finite() || free[0].hypotenuse(free[1]) > 1.0 {
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let z = solve(middle);
            if z[0].hypotenuse(z[1]) > 1.0 { low = middle } else { high = middle }
        }
        z = solve(high);
    }
    [force * d[0] * z[0], force * d[1] * z[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No point of the ellipse has less, inside it or on its edge.
    #[test]
    fn nothing_in_the_ellipse_is_less() {
        let mut inside = 0;
        for case in 0..60 {
            let number = |k: usize| (1.9 * (case * 11 + k * k) as f64).sin();
            let coupling = 0.8 * number(0);
            let g = [[1.0, coupling], [coupling, 1.5 + number(1)]];
            let a = [number(2), number(3)];
            let (force, d) = (1.1 + number(4), [0.9 + 0.8 * number(5), 0.9 + 0.8 * number(6)]);
            let value = |f: [f64; 2]| {
                0.5 * (g[0][0] * f[0] * f[0] + 2.0 * g[0][1] * f[0] * f[1] + g[1][1] * f[1] * f[1])
                    + f[0] * a[0]
                    + f[1] * a[1]
            };
            let share = |f: [f64; 2]| (f[0] / d[0]).hypot(f[1] / d[1]) / force;
            let found = least_in_ellipse(g, a, force, d);
            assert!(share(found) <= 1.0 + 1e-12, "{case}: {}", share(found));
            inside += usize::from(share(found) < 1.0 - 1e-9);
            for k in 0..500 {
                let (s, c) = (0.05 * k as f64).sin_cos();
                let size = force * (1.0 - 0.1 * (k % 11) as f64);
                let other = [size * d[0] * c, size * d[1] * s];
                assert!(value(found) <= value(other) + 1e-12, "{case}: {found:?} {other:?}");
            }
        }
        assert!((10..50).contains(&inside), "{inside}");
    }
}
