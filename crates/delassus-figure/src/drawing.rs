//! Free drawings: polygons, disks, lines, arrows and text in points, without axes.

use super::paint::sheet_arrow;
use super::style::Color;
use super::svg::{Anchor, Ink, Pen, Rect, Sheet, number, path_of};

/// A drawing in points, y downwards; later things lie above earlier ones.
#[derive(Default)]
pub struct Drawing {
    /// Width in points.
    pub width: f64,
    /// Height in points.
    pub height: f64,
    pub(crate) sheet: Sheet,
}

impl Drawing {
    /// White paper.
    pub fn new(width: f64, height: f64) -> Drawing {
        let mut sheet = Sheet::default();
        sheet.rect(Rect { x: 0.0, y: 0.0, w: width, h: height }, Some((Color::WHITE, 1.0)), None);
        Drawing { width, height, sheet }
    }

    /// A closed polygon, filled with an opacity (0 to 1) and outlined (width 0: not).
    pub fn polygon(&mut self, points: &[[f64; 2]], fill: (Color, f64), edge: (Color, f64)) {
        self.shape(&path_of(points, true), fill, edge);
    }

    /// A disk, filled and outlined as a polygon.
    pub fn disk(&mut self, centre: [f64; 2], radius: f64, fill: (Color, f64), edge: (Color, f64)) {
        let [r, across] = [radius, 2.0 * radius].map(number);
        let start = format!("M{} {}", number(centre[0] - radius), number(centre[1]));
        self.shape(&format!("{start}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z"), fill, edge);
    }

    fn shape(&mut self, d: &str, (fill, opacity): (Color, f64), (edge, width): (Color, f64)) {
        if opacity > 0.0 {
            self.sheet.fill(d, fill, opacity, 0.0);
        }
        if width > 0.0 {
            self.sheet.stroke(d, Pen::new(edge, width));
        }
    }

    /// A line through the points.
    pub fn line(&mut self, points: &[[f64; 2]], color: Color, width: f64) {
        self.sheet.stroke(&path_of(points, false), Pen::new(color, width));
    }

    /// An arrow; nothing where it has no length.
    pub fn arrow(&mut self, from: [f64; 2], to: [f64; 2], color: Color, width: f64) {
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        if length.is_finite() && length > 0.0 {
            sheet_arrow(&mut self.sheet, from, to, Pen::new(color, width));
        }
    }

    /// Text with its middle height at a point.
    pub fn text(&mut self, at: [f64; 2], content: &str, size: f64, anchor: Anchor, color: Color) {
        self.sheet.text(at, content, Ink { color, ..Ink::new(size, anchor) });
    }

    /// The drawing as an SVG document with a description for those who do not see it.
    pub fn to_svg(&self, description: &str) -> String {
        self.sheet.finish(self.width, self.height, description)
    }
}
