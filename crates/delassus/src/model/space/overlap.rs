//! How far shapes in space are apart, independent of how contacts are found.
//!
//! A direction n in which one shape lies beyond another by s proves that they are s apart, or that they need be
//! moved by −s at most to be apart; s follows from the extents of both along n, whatever n was taken for. The
//! largest s of some directions is thus never above the true distance: bodies that overlap are never called
//! apart. Among the directions tried (sides, pairs of edges, from nearest points to nearest points) is the best
//! one, so that bodies that do not overlap are not called so. Runs are checked with this at every step; nothing
//! here may be shared with the detection of contacts.

use super::Quaternion;
use super::frame::{POSITIONS, Vec3};
use super::polytope::Polytope;
use super::relief::Relief;
use super::shape::Form;
use super::system::SpatialSystem;
use crate::elementary::Elementary;
use crate::model::near::{Watch, meeting};

/// A shape in the world.
struct Solid<'a> {
    body: usize,
    form: &'a Form,
    centre: Vec3,
    /// From the shape's frame to the body's, and the body's orientation.
    inner: nalgebra::Matrix3<f64>,
    orientation: Quaternion,
}

/// Triangles of a support, in the order in which they begin along the axis x of its frame.
#[derive(Debug, Clone)]
pub(crate) struct Facets {
    support: usize,
    list: Vec<Facet>,
    /// The largest reach of any from its centre.
    widest: f64,
}

#[derive(Debug, Clone)]
struct Facet {
    centre: Vec3,
    form: Form,
}

impl Facet {
    fn from(&self) -> f64 {
        self.centre.x - self.form.reach()
    }
}

impl Facets {
    /// The triangles of a support.
    pub fn new(relief: &Relief) -> Self {
        let facets = relief.triangles().map(|corners| {
            let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
            let form = Form::Polytope(Box::new(Polytope::triangle(corners.map(|corner| corner - centre))));
            Facet { centre, form }
        });
        let mut list: Vec<Facet> = facets.collect();
        crate::small::sort_by_number(&mut list, Facet::from);
        let widest = list.iter().map(|facet| facet.form.reach()).fold(0.0, f64::max);
        Self { support: relief.support, list, widest }
    }

    /// Those whose shadows on the axis x may meet that of a solid, where the support has moved by `shift`.
    fn beside(&self, solid: &Solid<'_>, shift: Vec3) -> impl Iterator<Item = Solid<'_>> {
        let reach = solid.form.reach();
        let centre = solid.centre - shift;
        let (first, last) = (centre.x - reach - 2.0 * self.widest, centre.x + reach);
        let begin = self.list.partition_point(|facet| facet.from() < first);
        let near = move |facet: &&Facet| (facet.centre - centre).norm() <= reach + facet.form.reach();
        self.list[begin..].iter().take_while(move |facet| facet.from() <= last).filter(near).map(move |facet| {
            let (inner, orientation) = (nalgebra::Matrix3::identity(), Quaternion::new(1.0, 0.0, 0.0, 0.0));
            Solid { body: usize::MAX, form: &facet.form, centre: facet.centre + shift, inner, orientation }
        })
    }
}

/// A vector turned by a quaternion.
fn turn(orientation: Quaternion, v: Vec3) -> Vec3 {
    let turned = orientation * Quaternion::new(0.0, v.x, v.y, v.z) * orientation.conjugate();
    Vec3::new(turned.i, turned.j, turned.k)
}

impl<'a> Solid<'a> {
    fn all(system: &'a SpatialSystem, q: &[f64]) -> Vec<Self> {
        let mut solids = Vec::with_capacity(system.shapes.len());
        for body in 0..system.bodies.len() {
            let q = &q[POSITIONS * body..POSITIONS * (body + 1)];
            let (position, orientation) = (Vec3::new(q[0], q[1], q[2]), Quaternion::new(q[3], q[4], q[5], q[6]));
            for shape in &system.shapes[system.parts[body]..system.parts[body + 1]] {
                let aside = shape.place.position;
                // Nothing to turn where the shape is about the centre of its body.
                let centre = if aside == Vec3::zeros() { position } else { position + turn(orientation, aside) };
                solids.push(Self { body, form: &shape.form, centre, inner: shape.place.rotation, orientation });
            }
        }
        solids
    }

