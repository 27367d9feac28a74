//! Numbers and expressions of time that stand for forces.

use super::Formula;
use crate::error::{ImpactError, moderate};
use crate::model::Expression;

/// Points at which an expression is looked at.
const LOOKS: usize = 2000;

/// The times at which an expression is looked at in a run of that length.
pub(super) fn looks(time: Option<f64>) -> impl Iterator<Item = f64> {
    let span = span(time);
    (0..=LOOKS).map(move |i| span * i as f64 / LOOKS as f64)
}

/// How long a run lasts, at most.
pub(super) fn span(time: Option<f64>) -> f64 {
    time.filter(|t| t.is_finite()).unwrap_or(super::LONGEST)
}

impl Formula {
    /// The expression at `field` in a run of that length. One that is not finite at some time of it is refused: a step
    /// that passes over it would leave out an impulse without bound. Where the length is not known, only the start is
    /// looked at: what grows without bound later may not be reached.
    pub(super) fn expression(&self, field: &str, time: Option<f64>) -> Result<Expression, ImpactError> {
        let text = match self {
            Self::Number(value) => return moderate(|| field.to_owned(), *value).map(Expression::constant),
            Self::Text(text) => text,
        };
        let expression = Expression::parse(text).map_err(|e| e.within(field))?;
        match looks(time.or(Some(0.0))).find(|&t| !expression.at(t).is_finite()) {
            Some(t) => {
                Err(ImpactError::not_finite(field, format!("{text:?}"), format!("is not a finite number at t = {t}")))
            }
            None => Ok(expression),
        }
    }
}
