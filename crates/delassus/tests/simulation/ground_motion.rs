//! Blocks on moving grounds: closed forms and an independent integration.

use std::f64::consts::{FRAC_PI_2, TAU};

use delassus::model::{AccelerationUnit, PulseShape, STANDARD_GRAVITY, System};
use delassus::scenario::{Gravity, MotionData, RecordSource, Scenario};
use delassus::simulate::{End, EventKind, Trajectory};

use super::rocking_reference::Block;
use super::{block, ground, material, run};

const G: f64 = 9.81;
const X: [f64; 2] = [1.0, 0.0];
const Y: [f64; 2] = [0.0, 1.0];

/// A record given in the scenario.
fn record(direction: [f64; 2], interval: f64, units: AccelerationUnit, acceleration: Vec<f64>) -> MotionData {
    let units = Some(units);
    let interval = Some(interval);
    MotionData::Record(RecordSource {
        direction,
        file: None,
        component: None,
        source: None,
        units,
        interval,
        acceleration,
        scale: 1.0,
    })
}

/// A block at rest on a rough ground that moves; impacts without restitution are Housner's.
fn shaken(width: f64, height: f64, motion: MotionData) -> Scenario {
    let mut scenario = block(width, height, 0.0, material(20.0, 20.0, 0.0));
    let mut line = ground();
    line.motion = Some(motion);
    scenario.ground = vec![line];
    scenario
}

fn first(run: &Trajectory, wanted: fn(EventKind) -> bool) -> f64 {
    run.events.iter().find(|event| wanted(event.kind)).map_or(f64::NAN, |event| event.time)
}

#[test]
fn rocking_begins_at_g_tan_alpha() {
    // The acceleration grows in time; the samples do not lie where it matters.
    for (width, height, slope, interval) in [(0.1, 0.6, 1.0, 0.7), (0.3, 0.9, -2.0, 0.31), (0.2, 1.1, 0.4, 0.013)] {
        let samples = (0..(12.0 / interval) as usize).map(|k| slope * k as f64 * interval).collect();
        let mut scenario = shaken(width, height, record(X, interval, AccelerationUnit::Metre, samples));
        scenario.until.time = Some(11.0);
        let run = run(&scenario, "newton");
        let onset = first(&run, |kind| matches!(kind, EventKind::TakeOff(_)));
        let exact = G * width / height / f64::abs(slope);
        assert!((onset - exact).abs() < 1e-8, "{onset} {exact}");
        // The ground goes forwards, the block falls backwards.
        assert!(run.last().q[2] * slope > 0.0);
    }
}

#[test]
fn sliding_begins_at_the_static_limit() {
    let (slope, limit, kinetic) = (1.5, 0.5, 0.4);
    let mut scenario = shaken(0.6, 0.2, record(X, 4.0, AccelerationUnit::Metre, vec![0.0, slope * 4.0]));
    scenario.material = vec![material(kinetic, limit, 0.0)];
    scenario.until.time = Some(4.0);
    let run = run(&scenario, "newton");
    let onset = first(&run, |kind| matches!(kind, EventKind::Slip(_)));
    let exact = limit * G / slope;
    assert!((onset - exact).abs() < 1e-8, "{onset} {exact}");
    let speed = 0.5 * slope * exact * exact + kinetic * G * (4.0 - exact);
    assert!((run.last().u[0] - speed).abs() < 1e-8, "{} {speed}", run.last().u[0]);
    assert!(run.closure < 1e-9, "{}", run.closure);
}

fn pulse(shape: PulseShape, acceleration: f64, period: f64) -> MotionData {
    MotionData::Pulse { direction: X, shape, acceleration, period, start: 0.0 }
}

/// Runs a block under a one-cosine pulse and follows the same by the second integration.
fn one_cosine(block: &Block, acceleration: f64, period: f64) -> (Trajectory, super::rocking_reference::Course) {
    let motion = pulse(PulseShape::OneCosine, acceleration, period);
    let mut scenario = shaken(block.width, block.height, motion);
    scenario.output.interval = Some(period / 20.0);
    let run = run(&scenario, "newton");
    let h = period / 2000.0;
    let ground = |k: usize, t: f64| [if k < 2000 { acceleration * (TAU * t / period).cos() } else { 0.0 }, 0.0];
    (run, block.rock(&ground, h, 20_000, 12))
}

