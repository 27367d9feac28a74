//! Places everything: the margins follow from the measured labels, so nothing can overlap.

use super::axis::{Axis, Map, Scale};
use super::layer::Layer;
use super::legend::{self, Entry};
use super::limits::limits;
use super::svg::Rect;
use super::ticks;
use super::{Figure, Frame, LegendPlace, Panel, text};

pub(crate) const TICK_SIZE: f64 = 7.5;
pub(crate) const LABEL_SIZE: f64 = 8.5;
pub(crate) const TITLE_SIZE: f64 = 9.0;
pub(crate) const HEADING_SIZE: f64 = 10.5;
pub(crate) const LEGEND_SIZE: f64 = 7.5;
/// Length of a tick and space between it and its label.
pub(crate) const TICK: f64 = 3.0;
pub(crate) const TICK_GAP: f64 = 2.5;
/// Distance of the colour bar from the box, and its width.
pub(crate) const BAR_GAP: f64 = 8.0;
pub(crate) const BAR: f64 = 8.0;
/// Length of axis arrows beyond the box.
pub(crate) const ARROW: f64 = 8.0;
const BORDER: f64 = 4.0;
const COLUMN_GAP: f64 = 10.0;
const ROW_GAP: f64 = 8.0;

/// A panel with its place on the sheet.
pub(crate) struct Placed {
    /// The box given to the panel.
    pub outer: Rect,
    /// The box of the data: the outer one, or inside it if the axes are arrows.
    pub frame: Rect,
    /// Height of the title.
    pub title_at: f64,
    pub x: Map,
    pub y: Map,
    /// Scale of the colour bar.
    pub bar: Option<Map>,
    pub entries: Vec<Entry>,
    /// Box of the legend, and whether it stands over the axes box.
    pub legend: Option<(Rect, bool)>,
    margins: Margins,
}

#[derive(Clone, Copy, Default)]
struct Margins {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Placed {
    /// Position of a data point.
    pub fn at(&self, p: [f64; 2]) -> [f64; 2] {
        [self.x.at(p[0]), self.y.at(p[1])]
    }

    /// Height of the line of axis labels under the box.
    pub fn x_label_at(&self) -> f64 {
        self.frame.bottom() + TICK + TICK_GAP + TICK_SIZE + 2.0 + LABEL_SIZE / 2.0
    }

    /// Whether label and power of ten of the x axis share a line.
    pub fn x_factor_beside(&self, label: &str) -> bool {
        let label = text::width(label, LABEL_SIZE).min(self.frame.w);
        label / 2.0 + text::width(&self.x.marks.factor, TICK_SIZE) + 6.0 < self.frame.w / 2.0
    }

    /// Height of powers of ten above the box.
    pub fn factor_at(&self) -> f64 {
        self.frame.y - 2.0 - TICK_SIZE / 2.0
    }

    /// Distance of the y label from the box.
    pub fn y_label_distance(&self) -> f64 {
        TICK + TICK_GAP + widest(&self.y) + 4.0 + LABEL_SIZE / 2.0
    }

    /// Right end of the colour bar's tick labels, from the box.
    pub fn bar_label_distance(&self) -> f64 {
        let ticks = self.bar.as_ref().map_or(0.0, widest);
        BAR_GAP + BAR + TICK + TICK_GAP + ticks + 4.0 + LABEL_SIZE / 2.0
    }

    fn has_factor_above(&self) -> bool {
        let bar = self.bar.as_ref().is_some_and(|b| !b.marks.factor.is_empty());
        bar || !self.y.marks.factor.is_empty()
    }

