//! The studies of papers.

use delassus_report::reproduce::study_html;
use delassus_study::reproduce::studies;
use serde_json::{Value, json};

/// All studies: id and title.
pub(crate) fn all() -> Value {
    let list: Vec<Value> = studies().iter().map(|s| json!({ "id": s.id, "title": s.title })).collect();
    json!({ "studies": list })
}

/// One study, computed and compared with its paper.
pub(crate) fn study(id: &str) -> Result<Value, String> {
    let study = studies().into_iter().find(|study| study.id == id).ok_or_else(|| format!("no study {id:?}"))?;
    let findings = study.run();
    let verdict = findings.verdict().as_str();
    Ok(json!({ "id": study.id, "title": study.title, "verdict": verdict, "html": study_html(&study, &findings) }))
}
