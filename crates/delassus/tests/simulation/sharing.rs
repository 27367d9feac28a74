//! More closed contacts than forces can be told apart: they push, stay in
//! their friction cones, and leave only when they must.

use delassus::scenario::{BodyData, ForceData, Formula, MaterialData, PartData, Scenario, ShapeData};
use delassus::simulate::{EventKind, Trajectory};

use super::{Random, ground, material, run};

const G: f64 = 9.81;

/// A table of 1 kg on feet (disks) at `places`, each with its friction, under a force and a moment.
fn table(places: &[f64], friction: &[f64], speed: f64, force: Formula, torque: Formula) -> Scenario {
    let mean = places.iter().sum::<f64>() / places.len() as f64;
    let foot = |x: &f64| PartData {
        shape: ShapeData::Disk { radius: 0.1 },
        mass: 1.0 / places.len() as f64,
        position: [x - mean, 0.0],
        angle: 0.0,
    };
    let part = places.iter().map(foot).collect();
    let mut scenario = Scenario {
        ground: vec![ground()],
        body: vec![BodyData {
            name: "table".into(),
            shape: ShapeData::Compound { part },
            position: [0.0, 0.1],
            velocity: [speed, 0.0],
            ..BodyData::default()
        }],
        force: vec![ForceData { body: "table".into(), point: None, force: [force, Formula::Number(0.0)], torque }],
        material: vec![material(0.0, 0.0, 0.0)],
        ..Scenario::default()
    };
    scenario.material.extend(friction.iter().enumerate().map(|(i, &friction)| MaterialData {
        contact: Some(format!("table.disk{}", i + 1)),
        friction: Some(friction),
        friction_static: Some(1.2 * friction),
        ..MaterialData::default()
    }));
    scenario.until.time = Some(0.5);
    scenario.until.rest = Some(false);
    scenario.output.interval = Some(0.005);
    scenario
}

/// Forces push and stay in their cones, and friction never drives.
fn check(run: &Trajectory, friction: &[f64], what: &str) {
    assert!(run.end.is_regular(), "{what}: {:?} {:?}", run.end, run.log);
    let mut work = 0.0;
    for sample in &run.samples {
        for (force, friction) in sample.forces.iter().zip(friction) {
            assert!(force[0] >= -1e-9 * G, "{what}: {} s {:?}", sample.time, sample.forces);
            assert!(force[1].abs() <= 1.2 * friction * force[0] + 1e-9 * G, "{what}: {} s {force:?}", sample.time);
        }
        assert!(sample.energy.friction <= work + 1e-8, "{what}: {} s, {}", sample.time, sample.energy.friction - work);
        work = sample.energy.friction;
    }
    assert!(run.closure < 1e-8, "{what}: {}", run.closure);
}

#[test]
fn redundant_contacts_push() {
    let friction = [0.9, 0.0, 0.0];
    for torque in [-9.0, 0.0, 9.0] {
        let run = run(&table(&[-1.0, 0.0, 1.0], &friction, 1.0, Formula::default(), Formula::Number(torque)), "newton");
        check(&run, &friction, &format!("moment {torque}"));
        let left = |kind: EventKind| matches!(kind, EventKind::TakeOff(_));
        assert!(!run.events.iter().any(|event| left(event.kind)), "{torque}: {:?}", run.events);
        let weight: f64 = run.last().forces.iter().map(|force| force[0]).sum();
        assert!((weight - G).abs() < 1e-9, "{weight}");
    }
}

#[test]
fn redundant_contacts_leave_only_when_they_must() {
    // Without friction at the feet that carry it, the table tips when the moment reaches mg · 1 m.
    let friction = [0.9, 0.0, 0.0];
    let scenario = table(&[-1.0, 0.0, 1.0], &friction, 1.0, Formula::default(), Formula::Text("-20*t".into()));
    let run = run(&scenario, "newton");
    check(&run, &friction, "tipping");
    let off: Vec<f64> = run.events.iter().filter(|e| matches!(e.kind, EventKind::TakeOff(_))).map(|e| e.time).collect();
    assert_eq!(off.len(), 2, "{:?}", run.events);
    assert!(off.iter().all(|time| (time - G / 20.0).abs() < 1e-9), "{off:?}");
}

#[test]
fn random_tables_push_and_lose_energy() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let feet = 3 + (seed % 4) as usize;
        let places: Vec<f64> = (0..feet).map(|i| i as f64 + random.between(0.0, 0.5)).collect();
        let friction: Vec<f64> = (0..feet).map(|_| random.between(-0.3, 0.9).max(0.0)).collect();
        let (push, turn) = (random.between(0.0, 15.0), random.between(0.0, 6.0));
        let speed = random.between(-1.0, 1.0) * (seed % 3) as f64;
        let force = Formula::Text(format!("{push}*sin(20*t)"));
        let torque = Formula::Text(format!("{turn}*cos(13*t)"));
        let run = run(&table(&places, &friction, speed, force, torque), "newton");
        check(&run, &friction, &format!("seed {seed}"));
    }
}
