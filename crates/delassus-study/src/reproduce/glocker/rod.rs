//! Section 10: the inhomogeneous rod that gains energy.

use delassus::{ContactData, ImpactOutcome, ImpactProblem, JointData, Mass, Options, ProblemData, Theorem, Workspace};

use crate::reproduce::numeric::{linspace, switch};
use crate::reproduce::solve::{newton, phases, poisson, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, CellGrid, Color, ColorMap, Dash, Field, Figure, Panel, Reference, Series};

/// E⁺ − E⁻ of (271), m = v = 1.
fn printed_gain(alpha: f64) -> f64 {
    (alpha + 1.0) * ((alpha - 1.0).powi(2) - 4.0 * alpha) / (8.0 * alpha * alpha)
}

/// Both stages of Fig. 14 with m = v = l = 1 and u = (ẏ, φ̇): (Λ_T⁻, Λ_U⁻, u⁺, E⁺ − E⁻).
fn two_stages(alpha: f64) -> Result<(f64, f64, Vec<f64>, f64), StudyError> {
    let mass = || Mass::diagonal(vec![1.0, 1.0 / alpha]);
    let mut first = ProblemData::new(mass()?, [-1.0, 1.0]).with_contact(ContactData::new("T", [1.0, -1.0]));
    let directions = vec![[1.0, 1.0].into()];
    first.joints.push(JointData { name: "U".into(), directions, restitution: 0.0, offset: Vec::new() });
    let stopped = solve(first, &newton())?;
    let (impulse_t, impulse_u) = (stopped.impulses()[0], stopped.impulses()[1]);
    // The support is gone: a contact that only recedes stands for it.
    let mut second = ProblemData::new(mass()?, stopped.u_plus.clone()).with_contact(ContactData::new("T", [-1.0, 1.0]));
    second.impulse = vec![impulse_u, impulse_u];
    let thrown = solve(second, &newton())?;
    Ok((impulse_t, impulse_u, thrown.u_plus.clone(), thrown.energy.after - stopped.energy.before))
}

pub(super) fn section_10_1(found: &mut Findings) -> Result<(), StudyError> {
    let last = found.parameter("alpha", "the last α = ml²/Θ_S", 20.0, [3.1, 100.0])?;
    for alpha in [3.0, 5.0, 10.0, last] {
        let (t, u, velocity, gain) = two_stages(alpha)?;
        let half = (alpha - 1.0) / 2.0;
        let mut compare = |name: &str, paper: f64, ours: f64| {
            found.number(format!("α = {alpha}: {name}"), paper, ours, 1e-12 * (1.0 + paper.abs()));
        };
        compare("Λ_T⁽⁻⁾/(mv), (264)", (alpha + 1.0) / (2.0 * alpha), t);
        compare("Λ_U⁽⁻⁾/(mv), (264)", half / alpha, u);
        compare("ẏ⁺/v, (269)", half / alpha, velocity[0]);
        compare("φ̇⁺l/v, (269)", half, velocity[1]);
        compare("(E⁺ − E⁻)/(mv²), (271)", printed_gain(alpha), gain);
    }
    let limit = switch(3.0, 20.0, |alpha| Ok(two_stages(alpha)?.3 > 0.0))?;
    found.number("least α with energy gain, (272)", 3.0 + 8f64.sqrt(), limit, 1e-9);

    let mut table = Table::new("", ["alpha", "gain"]);
    let mut curve = Vec::new();
    for alpha in linspace(3.0, last, 171) {
        let gain = two_stages(alpha)?.3;
        table.numbers([alpha, gain]);
        curve.push((alpha, gain));
    }
    found.table(table);
    let panel = Panel::new(Axis::new("α = m l² / Θ_{S}"), Axis::new("(E^{+} − E^{−}) / (m v²)"))
        .add(Series::line(curve).label("both stages"))
        .add(Reference::horizontal(0.0))
        .add(Reference::vertical(3.0 + 8f64.sqrt()).label("α = 3 + 2√2, (272)"));
    found.figure(
        Figure::single(panel),
        "Energy change over the two stages: hinge and support stop the bar, then the impulse of the hinge acts again \
         on the free bar.",
    );
    Ok(())
}

/// The approach speed u/v at which friction μ just stops the left end, (284).
fn least_approach(alpha: f64, friction: f64) -> f64 {
    (alpha + 1.0) / (2.0 * alpha * friction)
}

/// Fig. 15, m = v = l = 1, ε_N = ε_T = 0, ε_U = 1.
fn rod(alpha: f64, friction: f64, approach: f64) -> Result<ProblemData, StudyError> {
    let wall = ContactData::new("N", [1.0, 0.0, 0.0]).tangent([0.0, 1.0, -1.0]).friction(friction);
    let ground = ContactData::new("U", [0.0, 1.0, 1.0]).restitution(1.0);
    let mass = Mass::diagonal(vec![1.0, 1.0, 1.0 / alpha])?;
    Ok(ProblemData::new(mass, [-approach, -1.0, 1.0]).with_contact(wall).with_contact(ground))
}

