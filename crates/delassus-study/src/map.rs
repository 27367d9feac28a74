//! Maps: regimes or a number over two parameters, and the curves that divide the regimes.
//!
//! ```
//! use delassus::{LawSpec, ProblemSource, RodImpact};
//! use delassus_study::map::{Source, compute};
//! use delassus_study::{Case, Grid, Measure, Parameter, Probe};
//!
//! let case = Case::new(ProblemSource::Rod(RodImpact::default()), [LawSpec::by_name("newton").unwrap()]);
//! let axes = [Parameter::parse("rod.friction", &case)?, Parameter::parse("rod.angle", &case)?];
//! let probe = Probe::new(case.clone(), axes, Measure::parse("energy", &case)?)?;
//! let grid = Grid::uniform([(0.0, 1.0), (0.1, 3.0)], [20, 20])?;
//! let map = compute(&probe, &grid, &(), &|| ()).unwrap().map(&probe, &grid, "a rod", "energy");
//! assert_eq!(map.values.len(), 400);
//! # Ok::<(), delassus::ImpactError>(())
//! ```

use std::fmt::Debug;

use delassus::{ImpactError, Status};

use crate::grid::Grid;
use crate::join::{Boundary, join};
use crate::parallel;
use crate::probe::{Probe, Reading};
use crate::regime::Regime;
use crate::trace::{Accuracy, Piece, trace_square};

/// Something that can be read at the points of a map. A reading depends on its point alone.
/// How it is shown for debugging, before anything was read, tells it from every other.
pub trait Source: Clone + Debug + Send + Sync {
    /// The reading at a point, or why there is none.
    ///
    /// # Errors
    /// What is read is not defined there.
    fn try_read(&mut self, x: f64, y: f64) -> Result<Reading, ImpactError>;
    /// The name of a regime.
    fn name(&self, regime: Regime) -> String;
    /// Whether it reads numbers that vary, rather than regimes alone.
    fn is_field(&self) -> bool;
    /// The parameters along x and y.
    fn keys(&self) -> [&str; 2];
    /// The coordinate or rate of a motion that is read, by its name (`block.theta_rate`), and its unit.
    fn coordinate(&self) -> Option<(String, &'static str)> {
        None
    }
    /// How finely its boundaries are followed; `None`: not at all.
    fn accuracy(&self) -> Option<Accuracy>;

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

    fn accuracy(&self) -> Option<Accuracy> {
        self.follows().then_some(Accuracy::FINE)
    }
}

/// The curves within a row of squares, and how many of the squares are too rough to be followed.
pub type Curves = (Vec<Piece>, usize);

/// Looks after the rows of a map: may know some from an earlier attempt, keep those that are
/// computed, and have the map given up. `()` does nothing of it.
pub trait Rows: Sync {
    /// Whether the map is to be given up.
    fn stopped(&self) -> bool {
        false
    }

    /// The points of a row, known or computed; `None` if that was given up.
    fn points(&self, row: usize, compute: &mut dyn FnMut() -> Option<Vec<Reading>>) -> Option<Vec<Reading>> {
        let _ = row;
        compute()
    }

    /// The curves below a row of points, known or computed; `None` if that was given up.
    fn curves(&self, row: usize, compute: &mut dyn FnMut() -> Option<Curves>) -> Option<Curves> {
        let _ = row;
        compute()
    }
}

impl Rows for () {}

/// What was read at every point, and the curves between regimes.
#[derive(Debug, Clone, PartialEq)]
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

/// Steps that [`compute`] reports as done: rows of points, then rows of squares if boundaries are followed.
pub fn steps(source: &impl Source, grid: &Grid) -> usize {
    if source.accuracy().is_some() { 2 * grid.y.len() - 1 } else { grid.y.len() }
}

