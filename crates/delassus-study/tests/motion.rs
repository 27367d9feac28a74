//! Measures of motions, and motions for pictures.

use delassus::LawSpec;
use delassus::model::System;
use delassus::scenario::{MaterialData, RockingBlock, Scenario};
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
