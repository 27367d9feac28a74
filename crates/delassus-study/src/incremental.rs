//! Incremental dynamic analysis: how the demand of each case grows with the intensity of its ground motion.

/// A case at one intensity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The intensity.
    pub intensity: f64,
    /// The demand, such as the largest tilt; NaN where it is not known.
    pub demand: f64,
    /// Whether it failed, so that the demand has no bound.
    pub failed: bool,
}

/// The demand of one case over the intensity.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What tells the case from the others.
    pub name: String,
    /// In order of the intensity.
    pub points: Vec<Point>,
}

impl Curve {
    /// The least intensity at which the case fails.
    pub fn capacity(&self) -> Option<f64> {
        self.points.iter().find(|point| point.failed).map(|point| point.intensity)
    }

    /// Whether the case stands again at a greater intensity than one at which it fails, as blocks do.
    pub fn stands_again(&self) -> bool {
        let first = self.points.iter().position(|point| point.failed).unwrap_or(self.points.len());
        self.points[first..].iter().any(|point| !point.failed && !point.demand.is_nan())
    }
}

/// Parts of the cases: 16, 50 and 84 %.
pub const PARTS: [f64; 3] = [0.16, 0.5, 0.84];

/// Curves of many cases and what they have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Incremental {
    /// The curves, in the order of the cases.
    pub curves: Vec<Curve>,
    /// For each intensity the demand that 16, 50 and 84 % of the cases do not exceed; infinite where so many fail.
    pub fractiles: Vec<(f64, [f64; 3])>,
    /// The intensity at which 16, 50 and 84 % of the cases have failed; infinite where fewer do.
    pub capacity: [f64; 3],
}

impl Incremental {
    /// Sorts the points of all cases into curves; `points` are named by their case.
    ///
    /// ```
    /// use delassus_study::incremental::{Incremental, Point};
    /// let point = |name: &str, intensity, demand| (name.to_owned(), Point { intensity, demand, failed: demand > 1.0 });
    /// let found = Incremental::new([point("a", 2.0, 0.4), point("a", 1.0, 0.2), point("b", 1.0, 0.5), point("b", 2.0, 9.0)]);
    /// assert_eq!(found.curves[0].points[0].demand, 0.2);
    /// assert_eq!(found.curves[1].capacity(), Some(2.0));
    /// assert_eq!(found.fractiles[1].1, [0.4, 0.4, f64::INFINITY]);
    /// ```
    pub fn new(points: impl IntoIterator<Item = (String, Point)>) -> Self {
        let mut curves: Vec<Curve> = Vec::new();
        let mut places = std::collections::BTreeMap::new();
        for (name, point) in points {
            let place = *places.entry(name).or_insert_with_key(|name| {
                curves.push(Curve { name: name.clone(), points: Vec::new() });
                curves.len() - 1
            });
            curves[place].points.push(point);
        }
        for curve in &mut curves {
            curve.points.sort_by(|a, b| a.intensity.total_cmp(&b.intensity));
        }
        let mut levels: Vec<f64> = curves.iter().flat_map(|curve| &curve.points).map(|point| point.intensity).collect();
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        let demands = |level: f64| {
            let here = curves.iter().flat_map(|curve| &curve.points).filter(move |point| point.intensity == level);
            here.map(|point| if point.failed { f64::INFINITY } else { point.demand })
        };
        let fractiles = levels.iter().map(|&level| (level, ranked(demands(level)))).collect();
        let capacity = ranked(curves.iter().map(|curve| curve.capacity().unwrap_or(f64::INFINITY)));
        Self { curves, fractiles, capacity }
    }
}

/// The values of which 16, 50 and 84 % are not greater; NaN where there are none.
fn ranked(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut sorted: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    PARTS.map(|part| {
        let rank = (part * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractiles_count_cases_and_capacities_are_first_failures() {
        // Case k has a demand of intensity/k and fails from intensity k on, but for case 3, which stands again at 5.
        let points = (1..=10).flat_map(|k| {
            (1..=6).map(move |i| {
                let failed = i >= k && !(k == 3 && i == 5);
                (format!("{k}"), Point { intensity: f64::from(i), demand: f64::from(i) / f64::from(k), failed })
            })
        });
        let found = Incremental::new(points);
        assert_eq!(found.curves.len(), 10);
        assert_eq!(found.curves.iter().filter(|curve| curve.stands_again()).count(), 1);
        // Capacities 1, 2, …, 6 and four without: 16 % of ten cases are two of them, 84 % nine.
        assert_eq!(found.capacity, [2.0, 5.0, f64::INFINITY]);
        // At intensity 2 the cases 1 and 2 failed; of the others the demands are 2/10, 2/9, 2/8, 2/7, 2/6, …
        assert_eq!(found.fractiles[1], (2.0, [2.0 / 9.0, 2.0 / 6.0, f64::INFINITY]));
        // What is not known is left out.
        let unknown = Incremental::new([("a".into(), Point { intensity: 1.0, demand: f64::NAN, failed: false })]);
        assert!(unknown.fractiles[0].1.iter().all(|demand| demand.is_nan()) && unknown.curves[0].capacity().is_none());
        assert!(!unknown.curves[0].stands_again());
    }
}
