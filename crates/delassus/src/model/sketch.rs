//! What a picture of a planar system needs: shapes, lines, points where things touch or are held.

use super::planar::PlanarSystem;
use super::{Anchor, System};

/// A shape to draw, fixed to a body: a convex polygon, a segment of two points, or a disk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SketchShape<'a> {
    /// Index of the body.
    pub body: usize,
    /// Corners in the body's frame \[m\]; the centre of a disk.
    pub points: &'a [[f64; 2]],
    /// Radius of a disk \[m\]; else 0.
    pub radius: f64,
}

/// A straight support to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SketchLine<'a> {
    /// Name of the support.
    pub name: &'a str,
    /// Index of the support.
    pub support: usize,
    /// A point of it at time 0 \[m\].
    pub point: [f64; 2],
    /// Unit normal, towards the free side.
    pub normal: [f64; 2],
}

/// Where two bodies touch, and the directions in which forces and velocities there are told. In the plane z is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactFrame {
    /// The point \[m\].
    pub point: [f64; 3],
    /// Unit normal towards the first body, and unit tangents; in the plane the first is the normal turned clockwise
    /// and the second does not count.
    pub directions: [[f64; 3]; 3],
}

impl ContactFrame {
    /// The vector with these components along normal and tangents; those that are not told are 0.
    pub fn vector(&self, parts: &[f64]) -> [f64; 3] {
        std::array::from_fn(|k| parts.iter().zip(&self.directions).map(|(part, d)| part * d[k]).sum())
    }

    /// From the rows of a planar contact, normal and tangent, for a body at q = (x, y, θ).
    pub(crate) fn of_plane(q: &[f64], [normal, tangent]: [[f64; 3]; 2]) -> Self {
        // The moments of unit impulses along n and t are the lever's components along t and −n.
        let lever = |k: usize| normal[2] * tangent[k] - tangent[2] * normal[k];
        Self {
            point: [q[0] + lever(0), q[1] + lever(1), 0.0],
            directions: [[normal[0], normal[1], 0.0], [tangent[0], tangent[1], 0.0], [0.0, 0.0, 1.0]],
        }
    }
}

impl PlanarSystem {
    /// The supports that move, with their displacements since the start \[m\].
    pub fn support_positions(&self, t: f64) -> Vec<(&str, [f64; 2])> {
        let moving = self.supports.iter().filter(|support| !support.motion.is_none());
        moving.map(|support| (support.name.as_str(), support.motion.at(t).position.into())).collect()
    }

    /// The shapes of all bodies.
    pub fn sketch_shapes(&self) -> impl Iterator<Item = SketchShape<'_>> {
        self.shapes.iter().map(|s| SketchShape { body: s.body, points: &s.points, radius: s.radius })
    }

    /// All grounds and walls.
    pub fn sketch_lines(&self) -> impl Iterator<Item = SketchLine<'_>> {
        self.half_planes.iter().map(|plane| SketchLine {
            name: &self.supports[plane.support].name,
            support: plane.support,
            point: plane.point,
            normal: plane.normal,
        })
    }

    /// Whether a support moves.
    pub fn support_moves(&self, support: usize) -> bool {
        !self.supports[support].motion.is_none()
    }

    /// How far a support has moved at time `t` \[m\].
    pub fn support_shift(&self, support: usize, t: f64) -> [f64; 2] {
        self.supports[support].motion.at(t).position.into()
    }

    /// Where a contact is at a state; none where it faces nothing that it could touch.
    pub fn contact_place(&self, contact: usize, t: f64, q: &[f64]) -> Option<ContactFrame> {
        self.frame(contact, self.piece(contact, q, &self.zeros)?, t, q)
    }

    /// The two points that each joint holds together; a slider's lie on its line.
    pub fn joint_anchors(&self) -> impl Iterator<Item = [Anchor; 2]> + '_ {
        self.joints.iter().map(|joint| [joint.a, joint.b])
    }

    /// The ends of the springs that are no torsion springs.
    pub fn spring_anchors(&self) -> impl Iterator<Item = [Anchor; 2]> + '_ {
        self.springs.iter().filter(|spring| !spring.torsion).map(|spring| [spring.a, spring.b])
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::{BodyData, LineData, Scenario, ShapeData};

    #[test]
    fn a_tilted_box_touches_with_its_corner() {
        let slope = 0.2;
        let ground = LineData { name: "slope".into(), point: [0.0; 2], normal: None, angle: Some(slope), motion: None };
        let turn = slope + 0.3;
        // The corner (−1, −0.5) of the box is put on the slope at (2 cos, 2 sin).
        let corner = [2.0 * slope.cos(), 2.0 * slope.sin()];
        let position = [corner[0] + turn.cos() - 0.5 * turn.sin(), corner[1] + turn.sin() + 0.5 * turn.cos()];
        let shape = ShapeData::Box { width: 2.0, height: 1.0 };
        let body =
            BodyData { name: "box".into(), shape, mass: Some(3.0), position, angle: turn, ..BodyData::default() };
        let scenario = Scenario { ground: vec![ground], body: vec![body], ..Scenario::default() };
        let built = scenario.build().unwrap();
        let near = |a: [f64; 3], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-12 && a[2] == 0.0;
        let system = built.system.planar().unwrap();
        let place = system.contact_place(0, 0.0, &built.q).unwrap();
        assert!(near(place.point, corner), "{place:?}");
        let [normal, tangent, _] = place.directions;
        assert!(near(normal, [-slope.sin(), slope.cos()]) && near(tangent, [slope.cos(), slope.sin()]));
        assert!(near(place.vector(&[2.0]), [-2.0 * slope.sin(), 2.0 * slope.cos()]));
        assert_eq!(system.sketch_shapes().next().unwrap().points.len(), 4);
        let line = system.sketch_lines().next().unwrap();
        assert_eq!((line.name, line.support, system.support_moves(0)), ("slope", 0, false));
    }
}
