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
    if let Some(label) = generalized(key, "velocity", "u", "^{−}").or_else(|| mass_entry(key)) {
        return (label, false);
    }
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
        "friction_static" => return (format!("μ_{{s}} ({})", whose(key)), false),
        "restitution_tangential" => return (format!("ε_{{T}} ({})", whose(key)), false),
        "restitution" => return (format!("ε_{{N}} ({})", whose(key)), false),
        _ => return (unit_of(key).map_or(key.to_owned(), |unit| format!("{key} [{unit}]")), false),
    };
    (symbol.to_owned(), last == "angle")
}

/// Units of the numbers of scenarios, by the last word of their paths, as their documentation has them.
const UNITS: [(&str, &[&str]); 12] = [
    (
        "m",
        &[
            "amplitude",
            "cradle",
            "depth",
            "first_gap",
            "gap",
            "height",
            "jitter",
            "length",
            "lengths",
            "point",
            "points",
            "position",
            "radius",
            "size",
            "spacing",
            "vertices",
            "width",
        ],
    ),
    ("kg", &["mass", "masses"]),
    ("s", &["interval", "max_step", "period", "start", "step", "time"]),
    ("m/s", &["velocities", "velocity"]),
    ("rad", &["angle", "angles", "phase", "pitch", "roll", "yaw"]),
    ("rad/s", &["rate", "rates", "spin"]),
    ("Hz", &["frequency"]),
    ("m/s^2", &["gravity"]),
    ("kg m^2", &["inertia"]),
    ("kg/m^3", &["density"]),
    ("N s/m", &["damping"]),
    ("N m", &["torque"]),
];

/// The unit of a number of a scenario.
fn unit_of(key: &str) -> Option<String> {
    let (owner, rest) = key.split_once('.')?;
    // Directions and velocities of problems are generalized, coefficients have no unit.
    if ["contact", "clutch", "law", "solver"].contains(&owner) {
        return None;
    }
    let word = rest.rsplit('.').find(|part| part.parse::<usize>().is_err())?.split('[').next()?;
    let (unit, _) = UNITS.iter().find(|(_, words)| words.contains(&word))?;
    Some(unit.replace("^2", "²").replace("^3", "³"))
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
        other if other.ends_with(']') && !other.contains(':') => generalized(other, "velocity", "u", "^{+}")
            .or_else(|| generalized(other, "q", "q", " at the end"))
            .or_else(|| generalized(other, "u", "u", " at the end"))
            .unwrap_or_else(|| other.to_owned()),
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

/// The label of `word[2]`, a generalized coordinate or its rate: which of the two units it has only the system knows.
fn generalized(key: &str, word: &str, symbol: &str, when: &str) -> Option<String> {
    let index: usize = key.strip_prefix(word)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
    let unit = if symbol == "q" { "m or rad" } else { "m/s or rad/s" };
    Some(format!("{symbol}_{{{index}}}{when} [{unit}]"))
}

/// The label of an entry of M, `mass[1]` or `mass[0][1]`.
fn mass_entry(key: &str) -> Option<String> {
    let inner = key.strip_prefix("mass[")?.strip_suffix(']')?;
    let (row, column) = inner.split_once("][").unwrap_or((inner, inner));
    let unit = if row == column { "kg or kg m²" } else { "kg, kg m or kg m²" };
    Some(format!("M_{{{row},{column}}} [{unit}]"))
}

/// The symbol of a coordinate or a rate of a motion by its name, such as `block.theta_rate`.
pub(crate) fn coordinate_symbol(name: &str) -> String {
    match name.strip_suffix("_rate") {
        Some(base) => format!("d {}/dt", coordinate_symbol(base)),
        None => name.replace(".theta", ".θ"),
    }
}

/// The label of a coordinate or a rate at the end of a motion.
pub(crate) fn coordinate_label(name: &str, unit: &str) -> String {
    format!("{} at the end [{unit}]", coordinate_symbol(name))
}

fn of_contact(what: &str, contact: &str, unit: &str) -> String {
    if contact.is_empty() { format!("{what} [{unit}]") } else { format!("{what} of {contact} [{unit}]") }
}

/// The unit of a parameter with a space before it, or nothing.
pub fn parameter_unit(key: &str) -> String {
    symbol_and_unit(&parameter_label(key).0).1
}

/// The two parts of a label such as `L [m]`; the unit with a space before it, or nothing, also where it may be one of
/// several.
pub(crate) fn symbol_and_unit(label: &str) -> (&str, String) {
    match label.split_once(" [") {
        Some((symbol, unit)) if unit.contains(" or ") => (symbol, String::new()),
        Some((symbol, unit)) => (symbol, format!(" {}", unit.trim_end_matches(']'))),
        None => (label, String::new()),
    }
}

/// The owner of a number: `contact.C` of `contact.C.friction`.
fn whose(key: &str) -> &str {
    key.rsplit_once('.').map_or(key, |(owner, _)| owner)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn numbers_of_scenarios_have_the_units_of_their_documentation() {
        for (key, label) in [
            ("body.ball.mass", "body.ball.mass [kg]"),
            ("body[0].velocity[1]", "body[0].velocity[1] [m/s]"),
            ("wall.left.point[0]", "wall.left.point[0] [m]"),
            ("body.ball.inertia", "Θ [kg m²]"),
            ("contact.C.stiffness", "contact.C.stiffness"),
            ("contact.C.restitution_tangential", "ε_{T} (contact.C)"),
            ("velocity[0]", "u_{0}^{−} [m/s or rad/s]"),
            ("mass[1]", "M_{1,1} [kg or kg m²]"),
            ("mass[0][2]", "M_{0,2} [kg, kg m or kg m²]"),
            ("integrator.tolerance", "integrator.tolerance"),
        ] {
            assert_eq!(parameter_label(key).0, label);
        }
        let schema: Value = serde_json::from_str(&delassus_io::scenario_schema()).unwrap();
        for (unit, words) in UNITS {
            for word in words {
                assert!(documents(&schema, word, &format!("[{unit}]")), "{word} [{unit}]");
            }
        }
    }

    #[test]
    fn generalized_quantities_have_symbols_and_both_units() {
        for (measure, label) in [
            ("velocity[1]", "u_{1}^{+} [m/s or rad/s]"),
            ("q[0]", "q_{0} at the end [m or rad]"),
            ("u[2]", "u_{2} at the end [m/s or rad/s]"),
            ("gamma:C.friction[1]", "γ^{+} of C.friction[1] [m/s]"),
            ("something[x]", "something[x]"),
        ] {
            assert_eq!(measure_label(measure), label);
        }
        assert_eq!(symbol_and_unit("u_{0}^{−} [m/s or rad/s]"), ("u_{0}^{−}", String::new()));
        assert_eq!(symbol_and_unit("L [m]"), ("L", " m".to_owned()));
    }

    /// Whether a schema has a property of this name with these words in its description.
    fn documents(schema: &Value, name: &str, words: &str) -> bool {
        let description = schema["properties"][name]["description"].as_str();
        let mut parts: Box<dyn Iterator<Item = &Value>> = match schema {
            Value::Object(table) => Box::new(table.values()),
            Value::Array(list) => Box::new(list.iter()),
            _ => return false,
        };
        description.is_some_and(|text| text.contains(words)) || parts.any(|part| documents(part, name, words))
    }
}
