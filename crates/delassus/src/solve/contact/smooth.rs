//! The law of one contact without corners, and its linearisation (see [`smoothing`](super::smoothing)).
//!
//! ```text
//! y_N = φ(y_N − ρη_N)      φ(x) = (x + √(x² + 4δ²))/2     instead of max(x, 0)
//! y_T = r z/m              z = y_T − ρη_T,  r = φ + s,  m = (r + l + √((l − r)² + 4δ²))/2  with  l = √(‖z‖² + δ²)
//! ```
//!
//! With δ → 0 these are the equations of [`newton`](super::newton). Every contact pushes a little and slips a little, so
//! that the sum of squares has no corners at which a line search would stop.

use super::linearise::{Linear, slide};
use super::residual::Point;
use super::scaled::{Scaled, System, Triple};

/// Contacts that push by less than this for each unit of velocity count as open: their rows need no neighbours.
const OPEN: f64 = 1e-4;

/// The law of one contact with δ, linearised: `rhs` is what is missing.
pub(super) fn smooth(block: &Scaled, y: Triple, eta: Triple, delta: f64, regular: f64) -> Linear {
    let mut linear = Linear { open: false, p: [[0.0; 3]; 3], q: [[0.0; 3]; 3], rhs: [0.0; 3] };
    if block.joint {
        for (k, eta) in eta.iter().enumerate().take(block.rows) {
            linear.p[k][k] = 1.0 / block.a[k][k];
            linear.q[k][k] = regular;
            linear.rhs[k] = -eta / block.a[k][k];
        }
        return linear;
    }
    let (normal, slope, rho) = if block.a[0][0] > 0.0 {
        let rho = 1.0 / block.a[0][0];
        let x = y[0] - rho * eta[0];
        let root = (x * x + 4.0 * delta * delta).sqrt();
        // The same for x < 0, without cancellation.
        let normal = if x > 0.0 { 0.5 * (x + root) } else { 2.0 * delta * delta / (root - x) };
        (normal, normal / root, rho)
    } else {
        (0.0, 0.0, 0.0)
    };
    linear.rhs[0] = normal - y[0];
    linear.q[0][0] = 1.0 - slope + regular * slope;
    linear.p[0][0] = rho * slope;
    linear.open = slope < OPEN && block.shift == 0.0;
    let tangents = 1..block.rows;
    if block.slides {
        slide(&mut linear, block.rows, eta, y, normal + block.shift, [slope, rho * slope]);
        return linear;
    }
    let largest = tangents.clone().map(|t| block.a[t][t]).fold(0.0, f64::max);
    if largest == 0.0 {
        return linear;
    }
    let (radius, rho_t) = (normal + block.shift, 1.0 / largest);
    let mut z = [0.0; 3];
    tangents.clone().for_each(|t| z[t] = y[t] - rho_t * eta[t]);
    let length = (z[1] * z[1] + z[2] * z[2] + delta * delta).sqrt();
    let beyond = length - radius;
    let root = (beyond * beyond + 4.0 * delta * delta).sqrt();
    let m = 0.5 * (radius + length + root);
    let (by_radius, by_length) = (0.5 * (1.0 - beyond / root), 0.5 * (1.0 + beyond / root));
    for t in tangents.clone() {
        linear.rhs[t] = radius * z[t] / m - y[t];
        let grows = z[t] / m * (1.0 - radius / m * by_radius) * slope;
        linear.q[t][0] = -grows;
        linear.p[t][0] = rho * grows;
        linear.q[t][t] = 1.0;
        for s in tangents.clone() {
            let own = if s == t { radius / m } else { 0.0 };
            let change = own - radius * z[t] / (m * m) * by_length * z[s] / length;
            linear.q[t][s] -= change * (1.0 - regular);
            linear.p[t][s] = rho_t * change;
        }
    }
    linear
}

impl System<'_> {
    /// What is missing in the laws with δ: the largest entry and the sum of squares, in the units of the checks.
    pub(super) fn missing<const D: usize>(&self, contacts: &[u32], point: Point<'_>, delta: f64) -> (f64, f64) {
        let (mut worst, mut sum) = (0.0f64, 0.0);
        for &i in contacts {
            let (block, y, eta) = self.at::<D>(i, point);
            let rhs = smooth(block, y, eta, delta, 0.0).rhs;
            for (k, rhs) in rhs.iter().enumerate().take(block.rows) {
                let missing = (if k > 0 && !block.joint { block.weight[k - 1] * rhs } else { *rhs }).abs();
                worst = if missing > worst || missing.is_nan() { missing } else { worst };
                sum += missing * missing;
            }
        }
        (worst, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::linearise::linearise;
    use super::super::{BlockMatrix, ContactProblem};
    use super::*;

    fn problem() -> ContactProblem {
        let g = [2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1.1];
        let matrix = BlockMatrix::from_blocks(3, 1, [(0, 0, &g[..])].into_iter());
        ContactProblem::coulomb(matrix, vec![-1.0, 0.5, 0.2], &[0.6])
    }

    /// P and Q are the derivatives of what is missing.
    #[test]
    fn derivatives_are_those_of_differences() {
        let problem = problem();
        let system = System::new(&problem);
        let block = &system.blocks[0];
        for (y, eta) in
            [([0.7, 0.2, -0.4], [0.1, 0.3, -0.2]), ([0.1, 0.3, 0.0], [0.9, -0.4, 0.5]), ([1.0, 0.0, 0.0], [0.0; 3])]
        {
            let linear = smooth(block, y, eta, 0.05, 0.0);
            let (step, move_by) = (1e-6, |mut v: Triple, k: usize, by: f64| {
                v[k] += by;
                v
            });
            for k in 0..3 {
                let by_y = [step, -step].map(|h| smooth(block, move_by(y, k, h), eta, 0.05, 0.0).rhs);
                let by_eta = [step, -step].map(|h| smooth(block, y, move_by(eta, k, h), 0.05, 0.0).rhs);
                for row in 0..3 {
                    let difference = |at: [Triple; 2]| -(at[0][row] - at[1][row]) / (2.0 * step);
                    assert!((linear.q[row][k] - difference(by_y)).abs() < 1e-7, "Q {row} {k}");
                    assert!((linear.p[row][k] - difference(by_eta)).abs() < 1e-7, "P {row} {k}");
                }
            }
        }
    }

    /// Without smoothing to speak of it is the law with its corners: stick, slip and open.
    #[test]
    fn little_smoothing_is_the_law() {
        let problem = problem();
        let system = System::new(&problem);
        let block = &system.blocks[0];
        for (y, eta) in
            [([0.7, 0.2, -0.1], [0.0, 0.01, 0.0]), ([0.5, 0.4, 0.1], [0.0, -0.8, 0.3]), ([0.0; 3], [0.4, 0.3, 0.1])]
        {
            let (smoothed, cornered) = (smooth(block, y, eta, 1e-9, 0.0), linearise(block, y, eta, 0.0));
            assert_eq!(smoothed.open, cornered.open);
            for k in 0..3 {
                assert!((smoothed.rhs[k] - cornered.rhs[k]).abs() < 1e-7, "{:?} {:?}", smoothed.rhs, cornered.rhs);
            }
        }
    }
}
