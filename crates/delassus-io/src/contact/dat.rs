//! Siconos' text files.

use std::io::{BufRead, Write};

use delassus::solve::contact::{BlockMatrix, ContactLaw, ContactProblem};

use super::ContactFile;
use super::scan::Scanner;
use crate::error::InputError;

/// Rows that a file may have: indices are 32 bits wide.
const MOST: usize = u32::MAX as usize / 4;

/// Reads a file of either kind. `dim nc storage dim·nc dim·nc` begins contacts, `n storage n n` a complementarity problem.
pub(super) fn read(name: &str, source: impl BufRead) -> Result<ContactFile, Box<InputError>> {
    let mut scan = Scanner::new(name, source);
    let first = scan.count("first number", MOST)?;
    let second = scan.count("second number", MOST)?;
    let third = scan.count("third number", MOST)?;
    let fourth = scan.count("fourth number", MOST)?;
    // Five numbers decide; a complementarity problem has only four before its matrix.
    let mut contacts = (2..=3).contains(&first) && third <= 2 && fourth == first * second;
    let complementarity = second <= 2 && third == first && fourth == first;
    if contacts && complementarity {
        // Two rows by blocks look like a contact in the plane until the number of columns.
        contacts = scan.peek()?.is_some_and(|word| word.parse() == Ok(fourth));
    }
    if contacts {
        let columns = scan.count("matrix.columns", MOST)?;
        if columns != fourth {
            return Err(scan.error("matrix.columns", format!("must be {fourth}, as the rows")));
        }
        let matrix = read_matrix(&mut scan, third, first, second)?;
        let vector = scan.numbers("q", fourth)?;
        let matrix = matrix.build(first, second);
        let mut friction = Vec::new();
        for _ in 0..second {
            let mu = scan.number("mu")?;
            if mu < 0.0 {
                return Err(scan.error("mu", "must be at least 0"));
            }
            friction.push(mu);
        }
        return Ok(ContactFile::Friction(ContactProblem::coulomb(matrix, vector, &friction)));
    }
    if complementarity {
        let matrix = read_matrix(&mut scan, second, 1, first)?;
        let vector = scan.numbers("q", first)?;
        let matrix = matrix.build(1, first);
        return Ok(ContactFile::Lcp { matrix, vector });
    }
    Err(scan.error(
        "first four numbers",
        format!(
            "{first} {second} {third} {fourth} begin neither contacts (dimension 2 or 3, contacts, storage 0 to 2, rows) \
             nor a complementarity problem (rows, storage, rows, rows)"
        ),
    ))
}

/// A matrix that was read. Memory for entries is taken when q has shown that the file is as long as it says.
enum Matrix {
    Blocks(BlockMatrix),
    Entries(Vec<(usize, usize, f64)>),
}

impl Matrix {
    fn build(self, dimension: usize, contacts: usize) -> BlockMatrix {
        match self {
            Self::Blocks(matrix) => matrix,
            Self::Entries(entries) => BlockMatrix::from_entries(dimension, contacts, entries.iter().copied()),
        }
    }
}

fn read_matrix<R: BufRead>(
    scan: &mut Scanner<'_, R>,
    storage: usize,
    dimension: usize,
    contacts: usize,
) -> Result<Matrix, Box<InputError>> {
    match storage {
        0 => read_dense(scan, dimension * contacts).map(Matrix::Entries),
        1 => read_blocks(scan, dimension, contacts).map(Matrix::Blocks),
        _ => read_sparse(scan, dimension * contacts).map(Matrix::Entries),
    }
}

/// The sizes again, then the values column by column.
fn read_dense<R: BufRead>(scan: &mut Scanner<'_, R>, rows: usize) -> Result<Vec<(usize, usize, f64)>, Box<InputError>> {
    for field in ["matrix.rows", "matrix.columns"] {
        if scan.count(field, MOST)? != rows {
            return Err(scan.error(field, format!("must be {rows}")));
        }
    }
    let mut entries = Vec::new();
    for column in 0..rows {
        for row in 0..rows {
            let value = scan.number("matrix")?;
            if value != 0.0 {
                entries.push((row, column, value));
            }
        }
    }
    Ok(entries)
}

