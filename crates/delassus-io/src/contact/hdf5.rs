//! Just enough of HDF5 to write small trees of lists: the oldest form of the format (superblock 0, groups by symbol
//! tables, contiguous data), which every reader knows.

/// A group or a dataset.
pub(super) enum Node<'a> {
    /// Members in the order of their names.
    Group(Vec<(&'static str, Node<'a>)>),
    Integers(Vec<i32>),
    Numbers(Vec<f64>),
    /// Lists that are too large to be there twice: how long they are, and what hands out their entries.
    ManyIntegers(usize, Entries<'a, i32>),
    ManyNumbers(usize, Entries<'a, f64>),
    Text(String),
}

/// Hands each entry of a list to a function, in order.
pub(super) type Each<'a, T> = dyn Fn(&mut dyn FnMut(T)) + 'a;
pub(super) type Entries<'a, T> = Box<Each<'a, T>>;

impl Node<'_> {
    /// Bytes that this takes at most.
    fn size(&self) -> usize {
        const AROUND: usize = 2048;
        AROUND
            + match self {
                Node::Group(members) => members.iter().map(|(_, node)| node.size()).sum(),
                Node::Integers(values) => 4 * values.len(),
                Node::Numbers(values) => 8 * values.len(),
                Node::ManyIntegers(length, _) => 4 * length,
                Node::ManyNumbers(length, _) => 8 * length,
                Node::Text(text) => text.len(),
            }
    }
}

/// No address.
const NOWHERE: u64 = u64::MAX;
/// Half the members that a leaf of a group's tree may have, and half the leaves of a node.
const LEAF: usize = 4;
const INTERNAL: usize = 16;
/// Bytes of the superblock.
const SUPERBLOCK: usize = 96;

/// The bytes of a file with these members of its root.
pub(super) fn write(members: &[(&'static str, Node<'_>)]) -> Vec<u8> {
    // A list that grows is there twice for a while.
    let size = members.iter().map(|(_, node)| node.size()).sum::<usize>();
    let mut file = File(Vec::with_capacity(SUPERBLOCK + 2048 + size));
    file.0.resize(SUPERBLOCK, 0);
    let root = file.group(members);
    let end = file.0.len() as u64;
    let mut head = Bytes::default();
    head.raw(b"\x89HDF\r\n\x1a\n");
    // Versions of the superblock and its parts, sizes of offsets and lengths.
    head.raw(&[0, 0, 0, 0, 0, 8, 8, 0]);
    head.u16(LEAF as u16).u16(INTERNAL as u16).u32(0);
    head.u64(0).u64(NOWHERE).u64(end).u64(NOWHERE);
    head.symbol(0, &root);
    file.0[..SUPERBLOCK].copy_from_slice(&head.0);
    file.0
}

/// Where an object is; for groups also where their tree and names are.
struct Object {
    header: u64,
    tables: Option<(u64, u64)>,
}

/// Little-endian bytes.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Zeros up to this length.
    fn fill(&mut self, length: usize) -> &mut Self {
        self.0.resize(length, 0);
        self
    }

    /// Zeros up to a multiple of eight.
    fn align(&mut self) -> &mut Self {
        let length = self.0.len().next_multiple_of(8);
        self.fill(length)
    }

    /// An entry of a group's table.
    fn symbol(&mut self, name: u64, object: &Object) -> &mut Self {
        self.u64(name).u64(object.header);
        match object.tables {
            Some((tree, heap)) => self.u32(1).u32(0).u64(tree).u64(heap),
            None => self.u32(0).u32(0).u64(0).u64(0),
        }
    }

    /// A message of an object header.
    fn message(&mut self, kind: u16, data: &mut Bytes) -> &mut Self {
        data.align();
        self.u16(kind).u16(data.0.len() as u16).u32(0).raw(&data.0)
    }
}

struct File(Vec<u8>);

impl File {
    /// Appends at a multiple of eight and returns the place.
    fn append(&mut self, bytes: &[u8]) -> u64 {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        let place = self.0.len() as u64;
        self.0.extend_from_slice(bytes);
        place
    }

    /// An object header with these messages.
    fn header(&mut self, count: u16, messages: &Bytes) -> u64 {
        let mut header = Bytes::default();
        header.raw(&[1, 0]).u16(count).u32(1).u32(messages.0.len() as u32).u32(0).raw(&messages.0);
        self.append(&header.0)
    }

    /// Where the next object begins.
    fn next(&mut self) -> u64 {
        self.append(&[])
    }

