//! Short forms: impact problems of the papers in a few named numbers.

use super::{ContactData, ProblemData};
use crate::elementary::Elementary;
use crate::error::{ImpactError, at_least, finite};
use crate::mass::Mass;

/// A problem as written: in full or by a short form.
#[derive(Debug, Clone, PartialEq)]
pub enum ProblemSource {
    /// Mass, velocity and elements.
    Full(ProblemData),
    /// A rod that strikes with its tip.
    Rod(RodImpact),
    /// A block whose corner strikes while the other one rests.
    Block(BlockImpact),
}

impl ProblemSource {
    /// The problem in full.
    ///
    /// # Errors
    /// A quantity of a short form out of range.
    pub fn data(&self) -> Result<ProblemData, ImpactError> {
        match self {
            Self::Full(data) => Ok(data.clone()),
            Self::Rod(rod) => rod.data(),
            Self::Block(block) => block.data(),
        }
    }

    /// As [`data`](Self::data), without copying a problem given in full.
    ///
    /// # Errors
    /// As [`data`](Self::data).
    pub fn into_data(self) -> Result<ProblemData, ImpactError> {
        if let Self::Full(data) = self { Ok(data) } else { self.data() }
    }
}

/// A slender rod that strikes a horizontal ground with its lower tip, one
/// planar contact `tip` [PG 2005, §5]. The tip lies at (s cos φ, −s sin φ) from
/// the centre of mass; u = (ẋ, ẏ, φ̇), γ_N = ẏ − s cos φ φ̇, γ_T = ẋ − s sin φ φ̇.
#[derive(Debug, Clone, PartialEq)]
pub struct RodImpact {
    /// Name of the problem; may be empty.
    pub name: String,
    /// Mass m \[kg\].
    pub mass: f64,
    /// Half of the length s \[m\].
    pub half_length: f64,
    /// Moment of inertia Θ \[kg m²\]; absent: that of a uniform rod, ms²/3.
    pub inertia: Option<f64>,
    /// Angle φ by which the rod points below the horizontal \[rad\].
    pub angle: f64,
    /// Angular velocity φ̇⁻ \[rad/s\]; the tip's velocity stays as given.
    pub rate: f64,
    /// Normal velocity of the tip γ_N⁻ \[m/s\]; negative approaches.
    pub normal_velocity: f64,
    /// Tangential velocity of the tip.
    pub tangential: TangentialVelocity,
    /// Friction μ.
    pub friction: f64,
    /// Restitution ε_N.
    pub restitution: f64,
    /// Tangential restitution ε_T.
    pub restitution_tangential: f64,
}

/// The tangential velocity of a tip before the impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TangentialVelocity {
    /// γ_T⁻ \[m/s\].
    Absolute(f64),
    /// γ_T⁻/γ_N⁻.
    Ratio(f64),
}

impl Default for RodImpact {
    fn default() -> Self {
        Self {
            name: String::new(),
            mass: 1.0,
            half_length: 1.0,
            inertia: None,
            angle: 0.0,
            rate: 0.0,
            normal_velocity: -1.0,
            tangential: TangentialVelocity::Ratio(0.0),
            friction: 0.0,
            restitution: 0.0,
            restitution_tangential: 0.0,
        }
    }
}

impl RodImpact {
    /// The names of its quantities.
    pub const QUANTITIES: [&'static str; 11] = [
        "mass",
        "half_length",
        "inertia",
        "angle",
        "rate",
        "normal_velocity",
        "tangential_velocity",
        "velocity_ratio",
        "friction",
        "restitution",
        "restitution_tangential",
    ];

    /// The quantity of that name. Asking for a tangential velocity or a ratio
    /// makes the rod follow that one.
    pub fn quantity(&mut self, name: &str) -> Option<&mut f64> {
        Some(match name {
            "mass" => &mut self.mass,
            "half_length" => &mut self.half_length,
            "inertia" => self.inertia.get_or_insert(self.mass * self.half_length * self.half_length / 3.0),
            "angle" => &mut self.angle,
            "rate" => &mut self.rate,
            "normal_velocity" => &mut self.normal_velocity,
            "tangential_velocity" => {
                if let TangentialVelocity::Ratio(ratio) = self.tangential {
                    self.tangential = TangentialVelocity::Absolute(ratio * self.normal_velocity);
                }
                self.tangential.number()
            }
            "velocity_ratio" => {
                if let TangentialVelocity::Absolute(velocity) = self.tangential {
                    self.tangential = TangentialVelocity::Ratio(velocity / self.normal_velocity);
                }
                self.tangential.number()
            }
            "friction" => &mut self.friction,
            "restitution" => &mut self.restitution,
            "restitution_tangential" => &mut self.restitution_tangential,
            _ => return None,
        })
    }

    fn data(&self) -> Result<ProblemData, ImpactError> {
        let field = |key: &str| format!("rod_impact.{key}");
        let (mass, s) = (positive(field, "mass", self.mass)?, positive(field, "half_length", self.half_length)?);
        let inertia = positive(field, "inertia", self.inertia.unwrap_or(mass * s * s / 3.0))?;
        let (sin, cos) = finite(|| field("angle"), self.angle)?.sine_cosine();
        let rate = finite(|| field("rate"), self.rate)?;
        let normal = finite(|| field("normal_velocity"), self.normal_velocity)?;
        let tangential = match self.tangential {
            TangentialVelocity::Absolute(velocity) => finite(|| field("tangential_velocity"), velocity)?,
            TangentialVelocity::Ratio(ratio) => finite(|| field("velocity_ratio"), ratio)? * normal,
        };
        let velocity = [tangential + s * sin * rate, normal + s * cos * rate, rate];
        let contact = ContactData::new("tip", [0.0, 1.0, -s * cos])
            .tangent([1.0, 0.0, -s * sin])
            .friction(at_least(|| field("friction"), self.friction, 0.0)?)
            .restitution(at_least(|| field("restitution"), self.restitution, 0.0)?)
            .restitution_tangential(unit(field, "restitution_tangential", self.restitution_tangential)?);
        let data = ProblemData::new(Mass::diagonal(vec![mass, mass, inertia])?, velocity).with_contact(contact);
        Ok(ProblemData { name: self.name.clone(), ..data })
    }
}

