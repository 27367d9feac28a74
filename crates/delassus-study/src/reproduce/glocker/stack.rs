//! Fig. 2: a body dropped on another that rests on the ground.

use delassus::{ContactData, ImpactOutcome, ImpactProblem, Mass, ProblemData};

use crate::reproduce::numeric::linspace;
use crate::reproduce::solve::{phases, poisson, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Panel, Series};

/// u = (upper, lower) velocities, m = v = 1; contacts A between the bodies, B with the ground.
fn stack(restitution: [f64; 2]) -> Result<ProblemData, StudyError> {
    Ok(ProblemData::new(Mass::diagonal(vec![1.0, 1.0])?, [-1.0, 0.0])
        .with_contact(ContactData::new("A", [1.0, -1.0]).restitution(restitution[0]))
        .with_contact(ContactData::new("B", [0.0, 1.0]).restitution(restitution[1])))
}

fn drop_on(restitution: [f64; 2]) -> Result<ImpactOutcome, StudyError> {
    solve(stack(restitution)?, &poisson())
}

pub(super) fn fig_2(found: &mut Findings) -> Result<(), StudyError> {
    let upper = found.parameter("restitution_a", "restitution ε_A", 1.0, [0.0, 1.0])?;
    let outcome = drop_on([upper, 0.0])?;
    let (first, second) = phases(&outcome);
    let mut compare = |name: &str, paper: [f64; 2], ours: &[f64]| {
        for (contact, (p, o)) in ["A", "B"].iter().zip(paper.iter().zip(ours)) {
            found.number(format!("ε_A = {upper}, ε_B = 0: {name} at {contact}"), *p, *o, 1e-12);
        }
    };
    compare("Λ⁽⁻⁾/(mv)", [1.0, 1.0], &first);
    compare("γ°/v", [0.0, 0.0], &outcome.gamma_compression);
    compare("Λ⁽⁺⁾/(mv)", [1.0, 1.0], &second);
    compare("γ⁺/v", [1.0, 0.0], &outcome.gamma_plus);
    // Only the first line of (52): γ⁺ = GεΛ⁻.
    let problem = ImpactProblem::new(stack([upper, 0.0])?)?;
    let g = |i, j| problem.operator().get(i, j);
    let equality = |eps: f64| [0, 1].map(|i| g(i, 0) * upper * first[0] + g(i, 1) * eps * first[1]);
    found.number("impulse ratio as an equality: γ_B⁺/v", -1.0, equality(0.0)[1], 1e-12);

    let mut table = Table::new("", ["epsilon_b", "gamma_a", "gamma_b", "gamma_a_equality", "gamma_b_equality"]);
    let mut curves: [Vec<(f64, f64)>; 4] = Default::default();
    for eps in linspace(0.0, 1.0, 41) {
        let (gamma, plain) = (drop_on([upper, eps])?.gamma_plus, equality(eps));
        let row = [gamma[0], gamma[1], plain[0], plain[1]];
        table.numbers([eps].into_iter().chain(row));
        for (curve, value) in curves.iter_mut().zip(row) {
            curve.push((eps, value));
        }
    }
    found.table(table);
    let [a, b, plain_a, plain_b] = curves;
    let panel = Panel::new(Axis::new("ε_{B}"), Axis::new("γ^{+} / v"))
        .add(Series::line(a).index(0).label("A, inequality (52)"))
        .add(Series::line(b).index(1).label("B, inequality (52)"))
        .add(Series::line(plain_a).index(2).label("A, equality"))
        .add(Series::line(plain_b).index(3).label("B, equality"));
    found.figure(
        Figure::single(panel),
        "Post-impact velocities for ε_A = 1 over ε_B: as an equality Poisson's law lets the lower body penetrate the \
         ground (γ_B⁺ < 0), in inequality form it does not.",
    );
    found.note("The figure shows the two bodies; here the numbers of the example are computed.");
    Ok(())
}
