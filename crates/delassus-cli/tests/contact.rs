//! `delassus contact`: files of the field in and out, answers that hold, and errors that say where.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::{json, scratch, stderr, stdout};
use serde_json::Value;

fn delassus(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus")).current_dir(folder).arg("contact").args(args).output().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

/// A block of 1 kg on four corners, one number each way: the impulses carry the weight and the friction stops it.
#[test]
fn made_written_and_solved_in_both_formats() {
    let folder = scratch("contact-formats");
    for name in ["wall.dat", "wall.hdf5"] {
        let made = delassus(&folder, &["--generate", "wall", "--contacts", "40", "--seed", "5", "--out", name]);
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    }
    let converted = delassus(&folder, &["wall.hdf5", "--out", "again.dat"]);
    assert_eq!(converted.status.code(), Some(0), "{}", stderr(&converted));
    assert_eq!(std::fs::read(folder.join("wall.dat")).unwrap(), std::fs::read(folder.join("again.dat")).unwrap());
    let answers: Vec<Value> =
        ["wall.dat", "wall.hdf5"].map(|name| json(&delassus(&folder, &[name, "--json", "--impulses"]))).into();
    for answer in &answers {
        assert_eq!(answer["status"], "solved");
        assert_eq!(answer["contacts"], 40);
        assert!(answer["residual"].as_f64().unwrap() <= 1e-8 && answer["seconds"].as_f64().unwrap() >= 0.0);
        let (r, u) = (numbers(&answer["impulse"]), numbers(&answer["velocity"]));
        assert_eq!((r.len(), u.len()), (120, 120));
        for (r, u) in r.chunks_exact(3).zip(u.chunks_exact(3)) {
            assert!(r[0] >= -1e-9 && u[0] >= -1e-8 && r[1].hypot(r[2]) <= 0.5 * r[0] + 1e-8);
        }
    }
    assert_eq!(answers[0]["impulse"], answers[1]["impulse"]);
    // A file that is there stays.
    let again = delassus(&folder, &["wall.hdf5", "--out", "again.dat"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("--force"));
}

#[test]
fn a_folder_is_compared_and_drawn() {
    let folder = scratch("contact-folder");
    std::fs::create_dir(folder.join("problems")).unwrap();
    for (kind, contacts) in [("disks", "30"), ("arch", "12"), ("spheres", "20")] {
        let out = format!("problems/{kind}.dat");
        assert!(delassus(&folder, &["--generate", kind, "--contacts", contacts, "--out", &out]).status.success());
    }
    let compared = delassus(&folder, &["problems", "--compare", "--time-limit", "5", "--out", "profile.svg"]);
    assert_eq!(compared.status.code(), Some(0), "{}", stderr(&compared));
    let text = stdout(&compared);
    assert_eq!(text.matches("gauss-seidel").count(), 3 + 1, "{text}");
    assert!(text.contains("solved within") && text.contains("rank"));
    let csv = std::fs::read_to_string(folder.join("profile.csv")).unwrap();
    assert!(csv.starts_with("tau,auto,gauss-seidel,newton,proximal,smoothing\n1,"), "{csv}");
    assert!(std::fs::read_to_string(folder.join("profile.svg")).unwrap().contains("share of problems solved"));
    let all = json(&delassus(&folder, &["problems", "--json"]));
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert!(all.as_array().unwrap().iter().all(|a| a["status"] == "solved" && a.get("impulse").is_none()));
}

#[test]
fn complementarity_problems() {
    let folder = scratch("contact-lcp");
    // z = (4/3, 7/3): both positive, by hand.
    std::fs::write(folder.join("lcp.dat"), "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\nremark\n").unwrap();
    let answer = json(&delassus(&folder, &["lcp.dat", "--json", "--impulses"]));
    assert_eq!((&answer["status"], &answer["method"]), (&"solved".into(), &"lemke".into()));
    let z = numbers(&answer["impulse"]);
    assert!((z[0] - 4.0 / 3.0).abs() < 1e-12 && (z[1] - 7.0 / 3.0).abs() < 1e-12);
    // No solution: z ≥ 0 and −1 ≥ 0.
    std::fs::write(folder.join("none.dat"), "1\n0\n1\n1\n1 1\n0\n-1\n").unwrap();
    let none = delassus(&folder, &["none.dat", "--json"]);
    assert_eq!((none.status.code(), json(&none)["status"].clone()), (Some(1), "no-solution".into()));
    assert_eq!(json(&none)["certificate"], "enumeration complete: all 3 cases fail");
    // A matrix that is not definite, on which Lemke's method ends in rays: w_i = −z_i + 2(z_j + z_k) − 3.
    let cyclic = "3\n0\n3\n3\n3 3\n-1 2 2\n2 -1 2\n2 2 -1\n-3 -3 -3\n";
    std::fs::write(folder.join("cyclic.dat"), cyclic).unwrap();
    let answer = json(&delassus(&folder, &["cyclic.dat", "--json", "--impulses"]));
    assert_eq!((&answer["status"], &answer["method"]), (&"solved".into(), &"enumeration".into()));
    let z = numbers(&answer["impulse"]);
    for i in 0..3 {
        let w = 2.0 * z.iter().sum::<f64>() - 3.0 * z[i] - 3.0;
        assert!(z[i].min(w).abs() < 1e-12, "{answer}");
    }
    // Nine rows are too many for that, and nothing is claimed of them, but where a row of zeros proves it.
    let nine = |entries: &str| format!("9\n0\n9\n9\n9 9\n{}\n{}\n", entries.repeat(81), "-1 ".repeat(9));
    std::fs::write(folder.join("many.dat"), nine("-1 ")).unwrap();
    assert_eq!(json(&delassus(&folder, &["many.dat", "--json"]))["status"], "stalled");
    std::fs::write(folder.join("zero.dat"), nine("0 ")).unwrap();
    let zero = json(&delassus(&folder, &["zero.dat", "--json"]));
    assert_eq!(zero["status"], "no-solution");
    let expected = "contact 0 (of 0 to 8) approaches whatever impulses act: row 0 of the matrix is zero, q = -1e0";
    assert_eq!(zero["certificate"], expected);
    // All cases are tried where pivots come to no end, too, unless it was the user's limit that ended them.
    let endless = "6\n0\n6\n6\n6 6\n2e8 -200 -20 0 0 10\n-200 3e-4 3e-5 -1e-5 0 0\n-20 3e-5 3e-6 -1e-6 0 0\n\
        0 -1e-5 -1e-6 1e-6 0 -1e-6\n0 0 0 0 2e8 10\n10 0 0 -1e-6 10 2e-6\n0 -0.02 0.002 -0.001 -2e4 0\n";
    std::fs::write(folder.join("endless.dat"), endless).unwrap();
    let all = json(&delassus(&folder, &["endless.dat", "--json"]));
    assert_eq!(
        (&all["status"], &all["certificate"]),
        (&"no-solution".into(), &"enumeration complete: all 729 cases fail".into())
    );
    let some = json(&delassus(&folder, &["endless.dat", "--json", "--iterations", "3"]));
    assert_eq!(
        (&some["status"], &some["ended_by"]),
        (&"max-iterations".into(), &"the limit of 3 iterations was reached".into())
    );
    // The rank is told whichever way the problem is solved.
    assert_eq!((&json(&delassus(&folder, &["lcp.dat", "--json"]))["rank"], &zero["rank"]), (&2.into(), &0.into()));
    // The error is relative to ‖q‖ whichever way the problem is solved, also where impulses are large: ‖min(z, w)‖/‖q‖.
    let soft = "3\n0\n3\n3\n3 3\n2e-7 1e-7 0\n1e-7 2e-7 1e-7\n0 1e-7 2e-7\n-5 -6 3\n";
    std::fs::write(folder.join("soft.dat"), soft).unwrap();
    for method in ["auto", "gauss-seidel", "newton", "proximal", "smoothing"] {
        let arguments = ["soft.dat", "--method", method, "--json", "--impulses", "--tolerance", "1e-3"];
        let answer = json(&delassus(&folder, &arguments));
        let (z, w) = (numbers(&answer["impulse"]), numbers(&answer["velocity"]));
        let missing = z.iter().zip(&w).map(|(z, w)| z.min(*w).powi(2)).sum::<f64>().sqrt();
        let (error, residual) = (missing / 70f64.sqrt(), answer["residual"].as_f64().unwrap());
        assert!((residual - error).abs() <= 1e-6 * error + 1e-15, "{method}: {error} {answer}");
        assert!(answer["status"] != "solved" || error <= 1e-3, "{answer}");
    }
}

/// Without contacts there is an answer too, with the keys of every other.
#[test]
fn no_contacts() {
    let folder = scratch("contact-none");
    std::fs::write(folder.join("none.dat"), "3\n0\n0\n0\n0\n0 0\n").unwrap();
    let answer = json(&delassus(&folder, &["none.dat", "--json", "--impulses"]));
    assert_eq!((&answer["status"], &answer["contacts"]), (&"solved".into(), &0.into()));
    assert_eq!((&answer["impulse"], &answer["velocity"]), (&Value::Array(vec![]), &Value::Array(vec![])));
    assert!(json(&delassus(&folder, &["none.dat", "--json"])).get("impulse").is_none());
}

/// The impulses of an impact under the first law, contact by contact, those of joints last.
fn impact(folder: &Path, args: &[&str]) -> Vec<f64> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    let outcome = json(&command.current_dir(folder).arg("impact").args(args).arg("--json").output().unwrap());
    outcome[0]["elements"].as_array().unwrap().iter().flat_map(|element| numbers(&element["impulse"])).collect()
}

/// Impacts of our own become files that Siconos reads: written, read back and solved they have the impulses of the
/// law. A box that lands on two feet, in the plane and in space, also with a joint that guides it.
#[test]
fn impacts_are_written_and_solved() {
    let folder = scratch("contact-impacts");
    let plane = "mass = [2.0, 2.0, 0.3]\nvelocity = [0.7, -1.0, 0.4]\n\
        [[contact]]\nname = \"A\"\nnormal = [0.0, 1.0, -0.5]\ntangent = [1.0, 0.0, 0.8]\nfriction = 0.3\n\
        [[contact]]\nname = \"B\"\nnormal = [0.0, 1.0, 0.5]\ntangent = [1.0, 0.0, 0.8]\nfriction = 0.2\n";
    let space = "mass = [2.0, 2.0, 2.0, 0.1, 0.2, 0.3]\nvelocity = [0.5, -0.2, -1.0, 0.3, 0.0, 0.1]\n\
        [[contact]]\nname = \"A\"\nnormal = [0.0, 0.0, 1.0, 0.3, -0.4, 0.0]\n\
        tangent = [[1.0, 0.0, 0.0, 0.0, -0.2, -0.3], [0.0, 1.0, 0.0, 0.2, 0.0, 0.4]]\nfriction = 0.4\n\
        [[contact]]\nname = \"B\"\nnormal = [0.0, 0.0, 1.0, -0.3, 0.4, 0.0]\n\
        tangent = [[1.0, 0.0, 0.0, 0.0, -0.2, 0.3], [0.0, 1.0, 0.0, 0.2, 0.0, -0.4]]\nfriction = 0.1\n";
    // With both feet on the ground beside a joint impulses would not be unique.
    let foot = &plane[..plane.rfind("[[contact]]").unwrap()];
    let guided = format!("{foot}[[joint]]\nname = \"guide\"\ndirection = [[1.0, 0.3, 0.2]]\n");
    let row = "mass = [1.0, 2.0]\nvelocity = [1.0, -1.0]\n\
        [[contact]]\nname = \"A\"\nnormal = [-1.0, 1.0]\n[[contact]]\nname = \"B\"\nnormal = [1.0, 0.0]\n";
    for (name, text, endings) in [
        ("plane", plane, &["dat", "hdf5"][..]),
        ("space", space, &["dat", "hdf5"]),
        ("guided", &guided, &["dat", "hdf5"]),
        ("row", row, &["dat"]),
    ] {
        let file = format!("{name}.toml");
        std::fs::write(folder.join(&file), text).unwrap();
        let expected = impact(&folder, &[&file, "--law", "moreau"]);
        let mut files = vec![file.clone()];
        for ending in endings {
            let out = format!("{name}.{ending}");
            let written = delassus(&folder, &[&file, "--out", &out]);
            assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
            files.push(out);
        }
        for file in files {
            let output = delassus(&folder, &[&file, "--json", "--impulses"]);
            let answer = json(&output);
            assert_eq!(answer["status"], "solved", "{file}: {answer}");
            let impulse = numbers(&answer["impulse"]);
            assert!(impulse.iter().any(|r| r.abs() > 0.01), "{file}: nothing happens");
            // The impulses of joints come last in the outcome.
            for (r, expected) in impulse.iter().zip(&expected) {
                assert!((r - expected).abs() < 1e-6, "{file}: {impulse:?} instead of {expected:?}");
            }
        }
    }
    // Restitution is in q: the velocity of the problem is γ⁺ + εγ⁻.
    let bouncing = format!("law = {{ name = \"moreau\", restitution = 0.5 }}\n{plane}");
    std::fs::write(folder.join("bouncing.toml"), &bouncing).unwrap();
    let expected = impact(&folder, &["bouncing.toml"]);
    let found = numbers(&json(&delassus(&folder, &["bouncing.toml", "--json", "--impulses"]))["impulse"]);
    found.iter().zip(&expected).for_each(|(r, e)| assert!((r - e).abs() < 1e-6, "{found:?} {expected:?}"));
    // What is no contact problem is refused with its reason.
    let mixed = format!("{plane}[[contact]]\nname = \"C\"\nnormal = [0.0, 1.0, 0.0]\n");
    std::fs::write(folder.join("mixed.toml"), mixed).unwrap();
    let refused = delassus(&folder, &["mixed.toml"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("mixed.toml: contact[2] = 1 rows: contact[0] has 2"), "{}", stderr(&refused));
    let one_row = delassus(&folder, &["row.toml", "--out", "row.hdf5"]);
    assert!(stderr(&one_row).contains("FCLIB has no complementarity problems"), "{}", stderr(&one_row));
    // Another law is told.
    let other = delassus(&folder, &["plane.toml"]);
    assert!(stderr(&other).is_empty(), "{}", stderr(&other));
    std::fs::write(folder.join("lzb.toml"), format!("law = {{ name = \"lzb\" }}\n{plane}")).unwrap();
    let told = delassus(&folder, &["lzb.toml"]);
    assert!(stderr(&told).contains("the law lzb is no contact problem"), "{}", stderr(&told));
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let folder = scratch("contact-bad");
    std::fs::write(folder.join("cut.dat"), "2\n1\n0\n2\n2\n2 2\n1.0 zero\n").unwrap();
    std::fs::write(folder.join("text.dat"), "hello").unwrap();
    std::fs::write(folder.join("damaged.hdf5"), b"\x88HDF\r\n\x1a\n and more").unwrap();
    std::fs::create_dir(folder.join("empty")).unwrap();
    for (args, expected) in [
        (&["cut.dat"][..], "cut.dat: line 7, column 5: matrix = zero: needs a number"),
        (&["text.dat"], "needs a whole number"),
        (&["missing.dat"], "cannot read"),
        (&["empty"], "has no .dat"),
        (&["--generate", "spheres", "--contacts", "0"], "--contacts 0"),
        (&["--generate", "sphere"], "did you mean 'spheres'?"),
        (&["cut.dat", "--method", "newtn"], "did you mean 'newton'?"),
        (&["--generate", "disks", "--friction=-1"], "--friction -1"),
        (&["--generate", "disks", "--friction", "-1"], "--friction -1: must be at least 0"),
        (&["--generate", "disks", "--tolerance", "0"], "--tolerance 0"),
        (&["--generate", "disks", "--tolerance", "-1"], "--tolerance -1: must be positive"),
        (&["--generate", "disks", "--contacts", "-3"], "invalid value '-3' for '--contacts <N>'"),
        (&["--generate", "disks", "--seed", "-3"], "invalid value '-3' for '--seed <S>'"),
        (&["cut.dat", "--contacts", "5"], "--contacts: is of the problem that --generate makes"),
        (&["cut.dat", "--seed", "5"], "--seed: is of the problem that --generate makes"),
        (&["cut.dat", "--friction", "0.5"], "--friction: is of the problem that --generate makes"),
        (&["damaged.hdf5"], "damaged.hdf5: is no HDF5 file"),
        (&["-", "-"], "can be read only once"),
        (&["--generate", "disks", "--out", "x.svg"], "needs --compare"),
        (&["--generate", "disks", "--out", "x.txt"], "must end in .dat"),
        (&[], "required"),
    ] {
        let output = delassus(&folder, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
        assert!(stdout(&output).is_empty());
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "nothing was written");
}

/// One file that cannot be read has a row of its own; the others are solved.
#[test]
fn a_damaged_file_does_not_stop_the_others() {
    let folder = scratch("contact-damaged");
    std::fs::create_dir_all(folder.join("problems/deeper")).unwrap();
    std::fs::write(folder.join("problems/b-cut.dat"), "2\n1\n0\n2\n2\n2 2\n1.0 zero\n").unwrap();
    for name in ["problems/a.dat", "problems/deeper/c.dat"] {
        assert!(delassus(&folder, &["--generate", "disks", "--contacts", "6", "--out", name]).status.success());
    }
    for args in [&["problems", "--json"][..], &["problems/a.dat", "problems/b-cut.dat", "problems/deeper", "--json"]] {
        let output = delassus(&folder, args);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let all = json(&output);
        let words: Vec<&str> = all.as_array().unwrap().iter().map(|a| a["status"].as_str().unwrap()).collect();
        assert_eq!(words, ["solved", "error", "solved"]);
        assert_eq!(all[1]["name"], "problems/b-cut.dat");
        assert_eq!(all[1]["message"], "line 7, column 5: matrix = zero: needs a number");
    }
    let text = delassus(&folder, &["problems"]);
    assert_eq!(text.status.code(), Some(2));
    assert!(stdout(&text).contains("error: line 7, column 5"), "{}", stdout(&text));
    assert_eq!(stdout(&text).matches("  solved").count(), 2, "{}", stdout(&text));
    // The profile is of those that could be read; a folder without problems is told beside the others.
    let compared = delassus(&folder, &["problems", "--compare", "--out", "profile.svg"]);
    assert_eq!(compared.status.code(), Some(2), "{}", stderr(&compared));
    assert!(folder.join("profile.csv").exists());
    std::fs::create_dir(folder.join("empty")).unwrap();
    let missing = json(&delassus(&folder, &["problems/a.dat", "empty", "missing.dat", "--json"]));
    assert!(missing[1]["message"].as_str().unwrap().contains("has no .dat"), "{missing}");
    assert!(missing[2]["message"].as_str().unwrap().contains("cannot read"), "{missing}");
}

/// A matrix that is not symmetric is solved as it stands, with a warning; round-off is none.
#[test]
fn matrices_that_are_not_symmetric_are_told() {
    let folder = scratch("contact-asymmetric");
    for (name, entry, told) in [("off.dat", "0.2", true), ("round.dat", "0.10000000000000001", false)] {
        let text = format!("2\n1\n0\n2\n2\n2 2\n 1.0 0.1\n {entry} 1.0\n-1 0.5\n0.2\n");
        std::fs::write(folder.join(name), text).unwrap();
        let output = delassus(&folder, &[name]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let expected = "off.dat: the matrix is not symmetric (mirrored entries differ by 1.0e-1 of the diagonal)";
        assert_eq!(stderr(&output).contains(expected), told, "{}", stderr(&output));
        let warnings = json(&delassus(&folder, &[name, "--json"]))["warnings"].clone();
        assert_eq!(warnings.as_array().unwrap().len(), usize::from(told), "{warnings}");
    }
}

/// Standard input is read whatever it holds.
#[test]
fn standard_input_is_read() {
    use std::io::Write;
    let folder = scratch("contact-input");
    for name in ["p.dat", "p.hdf5"] {
        assert!(delassus(&folder, &["--generate", "wall", "--contacts", "8", "--out", name]).status.success());
    }
    let impact = "mass = [2.0]\nvelocity = [-1.0]\n[[contact]]\nname = \"floor\"\nnormal = [1.0]\n";
    std::fs::write(folder.join("p.toml"), impact).unwrap();
    for name in ["p.dat", "p.hdf5", "p.toml"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
        let command = command.args(["contact", "-", "--json", "--impulses"]);
        let pipe = std::process::Stdio::piped;
        let mut child = command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&std::fs::read(folder.join(name)).unwrap()).unwrap();
        let answer = json(&child.wait_with_output().unwrap());
        let expected = json(&delassus(&folder, &[name, "--json", "--impulses"]));
        assert_eq!(answer["name"], "standard input");
        assert_eq!(answer["impulse"], expected["impulse"], "{name}");
    }
}

/// The JSON tells what was done, in order; a start is told, and that there is none to use.
#[test]
fn stages_and_starts_are_told() {
    let folder = scratch("contact-stages");
    let made = |args: &[&str]| delassus(&folder, &[&["--generate", "kapla", "--contacts", "60"], args].concat());
    let answer = json(&made(&["--json"]));
    let stages = answer["stages"].as_array().unwrap();
    assert!(stages.len() > 1, "{answer}");
    assert!(stages.iter().all(|s| s["iterations"].as_u64().unwrap() > 0 && s["method"].is_string()), "{answer}");
    assert_eq!((&answer["method"], &answer["start"]), (&"auto".into(), &"zero".into()));
    assert!(made(&["--out", "kapla.hdf5"]).status.success());
    let warm = json(&delassus(&folder, &["kapla.hdf5", "--warm", "--json"]));
    assert_eq!((&warm["status"], &warm["start"]), (&"solved".into(), &"zero".into()));
    assert!(warm["warnings"][0].as_str().unwrap().contains("no guess"), "{warm}");
}

#[test]
fn limits_end_a_search() {
    let folder = scratch("contact-limits");
    let output = delassus(&folder, &["--generate", "spheres", "--contacts", "300", "--iterations", "3", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["status"], "max-iterations");
    assert_eq!(answer["ended_by"], "the limit of 3 iterations was reached");
    assert!(answer["residual"].as_f64().unwrap() > 1e-8);
    let text = delassus(&folder, &["--generate", "kapla", "--contacts", "2000", "--time-limit", "1e-6"]);
    assert!(stdout(&text).contains("max-iterations: the time limit of 0.000001 s was reached"), "{}", stdout(&text));
}

/// Why a search may have stalled is told: two feet of a body that only turns, with velocities of which it has none.
#[test]
fn what_may_have_no_solution_is_explained() {
    let folder = scratch("contact-doubt");
    let feet = |q: &str| {
        format!("3\n2\n0\n6\n6\n6 6\n{}\n{q}\n0.3 0.3\n", "1 1 1 -1 -1 -1\n".repeat(3) + &"-1 -1 -1 1 1 1\n".repeat(3))
    };
    std::fs::write(folder.join("none.dat"), feet("-1 0 0 -1 0 0")).unwrap();
    let expected = "there may be no solution: no velocities of bodies give this q";
    let output = delassus(&folder, &["none.dat", "--json"]);
    assert_eq!((output.status.code(), &json(&output)["status"]), (Some(1), &"stalled".into()));
    assert!(json(&output)["warnings"][0].as_str().unwrap().starts_with(expected), "{}", stdout(&output));
    assert!(stdout(&delassus(&folder, &["none.dat"])).contains(&format!("stalled: {expected}")));
    // Friction of 1e30 times round-off of a velocity is no small error.
    let strong = delassus(&folder, &["--generate", "spheres", "--contacts", "20", "--friction", "1e30", "--json"]);
    let answer = json(&strong);
    assert_eq!(answer["status"], "stalled");
    assert!(answer["residual_scale_free"].as_f64().unwrap() < 1e-8 && answer["residual"].as_f64().unwrap() > 1e-8);
    assert!(
        answer["warnings"][0].as_str().unwrap().starts_with("every contact is solved in units of its own"),
        "{answer}"
    );
}

/// Contacts that no impulse can stop are told by the file's numbers.
#[test]
fn what_has_no_solution_is_explained() {
    let folder = scratch("contact-no-solution");
    // Nothing moves along the normal of the second contact.
    let zero = "2\n2\n0\n4\n4\n4 4\n1 0 0 0\n0 1 0 0\n0 0 0 0\n0 0 0 1\n-1 0.5 -0.2 0\n0.3 0.3\n";
    // Both normals press on one body that moves in one direction only.
    let press = "2\n2\n0\n4\n4\n4 4\n1 0 -1 0\n0 1 0 0\n-1 0 1 0\n0 0 0 1\n-1 0.5 -0.2 0\n0.3 0.3\n";
    for (name, file, expected) in [
        ("zero.dat", zero, "contact 1 (of 0 to 1) approaches whatever impulses act: row 2 of the matrix is zero"),
        ("press.dat", press, "for some v ≥ 0 of the normals G v = 0 and qᵀv < 0"),
    ] {
        std::fs::write(folder.join(name), file).unwrap();
        let output = delassus(&folder, &[name, "--json"]);
        assert_eq!((output.status.code(), &json(&output)["status"]), (Some(1), &"no-solution".into()));
        assert!(json(&output)["certificate"].as_str().unwrap().starts_with(expected), "{}", stdout(&output));
        assert!(stdout(&delassus(&folder, &[name])).contains(&format!("no-solution: {expected}")));
    }
}
