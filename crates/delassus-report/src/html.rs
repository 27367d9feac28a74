//! One self-contained page: verdicts, tables and figures, no external resources.

use std::fmt::Write;

use delassus_figure::{Figure, escape};

use crate::document::{STYLE, svg};

/// Outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Badge {
    /// All values agree.
    Agrees,
    /// All values agree once misprints are corrected.
    Corrected,
    /// Some differ, with an explanation.
    Differs,
    /// Not compared, or nothing to compare with.
    Open,
    /// Computed with other parameters than those of the paper.
    Changed,
}

impl Badge {
    /// The word on the badge and its style class. The sign tells them apart without colour.
    fn badge(self) -> (&'static str, &'static str) {
        match self {
            Badge::Agrees => ("✓ agrees", "ok"),
            Badge::Corrected => ("✎ corrected", "fix"),
            Badge::Differs => ("✗ differs", "bad"),
            Badge::Open => ("○ open", "open"),
            Badge::Changed => ("○ changed", "open"),
        }
    }
}

/// One row of a table of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What is compared, with symbol and unit.
    pub quantity: String,
    /// Value of the paper: [`number`] or words.
    pub paper: String,
    /// Value of an independent computation, where the paper states none; else empty.
    pub independent: String,
    /// Our value: [`number`] or words.
    pub ours: String,
    /// Allowed deviation, as text with its meaning (`"1e-3 relative"`).
    pub tolerance: String,
    /// Whether they agree.
    pub verdict: Badge,
}

/// Part of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// Badge beside the heading; `None` for plain text.
    pub verdict: Option<Badge>,
    /// Text; plain, not markup.
    pub paragraphs: Vec<String>,
    /// Table of values; none if empty.
    pub rows: Vec<Row>,
    /// Figures with their captions.
    pub figures: Vec<(Figure, String)>,
}

impl Section {
    /// An empty section.
    pub fn new(title: impl Into<String>) -> Section {
        Section { title: title.into(), verdict: None, paragraphs: Vec::new(), rows: Vec::new(), figures: Vec::new() }
    }

    /// Sets the badge.
    pub fn verdict(mut self, verdict: Badge) -> Section {
        self.verdict = Some(verdict);
        self
    }

    /// Adds a paragraph.
    pub fn text(mut self, text: impl Into<String>) -> Section {
        self.paragraphs.push(text.into());
        self
    }

    /// Adds a row to the table.
    pub fn row(mut self, row: Row) -> Section {
        self.rows.push(row);
        self
    }

    /// Adds a figure.
    pub fn figure(mut self, figure: Figure, caption: impl Into<String>) -> Section {
        self.figures.push((figure, caption.into()));
        self
    }

    /// The section as markup.
    pub fn markup(&self) -> Markup {
        Markup { title: escape(&self.title), badge: badge(self.verdict), body: body(self) }
    }
}

/// The page as one HTML document. Equal input gives equal bytes.
pub fn page(title: &str, introduction: &str, sections: &[Section]) -> String {
    page_of(title, introduction, &sections.iter().map(Section::markup).collect::<Vec<_>>())
}

/// A section as markup: what [`page_of`] makes a page of, and [`sections_of`] reads from one.
#[derive(Clone, Debug, PartialEq)]
pub struct Markup {
    /// Heading without the badge.
    pub title: String,
    badge: String,
    body: String,
}

impl Markup {
    /// What stands below the heading.
    pub fn content(&self) -> &str {
        &self.body
    }
}

/// As [`page`], of sections that are markup already.
pub fn page_of(title: &str, introduction: &str, sections: &[Markup]) -> String {
    let title = escape(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    if !introduction.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", escape(introduction));
    }
    if sections.len() > 1 {
        out += "<nav aria-label=\"Contents\"><ul>\n";
        for (k, Markup { title, badge, .. }) in sections.iter().enumerate() {
            let _ = writeln!(out, "<li><a href=\"#s{}\">{title}</a>{badge}</li>", k + 1);
        }
        out += "</ul></nav>\n";
    }
    for (k, Markup { title, badge, body }) in sections.iter().enumerate() {
        let _ = writeln!(out, "<section id=\"s{}\">\n<h2>{title}{badge}</h2>\n{body}</section>", k + 1);
    }
    out + "</body>\n</html>\n"
}

/// The sections of a [`page`].
pub fn sections_of(html: &str) -> Vec<Markup> {
    // Within sections all text is escaped.
    let section = |part: &str| {
        let (heading, rest) = part.split_once("<h2>")?.1.split_once("</h2>\n")?;
        let (body, _) = rest.split_once("</section>")?;
        let (title, badge) = heading.split_at(heading.find(BADGE).unwrap_or(heading.len()));
        Some(Markup { title: title.to_owned(), badge: badge.to_owned(), body: body.to_owned() })
    };
    html.split("<section ").skip(1).filter_map(section).collect()
}

