//! Convex outlines of bodies and how far two of them are apart.
//!
//! Two convex outlines do not overlap exactly if one of their sides separates
//! them: all corners of the other lie on its free side. The separation of a
//! pair is the largest, over the sides of both, of the smallest distance of
//! the other's corners from that side's line. Unlike corner-by-corner tests it
//! also sees outlines that cross with no corner inside the other, such as a
//! box that stands exactly above an equal one.

use super::planar::Pose;
use super::vector::{Vec2, tangent, turn};

/// Contact points may lie beyond the end of a side by this part of the
/// outlines' size; sides whose separations differ by less are equally good.
const MARGIN: f64 = 1e-9;

/// Rods touch other outlines at this part of their length from their axis:
/// without any thickness it could not be told on which side another rod lies.
pub(super) const ROD: f64 = 1e-7;

/// A straight side of an outline, in the body's frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// Where it starts \[m\].
    pub from: [f64; 2],
    /// Unit vector along it, counter-clockwise around the outline.
    pub direction: [f64; 2],
    /// Unit normal, outwards.
    pub normal: [f64; 2],
    /// Length \[m\]; the ends of a rod are sides of no length.
    pub length: f64,
}

impl Side {
    fn between(from: Vec2, to: Vec2) -> Self {
        let edge = to - from;
        let length = edge.norm();
        let direction = edge / length;
        let normal = tangent(direction);
        Self { from: from.into(), direction: direction.into(), normal: normal.into(), length }
    }

    /// An end of a rod, facing `normal`.
    fn end(at: Vec2, normal: Vec2) -> Self {
        let direction = Vec2::new(-normal.y, normal.x);
        Self { from: at.into(), direction: direction.into(), normal: normal.into(), length: 0.0 }
    }

    /// Distance of a point from the side's line, positive on the free side.
    #[inline]
    pub(super) fn distance(&self, point: Vec2) -> f64 {
        self.normal[0] * (point.x - self.from[0]) + self.normal[1] * (point.y - self.from[1])
    }

    /// How far along the side a point lies.
    #[inline]
    pub(super) fn along(&self, point: Vec2) -> f64 {
        self.direction[0] * (point.x - self.from[0]) + self.direction[1] * (point.y - self.from[1])
    }

    /// How far inside the ends of the side a point lies; negative beyond them.
    #[inline]
    pub(super) fn inside(&self, point: Vec2) -> f64 {
        let along = self.along(point);
        along.min(self.length - along)
    }
}

/// A convex outline fixed to a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Index of the body.
    pub body: usize,
    /// Corners in the body's frame, counter-clockwise \[m\]. Two: a rod.
    pub vertices: Vec<[f64; 2]>,
    /// The sides, each from its corner to the next; a rod has two sides and two ends.
    pub sides: Vec<Side>,
    /// Largest distance of a corner from the centre of mass \[m\].
    pub size: f64,
    /// How far from its sides and corners other outlines touch it: 0 but for rods \[m\].
    pub half_thickness: f64,
}

impl Outline {
    /// The outline with these corners, counter-clockwise.
    pub fn new(body: usize, corners: &[[f64; 2]]) -> Self {
        let corner = |k: usize| Vec2::from(corners[k % corners.len()]);
        let mut sides: Vec<Side> = (0..corners.len()).map(|k| Side::between(corner(k), corner(k + 1))).collect();
        let mut half_thickness = 0.0;
        if let [one, _] = &sides[..] {
            half_thickness = ROD * one.length;
            let direction = Vec2::from(one.direction);
            sides.extend([Side::end(corner(1), direction), Side::end(corner(0), -direction)]);
        }
        let size = (0..corners.len()).map(|k| corner(k).norm()).fold(0.0, f64::max);
        Self { body, vertices: corners.to_vec(), sides, size, half_thickness }
    }

    /// The side from which the corners of `other` are farthest, and how far the nearest of them is.
    pub(super) fn best_side(&self, own: &Pose, other: &Outline, pose: &Pose) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (k, side) in self.sides.iter().enumerate() {
            let normal = own.turned(side.normal);
            let level = normal.dot(&(own.position + own.turned(side.from) - pose.position));
            let seen = pose.turned_back(normal);
            let least = other.vertices.iter().map(|v| seen.x * v[0] + seen.y * v[1]).fold(f64::INFINITY, f64::min);
            if least - level > best.1 {
                best = (k, least - level);
            }
        }
        (best.0, best.1 - self.half_thickness - other.half_thickness)
    }

    /// How far the nearest corner of `other` is from one side.
    fn on_side(&self, side: usize, own: &Pose, other: &Outline, pose: &Pose) -> f64 {
        let side = &self.sides[side];
        let place = |v: &[f64; 2]| own.turned_back(pose.position + pose.turned(*v) - own.position);
        let least = other.vertices.iter().map(|v| side.distance(place(v))).fold(f64::INFINITY, f64::min);
        least - self.half_thickness - other.half_thickness
    }

    /// A lower bound of the separation that costs next to nothing.
    pub(super) fn apart(&self, own: &Pose, other: &Outline, pose: &Pose) -> f64 {
        (own.position - pose.position).norm() - self.size - other.size
    }
}

