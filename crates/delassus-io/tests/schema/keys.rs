//! The schemas against the reading code, key by key: both know the same keys in every table, and
//! neither takes a value of the wrong kind at any of them. (Laws describe their keys themselves.)

use std::collections::BTreeSet;

use delassus_io::{Format, read_problems, read_scenarios};
use serde_json::{Value, json};

use super::valid;

/// No key, no variant, and near to none.
const NONSENSE: &str = "qqqqqqqqqqqq";

struct Kind {
    schema: Value,
    samples: Vec<Value>,
    read: fn(&str) -> Result<(), String>,
}

fn problems() -> Kind {
    let contact = json!({
        "name": "C", "normal": { "1": 1.0 }, "tangent": [1.0, 0.0], "friction": 0.5, "friction_static": 0.6,
        "restitution": 0.5, "restitution_tangential": 0.1, "stiffness": 2.0, "offset": [0.0, 0.1]
    });
    let element = |name: &str| json!({ "name": name, "direction": [1.0, 0.0], "restitution": 0.0, "offset": 0.0 });
    let problem = json!({
        "name": "everything", "mass": [2.0, 1.0], "velocity": [0.0, -1.0], "impulse": [0.0, 0.1],
        "contact": [contact], "clutch": [element("K")], "joint": [element("J")],
        "law": "newton", "solver": { "iterations": 10, "time_limit": 1.0, "method": "proximal", "tolerance": 1e-9 }
    });
    let rod = json!({
        "name": "rod", "law": "newton", "solver": {},
        "rod_impact": {
            "mass": 1.0, "half_length": 1.0, "inertia": 0.3, "angle": 0.5, "rate": 0.1, "normal_velocity": -1.0,
            "tangential_velocity": 0.5, "friction": 0.3, "restitution": 0.5, "restitution_tangential": 0.1
        }
    });
    let ratio = json!({ "rod_impact": { "angle": 0.5, "friction": 0.3, "velocity_ratio": 0.1 } });
    let block = json!({
        "name": "block", "law": "newton", "solver": {},
        "block_impact": {
            "mass": 1.0, "width": 1.0, "height": 2.0, "rate": -1.0, "slip": 0.1, "friction": 0.3,
            "friction_static": 0.4, "restitution": 0.5, "stiffness_ratio": 2.0
        }
    });
    let aspect = json!({ "block_impact": { "aspect": 2.0, "friction": 0.3 } });
    let batch =
        json!({ "name": "batch", "problem": [problem, rod, block], "law": "newton", "solver": { "iterations": 5 } });
    Kind {
        schema: serde_json::from_str(delassus_io::problem_schema()).unwrap(),
        samples: vec![problem, rod, ratio, block, aspect, batch],
        read: |text| read_problems(text, "", Format::Json, &Default::default()).map(drop).map_err(|e| e.to_string()),
    }
}

