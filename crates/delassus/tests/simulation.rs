//! Simulations against closed forms.

use delassus::LawSpec;
use delassus::law::Newton;
use delassus::scenario::{BodyData, LineData, MaterialData, RockingBlock, Scenario, ShapeData};
use delassus::simulate::{Control, End, Trajectory, simulate};

fn run(scenario: &Scenario, law: &LawSpec) -> Trajectory {
    let built = scenario.build().unwrap();
    simulate(&built.system, &built.q, &built.u, law, &built.settings, &built.until, &mut |_| Control::Continue).unwrap()
}

fn newton() -> LawSpec {
    LawSpec::Newton(Newton::default())
}

fn ground() -> LineData {
    LineData { name: "ground".into(), point: [0.0; 2], normal: None, angle: None, motion: None }
}

fn ball(height: f64, restitution: f64) -> Scenario {
    let mut scenario = Scenario::default();
    scenario.body.push(BodyData {
        name: "ball".into(),
        shape: ShapeData::Disk { radius: 0.1 },
        mass: Some(1.0),
        position: [0.0, height + 0.1],
        ..BodyData::default()
    });
    scenario.ground.push(ground());
    scenario.material.push(MaterialData { restitution: Some(restitution), ..MaterialData::default() });
    scenario
}

#[test]
fn bouncing_ball_meets_every_impact_time_and_comes_to_rest() {
    let (h, e, g) = (1.0, 0.8, 9.81f64);
    let run = run(&ball(h, e), &newton());
    println!("{:?} {} {} impacts, {:?} {:?}", run.end, run.time, run.impacts.len(), run.stats, run.events.len());
    assert_eq!(run.end, End::AtRest, "{:?}", run.log);
    let v = (2.0 * g * h).sqrt();
    let mut time = v / g;
    let mut speed = v;
    for impact in &run.impacts {
        assert!((impact.time - time).abs() < 1e-11, "{} {time}", impact.time);
        assert!((impact.u_minus[1] + speed).abs() < 1e-11);
        speed *= e;
        time += 2.0 * speed / g;
    }
    let end = v / g * (1.0 + e) / (1.0 - e);
    assert!((run.time - end).abs() < 2e-5, "{} {end}", run.time);
    assert!(run.closure < 1e-12, "{}", run.closure);
    println!("{} impacts, {:?}", run.impacts.len(), run.stats);
}

#[test]
fn housner_block() {
    let mut scenario = Scenario::default();
    let (width, height) = (0.2, 0.8);
    scenario.rocking_block = Some(RockingBlock { width, height, mass: 2.0, angle: 0.1, rate: 0.0 });
    scenario.material.push(MaterialData { friction: Some(2.0), ..MaterialData::default() });
    scenario.until.time = 10.0;
    let run = run(&scenario, &newton());
    println!("{:?} {} {:?} {:?}", run.end, run.impacts.len(), run.stats, run.log);
    let alpha = (width / height as f64).atan();
    let ratio = 1.0 - 1.5 * alpha.sin().powi(2);
    for impact in run.impacts.iter().filter(|i| !i.inelastic) {
        assert!(
            (impact.u_plus[2] / impact.u_minus[2] - ratio).abs() < 1e-10,
            "{} {ratio}",
            impact.u_plus[2] / impact.u_minus[2]
        );
    }
    assert!(run.closure < 1e-8, "{}", run.closure);
    assert_eq!(run.end, End::AtRest);
}

fn lzb() -> LawSpec {
    LawSpec::by_name("lzb").unwrap()
}

#[test]
fn lzb_block() {
    let mut scenario = Scenario::default();
    scenario.rocking_block = Some(RockingBlock { width: 0.24, height: 0.48, mass: 2.0, angle: 0.12, rate: 0.0 });
    scenario.material.push(MaterialData {
        friction: Some(0.3),
        friction_static: Some(0.5),
        restitution: Some(0.8),
        ..MaterialData::default()
    });
    scenario.until.time = 10.0;
    for law in [lzb(), newton(), LawSpec::by_name("poisson").unwrap()] {
        let start = std::time::Instant::now();
        let run = run(&scenario, &law);
        println!(
            "{:?} {:?} at {} {} impacts {:?} {:?} closure {:e}",
            start.elapsed(),
            run.end,
            run.time,
            run.impacts.len(),
            run.stats,
            run.log,
            run.closure
        );
        for i in run.impacts.iter().take(12) {
            println!("{} {:?} {:?} {:?} {:?}", i.time, i.contacts, i.modes, i.u_minus, i.u_plus);
        }
    }
}
