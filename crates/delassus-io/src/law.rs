//! The `[law]` table and the law it stands for.
//!
//! Keys, kinds and ranges come from the laws themselves ([`delassus::ImpactLaw::data`]):
//! nothing here knows one law from another.

use std::fmt;

use delassus::law::Value;
use delassus::{ImpactError, LawSpec};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::nearest::nearest;
use crate::numbers::{OneOrMore, visit_numbers};

/// A law in a file: its name and its data, all keys optional. Instead of a
/// table with nothing but a name, the name alone may stand. (Boxed: most
/// problems of a large batch have none.)
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LawTable(Box<Table>);

#[derive(Debug, Clone, Default, PartialEq)]
struct Table {
    name: Option<String>,
    /// The keys that are given, in the order of the file; `null` is no value.
    data: Vec<(String, Option<Value>)>,
}

impl LawTable {
    /// The law with its data, one of those of the library.
    ///
    /// # Errors
    /// No name, an unknown one, a key that the law does not know, a value out of range.
    pub fn spec(&self) -> Result<LawSpec, ImpactError> {
        self.spec_among(&LawSpec::all())
    }

    /// The law with its data, one of `laws`, which hold what is not given.
    ///
    /// # Errors
    /// As [`spec`](Self::spec).
    pub fn spec_among(&self, laws: &[LawSpec]) -> Result<LawSpec, ImpactError> {
        let name = self.0.name.as_deref().ok_or_else(|| ImpactError::missing("law.name", "", "is missing"))?;
        let mut spec = named_among(name, laws).map_err(|e| e.within("law"))?;
        let known = spec.keys();
        for (key, value) in &self.0.data {
            let elsewhere = || laws.iter().any(|law| law.keys().contains(&&key[..]));
            match value {
                Some(value) if known.contains(&&key[..]) => spec.set(key, value.clone())?,
                None if known.contains(&&key[..]) || elsewhere() => {}
                _ => return Err(unknown_key(name, key, &known, laws)),
            }
        }
        Ok(spec)
    }
}

/// Says which laws have the key, or which key was meant.
fn unknown_key(name: &str, key: &str, known: &[&str], laws: &[LawSpec]) -> ImpactError {
    let keys: Vec<(&str, &str)> = laws.iter().flat_map(|l| l.keys().into_iter().map(|key| (key, l.name()))).collect();
    let owners: Vec<&str> = keys.iter().filter(|(k, _)| *k == key).map(|(_, owner)| *owner).collect();
    let all: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
    let problem = match nearest(key, &all) {
        _ if !owners.is_empty() => format!("the law {name} has no such key (it belongs to {})", owners.join(", ")),
        Some(near) => format!("unknown key '{key}'; did you mean '{near}'?"),
        None if known.is_empty() => format!("unknown key '{key}'; the law {name} has no data"),
        None => format!("unknown key '{key}'; the law {name} has {}", known.join(", ")),
    };
    ImpactError::unknown(format!("law.{key}"), "", problem)
}

/// The law of that name with its default data.
///
/// # Errors
/// No such law; says the nearest name.
pub fn law_by_name(name: &str) -> Result<LawSpec, ImpactError> {
    named_among(name, &LawSpec::all())
}

fn named_among(name: &str, laws: &[LawSpec]) -> Result<LawSpec, ImpactError> {
    laws.iter().find(|law| law.name() == name).cloned().ok_or_else(|| {
        let names: Vec<&str> = laws.iter().map(LawSpec::name).collect();
        let hint = nearest(name, &names).map(|near| format!("did you mean \"{near}\"? ")).unwrap_or_default();
        ImpactError::unknown(
            "name",
            format!("{name:?}"),
            format!("unknown law; {hint}known laws: {}", names.join(", ")),
        )
    })
}

impl<'de> Deserialize<'de> for LawTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LawVisitor;
        impl<'de> Visitor<'de> for LawVisitor {
            type Value = LawTable;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a law or a table with its name and data")
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<LawTable, E> {
                Ok(LawTable(Box::new(Table { name: Some(name.to_owned()), data: Vec::new() })))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LawTable, A::Error> {
                let mut table = Table::default();
                let mut keys: Vec<String> = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    if keys.contains(&key) {
                        return Err(A::Error::custom(format!("duplicate field `{key}`")));
                    }
                    keys.push(key.clone());
                    if key == "name" {
                        table.name = map.next_value()?;
                    } else {
                        let value: Option<Datum> = map.next_value()?;
                        table.data.push((key, value.map(|datum| datum.0)));
                    }
                }
                Ok(LawTable(Box::new(table)))
            }
        }
        deserializer.deserialize_any(LawVisitor)
    }
}

/// A value of a law's data; the law says later whether it is of the right kind.
struct Datum(Value);

impl<'de> Deserialize<'de> for Datum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DatumVisitor;
        impl<'de> Visitor<'de> for DatumVisitor {
            type Value = Datum;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a word, a boolean, or a list or matrix of numbers")
            }
            visit_numbers!(|number| Datum(Value::Number(number)));
            fn visit_bool<E: Error>(self, flag: bool) -> Result<Datum, E> {
                Ok(Datum(Value::Flag(flag)))
            }
            fn visit_str<E: Error>(self, word: &str) -> Result<Datum, E> {
                Ok(Datum(Value::Word(word.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Datum, A::Error> {
                let (mut numbers, mut rows) = (Vec::new(), Vec::new());
                while let Some(entry) = seq.next_element()? {
                    match entry {
                        OneOrMore::One(number) => numbers.push(number),
                        OneOrMore::More(row) => rows.push(row),
                    }
                    if !numbers.is_empty() && !rows.is_empty() {
                        return Err(A::Error::custom("needs numbers alone, or lists of numbers alone"));
                    }
                }
                Ok(Datum(if rows.is_empty() { Value::List(numbers) } else { Value::Matrix(rows) }))
            }
        }
        deserializer.deserialize_any(DatumVisitor)
    }
}
