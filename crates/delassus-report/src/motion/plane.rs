//! The scene of a planar system.

use delassus::model::{Anchor, PlanarSystem, SketchLine};
use delassus::simulate::{Sample, Trajectory};

use super::Run;
use super::scene::{Body, End, Film, Line, Link, Part, Scene, blows, kept, rods, short};

/// Contacts beyond which those that carry force are not shown: a pile has too many to see.
const MOST_CONTACTS: usize = 60;

/// Bodies, lines, links and what happens to them.
pub(super) fn scene(system: &PlanarSystem, runs: &[Run<'_>]) -> Scene {
    let body = |name: &String| Body { name: name.clone(), parts: Vec::new(), solids: Vec::new() };
    let mut bodies: Vec<Body> = system.bodies().iter().map(|b| body(&b.name)).collect();
    for shape in system.sketch_shapes() {
        let points = shape.points.iter().map(|p| short(*p)).collect();
        bodies[shape.body].parts.push(Part { points, radius: shape.radius as f32 });
    }
    let moving: Vec<usize> =
        system.sketch_lines().map(|line| line.support).filter(|s| system.support_moves(*s)).collect();
    let shift = |support: usize| moving.iter().position(|s| *s == support);
    let line = |line: SketchLine<'_>| Line {
        name: line.name.to_owned(),
        point: short(line.point),
        normal: short(line.normal),
        shift: shift(line.support),
    };
    let end = |anchor: Anchor| {
        let (body, shift, [x, y]) = match anchor {
            Anchor::Body(body, point) => (Some(body), None, point),
            Anchor::Support(support, point) => (None, shift(support), point),
            Anchor::World(point) => (None, None, point),
        };
        End { body, shift, point: short([x, y, 0.0]) }
    };
    let link = |ends: [Anchor; 2], spring| Link { ends: ends.map(end), spring };
    let links = system.joint_anchors().map(|ends| link(ends, false));
    let mut links: Vec<Link> = links.chain(system.spring_anchors().map(|ends| link(ends, true))).collect();
    let held: Vec<Link> = rods(&links, |body| reach(&bodies[body])).chain(bars(&bodies)).collect();
    links.splice(0..0, held);
    let films: Vec<Film> = runs.iter().map(|run| film(system, &moving, run.law, run.trajectory)).collect();
    let view = view(&bodies, &links, &films).to_vec();
    Scene { bodies, lines: system.sketch_lines().map(line).collect(), patches: Vec::new(), links, view, films }
}

fn film(system: &PlanarSystem, moving: &[usize], law: &str, run: &Trajectory) -> Film {
    let shifts = |s: &Sample| moving.iter().flat_map(|k| short(system.support_shift(*k, s.time))).collect();
    let touches = |s: &Sample| {
        if s.forces.len() > MOST_CONTACTS {
            return Vec::new();
        }
        let acting = s.forces.iter().enumerate().filter(|(_, force)| force[0] > 0.0);
        acting.filter_map(|(c, _)| Some(short(system.contact_place(c, s.time, &s.q)?.point))).collect()
    };
    Film {
        law: law.to_owned(),
        color: 0,
        times: kept(run).map(|s| s.time).collect(),
        places: kept(run).map(|s| s.q.iter().map(|v| *v as f32).collect()).collect(),
        shifts: if moving.is_empty() { Vec::new() } else { kept(run).map(shifts).collect() },
        touches: kept(run).map(touches).collect(),
        impacts: blows(run),
    }
}

/// How far a body's shapes go from its centre.
fn reach(body: &Body) -> f32 {
    let far = |part: &Part| part.points.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f32::max) + part.radius;
    body.parts.iter().map(far).fold(0.0, f32::max)
}

/// Disks of one body that touch none of its other parts are held by bars to its centre.
fn bars(bodies: &[Body]) -> impl Iterator<Item = Link> + '_ {
    bodies.iter().enumerate().flat_map(|(k, body)| {
        let apart = |part: &Part, other: &Part| {
            let [[x, y], [a, b]] = [part, other].map(|disk| disk.points[0]);
            (x - a).hypot(y - b) > part.radius + other.radius
        };
        let disks = body.parts.len() > 1 && body.parts.iter().all(|part| part.points.len() == 1);
        let alone = move |(i, part): &(usize, &Part)| {
            let others = body.parts.iter().enumerate().filter(|(j, _)| j != i);
            disks && others.into_iter().all(|(_, other)| apart(part, other))
        };
        let end = move |[x, y]: [f32; 2]| End { body: Some(k), shift: None, point: [x, y, 0.0] };
        let bar = move |part: &Part| Link { ends: [end([0.0; 2]), end(part.points[0])], spring: false };
        body.parts.iter().enumerate().filter(alone).map(move |(_, part)| bar(part))
    })
}

/// The smallest box that holds all bodies and fixed ends of links at all times, with a margin.
fn view(bodies: &[Body], links: &[Link], films: &[Film]) -> [f32; 4] {
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
    for end in links.iter().flat_map(|link| &link.ends).filter(|end| end.body.is_none()) {
        for k in 0..2 {
            bounds[k] = bounds[k].min(end.point[k]);
            bounds[k + 2] = bounds[k + 2].max(end.point[k]);
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
