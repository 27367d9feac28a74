//! PEER .AT2 files.
//!
//! The header ends with the line that holds NPTS and DT: usually the fourth,
//! never counted on. One line above says quantity and unit, as
//! `ACCELERATION TIME SERIES IN UNITS OF G`.

use delassus::model::AccelerationUnit;

use super::units::{accept, quantity, unit, unknown};
use super::{RecordData, RecordFormat, number, refused, values};

/// Headers are not longer than this.
const LONGEST_HEADER: usize = 100;

/// The line that ends the header, if this is such a file.
pub(super) fn header(lines: &[&str]) -> Option<usize> {
    lines.iter().take(LONGEST_HEADER).position(|line| line.to_ascii_uppercase().contains("NPTS"))
}

pub(super) fn read(lines: &[&str], header: usize) -> Result<RecordData, String> {
    let units = stated(&lines[..=header])?;
    let (count, interval) = counts(&lines[header].to_ascii_uppercase()).ok_or_else(|| {
        let line = lines[header].trim();
        format!("line {}: {line:?} does not give NPTS and DT, as in NPTS= 7995, DT= .0050 SEC", header + 1)
    })?;
    let acceleration = values(lines, header + 1, count, "NPTS promises")?;
    Ok(RecordData {
        format: RecordFormat::Peer,
        component: None,
        units,
        interval: Some(interval),
        acceleration,
        remarks: Vec::new(),
    })
}

/// The unit that the header states; an error for another quantity or an unknown unit.
fn stated(header: &[&str]) -> Result<Option<AccelerationUnit>, String> {
    let mut units = None;
    for (i, line) in header.iter().enumerate() {
        let upper = line.to_ascii_uppercase();
        // Names of events and stations may hold any word.
        if !(upper.contains("UNITS") || upper.contains("TIME SERIES") || upper.contains("TIME HISTORY")) {
            continue;
        }
        if let Some(other) = line.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 1).find_map(quantity) {
            return Err(refused(other, &format!("line {}: {:?}", i + 1, line.trim())));
        }
        let Some(at) = upper.find("UNITS") else { continue };
        let rest = upper[at + "UNITS".len()..].trim_start_matches(|c: char| c.is_whitespace() || ":=".contains(c));
        let rest = rest.strip_prefix("OF ").unwrap_or(rest).trim_start();
        let end = rest.find([' ', '\t', ',', ';']).unwrap_or(rest.len());
        let written = rest[..end].trim_end_matches('.');
        match unit(written) {
            Some(word) => units = Some(accept(word, written, i)?),
            None => return Err(unknown(written, i)),
        }
    }
    Ok(units)
}

/// `NPTS= 7995, DT= .0050 SEC`, in any order, or `7997 0.0050 NPTS, DT`.
fn counts(upper: &str) -> Option<(usize, f64)> {
    let after = |key: &str| {
        let rest = &upper[upper.find(key)? + key.len()..];
        let rest = rest.trim_start().strip_prefix(['=', ':'])?.trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.E".contains(c))).unwrap_or(rest.len());
        // `.005SEC`: the exponent needs digits.
        number(rest[..end].trim_end_matches(['E', '.'])).or_else(|| number(&rest[..end]))
    };
    let (count, interval) = match (after("NPTS"), after("DT")) {
        (Some(count), Some(interval)) => (count, interval),
        (None, None) => {
            let mut numbers = upper.split(|c: char| c.is_whitespace() || c == ',').filter_map(number);
            (numbers.next()?, numbers.next()?)
        }
        _ => return None,
    };
    let sound = count >= 1.0 && count.fract() == 0.0 && count < 1e9 && interval > 0.0 && interval.is_finite();
    sound.then_some((count as usize, interval))
}
