//! Tick values and their labels.

use super::axis::{Axis, Scale, Ticks};
use std::f64::consts::PI;

/// The ticks of a resolved axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TickMarks {
    /// Value and label.
    pub major: Vec<(f64, String)>,
    /// Short ticks without labels (logarithmic axes).
    pub minor: Vec<f64>,
    /// Power of ten taken out of all labels, such as `×10^{−3}`; empty if none.
    pub factor: String,
}

/// Most ticks tried on one axis.
const MOST: usize = 9;

/// Chooses ticks for the limits: as many as `fits` accepts (it is told the labelled ticks).
pub(crate) fn choose(axis: &Axis, lo: f64, hi: f64, fits: impl Fn(&[(f64, String)]) -> bool) -> TickMarks {
    let (a, b) = (lo.min(hi), lo.max(hi));
    match (&axis.ticks, axis.scale) {
        (Ticks::None, _) => TickMarks::default(),
        (Ticks::At(list), _) => {
            // The caller's labels that would collide are dropped from the end of the list.
            let mut kept: Vec<(f64, String)> = Vec::new();
            for (v, label) in list.iter().filter(|(v, _)| (a..=b).contains(v)) {
                kept.push((*v, label.clone()));
                kept.sort_by(|p, q| p.0.total_cmp(&q.0));
                if !fits(&kept) {
                    kept.retain(|(w, _)| w != v);
                }
            }
            TickMarks { major: kept, ..TickMarks::default() }
        }
        (Ticks::Pi, Scale::Linear) => pi(a, b, fits),
        (_, Scale::Log) => log(a, b, fits),
        (_, Scale::Linear) => linear(a, b, fits),
    }
}

fn linear(lo: f64, hi: f64, fits: impl Fn(&[(f64, String)]) -> bool) -> TickMarks {
    let mut best = TickMarks::default();
    for count in (1..=MOST).rev() {
        best = decimal(lo, hi, count);
        if fits(&best.major) {
            return best;
        }
    }
    best.major.truncate(1);
    best
}

/// Multiples of the smallest step 1, 2, 5 × 10ᵖ that gives at most about `count` intervals.
fn decimal(lo: f64, hi: f64, count: usize) -> TickMarks {
    let raw = (hi - lo) / count as f64;
    let mut power = raw.log10().floor() as i32;
    let mantissa = raw / 10f64.powi(power);
    let lead = [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| mantissa <= m * (1.0 + 1e-9)).unwrap_or(10.0);
    let step = lead * 10f64.powi(power);
    if lead == 10.0 {
        power += 1;
    }
    let values = multiples(lo, hi, step);
    let largest = values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let order = if largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
    // Powers of ten in steps of three leave the labels when they would be long.
    let exponent = if (-3..5).contains(&order) { 0 } else { 3 * order.div_euclid(3) };
    let decimals = (exponent - power).clamp(0, 15) as usize;
    let major = values.iter().map(|&v| (v, fixed(v / 10f64.powi(exponent), decimals))).collect();
    let factor = match exponent {
        0 => String::new(),
        e => format!("×10^{{{}}}", signed(e)),
    };
    TickMarks { major, minor: Vec::new(), factor }
}

/// Multiples of `step` in the interval; ends count in spite of rounding.
fn multiples(lo: f64, hi: f64, step: f64) -> Vec<f64> {
    let first = (lo / step - 1e-9).ceil();
    let last = (hi / step + 1e-9).floor();
    let n = (last - first).clamp(-1.0, 100.0) as i64 + 1;
    (0..n).map(|k| (first + k as f64) * step).collect()
}

/// Fixed decimals with a real minus sign and no negative zero.
pub(crate) fn fixed(v: f64, decimals: usize) -> String {
    let s = format!("{v:.decimals$}");
    match s.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => digits.to_string(),
        Some(digits) => format!("−{digits}"),
        None => s,
    }
}

fn signed(e: i32) -> String {
    if e < 0 { format!("−{}", e.unsigned_abs()) } else { e.to_string() }
}

fn pi(lo: f64, hi: f64, fits: impl Fn(&[(f64, String)]) -> bool) -> TickMarks {
    let fractions = [(1, 12), (1, 8), (1, 6), (1, 4), (1, 2), (1, 1), (2, 1), (5, 1), (10, 1)];
    for (p, q) in fractions {
        let step = PI * f64::from(p) / f64::from(q);
        if (hi - lo) / step > MOST as f64 {
            continue;
        }
        let major: Vec<_> = multiples(lo, hi, step)
            .into_iter()
            .map(|v| (v, pi_label((v / step).round() as i64 * i64::from(p), i64::from(q))))
            .collect();
        if major.len() >= 2 && fits(&major) {
            return TickMarks { major, ..TickMarks::default() };
        }
    }
    linear(lo, hi, fits)
}

