//! Numbers of a model from measurements: of a problem from measured impacts, of a scenario from a
//! time series.
//!
//! Residuals are weighted by how well their column fits, the least sum of squares is looked for
//! everywhere ([`optimise`](crate::optimise)), and the interval of each number is where its profile (the least sum
//! with that number held) stays below the limit of Student's distribution.

mod impact;
mod motion;

pub use impact::ImpactModel;
pub use motion::MotionModel;

use delassus::ImpactError;

use crate::optimise::{Effort, Minimum, descend, minimise};
use crate::score::Free;
use crate::statistics::student_quantile;

/// Something that predicts measurements from numbers.
pub trait FitModel {
    /// Names of the measured columns.
    fn columns(&self) -> Vec<String>;
    /// What was measured, per column; not a number in gaps.
    fn measured(&self) -> &[Vec<f64>];
    /// What it says of every column; `None` where there is no prediction.
    fn predictions(&mut self, values: &[f64]) -> Option<Vec<Vec<f64>>>;

    /// Prediction minus measurement where there is one, per column; `None` where there is no prediction.
    fn residuals(&mut self, values: &[f64]) -> Option<Vec<Vec<f64>>> {
        let predicted = self.predictions(values)?;
        let differences =
            |(p, m): (&Vec<f64>, &Vec<f64>)| p.iter().zip(m).filter(|(_, m)| !m.is_nan()).map(|(p, m)| p - m).collect();
        Some(predicted.iter().zip(self.measured()).map(differences).collect())
    }

    /// How much each column varies, from which weights start: its standard deviation, or its size where it does not vary.
    fn scales(&self) -> Vec<f64> {
        self.measured().iter().map(|column| spread(&without_gaps(column))).collect()
    }

    /// The root mean square of each column.
    fn sizes(&self) -> Vec<f64> {
        self.measured().iter().map(|column| rms(&without_gaps(column))).collect()
    }
}

fn without_gaps(column: &[f64]) -> Vec<f64> {
    column.iter().copied().filter(|v| !v.is_nan()).collect()
}

fn spread(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
    if deviation > CONSTANT * mean.abs() { deviation } else { mean.abs() }
}

/// A number that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Its path.
    pub key: String,
    /// The value that fits best.
    pub value: f64,
    /// The interval of 95 %.
    pub interval: [f64; 2],
    /// Whether the interval ends where the number may not go further.
    pub at_bound: [bool; 2],
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The numbers.
    pub estimates: Vec<Estimate>,
    /// Per column its name and the root mean square of its residuals.
    pub rms: Vec<(String, f64)>,
    /// Measurements that were used.
    pub count: usize,
    /// Correlations between the estimates, row by row; NaN where they are not known.
    pub correlation: Vec<f64>,
    /// What should be known.
    pub warnings: Vec<String>,
}

/// How hard to look for so many numbers of a problem.
pub fn effort_of_impacts(numbers: usize) -> Effort {
    Effort { looks: 64 * numbers, descents: 4, evaluations: 400 * numbers }
}

/// How hard to look for so many numbers of a scenario, of which one try takes far longer.
pub fn effort_of_motions(numbers: usize) -> Effort {
    Effort { looks: 16 * numbers, descents: 2, evaluations: 80 * numbers }
}

/// A column whose standard deviation is below this part of its mean does not vary.
const CONSTANT: f64 = 1e-9;
/// Parameters that change each other's effect by more than this cannot be told apart.
const ALIKE: f64 = 0.98;

