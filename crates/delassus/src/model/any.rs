//! A system in the plane or in space, whichever it is.

use super::{
    ClutchElement, ContactFrame, ContactPoint, ContactState, Directions, JointElement, PlanarSystem, Power,
    RecordSummary, RowState, SpatialSystem, Stepped, System,
};
use crate::error::ImpactError;

/// A system of rigid bodies: planar or in space.
#[derive(Debug, Clone)]
pub enum Model {
    /// In the plane.
    #[cfg(feature = "plane")]
    Planar(Box<PlanarSystem>),
    /// In space.
    #[cfg(feature = "space")]
    Spatial(Box<SpatialSystem>),
}

#[cfg(not(any(feature = "plane", feature = "space")))]
compile_error!("delassus needs the feature `plane` or `space`, or both");

/// Whether systems in the plane are there: the feature `plane`.
pub const PLANE: bool = cfg!(feature = "plane");
/// Whether systems in space are there: the feature `space`.
pub const SPACE: bool = cfg!(feature = "space");

/// The message where the library was built without systems of this dimension. Whoever builds or reads one asks [`PLANE`]
/// or [`SPACE`] before anything else: the compiler then leaves out what follows.
pub fn absent(dimension: usize) -> ImpactError {
    ImpactError::new("world.dimension", dimension, "delassus was built without systems of this dimension")
}

impl Model {
    /// The model of a system in the plane.
    pub(crate) fn of_plane(system: PlanarSystem) -> Result<Self, ImpactError> {
        #[cfg(feature = "plane")]
        return Ok(Self::Planar(Box::new(system)));
        #[cfg(not(feature = "plane"))]
        {
            drop(system);
            Err(absent(2))
        }
    }

    /// The model of a system in space.
    pub(crate) fn of_space(system: SpatialSystem) -> Result<Self, ImpactError> {
        #[cfg(feature = "space")]
        return Ok(Self::Spatial(Box::new(system)));
        #[cfg(not(feature = "space"))]
        {
            drop(system);
            Err(absent(3))
        }
    }

    /// Adds what a user should know before the system is simulated.
    pub fn add_remarks(&mut self, remarks: &[String]) {
        match self {
            #[cfg(feature = "plane")]
            Self::Planar(system) => system.add_remarks(remarks),
            #[cfg(feature = "space")]
            Self::Spatial(system) => system.add_remarks(remarks),
        }
    }

    /// The planar system, where it is one.
    pub fn planar(&self) -> Option<&PlanarSystem> {
        match self {
            #[cfg(feature = "plane")]
            Self::Planar(system) => Some(system),
            #[cfg(feature = "space")]
            Self::Spatial(_) => None,
        }
    }

    /// The system in space, where it is one.
    pub fn spatial(&self) -> Option<&SpatialSystem> {
        match self {
            #[cfg(feature = "plane")]
            Self::Planar(_) => None,
            #[cfg(feature = "space")]
            Self::Spatial(system) => Some(system),
        }
    }
}

/// Passes methods on to the system.
macro_rules! pass_on {
    ($($method:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[allow(clippy::too_many_arguments)]
        fn $method(&self, $($argument: $type),*) -> $result {
            match self {
                #[cfg(feature = "plane")]
                Self::Planar(system) => system.$method($($argument),*),
                #[cfg(feature = "space")]
                Self::Spatial(system) => system.$method($($argument),*),
            }
        }
    )*};
}

impl System for Model {
    pass_on! {
        positions() -> usize;
        velocities() -> usize;
        position_names() -> Vec<String>;
        velocity_names() -> Vec<String>;
        position_scales() -> Vec<f64>;
        velocity_scales() -> Vec<f64>;
        normalise(q: &mut [f64]) -> ();
        size() -> f64;
        gravity() -> f64;
        is_autonomous() -> bool;
        rest_velocity(t: f64, i: usize) -> Option<f64>;
        next_break(t: f64) -> f64;
        records() -> Vec<RecordSummary>;
        position_rates(q: &[f64], u: &[f64], rates: &mut [f64]) -> ();
        diagonal_mass() -> Option<&[f64]>;
        mass_blocks() -> Vec<usize>;
        mass(q: &[f64], blocks: &mut [f64]) -> ();
        forces(t: f64, q: &[f64], u: &[f64], force: &mut [f64]) -> Power;
        potential(t: f64, q: &[f64]) -> f64;
        contacts() -> &[ContactPoint];
        tangents() -> usize;
        with_contacts(tolerance: f64) -> Option<Result<Box<dyn System + '_>, ImpactError>>;
        piece(contact: usize, q: &[f64], u: &[f64]) -> Option<usize>;
        within(contact: usize, piece: usize, q: &[f64], u: &[f64]) -> f64;
        sharpness(contact: usize) -> f64;
        approach_on(contact: usize, piece: usize, t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]);
        approach(contact: usize, t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]);
        contact(
            contact: usize, piece: usize, t: f64, q: &[f64], u: &[f64], directions: &mut Directions
        ) -> ContactState;
        frame(contact: usize, piece: usize, t: f64, q: &[f64]) -> Option<ContactFrame>;
        pairs() -> usize;
        pair_of(contact: usize) -> Option<usize>;
        separation(pair: usize, q: &[f64]) -> (usize, f64);
        separation_by(pair: usize, side: usize, q: &[f64]) -> f64;
        corners_by(pair: usize, side: usize, q: &[f64], u: &[f64], each: &mut dyn FnMut(f64, f64)) -> ();
        nearest_pair(t: f64, q: &[f64]) -> Option<(f64, [&str; 2])>;
        joints() -> &[JointElement];
        joint(joint: usize, row: usize, t: f64, q: &[f64], u: &[f64], direction: &mut Directions) -> RowState;
        clutches() -> &[ClutchElement];
        clutch(clutch: usize, t: f64, q: &[f64], u: &[f64], direction: &mut Directions) -> RowState;
        longest_step(q: &[f64], u: &[f64]) -> f64;
        stepped() -> Option<Stepped<'_>>;
        remarks() -> &[String];
        tilt() -> Option<usize>;
        balance() -> Option<f64>;
    }
}
