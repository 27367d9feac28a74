//! Motions that are known exactly.

use delassus::LawSpec;
use delassus::model::{DoublePendulum, Sources, Surface};
use delassus::scenario::{BodyData, Rod, Scenario, ShapeData};
use delassus::simulate::{Control, End, EventKind, Settings, Until, simulate};

use super::{block, ground, material, run};

const G: f64 = 9.81;

fn ball(height: f64, restitution: f64) -> Scenario {
    Scenario {
        body: vec![BodyData {
            name: "ball".into(),
            shape: ShapeData::Disk { radius: 0.1 },
            mass: Some(1.0),
            position: [0.0, height + 0.1],
            ..BodyData::default()
        }],
        ground: vec![ground()],
        material: vec![material(0.0, 0.0, restitution)],
        ..Scenario::default()
    }
}

#[test]
fn bouncing_ball() {
    let (h, e) = (1.0, 0.8);
    let mut scenario = ball(h, e);
    scenario.output.interval = Some(0.01);
    for law in ["newton", "poisson", "lzb", "moreau", "sequential"] {
        let run = run(&scenario, law);
        assert_eq!(run.end, End::AtRest, "{law} {:?}", run.log);
        let v0 = (2.0 * G * h).sqrt();
        let (mut time, mut speed) = (v0 / G, v0);
        for impact in &run.impacts {
            // Small hops lose digits: round-off of 1e-17 m at 1e-5 m/s, in each of them. LZB
            // itself answers to 1e-9.
            let tolerance = if law == "lzb" { 1e-8 } else { 1e-11 };
            assert!((impact.time - time).abs() < tolerance, "{law} {} {time}", impact.time);
            assert!((impact.u_minus[1] + speed).abs() < 10.0 * tolerance, "{law}");
            speed *= e;
            time += 2.0 * speed / G;
        }
        assert!(run.impacts.len() > 50 && run.impacts.last().unwrap().inelastic);
        // The rest of the series is cut at the accumulation speed 1e-5 √(gℓ).
        let end = v0 / G * (1.0 + e) / (1.0 - e);
        let cut = 2.0 * 1e-5 * (G * 0.1).sqrt() / G / (1.0 - e);
        assert!(run.time < end + 1e-8 && run.time > end - cut, "{law} {} {end}", run.time);
        assert!(run.closure < 1e-11, "{law} {}", run.closure);
        // Every sample lies on its parabola, apexes included.
        let mut flying = 0;
        for sample in &run.samples {
            let Some(last) = run.impacts.iter().rfind(|i| i.time <= sample.time) else { continue };
            if last.inelastic {
                continue;
            }
            let s = sample.time - last.time;
            let expected = 0.1 + last.u_plus[1] * s - 0.5 * G * s * s;
            assert!((sample.q[1] - expected).abs() < 1e-12, "{law} at {}", sample.time);
            flying += 1;
        }
        assert!(flying > 50, "{law}: {flying}");
    }
}

/// ∫₀^{θ₀} dθ / (p √(2(cos(α−θ₀) − cos(α−θ)))), with θ = θ₀(1 − s²) against the singular end.
fn quarter_period(alpha: f64, p: f64, theta: f64) -> f64 {
    let f = |s: f64| {
        let x = theta * (1.0 - s * s);
        // cos(α−θ₀) − cos(α−θ) as a product keeps its digits.
        let difference = 2.0 * (0.5 * (theta - x)).sin() * (alpha - 0.5 * (theta + x)).sin();
        2.0 * theta * s / (p * (2.0 * difference).sqrt())
    };
    let n = 2000;
    let h = 1.0 / f64::from(n);
    // Midpoints with one step of extrapolation: the integrand is smooth and even in s.
    let sum = |n: i32, h: f64| (0..n).map(|k| f((f64::from(k) + 0.5) * h)).sum::<f64>() * h;
    (9.0 * sum(3 * n, h / 3.0) - sum(n, h)) / 8.0
}

