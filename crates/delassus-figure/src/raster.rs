//! PNG from the same drawing, with the bundled font: no system fonts are asked.
//!
//! The sheet is drawn directly. A renderer for all of SVG would bring text shaping, style sheets and
//! image formats that no figure has, and took a quarter of the time to compile the whole program.

use tiny_skia::{
    FillRule, FilterQuality, LineJoin, Paint, Path, PathBuilder, Pattern, Pixmap, Shader, SpreadMode, Stroke,
    StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use super::draw::draw;
use super::drawing::Drawing;
use super::style::Color;
use super::svg::{Cells, HALO_OPACITY, HALO_WIDTH, Ink, Item, Pen, Rect, Sheet};
use super::{Figure, text};

/// Why pixels could not be made.
#[derive(Debug)]
pub struct PngError(String);

#[cfg(feature = "gif")]
impl PngError {
    pub(crate) fn new(why: String) -> Self {
        Self(why)
    }
}

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot be drawn on pixels: {}", self.0)
    }
}

impl std::error::Error for PngError {}

/// Most pixels of one picture; beyond, memory would be the limit.
const MOST_PIXELS: f64 = 2e8;

/// The figure as a PNG with the given pixels per inch (300 for print, 144 for screens).
pub fn to_png(figure: &Figure, pixels_per_inch: f64) -> Result<Vec<u8>, PngError> {
    let (layout, sheet) = draw(figure);
    let map = pixels(&sheet, [layout.width, layout.height], pixels_per_inch)?;
    encode(&map, pixels_per_inch).map_err(|e| PngError(e.to_string()))
}

impl Drawing {
    /// The drawing as a PNG with the given pixels per inch.
    ///
    /// # Errors
    /// No extent, or too large.
    pub fn to_png(&self, pixels_per_inch: f64) -> Result<Vec<u8>, PngError> {
        let map = pixels(&self.sheet, [self.width, self.height], pixels_per_inch)?;
        encode(&map, pixels_per_inch).map_err(|e| PngError(e.to_string()))
    }
}

/// The sheet on pixels.
pub(crate) fn pixels(sheet: &Sheet, [width, height]: [f64; 2], pixels_per_inch: f64) -> Result<Pixmap, PngError> {
    let scale = pixels_per_inch / 72.0;
    let (across, down) = ((width * scale).ceil(), (height * scale).ceil());
    if !(across >= 1.0 && down >= 1.0 && across * down <= MOST_PIXELS) {
        return Err(PngError(format!("{pixels_per_inch} pixels per inch give {across} × {down} pixels")));
    }
    let mut map = Pixmap::new(across as u32, down as u32)
        .ok_or_else(|| PngError(format!("no memory for {across} × {down} pixels")))?;
    map.fill(tiny_skia::Color::WHITE);
    let mut painter = Painter { map, scale: Transform::from_scale(scale as f32, scale as f32) };
    sheet.items.iter().for_each(|item| painter.item(item));
    Ok(painter.map)
}

/// Opaque RGB with its physical size, so that programs place it at the intended width.
fn encode(map: &Pixmap, pixels_per_inch: f64) -> Result<Vec<u8>, png::EncodingError> {
    let rgb: Vec<u8> = map.data().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, map.width(), map.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let per_metre = (pixels_per_inch / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: png::Unit::Meter }));
    encoder.write_header()?.write_image_data(&rgb)?;
    Ok(out)
}

/// Draws items onto pixels. What has no extent, or numbers that are not finite, is left out.
struct Painter {
    map: Pixmap,
    /// From points to pixels.
    scale: Transform,
}

impl Painter {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Stroke { d, pen } => {
                if let Some(path) = parse(d) {
                    self.stroke(&path, pen, LineJoin::Round);
                }
            }
            Item::Fill { d, color, opacity, edge } => {
                let Some(path) = parse(d) else { return };
                self.fill(&path, *color, *opacity);
                if *edge > 0.0 {
                    self.stroke(&path, &Pen::new(*color, *edge), LineJoin::Miter);
                }
            }
            Item::Rect { r, fill, pen } => {
                let Some(path) = rect(r).map(PathBuilder::from_rect) else { return };
                if let Some((color, opacity)) = fill {
                    self.fill(&path, *color, *opacity);
                }
                if let Some(pen) = pen {
                    self.stroke(&path, pen, LineJoin::Miter);
                }
            }
            Item::Image { r, cells } => self.image(r, cells),
            Item::Text { at, content, ink } => self.text(*at, content, *ink),
        }
    }

    fn fill(&mut self, path: &Path, color: Color, opacity: f64) {
        self.map.fill_path(path, &paint(color, opacity), FillRule::Winding, self.scale, None);
    }

    fn stroke(&mut self, path: &Path, pen: &Pen, line_join: LineJoin) {
        let dash = pen.dash.map(|dash| dash.split(' ').filter_map(|length| length.parse().ok()).collect());
        let dash = dash.and_then(|lengths| StrokeDash::new(lengths, 0.0));
        let stroke = Stroke { width: pen.width as f32, line_join, dash, ..Stroke::default() };
        self.map.stroke_path(path, &paint(pen.color, 1.0), &stroke, self.scale, None);
    }

    fn image(&mut self, r: &Rect, cells: &Cells) {
        let (Some(place), Some(mut picture)) = (rect(r), Pixmap::new(cells.width, cells.height)) else { return };
        for (to, from) in picture.data_mut().chunks_exact_mut(4).zip(cells.rgba.chunks_exact(4)) {
            // A cell is opaque or not there at all.
            to.copy_from_slice(if from[3] == 255 { from } else { &[0; 4] });
        }
        let [sx, sy] = [r.w / f64::from(cells.width), r.h / f64::from(cells.height)];
        let stretch = Transform::from_row(sx as f32, 0.0, 0.0, sy as f32, r.x as f32, r.y as f32);
        let shader = Pattern::new(picture.as_ref(), SpreadMode::Pad, FilterQuality::Nearest, 1.0, stretch);
        let paint = Paint { shader, anti_alias: false, ..Paint::default() };
        self.map.fill_rect(place, &paint, self.scale, None);
    }

    fn text(&mut self, at: [f64; 2], content: &str, ink: Ink) {
        let start = ink.anchor.start(text::width(content, ink.size));
        let Some(letters) = letters(content, ink.size) else { return };
        let turn = if ink.vertical { -90.0 } else { 0.0 };
        let place = Transform::from_translate(start as f32, ink.drop() as f32)
            .post_rotate(turn)
            .post_translate(at[0] as f32, at[1] as f32);
        let Some(letters) = letters.transform(place) else { return };
        if let Some(paper) = ink.paper() {
            self.fill(&letters, paper, 1.0);
            let stroke = Stroke { width: HALO_WIDTH as f32, line_join: LineJoin::Round, ..Stroke::default() };
            self.map.stroke_path(&letters, &paint(paper, HALO_OPACITY), &stroke, self.scale, None);
        }
        self.fill(&letters, ink.color, 1.0);
    }
}

