//! The program from outside: output, exit status, standard input, batches.

mod common;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{example, json, scratch, stderr, stdout};
use serde_json::Value;

fn delassus(args: &[&str]) -> Output {
    delassus_with(args, "", &[])
}

fn delassus_with(args: &[&str], stdin: &str, env: &[(&str, &str)]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .args(args)
        .envs(env.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that fails early does not read all of it.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

/// Equal but for rounding.
fn close(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() <= 1e-14 * expected.abs(), "expected {expected}, found {found}");
}

/// Bad input: status 2, nothing on standard output, and a message with these words.
fn refuses(output: &Output, words: &str) {
    assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
    assert_eq!(stdout(output), "");
    assert!(stderr(output).contains(words), "expected {words}\nfound {}", stderr(output));
}

/// A ball that falls on the floor.
fn ball(speed: f64, restitution: f64) -> String {
    format!(
        r#"{{"mass": [2], "velocity": [{}], "contact": [{{"name": "floor", "normal": [1], "restitution": {restitution}}}]}}"#,
        -speed
    )
}

#[test]
fn the_embedded_example_is_compared() {
    let output = delassus(&["impact"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    for words in ["Kane's double pendulum", "newton", "poisson", "gains energy: +58.7 %", "stick", "Why does Newton"] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "colour without a terminal");
    let values = json(&delassus(&["impact", "--json"]));
    assert_eq!(values.as_array().unwrap().len(), delassus::LawSpec::all().len());
    assert_eq!(json(&delassus(&["impact", &example("kane.toml"), "--json"])), values);
}

#[test]
fn an_outcome_has_the_keys_of_the_format() {
    let values = json(&delassus(&["impact", &example("kane.toml"), "--law", "poisson", "--json"]));
    let [outcome] = &values.as_array().unwrap()[..] else { panic!("{values}") };
    let keys: Vec<&str> = outcome.as_object().unwrap().keys().map(String::as_str).collect();
    for key in
        ["law", "status", "velocity", "kinetic_energy", "elements", "certificate", "uniqueness", "warnings", "stats"]
    {
        assert!(keys.contains(&key), "{key} is not in {keys:?}");
    }
    assert_eq!(outcome["law"], "poisson");
    assert_eq!(outcome["status"], "solved");
    assert_eq!(outcome["uniqueness"], "proved");
    let energy = &outcome["kinetic_energy"];
    let energy = ["before", "after", "change"].map(|k| energy[k].as_f64().unwrap());
    assert!((energy[1] - energy[0] - energy[2]).abs() < 1e-15);
    let elements = outcome["elements"].as_array().unwrap();
    assert_eq!(elements.iter().map(|e| e["name"].as_str().unwrap()).collect::<Vec<_>>(), ["C", "C.friction"]);
    assert_eq!(elements.iter().map(|e| e["kind"].as_str().unwrap()).collect::<Vec<_>>(), ["contact", "friction"]);
    for element in elements {
        for key in [
            "gamma_minus",
            "gamma_plus",
            "impulse",
            "impulse_compression",
            "impulse_decompression",
            "gamma_compression",
        ] {
            assert_eq!(element[key].as_array().unwrap().len(), 1, "{key}");
        }
    }
    let certificate = &outcome["certificate"];
    for check in ["kinematic", "kinetic", "energetic"] {
        assert_eq!(certificate[check]["holds"], true);
        assert!(certificate[check]["residual"].as_f64().unwrap() <= 1e-9);
    }
    for key in ["inclusion_residual", "momentum_residual"] {
        assert!(certificate[key].as_f64().unwrap() <= 1e-9);
    }
    assert_eq!(certificate["theorem"], "one frictional contact");
    // Newton has no phases.
    let values = json(&delassus(&["impact", &example("kane.toml"), "--law", "newton", "--json"]));
    assert!(values[0]["elements"][0].get("impulse_compression").is_none());
    assert_eq!(values[0]["certificate"]["energetic"]["holds"], false);
}

#[test]
fn a_law_that_does_not_apply_says_why() {
    let values = json(&delassus(&["impact", &example("clutch.toml"), "--law", "moreau,poisson", "--json"]));
    let keys: Vec<&String> = values[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["law", "status", "reason"]);
    assert_eq!(values[0]["status"], "not-applicable");
    assert_eq!(values[1]["status"], "solved");
}

#[test]
fn strict_turns_verdicts_into_status_one() {
    let kane = example("kane.toml");
    assert_eq!(delassus(&["impact", &kane, "--law", "newton"]).status.code(), Some(0));
    assert_eq!(delassus(&["impact", &kane, "--law", "newton", "--strict"]).status.code(), Some(1));
    assert_eq!(delassus(&["impact", &kane, "--law", "poisson", "--strict"]).status.code(), Some(0));
}

#[test]
fn no_solution_is_status_one() {
    // Two joints that ask for different velocities along the same direction.
    let text = r#"{"mass": [1], "velocity": [1], "joint": [
        {"name": "a", "direction": [1]}, {"name": "b", "direction": [1], "offset": [1]}]}"#;
    let output = delassus_with(&["impact", "-", "--law", "newton", "--json"], text, &[]);
    let values = json(&output);
    assert_eq!(values[0]["status"], "no-solution");
    assert_eq!(values[0]["velocity"], Value::Null);
    assert_eq!(output.status.code(), Some(1));
    let output = delassus_with(&["impact", "-", "--law", "newton"], text, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("no solution"));
    // Where the law knows why, it says so.
    let text = r#"{"mass": [1], "velocity": [-1], "contact": [{"name": "stop", "normal": [1]}],
        "joint": [{"name": "guide", "direction": [1], "offset": [1]}]}"#;
    let output = delassus_with(&["impact", "-", "--law", "lzb"], text, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("Note: stop approaches"), "{}", stdout(&output));
}

