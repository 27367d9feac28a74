//! Sweeps: one impact or motion over values of its parameters, a row for each case.
//!
//! A [`Plan`] says which values the parameters take in which case; a [`Sweep`] computes the row of any
//! case, by itself: rows do not depend on each other, so they can be computed in any order, on any
//! machine, and again.
//!
//! ```
//! use delassus::{LawSpec, ProblemSource, RodImpact};
//! use delassus_study::Case;
//! use delassus_study::sweep::{Cell, Plan, Sampling, Sweep, Vary};
//!
//! let case = Case::new(ProblemSource::Rod(RodImpact::default()), [LawSpec::by_name("newton").unwrap()]);
//! let plan = Plan::new(vec![Vary::parse("rod.friction=0:1:5")?], None, Sampling::Random, 0)?;
//! let mut sweep = Sweep::of_impacts(&case, plan, &["state".to_owned(), "energy".to_owned()], &|_| None)?;
//! assert_eq!(sweep.columns(), ["case", "rod.friction", "state", "energy", "status", "certificate"]);
//! assert_eq!(sweep.row(4, &|| false).unwrap()[1], Cell::Number(1.0));
//! # Ok::<(), delassus::ImpactError>(())
//! ```

mod impact;
mod motion;
mod plan;
mod sample;

pub(crate) use motion::Motions;
pub use plan::{Input, Plan, Values, Vary};
pub use sample::{Distribution, MOST_SOBOL, Sampling, normal_probability, normal_quantile, unit};

use std::sync::Mutex;

use delassus::scenario::{RecordSource, Scenario};
use delassus::{ImpactError, LawSpec};

use self::impact::Impacts;
use crate::parameter::Case;

/// An entry of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A number; NaN where there is none.
    Number(f64),
    /// A word.
    Word(String),
}

/// What was found in one case.
struct Found {
    measures: Vec<Cell>,
    status: String,
    /// Absent where there is no answer.
    certificate: Option<String>,
}

/// Statuses of cases in which everything was found.
pub const FOUND: [&str; 5] = ["solved", "not-applicable", "completed", "at-rest", "overturned"];

/// The law of a name among the values of a sweep.
pub type LawOf<'a> = &'a dyn Fn(&str) -> Option<LawSpec>;
/// The record of a file, with nothing left open, for the parameter of a path.
pub type RecordOf<'a> = &'a dyn Fn(&str, &str) -> Result<RecordSource, ImpactError>;

/// An impact or a motion over values of its parameters. Clones compute independently of each other.
/// How it is shown for debugging, before anything was computed, tells it from every other.
#[derive(Debug, Clone)]
pub struct Sweep {
    plan: Plan,
    measures: Vec<String>,
    subject: Subject,
}

#[derive(Debug, Clone)]
enum Subject {
    Impacts(Box<Impacts>),
    Motions(Box<Motions>),
}

impl Sweep {
    /// A sweep over parameters of an impact: those of maps, and `law`, whose words `law_of` reads.
    ///
    /// # Errors
    /// No such parameter or measure; values that it cannot take.
    pub fn of_impacts(case: &Case, plan: Plan, measures: &[String], law_of: LawOf<'_>) -> Result<Self, ImpactError> {
        let subject = Subject::Impacts(Box::new(Impacts::new(case, &plan, measures, law_of)?));
        Ok(Self { plan, measures: measures.to_vec(), subject })
    }

    /// A sweep over parameters of a scenario: those of maps, `law`, numbers of the law
    /// (`law.exponent`) and files of records (`ground.NAME.motion.record.file`), which `record_of` reads.
    ///
    /// # Errors
    /// No such parameter or measure; values that it cannot take.
    pub fn of_motions(
        scenario: &Scenario,
        law: LawSpec,
        plan: Plan,
        measures: &[String],
        law_of: LawOf<'_>,
        record_of: RecordOf<'_>,
    ) -> Result<Self, ImpactError> {
        let motions = Motions::new(scenario, law, &plan, measures, law_of, record_of)?;
        Ok(Self { plan, measures: measures.to_vec(), subject: Subject::Motions(Box::new(motions)) })
    }

    /// Its cases.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Names of the columns: `case`, the parameters, the measures, `status`, `certificate`.
    pub fn columns(&self) -> Vec<String> {
        let keys = self.plan.vary().iter().map(|vary| vary.key.clone());
        let columns = ["case".to_owned()].into_iter().chain(keys).chain(self.measures.iter().cloned());
        columns.chain(["status", "certificate"].map(str::to_owned)).collect()
    }

    /// Where the measures stand among the columns; the status follows them.
    pub fn measured(&self) -> std::ops::Range<usize> {
        let first = 1 + self.plan.vary().len();
        first..first + self.measures.len()
    }

    /// The coordinate or rate of a motion that a column holds, by its name (`block.theta_rate`), and its unit. Those
    /// of impacts have no names.
    pub fn coordinate(&self, column: usize) -> Option<(String, &'static str)> {
        match &self.subject {
            Subject::Motions(motions) if self.measured().contains(&column) => {
                motions.coordinate(column - self.measured().start)
            }
            _ => None,
        }
    }

    /// Which columns hold numbers; the others hold words.
    pub fn are_numbers(&self) -> Vec<bool> {
        let keys = self.plan.vary().iter().map(|vary| !matches!(vary.values, Values::Words(_)));
        let measures = match &self.subject {
            Subject::Impacts(impacts) => impacts.are_numbers(),
            Subject::Motions(motions) => motions.are_numbers(),
        };
        [true].into_iter().chain(keys).chain(measures).chain([false, false]).collect()
    }

