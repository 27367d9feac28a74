//! Every number in `papers/*/expected*.toml` against the program's answers.
//! The format is described in `papers/README.md`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use delassus::{ImpactOutcome, Options, Solutions, Workspace, resolve_into};
use delassus_io::{Entry, Format, LawTable, OutcomeRecord, ReadOptions, read_problems};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    file: String,
    /// Name of the problem in a batch.
    problem: Option<String>,
    law: LawTable,
    /// All solutions are asked for.
    #[serde(default)]
    all: bool,
    /// How many solutions there are.
    solutions: Option<usize>,
    expect: Vec<Expectation>,
    // For readers and other programs.
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "note")]
    _note: Option<String>,
    #[serde(rename = "corrected")]
    _corrected: Option<String>,
    #[serde(rename = "printed")]
    _printed: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    quantity: String,
    value: Value,
    tolerance: Option<f64>,
}

#[test]
fn answers_agree_with_the_papers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers");
    let mut failures = Vec::new();
    let mut cases = 0;
    for file in expected_files(&root) {
        let text = fs::read_to_string(&file).unwrap();
        let expected: Expected = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let folder = file.parent().unwrap();
        let mut problems: HashMap<String, Vec<Entry>> = HashMap::new();
        for case in &expected.case {
            let entries = problems.entry(case.file.clone()).or_insert_with(|| read(&folder.join(&case.file)));
            let found = judge(case, entries);
            let place = folder.file_name().unwrap().to_string_lossy();
            failures.extend(found.into_iter().map(|f| format!("{place}/{}: {f}", case.id)));
            cases += 1;
        }
    }
    assert!(cases > 0, "no cases in {}", root.display());
    let list = failures.iter().take(200).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} disagreements in {cases} cases:\n{list}", failures.len());
}

fn expected_files(root: &Path) -> Vec<PathBuf> {
    let list = |path: &Path| fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>();
    let folders = list(root).into_iter().filter(|p| p.is_dir());
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| list(&folder))
        .filter(|p| {
            let name = p.file_name().unwrap().to_string_lossy();
            name.starts_with("expected") && name.ends_with(".toml")
        })
        .collect();
    files.sort();
    files
}

fn read(file: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    // The case names its law, so friction may be absent for kinematic.
    let options = ReadOptions { without_friction: true, ..ReadOptions::default() };
    let document = read_problems(&text, &file.display().to_string(), Format::detect(file, &text), &options);
    document.unwrap_or_else(|e| panic!("{e}")).entries
}

/// What disagrees in one case.
fn judge(case: &Case, entries: &[Entry]) -> Vec<String> {
    let named: Vec<&Entry> =
        entries.iter().filter(|e| case.problem.as_deref().is_none_or(|name| e.problem.name() == name)).collect();
    let [entry] = named[..] else {
        return vec![format!("{} problems of {} match {:?}", named.len(), case.file, case.problem)];
    };
    let law = match case.law.spec() {
        Ok(law) => law,
        Err(error) => return vec![error.to_string()],
    };
    let solutions = if case.all || case.solutions.is_some() { Solutions::All } else { Solutions::Preferred };
    let options = Options { solutions, ..Options::default() };
    let mut outcome = ImpactOutcome::default();
    if let Err(error) = resolve_into(&entry.problem, &law, &options, &mut Workspace::default(), &mut outcome) {
        return vec![error.to_string()];
    }
    let record = serde_json::to_value(OutcomeRecord::new(&entry.problem, law.name(), &outcome)).unwrap();
    let mut failures: Vec<String> = case.expect.iter().filter_map(|e| compare(e, &record)).collect();
    if let Some(count) = case.solutions {
        let found = record["solutions_found"].as_u64().unwrap_or(1) as usize;
        if found != count {
            let uniqueness = &record["uniqueness"];
            failures.push(format!("solutions: expected {count}, found {found} (uniqueness {uniqueness})"));
        }
    }
    failures
}

fn compare(expectation: &Expectation, record: &Value) -> Option<String> {
    let Expectation { quantity, value, tolerance } = expectation;
    let found = lookup(record, quantity);
    let agree = found.as_ref().is_some_and(|found| agree(value, found, *tolerance));
    let found = found.map_or("nothing".to_owned(), |v| v.to_string());
    (!agree).then(|| format!("{quantity}: expected {value} ± {}, found {found}", tolerance.unwrap_or(0.0)))
}

/// A path into the outcome; in `elements.NAME.KEY` the name may contain dots.
fn lookup(record: &Value, quantity: &str) -> Option<Value> {
    if let Some(rest) = quantity.strip_prefix("elements.") {
        let (name, key) = rest.rsplit_once('.')?;
        let element = record["elements"].as_array()?.iter().find(|e| e["name"] == name)?;
        return element.get(key).cloned();
    }
    quantity.split('.').try_fold(record, |value, key| value.get(key)).cloned()
}

fn agree(expected: &Value, found: &Value, tolerance: Option<f64>) -> bool {
    match (expected, found) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| agree(x, y, tolerance))
        }
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= tolerance.unwrap_or(0.0),
            _ => false,
        },
        (a, b) => a == b,
    }
}
