//! Lists of numbers: of which type, and where.

use std::borrow::Cow;
use std::io::Read;

use super::objects::{DATASPACE, DATATYPE, FILL, FILL_OLD, FILTERS, LAYOUT, Messages, leaves};
use super::{Cursor, Fault, File};

/// Numbers are compressed to no less than one of so many bytes.
const MOST_COMPRESSED: usize = 1100;

const OTHER_TYPES: &str = "values other than whole numbers and numbers of 32 or 64 bits";
// What HDF5's own tool mends; in the message "are not read here" follows.
const CHUNKS: &str = "chunks in the latest format, which `h5repack -l CONTI -f NONE OLD NEW` writes in one piece,";
const TABLES: &str = "chunks of tables, which `h5repack -l CONTI -f NONE OLD NEW` writes in one piece,";

/// How a number is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Type {
    float: bool,
    signed: bool,
    /// The highest byte comes first.
    reversed: bool,
    size: usize,
}

impl Type {
    fn of(mut message: Cursor<'_>) -> Result<Self, Fault> {
        let class = message.byte()? & 15;
        let bits = message.number(3)?;
        let size = message.count(4)?;
        if class > 1 {
            return Err(Fault::Unknown(OTHER_TYPES));
        }
        let (offset, precision) = (message.number(2)?, message.number(2)?);
        let plain = offset == 0 && precision as usize == 8 * size;
        let (reversed, signed) = (bits & 1 != 0, bits & 8 != 0);
        // Where exponent and mantissa stand, and what is added to the exponent.
        let known = match (class, size) {
            (0, 1 | 2 | 4 | 8) => plain,
            (1, 4) => plain && message.take(8)? == [23, 8, 0, 23, 127, 0, 0, 0],
            (1, 8) => plain && message.take(8)? == [52, 11, 0, 52, 255, 3, 0, 0],
            _ => false,
        };
        if !known || (class == 1 && bits & 0x40 != 0) {
            return Err(Fault::Unknown(OTHER_TYPES));
        }
        Ok(Self { float: class == 1, signed, reversed, size })
    }

    /// The bits of a number of this type, its highest byte last.
    fn bits(self, stored: &[u8]) -> u64 {
        // What nearly all files have, without going byte by byte.
        if let (false, Ok(stored)) = (self.reversed, <[u8; 8]>::try_from(stored)) {
            return u64::from_le_bytes(stored);
        }
        if let (false, Ok(stored)) = (self.reversed, <[u8; 4]>::try_from(stored)) {
            return u64::from(u32::from_le_bytes(stored));
        }
        let push = |number: u64, byte: &u8| (number << 8) | u64::from(*byte);
        if self.reversed { stored.iter().fold(0, push) } else { stored.iter().rev().fold(0, push) }
    }

    fn whole(self, stored: &[u8]) -> i128 {
        let (bits, unused) = (self.bits(stored), 64 - 8 * self.size);
        if self.signed { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits) }
    }
}

/// A stored number as one of 64 bits.
fn number(kind: Type, stored: &[u8]) -> f64 {
    match (kind.float, kind.size) {
        (true, 4) => f64::from(f32::from_bits(kind.bits(stored) as u32)),
        (true, _) => f64::from_bits(kind.bits(stored)),
        (false, _) => kind.whole(stored) as f64,
    }
}

/// A stored number as a whole one.
fn integer(kind: Type, stored: &[u8]) -> Result<i32, Fault> {
    let value = if kind.float { None } else { i32::try_from(kind.whole(stored)).ok() };
    value.ok_or(Fault::Unknown("numbers other than whole ones of 32 bits"))
}

/// A list of numbers as it is stored: what stands in one piece stays where it is in the file's bytes.
pub(in super::super) struct List<'a> {
    kind: Type,
    data: Cow<'a, [u8]>,
    /// Where that is.
    begin: Option<usize>,
}

/// Where a list stands in the file's bytes.
pub(in super::super) struct Place {
    kind: Type,
    begin: usize,
    length: usize,
}

impl Place {
    /// Where its first `count` numbers end.
    pub fn end(&self, count: usize) -> usize {
        self.begin + count * self.kind.size
    }

