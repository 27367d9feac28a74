//! One moment of a scene as a drawing, and many as an animated GIF.

use delassus_figure::{Anchor, Color, Drawing, series_color};

use super::camera::Camera;
use super::scene::{Film, Line, Link, Scene};
use super::solids;

/// Largest width and height of the picture in points; a point is a pixel of the GIF.
const LARGEST: [f64; 2] = [640.0, 460.0];
/// Smallest width, so that there is room for time and laws.
const SMALLEST: f64 = 320.0;
/// Space above the picture for time and laws.
const HEAD: f64 = 26.0;
/// Length of the longest arrow of an impulse in units of the frame's height.
const ARROW: f64 = 0.3;

pub(super) const GROUND: Color = Color::hex(0xe7e4de);
pub(super) const GROUND_EDGE: Color = Color::hex(0x6b6459);
const IMPULSE: Color = Color::hex(0xc23b22);
const FORCE: Color = Color::hex(0x7a8b99);
pub(super) const INK: Color = Color::hex(0x222222);

/// From metres to points.
struct Stage {
    scale: f64,
    left: f64,
    top: f64,
}

impl Stage {
    fn spot(&self, p: &[f32; 3]) -> [f64; 2] {
        self.at([f64::from(p[0]), f64::from(p[1])])
    }

    fn at(&self, p: [f64; 2]) -> [f64; 2] {
        [(p[0] - self.left) * self.scale, HEAD + (self.top - p[1]) * self.scale]
    }
}

/// The scene at time `t`, with the impulses of impacts since `t − trail`.
pub fn frame(scene: &Scene, t: f64, trail: f64) -> Drawing {
    if scene.is_space() {
        return space_frame(scene, t, trail);
    }
    let [left, bottom, right, top] = std::array::from_fn(|k| scene.view.get(k).copied().map_or(0.0, f64::from));
    let scale = (LARGEST[0] / (right - left)).min(LARGEST[1] / (top - bottom));
    let width = (scale * (right - left)).max(SMALLEST).ceil();
    let height = (HEAD + (top - bottom) * scale).ceil();
    let stage = Stage { scale, left: (left + right - width / scale) / 2.0, top };
    let mut drawing = Drawing::new(width, height);
    let one = scene.films.len() == 1;
    for (k, film) in scene.films.iter().enumerate() {
        let moment = Moment::of(film, t);
        if k == 0 {
            scene
                .lines
                .iter()
                .for_each(|line| draw_line(&mut drawing, &stage, [left, bottom, right, top], line, &moment));
        }
        let color = series_color(film.color);
        draw_bodies(&mut drawing, &stage, scene, &moment, color, if one { 0.35 } else { 0.22 });
        scene.links.iter().for_each(|link| draw_link(&mut drawing, &stage, link, &moment));
    }
    let reach = ARROW * (height - HEAD) / f64::from(scene.largest_impulse());
    let tip = |p: &[f32; 3], v: &[f32; 3]| {
        let [x, y] = stage.spot(p);
        [x + reach * f64::from(v[0]), y - reach * f64::from(v[1])]
    };
    draw_touches(&mut drawing, scene, t, trail, &|p| stage.spot(p), &tip);
    head(&mut drawing, scene, t);
    drawing
}

/// The same in space, seen from where all of it is seen.
fn space_frame(scene: &Scene, t: f64, trail: f64) -> Drawing {
    let [width, height] = LARGEST;
    let mut drawing = Drawing::new(width, height);
    let camera = Camera::new(scene, [width, height - HEAD]);
    let lower = |[x, y]: [f64; 2]| [x, y + HEAD];
    solids::draw(&mut drawing, scene, &camera, t, &lower);
    let size = 0.6 * camera.size() / f64::from(scene.largest_impulse());
    let spot = |p: &[f32; 3]| lower(camera.place(p.map(f64::from)).0);
    let tip = |p: &[f32; 3], v: &[f32; 3]| {
        lower(camera.place(std::array::from_fn(|k| f64::from(p[k]) + size * f64::from(v[k]))).0)
    };
    draw_touches(&mut drawing, scene, t, trail, &spot, &tip);
    head(&mut drawing, scene, t);
    drawing
}