    /// A vector of the shape's frame in the world, and the other way round.
    fn outward(&self, v: Vec3) -> Vec3 {
        turn(self.orientation, self.inner * v)
    }

    fn inward(&self, v: Vec3) -> Vec3 {
        self.inner.tr_mul(&turn(self.orientation.conjugate(), v))
    }

    /// How far it reaches from its centre along a unit vector. Bodies with faces meet a cylinder as the prism that
    /// stands for it.
    fn extent(&self, along: Vec3, prism: bool) -> f64 {
        if let Form::Ball { radius } = self.form {
            return *radius;
        }
        let n = self.inward(along);
        let of = |p: &Polytope| p.vertices.iter().map(|v| n.dot(v)).fold(f64::NEG_INFINITY, f64::max);
        match self.form {
            Form::Ball { radius } => *radius,
            Form::Capsule { radius, half } => radius + half * n.z.abs(),
            Form::Cylinder { prism: faces, .. } if prism => of(faces),
            Form::Cylinder { radius, half, .. } => radius * n.x.hypotenuse(n.y) + half * n.z.abs(),
            Form::Polytope(faces) => of(faces),
        }
    }

    /// Corners of its core: centre of a ball, ends of a capsule's axis.
    fn corners(&self) -> Vec<Vec3> {
        let local = match self.form {
            Form::Ball { .. } => vec![Vec3::zeros()],
            Form::Capsule { half, .. } => vec![Vec3::new(0.0, 0.0, -half), Vec3::new(0.0, 0.0, *half)],
            Form::Cylinder { prism: faces, .. } | Form::Polytope(faces) => faces.vertices.clone(),
        };
        local.into_iter().map(|v| self.centre + self.outward(v)).collect()
    }

    /// Its edges as pairs of corners.
    fn edges(&self) -> &[[usize; 2]] {
        match self.form {
            Form::Ball { .. } => &[],
            Form::Capsule { .. } => &[[0, 1]],
            Form::Cylinder { prism: faces, .. } | Form::Polytope(faces) => &faces.edges,
        }
    }