    fn node(&mut self, node: &Node<'_>) -> Object {
        match node {
            Node::Group(members) => self.group(members),
            Node::Integers(values) => self.integers(values.len(), &|visit| values.iter().for_each(|v| visit(*v))),
            Node::Numbers(values) => self.numbers(values.len(), &|visit| values.iter().for_each(|v| visit(*v))),
            Node::ManyIntegers(length, entries) => self.integers(*length, entries),
            Node::ManyNumbers(length, entries) => self.numbers(*length, entries),
            Node::Text(text) => {
                let (place, length) = (self.next(), text.len() + 1);
                self.0.extend_from_slice(text.as_bytes());
                self.0.push(0);
                let mut kind = Bytes::default();
                kind.raw(&[0x13, 0, 0, 0]).u32(length as u32);
                self.dataset(None, &mut kind, place)
            }
        }
    }

    fn integers(&mut self, length: usize, entries: &Each<'_, i32>) -> Object {
        let place = self.next();
        entries(&mut |value| self.0.extend_from_slice(&value.to_le_bytes()));
        // Signed, 32 bits from bit 0.
        let mut kind = Bytes::default();
        kind.raw(&[0x10, 8, 0, 0]).u32(4).u16(0).u16(32);
        self.dataset(Some(length), &mut kind, place)
    }

    fn numbers(&mut self, length: usize, entries: &Each<'_, f64>) -> Object {
        let place = self.next();
        entries(&mut |value| self.0.extend_from_slice(&value.to_le_bytes()));
        // IEEE: sign at 63, exponent of 11 bits at 52 with bias 1023, mantissa of 52 bits.
        let mut kind = Bytes::default();
        kind.raw(&[0x11, 0x20, 63, 0]).u32(8).u16(0).u16(64).raw(&[52, 11, 0, 52]).u32(1023);
        self.dataset(Some(length), &mut kind, place)
    }

    /// A list whose bytes are those from `place` on, or one value where there is no length.
    fn dataset(&mut self, length: Option<usize>, kind: &mut Bytes, place: u64) -> Object {
        let size = self.0.len() as u64 - place;
        let place = if size == 0 { NOWHERE } else { place };
        let mut space = Bytes::default();
        space.raw(&[1, u8::from(length.is_some()), 0, 0]).u32(0);
        if let Some(length) = length {
            space.u64(length as u64);
        }
        let mut layout = Bytes::default();
        layout.raw(&[3, 1]).u64(place).u64(size);
        let mut messages = Bytes::default();
        messages.message(1, &mut space).message(3, kind);
        // No value to fill with; space is taken late.
        messages.message(5, &mut Bytes(vec![2, 2, 2, 0])).message(8, &mut layout);
        Object { header: self.header(4, &messages), tables: None }
    }

    fn group(&mut self, members: &[(&'static str, Node<'_>)]) -> Object {
        assert!(members.len() <= 2 * LEAF, "a group of one leaf");
        assert!(members.windows(2).all(|w| w[0].0 < w[1].0), "members in the order of their names");
        let objects: Vec<Object> = members.iter().map(|(_, node)| self.node(node)).collect();
        // Names, each at a multiple of eight; the first place is the empty name.
        let mut names = Bytes(vec![0; 8]);
        let places: Vec<u64> = members
            .iter()
            .map(|(name, _)| {
                let place = names.0.len() as u64;
                names.raw(name.as_bytes()).raw(&[0]).align();
                place
            })
            .collect();
        let segment = self.append(&names.0);
        let mut heap = Bytes::default();
        heap.raw(b"HEAP\0\0\0\0").u64(names.0.len() as u64).u64(1).u64(segment);
        let heap = self.append(&heap.0);
        let mut leaf = Bytes::default();
        leaf.raw(b"SNOD\x01\0").u16(members.len() as u16);
        for (object, &name) in objects.iter().zip(&places) {
            leaf.symbol(name, object);
        }
        leaf.fill(8 + 2 * LEAF * 40);
        let leaf = self.append(&leaf.0);
        let mut tree = Bytes::default();
        tree.raw(b"TREE\0\0").u16(1).u64(NOWHERE).u64(NOWHERE);
        tree.u64(0).u64(leaf).u64(places.last().copied().unwrap_or(0));
        tree.fill(24 + (4 * INTERNAL + 1) * 8);
        let tree = self.append(&tree.0);
        let mut messages = Bytes::default();
        messages.message(0x11, Bytes::default().u64(tree).u64(heap));
        Object { header: self.header(1, &messages), tables: Some((tree, heap)) }
    }
}
