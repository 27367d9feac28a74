//! All studies on one self-contained page.

use super::{Datum, Findings, Study, Value, Verdict};
use crate::html::{self, Row, Section, number};

/// The page of these studies.
pub fn page(results: &[(Study, Findings)]) -> String {
    let sections: Vec<_> = results.iter().map(|(study, findings)| section(study, findings)).collect();
    html::page(
        "Reproduced figures and tables",
        "Each figure and table of the four papers, computed by delassus, beside what the paper states.",
        &sections,
    )
}

fn section(study: &Study, findings: &Findings) -> Section {
    let title = format!("{} · {}", study.id, study.title);
    let mut section = Section::new(title).verdict(badge(findings.verdict()));
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
        paper: words(&value.paper),
        ours: words(&value.ours),
        tolerance: value.tolerance.map_or("–".into(), number),
        verdict: badge(value.verdict),
    }
}

fn words(datum: &Datum) -> String {
    match datum {
        Datum::Number(v) => number(*v),
        Datum::Text(text) => text.clone(),
    }
}

fn badge(verdict: Verdict) -> html::Verdict {
    match verdict {
        Verdict::Agrees => html::Verdict::Agrees,
        Verdict::Corrected => html::Verdict::Corrected,
        Verdict::Differs => html::Verdict::Differs,
    }
}
