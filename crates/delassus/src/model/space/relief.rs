//! Supports made of triangles: height fields and meshes.
//!
//! A body touches the inside of a triangle, a convex edge between two, or a vertex where edges meet. At an edge or a vertex
//! a direction can be a normal only where it leans away from every triangle there: so a body that slides over flat ground
//! made of many triangles feels no edges.

use std::collections::HashMap;

use super::frame::{Place, Vec3};
use super::polytope::{Polytope, on_segment};
use super::shape::{Form, PRISM, Spot, rims};
use super::touch::{Core, PARALLEL, between, core, nearest_of_segments, within};
use crate::elementary::Elementary;

/// Sines below this are none: edges between triangles in one plane, normals at the border of what they can be.
const LEVEL: f64 = 1e-9;
/// Numbers of points on the rims of a cylinder begin here: above those of the corners of its prism.
const RIM: usize = 2 * PRISM;

/// A support of triangles, in a frame that moves with it.
#[derive(Debug, Clone)]
pub(crate) struct Relief {
    /// Index of the support.
    pub support: usize,
    points: Vec<Vec3>,
    facets: Vec<Facet>,
    ridges: Vec<Ridge>,
    peaks: Vec<Peak>,
    grid: Grid,
}

/// A triangle.
#[derive(Debug, Clone)]
struct Facet {
    corners: [usize; 3],
    normal: Vec3,
}

/// A convex edge, or one at the border.
#[derive(Debug, Clone)]
struct Ridge {
    ends: [usize; 2],
    bounds: Bounds,
}

/// A vertex of convex edges.
#[derive(Debug, Clone)]
struct Peak {
    point: usize,
    bounds: Bounds,
}

/// What normals of an edge or a vertex lean away from.
#[derive(Debug, Clone, Default)]
struct Bounds {
    along: Vec<Vec3>,
    /// A direction on the free side.
    up: Vec3,
}

impl Bounds {
    fn hold(&self, normal: Vec3) -> bool {
        normal.dot(&self.up) > 0.0 && self.along.iter().all(|along| normal.dot(along) <= LEVEL)
    }
}

/// Why triangles are no relief.
pub(crate) enum ReliefFault {
    /// A triangle that has no area.
    Flat(usize),
    /// An edge that three triangles share, or two that face opposite sides.
    Edge([usize; 2]),
}

