//! A file as a tree of values, which data are read from.
//!
//! Both formats become the same tree, so that every type is read by one reader, and that reader knows
//! where it is: what is wrong has a path and a place in the text. It is strict: a list of fixed length
//! may hold no more entries than that (the visitors that serde provides stop reading after the last
//! they need), and a table is not given as a list of its values.

use std::fmt;
use std::ops::Range;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::plain_value;
use crate::fault::Fault;

/// A value and where it stands in the text, in bytes, if that is known.
#[derive(Debug)]
pub(crate) struct Node {
    at: Option<usize>,
    value: Value,
}

#[derive(Debug)]
enum Value {
    Null,
    Bool(bool),
    Whole(i64),
    /// A whole number that only fits without a sign.
    Large(u64),
    Number(f64),
    Text(String),
    /// Dates and times of TOML, which nothing takes.
    Date,
    List(Vec<Node>),
    /// A list of nothing but numbers with a point: most of what large files hold.
    Numbers(Vec<f64>),
    /// Keys in their order, with their places; some may be given twice.
    Table(Vec<Entry>),
}

/// A key, where it stands, and its value.
#[derive(Debug)]
struct Entry {
    at: Option<usize>,
    name: String,
    node: Node,
}

impl Node {
    fn bare(value: Value) -> Self {
        Self { at: None, value }
    }

    /// The tree of a TOML file.
    pub fn from_toml(table: Spanned<DeTable<'_>>) -> Result<Self, Fault> {
        let span = table.span();
        Self::from_table(table.into_inner(), &span)
    }

    fn from_table(table: DeTable<'_>, span: &Range<usize>) -> Result<Self, Fault> {
        let entry = |(key, value): (Spanned<std::borrow::Cow<'_, str>>, Spanned<DeValue<'_>>)| {
            let at = Some(key.span().start);
            let name = key.into_inner().into_owned();
            let node = Self::from_value(value).map_err(|fault| fault.in_table(&name, at))?;
            Ok(Entry { at, name, node })
        };
        let entries = table.into_iter().map(entry).collect::<Result<_, _>>()?;
        Ok(Self { at: Some(span.start), value: Value::Table(entries) })
    }

    fn from_value(value: Spanned<DeValue<'_>>) -> Result<Self, Fault> {
        let span = value.span();
        let value = match value.into_inner() {
            DeValue::String(text) => Value::Text(text.into_owned()),
            DeValue::Integer(digits) => {
                let (text, radix) = (digits.as_str(), digits.radix());
                i64::from_str_radix(text, radix)
                    .map(Value::Whole)
                    .or_else(|_| u64::from_str_radix(text, radix).map(Value::Large))
                    // Whole numbers of more than 64 bits are numbers.
                    .or_else(|_| i128::from_str_radix(text, radix).map(|v| Value::Number(v as f64)))
                    .or_else(|_| u128::from_str_radix(text, radix).map(|v| Value::Number(v as f64)))
                    .map_err(|_| Fault::custom("integer number overflowed").at(span.start))?
            }
            DeValue::Float(digits) => match digits.as_str().parse::<f64>() {
                Ok(v) if v.is_finite() || digits.as_str().contains(['i', 'n']) => Value::Number(v),
                _ => return Err(Fault::custom("floating-point number overflowed").at(span.start)),
            },
            DeValue::Boolean(flag) => Value::Bool(flag),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(list) => {
                let node = |(i, item): (usize, Spanned<DeValue<'_>>)| {
                    let at = Some(item.span().start);
                    Self::from_value(item).map_err(|fault| fault.in_list(i, at))
                };
                Value::List(list.into_iter().enumerate().map(node).collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => return Self::from_table(table, &span),
        };
        Ok(Self { at: Some(span.start), value })
    }

    /// What a table has under a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Value::Table(entries) = &self.value else { return None };
        entries.iter().find(|entry| entry.name == key).map(|entry| &entry.node)
    }

    /// The entries of a list, unless they are numbers alone.
    pub fn items(&self) -> &[Node] {
        if let Value::List(items) = &self.value { items } else { &[] }
    }

    /// Whether it is this whole number, however it is written.
    pub fn is_whole(&self, number: i32) -> bool {
        match self.value {
            Value::Whole(v) => v == i64::from(number),
            Value::Number(v) => v == f64::from(number),
            _ => false,
        }
    }

    /// What stands there, as a user would write it.
    pub fn written(&self) -> String {
        plain_value("", &self.unexpected().to_string())
    }

    fn unexpected(&self) -> Unexpected<'_> {
        match &self.value {
            Value::Null => Unexpected::Unit,
            Value::Bool(flag) => Unexpected::Bool(*flag),
            Value::Whole(v) => Unexpected::Signed(*v),
            Value::Large(v) => Unexpected::Unsigned(*v),
            Value::Number(v) => Unexpected::Float(*v),
            Value::Text(text) => Unexpected::Str(text),
            Value::Date => Unexpected::Other("a date"),
            Value::List(_) | Value::Numbers(_) => Unexpected::Seq,
            Value::Table(_) => Unexpected::Map,
        }
    }

