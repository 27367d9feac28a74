//! Where two shapes touch.
//!
//! Balls and capsules are points and segments with a radius: nearest points give the contact. Flat faces
//! are separated best by a face of one of them or by a pair of edges; a face is touched where the facing
//! face of the other, cut to its outline, lies within reach.

use super::frame::{Place, Vec3};
use super::polytope::{Polytope, on_segment};
use super::shape::{Form, Spot};

/// An edge pair must separate better than faces by this part of the size to be taken: flush faces stay faces.
const EDGE: f64 = 1e-6;
/// The same for a face of the second body against one of the first.
const SECOND: f64 = 1e-9;
/// Parts of a length that are round-off.
const ROUND: f64 = 1e-12;
/// Sines below this are of parallel edges: these touch along what they share, and separate no better than faces.
pub(super) const PARALLEL: f64 = 1e-6;

/// The contact points of two shapes closer than `margin`; normals point from `b` to `a`.
pub(crate) fn touch(a: (&Form, &Place), b: (&Form, &Place), margin: f64, out: &mut Vec<Spot>) {
    let first = out.len();
    match (core(a.0, a.1), core(b.0, b.1)) {
        (Some(one), Some(other)) => round(&one, &other, margin, out),
        (Some(one), None) => round_on_faces(&one, b, margin, out),
        (None, Some(other)) => {
            round_on_faces(&other, a, margin, out);
            out[first..].iter_mut().for_each(|spot| spot.normal = -spot.normal);
        }
        (None, None) => {
            if let (Some(one), Some(other)) = (a.0.faces(), b.0.faces()) {
                faces((one, a.1), (other, b.1), margin, out);
            }
        }
    }
}

/// The segment, or point, inside a round shape.
pub(super) struct Core {
    pub ends: [Vec3; 2],
    pub radius: f64,
}

pub(super) fn core(form: &Form, place: &Place) -> Option<Core> {
    match *form {
        Form::Ball { radius } => Some(Core { ends: [place.position; 2], radius }),
        Form::Capsule { radius, half } => {
            let axis: Vec3 = place.rotation.column(2).into();
            Some(Core { ends: [place.position - half * axis, place.position + half * axis], radius })
        }
        _ => None,
    }
}

/// The spot between points p of A and r of B, each with a radius.
pub(super) fn between(p: Vec3, radius_p: f64, r: Vec3, radius_r: f64, margin: f64, feature: u32) -> Option<Spot> {
    let span = p - r;
    let distance = span.norm();
    let gap = distance - radius_p - radius_r;
    if gap > margin {
        return None;
    }
    // Concentric balls have no normal; any will do.
    let normal = if distance > 0.0 { span / distance } else { Vec3::z() };
    Some(Spot { normal, point: r + (radius_r + 0.5 * gap) * normal, gap, feature })
}

fn round(a: &Core, b: &Core, margin: f64, out: &mut Vec<Spot>) {
    let (along_a, along_b) = (a.ends[1] - a.ends[0], b.ends[1] - b.ends[0]);
    if along_a == Vec3::zeros() && along_b == Vec3::zeros() {
        out.extend(between(a.ends[0], a.radius, b.ends[0], b.radius, margin, 0));
        return;
    }
    let lengths = along_a.norm() * along_b.norm();
    if lengths > 0.0 && along_a.cross(&along_b).norm() <= PARALLEL * lengths {
        // Side by side: the ends of what they share.
        let before = out.len();
        for (k, end) in a.ends.iter().enumerate() {
            let foot = on_segment(b.ends[0], b.ends[1], *end);
            if (foot - b.ends[0]).norm() > 0.0 && (foot - b.ends[1]).norm() > 0.0 {
                out.extend(between(*end, a.radius, foot, b.radius, margin, k as u32));
            }
        }
        for (k, end) in b.ends.iter().enumerate() {
            let foot = on_segment(a.ends[0], a.ends[1], *end);
            out.extend(between(foot, a.radius, *end, b.radius, margin, 2 + k as u32));
        }
        if out.len() > before {
            return;
        }
    }
    let (p, r) = nearest_of_segments(a.ends, b.ends);
    out.extend(between(p, a.radius, r, b.radius, margin, 4));
}

