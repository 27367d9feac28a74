//! Figs. 3 to 6: graphs of the scalar impact elements, with impacts that trace them.

use delassus::law::graphs::{Graph, Phase, graph};
use delassus::{ContactData, ImpactOutcome, ImpactProblem, JointData, Mass, ProblemData};

use crate::reproduce::numeric::{largest, linspace};
use crate::reproduce::solve::{phases, poisson, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Marker, Panel, Series, Text};

/// A resolved impact and the graphs of one of its elements in both phases.
struct Traced {
    graphs: [Graph; 2],
    /// (−Λ, γ) of both phases.
    points: [(f64, f64); 2],
}

fn trace(data: ProblemData, element: &str) -> Result<Traced, StudyError> {
    let problem = ImpactProblem::new(data.clone())?;
    let outcome: ImpactOutcome = solve(data, &poisson())?;
    let (compression, decompression) = phases(&outcome);
    let found = problem.elements().iter().find(|e| e.name == element);
    let element = found.ok_or_else(|| StudyError::new(format!("no element {element}")))?;
    let row = element.rows.start;
    let second = Phase::Decompression { compression: &compression, decompression: &decompression };
    Ok(Traced {
        graphs: [
            graph(&problem, element, Phase::Compression { compression: &compression }),
            graph(&problem, element, second),
        ],
        points: [(-compression[row], outcome.gamma_compression[row]), (-decompression[row], outcome.gamma_plus[row])],
    })
}

/// Distance of a point from a curve.
fn distance(graph: &Graph, point: (f64, f64)) -> f64 {
    let line = graph.polyline(1e3);
    let part = |w: &[[f64; 2]]| {
        let (dx, dy) = (w[1][0] - w[0][0], w[1][1] - w[0][1]);
        let (px, py) = (point.0 - w[0][0], point.1 - w[0][1]);
        let length = dx * dx + dy * dy;
        let t = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
        (px - t * dx).hypot(py - t * dy)
    };
    // `f64::min` would drop what is not a number.
    line.windows(2).map(part).fold(f64::INFINITY, |known, d| if d < known || d.is_nan() { d } else { known })
}

/// Corners of a curve along −Λ.
fn corners(graph: &Graph) -> Vec<f64> {
    match graph {
        Graph::Curve { corners, .. } => corners.iter().map(|c| c[0]).collect(),
        Graph::Reservoir { .. } => Vec::new(),
    }
}

/// A body dropped with `upper` on one that moves with `lower` over the ground; A between them.
fn stack(upper: f64, lower: f64, restitution: [f64; 2], joint: bool) -> Result<ProblemData, StudyError> {
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0])?, [upper, lower])
        .with_contact(ContactData::new("A", [1.0, -1.0]).restitution(restitution[0]));
    let direction = [0.0, 1.0];
    if joint {
        let directions = vec![direction.into()];
        data.joints.push(JointData { name: "B".into(), directions, restitution: restitution[1], offset: Vec::new() });
        Ok(data)
    } else {
        Ok(data.with_contact(ContactData::new("B", direction).restitution(restitution[1])))
    }
}

/// The rough floor.
#[derive(Clone, Copy)]
struct Floor {
    friction: f64,
    restitution: f64,
}

impl Floor {
    fn asked(found: &mut Findings) -> Result<Floor, StudyError> {
        Ok(Floor {
            friction: found.parameter("friction", "friction μ", 0.5, [0.05, 1.0])?,
            restitution: found.parameter("restitution", "restitution ε_N", 0.8, [0.3, 1.0])?,
        })
    }
}

/// A particle that lands on a rough floor while another one strikes it along the floor with ε = `push`:
/// Λ_N⁻ = 1, Λ_T⁻ = 0.4.
fn rough(floor: Floor, push: f64, tangential: f64, speeds: [f64; 2]) -> Result<ProblemData, StudyError> {
    let contact = ContactData::new("C", [0.0, 1.0, 0.0])
        .tangent([1.0, 0.0, 0.0])
        .friction(floor.friction)
        .restitution(floor.restitution)
        .restitution_tangential(tangential);
    let mass = Mass::diagonal(vec![1.0, 1.0, 0.25])?;
    let data = ProblemData::new(mass, [speeds[0], -1.0, speeds[1]]).with_contact(contact);
    Ok(data.with_contact(ContactData::new("W", [-1.0, 0.0, 1.0]).restitution(push)))
}