    fn is_round(&self) -> bool {
        matches!(self.form, Form::Ball { .. } | Form::Capsule { .. })
    }
}

/// The largest separation found of `a` from `b`; the search ends where it is `enough`.
fn separation(a: &Solid<'_>, b: &Solid<'_>, enough: f64) -> f64 {
    if let (Form::Ball { radius: one }, Form::Ball { radius: other }) = (a.form, b.form) {
        return (a.centre - b.centre).norm() - one - other;
    }
    // A ball meets a cylinder as it is.
    let ball = |s: &Solid<'_>| matches!(s.form, Form::Ball { .. });
    let prism = !(ball(a) || ball(b));
    let mut best = f64::NEG_INFINITY;
    // Whether the direction, of any length and sign, is enough.
    let mut tries = |direction: Vec3| {
        let length = direction.norm();
        if length.is_nan() || length <= 0.0 {
            return false;
        }
        let n = direction / length;
        let between = n.dot(&(a.centre - b.centre));
        for (n, between) in [(n, between), (-n, -between)] {
            // Round bodies reach as far to both sides; it is cheap to leave out what cannot be.
            if between > best {
                best = best.max(between - a.extent(-n, prism) - b.extent(n, prism));
            }
        }
        best >= enough
    };
    if tries(a.centre - b.centre) {
        return best;
    }
    for solid in [a, b] {
        if let Some(faces) = solid.form.faces()
            && faces.faces.iter().any(|face| tries(solid.outward(face.normal)))
        {
            return best;
        }
    }
    let (one, other) = (a.corners(), b.corners());
    let ends = |corners: &[Vec3], edge: &[usize; 2]| [corners[edge[0]], corners[edge[1]]];
    for e in a.edges() {
        let [p, q] = ends(&one, e);
        if b.edges().iter().any(|f| {
            let [r, s] = ends(&other, f);
            tries((q - p).cross(&(s - r)))
        }) {
            return best;
        }
    }
    if !(a.is_round() || b.is_round()) {
        return best;
    }
    // From corner to corner, and at right angles from an edge to a corner.
    for (corners, others, edges) in [(&one, &other, b.edges()), (&other, &one, a.edges())] {
        for p in corners {
            let aside = |e: &[usize; 2]| {
                let [r, s] = ends(others, e);
                let along = (s - r).normalize();
                (p - r) - along.dot(&(p - r)) * along
            };
            if others.iter().any(|r| tries(p - r)) || edges.iter().any(|e| tries(aside(e))) {
                return best;
            }
        }
    }
    // From the axis of a cylinder, and from its rims.
    for (cylinder, point) in [(a, b.centre), (b, a.centre)] {
        if let Form::Cylinder { radius, half, .. } = cylinder.form {
            let seen = cylinder.inward(point - cylinder.centre);
            let flat = Vec3::new(seen.x, seen.y, 0.0);
            let rim = flat * (radius / flat.norm()) + Vec3::new(0.0, 0.0, half.copysign(seen.z));
            if tries(cylinder.outward(flat)) || tries(cylinder.outward(seen - rim)) {
                return best;
            }
        }
    }
    best
}

/// The smallest distance of shapes that can touch, negative where they overlap, and their names; none where
/// nothing is near anything. Positive distances may be larger than told.
pub(super) fn nearest_pair<'a>(system: &'a SpatialSystem, t: f64, q: &[f64]) -> Option<(f64, [&'a str; 2])> {
    nearest_watched(system, t, q, None)
}

/// The same, also at one step after the other: which shapes are near each other may be remembered.
pub(super) fn nearest_watched<'a>(
    system: &'a SpatialSystem,
    t: f64,
    q: &[f64],
    watch: Option<&mut Watch>,
) -> Option<(f64, [&'a str; 2])> {
    let mut least: Option<(f64, [&str; 2])> = None;
    let mut note = |distance: f64, names: [&'a str; 2]| -> f64 {
        // A distance that is not a number must not pass for a good one.
        if least.is_none_or(|(known, _)| distance.is_nan() || distance < known) {
            least = Some((distance, names));
        }
        least.map_or(0.0, |(known, _)| known.min(0.0))
    };
    let solids = Solid::all(system, q);
    let name = |body: usize| system.bodies[body].name.as_str();
    let mut enough = 0.0;
    for plane in &system.planes {
        let support = &system.supports[plane.support];
        let level = plane.normal.dot(&(plane.point + support.motion.at(t).0));
        for solid in &solids {
            let distance = plane.normal.dot(&solid.centre) - level - solid.extent(-plane.normal, false);
            enough = note(distance, [name(solid.body), &support.name]);
        }
    }
    for facets in &system.facets {
        let support = &system.supports[facets.support];
        let shift = support.motion.at(t).0;
        for solid in &solids {
            for facet in facets.beside(solid, shift) {
                enough = note(separation(solid, &facet, enough), [name(solid.body), &support.name]);
            }
        }
    }
    // Those whose balls meet.
    let centres = solids.iter().map(|solid| solid.centre.into());
    let reaches = solids.iter().map(|solid| solid.form.reach());
    let found;
    let pairs = match watch {
        Some(watch) => watch.meeting(centres, reaches),
        None => {
            found = meeting(&centres.collect::<Vec<_>>(), &reaches.collect::<Vec<_>>());
            &found
        }
    };
    for &[i, j] in pairs {
        let (a, b) = (&solids[i as usize], &solids[j as usize]);
        let near = a.form.reach() + b.form.reach();
        let pair = [a.body.min(b.body) as u32, a.body.max(b.body) as u32];
        if a.body == b.body || (a.centre - b.centre).norm_squared() > near * near || system.exempt.contains(&pair) {
            continue;
        }
        enough = note(separation(a, b, enough), [name(a.body), name(b.body)]);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::super::shape::PRISM;
    use super::*;

    fn cuboid(x: f64, y: f64, z: f64) -> Form {
        Form::Polytope(Box::new(Polytope::cuboid(0.5 * Vec3::new(x, y, z))))
    }

    fn cylinder(radius: f64, half: f64) -> Form {
        Form::Cylinder { radius, half, prism: Box::new(Polytope::prism(PRISM, radius, half)) }
    }

    fn at(form: &Form, centre: [f64; 3], axis: [f64; 3], angle: f64) -> Solid<'_> {
        let axis = Vec3::from(axis).normalize();
        let (s, c) = (0.5 * angle).sin_cos();
        let orientation = Quaternion::new(c, s * axis.x, s * axis.y, s * axis.z);
        Solid { body: 0, form, centre: Vec3::from(centre), inner: nalgebra::Matrix3::identity(), orientation }
    }

    fn apart(a: &Solid<'_>, b: &Solid<'_>) -> f64 {
        let (there, back) = (separation(a, b, f64::INFINITY), separation(b, a, f64::INFINITY));
        assert!((there - back).abs() < 1e-14, "{there} {back}");
        there
    }

    /// A roof of two triangles, with its ridge along y at the height 1.
    #[test]
    fn bodies_on_triangles() {
        let points = [[-1.0, 0.0, 0.0], [0.0, -1.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 0.0]].map(Vec3::from);
        let relief = Relief::new(0, points.to_vec(), &[[0, 1, 2], [1, 3, 2]]).unwrap_or_else(|_| panic!());
        let facets = Facets::new(&relief);
        let nearest = |solid: &Solid<'_>| {
            facets.beside(solid, Vec3::zeros()).map(|facet| apart(solid, &facet)).fold(f64::INFINITY, f64::min)
        };
        // A cube stands on the ridge, sunk by 0.01; a ball leans on a slope from above, and from below.
        assert!((nearest(&at(&cuboid(1.0, 1.0, 1.0), [0.1, 0.0, 1.49], [0.0, 0.0, 1.0], 0.0)) + 0.01).abs() < 1e-12);
        let slope = Vec3::new(-1.0, 0.0, 1.0).normalize();
        let foot = Vec3::new(-0.5, 0.0, 0.5);
        for (height, gap) in [(0.1, 0.0), (0.13, 0.03), (0.08, -0.02), (-0.08, -0.02)] {
            let centre = foot + height * slope;
            let ball = Form::Ball { radius: 0.1 };
            let found = nearest(&at(&ball, centre.into(), [0.0, 0.0, 1.0], 0.0));
            assert!((found - gap).abs() < 1e-12, "{height}: {found}");
        }
        // Far away nothing is looked at.
        assert_eq!(nearest(&at(&Form::Ball { radius: 0.1 }, [9.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.0)), f64::INFINITY);
    }

    #[test]
    fn closed_forms() {
        let (z, quarter) = ([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_4);
        let (cube, ball, rod) =
            (cuboid(1.0, 1.0, 1.0), Form::Ball { radius: 0.5 }, Form::Capsule { radius: 0.1, half: 1.0 });
        let can = cylinder(1.0, 0.5);
        let root = 2f64.sqrt();
        let still = |form| at(form, [0.0; 3], z, 0.0);
        let put = |form, centre| at(form, centre, z, 0.0);
        for (a, b, distance) in [
            (put(&ball, [0.6, 0.8, 0.3]), still(&ball), (1.09f64).sqrt() - 1.0),
            (put(&cube, [0.2, -0.1, 0.9]), still(&cube), -0.1),
            (put(&cube, [0.2, -0.1, 1.1]), still(&cube), 0.1),
            // Crossed edges.
            (
                at(&cube, [0.1, 0.2, root - 0.01], [0.0, 1.0, 0.0], quarter),
                at(&cube, [0.0; 3], [1.0, 0.0, 0.0], quarter),
                -0.01,
            ),
            (put(&ball, [0.1, 0.0, 0.7]), still(&cube), -0.3),
            // Beyond an edge and a corner.
            (put(&ball, [0.8, 0.9, 0.2]), still(&cube), 0.0),
            (put(&ball, [0.5 + 0.2, 0.5 + 0.2, 0.5 + 0.1]), still(&cube), 0.3 - 0.5),
            // Capsules side by side, crossed, end to end.
            (put(&rod, [0.15, 0.0, 0.7]), still(&rod), -0.05),
            (at(&rod, [0.25, 0.0, 0.3], [1.0, 0.0, 0.0], 2.0 * quarter), still(&rod), 0.05),
            (put(&rod, [0.0, 0.0, 2.15]), still(&rod), -0.05),
            // A capsule across the edge of a cube.
            (
                at(&rod, [0.0, 0.0, 0.5 * root + 0.08], [0.0, 1.0, 0.0], 2.0 * quarter),
                at(&cube, [0.0; 3], [0.0, 1.0, 0.0], quarter),
                -0.02,
            ),
            (put(&ball, [1.4, 0.0, 0.2]), still(&can), -0.1),
            (put(&ball, [0.3, 0.2, -0.9]), still(&can), -0.1),
            (put(&ball, [1.3, 0.0, 0.9]), still(&can), 0.0),
            (put(&can, [0.2, 0.1, 0.97]), still(&can), -0.03),
        ] {
            let found = apart(&a, &b);
            assert!((found - distance).abs() < 1e-14, "{found} for {distance}");
        }
    }

    /// The true distance of points: no direction may say more.
    #[test]
    fn nothing_that_overlaps_is_called_apart() {
        let mut state = 1u64;
        let mut number = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let forms = [
            cuboid(0.8, 0.5, 0.6),
            Form::Ball { radius: 0.4 },
            Form::Capsule { radius: 0.2, half: 0.4 },
            cylinder(0.4, 0.3),
        ];
        let mut overlapping = 0;
        for k in 0..2000 {
            let (one, other) = (&forms[k % 4], &forms[k / 4 % 4]);
            let mut vector = || [number(), number(), number()];
            let a = at(one, vector().map(|v| 0.6 * v), vector(), 3.0 * vector()[0]);
            let b = at(other, vector().map(|v| 0.6 * v), vector(), 3.0 * vector()[0]);
            let found = apart(&a, &b);
            // A point that is in both, if one of some is.
            let inside = |s: &Solid<'_>, p: Vec3| {
                let p = s.inward(p - s.centre);
                let (out, up) = (p.x.hypot(p.y), p.z.abs());
                match s.form {
                    Form::Ball { radius } => p.norm() < *radius,
                    Form::Capsule { radius, half } => out.hypot((up - half).max(0.0)) < *radius,
                    Form::Cylinder { radius, half, .. } => {
                        out < radius * (std::f64::consts::PI / PRISM as f64).cos() && up < *half
                    }
                    Form::Polytope(faces) => faces.faces.iter().all(|f| f.normal.dot(&p) < f.offset),
                }
            };
            let common = (0..200).map(|_| vector()).any(|p| inside(&a, Vec3::from(p)) && inside(&b, Vec3::from(p)));
            overlapping += usize::from(common);
            assert!(!common || found < 0.0, "case {k}: apart by {found}");
        }
        assert!(overlapping > 300, "{overlapping}");
    }
}
