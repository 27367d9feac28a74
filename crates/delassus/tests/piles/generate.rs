//! Seeded scenes: stacks, piles, disks on boxes, boxes at one another's edges.

use delassus::law::{LawSpec, Moreau};
use delassus::scenario::{BodyData, LineData, MaterialData, MotionData, Scenario, ShapeData};

use crate::random::Random;
use crate::shapes::{any_shape, rectangle};

/// What a scene is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Equal boxes with corners exactly above corners.
    Stacks,
    /// Anything at any angle, dropped.
    Piles,
    /// Disks on a box, some of which leave over its edge.
    Disks,
    /// Boxes side by side, half a width aside, sliding off, corner past corner.
    Edges,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Stacks, Kind::Piles, Kind::Disks, Kind::Edges];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stacks => "stacks",
            Self::Piles => "piles",
            Self::Disks => "disks",
            Self::Edges => "edges",
        }
    }
}

/// A scene to run.
#[derive(Debug, Clone)]
pub struct Scene {
    pub name: String,
    pub scenario: Scenario,
    pub law: LawSpec,
}

/// The scene of that kind and seed.
pub fn scene(kind: Kind, seed: u64) -> Scene {
    // Kinds must not share their numbers.
    let mut random = Random::new(seed.wrapping_mul(8).wrapping_add(kind as u64));
    let mut scenario = match kind {
        Kind::Stacks => stack(&mut random),
        Kind::Piles => pile(&mut random),
        Kind::Disks => disks(&mut random),
        Kind::Edges => edges(&mut random),
    };
    let (material, law) = surface(&mut random);
    scenario.material = vec![material];
    scenario.output.interval = Some(1e-3);
    Scene { name: format!("{} {seed}", kind.as_str()), scenario, law }
}

/// One material for all contacts, and a law that reads it.
fn surface(random: &mut Random) -> (MaterialData, LawSpec) {
    let plain = random.chance(0.6);
    let friction = if plain { random.one_of(&[0.0, 0.1, 0.3, 0.5, 0.8]) } else { random.round(0.0, 0.8) };
    let restitution = if plain { random.one_of(&[0.0, 0.0, 0.2, 0.5, 0.8]) } else { random.round(0.0, 0.9) };
    let fixed = random.chance(0.2).then(|| friction + random.round(0.0, 0.3));
    let material = MaterialData {
        friction: Some(friction),
        friction_static: fixed,
        restitution: Some(restitution),
        ..MaterialData::default()
    };
    // The kinematic law takes contacts one at a time only in simple scenes: it is drawn rarely.
    let names = ["newton", "moreau", "poisson", "lzb", "sequential"];
    let name = if random.chance(0.04) { "kinematic" } else { random.one_of(&names) };
    let law = match name {
        "moreau" => LawSpec::Moreau(Moreau { restitution: Some(restitution) }),
        other => LawSpec::by_name(other).expect("a law of the library"),
    };
    (material, law)
}

fn ground() -> LineData {
    LineData { name: "ground".into(), point: [0.0; 2], normal: None, angle: None, motion: None }
}

fn wall(name: &str, x: f64, normal: f64) -> LineData {
    LineData { name: name.into(), point: [x, 0.0], normal: Some([normal, 0.0]), angle: None, motion: None }
}

/// A scene on a ground, nothing in it yet.
fn empty(time: f64) -> Scenario {
    let mut scenario = Scenario { ground: vec![ground()], ..Scenario::default() };
    scenario.until.time = Some(time);
    scenario
}

fn put(scenario: &mut Scenario, shape: ShapeData, mass: f64, position: [f64; 2]) -> &mut BodyData {
    let name = format!("b{}", scenario.body.len());
    let mass = (!matches!(shape, ShapeData::Compound { .. })).then_some(mass);
    scenario.body.push(BodyData { name, shape, mass, position, ..BodyData::default() });
    scenario.body.last_mut().expect("just put there")
}

fn any_mass(random: &mut Random) -> f64 {
    random.one_of(&[0.5, 1.0, 1.0, 2.0, 3.0, 5.0])
}

fn shaken(random: &mut Random) -> MotionData {
    let direction = if random.chance(0.8) { [1.0, 0.0] } else { [0.0, 1.0] };
    let phase = if random.chance(0.5) { 0.0 } else { random.round(0.0, 6.0) };
    MotionData::Harmonic { direction, amplitude: random.round(0.001, 0.01), frequency: random.round(1.0, 5.0), phase }
}

fn stack(random: &mut Random) -> Scenario {
    let mut scenario = empty(1.5);
    let plain = random.chance(0.5);
    let (width, height) = if plain { (0.3, 0.1) } else { (random.round(0.1, 0.4), random.round(0.05, 0.4)) };
    let resting = random.chance(0.3);
    let mut top = 0.0;
    for _ in 0..random.integer(2, 5) {
        let gap = if resting || random.chance(0.4) { 0.0 } else { random.one_of(&[0.05, 0.1, 0.2]) };
        let mass = any_mass(random);
        put(&mut scenario, rectangle(width, height), mass, [0.0, top + gap + 0.5 * height]);
        top += gap + height;
    }
    if random.chance(0.25) {
        scenario.ground[0].motion = Some(shaken(random));
    }
    scenario
}

