//! Figures for notebooks, as SVG: those that the program draws.

use delassus::{ImpactOutcome, LawSpec};
use delassus_figure::to_svg;
use delassus_report::sweep::{Labels, fragility_figure, incremental_figure};
use delassus_report::{impact, map as drawn_map};
use delassus_study::colors;
use delassus_study::fragility::{Count, Fragility, doubt};
use delassus_study::incremental::{Incremental, Point};
use delassus_study::map::{Map, MapAxis, MapBoundary};
use pyo3::prelude::*;

use crate::error;
use crate::outcome::Outcome;

/// Velocities and impulses of the answers of several laws to one problem.
#[pyfunction]
pub fn impact_svg(py: Python<'_>, outcomes: Vec<PyRef<'_, Outcome>>) -> PyResult<Option<String>> {
    error::guarded(|| {
        let Some(first) = outcomes.first() else { return Ok(None) };
        if !outcomes.iter().any(|outcome| outcome.outcome.status().has_answer()) {
            return Ok(None);
        }
        let problem = &*first.problem;
        let outcomes: Vec<&Outcome> = outcomes.iter().map(|outcome| &**outcome).collect();
        let drawn = || {
            let laws: Vec<LawSpec> = outcomes.iter().map(|outcome| outcome.law.clone()).collect();
            let answers: Vec<ImpactOutcome> = outcomes.iter().map(|outcome| outcome.outcome.clone()).collect();
            to_svg(&impact::figure(&impact::Impact { title: "", problem, laws: &laws, outcomes: &answers }))
        };
        Ok(Some(py.detach(drawn)))
    })
}

/// An axis of a map: path of the parameter and its values.
type Axis = (String, Vec<f64>);
/// A curve: the regimes on its sides and its points.
type Curve = ((usize, usize), Vec<[f64; 2]>);

/// A map.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn map_svg(
    py: Python<'_>,
    title: String,
    measure: String,
    x: Axis,
    y: Axis,
    values: Vec<f64>,
    regimes: Vec<usize>,
    names: Vec<String>,
    curves: Vec<Curve>,
    coordinate: Option<(String, String)>,
) -> PyResult<String> {
    error::guarded(|| {
        let axis = |(key, values): Axis| MapAxis { key, values };
        let boundary = |((a, b), points): Curve| MapBoundary { between: [a, b], points };
        let boundaries = curves.into_iter().map(boundary).collect();
        let coordinate = coordinate.and_then(|(name, unit)| Some((name, known_unit(&unit)?)));
        let map = Map { title, x: axis(x), y: axis(y), measure, coordinate, values, regimes, names, boundaries };
        Ok(py.detach(|| to_svg(&drawn_map::figure(&map))))
    })
}

/// The units of coordinates and rates.
fn known_unit(word: &str) -> Option<&'static str> {
    ["m", "rad", "1", "m/s", "rad/s"].into_iter().find(|unit| *unit == word)
}

/// The colours of the regimes of a map by their names, as `#rrggbb`: those that [`map_svg`] fills them with.
#[pyfunction]
pub fn regime_colors(names: Vec<String>) -> Vec<String> {
    let categories = colors::categories(&names).into_iter();
    categories.filter_map(|category| category.color).map(|color| color.to_string()).collect()
}

/// A case at one intensity: the case's name, intensity, demand, whether it failed.
type CasePoint = (String, f64, f64, bool);
/// The course of one case: its name, where it first fails, whether it stands again beyond that.
type Course = (String, Option<f64>, bool);

/// Incremental dynamic analysis: the courses of the cases; at each intensity the demand that 16, 50 and 84 % do not exceed;
/// the intensities at which so many have failed; and the figure.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn incremental(
    py: Python<'_>,
    key: &str,
    measure: &str,
    points: Vec<CasePoint>,
) -> PyResult<(Vec<Course>, Vec<(f64, [f64; 3])>, [f64; 3], String)> {
    error::guarded(|| {
        Ok(py.detach(|| {
            let points = points.into_iter();
            let points = points.map(|(name, intensity, demand, failed)| (name, Point { intensity, demand, failed }));
            let found = Incremental::new(points);
            let svg = to_svg(&incremental_figure(key, measure, &found, &Labels::default()));
            let courses = found.curves.iter().map(|curve| (curve.name.clone(), curve.capacity(), curve.stands_again()));
            (courses.collect(), found.fractiles, found.capacity, svg)
        }))
    })
}

/// Median, its interval, dispersion, its interval.
type Curved = (f64, [f64; 2], f64, [f64; 2]);
/// A probability and its interval.
type Probability = (f64, f64, f64);

/// The lognormal curve of fragility of these cases (intensity, failed, all): the curve or why there is none, what speaks
/// against it, probabilities with their intervals at the intensities `at`, and the figure.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn fragility(
    py: Python<'_>,
    key: &str,
    counts: Vec<(f64, usize, usize)>,
    at: Vec<f64>,
) -> PyResult<(Option<Curved>, Option<String>, Option<String>, Vec<Probability>, String)> {
    error::guarded(|| {
        Ok(py.detach(|| {
            let counts: Vec<Count> =
                counts.into_iter().map(|(intensity, failed, of)| Count { intensity, failed, of }).collect();
            let fitted = Fragility::fit(&counts);
            let svg = to_svg(&fragility_figure(key, &counts, fitted.as_ref().ok(), &Labels::default()));
            let doubted = doubt(&counts);
            match fitted {
                Ok(curve) => {
                    let probability = |x: f64| {
                        let (p, [low, high]) = curve.at(x);
                        (p, low, high)
                    };
                    let found = (curve.median, curve.median_interval, curve.dispersion, curve.dispersion_interval);
                    (Some(found), None, doubted, at.into_iter().map(probability).collect(), svg)
                }
                Err(error) => (None, Some(error.problem), doubted, Vec::new(), svg),
            }
        }))
    })
}
