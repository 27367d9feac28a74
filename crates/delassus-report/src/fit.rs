//! A fit as a figure: measured points and what the model says.

use delassus_figure::{Axis, Color, Dash, Figure, Marker, Panel, Series};
use delassus_io::state_unit;

use crate::labels::{measure_label, parameter_label};

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
    let x_label = match over {
        Over::Time => "t [s]".to_owned(),
        Over::Given(key) => parameter_label(key).0,
    };
    let y_label = |name: &str| match over {
        Over::Time => format!("{name} [{}]", state_unit(name)),
        Over::Given(_) => measure_label(name),
    };
    let panel = |column: &Column<'_>| {
        let points = |values: &[f64]| x.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>();
        let mut predicted = points(column.predicted);
        predicted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let measured = Series::scatter(points(column.measured)).color(Color::BLACK).marker(Marker::Circle);
        Panel::new(Axis::new(x_label.as_str()), Axis::new(y_label(column.name)))
            .add(measured.marker_size(3.0).label("measured"))
            .add(Series::line(predicted).index(1).dash(Dash::Solid).label("model"))
    };
    let mut panels: Vec<Panel> = columns.iter().map(panel).collect();
    let figure = if panels.len() == 1 { Figure::single(panels.remove(0)) } else { Figure::grid(2, panels) };
    figure.title(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_symbols_and_units() {
        let column = |name| Column { name, measured: &[1.0], predicted: &[1.0] };
        let labels = |over, name| {
            let panel = figure(over, &[0.0], &[column(name)], "").panels.remove(0);
            [panel.x.label, panel.y.label]
        };
        let impact = labels(Over::Given("contact.C.friction"), "velocity[0]");
        assert_eq!(impact, ["μ (contact.C)", "u_{0}^{+} [m/s or rad/s]"]);
        assert_eq!(labels(Over::Given("impact"), "gamma:C")[0], "impact");
        assert_eq!(labels(Over::Time, "block.theta"), ["t [s]", "block.theta [rad]"]);
    }
}
