//! Which contacts a scenario can have, their names and materials.

use std::collections::{HashMap, HashSet};

use super::data::{MaterialData, Scenario};
use super::shape::Solid;
use crate::error::ImpactError;
use crate::model::{
    ContactGeometry, ContactPoint, Feature, Outline, Partner, Sides, Sources, Surface, Surfaces, Unlisted, Vec2,
    between,
};
use crate::problem::MOST_RESTITUTION;

/// A straight line of a support, in the order of the supports.
pub(super) struct Line {
    pub point: [f64; 2],
    pub normal: [f64; 2],
    pub name: String,
}

/// A contact with the names of its two sides.
struct Found {
    geometry: ContactGeometry,
    /// What is touched, and by what: the short name where that is unique.
    short: Option<String>,
    name: String,
    sides: [String; 2],
}

fn array(v: Vec2) -> [f64; 2] {
    [v.x, v.y]
}

/// A round feature of a body with its label: a corner's name, or nothing for the only disk.
struct Labelled {
    feature: Feature,
    /// The outline that a corner belongs to, counted within its body.
    outline: usize,
    label: Option<String>,
    given: bool,
}

fn features(scenario: &Scenario, solids: &[Solid], body: usize) -> Vec<Labelled> {
    let (data, solid) = (&scenario.body[body], &solids[body]);
    let mut list = Vec::new();
    for (k, corner) in solid.corners.iter().enumerate() {
        let given = data.corners.get(k).cloned();
        list.push(Labelled {
            feature: Feature { body, point: array(*corner), radius: 0.0 },
            outline: solid.corner_outline[k],
            given: given.is_some(),
            label: Some(given.unwrap_or_else(|| format!("{}", k + 1))),
        });
    }
    for (k, (centre, radius)) in solid.disks.iter().enumerate() {
        let given = data.corners.get(solid.corners.len() + k).cloned();
        let number = (solid.disks.len() > 1).then(|| format!("disk{}", k + 1));
        list.push(Labelled {
            feature: Feature { body, point: array(*centre), radius: *radius },
            outline: 0,
            given: given.is_some(),
            label: given.or(number),
        });
    }
    list
}

/// Pairs of bodies that do not touch each other, the first of the two in front: those that a joint connects,
/// and rods with all links of their mechanism, which lie beside one another.
pub(super) fn untouching(solids: &[Solid], jointed: &[[usize; 2]]) -> HashSet<[usize; 2]> {
    // Bodies may be thousands.
    if jointed.is_empty() {
        return HashSet::new();
    }
    let mut mechanism: Vec<usize> = (0..solids.len()).collect();
    for &[a, b] in jointed {
        let (kept, gone) = (mechanism[a], mechanism[b]);
        mechanism.iter_mut().filter(|m| **m == gone).for_each(|m| *m = kept);
    }
    let is_rod = |body: usize| solids[body].outlines.iter().any(|outline| outline.len() == 2);
    let mut pairs: HashSet<[usize; 2]> = jointed.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
    for a in 0..solids.len() {
        let links = (a + 1..solids.len()).filter(|&b| mechanism[a] == mechanism[b] && (is_rod(a) || is_rod(b)));
        pairs.extend(links.map(|b| [a, b]));
    }
    pairs
}

/// The name of a feature, with its body's in front.
fn full(scenario: &Scenario, body: usize, label: Option<&String>) -> String {
    let name = &scenario.body[body].name;
    label.map_or_else(|| name.clone(), |label| format!("{name}.{label}"))
}

/// What of each body touches others.
fn sides(all: &[Vec<Labelled>], outlines: &[Outline]) -> Vec<Sides> {
    let of = |(body, list): (usize, &Vec<Labelled>)| {
        let from = outlines.partition_point(|outline| outline.body < body);
        let to = outlines.partition_point(|outline| outline.body <= body);
        let features = list.iter().map(|item| (item.feature.clone(), from + item.outline));
        Sides { features: features.collect(), outlines: from..to }
    };
    all.iter().enumerate().map(of).collect()
}

/// What is needed to make the contacts of pairs of bodies as they come near each other.
pub(super) fn unlisted(scenario: &Scenario, solids: &[Solid], outlines: &[Outline]) -> Result<Unlisted, ImpactError> {
    let all: Vec<Vec<Labelled>> = (0..solids.len()).map(|b| features(scenario, solids, b)).collect();
    let bodies: Vec<String> = scenario.body.iter().map(|body| body.name.clone()).collect();
    let names: HashMap<&str, usize> = bodies.iter().enumerate().map(|(k, name)| (name.as_str(), k)).collect();
    let surfaces = surfaces(&scenario.material, &names)?;
    let named = |(body, list): (usize, &Vec<Labelled>)| {
        list.iter().map(|item| full(scenario, body, item.label.as_ref())).collect()
    };
    let features = all.iter().enumerate().map(named).collect();
    Ok(Unlisted { sides: sides(&all, outlines), bodies, features, surfaces })
}

