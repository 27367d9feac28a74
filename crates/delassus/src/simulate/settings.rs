//! Settings of a simulation.

use std::sync::Arc;

use crate::budget::Limits;
use crate::error::{ImpactError, at_least};

/// How a motion is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Scheme {
    /// Smooth motion between events whose times are found exactly.
    #[default]
    #[cfg_attr(feature = "serde", serde(alias = "event-driven"))]
    Events,
    /// Steps of equal size with impulses at the contacts.
    TimeStepping,
    /// Events, and from where they come to no end time-stepping.
    Auto,
}

impl std::fmt::Display for Scheme {
    /// The word that files use.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Events => "\"events\"",
            Self::TimeStepping => "\"time-stepping\"",
            Self::Auto => "\"auto\"",
        })
    }
}

/// What a run by events keeps of its impacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Records {
    /// Everything.
    #[default]
    Full,
    /// Time, status, certificate and energies without any list, for studies of many runs: an impact then allocates
    /// nothing.
    Brief,
}

/// Accuracy and limits. All tolerances are relative.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Error of a step in units of typical positions and velocities; default 1e-10, sane 1e-13 to 1e-3.
    pub tolerance: f64,
    /// Contacts closer than this part of the bodies' size take part in an impact; default 1e-9.
    pub contact_tolerance: f64,
    /// Impacts accumulate when every approach speed is below this part of √(gℓ)
    /// (without gravity: 1e-4 of this part of the largest speed); default 1e-5, from 1e-6 to 0.1.
    pub accumulation: f64,
    /// Largest step \[s\]; default none.
    pub max_step: Option<f64>,
    /// Events after which the simulation gives up; default 10⁶.
    pub max_events: usize,
    /// Time between samples \[s\]; default: only start and end.
    pub sample_interval: Option<f64>,
    /// Times of samples \[s\], positive and rising, in place of an interval.
    pub sample_times: Option<Arc<[f64]>>,
    /// Where neither says when samples are taken: at equal intervals that double whenever there would be more samples
    /// than this, so that a run whose end is not known has half as many to as many. Default none.
    pub most_samples: Option<usize>,
    /// What is kept of each impact; default everything.
    pub records: Records,
    /// Index of the impact whose problem is kept; default none.
    pub keep_impact: Option<usize>,
    /// The first impacts keep the path that their law followed, where it follows one; default none.
    pub keep_paths: usize,
    /// Bounds on the work of the law at each impact, and how contact problems are solved, those of time-stepping
    /// too; default: its own.
    pub limits: Limits,
    /// How the motion is computed; default by events.
    pub scheme: Scheme,
    /// Step of time-stepping \[s\]; default a hundredth of the time in which the smallest body falls, or flies, by
    /// its size.
    pub step: Option<f64>,
    /// Weight of a step's end in time-stepping, from ½ (default) to 1.
    pub theta: f64,
    /// Whether groups of bodies that rest are left out of the contact problems of time-stepping until something disturbs
    /// them; default no.
    pub sleep: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            contact_tolerance: 1e-9,
            accumulation: 1e-5,
            max_step: None,
            max_events: 1_000_000,
            sample_interval: None,
            sample_times: None,
            most_samples: None,
            records: Records::Full,
            keep_impact: None,
            keep_paths: 0,
            limits: Limits::default(),
            scheme: Scheme::Events,
            step: None,
            theta: 0.5,
            sleep: false,
        }
    }
}

impl Settings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// The first field that is out of range.
    pub fn check(&self) -> Result<(), ImpactError> {
        within("integrator.tolerance", self.tolerance, 1e-14, 1e-1)?;
        within("integrator.contact_tolerance", self.contact_tolerance, 1e-14, 1e-2)?;
        within("integrator.accumulation", self.accumulation, 1e-6, 1e-1)?;
        within("integrator.theta", self.theta, 0.5, 1.0)?;
        let steps = [("integrator.max_step", self.max_step), ("integrator.step", self.step)];
        for (name, value) in steps.into_iter().chain([("output.interval", self.sample_interval)]) {
            if let Some(value) = value.filter(|v| !(v.is_finite() && *v > 0.0)) {
                return Err(ImpactError::out_of_range(name, value, "must be positive and finite"));
            }
        }
        Ok(())
    }
}

/// A number with an exponent where it would else begin with many zeros.
fn short(number: f64) -> String {
    if number < 1e-3 { format!("{number:e}") } else { number.to_string() }
}

fn within(field: &str, value: f64, least: f64, most: f64) -> Result<(), ImpactError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(ImpactError::out_of_range(field, value, format!("must lie between {} and {most}", short(least))))
}

/// When a simulation ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Until {
    /// At this time \[s\].
    pub time: f64,
    /// Whether the time only bounds a run that another end should stop:
    /// reaching it is [`End::TimeLimit`](super::End::TimeLimit).
    pub bound: bool,
    /// After this many impacts; 0 ends at once.
    pub impacts: Option<usize>,
    /// When everything rests and nothing depends on time.
    pub rest: bool,
    /// When the body that tilts reaches |θ| = π/2.
    pub overturned: bool,
}

impl Until {
    /// Until a time, or rest.
    pub fn time(time: f64) -> Self {
        Self { time, bound: false, impacts: None, rest: true, overturned: false }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// A time that is negative or not finite.
    pub fn check(&self) -> Result<(), ImpactError> {
        at_least(|| "until.time".to_owned(), self.time, 0.0).map(|_| ())
    }
}
