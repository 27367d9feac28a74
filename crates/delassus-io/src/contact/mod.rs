//! Contact problems in the files of the field: Siconos `.dat` and FCLIB `.hdf5`.
//!
//! | file | content |
//! |---|---|
//! | `.dat` | `dim nc`, a matrix, q, μ: friction in the plane or in space; or `n`, a matrix, q: a linear complementarity problem |
//! | `.hdf5` | `fclib_local` (W, q, μ) or `fclib_global` (M, H, f, w, μ), which is condensed to W = HᵀM⁻¹H, q = HᵀM⁻¹f + w |
//! | `.toml`, `.json` | problem files of impacts: G = WᵀM⁻¹W, q = (1 + ε)γ⁻ + WᵀM⁻¹F of Newton's or Moreau's law, joints eliminated |
//!
//! Matrices come dense, by sparse blocks or by sparse entries. In a contact the normal comes first.

mod dat;
#[cfg(feature = "hdf5")]
mod fclib;
mod fclib_out;
#[cfg(feature = "hdf5")]
mod global;
mod hdf5;
#[cfg(feature = "hdf5")]
mod hdf5_in;
mod impact;
mod scan;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use delassus::solve::contact::{BlockMatrix, ContactProblem};
use delassus::{ImpactError, SolverData};

use crate::error::InputError;

pub use dat::write_dat;
pub use fclib_out::write_fclib;

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactFile {
    /// Contacts with Coulomb friction.
    Friction(ContactProblem),
    /// Find z ≥ 0 with w = Mz + q ≥ 0 and zᵀw = 0.
    Lcp {
        /// M, of blocks of one entry; need not be symmetric.
        matrix: BlockMatrix,
        /// q.
        vector: Vec<f64>,
    },
}

/// A problem of a file with what else the file says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactInput {
    /// Its place in a file of several problems: `problem[3]`; else empty.
    pub place: String,
    /// The problem.
    pub file: ContactFile,
    /// Impulses to start from: the first of the `guesses` of an FCLIB file.
    pub start: Option<Vec<f64>>,
    /// How to solve it, where the file says so.
    pub solver: SolverData,
    /// What should be known of it.
    pub remarks: Vec<String>,
}

impl ContactInput {
    fn plain(file: ContactFile) -> Self {
        Self { place: String::new(), file, start: None, solver: SolverData::default(), remarks: Vec::new() }
    }
}

/// The signature that HDF5 files begin with.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Reads the problems of a file: one, but for a problem file with several impacts. The name's ending tells which kind it
/// is (`.toml` and `.json`: impacts; `.dat`; `.hdf5` and `.h5`), else its first bytes do.
///
/// # Errors
/// What is wrong, with line and column of a text file or the field of an HDF5 file.
pub fn read_contacts(path: &Path) -> Result<Vec<ContactInput>, InputError> {
    let name = path.display().to_string();
    let failed = |e: std::io::Error| wrong(&name, format!("cannot read: {e}"));
    let file = File::open(path).map_err(failed)?;
    read_contacts_from(&name, path, file)
}

/// As [`read_contacts`], from a stream; the name stands in messages, and the path's ending tells the kind.
///
/// # Errors
/// As [`read_contacts`].
pub fn read_contacts_from(name: &str, path: &Path, mut source: impl Read) -> Result<Vec<ContactInput>, InputError> {
    let failed = |e: std::io::Error| wrong(name, format!("cannot read: {e}"));
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let mut first = Vec::new();
    source.by_ref().take(64).read_to_end(&mut first).map_err(failed)?;
    if first.starts_with(HDF5) {
        source.read_to_end(&mut first).map_err(failed)?;
        return read_fclib_with_start(name, first).map(|input| vec![input]);
    }
    if matches!(ending, "hdf5" | "h5") {
        return Err(wrong(
            name,
            "is no HDF5 file: it does not begin with the signature of HDF5 (89 48 44 46 …)".into(),
        ));
    }
    // Siconos' files begin with a number, problem files never do.
    let number =
        first.iter().find(|byte| !byte.is_ascii_whitespace()).is_none_or(|byte| b"+-.0123456789".contains(byte));
    if ending == "dat" || number && !matches!(ending, "toml" | "json") {
        let file = read_dat(name, std::io::Cursor::new(first).chain(source))?;
        return Ok(vec![ContactInput::plain(file)]);
    }
    source.read_to_end(&mut first).map_err(failed)?;
    let text = String::from_utf8(first).map_err(|_| wrong(name, "is no text in UTF-8".into()))?;
    impact::read(name, path, &text)
}

fn wrong(name: &str, problem: String) -> InputError {
    InputError::new(name, ImpactError::new("", "", problem))
}

/// Reads a file with one problem; see [`read_contacts`].
///
/// # Errors
/// What is wrong, with line and column of a text file or the field of an HDF5 file.
pub fn read_contact(path: &Path) -> Result<ContactFile, InputError> {
    let mut inputs = read_contacts(path)?;
    match (inputs.pop(), inputs.is_empty()) {
        (Some(input), true) => Ok(input.file),
        _ => Err(wrong(&path.display().to_string(), "has several problems; one is needed".into())),
    }
}

/// Reads a text file from a stream, part by part.
///
/// # Errors
/// As [`read_contact`].
pub fn read_dat(name: &str, source: impl Read) -> Result<ContactFile, InputError> {
    dat::read(name, BufReader::with_capacity(1 << 16, source)).map_err(|error| *error)
}

/// Reads an HDF5 file from its bytes.
///
/// # Errors
/// As [`read_contact`]; without the feature `hdf5` always.
pub fn read_fclib(name: &str, bytes: Vec<u8>) -> Result<ContactProblem, InputError> {
    match read_fclib_with_start(name, bytes)?.file {
        ContactFile::Friction(problem) => Ok(problem),
        ContactFile::Lcp { .. } => Err(wrong(name, "is a complementarity problem".into())),
    }
}

fn read_fclib_with_start(name: &str, bytes: Vec<u8>) -> Result<ContactInput, InputError> {
    #[cfg(feature = "hdf5")]
    let read = fclib::read(bytes);
    #[cfg(not(feature = "hdf5"))]
    let read = {
        drop(bytes);
        Err(ImpactError::new("file", "HDF5", "cannot be read by a program built without the feature `hdf5`"))
    };
    read.map_err(|error| InputError::new(name, error))
}
