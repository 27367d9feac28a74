//! Newton's linear systems without factors: BiCGStab between the halves of a symmetric Gauss–Seidel sweep.
//!
//! A row of the system is P_i A_i· + Q_i (see [`newton`](super::newton)). Scaled by its diagonal block D_i it is
//! J = L + 1 + U, whose blocks beside the diagonal are D_i⁻¹P_i A_ij, and the system that is iterated on is
//!
//! ```text
//! (1 + L)⁻¹ J (1 + U)⁻¹ y = (1 + L)⁻¹ b,     x = (1 + U)⁻¹ y
//! (1 + L)⁻¹ J (1 + U)⁻¹ y = t + (1 + L)⁻¹ (y − t),     t = (1 + U)⁻¹ y        [E 1981]
//! ```
//!
//! so that an application costs two halves of a product, no more than a product with J alone. What takes the time is
//! reading blocks from memory: of A_ij and its mirror image only one is kept, by which rows after it gather and rows before it
//! are added to, only between contacts that are not open, and in single precision. That is enough for a step of Newton's method,
//! whose residual is computed in full. The next step with the same open contacts has the same blocks.

use super::LARGE;
use super::factor::inverse;
use super::linearise::{Law, Linear};
use super::scaled::{Scaled, System, Triple};
use crate::budget::Budget;

/// Three numbers of a contact, and one that is zero: four are one register.
type Quad = [f32; 4];
/// The response of a contact by its columns, or a block of A by its diagonals: entry (m, l) is number l of diagonal l − m, counted
/// around. So neither what a block gathers nor what its mirror image adds moves numbers within registers, block by block.
type Block = [Quad; 3];

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct Krylov {
    /// Blocks of A left of the diagonal, row by row; those of row k are `start[k]..start[k + 1]`.
    start: Vec<usize>,
    column: Vec<u32>,
    block: Vec<Block>,
    /// The active contacts that these are of.
    active: Vec<u32>,
    /// D⁻¹P of each row by its columns.
    response: Vec<Block>,
    /// Place of each contact among the active ones.
    place: Vec<u32>,
    /// Units of the impulses of the active ones.
    to_r: Vec<Triple>,
    /// r (and s, in between), r̂, p, v, t and y.
    vectors: [Vec<Quad>; 6],
    /// t = (1 + U)⁻¹ y; zeros between applications.
    halfway: Vec<Quad>,
    /// (1 + L)⁻¹ (y − t).
    swept: Vec<Quad>,
}

/// Contacts that are not open, with what their rows are.
pub(super) struct Rows<'a, 'b> {
    pub(super) system: &'a System<'b>,
    /// Increasing.
    pub(super) active: &'a [u32],
    pub(super) epsilon: f64,
    /// Rows that are there, and the place of each contact among them.
    pub(super) rows: &'a [Linear],
    pub(super) place: &'a [u32],
    /// What the others are: the laws with these impulses and velocities.
    pub(super) law: Law,
    pub(super) r: &'a [f64],
    pub(super) u: &'a [f64],
}

impl Rows<'_, '_> {
    /// The rows of a contact.
    #[inline]
    pub(super) fn of<const D: usize>(&self, contact: u32) -> Linear {
        match self.rows.get(self.place[contact as usize] as usize) {
            Some(rows) => *rows,
            None => self.law.at::<D>(self.system, contact, self.r, self.u),
        }
    }
}

const NONE: u32 = u32::MAX;
/// A sum in four parts, one for each number of a register: nothing waits for the sum across them.
type Parts = [f64; 4];

#[inline(always)]
fn add_product(sum: &mut Parts, a: &Quad, b: &Quad) {
    sum.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += f64::from(a * b));
}

#[inline(always)]
fn total(parts: Parts) -> f64 {
    (parts[0] + parts[1]) + (parts[2] + parts[3])
}

