//! One test per way to spoil an input: each error names field, value and what is allowed.

use delassus_io::{Format, InputError, ReadOptions, read_problems};
use serde_json::{Value, json};

/// A sound problem with one of everything.
fn sound() -> Value {
    json!({
        "name": "everything",
        "mass": [[2.0, 0.5, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 1.0]],
        "velocity": [0.0, -1.0, 0.5],
        "impulse": [0.0, 0.1, 0.0],
        "contact": [
            {
                "name": "C", "normal": [0.0, 1.0, 0.0], "tangent": [1.0, 0.0, 0.0], "friction": 0.5,
                "friction_static": 0.6, "restitution": 0.5, "restitution_tangential": 0.1, "stiffness": 2.0,
                "offset": [0.0, 0.1]
            },
            {
                "name": "D", "normal": { "1": 1.0 }, "tangent": [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
                "friction": [0.5, 0.3]
            }
        ],
        "clutch": [{ "name": "K", "direction": [0.0, 0.0, 1.0], "restitution": 0.0, "offset": 0.0 }],
        "joint": [{ "name": "J", "direction": [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] }],
        "law": { "name": "poisson" }
    })
}

fn read(text: &str, format: Format) -> Result<delassus_io::Document, InputError> {
    read_problems(text, "file", format, &ReadOptions::default())
}

/// Reads the problem as JSON and as TOML.
fn read_both(problem: &Value) -> [Result<delassus_io::Document, InputError>; 2] {
    let json = serde_json::to_string_pretty(problem).unwrap();
    let toml = toml::to_string(problem).unwrap();
    [read(&json, Format::Json), read(&toml, Format::Toml)]
}

#[test]
fn the_sound_problem_is_read() {
    for document in read_both(&sound()) {
        let document = document.unwrap();
        assert!(!document.batch);
        let [entry] = &document.entries[..] else { panic!() };
        assert_eq!(entry.problem.name(), "everything");
        assert_eq!(entry.problem.rows(), 2 + 3 + 1 + 2);
        let names: Vec<&str> = entry.problem.elements().iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["C", "C.friction", "D", "D.friction", "K", "J"]);
        assert_eq!(entry.law.as_ref().unwrap().name(), "poisson");
        assert_eq!(entry.problem.gamma_minus()[..3], [-1.0, 0.1, -1.0]);
    }
}

/// Sets the value at a JSON pointer, or removes it for `Value::Null`.
fn set(problem: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = problem.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(map), Value::Null) => drop(map.shift_remove(key)),
        (Value::Object(map), value) => drop(map.insert(key.to_owned(), value)),
        (Value::Array(list), value) => list[key.parse::<usize>().unwrap()] = value,
        _ => panic!("{pointer}"),
    }
}

