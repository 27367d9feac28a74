//! The limits of the axes of a panel.

use super::layer::{Layer, MarkerChoice};
use super::{Frame, Panel};

/// Limits of both axes.
pub(crate) fn limits(panel: &Panel) -> ((f64, f64), (f64, f64)) {
    let cells = panel.layers.iter().any(|l| matches!(l, Layer::Regions(_) | Layer::Field(_)));
    let marked = panel.layers.iter().any(|l| match l {
        Layer::Series(s) => s.marker != MarkerChoice::None,
        _ => false,
    });
    let arrows = panel.frame == Frame::Arrows;
    let (pad_x, pad_y) = match (arrows, cells, marked) {
        (true, ..) => (0.05, 0.05),
        (_, true, _) => (0.0, 0.0),
        (_, _, true) => (0.04, 0.06),
        _ => (0.0, 0.05),
    };
    let origin = arrows.then_some(0.0);
    let points = || {
        panel.layers.iter().flat_map(extent).filter(|p| {
            // A point is drawn only if both its coordinates can be.
            (p[0].is_nan() || panel.x.shows(p[0])) && (p[1].is_nan() || panel.y.shows(p[1]))
        })
    };
    let x = panel.x.limits(points().map(|p| p[0]).chain(origin), pad_x);
    let in_view = |v: f64| v.is_nan() || (v >= x.0.min(x.1) && v <= x.0.max(x.1));
    let y = panel.y.limits(points().filter(|p| in_view(p[0])).map(|p| p[1]).chain(origin), pad_y);
    (x, y)
}

/// Points that the axes must show; NaN for a coordinate that does not matter.
fn extent(layer: &Layer) -> Vec<[f64; 2]> {
    let both = |p: &[f64; 2]| !p[0].is_nan() && !p[1].is_nan();
    let edges = |x: &[f64], y: &[f64]| {
        let xs = x.iter().map(|v| [*v, f64::NAN]);
        xs.chain(y.iter().map(|v| [f64::NAN, *v])).collect()
    };
    match layer {
        Layer::Series(s) => s.points.iter().copied().filter(both).collect(),
        Layer::Area(a) => a.outline.iter().copied().filter(both).collect(),
        Layer::Arrow(a) => vec![a.from, a.to],
        Layer::Reference(r) if r.horizontal => vec![[f64::NAN, r.value]],
        Layer::Reference(r) => vec![[r.value, f64::NAN]],
        Layer::Regions(r) => edges(&r.grid.x, &r.grid.y),
        Layer::Field(f) => edges(&f.grid.x, &f.grid.y),
        Layer::Text(_) => Vec::new(),
    }
}
