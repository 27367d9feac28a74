//! Joints in space row by row, with what their velocities change by on their own: events hold joints exactly.

use super::super::SpatialSystem;
use super::super::frame::{VELOCITIES, Vec3};
use super::super::link::{Grip, SpatialJoint, SpatialJointKind};
use super::super::system::SpatialSupport;
use crate::model::bodies::SUPPORT;
use crate::model::{Directions, JointElement, RowState};

/// The joints as elements of a run by events.
pub(super) fn elements(system: &SpatialSystem) -> Vec<JointElement> {
    let element =
        |joint: &SpatialJoint| JointElement { name: joint.name.clone(), rows: joint.kind.rows().iter().sum() };
    system.joints.iter().map(element).collect()
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
    let [a, b] = [&joint.a, &joint.b].map(|anchor| anchor.at(t, q, u, supports));
    let (apart, speed) = (a.position - b.position, a.velocity - b.velocity);
    let Grip { direction: d, carried, ahead } = joint.kind.grip(row, &a, &b);
    let turning = if carried { b.omega } else { Vec3::zeros() };
    let arms = [a.arm, if carried { b.arm + apart } else { b.arm }];
    out.clear();
    for (held, arm, d) in [(&a, arms[0], d), (&b, arms[1], -d)] {
        if held.body != SUPPORT {
            let (force, moment) = if ahead.is_some() { (Vec3::zeros(), d) } else { (d, arm.cross(&d)) };
            out.add(VELOCITIES * held.body, &[[force.x, force.y, force.z, moment.x, moment.y, moment.z]]);
        }
    }
    let rate = turning.cross(&d);
    if let Some(ahead) = ahead {
        let bias = rate.dot(&(a.omega - b.omega));
        return RowState { residual: d.dot(&ahead), offset: 0.0, bias, angular: true };
    }
    let mut bias =
        d.dot(&(a.acceleration - b.acceleration - turning.cross(&speed))) + rate.dot(&(speed - turning.cross(&apart)));
    if let (SpatialJointKind::Rod { .. }, distance) = (joint.kind, apart.norm())
        && distance > 0.0
    {
        // A rod turns with its ends.
        bias += (speed - d.dot(&speed) * d).norm_squared() / distance;
    }
    let residual = joint.kind.open(d, apart);
    RowState { residual, offset: d.dot(&(a.carried() - b.carried())), bias, angular: false }
}
