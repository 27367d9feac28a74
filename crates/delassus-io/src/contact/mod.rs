//! Contact problems in the files of the field: Siconos `.dat` and FCLIB `.hdf5`.
//!
//! | file | content |
//! |---|---|
//! | `.dat` | `dim nc`, a matrix, q, μ: friction in the plane or in space; or `n`, a matrix, q: a linear complementarity problem |
//! | `.hdf5` | `fclib_local` (W, q, μ) or `fclib_global` (M, H, f, w, μ), which is condensed to W = HᵀM⁻¹H, q = HᵀM⁻¹f + w |
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
mod scan;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use delassus::ImpactError;
use delassus::solve::contact::{BlockMatrix, ContactProblem};

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

/// Reads a file; its first bytes tell which kind it is.
///
/// # Errors
/// What is wrong, with line and column of a text file or the field of an HDF5 file.
pub fn read_contact(path: &Path) -> Result<ContactFile, InputError> {
    let name = path.display().to_string();
    let failed = |e: std::io::Error| InputError::new(&name, ImpactError::new("", "", format!("cannot read: {e}")));
    let mut file = File::open(path).map_err(failed)?;
    let mut first = Vec::new();
    file.by_ref().take(8).read_to_end(&mut first).map_err(failed)?;
    if first == b"\x89HDF\r\n\x1a\n" {
        file.read_to_end(&mut first).map_err(failed)?;
        return read_fclib(&name, first).map(ContactFile::Friction);
    }
    read_dat(&name, std::io::Cursor::new(first).chain(file))
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
    #[cfg(feature = "hdf5")]
    let read = fclib::read(bytes);
    #[cfg(not(feature = "hdf5"))]
    let read = {
        drop(bytes);
        Err(ImpactError::new("file", "HDF5", "cannot be read by a program built without the feature `hdf5`"))
    };
    read.map_err(|error| InputError::new(name, error))
}
