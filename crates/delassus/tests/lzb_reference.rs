//! The law `lzb` against a second method in another formulation.

#[path = "lzb_support/mod.rs"]
mod lzb_support;
#[path = "lzb_support/reference.rs"]
mod reference;
#[path = "lzb_support/stepping.rs"]
mod stepping;

use delassus::{ContactData, ImpactProblem, Mass, ProblemData, Status, resolve};
use lzb_support::{Random, distance, lzb};
use reference::{RefContact, Reference};

/// u⁺ of the library.
fn solve(reference: &Reference, what: &str) -> Vec<f64> {
    let mut data = ProblemData::new(Mass::diagonal(reference.mass.clone()).unwrap(), reference.velocity.clone());
    for (j, c) in reference.contacts.iter().enumerate() {
        let mut contact =
            ContactData::new(format!("c{j}"), c.normal.clone()).restitution(c.restitution).stiffness(c.stiffness);
        if !c.tangent.is_empty() {
            contact = contact.tangent(c.tangent.clone()).friction(c.friction).friction_static(c.friction_static);
        }
        data.contacts.push(contact);
    }
    let outcome = resolve(&ImpactProblem::new(data).unwrap(), &lzb(reference.exponent)).unwrap();
    assert_eq!(outcome.status(), Status::Solved, "{what}: {:?}", outcome.answer.warnings);
    outcome.u_plus
}

/// Solves both ways and compares u⁺ relative to the largest velocity.
fn compare(reference: &Reference, what: &str) {
    let found = solve(reference, what);
    let expected = reference.solve(1e-13).unwrap_or_else(|| panic!("{what}: the second method does not end"));
    let largest = reference.velocity.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let error = distance(&found, &expected) / largest;
    assert!(error < 1e-8, "{what}: differ by {error:e}: {found:?} and {expected:?}");
}

fn smooth(normal: Vec<f64>, e: f64, stiffness: f64) -> RefContact {
    RefContact { normal, tangent: vec![], friction: 0.0, friction_static: 0.0, restitution: e, stiffness }
}

#[test]
fn random_chains_stacks_and_walls() {
    let mut random = Random(1);
    for round in 0..12 {
        let balls = 2 + round % 3;
        let wall = round % 2 == 0;
        let mass: Vec<f64> = (0..balls).map(|_| random.within(0.3, 2.0)).collect();
        let mut velocity: Vec<f64> = (0..balls).map(|_| 0.0).collect();
        velocity[0] = 1.0;
        let mut contacts = Vec::new();
        for i in 0..balls - 1 {
            let mut normal = vec![0.0; balls];
            normal[i] = -1.0;
            normal[i + 1] = 1.0;
            contacts.push(smooth(normal, random.within(0.5, 1.0), random.within(0.3, 3.0)));
        }
        if wall {
            let mut normal = vec![0.0; balls];
            normal[balls - 1] = -1.0;
            contacts.push(smooth(normal, random.within(0.5, 1.0), random.within(0.3, 3.0)));
        }
        let exponent = if round < 4 { 1.5 } else { 1.0 };
        compare(&Reference { mass, velocity, contacts, exponent }, &format!("chain {round}"));
    }
}

#[test]
fn random_blocks_with_and_without_friction() {
    let mut random = Random(2);
    for round in 0..40 {
        let a = random.within(0.4, 2.5);
        let mass = vec![1.0, 1.0, (1.0 + a * a) / 12.0];
        let slide = if round % 2 == 0 { random.within(-1.0, 1.0) } else { 0.0 };
        let velocity = vec![0.5 * a + slide, -0.5, -1.0];
        let friction = if round % 8 == 0 { 0.0 } else { random.within(0.05, 0.8) };
        let friction_static = friction * random.within(1.0, 1.5);
        let e = random.within(0.4, 1.0);
        let contacts = [-0.5, 0.5]
            .map(|x| RefContact {
                normal: vec![0.0, 1.0, x],
                tangent: if friction > 0.0 { vec![1.0, 0.0, 0.5 * a] } else { vec![] },
                friction,
                friction_static,
                restitution: e,
                stiffness: if x < 0.0 { 1.0 } else { 0.7 },
            })
            .to_vec();
        compare(&Reference { mass, velocity, contacts, exponent: 1.5 }, &format!("block {round}: a = {a}"));
    }
}

