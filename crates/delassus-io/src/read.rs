//! From the text of a file to checked problems.

use std::fmt;
use std::path::Path;

use delassus::{Budget, ImpactError, ImpactLaw, ImpactProblem, LawSpec, Limits, ProblemSource, SolverData, Stop};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::error::{InputError, explain};
use crate::fault::Fault;
use crate::law::LawTable;
use crate::scenario::absurd_angle;
use crate::tables::ProblemTable;
use crate::tree::Node;

/// The syntax of a file. The keys are the same in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

impl Format {
    /// By the ending of the file's name, else by its first characters: `{`,
    /// `[{` and `[]` begin JSON.
    pub fn detect(file: &Path, text: &str) -> Self {
        match file.extension().and_then(|e| e.to_str()) {
            Some("toml") => return Self::Toml,
            Some("json") => return Self::Json,
            _ => {}
        }
        let mut first = text.trim_start_matches('\u{feff}').chars().filter(|c| !c.is_whitespace());
        match (first.next(), first.next()) {
            (Some('{'), _) | (Some('['), Some('{' | ']')) => Self::Json,
            _ => Self::Toml,
        }
    }
}

/// What the reader needs to know beside the file.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Whether a law was asked for outside the file that takes tangents without
    /// friction (`kinematic`): then they may stand alone.
    pub without_friction: bool,
    /// Laws beside those of the library that the file may name, with their default data.
    pub laws: Vec<LawSpec>,
    /// Asked now and then, while problems are built, whether to stop.
    pub stop: Option<Stop>,
}

impl ReadOptions {
    /// Options for reading a file whose problems are resolved under these laws.
    pub fn for_laws(laws: &[LawSpec]) -> Self {
        Self { without_friction: laws.iter().any(|law| !law.needs_friction()), ..Self::default() }
    }

    fn all_laws(&self) -> Vec<LawSpec> {
        LawSpec::all().into_iter().chain(self.laws.iter().cloned()).collect()
    }
}

/// A checked problem of a file.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The problem.
    pub problem: ImpactProblem,
    /// The law that the file gives for it.
    pub law: Option<LawSpec>,
    /// The limits of the work that the file gives for it.
    pub solver: SolverData,
    /// Its index in a batch; `None` in a file with one problem.
    pub index: Option<usize>,
    /// What should be known of its numbers.
    pub remarks: Vec<String>,
}

impl Entry {
    /// Its place in the file, to be put before field paths: `problem[3]`, or
    /// empty in a file with one problem.
    pub fn path(&self) -> String {
        path(self.index)
    }
}

fn path(index: Option<usize>) -> String {
    index.map(|i| format!("problem[{i}]")).unwrap_or_default()
}

/// The problems of a file, in order.
#[derive(Debug, Clone)]
pub struct Document {
    /// The problems, at least one.
    pub entries: Vec<Entry>,
    /// Whether the file is a batch (`[[problem]]` or a JSON array), be it of one.
    pub batch: bool,
}

/// Reads and checks every problem of a file.
///
/// # Errors
/// The first thing that is wrong; then no problem of the file is returned.
pub fn read_problems(text: &str, file: &str, format: Format, options: &ReadOptions) -> Result<Document, InputError> {
    let drafts = parse_problems_with(text, file, format, options)?;
    let (batch, checker) = (drafts.batch, drafts.checker(options));
    let entries = drafts.problems.into_iter().enumerate().map(|(i, draft)| checker.check(i, draft));
    let entries = entries.collect::<Result<_, _>>().map_err(|error| InputError::new(file, error))?;
    Ok(Document { entries, batch })
}

/// The problems of a file as written, to be checked one by one (perhaps in
/// parallel) by a [`Checker`].
#[derive(Debug)]
pub struct Drafts {
    /// The problems, at least one.
    pub problems: Vec<Draft>,
    /// As in [`Document`].
    pub batch: bool,
    law: Option<LawSpec>,
    solver: SolverData,
}

/// A problem as written.
#[derive(Debug)]
pub struct Draft(ProblemTable);

/// Reads the problems of a file: syntax, keys and types.
///
/// # Errors
/// The first thing that is wrong.
pub fn parse_problems(text: &str, file: &str, format: Format) -> Result<Drafts, InputError> {
    parse_problems_with(text, file, format, &ReadOptions::default())
}

fn parse_problems_with(text: &str, file: &str, format: Format, options: &ReadOptions) -> Result<Drafts, InputError> {
    let FileTable { problems, law, solver, batch } =
        parse(text, format).map_err(|(position, error)| InputError { file: file.into(), position, error })?;
    let error = |error| InputError::new(file, error);
    if problems.is_empty() {
        return Err(error(ImpactError::wrong_size("problem", "[]", "needs at least one problem")));
    }
    let law = law.map(|law| law.spec_among(&options.all_laws())).transpose().map_err(error)?;
    let solver = solver.unwrap_or_default();
    solver.check().map_err(error)?;
    Ok(Drafts { problems: problems.into_iter().map(Draft).collect(), batch, law, solver })
}

impl Drafts {
    /// The checker for these problems.
    pub fn checker(&self, options: &ReadOptions) -> Checker {
        Checker {
            batch: self.batch,
            law: self.law.clone(),
            solver: self.solver,
            without_friction: options.without_friction,
            laws: options.all_laws(),
            limits: Limits { stop: options.stop.clone(), ..Limits::default() },
        }
    }
}

/// Checks the values of problems; see [`Drafts`].
#[derive(Debug)]
pub struct Checker {
    batch: bool,
    law: Option<LawSpec>,
    solver: SolverData,
    without_friction: bool,
    laws: Vec<LawSpec>,
    limits: Limits,
}