/// Draws both phases; the graphs are those of the last member of each family.
fn draw(found: &mut Findings, families: [Vec<Traced>; 2], labels: [&str; 2], caption: &str) {
    let mut table = Table::new("", ["phase", "minus_impulse", "gamma"]);
    let mut panels = Vec::new();
    for (phase, family) in families.iter().enumerate() {
        let name = ["compression", "decompression"][phase];
        let worst = largest(family.iter().map(|t| distance(&t.graphs[phase], t.points[phase])));
        found.number(format!("{name}: largest distance of {} impacts from the graph", family.len()), 0.0, worst, 1e-9);
        for t in family {
            table.row([name.into(), t.points[phase].0.into(), t.points[phase].1.into()]);
        }
        let axes = [["−Λ^{(−)}", "γ°"], ["−Λ^{(+)}", "γ^{+}"]][phase];
        let mut ticks = vec![];
        let mut panel = Panel::new(Axis::new(axes[0]).range(-1.3, 1.0), Axis::new(axes[1]).range(-0.9, 1.1)).arrows();
        if let Some(last) = family.last() {
            let line = last.graphs[phase].polyline(5.0);
            ticks = corners(&last.graphs[phase]);
            panel = panel.add(Series::line(line.iter().map(|p| (p[0], p[1]))).index(0).width(1.8).label("graph"));
        }
        let points = family.iter().map(|t| t.points[phase]);
        panel.x = panel
            .x
            .ticks_at(ticks.iter().filter(|t| t.abs() > 1e-12).map(|t| (*t, format!("{t:.2}").replace('-', "−"))));
        panel = panel.add(Series::scatter(points).index(1).marker(Marker::OpenCircle).label("impacts"));
        panels.push(panel.title(labels[phase]));
    }
    found.table(table);
    found.figure(Figure::grid(2, panels).aspect(0.85).shared_legend(), caption);
}

pub(super) fn fig_3(found: &mut Findings) -> Result<(), StudyError> {
    let ground = found.parameter("restitution", "restitution of the ground ε_B", 0.5, [0.0, 1.0])?;
    let first = linspace(-0.8, 0.8, 17)
        .map(|w| trace(stack(-0.4, w, [0.0, ground], false)?, "B"))
        .collect::<Result<Vec<_>, _>>()?;
    let second = linspace(0.0, 1.0, 11)
        .map(|e| trace(stack(-1.0, 0.0, [e, ground], false)?, "B"))
        .collect::<Result<Vec<_>, _>>()?;
    let shift = corners(&second[0].graphs[1])[0];
    found.number("corner of the decompression graph: −ε_iΛ_i⁽⁻⁾", -0.5, shift, 1e-12);
    draw(
        found,
        [first, second],
        ["compression", "decompression, εΛ^{(−)} = 0.5"],
        "Unilateral constraint. Points: the lower body of a stack at its contact with the ground, for various velocities \
         (left) and restitutions of the upper contact (right).",
    );
    Ok(())
}

pub(super) fn fig_4(found: &mut Findings) -> Result<(), StudyError> {
    let ground = found.parameter("restitution", "restitution of the joint ε_B", 0.5, [0.0, 1.0])?;
    let first = linspace(-1.0, 1.0, 11)
        .map(|w| trace(stack(-0.4, w, [0.0, ground], true)?, "B"))
        .collect::<Result<Vec<_>, _>>()?;
    let second = linspace(0.0, 1.0, 11)
        .map(|e| trace(stack(-1.0, 0.0, [e, ground], true)?, "B"))
        .collect::<Result<Vec<_>, _>>()?;
    let moving = largest(second.iter().map(|t| t.points[1].1.abs()));
    found.number("largest |γ⁺|, (57)", 0.0, moving, 1e-12);
    let free = second.iter().any(|t| t.points[1].0 > -0.49) && second.iter().any(|t| t.points[1].0 < -0.51);
    found.claim(
        "Λ⁽⁺⁾ of a bilateral constraint",
        "any value",
        if free { "on both sides of εΛ⁽⁻⁾" } else { "one-sided" },
        free,
    );
    draw(
        found,
        [first, second],
        ["compression", "decompression"],
        "Bilateral constraint: the graph is the horizontal axis in both phases.",
    );
    Ok(())
}

