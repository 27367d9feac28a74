//! What a study found: values beside the paper's, tables, figures, notes.

use std::collections::BTreeMap;

use delassus_figure::Figure;

use super::StudyError;
use crate::number;

/// How a finding relates to the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PaperVerdict {
    /// The paper's value or claim holds.
    #[default]
    Agrees,
    /// The paper misprints it; the corrected form holds.
    Corrected,
    /// It does not hold.
    Differs,
    /// Computed with other parameters than the paper's: there is nothing to agree with.
    Changed,
}

impl PaperVerdict {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            PaperVerdict::Agrees => "agrees",
            PaperVerdict::Corrected => "corrected",
            PaperVerdict::Differs => "differs",
            PaperVerdict::Changed => "changed",
        }
    }
}

/// A number or words.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A number.
    Number(f64),
    /// Words: a claim, a state, a formula.
    Text(String),
}

impl From<f64> for Datum {
    fn from(value: f64) -> Datum {
        Datum::Number(value)
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Datum {
        Datum::Text(text.into())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Datum {
        Datum::Text(text)
    }
}

/// One comparison with the paper, or with an independent computation.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What is compared, with symbol, unit and equation number.
    pub quantity: String,
    /// What the paper says; `None` where it says nothing and an independent computation stands beside ours.
    pub paper: Option<Datum>,
    /// What an independent computation gives, where there is one instead of the paper.
    pub independent: Option<Datum>,
    /// What we find.
    pub ours: Datum,
    /// Largest absolute difference that agrees; `None` for words.
    pub tolerance: Option<f64>,
    /// How they relate.
    pub verdict: PaperVerdict,
    /// The correction, or the reason of the difference.
    pub why: Option<String>,
}

impl Value {
    /// Whether this is a difference that nothing explains.
    pub fn unexplained(&self) -> bool {
        self.verdict == PaperVerdict::Differs && self.why.is_none()
    }
}

/// A number of a study that a reader can change.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyParameter {
    /// Its name in commands and addresses.
    pub name: &'static str,
    /// What it is: symbol and unit.
    pub meaning: &'static str,
    /// The paper's value.
    pub paper: f64,
    /// The value that was taken.
    pub value: f64,
    /// Least and largest value that the study can take.
    pub range: [f64; 2],
}

/// The numbers behind a figure, as a CSV file.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Part of the file name, empty for a study's only table.
    pub part: String,
    /// Heads of the columns.
    pub columns: Vec<String>,
    /// Rows, as long as `columns`.
    pub rows: Vec<Vec<Datum>>,
}

impl Table {
    /// An empty table.
    pub fn new<S: Into<String>>(part: &str, columns: impl IntoIterator<Item = S>) -> Table {
        Table { part: part.into(), columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row of numbers.
    pub fn numbers(&mut self, row: impl IntoIterator<Item = f64>) {
        self.rows.push(row.into_iter().map(Datum::Number).collect());
    }

    /// Adds a row of numbers and words.
    pub fn row(&mut self, row: impl IntoIterator<Item = Datum>) {
        self.rows.push(row.into_iter().collect());
    }
}

/// A figure with its caption.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyFigure {
    /// Part of the file name, empty for a study's only figure.
    pub part: String,
    /// The figure.
    pub figure: Figure,
    /// What it shows and how to read it.
    pub caption: String,
}

/// What a study found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Comparisons.
    pub values: Vec<Value>,
    /// Numbers behind the figures.
    pub tables: Vec<Table>,
    /// Figures.
    pub figures: Vec<StudyFigure>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// Numbers that can be changed, as the study asked for them.
    pub parameters: Vec<StudyParameter>,
    /// Values asked for in place of the paper's, by the names of parameters.
    asked: BTreeMap<String, f64>,
}

impl Findings {
    /// Nothing found yet; parameters of these names take these values.
    pub(super) fn with(asked: BTreeMap<String, f64>) -> Findings {
        Findings { asked, ..Findings::default() }
    }

    /// The value of a parameter: the paper's, or the one asked for. A study asks for its parameters first, so that
    /// all it finds knows whether one was changed.
    pub(super) fn parameter(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        paper: f64,
        range: [f64; 2],
    ) -> Result<f64, StudyError> {
        let value = self.asked.get(name).copied().unwrap_or(paper);
        if !(range[0] <= value && value <= range[1]) {
            return Err(StudyError::new(format!("{name} = {value}: must lie between {} and {}", range[0], range[1])));
        }
        self.parameters.push(StudyParameter { name, meaning, paper, value, range });
        Ok(value)
    }

    /// Whether a parameter has another value than the paper's.
    pub fn is_changed(&self) -> bool {
        self.parameters.iter().any(|p| p.value != p.paper)
    }

    /// The parameters that were changed, in words; empty where none was.
    pub fn changes(&self) -> String {
        let show = |value: f64| number::format(value, 0.0);
        let changed = self.parameters.iter().filter(|p| p.value != p.paper);
        let words: Vec<String> =
            changed.map(|p| format!("{} = {} (paper: {})", p.meaning, show(p.value), show(p.paper))).collect();
        words.join(", ")
    }

    /// Names that were asked for and are no parameters of the study.
    pub(super) fn unknown(&self) -> Vec<&str> {
        let known = |name: &String| self.parameters.iter().any(|p| p.name == name.as_str());
        self.asked.keys().filter(|name| !known(name)).map(String::as_str).collect()
    }

