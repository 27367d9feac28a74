//! A scenario in space as plain data, with the names of scenario files.

use std::fmt;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::relief::{MeshData, TerrainData};
use super::short::{Coin, Foot, Packing, SpatialRockingBlock};
use crate::budget::SolverData;
use crate::scenario::data::{Formula, IntegratorData, MaterialData, OutputData, Scenario, UntilData};
use crate::scenario::motion::MotionData;

/// A scenario in space (`[world] dimension = 3`). Up is z.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct SpatialScenario {
    /// Name; may be absent.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub name: Option<String>,
    /// Dimension and gravity.
    pub world: SpatialWorld,
    /// When the run ends.
    pub until: UntilData,
    /// Scheme and accuracy.
    pub integrator: IntegratorData,
    /// Limits of the work.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "SolverData::is_empty"))]
    pub solver: SolverData,
    /// What is sampled and shown.
    pub output: OutputData,
    /// Grounds.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub ground: Vec<PlaneData>,
    /// Walls.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub wall: Vec<PlaneData>,
    /// Boxes of walls, open above.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub container: Vec<ContainerData>,
    /// Height fields.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub terrain: Vec<TerrainData>,
    /// Supports of triangles.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub mesh: Vec<MeshData>,
    /// Bodies.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub body: Vec<SpatialBodyData>,
    /// Arrays of equal bodies.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub array: Vec<ArrayData>,
    /// Joints.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub joint: Vec<SpatialJointData>,
    /// Springs and dampers.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub spring: Vec<SpatialSpringData>,
    /// Applied forces.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub force: Vec<SpatialForceData>,
    /// Materials, from the most general to the most particular.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "crate::scenario::forms::materials")
    )]
    pub material: Vec<MaterialData>,
    /// Short form: a block that rocks on a ground.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rocking_block: Option<SpatialRockingBlock>,
    /// Short form: a coin on its rim.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub coin: Option<Coin>,
    /// Short form: a foot that lands.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub foot: Option<Foot>,
    /// Short form: balls poured into a box.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub packing: Option<Packing>,
}

impl From<SpatialScenario> for Scenario {
    fn from(scenario: SpatialScenario) -> Self {
        let SpatialScenario { name, until, integrator, solver, output, .. } = scenario.clone();
        Scenario { name, until, integrator, solver, output, space: Some(Box::new(scenario)), ..Scenario::default() }
    }
}

/// The world.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct SpatialWorld {
    /// 3.
    pub dimension: u8,
    /// Gravity \[m/s²\], along −z, or as a vector.
    pub gravity: SpatialGravity,
}

impl Default for SpatialWorld {
    fn default() -> Self {
        Self { dimension: 3, gravity: SpatialGravity::Down(9.81) }
    }
}

/// Gravity: a magnitude along −z, or a vector.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(untagged))]
pub enum SpatialGravity {
    /// Magnitude along −z.
    Down(f64),
    /// (g_x, g_y, g_z).
    Vector([f64; 3]),
}

impl SpatialGravity {
    /// (g_x, g_y, g_z).
    pub fn vector(self) -> [f64; 3] {
        match self {
            Self::Down(g) => [0.0, 0.0, -g],
            Self::Vector(g) => g,
        }
    }
}

/// A plane that is a ground or a wall.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct PlaneData {
    /// Name.
    pub name: String,
    /// A point of it \[m\]; default the origin.
    #[cfg_attr(feature = "serde", serde(default))]
    pub point: [f64; 3],
    /// Its normal, towards the free side; default (0, 0, 1) turned by the angle.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub normal: Option<[f64; 3]>,
    /// Inclination \[rad\]: it rises along x; default 0.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::scenario::angle::maybe")
    )]
    pub angle: Option<f64>,
    /// Its motion, or a list of motions that add up; default none.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", with = "crate::scenario::forms::motion")
    )]
    pub motion: Option<MotionData<[f64; 3]>>,
}

/// A box of walls around a free space: a floor and four walls, with a lid five.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct ContainerData {
    /// Name; its planes are `name.floor`, `name.left` (x), `name.right`, `name.front` (y), `name.back`, `name.lid`.
    pub name: String,
    /// Width (x), depth (y) and height (z) of the free space \[m\].
    pub size: [f64; 3],
    /// Centre of the floor \[m\]; default the origin.
    #[cfg_attr(feature = "serde", serde(default))]
    pub position: [f64; 3],
    /// Whether it is closed above; default false.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lid: bool,
    /// Motion of all its planes; default none.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", with = "crate::scenario::forms::motion")
    )]
    pub motion: Option<MotionData<[f64; 3]>>,
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct SpatialBodyData {
    /// Name, unique among bodies and supports.
    pub name: String,
    /// Shape.
    pub shape: SpatialShapeData,
    /// Mass \[kg\]; give it or the density. A compound has the mass of its parts, or spreads this one over their volumes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mass: Option<f64>,
    /// Density \[kg/m³\]; of a compound that of all parts that give nothing of their own.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub density: Option<f64>,
    /// Moments of inertia about the centre of mass in the body's frame \[kg m²\]; default those of the shape.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub inertia: Option<Inertia>,
    /// Centre of mass at the start \[m\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub position: [f64; 3],
    /// Orientation at the start; default not turned.
    #[cfg_attr(feature = "serde", serde(default))]
    pub orientation: Orientation,
    /// Velocity of the centre of mass at the start \[m/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: [f64; 3],
    /// Angular velocity at the start \[rad/s\], world frame.
    #[cfg_attr(feature = "serde", serde(default))]
    pub spin: [f64; 3],
}

