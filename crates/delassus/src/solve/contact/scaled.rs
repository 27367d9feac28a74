//! Contacts in units in which they compare: unit friction, round disks, G_NN = 1.
//!
//! ```text
//! r = β S y,   u = β S⁻¹ η,   S_N = 1/√G_NN,  S_T = μ_T S_N   ⇒   ‖y_T‖ ≤ y_N + s
//! ```
//!
//! The matrix itself stays as it is; only the blocks at hand are scaled, so that nothing large is stored twice.

use super::LARGE;
use super::problem::{ContactLaw, ContactProblem};
use crate::solve::ellipse::project_ellipse;
use crate::solve::one_contact::OneContact;
use crate::solve::spatial::contact::DiskContact;

/// One contact in its own units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scaled {
    /// Whether u = 0 in all rows, instead of contact.
    pub(super) joint: bool,
    /// How many rows can carry an impulse.
    pub(super) rows: usize,
    /// Whether it is a contact in space with the same friction in all directions, as nearly all are.
    pub(super) round: bool,
    /// Whether it slides whatever the impulses are: along a tangent that nothing moves, as on a belt that runs across.
    pub(super) slides: bool,
    /// Which these are.
    pub(super) index: [u8; 3],
    /// β S of these, 1/(β S) and S/β.
    pub(super) to_r: [f64; 3],
    pub(super) to_y: [f64; 3],
    pub(super) to_eta: [f64; 3],
    /// Size of a tangential impulse of one beside a normal one: μ √(G_TT/G_NN).
    pub(super) weight: [f64; 2],
    /// Its reciprocal.
    pub(super) per_weight: [f64; 2],
    /// s, scaled.
    pub(super) shift: f64,
    /// The diagonal block, scaled.
    pub(super) a: [[f64; 3]; 3],
    /// Whether `a` is symmetric, as it is unless a file says otherwise.
    symmetric: bool,
}

/// A vector of up to three rows that act.
pub(super) type Triple = [f64; 3];

/// Diagonals of rows that joints or fixed bodies block are zero; such rows keep the scale of the largest.
fn scale_of(diagonal: f64, spare: f64) -> f64 {
    if diagonal > 0.0 { diagonal.sqrt() } else { spare }
}

/// All contacts of a problem, scaled; the unit β of velocities u/√G is in their factors.
#[derive(Debug)]
pub(super) struct System<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) blocks: Vec<Scaled>,
}

/// Friction below this carries nothing that numbers can tell from zero; its reciprocal would leave their range.
const LEAST_FRICTION: f64 = 1e-50;
/// Velocities along a tangent that nothing moves count as none up to this, relative to the largest of the problem.
const AT_REST: f64 = 1e-12;
/// How far factors between units may be from one, so that they and their reciprocals are numbers.
const FARTHEST: f64 = 1e240;

/// The units of a problem: what all contacts share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    /// √G of rows that nothing moves, which is the largest, and the least √G.
    spare: f64,
    least: f64,
    /// The least diagonal entry of all.
    lowest: f64,
    /// β, the largest velocity u/√G; never so small that impulses and velocities in it would leave the range of numbers.
    speed: f64,
}