impl Relief {
    /// The relief of triangles, counter-clockwise seen from the free side.
    pub fn new(support: usize, points: Vec<Vec3>, triangles: &[[usize; 3]]) -> Result<Self, ReliefFault> {
        let mut facets = Vec::with_capacity(triangles.len());
        for (k, &corners) in triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|i| points[i]);
            let across = (b - a).cross(&(c - a));
            let size = (b - a).norm().max((c - a).norm()).max((c - b).norm());
            if across.norm() <= LEVEL * size * size {
                return Err(ReliefFault::Flat(k));
            }
            facets.push(Facet { corners, normal: across.normalize() });
        }
        // Triangles at each edge, by its direction along their outline.
        let mut edges: HashMap<[usize; 2], usize> = HashMap::new();
        for (k, facet) in facets.iter().enumerate() {
            for i in 0..3 {
                let edge = [facet.corners[i], facet.corners[(i + 1) % 3]];
                if edges.insert(edge, k).is_some() {
                    return Err(ReliefFault::Edge(edge));
                }
            }
        }
        let mut ridges = Vec::new();
        let mut at_peaks: Vec<Bounds> = vec![Bounds::default(); points.len()];
        let mut sharp = vec![false; points.len()];
        for (k, facet) in facets.iter().enumerate() {
            for i in 0..3 {
                let ends = [facet.corners[i], facet.corners[(i + 1) % 3]];
                let other = edges.get(&[ends[1], ends[0]]).copied();
                // Each edge once.
                if other.is_some_and(|other| other < k) {
                    continue;
                }
                let along = (points[ends[1]] - points[ends[0]]).normalize();
                let mut bounds = Bounds { along: vec![facet.normal.cross(&along)], up: facet.normal };
                let mut convex = true;
                if let Some(other) = other {
                    let normal = facets[other].normal;
                    bounds.along.push(along.cross(&normal));
                    bounds.up += normal;
                    convex = facet.normal.dot(&bounds.along[1]) < -LEVEL;
                }
                for (end, sign) in [(0, 1.0), (1, -1.0)] {
                    at_peaks[ends[end]].along.push(sign * along);
                    sharp[ends[end]] |= convex;
                }
                if convex {
                    ridges.push(Ridge { ends, bounds });
                }
            }
            facet.corners.iter().for_each(|&c| at_peaks[c].up += facet.normal);
        }
        let peaks = at_peaks.into_iter().enumerate().filter(|(point, _)| sharp[*point]);
        let peaks = peaks.map(|(point, bounds)| Peak { point, bounds }).collect();
        let mut relief = Self { support, points, facets, ridges, peaks, grid: Grid::default() };
        relief.grid = Grid::new(&relief);
        Ok(relief)
    }

    /// The corners of its triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.facets.iter().map(|facet| facet.corners.map(|corner| self.points[corner]))
    }

    /// The points at which a shape touches, closer than `margin`; normals point to the shape.
    pub fn touches(&self, form: &Form, place: &Place, margin: f64, out: &mut Vec<Spot>) {
        let mut near = Vec::new();
        self.grid.near(place.position, form.reach() + margin, &mut near);
        match (core(form, place), form.faces()) {
            (Some(core), _) => self.under_round(&core, &near, margin, out),
            (None, Some(polytope)) => {
                let vertices: Vec<Vec3> = polytope.vertices.iter().map(|v| place.point(*v)).collect();
                // Which of the corners touch triangles: of a cylinder not those at an end whose rim does.
                let mut corners = vec![true; vertices.len()];
                if let Form::Cylinder { radius, half, .. } = *form {
                    let held = self.under_rims((radius, half), place, &near, margin, out);
                    corners.iter_mut().zip(&polytope.vertices).for_each(|(c, v)| *c = !held[usize::from(v.z > 0.0)]);
                }
                self.under_faces((polytope, &vertices, &corners), place, &near, margin, out);
            }
            (None, None) => {}
        }
    }

    /// What a number of the grid stands for.
    fn feature(&self, number: usize) -> Found<'_> {
        let (facets, ridges) = (self.facets.len(), self.ridges.len());
        if number < facets {
            Found::Facet(&self.facets[number])
        } else if number < facets + ridges {
            Found::Ridge(&self.ridges[number - facets])
        } else {
            Found::Peak(&self.peaks[number - facets - ridges])
        }
    }

    /// Height over a triangle, and the foot where that lies inside it.
    fn over(&self, facet: &Facet, point: Vec3) -> Option<(f64, Vec3)> {
        let [a, b, c] = facet.corners.map(|i| self.points[i]);
        let height = facet.normal.dot(&(point - a));
        let foot = point - height * facet.normal;
        let inside = |p: Vec3, q: Vec3| facet.normal.dot(&(q - p).cross(&(foot - p))) >= 0.0;
        (inside(a, b) && inside(b, c) && inside(c, a)).then_some((height, foot))
    }

    fn under_round(&self, core: &Core, near: &[u32], margin: f64, out: &mut Vec<Spot>) {
        let single = core.ends[0] == core.ends[1];
        let ends = if single { &core.ends[..1] } else { &core.ends[..] };
        for &number in near {
            let label = |k: usize| number << 2 | k as u32;
            match self.feature(number as usize) {
                Found::Facet(facet) => {
                    for (k, end) in ends.iter().enumerate() {
                        let Some((height, foot)) = self.over(facet, *end) else { continue };
                        let gap = height - core.radius;
                        if gap <= margin && height >= -core.radius {
                            let normal = facet.normal;
                            out.push(Spot { normal, point: foot + 0.5 * gap * normal, gap, feature: label(k) });
                        }
                    }
                }
                Found::Ridge(ridge) => {
                    let edge = ridge.ends.map(|i| self.points[i]);
                    let mut meet = |p: Vec3, r: Vec3, k: usize| {
                        if within(edge, r) {
                            let spot = between(p, core.radius, r, 0.0, margin, label(k));
                            out.extend(spot.filter(|spot| ridge.bounds.hold(spot.normal)));
                        }
                    };
                    for (k, end) in ends.iter().enumerate() {
                        meet(*end, on_segment(edge[0], edge[1], *end), k);
                    }
                    let (p, r) = nearest_of_segments(core.ends, edge);
                    if !single && within(core.ends, p) {
                        meet(p, r, 2);
                    }
                }
                Found::Peak(peak) => {
                    let r = self.points[peak.point];
                    let p = on_segment(core.ends[0], core.ends[1], r);
                    let spot = between(p, core.radius, r, 0.0, margin, label(0));
                    out.extend(spot.filter(|spot| peak.bounds.hold(spot.normal)));
                }
            }
        }
    }

    /// The rims of a cylinder on the insides of triangles, on which it is round; for each whether its lowest point lies over
    /// one. On a ridge between two triangles it may lie over none: there the corners of the prism keep it from sinking.
    fn under_rims(
        &self,
        (radius, half): (f64, f64),
        place: &Place,
        near: &[u32],
        margin: f64,
        out: &mut Vec<Spot>,
    ) -> [bool; 2] {
        let reach = 2.0 * radius.hypotenuse(half);
        let mut held = [false; 2];
        let mut found = Vec::new();
        for &number in near {
            let Found::Facet(facet) = self.feature(number as usize) else { continue };
            for (end, rim) in rims(radius, half, place, facet.normal).into_iter().enumerate() {
                for (i, point) in rim.into_iter().enumerate() {
                    let Some((gap, _)) = self.over(facet, point) else { continue };
                    if gap < -reach {
                        continue;
                    }
                    held[end] |= i == 0;
                    if gap <= margin {
                        let (normal, feature) = (facet.normal, number << 8 ^ (RIM + 4 * end + i) as u32);
                        found.push((end, Spot { normal, point: point - 0.5 * gap * normal, gap, feature }));
                    }
                }
            }
        }
        out.extend(found.into_iter().filter(|(end, _)| held[*end]).map(|(_, spot)| spot));
        held
    }

    /// A body with flat faces, the corners of which touch triangles where they are marked.
    fn under_faces(
        &self,
        (body, vertices, corners): (&Polytope, &[Vec3], &[bool]),
        place: &Place,
        near: &[u32],
        margin: f64,
        out: &mut Vec<Spot>,
    ) {
        for &number in near {
            let label = |k: usize| number << 8 ^ k as u32;
            match self.feature(number as usize) {
                Found::Facet(facet) => {
                    for (k, v) in vertices.iter().enumerate().filter(|(k, _)| corners[*k]) {
                        let Some((gap, _)) = self.over(facet, *v) else { continue };
                        if gap <= margin && gap >= -body.size {
                            let normal = facet.normal;
                            out.push(Spot { normal, point: v - 0.5 * gap * normal, gap, feature: label(k) });
                        }
                    }
                }
                Found::Ridge(ridge) => {
                    for (k, ends) in body.edges.iter().enumerate() {
                        let edge = ends.map(|v| vertices[v]);
                        out.extend(self.crossing(ridge, edge, vertices, margin, label(k)));
                    }
                }
                Found::Peak(peak) => {
                    let point = self.points[peak.point];
                    let (_, away, gap) = body.nearest(place.seen(point));
                    let normal = -(place.rotation * away);
                    if gap <= margin && gap >= -body.size && peak.bounds.hold(normal) {
                        out.push(Spot { normal, point: point + 0.5 * gap * normal, gap, feature: label(0) });
                    }
                }
            }
        }
    }

    /// An edge of a body across an edge of the relief.
    fn crossing(&self, ridge: &Ridge, edge: [Vec3; 2], all: &[Vec3], margin: f64, feature: u32) -> Option<Spot> {
        let own = ridge.ends.map(|i| self.points[i]);
        let (along, other) = (own[1] - own[0], edge[1] - edge[0]);
        let cross = along.cross(&other);
        let sine = cross.norm() / (along.norm() * other.norm());
        if sine <= PARALLEL {
            return None;
        }
        let normal = cross.normalize() * cross.dot(&ridge.bounds.up).signum();
        let (p, r) = nearest_of_segments(edge, own);
        let gap = normal.dot(&(p - r));
        let size = other.norm();
        let met = ridge.bounds.hold(normal)
            && gap <= margin
            && gap >= -size
            && within(own, r)
            && within(edge, p)
            && (p - r - gap * normal).norm() <= LEVEL * size
            // Nothing of the body reaches further down.
            && all.iter().all(|w| normal.dot(&(w - p)) >= -LEVEL * size);
        met.then_some(Spot { normal, point: 0.5 * (p + r), gap, feature })
    }
}

