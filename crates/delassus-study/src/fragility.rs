//! Fragility: the probability that a limit is passed, over an intensity.
//!
//! P(x) = Φ((ln x − ln θ)/β) with the median θ and the dispersion β of largest likelihood. Intervals
//! and the band come from the curvature of the likelihood at its top.

use delassus::ImpactError;

use crate::optimise::{Effort, Minimum, descend};
use crate::sweep::{normal_probability, normal_quantile};

/// Cases of one intensity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Count {
    /// The intensity, positive.
    pub intensity: f64,
    /// Cases that passed the limit.
    pub failed: usize,
    /// All cases.
    pub of: usize,
}

/// A lognormal curve of fragility.
#[derive(Debug, Clone, PartialEq)]
pub struct Fragility {
    /// The intensity at which half of the cases fail.
    pub median: f64,
    /// The standard deviation of the logarithm.
    pub dispersion: f64,
    /// The interval of 95 % of the median.
    pub median_interval: [f64; 2],
    /// The interval of 95 % of the dispersion.
    pub dispersion_interval: [f64; 2],
    /// Covariance of ln θ and ln β: (θθ, θβ, ββ).
    covariance: [f64; 3],
}

impl Fragility {
    /// The curve of largest likelihood.
    ///
    /// # Errors
    /// An intensity that is not positive; fewer than two intensities; cases that all fail, never
    /// fail, or fail exactly from some intensity on, so that no curve is the most likely one.
    pub fn fit(counts: &[Count]) -> Result<Self, ImpactError> {
        let wrong = |problem: &str| ImpactError::new("fragility", "", problem.to_owned());
        if counts.iter().any(|c| !(c.intensity.is_finite() && c.intensity > 0.0) || c.failed > c.of) {
            return Err(wrong("needs intensities that are positive numbers"));
        }
        let (failed, of) = counts.iter().fold((0, 0), |(f, n), c| (f + c.failed, n + c.of));
        let (low, high) =
            counts.iter().fold((f64::INFINITY, 0.0f64), |(a, b), c| (a.min(c.intensity), b.max(c.intensity)));
        if counts.len() < 2 || low >= high {
            return Err(wrong("needs at least two intensities"));
        }
        if failed == 0 || failed == of {
            let all = if failed == 0 { "none" } else { "every one" };
            return Err(wrong(&format!("{all} of {of} cases passes the limit; widen the intensities")));
        }
        let largest_safe = counts.iter().filter(|c| c.failed < c.of).map(|c| c.intensity).fold(0.0, f64::max);
        let least_failed = counts.iter().filter(|c| c.failed > 0).map(|c| c.intensity).fold(f64::INFINITY, f64::min);
        if largest_safe < least_failed {
            return Err(wrong(&format!(
                "all cases fail from {least_failed} on and none up to {largest_safe}: there is no dispersion to be seen; \
                 vary something else too, or place intensities between"
            )));
        }
        let bounds = [(low.ln() - 3.0, high.ln() + 3.0), ((1e-3f64).ln(), (10.0f64).ln())];
        let mut loss = |x: &[f64]| -likelihood(counts, x[0], x[1]);
        let mut best = Minimum { point: vec![0.5 * (low.ln() + high.ln()), (0.4f64).ln()], value: f64::INFINITY };
        best.value = loss(&best.point);
        let effort = Effort { looks: 0, descents: 1, evaluations: 400 };
        for spread in [0.1, 0.02, 0.002] {
            best = descend(&bounds, best, spread, effort.evaluations, &mut loss);
        }
        let [centre, scale] = [best.point[0], best.point[1]];
        let covariance = covariance(counts, centre, scale).ok_or_else(|| wrong("the data do not bound the curve"))?;
        let z = normal_quantile(0.975);
        let interval = |value: f64, variance: f64| [-z, z].map(|z| (value + z * variance.sqrt()).exp());
        Ok(Self {
            median: centre.exp(),
            dispersion: scale.exp(),
            median_interval: interval(centre, covariance[0]),
            dispersion_interval: interval(scale, covariance[2]),
            covariance,
        })
    }

    /// The probability at an intensity, and the interval of 95 % of it.
    pub fn at(&self, intensity: f64) -> (f64, [f64; 2]) {
        let score = (intensity / self.median).ln() / self.dispersion;
        // ∂z/∂ln θ = −1/β, ∂z/∂ln β = −z.
        let (a, b) = (-1.0 / self.dispersion, -score);
        let [tt, tb, bb] = self.covariance;
        let deviation = (a * a * tt + 2.0 * a * b * tb + b * b * bb).max(0.0).sqrt();
        let z = normal_quantile(0.975);
        (normal_probability(score), [-z, z].map(|z| normal_probability(score + z * deviation)))
    }
}

