//! A table of a sweep on a page: what was varied, how the cases ended, figures, what failed and why, the rows.

use std::fmt::Write;

use delassus_figure::{Axis, Figure, LegendPlace, Panel, Series, escape};
use delassus_study::number;

use super::columns::{Columns, Kind, number as parsed};
use super::curves::{curves, first_word, panel, word_panel, words};
use super::grid::Plane;
use crate::document::svg;
use crate::labels::{Labels, parameter_label};

/// Rows that a page lists; the file has all.
const MOST_ROWS: usize = 400;
/// Panels that a figure has.
const MOST_PANELS: usize = 12;
/// Curves that one panel can tell apart.
const MOST_CURVES: usize = 8;
/// Reasons of failure that are listed.
const MOST_REASONS: usize = 20;

/// A table as `delassus sweep` writes it: `case`, parameters, measures, `status`, `certificate`.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepTable {
    /// Heading.
    pub title: String,
    /// The file of the problem or scenario that was varied, which a table does not name.
    pub of: Option<String>,
    columns: Columns,
}

impl SweepTable {
    /// Reads comma-separated values; lines that begin with `#` are remarks.
    ///
    /// # Errors
    /// No table of a sweep, or a row that has not as many fields as the head.
    pub fn read(title: &str, text: &str) -> Result<Self, String> {
        Ok(Self { title: title.to_owned(), of: None, columns: Columns::read(text)? })
    }

    /// The section of a page.
    pub(crate) fn part(&self, headed: bool) -> String {
        let mut out = String::from("<section>\n");
        if headed {
            let _ = writeln!(out, "<h2>{}</h2>", escape(&self.title));
        }
        let level = if headed { "h3" } else { "h2" };
        out += &self.overview();
        let (figure, remark) = self.figure();
        if let Some(figure) = figure {
            let description = "measures of the sweep over its parameters";
            let _ = writeln!(out, "<figure class=\"large\" tabindex=\"0\">\n{}</figure>", svg(&figure, description));
        }
        if !remark.is_empty() {
            let _ = writeln!(out, "<p>{}</p>", escape(&remark));
        }
        let failures = self.failures();
        if !failures.is_empty() {
            let _ = writeln!(out, "<{level}>What failed, and why</{level}>\n{failures}");
        }
        let _ = writeln!(out, "<{level}>The sweep again</{level}>\n{}", self.command());
        let _ = writeln!(out, "<{level}>Rows</{level}>\n{}", self.listing());
        out + "</section>\n"
    }

    /// What was varied and measured, and how the cases ended.
    fn overview(&self) -> String {
        let table = &self.columns;
        let ends = counted(table.rows.iter().map(|row| table.status(row).0));
        let mut out = format!("<p>{} cases: {}.", table.rows.len(), escape(&listed(&ends)));
        // Certificates by the checks that fail, without their residuals.
        let checks = |text: &str| match text.strip_prefix("fails: ") {
            Some(list) => {
                let names: Vec<&str> = list.split("; ").map(|one| one.split(' ').next().unwrap_or(one)).collect();
                format!("fail ({})", names.join(", "))
            }
            None if text.is_empty() => "without".to_owned(),
            None if text == "holds" => "hold".to_owned(),
            None => text.to_owned(),
        };
        let certificates = counted(table.rows.iter().map(|row| checks(&row[row.len() - 1])));
        let _ = writeln!(out, " Certificates: {}.</p>", escape(&listed(&certificates)));
        out += &open_table(["column", "symbol", "values"]);
        for column in 1..table.measured().end {
            let name = &table.head[column];
            let (label, values) = if column < table.measured().start {
                (parameter_label(name).0, self.values(column))
            } else {
                (table.label(column), self.range(column))
            };
            let label = if label == *name { String::new() } else { plain(&label) };
            let _ = writeln!(
                out,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
                escape(name),
                escape(&label),
                escape(&values)
            );
        }
        out + CLOSE_TABLE
    }

    /// The values of a parameter in words.
    fn values(&self, column: usize) -> String {
        let values = self.columns.distinct(column);
        match self.columns.kinds[column - 1] {
            Kind::Sampled => format!("{} samples, {}", values.len(), self.range(column)),
            _ if values.len() <= MOST_CURVES => values.join(", "),
            Kind::Words => format!("{} names", values.len()),
            Kind::Logarithmic => {
                format!("{} from {} to {}, at equal ratios", values.len(), values[0], values[values.len() - 1])
            }
            Kind::Numbers => format!("{} from {} to {}", values.len(), values[0], values[values.len() - 1]),
        }
    }

