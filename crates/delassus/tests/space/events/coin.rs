//! Coins: disks that roll on their rim, and lie flat.

use super::{G, body, events};
use crate::{norm, position, spin, velocity};

const R: f64 = 0.1;
/// Half of its thickness.
const B: f64 = 0.005;
const MASS: f64 = 2.0;

/// A coin that rolls steadily, its axis tilted by α from the vertical, its centre on a circle of radius X: the balance
/// of angular momentum about the centre and pure rolling give
/// Ω² (I₁ sin α cos α − I₃ sin α ((X + ρ)/R + cos α) − m H X) = −m g ρ with ρ = B sin α − R cos α, H = B cos α + R sin α.
fn steady(alpha: f64, x: f64) -> (f64, f64, f64) {
    let (s, c) = alpha.sin_cos();
    let (rho, height) = (B * s - R * c, B * c + R * s);
    let (across, axial) = (MASS * (R * R / 4.0 + B * B / 3.0), MASS * R * R / 2.0);
    let square = across * s * c - axial * s * ((x + rho) / R + c) - MASS * height * x;
    let rate = (-MASS * G * rho / square).sqrt();
    (rate, -rate / R * (x + rho), height)
}

#[test]
fn steady_rolling_on_the_rim() {
    for (alpha, x) in [(0.3f64, 0.0), (0.8, 0.0), (0.5, -0.15)] {
        let (rate, own, height) = steady(alpha, x);
        let (s, c) = alpha.sin_cos();
        // The axis through the lower end is (sin α, 0, −cos α): the body's −z, turned about y by −α.
        let w = [own * s, 0.0, rate - own * c];
        let start = format!(
            "position = [{x}, 0.0, {height}]\norientation = {{ axis = [0, 1, 0], angle = {} }}\nvelocity = [0.0, {}, 0.0]\nspin = {w:?}",
            -alpha,
            rate * x,
        );
        let shape = format!("cylinder = {{ radius = {R}, height = {} }}", 2.0 * B);
        let run = events(&body(&shape, &start, "friction = 20.0", "time = 0.5"));
        let (sine, cosine) = (rate * 0.5).sin_cos();
        let turned = |v: [f64; 3]| [v[0] * cosine - v[1] * sine, v[0] * sine + v[1] * cosine, v[2]];
        assert!(crate::apart(&position(&run, 0), &turned([x, 0.0, height])) < 1e-7, "{alpha} {:?}", position(&run, 0));
        assert!(crate::apart(&spin(&run, 0), &turned(w)) < 1e-6 * norm(w), "{alpha} {:?} {w:?}", spin(&run, 0));
        assert!(crate::apart(&velocity(&run, 0), &turned([0.0, rate * x, 0.0])) < 1e-6 * rate, "{alpha}");
        assert!(run.impacts.is_empty() && run.last().energy.friction == 0.0);
    }
}

#[test]
fn a_coin_that_nutates_keeps_its_energy_while_it_rolls() {
    let alpha = 0.8f64;
    let (rate, own, height) = steady(alpha, 0.0);
    // Rolling as before, a tenth faster: no longer steady.
    let (s, c) = alpha.sin_cos();
    let w = [1.1 * own * s, 0.0, 1.1 * (rate - own * c)];
    let start = format!(
        "position = [0.0, 0.0, {height}]\norientation = {{ axis = [0, 1, 0], angle = {} }}\nspin = {w:?}",
        -alpha
    );
    let shape = format!("cylinder = {{ radius = {R}, height = {} }}", 2.0 * B);
    let run = events(&(body(&shape, &start, "friction = 3.0", "time = 1.0") + "[output]\ninterval = 0.01\n"));
    let energy = run.start().energy.total();
    assert!(run.samples.iter().all(|sample| (sample.energy.total() - energy).abs() < 1e-8 * energy));
    let (low, high) = run.samples.iter().fold((height, height), |(a, b), s| (s.q[2].min(a), s.q[2].max(b)));
    assert!(high - low > 0.02 * height && run.impacts.is_empty(), "{low} {high} {height}");
}

/// A tilted coin that slides with strong friction jams: its normal force grows beyond all bounds while it still slides. An
/// impact without collision stops the slide, and the coin rolls on. Time-stepping, whose energies differ by a first order in the
/// step, comes to the same.
#[test]
fn a_slide_that_jams_goes_on_by_an_impact_without_collision() {
    for mu in [1.5, 3.0, 10.0] {
        let text = |scheme: &str| {
            format!(
                "[world]\ndimension = 3\n[coin]\nradius = 0.04\nthickness = 0.004\nmass = 0.4\ntilt = 0.5\nprecession = 25.0\n\
                 [material]\nfriction = {mu}\n[integrator]\n{scheme}\n[until]\ntime = 0.05\n"
            )
        };
        let run = events(&text("scheme = 'events'"));
        assert_eq!((run.end.as_str(), run.impacts.len()), ("completed", 1), "{mu}: {:?}", run.log);
        assert!(run.log.iter().any(|remark| remark.text.contains("impact without collision")), "{mu}: {:?}", run.log);
        let energy = |step: f64| {
            let stepped = crate::run(&text(&format!("scheme = 'time-stepping'\nstep = {step}")));
            stepped.samples.last().unwrap().energy.total()
        };
        let limit = 2.0 * energy(2.5e-5) - energy(5e-5);
        let end = run.samples.last().unwrap().energy;
        assert!((end.total() - limit).abs() < 1e-5 && end.impacts <= 0.0, "{mu}: {} {limit} {end:?}", end.total());
    }
}

#[test]
fn a_coin_falls_flat_and_rests() {
    let shape = format!("cylinder = {{ radius = {R}, height = {} }}", 2.0 * B);
    // Dropped flat; let go on its edge.
    let (s, c) = 0.4f64.sin_cos();
    for start in [
        "position = [0.0, 0.0, 0.1]".to_owned(),
        format!("position = [0.0, 0.0, {}]\norientation = {{ axis = [0, 1, 0], angle = -0.4 }}", B * c + R * s),
    ] {
        let run = events(&body(&shape, &start, "friction = 0.5\nrestitution = 0.3", "time = 3.0"));
        assert_eq!(run.end.as_str(), "at-rest", "{:?}", run.log);
        assert!((position(&run, 0)[2] - B).abs() < 1e-9, "{:?}", position(&run, 0));
    }
}