pub(super) fn fig_5(found: &mut Findings) -> Result<(), StudyError> {
    let floor = Floor::asked(found)?;
    let tangential = found.parameter(
        "restitution_tangential",
        "tangential restitution ε_T",
        f64::min(0.3, floor.restitution),
        [0.0, floor.restitution],
    )?;
    // Without the second particle (it recedes) the landing velocity alone sets the friction.
    let first = linspace(-1.0, 1.0, 21)
        .map(|v| trace(rough(floor, 0.0, tangential, [v, v + 1.0])?, "C.friction"))
        .collect::<Result<Vec<_>, _>>()?;
    let second = linspace(0.0, 1.0, 21)
        .map(|push| trace(rough(floor, push, tangential, [0.1, -2.0])?, "C.friction"))
        .collect::<Result<Vec<_>, _>>()?;
    let width = |t: &Traced, phase: usize| {
        let ends = corners(&t.graphs[phase]);
        (ends[ends.len() - 1] - ends[0], 0.5 * (ends[ends.len() - 1] + ends[0]))
    };
    found.number("width in compression, 2μΛ_k⁽⁻⁾", 1.0, width(&first[0], 0).0, 1e-12);
    found.number("width in decompression, 2μ(Λ_k⁽⁺⁾ − ε_iΛ_k⁽⁻⁾)", 0.5, width(&second[0], 1).0, 1e-12);
    found.number("centre in decompression, −ε_iΛ_i⁽⁻⁾", -0.12, width(&second[0], 1).1, 1e-12);
    let states = second.iter().map(|t| t.points[1].1.abs() < 1e-12);
    let both = states.clone().any(|s| s) && states.clone().any(|s| !s);
    found.claim("decompression", "stick inside, slip at the ends", if both { "both occur" } else { "one only" }, both);
    draw(
        found,
        [first, second],
        ["compression, 2μΛ_{k}^{(−)} = 1", "decompression, ε_{T} = 0.3"],
        "Coulomb friction in one dimension, μ = 0.5, ε_N = 0.8. Points: a particle that lands on the floor, struck \
         sideways with growing restitution on the right.",
    );
    Ok(())
}

pub(super) fn fig_6(found: &mut Findings) -> Result<(), StudyError> {
    let floor = Floor::asked(found)?;
    let family = |tangential: f64| {
        let one = |push| trace(rough(floor, push, tangential, [0.1, -2.0])?, "C.friction");
        linspace(0.0, 1.0, 21).map(one).collect::<Result<Vec<_>, _>>()
    };
    let (plain, pure) = (family(0.0)?, family(floor.restitution)?);
    let ends = corners(&plain[0].graphs[1]);
    found.number("ε_i = 0: width 2μΛ_k⁽⁺⁾, (77)", 0.8, ends[1] - ends[0], 1e-12);
    found.number("ε_i = 0: centre", 0.0, ends[1] + ends[0], 1e-12);
    let line = corners(&pure[0].graphs[1]);
    found.number("ε_i = ε_k: corners of the graph (a vertical line), (78)", 1.0, line.len() as f64, 0.0);
    found.number("ε_i = ε_k: its place −ε_iΛ_i⁽⁻⁾", -0.32, line[0], 1e-12);
    let mut panels = Vec::new();
    let mut table = Table::new("", ["epsilon_i", "minus_impulse", "gamma"]);
    for (eps, family, title) in [(0.0, plain, "ε_{i} = 0"), (floor.restitution, pure, "ε_{i} = ε_{k}")] {
        let worst = largest(family.iter().map(|t| distance(&t.graphs[1], t.points[1])));
        found.number(
            format!("ε_i = {eps}: largest distance of {} impacts from the graph", family.len()),
            0.0,
            worst,
            1e-9,
        );
        for t in &family {
            table.numbers([eps, t.points[1].0, t.points[1].1]);
        }
        let line = family[0].graphs[1].polyline(5.0);
        let x = Axis::new("−Λ^{(+)}").range(-1.0, 1.0);
        let ends = corners(&family[0].graphs[1]);
        let name = |t: f64| format!("{t:.2}").replace('-', "−");
        // A mark on the vertical line itself would be hidden by it.
        let marks = ends.iter().filter(|_| ends.len() > 1).map(|&t| (t, name(t)));
        let aside =
            Text::new(ends[0], 0.0, if ends.len() == 1 { name(ends[0]) } else { String::new() }).offset(-18.0, -9.0);
        panels.push(
            Panel::new(x.ticks_at(marks), Axis::new("γ^{+}").range(-0.6, 0.6))
                .arrows()
                .title(title)
                .add(Series::line(line.iter().map(|p| (p[0], p[1]))).index(0).width(1.8).label("graph"))
                .add(
                    Series::scatter(family.iter().map(|t| t.points[1]))
                        .index(1)
                        .marker(Marker::OpenCircle)
                        .label("impacts"),
                )
                .add(aside),
        );
    }
    found.table(table);
    found.figure(
        Figure::grid(2, panels).aspect(0.85).shared_legend(),
        "Decompression of Coulomb friction in its two special cases, ε_k = 0.8, μ = 0.5.",
    );
    Ok(())
}
