//! Random problems in which much is exactly, or up to round-off, zero, equal or dependent.

use delassus::{ClutchData, ContactData, ImpactProblem, JointData, Mass, ProblemData};

/// splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// In [−1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick(&mut self, from: &[f64]) -> f64 {
        from[self.below(from.len())]
    }

    /// Small integers, or anything.
    fn entries(&mut self, n: usize, integers: bool) -> Vec<f64> {
        loop {
            let entry = |r: &mut Self| if integers { r.below(5) as f64 - 2.0 } else { r.unit() };
            let values: Vec<f64> = (0..n).map(|_| entry(self)).collect();
            if values.iter().any(|&v| v != 0.0) {
                return values;
            }
        }
    }
}

/// Rows with one law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Normal,
    /// With the row of the normal and the coefficient of each tangent.
    Friction(usize, [f64; 2]),
    Clutch,
    Joint,
}

/// An element: its kind, first row, number of rows and coefficient of restitution.
#[derive(Debug, Clone, Copy)]
pub struct Element {
    pub kind: Kind,
    pub row: usize,
    pub rows: usize,
    pub restitution: f64,
}

/// A problem as plain numbers, with diagonal mass.
#[derive(Debug, Clone)]
pub struct Trial {
    pub mass: Vec<f64>,
    pub velocity: Vec<f64>,
    pub impulse: Vec<f64>,
    pub directions: Vec<Vec<f64>>,
    pub offset: Vec<f64>,
    pub elements: Vec<Element>,
}

/// What to draw.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// Tangents of a frictional contact.
    pub tangents: usize,
    /// Most contacts.
    pub contacts: usize,
    /// Nothing special: independent directions, moderate friction, all contacts approach.
    pub ordinary: bool,
}

const FRICTIONS: [f64; 9] = [0.0, 0.3, 0.5, 1.0, 1.0, 2.0, 5.0, 5.0, 20.0];

impl Trial {
    pub fn random(seed: u64, wish: Wish) -> Self {
        let random = &mut Random(seed);
        if wish.ordinary { Self::ordinary(random, wish) } else { Self::degenerate(random, wish) }
    }

    fn ordinary(random: &mut Random, wish: Wish) -> Self {
        let contacts = 1 + random.below(wish.contacts);
        let n = contacts * (1 + wish.tangents) + random.below(3);
        let mass = (0..n).map(|_| 1.5 + random.unit()).collect();
        let mut trial = Self::empty(mass, random.entries(n, false));
        for _ in 0..contacts {
            let mut normal = random.entries(n, false);
            let approach: f64 = normal.iter().zip(&trial.velocity).map(|(w, u)| w * u).sum();
            normal.iter_mut().for_each(|w| *w *= -approach.signum());
            let tangents = (0..wish.tangents).map(|_| random.entries(n, false)).collect();
            let mu = 0.5 + 0.5 * random.unit();
            let e = 0.5 + 0.5 * random.unit();
            trial.push_contact(normal, tangents, [mu; 2], [e, 0.0], &[0.0; 3]);
        }
        trial
    }