    /// The range of a column of numbers, or how often each word stands in it.
    fn range(&self, column: usize) -> String {
        let table = &self.columns;
        if !table.is_number(column) {
            return listed(&counted(table.rows.iter().map(|row| first_word(&row[column])).filter(|w| !w.is_empty())));
        }
        let finite = table.numbers(column).filter(|v| v.is_finite());
        let (low, high) = finite.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        format!("{} to {}", number::format(low, 0.0), number::format(high, 0.0))
    }

    /// Every measure over the parameters, and what is not shown.
    fn figure(&self) -> (Option<Figure>, String) {
        let table = &self.columns;
        let mut shown: Vec<usize> = table.measured().collect();
        let status = table.measured().end;
        // How cases ended is drawn where it tells them apart and no measure says the same.
        let is_end = |column: &usize| table.head[*column] == "end";
        if words(table, status).len() > 1 && !shown.iter().any(is_end) {
            shown.push(status);
        }
        // A word that holds everywhere needs no picture.
        shown.retain(|&column| table.is_number(column) || words(table, column).len() > 1);
        let (panels, mut remark) = self.panels(&shown);
        if panels.len() > MOST_PANELS {
            remark = format!("The first {MOST_PANELS} of {} panels are drawn. {remark}", panels.len());
        }
        let panels: Vec<Panel> = panels.into_iter().take(MOST_PANELS).collect();
        let figure = match panels.len() {
            0 => None,
            1 => panels.into_iter().next().map(Figure::single),
            _ => Some(Figure::grid(2, panels)),
        };
        (figure, remark)
    }

    fn panels(&self, shown: &[usize]) -> (Vec<Panel>, String) {
        let table = &self.columns;
        let mut numbers: Vec<usize> = (0..table.kinds.len()).filter(|k| table.kinds[*k] != Kind::Words).collect();
        // The parameter with most values first: it is drawn along x.
        numbers.sort_by_key(|k| std::cmp::Reverse(table.distinct(1 + k).len()));
        let sampled = numbers.iter().any(|k| table.kinds[*k] == Kind::Sampled);
        let Some(&along) = numbers.first() else { return (self.by_name(shown), String::new()) };
        let along_one = |along: usize, divided: bool| {
            let mut lines = curves(table, &if divided { vec![along] } else { (0..table.kinds.len()).collect() });
            let all = lines.len();
            lines.truncate(MOST_CURVES);
            let panels: Vec<Panel> = shown
                .iter()
                .filter_map(|&column| match table.is_number(column) {
                    true => panel(table, &lines, along, column, &Labels::default()),
                    false => Some(word_panel(table, &lines, along, column)),
                })
                .collect();
            let left = all - lines.len();
            (
                panels,
                if left == 0 { String::new() } else { format!("Of {all} curves the first {MOST_CURVES} are drawn.") },
            )
        };
        let others = curves(table, &[along]).len();
        if sampled {
            // Clouds over each number; what else varies spreads them.
            let divided = others <= MOST_CURVES;
            let panels = numbers.iter().flat_map(|&k| along_one(k, divided).0).collect();
            return (panels, String::new());
        }
        if let [x, y, ..] = numbers[..]
            && others > MOST_CURVES
        {
            let groups = curves(table, &[x, y]);
            if let Some(plane) = Plane::new(table, [x, y], &groups) {
                let panels = groups
                    .iter()
                    .flat_map(|group| shown.iter().map(|&c| plane.panel(table, group, c)).collect::<Vec<_>>());
                return (panels.collect(), String::new());
            }
        }
        along_one(along, true)
    }

    /// Where no parameter is a number: the measures by the names of the cases.
    fn by_name(&self, shown: &[usize]) -> Vec<Panel> {
        let table = &self.columns;
        let named = curves(table, &[]);
        if named.len() > 2 * MOST_CURVES {
            return Vec::new();
        }
        let ticks = || named.iter().enumerate().map(|(k, case)| (k as f64, case.name.clone()));
        let of = |&column: &usize| {
            let points = named.iter().enumerate().map(|(k, case)| (parsed(&case.rows[0][column]), k as f64));
            let y = Axis::new("").range(named.len() as f64 - 0.5, -0.5).ticks_at(ticks());
            Panel::new(Axis::new(table.label(column)), y)
                .add(Series::scatter(points).index(0))
                .legend(LegendPlace::None)
        };
        shown.iter().filter(|column| table.is_number(**column)).map(of).collect()
    }

