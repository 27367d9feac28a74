//! Starts that trip simulators: at rest, symmetric, on the verge, in Painlevé's region.

use delassus::LawSpec;
use delassus::scenario::{BodyData, Chain, ForceData, Formula, LONGEST, Rod, Scenario, ShapeData};
use delassus::simulate::{Control, End, EventKind, Scheme, simulate};

use super::{bits, block, ground, material, run};

const G: f64 = 9.81;

#[test]
fn at_rest_it_stays() {
    for friction in [0.0, 0.5] {
        let flat = run(&block(0.2, 0.1, 0.0, material(friction, friction, 0.5)), "newton");
        assert_eq!((flat.end, flat.time), (End::AtRest, 0.0));
    }
    // Upright on one end: an equilibrium, if not a stable one.
    let upright = Scenario {
        rod: Some(Rod {
            length: 1.0,
            mass: 1.0,
            angle: std::f64::consts::FRAC_PI_2,
            height: 0.0,
            velocity: [0.0; 2],
            rate: 0.0,
        }),
        material: vec![material(0.5, 0.5, 0.0)],
        ..Scenario::default()
    };
    assert!(run(&upright, "newton").end.is_regular());
}

#[test]
fn forces_act_from_the_first_sample_on() {
    let weight = 0.02 * G;
    let flat = run(&block(0.2, 0.1, 0.0, material(0.5, 0.5, 0.5)), "newton");
    let sum: f64 = flat.start().forces.iter().map(|force| force[0]).sum();
    assert!((sum / weight - 1.0).abs() < 1e-12, "{sum}");
    let mut leaning = block(0.1, 0.4, 0.1, material(1.0, 1.0, 0.0));
    leaning.output.interval = Some(1e-6);
    leaning.until.time = Some(2e-6);
    let run = run(&leaning, "newton");
    for (first, second) in run.samples[0].forces.iter().zip(&run.samples[1].forces) {
        for (a, b) in first.iter().zip(second) {
            assert!((a - b).abs() < 1e-6 * weight, "{first:?} {second:?}");
        }
    }
    assert!(run.start().forces[0][0] > 0.5 * weight, "{:?}", run.start());
}

#[test]
fn a_flat_fall_is_symmetric() {
    let body = BodyData {
        name: "box".into(),
        shape: ShapeData::Box { width: 0.2, height: 0.1 },
        mass: Some(1.0),
        position: [0.0, 0.25],
        ..BodyData::default()
    };
    let scenario = Scenario {
        body: vec![body],
        ground: vec![ground()],
        material: vec![material(0.4, 0.4, 0.5)],
        ..Scenario::default()
    };
    for law in ["newton", "poisson", "lzb", "sequential"] {
        let run = run(&scenario, law);
        assert_eq!(run.end, End::AtRest, "{law}");
        if law != "sequential" {
            assert_eq!(run.impacts[0].contacts, [0, 1], "{law}");
            for impact in &run.impacts {
                assert!(impact.u_plus[2].abs() < 1e-8 && impact.u_plus[0].abs() < 1e-8, "{law} {:?}", impact.u_plus);
            }
        }
    }
}

#[test]
fn on_the_verge_of_slipping() {
    for offset in [-1e-12, 0.0, 1e-12] {
        let limit = 0.5;
        let beta = f64::atan(limit + offset);
        let mut line = ground();
        line.angle = Some(beta);
        let mut scenario = Scenario {
            body: vec![BodyData {
                name: "block".into(),
                shape: ShapeData::Box { width: 0.4, height: 0.1 },
                mass: Some(1.0),
                position: [-0.05 * beta.sin(), 0.05 * beta.cos()],
                angle: beta,
                ..BodyData::default()
            }],
            ground: vec![line],
            material: vec![material(0.5, limit, 0.0)],
            ..Scenario::default()
        };
        scenario.until.time = Some(1.0);
        let run = run(&scenario, "newton");
        assert!(run.end.is_regular(), "{offset} {:?}", run.log);
        assert!(run.last().u[0].abs() < 1e-9, "{offset}");
    }
}

