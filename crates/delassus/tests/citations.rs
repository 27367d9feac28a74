//! Every citation in the source has its entry in REFERENCES.bib.

#[path = "common/sources.rs"]
mod sources;

use std::fs;
use std::path::Path;

/// Collects the keys of citations: capitals, a year and perhaps an equation in brackets.
fn citations(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split('[').skip(1) {
        let inside = part.split(']').next().unwrap_or("");
        // One bracket may hold several, separated by semicolons.
        for citation in inside.split(';') {
            let mut words = citation.split_whitespace();
            let (Some(key), Some(year)) = (words.next(), words.next()) else { continue };
            let year = year.trim_end_matches(',');
            let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_uppercase());
            if is_key && year.len() == 4 && year.chars().all(|c| c.is_ascii_digit()) {
                found.push(format!("{key}{year}"));
            }
        }
    }
    found
}

#[test]
fn every_citation_is_in_the_bibliography() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bibliography = fs::read_to_string(root.join("REFERENCES.bib")).unwrap();
    let (mut count, mut missing) = (0, Vec::new());
    sources::walk(&root.join("crates"), &mut |path| {
        let text = fs::read_to_string(path).unwrap().replace("\n//! ", " ").replace("\n/// ", " ");
        for key in citations(&text) {
            count += 1;
            if !bibliography.contains(&format!("{{{key},")) {
                missing.push(format!("{}: {key}", path.display()));
            }
        }
    });
    assert!(count > 10, "only {count} citations found: is the form still [KEY year, …]?");
    assert!(missing.is_empty(), "not in REFERENCES.bib: {missing:#?}");
}
