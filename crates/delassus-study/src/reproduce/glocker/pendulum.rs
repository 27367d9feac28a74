//! Section 9.2 and Table 2: Kane's double pendulum.

use delassus::{ContactData, ElementState, ImpactOutcome, LawSpec, Mass, ProblemData};

use crate::reproduce::numeric::linspace;
use crate::reproduce::solve::{newton, phases, poisson, solve};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Panel, Reference, Series};

/// Half a unit of the last printed digit.
const PRINTED: f64 = 5.0000001e-5;

/// What can be changed of two rods of 3 kg and 2 m.
#[derive(Clone, Copy)]
struct Pendulum {
    friction: f64,
    /// Angles of the rods [°].
    angles: [f64; 2],
    /// u⁻ [rad/s].
    velocity: [f64; 2],
}

impl Pendulum {
    /// 20° and 30°, u⁻ = (−0.1, −0.2) rad/s, μ = 0.5: gives (227) and (231).
    fn asked(found: &mut Findings) -> Result<Pendulum, StudyError> {
        Ok(Pendulum {
            friction: found.parameter("friction", "friction μ", 0.5, [0.0, 1.5])?,
            angles: [
                found.parameter("first_angle", "angle of the first rod [°]", 20.0, [0.0, 60.0])?,
                found.parameter("second_angle", "angle of the second rod [°]", 30.0, [1.0, 80.0])?,
            ],
            velocity: [
                found.parameter("first_velocity", "velocity of the first rod u₁⁻ [rad/s]", -0.1, [-1.0, 1.0])?,
                found.parameter("second_velocity", "velocity of the second rod u₂⁻ [rad/s]", -0.2, [-1.0, 1.0])?,
            ],
        })
    }
}

fn strike(pendulum: Pendulum, law: &LawSpec, restitution: f64) -> Result<ImpactOutcome, StudyError> {
    let (m, l) = (3.0, 2.0);
    let [first, second] = pendulum.angles.map(f64::to_radians);
    let coupling = 0.5 * m * l * l * (second - first).cos();
    let mass = Mass::dense(2, vec![4.0 / 3.0 * m * l * l, coupling, coupling, m * l * l / 3.0])?;
    let contact = ContactData::new("C", [l * first.sin(), l * second.sin()])
        .tangent([-l * first.cos(), -l * second.cos()])
        .friction(pendulum.friction)
        .restitution(restitution);
    solve(ProblemData::new(mass, pendulum.velocity).with_contact(contact), law)
}

pub(super) fn section_9_2(found: &mut Findings) -> Result<(), StudyError> {
    let pendulum = Pendulum::asked(found)?;
    let outcome = strike(pendulum, &poisson(), 0.5)?;
    let (first, second) = phases(&outcome);
    let mut compare = |name: &str, paper: &[f64], ours: &[f64]| {
        for (k, (p, o)) in paper.iter().zip(ours).enumerate() {
            found.number(format!("{name}, component {}", k + 1), *p, *o, PRINTED);
        }
    };
    compare("γ⁻ [m/s], (231)", &[-0.2684, 0.5343], &outcome.gamma_minus);
    compare("T⁻ [J], (230)", &[0.2782], &[outcome.energy.before]);
    compare("γ° [m/s], (233)", &[0.0, 0.1187], &outcome.gamma_compression);
    compare("Λ⁽⁻⁾ [Ns], (233)", &[0.4549, -0.2274], &first);
    compare("γ⁺ [m/s], (236)", &[0.0786, 0.0], &outcome.gamma_plus);
    compare("Λ⁽⁺⁾ [Ns], (236)", &[0.2274, -0.0041], &second);
    compare("u⁺ [rad/s], (237)", &[-0.1961, 0.2127], &outcome.u_plus);
    compare("T⁺ [J], (237)", &[0.1516], &[outcome.energy.after]);
    compare("W [J], (238)", &[-0.1266], &[outcome.energy.change()]);
    let outcome = strike(pendulum, &poisson(), 0.7)?;
    let (_, second) = phases(&outcome);
    compare("ε_N = 0.7: γ⁺ [m/s], (240)", &[0.0805, 0.0], &outcome.gamma_plus);
    compare("ε_N = 0.7: Λ⁽⁺⁾ [Ns], (240)", &[0.3184, 0.0526], &second);
    compare("ε_N = 0.7: u⁺ [rad/s], (241)", &[-0.2007, 0.2178], &outcome.u_plus);
    compare("ε_N = 0.7: T⁺ [J], (241)", &[0.1588], &[outcome.energy.after]);
    compare("ε_N = 0.7: W [J], (242)", &[-0.1194], &[outcome.energy.change()]);
    found.corrected_claim(
        "the two cases, before (232)",
        "ε_N = 0.5 and ε_T = 0.7",
        "ε_N = 0.5 and ε_N = 0.7",
        (outcome.energy.change() + 0.1194).abs() <= PRINTED,
        "both cases have ε_T = 0; the second has ε_N = 0.7, as (239) and Table 2 say.",
    );

    let mut table = Table::new("", ["epsilon_n", "newton_work_J", "poisson_work_J"]);
    let (mut n_curve, mut p_curve) = (Vec::new(), Vec::new());
    for eps in linspace(0.0, 1.0, 101) {
        let (n, p) =
            (strike(pendulum, &newton(), eps)?.energy.change(), strike(pendulum, &poisson(), eps)?.energy.change());
        table.numbers([eps, n, p]);
        n_curve.push((eps, n));
        p_curve.push((eps, p));
    }
    found.table(table);
    let panel = Panel::new(Axis::new("ε_{N}"), Axis::new("T^{+} − T^{−} [J]"))
        .add(Series::line(n_curve).index(1).label("Newton"))
        .add(Series::line(p_curve).index(0).label("Poisson"))
        .add(Reference::horizontal(0.0));
    found.figure(
        Figure::single(panel),
        "Change of the kinetic energy over the restitution coefficient, ε_T = 0, μ = 0.5: Newton's law gains energy, \
         Poisson's cannot.",
    );
    Ok(())
}