/// The nearest points of two segments.
pub(super) fn nearest_of_segments(a: [Vec3; 2], b: [Vec3; 2]) -> (Vec3, Vec3) {
    let (d, e, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (dd, de, ee, dw, ew) = (d.norm_squared(), d.dot(&e), e.norm_squared(), d.dot(&w), e.dot(&w));
    let determinant = dd * ee - de * de;
    let s = if determinant > 0.0 { ((de * ew - ee * dw) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let r = on_segment(b[0], b[1], a[0] + s * d);
    let p = on_segment(a[0], a[1], r);
    (p, on_segment(b[0], b[1], p))
}

/// A ball or capsule on a shape with faces, or on a cylinder; normals point to the round one.
fn round_on_faces(core: &Core, (form, place): (&Form, &Place), margin: f64, out: &mut Vec<Spot>) {
    let single = core.ends[0] == core.ends[1];
    for (k, end) in core.ends.iter().enumerate().take(if single { 1 } else { 2 }) {
        let seen = place.seen(*end);
        let (on, away, distance) = match form {
            Form::Cylinder { radius, half, .. } => nearest_on_cylinder(seen, *radius, *half),
            _ => match form.faces() {
                Some(polytope) => polytope.nearest(seen),
                None => continue,
            },
        };
        let gap = distance - core.radius;
        if gap <= margin {
            let normal = place.rotation * away;
            out.push(Spot { normal, point: place.point(on) + 0.5 * gap * normal, gap, feature: k as u32 });
        }
    }
    let (false, Some(polytope)) = (single, form.faces()) else { return };
    // The side of a capsule on edges: two where it lies across a face. An edge is touched where nothing else of the body is
    // nearer to that point of the side; the ends are there already.
    for (k, ends) in polytope.edges.iter().enumerate() {
        let edge = ends.map(|v| place.point(polytope.vertices[v]));
        let (p, r) = nearest_of_segments(core.ends, edge);
        let distance = (p - r).norm();
        if distance - core.radius <= margin
            && distance > 0.0
            && within(core.ends, p)
            && polytope.nearest(place.seen(p)).2 >= distance - EDGE * polytope.size
        {
            out.extend(between(p, core.radius, r, 0.0, margin, 2 + k as u32));
        }
    }
}

/// Whether a point of a segment is none of its ends.
pub(super) fn within(ends: [Vec3; 2], point: Vec3) -> bool {
    let length = (ends[1] - ends[0]).norm();
    (point - ends[0]).norm() > ROUND * length && (point - ends[1]).norm() > ROUND * length
}

/// As [`Polytope::nearest`], for a cylinder along z.
fn nearest_on_cylinder(point: Vec3, radius: f64, half: f64) -> (Vec3, Vec3, f64) {
    let flat = Vec3::new(point.x, point.y, 0.0);
    let out = flat.norm();
    let outward = if out > 0.0 { flat / out } else { Vec3::x() };
    let up = Vec3::new(0.0, 0.0, 1f64.copysign(point.z));
    let (beside, above) = (out - radius, point.z.abs() - half);
    if beside > 0.0 && above > 0.0 {
        let rim = radius * outward + half * up;
        let distance = (point - rim).norm();
        (rim, (point - rim) / distance, distance)
    } else if beside > above {
        (point - beside * outward, outward, beside)
    } else {
        (point - above * up, up, above)
    }
}

/// A polytope in the world.
struct Placed<'a> {
    polytope: &'a Polytope,
    place: &'a Place,
}

impl Placed<'_> {
    /// The face that separates best: its index, and the least height of the other's vertices over it.
    fn best_face(&self, other: &Placed<'_>) -> (usize, f64) {
        let turn = self.place.rotation.tr_mul(&other.place.rotation);
        let shift = self.place.seen(other.place.position);
        let (mut best, mut apart) = (0, f64::NEG_INFINITY);
        for (k, face) in self.polytope.faces.iter().enumerate() {
            // The other's vertices in this frame, along the normal.
            let (normal, base) = (turn.tr_mul(&face.normal), face.normal.dot(&shift) - face.offset);
            let lowest = other.polytope.vertices.iter().map(|v| normal.dot(v)).fold(f64::INFINITY, f64::min);
            if base + lowest > apart {
                (best, apart) = (k, base + lowest);
            }
        }
        (best, apart)
    }

    fn vertex(&self, k: usize) -> Vec3 {
        self.place.point(self.polytope.vertices[k])
    }

    /// Least and largest extent along a direction, from the place's position.
    fn extent(&self, direction: Vec3) -> (f64, f64) {
        let local = self.place.rotation.tr_mul(&direction);
        let heights = self.polytope.vertices.iter().map(|v| local.dot(v));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
    }
}

fn faces(a: (&Polytope, &Place), b: (&Polytope, &Place), margin: f64, out: &mut Vec<Spot>) {
    let (a, b) = (Placed { polytope: a.0, place: a.1 }, Placed { polytope: b.0, place: b.1 });
    let size = a.polytope.size.min(b.polytope.size);
    // Faces of b first: then normals point from b to a.
    let (face_b, apart_b) = b.best_face(&a);
    if apart_b > margin {
        return;
    }
    let (face_a, apart_a) = a.best_face(&b);
    if apart_a > margin {
        return;
    }
    let apart = apart_a.max(apart_b);
    if let Some((normal, edge_apart, directions)) = best_edges(&a, &b)
        && edge_apart > apart + EDGE * size
    {
        if edge_apart <= margin {
            out.extend(edge_spot(&a, &b, normal, directions, margin));
        }
        return;
    }
    if apart_a > apart_b + SECOND * size {
        let first = out.len();
        clip(&a, face_a, &b, margin, out);
        out[first..].iter_mut().for_each(|spot| {
            spot.normal = -spot.normal;
            spot.feature |= 1 << 31;
        });
    } else {
        clip(&b, face_b, &a, margin, out);
    }
}

/// The pair of edge directions that separates best: normal from b to a, by how much, and which.
fn best_edges(a: &Placed<'_>, b: &Placed<'_>) -> Option<(Vec3, f64, [usize; 2])> {
    let span = a.place.position - b.place.position;
    let mut best: Option<(Vec3, f64, [usize; 2])> = None;
    for (i, d) in a.polytope.directions.iter().enumerate() {
        let d = a.place.rotation * d;
        for (j, e) in b.polytope.directions.iter().enumerate() {
            let cross = d.cross(&(b.place.rotation * e));
            let length = cross.norm();
            if length < PARALLEL {
                continue;
            }
            let axis = cross / length;
            let ((low_a, high_a), (low_b, high_b)) = (a.extent(axis), b.extent(axis));
            let along = axis.dot(&span);
            for (normal, apart) in [(axis, along + low_a - high_b), (-axis, -along - high_a + low_b)] {
                if best.is_none_or(|(_, most, _)| apart > most) {
                    best = Some((normal, apart, [i, j]));
                }
            }
        }
    }
    best
}

/// The contact of the two edges of these directions that are outermost along the normal.
fn edge_spot(a: &Placed<'_>, b: &Placed<'_>, normal: Vec3, directions: [usize; 2], margin: f64) -> Option<Spot> {
    let outermost = |body: &Placed<'_>, direction: usize, sign: f64| {
        let along = body.polytope.directions[direction];
        let parallel = |edge: &&[usize; 2]| {
            let span = body.polytope.vertices[edge[1]] - body.polytope.vertices[edge[0]];
            along.cross(&span).norm() <= PARALLEL * span.norm()
        };
        let height = |edge: &[usize; 2]| sign * normal.dot(&(body.vertex(edge[0]) + body.vertex(edge[1])));
        let edges = body.polytope.edges.iter().enumerate().filter(|(_, edge)| parallel(edge));
        edges.min_by(|(_, p), (_, q)| height(p).total_cmp(&height(q))).map(|(k, edge)| (k, *edge))
    };
    let (i, one) = outermost(a, directions[0], 1.0)?;
    let (j, other) = outermost(b, directions[1], -1.0)?;
    let ends = |body: &Placed<'_>, edge: [usize; 2]| [body.vertex(edge[0]), body.vertex(edge[1])];
    let (p, r) = nearest_of_segments(ends(a, one), ends(b, other));
    let gap = normal.dot(&(p - r));
    // Directions whose outermost edges do not cross have no contact between them.
    ((p - r - gap * normal).norm() <= margin + gap.abs() && gap <= margin).then_some(Spot {
        normal,
        point: 0.5 * (p + r),
        gap,
        feature: 1 << 30 | (i as u32) << 12 | j as u32,
    })
}

