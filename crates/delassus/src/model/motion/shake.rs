//! A support whose acceleration is an expression of time.

use std::sync::Arc;

use super::super::expression::Expression;

/// Nodes and weights of Gauss's rule with five points on (0, 1).
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668_004, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_24),
    (0.5, 0.284_444_444_444_444_45),
    (0.769_234_655_052_841_6, 0.239_314_335_249_683_24),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

/// An acceleration a(t), with velocity and displacement as its integrals from zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Shake {
    acceleration: Expression,
    interval: f64,
    /// Displacement and velocity at 0, `interval`, 2 `interval`, …: from there Gauss's rule goes on.
    known: Arc<[[f64; 2]]>,
}

impl Shake {
    /// An acceleration \[m/s²\] over the time `span`, integrated in steps of `interval`. These must be shorter than its
    /// swings: five points in each give ten digits and more where it is a sine of half a radian.
    pub fn new(acceleration: Expression, interval: f64, span: f64) -> Self {
        let mut known = vec![[0.0; 2]];
        while (known.len() as f64) * interval <= span {
            let from = (known.len() - 1) as f64 * interval;
            known.push(onward(&acceleration, known[known.len() - 1], from, interval));
        }
        Self { acceleration, interval, known: known.into() }
    }

    /// Displacement, velocity, acceleration at time `t`.
    pub fn at(&self, t: f64) -> [f64; 3] {
        let before = ((t / self.interval).floor().max(0.0) as usize).min(self.known.len() - 1);
        let (mut state, mut from) = (self.known[before], before as f64 * self.interval);
        // After the span that was foreseen.
        while t - from > self.interval {
            state = onward(&self.acceleration, state, from, self.interval);
            from += self.interval;
        }
        let [d, v] = onward(&self.acceleration, state, from, t - from);
        [d, v, self.acceleration.at(t)]
    }

    /// The time within which it hardly changes \[s\].
    pub(super) fn step(&self) -> f64 {
        self.interval
    }
}

/// Displacement and velocity after a time `h`: v += ∫a dt, d += vh + ∫(h − t)a dt.
fn onward(acceleration: &Expression, [d, v]: [f64; 2], from: f64, h: f64) -> [f64; 2] {
    let (mut gained, mut moved) = (0.0, 0.0);
    for (x, weight) in GAUSS {
        let a = weight * acceleration.at(from + h * x);
        gained += a;
        moved += (1.0 - x) * a;
    }
    [d + h * (v + h * moved), v + h * gained]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_and_displacement_are_the_integrals() {
        // d = 0.3 sin 8t − 2.4t and −cosh-like growth, both with closed forms; also after the span.
        let sine = Shake::new(Expression::parse("-19.2*sin(8*t)").unwrap(), 0.05, 3.0);
        let growing = Shake::new(Expression::parse("exp(t/2)").unwrap(), 0.5, 3.0);
        for k in 0..80 {
            let t = 0.0613 * f64::from(k);
            let [d, v, a] = sine.at(t);
            assert!((d - (0.3 * (8.0 * t).sin() - 2.4 * t)).abs() < 1e-13 * (1.0 + t), "{t}: {d}");
            assert!((v - 2.4 * ((8.0 * t).cos() - 1.0)).abs() < 1e-13, "{t}: {v}");
            assert_eq!(a, Expression::parse("-19.2*sin(8*t)").unwrap().at(t));
            let [d, v, _] = growing.at(t);
            let e = (0.5 * t).exp();
            assert!((v - 2.0 * (e - 1.0)).abs() < 1e-12 * e, "{t}: {v}");
            assert!((d - (4.0 * (e - 1.0) - 2.0 * t)).abs() < 1e-12 * e * (1.0 + t), "{t}: {d}");
        }
    }
}
