//! Incremental dynamic analyses and fragilities as figures.

use delassus_figure::{Area, Axis, Color, Figure, Panel, Series, series_color};
use delassus_study::fragility::{Count, Fragility};
use delassus_study::incremental::{Incremental, PARTS};
use delassus_study::number;

use crate::labels::{Labels, measure_label, parameter_label, symbol_and_unit};

/// Cases up to which their curves are drawn wide.
const FEW: usize = 10;

/// Intensity over demand, a grey curve for each case that ends level where it fails, and the curves that 16, 50 and
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
    // The fractiles of few cases run along the curves of single ones, which are seen beside them only if they are wide.
    let (width, color) = if found.curves.len() > FEW { (0.5, 0x969696) } else { (4.0, 0xcfcfcf) };
    for (k, curve) in found.curves.iter().enumerate() {
        let mut points = curve.points.iter().map(|p| (if p.failed { f64::INFINITY } else { p.demand }, p.intensity));
        let line = Series::line(level(&mut points)).width(width).color(Color::hex(color));
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
