//! The law of one contact, linearised at the state that impulse and velocity suggest (see [`newton`](super::newton)).

use super::LARGE;
use super::residual::Point;
use super::scaled::{Scaled, System, Triple};
use super::smooth::smooth;

/// The place of a contact that is open, and so has none in the linear system.
pub(super) const OPEN: u32 = u32::MAX;

/// P, Q and right-hand side of a contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear {
    pub(super) open: bool,
    pub(super) p: [Triple; 3],
    pub(super) q: [Triple; 3],
    pub(super) rhs: Triple,
}

/// How laws are linearised.
#[derive(Debug, Clone, Copy)]
pub(super) struct Law {
    /// How far they are smoothed, or zero.
    pub(super) delta: f64,
    /// Weight of the identity in rows η = 0.
    pub(super) regular: f64,
}

impl Law {
    /// The linearised law of a contact of D rows.
    #[inline]
    pub(super) fn at<const D: usize>(self, system: &System<'_>, contact: u32, r: &[f64], u: &[f64]) -> Linear {
        let (block, y, eta) = system.at::<D>(contact, Point::at(r, u));
        if LARGE && self.delta > 0.0 {
            smooth(block, y, eta, self.delta, self.regular)
        } else {
            linearise(block, y, eta, self.regular)
        }
    }
}

/// The step of a contact that is open by the law without smoothing, which gives up its impulse; `None` where it is not open. What
/// [`linearise`] says of it, for less.
#[inline]
pub(super) fn given_up<const D: usize>(system: &System<'_>, contact: u32, r: &[f64], u: &[f64]) -> Option<Triple> {
    let (block, y, eta) = system.at::<D>(contact, Point::at(r, u));
    let carries = block.joint || is_closed(block, y, eta);
    let rubs = block.shift != 0.0 && (block.slides || (1..block.rows).any(|t| block.a[t][t] > 0.0));
    (!carries && !rubs).then(|| y.map(|y| -y))
}

fn is_closed(block: &Scaled, y: Triple, eta: Triple) -> bool {
    let a_n = block.a[0][0];
    a_n > 0.0 && y[0] * a_n > eta[0]
}

/// The linearised law of one contact.
pub(super) fn linearise(block: &Scaled, y: Triple, eta: Triple, regular: f64) -> Linear {
    let mut linear = Linear { open: false, p: [[0.0; 3]; 3], q: [[0.0; 3]; 3], rhs: [0.0; 3] };
    let zero_velocity = |linear: &mut Linear, k: usize, rho: f64| {
        linear.p[k][k] = rho;
        linear.q[k][k] = regular * rho * block.a[k][k];
        linear.rhs[k] = -rho * eta[k];
    };
    if block.joint {
        (0..block.rows).for_each(|k| zero_velocity(&mut linear, k, 1.0 / block.a[k][k]));
        return linear;
    }
    let a_n = block.a[0][0];
    let closed = is_closed(block, y, eta);
    if closed {
        zero_velocity(&mut linear, 0, 1.0 / a_n);
    } else {
        linear.q[0][0] = 1.0;
        linear.rhs[0] = -y[0];
    }
    let tangents = 1..block.rows;
    let largest = tangents.clone().map(|t| block.a[t][t]).fold(0.0, f64::max);
    if LARGE && block.slides && (closed || block.shift != 0.0) {
        slide(&mut linear, block.rows, eta, y, y[0].max(0.0) + block.shift, [if closed { 1.0 } else { 0.0 }, 0.0]);
        return linear;
    }
    if !closed && block.shift == 0.0 || largest == 0.0 {
        for t in tangents {
            linear.q[t][t] = 1.0;
            linear.rhs[t] = -y[t];
        }
        linear.open = !closed;
        return linear;
    }
    let (radius, rho) = (y[0].max(0.0) + block.shift, 1.0 / largest);
    let mut z = [0.0; 3];
    tangents.clone().for_each(|t| z[t] = y[t] - rho * eta[t]);
    let length = (z[1] * z[1] + z[2] * z[2]).sqrt();
    if length <= radius {
        tangents.for_each(|t| zero_velocity(&mut linear, t, rho));
        return linear;
    }
    // y_T − r n = 0 with n = z/‖z‖: its differential is Δ_T − n Δ_N − (r/‖z‖)(I − nnᵀ)(Δ_T − ρ A_T· Δ).
    for t in tangents.clone() {
        let n = z[t] / length;
        linear.rhs[t] = radius * n - y[t];
        linear.q[t][t] = 1.0;
        if closed {
            linear.q[t][0] = -n;
        }
        if block.rows == 3 {
            for s in tangents.clone() {
                let projector = radius / length * (if s == t { 1.0 } else { 0.0 } - n * z[s] / length);
                linear.q[t][s] -= projector;
                linear.p[t][s] += projector * rho;
            }
        }
    }
    linear
}

