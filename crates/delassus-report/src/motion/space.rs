//! The scene of bodies in space.

use std::f32::consts::{FRAC_PI_2, TAU};

use delassus::model::{Anchor, SketchPlane, SketchSolid, Solid, SpatialSystem};
use delassus::simulate::{Sample, Trajectory};

use super::scene::{Body, Convex, End, Film, Link, Patch, Scene, blows, kept, rods, short};
use super::{Run, landscape};

/// Bodies beyond which the points that touch are not shown: a pile has too many to see.
const MOST_BODIES: usize = 24;
/// Points that touch lie closer than this part of the bodies' size.
const TOUCHING: f64 = 2e-3;
/// Sides of a drawn cylinder, a multiple of four.
const SIDES: usize = 32;
/// Rings of each half ball of a capsule.
const RINGS: usize = 5;

pub(super) type Point = [f32; 3];

/// Bodies, planes, links and what happens to them.
pub(super) fn scene(system: &SpatialSystem, runs: &[Run<'_>]) -> Scene {
    let body = |name: &String| Body { name: name.clone(), parts: Vec::new(), solids: Vec::new() };
    let mut bodies: Vec<Body> = system.bodies().iter().map(|b| body(&b.name)).collect();
    for part in system.sketch_solids() {
        bodies[part.body].solids.push(convex(&part));
    }
    let mut moving: Vec<usize> = system.sketch_planes().map(|plane| plane.support).collect();
    moving.extend(system.sketch_triangles().map(|triangle| triangle.support));
    moving.retain(|support| system.support_moves(*support));
    moving.dedup();
    let shift = |support: usize| moving.iter().position(|s| *s == support);
    let end = |anchor: Anchor<3>| match anchor {
        Anchor::Body(body, point) => End { body: Some(body), shift: None, point: short(point) },
        Anchor::Support(support, point) => End { body: None, shift: shift(support), point: short(point) },
        Anchor::World(point) => End { body: None, shift: None, point: short(point) },
    };
    let link = |ends: &[Anchor<3>; 2], spring| Link { ends: ends.map(end), spring };
    let [joints, springs] = system.sketch_links();
    let links = joints.iter().map(|ends| link(ends, false)).chain(springs.iter().map(|ends| link(ends, true)));
    let mut links: Vec<Link> = links.collect();
    let held: Vec<Link> = rods(&links, |body| system.bodies()[body].size as f32).collect();
    links.splice(0..0, held);
    let films: Vec<Film> = runs.iter().map(|run| film(system, &moving, run)).collect();
    let view = view(system, &films);
    let planes: Vec<SketchPlane<'_>> = system.sketch_planes().collect();
    let patches = planes.iter().filter_map(|plane| patch(plane, &planes, view, shift(plane.support)));
    let mut patches: Vec<Patch> = patches.collect();
    landscape::add_patches(system, view, &shift, &mut patches);
    Scene { bodies, lines: Vec::new(), patches, links, view: view.to_vec(), films }
}

fn film(system: &SpatialSystem, moving: &[usize], Run { law, trajectory }: &Run<'_>) -> Film {
    let run: &Trajectory = trajectory;
    let shifts = |s: &Sample| moving.iter().flat_map(|k| short(system.support_shift(*k, s.time))).collect();
    let smallest = system.bodies().iter().map(|b| b.size).fold(f64::INFINITY, f64::min);
    let touches = |s: &Sample| {
        if system.bodies().len() > MOST_BODIES {
            return Vec::new();
        }
        system.touching(s.time, &s.q, TOUCHING * smallest).into_iter().map(short).collect()
    };
    let mut places: Vec<Vec<f32>> = Vec::new();
    for sample in kept(run) {
        // A quaternion and its opposite are one orientation: the nearer one, so that frames can be mixed.
        let mut now: Vec<f32> = sample.q.iter().map(|v| *v as f32).collect();
        if let Some(before) = places.last() {
            for (now, before) in now.chunks_exact_mut(7).zip(before.chunks_exact(7)) {
                if (3..7).map(|k| now[k] * before[k]).sum::<f32>() < 0.0 {
                    now[3..].iter_mut().for_each(|v| *v = -*v);
                }
            }
        }
        places.push(now);
    }
    // Five digits are seen; more only make the page longer.
    let round = |v: &mut f32, unit: f32| *v = (*v / unit).round() * unit;
    for place in places.iter_mut().flat_map(|places| places.chunks_exact_mut(7)) {
        place[..3].iter_mut().for_each(|v| round(v, 1e-4 * smallest as f32));
        place[3..].iter_mut().for_each(|v| round(v, 1e-5));
    }
    Film {
        law: (*law).to_owned(),
        color: 0,
        times: kept(run).map(|s| s.time).collect(),
        places,
        shifts: if moving.is_empty() { Vec::new() } else { kept(run).map(shifts).collect() },
        touches: kept(run).map(touches).collect(),
        impacts: blows(run),
    }
}

/// A part of a body with flat faces, in the body's frame.
fn convex(part: &SketchSolid) -> Convex {
    let at = |p: Point| -> Point {
        let along = |k: usize| (0..3).map(|i| part.axes[i][k] as f32 * p[i]).sum::<f32>();
        std::array::from_fn(|k| part.position[k] as f32 + along(k))
    };
    match &part.solid {
        Solid::Ball { radius } => Convex {
            vertices: vec![short(part.position)],
            faces: Vec::new(),
            tones: Vec::new(),
            radius: *radius as f32,
        },
        Solid::Faces { vertices, faces } => Convex {
            vertices: vertices.iter().map(|v| at(short(*v))).collect(),
            faces: faces.clone(),
            tones: vec![2; faces.len()],
            radius: 0.0,
        },
        Solid::Cylinder { radius, half, round } => {
            let (radius, half) = (*radius as f32, *half as f32);
            // Rings from the lower end to the upper, each its height and radius.
            let profile: Vec<[f32; 2]> = if *round {
                let dome = (0..=RINGS).map(|k| FRAC_PI_2 * k as f32 / RINGS as f32).map(|a| {
                    let (sin, cos) = (a - FRAC_PI_2).sin_cos();
                    [radius * sin - half, radius * cos]
                });
                let lower: Vec<[f32; 2]> = dome.collect();
                lower.iter().copied().chain(lower.iter().rev().map(|[z, r]| [-z, *r])).collect()
            } else {
                vec![[-half, radius], [half, radius]]
            };
            turned(&profile, &at)
        }
    }
}

/// The surface of rings around z, with ends; a quarter and the next have different tones.
fn turned(profile: &[[f32; 2]], at: &dyn Fn(Point) -> Point) -> Convex {
    let corner = |ring: usize, k: usize| ring * SIDES + k % SIDES;
    let mut vertices = Vec::new();
    for [z, r] in profile {
        for k in 0..SIDES {
            let (sin, cos) = (TAU * k as f32 / SIDES as f32).sin_cos();
            vertices.push(at([r * cos, r * sin, *z]));
        }
    }
    let (mut faces, mut tones) = (Vec::new(), Vec::new());
    let last = profile.len() - 1;
    for k in 0..SIDES {
        let tone = (4 * k / SIDES % 2) as u8;
        for ring in 0..last {
            faces.push(vec![corner(ring, k), corner(ring, k + 1), corner(ring + 1, k + 1), corner(ring + 1, k)]);
            tones.push(tone);
        }
    }
    // Flat ends, a quarter at a time.
    if profile[0][1] > 1e-3 * (profile[0][0]).abs() {
        for quarter in 0..4 {
            let arc: Vec<usize> = (quarter * SIDES / 4..=(quarter + 1) * SIDES / 4).collect();
            for (ring, reversed) in [(0, true), (last, false)] {
                let centre = vertices.len();
                vertices.push(at([0.0, 0.0, profile[ring][0]]));
                let mut face: Vec<usize> = arc.iter().map(|k| corner(ring, *k)).collect();
                if reversed {
                    face.reverse();
                }
                face.push(centre);
                faces.push(face);
                tones.push((quarter % 2) as u8);
            }
        }
    }
    Convex { vertices, faces, tones, radius: 0.0 }
}

/// The smallest box that holds all bodies at all times: least, then largest x, y, z.
fn view(system: &SpatialSystem, films: &[Film]) -> [f32; 6] {
    let mut bounds =
        [f32::INFINITY, f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
    for places in films.iter().flat_map(|film| &film.places) {
        for (place, body) in places.chunks_exact(7).zip(system.bodies()) {
            for k in 0..3 {
                bounds[k] = bounds[k].min(place[k] - body.size as f32);
                bounds[k + 3] = bounds[k + 3].max(place[k] + body.size as f32);
            }
        }
    }
    // A body on its side reaches below a floor only in the ball around it.
    for plane in system.sketch_planes() {
        for k in 0..3 {
            let (normal, point) = (plane.normal[k] as f32, plane.point[k] as f32);
            if normal > 0.999 {
                bounds[k] = bounds[k].max(point);
            } else if normal < -0.999 {
                bounds[k + 3] = bounds[k + 3].min(point);
            }
        }
    }
    let sound = (0..3).all(|k| bounds[k].is_finite() && bounds[k + 3].is_finite() && bounds[k + 3] > bounds[k]);
    if sound { bounds } else { [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0] }
}

/// The part of a plane that the view shows, cut off by other planes; none where the plane is far away.
fn patch(plane: &SketchPlane<'_>, all: &[SketchPlane<'_>], view: [f32; 6], shift: Option<usize>) -> Option<Patch> {
    let (n, p) = (short(plane.normal), short(plane.point));
    let dot = |a: Point, b: Point| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let minus = |a: Point, b: Point| -> Point { std::array::from_fn(|k| a[k] - b[k]) };
    let corners: Vec<Point> =
        (0..8).map(|c| std::array::from_fn(|k| if c >> k & 1 == 1 { view[k + 3] } else { view[k] })).collect();
    let size = (0..3).map(|k| view[k + 3] - view[k]).fold(0.0, f32::max);
    if corners.iter().map(|c| dot(n, minus(*c, p))).fold(f32::INFINITY, f32::min) > 0.3 * size {
        return None;
    }
    let (first, second) = across(n);
    let reach = |along: Point| {
        let values = corners.iter().map(|c| dot(along, minus(*c, p)));
        let (low, high) = values.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let margin = 0.12 * size + 0.5 * (0.3 * size - (high - low)).max(0.0);
        (low - margin, high + margin)
    };
    let (x, y) = (reach(first), reach(second));
    let at = |a: f32, b: f32| -> Point { std::array::from_fn(|k| p[k] + a * first[k] + b * second[k]) };
    let mut points = vec![at(x.0, y.0), at(x.1, y.0), at(x.1, y.1), at(x.0, y.1)];
    for other in all.iter().filter(|other| !std::ptr::eq(*other, plane)) {
        let (normal, place) = (short(other.normal), short(other.point));
        points = clipped(&points, |q| dot(normal, minus(q, place)) + 1e-5 * size);
    }
    if points.len() < 3 {
        return None;
    }
    let step = nice(0.1 * size);
    let mut grid = Vec::new();
    for (range, other, line) in [(x, y, 0), (y, x, 1)] {
        let from = (range.0 / step).ceil() as i32;
        for k in from..=(range.1 / step).floor() as i32 {
            let c = k as f32 * step;
            let ends = if line == 0 { [at(c, other.0), at(c, other.1)] } else { [at(other.0, c), at(other.1, c)] };
            let mut ends = ends.to_vec();
            for edge in all.iter().filter(|other| !std::ptr::eq(*other, plane)) {
                let (normal, place) = (short(edge.normal), short(edge.point));
                ends = clipped(&ends, |q| dot(normal, minus(q, place)) + 1e-5 * size);
            }
            if let [a, b, ..] = ends[..] {
                grid.push([a, b]);
            }
        }
    }
    Some(Patch { name: plane.name.to_owned(), points, grid, normal: n, shift, relief: false })
}

/// The part of a convex polygon, or of a line, where `inside` is positive.
pub(super) fn clipped(points: &[Point], inside: impl Fn(Point) -> f32) -> Vec<Point> {
    let mut out = Vec::new();
    let count = points.len();
    for (k, &a) in points.iter().enumerate() {
        let b = points[(k + 1) % count];
        let (here, there) = (inside(a), inside(b));
        if here >= 0.0 {
            out.push(a);
        }
        // A line has one side, not two.
        if (here > 0.0) != (there > 0.0) && here != 0.0 && there != 0.0 && (count > 2 || k == 0) {
            let part = here / (here - there);
            out.push(std::array::from_fn(|i| a[i] + part * (b[i] - a[i])));
        }
    }
    out
}

/// Two unit vectors across a normal, along the axes of the world where it is one.
fn across(n: Point) -> (Point, Point) {
    let first = if n[2].abs() > 0.9 { [n[2].abs(), 0.0, -n[0] * n[2].signum()] } else { [-n[1], n[0], 0.0] };
    let length = first.iter().map(|v| v * v).sum::<f32>().sqrt();
    let a = first.map(|v| v / length);
    (a, [n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2], n[0] * a[1] - n[1] * a[0]])
}

