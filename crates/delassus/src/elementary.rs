//! Elementary functions with the same bits everywhere.
//!
//! Those of the standard library are the platform's, and differ in the last digit between a program and a page in a
//! browser; a chaotic motion makes that a different motion. These are one implementation for all platforms. Square
//! roots need none: they are rounded exactly everywhere.

/// Elementary functions as methods.
pub(crate) trait Elementary {
    fn sine(self) -> Self;
    fn cosine(self) -> Self;
    /// Both at once.
    fn sine_cosine(self) -> (Self, Self)
    where
        Self: Sized;
    fn tangent(self) -> Self;
    fn arctangent(self) -> Self;
    /// The angle of the point (x, self).
    fn arctangent2(self, x: Self) -> Self;
    fn hyperbolic_sine(self) -> Self;
    fn hyperbolic_cosine(self) -> Self;
    fn exponential(self) -> Self;
    fn exponential2(self) -> Self;
    fn logarithm(self) -> Self;
    fn logarithm2(self) -> Self;
    fn power(self, exponent: Self) -> Self;
    fn cube_root(self) -> Self;
    /// √(self² + other²), without overflow.
    fn hypotenuse(self, other: Self) -> Self;
}

impl Elementary for f64 {
    fn sine(self) -> Self {
        libm::sin(self)
    }

    fn cosine(self) -> Self {
        libm::cos(self)
    }

    fn sine_cosine(self) -> (Self, Self) {
        libm::sincos(self)
    }

    fn tangent(self) -> Self {
        libm::tan(self)
    }

    fn arctangent(self) -> Self {
        libm::atan(self)
    }

    fn arctangent2(self, x: Self) -> Self {
        libm::atan2(self, x)
    }

    fn hyperbolic_sine(self) -> Self {
        libm::sinh(self)
    }

    fn hyperbolic_cosine(self) -> Self {
        libm::cosh(self)
    }

    fn exponential(self) -> Self {
        libm::exp(self)
    }

    fn exponential2(self) -> Self {
        libm::exp2(self)
    }

    fn logarithm(self) -> Self {
        libm::log(self)
    }

    fn logarithm2(self) -> Self {
        libm::log2(self)
    }

    fn power(self, exponent: Self) -> Self {
        libm::pow(self, exponent)
    }

    fn cube_root(self) -> Self {
        libm::cbrt(self)
    }

    fn hypotenuse(self, other: Self) -> Self {
        libm::hypot(self, other)
    }
}
