//! Values that may take several shapes: a number or a list, a list or a table.
//!
//! Written as visitors, not as untagged enums: those buffer every value and
//! read batches three times slower.

use std::fmt;

use delassus::{Direction, Friction};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Visitor methods for a number of any kind, as `$from(f64)`.
macro_rules! visit_numbers {
    ($from:expr) => {
        fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
            Ok($from(value))
        }
        fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
            Ok($from(value as f64))
        }
        fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
            Ok($from(value as f64))
        }
    };
}

pub(crate) use visit_numbers;

/// A number, a list or a table: an entry of a list that may hold any of them.
enum Item {
    Number(f64),
    Direction(Direction),
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ItemVisitor;
        impl<'de> Visitor<'de> for ItemVisitor {
            type Value = Item;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a list of numbers or a table of entries")
            }
            visit_numbers!(Item::Number);
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Item, A::Error> {
                DirectionVisitor.visit_seq(seq).map(Item::Direction)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Item, A::Error> {
                DirectionVisitor.visit_map(map).map(Item::Direction)
            }
        }
        deserializer.deserialize_any(ItemVisitor)
    }
}

/// One direction: a list with one number per generalized velocity, or a table
/// `{ "3" = -1.0 }` of the entries that are not zero.
#[derive(Debug)]
pub(crate) struct OneDirection(pub Direction);

struct DirectionVisitor;

impl<'de> Visitor<'de> for DirectionVisitor {
    type Value = Direction;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers or a table of entries such as { \"3\" = -1.0 }")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Direction, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Direction::Dense)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Direction, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let index = key.parse().map_err(|_| {
                A::Error::custom(format!("key '{key}' must be the index of a generalized velocity, from 0"))
            })?;
            entries.push((index, map.next_value()?));
        }
        Ok(Direction::Sparse(entries))
    }
}

impl<'de> Deserialize<'de> for OneDirection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DirectionVisitor).map(Self)
    }
}

/// One direction or a list of directions.
#[derive(Debug)]
pub(crate) enum Directions {
    One(Direction),
    Several(Vec<Direction>),
}

impl From<Directions> for Vec<Direction> {
    fn from(directions: Directions) -> Self {
        match directions {
            Directions::One(direction) => vec![direction],
            Directions::Several(several) => several,
        }
    }
}

impl<'de> Deserialize<'de> for Directions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DirectionsVisitor;
        impl<'de> Visitor<'de> for DirectionsVisitor {
            type Value = Directions;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a direction (list of numbers or table of entries) or a list of directions")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Directions, A::Error> {
                match seq.next_element()? {
                    None => Ok(Directions::One(Direction::Dense(Vec::new()))),
                    Some(Item::Number(first)) => {
                        let mut values = vec![first];
                        while let Some(value) = seq.next_element()? {
                            values.push(value);
                        }
                        Ok(Directions::One(Direction::Dense(values)))
                    }
                    Some(Item::Direction(first)) => {
                        let mut rows = vec![first];
                        while let Some(OneDirection(row)) = seq.next_element()? {
                            rows.push(row);
                        }
                        Ok(Directions::Several(rows))
                    }
                }
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Directions, A::Error> {
                DirectionVisitor.visit_map(map).map(Directions::One)
            }
        }
        deserializer.deserialize_any(DirectionsVisitor)
    }
}

/// A flat list (the diagonal) or a list of rows.
#[derive(Debug)]
pub(crate) enum FlatOrRows {
    Flat(Vec<f64>),
    Rows(Vec<Vec<f64>>),
}

impl<'de> Deserialize<'de> for FlatOrRows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MassVisitor;
        impl<'de> Visitor<'de> for MassVisitor {
            type Value = FlatOrRows;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of numbers (the diagonal) or a list of rows")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<FlatOrRows, A::Error> {
                match seq.next_element()? {
                    None => Ok(FlatOrRows::Flat(Vec::new())),
                    Some(Item::Number(first)) => {
                        let mut values = vec![first];
                        while let Some(value) = seq.next_element()? {
                            values.push(value);
                        }
                        Ok(FlatOrRows::Flat(values))
                    }
                    Some(Item::Direction(Direction::Dense(first))) => {
                        let mut rows = vec![first];
                        while let Some(row) = seq.next_element()? {
                            rows.push(row);
                        }
                        Ok(FlatOrRows::Rows(rows))
                    }
                    Some(Item::Direction(Direction::Sparse(_))) => {
                        Err(A::Error::custom("a row of the mass matrix must be a list of numbers"))
                    }
                }
            }
        }
        deserializer.deserialize_any(MassVisitor)
    }
}

/// A number or a list of numbers.
#[derive(Debug)]
pub(crate) enum OneOrMore {
    One(f64),
    More(Vec<f64>),
}

impl From<OneOrMore> for Vec<f64> {
    fn from(numbers: OneOrMore) -> Self {
        match numbers {
            OneOrMore::One(number) => vec![number],
            OneOrMore::More(list) => list,
        }
    }
}

impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumbersVisitor;
        impl<'de> Visitor<'de> for NumbersVisitor {
            type Value = OneOrMore;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a list of numbers")
            }
            visit_numbers!(OneOrMore::One);
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<OneOrMore, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(OneOrMore::More)
            }
        }
        deserializer.deserialize_any(NumbersVisitor)
    }
}

/// A friction coefficient, or two of them for orthotropic friction.
#[derive(Debug)]
pub(crate) struct Coefficients(pub Friction);

impl<'de> Deserialize<'de> for Coefficients {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FrictionVisitor;
        impl<'de> Visitor<'de> for FrictionVisitor {
            type Value = Coefficients;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or two for orthotropic friction")
            }
            visit_numbers!(|mu| Coefficients(Friction::Isotropic(mu)));
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Coefficients, A::Error> {
                let mut values = [0.0; 2];
                let mut count = 0;
                while let Some(value) = seq.next_element()? {
                    if let Some(slot) = values.get_mut(count) {
                        *slot = value;
                    }
                    count += 1;
                }
                if count == 2 {
                    Ok(Coefficients(Friction::Orthotropic(values)))
                } else {
                    Err(A::Error::invalid_length(count, &self))
                }
            }
        }
        deserializer.deserialize_any(FrictionVisitor)
    }
}
