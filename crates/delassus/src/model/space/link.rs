//! Joints, springs and applied forces in space.

use super::frame::{POSITIONS, Place, VELOCITIES, Vec3};
use super::system::{SpatialSupport, velocity};
use super::{Mat3, SpatialSystem};
use crate::model::bodies::{Hold, SUPPORT};
use crate::model::{Expression, Power};

/// A point that a joint or spring holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SpatialAnchor {
    /// Fixed to a body, in its frame.
    Body(usize, Vec3),
    /// Fixed to a support, where it is without motion.
    Support(usize, Vec3),
    /// Fixed in space.
    World(Vec3),
}

/// What a joint holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SpatialJointKind {
    /// A point.
    Ball,
    /// A point and an axis, in the frames of both sides.
    Hinge { axis_a: Vec3, axis_b: Vec3 },
    /// A line along an axis in the frame of the second side, and the orientation of the first seen from there.
    Slider { axis: Vec3, turn: Mat3 },
    /// A point and the orientation of the first side seen from the second.
    Weld { turn: Mat3 },
    /// The distance of two points.
    Rod { length: f64 },
}

/// A joint.
#[derive(Debug, Clone)]
pub(crate) struct SpatialJoint {
    pub name: String,
    pub a: SpatialAnchor,
    pub b: SpatialAnchor,
    pub kind: SpatialJointKind,
}

/// A spring with a damper beside it.
#[derive(Debug, Clone)]
pub(crate) struct SpatialSpring {
    pub a: SpatialAnchor,
    pub b: SpatialAnchor,
    pub stiffness: f64,
    pub damping: f64,
    /// Length without force.
    pub length: f64,
}

/// A force and a moment on a body as functions of time, in fixed directions.
#[derive(Debug, Clone)]
pub(crate) struct SpatialApplied {
    pub body: usize,
    /// Point of attack in the body's frame.
    pub point: Vec3,
    pub force: [Expression; 3],
    pub torque: [Expression; 3],
}

impl SpatialApplied {
    pub fn is_constant(&self) -> bool {
        self.force.iter().chain(&self.torque).all(Expression::is_constant)
    }
}

/// An anchor at one state.
struct Held {
    body: usize,
    position: Vec3,
    velocity: Vec3,
    /// From the centre of mass.
    arm: Vec3,
    rotation: Mat3,
}

impl SpatialAnchor {
    /// The body, or [`SUPPORT`].
    pub fn body(&self) -> usize {
        if let Self::Body(body, _) = self { *body } else { SUPPORT }
    }

    fn at(&self, t: f64, q: &[f64], u: &[f64], supports: &[SpatialSupport]) -> Held {
        let fixed = |position: Vec3, velocity: Vec3| Held {
            body: SUPPORT,
            position,
            velocity,
            arm: Vec3::zeros(),
            rotation: Mat3::identity(),
        };
        match *self {
            Self::Body(body, point) => {
                let place = Place::of(body, q);
                let arm = place.rotation * point;
                let (v, omega) = velocity(body, u);
                let position = place.position + arm;
                Held { body, position, velocity: v + omega.cross(&arm), arm, rotation: place.rotation }
            }
            Self::Support(support, point) => {
                let (shift, speed) = supports[support].motion.at(t);
                fixed(point + shift, speed)
            }
            Self::World(point) => fixed(point, Vec3::zeros()),
        }
    }
}

impl Held {
    fn push(&self, force: Vec3, out: &mut [f64]) {
        if self.body != SUPPORT {
            let moment = self.arm.cross(&force);
            let out = &mut out[VELOCITIES * self.body..];
            (0..3).for_each(|i| {
                out[i] += force[i];
                out[3 + i] += moment[i];
            });
        }
    }

    /// The speed of a side that is no body.
    fn carried(&self) -> Vec3 {
        if self.body == SUPPORT { self.velocity } else { Vec3::zeros() }
    }
}

/// Rows of a joint as they are gathered.
struct Rows {
    hold: Hold<6, 3>,
    count: usize,
}

impl Rows {
    fn new(bodies: [usize; 2]) -> Self {
        let none = [[[0.0; 6]; 3]; 2];
        Self { hold: Hold { bodies, directions: none, offset: [[0.0; 3]; 2], residual: [0.0; 3] }, count: 0 }
    }

    /// The velocity along `d` of a point with these arms from the two centres; `speeds` are those of sides that are no
    /// body, first minus second, at the ends of the step.
    fn along(&mut self, d: Vec3, arms: [Vec3; 2], residual: f64, speeds: [Vec3; 2]) {
        let k = self.count;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if self.hold.bodies[side] != SUPPORT {
                let (d, moment) = (sign * d, sign * arms[side].cross(&d));
                self.hold.directions[side][k] = [d.x, d.y, d.z, moment.x, moment.y, moment.z];
            }
        }
        (0..2).for_each(|end| self.hold.offset[end][k] = d.dot(&speeds[end]));
        self.hold.residual[k] = residual;
        self.count += 1;
    }

    /// The spin along `d`.
    fn about(&mut self, d: Vec3, residual: f64) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if self.hold.bodies[side] != SUPPORT {
                self.hold.directions[side][self.count] = [0.0, 0.0, 0.0, sign * d.x, sign * d.y, sign * d.z];
            }
        }
        self.hold.residual[self.count] = residual;
        self.count += 1;
    }
}

