//! `delassus sweep` and `delassus merge` from outside: rows, order, files, parts, records, messages.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{example, json, scratch, stderr, stdout};

fn delassus(threads: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus")).args(args).env("RAYON_NUM_THREADS", threads).output().unwrap()
}

fn sweep(file: &str, args: &[&str]) -> Output {
    delassus("2", &[&["sweep", file], args].concat())
}

fn scenario(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("scenarios").join(name).display().to_string()
}

fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

const KANE: [&str; 6] =
    ["--vary", "contact.C.friction=0:1:5", "--vary", "law=newton,poisson", "--measure", "energy,verdict"];

#[test]
fn rows_are_in_order_with_the_answers_of_impact() {
    let kane = example("kane.toml");
    let output = sweep(&kane, &KANE);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table = rows(&stdout(&output));
    assert_eq!(table[0], ["case", "contact.C.friction", "law", "energy", "verdict", "status", "certificate"]);
    assert_eq!(table.len(), 11);
    assert_eq!(table[1][..3], ["0", "0", "newton"]);
    assert_eq!(table[2][..3], ["1", "0", "poisson"]);
    assert_eq!(table[3][..3], ["2", "0.25", "newton"]);
    // The file's own friction, 0.5, is case 4.
    let one = json(&delassus("1", &["impact", &kane, "--law", "newton", "--json"]));
    let energy = &one[0]["kinetic_energy"];
    let [before, change] = ["before", "change"].map(|key| energy[key].as_f64().unwrap());
    assert!((table[5][3].parse::<f64>().unwrap() - change / before).abs() < 1e-12);
    assert_eq!(table[5][4..6], ["gains energy", "solved"]);
    // The certificate says what fails and how far: the energy's residual of `impact`.
    let residual = one[0]["certificate"]["energetic"]["residual"].as_f64().unwrap();
    let (check, shown) = table[5][6].strip_prefix("fails: ").unwrap().split_once(' ').unwrap();
    assert_eq!(check, "energetic");
    assert!((shown.parse::<f64>().unwrap() - residual).abs() < 1e-5 * residual, "{shown} {residual}");
    assert_eq!(table[6][6], "holds");
}

