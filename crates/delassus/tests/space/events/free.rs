//! Free bodies and tops by events, to the integrator's accuracy.

use super::{G, events};
use crate::{Trajectory, apart, position, scenario, spin};
use delassus::model::System;

/// Angular momentum about the centre of mass, of samples of a run of one body.
fn momenta(text: &str, run: &Trajectory) -> Vec<[f64; 3]> {
    let system = scenario(text).build().unwrap().system;
    let mut mass = vec![0.0; 36];
    let mut of = |q: &[f64], u: &[f64]| -> [f64; 3] {
        system.mass(q, &mut mass);
        std::array::from_fn(|i| (0..3).map(|j| mass[6 * (3 + i) + 3 + j] * u[3 + j]).sum())
    };
    run.samples.iter().map(|sample| of(&sample.q, &sample.u)).collect()
}

#[test]
fn a_tumbling_body_keeps_energy_and_angular_momentum() {
    let text = "[world]\ndimension = 3\ngravity = 0\n[[body]]\nname = 'rock'\nshape.cuboid.size = [0.1, 0.2, 0.4]\nmass = 3.0\n\
                inertia = [[0.05, 0.002, 0.001], [0.002, 0.04, 0.003], [0.001, 0.003, 0.02]]\nvelocity = [1, -2, 0.5]\n\
                spin = [3.0, 0.2, -1.0]\n[until]\ntime = 300.0\n[output]\ninterval = 3.0\n";
    let run = events(text);
    let (momenta, energy) = (momenta(text, &run), run.start().energy.kinetic);
    for (momentum, sample) in momenta.iter().zip(&run.samples) {
        assert!(apart(momentum, &momenta[0]) < 1e-9, "{momentum:?} {:?}", momenta[0]);
        assert!((sample.energy.kinetic - energy).abs() < 1e-9 * energy);
    }
    assert!(apart(&position(&run, 0), &[300.0, -600.0, 150.0]) < 1e-9);
    // It really tumbles.
    assert!(run.samples.iter().any(|s| s.q[3].abs() < 0.3) && run.samples.iter().any(|s| s.q[3].abs() > 0.7));
}

/// Without a moment the spin of a symmetric top goes round its angular momentum at |L|/I₁.
#[test]
fn a_symmetric_top_precesses_at_the_known_rate() {
    let (one, three, w): (f64, f64, [f64; 2]) = (0.02, 0.03, [1.0, 5.0]);
    let momentum = [one * w[0], three * w[1]];
    let size = momentum[0].hypot(momentum[1]);
    let turns = 8.0;
    let time = turns * std::f64::consts::TAU * one / size;
    let text = |time: f64| {
        format!(
            "[world]\ndimension = 3\ngravity = 0\n[[body]]\nname = 'top'\nshape.cylinder = {{ radius = 0.1, height = 0.1 }}\nmass = 1\n\
             inertia = [{one}, {one}, {three}]\nspin = [{}, 0, {}]\n[until]\ntime = {time}\n",
            w[0], w[1]
        )
    };
    // After whole turns where it was, after half a turn on the other side of L.
    let whole = events(&text(time));
    assert!(apart(&spin(&whole, 0), &[w[0], 0.0, w[1]]) < 1e-7, "{:?}", spin(&whole, 0));
    let along = (w[0] * momentum[0] + w[1] * momentum[1]) / (size * size);
    let other = [2.0 * along * momentum[0] - w[0], 0.0, 2.0 * along * momentum[1] - w[1]];
    let half = events(&text(time / (2.0 * turns)));
    assert!(apart(&spin(&half, 0), &other) < 1e-7, "{:?} {other:?}", spin(&half, 0));
}

/// A heavy top on a ball joint goes round steadily where I₁Ω² cos θ − I₃ω₃Ω + mgl = 0.
#[test]
fn a_heavy_top_on_a_ball_joint_goes_round_steadily() {
    let (mass, l, r, h, tilt, fast): (f64, f64, f64, f64, f64, f64) = (0.5, 0.12, 0.06, 0.02, 0.6, 200.0);
    let three = 0.5 * mass * r * r;
    let one = mass * (3.0 * r * r + h * h) / 12.0 + mass * l * l;
    let (sine, cosine) = tilt.sin_cos();
    let momentum = three * fast;
    let slow = (momentum - (momentum * momentum - 4.0 * one * cosine * mass * G * l).sqrt()) / (2.0 * one * cosine);
    let own = fast - slow * cosine;
    let omega = [own * sine, 0.0, slow + own * cosine];
    let time = 2.5 * std::f64::consts::TAU / slow;
    let run = events(&format!(
        "[world]\ndimension = 3\n[[body]]\nname = 'top'\nshape.cylinder = {{ radius = {r}, height = {h} }}\nmass = {mass}\n\
         position = [{}, 0, {}]\norientation = {{ axis = [0, 1, 0], angle = {tilt} }}\nvelocity = [0, {}, 0]\nspin = {omega:?}\n\
         [[joint]]\nname = 'foot'\ntype = 'ball'\nbetween = ['top', 'world']\npoint = [0, 0, 0]\n\
         [until]\ntime = {time}\n[output]\ninterval = 0.05\n",
        l * sine,
        l * cosine,
        slow * l * sine
    ));
    // Two turns and a half later on the other side, at the same height all the time.
    assert!(apart(&position(&run, 0), &[-l * sine, 0.0, l * cosine]) < 1e-7, "{:?}", position(&run, 0));
    assert!(run.samples.iter().all(|s| (s.q[2] - l * cosine).abs() < 1e-7));
    assert!(apart(&spin(&run, 0), &[-omega[0], 0.0, omega[2]]) < 1e-5, "{:?}", spin(&run, 0));
}
