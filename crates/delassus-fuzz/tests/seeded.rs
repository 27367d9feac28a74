//! Seeded input for every target, a little in every test run.
//!
//! `DELASSUS_FUZZ=10` runs ten times as many, `DELASSUS_SEED` draws others.

use std::time::Duration;

use delassus_fuzz::{seeded, target};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

fn run(name: &str, count: u64) {
    let (factor, seed) = (number("DELASSUS_FUZZ", 1), number("DELASSUS_SEED", 1));
    let report = seeded::run(target(name).unwrap(), seed, 0..factor * count, Duration::MAX);
    let failures: Vec<_> = report.failures.iter().map(|(number, _, words)| (number, words)).collect();
    assert!(failures.is_empty(), "of seed {seed}: {failures:#?}");
    assert_eq!(report.runs, factor * count);
}

#[test]
fn problem_files() {
    run("problem", 3000);
}

#[test]
fn scenario_files() {
    run("scenario", 1000);
}

#[test]
fn contacts() {
    run("contact", 2000);
}

#[test]
fn records() {
    run("record", 5000);
}

#[test]
fn parameters() {
    run("parameter", 3000);
}

#[test]
fn expressions() {
    run("expression", 5000);
}

#[test]
fn law_tables() {
    run("law", 5000);
}

#[test]
fn measured_impacts() {
    run("measured", 2000);
}

#[test]
fn tables() {
    run("table", 2000);
}

#[test]
fn ranges_of_sweeps() {
    run("sweep", 5000);
}

#[test]
fn impacts() {
    run("resolve", 10_000);
}

#[test]
fn motions() {
    run("simulate", 300);
}

#[test]
fn motions_in_space() {
    run("space", 300);
}