    /// The list, as far as there are bytes.
    pub fn list<'a>(&self, bytes: &'a [u8]) -> List<'a> {
        let end = bytes.len().min(self.begin + self.length);
        let data = Cow::Borrowed(bytes.get(self.begin..end).unwrap_or_default());
        List { kind: self.kind, data, begin: Some(self.begin) }
    }
}

impl List<'_> {
    pub fn len(&self) -> usize {
        self.data.len() / self.kind.size
    }

    /// Where it stands in the file's bytes, if in one piece.
    pub fn place(&self) -> Option<Place> {
        self.begin.map(|begin| Place { kind: self.kind, begin, length: self.data.len() })
    }

    fn stored(&self, k: usize) -> &[u8] {
        &self.data[k * self.kind.size..][..self.kind.size]
    }

    /// An entry as a number of 64 bits.
    pub fn number(&self, k: usize) -> f64 {
        number(self.kind, self.stored(k))
    }

    /// An entry as a whole number.
    pub fn integer(&self, k: usize) -> Result<i32, Fault> {
        integer(self.kind, self.stored(k))
    }

    pub fn numbers(&self) -> Vec<f64> {
        (0..self.len()).map(|k| self.number(k)).collect()
    }

    pub fn integers(&self) -> Result<Vec<i32>, Fault> {
        (0..self.len()).map(|k| self.integer(k)).collect()
    }
}

/// A list, with all that is to be undone before its numbers can be read.
pub(super) fn list<'a>(file: &'a File, object: &Messages<'a>) -> Result<List<'a>, Fault> {
    let message = |kind| object.get(kind).ok_or(Fault::Missing);
    let kind = Type::of(message(DATATYPE)?)?;
    let (rank, count) = entries(message(DATASPACE)?)?;
    let size = count.checked_mul(kind.size).ok_or(Fault::Damaged)?;
    let mut layout = message(LAYOUT)?;
    let version = layout.byte()?;
    if version < 3 {
        return Err(Fault::Unknown("lists stored by the first versions of the format"));
    }
    // Lists without a place were never written and hold one value throughout; those are not to fill the memory.
    let sane = size <= file.bytes.len().saturating_mul(MOST_COMPRESSED);
    let mut begin = None;
    let data = match layout.byte()? {
        0 => {
            let length = layout.count(2)?;
            Cow::Borrowed(layout.take(length)?)
        }
        1 => {
            let place = layout.address()?;
            if sane && place == file.nowhere() {
                Cow::Owned(unwritten(object, kind.size, count)?)
            } else {
                let mut from = file.at(place)?;
                begin = Some(file.bytes.len() - from.rest.len());
                Cow::Borrowed(from.take(size)?)
            }
        }
        2 if !sane => return Err(Fault::Damaged),
        2 if version > 4 => return Err(Fault::Unknown(CHUNKS)),
        2 if rank != 1 => return Err(Fault::Unknown(TABLES)),
        2 => {
            let filters = object.get(FILTERS).map_or(Ok(Vec::new()), filters)?;
            let mut data = unwritten(object, kind.size, count)?;
            for (start, length, stored, mask) in chunks(file, version, layout, kind.size, !filters.is_empty())? {
                let mut chunk = stored.to_vec();
                for (k, filter) in filters.iter().enumerate().rev() {
                    if (mask >> k.min(31)) & 1 == 0 {
                        chunk = filter.undo(chunk, length, kind.size)?;
                    }
                }
                if chunk.len() != length {
                    return Err(Fault::Damaged);
                }
                // The last one may reach beyond the end.
                let rest = data.get_mut(start..).ok_or(Fault::Damaged)?;
                let shared = rest.len().min(length);
                rest[..shared].copy_from_slice(&chunk[..shared]);
            }
            Cow::Owned(data)
        }
        _ => return Err(Fault::Unknown("lists spread over other files")),
    };
    if data.len() != size {
        return Err(Fault::Damaged);
    }
    Ok(List { kind, data, begin })
}

/// The bytes of a list that nothing was written to: in each place the value to fill with that was stored with the list, else zero.
fn unwritten(object: &Messages<'_>, size: usize, count: usize) -> Result<Vec<u8>, Fault> {
    let value = match (object.get(FILL), object.get(FILL_OLD)) {
        (Some(mut message), _) => match message.byte()? {
            version @ (1 | 2) => {
                message.take(2)?;
                let defined = message.byte()? == 1;
                if defined || version == 1 { value_of(&mut message)? } else { &[] }
            }
            3 => {
                let defined = message.byte()? & 0x20 != 0;
                if defined { value_of(&mut message)? } else { &[] }
            }
            _ => return Err(Fault::Damaged),
        },
        (None, Some(mut message)) => value_of(&mut message)?,
        (None, None) => &[],
    };
    match value.len() {
        0 => Ok(vec![0; size * count]),
        length if length == size => Ok(value.repeat(count)),
        _ => Err(Fault::Damaged),
    }
}

