//! A motion as what can be seen of it: shapes, places over time, contact points, impulses.
//!
//! The player in the page and the film are both made from a [`Scene`]. Lengths and impulses are
//! single precision: more than a screen shows, and half the size in a page.

use delassus::scenario::Built;
use delassus::simulate::{Sample, SimulatedImpact, Trajectory};
use delassus_study::colors::law_number;
use delassus_study::verdict::{Mood, verdict_of_outcome};
use serde::Serialize;

use super::{Run, plane, space};

/// Everything that moves on the stage, under one law or several.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Scene {
    /// Bodies, in the order of the scenario.
    pub bodies: Vec<Body>,
    /// Grounds and walls of the plane.
    pub lines: Vec<Line>,
    /// Grounds and walls of space.
    pub patches: Vec<Patch>,
    /// Joints and springs.
    pub links: Vec<Link>,
    /// What is shown \[m\]: in the plane left, bottom, right, top; in space the least and the largest x, y, z.
    pub view: Vec<f32>,
    /// One motion a law.
    pub films: Vec<Film>,
}

/// A body and its shapes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Body {
    /// Name.
    pub name: String,
    /// In the plane: polygons, rods (two points) and disks (one point) in its frame.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// In space: convex solids in its frame.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub solids: Vec<Convex>,
}

/// A polygon, a rod or a disk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Corners; the centre of a disk.
    pub points: Vec<[f32; 2]>,
    /// Radius of a disk; else 0.
    pub radius: f32,
}

/// A ball, or a convex solid with flat faces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Convex {
    /// Corners; the centre of a ball.
    pub vertices: Vec<[f32; 3]>,
    /// Corners of each face by number, counter-clockwise seen from outside; none for a ball.
    pub faces: Vec<Vec<usize>>,
    /// Per face 0 or 1, two tones of a round surface, which has no edges; 2: flat, with edges.
    pub tones: Vec<u8>,
    /// Radius of a ball; else 0.
    pub radius: f32,
}

/// A ground or wall of the plane.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Name.
    pub name: String,
    /// A point of it at time 0.
    pub point: [f32; 2],
    /// Unit normal, towards the free side.
    pub normal: [f32; 2],
    /// Index of its shift in each frame; none where it stands still.
    pub shift: Option<usize>,
}

/// The part of a ground or wall of space that is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Patch {
    /// Name.
    pub name: String,
    /// Its corners at time 0, around it.
    pub points: Vec<[f32; 3]>,
    /// Lines of a grid on it, by their ends.
    pub grid: Vec<[[f32; 3]; 2]>,
    /// Unit normal, towards the free side.
    pub normal: [f32; 3],
    /// Index of its shift in each frame; none where it stands still.
    pub shift: Option<usize>,
    /// Whether it is a triangle of a landscape, whose other side is never seen.
    pub relief: bool,
}

/// A joint or a spring between two ends, or a rod without mass within a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Link {
    /// The two ends.
    pub ends: [End; 2],
    /// Whether it is a spring.
    pub spring: bool,
}

/// One end of a link: on a body, on a support that moves, or fixed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct End {
    /// The body it is fixed to.
    pub body: Option<usize>,
    /// Index of the shift of the support it is fixed to.
    pub shift: Option<usize>,
    /// The point, in that frame.
    pub point: [f32; 3],
}

/// The motion under one law.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Film {
    /// The law's name.
    pub law: String,
    /// The number of its colour: that of its law where there are several films.
    pub color: usize,
    /// Times of the frames \[s\].
    pub times: Vec<f64>,
    /// Per frame the places of all bodies: in the plane x, y, θ of each, in space x, y, z and a quaternion w, x, y, z.
    pub places: Vec<Vec<f32>>,
    /// Per frame the displacement of every support that moves; empty where none does.
    pub shifts: Vec<Vec<f32>>,
    /// Per frame the points that touch.
    pub touches: Vec<Vec<[f32; 3]>>,
    /// The impacts.
    pub impacts: Vec<Blow>,
}

/// An impact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Blow {
    /// When \[s\].
    pub time: f64,
    /// Names of the contacts.
    pub contacts: Vec<String>,
    /// Per contact the point; none where the system does not tell.
    pub points: Vec<[f32; 3]>,
    /// Its course from the first touch to the last, as the law takes it; at least start and end.
    pub course: Vec<Moment>,
    /// Kinetic energy before and after \[J\].
    pub energy: [f64; 2],
    /// What the certificate says, in words.
    pub words: String,
    /// The same in two words.
    pub verdict: String,
    /// Whether all is well: `good`, `bad` or `missing`.
    pub mood: &'static str,
}

/// A moment of an impact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moment {
    /// How much of its course is over, 0 to 1.
    pub part: f32,
    /// Per contact the impulse so far on the first body \[N s\].
    pub impulses: Vec<[f32; 3]>,
    /// Per contact the relative velocity \[m/s\].
    pub velocities: Vec<[f32; 3]>,
}

impl Blow {
    /// Per contact the impulse of the whole impact.
    pub fn impulses(&self) -> &[[f32; 3]] {
        self.course.last().map_or(&[], |end| &end.impulses)
    }
}

/// Frames kept of one motion.
const MOST_FRAMES: usize = 2000;
/// Places kept of one motion.
const MOST_PLACES: usize = 300_000;
/// Impacts kept of one motion.
const MOST_IMPACTS: usize = 2000;
/// Moments kept of a path.
const MOST_MOMENTS: usize = 24;

