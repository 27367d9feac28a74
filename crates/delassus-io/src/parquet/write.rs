//! Columns into the bytes of a file: one page of values after the other, and at the end a table of what stands where.

use std::collections::HashMap;

use super::thrift::Value;
use super::{
    BYTE_ARRAY, ColumnKind, DATA_PAGE, DICTIONARY_PAGE, DOUBLE, INT64, MAGIC, PLAIN, RLE, RLE_DICTIONARY, SNAPPY,
};
use super::{OPTIONAL, packed};

/// Rows of a page at most.
const PAGE: usize = 1 << 16;
/// Different values of a column that a dictionary may hold.
const DICTIONARY: usize = 1 << 16;

/// A file as far as it is written.
pub(super) struct File {
    bytes: Vec<u8>,
    groups: Vec<Value>,
    rows: usize,
}

impl File {
    pub fn new() -> Self {
        Self { bytes: MAGIC.to_vec(), groups: Vec::new(), rows: 0 }
    }

    /// Adds rows, given by columns.
    pub fn push_group(
        &mut self,
        names: &[String],
        kinds: &[ColumnKind],
        columns: &[Vec<String>],
    ) -> Result<(), String> {
        let start = self.bytes.len();
        let rows = columns.first().map_or(0, Vec::len);
        let (mut chunks, mut size) = (Vec::new(), 0);
        for ((name, kind), column) in names.iter().zip(kinds).zip(columns) {
            let place = self.bytes.len();
            let values = Values::of(column, *kind)
                .map_err(|field| format!("{field:?} in the column {name} is not of its kind"))?;
            let mut chunk = Chunk { bytes: &mut self.bytes, plain_size: 0, dictionary: None };
            let data = values.write(column, &mut chunk)?;
            let (plain_size, dictionary) = (chunk.plain_size, chunk.dictionary);
            size += plain_size;
            let encodings = if dictionary.is_some() { [PLAIN, RLE, RLE_DICTIONARY].as_slice() } else { &[PLAIN, RLE] };
            let mut fields = vec![
                (1, Value::Small(physical(*kind))),
                (2, Value::List(encodings.iter().map(|encoding| Value::Small(*encoding)).collect())),
                (3, Value::List(vec![Value::text(name)])),
                (4, Value::Small(SNAPPY)),
                (5, large(rows)),
                (6, large(plain_size)),
                (7, large(self.bytes.len() - place)),
                (9, large(data)),
            ];
            fields.extend(dictionary.map(|at| (11, large(at))));
            chunks.push(Value::table([(2, large(place)), (3, Value::Table(fields))]));
        }
        let packed_size = self.bytes.len() - start;
        self.groups.push(Value::table([
            (1, Value::List(chunks)),
            (2, large(size)),
            (3, large(rows)),
            (5, large(start)),
            (6, large(packed_size)),
        ]));
        self.rows += rows;
        Ok(())
    }

    /// The bytes of the file, with a text of its own under a key.
    pub fn finish(mut self, names: &[String], kinds: &[ColumnKind], text: Option<(&str, &str)>) -> Vec<u8> {
        let root = Value::table([(4, Value::text("table")), (5, Value::Small(names.len() as i32))]);
        let mut schema = vec![root];
        for (name, kind) in names.iter().zip(kinds) {
            let mut fields =
                vec![(1, Value::Small(physical(*kind))), (3, Value::Small(OPTIONAL)), (4, Value::text(name))];
            if *kind == ColumnKind::Word {
                // Text, as old readers and as new ones know it.
                fields.extend([(6, Value::Small(0)), (10, Value::table([(1, Value::table([]))]))]);
            }
            schema.push(Value::Table(fields));
        }
        let mut fields =
            vec![(1, Value::Small(1)), (2, Value::List(schema)), (3, large(self.rows)), (4, Value::List(self.groups))];
        if let Some((key, text)) = text {
            fields.push((5, Value::List(vec![Value::table([(1, Value::text(key)), (2, Value::text(text))])])));
        }
        fields.push((6, Value::text(concat!("delassus ", env!("CARGO_PKG_VERSION")))));
        let start = self.bytes.len();
        Value::Table(fields).write(&mut self.bytes);
        let length = (self.bytes.len() - start) as u32;
        self.bytes.extend_from_slice(&length.to_le_bytes());
        self.bytes.extend_from_slice(MAGIC);
        self.bytes
    }
}

fn large(count: usize) -> Value {
    Value::Large(count as i64)
}

