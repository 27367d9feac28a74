//! `delassus map` from outside: output, files, exit status, threads.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::{example, json, scratch, stderr, stdout};
use serde_json::Value;

fn map(threads: &str, args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_delassus");
    Command::new(program).arg("map").args(args).env("RAYON_NUM_THREADS", threads).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const ROD: [&str; 6] = ["--x", "rod.velocity_ratio=-6:6:50", "--y", "rod.angle=0:pi:40", "--measure", "state"];

fn with<'a>(file: &'a str, args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [&[file], args, more].concat()
}

#[test]
fn the_summary_counts_regimes_and_curves() {
    let rod = example("rod_impact.toml");
    let output = map("2", &with(&rod, &ROD, &["--json"]));
    assert_eq!(output.status.code(), Some(0));
    let value = json(&output);
    assert_eq!(value["measure"], "state");
    assert_eq!(value["laws"], serde_json::json!(["newton"]));
    assert_eq!(value["x"]["key"], "rod.velocity_ratio");
    assert_eq!(value["y"]["to"].as_f64(), Some(std::f64::consts::PI));
    let regimes = value["regimes"].as_array().unwrap();
    let names: Vec<&str> = regimes.iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["stick", "forward slip", "backward slip"]);
    let points: u64 = regimes.iter().map(|r| r["points"].as_u64().unwrap()).sum();
    assert_eq!(points, 2000);
    // The map is symmetric about (0, π/2).
    assert_eq!(regimes[1]["points"], regimes[2]["points"]);
    assert_eq!(value["boundaries"].as_array().unwrap().len(), 2);
    let without = json(&map("2", &with(&rod, &ROD, &["--json", "--no-boundaries"])));
    assert_eq!((&without["boundaries"], &without["regimes"]), (&serde_json::json!([]), &value["regimes"]));
    assert_eq!((&value["undefined"], &value["unsolved"]), (&Value::Null, &Value::from(0)));

    let words = text(&map("2", &with(&rod, &ROD, &[])).stdout);
    for word in ["forward slip", "2000 points and 2 curves", "rod.angle from 0 to 3.14159", ".."] {
        assert!(words.contains(word), "{word} is not in\n{words}");
    }
}

#[test]
fn files_are_whole_alike_for_any_number_of_threads_and_kept() {
    let folder = scratch("map-files");
    let rod = example("rod_impact.toml");
    let run = |threads: &str, name: &str, measure: &str, ending: &str| {
        let out = folder.join(format!("{name}.{ending}")).display().to_string();
        let axes = [&ROD[..4], &["--measure", measure]].concat();
        assert_eq!(map(threads, &with(&rod, &axes, &["--out", &out])).status.code(), Some(0));
        let files = [format!("{name}.{ending}"), format!("{name}.csv"), format!("{name}-boundaries.csv")];
        files.map(|file| std::fs::read(folder.join(file)).unwrap())
    };
    for measure in ["state", "sign-reversal", "energy"] {
        let one = run("1", &format!("{measure}-1"), measure, "svg");
        assert!(one[0].starts_with(b"<svg"));
        assert_eq!(text(&one[1]).lines().count(), 2001);
        for threads in ["2", "5"] {
            assert!(one == run(threads, &format!("{measure}-{threads}"), measure, "svg"), "{measure}");
        }
    }
    let png = run("2", "state", "state", "png");
    assert!(png[0].starts_with(b"\x89PNG"));
    assert!(text(&png[2]).starts_with("curve,regime_a,regime_b,rod.velocity_ratio,rod.angle\n0,"));
    // Nothing is replaced or left half-done.
    let out = folder.join("state.png").display().to_string();
    let again = map("2", &with(&rod, &ROD, &["--out", &out]));
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("exists already"));
    assert_eq!(map("2", &with(&rod, &ROD, &["--out", &out, "--force"])).status.code(), Some(0));
    let files = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path());
    assert_eq!(files.filter(|f| f.extension().is_some_and(|e| e == "part")).count(), 0);
}

