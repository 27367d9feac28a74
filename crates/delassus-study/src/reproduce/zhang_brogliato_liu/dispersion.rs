//! Figs. 6, 7 and 10: dispersion |d| = |ẏ_A⁺/ẏ_B⁻| over the aspect ratio.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use super::block::{Block, asked_friction, cos_kinetic_angle};
use super::motion::DISPERSION;
use crate::reproduce::numeric::{largest, linspace, minimum, with_jumps};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Dash, Figure, Panel, Reference, Series};

/// (μ, μ_s) of Fig. 6(a)–(f).
const PAIRS: [[f64; 2]; 6] = [[0.0, 0.0], [0.01, 0.02], [0.15, 0.3], [0.3, 0.5], [0.45, 0.9], [0.6, 1.0]];

/// Aspect ratios of the least |d| for [`PAIRS`], computed independently.
const MINIMA: [f64; 6] = [SQRT_2, 1.4139, 1.3326, 1.0810, FRAC_1_SQRT_2, FRAC_1_SQRT_2];

type Curve = Vec<(f64, f64)>;

/// |d| at the first double impact of a block that falls from rest.
fn dispersion(aspect: f64, friction: [f64; 2], restitution: f64) -> Result<f64, StudyError> {
    DISPERSION.fall(Block { restitution, ..Block::new(aspect, friction) })?.dispersion()
}

fn curve(friction: [f64; 2], restitution: f64, to: f64, count: usize) -> Result<Curve, StudyError> {
    linspace(0.2, to, count).map(|aspect| Ok((aspect, dispersion(aspect, friction, restitution)?))).collect()
}

/// Aspect ratio and value of the least |d|.
fn least(points: &Curve, friction: [f64; 2], restitution: f64) -> Result<(f64, f64), StudyError> {
    let lowest = (0..points.len()).min_by(|&i, &j| points[i].1.total_cmp(&points[j].1)).unwrap_or(0);
    let from = points[lowest.saturating_sub(1)].0;
    let to = points[(lowest + 1).min(points.len() - 1)].0;
    minimum(from, to, |aspect| dispersion(aspect, friction, restitution))
}

/// The place of the largest jump, if the curve has one.
fn jump(points: &Curve, friction: [f64; 2], restitution: f64) -> Result<(f64, f64), StudyError> {
    let size = |i: &usize| (points[i + 1].1 - points[*i].1).abs();
    let k = (0..points.len() - 1).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(0);
    let ((mut a, mut low), (mut b, mut high)) = (points[k], points[k + 1]);
    for _ in 0..60 {
        let middle = 0.5 * (a + b);
        let value = dispersion(middle, friction, restitution)?;
        if (value - low).abs() < (value - high).abs() {
            (a, low) = (middle, value)
        } else {
            (b, high) = (middle, value)
        }
    }
    Ok((0.5 * (a + b), (high - low).abs()))
}