/// The rod that just sticks; friction a little above the limit keeps rounding out of the state.
fn sticking(alpha: f64, friction: f64) -> Result<ImpactOutcome, StudyError> {
    solve(rod(alpha, friction, least_approach(alpha, friction) * (1.0 + 1e-12))?, &poisson())
}

/// The friction from which the energy can grow.
fn threshold(alpha: f64) -> f64 {
    ((alpha + 1.0) / (alpha * alpha - 6.0 * alpha + 1.0)).sqrt()
}

pub(super) fn section_10_2(found: &mut Findings) -> Result<(), StudyError> {
    let alpha = found.parameter("alpha", "α = ml²/Θ_S", 10.0, [3.1, 30.0])?;
    let friction = found.parameter("friction", "friction μ", 2.0, [0.05, 5.0])?;
    let approach = least_approach(alpha, friction);
    let outcome = sticking(alpha, friction)?;
    let (first, second) = phases(&outcome);
    let half = (alpha - 1.0) / 2.0;
    let mut compare = |name: &str, paper: &[f64], ours: &[f64]| {
        for (k, (p, o)) in paper.iter().zip(ours).enumerate() {
            found.number(format!("α = {alpha}, μ = {friction}: {name}, component {}", k + 1), *p, *o, 1e-10);
        }
    };
    compare("Λ⁽⁻⁾/(mv), (283)", &[approach, (alpha + 1.0) / (2.0 * alpha), half / alpha], &first);
    compare("γ⁺/v, (287)", &[0.0, -half * (alpha - 1.0) / alpha, half * (alpha + 1.0) / alpha], &outcome.gamma_plus);
    compare("Λ⁽⁺⁾/(mv), (288)", &[0.0, 0.0, half / alpha], &second);
    compare("u⁺, (291)", &[0.0, half / alpha, half], &outcome.u_plus);
    compare("(T⁺ − T⁻)/(mv²), (293)", &[printed_gain(alpha) - 0.5 * approach * approach], &[outcome.energy.change()]);
    for alpha in [10.0, 20.0, 100.0] {
        let gains = |friction: f64| Ok(sticking(alpha, friction)?.energy.change() > 0.0);
        let ours = switch(0.01, 10.0, gains)?;
        found.number(
            format!("α = {alpha}: least μ with energy gain, √((α+1)/(α²−6α+1)) by (284) and (293)"),
            threshold(alpha),
            ours,
            1e-8,
        );
    }
    // (294) with (295): no theorem can apply.
    let problem = ImpactProblem::new(rod(alpha, friction, approach)?)?;
    let options = Options { eigenvalues: true, ..Options::default() };
    let mut judged = ImpactOutcome::default();
    delassus::resolve_into(&problem, &poisson(), &options, &mut Workspace::default(), &mut judged)?;
    let none = judged.certificate.theorem == Theorem::None;
    found.claim("(117), (121)", "cannot hold", format!("theorem: {}", judged.certificate.theorem.as_str()), none);
    let gains = judged.certificate.energetic > 0.0;
    found.claim("energetic consistency", "violated", if gains { "reported as a gain" } else { "not seen" }, gains);

    let (columns, rows) = (120, 120);
    let grid = CellGrid::uniform((3.0, 30.0), columns, (0.05, 2.0), rows);
    let centre = |edges: &[f64], k: usize| 0.5 * (edges[k] + edges[k + 1]);
    let mut table = Table::new("", ["alpha", "mu", "energy_change_over_energy"]);
    let mut values = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let (alpha, friction) = (centre(&grid.x, column), centre(&grid.y, row));
            let energy = sticking(alpha, friction)?.energy;
            let change = energy.change() / energy.before;
            table.numbers([alpha, friction, change]);
            values.push(change);
        }
    }
    found.table(table);
    let field = Field::from_values(grid, values).label("(T^{+} − T^{−}) / T^{−}").map(ColorMap::Diverging);
    let curve = linspace(6.0, 30.0, 400).map(|alpha| (alpha, threshold(alpha)));
    let panel = Panel::new(Axis::new("α = m l² / Θ_{S}").range(3.0, 30.0), Axis::new("μ").range(0.05, 2.0))
        .add(field)
        .add(Series::line(curve).color(Color::BLACK).width(1.6).label("√((α+1)/(α²−6α+1))"))
        .add(Reference::vertical(3.0 + 8f64.sqrt()).style(Color::BLACK, Dash::Dashed).label("α = 3 + 2√2"));
    found.figure(
        Figure::single(panel),
        "Change of energy of the rod that just sticks (u = (α+1)v/(2αμ)), ε_N = ε_T = 0, ε_U = 1; above the curve \
         energy grows.",
    );
    Ok(())
}