    fn refused(&self, expected: &dyn Expected) -> Fault {
        Fault::invalid_type(self.unexpected(), expected)
    }
}

/// From any other tree, and from JSON; the places are not known then.
impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NodeVisitor;
        impl<'de> Visitor<'de> for NodeVisitor {
            type Value = Node;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_bool<E: Error>(self, flag: bool) -> Result<Node, E> {
                Ok(Node::bare(Value::Bool(flag)))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
                Ok(Node::bare(Value::Whole(value)))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
                Ok(Node::bare(i64::try_from(value).map_or(Value::Large(value), Value::Whole)))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
                Ok(Node::bare(Value::Number(value)))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
                self.visit_string(text.to_owned())
            }
            fn visit_string<E: Error>(self, text: String) -> Result<Node, E> {
                Ok(Node::bare(Value::Text(text)))
            }
            fn visit_unit<E: Error>(self) -> Result<Node, E> {
                Ok(Node::bare(Value::Null))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
                let (mut numbers, mut nodes) = (Vec::new(), Vec::new());
                while let Some(node) = seq.next_element::<Node>()? {
                    match node.value {
                        Value::Number(value) if nodes.is_empty() => numbers.push(value),
                        _ => {
                            nodes.extend(numbers.drain(..).map(|value| Node::bare(Value::Number(value))));
                            nodes.push(node);
                        }
                    }
                }
                Ok(Node::bare(if nodes.is_empty() { Value::Numbers(numbers) } else { Value::List(nodes) }))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut entries = Vec::new();
                while let Some((name, node)) = map.next_entry()? {
                    entries.push(Entry { at: None, name, node });
                }
                Ok(Node::bare(Value::Table(entries)))
            }
        }
        deserializer.deserialize_any(NodeVisitor)
    }
}

/// Methods that take words.
macro_rules! word {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            match &self.value {
                Value::Text(text) => visitor.visit_borrowed_str(text),
                _ => Err(self.refused(&visitor)),
            }
        }
    )*};
}

/// Methods that take numbers, whole or not.
macro_rules! number {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            match self.value {
                Value::Whole(v) => visitor.visit_i64(v),
                Value::Large(v) => visitor.visit_u64(v),
                Value::Number(v) => visitor.visit_f64(v),
                _ => Err(self.refused(&visitor)),
            }
        }
    )*};
}

/// What does not fit is refused here, not by the readers: refusing every kind would be most of their code.
impl<'de> Deserializer<'de> for &'de Node {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Date => Err(self.refused(&visitor)),
            Value::Whole(_) | Value::Large(_) | Value::Number(_) => self.deserialize_f64(visitor),
            Value::List(_) | Value::Numbers(_) => visitor.visit_seq(Items::of(self)),
            Value::Table(entries) => visitor.visit_map(Entries::of(entries)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if matches!(self.value, Value::Null) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        if !matches!(self.value, Value::List(_) | Value::Numbers(_)) {
            return Err(self.refused(&ListOf(length)));
        }
        let items = Items::of(self);
        let count = items.left();
        let value = visitor.visit_seq(items)?;
        if count > length { Err(Fault::invalid_length(count, &ListOf(length))) } else { Ok(value) }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.value {
            Value::Table(entries) => visitor.visit_map(Entries::of(entries)),
            _ => Err(self.refused(&TableOf(keys))),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        kinds: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.value {
            Value::Text(name) => visitor.visit_enum(Choice { at: self.at, name, data: None }),
            Value::Table(entries) => match &entries[..] {
                [Entry { at, name, node }] => visitor.visit_enum(Choice { at: *at, name, data: Some(node) }),
                _ => Err(Fault::invalid_value(Unexpected::Map, &OneOf(kinds))),
            },
            _ => Err(self.refused(&OneOf(kinds))),
        }
    }

    number! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    word! {
        deserialize_char deserialize_str deserialize_string deserialize_identifier
        deserialize_bytes deserialize_byte_buf
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            Value::Bool(flag) => visitor.visit_bool(flag),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            Value::List(_) | Value::Numbers(_) => visitor.visit_seq(Items::of(self)),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.value {
            Value::Table(entries) => visitor.visit_map(Entries::of(entries)),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }
}

/// What is expected of a list of fixed length, in serde's words, which `explain` knows.
struct ListOf(usize);

impl Expected for ListOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of length {}", self.0)
    }
}

