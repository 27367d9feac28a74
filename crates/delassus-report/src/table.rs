//! A table of a sweep shown: how its cases ended, every number over the first parameter, the rows.

use std::fmt::Write;

use delassus_figure::{Axis, Figure, LegendPlace, Panel, Series, escape};

use crate::document::svg;

/// Rows that a page lists; the file has all.
const MOST_ROWS: usize = 400;
/// Columns that are drawn.
const MOST_PANELS: usize = 12;

/// A table as `delassus sweep` writes it: `case`, parameters, measures, `status`.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepTable {
    /// Heading.
    pub title: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl SweepTable {
    /// Reads comma-separated values; lines that begin with `#` are remarks.
    ///
    /// # Errors
    /// No table of a sweep, or a row that has not as many fields as the head.
    pub fn read(title: &str, text: &str) -> Result<Self, String> {
        let mut lines = records(text).into_iter();
        let head = lines.next().unwrap_or_default();
        if head.first().map(String::as_str) != Some("case") || head.last().map(String::as_str) != Some("status") {
            return Err("is no table of a sweep: its columns begin with case and end with status".to_owned());
        }
        let rows: Vec<Vec<String>> = lines.collect();
        if let Some((k, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != head.len()) {
            return Err(format!("row {} has {} fields, and there are {} columns", k + 1, row.len(), head.len()));
        }
        Ok(Self { title: title.to_owned(), head, rows })
    }

    fn column(&self, k: usize) -> impl Iterator<Item = Option<f64>> + '_ {
        self.rows.iter().map(move |row| row[k].parse().ok().filter(|v: &f64| v.is_finite()))
    }

    /// Whether most of a column are numbers.
    fn is_number(&self, k: usize) -> bool {
        2 * self.column(k).flatten().count() > self.rows.len()
    }

    /// Every column of numbers over the first parameter; none where that is no number.
    fn figure(&self) -> Option<Figure> {
        let last = self.head.len() - 1;
        if last < 3 || !self.is_number(1) {
            return None;
        }
        let panel = |k: usize| {
            let pairs = self.column(1).zip(self.column(k)).filter_map(|(x, y)| Some((x?, y?)));
            Panel::new(Axis::new(&self.head[1]), Axis::new(&self.head[k]))
                .add(Series::scatter(pairs).index(0).marker_size(2.6))
                .legend(LegendPlace::None)
        };
        let panels: Vec<Panel> = (2..last).filter(|k| self.is_number(*k)).take(MOST_PANELS).map(panel).collect();
        (!panels.is_empty()).then(|| Figure::grid(2, panels))
    }

    /// The section of a page.
    pub(crate) fn part(&self, headed: bool) -> String {
        let mut out = String::from("<section>\n");
        if headed {
            let _ = writeln!(out, "<h2>{}</h2>", escape(&self.title));
        }
        let mut ends: Vec<(&str, usize)> = Vec::new();
        for row in &self.rows {
            let status = row.last().map_or("", String::as_str);
            match ends.iter_mut().find(|(known, _)| *known == status) {
                Some((_, count)) => *count += 1,
                None => ends.push((status, 1)),
            }
        }
        let ends: Vec<String> = ends.iter().take(8).map(|(status, count)| format!("{count} {status}")).collect();
        let _ = writeln!(out, "<p>{} cases: {}.</p>", self.rows.len(), escape(&ends.join(", ")));
        if let Some(figure) = self.figure() {
            let description = format!("numbers of the sweep over {}", self.head[1]);
            let _ = writeln!(out, "<figure class=\"large\">\n{}</figure>", svg(&figure, &description));
        }
        out += "<div class=\"wide\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr>";
        self.head.iter().for_each(|name| out += &format!("<th>{}</th>", escape(name)));
        out += "</tr></thead>\n<tbody>\n";
        for row in self.rows.iter().take(MOST_ROWS) {
            let cells: String = row.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect();
            let _ = writeln!(out, "<tr>{cells}</tr>");
        }
        out += "</tbody></table></div>\n";
        if self.rows.len() > MOST_ROWS {
            let _ = writeln!(out, "<p>and {} more in the file</p>", self.rows.len() - MOST_ROWS);
        }
        out + "</section>\n"
    }
}

/// The records of comma-separated values; fields in quotes may hold commas, quotes and ends of lines.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut all, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    let (mut quoted, mut begin) = (false, true);
    while let Some(c) = letters.next() {
        if begin && c == '#' {
            letters.by_ref().find(|c| *c == '\n');
            continue;
        }
        begin = false;
        match c {
            '"' if quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                all.push(std::mem::take(&mut row));
                begin = true;
            }
            '\r' if !quoted => {}
            c => field.push(c),
        }
    }
    if !field.is_empty() || !row.is_empty() {
        row.push(field);
        all.push(row);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_drawn_over_the_first_parameter() {
        let text = "# a remark\ncase,friction,energy,verdict,status\n0,0.1,-0.5,\"a, \"\"b\"\"\",solved\n1,0.2,-0.4,<c>,solved\n";
        let table = SweepTable::read("t", text).unwrap();
        assert_eq!(table.rows[0][3], "a, \"b\"");
        let page = table.part(true);
        for words in ["2 cases: 2 solved.", "<svg", ">energy</", "&lt;c&gt;", "<h2>t</h2>"] {
            assert!(page.contains(words), "{words} is missing in {page}");
        }
        assert_eq!(table.figure().unwrap().panels.len(), 1);
        assert!(SweepTable::read("t", "a,b\n1,2\n").unwrap_err().contains("no table of a sweep"));
        assert!(SweepTable::read("t", "case,x,status\n0,1\n").unwrap_err().contains("row 1 has 2 fields"));
    }
}
