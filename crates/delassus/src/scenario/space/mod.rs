//! Scenarios in space: their tables, and the systems they become.

mod array;
mod build;
mod data;
mod expand;
#[cfg(feature = "serde")]
mod forms;
mod links;
mod relief;
mod short;
mod solid;

pub use data::{
    ArrayData, ContainerData, Inertia, Orientation, PlaneData, SpatialBodyData, SpatialForceData, SpatialGravity,
    SpatialJointData, SpatialJointType, SpatialPartData, SpatialScenario, SpatialShapeData, SpatialSpringData,
    SpatialWorld,
};
pub use relief::{MeshData, TerrainData};
pub use short::{Coin, Foot, Packing, SpatialRockingBlock};