pub(super) fn table_2(found: &mut Findings) -> Result<(), StudyError> {
    let pendulum = Pendulum::asked(found)?;
    const ROWS: [&str; 7] = ["γ_N⁺ [m/s]", "γ_T⁺ [m/s]", "Λ_N [Ns]", "Λ_T [Ns]", "u₁⁺ [rad/s]", "u₂⁺ [rad/s]", "W [J]"];
    type Column = (&'static str, f64, [f64; 7], ElementState);
    const COLUMNS: [Column; 4] = [
        ("Newton", 0.5, [0.1342, 0.0, 3.4079, 1.4676, -0.3346, 0.3631, 0.1634], ElementState::Stick),
        ("Poisson", 0.5, [0.0786, 0.0, 0.6823, -0.2315, -0.1961, 0.2127, -0.1266], ElementState::Stick),
        ("Newton", 0.7, [0.1879, -0.0177, 5.4995, 2.7498, -0.4430, 0.4909, 0.4889], ElementState::Slip),
        ("Poisson", 0.7, [0.0805, 0.0, 0.7733, -0.1748, -0.2007, 0.2178, -0.1194], ElementState::Stick),
    ];
    let mut table = Table::new("", ["law", "epsilon_n", "quantity", "paper", "ours"]);
    let mut bars: [Vec<(f64, f64)>; 2] = Default::default();
    for (name, eps, paper, state) in COLUMNS {
        let outcome = strike(pendulum, &if name == "Newton" { newton() } else { poisson() }, eps)?;
        let (gamma, impulse, u) = (&outcome.gamma_plus, outcome.impulses(), &outcome.u_plus);
        let ours = [gamma[0], gamma[1], impulse[0], impulse[1], u[0], u[1], outcome.energy.change()];
        for (row, (p, o)) in ROWS.iter().zip(paper.into_iter().zip(ours)) {
            found.number(format!("{name}, ε_N = {eps}: {row}"), p, o, PRINTED);
            table.row([name.into(), eps.into(), (*row).into(), p.into(), o.into()]);
        }
        found.claim(
            format!("{name}, ε_N = {eps}: state"),
            state.as_str(),
            outcome.states[1].as_str(),
            outcome.states[1] == state,
        );
        bars[usize::from(name == "Poisson")].extend([(paper[2], paper[3]), (ours[2], ours[3])]);
    }
    found.table(table);
    let [newton_points, poisson_points] = bars;
    let side = 5.5 * pendulum.friction;
    let cone = [(5.5, side), (0.0, 0.0), (5.5, -side)];
    let panel = Panel::new(Axis::new("Λ_{N} [Ns]").range(-0.3, 6.0), Axis::new("Λ_{T} [Ns]").range(-3.0, 3.0))
        .add(Series::line(cone).index(6).label(format!("friction cone, μ = {}", pendulum.friction)))
        .add(Series::scatter(newton_points).index(1).label("Newton, ε_{N} = 0.5 and 0.7"))
        .add(Series::scatter(poisson_points).index(0).label("Poisson, ε_{N} = 0.5 and 0.7"));
    found.figure(
        Figure::single(panel),
        "Total impulses of Table 2 in the plane of normal and tangential impulse, the paper's and ours on top of each \
         other: the two laws differ even in the direction of Λ_T.",
    );
    Ok(())
}
