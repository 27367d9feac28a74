//! A sheet to draw on: SVG elements in points, and a record of where text stands.

use super::style::Color;
use super::text;
use std::fmt::Write;

/// An axis-parallel box in points, y downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Rect {
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    pub fn contains(&self, p: [f64; 2]) -> bool {
        (self.x..=self.right()).contains(&p[0]) && (self.y..=self.bottom()).contains(&p[1])
    }

    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }
}

/// Where a text is held by its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// The text starts at the point.
    Start,
    /// The text is centred on the point.
    #[default]
    Middle,
    /// The text ends at the point.
    End,
}

/// How a text is set.
#[derive(Clone, Copy)]
pub(crate) struct Ink {
    pub size: f64,
    pub color: Color,
    pub anchor: Anchor,
    /// Outline in paper colour behind the letters, for text over curves.
    pub halo: bool,
    pub vertical: bool,
}

impl Ink {
    pub fn new(size: f64, anchor: Anchor) -> Ink {
        Ink { size, anchor, color: Color::BLACK, halo: false, vertical: false }
    }
}

/// Stroke of a path.
#[derive(Clone, Copy)]
pub(crate) struct Pen {
    pub color: Color,
    pub width: f64,
    pub dash: Option<&'static str>,
}

impl Pen {
    pub fn new(color: Color, width: f64) -> Pen {
        Pen { color, width, dash: None }
    }
}

/// A number with two decimals at most, the shortest form.
pub(crate) fn number(value: f64) -> String {
    let mut s = format!("{value:.2}");
    while s.ends_with('0') {
        s.pop();
    }
    if s.ends_with('.') {
        s.pop();
    }
    if s == "-0" { "0".into() } else { s }
}

/// Path data of a polyline.
pub(crate) fn path_of(points: &[[f64; 2]], closed: bool) -> String {
    let mut d = String::with_capacity(12 * points.len());
    for (i, p) in points.iter().enumerate() {
        d.push(if i == 0 { 'M' } else { 'L' });
        d += &number(p[0]);
        d.push(' ');
        d += &number(p[1]);
    }
    if closed {
        d.push('Z');
    }
    d
}

/// The growing drawing.
#[derive(Default)]
pub(crate) struct Sheet {
    body: String,
    /// Boxes of all layout text (not of annotations), for the tests of the layout.
    pub labels: Vec<(String, Rect)>,
}

impl Sheet {
    pub fn stroke(&mut self, d: &str, pen: Pen) {
        if d.is_empty() {
            return;
        }
        let _ = write!(
            self.body,
            "<path d=\"{d}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
            pen.color,
            number(pen.width)
        );
        if let Some(dash) = pen.dash {
            let _ = write!(self.body, " stroke-dasharray=\"{dash}\"");
        }
        self.body += "/>\n";
    }

    pub fn line(&mut self, a: [f64; 2], b: [f64; 2], pen: Pen) {
        self.stroke(&path_of(&[a, b], false), pen);
    }

    /// A filled path; `edge` strokes it in its own colour to close hairline seams to neighbours.
    pub fn fill(&mut self, d: &str, color: Color, opacity: f64, edge: f64) {
        if d.is_empty() {
            return;
        }
        let _ = write!(self.body, "<path d=\"{d}\" fill=\"{color}\"");
        if opacity < 1.0 {
            let _ = write!(self.body, " fill-opacity=\"{}\"", number(opacity));
        }
        if edge > 0.0 {
            let _ = write!(self.body, " stroke=\"{color}\" stroke-width=\"{}\"", number(edge));
        }
        self.body += "/>\n";
    }

    pub fn rect(&mut self, r: Rect, fill: Option<(Color, f64)>, pen: Option<Pen>) {
        let _ = write!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            number(r.x),
            number(r.y),
            number(r.w),
            number(r.h)
        );
        match fill {
            Some((color, opacity)) => {
                let _ = write!(self.body, " fill=\"{color}\"");
                if opacity < 1.0 {
                    let _ = write!(self.body, " fill-opacity=\"{}\"", number(opacity));
                }
            }
            None => self.body += " fill=\"none\"",
        }
        if let Some(pen) = pen {
            let _ = write!(self.body, " stroke=\"{}\" stroke-width=\"{}\"", pen.color, number(pen.width));
        }
        self.body += "/>\n";
    }

    /// An embedded PNG stretched over `r` without smoothing.
    pub fn image(&mut self, r: Rect, png: &[u8]) {
        use base64::Engine;
        let data = base64::engine::general_purpose::STANDARD.encode(png);
        let _ = writeln!(
            self.body,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" \
             href=\"data:image/png;base64,{data}\"/>",
            number(r.x),
            number(r.y),
            number(r.w),
            number(r.h)
        );
    }

    /// Text that belongs to the layout: its box is recorded.
    pub fn label(&mut self, at: [f64; 2], content: &str, ink: Ink) {
        if content.is_empty() {
            return;
        }
        self.labels.push((content.to_string(), text_box(at, content, ink)));
        self.text(at, content, ink);
    }

    /// Text with its middle height at `at`.
    pub fn text(&mut self, at: [f64; 2], content: &str, ink: Ink) {
        let anchor = match ink.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // Centred by hand: dominant-baseline is not understood everywhere.
        let drop = 0.35 * ink.size;
        let (x, y) = (number(at[0]), number(at[1]));
        let place = if ink.vertical {
            format!("transform=\"translate({x} {y}) rotate(-90)\" y=\"{}\"", number(drop))
        } else {
            format!("x=\"{x}\" y=\"{}\"", number(at[1] + drop))
        };
        let attributes = format!("{place} font-size=\"{}\" text-anchor=\"{anchor}\"", number(ink.size));
        let spans = text::spans(content, ink.size);
        if ink.halo {
            let paper = if ink.color == Color::WHITE { Color::BLACK } else { Color::WHITE };
            let _ = writeln!(
                self.body,
                "<text {attributes} fill=\"{paper}\" stroke=\"{paper}\" stroke-opacity=\"0.8\" stroke-width=\"1.8\" stroke-linejoin=\"round\" aria-hidden=\"true\">{spans}</text>"
            );
        }
        let _ = writeln!(self.body, "<text {attributes} fill=\"{}\">{spans}</text>", ink.color);
    }

    /// The whole document.
    pub fn finish(&self, width: f64, height: f64, description: &str) -> String {
        let (w, h) = (number(width), number(height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}pt\" height=\"{h}pt\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"{}\">\n<title>{}</title>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            text::FAMILY,
            text::escape(description),
            self.body
        )
    }
}

/// Box covered by a text.
pub(crate) fn text_box(at: [f64; 2], content: &str, ink: Ink) -> Rect {
    let (w, h) = (text::width(content, ink.size), ink.size);
    let start = match ink.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -w / 2.0,
        Anchor::End => -w,
    };
    if ink.vertical {
        Rect { x: at[0] - h / 2.0, y: at[1] - start - w, w: h, h: w }
    } else {
        Rect { x: at[0] + start, y: at[1] - h / 2.0, w, h }
    }
}
