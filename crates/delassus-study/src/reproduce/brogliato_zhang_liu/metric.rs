//! Section 3.1 and the metric before it: (10), (16)–(18), (20)–(23).

use std::f64::consts::{FRAC_PI_2, PI};

use delassus::law::Kinematic;
use delassus::{ContactData, ImpactProblem, KineticMetric, LawSpec, Mass, ProblemData};

use super::block::Block;
use crate::reproduce::numeric::linspace;
use crate::reproduce::solve::solve;
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Dash, Figure, Panel, Series};

const INERTIA: f64 = 5.0 / 12.0;

/// The metric of the block with m = L = 1, l = 2 at an angle θ; contacts B and A.
fn metric(theta: f64) -> Result<KineticMetric, StudyError> {
    let (sin, cos) = theta.sin_cos();
    let data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0, INERTIA])?, [0.0; 3])
        .with_contact(ContactData::new("B", [0.0, 1.0, sin + 0.5 * cos]))
        .with_contact(ContactData::new("A", [0.0, 1.0, sin - 0.5 * cos]));
    Ok(KineticMetric::new(&ImpactProblem::new(data)?)?)
}

/// √(1/m + (l sin θ ± L cos θ)²/(4I)), the denominators of (16) and (17).
fn denominator(theta: f64, side: f64) -> f64 {
    (1.0 + (2.0 * theta.sin() + side * theta.cos()).powi(2) / (4.0 * INERTIA)).sqrt()
}

pub(super) fn section_3(found: &mut Findings) -> Result<(), StudyError> {
    let theta = found.parameter("angle", "angle θ [rad]", 0.4, [-1.5, 1.5])?;
    let e = found.parameter("restitution", "restitution e_n1", 0.4, [0.0, 1.0])?;
    for aspect in [0.5, 1.0, 2.0f64] {
        let a2 = aspect * aspect;
        let problem = ImpactProblem::new(Block::new(aspect).data()?)?;
        let ours = KineticMetric::new(&problem)?;
        found.number(
            format!("l/L = {aspect}: θ₁₂ [rad], (10)"),
            PI - ((a2 - 2.0) / (a2 + 4.0)).acos(),
            ours.angle(0, 1),
            1e-12,
        );
        // n₁ᵀ∇f₁ = √(∇f₁ᵀM⁻¹∇f₁).
        let printed = (4.0 + a2) / (1.0 + a2);
        found.corrected(
            format!("l/L = {aspect}: first entry of the matrix in (20)"),
            printed,
            printed.sqrt(),
            ours.scale(0) * ours.gram(0, 0),
            1e-12,
            "(20) prints the Delassus matrix itself; for the normalised velocities its entries are to be divided by \
             √((4L² + l²)/(m(L² + l²))).",
        );
    }
    let u = [0.3, -0.7, -1.1];
    let split = metric(theta)?.split(&u)?;
    let rate = |side: f64| u[1] + (theta.sin() + side * 0.5 * theta.cos()) * u[2];
    found.number(
        format!("θ = {theta}, l/L = 2: q̇_norm,1, (16)"),
        rate(1.0) / denominator(theta, 1.0),
        split.normal[0],
        1e-12,
    );
    found.corrected(
        format!("θ = {theta}, l/L = 2: q̇_norm,2, (17)"),
        rate(-1.0) / denominator(theta, 1.0),
        rate(-1.0) / denominator(theta, -1.0),
        split.normal[1],
        1e-12,
        "the denominator of (17) has (l sin θ − L cos θ)², not (l sin θ + L cos θ)².",
    );
    found.number(format!("θ = {theta}: |q̇_tan| = √m |ẋ|, (18)"), u[0], split.tangential[0].abs(), 1e-12);

    // One corner: A gives no impulse.
    let mut single = Block::new(2.0).data()?;
    single.contacts.truncate(1);
    let law = Kinematic { restitution_matrix: Some(vec![vec![e]]), ..Kinematic::default() };
    let after = solve(single, &LawSpec::Kinematic(law))?.u_plus;
    let printed = (6.0 * e + 2.0 - 4.0) / (4.0 + 4.0);
    found.corrected(
        format!("l/L = 2, p_n2 = 0, e_n1 = {e}: ẏ⁺/ẏ⁻, (21)"),
        printed,
        (2.0 - 4.0 - 2.0 * (4.0 + 1.0) * e) / (4.0 + 4.0),
        -2.0 * after[1],
        1e-12,
        "the numerator of (21) should read 2L² − l² − 2(l² + L²)e_n1.",
    );
    found.number(format!("l/L = 2, p_n2 = 0, e_n1 = {e}: θ̇⁺/θ̇⁻, (22)"), -printed, -after[2], 1e-12);

    let mut table = Table::new("", ["theta_rad", "scale_B", "scale_A", "scale_A_printed"]);
    let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
    for theta in linspace(-FRAC_PI_2 + 0.01, FRAC_PI_2 - 0.01, 181) {
        let ours = metric(theta)?;
        let row = [ours.scale(0), ours.scale(1), denominator(theta, 1.0)];
        table.numbers([theta].into_iter().chain(row));
        for (curve, value) in curves.iter_mut().zip(row) {
            curve.push((theta, value));
        }
    }
    found.table(table);
    let [b, a, wrong] = curves;
    let panel = Panel::new(Axis::new("θ [rad]").range(-FRAC_PI_2, FRAC_PI_2).pi(), Axis::new("√(∇fᵀM⁻¹∇f) · √m"))
        // Wide, so that it is seen beside the dots of the misprint, which is the same curve.
        .add(Series::line(b).index(0).width(4.0).label("B, (16)"))
        .add(Series::line(a).index(1).label("A"))
        .add(Series::line(wrong).index(6).dash(Dash::Dotted).width(1.4).label("A as printed in (17)"));
    found.figure(
        Figure::single(panel),
        "Normalisation of the corners' velocities in the kinetic metric over the block's angle, l = 2L.",
    );
    Ok(())
}
