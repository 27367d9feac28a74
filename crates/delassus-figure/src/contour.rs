//! Level curves of a field: boundaries that are computed, not given by a formula.

use super::cells::Field;
use super::layer::Series;
use std::collections::BTreeMap;

/// A side of the mesh of cell centres: row, column of its first end, and whether it runs along x.
type Side = (usize, usize, bool);

impl Field {
    /// The curves on which the field has the value `level`, interpolated between cell centres
    /// (marching squares). Squares with a missing corner are left out.
    pub fn contour(&self, level: f64) -> Series {
        let mut links: BTreeMap<Side, Vec<Side>> = BTreeMap::new();
        for row in 1..self.grid.rows() {
            for column in 1..self.grid.columns() {
                for (a, b) in self.crossings(row - 1, column - 1, level) {
                    links.entry(a).or_default().push(b);
                    links.entry(b).or_default().push(a);
                }
            }
        }
        let mut points: Vec<(f64, f64)> = Vec::new();
        // Open curves from their ends first, then what is left are loops.
        let ends: Vec<Side> = links.iter().filter(|l| l.1.len() == 1).map(|l| *l.0).collect();
        let starts: Vec<Side> = ends.into_iter().chain(links.keys().copied()).collect();
        for start in starts {
            let mut here = start;
            let mut first = true;
            while let Some(next) = links.get_mut(&here).and_then(Vec::pop) {
                if let Some(back) = links.get_mut(&next)
                    && let Some(k) = back.iter().position(|s| *s == here)
                {
                    back.remove(k);
                }
                if first {
                    points.push((f64::NAN, f64::NAN));
                    points.push(self.crossing_point(here, level));
                    first = false;
                }
                points.push(self.crossing_point(next, level));
                here = next;
            }
        }
        Series::line(points)
    }

    fn value(&self, row: usize, column: usize) -> f64 {
        let k = row * self.grid.columns() + column;
        self.values.get(k).copied().unwrap_or(f64::NAN)
    }

    /// Pairs of sides that a level curve joins inside one square.
    fn crossings(&self, row: usize, column: usize, level: f64) -> Vec<(Side, Side)> {
        let corner = |dr, dc| self.value(row + dr, column + dc) - level;
        let [a, b, c, d] = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
        if !(a + b + c + d).is_finite() {
            return Vec::new();
        }
        // Sides in turn: below, right, above, left; a curve enters where the sign changes.
        let sides = [(row, column, true), (row, column + 1, false), (row + 1, column, true), (row, column, false)];
        let signs = [a, b, c, d].map(|v| v >= 0.0);
        let cut: Vec<Side> = (0..4).filter(|&k| signs[k] != signs[(k + 1) % 4]).map(|k| sides[k]).collect();
        match cut[..] {
            [p, q] => vec![(p, q)],
            // A saddle: the mean decides which corners belong together.
            [below, right, above, left] => {
                if (a + b + c + d >= 0.0) == signs[0] {
                    vec![(below, right), (above, left)]
                } else {
                    vec![(below, left), (right, above)]
                }
            }
            _ => Vec::new(),
        }
    }

    fn crossing_point(&self, (row, column, along_x): Side, level: f64) -> (f64, f64) {
        let centre = |edges: &[f64], k: usize| 0.5 * (edges[k] + edges[k + 1]);
        let (dr, dc) = if along_x { (0, 1) } else { (1, 0) };
        let (from, to) = (self.value(row, column), self.value(row + dr, column + dc));
        let t = (level - from) / (to - from);
        let mix = |a: f64, b: f64| a + t * (b - a);
        (
            mix(centre(&self.grid.x, column), centre(&self.grid.x, column + dc)),
            mix(centre(&self.grid.y, row), centre(&self.grid.y, row + dr)),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::{CellGrid, Field};

    fn curves(field: &Field, level: f64) -> Vec<Vec<[f64; 2]>> {
        let points = field.contour(level).points;
        let parts = points.split(|p| p[0].is_nan());
        parts.filter(|p| !p.is_empty()).map(<[_]>::to_vec).collect()
    }

    #[test]
    fn a_circle_is_one_closed_curve() {
        let grid = CellGrid::uniform((-2.0, 2.0), 101, (-2.0, 2.0), 101);
        let field = Field::new(grid, |x, y| x * x + y * y);
        let found = curves(&field, 1.0);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].first(), found[0].last());
        assert!(found[0].len() > 100);
        for p in &found[0] {
            // Linear interpolation is off by h²/8 · f''/f' = 2e-4.
            assert!((p[0].hypot(p[1]) - 1.0).abs() < 2.1e-4);
        }
    }

    #[test]
    fn saddles_and_open_curves_are_joined() {
        let grid = CellGrid::uniform((-1.0, 1.0), 40, (-1.0, 1.0), 40);
        let field = Field::new(grid, |x, y| x * y);
        let found = curves(&field, 0.01);
        assert_eq!(found.len(), 2);
        assert!(found.iter().flatten().all(|p| (p[0] * p[1] - 0.01).abs() < 1e-3));
        assert!(curves(&field, 5.0).is_empty());
        assert!(
            curves(&Field::from_values(CellGrid::uniform((0.0, 1.0), 2, (0.0, 1.0), 2), vec![f64::NAN; 4]), 0.0)
                .is_empty()
        );
    }
}
