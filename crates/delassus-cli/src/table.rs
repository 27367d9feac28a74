//! The comparison of laws for one problem, as a table with words.

use anstyle::{AnsiColor, Style};
use delassus::{ImpactOutcome, ImpactProblem, LawSpec, Status};
use delassus_io::Entry;

use delassus_study::number;
use delassus_study::verdict::{Mood, Verdict, verdict};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

fn style(mood: Mood) -> Style {
    match mood {
        Mood::Good => AnsiColor::Green.on_default(),
        Mood::Bad => AnsiColor::Red.on_default().bold(),
        Mood::Missing => AnsiColor::Yellow.on_default(),
    }
}

/// More rows than this of a kind are left to `--json`.
const MOST_ROWS: usize = 24;

/// A row: what, before the impact, and after it by each law.
struct Row {
    label: String,
    before: String,
    after: Vec<String>,
    moods: Option<Vec<Mood>>,
}

/// One law that answered.
struct Column<'a> {
    law: &'a LawSpec,
    outcome: &'a ImpactOutcome,
    verdict: Verdict,
}

/// The table of one problem, verdicts below it.
pub fn render(entry: &Entry, laws: &[LawSpec], outcomes: &[ImpactOutcome], width: usize) -> String {
    let problem = &entry.problem;
    let all = laws.iter().zip(outcomes);
    let (refused, asked): (Vec<_>, Vec<_>) = all.partition(|(_, o)| o.status() == Status::NotApplicable);
    let columns: Vec<Column> =
        asked.into_iter().map(|(law, o)| Column { law, outcome: o, verdict: verdict(problem, law, o) }).collect();

    let mut out = heading(entry);
    if !columns.is_empty() {
        write_table(&mut out, &columns, &rows(problem, &columns), width);
        let name_width = laws.iter().map(|l| l.name().len()).max().unwrap_or(0);
        for column in &columns {
            let s = style(column.verdict.mood);
            let name = format!("{s}{:name_width$}{s:#}  ", column.law.name());
            out += &wrap(&name, name_width + 2, &column.verdict.long, width);
        }
    }
    if !refused.is_empty() {
        out += &format!("{DIM}Not applicable:{DIM:#}\n");
        let name_width = refused.iter().map(|(l, _)| l.name().len()).max().unwrap_or(0);
        for (law, outcome) in refused {
            let name = format!("  {:name_width$}  ", law.name());
            out += &wrap(&name, name_width + 4, outcome.reason.as_deref().unwrap_or_default(), width);
        }
    }
    out
}

fn heading(entry: &Entry) -> String {
    let problem = &entry.problem;
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let name = match (problem.name(), &entry.path()[..]) {
        ("", "") => "Impact".to_owned(),
        ("", path) => path.to_owned(),
        (name, _) => name.to_owned(),
    };
    let (velocities, contacts) = (problem.coordinates(), problem.contacts().len());
    let others = problem.elements().iter().filter(|e| e.contact.is_none()).count();
    let mut size = format!("{velocities} generalized {}", if velocities == 1 { "velocity" } else { "velocities" });
    size += &format!(", {}", plural(contacts, "contact"));
    if others > 0 {
        size += &format!(", {}", plural(others, "other element"));
    }
    format!("{BOLD}{name}{BOLD:#}  {DIM}({size}; SI units){DIM:#}\n\n")
}

