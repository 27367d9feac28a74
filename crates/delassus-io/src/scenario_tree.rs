//! Scenarios as trees of values, whose numbers are found and changed by their paths.
//!
//! Whoever writes a scenario in another way, or changes numbers of one, goes through such a tree: the code that walks
//! the many types of a scenario then exists once for writing and once for reading.

use delassus::ImpactError;
use delassus::model::SPACE;
use delassus::scenario::{Scenario, SpatialScenario};
use serde::Deserialize;
use serde_json::Value;

use crate::error::explain;
use crate::tree::Node;

/// The tree of a scenario: what a file with it holds, without a law.
///
/// # Errors
/// A scenario that cannot be written.
pub fn scenario_to_value(scenario: &Scenario) -> Result<Value, ImpactError> {
    let value = match &scenario.space {
        Some(space) if SPACE => serde_json::to_value(space.as_ref()),
        _ => serde_json::to_value(scenario),
    };
    value.map_err(|e| ImpactError::new("scenario", "", e.to_string()))
}

/// The scenario of a tree.
///
/// # Errors
/// What cannot stand where it is, with its path.
pub fn scenario_from_value(value: &Value) -> Result<Scenario, ImpactError> {
    let tree = Node::deserialize(value).map_err(|e| ImpactError::new("scenario", "", e.to_string()))?;
    let scenario = match SPACE && value.pointer("/world/dimension").is_some_and(|dimension| dimension == 3) {
        true => SpatialScenario::deserialize(&tree).map(Scenario::from),
        false => Scenario::deserialize(&tree),
    };
    scenario.map_err(|fault| explain(&fault.path(), fault.message()))
}
