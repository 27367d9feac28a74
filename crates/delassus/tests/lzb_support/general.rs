//! Random problems in general position, with everything at once: bodies in a
//! corner, full mass matrices, joints, static friction above kinetic,
//! friction above the critical value, ratios of stiffness, plastic contacts.
#![allow(dead_code)]

use delassus::{ContactData, Direction, ElementKind, ImpactProblem, JointData, Mass, ProblemData};

use super::lzb_support::Random;
use super::reference::{RefContact, Reference};

pub const KINDS: [&str; 3] = ["body", "gauss", "jointed"];

pub fn exponent(round: usize) -> f64 {
    [1.5, 1.0, 1.5, 2.0][round % 4]
}

fn pick(random: &mut Random, from: &[f64], low: f64, high: f64) -> f64 {
    let place = (random.next() * (from.len() + 1) as f64) as usize;
    from.get(place).copied().unwrap_or_else(|| random.within(low, high))
}

/// Nearly normally distributed.
fn gauss(random: &mut Random) -> f64 {
    (0..12).map(|_| random.next()).sum::<f64>() - 6.0
}

fn contact(random: &mut Random, i: usize, normal: Vec<f64>, tangent: Vec<f64>) -> ContactData {
    let restitution = pick(random, &[0.0, 0.5, 0.8, 1.0], 0.0, 1.0);
    let stiffness = pick(random, &[0.5, 1.0, 1.0, 2.0, 10.0], 0.1, 1.0);
    let mut contact = ContactData::new(format!("c{i}"), normal).restitution(restitution).stiffness(stiffness);
    if random.next() < 0.9 {
        let friction = pick(random, &[0.1, 0.3, 0.5, 1.0], 0.05, 1.5);
        contact = contact.tangent(tangent).friction(friction);
        if random.next() < 0.5 {
            contact = contact.friction_static(friction * pick(random, &[1.2, 1.5, 2.0], 1.0, 2.0));
        }
    }
    contact
}

/// The problem number `round` of a kind and seed.
pub fn problem(kind: &str, seed: u64, round: usize) -> ProblemData {
    let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(round as u64));
    (0..8).for_each(|_| _ = random.next());
    if kind == "body" { body(&mut random) } else { system(&mut random, kind == "jointed") }
}

/// A body in a corner: some of its points touch the ground, others a slope.
fn body(random: &mut Random) -> ProblemData {
    let mass = Mass::diagonal(vec![1.0, 1.0, random.within(0.1, 0.5)]).unwrap();
    let velocity: Vec<f64> = (0..3).map(|_| random.within(-1.0, 1.0)).collect();
    let mut data = ProblemData::new(mass, velocity);
    let angle = random.within(-2.5, 2.5);
    let depth = random.within(0.3, 1.0);
    for i in 0..2 + (random.next() * 3.0) as usize {
        let (turn, [x, y]) = if random.next() < 0.6 {
            (0.0, [random.within(-1.0, 1.0), -depth])
        } else {
            (angle, [random.within(-1.0, 1.0), random.within(-1.0, 1.0)])
        };
        let (n, t) = ([-f64::sin(turn), f64::cos(turn)], [f64::cos(turn), f64::sin(turn)]);
        let row = |d: [f64; 2]| vec![d[0], d[1], x * d[1] - y * d[0]];
        let contact = contact(random, i, row(n), row(t));
        data.contacts.push(contact);
    }
    data
}

/// Directions and masses at random, with 2 to 4 coordinates and perhaps a joint.
fn system(random: &mut Random, jointed: bool) -> ProblemData {
    let size = 2 + (random.next() * 3.0) as usize;
    let line = |random: &mut Random| -> Vec<f64> { (0..size).map(|_| gauss(random)).collect() };
    let factor: Vec<Vec<f64>> = (0..size).map(|_| line(random)).collect();
    let mut matrix = vec![0.0; size * size];
    for i in 0..size {
        for j in 0..size {
            let product: f64 = (0..size).map(|k| factor[i][k] * factor[j][k]).sum();
            matrix[size * i + j] = product + if i == j { 0.3 } else { 0.0 };
        }
    }
    let mut velocity = line(random);
    let joint = (jointed && size > 2).then(|| line(random));
    if let Some(w) = &joint {
        let (along, own) = w.iter().zip(&velocity).fold((0.0, 0.0), |(a, b), (w, u)| (a + w * u, b + w * w));
        velocity.iter_mut().zip(w).for_each(|(u, w)| *u -= along / own * w);
    }
    let mut data = ProblemData::new(Mass::dense(size, matrix).unwrap(), velocity);
    for i in 0..2 + (random.next() * 3.0) as usize {
        let (normal, tangent) = (line(random), line(random));
        let contact = contact(random, i, normal, tangent);
        data.contacts.push(contact);
    }
    data.joints.extend(joint.map(|w| JointData {
        name: "joint".into(),
        directions: vec![Direction::Dense(w)],
        restitution: 0.0,
        offset: vec![0.0],
    }));
    data
}

/// The same problem in coordinates y = Lᵀu, M = LLᵀ, so that the mass is the
/// unit matrix, with the directions of contacts at right angles to the joints.
pub fn reduce(problem: &ImpactProblem, exponent: f64) -> Reference {
    let n = problem.coordinates();
    let mut mass = vec![vec![0.0; n]; n];
    for (i, column) in mass.iter_mut().enumerate() {
        let unit: Vec<f64> = (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect();
        problem.mass().multiply(&unit, column);
    }
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            lower[i][j] = if i == j { (mass[i][i] - known).sqrt() } else { (mass[i][j] - known) / lower[j][j] };
        }
    }
    let direction = |row: usize| -> Vec<f64> {
        let mut w = vec![0.0; n];
        problem.directions().add_to(row, 1.0, &mut w);
        for i in 0..n {
            let known: f64 = (0..i).map(|k| lower[i][k] * w[k]).sum();
            w[i] = (w[i] - known) / lower[i][i];
        }
        w
    };
    let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let without = |mut w: Vec<f64>, from: &[f64]| {
        let share = product(&w, from) / product(from, from);
        w.iter_mut().zip(from).for_each(|(w, f)| *w -= share * f);
        w
    };
    let joints: Vec<Vec<f64>> = (problem.elements().iter().filter(|e| e.kind == ElementKind::Joint))
        .flat_map(|e| e.rows.clone().map(direction))
        .collect();
    assert!(joints.len() <= 1, "joints at right angles to each other are not made here");
    let free = |row: usize| joints.iter().fold(direction(row), |w, joint| without(w, joint));
    let velocity = (0..n).map(|i| (i..n).map(|k| lower[k][i] * problem.u_minus()[k]).sum()).collect();
    let contacts = problem.contacts().iter().map(|c| {
        let friction = c.friction.map_or(0.0, |f| f.coefficients()[0]);
        RefContact {
            normal: free(c.normal),
            tangent: c.tangents.clone().next().map_or_else(Vec::new, free),
            friction,
            friction_static: c.friction_static.map_or(friction, |f| f.coefficients()[0]),
            restitution: c.restitution,
            stiffness: c.stiffness,
        }
    });
    Reference { mass: vec![1.0; n], velocity, contacts: contacts.collect(), exponent }
}

/// γ of the contacts, normal and then tangent of each, for the velocities of `reduced`.
pub fn relative(reduced: &Reference, y: &[f64]) -> Vec<f64> {
    let rows = reduced.contacts.iter().flat_map(|c| [&c.normal, &c.tangent]).filter(|w| !w.is_empty());
    rows.map(|w| w.iter().zip(y).map(|(w, y)| w * y).sum()).collect()
}
