//! Tables as Parquet: the comma-separated values of this crate with a type for each column, so that both
//! forms hold the same rows and every reader of the one can read the other.
//!
//! Lines before the table that begin with `#` stand in the file's metadata, under `comment`. An empty field
//! is a null. Numbers keep their bits.

use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type;
use bytes::Bytes;

use crate::csv::{csv_fields, csv_number, push_csv_row};

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
/// Values that are read at a time.
const BATCH: usize = 1 << 14;
/// The key of the lines before the table.
const COMMENT: &str = "comment";
/// Begins and ends every file.
const MAGIC: &[u8] = b"PAR1";

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
    let schema = schema(&names, kinds).map_err(|e| e.to_string())?;
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("delassus {}", env!("CARGO_PKG_VERSION")));
    if !comment.is_empty() {
        properties = properties.set_key_value_metadata(Some(vec![KeyValue::new(COMMENT.into(), comment.to_owned())]));
    }
    let writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build()));
    let mut writer = writer.map_err(|e| e.to_string())?;
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
        let mut group = writer.next_row_group().map_err(|e| e.to_string())?;
        for (k, (column, kind)) in columns.iter().zip(kinds).enumerate() {
            let wrong = |field: &str| format!("{field:?} in the column {} is not of its kind", names[k]);
            let levels: Vec<i16> = column.iter().map(|field| i16::from(!field.is_empty())).collect();
            let there = || column.iter().filter(|field| !field.is_empty());
            let Some(mut out) = group.next_column().map_err(|e| e.to_string())? else { break };
            let written = match kind {
                ColumnKind::Whole => {
                    let values = there().map(|field| field.parse::<i64>().map_err(|_| wrong(field)));
                    let values = values.collect::<Result<Vec<_>, _>>()?;
                    out.typed::<Int64Type>().write_batch(&values, Some(&levels), None)
                }
                ColumnKind::Number => {
                    let values = there().map(|field| field.parse::<f64>().map_err(|_| wrong(field)));
                    let values = values.collect::<Result<Vec<_>, _>>()?;
                    out.typed::<DoubleType>().write_batch(&values, Some(&levels), None)
                }
                ColumnKind::Word => {
                    let values: Vec<ByteArray> = there().map(|field| field.as_str().into()).collect();
                    out.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)
                }
            };
            written.and_then(|_| out.close()).map_err(|e| e.to_string())?;
        }
        group.close().map_err(|e| e.to_string())?;
    }
    writer.into_inner().map_err(|e| e.to_string())
}

fn schema(names: &[String], kinds: &[ColumnKind]) -> Result<Arc<Type>, ParquetError> {
    let column = |(name, kind): (&String, &ColumnKind)| {
        let (physical, logical) = match kind {
            ColumnKind::Whole => (Physical::INT64, None),
            ColumnKind::Number => (Physical::DOUBLE, None),
            ColumnKind::Word => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        Ok(Arc::new(column.with_logical_type(logical).build()?))
    };
    let columns = names.iter().zip(kinds).map(column).collect::<Result<Vec<_>, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("table").with_fields(columns).build()?))
}

/// A Parquet file of plain columns as comma-separated values; the index that pandas adds is left out.
///
/// # Errors
/// What cannot be read: a damaged file, columns that hold lists or tables, other types.
pub fn parquet_to_csv(bytes: &[u8]) -> Result<FromParquet, String> {
    // The library panics at some damaged files (lengths of pages that exceed the page).
    let read = std::panic::catch_unwind(|| read(bytes));
    read.unwrap_or_else(|_| Err("the file is damaged".to_owned()))
}

fn read(bytes: &[u8]) -> Result<FromParquet, String> {
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).map_err(|e| e.to_string())?;
    let metadata = file.metadata().file_metadata();
    let comment = metadata.key_value_metadata().into_iter().flatten().find(|entry| entry.key == COMMENT);
    let mut text = comment.and_then(|entry| entry.value.clone()).unwrap_or_default();
    let schema = metadata.schema_descr();
    let (mut names, mut kinds, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for (k, column) in schema.columns().iter().enumerate() {
        let name = column.path().string();
        if name.starts_with("__index_level_") {
            continue;
        }
        if column.max_rep_level() > 0 || column.max_def_level() > 1 || column.path().parts().len() > 1 {
            let name = &column.path().parts()[0];
            return Err(format!(
                "the column {name} holds lists or tables; plain columns are needed, such as {name}[0]"
            ));
        }
        kinds.push(match column.physical_type() {
            Physical::BOOLEAN | Physical::INT32 | Physical::INT64 => ColumnKind::Whole,
            Physical::FLOAT | Physical::DOUBLE => ColumnKind::Number,
            Physical::BYTE_ARRAY => ColumnKind::Word,
            other => return Err(format!("the column {name} is of the type {other}; needs numbers or words")),
        });
        names.push(name);
        places.push((k, column.max_def_level() > 0));
    }
    push_csv_row(&mut text, &names);
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).map_err(|e| e.to_string())?;
        let mut columns = Vec::with_capacity(places.len());
        for (&(k, nulls), name) in places.iter().zip(&names) {
            let wrong = |e: ParquetError| match e.to_string() {
                text if text.contains("Disabled feature") => {
                    format!("the column {name} is compressed in a way that is not read here; needs snappy or none")
                }
                text => format!("the column {name}: {text}"),
            };
            let column = match group.get_column_reader(k).map_err(wrong)? {
                ColumnReader::BoolColumnReader(reader) => fields(reader, nulls, |v| u8::from(*v).to_string()),
                ColumnReader::Int32ColumnReader(reader) => fields(reader, nulls, i32::to_string),
                ColumnReader::Int64ColumnReader(reader) => fields(reader, nulls, i64::to_string),
                ColumnReader::FloatColumnReader(reader) => fields(reader, nulls, |v| csv_number(f64::from(*v))),
                ColumnReader::DoubleColumnReader(reader) => fields(reader, nulls, |v| csv_number(*v)),
                ColumnReader::ByteArrayColumnReader(reader) => {
                    fields(reader, nulls, |v| String::from_utf8_lossy(v.data()).into_owned())
                }
                _ => return Err(format!("the column {name} needs numbers or words")),
            };
            columns.push(column.map_err(wrong)?.into_iter());
        }
        loop {
            let row: Vec<Option<String>> = columns.iter_mut().map(Iterator::next).collect();
            match row.iter().flatten().count() {
                0 => break,
                count if count == row.len() => push_csv_row(&mut text, row.into_iter().flatten()),
                _ => return Err("its columns are of different lengths".to_owned()),
            }
        }
    }
    Ok(FromParquet { text, kinds })
}

/// The fields of a column, empty where there is none.
fn fields<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    nulls: bool,
    show: impl Fn(&T::T) -> String,
) -> Result<Vec<String>, ParquetError> {
    let mut fields = Vec::new();
    loop {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let (rows, _, _) = reader.read_records(BATCH, nulls.then_some(&mut levels), None, &mut values)?;
        if rows == 0 {
            return Ok(fields);
        }
        let mut values = values.iter().map(&show);
        if nulls {
            fields.extend(levels.iter().map(|level| if *level > 0 { values.next() } else { None }.unwrap_or_default()));
        } else {
            fields.extend(values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for rows in [0, 1, 7, BATCH + 5] {
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