#[test]
fn every_spoilt_value_is_named() {
    let cases = [
        // Missing.
        ("/mass", Value::Null, "mass: is missing"),
        ("/velocity", Value::Null, "velocity: is missing"),
        ("/contact/0/name", Value::Null, "contact[0].name: is missing"),
        ("/contact/0/normal", Value::Null, "contact[0].normal: is missing"),
        ("/contact/1/friction", Value::Null, "contact[1].friction: is missing: a tangent needs friction"),
        ("/clutch/0/direction", Value::Null, "clutch[0].direction: is missing"),
        ("/joint/0/direction", Value::Null, "joint[0].direction: is missing"),
        ("/joint/0/name", Value::Null, "joint[0].name: is missing"),
        ("/law/name", Value::Null, "law.name: is missing"),
        // Wrong type.
        ("/name", json!(3), "name = 3: needs a string"),
        ("/mass", json!(3.0), "mass = 3.0: needs a list of numbers (the diagonal) or a list of rows"),
        ("/mass/1", json!("x"), "mass[1] = \"x\": needs"),
        ("/mass/1/1", json!("x"), "mass[1][1] = \"x\": needs a number"),
        ("/velocity", json!("fast"), "velocity = \"fast\": needs a list"),
        ("/velocity/1", json!(true), "velocity[1] = true: needs"),
        ("/contact", json!({"name": "C"}), "contact = a table: needs a list"),
        ("/contact/0", json!(1), "contact[0] = 1: needs a table"),
        ("/contact/0/normal", json!(1.0), "contact[0].normal = 1.0: needs a list of numbers or a table"),
        ("/contact/0/normal", json!({"a": 1.0}), "contact[0].normal: key 'a' must be the index"),
        ("/contact/0/tangent", json!("x"), "contact[0].tangent = \"x\": needs a direction"),
        ("/contact/1/tangent/1", json!(1.0), "contact[1].tangent[1] = 1.0: needs"),
        ("/contact/0/friction", json!("high"), "contact[0].friction = \"high\": needs a number, or two"),
        ("/contact/0/friction", json!([0.1, 0.2, 0.3]), "contact[0].friction = 3 entries: needs a number, or two"),
        ("/contact/0/restitution", json!([0.5]), "contact[0].restitution = a list: needs a number"),
        ("/contact/0/offset", json!("x"), "contact[0].offset = \"x\": needs a number or a list of numbers"),
        ("/law", json!(3), "law = 3: needs the name of a law or a table"),
        ("/law", json!({"name": "lzb", "keep_gaps": 1}), "law.keep_gaps = 1: needs a boolean"),
        (
            "/law",
            json!({"name": "kinematic", "tangential_matrix": "x"}),
            "law.tangential_matrix = \"x\": needs a number or a matrix",
        ),
        (
            "/law",
            json!({"name": "kinematic", "form": "rockin"}),
            "law.form = \"rockin\": must be one of housner, rocking-sliding",
        ),
        (
            "/law",
            json!({"name": "sequential", "order": "slowest"}),
            "law.order = \"slowest\": must be one of fastest, listed",
        ),
        ("/law", json!({"name": "lzb", "max_steps": -1}), "law.max_steps = -1: needs"),
        // Unknown keys and names.
        ("/contact/0/frction", json!(0.5), "contact[0].frction: unknown key 'frction'; did you mean 'friction'?"),
        ("/contact/1/colour", json!(1), "contact[1].colour: unknown key 'colour'; known keys: name, normal"),
        ("/velocty", json!([1.0]), "velocty: unknown key 'velocty'; did you mean 'velocity'?"),
        ("/clutch/0/directon", json!([1.0]), "clutch[0].directon: unknown key 'directon'; did you mean 'direction'?"),
        ("/joint/0/directions", json!([1.0]), "did you mean 'direction'?"),
        ("/law/exponnt", json!(1.0), "law.exponnt: unknown key 'exponnt'; did you mean 'exponent'?"),
        ("/law/exponent", json!(1.0), "law.exponent: the law poisson has no such key (it belongs to lzb)"),
        ("/law/name", json!("newtn"), "law.name = \"newtn\": unknown law; did you mean \"newton\"?"),
        ("/law", json!("x"), "law.name = \"x\": unknown law; known laws: newton, moreau"),
        // Sizes.
        ("/mass", json!([]), "mass = []: needs at least one degree of freedom"),
        ("/mass", json!([[1.0, 0.0], [0.0]]), "mass[1] = 1 entries: the mass matrix must be square"),
        ("/velocity", json!([1.0]), "velocity = 1 entries: needs 3"),
        ("/impulse", json!([1.0]), "impulse = 1 entries: needs 3"),
        ("/contact/0/normal", json!([1.0]), "contact[0].normal = 1 entries: needs 3"),
        ("/contact/0/normal", json!({"3": 1.0}), "contact[0].normal = entry 3: index must be below 3"),
        ("/contact/0/tangent", json!([[1.0, 0.0]]), "contact[0].tangent = 2 entries: needs 3"),
        (
            "/contact/0/tangent",
            json!([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
            "contact[0].tangent = 3 rows: a contact has one tangent or two",
        ),
        ("/contact/0/offset", json!([0.0]), "contact[0].offset = 1 entries: needs 2"),
        ("/clutch/0/offset", json!([0.0, 1.0]), "clutch[0].offset = 2 entries: needs one number"),
        ("/joint/0/direction", json!([[1.0]]), "joint[0].direction[0] = 1 entries: needs 3"),
        // Values.
        ("/mass", json!([1.0, 0.0, 1.0]), "mass[1] = 0: a mass must be positive"),
        ("/mass/0/1", json!(0.4), "mass"),
        ("/mass/0", json!([2.0, 9.0, 0.0]), "mass"),
        ("/contact/0/normal", json!([0.0, 0.0, 0.0]), "contact[0].normal = 0: a direction must not be zero"),
        ("/contact/0/normal", json!({}), "contact[0].normal = 0: a direction must not be zero"),
        ("/contact/0/friction", json!(-0.5), "contact[0].friction = -0.5: must be a finite number of at least 0"),
        ("/contact/1/friction/1", json!(-0.5), "contact[1].friction[1] = -0.5: must be"),
        (
            "/contact/0/friction",
            json!([0.5, 0.5]),
            "contact[0].friction = [0.5, 0.5]: two coefficients need two tangents",
        ),
        (
            "/contact/0/friction_static",
            json!(0.4),
            "contact[0].friction_static = 0.4: must not be below the kinetic friction 0.5",
        ),
        ("/contact/0/tangent", Value::Null, "contact[0].friction = 0.5: friction needs a tangent"),
        ("/contact/0/restitution", json!(-0.1), "contact[0].restitution = -0.1: must be"),
        (
            "/contact/0/restitution_tangential",
            json!(1.5),
            "contact[0].restitution_tangential = 1.5: must lie in [0, 1]",
        ),
        ("/contact/0/stiffness", json!(0.0), "contact[0].stiffness = 0: must be positive"),
        ("/clutch/0/restitution", json!(-1.0), "clutch[0].restitution = -1: must be"),
        ("/contact/1/name", json!("C"), "contact[1].name = \"C\": names must be unique"),
        ("/joint/0/name", json!("C.friction"), "\"C.friction\": names must be unique"),
        ("/joint/0/name", json!(""), "joint[0].name = \"\": an element needs a name"),
        ("/velocity/0", json!(1e200), "velocity: gives a kinetic energy above 1e250"),
        ("/contact/0/tangent/0", json!(1e308), "contact[0].tangent: is so large or so small"),
        ("/contact/0/normal/1", json!(1e-200), "contact[0].normal: is so large or so small"),
        // Batches.
        ("/problem", json!([]), "a file with [[problem]] tables must have 'mass' inside them"),
    ];
    for (pointer, value, expected) in cases {
        let mut problem = sound();
        set(&mut problem, pointer, value);
        for (result, format) in read_both(&problem).into_iter().zip(["JSON", "TOML"]) {
            let error = result.expect_err(&format!("{format}: {expected}")).to_string();
            assert!(error.starts_with("file: "), "{error}");
            assert!(error.contains(expected), "{format}:\n  expected {expected}\n  found    {error}");
        }
        // The same in a batch: the path says which problem.
        let batch = json!([sound(), problem]).to_string();
        let error = read(&batch, Format::Json).expect_err(expected).to_string();
        assert!(error.contains("problem[1]"), "{error}");
    }
}

#[test]
fn no_element_at_all() {
    let problem = json!({"mass": [1.0], "velocity": [1.0]});
    for result in read_both(&problem) {
        assert_eq!(result.unwrap_err().to_string(), "file: contact = []: needs at least one contact, clutch or joint");
    }
}

#[test]
fn empty_batches() {
    for (text, format) in [("[]", Format::Json), ("{\"problem\": []}", Format::Json), ("problem = []", Format::Toml)] {
        assert_eq!(read(text, format).unwrap_err().to_string(), "file: problem = []: needs at least one problem");
    }
}

#[test]
fn numbers_that_are_not_finite() {
    let toml = toml::to_string(&sound()).unwrap();
    for (from, bad, field) in [
        ("velocity = [0.0, -1.0, 0.5]", "velocity = [0.0, nan, 0.5]", "velocity[1] = NaN: must be a finite number"),
        ("velocity = [0.0, -1.0, 0.5]", "velocity = [0.0, inf, 0.5]", "velocity[1] = inf: must be a finite number"),
        ("friction = 0.5", "friction = nan", "contact[0].friction = NaN"),
        ("restitution = 0.5", "restitution = -inf", "contact[0].restitution = -inf"),
        ("normal = [0.0, 1.0, 0.0]", "normal = [0.0, nan, 0.0]", "contact[0].normal[1] = NaN"),
        ("1 = 1.0", "1 = nan", "contact[1].normal[1] = NaN"),
    ] {
        assert!(toml.contains(from), "{from} is not in\n{toml}");
        let error = read(&toml.replacen(from, bad, 1), Format::Toml).unwrap_err().to_string();
        assert!(error.contains(field), "{error}");
    }
    let error = read("{\"mass\": [1e999]}", Format::Json).unwrap_err().to_string();
    assert!(error.contains("line 1") && error.contains("number out of range"), "{error}");
}

#[test]
fn syntax_errors_give_line_and_column() {
    let error = read("mass = [1.0]\nvelocity = [1.0\n", Format::Toml).unwrap_err();
    assert_eq!(error.position.unwrap().0, 2, "{error}");
    assert!(error.to_string().starts_with("file: line 2, column "), "{error}");
    let error = read("{\"mass\": [1.0],\n \"velocity\": [1.0,]}", Format::Json).unwrap_err();
    assert_eq!(error.to_string(), "file: line 2, column 19: not valid JSON: trailing comma");
    let error = read("{\"mass\": [1.0]", Format::Json).unwrap_err().to_string();
    assert!(error.contains("line 1") && error.contains("EOF"), "{error}");
    assert!(read("", Format::Json).is_err());
    assert_eq!(read("", Format::Toml).unwrap_err().to_string(), "file: mass: is missing");
}

#[test]
fn type_errors_give_the_line_too() {
    let toml = "mass = [1.0]\nvelocity = [1.0]\n[[contact]]\nname = \"C\"\nfrction = 0.5\n";
    let error = read(toml, Format::Toml).unwrap_err().to_string();
    assert_eq!(error, "file: line 5, column 1: contact[0].frction: unknown key 'frction'; did you mean 'friction'?");
    let json = "[{\"mass\": [1.0], \"velocity\":\n [\"x\"]}]";
    let error = read(json, Format::Json).unwrap_err().to_string();
    assert!(error.starts_with("file: line 2, column "), "{error}");
    assert!(error.contains("problem[0].velocity[0] = \"x\""), "{error}");
}

#[test]
fn keys_given_twice() {
    let error = read("{\"mass\": [1.0], \"mass\": [1.0]}", Format::Json).unwrap_err().to_string();
    assert!(error.contains("key 'mass' is given twice"), "{error}");
    let error = read("mass = [1.0]\nmass = [2.0]", Format::Toml).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("duplicate key"), "{error}");
    let twice = "{\"mass\": [1.0], \"velocity\": [1.0], \"contact\": [{\"name\": \"C\", \"normal\": {\"0\": 1.0, \"0\": 2.0}}]}";
    let error = read(twice, Format::Json).unwrap_err().to_string();
    assert!(error.contains("contact[0].normal = entry 0: is given twice"), "{error}");
}

#[test]
fn problems_cannot_be_nested() {
    let inner = json!([{"problem": [sound()]}]).to_string();
    let error = read(&inner, Format::Json).unwrap_err().to_string();
    assert!(error.contains("problem[0].problem: problems cannot be nested"), "{error}");
}

#[test]
fn short_forms() {
    for (text, message) in [
        ("[rod_impact]\nfriction = 0.5", "rod_impact.angle: is missing"),
        ("[rod_impact]\nangle = 1", "rod_impact.friction: is missing"),
        ("[rod_impact]\nangle = 1\nfrction = 0.5", "unknown key 'frction'; did you mean 'friction'?"),
        (
            "[rod_impact]\nangle = 1\nfriction = -0.5",
            "rod_impact.friction = -0.5: must be a finite number of at least 0",
        ),
        ("[rod_impact]\nangle = nan\nfriction = 1", "rod_impact.angle = NaN: must be a finite number"),
        ("[rod_impact]\nangle = 'steep'\nfriction = 1", "rod_impact.angle = \"steep\": needs an angle"),
        ("[rod_impact]\nangle = 1\nfriction = 1\nmass = 0", "rod_impact.mass = 0: must be positive and finite"),
        (
            "[rod_impact]\nangle = 1\nfriction = 1\nvelocity_ratio = 1\ntangential_velocity = 1",
            "rod_impact.velocity_ratio: only one of tangential_velocity and velocity_ratio can be given",
        ),
        ("velocity = [1]\n[rod_impact]\nangle = 1\nfriction = 1", "velocity: cannot stand beside [rod_impact]"),
        ("[block_impact]\nfriction = 1", "block_impact.height: is missing"),
        ("[block_impact]\naspect = 1\nheight = 1\nfriction = 1", "only one of height and aspect"),
        (
            "[block_impact]\naspect = 1\nfriction = 1\nfriction_static = 0.5",
            "block_impact.friction_static = 0.5: must be a finite number of at least 1",
        ),
        (
            "[block_impact]\naspect = 1\nfriction = 1\n[rod_impact]\nangle = 1\nfriction = 1",
            "block_impact: cannot stand beside [rod_impact]",
        ),
    ] {
        let error = read(text, Format::Toml).unwrap_err().to_string();
        assert!(error.contains(message), "expected {message}\nfound {error}");
    }
}
