//! Section 3.6 and the last row of Table 1: Coulomb friction at the impulse level.

use super::block::{Block, Impact};
use crate::reproduce::numeric::{linspace, switch};
use crate::reproduce::{Findings, StudyError};
use delassus_figure::{Axis, Figure, Marker, Panel, Series};

/// Rocking (e_n1 = 0) with friction; ẋ⁻ far enough to one side that both corners keep sliding.
fn rock(aspect: f64, friction: f64, slide: f64, e: f64) -> Result<Impact, StudyError> {
    Block { slide, friction: Some(friction), ..Block::new(aspect) }.strike([0.0, e], None)
}

fn half_rock(aspect: f64, friction: f64, slide: f64, e: f64) -> Result<Impact, StudyError> {
    Block { slide, friction: Some(friction), ..Block::new(aspect) }.strike([e, 0.0], None)
}

/// e at which A's impulse vanishes while the corners slide.
fn critical(aspect: f64, friction: f64, slide: f64) -> Result<f64, StudyError> {
    switch(-0.5, 1.0, |e| Ok(rock(aspect, friction, slide, e)?.normal()[1] >= 0.0))
}

pub(super) fn rows(found: &mut Findings, slides: Slides) -> Result<(), StudyError> {
    sliding(found, slides)?;
    half(found)?;
    sticking(found)
}

/// The sliding block of the first rows.
#[derive(Clone, Copy)]
pub(super) struct Slides {
    aspect: f64,
    friction: f64,
    restitution: f64,
}

impl Slides {
    pub(super) fn asked(found: &mut Findings) -> Result<Slides, StudyError> {
        Ok(Slides {
            aspect: found.parameter("aspect", "l/L of the sliding block", 2.0, [1.0, 4.0])?,
            friction: found.parameter("friction", "friction μ of the sliding block", 0.3, [0.0, 0.6])?,
            restitution: found.parameter("restitution", "e_n21 of the sliding block", 0.8, [0.0, 1.0])?,
        })
    }
}

