//! Figs. 4, 5, 7, 8 and 11: impact states and signs over velocity ratio and angle.

use std::f64::consts::PI;

use super::rod::{Bar, Impact, Regime, Rod};
use crate::figure::{Axis, Category, Color, Dash, Figure, Grid, LegendPlace, Panel, Reference, Regions, Series};
use crate::reproduce::numeric::{linspace, switch};
use crate::reproduce::{Findings, StudyError, Table};

const COLUMNS: usize = 241;
const ROWS: usize = 180;
/// A ratio that stands for ±∞.
const FLAT: f64 = 1e7;

/// A map over (γ_T⁻/γ_N⁻, φ).
struct Map {
    bar: Bar,
    /// The ratio runs over ±`half`.
    half: f64,
    impacts: Vec<Impact>,
}

impl Map {
    fn new(bar: Bar, half: f64) -> Result<Map, StudyError> {
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

    /// Centre of a column; that of the middle one is exactly 0.
    fn ratio(half: f64, column: usize) -> f64 {
        half * (2.0 * column as f64 + 1.0 - COLUMNS as f64) / COLUMNS as f64
    }

    fn cells(&self) -> impl Iterator<Item = (f64, f64, Impact)> + '_ {
        let at = |k: usize| (Self::ratio(self.half, k % COLUMNS), Self::angle(k / COLUMNS));
        self.impacts.iter().enumerate().map(move |(k, &impact)| (at(k).0, at(k).1, impact))
    }

    fn regions(&self, names: &[&str], category: impl Fn(f64, Impact) -> usize) -> Regions {
        let grid = Grid::uniform((-self.half, self.half), COLUMNS, (0.0, PI), ROWS);
        let cells = self.cells().map(|(ratio, _, impact)| category(ratio, impact)).collect();
        Regions::from_cells(grid, names.iter().map(|&n| Category::new(n)).collect(), cells)
    }

    /// The boundary of stick with slip on one side (σ = ±1), found by bisection on impacts.
    fn traced(&self, side: f64) -> Result<Vec<(f64, f64)>, StudyError> {
        let edge = |phi| boundary(self.bar, phi, side, self.half).map(|ratio| (ratio, phi));
        linspace(0.001, PI - 0.001, 361).map(edge).collect()
    }

    fn panel(&self, regions: Regions) -> Result<Panel, StudyError> {
        let x = Axis::new("γ_T⁻/γ_N⁻").range(-self.half, self.half);
        let mut panel = Panel::new(x, Axis::new("φ [rad]").range(0.0, PI).pi()).add(regions);
        for (side, label) in [(-1.0, "boundary of stick"), (1.0, "")] {
            let line = Series::line(self.traced(side)?).color(Color::BLACK).width(1.6);
            panel = panel.add(if label.is_empty() { line } else { line.label(label) });
        }
        Ok(panel.legend(LegendPlace::Below))
    }

    fn table(&self) -> Table {
        let mut table = Table::new("", ["gamma_t/gamma_n_before", "phi_rad", "state", "gamma_t/gamma_n_after"]);
        for (ratio, phi, impact) in self.cells() {
            table.row([ratio.into(), phi.into(), impact.regime.name().into(), impact.ratio.into()]);
        }
        table
    }

    /// Largest deviation of γ_T⁺/γ_N⁺ from (48)–(50).
    fn deviation(&self) -> f64 {
        let error = |(ratio, phi, impact): (f64, f64, Impact)| {
            let formula = self.bar.post_ratio(phi, ratio);
            (impact.ratio - formula).abs() / (1.0 + formula.abs())
        };
        self.cells().map(error).fold(0.0, f64::max)
    }
}

fn boundary(bar: Bar, angle: f64, side: f64, half: f64) -> Result<f64, StudyError> {
    let mut rod = Rod::new(bar, angle)?;
    let slip = if side > 0.0 { Regime::BackwardSlip } else { Regime::ForwardSlip };
    switch(-half, half, |ratio| Ok(rod.impact(ratio)?.regime == slip))
}

fn compare_boundaries(found: &mut Findings, bar: Bar, degrees: &[f64]) -> Result<(), StudyError> {
    for &phi in degrees {
        for (side, name) in [(1.0, "(34), backward slip"), (-1.0, "(47), forward slip")] {
            let formula = bar.boundary(phi.to_radians(), side);
            if formula.is_finite() {
                let traced = boundary(bar, phi.to_radians(), side, 1e3)?;
                found.number(format!("boundary {name}, φ = {phi}°"), formula, traced, 1e-9 * (1.0 + formula.abs()));
            }
        }
    }
    Ok(())
}

