//! Bodies in space as events see them: every possible contact is listed, each a smooth function of the state.

mod feature;
mod joint;
mod list;
mod meeting;
mod round;
mod solid;

use super::frame::{POSITIONS, VELOCITIES, Vec3};
use super::link::SpatialApplied;
use super::system::{SpatialSystem, velocity};
use crate::error::ImpactError;
use crate::model::{
    ClutchElement, ContactFrame, ContactPoint, ContactState, Directions, JointElement, Power, RecordSummary, RowState,
    Stepped, System, TURN,
};
use feature::{Feature, Local, Tip, moved};
use list::{Contact, Listed};
use solid::Solid;

/// The lowest point of a rim wanders by about this angle in a step.
const WANDER: f64 = 0.2;
/// Rims that tilt less than this, in units of the tilt at which they lie flat, fall flat in steps as long as errors allow.
const FALLING: f64 = 1e3;
/// Ends of cylinders lie flat where their edge is within this part of the contact tolerance.
const FLAT: f64 = 0.04;

/// A system in space with its possible contacts.
pub(super) struct ListedSystem<'a> {
    system: &'a SpatialSystem,
    points: Vec<ContactPoint>,
    contacts: Vec<Contact>,
    joints: Vec<JointElement>,
    /// Convex parts with flat faces, and which pairs of them can touch.
    solids: Vec<Solid>,
    pairs: Vec<[usize; 2]>,
    /// The mass matrix where all bodies are alike in all directions.
    diagonal: Option<Vec<f64>>,
    /// Bodies that are more than a ball about their centre of mass.
    uneven: Vec<usize>,
    /// Pairs of bodies that can touch.
    neighbours: Vec<[usize; 2]>,
    /// Sine of the tilt below which an end is flat.
    flat: f64,
}

impl<'a> ListedSystem<'a> {
    pub fn new(system: &'a SpatialSystem, tolerance: f64) -> Result<Self, ImpactError> {
        if let Some(relief) = system.reliefs.first() {
            let name = &system.supports[relief.support].name;
            let problem =
                format!("events know planes, not the triangles of {name}: integrator.scheme = \"time-stepping\" does");
            return Err(ImpactError::new("integrator.scheme", "\"events\"", problem));
        }
        let Listed { points, contacts, solids, pairs } = list::list(system)?;
        let isotropic = system.bodies.iter().all(|body| body.isotropic);
        let diagonal = isotropic.then(|| {
            let entries = |b: &super::SpatialBody| [b.mass, b.mass, b.mass].into_iter().chain([b.inertia[(0, 0)]; 3]);
            system.bodies.iter().flat_map(entries).collect()
        });
        let features = || contacts.iter().filter_map(|contact| as_feature(contact));
        let mut uneven: Vec<usize> = features().filter(|f| is_uneven(f)).map(|f| f.body).collect();
        uneven.extend(solids.iter().map(|solid| solid.body));
        let mut neighbours: Vec<[usize; 2]> = features().filter_map(pair).collect();
        neighbours.extend(pairs.iter().map(|pair| pair.map(|k| solids[k].body)));
        for contact in &contacts {
            if let Contact::Round(round) = contact {
                neighbours.push([round.body, solids[round.solid].body]);
                uneven.extend((round.centre != Vec3::zeros()).then_some(round.body));
            }
        }
        crate::small::sort(&mut uneven);
        uneven.dedup();
        crate::small::sort(&mut neighbours);
        neighbours.dedup();
        let flat = FLAT * tolerance;
        let joints = joint::elements(system);
        Ok(Self { system, points, contacts, joints, solids, pairs, diagonal, uneven, neighbours, flat })
    }

    /// The first body of a contact, and the contact at a state.
    fn local(&self, contact: usize, piece: usize, t: f64, q: &[f64], u: &[f64]) -> (usize, Local) {
        match &self.contacts[contact] {
            Contact::Feature(feature) => (feature.body, feature.at(piece, t, q, u, self.system)),
            Contact::Meeting(meeting) => (meeting.body(&self.solids), meeting.at(piece, q, u, &self.solids)),
            Contact::Round(round) => (round.body, round.at(piece, q, u, &self.solids)),
        }
    }

