//! Bodies with flat faces, and how far two of them are apart.
//!
//! Two convex solids do not overlap exactly if a plane separates them that is parallel to a face of one of them, or to
//! an edge of each. The separation of a pair is the largest, over these planes, of the distance between the two along
//! the plane's normal. As in the plane ([`Outline`](crate::model::Outline)), it also sees solids that cross with no
//! corner inside the other.

use super::super::frame::{Mat3, Place, Vec3};
use super::super::polytope::Polytope;
use super::super::system::velocity;

/// Contact points may lie beyond the end of a face or an edge by this part of the solids' size; planes whose
/// separations differ by less are equally good.
const MARGIN: f64 = 1e-9;
/// Edges at a smaller angle \[rad\] are parallel: no plane is told by them.
const PARALLEL: f64 = 1e-6;

/// A flat face, in the body's frame.
#[derive(Debug, Clone)]
pub(super) struct Flat {
    pub normal: Vec3,
    /// normal · x of its points.
    pub offset: f64,
    /// Its corners.
    pub corners: Vec<usize>,
    /// Per side, the unit vector that points to the inside, and that vector · x of the side's points.
    sides: Vec<(Vec3, f64)>,
}

impl Flat {
    /// How high a point lies above the face.
    pub fn height(&self, point: Vec3) -> f64 {
        self.normal.dot(&point) - self.offset
    }

    /// The unit vector in the face that points away from it across the side between two corners, where it has that side.
    fn beyond(&self, ends: [usize; 2]) -> Option<Vec3> {
        let next = |k: usize| self.corners[(k + 1) % self.corners.len()];
        let side = (0..self.corners.len()).find(|&k| {
            let side = [self.corners[k], next(k)];
            side == ends || side == [ends[1], ends[0]]
        });
        side.map(|k| -self.sides[k].0)
    }

    /// How far inside the outline of the face a point lies, seen along its normal; negative beyond it.
    pub fn inside(&self, point: Vec3) -> f64 {
        self.sides.iter().map(|(inward, level)| inward.dot(&point) - level).fold(f64::INFINITY, f64::min)
    }
}

/// An edge, in the body's frame.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    pub from: Vec3,
    /// Unit vector along it.
    pub along: Vec3,
    pub length: f64,
    /// Per face beside it, a unit vector in that face which points away from it.
    pub outward: Vec<Vec3>,
}

/// A convex part of a body, in the body's frame.
#[derive(Debug, Clone)]
pub(super) struct Solid {
    pub body: usize,
    pub vertices: Vec<Vec3>,
    pub faces: Vec<Flat>,
    pub edges: Vec<Edge>,
    /// Per corner, unit vectors along the edges that leave it.
    pub leaving: Vec<Vec<Vec3>>,
    /// Directions of the edges, parallel ones once.
    directions: Vec<Vec3>,
    /// A point inside, and the largest distance of a vertex from it.
    pub centre: Vec3,
    size: f64,
    /// The radius by which it is rounded: 0, or that of a capsule, which is the line between its ends.
    pub skin: f64,
}

impl Solid {
    pub fn new(body: usize, polytope: &Polytope, place: &Place) -> Self {
        let vertices: Vec<Vec3> = polytope.vertices.iter().map(|v| place.point(*v)).collect();
        let centre = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
        let faces = polytope.faces.iter().map(|face| {
            let normal = place.rotation * face.normal;
            let corners = &face.loop_;
            let offset = corners.iter().map(|&v| normal.dot(&vertices[v])).sum::<f64>() / corners.len() as f64;
            let sides = (0..corners.len()).map(|k| {
                let (p, q) = (vertices[corners[k]], vertices[corners[(k + 1) % corners.len()]]);
                let inward = normal.cross(&(q - p)).normalize();
                (inward, inward.dot(&p))
            });
            Flat { normal, offset, sides: sides.collect(), corners: corners.clone() }
        });
        let faces: Vec<Flat> = faces.collect();
        let mut leaving = vec![Vec::new(); vertices.len()];
        let edges = polytope.edges.iter().map(|&[a, b]| {
            let span = vertices[b] - vertices[a];
            let (along, length) = (span.normalize(), span.norm());
            leaving[a].push(along);
            leaving[b].push(-along);
            let outward = faces.iter().filter_map(|face| face.beyond([a, b])).collect();
            Edge { from: vertices[a], along, length, outward }
        });
        let edges = edges.collect();
        Self {
            body,
            edges,
            leaving,
            faces,
            directions: polytope.directions.iter().map(|d| place.rotation * d).collect(),
            size: vertices.iter().map(|v| (v - centre).norm()).fold(0.0, f64::max),
            centre,
            vertices,
            skin: 0.0,
        }
    }

