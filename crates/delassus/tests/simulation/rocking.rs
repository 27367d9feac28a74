//! The scenarios behind Figs. 4, 5 and 9 of Zhang, Brogliato, Liu 2012, with
//! L = 0.1 m, θ(0) = 0.2 rad, m = 0.02 kg, η = 3/2, equal stiffness.

use delassus::simulate::{ContactMode, End, Trajectory};

use super::{block, material, run};

const WIDTH: f64 = 0.1;
const FRICTIONS: [(f64, f64); 3] = [(0.0, 0.0), (0.01, 0.02), (0.3, 0.5)];

fn rocking(ratio: f64, (friction, fixed): (f64, f64), restitution: f64) -> Trajectory {
    let mut scenario = block(WIDTH, ratio * WIDTH, 0.2, material(friction, fixed, restitution));
    scenario.until.time = Some(3.0);
    // Without restitution losses small hops go on for ever.
    scenario.until.impacts = Some(400);
    let run = run(&scenario, "lzb");
    assert!(run.end.is_regular(), "{ratio} {friction}: {:?} {:?}", run.end, run.log);
    assert!(run.closure < 1e-8, "{ratio} {friction}: {}", run.closure);
    for impact in &run.impacts {
        assert!(impact.outcome.certificate.energetic <= 1e-9, "an impact gained energy");
    }
    run
}

/// Whether A rebounds from the first impact.
fn rebounds(run: &Trajectory) -> bool {
    let first = &run.impacts[0];
    assert_eq!(first.contacts, [0, 1], "both corners take part in the first impact");
    first.outcome.gamma_plus[0] > 1e-6
}

#[test]
fn plastic_blocks_of_figure_4() {
    for friction in FRICTIONS {
        // Flat: A never rebounds, B hits once, and the block rests.
        let flat = rocking(0.5, friction, 0.0);
        assert!(!rebounds(&flat));
        assert_eq!(flat.end, End::AtRest);
        // Slender: A rebounds, and more so with friction.
        let slender = rocking(2.0, friction, 0.0);
        assert!(rebounds(&slender));
    }
    let rebound = |friction| rocking(2.0, friction, 0.0).impacts[0].outcome.gamma_plus[0];
    assert!(rebound(FRICTIONS[2]) > rebound(FRICTIONS[0]));
}

#[test]
fn elastic_blocks_of_figure_5() {
    // At the kinetic angle π/2 without friction A stays while B bounces.
    let half = rocking(2.0f64.sqrt(), FRICTIONS[0], 0.8);
    assert!(half.impacts.len() > 5);
    for impact in half.impacts.iter().take(5) {
        assert!(impact.modes[0].is_closed(), "A stays on the ground: {:?}", impact.modes);
        assert_eq!(impact.modes[1], ContactMode::Open);
    }
    // Elsewhere, and with friction, A leaves at the first impact.
    for (ratio, friction) in [(0.5, FRICTIONS[0]), (2.0, FRICTIONS[0]), (2.0f64.sqrt(), FRICTIONS[2])] {
        assert!(rebounds(&rocking(ratio, friction, 0.8)), "{ratio}");
    }
}

#[test]
fn airborne_after_the_first_impact_in_figure_9() {
    for ratio in [0.3, 0.5, 1.2, 2.0] {
        let run = rocking(ratio, (0.6, 1.0), 1.0);
        assert!(run.impacts[0].modes.iter().all(|mode| *mode == ContactMode::Open), "{ratio}");
        assert!(run.impacts.len() > 2);
    }
}
