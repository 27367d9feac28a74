//! A law's data with their keys, kinds, ranges and documentation.
//!
//! A law lists its data once ([`ImpactLaw::data`]). What
//! reads files, writes the schema and the help, and varies parameters takes
//! everything from that list.

use std::fmt;

use super::{ImpactLaw, Refusal};
pub use crate::claim::NumberOrMatrix;
use crate::error::ImpactError;

/// One datum of a law: its key in files, where its value is, what is allowed, what it means.
///
/// ```
/// use delassus::law::Field;
/// let mut exponent = 1.5;
/// let field = Field::number("exponent", &mut exponent).above(0.0).doc("Exponent of the force law.");
/// assert_eq!(field.allowed(), "a finite number above 0");
/// ```
pub struct Field<'a> {
    /// The key in files.
    pub key: &'static str,
    /// Where the value is.
    pub slot: Slot<'a>,
    /// The numbers that are allowed.
    pub range: Range,
    /// What it means, in a sentence.
    pub doc: &'static str,
    /// What holds where it is not given, in words, unless the value itself says that.
    pub absent: &'static str,
    /// Whether it plays a part beside the other data as they are.
    pub used: bool,
}

/// A place for a value, by kind.
pub enum Slot<'a> {
    /// A number.
    Number(&'a mut f64),
    /// A number that may be absent.
    MaybeNumber(&'a mut Option<f64>),
    /// A whole number that may be absent.
    Count(&'a mut Option<usize>),
    /// Yes or no.
    Flag(&'a mut bool),
    /// One of several words.
    Word(&'a mut dyn Word),
    /// A list of numbers, such as one per contact.
    List(&'a mut Option<Vec<f64>>),
    /// A matrix by rows.
    Matrix(&'a mut Option<Vec<Vec<f64>>>),
    /// A number or a matrix by rows.
    NumberOrMatrix(&'a mut Option<NumberOrMatrix>),
}

/// A value as files hold it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(String),
    /// A list of numbers.
    List(Vec<f64>),
    /// A list of lists of numbers.
    Matrix(Vec<Vec<f64>>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Very small numbers come with many zeros.
            Self::Number(value) if *value != 0.0 && value.abs() < 1e-4 => write!(f, "{value:e}"),
            Self::Number(value) => value.fmt(f),
            Self::Flag(value) => value.fmt(f),
            Self::Word(value) => write!(f, "{value:?}"),
            Self::List(_) => f.write_str("a list"),
            Self::Matrix(_) => f.write_str("a matrix"),
        }
    }
}

/// Numbers from `low` to `high`; finite ones only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The lower bound.
    pub low: f64,
    /// Whether the lower bound itself is not allowed.
    pub above: bool,
    /// The upper bound, which is allowed itself.
    pub high: f64,
}

impl Range {
    /// Every finite number.
    pub const ANY: Self = Self { low: f64::NEG_INFINITY, above: false, high: f64::INFINITY };

    /// Whether a number lies in the range.
    pub fn contains(&self, value: f64) -> bool {
        let low = if self.above { value > self.low } else { value >= self.low };
        value.is_finite() && low && value <= self.high
    }
}

/// In words: "a finite number of at least 0 and at most 1".
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a finite number")?;
        // Bounds that stand for the range of numbers are easier to read with an exponent.
        let bound = |v: f64| if v.abs() >= 1e6 { format!("{v:e}") } else { v.to_string() };
        match (self.low == f64::NEG_INFINITY, self.above) {
            (true, _) => {}
            (false, true) => write!(f, " above {}", bound(self.low))?,
            (false, false) => write!(f, " of at least {}", bound(self.low))?,
        }
        if self.high == f64::INFINITY {
            return Ok(());
        }
        let and = if self.low == f64::NEG_INFINITY { " of" } else { " and" };
        write!(f, "{and} at most {}", bound(self.high))
    }
}

/// A choice between words.
pub trait Choice: Copy + PartialEq + 'static {
    /// All of them.
    const ALL: &'static [Self];
    /// The word used in files.
    fn as_str(self) -> &'static str;
}

/// A place for one of several words.
pub trait Word {
    /// The words that are allowed.
    fn words(&self) -> Vec<&'static str>;
    /// The word that is set, if any.
    fn get(&self) -> Option<&'static str>;
    /// Sets a word; false where it is none of those allowed.
    fn set(&mut self, word: &str) -> bool;
}

impl<T: Choice> Word for T {
    fn words(&self) -> Vec<&'static str> {
        T::ALL.iter().map(|choice| choice.as_str()).collect()
    }

    fn get(&self) -> Option<&'static str> {
        Some(self.as_str())
    }

    fn set(&mut self, word: &str) -> bool {
        let found = T::ALL.iter().find(|choice| choice.as_str() == word);
        found.map(|choice| *self = *choice).is_some()
    }
}