/// The map is symmetric about (0, π/2).
fn compare_symmetry(found: &mut Findings, map: &Map) {
    let mirror = |regime| match regime {
        Regime::ForwardSlip => Regime::BackwardSlip,
        Regime::Stick => Regime::Stick,
        Regime::BackwardSlip => Regime::ForwardSlip,
    };
    let pairs = map.impacts.iter().zip(map.impacts.iter().rev());
    let broken = pairs.filter(|(a, b)| a.regime != mirror(b.regime)).count();
    found.number("cells that break the symmetry about (0, π/2)", 0.0, broken as f64, 0.0);
}

fn states(found: &mut Findings, bar: Bar, half: f64, degrees: &[f64]) -> Result<Panel, StudyError> {
    let map = Map::new(bar, half)?;
    compare_boundaries(found, bar, degrees)?;
    compare_symmetry(found, &map);
    found.table(map.table());
    map.panel(map.regions(&Regime::NAMES, |_, impact| impact.regime as usize))
}

pub(super) fn fig_4(found: &mut Findings) -> Result<(), StudyError> {
    let bar = Bar::elastic(0.5);
    let panel = states(found, bar, 6.0, &[30.0, 63.435, 90.0, 135.0])?;
    let all = linspace(1.0, 179.0, 179).try_fold(true, |all, phi| {
        let mut rod = Rod::new(bar, phi.to_radians())?;
        let ends = rod.impact(-FLAT)?.regime == Regime::ForwardSlip && rod.impact(FLAT)?.regime == Regime::BackwardSlip;
        let between = 0.5 * (bar.boundary(phi.to_radians(), 1.0) + bar.boundary(phi.to_radians(), -1.0));
        Ok::<_, StudyError>(all && ends && rod.impact(between)?.regime == Regime::Stick)
    })?;
    let ours = if all { "yes, at 179 angles" } else { "no" };
    found.claim("all three states at every angle", "yes", ours, all);
    found.figure(
        Figure::single(panel),
        "States of the impact for ε_N = ε_T = 1, μ = 1/2, Θ = ms²/3. Cells: the state Newton's law gives; lines: \
         its boundaries, found by bisection.",
    );
    Ok(())
}

pub(super) fn fig_5(found: &mut Findings) -> Result<(), StudyError> {
    let bar = Bar::elastic(5.0 / 3.0);
    let mut panel = states(found, bar, 10.0, &[20.0, 60.0, 85.0, 120.0])?;
    // μδ = α: tan²φ − 5 tan φ + 4 = 0.
    let forward = |phi: f64| Ok(Rod::new(bar, phi)?.impact(-FLAT)?.regime == Regime::ForwardSlip);
    for (tan, from, to) in [(1.0f64, 0.1, 1.1), (4.0, 1.1, 1.5)] {
        let singular = switch(from, to, forward)?;
        found.number(format!("angle with μδ = α, tan φ = {tan} [rad]"), tan.atan(), singular, 1e-5);
        for angle in [singular, PI - singular] {
            panel = panel.add(Reference::horizontal(angle).style(Color::BLACK, Dash::Dashed));
        }
    }
    let band = linspace(46.0, 75.0, 30).try_fold(true, |all, phi| {
        let lower = Rod::new(bar, phi.to_radians())?.impact(-FLAT)?.regime == Regime::Stick;
        let upper = Rod::new(bar, PI - phi.to_radians())?.impact(FLAT)?.regime == Regime::Stick;
        Ok::<_, StudyError>(all && lower && upper)
    })?;
    found.claim(
        "shaded bands 45° < φ < 75.96° and mirrored",
        "one slip state cannot occur; stick is unbounded",
        if band { "stick at γ_T⁻/γ_N⁻ = ∓10⁷, at all of 30 angles" } else { "slip occurs" },
        band,
    );
    found.figure(
        Figure::single(panel),
        "States of the impact for ε_N = ε_T = 1, μ = 5/3. Between the dashed lines one of the slip states does not exist.",
    );
    Ok(())
}

const SIGNS: [&str; 3] = ["γ_T⁺/γ_N⁺ < 0", "γ_T⁺/γ_N⁺ = 0", "γ_T⁺/γ_N⁺ > 0"];

fn sign_of(impact: Impact) -> usize {
    if impact.ratio > 0.0 { 2 } else { usize::from(impact.ratio == 0.0) }
}

