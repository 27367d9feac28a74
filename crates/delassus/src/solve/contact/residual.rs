//! How far impulses are from a solution, in two measures.

use super::LARGE;
use super::abreast::{Abreast, LANES};
use super::problem::{ContactLaw, ContactProblem};
use super::scaled::{Scaled, System, Triple};
use crate::elementary::Elementary;

/// How far impulses are from a solution.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Residual {
    /// The error that the field reports [ABH 2018]: per contact x = r − (u + μ‖u_T‖ e_N) and p its projection onto
    /// Coulomb's cone; √Σ‖r − p‖² / max(‖q‖, ‖r‖, ‖u‖). It depends on units, because r and u are added.
    pub natural: f64,
    /// The largest residual of a contact in units in which contacts compare, as in the certificates of impacts:
    /// with s = √G_NN, velocities u/s relative to the largest, impulses r s relative to the largest of both.
    pub scale_free: f64,
}

impl Residual {
    /// The larger of both.
    pub fn worst(&self) -> f64 {
        if self.natural > self.scale_free || self.natural.is_nan() { self.natural } else { self.scale_free }
    }
}

impl ContactProblem {
    /// The residual of impulses r with velocities u = G r + q.
    pub fn residual(&self, r: &[f64], u: &[f64]) -> Residual {
        Residual { natural: self.natural(r, u), scale_free: System::new(self).scale_free(r, u) }
    }

    pub(super) fn natural(&self, r: &[f64], u: &[f64]) -> f64 {
        let d = self.dimension();
        let norms = [norm(&self.vector), norm(r), norm(u)];
        // Where impulses or velocities have left the range of numbers, there is no answer however small the rest is.
        if norms.iter().any(|norm| !norm.is_finite()) {
            return f64::INFINITY;
        }
        let scale = norms.into_iter().fold(0.0, f64::max);
        if scale == 0.0 {
            return 0.0;
        }
        let blocks = self.laws.iter().zip(r.chunks_exact(d)).zip(u.chunks_exact(d));
        let sum: f64 = blocks.map(|((law, r), u)| natural_of_contact(*law, r, u, scale)).sum();
        sum.sqrt()
    }
}

/// ‖v‖, also where the squares of its entries overflow or vanish; not finite where an entry is not.
pub(crate) fn norm(v: &[f64]) -> f64 {
    // Squares as they are, four sums beside each other because each waits for the one before, wherever no square is lost.
    let mut sums = [0.0f64; 4];
    let (fours, rest) = v.as_chunks::<4>();
    fours.iter().for_each(|four| (0..4).for_each(|k| sums[k] += four[k] * four[k]));
    let sum = rest.iter().fold((sums[0] + sums[1]) + (sums[2] + sums[3]), |sum, x| sum + x * x);
    if (1e-280..1e280).contains(&sum) {
        return sum.sqrt();
    }
    // The largest entry drops what is no number, which the sum has found.
    let largest = v.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return if sum.is_nan() { f64::NAN } else { largest };
    }
    largest * v.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt()
}

/// ‖r − p‖² of one contact, in units of `scale`.
fn natural_of_contact(law: ContactLaw, r: &[f64], u: &[f64], scale: f64) -> f64 {
    let ContactLaw::Contact { friction, shift } = law else {
        return u.iter().map(|u| (u / scale) * (u / scale)).sum();
    };
    // An open contact is its own projection.
    if shift == 0.0 && u[0] >= 0.0 && r.iter().all(|r| *r == 0.0) {
        return 0.0;
    }
    let at = |v: &[f64], k: usize| v.get(k).copied().unwrap_or(0.0) / scale;
    let (x, v) = ([at(r, 0), at(r, 1), at(r, 2)], [at(u, 0), at(u, 1), at(u, 2)]);
    let mu = friction[0];
    if shift == 0.0 && (r.len() < 3 || mu == friction[1]) {
        let z = [x[0] - v[0] - mu * v[1].hypotenuse(v[2]), x[1] - v[1], x[2] - v[2]];
        let p = project_cone(z, if r.len() > 1 { mu } else { 0.0 });
        return (0..3).map(|k| (x[k] - p[k]) * (x[k] - p[k])).sum();
    }
    // The map for sets that are no circular cone: normal and friction by themselves.
    let normal = x[0] - (x[0] - v[0]).max(0.0);
    let radius = x[0].max(0.0) + shift / scale;
    let t = [x[1] - v[1], x[2] - v[2]];
    let p = if r.len() < 3 {
        [t[0].clamp(-mu * radius, mu * radius), 0.0]
    } else {
        crate::solve::ellipse::project_ellipse(t, [mu * radius, friction[1] * radius])
    };
    normal * normal + (x[1] - p[0]) * (x[1] - p[0]) + (x[2] - p[1]) * (x[2] - p[1])
}

