//! A motion as what can be seen of it: shapes, places over time, contact points, impulses.
//!
//! The player in the page and the film are both made from a [`Scene`]. Lengths and impulses are
//! single precision: more than a screen shows, and half the size in a page.

use delassus::model::{Anchor, PlanarSystem, System};
use delassus::scenario::Built;
use delassus::simulate::{Sample, Trajectory};
use delassus_study::verdict::{Mood, verdict_of_outcome};
use serde::Serialize;

use super::Run;

/// Everything that moves on the stage, under one law or several.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Scene {
    /// Bodies, in the order of the scenario.
    pub bodies: Vec<Body>,
    /// Grounds and walls.
    pub lines: Vec<Line>,
    /// Joints and springs.
    pub links: Vec<Link>,
    /// What is shown: left, bottom, right, top \[m\].
    pub view: [f32; 4],
    /// One motion a law.
    pub films: Vec<Film>,
}

/// A body and its shapes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Polygons, rods (two points) and disks (one point) in its frame.
    pub parts: Vec<Part>,
}

/// A polygon, a rod or a disk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Corners; the centre of a disk.
    pub points: Vec<[f32; 2]>,
    /// Radius of a disk; else 0.
    pub radius: f32,
}

/// A ground or wall.
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

/// A joint or a spring between two ends.
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
    pub point: [f32; 2],
}

/// The motion under one law.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Film {
    /// The law's name.
    pub law: String,
    /// Times of the frames \[s\].
    pub times: Vec<f64>,
    /// Per frame x, y, θ of every body.
    pub places: Vec<Vec<f32>>,
    /// Per frame x, y of every support that moves; empty where none does.
    pub shifts: Vec<Vec<f32>>,
    /// Per frame the contacts that carry force.
    pub touches: Vec<Vec<Arrow>>,
    /// The impacts.
    pub impacts: Vec<Blow>,
}

/// A point and what acts there on the first body: a force \[N\] or an impulse \[N s\].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Arrow {
    /// The point.
    pub at: [f32; 2],
    /// The vector.
    pub vector: [f32; 2],
}

/// An impact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Blow {
    /// When \[s\].
    pub time: f64,
    /// Names of the contacts.
    pub contacts: Vec<String>,
    /// Per contact, place and impulse.
    pub arrows: Vec<Arrow>,
    /// Kinetic energy before and after \[J\].
    pub energy: [f64; 2],
    /// What the certificate says, in words.
    pub words: String,
    /// The same in two words.
    pub verdict: String,
    /// Whether all is well: `good`, `bad` or `missing`.
    pub mood: &'static str,
}

/// Contacts beyond which forces between impacts are not shown: a pile has too many to see.
const MOST_CONTACTS: usize = 60;
/// Frames kept of one motion.
const MOST_FRAMES: usize = 2000;
/// Impacts kept of one motion.
const MOST_IMPACTS: usize = 2000;

fn short(v: [f64; 2]) -> [f32; 2] {
    v.map(|v| v as f32)
}

impl Scene {
    /// The scene of one planar system under several laws; nothing of systems in space.
    pub fn new(built: &Built, runs: &[Run<'_>]) -> Scene {
        let Some(system) = built.system.planar() else { return Scene::default() };
        let mut bodies: Vec<Body> =
            system.bodies().iter().map(|body| Body { name: body.name.clone(), parts: Vec::new() }).collect();
        for shape in system.sketch_shapes() {
            let points = shape.points.iter().map(|p| short(*p)).collect();
            bodies[shape.body].parts.push(Part { points, radius: shape.radius as f32 });
        }
        let moving: Vec<usize> =
            system.sketch_lines().map(|line| line.support).filter(|s| system.support_moves(*s)).collect();
        let shift = |support: usize| moving.iter().position(|s| *s == support);
        let line = |line: delassus::model::SketchLine<'_>| Line {
            name: line.name.to_owned(),
            point: short(line.point),
            normal: short(line.normal),
            shift: shift(line.support),
        };
        let end = |anchor: Anchor| match anchor {
            Anchor::Body(body, point) => End { body: Some(body), shift: None, point: short(point) },
            Anchor::Support(support, point) => End { body: None, shift: shift(support), point: short(point) },
            Anchor::World(point) => End { body: None, shift: None, point: short(point) },
        };
        let link = |ends: [Anchor; 2], spring| Link { ends: ends.map(end), spring };
        let links = system.joint_anchors().map(|ends| link(ends, false));
        let links = links.chain(system.spring_anchors().map(|ends| link(ends, true))).collect();
        let films: Vec<Film> = runs.iter().map(|run| film(system, &moving, run.law, run.trajectory)).collect();
        let view = view(&bodies, &films);
        Scene { bodies, lines: system.sketch_lines().map(line).collect(), links, view, films }
    }

