//! Joints in space row by row, with what their velocities change by on their own: events hold joints exactly.

use super::super::frame::{Place, VELOCITIES, Vec3, tangents};
use super::super::link::{SpatialAnchor, SpatialJoint, SpatialJointKind};
use super::super::system::{SpatialSupport, velocity};
use super::super::{Mat3, SpatialSystem};
use super::feature::moved;
use crate::model::{Directions, JointElement, RowState};

/// The axes along which a point is held.
fn axis(row: usize) -> Vec3 {
    [Vec3::x(), Vec3::y(), Vec3::z()][row % 3]
}

/// An anchor at one state.
struct Held {
    body: Option<usize>,
    position: Vec3,
    velocity: Vec3,
    /// Acceleration where u̇ = 0.
    acceleration: Vec3,
    /// From the centre of mass.
    arm: Vec3,
    rotation: Mat3,
    /// ω.
    omega: Vec3,
    /// Velocity of a support; 0 for a body.
    support: Vec3,
}

impl Held {
    fn of(anchor: &SpatialAnchor, t: f64, q: &[f64], u: &[f64], supports: &[SpatialSupport]) -> Self {
        let fixed = |[position, velocity, acceleration]: [Vec3; 3]| Self {
            body: None,
            position,
            velocity,
            acceleration,
            arm: Vec3::zeros(),
            rotation: Mat3::identity(),
            omega: Vec3::zeros(),
            support: velocity,
        };
        match *anchor {
            SpatialAnchor::Body(body, point) => {
                let (place, (v, omega)) = (Place::of(body, q), velocity(body, u));
                let arm = place.rotation * point;
                let turned = omega.cross(&arm);
                Self {
                    body: Some(body),
                    position: place.position + arm,
                    velocity: v + turned,
                    acceleration: omega.cross(&turned),
                    arm,
                    rotation: place.rotation,
                    omega,
                    support: Vec3::zeros(),
                }
            }
            SpatialAnchor::Support(support, point) => {
                let [shift, speed, acceleration] = moved(&supports[support].motion, t);
                fixed([point + shift, speed, acceleration])
            }
            SpatialAnchor::World(point) => fixed([point, Vec3::zeros(), Vec3::zeros()]),
        }
    }

    /// Adds what a force at the end of `arm` and a moment do to a direction.
    fn direct(&self, arm: Vec3, force: Vec3, moment: Vec3, out: &mut Directions) {
        if let Some(body) = self.body {
            let moment = moment + arm.cross(&force);
            out.add(VELOCITIES * body, &[[force.x, force.y, force.z, moment.x, moment.y, moment.z]]);
        }
    }
}

/// The joints as elements of a run by events.
pub(super) fn elements(system: &SpatialSystem) -> Vec<JointElement> {
    let rows = |kind: &SpatialJointKind| match kind {
        SpatialJointKind::Ball => 3,
        SpatialJointKind::Hinge { .. } | SpatialJointKind::Slider { .. } => 5,
        SpatialJointKind::Weld { .. } => 6,
        SpatialJointKind::Rod { .. } => 1,
    };
    system.joints.iter().map(|joint| JointElement { name: joint.name.clone(), rows: rows(&joint.kind) }).collect()
}

/// How far a row of a joint is open, with its direction.
pub(super) fn row(
    joint: &SpatialJoint,
    row: usize,
    t: f64,
    q: &[f64],
    u: &[f64],
    supports: &[SpatialSupport],
    out: &mut Directions,
) -> RowState {
    let [a, b] = [&joint.a, &joint.b].map(|anchor| Held::of(anchor, t, q, u, supports));
    out.clear();
    match joint.kind {
        SpatialJointKind::Rod { length } => {
            let apart = a.position - b.position;
            let distance = apart.norm();
            // Ends that have met have no direction between them; any will do, the rod is far from its length.
            let d = if distance > 0.0 { apart / distance } else { Vec3::z() };
            let speed = a.velocity - b.velocity;
            let aside = speed - d.dot(&speed) * d;
            let turning = if distance > 0.0 { aside.norm_squared() / distance } else { 0.0 };
            let held = along(d, [&a, &b], out);
            RowState { residual: distance - length, bias: held.bias + turning, ..held }
        }
        SpatialJointKind::Slider { axis, .. } if row < 2 => across(b.rotation * tangents(axis)[row], [&a, &b], out),
        SpatialJointKind::Hinge { axis_a, axis_b } if row >= 3 => {
            let off = (b.rotation * axis_b).cross(&(a.rotation * axis_a));
            about(b.rotation * tangents(axis_b)[row - 3], off, b.omega, [&a, &b], out)
        }
        SpatialJointKind::Slider { turn, .. } => {
            about(axis(row - 2), ahead(&a, &b, &turn), Vec3::zeros(), [&a, &b], out)
        }
        SpatialJointKind::Weld { turn } if row >= 3 => {
            about(axis(row), ahead(&a, &b, &turn), Vec3::zeros(), [&a, &b], out)
        }
        _ => along(axis(row), [&a, &b], out),
    }
}

/// d · (p_A − p_B) with a fixed direction d.
fn along(d: Vec3, [a, b]: [&Held; 2], out: &mut Directions) -> RowState {
    a.direct(a.arm, d, Vec3::zeros(), out);
    b.direct(b.arm, -d, Vec3::zeros(), out);
    RowState {
        residual: d.dot(&(a.position - b.position)),
        offset: d.dot(&(a.support - b.support)),
        bias: d.dot(&(a.acceleration - b.acceleration)),
        angular: false,
    }
}

/// The same with a direction that the second side carries along: the lever goes to the point of the first.
fn across(d: Vec3, [a, b]: [&Held; 2], out: &mut Directions) -> RowState {
    let (apart, speed) = (a.position - b.position, a.velocity - b.velocity);
    a.direct(a.arm, d, Vec3::zeros(), out);
    b.direct(b.arm + apart, -d, Vec3::zeros(), out);
    let relative = speed - b.omega.cross(&apart);
    let acceleration = a.acceleration - b.acceleration - b.omega.cross(&speed);
    RowState {
        residual: d.dot(&apart),
        offset: d.dot(&(a.support - b.support)),
        bias: d.dot(&acceleration) + b.omega.cross(&d).dot(&relative),
        angular: false,
    }
}

/// d · (ω_A − ω_B) with a direction that turns at `turning`; `off` is a rotation vector, by which A is ahead.
fn about(d: Vec3, off: Vec3, turning: Vec3, [a, b]: [&Held; 2], out: &mut Directions) -> RowState {
    a.direct(Vec3::zeros(), Vec3::zeros(), d, out);
    b.direct(Vec3::zeros(), Vec3::zeros(), -d, out);
    let bias = turning.cross(&d).dot(&(a.omega - b.omega));
    RowState { residual: d.dot(&off), offset: 0.0, bias, angular: true }
}

/// The turn by which the first side is ahead of where it belongs.
fn ahead(a: &Held, b: &Held, turn: &Mat3) -> Vec3 {
    let off = a.rotation * (b.rotation * turn).transpose();
    0.5 * Vec3::new(off[(2, 1)] - off[(1, 2)], off[(0, 2)] - off[(2, 0)], off[(1, 0)] - off[(0, 1)])
}
