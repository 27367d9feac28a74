//! Maps of the impact over velocity ratio and angle, and the curves that divide them.

use std::f64::consts::PI;

use super::rod::{BEFORE, Bar, Impact, Regime, Rod};
use crate::colors::categories;
use crate::reproduce::numeric::{largest, linspace, switch};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, CellGrid, Color, LegendPlace, Panel, Regions, Series};

/// Even, so that no column lies at the ratio 0, where γ_T⁻ has no sign.
const COLUMNS: usize = 360;
const ROWS: usize = 270;
/// Curves are traced to this ratio, beyond every figure.
pub(super) const REACH: f64 = 1e3;
/// A ratio that stands for ±∞.
pub(super) const FLAT: f64 = 1e7;

/// A map over (γ_T⁻/γ_N⁻, φ).
pub(super) struct Map {
    pub bar: Bar,
    /// The ratio runs over ±`half`.
    pub half: f64,
    pub impacts: Vec<Impact>,
}

impl Map {
    pub(super) fn new(bar: Bar, half: f64) -> Result<Map, StudyError> {
        let mut impacts = Vec::with_capacity(COLUMNS * ROWS);
        for row in 0..ROWS {
            let mut rod = Rod::new(bar, Self::angle(row))?;
            for column in 0..COLUMNS {
                impacts.push(rod.impact(Self::ratio(half, column))?);
            }
        }
        Ok(Map { bar, half, impacts })
    }

    /// Centre of a row.
    fn angle(row: usize) -> f64 {
        PI * (row as f64 + 0.5) / ROWS as f64
    }

    /// Centre of a column.
    fn ratio(half: f64, column: usize) -> f64 {
        half * (2.0 * column as f64 + 1.0 - COLUMNS as f64) / COLUMNS as f64
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = (f64, f64, Impact)> + '_ {
        let at = |k: usize| (Self::ratio(self.half, k % COLUMNS), Self::angle(k / COLUMNS));
        self.impacts.iter().enumerate().map(move |(k, &impact)| (at(k).0, at(k).1, impact))
    }

    pub(super) fn regions(&self, names: &[&str], category: impl Fn(Impact) -> usize) -> Regions {
        let grid = CellGrid::uniform((-self.half, self.half), COLUMNS, (0.0, PI), ROWS);
        let cells = self.impacts.iter().map(|&impact| category(impact)).collect();
        Regions::from_cells(grid, categories(names), cells)
    }

    pub(super) fn panel(&self, regions: Regions, curves: &[Curves]) -> Panel {
        let x = Axis::new(BEFORE).range(-self.half, self.half);
        let mut panel = Panel::new(x, Axis::new("φ [rad]").range(0.0, PI).pi()).add(regions);
        for side in 0..2 {
            let line = Series::line(curves.iter().map(|c| (c.stick[side], c.angle))).color(Color::BLACK).width(1.6);
            panel = panel.add(if side == 0 { line.label("boundary of stick") } else { line });
        }
        panel.legend(LegendPlace::Below)
    }

    /// Largest deviation of γ_T⁺/γ_N⁺ from (48)–(50).
    pub(super) fn deviation(&self) -> f64 {
        let error = |(ratio, phi, impact): (f64, f64, Impact)| {
            let formula = self.bar.post_ratio(phi, ratio);
            (impact.ratio - formula).abs() / (1.0 + formula.abs())
        };
        largest(self.cells().map(error))
    }
}

/// Velocity ratios at which something changes, found by bisection on impacts; NaN for none.
pub(super) struct Curves {
    pub angle: f64,
    /// Forward slip ends, backward slip begins.
    pub stick: [f64; 2],
    /// γ_T⁺ changes its sign within forward and backward slip.
    pub sign: [f64; 2],
}

/// The curves at 721 angles, the ratio up to `reach` in size.
pub(super) fn trace(bar: Bar, reach: f64) -> Result<Vec<Curves>, StudyError> {
    let at = |angle: f64| {
        let stick = [boundary(bar, angle, -1.0, reach)?, boundary(bar, angle, 1.0, reach)?];
        let mut rod = Rod::new(bar, angle)?;
        let mut change = |edge: f64, end: f64| match edge.is_finite() {
            true => switch(edge, end, |ratio| Ok(rod.impact(ratio)?.ratio > 0.0)),
            false => Ok(f64::NAN),
        };
        Ok(Curves { angle, stick, sign: [change(stick[0], -reach)?, change(stick[1], reach)?] })
    };
    linspace(0.001, PI - 0.001, 721).map(at).collect()
}

pub(super) fn curve_table(curves: &[Curves]) -> Table {
    let mut table = Table::new(
        "",
        ["phi_rad", "forward_slip_ends", "backward_slip_begins", "sign_change_forward", "sign_change_backward"],
    );
    for c in curves {
        table.numbers([c.angle, c.stick[0], c.stick[1], c.sign[0], c.sign[1]]);
    }
    table
}

pub(super) fn boundary(bar: Bar, angle: f64, side: f64, half: f64) -> Result<f64, StudyError> {
    let mut rod = Rod::new(bar, angle)?;
    let slip = if side > 0.0 { Regime::BackwardSlip } else { Regime::ForwardSlip };
    switch(-half, half, |ratio| Ok(rod.impact(ratio)?.regime == slip))
}

pub(super) fn compare_boundaries(found: &mut Findings, bar: Bar, degrees: &[f64]) -> Result<(), StudyError> {
    for &phi in degrees {
        for (side, name) in [(1.0, "(34), backward slip"), (-1.0, "(47), forward slip")] {
            let formula = bar.boundary(phi.to_radians(), side);
            if formula.is_finite() {
                let traced = boundary(bar, phi.to_radians(), side, REACH)?;
                found.number(format!("boundary {name}, φ = {phi}°"), formula, traced, 1e-9 * (1.0 + formula.abs()));
            }
        }
    }
    Ok(())
}