impl Units {
    pub(super) fn of(problem: &ContactProblem) -> Self {
        let d = problem.dimension();
        let (mut least, mut largest, mut lowest) = (f64::INFINITY, 0.0f64, 0.0f64);
        for i in 0..problem.contacts() {
            for &g in problem.matrix.diagonal(i).iter().step_by(d + 1) {
                least = least.min(if g > 0.0 { g } else { f64::INFINITY });
                (lowest, largest) = (lowest.min(g), largest.max(g));
            }
        }
        (least, largest) = (least.sqrt(), largest.sqrt());
        let mut units = if largest > 0.0 {
            Self { spare: largest, least, lowest, speed: 0.0 }
        } else {
            Self { spare: 1.0, least: 1.0, lowest, speed: 0.0 }
        };
        for i in 0..problem.contacts() {
            let g = problem.matrix.diagonal(i);
            for (k, q) in problem.vector[i * d..][..d].iter().enumerate() {
                let g = g[k * (d + 1)];
                if *q != 0.0 && !units.exceed(*q, g) {
                    units.speed = units.speed.max(q.abs() / units.size(g));
                }
            }
            if let ContactLaw::Contact { shift, .. } = problem.laws[i]
                && shift != 0.0
            {
                units.speed = units.speed.max(shift * units.size(g[0]));
            }
        }
        let floor = if largest > 0.0 { largest.max(1.0 / least) / FARTHEST } else { 1.0 / FARTHEST };
        units.speed = if units.speed > 0.0 { units.speed.max(floor) } else { 1.0 };
        units
    }

    /// Whether β so far is larger than that of a row by more than round-off: told by squares, without a root and a quotient, and
    /// not where these might leave the range of numbers.
    #[inline]
    fn exceed(self, q: f64, diagonal: f64) -> bool {
        let square = self.speed * self.speed;
        let bound = 0.99 * square * diagonal;
        q * q < bound && (TINY..1.0 / TINY).contains(&bound) && square > TINY
    }

    /// √G of a row, from its diagonal entry.
    fn size(self, diagonal: f64) -> f64 {
        scale_of(diagonal, self.spare)
    }

    /// Whether all diagonal entries are zero or from the reciprocal of this to this.
    pub(super) fn diagonals_within(self, most: f64) -> bool {
        let (least, largest) = (self.least * self.least, self.spare * self.spare);
        self.lowest >= 0.0 && 1.01 / most <= least && largest <= 0.99 * most
    }

    /// Whether that is so of all rows with friction up to this.
    pub(super) fn fit_all(self, friction: f64) -> bool {
        self.speed * friction.max(1.0) / self.least <= MOST && self.speed * self.spare <= MOST
    }

    /// Whether the impulse β/√G and the velocity β√G of a row with this diagonal entry are numbers to compute with.
    pub(super) fn fit(self, diagonal: f64, friction: f64) -> bool {
        let size = self.size(diagonal);
        self.speed * friction.max(1.0) / size <= MOST && self.speed * size <= MOST
    }
}

/// Entries that differ by no more than this from their mirror image, relative to the diagonal, do so by round-off.
const SYMMETRIC: f64 = 1e-12;
/// Squares from here to the reciprocal have all their digits.
const TINY: f64 = 1e-290;
/// Impulses and velocities beyond this are refused.
const MOST: f64 = 1e290;

impl<'a> System<'a> {
    pub(super) fn new(problem: &'a ContactProblem) -> Self {
        Self::with(problem, Units::of(problem))
    }

    /// The same in units that are known.
    pub(super) fn with(problem: &'a ContactProblem, units: Units) -> Self {
        // Filled in where they stay: copying them there took a tenth of problems that need no search.
        let mut blocks = vec![Scaled::NOTHING; problem.contacts()];
        blocks.iter_mut().enumerate().for_each(|(i, block)| block.fill(problem, i, units));
        Self { problem, blocks }
    }

    /// y of contact `i`.
    #[inline]
    pub(super) fn impulse<const D: usize>(&self, i: usize, r: &[f64]) -> Triple {
        self.scaled_impulse(i, &r[i * D..][..D])
    }

    /// y of contact `i` from the rows of its r.
    #[inline]
    pub(super) fn scaled_impulse(&self, i: usize, r: &[f64]) -> Triple {
        let block = &self.blocks[i];
        let mut y = [0.0; 3];
        for k in 0..block.rows {
            y[k] = r[block.index[k] as usize] * block.to_y[k];
        }
        y
    }

    /// Writes y of contact `i`.
    #[inline]
    pub(super) fn set_impulse<const D: usize>(&self, i: usize, y: Triple, r: &mut [f64]) {
        let block = &self.blocks[i];
        for k in 0..block.rows {
            r[i * D + block.index[k] as usize] = block.to_r[k] * y[k];
        }
    }

