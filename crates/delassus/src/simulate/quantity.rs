//! Quantities of a motion by name: what tables have as columns and figures as curves.

use super::trajectory::{Energies, Sample};
use crate::error::ImpactError;
use crate::model::System;

/// Something that every sample of a motion has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A position, by its index.
    Position(usize),
    /// A velocity, by its index.
    Rate(usize),
    /// The force of a contact: its index, and 0 for the normal or 1 for the tangential part.
    Force(usize, usize),
    /// An energy or a work, by its index in [`Quantity::ENERGIES`].
    Energy(usize),
}

/// Names of positions that an error lists.
const MOST_NAMES: usize = 30;

impl Quantity {
    /// The names of the energies and works.
    pub const ENERGIES: [&'static str; 7] =
        ["kinetic", "potential", "friction", "supports", "damping", "applied", "impacts"];

    /// All quantities of a system with their names.
    pub fn names(system: &dyn System) -> Vec<(Quantity, String)> {
        let positions = system.position_names();
        let named = positions.iter().enumerate();
        let mut all: Vec<(Quantity, String)> = named.map(|(i, name)| (Quantity::Position(i), name.clone())).collect();
        let rates = system.velocity_names().into_iter().enumerate();
        all.extend(rates.map(|(i, name)| (Quantity::Rate(i), name)));
        for (c, point) in system.contacts().iter().enumerate() {
            let part = |(k, part)| (Quantity::Force(c, k), format!("{}.{part}", point.name));
            all.extend(["normal", "tangential"].into_iter().enumerate().map(part));
        }
        all.extend(Self::ENERGIES.iter().enumerate().map(|(k, name)| (Quantity::Energy(k), (*name).to_owned())));
        all
    }

    /// The quantity of that name.
    ///
    /// # Errors
    /// There is none; which there are.
    pub fn parse(system: &dyn System, name: &str) -> Result<Quantity, ImpactError> {
        let found = Self::names(system).into_iter().find(|(_, other)| other == name);
        found.map(|(quantity, _)| quantity).ok_or_else(|| {
            let contact = system.contacts().first().map_or(String::new(), |contact| {
                format!("; forces of contacts such as {0}.normal and {0}.tangential", contact.name)
            });
            let mut positions = system.position_names();
            let more = if positions.len() > MOST_NAMES { ", …" } else { "" };
            positions.truncate(MOST_NAMES);
            let problem = format!(
                "there are {}{more}; their rates such as {}{contact}; {}",
                positions.join(", "),
                system.velocity_names().first().map_or("", String::as_str),
                Self::ENERGIES.join(", "),
            );
            ImpactError::new("plot", format!("{name:?}"), problem)
        })
    }

    /// Its value in a sample.
    pub fn read(self, sample: &Sample) -> f64 {
        match self {
            Self::Position(i) => sample.q[i],
            Self::Rate(i) => sample.u[i],
            Self::Force(contact, part) => sample.forces.get(contact).map_or(f64::NAN, |force| force[part]),
            Self::Energy(k) => {
                let Energies { kinetic, potential, friction, supports, damping, applied, impacts } = sample.energy;
                [kinetic, potential, friction, supports, damping, applied, impacts][k]
            }
        }
    }

    /// Whether it jumps at impacts.
    pub fn jumps(self) -> bool {
        !matches!(self, Self::Position(_) | Self::Energy(1))
    }

    /// Its unit, given the name it has.
    pub fn unit(self, name: &str) -> &'static str {
        let part = name.trim_end_matches("_rate").rsplit('.').next().unwrap_or_default();
        let angle = matches!(part, "theta" | "wx" | "wy" | "wz");
        match self {
            Self::Position(_) if angle => "rad",
            Self::Position(_) if part.starts_with('q') => "1",
            Self::Position(_) => "m",
            Self::Rate(_) if angle => "rad/s",
            Self::Rate(_) => "m/s",
            Self::Force(..) => "N",
            Self::Energy(_) => "J",
        }
    }
}
