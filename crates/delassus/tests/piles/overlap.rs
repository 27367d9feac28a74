//! The true distance between two shapes, below zero where they overlap.
//!
//! Written without the library: this is what its contacts are judged by. Every
//! convex part is a core (one point, a segment or a convex polygon) grown by a
//! radius, so a disk is a point with a radius. The distance of two convex sets is
//! the largest gap that any direction shows between their shadows, also below
//! zero: then it is minus the shortest way to push them apart. For two polygons
//! the best direction of an overlap is normal to a side of one of them.

pub type Point = [f64; 2];

pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub fn norm(a: Point) -> f64 {
    a[0].hypot(a[1])
}

/// A convex part: all points within `radius` of the core.
#[derive(Debug, Clone)]
pub struct Part {
    /// Corners of the core, counter-clockwise; one is a point, two a segment.
    pub core: Vec<Point>,
    pub radius: f64,
}

impl Part {
    /// The part after a turn by `angle` about the origin and a shift.
    pub fn placed(&self, position: Point, angle: f64) -> Part {
        let (s, c) = angle.sin_cos();
        let place = |p: &Point| [position[0] + c * p[0] - s * p[1], position[1] + s * p[0] + c * p[1]];
        Part { core: self.core.iter().map(place).collect(), radius: self.radius }
    }

    /// Largest distance of a point from the origin.
    pub fn reach(&self) -> f64 {
        self.core.iter().map(|p| norm(*p)).fold(0.0, f64::max) + self.radius
    }

    /// Sides as pairs of ends; none for a point.
    pub fn sides(&self) -> Vec<[Point; 2]> {
        let n = self.core.len();
        (0..if n == 1 { 0 } else { n }).map(|k| [self.core[k], self.core[(k + 1) % n]]).collect()
    }
}

/// Distance of a point from a segment.
pub fn point_to_segment(p: Point, [a, b]: [Point; 2]) -> f64 {
    let along = sub(b, a);
    let length = dot(along, along);
    let t = if length > 0.0 { (dot(sub(p, a), along) / length).clamp(0.0, 1.0) } else { 0.0 };
    norm(sub(p, [a[0] + t * along[0], a[1] + t * along[1]]))
}

/// The gap that direction `n` shows: from the farthest point of `a` to the nearest of `b`.
fn shown(a: &[Point], b: &[Point], n: Point) -> f64 {
    // From a point of the sets, so that a far origin costs no digits.
    let far = a.iter().map(|p| dot(sub(*p, a[0]), n)).fold(f64::NEG_INFINITY, f64::max);
    b.iter().map(|p| dot(sub(*p, a[0]), n)).fold(f64::INFINITY, f64::min) - far
}

/// Distance of two convex parts, below zero where they overlap.
pub fn distance(a: &Part, b: &Part) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for (one, other, sign) in [(a, b, 1.0), (b, a, -1.0)] {
        for [from, to] in one.sides() {
            let along = sub(to, from);
            let length = norm(along);
            let n = [sign * along[1] / length, -sign * along[0] / length];
            best = best.max(shown(&a.core, &b.core, n));
            if one.core.len() == 2 && other.core.len() <= 2 {
                // Segments in one line are parted along it.
                let t = [along[0] / length, along[1] / length];
                best = best.max(shown(&a.core, &b.core, t));
            }
        }
    }
    let core = if best < 0.0 && best.is_finite() { best } else { between_outlines(a, b) };
    core - a.radius - b.radius
}

/// Distance of two cores that do not overlap: some corner of one is nearest.
fn between_outlines(a: &Part, b: &Part) -> f64 {
    let mut least = f64::INFINITY;
    for (one, other) in [(a, b), (b, a)] {
        for p in &one.core {
            least = least.min(norm(sub(*p, other.core[0])));
            for side in other.sides() {
                least = least.min(point_to_segment(*p, side));
            }
        }
    }
    least
}

/// Distance of two unions of convex parts.
pub fn distance_of_unions(a: &[Part], b: &[Part]) -> f64 {
    a.iter().flat_map(|p| b.iter().map(move |r| distance(p, r))).fold(f64::INFINITY, f64::min)
}

