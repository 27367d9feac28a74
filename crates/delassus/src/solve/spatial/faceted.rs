//! Starts from friction with facets.
//!
//! With the disk replaced by a polygon with corners d_k the normal form is a
//! linear complementarity problem with a copositive matrix, which Lemke's method
//! solves whenever nothing jams [ST 1996; CPS 2009, §4.4]:
//!
//! ```text
//! y_T = Σ_k β_k d_k
//! 0 ≤ y_N ⟂ η_N ≥ 0,    0 ≤ β_k ⟂ d_k·η_T + λ ≥ 0,    0 ≤ λ ⟂ y_N + s − Σ_k β_k ≥ 0
//! ```
//!
//! To jam means an impulse within friction with A y = 0 and q·y < 0. There is none
//! where q lies in the range of A, as under Moreau's and Poisson's laws.
//! A corner of each polygon is turned to the last impulse and others are put
//! close to it, so that a repeated solution comes closer to the round one. It is a
//! start for Newton's method that does not depend on luck.

use std::f64::consts::{FRAC_PI_4, FRAC_PI_8};

use super::form::Form;
use crate::budget::Budget;
use crate::elementary::Elementary;
use crate::solve::lemke::{self, LcpStatus, LemkeWork};

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub(super) struct FacetedWork {
    lemke: LemkeWork,
    /// Direction (row of the first tangent, d) of each β.
    corners: Vec<Corner>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    z: Vec<f64>,
    product: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Corner {
    block: usize,
    row: usize,
    tangents: usize,
    direction: [f64; 2],
}

/// Size of the complementarity problem up to which it is tried.
const SIZE: usize = 250;
/// Each pair of corners is closer to the last impulse than the one before, by this factor.
const CLOSER: f64 = 0.35;

impl FacetedWork {
    /// Replaces `y` by a solution with polygons that have eight corners, one of
    /// them along the y_T at hand, and `pairs` more on both sides of that one. Returns the pivots and multiplications; `None`
    /// where no solution was found.
    pub(super) fn solve(
        &mut self,
        form: &Form,
        pairs: usize,
        budget: &mut Budget<'_>,
        y: &mut [f64],
    ) -> Option<(usize, f64)> {
        if y.len() != form.size {
            return None;
        }
        self.place_corners(form, pairs, y);
        let (blocks, corners) = (form.blocks.len(), self.corners.len());
        let size = 2 * blocks + corners;
        if size > SIZE {
            return None;
        }
        self.assemble(form);
        self.z.clear();
        self.z.resize(size, 0.0);
        let report = lemke::solve_within(&self.matrix, &self.vector, budget, &mut self.lemke, &mut self.z);
        if report.status != LcpStatus::Solved {
            return None;
        }
        y.fill(0.0);
        for (block, z) in form.blocks.iter().zip(&self.z) {
            y[block.row] = *z;
        }
        for (corner, beta) in self.corners.iter().zip(&self.z[blocks..]) {
            for k in 0..corner.tangents {
                y[corner.row + k] += beta * corner.direction[k];
            }
        }
        Some((report.pivots, (report.pivots * size * size) as f64))
    }

    fn place_corners(&mut self, form: &Form, pairs: usize, y: &[f64]) {
        self.corners.clear();
        for (b, block) in form.blocks.iter().enumerate() {
            let (row, tangents) = (block.row + 1, block.tangents);
            let corner = |direction| Corner { block: b, row, tangents, direction };
            match tangents {
                0 => {}
                1 => self.corners.extend([corner([1.0, 0.0]), corner([-1.0, 0.0])]),
                _ => {
                    let first = y[row + 1].arctangent2(y[row]);
                    let mut add = |angle: f64| {
                        let (s, c) = (first + angle).sine_cosine();
                        self.corners.push(corner([c, s]));
                    };
                    (0..8).for_each(|k| add(k as f64 * FRAC_PI_4));
                    for j in 0..pairs {
                        let angle = FRAC_PI_8 * CLOSER.powi(j as i32);
                        add(angle);
                        add(-angle);
                    }
                }
            }
        }
    }

    /// The complementarity problem over (y_N, β, λ).
    fn assemble(&mut self, form: &Form) {
        let (blocks, corners, k) = (form.blocks.len(), self.corners.len(), form.size);
        let size = 2 * blocks + corners;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.vector.clear();
        self.vector.resize(size, 0.0);
        for i in 0..blocks + corners {
            // Row of A along the normal or the corner.
            self.product.clear();
            let (row, tangents, direction) = match i.checked_sub(blocks) {
                None => (form.blocks[i].row, 1, [1.0, 0.0]),
                Some(c) => (self.corners[c].row, self.corners[c].tangents, self.corners[c].direction),
            };
            let along = |p: usize| &form.a[(row + p) * k..(row + p + 1) * k];
            self.product.extend(along(0).iter().map(|a| direction[0] * a));
            self.vector[i] = direction[0] * form.q[row];
            if tangents == 2 {
                self.product.iter_mut().zip(along(1)).for_each(|(p, a)| *p += direction[1] * a);
                self.vector[i] += direction[1] * form.q[row + 1];
            }
            let out = &mut self.matrix[i * size..(i + 1) * size];
            for (out, block) in out.iter_mut().zip(&form.blocks) {
                *out = self.product[block.row];
            }
            for (out, corner) in out[blocks..].iter_mut().zip(&self.corners) {
                *out = (0..corner.tangents).map(|p| corner.direction[p] * self.product[corner.row + p]).sum();
            }
        }
        for (c, corner) in self.corners.iter().enumerate() {
            let lambda = blocks + corners + corner.block;
            self.matrix[(blocks + c) * size + lambda] = 1.0;
            self.matrix[lambda * size + blocks + c] = -1.0;
        }
        for (b, block) in form.blocks.iter().enumerate() {
            let lambda = blocks + corners + b;
            self.matrix[lambda * size + b] = 1.0;
            self.vector[lambda] = block.shift;
        }
    }
}
