//! Section 7: four aligned balls.

use std::f64::consts::FRAC_PI_2;

use delassus::law::Kinematic;
use delassus::{ContactData, ImpactOutcome, LawSpec, Mass, ProblemData};

use crate::reproduce::numeric::linspace;
use crate::reproduce::solve::solve;
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, CellGrid, Color, ColorMap, Dash, Field, Figure, LegendPlace, Panel, Series};

/// Four balls of unit mass under q̇_norm⁺ = −E_n q̇_norm⁻.
fn strike(matrix: [[f64; 3]; 3], velocity: [f64; 4]) -> Result<ImpactOutcome, StudyError> {
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0; 4])?, velocity);
    for (k, name) in ["12", "23", "34"].into_iter().enumerate() {
        let mut normal = vec![0.0; 4];
        (normal[k], normal[k + 1]) = (-1.0, 1.0);
        data = data.with_contact(ContactData::new(name, normal));
    }
    let matrix = matrix.iter().map(|row| row.to_vec()).collect();
    let law = Kinematic { restitution_matrix: Some(matrix), ..Kinematic::default() };
    solve(data, &LawSpec::Kinematic(law))
}

/// The first ball strikes: only the first column of E_n acts.
fn first(column: [f64; 3]) -> Result<ImpactOutcome, StudyError> {
    strike(column.map(|e| [e, 0.0, 0.0]), [1.0, 0.0, 0.0, 0.0])
}

/// Q with T⁺ − T⁻ = (m/8)(Q − 3): the corrected (60) is Q ≤ 3.
fn quadratic([a, b, c]: [f64; 3]) -> f64 {
    3.0 * a * a + 4.0 * b * b + 3.0 * c * c + 4.0 * a * b + 2.0 * a * c + 4.0 * b * c
}

pub(super) fn section_7(found: &mut Findings) -> Result<(), StudyError> {
    let e = [
        found.parameter("e_n1", "restitution e_n1", 0.3, [0.0, 1.2])?,
        found.parameter("e_n21", "restitution e_n21", 0.4, [0.0, 1.2])?,
        found.parameter("e_n31", "restitution e_n31", 0.5, [0.0, 1.2])?,
    ];
    let drawn = found.parameter("drawn_e_n1", "restitution e_n1 of the right map", 0.5, [0.0, 0.95])?;
    first_velocity(found, e)?;
    second_velocity(found)?;
    proposition(found)?;
    draw(found, drawn)
}

fn first_velocity(found: &mut Findings, e: [f64; 3]) -> Result<(), StudyError> {
    let outcome = first(e)?;
    let [a, b, c] = e;
    let u = [1.0 - 3.0 * a - 2.0 * b - c, 1.0 + a - 2.0 * b - c, 1.0 + a + 2.0 * b - c, 1.0 + a + 2.0 * b + 3.0 * c];
    for (k, (paper, ours)) in u.iter().zip(&outcome.u_plus).enumerate() {
        found.number(format!("e = ({a}, {b}, {c}): q̇_{}⁺, (59)", k + 1), paper / 4.0, *ours, 1e-12);
    }
    let p = [3.0 + 3.0 * a + 2.0 * b + c, 2.0 + 2.0 * a + 4.0 * b + 2.0 * c, 1.0 + a + 2.0 * b + 3.0 * c];
    for (name, (paper, ours)) in ["12", "23", "34"].iter().zip(p.iter().zip(outcome.impulses())) {
        found.number(format!("e = ({a}, {b}, {c}): p_{name}/m, (59)"), paper / 4.0, *ours, 1e-12);
    }
    for (e, claim) in [([0.0, 1.0, 0.0], "1"), ([0.6, 0.0, 0.8], "1"), (e, "less than 1")] {
        let energy = first(e)?.energy;
        found.corrected(
            format!("(e_n1, e_n21, e_n31) = ({}, {}, {}): T⁺/T⁻ by (60)", e[0], e[1], e[2]),
            claim,
            1.0 + (quadratic(e) - 3.0) / 4.0,
            energy.after / energy.before,
            1e-12,
            "(13) has A⁻¹ in place of A, so (60) should read 3e₁² + 4e₂₁² + 3e₃₁² + 4e₁e₂₁ + 2e₁e₃₁ + 4e₂₁e₃₁ ≤ 3.",
        );
    }
    Ok(())
}