/// A column of boxes, u = (x, y, θ) of each from the ground up, with two
/// contacts per interface at the corners of the smaller face.
fn stack(random: &mut Random, boxes: usize, friction: bool, exponent: f64) -> Reference {
    let (mut mass, mut velocity, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
    let sizes: Vec<[f64; 2]> = (0..boxes).map(|_| [random.within(0.6, 1.4), random.within(0.4, 1.2)]).collect();
    for &[width, height] in &sizes {
        let m = random.within(0.5, 2.0);
        mass.extend([m, m, m * (width * width + height * height) / 12.0]);
        velocity.extend([0.0; 3]);
    }
    for (i, &[width, height]) in sizes.iter().enumerate() {
        let half = 0.5 * if i > 0 { width.min(sizes[i - 1][0]) } else { width };
        let (e, mu) = (random.within(0.4, 1.0), random.within(0.1, 0.6));
        for x in [-half, half] {
            // Velocity of the upper box at its lower corner minus that of the one below.
            let mut normal = vec![0.0; 3 * boxes];
            let mut tangent = vec![0.0; 3 * boxes];
            normal[3 * i..3 * i + 3].copy_from_slice(&[0.0, 1.0, x]);
            tangent[3 * i..3 * i + 3].copy_from_slice(&[1.0, 0.0, 0.5 * height]);
            if i > 0 {
                let top = 0.5 * sizes[i - 1][1];
                normal[3 * i - 3..3 * i].copy_from_slice(&[0.0, -1.0, -x]);
                tangent[3 * i - 3..3 * i].copy_from_slice(&[-1.0, 0.0, top]);
            }
            contacts.push(RefContact {
                normal,
                tangent: if friction { tangent } else { vec![] },
                friction: mu,
                friction_static: mu,
                restitution: e,
                stiffness: random.within(0.5, 2.0),
            });
        }
    }
    Reference { mass, velocity, contacts, exponent }
}

/// Stacks that a longer search found to be hard: at the first instant contacts
/// above have no force yet, or move apart before they approach.
const HARD_FALLS: [usize; 5] = [1751, 2451, 2811, 3343, 5627];
const HARD_BLOWS: [usize; 7] = [854, 2334, 2381, 2403, 2418, 3559, 4385];

#[test]
fn random_stacks_fall_on_the_ground() {
    let mut random = Random(3);
    for round in 0..6000 {
        let friction = round % 2 == 1;
        let exponent = if round % 4 < 2 { 1.5 } else { 1.0 };
        let mut reference = stack(&mut random, 2 + (round / 8) % 2, friction, exponent);
        // All fall together, a little aslant.
        let slide = if friction { random.within(-0.5, 0.5) } else { 0.0 };
        for u in reference.velocity.chunks_exact_mut(3) {
            u.copy_from_slice(&[slide, -1.0, 0.0]);
        }
        if round < 60 || HARD_FALLS.contains(&round) {
            compare(&reference, &format!("falling stack {round}"));
        }
    }
}

#[test]
fn random_stacks_are_struck() {
    let mut random = Random(4);
    for round in 0..6000 {
        let friction = round % 2 == 1;
        let exponent = if round % 4 < 2 { 1.5 } else { 1.0 };
        let boxes = 2 + (round / 8) % 2;
        let mut reference = stack(&mut random, boxes, friction, exponent);
        // A blow from above sets the highest box in motion.
        let struck = [random.within(-0.3, 0.3), -1.0, random.within(-0.8, 0.8)];
        reference.velocity[3 * boxes - 3..].copy_from_slice(&struck);
        if round < 60 || HARD_BLOWS.contains(&round) {
            compare(&reference, &format!("struck stack {round}"));
        }
    }
}

/// Time stepping knows nothing of events: what it converges to has none missed.
#[test]
fn time_stepping_converges_to_the_same() {
    let mut random = Random(5);
    for round in 0..12 {
        let boxes = 1 + round % 3;
        let mut reference = stack(&mut random, boxes, true, 1.5);
        for (i, u) in reference.velocity.chunks_exact_mut(3).enumerate() {
            let turn = if boxes == 1 { random.within(-0.8, 0.8) } else { 0.0 };
            let slide = if i == 0 { random.within(-0.5, 0.5) } else { 0.0 };
            u.copy_from_slice(&[slide, -1.0, turn]);
        }
        let what = format!("stack {round}");
        let found = solve(&reference, &what);
        let h = 2e-4;
        let stepped = stepping::step_through(&reference, h).unwrap_or_else(|| panic!("{what} does not end"));
        let error = distance(&stepped, &found);
        assert!(error < 0.1 * h, "{what}: differ by {error:e}");
    }
}