    /// The verdict on the whole: the worst of its values.
    pub fn verdict(&self) -> PaperVerdict {
        self.values.iter().map(|v| v.verdict).max().unwrap_or_default()
    }

    /// Whether something differs and nothing explains it.
    pub fn unexplained(&self) -> bool {
        self.values.iter().any(Value::unexplained)
    }

    /// Compares a number with the paper's.
    pub fn number(&mut self, quantity: impl Into<String>, paper: f64, ours: f64, tolerance: f64) {
        let verdict = if (ours - paper).abs() <= tolerance { PaperVerdict::Agrees } else { PaperVerdict::Differs };
        self.push(quantity, paper, ours, Some(tolerance), verdict, None);
    }

    /// Compares a number that the paper does not state with that of an independent computation.
    pub fn independent(&mut self, quantity: impl Into<String>, independent: f64, ours: f64, tolerance: f64) {
        let verdict =
            if (ours - independent).abs() <= tolerance { PaperVerdict::Agrees } else { PaperVerdict::Differs };
        self.add(Value {
            quantity: quantity.into(),
            paper: None,
            independent: Some(independent.into()),
            ours: ours.into(),
            tolerance: Some(tolerance),
            verdict,
            why: None,
        });
    }

    /// Adds a comparison; with other parameters than the paper's it is none.
    fn add(&mut self, value: Value) {
        let value = match self.is_changed() {
            true => Value { verdict: PaperVerdict::Changed, why: None, ..value },
            false => value,
        };
        self.values.push(value);
    }

    /// Compares with a claim in words; `holds` says whether it is true.
    pub fn claim(&mut self, quantity: impl Into<String>, paper: impl Into<Datum>, ours: impl Into<Datum>, holds: bool) {
        let verdict = if holds { PaperVerdict::Agrees } else { PaperVerdict::Differs };
        self.push(quantity, paper, ours, None, verdict, None);
    }

    /// A misprint: the paper prints `paper`, the corrected form gives `right`. If ours is not
    /// `right` either, that is an unexplained difference.
    pub fn corrected(
        &mut self,
        quantity: impl Into<String>,
        paper: impl Into<Datum>,
        right: f64,
        ours: f64,
        tolerance: f64,
        why: impl Into<String>,
    ) {
        let holds = (ours - right).abs() <= tolerance;
        self.settled(PaperVerdict::Corrected, quantity, paper, ours, Some(tolerance), holds, why);
    }

    /// A claim that is false as printed, while the corrected one is checked by `holds`.
    pub fn corrected_claim(
        &mut self,
        quantity: impl Into<String>,
        paper: impl Into<Datum>,
        ours: impl Into<Datum>,
        holds: bool,
        why: impl Into<String>,
    ) {
        self.settled(PaperVerdict::Corrected, quantity, paper, ours, None, holds, why);
    }

    /// A difference with a reason, provided that ours is `expected`, the value found independently.
    pub fn explained(
        &mut self,
        quantity: impl Into<String>,
        paper: impl Into<Datum>,
        expected: f64,
        ours: f64,
        tolerance: f64,
        why: impl Into<String>,
    ) {
        let holds = (ours - expected).abs() <= tolerance;
        self.settled(PaperVerdict::Differs, quantity, paper, ours, Some(tolerance), holds, why);
    }

    /// A claim that does not hold, for a reason, provided that what we find is confirmed by `holds`.
    pub fn explained_claim(
        &mut self,
        quantity: impl Into<String>,
        paper: impl Into<Datum>,
        ours: impl Into<Datum>,
        holds: bool,
        why: impl Into<String>,
    ) {
        self.settled(PaperVerdict::Differs, quantity, paper, ours, None, holds, why);
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.tables.push(table);
    }

    /// Adds the study's figure.
    pub fn figure(&mut self, figure: Figure, caption: impl Into<String>) {
        self.figure_part("", figure, caption);
    }

    /// Adds one of several figures.
    pub fn figure_part(&mut self, part: &str, figure: Figure, caption: impl Into<String>) {
        let mut caption = caption.into();
        if self.is_changed() {
            caption += &format!(" Changed: {}.", self.changes());
        }
        self.figures.push(StudyFigure { part: part.into(), figure, caption });
    }

    /// Adds a remark.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    #[allow(clippy::too_many_arguments)]
    fn settled(
        &mut self,
        verdict: PaperVerdict,
        quantity: impl Into<String>,
        paper: impl Into<Datum>,
        ours: impl Into<Datum>,
        tolerance: Option<f64>,
        holds: bool,
        why: impl Into<String>,
    ) {
        let (verdict, why) = if holds { (verdict, Some(why.into())) } else { (PaperVerdict::Differs, None) };
        self.push(quantity, paper, ours, tolerance, verdict, why);
    }

    fn push(
        &mut self,
        quantity: impl Into<String>,
        paper: impl Into<Datum>,
        ours: impl Into<Datum>,
        tolerance: Option<f64>,
        verdict: PaperVerdict,
        why: Option<String>,
    ) {
        let (quantity, paper, ours) = (quantity.into(), Some(paper.into()), ours.into());
        self.add(Value { quantity, paper, independent: None, ours, tolerance, verdict, why });
    }
}
