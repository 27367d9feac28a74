//! Residuals of several contacts at the same time.
//!
//! A residual has two roots and a quotient, which take long to wait for, and a question whose answer is hard to foresee. Four
//! contacts beside each other wait once, and both answers are computed.

use super::residual::Point;
use super::scaled::{Scaled, System};

/// As many contacts.
pub(super) const LANES: usize = 4;
type Lanes = [f64; LANES];

/// Contacts in space with round friction, beside each other: what [`Scaled::sizes`] and [`Scaled::residual`] are of each, to
/// the last bit.
#[derive(Debug, Default)]
pub(super) struct Abreast {
    y: [Lanes; 3],
    eta: [Lanes; 3],
    weight: Lanes,
    per_weight: Lanes,
    shift: Lanes,
}

impl Abreast {
    /// Some contacts with their impulses and velocities, if all of them are of that kind.
    #[inline(always)]
    pub(super) fn of<const D: usize>(system: &System<'_>, contacts: &[u32], point: Point<'_>) -> Option<Self> {
        if D != 3 || contacts.len() != LANES || !contacts.iter().all(|&i| system.blocks[i as usize].round) {
            return None;
        }
        let mut abreast = Self::default();
        for (lane, &i) in contacts.iter().enumerate() {
            let (r, u) = point.rows::<3>(i as usize);
            abreast.set(lane, &system.blocks[i as usize], r, u);
        }
        Some(abreast)
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, block: &Scaled, r: [f64; 3], u: [f64; 3]) {
        for k in 0..3 {
            self.y[k][lane] = r[k] * block.to_y[k];
            self.eta[k][lane] = block.to_eta[k] * u[k];
        }
        (self.weight[lane], self.per_weight[lane]) = (block.weight[0], block.per_weight[0]);
        self.shift[lane] = block.shift;
    }

    /// Largest impulses and velocities.
    #[inline(always)]
    pub(super) fn sizes(&self) -> [Lanes; 2] {
        let Self { y, eta, weight, per_weight, .. } = self;
        let impulse = |k: usize| {
            let (x, z) = ((weight[k] * y[1][k]).abs(), (weight[k] * y[2][k]).abs());
            larger(larger(y[0][k].abs(), x), z)
        };
        let speed = |k: usize| {
            let (x, z) = ((eta[1][k] * per_weight[k]).abs(), (eta[2][k] * per_weight[k]).abs());
            larger(larger(eta[0][k].abs(), x), z)
        };
        [std::array::from_fn(impulse), std::array::from_fn(speed)]
    }

    /// Residuals: normal, then friction.
    #[inline(always)]
    pub(super) fn residuals(&self, per_impulse: f64) -> [Lanes; 2] {
        let Self { y, eta, weight, per_weight, shift } = self;
        let (mut normal, mut friction) = ([0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            let (a, b) = (y[0][k] * per_impulse, eta[0][k]);
            normal[k] = if a < b { a } else { b }.abs();
            let limit = weight[k] * (larger(y[0][k], 0.0) + shift[k]);
            let x = [weight[k] * y[1][k], weight[k] * y[2][k]];
            let z = [eta[1][k] * per_weight[k] - x[0], eta[2][k] * per_weight[k] - x[1]];
            let length = (z[0] * z[0] + z[1] * z[1]).sqrt();
            let cut = limit / length;
            let cut = if length > limit { cut } else { 1.0 };
            let off = [x[0] + z[0] * cut, x[1] + z[1] * cut];
            friction[k] = (off[0] * off[0] + off[1] * off[1]).sqrt() * per_impulse;
        }
        [normal, friction]
    }
}

/// The larger of two numbers; the second where one of them is none.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::contact::{BlockMatrix, ContactLaw, ContactProblem};

    #[test]
    fn residuals_abreast_are_those_of_each_to_the_last_bit() {
        let diagonal = [2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1.7];
        let matrix = BlockMatrix::from_blocks(3, 4, (0..4).map(|i| (i, i, &diagonal[..])));
        let mut problem = ContactProblem::coulomb(matrix, vec![-0.7; 12], &[0.3, 0.5, 0.2, 1.4]);
        problem.laws[1] = ContactLaw::Contact { friction: [0.5; 2], shift: 0.2 };
        let system = System::new(&problem);
        // Open, stick, slip and a contact that pulls.
        let r = [0.0, 0.0, 0.0, 0.3, 0.05, -0.02, 0.4, 0.07, 0.05, -0.2, 0.1, 0.3];
        let u = [0.5, 0.2, -0.3, 0.01, 0.0, 0.02, -0.1, -0.6, 0.4, 0.1, 0.0, -0.2];
        let abreast = Abreast::of::<3>(&system, &[0, 1, 2, 3], Point::at(&r, &u)).unwrap();
        let ([impulse, speed], [normal, friction]) = (abreast.sizes(), abreast.residuals(0.8));
        for i in 0..4 {
            let (y, eta) = (system.impulse::<3>(i, &r), system.scaled_velocity(i, &u[3 * i..]));
            let (block, bits) = (&system.blocks[i], |v: [f64; 2]| v.map(f64::to_bits));
            let (one, other) = block.sizes(y, eta);
            assert_eq!(bits([impulse[i], speed[i]]), bits([one, other]));
            assert_eq!(bits([normal[i], friction[i]]), bits(block.residual(y, eta, 0.8)));
        }
        assert!(normal.iter().all(|v| *v >= 0.0) && friction.iter().any(|v| *v > 0.0));
        // Another kind among them, or fewer.
        assert!(Abreast::of::<3>(&system, &[0, 1, 2], Point::at(&r, &u)).is_none());
        problem.laws[2] = ContactLaw::Contact { friction: [0.2, 0.3], shift: 0.0 };
        assert!(Abreast::of::<3>(&System::new(&problem), &[0, 1, 2, 3], Point::at(&r, &u)).is_none());
    }
}
