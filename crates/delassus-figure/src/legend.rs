//! Legend entries, their size, and the search for a free corner.

use super::curve;
use super::layer::{Layer, MarkerChoice, Series};
use super::layout::{LEGEND_SIZE, Placed};
use super::style::{Color, Dash, Hatch, Marker, series_color};
use super::svg::{Anchor, Ink, Pen, Rect, text_box};
use super::{Panel, text};

/// Height of an entry and length of its sample, in points.
pub(crate) const ROW: f64 = 10.5;
pub(crate) const SAMPLE: f64 = 22.0;
const GAP: f64 = 4.0;
/// Space around the entries.
pub(crate) const PADDING: f64 = 3.0;

/// How a series is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub pen: Option<Pen>,
    pub marker: Option<(Marker, Color, f64)>,
}

/// One line of a legend.
#[derive(Clone)]
pub(crate) struct Entry {
    pub label: String,
    pub look: Look,
    pub swatch: Option<(Color, f64, Hatch)>,
}

/// The look of every layer that is a series.
pub(crate) fn looks(panel: &Panel) -> Vec<Option<Look>> {
    let mut next = 0;
    let mut look = |series: &Series| {
        let index = series.index.unwrap_or(next);
        if series.index.is_none() && series.color.is_none() {
            next += 1;
        }
        let color = series.color.unwrap_or(series_color(index));
        let own = match series.color {
            Some(_) if series.index.is_none() => Dash::Solid,
            _ => Dash::of_series(index),
        };
        let pen = Pen { color, width: series.width, dash: series.dash.unwrap_or(own).array() };
        let marker = match series.marker {
            MarkerChoice::None => None,
            MarkerChoice::OfIndex => Some(Marker::of_series(index)),
            MarkerChoice::Fixed(m) => Some(m),
        };
        Look { pen: (series.width > 0.0).then_some(pen), marker: marker.map(|m| (m, color, series.marker_size)) }
    };
    let layers = panel.layers.iter();
    layers
        .map(|layer| match layer {
            Layer::Series(series) => Some(look(series)),
            _ => None,
        })
        .collect()
}

/// The entries of a panel; layers with the same label share one.
pub(crate) fn entries(panel: &Panel) -> Vec<Entry> {
    let empty = Look { pen: None, marker: None };
    let mut out: Vec<Entry> = Vec::new();
    let mut push = |label: &str, look: Look, swatch: Option<(Color, f64, Hatch)>| {
        if label.is_empty() {
            return;
        }
        match out.iter_mut().find(|e| e.label == label) {
            Some(entry) => {
                entry.look.pen = entry.look.pen.or(look.pen);
                entry.look.marker = entry.look.marker.or(look.marker);
                entry.swatch = entry.swatch.or(swatch);
            }
            None => out.push(Entry { label: label.to_string(), look, swatch }),
        }
    };
    for (layer, look) in panel.layers.iter().zip(looks(panel)) {
        match layer {
            Layer::Series(s) => push(&s.label, look.unwrap_or(empty), None),
            Layer::Area(a) => push(&a.label, empty, Some((a.color, a.opacity, a.hatch))),
            Layer::Reference(r) => {
                let pen = Pen { dash: r.dash.array(), ..Pen::new(r.color, 0.8) };
                let look = Look { pen: Some(pen), ..empty };
                push(&r.label, look, None);
            }
            Layer::Regions(r) => {
                for (k, c) in r.categories.iter().enumerate() {
                    push(&c.name, empty, Some((r.color(k), 1.0, c.hatch)));
                }
            }
            Layer::Field(_) | Layer::Text(_) | Layer::Arrow(_) => {}
        }
    }
    out
}

/// Width of one entry.
fn entry_width(entry: &Entry) -> f64 {
    SAMPLE + GAP + text::width(&entry.label, LEGEND_SIZE)
}

/// Entries arranged in equal columns.
pub(crate) struct Arrangement {
    pub columns: usize,
    pub column_width: f64,
    pub width: f64,
    pub height: f64,
}

/// As many columns as the width holds, at least one.
pub(crate) fn arrange(entries: &[Entry], available: f64) -> Arrangement {
    let widest = entries.iter().map(entry_width).fold(0.0, f64::max);
    let column_width = widest + 10.0;
    let fit = ((available - 2.0 * PADDING + 10.0) / column_width).floor() as usize;
    let most = fit.clamp(1, entries.len().max(1));
    let rows = entries.len().div_ceil(most);
    // Even rows look better than a full row and a rest.
    let columns = entries.len().div_ceil(rows.max(1)).max(1);
    Arrangement {
        columns,
        column_width,
        width: columns as f64 * column_width - 10.0 + 2.0 * PADDING,
        height: rows as f64 * ROW + 2.0 * PADDING,
    }
}

