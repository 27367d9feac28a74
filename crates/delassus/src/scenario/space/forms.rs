//! Values of spatial scenarios that files may write in more than one way.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::data::{Inertia, Orientation, SpatialGravity};

impl<'de> Deserialize<'de> for SpatialGravity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = SpatialGravity;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a vector of three")
            }
            fn visit_f64<E: Error>(self, g: f64) -> Result<SpatialGravity, E> {
                Ok(SpatialGravity::Down(g))
            }
            fn visit_i64<E: Error>(self, g: i64) -> Result<SpatialGravity, E> {
                Ok(SpatialGravity::Down(g as f64))
            }
            fn visit_u64<E: Error>(self, g: u64) -> Result<SpatialGravity, E> {
                Ok(SpatialGravity::Down(g as f64))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<SpatialGravity, A::Error> {
                let entries = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                let vector = entries.try_into().map_err(|v: Vec<f64>| A::Error::invalid_length(v.len(), &self))?;
                Ok(SpatialGravity::Vector(vector))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A row of a matrix, or a number.
enum Entry {
    Number(f64),
    Row([f64; 3]),
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Entry;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a row of three")
            }
            fn visit_f64<E: Error>(self, v: f64) -> Result<Entry, E> {
                Ok(Entry::Number(v))
            }
            fn visit_i64<E: Error>(self, v: i64) -> Result<Entry, E> {
                Ok(Entry::Number(v as f64))
            }
            fn visit_u64<E: Error>(self, v: u64) -> Result<Entry, E> {
                Ok(Entry::Number(v as f64))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Entry, A::Error> {
                let entries = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                let row = entries.try_into().map_err(|v: Vec<f64>| A::Error::invalid_length(v.len(), &self))?;
                Ok(Entry::Row(row))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for Inertia {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Inertia;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("three numbers or three rows of three")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Inertia, A::Error> {
                let entries: Vec<Entry> = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                match entries[..] {
                    [Entry::Number(a), Entry::Number(b), Entry::Number(c)] => Ok(Inertia::Principal([a, b, c])),
                    [Entry::Row(a), Entry::Row(b), Entry::Row(c)] => Ok(Inertia::Matrix([a, b, c])),
                    _ => Err(A::Error::invalid_length(entries.len(), &self)),
                }
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The keys of an orientation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    axis: Option<[f64; 3]>,
    #[serde(default, deserialize_with = "crate::scenario::angle::maybe")]
    angle: Option<f64>,
    #[serde(default, deserialize_with = "crate::scenario::angle::maybe")]
    roll: Option<f64>,
    #[serde(default, deserialize_with = "crate::scenario::angle::maybe")]
    pitch: Option<f64>,
    #[serde(default, deserialize_with = "crate::scenario::angle::maybe")]
    yaw: Option<f64>,
}

impl<'de> Deserialize<'de> for Orientation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Orientation;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("axis and angle, roll, pitch and yaw, or a quaternion [w, x, y, z]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Orientation, A::Error> {
                let entries = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                let four = entries.try_into().map_err(|v: Vec<f64>| A::Error::invalid_length(v.len(), &self))?;
                Ok(Orientation::Quaternion(four))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Orientation, A::Error> {
                let turn = Turn::deserialize(MapAccessDeserializer::new(map))?;
                let euler = turn.roll.is_some() || turn.pitch.is_some() || turn.yaw.is_some();
                match (turn.axis, turn.angle) {
                    (None, None) if euler => {
                        let [roll, pitch, yaw] = [turn.roll, turn.pitch, turn.yaw].map(|v| v.unwrap_or(0.0));
                        Ok(Orientation::Euler { roll, pitch, yaw })
                    }
                    (Some(axis), Some(angle)) if !euler => Ok(Orientation::Axis { axis, angle }),
                    _ => Err(A::Error::custom("needs axis and angle, or roll, pitch and yaw, and not both")),
                }
            }
        }
        deserializer.deserialize_any(Either)
    }
}