/// The point of Coulomb's cone ‖p_T‖ ≤ μ p_N that is nearest.
pub(super) fn project_cone([n, t1, t2]: [f64; 3], mu: f64) -> [f64; 3] {
    let t = t1.hypotenuse(t2);
    if mu * t <= -n {
        [0.0; 3]
    } else if t <= mu * n {
        [n, t1, t2]
    } else {
        let normal = (n + mu * t) / (1.0 + mu * mu);
        [normal, mu * normal * t1 / t, mu * normal * t2 / t]
    }
}

impl System<'_> {
    /// The scale-free residual.
    pub(super) fn scale_free(&self, r: &[f64], u: &[f64]) -> f64 {
        match self.problem.dimension() {
            1 => self.scale_free_by::<1>(r, u),
            2 => self.scale_free_by::<2>(r, u),
            _ => self.scale_free_by::<3>(r, u),
        }
    }

    fn scale_free_by<const D: usize>(&self, r: &[f64], u: &[f64]) -> f64 {
        let all = 0..self.blocks.len() as u32;
        let sizes = self.sizes_of::<D>(all.clone(), Point::at(r, u));
        // Open contacts have none; where all is open that is most of the work.
        let closed = all.filter(|&i| !self.is_open::<D>(i as usize, r, u));
        self.residuals_in::<D>(closed, Point::at(r, u), sizes, f64::INFINITY).0
    }

    /// Whether a contact carries nothing and does not approach, so that its residual is zero.
    #[inline]
    pub(super) fn is_open<const D: usize>(&self, i: usize, r: &[f64], u: &[f64]) -> bool {
        let block = &self.blocks[i];
        let rests = r[i * D..][..D].iter().all(|r| *r == 0.0);
        rests && u[i * D] >= 0.0 && block.shift == 0.0 && !block.joint
    }

    /// The residual of a contact that is a group by itself, rests and approaches: that of its normal.
    pub(super) fn approach_alone(&self, i: usize, eta: Triple) -> f64 {
        let mut sizes = Sizes::default();
        sizes.add(self.blocks[i].sizes([0.0; 3], eta));
        -eta[0] * sizes.reciprocals().1
    }

    /// The residual of a contact that is a group by itself, with its velocity at hand.
    pub(super) fn residual_alone(&self, i: usize, y: Triple, eta: Triple) -> f64 {
        let mut sizes = Sizes::default();
        sizes.add(self.blocks[i].sizes(y, eta));
        let (per_impulse, per_speed) = sizes.reciprocals();
        let [normal, friction] = self.blocks[i].residual(y, eta, per_impulse).map(|r| r * per_speed);
        if normal > friction || normal.is_nan() { normal } else { friction }
    }

    #[inline]
    pub(super) fn at<const D: usize>(&self, i: u32, point: Point<'_>) -> (&Scaled, Triple, Triple) {
        let i = i as usize;
        let (r, u) = point.rows::<D>(i);
        (&self.blocks[i], self.scaled_impulse(i, &r), self.scaled_velocity(i, &u))
    }

    /// The largest impulse and velocity of some contacts.
    pub(super) fn sizes_of<const D: usize>(&self, contacts: impl Iterator<Item = u32>, point: Point<'_>) -> Sizes {
        let mut sizes = Sizes::default();
        for i in contacts {
            let (block, y, eta) = self.at::<D>(i, point);
            sizes.add(block.sizes(y, eta));
        }
        sizes
    }

    /// Residuals in units of these sizes: the largest entry, the sum of squares and the sizes at hand. Where the sum is more than
    /// `most`, no more than that is sure.
    pub(super) fn residuals_in<const D: usize>(
        &self,
        contacts: impl Iterator<Item = u32>,
        point: Point<'_>,
        sizes: Sizes,
        most: f64,
    ) -> (f64, f64, Sizes) {
        let (per_impulse, per_speed) = sizes.reciprocals();
        let (mut worst, mut sum, mut new) = (0.0f64, 0.0, Sizes::default());
        let add = |worst: &mut f64, sum: &mut f64, residual: f64| {
            let r = residual * per_speed;
            *worst = if r > *worst || r.is_nan() { r } else { *worst };
            *sum += r * r;
        };
        let (mut contacts, mut some) = (contacts, [0; LANES]);
        loop {
            // Not by a list of all, which would have to be made.
            let mut count = 0;
            for (slot, i) in some.iter_mut().zip(&mut contacts) {
                (*slot, count) = (i, count + 1);
            }
            let some = &some[..count];
            if count == 0 || sum > most {
                break;
            }
            if LARGE && let Some(abreast) = Abreast::of::<D>(self, some, point) {
                let ([impulse, speed], [normal, friction]) = (abreast.sizes(), abreast.residuals(per_impulse));
                for k in 0..LANES {
                    new.add((impulse[k], speed[k]));
                    add(&mut worst, &mut sum, normal[k]);
                    add(&mut worst, &mut sum, friction[k]);
                }
                continue;
            }
            for &i in some {
                let (block, y, eta) = self.at::<D>(i, point);
                new.add(block.sizes(y, eta));
                block
                    .residual(y, eta, per_impulse)
                    .into_iter()
                    .for_each(|residual| add(&mut worst, &mut sum, residual));
            }
        }
        (worst, sum, new)
    }
}

