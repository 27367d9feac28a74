//! A scenario as plain data, with the names of scenario files.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::motion::MotionData;
use super::short::{Chain, DoublePendulumForm, RockingBlock, Rod};
use super::space::SpatialScenario;
use crate::budget::SolverData;
use crate::simulate::Scheme;

/// A whole scenario: bodies, supports, what holds them together, and what to
/// compute. At most one short form stands for bodies and supports.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct Scenario {
    /// Name; may be absent.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub name: Option<String>,
    /// Gravity.
    pub world: World,
    /// When the run ends.
    pub until: UntilData,
    /// Accuracy.
    pub integrator: IntegratorData,
    /// Limits of the work at each impact.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "SolverData::is_empty"))]
    pub solver: SolverData,
    /// What is sampled and shown.
    pub output: OutputData,
    /// Grounds.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub ground: Vec<LineData>,
    /// Walls.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub wall: Vec<LineData>,
    /// Bodies.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub body: Vec<BodyData>,
    /// Joints.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub joint: Vec<PlanarJointData>,
    /// Springs and dampers.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub spring: Vec<SpringData>,
    /// One-way clutches.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub clutch: Vec<PlanarClutchData>,
    /// Applied forces.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub force: Vec<ForceData>,
    /// Materials, from the most general to the most particular.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "super::forms::materials")
    )]
    pub material: Vec<MaterialData>,
    /// Short form: a block that rocks on a ground.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rocking_block: Option<RockingBlock>,
    /// Short form: a chain of balls.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub chain: Option<Chain>,
    /// Short form: a rod above a ground.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rod: Option<Rod>,
    /// Short form: a double pendulum above a ground.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub double_pendulum: Option<DoublePendulumForm>,
    /// The scenario in space, which then stands for all but name, ends and settings.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub space: Option<Box<SpatialScenario>>,
}

/// The world.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct World {
    /// 2; files with 3 hold a [`SpatialScenario`].
    pub dimension: u8,
    /// Gravity \[m/s²\], along −y, or as a vector.
    pub gravity: Gravity,
}

impl Default for World {
    fn default() -> Self {
        Self { dimension: 2, gravity: Gravity::Down(9.81) }
    }
}

/// Gravity: a magnitude along −y, or a vector.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(untagged))]
pub enum Gravity {
    /// Magnitude along −y.
    Down(f64),
    /// (g_x, g_y).
    Vector([f64; 2]),
}

impl Gravity {
    /// (g_x, g_y).
    pub fn vector(self) -> [f64; 2] {
        match self {
            Self::Down(g) => [0.0, -g],
            Self::Vector(g) => g,
        }
    }
}

/// When the run ends: whatever comes first.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct UntilData {
    /// Time \[s\]; default 10, with a record 10 after its end, or [`LONGEST`] where another end is asked for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub time: Option<f64>,
    /// Number of impacts.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub impacts: Option<usize>,
    /// Whether to stop when everything rests; default true.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rest: Option<bool>,
    /// Whether to stop at |θ| = π/2 of the only body; default for rocking blocks.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub overturned: Option<bool>,
}

/// Time after which a run ends whose other end does not come \[s\].
pub const LONGEST: f64 = 1e4;
/// Time of a run for which no end is given, after the last record or pulse has ended \[s\].
const USUAL: f64 = 10.0;

impl Scenario {
    /// Gives a time to a run for which no end is given.
    pub fn settle_end(&mut self) {
        let motions = self.ground.iter().chain(&self.wall).filter_map(|line| line.motion.as_ref());
        let ends = motions.map(MotionData::end).fold(0.0, f64::max);
        self.until.settle(ends);
    }
}

impl UntilData {
    /// Gives a time to a run for which no end is given, whose supports move until `ends`.
    pub(super) fn settle(&mut self, ends: f64) {
        if self.impacts.is_none() && self.rest != Some(true) && self.overturned != Some(true) {
            self.time.get_or_insert(USUAL + ends);
        }
    }
}

/// Accuracy and limits; see [`Settings`](crate::simulate::Settings).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct IntegratorData {
    /// Relative error of a step.
    pub tolerance: f64,
    /// Relative gap up to which contacts take part in an impact.
    pub contact_tolerance: f64,
    /// Relative speed below which impacts accumulate.
    pub accumulation: f64,
    /// Largest step \[s\].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_step: Option<f64>,
    /// Events after which the run gives up.
    pub max_events: usize,
    /// How the motion is computed; default by events, in space `auto` where few bodies touch as events know them, else
    /// time-stepping.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub scheme: Option<Scheme>,
    /// Step of time-stepping \[s\].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub step: Option<f64>,
    /// Weight of a step's end in time-stepping, from ½ to 1.
    pub theta: f64,
    /// Whether bodies that rest sleep in time-stepping.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub sleep: bool,
}

impl Default for IntegratorData {
    fn default() -> Self {
        let settings = crate::simulate::Settings::default();
        Self {
            tolerance: settings.tolerance,
            contact_tolerance: settings.contact_tolerance,
            accumulation: settings.accumulation,
            max_step: settings.max_step,
            max_events: settings.max_events,
            scheme: None,
            step: None,
            theta: settings.theta,
            sleep: settings.sleep,
        }
    }
}

/// What is sampled and shown.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct OutputData {
    /// Time between samples \[s\]; absent: a thousandth of the time.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub interval: Option<f64>,
    /// The quantities drawn, by their [names](crate::simulate::Quantity::names); none: those that say most.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "super::forms::names")
    )]
    pub plot: Vec<String>,
}

