//! Units and quantities in the headers of record files.

use delassus::model::AccelerationUnit;

use super::refused;

/// What a word of a header says about the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Word {
    /// A unit of acceleration.
    Unit(AccelerationUnit),
    /// A unit of acceleration that is not supported.
    Foreign,
    /// A unit or name of another quantity.
    Other(&'static str),
}

/// The meaning of a word where a unit is expected.
pub(super) fn unit(word: &str) -> Option<Word> {
    let mut plain = word.trim_matches(|c: char| ".,;:'\"()[]{}".contains(c)).to_ascii_lowercase();
    plain.retain(|c| !c.is_whitespace() && !"^*·.".contains(c));
    for (written, meant) in [("²", "2"), ("sec", "s"), ("_s", "/s"), ("/s/s", "/s2"), ("s-2", "/s2"), ("ps2", "/s2")] {
        plain = plain.replace(written, meant);
    }
    let plain = plain.replace("//", "/");
    Some(match plain.as_str() {
        "g" | "g's" => Word::Unit(AccelerationUnit::G),
        "m/s2" | "ms2" => Word::Unit(AccelerationUnit::Metre),
        "cm/s2" | "cms2" => Word::Unit(AccelerationUnit::Centimetre),
        "gal" | "gals" => Word::Unit(AccelerationUnit::Gal),
        "mm/s2" | "mms2" => Word::Unit(AccelerationUnit::Millimetre),
        "%g" | "mg" | "milli-g" | "ft/s2" | "in/s2" | "km/s2" | "um/s2" | "nm/s2" | "mgal" | "count" | "counts" => {
            Word::Foreign
        }
        "m/s" | "cm/s" | "mm/s" | "ft/s" | "in/s" | "km/h" | "km/s" => Word::Other("velocity"),
        "m" | "cm" | "mm" | "ft" | "in" | "km" => Word::Other("displacement"),
        _ => return None,
    })
}

/// The quantity that a word names, if it is no acceleration.
pub(super) fn quantity(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let is = |names: &[&str]| names.iter().any(|name| word.starts_with(name));
    if is(&["veloc", "vel_", "vel."]) || ["vel", "v"].contains(&word.as_str()) {
        Some("velocity")
    } else if is(&["displ", "disp_", "disp."]) || ["disp", "dis", "d"].contains(&word.as_str()) {
        Some("displacement")
    } else {
        None
    }
}

/// The unit that a word at a line says, or why the file is refused.
pub(super) fn accept(word: Word, written: &str, line: usize) -> Result<AccelerationUnit, String> {
    match word {
        Word::Unit(unit) => Ok(unit),
        Word::Other(quantity) => Err(refused(quantity, &format!("line {}: {:?}", line + 1, written.trim()))),
        Word::Foreign => Err(unknown(written, line)),
    }
}

/// The message for a unit that is not supported.
pub(super) fn unknown(written: &str, line: usize) -> String {
    let known: Vec<&str> = AccelerationUnit::ALL.iter().map(|unit| unit.name()).collect();
    format!("line {}: the unit {:?} is not known; there are {}", line + 1, written.trim(), known.join(", "))
}
