//! Section 5: the region of the coefficients (e_n1, e_n21, e_t3) when B rebounds.

use super::block::Block;
use crate::colors::categories;
use crate::reproduce::numeric::linspace;
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, CellGrid, Color, Dash, Figure, LegendPlace, Panel, Regions, Series};

/// Left side minus right side of (51), (53), (54) with L = 1 and l² = `l2`, as printed.
fn printed(l2: f64, [e1, e21, et]: [f64; 3]) -> [f64; 3] {
    [
        4.0 * (l2 + 1.0) - energy_form(l2, [e1, e21, et]),
        (l2 + 4.0) * e1 + (2.0 - l2) * e21 + 3.0 * l2 * et + 7.0 * l2 + 4.0,
        (2.0 - l2) * (e1 + e21) - 3.0 * l2 * et + 2.0 * (1.0 - 2.0 * l2),
    ]
}

/// The same, corrected.
fn corrected(l2: f64, e: [f64; 3]) -> [f64; 3] {
    let [e1, e21, et] = e;
    let [energy, first, _] = printed(l2, e);
    let second = (2.0 - l2) * e1 + (l2 + 4.0) * e21 - 3.0 * l2 * et + 2.0 * (1.0 - 2.0 * l2);
    [energy, first - 3.0 * l2, second]
}

fn energy_form(l2: f64, [e1, e21, et]: [f64; 3]) -> f64 {
    (l2 + 4.0) * (e1 * e1 + e21 * e21) + (4.0 - 2.0 * l2) * e1 * e21 + 3.0 * l2 * et * et
}

/// The same margins from the law: −24(T⁺ − T⁻), 12 p_n1, 12 p_n2 (m = L = −θ̇⁻ = 1).
fn measured(aspect: f64, [e1, e21, et]: [f64; 3]) -> Result<[f64; 3], StudyError> {
    let impact = Block::new(aspect).strike([e1, e21], Some(et))?;
    let [first, second] = impact.normal();
    Ok([-24.0 * impact.energy_change(), 12.0 * first, 12.0 * second])
}

pub(super) fn section_5(found: &mut Findings) -> Result<(), StudyError> {
    let drawn = [
        (
            found.parameter("left_aspect", "l/L on the left", 1.2, [0.2, 4.0])?,
            found.parameter("left_tangential", "e_t3 on the left", -0.8, [-1.0, 1.0])?,
        ),
        (
            found.parameter("right_aspect", "l/L on the right", 2.0, [0.2, 4.0])?,
            found.parameter("right_tangential", "e_t3 on the right", -0.9, [-1.0, 1.0])?,
        ),
    ];
    let why = [
        "",
        "(53): the constant 7l² should read 4l².",
        "(54): (2L² − l²)(e_n1 + e_n21) should read (2L² − l²)e_n1 + (l² + 4L²)e_n21.",
    ];
    for (aspect, e) in [(0.5, [0.3, 0.6, -0.4]), (2.0, [0.2, 0.7, -0.5]), (3.0, [0.1, 0.5, 0.2])] {
        let (paper, right, ours) = (printed(aspect * aspect, e), corrected(aspect * aspect, e), measured(aspect, e)?);
        let at = format!("l/L = {aspect}, (e_n1, e_n21, e_t3) = ({}, {}, {})", e[0], e[1], e[2]);
        found.number(format!("{at}: margin of (51)–(52), −(24/m)(T⁺ − T⁻)/θ̇²"), paper[0], ours[0], 1e-10);
        for (k, name) in [(1, "(53), 12 L p_n1/(m|θ̇|)"), (2, "(54), 12 L p_n2/(m|θ̇|)")] {
            found.corrected(format!("{at}: margin of {name}"), paper[k], right[k], ours[k], 1e-10, why[k]);
        }
    }
    let difference = Block::new(2.0).strike([0.2, 0.7], Some(-0.5))?.normal();
    // p_n1 − p_n2 after (52), m = L = 1, θ̇⁻ = −1, l = 2.
    let inertia = 5.0 / 12.0;
    let value = |sum: f64| -(2.0 * inertia * sum - 2.0 * 0.5);
    found.corrected(
        "l/L = 2: p_n1 − p_n2 after (52)",
        value(0.2 - 0.7 + 1.0),
        value(0.7 - 0.2 - 1.0),
        difference[0] - difference[1],
        1e-10,
        "(2I_G/L)(e_n1 − e_n21 + 1) should read (2I_G/L)(e_n21 − e_n1 − 1).",
    );

    let count = 160;
    let mut table = Table::new("", ["l/L", "e_t3", "e_n1", "e_n21", "energy", "p_n1", "p_n2"]);
    let mut panels = Vec::new();
    for (aspect, et) in drawn {
        let grid = CellGrid::uniform((0.0, 1.5), count, (0.0, 1.5), count);
        let mut cells = Vec::with_capacity(count * count);
        for row in 0..count {
            for column in 0..count {
                let at = |k: usize| 1.5 * (k as f64 + 0.5) / count as f64;
                let (e1, e21) = (at(column), at(row));
                let margins = measured(aspect, [e1, e21, et])?;
                if row % 8 == 0 && column % 8 == 0 {
                    table.numbers([aspect, et, e1, e21, margins[0], margins[1], margins[2]]);
                }
                cells.push(match margins {
                    [_, first, second] if first < 0.0 || second < 0.0 => 2,
                    [energy, ..] if energy < 0.0 => 1,
                    _ => 0,
                });
            }
        }
        let kinds = categories(&["admissible", "energy grows", "a corner pulls"]);
        let mut panel = Panel::new(Axis::new("e_{n,1}").range(0.0, 1.5), Axis::new("e_{n,21}").range(0.0, 1.5))
            .title(format!("l/L = {aspect}, e_{{t,3}} = {et}").replace('-', "−"))
            .add(Regions::from_cells(grid, kinds, cells));
        // (54) solved for e_n21, printed and corrected.
        let l2 = aspect * aspect;
        let rest = |e1: f64| (2.0 - l2) * e1 - 3.0 * l2 * et + 2.0 * (1.0 - 2.0 * l2);
        for (slope, name, dash) in
            [(2.0 - l2, "(54) as printed", Dash::Dashed), (l2 + 4.0, "(54) corrected", Dash::Solid)]
        {
            let line = linspace(0.0, 1.5, 61).map(|e1| (e1, -rest(e1) / slope));
            panel = panel.add(Series::line(line).color(Color::BLACK).dash(dash).label(name));
        }
        // (51) with equality, solved for e_n21.
        let ellipse = linspace(0.0, 1.5, 301).map(|e1| {
            let (half, free) = ((2.0 - l2) * e1, energy_form(l2, [e1, 0.0, et]) - 4.0 * (l2 + 1.0));
            (e1, (-half + (half * half - (l2 + 4.0) * free).sqrt()) / (l2 + 4.0))
        });
        panel = panel.add(Series::line(ellipse).color(Color::BLACK).dash(Dash::DashDot).label("(52), T^{+} = T^{−}"));
        panels.push(panel.legend(LegendPlace::Below));
    }
    found.table(table);
    found.figure(
        Figure::grid(2, panels).aspect(0.9).shared_legend(),
        "Admissible restitution coefficients of the block with a rebound at B, in planes of constant e_t3, from the \
         impulses and energies of the law.",
    );
    Ok(())
}
