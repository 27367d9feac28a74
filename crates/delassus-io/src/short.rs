//! Short forms of a problem file: `[rod_impact]` and `[block_impact]`.

use delassus::{BlockHeight, BlockImpact, ImpactError, RodImpact, TangentialVelocity};
use serde::Deserialize;

use crate::tables::missing;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RodTable {
    mass: Option<f64>,
    half_length: Option<f64>,
    inertia: Option<f64>,
    #[serde(default, deserialize_with = "delassus::scenario::angle::maybe")]
    angle: Option<f64>,
    rate: Option<f64>,
    normal_velocity: Option<f64>,
    tangential_velocity: Option<f64>,
    velocity_ratio: Option<f64>,
    friction: Option<f64>,
    restitution: Option<f64>,
    restitution_tangential: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockTable {
    mass: Option<f64>,
    width: Option<f64>,
    height: Option<f64>,
    aspect: Option<f64>,
    rate: Option<f64>,
    slip: Option<f64>,
    friction: Option<f64>,
    friction_static: Option<f64>,
    restitution: Option<f64>,
    stiffness_ratio: Option<f64>,
}

impl RodTable {
    pub fn rod(self, name: Option<String>) -> Result<RodImpact, ImpactError> {
        let default = RodImpact::default();
        let tangential = one_of(
            "rod_impact",
            [
                ("tangential_velocity", self.tangential_velocity.map(TangentialVelocity::Absolute)),
                ("velocity_ratio", self.velocity_ratio.map(TangentialVelocity::Ratio)),
            ],
        )?;
        Ok(RodImpact {
            name: name.unwrap_or_default(),
            mass: self.mass.unwrap_or(default.mass),
            half_length: self.half_length.unwrap_or(default.half_length),
            inertia: self.inertia,
            angle: self.angle.ok_or_else(|| missing("rod_impact.angle"))?,
            rate: self.rate.unwrap_or(default.rate),
            normal_velocity: self.normal_velocity.unwrap_or(default.normal_velocity),
            tangential: tangential.unwrap_or(default.tangential),
            friction: self.friction.ok_or_else(|| missing("rod_impact.friction"))?,
            restitution: self.restitution.unwrap_or(default.restitution),
            restitution_tangential: self.restitution_tangential.unwrap_or(default.restitution_tangential),
        })
    }
}

impl BlockTable {
    pub fn block(self, name: Option<String>) -> Result<BlockImpact, ImpactError> {
        let default = BlockImpact::default();
        let height = one_of(
            "block_impact",
            [("height", self.height.map(BlockHeight::Absolute)), ("aspect", self.aspect.map(BlockHeight::Aspect))],
        )?;
        Ok(BlockImpact {
            name: name.unwrap_or_default(),
            mass: self.mass.unwrap_or(default.mass),
            width: self.width.unwrap_or(default.width),
            height: height.ok_or_else(|| missing("block_impact.height"))?,
            rate: self.rate.unwrap_or(default.rate),
            slip: self.slip.unwrap_or(default.slip),
            friction: self.friction.ok_or_else(|| missing("block_impact.friction"))?,
            friction_static: self.friction_static,
            restitution: self.restitution.unwrap_or(default.restitution),
            stiffness_ratio: self.stiffness_ratio.unwrap_or(default.stiffness_ratio),
        })
    }
}

/// At most one of two keys that say the same.
fn one_of<T>(form: &str, [a, b]: [(&str, Option<T>); 2]) -> Result<Option<T>, ImpactError> {
    if a.1.is_some() && b.1.is_some() {
        let problem = format!("only one of {} and {} can be given", a.0, b.0);
        return Err(ImpactError::new(format!("{form}.{}", b.0), "", problem));
    }
    Ok(a.1.or(b.1))
}
