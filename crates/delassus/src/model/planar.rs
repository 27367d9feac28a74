//! Planar rigid bodies with q = (x, y, θ) of each body's centre of mass.

use std::collections::HashSet;

use super::between::Between;
use super::contact::{ContactGeometry, Partner};
use super::outline::{self, Outline};
use super::overlap::{self, HalfPlane, Shape};
use super::pairs::Unlisted;
use super::vector::Vec2;
use super::{
    Applied, Clutch, ClutchElement, ContactFrame, ContactPoint, ContactState, Course, Dimension, Directions, Joint,
    JointElement, Motion, Power, RecordSummary, RowState, Spring, Stepped, System,
};
use crate::elementary::Elementary;
use crate::error::ImpactError;

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanarBody {
    /// Name.
    pub name: String,
    /// Mass \[kg\].
    pub mass: f64,
    /// Moment of inertia about the centre of mass \[kg m²\].
    pub inertia: f64,
    /// Largest distance of a point from the centre of mass \[m\].
    pub size: f64,
}

/// A ground or wall and how it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Support {
    /// Name.
    pub name: String,
    /// Its motion.
    pub motion: Motion,
}

/// A system of planar rigid bodies.
#[derive(Debug, Clone, Default)]
pub struct PlanarSystem {
    pub(crate) gravity: [f64; 2],
    pub(crate) bodies: Vec<PlanarBody>,
    pub(crate) supports: Vec<Support>,
    pub(crate) contacts: Vec<ContactPoint>,
    pub(crate) geometries: Vec<ContactGeometry>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) joint_elements: Vec<JointElement>,
    pub(crate) clutches: Vec<Clutch>,
    pub(crate) clutch_elements: Vec<ClutchElement>,
    pub(crate) springs: Vec<Spring>,
    pub(crate) applied: Vec<Applied>,
    /// Masses and moments of inertia along the diagonal of M.
    pub(crate) diagonal: Vec<f64>,
    pub(crate) tilt: Option<usize>,
    /// The angle at which the body balances on a corner \[rad\].
    pub(crate) balance: Option<f64>,
    pub(crate) remarks: Vec<String>,
    /// Convex outlines of the bodies.
    pub(crate) outlines: Vec<Outline>,
    /// What the true distance between bodies is measured on.
    pub(crate) shapes: Vec<Shape>,
    pub(crate) half_planes: Vec<HalfPlane>,
    /// Pairs of bodies that joints connect, the first of the two in front: they do not touch.
    pub(crate) exempt: HashSet<[usize; 2]>,
    /// Per body, whether contacts see it turn.
    uneven: Vec<bool>,
    /// Pairs of outlines that can touch.
    pairs: Vec<[usize; 2]>,
    /// The lines that bodies can touch: support, point and normal.
    lines: Vec<(usize, [f64; 2], [f64; 2])>,
    /// Contacts with supports, by body.
    on_supports: Vec<Vec<usize>>,
    /// Contacts of pairs of bodies.
    between: Between,
    /// What takes their place where bodies are too many to list those.
    pub(crate) unlisted: Option<Unlisted>,
    /// No velocity.
    pub(super) zeros: Vec<f64>,
}

