//! Sweeps, shown: rows as comma-separated values, curves over one parameter as a figure.

use std::collections::BTreeMap;

use delassus_figure::{Area, Axis, Color, Figure, Panel, Scale, Series, series_color};
use delassus_io::{csv_number, push_csv_row};
use delassus_study::fragility::{Count, Fragility};
use delassus_study::sweep::{Cell, Sweep, Values};

use crate::labels::{measure_label, parameter_label};

pub use crate::labels::Labels;

/// A row as a line, with its end.
pub fn csv_line(row: &[Cell]) -> String {
    let mut line = String::new();
    push_csv_row(
        &mut line,
        row.iter().map(|cell| match cell {
            Cell::Number(value) => csv_number(*value),
            Cell::Word(word) => word.clone(),
        }),
    );
    line
}

/// The names of the columns as a line, with its end.
pub fn csv_head(sweep: &Sweep) -> String {
    let mut line = String::new();
    push_csv_row(&mut line, sweep.columns());
    line
}

/// The measures that are numbers as curves over the only parameter that is one, a panel for each
/// measure; other parameters divide the curves. `rows` in the order of cases, as texts.
///
/// # Errors
/// Why there is no such figure.
pub fn figure(sweep: &Sweep, rows: &[Vec<String>], labels: &Labels) -> Result<Figure, String> {
    let vary = sweep.plan().vary();
    let numbers: Vec<usize> = (0..vary.len()).filter(|&k| !matches!(vary[k].values, Values::Words(_))).collect();
    let [along] = numbers[..] else {
        return Err(format!("a figure needs one parameter that is a number; here are {}", numbers.len()));
    };
    let number = |text: &String| text.parse::<f64>().unwrap_or(f64::NAN);
    let measures = sweep.measured();
    let columns = sweep.columns();
    let (x_label, _) = parameter_label(&vary[along].key);
    let mut panels = Vec::new();
    for column in measures {
        let mut curves: BTreeMap<(usize, String), Vec<(f64, f64)>> = BTreeMap::new();
        let mut order = Vec::new();
        for row in rows {
            let others = (0..vary.len()).filter(|&k| k != along).map(|k| row[1 + k].as_str()).collect::<Vec<_>>();
            let name = others.join(", ");
            let place = order.iter().position(|known| *known == name).unwrap_or_else(|| {
                order.push(name.clone());
                order.len() - 1
            });
            curves.entry((place, name)).or_default().push((number(&row[1 + along]), number(&row[column])));
        }
        if curves.values().flatten().all(|(_, y)| y.is_nan()) {
            continue;
        }
        let drawn = curves.into_iter().map(|((_, name), points)| {
            let series = match vary[along].values {
                Values::Sampled(_) => Series::scatter(points),
                _ => Series::line(points),
            };
            series.label(name)
        });
        let y_label = labels.y.clone().unwrap_or_else(|| measure_label(&columns[column]));
        let mut x = Axis::new(labels.x.clone().unwrap_or_else(|| x_label.clone()));
        if is_logarithmic(&vary[along].values) {
            x.scale = Scale::Log;
        }
        panels.push(Panel::new(x, Axis::new(y_label)).extend(drawn));
    }
    let figure = match panels.len() {
        0 => return Err("none of the measures is a number".to_owned()),
        1 => Figure::single(panels.remove(0)),
        _ => Figure::grid(2, panels),
    };
    Ok(figure.title(labels.title.clone().unwrap_or_default()))
}

/// Shares of failure over an intensity, and the curve with its band.
pub fn fragility_figure(key: &str, counts: &[Count], curve: Option<&Fragility>, labels: &Labels) -> Figure {
    let x = labels.x.clone().unwrap_or_else(|| parameter_label(key).0);
    let y = labels.y.clone().unwrap_or_else(|| "probability of failure".to_owned());
    let mut panel = Panel::new(Axis::new(x), Axis::new(y).range(0.0, 1.0));
    let ends = counts.first().zip(counts.last()).map(|(a, b)| (a.intensity, b.intensity));
    if let (Some(curve), Some((low, high))) = (curve, ends) {
        const POINTS: usize = 200;
        let at = |k: usize| low + (high - low) * k as f64 / (POINTS - 1) as f64;
        let band = (0..POINTS).map(|k| {
            let (_, [below, above]) = curve.at(at(k));
            (at(k), below, above)
        });
        panel = panel.add(Area::band(band).fill(series_color(0), 0.2).label("95 % band"));
        let line = Series::line((0..POINTS).map(|k| (at(k), curve.at(at(k)).0)));
        panel = panel.add(line.index(0).label(format!("θ = {:.4}, β = {:.3}", curve.median, curve.dispersion)));
    }
    let shares = counts.iter().map(|count| (count.intensity, count.failed as f64 / count.of.max(1) as f64));
    panel = panel.add(Series::scatter(shares).color(Color::BLACK).label("share of the cases"));
    Figure::single(panel).title(labels.title.clone().unwrap_or_default())
}

/// Whether values are spaced evenly by their logarithms.
fn is_logarithmic(values: &Values) -> bool {
    let Values::Numbers(list) = values else { return false };
    match list[..] {
        [a, b, .., y, z] if a > 0.0 && z > a => (b / a - z / y).abs() < 1e-6 * b / a && z / a > 5.0,
        _ => false,
    }
}