/// A point of the scene.
type Point = [f32; 3];

/// Points that touch, and impulses: `spot` places a point in the picture, `tip` the end of an arrow from it.
fn draw_touches(
    drawing: &mut Drawing,
    scene: &Scene,
    t: f64,
    trail: f64,
    spot: &dyn Fn(&Point) -> [f64; 2],
    tip: &dyn Fn(&Point, &Point) -> [f64; 2],
) {
    for film in &scene.films {
        for point in film.touches.get(nearest(film, t)).into_iter().flatten() {
            drawing.disk(spot(point), 2.2, (FORCE, 1.0), (FORCE, 0.0));
        }
        for blow in film.impacts.iter().filter(|blow| blow.time <= t && blow.time > t - trail) {
            for (point, impulse) in blow.points.iter().zip(blow.impulses()) {
                drawing.arrow(spot(point), tip(point, impulse), IMPULSE, 1.8);
                drawing.disk(spot(point), 2.6, (IMPULSE, 1.0), (IMPULSE, 0.0));
            }
        }
    }
}

fn head(drawing: &mut Drawing, scene: &Scene, t: f64) {
    let white = (Color::WHITE, 1.0);
    let width = drawing.width;
    drawing.polygon(&[[0.0, 0.0], [width, 0.0], [width, HEAD], [0.0, HEAD]], white, (Color::WHITE, 0.0));
    let decimals = (2.0 - scene.duration().max(1e-12).log10().floor()).clamp(0.0, 9.0) as usize;
    drawing.text([10.0, HEAD / 2.0], &format!("t = {t:.decimals$} s"), 13.0, Anchor::Start, INK);
    let mut right = width - 10.0;
    for film in scene.films.iter().rev() {
        drawing.text([right, HEAD / 2.0], &film.law, 13.0, Anchor::End, series_color(film.color));
        right -= 8.2 * film.law.len() as f64 + 16.0;
    }
}

/// The frame before a time, the one after it, and how far it is between them.
pub(super) fn between(film: &Film, t: f64) -> (usize, usize, f64) {
    let after = film.times.partition_point(|time| *time < t).min(film.times.len() - 1);
    let before = after.saturating_sub(1);
    let span = film.times[after] - film.times[before];
    (before, after, if span > 0.0 { ((t - film.times[before]) / span).clamp(0.0, 1.0) } else { 1.0 })
}

/// The frame nearest in time.
fn nearest(film: &Film, t: f64) -> usize {
    let (before, after, part) = between(film, t);
    if part < 0.5 { before } else { after }
}

/// Rows of frames at a time between them.
pub(super) fn mixed(rows: &[Vec<f32>], (before, after, part): (usize, usize, f64)) -> Vec<f64> {
    let (Some(a), Some(b)) = (rows.get(before), rows.get(after)) else { return Vec::new() };
    a.iter().zip(b).map(|(a, b)| f64::from(*a) + part * (f64::from(*b) - f64::from(*a))).collect()
}

/// Where everything is at one time.
struct Moment {
    places: Vec<[f64; 3]>,
    shifts: Vec<[f64; 2]>,
}

impl Moment {
    fn of(film: &Film, t: f64) -> Moment {
        let now = between(film, t);
        Moment {
            places: mixed(&film.places, now).chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
            shifts: mixed(&film.shifts, now).chunks_exact(2).map(|s| [s[0], s[1]]).collect(),
        }
    }

    fn point(&self, body: Option<usize>, shift: Option<usize>, point: [f32; 2]) -> [f64; 2] {
        let [x, y] = point.map(f64::from);
        if let Some([px, py, angle]) = body.and_then(|body| self.places.get(body)) {
            let (sin, cos) = angle.sin_cos();
            return [px + cos * x - sin * y, py + sin * x + cos * y];
        }
        let [dx, dy] = shift.and_then(|k| self.shifts.get(k)).copied().unwrap_or_default();
        [x + dx, y + dy]
    }
}

