//! Mechanical systems in motion: what integrators work on.
//!
//! ```text
//! q̇ = T(q) u        M(q) u̇ = f(t, q, u) + W(q) λ        γ = Wᵀu + χ        γ̇ = Wᵀu̇ + (Ẇᵀu + χ̇)
//! ```
//!
//! [`System`] is the contract; [`PlanarSystem`] fulfils it for planar rigid
//! bodies built from a [`Scenario`](crate::scenario::Scenario), [`SpatialSystem`] for those in space,
//! [`DoublePendulum`] for a system in generalized coordinates. A system knows no impact law.

mod any;
mod between;
mod bodies;
mod contact;
mod directions;
mod expression;
mod force;
mod jet;
mod joint;
mod motion;
mod near;
mod outline;
mod overlap;
mod pairs;
mod pendulum;
mod planar;
mod sketch;
mod space;
mod stepped;
mod surfaces;
mod vector;

pub use any::{Model, PLANE, SPACE, absent};
pub(crate) use bodies::{Bodies, Free, Hold, SUPPORT, Scratch, Touch};
pub use contact::{ContactGeometry, Feature, Partner};
pub use directions::Directions;
pub use expression::Expression;
pub use force::{Applied, Spring};
pub use joint::{Anchor, Clutch, Joint, JointKind, Sense};
pub use motion::{
    AccelerationUnit, Course, Motion, MotionPart, Pulse, PulseShape, Record, RecordSummary, STANDARD_GRAVITY, Shake,
};
pub(crate) use near::{Near, Watch};
pub use outline::{Outline, Side};
pub(crate) use overlap::{HalfPlane, Shape};
pub(crate) use pairs::{Sides, Unlisted, between};
pub use pendulum::DoublePendulum;
pub use planar::{PlanarBody, PlanarSystem, Support};
pub use sketch::{ContactFrame, SketchLine, SketchShape};
pub(crate) use space::{
    Facets, Form, HalfSpace, Mat3, PRISM, Place, Polytope, Relief, ReliefFault, SpatialAnchor, SpatialApplied,
    SpatialJoint, SpatialJointKind, SpatialMotion, SpatialShape, SpatialSpring, SpatialSupport, Vec3, quaternion,
    rotation,
};
pub use space::{SketchPlane, SketchSolid, SketchTriangle, Solid, SpatialBody, SpatialSystem};
pub(crate) use surfaces::Surfaces;
pub(crate) use vector::{Vec2, rotate};

use crate::error::ImpactError;

/// Material of a contact: how each law reads it is the law's matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Kinetic friction μ ≥ 0.
    pub friction: f64,
    /// Static friction μ_s ≥ μ.
    pub friction_static: f64,
    /// Restitution ε_N.
    pub restitution: f64,
    /// Tangential restitution ε_T.
    pub restitution_tangential: f64,
    /// Stiffness; only ratios matter.
    pub stiffness: f64,
    /// Where the coefficients come from.
    pub sources: Sources,
}

/// Which entry of a list of materials gave a coefficient, where one did: errors about it are said of that entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sources {
    /// That of the kinetic friction.
    pub friction: Option<usize>,
    /// That of the restitution.
    pub restitution: Option<usize>,
    /// That of the tangential restitution.
    pub restitution_tangential: Option<usize>,
}

impl Sources {
    /// The path of the coefficient that laws call `key`; none where no material gave it.
    pub fn path(&self, key: &str) -> Option<String> {
        let material = match key {
            "friction" => self.friction,
            "restitution" => self.restitution,
            "restitution_tangential" => self.restitution_tangential,
            _ => None,
        };
        material.map(|i| format!("material[{i}].{key}"))
    }
}

impl Surface {
    /// Whether no tangential force is possible.
    pub fn is_smooth(&self) -> bool {
        self.friction_static == 0.0
    }
}

/// A possible contact of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPoint {
    /// Name, unique in the system.
    pub name: String,
    /// Material of the pair.
    pub surface: Surface,
}

/// A one-way clutch of a system: γ ≥ 0 is free.
#[derive(Debug, Clone, PartialEq)]
pub struct ClutchElement {
    /// Name, unique in the system.
    pub name: String,
    /// Restitution of the clutch, as the impact law reads it.
    pub restitution: f64,
}

/// A bilateral joint of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct JointElement {
    /// Name, unique in the system.
    pub name: String,
    /// Number of scalar conditions.
    pub rows: usize,
}

/// Bodies that time-stepping can move, in the plane or in space.
pub struct Stepped<'a>(pub(crate) Dimension<'a>);

