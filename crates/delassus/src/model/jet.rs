//! A number with its first two derivatives.

use crate::elementary::Elementary;

/// (f, f′, f″).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Jet(pub [f64; 3]);

impl Jet {
    /// A constant.
    pub fn constant(value: f64) -> Self {
        Self([value, 0.0, 0.0])
    }

    /// The function h of it, given h, h′ and h″ there.
    pub fn through(self, [h, h1, h2]: [f64; 3]) -> Self {
        let [_, f1, f2] = self.0;
        // A function that does not change hides an infinite slope: sqrt(0).
        let times = |a: f64, b: f64| if b == 0.0 { 0.0 } else { a * b };
        Self([h, times(h1, f1), times(h1, f2) + times(h2, f1 * f1)])
    }

    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    pub fn negative(self) -> Self {
        Self(self.0.map(|x| -x))
    }

    pub fn times(self, other: Self) -> Self {
        let ([f, f1, f2], [g, g1, g2]) = (self.0, other.0);
        Self([f * g, f1 * g + f * g1, f2 * g + 2.0 * f1 * g1 + f * g2])
    }

    pub fn over(self, other: Self) -> Self {
        let g = other.0[0];
        self.times(other.through([1.0 / g, -1.0 / (g * g), 2.0 / (g * g * g)]))
    }

    pub fn power(self, exponent: Self) -> Self {
        let ([f, ..], [p, p1, p2]) = (self.0, exponent.0);
        if p1 == 0.0 && p2 == 0.0 {
            // Factors that vanish hide powers of zero: t^1 at t = 0.
            let term = |factor: f64, power: f64| if factor == 0.0 { 0.0 } else { factor * f.power(power) };
            return self.through([f.power(p), term(p, p - 1.0), term(p * (p - 1.0), p - 2.0)]);
        }
        let logarithm = self.through([f.logarithm(), 1.0 / f, -1.0 / (f * f)]);
        let product = exponent.times(logarithm);
        product.through([product.0[0].exponential(); 3])
    }
}
