//! Problems of any size, the same on every machine for the same seed.

use delassus::solve::contact::ContactProblem;

use super::scene::{Scene, Touch, length, minus, unit};

/// What touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Spheres on a floor, at disturbed places of a lattice, 6.6 contacts each.
    Spheres,
    /// The same with disks in the plane, 4.4 contacts each.
    Disks,
    /// Bricks in running bond, four points at each bed: more contacts than bodies can tell apart.
    Wall,
    /// A half circle of wedge-shaped stones in the plane, two points at each joint.
    Arch,
    /// Planks in crossed layers, four points at each crossing.
    Kapla,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Spheres, Self::Disks, Self::Wall, Self::Arch, Self::Kapla];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Spheres => "spheres",
            Self::Disks => "disks",
            Self::Wall => "wall",
            Self::Arch => "arch",
            Self::Kapla => "kapla",
        }
    }

    /// Friction where none is given.
    pub fn friction(self) -> f64 {
        match self {
            Self::Spheres | Self::Disks => 0.3,
            Self::Wall | Self::Kapla => 0.5,
            Self::Arch => 0.7,
        }
    }
}

/// Falling velocity, and half the range of what is added to it at random \[m/s, rad/s\].
const FALL: f64 = 0.1;
const DISORDER: f64 = 0.01;
/// Range of the places of spheres and disks, relative to their diameter.
const JITTER: f64 = 0.08;

/// A problem with that many contacts (at least one).
pub fn generate(kind: Kind, contacts: usize, friction: f64, seed: u64) -> ContactProblem {
    let contacts = contacts.max(1);
    let mut random = Random(seed);
    let mut scene = match kind {
        Kind::Spheres => spheres(contacts, &mut random),
        Kind::Disks => disks(contacts, &mut random),
        Kind::Wall => wall(contacts),
        Kind::Arch => arch(contacts),
        Kind::Kapla => kapla(contacts),
    };
    scene.touches.truncate(contacts);
    let down = if scene.planar { 1 } else { 2 };
    scene.velocities = (0..scene.centres.len())
        .map(|_| {
            let mut velocity = [0.0; 6].map(|_: f64| DISORDER * random.signed());
            velocity[down] -= FALL;
            velocity
        })
        .collect();
    scene.problem(friction)
}

/// splitmix64.
struct Random(u64);

