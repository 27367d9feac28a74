//! The contact problem of a step: blocks of rows over pairs of bodies, each with its law.
//!
//! ```text
//! ξ = Wᵀv + c,   v = v_free + M⁻¹W x,   0 ≤ x_N ⟂ ξ_N ≥ 0,   −x_T ∈ μ x_N · disk, ξ_T in its normal cone
//! ```
//!
//! The velocities of the bodies carry what the blocks have in common, so that no matrix over all contacts is
//! ever made.

use crate::model::SUPPORT;
use crate::solve::{DiskContact, OneContact};

/// What a block of rows is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A contact with this friction coefficient.
    Contact(f64),
    /// Rows of a joint: ξ = 0.
    Joint,
}

/// Rows between two bodies.
#[derive(Debug, Clone)]
pub(super) struct Block<const D: usize, const R: usize> {
    pub bodies: [usize; 2],
    /// W by body.
    pub w: [[[f64; D]; R]; 2],
    /// M⁻¹W by body.
    y: [[[f64; D]; R]; 2],
    /// WᵀM⁻¹W of this block.
    a: [[f64; R]; R],
    /// c.
    pub constant: [f64; R],
    pub kind: Kind,
    /// Impulses.
    pub x: [f64; R],
    /// Inverse mobilities of a contact with friction whose rows are not coupled, both tangents alike: no row waits for a
    /// division then.
    plain: Option<[f64; R]>,
}

/// Coupling of rows, relative to their diagonal, that is none.
const COUPLED: f64 = 1e-14;
/// Pivots up to this, relative to the entries that they come from, are round-off.
pub(super) const NO_PIVOT: f64 = 1e-13;

impl<const D: usize, const R: usize> Block<D, R> {
    /// The rows of a contact or joint, without impulse. Without friction only the first has any.
    #[inline]
    pub fn new(bodies: [usize; 2], w: [[[f64; D]; R]; 2], kind: Kind, inverse_masses: &[[[f64; D]; D]]) -> Self {
        let mut y = [[[0.0; D]; R]; 2];
        let mut a = [[0.0; R]; R];
        let rows = if kind == Kind::Contact(0.0) { 1 } else { R };
        for side in (0..2).filter(|&side| bodies[side] != SUPPORT) {
            let inverse = &inverse_masses[bodies[side]];
            for r in 0..rows {
                y[side][r] = std::array::from_fn(|i| dot(&inverse[i], &w[side][r]));
            }
            for i in 0..rows {
                for j in 0..rows {
                    a[i][j] += dot(&w[side][i], &y[side][j]);
                }
            }
        }
        let off = |i: usize, j: usize| a[i][j].abs() <= COUPLED * (a[i][i] * a[j][j]).sqrt();
        let plain = rows == R
            && kind != Kind::Joint
            && (0..R).all(|i| a[i][i] > 0.0 && (0..i).all(|j| off(i, j)))
            && (2..R).all(|i| (a[i][i] - a[1][1]).abs() <= COUPLED * a[1][1]);
        let plain = plain.then(|| std::array::from_fn(|r| 1.0 / a[r][r]));
        Self { bodies, w, y, a, constant: [0.0; R], kind, x: [0.0; R], plain }
    }

    /// Wᵀv.
    #[inline]
    pub fn velocity(&self, v: &[[f64; D]]) -> [f64; R] {
        let mut gamma = [0.0; R];
        for side in (0..2).filter(|&side| self.bodies[side] != SUPPORT) {
            let body = &v[self.bodies[side]];
            (0..R).for_each(|r| gamma[r] += dot(&self.w[side][r], body));
        }
        gamma
    }

    /// What |Wᵀv| would be if nothing cancelled: it tells how large round-off is.
    pub fn terms(&self, v: &[[f64; D]]) -> [f64; R] {
        let mut terms = [0.0; R];
        for side in (0..2).filter(|&side| self.bodies[side] != SUPPORT) {
            let body = v[self.bodies[side]].map(f64::abs);
            (0..R).for_each(|r| terms[r] += dot(&self.w[side][r].map(f64::abs), &body));
        }
        terms
    }