/// The length of a value in four bytes, and its bytes.
fn value_of<'a>(message: &mut Cursor<'a>) -> Result<&'a [u8], Fault> {
    let length = message.count(4)?;
    message.take(length)
}

/// The number of dimensions, and of entries in all of them.
fn entries(mut space: Cursor<'_>) -> Result<(usize, usize), Fault> {
    let version = space.byte()?;
    let rank = usize::from(space.byte()?);
    space.take(1)?;
    match version {
        1 => {
            space.take(5)?;
        }
        // Without any entry.
        2 if space.byte()? == 2 => return Ok((rank, 0)),
        2 => {}
        _ => return Err(Fault::Damaged),
    }
    let mut count = 1usize;
    for _ in 0..rank {
        count = count.checked_mul(space.length()?).ok_or(Fault::Damaged)?;
    }
    Ok((rank, count))
}

/// Where a chunk begins in its list, how long it is, what is stored of it and which filters were left out.
type Chunk<'a> = (usize, usize, &'a [u8], u32);

fn chunks<'a>(
    file: &'a File,
    version: u8,
    mut layout: Cursor<'_>,
    size: usize,
    filtered: bool,
) -> Result<Vec<Chunk<'a>>, Fault> {
    let bytes = |entries: usize| entries.checked_mul(size).ok_or(Fault::Damaged);
    let flags = if version == 4 { layout.byte()? } else { 0 };
    if layout.byte()? != 2 {
        return Err(Fault::Damaged);
    }
    if version == 4 {
        let width = usize::from(layout.byte()?);
        let length = bytes(layout.count(width.min(8))?)?;
        layout.take(width)?;
        if layout.byte()? != 1 {
            return Err(Fault::Unknown(CHUNKS));
        }
        let (stored, mask) =
            if filtered && flags & 2 != 0 { (layout.length()?, layout.number(4)? as u32) } else { (length, 0) };
        let place = layout.address()?;
        if place == file.nowhere() {
            return Ok(Vec::new());
        }
        return Ok(vec![(0, length, file.at(place)?.take(stored)?, mask)]);
    }
    let tree = layout.address()?;
    let length = bytes(layout.count(4)?)?;
    // A list that nothing was written to has no tree.
    if tree == file.nowhere() {
        return Ok(Vec::new());
    }
    let key = |key: &mut Cursor<'_>| {
        let (stored, mask, first) = (key.count(4)?, key.number(4)? as u32, key.count(8)?);
        // The place within an entry, which is none.
        key.take(8)?;
        Ok((stored, mask, first))
    };
    let leaves = leaves(file, tree, 1, key)?.into_iter();
    leaves.map(|((stored, mask, first), at)| Ok((bytes(first)?, length, file.at(at)?.take(stored)?, mask))).collect()
}

/// What was done to a chunk before it was stored.
enum Filter {
    Deflate,
    /// First the first bytes of all numbers, then the second ones, and so on.
    Shuffle,
    /// A checksum of four bytes at the end.
    Sum,
}

fn filters(mut message: Cursor<'_>) -> Result<Vec<Filter>, Fault> {
    let version = message.byte()?;
    let count = message.byte()?;
    message.take(if version == 1 { 6 } else { 0 })?;
    let mut found = Vec::new();
    for _ in 0..count {
        let number = message.number(2)?;
        let name = if version == 1 || number >= 256 { message.count(2)? } else { 0 };
        message.take(2)?;
        let values = message.count(2)?;
        message.take(name)?;
        message.take(4 * values + if version == 1 && values % 2 == 1 { 4 } else { 0 })?;
        found.push(match number {
            1 => Filter::Deflate,
            2 => Filter::Shuffle,
            3 => Filter::Sum,
            _ => return Err(Fault::Unknown("lists compressed otherwise than by deflate (gzip)")),
        });
    }
    Ok(found)
}

