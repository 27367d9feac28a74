//! Maps over two parameters, shown: as a figure, as tables, as text.

mod fill;

use std::f64::consts::PI;

use delassus_figure::{Axis, CellGrid, Color, ColorMap, Dash, Field, Figure, LegendPlace, Panel, Regions, Series};
use delassus_io::{csv_number, push_csv_row};
use delassus_study::colors::categories;
use delassus_study::map::{Map, MapAxis};

use crate::labels::{Labels, coordinate_label, measure_label, parameter_label};

/// The figure: coloured regimes, or a field with its colour bar, and the curves.
pub fn figure(map: &Map) -> Figure {
    labelled_figure(map, &Labels::default())
}

/// The figure with other labels.
pub fn labelled_figure(map: &Map, labels: &Labels) -> Figure {
    let [mut x, mut y] = [axis(&map.x), axis(&map.y)];
    x.label = labels.x.clone().unwrap_or(x.label);
    y.label = labels.y.clone().unwrap_or(y.label);
    let mut panel = Panel::new(x, y);
    panel = if map.values.is_empty() {
        let (grid, cells) = fill::cells(map);
        panel.add(Regions::from_cells(grid, categories(&map.names), cells))
    } else {
        let signs = |negative: bool| map.values.iter().any(|v| if negative { *v < 0.0 } else { *v > 0.0 });
        let colors = if signs(true) && signs(false) { ColorMap::Diverging } else { ColorMap::Viridis };
        let coordinate = map.coordinate.as_ref().map(|(name, unit)| coordinate_label(name, unit));
        let label = coordinate.unwrap_or_else(|| measure_label(&map.measure));
        let grid = CellGrid::around(&map.x.values, &map.y.values);
        panel.add(Field::from_values(grid, map.values.clone()).label(label).map(colors))
    };
    const DASHES: [Dash; 4] = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDot];
    for (k, [a, b]) in pairs(map).into_iter().enumerate() {
        let curves = map.boundaries.iter().filter(|c| c.between == [a, b]);
        // A gap before each curve.
        let gap = std::iter::once((f64::NAN, f64::NAN));
        let points: Vec<_> = curves.flat_map(|c| gap.clone().chain(c.points.iter().map(|p| (p[0], p[1])))).collect();
        if !map.values.is_empty() {
            // On dark colours a black line is seen by its white edges.
            panel = panel.add(Series::line(points.clone()).color(Color::WHITE).width(2.6));
        }
        let line = Series::line(points).color(Color::BLACK).width(1.2);
        let label = format!("{} | {}", map.names[a], map.names[b]);
        // Colours tell regimes; over a field the line itself must.
        panel = panel.add(match map.values.is_empty() {
            true => line,
            false => line.label(label).dash(DASHES[k % DASHES.len()]),
        });
    }
    let title = labels.title.clone().unwrap_or_else(|| map.title.clone());
    Figure::single(panel.legend(LegendPlace::Below)).title(title)
}

