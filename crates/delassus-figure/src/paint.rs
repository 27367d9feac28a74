//! Draws the layers of a panel.

use super::cells::hatch_path;
use super::layer::{Arrow, Layer, Reference, Series, Text};
use super::layout::Placed;
use super::legend::Look;
use super::style::{Color, Hatch, Marker};
use super::svg::{Ink, Pen, Sheet, number, path_of};
use super::{Panel, curve};

/// Pen of hatch lines.
pub(crate) const HATCH: Pen = Pen { color: Color::hex(0x444444), width: 0.35, dash: None };

/// Draws one layer; texts are left to [`draw_text`].
pub(crate) fn draw_layer(sheet: &mut Sheet, placed: &Placed, layer: &Layer, look: Option<Look>) {
    let f = placed.frame;
    match layer {
        Layer::Series(s) => {
            if let Some(look) = look {
                draw_series(sheet, placed, s, look);
            }
        }
        Layer::Area(a) => {
            let polygon = curve::clip_polygon(a.outline.iter().map(|p| placed.at(*p)), f);
            sheet.fill(&path_of(&polygon, true), a.color, a.opacity, 0.0);
            sheet.stroke(&hatch_path(a.hatch, f, |x, y| within(&polygon, [x, y])), HATCH);
        }
        Layer::Regions(r) => {
            for k in 0..r.categories.len() {
                sheet.fill(&r.path(k, &placed.x, &placed.y), r.color(k), 1.0, 0.3);
            }
            for (k, category) in r.categories.iter().enumerate() {
                if category.hatch != Hatch::None {
                    let inside = |x: f64, y: f64| {
                        let v = placed.x.value((x - f.x) / f.w);
                        r.at(v, placed.y.value((f.bottom() - y) / f.h)) == Some(k)
                    };
                    sheet.stroke(&hatch_path(category.hatch, f, inside), HATCH);
                }
            }
            if r.edges {
                sheet.stroke(&r.edge_path(&placed.x, &placed.y), Pen::new(Color::BLACK, 0.5));
            }
        }
        Layer::Field(field) => sheet.image(f, field.image(&placed.x, &placed.y)),
        Layer::Arrow(a) => draw_arrow(sheet, placed, a),
        Layer::Reference(r) => draw_reference(sheet, placed, r),
        Layer::Text(_) => {}
    }
}

fn draw_series(sheet: &mut Sheet, placed: &Placed, series: &Series, look: Look) {
    let at = |p: &[f64; 2]| placed.at(*p);
    if let Some(pen) = look.pen {
        let pieces = curve::prepare(series.points.iter().map(at), placed.frame);
        let d: String = pieces.iter().map(|piece| path_of(piece, false)).collect();
        sheet.stroke(&d, pen);
    }
    if let Some((marker, color, size)) = look.marker {
        let seen = series.points.iter().map(at).filter(|p| placed.frame.contains(*p));
        draw_markers(sheet, seen, marker, color, size);
    }
}

