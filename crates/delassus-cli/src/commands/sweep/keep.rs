//! Rows of a sweep, kept in a file beside their place as they come: an interrupted sweep goes on
//! from there. The finished file has them in order.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use delassus_io::csv_fields;
use delassus_study::sweep::FOUND;

use super::part::Part;
use crate::failure::Failure;

/// Begins the file, before the number of the sweep.
const MAGIC: &str = "finished rows of the delassus sweep";
/// Rows wait no longer to be written.
const PATIENCE: Duration = Duration::from_millis(50);

/// Keeps rows, and knows those of an earlier attempt.
pub struct Keep {
    /// `None` where the sweep has no file: then rows are only collected, and printed if `printed` is given.
    path: Option<PathBuf>,
    first_line: String,
    part: Part,
    rows: Mutex<Rows>,
    printed: Option<Mutex<Printed>>,
}

/// Rows on standard output, in their order.
#[derive(Default)]
struct Printed {
    /// The case that comes next.
    next: usize,
    /// Rows of later cases.
    waiting: BTreeMap<usize, String>,
    failed: Option<io::Error>,
}

impl Printed {
    /// Prints the row and those that waited for it.
    fn add(&mut self, case: usize, line: &str) {
        self.waiting.insert(case, line.to_owned());
        let mut out = io::stdout().lock();
        while self.failed.is_none()
            && let Some(line) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.failed = out.write_all(line.as_bytes()).and_then(|()| out.flush()).err();
        }
    }
}

/// All rows so far.
#[derive(Default)]
struct Rows {
    file: Option<File>,
    /// Lines in the order in which they came.
    text: String,
    /// For each line its case and where it begins.
    lines: Vec<(usize, usize)>,
    /// Bytes of the text that are in the file.
    written: usize,
    /// When the file was last written to.
    last: Option<Instant>,
    /// Why writing failed, if it did: the rows are computed all the same.
    failed: Option<io::Error>,
}

impl Keep {
    /// Collects rows of a part of a sweep.
    pub fn nothing(part: Part) -> Self {
        Self { path: None, first_line: String::new(), part, rows: Mutex::default(), printed: None }
    }

    /// Prints the names of the columns, and rows as they come.
    pub fn printing(part: Part, head: &str) -> io::Result<Self> {
        io::stdout().lock().write_all(head.as_bytes())?;
        Ok(Self { printed: Some(Mutex::default()), ..Self::nothing(part) })
    }

    /// Whether rows are printed as they come.
    pub fn prints(&self) -> bool {
        self.printed.is_some()
    }

    /// Why rows could not be printed, if they could not.
    pub fn take_failure(&self) -> Option<io::Error> {
        self.printed.as_ref()?.lock().ok()?.failed.take()
    }

    /// Whether rows cannot be printed, so that there is no use in more of them.
    pub fn has_failed(&self) -> bool {
        self.printed.as_ref().is_some_and(|printed| printed.lock().is_ok_and(|printed| printed.failed.is_some()))
    }

