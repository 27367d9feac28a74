//! Joints, springs and applied forces of scenarios in space.

use std::collections::HashMap;

use super::build::unit;
use super::data::{SpatialForceData, SpatialJointData, SpatialJointType, SpatialScenario, SpatialSpringData};
use crate::error::{ImpactError, moderate};
use crate::model::{
    Expression, Mat3, Place, SpatialAnchor, SpatialApplied, SpatialJoint, SpatialJointKind, SpatialSpring,
    SpatialSystem, Vec3,
};
use crate::scenario::data::Formula;

/// What anchors are found by.
pub(super) struct Links<'a> {
    /// Numbers of names: bodies first, then supports.
    pub names: &'a HashMap<&'a str, usize>,
    /// Number of bodies.
    pub bodies: usize,
    /// Positions at the start.
    pub q: &'a [f64],
}

impl Links<'_> {
    /// Adds everything that holds or drives the bodies.
    pub fn add(&self, full: &SpatialScenario, system: &mut SpatialSystem) -> Result<(), ImpactError> {
        for (i, joint) in full.joint.iter().enumerate() {
            let joint = self.joint(&format!("joint[{i}]"), joint)?;
            let [a, b] = [joint.a.body(), joint.b.body()];
            if a < self.bodies && b < self.bodies {
                system.exempt.insert([a.min(b) as u32, a.max(b) as u32]);
            }
            system.joints.push(joint);
        }
        for (i, spring) in full.spring.iter().enumerate() {
            system.springs.push(self.spring(&format!("spring[{i}]"), spring)?);
        }
        for (i, force) in full.force.iter().enumerate() {
            system.applied.push(self.force(&format!("force[{i}]"), force, full.until.time)?);
        }
        Ok(())
    }

    fn anchor(&self, field: &str, name: &str, point: [f64; 3]) -> Result<SpatialAnchor, ImpactError> {
        for v in point {
            moderate(|| format!("{field} at {point:?}"), v)?;
        }
        let point = Vec3::from(point);
        if name == "world" {
            return Ok(SpatialAnchor::World(point));
        }
        match self.names.get(name) {
            Some(&body) if body < self.bodies => Ok(SpatialAnchor::Body(body, Place::of(body, self.q).seen(point))),
            Some(&support) => Ok(SpatialAnchor::Support(support - self.bodies, point)),
            None => {
                let problem = "is no body, no ground, no wall and not \"world\"";
                Err(ImpactError::unknown(field, format!("{name:?}"), problem))
            }
        }
    }

    fn pair(
        &self,
        path: &str,
        between: &[String; 2],
        points: [[f64; 3]; 2],
    ) -> Result<[SpatialAnchor; 2], ImpactError> {
        let a = self.anchor(&format!("{path}.between[0]"), &between[0], points[0])?;
        let b = self.anchor(&format!("{path}.between[1]"), &between[1], points[1])?;
        if between[0] == between[1] || a.body() == b.body() {
            let given = format!("{between:?}");
            return Err(ImpactError::new(format!("{path}.between"), given, "needs two sides, one of them a body"));
        }
        Ok([a, b])
    }

    /// The orientation of a side at the start.
    fn rotation(&self, anchor: &SpatialAnchor) -> Mat3 {
        let body = anchor.body();
        if body < self.bodies { Place::of(body, self.q).rotation } else { Mat3::identity() }
    }

    fn joint(&self, path: &str, joint: &SpatialJointData) -> Result<SpatialJoint, ImpactError> {
        let at = |key: &str| format!("{path}.{key}");
        let rod = joint.kind == SpatialJointType::Rod;
        let points = match (joint.point, joint.points) {
            (Some(point), None) if !rod => [point; 2],
            (None, Some(points)) if rod => points,
            (Some(point), _) if rod => {
                let problem = "a rod has two points: use points";
                return Err(ImpactError::new(at("point"), format!("{point:?}"), problem));
            }
            (_, Some(points)) => {
                return Err(ImpactError::new(at("points"), format!("{points:?}"), "is for rods; give one point"));
            }
            _ => {
                let (key, problem) = if rod { ("points", "a rod needs its two ends") } else { ("point", "is missing") };
                return Err(ImpactError::missing(at(key), "", problem));
            }
        };
        let [a, b] = self.pair(path, &joint.between, points)?;
        let axis = match (joint.kind, joint.axis) {
            (SpatialJointType::Hinge | SpatialJointType::Slider, Some(axis)) => unit(&at("axis"), &axis)?,
            (SpatialJointType::Hinge | SpatialJointType::Slider, None) => {
                return Err(ImpactError::missing(at("axis"), "", "a hinge and a slider need their axis"));
            }
            (_, Some(axis)) => {
                return Err(ImpactError::new(at("axis"), format!("{axis:?}"), "is for hinges and sliders"));
            }
            _ => Vec3::z(),
        };
        let (of_a, of_b) = (self.rotation(&a), self.rotation(&b));
        let turn = of_b.transpose() * of_a;
        let kind = match joint.kind {
            SpatialJointType::Ball => SpatialJointKind::Ball,
            SpatialJointType::Hinge => {
                SpatialJointKind::Hinge { axis_a: of_a.tr_mul(&axis), axis_b: of_b.tr_mul(&axis) }
            }
            SpatialJointType::Slider => SpatialJointKind::Slider { axis: of_b.tr_mul(&axis), turn },
            SpatialJointType::Weld => SpatialJointKind::Weld { turn },
            SpatialJointType::Rod => {
                let length = (Vec3::from(points[0]) - Vec3::from(points[1])).norm();
                if length <= 0.0 {
                    return Err(ImpactError::new(at("points"), format!("{points:?}"), "a rod needs a length"));
                }
                SpatialJointKind::Rod { length }
            }
        };
        Ok(SpatialJoint { name: joint.name.clone(), a, b, kind })
    }

    fn spring(&self, path: &str, spring: &SpatialSpringData) -> Result<SpatialSpring, ImpactError> {
        let [a, b] = self.pair(path, &spring.between, spring.points)?;
        for (key, value) in [("stiffness", spring.stiffness), ("damping", spring.damping)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(ImpactError::out_of_range(format!("{path}.{key}"), value, "must be at least 0"));
            }
            moderate(|| format!("{path}.{key}"), value)?;
        }
        let here = (Vec3::from(spring.points[0]) - Vec3::from(spring.points[1])).norm();
        let length = moderate(|| format!("{path}.length"), spring.length.unwrap_or(here))?;
        if length < 0.0 {
            return Err(ImpactError::out_of_range(format!("{path}.length"), length, "must be at least 0"));
        }
        Ok(SpatialSpring { a, b, stiffness: spring.stiffness, damping: spring.damping, length })
    }

    fn force(&self, path: &str, force: &SpatialForceData, time: Option<f64>) -> Result<SpatialApplied, ImpactError> {
        let Some(&body) = self.names.get(force.body.as_str()).filter(|&&body| body < self.bodies) else {
            return Err(ImpactError::unknown(format!("{path}.body"), format!("{:?}", force.body), "is no body"));
        };
        let point = match force.point {
            Some(point) => match self.anchor(&format!("{path}.point"), &force.body, point)? {
                SpatialAnchor::Body(_, point) => point,
                _ => Vec3::zeros(),
            },
            None => Vec3::zeros(),
        };
        let read = |key: &str, parts: &[Formula; 3]| -> Result<[Expression; 3], ImpactError> {
            let one = |k: usize| parts[k].expression(&format!("{path}.{key}[{k}]"), time);
            Ok([one(0)?, one(1)?, one(2)?])
        };
        Ok(SpatialApplied { body, point, force: read("force", &force.force)?, torque: read("torque", &force.torque)? })
    }
}
