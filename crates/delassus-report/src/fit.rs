//! A fit as a figure: measured points and what the model says.

use delassus_figure::{Axis, Color, Dash, Figure, Marker, Panel, Series};
use delassus_io::state_unit;

/// One measured column.
#[derive(Debug, Clone)]
pub struct Column<'a> {
    /// Its name.
    pub name: &'a str,
    /// What was measured; NaN for nothing.
    pub measured: &'a [f64],
    /// What the model says.
    pub predicted: &'a [f64],
}

/// Over what measurements are drawn.
#[derive(Debug, Clone, Copy)]
pub enum Over<'a> {
    /// The time of a motion, whose positions and velocities were measured.
    Time,
    /// A given number of impacts, or their number in the table.
    Given(&'a str),
}

/// A panel for each column over common abscissae.
pub fn figure(over: Over<'_>, x: &[f64], columns: &[Column<'_>], title: &str) -> Figure {
    let x_label = if let Over::Given(key) = over { key } else { "t [s]" };
    let y_label = |name: &str| match over {
        Over::Time => format!("{name} [{}]", state_unit(name)),
        Over::Given(_) => format!("measured.{name}"),
    };
    let panel = |column: &Column<'_>| {
        let points = |values: &[f64]| x.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>();
        let mut predicted = points(column.predicted);
        predicted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let measured = Series::scatter(points(column.measured)).color(Color::BLACK).marker(Marker::Circle);
        Panel::new(Axis::new(x_label), Axis::new(y_label(column.name)))
            .add(measured.marker_size(3.0).label("measured"))
            .add(Series::line(predicted).index(1).dash(Dash::Solid).label("model"))
    };
    let mut panels: Vec<Panel> = columns.iter().map(panel).collect();
    let figure = if panels.len() == 1 { Figure::single(panels.remove(0)) } else { Figure::grid(2, panels) };
    figure.title(title)
}
