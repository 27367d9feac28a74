//! The laws in help texts, as they describe themselves.

use std::fmt::Write;

use delassus::{ImpactLaw, LawSpec};
use delassus_io::describe;

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