impl PlanarSystem {
    /// Sets the contacts and what follows from them.
    pub(crate) fn set_contacts(&mut self, contacts: Vec<ContactPoint>, geometries: Vec<ContactGeometry>) {
        self.uneven = vec![false; self.bodies.len()];
        self.pairs.clear();
        // There are as many as pairs of bodies: they are looked up, not searched.
        let (mut pairs, mut between) = (HashSet::new(), Vec::new());
        self.lines.clear();
        let mut lines = HashSet::new();
        self.on_supports = vec![Vec::new(); self.bodies.len()];
        self.zeros = vec![0.0; 3 * self.bodies.len()];
        for (contact, ContactGeometry { feature, partner }) in geometries.iter().enumerate() {
            self.uneven[feature.body] |= feature.point != [0.0; 2];
            let other = match partner {
                Partner::Line { support, point, normal } => {
                    self.on_supports[feature.body].push(contact);
                    if lines.insert((*support, point.map(f64::to_bits), normal.map(f64::to_bits))) {
                        self.lines.push((*support, *point, *normal));
                    }
                    continue;
                }
                Partner::Round(other) => {
                    self.uneven[other.body] |= other.point != [0.0; 2];
                    other.body
                }
                Partner::Outline(outline) => self.outlines[*outline].body,
                Partner::Sides { own, other } => {
                    let pair = [*own.min(other), *own.max(other)];
                    if pairs.insert(pair) {
                        self.pairs.push(pair);
                    }
                    self.outlines[*other].body
                }
            };
            self.uneven[other] |= !matches!(partner, Partner::Round(_));
            let pair = [feature.body.min(other), feature.body.max(other)];
            between.push((pair.map(|body| body as u32), contact));
        }
        self.between = Between::new(self.bodies.len(), between);
        self.contacts = contacts;
        self.geometries = geometries;
    }

    /// The lines of supports at a time: a point of each and its normal.
    pub(super) fn lines_at(&self, t: f64) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
        self.lines.iter().map(move |(support, point, normal)| {
            let moved = self.supports[*support].motion.at(t).position;
            ([point[0] + moved.x, point[1] + moved.y], *normal)
        })
    }

    /// Contacts of a body with supports.
    pub(super) fn of_support(&self, body: usize) -> &[usize] {
        &self.on_supports[body]
    }

    /// Contacts of two bodies.
    pub(super) fn of_pair(&self, a: u32, b: u32) -> &[usize] {
        self.between.of(a, b)
    }

    /// Adds what a user should know before the system is simulated.
    pub fn add_remarks(&mut self, remarks: &[String]) {
        self.remarks.extend_from_slice(remarks);
    }

    /// The bodies.
    pub fn bodies(&self) -> &[PlanarBody] {
        &self.bodies
    }

    /// Whether two bodies may overlap because a joint connects them.
    pub(super) fn is_exempt(&self, a: usize, b: usize) -> bool {
        self.exempt.contains(&[a.min(b), a.max(b)])
    }

    /// The contact geometries, in the order of the contacts.
    pub fn geometries(&self) -> &[ContactGeometry] {
        &self.geometries
    }
}

/// Place and motion of a body.
pub(super) struct Pose {
    pub position: Vec2,
    pub velocity: Vec2,
    pub rate: f64,
    sin: f64,
    cos: f64,
}

impl Pose {
    #[inline]
    pub fn of(body: usize, q: &[f64], u: &[f64]) -> Self {
        let (q, u) = (&q[3 * body..3 * body + 3], &u[3 * body..3 * body + 3]);
        let (sin, cos) = q[2].sine_cosine();
        Self { position: Vec2::new(q[0], q[1]), velocity: Vec2::new(u[0], u[1]), rate: u[2], sin, cos }
    }

    /// The place alone.
    pub fn still(body: usize, q: &[f64]) -> Self {
        Self::of(0, &q[3 * body..3 * body + 3], &[0.0; 3])
    }

    /// From the body's frame to directions of the plane.
    #[inline]
    pub fn turned(&self, v: [f64; 2]) -> Vec2 {
        Vec2::new(self.cos * v[0] - self.sin * v[1], self.sin * v[0] + self.cos * v[1])
    }

    /// From directions of the plane to the body's frame.
    #[inline]
    pub fn turned_back(&self, v: Vec2) -> Vec2 {
        Vec2::new(self.cos * v.x + self.sin * v.y, self.cos * v.y - self.sin * v.x)
    }
}

impl System for PlanarSystem {
    fn positions(&self) -> usize {
        3 * self.bodies.len()
    }

    fn velocities(&self) -> usize {
        3 * self.bodies.len()
    }

    fn position_names(&self) -> Vec<String> {
        let names = |b: &PlanarBody| ["x", "y", "theta"].map(|part| format!("{}.{part}", b.name));
        self.bodies.iter().flat_map(names).collect()
    }

    fn position_scales(&self) -> Vec<f64> {
        self.bodies.iter().flat_map(|b| [b.size, b.size, 1.0]).collect()
    }

