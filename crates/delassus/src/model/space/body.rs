//! A rigid body in space and its free rotation.

use super::frame::{Mat3, Vec3, cayley, rotation, skew, turned};

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialBody {
    /// Name.
    pub name: String,
    /// Mass \[kg\].
    pub mass: f64,
    /// Largest distance of a point from the centre of mass \[m\].
    pub size: f64,
    /// Moments of inertia about the centre of mass, body frame \[kg m²\].
    pub(crate) inertia: Mat3,
    pub(crate) inverse_inertia: Mat3,
    /// Whether all directions through the centre are alike.
    pub(crate) isotropic: bool,
}

/// Steps of Newton's method for the midpoint rule: it converges from the start of the step in three.
const NEWTON: usize = 12;
/// A change of ω below this part of it is below the last digit.
const CONVERGED: f64 = 1e-16;
/// Moments of inertia that differ by no more than this part are equal up to round-off: no direction turns into another.
const ISOTROPIC: f64 = 1e-14;

impl SpatialBody {
    /// A body with its inertia, which must be positive definite; `None` where it is not.
    pub(crate) fn new(name: String, mass: f64, size: f64, inertia: Mat3) -> Option<Self> {
        let inverse_inertia = inertia.cholesky()?.inverse();
        let isotropic = (inertia - Mat3::from_diagonal_element(inertia[(0, 0)])).amax() <= ISOTROPIC * inertia[(0, 0)];
        Some(Self { name, mass, size, inertia, inverse_inertia, isotropic })
    }

    /// Moments of inertia \[kg m²\] in the body's frame, row by row.
    pub fn inertia(&self) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| self.inertia[(i, j)]))
    }

    /// A free step of the rotation from orientation and ω under a moment: ω at the end, and the mean that
    /// carries the orientation there by Cayley's map. The midpoint rule of Euler's equations keeps energy
    /// and angular momentum in space exactly, with the moment τ in the frame of the start:
    ///
    /// ```text
    /// 2 I (Ω̄ − Ω) = h (I Ω̄) × Ω̄ + h (τ − ½h Ω̄ × τ)       Ω⁺ = 2 Ω̄ − Ω     (body frame)
    /// ```
    ///
    /// The last term turns τ, which stands still in space, to the middle of the step; with it the angular momentum in space
    /// changes by h τ exactly, and the energy by h Ω̄·τ.
    pub(crate) fn spin(&self, h: f64, orientation: [f64; 4], omega: Vec3, moment: Vec3) -> (Vec3, Vec3) {
        if self.isotropic {
            let next = omega + h * moment / self.inertia[(0, 0)];
            return (next, 0.5 * (omega + next));
        }
        let turn = rotation(orientation);
        let (start, torque) = (turn.tr_mul(&omega), turn.tr_mul(&moment));
        let mut mean = start;
        for _ in 0..NEWTON {
            let momentum = self.inertia * mean;
            let moved = torque - 0.5 * h * mean.cross(&torque);
            let defect = 2.0 * self.inertia * (mean - start) - h * momentum.cross(&mean) - h * moved;
            let slope =
                2.0 * self.inertia - h * (skew(momentum) - skew(mean) * self.inertia) - 0.5 * h * h * skew(torque);
            let Some(inverse) = slope.try_inverse() else { break };
            let change = inverse * defect;
            mean -= change;
            if change.norm() <= CONVERGED * mean.norm() {
                break;
            }
        }
        let world = turn * mean;
        let end = rotation(turned(&cayley(h * world), orientation));
        (end * (2.0 * mean - start), world)
    }
}
