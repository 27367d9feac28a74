//! Systems of rigid bodies in space.

use std::collections::HashSet;

use super::body::SpatialBody;
use super::events::ListedSystem;
use super::frame::{POSITIONS, VELOCITIES, Vec3, rotation};
use super::link::{SpatialApplied, SpatialJoint, SpatialSpring};
use super::overlap;
use super::relief::Relief;
use super::shape::{HalfSpace, SpatialShape};
use crate::error::ImpactError;
use crate::model::{
    ClutchElement, ContactPoint, ContactState, Course, Dimension, Directions, JointElement, Power, RecordSummary,
    RowState, Stepped, Surfaces, System,
};

/// How a support moves: the sum of its parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct SpatialMotion {
    /// Unit direction and what happens along it.
    pub parts: Vec<(Vec3, Course)>,
}

impl SpatialMotion {
    /// Displacement and velocity at time `t`.
    pub fn at(&self, t: f64) -> (Vec3, Vec3) {
        let [place, speed, _] = self.derivatives(t);
        (place, speed)
    }

    /// Displacement, velocity and acceleration.
    pub fn derivatives(&self, t: f64) -> [Vec3; 3] {
        let mut sum = [Vec3::zeros(); 3];
        for (direction, course) in &self.parts {
            sum.iter_mut().zip(course.at(t)).for_each(|(sum, value)| *sum += value * direction);
        }
        sum
    }
}

/// A ground or wall and how it moves.
#[derive(Debug, Clone)]
pub(crate) struct SpatialSupport {
    pub name: String,
    pub motion: SpatialMotion,
}

/// A system of rigid bodies in space.
#[derive(Debug, Clone)]
pub struct SpatialSystem {
    pub(crate) gravity: Vec3,
    pub(crate) bodies: Vec<SpatialBody>,
    pub(crate) supports: Vec<SpatialSupport>,
    pub(crate) planes: Vec<HalfSpace>,
    /// Supports of triangles, each in its own frame.
    pub(crate) reliefs: Vec<Relief>,
    /// The same triangles for the check of overlaps.
    pub(crate) facets: Vec<overlap::Facets>,
    /// Parts of the bodies, in the order of the bodies.
    pub(crate) shapes: Vec<SpatialShape>,
    /// Where the parts of each body begin; one entry more than bodies.
    pub(crate) parts: Vec<usize>,
    pub(crate) joints: Vec<SpatialJoint>,
    pub(crate) springs: Vec<SpatialSpring>,
    pub(crate) applied: Vec<SpatialApplied>,
    pub(crate) surfaces: Surfaces,
    /// Pairs of bodies that do not touch, smaller index first.
    pub(crate) exempt: HashSet<[u32; 2]>,
    pub(crate) remarks: Vec<String>,
}

impl SpatialSystem {
    /// The bodies.
    pub fn bodies(&self) -> &[SpatialBody] {
        &self.bodies
    }

    /// The supports that move, with their displacements since the start \[m\].
    pub fn support_positions(&self, t: f64) -> Vec<(&str, [f64; 3])> {
        let moving = self.supports.iter().filter(|support| !support.motion.parts.is_empty());
        moving.map(|support| (support.name.as_str(), support.motion.at(t).0.into())).collect()
    }

    /// Adds what a user should know before the system is simulated.
    pub fn add_remarks(&mut self, remarks: &[String]) {
        self.remarks.extend_from_slice(remarks);
    }

    /// Forces and moments on all bodies, gyroscopic terms left out.
    pub(super) fn loads(&self, t: f64, q: &[f64], u: &[f64], force: &mut [f64]) -> Power {
        for (f, body) in force.chunks_exact_mut(VELOCITIES).zip(&self.bodies) {
            let weight = body.mass * self.gravity;
            f.copy_from_slice(&[weight.x, weight.y, weight.z, 0.0, 0.0, 0.0]);
        }
        self.act(t, q, u, force)
    }
}

/// (v, ω) of a body.
pub(super) fn velocity(body: usize, u: &[f64]) -> (Vec3, Vec3) {
    let u = &u[VELOCITIES * body..VELOCITIES * (body + 1)];
    (Vec3::new(u[0], u[1], u[2]), Vec3::new(u[3], u[4], u[5]))
}

/// The orientation of a body.
pub(super) fn orientation(body: usize, q: &[f64]) -> [f64; 4] {
    let q = &q[POSITIONS * body + 3..POSITIONS * (body + 1)];
    [q[0], q[1], q[2], q[3]]
}

impl System for SpatialSystem {
    fn positions(&self) -> usize {
        POSITIONS * self.bodies.len()
    }

    fn velocities(&self) -> usize {
        VELOCITIES * self.bodies.len()
    }

    fn position_names(&self) -> Vec<String> {
        let parts = ["x", "y", "z", "qw", "qx", "qy", "qz"];
        self.bodies.iter().flat_map(|b| parts.map(|part| format!("{}.{part}", b.name))).collect()
    }

    fn velocity_names(&self) -> Vec<String> {
        let parts = ["vx", "vy", "vz", "wx", "wy", "wz"];
        self.bodies.iter().flat_map(|b| parts.map(|part| format!("{}.{part}", b.name))).collect()
    }

    fn position_scales(&self) -> Vec<f64> {
        self.bodies.iter().flat_map(|b| [b.size, b.size, b.size, 1.0, 1.0, 1.0, 1.0]).collect()
    }

    fn size(&self) -> f64 {
        self.bodies.iter().map(|b| b.size).fold(0.0, f64::max)
    }

