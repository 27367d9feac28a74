//! Figs. 1 and 2: the set-valued maps, as impacts trace them.

use delassus::{ContactData, Mass, ProblemData};

use crate::reproduce::numeric::{largest, linspace};
use crate::reproduce::solve::{newton, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Marker, Panel, Series, Text};

/// A point mass on a plane with ε = 0: normal and tangent do not couple. Returns
/// (ξ_N, Λ_N, ξ_T, Λ_T).
fn strike(friction: f64, normal: f64, tangential: f64) -> Result<[f64; 4], StudyError> {
    let contact = ContactData::new("C", [1.0, 0.0]).tangent([0.0, 1.0]).friction(friction);
    let data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0])?, [normal, tangential]).with_contact(contact);
    let outcome = solve(data, &newton())?;
    let (gamma, impulse) = (&outcome.gamma_plus, outcome.impulses());
    Ok([gamma[0], impulse[0], gamma[1], impulse[1]])
}

/// Points (x, −y) with −y ∈ Upr(x).
fn unilateral() -> Result<Vec<(f64, f64)>, StudyError> {
    linspace(-1.0, 1.0, 21).map(|u| strike(1.0, u, 0.0).map(|[xi, impulse, ..]| (xi, -impulse))).collect()
}

/// Points (x, −y) with −y ∈ Sgn(x): friction under a normal impulse 1.
fn relay(friction: f64) -> Result<Vec<(f64, f64)>, StudyError> {
    let at = |u| strike(friction, -1.0, u).map(|[_, normal, xi, impulse]| (xi, -impulse / (friction * normal)));
    linspace(-2.0, 2.0, 41).map(at).collect()
}

fn asked(found: &mut Findings) -> Result<f64, StudyError> {
    found.parameter("friction", "friction μ", 1.0, [0.05, 2.0])
}

fn panel(title: &str, x: &str, y: &str, graph: Vec<(f64, f64)>, points: &[(f64, f64)]) -> Panel {
    let axis = |label: &str| Axis::new(label).range(-1.5, 1.5);
    let dots = Series::scatter(points.iter().copied()).index(1).marker(Marker::OpenCircle).label("impacts");
    let y_axis = axis(y).ticks_at([(-1.0, "−1"), (1.0, "1")]);
    Panel::new(axis(x), y_axis)
        .arrows()
        .title(title)
        .add(Series::line(graph).index(0).width(1.8).label("graph"))
        .add(dots)
}

fn upr_graph() -> Vec<(f64, f64)> {
    vec![(0.0, -1.4), (0.0, 0.0), (1.4, 0.0)]
}

fn sgn_graph() -> Vec<(f64, f64)> {
    vec![(-1.4, -1.0), (0.0, -1.0), (0.0, 1.0), (1.4, 1.0)]
}

pub(super) fn fig_1(found: &mut Findings) -> Result<(), StudyError> {
    let friction = asked(found)?;
    let (upr, sgn) = (unilateral()?, relay(friction)?);
    let complementarity = largest(upr.iter().flat_map(|&(x, y)| [(x * y).abs(), -x, y]));
    found.number("(2): largest of |xy|, −x, −y over 21 impacts with −Λ_N ∈ Upr(ξ_N)", 0.0, complementarity, 1e-12);
    let distance = |&(x, y): &(f64, f64)| if x == 0.0 { (y.abs() - 1.0).max(0.0) } else { (y - x.signum()).abs() };
    let away = largest(sgn.iter().map(distance));
    found.number("(3): largest distance of −Λ_T/(μΛ_N) from Sgn(ξ_T) over 41 impacts", 0.0, away, 1e-12);
    let vertical = sgn.iter().filter(|(x, _)| *x == 0.0).map(|(_, y)| *y);
    let span = vertical.clone().fold(f64::MIN, f64::max) - vertical.fold(f64::MAX, f64::min);
    found.number("(3): length of the vertical part Sgn(0) = [−1, 1]", 2.0, span, 0.1 + 1e-12);

    let mut table = Table::new("", ["map", "x", "-y"]);
    for (name, points) in [("Upr", &upr), ("Sgn", &sgn)] {
        for &(x, y) in points {
            table.row([name.into(), x.into(), y.into()]);
        }
    }
    found.table(table);
    let left = panel("Upr(x)", "x", "−y", upr_graph(), &upr);
    let right = panel("Sgn(x)", "x", "−y", sgn_graph(), &sgn);
    found.figure(
        Figure::grid(2, vec![left, right]).aspect(0.8).shared_legend(),
        "The unilateral primitive and the filled-in relay. Points: pairs (ξ, −Λ) that Newton's law gives a \
         point mass (μ = 1, ε = 0, normal impulse 1 on the right).",
    );
    found.note("The figure is a sketch of two graphs; here impacts under Newton's law trace them.");
    Ok(())
}

pub(super) fn fig_2(found: &mut Findings) -> Result<(), StudyError> {
    let friction = asked(found)?;
    let sgn = relay(friction)?;
    let split = |x: f64| (x.max(0.0), (-x).max(0.0));
    // (5) with −y ∈ Sgn(x): both pairs are complementary.
    let residual = |&(x, minus_y): &(f64, f64)| {
        let (right, left) = split(x);
        let pair = |a: f64, b: f64| largest([(a * b).abs(), -a, -b]);
        largest([pair(1.0 - minus_y, right), pair(1.0 + minus_y, left)])
    };
    let worst = largest(sgn.iter().map(residual));
    found.number(
        "(5): largest complementarity residual of (1 + y, x_R), (1 − y, x_L) over 41 impacts",
        0.0,
        worst,
        1e-12,
    );

    let mut table = Table::new("", ["x", "-y", "x_R", "x_L"]);
    for &(x, y) in &sgn {
        let (right, left) = split(x);
        table.numbers([x, y, right, left]);
    }
    found.table(table);
    let with = |pick: fn((f64, f64)) -> f64| sgn.iter().map(|&(x, y)| (pick(split(x)), y)).collect::<Vec<_>>();
    let panels = vec![
        panel("+Upr(x_{R}) + 1", "x_{R}", "−y", vec![(0.0, -1.4), (0.0, 1.0), (1.4, 1.0)], &with(|s| s.0)),
        panel("−Upr(x_{L}) − 1", "x_{L}", "−y", vec![(0.0, 1.4), (0.0, -1.0), (1.4, -1.0)], &with(|s| s.1)),
        panel("Sgn(x), x = x_{R} − x_{L}", "x", "−y", sgn_graph(), &sgn).add(Text::new(0.35, 0.4, "stick")),
    ];
    found.figure(
        Figure::grid(3, panels).aspect(0.95).shared_legend(),
        "The relay function as two unilateral primitives, (4). Points: the impacts of Fig. 1 split into \
         x_R = max(x, 0) and x_L = max(−x, 0).",
    );
    Ok(())
}