pub(super) fn short<const N: usize>(v: [f64; N]) -> [f32; N] {
    v.map(|v| v as f32)
}

/// The length of a vector.
pub(super) fn length(v: &[f32; 3]) -> f32 {
    v.iter().map(|v| v * v).sum::<f32>().sqrt()
}

/// The number of the colour of a run among these: that of its law where there are several.
pub(super) fn run_color(runs: &[Run<'_>], law: &str) -> usize {
    if runs.len() > 1 { law_number(law) } else { 0 }
}

impl Scene {
    /// The scene of one system under several laws.
    pub fn new(built: &Built, runs: &[Run<'_>]) -> Scene {
        let mut scene = match (built.system.planar(), built.system.spatial()) {
            (Some(system), _) => plane::scene(system, runs),
            (_, Some(system)) => space::scene(system, runs),
            _ => Scene::default(),
        };
        scene.films.iter_mut().for_each(|film| film.color = run_color(runs, &film.law));
        scene
    }

    /// Whether it is one of space.
    pub fn is_space(&self) -> bool {
        self.view.len() == 6
    }

    /// The longest time of all films \[s\].
    pub fn duration(&self) -> f64 {
        self.films.iter().filter_map(|film| film.times.last()).fold(0.0, |a: f64, b| a.max(*b))
    }

    /// The largest impulse of all films \[N s\].
    pub fn largest_impulse(&self) -> f32 {
        let impulses = self.films.iter().flat_map(|film| &film.impacts).flat_map(|blow| blow.impulses());
        impulses.map(length).fold(0.0, f32::max)
    }
}

/// What holds a body by a point outside it: the rod between the two, as a pendulum has.
pub(super) fn rods<'a>(links: &'a [Link], reach: impl Fn(usize) -> f32 + 'a) -> impl Iterator<Item = Link> + 'a {
    links.iter().filter(|link| !link.spring).flat_map(|link| &link.ends).filter_map(move |end| {
        let body = end.body?;
        let centre = End { point: [0.0; 3], ..end.clone() };
        (length(&end.point) > 1.01 * reach(body)).then(|| Link { ends: [end.clone(), centre], spring: false })
    })
}

/// The samples of a motion that become frames.
pub(super) fn kept(run: &Trajectory) -> impl Iterator<Item = &Sample> {
    let most = (MOST_PLACES / run.start().q.len().max(1)).clamp(200, MOST_FRAMES);
    let thin = run.samples.len().div_ceil(most).max(1);
    let last = run.samples.len() - 1;
    run.samples.iter().enumerate().filter(move |(k, _)| k % thin == 0 || *k == last).map(|(_, s)| s)
}

/// The impacts of a motion.
pub(super) fn blows(run: &Trajectory) -> Vec<Blow> {
    let blow = |impact: &SimulatedImpact| {
        let verdict = verdict_of_outcome(&impact.outcome);
        Blow {
            time: impact.time,
            contacts: impact.contacts.iter().filter_map(|&c| run.contact_names.get(c).cloned()).collect(),
            points: impact.frames.iter().map(|frame| short(frame.point)).collect(),
            course: course(impact),
            energy: [impact.outcome.energy.before, impact.kinetic_after],
            words: if impact.inelastic {
                format!("{} Impacts had accumulated: no restitution.", verdict.long)
            } else {
                verdict.long
            },
            verdict: verdict.short.to_owned(),
            mood: match verdict.mood {
                Mood::Good => "good",
                Mood::Bad => "bad",
                Mood::Missing => "missing",
            },
        }
    };
    run.impacts.iter().take(MOST_IMPACTS).map(blow).collect()
}

/// The way of an impact: along the law's path, by way of the end of compression, or straight.
fn course(impact: &SimulatedImpact) -> Vec<Moment> {
    let outcome = &impact.outcome;
    let vectors = |values: &[f64]| {
        let mut row = 0;
        let vector = |(frame, rows): (&delassus::model::ContactFrame, &usize)| {
            row += rows;
            short(frame.vector(values.get(row - rows..row).unwrap_or_default()))
        };
        impact.frames.iter().zip(&impact.rows).map(vector).collect::<Vec<_>>()
    };
    let moment = |part: f64, impulses: &[f64], gamma: &[f64]| Moment {
        part: part as f32,
        impulses: vectors(impulses),
        velocities: vectors(gamma),
    };
    let end = outcome.answer.path.as_ref().and_then(|path| path.tau.last().copied().filter(|end| *end > 0.0));
    if let (Some(path), Some(end)) = (&outcome.answer.path, end) {
        let count = path.len().min(MOST_MOMENTS);
        let index = |k: usize| k * (path.len() - 1) / (count - 1).max(1);
        let at = |i: usize| moment(path.tau[i] / end, path.impulses_at(i), path.gamma_at(i));
        return (0..count).map(|k| at(index(k))).collect();
    }
    let none = vec![0.0; outcome.impulses().len()];
    let mut course = vec![moment(0.0, &none, &outcome.gamma_minus)];
    if !outcome.answer.compression.is_empty() {
        course.push(moment(0.5, &outcome.answer.compression, &outcome.gamma_compression));
    }
    course.push(moment(1.0, outcome.impulses(), &outcome.gamma_plus));
    course
}
