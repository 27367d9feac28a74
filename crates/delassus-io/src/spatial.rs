//! What tells scenario files in space: `world.dimension = 3`.

use delassus::ImpactError;

use crate::tree::Node;

/// Keys of planar scenarios in space.
pub(crate) const SPATIAL_HINTS: [(&str, &str); 15] = [
    ("angle", "a body in space has an orientation: { axis = [0, 0, 1], angle = 0.1 }"),
    ("rate", "a body in space has a spin of three numbers [rad/s]"),
    ("corners", "corners of bodies in space have no names"),
    ("box", "in space it is a cuboid: shape.cuboid.size = [1, 1, 1]"),
    ("disk", "in space it is a sphere or a cylinder"),
    ("rod", "in space it is a capsule or a cylinder"),
    ("polygon", "in space it is convex: shape.convex.vertices"),
    ("plane", "planes are [[ground]] and [[wall]]"),
    ("clutch", "clutches are planar"),
    ("chain", "is planar: leave out world.dimension, or write the balls as bodies"),
    ("double_pendulum", "is planar: leave out world.dimension"),
    ("pin", "in space it is a ball or a hinge"),
    ("torsion", "springs in space act between points"),
    ("reversed", "clutches are planar"),
    ("stiffness_ratio", "belongs to planar rocking blocks"),
];

/// Whether the scenarios of a file are in space.
///
/// # Errors
/// Some are and some are not, or have other dimensions.
pub(crate) fn is_spatial(file: &Node) -> Result<bool, ImpactError> {
    let listed = match file.items() {
        [] => file.get("scenario").map(Node::items).unwrap_or_default(),
        list => list,
    };
    let scenarios = if listed.is_empty() { std::slice::from_ref(file) } else { listed };
    let dimension = |scenario: &Node, number: i32| {
        scenario.get("world").and_then(|world| world.get("dimension")).map(|given| given.is_whole(number))
    };
    let written = |scenario: &Node| scenario.get("world").and_then(|world| world.get("dimension")).map(Node::written);
    let in_space = |scenario: &Node| dimension(scenario, 3) == Some(true);
    let neither = |scenario: &Node| [2, 3].iter().all(|number| dimension(scenario, *number) == Some(false));
    if let Some(i) = scenarios.iter().position(neither) {
        let field = if listed.is_empty() { "world.dimension".into() } else { format!("scenario[{i}].world.dimension") };
        let given = written(&scenarios[i]).unwrap_or_default();
        return Err(ImpactError::new(field, given, "must be the number 2 (the plane, as without it) or 3 (space)"));
    }
    let planar = scenarios.iter().position(|scenario| !in_space(scenario));
    match planar {
        None => Ok(true),
        Some(i) if scenarios.iter().any(in_space) => {
            let problem = "all scenarios of a file have the same dimension, and others have 3";
            Err(ImpactError::new(format!("scenario[{i}].world.dimension"), "", problem))
        }
        Some(_) => Ok(false),
    }
}