fn scenarios() -> Kind {
    let direction = json!([1.0, 0.0]);
    let motions = json!([
        { "harmonic": { "direction": direction, "amplitude": 0.1, "frequency": 1.0, "phase": 0.0 } },
        { "pulse": { "direction": direction, "shape": "ricker", "acceleration": 1.0, "period": 1.0, "start": 0.0 } },
        { "path": { "direction": direction, "displacement": "sin(t)" } },
        { "shake": { "direction": direction, "acceleration": "sin(t)" } },
        { "record": { "direction": direction, "file": "a record", "interval": 0.1, "units": "g", "scale": 2.0, "component": "1" } },
        { "record": { "source": "elsewhere", "acceleration": [0.0, 1.0, 0.0], "interval": 0.1 } }
    ]);
    let line = json!({ "name": "floor", "point": [0.0, 0.0], "normal": [0.0, 1.0], "angle": 0.0, "motion": motions });
    let body = |name: &str, shape: Value| {
        json!({
            "name": name, "shape": shape, "mass": 1.0, "inertia": 1.0, "position": [0.0, 1.0], "angle": 0.0,
            "velocity": [0.0, 0.0], "rate": 0.0, "corners": []
        })
    };
    let disk = json!({ "disk": { "radius": 1.0 } });
    let part = json!({ "shape": disk, "mass": 1.0, "position": [0.0, 0.0], "angle": 0.0 });
    let between = json!(["a", "floor"]);
    let full = json!({
        "name": "everything",
        "world": { "dimension": 2, "gravity": 9.81 },
        "until": { "time": 1.0, "impacts": 3, "rest": true, "overturned": false },
        "integrator": {
            "tolerance": 1e-10, "contact_tolerance": 1e-9, "accumulation": 1e-6, "max_step": 0.1, "max_events": 1000,
            "scheme": "time-stepping", "step": 0.01, "theta": 0.5, "sleep": true
        },
        "solver": { "iterations": 10, "time_limit": 1.0, "method": "auto", "tolerance": 1e-6 },
        "output": { "interval": 0.1, "plot": "a.x" },
        "ground": [line],
        "wall": [{ "name": "wall", "motion": { "path": { "displacement": "t" } } }],
        "body": [
            body("a", json!({ "box": { "width": 1.0, "height": 2.0 } })),
            body("b", disk),
            body("c", json!({ "rod": { "length": 1.0 } })),
            body("d", json!({ "polygon": { "vertices": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] } })),
            body("e", json!({ "compound": { "part": [part] } }))
        ],
        "joint": [{ "name": "j", "type": "slider", "between": between, "point": [0.0, 0.0], "axis": [1.0, 0.0] }],
        "spring": [{
            "between": between, "points": [[0.0, 0.0], [0.0, 1.0]], "stiffness": 1.0, "damping": 0.1, "length": 1.0,
            "torsion": false
        }],
        "clutch": [{ "name": "k", "between": between, "axis": [1.0, 0.0], "reversed": false, "restitution": 0.0 }],
        "force": [{ "body": "a", "point": [0.0, 0.0], "force": ["sin(t)", 0.0], "torque": 0.0 }],
        "material": [{
            "between": between, "contact": "A", "friction": 0.3, "friction_static": 0.4, "restitution": 0.5,
            "restitution_tangential": 0.0, "stiffness": 1.0, "stiffness_ratio": 1.0
        }],
        "law": "newton"
    });
    let forms = json!({
        "rocking_block": { "width": 1.0, "height": 2.0, "mass": 1.0, "angle": 0.1, "rate": 0.0 },
        "chain": {
            "balls": 3, "mass": 1.0, "radius": 0.1, "taper": 1.0, "masses": [], "velocity": 1.0, "velocities": [],
            "gap": 0.0, "first_gap": 0.1, "wall": false, "cradle": 1.0, "angle": 0.1
        },
        "rod": { "length": 1.0, "mass": 1.0, "angle": 0.1, "height": 0.0, "velocity": [0.0, 0.0], "rate": 0.0 },
        "double_pendulum": {
            "masses": [1.0, 1.0], "lengths": [1.0, 1.0], "angles": [0.1, 0.2], "rates": [0.0, 0.0], "depth": 2.0
        },
        "material": { "friction": 0.3 }
    });
    let batch = json!({ "scenario": [full, forms], "law": { "name": "newton" } });
    Kind { schema: scenario_schema(0..3), samples: vec![full, forms, batch], read: read_scenario }
}

/// The schema with some of its kinds of files: planar ones come first, then those in space.
fn scenario_schema(files: std::ops::Range<usize>) -> Value {
    let mut schema: Value = serde_json::from_str(&delassus_io::scenario_schema()).unwrap();
    schema["oneOf"] = Value::from(schema["oneOf"].as_array().unwrap()[files].to_vec());
    schema
}

fn read_scenario(text: &str) -> Result<(), String> {
    let load = |_: &str| Ok("0.0\n1.0\n0.0\n".to_owned());
    read_scenarios(text, "", Format::Json, &load).map(drop).map_err(|e| e.to_string())
}

