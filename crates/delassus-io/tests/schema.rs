//! The JSON schema accepts every example and every problem of the papers, and
//! rejects files that the reader rejects for their form.

#[path = "schema/keys.rs"]
mod keys;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

fn schema() -> Value {
    serde_json::from_str(delassus_io::problem_schema()).unwrap()
}

/// The part of JSON Schema that ours uses; panics at a keyword that it does not know.
fn valid(schema: &Value, root: &Value, value: &Value) -> bool {
    let Value::Object(keywords) = schema else { panic!("{schema}") };
    let list = |v: &Value| v.as_array().unwrap().clone();
    let number =
        |limit: &Value, ok: fn(f64, f64) -> bool| value.as_f64().is_none_or(|v| ok(v, limit.as_f64().unwrap()));
    let items = value.as_array();
    let count = |limit: &Value| limit.as_u64().unwrap() as usize;
    keywords.iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "$defs" | "title" | "description" => true,
        "$ref" => valid(root.pointer(rule.as_str().unwrap().strip_prefix('#').unwrap()).unwrap(), root, value),
        "oneOf" => list(rule).iter().filter(|s| valid(s, root, value)).count() == 1,
        "anyOf" => list(rule).iter().any(|s| valid(s, root, value)),
        "enum" => list(rule).contains(value),
        "type" => {
            let types = if rule.is_array() { list(rule) } else { vec![rule.clone()] };
            types.iter().any(|t| match t.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "integer" => value.as_f64().is_some_and(|v| v.fract() == 0.0),
                "number" => value.is_number(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                other => panic!("{other}"),
            })
        }
        "required" => value.as_object().is_none_or(|o| list(rule).iter().all(|k| o.contains_key(k.as_str().unwrap()))),
        "properties" => {
            value.as_object().is_none_or(|o| o.iter().all(|(k, v)| rule.get(k).is_none_or(|s| valid(s, root, v))))
        }
        "patternProperties" => value.as_object().is_none_or(|o| o.values().all(|v| valid(&rule["^[0-9]+$"], root, v))),
        "additionalProperties" => {
            let digits = |k: &str| keywords.contains_key("patternProperties") && k.bytes().all(|b| b.is_ascii_digit());
            let known = |k: &str| keywords.get("properties").is_some_and(|p| p.get(k).is_some()) || digits(k);
            value.as_object().is_none_or(|o| o.keys().all(|k| known(k)))
        }
        "items" => items.is_none_or(|list| list.iter().all(|v| valid(rule, root, v))),
        "minItems" => items.is_none_or(|list| list.len() >= count(rule)),
        "maxItems" => items.is_none_or(|list| list.len() <= count(rule)),
        "minProperties" => value.as_object().is_none_or(|o| o.len() >= count(rule)),
        "minLength" => value.as_str().is_none_or(|s| s.chars().count() >= count(rule)),
        "minimum" => number(rule, |v, limit| v >= limit),
        "maximum" => number(rule, |v, limit| v <= limit),
        "exclusiveMinimum" => number(rule, |v, limit| v > limit),
        "exclusiveMaximum" => number(rule, |v, limit| v < limit),
        other => panic!("unknown keyword {other}"),
    })
}

fn accepts(value: &Value) -> bool {
    let schema = schema();
    valid(&schema, &schema, value)
}

#[test]
fn accepts_examples_and_papers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join("delassus-cli/examples")];
    folders.extend(fs::read_dir(root.join("../papers")).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()));
    let mut files = 0;
    for folder in folders {
        for file in fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".toml") && !name.starts_with("expected") {
                let value: toml::Value = toml::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
                assert!(accepts(&serde_json::to_value(value).unwrap()), "{}", file.display());
                files += 1;
            }
        }
    }
    assert!(files > 10, "{files}");
}

#[test]
fn the_schema_of_scenarios_accepts_the_gallery() {
    let schema: Value = serde_json::from_str(&delassus_io::scenario_schema()).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files = 0;
    for file in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if file.extension().is_some_and(|e| e == "toml") {
            let value: toml::Value = toml::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
            assert!(valid(&schema, &schema, &serde_json::to_value(value).unwrap()), "{}", file.display());
            files += 1;
        }
    }
    assert!(files > 10, "{files}");
}

