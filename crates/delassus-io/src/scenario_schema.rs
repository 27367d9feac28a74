//! The JSON schema of scenario files.

use serde_json::Value;

use crate::schema::problem_schema;

/// Parts that the schema of scenarios names and does not hold: both kinds of files have them.
const SHARED: [&str; 4] = ["law", "law_name", "numbers", "matrix"];

/// The JSON schema of scenario files (TOML files have the same keys).
pub fn scenario_schema() -> String {
    // Both texts are ours; a test reads the result.
    let read = |text| serde_json::from_str::<Value>(text).unwrap_or_default();
    let (problem, mut scenario) = (read(problem_schema()), read(include_str!("scenario.schema.json")));
    for part in SHARED {
        scenario["$defs"][part] = problem["$defs"][part].clone();
    }
    format!("{scenario:#}\n")
}
