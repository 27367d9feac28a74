//! Fig. 2 and the kinetic angles of Section 3.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, PI, SQRT_2};

use delassus::model::System;
use delassus::scenario::{Built, RockingBlock, Scenario};
use delassus::{ContactData, ImpactProblem, KineticMetric, Mass, ProblemData};

use super::block::Block;
use crate::reproduce::numeric::{largest, linspace, minimum, switch};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Area, Axis, Color, Dash, Figure, Marker, Panel, Reference, Series, Text};

fn angle(data: ProblemData) -> Result<f64, StudyError> {
    Ok(KineticMetric::new(&ImpactProblem::new(data)?)?.angle(0, 1))
}

fn block(aspect: f64) -> Result<f64, StudyError> {
    angle(Block::new(aspect, [0.0, 0.0]).data()?)
}

/// Two spheres of radius R on a rod of length 1, unit masses: f = y ± (½ + R) sin θ − R.
fn dimer(radius: f64) -> Result<f64, StudyError> {
    let arm = 0.5 + radius;
    let inertia = 1.0 / 12.0 + 2.0 * (0.4 * radius * radius + arm * arm);
    let data = ProblemData::new(Mass::diagonal(vec![3.0, inertia])?, [-1.0, 0.0]);
    angle(data.with_contact(ContactData::new("1", [1.0, arm])).with_contact(ContactData::new("2", [1.0, -arm])))
}

fn balls(mass: [f64; 3]) -> Result<f64, StudyError> {
    let data = ProblemData::new(Mass::diagonal(mass.to_vec())?, [1.0, 0.0, 0.0]);
    let (first, second) = ([-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]);
    angle(data.with_contact(ContactData::new("12", first)).with_contact(ContactData::new("23", second)))
}

pub(super) fn section_3(found: &mut Findings) -> Result<(), StudyError> {
    let mass: [f64; 3] = [
        found.parameter("mass_1", "mass of the first ball", 1.0, [0.01, 100.0])?,
        found.parameter("mass_2", "mass of the second ball", 2.0, [0.01, 100.0])?,
        found.parameter("mass_3", "mass of the third ball", 5.0, [0.01, 100.0])?,
    ];
    for aspect in [0.2, 0.5, 1.0, 2.0, 5.0f64] {
        let a2 = aspect * aspect;
        let paper = PI - ((a2 - 2.0) / (a2 + 4.0)).acos();
        found.number(format!("block, l/L = {aspect}: θ₁₂ [rad], (9)"), paper, block(aspect)?, 1e-12);
    }
    found.number("block, l = √2 L: θ₁₂", FRAC_PI_2, block(SQRT_2)?, 1e-12);
    found.corrected(
        "block: limit of θ₁₂ for l/L → 0",
        PI / 4.0,
        FRAC_PI_3,
        block(1e-6)?,
        1e-9,
        "θ₁₂ ranges over [π/3, π): (9) gives π − arccos(−1/2) = π/3 for l/L → 0.",
    );
    found.number("block: limit of θ₁₂ for l/L → ∞", PI, block(1e6)?, 1e-5);
    for radius in [0.1, 0.5, 2.0f64] {
        let alpha = (1.0 + 2.0 * radius).powi(2);
        let alpha = alpha / (16.0 * radius * radius / 5.0 + 1.0 / 3.0 + 2.0 * alpha);
        let paper = PI - ((1.0 / 3.0 - alpha) / (1.0 / 3.0 + alpha)).acos();
        found.number(format!("dimer, R/L = {radius}: θ₁₂ [rad], Remark 1"), paper, dimer(radius)?, 1e-12);
    }
    found.number("dimer, L → ∞: θ₁₂ [rad]", 1.445, dimer(1e-9)?, 5e-4);
    found.number("dimer, L → 0: θ₁₂ [rad]", 1.536, dimer(1e9)?, 5e-4);
    found.number("three equal balls: θ₁₂ [rad]", FRAC_PI_3, balls([1.0; 3])?, 1e-12);
    let paper = (mass[0] * mass[2] / ((mass[0] + mass[1]) * (mass[1] + mass[2]))).sqrt().acos();
    found.number(format!("three balls {}, {}, {}: θ₁₂ [rad]", mass[0], mass[1], mass[2]), paper, balls(mass)?, 1e-12);
    found.note(
        "In Remark 1 the gaps of the chain should read q₂ − q₁ − 2R and q₃ − q₂ − 2R; angles do not depend on it.",
    );

    let mut table = Table::new("", ["ratio", "block_angle_rad", "dimer_angle_rad"]);
    let (mut of_block, mut of_dimer) = (Vec::new(), Vec::new());
    for ratio in linspace(0.02, 6.0, 300) {
        let (b, d) = (block(ratio)?, dimer(ratio)?);
        table.numbers([ratio, b, d]);
        of_block.push((ratio, b));
        of_dimer.push((ratio, d));
    }
    found.table(table);
    let x = Axis::new("l / L (block), R / L (dimer)").range(0.0, 6.0);
    let panel = Panel::new(x, Axis::new("θ₁₂ [rad]").range(0.0, PI).pi())
        .add(Series::line(of_block).index(0).label("block"))
        .add(Series::line(of_dimer).index(1).label("dimer"))
        .add(Reference::horizontal(FRAC_PI_3).label("three equal balls, π/3"))
        .add(Reference::vertical(SQRT_2).style(Color::BLACK, Dash::Dotted).label("l = √2 L"));
    found.figure(
        Figure::single(panel),
        "Kinetic angles at a double impact, from the mass matrix and the contact directions.",
    );
    Ok(())
}

