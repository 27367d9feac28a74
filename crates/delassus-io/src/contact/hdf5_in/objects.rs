//! Objects and groups: what a file says of itself.

use super::{Cursor, Fault, File};

/// Parts of an object or levels of a tree at most, so that a circle in a damaged file ends.
const MOST_PARTS: usize = 1 << 12;

// Kinds of messages.
pub(super) const DATASPACE: u16 = 1;
const LINK_INFO: u16 = 2;
pub(super) const DATATYPE: u16 = 3;
pub(super) const FILL_OLD: u16 = 4;
pub(super) const FILL: u16 = 5;
const LINK: u16 = 6;
pub(super) const LAYOUT: u16 = 8;
pub(super) const FILTERS: u16 = 11;
const CONTINUATION: u16 = 16;
const SYMBOL_TABLE: u16 = 17;

/// The messages of an object: what it is, each with its kind.
pub(super) struct Messages<'a>(Vec<(u16, Cursor<'a>)>);

impl<'a> Messages<'a> {
    /// Those of the object at an address.
    pub fn of(file: &'a File, address: u64) -> Result<Self, Fault> {
        let mut head = file.at(address)?;
        let mut found = Self(Vec::new());
        let mut parts = Vec::new();
        let new = head.rest.starts_with(b"OHDR");
        let mut ordered = false;
        if new {
            head.mark(b"OHDR\x02")?;
            let flags = head.byte()?;
            head.take(if flags & 0x20 == 0 { 0 } else { 16 } + if flags & 0x10 == 0 { 0 } else { 4 })?;
            ordered = flags & 4 != 0;
            let length = head.count(1 << (flags & 3))?;
            parts.push(head.take(length)?);
        } else {
            head.mark(&[1])?;
            head.take(7)?;
            let length = head.count(4)?;
            head.take(4)?;
            parts.push(head.take(length)?);
        }
        let mut read = 0;
        while let Some(part) = parts.pop() {
            read += 1;
            if read > MOST_PARTS {
                return Err(Fault::Damaged);
            }
            let mut part = Cursor { rest: part, sizes: file.sizes };
            // What is left at the end of a part is a gap.
            while part.rest.len() >= if new { 4 } else { 8 } {
                let kind = part.number(if new { 1 } else { 2 })? as u16;
                let length = part.count(2)?;
                let flags = part.byte()?;
                part.take(match (new, ordered) {
                    (false, _) => 3,
                    (true, true) => 2,
                    (true, false) => 0,
                })?;
                let mut data = Cursor { rest: part.take(length)?, sizes: file.sizes };
                if kind == CONTINUATION {
                    let mut more = file.at(data.address()?)?;
                    let length = data.length()?;
                    let mut more = Cursor { rest: more.take(length)?, sizes: file.sizes };
                    if new {
                        more.mark(b"OCHK")?;
                        // The sum at the end.
                        more.rest = more.rest.split_last_chunk::<4>().ok_or(Fault::Damaged)?.0;
                    }
                    parts.push(more.rest);
                } else if flags & 2 != 0 && kind == DATATYPE {
                    return Err(Fault::Unknown("types of numbers that have a name"));
                } else {
                    found.0.push((kind, data));
                }
            }
        }
        Ok(found)
    }

    /// The first message of a kind.
    pub fn get(&self, kind: u16) -> Option<Cursor<'a>> {
        self.all(kind).next()
    }

    fn all(&self, kind: u16) -> impl Iterator<Item = Cursor<'a>> {
        self.0.iter().filter(move |(own, _)| *own == kind).map(|(_, data)| *data)
    }
}

/// The members of a group by name, with their addresses (nowhere: links by name); none of what is no group.
pub(super) fn links<'a>(file: &'a File, group: &Messages<'a>) -> Result<Vec<(&'a [u8], u64)>, Fault> {
    let mut found = Vec::new();
    for mut link in group.all(LINK) {
        link.mark(&[1])?;
        let flags = link.byte()?;
        let hard = flags & 8 == 0 || link.byte()? == 0;
        link.take(if flags & 4 == 0 { 0 } else { 8 } + if flags & 0x10 == 0 { 0 } else { 1 })?;
        let length = link.count(1 << (flags & 3))?;
        let name = link.take(length)?;
        found.push((name, if hard { link.address()? } else { file.nowhere() }));
    }
    if let Some(mut table) = group.get(SYMBOL_TABLE) {
        let (tree, heap) = (table.address()?, table.address()?);
        let mut heap = file.at(heap)?;
        heap.mark(b"HEAP")?;
        heap.take(4 + 2 * file.sizes[1])?;
        let names = file.at(heap.address()?)?.rest;
        let name_size = file.sizes[1];
        for leaf in leaves(file, tree, 0, |key| key.take(name_size).map(|_| ()))? {
            let mut leaf = file.at(leaf.1)?;
            leaf.mark(b"SNOD")?;
            leaf.take(2)?;
            for _ in 0..leaf.number(2)? {
                let name =
                    usize::try_from(leaf.address()?).ok().and_then(|at| names.get(at..)).ok_or(Fault::Damaged)?;
                let end = name.iter().position(|byte| *byte == 0).ok_or(Fault::Damaged)?;
                found.push((&name[..end], leaf.address()?));
                leaf.take(24)?;
            }
        }
    }
    // Groups of many members have a heap of their own in the latest format.
    if found.is_empty()
        && let Some(mut info) = group.get(LINK_INFO)
    {
        let flags = info.number(2)? >> 8;
        info.take(if flags & 1 == 0 { 0 } else { 8 })?;
        if info.address()? != file.nowhere() {
            return Err(Fault::Unknown("groups of many members in the latest format"));
        }
    }
    Ok(found)
}

/// The leaves of a tree of this kind, each with its first key.
pub(super) fn leaves<K>(
    file: &File,
    tree: u64,
    kind: u8,
    mut key: impl FnMut(&mut Cursor<'_>) -> Result<K, Fault>,
) -> Result<Vec<(K, u64)>, Fault> {
    let (mut found, mut nodes, mut read) = (Vec::new(), vec![tree], 0);
    while let Some(node) = nodes.pop() {
        // A circle of nodes in a damaged file must neither go on nor fill the memory.
        read += 1;
        if read + nodes.len() + found.len() > file.bytes.len() / 8 {
            return Err(Fault::Damaged);
        }
        let mut node = file.at(node)?;
        node.mark(b"TREE")?;
        node.mark(&[kind])?;
        let level = node.byte()?;
        let entries = node.number(2)?;
        node.take(2 * file.sizes[0])?;
        for _ in 0..entries {
            let first = key(&mut node)?;
            let child = node.address()?;
            if level > 0 { nodes.push(child) } else { found.push((first, child)) }
        }
    }
    Ok(found)
}
