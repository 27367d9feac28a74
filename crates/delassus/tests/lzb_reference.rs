//! The law `lzb` against a second method in another formulation.

#[path = "lzb_support/mod.rs"]
mod lzb_support;
#[path = "lzb_support/random_problems.rs"]
mod random_problems;
#[path = "lzb_support/reference.rs"]
mod reference;
#[path = "lzb_support/stepping.rs"]
mod stepping;

use lzb_support::{Random, distance};
use random_problems::{block, chain, falling, largest, library, stack, struck};
use reference::Reference;

/// Solves both ways and compares u⁺ relative to the largest velocity.
fn compare(reference: &Reference, what: &str) {
    let found = library(reference, None).unwrap_or_else(|why| panic!("{what}: {why}"));
    let expected = reference.solve(1e-13).unwrap_or_else(|| panic!("{what}: the second method does not end"));
    let error = distance(&found, &expected) / largest(reference);
    assert!(error < 1e-8, "{what}: differ by {error:e}: {found:?} and {expected:?}");
}

#[test]
fn random_chains_stacks_and_walls() {
    let mut random = Random(1);
    for round in 0..12 {
        let exponent = if round < 4 { 1.5 } else { 1.0 };
        compare(&chain(&mut random, round, exponent), &format!("chain {round}"));
    }
}

#[test]
fn random_blocks_with_and_without_friction() {
    let mut random = Random(2);
    for round in 0..40 {
        compare(&block(&mut random, round, 1.5), &format!("block {round}"));
    }
}

/// Stacks that a longer search found to be hard: at the first instant contacts
/// above have no force yet, or move apart before they approach.
const HARD_FALLS: [usize; 5] = [1751, 2451, 2811, 3343, 5627];
const HARD_BLOWS: [usize; 7] = [854, 2334, 2381, 2403, 2418, 3559, 4385];

#[test]
fn random_stacks_fall_on_the_ground() {
    let mut random = Random(3);
    for round in 0..6000 {
        let exponent = if round % 4 < 2 { 1.5 } else { 1.0 };
        let reference = falling(&mut random, round, exponent);
        if round < 60 || HARD_FALLS.contains(&round) {
            compare(&reference, &format!("falling stack {round}"));
        }
    }
}

#[test]
fn random_stacks_are_struck() {
    let mut random = Random(4);
    for round in 0..6000 {
        let exponent = if round % 4 < 2 { 1.5 } else { 1.0 };
        let reference = struck(&mut random, round, exponent);
        if round < 60 || HARD_BLOWS.contains(&round) {
            compare(&reference, &format!("struck stack {round}"));
        }
    }
}

/// Time stepping knows nothing of events: what it converges to has none missed.
#[test]
fn time_stepping_converges_to_the_same() {
    let mut random = Random(5);
    for round in 0..12 {
        let boxes = 1 + round % 3;
        let mut reference = stack(&mut random, boxes, true, 1.5);
        for (i, u) in reference.velocity.chunks_exact_mut(3).enumerate() {
            let turn = if boxes == 1 { random.within(-0.8, 0.8) } else { 0.0 };
            let slide = if i == 0 { random.within(-0.5, 0.5) } else { 0.0 };
            u.copy_from_slice(&[slide, -1.0, turn]);
        }
        let what = format!("stack {round}");
        let found = library(&reference, None).unwrap_or_else(|why| panic!("{what}: {why}"));
        let h = 2e-4;
        let stepped = stepping::step_through(&reference, h).unwrap_or_else(|| panic!("{what} does not end"));
        let error = distance(&stepped, &found);
        assert!(error < 0.1 * h, "{what}: differ by {error:e}");
    }
}
