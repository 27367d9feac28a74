//! A motion shown: quantities over time as a figure, the bodies as a film, both as a page.

mod camera;
mod figure;
mod film;
mod landscape;
mod page;
mod plane;
mod scene;
mod solids;
mod space;

use delassus::scenario::{Built, Scenario};
use delassus::simulate::Trajectory;

pub use figure::{energy_panel, figure, quantity_panels};
pub use film::frame;
#[cfg(feature = "gif")]
pub use film::gif;
pub(crate) use page::LEDE;
pub use page::part;
pub use scene::{Blow, Body, Convex, End, Film, Line, Link, Moment, Part, Patch, Scene};

/// A motion under a law.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The law's name.
    pub law: &'a str,
    /// What happened.
    pub trajectory: &'a Trajectory,
}

/// One scenario and its motions, one a law.
#[derive(Debug, Clone, Copy)]
pub struct Motion<'a> {
    /// Heading.
    pub title: &'a str,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The system that was simulated.
    pub built: &'a Built,
    /// The motions; at least one.
    pub runs: &'a [Run<'a>],
}
