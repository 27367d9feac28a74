//! The scenes in `scenarios/space` that run by events.

use super::Trajectory;
use crate::{norm, position, velocity};
use delassus::LawSpec;
use delassus::simulate::{Control, simulate};
use delassus_io::{Format, read_scenarios};

fn scene(name: &str) -> Trajectory {
    let file = format!("{}/../../scenarios/space/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).unwrap();
    let document = read_scenarios(&text, name, Format::Toml, &|name| Err(name.to_owned()));
    let entry = document.unwrap_or_else(|e| panic!("{e}")).entries.remove(0);
    let built = entry.scenario.build().unwrap();
    let law = entry.law.unwrap_or_else(|| LawSpec::by_name("newton").unwrap());
    let run =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
            .unwrap();
    assert!(run.end.is_regular(), "{name}: {:?} at {} {:?}", run.end, run.time, run.log);
    assert!(run.closure < 1e-8 && run.stats.penetration < 1e-9, "{name}: {} {:?}", run.closure, run.stats);
    assert!(run.stepped_from.is_none() && !run.events.is_empty());
    run
}

#[test]
fn a_block_under_lzb_rocks_and_turns() {
    let run = scene("block-lzb");
    assert!(run.impacts.len() > 5 && run.last().energy.total() < run.start().energy.total());
    for impact in &run.impacts {
        assert!(impact.outcome.certificate.energetic <= 1e-9, "{}: {:?}", impact.time, impact.outcome.certificate);
    }
}

#[test]
fn a_coin_rolls_round_in_a_circle() {
    let run = scene("coin-rolling");
    assert!(run.impacts.is_empty() && run.last().energy.friction == 0.0);
    let heights: Vec<f64> = run.samples.iter().map(|s| s.q[2]).collect();
    assert!(heights.iter().all(|z| (z - heights[0]).abs() < 1e-6), "{heights:?}");
}

#[test]
fn balls_meet_and_come_back_from_the_cushion() {
    let run = scene("balls-and-cushion");
    assert!(run.impacts.len() > 3);
    let pairs = run.impacts.iter().flat_map(|i| &i.contacts).map(|&c| run.contact_names[c].as_str());
    let struck: Vec<&str> = pairs.collect();
    assert!(struck.contains(&"white-red") && struck.iter().any(|name| name.ends_with("cushion")), "{struck:?}");
    assert!((0..3).all(|b| position(&run, b)[0] < 0.8 && norm(velocity(&run, b)) < 3.0));
}

#[test]
fn a_break_differs_from_law_to_law_and_none_gains() {
    let file = format!("{}/../../scenarios/space/billiard-break.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).unwrap().replace("time = 0.4", "time = 0.1");
    let mut speeds: Vec<Vec<f64>> = Vec::new();
    for law in ["newton", "poisson", "lzb"] {
        let run = super::under(law, &text);
        assert!(run.last().energy.total() < run.start().energy.total(), "{law}");
        // All contacts of the rack at once, and every ball leaves it.
        assert!(run.impacts.iter().any(|impact| impact.contacts.len() >= 10), "{law}");
        let own: Vec<f64> = (0..7).map(|b| norm(velocity(&run, b))).collect();
        assert!(own.iter().all(|v| *v > 0.01 && *v < 4.0), "{law}: {own:?}");
        for other in &speeds {
            assert!(crate::apart(other, &own) > 0.01, "{law}: {own:?} {other:?}");
        }
        speeds.push(own);
    }
}
