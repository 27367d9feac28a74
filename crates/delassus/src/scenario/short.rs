//! Short forms: the systems of the papers in a few numbers.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A block on a horizontal ground, rocking on its corners `A` (left) and `B` (right).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct RockingBlock {
    /// Width L \[m\].
    pub width: f64,
    /// Height l \[m\].
    pub height: f64,
    /// Mass \[kg\].
    pub mass: f64,
    /// θ(0) \[rad\]; positive: it stands on A at x = 0, negative: on B at x = L.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "super::angle::one"))]
    pub angle: f64,
    /// θ̇(0) \[rad/s\], about the corner it stands on.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rate: f64,
}

/// Balls in a row along x: free, against a wall, or hanging as a cradle.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Chain {
    /// Number of balls; not needed where masses are listed.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub balls: Option<usize>,
    /// Mass of the first ball \[kg\]; default 1.
    #[cfg_attr(feature = "serde", serde(default = "unit"))]
    pub mass: f64,
    /// Radius of the first ball \[m\]; default 0.01.
    #[cfg_attr(feature = "serde", serde(default = "centimetre"))]
    pub radius: f64,
    /// Factor from each mass to the next (spheres of one density); default 1.
    #[cfg_attr(feature = "serde", serde(default = "unit"))]
    pub taper: f64,
    /// All masses, instead of number, mass and taper \[kg\].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub masses: Vec<f64>,
    /// Velocity of the first ball along x \[m/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: f64,
    /// All velocities, instead of that of the first \[m/s\].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub velocities: Vec<f64>,
    /// Gap between neighbours \[m\]; default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub gap: f64,
    /// Gap between the first ball and the second \[m\]; default `gap`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub first_gap: Option<f64>,
    /// Whether a wall stands behind the last ball.
    #[cfg_attr(feature = "serde", serde(default))]
    pub wall: bool,
    /// Length of the pendulums of a cradle \[m\]; absent: no cradle, no gravity.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub cradle: Option<f64>,
    /// Angle by which the first ball of a cradle is lifted \[rad\].
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "super::angle::one"))]
    pub angle: f64,
}

#[cfg(feature = "serde")]
fn unit() -> f64 {
    1.0
}

#[cfg(feature = "serde")]
fn centimetre() -> f64 {
    0.01
}

impl Default for Chain {
    fn default() -> Self {
        Self {
            balls: None,
            mass: 1.0,
            radius: 0.01,
            taper: 1.0,
            masses: Vec::new(),
            velocity: 0.0,
            velocities: Vec::new(),
            gap: 0.0,
            first_gap: None,
            wall: false,
            cradle: None,
            angle: 0.0,
        }
    }
}

/// A thin uniform rod above a horizontal ground; its ends are `A` and `B`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Rod {
    /// Length \[m\].
    pub length: f64,
    /// Mass \[kg\].
    pub mass: f64,
    /// Angle from the ground to the rod, from A to B \[rad\].
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::angle::one"))]
    pub angle: f64,
    /// Height of the lower end \[m\]; default 0: it touches.
    #[cfg_attr(feature = "serde", serde(default))]
    pub height: f64,
    /// Velocity of the centre \[m/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub velocity: [f64; 2],
    /// Angular velocity \[rad/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub rate: f64,
}

/// Two uniform rods hinged at the origin, the tip `C` above a horizontal ground.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct DoublePendulumForm {
    /// Masses \[kg\].
    pub masses: [f64; 2],
    /// Lengths \[m\].
    pub lengths: [f64; 2],
    /// Absolute angles from the downward vertical, counter-clockwise \[rad\].
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::angle::two"))]
    pub angles: [f64; 2],
    /// Their rates \[rad/s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub rates: [f64; 2],
    /// Depth of the ground below the hinge \[m\]; default where the tip is.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub depth: Option<f64>,
}