    /// v += M⁻¹W x.
    #[inline]
    pub fn push(&self, x: &[f64; R], v: &mut [[f64; D]]) {
        for side in (0..2).filter(|&side| self.bodies[side] != SUPPORT) {
            let body = &mut v[self.bodies[side]];
            for (row, x) in self.y[side].iter().zip(x) {
                (0..D).for_each(|i| body[i] += row[i] * x);
            }
        }
    }

    #[inline]
    pub fn xi(&self, v: &[[f64; D]]) -> [f64; R] {
        let gamma = self.velocity(v);
        std::array::from_fn(|r| gamma[r] + self.constant[r])
    }

    /// Solves this block with the others held; gives the largest change, as a velocity.
    #[inline]
    pub fn relax(&mut self, v: &mut [[f64; D]]) -> f64 {
        if self.kind == Kind::Contact(0.0) {
            return self.relax_smooth(v);
        }
        let xi = self.xi(v);
        let next = self.local(&xi);
        let change: [f64; R] = std::array::from_fn(|r| next[r] - self.x[r]);
        if change == [0.0; R] {
            return 0.0;
        }
        self.push(&change, v);
        self.x = next;
        (0..R).fold(0.0, |worst, r| worst.max((self.a[r][r] * change[r]).abs()))
    }

    /// The same without friction: one row.
    #[inline]
    fn relax_smooth(&mut self, v: &mut [[f64; D]]) -> f64 {
        if self.a[0][0] <= 0.0 {
            return 0.0;
        }
        let mut xi = self.constant[0];
        for side in (0..2).filter(|&side| self.bodies[side] != SUPPORT) {
            xi += dot(&self.w[side][0], &v[self.bodies[side]]);
        }
        let next = (self.x[0] - xi / self.a[0][0]).max(0.0);
        let change = next - self.x[0];
        if change == 0.0 {
            return 0.0;
        }
        for side in (0..2).filter(|&side| self.bodies[side] != SUPPORT) {
            let body = &mut v[self.bodies[side]];
            (0..D).for_each(|i| body[i] += self.y[side][0][i] * change);
        }
        self.x[0] = next;
        (self.a[0][0] * change).abs()
    }

    /// Velocity of the first row for a unit impulse of another block's, through a body of both.
    pub fn coupling(&self, other: &Self, body: usize) -> f64 {
        let side = |block: &Self| usize::from(block.bodies[0] != body);
        dot(&self.w[side(self)][0], &other.y[side(other)][0])
    }

    /// Factors that make velocities of impulses, row by row.
    pub fn mobility(&self) -> [f64; R] {
        std::array::from_fn(|r| self.a[r][r])
    }

    /// How far x and ξ are from the law, as a velocity.
    #[inline]
    pub fn defect(&self, xi: &[f64; R]) -> f64 {
        let friction = match self.kind {
            Kind::Joint => {
                let rows = (0..R).filter(|&r| self.a[r][r] > 0.0);
                return rows.map(|r| xi[r].abs()).fold(0.0, f64::max);
            }
            Kind::Contact(friction) => friction,
        };
        let normal = (self.a[0][0] * self.x[0]).min(xi[0]).abs();
        if friction == 0.0 || R == 1 {
            return normal;
        }
        let scale = (1..R).map(|r| self.a[r][r]).fold(0.0, f64::max);
        if scale == 0.0 {
            return normal;
        }
        // x_T − proj(x_T − ξ_T/scale) onto the disk.
        let step: [f64; R] = std::array::from_fn(|r| if r == 0 { 0.0 } else { self.x[r] - xi[r] / scale });
        let radius = friction * self.x[0].max(0.0);
        if R == 2 {
            return normal.max(scale * (self.x[1] - step[1].min(radius).max(-radius)).abs());
        }
        let length = dot(&step, &step).sqrt();
        let cut = if length > radius { radius / length } else { 1.0 };
        let off: f64 = (1..R).map(|r| (self.x[r] - cut * step[r]).powi(2)).sum();
        normal.max(scale * off.sqrt())
    }

