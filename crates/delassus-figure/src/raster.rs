//! PNG from the same drawing, with the bundled font: no system fonts are asked.

use super::{Figure, to_svg};
use resvg::{tiny_skia, usvg};
use std::sync::{Arc, OnceLock};

/// Why a PNG could not be made.
#[derive(Debug)]
pub struct PngError(String);

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "figure cannot be drawn as PNG: {}", self.0)
    }
}

impl std::error::Error for PngError {}

/// Most pixels of one picture; beyond, memory would be the limit.
const MOST_PIXELS: f64 = 2e8;

fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONTS: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut db = usvg::fontdb::Database::new();
        db.load_font_source(usvg::fontdb::Source::Binary(Arc::new(dejavu::sans::regular())));
        Arc::new(db)
    };
    FONTS.get_or_init(load).clone()
}

/// The figure as a PNG with the given pixels per inch (300 for print, 144 for screens).
pub fn to_png(figure: &Figure, pixels_per_inch: f64) -> Result<Vec<u8>, PngError> {
    let options =
        usvg::Options { fontdb: fonts(), font_family: "DejaVu Sans".into(), dpi: 72.0, ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(&to_svg(figure), &options).map_err(|e| PngError(e.to_string()))?;
    let (w, h) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
    let scale = pixels_per_inch / 72.0;
    let (across, down) = ((w * scale).ceil(), (h * scale).ceil());
    if !(across >= 1.0 && down >= 1.0 && across * down <= MOST_PIXELS) {
        return Err(PngError(format!("{pixels_per_inch} pixels per inch give {across} × {down} pixels")));
    }
    let mut map = tiny_skia::Pixmap::new(across as u32, down as u32)
        .ok_or_else(|| PngError(format!("no memory for {across} × {down} pixels")))?;
    map.fill(tiny_skia::Color::WHITE);
    let transform = tiny_skia::Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, transform, &mut map.as_mut());
    encode(&map, pixels_per_inch).map_err(|e| PngError(e.to_string()))
}

/// Opaque RGB with its physical size, so that programs place it at the intended width.
fn encode(map: &tiny_skia::Pixmap, pixels_per_inch: f64) -> Result<Vec<u8>, png::EncodingError> {
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
