//! Joints, springs, clutches, moving supports: both descriptions of a system
//! agree, joints stay closed, energy closes.

use delassus::LawSpec;
use delassus::model::{Directions, DoublePendulum, Sources, Surface, System};
use delassus::scenario::{
    BodyData, DoublePendulumForm, ForceData, Formula, Gravity, JointType, LineData, MotionData, PartData,
    PlanarClutchData, PlanarJointData, Scenario, ShapeData, SpringData,
};
use delassus::simulate::{Control, End, EventKind, Settings, Trajectory, Until, simulate};

use super::{ground, material, run};

const G: f64 = 9.81;

#[test]
fn double_pendulum_in_both_descriptions() {
    let (masses, lengths) = ([3.0, 2.0], [2.0, 1.5]);
    let (angles, rates) = ([0.35, 0.5], [-0.1, -0.2]);
    let depth = 3.4;
    let surface = Surface {
        friction: 0.4,
        friction_static: 0.5,
        restitution: 0.5,
        restitution_tangential: 0.0,
        stiffness: 1.0,
        sources: Sources::default(),
    };
    let system = DoublePendulum::new(masses, lengths, depth, G, surface).unwrap();
    let mut scenario = Scenario {
        double_pendulum: Some(DoublePendulumForm { masses, lengths, angles, rates, depth: Some(depth) }),
        material: vec![material(0.4, 0.5, 0.5)],
        ..Scenario::default()
    };
    scenario.until.time = Some(2.0);
    for law in ["newton", "poisson", "lzb"] {
        let spec = LawSpec::by_name(law).unwrap();
        let bodies = run(&scenario, law);
        let until = Until { rest: true, ..Until::time(2.0) };
        let settings = Settings::default();
        let angles = simulate(&system, &angles, &rates, &spec, &settings, &until, &mut |_| Control::Continue).unwrap();
        assert!(angles.impacts.len() > 1, "{law}: {:?}", angles.end);
        assert_eq!(angles.impacts.len(), bodies.impacts.len(), "{law}");
        for (a, b) in angles.impacts.iter().zip(&bodies.impacts) {
            assert!((a.time - b.time).abs() < 1e-6, "{law} {} {}", a.time, b.time);
        }
        for (a, b) in angles.impacts.iter().zip(&bodies.impacts).take(5) {
            let turned = [b.q[2], b.q[5]].map(|theta| theta + std::f64::consts::FRAC_PI_2);
            assert!((a.q[0] - turned[0]).abs() < 1e-8 && (a.q[1] - turned[1]).abs() < 1e-8, "{law}");
            assert!((a.u_plus[0] - b.u_plus[2]).abs() < 1e-7 && (a.u_plus[1] - b.u_plus[5]).abs() < 1e-7, "{law}");
        }
        assert!(bodies.stats.joint_drift < 1e-8 && bodies.closure < 1e-7, "{law} {:?}", bodies.stats);
    }
}

#[test]
fn energy_that_does_not_close_is_told() {
    let (masses, lengths) = ([3.0, 2.0], [2.0, 1.5]);
    let form = DoublePendulumForm { masses, lengths, angles: [1.5, 1.0], rates: [0.0; 2], depth: None };
    let mut scenario = Scenario { double_pendulum: Some(form), ..Scenario::default() };
    let told = |scenario: &Scenario| {
        let run = run(scenario, "newton");
        (run.closure, run.log.iter().any(|remark| remark.text.contains("energy and works differ")))
    };
    let (closure, warned) = told(&scenario);
    assert!(closure < 1e-6 && !warned, "{closure}");
    scenario.integrator.tolerance = 1e-3;
    let (closure, warned) = told(&scenario);
    assert!(closure > 1e-6 && warned, "{closure}");
}

