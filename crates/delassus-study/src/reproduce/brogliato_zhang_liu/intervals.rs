//! Figs. 2–5: admissible rocking coefficients over the aspect ratio.

use delassus::law::Form;
use delassus::{ImpactProblem, KineticMetric};

use super::block::{Block, Impact};
use crate::reproduce::numeric::{linspace, switch};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Area, Axis, Color, Figure, Marker, Panel, Reference, Series};

/// Admissible for every aspect ratio drawn.
const INSIDE: f64 = 0.999;

/// A way to strike a block with a rocking coefficient e = e_n21 = −r.
type Strike = fn(Block, f64) -> Result<Impact, StudyError>;

/// Least and largest admissible coefficient.
fn interval(block: Block, strike: Strike) -> Result<[f64; 2], StudyError> {
    let admissible = |e: f64| Ok(strike(block, e)?.admissible());
    Ok([switch(-2.0, INSIDE, admissible)?, switch(INSIDE, 2.0, admissible)?])
}

/// How a figure presents the coefficient.
struct Plan {
    strike: Strike,
    /// Least e by the paper, before the maximum with 0.
    least: fn(f64) -> f64,
    /// Aspect ratio from which it exceeds 0, in words and numbers.
    critical: (&'static str, f64),
    /// 1 for e_n21, −1 for r.
    sign: f64,
    symbol: &'static str,
    caption: &'static str,
}

fn kinetic_angle(block: Block) -> Result<f64, StudyError> {
    Ok(KineticMetric::new(&ImpactProblem::new(block.data()?)?)?.angle(0, 1))
}

fn reproduce(found: &mut Findings, plan: &Plan) -> Result<(), StudyError> {
    let meaning = "moment of inertia 12 I_G/(m(l² + L²))";
    let fullness = found.parameter("inertia", meaning, 1.0, [0.2, 3.0])?;
    let block = |aspect: f64| Block { fullness, ..Block::new(aspect) };
    for aspect in [0.3, 0.5, 1.0, 2.0, 4.0] {
        let ends = interval(block(aspect), plan.strike)?;
        let paper = (plan.least)(aspect).max(0.0);
        let name = if plan.sign > 0.0 { ["least", "largest"] } else { ["largest", "least"] };
        found.number(
            format!("l/L = {aspect}: {} {}", name[0], plan.symbol),
            plan.sign * paper,
            plan.sign * ends[0],
            1e-9,
        );
        found.number(format!("l/L = {aspect}: {} {}", name[1], plan.symbol), plan.sign, plan.sign * ends[1], 1e-9);
    }
    // A tiny coefficient is admissible up to the critical aspect ratio.
    let critical = switch(0.2, 5.0, |aspect| Ok((plan.strike)(block(aspect), 1e-9)?.admissible()))?;
    found.number(format!("critical aspect ratio l/L = {}", plan.critical.0), plan.critical.1, critical, 1e-7);
    let cos = (plan.critical.1.powi(2) - 2.0) / (plan.critical.1.powi(2) + 4.0);
    let angle = kinetic_angle(block(plan.critical.1))?;
    found.number("its kinetic angle θ₁₂ [rad], (10)", std::f64::consts::PI - cos.acos(), angle, 1e-12);

    let mut table = Table::new("", ["l/L", "first_end", "second_end"]);
    let mut band = Vec::new();
    for aspect in linspace(0.05, 6.0, 239) {
        let [from, to] = interval(block(aspect), plan.strike)?;
        table.numbers([aspect, plan.sign * from, plan.sign * to]);
        band.push((aspect, plan.sign * from, plan.sign * to));
    }
    found.table(table);
    let points = linspace(0.5, 6.0, 12).map(|a| (a, plan.sign * (plan.least)(a).max(0.0)));
    let y = if plan.sign > 0.0 { (-0.1, 1.1) } else { (-1.1, 0.1) };
    let symbol = plan.symbol.replace("e_n21", "e_{n,21}");
    let end = |pick: fn(&(f64, f64, f64)) -> f64| band.iter().map(move |b| (b.0, pick(b))).collect::<Vec<_>>();
    let panel = Panel::new(Axis::new("l / L").range(0.0, 6.0), Axis::new(symbol).range(y.0, y.1))
        .add(Area::band(band.clone()).fill(Color::hex(0xb2e1b6), 1.0).label("admissible"))
        .add(Series::line(end(|b| b.1)).index(0).label("limit Λ_{A} = 0 or no lift-off"))
        .add(Series::line(end(|b| b.2)).index(1).label("limit of the energy"))
        .add(Series::scatter(points).index(6).marker(Marker::OpenCircle).label("closed form"))
        .add(Reference::vertical(plan.critical.1).label(format!("l/L = {}", plan.critical.0)));
    found.figure(Figure::single(panel), plan.caption);
    Ok(())
}

fn sliding_matrix(block: Block, e: f64) -> Result<Impact, StudyError> {
    block.strike([0.0, e], None)
}

fn sticking_matrix(block: Block, e: f64) -> Result<Impact, StudyError> {
    block.strike([0.0, e], Some(-e))
}

fn sliding_form(block: Block, e: f64) -> Result<Impact, StudyError> {
    block.form(Form::RockingSliding, Some(e))
}

fn sticking_form(block: Block, e: f64) -> Result<Impact, StudyError> {
    block.form(Form::RockingSticking, Some(e))
}

/// −r_sli.
fn sliding_least(a: f64) -> f64 {
    (a * a - 2.0) / (a * a + 4.0)
}

/// −r_H.
fn sticking_least(a: f64) -> f64 {
    (2.0 * a * a - 1.0) / (2.0 * (a * a + 1.0))
}

const SLIDING: (&str, f64) = ("√2", std::f64::consts::SQRT_2);
const STICKING: (&str, f64) = ("1/√2", std::f64::consts::FRAC_1_SQRT_2);

pub(super) fn fig_2(found: &mut Findings) -> Result<(), StudyError> {
    let caption = "Coefficients of sliding rocking for which no corner pulls or penetrates and no energy is gained: \
                   traced by bisection on the generalized kinematic law.";
    let plan =
        Plan { strike: sliding_matrix, least: sliding_least, critical: SLIDING, sign: 1.0, symbol: "e_n21", caption };
    reproduce(found, &plan)?;
    let ours = sliding_matrix(Block::new(2.0), 0.6)?.normal();
    let [right, other] = [-((4.0 - 2.0) * 0.6 - (4.0 + 4.0)) / 12.0, ((4.0 + 4.0) * 0.6 + (2.0 - 4.0)) / 12.0];
    found.number("l/L = 2, e = 0.6: p_n1/(mLθ̇) after (25), L = 1", right, ours[0], 1e-12);
    found.number("l/L = 2, e = 0.6: p_n2/(mLθ̇) after (25), L = 1", other, ours[1], 1e-12);
    found.note("After (25) the factor m/12 of both impulses should read m/(12L); with L = 1 they agree.");
    Ok(())
}

pub(super) fn fig_3(found: &mut Findings) -> Result<(), StudyError> {
    let caption = "The same for sticking rocking: the tangential jump is imposed so that B sticks after the impact.";
    let plan = Plan {
        strike: sticking_matrix,
        least: sticking_least,
        critical: STICKING,
        sign: 1.0,
        symbol: "e_n21",
        caption,
    };
    reproduce(found, &plan)
}

pub(super) fn fig_4(found: &mut Findings) -> Result<(), StudyError> {
    let caption = "Angular restitution r = −θ̇⁺/θ̇⁻ of sliding rocking.";
    let plan = Plan { strike: sliding_form, least: sliding_least, critical: SLIDING, sign: -1.0, symbol: "r", caption };
    reproduce(found, &plan)?;
    let (aspect, r) = (2.0, -0.7);
    let block = Block::new(aspect);
    let impulse = sliding_form(block, -r)?.normal();
    // (42) with m = L = 1, θ̇⁻ = −1, ẏ⁻ = −½.
    let inertia = block.inertia();
    for (k, side) in [(0, -1.0), (1, 1.0)] {
        let printed = (0.25 + side * 2.0 * inertia) * r - side * inertia + 0.25;
        let right = -((0.25 + side * inertia) * r + side * inertia) + 0.25;
        found.corrected(
            format!("l/L = 2, r = −0.7: p_n{} by (42)", k + 1),
            printed,
            right,
            impulse[k],
            1e-12,
            "(42) prints 2I_G/L and no θ̇⁻ beside r; it should read (mL/4 ∓ I_G/L) r θ̇⁻ ∓ (I_G/L) θ̇⁻ − (m/2) ẏ⁻.",
        );
    }
    let largest = -interval(Block::new(3.0), sliding_form)?[0];
    found.corrected(
        "§3.7.1: largest r at l/L = 3",
        f64::min(0.0, (9.0 - 2.0) / (4.0 + 9.0)),
        -sliding_least(3.0),
        largest,
        1e-9,
        "the text prints r ≤ min(0, (l² − 2L²)/(4L² + l²)); Table 1 has the right sign, (2L² − l²)/(4L² + l²).",
    );
    Ok(())
}

pub(super) fn fig_5(found: &mut Findings) -> Result<(), StudyError> {
    let caption = "Angular restitution r of sticking rocking; the upper limit is Housner's r_H.";
    let plan =
        Plan { strike: sticking_form, least: sticking_least, critical: STICKING, sign: -1.0, symbol: "r", caption };
    reproduce(found, &plan)?;
    for aspect in [1.0f64, 2.0, 4.0] {
        let housner = Block::new(aspect).form(Form::Housner, None)?;
        found.number(format!("l/L = {aspect}: r_H, Housner's form"), -sticking_least(aspect), -housner.ratio(), 1e-12);
        let sin = (1.0 / aspect).atan().sin();
        found.corrected(
            format!("l/L = {aspect}: r_H = −(1 − 3/2 sin²α)"),
            "α = π/2 − θ_c",
            -(1.0 - 1.5 * sin * sin),
            -housner.ratio(),
            1e-12,
            "r_H = −(1 − 3/2 sin²α) needs α = arctan(L/l), which is the critical angle θ_c itself.",
        );
    }
    Ok(())
}
