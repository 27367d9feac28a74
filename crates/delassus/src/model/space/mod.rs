//! Rigid bodies in space: q = (x, y, z, qw, qx, qy, qz) and u = (v, ω) of each body, world frame.

mod body;
mod events;
mod frame;
mod link;
mod overlap;
mod polytope;
mod relief;
mod shape;
mod sketch;
mod stepped;
mod system;
mod touch;

pub use body::SpatialBody;
use frame::Quaternion;
pub(crate) use frame::{Mat3, Place, Vec3, quaternion, rotation};
pub(crate) use link::{SpatialAnchor, SpatialApplied, SpatialJoint, SpatialJointKind, SpatialSpring};
pub(crate) use overlap::Facets;
pub(crate) use polytope::Polytope;
pub(crate) use relief::{Relief, ReliefFault};
pub(crate) use shape::{Form, HalfSpace, PRISM, SpatialShape, Spot};
pub use sketch::{SketchPlane, SketchSolid, SketchTriangle, Solid};
pub use system::SpatialSystem;
pub(crate) use system::{SpatialMotion, SpatialSupport};
