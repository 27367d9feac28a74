//! What a picture of bodies in space needs: solids, planes, points where things touch or are held.

use super::SpatialSystem;
use super::frame::{POSITIONS, Vec3};
use super::link::SpatialAnchor;
use super::shape::Form;
use crate::model::bodies::{Bodies, Scratch};
use crate::model::{Anchor, ContactFrame};

/// A solid to draw, about its own centre.
#[derive(Debug, Clone, PartialEq)]
pub enum Solid {
    /// A ball.
    Ball {
        /// Radius \[m\].
        radius: f64,
    },
    /// A cylinder along z, with half balls at its ends where `round`.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Half of its length, without the half balls \[m\].
        half: f64,
        /// Whether it is a capsule.
        round: bool,
    },
    /// Flat faces.
    Faces {
        /// Corners \[m\].
        vertices: Vec<[f64; 3]>,
        /// Corners of each face by number, counter-clockwise seen from outside.
        faces: Vec<Vec<usize>>,
    },
}

/// A part of a body to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct SketchSolid {
    /// Index of the body.
    pub body: usize,
    /// What it is.
    pub solid: Solid,
    /// Its centre in the body's frame \[m\].
    pub position: [f64; 3],
    /// Its axes in the body's frame.
    pub axes: [[f64; 3]; 3],
}

/// A flat support to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SketchPlane<'a> {
    /// Name of the support.
    pub name: &'a str,
    /// Index of the support.
    pub support: usize,
    /// A point of it at time 0 \[m\].
    pub point: [f64; 3],
    /// Unit normal, towards the free side.
    pub normal: [f64; 3],
}

/// A triangle of a height field or mesh to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SketchTriangle<'a> {
    /// Name of the support.
    pub name: &'a str,
    /// Index of the support.
    pub support: usize,
    /// Its corners at time 0, counter-clockwise seen from the free side \[m\].
    pub corners: [[f64; 3]; 3],
    /// Unit normal, towards the free side.
    pub normal: [f64; 3],
}

impl ContactFrame {
    /// From the rows of a contact in space, normal and tangents, for a body at q = (x, y, z, …). The tangents and
    /// the normal, in this order, are a right-handed frame.
    pub(crate) fn of_space(q: &[f64], rows: [[f64; 6]; 3]) -> Self {
        let [n, first, second] = rows.map(|row| Vec3::new(row[0], row[1], row[2]));
        let [moment, along, _] = rows.map(|row| Vec3::new(row[3], row[4], row[5]));
        // Components of the arm r from the moments r × n and r × t₁.
        let arm = -moment.dot(&second) * first + moment.dot(&first) * second + along.dot(&second) * n;
        let point = Vec3::new(q[0], q[1], q[2]) + arm;
        Self { point: point.into(), directions: [n, first, second].map(Into::into) }
    }
}

