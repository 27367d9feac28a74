//! What is wrong with a file: where, which field, which value, what is allowed.

use std::fmt;

use delassus::ImpactError;

use crate::nearest::nearest;

/// Bad input in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// The file's name; empty where there is none.
    pub file: Box<str>,
    /// Line and column, from 1, where they are known.
    pub position: Option<(usize, usize)>,
    /// The field, its value and what is allowed. The field is empty for syntax errors.
    pub error: ImpactError,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        if let Some((line, column)) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        if self.error.field.is_empty() { f.write_str(&self.error.problem) } else { self.error.fmt(f) }
    }
}

impl std::error::Error for InputError {}

impl InputError {
    /// An error without position.
    pub fn new(file: &str, error: ImpactError) -> Self {
        Self { file: file.into(), position: None, error }
    }
}

/// Turns serde's message about the value at `path` into field, value and what is allowed.
pub(crate) fn explain(path: &str, message: &str) -> ImpactError {
    // The messages of serde's error constructors are fixed; the tests of this
    // crate spoil an input in each of these ways.
    if let Some(rest) = message.strip_prefix("unknown field ") {
        let (key, allowed) = quoted(rest);
        let parent = path.strip_suffix(key).map_or(path, |p| p.trim_end_matches('.'));
        let field = if parent.is_empty() { key.to_owned() } else { format!("{parent}.{key}") };
        return ImpactError::unknown(field, "", unknown_key(key, &allowed));
    }
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        let (word, allowed) = quoted(rest);
        let known = match nearest(word, &allowed) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("must be one of {}", allowed.join(", ")),
        };
        return ImpactError::unknown(path, format!("'{word}'"), known);
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return ImpactError::missing(path, "", format!("key {} is missing", rest.replace('`', "'")));
    }
    if let Some(rest) = message.strip_prefix("duplicate field ") {
        return ImpactError::duplicate(path, "", format!("key {} is given twice", rest.replace('`', "'")));
    }
    for prefix in ["invalid type: ", "invalid value: ", "invalid length "] {
        if let Some((value, expected)) = message.strip_prefix(prefix).and_then(|m| m.split_once(", expected ")) {
            return ImpactError::new(path, plain_value(prefix, value), format!("needs {}", plain_kind(expected)));
        }
    }
    ImpactError::new(path, "", message)
}

/// The first of the words that serde's message quotes, and the others.
fn quoted(message: &str) -> (&str, Vec<&str>) {
    let mut words = message.split('`').skip(1).step_by(2);
    (words.next().unwrap_or_default(), words.collect())
}

/// "unknown key 'frction'; did you mean 'friction'?"
fn unknown_key(key: &str, allowed: &[&str]) -> String {
    match nearest(key, allowed) {
        Some(near) => format!("unknown key '{key}'; did you mean '{near}'?"),
        None => format!("unknown key '{key}'; known keys: {}", allowed.join(", ")),
    }
}

/// serde's description of what it expects, in words.
fn plain_kind(expected: &str) -> String {
    if let Some(count) = expected.strip_prefix("an array of length ") {
        return format!("a list of {count} entries");
    }
    match expected {
        "f64" => "a number",
        "u64" | "u32" | "u8" | "usize" => "a whole number, 0 or more",
        "a sequence" => "a list",
        kind if kind.starts_with("struct variant ") => "a table",
        other => other,
    }
    .to_owned()
}

/// serde's description of a value, as a user would write it.
pub(crate) fn plain_value(prefix: &str, value: &str) -> String {
    if prefix == "invalid length " {
        return format!("{value} entries");
    }
    match value {
        "map" => return "a table".into(),
        "sequence" => return "a list".into(),
        "unit value" => return "null".into(),
        _ => {}
    }
    let kinds = ["string ", "integer ", "floating point ", "boolean ", "character "];
    let bare = kinds.iter().find_map(|kind| value.strip_prefix(kind)).unwrap_or(value);
    bare.trim_matches('`').to_owned()
}