    fn size(&self) -> f64 {
        self.bodies.iter().map(|b| b.size).fold(0.0, f64::max)
    }

    fn gravity(&self) -> f64 {
        self.gravity[0].hypotenuse(self.gravity[1])
    }

    fn is_autonomous(&self) -> bool {
        self.supports.iter().all(|s| s.motion.is_none()) && self.applied.iter().all(Applied::is_constant)
    }

    fn rest_velocity(&self, t: f64, i: usize) -> Option<f64> {
        let ended = self.supports.iter().all(|s| s.motion.end() <= t) && self.applied.iter().all(Applied::is_constant);
        let mut moving = self.supports.iter().filter(|s| !s.motion.is_none()).map(|s| s.motion.at(t).velocity);
        let first = moving.next().unwrap_or_else(Vec2::zeros);
        // Supports that drift apart leave nothing to rest against.
        let apart =
            moving.any(|v| v != first) || first != Vec2::zeros() && self.supports.iter().any(|s| s.motion.is_none());
        let along = [first.x, first.y, 0.0];
        (ended && !apart).then(|| along[i % 3])
    }

    fn next_break(&self, t: f64) -> f64 {
        self.supports.iter().map(|s| s.motion.next_break(t)).fold(f64::INFINITY, f64::min)
    }

    fn records(&self) -> Vec<RecordSummary> {
        let parts = self.supports.iter().flat_map(|s| &s.motion.parts);
        let record = |course: &Course| if let Course::Record(record) = course { Some(record.summary()) } else { None };
        parts.filter_map(|part| record(&part.course)).collect()
    }

    fn position_rates(&self, _q: &[f64], u: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(u);
    }

    fn diagonal_mass(&self) -> Option<&[f64]> {
        Some(&self.diagonal)
    }

    fn mass_blocks(&self) -> Vec<usize> {
        vec![3; self.bodies.len()]
    }

    fn mass(&self, _q: &[f64], blocks: &mut [f64]) {
        blocks.fill(0.0);
        self.diagonal.iter().enumerate().for_each(|(i, m)| blocks[9 * (i / 3) + 4 * (i % 3)] = *m);
    }

    fn forces(&self, t: f64, q: &[f64], u: &[f64], force: &mut [f64]) -> Power {
        for (f, body) in force.chunks_exact_mut(3).zip(&self.bodies) {
            f.copy_from_slice(&[body.mass * self.gravity[0], body.mass * self.gravity[1], 0.0]);
        }
        let mut power = Power::default();
        for spring in &self.springs {
            let part = spring.act(t, q, u, &self.supports, force);
            power.damping += part.damping;
            power.supports += part.supports;
        }
        for applied in &self.applied {
            power.applied += applied.act(t, q, u, &self.supports, force);
        }
        power
    }

    fn potential(&self, t: f64, q: &[f64]) -> f64 {
        let [gx, gy] = self.gravity;
        let weight: f64 = q.chunks_exact(3).zip(&self.bodies).map(|(q, b)| -b.mass * (gx * q[0] + gy * q[1])).sum();
        weight + self.springs.iter().map(|s| s.potential(t, q, &self.supports)).sum::<f64>()
    }

    fn contacts(&self) -> &[ContactPoint] {
        &self.contacts
    }

