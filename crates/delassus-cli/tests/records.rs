//! Ground-motion records in `delassus record` and `delassus run`: right, or refused.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::scratch;
use serde_json::Value;

fn delassus(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus")).current_dir(folder).args(args).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

/// A rocking block on a ground with a record of 30 s; strong enough to rock.
fn folder(name: &str) -> PathBuf {
    let place = scratch(name);
    let value = |k: i32| 0.4 * (f64::from(k) * 0.25).sin() * (-0.001 * f64::from(k)).exp();
    let table = |heading: &str, unit: f64| {
        let row = |k| format!("{:.2},{:.9}\n", 0.01 * f64::from(k), unit * value(k));
        format!("{heading}\n{}", (0..=3000).map(row).collect::<String>())
    };
    std::fs::write(place.join("g.csv"), table("time,acc_g", 1.0)).unwrap();
    std::fs::write(place.join("si.csv"), table("t [s],a [m/s2]", 9.80665)).unwrap();
    std::fs::write(place.join("silent.csv"), table("time,acc", 1.0)).unwrap();
    let values: String = (0..=3000).map(|k| format!("{:15.7E}\n", value(k))).collect();
    let header = |line: &str| format!("banner\nevent\n{line}\nNPTS= 3001, DT= .0100 SEC\n{values}");
    std::fs::write(place.join("a.AT2"), header("ACCELERATION TIME SERIES IN UNITS OF G")).unwrap();
    std::fs::write(place.join("v.AT2"), header("VELOCITY TIME SERIES IN UNITS OF CM/S")).unwrap();
    place
}

fn scenario(place: &Path, record: &str, more: &str) {
    let text = format!(
        "[world]\ngravity = 9.80665\n[rocking_block]\nwidth = 0.5\nheight = 1.5\nmass = 1.0\n[material]\nfriction = 0.9\n\
         [[ground]]\nname = \"floor\"\n[ground.motion.record]\n{record}\n{more}"
    );
    std::fs::write(place.join("run.toml"), text).unwrap();
}

#[test]
fn the_unit_of_the_file_decides() {
    let place = folder("units");
    let mut ends = Vec::new();
    for record in ["file = \"g.csv\"", "file = \"si.csv\"", "file = \"a.AT2\"", "file = \"silent.csv\"\nunits = \"g\""]
    {
        scenario(&place, record, "");
        let run = json(&delassus(&place, &["run", "run.toml", "--json"]));
        let shown = &run["records"][0];
        assert!((number(shown, "pga") - 0.4 * 9.80665).abs() < 0.2, "{shown}");
        assert_eq!(
            (number(shown, "duration"), number(shown, "points"), number(shown, "interval")),
            (30.0, 3001.0, 0.01)
        );
        assert!(number(shown, "pgv") > 0.1 && number(shown, "pgd") > 0.001, "{shown}");
        assert_eq!(run["warnings"], serde_json::json!([]), "{record}");
        // The whole record was used.
        assert!(number(&run, "time") >= 30.0, "{record}: {} at {}", run["status"], run["time"]);
        ends.push((run["impacts"].as_array().unwrap().len(), number(&run["impacts"][0], "time")));
    }
    assert!(ends[0].0 > 10, "{ends:?}");
    assert!(ends.iter().all(|end| (end.1 - ends[0].1).abs() < 1e-5), "{ends:?}");
}

#[test]
fn what_could_be_read_wrongly_is_refused() {
    let place = folder("refused");
    for (record, expected) in [
        (
            "file = \"silent.csv\"",
            "ground[0].motion.record.units: the file does not say its unit: give \"g\", \"m/s2\"",
        ),
        ("file = \"g.csv\"\nunits = \"m/s2\"", "record.units = \"m/s2\": the file itself says g; leave it out"),
        ("file = \"v.AT2\"", "record.file = \"v.AT2\": holds a velocity (line 3"),
        ("file = \"g.csv\"\ninterval = 0.02", "record.interval = 0.02: the file itself says 0.01"),
        ("file = \"none.AT2\"", "record.file = \"none.AT2\": cannot read"),
        ("file = \"g.csv\"\nunits = \"furlong\"", "must be one of g, m/s2, cm/s2, gal"),
        ("file = \"g.csv\"\nacceleration = [1.0]", "give either a file or accelerations"),
        ("acceleration = [1.0, 2.0]", "record.interval: the time between samples is missing"),
        ("fil = \"g.csv\"", "unknown key 'fil'; did you mean 'file'?"),
    ] {
        scenario(&place, record, "");
        let output = delassus(&place, &["run", "run.toml", "--json"]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{record}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
    let output = delassus(&place, &["record", "g.csv", "silent.csv"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("silent.csv: --units: the file does not say its unit"));
}

#[test]
fn a_summary_shows_the_record_and_what_is_odd() {
    let place = folder("summary");
    scenario(&place, "file = \"g.csv\"\nscale = 10.0", "[until]\ntime = 0.5\n");
    let text = String::from_utf8(delassus(&place, &["run", "run.toml"]).stdout).unwrap();
    for words in ["record g.csv (in g): 3001 points every 0.01 s, 30 s", "is above 3 g", "the record lasts 30 s"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
}

#[test]
fn components_add_and_expanded_files_run_the_same() {
    let place = folder("components");
    let parts = "[world]\ngravity = 9.80665\n[rocking_block]\nwidth = 0.5\nheight = 1.5\nmass = 1.0\n[material]\nfriction = 0.9\n\
                 [[ground]]\nname = \"floor\"\nmotion = [ { record = { file = \"a.AT2\" } }, \
                 { record = { file = \"si.csv\", direction = [0, 1], scale = 0.5 } } ]\n[until]\ntime = 4\n";
    std::fs::write(place.join("run.toml"), parts).unwrap();
    let run = json(&delassus(&place, &["run", "run.toml", "--json"]));
    let files: Vec<_> = run["records"].as_array().unwrap().iter().map(|r| r["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["a.AT2", "si.csv"]);
    let expanded = delassus(&place, &["expand", "run.toml"]).stdout;
    std::fs::create_dir(place.join("elsewhere")).unwrap();
    std::fs::write(place.join("elsewhere/run.toml"), expanded).unwrap();
    let again = json(&delassus(&place, &["run", "elsewhere/run.toml", "--json"]));
    assert_eq!((&run["impacts"], &run["records"]), (&again["impacts"], &again["records"]));
}

#[test]
fn records_are_shown() {
    let place = folder("shown");
    let text = String::from_utf8(delassus(&place, &["record", "a.AT2"]).stdout).unwrap();
    for words in ["PEER AT2, in g", "3001 points every 0.01 s, 30 s", "peaks:", "at the end: velocity", "⠀"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    let one = json(&delassus(&place, &["record", "silent.csv", "--units", "cm/s2", "--json"]));
    assert!((number(&one, "pga") - 0.004).abs() < 2e-4 && one["units"] == "cm/s2", "{one}");
    let weak = json(&delassus(&place, &["record", "silent.csv", "--units", "mm/s2", "--json"]));
    assert!(weak["warnings"][0].as_str().unwrap().contains("below 1e-4 g"), "{weak}");
    let several = delassus(&place, &["record", "a.AT2", "g.csv", "--json", "--out", "figure.svg"]);
    assert_eq!(json(&several).as_array().unwrap().len(), 2);
    let figure = std::fs::read_to_string(place.join("figure.svg")).unwrap();
    assert!(figure.starts_with("<svg") && !figure.contains("NaN"));
    let again = delassus(&place, &["record", "a.AT2", "--out", "figure.svg"]);
    assert!(again.status.code() == Some(2) && String::from_utf8_lossy(&again.stderr).contains("--force"));
    let wrong = delassus(&place, &["record", "a.AT2", "--out", "figure.pdf"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("must end in .svg or .png"));
}
