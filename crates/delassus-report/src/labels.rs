//! Symbols and units of parameters and measures.

/// Labels that go before those of parameters and measures.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// Heading.
    pub title: Option<String>,
    /// Along x.
    pub x: Option<String>,
    /// Along y.
    pub y: Option<String>,
}

/// Symbol and unit of a parameter, and whether it is an angle; the path itself where there is none.
pub fn parameter_label(key: &str) -> (String, bool) {
    let last = key.rsplit('.').next().unwrap_or(key);
    let owner = key.split('.').next().unwrap_or("");
    let rod = ["rod", "rod_impact"].contains(&owner);
    let rocking = owner == "rocking_block";
    let short = rod || rocking || ["block", "block_impact", "material"].contains(&owner);
    let symbol = match last {
        "angle" if rocking => "θ(0) [rad]",
        "rate" if rocking => "θ̇(0) [rad/s]",
        "angle" if short => "φ [rad]",
        "rate" if rod => "φ̇^{−} [rad/s]",
        "rate" if short => "θ̇^{−} [rad/s]",
        "velocity_ratio" => "γ_{T}^{−} / γ_{N}^{−}",
        "normal_velocity" => "γ_{N}^{−} [m/s]",
        "tangential_velocity" => "γ_{T}^{−} [m/s]",
        "mass" if short => "m [kg]",
        "half_length" => "s [m]",
        "inertia" => "Θ [kg m²]",
        "width" if short => "L [m]",
        "height" if short => "l [m]",
        "aspect" => "l / L",
        "slip" if short => "γ_{T,A}^{−} [m/s]",
        "friction" if short => "μ",
        "friction_static" if short => "μ_{s}",
        "restitution" if short => "ε_{N}",
        "restitution_tangential" if short => "ε_{T}",
        "stiffness_ratio" if short => "k_{A} / k_{B}",
        "amplitude" => "amplitude [m]",
        "frequency" if rocking => "p [1/s]",
        "frequency" => "frequency [Hz]",
        "acceleration" => "peak acceleration [m/s²]",
        "period" if rocking => "2π / p [s]",
        "period" => "period [s]",
        "pga" => "peak acceleration [m/s²]",
        "slenderness" if rocking => "α [rad]",
        "scale" => "scale of the record",
        "gravity" => "g [m/s²]",
        "exponent" if owner == "law" => "η",
        "restitution" if owner == "law" => "ε",
        "time" if owner == "until" => "t [s]",
        "friction" => return (format!("μ ({})", whose(key)), false),
        "restitution" => return (format!("ε_{{N}} ({})", whose(key)), false),
        _ => return (key.to_owned(), false),
    };
    (symbol.to_owned(), last == "angle")
}

/// What a measure is called along an axis, with its unit.
pub fn measure_label(measure: &str) -> String {
    match measure {
        "energy" => "(T^{+} − T^{−}) / T^{−}".into(),
        "energetic" => "energetic residual".into(),
        "kinematic" => "kinematic residual".into(),
        "kinetic" => "kinetic residual".into(),
        "inclusion" => "residual of the inclusion".into(),
        "momentum" => "residual of the momentum balance".into(),
        "impacts" => "number of impacts".into(),
        "tilt" => "largest |θ| / θ_{c}".into(),
        "time" => "t [s]".into(),
        "difference" => "‖u_{1}^{+} − u_{2}^{+}‖ / √(2T)".into(),
        "angle" => "largest |θ| [rad]".into(),
        "closure" => "energy balance, relative".into(),
        other => match other.split_once(':').unwrap_or((other, "")) {
            ("force", contact) => of_contact("largest normal force", contact, "N"),
            ("tangential", contact) => of_contact("largest tangential force", contact, "N"),
            ("uplift", contact) => of_contact("largest gap", contact, "m"),
            ("slip", contact) => of_contact("largest slip", contact, "m"),
            ("impulse", element) => of_contact("Λ", element, "N s"),
            ("gamma", element) => of_contact("γ^{+}", element, "m/s"),
            _ => other.to_owned(),
        },
    }
}

fn of_contact(what: &str, contact: &str, unit: &str) -> String {
    if contact.is_empty() { format!("{what} [{unit}]") } else { format!("{what} of {contact} [{unit}]") }
}

/// The owner of a number: `contact.C` of `contact.C.friction`.
fn whose(key: &str) -> &str {
    key.rsplit_once('.').map_or(key, |(owner, _)| owner)
}