    /// Reasons of failure, each with its cases.
    fn failures(&self) -> String {
        let table = &self.columns;
        let failed: Vec<&Vec<String>> = table.rows.iter().filter(|row| !table.is_found(row)).collect();
        if failed.is_empty() {
            return String::new();
        }
        let reason = |row: &[String]| without_values(&row[table.measured().end]);
        let reasons = counted(failed.iter().map(|row| reason(row)));
        let mut out = format!("<p>{} of {} cases have no answer.</p>\n", failed.len(), table.rows.len());
        out += &open_table(["status and reason", "cases", "the first of them"]);
        for (known, count) in reasons.iter().take(MOST_REASONS) {
            let place = |row: &&Vec<String>| {
                let keys = (1..table.measured().start).map(|k| format!("{} = {}", table.head[k], row[k]));
                format!("case {}: {}", row[0], keys.collect::<Vec<_>>().join(", "))
            };
            let first = failed.iter().find(|row| reason(row) == *known).map(place).unwrap_or_default();
            let (known, first) = (escape(known), escape(&first));
            let _ = writeln!(out, "<tr><td>{known}</td><td class=\"n\">{count}</td><td>{first}</td></tr>");
        }
        out += CLOSE_TABLE;
        if reasons.len() > MOST_REASONS {
            let _ = writeln!(out, "<p>and {} more reasons in the file</p>", reasons.len() - MOST_REASONS);
        }
        out
    }

    /// The command that computes the same rows, as far as the table tells it.
    fn command(&self) -> String {
        let table = &self.columns;
        let quoted = |text: String| {
            if text.contains([' ', '*', '\'']) { format!("'{}'", text.replace('\'', "'\\''")) } else { text }
        };
        let mut words = vec![format!("delassus sweep {}", quoted(self.of.clone().unwrap_or("FILE".to_owned())))];
        let mut sampled = Vec::new();
        for (k, kind) in table.kinds.iter().enumerate() {
            let (key, values) = (&table.head[1 + k], table.distinct(1 + k));
            let spec = match (kind, &values[..]) {
                (Kind::Sampled, _) => {
                    sampled.push(key.as_str());
                    "DISTRIBUTION".to_owned()
                }
                (Kind::Logarithmic, [from, .., to]) => format!("log:{from}:{to}:{}", values.len()),
                (Kind::Numbers, [from, .., to]) if is_even(&values) => format!("{from}:{to}:{}", values.len()),
                _ => values.join(","),
            };
            words.push(format!("--vary {}", quoted(format!("{key}={spec}"))));
        }
        if !sampled.is_empty() {
            let first = table.kinds.iter().position(|kind| *kind == Kind::Sampled).unwrap_or(0);
            words.push(format!("--samples {}", table.distinct(1 + first).len()));
        }
        words.push(format!("--measure {}", quoted(table.head[table.measured()].join(","))));
        words.push("--out sweep.csv".to_owned());
        let mut out = format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escape(&words.join(" \\\n    ")));
        out += match self.of {
            Some(_) => "<p>What was varied stands below.",
            None => {
                "<p><code>FILE</code> is the problem or scenario, which the table does not name; \
                 <code>report --of FILE</code> does."
            }
        };
        if !sampled.is_empty() {
            let told = "The table does not tell the distribution of";
            let _ = write!(out, " {told} {}, only the samples.", escape(&sampled.join(", ")));
        }
        out + "</p>\n"
    }

    fn listing(&self) -> String {
        let table = &self.columns;
        let mut out = open_table(table.head.iter().map(String::as_str)).replace("<table>", "<table class=\"rows\">");
        for row in table.rows.iter().take(MOST_ROWS) {
            let cell = |cell: &String| {
                let class = if parsed(cell).is_nan() { "" } else { " class=\"n\"" };
                format!("<td{class}>{}</td>", escape(cell))
            };
            let _ = writeln!(out, "<tr>{}</tr>", row.iter().map(cell).collect::<String>());
        }
        out += CLOSE_TABLE;
        if table.rows.len() > MOST_ROWS {
            let _ = writeln!(out, "<p>and {} more in the file</p>", table.rows.len() - MOST_ROWS);
        }
        out
    }
}

const CLOSE_TABLE: &str = "</tbody></table></div>\n";

fn open_table<'a>(heads: impl IntoIterator<Item = &'a str>) -> String {
    let mut out =
        String::from("<div class=\"wide\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr>");
    heads.into_iter().for_each(|name| out += &format!("<th>{}</th>", escape(name)));
    out + "</tr></thead>\n<tbody>\n"
}

