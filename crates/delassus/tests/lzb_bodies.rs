//! Random rigid bodies with spatial friction at several contacts under the law
//! `lzb`: every one ends, in bounded work, with its account closed, and does
//! not depend on the frame of the tangents.

mod lzb_support;

use delassus::{Friction, ImpactOutcome, ImpactProblem, Mass, ProblemData};
use lzb_support::{Random, check, distance, lzb, solve, spatial_contact};

/// What the random bodies are like.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// Different coefficients along both tangents.
    orthotropic: bool,
    /// All points in one plane: their tangential velocities are dependent.
    coplanar: bool,
    /// 3 to 5 contacts instead of 2 to 4.
    many: bool,
    /// Static friction above the kinetic one.
    sticky: bool,
}

fn kinds() -> impl Iterator<Item = Kind> {
    (0..16).map(|i| Kind { orthotropic: i & 1 > 0, coplanar: i & 2 > 0, many: i & 4 > 0, sticky: i & 8 > 0 })
}

/// The body number `seed` of its kind, with tangents turned by `angle`.
fn body(kind: Kind, seed: u64, angle: f64) -> ProblemData {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678);
    for _ in 0..4 {
        random.next();
    }
    let inertia = [0; 3].map(|_| random.within(0.2, 1.0));
    let mass = Mass::diagonal([[1.0; 3], inertia].concat()).unwrap();
    let velocity: Vec<f64> =
        (0..6).map(|i| if i == 2 { random.within(-2.0, -1.0) } else { random.within(-1.0, 1.0) }).collect();
    let mut data = ProblemData::new(mass, velocity);
    let count = if kind.many { 3 } else { 2 } + (3.0 * random.next()) as usize;
    let depth = random.within(-1.0, -0.3);
    for i in 0..count {
        let [x, y] = [0; 2].map(|_| random.within(-1.0, 1.0));
        let z = if kind.coplanar { depth } else { random.within(-1.0, -0.3) };
        let [a, b] = [0; 2].map(|_| random.within(0.05, 0.8));
        let friction = |factor: f64| {
            if kind.orthotropic {
                Friction::Orthotropic([factor * a, factor * b])
            } else {
                Friction::Isotropic(factor * a)
            }
        };
        let ratio = random.within(1.0, 1.5);
        let mut contact = spatial_contact(&format!("c{i}"), [x, y, z], angle)
            .restitution(random.within(0.0, 1.0))
            .stiffness(random.within(0.3, 3.0));
        contact.friction = Some(friction(1.0));
        contact.friction_static = kind.sticky.then(|| friction(ratio));
        data.contacts.push(contact);
    }
    data
}

/// Checks the outcome by itself and its work; `what` names the body.
fn check_body(problem: &ImpactProblem, outcome: &ImpactOutcome, what: &str) {
    check(problem, outcome, what);
    let stats = &outcome.answer.stats;
    assert!(stats.iterations < 3000 && stats.events < 400, "{what}: {stats:?}");
}

/// Checks `count` bodies of every kind.
fn sweep(count: u64) {
    for kind in kinds() {
        for seed in 0..count {
            let what = format!("{kind:?}, body {seed}");
            let (problem, outcome) = solve(&body(kind, seed, 0.0), &lzb(1.5));
            check_body(&problem, &outcome, &what);
            if !kind.orthotropic {
                let turned = solve(&body(kind, seed, 0.7), &lzb(1.5)).1;
                let difference = distance(&turned.u_plus, &outcome.u_plus);
                assert!(difference < 1e-8, "{what}: turning the tangents changes {difference:e}");
            }
        }
    }
}

#[test]
fn bodies_end_and_do_not_depend_on_tangents() {
    sweep(40);
}

/// Minutes of computing: `cargo test --release --test lzb_bodies -- --ignored`. One of the 8000 bodies whose tangents are
/// turned fails it, by 2.1e-8: coplanar, many, sticky, body 1653. All others agree to 6e-9.
#[test]
#[ignore = "takes minutes"]
fn many_bodies_end_and_do_not_depend_on_tangents() {
    sweep(2000);
}
