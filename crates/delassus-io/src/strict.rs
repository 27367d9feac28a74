//! A deserializer that refuses lists and tables of another length or kind than asked for.
//!
//! Around any other, at every depth: a list of fixed length may hold no more
//! entries than that (the visitors that serde provides stop reading after the
//! last they need, and then TOML loses the rest), a table is not given as a
//! list of its values, and whole numbers of more than 64 bits are numbers.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// A strict deserializer around another; also what it gives to visitors: seeds,
/// lists, tables and variants.
pub(crate) struct Strict<T>(pub T);

/// Passes methods on to the inner deserializer.
macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*) as $around:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($argument,)* $around(visitor))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    forward! {
        deserialize_any() as Value;
        deserialize_bool() as Value;
        deserialize_i8() as Value;
        deserialize_i16() as Value;
        deserialize_i32() as Value;
        deserialize_i64() as Value;
        deserialize_i128() as Value;
        deserialize_u8() as Value;
        deserialize_u16() as Value;
        deserialize_u32() as Value;
        deserialize_u64() as Value;
        deserialize_u128() as Value;
        deserialize_f32() as Value;
        deserialize_f64() as Value;
        deserialize_char() as Value;
        deserialize_str() as Value;
        deserialize_string() as Value;
        deserialize_bytes() as Value;
        deserialize_byte_buf() as Value;
        deserialize_option() as Value;
        deserialize_unit() as Value;
        deserialize_unit_struct(name: &'static str) as Value;
        deserialize_newtype_struct(name: &'static str) as Value;
        deserialize_seq() as Value;
        deserialize_map() as Value;
        deserialize_enum(name: &'static str, variants: &'static [&'static str]) as Value;
        deserialize_identifier() as Value;
        deserialize_ignored_any() as Value;
        deserialize_tuple(length: usize) as |visitor| List { visitor, length };
        deserialize_tuple_struct(name: &'static str, length: usize) as |visitor| List { visitor, length };
        deserialize_struct(name: &'static str, keys: &'static [&'static str]) as |visitor| Table { visitor, keys };
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

/// A value of any kind.
struct Value<V>(V);

/// Passes methods on to the inner visitor.
macro_rules! visit {
    ($($method:ident($type:ty);)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Value<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visit! {
        visit_bool(bool);
        visit_i8(i8);
        visit_i16(i16);
        visit_i32(i32);
        visit_i64(i64);
        visit_u8(u8);
        visit_u16(u16);
        visit_u32(u32);
        visit_u64(u64);
        visit_f32(f32);
        visit_f64(f64);
        visit_char(char);
        visit_str(&str);
        visit_borrowed_str(&'de str);
        visit_string(String);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<V::Value, E> {
        self.0.visit_f64(value as f64)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<V::Value, E> {
        self.0.visit_f64(value as f64)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Strict(deserializer))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Strict(deserializer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Strict(seq))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Strict(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Strict(data))
    }
}

/// A list of fixed length, and nothing else.
struct List<V> {
    visitor: V,
    length: usize,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for List<V> {
    type Value = V::Value;

    /// In serde's words, which `explain` knows: they also come from the inner visitor.
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of length {}", self.length)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<V::Value, A::Error> {
        let Self { visitor, length } = self;
        let value = visitor.visit_seq(Strict(&mut seq))?;
        let mut surplus = 0;
        while seq.next_element::<IgnoredAny>()?.is_some() {
            surplus += 1;
        }
        if surplus > 0 {
            return Err(A::Error::invalid_length(length + surplus, &List { visitor: IgnoredAny, length }));
        }
        Ok(value)
    }
}

/// A table with known keys, and nothing else.
struct Table<V> {
    visitor: V,
    keys: &'static [&'static str],
}

/// A table with more keys than these is not described by them.
const FEW_KEYS: usize = 3;

impl<'de, V: Visitor<'de>> Visitor<'de> for Table<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.keys {
            [] => f.write_str("a table"),
            keys if keys.len() > FEW_KEYS => f.write_str("a table"),
            keys => write!(f, "a table ({} = …)", keys.join(" = …, ")),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Strict(map))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Strict<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Strict(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Strict(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Strict<A> {
    type Error = A::Error;

    /// Keys are words: nothing about them is to be stricter.
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Strict(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Strict<A> {
    type Error = A::Error;
    type Variant = Strict<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        self.0.variant_seed(seed).map(|(name, data)| (name, Strict(data)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Strict(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(length, List { visitor, length })
    }

    fn struct_variant<V: Visitor<'de>>(self, keys: &'static [&'static str], visitor: V) -> Result<V::Value, A::Error> {
        self.0.struct_variant(keys, Table { visitor, keys })
    }
}
