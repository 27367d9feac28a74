//! The JSON schema of problem files, with the laws as they describe themselves.

use std::fmt::Write;
use std::sync::OnceLock;

use delassus::LawSpec;
use delassus::law::{Field, Range, Slot, Value};
use serde_json::json;

/// The JSON schema of problem files (TOML files have the same keys).
pub fn problem_schema() -> &'static str {
    static SCHEMA: OnceLock<String> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let laws = LawSpec::all();
        let names: Vec<&str> = laws.iter().map(LawSpec::name).collect();
        let tables: Vec<String> = laws.iter().map(law).collect();
        include_str!("problem.schema.json")
            .replace("\"LAW NAMES\"", &json!({ "enum": names }).to_string())
            .replace("\"LAW TABLES\"", &tables.join(",\n        "))
    })
}

/// The table of one law.
fn law(law: &LawSpec) -> String {
    let about = delassus::ImpactLaw::about(law);
    let mut properties = format!("            \"name\": {}", json!({ "enum": [about.name] }));
    law.clone().law_mut().data(&mut |field| {
        // Writing to a string cannot fail.
        let _ = write!(properties, ",\n            {}: {}", json!(field.key), property(&field));
    });
    format!(
        "{{\n          \"type\": \"object\",\n          \"description\": {},\n          \
         \"additionalProperties\": false,\n          \"required\": [\"name\"],\n          \
         \"properties\": {{\n{properties}\n          }}\n        }}",
        json!(format!("{} ({}).", about.summary, about.citation))
    )
}

/// What is allowed of a datum.
fn property(field: &Field<'_>) -> serde_json::Value {
    let matrix = json!({ "$ref": "#/$defs/matrix" });
    let mut rule = match &field.slot {
        Slot::Number(_) | Slot::MaybeNumber(_) => json!({ "type": ["number", "null"] }),
        Slot::Count(_) => json!({ "type": ["integer", "null"] }),
        Slot::Flag(_) => json!({ "type": ["boolean", "null"] }),
        Slot::Word(word) => {
            let words = word.words().into_iter().map(|word| json!(word));
            json!({ "enum": words.chain([serde_json::Value::Null]).collect::<Vec<_>>() })
        }
        Slot::List(_) => {
            json!({ "type": ["array", "null"], "items": bounds(json!({ "type": "number" }), field.range) })
        }
        Slot::Matrix(_) => json!({ "oneOf": [matrix, { "type": "null" }] }),
        Slot::NumberOrMatrix(_) => json!({ "oneOf": [{ "type": ["number", "null"] }, matrix] }),
    };
    if matches!(field.slot, Slot::Number(_) | Slot::MaybeNumber(_) | Slot::Count(_)) {
        rule = bounds(rule, field.range);
    }
    rule["description"] = json!(describe(field));
    rule
}

fn bounds(mut rule: serde_json::Value, range: Range) -> serde_json::Value {
    if range.low.is_finite() {
        rule[if range.above { "exclusiveMinimum" } else { "minimum" }] = json!(range.low);
    }
    if range.high.is_finite() {
        rule["maximum"] = json!(range.high);
    }
    rule
}

/// What a datum of a law means and what holds where it is not given.
pub fn describe(field: &Field<'_>) -> String {
    let default = match (field.absent, field.value()) {
        ("", Some(Value::Word(word))) => word,
        ("", Some(value)) => value.to_string(),
        ("", None) => "none".into(),
        (words, _) => words.into(),
    };
    format!("{} Default: {default}.", field.doc)
}

/// A system in a few numbers that a file may hold in place of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortForm {
    /// Name of its table.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Its keys with what they mean, and whether they must be given.
    pub keys: Vec<(String, String, bool)>,
}

/// The short forms that a schema describes.
pub fn short_forms(schema: &str) -> Vec<ShortForm> {
    fn walk(value: &serde_json::Value, found: &mut Vec<ShortForm>) {
        for (name, part) in value.as_object().into_iter().flatten() {
            let about = part["description"].as_str().and_then(|text| text.strip_prefix("Short form: "));
            match (about, part["properties"].as_object()) {
                (Some(about), Some(properties)) => {
                    let required = part["required"].as_array();
                    let key = |(key, rule): (&String, &serde_json::Value)| {
                        let needed = required.is_some_and(|list| list.iter().any(|word| word == key.as_str()));
                        (key.clone(), rule["description"].as_str().unwrap_or_default().to_owned(), needed)
                    };
                    let keys = properties.iter().map(key).collect();
                    // Forms of the plane and of space may share a name.
                    let name = name.strip_prefix("spatial_").unwrap_or(name).to_owned();
                    found.push(ShortForm { name, about: about.to_owned(), keys });
                }
                _ => walk(part, found),
            }
        }
    }
    let mut found = Vec::new();
    walk(&serde_json::from_str(schema).unwrap_or_default(), &mut found);
    found
}
