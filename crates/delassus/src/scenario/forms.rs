//! Values that files may write in more than one way.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::data::{Formula, Gravity, MaterialData};
use super::motion::MotionData;

impl<'de> Deserialize<'de> for Gravity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Gravity;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a vector of two")
            }
            fn visit_f64<E: Error>(self, g: f64) -> Result<Gravity, E> {
                Ok(Gravity::Down(g))
            }
            fn visit_i64<E: Error>(self, g: i64) -> Result<Gravity, E> {
                Ok(Gravity::Down(g as f64))
            }
            fn visit_u64<E: Error>(self, g: u64) -> Result<Gravity, E> {
                Ok(Gravity::Down(g as f64))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Gravity, A::Error> {
                let entries = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                let vector = entries.try_into().map_err(|v: Vec<f64>| A::Error::invalid_length(v.len(), &self))?;
                Ok(Gravity::Vector(vector))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Formula;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or an expression of t in quotes")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Formula, E> {
                Ok(Formula::Number(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Formula, E> {
                Ok(Formula::Number(value as f64))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Formula, E> {
                Ok(Formula::Number(value as f64))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Formula, E> {
                Ok(Formula::Text(text.to_owned()))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// One `[material]` for all contacts, or a list of `[[material]]`.
pub(super) fn materials<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<MaterialData>, D::Error> {
    struct OneOrMore;
    impl<'de> Visitor<'de> for OneOrMore {
        type Value = Vec<MaterialData>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a material or a list of materials")
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            MaterialData::deserialize(MapAccessDeserializer::new(map)).map(|one| vec![one])
        }
        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(seq))
        }
    }
    deserializer.deserialize_any(OneOrMore)
}

/// One name, a list of names, or none.
pub(super) fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct OneOrMore;
    impl<'de> Visitor<'de> for OneOrMore {
        type Value = Vec<String>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a name or a list of names")
        }
        fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
            Ok(vec![name.to_owned()])
        }
        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(seq))
        }
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(OneOrMore)
}

/// One motion, or a list of motions that add up.
pub(super) mod motion {
    use std::marker::PhantomData;

    use serde::{Serialize, Serializer};

    use super::super::motion::Along;
    use super::*;

    pub fn serialize<D: Serialize, S: Serializer>(
        motion: &Option<MotionData<D>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match motion {
            Some(MotionData::Several(parts)) => parts.serialize(serializer),
            one => one.serialize(serializer),
        }
    }

    pub fn deserialize<'de, V, D>(deserializer: D) -> Result<Option<MotionData<V>>, D::Error>
    where
        V: Along + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        struct OneOrMore<V>(PhantomData<V>);
        impl<'de, V: Along + Deserialize<'de>> Visitor<'de> for OneOrMore<V> {
            type Value = Option<MotionData<V>>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a motion or a list of motions")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                if map.size_hint() == Some(0) {
                    return Err(A::Error::custom("needs one of harmonic, pulse, path, shake, record"));
                }
                let motion = MotionData::deserialize(MapAccessDeserializer::new(&mut map))?;
                match map.next_key::<String>()? {
                    None => Ok(Some(motion)),
                    Some(key) => Err(A::Error::custom(format!(
                        "{key} stands beside the motion: what belongs to it goes into its own table, and several motions \
                         are a list, motion = [ {{…}}, {{…}} ]"
                    ))),
                }
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(|parts| Some(MotionData::Several(parts)))
            }
            fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                Ok(None)
            }
        }
        deserializer.deserialize_any(OneOrMore(PhantomData))
    }
}