fn sliding(found: &mut Findings, slides: Slides) -> Result<(), StudyError> {
    let Slides { aspect: a, friction: mu, restitution: e } = slides;
    let a2 = a * a;
    for (side, name) in [(1.0, "(31), right slip"), (-1.0, "(33), left slip")] {
        let ours = rock(a, mu, 3.0 * side, e)?;
        let c = 3.0 * mu * a * side;
        let first = -((a2 - 2.0 - c) * e - (a2 + 4.0 + c));
        let second = -((c - a2 - 4.0) * e + c - 2.0 + a2);
        let why = "the factors are m/(12L) for p_n1 and +m/(12L) for p_n2, not m/(24L) and −m/(12L).";
        found.corrected(
            format!("Coulomb {name}, e = {e}: p_n1"),
            first / 24.0,
            first / 12.0,
            ours.normal()[0],
            1e-12,
            why,
        );
        found.corrected(
            format!("Coulomb {name}, e = {e}: p_n2"),
            -second / 12.0,
            second / 12.0,
            ours.normal()[1],
            1e-12,
            why,
        );
        let jump = -side * mu * 0.5 * (1.0 + e);
        found.number(format!("Coulomb {name}, e = {e}: ẋ⁺ − ẋ⁻, (32), (34)"), jump, ours.tangential(), 1e-12);
    }
    found.number(
        "Coulomb, right slip: e_c1⁺",
        (a2 - 2.0 + 3.0 * mu * a) / (4.0 + a2 - 3.0 * mu * a),
        critical(a, mu, 5.0)?,
        1e-9,
    );
    found.corrected(
        "Coulomb, left slip: e_c1⁻",
        (a2 - 2.0 - 3.0 * mu) / (4.0 + a2 + 3.0 * mu),
        (a2 - 2.0 - 3.0 * mu * a) / (4.0 + a2 + 3.0 * mu * a),
        critical(a, mu, -5.0)?,
        1e-9,
        "3μL in numerator and denominator of e_c1⁻ should read 3μlL.",
    );
    found.corrected(
        format!("Coulomb, right slip, l/L = {a}: largest μ with an admissible e_n21 ≤ 1"),
        "any μ",
        1.0 / a,
        switch(0.0, 1.2, |mu| Ok(rock(a, mu, 8.0, 1.0)?.normal()[1] >= 0.0))?,
        1e-9,
        "[max(0, e_c1⁺), 1] is empty for μ > L/l.",
    );
    found.corrected(
        format!("Coulomb, left slip, l/L = {a}, μ = 1: largest e_n21 by p_n1 ≥ 0"),
        "any e_n21 ≤ 1",
        (a2 + 4.0 - 3.0 * a) / (a2 - 2.0 + 3.0 * a),
        switch(0.0, 1.0, |e| Ok(rock(a, 1.0, -8.0, e)?.normal()[0] >= 0.0))?,
        1e-9,
        "left slip also needs (l² − 2L² + 3μlL)e_n21 ≤ l² + 4L² − 3μlL, which is p_n1 ≥ 0.",
    );
    // (35): T⁺ − T⁻ = (m θ̇⁻/8)[μ²L²(1+e)² + (4L²+l²)/3 (e²−1)]θ̇⁻ + …
    let slide = 3.0;
    let change = |divisor: f64| {
        -(-(mu * mu * (1.0 + e).powi(2) + (4.0 + a2) / divisor * (e * e - 1.0)) + 4.0 * mu * (1.0 + e) * slide) / 8.0
    };
    found.corrected(
        "Coulomb, right slip, ẋ⁻ = 3: T⁺ − T⁻ by (35)",
        change(6.0),
        change(3.0),
        rock(a, mu, slide, e)?.energy_change(),
        1e-12,
        "(4L² + l²)/6 in (35) should read (4L² + l²)/3.",
    );
    // e_c2⁺ is where the part of (35) without ẋ⁻ vanishes: subtract the linear part.
    let energy = |e: f64| Ok(rock(a, mu, slide, e)?.energy_change() + 0.5 * mu * (1.0 + e) * slide <= 0.0);
    found.corrected(
        "Coulomb, right slip: e_c2⁺",
        -(2.0 * mu * mu - (4.0 + a2) / 3.0) / (mu * mu / 2.0 + (4.0 + a2) / 3.0),
        (4.0 + a2 - 3.0 * mu * mu) / (4.0 + a2 + 3.0 * mu * mu),
        switch(0.0, 1.5, energy)?,
        1e-9,
        "e_c2⁺ = (4L² + l² − 3μ²L²)/(4L² + l² + 3μ²L²), the same as e_c3⁺; with it μ_c = √((4L² + l²)/(3L²)).",
    );
    Ok(())
}