    fn velocity_scales(&self) -> Vec<f64> {
        self.bodies.iter().flat_map(|b| [b.size, b.size, b.size, 1.0, 1.0, 1.0]).collect()
    }

    fn normalise(&self, q: &mut [f64]) {
        for q in q.chunks_exact_mut(POSITIONS) {
            let length = q[3..].iter().map(|v| v * v).sum::<f64>().sqrt();
            q[3..].iter_mut().for_each(|v| *v /= length);
        }
    }

    fn gravity(&self) -> f64 {
        self.gravity.norm()
    }

    fn is_autonomous(&self) -> bool {
        self.supports.iter().all(|s| s.motion.parts.is_empty()) && self.applied.iter().all(SpatialApplied::is_constant)
    }

    fn records(&self) -> Vec<RecordSummary> {
        let parts = self.supports.iter().flat_map(|s| &s.motion.parts);
        let record = |course: &Course| if let Course::Record(record) = course { Some(record.summary()) } else { None };
        parts.filter_map(|(_, course)| record(course)).collect()
    }

    /// v, and ½ (0, ω) ⊗ orientation.
    fn position_rates(&self, q: &[f64], u: &[f64], rates: &mut [f64]) {
        for (body, rates) in rates.chunks_exact_mut(POSITIONS).enumerate() {
            let ((v, w), [a, x, y, z]) = (velocity(body, u), orientation(body, q));
            let turn = 0.5 * super::Quaternion::new(0.0, w.x, w.y, w.z) * super::Quaternion::new(a, x, y, z);
            rates.copy_from_slice(&[v.x, v.y, v.z, turn.w, turn.i, turn.j, turn.k]);
        }
    }

    fn diagonal_mass(&self) -> Option<&[f64]> {
        None
    }

    fn mass_blocks(&self) -> Vec<usize> {
        vec![VELOCITIES; self.bodies.len()]
    }

    fn mass(&self, q: &[f64], blocks: &mut [f64]) {
        blocks.fill(0.0);
        for ((b, body), block) in self.bodies.iter().enumerate().zip(blocks.chunks_exact_mut(VELOCITIES * VELOCITIES)) {
            let turn = rotation(orientation(b, q));
            let inertia = turn * body.inertia * turn.transpose();
            for i in 0..3 {
                block[i * (VELOCITIES + 1)] = body.mass;
                for j in 0..=i {
                    // Exactly symmetric: else M would be checked and factored twice at every evaluation.
                    let mean = inertia[(i, j)] + 0.5 * (inertia[(j, i)] - inertia[(i, j)]);
                    block[(3 + i) * VELOCITIES + 3 + j] = mean;
                    block[(3 + j) * VELOCITIES + 3 + i] = mean;
                }
            }
        }
    }

    fn forces(&self, t: f64, q: &[f64], u: &[f64], force: &mut [f64]) -> Power {
        let power = self.loads(t, q, u, force);
        for (b, body) in self.bodies.iter().enumerate().filter(|(_, body)| !body.isotropic) {
            let (turn, omega) = (rotation(orientation(b, q)), velocity(b, u).1);
            let momentum = turn * (body.inertia * turn.tr_mul(&omega));
            let gyroscopic = momentum.cross(&omega);
            (0..3).for_each(|i| force[VELOCITIES * b + 3 + i] += gyroscopic[i]);
        }
        power
    }

    fn potential(&self, t: f64, q: &[f64]) -> f64 {
        let weight = |(q, b): (&[f64], &SpatialBody)| -b.mass * self.gravity.dot(&Vec3::new(q[0], q[1], q[2]));
        q.chunks_exact(POSITIONS).zip(&self.bodies).map(weight).sum::<f64>() + self.stretched(t, q)
    }

    /// Contacts in space are found where bodies are near, not listed beforehand.
    fn contacts(&self) -> &[ContactPoint] {
        &[]
    }

    fn tangents(&self) -> usize {
        2
    }

    fn with_contacts(&self, tolerance: f64) -> Option<Result<Box<dyn System + '_>, ImpactError>> {
        Some(ListedSystem::new(self, tolerance).map(|listed| Box::new(listed) as Box<dyn System + '_>))
    }

    fn approach_on(&self, _contact: usize, _piece: usize, _t: f64, _q: &[f64], _u: &[f64]) -> (f64, [f64; 3]) {
        (f64::INFINITY, [0.0; 3])
    }

    fn contact(
        &self,
        _contact: usize,
        _piece: usize,
        _t: f64,
        _q: &[f64],
        _u: &[f64],
        _directions: &mut Directions,
    ) -> ContactState {
        ContactState::default()
    }

    fn joints(&self) -> &[JointElement] {
        &[]
    }

    fn joint(
        &self,
        _joint: usize,
        _row: usize,
        _t: f64,
        _q: &[f64],
        _u: &[f64],
        direction: &mut Directions,
    ) -> RowState {
        direction.clear();
        RowState::default()
    }

    fn clutches(&self) -> &[ClutchElement] {
        &[]
    }

    fn clutch(&self, _clutch: usize, _t: f64, _q: &[f64], _u: &[f64], direction: &mut Directions) -> RowState {
        direction.clear();
        RowState::default()
    }

    fn longest_step(&self, _q: &[f64], _u: &[f64]) -> f64 {
        f64::INFINITY
    }

    fn nearest_pair(&self, t: f64, q: &[f64]) -> Option<(f64, [&str; 2])> {
        overlap::nearest_pair(self, t, q)
    }

    fn stepped(&self) -> Option<Stepped<'_>> {
        Some(Stepped(Dimension::Space(self)))
    }

    fn remarks(&self) -> &[String] {
        &self.remarks
    }
}
