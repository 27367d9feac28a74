//! `delassus-fuzz TARGET|all COUNT [SEED] [SECONDS]`: runs seeded inputs and writes those that fail
//! into the working folder. `delassus-fuzz TARGET FILE` runs the input of a file, and
//! `delassus-fuzz TARGET @NUMBER [SEED]` writes an input.

use std::process::ExitCode;
use std::time::Duration;

use delassus_fuzz::{TARGETS, seeded, target};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, default: u64| args.get(k).map_or(Some(default), |text| text.parse().ok());
    let (Some(name), Some(second)) = (args.first(), args.get(1)) else {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        eprintln!("delassus-fuzz TARGET|all COUNT [SEED] [SECONDS], or TARGET FILE\ntargets: {}", names.join(", "));
        return ExitCode::from(2);
    };
    let chosen: Vec<_> = TARGETS.into_iter().filter(|t| name == "all" || t.name == name).collect();
    if chosen.is_empty() {
        eprintln!("no target {name:?}");
        return ExitCode::from(2);
    }
    if let (Some(target), Ok(bytes)) = (target(name), std::fs::read(second)) {
        if let Some(text) = delassus_fuzz::shown(name, &bytes) {
            println!("{text}");
        }
        (target.run)(&bytes);
        return ExitCode::SUCCESS;
    }
    if let (Some(target), Some(Ok(k)), Some(seed)) =
        (target(name), second.strip_prefix('@').map(str::parse), number(2, 1))
    {
        let written = std::fs::write(format!("{name}-{seed}-{k}.bin"), seeded::input(&(target.seeds)(), seed, k));
        return if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let (Some(count), Some(seed), Some(seconds)) = (number(1, 0), number(2, 1), number(3, u64::MAX)) else {
        eprintln!("COUNT, SEED and SECONDS are whole numbers, and no file is called {second:?}");
        return ExitCode::from(2);
    };
    // The words of a panic are reported below.
    std::panic::set_hook(Box::new(|_| {}));
    let mut failed = false;
    for target in chosen {
        let report = seeded::run(target, seed, 0..count, Duration::from_secs(seconds));
        let (slow, time) = report.slowest;
        println!("{}: {} inputs of seed {seed}, the slowest ({slow}) took {time:.2?}", target.name, report.runs);
        for (number, bytes, words) in report.failures.iter().take(20) {
            let file = format!("{}-{seed}-{number}.bin", target.name);
            let written = std::fs::write(&file, bytes).map_or_else(|e| e.to_string(), |()| file);
            println!("  input {number} fails: {words} ({written})");
        }
        if report.failures.len() > 20 {
            println!("  and {} more", report.failures.len() - 20);
        }
        failed |= !report.failures.is_empty();
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