/// Impulses and velocities, or what they are some way along a step: looked at contact by contact, they need no lists of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    from: [&'a [f64]; 2],
    /// How far, and along what.
    length: f64,
    step: [&'a [f64]; 2],
}

impl<'a> Point<'a> {
    /// Impulses and velocities themselves.
    #[inline]
    pub(super) fn at(r: &'a [f64], u: &'a [f64]) -> Self {
        Self { from: [r, u], length: 0.0, step: [&[]; 2] }
    }

    /// The same some way along a step.
    pub(super) fn along(r: &'a [f64], u: &'a [f64], length: f64, step: [&'a [f64]; 2]) -> Self {
        Self { from: [r, u], length, step }
    }

    /// The rows of contact `i`.
    #[inline]
    pub(super) fn rows<const D: usize>(self, i: usize) -> ([f64; D], [f64; D]) {
        let at = |k: usize| {
            let from = &self.from[k][i * D..][..D];
            if self.length == 0.0 {
                return std::array::from_fn(|k| from[k]);
            }
            let step = &self.step[k][i * D..][..D];
            std::array::from_fn(|k| from[k] + self.length * step[k])
        };
        (at(0), at(1))
    }
}

/// The largest impulse and velocity, in the units of the checks; velocities that are small beside those of the problem
/// count as these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sizes {
    impulse: f64,
    speed: f64,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { impulse: 0.0, speed: 1.0 }
    }
}

impl Sizes {
    #[inline]
    fn add(&mut self, (impulse, speed): (f64, f64)) {
        (self.impulse, self.speed) = (self.impulse.max(impulse), self.speed.max(speed));
    }

    /// What impulses count beside velocities, and what both count.
    #[inline]
    fn reciprocals(self) -> (f64, f64) {
        (1.0 / (self.impulse / self.speed).max(1.0), 1.0 / self.speed)
    }

    /// The larger of these and other sizes.
    pub(super) fn at_least(mut self, other: Self) -> Self {
        self.add((other.impulse, other.speed));
        self
    }

    /// Whether residuals in units of these and of other sizes are not the same to a tenth.
    pub(super) fn differ(self, other: Self) -> bool {
        // What is no number differs from all.
        let apart = |a: f64, b: f64| (a - b).abs() > 0.1 * b || (a - b).is_nan();
        apart(self.impulse.max(self.speed), other.impulse.max(other.speed)) || apart(self.speed, other.speed)
    }
}
