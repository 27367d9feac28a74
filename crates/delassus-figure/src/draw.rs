//! Draws an arranged figure.

use super::cells::{Field, hatch_path, strip};
use super::layer::Layer;
use super::layout::{
    self, ARROW, BAR, BAR_GAP, HEADING_SIZE, LABEL_SIZE, Layout, Placed, TICK, TICK_GAP, TICK_SIZE, TITLE_SIZE,
};
use super::legend::{self, Entry, SAMPLE};
use super::paint::{HATCH, draw_layer, draw_markers, draw_text, sheet_arrow};
use super::style::Color;
use super::svg::{Anchor, Ink, Pen, Rect, Sheet, path_of, text_box};
use super::{Figure, Frame, Panel, Ticks, text};

const AXIS: Pen = Pen { color: Color::BLACK, width: 0.6, dash: None };
const GRID: Pen = Pen { color: Color::hex(0xe3e3e3), width: 0.4, dash: None };

/// The figure as an SVG document in points. Equal figures give equal bytes.
pub fn to_svg(figure: &Figure) -> String {
    let (layout, sheet) = draw(figure);
    let description =
        if figure.title.is_empty() { figure.panels.first().map_or("", |p| &p.title) } else { &figure.title };
    sheet.finish(layout.width, layout.height, description)
}

/// Where the axes box of a panel stands in the drawn figure, and the range of its horizontal axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PanelPlace {
    /// Left, top, width and height in points.
    pub frame: [f64; 4],
    /// Values at the left and at the right end.
    pub x: [f64; 2],
}

