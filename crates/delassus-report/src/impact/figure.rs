//! The figure of an impact.

use std::f64::consts::TAU;

use delassus::{Element, ElementKind, LawSpec};
use delassus_figure::{Area, Axis, Color, Dash, Figure, Hatch, Marker, Panel, Reference, Series};

use super::Impact;

/// Contacts that get panels of their own; a figure of more is not read.
const MOST_CONTACTS: usize = 4;
/// Velocities that are drawn.
const MOST_VELOCITIES: usize = 16;

const CONE: Color = Color::hex(0xe8eef4);
const FORBIDDEN: Color = Color::hex(0xf6e3dc);

/// Velocities before and after, impulses in their cones, relative velocities, and the energy left.
pub fn figure(impact: &Impact<'_>) -> Figure {
    let mut panels = vec![velocities(impact)];
    let contacts = 0..impact.problem.contacts().len();
    let (rough, smooth): (Vec<usize>, Vec<usize>) = contacts.partition(|k| elements(impact, *k).1.is_some());
    for contact in rough.into_iter().take(MOST_CONTACTS) {
        panels.extend(contact_panels(impact, contact));
    }
    panels.extend(smooth_panels(impact, &smooth));
    panels.push(energy(impact));
    panels.extend(path(impact));
    Figure::grid(2, panels).title(impact.title).aspect(0.72).shared_legend()
}

fn velocities(impact: &Impact<'_>) -> Panel {
    let problem = impact.problem;
    let count = problem.coordinates().min(MOST_VELOCITIES);
    let ticks = (0..count).map(|i| (i as f64, format!("u[{i}]")));
    let axis = Axis::new("").range(-0.6, count as f64 - 0.4).ticks_at(ticks);
    let places = |values: &[f64], shift: f64| -> Vec<(f64, f64)> {
        values.iter().take(count).enumerate().map(|(i, v)| (i as f64 + shift, *v)).collect()
    };
    let before = Series::scatter(places(problem.u_minus(), -0.36)).color(Color::BLACK).marker(Marker::Plus);
    let mut panel = Panel::new(axis, Axis::new("velocity [m/s, rad/s]"))
        .title("velocities before and after")
        .add(Reference::horizontal(0.0))
        .add(before.marker_size(6.0).label("before"));
    let laws = impact.answered().count().max(1) as f64;
    for (rank, (k, law, outcome)) in impact.answered().enumerate() {
        let shift = -0.2 + 0.55 * (rank as f64 + 0.5) / laws;
        panel = panel.add(Series::scatter(places(&outcome.u_plus, shift)).index(k).marker_size(5.0).label(law.name()));
    }
    panel
}

/// The friction element of a contact and its normal.
fn elements<'a>(impact: &Impact<'a>, contact: usize) -> (Option<&'a Element>, Option<&'a Element>) {
    let of = |kind| impact.problem.elements().iter().find(|e| e.contact == Some(contact) && e.kind == kind);
    (of(ElementKind::Normal), of(ElementKind::Friction))
}

fn contact_panels(impact: &Impact<'_>, contact: usize) -> Vec<Panel> {
    let (Some(normal), Some(friction)) = elements(impact, contact) else { return Vec::new() };
    let (row, along) = (normal.rows.start, friction.rows.start);
    let name = &normal.name;
    let impulse = match friction.rows.len() {
        1 => plane(impact, name, row, along, friction.friction[0]),
        _ => disk(impact, name, row, friction),
    };
    let mut panels = vec![impulse, relative(impact, name, row, along)];
    if friction.rows.len() > 1 {
        panels.insert(1, cone(impact, name, row, friction));
    }
    panels
}