    /// y of some contacts, three numbers each.
    pub(super) fn gather<const D: usize>(&self, contacts: &[u32], r: &[f64], y: &mut Vec<f64>) {
        y.clear();
        contacts.iter().for_each(|&i| y.extend(self.impulse::<D>(i as usize, r)));
    }

    /// Writes y of some contacts, moved into their sets.
    pub(super) fn scatter<const D: usize>(&self, contacts: &[u32], y: &[f64], r: &mut [f64]) {
        for (y, &i) in y.chunks_exact(3).zip(contacts) {
            let y = self.blocks[i as usize].project([y[0], y[1], y[2]]);
            self.set_impulse::<D>(i as usize, y, r);
        }
    }

    /// η of contact `i` from the rows of its u.
    #[inline]
    pub(super) fn scaled_velocity(&self, i: usize, u: &[f64]) -> Triple {
        let block = &self.blocks[i];
        let mut eta = [0.0; 3];
        for k in 0..block.rows {
            eta[k] = block.to_eta[k] * u[block.index[k] as usize];
        }
        eta
    }

    /// η of contact `i` for the impulses r.
    #[inline]
    pub(super) fn velocity<const D: usize>(&self, i: usize, r: &[f64]) -> Triple {
        let mut u = self.problem.matrix.row_product::<D>(i, r);
        u.iter_mut().zip(&self.problem.vector[i * D..]).for_each(|(u, q)| *u += q);
        self.scaled_velocity(i, &u)
    }

    /// u = G r + q of some contacts.
    pub(super) fn velocities<const D: usize>(&self, contacts: &[u32], r: &[f64], u: &mut [f64]) {
        for &i in contacts {
            let rows = i as usize * D..(i as usize + 1) * D;
            let product = self.problem.matrix.row_product::<D>(i as usize, r);
            u[rows.clone()]
                .iter_mut()
                .zip(product.iter().zip(&self.problem.vector[rows]))
                .for_each(|(u, (p, q))| *u = p + q);
        }
    }
}

impl Scaled {
    /// A contact that nothing acts on.
    const NOTHING: Self = Self {
        joint: false,
        rows: 0,
        round: false,
        slides: false,
        index: [0, 1, 2],
        to_r: [0.0; 3],
        to_y: [0.0; 3],
        to_eta: [0.0; 3],
        weight: [0.0; 2],
        per_weight: [0.0; 2],
        shift: 0.0,
        a: [[0.0; 3]; 3],
        symmetric: true,
    };

