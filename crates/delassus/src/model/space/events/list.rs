//! Which features of which bodies can touch what.

use super::super::frame::{Vec3, tangents};
use super::super::shape::Form;
use super::super::system::SpatialSystem;
use super::feature::{Against, Feature, Tip};
use super::meeting::{Kind, Meeting};
use super::round::Round;
use super::solid::Solid;
use crate::elementary::Elementary;
use crate::error::ImpactError;
use crate::model::{ContactPoint, Surface};

/// Fixed points of the edge of a flat end.
const FLAT_POINTS: usize = 8;
/// Contacts that are too many to watch one by one.
const MOST: usize = 20_000;

/// A part of a body that can touch: its name and its features with theirs.
struct Part {
    body: usize,
    name: String,
    tips: Vec<(String, Tip)>,
    /// Its number among the solids, where it has flat faces,
    solid: Option<usize>,
    /// and where it is a capsule.
    capsule: Option<usize>,
}

/// A possible contact.
#[derive(Debug, Clone)]
pub(super) enum Contact {
    /// Of what is smooth.
    Feature(Feature),
    /// Of two solids with flat faces.
    Meeting(Meeting),
    /// Of a ball and a solid with flat faces, or a capsule.
    Round(Round),
}

/// All possible contacts with their names and materials, and what they are contacts of.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub points: Vec<ContactPoint>,
    pub contacts: Vec<Contact>,
    pub solids: Vec<Solid>,
    /// Pairs of solids that can touch.
    pub pairs: Vec<[usize; 2]>,
}

impl Listed {
    fn add(&mut self, name: String, surface: Surface, contact: Contact) -> Result<(), ImpactError> {
        self.points.push(ContactPoint { name, surface });
        self.contacts.push(contact);
        if self.contacts.len() <= MOST {
            return Ok(());
        }
        let problem = format!(
            "more than {MOST} contacts are possible between these bodies, too many to watch one by one: \
             integrator.scheme = \"time-stepping\" finds them as they come near"
        );
        Err(ImpactError::new("integrator.scheme", "\"events\"", problem))
    }

    /// The contacts of two solids: corners of either on faces of the other, and edges of the first across those of the
    /// second, of which each can cross two.
    fn add_pair(&mut self, one: (&str, usize), other: (&str, usize), surface: Surface) -> Result<(), ImpactError> {
        let pair = self.pairs.len();
        self.pairs.push([one.1, other.1]);
        for (own, other) in [(one, other), (other, one)] {
            for corner in 0..self.solids[own.1].vertices.len() {
                let meeting = Meeting { solids: [own.1, other.1], kind: Kind::Corner(corner), pair };
                let name = format!("{}.{}-{}", own.0, corner + 1, other.0);
                self.add(name, surface, Contact::Meeting(meeting))?;
            }
        }
        for edge in 0..self.solids[one.1].edges.len() {
            for (number, last) in [(1, false), (2, true)] {
                let meeting = Meeting { solids: [one.1, other.1], kind: Kind::Edge { edge, last }, pair };
                let name = format!("{}.edge{}.{number}-{}", one.0, edge + 1, other.0);
                self.add(name, surface, Contact::Meeting(meeting))?;
            }
        }
        Ok(())
    }
}

fn parts(system: &SpatialSystem, solids: &mut Vec<Solid>) -> Vec<Part> {
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
            let (mut solid, mut capsule) = (None, None);
            match &shape.form {
                Form::Polytope(polytope) => {
                    solid = Some(solids.len());
                    solids.push(Solid::new(body, polytope, &shape.place));
                }
                Form::Capsule { radius, half } => {
                    capsule = Some(solids.len());
                    let ends = [-half, *half].map(|z| at(Vec3::new(0.0, 0.0, z)));
                    solids.push(Solid::capsule(body, ends, *radius));
                }
                _ => {}
            }
            all.push(Part { body, name, tips, solid, capsule });
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

/// All possible contacts.
pub(super) fn list(system: &SpatialSystem) -> Result<Listed, ImpactError> {
    let mut listed = Listed::default();
    let parts = parts(system, &mut listed.solids);
    for part in &parts {
        for (index, plane) in system.planes.iter().enumerate() {
            let support = &system.supports[plane.support].name;
            for (suffix, tip) in &part.tips {
                let against = Against::Plane { plane: index, tangents: tangents(plane.normal) };
                let name = format!("{}{suffix}-{support}", part.name);
                let surface = system.surfaces.of(part.body, system.bodies.len() + plane.support);
                listed.add(name, surface, Contact::Feature(Feature { body: part.body, tip: tip.clone(), against }))?;
            }
        }
    }
    for (i, one) in parts.iter().enumerate() {
        for other in &parts[i + 1..] {
            if one.body == other.body || system.exempt.contains(&[one.body as u32, other.body as u32]) {
                continue;
            }
            let surface = system.surfaces.of(one.body, other.body);
            if let (Some(first), Some(second)) = (one.solid, other.solid) {
                listed.add_pair((&one.name, first), (&other.name, second), surface)?;
                continue;
            }
            let name = format!("{}-{}", one.name, other.name);
            // Of a ball: its body, centre and radius.
            let ball = |part: &Part| match part.tips[..] {
                [(_, Tip::Ball { centre, radius })] => Some((part.body, centre, radius)),
                _ => None,
            };
            let faced = |part: &Part| part.solid.or(part.capsule);
            let round = match (ball(one), faced(other), ball(other), faced(one)) {
                (Some(ball), Some(solid), ..) | (.., Some(ball), Some(solid)) => Some((ball, solid)),
                _ => None,
            };
            if let Some(((body, centre, radius), solid)) = round {
                listed.add(name, surface, Contact::Round(Round { body, centre, radius, solid }))?;
                continue;
            }
            let ([(_, Tip::Ball { .. })], [(_, Tip::Ball { centre, radius })]) = (&one.tips[..], &other.tips[..])
            else {
                let problem = format!(
                    "events know contacts of spheres and of bodies with flat faces, with each other and among \
                     themselves, of spheres with capsules, and of any shape with planes, not those of {} with {}: \
                     integrator.scheme = \"time-stepping\" does",
                    one.name, other.name
                );
                return Err(ImpactError::new("integrator.scheme", "\"events\"", problem));
            };
            let against = Against::Ball { body: other.body, centre: *centre, radius: *radius };
            let feature = Feature { body: one.body, tip: one.tips[0].1.clone(), against };
            listed.add(name, surface, Contact::Feature(feature))?;
        }
    }
    Ok(listed)
}
