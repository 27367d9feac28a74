//! Scenarios in space: their tables, and the systems they become.

mod array;
mod build;
mod data;
#[cfg(feature = "serde")]
mod forms;
mod solid;

pub use data::{
    ArrayData, ContainerData, Inertia, Orientation, PlaneData, SpatialBodyData, SpatialGravity, SpatialPartData,
    SpatialScenario, SpatialShapeData, SpatialWorld,
};
