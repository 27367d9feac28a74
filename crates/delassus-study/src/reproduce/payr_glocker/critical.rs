//! Fig. 6: the critical coefficient of friction.

use super::rod::{Bar, HOMOGENEOUS, Regime, Rod};
use crate::reproduce::numeric::{linspace, minimum, switch};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Color, Dash, Figure, Marker, Panel, Reference, Series};

/// So flat an approach that forward slip exists iff μ is below μ_c, to about 1e-6.
const FLAT: f64 = -1e7;

/// The elastic bar of this moment of inertia.
fn bar(inertia: f64, friction: f64) -> Bar {
    Bar { inertia, ..Bar::elastic(friction) }
}

/// μ_c = G_NN/G_NT of the bar at φ.
fn critical(inertia: f64, angle: f64) -> Result<f64, StudyError> {
    let (nn, nt) = Rod::new(bar(inertia, 0.5), angle)?.operator();
    Ok(nn / nt)
}

/// The same from impacts alone: the friction at which forward slip ceases.
fn critical_by_impacts(inertia: f64, angle: f64) -> Result<f64, StudyError> {
    switch(0.1, 20.0, |friction| {
        let slip = Rod::new(bar(inertia, friction), angle)?.impact(FLAT)?;
        Ok(slip.regime == Regime::ForwardSlip)
    })
}

pub(super) fn fig_6(found: &mut Findings) -> Result<(), StudyError> {
    let inertia = found.parameter("inertia", "moment of inertia Θ/(ms²)", HOMOGENEOUS, [0.05, 2.0])?;
    let degree = 1f64.to_radians();
    let (angle, least) = minimum(20.0 * degree, 85.0 * degree, |phi| critical(inertia, phi))?;
    found.number("least critical friction μ_c,min", 4.0 / 3.0, least, 1e-12);
    found.number("its angle φ [°]", 63.435, angle.to_degrees(), 5e-4);
    let mut points = Vec::new();
    for phi in [20.0, 45.0, 63.435, 75.0, 85.0] {
        let (formula, measured) = (critical(inertia, phi * degree)?, critical_by_impacts(inertia, phi * degree)?);
        found.number(
            format!("friction at which forward slip ceases, φ = {phi}°, against α/δ"),
            formula,
            measured,
            1e-5,
        );
        points.push((phi * degree, measured));
    }
    let subcritical = linspace(0.5, 89.5, 179).try_fold(true, |all, phi| {
        let slip = Rod::new(bar(inertia, 1.33), phi * degree)?.impact(FLAT)?;
        Ok::<_, StudyError>(all && slip.regime == Regime::ForwardSlip)
    })?;
    found.claim(
        "μ = 1.33 < 4/3",
        "forward slip possible at every angle",
        if subcritical { "at all of 179 angles" } else { "not at all angles" },
        subcritical,
    );

    let mut table = Table::new("", ["phi_rad", "mu_c"]);
    let mut curve = Vec::new();
    for phi in linspace(2.0 * degree, 89.0 * degree, 300) {
        let mu = critical(inertia, phi)?;
        table.numbers([phi, mu]);
        curve.push((phi, mu));
    }
    found.table(table);
    let panel = Panel::new(
        Axis::new("φ [rad]").range(0.0, std::f64::consts::FRAC_PI_2).pi(),
        Axis::new("μ_{c}").range(0.0, 8.0),
    )
    .add(Series::line(curve).index(0).label("α/δ"))
    .add(Series::scatter(points).index(1).marker(Marker::OpenCircle).label("forward slip ceases (impacts)"))
    .add(Reference::horizontal(4.0 / 3.0).label("μ_{c,min} = 4/3"))
    .add(Reference::vertical(2f64.atan()).style(Color::BLACK, Dash::Dotted).label("tan φ = 2"));
    found.figure(
        Figure::single(panel),
        "Critical friction for forward slip over the impact angle; above the curve only stick and backward slip exist.",
    );
    Ok(())
}