/// Left end and middle height of the entry's sample inside a legend box.
pub(crate) fn slot(k: usize, of: &Arrangement, legend: Rect) -> [f64; 2] {
    let (row, column) = (k / of.columns, k % of.columns);
    [legend.x + PADDING + column as f64 * of.column_width, legend.y + PADDING + (row as f64 + 0.5) * ROW]
}

/// Position of the text of an entry.
pub(crate) fn label_at(slot: [f64; 2]) -> [f64; 2] {
    [slot[0] + SAMPLE + GAP, slot[1]]
}

/// A corner of the axes box that no data enters, for a legend of the given size.
pub(crate) fn free_corner(panel: &Panel, placed: &Placed, size: (f64, f64)) -> Option<Rect> {
    let frame = placed.frame;
    let (w, h) = size;
    if w > 0.6 * frame.w || h > 0.6 * frame.h {
        return None;
    }
    let obstacles = obstacles(panel, placed)?;
    let inset = 4.0;
    let (left, right) = (frame.x + inset, frame.right() - inset - w);
    let (top, bottom) = (frame.y + inset, frame.bottom() - inset - h);
    [(right, top), (left, top), (right, bottom), (left, bottom)].map(|(x, y)| Rect { x, y, w, h }).into_iter().find(
        |r| {
            let guarded = Rect { x: r.x - 3.0, y: r.y - 3.0, w: r.w + 6.0, h: r.h + 6.0 };
            !obstacles.iter().any(|p| guarded.contains(*p))
        },
    )
}

/// Points that stand for everything drawn; `None` if the whole box is covered.
pub(crate) fn obstacles(panel: &Panel, placed: &Placed) -> Option<Vec<[f64; 2]>> {
    let frame = placed.frame;
    let mut out = Vec::new();
    let mut trace = |points: &mut dyn Iterator<Item = [f64; 2]>, closed: bool| {
        let mut points: Vec<_> = points.map(|p| placed.at(p)).collect();
        if closed && let Some(first) = points.first() {
            points.push(*first);
        }
        for piece in curve::prepare(points.into_iter(), frame) {
            for s in piece.windows(2) {
                let n = ((s[1][0] - s[0][0]).hypot(s[1][1] - s[0][1]) / 3.0).ceil() as usize;
                for k in 0..=n {
                    let t = k as f64 / n.max(1) as f64;
                    out.push([s[0][0] + t * (s[1][0] - s[0][0]), s[0][1] + t * (s[1][1] - s[0][1])]);
                }
            }
        }
    };
    let mut dots = Vec::new();
    for layer in &panel.layers {
        match layer {
            Layer::Regions(_) | Layer::Field(_) => return None,
            Layer::Series(s) => {
                if s.width > 0.0 {
                    trace(&mut s.points.iter().copied(), false);
                }
                if s.marker != MarkerChoice::None {
                    dots.extend(s.points.iter().map(|p| placed.at(*p)));
                }
            }
            Layer::Area(a) => trace(&mut a.outline.iter().copied(), true),
            Layer::Arrow(a) => trace(&mut [a.from, a.to].into_iter(), false),
            Layer::Reference(r) => {
                let ends = if r.horizontal {
                    [[placed.x.lo, r.value], [placed.x.hi, r.value]]
                } else {
                    [[r.value, placed.y.lo], [r.value, placed.y.hi]]
                };
                trace(&mut ends.into_iter(), false);
            }
            Layer::Text(t) => {
                let p = placed.at(t.at);
                let at = [p[0] + t.offset[0], p[1] - t.offset[1]];
                let b = text_box(at, &t.text, Ink::new(t.size, t.anchor));
                let n = (b.w / 3.0).ceil().max(1.0) as usize;
                for k in 0..=n {
                    let x = b.x + b.w * k as f64 / n as f64;
                    dots.extend([[x, b.y], [x, at[1]], [x, b.bottom()]]);
                }
            }
        }
    }
    out.extend(dots);
    Some(out)
}

/// Ink of legend text.
pub(crate) fn ink() -> Ink {
    Ink::new(LEGEND_SIZE, Anchor::Start)
}
