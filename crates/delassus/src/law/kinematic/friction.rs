//! Coulomb friction at the impulse level: every combination of stick and slip \[BZL, (27)–(28)\].
//!
//! ```text
//! γ_N⁺ prescribed, and at each contact
//!     slip σ = ±1:  Λ_T = −μσΛ_N,  σγ_T⁺ ≥ 0        stick:  γ_T⁺ = 0,  |Λ_T| ≤ μ|Λ_N|
//! ```
//!
//! Λ_N may have either sign: the law prescribes velocities and cannot help it.
//! All in the normalised variables of [`Reduced`], where μ becomes μ s_T/s_N.

use nalgebra::{DMatrix, DVector};

use super::linear;
use super::reduce::Reduced;
use super::split::{self, Stick};

/// Inequalities may be missed by this part of the largest velocity or impulse;
/// round-off for condition numbers up to 1e5.
const SLACK: f64 = 1e-11;

/// Most frictional contacts: 3⁸ = 6561 combinations.
pub(super) const MOST: usize = 8;

/// A contact with friction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rough {
    /// Row of the normal.
    pub normal: usize,
    /// Row of the tangent.
    pub tangent: usize,
    /// μ s_T/s_N.
    pub friction: f64,
}

/// What a contact does in a combination.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Stick,
    /// With the direction σ.
    Slip(f64),
}

/// An admissible combination.
pub(super) struct Candidate {
    /// x̂ of all rows.
    pub impulses: DVector<f64>,
    /// Dimension of the set of impulses that do the same.
    pub dimension: usize,
    /// Number of sticking contacts.
    pub sticking: usize,
}

/// All admissible combinations, sticking ones first.
pub(super) fn enumerate(reduced: &Reduced, rough: &[Rough], after: &DVector<f64>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut modes = vec![Mode::Stick; rough.len()];
    for code in 0..3_usize.pow(rough.len() as u32) {
        let mut rest = code;
        for mode in &mut modes {
            *mode = [Mode::Stick, Mode::Slip(1.0), Mode::Slip(-1.0)][rest % 3];
            rest /= 3;
        }
        found.extend(candidate(reduced, rough, &modes, after));
    }
    found
}

fn candidate(reduced: &Reduced, rough: &[Rough], modes: &[Mode], after: &DVector<f64>) -> Option<Candidate> {
    let m = reduced.normals;
    let h = &reduced.matrix;
    let sticking: Vec<Rough> = rough.iter().zip(modes).filter(|(_, m)| **m == Mode::Stick).map(|(r, _)| *r).collect();
    // Equations: the normals, then the sticking tangents; unknowns likewise.
    let rows: Vec<usize> = (0..m).chain(sticking.iter().map(|s| s.tangent)).collect();
    let size = rows.len();
    let mut matrix = DMatrix::from_fn(size, size, |i, j| h[(rows[i], rows[j])]);
    for (r, mode) in rough.iter().zip(modes) {
        if let Mode::Slip(sigma) = mode {
            for i in 0..size {
                matrix[(i, r.normal)] -= r.friction * sigma * h[(rows[i], r.tangent)];
            }
        }
    }
    let target = |i: usize| if i < m { after[i] } else { 0.0 };
    let right = DVector::from_fn(size, |i, _| target(i) - reduced.free[rows[i]]);
    let speed = reduced.speed(after);
    let solved = linear::solve(matrix, &right)?;
    if solved.residual > 100.0 * SLACK * speed {
        return None;
    }
    let point = if solved.null.ncols() == 0 {
        solved.point
    } else {
        let sticks: Vec<Stick> = sticking
            .iter()
            .enumerate()
            .map(|(k, s)| Stick {
                normal: s.normal,
                tangent: m + k,
                friction: s.friction,
                weight: 1.0 / reduced.scale[s.tangent],
            })
            .collect();
        split::least(&solved.point, &solved.null, m, &sticks)?
    };

    let mut x = DVector::zeros(reduced.len());
    rows.iter().zip(point.iter()).for_each(|(&row, &value)| x[row] = value);
    for (r, mode) in rough.iter().zip(modes) {
        if let Mode::Slip(sigma) = mode {
            x[r.tangent] = -r.friction * sigma * x[r.normal];
        }
    }
    let most = x.amax();
    let admissible = rough.iter().zip(modes).all(|(r, mode)| match mode {
        Mode::Slip(sigma) => {
            let velocity = h.row(r.tangent).dot(&x.transpose()) + reduced.free[r.tangent];
            sigma * velocity >= -SLACK * speed
        }
        Mode::Stick => x[r.tangent].abs() <= r.friction * x[r.normal].abs() + SLACK * most * (1.0 + r.friction),
    });
    let dimension = solved.null.ncols();
    admissible.then_some(Candidate { impulses: x, dimension, sticking: sticking.len() })
}
