//! Joints, springs and forces against closed forms.

use delassus::scenario::{
    Formula, Inertia, PlaneData, SpatialBodyData, SpatialForceData, SpatialJointData, SpatialJointType,
    SpatialScenario, SpatialShapeData, SpatialSpringData,
};
use delassus::simulate::{End, Trajectory};

use super::go;

const G: f64 = 9.81;

fn ball(name: &str, position: [f64; 3], velocity: [f64; 3]) -> SpatialBodyData {
    let shape = SpatialShapeData::Sphere { radius: 0.05 };
    SpatialBodyData { name: name.to_owned(), shape, mass: Some(2.0), position, velocity, ..Default::default() }
}

fn joint(kind: SpatialJointType, between: [&str; 2], point: [f64; 3], axis: Option<[f64; 3]>) -> SpatialJointData {
    let between = between.map(str::to_owned);
    SpatialJointData { name: "joint".to_owned(), kind, between, point: Some(point), points: None, axis }
}

fn run(scene: SpatialScenario) -> Trajectory {
    go(&scene.into())
}

fn scene(step: f64, time: f64, body: Vec<SpatialBodyData>) -> SpatialScenario {
    let mut scene = SpatialScenario { body, ..Default::default() };
    (scene.integrator.step, scene.until.time, scene.until.rest) = (Some(step), Some(time), Some(false));
    scene.output.interval = Some(10.0 * step);
    scene
}

/// Energies relative to the largest kinetic energy that a fall by its size brings.
fn drift(run: &Trajectory) -> f64 {
    let energy = |k: usize| run.samples[k].energy.total();
    let largest = run.samples.iter().map(|s| s.energy.kinetic).fold(0.0, f64::max);
    (energy(run.samples.len() - 1) - energy(0)).abs() / largest
}

/// The times at which a coordinate crosses zero upwards, between samples.
fn crossings(run: &Trajectory, of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let pairs = run.samples.windows(2);
    pairs
        .filter_map(|pair| {
            let (a, b) = (of(&pair[0].q), of(&pair[1].q));
            (a < 0.0 && b >= 0.0).then(|| pair[0].time - a / (b - a) * (pair[1].time - pair[0].time))
        })
        .collect()
}

/// A joint: its kind, where it is, and its axis.
type Holds = (SpatialJointType, [f64; 3], Option<[f64; 3]>);

/// Two bodies on a spring, held together by several joints at once: a door on two hinges, or on two ball joints, is held
/// like that. Run by time-stepping; all lengths are `size` times as long, and times such that gravity does the same.
fn held_together(joints: &[Holds], size: f64) -> Trajectory {
    let long = |v: [f64; 3]| v.map(|v| size * v);
    let mut bodies = vec![ball("a", [0.0; 3], [0.0; 3]), ball("b", long([0.5, 0.1, 0.0]), [0.0; 3])];
    bodies.iter_mut().for_each(|body| body.shape = SpatialShapeData::Sphere { radius: 0.05 * size });
    bodies[1].inertia = Some(Inertia::Principal([0.01, 0.02, 0.025].map(|i| i * size * size)));
    let mut scene = scene(1e-3 * size.sqrt(), 0.3 * size.sqrt(), bodies);
    let (between, points) = (["a".to_owned(), "world".to_owned()], [long([0.0, 0.0, 0.03]), long([0.0, 0.2, 1.0])]);
    let stiffness = 100.0 / size;
    scene.spring = vec![SpatialSpringData { between, points, stiffness, damping: 0.0, length: None }];
    let one = |(k, (kind, point, axis)): (usize, &Holds)| {
        // As long as the same sides are joined, their order says nothing.
        let joint = joint(*kind, [["a", "b"], ["b", "a"]][k % 2], long(*point), *axis);
        SpatialJointData { name: format!("joint{k}"), ..joint }
    };
    scene.joint = joints.iter().enumerate().map(one).collect();
    run(scene)
}