    /// A capsule between two points.
    pub fn capsule(body: usize, ends: [Vec3; 2], skin: f64) -> Self {
        let span = ends[1] - ends[0];
        let (along, length) = (span.normalize(), span.norm());
        Self {
            body,
            edges: vec![Edge { from: ends[0], along, length, outward: Vec::new() }],
            leaving: vec![vec![along], vec![-along]],
            faces: Vec::new(),
            directions: vec![along],
            size: 0.5 * length + skin,
            centre: 0.5 * (ends[0] + ends[1]),
            vertices: ends.to_vec(),
            skin,
        }
    }

    /// Where its points lie along a vector: the least and the most.
    fn extent(&self, along: Vec3) -> (f64, f64) {
        let heights = self.vertices.iter().map(|v| along.dot(v));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }

    /// The face from which `other` is farthest, and how far its nearest corner is.
    pub fn best_face(&self, seen: &Seen, other: &Solid) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (k, face) in self.faces.iter().enumerate() {
            let apart = self.apart_by(face, seen, other);
            if apart > best.1 {
                best = (k, apart);
            }
        }
        best
    }

    fn apart_by(&self, face: &Flat, seen: &Seen, other: &Solid) -> f64 {
        other.extent(seen.turn.tr_mul(&face.normal)).0 + face.height(seen.shift)
    }
}

/// How another body's frame lies in that of one.
pub(super) struct Seen {
    pub turn: Mat3,
    pub shift: Vec3,
}

impl Seen {
    /// The frame of `other` in that of `one`.
    pub fn from(one: &Solid, other: &Solid, q: &[f64]) -> Self {
        let (a, b) = (Place::of(one.body, q), Place::of(other.body, q));
        Self { turn: a.rotation.tr_mul(&b.rotation), shift: a.rotation.tr_mul(&(b.position - a.position)) }
    }

    /// The other way round.
    pub fn back(&self) -> Self {
        Self { turn: self.turn.transpose(), shift: -self.turn.tr_mul(&self.shift) }
    }

    /// A point of the other frame.
    pub fn point(&self, point: Vec3) -> Vec3 {
        self.turn * point + self.shift
    }
}

/// A lower bound of the separation that costs next to nothing.
pub(super) fn far(a: &Solid, b: &Solid, seen: &Seen) -> bool {
    (a.centre - seen.point(b.centre)).norm() > a.size + b.size
}

/// Lengths below this are nothing between two solids.
pub(super) fn margin(a: &Solid, b: &Solid) -> f64 {
    MARGIN * (a.size + b.size)
}

/// The same at one solid.
pub(super) fn length_margin(solid: &Solid) -> f64 {
    MARGIN * solid.size
}

/// The normal of a pair of directions, where they are not parallel, and the sine of their angle.
pub(super) fn across(d: Vec3, e: Vec3) -> Option<(Vec3, f64)> {
    let cross = d.cross(&e);
    let sine = cross.norm();
    (sine > PARALLEL).then(|| (cross / sine, sine))
}

/// Planes of a pair are counted: faces of `a`, faces of `b`, pairs of directions of edges, each with two senses.
enum Plane {
    Own(usize),
    Other(usize),
    Edges { of_a: usize, of_b: usize, sign: f64 },
}

impl Plane {
    fn number(number: usize, a: &Solid, b: &Solid) -> Self {
        let Some(number) = number.checked_sub(a.faces.len()) else { return Self::Own(number) };
        let Some(number) = number.checked_sub(b.faces.len()) else { return Self::Other(number) };
        let (sign, pair) = (if number.is_multiple_of(2) { 1.0 } else { -1.0 }, number / 2);
        Self::Edges { of_a: pair / b.directions.len(), of_b: pair % b.directions.len(), sign }
    }
}

