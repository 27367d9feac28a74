//! Fig. 3: friction with a static and a kinetic coefficient, as an impact traces it.

use delassus::law::Lzb;
use delassus::{ContactData, LawSpec, Mass, ProblemData};

use crate::reproduce::numeric::{linspace, switch};
use crate::reproduce::solve::solve;
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Dash, Figure, Panel, Reference, Series};

/// A contact that slides with `slip` before the impact and whose normal impulse
/// drives its tangent: G_NT = κ, G_NN = G_TT = 1. Returns Λ_T/Λ_N and v_t⁺.
fn driven([kinetic, held]: [f64; 2], coupling: f64, slip: f64) -> Result<[f64; 2], StudyError> {
    let across = (1.0 - coupling * coupling).sqrt();
    let contact = ContactData::new("C", [1.0, 0.0])
        .tangent([coupling, across])
        .friction(kinetic)
        .friction_static(held)
        .restitution(1.0);
    // γ_N⁻ = −1 and γ_T⁻ = slip.
    let velocity = [-1.0, (slip + coupling) / across];
    let data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0])?, velocity).with_contact(contact);
    let outcome = solve(data, &LawSpec::Lzb(Lzb::default()))?;
    Ok([outcome.impulses()[1] / outcome.impulses()[0], outcome.gamma_plus[1]])
}

pub(super) fn fig_3(found: &mut Findings) -> Result<(), StudyError> {
    let kinetic = found.parameter("friction", "friction μ", 0.3, [0.0, 0.6])?;
    let held = found.parameter("friction_static", "static friction μ_s", f64::max(0.5, kinetic), [kinetic, 0.65])?;
    let driven = |coupling: f64, slip: f64| driven([kinetic, held], coupling, slip);
    found.number(
        "largest |Λ_T/Λ_N| in stick: μ_s",
        held,
        switch(0.05, 0.9, |k| Ok(driven(k, 0.0)?[1].abs() < 1e-9))?,
        1e-9,
    );
    found.number("|Λ_T/Λ_N| while sliding: μ", kinetic, driven(0.7, 0.0)?[0].abs(), 1e-9);
    found.number("|Λ_T/Λ_N| in stick, driven with 0.4", 0.4, driven(0.4, 0.0)?[0].abs(), 1e-9);
    found.claim(
        "direction of sliding friction",
        "against the sliding velocity",
        if driven(0.7, 0.0)?[0] * driven(0.7, 0.0)?[1] < 0.0 { "against it" } else { "along it" },
        driven(0.7, 0.0)?[0] * driven(0.7, 0.0)?[1] < 0.0,
    );
    let mut table = Table::new("", ["drive", "slip_before", "friction_ratio", "tangential_velocity_after"]);
    let mut sides: [Vec<(f64, f64)>; 3] = Default::default();
    // From rest, friction grows with the drive until it breaks away. Slow slip is not reached
    // that way, but a drive of μ sustains any slip.
    let from_rest = linspace(-held, held, 101).map(|drive| (drive, 0.0));
    let slips = linspace(-1.2, 1.2, 120).map(|slip| (kinetic.copysign(slip), slip));
    for (drive, slip) in from_rest.chain(slips) {
        let [ratio, velocity] = driven(drive, slip)?;
        table.numbers([drive, slip, ratio, velocity]);
        let side = if velocity.abs() < 1e-9 { 1 } else { 2 * usize::from(velocity > 0.0) };
        sides[side].push((velocity, ratio));
    }
    found.table(table);
    let [left, stick, right] = sides;
    let panel = Panel::new(
        Axis::new("v_{t}").range(-1.2, 1.2),
        Axis::new("Λ_{T} / Λ_{N}").range(-0.65, 0.65).ticks_at([
            (held, "μ_{s}"),
            (kinetic, "μ"),
            (-kinetic, "−μ"),
            (-held, "−μ_{s}"),
        ]),
    )
    .add(Series::line(left).index(0).width(1.8).label("slip"))
    .add(Series::line(stick).index(1).dash(Dash::Solid).width(1.8).label("stick"))
    .add(Series::line(right).index(0).width(1.8))
    .add(Reference::horizontal(kinetic))
    .add(Reference::horizontal(-kinetic));
    found.figure(
        Figure::single(panel),
        "Friction over the tangential velocity, traced by single impacts whose normal impulse drives the tangent \
         (μ = 0.3, μ_s = 0.5).",
    );
    found.note("The figure is a sketch of the friction law; here impacts under the Darboux–Keller law trace it.");
    Ok(())
}
