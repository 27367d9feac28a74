//! Pictures of impacts.

use std::path::Path;

use delassus::{ImpactOutcome, LawSpec, Options, Solutions, SolverData, Status, Workspace, resolve_into};
use delassus_figure::{to_png, to_svg};
use delassus_io::Entry;
use delassus_report::impact::{Impact, figure};
use delassus_report::{Part, Repeat, page};
use delassus_study::laws::for_impact;

use crate::failure::Failure;
use crate::limits;
use crate::pictures::{self, Picture};

/// The picture of these problems, with the paths of laws that have one.
pub fn draw(
    entries: &[(&str, &Entry)],
    named: &[LawSpec],
    solver: SolverData,
    out: &Path,
    repeat: &Repeat,
) -> Result<Vec<u8>, Failure> {
    let kind = Picture::of(out)?;
    let answers: Vec<Answers<'_>> =
        entries.iter().map(|(file, entry)| Answers::new(file, entry, named, solver)).collect();
    let impacts: Vec<Impact<'_>> = answers.iter().map(Answers::impact).collect();
    if let ([one], Some(Picture::Svg | Picture::Png)) = (&answers[..], kind)
        && let Some(reasons) = one.refused()
    {
        return Err(Failure::Input(format!("--out {}: nothing to draw, no law answers: {reasons}", out.display())));
    }
    match (kind, &impacts[..]) {
        (Some(Picture::Html), _) => {
            let title = if let [one] = &impacts[..] { one.title } else { "Impacts" };
            let parts: Vec<Part<'_>> = impacts.iter().map(|impact| Part::Impact(*impact)).collect();
            Ok(page(title, &parts, &[], repeat).into_bytes())
        }
        (Some(Picture::Svg), [one]) => Ok(to_svg(&figure(one)).into_bytes()),
        (Some(Picture::Png), [one]) => {
            to_png(&figure(one), pictures::PIXELS_PER_INCH).map_err(|e| Failure::Input(e.to_string()))
        }
        (Some(Picture::Svg | Picture::Png), many) => Err(Failure::Input(format!(
            "--out {}: a figure shows one impact, and there are {}; use .html",
            out.display(),
            many.len()
        ))),
        _ => Err(Failure::Input(format!("--out {}: must end in .svg, .png or .html", out.display()))),
    }
}

/// A problem with the answers of its laws, with paths where laws have them.
pub struct Answers<'a> {
    title: String,
    entry: &'a Entry,
    laws: Vec<LawSpec>,
    outcomes: Vec<ImpactOutcome>,
}

impl<'a> Answers<'a> {
    /// Why no law answers; `None` where one does.
    fn refused(&self) -> Option<String> {
        let refused = self.outcomes.iter().all(|outcome| outcome.status() == Status::NotApplicable);
        let reason = |(law, outcome): (&LawSpec, &ImpactOutcome)| {
            format!("{}: {}", law.name(), outcome.answer.reason.as_deref().unwrap_or("not applicable"))
        };
        refused.then(|| self.laws.iter().zip(&self.outcomes).map(reason).collect::<Vec<_>>().join("; "))
    }

    /// Resolves the problem.
    pub fn new(file: &str, entry: &'a Entry, named: &[LawSpec], solver: SolverData) -> Self {
        let laws = for_impact(entry.law.as_ref(), named).laws;
        let options = Options {
            solutions: Solutions::Preferred,
            path: true,
            eigenvalues: true,
            limits: limits::from_now(&solver.or(entry.solver)),
        };
        let mut work = Workspace::default();
        let outcomes = laws.iter().map(|law| {
            let mut outcome = ImpactOutcome::default();
            if let Err(error) = resolve_into(&entry.problem, law, &options, &mut work, &mut outcome) {
                outcome.answer.status = Status::NotApplicable;
                outcome.reason = Some(error.to_string());
            }
            outcome
        });
        let outcomes = outcomes.collect();
        Self { title: title(file, entry), entry, laws, outcomes }
    }

    /// What is shown of them.
    pub fn impact(&self) -> Impact<'_> {
        Impact { title: &self.title, problem: &self.entry.problem, laws: &self.laws, outcomes: &self.outcomes }
    }
}

fn title(file: &str, entry: &Entry) -> String {
    match (entry.problem.name(), &entry.path()[..]) {
        ("", "") => file.to_owned(),
        ("", path) => format!("{file} {path}"),
        (name, _) => name.to_owned(),
    }
}