#[test]
fn several_joints_between_two_bodies_hold_what_one_would() {
    use SpatialJointType::{Ball, Hinge, Slider, Weld};
    let (p, r) = ([0.2, 0.0, 0.1], [0.3, 0.2, 0.0]);
    let across = Some([0.1, 0.2, -0.1]);
    let along = Some([0.1, 1.0, -0.2]);
    let weld = vec![(Weld, p, None)];
    for (one, several) in [
        (vec![(Hinge, p, across)], vec![(Ball, p, None), (Ball, r, None)]),
        (vec![(Hinge, p, across)], vec![(Hinge, p, across), (Hinge, r, across)]),
        (vec![(Slider, p, along)], vec![(Slider, p, along), (Slider, r, along)]),
        (weld.clone(), vec![(Hinge, p, Some([0.0, 0.0, 1.0])), (Slider, r, Some([1.0, 0.3, 0.2]))]),
        (weld.clone(), vec![(Slider, p, Some([0.0, 0.0, 1.0])), (Weld, r, None)]),
        (weld.clone(), vec![(Weld, p, None), (Weld, r, None), (Ball, [0.0; 3], None)]),
    ] {
        let (one, several) = (held_together(&one, 1.0), held_together(&several, 1.0));
        let last = (one.last(), several.last());
        let apart = last.0.q.iter().zip(&last.1.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(several.end == End::Completed && apart < 1e-4, "{:?} {apart}", several.end);
        assert!(several.stats.joint_drift < 1e-4 && several.stats.residual < 1e-8, "{:?}", several.stats);
        assert!(!several.log.iter().any(|remark| remark.text.contains("residual")), "{:?}", several.log);
    }
}

#[test]
fn joints_are_held_alike_at_all_sizes() {
    let joints = [(SpatialJointType::Hinge, [0.2, 0.0, 0.1], Some([0.1, 0.2, -0.1]))];
    let plain = held_together(&joints, 1.0);
    for size in [1e-3, 1e3] {
        let run = held_together(&joints, size);
        let parts = run.last().q.chunks_exact(7).zip(plain.last().q.chunks_exact(7));
        let apart = |(q, p): (&[f64], &[f64])| {
            let lengths = (0..3).map(|k| (q[k] / size - p[k]).abs());
            lengths.chain((3..7).map(|k| (q[k] - p[k]).abs())).fold(0.0, f64::max)
        };
        assert!(parts.map(apart).fold(0.0, f64::max) < 1e-9, "{size}");
        let drift = run.stats.joint_drift / plain.stats.joint_drift;
        assert!((drift - 1.0).abs() < 1e-3, "{size}: {drift}");
    }
}

#[test]
fn velocities_that_a_joint_forbids_are_told() {
    // A pendulum may move across its string, not along it.
    for (velocity, told) in [([0.5, 0.0, 0.0], false), ([0.5, 0.0, -0.1], true)] {
        let mut scene = scene(1e-3, 0.01, vec![ball("bob", [0.0, 0.0, -1.0], velocity)]);
        scene.body[0].spin = [0.0, -0.5, 0.0];
        scene.joint = vec![joint(SpatialJointType::Ball, ["bob", "world"], [0.0; 3], None)];
        let run = run(scene);
        assert_eq!(run.log.iter().any(|remark| remark.text.contains("violated the joints")), told, "{:?}", run.log);
        assert!((run.last().u[0] - 0.5).abs() < 1e-3 && run.last().u[2].abs() < 0.01);
    }
}

#[test]
fn a_pendulum_on_a_hinge_or_a_ball_has_its_period() {
    for kind in [SpatialJointType::Hinge, SpatialJointType::Ball] {
        let (l, amplitude) = (1.0, 0.5f64);
        let place = [l * amplitude.sin(), 0.0, -l * amplitude.cos()];
        let mut scene = scene(1e-3, 10.0, vec![ball("bob", place, [0.0; 3])]);
        let axis = (kind == SpatialJointType::Hinge).then_some([0.0, 1.0, 0.0]);
        scene.joint = vec![joint(kind, ["bob", "world"], [0.0; 3], axis)];
        scene.output.interval = Some(1e-3);
        let run = run(scene);
        // The exact period by the arithmetic-geometric mean; the ball turns with the rod.
        let arm = l + 0.4 * 0.05 * 0.05 / l;
        let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
        for _ in 0..6 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        let period = std::f64::consts::TAU * (arm / G).sqrt() / a;
        let times = crossings(&run, |q| q[0]);
        let measured = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
        assert!((measured / period - 1.0).abs() < 2e-6, "{kind:?} {measured} {period}");
        assert!(drift(&run) < 1e-5 && run.stats.joint_drift < 1e-5, "{} {}", drift(&run), run.stats.joint_drift);
        assert!(run.closure < 1e-5, "{}", run.closure);
    }
}

#[test]
fn a_conical_pendulum_goes_round() {
    // On a rod without mass to the centre, so that the ball does not turn: Ω² = g / (l cos α).
    let (l, alpha) = (0.8f64, 0.6f64);
    let turning = (G / (l * alpha.cos())).sqrt();
    let place = [l * alpha.sin(), 0.0, -l * alpha.cos()];
    let period = std::f64::consts::TAU / turning;
    let mut scene = scene(period / 2000.0, 3.0 * period, vec![ball("bob", place, [0.0, turning * place[0], 0.0])]);
    let between = ["bob".to_owned(), "world".to_owned()];
    let kind = SpatialJointType::Rod;
    let points = Some([place, [0.0; 3]]);
    scene.joint = vec![SpatialJointData { name: "string".into(), kind, between, point: None, points, axis: None }];
    let run = run(scene);
    let last = run.samples.last().unwrap();
    assert!((0..3).all(|k| (last.q[k] - place[k]).abs() < 1e-5 * l), "{:?} {place:?}", &last.q[..3]);
    assert!(drift(&run) < 1e-8, "{}", drift(&run));
}

#[test]
fn springs_swing_and_dampers_take_energy() {
    let (k, m) = (50.0, 2.0);
    for damping in [0.0f64, 0.8] {
        let mut scene = scene(1e-3, 6.0, vec![ball("mass", [0.1, 0.0, 0.0], [0.0; 3])]);
        scene.world.gravity = delassus::scenario::SpatialGravity::Down(0.0);
        let between = ["mass".to_owned(), "world".to_owned()];
        let points = [[0.1, 0.0, 0.0], [-1.0, 0.0, 0.0]];
        scene.spring = vec![SpatialSpringData { between, points, stiffness: k, damping, length: Some(1.0) }];
        let run = run(scene);
        let (decay, omega) = (0.5 * damping / m, (k / m - (0.5 * damping / m).powi(2)).sqrt());
        let x = |t: f64| 0.1 * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
        let worst = run.samples.iter().map(|s| (s.q[0] - x(s.time)).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-3 * 0.1, "{worst}");
        assert!(run.closure < 1e-3, "{}", run.closure);
        if damping == 0.0 {
            assert!(drift(&run) < 1e-4, "{}", drift(&run));
        }
    }
}

#[test]
fn forces_push_and_moments_turn() {
    let mut scene = scene(1e-3, 2.0, vec![ball("b", [0.0; 3], [0.0; 3])]);
    scene.world.gravity = delassus::scenario::SpatialGravity::Down(0.0);
    let text = |t: &str| Formula::Text(t.to_owned());
    scene.force = vec![SpatialForceData {
        body: "b".to_owned(),
        point: None,
        force: [text("6*t"), Formula::Number(2.0), Formula::Number(0.0)],
        torque: [Formula::Number(0.0), Formula::Number(0.0), Formula::Number(1e-3)],
    }];
    let run = run(scene);
    let last = run.samples.last().unwrap();
    // x = t³/2 by 6t on 2 kg, y = t²/2; ω = τt/I.
    assert!((last.q[0] - 4.0).abs() < 1e-5 && (last.q[1] - 2.0).abs() < 1e-9, "{:?}", &last.q[..3]);
    let inertia = 0.4 * 2.0 * 0.05 * 0.05;
    assert!((last.u[5] / (1e-3 * 2.0 / inertia) - 1.0).abs() < 1e-9, "{:?}", last.u);
    let work = last.energy.applied;
    assert!((work / last.energy.kinetic - 1.0).abs() < 1e-6, "{work} {}", last.energy.kinetic);
}

#[test]
fn welded_bodies_fly_as_one_and_a_slider_slides() {
    // Two balls welded: a dumb-bell that spins freely about its common centre.
    let spin = 3.0;
    let mut bodies =
        vec![ball("a", [0.5, 0.0, 0.0], [0.0, 0.5 * spin, 0.0]), ball("b", [-0.5, 0.0, 0.0], [0.0, -0.5 * spin, 0.0])];
    bodies.iter_mut().for_each(|b| b.spin = [0.0, 0.0, spin]);
    let mut scene = scene(1e-3, 2.0, bodies);
    scene.world.gravity = delassus::scenario::SpatialGravity::Down(0.0);
    scene.joint = vec![joint(SpatialJointType::Weld, ["a", "b"], [0.0; 3], None)];
    let first = run(scene);
    let last = first.samples.last().unwrap();
    let angle: f64 = 2.0 * spin;
    assert!((last.q[0] - 0.5 * angle.cos()).abs() < 1e-4 && (last.q[1] - 0.5 * angle.sin()).abs() < 1e-4);
    // Second order: (ωh)² is 9e-6.
    assert!(drift(&first) < 1e-6, "{}", drift(&first));
    // A slider down a slope without friction: ½ g sin α t² along it.
    let alpha: f64 = 0.4;
    let axis = [alpha.cos(), 0.0, -alpha.sin()];
    let mut scene = self::scene(1e-3, 1.0, vec![ball("b", [0.0; 3], [0.0; 3])]);
    scene.joint = vec![joint(SpatialJointType::Slider, ["b", "world"], [0.0, 0.1, 0.0], Some(axis))];
    let last = run(scene).samples.last().unwrap().clone();
    let way = 0.5 * G * alpha.sin();
    assert!((0..3).all(|k| (last.q[k] - way * axis[k]).abs() < 1e-7), "{:?}", &last.q[..3]);
    assert!((last.q[3].abs() - 1.0).abs() < 1e-9);
}

#[test]
fn joints_follow_moving_supports_and_bad_ones_are_refused() {
    // A ball hung from a ceiling that moves with 0.3 m/s along x keeps up after it has been taken along.
    let mut scene = scene(1e-3, 1.0, vec![ball("b", [0.0, 0.0, -0.5], [0.3, 0.0, 0.0])]);
    let displacement = "0.3*t".to_owned();
    let motion = delassus::scenario::MotionData::Path { direction: [1.0, 0.0, 0.0], displacement };
    scene.wall = vec![PlaneData {
        name: "ceiling".to_owned(),
        point: [0.0, 0.0, 1.0],
        normal: Some([0.0, 0.0, -1.0]),
        motion: Some(motion),
        ..Default::default()
    }];
    scene.joint = vec![joint(SpatialJointType::Ball, ["b", "ceiling"], [0.0; 3], None)];
    let moved = run(scene.clone());
    let last = moved.samples.last().unwrap();
    assert!((last.q[0] - 0.3).abs() < 1e-9 && (last.q[2] + 0.5).abs() < 1e-9, "{:?}", &last.q[..3]);
    let wrong = |change: &dyn Fn(&mut SpatialJointData)| {
        let mut scene = scene.clone();
        change(&mut scene.joint[0]);
        scene.build().unwrap_err().to_string()
    };
    assert!(wrong(&|j| j.between[1] = "nobody".into()).contains("joint[0].between[1]"));
    assert!(wrong(&|j| j.kind = SpatialJointType::Hinge).contains("joint[0].axis"));
    assert!(wrong(&|j| j.point = None).contains("joint[0].point"));
    assert!(wrong(&|j| j.between[0] = "world".into()).contains("joint[0].between"));
    assert!(wrong(&|j| j.kind = SpatialJointType::Rod).contains("joint[0].point"));
}

/// A force on what a joint or friction holds in place does no work, by either scheme, with gravity and without.
#[test]
fn forces_on_what_is_held_do_no_work() {
    use delassus::scenario::SpatialGravity;
    use delassus::simulate::Scheme;
    let pushed = |force: f64, torque: f64| SpatialForceData {
        body: "b".to_owned(),
        point: None,
        force: [Formula::Number(force), Formula::Number(0.0), Formula::Number(0.0)],
        torque: [Formula::Number(0.0), Formula::Number(torque), Formula::Number(0.0)],
    };
    for scheme in [Scheme::Events, Scheme::TimeStepping] {
        // A torque on a slider, which does not turn.
        for gravity in [0.0, G] {
            let mut scene = scene(1e-3, 0.2, vec![ball("b", [0.3, 0.2, 0.1], [0.0; 3])]);
            (scene.integrator.scheme, scene.world.gravity) = (Some(scheme), SpatialGravity::Down(gravity));
            scene.joint = vec![joint(SpatialJointType::Slider, ["world", "b"], [0.3, 0.2, 0.1], Some([1.0, 0.0, 1.0]))];
            scene.force = vec![pushed(0.0, 2.0)];
            let run = run(scene);
            let applied = run.samples.last().unwrap().energy.applied;
            assert!(applied.abs() < 1e-9 && run.closure < 1e-7, "{scheme:?} {gravity} {applied} {}", run.closure);
            assert_eq!(run.end.as_str(), "completed");
        }
        // A box that is pushed and stays where it is.
        let mut scene = scene(1e-3, 0.2, vec![ball("b", [0.0, 0.0, 0.05], [0.0; 3])]);
        scene.integrator.scheme = Some(scheme);
        scene.body[0].shape = SpatialShapeData::Cuboid { size: [0.1; 3] };
        scene.ground = vec![PlaneData { name: "floor".to_owned(), ..Default::default() }];
        scene.material = vec![delassus::scenario::MaterialData { friction: Some(0.8), ..Default::default() }];
        scene.force = vec![pushed(6.0, 0.0)];
        let run = run(scene);
        let energy = run.samples.last().unwrap().energy;
        let works = [energy.applied, energy.friction, energy.impacts];
        assert!(
            works.iter().all(|work| work.abs() < 1e-9) && run.closure < 1e-7,
            "{scheme:?} {works:?} {}",
            run.closure
        );
    }
}