    /// Makes contact `i` of nothing.
    #[inline]
    fn fill(&mut self, problem: &ContactProblem, i: usize, Units { spare, speed: unit, .. }: Units) {
        let block = self;
        let d = problem.dimension();
        let g = problem.matrix.diagonal(i);
        let root = |k: usize| scale_of(g[k * (d + 1)], spare);
        let mut scale = [0.0; 3];
        match problem.laws[i] {
            ContactLaw::Joint => {
                block.joint = true;
                for k in (0..d).filter(|&k| g[k * (d + 1)] > 0.0) {
                    block.index[block.rows] = k as u8;
                    scale[block.rows] = 1.0 / root(k);
                    block.rows += 1;
                }
            }
            ContactLaw::Contact { friction, shift } => {
                let s_n = 1.0 / root(0);
                (block.rows, scale[0], block.shift) = (1, s_n, shift.max(0.0) / s_n / unit);
                let squares: f64 = (1..d).map(|k| g[k * (d + 1)]).sum();
                let s_t = scale_of(squares / (d - 1).max(1) as f64, spare);
                // Where nothing moves a tangent that slides, friction points against what it slides by.
                let slides = |k: usize| LARGE && problem.vector[i * d + k].abs() > AT_REST * unit * s_t;
                for k in (1..d).filter(|&k| friction[k - 1] > LEAST_FRICTION) {
                    let blocked = g[k * (d + 1)] <= 0.0;
                    if blocked && !slides(k) {
                        continue;
                    }
                    block.slides |= blocked;
                    block.index[block.rows] = k as u8;
                    scale[block.rows] = friction[k - 1] * s_n;
                    block.weight[block.rows - 1] = friction[k - 1] * s_t * s_n;
                    block.per_weight[block.rows - 1] = 1.0 / block.weight[block.rows - 1];
                    block.rows += 1;
                }
            }
        }
        block.round = !block.joint && block.rows == 3 && block.weight[0] == block.weight[1];
        for k in 0..block.rows {
            block.to_r[k] = unit * scale[k];
            block.to_y[k] = 1.0 / block.to_r[k];
            block.to_eta[k] = scale[k] / unit;
            for l in 0..block.rows {
                let entry = g[block.index[k] as usize * d + block.index[l] as usize];
                block.a[k][l] = scale[k] * entry * scale[l];
            }
        }
        let a = &block.a;
        let alike = |k: usize, l: usize| {
            a[k][l] == a[l][k] || (a[k][l] - a[l][k]).abs() <= SYMMETRIC * (a[k][k] * a[l][l]).sqrt()
        };
        block.symmetric = alike(0, 1) && alike(0, 2) && alike(1, 2);
    }

    /// Entry (k, l) of the block that couples this contact with another, scaled.
    #[inline]
    pub(super) fn coupling(&self, k: usize, other: &Self, l: usize, g: &[f64], d: usize) -> f64 {
        self.to_eta[k] * g[self.index[k] as usize * d + other.index[l] as usize] * other.to_r[l]
    }

    /// Velocity without the contact's own impulse.
    #[inline]
    pub(super) fn without_own(&self, eta: Triple, y: Triple) -> Triple {
        // Rows that do not act are zero in a and y.
        std::array::from_fn(|k| eta[k] - self.a[k][0] * y[0] - self.a[k][1] * y[1] - self.a[k][2] * y[2])
    }

    /// The impulse of this contact alone, for the velocity q that it has without any; y is its impulse so far.
    #[inline]
    pub(super) fn solve(&self, q: Triple, y: Triple) -> Triple {
        if self.joint {
            return self.solve_joint(q, y);
        }
        let (a, load) = if self.symmetric { (self.a, q) } else { self.even(q, y) };
        let found = match self.rows {
            1 => Some([if load[0] >= 0.0 || a[0][0] <= 0.0 { 0.0 } else { -load[0] / a[0][0] }, 0.0, 0.0]),
            2 => {
                // Planar friction, in units in which impulses and velocities compare.
                let w = self.weight[0];
                let contact = OneContact {
                    matrix: [a[0][0], a[0][1] / w, a[1][1] / (w * w)],
                    vector: [load[0], load[1] / w],
                    friction: w,
                    shift: self.shift,
                };
                contact.solve().map(|(x, _)| [x[0], x[1] / w, 0.0])
            }
            _ => DiskContact { a, q: load, shift: self.shift }.solve([y[1], y[2]]),
        };
        found.unwrap_or_else(|| self.projected_step(q, y))
    }

    /// The symmetric part of `a`, which is what one contact is solved with, and q with what the rest does with the impulse so
    /// far: where impulses no longer change they are right.
    #[cold]
    fn even(&self, q: Triple, y: Triple) -> ([Triple; 3], Triple) {
        let half = |k: usize, l: usize| 0.5 * (self.a[k][l] + self.a[l][k]);
        let even: [Triple; 3] = std::array::from_fn(|k| std::array::from_fn(|l| half(k, l)));
        let rest = |k: usize| (0..3).map(|l| (self.a[k][l] - even[k][l]) * y[l]).sum::<f64>();
        (even, std::array::from_fn(|k| q[k] + rest(k)))
    }