/// Two directions across an axis, in the same frame.
fn across(axis: Vec3) -> [Vec3; 2] {
    super::frame::tangents(axis)
}

impl SpatialSystem {
    /// Rows of all joints.
    pub(super) fn joint_rows(&self, span: [f64; 2], q: &[f64], u: &[f64], out: &mut Vec<Hold<6, 3>>) {
        for joint in &self.joints {
            let middle = 0.5 * (span[0] + span[1]);
            let [a, b] = [&joint.a, &joint.b].map(|anchor| anchor.at(middle, q, u, &self.supports));
            let bodies = [a.body, b.body];
            // Speeds of supports at both ends of the step.
            let speeds = span.map(|t| {
                let [a, b] = [&joint.a, &joint.b].map(|anchor| anchor.at(t, q, u, &self.supports).carried());
                a - b
            });
            let apart = a.position - b.position;
            let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
            // A turn by which the first side is ahead of where it belongs.
            let ahead = |turn: &Mat3| {
                let off = a.rotation * (b.rotation * turn).transpose();
                0.5 * Vec3::new(off[(2, 1)] - off[(1, 2)], off[(0, 2)] - off[(2, 0)], off[(1, 0)] - off[(0, 1)])
            };
            let mut rows = Rows::new(bodies);
            match &joint.kind {
                SpatialJointKind::Rod { length } => {
                    let distance = apart.norm();
                    let along = if distance > 0.0 { apart / distance } else { Vec3::z() };
                    rows.along(along, [a.arm, b.arm], distance - length, speeds);
                    out.push(rows.hold);
                    continue;
                }
                SpatialJointKind::Slider { axis, .. } => {
                    // Across the axis, at the point of the first side as a point of the second.
                    let arm = b.arm + apart;
                    for d in across(*axis).map(|d| b.rotation * d) {
                        rows.along(d, [a.arm, arm], d.dot(&apart), speeds);
                    }
                }
                _ => axes.iter().for_each(|d| rows.along(*d, [a.arm, b.arm], d.dot(&apart), speeds)),
            }
            out.push(rows.hold);
            let mut rows = Rows::new(bodies);
            match &joint.kind {
                SpatialJointKind::Hinge { axis_a, axis_b } => {
                    let (one, other) = (a.rotation * axis_a, b.rotation * axis_b);
                    let off = other.cross(&one);
                    across(*axis_b).iter().map(|d| b.rotation * d).for_each(|d| rows.about(d, d.dot(&off)));
                }
                SpatialJointKind::Slider { turn, .. } | SpatialJointKind::Weld { turn } => {
                    let off = ahead(turn);
                    axes.iter().for_each(|d| rows.about(*d, d.dot(&off)));
                }
                _ => continue,
            }
            out.push(rows.hold);
        }
    }

    /// Adds springs and applied forces to the loads.
    pub(super) fn act(&self, t: f64, q: &[f64], u: &[f64], force: &mut [f64]) -> Power {
        let mut power = Power::default();
        for spring in &self.springs {
            let [a, b] = [&spring.a, &spring.b].map(|anchor| anchor.at(t, q, u, &self.supports));
            let span = a.position - b.position;
            let length = span.norm();
            // At zero length a spring has no direction and, unless prestressed, no force.
            if length == 0.0 {
                continue;
            }
            let along = span / length;
            let rate = along.dot(&(a.velocity - b.velocity));
            let pull = -(spring.stiffness * (length - spring.length) + spring.damping * rate) * along;
            a.push(pull, force);
            b.push(-pull, force);
            power.damping -= spring.damping * rate * rate;
            power.supports += pull.dot(&(b.carried() - a.carried()));
        }
        for applied in &self.applied {
            let at = SpatialAnchor::Body(applied.body, applied.point).at(t, q, u, &self.supports);
            let vector = |parts: &[Expression; 3]| Vec3::new(parts[0].at(t), parts[1].at(t), parts[2].at(t));
            let (push, torque) = (vector(&applied.force), vector(&applied.torque));
            at.push(push, force);
            let moment = &mut force[VELOCITIES * applied.body + 3..];
            (0..3).for_each(|i| moment[i] += torque[i]);
            power.applied += push.dot(&at.velocity) + torque.dot(&velocity(applied.body, u).1);
        }
        power
    }

    /// Energy of the springs.
    pub(super) fn stretched(&self, t: f64, q: &[f64]) -> f64 {
        if self.springs.is_empty() {
            return 0.0;
        }
        let still = vec![0.0; VELOCITIES * (q.len() / POSITIONS)];
        let energy = |spring: &SpatialSpring| {
            let [a, b] = [&spring.a, &spring.b].map(|anchor| anchor.at(t, q, &still, &self.supports).position);
            0.5 * spring.stiffness * ((a - b).norm() - spring.length).powi(2)
        };
        self.springs.iter().map(energy).sum()
    }
}
