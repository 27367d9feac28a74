//! ESM ASCII files: lines of `KEY: value`, then one value a line.

use super::units::{accept, quantity, unit, unknown};
use super::{RecordData, RecordFormat, number, refused, values};

/// Headers are not longer than this.
const LONGEST_HEADER: usize = 200;

/// The number of lines of the header, if this is such a file.
pub(super) fn header(lines: &[&str]) -> Option<usize> {
    let own = |line: &&str| matches!(key(line), Some(("NDATA" | "SAMPLING_INTERVAL_S", _)));
    lines.iter().take(LONGEST_HEADER).any(own).then(|| {
        let last = lines.iter().take(LONGEST_HEADER).rposition(|line| key(line).is_some());
        last.map_or(0, |last| last + 1)
    })
}

/// `KEY: value`.
fn key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim();
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_/^".contains(c);
    (key.starts_with(|c: char| c.is_ascii_uppercase()) && key.chars().all(plain)).then(|| (key, value.trim()))
}

pub(super) fn read(lines: &[&str], header: usize) -> Result<RecordData, String> {
    let find = |name: &str| {
        let value =
            |(i, line): (usize, &&'_ str)| key(line).filter(|(key, _)| *key == name).map(|(_, v)| (i, v.to_owned()));
        lines[..header].iter().enumerate().find_map(value).filter(|(_, value)| !value.is_empty())
    };
    if let Some((i, kind)) = find("DATA_TYPE") {
        if let Some(other) = quantity(&kind) {
            return Err(refused(other, &format!("line {}: DATA_TYPE: {kind}", i + 1)));
        }
        if !kind.to_ascii_uppercase().contains("ACCELERATION") {
            return Err(format!("line {}: DATA_TYPE is {kind:?}; only ACCELERATION is read", i + 1));
        }
    }
    let units = match find("UNITS") {
        None => None,
        Some((i, written)) => match unit(&written) {
            Some(word) => Some(accept(word, &written, i)?),
            None => return Err(unknown(&written, i)),
        },
    };
    let needed = |name: &str, allowed: &str| {
        let (i, written) = find(name).ok_or_else(|| format!("the line {name}: is missing, which gives {allowed}"))?;
        let value = number(&written).filter(|v| v.is_finite() && *v > 0.0);
        value.ok_or_else(|| format!("line {}: {name} is {written:?}; needs {allowed}", i + 1))
    };
    let count = needed("NDATA", "the number of values")?;
    if count.fract() != 0.0 || count > 1e9 {
        return Err(format!("NDATA is {count}; needs the number of values"));
    }
    let interval = needed("SAMPLING_INTERVAL_S", "the seconds between samples")?;
    let acceleration = values(lines, header, count as usize, "NDATA promises")?;
    Ok(RecordData {
        format: RecordFormat::Esm,
        component: None,
        units,
        interval: Some(interval),
        acceleration,
        remarks: Vec::new(),
    })
}