impl<T: Choice> Word for Option<T> {
    fn words(&self) -> Vec<&'static str> {
        T::ALL.iter().map(|choice| choice.as_str()).collect()
    }

    fn get(&self) -> Option<&'static str> {
        self.map(Choice::as_str)
    }

    fn set(&mut self, word: &str) -> bool {
        let found = T::ALL.iter().find(|choice| choice.as_str() == word);
        found.map(|choice| *self = Some(*choice)).is_some()
    }
}

impl<'a> Field<'a> {
    fn new(key: &'static str, slot: Slot<'a>) -> Self {
        Self { key, slot, range: Range::ANY, doc: "", absent: "", used: true }
    }

    /// A number.
    pub fn number(key: &'static str, value: &'a mut f64) -> Self {
        Self::new(key, Slot::Number(value))
    }

    /// A number that may be absent.
    pub fn maybe_number(key: &'static str, value: &'a mut Option<f64>) -> Self {
        Self::new(key, Slot::MaybeNumber(value))
    }

    /// A whole number that may be absent.
    pub fn count(key: &'static str, value: &'a mut Option<usize>) -> Self {
        Self::new(key, Slot::Count(value)).at_least(0.0)
    }

    /// Yes or no.
    pub fn flag(key: &'static str, value: &'a mut bool) -> Self {
        Self::new(key, Slot::Flag(value))
    }

    /// One of several words.
    pub fn word(key: &'static str, value: &'a mut dyn Word) -> Self {
        Self::new(key, Slot::Word(value))
    }

    /// A list of numbers.
    pub fn list(key: &'static str, value: &'a mut Option<Vec<f64>>) -> Self {
        Self::new(key, Slot::List(value))
    }

    /// A matrix by rows.
    pub fn matrix(key: &'static str, value: &'a mut Option<Vec<Vec<f64>>>) -> Self {
        Self::new(key, Slot::Matrix(value))
    }

    /// A number or a matrix by rows.
    pub fn number_or_matrix(key: &'static str, value: &'a mut Option<NumberOrMatrix>) -> Self {
        Self::new(key, Slot::NumberOrMatrix(value))
    }

    /// Allows numbers of at least `low` only.
    #[must_use]
    pub fn at_least(mut self, low: f64) -> Self {
        (self.range.low, self.range.above) = (low, false);
        self
    }

    /// Allows numbers above `low` only.
    #[must_use]
    pub fn above(mut self, low: f64) -> Self {
        (self.range.low, self.range.above) = (low, true);
        self
    }

    /// Allows numbers of at most `high` only.
    #[must_use]
    pub fn at_most(mut self, high: f64) -> Self {
        self.range.high = high;
        self
    }

    /// Says what the datum means, in a sentence.
    #[must_use]
    pub fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Says what holds where it is not given, in words.
    #[must_use]
    pub fn absent(mut self, absent: &'static str) -> Self {
        self.absent = absent;
        self
    }

    /// Says whether it plays a part beside the other data as they are.
    #[must_use]
    pub fn used(mut self, used: bool) -> Self {
        self.used = used;
        self
    }

    /// A number to be varied: the datum itself (no indices), or the entry of a list or matrix
    /// that is given. `None` where there is no such number.
    pub fn number_at(&mut self, indices: &[usize]) -> Option<&mut f64> {
        if !self.used {
            return None;
        }
        match (&mut self.slot, indices) {
            (Slot::Number(value), []) => Some(&mut **value),
            (Slot::MaybeNumber(value), []) => Some(value.get_or_insert(0.0)),
            (Slot::NumberOrMatrix(Some(NumberOrMatrix::Uniform(value))), []) => Some(value),
            (Slot::List(Some(list)), &[i]) => list.get_mut(i),
            (Slot::Matrix(Some(rows)) | Slot::NumberOrMatrix(Some(NumberOrMatrix::Full(rows))), &[i, j]) => {
                rows.get_mut(i).and_then(|row| row.get_mut(j))
            }
            _ => None,
        }
    }

    /// What is allowed, in words.
    pub fn allowed(&self) -> String {
        match &self.slot {
            Slot::Number(_) | Slot::MaybeNumber(_) => self.range.to_string(),
            Slot::Count(_) => self.range.to_string().replace("finite", "whole"),
            Slot::Flag(_) => "a boolean".into(),
            Slot::Word(word) => format!("one of {}", word.words().join(", ")),
            Slot::List(_) => "a list of numbers".into(),
            Slot::Matrix(_) => "a matrix".into(),
            Slot::NumberOrMatrix(_) => "a number or a matrix".into(),
        }
    }