#[test]
fn a_pulse_overturns_with_an_impact_and_without_and_not_in_between() {
    let block = Block { width: 0.2, height: 1.0, gravity: G };
    let unit = G * block.slenderness();
    for (amplitude, impacts) in
        [(1.2, None), (2.4, Some(1)), (-3.6, Some(1)), (5.0, None), (6.0, Some(0)), (-8.0, Some(0))]
    {
        let (run, reference) = one_cosine(&block, amplitude * unit, 0.8);
        assert_eq!(run.end == End::Overturned, impacts.is_some(), "{amplitude}: {:?} {:?}", run.end, run.log);
        assert_eq!(reference.overturned.is_some(), impacts.is_some(), "{amplitude}");
        if let Some(count) = impacts {
            // The last impact may be that of the side on the ground. Late in its fall the corner
            // slips or leaves the ground, which the second integration does not know.
            let before = run.impacts.iter().filter(|impact| impact.time < run.time).count();
            assert_eq!((before, reference.impacts.len()), (count, count), "{amplitude}");
        }
        let falling = |angle: f64| angle.abs() > 0.7 && impacts.is_some();
        let samples =
            run.samples.iter().enumerate().take_while(|(k, sample)| {
                100 * k < reference.angles.len() && !falling(sample.q[2]) && sample.time < 1.5
            });
        for (k, sample) in samples {
            let other = reference.angles[100 * k];
            assert!((sample.q[2] - other).abs() < 1e-6, "{amplitude}: {} {} {other}", sample.time, sample.q[2]);
        }
        for (ours, other) in run.impacts.iter().zip(&reference.impacts) {
            assert!((ours.time - other).abs() < 1e-6, "{amplitude}: {} {other}", ours.time);
        }
    }
}

#[test]
fn overturning_without_impact_begins_at_the_linear_limit() {
    // θ̈ − p²θ = p²(a/g) cos ωt − p²α over one period, θ and θ̇ zero before: the growing part
    // vanishes for a = gα (1 + ω²/p²)/(1 − exp(−pT)).
    let block = Block { width: 0.02, height: 1.0, gravity: G };
    let (alpha, p, period) = (block.slenderness(), block.frequency(), 0.8);
    let limit = G * alpha * (1.0 + (TAU / period / p).powi(2)) / (1.0 - (-p * period).exp());
    let (above, _) = one_cosine(&block, 1.002 * limit, period);
    let impacts = above.impacts.iter().filter(|impact| impact.time < above.time).count();
    assert_eq!((&above.end, impacts), (&End::Overturned, 0), "{:?}", above.log);
    let (below, _) = one_cosine(&block, 0.998 * limit, period);
    assert!(below.impacts.iter().any(|impact| impact.time < below.time));
}

/// A shaking of two directions with many frequencies, in g, rounded as files are.
fn shaking(strength: f64, seed: f64, points: usize, interval: f64) -> Vec<f64> {
    let value = |k: usize| {
        let t = k as f64 * interval;
        let envelope = (t / 2.0).min(1.0) * (-0.15 * t).exp();
        let waves = (1..8).map(|j| (f64::from(j) * (4.0 + seed) * t + f64::from(j * j) * seed).sin());
        (1e7 * strength * envelope * waves.sum::<f64>()).round() * 1e-7
    };
    (0..points).map(value).collect()
}

#[test]
fn impacts_under_a_record_agree_with_the_second_integration() {
    let (interval, points, gravity) = (0.01, 1501, STANDARD_GRAVITY);
    let block = Block { width: 0.25, height: 1.2, gravity };
    let (east, up) = (shaking(0.16, 0.7, points, interval), shaking(0.08, 1.9, points, interval));
    for vertical in [false, true] {
        let mut parts = vec![record(X, interval, AccelerationUnit::G, east.clone())];
        if vertical {
            parts.push(record(Y, interval, AccelerationUnit::G, up.clone()));
        }
        let mut scenario = shaken(block.width, block.height, MotionData::Several(parts));
        scenario.world.gravity = Gravity::Down(gravity);
        assert_eq!(scenario.expand().unwrap().until.time, Some(25.0));
        let run = run(&scenario, "newton");
        // Ten steps an interval; linear between samples.
        let h = 0.1 * interval;
        let ground = |k: usize, t: f64| {
            let i = k / 10;
            let along = |a: &[f64]| match a.get(i + 1) {
                Some(next) => gravity * (a[i] + (t / interval - i as f64) * (next - a[i])),
                None => 0.0,
            };
            [along(&east), if vertical { along(&up) } else { 0.0 }]
        };
        let reference = block.rock(&ground, h, 10 * (points - 1), 8);
        let onset = first(&run, |kind| matches!(kind, EventKind::TakeOff(_)));
        assert!((onset - reference.onset.unwrap()).abs() < 1e-6, "{onset} {:?}", reference.onset);
        assert!(run.impacts.len() >= 8 && reference.impacts.len() == 8, "{} {reference:?}", run.impacts.len());
        for (ours, other) in run.impacts.iter().zip(&reference.impacts) {
            assert!((ours.time - other).abs() < 1e-6, "{vertical}: {} {other}", ours.time);
        }
        assert!(run.closure < 1e-8, "{}", run.closure);
        assert!(!run.log.iter().any(|remark| remark.text.contains("its g is")));
    }
}

