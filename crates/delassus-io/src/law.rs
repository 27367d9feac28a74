//! The `[law]` table and the law it stands for.
//!
//! To give a law a new key: add a field to [`LawTable`] and its name to
//! [`LawTable::given`], list it in [`keys`], and read it in [`LawTable::spec`].

use delassus::law::{Form, Order};
use delassus::{ImpactError, LawSpec};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::nearest::nearest;
use crate::numbers::NumberOrMatrix;

/// A law in a file: its name and its data, all keys optional. Instead of a
/// table with nothing but a name, the name alone may stand. (Boxed: most
/// problems of a large batch have none.)
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LawTable(Box<Keys>);

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    name: Option<String>,
    restitution: Option<f64>,
    restitution_matrix: Option<Vec<Vec<f64>>>,
    tangential_matrix: Option<NumberOrMatrix>,
    tangential_basis: Option<Vec<Vec<f64>>>,
    form: Option<String>,
    exponent: Option<f64>,
    keep_gaps: Option<bool>,
    tolerance: Option<f64>,
    max_steps: Option<usize>,
    stiffness_ratio: Option<f64>,
    order: Option<String>,
}

/// The keys that a law knows beside `name`.
fn keys(law: &str) -> &'static [&'static str] {
    match law {
        "moreau" => &["restitution"],
        "kinematic" => &["restitution_matrix", "tangential_matrix", "tangential_basis", "form", "restitution"],
        "lzb" => &["exponent", "keep_gaps", "tolerance", "max_steps"],
        "stronge" => &["stiffness_ratio"],
        "sequential" => &["order"],
        _ => &[],
    }
}

impl Keys {
    /// The keys that are given, beside `name`.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        [
            ("restitution", self.restitution.is_some()),
            ("restitution_matrix", self.restitution_matrix.is_some()),
            ("tangential_matrix", self.tangential_matrix.is_some()),
            ("tangential_basis", self.tangential_basis.is_some()),
            ("form", self.form.is_some()),
            ("exponent", self.exponent.is_some()),
            ("keep_gaps", self.keep_gaps.is_some()),
            ("tolerance", self.tolerance.is_some()),
            ("max_steps", self.max_steps.is_some()),
            ("stiffness_ratio", self.stiffness_ratio.is_some()),
            ("order", self.order.is_some()),
        ]
        .into_iter()
        .filter_map(|(key, given)| given.then_some(key))
    }
}

impl LawTable {
    /// The law with its data.
    ///
    /// # Errors
    /// No name, an unknown one, a key that the law does not know, a value out of range.
    pub fn spec(&self) -> Result<LawSpec, ImpactError> {
        let table = &self.0;
        let name = table.name.as_deref().ok_or_else(|| ImpactError::new("law.name", "", "is missing"))?;
        let mut spec = law_by_name(name).map_err(|e| e.within("law"))?;
        let known = keys(name);
        if let Some(key) = table.given().find(|key| !known.contains(key)) {
            let owners: Vec<&str> =
                LawSpec::all().iter().map(LawSpec::name).filter(|l| keys(l).contains(&key)).collect();
            let problem = format!("the law {name} has no such key (it belongs to {})", owners.join(", "));
            return Err(ImpactError::new(format!("law.{key}"), "", problem));
        }
        match &mut spec {
            LawSpec::Moreau(law) => law.restitution = table.restitution,
            LawSpec::Kinematic(law) => {
                law.restitution_matrix = table.restitution_matrix.clone();
                law.tangential_matrix = table.tangential_matrix.clone().map(|matrix| matrix.0);
                law.tangential_basis = table.tangential_basis.clone();
                law.form = choice("form", table.form.as_deref(), &Form::ALL, Form::as_str)?;
                law.restitution = table.restitution;
            }
            LawSpec::Lzb(law) => {
                law.exponent = table.exponent.unwrap_or(law.exponent);
                law.keep_gaps = table.keep_gaps.unwrap_or(law.keep_gaps);
                law.tolerance = table.tolerance.unwrap_or(law.tolerance);
                law.max_steps = table.max_steps.or(law.max_steps);
            }
            LawSpec::Stronge(law) => law.stiffness_ratio = table.stiffness_ratio.unwrap_or(law.stiffness_ratio),
            LawSpec::Sequential(law) => {
                let word = |order| if order == Order::Listed { "listed" } else { "fastest" };
                let order = choice("order", table.order.as_deref(), &[Order::Fastest, Order::Listed], word)?;
                law.order = order.unwrap_or(law.order);
            }
            _ => {}
        }
        Ok(spec)
    }
}

/// The choice of that name, if one is given.
fn choice<T: Copy>(
    key: &str,
    given: Option<&str>,
    choices: &[T],
    word: impl Fn(T) -> &'static str,
) -> Result<Option<T>, ImpactError> {
    let Some(given) = given else { return Ok(None) };
    match choices.iter().find(|choice| word(**choice) == given) {
        Some(choice) => Ok(Some(*choice)),
        None => {
            let words: Vec<&str> = choices.iter().map(|choice| word(*choice)).collect();
            let allowed = format!("must be one of {}", words.join(", "));
            Err(ImpactError::new(format!("law.{key}"), format!("{given:?}"), allowed))
        }
    }
}

/// The law of that name with its default data.
///
/// # Errors
/// No such law; says the nearest name.
pub fn law_by_name(name: &str) -> Result<LawSpec, ImpactError> {
    LawSpec::by_name(name).ok_or_else(|| {
        let all = LawSpec::all();
        let names: Vec<&str> = all.iter().map(LawSpec::name).collect();
        let hint = nearest(name, &names).map(|near| format!("did you mean \"{near}\"? ")).unwrap_or_default();
        ImpactError::new("name", format!("{name:?}"), format!("unknown law; {hint}known laws: {}", names.join(", ")))
    })
}

impl<'de> Deserialize<'de> for LawTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LawVisitor;
        impl<'de> Visitor<'de> for LawVisitor {
            type Value = LawTable;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of a law or a table with its name and data")
            }
            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<LawTable, E> {
                Ok(LawTable(Box::new(Keys { name: Some(name.to_owned()), ..Keys::default() })))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LawTable, A::Error> {
                Keys::deserialize(MapAccessDeserializer::new(map)).map(|keys| LawTable(Box::new(keys)))
            }
        }
        deserializer.deserialize_any(LawVisitor)
    }
}
