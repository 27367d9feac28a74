//! Figs. 7 and 8: friction in two dimensions as a normal cone inclusion.

use delassus::law::graphs::{Graph, Phase, graph};
use delassus::{ContactData, Friction, ImpactProblem, Mass, ProblemData};

use crate::reproduce::numeric::{largest, linspace};
use crate::reproduce::solve::{phases, poisson, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Arrow, Axis, Color, Figure, Marker, Panel, Series};

/// −Λ_T and γ_T of one phase, with the reservoir they belong to.
struct Slide {
    reservoir: Graph,
    impulse: [f64; 2],
    velocity: [f64; 2],
}

/// A particle that lands with γ_N⁻ = −1 and the given tangential velocity; restitution ε_N, ε_T.
fn land(friction: Friction, restitution: [f64; 2], velocity: [f64; 2]) -> Result<[Slide; 2], StudyError> {
    let contact = ContactData::new("C", [0.0, 0.0, 1.0])
        .tangent([1.0, 0.0, 0.0])
        .tangent([0.0, 1.0, 0.0])
        .friction(friction)
        .restitution(restitution[0])
        .restitution_tangential(restitution[1]);
    let mass = Mass::diagonal(vec![1.0; 3])?;
    let data = ProblemData::new(mass, [velocity[0], velocity[1], -1.0]).with_contact(contact);
    let problem = ImpactProblem::new(data.clone())?;
    let outcome = solve(data, &poisson())?;
    let (first, second) = phases(&outcome);
    let element = &problem.elements()[1];
    let slide = |phase, impulse: &[f64], gamma: &[f64]| Slide {
        reservoir: graph(&problem, element, phase),
        impulse: [-impulse[1], -impulse[2]],
        velocity: [gamma[1], gamma[2]],
    };
    let both = Phase::Decompression { compression: &first, decompression: &second };
    Ok([
        slide(Phase::Compression { compression: &first }, &first, &outcome.gamma_compression),
        slide(both, &second, &outcome.gamma_plus),
    ])
}

/// How far γ is from the normal cone of the reservoir at −Λ, and −Λ from the reservoir.
fn violation(slide: &Slide) -> f64 {
    let Graph::Reservoir { centre, half_axes: [a, b] } = slide.reservoir else { return f64::NAN };
    let [x, y] = [slide.impulse[0] - centre[0], slide.impulse[1] - centre[1]];
    let gauge = (x / a).hypot(y / b);
    let [u, v] = slide.velocity;
    if gauge < 1.0 - 1e-9 {
        return u.hypot(v);
    }
    let normal = [x / (a * a), y / (b * b)];
    let size = normal[0].hypot(normal[1]);
    let along = ((u * normal[0] + v * normal[1]) / size).max(0.0);
    (gauge - 1.0).max((u - along * normal[0] / size).hypot(v - along * normal[1] / size))
}