fn draw_line(drawing: &mut Drawing, stage: &Stage, view: [f64; 4], line: &Line, moment: &Moment) {
    let [left, bottom, right, top] = view;
    let reach = 2.0 * ((right - left) + (top - bottom));
    let [px, py] = moment.point(None, line.shift, line.point);
    let [nx, ny] = line.normal.map(f64::from);
    // The point of the line nearest to the middle of the view, so that its ends lie outside on both sides.
    let along = ny * ((left + right) / 2.0 - px) - nx * ((bottom + top) / 2.0 - py);
    let (mx, my) = (px + along * ny, py - along * nx);
    let at = |s: f64, depth: f64| stage.at([mx + s * ny - depth * nx, my - s * nx - depth * ny]);
    let body = [at(-reach, 0.0), at(reach, 0.0), at(reach, reach), at(-reach, reach)];
    drawing.polygon(&body, (GROUND, 1.0), (GROUND_EDGE, 0.0));
    drawing.line(&[at(-reach, 0.0), at(reach, 0.0)], GROUND_EDGE, 1.4);
    if line.shift.is_some() {
        // Marks that move with it.
        let step = 0.1 * (right - left);
        let first = (-reach / step).ceil() as i64;
        for k in first..=-first {
            let s = k as f64 * step - along;
            drawing.line(&[at(s, 0.0), at(s - 0.2 * step, 0.2 * step)], GROUND_EDGE, 1.0);
        }
    }
}

fn draw_bodies(drawing: &mut Drawing, stage: &Stage, scene: &Scene, moment: &Moment, color: Color, opacity: f64) {
    for (k, body) in scene.bodies.iter().enumerate() {
        let point = |p: [f32; 2]| stage.at(moment.point(Some(k), None, p));
        for part in &body.parts {
            let points: Vec<[f64; 2]> = part.points.iter().map(|p| point(*p)).collect();
            match points[..] {
                [centre] => {
                    let radius = f64::from(part.radius);
                    drawing.disk(centre, radius * stage.scale, (color, opacity), (color, 1.5));
                    // A radius shows how it turns.
                    let [x, y] = part.points[0];
                    drawing.line(&[centre, point([x + part.radius, y])], color, 1.0);
                }
                [_, _] => drawing.line(&points, color, 3.0),
                _ => drawing.polygon(&points, (color, opacity), (color, 1.5)),
            }
        }
    }
}

fn draw_link(drawing: &mut Drawing, stage: &Stage, link: &Link, moment: &Moment) {
    let [a, b] = [0, 1].map(|k| {
        let end = &link.ends[k];
        stage.at(moment.point(end.body, end.shift, [end.point[0], end.point[1]]))
    });
    if link.spring {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = dx.hypot(dy).max(1e-9);
        let (nx, ny) = (-dy / length * 4.0, dx / length * 4.0);
        let point = |k: usize| {
            let (s, side) = (k as f64 / 12.0, if k.is_multiple_of(12) { 0.0 } else { [1.0, -1.0][k % 2] });
            [a[0] + s * dx + side * nx, a[1] + s * dy + side * ny]
        };
        drawing.line(&(0..=12).map(point).collect::<Vec<_>>(), INK, 1.0);
    } else {
        drawing.line(&[a, b], INK, 1.2);
        drawing.disk(a, 3.0, (Color::WHITE, 1.0), (INK, 1.2));
    }
}

/// Hundredths of a second between frames of a GIF.
#[cfg(feature = "gif")]
const DELAY: u16 = 5;
/// Frames of a GIF; a longer motion is shown faster.
#[cfg(feature = "gif")]
const MOST_FRAMES: usize = 240;
/// Frames of a short motion, which is shown more slowly.
#[cfg(feature = "gif")]
const FEWEST_FRAMES: usize = 100;

/// The scene as an animated GIF: in real time if that takes between 5 and 12 s, else slower or faster.
///
/// # Errors
/// A view without extent.
#[cfg(feature = "gif")]
pub fn gif(scene: &Scene) -> Result<Vec<u8>, delassus_figure::PngError> {
    let duration = scene.duration();
    let real = duration * 100.0 / f64::from(DELAY);
    let count = (real.round() as usize).clamp(FEWEST_FRAMES, MOST_FRAMES);
    let step = duration / (count - 1) as f64;
    delassus_figure::to_gif(count, DELAY, 72.0, &|k| frame(scene, k as f64 * step, 4.0 * step))
}
