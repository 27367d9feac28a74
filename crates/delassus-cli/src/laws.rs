//! The laws and the short forms of files in help texts, as they describe themselves.

use std::fmt::Write;

use delassus::{ImpactLaw, LawSpec};
use delassus_io::{describe, short_forms};

/// The names of all laws.
pub fn names() -> String {
    let names: Vec<&str> = LawSpec::all().iter().map(LawSpec::name).collect();
    names.join(", ")
}

/// One line per law and per key of its data.
pub fn help() -> String {
    let mut text = String::from("Laws, with the keys of their data in files ([law]):\n");
    for mut law in LawSpec::all() {
        let about = law.about();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:<16} {}", about.name, about.summary);
        law.data(&mut |field| {
            let _ = writeln!(text, "      {}: {}", field.key, describe(&field));
        });
    }
    text
}

/// One line per short form of a schema and per key of it.
pub fn short_forms_help(schema: &str) -> String {
    let mut text =
        String::from("Short forms, with their keys (* must be given; angles in radians, or as \"30deg\"):\n");
    for form in short_forms(schema) {
        let _ = writeln!(text, "  [{}]  {}", form.name, form.about);
        for (key, meaning, needed) in form.keys {
            let _ = writeln!(text, "      {key}{}: {meaning}", if needed { "*" } else { "" });
        }
    }
    text
}
