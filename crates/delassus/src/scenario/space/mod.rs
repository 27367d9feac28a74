//! Scenarios in space: their tables, and the systems they become.

mod array;
mod build;
mod data;
#[cfg(feature = "serde")]
mod forms;
mod links;
mod solid;

pub use data::{
    ArrayData, ContainerData, Inertia, Orientation, PlaneData, SpatialBodyData, SpatialForceData, SpatialGravity,
    SpatialJointData, SpatialJointType, SpatialPartData, SpatialScenario, SpatialShapeData, SpatialSpringData,
    SpatialWorld,
};
