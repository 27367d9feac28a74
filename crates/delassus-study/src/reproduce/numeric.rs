//! Small numerical tools of the studies.

use super::StudyError;

/// `count` equally spaced numbers from `from` to `to`, both included.
pub(crate) fn linspace(from: f64, to: f64, count: usize) -> impl Iterator<Item = f64> + Clone {
    let last = count.max(2) - 1;
    (0..=last).map(move |k| if k == last { to } else { from + (to - from) * k as f64 / last as f64 })
}

/// The largest of some numbers, zero of none. One that is not a number stays, so that a study
/// which computes none does not agree with its paper: `f64::max` would drop it.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |known, value| if value > known || value.is_nan() { value } else { known })
}

/// Where a property that holds at one end only changes, to rounding; NaN if it holds at both or at
/// neither.
pub(crate) fn switch(
    from: f64,
    to: f64,
    mut holds: impl FnMut(f64) -> Result<bool, StudyError>,
) -> Result<f64, StudyError> {
    let (mut a, mut b) = (from, to);
    let start = holds(a)?;
    if holds(b)? == start {
        return Ok(f64::NAN);
    }
    for _ in 0..200 {
        let middle = 0.5 * (a + b);
        if middle == a || middle == b {
            break;
        }
        if holds(middle)? == start { a = middle } else { b = middle }
    }
    Ok(0.5 * (a + b))
}

/// The points of a curve with its jumps found: where `f` goes on to change by as much within an ever
/// shorter interval, the curve ends and begins anew, so that no slanted line is drawn between.
pub(crate) fn with_jumps(
    points: &[(f64, f64)],
    mut f: impl FnMut(f64) -> Result<f64, StudyError>,
) -> Result<Vec<(f64, f64)>, StudyError> {
    let (low, high) = points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.1), h.max(p.1)));
    let mut out = Vec::with_capacity(points.len());
    for pair in points.windows(2) {
        out.push(pair[0]);
        let change = (pair[1].1 - pair[0].1).abs();
        if change.is_nan() || change <= 0.03 * (high - low) {
            continue;
        }
        let (mut a, mut b) = (pair[0], pair[1]);
        // Within some 1e-5 of the interval: what is steeper is a jump in a figure. Nearer to it the other side may
        // have a pole, whose spike would be drawn.
        for _ in 0..14 {
            let middle = 0.5 * (a.0 + b.0);
            let middle = (middle, f(middle)?);
            if (middle.1 - a.1).abs() > (b.1 - middle.1).abs() { b = middle } else { a = middle }
        }
        if (b.1 - a.1).abs() > 0.5 * change {
            out.extend([a, (0.5 * (a.0 + b.0), f64::NAN), b]);
        }
    }
    out.extend(points.last());
    Ok(out)
}

/// Place and value of the minimum of a function with one minimum, by golden section.
pub(crate) fn minimum(
    from: f64,
    to: f64,
    mut f: impl FnMut(f64) -> Result<f64, StudyError>,
) -> Result<(f64, f64), StudyError> {
    let ratio = 0.5 * (5f64.sqrt() - 1.0);
    let (mut a, mut b) = (from, to);
    let (mut c, mut d) = (b - ratio * (b - a), a + ratio * (b - a));
    let (mut fc, mut fd) = (f(c)?, f(d)?);
    while (b - a).abs() > 1e-10 * (a.abs() + b.abs()) {
        if fc < fd {
            (b, d, fd) = (d, c, fc);
            c = b - ratio * (b - a);
            fc = f(c)?;
        } else {
            (a, c, fc) = (c, d, fd);
            d = a + ratio * (b - a);
            fd = f(d)?;
        }
    }
    let x = 0.5 * (a + b);
    Ok((x, f(x)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switch_finds_the_change() {
        let x = switch(0.0, 3.0, |x| Ok(x * x > 2.0)).unwrap();
        assert!((x - 2f64.sqrt()).abs() < 1e-15);
        assert!(switch(0.0, 1.0, |x| Ok(x > 2.0)).unwrap().is_nan());
    }

    #[test]
    fn the_largest_is_no_number_where_one_is_none() {
        assert_eq!(largest([0.5, 2.0, 1.0]), 2.0);
        assert_eq!(largest([]), 0.0);
        for values in [[f64::NAN, 1.0], [1.0, f64::NAN]] {
            assert!(largest(values).is_nan());
        }
    }

    #[test]
    fn minimum_of_a_parabola() {
        let (x, y) = minimum(0.0, 5.0, |x| Ok((x - 2.0).powi(2) + 1.0)).unwrap();
        assert!((x - 2.0).abs() < 1e-7 && (y - 1.0).abs() < 1e-14);
    }
}
