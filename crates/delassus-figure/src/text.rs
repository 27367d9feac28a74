//! Widths of text and its translation to SVG.
//!
//! Labels are plain Unicode. Raised and lowered characters (γ⁺, Λ₁) and the forms `^{…}`, `_{…}`
//! become shifted spans of ordinary letters, so they look the same in every font.

use std::fmt::Write;
#[cfg(feature = "png")]
use std::sync::OnceLock;

#[cfg(feature = "png")]
use ttf_parser::Face;

use super::widths::{UNITS_PER_EM, advance};

/// Font family list of the figures. DejaVu Sans is the widest of them, so a layout measured
/// with it holds with the others.
pub(crate) const FAMILY: &str = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif";

const SMALL: f64 = 0.68;
const RAISED: &str = "⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9⁺+⁻−⁼=⁽(⁾)ⁿnⁱiᵀT";
const LOWERED: &str = "₀0₁1₂2₃3₄4₅5₆6₇7₈8₉9₊+₋−₌=₍(₎)ₐaₑeₕhᵢiⱼjₖkₗlₘmₙnₒoₚpᵣrₛsₜtᵤuᵥvₓx";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Base,
    Raised,
    Lowered,
}

impl Level {
    /// Scale of the letters, and how far they are lowered in a label of this size.
    fn place(self, size: f64) -> (f64, f64) {
        match self {
            Level::Base => (1.0, 0.0),
            Level::Raised => (SMALL, -0.46 * size),
            Level::Lowered => (SMALL, 0.26 * size),
        }
    }
}

#[derive(Debug, PartialEq)]
struct Run {
    text: String,
    level: Level,
}

fn lookup(table: &str, c: char) -> Option<char> {
    let mut letters = table.chars();
    while let (Some(from), Some(to)) = (letters.next(), letters.next()) {
        if from == c {
            return Some(to);
        }
    }
    None
}

fn runs(text: &str) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    let mut push = |c: char, level: Level| match out.last_mut() {
        Some(run) if run.level == level => run.text.push(c),
        _ => out.push(Run { text: c.to_string(), level }),
    };
    let mut rest = text.chars().peekable();
    let mut braced: Option<Level> = None;
    while let Some(c) = rest.next() {
        match (braced, c) {
            (Some(_), '}') => braced = None,
            (Some(level), _) => push(c, level),
            (None, '^' | '_') if rest.peek() == Some(&'{') => {
                rest.next();
                braced = Some(if c == '^' { Level::Raised } else { Level::Lowered });
            }
            (None, _) if c.is_control() => push(' ', Level::Base),
            (None, _) => match (lookup(RAISED, c), lookup(LOWERED, c)) {
                (Some(r), _) => push(r, Level::Raised),
                (_, Some(l)) => push(l, Level::Lowered),
                _ => push(c, Level::Base),
            },
        }
    }
    out
}

/// The font of all figures.
#[cfg(feature = "png")]
pub(crate) fn font() -> Option<&'static Face<'static>> {
    static FONT: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FONT.get_or_init(|| Face::parse(dejavu::sans::regular(), 0).ok()).as_ref()
}

fn raw_width(text: &str, size: f64) -> f64 {
    // Letters come in sizes of 1/64 point.
    let unit = (64.0 * size).trunc() / 64.0 / UNITS_PER_EM;
    text.chars().map(|c| advance(c).map_or(0.6 * size, |width| width * unit)).sum()
}

/// Width of a label in points at the given font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let mut total = 0.0;
    let mut previous: Option<(Level, f64)> = None;
    for run in runs(text) {
        let scale = if run.level == Level::Base { 1.0 } else { SMALL };
        let w = raw_width(&run.text, size * scale);
        total += match previous {
            // A raised run directly after a lowered one (or the reverse) stands above it.
            Some((level, before)) if stacks(level, run.level) => (w - before).max(0.0),
            _ => w,
        };
        previous = Some((run.level, w));
    }
    total
}

fn stacks(a: Level, b: Level) -> bool {
    a != Level::Base && b != Level::Base && a != b
}

/// A letter of a label where it stands.
#[cfg(feature = "png")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Letter {
    pub letter: char,
    /// Distance from the start of the label.
    pub x: f64,
    /// How far it is lowered.
    pub down: f64,
    pub size: f64,
}

