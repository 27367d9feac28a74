//! FCLIB's HDF5 files, read.

use delassus::ImpactError;
use delassus::solve::contact::{BlockMatrix, ContactProblem};

use super::hdf5_in::{Fault, File};
use super::{ContactFile, ContactInput, global};

/// A sparse matrix in the arrays of the file, checked. Large ones are most of the memory: nothing is kept twice.
pub(super) struct SparseMatrix {
    pub(super) rows: usize,
    pub(super) columns: usize,
    storage: Storage,
    /// The second index of each entry: its row, with compressed rows its column.
    minor: Vec<i32>,
    values: Vec<f64>,
}

/// How FCLIB stores a matrix.
enum Storage {
    /// The column of each entry.
    Triplets(Vec<i32>),
    /// Where each column begins.
    Columns(Vec<i32>),
    /// Where each row begins.
    Rows(Vec<i32>),
}

impl SparseMatrix {
    /// A matrix of `(row, column, value)`.
    #[cfg(test)]
    pub(super) fn of_entries(rows: usize, columns: usize, entries: &[(i32, i32, f64)]) -> Self {
        Self {
            rows,
            columns,
            storage: Storage::Triplets(entries.iter().map(|entry| entry.1).collect()),
            minor: entries.iter().map(|entry| entry.0).collect(),
            values: entries.iter().map(|entry| entry.2).collect(),
        }
    }

    /// Calls `visit` with row, column and value of each entry.
    pub(super) fn visit(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let mut each = |starts: &[i32], transposed: bool| {
            for (major, range) in starts.windows(2).enumerate() {
                for k in range[0] as usize..range[1] as usize {
                    let minor = self.minor[k] as usize;
                    let (i, j) = if transposed { (minor, major) } else { (major, minor) };
                    visit(i, j, self.values[k]);
                }
            }
        };
        match &self.storage {
            Storage::Columns(starts) => each(starts, true),
            Storage::Rows(starts) => each(starts, false),
            Storage::Triplets(columns) => {
                let entries = self.minor.iter().zip(columns).zip(&self.values);
                entries.for_each(|((&i, &j), &value)| visit(i as usize, j as usize, value));
            }
        }
    }
}

/// The first guess of the impulses.
const GUESS: &str = "guesses/1/r";

/// Reads a file.
pub(super) fn read(bytes: Vec<u8>) -> Result<ContactInput, ImpactError> {
    let broken = |fault: Fault| ImpactError::new("file", "", format!("is no readable HDF5 file: {fault}"));
    let file = Reader(File::open(bytes).map_err(broken)?);
    let read = if file.has("fclib_local") {
        read_local(&file)?
    } else if file.has("fclib_global") {
        read_global(&file)?
    } else {
        return Err(ImpactError::new("file", "", "has neither fclib_local nor fclib_global"));
    };
    // A guess is a help; the problem can be solved without.
    let (mut start, mut remarks) = (None, Vec::new());
    if file.has(GUESS) {
        match file.numbers(GUESS, Some(read.vector.len())) {
            Ok(guess) => start = Some(guess),
            Err(error) => remarks.push(format!("{error}; this guess is not used")),
        }
    }
    // As large as the matrix, and not needed for what follows.
    drop(file);
    let problem = read.assemble()?;
    Ok(ContactInput { start, remarks, ..ContactInput::plain(ContactFile::Friction(problem)) })
}

/// What a file holds, before it is a problem.
struct Arrays {
    dimension: usize,
    contacts: usize,
    matrix: Matrix,
    /// q of local, w of global problems.
    vector: Vec<f64>,
    friction: Vec<f64>,
}

enum Matrix {
    /// W.
    Local(SparseMatrix),
    /// M and H, with the vector f.
    Global([SparseMatrix; 2], Vec<f64>),
}

impl Arrays {
    fn assemble(self) -> Result<ContactProblem, ImpactError> {
        let Self { dimension, contacts, matrix, vector, friction } = self;
        let (matrix, vector) = match matrix {
            Matrix::Local(w) => (BlockMatrix::from_visits(dimension, contacts, |visit| w.visit(visit)), vector),
            Matrix::Global([m, h], f) => global::condense(&m, &h, &f, vector, dimension, contacts)?,
        };
        Ok(ContactProblem::coulomb(matrix, vector, &friction))
    }
}

fn read_local(file: &Reader) -> Result<Arrays, ImpactError> {
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
    let vector = file.numbers("fclib_local/vectors/q", Some(w.rows))?;
    let friction = file.friction("fclib_local/vectors/mu", contacts)?;
    Ok(Arrays { dimension, contacts, matrix: Matrix::Local(w), vector, friction })
}

fn read_global(file: &Reader) -> Result<Arrays, ImpactError> {
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
    let vector = file.numbers("fclib_global/vectors/w", Some(h.columns))?;
    let friction = file.friction("fclib_global/vectors/mu", contacts)?;
    Ok(Arrays { dimension, contacts, matrix: Matrix::Global([m, h], f), vector, friction })
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
    fn matrix(&self, group: &str) -> Result<SparseMatrix, ImpactError> {
        let at = |name: &str| format!("{group}/{name}");
        let (rows, columns, nz) = (self.size(&at("m"))?, self.size(&at("n"))?, self.integer(&at("nz"))?);
        let (mut p, mut minor) = (self.integers(&at("p"))?, self.integers(&at("i"))?);
        let mut values = self.numbers(&at("x"), None)?;
        let within = |name: &str, indices: &[i32], below: usize| {
            let wrong = |v: &i32| usize::try_from(*v).map_or(true, |v| v >= below);
            let problem = format!("must be 0 to {}", below as i64 - 1);
            match indices.iter().position(wrong) {
                Some(k) => Err(ImpactError::new(format!("{group}/{name}[{k}]"), indices[k], problem)),
                None => Ok(()),
            }
        };
        let storage = match nz {
            0.. => {
                let count = nz as usize;
                if minor.len() < count || p.len() < count || values.len() < count {
                    return Err(ImpactError::new(at("nz"), nz, "is more than the entries of i, p or x"));
                }
                p.truncate(count);
                minor.truncate(count);
                values.truncate(count);
                within("i", &minor, rows)?;
                within("p", &p, columns)?;
                Storage::Triplets(p)
            }
            -1 | -2 => {
                let (outer, inner) = if nz == -1 { (columns, rows) } else { (rows, columns) };
                if p.len() != outer + 1 {
                    let count = format!("{} numbers", p.len());
                    return Err(ImpactError::new(at("p"), count, format!("needs {}", outer + 1)));
                }
                let most = minor.len().min(values.len());
                let wrong = |range: &[i32]| range[0] < 0 || range[1] < range[0] || range[1] as usize > most;
                if let Some(k) = p.windows(2).position(wrong) {
                    let field = format!("{group}/p[{}]", k + 1);
                    return Err(ImpactError::new(
                        field,
                        p[k + 1],
                        "pointers must not decrease, nor exceed the entries",
                    ));
                }
                let used = p.first().zip(p.last()).map_or(0..0, |(&from, &to)| from as usize..to as usize);
                within("i", &minor[..used.end], inner)?;
                if nz == -1 { Storage::Columns(p) } else { Storage::Rows(p) }
            }
            _ => return Err(ImpactError::new(at("nz"), nz, "must be at least -2")),
        };
        Ok(SparseMatrix { rows, columns, storage, minor, values })
    }
}
