//! FCLIB's HDF5 files, read.

use std::ops::Range;

use delassus::ImpactError;
use delassus::solve::contact::{BlockMatrix, ContactProblem};

use super::hdf5_in::{Fault, File, List, Place};
use super::{ContactFile, ContactInput, global};

/// A sparse matrix in the lists of the file, checked. Large ones are most of the memory: their numbers stay in the file's
/// bytes where these hold them in one piece.
pub(super) struct SparseMatrix<'a> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    storage: Storage<'a>,
}

/// How FCLIB stores a matrix.
enum Storage<'a> {
    /// Column, row and value of each entry.
    Triplets { count: usize, columns: List<'a>, rows: List<'a>, values: List<'a> },
    /// Where each column or row begins, the other index of each entry, and its value.
    Compressed { by: Major, starts: Vec<i32>, minor: List<'a>, values: List<'a> },
    /// Row, column and value of each entry.
    #[cfg(test)]
    Entries(Vec<(i32, i32, f64)>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Major {
    Columns,
    Rows,
}

impl Major {
    /// Calls `visit` with row, column and value of each entry of some columns or rows.
    fn visit(
        self,
        starts: &[i32],
        which: Range<usize>,
        minor: &List<'_>,
        values: &List<'_>,
        visit: &mut dyn FnMut(usize, usize, f64),
    ) {
        for major in which {
            for k in starts[major] as usize..starts[major + 1] as usize {
                let minor = index(minor, k);
                let (i, j) = if self == Self::Columns { (minor, major) } else { (major, minor) };
                visit(i, j, values.number(k));
            }
        }
    }
}

/// An index that was checked to be a whole number in its range.
fn index(list: &List<'_>, k: usize) -> usize {
    list.integer(k).unwrap_or_default() as usize
}

/// A compressed matrix by the places of its lists in the file: its bytes are given back while the matrix of blocks grows, so
/// that both are never there as a whole.
struct Places {
    by: Major,
    starts: Vec<i32>,
    minor: Place,
    values: Place,
}

/// Entries after which bytes are given back.
const PART: usize = 1 << 19;

impl Places {
    /// The matrix of blocks from the bytes of the file.
    fn assemble(&self, mut bytes: Vec<u8>, dimension: usize, contacts: usize) -> BlockMatrix {
        let all = 0..self.starts.len() - 1;
        let mut first = true;
        BlockMatrix::from_visits(dimension, contacts, |visit| {
            if std::mem::take(&mut first) {
                self.visit(&bytes, all.clone(), visit);
            } else {
                self.visit_and_give_back(&mut bytes, visit);
            }
        })
    }

    fn visit(&self, bytes: &[u8], which: Range<usize>, visit: &mut dyn FnMut(usize, usize, f64)) {
        let (minor, values) = (self.minor.list(bytes), self.values.list(bytes));
        self.by.visit(&self.starts, which, &minor, &values, visit);
    }

    /// Visits all entries, from the last columns (or rows) to the first, some at a time.
    fn visit_and_give_back(&self, bytes: &mut Vec<u8>, visit: &mut dyn FnMut(usize, usize, f64)) {
        let mut end = self.starts.len() - 1;
        while end > 0 {
            let far = self.starts[end] as usize;
            let begin = self.starts[..end - 1].partition_point(|&start| start as usize + PART < far);
            self.visit(bytes, begin..end, visit);
            let left = self.starts[begin] as usize;
            bytes.truncate(self.minor.end(left).max(self.values.end(left)));
            bytes.shrink_to_fit();
            end = begin;
        }
    }
}

impl SparseMatrix<'_> {
    /// A matrix of `(row, column, value)`.
    #[cfg(test)]
    pub(super) fn of_entries(rows: usize, columns: usize, entries: &[(i32, i32, f64)]) -> Self {
        Self { rows, columns, storage: Storage::Entries(entries.to_vec()) }
    }

    /// Calls `visit` with row, column and value of each entry.
    pub(super) fn visit(&self, mut visit: impl FnMut(usize, usize, f64)) {
        match &self.storage {
            Storage::Compressed { by, starts, minor, values } => {
                by.visit(starts, 0..starts.len() - 1, minor, values, &mut visit);
            }
            Storage::Triplets { count, columns, rows, values } => {
                (0..*count).for_each(|k| visit(index(rows, k), index(columns, k), values.number(k)));
            }
            #[cfg(test)]
            Storage::Entries(entries) => {
                entries.iter().for_each(|&(i, j, value)| visit(i as usize, j as usize, value));
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
    let mut read = if file.has("fclib_local")? {
        read_local(&file)?
    } else if file.has("fclib_global")? {
        read_global(&file)?
    } else {
        return Err(ImpactError::new("file", "", "has neither fclib_local nor fclib_global"));
    };
    // A guess is a help; the problem can be solved without.
    let (mut start, mut remarks) = (None, Vec::new());
    match file.has(GUESS).and_then(|there| there.then(|| file.numbers(GUESS, read.vector.len())).transpose()) {
        Ok(guess) => start = guess,
        Err(error) => remarks.push(format!("{error}; this guess is not used")),
    }
    let problem = match read.places() {
        Some((places, dimension, contacts, [vector, friction])) => {
            let matrix = places.assemble(file.0.into_bytes(), dimension, contacts);
            ContactProblem::coulomb(matrix, vector, &friction)
        }
        None => read.assemble()?,
    };
    Ok(ContactInput { start, remarks, ..ContactInput::plain(ContactFile::Friction(problem)) })
}

/// What a file holds, before it is a problem.
struct Arrays<'a> {
    dimension: usize,
    contacts: usize,
    matrix: Matrix<'a>,
    /// q of local, w of global problems.
    vector: Vec<f64>,
    friction: Vec<f64>,
}

enum Matrix<'a> {
    /// W.
    Local(SparseMatrix<'a>),
    /// M and H, with the vector f.
    Global(Box<[SparseMatrix<'a>; 2]>, Vec<f64>),
}

impl Arrays<'_> {
    fn assemble(self) -> Result<ContactProblem, ImpactError> {
        let Self { dimension, contacts, matrix, vector, friction } = self;
        let (matrix, vector) = match matrix {
            Matrix::Local(w) => (BlockMatrix::from_visits(dimension, contacts, |visit| w.visit(visit)), vector),
            Matrix::Global(both, f) => {
                let [m, h] = &*both;
                global::condense(m, h, &f, vector, dimension, contacts)?
            }
        };
        Ok(ContactProblem::coulomb(matrix, vector, &friction))
    }

    /// The places of a local matrix, where its lists stand in one piece each, with dimension, contacts, q and friction.
    fn places(&mut self) -> Option<(Places, usize, usize, [Vec<f64>; 2])> {
        let Matrix::Local(w) = &mut self.matrix else { return None };
        let Storage::Compressed { by, starts, minor, values } = &mut w.storage else { return None };
        let (minor, values) = (minor.place()?, values.place()?);
        let places = Places { by: *by, starts: std::mem::take(starts), minor, values };
        let lists = [std::mem::take(&mut self.vector), std::mem::take(&mut self.friction)];
        Some((places, self.dimension, self.contacts, lists))
    }
}

fn read_local(file: &Reader) -> Result<Arrays<'_>, ImpactError> {
    if file.has("fclib_local/V")? || file.has("fclib_local/R")? {
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
    let vector = file.numbers("fclib_local/vectors/q", w.rows)?;
    let friction = file.friction("fclib_local/vectors/mu", contacts)?;
    Ok(Arrays { dimension, contacts, matrix: Matrix::Local(w), vector, friction })
}

fn read_global(file: &Reader) -> Result<Arrays<'_>, ImpactError> {
    if file.has("fclib_global/G")? {
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
    let f = file.numbers("fclib_global/vectors/f", m.rows)?;
    let vector = file.numbers("fclib_global/vectors/w", h.columns)?;
    let friction = file.friction("fclib_global/vectors/mu", contacts)?;
    Ok(Arrays { dimension, contacts, matrix: Matrix::Global(Box::new([m, h]), f), vector, friction })
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
    fn has(&self, group: &str) -> Result<bool, ImpactError> {
        self.0.has(group).map_err(|fault| unreadable(group, &fault))
    }

    fn list(&self, field: &str) -> Result<List<'_>, ImpactError> {
        self.0.list(field).map_err(|fault| unreadable(field, &fault))
    }

    /// A list whose numbers are finite.
    fn finite(&self, field: &str) -> Result<List<'_>, ImpactError> {
        let list = self.list(field)?;
        match (0..list.len()).find(|&k| !list.number(k).is_finite()) {
            Some(k) => Err(ImpactError::new(format!("{field}[{k}]"), list.number(k), "must be finite")),
            None => Ok(list),
        }
    }

    fn numbers(&self, field: &str, expected: usize) -> Result<Vec<f64>, ImpactError> {
        let list = self.list(field)?;
        if list.len() != expected {
            return Err(ImpactError::new(field, format!("{} numbers", list.len()), format!("needs {expected}")));
        }
        Ok(self.finite(field)?.numbers())
    }

    fn friction(&self, field: &str, contacts: usize) -> Result<Vec<f64>, ImpactError> {
        let mu = self.numbers(field, contacts)?;
        match mu.iter().position(|&mu| mu < 0.0) {
            Some(i) => Err(ImpactError::new(format!("{field}[{i}]"), mu[i], "must be at least 0")),
            None => Ok(mu),
        }
    }

    fn integers(&self, field: &str) -> Result<Vec<i32>, ImpactError> {
        self.list(field)?.integers().map_err(|fault| unreadable(field, &fault))
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
    fn matrix(&self, group: &str) -> Result<SparseMatrix<'_>, ImpactError> {
        let at = |name: &str| format!("{group}/{name}");
        let (rows, columns, nz) = (self.size(&at("m"))?, self.size(&at("n"))?, self.integer(&at("nz"))?);
        let (p, minor, values) = (self.list(&at("p"))?, self.list(&at("i"))?, self.finite(&at("x"))?);
        // The first `count` entries of a list are indices below some number.
        let within = |name: &str, indices: &List<'_>, count: usize, below: usize| {
            for k in 0..count {
                let index = indices.integer(k).map_err(|fault| unreadable(&at(name), &fault))?;
                if !usize::try_from(index).is_ok_and(|index| index < below) {
                    let problem = format!("must be 0 to {}", below as i64 - 1);
                    return Err(ImpactError::new(format!("{group}/{name}[{k}]"), index, problem));
                }
            }
            Ok(())
        };
        let storage = match nz {
            0.. => {
                let count = nz as usize;
                if minor.len() < count || p.len() < count || values.len() < count {
                    return Err(ImpactError::new(at("nz"), nz, "is more than the entries of i, p or x"));
                }
                within("i", &minor, count, rows)?;
                within("p", &p, count, columns)?;
                Storage::Triplets { count, columns: p, rows: minor, values }
            }
            -1 | -2 => {
                let (by, outer, inner) =
                    if nz == -1 { (Major::Columns, columns, rows) } else { (Major::Rows, rows, columns) };
                let starts = p.integers().map_err(|fault| unreadable(&at("p"), &fault))?;
                if starts.len() != outer + 1 {
                    let count = format!("{} numbers", starts.len());
                    return Err(ImpactError::new(at("p"), count, format!("needs {}", outer + 1)));
                }
                // Else the first entries would belong nowhere.
                if starts[0] != 0 {
                    return Err(ImpactError::new(format!("{group}/p[0]"), starts[0], "the first pointer must be 0"));
                }
                let most = minor.len().min(values.len());
                let wrong = |range: &[i32]| range[0] < 0 || range[1] < range[0] || range[1] as usize > most;
                if let Some(k) = starts.windows(2).position(wrong) {
                    let field = format!("{group}/p[{}]", k + 1);
                    return Err(ImpactError::new(
                        field,
                        starts[k + 1],
                        "pointers must not decrease, nor exceed the entries",
                    ));
                }
                // Without columns there is a first pointer and nothing else.
                let used = if outer > 0 { starts[outer] as usize } else { 0 };
                within("i", &minor, used, inner)?;
                Storage::Compressed { by, starts, minor, values }
            }
            _ => return Err(ImpactError::new(at("nz"), nz, "must be at least -2")),
        };
        Ok(SparseMatrix { rows, columns, storage })
    }
}
