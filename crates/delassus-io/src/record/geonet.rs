//! GeoNet files (.V1A, .V2A): three components, one after the other.
//!
//! A component has 16 lines of text, 4 of ten whole numbers and 6 of ten numbers, then its accelerations, velocities
//! and displacements, ten a line. Every number is eight characters wide, so that large ones may touch.

use delassus::model::AccelerationUnit;

use super::{RecordData, RecordFormat, number};

/// Lines before the whole numbers, before the other numbers, and before the accelerations.
const TEXT: usize = 16;
const WHOLE: usize = 20;
const HEADER: usize = 26;
/// Numbers a line, and characters a number.
const A_LINE: usize = 10;
const WIDTH: usize = 8;

/// Whether this is such a file.
pub(super) fn is(lines: &[&str]) -> bool {
    let first = lines.first().map(|line| line.trim_start().to_ascii_lowercase()).unwrap_or_default();
    let titled = first.starts_with("corrected accelerogram") || first.starts_with("uncorrected accelerogram");
    titled && lines.len() > HEADER && fields(lines, TEXT, A_LINE).is_ok()
}

/// All components.
pub(super) fn read(lines: &[&str]) -> Result<Vec<RecordData>, String> {
    let mut found = Vec::new();
    let mut from = 0;
    while lines[from..].iter().any(|line| !line.trim().is_empty()) {
        let (data, next) = component(lines, from)?;
        found.push(data);
        from = next;
    }
    Ok(found)
}

/// The component whose heading begins at a line, and the line after it.
fn component(lines: &[&str], from: usize) -> Result<(RecordData, usize), String> {
    let mut header = Vec::with_capacity(A_LINE * (HEADER - TEXT));
    for line in TEXT..HEADER {
        header.extend(fields(lines, from + line, A_LINE)?);
    }
    let place = |number: usize| format!("line {}", from + TEXT + number / A_LINE + 1);
    let count = |number: usize, of: &str| {
        let value = header[number];
        let sound = value >= 0.0 && value.fract() == 0.0 && value < 1e9;
        if sound { Ok(value as usize) } else { Err(format!("{}: {value} is no number of {of}", place(number))) }
    };
    let counts = [count(33, "accelerations")?, count(34, "velocities")?, count(35, "displacements")?];
    if counts[0] == 0 {
        return Err(format!("{}: the component has no accelerations", place(33)));
    }
    // The whole numbers come first: this is the sixth of the third line of the others.
    let interval = header[A_LINE * (WHOLE - TEXT) + 25];
    if interval <= 0.0 {
        let line = from + WHOLE + 3;
        return Err(format!("line {line}: the time between samples is {interval}; must be positive"));
    }
    let mut acceleration = Vec::with_capacity(counts[0].min(1 << 20));
    let mut at = from + HEADER;
    while acceleration.len() < counts[0] {
        let rest = (counts[0] - acceleration.len()).min(A_LINE);
        acceleration.extend(fields(lines, at, rest)?);
        at += 1;
    }
    let next = at + counts[1].div_ceil(A_LINE) + counts[2].div_ceil(A_LINE);
    if next > lines.len() {
        let problem = "velocities and displacements of the heading are missing at the end";
        return Err(format!("the component that begins at line {}: {problem}", from + 1));
    }
    let heading = &lines[from..from + TEXT];
    let units = heading.iter().any(|line| line.to_ascii_lowercase().contains("mm/s/s"));
    let name = heading.iter().find_map(|line| line.trim().strip_prefix("Component")).map(str::trim);
    let data = RecordData {
        format: RecordFormat::GeoNet,
        component: name.filter(|name| !name.is_empty()).map(str::to_owned),
        units: units.then_some(AccelerationUnit::Millimetre),
        interval: Some(interval),
        acceleration,
        remarks: Vec::new(),
    };
    Ok((data, next))
}

/// The first numbers of a line.
fn fields(lines: &[&str], line: usize, count: usize) -> Result<Vec<f64>, String> {
    let text = lines.get(line).ok_or_else(|| format!("ends at line {}, within a component", lines.len()))?;
    let field = |k: usize| {
        let end = ((k + 1) * WIDTH).min(text.len());
        let word = text.get(k * WIDTH..end).unwrap_or_default().trim();
        let value = number(word).filter(|value| value.is_finite());
        value.ok_or_else(|| format!("line {}: {word:?} in place {} is no number", line + 1, k + 1))
    };
    (0..count).map(field).collect()
}