fn second_velocity(found: &mut Findings) -> Result<(), StudyError> {
    let matrix = [[0.2, 0.0, 0.1], [0.3, 0.0, 0.25], [0.15, 0.0, 0.4]];
    let outcome = strike(matrix, [1.0, 0.0, 0.0, -2.0])?;
    let g = matrix.map(|row| row[0] + 2.0 * row[2]);
    let u = [-1.0 - 3.0 * g[0] - 2.0 * g[1] - g[2], -1.0 + g[0] - 2.0 * g[1] - g[2]];
    for (k, paper) in u.into_iter().enumerate() {
        found.number(format!("u⁻ = (1, 0, 0, −2): q̇_{}⁺, (63)", k + 1), paper / 4.0, outcome.u_plus[k], 1e-12);
    }
    let [[e1, _, e13], [e21, _, e23], [e31, _, e3]] = matrix;
    found.corrected(
        "u⁻ = (1, 0, 0, −2): p_23/m, (63)",
        (3.0 + 2.0 * (e1 + e13 + e21 + 2.0 * e23 + e31 + e3)) / 2.0,
        (3.0 + e1 + 2.0 * e13 + 2.0 * e21 + 4.0 * e23 + e31 + 2.0 * e3) / 2.0,
        outcome.impulses()[1],
        1e-12,
        "p_23 = m(3 + e₁ + 2e₁₃ + 2e₂₁ + 4e₂₃ + e₃₁ + 2e₃)/2: the printed coefficients of e₁ and e₃₁ are 2.",
    );
    // g = (1, 2, 0) lies on the printed boundary of (61).
    let energy = strike([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]], [1.0, 0.0, 0.0, -2.0])?.energy;
    found.corrected(
        "u⁻ = (1, 0, 0, −2), e_n1 = e_n23 = 1: T⁺/T⁻ by (61)",
        "1",
        1.0 + (quadratic([1.0, 2.0, 0.0]) - 19.0) / 20.0,
        energy.after / energy.before,
        1e-12,
        "(61) should read 3g₁² + 4g₂² + 3g₃² + 4g₁g₂ + 2g₁g₃ + 4g₂g₃ ≤ 19 with g_k = e_k1 + 2e_k3.",
    );
    Ok(())
}

/// Proposition 1 fails: E_n swaps contacts 1 and 2.
fn proposition(found: &mut Findings) -> Result<(), StudyError> {
    let swap = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let outcome = strike(swap, [1.0, 0.0, 0.0, 0.0])?;
    let ratio = outcome.energy.after / outcome.energy.before;
    let pushes = outcome.impulses().iter().all(|&p| p >= -1e-12);
    found.corrected(
        "Proposition 1, E_n swaps contacts 1 and 2 (symmetric, eigenvalues −1, 1, 1): T⁺/T⁻",
        "at most 1",
        1.25,
        if pushes { ratio } else { f64::NAN },
        1e-12,
        "Proposition 1 rests on A in place of A⁻¹; right is σ_max(A^(−1/2) E_n A^(1/2)) ≤ 1. Here u⁺ = (−1, −1, 3, 3)/4.",
    );
    for (k, (paper, ours)) in [-0.25, -0.25, 0.75, 0.75].iter().zip(&outcome.u_plus).enumerate() {
        found.number(format!("counterexample: q̇_{}⁺", k + 1), *paper, *ours, 1e-12);
    }
    Ok(())
}

fn draw(found: &mut Findings, last: f64) -> Result<(), StudyError> {
    let count = 100;
    let mut table = Table::new("", ["e_n1", "e_n21", "e_n31", "energy_ratio"]);
    let mut panels = Vec::new();
    for e1 in [0.0, last] {
        let grid = CellGrid::uniform((0.0, 1.2), count, (0.0, 1.2), count);
        let mut values = Vec::with_capacity(count * count);
        for row in 0..count {
            for column in 0..count {
                let at = |k: usize| 1.2 * (k as f64 + 0.5) / count as f64;
                let energy = first([e1, at(column), at(row)])?.energy;
                let ratio = energy.after / energy.before;
                if row % 4 == 0 && column % 4 == 0 {
                    table.numbers([e1, at(column), at(row), ratio]);
                }
                values.push(ratio - 1.0);
            }
        }
        let field = Field::from_values(grid, values)
            .map(ColorMap::Diverging)
            .label("T^{+} / T^{−} − 1, at most 1 shown")
            .range(-1.0, 1.0);
        // By its angle, so that it reaches both axes.
        let radius = (1.0 - e1 * e1).sqrt();
        let circle = linspace(0.0, FRAC_PI_2, 181).map(|angle| (radius * angle.cos(), radius * angle.sin()));
        // The condition solved for e_n31 ≥ 0.
        let ellipse = linspace(0.0, 1.2, 241).map(|b| {
            let (half, rest) = (e1 + 2.0 * b, quadratic([e1, b, 0.0]) - 3.0);
            (b, (-half + (half * half - 3.0 * rest).sqrt()) / 3.0)
        });
        let panel = Panel::new(Axis::new("e_{n,21}").range(0.0, 1.2), Axis::new("e_{n,31}").range(0.0, 1.2))
            .title(format!("e_{{n,1}} = {e1}"))
            .add(field)
            .add(Series::line(circle).color(Color::BLACK).dash(Dash::Dashed).width(1.4).label("(60) as printed"))
            .add(Series::line(ellipse).color(Color::BLACK).width(1.6).label("(60) corrected"))
            .legend(LegendPlace::Below);
        panels.push(panel);
    }
    found.table(table);
    found.figure(
        Figure::grid(2, panels).aspect(0.9).shared_legend(),
        "Energy after the first ball strikes, from the law; blue: lost. The admissible set lies below the solid curve, \
         not below the printed one.",
    );
    Ok(())
}
