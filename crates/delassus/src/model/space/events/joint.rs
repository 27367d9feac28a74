//! Joints in space row by row, with what their velocities change by on their own: events hold joints exactly.

use super::super::frame::{Place, VELOCITIES, Vec3, tangents};
use super::super::link::{SpatialAnchor, SpatialJoint, SpatialJointKind};
use super::super::system::{SpatialSupport, velocity};
use super::super::{Mat3, SpatialSystem};
use super::feature::moved;
use crate::model::{Directions, JointElement, RowState};

/// The axes along which a point is held.
fn axis(row: usize) -> Vec3 {
    [Vec3::x(), Vec3::y(), Vec3::z()][row]
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

/// A row of a joint: how far it is open, along what direction, and what its velocity changes by on its own.
///
/// A point is held along d by γ = d·(v_A − v_B), with the point of A as one of B where B carries d along; an orientation about d
/// by γ = d·(ω_A − ω_B).
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
    let (apart, speed) = (a.position - b.position, a.velocity - b.velocity);
    let (turn, still) = (a.omega - b.omega, Vec3::zeros());
    // A direction, whether B carries it along, and of an orientation by what rotation vector A is ahead.
    let (d, carried, ahead) = match joint.kind {
        SpatialJointKind::Rod { .. } => (apart.try_normalize(0.0).unwrap_or(Vec3::z()), false, None),
        SpatialJointKind::Slider { axis, .. } if row < 2 => (b.rotation * tangents(axis)[row], true, None),
        SpatialJointKind::Hinge { axis_a, axis_b } if row >= 3 => {
            let off = (b.rotation * axis_b).cross(&(a.rotation * axis_a));
            (b.rotation * tangents(axis_b)[row - 3], true, Some(off))
        }
        SpatialJointKind::Slider { turn, .. } => (axis(row - 2), false, Some(off(&a, &b, &turn))),
        SpatialJointKind::Weld { turn } if row >= 3 => (axis(row - 3), false, Some(off(&a, &b, &turn))),
        _ => (axis(row), false, None),
    };
    let turning = if carried { b.omega } else { still };
    out.clear();
    if let Some(ahead) = ahead {
        a.direct(still, still, d, out);
        b.direct(still, still, -d, out);
        return RowState { residual: d.dot(&ahead), offset: 0.0, bias: turning.cross(&d).dot(&turn), angular: true };
    }
    a.direct(a.arm, d, still, out);
    b.direct(if carried { b.arm + apart } else { b.arm }, -d, still, out);
    let mut residual = d.dot(&apart);
    let mut bias = d.dot(&(a.acceleration - b.acceleration - turning.cross(&speed)))
        + turning.cross(&d).dot(&(speed - turning.cross(&apart)));
    if let SpatialJointKind::Rod { length } = joint.kind {
        // The rod turns with its ends; ends that have met are far from their distance.
        if residual > 0.0 {
            bias += (speed - d.dot(&speed) * d).norm_squared() / residual;
        }
        residual -= length;
    }
    RowState { residual, offset: d.dot(&(a.support - b.support)), bias, angular: false }
}

/// The turn by which the first side is ahead of where it belongs.
fn off(a: &Held, b: &Held, turn: &Mat3) -> Vec3 {
    let off = a.rotation * (b.rotation * turn).transpose();
    0.5 * Vec3::new(off[(2, 1)] - off[(1, 2)], off[(0, 2)] - off[(2, 0)], off[(1, 0)] - off[(0, 1)])
}
