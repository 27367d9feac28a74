//! A small picture of a curve for terminals, in Braille dots.

/// Draws the points as text of `width` × `height` characters (axis labels included).
///
/// Each character holds 2 × 4 dots; consecutive points are joined, missing values (NaN) break the
/// curve. The limits stand at the ends of the axes. Sizes below 16 × 3 are raised to it.
///
/// ```
/// let wave: Vec<_> = (0..200).map(|k| 0.05 * k as f64).map(|t| (t, t.sin())).collect();
/// let text = delassus_report::terminal::plot(&wave, 60, 12);
/// assert_eq!(text.lines().count(), 12);
/// ```
pub fn plot(points: &[(f64, f64)], width: usize, height: usize) -> String {
    let (width, height) = (width.clamp(16, 1000), height.clamp(3, 1000));
    let (x_lo, x_hi) = extent(points.iter().filter(|p| p.1.is_finite()).map(|p| p.0));
    let (y_lo, y_hi) = extent(points.iter().filter(|p| p.0.is_finite()).map(|p| p.1));
    let [top, bottom, left, right] = [y_hi, y_lo, x_lo, x_hi].map(short);
    let margin = top.chars().count().max(bottom.chars().count());
    let columns = width.saturating_sub(margin + 1).max(4);
    let rows = height - 1;

    let (dots_x, dots_y) = (2 * columns, 4 * rows);
    let mut cells = vec![0u8; columns * rows];
    let place = |(x, y): (f64, f64)| {
        let u = (x - x_lo) / (x_hi - x_lo) * (dots_x - 1) as f64;
        let v = (y_hi - y) / (y_hi - y_lo) * (dots_y - 1) as f64;
        (u.is_finite() && v.is_finite()).then_some((u, v))
    };
    let mut previous = None;
    for p in points {
        let here = place(*p);
        if let Some(to) = here {
            let from = previous.unwrap_or(to);
            join(from, to, |u, v| cells[v / 4 * columns + u / 2] |= dot(u % 2, v % 4));
        }
        previous = here;
    }

    let mut out = String::new();
    for row in 0..rows {
        let label = match row {
            0 => top.as_str(),
            r if r == rows - 1 => bottom.as_str(),
            _ => "",
        };
        out += &format!("{label:>margin$}{}", if label.is_empty() { '│' } else { '┤' });
        let line = &cells[row * columns..(row + 1) * columns];
        out.extend(line.iter().map(|bits| char::from_u32(0x2800 + u32::from(*bits)).unwrap_or(' ')));
        out.push('\n');
    }
    let gap = columns.saturating_sub(left.chars().count() + right.chars().count()).max(1);
    out += &format!("{:margin$} {left}{:gap$}{right}\n", "", "");
    out
}

/// Visits the dots between two positions, both ends included.
fn join(from: (f64, f64), to: (f64, f64), mut visit: impl FnMut(usize, usize)) {
    let (du, dv) = (to.0 - from.0, to.1 - from.1);
    let n = du.abs().max(dv.abs()).ceil().max(1.0) as usize;
    for k in 0..=n {
        let t = k as f64 / n as f64;
        visit((from.0 + t * du).round() as usize, (from.1 + t * dv).round() as usize);
    }
}

/// Bit of a dot in a Braille character (Unicode block U+2800).
fn dot(column: usize, row: usize) -> u8 {
    [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]][column][row]
}

/// Smallest and largest finite value, never equal.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|v| v.abs() < 1e300);
    let (lo, hi) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    if lo > hi {
        (0.0, 1.0)
    } else if hi - lo > 1e-12 * lo.abs().max(hi.abs()) {
        (lo, hi)
    } else {
        let half = if lo == 0.0 { 1.0 } else { 0.1 * lo.abs() };
        (lo - half, hi + half)
    }
}

/// Four significant digits.
fn short(v: f64) -> String {
    if v == 0.0 {
        return "0".into();
    }
    let order = v.abs().log10().floor();
    if (-3.0..5.0).contains(&order) {
        let text = format!("{v:.*}", (3.0 - order).max(0.0) as usize);
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').into(),
            false => text,
        }
    } else {
        format!("{v:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dots(text: &str) -> u32 {
        let bits = |c: char| (c as u32).checked_sub(0x2800).filter(|b| *b < 256);
        text.chars().filter_map(bits).map(u32::count_ones).sum()
    }

    fn last_of(line: &str) -> u8 {
        line.chars().last().map_or(0, |c| (c as u32 - 0x2800) as u8)
    }

    #[test]
    fn a_rising_line_goes_from_corner_to_corner() {
        let text = plot(&[(0.0, -1.0), (2.0, 3.0)], 40, 10);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 10);
        assert!(lines.iter().all(|l| l.chars().count() == 40), "{text}");
        assert!(lines[0].trim_start().starts_with("3┤") && (last_of(lines[0]) & dot(1, 0)) != 0, "{text}");
        assert!(lines[8].trim_start().starts_with("-1┤"));
        assert!(lines[9].trim_start().starts_with('0') && lines[9].ends_with('2'));
    }

    #[test]
    fn missing_values_leave_a_gap() {
        let whole = plot(&[(0.0, 1.0), (1.0, 0.0), (2.0, 1.0), (3.0, 0.0)], 40, 8);
        let broken = plot(&[(0.0, 1.0), (1.0, 0.0), (1.5, f64::NAN), (2.0, 1.0), (3.0, 0.0)], 40, 8);
        assert!(dots(&broken) < dots(&whole));
    }

    #[test]
    fn nothing_one_point_and_constants_are_drawn() {
        assert_eq!(dots(&plot(&[], 30, 5)), 0);
        assert_eq!(dots(&plot(&[(1e-12, 1e12)], 30, 5)), 1);
        assert!(dots(&plot(&[(0.0, 7.0), (1.0, 7.0)], 30, 5)) > 20);
        assert_eq!(plot(&[(0.0, 0.0)], 0, 0).lines().count(), 3);
    }
}