/// Contacts without friction have one number each: impulses and normal velocities of all of them, side by side.
fn smooth_panels(impact: &Impact<'_>, contacts: &[usize]) -> Vec<Panel> {
    let normals: Vec<&Element> = contacts.iter().filter_map(|k| elements(impact, *k).0).take(MOST_VELOCITIES).collect();
    if normals.is_empty() {
        return Vec::new();
    }
    let count = normals.len() as f64;
    let axis = || {
        let ticks = normals.iter().enumerate().map(|(k, normal)| (k as f64, normal.name.clone()));
        Axis::new("").range(-0.6, count - 0.4).ticks_at(ticks)
    };
    let places = |values: &[f64], shift: f64| -> Vec<(f64, f64)> {
        normals.iter().enumerate().map(|(k, normal)| (k as f64 + shift, part(values, normal.rows.start))).collect()
    };
    let before = Series::scatter(places(impact.problem.gamma_minus(), -0.36)).color(Color::BLACK).marker(Marker::Plus);
    let mut impulses = Panel::new(axis(), Axis::new("Λ_{N} [N s]")).title("impulses at contacts without friction");
    impulses = impulses.add(Reference::horizontal(0.0));
    let mut velocities = Panel::new(axis(), Axis::new("γ_{N} [m/s]"))
        .title("their relative velocities")
        .add(Reference::horizontal(0.0))
        .add(before.marker_size(6.0).label("before"));
    let laws = impact.answered().count().max(1) as f64;
    for (rank, (k, law, outcome)) in impact.answered().enumerate() {
        let shift = -0.2 + 0.55 * (rank as f64 + 0.5) / laws;
        let marks = |values: &[f64]| Series::scatter(places(values, shift)).index(k).marker_size(5.0).label(law.name());
        impulses = impulses.add(marks(outcome.impulses()));
        velocities = velocities.add(marks(&outcome.gamma_plus));
    }
    vec![impulses, velocities]
}

fn part(values: &[f64], row: usize) -> f64 {
    values.get(row).copied().unwrap_or(0.0)
}

/// Normal over tangential impulse, with the cone of friction and the path of laws that have one.
fn plane(impact: &Impact<'_>, name: &str, row: usize, along: usize, friction: f64) -> Panel {
    let largest = impact.answered().map(|(_, _, o)| part(o.impulses(), row).abs()).fold(0.0, f64::max);
    let largest_along = impact.answered().map(|(_, _, o)| part(o.impulses(), along).abs()).fold(0.0, f64::max);
    let top = if largest > 0.0 { 1.15 * largest } else { 1.0 };
    let side = (1.1 * friction * top).max(1.15 * largest_along).max(0.3 * top);
    let mut panel = Panel::new(
        Axis::new("Λ_{T} [N s]").range(-side, side),
        Axis::new("Λ_{N} [N s]").range((-0.08 * top).min(smallest(impact, row)), top),
    )
    .title(format!("impulse at {name}"));
    if friction > 0.0 {
        let cone = Area::polygon([(0.0, 0.0), (friction * top, top), (-friction * top, top)]);
        panel = panel.add(cone.fill(CONE, 1.0).label("cone of friction"));
        let edge = |sign: f64| Series::line([(0.0, 0.0), (sign * friction * top, top)]).color(Color::GREY).width(0.7);
        panel = panel.add(edge(1.0)).add(edge(-1.0));
    }
    panel = panel.add(Reference::horizontal(0.0));
    if let Some(ellipse) = energy_ellipse(impact, row, along) {
        let curve = Series::line(ellipse).color(Color::hex(0xb03a1f)).dash(Dash::Dashed).width(0.8);
        panel = panel.add(curve.label("energy conserved"));
    }
    for (k, law, outcome) in impact.answered() {
        let end = (part(outcome.impulses(), along), part(outcome.impulses(), row));
        let course = match &outcome.answer.path {
            Some(path) => {
                (0..path.len()).map(|i| (part(path.impulses_at(i), along), part(path.impulses_at(i), row))).collect()
            }
            // Laws with a compression phase go there first.
            None if !outcome.answer.compression.is_empty() => {
                let first = &outcome.answer.compression;
                vec![(0.0, 0.0), (part(first, along), part(first, row)), end]
            }
            None => vec![(0.0, 0.0), end],
        };
        panel = panel.add(Series::line(course).index(k).width(0.9));
        panel = panel.add(Series::scatter([end]).index(k).marker_size(5.0).label(law.name()));
    }
    panel
}

