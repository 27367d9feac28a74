//! Files and standard input.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use delassus_io::{
    Document, Entry, Format, ReadOptions, ScenarioDocument, ScenarioEntry, read_problems, read_scenarios,
};

use crate::failure::Failure;

/// The problems of all files of a command, as one batch.
#[derive(Debug)]
pub struct Problems {
    /// Each problem with the file it comes from.
    pub entries: Vec<(usize, Entry)>,
    /// Names of the files, as given.
    pub files: Vec<String>,
    /// Whether the result is a list with one entry per problem.
    pub batch: bool,
}

/// Reads and checks all files; `-` is standard input.
pub fn read_files(files: &[PathBuf], options: &ReadOptions) -> Result<Problems, Failure> {
    if files.iter().filter(|f| is_stdin(f)).count() > 1 {
        return Err(Failure::Input("standard input (-) can be read only once".into()));
    }
    let mut all = Problems { entries: Vec::new(), files: Vec::new(), batch: files.len() > 1 };
    for (i, file) in files.iter().enumerate() {
        let (name, text) = read_text(file)?;
        let Document { entries, batch } = read_problems(&text, &name, Format::detect(file, &text), options)?;
        all.batch |= batch;
        all.entries.extend(entries.into_iter().map(|entry| (i, entry)));
        all.files.push(name);
    }
    Ok(all)
}

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

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// The name to use in messages, and the text.
fn read_text(file: &Path) -> Result<(String, String), Failure> {
    let name = if is_stdin(file) { "standard input".into() } else { file.display().to_string() };
    let bytes = if is_stdin(file) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    let bytes = bytes.map_err(|e| Failure::Input(format!("{name}: cannot read: {e}")))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(e) => {
            let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
            Err(Failure::Input(format!("{name}: line {line}: not UTF-8 text")))
        }
    }
}