impl Checker {
    /// Checks the problem with that index in its file.
    ///
    /// # Errors
    /// The first thing that is wrong, with the problem's place in the path.
    pub fn check(&self, index: usize, draft: Draft) -> Result<Entry, ImpactError> {
        let index = self.batch.then_some(index);
        let entry = self.source(draft).and_then(|(source, law, solver)| {
            let remark = match &source {
                ProblemSource::Rod(rod) => absurd_angle("rod_impact.angle", rod.angle),
                _ => None,
            };
            let problem = ImpactProblem::new_within(source.into_data()?, &mut Budget::new(&self.limits))?;
            Ok(Entry { problem, law, solver, index, remarks: remark.into_iter().collect() })
        });
        entry.map_err(|error| error.within(&path(index)))
    }

    /// The problem as written, with its law and limits: what studies vary.
    ///
    /// # Errors
    /// As [`check`](Self::check), but the numbers are not checked yet.
    pub fn source(&self, draft: Draft) -> Result<(ProblemSource, Option<LawSpec>, SolverData), ImpactError> {
        let mut table = draft.0;
        if table.problem.is_some() {
            return Err(ImpactError::new("problem", "", "problems cannot be nested"));
        }
        let law = match table.law.take() {
            Some(law) => Some(law.spec_among(&self.laws)?),
            None => self.law.clone(),
        };
        let solver = table.solver.unwrap_or_default();
        solver.check()?;
        let needs_friction = !self.without_friction && law.as_ref().is_none_or(ImpactLaw::needs_friction);
        let source = table.into_source(needs_friction, &mut Budget::new(&self.limits))?;
        Ok((source, law, solver.or(self.solver)))
    }
}

/// A file: one problem, or a list of them with what they share.
#[derive(Debug)]
struct FileTable {
    problems: Vec<ProblemTable>,
    law: Option<LawTable>,
    solver: Option<SolverData>,
    batch: bool,
}

impl<'de> Deserialize<'de> for FileTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FileVisitor;
        impl<'de> Visitor<'de> for FileVisitor {
            type Value = FileTable;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a problem or a list of problems")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<FileTable, A::Error> {
                let problems = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(FileTable { problems, law: None, solver: None, batch: true })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FileTable, A::Error> {
                let mut top = ProblemTable::deserialize(MapAccessDeserializer::new(map))?;
                match (top.problem.take(), top.first_problem_key()) {
                    (None, _) => Ok(FileTable { problems: vec![top], law: None, solver: None, batch: false }),
                    (Some(problems), None) => Ok(FileTable { problems, law: top.law, solver: top.solver, batch: true }),
                    (Some(_), Some(key)) => Err(serde::de::Error::custom(format!(
                        "a file with [[problem]] tables must have '{key}' inside them"
                    ))),
                }
            }
        }
        deserializer.deserialize_any(FileVisitor)
    }
}

pub(crate) type Located = (Option<(usize, usize)>, ImpactError);

/// Reads data from a text. Whatever the format, they are read from the same tree.
pub(crate) fn parse<T: serde::de::DeserializeOwned>(text: &str, format: Format) -> Result<T, Located> {
    from_tree(&tree(text, format)?, text, format)
}

/// Reads data from the tree of a text.
pub(crate) fn from_tree<T: serde::de::DeserializeOwned>(tree: &Node, text: &str, format: Format) -> Result<T, Located> {
    T::deserialize(tree).map_err(|fault| wrong_value(without_mark(text), format, &fault))
}

/// The text without the mark of its encoding, which some editors put before it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The tree of a text.
pub(crate) fn tree(text: &str, format: Format) -> Result<Node, Located> {
    let text = without_mark(text);
    match format {
        Format::Json => serde_json::from_str(text).map_err(|e| wrong_json(text, &e)),
        Format::Toml => {
            let table = toml::de::DeTable::parse(text).map_err(|e| {
                let place = e.span().map(|span| span.start);
                let message = e.message().replace('\n', ", ");
                (position(text, place), ImpactError::new("", "", format!("not valid TOML: {message}")))
            })?;
            Node::from_toml(table).map_err(|fault| wrong_value(text, format, &fault))
        }
    }
}

fn wrong_value(text: &str, format: Format, fault: &Fault) -> Located {
    let json = (format == Format::Json).then_some(text);
    (position(text, fault.place(json)), explain(&fault.path(), fault.message()))
}

/// An error of syntax.
fn wrong_json(text: &str, error: &serde_json::Error) -> Located {
    let position = Some((error.line(), error.column()));
    if let Some(word) = word_for_no_number(text, error.line(), error.column()) {
        let problem =
            format!("{word} is no JSON, and no quantity may be it: numbers must be finite (null is no value)");
        return (position, ImpactError::new("", "", problem));
    }
    (position, ImpactError::new("", "", format!("not valid JSON: {}", bare(error))))
}

/// `NaN` or `Infinity`, as some programs write them, where reading ended.
fn word_for_no_number(text: &str, line: usize, column: usize) -> Option<&'static str> {
    let line = text.lines().nth(line.checked_sub(1)?)?;
    // Reading ends at the first character of the word, or after the sign before it.
    let from = line.char_indices().nth(column.saturating_sub(2)).map_or(0, |(i, _)| i);
    let rest = line.get(from..)?.trim_start_matches([' ', '[', ',', ':', '-']);
    ["NaN", "nan", "Infinity", "inf"].into_iter().find(|word| rest.starts_with(word))
}

/// serde_json's message without its position.
fn bare(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

/// Line and column, from 1, of a place in the text.
fn position(text: &str, place: Option<usize>) -> Option<(usize, usize)> {
    let before = text.get(..place?)?;
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
}