#[test]
fn bad_input_is_refused_with_what_is_allowed() {
    let kane = example("kane.toml");
    let good = ["--x", "velocity[0]=-1:1:5", "--y", "velocity[1]=-1:1:5", "--measure", "energy", "--law", "newton"];
    assert_eq!(map("1", &with(&kane, &good, &[])).status.code(), Some(0));
    for (place, value, words) in [
        (1, "velocity[2]=-1:1:5", "is no parameter of this problem; did you mean 'velocity[0]'?"),
        (1, "contact.C.frction=0:1:5", "did you mean 'contact.C.friction'?"),
        (1, "velocity[1]=-1:1:5", "the same parameter as --x"),
        (1, "velocity[0]", "needs KEY=FROM:TO:N"),
        (1, "velocity[0]=1:2", "needs KEY=FROM:TO:N"),
        (1, "velocity[0]=1:1:5", "FROM must be below TO"),
        (1, "velocity[0]=0:inf:5", "is no finite number"),
        (1, "velocity[0]=0:1:1", "N must be a whole number from 2"),
        (1, "velocity[0]=-1e308:1e308:5", "--x -1e308:1e308: must be a finite range"),
        (1, "colour=0:1:5", "is no parameter of this problem; there are: velocity[0], "),
        (5, "enery", "unknown measure; did you mean 'energy'? There are: state, "),
        (5, "colour", "unknown measure; there are: state, "),
        (5, "gamma:D", "there are C, C.friction"),
        (5, "difference", "compares two laws; here are 1"),
        (7, "newtn", "did you mean \"newton\"?"),
    ] {
        let mut args = good;
        args[place] = value;
        let output = map("1", &with(&kane, &args, &[]));
        assert_eq!(output.status.code(), Some(2), "{value}");
        assert_eq!(stdout(&output), "", "{value}");
        assert!(stderr(&output).contains(words), "{value}: {}", stderr(&output));
    }
    let table = example("table.toml");
    for (measure, words) in [
        ("gamma:front left.friction", "has 2 components; name one: front left.friction[0] or front left.friction[1]"),
        ("gamma:front left.friction[2]", "no such element; there are front left, front left.friction[0], front left.f"),
    ] {
        let axes = ["--x", "velocity[0]=-1:1:2", "--y", "velocity[1]=-1:1:2", "--law", "newton", "--measure", measure];
        let output = map("1", &with(&table, &axes, &[]));
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{measure}: {}", stderr(&output));
    }
    for (more, words) in
        [(["--out", "a.pdf"], "must end in .svg or .png"), (["--out", "no/such/a.svg"], "no directory")]
    {
        let output = map("1", &with(&kane, &good, &more));
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let folder = scratch("map-folder.svg");
    let output = map("1", &with(&kane, &good, &["--out", folder.to_str().unwrap(), "--force"]));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is a directory"), "{}", stderr(&output));
    assert!(!folder.with_extension("csv").exists());
    let lawless = map("1", &with(&kane, &good[..6], &[]));
    assert!(stderr(&lawless).contains("give one with --law"), "{}", stderr(&lawless));
}

#[test]
fn parts_where_the_impact_is_undefined_are_shown_as_such() {
    let kane = example("kane.toml");
    let axes = ["--x", "contact.C.friction=-1:1:9", "--y", "velocity[1]=-1:1:5", "--measure", "energy"];
    let value = json(&map("2", &with(&kane, &axes, &["--law", "newton", "--json"])));
    assert!(value["undefined"].as_str().unwrap().starts_with("contact[0].friction = -1"), "{value}");
    let undefined = value["regimes"].as_array().unwrap().iter().find(|r| r["name"] == "undefined").unwrap();
    assert_eq!(undefined["points"], 20);
    // Everywhere undefined is bad input.
    let axes = ["--x", "contact.C.friction=-2:-1:9", "--y", "velocity[1]=-1:1:5", "--measure", "energy"];
    let output = map("2", &with(&kane, &axes, &["--law", "newton"]));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("contact[0].friction = -2"), "{}", stderr(&output));
}

#[test]
fn laws_are_compared() {
    let kane = example("kane.toml");
    let axes = ["--x", "contact.C.friction=0:1:6", "--y", "contact.C.restitution=0:1:6", "--measure", "difference"];
    let value = json(&map("2", &with(&kane, &axes, &["--law", "newton,poisson", "--json"])));
    assert_eq!(value["laws"], serde_json::json!(["newton", "poisson"]));
    assert!(value["range"][1].as_f64().unwrap() > 0.1, "{value}");
    // Without friction or without restitution they are the same law.
    let regimes = value["regimes"].as_array().unwrap();
    let agree = regimes.iter().find(|r| r["name"] == "the laws agree").unwrap();
    assert!((11..36).contains(&agree["points"].as_u64().unwrap()), "{value}");
}

