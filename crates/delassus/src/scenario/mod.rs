//! Scenarios: plain data that becomes a [`PlanarSystem`](crate::model::PlanarSystem) in motion.
//!
//! A [`Scenario`] holds what scenario files hold. [`Scenario::expand`] turns
//! short forms (rocking block, chain, rod, double pendulum) into bodies and
//! supports; [`Scenario::build`] makes the system and its start. Scenarios in space have tables of their
//! own ([`SpatialScenario`]).

pub mod angle;
mod build;
mod contacts;
mod data;
mod expand;
#[cfg(feature = "serde")]
mod forms;
mod formula;
mod motion;
mod shape;
mod short;
mod space;

pub use build::Built;
pub use data::{
    BodyData, ForceData, Formula, Gravity, IntegratorData, JointType, LONGEST, LineData, MaterialData, OutputData,
    PartData, PlanarClutchData, PlanarJointData, Scenario, ShapeData, SpringData, UntilData, World,
};
pub use motion::{Along, MotionData, RecordSource};
pub use short::{Chain, DoublePendulumForm, RockingBlock, Rod};
pub use space::{
    ArrayData, Coin, ContainerData, Foot, Inertia, MeshData, Orientation, Packing, PlaneData, SpatialBodyData,
    SpatialForceData, SpatialGravity, SpatialJointData, SpatialJointType, SpatialPartData, SpatialRockingBlock,
    SpatialScenario, SpatialShapeData, SpatialSpringData, SpatialWorld, TerrainData,
};
