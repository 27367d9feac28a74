//! Projection onto friction sets in the plane.

use crate::elementary::Elementary;

/// Lengths below this part of others do not change them, and their squares can be represented.
const SHORT: f64 = 1e-150;

/// The point of the ellipse with half axes `axes` (at least 0) nearest to `point`.
pub fn project_ellipse(point: [f64; 2], axes: [f64; 2]) -> [f64; 2] {
    let [a, b] = axes;
    let [p, q] = point;
    let unit = a.max(b);
    // A half axis so short beside the other counts as none: its square would vanish below.
    if a.min(b) <= SHORT * unit {
        return [p.max(-a).min(a), q.max(-b).min(b)];
    }
    let gauge = (p / a).hypotenuse(q / b);
    if gauge <= 1.0 {
        return point;
    }
    if (a - b).abs() <= f64::EPSILON * a {
        let length = p.hypotenuse(q);
        return [p * a / length, q * a / length];
    }
    // So far away the nearest point is the outermost one in the direction of the point.
    let far = p.abs().max(q.abs());
    if unit <= SHORT * far {
        let (x, y) = (a / unit * (p / far), b / unit * (q / far));
        let length = x.hypotenuse(y);
        return [a * x / length, b * y / length];
    }
    // In units of the larger half axis: the nearest point is a_i²p_i/(t + a_i²) with
    // f(t) = Σ (a_i p_i/(t + a_i²))² − 1 = 0. f falls and is convex for t ≥ 0, so that
    // Newton's method climbs to the root from t = 0.
    let (a, b, p, q) = (a / unit, b / unit, p / unit, q / unit);
    let mut t = 0.0;
    for _ in 0..100 {
        let (u, v) = (a * p / (t + a * a), b * q / (t + b * b));
        let value = u * u + v * v - 1.0;
        let slope = -2.0 * (u * u / (t + a * a) + v * v / (t + b * b));
        let step = -value / slope;
        t += step;
        if step.abs() <= 4.0 * f64::EPSILON * t {
            break;
        }
    }
    [a * a * p / (t + a * a) * unit, b * b * q / (t + b * b) * unit]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_points() {
        assert_eq!(project_ellipse([3.0, 4.0], [1.0, 1.0]), [0.6, 0.8]);
        assert_eq!(project_ellipse([0.1, 0.2], [1.0, 0.5]), [0.1, 0.2]);
        assert_eq!(project_ellipse([3.0, 4.0], [1.0, 0.0]), [1.0, 0.0]);
        assert_eq!(project_ellipse([3.0, -4.0], [0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(project_ellipse([3.0, 4.0], [1.0, 1e-308]), [1.0, 1e-308]);
        assert_eq!(project_ellipse([3.0, 0.0], [2e-308, 1e-308]), [2e-308, 0.0]);
        for (point, axes) in [([3.0, -4.0], [2.0, 0.5]), ([1e-9, 5.0], [2.0, 0.5]), ([1e9, 1.0], [1e-3, 7.0])] {
            let [x, y] = project_ellipse(point, axes);
            assert!(((x / axes[0]).hypot(y / axes[1]) - 1.0).abs() < 1e-13);
            // The remainder is normal to the ellipse.
            let normal = [x / (axes[0] * axes[0]), y / (axes[1] * axes[1])];
            let rest = [point[0] - x, point[1] - y];
            let cross = (normal[0] * rest[1] - normal[1] * rest[0]).abs();
            assert!(cross <= 1e-12 * normal[0].hypot(normal[1]) * rest[0].hypot(rest[1]), "{cross}");
        }
    }

    /// No point of the set is nearer, also for segments and single points, inside and in every quadrant.
    #[test]
    fn nothing_is_nearer() {
        let place = |k: usize| [1.7 * (0.9 * k as f64).cos() - 0.2, 1.7 * (1.3 * k as f64).sin()].map(|v| v * 0.9);
        for axes in [[2.0, 0.5], [0.5, 0.5], [0.3, 1.0], [0.0, 0.8], [0.6, 0.0], [0.0, 0.0], [1.0, 1e-200]] {
            for point in (0..60).map(place) {
                let [x, y] = project_ellipse(point, axes);
                let near = (x - point[0]).hypot(y - point[1]);
                let within = |v: f64, axis: f64| if axis > 1e-100 { v / axis } else { v };
                assert!(within(x, axes[0]).hypot(within(y, axes[1])) <= 1.0 + 1e-14, "{axes:?} {point:?}");
                for k in 0..400 {
                    let (s, c) = (0.02 * k as f64).sin_cos();
                    let part = (k % 7) as f64 / 6.0;
                    let other = (part * c * axes[0] - point[0]).hypot(part * s * axes[1] - point[1]);
                    assert!(near <= other + 1e-14, "{axes:?} {point:?}");
                }
            }
        }
    }
}
