//! FCLIB's HDF5 files, read.

use delassus::ImpactError;
use delassus::solve::contact::{BlockMatrix, ContactProblem};

use super::hdf5_in::{Fault, File};
use super::{ContactFile, ContactInput, global};

/// A sparse matrix as FCLIB stores it, as triplets.
pub(super) struct Triplets {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) entries: Vec<(u32, u32, f64)>,
}

/// The first guess of the impulses.
const GUESS: &str = "guesses/1/r";

/// Reads a file.
pub(super) fn read(bytes: Vec<u8>) -> Result<ContactInput, ImpactError> {
    let broken = |fault: Fault| ImpactError::new("file", "", format!("is no readable HDF5 file: {fault}"));
    let file = Reader(File::open(bytes).map_err(broken)?);
    let problem = if file.has("fclib_local") {
        read_local(&file)?
    } else if file.has("fclib_global") {
        read_global(&file)?
    } else {
        return Err(ImpactError::new("file", "", "has neither fclib_local nor fclib_global"));
    };
    // A guess is a help; the problem can be solved without.
    let (mut start, mut remarks) = (None, Vec::new());
    if file.has(GUESS) {
        match file.numbers(GUESS, Some(problem.vector.len())) {
            Ok(guess) => start = Some(guess),
            Err(error) => remarks.push(format!("{error}; this guess is not used")),
        }
    }
    Ok(ContactInput { start, remarks, ..ContactInput::plain(ContactFile::Friction(problem)) })
}

fn read_local(file: &Reader) -> Result<ContactProblem, ImpactError> {
    if file.has("fclib_local/V") || file.has("fclib_local/R") {
        return Err(ImpactError::new(
            "fclib_local/V",
            "",
            "problems with bilateral constraints (V, R, s) are not read",
        ));
    }
    let dimension = file.dimension("fclib_local")?;
    let w = file.matrix("fclib_local/W")?;
    let contacts = contacts("fclib_local/W/m", w.rows, dimension)?;
    if w.columns != w.rows {
        return Err(ImpactError::new("fclib_local/W/n", w.columns, format!("must be {}, as the rows", w.rows)));
    }
    let q = file.numbers("fclib_local/vectors/q", Some(w.rows))?;
    let mu = file.friction("fclib_local/vectors/mu", contacts)?;
    let entries = w.entries.iter().map(|&(i, j, v)| (i as usize, j as usize, v));
    Ok(ContactProblem::coulomb(BlockMatrix::from_entries(dimension, contacts, entries), q, &mu))
}

fn read_global(file: &Reader) -> Result<ContactProblem, ImpactError> {
    if file.has("fclib_global/G") {
        return Err(ImpactError::new("fclib_global/G", "", "problems with bilateral constraints (G, b) are not read"));
    }
    let dimension = file.dimension("fclib_global")?;
    let m = file.matrix("fclib_global/M")?;
    let h = file.matrix("fclib_global/H")?;
    if m.columns != m.rows || h.rows != m.rows {
        let value = format!("{} × {} and {} × {}", m.rows, m.columns, h.rows, h.columns);
        return Err(ImpactError::new("fclib_global/M, H", value, "M must be square, and H must have as many rows"));
    }
    let contacts = contacts("fclib_global/H/n", h.columns, dimension)?;
    let f = file.numbers("fclib_global/vectors/f", Some(m.rows))?;
    let w = file.numbers("fclib_global/vectors/w", Some(h.columns))?;
    let mu = file.friction("fclib_global/vectors/mu", contacts)?;
    let (matrix, vector) = global::condense(&m, &h, &f, w, dimension, contacts)?;
    Ok(ContactProblem::coulomb(matrix, vector, &mu))
}

fn contacts(field: &str, rows: usize, dimension: usize) -> Result<usize, ImpactError> {
    if rows.is_multiple_of(dimension) {
        return Ok(rows / dimension);
    }
    Err(ImpactError::new(field, rows, format!("must be a multiple of the dimension {dimension}")))
}

fn unreadable(field: &str, fault: &Fault) -> ImpactError {
    ImpactError::new(field, "", format!("cannot be read: {fault}"))
}

/// A file with errors by field.
struct Reader(File);

impl Reader {
    fn has(&self, group: &str) -> bool {
        self.0.has(group)
    }

