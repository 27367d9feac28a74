//! A sheet to draw on, in points, with a record of where text stands; and the sheet as SVG.

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

impl Anchor {
    /// Where a text of this width starts, from the point that holds it.
    pub(crate) fn start(self, width: f64) -> f64 {
        match self {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        }
    }
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

    /// How far the baseline lies below the middle. (SVG's dominant-baseline is not understood everywhere.)
    pub fn drop(&self) -> f64 {
        0.35 * self.size
    }

    /// The colour of the halo, where there is one.
    pub fn paper(&self) -> Option<Color> {
        self.halo.then_some(if self.color == Color::WHITE { Color::BLACK } else { Color::WHITE })
    }
}

/// Width and opacity of the outline of a halo.
pub(crate) const HALO_WIDTH: f64 = 1.8;
pub(crate) const HALO_OPACITY: f64 = 0.8;

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

/// A picture of coloured cells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue and opacity of each cell, row by row from the top.
    pub rgba: Vec<u8>,
}

#[cfg(feature = "embed")]
impl Cells {
    fn to_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.rgba)?;
        Ok(out)
    }
}

/// Something drawn. Paths are SVG path data of the commands M, L, H, V and Z, and of circles.
pub(crate) enum Item {
    Stroke {
        d: String,
        pen: Pen,
    },
    /// A filled path; `edge` is the width of a stroke in its own colour.
    Fill {
        d: String,
        color: Color,
        opacity: f64,
        edge: f64,
    },
    Rect {
        r: Rect,
        fill: Option<(Color, f64)>,
        pen: Option<Pen>,
    },
    /// Cells stretched over `r` without smoothing.
    Image {
        r: Rect,
        cells: Cells,
    },
    /// Text with its middle height at `at`.
    Text {
        at: [f64; 2],
        content: String,
        ink: Ink,
    },
}

/// The growing drawing.
#[derive(Default)]
pub(crate) struct Sheet {
    /// From back to front.
    pub items: Vec<Item>,
    /// Boxes of all layout text (not of annotations), for the tests of the layout.
    pub labels: Vec<(String, Rect)>,
}

impl Sheet {
    pub fn stroke(&mut self, d: &str, pen: Pen) {
        if !d.is_empty() {
            self.items.push(Item::Stroke { d: d.to_owned(), pen });
        }
    }

    pub fn line(&mut self, a: [f64; 2], b: [f64; 2], pen: Pen) {
        self.stroke(&path_of(&[a, b], false), pen);
    }

    /// A filled path; `edge` strokes it in its own colour to close hairline seams to neighbours.
    pub fn fill(&mut self, d: &str, color: Color, opacity: f64, edge: f64) {
        if !d.is_empty() {
            self.items.push(Item::Fill { d: d.to_owned(), color, opacity, edge });
        }
    }

    pub fn rect(&mut self, r: Rect, fill: Option<(Color, f64)>, pen: Option<Pen>) {
        self.items.push(Item::Rect { r, fill, pen });
    }

    /// Cells stretched over `r` without smoothing.
    pub fn image(&mut self, r: Rect, cells: Cells) {
        self.items.push(Item::Image { r, cells });
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
        self.items.push(Item::Text { at, content: content.to_owned(), ink });
    }

    /// The whole document.
    pub fn finish(&self, width: f64, height: f64, description: &str) -> String {
        let (w, h) = (number(width), number(height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}pt\" height=\"{h}pt\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"{}\">\n<title>{}</title>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n",
            text::FAMILY,
            text::escape(description),
        );
        self.items.iter().for_each(|item| write_item(&mut out, item));
        out += "</svg>\n";
        out
    }
}

