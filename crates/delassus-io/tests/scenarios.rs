//! Every scenario of the gallery reads, runs, closes its energy, and expands
//! to a file that runs the same; spoilt files say what is wrong.

use std::path::{Path, PathBuf};

use delassus::LawSpec;
use delassus::simulate::{Control, Trajectory, simulate};
use delassus_io::{Format, ScenarioEntry, read_scenarios, write_csv, write_expanded};
use serde_json::{Value, json};

fn read(text: &str) -> Result<Vec<ScenarioEntry>, String> {
    let format = Format::detect(Path::new("scenario"), text);
    // Records are looked for in the gallery.
    let load = |name: &str| std::fs::read_to_string(folder().join(name)).map_err(|_| format!("no file {name}"));
    let document = read_scenarios(text, "scenario", format, &load);
    document.map(|d| d.entries).map_err(|e| e.to_string())
}

fn run(entry: &ScenarioEntry) -> Trajectory {
    let built = entry.scenario.build().unwrap();
    let law = entry.law.clone().unwrap_or_else(|| LawSpec::by_name("newton").unwrap());
    simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
        .unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

fn gallery() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files
}

#[test]
fn every_scenario_of_the_gallery_runs() {
    let files = gallery();
    assert!(files.len() >= 10, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for entry in read(&text).unwrap() {
            let name = file.file_name().unwrap();
            let first = run(&entry);
            assert!(first.end.is_regular(), "{name:?}: {:?} at {} {:?}", first.end, first.time, first.log);
            assert!(first.closure < 1e-7, "{name:?}: closure {}", first.closure);
            assert!(first.stats.penetration < 1e-8, "{name:?}: {:?}", first.stats);
            // Contacts push, redundant ones too.
            let forces: Vec<[f64; 2]> = first.samples.iter().flat_map(|sample| sample.forces.clone()).collect();
            let largest = forces.iter().fold(0.0f64, |m, force| m.max(force[0]));
            assert!(forces.iter().all(|force| force[0] >= -1e-9 * largest), "{name:?}: {forces:?}");
            // What is written out is the same scenario.
            let expanded = write_expanded(&entry).unwrap();
            let again = run(&read(&expanded).unwrap_or_else(|e| panic!("{name:?}: {e}\n{expanded}"))[0]);
            let numbers = |run: &Trajectory| (run.time, run.impacts.iter().map(|i| i.time).collect::<Vec<_>>());
            assert_eq!(numbers(&first), numbers(&again), "{name:?}");
        }
    }
}

#[test]
fn samples_become_a_table() {
    let mut entry = read("[rocking_block]\nwidth = 0.2\nheight = 0.4\nmass = 1.0\nangle = 0.1\n").unwrap().remove(0);
    entry.scenario.output.interval = Some(0.1);
    entry.scenario.until.time = Some(1.0);
    let run = run(&entry);
    let mut csv = Vec::new();
    write_csv(&mut csv, &entry.scenario.build().unwrap().system, &run).unwrap();
    let text = String::from_utf8(csv).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with("time,block.x,block.y,block.theta,block.x_rate"), "{header}");
    assert!(header.contains("A.normal,A.tangential,B.normal"), "{header}");
    let width = header.split(',').count();
    assert!(lines.all(|line| line.split(',').count() == width && line.split(',').all(|v| v.parse::<f64>().is_ok())));
}

#[test]
fn json_and_lists_of_scenarios() {
    let block =
        r#"{"rocking_block": {"width": 0.2, "height": 0.4, "mass": 1, "angle": 0.1}, "material": {"friction": 1}}"#;
    assert_eq!(read(&format!("[{block}, {block}]")).unwrap().len(), 2);
    let toml = "law = \"poisson\"\n[[scenario]]\n[scenario.rod]\nlength = 1\nmass = 1\nangle = 1\n[[scenario]]\nlaw = \"newton\"\n[scenario.rod]\nlength = 1\nmass = 1\nangle = 2\n";
    let laws: Vec<_> = read(toml).unwrap().iter().map(|e| e.law.as_ref().unwrap().name()).collect();
    assert_eq!(laws, ["poisson", "newton"]);
}

