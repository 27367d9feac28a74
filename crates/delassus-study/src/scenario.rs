//! The numbers of a scenario by their path.

use delassus::ImpactError;
use delassus::scenario::Scenario;
use serde::Deserialize;
use serde_json::Value;

/// A scenario as a tree, so that any of its numbers can be set by its path.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioNumbers {
    tree: Value,
}

/// Where a number of a scenario stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberPlace {
    key: String,
    /// As a JSON pointer.
    pointer: String,
}

impl NumberPlace {
    /// Its path.
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl ScenarioNumbers {
    /// The numbers of this scenario.
    ///
    /// # Errors
    /// A scenario that cannot be written.
    pub fn new(scenario: &Scenario) -> Result<Self, ImpactError> {
        let tree = serde_json::to_value(scenario).map_err(wrong)?;
        Ok(Self { tree })
    }

    /// The place that a path names: `rocking_block.height`, `body[0].velocity[1]`,
    /// `ground.floor.motion…` (by name), `material.friction` (the only one of a list).
    ///
    /// # Errors
    /// No such number.
    pub fn place(&self, key: &str) -> Result<NumberPlace, ImpactError> {
        let pointer = self.pointer(key);
        let pointer = pointer.ok_or_else(|| ImpactError::unknown(key, "", "is no parameter of this scenario"))?;
        Ok(NumberPlace { key: key.to_owned(), pointer })
    }

    fn pointer(&self, key: &str) -> Option<String> {
        let spread = key.replace('[', ".").replace(']', "");
        let (mut here, mut path) = (&self.tree, String::new());
        for word in spread.split('.') {
            if let (Value::Array(list), Err(_)) = (here, word.parse::<usize>()) {
                let named = list.iter().position(|entry| entry.get("name").is_some_and(|name| name == word));
                let index = named.or((list.len() == 1).then_some(0))?;
                here = &list[index];
                path += &format!("/{index}");
                if named.is_some() {
                    continue;
                }
            }
            path += &format!("/{word}");
            here = self.tree.pointer(&path)?;
        }
        here.is_number().then_some(path)
    }

    /// The paths of all numbers, for messages; long lists are left out.
    pub fn known(&self) -> Vec<String> {
        fn walk(value: &Value, path: &str, out: &mut Vec<String>) {
            match value {
                Value::Number(_) => out.push(path.to_owned()),
                Value::Object(table) => {
                    let dot = if path.is_empty() { "" } else { "." };
                    table.iter().for_each(|(key, value)| walk(value, &format!("{path}{dot}{key}"), out));
                }
                Value::Array(list) if list.len() <= 8 => {
                    list.iter().enumerate().for_each(|(i, value)| walk(value, &format!("{path}[{i}]"), out));
                }
                _ => {}
            }
        }
        let mut out = Vec::new();
        walk(&self.tree, "", &mut out);
        out
    }

    /// Sets a number.
    pub fn set(&mut self, place: &NumberPlace, value: f64) {
        if let Some(number) = self.tree.pointer_mut(&place.pointer) {
            *number = Value::from(value);
        }
    }

    /// The scenario with these numbers.
    ///
    /// # Errors
    /// A number that cannot stand where it is.
    pub fn scenario(&self) -> Result<Scenario, ImpactError> {
        Scenario::deserialize(&self.tree).map_err(wrong)
    }
}

fn wrong(error: serde_json::Error) -> ImpactError {
    ImpactError::new("scenario", "", error.to_string())
}

/// What is wrong with a contact of an impact, said of the material that the contact has it from.
pub fn of_material(scenario: &Scenario, error: ImpactError) -> ImpactError {
    let key = error.field.strip_prefix("contact[").and_then(|rest| rest.split_once("].")).map(|(_, key)| key);
    let source = scenario.material.iter().position(|material| {
        let given = [
            ("restitution", material.restitution),
            ("restitution_tangential", material.restitution_tangential),
            ("friction", material.friction),
        ];
        given.into_iter().any(|(name, value)| Some(name) == key && value.is_some_and(|v| v.to_string() == error.value))
    });
    match (key, source) {
        (Some(key), Some(i)) => ImpactError { field: format!("material[{i}].{key}"), ..error },
        _ => error,
    }
}
