//! Section 6: the limit of flat approach, sub-critical and super-critical.

use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, Mass, Options, ProblemData, Solutions, Uniqueness, Workspace,
    resolve_into,
};

use super::rod::Bar;
use crate::reproduce::numeric::{largest, linspace, with_jumps};
use crate::reproduce::solve::newton;
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Panel, Series};

/// The sliding bar: γ_N⁻ given, γ_T⁻ = 1, all solutions of Newton's law with ε_N = ε_T = 1.
fn slide(bar: Bar, angle: f64, gamma_n: f64) -> Result<ImpactOutcome, StudyError> {
    let (sin, cos) = angle.sin_cos();
    let contact = ContactData::new("C", [0.0, 1.0, -cos])
        .tangent([1.0, 0.0, -sin])
        .friction(bar.friction)
        .restitution(1.0)
        .restitution_tangential(1.0);
    let data =
        ProblemData::new(Mass::diagonal(vec![1.0, 1.0, bar.inertia])?, [1.0, gamma_n, 0.0]).with_contact(contact);
    let options = Options { solutions: Solutions::All, ..Options::default() };
    let mut outcome = ImpactOutcome::default();
    resolve_into(&ImpactProblem::new(data)?, &newton(), &options, &mut Workspace::default(), &mut outcome)?;
    Ok(outcome)
}

/// The number of solutions, where all are known.
fn count(outcome: &ImpactOutcome) -> f64 {
    match outcome.answer.uniqueness {
        Uniqueness::Several { found, complete: true } => found as f64,
        Uniqueness::Proved(_) => 1.0,
        _ => f64::NAN,
    }
}

pub(super) fn section_6(found: &mut Findings) -> Result<(), StudyError> {
    let degrees = found.parameter("angle", "angle φ [°]", 60.0, [1.0, 89.0])?;
    let friction = found.parameter("friction", "super-critical friction μ", 5.0 / 3.0, [0.1, 5.0])?;
    let angle = degrees.to_radians();
    let (alpha, beta, delta) = Bar::elastic(0.5).coefficients(angle);

    let sub = slide(Bar::elastic(0.5), angle, 0.0)?;
    found.number(
        "sub-critical, γ_N⁻ = 0: largest impulse",
        0.0,
        largest(sub.impulses().iter().map(|v| v.abs())),
        1e-12,
    );
    found.number("sub-critical, γ_N⁻ = 0: number of solutions", 1.0, count(&sub), 0.0);

    let bar = Bar::elastic(friction);
    let gentle = slide(bar, angle, -1e-9)?;
    let (normal, tangential) = (2.0 * delta, -2.0 * alpha);
    let scale = 1.0 / (alpha * beta - delta * delta);
    found.number("super-critical, γ_N⁻ ↑ 0: Λ_N by (35)", normal * scale, gentle.impulses()[0], 1e-6);
    found.corrected(
        "super-critical, γ_N⁻ ↑ 0: Λ_T by (36)",
        "positive",
        tangential * scale,
        gentle.impulses()[1],
        1e-6,
        "by (36) Λ_T has the sign of −γ_T⁻, so only Λ_N is positive for the forward sliding bar.",
    );
    found.number("super-critical: γ_N⁺", 0.0, gentle.gamma_plus[0], 1e-8);
    found.number("super-critical: γ_T⁺ = −ε_T γ_T⁻, (38)", -1.0, gentle.gamma_plus[1], 1e-8);

    let at_rest = slide(bar, angle, 0.0)?;
    found.number(
        "super-critical, γ_N⁻ = 0: solutions (Λ = 0 and the impact without collision)",
        2.0,
        count(&at_rest),
        0.0,
    );
    let other = at_rest.answer.alternatives.iter().map(|a| a.impulses[0]).fold(at_rest.impulses()[0], f64::max);
    found.number("super-critical, γ_N⁻ = 0: Λ_N of the impact without collision", normal * scale, other, 1e-9);

    let mut table = Table::new("", ["phi_deg", "impulse_normal", "impulse_tangential"]);
    let (mut n_curve, mut t_curve) = (Vec::new(), Vec::new());
    for degrees in linspace(1.0, 89.0, 177) {
        let impulse = slide(bar, f64::to_radians(degrees), -1e-9)?;
        let (n, t) = (impulse.impulses()[0], impulse.impulses()[1]);
        table.numbers([degrees, n, t]);
        n_curve.push((degrees, n));
        t_curve.push((degrees, t));
    }
    found.table(table);
    let curve = |points: &[(f64, f64)], row: usize| {
        with_jumps(points, |degrees| Ok(slide(bar, degrees.to_radians(), -1e-9)?.impulses()[row]))
    };
    let panel = Panel::new(Axis::new("φ [°]").range(0.0, 90.0), Axis::new("Λ / (m γ_{T}^{−})"))
        .add(Series::line(curve(&n_curve, 0)?).index(0).label("Λ_{N}"))
        .add(Series::line(curve(&t_curve, 1)?).index(1).label("Λ_{T}"));
    found.figure(
        Figure::single(panel),
        "Impulses of the bar that slides forward with γ_N⁻ ↑ 0, μ = 5/3, ε_N = ε_T = 1: between 45° and 75.96° an \
         impact without collision.",
    );
    Ok(())
}