    fn with_contacts(&self, _tolerance: f64) -> Option<Result<Box<dyn System + '_>, ImpactError>> {
        self.unlisted.is_some().then(|| {
            let count = self.bodies.len();
            let problem =
                format!("this system of {count} bodies was built for time-stepping, without a list of contacts");
            Err(ImpactError::new("integrator.scheme", "\"events\"", problem))
        })
    }

    fn piece(&self, contact: usize, q: &[f64], u: &[f64]) -> Option<usize> {
        self.geometries[contact].piece(q, u, &self.outlines)
    }

    fn within(&self, contact: usize, piece: usize, q: &[f64], u: &[f64]) -> f64 {
        self.geometries[contact].within(piece, q, u, &self.outlines)
    }

    fn approach_on(&self, contact: usize, piece: usize, t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]) {
        let local = self.geometries[contact].at(piece, t, q, u, &self.supports, &self.outlines);
        let [normal, tangential] = local.gamma();
        (local.gap, [normal, tangential, 0.0])
    }

    fn sharpness(&self, contact: usize) -> f64 {
        let ContactGeometry { feature, partner } = &self.geometries[contact];
        match partner {
            Partner::Line { .. } | Partner::Sides { .. } => 0.0,
            Partner::Round(other) => 1.0 / (feature.radius + other.radius),
            Partner::Outline(_) => 1.0 / feature.radius,
        }
    }

    fn pairs(&self) -> usize {
        self.pairs.len()
    }

    fn pair_of(&self, contact: usize) -> Option<usize> {
        let Partner::Sides { own, other } = self.geometries[contact].partner else { return None };
        self.pairs.iter().position(|pair| *pair == [own.min(other), own.max(other)])
    }

    fn separation(&self, pair: usize, q: &[f64]) -> (usize, f64) {
        let [a, b] = self.pairs[pair];
        outline::separation(&self.outlines[a], &self.outlines[b], q)
    }

    fn separation_by(&self, pair: usize, side: usize, q: &[f64]) -> f64 {
        let [a, b] = self.pairs[pair];
        outline::separation_by(side, &self.outlines[a], &self.outlines[b], q)
    }

    fn corners_by(&self, pair: usize, side: usize, q: &[f64], u: &[f64], each: &mut dyn FnMut(f64, f64)) {
        let [a, b] = self.pairs[pair];
        outline::corners_by(side, &self.outlines[a], &self.outlines[b], q, u, each);
    }

    fn nearest_pair(&self, t: f64, q: &[f64]) -> Option<(f64, [&str; 2])> {
        overlap::nearest_pair(self, t, q)
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
        self.geometries[contact].at(piece, t, q, u, &self.supports, &self.outlines).rows(directions)
    }

    fn frame(&self, contact: usize, piece: usize, t: f64, q: &[f64]) -> Option<ContactFrame> {
        let local = self.geometries[contact].at(piece, t, q, &self.zeros, &self.supports, &self.outlines);
        let ((body, rows), _) = local.directions();
        Some(ContactFrame::of_plane(&q[3 * body..], rows))
    }

    fn joints(&self) -> &[JointElement] {
        &self.joint_elements
    }

    fn joint(&self, joint: usize, row: usize, t: f64, q: &[f64], u: &[f64], direction: &mut Directions) -> RowState {
        self.joints[joint].row(row, t, q, u, &self.supports, direction)
    }

    fn clutches(&self) -> &[ClutchElement] {
        &self.clutch_elements
    }

    fn clutch(&self, clutch: usize, t: f64, q: &[f64], u: &[f64], direction: &mut Directions) -> RowState {
        self.clutches[clutch].row(t, q, u, &self.supports, direction)
    }

    fn longest_step(&self, q: &[f64], u: &[f64]) -> f64 {
        // Steps must see every swing of a support.
        let mut step = self.supports.iter().map(|s| s.motion.longest_step()).fold(f64::INFINITY, f64::min);
        for (body, _) in self.uneven.iter().enumerate().filter(|(_, uneven)| **uneven) {
            step = step.min(super::TURN / u[3 * body + 2].abs());
        }
        for [a, b] in self.between.pairs() {
            let apart = |v: &[f64]| (v[3 * a] - v[3 * b]).hypotenuse(v[3 * a + 1] - v[3 * b + 1]);
            let reach = self.bodies[a].size + self.bodies[b].size;
            // Up to where they could touch, and then not past each other.
            step = step.min((apart(q) - reach).max(0.5 * reach) / apart(u));
        }
        step
    }

    fn stepped(&self) -> Option<Stepped<'_>> {
        Some(Stepped(Dimension::Plane(self)))
    }

    fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn tilt(&self) -> Option<usize> {
        self.tilt
    }

    fn balance(&self) -> Option<f64> {
        self.balance
    }
}
