//! The points and curves of a map, on all cores. Everything is kept by its
//! index, so that the result does not depend on the number of threads.

use std::fmt::Debug;
use std::io::IsTerminal;
use std::time::Duration;

use delassus::study::{Accuracy, Boundary, Grid, Probe, Reading, Regime, join, trace_square};
use delassus::{ImpactError, Status};
use delassus_report::map::{Map, MapAxis, MapBoundary};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use super::keep::{Curves, Keep};

/// Something that can be read at the points of a map. A reading depends on its point alone.
/// How it is shown for debugging, before anything was read, tells it from every other.
pub trait Source: Clone + Debug + Send + Sync {
    /// The reading at a point, or why there is none.
    fn try_read(&mut self, x: f64, y: f64) -> Result<Reading, ImpactError>;
    /// The name of a regime.
    fn name(&self, regime: Regime) -> String;
    /// Whether it reads numbers that vary, rather than regimes alone.
    fn is_field(&self) -> bool;
    /// The parameters along x and y.
    fn keys(&self) -> [&str; 2];
    /// How finely its boundaries are followed.
    fn accuracy(&self) -> Accuracy;

    /// The reading at a point.
    fn read(&mut self, x: f64, y: f64) -> Reading {
        self.try_read(x, y).unwrap_or(Reading { value: f64::NAN, regime: Regime::UNDEFINED, status: None })
    }
}

impl Source for Probe {
    fn try_read(&mut self, x: f64, y: f64) -> Result<Reading, ImpactError> {
        Probe::try_read(self, x, y)
    }

    fn name(&self, regime: Regime) -> String {
        Probe::name(self, regime)
    }

    fn is_field(&self) -> bool {
        self.measure().is_field()
    }

    fn keys(&self) -> [&str; 2] {
        [self.axes()[0].key(), self.axes()[1].key()]
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::FINE
    }
}

/// What was read at every point, and the curves between regimes.
pub struct Computed {
    readings: Vec<Reading>,
    /// The regimes that occur, in order.
    regimes: Vec<Regime>,
    boundaries: Vec<Boundary>,
    /// Squares of the grid whose boundary is too rough to be followed.
    pub rough: usize,
    /// Points at which the impact is defined.
    pub defined: usize,
    /// Points whose answer was not found.
    pub unsolved: usize,
    /// Why the first undefined point is so.
    pub undefined: Option<ImpactError>,
}

/// Resolves all points and traces the curves; `None` if that was given up.
pub fn compute<S: Source>(probe: &S, grid: &Grid, keep: &Keep) -> Option<Computed> {
    let rows = grid.y.len();
    let bar = progress(2 * rows - 1);
    let readings: Option<Vec<Vec<Reading>>> = (0..rows)
        .into_par_iter()
        .map_init(
            || probe.clone(),
            |probe, row| {
                let mut read = |&x: &f64| (!keep.stopped()).then(|| probe.read(x, grid.y[row]));
                let readings = keep.points(row, || grid.x.iter().map(&mut read).collect());
                bar.inc(1);
                readings
            },
        )
        .collect();
    if readings.is_none() {
        bar.finish_and_clear();
    }
    let readings = readings?.concat();
    let labels: Vec<Regime> = readings.iter().map(|r| r.regime).collect();
    let accuracy = probe.accuracy();
    let traced: Option<Vec<Curves>> = (1..rows)
        .into_par_iter()
        .map_init(
            || probe.clone(),
            |probe, row| {
                let trace = || {
                    let (mut pieces, mut rough) = (Vec::new(), 0);
                    for column in 1..grid.x.len() {
                        let regime = |x, y| probe.read(x, y).regime;
                        let square = [column - 1, row - 1];
                        let followed = trace_square(grid, &labels, square, accuracy, regime, &mut pieces);
                        rough += usize::from(!followed);
                        if keep.stopped() {
                            return None;
                        }
                    }
                    Some((pieces, rough))
                };
                let curves = keep.curves(row, trace);
                bar.inc(1);
                curves
            },
        )
        .collect();
    bar.finish_and_clear();
    let traced = traced?;
    let mut regimes = labels;
    regimes.sort_unstable();
    regimes.dedup();
    let first_undefined = readings.iter().position(|r| r.status.is_none());
    let undefined = first_undefined.and_then(|k| {
        let (x, y) = (grid.x[k % grid.x.len()], grid.y[k / grid.x.len()]);
        probe.clone().try_read(x, y).err()
    });
    let found = |r: &&Reading| matches!(r.status, None | Some(Status::Solved | Status::NotApplicable));
    Some(Computed {
        regimes,
        rough: traced.iter().map(|(_, rough)| rough).sum(),
        boundaries: join(traced.into_iter().flat_map(|(pieces, _)| pieces).collect()),
        defined: readings.iter().filter(|r| r.status.is_some()).count(),
        unsolved: readings.len() - readings.iter().filter(found).count(),
        undefined,
        readings,
    })
}

impl Computed {
    /// The map with names in place of regimes.
    pub fn map(&self, probe: &impl Source, grid: &Grid, title: String, measure: &str) -> Map {
        // Curves may meet regimes that no grid point has.
        let mut regimes = self.regimes.clone();
        regimes.extend(self.boundaries.iter().flat_map(|b| b.between));
        regimes.sort_unstable();
        regimes.dedup();
        let index = |regime: Regime| regimes.partition_point(|r| *r < regime);
        let axis = |k: usize, values: &[f64]| MapAxis { key: probe.keys()[k].to_owned(), values: values.to_vec() };
        let field = probe.is_field();
        Map {
            title,
            x: axis(0, &grid.x),
            y: axis(1, &grid.y),
            measure: measure.to_owned(),
            values: if field { self.readings.iter().map(|r| r.value).collect() } else { Vec::new() },
            regimes: self.readings.iter().map(|r| index(r.regime)).collect(),
            names: regimes.iter().map(|r| probe.name(*r)).collect(),
            boundaries: self
                .boundaries
                .iter()
                .map(|b| MapBoundary { between: b.between.map(index), points: b.points.clone() })
                .collect(),
        }
    }
}

/// A progress bar on a terminal once a second has passed, nothing elsewhere.
fn progress(rows: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(rows as u64), ProgressDrawTarget::hidden());
    if !std::io::stderr().is_terminal() {
        return bar;
    }
    let bar = match ProgressStyle::with_template("{bar:30} {percent} % {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    let late = bar.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        if !late.is_finished() {
            late.set_draw_target(ProgressDrawTarget::stderr());
        }
    });
    bar
}
