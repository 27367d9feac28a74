//! Table 1: for which coefficients an isolated element dissipates.

use delassus::{ClutchData, ContactData, ImpactProblem, JointData, Mass, ProblemData, resolve};

use crate::reproduce::numeric::{linspace, switch};
use crate::reproduce::solve::{poisson, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Panel, Reference, Series};

/// A unit mass that meets one element with γ⁻ = −1; W/T⁻.
fn isolated(kind: &str, restitution: f64) -> Result<f64, StudyError> {
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0])?, [-1.0]);
    let (name, direction) = (kind.to_owned(), [1.0].into());
    match kind {
        "contact" => data = data.with_contact(ContactData::new(name, direction).restitution(restitution)),
        "clutch" => data.clutches.push(ClutchData { name, direction, restitution, offset: 0.0 }),
        _ => data.joints.push(JointData { name, directions: vec![direction], restitution, offset: Vec::new() }),
    }
    let energy = solve(data, &poisson())?.energy;
    Ok(energy.change() / energy.before)
}

fn frictional(friction: f64, normal: f64, tangential: f64) -> Result<ProblemData, StudyError> {
    let contact = ContactData::new("C", [1.0, 0.0])
        .tangent([0.0, 1.0])
        .friction(friction)
        .restitution(normal)
        .restitution_tangential(tangential);
    Ok(ProblemData::new(Mass::diagonal(vec![1.0, 1.0])?, [-1.0, 1.0]).with_contact(contact))
}

/// Whether Poisson's law takes these coefficients.
fn accepted(data: ProblemData) -> bool {
    ImpactProblem::new(data).is_ok_and(|problem| resolve(&problem, &poisson()).is_ok())
}

/// Compares shares W/T⁻ of work with the claim that there is no gain.
fn dissipates(found: &mut Findings, quantity: &str, works: &[f64]) {
    let most = works.iter().copied().fold(f64::MIN, f64::max);
    let holds = works.iter().all(|work| *work <= 1e-12);
    found.claim(quantity, "dissipative", format!("largest W/T⁻ = {most:.3}"), holds);
}

pub(super) fn table_1(found: &mut Findings) -> Result<(), StudyError> {
    let friction = found.parameter("friction", "friction μ", 2.0, [0.0, 5.0])?;
    for kind in ["contact", "clutch"] {
        let limit = switch(0.0, 2.0, |eps| Ok(isolated(kind, eps)? > 0.0))?;
        found.number(format!("unilateral constraint ({kind}): largest ε without energy gain"), 1.0, limit, 1e-12);
        found.number(
            format!("unilateral constraint ({kind}): W/T⁻ at ε = 0.5, (107)"),
            -0.75,
            isolated(kind, 0.5)?,
            1e-12,
        );
    }
    let joint = linspace(0.0, 1.0, 11).map(|eps| isolated("joint", eps)).collect::<Result<Vec<_>, _>>()?;
    dissipates(found, "bilateral constraint, 0 ≤ ε ≤ 1", &joint);
    let negative = ContactData::new("C", [1.0]).restitution(-0.1);
    let refused = !accepted(ProblemData::new(Mass::diagonal(vec![1.0])?, [-1.0]).with_contact(negative));
    found.claim("ε < 0", "not admissible", if refused { "refused" } else { "accepted" }, refused);
    let fits = accepted(frictional(friction, 0.8, 0.8)?) && !accepted(frictional(friction, 0.8, 0.81)?);
    found.claim(
        "Coulomb friction: 0 ≤ ε_T ≤ ε_N",
        "required",
        if fits { "ε_T = ε_N accepted, ε_T > ε_N refused" } else { "not enforced" },
        fits,
    );

    let mut table = Table::new("", ["epsilon", "contact_work", "clutch_work", "joint_work"]);
    let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
    for eps in linspace(0.0, 1.4, 71) {
        let row = [isolated("contact", eps)?, isolated("clutch", eps)?, isolated("joint", eps)?];
        table.numbers([eps].into_iter().chain(row));
        for (curve, value) in curves.iter_mut().zip(row) {
            curve.push((eps, value));
        }
    }
    found.table(table);
    let mut left = Panel::new(Axis::new("ε"), Axis::new("W / T^{−}")).title("one constraint");
    for (k, (curve, name)) in curves.into_iter().zip(["contact", "clutch", "joint"]).enumerate() {
        left = left.add(Series::line(curve).index(k).label(name));
    }
    left = left.add(Reference::horizontal(0.0)).add(Reference::vertical(1.0));
    let mut right =
        Panel::new(Axis::new("ε_{T}"), Axis::new("W / T^{−}")).title(format!("contact with friction, μ = {friction}"));
    let mut works_of_friction = Table::new("friction", ["epsilon_n", "epsilon_t", "work"]);
    let mut works = Vec::new();
    for (k, normal) in [0.25, 0.5, 0.75, 1.0].into_iter().enumerate() {
        let mut curve = Vec::new();
        for tangential in linspace(0.0, normal, 26) {
            let energy = solve(frictional(friction, normal, tangential)?, &poisson())?.energy;
            let work = energy.change() / energy.before;
            works.push(work);
            works_of_friction.numbers([normal, tangential, work]);
            curve.push((tangential, work));
        }
        right = right.add(Series::line(curve).index(k).label(format!("ε_{{N}} = {normal}")));
    }
    found.table(works_of_friction);
    dissipates(found, "friction, 0 ≤ ε_T ≤ ε_N ≤ 1", &works);
    found.figure(
        Figure::grid(2, vec![left, right]),
        "Work of isolated impact elements under Poisson's law over their coefficient; a joint returns nothing, \
         whatever its coefficient.",
    );
    Ok(())
}
