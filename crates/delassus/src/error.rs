//! The error type: bad input, named by field, value and what is allowed.

use std::fmt;

/// Bad input: which field, which value, and what would be allowed.
///
/// Not converging, having no solution or several is never an error but a
/// [`Status`](crate::Status) of the outcome. Only a problem that the caller did not let be built to its end is neither
/// ([`ErrorKind::Stopped`]).
///
/// ```
/// use delassus::{Mass, ImpactError};
/// let error: ImpactError = Mass::diagonal(vec![1.0, -2.0]).unwrap_err();
/// assert_eq!(error.to_string(), "mass[1] = -2: a mass must be positive and finite, and so must its reciprocal");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpactError {
    /// What is wrong with it, for programs.
    pub kind: ErrorKind,
    /// Path of the field, as in problem files: `contact[1].friction`.
    pub field: String,
    /// The offending value as text; empty where there is none (a missing field).
    pub value: String,
    /// What is wrong and what is allowed, for readers.
    pub problem: String,
}

/// What can be wrong with input.
///
/// ```
/// use delassus::{ErrorKind, Mass};
/// assert_eq!(Mass::dense(2, vec![1.0; 3]).unwrap_err().kind, ErrorKind::WrongSize);
/// assert_eq!(Mass::diagonal(vec![f64::NAN]).unwrap_err().kind, ErrorKind::OutOfRange);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A field that must be there is not.
    Missing,
    /// A key, name or word that is not among those known.
    Unknown,
    /// A list or table with too many or too few entries.
    WrongSize,
    /// A number outside the range in which it means something.
    OutOfRange,
    /// A number that is not finite, or numbers whose products are not.
    NotFinite,
    /// A name or entry that is there twice.
    Duplicate,
    /// Nothing is wrong: the work on it was stopped before its end, because the caller said so (see [`Stop`](crate::Stop)).
    Stopped,
    /// Anything else: the value is of another type, contradicts another one, or means nothing.
    Invalid,
}

impl ImpactError {
    /// An error of kind [`Invalid`](ErrorKind::Invalid) at `field` with the offending `value`.
    pub fn new(field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self::of(ErrorKind::Invalid, field, value, problem)
    }

    /// A field that is missing.
    pub fn missing(field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self::of(ErrorKind::Missing, field, value, problem)
    }

    /// A word that is not known.
    pub fn unknown(field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self::of(ErrorKind::Unknown, field, value, problem)
    }

    /// A list of the wrong length.
    pub fn wrong_size(field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self::of(ErrorKind::WrongSize, field, value, problem)
    }

    /// A number out of range.
    pub fn out_of_range(field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self::of(ErrorKind::OutOfRange, field, value, problem)
    }

    /// A number that is not finite.
    pub fn not_finite(field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self::of(ErrorKind::NotFinite, field, value, problem)
    }

    /// Something that is there twice.
    pub fn duplicate(field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self::of(ErrorKind::Duplicate, field, value, problem)
    }

    /// An error of a kind at `field` with the offending `value`.
    pub fn of(kind: ErrorKind, field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        let mut value = value.to_string();
        // Very large and very small numbers come with hundreds of digits.
        if value.len() > 24
            && let Ok(number) = value.parse::<f64>()
        {
            value = format!("{number:e}");
        }
        Self { kind, field: field.into(), value, problem: problem.into() }
    }

    /// The contact of an impact problem that the field belongs to, and the field there.
    pub fn contact(&self) -> Option<(usize, &str)> {
        let (index, key) = self.field.strip_prefix("contact[")?.split_once("].")?;
        Some((index.parse().ok()?, key))
    }

    /// The same error with `prefix` put before the field path.
    #[must_use]
    pub fn within(mut self, prefix: &str) -> Self {
        self.field = match (prefix.is_empty(), self.field.is_empty()) {
            (true, _) => self.field,
            (false, true) => prefix.to_owned(),
            (false, false) => format!("{prefix}.{}", self.field),
        };
        self
    }
}

impl fmt::Display for ImpactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_empty() {
            write!(f, "{}: {}", self.field, self.problem)
        } else {
            write!(f, "{} = {}: {}", self.field, self.value, self.problem)
        }
    }
}

impl std::error::Error for ImpactError {}

/// Checks that `value` is finite.
pub(crate) fn finite(field: impl Fn() -> String, value: f64) -> Result<f64, ImpactError> {
    if value.is_finite() { Ok(value) } else { Err(ImpactError::not_finite(field(), value, "must be a finite number")) }
}

/// Products of three numbers up to this are finite.
pub(crate) const MODERATE: f64 = 1e100;

/// Checks that `value` is a number of a size that leaves room for energies.
pub(crate) fn moderate(field: impl Fn() -> String, value: f64) -> Result<f64, ImpactError> {
    if value.abs() <= MODERATE {
        Ok(value)
    } else {
        Err(ImpactError::out_of_range(
            field(),
            value,
            format!("must be a finite number of at most {MODERATE:e} in size"),
        ))
    }
}

/// Checks that `value` is a positive number of a size that leaves room for energies and their inverses.
pub(crate) fn moderate_positive(field: impl Fn() -> String, value: f64) -> Result<f64, ImpactError> {
    let range = MODERATE.recip()..=MODERATE;
    if range.contains(&value) {
        Ok(value)
    } else if value > 0.0 {
        Err(ImpactError::out_of_range(field(), value, format!("must be in {:e} to {:e}", range.start(), range.end())))
    } else {
        Err(ImpactError::out_of_range(field(), value, "must be positive and finite"))
    }
}

/// Checks that `value` is finite and at least `least`.
pub(crate) fn at_least(field: impl Fn() -> String, value: f64, least: f64) -> Result<f64, ImpactError> {
    if value.is_finite() && value >= least {
        Ok(value)
    } else {
        Err(ImpactError::out_of_range(field(), value, format!("must be a finite number of at least {least}")))
    }
}
