//! Where problems come from: files, folders of them, or the one that is made.

use std::path::{Path, PathBuf};

use delassus::SolverData;
use delassus::solve::contact::BlockMatrix;
use delassus_io::{ContactFile, ContactInput, read_contacts, read_contacts_from};
use delassus_study::contacts::{Kind, generate};

use super::Args;
use super::answer::Problem;
use crate::failure::Failure;
use crate::input::is_stdin;

/// Contacts of a problem made, where nothing else is asked for.
const CONTACTS: usize = 1000;
/// Contacts that a problem made may have.
const MOST_CONTACTS: usize = 10_000_000;

/// Where a problem comes from.
pub struct Place {
    /// What the problem is called.
    pub name: String,
    source: Source,
}

enum Source {
    File(PathBuf),
    /// A problem that is made.
    Made {
        kind: Kind,
        contacts: usize,
        friction: f64,
        seed: u64,
    },
    /// A folder that has no problems, and why.
    Nothing(String),
}

/// A problem with what its file says of it.
pub struct Task {
    pub problem: Problem,
    /// Impulses to start from, where the file has a guess.
    pub start: Option<Vec<f64>>,
    /// How to solve it, where the file says so.
    pub solver: SolverData,
    /// What should be known of it.
    pub warnings: Vec<String>,
}

impl Task {
    /// Tells what should be known of the problem.
    pub fn warn(&self) {
        self.warnings.iter().for_each(|text| anstream::eprintln!("warning: {}: {text}", self.problem.name));
    }
}

impl Place {
    /// Whether this is a folder without problems.
    pub fn has_nothing(&self) -> bool {
        matches!(self.source, Source::Nothing(_))
    }

    /// Reads or makes the problem; problem files of impacts may hold several.
    pub fn read(&self) -> Result<Vec<Task>, Failure> {
        let file = match &self.source {
            Source::File(path) if is_stdin(path) => {
                let inputs = read_contacts_from(&self.name, path, std::io::stdin().lock())?;
                return Ok(inputs.into_iter().map(|input| self.task(input)).collect());
            }
            Source::File(path) => return Ok(read_contacts(path)?.into_iter().map(|input| self.task(input)).collect()),
            Source::Made { kind, contacts, friction, seed } => {
                ContactFile::Friction(generate(*kind, *contacts, *friction, *seed))
            }
            Source::Nothing(why) => return Err(Failure::Input(format!("{}: {why}", self.name))),
        };
        let problem = Problem { name: self.name.clone(), file };
        Ok(vec![Task { problem, start: None, solver: SolverData::default(), warnings: Vec::new() }])
    }

    fn task(&self, input: ContactInput) -> Task {
        let name = match &input.place[..] {
            "" => self.name.clone(),
            place => format!("{}: {place}", self.name),
        };
        let mut warnings = input.remarks;
        if let ContactFile::Friction(contacts) = &input.file {
            warnings.extend(asymmetric(&contacts.matrix));
        }
        Task { problem: Problem { name, file: input.file }, start: input.start, solver: input.solver, warnings }
    }
}

/// Differences of mirrored entries beyond this, relative to the diagonal, are no round-off.
const SYMMETRIC: f64 = 1e-10;

/// What is to be told of a matrix that is not symmetric.
fn asymmetric(matrix: &BlockMatrix) -> Option<String> {
    let off = matrix.asymmetry();
    (off > SYMMETRIC).then(|| {
        format!(
            "the matrix is not symmetric (mirrored entries differ by {off:.1e} of the diagonal); it is taken as it \
             stands, and methods may fail that a symmetric one would not"
        )
    })
}

/// The problems: files, those of folders (by name), or the one that is made.
pub fn places(args: &Args) -> Result<Vec<Place>, Failure> {
    if let Some(kind) = args.generate {
        let (contacts, seed) = (args.contacts.unwrap_or(CONTACTS), args.seed.unwrap_or(1));
        if !(1..=MOST_CONTACTS).contains(&contacts) {
            return Err(Failure::Input(format!("--contacts {contacts}: must be 1 to {MOST_CONTACTS}")));
        }
        let friction = args.friction.unwrap_or(kind.friction());
        if !(friction >= 0.0 && friction.is_finite()) {
            return Err(Failure::Input(format!("--friction {friction}: must be at least 0 and finite")));
        }
        let name = format!("{}-{contacts}-{seed}", kind.as_str());
        return Ok(vec![Place { name, source: Source::Made { kind, contacts, friction, seed } }]);
    }
    let mut places = Vec::new();
    for path in &args.files {
        let before = places.len();
        collect(path, &mut places);
        if path.is_dir() && places.len() == before {
            places.push(nothing(path, "has no .dat, .hdf5 or .h5 file".into()));
        }
    }
    Ok(places)
}

fn nothing(path: &Path, why: String) -> Place {
    Place { name: path.display().to_string(), source: Source::Nothing(why) }
}

/// A file, or the files below a folder.
fn collect(path: &Path, places: &mut Vec<Place>) {
    if !path.is_dir() {
        let name = if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() };
        places.push(Place { name, source: Source::File(path.to_owned()) });
        return;
    }
    let entries = std::fs::read_dir(path).and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect());
    let mut paths: Vec<PathBuf> = match entries {
        Ok(paths) => paths,
        Err(e) => return places.push(nothing(path, format!("cannot read: {e}"))),
    };
    paths.sort();
    for path in paths {
        let known = path.extension().is_some_and(|e| e == "dat" || e == "hdf5" || e == "h5");
        if known || path.is_dir() {
            collect(&path, places);
        }
    }
}