/// Blocks by compressed block rows.
fn read_blocks<R: BufRead>(
    scan: &mut Scanner<'_, R>,
    dimension: usize,
    contacts: usize,
) -> Result<BlockMatrix, Box<InputError>> {
    let blocks = scan.count("matrix.blocks", MOST)?;
    for field in ["matrix.block rows", "matrix.block columns"] {
        if scan.count(field, MOST)? != contacts {
            return Err(scan.error(field, format!("must be {contacts}, one for each contact")));
        }
    }
    for field in ["matrix.row sizes", "matrix.column sizes"] {
        for i in 1..=contacts {
            if scan.count(field, MOST)? != i * dimension {
                return Err(scan.error(field, format!("must be {}: blocks have {dimension} rows", i * dimension)));
            }
        }
    }
    let pointers = scan.count("matrix.row pointers", MOST)?;
    let filled = scan.count("matrix.filled", MOST)?;
    if pointers != contacts + 1 || filled != blocks {
        return Err(scan.error("matrix.filled", format!("needs {} row pointers and {blocks} blocks", contacts + 1)));
    }
    let mut start = Vec::new();
    for _ in 0..pointers {
        let pointer = scan.count("matrix.row pointers", blocks)?;
        if start.last().is_some_and(|&last| pointer < last) || start.is_empty() && pointer != 0 {
            return Err(scan.error("matrix.row pointers", "must begin with 0 and not decrease"));
        }
        start.push(pointer);
    }
    if start[contacts] != blocks {
        return Err(scan.error("matrix.row pointers", format!("must end with {blocks}")));
    }
    let mut places: Vec<(u32, u32)> = Vec::new();
    for row in 0..contacts {
        for _ in start[row]..start[row + 1] {
            let column = scan.count("matrix.block columns", contacts.saturating_sub(1))?;
            places.push((row as u32, column as u32));
        }
    }
    let pairs = places.iter().map(|&(i, j)| (i as usize, j as usize));
    let mut matrix = BlockMatrix::with_pattern(dimension, contacts, pairs);
    let mut block = vec![0.0; dimension * dimension];
    let mut seen = vec![false; blocks];
    for _ in 0..blocks {
        let index = scan.count("matrix.block index", blocks.saturating_sub(1))?;
        if std::mem::replace(&mut seen[index], true) {
            return Err(scan.error("matrix.block index", "must not come twice: another block would be missing"));
        }
        for column in 0..dimension {
            for row in 0..dimension {
                block[row * dimension + column] = scan.number("matrix.block")?;
            }
        }
        let (i, j) = places[index];
        matrix.add(i as usize, j as usize, block.iter().copied());
    }
    Ok(matrix)
}

/// What CSparse prints: a banner line, sizes, then columns or triplets.
fn read_sparse<R: BufRead>(
    scan: &mut Scanner<'_, R>,
    rows: usize,
) -> Result<Vec<(usize, usize, f64)>, Box<InputError>> {
    let origin = scan.count("matrix.origin", 2)?;
    if origin == 0 {
        return Err(scan.error("matrix.origin", "must be 1 (triplets) or 2 (compressed columns)"));
    }
    scan.end_line()?;
    // The banner, then "1334-by-1334, nzmax: …" or "triplet: 1334-by-1334, nzmax: …".
    scan.skip_line()?;
    let mut found = false;
    for _ in 0..2 {
        let word = scan.peek()?.unwrap_or_default().to_owned();
        if let Some((m, rest)) = word.split_once("-by-") {
            let size = rows.to_string();
            if m != size || rest.trim_end_matches(',') != size {
                return Err(scan.error("matrix.sizes", format!("must be {rows}-by-{rows}")));
            }
            found = true;
            break;
        }
        if word != "triplet:" {
            break;
        }
        scan.expect("triplet:")?;
    }
    if !found {
        return Err(scan.error("matrix.sizes", format!("needs {rows}-by-{rows}")));
    }
    scan.skip_line()?;
    let mut entries = Vec::new();
    if origin == 2 {
        // "col 0 : locations 0 to 1", then "row : value" for each.
        for column in 0..rows {
            scan.expect("col")?;
            if scan.count("matrix.column", MOST)? != column {
                return Err(scan.error("matrix.column", format!("must be {column}")));
            }
            scan.expect(":")?;
            scan.expect("locations")?;
            let from = scan.count("matrix.locations", MOST)?;
            scan.expect("to")?;
            // An empty column goes from k to k − 1; the first one to −1.
            let to = scan.number("matrix.locations")? + 1.0;
            for _ in from as u64..to.max(0.0) as u64 {
                let row = scan.count("matrix.row", rows.saturating_sub(1))?;
                scan.expect(":")?;
                entries.push((row, column, scan.number("matrix")?));
            }
        }
    } else {
        // "row column : value".
        while scan.peek_is_entry()? {
            let row = scan.count("matrix.row", rows.saturating_sub(1))?;
            let column = scan.count("matrix.column", rows.saturating_sub(1))?;
            scan.expect(":")?;
            entries.push((row, column, scan.number("matrix")?));
        }
    }
    Ok(entries)
}