#[test]
fn housner() {
    for (width, height) in [(0.1, 0.6), (0.2, 0.8), (0.3, 0.3), (0.3, 0.22)] {
        let alpha = f64::atan(width / height);
        let theta = 0.5 * alpha;
        let run = run(&block(width, height, theta, material(3.0, 3.0, 0.0)), "newton");
        assert_eq!(run.end, End::AtRest, "{width} {height} {:?}", run.log);
        let radius = 0.5 * width.hypot(height);
        let p = (0.75 * G / radius).sqrt();
        let exact = quarter_period(alpha, p, theta);
        assert!((run.impacts[0].time / exact - 1.0).abs() < 1e-9, "{} {exact}", run.impacts[0].time);
        let ratio = 1.0 - 1.5 * alpha.sin().powi(2);
        for impact in run.impacts.iter().filter(|i| !i.inelastic) {
            let found = impact.u_plus[2] / impact.u_minus[2];
            assert!((found - ratio).abs() < 1e-10, "{found} {ratio}");
        }
        assert!(run.closure < 1e-8, "{}", run.closure);
        if width == 0.1 {
            let linear = (1.0 / (1.0 - theta / alpha)).acosh() / p;
            assert!((0.0005..0.003).contains(&(1.0 - linear / exact)), "{}", 1.0 - linear / exact);
        }
    }
}

#[test]
fn however_strong_friction_is_the_corner_sticks() {
    let housner = |friction: f64| {
        let mut scenario = block(0.1, 0.6, 0.1, material(friction, friction, 0.0));
        scenario.until.time = Some(10.0);
        run(&scenario, "newton")
    };
    let plain = housner(2.0);
    assert_eq!(plain.impacts.len(), 74);
    for friction in [1e2, 1e4, 1e6, 1e9, 1e12, 1e15] {
        let strong = housner(friction);
        let odd = strong.events.iter().find(|event| event.kind == EventKind::PainleveImpact);
        assert!(odd.is_none(), "{friction:e}: {odd:?}");
        assert_eq!(strong.impacts.len(), plain.impacts.len(), "{friction:e}");
        for (a, b) in strong.impacts.iter().zip(&plain.impacts) {
            assert!((a.time - b.time).abs() < 1e-8, "{friction:e}: {} {}", a.time, b.time);
        }
    }
}

#[test]
fn rod_falls_from_stick() {
    let (length, mass, angle, limit) = (1.0, 1.0, 1.2, 0.35);
    let scenario = Scenario {
        rod: Some(Rod { length, mass, angle, height: 0.0, velocity: [0.0; 2], rate: 0.0 }),
        material: vec![material(0.3, limit, 0.0)],
        ..Scenario::default()
    };
    let run = run(&scenario, "newton");
    // About the sticking end: ω² = (3g/ℓ)(sin φ₀ − sin φ), φ̈ = −(3g/2ℓ) cos φ.
    let excess = |phi: f64| {
        let square = 3.0 * G / length * (angle.sin() - phi.sin());
        let turn = -1.5 * G / length * phi.cos();
        let pressure = G + 0.5 * length * (turn * phi.cos() - square * phi.sin());
        let pull = 0.5 * length * (-turn * phi.sin() - square * phi.cos());
        limit * pressure - pull.abs()
    };
    let (mut high, mut low) = (angle, 0.5);
    assert!(excess(high) > 0.0);
    // The first crossing on the way down.
    let steps = 10_000;
    for k in 1..=steps {
        let phi = angle - (angle - 0.5) * f64::from(k) / f64::from(steps);
        if excess(phi) < 0.0 {
            low = phi;
            break;
        }
        high = phi;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { high = middle } else { low = middle }
    }
    let slip = run.events.iter().find(|e| matches!(e.kind, EventKind::Slip(_))).expect("it slips");
    let mut until = scenario.clone();
    until.until.time = Some(slip.time);
    let there = super::run(&until, "newton");
    assert!((there.last().q[2] - low).abs() < 1e-8, "{} {low}", there.last().q[2]);
    assert!(run.closure < 1e-8, "{}", run.closure);
}