fn dot(a: &[Quad], b: &[Quad]) -> f64 {
    let mut sums = [[0.0; 4]; 2];
    // Two at a time, because each sum waits for the one before.
    let (pairs_a, pairs_b) = (a.chunks_exact(2), b.chunks_exact(2));
    let (last_a, last_b) = (pairs_a.remainder(), pairs_b.remainder());
    for (a, b) in pairs_a.zip(pairs_b) {
        add_product(&mut sums[0], &a[0], &b[0]);
        add_product(&mut sums[1], &a[1], &b[1]);
    }
    last_a.iter().zip(last_b).for_each(|(a, b)| add_product(&mut sums[0], a, b));
    total(sums[0]) + total(sums[1])
}

/// a·a and a·b in one go.
fn dots(a: &[Quad], b: &[Quad]) -> (f64, f64) {
    let mut sums = [[0.0; 4]; 2];
    for (a, b) in a.iter().zip(b) {
        add_product(&mut sums[0], a, a);
        add_product(&mut sums[1], a, b);
    }
    (total(sums[0]), total(sums[1]))
}

/// a + factor · b.
#[inline(always)]
fn sum(a: Quad, factor: f32, b: Quad) -> Quad {
    std::array::from_fn(|k| a[k] + factor * b[k])
}

fn times(m: &[Triple; 3], v: Triple) -> Triple {
    std::array::from_fn(|k| m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2])
}

impl Krylov {
    /// Solves for `x` (in the order of the active contacts) until the residual, swept, is below `tolerance` of the right-hand
    /// side or `limit` iterations are made; returns these, or `None` where the budget ended or it broke down.
    pub(super) fn solve<const D: usize>(
        &mut self,
        rows: &Rows<'_, '_>,
        rhs: impl Fn(u32, &Linear) -> Triple,
        tolerance: f64,
        limit: usize,
        budget: &mut Budget<'_>,
        x: &mut [Triple],
    ) -> Option<usize> {
        let n = rows.active.len();
        let mut vectors = std::mem::take(&mut self.vectors);
        vectors.iter_mut().for_each(|v| {
            v.clear();
            v.resize(n, [0.0; 4]);
        });
        let [r, shadow, p, v, t, y] = &mut vectors;
        for list in [&mut self.halfway, &mut self.swept] {
            list.clear();
            list.resize(n, [0.0; 4]);
        }
        // Right-hand sides shrink with the residual; in units of their largest they keep their digits.
        let unit = self.prepare::<D>(rows, rhs, t)?;
        self.lower(t, r);
        shadow.copy_from_slice(r);
        // r̂·r of the iteration to come.
        let mut next = dot(r, r);
        let size = next.sqrt();
        let cost = self.cost();
        let (mut rho, mut alpha, mut omega) = (1.0, 1.0, 1.0);
        let mut made = None;
        for iteration in 1..=limit {
            if !budget.work(cost) {
                break;
            }
            let beta = next / rho * (alpha / omega);
            if !beta.is_finite() || next == 0.0 {
                break;
            }
            rho = next;
            for ((p, r), v) in p.iter_mut().zip(&*r).zip(&*v) {
                *p = sum(*r, beta as f32, sum(*p, -omega as f32, *v));
            }
            self.apply(p, v);
            alpha = rho / dot(shadow, v);
            // s = r − αv takes the place of r.
            for (r, v) in r.iter_mut().zip(&*v) {
                *r = sum(*r, -alpha as f32, *v);
            }
            self.apply(r, t);
            let (square, along) = dots(t, r);
            omega = if square > 0.0 { along / square } else { 0.0 };
            let mut sums = [[0.0; 4]; 2];
            let updates = y.iter_mut().zip(r.iter_mut()).zip(&*p).zip(t.iter().zip(&*shadow));
            for (((y, r), p), (t, shadow)) in updates {
                *y = sum(sum(*y, alpha as f32, *p), omega as f32, *r);
                *r = sum(*r, -omega as f32, *t);
                add_product(&mut sums[0], r, r);
                add_product(&mut sums[1], shadow, r);
            }
            let left = total(sums[0]).sqrt();
            next = total(sums[1]);
            if !left.is_finite() {
                made = None;
                break;
            }
            made = Some(iteration);
            if left <= tolerance * size || omega == 0.0 {
                break;
            }
        }
        self.upper(y);
        for (x, y) in x.iter_mut().zip(&self.halfway) {
            *x = std::array::from_fn(|k| unit * f64::from(y[k]));
        }
        self.vectors = vectors;
        made
    }