/// The letters of a label, as [`spans`] places them.
#[cfg(feature = "png")]
pub(crate) fn letters(text: &str, size: f64) -> Vec<Letter> {
    let mut out = Vec::new();
    let mut x = 0.0;
    let mut previous: Option<(Level, f64)> = None;
    for run in runs(text) {
        let (scale, down) = run.level.place(size);
        let start = match previous {
            Some((level, start)) if stacks(level, run.level) => start,
            _ => x,
        };
        let mut end = start;
        for letter in run.text.chars() {
            out.push(Letter { letter, x: end, down, size: scale * size });
            end += raw_width(letter.encode_utf8(&mut [0; 4]), scale * size);
        }
        x = end.max(x);
        previous = Some((run.level, start));
    }
    out
}

/// The content of a `<text>` element: escaped, with spans for raised and lowered runs.
pub(crate) fn spans(text: &str, size: f64) -> String {
    let mut out = String::new();
    let mut shift = 0.0;
    let mut previous: Option<(Level, f64)> = None;
    let mut overhang = 0.0;
    for run in runs(text) {
        let (scale, wanted) = run.level.place(size);
        let w = raw_width(&run.text, size * scale);
        let mut dx = std::mem::take(&mut overhang);
        if let Some((level, before)) = previous
            && stacks(level, run.level)
        {
            dx -= before;
            overhang = (before - w).max(0.0);
        }
        let dy = wanted - shift;
        shift = wanted;
        previous = Some((run.level, w));
        // Some programs drop spaces at the ends of spans, so these become shifts.
        let tail = run.text.trim_start_matches(' ');
        let body = tail.trim_end_matches(' ');
        let space = raw_width(" ", size * scale);
        dx += space * (run.text.len() - tail.len()) as f64;
        overhang += space * (tail.len() - body.len()) as f64;
        let body = escape(body);
        if dx == 0.0 && dy == 0.0 && run.level == Level::Base {
            out += &body;
            continue;
        }
        out += "<tspan";
        if dx != 0.0 {
            let _ = write!(out, " dx=\"{}\"", super::svg::number(dx));
        }
        if dy != 0.0 {
            let _ = write!(out, " dy=\"{}\"", super::svg::number(dy));
        }
        if run.level != Level::Base {
            let _ = write!(out, " font-size=\"{}\"", super::svg::number(size * SMALL));
        }
        let _ = write!(out, ">{body}</tspan>");
    }
    out
}

/// Escapes text for XML and HTML, in content and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // Characters XML 1.0 cannot hold at all.
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}')
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_become_runs() {
        let r = runs("γ₁⁺ = e_{cr}");
        let text: Vec<_> = r.iter().map(|r| (r.text.as_str(), r.level)).collect();
        assert_eq!(
            text,
            [
                ("γ", Level::Base),
                ("1", Level::Lowered),
                ("+", Level::Raised),
                (" = e", Level::Base),
                ("cr", Level::Lowered)
            ]
        );
    }

    #[test]
    fn stacked_scripts_take_the_wider_width() {
        let narrow = width("γ₁", 10.0);
        let stacked = width("γ₁⁺", 10.0);
        let apart = width("γ₁", 10.0) + width("⁺", 10.0);
        assert!(stacked >= narrow && stacked < apart);
    }

    #[test]
    fn the_font_has_the_symbols_of_mechanics() {
        let font = font().unwrap();
        let symbols = "θμγΛεφωαβδξτηλπΔΓΩ√°≤≥−·×∞∈∂±≈→′⊥∅";
        let missing: String = symbols
            .chars()
            .chain(RAISED.chars())
            .chain(LOWERED.chars())
            .filter(|&c| font.glyph_index(c).is_none())
            .collect();
        assert_eq!(missing, "");
    }

    #[test]
    fn spaces_beside_scripts_become_shifts() {
        let space = crate::svg::number(raw_width(" ", 8.0));
        let out = spans("v ⁺ [m]", 8.0);
        assert_eq!(out.matches(&format!("dx=\"{space}\"")).count(), 2, "{out}");
        assert!(!out.contains("> ") && !out.contains(" <"), "{out}");
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(spans("a<b & \"c\"", 8.0), "a&lt;b &amp; &quot;c&quot;");
    }
}
