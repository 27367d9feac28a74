//! The columns of a file as fields of a table.

use super::packed::unpack;
use super::thrift::{Bytes, Value};
use super::{
    BOOLEAN, BYTE_ARRAY, ColumnKind, DATA_PAGE, DATA_PAGE_2, DICTIONARY_PAGE, DOUBLE, FLOAT, INT32, INT64, MAGIC,
    OPTIONAL, PLAIN, PLAIN_DICTIONARY, REPEATED, RLE, RLE_DICTIONARY, SNAPPY,
};
use crate::csv::csv_number;

/// What a file says of its data.
pub(super) struct Metadata(Value);

/// A column of plain values.
pub(super) struct Column {
    pub name: String,
    pub kind: ColumnKind,
    /// Its place among the columns of the file.
    place: usize,
    physical: i32,
    nulls: bool,
}

fn damaged() -> String {
    "the file is damaged".to_owned()
}

impl Metadata {
    /// What stands at the end of a file.
    pub fn of(bytes: &[u8]) -> Result<Self, String> {
        let inner = bytes.strip_prefix(MAGIC).and_then(|rest| rest.strip_suffix(MAGIC)).ok_or_else(damaged)?;
        let (inner, length) = inner.split_last_chunk().ok_or_else(damaged)?;
        let start = inner.len().checked_sub(u32::from_le_bytes(*length) as usize).ok_or_else(damaged)?;
        let metadata = Self(Bytes(&inner[start..]).table().ok_or_else(damaged)?);
        // A row takes a bit somewhere, unless all columns are constant.
        let rows = metadata.groups().iter().map(rows).sum::<Option<usize>>().ok_or_else(damaged)?;
        if rows / 64 > bytes.len() + (1 << 16) {
            return Err(damaged());
        }
        Ok(metadata)
    }

    /// The text under a key.
    pub fn text(&self, key: &str) -> Option<String> {
        self.0.list(5).iter().find(|entry| entry.words(1).as_deref() == Some(key))?.words(2)
    }

    /// The row groups.
    pub fn groups(&self) -> &[Value] {
        self.0.list(4)
    }

    /// The columns, but for the index that pandas adds.
    pub fn columns(&self) -> Result<Vec<Column>, String> {
        let mut columns = Vec::new();
        // The first element is the table itself.
        for (place, element) in self.0.list(2).iter().skip(1).enumerate() {
            let name = element.words(4).ok_or_else(damaged)?;
            let repetition = element.whole(3).unwrap_or(0);
            if element.count(5).is_some_and(|children| children > 0) || repetition == i64::from(REPEATED) {
                return Err(format!(
                    "the column {name} holds lists or tables; plain columns are needed, such as {name}[0]"
                ));
            }
            if name.starts_with("__index_level_") {
                continue;
            }
            let physical = element.whole(1).and_then(|v| i32::try_from(v).ok()).ok_or_else(damaged)?;
            let kind = match physical {
                BOOLEAN | INT32 | INT64 => ColumnKind::Whole,
                FLOAT | DOUBLE => ColumnKind::Number,
                BYTE_ARRAY => ColumnKind::Word,
                other => {
                    let other = if other == 3 { "INT96" } else { "FIXED_LEN_BYTE_ARRAY" };
                    return Err(format!("the column {name} is of the type {other}; needs numbers or words"));
                }
            };
            columns.push(Column { name, kind, place, physical, nulls: repetition == i64::from(OPTIONAL) });
        }
        Ok(columns)
    }
}

/// The rows of a group.
fn rows(group: &Value) -> Option<usize> {
    group.count(3)
}

impl Column {
    /// The fields of this column in a row group, empty where there is none.
    pub fn fields(&self, file: &[u8], group: &Value) -> Result<Vec<String>, String> {
        let wrong = |text: &str| format!("the column {}: {text}", self.name);
        let broken = || wrong("is damaged");
        let chunk = group.list(1).get(self.place).and_then(|chunk| chunk.get(3)).ok_or_else(broken)?;
        let codec = chunk.whole(4).ok_or_else(broken)?;
        if codec != 0 && codec != i64::from(SNAPPY) {
            return Err(format!(
                "the column {} is compressed in a way that is not read here; needs snappy or none",
                self.name
            ));
        }
        let rows = rows(group).ok_or_else(broken)?;
        if chunk.count(5) != Some(rows) || chunk.whole(1) != Some(i64::from(self.physical)) {
            return Err(broken());
        }
        let start = [chunk.count(11), chunk.count(9)].into_iter().flatten().filter(|at| *at > 0).min();
        let mut pages = Bytes(start.and_then(|at| file.get(at..)).ok_or_else(broken)?);
        let (mut fields, mut dictionary) = (Vec::new(), Vec::new());
        while fields.len() < rows {
            let page = Page::next(&mut pages, codec != 0).ok_or_else(broken)?;
            if page.kind == DICTIONARY_PAGE {
                let values = page.values(self, Bytes(&page.body), page.count, &[]);
                dictionary = values.map_err(|text| wrong(&text))?;
                continue;
            }
            if page.count > rows - fields.len() {
                return Err(broken());
            }
            let (levels, values) = page.split(self.nulls).ok_or_else(broken)?;
            let there = levels.as_ref().map_or(page.count, |levels| levels.iter().filter(|l| **l > 0).count());
            let values = page.values(self, values, there, &dictionary).map_err(|text| wrong(&text))?;
            let mut values = values.into_iter();
            match levels {
                None => fields.extend(values),
                Some(levels) => {
                    fields.extend(levels.iter().map(|l| if *l > 0 { values.next() } else { None }.unwrap_or_default()));
                }
            }
        }
        Ok(fields)
    }