impl TangentialVelocity {
    fn number(&mut self) -> &mut f64 {
        let (Self::Absolute(number) | Self::Ratio(number)) = self;
        number
    }
}

/// A uniform block, upright at the moment of impact, that turns about its left
/// corner `A` while its right corner `B` strikes [ZBL 2012]: two planar
/// contacts, u = (ẋ, ẏ, θ̇) of the centre of mass, counter-clockwise.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockImpact {
    /// Name of the problem; may be empty.
    pub name: String,
    /// Mass m \[kg\].
    pub mass: f64,
    /// Width L \[m\].
    pub width: f64,
    /// Height l \[m\].
    pub height: BlockHeight,
    /// Angular velocity θ̇⁻ about A \[rad/s\]; negative: B comes down.
    pub rate: f64,
    /// Velocity of A along the ground \[m/s\].
    pub slip: f64,
    /// Kinetic friction of both corners.
    pub friction: f64,
    /// Static friction of both corners; absent: the kinetic one.
    pub friction_static: Option<f64>,
    /// Restitution of both corners.
    pub restitution: f64,
    /// Ratio of stiffnesses k_A/k_B.
    pub stiffness_ratio: f64,
}

/// The height of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BlockHeight {
    /// l \[m\].
    Absolute(f64),
    /// a = l/L.
    Aspect(f64),
}

impl Default for BlockImpact {
    fn default() -> Self {
        Self {
            name: String::new(),
            mass: 1.0,
            width: 1.0,
            height: BlockHeight::Aspect(1.0),
            rate: -1.0,
            slip: 0.0,
            friction: 0.0,
            friction_static: None,
            restitution: 0.0,
            stiffness_ratio: 1.0,
        }
    }
}

impl BlockImpact {
    /// The names of its quantities.
    pub const QUANTITIES: [&'static str; 10] = [
        "mass",
        "width",
        "height",
        "aspect",
        "rate",
        "slip",
        "friction",
        "friction_static",
        "restitution",
        "stiffness_ratio",
    ];

    /// The quantity of that name. Asking for height or aspect makes the block
    /// follow that one when its width changes.
    pub fn quantity(&mut self, name: &str) -> Option<&mut f64> {
        Some(match name {
            "mass" => &mut self.mass,
            "width" => &mut self.width,
            "height" => {
                if let BlockHeight::Aspect(aspect) = self.height {
                    self.height = BlockHeight::Absolute(aspect * self.width);
                }
                self.height.number()
            }
            "aspect" => {
                if let BlockHeight::Absolute(height) = self.height {
                    self.height = BlockHeight::Aspect(height / self.width);
                }
                self.height.number()
            }
            "rate" => &mut self.rate,
            "slip" => &mut self.slip,
            "friction" => &mut self.friction,
            "friction_static" => self.friction_static.get_or_insert(self.friction),
            "restitution" => &mut self.restitution,
            "stiffness_ratio" => &mut self.stiffness_ratio,
            _ => return None,
        })
    }

    fn data(&self) -> Result<ProblemData, ImpactError> {
        let field = |key: &str| format!("block_impact.{key}");
        let (mass, width) = (positive(field, "mass", self.mass)?, positive(field, "width", self.width)?);
        let height = match self.height {
            BlockHeight::Absolute(height) => positive(field, "height", height)?,
            BlockHeight::Aspect(aspect) => positive(field, "aspect", aspect)? * width,
        };
        let rate = finite(|| field("rate"), self.rate)?;
        let slip = finite(|| field("slip"), self.slip)?;
        let friction = at_least(|| field("friction"), self.friction, 0.0)?;
        let fixed = at_least(|| field("friction_static"), self.friction_static.unwrap_or(friction), friction)?;
        let restitution = at_least(|| field("restitution"), self.restitution, 0.0)?;
        let stiffness = positive(field, "stiffness_ratio", self.stiffness_ratio)?;
        let mass = Mass::diagonal(vec![mass, mass, mass * (width * width + height * height) / 12.0])?;
        let velocity = [slip - 0.5 * height * rate, 0.5 * width * rate, rate];
        let corner = |name: &str, x: f64| {
            ContactData::new(name, [0.0, 1.0, x])
                .tangent([1.0, 0.0, 0.5 * height])
                .friction(friction)
                .friction_static(fixed)
                .restitution(restitution)
        };
        let data = ProblemData::new(mass, velocity)
            .with_contact(corner("A", -0.5 * width).stiffness(stiffness))
            .with_contact(corner("B", 0.5 * width));
        Ok(ProblemData { name: self.name.clone(), ..data })
    }
}

impl BlockHeight {
    fn number(&mut self) -> &mut f64 {
        let (Self::Absolute(number) | Self::Aspect(number)) = self;
        number
    }
}

fn positive(field: impl Fn(&str) -> String, key: &str, value: f64) -> Result<f64, ImpactError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(ImpactError::out_of_range(field(key), value, "must be positive and finite"))
    }
}

fn unit(field: impl Fn(&str) -> String, key: &str, value: f64) -> Result<f64, ImpactError> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(ImpactError::out_of_range(field(key), value, "must lie in [0, 1]"))
    }
}
