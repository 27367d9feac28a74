//! Tables as Parquet: the comma-separated values of this crate with a type for each column, so that both
//! forms hold the same rows and every reader of the one can read the other.
//!
//! Lines before the table that begin with `#` stand in the file's metadata, under `comment`. An empty field
//! is a null. Numbers keep their bits.

mod packed;
mod read;
mod thrift;
mod write;

use crate::csv::{csv_fields, push_csv_row};

/// What the fields of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Words.
    Word,
}

/// A file as text.
#[derive(Debug, Clone, PartialEq)]
pub struct FromParquet {
    /// Comments, names of the columns and rows as comma-separated values.
    pub text: String,
    /// What the columns are.
    pub kinds: Vec<ColumnKind>,
}

/// Rows that are stored together.
const GROUP: usize = 1 << 20;
/// The key of the lines before the table.
const COMMENT: &str = "comment";
/// Begins and ends every file.
const MAGIC: &[u8] = b"PAR1";

// How values are stored: their types,
const BOOLEAN: i32 = 0;
const INT32: i32 = 1;
const INT64: i32 = 2;
const FLOAT: i32 = 4;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
// whether they may be missing, or be several,
const OPTIONAL: i32 = 1;
const REPEATED: i32 = 2;
// what a page holds,
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;
const DATA_PAGE_2: i32 = 3;
// how they stand there: by themselves, by a dictionary (under its old and its new number), or small ones in runs,
const PLAIN: i32 = 0;
const PLAIN_DICTIONARY: i32 = 2;
const RLE: i32 = 3;
const RLE_DICTIONARY: i32 = 8;
// and how pages are compressed.
const SNAPPY: i32 = 1;

/// Whether bytes are those of a Parquet file.
pub fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Comma-separated values as a Parquet file; the same text gives the same bytes.
///
/// ```
/// use delassus_io::{ColumnKind, csv_to_parquet, parquet_to_csv};
/// let (text, kinds) = ("case,tilt,end\n0,0.5,at-rest\n1,,\n", [ColumnKind::Whole, ColumnKind::Number, ColumnKind::Word]);
/// let file = csv_to_parquet(text, &kinds).unwrap();
/// assert_eq!(parquet_to_csv(&file).unwrap().text, text);
/// ```
///
/// # Errors
/// A row of another length than `kinds`, or a field that is not of its kind.
pub fn csv_to_parquet(text: &str, kinds: &[ColumnKind]) -> Result<Vec<u8>, String> {
    let comments: usize = text.split_inclusive('\n').take_while(|line| line.starts_with('#')).map(str::len).sum();
    let (comment, table) = text.split_at(comments);
    let mut lines = table.lines();
    let fields = |line: &str| csv_fields(line).filter(|fields| fields.len() == kinds.len());
    let names = lines.next().and_then(fields).ok_or("the names of the columns do not fit")?;
    let mut file = write::File::new();
    let mut number = 0;
    loop {
        let mut columns = vec![Vec::new(); kinds.len()];
        let before = number;
        for line in lines.by_ref().take(GROUP) {
            number += 1;
            let row = fields(line).ok_or_else(|| format!("row {number} does not fit the columns"))?;
            columns.iter_mut().zip(row).for_each(|(column, field)| column.push(field));
        }
        if number == before {
            break;
        }
        file.push_group(&names, kinds, &columns)?;
    }
    Ok(file.finish(&names, kinds, Some((COMMENT, comment)).filter(|_| !comment.is_empty())))
}

/// A Parquet file of plain columns as comma-separated values; the index that pandas adds is left out.
///
/// # Errors
/// What cannot be read: a damaged file, columns that hold lists or tables, other types.
pub fn parquet_to_csv(bytes: &[u8]) -> Result<FromParquet, String> {
    let metadata = read::Metadata::of(bytes)?;
    let columns = metadata.columns()?;
    let mut text = metadata.text(COMMENT).unwrap_or_default();
    push_csv_row(&mut text, columns.iter().map(|column| &column.name));
    for group in metadata.groups() {
        let fields = columns.iter().map(|column| column.fields(bytes, group)).collect::<Result<Vec<_>, _>>()?;
        let rows = fields.first().map_or(0, Vec::len);
        let mut fields: Vec<_> = fields.into_iter().map(Vec::into_iter).collect();
        for _ in 0..rows {
            push_csv_row(&mut text, fields.iter_mut().filter_map(Iterator::next));
        }
    }
    Ok(FromParquet { text, kinds: columns.iter().map(|column| column.kind).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::csv_number;

    const KINDS: [ColumnKind; 4] = [ColumnKind::Whole, ColumnKind::Number, ColumnKind::Word, ColumnKind::Number];

    fn table(rows: usize) -> String {
        let mut text = "# part 1 of 2\ncase,contact.C.friction,verdict,tilt\n".to_owned();
        for k in 0..rows {
            let number = f64::sqrt(k as f64) * if k % 3 == 0 { -1e-300 } else { 1e17 };
            let word = ["gains energy", "", "say \"no\", twice", "ü→"][k % 4];
            let last = if k % 5 == 0 { String::new() } else { csv_number(1.0 / k as f64) };
            push_csv_row(&mut text, [k.to_string(), csv_number(number), word.to_owned(), last]);
        }
        text
    }

    #[test]
    fn text_comes_back_with_its_bits() {
        for rows in [0, 1, 7, 16_389, 70_000] {
            let text = table(rows);
            let file = csv_to_parquet(&text, &KINDS).unwrap();
            assert!(is_parquet(&file) && file.ends_with(MAGIC));
            assert_eq!(csv_to_parquet(&text, &KINDS).unwrap(), file, "the same bytes");
            let back = parquet_to_csv(&file).unwrap();
            assert_eq!(back.text, text);
            assert_eq!(back.kinds, KINDS);
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        assert!(csv_to_parquet("a,b\n1\n", &KINDS[..2]).unwrap_err().contains("row 1"));
        assert!(csv_to_parquet("a,b\n1,rough\n", &KINDS[..2]).unwrap_err().contains("\"rough\" in the column b"));
        assert!(csv_to_parquet("a\n", &KINDS[..2]).unwrap_err().contains("names"));
        assert!(parquet_to_csv(b"PAR1 and then nothing of the kind").is_err());
    }

    /// Files that were cut or whose bytes were changed are errors or tables, and nothing worse.
    #[test]
    fn damaged_files_are_refused() {
        let whole = csv_to_parquet(&table(40), &KINDS).unwrap();
        let mut random = 1u64;
        let mut draw = |below: usize| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as usize % below
        };
        let count = std::env::var("DELASSUS_DAMAGED").map_or(300, |text| text.parse().unwrap());
        let mut refused = 0;
        for round in 0..count {
            let mut file = whole.clone();
            if round % 4 == 0 {
                file.truncate(draw(whole.len()));
            }
            for _ in 0..1 + round % 3 {
                if !file.is_empty() {
                    let place = draw(file.len());
                    file[place] = draw(256) as u8;
                }
            }
            refused += usize::from(parquet_to_csv(&file).is_err());
        }
        assert!(refused > count / 3, "{refused} of {count}");
    }
}
