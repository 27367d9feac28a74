//! Packings of spheres on a floor for the tests of many contacts.
#![allow(dead_code)]

use delassus::solve::contact::{ContactProblem, ContactSide};

/// Unit spheres at jittered lattice places, moving down and a little at random.
#[derive(Debug, Clone)]
pub struct Packing {
    centres: Vec<[f64; 3]>,
    /// The spheres of each contact; one alone touches the floor.
    pairs: Vec<(usize, Option<usize>)>,
    velocities: Vec<[f64; 6]>,
    directions: Vec<[Vec<f64>; 2]>,
}

/// A number in [0, 1) (splitmix64).
pub fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

impl Packing {
    /// A packing with about that many contacts.
    pub fn spheres(contacts: usize, seed: u64) -> Self {
        let bodies = (contacts as f64 / 3.3).ceil() as usize;
        let side = (bodies as f64).cbrt().ceil() as usize;
        let mut state = seed;
        let mut jitter = || 0.08 * (random(&mut state) - 0.5);
        let centres: Vec<[f64; 3]> = (0..bodies)
            .map(|b| {
                let (i, j, k) = (b % side, b / side % side, b / side / side);
                let shift = 0.5 * (k % 2) as f64;
                [i as f64 + shift, j as f64 + shift, 0.5 + k as f64 * 0.5f64.sqrt()].map(|v| v + jitter())
            })
            .collect();
        let mut found = Vec::new();
        for a in 0..bodies {
            for b in a + 1..(a + 2 * side * side).min(bodies) {
                // Two diameters hold far more neighbours than will touch; all pairs would fill the memory.
                let apart = distance(centres[a], centres[b]);
                if apart < 2.0 {
                    found.push((apart, a, Some(b)));
                }
            }
            if a < side * side {
                found.push((0.0, a, None));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.truncate(contacts);
        let mut pairs: Vec<(usize, Option<usize>)> = found.into_iter().map(|(_, a, b)| (a, b)).collect();
        pairs.sort_unstable();
        let mut velocity =
            |_| std::array::from_fn(|k| 0.02 * (random(&mut state) - 0.5) - if k == 2 { 0.1 } else { 0.0 });
        let velocities = (0..bodies).map(&mut velocity).collect();
        Self { centres, pairs, velocities, directions: Vec::new() }.directed()
    }

    /// The same contacts with centres moved at random by up to `distance`.
    pub fn moved(&self, distance: f64, seed: u64) -> Self {
        let mut state = seed;
        let mut other = self.clone();
        other.centres.iter_mut().flatten().for_each(|v| *v += distance * (2.0 * random(&mut state) - 1.0));
        other.directed()
    }

    fn directed(mut self) -> Self {
        let of_pair = |&(a, b): &(usize, Option<usize>)| {
            let normal = match b {
                Some(b) => unit(std::array::from_fn(|k| self.centres[a][k] - self.centres[b][k])),
                None => [0.0, 0.0, 1.0],
            };
            let helper = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let first = unit(cross(normal, helper));
            let axes = [normal, first, cross(normal, first)];
            let side = |sign: f64| {
                axes.iter()
                    .flat_map(|&t| {
                        let moment = cross(normal.map(|v| -0.5 * sign * v), t);
                        t.into_iter().chain(moment).map(move |v| sign * v)
                    })
                    .collect::<Vec<f64>>()
            };
            [side(1.0), side(-1.0)]
        };
        self.directions = self.pairs.iter().map(of_pair).collect();
        self
    }

    pub fn contacts(&self) -> usize {
        self.pairs.len()
    }

    pub fn velocities(&self) -> &[[f64; 6]] {
        &self.velocities
    }

    pub fn bodies(&self) -> usize {
        self.centres.len()
    }

    /// Diagonal of M⁻¹: unit mass, radius one half.
    pub fn inverse_mass(&self, coordinate: usize) -> f64 {
        if coordinate % 6 < 3 { 1.0 } else { 10.0 }
    }

    pub fn sides(&self, contact: usize) -> [Option<ContactSide<'_>>; 2] {
        let (a, b) = self.pairs[contact];
        let [first, second] = &self.directions[contact];
        [Some(ContactSide { body: a, directions: first }), b.map(|body| ContactSide { body, directions: second })]
    }

    /// The contact problem with this friction everywhere.
    pub fn problem(&self, friction: f64) -> ContactProblem {
        let mut inverse = vec![0.0; 36 * self.bodies()];
        for body in 0..self.bodies() {
            (0..6).for_each(|k| inverse[36 * body + 7 * k] = self.inverse_mass(k));
        }
        let matrix = ContactProblem::delassus(3, self.pairs.len(), 6, &inverse, |i| self.sides(i));
        let mut q = Vec::new();
        for contact in 0..self.pairs.len() {
            for k in 0..3 {
                let sides = self.sides(contact).into_iter().flatten();
                q.push(
                    sides
                        .map(|side| {
                            let row = &side.directions[6 * k..6 * k + 6];
                            row.iter().zip(&self.velocities[side.body]).map(|(d, v)| d * v).sum::<f64>()
                        })
                        .sum(),
                );
            }
        }
        ContactProblem::coulomb(matrix, q, &vec![friction; self.pairs.len()])
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>().sqrt()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = distance(a, [0.0; 3]);
    a.map(|v| v / length)
}