/// Looks for the values that fit best, and how well they are known.
///
/// # Errors
/// Ranges that are none; fewer measurements than numbers; a model that predicts nothing anywhere.
pub fn fit(model: &mut dyn FitModel, free: &[Free], effort: Effort, seed: u64) -> Result<Fit, ImpactError> {
    for f in free {
        if !(f.low.is_finite() && f.high.is_finite() && f.low < f.high) {
            let value = format!("{}:{}", f.low, f.high);
            return Err(ImpactError::new(&f.key, value, "needs a finite range that rises"));
        }
    }
    let bounds: Vec<(f64, f64)> = free.iter().map(|f| (f.low, f.high)).collect();
    let mut weights: Vec<f64> = model.scales().iter().map(|s| if *s > 0.0 { 1.0 / s } else { 1.0 }).collect();
    let mut best = minimise(&bounds, &[], effort, seed, &mut |x| sum(model, &weights, x));
    let Some(residuals) = model.residuals(&best.point) else {
        return Err(ImpactError::new("free", "", "the model gives no answer at any of the values that were tried"));
    };
    let count: usize = residuals.iter().map(Vec::len).sum();
    let freedom = count as f64 - free.len() as f64;
    if freedom < 1.0 {
        let problem = format!("{} numbers cannot be found from {count} measurements", free.len());
        return Err(ImpactError::new("free", free.len(), problem));
    }
    // Columns that fit worse count less.
    for _ in 0..2 {
        let residuals = model.residuals(&best.point).unwrap_or_default();
        let floor = residuals.iter().zip(model.scales()).map(|(_, s)| 1e-12 * s).collect::<Vec<_>>();
        weights =
            residuals.iter().zip(floor).map(|(r, floor)| 1.0 / rms(r).max(floor).max(f64::MIN_POSITIVE)).collect();
        let start = Minimum { value: sum(model, &weights, &best.point), point: best.point };
        best = descend(&bounds, start, 0.02, effort.evaluations, &mut |x| sum(model, &weights, x));
    }
    let limit = best.value * (1.0 + student_quantile(0.975, freedom).powi(2) / freedom);
    let mut search = Profile { model, weights: &weights, bounds: &bounds, limit, evaluations: effort.evaluations };
    let mut estimates = Vec::new();
    for (k, f) in free.iter().enumerate() {
        let ends = [-1.0, 1.0].map(|side| search.end(&best, k, side));
        estimates.push(Estimate {
            key: f.key.clone(),
            value: best.point[k],
            interval: ends.map(|(value, _)| value),
            at_bound: ends.map(|(_, bound)| bound),
        });
    }
    let correlation = correlation(model, &weights, &best.point, &estimates, &bounds);
    let residuals = model.residuals(&best.point).unwrap_or_default();
    let rms: Vec<(String, f64)> = model.columns().into_iter().zip(residuals.iter().map(|r| rms(r))).collect();
    let mut all = misfits(&rms, &model.sizes());
    all.extend(warnings(&estimates, &correlation));
    let warnings = all;
    Ok(Fit { estimates, rms, count, correlation, warnings })
}

fn rms(values: &[f64]) -> f64 {
    (values.iter().map(|v| v * v).sum::<f64>() / values.len().max(1) as f64).sqrt()
}

fn sum(model: &mut dyn FitModel, weights: &[f64], values: &[f64]) -> f64 {
    match model.residuals(values) {
        None => f64::INFINITY,
        Some(columns) => {
            let column = |(column, w): (&Vec<f64>, &f64)| column.iter().map(|r| (w * r).powi(2)).sum::<f64>();
            columns.iter().zip(weights).map(column).sum()
        }
    }
}

/// Follows the least sum of squares with one number held.
struct Profile<'a> {
    model: &'a mut dyn FitModel,
    weights: &'a [f64],
    bounds: &'a [(f64, f64)],
    limit: f64,
    evaluations: usize,
}

impl Profile<'_> {
    /// The least sum with number `k` at a value, and the other numbers there.
    fn held(&mut self, k: usize, value: f64, others: &[f64]) -> Minimum {
        let mut full = others.to_vec();
        full[k] = value;
        let places: Vec<usize> = (0..full.len()).filter(|i| *i != k).collect();
        let bounds: Vec<(f64, f64)> = places.iter().map(|&i| self.bounds[i]).collect();
        let point: Vec<f64> = places.iter().map(|&i| full[i]).collect();
        let (model, weights, limit) = (&mut *self.model, self.weights, self.limit);
        // Only whether it lies below the limit matters: once it does, nothing more is tried.
        let mut below = false;
        let mut put = |x: &[f64]| {
            if below {
                return f64::INFINITY;
            }
            places.iter().zip(x).for_each(|(&i, v)| full[i] = *v);
            let value = sum(model, weights, &full);
            below = value <= limit;
            value
        };
        let value = put(&point);
        let mut least = Minimum { point, value };
        for spread in [0.02, 0.002] {
            if !bounds.is_empty() && least.value > limit {
                least = descend(&bounds, least, spread, self.evaluations.min(60 * bounds.len()), &mut put);
            }
        }
        let value = least.value;
        let mut full = others.to_vec();
        places.iter().zip(&least.point).for_each(|(&i, v)| full[i] = *v);
        Minimum { point: full, value }
    }

    /// The end of the interval of number `k` on one side, and whether that is its bound.
    fn end(&mut self, best: &Minimum, k: usize, side: f64) -> (f64, bool) {
        let (low, high) = self.bounds[k];
        let bound = if side < 0.0 { low } else { high };
        let room = (bound - best.point[k]).abs();
        if room <= 1e-9 * (high - low) {
            return (bound, true);
        }
        let (mut inside, mut outside) = (0.0, None);
        let mut step = 1e-6 * (high - low);
        let mut others = best.point.clone();
        loop {
            let far = step.min(room);
            let there = self.held(k, best.point[k] + side * far, &others);
            if there.value > self.limit {
                outside = Some(far);
                break;
            }
            (inside, others) = (far, there.point);
            if far == room {
                break;
            }
            step *= if step < 1e-3 * (high - low) { 4.0 } else { 1.6 };
        }
        let Some(mut outside) = outside else { return (bound, true) };
        // To some thousandths of its distance from the best value.
        for _ in 0..8 {
            let middle = 0.5 * (inside + outside);
            let there = self.held(k, best.point[k] + side * middle, &others);
            if there.value > self.limit {
                outside = middle;
            } else {
                (inside, others) = (middle, there.point);
            }
        }
        (best.point[k] + side * 0.5 * (inside + outside), false)
    }
}