/// The plane that separates two solids best, and their separation: negative exactly where they overlap. Where a face
/// separates them, pairs of edges are not looked at.
pub(super) fn separation(a: &Solid, b: &Solid, q: &[f64]) -> (usize, f64) {
    let seen = Seen::from(a, b, q);
    let ((own, by_own), (other, by_other)) = (a.best_face(&seen, b), b.best_face(&seen.back(), a));
    let mut best = if by_own >= by_other { (own, by_own) } else { (a.faces.len() + other, by_other) };
    if best.1 > margin(a, b) {
        return best;
    }
    for of_a in 0..a.directions.len() {
        for of_b in 0..b.directions.len() {
            let pair = a.faces.len() + b.faces.len() + 2 * (of_a * b.directions.len() + of_b);
            for (k, apart) in by_edges(a, b, &seen, [of_a, of_b]).into_iter().enumerate() {
                if apart > best.1 {
                    best = (pair + k, apart);
                }
            }
        }
    }
    best
}

/// Separations by a pair of directions of edges, in both senses.
fn by_edges(a: &Solid, b: &Solid, seen: &Seen, [of_a, of_b]: [usize; 2]) -> [f64; 2] {
    let Some((normal, _)) = across(a.directions[of_a], seen.turn * b.directions[of_b]) else {
        return [f64::NEG_INFINITY; 2];
    };
    let (low, high) = a.extent(normal);
    let (least, most) = b.extent(seen.turn.tr_mul(&normal));
    let shift = normal.dot(&seen.shift);
    [low - most - shift, least + shift - high]
}

/// Separation of two solids by one plane, counted as in [`separation`].
pub(super) fn separation_by(plane: usize, a: &Solid, b: &Solid, q: &[f64]) -> f64 {
    let seen = Seen::from(a, b, q);
    match Plane::number(plane, a, b) {
        Plane::Own(face) => a.apart_by(&a.faces[face], &seen, b),
        Plane::Other(face) => b.apart_by(&b.faces[face], &seen.back(), a),
        Plane::Edges { of_a, of_b, sign } => by_edges(a, b, &seen, [of_a, of_b])[usize::from(sign < 0.0)],
    }
}

/// A vector that a body carries along, in the world, and how fast it changes.
fn carried(place: &Place, omega: Vec3, local: Vec3) -> (Vec3, Vec3) {
    let v = place.rotation * local;
    (v, omega.cross(&v))
}

/// Distances from one plane, counted as in [`separation`], and their rates: those of the other solid's corners from a
/// face, or of the corners of both from each other across a pair of edges.
pub(super) fn corners_by(plane: usize, a: &Solid, b: &Solid, q: &[f64], u: &[f64], each: &mut dyn FnMut(f64, f64)) {
    let (own, other, face) = match Plane::number(plane, a, b) {
        Plane::Own(face) => (a, b, &a.faces[face]),
        Plane::Other(face) => (b, a, &b.faces[face]),
        Plane::Edges { of_a, of_b, sign } => return corners_across(a, b, [of_a, of_b], sign, q, u, each),
    };
    let (frame, place) = (Place::of(own.body, q), Place::of(other.body, q));
    let ((v, omega), (other_v, other_omega)) = (velocity(own.body, u), velocity(other.body, u));
    let normal = frame.rotation * face.normal;
    for corner in &other.vertices {
        let (arm, turned) = carried(&place, other_omega, *corner);
        let at = place.position - frame.position + arm;
        each(normal.dot(&at) - face.offset, normal.dot(&(other_v + turned - v - omega.cross(&at))));
    }
}