    fn numbers(&self, field: &str, expected: Option<usize>) -> Result<Vec<f64>, ImpactError> {
        let values = self.0.numbers(field).map_err(|fault| unreadable(field, &fault))?;
        if let Some(expected) = expected.filter(|&expected| expected != values.len()) {
            return Err(ImpactError::new(field, format!("{} numbers", values.len()), format!("needs {expected}")));
        }
        match values.iter().position(|v| !v.is_finite()) {
            Some(i) => Err(ImpactError::new(format!("{field}[{i}]"), values[i], "must be finite")),
            None => Ok(values),
        }
    }

    fn friction(&self, field: &str, contacts: usize) -> Result<Vec<f64>, ImpactError> {
        let mu = self.numbers(field, Some(contacts))?;
        match mu.iter().position(|&mu| mu < 0.0) {
            Some(i) => Err(ImpactError::new(format!("{field}[{i}]"), mu[i], "must be at least 0")),
            None => Ok(mu),
        }
    }

    fn integers(&self, field: &str) -> Result<Vec<i32>, ImpactError> {
        self.0.integers(field).map_err(|fault| unreadable(field, &fault))
    }

    fn integer(&self, field: &str) -> Result<i32, ImpactError> {
        match self.integers(field)?[..] {
            [value] => Ok(value),
            ref list => Err(ImpactError::new(field, format!("{} numbers", list.len()), "needs one number")),
        }
    }

    fn size(&self, field: &str) -> Result<usize, ImpactError> {
        let value = self.integer(field)?;
        usize::try_from(value).map_err(|_| ImpactError::new(field, value, "must not be negative"))
    }

    fn dimension(&self, group: &str) -> Result<usize, ImpactError> {
        let field = format!("{group}/spacedim");
        match self.size(&field)? {
            dimension @ (2 | 3) => Ok(dimension),
            other => Err(ImpactError::new(field, other, "must be 2 or 3")),
        }
    }

    /// `nz` ≥ 0: triplets (i, p); −1: compressed columns; −2: compressed rows.
    fn matrix(&self, group: &str) -> Result<Triplets, ImpactError> {
        let at = |name: &str| format!("{group}/{name}");
        let (rows, columns, nz) = (self.size(&at("m"))?, self.size(&at("n"))?, self.integer(&at("nz"))?);
        let (p, i) = (self.integers(&at("p"))?, self.integers(&at("i"))?);
        let x = self.numbers(&at("x"), None)?;
        let index = |name: &str, k: usize, value: i32, below: usize| {
            let wrong = || {
                ImpactError::new(format!("{group}/{name}[{k}]"), value, format!("must be 0 to {}", below as i64 - 1))
            };
            u32::try_from(value).ok().filter(|&v| (v as usize) < below).ok_or_else(wrong)
        };
        let mut entries = Vec::new();
        if nz >= 0 {
            let count = nz as usize;
            if i.len() < count || p.len() < count || x.len() < count {
                return Err(ImpactError::new(at("nz"), nz, "is more than the entries of i, p or x"));
            }
            for k in 0..count {
                entries.push((index("i", k, i[k], rows)?, index("p", k, p[k], columns)?, x[k]));
            }
        } else if nz == -1 || nz == -2 {
            let (outer, inner) = if nz == -1 { (columns, rows) } else { (rows, columns) };
            if p.len() != outer + 1 {
                return Err(ImpactError::new(at("p"), format!("{} numbers", p.len()), format!("needs {}", outer + 1)));
            }
            for major in 0..outer {
                let (from, to) = (p[major], p[major + 1]);
                if from < 0 || to < from || to as usize > i.len().min(x.len()) {
                    let field = format!("{group}/p[{}]", major + 1);
                    return Err(ImpactError::new(field, to, "pointers must not decrease, nor exceed the entries"));
                }
                for k in from as usize..to as usize {
                    let minor = index("i", k, i[k], inner)?;
                    let place = if nz == -1 { (minor, major as u32) } else { (major as u32, minor) };
                    entries.push((place.0, place.1, x[k]));
                }
            }
        } else {
            return Err(ImpactError::new(at("nz"), nz, "must be at least -2"));
        }
        Ok(Triplets { rows, columns, entries })
    }
}