    /// The impulses that solve this block alone.
    #[inline]
    fn local(&self, xi: &[f64; R]) -> [f64; R] {
        let (a, x) = (&self.a, &self.x);
        if let (Some(inverse), Kind::Contact(friction)) = (&self.plain, self.kind) {
            return uncoupled(std::array::from_fn(|r| x[r] - inverse[r] * xi[r]), friction);
        }
        let q: [f64; R] = std::array::from_fn(|r| xi[r] - dot(&a[r], x));
        let friction = match self.kind {
            Kind::Joint => return joint(a, &q),
            Kind::Contact(friction) => friction,
        };
        if q[0] >= 0.0 || a[0][0] <= 0.0 {
            return [0.0; R];
        }
        let mut next = [0.0; R];
        if friction == 0.0 || R == 1 {
            next[0] = -q[0] / a[0][0];
            return next;
        }
        rough(a, &q, friction, x).unwrap_or_else(|| projected(a, &q, friction, x))
    }
}

/// The order of each eight blocks of a sweep in the plane: neighbours in the list mostly share a body, and would have to wait for
/// each other.
const INTERLEAVED: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

/// Solves one block after the other with the others held, from the first to the last or back; gives the largest change, as a
/// velocity.
pub(super) fn sweep<const D: usize, const R: usize>(
    blocks: &mut [Block<D, R>],
    v: &mut [[f64; D]],
    backwards: bool,
) -> f64 {
    let whole = if R == 2 { blocks.len() - blocks.len() % INTERLEAVED.len() } else { 0 };
    (0..blocks.len()).fold(0.0, |worst, k| {
        let k = if backwards { blocks.len() - 1 - k } else { k };
        let at = if k < whole { k - k % INTERLEAVED.len() + INTERLEAVED[k % INTERLEAVED.len()] } else { k };
        worst.max(blocks[at].relax(v))
    })
}

#[inline]
pub(super) fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A contact without coupling, exactly: what its rows would do without limits, cut to them. In the plane without branches, which
/// nothing could foresee.
#[inline]
fn uncoupled<const R: usize>(mut next: [f64; R], friction: f64) -> [f64; R] {
    next[0] = next[0].max(0.0);
    let radius = friction * next[0];
    if R == 2 {
        next[1] = next[1].min(radius).max(-radius);
        return next;
    }
    let square = next[1..].iter().map(|t| t * t).sum::<f64>();
    if square > radius * radius {
        let cut = radius / square.sqrt();
        next[1..].iter_mut().for_each(|t| *t *= cut);
    }
    next
}

/// A contact with coupled rows, exactly.
fn rough<const R: usize>(a: &[[f64; R]; R], q: &[f64; R], friction: f64, old: &[f64; R]) -> Option<[f64; R]> {
    let mut next = [0.0; R];
    match R {
        2 => {
            // In units in which impulses and velocities compare.
            let (n, t) = (a[0][0].sqrt(), a[1][1].sqrt());
            if t == 0.0 {
                next[0] = -q[0] / a[0][0];
                return Some(next);
            }
            let contact = OneContact {
                matrix: [1.0, a[0][1] / (n * t), 1.0],
                vector: [q[0] / n, q[1] / t],
                friction: friction * t / n,
                shift: 0.0,
            };
            let (x, _) = contact.solve()?;
            (next[0], next[1]) = (x[0] / n, x[1] / t);
        }
        _ => {
            let weight = |r: usize| if r == 0 { 1.0 } else { friction };
            let contact = DiskContact {
                a: std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] * weight(i) * weight(j))),
                q: std::array::from_fn(|r| q[r] * weight(r)),
                shift: 0.0,
            };
            let x = contact.solve([old[1] / friction, old[2] / friction])?;
            (0..R).for_each(|r| next[r] = x[r] * weight(r));
        }
    }
    Some(next)
}