pub(crate) enum Dimension<'a> {
    Plane(&'a dyn Bodies<3, 2>),
    Space(&'a dyn Bodies<6, 3>),
}

/// The longest turn of a body with corners within a step \[rad\].
const TURN: f64 = 0.5;

/// What a contact is at one state, beside its directions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactState {
    /// Gap g; negative is penetration \[m\].
    pub gap: f64,
    /// χ in (normal, tangents); the second tangent is that of space.
    pub offset: [f64; 3],
    /// Ẇᵀu + χ̇ in (normal, tangents): γ̇ where u̇ = 0. In space the tangents count as fixed: where nothing slides, how
    /// they turn does not matter.
    pub bias: [f64; 3],
}

/// What a scalar condition (joint row, clutch) is at one state, beside its direction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowState {
    /// Position residual of a joint row; 0 for a clutch.
    pub residual: f64,
    /// χ.
    pub offset: f64,
    /// Ẇᵀu + χ̇.
    pub bias: f64,
    /// Whether residual and velocity are an angle and its rate, not a length.
    pub angular: bool,
}

/// Power of the forces in f that no potential describes \[W\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Power {
    /// Dampers, at most 0.
    pub damping: f64,
    /// Applied forces.
    pub applied: f64,
    /// Supports that move, through springs and dampers.
    pub supports: f64,
}

/// A mechanical system with contacts, clutches and joints.
///
/// Directions have entries for the bodies that an element moves and no others; the callee overwrites what was there. All
/// methods are pure functions of their arguments.
pub trait System: Sync {
    /// Number of positions q.
    fn positions(&self) -> usize;
    /// Number of generalized velocities u.
    fn velocities(&self) -> usize;
    /// Names of the positions, for tables: `block.x`, …
    fn position_names(&self) -> Vec<String>;
    /// Names of the velocities, for tables; default those of the positions with `_rate`.
    fn velocity_names(&self) -> Vec<String> {
        self.position_names().into_iter().map(|name| name + "_rate").collect()
    }
    /// A typical size of each position: a length, or 1 for an angle.
    fn position_scales(&self) -> Vec<f64>;
    /// The same of what each velocity is the rate of; default that of the position of the same number, else 1.
    fn velocity_scales(&self) -> Vec<f64> {
        let mut scales = self.position_scales();
        scales.resize(self.velocities(), 1.0);
        scales
    }
    /// Brings positions that obey conditions of their own back to them: quaternions to unit length.
    fn normalise(&self, _q: &mut [f64]) {}
    /// Characteristic size ℓ of the bodies \[m\].
    fn size(&self) -> f64;
    /// Magnitude of gravity g \[m/s²\]; 0 without.
    fn gravity(&self) -> f64;
    /// Whether no force and no support depends on time.
    fn is_autonomous(&self) -> bool;
    /// Velocity coordinate `i` of a system that rests against its supports, if
    /// nothing depends on time from `t` on.
    fn rest_velocity(&self, _t: f64, _i: usize) -> Option<f64> {
        self.is_autonomous().then_some(0.0)
    }
    /// The first time after `t` at which forces or supports have a corner, a
    /// jump or a detail that a longer step might miss: steps end there.
    fn next_break(&self, _t: f64) -> f64 {
        f64::INFINITY
    }
    /// The recorded motions of supports.
    fn records(&self) -> Vec<RecordSummary> {
        Vec::new()
    }
    /// q̇ = T(q) u.
    fn position_rates(&self, q: &[f64], u: &[f64], rates: &mut [f64]);
    /// M where it is constant and diagonal.
    fn diagonal_mass(&self) -> Option<&[f64]>;
    /// Sizes of the diagonal blocks of M(q), in order: a body is one; coordinates that are coupled are in one block.
    fn mass_blocks(&self) -> Vec<usize> {
        vec![self.velocities()]
    }
    /// The diagonal blocks of M(q), one after the other, each row by row.
    fn mass(&self, q: &[f64], blocks: &mut [f64]);
    /// f(t, q, u), gyroscopic terms included, and the power of what has no potential.
    fn forces(&self, t: f64, q: &[f64], u: &[f64], force: &mut [f64]) -> Power;
    /// Potential energy of gravity and springs \[J\].
    fn potential(&self, t: f64, q: &[f64]) -> f64;