/// A rod sliding on its lower end with supercritical friction.
fn painleve(direction: f64, rate: f64) -> Scenario {
    let angle = 2.0f64.atan();
    // Velocity of the touching end A: (direction, 0).
    let lever = [0.5 * angle.cos(), 0.5 * angle.sin()];
    let velocity = [direction - rate * lever[1], rate * lever[0]];
    let mut scenario = Scenario {
        rod: Some(Rod { length: 1.0, mass: 1.0, angle, height: 0.0, velocity, rate }),
        material: vec![material(5.0 / 3.0, 5.0 / 3.0, 0.5)],
        ..Scenario::default()
    };
    scenario.until.time = Some(0.05);
    scenario
}

#[test]
fn painleve_without_solution_is_an_impact_without_collision() {
    let mut seen = 0;
    for law in ["newton", "poisson", "lzb"] {
        for direction in [-1.0, 1.0] {
            let run = run(&painleve(direction, 0.0), law);
            assert!(run.end.is_regular(), "{law} {direction} {:?} {:?}", run.end, run.log);
            assert!(run.closure < 1e-8);
            if run.events.iter().any(|e| e.kind == EventKind::PainleveImpact) {
                seen += 1;
                let impact = &run.impacts[0];
                assert!(impact.time == 0.0 && impact.outcome.impulses()[0] > 0.01, "{law} {:?}", impact.outcome);
                // Friction brings the end to a stop.
                assert!(impact.outcome.gamma_plus[1].abs() < 1e-6, "{law} {:?}", impact.outcome.gamma_plus);
            }
        }
    }
    assert_eq!(seen, 3, "one direction of sliding per law has no solution");
}

#[test]
fn painleve_with_two_solutions_opens_and_says_so() {
    // Spinning fast enough that b = a_N without force is positive.
    let rate = 2.0 * (G / 0.5).sqrt();
    let logged = [-1.0, 1.0].map(|direction| {
        let run = run(&painleve(direction, rate), "newton");
        assert!(run.end.is_regular());
        run.events.iter().any(|e| matches!(e.kind, EventKind::PainleveChoice(_)))
    });
    assert_eq!(logged.iter().filter(|seen| **seen).count(), 1, "{logged:?}");
}

#[test]
fn overlap_is_refused_with_its_contact() {
    let mut scenario = block(0.2, 0.4, 0.1, material(0.5, 0.5, 0.5)).expand().unwrap();
    scenario.body[0].position[1] -= 1e-3;
    let built = scenario.build().unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    let error =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue);
    let message = error.unwrap_err().to_string();
    assert!(message.contains("overlap") && message.contains("contact A"), "{message}");
}

#[test]
fn interruption_keeps_what_was_computed() {
    let scenario = block(0.2, 0.4, 0.1, material(0.5, 0.5, 0.5));
    let built = scenario.build().unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    let mut observer = |progress: &delassus::simulate::Progress| {
        if progress.impacts >= 3 { Control::Stop } else { Control::Continue }
    };
    let run = simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut observer).unwrap();
    assert_eq!((run.end, run.impacts.len()), (End::Interrupted, 3));
}

#[test]
fn a_count_of_impacts_ends_the_run() {
    let mut scenario = block(0.24, 0.48, 0.12, material(0.3, 0.5, 0.8));
    scenario.until.impacts = Some(6);
    let run = run(&scenario, "lzb");
    assert_eq!((run.end, run.impacts.len()), (End::Completed, 6));
}

/// A disk that bounces for ever on a ground 1 m below, with a period of 2 √(2/g).
fn bouncing() -> Scenario {
    Scenario {
        body: vec![BodyData {
            name: "disk".into(),
            shape: ShapeData::Disk { radius: 0.1 },
            mass: Some(1.0),
            position: [0.0, 1.1],
            ..BodyData::default()
        }],
        ground: vec![ground()],
        material: vec![material(0.0, 0.0, 1.0)],
        ..Scenario::default()
    }
}

#[test]
fn without_a_time_the_end_asked_for_comes() {
    let mut scenario = bouncing();
    let usual = run(&scenario, "newton");
    assert_eq!((usual.end, usual.time), (End::Completed, 10.0));
    scenario.until.impacts = Some(12);
    let counted = run(&scenario, "newton");
    assert_eq!((counted.end, counted.impacts.len()), (End::Completed, 12));
    assert!((counted.time - 23.0 * f64::sqrt(2.0 / G)).abs() < 1e-8, "{}", counted.time);
    scenario.until.impacts = Some(0);
    let none = run(&scenario, "newton");
    assert_eq!((none.end, none.time, none.impacts.len()), (End::Completed, 0.0, 0));
    // It never rests: the longest time ends the run, and that is said.
    scenario.until.impacts = None;
    scenario.until.rest = Some(true);
    let endless = run(&scenario, "newton");
    assert_eq!((&endless.end, endless.time), (&End::TimeLimit, LONGEST));
    assert!(!endless.end.is_regular() && endless.log.iter().any(|remark| remark.text.contains("longest time")));
    // A time that is given is no such limit.
    scenario.until.time = Some(1.0);
    assert_eq!(run(&scenario, "newton").end, End::Completed);
}