fn sign_panel(map: &Map) -> Result<Panel, StudyError> {
    let mut regions = map.regions(&SIGNS, |_, impact| sign_of(impact)).edges();
    for (category, color) in regions.categories.iter_mut().zip([0xb9c6d3, 0xffe9b0, 0xffffff]) {
        category.color = Some(Color::hex(color));
    }
    map.panel(regions)
}

fn signs(found: &mut Findings, friction: f64, half: f64, degrees: &[f64]) -> Result<(), StudyError> {
    let bar = Bar::elastic(friction);
    let map = Map::new(bar, half)?;
    found.number("largest deviation of γ_T⁺/γ_N⁺ from (48)–(50) over the map", 0.0, map.deviation(), 1e-9);
    for &phi in degrees {
        let angle = phi.to_radians();
        let edge = bar.boundary(angle, 1.0);
        let mut rod = Rod::new(bar, angle)?;
        let ours = switch(edge, 1e3, |ratio| Ok(rod.impact(ratio)?.ratio > 0.0))?;
        found.number(format!("end of sign reversal in backward slip, φ = {phi}°"), 2.0 * edge, ours, 1e-8);
    }
    let mut stick = map.cells().filter(|(ratio, _, impact)| impact.regime == Regime::Stick && *ratio != 0.0);
    let reversed = stick.all(|(ratio, _, impact)| impact.ratio * ratio > 0.0);
    found.claim(
        "sign reversal of γ_T in stick",
        "in the entire stick area",
        if reversed { "in every stick cell" } else { "not in every stick cell" },
        reversed,
    );
    let slip = map.cells().any(|(ratio, _, impact)| impact.regime != Regime::Stick && impact.ratio * ratio > 0.0);
    found.claim("sign reversal in slip", "in some bordering area", if slip { "occurs" } else { "absent" }, slip);
    found.table(map.table());
    found.figure(
        Figure::single(sign_panel(&map)?),
        "Sign of γ_T⁺/γ_N⁺ with the boundaries of the impact states; sign reversal of γ_T: white on the right half, \
         grey on the left.",
    );
    Ok(())
}

pub(super) fn fig_7(found: &mut Findings) -> Result<(), StudyError> {
    signs(found, 0.5, 6.0, &[60.0, 90.0, 120.0])
}

pub(super) fn fig_8(found: &mut Findings) -> Result<(), StudyError> {
    signs(found, 5.0 / 3.0, 10.0, &[60.0, 85.0])
}

pub(super) fn fig_11(found: &mut Findings) -> Result<(), StudyError> {
    let sphere = 0.4;
    let bar = Bar { inertia: sphere, friction: 0.6, restitution: 1.0, restitution_tangential: 0.0 };
    let map = Map::new(bar, 10.0)?;
    found.number("largest deviation of γ_T⁺/γ_N⁺ from (48)–(50) over the map", 0.0, map.deviation(), 1e-9);
    compare_boundaries(found, bar, &[45.0, 90.0])?;
    let edge = bar.friction * (1.0 + 1.0 / sphere) * 2.0;
    let ours = |side| boundary(bar, 0.5 * PI, side, 1e3);
    found.number("sphere: backward slip from γ_T⁻/γ_N⁻ = μ(1 + 1/K)(1 + ε_N)/(1 + ε_T), (51)", edge, ours(1.0)?, 1e-9);
    found.corrected(
        "sphere: forward slip up to, (53)",
        edge,
        -edge,
        ours(-1.0)?,
        1e-9,
        "(53) lacks a minus sign: forward slip if γ_T⁻/γ_N⁻ ≤ −μ(1 + 1/K)(1 + ε_N)/(1 + ε_T), as (47) gives at φ = π/2.",
    );
    let mut rod = Rod::new(bar, 0.5 * PI)?;
    let reversal = linspace(-10.0, 10.0, 401)
        .try_fold(false, |any, ratio| Ok::<_, StudyError>(any || rod.impact(ratio)?.ratio * ratio > 0.0))?;
    let ours = if reversal { "occurs" } else { "none at 401 ratios" };
    found.claim("sphere: sign reversal for ε_T = 0", "cannot occur", ours, !reversal);
    found.table(map.table());
    found.figure(
        Figure::single(sign_panel(&map)?),
        "Bar with the moment of inertia of a sphere (K = 2/5), ε_N = 1, ε_T = 0, μ = 3/5; the sphere itself is φ = π/2.",
    );
    Ok(())
}
