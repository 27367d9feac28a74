//! The true distance between shapes in space, independent of how contacts are found.
//!
//! A shape is as far from a plane as its least extent along the normal says: closed forms of whole shapes, with
//! vectors turned by quaternions, where contacts go by features and matrices. Balls are as far apart as their centres
//! and radii say. Nothing here may be shared with the detection of events.

use super::super::Quaternion;
use super::super::frame::{POSITIONS, Vec3};
use super::super::shape::Form;
use super::super::system::SpatialSystem;
use super::feature::moved;
use crate::elementary::Elementary;

/// A vector turned by a quaternion.
fn turn(orientation: Quaternion, v: Vec3) -> Vec3 {
    let turned = orientation * Quaternion::new(0.0, v.x, v.y, v.z) * orientation.conjugate();
    Vec3::new(turned.i, turned.j, turned.k)
}

/// Position and orientation of a body.
fn place(body: usize, q: &[f64]) -> (Vec3, Quaternion) {
    let q = &q[POSITIONS * body..POSITIONS * (body + 1)];
    (Vec3::new(q[0], q[1], q[2]), Quaternion::new(q[3], q[4], q[5], q[6]))
}

/// The smallest distance between any two shapes that can touch, negative where they overlap, and their names.
pub(super) fn nearest_pair<'a>(system: &'a SpatialSystem, t: f64, q: &[f64]) -> Option<(f64, [&'a str; 2])> {
    let mut least: Option<(f64, [&str; 2])> = None;
    let mut note = |distance: f64, names: [&'a str; 2]| {
        // A distance that is not a number must not pass for a good one.
        if least.is_none_or(|(known, _)| distance.is_nan() || distance < known) {
            least = Some((distance, names));
        }
    };
    let mut balls: Vec<(usize, Vec3, f64)> = Vec::new();
    for (b, body) in system.bodies.iter().enumerate() {
        let (position, orientation) = place(b, q);
        for shape in &system.shapes[system.parts[b]..system.parts[b + 1]] {
            let centre = position + turn(orientation, shape.place.position);
            if let Form::Ball { radius } = &shape.form {
                balls.push((b, centre, *radius));
            }
            for plane in &system.planes {
                let support = &system.supports[plane.support];
                let level = plane.normal.dot(&(plane.point + moved(&support.motion, t)[0]));
                // The normal in the shape's own frame.
                let normal = shape.place.rotation.tr_mul(&turn(orientation.conjugate(), plane.normal));
                let extent = match &shape.form {
                    Form::Ball { radius } => *radius,
                    Form::Capsule { radius, half } => radius + half * normal.z.abs(),
                    Form::Cylinder { radius, half, .. } => {
                        radius * normal.x.hypotenuse(normal.y) + half * normal.z.abs()
                    }
                    Form::Polytope(p) => p.vertices.iter().map(|v| -normal.dot(v)).fold(f64::NEG_INFINITY, f64::max),
                };
                note(plane.normal.dot(&centre) - level - extent, [&body.name, &support.name]);
            }
        }
    }
    for (i, (a, centre, radius)) in balls.iter().enumerate() {
        for (b, other, other_radius) in &balls[i + 1..] {
            if a != b && !system.exempt.contains(&[*a as u32, *b as u32]) {
                let names = [&system.bodies[*a].name, &system.bodies[*b].name].map(String::as_str);
                note((centre - other).norm() - radius - other_radius, names);
            }
        }
    }
    least
}
