//! Points at which a map is evaluated.

use delassus::ImpactError;

/// A rectangular grid of points; both lists rise.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Abscissae, at least two.
    pub x: Vec<f64>,
    /// Ordinates, at least two.
    pub y: Vec<f64>,
}

impl Grid {
    /// Equally spaced points, ends included, over the ranges of x and y.
    ///
    /// # Errors
    /// A range that does not rise or is not finite; fewer than two points.
    pub fn uniform(ranges: [(f64, f64); 2], counts: [usize; 2]) -> Result<Self, ImpactError> {
        let points = |name: &str, (from, to): (f64, f64), count: usize| {
            if count < 2 {
                return Err(ImpactError::out_of_range(name, format!("{count} points"), "needs at least 2 points"));
            }
            let step = (to - from) / (count - 1) as f64;
            if !(step.is_finite() && step > 0.0 && from + step > from && to - step < to) {
                let problem = "must be a finite range that rises, with points that differ";
                return Err(ImpactError::new(name, format!("{from:?}:{to:?}"), problem));
            }
            Ok((0..count).map(|k| if k == count - 1 { to } else { from + step * k as f64 }).collect())
        };
        let [x, y] = ranges;
        Ok(Self { x: points("x", x, counts[0])?, y: points("y", y, counts[1])? })
    }

    /// Lengths of both ranges.
    pub(crate) fn lengths(&self) -> [f64; 2] {
        [&self.x, &self.y].map(|points| match &points[..] {
            [first, .., last] => last - first,
            _ => 0.0,
        })
    }
}
