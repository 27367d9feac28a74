//! Simulations: closed forms, the papers' scenarios, and robustness.

mod closed_forms;
mod ground_motion;
mod mechanisms;
mod peaks;
mod random_blocks;
mod rocking;
mod rocking_reference;
mod sharing;
mod starts;

use delassus::LawSpec;
use delassus::scenario::{LineData, MaterialData, RockingBlock, Scenario};
use delassus::simulate::{Control, Trajectory, simulate};

/// Runs a scenario under the law of that name.
fn run(scenario: &Scenario, law: &str) -> Trajectory {
    let built = scenario.build().unwrap();
    let law = LawSpec::by_name(law).unwrap();
    simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
        .unwrap()
}

/// A horizontal ground at height 0.
fn ground() -> LineData {
    LineData { name: "ground".into(), point: [0.0; 2], normal: None, angle: None, motion: None }
}

/// One material for all contacts.
fn material(friction: f64, friction_static: f64, restitution: f64) -> MaterialData {
    MaterialData {
        friction: Some(friction),
        friction_static: Some(friction_static),
        restitution: Some(restitution),
        ..MaterialData::default()
    }
}

/// A rocking block released at an angle.
fn block(width: f64, height: f64, angle: f64, material: MaterialData) -> Scenario {
    Scenario {
        rocking_block: Some(RockingBlock { width, height, mass: 0.02, angle, rate: 0.0 }),
        material: vec![material],
        ..Scenario::default()
    }
}

/// All numbers of a trajectory that must not depend on how it was run.
fn bits(run: &Trajectory) -> Vec<u64> {
    let impacts = run.impacts.iter().flat_map(|i| [i.time].into_iter().chain(i.q.clone()).chain(i.u_plus.clone()));
    let samples = run.samples.iter().flat_map(|s| s.q.iter().chain(&s.u).copied());
    impacts.chain(samples).chain([run.time, run.closure]).map(f64::to_bits).collect()
}

/// Numbers in [0, 1) from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}