/// The shape of a body, about its centre of mass.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum SpatialShapeData {
    /// A uniform ball.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// A box.
    Cuboid {
        /// Sides along x, y and z \[m\].
        size: [f64; 3],
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Height along z \[m\].
        height: f64,
    },
    /// A cylinder along z with half balls at its ends.
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Distance between the centres of the half balls \[m\].
        length: f64,
    },
    /// The convex hull of points in any frame; the centre of mass becomes the origin.
    Convex {
        /// Points \[m\].
        vertices: Vec<[f64; 3]>,
    },
    /// Several shapes in one body.
    Compound {
        /// The parts.
        part: Vec<SpatialPartData>,
    },
}

impl Default for SpatialShapeData {
    fn default() -> Self {
        Self::Sphere { radius: 1.0 }
    }
}

/// A part of a compound body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct SpatialPartData {
    /// Shape; no compound.
    pub shape: SpatialShapeData,
    /// Mass \[kg\]; may be 0. Default by its density, or by mass or density of the body.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mass: Option<f64>,
    /// Density \[kg/m³\].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub density: Option<f64>,
    /// Centre of the part in the body's frame \[m\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub position: [f64; 3],
    /// Its orientation in the body's frame.
    #[cfg_attr(feature = "serde", serde(default))]
    pub orientation: Orientation,
}

/// Moments of inertia: principal ones along x, y, z, or a symmetric matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(untagged))]
pub enum Inertia {
    /// Along the axes.
    Principal([f64; 3]),
    /// Row by row.
    Matrix([[f64; 3]; 3]),
}

impl fmt::Display for Inertia {
    /// As files write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Principal(moments) => write!(f, "{moments:?}"),
            Self::Matrix(rows) => write!(f, "{rows:?}"),
        }
    }
}

/// An orientation: from the body's frame to the world's.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(untagged))]
pub enum Orientation {
    /// A rotation about an axis.
    Axis {
        /// Axis, of any length.
        axis: [f64; 3],
        /// Angle \[rad\].
        angle: f64,
    },
    /// A quaternion (w, x, y, z), of any length.
    Quaternion([f64; 4]),
    /// Turned about the world's x by `roll`, then about y by `pitch`, then about z by `yaw` \[rad\].
    Euler {
        /// About x.
        roll: f64,
        /// About y.
        pitch: f64,
        /// About z.
        yaw: f64,
    },
}

impl fmt::Display for Orientation {
    /// As files write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Axis { axis, angle } => write!(f, "{{ axis = {axis:?}, angle = {angle} }}"),
            Self::Quaternion(parts) => write!(f, "{parts:?}"),
            Self::Euler { roll, pitch, yaw } => write!(f, "{{ roll = {roll}, pitch = {pitch}, yaw = {yaw} }}"),
        }
    }
}

impl Default for Orientation {
    fn default() -> Self {
        Self::Quaternion([1.0, 0.0, 0.0, 0.0])
    }
}

/// Equal bodies in rows, columns and layers.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct ArrayData {
    /// Name; the bodies are `name1`, `name2`, … along x, then y, then z.
    pub name: String,
    /// Shape of each.
    pub shape: SpatialShapeData,
    /// Mass of each \[kg\].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mass: Option<f64>,
    /// Density \[kg/m³\].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub density: Option<f64>,
    /// How many along x, y and z.
    pub count: [usize; 3],
    /// Distance between centres along x, y and z \[m\].
    pub spacing: [f64; 3],
    /// Centre of the first body \[m\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub position: [f64; 3],
    /// Orientation of each.
    #[cfg_attr(feature = "serde", serde(default))]
    pub orientation: Orientation,
    /// Velocity of each \[m/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: [f64; 3],
    /// Largest random shift of each centre along each axis \[m\]; default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub jitter: f64,
    /// Whether each is turned at random; default false.
    #[cfg_attr(feature = "serde", serde(default))]
    pub random_orientation: bool,
    /// Seed of what is random; default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub seed: u64,
}

/// What kind of joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SpatialJointType {
    /// Holds a point.
    Ball,
    /// Holds a point and an axis.
    Hinge,
    /// Holds a line and the orientation.
    Slider,
    /// Holds a point and the orientation.
    Weld,
    /// Holds the distance of two points, as a rod without mass does, or a string that stays taut.
    Rod,
}

/// A joint between two bodies, or a body and a support or `world`. Bodies that it connects do not touch.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct SpatialJointData {
    /// Name.
    pub name: String,
    /// Kind.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: SpatialJointType,
    /// The two sides.
    pub between: [String; 2],
    /// Where it is at the start \[m\]; not for rods.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub point: Option<[f64; 3]>,
    /// The ends of a rod at the start \[m\].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub points: Option<[[f64; 3]; 2]>,
    /// Axis of a hinge or slider at the start.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub axis: Option<[f64; 3]>,
}

/// A spring with a damper between two points.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct SpatialSpringData {
    /// The two sides: bodies, supports or `world`.
    pub between: [String; 2],
    /// Its ends at the start \[m\].
    pub points: [[f64; 3]; 2],
    /// Stiffness \[N/m\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub stiffness: f64,
    /// Damping \[N s/m\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub damping: f64,
    /// Length without force \[m\]; default as at the start.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub length: Option<f64>,
}

/// A force and a moment on a body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct SpatialForceData {
    /// The body.
    pub body: String,
    /// Point of attack at the start \[m\]; default the centre of mass.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub point: Option<[f64; 3]>,
    /// Components \[N\] in fixed directions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub force: [Formula; 3],
    /// Components of a moment \[N m\] in fixed directions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub torque: [Formula; 3],
}