fn paint(color: Color, opacity: f64) -> Paint<'static> {
    let opacity = (255.0 * opacity.clamp(0.0, 1.0)).round() as u8;
    let color = tiny_skia::Color::from_rgba8(color.r, color.g, color.b, opacity);
    Paint { shader: Shader::SolidColor(color), ..Paint::default() }
}

fn rect(r: &Rect) -> Option<tiny_skia::Rect> {
    tiny_skia::Rect::from_xywh(r.x as f32, r.y as f32, r.w as f32, r.h as f32)
}

/// The path of SVG path data as figures have it: M, L, H, V, Z, and circles as two arcs `a`.
fn parse(d: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let mut at = [0.0f32; 2];
    let starts: Vec<usize> = d.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    for (k, &start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).copied().unwrap_or(d.len());
        let numbers: Vec<f32> = d[start + 1..end].split(' ').filter_map(|word| word.parse().ok()).collect();
        match (d.as_bytes()[start], &numbers[..]) {
            (b'M', &[x, y]) => {
                at = [x, y];
                path.move_to(x, y);
                continue;
            }
            (b'L', &[x, y]) => at = [x, y],
            (b'H', &[x]) => at[0] = x,
            (b'V', &[y]) => at[1] = y,
            (b'a', &[r, _, _, _, _, dx, _]) => {
                half_circle(&mut path, at, r, dx);
                at[0] += dx;
                continue;
            }
            _ => {
                path.close();
                continue;
            }
        }
        path.line_to(at[0], at[1]);
    }
    path.finish()
}

/// Half a circle from a point to that at the distance `dx`, counter-clockwise as seen on paper.
fn half_circle(path: &mut PathBuilder, [x, y]: [f32; 2], r: f32, dx: f32) {
    /// Distance of the control points of a quarter of the unit circle.
    const KAPPA: f32 = 0.552_284_8;
    let side = dx.signum();
    let (middle, reach, far) = (x + dx / 2.0, KAPPA * r * side, y + r * side);
    path.cubic_to(x, y + reach, middle - reach, far, middle, far);
    path.cubic_to(middle + reach, far, x + dx, y + reach, x + dx, y);
}

/// The outlines of a label that starts at the origin.
fn letters(content: &str, size: f64) -> Option<Path> {
    let font = text::font()?;
    let mut all = PathBuilder::new();
    let mut base: Option<tiny_skia::Rect> = None;
    for text::Letter { letter, x, down, size } in text::letters(content, size) {
        let unit = size as f32 / f32::from(font.units_per_em());
        let mut pen = GlyphPen { path: PathBuilder::new(), unit };
        font.outline_glyph(font.glyph_index(letter).unwrap_or_default(), &mut pen);
        // A space has no outline.
        let Some(outline) = pen.path.finish() else { continue };
        let mut place = Transform::from_translate(x as f32, down as f32);
        match base.filter(|_| ('\u{300}'..='\u{36f}').contains(&letter)) {
            Some(base) => place = above(base, outline.bounds(), 0.09 * size as f32),
            None => base = outline.bounds().transform(place),
        }
        if let Some(outline) = outline.transform(place) {
            all.push_path(&outline);
        }
    }
    all.finish()
}

/// Moves a mark over the middle of its letter, at least `gap` above it.
fn above(base: tiny_skia::Rect, mark: tiny_skia::Rect, gap: f32) -> Transform {
    let right = (base.left() + base.right() - mark.left() - mark.right()) / 2.0;
    Transform::from_translate(right, (base.top() - gap - mark.bottom()).min(0.0))
}

/// Takes outlines over, in points and with y downwards.
struct GlyphPen {
    path: PathBuilder,
    /// The font's unit in points.
    unit: f32,
}

impl OutlineBuilder for GlyphPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(x * self.unit, -y * self.unit);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(x * self.unit, -y * self.unit);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let [cx, cy, x, y] = [cx, -cy, x, -y].map(|v| v * self.unit);
        self.path.quad_to(cx, cy, x, y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let [ax, ay, bx, by, x, y] = [ax, -ay, bx, -by, x, -y].map(|v| v * self.unit);
        self.path.cubic_to(ax, ay, bx, by, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
