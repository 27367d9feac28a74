//! Columns of text: accelerations, or times and accelerations, perhaps under a heading.

use delassus::model::AccelerationUnit;

use super::units::{Word, accept, quantity, unit};
use super::{RecordData, RecordFormat, number, refused};

/// Times may deviate from equal steps by this part of a step.
const EVEN: f64 = 1e-3;

pub(super) fn read(lines: &[&str]) -> Result<RecordData, String> {
    let mut heading: Vec<(usize, &str)> = Vec::new();
    let mut rows: Vec<(usize, Vec<f64>)> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        // Comments may be headings; a % within a line belongs to a unit.
        let comment = line.trim_start().strip_prefix(['#', '%']).unwrap_or_default();
        let data = if comment.is_empty() { line.split('#').next().unwrap_or_default() } else { "" };
        let words: Vec<&str> = data.split(separates).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            if rows.is_empty() && !comment.trim().is_empty() {
                heading.push((i, comment));
            }
            continue;
        }
        let numbers: Option<Vec<f64>> = words.iter().map(|word| number(word)).collect();
        match numbers {
            Some(row) if row.iter().all(|v| v.is_finite()) => rows.push((i, row)),
            Some(_) => return Err(format!("line {}: {:?} holds a number that is not finite", i + 1, data.trim())),
            // A heading may stand above the numbers.
            None if rows.is_empty() && number(words[0]).is_none() => heading.push((i, data)),
            None => return Err(format!("line {}: {:?} is not a row of numbers", i + 1, data.trim())),
        }
    }
    let Some(width) = rows.first().map(|(_, row)| row.len()) else {
        return Err("holds no row of numbers; needs accelerations, or times and accelerations".to_owned());
    };
    if let Some((i, row)) = rows.iter().find(|(_, row)| row.len() != width) {
        return Err(format!("line {}: {} columns, but {width} above; every row needs the same", i + 1, row.len()));
    }
    if width > 2 {
        return Err(format!("has {width} columns; needs one of accelerations or two of time and acceleration"));
    }
    let units = stated(&heading, width)?;
    let (interval, remarks) = if width == 2 { even_steps(&rows)? } else { (None, Vec::new()) };
    let acceleration = rows.iter().map(|(_, row)| row[width - 1]).collect();
    Ok(RecordData { format: RecordFormat::Columns, component: None, units, interval, acceleration, remarks })
}

fn separates(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == ';'
}

/// The time between samples, from the first column.
fn even_steps(rows: &[(usize, Vec<f64>)]) -> Result<(Option<f64>, Vec<String>), String> {
    let (Some((_, first)), Some((_, last))) = (rows.first(), rows.last()) else { return Ok((None, Vec::new())) };
    if rows.len() < 2 {
        return Err("needs at least two rows of time and acceleration".to_owned());
    }
    let (start, steps) = (first[0], (rows.len() - 1) as f64);
    let interval = (last[0] - start) / steps;
    let uneven = |(i, row): (usize, &(usize, Vec<f64>))| {
        let expected = start + i as f64 * interval;
        let fits = (row.1[0] - expected).abs() <= EVEN * interval;
        (!fits).then(|| format!("line {}: the time {} should be {expected}", row.0 + 1, row.1[0]))
    };
    if !(interval.is_finite() && interval > 0.0) {
        return Err(format!("the first column goes from {start} to {}; it must hold increasing times", last[0]));
    }
    if let Some(problem) = rows.iter().enumerate().find_map(uneven) {
        return Err(format!("{problem}; times must increase in equal steps (else give one column and the interval)"));
    }
    let mut remarks = Vec::new();
    if start.abs() > 1.5 * interval {
        remarks.push(format!("its times start at {start} s, which is taken as 0"));
    }
    Ok((Some(interval), remarks))
}

/// The unit in the heading: in the label of the column, in brackets, or named as a unit.
fn stated(heading: &[(usize, &str)], width: usize) -> Result<Option<AccelerationUnit>, String> {
    let mut found: Option<AccelerationUnit> = None;
    for &(i, line) in heading {
        for word in said(i, line, width)? {
            let unit = accept(word.0, word.1, i)?;
            if found.is_some_and(|other| other.size() != unit.size()) {
                return Err(format!("line {}: the heading names a second unit, {:?}", i + 1, word.1));
            }
            found = Some(unit);
        }
    }
    Ok(found)
}

