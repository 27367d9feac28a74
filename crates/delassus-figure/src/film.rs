//! Drawings one after another as an animated GIF.
//!
//! All frames share one palette of at most 255 colours, chosen from some of them; drawings have few
//! colours and their blends along edges. A frame holds only the box in which it differs from the one before.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::drawing::Drawing;
use super::raster::{PngError, pixels};

/// Frames from which the palette is chosen.
const LOOKED_AT: usize = 12;
/// Colours of the palette.
const COLOURS: usize = 255;

/// The frames as a GIF that repeats for ever, `delay` hundredths of a second each. `draw` makes frame
/// `k` of `count`; some frames are asked for twice.
///
/// # Errors
/// Drawings without extent, of different sizes, or too large.
pub fn to_gif(
    count: usize,
    delay: u16,
    pixels_per_inch: f64,
    draw: &dyn Fn(usize) -> Drawing,
) -> Result<Vec<u8>, PngError> {
    let failed = |e: &dyn std::fmt::Display| PngError::new(e.to_string());
    let render = |k: usize| {
        let Drawing { width, height, sheet } = draw(k);
        pixels(&sheet, [width, height], pixels_per_inch)
    };
    let first = render(0)?;
    let (width, height) = (first.width(), first.height());
    let (Ok(across), Ok(down)) = (u16::try_from(width), u16::try_from(height)) else {
        return Err(PngError::new(format!("a GIF has at most 65535 pixels a side, not {width} × {height}")));
    };
    let step = count.div_ceil(LOOKED_AT).max(1);
    let mut palette = Palette::default();
    for k in (0..count).step_by(step).chain([count.saturating_sub(1)]) {
        palette.count(render(k)?.data());
    }
    palette.settle();

    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, across, down, &palette.rgb()).map_err(|e| failed(&e))?;
    encoder.set_repeat(Repeat::Infinite).map_err(|e| failed(&e))?;
    let mut before: Vec<u8> = Vec::new();
    for k in 0..count {
        let map = render(k)?;
        if (map.width(), map.height()) != (width, height) {
            return Err(PngError::new("frames differ in size".to_owned()));
        }
        let now: Vec<u8> = map.data().chunks_exact(4).map(|p| palette.index([p[0], p[1], p[2]])).collect();
        let [left, top, w, h] = changed(&before, &now, usize::from(across));
        let rows = (top..top + h).flat_map(|y| &now[y * width as usize + left..][..w]).copied();
        let side = |v: usize| u16::try_from(v).unwrap_or(u16::MAX);
        let frame = Frame {
            delay,
            dispose: DisposalMethod::Keep,
            left: side(left),
            top: side(top),
            width: side(w),
            height: side(h),
            buffer: Cow::Owned(rows.collect()),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(|e| failed(&e))?;
        before = now;
    }
    drop(encoder);
    Ok(out)
}

/// The box [left, top, width, height] in which two pictures differ; at least one pixel, all without a first.
fn changed(before: &[u8], now: &[u8], across: usize) -> [usize; 4] {
    if before.is_empty() {
        return [0, 0, across, now.len() / across];
    }
    let (mut left, mut right, mut top, mut bottom) = (across, 0, usize::MAX, 0);
    for (y, (old, new)) in before.chunks_exact(across).zip(now.chunks_exact(across)).enumerate() {
        let Some(from) = old.iter().zip(new).position(|(a, b)| a != b) else { continue };
        let to = old.iter().zip(new).rposition(|(a, b)| a != b).unwrap_or(from);
        (left, right, top, bottom) = (left.min(from), right.max(to), top.min(y), y);
    }
    if top == usize::MAX { [0, 0, 1, 1] } else { [left, top, right - left + 1, bottom - top + 1] }
}

/// Colours in bins of five bits a channel.
struct Palette {
    /// Per bin how many pixels and the sums of their channels.
    bins: Vec<[u64; 4]>,
    colours: Vec<[u8; 3]>,
    /// Per bin the nearest colour.
    nearest: Vec<u8>,
}

impl Default for Palette {
    fn default() -> Self {
        Self { bins: vec![[0; 4]; 1 << 15], colours: Vec::new(), nearest: Vec::new() }
    }
}

fn bin([r, g, b]: [u8; 3]) -> usize {
    (usize::from(r >> 3) << 10) | (usize::from(g >> 3) << 5) | usize::from(b >> 3)
}

impl Palette {
    fn count(&mut self, rgba: &[u8]) {
        for p in rgba.chunks_exact(4) {
            let bin = &mut self.bins[bin([p[0], p[1], p[2]])];
            bin[0] += 1;
            for k in 0..3 {
                bin[k + 1] += u64::from(p[k]);
            }
        }
    }

    /// The colours that occur most become the palette.
    fn settle(&mut self) {
        let mut used: Vec<usize> = (0..self.bins.len()).filter(|b| self.bins[*b][0] > 0).collect();
        used.sort_by_key(|b| (std::cmp::Reverse(self.bins[*b][0]), *b));
        used.truncate(COLOURS);
        let mean = |b: &usize| [1, 2, 3].map(|k| (self.bins[*b][k] / self.bins[*b][0]) as u8);
        self.colours = used.iter().map(mean).collect();
        let distance =
            |a: [u8; 3], b: [u8; 3]| -> i32 { (0..3).map(|k| i32::from(a[k]) - i32::from(b[k])).map(|d| d * d).sum() };
        let centre = |b: usize| [b >> 10, b >> 5, b].map(|v| ((v & 31) * 8 + 4) as u8);
        let best = |b: usize| {
            let colours = self.colours.iter().enumerate();
            colours.min_by_key(|(_, c)| distance(centre(b), **c)).map_or(0, |(k, _)| k as u8)
        };
        self.nearest = (0..self.bins.len()).map(best).collect();
        for (k, b) in used.iter().enumerate() {
            self.nearest[*b] = k as u8;
        }
    }

    fn index(&self, rgb: [u8; 3]) -> u8 {
        self.nearest[bin(rgb)]
    }

    fn rgb(&self) -> Vec<u8> {
        self.colours.iter().flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    fn frame(k: usize) -> Drawing {
        let mut drawing = Drawing::new(60.0, 40.0);
        let at = 10.0 + 4.0 * k as f64;
        drawing.disk([at, 20.0], 6.0, (Color::hex(0x0072b2), 1.0), (Color::BLACK, 1.0));
        drawing
    }

    #[test]
    fn a_moving_disk_is_read_back() {
        let bytes = to_gif(8, 5, 72.0, &frame).unwrap();
        assert_eq!(bytes, to_gif(8, 5, 72.0, &frame).unwrap());
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (60, 40));
        let (mut frames, mut canvas) = (0, vec![0u8; 60 * 40 * 4]);
        while let Some(part) = decoder.read_next_frame().unwrap() {
            let (w, left, top) = (usize::from(part.width), usize::from(part.left), usize::from(part.top));
            for (y, row) in part.buffer.chunks_exact(4 * w).enumerate() {
                let start = 4 * ((top + y) * 60 + left);
                canvas[start..start + row.len()].copy_from_slice(row);
            }
            let pixel = |x: usize| &canvas[4 * (20 * 60 + x)..][..3];
            let centre = 10 + 4 * frames;
            assert_eq!(pixel(centre), [0x00, 0x72, 0xb2], "frame {frames}");
            assert_eq!(pixel((centre + 20) % 60), [255, 255, 255], "frame {frames}");
            frames += 1;
        }
        assert_eq!(frames, 8);
    }
}