/// The pairs of regimes that curves divide, in order.
fn pairs(map: &Map) -> Vec<[usize; 2]> {
    let mut pairs: Vec<_> = map.boundaries.iter().map(|c| c.between).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Comma-separated values: x, y, the number if there is one, the regime.
pub fn csv(map: &Map) -> String {
    let mut out = String::new();
    let measure = Some(&map.measure).filter(|_| !map.values.is_empty());
    push_csv_row(&mut out, [&map.x.key, &map.y.key].into_iter().chain(measure).map(String::as_str).chain(["regime"]));
    for (k, regime) in map.regimes.iter().enumerate() {
        let (x, y) = (map.x.values[k % map.x.values.len()], map.y.values[k / map.x.values.len()]);
        let numbers = [x, y].into_iter().chain(map.values.get(k).copied()).map(csv_number);
        push_csv_row(&mut out, numbers.chain([map.names[*regime].clone()]));
    }
    out
}

/// Comma-separated values of the curves: number of the curve, its regimes, x, y.
pub fn boundaries_csv(map: &Map) -> String {
    let mut out = String::new();
    push_csv_row(&mut out, ["curve", "regime_a", "regime_b", &map.x.key, &map.y.key]);
    for (k, curve) in map.boundaries.iter().enumerate() {
        let [a, b] = curve.between.map(|i| &map.names[i]);
        for [x, y] in &curve.points {
            push_csv_row(&mut out, [&k.to_string(), a, b, &csv_number(*x), &csv_number(*y)]);
        }
    }
    out
}

/// A small picture for terminals: one letter a regime, or shades of a field.
pub fn text(map: &Map, width: usize, height: usize) -> String {
    let (columns, rows) = (map.x.values.len(), map.y.values.len());
    let (across, up) = (width.clamp(8, columns.max(8)).min(columns), height.clamp(4, rows.max(4)).min(rows));
    // The point nearest to the middle of each character.
    let nearest = |k: usize, of: usize, count: usize| ((2 * k + 1) * count / (2 * of)).min(count - 1);
    let (low, high) = map.range().unwrap_or((f64::NAN, f64::NAN));
    let mut out = String::new();
    for row in (0..up).rev() {
        for column in 0..across {
            let k = nearest(row, up, rows) * columns + nearest(column, across, columns);
            out.push(match map.values.get(k) {
                Some(v) => shade((v - low) / (high - low)),
                None => symbol(map.regimes[k]),
            });
        }
        out.push('\n');
    }
    out
}

/// The letter of a regime in [`text`].
pub fn symbol(regime: usize) -> char {
    const SYMBOLS: &[u8] = b".o#+x*=%@abcdefghijklmnpqrstuvwyz";
    SYMBOLS.get(regime).map_or('?', |b| char::from(*b))
}

const SHADES: &[u8] = b" .:-=+*#%@";

fn shade(t: f64) -> char {
    if !t.is_finite() {
        return '?';
    }
    let k = (t * SHADES.len() as f64) as usize;
    char::from(SHADES[k.min(SHADES.len() - 1)])
}

fn axis(axis: &MapAxis) -> Axis {
    let (label, is_angle) = parameter_label(&axis.key);
    let drawn = Axis::new(label);
    match axis.values[..] {
        [from, .., to] => {
            let drawn = drawn.range(from, to);
            // Fractions of π where the range shows some.
            if is_angle && to - from >= 0.75 * PI { drawn.pi() } else { drawn }
        }
        _ => drawn,
    }
}

#[cfg(test)]
mod tests {
    use delassus_study::map::MapBoundary;

    use super::*;

    fn map(field: bool) -> Map {
        let points: Vec<f64> = (0..9).map(|k| f64::from(k) / 8.0).collect();
        let regimes: Vec<usize> = (0..81).map(|k| usize::from(k % 9 > 4)).collect();
        Map {
            title: String::new(),
            x: MapAxis { key: "rod.angle".into(), values: points.clone() },
            y: MapAxis { key: "contact.A, B.friction".into(), values: points },
            measure: "energy".into(),
            coordinate: None,
            values: if field { (0..81).map(|k| f64::from(k % 9) - 4.0).collect() } else { Vec::new() },
            regimes,
            names: vec!["stick".into(), "slip, say".into()],
            boundaries: vec![MapBoundary { between: [0, 1], points: vec![[0.55, 0.0], [0.55, 1.0]] }],
        }
    }

    #[test]
    fn tables_have_a_line_per_point() {
        let table = csv(&map(false));
        assert_eq!(table.lines().count(), 82);
        assert!(table.starts_with("rod.angle,\"contact.A, B.friction\",regime\n0,0,stick\n"));
        assert!(table.ends_with("\n1,1,\"slip, say\"\n"));
        let table = csv(&map(true));
        assert!(table.starts_with("rod.angle,\"contact.A, B.friction\",energy,regime\n0,0,-4,stick\n"));
        assert!(boundaries_csv(&map(true)).ends_with("\n0,stick,\"slip, say\",0.55,1\n"));
    }

    #[test]
    fn text_and_figure_show_both_regimes() {
        let text = super::text(&map(false), 9, 5);
        assert_eq!(text.lines().count(), 5);
        assert!(text.lines().all(|line| line == ".....oooo"), "{text}");
        let text = super::text(&map(true), 9, 4);
        assert!(text.lines().all(|line| line == " .:-+*#%@"), "{text}");
        for field in [false, true] {
            let svg = delassus_figure::to_svg(&figure(&map(field)));
            assert!(svg.contains("slip, say"));
        }
    }
}