/// 1, 2 or 5 times a power of ten, at least `v`.
fn nice(v: f32) -> f32 {
    let power = 10f32.powf(v.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|m| *m >= v).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_cut_by_a_line() {
        let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(clipped(&square, |p| p[0] - 0.25).len(), 4);
        assert_eq!(clipped(&square, |p| p[0] + p[1] - 0.5).len(), 5);
        assert!(clipped(&square, |p| p[0] - 2.0).is_empty());
        assert_eq!(clipped(&square[..2], |p| 0.25 - p[0]), [[0.0, 0.0, 0.0], [0.25, 0.0, 0.0]]);
        assert_eq!(clipped(&square[..2], |p| p[0] - 0.25), [[0.25, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    }

    #[test]
    fn faces_of_round_solids_look_outwards() {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for round in [false, true] {
            let solid = Solid::Cylinder { radius: 0.5, half: 1.0, round };
            let drawn = convex(&SketchSolid { body: 0, solid, position: [0.0; 3], axes });
            for face in &drawn.faces {
                let v = |k: usize| drawn.vertices[face[k]];
                // The area vector of the face points away from the centre.
                let mut area = [0.0f32; 3];
                for k in 0..face.len() {
                    let (a, b) = (v(k), v((k + 1) % face.len()));
                    for i in 0..3 {
                        area[i] += a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
                    }
                }
                assert!((0..3).map(|i| area[i] * v(0)[i]).sum::<f32>() >= 0.0, "{round} {face:?}");
            }
        }
        assert!((nice(0.13) - 0.2).abs() < 1e-6 && (nice(0.011) - 0.02).abs() < 1e-9);
    }
}