fn spatial_scenarios() -> Kind {
    let direction = json!([1.0, 0.0, 0.0]);
    let motions = json!([
        { "harmonic": { "direction": direction, "amplitude": 0.1, "frequency": 1.0, "phase": 0.0 } },
        { "pulse": { "direction": direction, "shape": "ricker", "acceleration": 1.0, "period": 1.0, "start": 0.0 } },
        { "path": { "direction": direction, "displacement": "sin(t)" } },
        { "shake": { "direction": direction, "acceleration": "sin(t)" } },
        { "record": { "direction": direction, "file": "a record", "interval": 0.1, "units": "g", "scale": 2.0, "component": "1" } },
        { "record": { "source": "elsewhere", "acceleration": [0.0, 1.0, 0.0], "interval": 0.1 } }
    ]);
    let zero = json!([0.0, 0.0, 0.0]);
    let turn = json!({ "axis": [0.0, 0.0, 1.0], "angle": 0.1 });
    let body = |name: &str, shape: Value, orientation: Value| {
        json!({
            "name": name, "shape": shape, "mass": 1.0, "density": null, "inertia": [1.0, 1.0, 1.0], "position": zero,
            "orientation": orientation, "velocity": zero, "spin": zero
        })
    };
    let sphere = json!({ "sphere": { "radius": 1.0 } });
    let part = json!({
        "shape": sphere, "mass": 1.0, "density": null, "position": zero, "orientation": [1.0, 0.0, 0.0, 0.0]
    });
    let vertices = json!([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let full = json!({
        "name": "everything",
        "world": { "dimension": 3, "gravity": [0.0, 0.0, -9.81] },
        "until": { "time": 1.0, "impacts": 3, "rest": true, "overturned": false },
        "integrator": {
            "tolerance": 1e-10, "contact_tolerance": 1e-9, "accumulation": 1e-6, "max_step": 0.1, "max_events": 1000,
            "scheme": "time-stepping", "step": 0.01, "theta": 0.5, "sleep": true
        },
        "solver": { "iterations": 10, "time_limit": 1.0, "method": "auto", "tolerance": 1e-6 },
        "output": { "interval": 0.1, "plot": "a.x" },
        "ground": [{ "name": "floor", "point": zero, "normal": [0.0, 0.0, 1.0], "angle": null, "motion": motions }],
        "wall": [{ "name": "wall", "motion": { "path": { "displacement": "t" } } }],
        "container": [
            { "name": "box", "size": [1.0, 1.0, 1.0], "position": zero, "lid": true, "motion": motions[0] }
        ],
        "terrain": [
            {
                "name": "hill", "heights": [[0.0, 0.1], [0.2, 0.0]], "spacing": [1.0, 1.0], "position": zero,
                "motion": motions[0]
            }
        ],
        "mesh": [{ "name": "ramp", "vertices": vertices, "triangles": [[0, 1, 2]], "motion": motions[1] }],
        "body": [
            body("a", json!({ "cuboid": { "size": [1.0, 1.0, 1.0] } }), turn.clone()),
            body("b", sphere.clone(), json!({ "roll": 0.1, "pitch": 0.2, "yaw": 0.3 })),
            body("c", json!({ "cylinder": { "radius": 1.0, "height": 1.0 } }), json!([1.0, 0.0, 0.0, 0.0])),
            body("d", json!({ "capsule": { "radius": 1.0, "length": 1.0 } }), turn.clone()),
            body("e", json!({ "convex": { "vertices": vertices } }), turn.clone()),
            body("f", json!({ "compound": { "part": [part] } }), turn.clone())
        ],
        "array": [{
            "name": "ball", "shape": sphere, "mass": null, "density": 1.0, "count": [2, 2, 2], "spacing": [1.0, 1.0, 1.0],
            "position": zero, "orientation": turn, "velocity": zero, "jitter": 0.1, "random_orientation": true, "seed": 7
        }],
        "joint": [
            { "name": "j", "type": "hinge", "between": ["a", "world"], "point": zero, "points": null, "axis": [0.0, 0.0, 1.0] },
            { "name": "k", "type": "rod", "between": ["a", "b"], "points": [zero, [1.0, 0.0, 0.0]] }
        ],
        "spring": [{
            "between": ["a", "floor"], "points": [zero, [0.0, 0.0, 1.0]], "stiffness": 1.0, "damping": 0.1, "length": 0.5
        }],
        "force": [{
            "body": "a", "point": zero, "force": ["sin(t)", 0.0, 1.0], "torque": [0.0, 0.0, "t"]
        }],
        "material": [{
            "between": ["a", "floor"], "contact": null, "friction": 0.3, "friction_static": 0.4, "restitution": 0.5,
            "restitution_tangential": 0.0, "stiffness": 1.0, "stiffness_ratio": null
        }],
        "law": "newton"
    });
    let forms = json!({
        "world": { "dimension": 3 },
        "rocking_block": {
            "width": 1.0, "depth": 0.5, "height": 2.0, "mass": 1.0, "angle": 0.1, "rate": 0.0, "lean": "1deg"
        },
        "coin": {
            "radius": 0.01, "thickness": 0.001, "mass": 0.1, "density": null, "tilt": 0.2, "precession": 3.0, "roll": 5.0,
            "height": 0.0, "rolling": true
        },
        "foot": {
            "size": [0.2, 0.1, 0.03], "mass": 1.0, "leg_mass": 4.0, "leg_position": [0.0, 0.0, 0.3], "leg_radius": 0.05,
            "roll": 0.1, "pitch": 0.1, "height": 0.1, "velocity": zero, "spin": zero
        },
        "packing": { "balls": 100, "radius": 0.02, "spread": 0.2, "density": 2000.0, "size": [0.2, 0.3], "seed": 3 },
        "material": { "friction": 0.3 }
    });
    let batch = json!({ "scenario": [full, forms], "law": { "name": "newton" } });
    Kind { schema: scenario_schema(3..6), samples: vec![full, forms, batch], read: read_scenario }
}

/// A table of a sample: where it stands, and the parts of the schema that describe it.
struct Place<'a> {
    pointer: String,
    parts: Vec<&'a Value>,
    /// Whether exactly one of its keys is given: it names a variant.
    variant: bool,
}

/// Follows references and alternatives to the parts of the schema that are no alternatives.
fn parts<'a>(root: &'a Value, part: &'a Value) -> Vec<&'a Value> {
    if let Some(reference) = part.get("$ref") {
        return parts(root, root.pointer(&reference.as_str().unwrap()[1..]).unwrap());
    }
    match part.get("oneOf") {
        Some(list) => list.as_array().unwrap().iter().flat_map(|part| parts(root, part)).collect(),
        None => vec![part],
    }
}

fn tables<'a>(root: &'a Value, part: &'a Value, value: &Value, pointer: &str, out: &mut Vec<Place<'a>>) {
    let all = parts(root, part);
    match value {
        Value::Object(table) if !pointer.ends_with("/law") => {
            let described: Vec<&Value> = all.into_iter().filter(|p| p.get("properties").is_some()).collect();
            if described.is_empty() {
                return; // A sparse direction.
            }
            let variant = described.len() > 1 && described.iter().all(|p| keys(p).len() == 1);
            for (key, entry) in table {
                let part = described.iter().find(|p| valid(p, root, value) && p["properties"].get(key).is_some());
                let part = part.unwrap_or_else(|| panic!("the schema does not take {key} at {pointer:?}: {value}"));
                tables(root, &part["properties"][key], entry, &format!("{pointer}/{key}"), out);
            }
            out.push(Place { pointer: pointer.to_owned(), parts: described, variant });
        }
        Value::Array(list) => {
            for (i, entry) in list.iter().enumerate() {
                for part in all.iter().filter(|p| valid(p, root, value)).filter_map(|p| p.get("items")) {
                    tables(root, part, entry, &format!("{pointer}/{i}"), out);
                }
            }
        }
        _ => {}
    }
}

