//! The law `lzb` with many contacts: packings, stacks and walls, dropped and struck.

mod lzb_support;
#[path = "lzb_support/piles.rs"]
mod piles;

use std::time::{Duration, Instant};

use delassus::{
    ImpactOutcome, ImpactProblem, Limits, Mass, Options, ProblemData, Status, Stop, Workspace, resolve_into,
};
use lzb_support::{Random, check, distance, lzb, solve};
use piles::Pile;

/// A few piles of every kind, dropped and struck.
fn piles() -> Vec<(&'static str, Pile)> {
    vec![
        ("spheres", Pile::spheres(40, 1)),
        ("spheres, one strikes", Pile::spheres(60, 2).struck()),
        ("disks", Pile::disks(60, 1)),
        ("disks, one strikes", Pile::disks(40, 3).struck()),
        ("cubes", Pile::cubes(3, 1)),
        ("cubes, one strikes", Pile::cubes(3, 2).struck()),
        ("wall", Pile::wall(2, 2, 1)),
        ("wall, one strikes", Pile::wall(3, 3, 1).struck()),
    ]
}

/// Momentum and energy are balanced, nothing pulls or approaches, friction keeps its limits.
#[test]
fn piles_are_resolved() {
    for (what, pile) in piles() {
        for (friction, exponent) in [(0.0, 1.5), (0.3, 1.5), (0.6, 1.0)] {
            let (problem, outcome) = solve(&pile.problem(friction, 0.5), &lzb(exponent));
            let what = format!("{what}, {} contacts, friction {friction}", pile.contacts());
            check(&problem, &outcome, &what);
            assert!(outcome.certificate.satisfies_law(), "{what}: {:?}", outcome.certificate);
        }
    }
}

/// The order in which contacts are listed, by which factors are ordered, changes nothing.
#[test]
fn the_order_of_contacts_changes_nothing() {
    let mut random = Random(4);
    for (what, pile) in piles() {
        let data = pile.problem(0.3, 0.5);
        let mut other = data.clone();
        for i in (1..other.contacts.len()).rev() {
            other.contacts.swap(i, (random.next() * (i + 1) as f64) as usize);
        }
        let [a, b] = [data, other].map(|data| solve(&data, &lzb(1.5)).1.u_plus);
        assert!(distance(&a, &b) < 1e-8, "{what}: {:e}", distance(&a, &b));
    }
}

/// Two piles far apart do not know of each other, though they are followed together.
#[test]
fn what_is_far_apart_does_not_matter() {
    let pairs = [
        (Pile::spheres(30, 5), Pile::cubes(3, 4)),
        (Pile::spheres(30, 6).struck(), Pile::spheres(20, 7)),
        (Pile::disks(50, 8), Pile::disks(30, 9).struck()),
        // Together they are so many that quiet contacts are followed by series.
        (Pile::spheres(80, 11), Pile::spheres(75, 12)),
        (Pile::spheres(85, 13), Pile::spheres(70, 14).struck()),
    ];
    for (k, (first, second)) in pairs.iter().enumerate() {
        let parts = [first, second].map(|pile| pile.problem(0.3, 0.6));
        let shift = parts[0].velocity.len();
        let masses = [first.masses(), second.masses()];
        let velocity: Vec<f64> = parts.iter().flat_map(|part| part.velocity.iter().copied()).collect();
        let mut both = ProblemData::new(Mass::diagonal(masses.concat()).unwrap(), velocity);
        both.contacts.extend(parts[0].contacts.iter().cloned());
        both.contacts.extend(second.contact_data(shift, 0.3, 0.6));
        let (_, together) = solve(&both, &lzb(1.5));
        let alone = parts.map(|part| solve(&part, &lzb(1.5)).1.u_plus).concat();
        let difference = distance(&together.u_plus, &alone);
        assert!(difference < 1e-9, "pair {k}: {difference:e}");
    }
}

/// What impacts cost, one line each: `KIND=spheres CONTACTS=60,200 FRICTION=0,0.3 STRUCK=0,1 SEED=1 EXPONENT=1.5
/// RESTITUTION=0.5 LIMIT=60 cargo test --release -p delassus --test lzb_many -- --ignored --nocapture survey`.
#[test]
#[ignore = "a survey, to be looked at"]
fn survey() {
    let list = |name: &str, default: &str| -> Vec<String> {
        let text = std::env::var(name).unwrap_or(default.into());
        text.split(',').map(str::to_owned).collect()
    };
    let number = |name: &str, default: &str| -> f64 { list(name, default)[0].parse().unwrap() };
    let seconds = number("LIMIT", "60");
    for kind in list("KIND", "spheres,disks,cubes,wall") {
        for contacts in list("CONTACTS", "60,200") {
            for friction in list("FRICTION", "0,0.3") {
                for struck in list("STRUCK", "0,1") {
                    let contacts: usize = contacts.parse().unwrap();
                    let seed = number("SEED", "1") as u64;
                    let courses = (contacts as f64 / 8.0).sqrt().ceil() as usize;
                    let mut pile = match kind.as_str() {
                        "spheres" => Pile::spheres(contacts, seed),
                        "disks" => Pile::disks(contacts, seed),
                        "cubes" => Pile::cubes(contacts / 4, seed),
                        _ => Pile::wall(courses, courses, seed),
                    };
                    if struck == "1" {
                        pile = pile.struck();
                    }
                    let data = pile.problem(friction.parse().unwrap(), number("RESTITUTION", "0.5"));
                    let problem = ImpactProblem::new(data).unwrap();
                    let begin = Instant::now();
                    let stop = Stop::new("time", move || begin.elapsed() > Duration::from_secs_f64(seconds));
                    let limits = Limits { stop: Some(stop), ..Limits::default() };
                    let options = Options { limits, ..Options::default() };
                    let mut outcome = ImpactOutcome::default();
                    let law = lzb(number("EXPONENT", "1.5"));
                    resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut outcome).unwrap();
                    let stats = &outcome.answer.stats;
                    let accounts = &outcome.answer.contact_energy;
                    let sum: f64 = accounts.iter().map(|a| a.returned - a.stored + a.friction).sum();
                    let before = problem.mass().energy(problem.u_minus());
                    let change = problem.mass().energy(&outcome.u_plus) - before;
                    println!(
                        "{kind} {} contacts, friction {friction}, struck {struck}: {:.3} s, {:?}, {} steps, {} events, \
                         energy off by {:.1e}, satisfies the law: {}",
                        pile.contacts(),
                        begin.elapsed().as_secs_f64(),
                        outcome.status(),
                        stats.iterations,
                        stats.events,
                        (sum - change).abs() / before,
                        outcome.certificate.satisfies_law(),
                    );
                    if outcome.status() != Status::Solved {
                        println!("    {:?}", outcome.answer.warnings);
                    }
                }
            }
        }
    }
}