/// Least height of the centre at an angle, with L = 1, l = √2: that of the modelled block at which
/// it touches the ground.
fn lowest(block: &Built, theta: f64) -> Result<f64, StudyError> {
    let height = 2.0;
    let nearest = block.system.nearest_pair(0.0, &[0.0, height, theta]);
    let (gap, _) = nearest.ok_or_else(|| StudyError::new("the block meets no ground"))?;
    Ok(height - gap)
}

pub(super) fn fig_2(found: &mut Findings) -> Result<(), StudyError> {
    let aspect = found.parameter("aspect", "aspect ratio l/L", SQRT_2, [0.3, 2.2])?;
    let short = RockingBlock { width: 1.0, height: aspect, mass: 1.0, angle: 0.1, rate: 0.0 };
    let built = Scenario { rocking_block: Some(short), ..Scenario::default() }.build()?;
    let lowest = |theta: f64| lowest(&built, theta);
    let (at, height) = minimum(0.0, 1.4, |theta| Ok(-lowest(theta)?))?;
    found.number(
        "largest height on the boundary: √(l² + L²)/2, L = 1",
        0.5 * (aspect * aspect + 1.0).sqrt(),
        -height,
        1e-12,
    );
    found.number(
        "critical angle θ_c with the centre above the corner, arctan(L/l) [rad]",
        (1.0 / aspect).atan(),
        at,
        1e-7,
    );
    // The boundary lies above a chord, so points between two admissible ones are not admissible.
    let hump = lowest(at)? - 0.5 * (lowest(at - 0.4)? + lowest(at + 0.4)?);
    let text = format!("boundary {hump:.3} L above a chord at θ_c");
    found.claim("admissible domain in the (θ, y) plane", "not convex", text, hump > 0.0);
    let equal = switch(0.5, 3.0, |aspect| Ok(block(aspect)? > FRAC_PI_2))?;
    found.number("aspect ratio with θ₁₂ = π/2 at θ = 0", SQRT_2, equal, 1e-9);

    let mut table = Table::new("", ["theta_rad", "y_over_L"]);
    let (mut curve, mut deviations) = (Vec::new(), Vec::new());
    for theta in linspace(-FRAC_PI_2, FRAC_PI_2, 361) {
        let y = lowest(theta)?;
        // f₁ ≥ 0 and f₂ ≥ 0, (1).
        let formula = 0.5 * (aspect * theta.cos() + theta.sin().abs());
        deviations.push((y - formula).abs());
        table.numbers([theta, y]);
        curve.push((theta, y));
    }
    found.number("largest deviation of the least height from (1)", 0.0, largest(deviations), 1e-12);
    found.table(table);
    let (bottom, top) = ((0.4 + 0.5 * (aspect - SQRT_2)).clamp(0.05, 0.4), 1.2 + 0.5 * (aspect - SQRT_2).max(0.0));
    let band = curve.iter().map(|&(theta, y)| (theta, y, top));
    let orthogonal = if aspect == SQRT_2 { "double impact, θ₁₂ = π/2" } else { "double impact" };
    let panel =
        Panel::new(Axis::new("θ [rad]").range(-FRAC_PI_2, FRAC_PI_2).pi(), Axis::new("y / L").range(bottom, top))
            .add(Area::band(band).fill(Color::hex(0xdfeee2), 1.0))
            .add(Series::line(curve).index(0).width(1.6))
            .add(Series::scatter([(0.0, lowest(0.0)?)]).index(1).marker(Marker::Circle))
            .add(Text::new(0.0, lowest(0.0)? - 0.077, orthogonal))
            .add(Reference::vertical(at))
            .add(Reference::vertical(-at))
            .add(Text::new(-at, top - 0.05, "−θ_{c}").offset(-12.0, 0.0))
            .add(Text::new(at, top - 0.05, "θ_{c}").offset(12.0, 0.0))
            .add(Text::new(0.0, top - 0.2, "admissible"));
    found.figure(
        Figure::single(panel),
        "Admissible positions of a block with l = √2 L: the corners A (left) and B (right) bound the height of the \
         centre; both at θ = 0.",
    );
    Ok(())
}