enum Found<'a> {
    Facet(&'a Facet),
    Ridge(&'a Ridge),
    Peak(&'a Peak),
}

/// Cells of the horizontal plane with the numbers of what lies over them.
#[derive(Debug, Clone, Default)]
struct Grid {
    low: [f64; 2],
    cell: f64,
    counts: [usize; 2],
    /// Where the entries of each cell begin; one more than cells.
    starts: Vec<usize>,
    entries: Vec<u32>,
}

impl Grid {
    fn new(relief: &Relief) -> Self {
        let points = &relief.points;
        let bound = |k: usize, pick: fn(f64, f64) -> f64, start: f64| points.iter().map(|p| p[k]).fold(start, pick);
        let low = [0, 1].map(|k| bound(k, f64::min, f64::INFINITY));
        let high = [0, 1].map(|k| bound(k, f64::max, f64::NEG_INFINITY));
        let spans = [high[0] - low[0], high[1] - low[1]];
        // About one triangle a cell; a wall that stands upright has no area in the plane.
        let count = relief.facets.len().max(1) as f64;
        let cell = (spans[0] * spans[1] / count).sqrt().max(spans[0].max(spans[1]) / count.max(1.0));
        let cell = if cell > 0.0 { cell } else { 1.0 };
        let counts = spans.map(|span| (span / cell) as usize + 1);
        let mut grid = Self { low, cell, counts, starts: Vec::new(), entries: Vec::new() };
        let mut all: Vec<(usize, u32)> = Vec::new();
        let mut add = |number: usize, corners: &[usize]| {
            let side =
                |k: usize, pick: fn(f64, f64) -> f64| corners.iter().map(|&c| points[c][k]).reduce(pick).unwrap_or(0.0);
            let (from, to) = (
                grid.index([side(0, f64::min), side(1, f64::min)]),
                grid.index([side(0, f64::max), side(1, f64::max)]),
            );
            for row in from[1]..=to[1] {
                all.extend((from[0]..=to[0]).map(|column| (row * grid.counts[0] + column, number as u32)));
            }
        };
        let facets = relief.facets.len();
        relief.facets.iter().enumerate().for_each(|(k, facet)| add(k, &facet.corners));
        relief.ridges.iter().enumerate().for_each(|(k, ridge)| add(facets + k, &ridge.ends));
        let before = facets + relief.ridges.len();
        relief.peaks.iter().enumerate().for_each(|(k, peak)| add(before + k, &[peak.point]));
        crate::small::sort(&mut all);
        grid.starts = (0..=counts[0] * counts[1]).map(|cell| all.partition_point(|entry| entry.0 < cell)).collect();
        grid.entries = all.into_iter().map(|entry| entry.1).collect();
        grid
    }

    fn index(&self, point: [f64; 2]) -> [usize; 2] {
        [0, 1].map(|k| (((point[k] - self.low[k]) / self.cell).max(0.0) as usize).min(self.counts[k] - 1))
    }

    /// The numbers of all that a ball could touch, in order.
    fn near(&self, centre: Vec3, reach: f64, out: &mut Vec<u32>) {
        let (from, to) =
            (self.index([centre.x - reach, centre.y - reach]), self.index([centre.x + reach, centre.y + reach]));
        for row in from[1]..=to[1] {
            let cells = row * self.counts[0] + from[0]..=row * self.counts[0] + to[0];
            out.extend_from_slice(&self.entries[self.starts[*cells.start()]..self.starts[*cells.end() + 1]]);
        }
        crate::small::sort(out);
        out.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::Mat3;
    use super::*;

    /// A roof along y: two slopes of 45 degrees that meet at x = 0, z = 0, each side of several triangles.
    fn roof(sign: f64) -> Relief {
        let mut points = Vec::new();
        for row in 0..4 {
            for column in -2i32..=2 {
                points.push(Vec3::new(f64::from(column), f64::from(row), -sign * f64::from(column.abs())));
            }
        }
        let mut triangles = Vec::new();
        for row in 0..3 {
            for column in 0..4 {
                let k = 5 * row + column;
                triangles.extend([[k, k + 1, k + 6], [k, k + 6, k + 5]]);
            }
        }
        Relief::new(0, points, &triangles).ok().unwrap()
    }

    fn at(x: f64, y: f64, z: f64) -> Place {
        Place { position: Vec3::new(x, y, z), rotation: Mat3::identity() }
    }

    fn spots(relief: &Relief, form: &Form, place: Place) -> Vec<Spot> {
        let mut out = Vec::new();
        relief.touches(form, &place, 0.01, &mut out);
        out
    }

    #[test]
    fn balls_touch_ridges_slopes_and_valleys() {
        let (ball, half) = (Form::Ball { radius: 0.2 }, 0.5f64.sqrt());
        let list = spots(&roof(1.0), &ball, at(0.0, 1.3, 0.2));
        assert!(
            list.len() == 1 && list[0].gap.abs() < 1e-15 && (list[0].normal - Vec3::z()).norm() < 1e-15,
            "{list:?}"
        );
        // A little down the slope the ridge no longer holds: the slope does, also over the edges within it.
        for y in [1.3, 1.0, 0.61] {
            let list = spots(&roof(1.0), &ball, at(1.0, y, -1.0 + 0.2 / half));
            assert!(!list.is_empty() && list.len() <= 6, "{list:?}");
            let slope = Vec3::new(half, 0.0, half);
            assert!(list.iter().all(|s| s.gap.abs() < 1e-14 && (s.normal - slope).norm() < 1e-14), "{list:?}");
        }
        let list = spots(&roof(-1.0), &ball, at(0.0, 1.3, 0.2 / half));
        assert_eq!(list.len(), 2, "{list:?}");
        assert!(list.iter().all(|s| s.gap.abs() < 1e-14 && (s.normal.z - half).abs() < 1e-14));
        // Over the middle of the border, and beside it.
        assert!(spots(&roof(1.0), &ball, at(0.0, 3.1, 0.1)).len() == 1);
        assert!(spots(&roof(1.0), &ball, at(0.0, 3.5, 0.1)).is_empty());
    }

    #[test]
    fn boxes_lie_across_ridges_and_stand_in_valleys() {
        let cube = Form::Polytope(Box::new(Polytope::cuboid(Vec3::new(0.3, 0.3, 0.3))));
        let list = spots(&roof(1.0), &cube, at(0.0, 1.5, 0.3));
        // Its two edges across the ridge, and the vertex of the ridge below it is none of the row's.
        assert!(list.len() >= 2 && list.iter().all(|s| s.gap.abs() < 1e-14 && s.normal == Vec3::z()), "{list:?}");
        let list = spots(&roof(-1.0), &cube, at(0.0, 1.5, 0.6));
        assert_eq!(list.len(), 4, "{list:?}");
        assert!(list.iter().all(|s| s.gap.abs() < 1e-14), "{list:?}");
        // A capsule along the ridge touches with both ends.
        let turned = Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0);
        let lying = Place { rotation: turned, ..at(0.0, 1.5, 0.1) };
        let list = spots(&roof(1.0), &Form::Capsule { radius: 0.1, half: 0.4 }, lying);
        assert!(list.len() >= 2 && list.iter().all(|s| s.gap.abs() < 1e-14 && (s.normal.z - 1.0).abs() < 1e-14));
    }

    #[test]
    fn triangles_that_are_none_are_told() {
        let points = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), 2.0 * Vec3::x()];
        assert!(matches!(Relief::new(0, points.clone(), &[[0, 1, 3]]), Err(ReliefFault::Flat(0))));
        assert!(matches!(Relief::new(0, points, &[[0, 1, 2], [0, 1, 2]]), Err(ReliefFault::Edge(_))));
    }
}
