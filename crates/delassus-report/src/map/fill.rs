//! Regimes between the points of a map, divided by the traced curves rather than by pixels.

use delassus_figure::CellGrid;
use delassus_study::map::Map;

/// Cells along an axis at least: finer than the lines are wide.
const CELLS: usize = 480;

/// A segment of a curve.
type Segment = [[f64; 2]; 2];

/// A fine grid over the range of the map with the regime of every cell.
pub(super) fn cells(map: &Map) -> (CellGrid, Vec<usize>) {
    let (x, y) = (&map.x.values, &map.y.values);
    let (columns, rows) = (x.len().saturating_sub(1), y.len().saturating_sub(1));
    let [kx, ky] = [columns, rows].map(|n| CELLS.div_ceil(n.max(1)).max(2));
    let segments = binned(map, columns, rows);
    let (across, up) = (columns * kx, rows * ky);
    let mut cells = vec![0; across * up];
    for row in 0..rows {
        for column in 0..columns {
            let corner = |dx: usize, dy: usize| {
                let regime = map.regimes[(row + dy) * x.len() + column + dx];
                ([x[column + dx], y[row + dy]], regime)
            };
            let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let inside = &segments[row * columns + column];
            for j in 0..ky {
                for i in 0..kx {
                    let part =
                        |from: f64, to: f64, k: usize, of: usize| from + (to - from) * (k as f64 + 0.5) / of as f64;
                    let point = [part(x[column], x[column + 1], i, kx), part(y[row], y[row + 1], j, ky)];
                    cells[(row * ky + j) * across + column * kx + i] = regime_at(point, &corners, inside);
                }
            }
        }
    }
    (CellGrid { x: divided(x, kx), y: divided(y, ky) }, cells)
}

/// Segments of the curves by the square of the map in which their middle lies.
fn binned(map: &Map, columns: usize, rows: usize) -> Vec<Vec<Segment>> {
    let mut bins = vec![Vec::new(); columns * rows];
    let place = |points: &[f64], v: f64| {
        points.partition_point(|p| *p <= v).saturating_sub(1).min(points.len().saturating_sub(2))
    };
    for pair in map.boundaries.iter().flat_map(|b| b.points.windows(2)) {
        let middle = [0, 1].map(|k| 0.5 * (pair[0][k] + pair[1][k]));
        let bin = place(&map.y.values, middle[1]) * columns + place(&map.x.values, middle[0]);
        if let Some(bin) = bins.get_mut(bin) {
            bin.push([pair[0], pair[1]]);
        }
    }
    bins
}

/// The regime of the nearest corner that no curve parts from the point; of the nearest one where no curve was followed.
fn regime_at(point: [f64; 2], corners: &[([f64; 2], usize); 4], segments: &[Segment]) -> usize {
    if corners.iter().all(|corner| corner.1 == corners[0].1) && segments.is_empty() {
        return corners[0].1;
    }
    let size = [corners[2].0[0] - corners[0].0[0], corners[2].0[1] - corners[0].0[1]];
    let distance = |corner: [f64; 2]| ((corner[0] - point[0]) / size[0]).hypot((corner[1] - point[1]) / size[1]);
    let mut order = *corners;
    order.sort_by(|a, b| distance(a.0).total_cmp(&distance(b.0)));
    let free = order.iter().find(|(corner, _)| !segments.iter().any(|s| crosses([point, *corner], *s)));
    free.unwrap_or(&order[0]).1
}

/// Whether two segments cross.
fn crosses([a, b]: Segment, [c, d]: Segment) -> bool {
    let side =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) > 0.0;
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

/// Edges of `k` cells between each two points.
fn divided(points: &[f64], k: usize) -> Vec<f64> {
    let steps = |p: &[f64]| (0..k).map(|i| p[0] + (p[1] - p[0]) * i as f64 / k as f64).collect::<Vec<_>>();
    points.windows(2).flat_map(steps).chain(points.last().copied()).collect()
}

#[cfg(test)]
mod tests {
    use delassus_study::map::{MapAxis, MapBoundary};

    use super::*;

    /// Three columns and two rows with a regime of its own for each point.
    fn map(boundaries: Vec<MapBoundary>) -> Map {
        let axis = |key: &str, values: &[f64]| MapAxis { key: key.into(), values: values.to_vec() };
        Map {
            title: String::new(),
            x: axis("x", &[0.0, 1.0, 2.0]),
            y: axis("y", &[0.0, 10.0]),
            measure: "state".into(),
            coordinate: None,
            values: Vec::new(),
            regimes: (0..6).collect(),
            names: (0..6).map(|k| k.to_string()).collect(),
            boundaries,
        }
    }

    /// What is drawn at a point.
    fn drawn((grid, cells): &(CellGrid, Vec<usize>), x: f64, y: f64) -> usize {
        let place = |edges: &[f64], v: f64| edges.partition_point(|edge| *edge <= v) - 1;
        cells[place(&grid.y, y) * grid.columns() + place(&grid.x, x)]
    }

    #[test]
    fn without_curves_every_place_shows_its_nearest_point() {
        let cells = cells(&map(Vec::new()));
        for (regime, (x, y)) in
            [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 10.0), (1.0, 10.0), (2.0, 10.0)].iter().enumerate()
        {
            for (dx, dy) in [(-0.49, -4.9), (0.49, -4.9), (-0.49, 4.9), (0.49, 4.9), (0.01, 0.1), (-0.01, -0.1)] {
                let (x, y) = (x + dx, y + dy);
                if (0.0..2.0).contains(&x) && (0.0..10.0).contains(&y) {
                    assert_eq!(drawn(&cells, x, y), regime, "at {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn squares_without_a_curve_beside_squares_with_one_show_their_nearest_points() {
        let curve = MapBoundary { between: [0, 1], points: vec![[0.8, 0.0], [0.8, 5.0], [0.8, 10.0]] };
        let cells = cells(&map(vec![curve]));
        assert_eq!(drawn(&cells, 0.75, 1.0), 0);
        assert_eq!(drawn(&cells, 0.85, 1.0), 1);
        assert_eq!(drawn(&cells, 1.45, 1.0), 1);
        assert_eq!(drawn(&cells, 1.55, 1.0), 2);
        assert_eq!(drawn(&cells, 1.55, 9.0), 5);
    }
}