pub(super) fn fig_6(found: &mut Findings) -> Result<(), StudyError> {
    let e = found.parameter("restitution", "restitution e", 1.0, [0.05, 1.0])?;
    let mut table = Table::new("", ["mu", "mu_s", "l/L", "d", "cos_theta12"]);
    let (mut panels, mut places) = (Vec::new(), Vec::new());
    for friction in PAIRS {
        let points = curve(friction, e, 4.0, 191)?;
        let (place, value) = least(&points, friction, e)?;
        places.push(place);
        for &(a, d) in &points {
            table.numbers([friction[0], friction[1], a, d, cos_kinetic_angle(a)]);
        }
        let cosine = points.iter().map(|p| (p.0, cos_kinetic_angle(p.0).abs()));
        let panel = Panel::new(Axis::new("l / L").range(0.0, 4.0), Axis::new("|d|").range(0.0, 2.0))
            .title(format!("μ = {}, μ_{{s}} = {}", friction[0], friction[1]))
            .add(Series::line(with_jumps(&points, |a| dispersion(a, friction, e))?).index(0).label("|d|"))
            .add(Series::line(cosine).index(1).dash(Dash::Dashed).label("|cos θ₁₂|"))
            .add(Series::scatter([(place, value)]).index(2).label("minimum"));
        panels.push(panel);
        if friction[1] == 0.3 || friction[1] == 0.5 {
            let s = friction[1];
            let stick = (3.0 + (9.0 - 16.0 * s * s).sqrt()) / (8.0 * s);
            let (at, size) = jump(&points, friction, e)?;
            let name = format!("μ_s = {s}: jump of |d| at l/L = (3 + √(9 − 16μ_s²))/(8μ_s)");
            // The paper only says that there is a jump. Struck alone, B sticks by 3a/(1 + 4a²) of its normal impulse,
            // which is μ_s at this place.
            found.independent(name, stick, at, 1e-6);
            found.claim(
                format!("μ_s = {s}: jump at some l/L"),
                "present",
                format!("{size:.4} at l/L = {at:.4}"),
                size > 1e-3,
            );
        }
    }
    found.number("μ = 0: l/L of the least |d| (θ₁₂ = π/2)", SQRT_2, places[0], 1e-6);
    found.claim(
        "the minimum moves to the left as friction grows, then stays",
        "yes",
        places.iter().map(|p| format!("{p:.4}")).collect::<Vec<_>>().join(", "),
        places.windows(2).all(|w| w[1] <= w[0] + 1e-6),
    );
    // By two independent codes.
    for (friction, (place, known)) in PAIRS.iter().zip(places.iter().zip(MINIMA)) {
        let name = format!("μ = {}, μ_s = {}: l/L of the least |d|", friction[0], friction[1]);
        found.independent(name, known, *place, 6e-5);
    }
    let why = "two independent codes give 1/√2, where A's impulse vanishes in the all-sticking impact; the minimum is \
               flat on its right, so a plot read by eye suggests 0.75.";
    found.explained("μ = 0.6, μ_s = 1: l/L of the least |d|", 0.75, FRAC_1_SQRT_2, places[5], 1e-5, why);
    let angle = cos_kinetic_angle(places[5]).acos();
    found.explained(
        "its kinetic angle θ_cr [rad]",
        std::f64::consts::PI / 2.5,
        (1.0f64 / 3.0).acos(),
        angle,
        1e-5,
        why,
    );
    // Closed forms of the double impact, which the paper does not give.
    let error = |friction, from: f64, formula: fn(f64) -> f64| {
        let deviation = |a: f64| Ok((dispersion(a, friction, e)? - formula(a)).abs());
        linspace(from, 5.0, 50).map(deviation).collect::<Result<Vec<f64>, StudyError>>().map(largest)
    };
    let sliding = error(PAIRS[0], SQRT_2, |a| 2.0 * (a * a - 2.0) / (a * a + 4.0))?;
    found.independent("frictionless, l ≥ √2 L: largest deviation from 2(a² − 2)/(a² + 4)", 0.0, sliding, 1e-8);
    let sticking = error(PAIRS[5], FRAC_1_SQRT_2, |a| 2.0 * (2.0 * a * a - 1.0) / (2.0 * a * a + 2.0))?;
    found.independent("all sticking, l ≥ L/√2: largest deviation from 2(2a² − 1)/(2a² + 2)", 0.0, sticking, 1e-8);
    found.table(table);
    found.figure(
        Figure::grid(3, panels).shared_legend(),
        "Dispersion at the double impact over the aspect ratio, e = 1, η = 3/2, k_A = k_B, of a block with L = 0.24 m that falls from θ(0) = 0.12 rad.",
    );
    Ok(())
}

