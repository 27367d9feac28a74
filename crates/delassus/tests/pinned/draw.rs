//! Problems at random, ordinary and degenerate, made by sums, products and roots alone, so that they are the same everywhere.

use delassus::{ClutchData, ContactData, Direction, Friction, JointData, Mass, ProblemData};

/// A small deterministic generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick(&mut self, from: &[f64]) -> f64 {
        from[self.below(from.len())]
    }

    /// n entries in [−1, 1), or small integers.
    pub fn entries(&mut self, n: usize, integers: bool) -> Vec<f64> {
        (0..n)
            .map(|_| if integers { self.pick(&[-2.0, -1.0, 0.0, 0.0, 1.0, 2.0]) } else { self.within(-1.0, 1.0) })
            .collect()
    }

    /// A direction that is not zero.
    fn direction(&mut self, n: usize, integers: bool) -> Vec<f64> {
        loop {
            let w = self.entries(n, integers);
            if w.iter().any(|v| *v != 0.0) {
                return w;
            }
        }
    }
}

/// What contacts have in common: friction, restitution, stiffness, a moving support now and then.
fn surface(random: &mut Random, mut contact: ContactData) -> ContactData {
    let tangents = contact.tangents.len();
    if tangents > 0 {
        let mu = random.pick(&[0.0, 0.1, 0.3, 0.5, 0.8, 1.5, 3.0]);
        let orthotropic = tangents == 2 && random.chance(40);
        let friction = |factor: f64, other: f64| match orthotropic {
            true => Friction::Orthotropic([factor * mu, factor * other]),
            false => Friction::Isotropic(factor * mu),
        };
        let other = random.pick(&[0.0, 0.2, 0.6, 1.0]);
        contact = contact.friction(friction(1.0, other));
        if random.chance(35) {
            contact = contact.friction_static(friction(random.pick(&[1.0, 1.2, 1.6]), other));
        }
    }
    if random.chance(8) {
        contact.offset = random.entries(tangents + 1, false).iter().map(|v| 0.3 * v).collect();
    }
    let restitution = random.pick(&[0.0, 0.3, 0.5, 0.5, 0.8, 1.0]);
    if tangents > 0 {
        // At most that of the normal, as Poisson's law wants it.
        contact = contact.restitution_tangential(restitution * random.pick(&[0.0, 0.0, 0.0, 0.5, 1.0]));
    }
    contact.restitution(restitution).stiffness(random.pick(&[0.1, 1.0, 1.0, 1.0, 4.0]))
}

fn mass(random: &mut Random, n: usize, plain: bool) -> Mass {
    if plain {
        return Mass::diagonal((0..n).map(|_| random.pick(&[0.01, 0.5, 1.0, 1.0, 2.0, 300.0])).collect()).unwrap();
    }
    let rows: Vec<Vec<f64>> = (0..n).map(|_| random.entries(n, false)).collect();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let entry = |i: usize, j: usize| product(&rows[i], &rows[j]) + if i == j { 0.3 } else { 0.0 };
    Mass::dense(n, (0..n * n).map(|k| entry(k / n, k % n)).collect()).unwrap()
}

/// Takes the part along a direction out of the velocity: what touches grazes, a joint is at rest.
fn graze(velocity: &mut [f64], direction: &Direction) {
    let Direction::Dense(w) = direction else { return };
    let along: f64 = w.iter().zip(velocity.iter()).map(|(w, u)| w * u).sum();
    let own: f64 = w.iter().map(|w| w * w).sum();
    velocity.iter_mut().zip(w).for_each(|(u, w)| *u -= along / own * w);
}

/// Turns the velocity round where the first contact separates.
fn approach(data: &mut ProblemData) {
    let Direction::Dense(w) = &data.contacts[0].normal else { return };
    if w.iter().zip(&data.velocity).map(|(w, u)| w * u).sum::<f64>() > 0.0 {
        data.velocity.iter_mut().for_each(|u| *u = -*u);
    }
}

/// Makes all friction strong, so that contacts jam and wedge.
pub fn rough(random: &mut Random, mut data: ProblemData) -> ProblemData {
    for contact in data.contacts.iter_mut().filter(|c| !c.tangents.is_empty()) {
        let mu = random.pick(&[0.8, 1.5, 4.0, 20.0]);
        contact.friction = Some(Friction::Isotropic(mu));
        contact.friction_static = random.chance(40).then_some(Friction::Isotropic(1.5 * mu));
    }
    data
}

