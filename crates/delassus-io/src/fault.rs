//! What is wrong with a value of a file, and where it stands.

use std::fmt;

use serde::de::{Error, Expected, Unexpected};

/// One step of a path into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// A message in serde's words, the path of the value and its place in the text, in bytes.
#[derive(Debug)]
pub(crate) struct Fault {
    message: String,
    /// From the inside out.
    steps: Vec<Step>,
    at: Option<usize>,
}

impl Fault {
    /// The same, seen from the table around it; `at` is the place unless a nearer one is known.
    pub fn in_table(mut self, key: &str, at: Option<usize>) -> Self {
        self.steps.push(Step::Key(key.to_owned()));
        self.or_at(at)
    }

    /// The same, seen from the list around it.
    pub fn in_list(mut self, index: usize, at: Option<usize>) -> Self {
        self.steps.push(Step::Index(index));
        self.or_at(at)
    }

    /// The same at this place, unless one is known.
    pub fn or_at(self, at: Option<usize>) -> Self {
        Self { at: self.at.or(at), ..self }
    }

    /// The same at this place.
    pub fn at(self, at: usize) -> Self {
        Self { at: Some(at), ..self }
    }

    /// In serde's words.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The path as users read it, `contact[1].friction`: an entry of a file that is a list is `problem[i]`.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Key(key) if path.is_empty() => path.clone_from(key),
                Step::Key(key) => path = format!("{path}.{key}"),
                Step::Index(i) if path.is_empty() => path = format!("problem[{i}]"),
                Step::Index(i) => path = format!("{path}[{i}]"),
            }
        }
        path
    }

    /// Where the value stands in its text, in bytes: as the reader knew it, else found in JSON.
    pub fn place(&self, json: Option<&str>) -> Option<usize> {
        self.at.or_else(|| locate(json?, self.steps.iter().rev()))
    }
}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), steps: Vec::new(), at: None }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match found {
            Unexpected::Unit => Self::custom(format_args!("invalid type: null, expected {expected}")),
            found => Self::custom(format_args!("invalid type: {found}, expected {expected}")),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// Where the value with this path begins in a JSON text, which is known to be valid.
fn locate<'a>(text: &str, steps: impl Iterator<Item = &'a Step>) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = blank(bytes, 0);
    for step in steps {
        let mut index = 0;
        at = blank(bytes, at + 1);
        loop {
            let here = match step {
                Step::Index(wanted) => index == *wanted,
                Step::Key(wanted) => {
                    let end = skip(bytes, at)?;
                    let found = serde_json::from_str::<String>(text.get(at..end)?).is_ok_and(|key| key == *wanted);
                    at = blank(bytes, blank(bytes, end) + 1);
                    found
                }
            };
            if here {
                break;
            }
            index += 1;
            at = blank(bytes, skip(bytes, at)?);
            if bytes.get(at) != Some(&b',') {
                return None;
            }
            at = blank(bytes, at + 1);
        }
    }
    Some(at)
}

/// The first place from `at` on that is not blank.
fn blank(bytes: &[u8], at: usize) -> usize {
    at + bytes.iter().skip(at).take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The end of the value that begins at `at`.
fn skip(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (i, byte) in bytes.iter().enumerate().skip(at) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => {
                quoted = !quoted;
                if !quoted && depth == 0 {
                    return Some(i + 1);
                }
            }
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' | b',' | b':' if depth == 0 => return Some(i),
            b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            byte if depth == 0 && byte.is_ascii_whitespace() => return Some(i),
            _ => {}
        }
    }
    Some(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_in_json_by_their_path() {
        let text = " {\"a\": [1, {\"b\\\"\": \"x, ]\", \"c\" :  -2.5e3 }],\n\"d\":{\"a\": null} }";
        let key = |name: &str| Step::Key(name.to_owned());
        for (steps, found) in [
            (vec![], "{\"a\""),
            (vec![key("a")], "[1"),
            (vec![key("a"), Step::Index(1)], "{\"b"),
            (vec![key("a"), Step::Index(1), key("b\"")], "\"x, ]\""),
            (vec![key("a"), Step::Index(1), key("c")], "-2.5e3"),
            (vec![key("d"), key("a")], "null"),
        ] {
            let at = locate(text, steps.iter()).unwrap();
            assert!(text[at..].starts_with(found), "{steps:?}: {}", &text[at..]);
        }
        assert_eq!(locate(text, [key("e")].iter()), None);
        assert_eq!(locate(text, [key("a"), Step::Index(2)].iter()), None);
    }
}
