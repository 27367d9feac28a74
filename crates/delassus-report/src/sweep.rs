//! Sweeps, shown: rows as comma-separated values, curves over one parameter as a figure.

use delassus_figure::{Area, Axis, Color, Figure, Marker, Panel, Scale, Series, series_color};
use delassus_io::{csv_number, push_csv_row};
use delassus_study::fragility::{Count, Fragility};
use delassus_study::incremental::{Incremental, PARTS};
use delassus_study::number;
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

/// The measures that are numbers as curves over one parameter that is one, a panel for each measure; other
/// parameters divide the curves. Where several parameters are numbers, `along` says which. Cases that overturn are
/// marked at the top, since their largest angle is only where the run ended. `rows` in the order of cases, as texts.
///
/// # Errors
/// Why there is no such figure.
pub fn figure(sweep: &Sweep, rows: &[Vec<String>], along: Option<&str>, labels: &Labels) -> Result<Figure, String> {
    let vary = sweep.plan().vary();
    let is_along = |k: &usize| match along {
        Some(key) => vary[*k].key == key,
        None => !matches!(vary[*k].values, Values::Words(_)),
    };
    let numbers: Vec<usize> = (0..vary.len()).filter(is_along).collect();
    let [along] = numbers[..] else {
        return Err(format!("a figure needs one parameter that is a number; here are {}", numbers.len()));
    };
    let number = |text: &String| text.parse::<f64>().unwrap_or(f64::NAN);
    let columns = sweep.columns();
    let (x_label, _) = parameter_label(&vary[along].key);
    let name = |row: &[String]| {
        let others = (0..vary.len()).filter(|&k| k != along).map(|k| match vary[k].values {
            Values::Words(_) => row[1 + k].clone(),
            _ => {
                let label = parameter_label(&vary[k].key).0;
                let (symbol, unit) = symbol_and_unit(&label);
                format!("{symbol} = {}{unit}", row[1 + k])
            }
        });
        others.collect::<Vec<_>>().join(", ")
    };
    let mut panels = Vec::new();
    for column in sweep.measured() {
        let angular = ["tilt", "angle"].contains(&columns[column].as_str());
        let overturned = |row: &[String]| angular && row[sweep.measured().end] == "overturned";
        let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for row in rows {
            let name = name(row);
            let place = curves.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                curves.push((name, Vec::new()));
                curves.len() - 1
            });
            let y = if overturned(row) { f64::NAN } else { number(&row[column]) };
            curves[place].1.push((number(&row[1 + along]), y));
        }
        let top = curves.iter().flat_map(|(_, points)| points).map(|point| point.1).fold(f64::NAN, f64::max);
        let fallen: Vec<Vec<f64>> = curves
            .iter()
            .map(|(known, _)| {
                let rows = rows.iter().filter(|row| overturned(row) && name(row) == *known);
                rows.map(|row| number(&row[1 + along])).collect()
            })
            .collect();
        if top.is_nan() && fallen.iter().all(Vec::is_empty) {
            continue;
        }
        let drawn = curves.into_iter().enumerate().map(|(k, (name, points))| {
            let series = match vary[along].values {
                Values::Sampled(_) => Series::scatter(points),
                _ => Series::line(points),
            };
            series.index(k).label(name)
        });
        let y_label = labels.y.clone().unwrap_or_else(|| measure_label(&columns[column]));
        let mut x = Axis::new(labels.x.clone().unwrap_or_else(|| x_label.clone()));
        if is_logarithmic(&vary[along].values) {
            x.scale = Scale::Log;
        }
        let mut panel = Panel::new(x, Axis::new(y_label)).extend(drawn);
        // A row of marks for each curve; the tilt of balance is 1.
        let first = if columns[column] == "tilt" { 1.0 } else { 1.05 * if top.is_nan() { 1.0 } else { top } };
        let mut label = "overturned";
        for (k, fallen) in fallen.into_iter().enumerate().filter(|(_, fallen)| !fallen.is_empty()) {
            let height = first * (1.0 + 0.04 * k as f64);
            let marks = Series::scatter(fallen.into_iter().map(|x| (x, height))).color(series_color(k));
            panel = panel.add(marks.marker(Marker::Cross).label(std::mem::take(&mut label)));
        }
        panels.push(panel);
    }
    let figure = match panels.len() {
        0 => return Err("none of the measures is a number".to_owned()),
        1 => Figure::single(panels.remove(0)),
        _ => Figure::grid(2, panels),
    };
    Ok(figure.title(labels.title.clone().unwrap_or_default()))
}