/// Materials by pairs that are named; those of names that are not given are left out.
pub(super) fn surfaces(materials: &[MaterialData], names: &HashMap<&str, usize>) -> Result<Surfaces, ImpactError> {
    let mut pairs = HashMap::new();
    for sides in materials.iter().filter_map(|material| material.between.as_ref()) {
        if let [Some(&a), Some(&b)] = [0, 1].map(|k| names.get(sides[k].as_str())) {
            pairs.insert([a.min(b), a.max(b)], surface(materials, "", sides)?);
        }
    }
    // No pair has empty names: what is left holds for all.
    let general = surface(materials, "", &[String::new(), String::new()])?;
    Ok(Surfaces { general, pairs })
}

/// All contacts: every round feature with every line, and where pairs are `listed` features with
/// features or outlines of bodies that are not `exempt`.
pub(super) fn contacts(
    scenario: &Scenario,
    solids: &[Solid],
    outlines: &[Outline],
    lines: &[Line],
    exempt: &HashSet<[usize; 2]>,
    listed: bool,
) -> Result<(Vec<ContactPoint>, Vec<ContactGeometry>), ImpactError> {
    let all: Vec<Vec<Labelled>> = (0..solids.len()).map(|b| features(scenario, solids, b)).collect();
    let mut found = Vec::new();
    let full = |body: usize, label: Option<&String>| full(scenario, body, label);
    for (body, list) in all.iter().enumerate() {
        for item in list {
            for (support, Line { point, normal, name: line }) in lines.iter().enumerate() {
                let name = format!("{}-{line}", full(body, item.label.as_ref()));
                let own = if item.given { item.label.clone() } else { Some(full(body, item.label.as_ref())) };
                found.push(Found {
                    geometry: ContactGeometry {
                        feature: item.feature.clone(),
                        partner: Partner::Line { support, point: *point, normal: *normal },
                    },
                    short: own.filter(|_| lines.len() == 1),
                    name,
                    sides: [scenario.body[body].name.clone(), line.clone()],
                });
            }
        }
    }
    let count = if listed { solids.len() } else { 0 };
    let touching = sides(&all, outlines);
    for a in 0..count {
        for b in a + 1..count {
            if exempt.contains(&[a, b]) {
                continue;
            }
            for possible in between([&touching[a], &touching[b]]) {
                let (one, other) = if possible.side == 0 { (a, b) } else { (b, a) };
                let touched = possible.disk.and_then(|disk| all[other][disk].label.as_ref());
                let own = all[one][possible.feature].label.as_ref();
                let name = format!("{}-{}", full(one, own), full(other, touched));
                let sides = [scenario.body[one].name.clone(), scenario.body[other].name.clone()];
                found.push(Found { geometry: possible.geometry, short: None, name, sides });
            }
        }
    }
    name_them(scenario, found)
}

/// The outlines of all bodies, in order.
pub(super) fn outlines(solids: &[Solid]) -> Vec<Outline> {
    let of = |(body, solid): (usize, &Solid)| -> Vec<Outline> {
        let corners = |outline: &Vec<Vec2>| outline.iter().map(|v| array(*v)).collect::<Vec<_>>();
        solid.outlines.iter().map(|outline| Outline::new(body, &corners(outline))).collect()
    };
    solids.iter().enumerate().flat_map(of).collect()
}

fn name_them(scenario: &Scenario, found: Vec<Found>) -> Result<(Vec<ContactPoint>, Vec<ContactGeometry>), ImpactError> {
    // There are as many as pairs of bodies: they are looked up, not searched.
    let mut shorts: HashMap<&String, usize> = HashMap::new();
    found.iter().filter_map(|one| one.short.as_ref()).for_each(|name| *shorts.entry(name).or_default() += 1);
    let (mut names, mut taken) = (Vec::with_capacity(found.len()), HashSet::new());
    for one in &found {
        let mut name = one.short.clone().filter(|name| shorts[name] == 1).unwrap_or_else(|| one.name.clone());
        if taken.contains(&name) {
            name = format!("{name}#{}", names.iter().filter(|n: &&String| n.starts_with(&name)).count() + 1);
        }
        taken.insert(name.clone());
        names.push(name);
    }
    for (i, material) in scenario.material.iter().enumerate() {
        check_material(i, material, scenario, &names)?;
    }
    let mut points = Vec::new();
    let mut geometries = Vec::new();
    for (one, name) in found.into_iter().zip(names) {
        let surface = surface(&scenario.material, &name, &one.sides)?;
        points.push(ContactPoint { name, surface });
        geometries.push(one.geometry);
    }
    Ok((points, geometries))
}