#[test]
fn kane_has_the_published_matrices() {
    // [Glocker 2014, (227)]: m = 3 kg, l = 2 m, 20° and 30°.
    let surface = Surface {
        friction: 0.5,
        friction_static: 0.5,
        restitution: 0.5,
        restitution_tangential: 0.0,
        stiffness: 1.0,
        sources: Sources::default(),
    };
    let system = DoublePendulum::new([3.0; 2], [2.0; 2], 10.0, G, surface).unwrap();
    let q = [20f64.to_radians(), 30f64.to_radians()];
    let mut mass = [0.0; 4];
    system.mass(&q, &mut mass);
    let mut directions = Directions::default();
    system.contact(0, 0, 0.0, &q, &[0.0; 2], &mut directions);
    let (normal, tangent) = (directions.row(0), directions.row(1));
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 5e-5);
    assert!(close(&mass, &[16.0, 5.9088, 5.9088, 4.0]), "{mass:?}");
    // The paper's tangent points the other way.
    assert!(close(normal, &[0.6840, 1.0]) && close(tangent, &[1.8794, 1.7321]), "{normal:?} {tangent:?}");
}

fn body(name: &str, shape: ShapeData, position: [f64; 2]) -> BodyData {
    BodyData { name: name.into(), shape, mass: Some(1.0), position, ..BodyData::default() }
}

#[test]
fn a_spring_swings_at_its_frequency() {
    let (stiffness, damping) = (40.0, 0.8);
    let mut mass = body("mass", ShapeData::Disk { radius: 0.1 }, [1.2, 0.0]);
    mass.velocity = [0.0; 2];
    let mut scenario = Scenario {
        body: vec![mass],
        spring: vec![SpringData {
            between: ["mass".into(), "world".into()],
            points: [[1.2, 0.0], [0.0, 0.0]],
            stiffness,
            damping,
            length: Some(1.0),
            torsion: false,
        }],
        ..Scenario::default()
    };
    scenario.world.gravity = Gravity::Down(0.0);
    scenario.until.time = Some(3.0);
    let run = run(&scenario, "newton");
    let (decay, t) = (0.5 * damping, 3.0);
    let omega = f64::sqrt(stiffness - decay * decay);
    let expected = 1.0 + 0.2 * f64::exp(-decay * t) * ((omega * t).cos() + decay / omega * (omega * t).sin());
    assert!((run.last().q[0] - expected).abs() < 1e-9, "{} {expected}", run.last().q[0]);
    assert!(run.last().energy.damping < 0.0 && run.closure < 1e-9);
}

#[test]
fn corners_fall_on_the_sides_of_a_rod_but_links_of_its_mechanism_pass() {
    let rod = || ShapeData::Rod { length: 1.0 };
    let joint = |name: &str, kind: JointType, between: [&str; 2], point: [f64; 2]| PlanarJointData {
        name: name.into(),
        kind,
        between: between.map(String::from),
        point,
        axis: None,
    };
    // A box and another rod fall flat on a rod that is held.
    for (shape, height) in [(ShapeData::Box { width: 0.1, height: 0.1 }, 0.05), (ShapeData::Rod { length: 0.4 }, 0.0)] {
        let mut scenario = Scenario {
            body: vec![body("low", rod(), [0.0, 0.0]), body("up", shape, [0.0, 1.0])],
            joint: vec![joint("weld", JointType::Weld, ["low", "world"], [0.0; 2])],
            ..Scenario::default()
        };
        scenario.until.time = Some(1.0);
        let run = run(&scenario, "newton");
        // A rod is a ten-millionth of its length thick.
        assert!((run.impacts[0].time - (2.0 * (1.0 - height) / G).sqrt()).abs() < 1e-7);
        assert_eq!((run.end.clone(), run.impacts[0].contacts.len()), (End::AtRest, 2));
        assert!((run.last().q[4] - height).abs() < 2e-7);
    }
    // Links of one mechanism lie beside one another.
    let mut scenario = Scenario {
        body: vec![body("low", rod(), [0.0, 0.0]), body("up", rod(), [0.0, 1.0])],
        joint: vec![
            joint("weld", JointType::Weld, ["low", "world"], [0.0; 2]),
            joint("pin", JointType::Pin, ["low", "up"], [0.5, 1.0]),
        ],
        ..Scenario::default()
    };
    scenario.until.time = Some(1.0);
    let run = run(&scenario, "newton");
    assert!(run.end == End::Completed && run.impacts.is_empty());
}

