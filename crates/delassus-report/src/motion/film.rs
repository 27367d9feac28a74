//! One moment of a scene as a drawing, and many as an animated GIF.

use delassus_figure::{Anchor, Color, Drawing, series_color};

use super::scene::{Film, Line, Link, Scene};

/// Largest width and height of the picture in points; a point is a pixel of the GIF.
const LARGEST: [f64; 2] = [640.0, 460.0];
/// Smallest width, so that there is room for time and laws.
const SMALLEST: f64 = 320.0;
/// Space above the picture for time and laws.
const HEAD: f64 = 26.0;
/// Length of the longest arrow of an impulse in units of the frame's height.
const ARROW: f64 = 0.3;

const GROUND: Color = Color::hex(0xe7e4de);
const GROUND_EDGE: Color = Color::hex(0x6b6459);
const IMPULSE: Color = Color::hex(0xc23b22);
const FORCE: Color = Color::hex(0x7a8b99);
const INK: Color = Color::hex(0x222222);

/// From metres to points.
struct Stage {
    scale: f64,
    left: f64,
    top: f64,
}

impl Stage {
    fn at(&self, p: [f64; 2]) -> [f64; 2] {
        [(p[0] - self.left) * self.scale, HEAD + (self.top - p[1]) * self.scale]
    }
}

/// The scene at time `t`, with the impulses of impacts since `t − trail`.
pub fn frame(scene: &Scene, t: f64, trail: f64) -> Drawing {
    let [left, bottom, right, top] = scene.view.map(f64::from);
    let scale = (LARGEST[0] / (right - left)).min(LARGEST[1] / (top - bottom));
    let width = (scale * (right - left)).max(SMALLEST).ceil();
    let height = (HEAD + (top - bottom) * scale).ceil();
    let stage = Stage { scale, left: (left + right - width / scale) / 2.0, top };
    let mut drawing = Drawing::new(width, height);
    let one = scene.films.len() == 1;
    for (k, film) in scene.films.iter().enumerate() {
        let moment = Moment::of(film, t);
        if k == 0 {
            scene.lines.iter().for_each(|line| draw_line(&mut drawing, &stage, scene, line, &moment));
        }
        let color = series_color(k);
        draw_bodies(&mut drawing, &stage, scene, &moment, color, if one { 0.35 } else { 0.22 });
        scene.links.iter().for_each(|link| draw_link(&mut drawing, &stage, link, &moment));
    }
    let reach = ARROW * (height - HEAD) / f64::from(scene.largest_impulse());
    for film in &scene.films {
        for arrow in film.touches.get(Moment::of(film, t).nearest).into_iter().flatten() {
            drawing.disk(stage.at(arrow.at.map(f64::from)), 2.2, (FORCE, 1.0), (FORCE, 0.0));
        }
        for blow in film.impacts.iter().filter(|blow| blow.time <= t && blow.time > t - trail) {
            for arrow in &blow.arrows {
                let from = stage.at(arrow.at.map(f64::from));
                let [x, y] = arrow.vector.map(|v| reach * f64::from(v));
                drawing.arrow(from, [from[0] + x, from[1] - y], IMPULSE, 1.8);
                drawing.disk(from, 2.6, (IMPULSE, 1.0), (IMPULSE, 0.0));
            }
        }
    }
    head(&mut drawing, scene, t);
    drawing
}

fn head(drawing: &mut Drawing, scene: &Scene, t: f64) {
    let white = (Color::WHITE, 1.0);
    let width = drawing.width;
    drawing.polygon(&[[0.0, 0.0], [width, 0.0], [width, HEAD], [0.0, HEAD]], white, (Color::WHITE, 0.0));
    let decimals = (2.0 - scene.duration().max(1e-12).log10().floor()).clamp(0.0, 9.0) as usize;
    drawing.text([10.0, HEAD / 2.0], &format!("t = {t:.decimals$} s"), 13.0, Anchor::Start, INK);
    let mut right = width - 10.0;
    for (k, film) in scene.films.iter().enumerate().rev() {
        drawing.text([right, HEAD / 2.0], &film.law, 13.0, Anchor::End, series_color(k));
        right -= 8.2 * film.law.len() as f64 + 16.0;
    }
}

/// Where everything is at one time.
struct Moment {
    places: Vec<[f64; 3]>,
    shifts: Vec<[f64; 2]>,
    /// The frame nearest in time.
    nearest: usize,
}

impl Moment {
    fn of(film: &Film, t: f64) -> Moment {
        let after = film.times.partition_point(|time| *time < t).min(film.times.len() - 1);
        let before = after.saturating_sub(1);
        let span = film.times[after] - film.times[before];
        let part = if span > 0.0 { ((t - film.times[before]) / span).clamp(0.0, 1.0) } else { 1.0 };
        let mix = |rows: &[Vec<f32>]| -> Vec<f64> {
            let (Some(a), Some(b)) = (rows.get(before), rows.get(after)) else { return Vec::new() };
            a.iter().zip(b).map(|(a, b)| f64::from(*a) + part * (f64::from(*b) - f64::from(*a))).collect()
        };
        Moment {
            places: mix(&film.places).chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
            shifts: mix(&film.shifts).chunks_exact(2).map(|s| [s[0], s[1]]).collect(),
            nearest: if part < 0.5 { before } else { after },
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

fn draw_line(drawing: &mut Drawing, stage: &Stage, scene: &Scene, line: &Line, moment: &Moment) {
    let [left, bottom, right, top] = scene.view.map(f64::from);
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
        stage.at(moment.point(end.body, end.shift, end.point))
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
