//! Thrift's compact protocol, in which Parquet says what its data are: tables with numbered fields.

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Flag(bool),
    /// Of 32 bits, or fewer.
    Small(i32),
    Large(i64),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    /// Fields by ascending number.
    Table(Vec<(i16, Value)>),
}

/// Tables and lists within each other at most; Parquet has seven.
const DEEPEST: usize = 16;

// Kinds of values in the file.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const INT16: u8 = 4;
const INT32: u8 = 5;
const INT64: u8 = 6;
const DOUBLE: u8 = 7;
const BYTES: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const TABLE: u8 = 12;

impl Value {
    /// A table of the fields that there are.
    pub fn table<const N: usize>(fields: [(i16, Value); N]) -> Self {
        Self::Table(fields.into())
    }

    pub fn text(text: &str) -> Self {
        Self::Bytes(text.as_bytes().to_vec())
    }

    /// A field of a table.
    pub fn get(&self, field: i16) -> Option<&Value> {
        let Self::Table(fields) = self else { return None };
        fields.iter().find(|(number, _)| *number == field).map(|(_, value)| value)
    }

    /// A whole number among the fields.
    pub fn whole(&self, field: i16) -> Option<i64> {
        match self.get(field)? {
            Self::Small(value) => Some(i64::from(*value)),
            Self::Large(value) => Some(*value),
            _ => None,
        }
    }

    /// A whole number among the fields that counts something, or is a place in the file.
    pub fn count(&self, field: i16) -> Option<usize> {
        self.whole(field).and_then(|value| usize::try_from(value).ok())
    }

    /// A text among the fields.
    pub fn words(&self, field: i16) -> Option<String> {
        let Self::Bytes(bytes) = self.get(field)? else { return None };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// A list among the fields; empty where there is none.
    pub fn list(&self, field: i16) -> &[Value] {
        if let Some(Self::List(items)) = self.get(field) { items } else { &[] }
    }

    /// The bytes of a table in a file.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Flag(flag) => out.push(if *flag { TRUE } else { FALSE }),
            Self::Small(value) => write_number(i64::from(*value), out),
            Self::Large(value) => write_number(*value, out),
            Self::Bytes(bytes) => {
                write_varint(bytes.len() as u64, out);
                out.extend_from_slice(bytes);
            }
            Self::List(items) => {
                // The number of entries may be given twice: in four bits only where they suffice.
                out.push(0xf0 | items.first().map_or(TABLE, Self::kind));
                write_varint(items.len() as u64, out);
                items.iter().for_each(|item| item.write(out));
            }
            Self::Table(fields) => {
                let mut last = 0;
                for (number, value) in fields {
                    debug_assert!(*number > last && *number <= last + 15, "fields by ascending number");
                    out.push((((number - last) as u8) << 4) | value.kind());
                    last = *number;
                    // The kind of a flag is its value.
                    if !matches!(value, Self::Flag(_)) {
                        value.write(out);
                    }
                }
                out.push(0);
            }
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Flag(true) => TRUE,
            Self::Flag(false) => FALSE,
            Self::Small(_) => INT32,
            Self::Large(_) => INT64,
            Self::Bytes(_) => BYTES,
            Self::List(_) => LIST,
            Self::Table(_) => TABLE,
        }
    }
}

/// Numbers of small size take few bytes, also negative ones: 0, −1, 1, −2, … become 0, 1, 2, 3, ….
fn write_number(value: i64, out: &mut Vec<u8>) {
    write_varint(((value << 1) ^ (value >> 63)) as u64, out);
}

/// Seven bits a byte, the lowest first; the highest bit says that another byte follows.
pub(super) fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Bytes that are read from their beginning; nothing is read beyond their end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next ones.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next ones, of a number known here.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    /// As [`write_varint`] has it.
    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn number(&mut self) -> Option<i64> {
        self.varint().map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A table; `None` where the bytes are none.
    pub fn table(&mut self) -> Option<Value> {
        self.value(TABLE, 0)
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        Some(match kind {
            TRUE | FALSE => Value::Flag(kind == TRUE),
            BYTE => Value::Small(i32::from(self.byte()? as i8)),
            INT16 | INT32 => Value::Small(i32::try_from(self.number()?).ok()?),
            INT64 => Value::Large(self.number()?),
            // None of the numbers that are needed.
            DOUBLE => Value::Large(i64::from_le_bytes(self.array()?)),
            BYTES => {
                let length = usize::try_from(self.varint()?).ok()?;
                Value::Bytes(self.take(length)?.to_vec())
            }
            LIST | SET => {
                let head = self.byte()?;
                let (length, kind) = (head >> 4, head & 15);
                let length = if length == 15 { self.varint()? } else { u64::from(length) };
                let mut items = Vec::new();
                for _ in 0..length {
                    // In lists a flag takes a byte.
                    let kind = if matches!(kind, TRUE | FALSE) { self.byte()? } else { kind };
                    items.push(self.value(kind, depth + 1)?);
                }
                Value::List(items)
            }
            TABLE => {
                let (mut fields, mut last) = (Vec::new(), 0i16);
                loop {
                    let head = self.byte()?;
                    if head == 0 {
                        break Value::Table(fields);
                    }
                    last = match head >> 4 {
                        0 => i16::try_from(self.number()?).ok()?,
                        step => last.checked_add(i16::from(step))?,
                    };
                    fields.push((last, self.value(head & 15, depth + 1)?));
                }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let list = Value::List((-20..20).map(|k| Value::Large(i64::from(k) << 40)).collect());
        let inner = Value::table([(2, Value::Flag(false)), (3, Value::text("ü")), (17, Value::Small(i32::MIN))]);
        let value =
            Value::table([(1, Value::Flag(true)), (4, list), (5, Value::List(vec![inner])), (6, Value::table([]))]);
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        assert_eq!(Bytes(&bytes).table().unwrap(), value);
        assert_eq!(value.list(5)[0].words(3).unwrap(), "ü");
        // Cut anywhere it is no table.
        assert!((0..bytes.len()).all(|end| Bytes(&bytes[..end]).table().is_none()));
        // Nor is one that never ends to go deeper.
        assert!(Bytes(&[0x1c; 100]).table().is_none());
    }

    #[test]
    fn numbers_are_those_of_the_specification() {
        for (value, expected) in [
            (0, &[0][..]),
            (-1, &[1]),
            (1, &[2]),
            (64, &[0x80, 1]),
            (i64::MIN, &[255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
        ] {
            let mut bytes = Vec::new();
            write_number(value, &mut bytes);
            assert_eq!(bytes, expected, "{value}");
            assert_eq!(Bytes(&bytes).number(), Some(value));
        }
    }
}