fn pile(random: &mut Random) -> Scenario {
    let mut scenario = empty(2.5);
    let count = random.integer(2, 6);
    for k in 0..count {
        // No part is farther than 0.24 m from its centre: nothing touches at the start.
        let shape = any_shape(random);
        let (x, angle) = (random.round(-0.2, 0.2), random.round(-3.1, 3.1));
        let square = random.chance(0.15);
        let (rate, slow) = (random.round(-2.0, 2.0), random.chance(0.5));
        let mass = any_mass(random);
        let body = put(&mut scenario, shape, mass, [x, 0.3 + 0.5 * k as f64]);
        body.angle = if square { 0.0 } else { angle };
        body.rate = if slow { 0.0 } else { rate };
    }
    if random.chance(0.5) {
        scenario.wall = vec![wall("left", -0.5, 1.0), wall("right", 0.5, -1.0)];
    }
    if random.chance(0.05) {
        scenario.ground[0].motion = Some(shaken(random));
    }
    scenario
}

fn disks(random: &mut Random) -> Scenario {
    let mut scenario = empty(1.5);
    let (width, height) = (0.6, 0.2);
    put(&mut scenario, rectangle(width, height), 3.0, [0.0, 0.5 * height]);
    let count = random.integer(1, 3);
    for k in 0..count {
        let radius = random.round(0.03, 0.09);
        // A share of the box each, so that none overlaps; half of them near its ends.
        let middle = ((k as f64 + 0.5) / count as f64 - 0.5) * width;
        let room = 0.5 * width / count as f64 - radius;
        let x = middle + room * if random.chance(0.3) { 0.0 } else { random.round(-1.0, 1.0) };
        let lift = if random.chance(0.4) { 0.0 } else { random.one_of(&[0.05, 0.1, 0.2]) };
        let outwards = if middle == 0.0 { 1.0 } else { middle.signum() };
        let speed = random.one_of(&[0.0, -0.2, 0.3, 1.0]) * outwards * random.round(0.2, 1.0);
        let (rolls, spin, mass) = (random.chance(0.4), random.round(-5.0, 5.0), any_mass(random));
        let body = put(&mut scenario, ShapeData::Disk { radius }, mass, [x, height + radius + lift]);
        body.velocity = [speed, 0.0];
        body.rate = if rolls {
            -speed / radius
        } else if spin.abs() < 2.0 {
            0.0
        } else {
            spin
        };
    }
    scenario
}

fn edges(random: &mut Random) -> Scenario {
    let mut scenario = empty(1.5);
    let plain = random.chance(0.6);
    let (w, h) = if plain { (0.3, 0.1) } else { (random.round(0.1, 0.3), random.round(0.1, 0.3)) };
    let speed = if random.chance(0.5) { 0.0 } else { random.round(-1.0, 1.0) };
    let gap = random.one_of(&[0.0, 0.0, 0.05, 0.1]);
    let masses = [any_mass(random), any_mass(random), any_mass(random), any_mass(random)];
    let mut lay = |k: usize, x: f64, y: f64| {
        put(&mut scenario, rectangle(w, h), masses[k], [x * w, (y + 0.5) * h]);
    };
    let top = match random.integer(0, 4) {
        // A wall of bricks: two side by side, one or two across the joint.
        0 => {
            lay(0, -0.5, 0.0);
            lay(1, 0.5, 0.0);
            lay(2, 0.0, 1.0);
            if random.chance(0.5) {
                lay(3, 0.0, 2.0)
            }
            2
        }
        // Two columns side by side.
        1 => {
            lay(0, -0.5, 0.0);
            lay(1, 0.5, 0.0);
            lay(2, -0.5, 1.0);
            if random.chance(0.5) {
                lay(3, 0.5, 1.0)
            }
            2
        }
        // One on another, aside by a part of the width; at a half it is on the edge of falling.
        2 => {
            let aside = random.one_of(&[0.25, 0.5, 0.5, 0.75, -0.5]);
            lay(0, 0.0, 0.0);
            lay(1, aside, 1.0);
            if random.chance(0.4) {
                lay(2, 2.0 * aside, 2.0)
            }
            1
        }
        // Corner past corner: aside by the whole width, falling beside the other.
        3 => {
            let aside = random.one_of(&[1.0, 1.0, -1.0, 1.0 - 1e-6, 1.0 + 1e-6]);
            lay(0, 0.0, 0.0);
            lay(1, aside, 1.0);
            if random.chance(0.4) {
                lay(2, aside - aside.signum(), 1.0)
            }
            1
        }
        // Stairs.
        _ => {
            let step = random.one_of(&[0.1, 0.2, 0.25]);
            let count = random.integer(2, 4);
            (0..count).for_each(|k| lay(k, step * k as f64, k as f64));
            count - 1
        }
    };
    for body in &mut scenario.body[top..] {
        body.position[1] += gap;
    }
    scenario.body[top].velocity[0] = speed;
    scenario
}
