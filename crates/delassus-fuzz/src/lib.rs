//! Random input for everything that takes input from outside: the readers of
//! files and expressions, the laws, the simulation.
//!
//! A [`Target`] takes bytes and panics where something is wrong. Two things
//! feed it: libFuzzer (the folder `fuzz`), which looks for new paths through
//! the program, and [`seeded`], which needs no fuzzer and runs in the tests.
#![forbid(unsafe_code)]

mod check;
mod number;
mod problem;
mod readers;
mod resolve;
mod scene;
pub mod seeded;
mod space;
mod tables;

/// Something that is fed with bytes.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Takes any bytes; panics where something is wrong.
    pub run: fn(&[u8]),
    /// Sound input that is worth to be changed; none for targets that make sense of any bytes.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets.
pub const TARGETS: [Target; 13] = [
    Target { name: "problem", run: readers::problem, seeds: readers::problem_seeds },
    Target { name: "scenario", run: readers::scenario, seeds: readers::scenario_seeds },
    Target { name: "contact", run: readers::contact, seeds: readers::contact_seeds },
    Target { name: "record", run: readers::record, seeds: readers::record_seeds },
    Target { name: "parameter", run: readers::parameter, seeds: readers::parameter_seeds },
    Target { name: "expression", run: readers::expression, seeds: readers::expression_seeds },
    Target { name: "law", run: readers::law, seeds: readers::law_seeds },
    Target { name: "measured", run: tables::measured, seeds: tables::measured_seeds },
    Target { name: "table", run: tables::table, seeds: tables::table_seeds },
    Target { name: "sweep", run: tables::sweep, seeds: tables::sweep_seeds },
    Target { name: "resolve", run: resolve::run, seeds: Vec::new },
    Target { name: "simulate", run: scene::run, seeds: Vec::new },
    Target { name: "space", run: space::run, seeds: Vec::new },
];

/// What a target makes of bytes that it does not read as text.
pub fn shown(name: &str, bytes: &[u8]) -> Option<String> {
    match name {
        "resolve" => Some(format!("{:#?}", problem::Question::new(bytes))),
        "simulate" => Some(format!("{:#?}", scene::scenario(&mut arbitrary::Unstructured::new(bytes)))),
        "space" => Some(format!("{:#?}", space::scenario(&mut arbitrary::Unstructured::new(bytes)))),
        _ => None,
    }
}

/// The target of that name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