/// A disk slides from the top of a table, without friction. Where its centre
/// passes the corner, the force falls from mg to m(g − v²/r).
#[test]
fn a_disk_slides_over_an_edge() {
    let radius = 0.1;
    for speed in [2.0, 1.2, 0.5] {
        let table = body("table", ShapeData::Box { width: 1.0, height: 1.0 }, [0.0, 0.5]);
        let mut disk = body("disk", ShapeData::Disk { radius }, [0.3, 1.0 + radius]);
        disk.velocity = [speed, 0.0];
        let weld = PlanarJointData {
            name: "weld".into(),
            kind: JointType::Weld,
            between: ["table".into(), "world".into()],
            point: [0.0; 2],
            axis: None,
        };
        let mut scenario = Scenario { body: vec![table, disk], joint: vec![weld], ..Scenario::default() };
        let edge = 0.2 / speed;
        scenario.until.time = Some(edge + 0.15);
        let run = run(&scenario, "newton");
        assert_eq!(run.end, End::Completed, "{speed}: {:?}", run.log);
        assert!(run.closure < 1e-9, "{speed}: {}", run.closure);
        let takes_off = run.events.iter().find(|e| matches!(e.kind, EventKind::TakeOff(_))).expect("takes off");
        if speed * speed > G * radius {
            // At once, and then it falls freely.
            assert!((takes_off.time - edge).abs() < 1e-11, "{speed}: {} {edge}", takes_off.time);
            let (x, y) = (run.last().q[3], run.last().q[4]);
            let expected = 1.0 + radius - 0.5 * G * 0.15 * 0.15;
            assert!((x - 0.5 - 0.15 * speed).abs() < 1e-10 && (y - expected).abs() < 1e-10, "{speed}: {x} {y}");
        } else {
            // It goes round the corner as far as v² = gr cos θ.
            assert!(takes_off.time > edge + 0.01, "{speed}: {} {edge}", takes_off.time);
            let cosine = (speed * speed / (G * radius) + 2.0) / 3.0;
            let fast = (speed * speed + 2.0 * G * radius * (1.0 - cosine)).sqrt();
            // Horizontal velocity is kept from there on.
            assert!((run.last().u[3] - fast * cosine).abs() < 1e-9, "{speed}: {}", run.last().u[3]);
        }
    }
}

/// A body of three disks slides from a box that moves: it parts from the corner,
/// comes back and parts again within what would be one step.
#[test]
fn gaps_that_close_and_open_within_a_step_are_seen() {
    let mut low = body("box", ShapeData::Box { width: 0.424689, height: 0.468346 }, [-0.103337, 1.5]);
    (low.mass, low.velocity) = (Some(1.85827), [0.79129, -0.969446]);
    let disk = |x: f64| PartData { shape: ShapeData::Disk { radius: 0.2 }, mass: 1.0, position: [x, 0.0], angle: 0.0 };
    let part = vec![disk(0.0), disk(0.5), disk(1.0)];
    let mut high = body("disks", ShapeData::Compound { part }, [0.152914, 2.9]);
    high.mass = None;
    let mut scenario = Scenario {
        ground: vec![ground()],
        body: vec![low, high],
        material: vec![material(0.3, 0.3, 0.5)],
        ..Scenario::default()
    };
    scenario.until.time = Some(3.0);
    let run = run(&scenario, "newton");
    assert_eq!(run.end, End::Completed, "{:?}", run.log);
    assert!(run.stats.penetration < 1e-9 && run.closure < 1e-9, "{:?} {}", run.stats, run.closure);
}