fn corners_across(
    a: &Solid,
    b: &Solid,
    [of_a, of_b]: [usize; 2],
    sign: f64,
    q: &[f64],
    u: &[f64],
    each: &mut dyn FnMut(f64, f64),
) {
    let (one, two) = (Place::of(a.body, q), Place::of(b.body, q));
    let ((v, omega), (other_v, other_omega)) = (velocity(a.body, u), velocity(b.body, u));
    let ((d, d_rate), (e, e_rate)) =
        (carried(&one, omega, a.directions[of_a]), carried(&two, other_omega, b.directions[of_b]));
    let Some((normal, sine)) = across(d, e) else { return each(f64::NEG_INFINITY, 0.0) };
    let change = d_rate.cross(&e) + d.cross(&e_rate);
    let (normal, rate) = (sign * normal, sign * (change - normal.dot(&change) * normal) / sine);
    let between = one.position - two.position;
    for vertex in &a.vertices {
        let (arm, turned) = carried(&one, omega, *vertex);
        for other in &b.vertices {
            let (other_arm, other_turned) = carried(&two, other_omega, *other);
            let span = between + arm - other_arm;
            each(normal.dot(&span), normal.dot(&(v + turned - other_v - other_turned)) + rate.dot(&span));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_of(body: usize, half: [f64; 3]) -> Solid {
        let place = Place { position: Vec3::zeros(), rotation: Mat3::identity() };
        Solid::new(body, &Polytope::cuboid(Vec3::from(half)), &place)
    }

    /// Two bodies: the first where it was made, the second moved and turned by a rotation vector.
    fn placed(at: [f64; 3], turn: [f64; 3]) -> Vec<f64> {
        let turn = Vec3::from(turn);
        let (angle, axis) = (turn.norm(), turn.try_normalize(0.0).unwrap_or(Vec3::z()));
        let (s, c) = (0.5 * angle).sin_cos();
        let axis = s * axis;
        [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [at[0], at[1], at[2], c, axis.x, axis.y, axis.z]].concat()
    }

    #[test]
    fn cuboids_are_apart_by_faces_and_by_edges() {
        let (a, b) = (box_of(0, [0.5; 3]), box_of(1, [0.5; 3]));
        let quarter = std::f64::consts::FRAC_PI_4;
        let root = 2f64.sqrt();
        for (at, turn, distance) in [
            ([0.2, -0.1, 1.1], [0.0; 3], 0.1),
            ([0.2, -0.1, 0.9], [0.0; 3], -0.1),
            ([0.9, 0.25, 0.1], [0.0; 3], -0.1),
            // An edge on a face, a crossed pair of edges.
            ([0.0, 0.0, 0.5 + 0.5 * root], [quarter, 0.0, 0.0], 0.0),
            ([0.5 + 0.5 * root - 0.01, 0.0, 0.0], [0.0, quarter, 0.0], -0.01),
        ] {
            let q = placed(at, turn);
            let (plane, apart) = separation(&a, &b, &q);
            assert!((apart - distance).abs() < 1e-14, "{at:?} {apart}");
            assert!((separation_by(plane, &a, &b, &q) - apart).abs() < 1e-14);
        }
    }

    /// The least distance of the corners from a plane is the separation by it, and all change at their rates.
    #[test]
    fn distances_of_corners_change_at_their_rates() {
        let (a, b) = (box_of(0, [0.5, 0.3, 0.4]), box_of(1, [0.2, 0.5, 0.3]));
        let at = |h: f64| placed([0.1 + 0.3 * h, 0.2 - 0.2 * h, 0.9 + 0.7 * h], [0.5 + 0.9 * h, 0.0, 0.0]);
        let u = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, -0.2, 0.7, 0.9, 0.0, 0.0];
        let corners = |q: &[f64], plane: usize| {
            let mut found = Vec::new();
            corners_by(plane, &a, &b, q, &u, &mut |distance, rate| found.push((distance, rate)));
            found
        };
        let mut compared = 0;
        for plane in 0..6 + 6 + 18 {
            let (h, q) = (1e-6, at(0.0));
            let by = separation_by(plane, &a, &b, &q);
            if by == f64::NEG_INFINITY {
                continue;
            }
            let (here, ahead, behind) = (corners(&q, plane), corners(&at(h), plane), corners(&at(-h), plane));
            let least = here.iter().fold(f64::INFINITY, |m, (distance, _)| m.min(*distance));
            assert!((least - by).abs() < 1e-14, "{plane}: {least} {by}");
            for k in 0..here.len() {
                compared += 1;
                let rate = (ahead[k].0 - behind[k].0) / (2.0 * h);
                assert!((rate - here[k].1).abs() < 1e-8, "{plane} {k}: {rate} {}", here[k].1);
            }
        }
        assert!(compared > 500);
    }
}
