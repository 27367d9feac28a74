//! A ball above the ground, one coordinate: the system on which parts of a run are tested alone.

use crate::model::{
    ClutchElement, ContactPoint, ContactState, Directions, JointElement, Power, RowState, Sources, Surface, System,
};

/// Gravity that makes times of fall round numbers.
pub(super) const GRAVITY: f64 = 2.0;

/// A ball of mass 1 and size 1 at the height q.
#[derive(Debug)]
pub(super) struct Ball {
    contact: [ContactPoint; 1],
}

impl Ball {
    pub fn new(restitution: f64) -> Self {
        let surface = Surface {
            friction: 0.0,
            friction_static: 0.0,
            restitution,
            restitution_tangential: 0.0,
            stiffness: 1.0,
            sources: Sources::default(),
        };
        Self { contact: [ContactPoint { name: "ground".to_owned(), surface }] }
    }
}

impl System for Ball {
    fn positions(&self) -> usize {
        1
    }
    fn velocities(&self) -> usize {
        1
    }
    fn position_names(&self) -> Vec<String> {
        vec!["height".to_owned()]
    }
    fn position_scales(&self) -> Vec<f64> {
        vec![1.0]
    }
    fn size(&self) -> f64 {
        1.0
    }
    fn gravity(&self) -> f64 {
        GRAVITY
    }
    fn is_autonomous(&self) -> bool {
        true
    }
    fn position_rates(&self, _q: &[f64], u: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(u);
    }
    fn diagonal_mass(&self) -> Option<&[f64]> {
        Some(&[1.0])
    }
    fn mass(&self, _q: &[f64], blocks: &mut [f64]) {
        blocks.fill(1.0);
    }
    fn forces(&self, _t: f64, _q: &[f64], _u: &[f64], force: &mut [f64]) -> Power {
        force.fill(-GRAVITY);
        Power::default()
    }
    fn potential(&self, _t: f64, q: &[f64]) -> f64 {
        GRAVITY * q[0]
    }
    fn contacts(&self) -> &[ContactPoint] {
        &self.contact
    }
    fn approach_on(&self, _contact: usize, _piece: usize, _t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]) {
        (q[0], [u[0], 0.0, 0.0])
    }
    fn contact(
        &self,
        _contact: usize,
        _piece: usize,
        _t: f64,
        q: &[f64],
        _u: &[f64],
        directions: &mut Directions,
    ) -> ContactState {
        directions.clear();
        directions.add(0, &[[1.0], [0.0]]);
        ContactState { gap: q[0], ..ContactState::default() }
    }
    fn joints(&self) -> &[JointElement] {
        &[]
    }
    fn joint(&self, _: usize, _: usize, _: f64, _: &[f64], _: &[f64], _: &mut Directions) -> RowState {
        RowState::default()
    }
    fn clutches(&self) -> &[ClutchElement] {
        &[]
    }
    fn clutch(&self, _: usize, _: f64, _: &[f64], _: &[f64], _: &mut Directions) -> RowState {
        RowState::default()
    }
    fn longest_step(&self, _q: &[f64], _u: &[f64]) -> f64 {
        f64::INFINITY
    }
}
