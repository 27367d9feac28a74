//! The true distance between shapes, independent of how contacts are found.
//!
//! Two convex sets are as far apart as the origin is from the set of all
//! differences of their points. For outlines that set is the convex hull of
//! the differences of their corners; a disk is a point with the distance
//! lessened by its radius. Runs are checked with this at every step, so
//! nothing here may be shared with the detection of events.

use std::cell::RefCell;

use super::near::Watch;
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
        if self.points == [[0.0; 2]] {
            // A disk about the centre of its body.
            into.clear();
            into.push(Vec2::new(q[3 * self.body], q[3 * self.body + 1]));
            return;
        }
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
    /// Half-planes: a point, the normal, the support.
    levels: Vec<(Vec2, Vec2, usize)>,
}

thread_local! {
    // A system is shared between threads and has no memory of its own.
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// The smallest distance between any two shapes that can touch, negative
/// where they overlap, and the names of the two; none where nothing is near anything.
pub(super) fn nearest_pair<'a>(system: &'a PlanarSystem, t: f64, q: &[f64]) -> Option<(f64, [&'a str; 2])> {
    BUFFERS.with_borrow_mut(|buffers| {
        let mut least = Least::default();
        on_supports(system, t, q, buffers, &mut least);
        search(system, q, buffers, &mut least);
        least.named(system)
    })
}

/// The same at one step after the other: which shapes are near each other is remembered.
pub(super) fn nearest_watched<'a>(
    system: &'a PlanarSystem,
    t: f64,
    q: &[f64],
    watch: &mut Watch,
) -> Option<(f64, [&'a str; 2])> {
    BUFFERS.with_borrow_mut(|buffers| {
        let mut least = Least::default();
        on_supports(system, t, q, buffers, &mut least);
        let centres = system.shapes.iter().map(|shape| [q[3 * shape.body], q[3 * shape.body + 1], 0.0]);
        let pairs = watch.meeting(centres, system.shapes.iter().map(|shape| shape.reach));
        for &[a, b] in pairs {
            let (a, b) = (&system.shapes[a as usize], &system.shapes[b as usize]);
            if can_meet(system, a, b, q) {
                a.placed(q, &mut buffers.one);
                between(a, b, q, buffers, &mut least);
            }
        }
        least.named(system)
    })
}

/// The smallest distance so far, and what it is between: a body and another, or a support after all bodies.
#[derive(Default)]
struct Least(Option<(f64, [usize; 2])>);

impl Least {
    #[inline]
    fn note(&mut self, distance: f64, sides: [usize; 2]) {
        // A distance that is not a number must not pass for a good one.
        if self.0.is_none_or(|(known, _)| distance.is_nan() || distance < known) {
            self.0 = Some((distance, sides));
        }
    }

    fn named(self, system: &PlanarSystem) -> Option<(f64, [&str; 2])> {
        let bodies = system.bodies.len();
        let name = |side: usize| match side.checked_sub(bodies) {
            Some(support) => system.supports[support].name.as_str(),
            None => system.bodies[side].name.as_str(),
        };
        self.0.map(|(distance, sides)| (distance, sides.map(name)))
    }
}

fn on_supports(system: &PlanarSystem, t: f64, q: &[f64], buffers: &mut Buffers, least: &mut Least) {
    let Buffers { one, levels, .. } = buffers;
    levels.clear();
    levels.extend(system.half_planes.iter().map(|plane| {
        let level = Vec2::from(plane.point) + system.supports[plane.support].motion.at(t).position;
        (level, Vec2::from(plane.normal), system.bodies.len() + plane.support)
    }));
    for a in &system.shapes {
        a.placed(q, one);
        for (level, normal, support) in &*levels {
            let lowest = one.iter().map(|p| normal.dot(&(p - level))).fold(f64::INFINITY, f64::min);
            least.note(lowest - a.radius + a.give, [a.body, *support]);
        }
    }
}

/// Whether two shapes are of bodies that can touch, and near enough for that.
fn can_meet(system: &PlanarSystem, a: &Shape, b: &Shape, q: &[f64]) -> bool {
    let centres = |k: usize| q[3 * a.body + k] - q[3 * b.body + k];
    let far = centres(0).powi(2) + centres(1).powi(2) > (a.reach + b.reach).powi(2);
    !(far || a.body == b.body || system.is_exempt(a.body, b.body))
}

/// Notes the distance of two shapes, the first of which is placed in `one`.
fn between(a: &Shape, b: &Shape, q: &[f64], buffers: &mut Buffers, least: &mut Least) {
    let Buffers { one, other, differences, hull, .. } = buffers;
    b.placed(q, other);
    let apart = if let ([p], [r]) = (&one[..], &other[..]) {
        (p - r).norm()
    } else {
        differences.clear();
        differences.extend(one.iter().flat_map(|p| other.iter().map(move |r| p - r)));
        origin_to_hull(differences, hull)
    };
    least.note(apart - a.radius - b.radius + a.give + b.give, [a.body, b.body]);
}

fn search(system: &PlanarSystem, q: &[f64], buffers: &mut Buffers, least: &mut Least) {
    // Shapes whose shadows on the axis x meet.
    let mut shadows = std::mem::take(&mut buffers.shadows);
    shadows.clear();
    shadows.extend(system.shapes.iter().enumerate().map(|(k, s)| (q[3 * s.body] - s.reach, k)));
    shadows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (i, (_, a)) in shadows.iter().enumerate() {
        let a = &system.shapes[*a];
        a.placed(q, &mut buffers.one);
        for (from, b) in &shadows[i + 1..] {
            let b = &system.shapes[*b];
            if *from > q[3 * a.body] + a.reach {
                break;
            }
            if can_meet(system, a, b, q) {
                between(a, b, q, buffers, least);
            }
        }
    }
    buffers.shadows = shadows;
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