/// The impulses of one planar contact that conserve energy, ½ΛᵀGΛ + Λᵀγ⁻ = 0: within the ellipse it is
/// lost. None where other elements, moving supports or an external impulse take part.
fn energy_ellipse(impact: &Impact<'_>, row: usize, along: usize) -> Option<Vec<(f64, f64)>> {
    let (problem, operator) = (impact.problem, impact.problem.operator());
    let moved = problem.offset().iter().any(|v| *v != 0.0) || problem.external_impulse().is_some();
    if moved || operator.size() != 2 || along > 1 {
        return None;
    }
    let (nn, nt, tt) = (operator.get(row, row), operator.get(row, along), operator.get(along, along));
    let gamma = (problem.gamma_minus()[row], problem.gamma_minus()[along]);
    let determinant = nn * tt - nt * nt;
    if determinant <= 1e-12 * nn * tt {
        return None;
    }
    // The centre −G⁻¹γ⁻ is the impulse after which nothing moves.
    let centre = ((nt * gamma.1 - tt * gamma.0) / determinant, (nt * gamma.0 - nn * gamma.1) / determinant);
    let size = -(centre.0 * gamma.0 + centre.1 * gamma.1);
    // With G = LLᵀ the ellipse is the circle of radius √(cᵀGc) seen through L⁻ᵀ.
    let (l11, l22) = (nn.sqrt(), (determinant / nn).sqrt());
    let (radius, l21) = (size.max(0.0).sqrt(), nt / l11);
    let point = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k) / 180.0).sin_cos();
        let second = radius * sin / l22;
        (centre.1 + second, centre.0 + (radius * cos - l21 * second) / l11)
    };
    Some((0..=180).map(point).collect())
}

fn smallest(impact: &Impact<'_>, row: usize) -> f64 {
    1.15 * impact.answered().map(|(_, _, o)| part(o.impulses(), row)).fold(0.0, f64::min)
}

/// Spatial friction: the tangential impulse in units of what friction can bear.
fn disk(impact: &Impact<'_>, name: &str, row: usize, friction: &Element) -> Panel {
    let circle = (0..=96).map(|k| TAU * f64::from(k) / 96.0).map(|a| (a.cos(), a.sin()));
    let mut panel =
        Panel::new(Axis::new("Λ_{T1}/(μ Λ_{N})").range(-1.25, 1.25), Axis::new("Λ_{T2}/(μ Λ_{N})").range(-1.25, 1.25))
            .title(format!("friction at {name}"))
            .add(Area::polygon(circle.clone()).fill(CONE, 1.0).label("what friction can bear"))
            .add(Series::line(circle).color(Color::GREY).width(0.7));
    for (k, law, outcome) in impact.answered() {
        let impulses = outcome.impulses();
        let share = |j: usize| {
            let most = friction.friction[j] * part(impulses, row);
            if most > 0.0 { part(impulses, friction.rows.start + j) / most } else { 0.0 }
        };
        let end = (share(0), share(1));
        panel = panel.add(Series::line([(0.0, 0.0), end]).index(k).width(0.9));
        panel = panel.add(Series::scatter([end]).index(k).marker_size(5.0).label(law.name()));
    }
    panel
}

/// Spatial friction: how large the normal impulse is and how much of what friction bears then is taken. Coefficients along
/// the tangents may differ; the horizontal axis is in units of the normal impulse times the coefficient of each.
fn cone(impact: &Impact<'_>, name: &str, row: usize, friction: &Element) -> Panel {
    let end = |impulses: &[f64]| {
        let scaled = |j: usize| {
            let (along, coefficient) = (part(impulses, friction.rows.start + j), friction.friction[j]);
            if coefficient > 0.0 { along / coefficient } else { 0.0 }
        };
        (scaled(0).hypot(scaled(1)), part(impulses, row))
    };
    let ends: Vec<(f64, f64)> = impact.answered().map(|(_, _, o)| end(o.impulses())).collect();
    let largest = ends.iter().map(|(along, up)| along.max(up.abs())).fold(0.0, f64::max);
    let top = if largest > 0.0 { 1.15 * largest } else { 1.0 };
    let mut panel = Panel::new(
        Axis::new("|Λ_{T}|/μ [N s]").range(0.0, top),
        Axis::new("Λ_{N} [N s]").range((-0.08 * top).min(smallest(impact, row)), top),
    )
    .title(format!("impulse at {name}"))
    .add(Area::polygon([(0.0, 0.0), (top, top), (0.0, top)]).fill(CONE, 1.0).label("cone of friction"))
    .add(Series::line([(0.0, 0.0), (top, top)]).color(Color::GREY).width(0.7))
    .add(Reference::horizontal(0.0));
    for ((k, law, outcome), last) in impact.answered().zip(ends) {
        let course = match &outcome.answer.path {
            Some(path) => (0..path.len()).map(|i| end(path.impulses_at(i))).collect(),
            None => vec![(0.0, 0.0), last],
        };
        panel = panel.add(Series::line(course).index(k).width(0.9));
        panel = panel.add(Series::scatter([last]).index(k).marker_size(5.0).label(law.name()));
    }
    panel
}