/// A straight ground or wall.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct LineData {
    /// Name.
    pub name: String,
    /// A point of it \[m\]; default the origin.
    #[cfg_attr(feature = "serde", serde(default))]
    pub point: [f64; 2],
    /// Its normal, towards the free side; default (0, 1) turned by the angle.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub normal: Option<[f64; 2]>,
    /// Inclination \[rad\], counter-clockwise; default 0.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "super::angle::maybe")
    )]
    pub angle: Option<f64>,
    /// Its motion, or a list of motions that add up; default none.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", with = "super::forms::motion")
    )]
    pub motion: Option<MotionData>,
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct BodyData {
    /// Name, unique among bodies and supports.
    pub name: String,
    /// Shape.
    pub shape: ShapeData,
    /// Mass \[kg\]; for a compound the sum of its parts.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mass: Option<f64>,
    /// Moment of inertia \[kg m²\]; default that of the uniform shape.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub inertia: Option<f64>,
    /// Centre of mass at the start \[m\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub position: [f64; 2],
    /// Angle at the start \[rad\].
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "super::angle::one"))]
    pub angle: f64,
    /// Velocity of the centre of mass at the start \[m/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: [f64; 2],
    /// Angular velocity at the start \[rad/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub rate: f64,
    /// Names of the corners, counter-clockwise from the lower left; default numbers.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub corners: Vec<String>,
}

/// The shape of a body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum ShapeData {
    /// A rectangle: along x and y at angle 0 \[m\].
    Box {
        /// Along x.
        width: f64,
        /// Along y.
        height: f64,
    },
    /// A uniform disk.
    Disk {
        /// Radius \[m\].
        radius: f64,
    },
    /// A thin uniform rod along x at angle 0.
    Rod {
        /// Length \[m\].
        length: f64,
    },
    /// A convex polygon, corners counter-clockwise in any frame; the centre of mass becomes the origin.
    Polygon {
        /// Corners \[m\].
        vertices: Vec<[f64; 2]>,
    },
    /// Several shapes in one body.
    Compound {
        /// The parts.
        part: Vec<PartData>,
    },
}

impl Default for ShapeData {
    fn default() -> Self {
        Self::Disk { radius: 1.0 }
    }
}

/// A part of a compound body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct PartData {
    /// Shape; no compound.
    pub shape: ShapeData,
    /// Mass \[kg\]; may be 0.
    pub mass: f64,
    /// Centre of the part in the body's frame \[m\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub position: [f64; 2],
    /// Angle of the part \[rad\].
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "super::angle::one"))]
    pub angle: f64,
}

/// What kind of joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum JointType {
    /// Holds a point.
    Pin,
    /// Holds a line and the angle.
    Slider,
    /// Holds a point and the angle.
    Weld,
}

/// A joint between two bodies, or a body and a support or `world`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct PlanarJointData {
    /// Name.
    pub name: String,
    /// Kind.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: JointType,
    /// The two sides.
    pub between: [String; 2],
    /// Where it is at the start \[m\].
    pub point: [f64; 2],
    /// Direction of a slider at the start.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub axis: Option<[f64; 2]>,
}

/// A spring with a damper between two sides.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct SpringData {
    /// The two sides: bodies, supports or `world`.
    pub between: [String; 2],
    /// Its ends at the start \[m\]; for torsion not needed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub points: [[f64; 2]; 2],
    /// Stiffness \[N/m\] or \[N m/rad\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub stiffness: f64,
    /// Damping \[N s/m\] or \[N m s/rad\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub damping: f64,
    /// Length \[m\] or angle \[rad\] without force; default as at the start.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub length: Option<f64>,
    /// Whether it acts on the angle between the sides.
    #[cfg_attr(feature = "serde", serde(default))]
    pub torsion: bool,
}

/// A one-way clutch between two sides.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct PlanarClutchData {
    /// Name.
    pub name: String,
    /// The two sides.
    pub between: [String; 2],
    /// Free sense of v_A − v_B of the centres; absent: it acts on the rotation.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub axis: Option<[f64; 2]>,
    /// For rotation: whether ω_A − ω_B < 0 is free instead of > 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub reversed: bool,
    /// Restitution, as the law reads it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub restitution: f64,
}

/// A number or an expression of time.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(untagged))]
pub enum Formula {
    /// A constant.
    Number(f64),
    /// An expression of `t`.
    Text(String),
}

impl Default for Formula {
    fn default() -> Self {
        Self::Number(0.0)
    }
}

/// A force and a moment on a body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct ForceData {
    /// The body.
    pub body: String,
    /// Point of attack at the start \[m\]; default the centre of mass.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub point: Option<[f64; 2]>,
    /// Components \[N\] in fixed directions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub force: [Formula; 2],
    /// Moment \[N m\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub torque: Formula,
}

/// Material of contacts: of all, of a pair, or of one contact by name.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct MaterialData {
    /// The pair it holds for; absent: all.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub between: Option<[String; 2]>,
    /// The one contact it holds for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub contact: Option<String>,
    /// Kinetic friction; default 0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub friction: Option<f64>,
    /// Static friction; default the kinetic one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub friction_static: Option<f64>,
    /// Restitution; default 0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub restitution: Option<f64>,
    /// Tangential restitution; default 0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub restitution_tangential: Option<f64>,
    /// Stiffness; default 1, only ratios matter.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub stiffness: Option<f64>,
    /// k_A/k_B of a rocking block; becomes the stiffness of contact A.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub stiffness_ratio: Option<f64>,
}
