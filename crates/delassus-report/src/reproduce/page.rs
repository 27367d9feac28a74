//! All studies on one self-contained page.

use delassus_study::reproduce::{Datum, Findings, PaperVerdict, Study, Value, studies};

use crate::html::{self, Row, Section, number};

const TITLE: &str = "Reproduced figures and tables";

/// Whether this is a [`page`].
pub fn is_page(html: &str) -> bool {
    html.contains(&format!("<h1>{TITLE}</h1>"))
}

/// The page of these studies, and of those that an earlier page has beside them (empty: there is
/// none), in the order of the papers.
pub fn page(results: &[(Study, Findings)], earlier: &str) -> String {
    let kept = html::sections_of(earlier);
    let sections = studies().into_iter().filter_map(|study| match results.iter().find(|(s, _)| s.id == study.id) {
        Some((study, findings)) => Some(section(study, findings).markup()),
        None => kept.iter().find(|s| s.title.split(SEPARATOR).next() == Some(study.id)).cloned(),
    });
    html::page_of(
        TITLE,
        "Each figure and table of the four papers, computed by delassus, beside what the paper states.",
        &sections.collect::<Vec<_>>(),
    )
}

/// One study as a section of a page, without its heading.
pub fn study_html(study: &Study, findings: &Findings) -> String {
    section(study, findings).markup().content().to_owned()
}

/// Between the id of a study and its title.
const SEPARATOR: &str = " · ";

fn section(study: &Study, findings: &Findings) -> Section {
    let title = format!("{}{SEPARATOR}{}", study.id, study.title);
    let mut section = Section::new(title).verdict(badge(findings.verdict()));
    if findings.is_changed() {
        section = section.text(format!(
            "Changed: {}. Numbers that the paper prints stand as printed, for its own parameters; its formulas are \
             evaluated with those changed.",
            findings.changes()
        ));
    }
    for note in &findings.notes {
        section = section.text(note);
    }
    let mut reasons = Vec::new();
    for value in &findings.values {
        if let Some(why) = value.why.as_ref().filter(|why| !reasons.contains(why)) {
            section = section.text(format!("{}: {why}", value.quantity));
            reasons.push(why);
        }
        section = section.row(row(value));
    }
    for drawn in &findings.figures {
        section = section.figure(drawn.figure.clone(), &drawn.caption);
    }
    section
}

fn row(value: &Value) -> Row {
    Row {
        quantity: value.quantity.clone(),
        paper: value.paper.as_ref().map(words).unwrap_or_default(),
        independent: value.independent.as_ref().map(words).unwrap_or_default(),
        ours: words(&value.ours),
        // Half a unit of a printed digit is told as such, not with the hair that rounding needs.
        tolerance: value.tolerance.map_or("–".into(), |t| number(format!("{t:.2e}").parse().unwrap_or(t))),
        verdict: badge(value.verdict),
    }
}

fn words(datum: &Datum) -> String {
    match datum {
        Datum::Number(v) => number(*v),
        Datum::Text(text) => text.clone(),
    }
}

fn badge(verdict: PaperVerdict) -> html::Badge {
    match verdict {
        PaperVerdict::Agrees => html::Badge::Agrees,
        PaperVerdict::Corrected => html::Badge::Corrected,
        PaperVerdict::Differs => html::Badge::Differs,
        PaperVerdict::Changed => html::Badge::Changed,
    }
}
