//! From a scenario in space to a system and its start.

use std::collections::{HashMap, HashSet};

use super::data::{PlaneData, SpatialBodyData, SpatialGravity, SpatialScenario};
use super::links::Links;
use super::relief;
use super::solid::{Solid, Weight, inertia, solid, turn};
use crate::elementary::Elementary;
use crate::error::{ImpactError, finite, moderate, moderate_positive};
use crate::model::{
    Form, HalfSpace, Mat3, Model, SPACE, SpatialBody, SpatialMotion, SpatialShape, SpatialSupport, SpatialSystem,
    Surfaces, System, Vec3, absent, quaternion,
};
use crate::scenario::build::{Built, idle, is_none, no_static_friction, of_other_schemes, settings, until, upwards};
use crate::scenario::contacts::{self, check_coefficients};
use crate::scenario::data::IntegratorData;
use crate::scenario::motion::{parts, remarks};
use crate::simulate::{Quantity, Scheme};

/// The number of bodies up to which a scenario that names no scheme is computed by events: a rack of billiard balls
/// still is, a pile in which some contact opens or closes all the time is not.
const MOST_BY_EVENTS: usize = 20;
/// The same of conditions of joints, some dozen balls: events solve them together at every stage of every step.
const MOST_ROWS_BY_EVENTS: usize = 40;

impl SpatialScenario {
    /// Builds the system; arrays and containers are expanded first.
    ///
    /// # Errors
    /// Any number out of range, unknown or repeated names, shapes that are no shapes.
    pub fn build(&self) -> Result<Built, ImpactError> {
        if !SPACE {
            return Err(absent(3));
        }
        let full = self.expand()?;
        let names = names(&full)?;
        let gravity = Vec3::from(full.world.gravity.vector());
        match full.world.gravity {
            SpatialGravity::Down(g) => drop(moderate(|| "world.gravity".to_owned(), g)?),
            SpatialGravity::Vector(g) => {
                for (k, g) in g.iter().enumerate() {
                    moderate(|| format!("world.gravity[{k}]"), *g)?;
                }
            }
        }
        let mut system = SpatialSystem {
            gravity,
            bodies: Vec::new(),
            supports: Vec::new(),
            planes: Vec::new(),
            reliefs: Vec::new(),
            facets: Vec::new(),
            shapes: Vec::new(),
            parts: vec![0],
            joints: Vec::new(),
            springs: Vec::new(),
            applied: Vec::new(),
            surfaces: surfaces(&full, &names)?,
            exempt: HashSet::new(),
            remarks: Vec::new(),
        };
        planes(&full, &mut system)?;
        relief::add(&full, &mut system)?;
        let (q, u) = bodies(&full, &mut system)?;
        Links { names: &names, bodies: full.body.len(), q: &q }.add(&full, &mut system)?;
        full.solver.check()?;
        let scheme = scheme(&full.integrator, &system);
        let settings = settings(&full.integrator, &full.solver, &full.output, scheme);
        settings.check()?;
        if full.until.overturned == Some(true) {
            return Err(ImpactError::new("until.overturned", true, "is for planar scenarios"));
        }
        let until = until(&full.until, false)?;
        let remarks = remarks(&system, until.time);
        system.remarks.extend(remarks);
        system.remarks.extend(no_static_friction(settings.scheme, &full.material));
        system.remarks.extend(of_other_schemes(settings.scheme, &full.integrator));
        let springs = full.spring.iter().map(|spring| [spring.stiffness, spring.damping] == [0.0; 2]);
        let forces = full.force.iter().map(|force| is_none(force.force.iter().chain(&force.torque)));
        system.remarks.extend(idle(springs, forces));
        if let SpatialGravity::Down(down) = full.world.gravity {
            system.remarks.extend(upwards(down, "z"));
        }
        system.remarks.extend(prisms(&system));
        for name in &full.output.plot {
            Quantity::parse(&system, name).map_err(|e| e.within("output"))?;
        }
        Ok(Built { system: Model::of_space(system)?, q, u, settings, until })
    }
}