/// Reads all points and traces the curves; `None` if that was given up. `step` is called after
/// each of the [`steps`], from any thread.
pub fn compute<S: Source>(
    source: &S,
    grid: &Grid,
    rows: &impl Rows,
    step: &(impl Fn() + Sync + ?Sized),
) -> Option<Computed> {
    let count = grid.y.len();
    let readings = parallel::with_state(
        0..count,
        || source.clone(),
        |source, row| {
            let mut read = |&x: &f64| (!rows.stopped()).then(|| source.read(x, grid.y[row]));
            let readings = rows.points(row, &mut || grid.x.iter().map(&mut read).collect());
            step();
            readings
        },
    )?;
    let readings = readings.concat();
    let labels: Vec<Regime> = readings.iter().map(|r| r.regime).collect();
    let accuracy = source.accuracy();
    let traced = parallel::with_state(
        1..if accuracy.is_some() { count } else { 1 },
        || source.clone(),
        |source, row| {
            let mut trace = || {
                let (mut pieces, mut rough) = (Vec::new(), 0);
                let accuracy = accuracy?;
                for column in 1..grid.x.len() {
                    if rows.stopped() {
                        return None;
                    }
                    let regime = |x, y| source.read(x, y).regime;
                    let square = [column - 1, row - 1];
                    let followed = trace_square(grid, &labels, square, accuracy, regime, &mut pieces);
                    rough += usize::from(!followed);
                }
                Some((pieces, rough))
            };
            let curves = rows.curves(row, &mut trace);
            step();
            curves
        },
    )?;
    let mut regimes = labels;
    regimes.sort_unstable();
    regimes.dedup();
    let first_undefined = readings.iter().position(|r| r.regime == Regime::UNDEFINED && r.status.is_none());
    let undefined = first_undefined.and_then(|k| {
        let (x, y) = (grid.x[k % grid.x.len()], grid.y[k / grid.x.len()]);
        source.clone().try_read(x, y).err()
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
    pub fn map(&self, source: &impl Source, grid: &Grid, title: impl Into<String>, measure: &str) -> Map {
        // Curves may meet regimes that no grid point has.
        let mut regimes = self.regimes.clone();
        regimes.extend(self.boundaries.iter().flat_map(|b| b.between));
        regimes.sort_unstable();
        regimes.dedup();
        let index = |regime: Regime| regimes.partition_point(|r| *r < regime);
        let axis = |k: usize, values: &[f64]| MapAxis { key: source.keys()[k].to_owned(), values: values.to_vec() };
        let field = source.is_field();
        Map {
            title: title.into(),
            x: axis(0, &grid.x),
            y: axis(1, &grid.y),
            measure: measure.to_owned(),
            coordinate: source.coordinate(),
            values: if field { self.readings.iter().map(|r| r.value).collect() } else { Vec::new() },
            regimes: self.readings.iter().map(|r| index(r.regime)).collect(),
            names: regimes.iter().map(|r| source.name(*r)).collect(),
            boundaries: self
                .boundaries
                .iter()
                .map(|b| MapBoundary { between: b.between.map(index), points: b.points.clone() })
                .collect(),
        }
    }
}

/// One axis of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapAxis {
    /// Path of the parameter, as in files.
    pub key: String,
    /// Its values, rising.
    pub values: Vec<f64>,
}

/// A curve between two regimes.
#[derive(Clone, Debug, PartialEq)]
pub struct MapBoundary {
    /// The regimes it divides.
    pub between: [usize; 2],
    /// Its points.
    pub points: Vec<[f64; 2]>,
}

/// A computed map.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Heading of the figure; empty for none.
    pub title: String,
    /// Abscissae.
    pub x: MapAxis,
    /// Ordinates.
    pub y: MapAxis,
    /// What is measured.
    pub measure: String,
    /// The coordinate or rate that this is, by its name, and its unit; `None` for other measures.
    pub coordinate: Option<(String, &'static str)>,
    /// The number at every point, row by row from the smallest y, NaN for none; empty where the
    /// measure has regimes only.
    pub values: Vec<f64>,
    /// The regime of every point, as an index.
    pub regimes: Vec<usize>,
    /// What the indices mean.
    pub names: Vec<String>,
    /// The curves between regimes.
    pub boundaries: Vec<MapBoundary>,
}

impl Map {
    /// Smallest and largest finite value; `None` where there is none.
    pub fn range(&self) -> Option<(f64, f64)> {
        let finite = self.values.iter().filter(|v| v.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
        (low <= high).then_some((low, high))
    }

    /// The regimes that grid points have, each with their number.
    pub fn shares(&self) -> Vec<(usize, usize)> {
        let mut counts = vec![0; self.names.len()];
        self.regimes.iter().for_each(|&regime| counts[regime] += 1);
        counts.into_iter().enumerate().filter(|(_, count)| *count > 0).collect()
    }
}