#[test]
fn applied_forces_do_work() {
    let mut scenario = Scenario {
        body: vec![body("mass", ShapeData::Disk { radius: 0.1 }, [0.0, 5.0])],
        force: vec![ForceData {
            body: "mass".into(),
            point: None,
            force: [Formula::Text("2*cos(3*t)".into()), Formula::Number(9.81)],
            torque: Formula::Text("t".into()),
        }],
        ..Scenario::default()
    };
    scenario.until.time = Some(2.0);
    let run = run(&scenario, "newton");
    let expected = 2.0 / 9.0 * (1.0 - 6f64.cos());
    assert!((run.last().q[0] - expected).abs() < 1e-9 && (run.last().q[1] - 5.0).abs() < 1e-9);
    assert!((run.last().u[2] - 2.0 / 0.005).abs() < 1e-6);
    assert!(run.closure < 1e-9, "{}", run.closure);
}

#[test]
fn a_push_between_the_ends_of_a_step_is_noticed() {
    // At rest steps grow; this push passes the static limit from 0.2 s to 0.3 s only.
    let push = "9*exp(-((t-0.25)/0.0642)^2)";
    let mut scenario = Scenario {
        body: vec![body("box", ShapeData::Box { width: 0.2, height: 0.01 }, [0.0, 0.005])],
        ground: vec![ground()],
        material: vec![material(0.5, 0.5, 0.0)],
        force: vec![ForceData {
            body: "box".into(),
            point: Some([0.0, 0.0]),
            force: [Formula::Text(push.into()), Formula::Number(0.0)],
            torque: Formula::default(),
        }],
        ..Scenario::default()
    };
    scenario.until.time = Some(1.0);
    let run = run(&scenario, "newton");
    let starts = run.events.iter().find(|event| matches!(event.kind, EventKind::Slip(_)));
    let expected = 0.25 - 0.0642 * (9.0 / (0.5 * G)).ln().sqrt();
    assert!(starts.is_some_and(|event| (event.time - expected).abs() < 1e-8), "{starts:?} {expected}");
    assert!(run.last().q[0] > 1e-3, "{:?}", run.last().q);
}

#[test]
fn a_clutch_lets_turn_one_way_only() {
    let joint = PlanarJointData {
        name: "shaft".into(),
        kind: JointType::Pin,
        between: ["wheel".into(), "world".into()],
        point: [0.0; 2],
        axis: None,
    };
    let mut wheel = body("wheel", ShapeData::Disk { radius: 1.0 }, [0.0; 2]);
    wheel.rate = 1.0;
    let mut scenario = Scenario {
        body: vec![wheel],
        joint: vec![joint],
        clutch: vec![PlanarClutchData {
            name: "sprag".into(),
            between: ["wheel".into(), "world".into()],
            axis: None,
            reversed: false,
            restitution: 0.0,
        }],
        force: vec![ForceData {
            body: "wheel".into(),
            point: None,
            force: [Formula::Number(0.0), Formula::Number(0.0)],
            torque: Formula::Text("-1 + 2*step(t-2)".into()),
        }],
        ..Scenario::default()
    };
    scenario.integrator.max_step = Some(0.01);
    scenario.until.time = Some(3.0);
    // Braked with −1 N m at ½ kg m² it stops at 0.5 s and holds; from 2 s on it is driven.
    let run = run(&scenario, "poisson");
    let at = |kind: &str| run.events.iter().find(|e| e.kind.as_str() == kind).map(|e| e.time);
    assert!((at("engage").unwrap() - 0.5).abs() < 1e-9, "{:?}", run.events);
    assert!((at("disengage").unwrap() - 2.0).abs() < 1e-6, "{:?}", run.events);
    assert!((run.last().u[2] - 2.0).abs() < 1e-6, "{:?}", run.last());
    assert!(run.stats.joint_drift < 1e-12);
}