fn physical(kind: ColumnKind) -> i32 {
    match kind {
        ColumnKind::Whole => INT64,
        ColumnKind::Number => DOUBLE,
        ColumnKind::Word => BYTE_ARRAY,
    }
}

/// The different values of a column, and which one stands in each row that has one.
#[derive(Default)]
struct Values {
    /// In the order in which they come first.
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    indices: Vec<u32>,
}

impl Values {
    /// # Errors
    /// A field that is not of its kind.
    fn of(column: &[String], kind: ColumnKind) -> Result<Self, &str> {
        let mut values = Self::default();
        let mut known = HashMap::new();
        for field in column.iter().filter(|field| !field.is_empty()) {
            let next = values.ends.len() as u32;
            let index = *known.entry(field.as_str()).or_insert(next);
            if index == next {
                match kind {
                    ColumnKind::Whole => {
                        let value: i64 = field.parse().map_err(|_| field.as_str())?;
                        values.bytes.extend_from_slice(&value.to_le_bytes());
                    }
                    ColumnKind::Number => {
                        let value: f64 = field.parse().map_err(|_| field.as_str())?;
                        values.bytes.extend_from_slice(&value.to_le_bytes());
                    }
                    ColumnKind::Word => {
                        values.bytes.extend_from_slice(&(field.len() as u32).to_le_bytes());
                        values.bytes.extend_from_slice(field.as_bytes());
                    }
                }
                values.ends.push(values.bytes.len());
            }
            values.indices.push(index);
        }
        Ok(values)
    }

    fn value(&self, index: u32) -> &[u8] {
        let index = index as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }

    /// Writes the pages of a column; returns where its data begin.
    fn write(&self, column: &[String], chunk: &mut Chunk<'_>) -> Result<usize, String> {
        let different = self.ends.len();
        // Values that come once are shorter by themselves.
        let by_dictionary = different <= DICTIONARY && 2 * different <= self.indices.len() && different > 0;
        if by_dictionary {
            chunk.dictionary = Some(chunk.bytes.len());
            let head = Value::table([(1, Value::Small(different as i32)), (2, Value::Small(PLAIN))]);
            chunk.push_page(DICTIONARY_PAGE, 7, head, &self.bytes)?;
        }
        let data = chunk.bytes.len();
        let width = packed::width(different.saturating_sub(1) as u32);
        let mut rest = &self.indices[..];
        for rows in column.chunks(PAGE) {
            let levels: Vec<u32> = rows.iter().map(|field| u32::from(!field.is_empty())).collect();
            let mut body = vec![0; 4];
            packed::pack(&levels, 1, &mut body);
            let length = (body.len() - 4) as u32;
            body[..4].copy_from_slice(&length.to_le_bytes());
            let here = levels.iter().sum::<u32>() as usize;
            let (indices, later) = rest.split_at(here);
            rest = later;
            if by_dictionary {
                body.push(width as u8);
                packed::pack(indices, width, &mut body);
            } else {
                indices.iter().for_each(|index| body.extend_from_slice(self.value(*index)));
            }
            let encoding = if by_dictionary { RLE_DICTIONARY } else { PLAIN };
            let counts = [(1, rows.len() as i32), (2, encoding), (3, RLE), (4, RLE)];
            let head = Value::table(counts.map(|(field, value)| (field, Value::Small(value))));
            chunk.push_page(DATA_PAGE, 5, head, &body)?;
        }
        Ok(data)
    }
}

/// The pages of a column.
struct Chunk<'a> {
    bytes: &'a mut Vec<u8>,
    /// Bytes of the pages if they were not compressed.
    plain_size: usize,
    /// Where the dictionary stands.
    dictionary: Option<usize>,
}

impl Chunk<'_> {
    /// Adds a page with the head of its kind, which stands in this field.
    fn push_page(&mut self, kind: i32, field: i16, head: Value, body: &[u8]) -> Result<(), String> {
        let size = |bytes: &[u8]| i32::try_from(bytes.len()).map_err(|_| "a page is longer than 2 GB".to_owned());
        let compressed = snap::raw::Encoder::new().compress_vec(body).map_err(|e| e.to_string())?;
        let sizes = [(1, kind), (2, size(body)?), (3, size(&compressed)?)];
        let mut fields: Vec<_> = sizes.map(|(field, value)| (field, Value::Small(value))).into();
        fields.push((field, head));
        let before = self.bytes.len();
        Value::Table(fields).write(self.bytes);
        self.plain_size += self.bytes.len() - before + body.len();
        self.bytes.extend_from_slice(&compressed);
        Ok(())
    }
}