/// The scenario as TOML and as JSON.
/// `null` is no value: as law, and as a number of a law.
#[test]
fn a_law_may_be_null() {
    let file = |law: Value| {
        let block = json!({ "width": 0.24, "height": 0.48, "mass": 2.0, "angle": 0.1 });
        json!({ "rocking_block": block, "law": law }).to_string()
    };
    assert_eq!(read(&file(Value::Null)).unwrap()[0].law, None);
    let lzb = read(&file(json!({ "name": "lzb", "exponent": null, "keep_gaps": true }))).unwrap();
    assert_eq!(lzb[0].law, read(&file(json!({ "name": "lzb", "keep_gaps": true }))).unwrap()[0].law);
    assert!(write_expanded(&lzb[0]).unwrap().contains("keep_gaps"));
    assert!(read(&file(json!(3))).unwrap_err().contains("needs the name of a law or a table"));
    let twice = file(json!("lzb")).replace("\"law\"", "\"law\":\"newton\",\"law\"");
    assert!(read(&twice).unwrap_err().contains("given twice"), "{twice}");
}

fn read_both(scenario: &Value) -> [Result<Vec<ScenarioEntry>, String>; 2] {
    [toml::to_string(scenario).unwrap(), scenario.to_string()].map(|text| read(&text))
}

#[test]
fn lists_and_tables_are_taken_by_their_word() {
    let pair = json!(["b", "world"]);
    let sound = json!({
        "world": { "gravity": [0.0, -9.81] },
        "ground": [{ "name": "g", "normal": [0.0, 1.0], "point": [0.0, 0.0],
            "motion": { "harmonic": { "direction": [1.0, 0.0], "amplitude": 0.1, "frequency": 1.0 } } }],
        "body": [
            { "name": "b", "shape": { "polygon": { "vertices": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] } }, "mass": 1.0,
                "position": [0.0, 3.0], "velocity": [0.0, 0.0] },
            { "name": "c", "shape": { "compound": { "part": [
                { "shape": { "box": { "width": 1.0, "height": 2.0 } }, "mass": 1.0, "position": [0.0, 0.0] } ] } },
                "position": [9.0, 9.0] }
        ],
        "joint": [{ "name": "j", "type": "pin", "between": pair, "point": [0.0, 3.0] }],
        "spring": [{ "between": pair, "points": [[0.0, 3.0], [0.0, 0.0]], "stiffness": 1.0 }],
        "force": [{ "body": "b", "force": [1.0, "sin(t)"], "point": [0.0, 3.0] }],
        "material": { "between": ["b", "g"], "friction": 0.5 },
        "until": { "time": 0.1, "impacts": 3 }
    });
    for entries in read_both(&sound) {
        entries.unwrap();
    }
    let list = "3 entries: needs a list of 2 entries";
    for (pointer, value, expected) in [
        ("/world/gravity", json!([0.0, 0.0, 1.0]), "world.gravity = 3 entries: needs a number or a vector of two"),
        ("/world/gravity", json!([1.0]), "world.gravity = 1 entries: needs a number or a vector of two"),
        ("/ground/0/normal", json!([0.0, 1.0, 0.0]), &format!("ground[0].normal = {list}")),
        ("/ground/0/point", json!([0, 1, 0]), &format!("ground[0].point = {list}")),
        ("/ground/0/motion/harmonic/direction", json!([0, 1, 0]), &format!("motion.harmonic.direction = {list}")),
        ("/ground/0/motion/harmonic", json!(5), "ground[0].motion.harmonic = 5: needs a table"),
        ("/ground/0/motion", json!({}), "ground[0].motion: needs one of harmonic, pulse, path, shake, record"),
        ("/body/0/shape", json!(5), "body[0].shape = 5: needs one of box, disk, rod, polygon"),
        ("/body/0/shape", json!({}), "body[0].shape = a table: needs one of box, disk, rod, polygon"),
        (
            "/body/0/shape/polygon/vertices/1",
            json!([0.0, 1.0, 2.0, 9.0]),
            "body[0].shape.polygon.vertices[1] = 4 entries: needs a list of 2 entries",
        ),
        (
            "/body/0/position",
            json!([1.0, 2.0, 3.0]),
            &format!("body[0].position = {list} in the plane; for space give world.dimension = 3"),
        ),
        ("/body/0/position", json!([1.0]), "body[0].position = 1 entries: needs a list of 2 entries"),
        ("/body/0/position", json!(1.5), "body[0].position = 1.5: needs a list of 2 entries"),
        ("/body/1/shape/compound/part/0/position", json!([1, 2, 3]), &format!("part[0].position = {list}")),
        ("/joint/0/between", json!(["b", "world", "c"]), &format!("joint[0].between = {list}")),
        ("/spring/0/points", json!([[0, 0], [0, 0], [0, 0]]), &format!("spring[0].points = {list}")),
        ("/spring/0/points/1", json!([0, 0, 0]), &format!("spring[0].points[1] = {list}")),
        ("/force/0/force", json!([1.0, 0.0, "x"]), &format!("force[0].force = {list}")),
        ("/material/between", json!(["b", "g", "c"]), &format!("material.between = {list}")),
        // Lists in place of tables.
        (
            "/body/1/shape/compound/part/0/shape/box",
            json!([1.0, 2.0]),
            "part[0].shape.box = a list: needs a table (width = …, height = …)",
        ),
        (
            "/body/0/shape/polygon",
            json!([[0, 0], [1, 0], [1, 1]]),
            "body[0].shape.polygon = a list: needs a table (vertices = …)",
        ),
        ("/body/0", json!(["b"]), "body[0] = a list: needs a table"),
        ("/until", json!([1.0]), "until = a list: needs a table"),
        ("/until", json!(1.0), "until = 1.0: needs a table"),
        ("/world", json!([1.0]), "world = a list: needs a table (dimension = …, gravity = …)"),
        // Counts.
        ("/until/impacts", json!(-1), "until.impacts = -1: needs a whole number, 0 or more"),
        ("/until/impacts", json!(2.5), "until.impacts = 2.5: needs a whole number, 0 or more"),
    ] {
        let mut spoilt = sound.clone();
        *spoilt.pointer_mut(pointer).unwrap() = value;
        for (result, format) in read_both(&spoilt).into_iter().zip(["TOML", "JSON"]) {
            let message = result.expect_err(expected);
            assert!(message.contains(expected), "{format}: {message:?} lacks {expected:?}");
            assert!(message.starts_with("scenario: line "), "{format}: {message:?}");
        }
    }
}

