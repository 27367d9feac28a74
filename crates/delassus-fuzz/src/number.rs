//! Numbers worth trying.

use arbitrary::{Arbitrary, Result, Unstructured};

/// Mostly small round numbers, which make degenerate problems; else numbers of
/// ordinary and of unusual size.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl<'a> Arbitrary<'a> for Number {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let value = match u.int_in_range(0..=15u8)? {
            0..=1 => 0.0,
            2..=5 => f64::from(u.int_in_range(-3..=3i8)?),
            6..=7 => f64::from(u.int_in_range(-8..=8i8)?) / 4.0,
            8..=11 => f64::from(u.arbitrary::<i16>()?) / 10_000.0,
            12 => f64::from(u.arbitrary::<i32>()?) / f64::from(i32::MAX),
            // A small number beside ordinary ones.
            13 => f64::from(u.int_in_range(-3..=3i8)?) * 10f64.powi(u.int_in_range(-17..=-6)?),
            // Other units.
            14 => f64::from(u.int_in_range(-3..=3i8)?) * 10f64.powi(u.int_in_range(-9..=9)?),
            _ => [1e-300, -1e-300, 1e-150, 1e100, 1e150, 1e300, f64::MAX, -0.0, f64::MIN_POSITIVE, 5e-324]
                [usize::from(u.int_in_range(0..=9u8)?)],
        };
        Ok(Self(value))
    }
}

impl Number {
    /// Its size, and a value where it is zero.
    pub fn positive(self, zero: f64) -> f64 {
        if self.0 == 0.0 { zero } else { self.0.abs() }
    }
}