    /// The possible contacts.
    fn contacts(&self) -> &[ContactPoint];
    /// Directions of friction of a contact: 1 in the plane, 2 in space.
    fn tangents(&self) -> usize {
        1
    }
    /// For systems that find contacts only where bodies are near: the same system with all possible contacts
    /// listed, as events need them. What lies flat to that part of its size is flat.
    ///
    /// # Errors
    /// Shapes whose contacts cannot be listed.
    fn with_contacts(&self, _tolerance: f64) -> Option<Result<Box<dyn System + '_>, ImpactError>> {
        None
    }
    /// The smooth piece of the partner that a contact faces at this state, such as
    /// a side of a polygon; none where it faces nothing that it could touch.
    fn piece(&self, _contact: usize, _q: &[f64], _u: &[f64]) -> Option<usize> {
        Some(0)
    }
    /// How far the contact point is from the end of a piece \[m\]; negative beyond it.
    fn within(&self, _contact: usize, _piece: usize, _q: &[f64], _u: &[f64]) -> f64 {
        f64::INFINITY
    }
    /// The largest curvature of what a contact touches with \[1/m\]: distances
    /// change direction that fast.
    fn sharpness(&self, _contact: usize) -> f64 {
        0.0
    }
    /// Gap g and γ (normal, tangents) of a contact on a piece, cheaply.
    fn approach_on(&self, contact: usize, piece: usize, t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]);
    /// The same on the piece that it faces; an infinite gap where it faces none.
    fn approach(&self, contact: usize, t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]) {
        match self.piece(contact, q, u) {
            Some(piece) => self.approach_on(contact, piece, t, q, u),
            None => (f64::INFINITY, [0.0; 3]),
        }
    }
    /// State and directions (normal, tangents) of a contact on a piece. In the plane the tangent is the normal turned
    /// clockwise.
    fn contact(
        &self,
        contact: usize,
        piece: usize,
        t: f64,
        q: &[f64],
        u: &[f64],
        directions: &mut Directions,
    ) -> ContactState;
    /// Where a contact on a piece is, for pictures; none where the coordinates do not tell.
    fn frame(&self, _contact: usize, _piece: usize, _t: f64, _q: &[f64]) -> Option<ContactFrame> {
        None
    }

    /// Number of pairs of outlines, each with several contacts.
    fn pairs(&self) -> usize {
        0
    }
    /// The pair that a contact belongs to.
    fn pair_of(&self, _contact: usize) -> Option<usize> {
        None
    }
    /// The side that separates the outlines of a pair best, and by how much
    /// \[m\]: negative exactly where they overlap.
    fn separation(&self, _pair: usize, _q: &[f64]) -> (usize, f64) {
        (0, f64::INFINITY)
    }
    /// By how much one side separates the outlines of a pair \[m\]; they do not
    /// overlap while it is positive.
    fn separation_by(&self, _pair: usize, _side: usize, _q: &[f64]) -> f64 {
        f64::INFINITY
    }
    /// The distances, and their rates, by which one side separates the corners of the other outline of a pair: the
    /// least of them is how it separates the outlines.
    fn corners_by(&self, _pair: usize, _side: usize, _q: &[f64], _u: &[f64], _each: &mut dyn FnMut(f64, f64)) {}
    /// The smallest true distance between two shapes that can touch, negative
    /// where they overlap, with their names: found without the contacts.
    fn nearest_pair(&self, _t: f64, _q: &[f64]) -> Option<(f64, [&str; 2])> {
        None
    }

    /// The joints.
    fn joints(&self) -> &[JointElement];
    /// Row `row` of a joint.
    fn joint(&self, joint: usize, row: usize, t: f64, q: &[f64], u: &[f64], direction: &mut Directions) -> RowState;

    /// The clutches.
    fn clutches(&self) -> &[ClutchElement];
    /// State and direction of a clutch.
    fn clutch(&self, clutch: usize, t: f64, q: &[f64], u: &[f64], direction: &mut Directions) -> RowState;

    /// The longest step within which a gap comes near zero at most once: steps
    /// of free flight are exact however long, but bodies turn in them.
    fn longest_step(&self, q: &[f64], u: &[f64]) -> f64;

    /// The bodies, where time-stepping can move them.
    fn stepped(&self) -> Option<Stepped<'_>> {
        None
    }

    /// What a user should know before the system is simulated.
    fn remarks(&self) -> &[String] {
        &[]
    }

    /// Index of the position that is the body's angle, for systems of one tilting
    /// body: it overturns at |θ| ≥ π/2.
    fn tilt(&self) -> Option<usize> {
        None
    }
    /// The angle at which that body balances on a corner \[rad\].
    fn balance(&self) -> Option<f64> {
        None
    }
}
