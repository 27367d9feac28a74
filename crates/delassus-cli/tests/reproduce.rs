//! `delassus reproduce` from the outside.

mod common;

use std::process::{Command, Output};

use common::free;
use serde_json::Value;

fn delassus(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus")).arg("reproduce").args(args).output().unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn json_has_the_designed_shape() {
    let output = delassus(&["payr-glocker-2005/fig-6", "glocker-2014/table-2", "--json"]);
    assert!(output.status.success());
    let studies: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let ids: Vec<_> = studies.iter().map(|s| s["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["payr-glocker-2005/fig-6", "glocker-2014/table-2"]);
    for study in &studies {
        assert_eq!(keys(study), ["id", "title", "verdict", "values", "files", "seconds"]);
        assert_eq!(study["verdict"], "agrees");
        assert!(study["seconds"].as_f64().unwrap() >= 0.0);
        let values = study["values"].as_array().unwrap();
        assert!(!values.is_empty());
        for value in values {
            // What no paper states stands beside an independent computation.
            let independent = value["paper"].is_null().then_some("independent");
            let expected: Vec<&str> =
                ["quantity", "paper", "ours", "tolerance"].into_iter().chain(independent).collect();
            assert_eq!(keys(value), expected);
            if let Some(tolerance) = value["tolerance"].as_f64() {
                let beside = value["paper"].as_f64().or(value["independent"].as_f64()).unwrap();
                let difference = beside - value["ours"].as_f64().unwrap();
                assert!(difference.abs() <= tolerance, "{value}");
            }
        }
    }
}

#[test]
fn files_are_written_and_the_same_every_time() {
    let read = |name: &str| {
        let path = free(name);
        let output = delassus(&["payr-glocker-2005/fig-9", "--out", path.to_str().unwrap(), "--json"]);
        assert!(output.status.success());
        let studies: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        let files: Vec<String> =
            studies[0]["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap().into()).collect();
        assert_eq!(files.len(), 3);
        let page = std::fs::read_to_string(path.join("index.html")).unwrap();
        assert!(page.contains("<svg") && page.contains("payr-glocker-2005/fig-9"));
        let mut all = vec![page.into_bytes()];
        all.extend(files.iter().map(|f| std::fs::read(path.join(f)).unwrap()));
        all
    };
    assert_eq!(read("first"), read("second"));
}

#[test]
fn the_page_keeps_earlier_studies() {
    let path = free("page");
    let (page, out) = (path.join("index.html"), path.to_str().unwrap());
    let read = || std::fs::read_to_string(&page).unwrap();
    let sections = |page: &str| -> Vec<String> {
        let heading = |part: &str| part.split("<h2>").nth(1).unwrap().split(' ').next().unwrap().to_owned();
        page.split("<section ").skip(1).map(heading).collect()
    };
    assert!(delassus(&["payr-glocker-2005/fig-9", "glocker-2014/table-2", "--out", out]).status.success());
    let both = read();
    // The same page whether the studies are computed at once or one after the other, in any order, or again.
    std::fs::remove_file(&page).unwrap();
    for id in ["glocker-2014/table-2", "payr-glocker-2005/fig-9", "glocker-2014/table-2"] {
        assert!(delassus(&[id, "--out", out]).status.success());
    }
    assert_eq!(sections(&both), ["payr-glocker-2005/fig-9", "glocker-2014/table-2"]);
    assert!(read() == both);
    // A page that someone else wrote is not replaced.
    std::fs::write(&page, "<h1>mine</h1>").unwrap();
    let refused = delassus(&["glocker-2014/table-2", "--out", out]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("index.html: is another page"));
    assert_eq!(read(), "<h1>mine</h1>");
}

#[test]
fn lists_all_studies_and_knows_whole_papers() {
    let list = String::from_utf8(delassus(&["--list"]).stdout).unwrap();
    for key in ["brogliato-zhang-liu-2012", "payr-glocker-2005", "glocker-2014", "zhang-brogliato-liu-2012"] {
        assert!(list.contains(&format!("{key}/fig-")), "{key}");
        let one = String::from_utf8(delassus(&[key, "--list"]).stdout).unwrap();
        assert!(one.lines().count() > 5 && one.lines().all(|line| line.starts_with(key)));
    }
}

#[test]
fn bad_input_says_what_is_meant() {
    let output = delassus(&["payr-glocker-2005/fig-44"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().contains("did you mean 'payr-glocker-2005/fig-4'"));
    let output = delassus(&["glocker-2014", "--data", "no-such-file.csv"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn measured_blocks_are_compared() {
    let path = free("data");
    std::fs::create_dir_all(&path).unwrap();
    let table = path.join("blocks.csv");
    // All corners stick: |d| = (1 + e)(2a² − 1)/(2a² + 2).
    std::fs::write(
        &table,
        "aspect,friction,friction_static,restitution,dispersion,uncertainty\n2,1,1.2,0.8,1.26,0.001\n",
    )
    .unwrap();
    let output = delassus(&["zhang-brogliato-liu-2012/fig-12", "--data", table.to_str().unwrap(), "--json"]);
    assert!(output.status.success());
    let studies: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(studies[0]["verdict"], "agrees");
    assert_eq!(studies[0]["values"][0]["paper"], 1.26);
}

#[test]
fn parameters_of_a_study_can_be_changed() {
    let changed = delassus(&["glocker-2014/table-2", "--set", "friction=0.2", "--json"]);
    assert!(changed.status.success());
    let studies: Vec<Value> = serde_json::from_slice(&changed.stdout).unwrap();
    let study = &studies[0];
    assert_eq!(study["verdict"], "changed");
    assert_eq!(study["parameters"][0]["value"], 0.2);
    let state = study["values"].as_array().unwrap().iter().find(|v| v["quantity"] == "Newton, ε_N = 0.5: state");
    assert_eq!(state.unwrap()["ours"], "slip"); // the paper's friction of 0.5 holds it
    for (args, message) in [
        (&["glocker-2014/table-2", "--set", "frction=0.2"][..], "it has friction, first_angle"),
        (&["glocker-2014/table-2", "--set", "friction=9"], "must lie between 0 and 1.5"),
        (&["glocker-2014/table-2", "--set", "friction"], "needs NAME=VALUE"),
        (&["glocker-2014", "--set", "friction=0.2"], "--set is for one study"),
    ] {
        let refused = delassus(args);
        assert_eq!(refused.status.code(), Some(2));
        assert!(refused.stdout.is_empty() && String::from_utf8_lossy(&refused.stderr).contains(message), "{message}");
    }
}
