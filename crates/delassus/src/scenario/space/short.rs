//! Short forms in space: usual systems in a few numbers.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A block on a horizontal ground, tilted about an edge of its base that lies along y, as the planar one is about a corner.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct SpatialRockingBlock {
    /// Width along x \[m\].
    pub width: f64,
    /// Depth along y \[m\].
    pub depth: f64,
    /// Height \[m\].
    pub height: f64,
    /// Mass \[kg\].
    pub mass: f64,
    /// Tilt about the edge \[rad\]; positive: it stands on the left edge at x = 0, negative: on the right one at x = width.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::scenario::angle::one"))]
    pub angle: f64,
    /// Its rate \[rad/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub rate: f64,
    /// Further tilt about the world's x \[rad\], which leaves it on one corner; default 0.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::scenario::angle::one"))]
    pub lean: f64,
}

/// A coin on its rim, on a horizontal table.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Coin {
    /// Radius \[m\].
    pub radius: f64,
    /// Thickness \[m\].
    pub thickness: f64,
    /// Mass \[kg\]; give it or the density.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mass: Option<f64>,
    /// Density \[kg/m³\].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub density: Option<f64>,
    /// Tilt from standing upright \[rad\], below π/2.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::scenario::angle::one"))]
    pub tilt: f64,
    /// Spin about the vertical \[rad/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub precession: f64,
    /// Spin about its own axis, which points to the upper side \[rad/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub roll: f64,
    /// Height of its lowest point above the table \[m\]; default 0: it touches.
    #[cfg_attr(feature = "serde", serde(default))]
    pub height: f64,
    /// Whether its centre moves so that the lowest point of the rim is at rest at the start; default false: the centre is.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rolling: bool,
}

/// A cuboid foot with the mass of a leg above it, about to land on a horizontal ground.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Foot {
    /// Length (x), width (y) and height (z) of the foot \[m\].
    pub size: [f64; 3],
    /// Mass of the foot \[kg\].
    pub mass: f64,
    /// Mass of the leg \[kg\], a ball.
    pub leg_mass: f64,
    /// Centre of the leg's mass, from the centre of the foot \[m\].
    pub leg_position: [f64; 3],
    /// Radius of the leg's mass \[m\]; default half the width of the foot.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub leg_radius: Option<f64>,
    /// Turn about x \[rad\]: it lands on a long edge.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::scenario::angle::one"))]
    pub roll: f64,
    /// Turn about y, after it \[rad\]: positive, the toe (x > 0) lands first.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::scenario::angle::one"))]
    pub pitch: f64,
    /// Height of its lowest point above the ground \[m\]; default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub height: f64,
    /// Velocity \[m/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: [f64; 3],
    /// Angular velocity \[rad/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub spin: [f64; 3],
}

/// Balls poured into a box of walls.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Packing {
    /// Number of balls.
    pub balls: usize,
    /// Largest radius \[m\].
    pub radius: f64,
    /// Part of the radius by which the smallest are smaller, radii between them being equally likely; default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub spread: f64,
    /// Density \[kg/m³\]; default 1000.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub density: Option<f64>,
    /// Width (x) and depth (y) of the box \[m\]; default such that the balls fill about a cube.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub size: Option<[f64; 2]>,
    /// Seed of radii and places; default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub seed: u64,
}
