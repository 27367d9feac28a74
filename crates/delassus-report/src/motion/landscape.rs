//! The triangles of height fields and meshes that a view shows.

use delassus::model::SpatialSystem;

use super::scene::{Patch, short};
use super::space::{Point, clipped};

/// Triangles, or parts of them, that are drawn.
const MOST_TRIANGLES: usize = 3000;
/// Triangles that reach further than this part of the view are drawn in cells, so that none hides what lies on it.
const LARGE: f32 = 0.5;
/// Size of these cells, in parts of the view.
const CELL: f32 = 0.2;

/// Adds the triangles that are above, below or near what the view shows.
pub(super) fn add_patches(
    system: &SpatialSystem,
    view: [f32; 6],
    shift: &dyn Fn(usize) -> Option<usize>,
    patches: &mut Vec<Patch>,
) {
    let most = patches.len() + MOST_TRIANGLES;
    for triangle in system.sketch_triangles() {
        for points in shown(triangle.corners.map(short), view) {
            if patches.len() == most {
                return;
            }
            patches.push(Patch {
                name: triangle.name.to_owned(),
                points,
                grid: Vec::new(),
                normal: short(triangle.normal),
                shift: shift(triangle.support),
                relief: true,
            });
        }
    }
}

/// What is shown of a triangle: all of it where it is small and near, its part near the view where it is large.
fn shown(corners: [Point; 3], view: [f32; 6]) -> Vec<Vec<Point>> {
    let size = (0..3).map(|k| view[k + 3] - view[k]).fold(0.0, f32::max);
    let margin = 0.12 * size;
    let near = [0, 1].map(|k| [view[k] - margin, view[k + 3] + margin]);
    let span = [0, 1].map(|k| {
        let values = corners.map(|c| c[k]);
        [values.into_iter().fold(f32::INFINITY, f32::min), values.into_iter().fold(f32::NEG_INFINITY, f32::max)]
    });
    if (0..2).all(|k| span[k][1] - span[k][0] <= LARGE * size) {
        let inside = |p: &Point| (0..2).all(|k| p[k] >= near[k][0] && p[k] <= near[k][1]);
        return if corners.iter().any(inside) { vec![corners.to_vec()] } else { Vec::new() };
    }
    let mut strips = vec![corners.to_vec()];
    for k in 0..2 {
        let (from, to) = (near[k][0].max(span[k][0]), near[k][1].min(span[k][1]));
        if from > to {
            return Vec::new();
        }
        let count = ((to - from) / (CELL * size)).ceil().max(1.0) as usize;
        let cut = |i: usize| from + (to - from) * i as f32 / count as f32;
        let parts = |strip: &Vec<Point>| -> Vec<Vec<Point>> {
            (0..count).map(|i| clipped(&clipped(strip, |p| p[k] - cut(i)), |p| cut(i + 1) - p[k])).collect()
        };
        strips = strips.iter().flat_map(parts).filter(|part| part.len() > 2).collect();
    }
    strips
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: [f32; 6] = [-1.0, -0.5, 0.0, 1.0, 0.5, 1.0];

    /// Area seen from above.
    fn area(points: &[Point]) -> f32 {
        let next = |k: usize| points[(k + 1) % points.len()];
        0.5 * (0..points.len()).map(|k| points[k][0] * next(k)[1] - points[k][1] * next(k)[0]).sum::<f32>()
    }

    #[test]
    fn a_triangle_without_a_corner_in_the_view_is_drawn_under_it() {
        // Under all of the view and its margin of 0.12 of 2: an area of 2.48 by 1.48, in cells.
        let cells = shown([[-90.0, -80.0, 0.0], [90.0, -80.0, 0.0], [0.0, 80.0, 0.0]], VIEW);
        let whole: f32 = cells.iter().map(|cell| area(cell)).sum();
        assert!((whole - 2.48 * 1.48).abs() < 1e-4 && cells.len() == 28, "{whole} {}", cells.len());
        assert!(cells.iter().flatten().all(|p| p[0].abs() <= 1.2401 && p[1].abs() <= 0.7401));
        // Half of it.
        let cells = shown([[-90.0, 0.0, 0.0], [90.0, 0.0, 0.0], [0.0, 80.0, 0.0]], VIEW);
        assert!((cells.iter().map(|cell| area(cell)).sum::<f32>() - 2.48 * 0.74).abs() < 1e-4);
        assert!(shown([[5.0, 0.0, 0.0], [90.0, 0.0, 0.0], [50.0, 80.0, 0.0]], VIEW).is_empty());
    }

    #[test]
    fn small_triangles_are_drawn_whole_where_they_are_near() {
        let small = [[0.9, 0.0, 0.2], [1.5, 0.1, 0.2], [0.9, 0.4, 0.3]];
        assert_eq!(shown(small, VIEW), [small.to_vec()]);
        assert!(shown(small.map(|p| [p[0] + 2.0, p[1], p[2]]), VIEW).is_empty());
        // An upright wall has no area from above, and is seen all the same.
        let wall = [[-9.0, 0.2, 0.0], [9.0, 0.2, 0.0], [0.0, 0.2, 2.0]];
        assert!(!shown(wall, VIEW).is_empty());
    }
}