#[test]
fn a_rocking_block_overturns_beyond_its_angle_of_balance() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/housner-block.toml").display().to_string();
    let folder = scratch("map-scenario");
    let out = folder.join("block.svg").display().to_string();
    let axes = ["--x", "rocking_block.angle=0.1:0.25:4", "--y", "material.friction=1:2:2", "--measure", "overturned"];
    // Boundaries of motions are followed only when asked for.
    let output = map("2", &with(&file, &axes, &["--out", &out, "--json", "--xlabel", "release", "--title", "a block"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(json(&output)["boundaries"], serde_json::json!([]));
    assert!(!folder.join("block-boundaries.csv").exists());
    let svg = std::fs::read_to_string(&out).unwrap();
    assert!(svg.contains("release") && svg.contains("a block"));
    let output = map("2", &with(&file, &axes, &["--out", &out, "--json", "--force", "--boundaries"]));
    let value = json(&output);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(value["regimes"][1]["name"], "overturned");
    // Released at rest it falls over iff θ(0) > atan(L/l).
    let critical = (0.1f64 / 0.6).atan();
    let curves = std::fs::read_to_string(folder.join("block-boundaries.csv")).unwrap();
    let points: Vec<f64> = curves.lines().skip(1).map(|l| l.split(',').nth(3).unwrap().parse().unwrap()).collect();
    assert!(points.len() >= 2);
    assert!(points.iter().all(|x| (x - critical).abs() < 1e-6 * 0.15), "{points:?}, {critical}");
    let bad = map("1", &with(&file, &["--x", "rocking_block.angl=0:1:2", "--y", axes[3], "--measure", "end"], &[]));
    assert!(stderr(&bad).contains("did you mean 'rocking_block.angle'?"), "{}", stderr(&bad));
}

#[test]
fn a_map_of_a_scenario_without_a_name_is_headed_by_its_file() {
    let folder = scratch("map-unnamed");
    let (file, out) = (folder.join("unnamed.toml"), folder.join("block.svg"));
    std::fs::write(&file, "[rocking_block]\nwidth = 0.1\nheight = 0.6\nmass = 1.0\n[until]\ntime = 0.1\n").unwrap();
    let axes = ["--x", "rocking_block.angle=0.1:0.2:2", "--y", "rocking_block.mass=1:2:2", "--measure", "end"];
    let output = map("1", &with(&file.display().to_string(), &axes, &["--out", &out.display().to_string()]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(std::fs::read_to_string(&out).unwrap().contains(">unnamed.toml (newton)<"));
}

/// Interrupts a map of many rows once some of them are kept.
#[cfg(unix)]
fn interrupted(args: &[&str], partial: &Path, rows: usize) -> Output {
    let program = env!("CARGO_BIN_EXE_delassus");
    let mut command = Command::new(program);
    command.arg("map").args(args).env("RAYON_NUM_THREADS", "2");
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let finished = || std::fs::read_to_string(partial).map_or(0, |text| text.lines().count().saturating_sub(1));
    for _ in 0..600 {
        if finished() > rows {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn an_interrupted_map_keeps_its_rows_and_goes_on() {
    let folder = scratch("map-interrupted");
    let (out, partial) = (folder.join("rod.svg"), folder.join("rod.svg.partial"));
    let rod = example("rod_impact.toml");
    let axes = ["--x", "rod.velocity_ratio=-6:6:50", "--y", "rod.angle=0:pi:20000", "--measure", "state"];
    let args = with(&rod, &axes, &["--law", "lzb", "--out", out.to_str().unwrap()]);
    let rows = |output: &Output| -> usize {
        let message = stderr(output);
        assert_eq!(output.status.code(), Some(130), "{message}");
        assert_eq!(stdout(output), "");
        assert!(message.contains("rod.svg.partial; the same command goes on from there"), "{message}");
        let word = message.split("interrupted: ").nth(1).unwrap().split(' ').next().unwrap();
        word.parse().unwrap()
    };
    let first = rows(&interrupted(&args, &partial, 0));
    assert!(!out.exists() && first > 0);
    let again = interrupted(&args, &partial, first);
    assert!(stderr(&again).contains(&format!("where {first} of 39999 rows are finished")), "{}", stderr(&again));
    assert!(rows(&again) > first);
    let names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["rod.svg.partial"]);
}
