//! Bodies in space, by time-stepping: closed forms, invariances, things that must not move.

mod balanced;
mod both;
mod closed_forms;
mod events;
mod free;
mod gallery;
mod invariance;
mod links;
mod many_planar;
mod piles;
mod planar;
mod remarks;
mod resume;
mod second;
mod short;
mod sleep;
mod stands;
mod terrain;

use delassus::LawSpec;
use delassus::scenario::Scenario;
use delassus::simulate::{Control, Trajectory, simulate};
use delassus_io::{Format, read_scenarios};

/// The scenario of a text.
fn scenario(text: &str) -> Scenario {
    let document = read_scenarios(text, "test", Format::Toml, &|name| Err(name.to_owned()));
    document.unwrap_or_else(|e| panic!("{e}")).entries.remove(0).scenario
}

/// The motion of a scenario under Newton's law.
fn run(text: &str) -> Trajectory {
    go(&scenario(text))
}

fn go(scenario: &Scenario) -> Trajectory {
    let built = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    let law = LawSpec::by_name("newton").unwrap();
    let run =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue);
    run.unwrap_or_else(|e| panic!("{e}"))
}

fn position(run: &Trajectory, body: usize) -> [f64; 3] {
    std::array::from_fn(|k| run.last().q[7 * body + k])
}

fn velocity(run: &Trajectory, body: usize) -> [f64; 3] {
    std::array::from_fn(|k| run.last().u[6 * body + k])
}

fn spin(run: &Trajectory, body: usize) -> [f64; 3] {
    std::array::from_fn(|k| run.last().u[6 * body + 3 + k])
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

#[test]
#[ignore = "prints the run of the scenario file that SCENE names"]
fn one_scene() {
    let run = run(&std::fs::read_to_string(std::env::var("SCENE").unwrap()).unwrap());
    println!("{:?} at {} s, closure {:e}, {:?}", run.end, run.time, run.closure, run.stats);
    run.log.iter().for_each(|remark| println!("{}: {}", remark.time, remark.text));
    run.samples.iter().for_each(|s| println!("{} {:?} {:?}", s.time, s.q, s.energy));
}