/// Why a rising curve does not describe these cases: where the share of failures falls again by more
/// than chance explains. Blocks do that: a stronger pulse can bring one back that a weaker one overturns.
pub fn doubt(counts: &[Count]) -> Option<String> {
    /// Standard deviations.
    const CLEAR: f64 = 3.0;
    let mut sorted: Vec<&Count> = counts.iter().filter(|count| count.of > 0).collect();
    sorted.sort_by(|a, b| a.intensity.total_cmp(&b.intensity));
    let share = |count: &Count| count.failed as f64 / count.of as f64;
    for (k, later) in sorted.iter().enumerate() {
        for earlier in &sorted[..k] {
            let (n, m) = (earlier.of as f64, later.of as f64);
            let pooled = (earlier.failed + later.failed) as f64 / (n + m);
            let deviation = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
            if share(earlier) - share(later) > CLEAR * deviation && deviation > 0.0 {
                return Some(format!(
                    "of the cases at {} {} of {} fail, but at {} only {} of {}: a curve that rises does not describe them",
                    earlier.intensity, earlier.failed, earlier.of, later.intensity, later.failed, later.of
                ));
            }
        }
    }
    None
}

/// The logarithm of the likelihood of ln θ and ln β.
fn likelihood(counts: &[Count], centre: f64, scale: f64) -> f64 {
    let part = |count: &Count| {
        let z = (count.intensity.ln() - centre) / scale.exp();
        let (p, q) = (normal_probability(z), normal_probability(-z));
        let log = |times: usize, p: f64| if times == 0 { 0.0 } else { times as f64 * p.max(1e-300).ln() };
        log(count.failed, p) + log(count.of - count.failed, q)
    };
    counts.iter().map(part).sum()
}

/// The inverse of the curvature of the likelihood, by differences.
fn covariance(counts: &[Count], centre: f64, scale: f64) -> Option<[f64; 3]> {
    const H: f64 = 1e-3;
    let h = H * scale.exp();
    let at = |i: f64, j: f64| likelihood(counts, centre + i * h, scale + j * H);
    let middle = at(0.0, 0.0);
    let tt = -(at(1.0, 0.0) - 2.0 * middle + at(-1.0, 0.0)) / (h * h);
    let bb = -(at(0.0, 1.0) - 2.0 * middle + at(0.0, -1.0)) / (H * H);
    let tb = -(at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * h * H);
    let determinant = tt * bb - tb * tb;
    (tt > 0.0 && determinant > 1e-9 * tt * bb.abs()).then(|| [bb / determinant, -tb / determinant, tt / determinant])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::{Sampling, unit};

    /// Cases drawn from a known curve.
    fn drawn(median: f64, dispersion: f64, each: u64, seed: u64) -> Vec<Count> {
        let intensities = (0..9).map(|k| median * (0.25f64 * f64::from(k - 4)).exp());
        let count = |(k, intensity): (usize, f64)| {
            let p = normal_probability((intensity / median).ln() / dispersion);
            let failed = (0..each).filter(|i| unit(Sampling::Random, seed, k, *i) < p).count();
            Count { intensity, failed, of: each as usize }
        };
        intensities.enumerate().map(count).collect()
    }

    #[test]
    fn intervals_hold_the_truth_in_their_share_of_trials() {
        // In other units too: the median is a length of time, an acceleration, anything.
        for median in [0.3, 3e-7, 4e8] {
            let (mut medians, mut dispersions, mut bands) = (0, 0, 0);
            for seed in 0..200 {
                let fragility = Fragility::fit(&drawn(median, 0.5, 40, seed)).unwrap();
                let holds = |[low, high]: [f64; 2], value: f64| usize::from((low..=high).contains(&value));
                medians += holds(fragility.median_interval, median);
                dispersions += holds(fragility.dispersion_interval, 0.5);
                bands += holds(fragility.at(1.5 * median).1, normal_probability(1.5f64.ln() / 0.5));
            }
            for held in [medians, dispersions, bands] {
                assert!((180..=199).contains(&held), "{medians} {dispersions} {bands} of 200");
            }
        }
    }

    #[test]
    fn shares_that_fall_again_are_told() {
        let count = |intensity, failed| Count { intensity, failed, of: 12 };
        assert!(doubt(&[count(1.0, 2), count(2.0, 12), count(3.0, 5)]).unwrap().contains("at 3 only 5 of 12"));
        assert_eq!(doubt(&[count(1.0, 2), count(2.0, 9), count(3.0, 8), count(4.0, 12)]), None);
        for seed in 0..50 {
            assert_eq!(doubt(&drawn(0.3, 0.5, 40, seed)), None);
        }
    }

    #[test]
    fn what_cannot_be_fitted_is_said() {
        let count = |intensity, failed| Count { intensity, failed, of: 10 };
        for (counts, word) in [
            (&[count(1.0, 0), count(2.0, 0)][..], "none of 20"),
            (&[count(1.0, 10), count(2.0, 10)], "every one of 20"),
            (&[count(1.0, 0), count(2.0, 10)], "no dispersion"),
            (&[count(1.0, 5)], "two intensities"),
            (&[count(-1.0, 5), count(1.0, 6)], "positive"),
        ] {
            let error = Fragility::fit(counts).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
