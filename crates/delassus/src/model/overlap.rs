//! The true distance between shapes, independent of how contacts are found.
//!
//! Two convex sets are as far apart as the origin is from the set of all
//! differences of their points. For outlines that set is the convex hull of
//! the differences of their corners; a disk is a point with the distance
//! lessened by its radius. Runs are checked with this at every step, so
//! nothing here may be shared with the detection of events.

use std::cell::RefCell;

use super::outline::ROD;
use super::planar::{PlanarSystem, Pose};
use super::vector::{Vec2, cross};
use crate::elementary::Elementary;

/// A convex shape fixed to a body: a polygon, a segment or a disk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub body: usize,
    /// Corners in the body's frame; the centre of a disk.
    pub points: Vec<[f64; 2]>,
    /// Of a disk; else 0.
    pub radius: f64,
    /// Largest distance of a point from the centre of mass.
    reach: f64,
    /// What a rod may be pressed into others: it touches them at a distance that is not its own.
    give: f64,
}

/// A straight support: everything beyond its line is solid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HalfPlane {
    pub support: usize,
    pub point: [f64; 2],
    pub normal: [f64; 2],
}

impl Shape {
    pub fn new(body: usize, points: Vec<[f64; 2]>, radius: f64) -> Self {
        let reach = points.iter().map(|p| p[0].hypotenuse(p[1])).fold(0.0, f64::max) + radius;
        let give = match points[..] {
            [[x, y], [z, w]] => 2.0 * ROD * (x - z).hypotenuse(y - w),
            _ => 0.0,
        };
        Self { body, points, radius, reach, give }
    }

    fn placed(&self, q: &[f64], into: &mut Vec<Vec2>) {
        let pose = Pose::still(self.body, q);
        into.clear();
        into.extend(self.points.iter().map(|p| pose.position + pose.turned(*p)));
    }
}

/// Memory of the search, reused: distances are asked for at every step of a run.
#[derive(Default)]
struct Buffers {
    one: Vec<Vec2>,
    other: Vec<Vec2>,
    differences: Vec<Vec2>,
    hull: Vec<Vec2>,
    /// Where the shadow of each shape on the axis x begins.
    shadows: Vec<(f64, usize)>,
}

thread_local! {
    // A system is shared between threads and has no memory of its own.
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// The smallest distance between any two shapes that can touch, negative
/// where they overlap, and the names of the two; none where nothing is near anything.
pub(super) fn nearest_pair<'a>(system: &'a PlanarSystem, t: f64, q: &[f64]) -> Option<(f64, [&'a str; 2])> {
    BUFFERS.with_borrow_mut(|buffers| search(system, t, q, buffers))
}

fn search<'a>(system: &'a PlanarSystem, t: f64, q: &[f64], buffers: &mut Buffers) -> Option<(f64, [&'a str; 2])> {
    let Buffers { one, other, differences, hull, shadows } = buffers;
    let mut least: Option<(f64, [&str; 2])> = None;
    let mut note = |distance: f64, names: [&'a str; 2]| {
        // A distance that is not a number must not pass for a good one.
        if least.is_none_or(|(known, _)| distance.is_nan() || distance < known) {
            least = Some((distance, names));
        }
    };
    for a in &system.shapes {
        a.placed(q, one);
        for plane in &system.half_planes {
            let moved = system.supports[plane.support].motion.at(t).position;
            let level = Vec2::from(plane.point) + moved;
            let lowest = one.iter().map(|p| Vec2::from(plane.normal).dot(&(p - level))).fold(f64::INFINITY, f64::min);
            note(lowest - a.radius + a.give, [&system.bodies[a.body].name, &system.supports[plane.support].name]);
        }
    }
    // Shapes whose shadows on the axis x meet.
    shadows.clear();
    shadows.extend(system.shapes.iter().enumerate().map(|(k, s)| (q[3 * s.body] - s.reach, k)));
    shadows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (i, (_, a)) in shadows.iter().enumerate() {
        let a = &system.shapes[*a];
        a.placed(q, one);
        for (from, b) in &shadows[i + 1..] {
            let b = &system.shapes[*b];
            if *from > q[3 * a.body] + a.reach {
                break;
            }
            let centres = |k: usize| q[3 * a.body + k] - q[3 * b.body + k];
            let far = centres(0).powi(2) + centres(1).powi(2) > (a.reach + b.reach).powi(2);
            if far || a.body == b.body || system.is_exempt(a.body, b.body) {
                continue;
            }
            b.placed(q, other);
            differences.clear();
            differences.extend(one.iter().flat_map(|p| other.iter().map(move |r| p - r)));
            let names = [a.body, b.body].map(|body| system.bodies[body].name.as_str());
            note(origin_to_hull(differences, hull) - a.radius - b.radius + a.give + b.give, names);
        }
    }
    least
}

/// Distance of the origin from the convex hull of the points: negative inside,
/// by how far it is from the boundary.
fn origin_to_hull(points: &mut [Vec2], hull: &mut Vec<Vec2>) -> f64 {
    convex_hull(points, hull);
    if let [only] = hull[..] {
        return only.norm();
    }
    let mut nearest = f64::INFINITY;
    let mut inside = hull.len() > 2;
    for (k, from) in hull.iter().enumerate() {
        let edge = hull[(k + 1) % hull.len()] - from;
        inside &= cross(edge, -from) > 0.0;
        let x = (-from.dot(&edge) / edge.dot(&edge)).clamp(0.0, 1.0);
        nearest = nearest.min((from + x * edge).norm());
    }
    if inside { -nearest } else { nearest }
}

/// Corners of the convex hull, counter-clockwise (the monotone chain of Andrew).
fn convex_hull(points: &mut [Vec2], hull: &mut Vec<Vec2>) {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    hull.clear();
    for pass in 0..2 {
        let start = hull.len();
        let mut add = |p: Vec2| {
            while hull.len() >= start + 2
                && cross(hull[hull.len() - 1] - hull[hull.len() - 2], p - hull[hull.len() - 1]) <= 0.0
            {
                hull.pop();
            }
            hull.push(p);
        };
        if pass == 0 {
            points.iter().for_each(|p| add(*p))
        } else {
            points.iter().rev().for_each(|p| add(*p))
        }
        // The last point of a chain is the first of the other.
        hull.pop();
    }
    hull.dedup();
    if hull.is_empty() {
        hull.extend(points.first());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(points: &mut [Vec2]) -> f64 {
        origin_to_hull(points, &mut Vec::new())
    }

    #[test]
    fn the_origin_against_hulls() {
        let square = |x: f64, y: f64| {
            [[0.0, 0.0], [1.0, 0.0], [0.3, 0.4], [1.0, 1.0], [0.0, 1.0]].map(|p| Vec2::new(p[0] + x, p[1] + y))
        };
        assert!((distance(&mut square(-0.25, -0.5)) + 0.25).abs() < 1e-15);
        assert!((distance(&mut square(3.0, 4.0)) - 5.0).abs() < 1e-15);
        assert!((distance(&mut square(-0.5, 0.25)) - 0.25).abs() < 1e-15);
        let mut line = [[-1.0, 0.5], [0.0, 0.5], [2.0, 0.5]].map(Vec2::from);
        assert!((distance(&mut line) - 0.5).abs() < 1e-15);
        assert!((distance(&mut [Vec2::new(3.0, 4.0); 3]) - 5.0).abs() < 1e-15);
    }
}
