//! Numbers for people: six significant digits, and as people write them.

/// Formats `value`; what is below 1e-13 of `scale` is rounding and reads 0.
pub fn format(value: f64, scale: f64) -> String {
    if !value.is_finite() {
        return "unknown".into();
    }
    if value == 0.0 || value.abs() <= 1e-13 * scale {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor();
    if (-4.0..6.0).contains(&magnitude) {
        let text = format!("{value:.*}", (5.0 - magnitude) as usize);
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        format!("{value:.5e}")
    }
}

/// A number as people write it: also as a multiple of π (`2pi`, `-pi`) or in degrees (`30deg`).
pub fn parse(word: &str) -> Option<f64> {
    delassus::scenario::angle::parse(word)
}

/// A vector in parentheses.
pub fn vector(values: &[f64]) -> String {
    let scale = scale(values);
    format!("({})", values.iter().map(|&v| format(v, scale)).collect::<Vec<_>>().join(", "))
}

/// The largest magnitude of several numbers.
pub fn scale(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |max, v| v.abs().max(max))
}

/// A ratio as a percentage with sign: `+58.7 %`.
pub fn percent(ratio: f64) -> String {
    match 100.0 * ratio {
        p if !p.is_finite() => "unknown".into(),
        p if p.abs() < 1e-9 => "0 %".into(),
        p if p.abs() < 0.01 => format!("{p:+.1e} %"),
        p if p.abs() < 10.0 => format!("{p:+.2} %"),
        p => format!("{p:+.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-1.0 / 3.0, "-0.333333"),
            (123456.78, "123457"),
            (1234567.8, "1.23457e6"),
            (0.00012345678, "0.000123457"),
            (1.5e-9, "1.50000e-9"),
            (f64::NAN, "unknown"),
        ] {
            assert_eq!(format(value, 0.0), text);
        }
        assert_eq!(format(1e-17, 1.0), "0");
        assert_eq!(vector(&[1.0, -1e-16]), "(1, 0)");
        assert_eq!(percent(0.587), "+58.7 %");
        assert_eq!(percent(-1.0 / 3.0), "-33.3 %");
    }
}
