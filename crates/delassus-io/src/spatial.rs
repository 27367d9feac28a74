//! Scenario files in space.
//!
//! They are told by `world.dimension = 3` and read through a tree of values, so that one reader serves
//! both formats.

use delassus::ImpactError;
use delassus::scenario::SpatialScenario;
use serde::Deserialize;
use serde_json::Value;

use crate::error::{InputError, explain};
use crate::read::Format;
use crate::scenario::{LawAsWritten, ScenarioDocument, hint, law_spec, spatial_entry};
use crate::tree::Node;

/// Keys of planar scenarios in space.
const SPATIAL_HINTS: [(&str, &str); 14] = [
    ("angle", "a body in space has an orientation: { axis = [0, 0, 1], angle = 0.1 }"),
    ("rate", "a body in space has a spin of three numbers [rad/s]"),
    ("corners", "corners of bodies in space have no names"),
    ("box", "in space it is a cuboid: shape.cuboid.size = [1, 1, 1]"),
    ("disk", "in space it is a sphere or a cylinder"),
    ("rod", "in space it is a capsule or a cylinder"),
    ("polygon", "in space it is convex: shape.convex.vertices"),
    ("clutch", "clutches are planar"),
    ("chain", "is planar: leave out world.dimension, or write the balls as bodies"),
    ("double_pendulum", "is planar: leave out world.dimension"),
    ("pin", "in space it is a ball or a hinge"),
    ("torsion", "springs in space act between points"),
    ("reversed", "clutches are planar"),
    ("stiffness_ratio", "belongs to planar rocking blocks"),
];

/// Whether a scenario is in space.
fn is_spatial(value: &Value) -> bool {
    value.pointer("/world/dimension").and_then(Value::as_f64) == Some(3.0)
}

/// The scenarios of a file in space; `None` for planar files and those that cannot be read at all.
pub(crate) fn read_spatial(
    text: &str,
    file: &str,
    format: Format,
    load: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Option<ScenarioDocument>, InputError> {
    // Most files need no second look.
    if !text.contains("dimension") {
        return Ok(None);
    }
    let tree = match format {
        Format::Toml => toml::from_str::<Value>(text).ok(),
        Format::Json => serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).ok(),
    };
    let Some(mut tree) = tree else { return Ok(None) };
    let wrong = |error| InputError::new(file, error);
    let (values, law, batch) = match &mut tree {
        Value::Array(list) => (std::mem::take(list), None, true),
        Value::Object(table) if table.get("scenario").is_some_and(Value::is_array) => {
            let list = table["scenario"].take();
            table.shift_remove("scenario");
            let law = table.shift_remove("law").filter(|law| !law.is_null());
            if !table.is_empty() && list.as_array().is_some_and(|list| list.iter().any(is_spatial)) {
                read_one(Value::Object(table.clone())).map_err(wrong)?;
                let problem = "a file with [[scenario]] tables must have all but [law] inside them";
                return Err(wrong(ImpactError::new(table.keys().next().cloned().unwrap_or_default(), "", problem)));
            }
            let Value::Array(list) = list else { return Ok(None) };
            (list, law, true)
        }
        _ => (vec![tree], None, false),
    };
    match values.iter().filter(|value| is_spatial(value)).count() {
        0 => return Ok(None),
        count if count < values.len() => {
            let planar = values.iter().position(|value| !is_spatial(value)).unwrap_or(0);
            let problem = "all scenarios of a file have the same dimension, and others have 3";
            return Err(wrong(ImpactError::new(format!("scenario[{planar}].world.dimension"), "", problem)));
        }
        _ => {}
    }
    let written = |law: Option<Value>| law.map(LawAsWritten::deserialize).transpose();
    // The law of the whole file is read even where every scenario has its own.
    let shared = written(law.clone()).map_err(|e| wrong(explain("law", &e.to_string())))?;
    law_spec(shared.as_ref().map(|law| &law.0)).map_err(wrong)?;
    let mut entries = Vec::with_capacity(values.len());
    for (i, mut value) in values.into_iter().enumerate() {
        let path = if batch { format!("scenario[{i}]") } else { String::new() };
        let own = value.as_object_mut().and_then(|table| table.shift_remove("law")).filter(|law| !law.is_null());
        let here = |error: ImpactError| wrong(error.within(&path));
        let law = written(own.or_else(|| law.clone())).map_err(|e| here(explain("law", &e.to_string())))?;
        let scenario = read_one(value).map_err(here)?;
        entries.push(spatial_entry(scenario, law.map(|law| law.0), path.clone(), load).map_err(here)?);
    }
    Ok(Some(ScenarioDocument { entries, batch }))
}

fn read_one(value: Value) -> Result<SpatialScenario, ImpactError> {
    let tree = Node::deserialize(value).map_err(|e| explain("", &e.to_string()))?;
    SpatialScenario::deserialize(&tree).map_err(|fault| {
        let mut error = explain(&fault.path(), fault.message());
        // The law is read apart, and is a key all the same.
        if let Some((before, keys)) = error.problem.split_once("known keys: ")
            && keys.contains("integrator")
        {
            error.problem = format!("{before}known keys: {keys}, law");
        }
        hint(error, &SPATIAL_HINTS)
    })
}