/// Where no case of a contact holds: one projected step, which keeps the impulse in its cone.
fn projected<const R: usize>(a: &[[f64; R]; R], q: &[f64; R], friction: f64, x: &[f64; R]) -> [f64; R] {
    let xi: [f64; R] = std::array::from_fn(|r| q[r] + dot(&a[r], x));
    let largest = (1..R).map(|r| a[r][r]).fold(0.0, f64::max);
    let mut next = *x;
    next[0] = (x[0] - xi[0] / a[0][0]).max(0.0);
    if largest > 0.0 {
        (1..R).for_each(|r| next[r] = x[r] - xi[r] / largest);
    }
    let length = next[1..].iter().map(|t| t * t).sum::<f64>().sqrt();
    if length > friction * next[0] {
        let cut = friction * next[0] / length;
        next[1..].iter_mut().for_each(|t| *t *= cut);
    }
    next
}

/// a x = −q, rows without mobility left out.
fn joint<const R: usize>(a: &[[f64; R]; R], q: &[f64; R]) -> [f64; R] {
    let (mut m, mut b) = (*a, q.map(|q| -q));
    for k in 0..R {
        if m[k][k] <= NO_PIVOT * a[k][k] || a[k][k] <= 0.0 {
            (0..R).for_each(|j| m[k][j] = f64::from(u8::from(j == k)));
            b[k] = 0.0;
            continue;
        }
        for i in k + 1..R {
            let (factor, pivot) = (m[i][k] / m[k][k], m[k]);
            m[i].iter_mut().zip(pivot).skip(k).for_each(|(entry, pivot)| *entry -= factor * pivot);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..R).rev() {
        let known: f64 = (k + 1..R).map(|j| m[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / m[k][k];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball on a floor, whose rows are not coupled, and nearly the same body with its centre beside the normal: the general
    /// way through coupled rows gives what the short one gives.
    fn both_ways<const D: usize, const R: usize>(rows: impl Fn(f64) -> [[f64; D]; R]) {
        let mass = [std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))))];
        let none = [[0.0; D]; R];
        let mut seen = [false; 3];
        for k in 0..200 {
            let free: [f64; D] =
                std::array::from_fn(|i| (0.3 + 1.7 * k as f64 + 2.9 * (i * i) as f64 + 0.1 * (i * k) as f64).sin());
            let answer = |aside: f64| {
                let mut block = Block::new([0, SUPPORT], [rows(aside), none], Kind::Contact(0.4), &mass);
                assert_eq!(block.plain.is_some(), aside == 0.0);
                let mut v = [free];
                block.relax(&mut v);
                assert!(block.defect(&block.xi(&v)) <= 1e-12, "{:e}", block.defect(&block.xi(&v)));
                block.x
            };
            let (short, general) = (answer(0.0), answer(1e-9));
            for (a, b) in short.iter().zip(general) {
                assert!((a - b).abs() <= 1e-8, "{short:?} and {general:?}");
            }
            let tangential = dot(&short, &short) - short[0] * short[0];
            let limit = (0.4 * short[0]).powi(2);
            seen[if short[0] == 0.0 { 0 } else { 1 + usize::from(tangential < 0.999 * limit) }] = true;
        }
        assert_eq!(seen, [true; 3], "open, slip and stick");
    }

    #[test]
    fn rows_without_coupling_need_no_search() {
        both_ways(|aside| [[0.0, 1.0, aside], [1.0, 0.0, 1.0]]);
        both_ways(|aside| {
            [[0.0, 0.0, 1.0, aside, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0, 0.0, 0.0]]
        });
    }
}