#[test]
fn a_run_ends_at_rest_on_a_ground_that_drifts_away() {
    // The record leaves a velocity of 0.015 m/s: its baseline was not corrected.
    let samples = vec![0.0, 3.0, -3.0, 3.0, -3.0, 1.5];
    let scenario = shaken(0.5, 0.5, record(X, 0.01, AccelerationUnit::Metre, samples));
    let built = scenario.build().unwrap();
    let summary = &built.system.records()[0];
    let run = run(&scenario, "newton");
    assert_eq!(run.end, End::AtRest, "{:?}", run.log);
    assert!(run.time >= 0.05 && run.time < 0.06, "{}", run.time);
    assert!((run.last().u[0] - summary.end_velocity).abs() < 1e-12 && summary.end_velocity.abs() > 1e-3);
    // Something is to be seen though everything rests at first.
    assert!((run.last().q[0] - 0.25 - summary.end_displacement).abs() < 1e-9);
}

#[test]
fn an_expression_is_the_motion_it_describes() {
    let harmonic = MotionData::Harmonic { direction: X, amplitude: 0.12, frequency: 1.1, phase: 0.4 };
    let displacement = "0.12*sin(2*pi*1.1*t + 0.4)".to_owned();
    let path = MotionData::Path { direction: X, displacement };
    let [a, b] = [harmonic, path].map(|motion| {
        let mut scenario = shaken(0.2, 1.0, motion);
        scenario.until.time = Some(3.0);
        run(&scenario, "newton")
    });
    assert!(a.impacts.len() >= 2 && a.impacts.len() == b.impacts.len(), "{} {}", a.impacts.len(), b.impacts.len());
    for (a, b) in a.impacts.iter().zip(&b.impacts) {
        assert!((a.time - b.time).abs() < 1e-8, "{} {}", a.time, b.time);
    }
    let wrong = |text: &str| {
        let path = MotionData::Path { direction: X, displacement: text.to_owned() };
        shaken(0.2, 1.0, path).build().unwrap_err().to_string()
    };
    assert!(wrong("0.1*step(t-1)").contains("ground[0].motion.path.displacement = \"0.1*step(t-1)\": must be smooth"));
    assert!(wrong("sqrt(5-t)").contains("is not a finite number at t = 5"));
    assert!(wrong("2*").contains("ends too early"));
}

#[test]
fn an_acceleration_as_an_expression_is_integrated_from_rest() {
    // A (cos ωt − 1) begins at rest.
    let harmonic = MotionData::Harmonic { direction: X, amplitude: 0.12, frequency: 1.1, phase: FRAC_PI_2 };
    let shake = |text: &str| MotionData::Shake { direction: X, acceleration: text.to_owned() };
    let [a, b] = [harmonic, shake("-0.12*(2*pi*1.1)^2*cos(2*pi*1.1*t)")].map(|motion| {
        let mut scenario = shaken(0.2, 1.0, motion);
        scenario.until.time = Some(3.0);
        run(&scenario, "newton")
    });
    assert!(a.impacts.len() >= 2 && a.impacts.len() == b.impacts.len(), "{} {}", a.impacts.len(), b.impacts.len());
    for (a, b) in a.impacts.iter().zip(&b.impacts) {
        assert!((a.time - b.time).abs() < 1e-8, "{} {}", a.time, b.time);
    }
    let wrong = |text: &str| shaken(0.2, 1.0, shake(text)).build().unwrap_err().to_string();
    assert!(wrong("abs(t-1)").contains("ground[0].motion.shake.acceleration = \"abs(t-1)\": must be smooth"));
    assert!(wrong("sin(1e6*t)").contains("too often to be integrated"));
}

#[test]
fn doubts_about_records_are_told() {
    let remarks = |motion: MotionData, time: Option<f64>| {
        let mut scenario = shaken(0.5, 0.5, motion);
        scenario.until.time = time;
        scenario.build().unwrap().system.remarks().join("\n")
    };
    let strong = record(X, 1.0, AccelerationUnit::G, vec![0.0, 4.0, 0.0]);
    let text = remarks(strong.clone(), Some(1.5));
    assert!(text.contains("the record: its peak of 4.000 g is above 3 g"), "{text}");
    assert!(text.contains("its g is 9.80665 m/s², but gravity here is 9.81"), "{text}");
    assert!(text.contains("the run ends at 1.5 s, the record lasts 2 s"), "{text}");
    let weak = record(X, 1.0, AccelerationUnit::Metre, vec![0.0, 5e-4, 0.0]);
    assert!(remarks(weak, None).contains("is below 1e-4 g"));
    assert_eq!(remarks(record(X, 1.0, AccelerationUnit::Metre, vec![0.0, 2.0]), None), "");
}
