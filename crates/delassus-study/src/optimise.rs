//! The least value of a function that need not be smooth, within bounds.
//!
//! Answers of impact laws jump and have kinks where contacts stick or open, so derivatives are of no
//! use. A global look at points of the sequence of Sobol finds the valleys, and the method of Nelder
//! and Mead descends in the best of them, again from where it ended until that helps no more. It is
//! written here because it is short: the optimisation crates (argmin) know no bounds in this method
//! and bring executors, error types and clocks for the rest.

use crate::sweep::{Sampling, unit};

/// A point and the value there.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// Where.
    pub point: Vec<f64>,
    /// The least value found.
    pub value: f64,
}

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Points of the global look.
    pub looks: usize,
    /// How many of them are descended from.
    pub descents: usize,
    /// Evaluations of one descent at most.
    pub evaluations: usize,
}

/// Looks for the least value of `function` within `bounds`, also from the points `known`. Values
/// that are not finite count as the largest.
pub fn minimise(
    bounds: &[(f64, f64)],
    known: &[Vec<f64>],
    effort: Effort,
    seed: u64,
    function: &mut dyn FnMut(&[f64]) -> f64,
) -> Minimum {
    let at = |u: f64, (low, high): (f64, f64)| low + (high - low) * u;
    let mut starts: Vec<Minimum> = Vec::new();
    let looked = (0..effort.looks as u64).map(|index| -> Vec<f64> {
        let part = |(d, bounds): (usize, &(f64, f64))| at(unit(Sampling::Sobol, seed, d, index), *bounds);
        bounds.iter().enumerate().map(part).collect()
    });
    for point in known.iter().cloned().chain(looked) {
        let value = function(&point);
        starts.push(Minimum { point, value: if value.is_nan() { f64::INFINITY } else { value } });
    }
    starts.sort_by(|a, b| a.value.total_cmp(&b.value));
    let mut best = starts.first().cloned().unwrap_or(Minimum { point: Vec::new(), value: f64::INFINITY });
    let spread = 0.5 / (effort.looks.max(2) as f64).powf(1.0 / bounds.len().max(1) as f64);
    for start in starts.into_iter().take(effort.descents.max(1)) {
        let mut here = descend(bounds, start, spread, effort.evaluations, function);
        // A simplex that has collapsed too early is spread again.
        for _ in 0..4 {
            let again = descend(bounds, here.clone(), 0.1 * spread, effort.evaluations, function);
            let better = again.value < here.value - 1e-9 * here.value.abs();
            here = again;
            if !better {
                break;
            }
        }
        if here.value < best.value {
            best = here;
        }
    }
    best
}

/// The method of Nelder and Mead from a point, with a first simplex of this part of the bounds.
/// Points outside are moved to the bounds.
pub fn descend(
    bounds: &[(f64, f64)],
    start: Minimum,
    spread: f64,
    evaluations: usize,
    function: &mut dyn FnMut(&[f64]) -> f64,
) -> Minimum {
    let n = bounds.len();
    if n == 0 {
        return start;
    }
    let mut used = 0;
    let mut evaluate = |mut point: Vec<f64>| {
        for (x, (low, high)) in point.iter_mut().zip(bounds) {
            *x = x.clamp(*low, *high);
        }
        used += 1;
        let value = function(&point);
        (Minimum { point, value: if value.is_nan() { f64::INFINITY } else { value } }, used)
    };
    let mut simplex = vec![start.clone()];
    for (k, (low, high)) in bounds.iter().enumerate() {
        let mut point = start.point.clone();
        let step = spread * (high - low);
        // Away from the nearer bound.
        point[k] += if point[k] + step <= *high { step } else { -step };
        simplex.push(evaluate(point).0);
    }
    loop {
        simplex.sort_by(|a, b| a.value.total_cmp(&b.value));
        let size = (0..n).map(|k| {
            let values = simplex.iter().map(|corner| corner.point[k]);
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
            (high - low) / (bounds[k].1 - bounds[k].0)
        });
        if size.fold(0.0, f64::max) < 1e-10 {
            break;
        }
        let centre: Vec<f64> =
            (0..n).map(|k| simplex[..n].iter().map(|corner| corner.point[k]).sum::<f64>() / n as f64).collect();
        let worst = simplex[n].clone();
        let along = |t: f64| (0..n).map(|k| centre[k] + t * (worst.point[k] - centre[k])).collect::<Vec<f64>>();
        let (reflected, count) = evaluate(along(-1.0));
        if count > evaluations {
            break;
        }
        let next = if reflected.value < simplex[0].value {
            let expanded = evaluate(along(-2.0)).0;
            if expanded.value < reflected.value { Some(expanded) } else { Some(reflected) }
        } else if reflected.value < simplex[n - 1].value {
            Some(reflected)
        } else {
            let outside = reflected.value < worst.value;
            let contracted = evaluate(along(if outside { -0.5 } else { 0.5 })).0;
            (contracted.value < worst.value.min(reflected.value)).then_some(contracted)
        };
        match next {
            Some(next) => simplex[n] = next,
            None => {
                // Everything towards the best.
                let best = simplex[0].point.clone();
                for corner in &mut simplex[1..] {
                    let point = corner.point.iter().zip(&best).map(|(x, b)| 0.5 * (x + b)).collect();
                    *corner = evaluate(point).0;
                }
            }
        }
    }
    simplex.into_iter().min_by(|a, b| a.value.total_cmp(&b.value)).unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { looks: 64, descents: 3, evaluations: 400 };

    fn found(bounds: &[(f64, f64)], f: impl Fn(&[f64]) -> f64) -> Minimum {
        minimise(bounds, &[], EFFORT, 1, &mut |x| f(x))
    }

    #[test]
    fn smooth_and_sharp_valleys_are_found() {
        let rosenbrock = |x: &[f64]| (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2);
        let minimum = found(&[(-2.0, 2.0), (-2.0, 2.0)], rosenbrock);
        assert!(minimum.value < 1e-12, "{minimum:?}");
        // A kink along one line, a step along another.
        let kinked = |x: &[f64]| (x[0] - 0.3).abs() + 3.0 * (x[1] - 0.7).abs() + f64::from(x[0] > 0.6);
        let minimum = found(&[(0.0, 1.0), (0.0, 1.0)], kinked);
        assert!(minimum.value < 1e-8, "{minimum:?}");
        // Many valleys.
        let many = |x: &[f64]| x.iter().map(|x| x * x - (9.0 * x).cos() + 1.0).sum();
        let minimum = found(&[(-1.7, 2.3), (-2.4, 1.6)], many);
        assert!(minimum.value < 1e-10, "{minimum:?}");
        // At a bound, and where the function is not defined everywhere.
        let edge = |x: &[f64]| if x[0] < 0.2 { f64::NAN } else { x[0] + x[1] * x[1] };
        let minimum = found(&[(0.0, 1.0), (0.0, 3.0)], edge);
        assert!(minimum.value < 0.2 + 1e-6 && minimum.point[1] < 1e-3, "{minimum:?}");
    }
}