fn write_item(out: &mut String, item: &Item) {
    match item {
        Item::Stroke { d, pen } => {
            let _ = write!(
                out,
                "<path d=\"{d}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                pen.color,
                number(pen.width)
            );
            if let Some(dash) = pen.dash {
                let _ = write!(out, " stroke-dasharray=\"{dash}\"");
            }
            *out += "/>\n";
        }
        Item::Fill { d, color, opacity, edge } => {
            let _ = write!(out, "<path d=\"{d}\" fill=\"{color}\"");
            if *opacity < 1.0 {
                let _ = write!(out, " fill-opacity=\"{}\"", number(*opacity));
            }
            if *edge > 0.0 {
                let _ = write!(out, " stroke=\"{color}\" stroke-width=\"{}\"", number(*edge));
            }
            *out += "/>\n";
        }
        Item::Rect { r, fill, pen } => {
            let _ = write!(out, "<rect {}", sides(r));
            match fill {
                Some((color, opacity)) => {
                    let _ = write!(out, " fill=\"{color}\"");
                    if *opacity < 1.0 {
                        let _ = write!(out, " fill-opacity=\"{}\"", number(*opacity));
                    }
                }
                None => *out += " fill=\"none\"",
            }
            if let Some(pen) = pen {
                let _ = write!(out, " stroke=\"{}\" stroke-width=\"{}\"", pen.color, number(pen.width));
            }
            *out += "/>\n";
        }
        #[cfg(not(feature = "embed"))]
        Item::Image { r, cells } => {
            let (w, h) = (r.w / f64::from(cells.width), r.h / f64::from(cells.height));
            for (k, rgba) in cells.rgba.chunks_exact(4).enumerate().filter(|(_, rgba)| rgba[3] > 0) {
                let (column, row) = (k % cells.width as usize, k / cells.width as usize);
                let cell = Rect { x: r.x + column as f64 * w, y: r.y + row as f64 * h, w, h };
                let fill = Some((Color { r: rgba[0], g: rgba[1], b: rgba[2] }, f64::from(rgba[3]) / 255.0));
                write_item(out, &Item::Rect { r: cell, fill, pen: None });
            }
        }
        #[cfg(feature = "embed")]
        Item::Image { r, cells } => {
            use base64::Engine;
            let Ok(png) = cells.to_png() else { return };
            let data = base64::engine::general_purpose::STANDARD.encode(png);
            let _ = writeln!(
                out,
                "<image {} preserveAspectRatio=\"none\" \
                 image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" \
                 href=\"data:image/png;base64,{data}\"/>",
                sides(r)
            );
        }
        Item::Text { at, content, ink } => write_text(out, *at, content, *ink),
    }
}

fn sides(r: &Rect) -> String {
    let [x, y, w, h] = [r.x, r.y, r.w, r.h].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"")
}

fn write_text(out: &mut String, at: [f64; 2], content: &str, ink: Ink) {
    let anchor = match ink.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let (x, y) = (number(at[0]), number(at[1]));
    let place = if ink.vertical {
        format!("transform=\"translate({x} {y}) rotate(-90)\" y=\"{}\"", number(ink.drop()))
    } else {
        format!("x=\"{x}\" y=\"{}\"", number(at[1] + ink.drop()))
    };
    let attributes = format!("{place} font-size=\"{}\" text-anchor=\"{anchor}\"", number(ink.size));
    let spans = text::spans(content, ink.size);
    if let Some(paper) = ink.paper() {
        let _ = writeln!(
            out,
            "<text {attributes} fill=\"{paper}\" stroke=\"{paper}\" stroke-opacity=\"{HALO_OPACITY}\" stroke-width=\"{HALO_WIDTH}\" stroke-linejoin=\"round\" aria-hidden=\"true\">{spans}</text>"
        );
    }
    let _ = writeln!(out, "<text {attributes} fill=\"{}\">{spans}</text>", ink.color);
}

/// Box covered by a text.
pub(crate) fn text_box(at: [f64; 2], content: &str, ink: Ink) -> Rect {
    let (w, h) = (text::width(content, ink.size), ink.size);
    let start = ink.anchor.start(w);
    if ink.vertical {
        Rect { x: at[0] - h / 2.0, y: at[1] - start - w, w: h, h: w }
    } else {
        Rect { x: at[0] + start, y: at[1] - h / 2.0, w, h }
    }
}
