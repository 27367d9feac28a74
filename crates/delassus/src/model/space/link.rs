//! Joints, springs and applied forces in space.

use super::frame::{POSITIONS, Place, VELOCITIES, Vec3, tangents};
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
pub(super) struct Held {
    pub body: usize,
    pub position: Vec3,
    pub velocity: Vec3,
    /// Acceleration where u̇ = 0.
    pub acceleration: Vec3,
    /// From the centre of mass.
    pub arm: Vec3,
    pub rotation: Mat3,
    /// ω.
    pub omega: Vec3,
}

impl SpatialAnchor {
    /// The body, or [`SUPPORT`].
    pub fn body(&self) -> usize {
        if let Self::Body(body, _) = self { *body } else { SUPPORT }
    }

    pub(super) fn at(&self, t: f64, q: &[f64], u: &[f64], supports: &[SpatialSupport]) -> Held {
        let fixed = |[position, velocity, acceleration]: [Vec3; 3]| Held {
            body: SUPPORT,
            position,
            velocity,
            acceleration,
            arm: Vec3::zeros(),
            rotation: Mat3::identity(),
            omega: Vec3::zeros(),
        };
        match *self {
            Self::Body(body, point) => {
                let place = Place::of(body, q);
                let arm = place.rotation * point;
                let (v, omega) = velocity(body, u);
                let (position, turned) = (place.position + arm, omega.cross(&arm));
                let (velocity, acceleration) = (v + turned, omega.cross(&turned));
                Held { body, position, velocity, acceleration, arm, rotation: place.rotation, omega }
            }
            Self::Support(support, point) => {
                let [shift, speed, acceleration] = supports[support].motion.derivatives(t);
                fixed([point + shift, speed, acceleration])
            }
            Self::World(point) => fixed([point, Vec3::zeros(), Vec3::zeros()]),
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
    pub fn carried(&self) -> Vec3 {
        if self.body == SUPPORT { self.velocity } else { Vec3::zeros() }
    }
}

/// Rows of a joint as they are gathered.
struct Rows {
    hold: Hold<6, 3>,
    count: usize,
}

impl Rows {
    fn new(joint: usize, bodies: [usize; 2]) -> Self {
        let none = [[[0.0; 6]; 3]; 2];
        Self { hold: Hold { joint, bodies, directions: none, offset: [[0.0; 3]; 2], residual: [0.0; 3] }, count: 0 }
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

/// What a row of a joint holds.
pub(super) struct Grip {
    /// Along what.
    pub direction: Vec3,
    /// Whether the second side carries the direction along; then the point of the first is held as one of the second.
    pub carried: bool,
    /// Of an orientation: the rotation vector by which the first side is ahead.
    pub ahead: Option<Vec3>,
}

impl SpatialJointKind {
    /// Number of rows, those of a point and those of an orientation.
    pub(super) fn rows(&self) -> [usize; 2] {
        match self {
            Self::Rod { .. } => [1, 0],
            Self::Ball => [3, 0],
            Self::Hinge { .. } => [3, 2],
            Self::Slider { .. } => [2, 3],
            Self::Weld { .. } => [3, 3],
        }
    }

    /// What one of its rows holds between two anchors.
    pub(super) fn grip(&self, row: usize, a: &Held, b: &Held) -> Grip {
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
        let points = self.rows()[0];
        let fixed = |direction: Vec3, ahead: Option<Vec3>| Grip { direction, carried: false, ahead };
        match self {
            // Ends that have met have no direction between them; any will do, the rod is far from its length.
            Self::Rod { .. } => fixed((a.position - b.position).try_normalize(0.0).unwrap_or(Vec3::z()), None),
            Self::Slider { axis, .. } if row < points => {
                Grip { direction: b.rotation * tangents(*axis)[row], carried: true, ahead: None }
            }
            Self::Hinge { axis_a, axis_b } if row >= points => {
                let ahead = (b.rotation * axis_b).cross(&(a.rotation * axis_a));
                Grip { direction: b.rotation * tangents(*axis_b)[row - points], carried: true, ahead: Some(ahead) }
            }
            Self::Slider { turn, .. } | Self::Weld { turn } if row >= points => {
                let off = a.rotation * (b.rotation * turn).transpose();
                let twice = Vec3::new(off[(2, 1)] - off[(1, 2)], off[(0, 2)] - off[(2, 0)], off[(1, 0)] - off[(0, 1)]);
                fixed(axes[row - points], Some(0.5 * twice))
            }
            _ => fixed(axes[row], None),
        }
    }

    /// The axis about or along which it leaves its sides free, in the middle between where they have it.
    fn axis(&self, a: &Held, b: &Held) -> Option<Vec3> {
        let [of_a, of_b] = match self {
            Self::Hinge { axis_a, axis_b } => [*axis_a, *axis_b],
            Self::Slider { axis, turn } => [turn.tr_mul(axis), *axis],
            _ => return None,
        };
        (a.rotation * of_a + b.rotation * of_b).try_normalize(0.0)
    }

    /// How far a row that holds a point along a direction is open.
    pub(super) fn open(&self, direction: Vec3, apart: Vec3) -> f64 {
        if let Self::Rod { length } = self { apart.norm() - length } else { direction.dot(&apart) }
    }
}

impl SpatialSystem {
    /// Rows of all joints.
    pub(super) fn joint_rows(&self, span: [f64; 2], q: &[f64], u: &[f64], out: &mut Vec<Hold<6, 3>>) {
        for (number, joint) in self.joints.iter().enumerate() {
            let middle = 0.5 * (span[0] + span[1]);
            let [a, b] = [&joint.a, &joint.b].map(|anchor| anchor.at(middle, q, u, &self.supports));
            let bodies = [a.body, b.body];
            // Speeds of supports at both ends of the step.
            let speeds = span.map(|t| {
                let [a, b] = [&joint.a, &joint.b].map(|anchor| anchor.at(t, q, u, &self.supports).carried());
                a - b
            });
            let apart = a.position - b.position;
            // In the middle of a step the points and axes that a joint holds together are a little apart. Both sides feel a force
            // at one point between them, and move freely about or along one axis: so rows are about motions of one side seen
            // from the other alone, and several joints between the same bodies hold no more than they should.
            let axis = joint.kind.axis(&a, &b);
            let [points, angles] = joint.kind.rows();
            for range in [0..points, points..points + angles].into_iter().filter(|range| !range.is_empty()) {
                let mut rows = Rows::new(number, bodies);
                for row in range {
                    let Grip { mut direction, carried, ahead } = joint.kind.grip(row, &a, &b);
                    if let (true, Some(axis)) = (carried, axis) {
                        direction = (direction - axis.dot(&direction) * axis).normalize();
                    }
                    match ahead {
                        Some(ahead) => rows.about(direction, direction.dot(&ahead)),
                        None => {
                            let from_a = if carried { Vec3::zeros() } else { 0.5 * apart };
                            let arms = [a.arm - from_a, b.arm + apart - from_a];
                            rows.along(direction, arms, joint.kind.open(direction, apart), speeds);
                        }
                    }
                }
                out.push(rows.hold);
            }
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