/// Size of the figure in points and the places of its panels: for pages that point into it.
pub fn places(figure: &Figure) -> ([f64; 2], Vec<PanelPlace>) {
    let layout = layout::arrange(figure);
    let place = |placed: &Placed| {
        let f = placed.frame;
        PanelPlace { frame: [f.x, f.y, f.w, f.h], x: [0.0, 1.0].map(|part| placed.x.value(part)) }
    };
    ([layout.width, layout.height], layout.panels.iter().map(place).collect())
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
        let at = [placed.outer.x, placed.title_at];
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
    let covered = panel.layers.iter().any(|l| matches!(l, Layer::Regions(_) | Layer::Field(_)));
    if panel.frame == Frame::Box && !covered {
        draw_grid(sheet, placed);
    }
    for (layer, look) in panel.layers.iter().zip(legend::looks(panel)) {
        draw_layer(sheet, placed, layer, look);
    }
    let field = panel.layers.iter().find_map(|l| match l {
        Layer::Field(f) => Some(f),
        _ => None,
    });
    if let Some(field) = field {
        draw_bar(sheet, placed, field);
    }
    match panel.frame {
        Frame::Box => draw_box(sheet, panel, placed),
        Frame::Arrows => draw_arrows(sheet, panel, placed),
    }
    // Text last: no curve may cross a label.
    for layer in &panel.layers {
        if let Layer::Text(t) = layer {
            draw_text(sheet, panel, placed, t);
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
        sheet.label([f.x - TICK - TICK_GAP, y], label, Ink::new(TICK_SIZE, Anchor::End));
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
    sheet.label([f.x + f.w / 2.0, y], &panel.x.label, Ink::new(size, Anchor::Middle));
    let below = if placed.x_factor_beside(&panel.x.label) { 0.0 } else { LABEL_SIZE + 1.0 };
    sheet.label([f.right(), y + below], &placed.x.marks.factor, Ink::new(TICK_SIZE, Anchor::End));
    let size = fitted(&panel.y.label, LABEL_SIZE, f.h);
    let ink = Ink { vertical: true, ..Ink::new(size, Anchor::Middle) };
    sheet.label([f.x - placed.y_label_distance(), f.y + f.h / 2.0], &panel.y.label, ink);
    sheet.label([f.x, placed.factor_at()], &placed.y.marks.factor, Ink::new(TICK_SIZE, Anchor::Start));
}

fn draw_arrows(sheet: &mut Sheet, panel: &Panel, placed: &Placed) {
    let outer = placed.outer;
    let origin = [placed.x.clamped(0.0), placed.y.clamped(0.0)];
    let pen = Pen { width: 0.7, ..AXIS };
    sheet_arrow(sheet, [outer.x, origin[1]], [outer.right(), origin[1]], pen);
    sheet_arrow(sheet, [origin[0], outer.bottom()], [origin[0], outer.y], pen);
    let x_name = [outer.right(), origin[1] + 4.0 + LABEL_SIZE / 2.0];
    let y_name = [origin[0] + 5.0, outer.y + ARROW / 2.0];
    let named = [
        (x_name, &panel.x.label, Ink::new(LABEL_SIZE, Anchor::End)),
        (y_name, &panel.y.label, Ink::new(LABEL_SIZE, Anchor::Start)),
    ];
    let names = named.map(|(at, label, ink)| {
        sheet.label(at, label, ink);
        text_box(at, label, ink)
    });
    let obstacles = legend::obstacles(panel, placed).unwrap_or_default();
    // A label goes to the second place if a curve runs through the first.
    let mut tick = |ends: [[f64; 2]; 2], places: [([f64; 2], Anchor); 2], label: &str| {
        sheet.line(ends[0], ends[1], AXIS);
        let ink = |anchor| Ink { halo: true, ..Ink::new(TICK_SIZE, anchor) };
        let hit = |(at, anchor): ([f64; 2], Anchor)| {
            let r = text_box(at, label, ink(anchor));
            let points = obstacles.iter().filter(|p| r.contains(**p)).count();
            points + if names.iter().any(|n| n.overlaps(&r)) { 1000 } else { 0 }
        };
        let (at, anchor) = if hit(places[0]) <= hit(places[1]) { places[0] } else { places[1] };
        sheet.text(at, label, ink(anchor));
    };
    let away = TICK + 1.0 + TICK_SIZE / 2.0;
    if matches!(panel.x.ticks, Ticks::At(_)) {
        for (v, label) in &placed.x.marks.major {
            let x = placed.x.at(*v);
            let place = |dy: f64| ([x, origin[1] + dy], Anchor::Middle);
            let ends = [[x, origin[1] - 2.0], [x, origin[1] + 2.0]];
            tick(ends, [place(away), place(-away)], label);
        }
    }
    if matches!(panel.y.ticks, Ticks::At(_)) {
        for (v, label) in &placed.y.marks.major {
            let y = placed.y.at(*v);
            let ends = [[origin[0] - 2.0, y], [origin[0] + 2.0, y]];
            let left = ([origin[0] - TICK - 2.0, y], Anchor::End);
            let right = ([origin[0] + TICK + 2.0, y], Anchor::Start);
            tick(ends, [left, right], label);
        }
    }
}

fn draw_bar(sheet: &mut Sheet, placed: &Placed, field: &Field) {
    let (f, Some(bar)) = (placed.frame, &placed.bar) else {
        return;
    };
    let r = Rect { x: f.right() + BAR_GAP, w: BAR, ..f };
    sheet.image(r, strip(field.map));
    sheet.rect(r, None, Some(AXIS));
    for (v, label) in &bar.marks.major {
        let y = bar.at(*v);
        sheet.line([r.right(), y], [r.right() + TICK, y], AXIS);
        sheet.label([r.right() + TICK + TICK_GAP, y], label, Ink::new(TICK_SIZE, Anchor::Start));
    }
    sheet.label([r.x, placed.factor_at()], &bar.marks.factor, Ink::new(TICK_SIZE, Anchor::Start));
    let size = fitted(&field.label, LABEL_SIZE, f.h);
    let ink = Ink { vertical: true, ..Ink::new(size, Anchor::Middle) };
    sheet.label([f.right() + placed.bar_label_distance(), f.y + f.h / 2.0], &field.label, ink);
}

fn draw_legend(sheet: &mut Sheet, r: Rect, entries: &[Entry], inside: bool) {
    if inside {
        sheet.rect(r, Some((Color::WHITE, 0.85)), Some(Pen::new(Color::hex(0xbbbbbb), 0.4)));
    }
    let arrangement = legend::arrange(entries, r.w + 0.01);
    for (k, entry) in entries.iter().enumerate() {
        let at = legend::slot(k, &arrangement, r);
        if let Some((color, opacity, hatch)) = entry.swatch {
            let patch = Rect { x: at[0] + 4.0, y: at[1] - 3.5, w: SAMPLE - 8.0, h: 7.0 };
            sheet.rect(patch, Some((color, opacity)), Some(Pen::new(Color::BLACK, 0.3)));
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