/// Intensity over demand, a thin curve for each case that ends level where it fails, and the curves that 16, 50 and
/// 84 % of the cases do not exceed.
pub fn incremental_figure(key: &str, measure: &str, found: &Incremental, labels: &Labels) -> Figure {
    let stands = found.curves.iter().flat_map(|curve| &curve.points).filter(|p| !p.failed && p.demand.is_finite());
    let largest = stands.map(|point| point.demand).fold(0.0, f64::max);
    // A tilt of 1 is where the block balances.
    let end = if measure == "tilt" { (1.05 * largest).clamp(1.0, 1.5) } else { 1.1 * largest };
    let x = labels.x.clone().unwrap_or_else(|| measure_label(measure));
    let y = labels.y.clone().unwrap_or_else(|| parameter_label(key).0);
    let mut panel = Panel::new(Axis::new(x).range(0.0, if end > 0.0 { end } else { 1.0 }), Axis::new(y));
    // Up to the first failure, then level to the edge.
    let level = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let mut line = vec![(0.0, 0.0)];
        for (demand, intensity) in points {
            if demand.is_infinite() {
                let last = line.last().map_or(0.0, |point| point.0);
                line.extend([(last, intensity), (end, intensity)]);
                break;
            }
            line.push((demand, intensity));
        }
        line
    };
    for (k, curve) in found.curves.iter().enumerate() {
        let mut points = curve.points.iter().map(|p| (if p.failed { f64::INFINITY } else { p.demand }, p.intensity));
        let line = Series::line(level(&mut points)).width(0.5).color(Color::hex(0x969696));
        panel = panel.add(if k == 0 { line.label("one case") } else { line });
    }
    if found.curves.len() > 1 {
        for (k, part) in PARTS.iter().enumerate() {
            let mut points = found.fractiles.iter().map(|(intensity, demand)| (demand[k], *intensity));
            let line = Series::line(level(&mut points)).width(if k == 1 { 2.0 } else { 1.2 }).index(k);
            panel = panel.add(line.label(format!("{:.0} %", 100.0 * part)));
        }
    }
    Figure::single(panel).title(labels.title.clone().unwrap_or_default())
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
        let label = parameter_label(key).0;
        let (median, unit) = (number::format(curve.median, 0.0), symbol_and_unit(&label).1);
        panel = panel.add(line.index(0).label(format!("θ = {median}{unit}, β = {:.3}", curve.dispersion)));
    }
    let shares = counts.iter().map(|count| (count.intensity, count.failed as f64 / count.of.max(1) as f64));
    panel = panel.add(Series::scatter(shares).color(Color::BLACK).label("share of the cases"));
    Figure::single(panel).title(labels.title.clone().unwrap_or_default())
}

/// The two parts of a label such as `L [m]`; the unit with a space before it, or nothing.
fn symbol_and_unit(label: &str) -> (&str, String) {
    match label.split_once(" [") {
        Some((symbol, unit)) => (symbol, format!(" {}", unit.trim_end_matches(']'))),
        None => (label, String::new()),
    }
}

/// Whether values are spaced evenly by their logarithms.
fn is_logarithmic(values: &Values) -> bool {
    let Values::Numbers(list) = values else { return false };
    match list[..] {
        [a, b, .., y, z] if a > 0.0 && z > a => (b / a - z / y).abs() < 1e-6 * b / a && z / a > 5.0,
        _ => false,
    }
}
