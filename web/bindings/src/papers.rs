//! The studies of papers.

use std::collections::BTreeMap;

use delassus_report::reproduce::{files, study_html};
use delassus_study::reproduce::{StudyParameter, studies};
use serde_json::{Value, json};

/// All studies: id and title.
pub(crate) fn all() -> Value {
    let list: Vec<Value> = studies().iter().map(|s| json!({ "id": s.id, "title": s.title })).collect();
    json!({ "studies": list })
}

/// One study, computed with these values of its parameters, and compared with its paper where none is changed.
pub(crate) fn study(id: &str, set: &BTreeMap<String, f64>) -> Result<Value, String> {
    let study = studies().into_iter().find(|study| study.id == id).ok_or_else(|| format!("no study {id:?}"))?;
    let findings = study.run_with(set).map_err(|e| e.to_string())?;
    let parameter = |p: &StudyParameter| {
        let [from, to] = p.range;
        json!({ "name": p.name, "meaning": p.meaning, "paper": p.paper, "value": p.value, "from": from, "to": to })
    };
    let written = files(&study, &findings).map_err(|e| e.to_string())?;
    let tables: Vec<Value> = written
        .iter()
        .filter(|file| file.path.ends_with(".csv"))
        .map(|file| json!({ "name": file.path, "text": String::from_utf8_lossy(&file.bytes) }))
        .collect();
    Ok(json!({
        "id": study.id,
        "title": study.title,
        "verdict": findings.verdict().as_str(),
        "parameters": findings.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "html": study_html(&study, &findings),
        "tables": tables,
    }))
}