impl SpatialSystem {
    /// The parts of all bodies.
    pub fn sketch_solids(&self) -> impl Iterator<Item = SketchSolid> + '_ {
        let part = |body: usize, k: usize| {
            let shape = &self.shapes[k];
            let solid = match &shape.form {
                Form::Ball { radius } => Solid::Ball { radius: *radius },
                Form::Capsule { radius, half } => Solid::Cylinder { radius: *radius, half: *half, round: true },
                Form::Cylinder { radius, half, .. } => Solid::Cylinder { radius: *radius, half: *half, round: false },
                Form::Polytope(polytope) => Solid::Faces {
                    vertices: polytope.vertices.iter().map(|v| (*v).into()).collect(),
                    faces: polytope.faces.iter().map(|face| face.loop_.clone()).collect(),
                },
            };
            let axes = [0, 1, 2].map(|k| Vec3::from(shape.place.rotation.column(k)).into());
            SketchSolid { body, solid, position: shape.place.position.into(), axes }
        };
        (0..self.bodies.len()).flat_map(move |b| (self.parts[b]..self.parts[b + 1]).map(move |k| part(b, k)))
    }

    /// All grounds and walls.
    pub fn sketch_planes(&self) -> impl Iterator<Item = SketchPlane<'_>> {
        self.planes.iter().map(|plane| SketchPlane {
            name: &self.supports[plane.support].name,
            support: plane.support,
            point: plane.point.into(),
            normal: plane.normal.into(),
        })
    }

    /// The triangles of all height fields and meshes.
    pub fn sketch_triangles(&self) -> impl Iterator<Item = SketchTriangle<'_>> {
        self.reliefs.iter().flat_map(|relief| {
            let name = &self.supports[relief.support].name;
            relief.triangles().map(move |corners| {
                let [a, b, c] = corners;
                let normal = (b - a).cross(&(c - a)).normalize();
                SketchTriangle {
                    name,
                    support: relief.support,
                    corners: corners.map(Into::into),
                    normal: normal.into(),
                }
            })
        })
    }

    /// Whether a support moves.
    pub fn support_moves(&self, support: usize) -> bool {
        !self.supports[support].motion.parts.is_empty()
    }

    /// How far a support has moved at time `t` \[m\].
    pub fn support_shift(&self, support: usize, t: f64) -> [f64; 3] {
        self.supports[support].motion.at(t).0.into()
    }

    /// The ends of joints, then those of springs.
    pub fn sketch_links(&self) -> [Vec<[Anchor<3>; 2]>; 2] {
        let anchor = |a: &SpatialAnchor| match *a {
            SpatialAnchor::Body(body, point) => Anchor::Body(body, point.into()),
            SpatialAnchor::Support(support, point) => Anchor::Support(support, point.into()),
            SpatialAnchor::World(point) => Anchor::World(point.into()),
        };
        let joints = self.joints.iter().map(|joint| [anchor(&joint.a), anchor(&joint.b)]).collect();
        let springs = self.springs.iter().map(|spring| [anchor(&spring.a), anchor(&spring.b)]).collect();
        [joints, springs]
    }

    /// The points closer than `margin` \[m\] to touching.
    pub fn touching(&self, t: f64, q: &[f64], margin: f64) -> Vec<[f64; 3]> {
        let count = self.bodies.len() as u32;
        let ball = |b: u32| self.ball(b as usize, q);
        let near = |a: u32, b: u32| {
            let ((p, r), (o, s)) = (ball(a), ball(b));
            let apart = (0..3).map(|k| (p[k] - o[k]).powi(2)).sum::<f64>();
            apart <= (r + s + margin).powi(2)
        };
        let pairs: Vec<[u32; 2]> =
            (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])).filter(|[a, b]| near(*a, *b)).collect();
        let mut touches = Vec::new();
        self.touches([t, t], q, &pairs, margin, &mut Scratch::default(), &mut touches);
        let place = |touch: &crate::model::Touch<6, 3>| {
            ContactFrame::of_space(&q[POSITIONS * touch.bodies[0]..], touch.directions[0]).point
        };
        touches.iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::tangents;
    use super::*;

    #[test]
    fn the_point_follows_from_the_rows() {
        let (centre, arm) = (Vec3::new(0.3, -0.2, 1.0), Vec3::new(0.5, 0.7, -0.4));
        let n = Vec3::new(0.6, -0.64, 0.48);
        let [a, b] = tangents(n);
        let rows = [n, a, b].map(|d| {
            let m = arm.cross(&d);
            [d.x, d.y, d.z, m.x, m.y, m.z]
        });
        let frame = ContactFrame::of_space(centre.as_slice(), rows);
        assert!((Vec3::from(frame.point) - centre - arm).norm() < 1e-14, "{frame:?}");
        let vector = Vec3::from(frame.vector(&[2.0, -1.0, 3.0]));
        assert!((vector - (2.0 * n - a + 3.0 * b)).norm() < 1e-14);
    }
}