pub(crate) fn draw_markers(
    sheet: &mut Sheet,
    at: impl Iterator<Item = [f64; 2]>,
    marker: Marker,
    color: Color,
    size: f64,
) {
    let r = size / 2.0;
    let mut d = String::new();
    let mut last = String::new();
    for [x, y] in at {
        let corner = |dx: f64, dy: f64| [x + r * dx, y + r * dy];
        let shape = match marker {
            Marker::Circle | Marker::OpenCircle => {
                let [rs, ds] = [r, 2.0 * r].map(number);
                format!("M{} {}a{rs} {rs} 0 1 0 {ds} 0a{rs} {rs} 0 1 0 -{ds} 0Z", number(x - r), number(y))
            }
            Marker::Square | Marker::OpenSquare => {
                let q = 0.88;
                path_of(&[corner(-q, -q), corner(q, -q), corner(q, q), corner(-q, q)], true)
            }
            Marker::Triangle | Marker::OpenTriangle => {
                path_of(&[corner(0.0, -1.15), corner(1.05, 0.75), corner(-1.05, 0.75)], true)
            }
            Marker::Diamond | Marker::OpenDiamond => {
                let q = 1.2;
                path_of(&[corner(0.0, -q), corner(q, 0.0), corner(0.0, q), corner(-q, 0.0)], true)
            }
            Marker::Plus => {
                path_of(&[corner(-1.1, 0.0), corner(1.1, 0.0)], false)
                    + &path_of(&[corner(0.0, -1.1), corner(0.0, 1.1)], false)
            }
            Marker::Cross => {
                path_of(&[corner(-0.9, -0.9), corner(0.9, 0.9)], false)
                    + &path_of(&[corner(-0.9, 0.9), corner(0.9, -0.9)], false)
            }
        };
        // Points that fall on the same spot are drawn once.
        if shape != last {
            d += &shape;
            last = shape;
        }
    }
    match marker {
        Marker::Circle | Marker::Square | Marker::Triangle | Marker::Diamond => sheet.fill(&d, color, 1.0, 0.0),
        Marker::Plus | Marker::Cross => sheet.stroke(&d, Pen::new(color, 0.9)),
        _ => {
            sheet.fill(&d, Color::WHITE, 1.0, 0.0);
            sheet.stroke(&d, Pen::new(color, 0.9));
        }
    }
}

/// Even–odd test.
fn within(polygon: &[[f64; 2]], p: [f64; 2]) -> bool {
    let mut inside = false;
    for (i, a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
            inside = !inside;
        }
    }
    inside
}

fn draw_reference(sheet: &mut Sheet, placed: &Placed, r: &Reference) {
    let f = placed.frame;
    let pen = Pen { dash: r.dash.array(), ..Pen::new(r.color, 0.8) };
    if r.horizontal && placed.y.holds(r.value) {
        let y = placed.y.at(r.value);
        sheet.line([f.x, y], [f.right(), y], pen);
    } else if !r.horizontal && placed.x.holds(r.value) {
        let x = placed.x.at(r.value);
        sheet.line([x, f.y], [x, f.bottom()], pen);
    }
}

fn draw_arrow(sheet: &mut Sheet, placed: &Placed, a: &Arrow) {
    let (from, to) = (placed.at(a.from), placed.at(a.to));
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    if length.is_finite() && length > 0.0 && placed.frame.contains(to) {
        sheet_arrow(sheet, from, to, Pen::new(a.color, 0.8));
    }
}

/// A line with a filled head at its end.
pub(crate) fn sheet_arrow(sheet: &mut Sheet, from: [f64; 2], to: [f64; 2], pen: Pen) {
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    let u = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    let (long, half) = (5.5f64.min(length), 1.9);
    let neck = [to[0] - long * u[0], to[1] - long * u[1]];
    sheet.line(from, [to[0] - 0.7 * long * u[0], to[1] - 0.7 * long * u[1]], pen);
    let left = [neck[0] - half * u[1], neck[1] + half * u[0]];
    let right = [neck[0] + half * u[1], neck[1] - half * u[0]];
    sheet.fill(&path_of(&[to, left, right], true), pen.color, 1.0, 0.0);
}

/// Draws a text; over a map of regimes its colour follows the region.
pub(crate) fn draw_text(sheet: &mut Sheet, panel: &Panel, placed: &Placed, t: &Text) {
    let p = placed.at(t.at);
    if !placed.frame.contains(p) {
        return;
    }
    let ground = panel.layers.iter().rev().find_map(|layer| match layer {
        Layer::Regions(r) => r.at(t.at[0], t.at[1]).map(|k| r.color(k)),
        _ => None,
    });
    let ink = Ink {
        color: match ground {
            Some(fill) if t.color == Color::BLACK => fill.ink(),
            _ => t.color,
        },
        halo: ground.is_none(),
        ..Ink::new(t.size, t.anchor)
    };
    sheet.text([p[0] + t.offset[0], p[1] - t.offset[1]], &t.text, ink);
}
