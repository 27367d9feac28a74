//! `delassus fit`, `delassus score`, and fragility of sweeps, from outside.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{json, scratch, stderr, stdout};

fn delassus(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus")).args(args).env("RAYON_NUM_THREADS", "2").output().unwrap()
}

fn scenario(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(name).display().to_string()
}

const SPHERE: &str = r#"
mass = [1.0, 1.0, 0.4]
velocity = [1.0, -1.0, 0.0]
[[contact]]
name = "C"
normal = [0.0, 1.0, 0.0]
tangent = [1.0, 0.0, 1.0]
friction = 0.5
restitution = 0.98
"#;

/// Oblique impacts of a sphere (Kharaz 2001).
fn oblique() -> Vec<[f64; 3]> {
    let table = [
        (1.84, 0.793),
        (3.70, 0.745),
        (9.50, 0.673),
        (20.0, 0.597),
        (30.1, 0.688),
        (39.4, 0.771),
        (49.7, 0.848),
        (60.0, 0.901f64),
    ];
    let row = |(angle, ratio): (f64, f64)| {
        let (sine, cosine) = angle.to_radians().sin_cos();
        [3.9 * sine, -3.9 * cosine, 3.9 * sine * ratio]
    };
    table.map(row).to_vec()
}

#[test]
fn a_table_of_impacts_gives_friction_and_compliance() {
    let folder = scratch("fit");
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("sphere.toml"), SPHERE).unwrap();
    let mut data = "velocity[0],velocity[1],measured.velocity[0]\n".to_owned();
    oblique().iter().for_each(|[x, y, after]| data += &format!("{x},{y},{after}\n"));
    fs::write(path("oblique.csv"), data).unwrap();
    let (data, sphere) = (path("oblique.csv"), path("sphere.toml"));
    let keys = ["--free", "contact.C.friction=0:0.5", "--free", "law.stiffness_ratio=0.5:3"];
    let figure = path("fit.svg");
    let args = [&["fit", &data, &sphere, "--law", "stronge", "--figure", &figure, "--json"], &keys[..]].concat();
    let output = delassus(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = json(&output);
    let friction = &found["estimates"][0];
    assert_eq!(friction["key"], "contact.C.friction");
    assert!((friction["value"].as_f64().unwrap() - 0.092).abs() < 0.003, "{found}");
    assert!(friction["interval"][0].as_f64().unwrap() < 0.092 && friction["interval"][1].as_f64().unwrap() > 0.092);
    assert!(fs::read_to_string(&figure).unwrap().contains("measured"));

    for (args, word) in [
        (
            &["fit", &data, &sphere, "--law", "stronge", "--free", "contact.C.fricton=0:1"][..],
            "did you mean 'contact.C.friction'",
        ),
        (&["fit", &data, &sphere, "--law", "stronge", "--free", "velocity[2]"], "has no usual range"),
        (&["fit", &data, &sphere, "--law", "stronge", "--free", "contact.C.friction=1:0"], "LOW must be below HIGH"),
        (&["fit", &sphere, &sphere, "--law", "stronge", "--free", "contact.C.friction"], "sphere.toml: line"),
    ] {
        let output = delassus(args);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
}

#[test]
fn a_swing_gives_its_start() {
    let folder = scratch("fit-motion");
    let results = folder.join("run");
    let block = scenario("rocking-block.toml");
    assert_eq!(delassus(&["run", &block, "--out", &results.display().to_string()]).status.code(), Some(0));
    // The program's own trajectory, thinned: every second row of the first, and only the angle.
    let table = fs::read_to_string(results.join("trajectory.csv")).unwrap();
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let (time, theta) = (place("time"), place("block.theta"));
    let mut data = "# measured\ntime,block.theta\n".to_owned();
    for line in lines.take(100).step_by(2) {
        let fields: Vec<&str> = line.split(',').collect();
        data += &format!("{},{}\n", fields[time], fields[theta]);
    }
    let swing = folder.join("swing.csv").display().to_string();
    fs::write(&swing, data).unwrap();
    let output = delassus(&["fit", &swing, &block, "--free", "rocking_block.angle=0.05:0.3", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = json(&output);
    assert!((found["estimates"][0]["value"].as_f64().unwrap() - 0.12).abs() < 1e-6, "{found}");
}

#[test]
fn laws_are_scored_with_the_bound() {
    let folder = scratch("score");
    let data = folder.join("impacts.csv").display().to_string();
    let mut text = String::new();
    for i in 0..3 {
        text += &format!("mass[{i}],velocity[{i}],after[{i}],contact.C.normal[{i}],contact.C.tangent[{i}],");
    }
    text = text.trim_end_matches(',').to_owned() + "\n";
    for [x, y, after] in oblique() {
        // ω⁺ follows from the tangential impulse.
        let spin = (after - x) / 0.4;
        text += &format!("1,{x},{after},0,1,1,{y},{},1,0,0.4,0,{spin},0,1\n", -0.98 * y);
    }
    fs::write(&data, &text).unwrap();
    let kinds = vec![delassus_io::ColumnKind::Number; 15];
    let parquet = folder.join("impacts.parquet").display().to_string();
    fs::write(&parquet, delassus_io::csv_to_parquet(&text, &kinds).unwrap()).unwrap();
    let figure = folder.join("laws.svg").display().to_string();
    let output =
        delassus(&["score", &data, "--folds", "4", "--figure", &figure, "--json", "--law", "newton,stronge,lzb"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = json(&output);
    let scores = found["scores"].as_array().unwrap();
    let median = |k: usize| scores[k]["median"].as_f64().unwrap();
    assert_eq!(scores[0]["name"], "best impulse");
    assert!(median(0) < 1e-3 && median(0) < median(1) && median(1) <= median(2) && median(2) <= median(3), "{found}");
    let stronge = scores.iter().find(|score| score["name"] == "stronge").unwrap();
    let friction = stronge["values"]["contact[*].friction"].as_f64().unwrap();
    assert!((friction - 0.092).abs() < 0.01, "{friction}");
    assert!(fs::read_to_string(&figure).unwrap().contains("stronge"));
    let words = stdout(&delassus(&["score", &data, "--law", "newton,kinematic"]));
    assert_eq!(stdout(&delassus(&["score", &parquet, "--law", "newton,kinematic"])), words);
    let mut damaged = fs::read(&parquet).unwrap();
    damaged.truncate(damaged.len() / 2);
    fs::write(&parquet, damaged).unwrap();
    let refused = delassus(&["score", &parquet]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("impacts.parquet"), "{}", stderr(&refused));
    assert!(words.contains("best impulse") && words.contains("friction"), "{words}");
    let wrong = delassus(&["score", &data, "--folds", "9"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("--folds 9"), "{}", stderr(&wrong));
}

#[test]
fn fragility_of_a_block_under_a_pulse() {
    let folder = scratch("fragility");
    let pulse = scenario("pulse.toml");
    let key = "ground.table.motion.pulse.acceleration";
    let figure = folder.join("fragility.svg").display().to_string();
    let vary = format!("{key}=log:2:4.5:9");
    let mut args = vec!["sweep", &pulse, "--vary", &vary, "--vary", "rocking_block.slenderness=normal:0.2:0.03"];
    args.extend(["--samples", "12", "--measure", "overturned,tilt", "--fragility", key, "--figure", &figure, "--json"]);
    let output = delassus(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = json(&output);
    let fragility = &found["fragility"];
    let counts = fragility["counts"].as_array().unwrap();
    assert_eq!(counts.len(), 9);
    assert!(counts.iter().all(|count| count["of"] == 12));
    let median = fragility["median"].as_f64().unwrap();
    let interval = [0, 1].map(|k| fragility["median_interval"][k].as_f64().unwrap());
    assert!(interval[0] < median && median < interval[1] && (2.0..4.5).contains(&median), "{fragility}");
    assert!(fs::read_to_string(&figure).unwrap().contains("95 % band"));
    // A limit that every case passes leaves no curve, and says so.
    args.truncate(args.len() - 3);
    args.extend(["--limit", "tilt=0", "--json"]);
    let found = json(&delassus(&args));
    assert!(found["fragility"]["reason"].as_str().unwrap().contains("every one of 108"), "{found}");
}

/// A slender block under one period of a cosine (the scenario says so): at 2.4 g tan α it overturns after an impact, at
/// 5 g tan α it stands, at 6 g tan α it overturns without any.
#[test]
fn incremental_analysis_of_a_block_under_pulses() {
    let folder = scratch("ida");
    let figure = folder.join("ida.svg").display().to_string();
    let (pulse, key) = (scenario("pulse.toml"), "ground.table.motion.pulse.acceleration");
    let levels = format!("{key}=1.962,4.7088,9.81,11.772");
    let mut args = vec!["sweep", &pulse, "--vary", "ground.table.motion.pulse.period=0.1,0.8", "--vary", &levels];
    args.extend(["--ida", key, "--figure", &figure, "--json"]);
    let output = delassus(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = json(&output);
    let curves = found["ida"]["curves"].as_array().unwrap();
    assert_eq!(curves.len(), 2);
    // A short pulse of these strengths does not overturn it.
    assert_eq!((&curves[0]["name"], &curves[0]["capacity"]), (&"0.1".into(), &serde_json::Value::Null));
    assert_eq!((&curves[1]["capacity"], &curves[1]["stands_again"]), (&4.7088.into(), &true.into()));
    assert_eq!(found["ida"]["capacity"][0], 4.7088);
    assert_eq!(found["ida"]["capacity"][2], serde_json::Value::Null);
    let svg = fs::read_to_string(&figure).unwrap();
    assert!(svg.contains("50 %") && svg.contains("one case"));
    // Another limit, and what is missing for one.
    args.truncate(args.len() - 3);
    let words = stdout(&delassus(&[&args[..], &["--limit", "tilt=0.01", "--json"]].concat()));
    assert!(words.contains("\"capacity\""), "{words}");
    let wrong = delassus(&[&args[..4], &["--measure", "tilt", "--limit", "tilt=1"]].concat());
    assert!(stderr(&wrong).contains("--limit is for --fragility and --ida"), "{}", stderr(&wrong));
}

/// 2π/p and α give a block its size: the same rows as a sweep over width and height.
#[test]
fn a_rocking_spectrum_is_a_sweep_over_sizes() {
    let folder = scratch("spectrum");
    let figure = folder.join("spectrum.svg").display().to_string();
    let pulse = scenario("pulse.toml");
    let args =
        ["sweep", &pulse, "--vary", "rocking_block.slenderness=0.15,0.25", "--spectrum=1:3:3", "--figure", &figure];
    let output = delassus(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table: Vec<Vec<String>> =
        stdout(&output).lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    assert_eq!(table[0][..4], ["case", "rocking_block.slenderness", "rocking_block.period", "tilt"]);
    assert_eq!(table.len(), 7);
    let svg = fs::read_to_string(&figure).unwrap();
    assert!(svg.contains("0.15") && svg.contains("overturned"), "curves by slenderness, marks of those that overturn");
    for row in &table[1..] {
        let [slenderness, period, tilt] = [1, 2, 3].map(|k| row[k].parse::<f64>().unwrap());
        let frequency = std::f64::consts::TAU / period;
        let diagonal = 2.0 * 0.75 * 9.81 / (frequency * frequency);
        let width = format!("rocking_block.width={}", diagonal * slenderness.sin());
        let height = format!("rocking_block.height={}", diagonal * slenderness.cos());
        let same = stdout(&delassus(&["sweep", &pulse, "--vary", &width, "--vary", &height, "--measure", "tilt"]));
        let same: f64 = same.lines().nth(1).unwrap().split(',').nth(3).unwrap().parse().unwrap();
        assert!((same - tilt).abs() < 1e-6 * tilt.max(1e-3), "{row:?}: {same}");
    }
    let block = folder.join("ball.toml").display().to_string();
    fs::write(&block, fs::read_to_string(scenario("bouncing-ball.toml")).unwrap()).unwrap();
    let refused = delassus(&["sweep", &block, "--spectrum"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
}

#[test]
fn the_map_of_a_pulse_shows_both_ways_to_overturn() {
    let folder = scratch("pulse-map");
    let figure = folder.join("pulse.svg").display().to_string();
    let output = delassus(&["map", &scenario("pulse.toml"), "--pulse=10", "--out", &figure, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table = fs::read_to_string(folder.join("pulse.csv")).unwrap();
    assert_eq!(table.lines().count(), 101);
    let head = "ground.table.motion.pulse.period,ground.table.motion.pulse.acceleration,regime\n";
    assert!(table.starts_with(head), "{table}");
    for way in ["stands", "overturned without impact", "overturned after impact"] {
        assert!(table.contains(way), "{way}");
    }
    // For each period no impact is needed from some acceleration on.
    let ways: Vec<&str> = table.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    for column in 0..10 {
        let upwards = (0..10).map(|row| ways[10 * row + column]);
        let free = upwards.skip_while(|way| *way != "overturned without impact");
        assert!(free.clone().all(|way| way == "overturned without impact"), "{:?}", free.collect::<Vec<_>>());
    }
    // At g tan α the block does not rock.
    let first = table.lines().skip(1).take(10);
    assert!(first.clone().all(|row| row.ends_with(",1.962,stands")), "{:?}", first.collect::<Vec<_>>());
    let refused = delassus(&["map", &scenario("rocking-block.toml"), "--pulse"]);
    assert!(stderr(&refused).contains("motion.pulse"), "{}", stderr(&refused));
}