#[test]
fn the_file_has_the_same_bytes_for_any_threads_and_parts() {
    let folder = scratch("sweep-files");
    let path = |name: &str| folder.join(name).display().to_string();
    let block = scenario("rocking-block.toml");
    let args = |more: &[&str]| {
        let mut args =
            vec!["sweep", &block, "--vary", "rocking_block.angle=0.05:0.3:4", "--measure", "tilt,impacts,force:A"];
        args.extend(["--vary", "material.friction=normal:0.3:0.05", "--vary", "rocking_block.height=uniform:0.4:0.5"]);
        args.extend(["--samples", "3", "--seed", "5"]);
        args.iter().chain(more).map(|s| (*s).to_owned()).collect::<Vec<_>>()
    };
    let run = |threads: &str, more: &[&str]| {
        let args = args(more);
        delassus(threads, &args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let printed = run("2", &[]);
    assert_eq!(printed.status.code(), Some(0), "{}", stderr(&printed));
    for (threads, name) in [("1", "one.csv"), ("5", "five.csv")] {
        assert_eq!(run(threads, &["--out", &path(name)]).status.code(), Some(0));
        assert_eq!(fs::read(path(name)).unwrap(), printed.stdout);
    }
    let parts: Vec<String> = (1..=3).map(|k| path(&format!("part{k}.csv"))).collect();
    for (k, part) in parts.iter().enumerate() {
        let shard = format!("{}/3", k + 1);
        assert_eq!(run("2", &["--out", part, "--shard", &shard]).status.code(), Some(0));
    }
    let whole = path("merged.csv");
    let merge = |parts: &[&str]| delassus("1", &[&["merge"], parts, &["--out", &whole]].concat());
    let missing = merge(&[&parts[2], &parts[0]]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("part 2 of 3 is missing"), "{}", stderr(&missing));
    assert_eq!(merge(&[&parts[2], &parts[0], &parts[1]]).status.code(), Some(0));
    assert_eq!(fs::read(&whole).unwrap(), printed.stdout);
    // The same as Parquet, whose rows are those of the CSV.
    assert_eq!(run("2", &["--out", &path("one.parquet")]).status.code(), Some(0));
    let parquet = fs::read(path("one.parquet")).unwrap();
    assert_eq!(delassus_io::parquet_to_csv(&parquet).unwrap().text.as_bytes(), printed.stdout);
    let pieces: Vec<String> = (1..=2).map(|k| path(&format!("piece{k}.parquet"))).collect();
    for (k, piece) in pieces.iter().enumerate() {
        let shard = format!("{}/2", k + 1);
        assert_eq!(run("1", &["--out", piece, "--shard", &shard]).status.code(), Some(0));
    }
    for (name, expected) in [("whole.parquet", &parquet), ("whole.csv", &printed.stdout)] {
        let merged = delassus("1", &["merge", &pieces[1], &pieces[0], "--out", &path(name)]);
        assert_eq!(merged.status.code(), Some(0), "{}", stderr(&merged));
        assert!(fs::read(path(name)).unwrap() == *expected, "{name}");
        fs::remove_file(path(name)).unwrap();
    }
    let refused = delassus("1", &["merge", &parts[0], &parts[1], &parts[2], "--out", &path("none.parquet")]);
    assert!(stderr(&refused).contains("ends in .csv"), "{}", stderr(&refused));
    pieces.iter().chain([&path("one.parquet")]).for_each(|file| fs::remove_file(file).unwrap());
    // Nothing is replaced, and nothing left behind.
    assert_eq!(run("2", &["--out", &path("one.csv")]).status.code(), Some(2));
    assert_eq!(run("2", &["--out", &path("one.csv"), "--force"]).status.code(), Some(0));
    let mut names: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into()).collect();
    names.sort();
    let expected = ["five.csv", "merged.csv", "one.csv", "part1.csv", "part2.csv", "part3.csv"];
    assert_eq!(names, expected.map(PathBuf::from));
    // Other samples.
    assert_ne!(run("2", &["--sobol"]).stdout, printed.stdout);
}

#[test]
fn records_are_swept_by_their_files() {
    let folder = scratch("sweep-records");
    let file = scenario("earthquake.toml");
    let records = Path::new(&file).with_file_name("records");
    for name in ["synthetic-east.AT2", "synthetic-up.AT2"] {
        fs::copy(records.join(name), folder.join(name)).unwrap();
    }
    let key = "ground.floor.motion[0].record.file";
    let pattern = format!("{key}={}/*.AT2", folder.display());
    let scale = "ground.floor.motion[0].record.scale=0.5,1";
    let output = sweep(&file, &["--vary", &pattern, "--vary", scale, "--measure", "tilt,time"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table = rows(&stdout(&output));
    assert_eq!(table.len(), 5);
    assert!(table[1][1].ends_with("synthetic-east.AT2") && table[3][1].ends_with("synthetic-up.AT2"));
    // The second case is the scenario as it is.
    let run = json(&delassus("1", &["run", &file, "--json"]));
    let tilt = run["peaks"]["tilt"]["value"].as_f64().unwrap();
    assert_eq!(table[2][3].parse::<f64>().unwrap(), tilt);
    assert!(table[1][3].parse::<f64>().unwrap() < tilt);
    // A file without a unit is refused, whatever the others say.
    fs::write(folder.join("plain.csv"), "0.00,0.0\n0.01,0.1\n0.02,0.0\n").unwrap();
    let both = format!("{key}={0}/synthetic-east.AT2,{0}/plain.csv", folder.display());
    let output = sweep(&file, &["--vary", &both, "--measure", "tilt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("unit") && stderr(&output).contains("plain.csv"), "{}", stderr(&output));
}

#[test]
fn a_case_that_fails_is_a_row_with_its_reason() {
    let kane = example("kane.toml");
    let args = ["--vary", "contact.C.friction=-1,0.5", "--law", "newton", "--measure", "energy"];
    let output = sweep(&kane, &args);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("0,-1,,") && lines[1].contains("undefined: contact[0].friction"), "{text}");
    assert!(lines[2].starts_with("1,0.5,0.58") && lines[2].contains(",solved,fails: energetic"), "{text}");
    assert!(lines[1].ends_with(','), "no certificate without an answer: {text}");
    assert!(stderr(&output).contains("1 of 2 cases have no answer"));
    let summary = json(&sweep(&kane, &[&args[..], &["--json"]].concat()));
    assert_eq!((&summary["cases"], &summary["failed"]), (&2.into(), &1.into()));
    // The block of this scenario cannot be higher than numbers go; its neighbours run.
    let block = scenario("rocking-block.toml");
    let output = sweep(&block, &["--vary", "rocking_block.height=-1,0.5", "--measure", "impacts,verdict"]);
    let text = stdout(&output);
    assert!(text.contains("\n0,-1,,,undefined: ") || text.contains("\n0,-1,,,\"undefined: "), "{text}");
    assert!(text.lines().nth(2).unwrap().ends_with(",consistent,at-rest,holds"), "{text}");
}

#[test]
fn dry_run_counts_and_figures_are_drawn() {
    let folder = scratch("sweep-figure");
    let kane = example("kane.toml");
    let dry = json(&sweep(&kane, &[&KANE[..], &["--dry-run", "--json"]].concat()));
    assert_eq!(dry["cases"], 10);
    assert!(dry["seconds"].as_f64().unwrap() < 10.0);
    let figure = folder.join("kane.svg").display().to_string();
    let output = sweep(&kane, &[&KANE[..], &["--figure", &figure, "--xlabel", "rubbing", "--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let svg = fs::read_to_string(&figure).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("rubbing") && svg.contains("poisson"));
    // A coordinate of a motion goes by its name, with the unit that it has.
    let figure = folder.join("block.svg").display().to_string();
    let rates = ["--vary", "rocking_block.angle=0.05,0.1", "--measure", "u[2]", "--figure", &figure, "--json"];
    assert_eq!(sweep(&scenario("rocking-block.toml"), &rates).status.code(), Some(0));
    assert!(fs::read_to_string(&figure).unwrap().contains("d block.θ/dt at the end [rad/s]"));
}

#[test]
fn finished_rows_are_not_lost() {
    let folder = scratch("sweep-lost");
    let block = scenario("rocking-block.toml");
    let args = |angles: &str, out: &Path| -> Vec<String> {
        let vary = format!("rocking_block.angle={angles}");
        let words = ["--vary", &vary, "--vary", "until.time=1", "--measure", "tilt", "--out"];
        words.iter().map(|word| word.to_string()).chain([out.display().to_string()]).collect()
    };
    let run = |args: &[String]| sweep(&block, &args.iter().map(String::as_str).collect::<Vec<_>>());
    // Where the file cannot be, nothing is computed.
    for (out, words) in [("none/rows.csv", "there is no directory"), ("rows.xlsx", "must end in .csv or .parquet")] {
        let output = run(&args("0.1:0.2:1000000", &folder.join(out)));
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    // Rows of another sweep stay, unless told otherwise.
    let out = folder.join("rows.csv");
    let partial = folder.join("rows.csv.partial");
    let kept = "finished rows of the delassus sweep 0123456789abcdef 1 of 1\n0,0.1,0.5,completed,holds\n";
    fs::write(&partial, kept).unwrap();
    let output = run(&args("0.1:0.2:3", &out));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("holds 1 finished rows of another sweep"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&partial).unwrap(), kept);
    let forced = run(&[&args("0.1:0.2:3", &out)[..], &["--force".to_owned()]].concat());
    assert_eq!(forced.status.code(), Some(0), "{}", stderr(&forced));
    assert!(!partial.exists());
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 4);
}

#[test]
fn rows_are_printed_as_they_come() {
    let block = scenario("rocking-block.toml");
    let mut child = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .args(["sweep", &block, "--vary", "rocking_block.angle=0.02:0.15:1000000", "--measure", "tilt"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A million motions take minutes; the first ones are there at once, in order.
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().take(20).map(Result::unwrap);
    let first: Vec<String> = lines.collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first[0].starts_with("case,"), "{first:?}");
    for (k, line) in first[1..].iter().enumerate() {
        assert!(line.starts_with(&format!("{k},")), "{first:?}");
    }
}

#[test]
fn what_is_wrong_is_said_and_what_there_is() {
    let (kane, block) = (example("kane.toml"), scenario("rocking-block.toml"));
    for (file, args, words) in [
        (
            &kane,
            &["--vary", "contact.C.fricton=0,1", "--measure", "energy", "--law", "newton"][..],
            &["contact.C.friction", "no parameter"][..],
        ),
        (
            &kane,
            &["--vary", "contact.C.friction=0,1", "--measure", "enrgy", "--law", "newton"],
            &["did you mean 'energy'"],
        ),
        (
            &kane,
            &["--vary", "contact.C.friction=rough", "--law", "newton", "--measure", "energy"],
            &["rough", "no number"],
        ),
        (&kane, &["--vary", "law=newtn", "--measure", "energy"], &["newtn"]),
        (&block, &["--vary", "rocking_block.hight=1,2", "--measure", "tilt"], &["did you mean 'rocking_block.height'"]),
        (
            &block,
            &["--vary", "rocking_block.height=1,2", "--measure", "force:E"],
            &["no such contact; there are A, B, C, D"],
        ),
        (&block, &["--vary", "rocking_block.height=normal:1:0.1", "--measure", "tilt"], &["--samples", "is missing"]),
        (&block, &["--vary", "ground.floor.motion.record.file=none*.AT2", "--measure", "tilt"], &["no file none*.AT2"]),
        (&block, &["--vary", "rocking_block.height=1,2", "--measure", "tilt", "--law", "newton,lzb"], &["one law"]),
    ] {
        let output = sweep(file, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        assert!(output.stdout.is_empty());
        for word in words {
            assert!(stderr(&output).contains(word), "{word} is not in {}", stderr(&output));
        }
    }
}

#[test]
fn a_scene_in_space_is_swept_over_its_records() {
    let folder = scratch("sweep-space");
    let wave = |k: usize| format!("{:.6}\n", (0.3 * k as f64).sin());
    let record = |from: usize| format!("acc [m/s2]\n{}", (from..from + 60).map(wave).collect::<String>());
    fs::write(folder.join("a.txt"), record(0)).unwrap();
    fs::write(folder.join("b.txt"), record(5)).unwrap();
    let text = "[world]\ndimension = 3\n[[ground]]\nname = \"floor\"\n\
                [ground.motion.record]\nfile = \"a.txt\"\ninterval = 0.01\n\
                [[body]]\nname = \"cube\"\nmass = 1.0\nshape.cuboid.size = [0.1, 0.1, 0.1]\nposition = [0.0, 0.0, 0.05]\n\
                [material]\nfriction = 0.2\n[integrator]\nstep = 2e-3\n[until]\ntime = 0.6\n";
    let file = folder.join("cube.toml").display().to_string();
    fs::write(&file, text).unwrap();
    let files = format!("ground.floor.motion.record.file={}", folder.join("?.txt").display());
    let pga = "ground.floor.motion.record.pga=0.5,1,4";
    let output = sweep(&file, &["--vary", &files, "--vary", pga, "--measure", "u[0],end"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table = rows(&stdout(&output));
    let speed = |row: usize| table[1 + row][3].parse::<f64>().unwrap();
    assert_eq!(table.len(), 7);
    // The floor carries the cube along up to μg = 1.962 m/s², and in proportion to the record; then it slides.
    assert!(speed(0).abs() > 1e-3 && (speed(1) / speed(0) - 2.0).abs() < 1e-6, "{table:?}");
    assert!((speed(2) / speed(0) - 8.0).abs() > 0.1, "{table:?}");
    assert!((speed(3) - speed(0)).abs() > 1e-3, "{table:?}");
    // What time-stepping does not follow is refused, not told as 0.
    let output = sweep(&file, &["--vary", pga, "--measure", "slip"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(stderr(&output).contains("--measure \"slip\": is followed by events only"), "{}", stderr(&output));
}

#[test]
fn a_report_of_a_sweep_tells_what_it_found() {
    let place = scratch("sweep-report");
    let path = |name: &str| place.join(name).display().to_string();
    let kane = example("kane.toml");
    for table in ["kane.csv", "kane.parquet"] {
        let done = sweep(&kane, &[&KANE[..], &["--out", &path(table)]].concat());
        assert!(done.status.success(), "{}", stderr(&done));
        let page = path(&format!("{table}.html"));
        let done = delassus("1", &["report", &path(table), "--out", &page]);
        assert!(done.status.success(), "{}", stderr(&done));
        let text = fs::read_to_string(page).unwrap();
        for words in ["10 cases: 10 solved", "<svg", "--vary contact.C.friction=0:1:5", "--vary law=newton,poisson"] {
            assert!(text.contains(words), "{table}: {words} is missing");
        }
    }
    let named = ["report", &path("kane.csv"), "--of", &kane, "--out", &path("named.html")];
    assert!(delassus("1", &named).status.success());
    let text = fs::read_to_string(path("named.html")).unwrap();
    assert!(
        text.contains(&format!("delassus sweep {kane}"))
            && text.contains("name = &quot;Kane&#39;s double pendulum&quot;")
    );
    let done = delassus("1", &["report", &kane, "--of", &kane, "--out", &path("none.html")]);
    assert!(done.status.code() == Some(2) && stderr(&done).contains("no table of a sweep is given"));
    let failing = [
        "--vary",
        "contact.C.restitution=-0.5,0.5",
        "--measure",
        "energy",
        "--law",
        "newton",
        "--out",
        &path("bad.csv"),
    ];
    assert_eq!(sweep(&kane, &failing).status.code(), Some(1));
    assert!(delassus("1", &["report", &path("bad.csv"), "--out", &path("bad.html")]).status.success());
    let text = fs::read_to_string(path("bad.html")).unwrap();
    assert!(text.contains("1 of 2 cases have no answer") && text.contains("case 0: contact.C.restitution = -0.5"));
    fs::write(path("other.csv"), "a,b\n1,2\n").unwrap();
    let done = delassus("1", &["report", &path("other.csv"), "--out", &path("other.html")]);
    assert!(done.status.code() == Some(2) && stderr(&done).contains("is no table of a sweep"));
}