/// Begins a badge.
const BADGE: &str = " <span class=\"badge ";

fn badge(verdict: Option<Badge>) -> String {
    let mark = |v: Badge| {
        let (word, class) = v.badge();
        format!("{BADGE}{class}\">{word}</span>")
    };
    verdict.map(mark).unwrap_or_default()
}

fn body(s: &Section) -> String {
    let mut out = String::new();
    for text in &s.paragraphs {
        let _ = writeln!(out, "<p>{}</p>", escape(text));
    }
    if !s.rows.is_empty() {
        // The column stands only where it says something.
        let beside = s.rows.iter().any(|row| !row.independent.is_empty());
        let column = |markup: String| if beside { markup } else { String::new() };
        let _ = write!(
            out,
            "<div class=\"wide\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr><th>quantity</th><th class=\"n\">paper</th>{}\
             <th class=\"n\">ours</th><th>tolerance</th><th>verdict</th></tr></thead>\n<tbody>\n",
            column("<th class=\"n\">independent</th>".to_owned())
        );
        for row in &s.rows {
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td class=\"n\">{}</td>{}<td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>",
                escape(&row.quantity),
                escape(&row.paper),
                column(format!("<td class=\"n\">{}</td>", escape(&row.independent))),
                escape(&row.ours),
                escape(&row.tolerance),
                badge(Some(row.verdict)).trim_start()
            );
        }
        out += "</tbody></table></div>\n";
    }
    for (figure, caption) in &s.figures {
        let (drawn, caption) = (svg(figure, caption), escape(caption));
        let _ = writeln!(out, "<figure tabindex=\"0\">\n{drawn}<figcaption>{caption}</figcaption>\n</figure>");
    }
    out
}

/// A number for a [`Row`]: up to ten significant digits, in the shorter notation; a dash if it is
/// not finite.
pub fn number(v: f64) -> String {
    if !v.is_finite() {
        return "–".into();
    }
    // Rounding to ten digits first drops the noise of the last bits.
    let rounded: f64 = format!("{v:.9e}").parse().unwrap_or(v);
    let text = match rounded.abs() {
        0.0 => "0".into(),
        a if (1e-4..1e10).contains(&a) => rounded.to_string(),
        _ => format!("{rounded:e}"),
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_figure::{Axis, Panel, Series};

    fn sample() -> String {
        let panel =
            Panel::new(Axis::new("a < b"), Axis::new("θ")).add(Series::line([(0.0, 0.0), (1.0, 2.0)]).label("x & y"));
        let row = Row {
            quantity: "γ⁺ <m/s>".into(),
            paper: number(0.1 + 0.2),
            independent: String::new(),
            ours: number(f64::NAN),
            tolerance: "1 \"%\"".into(),
            verdict: Badge::Differs,
        };
        let first = Section::new("A & B").verdict(Badge::Agrees).text("<script>alert(1)</script>");
        let first = first.row(row).figure(Figure::single(panel), "cap <tion>");
        page("Title <1>", "5 > 3", &[first, Section::new("Second")])
    }

    #[test]
    fn text_is_escaped_and_the_page_is_well_formed() {
        let html = sample();
        assert!(!html.contains("<script>") && html.contains("&lt;script&gt;"));
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let tree = roxmltree::Document::parse_with_options(&html, options).unwrap();
        let cells: Vec<_> = tree.descendants().filter(|n| n.has_tag_name("td")).collect();
        assert_eq!(cells[0].text(), Some("γ⁺ <m/s>"));
        assert_eq!(cells[1].text(), Some("0.3"));
        assert_eq!(cells[2].text(), Some("–"));
        // Every entry of the contents leads somewhere.
        for link in tree.descendants().filter_map(|n| n.attribute("href")) {
            let id = link.strip_prefix('#').unwrap();
            assert!(tree.descendants().any(|n| n.attribute("id") == Some(id)));
        }
    }

    #[test]
    fn sections_are_read_again() {
        let html = sample();
        let sections = sections_of(&html);
        assert_eq!(sections.iter().map(|s| &s.title[..]).collect::<Vec<_>>(), ["A &amp; B", "Second"]);
        assert_eq!(page_of("Title <1>", "5 > 3", &sections), html);
        assert_eq!(sections_of("<p>nothing</p>"), []);
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let html = sample().replace("http://www.w3.org/2000/svg", "");
        assert!(!html.contains("http") && !html.contains("url(") && !html.contains("src="));
    }

    #[test]
    fn values_are_short() {
        assert_eq!(number(-1.0 / 3.0), "−0.3333333333");
        assert_eq!(number(1.5e-9), "1.5e−9");
        assert_eq!(number(f64::NAN), "–");
    }
}
