//! Tables of measurements: of impacts, of anything else by columns.

use delassus::{ImpactError, ProblemData};
use serde_json::{Map, Value, json};

use crate::csv::csv_fields;
use crate::error::InputError;
use crate::read::{Format, ReadOptions, parse_problems};

/// Columns of a text, with their names.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Rows of fields.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads comma-separated values with a first line of names; empty lines and lines that begin with
    /// `#` are left out.
    ///
    /// # Errors
    /// What is wrong, with its line.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let mut table = Self { names: Vec::new(), rows: Vec::new() };
        for (number, line) in lines {
            let fields = csv_fields(line.trim_end()).ok_or_else(|| format!("line {}: quotation marks", number + 1))?;
            let fields: Vec<String> = fields.into_iter().map(|field| field.trim().to_owned()).collect();
            if table.names.is_empty() {
                if fields.iter().any(|name| name.is_empty() || name.parse::<f64>().is_ok()) {
                    return Err(format!("line {}: needs the names of the columns", number + 1));
                }
                if let Some(twice) = fields.iter().enumerate().find(|(i, name)| fields[..*i].contains(name)) {
                    return Err(format!("line {}: the column {} stands twice", number + 1, twice.1));
                }
                table.names = fields;
            } else if fields.len() == table.names.len() {
                table.rows.push(fields);
            } else {
                let (found, needed) = (fields.len(), table.names.len());
                return Err(format!("line {}: {found} fields, but there are {needed} columns", number + 1));
            }
        }
        if table.rows.is_empty() { Err("has no rows".to_owned()) } else { Ok(table) }
    }

    /// The numbers of a column; an empty field is no number.
    ///
    /// # Errors
    /// A field that is none.
    pub fn numbers(&self, column: usize) -> Result<Vec<f64>, String> {
        let number =
            |(k, row): (usize, &Vec<String>)| match row[column].as_str() {
                "" => Ok(f64::NAN),
                text => text.parse::<f64>().ok().filter(|v| v.is_finite()).ok_or_else(|| {
                    format!("column {}, row {}: {text:?} is no finite number", self.names[column], k + 1)
                }),
            };
        self.rows.iter().enumerate().map(number).collect()
    }
}

/// Reads measured impacts: problems, each with its velocity `after`. JSON holds a list of them;
/// comma-separated values have one a row, in columns `mass[0]` or `mass[0][0]`, `velocity[0]`,
/// `after[0]`, `contact.NAME.normal[0]`, `contact.NAME.tangent[0]`, …
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_measured(text: &str, file: &str) -> Result<Vec<(ProblemData, Vec<f64>)>, InputError> {
    let wrong = |field: &str, problem: String| InputError::new(file, ImpactError::new(field, "", problem));
    let first = text.trim_start_matches('\u{feff}').trim_start();
    let list: Vec<Value> = if first.starts_with(['[', '{']) {
        let value: Value = serde_json::from_str(text).map_err(|e| wrong("impacts", e.to_string()))?;
        match value {
            Value::Array(list) => list,
            one => vec![one],
        }
    } else {
        let table = Table::read(text).map_err(|problem| wrong("table", problem))?;
        let row = |(k, row): (usize, &Vec<String>)| {
            row_value(&table.names, row).map_err(|problem| wrong(&format!("row {}", k + 1), problem))
        };
        table.rows.iter().enumerate().map(row).collect::<Result<_, _>>()?
    };
    let mut impacts = Vec::with_capacity(list.len());
    let options = ReadOptions { without_friction: true, ..ReadOptions::default() };
    for (i, mut value) in list.into_iter().enumerate() {
        let place = format!("impact[{i}]");
        let after = value.as_object_mut().and_then(|table| table.remove("after"));
        let after: Option<Vec<f64>> = after.and_then(|after| serde_json::from_value(after).ok());
        let after =
            after.ok_or_else(|| wrong(&format!("{place}.after"), "needs the velocity after the impact".into()))?;
        let drafts = parse_problems(&value.to_string(), file, Format::Json)?;
        let checker = drafts.checker(&options);
        let Some(draft) = drafts.problems.into_iter().next() else { continue };
        let data = checker.source(draft).and_then(|(source, ..)| source.data());
        impacts.push((data.map_err(|e| InputError::new(file, e.within(&place)))?, after));
    }
    Ok(impacts)
}