    /// J, and D⁻¹b in units that are returned.
    fn prepare<const D: usize>(
        &mut self,
        rows: &Rows<'_, '_>,
        b: impl Fn(u32, &Linear) -> Triple,
        out: &mut [Quad],
    ) -> Option<f64> {
        if self.active != rows.active {
            self.gather_blocks::<D>(rows);
        }
        self.response.clear();
        let mut scaled = Vec::with_capacity(out.len());
        let mut unit = 0.0f64;
        for &i in rows.active {
            let (block, linear) = (&rows.system.blocks[i as usize], rows.of::<D>(i));
            let mut a = block.a;
            (0..3).for_each(|k| a[k][k] *= 1.0 + rows.epsilon);
            let identity = |k: usize, l: usize| if k == l { 1.0 } else { 0.0 };
            let entry = |k: usize, l: usize| {
                let product: f64 = linear.p[k].iter().zip(&a).map(|(p, a)| p * a[l]).sum();
                if k < block.rows { linear.q[k][l] + product } else { identity(k, l) }
            };
            let j: [Triple; 3] = std::array::from_fn(|k| std::array::from_fn(|l| entry(k, l)));
            let inverse = inverse(&j)?;
            let mut response = [[0.0; 4]; 3];
            for (k, row) in inverse.iter().enumerate() {
                for (l, column) in response.iter_mut().enumerate().take(block.rows) {
                    column[k] = (0..3).map(|m| row[m] * linear.p[m][l]).sum::<f64>() as f32;
                }
            }
            self.response.push(response);
            let b = times(&inverse, b(i, &linear));
            unit = b.iter().fold(unit, |m, v| m.max(v.abs()));
            scaled.push(b);
        }
        let unit = if unit > 0.0 && unit.is_finite() { unit } else { 1.0 };
        for (out, b) in out.iter_mut().zip(scaled) {
            *out = [(b[0] / unit) as f32, (b[1] / unit) as f32, (b[2] / unit) as f32, 0.0];
        }
        Some(unit)
    }

    /// Blocks of A between active contacts.
    fn gather_blocks<const D: usize>(&mut self, rows: &Rows<'_, '_>) {
        let system = rows.system;
        self.active.clear();
        self.active.extend_from_slice(rows.active);
        self.place.clear();
        self.place.resize(system.blocks.len(), NONE);
        self.start.clear();
        self.start.push(0);
        self.column.clear();
        self.block.clear();
        // Room for all that there can be, so that lists need not be copied to grow; what is not used takes no memory.
        let most = rows.active.iter().map(|&i| system.problem.matrix.row(i as usize).0.len()).sum::<usize>() / 2;
        self.column.reserve(most);
        self.block.reserve(most);
        let whole = LARGE && D == 3 && rows.active.iter().all(|&i| system.blocks[i as usize].rows == 3);
        // Contacts beside one lie apart in memory; what is needed of all is put together.
        self.to_r.clear();
        self.to_r.extend(rows.active.iter().map(|&i| system.blocks[i as usize].to_r));
        for (k, &i) in rows.active.iter().enumerate() {
            let own = &system.blocks[i as usize];
            let (columns, values) = system.problem.matrix.row(i as usize);
            for (&j, g) in columns.iter().zip(values.chunks_exact(D * D)).take_while(|(j, _)| **j < i) {
                // Only contacts before this one have a place yet.
                let place = self.place[j as usize];
                if place == NONE {
                    continue;
                }
                self.column.push(place);
                self.block.push(if whole {
                    whole_block(&own.to_eta, g, &self.to_r[place as usize])
                } else {
                    scaled_block::<D>(own, g, &system.blocks[j as usize])
                });
            }
            self.place[i as usize] = k as u32;
            self.start.push(self.block.len());
        }
    }

