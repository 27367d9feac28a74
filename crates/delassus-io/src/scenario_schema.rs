//! The JSON schema of scenario files.

use serde_json::{Value, json};

use crate::schema::problem_schema;

/// Parts that the schema of scenarios names and does not hold: both kinds of files have them.
const SHARED: [&str; 4] = ["law", "law_name", "numbers", "matrix"];
/// Tables that scenarios in the plane and in space share.
const COMMON: [&str; 7] = ["name", "until", "integrator", "solver", "output", "material", "law"];
/// Parts with directions, which have three components in space.
const DIRECTED: [&str; 6] = ["motion", "harmonic", "pulse", "path", "shake", "record"];

/// The JSON schema of scenario files (TOML files have the same keys).
pub fn scenario_schema() -> String {
    // The texts are ours; a test reads the result.
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let (problem, mut scenario) = (read(problem_schema()), read(include_str!("scenario.schema.json")));
    for part in SHARED {
        scenario["$defs"][part] = problem["$defs"][part].clone();
    }
    let mut space = read(include_str!("spatial.schema.json"));
    for key in COMMON {
        space["spatial_scenario"]["properties"][key] = scenario["$defs"]["scenario"]["properties"][key].clone();
    }
    for part in DIRECTED {
        let mut text = scenario["$defs"][part].to_string().replace("#/$defs/vector", "#/$defs/vector3");
        for other in DIRECTED {
            text = text.replace(&format!("#/$defs/{other}\""), &format!("#/$defs/spatial_{other}\""));
        }
        space[format!("spatial_{part}")] = read(&text);
    }
    if let (Some(defs), Value::Object(space)) = (scenario["$defs"].as_object_mut(), space) {
        defs.extend(space);
    }
    let one = json!({ "$ref": "#/$defs/spatial_scenario" });
    let list = json!({ "type": "array", "minItems": 1, "items": one });
    let mut table = scenario["oneOf"][2].clone();
    table["properties"]["scenario"] = list.clone();
    if let Some(files) = scenario["oneOf"].as_array_mut() {
        files.extend([one, list, table]);
    }
    format!("{scenario:#}\n")
}