/// The side that separates two outlines best, the sides of `b` counted after
/// those of `a`, and their separation: negative exactly where they overlap.
pub(super) fn separation(a: &Outline, b: &Outline, q: &[f64]) -> (usize, f64) {
    let (pose_a, pose_b) = (Pose::still(a.body, q), Pose::still(b.body, q));
    let (side_a, by_a) = a.best_side(&pose_a, b, &pose_b);
    let (side_b, by_b) = b.best_side(&pose_b, a, &pose_a);
    if by_a >= by_b { (side_a, by_a) } else { (a.sides.len() + side_b, by_b) }
}

/// How far beyond the end of a side of one outline a corner of the other may
/// touch it: the thickness of rods reaches as far.
pub(super) fn margin(a: &Outline, b: &Outline) -> f64 {
    equally_good(a, b) + 2.0 * (a.half_thickness + b.half_thickness)
}

/// Sides whose separations of two outlines differ by less separate them equally well.
pub(super) fn equally_good(a: &Outline, b: &Outline) -> f64 {
    MARGIN * (a.size + b.size)
}

/// Separation of two outlines by one side, counted as in [`separation`].
pub(super) fn separation_by(side: usize, a: &Outline, b: &Outline, q: &[f64]) -> f64 {
    let (pose_a, pose_b) = (Pose::still(a.body, q), Pose::still(b.body, q));
    match side.checked_sub(a.sides.len()) {
        None => a.on_side(side, &pose_a, b, &pose_b),
        Some(side) => b.on_side(side, &pose_b, a, &pose_a),
    }
}

/// Distance from one side, counted as in [`separation`], and its rate, of every corner of the other outline.
pub(super) fn corners_by(side: usize, a: &Outline, b: &Outline, q: &[f64], u: &[f64], each: &mut dyn FnMut(f64, f64)) {
    let (own, other, side) = match side.checked_sub(a.sides.len()) {
        None => (a, b, &a.sides[side]),
        Some(side) => (b, a, &b.sides[side]),
    };
    let (frame, pose) = (Pose::of(own.body, q, u), Pose::of(other.body, q, u));
    for corner in &other.vertices {
        let arm = pose.turned(*corner);
        let place = pose.position + arm - frame.position;
        let relative = pose.velocity + pose.rate * turn(arm) - frame.velocity - frame.rate * turn(place);
        let distance = side.distance(frame.turned_back(place)) - own.half_thickness - other.half_thickness;
        each(distance, Vec2::from(side.normal).dot(&frame.turned_back(relative)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(body: usize) -> Outline {
        Outline::new(body, &[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    }

    fn apart(a: &Outline, b: &Outline, place: [f64; 3]) -> f64 {
        let q = [0.0, 0.0, 0.0, place[0], place[1], place[2]];
        let (side, apart) = separation(a, b, &q);
        assert!((separation_by(side, a, b, &q) - apart).abs() < 1e-15);
        apart
    }

    #[test]
    fn equal_squares_exactly_above_each_other_overlap_by_how_far_one_sank() {
        let (a, b) = (square(0), square(1));
        assert!((apart(&a, &b, [0.0, 1.25, 0.0]) - 0.25).abs() < 1e-15);
        assert!((apart(&a, &b, [0.0, 0.75, 0.0]) + 0.25).abs() < 1e-15);
        assert!((apart(&a, &b, [0.9, 0.25, 0.0]) + 0.1).abs() < 1e-15);
    }

    #[test]
    fn distances_of_corners_change_at_their_rates() {
        let (a, b) = (square(0), square(1));
        let (q, u) = ([0.1, 0.2, 0.3, 0.4, 1.6, -0.5], [0.3, -0.2, 1.5, -0.4, 0.7, -2.0]);
        let corners = |q: &[f64], side: usize| {
            let mut found = Vec::new();
            corners_by(side, &a, &b, q, &u, &mut |distance, rate| found.push((distance, rate)));
            found
        };
        for side in 0..8 {
            let h = 1e-6;
            let moved = |h: f64| -> Vec<f64> { q.iter().zip(&u).map(|(q, u)| q + h * u).collect() };
            let (here, ahead, behind) = (corners(&q, side), corners(&moved(h), side), corners(&moved(-h), side));
            let least = here.iter().fold(f64::INFINITY, |m, (distance, _)| m.min(*distance));
            assert!((least - separation_by(side, &a, &b, &q)).abs() < 1e-15);
            for k in 0..here.len() {
                assert!(((ahead[k].0 - behind[k].0) / (2.0 * h) - here[k].1).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn rods_meet_end_to_end_and_cross() {
        let rod = |body| Outline::new(body, &[[-0.5, 0.0], [0.5, 0.0]]);
        let near = |x: f64, y: f64| (x - y).abs() <= 2.1 * ROD;
        assert!(near(apart(&rod(0), &rod(1), [1.25, 0.0, 0.0]), 0.25));
        assert!(apart(&rod(0), &rod(1), [0.0, 0.0, 1.0]) < -0.4);
        assert!(near(apart(&rod(0), &square(1), [0.0, 0.6, 0.0]), 0.1));
    }
}
