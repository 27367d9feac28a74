//! Random problems of the law `lzb` for its second methods, and the library's
//! answer to them.
#![allow(dead_code)]

use delassus::law::Lzb;
use delassus::{ContactData, ImpactProblem, LawSpec, Mass, ProblemData, Status, resolve};

use super::lzb_support::Random;
use super::reference::{RefContact, Reference};

/// u⁺ of the library, with its default tolerance unless told, or why there is none.
pub fn library(reference: &Reference, tolerance: Option<f64>) -> Result<Vec<f64>, String> {
    let mut data = ProblemData::new(Mass::diagonal(reference.mass.clone()).unwrap(), reference.velocity.clone());
    for (j, c) in reference.contacts.iter().enumerate() {
        let mut contact =
            ContactData::new(format!("c{j}"), c.normal.clone()).restitution(c.restitution).stiffness(c.stiffness);
        if !c.tangent.is_empty() {
            contact = contact.tangent(c.tangent.clone()).friction(c.friction).friction_static(c.friction_static);
        }
        data.contacts.push(contact);
    }
    let mut law = Lzb { exponent: reference.exponent, ..Lzb::default() };
    law.tolerance = tolerance.unwrap_or(law.tolerance);
    let outcome = resolve(&ImpactProblem::new(data).unwrap(), &LawSpec::Lzb(law)).unwrap();
    match outcome.status() {
        Status::Solved => Ok(outcome.u_plus),
        status => Err(format!("{status:?}: {:?}", outcome.answer.warnings)),
    }
}

/// The largest generalized velocity before.
pub fn largest(reference: &Reference) -> f64 {
    reference.velocity.iter().fold(0.0, |m, v| m.max(v.abs()))
}

fn smooth(normal: Vec<f64>, e: f64, stiffness: f64) -> RefContact {
    RefContact { normal, tangent: vec![], friction: 0.0, friction_static: 0.0, restitution: e, stiffness }
}

/// A chain of 2 to 4 balls struck by the first, in even rounds before a wall.
pub fn chain(random: &mut Random, round: usize, exponent: f64) -> Reference {
    let balls = 2 + round % 3;
    let wall = round.is_multiple_of(2);
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
    Reference { mass, velocity, contacts, exponent }
}

/// A block that rocks onto its second corner, in even rounds while it slides,
/// in most rounds with friction.
pub fn block(random: &mut Random, round: usize, exponent: f64) -> Reference {
    let a = random.within(0.4, 2.5);
    let mass = vec![1.0, 1.0, (1.0 + a * a) / 12.0];
    let slide = if round.is_multiple_of(2) { random.within(-1.0, 1.0) } else { 0.0 };
    let velocity = vec![0.5 * a + slide, -0.5, -1.0];
    let friction = if round.is_multiple_of(8) { 0.0 } else { random.within(0.05, 0.8) };
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
    Reference { mass, velocity, contacts, exponent }
}

/// A column of boxes at rest, u = (x, y, θ) of each from the ground up, with
/// two contacts per interface at the corners of the smaller face.
pub fn stack(random: &mut Random, boxes: usize, friction: bool, exponent: f64) -> Reference {
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

/// A stack of 2 or 3 boxes that fall together, with friction in odd rounds a
/// little aslant.
pub fn falling(random: &mut Random, round: usize, exponent: f64) -> Reference {
    let friction = round % 2 == 1;
    let mut reference = stack(random, 2 + (round / 8) % 2, friction, exponent);
    let slide = if friction { random.within(-0.5, 0.5) } else { 0.0 };
    for u in reference.velocity.chunks_exact_mut(3) {
        u.copy_from_slice(&[slide, -1.0, 0.0]);
    }
    reference
}

/// A stack of 2 or 3 boxes of which a blow from above sets the highest in
/// motion, with friction in odd rounds.
pub fn struck(random: &mut Random, round: usize, exponent: f64) -> Reference {
    let boxes = 2 + (round / 8) % 2;
    let mut reference = stack(random, boxes, round % 2 == 1, exponent);
    let struck = [random.within(-0.3, 0.3), -1.0, random.within(-0.8, 0.8)];
    reference.velocity[3 * boxes - 3..].copy_from_slice(&struck);
    reference
}

/// A stack with friction that falls or is struck, harder to set sliding than
/// to keep so.
pub fn sticky(random: &mut Random, round: usize, exponent: f64) -> Reference {
    let generator = if round.is_multiple_of(2) { falling } else { struck };
    let mut reference = generator(random, round | 1, exponent);
    for pair in reference.contacts.chunks_exact_mut(2) {
        let factor = random.within(1.0, 1.5);
        pair.iter_mut().for_each(|c| c.friction_static *= factor);
    }
    reference
}
