//! Where problems come from: files, folders of them, or the one that is made.

use std::path::{Path, PathBuf};

use delassus_io::{ContactFile, read_contact};
use delassus_study::contacts::{Kind, generate};

use super::Args;
use super::answer::Problem;
use crate::failure::Failure;

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
    Made(Kind),
    /// A folder that has no problems, and why.
    Nothing(String),
}

impl Place {
    /// Reads or makes the problem.
    pub fn read(&self, args: &Args) -> Result<Problem, Failure> {
        let file = match &self.source {
            Source::File(path) => read_contact(path)?,
            Source::Made(kind) => {
                let friction = args.friction.unwrap_or(kind.friction());
                if !(friction >= 0.0 && friction.is_finite()) {
                    return Err(Failure::Input(format!("--friction {friction}: must be at least 0 and finite")));
                }
                ContactFile::Friction(generate(*kind, args.contacts, friction, args.seed))
            }
            Source::Nothing(why) => return Err(Failure::Input(format!("{}: {why}", self.name))),
        };
        Ok(Problem { name: self.name.clone(), file })
    }
}

/// The problems: files, those of folders (by name), or the one that is made.
pub fn places(args: &Args) -> Result<Vec<Place>, Failure> {
    if let Some(kind) = args.generate {
        if !(1..=MOST_CONTACTS).contains(&args.contacts) {
            return Err(Failure::Input(format!("--contacts {}: must be 1 to {MOST_CONTACTS}", args.contacts)));
        }
        let name = format!("{}-{}-{}", kind.as_str(), args.contacts, args.seed);
        return Ok(vec![Place { name, source: Source::Made(kind) }]);
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
        places.push(Place { name: path.display().to_string(), source: Source::File(path.to_owned()) });
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
