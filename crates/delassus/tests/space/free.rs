//! Free flight keeps what mechanics keeps.

use super::{go, run, scenario};
use delassus::model::System;

/// A body without symmetry that tumbles.
const TUMBLING: &str = "[world]\ndimension = 3\ngravity = 0\n[[body]]\nname = 'rock'\nshape.cuboid.size = [0.1, 0.2, 0.4]\nmass = 3.0\n\
     inertia = [[0.05, 0.002, 0.001], [0.002, 0.04, 0.003], [0.001, 0.003, 0.02]]\nvelocity = [1.0, -2.0, 0.5]\n\
     spin = [3.0, 0.2, -1.0]\n[integrator]\nstep = 0.01\n[until]\ntime = 10000.0\n[output]\ninterval = 100.0\n";

/// Angular momentum of one body in space.
fn spatial_momentum(system: &dyn System, q: &[f64], u: &[f64]) -> [f64; 3] {
    let mut mass = vec![0.0; 36];
    system.mass(q, &mut mass);
    std::array::from_fn(|i| (0..3).map(|j| mass[6 * (3 + i) + 3 + j] * u[3 + j]).sum())
}

#[test]
fn energy_and_angular_momentum_stay_over_many_steps() {
    let scenario = scenario(TUMBLING);
    let system = scenario.build().unwrap().system;
    let run = go(&scenario);
    let momentum = |q: &[f64], u: &[f64]| spatial_momentum(&system, q, u);
    let start = momentum(&run.start().q, &run.start().u);
    let energy = run.start().energy.kinetic;
    assert_eq!(run.stats.steps, 1_000_000);
    for sample in &run.samples {
        let here = momentum(&sample.q, &sample.u);
        assert!(super::apart(&here, &start) < 1e-10, "{here:?} {start:?}");
        assert!((sample.energy.kinetic - energy).abs() < 1e-10 * energy);
        let length: f64 = sample.q[3..].iter().map(|v| v * v).sum();
        assert!((length - 1.0).abs() < 1e-14);
        assert!(super::apart(&sample.u[..3], &[1.0, -2.0, 0.5]) == 0.0);
    }
    // It really tumbles.
    assert!(run.samples.iter().any(|s| s.q[3].abs() < 0.3) && run.samples.iter().any(|s| s.q[3].abs() > 0.7));
}

#[test]
fn moments_change_angular_momentum_by_what_they_are() {
    // A moment that grows with time, of a body without symmetry; second order in the step.
    let after = |step: f64| {
        let text = TUMBLING.replace("step = 0.01", &format!("step = {step}")).replace("time = 10000.0", "time = 2.0");
        let text = text.replace("interval = 100.0", "interval = 0.5");
        let scenario = scenario(&format!("{text}[[force]]\nbody = 'rock'\ntorque = ['0.1*t', -0.05, 0.02]\n"));
        (scenario.build().unwrap().system, go(&scenario))
    };
    let (system, coarse) = after(0.01);
    let start = spatial_momentum(&system, &coarse.start().q, &coarse.start().u);
    for sample in &coarse.samples {
        let t = sample.time;
        let gained = [0.05 * t * t, -0.05 * t, 0.02 * t];
        let expected: [f64; 3] = std::array::from_fn(|k| start[k] + gained[k]);
        let here = spatial_momentum(&system, &sample.q, &sample.u);
        assert!(super::apart(&here, &expected) < 1e-12, "{here:?} {expected:?}");
    }
    assert!(coarse.closure < 1e-12, "{:e}", coarse.closure);
    let runs = [0.01, 0.005, 0.0025].map(|step| after(step).1.last().q.clone());
    let [first, second] = [0, 1].map(|k| super::apart(&runs[k], &runs[k + 1]));
    assert!(first < 1e-2 && (3.5..4.5).contains(&(first / second)), "{first:e} {second:e}");
}

#[test]
fn a_symmetric_top_precesses_at_the_known_rate() {
    // ω₁ of the body frame turns at (I₃ − I₁)/I₁ ω₃; second order in the step.
    let (one, three, spin): (f64, f64, f64) = (0.02, 0.03, 5.0);
    let time = 2.0;
    let error = |step: f64| {
        let run = run(&format!(
            "[world]\ndimension = 3\ngravity = 0\n[[body]]\nname = 'top'\nshape.cylinder = {{ radius = 0.1, height = 0.1 }}\nmass = 1.0\n\
             inertia = [{one}, {one}, {three}]\nspin = [1.0, 0.0, {spin}]\n[integrator]\nstep = {step}\n[until]\ntime = {time}\n"
        ));
        let (q, u) = (&run.last().q, &run.last().u);
        // ω in the body frame.
        let (w, v) = (q[3], [q[4], q[5], q[6]]);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let omega = [u[3], u[4], u[5]];
        let back = v.map(|x| -x);
        let t = cross(back, omega).map(|x| 2.0 * x);
        let (a, b) = (t.map(|x| w * x), cross(back, t));
        let local: [f64; 3] = std::array::from_fn(|i| omega[i] + a[i] + b[i]);
        let angle = (three - one) / one * spin * time;
        (local[0] - angle.cos()).hypot(local[1] - angle.sin())
    };
    let (coarse, fine) = (error(0.01), error(0.005));
    assert!(fine < 5e-3 && (3.5..4.5).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn a_thrown_body_follows_its_parabola_exactly() {
    let run = run(
        "[world]\ndimension = 3\n[[body]]\nname = 'stone'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [1.0, 2.0, 3.0]\n\
         velocity = [4.0, 5.0, 6.0]\n[integrator]\nstep = 0.03\n[until]\ntime = 2.0\n",
    );
    let t: f64 = 2.0;
    let exact = [1.0 + 4.0 * t, 2.0 + 5.0 * t, 3.0 + 6.0 * t - 0.5 * 9.81 * t * t];
    assert!(super::apart(&super::position(&run, 0), &exact) < 1e-12);
    assert!(run.closure < 1e-13 && run.time == 2.0);
}
