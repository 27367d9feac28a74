//! Figs. 4 and 5: impact states over velocity ratio and angle.

use std::f64::consts::PI;

use super::map::{FLAT, Map, REACH, compare_boundaries, curve_table, trace};
use super::rod::{Bar, Regime, Rod};
use crate::reproduce::numeric::{linspace, switch};
use crate::reproduce::{Findings, StudyError};
use delassus_figure::{Color, Dash, Figure, Panel, Reference};

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
    let curves = trace(bar, REACH)?;
    found.table(curve_table(&curves));
    Ok(map.panel(map.regions(&Regime::NAMES, |impact| impact.regime as usize), &curves))
}

pub(super) fn fig_4(found: &mut Findings) -> Result<(), StudyError> {
    let bar = Bar::elastic(0.5).asked(found)?;
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
    let bar = Bar::elastic(5.0 / 3.0).asked(found)?;
    let mut panel = states(found, bar, 10.0, &[20.0, 60.0, 85.0, 120.0])?;
    // μδ = α: tan²φ − 5 tan φ + 4 = 0.
    let forward = |phi: f64| Ok(Rod::new(bar, phi)?.impact(-FLAT)?.regime == Regime::ForwardSlip);
    let mut labelled = false;
    for (tan, from, to) in [(1.0f64, 0.1, 1.1), (4.0, 1.1, 1.5)] {
        let singular = switch(from, to, forward)?;
        found.number(format!("angle with μδ = α, tan φ = {tan} [rad]"), tan.atan(), singular, 1e-5);
        for angle in [singular, PI - singular].into_iter().filter(|angle| angle.is_finite()) {
            let line = Reference::horizontal(angle).style(Color::BLACK, Dash::Dashed);
            panel = panel.add(if labelled { line } else { line.label("μδ = α: a slip state begins or ends") });
            labelled = true;
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
