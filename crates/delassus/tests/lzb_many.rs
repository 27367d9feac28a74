//! The law `lzb` with many contacts: packings, stacks and walls, dropped and struck.

mod lzb_support;
#[path = "lzb_support/piles.rs"]
mod piles;

use std::time::{Duration, Instant};

use delassus::{ImpactOutcome, ImpactProblem, Limits, Options, Status, Stop, Workspace, resolve_into};
use lzb_support::lzb;
use piles::Pile;

/// `KIND=spheres CONTACTS=60,200 FRICTION=0,0.3 STRUCK=0,1 EXPONENT=1.5 RESTITUTION=0.5 LIMIT=60`: what impacts cost, one line each.
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
                        "{kind} {} contacts, friction {friction}, struck {struck}: {:.3} s, {:?}, {} steps, {} events, energy off by {:.1e}, \
                         checks {:?} sum {:.15e}",
                        pile.contacts(),
                        begin.elapsed().as_secs_f64(),
                        outcome.status(),
                        stats.iterations,
                        stats.events,
                        (sum - change).abs() / before,
                        outcome.certificate.satisfies_law(),
                        outcome.u_plus.iter().enumerate().map(|(i, u)| u * (i as f64 + 1.0).sin()).sum::<f64>(),
                    );
                    if outcome.status() != Status::Solved {
                        println!("    {:?}", outcome.answer.warnings);
                    }
                }
            }
        }
    }
}