    /// The value, if there is one.
    pub fn value(&self) -> Option<Value> {
        match &self.slot {
            Slot::Number(value) => Some(Value::Number(**value)),
            Slot::MaybeNumber(value) => value.map(Value::Number),
            Slot::Count(value) => value.map(|count| Value::Number(count as f64)),
            Slot::Flag(value) => Some(Value::Flag(**value)),
            Slot::Word(value) => value.get().map(|word| Value::Word(word.to_owned())),
            Slot::List(value) => (**value).clone().map(Value::List),
            Slot::Matrix(value) => (**value).clone().map(Value::Matrix),
            Slot::NumberOrMatrix(value) => (**value).clone().map(|value| match value {
                NumberOrMatrix::Uniform(number) => Value::Number(number),
                NumberOrMatrix::Full(rows) => Value::Matrix(rows),
            }),
        }
    }

    /// Sets the value.
    ///
    /// # Errors
    /// A value of another kind or out of range: says what is allowed.
    pub fn set(&mut self, value: Value) -> Result<(), ImpactError> {
        // Beyond this, whole numbers are not exact.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let field = format!("law.{}", self.key);
        let kind = |value: &Value, allowed: &str| Err(ImpactError::new(&field[..], value, format!("needs {allowed}")));
        let range = self.range;
        let checked = |value: f64| match range.contains(value) {
            true => Ok(value),
            false => Err(ImpactError::out_of_range(&field[..], value, format!("must be {range}"))),
        };
        match (&mut self.slot, value) {
            (Slot::Number(slot), Value::Number(value)) => **slot = checked(value)?,
            (Slot::MaybeNumber(slot), Value::Number(value)) => **slot = Some(checked(value)?),
            (Slot::Count(slot), Value::Number(value))
                if range.contains(value) && value.fract() == 0.0 && value <= EXACT =>
            {
                **slot = Some(value as usize);
            }
            (Slot::Flag(slot), Value::Flag(value)) => **slot = value,
            (Slot::Word(slot), Value::Word(word)) => {
                if !slot.set(&word) {
                    let words = slot.words().join(", ");
                    return Err(ImpactError::unknown(field, format!("{word:?}"), format!("must be one of {words}")));
                }
            }
            (Slot::List(slot), Value::List(values)) => {
                for (i, &value) in values.iter().enumerate() {
                    if !range.contains(value) {
                        return Err(ImpactError::out_of_range(
                            format!("{field}[{i}]"),
                            value,
                            format!("must be {range}"),
                        ));
                    }
                }
                **slot = Some(values);
            }
            (Slot::Matrix(slot), Value::Matrix(rows)) => **slot = Some(rows),
            // An empty list may be either.
            (Slot::Matrix(slot), Value::List(empty)) if empty.is_empty() => **slot = Some(Vec::new()),
            (Slot::NumberOrMatrix(slot), Value::Number(value)) => **slot = Some(NumberOrMatrix::Uniform(value)),
            (Slot::NumberOrMatrix(slot), Value::Matrix(rows)) => **slot = Some(NumberOrMatrix::Full(rows)),
            (Slot::NumberOrMatrix(slot), Value::List(empty)) if empty.is_empty() => {
                **slot = Some(NumberOrMatrix::Full(Vec::new()));
            }
            (_, value) => return kind(&value, &self.allowed()),
        }
        Ok(())
    }
}

/// The keys of a law, in its order.
pub fn keys(law: &dyn ImpactLaw) -> Vec<&'static str> {
    let mut keys = Vec::new();
    law.boxed().data(&mut |field| keys.push(field.key));
    keys
}