#[test]
fn bad_input_prints_nothing_and_names_the_field() {
    let bad = ball(1.0, -0.5);
    refuses(&delassus_with(&["impact", "-"], &bad, &[]), "standard input: contact[0].restitution = -0.5");
    // One bad problem rejects the batch.
    let batch = format!("[{}, {}, {bad}]", ball(1.0, 0.5), ball(1.0, 0.5));
    refuses(&delassus_with(&["impact", "-", "--json"], &batch, &[]), "problem[2].contact[0].restitution = -0.5");
    refuses(&delassus(&["impact", "no-such-file.toml"]), "no-such-file.toml: cannot read");
    refuses(&delassus(&["impact", "--law", "newtn"]), "unknown law; did you mean \"newton\"?");
    refuses(&delassus(&["impact", "-", "-"]), "only once");
    refuses(&delassus_with(&["check", "-"], "mass = [", &[]), "line 1");
    refuses(&delassus(&["check"]), "required");
    refuses(&delassus(&["impakt"]), "impact");
}

#[test]
fn a_law_named_by_the_user_must_accept_the_data() {
    // Poisson's law is not defined for ε_T > ε_N.
    let text = r#"{"mass": [1, 1], "velocity": [0, -1], "contact": [
        {"name": "C", "normal": [0, 1], "tangent": [1, 0], "friction": 0.5, "restitution_tangential": 0.5}]}"#;
    for args in [&["impact", "-", "--law", "poisson"][..], &["impact", "-", "--law", "newton,poisson", "--json"]] {
        refuses(&delassus_with(args, text, &[]), "contact[0].restitution_tangential");
    }
    let in_file = text.replacen('{', r#"{"law": "poisson", "#, 1);
    for command in ["check", "impact"] {
        refuses(&delassus_with(&[command, "-"], &in_file, &[]), "contact[0].restitution_tangential");
        let batch = format!("[{}, {in_file}]", ball(1.0, 1.0));
        refuses(&delassus_with(&[command, "-"], &batch, &[]), "problem[1].contact[0].restitution_tangential");
    }
    // Where nobody asked for it, it is only not applicable.
    let output = delassus_with(&["impact", "-", "--json"], text, &[]);
    assert_eq!(output.status.code(), Some(0));
    let values = json(&output);
    let poisson = values.as_array().unwrap().iter().find(|o| o["law"] == "poisson").unwrap();
    assert_eq!(poisson["status"], "not-applicable");
    assert!(poisson["reason"].as_str().unwrap().contains("restitution_tangential"));
}

