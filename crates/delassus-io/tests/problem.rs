//! A problem that is written reads back as the same problem.

use std::path::Path;

use delassus::{ImpactProblem, LawSpec, resolve};
use delassus_io::{Format, ReadOptions, problem_value, read_problems};

const ALL_KEYS: &str = r#"
name = "every key"
mass = [[2.0, 0.1, 0.0, 0.0], [0.1, 3.0, 0.0, 0.0], [0.0, 0.0, 1.5, 0.0], [0.0, 0.0, 0.0, 0.7]]
velocity = [0.1, -1.0, 0.3, 0.4]
impulse = [0.0, 0.01, 0.0, 0.0]
[[contact]]
name = "A"
normal = { "1" = 1.0, "3" = -0.3 }
tangent = [[1.0, 0.0, 0.2, 0.0], [0.0, 0.0, 1.0, 0.1]]
friction = [0.5, 0.3]
friction_static = [0.6, 0.4]
restitution = 0.4
restitution_tangential = 0.1
stiffness = 2.0
offset = [0.1, 0.0, 0.2]
[[contact]]
name = "B"
normal = [0.0, 1.0, 0.3, 0.0]
tangent = [1.0, 0.0, -0.1, 0.0]
friction = 0.2
[[clutch]]
name = "K"
direction = [0.0, 0.0, 0.0, 1.0]
restitution = -0.5
offset = 0.1
[[joint]]
name = "J"
direction = [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, -1.0]]
restitution = 0.3
offset = [0.0, 0.2]
"#;

fn read(text: &str, format: Format) -> Vec<ImpactProblem> {
    let entries = read_problems(text, "", format, &ReadOptions::for_laws(&LawSpec::all())).unwrap().entries;
    entries.into_iter().map(|entry| entry.problem).collect()
}

fn same_again(problem: &ImpactProblem) {
    let value = problem_value(problem);
    let again = &read(&value.to_string(), Format::Json)[0];
    assert_eq!(problem_value(again), value);
    assert_eq!(again.mass(), problem.mass());
    assert_eq!(again.directions(), problem.directions());
    assert_eq!(again.elements(), problem.elements());
    assert_eq!(again.contacts(), problem.contacts());
    assert_eq!(again.offset(), problem.offset());
    assert_eq!(again.external_impulse(), problem.external_impulse());
    let law = LawSpec::by_name("moreau").unwrap();
    if let (Ok(ours), Ok(theirs)) = (resolve(problem, &law), resolve(again, &law)) {
        assert_eq!(ours.u_plus, theirs.u_plus);
    }
}

#[test]
fn every_key_comes_back() {
    let problem = &read(ALL_KEYS, Format::Toml)[0];
    same_again(problem);
    let value = problem_value(problem);
    assert_eq!(value["contact"][0]["offset"], serde_json::json!([0.1, 0.0, 0.2]));
    assert_eq!(value["contact"][0]["normal"], serde_json::json!({"1": 1.0, "3": -0.3}));
    assert_eq!(value["joint"][0]["offset"], serde_json::json!([0.0, 0.2]));
    assert_eq!(value["clutch"][0]["restitution"], -0.5);
    assert_eq!(value["impulse"][1], 0.01);
}

#[test]
fn the_examples_come_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../delassus-cli/examples");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        for problem in read(&std::fs::read_to_string(&file).unwrap(), Format::Toml) {
            same_again(&problem);
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}