/// How often each entry stands in a list, in the order in which they appear.
fn counted<T: Into<String>>(entries: impl Iterator<Item = T>) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for entry in entries {
        let entry = entry.into();
        let place = *places.entry(entry.clone()).or_insert_with(|| {
            counts.push((entry, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
    }
    counts
}

/// A reason without the value that it names, so that the same reason is counted once: `friction = -2: must not be
/// negative` as `friction: must not be negative`.
fn without_values(reason: &str) -> String {
    let Some((before, after)) = reason.split_once(" = ") else { return reason.to_owned() };
    match after.split_once(": ") {
        Some((value, rest)) if value.parse::<f64>().is_ok() => format!("{before}: {rest}"),
        _ => reason.to_owned(),
    }
}

/// Counts in words, the first eight.
fn listed(counts: &[(String, usize)]) -> String {
    let mut words: Vec<String> = counts.iter().take(8).map(|(name, count)| format!("{count} {name}")).collect();
    if counts.len() > 8 {
        words.push("others".to_owned());
    }
    words.join(", ")
}

/// A label of a figure as plain text.
fn plain(label: &str) -> String {
    let signs = label.replace("^{+}", "⁺").replace("^{−}", "⁻");
    signs.replace("_{", "_").replace("^{", "^").replace('}', "")
}

/// Whether numbers are spaced evenly.
fn is_even(values: &[&str]) -> bool {
    let numbers: Vec<f64> = values.iter().map(|text| parsed(text)).collect();
    let (Some(from), Some(to)) = (numbers.first(), numbers.last()) else { return false };
    let step = (to - from) / (numbers.len() - 1) as f64;
    let off = |(k, v): (usize, &f64)| (v - (from + step * k as f64)).abs() > 1e-9 * (to - from).abs();
    numbers.len() > 3 && !numbers.iter().enumerate().any(off)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "case,contact.C.friction,law,energy,verdict,status,certificate\n";

    fn part(rows: &str) -> String {
        SweepTable::read("t", &format!("# a remark\n{HEAD}{rows}")).unwrap().part(true)
    }

    #[test]
    fn a_page_tells_what_was_varied_how_it_ended_and_how_to_repeat_it() {
        let row = |k: usize| {
            let (friction, law) = (0.1 * (k / 2) as f64, ["newton", "lzb"][k % 2]);
            let certificate = if k == 3 { "fails: energetic 0.2; momentum 1e-3" } else { "holds" };
            format!("{k},{friction},{law},-0.{k},\"<a>, \"\"b\"\"\",solved,{certificate}\n")
        };
        let page = part(&(0..10).map(row).collect::<String>());
        for words in [
            "10 cases: 10 solved. Certificates: 9 hold, 1 fail (energetic, momentum).",
            "<svg",
            ">lzb<",
            "&lt;a&gt;, &quot;b&quot;",
            "--vary contact.C.friction=0:0.4:5 \\\n    --vary law=newton,lzb \\\n    --measure energy,verdict",
            "<h2>t</h2>",
        ] {
            assert!(page.contains(words), "{words} is missing in {page}");
        }
        assert!(!page.contains("What failed"));
        let named = SweepTable {
            of: Some("my block.toml".into()),
            ..SweepTable::read("t", &format!("{HEAD}{}", row(0))).unwrap()
        };
        assert!(named.part(true).contains("delassus sweep 'my block.toml' \\\n    --vary"));
    }

    #[test]
    fn failures_are_grouped_by_their_reason() {
        let page = part(
            "0,0.1,newton,-0.5,sound,solved,holds\n1,0.2,newton,,,\"undefined: friction = 0.2: too large\",\n\
             2,0.3,newton,,,\"undefined: friction = 0.3: too large\",\n3,0.4,newton,-0.1,sound,max-iterations,holds\n",
        );
        for words in [
            "3 of 4 cases have no answer",
            "undefined: friction: too large</td><td class=\"n\">2</td><td>case 1: contact.C.friction = 0.2, law = newton",
            "max-iterations</td><td class=\"n\">1",
            "4 cases: 1 solved, 2 undefined, 1 max-iterations.",
        ] {
            assert!(page.contains(words), "{words} is missing in {page}");
        }
    }

    #[test]
    fn two_numbers_make_maps_and_samples_make_clouds() {
        let table = |sampled: bool| {
            let mut text = String::from("case,a.x,a.y,energy,state,status,certificate\n");
            for k in 0..144usize {
                let x = if sampled { (k as f64 * 0.618).fract() } else { (k % 12) as f64 };
                let (y, state) = ((k / 12) as f64, ["stick", "slip"][usize::from(k % 12 > k / 12)]);
                text += &format!("{k},{x},{y},{},{state},solved,holds\n", x * y - 20.0);
            }
            SweepTable::read("t", &text).unwrap()
        };
        let (maps, _) = table(false).figure();
        let maps = maps.unwrap();
        assert_eq!(maps.panels.len(), 2);
        assert!(matches!(maps.panels[0].layers[0], delassus_figure::Layer::Field(_)));
        assert!(matches!(maps.panels[1].layers[0], delassus_figure::Layer::Regions(_)));
        // Each of two measures over each of two numbers.
        assert_eq!(table(true).figure().0.unwrap().panels.len(), 4);
        assert!(table(true).command().contains("a.x=DISTRIBUTION"));
    }
}