#[test]
fn whole_numbers_of_any_size_are_numbers() {
    for digits in ["-99999999999999999999999999", "18446744073709551615"] {
        let velocity = digits.parse().unwrap();
        let toml = format!("[[body]]\nname = 'b'\nshape.disk.radius = 1\nmass = 1\nvelocity = [{digits}, 0]\n");
        let json = format!(
            r#"{{"body": [{{"name": "b", "shape": {{"disk": {{"radius": 1}}}}, "velocity": [{digits}, 0]}}]}}"#
        );
        for text in [toml, json] {
            assert_eq!(read(&text).unwrap()[0].scenario.body[0].velocity, [velocity, 0.0]);
        }
    }
}

#[test]
fn spoilt_files_say_what_is_wrong() {
    let base = "[rocking_block]\nwidth = 0.2\nheight = 0.4\nmass = 1.0\n";
    let body = "[[body]]\nname = \"b\"\nshape.disk = { radius = 0.1 }\nmass = 1.0\n";
    for (text, expected) in [
        (format!("{base}angel = 0.1\n"), "rocking_block.angel: unknown key 'angel'; did you mean 'angle'?"),
        (format!("{base}[lawn]\nname = \"lzb\"\n"), "line 5, column 2: lawn: unknown key 'lawn'; did you mean 'law'?"),
        (format!("{base}[colour]\n"), "double_pendulum, law"),
        (format!("{base}[materials]\nfriction = 1\n"), "unknown key 'materials'; did you mean 'material'?"),
        (format!("{base}[material]\nfrictoin = 1\n"), "did you mean 'friction'?"),
        (base.replace("0.2", "-0.2"), "rocking_block.width = -0.2: must be positive"),
        (base.replace("0.2", "\"wide\""), "rocking_block.width = \"wide\": needs a number"),
        (format!("{base}[law]\nname = \"newtno\"\n"), "did you mean \"newton\"?"),
        (
            format!("{base}[law]\nname = \"lzb\"\nmax_steps = 2.5\n"),
            "law.max_steps = 2.5: needs a whole number of at least 1",
        ),
        (format!("law = 3\n{base}"), "law = 3: needs the name of a law or a table"),
        (format!("{base}[law]\nname = \"lzb\"\nexponnt = 1.5\n"), "did you mean 'exponent'?"),
        (format!("{base}{body}"), "cannot stand beside the short form rocking_block"),
        (format!("{base}[rod]\nlength = 1\nmass = 1\nangle = 1\n"), "one short form at most"),
        ("name = \"empty\"\n".into(), "needs a body or a short form"),
        (format!("{body}{body}"), "names must be unique, and body[0].name is the same"),
        (format!("{body}[world]\ngravity = \"down\"\n"), "needs a number or a vector of two"),
        (format!("{body}[[wall]]\nname = \"w\"\n"), "wall[0].normal: a wall needs a normal"),
        (format!("{body}[material]\nrestitution = -1\n"), "material[0].restitution = -1"),
        (format!("{body}[material]\nfriction = 0.5\nfriction_static = 0.4\n"), ""),
        (format!("{body}[[material]]\ncontact = \"Q\"\n"), "material[0].contact = \"Q\": there are the contacts"),
        (format!("{body}[[material]]\nbetween = [\"b\", \"x\"]\n"), "material[0].between[1] = \"x\""),
        (format!("{body}[[force]]\nbody = \"b\"\ntorque = \"2*\"\n"), "force[0].torque = \"2*\": ends too early"),
        (
            format!("{body}[[joint]]\nname = \"j\"\ntype = \"pin\"\nbetween = [\"b\", \"c\"]\npoint = [0, 0]\n"),
            "joint[0].between[1] = \"c\"",
        ),
        (format!("{body}[until]\ntime = -1\n"), "until.time = -1"),
        (format!("{body}[integrator]\ntolerance = 1\n"), "integrator.tolerance = 1"),
        (format!("{body}[output]\nplot = \"b.z\"\n"), "output.plot = \"b.z\": there are b.x, b.y, b.theta"),
        (format!("{body}[[ground]]\nname = \"g\"\nmotion.record = {{ file = \"x.at2\" }}\n"), "no file x.at2"),
    ] {
        let message = match read(&text) {
            Err(message) => message,
            Ok(entries) => match entries[0].scenario.build() {
                Err(error) => error.to_string(),
                // Without a contact nothing can be wrong with the pair.
                Ok(_) => String::new(),
            },
        };
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
}

#[test]
fn angles_are_radians_or_text_with_a_unit() {
    use std::f64::consts::{FRAC_PI_2, PI};
    let block = |angle: &str| format!("[rocking_block]\nwidth = 0.2\nheight = 0.4\nmass = 1\nangle = {angle}\n");
    let right =
        [("'30deg'", PI / 6.0), ("'-30 deg'", -PI / 6.0), ("'0.25pi'", PI / 4.0), ("'15°'", PI / 12.0), ("1", 1.0)];
    for (text, angle) in right {
        let entry = read(&block(text)).unwrap().remove(0);
        assert!((entry.scenario.rocking_block.unwrap().angle - angle).abs() < 1e-15, "{text}");
        assert!(entry.remarks.is_empty());
    }
    for text in ["'30'", "'steep'", "'1e999deg'", "true"] {
        let error = read(&block(text)).unwrap_err();
        assert!(error.contains("rocking_block.angle") && error.contains("30deg"), "{error}");
    }
    // Every angle of a file, in the plane and in space.
    let plane = "[[ground]]\nname = 'floor'\nangle = '10deg'\n\
        motion = { harmonic = { amplitude = 0.1, frequency = 1, phase = '90deg' } }\n\
        [[body]]\nname = 'box'\nmass = 1\nangle = '0.5pi'\nshape = { box = { width = 1, height = 1 } }\nposition = [0, 3]\n";
    let scenario = read(plane).unwrap().remove(0).scenario;
    assert_eq!(scenario.body[0].angle, FRAC_PI_2);
    assert_eq!(scenario.ground[0].angle, Some(10f64.to_radians()));
    assert!(format!("{:?}", scenario.ground[0].motion).contains(&format!("phase: {FRAC_PI_2:?}")));
    let pendulum = "[double_pendulum]\nmasses = [1, 1]\nlengths = [1, 1]\nangles = ['30deg', 0.2]\n";
    assert_eq!(read(pendulum).unwrap().remove(0).scenario.double_pendulum.unwrap().angles, [30f64.to_radians(), 0.2]);
    let space = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\nangle = '5deg'\n[[body]]\nname = 'ball'\nmass = 1\n\
        shape = { sphere = { radius = 1 } }\nposition = [0, 0, 3]\norientation = { roll = '30deg', yaw = 30 }\n";
    let entry = read(space).unwrap().remove(0);
    assert!(format!("{:?}", entry.scenario).contains(&format!("roll: {:?}", 30f64.to_radians())));
    assert_eq!(entry.remarks.len(), 1, "{:?}", entry.remarks);
    assert!(entry.remarks[0].contains("body[0].orientation.yaw = 30 rad is more than a turn"), "{:?}", entry.remarks);
    // What is absurd is told, and only that.
    let rod = |angle: &str| format!("[rod]\nlength = 1\nmass = 1\nangle = {angle}\nheight = 1\n");
    assert_eq!(read(&rod("30")).unwrap()[0].remarks.len(), 1);
    assert!(read(&rod("6.28")).unwrap()[0].remarks.is_empty());
    let problem = |angle: &str| {
        let text = format!("[rod_impact]\nfriction = 0.3\nangle = {angle}");
        delassus_io::read_problems(&text, "", Format::Toml, &Default::default()).unwrap().entries.remove(0)
    };
    assert_eq!(problem("30").remarks.len(), 1);
    let entry = problem("'30deg'");
    assert!(entry.remarks.is_empty());
    assert_eq!(entry.problem.gamma_minus(), problem("0.5235987755982988").problem.gamma_minus());
}

/// Errors of files in space have their place, and the value as it was written.
#[test]
fn errors_in_space_have_a_place() {
    let file = |radius: &str, rest: &str| {
        format!("[world]\ndimension = 3\n[[body]]\nname = 'ball'\nmass = 1\nshape.sphere.radius = {radius}\n{rest}")
    };
    for (text, parts) in [
        (file("nan", ""), ["body[0].shape.sphere.radius = NaN", "finite"]),
        (file("'wide'", ""), ["line 6, column 23", "body[0].shape.sphere.radius"]),
        (file("1", "angle = 0.3\n"), ["line 7, column 1", "orientation"]),
        (file("1", "[orbit]\n"), ["line 7", "unknown key 'orbit'"]),
        (file("1", "[law]\nname = 'nobody'\n"), ["law.name", "\"nobody\""]),
        (file("1", "angle = 0.3\n"), ["body[0].angle: a body in space has", "orientation"]),
        (file("1", "[integrator]\ntheta = 0.3\n"), ["integrator.theta = 0.3", "must lie between 0.5 and 1"]),
        (file("1", "[integrator]\ntolerance = 1\n"), ["integrator.tolerance = 1", "between 1e-14 and 0.1"]),
        (
            "[world]\ndimension = 3\n[[body]]\nname = 'b'\nmass = 1\nshape.compound.part = []\n".to_owned(),
            ["body[0].shape.compound.part = []", "needs at least one part"],
        ),
        (
            "[[body]]\nname = 'b'\nposition = [0, 1]\nshape.compound.part = []\n".to_owned(),
            ["body[0].shape.compound.part = []", "needs at least one part"],
        ),
        ("[world]\ndimension = 3.0\n".to_owned(), ["world.dimension = 3", "needs a whole number"]),
    ] {
        let error = read(&text).and_then(|mut entries| entries.remove(0).scenario.build().map_err(|e| e.to_string()));
        let error = error.map(|_| ()).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    for number in ["2.5", "4", "'three'"] {
        let error = read(&format!("[world]\ndimension = {number}\n")).unwrap_err();
        let given = format!("world.dimension = {}: must be the number 2 (the plane", number.replace('\'', "\""));
        assert!(error.contains(&given), "{error}");
    }
    let mixed = "[[scenario]]\n[scenario.world]\ndimension = 3\n[[scenario]]\n";
    assert!(read(mixed).unwrap_err().contains("scenario[1].world.dimension"), "{:?}", read(mixed).unwrap_err());
}

/// The guide to files has every key of every short form.
#[test]
fn short_forms_are_documented() {
    let guide = std::fs::read_to_string(folder().join("../docs/files.md")).unwrap();
    let schemas = [delassus_io::problem_schema().to_owned(), delassus_io::scenario_schema()];
    let forms: Vec<_> = schemas.iter().flat_map(|schema| delassus_io::short_forms(schema)).collect();
    let names: Vec<&str> = forms.iter().map(|form| form.name.as_str()).collect();
    let plane = ["rod_impact", "block_impact", "rocking_block", "chain", "rod", "double_pendulum"];
    assert_eq!(names, [&plane[..], &["rocking_block", "coin", "foot", "packing"]].concat());
    let kind = |k: usize| ["problem files", "scenario files", "scenario files in space"][(k / 2).min(1) + k / 6];
    for (k, form) in forms.iter().enumerate() {
        let heading = format!("`[{}]` ({})", form.name, kind(k));
        let section = guide.split("\n## ").find(|part| part.starts_with(&heading));
        let section = section.unwrap_or_else(|| panic!("no section {heading}"));
        for (key, _, _) in &form.keys {
            assert!(section.contains(&format!("| `{key}` |")), "{}.{key}", form.name);
        }
    }
}