impl Filter {
    fn undo(&self, stored: Vec<u8>, length: usize, size: usize) -> Result<Vec<u8>, Fault> {
        match self {
            Self::Deflate => {
                let mut out = Vec::new();
                // One byte more would be wrong; a sum may follow.
                let most = length as u64 + 4;
                let read = flate2::read::ZlibDecoder::new(&stored[..]).take(most).read_to_end(&mut out);
                read.map(|_| out).map_err(|_| Fault::Damaged)
            }
            Self::Shuffle => {
                let count = stored.len() / size;
                let mut out = stored.clone();
                for (k, number) in out.chunks_exact_mut(size).enumerate() {
                    number.iter_mut().enumerate().for_each(|(b, byte)| *byte = stored[b * count + k]);
                }
                Ok(out)
            }
            Self::Sum => {
                let (data, sum) = stored.split_last_chunk::<4>().ok_or(Fault::Damaged)?;
                let (expected, found) = (fletcher32(data), u32::from_le_bytes(*sum));
                // The first versions of HDF5 exchanged the bytes within both halves, and its library still takes that.
                let exchanged = (expected & 0x00ff_00ff) << 8 | (expected >> 8) & 0x00ff_00ff;
                if found == expected || found == exchanged { Ok(data.to_vec()) } else { Err(Fault::WrongSum) }
            }
        }
    }
}

/// Fletcher's checksum of words of 16 bits, the higher byte first; an odd byte at the end is the higher one of a word.
/// Both sums are taken modulo 2¹⁶ − 1 by adding what is above 16 bits to what is below, which leaves 65535 where a
/// division would leave 0.
pub(super) fn fletcher32(data: &[u8]) -> u32 {
    let fold = |sum: u32| (sum & 0xffff) + (sum >> 16);
    let (mut first, mut second) = (0u32, 0u32);
    // So many words cannot overflow the second sum.
    for block in data.chunks(2 * 360) {
        for word in block.chunks(2) {
            first += u32::from(word[0]) << 8 | u32::from(word.get(1).copied().unwrap_or(0));
            second += first;
        }
        (first, second) = (fold(first), fold(second));
    }
    (first, second) = (fold(first), fold(second));
    second << 16 | first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published values of Fletcher's sum for words of 16 bits, which count the lower byte first, so letters are exchanged.
    #[test]
    fn known_sums() {
        let exchanged = |text: &str| -> Vec<u8> {
            let padded = text.len().next_multiple_of(2);
            let mut bytes = text.as_bytes().to_vec();
            bytes.resize(padded, 0);
            bytes.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect()
        };
        assert_eq!(fletcher32(&exchanged("abcde")), 0xF04F_C729);
        assert_eq!(fletcher32(&exchanged("abcdef")), 0x5650_2D2A);
        assert_eq!(fletcher32(&exchanged("abcdefgh")), 0xEBE1_9591);
        assert_eq!(fletcher32(&[0xff; 2]), 0xffff_ffff);
        // By the definition, modulo 65535, over more than one block.
        let long: Vec<u8> = (0..5001u32).map(|k| (k * 7 + k / 251) as u8).collect();
        let (mut first, mut second) = (0u64, 0u64);
        for word in long.chunks(2) {
            first = (first + 256 * u64::from(word[0]) + word.get(1).map_or(0, |b| u64::from(*b))) % 65535;
            second = (second + first) % 65535;
        }
        assert_eq!(u64::from(fletcher32(&long)), second << 16 | first);
    }

    #[test]
    fn a_sum_that_does_not_fit_is_told() {
        let mut stored = b"twelve bytes".to_vec();
        let sum = fletcher32(&stored);
        stored.extend(sum.to_le_bytes());
        assert_eq!(Filter::Sum.undo(stored.clone(), 12, 4).unwrap(), b"twelve bytes");
        for k in 0..stored.len() {
            let mut changed = stored.clone();
            changed[k] ^= 1;
            assert_eq!(Filter::Sum.undo(changed, 12, 4), Err(Fault::WrongSum), "byte {k}");
        }
        let [a, b, c, d] = sum.to_le_bytes();
        stored[12..].copy_from_slice(&[b, a, d, c]);
        assert!(Filter::Sum.undo(stored, 12, 4).is_ok(), "as the first versions wrote it");
    }
}