#[test]
fn a_slider_guides_and_a_weld_holds() {
    let slider = |name: &str, kind, axis| PlanarJointData {
        name: name.into(),
        kind,
        between: [
            if kind == JointType::Weld { "lid" } else { "sled" }.into(),
            if kind == JointType::Weld { "sled" } else { "world" }.into(),
        ],
        point: [0.0, 0.1],
        axis,
    };
    let sled = body("sled", ShapeData::Box { width: 0.4, height: 0.2 }, [0.0, 0.0]);
    let lid = body("lid", ShapeData::Box { width: 0.4, height: 0.2 }, [0.0, 0.2]);
    let scenario = Scenario {
        body: vec![sled, lid],
        joint: vec![slider("guide", JointType::Slider, Some([1.0, -1.0])), slider("weld", JointType::Weld, None)],
        ..Scenario::default()
    };
    let mut scenario = scenario;
    scenario.until.time = Some(1.0);
    // Down a frictionless plane of 45°.
    let run = run(&scenario, "newton");
    let path = 0.5 * G / 2.0;
    assert!((run.last().q[0] - path).abs() < 1e-9 && (run.last().q[1] + path).abs() < 1e-9, "{:?}", run.last().q);
    assert!((run.last().q[4] - run.last().q[1] - 0.2).abs() < 1e-11 && run.last().q[5].abs() < 1e-12);
    assert!(run.stats.joint_drift < 1e-12 && run.closure < 1e-10);
}

#[test]
fn a_shaken_ground_does_work() {
    let mut line: LineData = ground();
    line.motion = Some(MotionData::Harmonic { direction: [1.0, 0.0], amplitude: 0.05, frequency: 1.0, phase: 0.5 });
    let mut body = body("block", ShapeData::Box { width: 0.2, height: 0.1 }, [0.0, 0.05]);
    body.corners = ["A", "B", "C", "D"].map(str::to_owned).to_vec();
    let mut scenario = Scenario {
        body: vec![body],
        ground: vec![line],
        material: vec![material(0.1, 0.15, 0.0)],
        ..Scenario::default()
    };
    scenario.until.time = Some(3.0);
    let run = run(&scenario, "newton");
    assert_eq!(run.end, End::Completed);
    // It starts with the ground's velocity missing: friction has to bring it up.
    let slips = run.events.iter().filter(|e| matches!(e.kind, EventKind::Slip(_) | EventKind::Stick(_))).count();
    assert!(slips >= 4, "{:?}", run.events);
    let energy = run.last().energy;
    assert!(energy.friction < -1e-3 && energy.supports > 1e-3 && run.closure < 1e-8, "{energy:?} {}", run.closure);
}