/// The units that a line of the heading names.
fn said(i: usize, line: &str, width: usize) -> Result<Vec<(Word, &str)>, String> {
    let Some(labels) = labels(line, width) else { return sentence(i, line) };
    let label = labels[width - 1];
    let name =
        label.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or(label).to_lowercase();
    let is_acceleration = name.starts_with("acc") || name == "a";
    // "acceleration, cm/s2" above two columns, or a title above one.
    let is_text = if width == 2 { labels[0].to_lowercase().starts_with("acc") && unit(label).is_some() } else { false };
    if is_text || width == 1 && !is_acceleration && quantity(&name).is_none() && unit(label).is_none() {
        return sentence(i, line);
    }
    if width == 2 {
        check_time(i, labels[0])?;
    }
    if let Some(other) = quantity(&name) {
        return Err(refused(other, &format!("line {}: {:?}", i + 1, label.trim())));
    }
    // `a [m/s2]`, `acc_g`, `acc cm/s^2`, `g`; but a_g is the symbol of a ground acceleration.
    let tail = label.split_once('_').map(|(_, tail)| tail).filter(|tail| name.len() > 1 || tail.len() > 1);
    let rest = label.split_whitespace().skip(if is_acceleration { 1 } else { usize::MAX }).filter(|w| *w != "in");
    let words = brackets(label).chain(tail).chain(rest).chain([label]);
    Ok(words.filter_map(|word| Some((unit(word)?, word))).take(1).collect())
}

/// The labels of the columns, if the line is made of as many.
fn labels(line: &str, width: usize) -> Option<Vec<&str>> {
    let by = |separator: fn(char) -> bool| -> Vec<&str> {
        line.split(separator).map(str::trim).filter(|label| !label.is_empty()).collect()
    };
    [by(|c| c == ',' || c == ';'), by(|c| c == '\t'), by(char::is_whitespace)].into_iter().find(|l| l.len() == width)
}

/// What stands in brackets.
fn brackets(text: &str) -> impl Iterator<Item = &str> {
    text.split(['(', '[', '{']).skip(1).filter_map(|part| part.split([')', ']', '}']).next())
}

/// Units in a line of free text: in brackets, or after "in", "of", "unit", "units".
fn sentence(i: usize, line: &str) -> Result<Vec<(Word, &str)>, String> {
    let words: Vec<&str> = line.split(|c: char| separates(c) || "=:".contains(c)).filter(|w| !w.is_empty()).collect();
    let named =
        words.windows(2).filter(|pair| ["in", "of", "unit", "units"].contains(&pair[0].to_lowercase().as_str()));
    let plain = words.iter().copied().filter(|word| word.contains('/') || word.to_lowercase().starts_with("gal"));
    let candidates = brackets(line).chain(named.map(|pair| pair[1])).chain(plain);
    let units: Vec<(Word, &str)> = candidates.filter_map(|word| Some((unit(word)?, word))).collect();
    // A line about the time column, or the length of something, is no statement about the values.
    let units: Vec<_> = units.into_iter().filter(|(word, _)| *word != Word::Other("displacement")).collect();
    let other = words.iter().filter(|word| word.len() > 2).find_map(|word| quantity(word));
    match other {
        Some(other) if units.is_empty() || matches!(units[0].0, Word::Other(_)) => {
            Err(refused(other, &format!("line {}: {:?}", i + 1, line.trim())))
        }
        _ => Ok(units),
    }
}

/// The first of two columns must be a time in seconds.
fn check_time(i: usize, label: &str) -> Result<(), String> {
    let lower = label.to_lowercase();
    let unit = brackets(&lower).next().or_else(|| lower.split_once('_').map(|(_, tail)| tail));
    if lower.starts_with("acc") || unit.is_some_and(|u| ["ms", "msec", "min", "us", "milliseconds"].contains(&u)) {
        return Err(format!("line {}: the first column is {label:?}; it must be the time in seconds", i + 1));
    }
    Ok(())
}