    /// The two solids of a pair.
    fn solids_of(&self, pair: usize) -> [&Solid; 2] {
        self.pairs[pair].map(|k| &self.solids[k])
    }

    /// Whether nothing depends on time from `t` on.
    fn ended(&self, t: f64) -> bool {
        let mut courses = self.system.supports.iter().flat_map(|s| &s.motion.parts);
        self.system.applied.iter().all(SpatialApplied::is_constant) && courses.all(|(_, course)| course.end() <= t)
    }
}

fn as_feature(contact: &Contact) -> Option<&Feature> {
    if let Contact::Feature(feature) = contact { Some(feature) } else { None }
}

fn is_uneven(feature: &Feature) -> bool {
    !matches!(&feature.tip, Tip::Ball { centre, .. } if *centre == Vec3::zeros())
}

fn pair(feature: &Feature) -> Option<[usize; 2]> {
    if let feature::Against::Ball { body, .. } = feature.against { Some([feature.body, body]) } else { None }
}

/// Passes methods on to the system.
macro_rules! pass_on {
    ($($method:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $method(&self, $($argument: $type),*) -> $result {
            self.system.$method($($argument),*)
        }
    )*};
}

impl System for ListedSystem<'_> {
    pass_on! {
        positions() -> usize;
        velocities() -> usize;
        position_names() -> Vec<String>;
        velocity_names() -> Vec<String>;
        position_scales() -> Vec<f64>;
        velocity_scales() -> Vec<f64>;
        normalise(q: &mut [f64]) -> ();
        size() -> f64;
        gravity() -> f64;
        is_autonomous() -> bool;
        records() -> Vec<RecordSummary>;
        position_rates(q: &[f64], u: &[f64], rates: &mut [f64]) -> ();
        mass_blocks() -> Vec<usize>;
        mass(q: &[f64], blocks: &mut [f64]) -> ();
        forces(t: f64, q: &[f64], u: &[f64], force: &mut [f64]) -> Power;
        potential(t: f64, q: &[f64]) -> f64;
        tangents() -> usize;
        clutches() -> &[ClutchElement];
        clutch(clutch: usize, t: f64, q: &[f64], u: &[f64], direction: &mut Directions) -> RowState;
        stepped() -> Option<Stepped<'_>>;
        remarks() -> &[String];
    }

    fn diagonal_mass(&self) -> Option<&[f64]> {
        self.diagonal.as_deref()
    }

    fn rest_velocity(&self, t: f64, i: usize) -> Option<f64> {
        let supports = &self.system.supports;
        let mut speeds = supports.iter().map(|s| moved(&s.motion, t)[1]);
        let first = speeds.next().unwrap_or_else(Vec3::zeros);
        // Supports that drift apart leave nothing to rest against.
        let together = speeds.all(|v| v == first);
        let along = [first.x, first.y, first.z, 0.0, 0.0, 0.0];
        (self.ended(t) && together).then(|| along[i % VELOCITIES])
    }

    fn next_break(&self, t: f64) -> f64 {
        let courses = self.system.supports.iter().flat_map(|s| &s.motion.parts);
        courses.map(|(_, course)| course.next_break(t)).fold(f64::INFINITY, f64::min)
    }

    fn contacts(&self) -> &[ContactPoint] {
        &self.points
    }

    fn joints(&self) -> &[JointElement] {
        &self.joints
    }

    fn joint(&self, joint: usize, row: usize, t: f64, q: &[f64], u: &[f64], direction: &mut Directions) -> RowState {
        joint::row(&self.system.joints[joint], row, t, q, u, &self.system.supports, direction)
    }

    fn piece(&self, contact: usize, q: &[f64], _u: &[f64]) -> Option<usize> {
        match &self.contacts[contact] {
            Contact::Feature(feature) => feature.piece(q, self.flat, self.system),
            Contact::Meeting(meeting) => meeting.piece(q, &self.solids),
            Contact::Round(round) => Some(round.piece(q, &self.solids)),
        }
    }

    fn within(&self, contact: usize, piece: usize, q: &[f64], _u: &[f64]) -> f64 {
        match &self.contacts[contact] {
            Contact::Feature(feature) => feature.within(piece, q, self.flat, self.system),
            Contact::Meeting(meeting) => meeting.within(piece, q, &self.solids),
            Contact::Round(round) => round.within(piece, q, &self.solids),
        }
    }

    fn sharpness(&self, contact: usize) -> f64 {
        match &self.contacts[contact] {
            Contact::Feature(feature) => feature.sharpness(),
            Contact::Meeting(_) => 0.0,
            Contact::Round(round) => round.sharpness(&self.solids),
        }
    }

    fn pairs(&self) -> usize {
        self.pairs.len()
    }

    fn pair_of(&self, contact: usize) -> Option<usize> {
        if let Contact::Meeting(meeting) = &self.contacts[contact] { Some(meeting.pair) } else { None }
    }

    fn separation(&self, pair: usize, q: &[f64]) -> (usize, f64) {
        let [a, b] = self.solids_of(pair);
        solid::separation(a, b, q)
    }

    fn separation_by(&self, pair: usize, side: usize, q: &[f64]) -> f64 {
        let [a, b] = self.solids_of(pair);
        solid::separation_by(side, a, b, q)
    }

    fn corners_by(&self, pair: usize, side: usize, q: &[f64], u: &[f64], each: &mut dyn FnMut(f64, f64)) {
        let [a, b] = self.solids_of(pair);
        solid::corners_by(side, a, b, q, u, each);
    }

    fn approach_on(&self, contact: usize, piece: usize, t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]) {
        let (_, local) = self.local(contact, piece, t, q, u);
        (local.gap, local.gamma())
    }

    fn contact(
        &self,
        contact: usize,
        piece: usize,
        t: f64,
        q: &[f64],
        u: &[f64],
        directions: &mut Directions,
    ) -> ContactState {
        let (body, local) = self.local(contact, piece, t, q, u);
        directions.clear();
        for (side, body) in [Some(body), local.other].into_iter().enumerate() {
            let Some(body) = body else { continue };
            directions.add(VELOCITIES * body, &[0, 1, 2].map(|k| local.row(k, side)));
        }
        let mut bias = local.directions.map(|d| d.dot(&local.bias));
        bias[0] += local.turning;
        ContactState { gap: local.gap, offset: local.directions.map(|d| -d.dot(&local.support)), bias }
    }

    fn frame(&self, contact: usize, piece: usize, t: f64, q: &[f64]) -> Option<ContactFrame> {
        let (body, local) = self.local(contact, piece, t, q, &vec![0.0; self.velocities()]);
        let at = POSITIONS * body;
        let point = Vec3::new(q[at], q[at + 1], q[at + 2]) + local.arms[0];
        Some(ContactFrame { point: point.into(), directions: local.directions.map(Into::into) })
    }

    fn nearest_pair(&self, t: f64, q: &[f64]) -> Option<(f64, [&str; 2])> {
        self.system.nearest_pair(t, q)
    }

    fn longest_step(&self, q: &[f64], u: &[f64]) -> f64 {
        let courses = self.system.supports.iter().flat_map(|s| &s.motion.parts);
        let mut step = courses.map(|(_, course)| course.longest_step()).fold(f64::INFINITY, f64::min);
        for &body in &self.uneven {
            step = step.min(TURN / velocity(body, u).1.norm());
        }
        for feature in self.contacts.iter().filter_map(as_feature) {
            // Where around a rim its lowest point is, changes the faster the flatter it lies.
            if let Some((tilt, rate)) = feature.tilt(q, u, self.system).filter(|(tilt, _)| *tilt > FALLING * self.flat)
            {
                step = step.min(WANDER * tilt / rate);
            }
        }
        for &[a, b] in &self.neighbours {
            let span =
                |v: &[f64], width: usize| (0..3).map(|k| (v[width * a + k] - v[width * b + k]).powi(2)).sum::<f64>();
            let reach = self.system.bodies[a].size + self.system.bodies[b].size;
            // Up to where they could touch, and then not past each other.
            let apart = span(q, POSITIONS).sqrt() - reach;
            step = step.min(apart.max(0.5 * reach) / span(u, VELOCITIES).sqrt());
        }
        step
    }
}
