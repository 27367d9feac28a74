//! Quantiles, and how well they are known.

use crate::sweep::{Sampling, normal_quantile, unit};

/// The quantile `p` of values, between neighbours in proportion; NaN for none. Values that are NaN
/// are left out.
///
/// ```
/// assert_eq!(delassus_study::statistics::quantile(&[4.0, 1.0, 3.0], 0.5), 3.0);
/// assert_eq!(delassus_study::statistics::quantile(&[0.0, 1.0], 0.25), 0.25);
/// ```
pub fn quantile(values: &[f64], p: f64) -> f64 {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    of_sorted(&sorted, p)
}

fn of_sorted(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = p.clamp(0.0, 1.0) * last as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    if part == 0.0 { sorted[below] } else { sorted[below] + part * (sorted[below + 1] - sorted[below]) }
}

/// The interval of 95 % of a quantile, by drawing from the values again and again.
pub fn bootstrap_quantile(values: &[f64], p: f64, seed: u64) -> [f64; 2] {
    const DRAWS: u64 = 1000;
    let values: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
    if values.is_empty() {
        return [f64::NAN; 2];
    }
    let mut found: Vec<f64> = Vec::with_capacity(DRAWS as usize);
    let mut drawn = vec![0.0; values.len()];
    for draw in 0..DRAWS {
        for (k, place) in drawn.iter_mut().enumerate() {
            let u = unit(Sampling::Random, seed, 1, draw * values.len() as u64 + k as u64);
            *place = values[(u * values.len() as f64) as usize % values.len()];
        }
        drawn.sort_by(f64::total_cmp);
        found.push(of_sorted(&drawn, p));
    }
    found.sort_by(f64::total_cmp);
    [of_sorted(&found, 0.025), of_sorted(&found, 0.975)]
}

/// The quantile `p` of Student's distribution with `freedom` degrees of freedom, at least one: in closed form for one
/// and two, else from the normal one by the expansion of Cornish and Fisher (Abramowitz and Stegun, 26.7.5), which is
/// good to 0.2 % for three degrees and to 1e-3 from five on.
pub fn student_quantile(p: f64, freedom: f64) -> f64 {
    if freedom < 1.5 {
        return (std::f64::consts::PI * (p - 0.5)).tan();
    }
    if freedom < 2.5 {
        return (2.0 * p - 1.0) / (2.0 * p * (1.0 - p)).sqrt();
    }
    let z = normal_quantile(p);
    let [z3, z5, z7, z9] = [3, 5, 7, 9].map(|power| z.powi(power));
    z + (z3 + z) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * freedom.powi(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92160.0 * freedom.powi(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_is_that_of_tables() {
        let table = [
            (1.0, 12.7062),
            (2.0, 4.3027),
            (3.0, 3.1824),
            (4.0, 2.7764),
            (5.0, 2.5706),
            (10.0, 2.2281),
            (30.0, 2.0423),
        ];
        for (freedom, t) in table.into_iter().chain([(1e6, 1.96)]) {
            assert!((student_quantile(0.975, freedom) - t).abs() < 2e-3 * t, "{freedom}");
        }
    }

    #[test]
    fn intervals_of_medians_hold_the_truth() {
        // The median of exponential numbers is ln 2.
        let held = (0..200).filter(|&seed| {
            let values: Vec<f64> = (0..60).map(|k| -(unit(Sampling::Random, seed, 0, k)).ln()).collect();
            let [low, high] = bootstrap_quantile(&values, 0.5, seed);
            (low..=high).contains(&std::f64::consts::LN_2)
        });
        let held = held.count();
        assert!((180..=199).contains(&held), "{held} of 200");
    }
}
