//! The double pendulum in generalized coordinates [Glocker 2014, §9.2].

use super::{ClutchElement, ContactPoint, ContactState, Directions, JointElement, Power, RowState, Surface, System};
use crate::elementary::Elementary;
use crate::error::{ImpactError, at_least};

/// Two uniform rods hinged at the origin and at each other; the tip of the
/// second touches a horizontal ground below the hinge.
///
/// q = (φ₁, φ₂) are absolute angles from the downward vertical,
/// counter-clockwise; T = I.
#[derive(Debug, Clone)]
pub struct DoublePendulum {
    masses: [f64; 2],
    lengths: [f64; 2],
    depth: f64,
    gravity: f64,
    contact: [ContactPoint; 1],
}

impl DoublePendulum {
    /// A double pendulum whose tip, named `C`, meets a ground `depth` below the hinge.
    ///
    /// # Errors
    /// A mass or length that is not positive, gravity that is negative.
    pub fn new(
        masses: [f64; 2],
        lengths: [f64; 2],
        depth: f64,
        gravity: f64,
        surface: Surface,
    ) -> Result<Self, ImpactError> {
        for (name, values) in [("masses", masses), ("lengths", lengths)] {
            for (i, v) in values.into_iter().enumerate() {
                if !(v.is_finite() && v > 0.0) {
                    return Err(ImpactError::out_of_range(format!("{name}[{i}]"), v, "must be positive and finite"));
                }
            }
        }
        at_least(|| "gravity".to_owned(), gravity, 0.0)?;
        at_least(|| "depth".to_owned(), depth, 0.0)?;
        let contact = [ContactPoint { name: "C".to_owned(), surface }];
        Ok(Self { masses, lengths, depth, gravity, contact })
    }

    /// ½ m₂ l₁ l₂, the factor of the coupling terms.
    fn coupling(&self) -> f64 {
        0.5 * self.masses[1] * self.lengths[0] * self.lengths[1]
    }

    /// Σ of l_i times the entries.
    fn tip(&self, a: f64, b: f64) -> f64 {
        self.lengths[0] * a + self.lengths[1] * b
    }
}

impl System for DoublePendulum {
    fn positions(&self) -> usize {
        2
    }

    fn velocities(&self) -> usize {
        2
    }

    fn position_names(&self) -> Vec<String> {
        vec!["phi1".to_owned(), "phi2".to_owned()]
    }

    fn position_scales(&self) -> Vec<f64> {
        vec![1.0, 1.0]
    }

    fn size(&self) -> f64 {
        0.5 * self.lengths[0].max(self.lengths[1])
    }

    fn gravity(&self) -> f64 {
        self.gravity
    }

    fn is_autonomous(&self) -> bool {
        true
    }

    fn position_rates(&self, _q: &[f64], u: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(u);
    }

    fn diagonal_mass(&self) -> Option<&[f64]> {
        None
    }

    fn mass(&self, q: &[f64], blocks: &mut [f64]) {
        let [m1, m2] = self.masses;
        let [l1, l2] = self.lengths;
        let side = self.coupling() * (q[0] - q[1]).cosine();
        blocks.copy_from_slice(&[(m1 / 3.0 + m2) * l1 * l1, side, side, m2 * l2 * l2 / 3.0]);
    }

    fn forces(&self, _t: f64, q: &[f64], u: &[f64], force: &mut [f64]) -> Power {
        let [m1, m2] = self.masses;
        let [l1, l2] = self.lengths;
        let swirl = self.coupling() * (q[0] - q[1]).sine();
        force[0] = -swirl * u[1] * u[1] - (0.5 * m1 + m2) * self.gravity * l1 * q[0].sine();
        force[1] = swirl * u[0] * u[0] - 0.5 * m2 * self.gravity * l2 * q[1].sine();
        Power::default()
    }

    fn potential(&self, _t: f64, q: &[f64]) -> f64 {
        let [m1, m2] = self.masses;
        let [l1, l2] = self.lengths;
        -self.gravity * ((0.5 * m1 + m2) * l1 * q[0].cosine() + 0.5 * m2 * l2 * q[1].cosine())
    }

    fn contacts(&self) -> &[ContactPoint] {
        &self.contact
    }

    fn approach_on(&self, _contact: usize, _piece: usize, _t: f64, q: &[f64], u: &[f64]) -> (f64, [f64; 3]) {
        let (a, b) = (q[0].sine_cosine(), q[1].sine_cosine());
        let gamma = [self.tip(a.0 * u[0], b.0 * u[1]), self.tip(a.1 * u[0], b.1 * u[1]), 0.0];
        (self.depth - self.tip(a.1, b.1), gamma)
    }

    fn contact(
        &self,
        _contact: usize,
        _piece: usize,
        _t: f64,
        q: &[f64],
        u: &[f64],
        directions: &mut Directions,
    ) -> ContactState {
        let [l1, l2] = self.lengths;
        let ((s1, c1), (s2, c2)) = (q[0].sine_cosine(), q[1].sine_cosine());
        directions.clear();
        directions.add(0, &[[l1 * s1, l2 * s2], [l1 * c1, l2 * c2]]);
        let (a, b) = (u[0] * u[0], u[1] * u[1]);
        ContactState {
            gap: self.depth - self.tip(c1, c2),
            offset: [0.0; 3],
            bias: [self.tip(c1 * a, c2 * b), -self.tip(s1 * a, s2 * b), 0.0],
        }
    }

    fn longest_step(&self, _q: &[f64], u: &[f64]) -> f64 {
        super::TURN / u[0].abs().max(u[1].abs())
    }

    fn joints(&self) -> &[JointElement] {
        &[]
    }

    fn joint(&self, _: usize, _: usize, _: f64, _: &[f64], _: &[f64], direction: &mut Directions) -> RowState {
        direction.clear();
        RowState::default()
    }

    fn clutches(&self) -> &[ClutchElement] {
        &[]
    }

    fn clutch(&self, _: usize, _: f64, _: &[f64], _: &[f64], direction: &mut Directions) -> RowState {
        direction.clear();
        RowState::default()
    }
}