    /// Keeps the rows of a sweep beside its file, and reads those that are there. `study` stands for
    /// everything that rows depend on.
    ///
    /// # Errors
    /// Rows of another sweep, unless `force`.
    pub fn beside(out: &Path, study: u64, part: Part, force: bool) -> Result<Self, Failure> {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let path = out.with_file_name(name);
        let first_line = format!("{MAGIC} {study:016x} {} of {}\n", part.index, part.of);
        let read = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(Failure::Input(format!("{}: cannot read: {e}", path.display()))),
        };
        let mut keep = Self { path: Some(path), first_line, ..Self::nothing(part) };
        if let Some(bytes) = read {
            keep.read(&String::from_utf8_lossy(&bytes), force)?;
        }
        Ok(keep)
    }

    /// Takes over the rows of an earlier attempt, up to the first that is not whole.
    fn read(&mut self, text: &str, force: bool) -> Result<(), Failure> {
        let name = self.path.as_deref().unwrap_or(Path::new("")).display().to_string();
        let Some(lines) = text.strip_prefix(&self.first_line) else {
            if self.first_line.starts_with(text) {
                // It broke off in its first line.
                return Ok(());
            }
            if !MAGIC.starts_with(text) && !text.starts_with(MAGIC) {
                return Err(Failure::Input(format!("{name}: is in the way, and no file of delassus; move it")));
            }
            let rows = text.lines().count().saturating_sub(1);
            if rows > 0 && !force {
                return Err(Failure::Input(format!(
                    "{name} holds {rows} finished rows of another sweep, or of another build of this program; give \
                     another --out, or --force to discard them"
                )));
            }
            return Ok(());
        };
        let mut rows = Rows::default();
        let mut known = vec![false; self.part.total];
        for line in lines.split_inclusive('\n') {
            let case = line.strip_suffix('\n').and_then(|line| line.split(',').next()?.parse::<usize>().ok());
            let fresh = case.filter(|case| self.part.holds(*case) && !std::mem::replace(&mut known[*case], true));
            let Some(case) = fresh else { break };
            rows.lines.push((case, rows.text.len()));
            rows.text.push_str(line);
        }
        rows.written = rows.text.len();
        let all = self.part.cases();
        anstream::eprintln!("note: goes on from {name}, where {} of {all} cases are finished", rows.lines.len());
        self.rows = Mutex::new(rows);
        Ok(())
    }

    /// The cases that are still to be computed.
    pub fn missing(&self) -> Vec<usize> {
        let mut known = vec![false; self.part.total];
        if let Ok(rows) = self.rows.lock() {
            rows.lines.iter().for_each(|(case, _)| known[*case] = true);
        }
        (0..self.part.total).filter(|&case| self.part.holds(case) && !known[case]).collect()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.lock().map_or(0, |rows| rows.lines.len())
    }

    /// Takes the row of a case.
    pub fn add(&self, case: usize, line: &str) {
        if let Some(Ok(mut printed)) = self.printed.as_ref().map(Mutex::lock) {
            printed.add(case, line);
        }
        let Ok(mut rows) = self.rows.lock() else { return };
        let begin = rows.text.len();
        rows.lines.push((case, begin));
        rows.text.push_str(line);
        if rows.last.is_none_or(|last| last.elapsed() >= PATIENCE) {
            self.write(&mut rows);
        }
    }

    /// Writes what waits.
    pub fn flush(&self) {
        if let Ok(mut rows) = self.rows.lock() {
            self.write(&mut rows);
        }
    }

    fn write(&self, rows: &mut Rows) {
        let Some(path) = &self.path else { return };
        if rows.failed.is_some() || rows.written == rows.text.len() {
            return;
        }
        let written = rows.write(path, &self.first_line);
        rows.failed = written.err();
        rows.last = Some(Instant::now());
    }

    /// The file as it is to be: a first line for parts, the names of the columns, the rows in order.
    pub fn content(&self, head: &str) -> String {
        let Ok(rows) = self.rows.lock() else { return String::new() };
        let mut order: Vec<(usize, usize, usize)> = Vec::with_capacity(rows.lines.len());
        for (k, &(case, begin)) in rows.lines.iter().enumerate() {
            order.push((case, begin, rows.lines.get(k + 1).map_or(rows.text.len(), |next| next.1)));
        }
        order.sort_unstable();
        let mut content = self.part.first_line();
        content.push_str(head);
        order.iter().for_each(|&(_, begin, end)| content.push_str(&rows.text[begin..end]));
        content
    }

    /// Removes the kept rows, once everything that is made of them is there.
    pub fn done(&self) {
        if let Some(path) = &self.path {
            // Left behind, it is only read in vain.
            let _ = fs::remove_file(path);
        }
    }

    /// What there is to say after the sweep was given up.
    pub fn interrupted(&self) -> Failure {
        self.flush();
        let (rows, all) = (self.len(), self.part.cases());
        let failed = self.rows.lock().is_ok_and(|rows| rows.failed.is_some());
        Failure::Interrupted(match &self.path {
            Some(path) if rows > 0 && !failed => {
                format!("{rows} of {all} cases are in {}; the same command goes on from there", path.display())
            }
            _ => match self.printed.as_ref().and_then(|printed| Some(printed.lock().ok()?.next)) {
                Some(printed) => format!("{printed} of {all} cases are printed"),
                None => "nothing was written".to_owned(),
            },
        })
    }
}

impl Rows {
    /// Writes the lines that wait behind those that are there.
    fn write(&mut self, path: &Path, first_line: &str) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
                if self.written == 0 {
                    file.set_len(0)?;
                    file.write_all(first_line.as_bytes())?;
                } else {
                    file.set_len((first_line.len() + self.written) as u64)?;
                    file.seek(SeekFrom::End(0))?;
                }
                self.file.insert(file)
            }
        };
        file.write_all(&self.text.as_bytes()[self.written..])?;
        self.written = self.text.len();
        Ok(())
    }
}

/// Of the rows of a finished file, how many are without an answer, and what the first of them says;
/// `column` holds the status.
pub fn failures(content: &str, column: usize) -> (usize, Option<String>) {
    let rows = content.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let statuses = rows.filter_map(|line| csv_fields(line)?.into_iter().nth(column));
    let mut statuses = statuses.filter(|status| !is_found(status));
    let first = statuses.next();
    (usize::from(first.is_some()) + statuses.count(), first)
}

fn is_found(status: &str) -> bool {
    FOUND.contains(&status.split(':').next().unwrap_or(status))
}