    /// The row of a case; `None` if `stop` asked to give it up. A case that fails has a row without
    /// measures, with the reason behind its status: `undefined: …`.
    pub fn row(&mut self, case: usize, stop: &dyn Fn() -> bool) -> Option<Vec<Cell>> {
        let inputs = self.plan.inputs(case);
        let found = match &mut self.subject {
            Subject::Impacts(impacts) => Some(impacts.find(&inputs)),
            Subject::Motions(motions) => motions.find(&inputs, stop),
        }?;
        let found = found.unwrap_or_else(|error| Found {
            measures: vec![Cell::Number(f64::NAN); self.measures.len()],
            status: format!("undefined: {error}"),
            certificate: None,
        });
        let mut row = vec![Cell::Number(case as f64)];
        row.extend(inputs.iter().zip(self.plan.vary()).map(|(input, vary)| match (*input, &vary.values) {
            (Input::Number(value), _) => Cell::Number(value),
            (Input::Word(index), Values::Words(words)) => Cell::Word(words[index].clone()),
            (Input::Word(_), _) => Cell::Number(f64::NAN),
        }));
        row.extend(found.measures);
        row.push(Cell::Word(found.status.replace(['\n', '\r'], " ")));
        row.push(found.certificate.map_or(Cell::Number(f64::NAN), Cell::Word));
        Some(row)
    }
}

/// A sweep whose rows several threads compute. It is copied once for each of them and not for each case, because a copy
/// holds the values of all cases.
#[derive(Debug)]
pub struct Shared<'a> {
    sweep: &'a Sweep,
    /// Copies that no thread uses now.
    spare: Mutex<Vec<Sweep>>,
}

impl<'a> Shared<'a> {
    /// Of this sweep, which is not changed.
    pub fn new(sweep: &'a Sweep) -> Self {
        Self { sweep, spare: Mutex::default() }
    }

    /// [`Sweep::row`]; `None` at once where `stop` asks for that.
    pub fn row(&self, case: usize, stop: &dyn Fn() -> bool) -> Option<Vec<Cell>> {
        if stop() {
            return None;
        }
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        let mut sweep = spare.unwrap_or_else(|| self.sweep.clone());
        let row = sweep.row(case, stop);
        if let Ok(mut spare) = self.spare.lock() {
            spare.push(sweep);
        }
        row
    }
}

/// The laws that words name.
fn laws(words: &[String], law_of: LawOf<'_>) -> Result<Vec<LawSpec>, ImpactError> {
    let law = |word: &String| law_of(word).ok_or_else(|| ImpactError::new("law", format!("{word:?}"), "unknown law"));
    words.iter().map(law).collect()
}

/// Words where a number is needed.
fn no_number(key: &str, words: &[String]) -> ImpactError {
    let value = words.iter().find(|word| crate::number::parse(word).is_none());
    ImpactError::new(key, format!("{:?}", value.map_or("", |v| v)), "is no number")
}

/// The entry for a reading: its number, or the name of its regime.
fn cell(field: bool, value: f64, name: impl FnOnce() -> String) -> Cell {
    if field { Cell::Number(value) } else { Cell::Word(name()) }
}

#[cfg(test)]
mod tests {
    use delassus::{ErrorKind, ProblemSource, RodImpact};

    use super::*;

    fn swept(vary: &[&str]) -> Result<Sweep, ImpactError> {
        let case = Case::new(ProblemSource::Rod(RodImpact::default()), [LawSpec::by_name("newton").unwrap()]);
        let vary = vary.iter().map(|text| Vary::parse(text)).collect::<Result<_, _>>()?;
        Sweep::of_impacts(&case, Plan::new(vary, None, Sampling::Random, 0)?, &["energy".to_owned()], &|_| None)
    }

    #[test]
    fn shared_rows_are_those_of_the_sweep() {
        let mut alone = swept(&["rod.friction=0:1:5", "rod.angle=0.3,0.9"]).unwrap();
        let before = format!("{alone:?}");
        let shared = Shared::new(&alone);
        // In any order, with copies that computed other cases before.
        let rows: Vec<_> = [7, 2, 9, 2].map(|case| shared.row(case, &|| false).unwrap()).to_vec();
        assert_eq!(shared.row(3, &|| true), None);
        assert_eq!(shared.spare.lock().unwrap().len(), 1);
        assert_eq!(format!("{alone:?}"), before);
        assert_eq!(rows, [7, 2, 9, 2].map(|case| alone.row(case, &|| false).unwrap()));
    }

    #[test]
    fn two_paths_of_one_number_are_refused() {
        let rod = ProblemSource::Rod(RodImpact::default()).data().unwrap();
        let case = Case::new(ProblemSource::Full(rod), [LawSpec::by_name("newton").unwrap()]);
        let named = case.source.data().unwrap().contacts[0].name.clone();
        let vary = [format!("contact.{named}.friction=0,1"), "contact[0].friction=2".to_owned()];
        let plan = |vary: &[String]| {
            let vary = vary.iter().map(|text| Vary::parse(text)).collect::<Result<_, _>>().unwrap();
            Plan::new(vary, None, Sampling::Random, 0).unwrap()
        };
        let error = Sweep::of_impacts(&case, plan(&vary), &[], &|_| None).unwrap_err();
        assert_eq!((error.kind, &error.field[..]), (ErrorKind::Duplicate, "contact[0].friction"), "{error}");
        assert!(Sweep::of_impacts(&case, plan(&vary[..1]), &[], &|_| None).is_ok());
    }
}
