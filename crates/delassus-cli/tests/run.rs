//! `delassus run` and `delassus expand`, end to end.

mod common;

use std::path::Path;

use common::{delassus, free, json_of_success as json, scratch};
use serde_json::Value;

fn scenario(name: &str) -> String {
    format!("{}/../../scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn without_a_file_a_rocking_block_runs() {
    let run = json(&delassus(&["run", "--json"]));
    assert_eq!(run["status"], "at-rest");
    assert_eq!(run["law"], "lzb");
    let first = &run["impacts"][0];
    assert_eq!(first["contacts"], serde_json::json!(["A", "B"]));
    for key in ["q", "velocity_minus", "velocity_plus"] {
        assert_eq!(first[key].as_array().unwrap().len(), 3, "{key}");
    }
    assert!(first["kinetic_energy"]["after"].as_f64() < first["kinetic_energy"]["before"].as_f64());
    assert_eq!(first["certificate"]["energetic"]["holds"], true);
    assert!(run["energy"]["closure"].as_f64().unwrap() < 1e-7);
    let text = String::from_utf8(delassus(&["run"]).stdout).unwrap();
    for word in ["at rest after", "impacts", "largest θ/θ_c", "closed to", "block.theta(t)"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
}

#[test]
fn several_laws_are_compared() {
    let twice = delassus(&["run", "--law", "newton", "--law", "newton", "--json"]);
    assert_eq!(json(&twice)["law"], "newton", "a law named twice is one");
    let file = scenario("bouncing-ball");
    let output = delassus(&["run", &file, "--law", "newton,poisson", "--law", "lzb", "--json"]);
    let runs = json(&output);
    let laws: Vec<_> = runs.as_array().unwrap().iter().map(|run| run["law"].as_str().unwrap()).collect();
    assert_eq!(laws, ["newton", "poisson", "lzb"]);
    let text = String::from_utf8(delassus(&["run", &file, "--law", "newton,poisson"]).stdout).unwrap();
    assert!(text.contains("law") && text.contains("closure"), "{text}");
}

#[test]
fn results_appear_whole_and_are_not_overwritten() {
    let place = free("out");
    let directory = place.to_str().unwrap();
    let file = scenario("rod");
    assert!(delassus(&["run", &file, "--out", directory]).status.success());
    for name in ["trajectory.csv", "run.json", "scenario.toml", "version.txt", "columns.csv", "impacts.csv"] {
        assert!(place.join(name).metadata().unwrap().len() > 0, "{name}");
    }
    let again = delassus(&["run", &file, "--out", directory]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--force"));
    assert!(delassus(&["run", &file, "--out", directory, "--force"]).status.success());
    // The expanded scenario runs to the same end.
    let first: Value = serde_json::from_slice(&std::fs::read(place.join("run.json")).unwrap()).unwrap();
    let second = json(&delassus(&["run", place.join("scenario.toml").to_str().unwrap(), "--json"]));
    assert_eq!(first["time"], second["time"]);
    std::fs::remove_dir_all(&place).unwrap();
}

#[test]
fn force_replaces_results_and_nothing_else() {
    let place = scratch("forced");
    let (file, out) = (scenario("rod"), place.join("out"));
    let run = |out: &Path, laws: &str| {
        delassus(&["run", &file, "--law", laws, "--out", out.to_str().unwrap(), "--force", "--json"])
    };
    let names = |folder: &Path| {
        let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    // One run over several and the other way round.
    for laws in ["newton,poisson", "newton", "newton,poisson"] {
        assert!(run(&out, laws).status.success());
    }
    let folders = names(&out);
    assert_eq!(folders.len(), 2);
    // A note among the results, at the top or below.
    for note in [out.join("notes.txt"), out.join(&folders[1]).join("notes.txt")] {
        std::fs::write(&note, "mine").unwrap();
        let refused = run(&out, "newton");
        assert_eq!(refused.status.code(), Some(2));
        assert!(refused.stdout.is_empty());
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(message.contains("notes.txt is no result of a run"), "{message}");
        assert_eq!(std::fs::read_to_string(&note).unwrap(), "mine");
        std::fs::remove_file(&note).unwrap();
    }
    // A file is not replaced by a directory.
    let note = place.join("notes.txt");
    std::fs::write(&note, "mine").unwrap();
    let refused = run(&note, "newton");
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("must name a directory"), "{message}");
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "mine");
    assert_eq!(names(&place), ["notes.txt", "out"]);
    assert_eq!(names(&out), folders);
}

#[test]
fn samples_cover_a_run_without_a_time() {
    let place = free("open-end");
    let file = free("open-end.toml");
    let text = "[[ground]]\nname = \"g\"\n[[body]]\nname = \"b\"\nshape.disk.radius = 0.1\nmass = 1.0\nposition = [0.0, 1.1]\n\
                [material]\nrestitution = 1.0\n[until]\nimpacts = 12\n";
    std::fs::write(&file, text).unwrap();
    let output = delassus(&["run", file.to_str().unwrap(), "--out", place.to_str().unwrap()]);
    assert!(output.status.success());
    let table = std::fs::read_to_string(place.join("trajectory.csv")).unwrap();
    let times: Vec<f64> = table.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    assert!((1000..2003).contains(&times.len()), "{}", times.len());
    let interval = times[1] - times[0];
    assert!((1..times.len() - 1).all(|k| (times[k] - k as f64 * interval).abs() < 1e-9), "{times:?}");
    assert!((times.last().unwrap() - 10.385).abs() < 1e-3, "{:?}", times.last());
    std::fs::remove_dir_all(&place).unwrap();
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn an_impact_that_is_not_solved_is_status_1() {
    let file = free("unsolved.toml");
    let text = "[rocking_block]\nwidth = 0.2\nheight = 0.4\nmass = 1.0\nangle = 0.1\n[material]\nfriction = 0.3\nrestitution = 0.5\n\
                [law]\nname = \"lzb\"\nmax_steps = 1\n[until]\nimpacts = 1\n";
    std::fs::write(&file, text).unwrap();
    let output = delassus(&["run", file.to_str().unwrap(), "--json"]);
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&run["status"], &run["impacts"][0]["status"]), (&"completed".into(), &"max-iterations".into()));
    assert_eq!(output.status.code(), Some(1));
    assert!(run["warnings"].as_array().unwrap().iter().any(|w| w.as_str().unwrap().contains("max-iterations")));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn expand_shows_bodies() {
    let output = delassus(&["expand", &scenario("double-pendulum")]);
    let text = String::from_utf8(output.stdout).unwrap();
    for word in ["[[body]]", "[[joint]]", "[[ground]]", "name = \"rod2\"", "[law]"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
}

#[test]
fn bad_input_is_status_2_with_nothing_on_stdout() {
    let place = free("bad.toml");
    std::fs::write(&place, "[rocking_block]\nwidth = 0.2\nhieght = 0.4\nmass = 1.0\n").unwrap();
    let output = delassus(&["run", place.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("did you mean 'height'?"), "{message}");
    std::fs::remove_file(&place).unwrap();
}

#[test]
fn what_a_law_refuses_is_said_of_the_material() {
    let place = free("material.toml");
    let block = "[rocking_block]\nwidth = 0.2\nheight = 0.4\nmass = 1.0\nangle = 0.1\n";
    for (materials, law, expected) in [
        ("[material]\nrestitution = 1.5\n", "lzb", "material[0].restitution = 1.5: the energetic coefficient of lzb"),
        (
            "[[material]]\nfriction = 0.5\n[[material]]\ncontact = \"B\"\nrestitution = 1.5\n",
            "lzb",
            "material[1].restitution = 1.5",
        ),
        ("[material]\nfriction = 0.5\nrestitution_tangential = 0.5\n", "poisson", "material[0].restitution_tangential"),
    ] {
        std::fs::write(&place, format!("{block}{materials}")).unwrap();
        let output = delassus(&["run", place.to_str().unwrap(), "--law", law]);
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(expected), "{message}");
    }
    std::fs::remove_file(&place).unwrap();
}

#[test]
fn pictures_by_the_suffix_of_the_name() {
    let place = scratch("run-pictures");
    let file = scenario("rocking-block");
    let write = |name: &str| {
        let out = place.join(name);
        let done = delassus(&["run", &file, "--law", "lzb,newton", "--out", out.to_str().unwrap()]);
        assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
        std::fs::read(out).unwrap()
    };
    assert!(write("a.svg").starts_with(b"<svg"));
    assert!(write("a.PNG").starts_with(b"\x89PNG"));
    let page = String::from_utf8(write("a.html")).unwrap();
    // One film a law, the certificates in words, the command and the file, and nothing from elsewhere.
    for word in [
        "\"law\":\"lzb\"",
        "\"law\":\"newton\"",
        "✓ consistent",
        "Rocking block",
        "[rocking_block]",
        "--law lzb,newton",
    ] {
        assert!(page.contains(word), "{word} is missing");
    }
    let own = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!own.contains("http://") && !own.contains("https://") && !own.contains(" src="));
    let scene = page.split("<script type=\"application/json\">").nth(1).unwrap().split("</script>").next().unwrap();
    let scene: Value = serde_json::from_str(scene).unwrap();
    let run = json(&delassus(&["run", &file, "--law", "newton", "--json"]));
    let blow = &scene["films"][1]["impacts"][0];
    assert_eq!(blow["time"], run["impacts"][0]["time"]);
    let end = blow["course"].as_array().unwrap().last().unwrap();
    for contact in 0..2 {
        let impulse = |k: usize| run["impacts"][0]["impulses"][contact][k].as_f64().unwrap();
        let arrow = |k: usize| end["impulses"][contact][k].as_f64().unwrap();
        // On level ground the normal points up and the tangent to the right; arrows are single precision.
        assert!((arrow(1) - impulse(0)).abs() < 1e-6 && (arrow(0) - impulse(1)).abs() < 1e-6, "contact {contact}");
    }

    let out = place.join("b.svg");
    let two = delassus(&["run", &file, &scenario("cradle"), "--out", out.to_str().unwrap()]);
    assert_eq!(two.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&two.stderr).contains("shows one scenario") && !out.exists());
    for (name, told) in [("b.mp4", ".mp4 is not written"), ("b.npz", "--samples npz")] {
        let refused = delassus(&["run", "--out", place.join(name).to_str().unwrap()]);
        assert!(refused.status.code() == Some(2) && String::from_utf8_lossy(&refused.stderr).contains(told), "{name}");
        assert!(!place.join(name).exists());
    }
    // No law, no picture: two contacts are too many for this one.
    let empty = place.join("empty.svg");
    let dimer = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/dimer.toml");
    let none = delassus(&["impact", dimer, "--law", "walton", "--out", empty.to_str().unwrap()]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("no law answers: walton: ") && !empty.exists());
    let again = delassus(&["run", "--out", place.join("a.svg").to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("exists already"));
}

#[test]
fn a_film_of_a_ball() {
    let place = scratch("run-film");
    let file = place.join("ball.toml");
    let text = "[[ground]]\nname = \"floor\"\n[[body]]\nname = \"ball\"\nshape.disk.radius = 0.1\nmass = 1.0\nposition = [0, 0.4]\n\
                [material]\nrestitution = 0.5\n[until]\ntime = 0.4\n[output]\nplot = [\"ball.y\", \"ball.y_rate\", \"kinetic\"]\n";
    std::fs::write(&file, text).unwrap();
    let out = place.join("ball.gif");
    let done = delassus(&["run", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let bytes = std::fs::read(&out).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.len() < 400_000, "{}", bytes.len());
    let svg = place.join("ball.svg");
    delassus(&["run", file.to_str().unwrap(), "--out", svg.to_str().unwrap()]);
    let svg = std::fs::read_to_string(svg).unwrap();
    // A scenario without a name goes by that of its file.
    for label in [">ball.toml<", "ball.y [m]", "d ball.y/dt [m/s]", "kinetic [J]", "lost in impacts", ">impact<"] {
        assert!(svg.contains(label), "{label} is missing");
    }
}

#[test]
fn a_report_of_results_is_the_same_motion() {
    let place = scratch("run-report");
    let (results, page) = (place.join("results"), place.join("report.html"));
    let path = |p: &Path| p.to_str().unwrap().to_owned();
    assert!(delassus(&["run", &scenario("rod"), "--law", "poisson", "--out", &path(&results)]).status.success());
    let done = delassus(&["report", &path(&results), "--out", &path(&page)]);
    assert!(done.status.success() && done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(&page).unwrap();
    for word in ["\"law\":\"poisson\"", "class=\"player\"", "delassus report", "scenario.toml", "delassus 0."] {
        assert!(text.contains(word), "{word} is missing");
    }
    // Results that another program, or another version, made are told apart.
    let run = results.join("run.json");
    let spoilt = std::fs::read_to_string(&run).unwrap().replacen("\"time\": ", "\"time\": 1", 1);
    std::fs::write(&run, spoilt).unwrap();
    let done = delassus(&["report", &path(&results), "--out", &path(&page), "--force"]);
    assert!(String::from_utf8_lossy(&done.stderr).contains("differs from the results"));

    let problem = place.join("impact.toml");
    std::fs::write(&problem, "mass = [2.0]\nvelocity = [-1.0]\n[[contact]]\nname = \"<floor>\"\nnormal = [1.0]\n")
        .unwrap();
    let both = place.join("both.html");
    let done = delassus(&["report", &path(&problem), &scenario("bouncing-ball"), "--out", &path(&both)]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(both).unwrap();
    assert!(
        text.contains("&lt;floor&gt;: impulse Λ [N s]")
            && text.contains("class=\"player\"")
            && !text.contains("<floor>")
    );
    let done = delassus(&["report", &path(&place), "--out", &path(&place.join("none.html"))]);
    assert!(done.status.success(), "the results inside are found");
    let done = delassus(&["report", &scenario("rod"), "--out", "a.svg"]);
    assert!(done.status.code() == Some(2) && String::from_utf8_lossy(&done.stderr).contains("NAME.html"));
}

#[test]
fn pictures_of_an_impact() {
    let place = scratch("impact-pictures");
    for (name, start) in [("kane.svg", "<svg"), ("kane.png", "\u{89}PNG"), ("kane.html", "<!DOCTYPE html>")] {
        let out = place.join(name);
        let done = delassus(&["impact", "--out", out.to_str().unwrap()]);
        assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
        let bytes = std::fs::read(out).unwrap();
        let text: String = bytes.iter().map(|b| char::from(*b)).collect();
        assert!(text.starts_with(start), "{name}");
    }
    let page = std::fs::read_to_string(place.join("kane.html")).unwrap();
    // The numbers of the table on the terminal, and its verdicts.
    for word in ["-0.334629", "0.682275", "gains energy", "not applicable", "cone of friction", "along the path of lzb"]
    {
        assert!(page.contains(word), "{word} is missing");
    }
    let done = delassus(&["impact", "--out", place.join("kane").to_str().unwrap()]);
    assert!(done.status.code() == Some(2) && String::from_utf8_lossy(&done.stderr).contains("must end in .svg"));
}

#[test]
fn columns_are_documented_and_impacts_have_both_sides() {
    let place = free("columns");
    let file = scenario("pulse");
    assert!(delassus(&["run", &file, "--out", place.to_str().unwrap()]).status.success());
    let read = |name: &str| std::fs::read_to_string(place.join(name)).unwrap();
    let head = read("trajectory.csv").lines().next().unwrap().to_owned();
    let documented: Vec<String> =
        read("columns.csv").lines().skip(1).map(|l| l.split(',').next().unwrap().to_owned()).collect();
    assert_eq!(head.split(',').collect::<Vec<_>>(), documented);
    assert!(read("columns.csv").contains("block.theta_rate,rad/s,"));
    // The table moves: its displacement is that of the pulse, which is not zero.
    assert!(documented.contains(&"table.x".to_owned()));
    let run: Value = serde_json::from_str(&read("run.json")).unwrap();
    let impacts = read("impacts.csv");
    assert_eq!(impacts.lines().count(), 1 + run["impacts"].as_array().unwrap().len());
    let first: Vec<&str> = impacts.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(first[1].parse::<f64>().unwrap(), run["impacts"][0]["time"].as_f64().unwrap());
    for (k, key) in ["velocity_minus", "velocity_plus"].iter().enumerate() {
        for i in 0..3 {
            let value = first[6 + 3 * k + i].parse::<f64>().unwrap();
            assert_eq!(value, run["impacts"][0][key][i].as_f64().unwrap(), "{key}[{i}]");
        }
    }
}

#[test]
fn an_impact_of_a_run_is_a_problem_with_the_same_answer() {
    let place = free("impact-of-run");
    std::fs::create_dir_all(&place).unwrap();
    for (name, number) in [("rocking-block", 1), ("rocking-block", 3), ("cradle", 1), ("slider-crank", 1)] {
        let file = scenario(name);
        let run = json(&delassus(&["run", &file, "--json"]));
        let out = place.join(format!("{name}-{number}.toml")).display().to_string();
        let output = delassus(&["run", &file, "--impact", &number.to_string(), "--out", &out]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let impact = &run["impacts"][number - 1];
        let problem = std::fs::read_to_string(&out).unwrap();
        assert!(problem.contains("[law]"), "{problem}");
        let answer = json(&delassus(&["impact", &out, "--json"]));
        for (i, after) in answer[0]["velocity"].as_array().unwrap().iter().enumerate() {
            let [after, expected] = [after, &impact["velocity_plus"][i]].map(|v| v.as_f64().unwrap());
            assert!((after - expected).abs() < 1e-9, "{name} {number}: {after} instead of {expected}");
        }
    }
    let file = scenario("rocking-block");
    let out = place.join("none.toml").display().to_string();
    let none = delassus(&["run", &file, "--impact", "100000", "--out", &out]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("impacts"));
}

#[test]
fn a_run_says_how_far_it_can_be_trusted() {
    // A ball that bounces is the same at any tolerance.
    let ball = json(&delassus(&["run", &scenario("bouncing-ball"), "--sensitivity", "--json"]));
    assert_eq!(ball["sensitivity"]["to_the_end"], true, "{}", ball["sensitivity"]);
    assert_eq!(ball["sensitivity"]["agree_until"], ball["time"]);
    let words = delassus(&["run", &scenario("bouncing-ball"), "--sensitivity"]);
    assert!(String::from_utf8_lossy(&words.stdout).contains("the same at a tenth of the tolerance"));
    // Elastic disks in a box fly and collide: no tolerance matters, but the last digits do.
    let folder = scratch("chaos");
    let file = folder.join("chaos.toml").display().to_string();
    let text = r#"
        material = { friction = 0.0, restitution = 1.0 }
        until = { time = 30.0 }
        body = [
            { name = "a", shape = { disk = { radius = 0.1 } }, mass = 1.0, position = [0.0, 1.0], velocity = [0.3, 0.0] },
            { name = "b", shape = { disk = { radius = 0.1 } }, mass = 1.0, position = [0.05, 2.0] },
        ]
        ground = [
            { name = "floor" },
            { name = "left", point = [-0.5, 0.0], normal = [1.0, 0.0] },
            { name = "right", point = [0.5, 0.0], normal = [-1.0, 0.0] },
        ]
    "#;
    std::fs::write(&file, text).unwrap();
    let chaos = json(&delassus(&["run", &file, "--sensitivity", "--json", "--law", "newton"]));
    assert_eq!(chaos["sensitivity"]["to_the_end"], false, "{}", chaos["sensitivity"]);
    assert!(chaos["sensitivity"]["agree_until"].as_f64().unwrap() > 1.0, "{}", chaos["sensitivity"]);
}