/// Relative velocity of a contact before and after; below zero it would penetrate.
fn relative(impact: &Impact<'_>, name: &str, row: usize, along: usize) -> Panel {
    let before = impact.problem.gamma_minus();
    let at = |gamma: &[f64]| (part(gamma, along), part(gamma, row));
    let points: Vec<(f64, f64)> =
        std::iter::once(at(before)).chain(impact.answered().map(|(_, _, o)| at(&o.gamma_plus))).collect();
    let reach = |read: fn(&(f64, f64)) -> f64| points.iter().map(|p| read(p).abs()).fold(0.0, f64::max);
    let (mut x, mut y) = (1.2 * reach(|p| p.0), 1.2 * reach(|p| p.1));
    let size = x.max(y).max(f64::MIN_POSITIVE);
    (x, y) = (x.max(0.25 * size), y.max(0.25 * size));
    let below = Area::polygon([(-x, 0.0), (x, 0.0), (x, -y), (-x, -y)]).fill(FORBIDDEN, 1.0).hatch(Hatch::Rising);
    let mut panel = Panel::new(Axis::new("γ_{T} [m/s]").range(-x, x), Axis::new("γ_{N} [m/s]").range(-y, y))
        .title(format!("relative velocity at {name}"))
        .add(below.label("approaching"))
        .add(Series::scatter([at(before)]).color(Color::BLACK).marker(Marker::Plus).marker_size(6.0).label("before"));
    for (k, law, outcome) in impact.answered() {
        if let Some(path) = &outcome.answer.path {
            panel = panel.add(Series::line((0..path.len()).map(|i| at(path.gamma_at(i)))).index(k).width(0.9));
        }
        let after = Series::scatter([at(&outcome.gamma_plus)]).index(k).marker_size(5.0);
        panel = panel.add(after.label(law.name()));
    }
    panel
}

/// Kinetic energy after, in parts of that before.
fn energy(impact: &Impact<'_>) -> Panel {
    let names: Vec<_> = impact.answered().enumerate().map(|(i, (_, law, _))| (i as f64, law.name())).collect();
    let count = names.len().max(1) as f64;
    let axis = Axis::new("").range(-0.6, count - 0.4).ticks_at(names.iter().map(|(x, _)| (*x, String::new())));
    let mut panel = Panel::new(axis, Axis::new("T^{+}/T^{−}"))
        .title("kinetic energy left")
        .add(Reference::horizontal(1.0).style(Color::hex(0xb03a1f), Dash::Dashed).label("T^{+} = T^{−}"))
        .add(Reference::horizontal(0.0));
    for (i, (k, law, outcome)) in impact.answered().enumerate() {
        let share = if outcome.energy.before > 0.0 { outcome.energy.after / outcome.energy.before } else { f64::NAN };
        let x = i as f64;
        panel = panel.add(Series::line([(x, 0.0), (x, share)]).index(k).dash(Dash::Solid).width(2.0));
        panel = panel.add(Series::scatter([(x, share)]).index(k).marker_size(5.0).label(law.name()));
    }
    panel
}

/// Normal velocities along the path of a law that follows the impact.
fn path(impact: &Impact<'_>) -> Option<Panel> {
    let (_, law, outcome) = impact.answered().find(|(_, _, o)| o.answer.path.is_some())?;
    let path = outcome.answer.path.as_ref()?;
    let end = path.tau.last().copied().filter(|end| *end > 0.0)?;
    let mut panel = Panel::new(Axis::new("course of the impact τ/τ_{end}"), Axis::new("γ_{N} [m/s]"))
        .title(format!("along the path of {}", law.name()))
        .add(Reference::horizontal(0.0));
    for contact in 0..impact.problem.contacts().len().min(2 * MOST_CONTACTS) {
        let (Some(normal), _) = elements(impact, contact) else { continue };
        let row = normal.rows.start;
        let points = (0..path.len()).map(|i| (path.tau[i] / end, part(path.gamma_at(i), row)));
        // Lines of contacts, not of laws: their own colours, past those of the laws.
        let series = Series::line(points).index(LawSpec::all().len() + contact).dash(Dash::Solid);
        panel = panel.add(series.label(format!("{} along {}", normal.name, law.name())));
    }
    Some(panel)
}