    /// b less D⁻¹P of a row times velocities. Rows wait for each other, so sums are short: two and two.
    #[inline(always)]
    fn less_response(&self, b: Quad, k: usize, eta: Quad) -> Quad {
        let [x, y, z] = &self.response[k];
        // The fourth number is zero; that it takes part keeps the four in one register.
        std::array::from_fn(|c| ((b[c] - eta[3]) - x[c] * eta[0]) - (y[c] * eta[1] + z[c] * eta[2]))
    }

    /// `right` less D⁻¹P times the sum of the blocks of a row with what they act on.
    #[inline(always)]
    fn less_product(&self, right: Quad, k: usize, x: &[Quad]) -> Quad {
        let mut sums = [[0.0; 4]; 3];
        for (&j, block) in self.blocks(k) {
            let x = x[j as usize];
            sums = std::array::from_fn(|d| std::array::from_fn(|c| sums[d][c] + block[d][c] * x[c]));
        }
        let [a, b, c] = sums;
        // Each diagonal back to its rows.
        let (b, c) = ([b[1], b[2], b[0], b[3]], [c[2], c[0], c[1], c[3]]);
        self.less_response(right, k, std::array::from_fn(|k| a[k] + b[k] + c[k]))
    }

    /// Blocks of a row with their columns.
    #[inline(always)]
    fn blocks(&self, k: usize) -> impl Iterator<Item = (&u32, &Block)> {
        let (from, to) = (self.start[k], self.start[k + 1]);
        self.column[from..to].iter().zip(&self.block[from..to])
    }

    /// out := t + (1 + L)⁻¹ (y − t) with t = (1 + U)⁻¹ y.
    fn apply(&mut self, y: &[Quad], out: &mut [Quad]) {
        self.upper(y);
        let mut swept = std::mem::take(&mut self.swept);
        for (k, (y, out)) in y.iter().zip(out).enumerate() {
            let t = std::mem::take(&mut self.halfway[k]);
            swept[k] = self.less_product(sum(*y, -1.0, t), k, &swept);
            *out = sum(swept[k], 1.0, t);
        }
        self.swept = swept;
    }

    /// `halfway`, which is zero, becomes (1 + U)⁻¹ b.
    fn upper(&mut self, b: &[Quad]) {
        let mut z = std::mem::take(&mut self.halfway);
        for k in (0..b.len()).rev() {
            // All rows after this one have added to it.
            z[k] = self.less_response(b[k], k, z[k]);
            let own = z[k];
            let (next, last) = ([own[2], own[0], own[1], own[3]], [own[1], own[2], own[0], own[3]]);
            for (&j, [a, b, c]) in self.blocks(k) {
                let z = &mut z[j as usize];
                *z = std::array::from_fn(|k| (z[k] + a[k] * own[k]) + (b[k] * next[k] + c[k] * last[k]));
            }
        }
        self.halfway = z;
    }

    /// out := (1 + L)⁻¹ b.
    fn lower(&mut self, b: &[Quad], out: &mut [Quad]) {
        let mut swept = std::mem::take(&mut self.swept);
        for (k, b) in b.iter().enumerate() {
            swept[k] = self.less_product(*b, k, &swept);
        }
        out.copy_from_slice(&swept[..b.len()]);
        self.swept = swept;
    }

    /// Multiplications of one iteration.
    pub(super) fn cost(&self) -> f64 {
        36.0 * self.block.len() as f64
    }
}

/// A_ij by its diagonals. The numbers of A are near one in any units, so that single precision has room for them.
#[inline(always)]
fn scaled_block<const D: usize>(own: &Scaled, g: &[f64], other: &Scaled) -> Block {
    let mut block = [[0.0; 4]; 3];
    for m in 0..own.rows {
        for l in 0..other.rows {
            block[(l + 3 - m) % 3][l] = own.coupling(m, other, l, g, D) as f32;
        }
    }
    block
}

/// The same where all rows of both contacts act.
#[inline(always)]
fn whole_block(to_eta: &Triple, g: &[f64], to_r: &Triple) -> Block {
    let g: &[f64; 9] = g.try_into().expect("three rows and columns");
    let entry = |m: usize, l: usize| (to_eta[m] * g[3 * m + l] * to_r[l]) as f32;
    std::array::from_fn(|d| [entry((3 - d) % 3, 0), entry((4 - d) % 3, 1), entry(2 - d, 2), 0.0])
}

