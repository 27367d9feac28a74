//! Judges a run by its output alone: positions, velocities, forces and energies of
//! samples and impacts, against masses and outlines computed here a second time.

use delassus::simulate::{End, Sample, Trajectory};

use crate::balance::{touches, unbalanced};
use crate::bodies::World;
use crate::generate::Scene;
use crate::impacts::check_impacts;
use crate::overlap::{distance_of_unions, distance_to_line};

/// The deepest overlap allowed, in sizes of the smaller body. The simulation closes
/// gaps to 1e-9 of the largest body; a thousand times that is room for bodies of
/// unequal size and for contacts left to themselves, and still far below anything
/// that changes a motion.
pub const OVERLAP: f64 = 1e-6;
/// Energies in units of the largest that occurred.
const ENERGY: f64 = 1e-6;
/// Forces in units of the weight and of the largest force of the sample.
const FORCE: f64 = 1e-6;

/// What is wrong with a run, one word and the particulars each; only the first of a kind.
#[derive(Default)]
pub struct Faults(pub Vec<(&'static str, String)>);

impl Faults {
    pub fn add(&mut self, what: &'static str, particulars: impl FnOnce() -> String) {
        if !self.0.iter().any(|(w, _)| *w == what) {
            self.0.push((what, particulars()));
        }
    }
}

/// All checks.
pub fn check(scene: &Scene, run: &Trajectory) -> Faults {
    let world = World::new(&scene.scenario);
    let mut faults = Faults::default();
    let numbers = run.samples.iter().flat_map(|s| s.q.iter().chain(&s.u).chain(s.forces.iter().flatten()));
    if numbers.copied().any(|v| !v.is_finite()) {
        faults.add("not-finite", String::new);
        return faults;
    }
    for (t, q) in run.samples.iter().map(|s| (s.time, &s.q)).chain(run.impacts.iter().map(|i| (i.time, &i.q))) {
        check_overlap(&world, scene, t, q, &mut faults);
    }
    check_energy(&world, run, &mut faults);
    // Where a run gave up there is no motion that its forces belong to.
    let moving = run.samples.len() - usize::from(!run.end.is_regular());
    run.samples[..moving].iter().for_each(|s| check_forces(&world, s, &mut faults));
    check_motion(&world, run, &mut faults);
    check_impacts(&world, scene, run, &mut faults);
    if run.end == End::AtRest {
        check_rest(&world, run.last(), &mut faults);
    }
    faults
}

fn check_overlap(world: &World, scene: &Scene, t: f64, q: &[f64], faults: &mut Faults) {
    let placed: Vec<_> = (0..world.bodies.len()).map(|b| world.placed(b, q)).collect();
    let name = |b: usize| &scene.scenario.body[b].name;
    for a in 0..placed.len() {
        let size = world.bodies[a].size;
        for line in &world.lines {
            let away = distance_to_line(&placed[a], line.point(t), line.normal) / size;
            if away < -OVERLAP {
                faults.add("overlap", || format!("{} in {} by {:.1e} at {t:.4} s", name(a), line.name, -away));
            }
        }
        for b in a + 1..placed.len() {
            let away = distance_of_unions(&placed[a], &placed[b]) / size.min(world.bodies[b].size);
            if away < -OVERLAP {
                faults.add("overlap", || format!("{} in {} by {:.1e} at {t:.4} s", name(a), name(b), -away));
            }
        }
    }
}

fn check_energy(world: &World, run: &Trajectory, faults: &mut Faults) {
    let total = |s: &Sample| world.kinetic(&s.u, [0.0; 2]) + world.potential(&s.q);
    let start = run.start();
    let [v0, e0] = [world.potential(&start.q), total(start)];
    let largest = |s: &Sample| world.kinetic(&s.u, [0.0; 2]) + (world.potential(&s.q) - v0).abs();
    // In a scene where nothing moves, round-off of the potential is all there is.
    let scale = run.samples.iter().map(largest).fold(1e-6 * v0.abs(), f64::max);
    for s in &run.samples {
        let told = (s.energy.kinetic - world.kinetic(&s.u, [0.0; 2])).abs().max((s.energy.total() - total(s)).abs());
        if told > ENERGY * scale {
            faults.add("energy-told", || format!("{:.1e} at {:.4} s", told / scale, s.time));
        }
        let open = (total(s) - e0 - s.energy.work()).abs() / scale;
        if open > ENERGY {
            faults.add("energy-open", || format!("{open:.1e} at {:.4} s", s.time));
        }
        if !world.shaken() && s.energy.supports.abs() > ENERGY * scale {
            faults.add("work-of-supports", || format!("{:e} at {:.4} s", s.energy.supports, s.time));
        }
    }
    for pair in run.samples.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        if after.energy.friction > before.energy.friction + ENERGY * scale {
            faults.add("friction-gives", || format!("at {:.4} s", after.time));
        }
        // Growth within an impact is judged with the impact.
        let told: f64 = (after.energy.impacts - before.energy.impacts).max(0.0);
        let gain = total(after) - total(before) - told;
        if !world.shaken() && gain > ENERGY * scale {
            faults.add("energy-grows", || format!("{:.1e} at {:.4} s", gain / scale, after.time));
        }
    }
    if run.closure > ENERGY {
        faults.add("closure", || format!("{:.1e}", run.closure));
    }
}

fn check_forces(world: &World, s: &Sample, faults: &mut Faults) {
    let weight: f64 = world.bodies.iter().map(|b| b.mass * world.gravity).sum();
    let allowed = FORCE * s.forces.iter().flatten().fold(weight, |m, f| m.max(f.abs()));
    for (c, [normal, tangential]) in s.forces.iter().enumerate() {
        if *normal < -allowed {
            faults.add("pulls", || format!("contact {c} by {:.1e} of the weight at {:.4} s", normal / weight, s.time));
        }
        let beyond = tangential.abs() - world.friction * normal;
        if beyond > allowed {
            faults.add("cone", || format!("contact {c} by {:.1e} of the weight at {:.4} s", beyond / weight, s.time));
        }
    }
}

/// Bodies that touch nothing fall freely, and none jumps.
fn check_motion(world: &World, run: &Trajectory, faults: &mut Faults) {
    let mut impacts = run.impacts.iter().peekable();
    let size = world.bodies.iter().map(|b| b.size).fold(0.0, f64::max);
    for pair in run.samples.windows(2) {
        let [one, two] = [&pair[0], &pair[1]];
        let step = two.time - one.time;
        let mut speeds: Vec<f64> = one.u.iter().zip(&two.u).map(|(a, b)| a.abs().max(b.abs())).collect();
        let mut struck = false;
        while let Some(impact) = impacts.next_if(|i| i.time <= two.time) {
            struck = true;
            for (k, v) in speeds.iter_mut().enumerate() {
                *v = v.max(impact.u_minus[k].abs()).max(impact.u_plus[k].abs());
            }
        }
        for (k, v) in speeds.iter().enumerate() {
            let moved = (two.q[k] - one.q[k]).abs();
            // Between two samples without an impact the speed may also rise and fall.
            let most = step * (v + world.gravity * step * if k % 3 == 2 { 10.0 / size } else { 10.0 });
            if moved > most + 1e-6 * if k % 3 == 2 { 1.0 } else { size } {
                faults.add("jumps", || format!("coordinate {k} by {moved:.1e} at {:.4} s", two.time));
            }
        }
        if struck {
            continue;
        }
        let near = touches(world, one.time, &one.q, 0.05 * size);
        for body in 0..world.bodies.len() {
            if near.iter().any(|t| t.a == body || t.b == Some(body)) || clearance(world, one, body) < 0.05 * size {
                continue;
            }
            let [x, y, z] = [0, 1, 2].map(|k| two.u[3 * body + k] - one.u[3 * body + k]);
            let speed = (world.gravity * size).sqrt();
            let wrong = x.abs().max((y + world.gravity * step).abs()).max(z.abs() * size) / speed;
            if wrong > 1e-8 {
                faults.add("not-free", || format!("body {body} touches nothing at {:.4} s: {wrong:.1e}", one.time));
            }
        }
    }
}

/// Distance of a body from everything else.
fn clearance(world: &World, s: &Sample, body: usize) -> f64 {
    let own = world.placed(body, &s.q);
    let others = (0..world.bodies.len()).filter(|b| *b != body);
    let to_others = others.map(|b| distance_of_unions(&own, &world.placed(b, &s.q)));
    let to_lines = world.lines.iter().map(|l| distance_to_line(&own, l.point(s.time), l.normal));
    to_others.chain(to_lines).fold(f64::INFINITY, f64::min)
}

/// What rests does not move, and contact forces within their cones carry every body.
fn check_rest(world: &World, s: &Sample, faults: &mut Faults) {
    let size = world.bodies.iter().map(|b| b.size).fold(0.0, f64::max);
    let speed = (world.gravity * size).sqrt();
    let fastest = s.u.iter().enumerate().map(|(k, u)| u.abs() * if k % 3 == 2 { size } else { 1.0 });
    let fastest = fastest.fold(0.0, f64::max) / speed;
    if fastest > 1e-5 {
        faults.add("rest-moves", || format!("{fastest:.1e}"));
    }
    let load = |k: usize| if k % 3 == 1 { world.bodies[k / 3].mass * world.gravity } else { 0.0 };
    let load: Vec<f64> = (0..s.q.len()).map(load).collect();
    let missing = unbalanced(world, &s.q, &touches(world, s.time, &s.q, OVERLAP * size), &load, false);
    if missing > 1e-5 {
        faults.add("rest-unsupported", || format!("{missing:.1e} of the weight"));
    }
}