pub(super) fn fig_7(found: &mut Findings) -> Result<(), StudyError> {
    let exponent = found.parameter("exponent", "exponent η of the force law", 1.5, [1.0, 2.5])?;
    let stiffness_ratio = found.parameter("stiffness_ratio", "ratio of stiffness k_A/k_B", 1.0, [0.1, 10.0])?;
    let block = |a: f64| Block { exponent, stiffness_ratio, ..Block::new(a, [0.0; 2]) };
    let ratio = |a: f64| Ok::<_, StudyError>(block(a).dispersion()? / cos_kinetic_angle(a).abs());
    let flat = linspace(0.2, FRAC_1_SQRT_2, 40).map(ratio).collect::<Result<Vec<_>, _>>()?;
    let mean = flat.iter().sum::<f64>() / flat.len() as f64;
    found.number("l/L < 1/√2: |d|/|cos θ₁₂|, mean", 1.8386, mean, 0.006);
    let worst = largest(flat.iter().map(|r| (r / 1.8386 - 1.0).abs()));
    found.claim(
        "l/L < 1/√2: |d| = 1.8386 |cos θ₁₂|",
        "matches",
        format!("within {:.2} %", 100.0 * worst),
        worst < 0.005,
    );
    let slender = linspace(1.001 * SQRT_2, 6.0, 40).map(ratio).collect::<Result<Vec<_>, _>>()?;
    let worst = largest(slender.iter().map(|r| (r - 2.0).abs()));
    let between = ratio(1.0)?;
    found.corrected(
        "|d| = 2|cos θ₁₂|: largest deviation of |d|/|cos θ₁₂| from 2 for l/L > √2",
        "for l/L > 1/√2",
        0.0,
        worst,
        1e-6,
        format!("the caption of Fig. 7(b) should read √2: at l/L = 1, between the two, |d|/|cos θ₁₂| = {between:.4}."),
    );
    let mut table = Table::new("", ["l/L", "d", "fit_1.8386", "2_cos"]);
    // Without friction the slip of A does not matter, so the block need not fall.
    let points: Curve =
        linspace(0.2, 4.0, 191).map(|a| Ok::<_, StudyError>((a, block(a).dispersion()?))).collect::<Result<_, _>>()?;
    for &(a, d) in &points {
        let cosine = cos_kinetic_angle(a).abs();
        table.numbers([a, d, 1.8386 * cosine, 2.0 * cosine]);
    }
    found.table(table);
    let panel = |factor: f64, limit: f64, name: &str, to: f64| {
        let fit = points.iter().map(|p| (p.0, factor * cos_kinetic_angle(p.0).abs()));
        Panel::new(Axis::new("l / L").range(0.0, to), Axis::new("|d|"))
            .add(Series::line(points.iter().filter(|p| p.0 <= to).copied()).index(0).label("|d|"))
            .add(
                Series::line(fit.filter(|p| p.0 <= to))
                    .index(1)
                    .dash(Dash::Dashed)
                    .label(format!("{factor} |cos θ₁₂|")),
            )
            .add(Reference::vertical(limit).label(name))
    };
    let panels = vec![panel(1.8386, FRAC_1_SQRT_2, "1/√2", 1.4), panel(2.0, SQRT_2, "√2", 4.0)];
    found.figure(
        Figure::grid(2, panels),
        "Frictionless dispersion, e = 1: a fit for flat blocks, exact for slender ones.",
    );
    found.note("1.8386 is a fit for η = 3/2 and k_A = k_B: other exponents or stiffness ratios give other factors.");
    Ok(())
}

pub(super) fn fig_10(found: &mut Findings) -> Result<(), StudyError> {
    let friction = asked_friction(found, [0.3, 0.5])?;
    let mut table = Table::new("", ["e", "l/L", "d"]);
    let mut panel = Panel::new(Axis::new("l / L").range(0.0, 4.0), Axis::new("|d|"));
    let mut places = Vec::new();
    for (k, e) in [1.0, 0.8, 0.5].into_iter().enumerate() {
        let points = curve(friction, e, 4.0, 191)?;
        places.push(least(&points, friction, e)?.0);
        for &(a, d) in &points {
            table.numbers([e, a, d]);
        }
        let points = with_jumps(&points, |a| dispersion(a, friction, e))?;
        panel = panel.add(Series::line(points).index(k).label(format!("e_{{n}}^{{*}} = {e}")));
    }
    let spread = largest(places.iter().map(|p| (p / places[0] - 1.0).abs()));
    found.corrected_claim(
        "the minimum is independent of e",
        "yes",
        format!(
            "l/L = {}: moves by {:.1} %",
            places.iter().map(|p| format!("{p:.4}")).collect::<Vec<_>>().join(", "),
            100.0 * spread
        ),
        spread > 1e-4 && spread < 0.005,
        "where A slides before the impact, the least |d| moves a little with e; for the other friction pairs up to 2.7 %",
    );
    found.table(table);
    found.figure(
        Figure::single(panel.add(Reference::vertical(places[0]).label(format!("l/L = {:.3}", places[0])))),
        "Dispersion for three restitution coefficients, μ = 0.3, μ_s = 0.5.",
    );
    Ok(())
}
