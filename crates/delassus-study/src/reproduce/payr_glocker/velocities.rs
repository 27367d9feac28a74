//! Figs. 9 and 10: the post-impact velocity ratio.

use std::f64::consts::PI;

use super::rod::{AFTER, BEFORE, Bar, Rod};
use crate::reproduce::numeric::{largest, linspace};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, CellGrid, Color, ColorMap, Dash, Field, Figure, Panel, Reference, Series};

const HALF: f64 = 8.0;

fn curve(bar: Bar, angle: f64, count: usize) -> Result<Vec<(f64, f64)>, StudyError> {
    let mut rod = Rod::new(bar, angle)?;
    linspace(-HALF, HALF, count).map(|ratio| Ok((ratio, rod.impact(ratio)?.ratio))).collect()
}

/// Largest step of a curve over its spacing: the slope is at most 1 in size where it is continuous.
fn steepest(points: &[(f64, f64)]) -> f64 {
    largest(points.windows(2).map(|w| ((w[1].1 - w[0].1) / (w[1].0 - w[0].0)).abs()))
}

pub(super) fn fig_9(found: &mut Findings) -> Result<(), StudyError> {
    let bar = Bar::elastic(0.5).asked(found)?;
    let angles = [(0.5 * PI, "π/2"), (0.25 * PI, "π/4")];
    let mut table = Table::new("", ["phi_rad", "gamma_t/gamma_n_before", "gamma_t/gamma_n_after"]);
    let mut panel = Panel::new(Axis::new(BEFORE).range(-HALF, HALF), Axis::new(AFTER));
    for (index, (angle, name)) in angles.into_iter().enumerate() {
        let points = curve(bar, angle, 801)?;
        let error = largest(points.iter().map(|&(x, y)| (y - bar.post_ratio(angle, x)).abs()));
        found.number(format!("largest deviation from (48)–(50), φ = {name}"), 0.0, error, 1e-10);
        found.number(format!("largest slope (continuity), φ = {name}"), 1.0, steepest(&points), 1e-9);
        for &(x, y) in &points {
            table.numbers([angle, x, y]);
        }
        let dash = if index == 0 { Dash::Solid } else { Dash::Dashed };
        panel = panel.add(Series::line(points).index(index).dash(dash).label(format!("φ = {name}")));
    }
    let mut rod = Rod::new(bar, 0.5 * PI)?;
    let edge = bar.boundary(0.5 * PI, 1.0);
    found.number("φ = π/2: γ_T⁺/γ_N⁺ at the end of stick, γ_T⁻/γ_N⁻ = 2", 2.0, rod.impact(edge)?.ratio, 1e-12);
    found.number(
        "φ = π/2: γ_T⁺/γ_N⁺ at the end of sign reversal, γ_T⁻/γ_N⁻ = 4",
        0.0,
        rod.impact(2.0 * edge)?.ratio,
        1e-12,
    );
    for (value, color, dash) in [(edge, Color::BLACK, Dash::Dotted), (2.0 * edge, Color::GREY, Dash::ShortDash)] {
        for sign in [-1.0, 1.0] {
            let line = Reference::vertical(sign * value).style(color, dash);
            let name = if dash == Dash::Dotted { "stick | slip, φ = π/2" } else { "reversal | none, φ = π/2" };
            panel = panel.add(if sign < 0.0 { line.label(name) } else { line });
        }
    }
    found.table(table);
    found.figure(
        Figure::single(panel.add(Reference::horizontal(0.0).style(Color::GREY, Dash::Solid))),
        "Post-impact velocity ratio for ε_N = ε_T = 1 and μ = 1/2.",
    );
    Ok(())
}

pub(super) fn fig_10(found: &mut Findings) -> Result<(), StudyError> {
    let bar = Bar::elastic(0.5).asked(found)?;
    let (columns, rows) = (201, 180);
    let mut values = Vec::with_capacity(columns * rows);
    let (mut error, mut slope) = (0f64, 0f64);
    let mut table = Table::new("", ["gamma_t/gamma_n_before", "phi_rad", "gamma_t/gamma_n_after"]);
    for row in 0..rows {
        let phi = PI * (row as f64 + 0.5) / rows as f64;
        let mut rod = Rod::new(bar, phi)?;
        let mut line = Vec::with_capacity(columns);
        for column in 0..columns {
            let ratio = HALF * (2.0 * column as f64 + 1.0 - columns as f64) / columns as f64;
            let ours = rod.impact(ratio)?.ratio;
            error = largest([error, (ours - bar.post_ratio(phi, ratio)).abs()]);
            table.numbers([ratio, phi, ours]);
            line.push((ratio, ours));
        }
        slope = largest([slope, steepest(&line)]);
        values.extend(line.iter().map(|p| p.1));
    }
    found.number("largest deviation from (48)–(50), 0 < φ < π", 0.0, error, 1e-10);
    found.number("largest slope along γ_T⁻/γ_N⁻ (continuity)", 1.0, slope, 1e-9);
    found.table(table);
    let field = Field::from_values(CellGrid::uniform((-HALF, HALF), columns, (0.0, PI), rows), values)
        .label(AFTER)
        .map(ColorMap::Diverging);
    let map = Panel::new(Axis::new(BEFORE).range(-HALF, HALF), Axis::new("φ [rad]").range(0.0, PI).pi()).add(field);
    let mut family = Panel::new(Axis::new(BEFORE).range(-HALF, HALF), Axis::new(AFTER));
    for (index, (part, name)) in
        [(1.0, "π/8"), (2.0, "π/4"), (3.0, "3π/8"), (4.0, "π/2"), (6.0, "3π/4")].into_iter().enumerate()
    {
        family = family.add(Series::line(curve(bar, part * PI / 8.0, 401)?).index(index).label(format!("φ = {name}")));
    }
    found.figure(
        Figure::grid(2, vec![map, family]),
        "Post-impact velocity ratio over pre-impact ratio and angle, ε_N = ε_T = 1, μ = 1/2: the surface of the \
         paper as a map, and sections through it.",
    );
    Ok(())
}
