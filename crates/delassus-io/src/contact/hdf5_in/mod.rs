//! Just enough of HDF5 to read lists of numbers by their path: what HDF5's own library writes unless it is asked for
//! its latest format, and the simple objects of that one too.

mod objects;
mod storage;

use objects::{Messages, links};
pub(super) use storage::{List, Place};

/// Bytes that may be looked at anywhere, but not beyond their end.
pub(super) struct File {
    bytes: Vec<u8>,
    /// Bytes of an address, and of a length.
    sizes: [usize; 2],
    /// Where addresses count from.
    base: u64,
    root: u64,
}

/// Why a list is not read.
#[derive(Debug, PartialEq)]
pub(super) enum Fault {
    /// No such object.
    Missing,
    /// What is there makes no sense.
    Damaged,
    /// The file has fewer bytes than it says.
    Short { has: usize, says: u64 },
    /// The numbers are not those of which the sum was stored.
    WrongSum,
    /// Something of the format that is not known here.
    Unknown(&'static str),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("there is no such list"),
            Self::Damaged => f.write_str("the file is damaged"),
            Self::Short { has, says } => write!(f, "it ends after {has} of {says} bytes"),
            Self::WrongSum => f.write_str("its checksum (fletcher32) does not fit its bytes; the file is damaged"),
            Self::Unknown(what) => write!(f, "{what} are not read here"),
        }
    }
}

/// Bytes from some place on.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    rest: &'a [u8],
    sizes: [usize; 2],
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Fault::Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    /// A whole number of so many bytes, the lowest first.
    fn number(&mut self, bytes: usize) -> Result<u64, Fault> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte)))
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.take(1)?[0])
    }

    /// A number of `bytes` bytes that counts what is in memory.
    fn count(&mut self, bytes: usize) -> Result<usize, Fault> {
        usize::try_from(self.number(bytes)?).map_err(|_| Fault::Damaged)
    }

    fn address(&mut self) -> Result<u64, Fault> {
        self.number(self.sizes[0])
    }

    fn length(&mut self) -> Result<usize, Fault> {
        self.count(self.sizes[1])
    }

    /// The mark that an object begins with.
    fn mark(&mut self, mark: &[u8]) -> Result<(), Fault> {
        if self.take(mark.len())? == mark { Ok(()) } else { Err(Fault::Damaged) }
    }
}

impl File {
    pub fn open(bytes: Vec<u8>) -> Result<Self, Fault> {
        let mut head = Cursor { rest: &bytes, sizes: [8, 8] };
        head.mark(b"\x89HDF\r\n\x1a\n")?;
        let version = head.byte()?;
        if version > 3 {
            return Err(Fault::Unknown("files of a version after 3"));
        }
        head.take(if version < 2 { 4 } else { 0 })?;
        head.sizes = [usize::from(head.byte()?), usize::from(head.byte()?)];
        if !head.sizes.iter().all(|size| [2, 4, 8].contains(size)) {
            return Err(Fault::Damaged);
        }
        head.take(if version < 2 { 1 + 4 + 4 } else { 1 })?;
        head.take(if version == 1 { 4 } else { 0 })?;
        let base = head.address()?;
        head.take(head.sizes[0])?;
        let says = head.address()?;
        if says > bytes.len() as u64 {
            return Err(Fault::Short { has: bytes.len(), says });
        }
        if version < 2 {
            // Where the driver is described, and the name of the root, which has none.
            head.take(2 * head.sizes[0])?;
        }
        let (root, sizes) = (head.address()?, head.sizes);
        Ok(Self { bytes, sizes, base, root })
    }

    /// The address of what is not there.
    fn nowhere(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.sizes[0])
    }

    fn at(&self, address: u64) -> Result<Cursor<'_>, Fault> {
        let place = address.checked_add(self.base).and_then(|place| usize::try_from(place).ok());
        let rest = place.and_then(|place| self.bytes.get(place..)).ok_or(Fault::Damaged)?;
        Ok(Cursor { rest, sizes: self.sizes })
    }

    /// What is said of the object with this path: names of groups with `/` between them, and its own.
    fn find(&self, path: &str) -> Result<Messages<'_>, Fault> {
        let mut object = Messages::of(self, self.root)?;
        for name in path.split('/') {
            let links = links(self, &object)?;
            let (_, address) = links.into_iter().find(|(own, _)| *own == name.as_bytes()).ok_or(Fault::Missing)?;
            if address == self.nowhere() {
                return Err(Fault::Unknown("links to other places by their name"));
            }
            object = Messages::of(self, address)?;
        }
        Ok(object)
    }

    /// Whether there is an object with this path.
    ///
    /// # Errors
    /// Where damage hides whether there is.
    pub fn has(&self, path: &str) -> Result<bool, Fault> {
        match self.find(path) {
            Ok(_) => Ok(true),
            Err(Fault::Missing) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// The bytes, to be given back part by part.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// A list of numbers.
    pub fn list(&self, path: &str) -> Result<List<'_>, Fault> {
        storage::list(self, &self.find(path)?)
    }
}