/// A row as the table of a problem.
fn row_value(names: &[String], row: &[String]) -> Result<Value, String> {
    let mut problem = Map::new();
    let mut contacts: Vec<(String, Map<String, Value>)> = Vec::new();
    for (name, text) in names.iter().zip(row).filter(|(_, text)| !text.is_empty()) {
        let number = || text.parse::<f64>().ok().filter(|v| v.is_finite()).map(|v| json!(v));
        let number = || number().ok_or_else(|| format!("{name} = {text:?} is no finite number"));
        if name == "name" {
            problem.insert("name".into(), json!(text));
            continue;
        }
        match name.strip_prefix("contact.").and_then(|rest| rest.rsplit_once('.')) {
            Some((contact, key)) => {
                let k = contacts.iter().position(|(known, _)| known == contact).unwrap_or_else(|| {
                    contacts.push((contact.to_owned(), Map::from_iter([("name".to_owned(), json!(contact))])));
                    contacts.len() - 1
                });
                insert(&mut contacts[k].1, key, number()?)?;
            }
            None => insert(&mut problem, name, number()?)?,
        }
    }
    let contacts: Vec<Value> = contacts.into_iter().map(|(_, table)| Value::Object(table)).collect();
    problem.insert("contact".into(), Value::Array(contacts));
    Ok(Value::Object(problem))
}

/// Puts a value at `key`, `key[i]` or `key[i][j]`; lists grow by one entry at a time.
fn insert(table: &mut Map<String, Value>, key: &str, value: Value) -> Result<(), String> {
    let (word, indices) = key.split_at(key.find('[').unwrap_or(key.len()));
    let indices: Option<Vec<usize>> = match indices.strip_prefix('[').map(|rest| rest.strip_suffix(']')) {
        None => Some(Vec::new()),
        Some(None) => None,
        Some(Some(inner)) => inner.split("][").map(|i| i.parse().ok()).collect(),
    };
    let indices = indices.ok_or_else(|| format!("{key}: is no name of a column"))?;
    let Some((last, rest)) = indices.split_last() else {
        table.insert(word.to_owned(), value);
        return Ok(());
    };
    let mut here = table.entry(word).or_insert_with(|| json!([]));
    for &i in rest {
        let list = here.as_array_mut().filter(|list| i <= list.len());
        let list = list.ok_or_else(|| format!("{key}: columns of a list must begin with [0] and stand in order"))?;
        if i == list.len() {
            list.push(json!([]));
        }
        here = &mut list[i];
    }
    match here.as_array_mut() {
        Some(list) if list.len() == *last => list.push(value),
        _ => return Err(format!("{key}: columns of a list must begin with [0] and stand in order")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_json_give_the_same_impacts() {
        let table = "# two impacts of a ball\n\
            name,mass[0],mass[1],velocity[0],velocity[1],after[0],after[1],contact.floor.normal[0],contact.floor.normal[1],\
            contact.floor.tangent[0],contact.floor.tangent[1]\n\
            first,1,1,0.5,-1,0.4,0.8,0,1,1,0\n\
            second,1,1,1,-2,0.8,1.5,0,1,1,0\n";
        let impacts = read_measured(table, "impacts.csv").unwrap();
        assert_eq!(impacts.len(), 2);
        assert_eq!(impacts[1].1, [0.8, 1.5]);
        assert_eq!(impacts[1].0.velocity, [1.0, -2.0]);
        assert_eq!(impacts[0].0.contacts[0].name, "floor");
        let json = r#"[
            {"name": "first", "mass": [1, 1], "velocity": [0.5, -1], "after": [0.4, 0.8],
             "contact": [{"name": "floor", "normal": [0, 1], "tangent": [1, 0]}]},
            {"name": "second", "mass": [1, 1], "velocity": [1, -2], "after": [0.8, 1.5],
             "contact": [{"name": "floor", "normal": [0, 1], "tangent": [1, 0]}]}]"#;
        assert_eq!(read_measured(json, "impacts.json").unwrap(), impacts);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, word) in [
            ("1,2\n3,4\n", "names of the columns"),
            ("mass[0],velocity[0]\n1\n", "1 fields"),
            ("mass[0],velocity[0]\n1,-1\n", "impact[0].after"),
            ("mass[1],velocity[0],after[0]\n1,-1,1\n", "[0]"),
            ("mass[0],velocity[0],after[0]\nheavy,-1,1\n", "heavy"),
            ("mass[0],velocity[0],after[0],contact.A.normal[0],contact.A.colour\n1,-1,1,1,3\n", "colour"),
            ("[{\"mass\": [1], \"velocity\": [1]}]", "after"),
            ("", "no rows"),
        ] {
            let error = read_measured(text, "data").unwrap_err().to_string();
            assert!(error.contains(word), "{text:?}: {error}");
        }
    }
}
