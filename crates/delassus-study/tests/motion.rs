//! Measures of motions, and motions for pictures.

use delassus::LawSpec;
use delassus::model::System;
use delassus::scenario::{BodyData, LineData, MaterialData, RockingBlock, Scenario, ShapeData};
use delassus::simulate::{Control, Scheme, Trajectory, simulate};
use delassus_study::motion::{MotionMeasure, simulate_drawn};

/// A block let go at 0.1 rad, for its first impacts.
fn block() -> Scenario {
    let material = MaterialData { friction: Some(0.6), restitution: Some(0.3), ..MaterialData::default() };
    let block = RockingBlock { width: 0.2, height: 0.6, mass: 1.0, angle: 0.1, rate: 0.0 };
    let mut scenario = Scenario { rocking_block: Some(block), material: vec![material], ..Scenario::default() };
    scenario.until.time = Some(0.4);
    scenario
}

fn run(scenario: &Scenario) -> (delassus::scenario::Built, Trajectory) {
    let built = scenario.build().unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    let delassus::scenario::Built { system, q, u, settings, until } = &built;
    let run = simulate(system, q, u, &law, settings, until, &mut |_| Control::Continue).unwrap();
    (built, run)
}

#[test]
fn uplift_of_any_contact_is_of_those_that_touch() {
    let (built, run) = run(&block());
    let read = |name: &str| MotionMeasure::parse(name, &built).unwrap().read(&built.system, &run).value;
    // It starts on A with B lifted by L sin θ; the upper corners are 0.6 m above the ground.
    assert!((read("uplift:B") - 0.2 * 0.1f64.sin()).abs() < 1e-9, "{}", read("uplift:B"));
    assert_eq!(read("uplift"), read("uplift:A").max(read("uplift:B")));
    assert!(read("uplift:C").max(read("uplift:D")) > 0.6);
    assert_eq!(read("force"), read("force:A").max(read("force:B")));
}

#[test]
fn what_time_stepping_does_not_follow_is_no_measure() {
    let mut scenario = block();
    scenario.integrator.scheme = Some(Scheme::TimeStepping);
    let (built, run) = run(&scenario);
    for name in ["force", "slip:A", "uplift", "tangential"] {
        let error = MotionMeasure::parse(name, &built).unwrap_err().to_string();
        assert!(error.contains("is followed by events only"), "{error}");
    }
    // The angle is known at every step.
    let angle = MotionMeasure::parse("angle", &built).unwrap().read(&built.system, &run).value;
    assert!((angle - 0.1).abs() < 1e-3, "{angle}");
}

#[test]
fn a_picture_is_not_as_coarse_as_a_table() {
    let mut scenario = block();
    scenario.output.interval = Some(0.1);
    let built = scenario.build().unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    let drawn = |built: &delassus::scenario::Built| {
        simulate_drawn(built, &law, 200.0, &mut |_| Control::Continue).unwrap().samples.len()
    };
    // As many as asked for or up to twice as many, and the end.
    assert!((200..=402).contains(&drawn(&built)), "{}", drawn(&built));
    // A finer interval is kept.
    scenario.output.interval = Some(0.001);
    let fine = drawn(&scenario.build().unwrap());
    assert!((400..=402).contains(&fine), "{fine}");
    assert_eq!(built.system.contacts().len(), 4);
}

#[test]
fn coordinates_are_measured_by_their_names() {
    let (built, run) = run(&block());
    let read = |name: &str| MotionMeasure::parse(name, &built).map(|measure| measure.read(&built.system, &run).value);
    let (names, rates) = (built.system.position_names(), built.system.velocity_names());
    for (k, (name, rate)) in names.iter().zip(&rates).enumerate() {
        assert_eq!(read(name).unwrap(), run.last().q[k], "{name}");
        assert_eq!(read(rate).unwrap(), run.last().u[k], "{rate}");
    }
    let error = read("nothing.x").unwrap_err();
    assert!(error.to_string().contains("unknown measure"), "{error}");
}

#[test]
fn impacts_of_many_bodies_are_counted_though_they_are_not_listed() {
    let mut scenario = Scenario::default();
    scenario.integrator.scheme = Some(Scheme::TimeStepping);
    scenario.until.time = Some(0.15);
    scenario.ground.push(LineData {
        name: "ground".to_owned(),
        point: [0.0; 2],
        normal: None,
        angle: None,
        motion: None,
    });
    for k in 0..20 {
        let place = [0.3 * f64::from(k), 0.12 + 1e-3 * f64::from(k)];
        scenario.body.push(BodyData {
            name: format!("ball{k}"),
            shape: ShapeData::Disk { radius: 0.1 },
            mass: Some(1.0),
            position: place,
            ..BodyData::default()
        });
    }
    let (built, run) = run(&scenario);
    let impacts = MotionMeasure::parse("impacts", &built).unwrap().read(&built.system, &run).value;
    assert_eq!(impacts, run.impact_count() as f64);
    assert!(run.stats.unlisted > 0, "{:?}", run.stats);
}
