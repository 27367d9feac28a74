//! Limits of the work and how it is done: `[solver]` in files, `--iterations`, `--time-limit`, `--method`, `--tolerance`.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{delassus, example, json, scratch, stderr, stdout};
use serde_json::Value;

/// A file of `tests/cases`.
fn case(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name).display().to_string()
}

/// Writes a file and gives its path.
fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn word<'a>(outcome: &'a Value, key: &str) -> &'a str {
    outcome[key].as_str().unwrap_or_default()
}

/// A light ball between two heavy ones that close in on it without loss: more collisions than anyone counts.
const ENDLESS: &str = r#"
mass = [1e12, 1.0, 1e12]
velocity = [1.0, 0.0, -1.0]
law = "sequential"
contact = [{ name = "A", normal = [-1, 1, 0], restitution = 1.0 }, { name = "B", normal = [0, -1, 1], restitution = 1.0 }]
"#;

#[test]
fn eight_contacts_and_a_clutch_take_no_time() {
    let start = Instant::now();
    let output = delassus(&["impact", &case("moreau-slow-8-contacts-clutch.json"), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let outcome = &json(&output)[0];
    assert_eq!(word(outcome, "status"), "solved");
    assert_eq!(word(outcome, "uniqueness"), "unknown");
    assert!(outcome["certificate"]["inclusion_residual"].as_f64().unwrap() <= 1e-9);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn all_solutions_are_looked_for_within_the_limits() {
    let file = case("moreau-slow-8-contacts-clutch.json");
    for limit in [["--iterations", "1000"], ["--time-limit", "0.5"]] {
        let start = Instant::now();
        let output = delassus(&["impact", &file, "--json", "--all", limit[0], limit[1]]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let outcome = &json(&output)[0];
        assert_eq!(word(outcome, "status"), "solved");
        assert_ne!(word(outcome, "uniqueness"), "proved");
        let warnings = outcome["warnings"].to_string();
        assert!(warnings.contains("every combination of states"), "{warnings}");
        assert!(start.elapsed() < Duration::from_secs(10), "{limit:?}: {:?}", start.elapsed());
    }
}

/// A method named in the file or on the command line gives the same answer; words and numbers that are none are named.
#[test]
fn methods_and_tolerances() {
    let folder = scratch("methods");
    let text = "mass = [1, 1, 0.4]\nvelocity = [0.3, -1, 0]\nlaw = 'newton'\ncontact = [{ name = 'C', normal = [0, 1, 1], \
                tangent = [1, 0, 1], friction = 0.4, restitution = 0.5 }]\n";
    let velocity = |args: &[&str]| {
        let output = delassus(args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let outcome = json(&output)[0].clone();
        assert_eq!(word(&outcome, "status"), "solved");
        outcome["velocity"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let plain = write(&folder, "plain.toml", text);
    let named = write(&folder, "named.toml", &format!("{text}[solver]\nmethod = 'gauss-seidel'\ntolerance = 1e-10\n"));
    let expected = velocity(&["impact", &plain, "--json"]);
    for args in [vec!["impact", &named, "--json"], vec!["impact", &plain, "--json", "--method", "newton"]] {
        for (a, b) in velocity(&args).iter().zip(&expected) {
            assert!((a - b).abs() < 1e-9, "{args:?}: {a} instead of {b}");
        }
    }
    for (option, value, said) in
        [("--tolerance", "2", "--tolerance 2: must lie between"), ("--method", "lemke", "unknown method")]
    {
        let output = delassus(&["impact", &plain, option, value]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

/// Each round of collisions is six times slower than the one before: the answer is the limit.
#[test]
fn collisions_that_get_ever_slower_settle() {
    let output = delassus(&["impact", &case("sequential-ever-slower.json"), "--law", "sequential", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let outcome = &json(&output)[0];
    assert_eq!(word(outcome, "status"), "solved");
    let (u, v) = (47.5 / 53.0, 26.0 / 53.0);
    for (found, expected) in outcome["velocity"].as_array().unwrap().iter().zip([1.0, 0.5, u, u, v, u]) {
        assert!((found.as_f64().unwrap() - expected).abs() < 2e-12, "{found} instead of {expected}");
    }
    assert!(outcome["stats"]["events"].as_u64().unwrap() < 100);
}

#[test]
fn limits_of_iterations_are_kept_and_named() {
    let folder = scratch("limits-iterations");
    let file = write(&folder, "endless.toml", &format!("{ENDLESS}[solver]\niterations = 70\n"));
    let outcome = &json(&delassus(&["impact", &file, "--json"]))[0];
    assert_eq!(
        (word(outcome, "status"), word(outcome, "reason")),
        ("max-iterations", "the limit of 70 iterations was reached")
    );
    assert_eq!(outcome["stats"]["events"], 70);
    // The command line goes before the file.
    let output = delassus(&["impact", &file, "--json", "--iterations", "9"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&output)[0]["stats"]["events"], 9);
    let text = stdout(&delassus(&["impact", &file]));
    assert!(text.contains("not solved: the limit of 70 iterations was reached."), "{text}");
    // Every law that iterates.
    for law in ["lzb", "sequential", "kinematic", "stronge"] {
        let file = if law == "stronge" { example("kane.toml") } else { example("block.toml") };
        let outcome = &json(&delassus(&["impact", &file, "--law", law, "--json", "--iterations", "1"]))[0];
        if word(outcome, "status") != "solved" {
            assert_eq!(word(outcome, "reason"), "the limit of 1 iterations was reached", "{law}: {outcome}");
        }
    }
    let outcome = &json(&delassus(&["impact", "--law", "lzb", "--json", "--iterations", "1"]))[0];
    assert_eq!(word(outcome, "reason"), "the limit of 1 iterations was reached");
}

#[test]
fn a_time_limit_ends_an_answer() {
    let folder = scratch("limits-time");
    let file = write(&folder, "endless.toml", ENDLESS);
    let start = Instant::now();
    let output = delassus(&["impact", &file, "--json", "--iterations", "1000000000000", "--time-limit", "0.2"]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(1));
    let outcome = &json(&output)[0];
    assert_eq!(
        (word(outcome, "status"), word(outcome, "reason")),
        ("max-iterations", "the time limit of 0.2 s was reached")
    );
    // From a file, for all problems of a batch.
    let problem = r#"{"mass": [1e12, 1, 1e12], "velocity": [1, 0, -1], "law": "sequential", "contact": [
        {"name": "A", "normal": [-1, 1, 0], "restitution": 1}, {"name": "B", "normal": [0, -1, 1], "restitution": 1}]}"#;
    let text = format!(
        r#"{{"problem": [{problem}, {problem}], "solver": {{"iterations": 1000000000000, "time_limit": 0.1}}}}"#
    );
    let file = write(&folder, "batch.json", &text);
    for outcomes in json(&delassus(&["impact", &file, "--json"])).as_array().unwrap() {
        assert_eq!(word(&outcomes[0], "reason"), "the time limit of 0.1 s was reached");
    }
}

#[test]
fn limits_out_of_range_are_refused() {
    for (args, words) in [
        (["--iterations", "0"], "--iterations 0: must be at least 1"),
        (["--time-limit", "0"], "--time-limit 0: must be positive and finite"),
        (["--time-limit", "-1"], "--time-limit -1: must be positive and finite"),
        (["--time-limit", "NaN"], "--time-limit NaN: must be positive and finite"),
        (["--iterations", "many"], "invalid value 'many'"),
    ] {
        for command in ["impact", "run"] {
            let output = delassus(&[&[command], &args[..]].concat());
            assert_eq!(output.status.code(), Some(2));
            assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
        }
    }
    let folder = scratch("limits-refused");
    for (table, words) in [
        ("iterations = 0", "solver.iterations"),
        ("time_limit = -1.0", "solver.time_limit"),
        ("iterations = 1.5", "solver.iterations"),
        ("itrations = 5", "itrations"),
        ("method = \"lemke\"", "method"),
    ] {
        let problem = write(&folder, "bad.toml", &format!("{ENDLESS}[solver]\n{table}\n"));
        let scenario = write(&folder, "bad-scenario.toml", &format!("{BALL}[solver]\n{table}\n"));
        for args in [["impact", &problem], ["run", &scenario], ["check", &problem], ["check", &scenario]] {
            let output = delassus(&args);
            assert_eq!(output.status.code(), Some(2), "{args:?} {table}: {}", stdout(&output));
            assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
        }
    }
}

const BALL: &str = r#"
[[ground]]
name = "floor"
[[body]]
name = "ball"
shape = { disk = { radius = 0.1 } }
mass = 1.0
position = [0.0, 1.0]
[material]
restitution = 0.5
[law]
name = "lzb"
[until]
time = 1.0
"#;

#[test]
fn runs_have_limits_too() {
    let folder = scratch("limits-runs");
    let file = write(&folder, "ball.toml", BALL);
    assert_eq!(delassus(&["run", &file]).status.code(), Some(0));
    let limited = write(&folder, "limited.toml", &format!("{BALL}[solver]\niterations = 1\n"));
    for args in [vec!["run", &limited, "--json"], vec!["run", &file, "--json", "--iterations", "1"]] {
        let output = delassus(&args);
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        assert!(stdout(&output).contains("max-iterations"), "{}", stdout(&output));
    }
    let output = delassus(&["run", "--json", "--time-limit", "1e-9"]);
    assert_eq!(json(&output)["status"], "interrupted");
}