/// Rows up to which the matrix of a complementarity problem is written in full. Siconos' solvers of such problems (Lemke's
/// method and most others) refuse blocks; beyond, the file would be too large.
const MOST_FULL: usize = 1000;

/// Writes a file that Siconos reads and solves: contacts by blocks, complementarity problems of up to a thousand rows in full,
/// numbers that read back to the same bits.
///
/// # Errors
/// What the output says; joints, ellipses and shifts are not in the format ([`std::io::ErrorKind::InvalidInput`]).
pub fn write_dat(file: &ContactFile, out: &mut impl Write) -> std::io::Result<()> {
    let (matrix, vector) = match file {
        ContactFile::Friction(problem) => {
            writeln!(out, "{}\n{}", problem.dimension(), problem.contacts())?;
            (&problem.matrix, &problem.vector)
        }
        ContactFile::Lcp { matrix, vector } => {
            writeln!(out, "{}", vector.len())?;
            (matrix, vector)
        }
    };
    let (d, n, rows) = (matrix.dimension(), matrix.contacts(), matrix.rows());
    if d == 1 && n <= MOST_FULL {
        writeln!(out, "0\n{rows}\n{rows}\n{rows}\t{rows}")?;
        (0..n).try_for_each(|j| line(out, (0..n).map(|i| Number(matrix.get(i, j)))))?;
        return line(out, vector.iter().map(|&v| Number(v)));
    }
    writeln!(out, "1\n{rows}\n{rows}\n{}\n{n}\n{n}", matrix.blocks())?;
    for _ in 0..2 {
        line(out, (1..=n).map(|i| i * d))?;
    }
    writeln!(out, "{}\n{}", n + 1, matrix.blocks())?;
    let mut pointer = 0;
    let pointers = (0..n).map(|i| {
        pointer += matrix.row(i).0.len();
        pointer
    });
    line(out, std::iter::once(0).chain(pointers))?;
    line(out, (0..n).flat_map(|i| matrix.row(i).0.iter().copied()))?;
    let mut index = 0;
    for i in 0..n {
        for block in matrix.row(i).1.chunks_exact(d * d) {
            writeln!(out, "{index}")?;
            line(out, (0..d * d).map(|k| Number(block[k % d * d + k / d])))?;
            index += 1;
        }
    }
    line(out, vector.iter().map(|&v| Number(v)))?;
    if let ContactFile::Friction(problem) = file {
        line(out, friction(problem)?.into_iter().map(Number))?;
    }
    Ok(())
}

/// The coefficients of contacts that Coulomb's law with one coefficient covers.
pub(super) fn friction(problem: &ContactProblem) -> std::io::Result<Vec<f64>> {
    let planar = problem.dimension() < 3;
    let coefficient = |law: &ContactLaw| match *law {
        ContactLaw::Contact { friction: [a, b], shift: 0.0 } if planar || a == b => Ok(a),
        _ => Err(std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            "the format has contacts with one coefficient of friction only: no joints, ellipses or shifted radii",
        )),
    };
    problem.laws.iter().map(coefficient).collect()
}

/// A number with all its digits.
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:e}", self.0)
    }
}

fn line(out: &mut impl Write, values: impl Iterator<Item = impl std::fmt::Display>) -> std::io::Result<()> {
    for value in values {
        write!(out, "{value}\t")?;
    }
    writeln!(out)
}
