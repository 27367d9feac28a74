//! Many bodies that touch one another: packings of disks and spheres, stacks of cubes, walls of bricks.
#![allow(dead_code)]

use delassus::{ContactData, Direction, Mass, ProblemData};

use crate::lzb_support::Random;

/// A contact of `body` with `other`, or with the ground; the normal points to `body`.
struct Touch {
    body: usize,
    other: Option<usize>,
    point: [f64; 3],
    normal: [f64; 3],
}

/// Bodies that touch. In the plane only x, y and the turn about z are coordinates.
pub struct Pile {
    planar: bool,
    centres: Vec<[f64; 3]>,
    /// Mass, and moments of inertia about the axes.
    masses: Vec<(f64, [f64; 3])>,
    touches: Vec<Touch>,
    pub velocities: Vec<[f64; 6]>,
}

impl Pile {
    fn new(planar: bool) -> Self {
        Self { planar, centres: Vec::new(), masses: Vec::new(), touches: Vec::new(), velocities: Vec::new() }
    }

    pub fn contacts(&self) -> usize {
        self.touches.len()
    }

    /// Spheres of radius one half at disturbed places of a lattice, layer over gaps, with that many contacts.
    pub fn spheres(contacts: usize, seed: u64) -> Self {
        let bodies = (contacts as f64 / 3.3).ceil() as usize + 1;
        let side = (bodies as f64).cbrt().ceil() as usize;
        let mut random = Random(seed);
        let mut pile = Self::new(false);
        for b in 0..bodies {
            let (i, j, k) = (b % side, b / side % side, b / side / side);
            let shift = 0.5 * (k % 2) as f64;
            let place = [i as f64 + shift, j as f64 + shift, 0.5 + k as f64 * 0.5f64.sqrt()];
            pile.centres.push(place.map(|v| v + random.within(-0.04, 0.04)));
            pile.masses.push((1.0, [0.1; 3]));
        }
        pile.touch_round((0..bodies.min(side * side)).collect(), 2 * side * side, 2, contacts);
        pile.falls(&mut random);
        pile
    }

    /// The same with disks in the plane.
    pub fn disks(contacts: usize, seed: u64) -> Self {
        let bodies = (contacts as f64 / 2.2).ceil() as usize + 1;
        let side = (bodies as f64).sqrt().ceil() as usize;
        let mut random = Random(seed);
        let mut pile = Self::new(true);
        for b in 0..bodies {
            let (i, j) = (b % side, b / side);
            let place = [i as f64 + 0.5 * (j % 2) as f64, 0.5 + j as f64 * 0.75f64.sqrt(), 0.0];
            let [x, y, z] = place.map(|v| v + random.within(-0.04, 0.04));
            pile.centres.push([x, y, 0.0 * z]);
            pile.masses.push((1.0, [0.125; 3]));
        }
        pile.touch_round((0..bodies.min(side)).collect(), 2 * side, 1, contacts);
        pile.falls(&mut random);
        pile
    }

