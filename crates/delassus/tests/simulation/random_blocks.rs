//! Random blocks, flat to slender: every run ends regularly, without
//! penetration and without energy that the law did not create.
//!
//! `DELASSUS_BLOCKS` sets the number of blocks (default 200).

use delassus::scenario::{RockingBlock, Scenario};

use super::{Random, material, run};

fn scenario(seed: u64) -> (Scenario, &'static str) {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let ratio = 10f64.powf(random.between(-1.0, 1.0));
    let width = 10f64.powf(random.between(-2.0, 0.5));
    let height = ratio * width;
    let alpha = (width / height).atan();
    let mut restitution = random.between(-0.1, 1.1).clamp(0.0, 1.0);
    let friction = (2.2 * random.next() - 0.2).max(0.0);
    let fixed = if random.next() < 0.5 { friction } else { friction + 0.3 * random.next() };
    let angle = random.between(-1.5, 1.5) * alpha.min(1.0);
    let rate = random.between(-1.0, 1.0) * (9.81 / width.hypot(height)).sqrt();
    let law = ["newton", "poisson", "lzb"][(seed % 3) as usize];
    if law == "newton" {
        // Unequal coefficients of participants can create energy under Newton's law.
        restitution *= 0.9;
    }
    // Flying blocks as well as standing ones.
    let lift = if random.next() < 0.3 { random.between(0.0, 1.0) * height } else { 0.0 };
    let mut scenario = Scenario {
        rocking_block: Some(RockingBlock { width, height, mass: random.between(0.1, 10.0), angle, rate }),
        material: vec![material(friction, fixed, restitution)],
        ..Scenario::default()
    };
    scenario = scenario.expand().unwrap();
    scenario.body[0].position[1] += lift;
    if random.next() < 0.5 {
        scenario.body[0].velocity[0] += random.between(-1.0, 1.0) * (9.81 * width).sqrt();
    }
    scenario.until.time = Some(5.0 * (width.hypot(height) / 9.81).sqrt() * 4.0);
    // Without losses small hops never end: 5000 impacts are a limit like the time.
    scenario.until.impacts = Some(5000);
    scenario.until.overturned = Some(random.next() < 0.5);
    (scenario, law)
}

#[test]
fn random_blocks_run_to_an_end() {
    let count: u64 = std::env::var("DELASSUS_BLOCKS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let mut failures = Vec::new();
    let mut ends = std::collections::BTreeMap::new();
    for seed in 0..count {
        let (scenario, law) = scenario(seed);
        let run = run(&scenario, law);
        *ends.entry(run.end.as_str()).or_insert(0) += 1;
        // What the law itself created, as its certificates say.
        let gained = run.impacts.iter().any(|i| i.outcome.certificate.energetic > 1e-9);
        let grew =
            run.last().energy.total() > run.start().energy.total() * (1.0 + 1e-7) + 1e-7 * run.start().energy.kinetic;
        let mut wrong = Vec::new();
        if !run.end.is_regular() {
            wrong.push(format!("{:?}", run.end));
        }
        if run.stats.penetration > 1e-8 {
            wrong.push(format!("penetration {:e}", run.stats.penetration));
        }
        if run.closure > 1e-7 {
            wrong.push(format!("closure {:e}", run.closure));
        }
        if grew && !gained {
            wrong.push("energy grew".to_owned());
        }
        if !wrong.is_empty() {
            failures.push(format!("seed {seed} {law}: {} at {} s", wrong.join(", "), run.time));
        }
    }
    println!("{count} blocks: {ends:?}");
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn blocks_that_are_hard() {
    // 193: fast turns in free flight; 6543: an impact without collision that needs a push;
    // the others: hundreds of hops below the contact tolerance.
    for seed in [193, 1152, 3174, 6374, 6543] {
        let (scenario, law) = scenario(seed);
        let run = run(&scenario, law);
        assert!(run.end.is_regular(), "{seed} {:?}", run.end);
        assert!(run.closure < 1e-8 && run.stats.penetration < 1e-8, "{seed} {} {:?}", run.closure, run.stats);
    }
}
