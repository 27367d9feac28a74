//! Convex solids drawn from back to front, with shade. `assets/space.js` draws the same in pages.

use std::f64::consts::TAU;

use delassus_figure::{Color, Drawing, series_color};

use super::camera::{Camera, Vector, cross, dot, minus};
use super::film::{GROUND, GROUND_EDGE, INK, between, mixed};
use super::scene::{Convex, Patch, Scene};

/// Solids beyond which only distances order them.
const MOST_ORDERED: usize = 80;
/// Disks that make the shade of a ball.
const SHADES: usize = 7;

/// Draws grounds, solids and links at a time; `put` brings the camera's picture to the drawing.
pub(super) fn draw(drawing: &mut Drawing, scene: &Scene, camera: &Camera, t: f64, put: &dyn Fn([f64; 2]) -> [f64; 2]) {
    let eye = camera.eye();
    let spot = |p: Vector| put(camera.place(p).0);
    let mut placed = Vec::new();
    let mut links = Vec::new();
    let mut moved = Vec::new();
    for (k, film) in scene.films.iter().enumerate() {
        let now = between(film, t);
        let (places, shifts) = (mixed(&film.places, now), mixed(&film.shifts, now));
        if k == 0 {
            moved.clone_from(&shifts);
        }
        let place = |body: usize| Place::of(&places[7 * body..7 * body + 7]);
        for (b, body) in scene.bodies.iter().enumerate() {
            let place = place(b);
            placed.extend(body.solids.iter().map(|solid| Placed::new(solid, &place, film.color, b)));
        }
        for link in &scene.links {
            let ends = link.ends.iter().map(|end| {
                let point = end.point.map(f64::from);
                match (end.body, end.shift) {
                    (Some(body), _) => place(body).point(point),
                    (_, shift) => shifted(point, shift, &shifts),
                }
            });
            links.push(ends.map(spot).collect::<Vec<_>>());
        }
    }
    // Those that the eye sees from behind lie before everything else and are only outlined.
    let place = |patch: &Patch| shifted(patch.points[0].map(f64::from), patch.shift, &moved);
    let (mut back, front): (Vec<_>, Vec<_>) =
        scene.patches.iter().partition(|patch| dot(patch.normal.map(f64::from), minus(eye, place(patch))) > 0.0);
    // Hills hide what lies behind them.
    let distance =
        |patch: &Patch| if patch.relief { minus(eye, place(patch)).map(|v| v * v).iter().sum() } else { f64::MAX };
    back.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
    for patch in back {
        let at = |p: &[f32; 3]| spot(shifted(p.map(f64::from), patch.shift, &moved));
        drawing.polygon(&patch.points.iter().map(at).collect::<Vec<_>>(), (GROUND, 1.0), (GROUND_EDGE, 0.8));
        for ends in &patch.grid {
            drawing.line(&ends.iter().map(at).collect::<Vec<_>>(), Color::hex(0xcdc8be), 0.6);
        }
    }
    let opacity = if scene.films.len() > 1 { 0.6 } else { 1.0 };
    for k in ordered(&placed, eye) {
        placed[k].draw(drawing, camera, eye, opacity, put);
    }
    for ends in links {
        drawing.line(&ends, INK, 1.2);
    }
    for patch in front.into_iter().filter(|patch| !patch.relief) {
        let mut points: Vec<_> =
            patch.points.iter().map(|p| spot(shifted(p.map(f64::from), patch.shift, &moved))).collect();
        points.extend(points.first().copied());
        drawing.line(&points, Color::hex(0xb9b2a5), 0.6);
    }
}

fn shifted(point: Vector, shift: Option<usize>, shifts: &[f64]) -> Vector {
    let by = shift.and_then(|k| shifts.get(3 * k..3 * k + 3));
    std::array::from_fn(|k| point[k] + by.map_or(0.0, |by| by[k]))
}

/// Place and orientation of a body.
struct Place {
    position: Vector,
    axes: [Vector; 3],
}

