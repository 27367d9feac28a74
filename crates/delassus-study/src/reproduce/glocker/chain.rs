//! Section 9.3: Newton's cradle with three balls.

use delassus::{ContactData, ImpactOutcome, LawSpec, Mass, ProblemData};

use crate::reproduce::numeric::linspace;
use crate::reproduce::solve::{newton, phases, poisson, sequential, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Panel, Reference, Series};

/// Three balls, m = v = 1, contacts A and B.
fn strike(law: &LawSpec, restitution: [f64; 2]) -> Result<ImpactOutcome, StudyError> {
    let data = ProblemData::new(Mass::diagonal(vec![1.0; 3])?, [1.0, 0.0, 0.0])
        .with_contact(ContactData::new("A", [-1.0, 1.0, 0.0]).restitution(restitution[0]))
        .with_contact(ContactData::new("B", [0.0, -1.0, 1.0]).restitution(restitution[1]));
    solve(data, law)
}

pub(super) fn section_9_3(found: &mut Findings) -> Result<(), StudyError> {
    let second_contact = found.parameter("restitution_b", "restitution ε_B", 2.0, [0.0, 4.0])?;
    let third = 1.0 / 3.0;
    for eps in [0.0, 0.25, 0.5] {
        let outcome = strike(&poisson(), [eps, second_contact])?;
        let (first, second) = phases(&outcome);
        let mut compare = |name: &str, paper: &[f64], ours: &[f64]| {
            for (k, (p, o)) in paper.iter().zip(ours).enumerate() {
                found.number(
                    format!("ε_A = {eps}, ε_B = {second_contact}: {name}, component {}", k + 1),
                    *p,
                    *o,
                    1e-12,
                );
            }
        };
        compare("Λ⁽⁻⁾/(mv), (247)", &[2.0 * third, third], &first);
        compare("γ⁺/v, (254)", &[0.0, 1.0], &outcome.gamma_plus);
        compare("Λ⁽⁺⁾/(mv), (255)", &[third, 2.0 * third], &second);
        compare("u⁺/v, (256)", &[0.0, 0.0, 1.0], &outcome.u_plus);
    }
    let wrong = strike(&poisson(), [0.6, second_contact])?;
    let opened = wrong.gamma_plus[0];
    found.claim("ε_A = 0.6 > 1/2, (253)", "contact A opens", format!("γ_A⁺/v = {opened:.4}"), opened > 1e-9);
    let successive = strike(&sequential(), [1.0, 1.0])?;
    for (k, (p, o)) in [0.0, 0.0, 1.0].iter().zip(&successive.u_plus).enumerate() {
        found.number(format!("successive elastic impacts: u⁺/v of ball {}", k + 1), *p, *o, 1e-12);
    }
    let joint = strike(&newton(), [1.0, 1.0])?;
    let last = joint.u_plus[2];
    found.claim(
        "Newton's law, ε = 1, all contacts at once",
        "cannot pass the momentum on",
        format!("last ball {last:.4} v"),
        last < 0.99,
    );

    let mut table = Table::new("", ["epsilon_a", "u1", "u2", "u3"]);
    let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
    for eps in linspace(0.0, 1.0, 101) {
        let u = strike(&poisson(), [eps, second_contact])?.u_plus;
        table.numbers([eps, u[0], u[1], u[2]]);
        for (curve, value) in curves.iter_mut().zip(u) {
            curve.push((eps, value));
        }
    }
    found.table(table);
    let mut panel = Panel::new(Axis::new("ε_{A}"), Axis::new("u^{+} / v"));
    for (k, curve) in curves.into_iter().enumerate() {
        panel = panel.add(Series::line(curve).index(k).label(format!("ball {}", k + 1)));
    }
    found.figure(
        Figure::single(panel.add(Reference::vertical(0.5).label("ε_{A} = 1/2, (253)"))),
        "Velocities after the impact under Poisson's law with ε_B = 2.",
    );
    Ok(())
}