/// Distance of a union from the half plane behind a line with a unit normal.
pub fn distance_to_line(parts: &[Part], point: Point, normal: Point) -> f64 {
    let part = |p: &Part| p.core.iter().map(|c| dot(sub(*c, point), normal)).fold(f64::INFINITY, f64::min) - p.radius;
    parts.iter().map(part).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The largest gap shown by any of many directions, the best ones refined.
    fn by_directions(a: &Part, b: &Part) -> f64 {
        let value = |angle: f64| {
            let n = [angle.cos(), angle.sin()];
            shown(&a.core, &b.core, n) - a.radius - b.radius
        };
        let step = std::f64::consts::TAU / 3000.0;
        let rough: Vec<f64> = (0..3000).map(|k| value(k as f64 * step)).collect();
        let most = rough.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut best = most;
        // What a step can add to a value is bounded by the sizes: refine all that may win.
        let reach = 3.0 * step * (norm(sub(a.core[0], b.core[0])) + 2.0);
        for (k, _) in rough.iter().enumerate().filter(|(_, v)| **v > most - reach) {
            let (mut low, mut high) = ((k as f64 - 1.0) * step, (k as f64 + 1.0) * step);
            for _ in 0..80 {
                let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if value(one) < value(two) { low = one } else { high = two }
            }
            best = best.max(value(low));
        }
        best
    }

    fn random_part(random: &mut Random) -> Part {
        let turn = random.between(0.0, 6.3);
        let at = [random.between(-0.5, 0.5), random.between(-0.5, 0.5)];
        let (w, h) = (random.between(0.05, 0.5), random.between(0.05, 0.5));
        let part = match random.integer(0, 3) {
            0 => Part { core: vec![[0.0, 0.0]], radius: w },
            1 => Part { core: vec![[-w, 0.0], [w, 0.0]], radius: 0.0 },
            2 => Part { core: vec![[-w, -h], [w, -h], [w, h], [-w, h]], radius: 0.0 },
            _ => {
                let mut angles: Vec<f64> = (0..5).map(|_| random.between(0.0, 6.2)).collect();
                angles.sort_by(f64::total_cmp);
                Part { core: angles.iter().map(|a| [w * a.cos(), h * a.sin()]).collect(), radius: 0.0 }
            }
        };
        part.placed(at, turn)
    }

    #[test]
    fn distances_are_the_largest_gap_of_all_directions() {
        let mut random = Random::new(7);
        let (mut apart, mut within) = (0, 0);
        for case in 0..400 {
            let (a, b) = (random_part(&mut random), random_part(&mut random));
            let (ours, sampled) = (distance(&a, &b), by_directions(&a, &b));
            assert!((ours - sampled).abs() < 1e-8, "{case}: {ours} {sampled} {a:?} {b:?}");
            assert!((ours - distance(&b, &a)).abs() < 1e-14);
            if ours > 0.0 { apart += 1 } else { within += 1 }
        }
        assert!(apart > 50 && within > 50, "{apart} {within}");
    }

    #[test]
    fn pushing_apart_by_the_depth_is_enough_and_by_less_is_not() {
        let square = Part { core: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], radius: 0.0 };
        let disk = |x: f64, y: f64| Part { core: vec![[x, y]], radius: 0.25 };
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
        close(distance(&square, &disk(0.5, 1.2)), -0.05);
        close(distance(&square, &disk(0.5, 0.9)), -0.35);
        close(distance(&square, &disk(2.0, 2.0)), 2f64.sqrt() - 0.25);
        close(distance(&square, &square.placed([1.0, 1.0], 0.0)), 0.0);
        close(distance(&square, &square.placed([0.9, 0.0], 0.0)), -0.1);
        let rod = |x: f64, y: f64| Part { core: vec![[x, y], [x + 1.0, y]], radius: 0.0 };
        close(distance(&rod(0.0, 0.0), &rod(1.5, 0.0)), 0.5);
        close(distance(&rod(0.0, 0.0), &rod(0.5, 0.0)), 0.0);
        close(distance(&square, &rod(0.9, 0.5)), -0.1);
        let post = Part { core: vec![[0.3, -0.2], [0.3, 0.7]], radius: 0.0 };
        close(distance(&rod(0.0, 0.0), &post), -0.2);
        close(distance_to_line(&[disk(0.0, 0.2)], [0.0, 0.0], [0.0, 1.0]), -0.05);
    }
}
