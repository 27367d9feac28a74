//! Random bodies thrown on a floor by events: they keep their account, never overlap, and come to an end.

use crate::{Trajectory, scenario};
use delassus::LawSpec;
use delassus::simulate::{Control, Scheme, simulate};

/// Numbers in [0, 1) from a seed (splitmix64).
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        [0; 3].map(|_| self.between(-size, size))
    }
}

/// A scene of a seed: a shape, a start, friction and restitution.
fn scene(seed: u64) -> String {
    let mut random = Random(seed);
    let shape = match seed % 5 {
        0 => format!("cuboid.size = [{}, {}, {}]", random.between(0.05, 0.3), random.between(0.05, 0.3), 0.2),
        1 => format!("cylinder = {{ radius = {}, height = {} }}", random.between(0.05, 0.2), random.between(0.02, 0.4)),
        2 => format!("capsule = {{ radius = {}, length = {} }}", random.between(0.03, 0.1), random.between(0.05, 0.3)),
        3 => {
            let corners: Vec<[f64; 3]> = (0..7).map(|_| random.vector(0.15)).collect();
            format!("convex.vertices = {corners:?}")
        }
        _ => format!("sphere.radius = {}", random.between(0.05, 0.2)),
    };
    let friction = random.between(0.0, 1.0);
    let fixed = friction * if random.next() < 0.5 { 1.0 } else { 1.3 };
    format!(
        "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\nangle = {}\n[[body]]\nname = 'body'\nshape.{shape}\nmass = 1.0\n\
         position = [0.0, 0.0, {}]\norientation = {{ axis = {:?}, angle = {} }}\nvelocity = {:?}\nspin = {:?}\n\
         [material]\nfriction = {friction}\nfriction_static = {fixed}\nrestitution = {}\n[until]\ntime = 1.5\n",
        if random.next() < 0.5 { 0.0 } else { random.between(0.0, 0.3) },
        random.between(0.6, 0.9),
        random.vector(1.0),
        random.between(-3.0, 3.0),
        random.vector(1.0),
        random.vector(10.0),
        random.between(0.0, 0.8),
    )
}

fn thrown(seed: u64) -> Trajectory {
    let mut built = scenario(&scene(seed)).build().unwrap();
    built.settings.scheme = Scheme::Events;
    built.settings.max_events = 20_000;
    let law = LawSpec::by_name(["newton", "poisson"][(seed / 5 % 2) as usize]).unwrap();
    simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
        .unwrap()
}

/// Seeds 0 to 29 in CI; DELASSUS_SEEDS=150 looks further.
#[test]
fn random_bodies_come_to_an_end() {
    let seeds = std::env::var("DELASSUS_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(30);
    let mut faults = Vec::new();
    for seed in 0..seeds {
        let started = std::time::Instant::now();
        let run = thrown(seed);
        let energy = |e: delassus::simulate::Energies| e.friction <= 0.0 && e.impacts <= 1e-9;
        let well =
            run.end.is_regular() && run.closure < 1e-7 && run.stats.penetration < 1e-8 && energy(run.last().energy);
        if !well || started.elapsed().as_secs() > 5 {
            faults.push(format!(
                "{seed}: {:?} at {} in {:?}, closure {:e}, {:?}, {:?}",
                run.end,
                run.time,
                started.elapsed(),
                run.closure,
                run.stats,
                run.log.last()
            ));
        }
    }
    assert!(faults.is_empty(), "{} of {seeds}:\n{}", faults.len(), faults.join("\n"));
}
