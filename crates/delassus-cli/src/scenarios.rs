//! Scenario files and the records they name.

use std::fs;
use std::path::{Path, PathBuf};

use delassus::scenario::Built;
use delassus_io::{Format, InputError, ScenarioDocument, ScenarioEntry, parse_problems, read_scenarios};

use crate::failure::Failure;
use crate::input::{read_text, refuse_two_inputs};

/// The scenarios of all files of a command.
#[derive(Debug)]
pub struct Scenarios {
    /// Each scenario with the file it comes from.
    pub entries: Vec<(usize, ScenarioEntry)>,
    /// Names of the files, as given.
    pub files: Vec<String>,
    /// Whether there can be more than one.
    pub batch: bool,
}

/// Reads all scenario files; records are looked for beside the file that names them.
pub fn read_scenario_files(files: &[PathBuf]) -> Result<Scenarios, Failure> {
    refuse_two_inputs(files)?;
    let mut all = Scenarios { entries: Vec::new(), files: Vec::new(), batch: files.len() > 1 };
    for (i, file) in files.iter().enumerate() {
        let (name, text) = read_text(file)?;
        let document = read_scenario_text(file, &name, &text)?;
        all.batch |= document.batch;
        all.entries.extend(document.entries.into_iter().map(|entry| (i, entry)));
        all.files.push(name);
    }
    Ok(all)
}

/// Reads the scenarios of a file's text.
pub fn read_scenario_text(file: &Path, name: &str, text: &str) -> Result<ScenarioDocument, Failure> {
    let beside = |record: &str| {
        let place = file.parent().unwrap_or(Path::new("")).join(record);
        let bytes = fs::read(&place).map_err(|e| format!("cannot read {}: {e}", place.display()))?;
        // Names in the headers of records need not be UTF-8.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let format = Format::detect(file, text);
    read_scenarios(text, name, format, &beside).map_err(|error| {
        if parse_problems(text, name, format).is_ok() {
            Failure::Input(format!("{name}: is a single impact, not a scenario; use delassus impact"))
        } else {
            error.into()
        }
    })
}

/// Builds a scenario, which checks it.
pub fn build(file: &str, entry: &ScenarioEntry) -> Result<Built, Failure> {
    let mut built = entry.scenario.build().map_err(|e| InputError::new(file, e.within(&entry.path)))?;
    built.system.add_remarks(&entry.remarks);
    Ok(built)
}