#[test]
fn an_expanded_scenario_ends_as_the_short_form() {
    let short = block(0.24, 0.48, 0.12, material(0.3, 0.5, 0.8));
    let (short, full) = (short.build().unwrap(), short.expand().unwrap().build().unwrap());
    assert_eq!(short.until, full.until);
    assert!(!full.until.bound && full.until.overturned);
}

#[test]
fn units_do_not_matter() {
    // Lengths by s at the same gravity: times by √s.
    let reference = run(&block(0.24, 0.48, 0.12, material(0.3, 0.5, 0.6)), "poisson");
    for s in [1e-9, 1e9] {
        let mut scaled = block(0.24 * s, 0.48 * s, 0.12, material(0.3, 0.5, 0.6));
        scaled.until.time = Some(10.0 * s.sqrt());
        let run = run(&scaled, "poisson");
        assert_eq!(run.end, reference.end);
        for (a, b) in run.impacts.iter().zip(&reference.impacts).take(20) {
            assert!((a.time / s.sqrt() - b.time).abs() < 1e-7, "{} {}", a.time / s.sqrt(), b.time);
        }
    }
}

#[test]
fn balls_in_a_row_share_the_impact() {
    let chain = |law: &str, restitution: f64| {
        let mut scenario = Scenario {
            chain: Some(Chain { balls: Some(3), velocity: 1.0, first_gap: Some(0.01), ..Chain::default() }),
            material: vec![material(0.0, 0.0, restitution)],
            ..Scenario::default()
        };
        scenario.until.time = Some(0.02);
        let run = run(&scenario, law);
        assert_eq!(run.impacts[0].contacts.len(), 2, "{law}");
        [0, 3, 6].map(|i| run.impacts[0].u_plus[i])
    };
    let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8);
    // Newton and Poisson spread the impulse, LZB disperses it.
    assert!(close(chain("newton", 1.0), [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]));
    assert!(close(chain("lzb", 1.0), [-0.07095235365, 0.07640303907, 0.99454931458]));
}

#[test]
fn same_input_same_bits_on_any_thread() {
    let scenario = |i: usize| {
        let mut one = block(0.1 + 0.02 * i as f64, 0.3, 0.1, material(0.3, 0.5, 0.1 * i as f64));
        one.until.time = Some(2.0);
        one.output.interval = Some(0.05);
        one
    };
    let serial: Vec<Vec<u64>> = (0..6).map(|i| bits(&run(&scenario(i), "lzb"))).collect();
    let threads: Vec<_> = (0..6).map(|i| std::thread::spawn(move || bits(&run(&scenario(i), "lzb")))).collect();
    for (thread, expected) in threads.into_iter().zip(serial) {
        assert_eq!(thread.join().unwrap(), expected);
    }
}

/// An impulse without bound at the start or in the middle of a run is refused by name, whatever the scheme: steps would
/// pass over it.
#[test]
fn forces_that_are_not_finite_are_refused() {
    for (formula, time) in [("1/t", "0"), ("1/(t - 1)", "1"), ("sqrt(t - 0.5)", "0")] {
        for scheme in [Scheme::Events, Scheme::TimeStepping, Scheme::Auto] {
            let mut scenario = block(0.2, 0.1, 0.0, material(0.5, 0.5, 0.5)).expand().unwrap();
            let body = scenario.body[0].name.clone();
            let force = [Formula::Number(0.0), Formula::Text(formula.into())];
            scenario.force = vec![ForceData { body, point: None, force, torque: Formula::default() }];
            scenario.until.time = Some(2.0);
            scenario.integrator.scheme = Some(scheme);
            let error = scenario.build().unwrap_err().to_string();
            assert!(error.contains("force[0].force[1]") && error.contains(&format!("at t = {time}")), "{error}");
        }
    }
}
