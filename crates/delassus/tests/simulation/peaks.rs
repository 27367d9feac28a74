//! Largest values of runs: closed forms, and no dependence on samples.

use delassus::scenario::{BodyData, MotionData, Scenario, ShapeData};

use super::{block, ground, material, run};

const G: f64 = 9.81;

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1e-30), "{found} is not {expected}");
}

#[test]
fn a_thrown_ball_rises_to_its_peak() {
    // In nanometres and in gigametres alike.
    for unit in [1.0, 1e-9, 1e9] {
        let speed = 3.0 * unit;
        let ball = BodyData {
            name: "ball".into(),
            shape: ShapeData::Disk { radius: 0.1 * unit },
            mass: Some(1.0),
            position: [0.0, 0.6 * unit],
            velocity: [0.0, speed],
            ..BodyData::default()
        };
        let mut scenario = Scenario { ground: vec![ground()], body: vec![ball], ..Scenario::default() };
        scenario.world.gravity = delassus::scenario::Gravity::Down(G * unit);
        scenario.until.time = Some(0.8);
        let peak = run(&scenario, "newton").peaks.contacts[0].uplift;
        close(peak.value, 0.5 * unit + speed * speed / (2.0 * G * unit), 1e-9);
        close(peak.time, speed / (G * unit), 1e-9);
    }
}

#[test]
fn a_block_that_is_pushed_tilts_as_far_as_its_energy_allows() {
    let (width, height, rate) = (0.2f64, 0.6f64, 1.2f64);
    let mut scenario = block(width, height, 0.0, material(5.0, 5.0, 0.0));
    scenario.rocking_block.as_mut().unwrap().rate = rate;
    scenario.until.time = Some(2.0);
    let run = run(&scenario, "newton");
    // ½ J ω² = m g R (cos(α − θ) − cos α) with J = 4/3 m R² about the corner.
    let (radius, alpha) = (0.5 * width.hypot(height), (width / height).atan());
    let cosine = alpha.cos() + 2.0 / 3.0 * radius * rate * rate / G;
    assert!(cosine < 1.0);
    let peak = run.peaks.angle.unwrap();
    close(peak.value, alpha - cosine.acos(), 1e-8);
    assert!(peak.time > 0.0 && peak.time < run.impacts[0].time);
}

#[test]
fn a_sliding_box_goes_as_far_as_friction_lets_it() {
    let (mass, friction, speed) = (3.0, 0.4, 2.0);
    let slab = BodyData {
        name: "box".into(),
        shape: ShapeData::Box { width: 1.0, height: 0.2 },
        mass: Some(mass),
        position: [0.0, 0.1],
        velocity: [-speed, 0.0],
        ..BodyData::default()
    };
    let scenario = Scenario {
        ground: vec![ground()],
        body: vec![slab],
        material: vec![material(friction, friction, 0.0)],
        ..Scenario::default()
    };
    let run = run(&scenario, "newton");
    let contacts = &run.peaks.contacts;
    let touching: Vec<_> = contacts.iter().filter(|c| c.normal.value > 0.0).collect();
    assert_eq!(touching.len(), 2);
    for contact in &touching {
        close(contact.slip.value, speed * speed / (2.0 * friction * G), 1e-9);
        close(contact.slip.time, speed / (friction * G), 1e-9);
    }
    let normal: f64 = touching.iter().map(|c| c.normal.value).sum();
    let tangential: f64 = touching.iter().map(|c| c.tangential.value).sum();
    close(normal, mass * G, 1e-9);
    close(tangential, friction * mass * G, 1e-9);
}

#[test]
fn a_shaken_floor_presses_hardest_within_a_step() {
    let (amplitude, frequency) = (0.01f64, 2.0f64);
    let omega = std::f64::consts::TAU * frequency;
    assert!(amplitude * omega * omega < G);
    let motion = MotionData::Harmonic { direction: [0.0, 1.0], amplitude, frequency, phase: 0.0 };
    let mut scenario = block(0.2, 0.3, 0.0, material(0.5, 0.5, 0.0));
    scenario.ground = vec![delassus::scenario::LineData { motion: Some(motion), ..ground() }];
    scenario.until.time = Some(0.9);
    let run = run(&scenario, "newton");
    for contact in &run.peaks.contacts[..2] {
        // The floor starts upwards; it is lowest, and accelerated most, after three quarters of a period.
        close(contact.normal.value, 0.5 * 0.02 * (G + amplitude * omega * omega), 1e-9);
        let periods = contact.normal.time * frequency;
        close(periods.fract(), 0.75, 1e-5);
    }
}

#[test]
fn peaks_do_not_depend_on_samples_and_are_none_below_them() {
    let mut scenario = block(0.24, 0.48, 0.12, material(0.1, 0.12, 0.8));
    scenario.until.time = Some(2.0);
    let mut peaks = Vec::new();
    for interval in [None, Some(0.5), Some(0.03), Some(1e-4)] {
        scenario.output.interval = interval;
        let run = run(&scenario, "lzb");
        for (c, contact) in run.peaks.contacts.iter().enumerate() {
            let sampled = run.samples.iter().map(|s| s.forces[c]);
            let largest = sampled.fold([0.0f64; 2], |m, f| [m[0].max(f[0]), m[1].max(f[1].abs())]);
            for (peak, sampled) in [contact.normal, contact.tangential].iter().zip(largest) {
                assert!(peak.value >= sampled * (1.0 - 1e-6), "{c}: {peak:?} below {sampled}");
                assert!(
                    interval != Some(1e-4) || peak.value <= sampled * (1.0 + 1e-3) + 1e-9,
                    "{c}: {peak:?} {sampled}"
                );
            }
        }
        let angle = run.peaks.angle.unwrap().value;
        assert!(run.samples.iter().all(|s| s.q[2].abs() <= angle * (1.0 + 1e-9)));
        peaks.push(run.peaks);
    }
    assert!(peaks.iter().all(|p| *p == peaks[0]));
}