/// Gives the datum of that key to `act`; `None` where the law has no such key.
pub fn with_field<T>(law: &mut dyn ImpactLaw, key: &str, act: impl FnOnce(Field<'_>) -> T) -> Option<T> {
    let (mut act, mut result) = (Some(act), None);
    law.data(&mut |field| {
        if field.key == key
            && let Some(act) = act.take()
        {
            result = Some(act(field));
        }
    });
    result
}

/// Checks that the numbers of a law's data lie in their ranges; for the law's own check. (On a
/// copy, because the list of data gives access to change them.)
///
/// # Errors
/// The first that does not.
pub fn check_ranges(law: &(impl ImpactLaw + Clone)) -> Result<(), Refusal> {
    let mut result = Ok(());
    law.clone().data(&mut |field| {
        let value = match &field.slot {
            Slot::Number(value) => Some(**value),
            Slot::MaybeNumber(value) => **value,
            Slot::Count(value) => value.map(|count| count as f64),
            _ => None,
        };
        if let Some(value) = value
            && !field.range.contains(value)
            && result.is_ok()
        {
            let allowed = format!("must be {}", field.allowed());
            result = Err(Refusal::BadInput(ImpactError::new(format!("law.{}", field.key), value, allowed)));
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LawSpec;

    #[test]
    fn ranges_in_words() {
        let (mut a, mut b, mut c, mut d) = (0.0, 0.0, 0.0, 0.0);
        assert_eq!(Field::number("x", &mut a).allowed(), "a finite number");
        let both = Field::number("x", &mut b).at_least(-1.0).at_most(1.0);
        assert_eq!(both.allowed(), "a finite number of at least -1 and at most 1");
        let open = Field::number("x", &mut c).above(0.0).at_most(0.01);
        assert_eq!(open.allowed(), "a finite number above 0 and at most 0.01");
        assert_eq!(Field::number("x", &mut d).at_most(1e100).allowed(), "a finite number of at most 1e100");
        assert!(!Range::ANY.contains(f64::NAN) && !Range::ANY.contains(f64::INFINITY));
        let open = Range { low: 0.0, above: true, high: 1.0 };
        assert!(!open.contains(0.0) && open.contains(1e-300) && open.contains(1.0) && !open.contains(1.1));
    }

    #[test]
    fn lists_are_checked_entry_by_entry() {
        let mut list = None;
        let error = Field::list("loss", &mut list).at_least(0.0).set(Value::List(vec![0.5, -1.0])).unwrap_err();
        assert_eq!(error.to_string(), "law.loss[1] = -1: must be a finite number of at least 0");
        Field::list("loss", &mut list).set(Value::List(vec![0.5, -1.0])).unwrap();
        assert_eq!(Field::list("loss", &mut list).number_at(&[1]).copied(), Some(-1.0));
        assert_eq!(Field::list("loss", &mut list).number_at(&[2]), None);
        assert!(Field::list("loss", &mut list).set(Value::Number(1.0)).is_err());
    }

    /// Entries of matrices, a number that stands for one, and words: found, changed, refused.
    #[test]
    fn matrices_and_words_are_found_by_place_and_name() {
        let mut rows = Some(vec![vec![1.0, 2.0], vec![3.0, 4.0]]);
        *Field::matrix("m", &mut rows).number_at(&[1, 0]).unwrap() = 5.0;
        assert_eq!(Field::matrix("m", &mut rows).number_at(&[0, 2]), None);
        assert_eq!(Field::matrix("m", &mut rows).number_at(&[1]), None);
        let mut either = rows.clone().map(NumberOrMatrix::Full);
        assert_eq!(Field::number_or_matrix("m", &mut either).number_at(&[1, 0]).copied(), Some(5.0));
        assert_eq!(Field::number_or_matrix("m", &mut either).number_at(&[]), None);
        either = Some(NumberOrMatrix::Uniform(0.5));
        assert_eq!(Field::number_or_matrix("m", &mut either).number_at(&[]).copied(), Some(0.5));
        assert_eq!(Field::number_or_matrix("m", &mut either).used(false).number_at(&[]), None);
        let mut order = crate::law::Order::Fastest;
        assert_eq!(Field::word("order", &mut order).allowed(), "one of fastest, listed");
        let error = Field::word("order", &mut order).set(Value::Word("slow".into())).unwrap_err().to_string();
        assert!(error.contains("fastest, listed"), "{error}");
        Field::word("order", &mut order).set(Value::Word("listed".into())).unwrap();
        assert_eq!(order, crate::law::Order::Listed);
    }

    /// Names are unique, everything is documented, and defaults are allowed.
    #[test]
    fn every_law_describes_itself() {
        let mut names = Vec::new();
        for mut law in LawSpec::all() {
            let about = law.about();
            assert!(!names.contains(&about.name), "{}", about.name);
            names.push(about.name);
            assert!(!about.summary.is_empty() && !about.citation.is_empty(), "{}", about.name);
            let mut keys = vec!["name"];
            law.data(&mut |field| {
                assert!(!keys.contains(&field.key) && field.doc.ends_with('.'), "{} {}", about.name, field.key);
                keys.push(field.key);
                assert!(field.value().is_some() || !field.absent.is_empty(), "{} {}", about.name, field.key);
                if let Some(Value::Number(value)) = field.value() {
                    assert!(field.range.contains(value), "{} {}", about.name, field.key);
                }
            });
            // An unknown key is answered with those that are known.
            assert_eq!(law.keys(), keys[1..], "{}", about.name);
            let error = law.set("nonsense", Value::Number(1.0)).unwrap_err().to_string();
            assert!(keys[1..].iter().all(|key| error.contains(key)), "{error}");
        }
    }
}