    /// One value as it stands in a file, as a field.
    fn field(&self, bytes: &mut Bytes<'_>) -> Option<String> {
        Some(match self.physical {
            INT32 => i32::from_le_bytes(bytes.array()?).to_string(),
            INT64 => i64::from_le_bytes(bytes.array()?).to_string(),
            FLOAT => csv_number(f64::from(f32::from_le_bytes(bytes.array()?))),
            DOUBLE => csv_number(f64::from_le_bytes(bytes.array()?)),
            _ => {
                let length = u32::from_le_bytes(bytes.array()?) as usize;
                String::from_utf8_lossy(bytes.take(length)?).into_owned()
            }
        })
    }
}

/// Values that are stored together.
struct Page {
    kind: i32,
    head: Value,
    body: Vec<u8>,
    /// Values, nulls among them.
    count: usize,
    encoding: i32,
}

impl Page {
    /// The next one that holds values.
    fn next(bytes: &mut Bytes<'_>, compressed: bool) -> Option<Self> {
        loop {
            let head = bytes.table()?;
            let stored = bytes.take(head.count(3)?)?;
            let kind = head.whole(1).and_then(|kind| i32::try_from(kind).ok())?;
            let (field, encoding) = match kind {
                DATA_PAGE => (5, 2),
                DICTIONARY_PAGE => (7, 2),
                DATA_PAGE_2 => (8, 4),
                _ => continue,
            };
            let own = head.get(field)?.clone();
            // In pages of the second kind the levels come first and are never compressed.
            let plain = if kind == DATA_PAGE_2 { own.count(5)?.checked_add(own.count(6)?)? } else { 0 };
            let (levels, values) = stored.split_at_checked(plain)?;
            let mut body = levels.to_vec();
            if compressed && !matches!(own.get(7), Some(Value::Flag(false))) && !values.is_empty() {
                let size = snap::raw::decompress_len(values).ok()?;
                // Nothing gets shorter than by this factor; a damaged length may not ask for more memory.
                if size > 64 * values.len() || size.checked_add(plain) != head.count(2) {
                    return None;
                }
                body.extend(snap::raw::Decoder::new().decompress_vec(values).ok()?);
            } else {
                body.extend_from_slice(values);
            }
            let encoding = own.whole(encoding).and_then(|encoding| i32::try_from(encoding).ok())?;
            return Some(Self { kind, count: own.count(1)?, encoding, head: own, body });
        }
    }

    /// Levels that are 0 where a value is null, and the values.
    fn split(&self, nulls: bool) -> Option<(Option<Vec<u32>>, Bytes<'_>)> {
        let mut body = Bytes(&self.body);
        if self.kind == DATA_PAGE_2 {
            let repetitions = self.head.count(6)?;
            body.take(repetitions)?;
            let levels = body.take(self.head.count(5)?)?;
            return Some((if nulls { Some(unpack(Bytes(levels), 1, self.count)?) } else { None }, body));
        }
        if !nulls {
            return Some((None, body));
        }
        // The oldest way to store levels is not written any more.
        (self.head.whole(3)? == i64::from(RLE)).then_some(())?;
        let length = u32::from_le_bytes(body.array()?) as usize;
        let levels = unpack(Bytes(body.take(length)?), 1, self.count)?;
        Some((Some(levels), body))
    }

    /// So many values as fields.
    fn values(
        &self,
        column: &Column,
        bytes: Bytes<'_>,
        count: usize,
        dictionary: &[String],
    ) -> Result<Vec<String>, String> {
        let values = match (self.encoding, column.physical) {
            (PLAIN, BOOLEAN) => flags(bytes.0, count),
            (PLAIN | PLAIN_DICTIONARY, _) if self.kind == DICTIONARY_PAGE || self.encoding == PLAIN => {
                let mut bytes = bytes;
                (0..count).map(|_| column.field(&mut bytes)).collect()
            }
            (RLE_DICTIONARY | PLAIN_DICTIONARY, _) => by_dictionary(bytes, count, dictionary),
            (RLE, BOOLEAN) => runs_of_flags(bytes, count),
            (encoding, _) => return Err(format!("is stored in a way that is not read here (encoding {encoding})")),
        };
        values.ok_or_else(|| "is damaged".to_owned())
    }
}

/// Flags, a bit each.
fn flags(bytes: &[u8], count: usize) -> Option<Vec<String>> {
    (0..count).map(|k| Some(((bytes.get(k / 8)? >> (k % 8)) & 1).to_string())).collect()
}

fn runs_of_flags(mut bytes: Bytes<'_>, count: usize) -> Option<Vec<String>> {
    let length = u32::from_le_bytes(bytes.array()?) as usize;
    let flags = unpack(Bytes(bytes.take(length)?), 1, count)?;
    Some(flags.iter().map(u32::to_string).collect())
}

fn by_dictionary(mut bytes: Bytes<'_>, count: usize, dictionary: &[String]) -> Option<Vec<String>> {
    if count == 0 {
        return Some(Vec::new());
    }
    let width = u32::from(bytes.byte()?);
    let indices = unpack(bytes, width, count)?;
    indices.iter().map(|index| dictionary.get(*index as usize).cloned()).collect()
}
