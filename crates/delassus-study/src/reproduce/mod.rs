//! Every figure and table of the four papers as a study: computed by the library's laws, compared
//! with what the paper prints, described as a figure (plain data, drawn elsewhere).
//!
//! [`studies`] lists them, [`Study::run`] computes one. A study that differs from its paper without
//! an explanation is [`unexplained`](Findings::unexplained).

mod brogliato_zhang_liu;
mod findings;
mod glocker;
mod numeric;
mod payr_glocker;
mod solve;
mod zhang_brogliato_liu;

pub use findings::{Datum, Findings, PaperVerdict, StudyFigure, StudyParameter, Table, Value};
pub use zhang_brogliato_liu::{FittedBlock, fitted};

use std::collections::BTreeMap;

use delassus::ImpactError;

/// Why a study could not be computed.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyError(String);

impl StudyError {
    /// A study that cannot be computed, for this reason.
    pub fn new(reason: impl Into<String>) -> StudyError {
        StudyError(reason.into())
    }
}

impl std::fmt::Display for StudyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StudyError {}

impl From<ImpactError> for StudyError {
    fn from(error: ImpactError) -> StudyError {
        StudyError(error.to_string())
    }
}

/// What computes a study.
type Compute = fn(&mut Findings) -> Result<(), StudyError>;

/// One figure, table or example of a paper.
#[derive(Debug, Clone, Copy)]
pub struct Study {
    /// `<paper key>/fig-N`, `<paper key>/table-N` or `<paper key>/section-N`.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    compute: Compute,
}

impl Study {
    /// Computes the study. One that cannot be computed is an unexplained difference.
    pub fn run(&self) -> Findings {
        let mut findings = Findings::default();
        if let Err(error) = (self.compute)(&mut findings) {
            findings.claim("computation", "possible", error.to_string(), false);
        }
        findings
    }

    /// Computes the study with other values of some of its [parameters](Findings::parameters), by their names.
    ///
    /// # Errors
    /// A name that the study does not have, a value outside the parameter's range, or one for which the study cannot be
    /// computed.
    pub fn run_with(&self, values: &BTreeMap<String, f64>) -> Result<Findings, StudyError> {
        if values.is_empty() {
            return Ok(self.run());
        }
        let mut findings = Findings::with(values.clone());
        (self.compute)(&mut findings)?;
        if let Some(name) = findings.unknown().first() {
            let known: Vec<&str> = findings.parameters.iter().map(|p| p.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(StudyError::new(format!("{} has no parameter {name}; it has {known}", self.id)));
        }
        Ok(findings)
    }

    /// The paper's key.
    pub fn paper(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }
}

/// All studies, in the order of the papers.
pub fn studies() -> Vec<Study> {
    [brogliato_zhang_liu::STUDIES, payr_glocker::STUDIES, glocker::STUDIES, zhang_brogliato_liu::STUDIES].concat()
}

/// The study that takes a reader's table of measured blocks ([`fitted`]).
pub const FITTED: &str = "zhang-brogliato-liu-2012/fig-12";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_agrees_or_says_why_not() {
        for study in studies() {
            let findings = study.run();
            assert!(!findings.values.is_empty(), "{}: nothing compared", study.id);
            let open: Vec<_> = findings.values.iter().filter(|v| v.unexplained()).collect();
            assert!(open.is_empty(), "{}: {open:#?}", study.id);
        }
    }

    #[test]
    fn parameters_can_be_changed_and_only_to_what_makes_sense() {
        for study in studies().iter().filter(|study| study.paper() == "glocker-2014") {
            let parameters = study.run().parameters;
            let one = |name: &str, value: f64| BTreeMap::from([(name.to_owned(), value)]);
            let Some(first) = parameters.first() else { continue };
            // Half-way to an end: another answer, which is not held against the paper.
            let value = 0.5 * (first.paper + first.range[usize::from(first.paper == first.range[0])]);
            let changed = study.run_with(&one(first.name, value)).unwrap();
            assert!(changed.is_changed() && changed.verdict() == PaperVerdict::Changed, "{}", study.id);
            assert!(changed.values.iter().all(|v| v.verdict == PaperVerdict::Changed && !v.unexplained()));
            assert!(changed.figures.iter().all(|f| f.caption.contains("Changed: ")));
            assert_eq!(study.run_with(&one(first.name, first.paper)).unwrap().values, study.run().values);
            for (name, value) in [("nothing", 1.0), (first.name, first.range[1] + 1.0), (first.name, f64::NAN)] {
                assert!(study.run_with(&one(name, value)).is_err(), "{}: {name} = {value}", study.id);
            }
        }
    }

    #[test]
    fn ids_are_unique_and_name_a_paper() {
        let mut ids: Vec<_> = studies().iter().map(|s| s.id).collect();
        for id in &ids {
            let kind = id.split('/').nth(1).unwrap();
            assert!(["fig-", "table-", "section-"].iter().any(|k| kind.starts_with(k)), "{id}");
        }
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