    /// Where no case of a contact holds (a nearly singular or supercritical one): one projected step,
    /// which keeps the impulse in its cone.
    fn projected_step(&self, q: Triple, y: Triple) -> Triple {
        let velocity = |i: usize| q[i] + self.a[i][0] * y[0] + self.a[i][1] * y[1] + self.a[i][2] * y[2];
        let normal = if self.a[0][0] > 0.0 { y[0] - velocity(0) / self.a[0][0] } else { 0.0 };
        let largest = self.a[1][1].max(self.a[2][2]);
        let mut t = [y[1], y[2]];
        if largest > 0.0 {
            t = [y[1] - velocity(1) / largest, y[2] - velocity(2) / largest];
        }
        self.project([normal, t[0], t[1]])
    }

    /// Each row of a joint by itself.
    fn solve_joint(&self, q: Triple, mut y: Triple) -> Triple {
        for _ in 0..self.rows {
            for k in 0..self.rows {
                let others: f64 = (0..self.rows).filter(|&l| l != k).map(|l| self.a[k][l] * y[l]).sum();
                y[k] = -(q[k] + others) / self.a[k][k];
            }
        }
        y
    }

    /// The point of the set with this normal impulse, if positive, that is nearest in the tangents.
    #[inline]
    pub(super) fn project(&self, y: Triple) -> Triple {
        if self.joint {
            return y;
        }
        let normal = y[0].max(0.0);
        let (length, radius) = ((y[1] * y[1] + y[2] * y[2]).sqrt(), normal + self.shift);
        let cut = if length > radius { radius / length } else { 1.0 };
        [normal, y[1] * cut, y[2] * cut]
    }

    /// Largest impulse and velocity in the units of the checks.
    #[inline]
    pub(super) fn sizes(&self, y: Triple, eta: Triple) -> (f64, f64) {
        let (mut impulse, mut speed) = (y[0].abs(), eta[0].abs());
        for k in 1..self.rows {
            let (w, per_w) = if self.joint { (1.0, 1.0) } else { (self.weight[k - 1], self.per_weight[k - 1]) };
            impulse = impulse.max((w * y[k]).abs());
            speed = speed.max((eta[k] * per_w).abs());
        }
        (impulse, speed)
    }

    /// Residuals of the rows in the units of the checks: normal, then friction (or those of a joint's rows);
    /// impulses count `per_impulse`.
    #[inline]
    pub(super) fn residual(&self, y: Triple, eta: Triple, per_impulse: f64) -> [f64; 2] {
        if self.joint {
            return [(0..self.rows).map(|k| eta[k] * eta[k]).sum::<f64>().sqrt(), 0.0];
        }
        let normal = (y[0] * per_impulse).min(eta[0]).abs();
        let radius = y[0].max(0.0) + self.shift;
        let ([u, v], [per_u, per_v]) = (self.weight, self.per_weight);
        let friction = match self.rows {
            2 => {
                let (x, xi, limit) = (u * y[1], eta[1] * per_u, u * radius);
                // Not by `clamp`, which panics where impulses have overflowed.
                (x + (xi - x).max(-limit).min(limit)).abs() * per_impulse
            }
            3 => {
                let x = [u * y[1], v * y[2]];
                let xi = [eta[1] * per_u, eta[2] * per_v];
                let z = [xi[0] - x[0], xi[1] - x[1]];
                let p = if u == v {
                    let length = (z[0] * z[0] + z[1] * z[1]).sqrt();
                    let cut = if length > u * radius { u * radius / length } else { 1.0 };
                    [z[0] * cut, z[1] * cut]
                } else {
                    project_ellipse(z, [u * radius, v * radius])
                };
                let off = [x[0] + p[0], x[1] + p[1]];
                (off[0] * off[0] + off[1] * off[1]).sqrt() * per_impulse
            }
            _ => 0.0,
        };
        [normal, friction]
    }
}
