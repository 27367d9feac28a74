//! Scenario files and the records they name.

use std::fs;
use std::path::{Path, PathBuf};

use delassus_io::{Format, ScenarioDocument, ScenarioEntry, read_scenarios};

use crate::failure::Failure;
use crate::input::{is_stdin, read_text};

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
    if files.iter().filter(|f| is_stdin(f)).count() > 1 {
        return Err(Failure::Input("standard input (-) can be read only once".into()));
    }
    let mut all = Scenarios { entries: Vec::new(), files: Vec::new(), batch: files.len() > 1 };
    for (i, file) in files.iter().enumerate() {
        let (name, text) = read_text(file)?;
        let beside = |record: &str| {
            let place = file.parent().unwrap_or(Path::new("")).join(record);
            fs::read_to_string(&place).map_err(|e| format!("cannot read {}: {e}", place.display()))
        };
        let format = Format::detect(file, &text);
        let ScenarioDocument { entries, batch } = read_scenarios(&text, &name, format, &beside)?;
        all.batch |= batch;
        all.entries.extend(entries.into_iter().map(|entry| (i, entry)));
        all.files.push(name);
    }
    Ok(all)
}
