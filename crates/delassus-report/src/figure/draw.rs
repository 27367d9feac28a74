//! Draws an arranged figure.

use super::cells::{hatch_path, strip};
use super::layer::{Arrow, Layer, Reference, Series, Text};
use super::layout::{
    self, ARROW, BAR, BAR_GAP, HEADING_SIZE, LABEL_SIZE, Layout, Placed, TICK, TICK_GAP, TICK_SIZE,
    TITLE_SIZE,
};
use super::legend::{self, Entry, Look, SAMPLE};
use super::style::{Color, Hatch, Marker};
use super::svg::{Anchor, Ink, Pen, Rect, Sheet, number, path_of};
use super::{Figure, Frame, Panel, curve, text};

const AXIS: Pen = Pen {
    color: Color::BLACK,
    width: 0.6,
    dash: None,
};
const GRID: Pen = Pen {
    color: Color::hex(0xe3e3e3),
    width: 0.4,
    dash: None,
};
const HATCH: Pen = Pen {
    color: Color::hex(0x444444),
    width: 0.35,
    dash: None,
};

/// The figure as an SVG document in points. Equal figures give equal bytes.
pub fn to_svg(figure: &Figure) -> String {
    let (layout, sheet) = draw(figure);
    let description = if figure.title.is_empty() {
        figure.panels.first().map_or("", |p| &p.title)
    } else {
        &figure.title
    };
    sheet.finish(layout.width, layout.height, description)
}

/// Arranges and draws.
pub(crate) fn draw(figure: &Figure) -> (Layout, Sheet) {
    let layout = layout::arrange(figure);
    let mut sheet = Sheet::default();
    if !figure.title.is_empty() {
        let size = fitted(&figure.title, HEADING_SIZE, layout.width - 8.0);
        let at = [layout.width / 2.0, 4.0 + HEADING_SIZE / 2.0];
        sheet.label(at, &figure.title, Ink::new(size, Anchor::Middle));
    }
    for (i, placed) in layout.panels.iter().enumerate() {
        draw_panel(&mut sheet, &figure.panels[i], placed);
        let title = layout::panel_title(figure, i);
        let size = fitted(&title, TITLE_SIZE, placed.title_width());
        let at = [placed.frame.x, placed.title_at(figure.panels[i].frame)];
        sheet.label(at, &title, Ink::new(size, Anchor::Start));
    }
    if let Some((r, entries)) = &layout.shared {
        draw_legend(&mut sheet, *r, entries, false);
    }
    (layout, sheet)
}

/// Font size at which the text is at most `available` wide.
fn fitted(content: &str, size: f64, available: f64) -> f64 {
    size * (available / text::width(content, size).max(1e-9)).min(1.0)
}

fn draw_panel(sheet: &mut Sheet, panel: &Panel, placed: &Placed) {
    let covered = panel
        .layers
        .iter()
        .any(|l| matches!(l, Layer::Regions(_) | Layer::Field(_)));
    if panel.frame == Frame::Box && !covered {
        draw_grid(sheet, placed);
    }
    for (layer, look) in panel.layers.iter().zip(legend::looks(panel)) {
        draw_layer(sheet, placed, layer, look);
    }
    match panel.frame {
        Frame::Box => draw_box(sheet, panel, placed),
        Frame::Arrows => draw_arrows(sheet, panel, placed),
    }
    // Text last: no curve may cross a label.
    for layer in &panel.layers {
        if let Layer::Text(t) = layer {
            draw_text(sheet, placed, t);
        }
    }
    if let Some((r, inside)) = placed.legend {
        draw_legend(sheet, r, &placed.entries, inside);
    }
}

fn draw_grid(sheet: &mut Sheet, placed: &Placed) {
    let f = placed.frame;
    for (v, _) in &placed.x.marks.major {
        let x = placed.x.at(*v);
        sheet.line([x, f.y], [x, f.bottom()], GRID);
    }
    for (v, _) in &placed.y.marks.major {
        let y = placed.y.at(*v);
        sheet.line([f.x, y], [f.right(), y], GRID);
    }
}

fn draw_layer(sheet: &mut Sheet, placed: &Placed, layer: &Layer, look: Option<Look>) {
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
            sheet.stroke(
                &hatch_path(a.hatch, f, |x, y| within(&polygon, [x, y])),
                HATCH,
            );
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
                sheet.stroke(
                    &r.edge_path(&placed.x, &placed.y),
                    Pen::new(Color::BLACK, 0.5),
                );
            }
        }
        Layer::Field(field) => {
            if let Some(png) = field.image(&placed.x, &placed.y) {
                sheet.image(f, &png);
            }
            draw_bar(sheet, placed, field);
        }
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
        let seen = series
            .points
            .iter()
            .map(at)
            .filter(|p| placed.frame.contains(*p));
        draw_markers(sheet, seen, marker, color, size);
    }
}

