//! Section 9.1: a contact and a sprag clutch.

use delassus::{ClutchData, ContactData, ImpactOutcome, LawSpec, Mass, ProblemData};

use crate::reproduce::numeric::linspace;
use crate::reproduce::solve::{newton, phases, poisson, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Panel, Reference, Series};

/// Fig. 9 with m = v = 1: body 1 strikes the wall, the clutch lets the bodies move apart only.
fn strike(law: &LawSpec, contact: f64, clutch: f64) -> Result<ImpactOutcome, StudyError> {
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0])?, [-1.0, 0.0])
        .with_contact(ContactData::new("A", [1.0, 0.0]).restitution(contact));
    let direction = [-1.0, 1.0].into();
    data.clutches.push(ClutchData { name: "B".into(), direction, restitution: clutch, offset: 0.0 });
    solve(data, law)
}

pub(super) fn section_9_1(found: &mut Findings) -> Result<(), StudyError> {
    let wall = found.parameter("restitution", "restitution of the wall ε_A", 1.0, [0.0, 1.0])?;
    for clutch in [0.0, 0.5, 1.0] {
        let outcome = strike(&poisson(), wall, clutch)?;
        let (first, second) = phases(&outcome);
        let energy = &outcome.energy;
        let mut compare = |name: &str, paper: &[f64], ours: &[f64]| {
            for (k, (p, o)) in paper.iter().zip(ours).enumerate() {
                found.number(format!("ε_B = {clutch}: {name}, component {}", k + 1), *p, *o, 1e-12);
            }
        };
        compare("γ°/v, (221)", &[0.0, 0.0], &outcome.gamma_compression);
        compare("Λ⁽⁻⁾/(mv), (221)", &[1.0, 0.0], &first);
        compare("γ⁺/v, (223)", &[0.5, 0.0], &outcome.gamma_plus);
        compare("Λ⁽⁺⁾/(mv), (224)", &[1.0, 0.5], &second);
        compare("u⁺/v, (224)", &[0.5, 0.5], &outcome.u_plus);
        compare("(T⁻, T⁺, W)/(mv²), (225)", &[0.5, 0.25, -0.25], &[energy.before, energy.after, energy.change()]);
    }
    let gain = strike(&newton(), wall, 0.0)?;
    let ratio = gain.energy.after / gain.energy.before;
    found.claim(
        format!("Newton's law, ε_A = {wall}, ε_B = 0"),
        "energy increases",
        format!("T⁺/T⁻ = {ratio}"),
        ratio > 1.0,
    );

    let mut table = Table::new("", ["epsilon_a", "poisson_energy_ratio", "newton_energy_ratio"]);
    let (mut p_curve, mut n_curve) = (Vec::new(), Vec::new());
    for eps in linspace(0.0, 1.0, 51) {
        let ratio = |law: &LawSpec| strike(law, eps, 0.0).map(|o| o.energy.after / o.energy.before);
        let (p, n) = (ratio(&poisson())?, ratio(&newton())?);
        table.numbers([eps, p, n]);
        p_curve.push((eps, p));
        n_curve.push((eps, n));
    }
    found.table(table);
    let panel = Panel::new(Axis::new("ε_{A}"), Axis::new("T^{+} / T^{−}"))
        .add(Series::line(n_curve).index(1).label("Newton"))
        .add(Series::line(p_curve).index(0).label("Poisson"))
        .add(Reference::horizontal(1.0).label("no loss"));
    found.figure(
        Figure::single(panel),
        "Kinetic energy after the impact over the restitution of the wall, clutch coefficient 0.",
    );
    Ok(())
}
