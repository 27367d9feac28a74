//! Numbers of a text by their path: listed for sliders, and set.

use std::path::Path;

use delassus_io::{Format, is_scenario};
use serde_json::{Map, Number, Value, json};

use crate::Input;

/// A text as it is read: the file's name in messages, its format and content.
pub(crate) struct Source {
    pub text: String,
    pub format: Format,
}

/// The text with its numbers set. Unchanged it stays as written, so that messages tell its lines.
pub(crate) fn source(input: &Input) -> Result<Source, String> {
    let format = Format::detect(Path::new("text"), &input.text);
    if input.set.is_empty() {
        return Ok(Source { text: input.text.clone(), format });
    }
    Ok(Source { text: changed(input)?.to_string(), format: Format::Json })
}

/// The text with its numbers set, as TOML.
pub(crate) fn as_toml(input: &Input) -> Result<String, String> {
    if input.set.is_empty() && Format::detect(Path::new("text"), &input.text) == Format::Toml {
        return Ok(input.text.clone());
    }
    toml::to_string(&changed(input)?).map_err(|e| e.to_string())
}

fn changed(input: &Input) -> Result<Value, String> {
    let mut tree = tree(&input.text)?;
    for (path, value) in &input.set {
        let number = Number::from_f64(*value).ok_or_else(|| format!("{path}: {value} is no finite number"))?;
        set(&mut tree, path, number).ok_or_else(|| format!("{path}: is no number of the text"))?;
    }
    Ok(tree)
}

fn tree(text: &str) -> Result<Value, String> {
    match Format::detect(Path::new("text"), text) {
        Format::Json => serde_json::from_str(text).map_err(|e| e.to_string()),
        Format::Toml => toml::from_str(text).map_err(|e| e.to_string()),
    }
}

/// The steps of `contact[0].friction`: keys and indices.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split(['.', '[']).map(|step| step.trim_end_matches(']'))
}

fn set(tree: &mut Value, path: &str, number: Number) -> Option<()> {
    let mut place = tree;
    for step in steps(path) {
        place = match place {
            Value::Array(list) => list.get_mut(step.parse::<usize>().ok()?)?,
            Value::Object(table) => table.get_mut(step)?,
            _ => return None,
        };
    }
    place.is_number().then(|| *place = Value::Number(number))
}

/// Every number of the text with its path, and whether it is a scenario.
pub(crate) fn numbers(input: &Input) -> Result<Value, String> {
    let found = values(input)?;
    let scenario = is_scenario(&input.text, Format::detect(Path::new("text"), &input.text));
    Ok(json!({ "numbers": found, "scenario": scenario }))
}

/// Every number of the text as it is set, with its path.
pub(crate) fn values(input: &Input) -> Result<Map<String, Value>, String> {
    let mut found = Map::new();
    walk(&changed(input)?, String::new(), &mut found);
    Ok(found)
}

fn walk(value: &Value, path: String, found: &mut Map<String, Value>) {
    match value {
        Value::Number(_) => {
            found.insert(path, value.clone());
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, inner)| walk(inner, format!("{path}[{i}]"), found));
        }
        Value::Object(table) => {
            let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            table.iter().for_each(|(key, inner)| walk(inner, join(key), found));
        }
        _ => {}
    }
}
