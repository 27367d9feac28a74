//! Checks of single impacts: momentum, approach afterwards, energy.

use delassus::Status;
use delassus::law::LawSpec;
use delassus::simulate::{SimulatedImpact, Trajectory};

use crate::balance::{Touch, touches, unbalanced};
use crate::bodies::World;
use crate::check::{Faults, OVERLAP};
use crate::generate::Scene;
use crate::overlap::{Point, cross, dot, sub};

pub fn check_impacts(world: &World, scene: &Scene, run: &Trajectory, faults: &mut Faults) {
    let size = world.bodies.iter().map(|b| b.size).fold(0.0, f64::max);
    let unit = (world.gravity * size).sqrt();
    for (k, impact) in run.impacts.iter().enumerate() {
        if impact.outcome.status() != Status::Solved {
            // The run itself says so: see `search::status`.
            continue;
        }
        let touching = touches(world, impact.time, &impact.q, OVERLAP * size);
        momentum(world, scene, impact, &touching, unit * size, faults);
        let left = run.impacts.get(k + 1).map_or(f64::INFINITY, |next| next.time - impact.time);
        if takes_all(&scene.law) {
            approach(world, scene, impact, &touching, left, size, faults);
        }
        energy(world, scene, impact, &touching, unit, faults);
    }
}

fn at(impact: &SimulatedImpact) -> String {
    format!("at {:.6} s", impact.time)
}

/// The laws that take every touching contact and promise impulses within the cones of
/// friction. The kinematic law prescribes velocities: its contacts may pull, and those
/// that part before an impact take no part in it.
fn takes_all(law: &LawSpec) -> bool {
    law.name() != "kinematic"
}

/// M(u⁺ − u⁻) is what touching contacts can give, within their cones.
fn momentum(
    world: &World,
    scene: &Scene,
    impact: &SimulatedImpact,
    touching: &[Touch],
    moment: f64,
    faults: &mut Faults,
) {
    let diagonal = world.bodies.iter().flat_map(|b| [b.mass, b.mass, b.inertia]);
    let change: Vec<f64> =
        diagonal.zip(impact.u_plus.iter().zip(&impact.u_minus)).map(|(m, (p, n))| m * (p - n)).collect();
    let total: f64 = change.iter().map(|v| v.abs()).sum();
    let mass: f64 = world.bodies.iter().map(|b| b.mass).sum();
    let size = moment / (world.gravity * world.bodies.iter().map(|b| b.size).fold(0.0, f64::max)).sqrt();
    // Where impacts accumulate, remaining speeds of up to 1e-5 of √(gℓ) are closed as well.
    let small = 3e-5 * mass * moment / size;
    let missing = unbalanced(world, &impact.q, touching, &change, !takes_all(&scene.law)) * total;
    if missing > 1e-6 * total + small {
        faults.add("impact-momentum", || format!("{:.1e} of the change {}", missing / total, at(impact)));
    }
}

/// The velocity of body `a` at a touching point, less that of what it touches.
fn relative(world: &World, touch: &Touch, t: f64, q: &[f64], u: &[f64]) -> Point {
    let of = |b: usize| {
        let lever = sub(touch.point, [q[3 * b], q[3 * b + 1]]);
        [u[3 * b] - u[3 * b + 2] * lever[1], u[3 * b + 1] + u[3 * b + 2] * lever[0]]
    };
    let other = match (touch.b, touch.line) {
        (Some(b), _) => of(b),
        (None, Some(l)) => world.lines[l].velocity(t),
        (None, None) => [0.0; 2],
    };
    sub(of(touch.a), other)
}

/// After an impact nothing that touches may still approach in all directions of contact;
/// what accumulation leaves is ten times slower than the limit. What touches is known up to a gap
/// of 1e-9: where the next impact, after the time `left`, comes before twice that is closed, it is its task.
fn approach(
    world: &World,
    scene: &Scene,
    impact: &SimulatedImpact,
    touching: &[Touch],
    left: f64,
    size: f64,
    faults: &mut Faults,
) {
    let unit = (world.gravity * size).sqrt();
    let fastest = impact.u_minus.iter().map(|v| v.abs()).fold(unit, f64::max);
    for touch in touching.iter().filter(|t| t.gap.abs() <= 1e-10 * size) {
        let v = relative(world, touch, impact.time, &impact.q, &impact.u_plus);
        // A rod's two sides are both candidates; one of them always recedes.
        let rod =
            touch.normals.iter().all(|n| touch.normals.iter().any(|m| cross(*n, *m).abs() < 1e-9 && dot(*n, *m) < 0.0));
        let nearing = touch.normals.iter().map(|n| dot(v, *n)).fold(f64::NEG_INFINITY, f64::max);
        let soon = -nearing * left <= 2e-9 * size;
        if !rod && !soon && nearing < -(1e-4 * unit + 1e-7 * fastest) {
            let name = |b: usize| scene.scenario.body[b].name.clone();
            let other = touch.b.map_or_else(|| "support".to_owned(), name);
            let pair = format!("{}, {other}", name(touch.a));
            faults.add("impact-approach", || format!("{pair} {:.1e} m/s {}", -nearing, at(impact)));
        }
    }
}

/// Seen from the support, no law with a proof gains kinetic energy, and every other
/// one says so.
fn energy(world: &World, scene: &Scene, impact: &SimulatedImpact, touching: &[Touch], unit: f64, faults: &mut Faults) {
    let mut supports: Vec<usize> = touching.iter().filter_map(|t| t.line).collect();
    supports.sort_unstable();
    supports.dedup();
    // Two supports that move differently have no common frame.
    let frame = match &supports[..] {
        [] => [0.0; 2],
        [one] => world.lines[*one].velocity(impact.time),
        _ if !world.shaken() => [0.0; 2],
        _ => return,
    };
    let (before, after) = (world.kinetic(&impact.u_minus, frame), world.kinetic(&impact.u_plus, frame));
    let mass: f64 = world.bodies.iter().map(|b| b.mass).sum();
    // Closing the small speeds of accumulated impacts: 1e-5 √(gℓ) of any speed there is.
    let round = mass * unit * (1e-9 * unit + if impact.inelastic { 1e-5 * (2.0 * before / mass).sqrt() } else { 0.0 });
    if after <= before * (1.0 + 1e-8) + round {
        return;
    }
    let gain = (after - before) / before;
    let told = impact.outcome.certificate.energetic > 1e-9;
    let e = if impact.inelastic { 0.0 } else { world.restitution };
    let proved = match scene.law.name() {
        "moreau" | "lzb" => true,
        "newton" | "poisson" => e == 0.0 || world.friction == 0.0,
        _ => false,
    };
    if proved || !told {
        faults.add("impact-gains", || format!("{gain:.1e} {} told: {told}", at(impact)));
    }
}