    /// Width that the title may take.
    pub fn title_width(&self) -> f64 {
        self.outer.w + self.margins.right
    }
}

fn widest(map: &Map) -> f64 {
    let widths = map.marks.major.iter().map(|m| text::width(&m.1, TICK_SIZE));
    widths.fold(0.0, f64::max)
}

/// The arranged figure.
pub(crate) struct Layout {
    pub width: f64,
    pub height: f64,
    pub panels: Vec<Placed>,
    /// The legend of all panels together.
    pub shared: Option<(Rect, Vec<Entry>)>,
}

/// Title of a panel with its letter.
pub(crate) fn panel_title(figure: &Figure, index: usize) -> String {
    let title = &figure.panels[index].title;
    match (figure.letters && index < 26, title.is_empty()) {
        (true, true) => format!("({})", (b'a' + index as u8) as char),
        (true, false) => format!("({}) {title}", (b'a' + index as u8) as char),
        (false, _) => title.clone(),
    }
}

/// Arranges the figure.
pub(crate) fn arrange(figure: &Figure) -> Layout {
    let n = figure.panels.len();
    let columns = figure.columns.clamp(1, n.max(1));
    let rows = n.div_ceil(columns);
    let width = if figure.width.is_finite() { figure.width.clamp(60.0, 5000.0) } else { 480.0 };
    let aspect = if figure.aspect.is_finite() { figure.aspect.clamp(0.05, 20.0) } else { 0.7 };
    let mut box_width = 0.75 * width / columns as f64;
    // Where a legend once found no free corner it stays outside, so the passes settle.
    let mut outside = vec![false; n];
    let mut placed = Vec::new();
    let across = |placed: &[Placed], side: fn(&Margins) -> f64, c: usize| {
        let column = placed.iter().skip(c).step_by(columns);
        column.map(|p| side(&p.margins)).fold(0.0, f64::max)
    };
    // Ticks depend on the size of the box, the size on the margins, those on the ticks.
    for pass in 0..4 {
        placed = (0..n).map(|i| measure(figure, i, box_width, aspect * box_width, &mut outside[i])).collect();
        if pass < 3 {
            let margins: f64 =
                (0..columns).map(|c| across(&placed, |m| m.left, c) + across(&placed, |m| m.right, c)).sum();
            let gaps = COLUMN_GAP * (columns - 1) as f64 + 2.0 * BORDER;
            box_width = ((width - margins - gaps) / columns as f64).max(50.0);
        }
    }
    let box_height = aspect * box_width;
    let heading = if figure.title.is_empty() { 0.0 } else { HEADING_SIZE + 6.0 };
    let mut x = BORDER;
    let mut lefts = Vec::new();
    for c in 0..columns {
        x += across(&placed, |m| m.left, c);
        lefts.push(x);
        x += box_width + across(&placed, |m| m.right, c) + COLUMN_GAP;
    }
    let total_width = x - COLUMN_GAP + BORDER;
    let mut y = BORDER + heading;
    for row in 0..rows {
        let range = row * columns..((row + 1) * columns).min(n);
        let row_panels = &mut placed[range];
        let top = row_panels.iter().map(|p| p.margins.top).fold(0.0, f64::max);
        let bottom = row_panels.iter().map(|p| p.margins.bottom).fold(0.0, f64::max);
        for (p, left) in row_panels.iter_mut().zip(&lefts) {
            shift(p, *left, y + top);
            p.title_at = y + TITLE_SIZE / 2.0;
        }
        y += top + box_height + bottom + ROW_GAP;
    }
    let mut height = y - ROW_GAP + BORDER;
    let mut shared = None;
    if figure.shared_legend {
        let mut entries: Vec<Entry> = Vec::new();
        for e in figure.panels.iter().flat_map(legend::entries) {
            if !entries.iter().any(|known| known.label == e.label) {
                entries.push(e);
            }
        }
        if !entries.is_empty() {
            let a = legend::arrange(&entries, total_width - 2.0 * BORDER);
            let left = ((total_width - a.width) / 2.0).max(BORDER);
            let r = Rect { x: left, y: height, w: a.width, h: a.height };
            height += a.height + BORDER;
            shared = Some((r, entries));
        }
    }
    let mut total_width = total_width;
    if let Some((r, _)) = &shared {
        total_width = total_width.max(r.right() + BORDER);
    }
    Layout { width: total_width, height: height.max(2.0 * BORDER), panels: placed, shared }
}

fn shift(p: &mut Placed, dx: f64, dy: f64) {
    for r in [&mut p.outer, &mut p.frame] {
        r.x += dx;
        r.y += dy;
    }
    p.x.start += dx;
    p.x.end += dx;
    for map in std::iter::once(&mut p.y).chain(p.bar.as_mut()) {
        map.start += dy;
        map.end += dy;
    }
    if let Some((r, _)) = &mut p.legend {
        r.x += dx;
        r.y += dy;
    }
}

/// Resolves axes, legend and margins of a panel whose box stands at the origin.
fn measure(figure: &Figure, index: usize, w: f64, h: f64, outside: &mut bool) -> Placed {
    let panel = &figure.panels[index];
    let outer = Rect { x: 0.0, y: 0.0, w, h };
    let arrows = panel.frame == Frame::Arrows;
    // Arrow tips and the labels beside them take a strip above and right of the data.
    let frame = if arrows { Rect { x: 2.0, y: ARROW, w: w - ARROW - 2.0, h: h - ARROW - 2.0 } } else { outer };
    let ((x_lo, x_hi), (y_lo, y_hi)) = limits(panel);
    let x = resolve(&panel.x, x_lo, x_hi, frame.x, frame.right());
    let y = resolve(&panel.y, y_lo, y_hi, frame.bottom(), frame.y);
    let field = panel.layers.iter().find_map(|l| match l {
        Layer::Field(f) => Some(f),
        _ => None,
    });
    let bar = field.filter(|_| !arrows).map(|f| {
        let (lo, hi) = f.limits();
        resolve(&Axis::default(), lo, hi, h, 0.0)
    });
    let entries = if figure.shared_legend { Vec::new() } else { legend::entries(panel) };
    let margins = Margins::default();
    let mut p = Placed { outer, frame, title_at: 0.0, x, y, bar, entries, legend: None, margins };
    p.margins = axis_margins(panel, &p);
    if !panel_title(figure, index).is_empty() {
        p.margins.top += TITLE_SIZE + 1.0;
    }
    if !p.entries.is_empty() {
        place_legend(panel, &mut p, field.map_or("", |f| &f.label), outside);
    }
    p
}

fn axis_margins(panel: &Panel, p: &Placed) -> Margins {
    if panel.frame == Frame::Arrows {
        let y_label = p.x.clamped(0.0) + 5.0 + text::width(&panel.y.label, LABEL_SIZE);
        return Margins { left: 2.0, right: (y_label - p.outer.w).max(4.0), top: 4.0, bottom: 4.0 };
    }
    // Half of the outermost x labels may stand beyond the box.
    let overhang = |left: bool| {
        let beyond = p.x.marks.major.iter().map(|(v, label)| {
            let (at, half) = (p.x.at(*v), text::width(label, TICK_SIZE) / 2.0);
            if left { half - at } else { at + half - p.frame.w }
        });
        beyond.fold(0.0, f64::max)
    };
    let label = |l: &str| {
        if l.is_empty() { 0.0 } else { LABEL_SIZE / 2.0 + 1.0 }
    };
    let mut bottom = TICK + TICK_GAP + TICK_SIZE + 2.0;
    let has_factor = !p.x.marks.factor.is_empty();
    if !panel.x.label.is_empty() || has_factor {
        bottom += LABEL_SIZE + 2.0;
        if has_factor && !p.x_factor_beside(&panel.x.label) {
            bottom += TICK_SIZE + 2.0;
        }
    }
    let mut right = overhang(false).max(3.0);
    if let Some(bar) = &p.bar {
        let factor = BAR_GAP + text::width(&bar.marks.factor, TICK_SIZE);
        right = right.max(p.bar_label_distance() + LABEL_SIZE / 2.0 + 1.0).max(factor);
    }
    Margins {
        left: (p.y_label_distance() + label(&panel.y.label)).max(overhang(true)),
        right,
        top: if p.has_factor_above() { TICK_SIZE + 4.0 } else { 4.0 },
        bottom,
    }
}

fn place_legend(panel: &Panel, p: &mut Placed, bar_label: &str, outside: &mut bool) {
    let (w, h) = (p.outer.w, p.outer.h);
    let column = legend::arrange(&p.entries, 0.0);
    let mut place = panel.legend;
    if place == LegendPlace::Auto {
        if !*outside {
            p.legend = legend::free_corner(panel, p, (column.width, column.height)).map(|r| (r, true));
            *outside = p.legend.is_none();
        }
        if *outside {
            place = LegendPlace::Below;
        }
    }
    match place {
        LegendPlace::Right => {
            // Beyond the colour bar, if there is one.
            let gap = if p.bar.is_some() && bar_label.is_empty() { 4.0 } else { 8.0 };
            let left = w + p.margins.right.max(gap - 3.0) + 3.0;
            p.legend = Some((Rect { x: left, y: 0.0, w: column.width, h: column.height }, false));
            p.margins.right = left - w + column.width;
            p.margins.bottom = p.margins.bottom.max(column.height - h);
        }
        LegendPlace::Below => {
            let a = legend::arrange(&p.entries, w + 0.7 * p.margins.left);
            let left = ((w - a.width) / 2.0).max(-p.margins.left);
            let top = h + p.margins.bottom + 3.0;
            p.legend = Some((Rect { x: left, y: top, w: a.width, h: a.height }, false));
            p.margins.bottom += a.height + 3.0;
            p.margins.right = p.margins.right.max(left + a.width - w);
        }
        LegendPlace::Auto | LegendPlace::None => {}
    }
}

fn resolve(axis: &Axis, lo: f64, hi: f64, start: f64, end: f64) -> Map {
    let mut map = Map { scale: axis.scale, lo, hi, start, end, marks: Default::default() };
    let horizontal = start < end;
    map.marks = ticks::choose(axis, lo, hi, |list| {
        list.windows(2).all(|pair| {
            let apart = (map.at(pair[1].0) - map.at(pair[0].0)).abs();
            let needed = if horizontal {
                let w = text::width(&pair[0].1, TICK_SIZE) + text::width(&pair[1].1, TICK_SIZE);
                w / 2.0 + 0.9 * TICK_SIZE
            } else {
                2.0 * TICK_SIZE
            };
            apart >= needed
        })
    });
    // Minor ticks of decades that are too narrow would run into a grey bar.
    if axis.scale == Scale::Log && (map.at(lo) - map.at(10.0 * lo)).abs() < 20.0 {
        map.marks.minor.clear();
    }
    map
}
