//! Which features of which bodies can touch what.

use super::super::frame::{Vec3, tangents};
use super::super::shape::Form;
use super::super::system::SpatialSystem;
use super::feature::{Against, Feature, Tip};
use crate::elementary::Elementary;
use crate::error::ImpactError;
use crate::model::ContactPoint;

/// Fixed points of the edge of a flat end.
const FLAT_POINTS: usize = 8;
/// Contacts that are too many to watch one by one.
const MOST: usize = 20_000;

/// A part of a body that can touch: its name and its features with theirs.
struct Part {
    body: usize,
    name: String,
    tips: Vec<(String, Tip)>,
}

fn parts(system: &SpatialSystem) -> Vec<Part> {
    let mut all = Vec::new();
    for (body, data) in system.bodies.iter().enumerate() {
        let range = system.parts[body]..system.parts[body + 1];
        let single = range.len() == 1;
        for (k, shape) in system.shapes[range].iter().enumerate() {
            let name = if single { data.name.clone() } else { format!("{}.part{}", data.name, k + 1) };
            let at = |point: Vec3| shape.place.point(point);
            let numbered = |k: usize, tip: Tip| (format!(".{}", k + 1), tip);
            let tips = match &shape.form {
                Form::Ball { radius } => {
                    vec![(String::new(), Tip::Ball { centre: shape.place.position, radius: *radius })]
                }
                Form::Capsule { radius, half } => {
                    let end = |z: f64| Tip::Ball { centre: at(Vec3::new(0.0, 0.0, z)), radius: *radius };
                    vec![numbered(0, end(-half)), numbered(1, end(*half))]
                }
                Form::Polytope(polytope) => {
                    let corner = |(k, v): (usize, &Vec3)| numbered(k, Tip::Ball { centre: at(*v), radius: 0.0 });
                    polytope.vertices.iter().enumerate().map(corner).collect()
                }
                Form::Cylinder { radius, half, .. } => {
                    let ends = [-1.0, 1.0].into_iter().enumerate();
                    ends.flat_map(|(k, sign)| rim(*radius, sign * half, k, &shape.place)).collect()
                }
            };
            all.push(Part { body, name, tips });
        }
    }
    all
}

/// The features of a cylinder's end: its edge, and fixed points of it.
fn rim(radius: f64, end: f64, number: usize, place: &super::super::frame::Place) -> Vec<(String, Tip)> {
    let axis = place.rotation * Vec3::new(0.0, 0.0, end.signum());
    let centre = place.point(Vec3::new(0.0, 0.0, end));
    let mut tips = vec![(format!(".rim{}", number + 1), Tip::Rim { centre, axis, radius })];
    for k in 0..FLAT_POINTS {
        let (s, c) = (std::f64::consts::TAU * k as f64 / FLAT_POINTS as f64).sine_cosine();
        let point = place.point(Vec3::new(radius * c, radius * s, end));
        tips.push((format!(".rim{}.{}", number + 1, k + 1), Tip::Flat { point, axis, radius }));
    }
    tips
}

/// All possible contacts with their names and materials.
pub(super) fn list(system: &SpatialSystem) -> Result<(Vec<ContactPoint>, Vec<Feature>), ImpactError> {
    let parts = parts(system);
    let (mut points, mut features) = (Vec::new(), Vec::new());
    let mut add = |name: String, other: usize, feature: Feature| {
        points.push(ContactPoint { name, surface: system.surfaces.of(feature.body, other) });
        features.push(feature);
        if features.len() <= MOST {
            return Ok(());
        }
        let problem = format!(
            "more than {MOST} contacts are possible between these bodies, too many to watch one by one: \
             integrator.scheme = \"time-stepping\" finds them as they come near"
        );
        Err(ImpactError::new("integrator.scheme", "\"events\"", problem))
    };
    for part in &parts {
        for (index, plane) in system.planes.iter().enumerate() {
            let support = &system.supports[plane.support].name;
            for (suffix, tip) in &part.tips {
                let against = Against::Plane { plane: index, tangents: tangents(plane.normal) };
                let name = format!("{}{suffix}-{support}", part.name);
                let other = system.bodies.len() + plane.support;
                add(name, other, Feature { body: part.body, tip: tip.clone(), against })?;
            }
        }
    }
    for (i, one) in parts.iter().enumerate() {
        for other in &parts[i + 1..] {
            if one.body == other.body || system.exempt.contains(&[one.body as u32, other.body as u32]) {
                continue;
            }
            let name = format!("{}-{}", one.name, other.name);
            let ([(_, Tip::Ball { .. })], [(_, Tip::Ball { centre, radius })]) = (&one.tips[..], &other.tips[..])
            else {
                let problem = format!(
                    "events know contacts of spheres with each other and of any shape with planes, not those of {} \
                     with {}: integrator.scheme = \"time-stepping\" does",
                    one.name, other.name
                );
                return Err(ImpactError::new("integrator.scheme", "\"events\"", problem));
            };
            let against = Against::Ball { body: other.body, centre: *centre, radius: *radius };
            add(name, other.body, Feature { body: one.body, tip: one.tips[0].1.clone(), against })?;
        }
    }
    Ok((points, features))
}