/// What is expected of a table with these keys.
struct TableOf(&'static [&'static str]);

/// A table with more keys than these is not described by them.
const FEW_KEYS: usize = 3;

impl Expected for TableOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("a table"),
            keys if keys.len() > FEW_KEYS => f.write_str("a table"),
            keys => write!(f, "a table ({} = …)", keys.join(" = …, ")),
        }
    }
}

/// One of several kinds, each a word or the only key of a table.
struct OneOf(&'static [&'static str]);

impl Expected for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", self.0.join(", "))
    }
}

/// The entries of a list that are left.
struct Items<'de> {
    nodes: std::slice::Iter<'de, Node>,
    numbers: std::slice::Iter<'de, f64>,
    index: usize,
}

impl<'de> Items<'de> {
    fn of(list: &'de Node) -> Self {
        let (nodes, numbers): (&[Node], &[f64]) = match &list.value {
            Value::List(nodes) => (nodes, &[]),
            Value::Numbers(numbers) => (&[], numbers),
            _ => (&[], &[]),
        };
        Self { nodes: nodes.iter(), numbers: numbers.iter(), index: 0 }
    }

    fn left(&self) -> usize {
        self.nodes.len() + self.numbers.len()
    }
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let (read, at) = if let Some(node) = self.nodes.next() {
            (seed.deserialize(node), node.at)
        } else if let Some(number) = self.numbers.next() {
            (seed.deserialize(number.into_deserializer()), None)
        } else {
            return Ok(None);
        };
        self.index += 1;
        read.map(Some).map_err(|fault| fault.in_list(self.index - 1, at))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}

/// The entries of a table.
struct Entries<'de> {
    rest: std::slice::Iter<'de, Entry>,
    /// The one whose key was given last.
    now: Option<&'de Entry>,
}

impl<'de> Entries<'de> {
    fn of(entries: &'de [Entry]) -> Self {
        Self { rest: entries.iter(), now: None }
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        self.now = self.rest.next();
        let Some(Entry { at, name, .. }) = self.now else { return Ok(None) };
        let key = seed.deserialize(BorrowedStrDeserializer::new(name));
        key.map(Some).map_err(|fault: Fault| fault.in_table(name, *at))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let Some(Entry { name, node, .. }) = self.now else { return Err(Fault::custom("a value without a key")) };
        seed.deserialize(node).map_err(|fault| fault.in_table(name, node.at))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// One of several kinds: its name alone, or a table whose one key it is.
struct Choice<'de> {
    at: Option<usize>,
    name: &'de str,
    data: Option<&'de Node>,
}

impl<'de> EnumAccess<'de> for Choice<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Fault> {
        let chosen = seed.deserialize(BorrowedStrDeserializer::new(self.name));
        chosen.map_err(|fault: Fault| fault.or_at(self.at)).map(|chosen| (chosen, self))
    }
}

impl<'de> Choice<'de> {
    /// What the kind holds, or that it is missing.
    fn data(&self, expected: &dyn Expected) -> Result<&'de Node, Fault> {
        self.data.ok_or_else(|| self.here(Fault::invalid_type(Unexpected::Str(self.name), expected)))
    }

    fn here(&self, fault: Fault) -> Fault {
        fault.in_table(self.name, self.data.and_then(|node| node.at).or(self.at))
    }
}

impl<'de> VariantAccess<'de> for Choice<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.data {
            None | Some(Node { value: Value::Null, .. }) => Ok(()),
            Some(node) => Err(self.here(node.refused(&"a word alone"))),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        seed.deserialize(self.data(&"a table with its data")?).map_err(|fault| self.here(fault))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        self.data(&ListOf(length))?.deserialize_tuple(length, visitor).map_err(|fault| self.here(fault))
    }

    fn struct_variant<V: Visitor<'de>>(self, keys: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        self.data(&TableOf(keys))?.deserialize_struct("", keys, visitor).map_err(|fault| self.here(fault))
    }
}