/// Directions and masses in general position; `degenerate`: integers, zeros, contacts twice, at rest, grazing. With that
/// many tangents a contact at most, and with joints and clutches where `constrained`.
pub fn system(
    random: &mut Random,
    degenerate: bool,
    tangents: usize,
    contacts: usize,
    constrained: bool,
) -> ProblemData {
    let n = tangents + 1 + random.below(3) + usize::from(constrained);
    let integers = degenerate && random.chance(60);
    let plain = degenerate && random.chance(60);
    let mass = mass(random, n, plain);
    let mut data = ProblemData::new(mass, random.entries(n, integers));
    for i in 0..contacts {
        let mut contact = ContactData::new(format!("c{i}"), random.direction(n, integers));
        if random.chance(85) {
            for _ in 0..tangents {
                contact = contact.tangent(random.direction(n, integers));
            }
        }
        data.contacts.push(surface(random, contact));
    }
    if degenerate && random.chance(35) {
        // The same contact twice, in other units, perhaps with other data.
        let mut copy = data.contacts[0].clone();
        copy.name = "twice".into();
        if random.chance(50) {
            copy.friction_static = None;
            copy = surface(random, copy);
        }
        data.contacts.push(copy);
    }
    if constrained && random.chance(70) {
        let count = 1 + random.below(2);
        let mut joint = JointData::new("joint", (0..count).map(|_| random.direction(n, integers)));
        if random.chance(25) {
            joint.restitution = random.pick(&[0.0, 0.5]);
        } else {
            joint.directions.iter().rev().for_each(|w| graze(&mut data.velocity, w));
            if count == 2 {
                data.velocity.iter_mut().for_each(|u| *u = 0.0);
                data.impulse = random.entries(n, integers);
            }
        }
        data.joints.push(joint);
    }
    if constrained && random.chance(40) {
        data.clutches.push(ClutchData::new("clutch", random.direction(n, integers)));
    }
    if random.chance(85) {
        approach(&mut data);
    }
    if degenerate && random.chance(25) {
        graze(&mut data.velocity, &data.contacts[0].normal);
        if random.chance(30) {
            // Up to round-off, or up to what a certificate does not tell from it.
            let little = random.pick(&[1e-16, -1e-16, 1e-10, -1e-10]);
            data.velocity.iter_mut().for_each(|u| *u += little);
        }
    }
    if degenerate && random.chance(10) {
        data.velocity.iter_mut().for_each(|u| *u = 0.0);
        data.impulse = random.entries(n, integers);
    }
    if random.chance(8) && data.impulse.is_empty() {
        data.impulse = random.entries(n, integers);
    }
    data
}

/// A body in the plane on feet at one height, perhaps with a point at a wall: redundant where feet are many.
pub fn feet(random: &mut Random, count: usize) -> ProblemData {
    let mass = Mass::diagonal(vec![1.0, 1.0, random.pick(&[0.1, 0.3, 1.0])]).unwrap();
    let velocity = vec![random.pick(&[0.0, 0.5, -1.0]), -1.0, random.pick(&[0.0, 0.0, 0.7, -1.3])];
    let mut data = ProblemData::new(mass, velocity);
    let depth = random.pick(&[0.2, 0.5, 1.0, 2.0]);
    for i in 0..count {
        let x = random.pick(&[-1.0, -0.5, 0.0, 0.25, 0.5, 1.0]);
        let contact = ContactData::new(format!("foot{i}"), [0.0, 1.0, x]).tangent([1.0, 0.0, depth]);
        data.contacts.push(surface(random, contact));
    }
    if random.chance(40) {
        let wall = ContactData::new("wall", [-1.0, 0.0, 0.3]).tangent([0.0, 1.0, 1.0]);
        data.contacts.push(surface(random, wall));
    }
    data
}

/// A body in space on feet, perhaps with a point at a wall.
pub fn feet_in_space(random: &mut Random, count: usize) -> ProblemData {
    let inertia = [0; 3].map(|_| random.pick(&[0.2, 0.4, 1.0]));
    let mass = Mass::diagonal([[1.0; 3], inertia].concat()).unwrap();
    let mut velocity: Vec<f64> = (0..6).map(|_| random.pick(&[0.0, 0.3, -0.7, 1.0])).collect();
    velocity[2] = -1.0;
    let mut data = ProblemData::new(mass, velocity);
    let depth = random.pick(&[-0.3, -0.6, -1.0]);
    for i in 0..count {
        let (x, y) = (random.pick(&[-1.0, -0.4, 0.5, 1.0]), random.pick(&[-0.8, 0.0, 0.3, 0.8]));
        data.contacts.push(in_space(random, &format!("foot{i}"), [x, y, depth], 2));
    }
    if random.chance(40) {
        data.contacts.push(in_space(random, "wall", [0.9, 0.1, 0.2], 0));
    }
    data
}

