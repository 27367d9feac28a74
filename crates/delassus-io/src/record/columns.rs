//! Columns of text: accelerations, or times and accelerations, perhaps under a heading.

use delassus::model::AccelerationUnit;

use super::units::{Word, accept, quantity, unit, unknown};
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
        let decimal = lines[rows[0].0].contains(',') && !lines[rows[0].0].contains('.');
        let hint = if decimal { "; decimals are written with a point, not with a comma" } else { "" };
        return Err(format!("has {width} columns; needs one of accelerations or two of time and acceleration{hint}"));
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
        label.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or(label).to_ascii_lowercase();
    let is_acceleration = name.starts_with("acc") || name == "a";
    // "acceleration, cm/s2" or "units: g" above two columns, or a title above one.
    let named = labels[0].to_ascii_lowercase().split_whitespace().any(|word| word.starts_with("acc"));
    let is_unit = unit(label).is_some() && (named || !line.contains([',', ';', '\t']));
    // "Kobe 1995, acceleration in g".
    let is_title = check_time(i, labels[0]).is_err() && labels[0].split(['(', '[', '{']).next().is_some_and(many_words);
    let is_text = width == 2 && (is_unit || is_title);
    if is_text || width == 1 && !is_acceleration && quantity(&name).is_none() && unit(label).is_none() {
        return sentence(i, line);
    }
    if let Some(other) = quantity(&name) {
        return Err(refused(other, &format!("line {}: {:?}", i + 1, label.trim())));
    }
    // `a [m/s2]`, `acc_g`, `acc cm/s^2`, `g`; but a_g is the symbol of a ground acceleration.
    let tail = label.split_once('_').map(|(_, tail)| tail).filter(|tail| name.len() > 1 || tail.len() > 1);
    let rest = label.split_whitespace().skip(if is_acceleration { 1 } else { usize::MAX }).filter(|w| *w != "in");
    let words = brackets(label).chain(tail).chain(rest).chain([label]);
    let found: Option<(Word, &str)> = words.filter_map(|word| Some((unit(word)?, word))).next();
    // A title of two words has no columns to name.
    if width == 2 && (is_acceleration || found.is_some() || named) {
        check_time(i, labels[0])?;
    }
    // `(milli g)`, `[1e-3 g]`: a word of it is a unit, but the whole is another one.
    let whole = |text: &str| unit(text).is_none() && is_multiple(text);
    let odd = brackets(label).find(|text| whole(text));
    let bare = is_acceleration && brackets(label).next().is_none() && whole(label);
    if let Some(odd) = odd.or(bare.then_some(label)) {
        return Err(unknown(odd, i));
    }
    Ok(found.into_iter().collect())
}

/// Whether a text names a unit with a factor: `0.01 m/s2`, `% of g`, `x10 g`, `milli g`.
fn is_multiple(text: &str) -> bool {
    let words = || text.split(|c: char| c.is_whitespace() || "*×·".contains(c)).filter(|word| !word.is_empty());
    let factor = |word: &str| {
        let word = word.trim_start_matches(['x', '(', '[', '{']).to_ascii_lowercase();
        let prefixes = ["milli", "micro", "centi", "kilo", "percent", "per"];
        unit(&word).is_none()
            && (word.contains('%')
                || word.starts_with(|c: char| c.is_ascii_digit())
                || prefixes.contains(&word.as_str()))
    };
    words().any(factor) && words().any(|word| unit(word).is_some())
}

fn many_words(text: &str) -> bool {
    text.split_whitespace().count() > 1
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
        words.windows(2).filter(|pair| ["in", "of", "unit", "units"].contains(&pair[0].to_ascii_lowercase().as_str()));
    let multiples: Vec<&str> = brackets(line).filter(|text| is_multiple(text)).collect();
    let plain = words.iter().copied().filter(|word| word.contains('/') || word.to_ascii_lowercase().starts_with("gal"));
    // A unit that stands in brackets with a factor is another one.
    let plain =
        plain.filter(|word| !multiples.iter().any(|text| text.contains(word.trim_end_matches([')', ']', '}']))));
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

/// The first of two columns must be a time in seconds, and say so: `time`, `t [s]`, `time_sec`, `seconds`.
fn check_time(i: usize, label: &str) -> Result<(), String> {
    let lower = label.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let seconds = ["s", "sec", "secs", "second", "seconds"];
    let is_time = words.next().is_some_and(|word| ["t", "time", "times"].contains(&word) || seconds.contains(&word));
    if is_time && words.all(|word| word == "in" || seconds.contains(&word)) {
        return Ok(());
    }
    Err(format!(
        "line {}: the first column is {label:?}; it must be the time in seconds, with a name such as time or t [s]",
        i + 1
    ))
}