/// Points of `other` within reach of a face: its facing face cut to the outline of this one. The normal is
/// that of the face.
fn clip(body: &Placed<'_>, face: usize, other: &Placed<'_>, margin: f64, out: &mut Vec<Spot>) {
    let face = &body.polytope.faces[face];
    let normal = body.place.rotation * face.normal;
    let facing = other.place.rotation.tr_mul(&normal);
    let faces = other.polytope.faces.iter();
    let Some(incident) = faces.min_by(|f, g| f.normal.dot(&facing).total_cmp(&g.normal.dot(&facing))) else { return };
    let slack = SECOND * body.polytope.size;
    // Corners with the feature that made them: a vertex, or a vertex and a side that cut the edge after it.
    let mut ring: Vec<(Vec3, u32)> = incident.loop_.iter().map(|&v| (other.vertex(v), v as u32)).collect();
    let mut next = Vec::with_capacity(ring.len() + 2);
    let count = face.loop_.len();
    for k in 0..count {
        let (p, q) = (body.vertex(face.loop_[k]), body.vertex(face.loop_[(k + 1) % count]));
        let outward = (q - p).cross(&normal).normalize();
        let beyond = |v: Vec3| outward.dot(&(v - p));
        next.clear();
        for (i, &(v, label)) in ring.iter().enumerate() {
            let (w, _) = ring[(i + 1) % ring.len()];
            let (here, there) = (beyond(v), beyond(w));
            if here <= slack {
                next.push((v, label));
            }
            if (here <= slack) != (there <= slack) {
                let cut = v + here / (here - there) * (w - v);
                next.push((cut, (label & 0xfff) | (k as u32 + 1) << 12 | u32::from(here <= slack) << 28));
            }
        }
        std::mem::swap(&mut ring, &mut next);
    }
    let base = body.vertex(face.loop_[0]);
    for &(v, feature) in &ring {
        let gap = normal.dot(&(v - base));
        if gap <= margin {
            out.push(Spot { normal, point: v - 0.5 * gap * normal, gap, feature });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::{Mat3, cayley, rotation, turned};
    use super::*;

    fn at(x: f64, y: f64, z: f64, turn: Vec3) -> Place {
        let q = turned(&cayley(turn), [1.0, 0.0, 0.0, 0.0]);
        Place { position: Vec3::new(x, y, z), rotation: rotation(q) }
    }

    fn cube(half: f64) -> Form {
        Form::Polytope(Box::new(Polytope::cuboid(Vec3::new(half, half, half))))
    }

    fn spots(a: (&Form, &Place), b: (&Form, &Place)) -> Vec<Spot> {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        touch(a, b, 0.01, &mut one);
        touch(b, a, 0.01, &mut other);
        assert_eq!(one.len(), other.len());
        for spot in &one {
            let mirrored = |s: &&Spot| (s.point - spot.point).norm() < 1e-9 && (s.normal + spot.normal).norm() < 1e-9;
            assert!(other.iter().any(|s| mirrored(&s)), "{spot:?} {other:?}");
        }
        one
    }

    #[test]
    fn flush_cubes_touch_at_four_corners_and_turned_ones_at_eight() {
        let (low, flat) = (at(0.0, 0.0, 0.0, Vec3::zeros()), at(0.0, 0.0, 1.0, Vec3::zeros()));
        let list = spots((&cube(0.5), &flat), (&cube(0.5), &low));
        assert_eq!(list.len(), 4);
        assert!(list.iter().all(|s| s.gap.abs() < 1e-15 && (s.normal - Vec3::z()).norm() < 1e-15));
        let turned = at(0.0, 0.0, 1.0, Vec3::new(0.0, 0.0, 2.0 * (std::f64::consts::PI / 8.0).tan()));
        let list = spots((&cube(0.5), &turned), (&cube(0.5), &low));
        assert_eq!(list.len(), 8);
        // Each feature has its own number.
        let mut features: Vec<u32> = list.iter().map(|s| s.feature).collect();
        features.sort_unstable();
        features.dedup();
        assert_eq!(features.len(), 8);
    }

    #[test]
    fn crossed_edges_touch_at_one_point() {
        let quarter = 2.0 * (std::f64::consts::PI / 8.0).tan();
        let low = at(0.0, 0.0, 0.0, Vec3::new(quarter, 0.0, 0.0));
        let high = at(0.1, 0.2, 2f64.sqrt() - 0.001, Vec3::new(0.0, quarter, 0.0));
        let list = spots((&cube(0.5), &high), (&cube(0.5), &low));
        assert_eq!(list.len(), 1);
        assert!((list[0].gap + 0.001).abs() < 1e-12 && (list[0].normal - Vec3::z()).norm() < 1e-12);
        assert!((list[0].point - Vec3::new(0.1, 0.0, 0.5 * 2f64.sqrt() - 0.0005)).norm() < 1e-12, "{:?}", list[0]);
    }

    #[test]
    fn balls_capsules_and_cylinders() {
        let ball = Form::Ball { radius: 0.5 };
        let rod = Form::Capsule { radius: 0.1, half: 1.0 };
        let can = Form::Cylinder { radius: 1.0, half: 0.5, prism: Box::new(Polytope::prism(24, 1.0, 0.5)) };
        let still = at(0.0, 0.0, 0.0, Vec3::zeros());
        let list = spots((&ball, &at(0.6, 0.8, 0.0, Vec3::zeros())), (&ball, &still));
        assert!(list[0].gap.abs() < 1e-15 && (list[0].point - Vec3::new(0.3, 0.4, 0.0)).norm() < 1e-15);
        // Side by side over half their length: two points; crossed: one.
        let list = spots((&rod, &at(0.2, 0.0, 1.0, Vec3::zeros())), (&rod, &still));
        assert_eq!(list.len(), 2);
        let lying = Place {
            rotation: Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0),
            ..at(0.2, 0.0, 0.3, Vec3::zeros())
        };
        assert_eq!(spots((&rod, &lying), (&rod, &still)).len(), 1);
        for (x, z, gap) in [(1.5, 0.2, 0.0), (0.3, 1.0, 0.0), (1.3, 0.9, 0.0)] {
            let list = spots((&ball, &at(x, 0.0, z, Vec3::zeros())), (&can, &still));
            assert!((list[0].gap - gap).abs() < 1e-15, "{list:?}");
        }
        // A capsule across a face of a cube, both ends beyond it: on two edges; with one end on the face: there, and on one edge.
        let across = Mat3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0);
        for (x, y, features) in [(0.0, 0.1, [-0.5, 0.5]), (0.8, 0.1, [-0.2, 0.5])] {
            let over = Place { rotation: across, ..at(x, y, 0.6, Vec3::zeros()) };
            let list = spots((&rod, &over), (&cube(0.5), &still));
            let mut found: Vec<f64> = list.iter().map(|s| s.point.x).collect();
            found.sort_by(f64::total_cmp);
            assert!(found.len() == 2 && found.iter().zip(features).all(|(p, q)| (p - q).abs() < 1e-12), "{list:?}");
            assert!(list.iter().all(|s| s.gap.abs() < 1e-12 && (s.normal - Vec3::z()).norm() < 1e-12), "{list:?}");
            assert_ne!(list[0].feature, list[1].feature);
        }
        // Across the edge of a cube: with its side.
        let turned = at(0.0, 0.0, 0.0, Vec3::new(0.0, 2.0 * (std::f64::consts::PI / 8.0).tan(), 0.0));
        let over = Place {
            rotation: Mat3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0),
            ..at(0.0, 0.0, 0.5 * 2f64.sqrt() + 0.1, Vec3::zeros())
        };
        let list = spots((&rod, &over), (&cube(0.5), &turned));
        assert!(
            list.len() == 1 && list[0].gap.abs() < 1e-12 && (list[0].normal - Vec3::z()).norm() < 1e-12,
            "{list:?}"
        );
    }
}
