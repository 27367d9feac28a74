//! Speed of the law `lzb`: `cargo bench -p delassus --bench lzb`.

#[path = "../tests/lzb_support/mod.rs"]
mod lzb_support;

use delassus::{ImpactOutcome, ImpactProblem, LawSpec, Options, Workspace, resolve_into};
use divan::Bencher;

fn main() {
    divan::main();
}

/// Times one impact through the batch door, buffers reused.
fn time(bencher: Bencher, problem: &ImpactProblem, law: &LawSpec) {
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    let options = Options::default();
    bencher.bench_local(|| resolve_into(problem, law, &options, &mut work, &mut outcome));
}

#[divan::bench(args = [3, 5, 10, 100])]
fn hertz_chain(bencher: Bencher, balls: usize) {
    time(bencher, &lzb_support::equal_chain(balls, 1.0), &lzb_support::lzb(1.5));
}

#[divan::bench(args = [3, 10])]
fn linear_chain(bencher: Bencher, balls: usize) {
    time(bencher, &lzb_support::equal_chain(balls, 1.0), &lzb_support::lzb(1.0));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn hertz_chain_of_1000(bencher: Bencher) {
    time(bencher, &lzb_support::equal_chain(1000, 1.0), &lzb_support::lzb(1.5));
}

#[divan::bench(args = [0.5, 1.2, 2.0])]
fn block_with_friction(bencher: Bencher, aspect: f64) {
    let problem = ImpactProblem::new(lzb_support::block(aspect, 0.3, 0.5, 0.8)).unwrap();
    time(bencher, &problem, &lzb_support::lzb(1.5));
}
