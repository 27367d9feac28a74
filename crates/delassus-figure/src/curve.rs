//! Polylines on their way to the sheet: gaps, clipping to the axes box, thinning.

use super::svg::Rect;

/// Deviation in points that no eye or printer sees.
const TOLERANCE: f64 = 0.04;

/// Splits at missing points, clips to the box and thins what is left.
pub(crate) fn prepare(points: impl Iterator<Item = [f64; 2]>, frame: Rect) -> Vec<Vec<[f64; 2]>> {
    let mut pieces: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut current: Vec<[f64; 2]> = Vec::new();
    let mut previous: Option<[f64; 2]> = None;
    for p in points {
        let finite = p[0].is_finite() && p[1].is_finite();
        let segment = match previous {
            Some(q) if finite => clip(q, p, frame),
            _ => None,
        };
        match segment {
            Some((a, b)) => {
                if current.last() != Some(&a) {
                    flush(&mut current, &mut pieces);
                    current.push(a);
                }
                current.push(b);
            }
            None => flush(&mut current, &mut pieces),
        }
        previous = finite.then_some(p);
    }
    flush(&mut current, &mut pieces);
    pieces
}

fn flush(current: &mut Vec<[f64; 2]>, pieces: &mut Vec<Vec<[f64; 2]>>) {
    let piece = std::mem::take(current);
    if piece.len() > 1 {
        pieces.push(simplify(&envelope(&piece)));
    }
}

/// Part of the segment inside the box (Liang–Barsky).
fn clip(a: [f64; 2], b: [f64; 2], r: Rect) -> Option<([f64; 2], [f64; 2])> {
    let d = [b[0] - a[0], b[1] - a[1]];
    let (mut t0, mut t1) = (0.0f64, 1.0f64);
    let sides = [(-d[0], a[0] - r.x), (d[0], r.right() - a[0]), (-d[1], a[1] - r.y), (d[1], r.bottom() - a[1])];
    for (p, q) in sides {
        if p == 0.0 {
            if q < 0.0 {
                return None;
            }
        } else if p < 0.0 {
            t0 = t0.max(q / p);
        } else {
            t1 = t1.min(q / p);
        }
    }
    if t0 > t1 {
        return None;
    }
    // Unclipped ends stay bit-equal, so that consecutive segments join.
    let from = if t0 == 0.0 { a } else { [a[0] + t0 * d[0], a[1] + t0 * d[1]] };
    let to = if t1 == 1.0 { b } else { [a[0] + t1 * d[0], a[1] + t1 * d[1]] };
    Some((from, to))
}

/// Keeps first, lowest, highest and last of the points that share a hair-thin column.
fn envelope(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let column = |p: &[f64; 2]| (p[0] / (2.0 * TOLERANCE)).floor();
    let mut out = Vec::new();
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        let last = group.len() - 1;
        let by_height = |i: &usize, j: &usize| group[*i][1].total_cmp(&group[*j][1]);
        let low = (0..=last).min_by(by_height).unwrap_or(0);
        let high = (0..=last).max_by(by_height).unwrap_or(0);
        let mut keep = [0, low, high, last];
        keep.sort_unstable();
        for (n, &i) in keep.iter().enumerate() {
            if n == 0 || keep[n - 1] != i {
                out.push(group[i]);
            }
        }
    }
    out
}

/// Douglas–Peucker.
fn simplify(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut keep = vec![false; points.len()];
    let mut stack = vec![(0, points.len() - 1)];
    keep[0] = true;
    keep[points.len() - 1] = true;
    while let Some((i, j)) = stack.pop() {
        let far = (i + 1..j).map(|k| (k, distance(points[k], points[i], points[j]))).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((k, d)) = far
            && d > TOLERANCE
        {
            keep[k] = true;
            stack.push((i, k));
            stack.push((k, j));
        }
    }
    let kept = points.iter().zip(&keep).filter(|(_, k)| **k);
    kept.map(|(p, _)| *p).collect()
}

/// Distance of `p` from the segment `a`–`b`.
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let d = [b[0] - a[0], b[1] - a[1]];
    let length = d[0] * d[0] + d[1] * d[1];
    let t = if length > 0.0 { (((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    (p[0] - a[0] - t * d[0]).hypot(p[1] - a[1] - t * d[1])
}

/// Clips a polygon to the box (Sutherland–Hodgman); missing points are left out.
pub(crate) fn clip_polygon(points: impl Iterator<Item = [f64; 2]>, r: Rect) -> Vec<[f64; 2]> {
    let finite = points.filter(|p| p[0].is_finite() && p[1].is_finite());
    let mut polygon: Vec<[f64; 2]> = finite.collect();
    // (coordinate, bound, +1 keeps what is larger)
    for (c, bound, sign) in [(0, r.x, 1.0), (0, r.right(), -1.0), (1, r.y, 1.0), (1, r.bottom(), -1.0)] {
        let inside = |p: &[f64; 2]| sign * (p[c] - bound) >= 0.0;
        let mut next = Vec::with_capacity(polygon.len() + 4);
        for (i, p) in polygon.iter().enumerate() {
            let q = &polygon[(i + polygon.len() - 1) % polygon.len()];
            if inside(p) != inside(q) {
                let t = (bound - q[c]) / (p[c] - q[c]);
                let mut cut = [q[0] + t * (p[0] - q[0]), q[1] + t * (p[1] - q[1])];
                cut[c] = bound;
                next.push(cut);
            }
            if inside(p) {
                next.push(*p);
            }
        }
        polygon = next;
    }
    if polygon.len() < 3 { Vec::new() } else { polygon }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rect = Rect { x: 0.0, y: 0.0, w: 100.0, h: 50.0 };

    #[test]
    fn missing_points_break_the_line() {
        let points = [[0.0, 0.0], [10.0, 10.0], [f64::NAN, 5.0], [20.0, 10.0], [30.0, 0.0]];
        let pieces = prepare(points.into_iter(), BOX);
        assert_eq!(pieces, [vec![[0.0, 0.0], [10.0, 10.0]], vec![[20.0, 10.0], [30.0, 0.0]]]);
    }

    #[test]
    fn lines_end_at_the_box() {
        let pieces = prepare([[-50.0, 25.0], [150.0, 25.0], [150.0, 90.0]].into_iter(), BOX);
        assert_eq!(pieces, [vec![[0.0, 25.0], [100.0, 25.0]]]);
    }

    #[test]
    fn thinning_keeps_the_shape() {
        let wave = |i: usize| {
            let x = i as f64 * 100.0 / 100_000.0;
            [x, 25.0 + 20.0 * (0.3 * x).sin()]
        };
        let pieces = prepare((0..=100_000).map(wave), BOX);
        assert_eq!(pieces.len(), 1);
        assert!(pieces[0].len() < 500, "{}", pieces[0].len());
        for i in (0..=100_000).step_by(97) {
            let p = wave(i);
            let near = pieces[0].windows(2).map(|s| distance(p, s[0], s[1]));
            assert!(near.fold(f64::INFINITY, f64::min) < 4.0 * TOLERANCE);
        }
    }

    #[test]
    fn polygons_are_cut_at_the_box() {
        let p = clip_polygon([[-10.0, -10.0], [50.0, 25.0], [-10.0, 60.0]].into_iter(), BOX);
        assert!(p.iter().all(|p| BOX.contains(*p)) && p.len() >= 3);
        assert!(clip_polygon([[200.0, 0.0], [300.0, 0.0], [300.0, 9.0]].into_iter(), BOX).is_empty());
    }
}