/// Where cylinders are not round.
fn prisms(system: &SpatialSystem) -> Option<String> {
    let cylinders = system.shapes.iter().any(|s| matches!(s.form, Form::Cylinder { .. }));
    let touched = match (system.bodies.len() > 1, !system.reliefs.is_empty()) {
        (true, true) => {
            "other bodies than balls, and edges of terrains and meshes, as prisms with 24 sides; on planes and triangles"
        }
        (true, false) => "other bodies than balls as prisms with 24 sides; on planes",
        (false, true) => "edges of terrains and meshes as prisms with 24 sides; on their triangles, and on planes,",
        (false, false) => return None,
    };
    cylinders.then(|| format!("cylinders touch {touched} they are round"))
}

/// The scheme of a scenario that names none: by events where these know all that can touch, so that times of impacts
/// are exact and every law can be asked; by time-stepping where bodies or joints are many, a step is given, events do not do, or
/// bodies with flat faces can touch each other: piles of those are dear by events.
fn scheme(integrator: &IntegratorData, system: &SpatialSystem) -> Scheme {
    let few = system.bodies.len() <= MOST_BY_EVENTS;
    let cheap = |listed: &dyn System| {
        listed.pairs() == 0 && listed.joints().iter().map(|joint| joint.rows).sum::<usize>() <= MOST_ROWS_BY_EVENTS
    };
    let known =
        || system.with_contacts(integrator.contact_tolerance).is_some_and(|listed| listed.is_ok_and(|l| cheap(&*l)));
    if few && integrator.step.is_none() && known() { Scheme::Auto } else { Scheme::TimeStepping }
}

/// Numbers of the names: bodies first, then grounds, walls, terrains and meshes.
fn names(full: &SpatialScenario) -> Result<HashMap<&str, usize>, ImpactError> {
    if full.body.is_empty() {
        return Err(ImpactError::new("body", "[]", "a scenario needs a body, an array or a short form"));
    }
    let bodies = full.body.iter().enumerate().map(|(i, b)| (format!("body[{i}].name"), &b.name));
    let grounds = full.ground.iter().enumerate().map(|(i, p)| (format!("ground[{i}].name"), &p.name));
    let walls = full.wall.iter().enumerate().map(|(i, p)| (format!("wall[{i}].name"), &p.name));
    let terrains = full.terrain.iter().enumerate().map(|(i, t)| (format!("terrain[{i}].name"), &t.name));
    let meshes = full.mesh.iter().enumerate().map(|(i, m)| (format!("mesh[{i}].name"), &m.name));
    let mut names = HashMap::new();
    for (number, (field, name)) in bodies.chain(grounds).chain(walls).chain(terrains).chain(meshes).enumerate() {
        named(|| field.clone(), name)?;
        if names.insert(name.as_str(), number).is_some() {
            return Err(twice(field, name));
        }
    }
    // Joints are no sides of anything, but impacts tell them by their names.
    for (i, joint) in full.joint.iter().enumerate() {
        named(|| format!("joint[{i}].name"), &joint.name)?;
        let before = full.joint[..i].iter().any(|other| other.name == joint.name);
        if before || names.contains_key(joint.name.as_str()) {
            return Err(twice(format!("joint[{i}].name"), &joint.name));
        }
    }
    Ok(names)
}

/// Checks that a name can stand for something.
pub(super) fn named(field: impl Fn() -> String, name: &str) -> Result<(), ImpactError> {
    if !(name.is_empty() || name == "world") {
        return Ok(());
    }
    Err(ImpactError::new(field(), format!("{name:?}"), "needs a name other than \"world\""))
}

fn twice(field: String, name: &str) -> ImpactError {
    ImpactError::new(field, format!("{name:?}"), "names must be unique, and there is another")
}

fn surfaces(full: &SpatialScenario, names: &HashMap<&str, usize>) -> Result<Surfaces, ImpactError> {
    for (i, material) in full.material.iter().enumerate() {
        let at = |key: &str| format!("material[{i}].{key}");
        if let Some(contact) = &material.contact {
            let problem = "contacts in space are told by their pair: use between";
            return Err(ImpactError::new(at("contact"), format!("{contact:?}"), problem));
        }
        if let Some(ratio) = material.stiffness_ratio {
            return Err(ImpactError::new(at("stiffness_ratio"), ratio, "belongs to planar rocking blocks"));
        }
        check_coefficients(i, material)?;
        for (k, side) in material.between.iter().flatten().enumerate() {
            if !names.contains_key(side.as_str()) {
                let problem = "is neither a body nor a ground, wall, terrain or mesh";
                return Err(ImpactError::new(at(&format!("between[{k}]")), format!("{side:?}"), problem));
            }
        }
    }
    contacts::surfaces(&full.material, names)
}

