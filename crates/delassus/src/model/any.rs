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
    Planar(Box<PlanarSystem>),
    /// In space.
    Spatial(Box<SpatialSystem>),
}

impl Model {
    /// Adds what a user should know before the system is simulated.
    pub fn add_remarks(&mut self, remarks: &[String]) {
        match self {
            Self::Planar(system) => system.add_remarks(remarks),
            Self::Spatial(system) => system.add_remarks(remarks),
        }
    }

    /// The planar system, where it is one.
    pub fn planar(&self) -> Option<&PlanarSystem> {
        if let Self::Planar(system) = self { Some(system) } else { None }
    }

    /// The system in space, where it is one.
    pub fn spatial(&self) -> Option<&SpatialSystem> {
        if let Self::Spatial(system) = self { Some(system) } else { None }
    }
}

/// Passes methods on to the system.
macro_rules! pass_on {
    ($($method:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[allow(clippy::too_many_arguments)]
        fn $method(&self, $($argument: $type),*) -> $result {
            match self {
                Self::Planar(system) => system.$method($($argument),*),
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