/// `p/q` times π in lowest terms.
fn pi_label(p: i64, q: i64) -> String {
    let (mut a, mut b) = (p.abs(), q);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let (n, d) = (p.abs() / a.max(1), q / a.max(1));
    if n == 0 {
        return "0".into();
    }
    let sign = if p < 0 { "−" } else { "" };
    let top = if n == 1 { "π".into() } else { format!("{n}π") };
    if d == 1 { format!("{sign}{top}") } else { format!("{sign}{top}/{d}") }
}

fn log(lo: f64, hi: f64, fits: impl Fn(&[(f64, String)]) -> bool) -> TickMarks {
    let first = (lo.log10() - 1e-9).ceil() as i32;
    let last = (hi.log10() + 1e-9).floor() as i32;
    let plain = first >= -3 && last <= 4;
    let label = |lead: i32, e: i32| {
        if plain {
            fixed(f64::from(lead) * 10f64.powi(e), (-e).max(0) as usize)
        } else if lead == 1 {
            format!("10^{{{}}}", signed(e))
        } else {
            format!("{lead}·10^{{{}}}", signed(e))
        }
    };
    let inside = |v: f64| v >= lo * (1.0 - 1e-9) && v <= hi * (1.0 + 1e-9);
    let minor: Vec<f64> = if last - first <= 12 {
        (first - 1..=last)
            .flat_map(|e| (2..10).map(move |m| f64::from(m) * 10f64.powi(e)))
            .filter(|&v| inside(v))
            .collect()
    } else {
        Vec::new()
    };
    if last - first < 1 {
        // Less than two decades inside: 1, 2, 5, or else equal steps.
        let major: Vec<_> = (first - 1..=last)
            .flat_map(|e| [1, 2, 5].map(|m| (m, e)))
            .map(|(m, e)| (f64::from(m) * 10f64.powi(e), label(m, e)))
            .filter(|(v, _)| inside(*v))
            .collect();
        if major.len() >= 3 && fits(&major) {
            return TickMarks { major, minor, factor: String::new() };
        }
        return TickMarks { minor, ..linear(lo, hi, fits) };
    }
    for every in [1, 2, 3, 5, 10, 20, 50, 100] {
        let major: Vec<_> =
            (first..=last).filter(|e| e.rem_euclid(every) == 0).map(|e| (10f64.powi(e), label(1, e))).collect();
        if major.len() <= MOST && fits(&major) {
            return TickMarks { major, minor, factor: String::new() };
        }
    }
    TickMarks { minor, ..TickMarks::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, lo: f64, hi: f64) -> Vec<String> {
        let marks = choose(axis, lo, hi, |_| true);
        marks.major.into_iter().map(|m| m.1).collect()
    }

    #[test]
    fn steps_are_one_two_five() {
        let axis = Axis::new("");
        assert_eq!(labels(&axis, 0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&axis, -1.5, 1.5)[0], "−1.5");
    }

    #[test]
    fn long_labels_share_a_power_of_ten() {
        for (scale, factor) in [(1e-12, "×10^{−12}"), (1e12, "×10^{12}")] {
            let marks = choose(&Axis::new(""), 0.0, 4.0 * scale, |_| true);
            assert_eq!(marks.factor, factor);
            assert!(marks.major.iter().all(|(_, l)| l.len() <= 3), "{marks:?}");
        }
    }

    #[test]
    fn multiples_of_pi_are_reduced() {
        let axis = Axis::new("").pi();
        let found = labels(&axis, -PI, PI);
        assert!(found.contains(&"−3π/4".into()) && found.contains(&"π/2".into()), "{found:?}");
        assert!(found.contains(&"0".into()) && found.contains(&"π".into()));
    }

    #[test]
    fn logarithmic_axes_label_decades() {
        let axis = Axis::new("").log();
        assert_eq!(labels(&axis, 1e-8, 1e-6), ["10^{−8}", "10^{−7}", "10^{−6}"]);
        assert_eq!(labels(&axis, 0.1, 10.0), ["0.1", "1", "10"]);
        assert!(labels(&axis, 2.0, 3.0).len() >= 2);
    }

    #[test]
    fn crowded_ticks_are_thinned() {
        let few = choose(&Axis::new(""), 0.0, 1.0, |ticks| ticks.len() <= 3);
        assert_eq!(few.major.len(), 3);
    }
}