fn draw_markers(
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
                format!(
                    "M{} {}a{rs} {rs} 0 1 0 {ds} 0a{rs} {rs} 0 1 0 -{ds} 0Z",
                    number(x - r),
                    number(y)
                )
            }
            Marker::Square | Marker::OpenSquare => {
                let q = 0.88;
                path_of(
                    &[corner(-q, -q), corner(q, -q), corner(q, q), corner(-q, q)],
                    true,
                )
            }
            Marker::Triangle | Marker::OpenTriangle => path_of(
                &[corner(0.0, -1.15), corner(1.05, 0.75), corner(-1.05, 0.75)],
                true,
            ),
            Marker::Diamond | Marker::OpenDiamond => {
                let q = 1.2;
                path_of(
                    &[
                        corner(0.0, -q),
                        corner(q, 0.0),
                        corner(0.0, q),
                        corner(-q, 0.0),
                    ],
                    true,
                )
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
        Marker::Circle | Marker::Square | Marker::Triangle | Marker::Diamond => {
            sheet.fill(&d, color, 1.0, 0.0)
        }
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
        if (a[1] > p[1]) != (b[1] > p[1])
            && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
        {
            inside = !inside;
        }
    }
    inside
}

fn draw_reference(sheet: &mut Sheet, placed: &Placed, r: &Reference) {
    let f = placed.frame;
    let pen = Pen {
        dash: r.dash.array(),
        ..Pen::new(r.color, 0.8)
    };
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
fn sheet_arrow(sheet: &mut Sheet, from: [f64; 2], to: [f64; 2], pen: Pen) {
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    let u = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    let (long, half) = (5.5f64.min(length), 1.9);
    let neck = [to[0] - long * u[0], to[1] - long * u[1]];
    sheet.line(
        from,
        [to[0] - 0.7 * long * u[0], to[1] - 0.7 * long * u[1]],
        pen,
    );
    let left = [neck[0] - half * u[1], neck[1] + half * u[0]];
    let right = [neck[0] + half * u[1], neck[1] - half * u[0]];
    sheet.fill(&path_of(&[to, left, right], true), pen.color, 1.0, 0.0);
}

fn draw_text(sheet: &mut Sheet, placed: &Placed, t: &Text) {
    let p = placed.at(t.at);
    if placed.frame.contains(p) {
        let ink = Ink {
            color: t.color,
            halo: true,
            ..Ink::new(t.size, t.anchor)
        };
        sheet.text([p[0] + t.offset[0], p[1] - t.offset[1]], &t.text, ink);
    }
}

fn draw_box(sheet: &mut Sheet, panel: &Panel, placed: &Placed) {
    let f = placed.frame;
    sheet.rect(f, None, Some(AXIS));
    for (v, label) in &placed.x.marks.major {
        let x = placed.x.at(*v);
        sheet.line([x, f.bottom()], [x, f.bottom() + TICK], AXIS);
        let y = f.bottom() + TICK + TICK_GAP + TICK_SIZE / 2.0;
        sheet.label([x, y], label, Ink::new(TICK_SIZE, Anchor::Middle));
    }
    for (v, label) in &placed.y.marks.major {
        let y = placed.y.at(*v);
        sheet.line([f.x - TICK, y], [f.x, y], AXIS);
        sheet.label(
            [f.x - TICK - TICK_GAP, y],
            label,
            Ink::new(TICK_SIZE, Anchor::End),
        );
    }
    let mut minor = String::new();
    for v in &placed.x.marks.minor {
        let x = placed.x.at(*v);
        minor += &path_of(&[[x, f.bottom()], [x, f.bottom() + 0.55 * TICK]], false);
    }
    for v in &placed.y.marks.minor {
        let y = placed.y.at(*v);
        minor += &path_of(&[[f.x - 0.55 * TICK, y], [f.x, y]], false);
    }
    sheet.stroke(&minor, Pen { width: 0.4, ..AXIS });
    draw_axis_labels(sheet, panel, placed);
}

fn draw_axis_labels(sheet: &mut Sheet, panel: &Panel, placed: &Placed) {
    let f = placed.frame;
    let y = placed.x_label_at();
    let size = fitted(&panel.x.label, LABEL_SIZE, f.w);
    sheet.label(
        [f.x + f.w / 2.0, y],
        &panel.x.label,
        Ink::new(size, Anchor::Middle),
    );
    let below = if placed.x_factor_beside(&panel.x.label) {
        0.0
    } else {
        LABEL_SIZE + 1.0
    };
    sheet.label(
        [f.right(), y + below],
        &placed.x.marks.factor,
        Ink::new(TICK_SIZE, Anchor::End),
    );
    let size = fitted(&panel.y.label, LABEL_SIZE, f.h);
    let ink = Ink {
        vertical: true,
        ..Ink::new(size, Anchor::Middle)
    };
    sheet.label(
        [f.x - placed.y_label_distance(), f.y + f.h / 2.0],
        &panel.y.label,
        ink,
    );
    sheet.label(
        [f.x, placed.factor_at()],
        &placed.y.marks.factor,
        Ink::new(TICK_SIZE, Anchor::Start),
    );
}

fn draw_arrows(sheet: &mut Sheet, panel: &Panel, placed: &Placed) {
    let f = placed.frame;
    let origin = [placed.x.clamped(0.0), placed.y.clamped(0.0)];
    let pen = Pen { width: 0.7, ..AXIS };
    let tips = [[f.right() + ARROW, origin[1]], [origin[0], f.y - ARROW]];
    sheet_arrow(sheet, [f.x - 2.0, origin[1]], tips[0], pen);
    sheet_arrow(sheet, [origin[0], f.bottom() + 2.0], tips[1], pen);
    sheet.label(
        [tips[0][0] + 3.0, origin[1]],
        &panel.x.label,
        Ink::new(LABEL_SIZE, Anchor::Start),
    );
    let above = tips[1][1] - 2.0 - LABEL_SIZE / 2.0;
    sheet.label(
        [origin[0], above],
        &panel.y.label,
        Ink::new(LABEL_SIZE, Anchor::Middle),
    );
    let ink = |anchor| Ink {
        halo: true,
        ..Ink::new(TICK_SIZE, anchor)
    };
    if matches!(panel.x.ticks, super::Ticks::At(_)) {
        for (v, label) in &placed.x.marks.major {
            let x = placed.x.at(*v);
            sheet.line([x, origin[1] - 2.0], [x, origin[1] + 2.0], AXIS);
            sheet.text(
                [x, origin[1] + TICK + 1.0 + TICK_SIZE / 2.0],
                label,
                ink(Anchor::Middle),
            );
        }
    }
    if matches!(panel.y.ticks, super::Ticks::At(_)) {
        for (v, label) in &placed.y.marks.major {
            let y = placed.y.at(*v);
            sheet.line([origin[0] - 2.0, y], [origin[0] + 2.0, y], AXIS);
            sheet.text([origin[0] - TICK - 2.0, y], label, ink(Anchor::End));
        }
    }
}

fn draw_bar(sheet: &mut Sheet, placed: &Placed, field: &super::Field) {
    let (f, Some(bar)) = (placed.frame, &placed.bar) else {
        return;
    };
    let r = Rect {
        x: f.right() + BAR_GAP,
        w: BAR,
        ..f
    };
    if let Some(png) = strip(field.map) {
        sheet.image(r, &png);
    }
    sheet.rect(r, None, Some(AXIS));
    for (v, label) in &bar.marks.major {
        let y = bar.at(*v);
        sheet.line([r.right(), y], [r.right() + TICK, y], AXIS);
        sheet.label(
            [r.right() + TICK + TICK_GAP, y],
            label,
            Ink::new(TICK_SIZE, Anchor::Start),
        );
    }
    sheet.label(
        [r.x, placed.factor_at()],
        &bar.marks.factor,
        Ink::new(TICK_SIZE, Anchor::Start),
    );
    let size = fitted(&field.label, LABEL_SIZE, f.h);
    let ink = Ink {
        vertical: true,
        ..Ink::new(size, Anchor::Middle)
    };
    sheet.label(
        [f.right() + placed.bar_label_distance(), f.y + f.h / 2.0],
        &field.label,
        ink,
    );
}

fn draw_legend(sheet: &mut Sheet, r: Rect, entries: &[Entry], inside: bool) {
    if inside {
        sheet.rect(
            r,
            Some((Color::WHITE, 0.85)),
            Some(Pen::new(Color::hex(0xbbbbbb), 0.4)),
        );
    }
    let arrangement = legend::arrange(entries, r.w + 0.01);
    for (k, entry) in entries.iter().enumerate() {
        let at = legend::slot(k, &arrangement, r);
        if let Some((color, opacity, hatch)) = entry.swatch {
            let patch = Rect {
                x: at[0] + 4.0,
                y: at[1] - 3.5,
                w: SAMPLE - 8.0,
                h: 7.0,
            };
            sheet.rect(
                patch,
                Some((color, opacity)),
                Some(Pen::new(Color::BLACK, 0.3)),
            );
            sheet.stroke(&hatch_path(hatch, patch, |_, _| true), HATCH);
        }
        if let Some(pen) = entry.look.pen {
            sheet.line(at, [at[0] + SAMPLE, at[1]], pen);
        }
        if let Some((marker, color, size)) = entry.look.marker {
            let middle = [at[0] + SAMPLE / 2.0, at[1]];
            draw_markers(sheet, std::iter::once(middle), marker, color, size);
        }
        sheet.label(legend::label_at(at), &entry.label, legend::ink());
    }
}