impl Random {
    /// A number in [−1, 1).
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Layers of a square lattice, each over the gaps of the one below; of all neighbours the nearest touch.
fn spheres(contacts: usize, random: &mut Random) -> Scene {
    let bodies = (contacts as f64 / 3.3).ceil() as usize + 1;
    let side = (bodies as f64).cbrt().ceil() as usize;
    let at = |i: usize, j: usize, k: usize| (k * side + j) * side + i;
    let mut scene = Scene::default();
    for b in 0..bodies {
        let (i, j, k) = (b % side, b / side % side, b / side / side);
        let shift = 0.5 * (k % 2) as f64;
        let place = [i as f64 + shift, j as f64 + shift, 0.5 + k as f64 * 0.5f64.sqrt()];
        scene.centres.push(place.map(|v| v + 0.5 * JITTER * random.signed()));
        scene.masses.push((1.0, [0.1; 3]));
    }
    let near = |i: usize| i.saturating_sub(1)..(i + 2).min(side);
    let mut pairs = Vec::new();
    for a in 0..bodies {
        let (i, j, k) = (a % side, a / side % side, a / side / side);
        for layer in [k, k + 1] {
            for y in near(j) {
                pairs.extend(near(i).map(|x| at(x, y, layer)).filter(|&b| b > a && b < bodies).map(|b| (a, b)));
            }
        }
    }
    let ground = (0..bodies.min(side * side)).collect();
    touch_round(&mut scene, pairs, ground, 2, contacts);
    scene
}

/// Rows of disks, each over the gaps of the one below.
fn disks(contacts: usize, random: &mut Random) -> Scene {
    let bodies = (contacts as f64 / 2.2).ceil() as usize + 1;
    let side = (bodies as f64).sqrt().ceil() as usize;
    let mut scene = Scene { planar: true, ..Scene::default() };
    for b in 0..bodies {
        let (i, j) = (b % side, b / side);
        let place = [i as f64 + 0.5 * (j % 2) as f64, 0.5 + j as f64 * 0.75f64.sqrt()];
        let place = place.map(|v| v + 0.5 * JITTER * random.signed());
        scene.centres.push([place[0], place[1], 0.0]);
        scene.masses.push((1.0, [0.125; 3]));
    }
    let mut pairs = Vec::new();
    for a in 0..bodies {
        let (i, j) = (a % side, a / side);
        for row in [j, j + 1] {
            let near = i.saturating_sub(1)..(i + 2).min(side);
            pairs.extend(near.map(|x| row * side + x).filter(|&b| b > a && b < bodies).map(|b| (a, b)));
        }
    }
    touch_round(&mut scene, pairs, (0..bodies.min(side)).collect(), 1, contacts);
    scene
}

/// Contacts of bodies of radius one half: with the ground all of these, of the pairs the nearest.
fn touch_round(scene: &mut Scene, pairs: Vec<(usize, usize)>, ground: Vec<usize>, up: usize, contacts: usize) {
    let distance = |&(a, b): &(usize, usize)| length(minus(scene.centres[a], scene.centres[b]));
    let mut found: Vec<(f64, usize, usize)> = pairs.iter().map(|pair| (distance(pair), pair.0, pair.1)).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    found.truncate(contacts.saturating_sub(ground.len()));
    let mut touches: Vec<(usize, Option<usize>)> = found.into_iter().map(|(_, a, b)| (a, Some(b))).collect();
    touches.extend(ground.into_iter().map(|a| (a, None)));
    touches.sort_unstable();
    for (body, other) in touches {
        let centre = scene.centres[body];
        let normal = match other {
            Some(other) => unit(minus(centre, scene.centres[other])),
            None => std::array::from_fn(|k| if k == up { 1.0 } else { 0.0 }),
        };
        let point = std::array::from_fn(|k| centre[k] - 0.5 * normal[k]);
        scene.touches.push(Touch { body, other, point, normal });
    }
}

/// Adds a block with these sides and mass proportional to its volume.
fn push_block(scene: &mut Scene, centre: [f64; 3], sides: [f64; 3]) -> usize {
    let mass = sides[0] * sides[1] * sides[2];
    let square = sides.map(|v| v * v / 12.0);
    let inertia = [mass * (square[1] + square[2]), mass * (square[0] + square[2]), mass * (square[0] + square[1])];
    scene.centres.push(centre);
    scene.masses.push((mass, inertia));
    scene.centres.len() - 1
}

/// Four points at the corners of a level rectangle.
fn touch_level(scene: &mut Scene, body: usize, other: Option<usize>, x: [f64; 2], y: [f64; 2], height: f64) {
    for x in x {
        for y in y {
            scene.touches.push(Touch { body, other, point: [x, y, height], normal: [0.0, 0.0, 1.0] });
        }
    }
}

/// Bricks of 2 × 1 × 1, as many in a course as courses.
fn wall(contacts: usize) -> Scene {
    let bricks = contacts.div_ceil(8) + 2;
    let course = (bricks as f64).sqrt().ceil() as usize;
    let mut scene = Scene::default();
    for row in 0.. {
        let shift = (row % 2) as f64;
        for i in 0..course {
            let left = 2.0 * i as f64 + shift;
            let body = push_block(&mut scene, [left + 1.0, 0.5, row as f64 + 0.5], [2.0, 1.0, 1.0]);
            if row == 0 {
                touch_level(&mut scene, body, None, [left, left + 2.0], [0.0, 1.0], 0.0);
                continue;
            }
            // Every other course hangs over by half a brick.
            let below = [i, i + 1].map(|k| if shift == 1.0 { Some(k) } else { k.checked_sub(1) });
            for (half, k) in below.into_iter().enumerate() {
                if let Some(k) = k.filter(|&k| k < course) {
                    let x = left + half as f64;
                    let other = Some(body - i - course + k);
                    touch_level(&mut scene, body, other, [x, x + 1.0], [0.0, 1.0], row as f64);
                }
            }
        }
        if scene.touches.len() >= contacts {
            return scene;
        }
    }
    scene
}

/// Layers of p planks across the p of the layer below.
fn kapla(contacts: usize) -> Scene {
    let planks = ((contacts as f64 / 40.0).cbrt().round() as usize).max(2);
    let size = 2.0 * planks as f64;
    let mut scene = Scene::default();
    for layer in 0.. {
        let height = layer as f64 * 0.5;
        for i in 0..planks {
            let across = 2.0 * i as f64;
            let (centre, sides) = match layer % 2 {
                0 => ([0.5 * size, across + 0.5, height + 0.25], [size, 1.0, 0.5]),
                _ => ([across + 0.5, 0.5 * size, height + 0.25], [1.0, size, 0.5]),
            };
            let body = push_block(&mut scene, centre, sides);
            let range = [across, across + 1.0];
            if layer == 0 {
                touch_level(&mut scene, body, None, [0.0, size], range, 0.0);
                continue;
            }
            for k in 0..planks {
                let below = [2.0 * k as f64, 2.0 * k as f64 + 1.0];
                let (x, y) = if layer % 2 == 0 { (below, range) } else { (range, below) };
                touch_level(&mut scene, body, Some(body - i - planks + k), x, y, height);
            }
        }
        if scene.touches.len() >= contacts {
            return scene;
        }
    }
    scene
}

/// Stones between radii 1 and 1.3 over half a circle; the first and the last joint are with the ground.
fn arch(contacts: usize) -> Scene {
    let joints = contacts.div_ceil(2).max(2);
    let stones = joints - 1;
    let step = std::f64::consts::PI / stones as f64;
    let mut scene = Scene { planar: true, ..Scene::default() };
    for i in 0..stones {
        let angle = (i as f64 + 0.5) * step;
        let mass = 0.345 * step;
        scene.centres.push([1.15 * angle.cos(), 1.15 * angle.sin(), 0.0]);
        scene.masses.push((mass, [mass * (0.09 + (1.15 * step) * (1.15 * step)) / 12.0; 3]));
    }
    for joint in 0..joints {
        let (sine, cosine) = (joint as f64 * step).sin_cos();
        for radius in [1.0, 1.3] {
            let point = [radius * cosine, radius * sine, 0.0];
            // The stone before a joint pushes the one after it along the circle.
            let (body, other, sign) =
                if joint < stones { (joint, joint.checked_sub(1), 1.0) } else { (stones - 1, None, -1.0) };
            scene.touches.push(Touch { body, other, point, normal: [-sign * sine, sign * cosine, 0.0] });
        }
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus::Budget;
    use delassus::solve::SolveStatus;
    use delassus::solve::contact::{ContactSettings, solve};

    #[test]
    fn every_kind_has_that_many_contacts_and_is_solved() {
        for kind in Kind::ALL {
            for contacts in [1, 7, 60] {
                let problem = generate(kind, contacts, kind.friction(), 3);
                assert_eq!(problem.contacts(), contacts, "{kind:?}");
                assert_eq!(problem, generate(kind, contacts, kind.friction(), 3));
                let mut r = Vec::new();
                let report = solve(&problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut r).unwrap();
                assert_eq!(report.status, SolveStatus::Solved, "{kind:?} {contacts}: {report:?}");
            }
        }
    }

    /// Blocks that fall together come to rest on the ground as one: the impulses at the lowest beds carry all of
    /// the momentum that fell.
    #[test]
    fn the_ground_takes_the_momentum() {
        for kind in [Kind::Wall, Kind::Kapla, Kind::Spheres] {
            // So much friction that nothing slides away for long, whole layers only.
            let problem = generate(kind, 200, 0.5, 1);
            let mut r = Vec::new();
            let report = solve(&problem, &ContactSettings::default(), &mut Budget::unlimited(), &mut r).unwrap();
            assert_eq!(report.status, SolveStatus::Solved);
            assert!(r.chunks_exact(3).all(|r| r[0] >= -1e-12 && r[1].hypot(r[2]) <= 0.5 * r[0] + 1e-9));
            assert!(r.chunks_exact(3).any(|r| r[0] > 0.01));
        }
    }
}
