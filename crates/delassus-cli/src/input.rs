//! Files and standard input.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use delassus::LawSpec;
use delassus_io::{
    ColumnKind, Entry, Format, InputError, ReadOptions, is_parquet, is_scenario, parquet_to_csv, parse_problems,
};
use delassus_study::batch::{Task, first_refused};
use rayon::prelude::*;

use crate::failure::Failure;

/// The problems of all files of a command, as one batch.
#[derive(Debug)]
pub struct Problems {
    /// The files in order, each with its name and its problems.
    pub files: Vec<(String, Vec<Entry>)>,
    /// Whether the result is a list with one entry per problem.
    pub batch: bool,
}

impl Problems {
    /// Each problem with the name of its file, in order.
    pub fn entries(&self) -> Vec<(&str, &Entry)> {
        self.files.iter().flat_map(|(name, entries)| entries.iter().map(move |e| (name.as_str(), e))).collect()
    }
}

/// A problem of a file as a task.
pub fn task(entry: &Entry) -> Task<'_> {
    Task { problem: &entry.problem, law: entry.law.as_ref(), solver: entry.solver }
}

/// Whether the named laws accept the data of every problem.
pub fn check_laws(problems: &[(&str, &Entry)], named: &[LawSpec]) -> Result<(), InputError> {
    let tasks: Vec<Task<'_>> = problems.iter().map(|(_, entry)| task(entry)).collect();
    match first_refused(&tasks, named) {
        None => Ok(()),
        Some((i, error)) => Err(InputError::new(problems[i].0, error.within(&problems[i].1.path()))),
    }
}

/// Tells what should be known of an entry of a file.
pub fn warn(file: &str, path: &str, remarks: &[String]) {
    for remark in remarks {
        let place = if path.is_empty() { String::new() } else { format!("{path}.") };
        anstream::eprintln!("warning: {file}: {place}{remark}");
    }
}

/// The name of a file without its folders, for headings.
pub fn file_name(file: &str) -> &str {
    Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file)
}

/// Reads and checks all files; `-` is standard input.
pub fn read_files(files: &[PathBuf], options: &ReadOptions) -> Result<Problems, Failure> {
    refuse_two_inputs(files)?;
    let mut all = Problems { files: Vec::new(), batch: files.len() > 1 };
    for file in files {
        let (name, text) = read_text(file)?;
        let format = Format::detect(file, &text);
        let (entries, batch) = check_text(&text, &name, format, options).map_err(|error| {
            if is_scenario(&text, format) {
                Failure::Input(format!("{name}: is a scenario, a motion to simulate; use delassus run"))
            } else {
                error.into()
            }
        })?;
        all.batch |= batch;
        entries.iter().for_each(|entry| warn(&name, &entry.path(), &entry.remarks));
        all.files.push((name, entries));
    }
    Ok(all)
}

/// Checks the problems of a text in parallel; also tells whether it is a batch.
pub fn check_text(
    text: &str,
    name: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<(Vec<Entry>, bool), InputError> {
    let drafts = parse_problems(text, name, format)?;
    let (batch, checker) = (drafts.batch, drafts.checker(options));
    let checked = drafts.problems.into_par_iter().with_min_len(64).enumerate();
    let checked: Vec<_> = checked.map(|(i, draft)| checker.check(i, draft)).collect();
    // In order, so that the first of several errors is reported whatever the threads did.
    let entries = checked.into_iter().collect::<Result<_, _>>();
    Ok((entries.map_err(|error| InputError::new(name, error))?, batch))
}

/// Standard input can be read only once.
pub fn refuse_two_inputs(files: &[PathBuf]) -> Result<(), Failure> {
    if files.iter().filter(|f| is_stdin(f)).count() > 1 {
        return Err(Failure::Input("standard input (-) can be read only once".into()));
    }
    Ok(())
}

pub fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// A table of data as comma-separated values (or JSON, where that is read), and what its columns are where the file
/// says so.
#[derive(Debug)]
pub struct Data {
    pub text: String,
    pub kinds: Option<Vec<ColumnKind>>,
}

/// The name to use in messages, and the data of a file; Parquet is told by its first bytes.
pub fn read_data(file: &Path) -> Result<(String, Data), Failure> {
    let (name, bytes) = read_bytes(file)?;
    if !is_parquet(&bytes) {
        return Ok((name.clone(), Data { text: as_text(&name, bytes)?, kinds: None }));
    }
    // What goes wrong inside of the reader comes back as an error; nothing else runs yet.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let read = parquet_to_csv(&bytes);
    std::panic::set_hook(hook);
    let read = read.map_err(|e| Failure::Input(format!("{name}: {e}")))?;
    Ok((name, Data { text: read.text, kinds: Some(read.kinds) }))
}

/// The name to use in messages, and the text.
pub fn read_text(file: &Path) -> Result<(String, String), Failure> {
    let (name, bytes) = read_bytes(file)?;
    let text = as_text(&name, bytes)?;
    Ok((name, text))
}

fn read_bytes(file: &Path) -> Result<(String, Vec<u8>), Failure> {
    let name = if is_stdin(file) { "standard input".into() } else { file.display().to_string() };
    let bytes = if is_stdin(file) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    let bytes = bytes.map_err(|e| Failure::Input(format!("{name}: cannot read: {e}")))?;
    Ok((name, bytes))
}

fn as_text(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    if bytes.starts_with(b"MATLAB ") {
        let problem = "is a file of MATLAB, which is not read; there, writetable or writematrix makes a .csv of it";
        return Err(Failure::Input(format!("{name}: {problem}")));
    }
    String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
        Failure::Input(format!("{name}: line {line}: not UTF-8 text"))
    })
}