fn rows(problem: &ImpactProblem, columns: &[Column]) -> Vec<Row> {
    let mut rows = Vec::new();
    let found = |c: &Column| c.outcome.status().has_answer();
    let scale_u =
        columns.iter().map(|c| number::scale(&c.outcome.u_plus)).fold(number::scale(problem.u_minus()), f64::max);
    let cell = |c: &Column, value: Option<f64>, scale: f64| match value.filter(|_| found(c)) {
        Some(value) => number::format(value, scale),
        None => "-".into(),
    };
    let plain = |label, before, after| Row { label, before, after, moods: None };

    for (i, &before) in problem.u_minus().iter().enumerate().take(MOST_ROWS) {
        let after = columns.iter().map(|c| cell(c, c.outcome.u_plus.get(i).copied(), scale_u)).collect();
        rows.push(plain(format!("velocity u[{i}]"), number::format(before, scale_u), after));
    }
    rows.extend(more(problem.u_minus().len(), "velocities", columns.len()));

    for (k, element) in problem.elements().iter().enumerate().take(MOST_ROWS) {
        let name = &element.name;
        for row in element.rows.clone() {
            let part = if element.rows.len() > 1 { format!("[{}]", row - element.rows.start) } else { String::new() };
            let gamma = problem.gamma_minus()[row];
            let pick = |values: &[f64]| values.get(row).copied();
            let scale =
                columns.iter().filter_map(|c| pick(&c.outcome.gamma_plus)).fold(gamma.abs(), |s, v| s.max(v.abs()));
            let after = columns.iter().map(|c| cell(c, pick(&c.outcome.gamma_plus), scale.max(scale_u))).collect();
            let before = number::format(gamma, scale.max(scale_u));
            rows.push(plain(format!("{name}: relative velocity γ{part}"), before, after));
            let impulse = |c: &Column| cell(c, pick(c.outcome.impulses()), number::scale(c.outcome.impulses()));
            let after = columns.iter().map(impulse).collect();
            rows.push(plain(format!("{name}: impulse Λ{part}"), String::new(), after));
        }
        let state = |c: &Column| c.outcome.states.get(k).filter(|_| found(c)).map_or("-", |s| s.as_str()).to_owned();
        rows.push(plain(format!("{name}: state"), String::new(), columns.iter().map(state).collect()));
    }
    rows.extend(more(problem.elements().len(), "elements", columns.len()));

    let before = columns.first().map_or(0.0, |c| c.outcome.energy.before);
    let energy = columns.iter().map(|c| cell(c, Some(c.outcome.energy.after), c.outcome.energy.before)).collect();
    rows.push(plain("kinetic energy T [J]".into(), number::format(before, 0.0), energy));
    let change = |c: &Column| match c.outcome.energy.change() / c.outcome.energy.before {
        _ if !found(c) => "-".into(),
        share if share.is_finite() => number::percent(share),
        _ => number::format(c.outcome.energy.change(), 0.0),
    };
    rows.push(plain("energy change".into(), String::new(), columns.iter().map(change).collect()));
    let verdicts = columns.iter().map(|c| c.verdict.short.to_owned()).collect();
    let moods = Some(columns.iter().map(|c| c.verdict.mood).collect());
    rows.push(Row { label: "verdict".into(), before: String::new(), after: verdicts, moods });
    rows
}

fn more(count: usize, what: &str, columns: usize) -> Option<Row> {
    let left = count.checked_sub(MOST_ROWS).filter(|left| *left > 0)?;
    let label = format!("… {left} more {what} (--json shows all)");
    Some(Row { label, before: String::new(), after: vec![String::new(); columns], moods: None })
}

/// Writes the columns in as many groups as the width asks for.
fn write_table(out: &mut String, columns: &[Column], rows: &[Row], width: usize) {
    let chars = |s: &str| s.chars().count();
    let labels = rows.iter().map(|r| chars(&r.label)).max().unwrap_or(0);
    let before = rows.iter().map(|r| chars(&r.before)).max().unwrap_or(0).max("before".len());
    let widths: Vec<usize> = (0..columns.len())
        .map(|k| rows.iter().map(|r| chars(&r.after[k])).max().unwrap_or(0).max(columns[k].law.name().len()))
        .collect();
    let mut first = 0;
    while first < columns.len() {
        let mut used = labels + 2 + before;
        let fits = widths[first..].iter().take_while(|w| {
            used += *w + 2;
            used <= width
        });
        let last = first + fits.count().max(1);
        let names = columns[first..last].iter().zip(&widths[first..]).map(|(c, w)| format!("  {:>w$}", c.law.name()));
        *out += &format!("{BOLD}{:labels$}  {:>before$}{}{BOLD:#}\n", "", "before", names.collect::<String>());
        for row in rows {
            *out += &format!("{:labels$}  {:>before$}", row.label, row.before);
            for k in first..last {
                let s = row.moods.as_ref().map_or(Style::new(), |moods| style(moods[k]));
                *out += &format!("  {s}{:>w$}{s:#}", row.after[k], w = widths[k]);
            }
            out.push('\n');
        }
        out.push('\n');
        first = last;
    }
}

/// `lead`, which takes `indent` columns, and the text wrapped beside it.
fn wrap(lead: &str, indent: usize, text: &str, width: usize) -> String {
    let mut out = lead.to_owned();
    let mut column = indent;
    for (i, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if i > 0 && column + 1 + length > width {
            out += &format!("\n{:indent$}", "");
            column = indent;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += length;
    }
    out.push('\n');
    out
}
