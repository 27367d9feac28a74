//! Table 1: the kinematic restitution laws of the block.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use delassus::law::Form;

use super::block::Block;
use super::rough;
use crate::reproduce::numeric::{largest, switch};
use crate::reproduce::{Findings, StudyError, Table};

const LIMIT: f64 = 1e-7;

/// Half-rocking: B rebounds with e_n1, A stays.
fn half_rocking(aspect: f64, e: f64) -> Result<super::block::Impact, StudyError> {
    Block::new(aspect).form(Form::HalfRocking, Some(e))
}

pub(super) fn table_1(found: &mut Findings) -> Result<(), StudyError> {
    let slides = rough::Slides::asked(found)?;
    diagonal(found)?;
    angular(found)?;
    rough::rows(found, slides)?;
    let mut table = Table::new("", ["quantity", "paper", "ours", "verdict"]);
    for value in &found.values {
        let verdict = value.verdict.as_str().into();
        let paper = value.paper.clone().unwrap_or_else(|| "".into());
        table.row([value.quantity.as_str().into(), paper, value.ours.clone(), verdict]);
    }
    found.table(table);
    rough::draw(found)?;
    found.note(
        "The intervals of the third and fourth rows are those of Figs. 2–5. Each entry of the table is checked on the \
         generalized kinematic law itself.",
    );
    Ok(())
}

/// Rows 1 and 2: diagonal E_n.
fn diagonal(found: &mut Findings) -> Result<(), StudyError> {
    let rest = Block::new(SQRT_2).strike([0.0, 0.0], None)?;
    found.number("diagonal, p_n2 = 0, sliding, l = √2 L: p_n2", 0.0, rest.normal()[1], 1e-12);
    found.number("diagonal, p_n2 = 0, sliding, l = √2 L: ẏ⁺", 0.0, rest.velocity()[1], 1e-12);
    found.number("diagonal, p_n2 = 0, sliding, l = √2 L: θ̇⁺", 0.0, rest.velocity()[2], 1e-12);
    found.number(
        "diagonal, p_n2 = 0, half-rocking e_n1 = 0.5, l = √2 L: p_n2",
        0.0,
        half_rocking(SQRT_2, 0.5)?.normal()[1],
        1e-12,
    );
    let stuck = Block::new(1.0).strike([0.0, 0.0], Some(0.0))?;
    let speed = largest(stuck.velocity().iter().map(|v| v.abs()));
    found.number("diagonal, sticking, E_tan = 0: largest velocity after", 0.0, speed, 1e-12);
    let flat = switch(0.2, 4.0, |a| Ok(Block::new(a).strike([0.0, 0.0], None)?.admissible()))?;
    found.number("diagonal, p_n2 ≠ 0, sliding: largest l/L", SQRT_2, flat, LIMIT);
    let flat = switch(0.2, 4.0, |a| Ok(half_rocking(a, 0.5)?.admissible()))?;
    found.number("diagonal, p_n2 ≠ 0, half-rocking: largest l/L", SQRT_2, flat, LIMIT);
    let most = switch(0.5, 2.0, |e| Ok(half_rocking(1.0, e)?.admissible()))?;
    found.number("half-rocking: largest e_n1", 1.0, most, 1e-9);
    let half = half_rocking(1.0, 0.5)?.normal();
    found.number("half-rocking, l = L, e_n1 = 0.5: p_n1, (26)", 1.5 * 5.0 / 12.0, half[0], 1e-12);
    found.number("half-rocking, l = L, e_n1 = 0.5: p_n2, (26)", 1.5 / 12.0, half[1], 1e-12);
    // After (46): r = e_n1.
    let (sum, inertia) = (1.5, 1.0 / 6.0);
    found.corrected(
        "half-rocking, r = 0.5: p_n1 after (46)",
        sum * (0.5 + 2.0 * inertia),
        sum * (0.25 + inertia),
        half[0],
        1e-12,
        "both impulses after (46) are printed twice as large as (46) gives.",
    );
    Ok(())
}

/// Row 5: the angular law with p_n2 = 0, and single-corner relations before it.
fn angular(found: &mut Findings) -> Result<(), StudyError> {
    for aspect in [1.5f64, 2.0, 4.0] {
        let a2 = aspect * aspect;
        let strike = |e: f64| Ok(Block::new(aspect).form(Form::RockingSliding, Some(e))?.normal()[1] >= 0.0);
        let sliding = -switch(-0.5, 1.0, strike)?;
        found.number(
            format!("angular, p_n2 = 0, sliding, l/L = {aspect}: r = r_sli"),
            (2.0 - a2) / (4.0 + a2),
            sliding,
            1e-9,
        );
        let housner = -Block::new(aspect).form(Form::Housner, None)?.ratio();
        found.number(
            format!("angular, p_n2 = 0, sticking, l/L = {aspect}: r = r_H"),
            (1.0 - 2.0 * a2) / (2.0 * (1.0 + a2)),
            housner,
            1e-12,
        );
    }
    let turn = switch(0.2, 4.0, |a| Ok(Block::new(a).form(Form::Housner, None)?.ratio() >= 0.0))?;
    found.number("angular, p_n2 = 0, sticking: least l/L of rocking", FRAC_1_SQRT_2, turn, LIMIT);
    // After (45), l = 2, r = −0.7, θ̇⁻ = −1, m = L = 1.
    let (r, inertia) = (-0.7, 5.0 / 12.0);
    let ours = Block::new(2.0).form(Form::RockingSticking, Some(-r))?;
    let arm = (4.0 * inertia + 4.0) / 4.0;
    found.corrected(
        "angular, sticking, l/L = 2, r = −0.7: p_n1 after (45)",
        -(0.25 * (r - 1.0) - arm),
        -(0.25 * (r - 1.0) - arm * (r + 1.0)),
        ours.normal()[0],
        1e-12,
        "the second term of p_n1 lacks the factor (r + 1).",
    );
    found.number(
        "angular, sticking, l/L = 2, r = −0.7: p_n2 after (45)",
        -(0.25 * (r - 1.0) + arm * (r + 1.0)),
        ours.normal()[1],
        1e-12,
    );
    found.number("angular, sticking, l/L = 2, r = −0.7: ẋ⁺/ẋ⁻ (E_tan = r)", -r, ours.velocity()[0], 1e-12);
    Ok(())
}