#[test]
fn rejects_what_the_reader_rejects() {
    let sound = json!({
        "mass": [1.0, 1.0], "velocity": [0.0, -1.0],
        "contact": [{ "name": "C", "normal": [0.0, 1.0], "tangent": { "0": 1.0 }, "friction": 0.5 }],
        "law": { "name": "lzb", "exponent": 1.5 },
        "solver": { "iterations": 1000, "time_limit": 2.5, "method": "newton", "tolerance": 1e-10 }
    });
    assert!(accepts(&sound));
    assert!(accepts(&json!([sound])));
    assert!(accepts(&json!({ "problem": [sound], "law": "newton", "solver": { "iterations": 5 } })));
    for (pointer, bad) in [
        ("", json!([])),
        ("", json!({ "problem": [] })),
        ("/mass", json!(1.0)),
        ("/mass/0", json!(-1.0)),
        ("/velocity", json!("fast")),
        ("/contact", json!([{ "normal": [1.0] }])),
        ("/contact/0/name", json!("")),
        ("/contact/0/friction", json!(-0.5)),
        ("/contact/0/friction", json!([0.5, 0.5, 0.5])),
        ("/contact/0/normal", json!({ "a": 1.0 })),
        ("/contact/0/tangent", json!([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])),
        ("/contact/0", json!({ "name": "C", "normal": [0.0, 1.0], "frction": 0.5 })),
        ("/solver", json!({ "method": "lemke" })),
        ("/solver/tolerance", json!(0.5)),
        ("/solver/iterations", json!(0)),
        ("/solver/iterations", json!(2.5)),
        ("/solver/time_limit", json!(0.0)),
        ("/law/name", json!("newtn")),
        ("/law/exponent", json!(0.0)),
    ] {
        let mut spoilt = sound.clone();
        *spoilt.pointer_mut(pointer).unwrap() = bad;
        assert!(!accepts(&spoilt), "{spoilt}");
        let text = spoilt.to_string();
        let read = delassus_io::read_problems(&text, "", delassus_io::Format::Json, &Default::default());
        assert!(read.is_err(), "{text}");
    }
}

/// Values of every kind at every key of every law: the schema accepts what the reader accepts.
#[test]
fn laws_as_the_reader_takes_them() {
    let values = [
        json!(null),
        json!(-1.0),
        json!(0),
        json!(0.005),
        json!(1),
        json!(2.5),
        json!(1e9),
        json!(true),
        json!("listed"),
        json!("housner"),
        json!("nonsense"),
        json!([]),
        json!([0.5, 0.25]),
        json!([[0.5, 0.0], [0.0, 0.5]]),
        json!([[0.5], 0.5]),
        json!({ "a": 1 }),
    ];
    let laws = delassus::LawSpec::all();
    let mut keys: Vec<&str> = laws.iter().flat_map(delassus::LawSpec::keys).collect();
    keys.push("nonsense");
    let (mut accepted, mut rejected) = (0, 0);
    for law in &laws {
        for key in &keys {
            for value in &values {
                let file = json!({
                    "mass": [1.0], "velocity": [-1.0], "contact": [{ "name": "C", "normal": [1.0] }],
                    "law": { "name": law.name(), *key: value }
                });
                let text = file.to_string();
                let read = delassus_io::read_problems(&text, "", delassus_io::Format::Json, &Default::default());
                // The schema is stricter: no matrix is empty, no law has keys of another without value.
                let lenient = value == &json!([]) || value.is_null() && !law.keys().contains(key);
                assert_eq!(accepts(&file), read.is_ok() && !lenient, "{text}: {:?}", read.err());
                if accepts(&file) { accepted += 1 } else { rejected += 1 }
            }
        }
    }
    assert!(accepted > 50 && rejected > 500, "{accepted} {rejected}");
}