fn slope(tangent: f64, speed: f64) -> Scenario {
    let beta = tangent.atan();
    let mut line = ground();
    line.angle = Some(beta);
    Scenario {
        body: vec![BodyData {
            name: "block".into(),
            shape: ShapeData::Box { width: 0.4, height: 0.1 },
            mass: Some(1.0),
            position: [-0.05 * beta.sin(), 0.05 * beta.cos()],
            angle: beta,
            velocity: [speed * beta.cos(), speed * beta.sin()],
            ..BodyData::default()
        }],
        ground: vec![line],
        material: vec![material(0.3, 0.5, 0.0)],
        ..Scenario::default()
    }
}

#[test]
fn block_on_a_slope() {
    // Up the slope it stops and stays where tan β < μ_s.
    let beta = 0.4f64.atan();
    let up = run(&slope(0.4, 2.0), "newton");
    assert_eq!(up.end, End::AtRest, "{:?}", up.log);
    let deceleration = G * (beta.sin() + 0.3 * beta.cos());
    assert!((up.time - 2.0 / deceleration).abs() < 1e-9, "{} {}", up.time, 2.0 / deceleration);
    let path = 2.0 / deceleration;
    let expected = path * beta.cos() - 0.05 * beta.sin();
    assert!((up.last().q[0] - expected).abs() < 1e-9);
    assert!((up.last().energy.friction + 0.3 * G * beta.cos() * path).abs() < 1e-9);

    // From rest it stays at 0.4 and slides at 0.6 with kinetic friction.
    assert_eq!(run(&slope(0.4, 0.0), "newton").end, End::AtRest);
    let mut down = slope(0.6, 0.0);
    down.until.time = Some(1.0);
    let down = run(&down, "newton");
    let beta = 0.6f64.atan();
    let acceleration = G * (beta.sin() - 0.3 * beta.cos());
    let speed = down.last().u[0].hypot(down.last().u[1]);
    assert!((speed / acceleration - 1.0).abs() < 1e-10, "{speed} {acceleration}");
}

#[test]
fn errors_fall_at_the_order_of_the_method() {
    let surface = Surface {
        friction: 0.0,
        friction_static: 0.0,
        restitution: 0.0,
        restitution_tangential: 0.0,
        stiffness: 1.0,
        sources: Sources::default(),
    };
    let system = DoublePendulum::new([1.0, 2.0], [1.0, 0.7], 10.0, G, surface).unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    let angle = |tolerance: f64, step: Option<f64>| {
        let settings = Settings { tolerance, max_step: step, ..Settings::default() };
        let run =
            simulate(&system, &[1.0, 0.5], &[0.0, 1.0], &law, &settings, &Until::time(1.0), &mut |_| Control::Continue);
        let run = run.unwrap();
        ([run.last().q[0], run.last().q[1]], run.closure)
    };
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let exact = angle(1e-14, Some(1e-3)).0;
    // Fixed steps: order 5 at least (6 to 7 here, where the leading terms nearly cancel).
    let errors: Vec<f64> = [0.04, 0.02, 0.01].iter().map(|h| distance(angle(1e-1, Some(*h)).0, exact)).collect();
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 4.7, "order {order} of {errors:?}");
    }
    // Adaptive steps: the error follows the tolerance, and so does the energy.
    let mut last = f64::INFINITY;
    for tolerance in [1e-5, 1e-7, 1e-9, 1e-11] {
        let (value, closure) = angle(tolerance, None);
        let error = distance(value, exact);
        assert!(error < 100.0 * tolerance && error < last, "{tolerance} {error}");
        assert!(closure < 100.0 * tolerance, "{tolerance} {closure}");
        last = error;
    }
}