#[test]
fn redundant_contacts_are_ordinary() {
    // Five contacts in a row on a rough slope: it sticks at 0.4 and slides at 0.6.
    let vertices = vec![[0.0, 0.0], [0.1, 0.0], [0.2, 0.0], [0.3, 0.0], [0.4, 0.0], [0.4, 0.1], [0.0, 0.1]];
    for (tangent, sticks) in [(0.4f64, true), (0.6, false)] {
        let beta = tangent.atan();
        let mut line = ground();
        line.angle = Some(beta);
        let mut plate = body("plate", ShapeData::Polygon { vertices: vertices.clone() }, [0.0; 2]);
        plate.position = [-0.05 * beta.sin(), 0.05 * beta.cos()];
        plate.angle = beta;
        let mut scenario = Scenario {
            body: vec![plate],
            ground: vec![line],
            material: vec![material(0.3, 0.5, 0.0)],
            ..Scenario::default()
        };
        scenario.until.time = Some(0.5);
        let run = run(&scenario, "newton");
        assert_eq!(run.end == End::AtRest, sticks, "{tangent} {:?} {:?}", run.end, run.log);
        let weight: f64 = run.last().forces.iter().map(|f| f[0]).sum();
        assert!((weight - G * beta.cos()).abs() < 1e-8, "{weight}");
        if !sticks {
            let speed = run.last().u[0].hypot(run.last().u[1]);
            assert!((speed / (0.5 * G * (beta.sin() - 0.3 * beta.cos())) - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn a_stack_of_boxes_rests_and_falls_together() {
    let shape = || ShapeData::Box { width: 0.3, height: 0.1 };
    let stack = |height: f64| Scenario {
        body: vec![
            body("lower", shape(), [0.0, 0.05 + height]),
            body("middle", shape(), [0.0, 0.15 + height]),
            body("upper", shape(), [0.0, 0.25 + height]),
        ],
        ground: vec![ground()],
        material: vec![material(0.3, 0.3, 0.3)],
        ..Scenario::default()
    };
    assert_eq!(run(&stack(0.0), "newton").end, End::AtRest);
    let mut falling = stack(0.1);
    falling.until.time = Some(2.0);
    let run = run(&falling, "newton");
    assert!(run.end.is_regular(), "{:?} {:?}", run.end, run.log);
    assert!((run.impacts[0].time - (0.2 / G).sqrt()).abs() < 1e-12);
    assert!(run.closure < 1e-8 && run.stats.penetration < 1e-8, "{} {:?}", run.closure, run.stats);
    for i in 0..3 {
        assert!((run.last().q[3 * i + 1] - 0.05 - 0.1 * i as f64).abs() < 1e-8, "{:?}", run.last().q);
    }
}

#[test]
fn a_stack_on_a_shaken_ground_jams_under_strong_friction() {
    let shape = || ShapeData::Box { width: 0.3, height: 0.1 };
    let jam = |friction: f64| {
        let mut line = ground();
        line.motion = Some(MotionData::Harmonic { direction: [1.0, 0.0], amplitude: 0.05, frequency: 1.2, phase: 0.0 });
        let mut scenario = Scenario {
            body: vec![
                body("lower", shape(), [0.0, 0.05]),
                body("middle", shape(), [0.0, 0.15]),
                body("upper", shape(), [0.0, 0.25]),
            ],
            ground: vec![line],
            material: vec![material(friction, friction, 0.0)],
            ..Scenario::default()
        };
        scenario.until.time = Some(0.5);
        // Far more than it takes: impacts that are invented end the run.
        scenario.integrator.max_events = 1000;
        run(&scenario, "newton")
    };
    // How many impacts end an accumulation is a matter of round-off.
    let times = |run: &Trajectory| run.impacts.iter().filter(|i| !i.inelastic).map(|i| i.time).collect::<Vec<f64>>();
    let plain = jam(10.0);
    assert!(plain.end.is_regular() && !plain.impacts.is_empty(), "{:?}", plain.end);
    for friction in [30.0, 1e2, 1e4, 1e9, 1e15] {
        let strong = jam(friction);
        assert_eq!((&strong.end, times(&strong).len()), (&plain.end, times(&plain).len()), "{friction:e}");
        assert!(times(&strong).iter().zip(times(&plain)).all(|(a, b)| (a - b).abs() < 1e-9), "{friction:e}");
        let (a, b) = (&strong.last().q, &plain.last().q);
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6), "{friction:e}: {a:?} {b:?}");
    }
}

#[test]
fn a_pile_between_walls_settles() {
    let wall = |name: &str, x: f64| LineData {
        name: name.into(),
        point: [x, 0.0],
        normal: Some([-x.signum(), 0.1]),
        angle: None,
        motion: None,
    };
    let mut plank = body("plank", ShapeData::Box { width: 0.3, height: 0.1 }, [0.0, 0.2]);
    plank.angle = 0.3;
    let vertices = vec![[0.0, 0.0], [0.2, 0.0], [0.15, 0.15], [0.0, 0.2]];
    let mut stone = body("stone", ShapeData::Polygon { vertices }, [0.05, 0.5]);
    stone.angle = 1.0;
    let ball = body("ball", ShapeData::Disk { radius: 0.08 }, [-0.05, 0.8]);
    let mut scenario = Scenario {
        body: vec![plank, stone, ball],
        ground: vec![ground()],
        wall: vec![wall("left", -0.3), wall("right", 0.3)],
        material: vec![material(0.4, 0.5, 0.3)],
        ..Scenario::default()
    };
    scenario.until.time = Some(1.0);
    for law in ["newton", "poisson"] {
        let run = run(&scenario, law);
        assert!(run.end.is_regular(), "{law} {:?} {:?}", run.end, run.log);
        assert!(run.closure < 1e-7, "{law} {}", run.closure);
    }
}