    fn degenerate(random: &mut Random, wish: Wish) -> Self {
        let integers = random.chance(70);
        let n = 1 + random.below(if wish.tangents == 2 { 5 } else { 4 });
        let contacts = 1 + random.below(wish.contacts);
        // Numbers such as 0.1 make round-off where integers cancel.
        let unit = if random.chance(60) { 0.1 } else { 1.0 };
        let badly_scaled = random.chance(15);
        let mass = (0..n)
            .map(|_| match badly_scaled {
                true => 10f64.powi(random.below(13) as i32 - 6),
                false => 1.0 + random.below(3) as f64,
            })
            .collect();
        let velocity = match random.below(8) {
            0 => vec![0.0; n],
            _ => random.entries(n, integers).iter().map(|v| v * unit).collect(),
        };
        let mut trial = Self::empty(mass, velocity);
        let moving = random.chance(20);
        let offset = |random: &mut Random| {
            let one = |r: &mut Random| if moving { unit * (r.below(5) as f64 - 2.0) } else { 0.0 };
            [one(random), one(random), one(random)]
        };
        let equal = random.chance(30).then(|| random.pick(&[0.0, 0.5, 1.0]));
        for _ in 0..contacts {
            let rough = random.chance(85);
            let normal = random.entries(n, integers);
            let tangents = (0..if rough { wish.tangents } else { 0 }).map(|_| random.entries(n, integers)).collect();
            let mu = random.pick(&FRICTIONS);
            let other = if random.chance(80) { mu } else { random.pick(&FRICTIONS) };
            let e = equal.unwrap_or_else(|| random.pick(&[0.0, 0.5, 0.5, 0.7, 1.0]));
            let t = equal.unwrap_or_else(|| if random.chance(25) { random.pick(&[0.0, 0.5, 1.0]).min(e) } else { 0.0 });
            trial.push_contact(normal, tangents, [mu, other], [e, t], &offset(random));
        }
        if random.chance(25) && trial.contacts() < 3 {
            trial.repeat_contact(random);
        }
        if random.chance(45) {
            trial.graze(random);
        }
        if random.chance(15) {
            let direction = random.entries(n, integers);
            trial.push_row(Kind::Clutch, direction, 0.0, offset(random)[0]);
        }
        if random.chance(25) {
            let direction = random.entries(n, integers);
            trial.push_row(Kind::Joint, direction, equal.unwrap_or(0.0), offset(random)[0]);
            if random.chance(50) {
                // At rest, up to round-off.
                trial.project(trial.directions.len() - 1);
            }
        }
        if random.chance(20) {
            trial.impulse = random.entries(n, integers).iter().map(|v| v * unit).collect();
        }
        trial
    }

    fn empty(mass: Vec<f64>, velocity: Vec<f64>) -> Self {
        Self { mass, velocity, impulse: Vec::new(), directions: Vec::new(), offset: Vec::new(), elements: Vec::new() }
    }

    pub fn contacts(&self) -> usize {
        self.elements.iter().filter(|e| e.kind == Kind::Normal).count()
    }

    pub fn has(&self, kind: Kind) -> bool {
        self.elements.iter().any(|e| e.kind == kind)
    }

    pub fn push_contact(
        &mut self,
        normal: Vec<f64>,
        tangents: Vec<Vec<f64>>,
        friction: [f64; 2],
        [e_n, e_t]: [f64; 2],
        offset: &[f64],
    ) {
        let row = self.directions.len();
        self.push_row(Kind::Normal, normal, e_n, offset[0]);
        let rows = tangents.len();
        if rows > 0 {
            let friction = if rows == 1 { [friction[0], 0.0] } else { friction };
            self.elements.push(Element { kind: Kind::Friction(row, friction), row: row + 1, rows, restitution: e_t });
        }
        for (tangent, chi) in tangents.into_iter().zip(&offset[1..]) {
            self.directions.push(tangent);
            self.offset.push(*chi);
        }
    }

    pub fn push_row(&mut self, kind: Kind, direction: Vec<f64>, restitution: f64, offset: f64) {
        self.elements.push(Element { kind, row: self.directions.len(), rows: 1, restitution });
        self.directions.push(direction);
        self.offset.push(offset);
    }

    /// The first contact once more, perhaps with other coefficients.
    fn repeat_contact(&mut self, random: &mut Random) {
        let friction = self.elements.get(1).and_then(|e| match e.kind {
            Kind::Friction(_, mu) => Some((mu, e.rows, e.restitution)),
            _ => None,
        });
        let (mut mu, rows, e_t) = friction.unwrap_or(([0.0; 2], 0, 0.0));
        let mut e = [self.elements[0].restitution, e_t];
        if random.chance(40) {
            mu = [random.pick(&FRICTIONS); 2];
        }
        if random.chance(40) {
            e = [random.pick(&[0.0, 0.5, 1.0]), 0.0];
        }
        let tangents = self.directions[1..1 + rows].to_vec();
        let offset = [self.offset[0], *self.offset.get(1).unwrap_or(&0.0), *self.offset.get(2).unwrap_or(&0.0)];
        self.push_contact(self.directions[0].clone(), tangents, mu, e, &offset);
    }

