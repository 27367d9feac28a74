//! Newton's linear systems without factors: BiCGStab between the halves of a symmetric Gauss–Seidel sweep.
//!
//! A row of the system is P_i A_i· + Q_i (see [`newton`](super::newton)). Scaled by its diagonal block it is
//! J = L + 1 + U, and the system that is iterated on is
//!
//! ```text
//! (1 + L)⁻¹ J (1 + U)⁻¹ y = (1 + L)⁻¹ b,     x = (1 + U)⁻¹ y
//! (1 + L)⁻¹ J (1 + U)⁻¹ y = t + (1 + L)⁻¹ (y − t),     t = (1 + U)⁻¹ y        [E 1981]
//! ```
//!
//! so that an application costs two halves of a product, no more than a product with J alone. What takes the time is
//! reading J from memory: only blocks between contacts that are not open are kept, in single precision. That is enough
//! for a step of Newton's method, whose residual is computed in full.

use super::LARGE;
use super::factor::inverse;
use super::linearise::{Law, Linear};
use super::scaled::{Scaled, System, Triple};
use crate::budget::Budget;

/// Three numbers of a contact, and one that is zero: four are one register.
type Quad = [f32; 4];
/// A block by its columns.
type Block = [Quad; 3];

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct Krylov {
    /// Blocks of J beside the diagonal, row by row; those of row k left of it are `start[k]..middle[k]`.
    start: Vec<usize>,
    middle: Vec<usize>,
    column: Vec<u32>,
    block: Vec<Block>,
    /// Place of each contact among the active ones.
    place: Vec<u32>,
    /// Units of the impulses of the active ones.
    to_r: Vec<Triple>,
    /// r (and s, in between), r̂, p, v, t and y.
    vectors: [Vec<Quad>; 6],
    /// t = (1 + U)⁻¹ y.
    halfway: Vec<Quad>,
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
        self.halfway.clear();
        self.halfway.resize(n, [0.0; 4]);
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
        let system = rows.system;
        self.place.clear();
        self.place.resize(system.blocks.len(), NONE);
        rows.active.iter().enumerate().for_each(|(k, &i)| self.place[i as usize] = k as u32);
        self.start.clear();
        self.start.push(0);
        self.middle.clear();
        self.column.clear();
        self.block.clear();
        // Room for all that there can be, so that lists need not be copied to grow; what is not used takes no memory.
        let most = rows.active.iter().map(|&i| system.problem.matrix.row(i as usize).0.len()).sum();
        self.column.reserve(most);
        self.block.reserve(most);
        let mut scaled = Vec::with_capacity(out.len());
        let whole = LARGE && D == 3 && rows.active.iter().all(|&i| system.blocks[i as usize].rows == 3);
        // Contacts beside one lie apart in memory; what is needed of all is put together.
        self.to_r.clear();
        self.to_r.extend(rows.active.iter().map(|&i| system.blocks[i as usize].to_r));
        let mut unit = 0.0f64;
        for &i in rows.active {
            let (block, linear) = (&system.blocks[i as usize], rows.of::<D>(i));
            let mut a = block.a;
            (0..3).for_each(|k| a[k][k] *= 1.0 + rows.epsilon);
            let identity = |k: usize, l: usize| if k == l { 1.0 } else { 0.0 };
            let entry = |k: usize, l: usize| {
                let product: f64 = linear.p[k].iter().zip(&a).map(|(p, a)| p * a[l]).sum();
                if k < block.rows { linear.q[k][l] + product } else { identity(k, l) }
            };
            let j: [Triple; 3] = std::array::from_fn(|k| std::array::from_fn(|l| entry(k, l)));
            let inverse = inverse(&j)?;
            // D⁻¹P by columns.
            let mut response = [[0.0; 4]; 3];
            for (k, row) in inverse.iter().enumerate() {
                for (l, column) in response.iter_mut().enumerate().take(block.rows) {
                    column[k] = (0..3).map(|m| row[m] * linear.p[m][l]).sum::<f64>() as f32;
                }
            }
            let (columns, values) = system.problem.matrix.row(i as usize);
            let mut middle = self.column.len();
            for (&j, g) in columns.iter().zip(values.chunks_exact(D * D)) {
                let place = self.place[j as usize];
                if place == NONE || j == i {
                    continue;
                }
                self.column.push(place);
                self.block.push(if whole {
                    whole_block(&response, &block.to_eta, g, &self.to_r[place as usize])
                } else {
                    scaled_block::<D>(&response, block, g, &system.blocks[j as usize])
                });
                middle += usize::from(j < i);
            }
            self.middle.push(middle);
            self.start.push(self.column.len());
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

    /// The sum of some blocks of a row with what they act on.
    #[inline(always)]
    fn product(&self, from: usize, to: usize, x: &[Quad]) -> Quad {
        let mut sum = [0.0; 4];
        for (&j, block) in self.column[from..to].iter().zip(&self.block[from..to]) {
            let x = &x[j as usize];
            for (k, sum) in sum.iter_mut().enumerate() {
                *sum += block[0][k] * x[0] + block[1][k] * x[1] + block[2][k] * x[2];
            }
        }
        sum
    }

    /// out := t + (1 + L)⁻¹ (y − t) with t = (1 + U)⁻¹ y.
    fn apply(&mut self, y: &[Quad], out: &mut [Quad]) {
        self.upper(y);
        // First (1 + L)⁻¹ (y − t), which the sweep itself needs.
        for k in 0..y.len() {
            let before = self.product(self.start[k], self.middle[k], out);
            out[k] = sum(sum(y[k], -1.0, self.halfway[k]), -1.0, before);
        }
        out.iter_mut().zip(&self.halfway).for_each(|(out, t)| *out = sum(*out, 1.0, *t));
    }

    /// `halfway` := (1 + U)⁻¹ b.
    fn upper(&mut self, b: &[Quad]) {
        let mut z = std::mem::take(&mut self.halfway);
        for k in (0..b.len()).rev() {
            z[k] = sum(b[k], -1.0, self.product(self.middle[k], self.start[k + 1], &z));
        }
        self.halfway = z;
    }

    /// z := (1 + L)⁻¹ b.
    fn lower(&self, b: &[Quad], z: &mut [Quad]) {
        for k in 0..b.len() {
            z[k] = sum(b[k], -1.0, self.product(self.start[k], self.middle[k], z));
        }
    }

    /// Multiplications of one iteration.
    pub(super) fn cost(&self) -> f64 {
        18.0 * self.block.len() as f64
    }
}

/// response · A_ij by columns. The numbers of A are near one in any units, so that single precision has room for them.
#[inline(always)]
fn scaled_block<const D: usize>(response: &Block, own: &Scaled, g: &[f64], other: &Scaled) -> Block {
    let mut block = [[0.0; 4]; 3];
    for (l, out) in block.iter_mut().enumerate().take(other.rows) {
        for (m, response) in response.iter().enumerate().take(own.rows) {
            *out = sum(*out, own.coupling(m, other, l, g, D) as f32, *response);
        }
    }
    block
}

/// The same where all rows of both contacts act.
#[inline(always)]
fn whole_block(response: &Block, to_eta: &Triple, g: &[f64], to_r: &Triple) -> Block {
    let g: &[f64; 9] = g.try_into().expect("three rows and columns");
    let a: [[f32; 3]; 3] =
        std::array::from_fn(|m| std::array::from_fn(|l| (to_eta[m] * g[3 * m + l] * to_r[l]) as f32));
    std::array::from_fn(|l| {
        let mut out = [0.0; 4];
        for (a, response) in a.iter().zip(response) {
            out = sum(out, a[l], *response);
        }
        out
    })
}
