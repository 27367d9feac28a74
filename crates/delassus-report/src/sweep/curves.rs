//! Measures over one parameter that is a number, a curve for each combination of the others.

use delassus::LawSpec;
use delassus_figure::{Axis, LegendPlace, Marker, Panel, Scale, Series, series_color};
use delassus_study::colors::law_number;

use super::columns::{Columns, Kind, number};
use crate::labels::{Labels, parameter_label, symbol_and_unit};

/// The rows of one combination of the other parameters.
pub(crate) struct Curve<'a> {
    /// The values of the other parameters.
    pub name: String,
    pub rows: Vec<&'a [String]>,
}

/// The curves along the parameter of index `along`.
pub(crate) fn curves<'a>(table: &'a Columns, along: &[usize]) -> Vec<Curve<'a>> {
    let mut curves: Vec<Curve<'a>> = Vec::new();
    for row in &table.rows {
        let others = (0..table.kinds.len()).filter(|k| !along.contains(k)).map(|k| match table.kinds[k] {
            Kind::Words => row[1 + k].clone(),
            _ => {
                let label = parameter_label(&table.head[1 + k]).0;
                let (symbol, unit) = symbol_and_unit(&label);
                format!("{symbol} = {}{unit}", row[1 + k])
            }
        });
        let name = others.collect::<Vec<_>>().join(", ");
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.rows.push(row),
            None => curves.push(Curve { name, rows: vec![row] }),
        }
    }
    curves
}

/// The number of a curve's colour: that of its law where curves are told apart by laws, else its place.
fn color_of(curves: &[Curve<'_>], place: usize) -> usize {
    let known = |curve: &Curve<'_>| LawSpec::by_name(&curve.name).is_some();
    if curves.iter().all(known) { law_number(&curves[place].name) } else { place }
}

/// A measure that is a number; `None` where there is nothing to draw. Cases that overturn are marked at the top, since
/// their largest angle is only where the run ended.
pub(crate) fn panel(
    table: &Columns,
    curves: &[Curve<'_>],
    along: usize,
    column: usize,
    labels: &Labels,
) -> Option<Panel> {
    let measure = table.head[column].as_str();
    let angular = ["tilt", "angle"].contains(&measure);
    let overturned = |row: &[String]| angular && table.status(row).0 == "overturned";
    let x = |row: &[String]| number(&row[1 + along]);
    let y = |row: &[String]| if overturned(row) { f64::NAN } else { number(&row[column]) };
    let top = curves.iter().flat_map(|curve| &curve.rows).map(|row| y(row)).fold(f64::NAN, f64::max);
    let fallen =
        |curve: &Curve<'_>| -> Vec<f64> { curve.rows.iter().filter(|row| overturned(row)).map(|row| x(row)).collect() };
    let fallen: Vec<Vec<f64>> = curves.iter().map(fallen).collect();
    if top.is_nan() && fallen.iter().all(Vec::is_empty) {
        return None;
    }
    let drawn = curves.iter().enumerate().flat_map(|(k, curve)| {
        let points: Vec<(f64, f64)> = curve.rows.iter().map(|row| (x(row), y(row))).collect();
        // A line leads from one value to the next; values in no order, or several times the same, are dots.
        let rises = points.windows(2).all(|w| w[0].0 < w[1].0) || points.windows(2).all(|w| w[0].0 > w[1].0);
        // What has no neighbour to lead to is a dot.
        let lonely = Series::scatter(if rises { alone(&points) } else { Vec::new() });
        let series = if rises { Series::line(points) } else { Series::scatter(points).marker_size(2.6) };
        let color = color_of(curves, k);
        let lonely = lonely.index(color).marker(Marker::Circle).marker_size(2.6);
        [series.index(color).label(&curve.name), lonely].into_iter().filter(|series| !series.points.is_empty())
    });
    let y_axis = Axis::new(labels.y.clone().unwrap_or_else(|| table.label(column)));
    let mut panel = Panel::new(x_axis(table, along, labels), y_axis).extend(drawn);
    // A row of marks for each curve; the tilt of balance is 1, which a block may pass and stand again.
    let top = if top.is_nan() { 1.0 } else { top };
    let first = if measure == "tilt" && top <= 1.0 { 1.0 } else { 1.05 * top };
    let mut label = "overturned";
    for (k, fallen) in fallen.into_iter().enumerate().filter(|(_, fallen)| !fallen.is_empty()) {
        let height = first * (1.0 + 0.04 * k as f64);
        let marks = Series::scatter(fallen.into_iter().map(|x| (x, height))).color(series_color(color_of(curves, k)));
        panel = panel.add(marks.marker(Marker::Cross).label(std::mem::take(&mut label)));
    }
    Some(panel)
}

/// The points of a line that stand between gaps, so that no part of the line is drawn there.
fn alone(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let drawn = |k: Option<usize>| k.and_then(|k| points.get(k)).is_some_and(|point| point.1.is_finite());
    let is_alone = |k: usize| drawn(Some(k)) && !drawn(k.checked_sub(1)) && !drawn(Some(k + 1));
    (0..points.len()).filter(|k| is_alone(*k)).map(|k| points[k]).collect()
}

/// A measure in words, or the status: which word holds where, a line for each word.
pub(crate) fn word_panel(table: &Columns, curves: &[Curve<'_>], along: usize, column: usize) -> Panel {
    let words = words(table, column);
    let place = |row: &[String]| words.iter().position(|word| *word == first_word(&row[column]));
    // Curves lie a little above one another, so that none hides another.
    let shift = |k: usize| (k as f64 - 0.5 * (curves.len() as f64 - 1.0)) * (0.6 / curves.len() as f64).min(0.12);
    let drawn = curves.iter().enumerate().map(|(k, curve)| {
        let points = curve.rows.iter().filter_map(|row| Some((number(&row[1 + along]), place(row)? as f64 + shift(k))));
        Series::scatter(points).index(color_of(curves, k)).marker_size(3.0).label(&curve.name)
    });
    let ticks = words.iter().enumerate().map(|(k, word)| (k as f64, *word));
    let y = Axis::new(table.label(column)).range(-0.6, words.len() as f64 - 0.4).ticks_at(ticks);
    Panel::new(x_axis(table, along, &Labels::default()), y).extend(drawn).legend(LegendPlace::Below)
}

/// The different words of a column, without the reasons behind them; empty fields are none.
pub(crate) fn words(table: &Columns, column: usize) -> Vec<&str> {
    let mut words: Vec<&str> = table.distinct(column).into_iter().map(first_word).filter(|w| !w.is_empty()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// A status or word up to its reason.
pub(crate) fn first_word(text: &str) -> &str {
    text.split_once(": ").map_or(text, |(word, _)| word)
}

pub(crate) fn x_axis(table: &Columns, along: usize, labels: &Labels) -> Axis {
    let mut x = Axis::new(labels.x.clone().unwrap_or_else(|| parameter_label(&table.head[1 + along]).0));
    if table.kinds[along] == Kind::Logarithmic {
        x.scale = Scale::Log;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_between_gaps_stand_alone() {
        let points = [1.0, f64::NAN, 3.0, 4.0, f64::NAN, 6.0, f64::NAN].map(|v| (v, v));
        let found: Vec<f64> = alone(&points).iter().map(|point| point.1).collect();
        assert_eq!(found, [1.0, 6.0]);
        assert_eq!(alone(&[(0.0, 2.0)]).len(), 1);
        assert!(alone(&[(0.0, f64::NAN)]).is_empty());
    }
}