#[test]
fn the_file_gives_data_to_the_law_of_its_name() {
    let text = ball(1.0, 0.5).replacen('{', r#"{"law": {"name": "moreau", "restitution": 0.25}, "#, 1);
    let values = json(&delassus_with(&["impact", "-", "--json"], &text, &[]));
    assert_eq!(values.as_array().unwrap().len(), 1);
    close(&values[0]["velocity"][0], 0.25);
    let values = json(&delassus_with(&["impact", "-", "--law", "newton", "--law", "moreau", "--json"], &text, &[]));
    close(&values[0]["velocity"][0], 0.5);
    close(&values[1]["velocity"][0], 0.25);
}

#[test]
fn a_missing_friction_is_for_kinematic_only() {
    let text =
        r#"{"mass": [1, 1], "velocity": [0, -1], "contact": [{"name": "C", "normal": [0, 1], "tangent": [1, 0]}]}"#;
    refuses(&delassus_with(&["impact", "-"], text, &[]), "contact[0].friction: is missing");
    refuses(&delassus_with(&["impact", "-", "--law", "newton"], text, &[]), "contact[0].friction: is missing");
    let values = json(&delassus_with(&["impact", "-", "--law", "newton,kinematic", "--json"], text, &[]));
    assert_eq!(values[0]["status"], "not-applicable");
}

#[test]
fn batches_keep_order_for_any_number_of_threads() {
    let count = 500;
    let batch = (0..count).map(|i| ball(1.0 + f64::from(i), 0.5)).collect::<Vec<_>>().join(",\n");
    let batch = format!("[{batch}]");
    let args = ["impact", "-", "--law", "newton,poisson", "--json"];
    let one = delassus_with(&args, &batch, &[("RAYON_NUM_THREADS", "1")]);
    let many = delassus_with(&args, &batch, &[("RAYON_NUM_THREADS", "4")]);
    assert_eq!(one.stdout, many.stdout);
    let values = json(&one);
    assert_eq!(values.as_array().unwrap().len(), count as usize);
    for (i, outcomes) in values.as_array().unwrap().iter().enumerate() {
        for outcome in outcomes.as_array().unwrap() {
            close(&outcome["velocity"][0], 0.5 * (1.0 + i as f64));
        }
    }
}

#[test]
fn many_files_are_one_batch() {
    let (stack, chain) = (example("stack.toml"), example("chain3.toml"));
    let values = json(&delassus(&["impact", &chain, &stack, "--law", "newton", "--json"]));
    assert_eq!(values[0][0]["velocity"].as_array().unwrap().len(), 3);
    assert_eq!(values[1][0]["velocity"].as_array().unwrap().len(), 2);
    let one =
        json(&delassus_with(&["impact", "-", "--law", "newton", "--json"], &format!("[{}]", ball(1.0, 0.0)), &[]));
    assert_eq!(one[0][0]["status"], "solved");
    let output = delassus(&["check", &chain, &stack]);
    assert_eq!(stdout(&output), format!("{chain}: 1 problem, valid\n{stack}: 1 problem, valid\n"));
}

#[test]
fn problems_and_scenarios_are_told_apart() {
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/stack.toml");
    let output = delassus(&["check", scenario, &example("kane.toml")]);
    let kane = example("kane.toml");
    assert_eq!(stdout(&output), format!("{scenario}: 1 scenario, valid\n{kane}: 1 problem, valid\n"));
    refuses(&delassus(&["impact", scenario]), "use delassus run");
    refuses(&delassus(&["run", &kane]), "use delassus impact");
    // A scenario is built, so that what only shows there is found.
    let heavy = "[[body]]\nname = \"b\"\nshape.disk = { radius = 0.1 }\nmass = -1.0\n[until]\ntime = 1.0\n";
    refuses(&delassus_with(&["check", "-"], heavy, &[]), "body[0].mass = -1");
    let misspelt = heavy.replace("shape.disk", "shape.disc");
    refuses(&delassus_with(&["check", "-"], &misspelt, &[]), "'disc': did you mean 'disk'?");
    let bare = heavy.replace("radius = 0.1", "");
    refuses(&delassus_with(&["check", "-"], &bare, &[]), "key 'radius' is missing");
}

#[test]
fn energy_from_outside_is_no_gain_of_the_law() {
    // A ball at rest on a table that rises; and one that is struck from above.
    let rising = r#"{"mass": [1], "velocity": [0], "contact": [{"name": "C", "normal": [1], "offset": [-1]}]}"#;
    let struck =
        r#"{"mass": [1, 1], "velocity": [0, 0], "impulse": [0, 1], "contact": [{"name": "C", "normal": [1, 0]}]}"#;
    for (text, words) in [(rising, "the moving support raises"), (struck, "the external impulse raises")] {
        let output = delassus_with(&["impact", "-", "--law", "newton", "--strict"], text, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        assert!(stdout(&output).contains(words), "{}", stdout(&output));
    }
}

#[test]
fn colour_is_for_terminals() {
    let forced = delassus_with(&["impact"], "", &[("CLICOLOR_FORCE", "1")]);
    assert!(stdout(&forced).contains('\u{1b}'));
    let plain = delassus_with(&["impact"], "", &[("NO_COLOR", "1")]);
    assert!(!stdout(&plain).contains('\u{1b}'));
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let text = r#"{"mass": [0.1], "velocity": [-0.30000000000000004], "contact": [{"name": "C", "normal": [0.7], "restitution": 1}]}"#;
    let values = json(&delassus_with(&["impact", "-", "--law", "newton", "--json"], text, &[]));
    assert_eq!(
        values[0]["elements"][0]["gamma_minus"][0].as_f64().unwrap().to_bits(),
        (0.7 * -0.30000000000000004f64).to_bits()
    );
    close(&values[0]["kinetic_energy"]["after"], values[0]["kinetic_energy"]["before"].as_f64().unwrap());
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let batch = (0..20000).map(|_| ball(1.0, 0.5)).collect::<Vec<_>>().join(",");
    let file = scratch("pipe").join("batch.json");
    std::fs::write(&file, format!("[{batch}]")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .args(["impact", file.to_str().unwrap(), "--law", "newton", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

/// The files that a list names.
fn names_of(list: &str) -> Vec<String> {
    let words = list.lines().filter_map(|l| l.split_whitespace().next()).filter(|w| w.ends_with(".toml"));
    words.map(str::to_owned).collect()
}

#[test]
fn examples_are_listed_printed_and_written_once() {
    let list = stdout(&delassus(&["examples"]));
    let (problems, scenarios) = list.split_once("Scenarios").unwrap();
    let (problems, scenarios) = (names_of(problems), names_of(scenarios));
    assert!(problems.contains(&"kane.toml".to_owned()) && problems.len() >= 6, "{problems:?}");
    assert!(scenarios.len() >= 14 + 17, "{scenarios:?}");
    let folder = scratch("examples");
    let place = folder.to_str().unwrap();
    assert_eq!(delassus(&["examples", "block", "--write", place]).status.code(), Some(0));
    // The same file again is no conflict.
    let again = delassus(&["examples", "block", "--write", place]);
    assert_eq!(again.status.code(), Some(0));
    assert!(stdout(&again).contains("block.toml is there already"), "{}", stdout(&again));
    // One file is there already, with changes: nothing at all is written.
    std::fs::write(folder.join("block.toml"), "# mine").unwrap();
    refuses(&delassus(&["examples", "--write", place]), "block.toml exists already");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    assert_eq!(delassus(&["examples", "--write", place, "--force"]).status.code(), Some(0));
    // The folder of the scenarios is one entry more.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), problems.len() + 1);
    for name in &scenarios {
        let file = folder.join(name);
        assert_eq!(stdout(&delassus(&["examples", name])), std::fs::read_to_string(&file).unwrap());
        assert_eq!(delassus(&["check", file.to_str().unwrap()]).status.code(), Some(0), "{name}");
    }
    for name in &problems {
        let file = folder.join(name);
        assert_eq!(stdout(&delassus(&["examples", name])), std::fs::read_to_string(&file).unwrap());
        let output = delassus(&["impact", file.to_str().unwrap(), "--json"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        json(&output);
    }
    refuses(&delassus(&["examples", "kan"]), "did you mean 'kane'? There are: kane, ");
    refuses(&delassus(&["examples", "nosuch"]), "no example 'nosuch'; there are: kane, ");
}

#[test]
fn the_papers_problems_are_read_and_solved() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers");
    let list = |path: &Path| std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>();
    let folders = list(&root).into_iter().filter(|p| p.is_dir());
    let mut files: Vec<String> = folders.flat_map(|f| list(&f)).map(|p| p.display().to_string()).collect();
    files.retain(|name| name.ends_with(".toml") && !name.contains("expected"));
    assert!(files.len() > 10, "{files:?}");
    let mut args = vec!["impact", "--json"];
    args.extend(files.iter().map(String::as_str));
    let output = delassus(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    json(&output);
}

#[test]
fn kinetic_angles() {
    let value = json(&delassus(&["angles", &example("chain3.toml"), "--json"]));
    assert_eq!(value["contacts"][1], "second");
    // Three equal balls: arccos ½.
    close(&value["angles"][0][1], std::f64::consts::FRAC_PI_3);
    // The block with l/L = 2: π − arccos((a² − 2)/(a² + 4)).
    let output = delassus(&["angles", &example("block.toml"), &example("chain3.toml"), "--json"]);
    close(&json(&output)[0]["angles"][0][1], std::f64::consts::PI - 0.25f64.acos());
    let text = stdout(&delassus(&["angles", &example("chain3.toml")]));
    assert!(text.contains("kinetic angle θ of first and second") && text.contains("60°"), "{text}");
    refuses(&delassus(&["angles"]), "required");
}

#[test]
fn the_benchmark_solves_its_workloads() {
    let output = delassus(&["bench", "--json", "--seconds", "0"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for figure in json(&output).as_array().unwrap() {
        assert!(figure["per_second"].as_f64().unwrap() > 0.0, "{figure}");
    }
    refuses(&delassus(&["bench", "--seconds", "-1"]), "");
}

#[test]
fn the_course_of_an_impact() {
    let values = json(&delassus(&["impact", &example("chain3.toml"), "--law", "lzb", "--json", "--path"]));
    let outcome = &values[0];
    let path = &outcome["path"];
    let samples = path["tau"].as_array().unwrap().len();
    assert!(samples > 2);
    for key in ["impulses", "velocities", "gamma", "compressions", "states"] {
        assert_eq!(path[key].as_array().unwrap().len(), samples, "{key}");
    }
    assert_eq!(path["velocities"][samples - 1], outcome["velocity"]);
    assert_eq!(path["states"][0].as_array().unwrap().len(), 2);
    let stored = outcome["contact_energy"][0]["stored"].as_f64().unwrap();
    assert!(stored > 0.0);
    refuses(&delassus(&["impact", "--path"]), "--json");
}

#[test]
fn the_schema_is_json() {
    assert_eq!(json(&delassus(&["schema"]))["title"], "delassus problem file");
}

#[test]
fn version_and_help() {
    assert!(stdout(&delassus(&["--version"])).starts_with("delassus 0."));
    for command in ["impact", "map", "check", "schema", "examples", "angles", "bench"] {
        let output = delassus(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Usage: delassus "), "{}", stdout(&output));
    }
    let help = stdout(&delassus(&["impact", "--help"]));
    for law in delassus::LawSpec::all() {
        assert!(help.contains(law.name()), "{} is not in\n{help}", law.name());
    }
    for arguments in [["run", "--help"], ["help", "run"]] {
        assert!(stdout(&delassus(&arguments)).contains("[rocking_block]  "), "short forms with their keys");
    }
}

#[test]
fn check_tells_of_every_file_that_is_wrong() {
    let folder = scratch("check-all");
    let file = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name).display().to_string()
    };
    let (a, b) = (file("a.toml", "x = ["), file("b.json", r#"{"mass": [NaN], "velocity": [1]}"#));
    let output = delassus(&["check", &a, &example("kane.toml"), &b]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("kane.toml: 1 problem, valid"), "{}", stdout(&output));
    let words = stderr(&output);
    assert!(words.contains("2 of 3 files are not valid"), "{words}");
    assert!(words.contains("a.toml: line 1") && words.contains("b.json: line 1"), "{words}");
    assert!(words.contains("NaN") && words.contains("must be finite"), "{words}");
}

#[test]
fn batches_say_which_problem_and_how_many() {
    let text = r#"[
        {"name": "first", "mass": [1], "velocity": [-1], "contact": [{"name": "a", "normal": [1]}]},
        {"name": "second", "mass": [1], "velocity": [-2], "contact": [{"name": "a", "normal": [1]}]}]"#;
    let file = scratch("batch-names").join("two.json");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let outcomes = json(&delassus(&["impact", file, "--law", "newton,poisson", "--json"]));
    for (i, name) in ["first", "second"].into_iter().enumerate() {
        assert!((0..2).all(|k| outcomes[i][k]["problem"] == name), "{outcomes}");
    }
    let words = stdout(&delassus(&["impact", file, "--law", "newton"]));
    assert!(words.trim_end().ends_with("2 problems\nnewton  2 consistent"), "{words}");
}