fn half(found: &mut Findings) -> Result<(), StudyError> {
    let a = 0.8f64;
    let limit = switch(0.0, 1.5, |mu| Ok(half_rock(a, mu, 5.0, 0.5)?.normal()[1] >= 0.0))?;
    found.corrected(
        "Coulomb, half-rocking, l/L = 0.8: largest μ",
        (2.0 - a * a) / 3.0,
        (2.0 - a * a) / (3.0 * a),
        limit,
        1e-9,
        "Table 1 prints (2L² − l²)/(3L²); (39) has the right (2L² − l²)/(3lL).",
    );
    let (mu, e, slide) = (0.3, 0.5, 4.0);
    let ours = half_rock(a, mu, slide, e)?;
    let inertia = (a * a + 1.0) / 12.0;
    found.number(
        "Coulomb, half-rocking: p_n1, (36)",
        (inertia + 0.25 * (1.0 + mu * a)) * (e + 1.0),
        ours.normal()[0],
        1e-12,
    );
    found.number(
        "Coulomb, half-rocking: p_n2, (36)",
        -(e + 1.0) * (a * a - 2.0 + 3.0 * mu * a) / 12.0,
        ours.normal()[1],
        1e-12,
    );
    let part = mu * mu / 4.0 * (e + 1.0f64).powi(2);
    let printed = -part - (e * e - 1.0) + (e + 1.0) * slide;
    let right = -part - (4.0 + a * a) / 12.0 * (e * e - 1.0) + mu * (e + 1.0) * slide;
    found.corrected(
        "Coulomb, half-rocking, ẋ⁻ = 4: T⁺ − T⁻ by (37)",
        -0.5 * printed,
        -0.5 * right,
        ours.energy_change(),
        1e-12,
        "(37) should read (μ²L²/4 (e+1)² + (4L²+l²)/12 (e²−1))θ̇⁻ + μL(e+1)ẋ⁻ ≥ 0.",
    );
    let energy = |e: f64| Ok(half_rock(a, mu, slide, e)?.energy_change() + 0.5 * mu * (1.0 + e) * slide <= 0.0);
    let m2 = 3.0 * mu * mu;
    found.number(
        "Coulomb, half-rocking: e_c3⁺, (38)",
        (a * a + 4.0 - m2) / (a * a + 4.0 + m2),
        switch(0.0, 1.5, energy)?,
        1e-9,
    );
    Ok(())
}

fn sticking(found: &mut Findings) -> Result<(), StudyError> {
    let (a, mu, e) = (2.0f64, 0.5, 0.9);
    let ours = rock(a, mu, 0.5 * a, e)?;
    let a2 = a * a;
    found.number(
        "Coulomb, sticking, e = 0.9: p_n1, (29)",
        -((2.0 * a2 - 1.0) * e - 2.0 * (a2 + 1.0)) / 6.0,
        ours.normal()[0],
        1e-12,
    );
    found.number(
        "Coulomb, sticking, e = 0.9: p_n2, (29)",
        ((2.0 * a2 + 2.0) * e + 1.0 - 2.0 * a2) / 6.0,
        ours.normal()[1],
        1e-12,
    );
    // The least e with v_t⁺ = 0, by (30).
    let holds = |e: f64| {
        let u = rock(a, mu, 0.5 * a, e)?.velocity().to_vec();
        Ok((u[0] + 0.5 * a * u[2]).abs() < 1e-12)
    };
    found.number("Coulomb, sticking, μ = 0.5: least e_n21, (30)", (a - mu) / (a + mu), switch(0.3, 1.0, holds)?, 1e-7);
    Ok(())
}

/// Limits of the rocking coefficient over the friction, l = 2L.
pub(super) fn draw(found: &mut Findings) -> Result<(), StudyError> {
    let a = 2.0f64;
    let mut curves: [Vec<(f64, f64)>; 2] = Default::default();
    for mu in linspace(0.0, 0.45, 46) {
        curves[0].push((mu, critical(a, mu, 8.0)?));
        curves[1].push((mu, critical(a, mu, -8.0)?));
    }
    let formula = |side: f64| {
        linspace(0.0, 0.45, 10)
            .map(move |mu| (mu, (a * a - 2.0 + 3.0 * side * mu * a) / (4.0 + a * a - 3.0 * side * mu * a)))
    };
    let [right, left] = curves;
    let panel = Panel::new(Axis::new("μ"), Axis::new("e_{c,1}"))
        .add(Series::line(right).index(0).label("slip to the right"))
        .add(Series::line(left).index(1).label("slip to the left"))
        .add(
            Series::scatter(formula(1.0).chain(formula(-1.0))).index(6).marker(Marker::OpenCircle).label("closed form"),
        );
    found.figure(
        Figure::single(panel),
        "Rocking coefficient below which corner A would have to pull, over the friction, for a block with l = 2L that \
         slides (§3.6.3, e_c1⁻ corrected).",
    );
    Ok(())
}