    /// The longest time of all films \[s\].
    pub fn duration(&self) -> f64 {
        self.films.iter().filter_map(|film| film.times.last()).fold(0.0, |a: f64, b| a.max(*b))
    }

    /// The largest impulse of all films \[N s\].
    pub fn largest_impulse(&self) -> f32 {
        let arrows = self.films.iter().flat_map(|film| &film.impacts).flat_map(|blow| &blow.arrows);
        arrows.map(|arrow| arrow.vector[0].hypot(arrow.vector[1])).fold(0.0, f32::max)
    }
}

fn film(system: &PlanarSystem, moving: &[usize], law: &str, run: &Trajectory) -> Film {
    let thin = run.samples.len().div_ceil(MOST_FRAMES).max(1);
    let last = run.samples.len() - 1;
    let kept = || run.samples.iter().enumerate().filter(|(k, _)| k % thin == 0 || *k == last).map(|(_, s)| s);
    let shifts = |s: &Sample| moving.iter().flat_map(|k| short(system.support_shift(*k, s.time))).collect();
    let touches = |s: &Sample| {
        if s.forces.len() > MOST_CONTACTS {
            return Vec::new();
        }
        let acting = s.forces.iter().enumerate().filter(|(_, force)| force[0] > 0.0);
        acting.filter_map(|(c, force)| arrow(system, c, s.time, &s.q, force)).collect()
    };
    let blows = run.impacts.iter().take(MOST_IMPACTS).map(|impact| {
        let mut row = 0;
        let impulses = impact.rows.iter().map(|rows| {
            row += rows;
            &impact.outcome.impulses()[row - rows..row]
        });
        let arrows = impact.contacts.iter().zip(impulses);
        let verdict = verdict_of_outcome(&impact.outcome);
        Blow {
            time: impact.time,
            contacts: impact.contacts.iter().map(|&c| system.contacts()[c].name.clone()).collect(),
            arrows: arrows
                .filter_map(|(&contact, impulse)| arrow(system, contact, impact.time, &impact.q, impulse))
                .collect(),
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
    });
    Film {
        law: law.to_owned(),
        times: kept().map(|s| s.time).collect(),
        places: kept().map(|s| s.q.iter().map(|v| *v as f32).collect()).collect(),
        shifts: if moving.is_empty() { Vec::new() } else { kept().map(shifts).collect() },
        touches: kept().map(touches).collect(),
        impacts: blows.collect(),
    }
}

/// Place and vector of what acts in (normal, tangent) at a contact.
fn arrow(system: &PlanarSystem, contact: usize, time: f64, q: &[f64], parts: &[f64]) -> Option<Arrow> {
    let place = system.contact_place(contact, time, q)?;
    let along = parts.get(1).copied().unwrap_or(0.0);
    let vector = |k: usize| parts[0] * place.normal[k] + along * place.tangent[k];
    Some(Arrow { at: short(place.point), vector: short([vector(0), vector(1)]) })
}

/// The smallest box that holds all bodies at all times, with a margin.
fn view(bodies: &[Body], films: &[Film]) -> [f32; 4] {
    let mut bounds = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
    for places in films.iter().flat_map(|film| &film.places) {
        for (place, body) in places.chunks_exact(3).zip(bodies) {
            let (sin, cos) = place[2].sin_cos();
            for part in &body.parts {
                for [x, y] in &part.points {
                    let at = [place[0] + cos * x - sin * y, place[1] + sin * x + cos * y];
                    for k in 0..2 {
                        bounds[k] = bounds[k].min(at[k] - part.radius);
                        bounds[k + 2] = bounds[k + 2].max(at[k] + part.radius);
                    }
                }
            }
        }
    }
    let [width, height] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
    let size = width.max(height);
    if !(size.is_finite() && size > 0.0) {
        return [-1.0, -1.0, 1.0, 1.0];
    }
    // A thin strip is hard to see, so no side is shorter than a third of the other.
    let pad = |extent: f32| 0.08 * size + 0.5 * (size / 3.0 - extent).max(0.0);
    let (x, y) = (pad(width), pad(height));
    [bounds[0] - x, bounds[1] - y, bounds[2] + x, bounds[3] + y]
}