fn reproduce(found: &mut Findings, friction: Friction, caption: &str) -> Result<(), StudyError> {
    let [mu1, mu2] = friction.coefficients();
    let normal = found.parameter("restitution", "restitution ε_N", 0.8, [0.0, 1.0])?;
    let tangential = found.parameter(
        "restitution_tangential",
        "tangential restitution ε_T",
        f64::min(0.3, normal),
        [0.0, normal],
    )?;
    let restitution = [normal, tangential];
    let directions = || linspace(0.0, std::f64::consts::TAU * 15.0 / 16.0, 16);
    let mut impacts = Vec::new();
    for speed in [0.2, 0.9, 1.5] {
        for angle in directions() {
            impacts.push(land(friction, restitution, [speed * angle.cos(), speed * angle.sin()])?);
        }
    }
    for (phase, name) in ["compression", "decompression"].into_iter().enumerate() {
        let worst = largest(impacts.iter().map(|i| violation(&i[phase])));
        found.number(
            format!("{name}: largest violation of the normal cone inclusion, {} impacts", impacts.len()),
            0.0,
            worst,
            1e-8,
        );
    }
    // The decompression drawn: one oblique landing.
    let chosen = land(friction, restitution, [1.3, 0.6])?;
    let sizes = |slide: &Slide| match slide.reservoir {
        Graph::Reservoir { centre, half_axes } => [half_axes[0], half_axes[1], centre[0], centre[1]],
        Graph::Curve { .. } => [f64::NAN; 4],
    };
    let first = sizes(&chosen[0]);
    found.number("compression: half axis μ₁Λ_k⁽⁻⁾", mu1, first[0], 1e-12);
    found.number("compression: half axis μ₂Λ_k⁽⁻⁾", mu2, first[1], 1e-12);
    let second = sizes(&chosen[1]);
    found.number("decompression: half axis μ₁(Λ_k⁽⁺⁾ − ε_iΛ_k⁽⁻⁾)", (normal - tangential) * mu1, second[0], 1e-12);
    found.number("decompression: half axis μ₂(Λ_k⁽⁺⁾ − ε_iΛ_k⁽⁻⁾)", (normal - tangential) * mu2, second[1], 1e-12);
    let centre = chosen[0].impulse.map(|p| tangential * p);
    found.number("decompression: centre −ε_iΛ₁⁽⁻⁾", centre[0], second[2], 1e-12);
    found.number("decompression: centre −ε_iΛ₂⁽⁻⁾", centre[1], second[3], 1e-12);

    let mut table = Table::new("", ["phase", "minus_impulse_1", "minus_impulse_2", "gamma_1", "gamma_2"]);
    for (phase, name) in ["compression", "decompression"].into_iter().enumerate() {
        for slide in impacts.iter().map(|i| &i[phase]) {
            let [a, b, c, d] = [slide.impulse[0], slide.impulse[1], slide.velocity[0], slide.velocity[1]];
            table.row([name.into(), a.into(), b.into(), c.into(), d.into()]);
        }
    }
    found.table(table);
    let slides: Vec<&Slide> = impacts.iter().map(|i| &i[0]).collect();
    let panels = vec![
        panel(&chosen[0].reservoir, &slides, ["−Λ₁^{(−)}", "−Λ₂^{(−)}"]).title("compression"),
        panel(&chosen[1].reservoir, &[&chosen[1]], ["−Λ₁^{(+)}", "−Λ₂^{(+)}"]).title("decompression"),
    ];
    found.figure(Figure::grid(2, panels).aspect(1.0).shared_legend(), caption);
    Ok(())
}

fn panel(reservoir: &Graph, slides: &[&Slide], axes: [&str; 2]) -> Panel {
    let mut panel = Panel::new(Axis::new(axes[0]).range(-1.0, 1.0), Axis::new(axes[1]).range(-1.0, 1.0)).arrows();
    let outline = reservoir.polyline(0.0);
    panel = panel.add(Series::line(outline.iter().map(|p| (p[0], p[1]))).index(0).width(1.8).label("reservoir"));
    for (point, normal) in reservoir.boundary(16) {
        let tip = (point[0] + 0.13 * normal[0], point[1] + 0.13 * normal[1]);
        panel = panel.add(Arrow::new((point[0], point[1]), tip).color(Color::GREY));
    }
    let at = |s: &&Slide| (s.impulse[0], s.impulse[1]);
    let (stick, slip): (Vec<&Slide>, Vec<&Slide>) =
        slides.iter().partition(|s| s.velocity[0].hypot(s.velocity[1]) < 1e-9);
    let dots = |kind: &[&Slide], index, marker, name: &str| {
        Series::scatter(kind.iter().map(at)).index(index).marker(marker).label(name)
    };
    panel.add(dots(&stick, 2, Marker::Circle, "stick")).add(dots(
        &slip,
        1,
        Marker::OpenCircle,
        "slip (along the arrows)",
    ))
}

pub(super) fn fig_7(found: &mut Findings) -> Result<(), StudyError> {
    let friction = found.parameter("friction", "friction μ", 0.7, [0.01, 0.95])?;
    reproduce(
        found,
        Friction::Isotropic(friction),
        "Isotropic friction, μ = 0.7: impulses of landing particles in the force reservoir, grey the slip directions. \
         In decompression (ε_N = 0.8, ε_T = 0.3) the disk is smaller and not centred.",
    )
}

pub(super) fn fig_8(found: &mut Findings) -> Result<(), StudyError> {
    let first = found.parameter("friction_1", "friction μ₁", 0.8, [0.01, 0.95])?;
    let second = found.parameter("friction_2", "friction μ₂", 0.4, [0.01, 0.95])?;
    reproduce(
        found,
        Friction::Orthotropic([first, second]),
        "Orthotropic friction, μ₁ = 0.8, μ₂ = 0.4: slip directions are the normals of the ellipse.",
    )
}