fn keys(part: &Value) -> BTreeSet<String> {
    part["properties"].as_object().unwrap().keys().cloned().collect()
}

/// The keys that the reader says it knows.
fn known(error: &str) -> BTreeSet<String> {
    let (_, list) = error
        .split_once("known keys: ")
        .or_else(|| error.split_once("must be one of "))
        .unwrap_or_else(|| panic!("no list of keys: {error}"));
    list.split(", ").map(str::to_owned).collect()
}

fn check(kind: &Kind) {
    let root = &kind.schema;
    let mut tried: BTreeSet<(String, String)> = BTreeSet::new();
    let mut all: BTreeSet<(String, String)> = BTreeSet::new();
    for sample in &kind.samples {
        let text = sample.to_string();
        (kind.read)(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert!(valid(root, root, sample), "{text}");
        let mut places = Vec::new();
        tables(root, root, sample, "", &mut places);
        for Place { pointer, parts, variant } in &places {
            let table = sample.pointer(pointer).unwrap().as_object().unwrap();
            // A table is told by its keys.
            let described: BTreeSet<String> = parts.iter().flat_map(|part| keys(part)).collect();
            let name = format!("{described:?}");
            all.extend(described.iter().map(|key| (name.clone(), key.clone())));
            tried.extend(table.keys().map(|key| (name.clone(), key.clone())));

            let mut unknown = sample.clone();
            let spoilt = unknown.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
            if *variant {
                spoilt.clear();
            }
            spoilt.insert(NONSENSE.to_owned(), json!({}));
            assert!(!valid(root, root, &unknown), "{unknown}");
            let mut read = known(&(kind.read)(&unknown.to_string()).unwrap_err());
            if described.contains("scenario") {
                // Not told of, because scenarios themselves cannot have it.
                read.insert("scenario".to_owned());
            }
            if described.contains("mass") && described.contains("velocity") && described.contains("law") {
                // A problem has the keys of a file.
                read.remove("problem");
            }
            let mut described = described;
            described.remove("problem");
            assert_eq!(read, described, "at {pointer:?} of {text}");

            for key in table.keys() {
                let mut wrong = sample.clone();
                wrong.pointer_mut(pointer).unwrap()[key] = json!({ NONSENSE: [true] });
                assert!(!valid(root, root, &wrong), "{key} at {pointer:?}");
                assert!((kind.read)(&wrong.to_string()).is_err(), "{key} at {pointer:?}");
            }
        }
    }
    let untried: Vec<_> = all.difference(&tried).collect();
    assert!(untried.is_empty(), "no sample has {untried:#?}");
    assert!(tried.len() > 30, "{}", tried.len());
}

#[test]
fn problem_files_have_the_keys_of_their_schema() {
    check(&problems());
}

#[test]
fn scenario_files_have_the_keys_of_their_schema() {
    check(&scenarios());
}

#[test]
fn scenario_files_in_space_have_the_keys_of_their_schema() {
    check(&spatial_scenarios());
}