    /// Makes some contacts graze: γ_N⁻ = 0, exactly or up to round-off or a little more.
    fn graze(&mut self, random: &mut Random) {
        let normals: Vec<usize> = self.elements.iter().filter(|e| e.kind == Kind::Normal).map(|e| e.row).collect();
        for row in normals {
            if random.chance(70) {
                self.project(row);
                if random.chance(20) {
                    let nudge = random.pick(&[1e-13, -1e-13, 1e-11, -1e-11, 3e-10, -3e-10]);
                    self.offset[row] += nudge;
                }
            }
        }
    }

    /// Takes the velocity along a row away, up to round-off.
    fn project(&mut self, row: usize) {
        let w = &self.directions[row];
        let square: f64 = w.iter().map(|w| w * w).sum();
        let gamma: f64 = w.iter().zip(&self.velocity).map(|(w, u)| w * u).sum::<f64>() + self.offset[row];
        self.velocity.iter_mut().zip(w).for_each(|(u, w)| *u -= gamma * w / square);
    }

    /// The same with an error of the velocities, of this part of the speed.
    pub fn with_error(&self, random: &mut Random, size: f64) -> Self {
        let mut moved = self.clone();
        let energy: f64 = self.velocity.iter().zip(&self.mass).map(|(u, m)| m * u * u).sum();
        for (u, m) in moved.velocity.iter_mut().zip(&self.mass) {
            *u += size * (energy / m / self.mass.len() as f64).sqrt() * random.unit();
        }
        // What is to stay at rest does.
        for e in self.elements.iter().filter(|e| e.kind == Kind::Joint) {
            let gamma = |u: &[f64]| self.directions[e.row].iter().zip(u).map(|(w, u)| w * u).sum::<f64>();
            let change = gamma(&moved.velocity) - gamma(&self.velocity);
            moved.offset[e.row] -= change;
        }
        moved
    }

    /// The same problem for the library.
    pub fn problem(&self) -> ImpactProblem {
        let mut data = ProblemData::new(Mass::diagonal(self.mass.clone()).unwrap(), self.velocity.clone());
        data.impulse = self.impulse.clone();
        for (i, element) in self.elements.iter().enumerate() {
            let row = element.row;
            let direction = self.directions[row].clone();
            match element.kind {
                Kind::Normal => {
                    let mut contact = ContactData::new(format!("C{i}"), direction).restitution(element.restitution);
                    contact.offset.push(self.offset[row]);
                    if let Some(Element { kind: Kind::Friction(_, mu), rows, restitution, .. }) =
                        self.elements.get(i + 1)
                    {
                        for t in row + 1..row + 1 + rows {
                            contact = contact.tangent(self.directions[t].clone());
                            contact.offset.push(self.offset[t]);
                        }
                        contact = contact.restitution_tangential(*restitution);
                        contact = if *rows == 1 || mu[0] == mu[1] {
                            contact.friction(mu[0])
                        } else {
                            contact.friction(delassus::Friction::Orthotropic(*mu))
                        };
                    }
                    data = data.with_contact(contact);
                }
                Kind::Friction(..) => {}
                Kind::Clutch => {
                    let mut clutch = ClutchData::new(format!("K{i}"), direction);
                    clutch.offset = self.offset[row];
                    data = data.with_clutch(clutch);
                }
                Kind::Joint => {
                    let mut joint = JointData::new(format!("J{i}"), [direction]);
                    joint.restitution = element.restitution;
                    joint.offset = vec![self.offset[row]];
                    data = data.with_joint(joint);
                }
            }
        }
        ImpactProblem::new(data).unwrap()
    }
}
