//! Angles as people write them: radians, multiples of π, degrees.

use std::f64::consts::PI;

/// Reads a number, which stands for radians where an angle is meant, or a text with its unit: `0.5pi`, `-pi`, `30deg`,
/// `30°`, `0.3rad`.
///
/// ```
/// use delassus::scenario::angle;
/// assert_eq!(angle::parse("90deg"), angle::parse("0.5pi"));
/// assert_eq!(angle::parse("0.25 rad"), Some(0.25));
/// assert_eq!(angle::parse("30 grad"), None);
/// ```
pub fn parse(text: &str) -> Option<f64> {
    let number = |word: &str| word.trim_end().parse::<f64>().ok();
    if let Some(multiple) = text.strip_suffix("pi") {
        return match multiple.trim_end() {
            "" => Some(PI),
            "-" => Some(-PI),
            other => number(other).map(|multiple| multiple * PI),
        };
    }
    if let Some(degrees) = text.strip_suffix("deg").or_else(|| text.strip_suffix('°')) {
        return number(degrees).map(f64::to_radians);
    }
    number(text.strip_suffix("rad").unwrap_or(text))
}

/// A larger angle than one turn in a file is likely one in degrees.
pub const ABSURD: f64 = 2.0 * PI;

#[cfg(feature = "serde")]
mod files {
    use std::fmt;

    use serde::Deserialize;
    use serde::de::{Deserializer, Error, Unexpected, Visitor};

    /// An angle of a file \[rad\].
    struct Angle(f64);

    struct AngleVisitor;

    impl Visitor<'_> for AngleVisitor {
        type Value = Angle;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an angle: a number of radians, or text such as \"30deg\" or \"0.5pi\"")
        }
        fn visit_f64<E: Error>(self, value: f64) -> Result<Angle, E> {
            Ok(Angle(value))
        }
        fn visit_i64<E: Error>(self, value: i64) -> Result<Angle, E> {
            Ok(Angle(value as f64))
        }
        fn visit_u64<E: Error>(self, value: u64) -> Result<Angle, E> {
            Ok(Angle(value as f64))
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Angle, E> {
            // A plain number in quotation marks is more likely a mistake than an angle.
            let angle = Some(text.trim()).filter(|text| text.parse::<f64>().is_err()).and_then(super::parse);
            let angle = angle.filter(|angle| angle.is_finite());
            angle.map(Angle).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }

    impl<'de> Deserialize<'de> for Angle {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(AngleVisitor)
        }
    }

    /// For `deserialize_with`: an angle.
    ///
    /// # Errors
    /// What is none.
    pub fn one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Angle::deserialize(deserializer).map(|angle| angle.0)
    }

    /// For `deserialize_with`: an angle or nothing.
    ///
    /// # Errors
    /// What is no angle.
    pub fn maybe<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Option::<Angle>::deserialize(deserializer).map(|angle| angle.map(|angle| angle.0))
    }

    /// For `deserialize_with`: two angles.
    ///
    /// # Errors
    /// What is no angle, or another number of them.
    pub fn two<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f64; 2], D::Error> {
        <[Angle; 2]>::deserialize(deserializer).map(|angles| angles.map(|angle| angle.0))
    }
}

#[cfg(feature = "serde")]
pub use files::{maybe, one, two};