/// The tangents of a contact that slides whatever the impulses are: y_T = −r η_T/‖η_T‖ has no corner, as η_T cannot vanish. The
/// radius r changes by `by_normal` with y_N and with −η_N.
pub(super) fn slide(linear: &mut Linear, rows: usize, eta: Triple, y: Triple, radius: f64, by_normal: [f64; 2]) {
    let length = if rows < 3 { eta[1].abs() } else { (eta[1] * eta[1] + eta[2] * eta[2]).sqrt() };
    for t in 1..rows {
        let direction = if length > 0.0 { -eta[t] / length } else { 0.0 };
        linear.rhs[t] = radius * direction - y[t];
        linear.q[t][t] = 1.0;
        linear.q[t][0] = -direction * by_normal[0];
        linear.p[t][0] = direction * by_normal[1];
        for s in (1..rows).filter(|_| length > 0.0) {
            let identity = if s == t { 1.0 } else { 0.0 };
            linear.p[t][s] = radius / length * (identity - eta[t] / length * (eta[s] / length));
        }
    }
}

/// Row of the Newton matrix: P A_ij at the place of each j that is not open, with Q on the diagonal.
pub(super) fn fill_row<const D: usize>(
    system: &System<'_>,
    i: usize,
    linear: &Linear,
    epsilon: f64,
    place: impl Fn(usize) -> u32,
    row: &mut [[[f64; D]; D]],
) {
    let block = &system.blocks[i];
    let (columns, values) = system.problem.matrix.row(i);
    for (&j, g) in columns.iter().zip(values.chunks_exact(D * D)) {
        let at = place(j as usize);
        if at == OPEN {
            continue;
        }
        let other = &system.blocks[j as usize];
        let out = &mut row[at as usize];
        for l in 0..other.rows {
            let mut a = [0.0; 3];
            for (m, a) in a.iter_mut().enumerate().take(block.rows) {
                *a = block.coupling(m, other, l, g, D);
            }
            if j as usize == i {
                a[l] *= 1.0 + epsilon;
            }
            for (k, out) in out.iter_mut().enumerate().take(block.rows) {
                out[l] += linear.p[k][0] * a[0] + linear.p[k][1] * a[1] + linear.p[k][2] * a[2];
            }
        }
        if j as usize == i {
            for (k, out) in out.iter_mut().enumerate() {
                if k < block.rows {
                    (0..block.rows).for_each(|l| out[l] += linear.q[k][l]);
                } else {
                    // A row that carries nothing.
                    out[k] = 1.0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlockMatrix, ContactLaw, ContactProblem};
    use super::*;

    /// A joint, friction that is there without an impulse (also where nothing moves the tangents), none at all, and contacts that
    /// push, rest or pull.
    #[test]
    fn open_contacts_give_up_what_their_linearised_law_says() {
        let own = [2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1.7];
        let held = [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let matrix = BlockMatrix::from_blocks(3, 5, (0..5).map(|i| (i, i, if i == 4 { &held[..] } else { &own[..] })));
        let mut problem = ContactProblem::coulomb(matrix, vec![-1.0; 15], &[0.3, 0.5, 0.0, 0.4, 0.4]);
        problem.laws[0] = ContactLaw::Joint;
        problem.laws[1] = ContactLaw::Contact { friction: [0.5; 2], shift: 0.2 };
        problem.laws[2] = ContactLaw::Contact { friction: [0.0; 2], shift: 0.2 };
        problem.laws[4] = ContactLaw::Contact { friction: [0.4; 2], shift: 0.2 };
        let (system, mut open) = (System::new(&problem), 0);
        for (y, eta) in [(0.3, 0.1), (0.1, 0.9), (0.0, 0.0), (0.0, 0.4), (-0.2, 0.1), (-0.2, -0.9)] {
            let (r, u) = ([y, 0.1, -0.2].repeat(5), [eta, 0.2, 0.3].repeat(5));
            for contact in 0..5 {
                let (block, y, eta) = system.at::<3>(contact, Point::at(&r, &u));
                let linear = linearise(block, y, eta, 1e-6);
                let step = given_up::<3>(&system, contact, &r, &u);
                assert_eq!(step, linear.open.then_some(linear.rhs), "contact {contact}, {y:?}, {eta:?}");
                open += usize::from(linear.open);
            }
        }
        assert!(open > 3);
    }
}