/// Correlations of the estimates, from how residuals change over the intervals.
fn correlation(
    model: &mut dyn FitModel,
    weights: &[f64],
    best: &[f64],
    estimates: &[Estimate],
    bounds: &[(f64, f64)],
) -> Vec<f64> {
    let n = best.len();
    let unknown = vec![f64::NAN; n * n];
    let mut slopes: Vec<Vec<f64>> = Vec::new();
    for (k, estimate) in estimates.iter().enumerate() {
        let [low, high] = estimate.interval;
        let (low, high) = (low.max(bounds[k].0), high.min(bounds[k].1));
        let mut flat = |value: f64| -> Option<Vec<f64>> {
            let mut point = best.to_vec();
            point[k] = value;
            let columns = model.residuals(&point)?;
            Some(columns.iter().zip(weights).flat_map(|(c, w)| c.iter().map(move |r| w * r)).collect())
        };
        match (flat(low), flat(high)) {
            (Some(a), Some(b)) if high > low && a.len() == b.len() => {
                slopes.push(a.iter().zip(&b).map(|(a, b)| (b - a) / (high - low)).collect());
            }
            _ => return unknown,
        }
    }
    // Scaled to lengths of one, so that units do not matter.
    for slope in &mut slopes {
        let length = slope.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length > 0.0 {
            slope.iter_mut().for_each(|v| *v /= length);
        }
    }
    let product = |i: usize, j: usize| slopes[i].iter().zip(&slopes[j]).map(|(a, b)| a * b).sum::<f64>();
    let matrix: Vec<f64> = (0..n * n).map(|k| product(k / n, k % n)).collect();
    match inverse(&matrix, n) {
        Some(c) => (0..n * n).map(|k| c[k] / (c[k / n * (n + 1)] * c[k % n * (n + 1)]).sqrt()).collect(),
        // Exactly dependent: as alike as the slopes themselves, with the other sign.
        None => matrix.iter().enumerate().map(|(k, m)| if k % (n + 1) == 0 { 1.0 } else { -m }).collect(),
    }
}

/// The inverse of a small symmetric positive definite matrix; `None` where it is singular.
fn inverse(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..2 * n).map(|j| if j < n { matrix[i * n + j] } else { f64::from(u8::from(j - n == i)) }).collect())
        .collect();
    for i in 0..n {
        let pivot = rows[i][i];
        if pivot.is_nan() || pivot < 1e-12 {
            return None;
        }
        rows[i].iter_mut().for_each(|v| *v /= pivot);
        let row = rows[i].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(k, _)| *k != i) {
            let factor = other[i];
            other.iter_mut().zip(&row).for_each(|(v, r)| *v -= factor * r);
        }
    }
    Some(rows.into_iter().flat_map(|row| row[n..].to_vec()).collect())
}

/// What is left of a column beyond this part of its size is no fit.
const MISFIT: f64 = 0.5;

/// Columns that no values reproduce; what is said of numbers then means little.
fn misfits(rms: &[(String, f64)], sizes: &[f64]) -> Vec<String> {
    let poor = rms.iter().zip(sizes).filter(|((_, left), size)| *left > MISFIT * **size && **size > 0.0);
    let words = |((column, left), size): (&(String, f64), &f64)| {
        format!(
            "nothing fits {column}: {:.0} % of its size is left at the best values; are its unit (angles in rad), the \
             law and the ranges right?",
            100.0 * left / size
        )
    };
    poor.map(words).collect()
}

fn warnings(estimates: &[Estimate], correlation: &[f64]) -> Vec<String> {
    let mut warnings = Vec::new();
    let n = estimates.len();
    for estimate in estimates {
        let Estimate { key, interval: [low, high], at_bound, .. } = estimate;
        match at_bound {
            [true, true] => warnings.push(format!(
                "the data do not determine {key}: every value from {low} to {high} fits as well, with the others adapted"
            )),
            [true, false] => warnings.push(format!("{key} may be as small as its bound {low}")),
            [false, true] => warnings.push(format!("{key} may be as large as its bound {high}")),
            [false, false] => {}
        }
    }
    for i in 0..n {
        for j in i + 1..n {
            let c = correlation[i * n + j];
            if c.abs() > ALIKE {
                let way = if c > 0.0 { "with" } else { "against" };
                warnings.push(format!(
                    "{} and {} can hardly be told apart: a change of one is made up for by the other, {way} it \
                     (correlation {c:.3})",
                    estimates[i].key, estimates[j].key
                ));
            }
        }
    }
    warnings
}