fn planes(full: &SpatialScenario, system: &mut SpatialSystem) -> Result<(), ImpactError> {
    let grounds = full.ground.iter().enumerate().map(|(i, p)| (format!("ground[{i}]"), p));
    let walls = full.wall.iter().enumerate().map(|(i, p)| (format!("wall[{i}]"), p));
    for (path, plane) in grounds.chain(walls) {
        let normal = normal(&path, plane)?;
        for (k, v) in plane.point.iter().enumerate() {
            moderate(|| format!("{path}.point[{k}]"), *v)?;
        }
        let parts = parts(&format!("{path}.motion"), plane.motion.as_ref(), full.until.time, &unit)?;
        let support = system.supports.len();
        system.supports.push(SpatialSupport { name: plane.name.clone(), motion: SpatialMotion { parts } });
        system.planes.push(HalfSpace { support, point: Vec3::from(plane.point), normal });
    }
    Ok(())
}

fn normal(path: &str, plane: &PlaneData) -> Result<Vec3, ImpactError> {
    match (&plane.normal, plane.angle) {
        (Some(_), Some(angle)) => {
            Err(ImpactError::new(format!("{path}.angle"), angle, "give either a normal or an angle"))
        }
        (Some(normal), None) => unit(&format!("{path}.normal"), normal),
        (None, None) if path.starts_with("wall") => {
            Err(ImpactError::new(format!("{path}.normal"), "", "a wall needs a normal, towards its free side"))
        }
        (None, angle) => {
            let angle = finite(|| format!("{path}.angle"), angle.unwrap_or(0.0))?;
            Ok(Vec3::new(-angle.sine(), 0.0, angle.cosine()))
        }
    }
}

pub(super) fn unit(field: &str, v: &[f64; 3]) -> Result<Vec3, ImpactError> {
    // Of any length: of very long and very short ones the squares are no numbers.
    let mut vector = Vec3::from(*v);
    let largest = vector.amax();
    if v.iter().all(|v| v.is_finite()) && largest > 0.0 {
        if moderate_positive(String::new, largest).is_err() {
            vector /= largest;
        }
        return Ok(vector / vector.norm());
    }
    Err(ImpactError::new(field, format!("{v:?}"), "must be a finite vector that is not zero"))
}

/// What a body is made of, its moments of inertia and its orientation, where all of its numbers make sense.
pub(super) fn sound(path: &str, body: &SpatialBodyData) -> Result<(Solid, Mat3, Mat3), ImpactError> {
    let solid = solid(path, &body.shape, Weight { mass: body.mass, density: body.density })?;
    let moments = match &body.inertia {
        Some(given) => inertia(&format!("{path}.inertia"), given)?,
        None => solid.inertia,
    };
    for (key, value) in [("shape", solid.size()), ("mass", solid.mass), ("inertia", moments.amax())] {
        moderate_positive(|| format!("{path}.{key}"), value)?;
    }
    for (key, values) in [("position", body.position), ("velocity", body.velocity), ("spin", body.spin)] {
        for (k, v) in values.iter().enumerate() {
            moderate(|| format!("{path}.{key}[{k}]"), *v)?;
        }
    }
    Ok((solid, moments, turn(&format!("{path}.orientation"), &body.orientation)?))
}

fn bodies(full: &SpatialScenario, system: &mut SpatialSystem) -> Result<(Vec<f64>, Vec<f64>), ImpactError> {
    let (mut q, mut u) = (Vec::new(), Vec::new());
    for (i, body) in full.body.iter().enumerate() {
        let path = format!("body[{i}]");
        let (solid, moments, turn) = sound(&path, body)?;
        let size = solid.size();
        q.extend_from_slice(&body.position);
        q.extend_from_slice(&quaternion(&turn));
        u.extend_from_slice(&body.velocity);
        u.extend_from_slice(&body.spin);
        let Some(made) = SpatialBody::new(body.name.clone(), solid.mass, size, moments) else {
            return Err(ImpactError::new(format!("{path}.inertia"), "", "must be positive definite"));
        };
        system.bodies.push(made);
        system.shapes.extend(solid.parts.into_iter().map(|(place, form)| SpatialShape { place, form }));
        system.parts.push(system.shapes.len());
    }
    Ok((q, u))
}