impl Place {
    /// From x, y, z and a quaternion that need not have unit length.
    fn of(q: &[f64]) -> Self {
        let size = q[3..].iter().map(|v| v * v).sum::<f64>().sqrt().max(1e-9);
        let [w, x, y, z] = std::array::from_fn(|k| q[3 + k] / size);
        Self {
            position: [q[0], q[1], q[2]],
            axes: [
                [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
                [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
                [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
            ],
        }
    }

    fn turned(&self, p: Vector) -> Vector {
        std::array::from_fn(|k| (0..3).map(|i| p[i] * self.axes[i][k]).sum())
    }

    fn point(&self, p: Vector) -> Vector {
        let turned = self.turned(p);
        std::array::from_fn(|k| self.position[k] + turned[k])
    }
}

/// A solid where it is.
struct Placed<'a> {
    solid: &'a Convex,
    vertices: Vec<Vector>,
    /// Per face its outward normal and normal · x of its points.
    planes: Vec<(Vector, f64)>,
    centre: Vector,
    radius: f64,
    /// The planes of great circles on a ball show how it turns.
    axes: [Vector; 3],
    color: Color,
}

impl<'a> Placed<'a> {
    fn new(solid: &'a Convex, place: &Place, color: usize, body: usize) -> Self {
        let vertices: Vec<Vector> = solid.vertices.iter().map(|v| place.point(v.map(f64::from))).collect();
        let count = vertices.len() as f64;
        let centre = std::array::from_fn(|k| vertices.iter().map(|v| v[k]).sum::<f64>() / count);
        let plane = |face: &Vec<usize>| {
            let at = |k: usize| vertices[face[k % face.len()]];
            // The area vector, which thin corners do not spoil.
            let area = (0..face.len()).fold([0.0; 3], |sum: Vector, k| {
                let part = cross(minus(at(k), centre), minus(at(k + 1), centre));
                std::array::from_fn(|i| sum[i] + part[i])
            });
            let length = dot(area, area).sqrt().max(f64::MIN_POSITIVE);
            let normal = area.map(|v| v / length);
            (normal, dot(normal, at(0)))
        };
        let planes = solid.faces.iter().map(plane).collect();
        let light = 0.12 * (body % 3) as f64;
        let color = mix(series_color(color), Color::WHITE, 0.25 + light);
        Self { solid, planes, centre, radius: f64::from(solid.radius), axes: place.axes, vertices, color }
    }

    /// Whether all of it lies outside of a plane.
    fn beyond(&self, (normal, offset): (Vector, f64), room: f64) -> bool {
        self.vertices.iter().all(|v| dot(normal, *v) - self.radius >= offset - room)
    }

    fn draw(
        &self,
        drawing: &mut Drawing,
        camera: &Camera,
        eye: Vector,
        opacity: f64,
        put: &dyn Fn([f64; 2]) -> [f64; 2],
    ) {
        let spot = |p: Vector| put(camera.place(p).0);
        if self.solid.faces.is_empty() {
            return self.draw_ball(drawing, camera, eye, opacity, put);
        }
        let mut faces: Vec<usize> = (0..self.planes.len()).collect();
        faces.retain(|k| dot(self.planes[*k].0, eye) > self.planes[*k].1);
        for k in faces {
            let shade = 0.5 + 0.5 * dot(self.planes[k].0, camera.light).max(0.0);
            let (tone, edges) = match self.solid.tones[k] {
                0 => (1.0, false),
                1 => (0.86, false),
                _ => (1.0, true),
            };
            let color = mix(Color::BLACK, self.color, shade * tone);
            let points: Vec<_> = self.solid.faces[k].iter().map(|v| spot(self.vertices[*v])).collect();
            let edge = if edges { mix(Color::BLACK, color, 0.55) } else { color };
            drawing.polygon(&points, (color, opacity), (edge, if edges || opacity == 1.0 { 0.7 } else { 0.0 }));
        }
    }

    fn draw_ball(
        &self,
        drawing: &mut Drawing,
        camera: &Camera,
        eye: Vector,
        opacity: f64,
        put: &dyn Fn([f64; 2]) -> [f64; 2],
    ) {
        let (middle, scale) = camera.place(self.centre);
        let radius = scale * self.radius;
        let edge = mix(Color::BLACK, self.color, 0.5);
        drawing.disk(put(middle), radius, (mix(Color::BLACK, self.color, 0.68), opacity), (edge, 0.8));
        if opacity == 1.0 {
            // Smaller disks, lighter and nearer to the light.
            let bright: Vector = std::array::from_fn(|k| self.centre[k] + 0.5 * self.radius * camera.light[k]);
            let towards = camera.place(bright).0;
            for k in 1..SHADES {
                let part = k as f64 / SHADES as f64;
                let at = [0, 1].map(|i| middle[i] + part * (towards[i] - middle[i]));
                let color = mix(Color::BLACK, mix(self.color, Color::WHITE, 0.25 * part), 0.68 + 0.32 * part);
                drawing.disk(put(at), (1.0 - 0.92 * part) * radius, (color, 1.0), (color, 0.0));
            }
        }
        let view = minus(eye, self.centre);
        for [a, b] in [[0, 1], [0, 2]] {
            let mut arc: Vec<[f64; 2]> = Vec::new();
            for k in 0..=48 {
                let (sin, cos) = (TAU * f64::from(k) / 48.0).sin_cos();
                let out: Vector =
                    std::array::from_fn(|i| self.radius * (cos * self.axes[a][i] + sin * self.axes[b][i]));
                if dot(out, view) > self.radius * self.radius {
                    arc.push(put(camera.place(std::array::from_fn(|i| self.centre[i] + out[i])).0));
                } else if !arc.is_empty() {
                    drawing.line(&std::mem::take(&mut arc), edge, 0.9);
                }
            }
            if arc.len() > 1 {
                drawing.line(&arc, edge, 0.9);
            }
        }
    }
}

fn mix(a: Color, b: Color, part: f64) -> Color {
    let channel = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round().clamp(0.0, 255.0) as u8;
    Color { r: channel(a.r, b.r), g: channel(a.g, b.g), b: channel(a.b, b.b) }
}

/// The solids from back to front. Of two convex ones a plane between them tells which is in front: the one on the
/// eye's side of it.
fn ordered(placed: &[Placed<'_>], eye: Vector) -> Vec<usize> {
    let distance = |k: usize| {
        let d = minus(placed[k].centre, eye);
        dot(d, d)
    };
    let mut order: Vec<usize> = (0..placed.len()).collect();
    order.sort_by(|a, b| distance(*b).total_cmp(&distance(*a)));
    if placed.len() > MOST_ORDERED {
        return order;
    }
    let mut out = Vec::with_capacity(order.len());
    while !order.is_empty() {
        // The farthest that covers none of those left; where they cover each other in a ring, the farthest.
        let free = |k: &usize| order.iter().all(|other| other == k || !covers(&placed[*k], &placed[*other], eye));
        let next = order.iter().position(free).unwrap_or(0);
        out.push(order.remove(next));
    }
    out
}

/// Whether the first may cover the second.
fn covers(a: &Placed<'_>, b: &Placed<'_>, eye: Vector) -> bool {
    let room = 0.02 * dot(minus(a.centre, b.centre), minus(a.centre, b.centre)).sqrt();
    let outside = |(normal, offset): (Vector, f64)| dot(normal, eye) > offset;
    if let Some(plane) = a.planes.iter().find(|plane| b.beyond(**plane, room)) {
        return !outside(*plane);
    }
    if let Some(plane) = b.planes.iter().find(|plane| a.beyond(**plane, room)) {
        return outside(*plane);
    }
    let (span, middle) = (minus(a.centre, b.centre), std::array::from_fn(|k| 0.5 * (a.centre[k] + b.centre[k])));
    dot(minus(eye, middle), span) > 0.0
}
