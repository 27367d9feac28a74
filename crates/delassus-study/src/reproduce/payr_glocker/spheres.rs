//! Fig. 13: a sphere against a rough half-space under Walton's and Stronge's laws.

use delassus::law::{Stronge, Walton};
use delassus::{ContactData, LawSpec, Mass, ProblemData};

use crate::reproduce::numeric::{largest, linspace, switch};
use crate::reproduce::solve::{newton, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Color, Dash, Figure, Panel, Reference, Series};

/// Friction and k_N/k_T.
#[derive(Clone, Copy)]
struct Surface {
    friction: f64,
    stiffness_ratio: f64,
}

/// G_TT/G_NN = 1 + 1/K of a sphere.
const BETA: f64 = 3.5;
const RESTITUTIONS: [f64; 3] = [0.0, 0.5, 1.0];

/// v₁(t_f)/v₃(0) for a sphere of unit mass and radius that strikes with v₃(0) = −1.
fn terminal(surface: Surface, law: &LawSpec, restitution: f64, ratio: f64) -> Result<f64, StudyError> {
    let contact = ContactData::new("C", [0.0, 1.0, 0.0])
        .tangent([1.0, 0.0, -1.0])
        .friction(surface.friction)
        .restitution(restitution)
        .restitution_tangential(surface.friction * surface.stiffness_ratio);
    let data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0, 0.4])?, [-ratio, -1.0, 0.0]).with_contact(contact);
    Ok(-solve(data, law)?.gamma_plus[1])
}

/// (59) with the signs for v₃(0) < 0 and δ = 0.
fn gross_slip(friction: f64, restitution: f64, ratio: f64) -> f64 {
    ratio - friction * BETA * (1.0 + restitution)
}

/// v₁(t_f)/v₃(0) by an independent integration of the lumped model.
const STRONGE: [(f64, [f64; 3]); 7] = [
    (0.25, [-0.222886, -0.175178, 0.105326]),
    (0.5, [-0.445772, -0.370668, 0.105244]),
    (1.0, [-0.590559, -0.807584, -0.288971]),
    (1.5, [-0.244239, -1.012761, -0.677565]),
    (2.0, [0.25, -0.625, -0.8748]),
    (3.0, [1.25, 0.375, -0.5]),
    (4.0, [2.25, 1.375, 0.5]),
];

pub(super) fn fig_13(found: &mut Findings) -> Result<(), StudyError> {
    let friction = found.parameter("friction", "friction μ", 0.5, [0.0, 0.6])?;
    let stiffness_ratio = found.parameter("stiffness_ratio", "ratio of stiffness η² = k_N/k_T", 1.21, [0.2, 1.6])?;
    let surface = Surface { friction, stiffness_ratio };
    let stronge = LawSpec::Stronge(Stronge { stiffness_ratio });
    let walton = LawSpec::Walton(Walton::default());
    for (ratio, values) in STRONGE {
        for (e, expected) in RESTITUTIONS.into_iter().zip(values) {
            let ours = terminal(surface, &stronge, e, ratio)?;
            found.independent(format!("Stronge: v₁(0)/v₃(0) = {ratio}, e = {e}"), expected, ours, 1e-6);
        }
    }
    let grid: Vec<f64> = linspace(0.0, 6.0, 601).collect();
    let mut table = Table::new("", ["v1(0)/v3(0)", "restitution", "stronge", "walton"]);
    let (mut same, mut above, mut formula, mut below) = (0f64, 0f64, 0f64, 0f64);
    let mut panel = Panel::new(Axis::new("v₁(0) / v₃(0)").range(0.0, 6.0), Axis::new("v₁(t_{f}) / v₃(0)"));
    for (index, e) in RESTITUTIONS.into_iter().enumerate() {
        let (mut solid, mut dashed) = (Vec::new(), Vec::new());
        for &ratio in &grid {
            let (s, w) = (terminal(surface, &stronge, e, ratio)?, terminal(surface, &walton, e, ratio)?);
            same = largest([same, (w - terminal(surface, &newton(), e, ratio)?).abs()]);
            if w >= 0.0 && ratio > 0.0 {
                above = largest([above, (s - w).abs()]);
                formula = largest([formula, (s - gross_slip(friction, e, ratio)).abs()]);
            } else {
                below = largest([below, (s - w).abs()]);
            }
            table.numbers([ratio, e, s, w]);
            solid.push((ratio, s));
            dashed.push((ratio, w));
        }
        panel = panel
            .add(Series::line(solid).index(index).dash(Dash::Solid).label(format!("Stronge, e = {e}")))
            .add(Series::line(dashed).index(index).dash(Dash::Dashed).label(format!("Walton, e = {e}")));
    }
    found.number("largest difference between Walton's operator and Newton's inequality law", 0.0, same, 1e-9);
    found.number("gross slip (above 0): largest difference between Stronge and Walton", 0.0, above, 1e-9);
    found.claim(
        "below the line: Stronge and Walton",
        "different results",
        format!("differ by up to {below:.3}"),
        below > 0.1,
    );
    found.corrected(
        "(59), gross slip: largest deviation of Stronge's v₁(t_f)/v₃(0)",
        "(δ + μσβ)/(α + μσδ)",
        0.0,
        formula,
        1e-9,
        "for v₃(0) < 0 the signs in (58) and (59) are (δ − μσβ)/(α − μσδ) with σ = sgn v₁(0).",
    );
    // Without slip Stronge's answer is proportional to v₁(0).
    let slope = terminal(surface, &stronge, 0.0, 0.1)? / 0.1;
    let sticks = |ratio: f64| Ok((terminal(surface, &stronge, 0.0, ratio)? / ratio - slope).abs() < 1e-9);
    found.corrected(
        "coefficient for stick μη² = 0.605",
        "μη² = ε_T",
        friction * stiffness_ratio,
        switch(0.1, 1.5, sticks)?,
        1e-4,
        "μη² bounds the initial velocity ratio |v₁(0)/v₃(0)| below which the impact starts in stick; it shares the \
         number 0.605 with the ε_T chosen for Walton's operator, but is no ratio of velocities.",
    );
    found.table(table);
    found.figure(
        Figure::single(panel.add(Reference::horizontal(0.0).style(Color::GREY, Dash::ShortDash))),
        "Terminal over incident slip speed of a sphere, both normalised by v₃(0); μ = 0.5, η² = 1.21. Above the \
         grey line both laws give gross slip.",
    );
    Ok(())
}