fn check_material(i: usize, material: &MaterialData, scenario: &Scenario, names: &[String]) -> Result<(), ImpactError> {
    let at = |key: &str| format!("material[{i}].{key}");
    if let Some(name) = material.contact.as_ref().filter(|name| !names.contains(name)) {
        let some = names.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(", ");
        return Err(ImpactError::new(at("contact"), format!("{name:?}"), format!("there are the contacts {some}")));
    }
    for (k, side) in material.between.iter().flatten().enumerate() {
        let bodies = scenario.body.iter().map(|b| &b.name);
        let mut known = bodies.chain(scenario.ground.iter().chain(&scenario.wall).map(|l| &l.name));
        if !known.any(|name| name == side) {
            let problem = "is neither a body nor a ground nor a wall";
            return Err(ImpactError::new(at(&format!("between[{k}]")), format!("{side:?}"), problem));
        }
    }
    check_coefficients(i, material)
}

/// The ranges of a material's numbers.
pub(super) fn check_coefficients(i: usize, material: &MaterialData) -> Result<(), ImpactError> {
    let at = |key: &str| format!("material[{i}].{key}");
    let limits = [
        ("friction", material.friction, 0.0, f64::MAX),
        ("friction_static", material.friction_static, 0.0, f64::MAX),
        ("restitution", material.restitution, 0.0, MOST_RESTITUTION),
        ("restitution_tangential", material.restitution_tangential, 0.0, 1.0),
        ("stiffness", material.stiffness, f64::MIN_POSITIVE, f64::MAX),
    ];
    for (key, value, least, most) in limits {
        let Some(value) = value.filter(|v| !(least..=most).contains(v)) else { continue };
        let problem = match key {
            "stiffness" => "must be positive and finite".to_owned(),
            "restitution_tangential" => "must lie in [0, 1]".to_owned(),
            "restitution" => format!("must be at least 0 and at most {most:e}"),
            _ => format!("must be a finite number of at least {least}"),
        };
        return Err(ImpactError::new(at(key), value, problem));
    }
    Ok(())
}

/// Later materials overrule earlier ones in what they give.
pub(super) fn surface(materials: &[MaterialData], name: &str, sides: &[String; 2]) -> Result<Surface, ImpactError> {
    let mut surface = Surface {
        friction: 0.0,
        friction_static: 0.0,
        restitution: 0.0,
        restitution_tangential: 0.0,
        stiffness: 1.0,
        sources: Sources::default(),
    };
    let mut fixed = None;
    for (i, material) in materials.iter().enumerate() {
        let pair = material
            .between
            .as_ref()
            .is_none_or(|[a, b]| (a == &sides[0] && b == &sides[1]) || (a == &sides[1] && b == &sides[0]));
        if !pair || material.contact.as_ref().is_some_and(|c| c != name) {
            continue;
        }
        let given = |coefficient: Option<f64>, before: Option<usize>| coefficient.map(|_| i).or(before);
        let Sources { friction, restitution, restitution_tangential } = surface.sources;
        surface.sources = Sources {
            friction: given(material.friction, friction),
            restitution: given(material.restitution, restitution),
            restitution_tangential: given(material.restitution_tangential, restitution_tangential),
        };
        surface.friction = material.friction.unwrap_or(surface.friction);
        // A new kinetic coefficient replaces an older static one.
        fixed = material.friction_static.map(|f| (f, i)).or(fixed.filter(|_| material.friction.is_none()));
        surface.restitution = material.restitution.unwrap_or(surface.restitution);
        surface.restitution_tangential = material.restitution_tangential.unwrap_or(surface.restitution_tangential);
        surface.stiffness = material.stiffness.unwrap_or(surface.stiffness);
    }
    surface.friction_static = fixed.map_or(surface.friction, |(f, _)| f);
    if let Some((value, i)) = fixed.filter(|(f, _)| *f < surface.friction) {
        let problem = format!("must not be below the kinetic friction {}", surface.friction);
        return Err(ImpactError::new(format!("material[{i}].friction_static"), value, problem));
    }
    Ok(surface)
}