#[cfg(test)]
mod tests {
    use super::super::linearise::fill_row;
    use super::super::{BlockMatrix, ContactLaw, ContactProblem};
    use super::*;

    /// Contacts in a row, each beside the next two, with blocks that differ from their mirror images; the last has no friction.
    fn problem() -> ContactProblem {
        let beside = [0.2, 0.1, -0.3, 0.05, 0.15, 0.1, -0.1, 0.25, 0.3];
        let mirrored: Vec<f64> = (0..9).map(|k| beside[k % 3 * 3 + k / 3]).collect();
        let own = [2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1.7];
        let pairs = (0..7).flat_map(|i: usize| (i + 1..(i + 3).min(7)).map(move |j| (i, j)));
        let blocks = pairs.flat_map(|(i, j)| [(i, j, &beside[..]), (j, i, &mirrored[..])]);
        let matrix = BlockMatrix::from_blocks(3, 7, blocks.chain((0..7).map(|i| (i, i, &own[..]))));
        let mut problem = ContactProblem::coulomb(matrix, vec![-1.0; 21], &[0.3, 0.5, 0.2, 0.4, 0.6, 0.3, 0.5]);
        problem.laws[6] = ContactLaw::coulomb(0.0);
        problem
    }

    /// What is missing in the rows of J x = b with the x that is found, and iterations.
    fn missing(krylov: &mut Krylov, active: &[u32], r: &[f64], u: &[f64]) -> (f64, usize) {
        let (problem, mut place) = (problem(), vec![NONE; 7]);
        let (system, epsilon, law) = (System::new(&problem), 0.01, Law { delta: 0.0, regular: 1e-9 });
        active.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k as u32);
        let rows = Rows { system: &system, active, epsilon, rows: &[], place: &place, law, r, u };
        let rhs = |i: u32, _: &Linear| if i == 6 { [0.3, 0.0, 0.0] } else { [1.0, -0.5, 0.2 * f64::from(i)] };
        let mut x = vec![[0.0; 3]; active.len()];
        let made = krylov.solve::<3>(&rows, rhs, 1e-6, 60, &mut Budget::unlimited(), &mut x).unwrap();
        let mut worst = 0.0f64;
        for &i in active {
            let (linear, mut row) = (rows.of::<3>(i), vec![[[0.0; 3]; 3]; active.len()]);
            assert!(!linear.open);
            fill_row::<3>(&system, i as usize, &linear, epsilon, |j| place[j], &mut row);
            let b = rhs(i, &linear);
            for k in 0..3 {
                let product: f64 = row.iter().zip(&x).map(|(a, x)| (0..3).map(|l| a[k][l] * x[l]).sum::<f64>()).sum();
                worst = worst.max((product - b[k]).abs());
            }
        }
        (worst, made)
    }

    #[test]
    fn systems_are_solved_also_by_blocks_of_the_step_before() {
        let (mut krylov, mut r, u) = (Krylov::default(), vec![0.0; 21], vec![-0.4; 21]);
        r.iter_mut().step_by(3).for_each(|r| *r = 0.2);
        let all = [0, 1, 2, 3, 4, 5, 6];
        let (worst, made) = missing(&mut krylov, &all, &r, &u);
        assert!(worst < 1e-5 && made > 1, "{worst:e} in {made}");
        // Other states with the same contacts: some of them stick now.
        r[0] = 5.0;
        r[9] = 7.0;
        assert!(missing(&mut krylov, &all, &r, &u).0 < 1e-5);
        // Other contacts, as many, and the same as anew.
        for active in [&all[1..], &all[..6], &[0, 2, 3, 5, 6]] {
            let (worst, made) = missing(&mut krylov, active, &r, &u);
            assert!(worst < 1e-5, "{active:?}: {worst:e}");
            assert_eq!((worst, made), missing(&mut Krylov::default(), active, &r, &u));
        }
    }
}