/// A contact of a rigid body, u = (V, ω), at p with its normal along an axis and tangents turned in their plane.
fn in_space(random: &mut Random, name: &str, p: [f64; 3], axis: usize) -> ContactData {
    let unit = |k: usize, size: f64| -> [f64; 3] { std::array::from_fn(|i| if i == k { size } else { 0.0 }) };
    let row = |d: [f64; 3]| {
        let moment = [p[1] * d[2] - p[2] * d[1], p[2] * d[0] - p[0] * d[2], p[0] * d[1] - p[1] * d[0]];
        [d, moment].concat()
    };
    let (first, second) = (unit((axis + 1) % 3, 1.0), unit((axis + 2) % 3, 1.0));
    let (c, s) = if random.chance(50) { (1.0, 0.0) } else { (0.6, 0.8) };
    let mix = |a: f64, b: f64| -> [f64; 3] { std::array::from_fn(|i| a * first[i] + b * second[i]) };
    let inwards = if axis == 2 { 1.0 } else { -1.0 };
    let contact = ContactData::new(name, row(unit(axis, inwards))).tangent(row(mix(c, s))).tangent(row(mix(-s, c)));
    surface(random, contact)
}

/// Balls in a row, or two rows that meet.
pub fn chain(random: &mut Random, balls: usize) -> ProblemData {
    let masses = (0..balls).map(|_| random.pick(&[1.0, 1.0, 1.0, 0.2, 3.0])).collect();
    let mut velocity = vec![0.0; balls];
    velocity[0] = 1.0;
    if random.chance(40) {
        velocity[balls - 1] = -0.5;
    }
    let mut data = ProblemData::new(Mass::diagonal(masses).unwrap(), velocity);
    for i in 0..balls - 1 {
        let contact = ContactData::new(format!("c{i}"), Direction::Sparse(vec![(i, -1.0), (i + 1, 1.0)]));
        data.contacts.push(surface(random, contact));
    }
    data
}

/// Boxes on one another, each on two corners: rough, and redundant in its tangents.
pub fn stack(random: &mut Random, boxes: usize) -> ProblemData {
    let masses: Vec<f64> = (0..boxes).flat_map(|_| [1.0, 1.0, 0.2]).collect();
    let mut velocity = vec![0.0; 3 * boxes];
    let top = 3 * (boxes - 1);
    (velocity[top], velocity[top + 1], velocity[top + 2]) = (random.pick(&[0.0, 0.4]), -1.0, random.pick(&[0.0, 0.5]));
    let mut data = ProblemData::new(Mass::diagonal(masses).unwrap(), velocity);
    for k in 0..boxes {
        for (side, x) in [("l", -0.5), ("r", 0.5)] {
            let (mut normal, mut tangent) =
                (vec![(3 * k + 1, 1.0), (3 * k + 2, x)], vec![(3 * k, 1.0), (3 * k + 2, 0.5)]);
            if k > 0 {
                normal.extend([(3 * k - 2, -1.0), (3 * k - 1, -x)]);
                tangent.extend([(3 * k - 3, -1.0), (3 * k - 1, 0.5)]);
            }
            let contact = ContactData::new(format!("{side}{k}"), Direction::Sparse(normal));
            data.contacts.push(surface(random, contact.tangent(Direction::Sparse(tangent))));
        }
    }
    data
}

/// A block of width 1 and height `a` that rocks about corner A and strikes with B.
pub fn block(random: &mut Random) -> ProblemData {
    let a = random.pick(&[0.3, 0.8, 1.5, 3.0]);
    let mass = Mass::diagonal(vec![1.0, 1.0, (1.0 + a * a) / 12.0]).unwrap();
    let mut data = ProblemData::new(mass, [0.5 * a, -0.5, -1.0]);
    for (name, x) in [("A", -0.5), ("B", 0.5)] {
        let contact = ContactData::new(name, [0.0, 1.0, x]).tangent([1.0, 0.0, 0.5 * a]);
        data.contacts.push(ContactData { offset: Vec::new(), ..surface(random, contact) });
    }
    data
}
