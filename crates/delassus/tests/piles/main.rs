//! Stacks, piles, disks on boxes and boxes at edges: nothing may overlap, gain
//! energy, pull or rest in the air, and every scene comes to its end.
//!
//! The scenes are seeded and the judgement is written without the library's
//! geometry: it sees only what a run puts out. The long search:
//!
//! ```sh
//! KIND=piles FROM=0 TO=1000 cargo test --release -p delassus --test piles -- --ignored --nocapture search
//! KIND=piles SEED=17 cargo test --release -p delassus --test piles -- --ignored --nocapture one_scene
//! ```
//!
//! `KIND` is stacks, piles, disks or edges (absent: all); `LIMIT` the processor time
//! of a scene in seconds (10), `THREADS` 2, `LAW` the only law looked at. `one_scene` prints the scene as JSON, or writes
//! it to the file named by `DUMP`, and with `AT` shows impacts and events `WITHIN` (1e-6) of
//! that time.

mod balance;
mod bodies;
mod cases;
mod check;
mod dump;
mod generate;
mod impacts;
mod look;
mod overlap;
mod random;
mod search;
mod shapes;
mod spoiled;

use delassus::scenario::ShapeData;
use generate::{Kind, scene};

fn number(name: &str, usual: f64) -> f64 {
    std::env::var(name).ok().map_or(usual, |v| v.parse().unwrap_or_else(|_| panic!("{name}={v} is no number")))
}

fn kinds() -> Vec<Kind> {
    let wanted = std::env::var("KIND").ok();
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|k| wanted.as_ref().is_none_or(|w| w == k.as_str())).collect();
    assert!(!kinds.is_empty(), "KIND={wanted:?} is no kind of scene");
    kinds
}

#[test]
fn scenes_start_apart_and_are_the_same_for_the_same_seed() {
    for kind in Kind::ALL {
        for seed in 0..300 {
            let scene = scene(kind, seed);
            assert_eq!(scene.scenario, generate::scene(kind, seed).scenario);
            let built = scene.scenario.build().unwrap();
            let world = bodies::World::new(&scene.scenario);
            for (ours, theirs) in world.bodies.iter().zip(built.system.planar().unwrap().bodies()) {
                assert!((ours.mass - theirs.mass).abs() < 1e-14 && (ours.size - theirs.size).abs() < 1e-14);
                assert!((ours.inertia / theirs.inertia - 1.0).abs() < 1e-12, "{}", scene.name);
            }
            for a in 0..world.bodies.len() {
                let one = world.placed(a, &built.q);
                assert!(overlap::distance_to_line(&one, [0.0; 2], [0.0, 1.0]) > -1e-14, "{}", scene.name);
                for b in 0..a {
                    let away = overlap::distance_of_unions(&one, &world.placed(b, &built.q));
                    assert!(away > -1e-14, "{}: {a} in {b} by {}", scene.name, -away);
                }
            }
        }
    }
}

#[test]
fn a_few_scenes_of_every_kind_are_right() {
    let (mut wrong, mut unfinished) = (String::new(), String::new());
    for kind in kinds() {
        for report in search::search(kind, 0, 15, 100.0, 2, |_| ()) {
            if !report.faults.is_empty() {
                wrong += &format!("{}\n", report.line());
            } else if !report.finished() {
                unfinished += &format!("{}\n", report.line());
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    // An honest status without an end is rare: one in a hundred is what the long search allows.
    assert!(unfinished.lines().count() <= 1, "\n{unfinished}");
}

#[test]
#[ignore = "a search of up to an hour; run by hand after a change to contacts or events"]
fn search_many_scenes() {
    let (from, to) = (number("FROM", 0.0) as u64, number("TO", 1000.0) as u64);
    let (limit, threads) = (number("LIMIT", 10.0), number("THREADS", 2.0) as usize);
    let (mut wrong, mut unfinished, mut all) = (0, 0, 0);
    for kind in kinds() {
        let reports = search::search(kind, from, to, limit, threads, |report| {
            if !report.finished() || !report.faults.is_empty() {
                println!("{}", report.line());
            }
        });
        println!("{}: {}", kind.as_str(), search::summary(&reports));
        wrong += reports.iter().filter(|r| !r.faults.is_empty()).count();
        unfinished += reports.iter().filter(|r| !r.finished()).count();
        all += reports.len();
    }
    assert!(wrong == 0, "{wrong} of {all} scenes are wrong");
    assert!(100 * unfinished <= all, "{unfinished} of {all} scenes did not finish");
}

#[test]
#[ignore = "for looking at one scene: KIND, SEED, DUMP, AT"]
fn one_scene() {
    let kind = kinds()[0];
    let scene = scene(kind, number("SEED", 0.0) as u64);
    let text = dump::json(&scene);
    match std::env::var("DUMP") {
        Ok(file) => std::fs::write(file, text).unwrap(),
        Err(_) => println!("{text}"),
    }
    if let Ok(at) = std::env::var("AT") {
        println!("{}", look::around(&scene, at.parse().unwrap(), number("WITHIN", 1e-6)));
    }
    println!("{}", search::run_apart(scene, number("LIMIT", 10.0)).line());
}
