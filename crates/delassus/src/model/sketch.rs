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

/// Where two bodies touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPlace {
    /// The point \[m\].
    pub point: [f64; 2],
    /// Unit normal, towards the first body.
    pub normal: [f64; 2],
    /// Unit tangent: the normal turned clockwise.
    pub tangent: [f64; 2],
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
    pub fn contact_place(&self, contact: usize, t: f64, q: &[f64]) -> Option<ContactPlace> {
        let n = self.velocities();
        let still = vec![0.0; n];
        let piece = self.piece(contact, q, &still)?;
        let (mut normal, mut tangent) = (vec![0.0; n], vec![0.0; n]);
        self.contact(contact, piece, t, q, &still, &mut normal, &mut tangent);
        let a = 3 * self.geometries[contact].feature.body;
        let (direction, along) = ([normal[a], normal[a + 1]], [tangent[a], tangent[a + 1]]);
        // The moments of unit impulses along n and t are the lever's components along t and −n.
        let lever = |k: usize| normal[a + 2] * along[k] - tangent[a + 2] * direction[k];
        let point = [q[a] + lever(0), q[a + 1] + lever(1)];
        Some(ContactPlace { point, normal: direction, tangent: along })
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
        let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-12;
        let system = built.system.planar().unwrap();
        let place = system.contact_place(0, 0.0, &built.q).unwrap();
        assert!(near(place.point, corner), "{place:?}");
        assert!(near(place.normal, [-slope.sin(), slope.cos()]) && near(place.tangent, [slope.cos(), slope.sin()]));
        assert_eq!(system.sketch_shapes().next().unwrap().points.len(), 4);
        let line = system.sketch_lines().next().unwrap();
        assert_eq!((line.name, line.support, system.support_moves(0)), ("slope", 0, false));
    }
}
