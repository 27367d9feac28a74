//! Figs. 7, 8 and 11: sign of the post-impact velocity ratio.

use std::f64::consts::PI;

use super::map::{Curves, Map, REACH, boundary, compare_boundaries, curve_table, trace};
use super::rod::{Bar, Impact, Regime, Rod};
use crate::reproduce::numeric::{linspace, switch};
use crate::reproduce::{Findings, StudyError};
use delassus_figure::{Color, Figure, Panel, Series};

const SIGNS: [(&str, u32); 3] =
    [("γ_{T}^{+} / γ_{N}^{+} < 0", 0xb9c6d3), ("γ_{T}^{+} / γ_{N}^{+} > 0", 0xffffff), ("γ_{T}^{+} = 0", 0xffe9b0)];

/// Signs of γ_T⁺/γ_N⁺; the first two of [`SIGNS`] where stick reverses γ_T, else all.
fn sign_panel(map: &Map, curves: &[Curves]) -> Panel {
    let kinds = if map.bar.restitution_tangential > 0.0 { &SIGNS[..2] } else { &SIGNS[..] };
    let sign = |impact: Impact| if impact.ratio == 0.0 { 2 } else { usize::from(impact.ratio > 0.0) };
    let mut regions = map.regions(&kinds.iter().map(|k| k.0).collect::<Vec<_>>(), sign);
    for (category, kind) in regions.categories.iter_mut().zip(kinds) {
        category.color = Some(Color::hex(kind.1));
    }
    let mut panel = map.panel(regions, curves);
    for side in 0..2 {
        panel = panel.add(Series::line(curves.iter().map(|c| (c.sign[side], c.angle))).color(Color::BLACK).width(0.7));
    }
    panel
}

fn signs(found: &mut Findings, friction: f64, half: f64, degrees: &[f64]) -> Result<(), StudyError> {
    let bar = Bar::elastic(friction).asked(found)?;
    let map = Map::new(bar, half)?;
    found.number("largest deviation of γ_T⁺/γ_N⁺ from (48)–(50) over the map", 0.0, map.deviation(), 1e-9);
    for &phi in degrees {
        let angle = phi.to_radians();
        let edge = bar.boundary(angle, 1.0);
        if !edge.is_finite() {
            continue; // friction so strong that backward slip does not exist here
        }
        let mut rod = Rod::new(bar, angle)?;
        let ours = switch(edge, REACH, |ratio| Ok(rod.impact(ratio)?.ratio > 0.0))?;
        found.number(format!("end of sign reversal in backward slip, φ = {phi}°"), 2.0 * edge, ours, 1e-8);
    }
    let mut stick = map.cells().filter(|(_, _, impact)| impact.regime == Regime::Stick);
    let reversed = stick.all(|(ratio, _, impact)| impact.ratio * ratio > 0.0);
    found.claim(
        "sign reversal of γ_T in stick",
        "in the entire stick area",
        if reversed { "in every stick cell" } else { "not in every stick cell" },
        reversed,
    );
    let slip = map.cells().any(|(ratio, _, impact)| impact.regime != Regime::Stick && impact.ratio * ratio > 0.0);
    found.claim("sign reversal in slip", "in some bordering area", if slip { "occurs" } else { "absent" }, slip);
    let curves = trace(bar, REACH)?;
    found.table(curve_table(&curves));
    found.figure(
        Figure::single(sign_panel(&map, &curves)),
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
    let bar = Bar { inertia: sphere, friction: 0.6, restitution: 1.0, restitution_tangential: 0.0 }.asked(found)?;
    let map = Map::new(bar, 10.0)?;
    found.number("largest deviation of γ_T⁺/γ_N⁺ from (48)–(50) over the map", 0.0, map.deviation(), 1e-9);
    compare_boundaries(found, bar, &[45.0, 90.0])?;
    let edge = bar.friction * (1.0 + 1.0 / sphere) * 2.0;
    let ours = |side| boundary(bar, 0.5 * PI, side, REACH);
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
    let curves = trace(bar, REACH)?;
    found.table(curve_table(&curves));
    found.figure(
        Figure::single(sign_panel(&map, &curves)),
        "Bar with the moment of inertia of a sphere (K = 2/5), ε_N = 1, ε_T = 0, μ = 3/5; the sphere itself is φ = π/2.",
    );
    Ok(())
}