    /// Cubes of side one on each other, four contacts each.
    pub fn cubes(cubes: usize, seed: u64) -> Self {
        let mut pile = Self::new(false);
        for k in 0..cubes {
            pile.centres.push([0.0, 0.0, 0.5 + k as f64]);
            pile.masses.push((1.0, [1.0 / 6.0; 3]));
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let point = [x, y, k as f64];
                pile.touches.push(Touch { body: k, other: k.checked_sub(1), point, normal: [0.0, 0.0, 1.0] });
            }
        }
        pile.falls(&mut Random(seed));
        pile
    }

    /// Bricks of 2 × 1 × 1 in running bond, `courses` of `length` bricks, four contacts at each bed.
    pub fn wall(courses: usize, length: usize, seed: u64) -> Self {
        let mut pile = Self::new(false);
        for row in 0..courses {
            let shift = row % 2;
            for i in 0..length {
                let left = (2 * i + shift) as f64;
                let body = pile.centres.len();
                pile.centres.push([left + 1.0, 0.5, row as f64 + 0.5]);
                pile.masses.push((2.0, [1.0 / 3.0, 5.0 / 6.0, 5.0 / 6.0]));
                let beds: Vec<(Option<usize>, f64, f64)> = if row == 0 {
                    vec![(None, left, left + 2.0)]
                } else {
                    let below = [i as isize + shift as isize - 1, i as isize + shift as isize];
                    let halves = below.into_iter().zip([left, left + 1.0]);
                    let real = halves.filter(|(k, _)| (0..length as isize).contains(k));
                    real.map(|(k, x)| (Some(body - i - length + k as usize), x, x + 1.0)).collect()
                };
                for (other, from, to) in beds {
                    for (x, y) in [(from, 0.0), (to, 0.0), (to, 1.0), (from, 1.0)] {
                        pile.touches.push(Touch { body, other, point: [x, y, row as f64], normal: [0.0, 0.0, 1.0] });
                    }
                }
            }
        }
        pile.falls(&mut Random(seed));
        pile
    }

    /// All fall, each a little differently.
    fn falls(&mut self, random: &mut Random) {
        let down = if self.planar { 1 } else { 2 };
        let velocity = |_| {
            let mut velocity = [0.0; 6].map(|_: f64| random.within(-0.1, 0.1));
            velocity[down] -= 1.0;
            velocity
        };
        self.velocities = (0..self.centres.len()).map(velocity).collect();
    }

    /// All at rest, but for the last body, which falls.
    pub fn struck(mut self) -> Self {
        let last = self.velocities.len() - 1;
        self.velocities[..last].fill([0.0; 6]);
        self
    }

    /// Contacts with the ground, and of pairs up to `reach` numbers apart the nearest.
    fn touch_round(&mut self, ground: Vec<usize>, reach: usize, up: usize, contacts: usize) {
        let bodies = self.centres.len();
        let mut found: Vec<(f64, usize, usize)> = Vec::new();
        for a in 0..bodies {
            for b in a + 1..(a + reach).min(bodies) {
                let apart: [f64; 3] = std::array::from_fn(|k| self.centres[a][k] - self.centres[b][k]);
                found.push((length(apart), a, b));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.truncate(contacts.saturating_sub(ground.len()));
        let mut pairs: Vec<(usize, Option<usize>)> = found.into_iter().map(|(_, a, b)| (a, Some(b))).collect();
        pairs.extend(ground.into_iter().map(|a| (a, None)));
        pairs.sort_unstable();
        pairs.truncate(contacts);
        for (body, other) in pairs {
            let centre = self.centres[body];
            let normal = match other {
                Some(b) => unit(std::array::from_fn(|k| centre[k] - self.centres[b][k])),
                None => std::array::from_fn(|k| if k == up { 1.0 } else { 0.0 }),
            };
            let point = std::array::from_fn(|k| centre[k] - 0.5 * normal[k]);
            self.touches.push(Touch { body, other, point, normal });
        }
    }

    /// Coordinates of a body that count.
    fn coordinates(&self) -> &'static [usize] {
        if self.planar { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] }
    }

    /// The diagonal of M.
    pub fn masses(&self) -> Vec<f64> {
        let inertia =
            |&(m, i): &(f64, [f64; 3])| self.coordinates().iter().map(move |&c| [m, m, m, i[0], i[1], i[2]][c]);
        self.masses.iter().flat_map(inertia).collect()
    }

    /// The impact; without tangents where there is no friction.
    pub fn problem(&self, friction: f64, restitution: f64) -> ProblemData {
        let of_body = |values: &[f64; 6]| -> Vec<f64> { self.coordinates().iter().map(|&c| values[c]).collect() };
        let velocity: Vec<f64> = self.velocities.iter().flat_map(of_body).collect();
        let mut data = ProblemData::new(Mass::diagonal(self.masses()).unwrap(), velocity);
        data.contacts = self.contact_data(0, friction, restitution);
        data
    }

    /// Contacts of a pile whose first coordinate is number `shift`.
    pub fn contact_data(&self, shift: usize, friction: f64, restitution: f64) -> Vec<ContactData> {
        let (coordinates, width) = (self.coordinates(), self.coordinates().len());
        let of_touch = |(k, touch): (usize, &Touch)| {
            let direction = |along: [f64; 3]| {
                let mut entries = Vec::new();
                let sides = [(1.0, Some(touch.body)), (-1.0, touch.other)];
                for (sign, body) in sides.into_iter().filter_map(|(sign, body)| Some((sign, body?))) {
                    let arm = std::array::from_fn(|k| touch.point[k] - self.centres[body][k]);
                    let turn = cross(arm, along);
                    let all = [along[0], along[1], along[2], turn[0], turn[1], turn[2]];
                    let values =
                        coordinates.iter().enumerate().map(|(i, &c)| (shift + width * body + i, sign * all[c]));
                    entries.extend(values.filter(|(_, v)| *v != 0.0));
                }
                entries.sort_by_key(|(c, _)| *c);
                Direction::Sparse(entries)
            };
            let n = touch.normal;
            let contact = ContactData::new(format!("c{}", shift + k), direction(n)).restitution(restitution);
            if friction == 0.0 {
                return contact;
            }
            let helper = if n[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let first = if self.planar { [n[1], -n[0], 0.0] } else { unit(cross(n, helper)) };
            let contact = contact.tangent(direction(first)).friction(friction);
            if self.planar { contact } else { contact.tangent(direction(cross(n, first))) }
        };
        self.touches.iter().enumerate().map(of_touch).collect()
    }
}

fn length(a: [f64; 3]) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let size = length(a);
    a.map(|v| v / size)
}
